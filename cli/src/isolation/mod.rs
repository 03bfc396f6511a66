//! A file is analysed in another process, so that its crash, its time and its memory are its own result and no other's.
//!
//! **Why processes.** A stack overflow, an allocation that fails and a fault within the solver end a process; no guard within
//! it can catch them, and a thread that does not come back cannot be ended. So every command that reads sources executes its own program once more for
//! each thread of `--jobs` ([`serve`]), gives these workers one file after the other over a pipe and reads back the report on each. A
//! worker that dies, or is ended here, loses the file in its hands and nothing else: the next file gets a new one. Executing the
//! program again needs no `unsafe`, unlike `fork`, which a program with threads may not rely on; a worker lives for many files, so
//! that its start (milliseconds) is paid once. What the cache knows is found before a worker is asked.
//!
//! **What is asked of it** is a report, or the facts of a file with what follows from them, which come back whole; or to compare what two
//! files gave, which may take longer than to read them.
//!
//! **What a worker knows** is what the first process found out about all files together ([`messages::Setup`]): flags, the
//! names of files, the headers that may be guessed. It opens sources and headers by itself and writes to the cache itself, so that
//! a file that is finished stays known whatever happens then to either process.
//!
//! **Bounds.** The time of a file is wall time or processor time of its worker, whichever is less: neither a busy machine
//! nor many threads shorten it. A worker that runs out of it is asked to stop and gives what it has decided; one that does not
//! answer is ended, and so is one whose resident memory exceeds the bound, or that waits for many times the bound without using the
//! processor. Usage is read from `/proc`; where there is none, time is wall time and memory is not bounded. A result that is
//! incomplete for such a reason is an error of the run and is never kept.
//!
//! **Order.** Which worker has which file depends on time, a report on neither: output is the same for any number of jobs.

mod messages;
mod usage;
mod worker;

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use warplog_report::ensures::Outcome;
use warplog_report::equal::Comparison;
use warplog_report::{Incomplete, InputError, Report};

use crate::choices::FileBounds;
use crate::ensures::ask as ensures;
use crate::equal::ask::Ask;
use crate::options::AnalysisOptions;
use crate::pipeline::Depth;
use crate::unit::Unit;
use messages::{Answer, Reply, Request, Setup, Task, receive, send};
use usage::{Usage, usage};

pub(crate) use worker::serve;

/// The only argument of a worker.
pub(crate) const WORKER: &str = "__analyse-files";

/// How often it is looked at what a worker uses, and whether the run is to stop.
const TICK: Duration = Duration::from_millis(50);

/// How long a worker may take to come to an end when it is asked to, within the two seconds in which a signal is obeyed.
const GRACE: Duration = Duration::from_millis(1000);

/// How many times its bound a file may take while the processor does something else.
const PATIENCE: u32 = 10;

/// The part of the memory bound that a worker may still hold behind a file to be given the next one.
const KEPT: u64 = 4;

/// What is said of a file that is lost.
const NOT_CHECKED: &str = "the file is not checked";

/// The same of two sides.
const NOT_COMPARED: &str = "the two are not compared";
/// The same for post-conditions.
const NOT_ENSURED: &str = "the post-conditions are not looked at";

/// The same of a folder of facts.
const NOT_SOLVED: &str = "the facts are not checked";

/// What helps a file that needs more time.
const MORE_TIME: &str = "--file-timeout gives more";

/// What is kept of what a worker writes to standard error.
const LAST_WORDS: usize = 4096;

/// Workers for one run.
pub(crate) struct Isolation {
    program: PathBuf,
    setup: Arc<[u8]>,
    bounds: FileBounds,
    idle: Mutex<Vec<Worker>>,
}

impl Isolation {
    /// Workers for these options; none if the system does not tell where the program is.
    pub(crate) fn new(options: &AnalysisOptions, jobs: usize) -> Option<Self> {
        let own = PathBuf::from("/proc/self/exe");
        // The file of this very program, also when another one has its name by now.
        let program = match own.exists() {
            true => own,
            false => std::env::current_exe().ok()?,
        };
        let setup = Setup::new(options, jobs);
        Some(Isolation {
            program,
            setup: messages::encoded(&setup)?.into(),
            bounds: options.bounds,
            idle: Mutex::default(),
        })
    }

    /// Whether its workers know what holds for all files of a run with these options.
    pub(crate) fn fits(&self, options: &AnalysisOptions, jobs: usize) -> bool {
        let setup = messages::encoded(&Setup::new(options, jobs));
        self.bounds == options.bounds && setup.is_some_and(|setup| *setup == *self.setup)
    }

    /// The report on a unit, which says so if it is cut short; none if no worker can be had or told of it.
    pub(crate) fn check(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> Option<Report> {
        let task = Request::Analyse(Box::new(Task::of(unit, options)));
        let (answer, message) = self.answer(&task, options)?;
        let report = match answer {
            Some(Answer::Report(report)) => report,
            _ => Report::default(),
        };
        Some(with_error(report, unit, message))
    }

    /// The facts of a unit, unless they are lost, and the report on them; none if no worker can be had or told of it.
    pub(crate) fn extract<F: DeserializeOwned>(
        &self,
        unit: &Unit<'_>,
        options: &AnalysisOptions,
        depth: Depth,
    ) -> Option<(Option<F>, Report)> {
        let task = Request::Extract(Box::new(Task::of(unit, options)), depth);
        let (answer, message) = self.answer(&task, options)?;
        let (facts, report) = match answer {
            Some(Answer::Facts(facts, report)) => (messages::decoded(&facts), report),
            _ => (None, Report::default()),
        };
        Some((facts, with_error(report, unit, message)))
    }

    /// The report on a folder of facts; none if no worker can be had. Without an answer it says why, or that the run is interrupted.
    pub(crate) fn solve(&self, folder: &Path, options: &AnalysisOptions) -> Option<Report> {
        let task = Request::Solve(messages::bytes_of(folder), options.kernels.clone());
        let (answer, message) = self.answer(&task, options)?;
        let report = match answer {
            Some(Answer::Report(report)) => report,
            _ => Report {
                incomplete: (message.is_none()).then_some(Incomplete { done: 0, files: 1 }),
                ..Report::default()
            },
        };
        Some(of_folder(report, folder, message))
    }

    /// The facts of a folder, unless they are lost, and the report on them; none if no worker can be had.
    pub(crate) fn read<F: DeserializeOwned>(
        &self,
        folder: &Path,
        options: &AnalysisOptions,
        depth: Depth,
    ) -> Option<(Option<F>, Report)> {
        let task = Request::Read(messages::bytes_of(folder), depth);
        let (answer, message) = self.answer(&task, options)?;
        let (facts, report) = match answer {
            Some(Answer::Facts(facts, report)) => (messages::decoded(&facts), report),
            Some(Answer::Report(report)) => (None, report),
            _ => (
                None,
                Report {
                    incomplete: (message.is_none()).then_some(Incomplete { done: 0, files: 1 }),
                    ..Report::default()
                },
            ),
        };
        Some((facts, of_folder(report, folder, message)))
    }

    /// The comparison of two sides; none if no worker can be had. A comparison that is cut short is none.
    pub(crate) fn compare<F: Serialize>(
        &self,
        sides: [&[F]; 2],
        ask: &Ask,
        options: &AnalysisOptions,
    ) -> Option<Ended<Comparison>> {
        let [left, right] = sides;
        let sides = [messages::encoded(&left)?, messages::encoded(&right)?];
        let task = Request::Compare(sides, Box::new(ask.clone()));
        Some(match self.answer(&task, options)? {
            (_, Some(message)) => Ended::Lost(message.replace(NOT_CHECKED, NOT_COMPARED)),
            (Some(Answer::Compared(compared)), None) => Ended::Done(compared),
            _ => Ended::Interrupted,
        })
    }

    /// What is found of post-conditions behind launches with these facts, likewise.
    pub(crate) fn ensure<F: Serialize>(
        &self,
        facts: &[F],
        ask: &ensures::Ask,
        options: &AnalysisOptions,
    ) -> Option<Ended<Vec<Outcome>>> {
        let task = Request::Ensure(messages::encoded(&facts)?, Box::new(ask.clone()));
        Some(match self.answer(&task, options)? {
            (_, Some(message)) => Ended::Lost(message.replace(NOT_CHECKED, NOT_ENSURED)),
            (Some(Answer::Ensured(ensured)), None) => Ended::Done(Box::new(ensured)),
            _ => Ended::Interrupted,
        })
    }

    /// What comes of a request, and what is to be said if that is less than was asked for; none if no worker can be had or told of it.
    fn answer(
        &self,
        request: &Request,
        options: &AnalysisOptions,
    ) -> Option<(Option<Answer>, Option<String>)> {
        let task = messages::encoded(request)?;
        let known = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let mut worker = match known {
            Some(worker) => worker,
            None => self.start()?,
        };
        if send(&mut worker.requests, &task).is_err() {
            // It died between two files: that is nobody's result.
            worker = self.start()?;
            send(&mut worker.requests, &task).ok()?;
        }
        let (end, goes_on) = self.wait(&mut worker, options);
        if goes_on && self.is_small(&worker) {
            let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
            idle.push(worker);
        }
        Some(match end {
            End::Done(answer) => (Some(*answer), None),
            End::Cut(answer, message) => (Some(*answer), Some(message)),
            End::Lost(message) => (None, Some(message)),
            End::Interrupted => (None, None),
        })
    }

    fn start(&self) -> Option<Worker> {
        Worker::start(&self.program, &self.setup).ok()
    }

    /// Whether a worker has given back most of what its last file took.
    fn is_small(&self, worker: &Worker) -> bool {
        let Some(most) = self.bounds.memory else {
            return true;
        };
        usage(worker.child.id()).is_none_or(|usage| usage.memory <= most / KEPT)
    }

    /// Waits for the end of a unit, and says whether the worker can be given another.
    fn wait(&self, worker: &mut Worker, options: &AnalysisOptions) -> (End, bool) {
        let begun = Instant::now();
        let before = usage(worker.child.id());
        let mut looked = begun;
        let mut stopping: Option<Stopping> = None;
        let mut phase = String::new();
        loop {
            match worker.replies.recv_timeout(TICK) {
                Ok(Reply::Phase(name)) => {
                    options.told.tell(&name);
                    phase = name;
                }
                Ok(Reply::Done(answer)) => {
                    let cut = stopping.and_then(|stopping| stopping.message);
                    return match cut {
                        Some(message) => {
                            let message = format!(
                                "{message}; what was not decided by then is left open ({MORE_TIME})"
                            );
                            (End::Cut(answer, message), true)
                        }
                        None => (End::Done(answer), true),
                    };
                }
                Ok(Reply::Failed(message)) => return (End::Lost(message), true),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return match stopping {
                        Some(Stopping { message: None, .. }) => (End::Interrupted, false),
                        _ => (End::Lost(worker.death(&phase)), false),
                    };
                }
            }
            if looked.elapsed() < TICK {
                continue;
            }
            looked = Instant::now();
            let now = usage(worker.child.id());
            if let (Some(most), Some(now)) = (self.bounds.memory, now)
                && now.memory > most
            {
                worker.end();
                return (End::Lost(too_large(most, &phase)), false);
            }
            if let Some(Stopping { since, message }) = &stopping {
                if since.elapsed() >= GRACE {
                    worker.end();
                    let lost = |message: &String| {
                        End::Lost(format!("{message}; {NOT_CHECKED} ({MORE_TIME})"))
                    };
                    let end = message.as_ref().map_or(End::Interrupted, lost);
                    return (end, false);
                }
                continue;
            }
            let late = self.bounds.time.filter(|most| {
                let wall = begun.elapsed();
                let used = processor(before, now).map_or(wall, |used| used.min(wall));
                used > *most || wall > most.saturating_mul(PATIENCE)
            });
            if late.is_some() || options.stop.is_requested() {
                let message = match options.stop.is_requested() {
                    true => None,
                    false => late.map(|most| too_long(most, &phase)),
                };
                let since = Instant::now();
                stopping = Some(Stopping { since, message });
                worker.stop();
            }
        }
    }
}

/// How a comparison ended, or the like.
pub(crate) enum Ended<T> {
    /// With an answer, or with why there can be none.
    Done(Box<Result<T, String>>),
    /// For this reason, without one.
    Lost(String),
    /// The run is interrupted.
    Interrupted,
}

/// The report on a unit with what is to be said of it.
fn with_error(mut report: Report, unit: &Unit<'_>, message: Option<String>) -> Report {
    report.errors.extend(message.map(|message| InputError {
        file: unit.shown.to_owned(),
        line: None,
        message,
    }));
    report
}

/// The report on a folder with what is to be said of it.
fn of_folder(mut report: Report, folder: &Path, message: Option<String>) -> Report {
    let file = crate::collect::shown(folder);
    let said = match (message, &report.incomplete) {
        (Some(message), _) => message.replace(NOT_CHECKED, NOT_SOLVED),
        (None, Some(_)) => "interrupted".to_owned(),
        (None, None) => return report,
    };
    report.errors.push(InputError {
        file,
        line: None,
        message: said,
    });
    report
}

/// How the analysis of a unit ended.
enum End {
    Done(Box<Answer>),
    /// It was stopped, for this reason, and gave what it had.
    Cut(Box<Answer>, String),
    /// It gave nothing, for this reason.
    Lost(String),
    /// The run is interrupted, and nothing came in time.
    Interrupted,
}

/// A request to stop.
struct Stopping {
    since: Instant,
    /// What is said of the file; none if the run is interrupted, which is said once for all.
    message: Option<String>,
}

fn processor(before: Option<Usage>, now: Option<Usage>) -> Option<Duration> {
    Some(now?.processor.saturating_sub(before?.processor))
}

fn too_long(most: Duration, phase: &str) -> String {
    format!(
        "out of time: more than {} s{}",
        most.as_secs(),
        during(phase)
    )
}

fn too_large(most: u64, phase: &str) -> String {
    format!(
        "out of memory: more than {} MiB{}; {NOT_CHECKED} (--file-memory gives more)",
        most >> 20,
        during(phase)
    )
}

fn during(phase: &str) -> String {
    match phase {
        "" => String::new(),
        phase => format!(" while {phase}"),
    }
}

/// A process that analyses files.
struct Worker {
    child: Child,
    requests: ChildStdin,
    replies: Receiver<Reply>,
    /// The end of what it wrote to standard error, complete when the thread has ended.
    words: Option<thread::JoinHandle<Vec<u8>>>,
}

impl Worker {
    fn start(program: &PathBuf, setup: &[u8]) -> io::Result<Self> {
        let mut child = Command::new(program)
            .arg(WORKER)
            // Its last words are to fit.
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let (Some(requests), Some(mut out), Some(err)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        let (told, replies) = channel();
        thread::Builder::new().spawn(move || {
            while let Ok(Some(reply)) = receive(&mut out) {
                if told.send(reply).is_err() {
                    break;
                }
            }
        })?;
        let words = thread::Builder::new().spawn(move || last_words(err))?;
        let mut worker = Worker {
            child,
            requests,
            replies,
            words: Some(words),
        };
        send(&mut worker.requests, setup)?;
        Ok(worker)
    }

    /// Asks for what there is.
    fn stop(&mut self) {
        if let Some(request) = messages::encoded(&Request::Stop) {
            // If it is gone, its replies end.
            let _ = send(&mut self.requests, &request);
        }
    }

    /// Ends it.
    fn end(&mut self) -> Option<ExitStatus> {
        let _ = self.child.kill();
        self.child.wait().ok()
    }

    /// Why it is not there any more.
    fn death(&mut self, phase: &str) -> String {
        // Its replies have ended: so has it, or it is of no use.
        let status = self.child.wait().ok();
        let words = self.words.take().and_then(|words| words.join().ok());
        let words = String::from_utf8_lossy(&words.unwrap_or_default()).into_owned();
        cause(status, &words, phase)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}

/// The end of a stream.
fn last_words(mut stream: impl Read) -> Vec<u8> {
    let mut words = Vec::new();
    let mut buffer = [0; 1024];
    while let Ok(length @ 1..) = stream.read(&mut buffer) {
        words.extend_from_slice(&buffer[..length]);
        if words.len() > 2 * LAST_WORDS {
            words.drain(..words.len() - LAST_WORDS);
        }
    }
    words
}

/// What is said of the file that a worker died of, by its status and its last words.
fn cause(status: Option<ExitStatus>, words: &str, phase: &str) -> String {
    let during = during(phase);
    if words.contains("has overflowed its stack") {
        return format!("crashed: stack overflow{during}; {NOT_CHECKED}; please report this");
    }
    let no_memory = [
        "memory allocation of",
        "std::bad_alloc",
        "failed to allocate",
    ];
    if no_memory.iter().any(|sign| words.contains(sign)) {
        return format!("out of memory: the system gives no more{during}; {NOT_CHECKED}");
    }
    let how = match status {
        Some(status) => ended_by(status),
        None => "it is not known how it ended".to_owned(),
    };
    format!("crashed: {how}{during}; {NOT_CHECKED}; please report this")
}

#[cfg(unix)]
fn ended_by(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;

    match status.signal() {
        // The system does so when memory runs out.
        Some(9) => "the process was killed (signal 9), perhaps for want of memory".to_owned(),
        Some(signal) => format!("the process ended by signal {signal}"),
        None => format!(
            "the process ended with status {}",
            status.code().unwrap_or(-1)
        ),
    }
}

#[cfg(not(unix))]
fn ended_by(status: ExitStatus) -> String {
    format!("the process ended ({status})")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_of_a_death_is_told() {
        let told = |words: &str| cause(None, words, "reading kernel `k`");
        assert_eq!(
            told("\nthread 'worker-0' (7) has overflowed its stack\nfatal runtime error\n"),
            "crashed: stack overflow while reading kernel `k`; the file is not checked; please report this"
        );
        assert!(told("memory allocation of 80 bytes failed\n").starts_with("out of memory: "));
        assert!(cause(None, "", "").starts_with("crashed: it is not known"));
        assert_eq!(last_words(&b"abc"[..]), b"abc");
        let long = vec![b'x'; 100_000];
        assert!(last_words(&long[..]).len() <= 2 * LAST_WORDS);
    }
}
