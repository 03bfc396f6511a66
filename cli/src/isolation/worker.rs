//! The process that analyses files for another: tasks come by standard input, reports go by standard output.
//!
//! It leaves signals to the process that started it, which a terminal sends to both, and ends when that one is gone.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{process, thread};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use warplog_report::Report;
use warplog_solver_bridge::Stop;

use super::messages::{
    Answer, Reply, Request, Setup, Task, decoded, encoded, path_of, receive, send,
};
use crate::ensures::ask as ensures;
use crate::equal::ask::Ask;
use crate::guard::guarded;
use crate::options::AnalysisOptions;
use crate::pipeline::{Depth, Pipeline};
use crate::threads::workers;
use crate::told::{Doing, Told};

/// Status of a worker that is given no sense.
const BROKEN: u8 = 3;

/// Analyses what it is given until nothing comes any more, and gives its exit status.
pub(crate) fn serve<P: Pipeline>(pipeline: &P) -> u8 {
    for signal in [SIGINT, SIGTERM] {
        let _ = flag::register(signal, Arc::new(AtomicBool::new(false)));
    }
    let mut input = io::stdin();
    let Ok(Some(setup)) = receive::<Setup>(&mut input) else {
        return BROKEN;
    };
    let threads = setup.threads;
    let told = Told::new(|doing: Doing<'_>| {
        if let Doing::Phase(phase) = doing {
            reply(&Reply::Phase(phase.to_owned()));
        }
    });
    let options = AnalysisOptions {
        told,
        ..setup.options()
    };
    let (give, tasks) = channel();
    thread::spawn(move || read(input, &give));
    let pool = workers(threads).ok();
    for (job, stop) in tasks {
        let options = AnalysisOptions {
            stop,
            ..options.clone()
        };
        let answer = || guarded(|| answer(pipeline, &job, &options));
        let answered = match &pool {
            Some(pool) => pool.install(answer),
            // The system has no threads to give: this one will do.
            None => answer(),
        };
        reply(&match answered {
            Ok(Some(answer)) => Reply::Done(Box::new(answer)),
            Ok(None) => {
                Reply::Failed("what it found cannot be told to the first process".to_owned())
            }
            Err(message) => Reply::Failed(message),
        });
    }
    0
}

/// Something to do.
enum Job {
    Analyse(Task),
    Extract(Task, Depth),
    Solve(PathBuf, Vec<String>),
    Read(PathBuf, Depth),
    Compare([Vec<u8>; 2], Ask),
    Ensure(Vec<u8>, ensures::Ask),
}

/// What comes of it; none if a message does not hold what it should.
fn answer<P: Pipeline>(pipeline: &P, job: &Job, options: &AnalysisOptions) -> Option<Answer> {
    let of_task = |task: &Task| AnalysisOptions {
        kernels: task.kernels.clone(),
        mends: task.mends,
        ..options.clone()
    };
    Some(match job {
        Job::Analyse(task) => {
            Answer::Report(pipeline.check(&task.unit(&task.path()), &of_task(task)))
        }
        Job::Extract(task, depth) => {
            let options = of_task(task);
            let (facts, report) = pipeline.extract(&task.unit(&task.path()), &options, *depth);
            options.told.tell("handing over its facts");
            Answer::Facts(encoded(&facts)?, report)
        }
        Job::Solve(folder, kernels) => {
            let options = AnalysisOptions {
                kernels: kernels.clone(),
                ..options.clone()
            };
            Answer::Report(pipeline.solve(folder, &options))
        }
        Job::Read(folder, depth) => match pipeline.read(folder, options, *depth) {
            Ok((facts, report)) => Answer::Facts(encoded(&facts)?, report),
            Err(error) => Answer::Report(Report {
                errors: vec![error],
                ..Report::default()
            }),
        },
        Job::Compare([left, right], ask) => {
            options.told.tell("comparing");
            let left: Vec<P::Facts> = decoded(left)?;
            let right: Vec<P::Facts> = decoded(right)?;
            Answer::Compared(Box::new(pipeline.equal([&left, &right], ask)))
        }
        Job::Ensure(facts, ask) => {
            options.told.tell("looking at post-conditions");
            let facts: Vec<P::Facts> = decoded(facts)?;
            Answer::Ensured(pipeline.ensures(&facts, ask, options))
        }
    })
}

/// Hands on what is asked; each task has a flag of its own.
fn read(mut input: io::Stdin, give: &Sender<(Job, Stop)>) {
    let mut current = Stop::default();
    loop {
        let job = match receive::<Request>(&mut input) {
            Ok(Some(Request::Analyse(task))) => Job::Analyse(*task),
            Ok(Some(Request::Extract(task, depth))) => Job::Extract(*task, depth),
            Ok(Some(Request::Solve(folder, kernels))) => Job::Solve(path_of(folder), kernels),
            Ok(Some(Request::Read(folder, depth))) => Job::Read(path_of(folder), depth),
            Ok(Some(Request::Compare(sides, ask))) => Job::Compare(sides, *ask),
            Ok(Some(Request::Ensure(facts, ask))) => Job::Ensure(facts, *ask),
            Ok(Some(Request::Stop)) => {
                current.request();
                continue;
            }
            // Nobody waits for an answer any more.
            Ok(None) | Err(_) => process::exit(0),
        };
        current = Stop::default();
        if give.send((job, current.clone())).is_err() {
            return;
        }
    }
}

/// Writes a reply. Without anybody to read it there is nothing left to do.
fn reply(reply: &Reply) {
    static OUT: Mutex<()> = Mutex::new(());
    let one = OUT.lock().unwrap_or_else(PoisonError::into_inner);
    let mut out = io::stdout().lock();
    let sent = encoded(reply).is_some_and(|bytes| send(&mut out, &bytes).is_ok());
    if !(sent && out.flush().is_ok()) {
        process::exit(BROKEN.into());
    }
    drop(one);
}
