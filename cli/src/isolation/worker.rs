//! The process that analyses files for another: tasks come by standard input, reports go by standard output.
//!
//! It leaves signals to the process that started it, which a terminal sends to both, and ends when that one is gone.

use std::io::{self, Write};
use std::process;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use warplog_solver_bridge::Stop;

use crate::driver::workers;
use crate::guard::guarded;
use crate::options::{AnalysisOptions, Told};
use crate::pipeline::{Pipeline, Unit};

use super::messages::{Reply, Request, Setup, Task, encoded, receive, send};

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
    let told = Told::new(|phase: &str| reply(&Reply::Phase(phase.to_owned())));
    let options = AnalysisOptions {
        told,
        ..setup.options()
    };
    let (give, tasks) = channel();
    thread::spawn(move || read(input, &give));
    let pool = workers(threads).ok();
    for (task, stop) in tasks {
        let options = AnalysisOptions {
            stop,
            kernels: task.kernels.clone(),
            mends: task.mends,
            ..options.clone()
        };
        let unit = Unit {
            path: &task.path(),
            shown: &task.shown,
            bytes: &task.bytes,
            options: &task.options,
        };
        let check = || guarded(|| pipeline.check(&unit, &options));
        let checked = match &pool {
            Some(pool) => pool.install(check),
            // The system has no threads to give: this one will do.
            None => check(),
        };
        reply(&match checked {
            Ok(report) => Reply::Done(Box::new(report)),
            Err(message) => Reply::Failed(message),
        });
    }
    0
}

/// Hands on what is asked; each task has a flag of its own.
fn read(mut input: io::Stdin, give: &Sender<(Task, Stop)>) {
    let mut current = Stop::default();
    loop {
        match receive::<Request>(&mut input) {
            Ok(Some(Request::Analyse(task))) => {
                let task = *task;
                current = Stop::default();
                if give.send((task, current.clone())).is_err() {
                    return;
                }
            }
            Ok(Some(Request::Stop)) => current.request(),
            // Nobody waits for an answer any more.
            Ok(None) | Err(_) => process::exit(0),
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
