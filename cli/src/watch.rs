//! `check --watch`: the check again whenever something that it read changes.
//!
//! The system tells which files change (crate `notify`). Watched are the folders of what was given and of the headers that were read; a
//! change counts if it is of a source, a header or a configuration by its name, or of a file that the last check read. What comes within
//! [`QUIET`] of each other is one change, and one that comes while a check is made ends it: its report would be of texts that are gone.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use std::{fs, thread};

use notify::{EventKind, RecursiveMode, Watcher};
use warplog_report::Report;
use warplog_report::text::safe;
use warplog_solver_bridge::Stop;

use crate::args::CheckArgs;
use crate::collect::shown;
use crate::driver::{self, RunOptions, Workers};
use crate::options::AnalysisOptions;
use crate::pipeline::Pipeline;
use crate::texts::is_stdin;
use crate::{FAILED, INTERRUPTED, Streams, WRONG_USE, complain, conclude, config};

/// How long nothing must change before it is checked: editors write a file in several steps.
const QUIET: Duration = Duration::from_millis(100);

/// How often it is looked whether the run is to end.
const TICK: Duration = Duration::from_millis(50);

/// Endings of files whose change may matter though no check read them yet.
const ENDINGS: [&str; 12] = [
    "cu", "cuh", "hip", "h", "hh", "hpp", "hxx", "inl", "inc", "cpp", "cc", "cxx",
];

/// What is watched, and who is to be ended when it changes.
#[derive(Default)]
struct Watched {
    /// Files that the last check read, without links.
    files: BTreeSet<PathBuf>,
    /// The check that is being made.
    running: Option<Stop>,
}

impl Watched {
    fn counts(&self, path: &Path) -> bool {
        let ending = path.extension().and_then(OsStr::to_str);
        let name = path.file_name().and_then(OsStr::to_str);
        ending.is_some_and(|ending| ENDINGS.contains(&ending))
            || name == Some(config::NAME)
            || name == Some("compile_commands.json")
            || self.files.contains(path)
    }
}

/// Checks again and again until it is interrupted, and gives the exit status.
pub(crate) fn run<P: Pipeline>(
    pipeline: &P,
    args: &CheckArgs,
    options: &AnalysisOptions,
    run: RunOptions,
    arguments: &[OsString],
    streams: &mut Streams<'_>,
) -> u8 {
    if args.paths.iter().any(|path| is_stdin(path)) {
        complain(streams, "--watch: standard input cannot be watched");
        return WRONG_USE;
    }
    let watched: Arc<Mutex<Watched>> = Arc::default();
    let (say, changes) = channel::<PathBuf>();
    let told = Arc::clone(&watched);
    let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else {
            return;
        };
        if matches!(event.kind, EventKind::Access(_)) {
            return;
        }
        let watched = told.lock().unwrap_or_else(PoisonError::into_inner);
        for path in event.paths {
            if watched.counts(&path) {
                if let Some(running) = &watched.running {
                    running.request();
                }
                let _ = say.send(path);
            }
        }
    });
    let mut watcher = match watcher {
        Ok(watcher) => watcher,
        Err(error) => {
            complain(streams, &format!("cannot watch files: {error}"));
            return FAILED;
        }
    };
    let mut folders: BTreeSet<PathBuf> = BTreeSet::new();
    for path in &args.paths {
        let real = fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let watched = match real.is_dir() {
            true => watcher.watch(&real, RecursiveMode::Recursive),
            false => watch_folder(&mut watcher, &mut folders, &real),
        };
        if let Err(error) = watched {
            let name = safe(&shown(path));
            complain(streams, &format!("{name}: cannot watch it: {error}"));
            return FAILED;
        }
    }
    let interruption = options.stop.clone();
    let workers = Workers::default();
    loop {
        let stop = Stop::default();
        watched
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .running = Some(stop.clone());
        let mut report = ended_by(&interruption, &stop, || {
            let options = AnalysisOptions {
                stop: stop.clone(),
                ..options.clone()
            };
            driver::check_with(pipeline, &args.paths, &options, run, &workers)
        });
        if interruption.is_requested() {
            return INTERRUPTED;
        }
        if !stop.is_requested() {
            remember(&watched, &report);
            for header in &report.inventory.headers {
                if let Ok(real) = fs::canonicalize(header) {
                    // One that cannot be watched is read all the same.
                    let _ = watch_folder(&mut watcher, &mut folders, &real);
                }
            }
            if let Some(revision) = &args.diff {
                match crate::since::change(revision, &args.paths, options) {
                    Ok(change) => change.apply(pipeline, &args.paths, options, run, &mut report),
                    Err(message) => complain(streams, &message),
                }
            }
            conclude(report, &args.output, options, run, arguments, streams);
        }
        match next(&changes, &interruption) {
            Some(paths) => tell(&paths, streams),
            None => return INTERRUPTED,
        }
    }
}

fn watch_folder(
    watcher: &mut impl Watcher,
    known: &mut BTreeSet<PathBuf>,
    file: &Path,
) -> notify::Result<()> {
    let folder = file.parent().unwrap_or(file).to_owned();
    match known.insert(folder.clone()) {
        // An editor may replace the file: its folder says so, it cannot.
        true => watcher.watch(&folder, RecursiveMode::NonRecursive),
        false => Ok(()),
    }
}

fn remember(watched: &Mutex<Watched>, report: &Report) {
    let names = report
        .inventory
        .inputs
        .iter()
        .chain(&report.inventory.headers);
    let files = names
        .filter_map(|name| fs::canonicalize(name).ok())
        .collect();
    let mut watched = watched.lock().unwrap_or_else(PoisonError::into_inner);
    watched.files = files;
}

/// Makes a check, which ends when the run is interrupted.
fn ended_by(interruption: &Stop, stop: &Stop, check: impl FnOnce() -> Report) -> Report {
    thread::scope(|scope| {
        let (done, is_done) = channel::<()>();
        scope.spawn(move || {
            while is_done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if interruption.is_requested() {
                    stop.request();
                }
            }
        });
        let report = check();
        drop(done);
        report
    })
}

/// The files of the next change; nothing if the run is interrupted before.
fn next(changes: &Receiver<PathBuf>, interruption: &Stop) -> Option<BTreeSet<PathBuf>> {
    let mut paths = BTreeSet::new();
    loop {
        let time = if paths.is_empty() { TICK } else { QUIET };
        match changes.recv_timeout(time) {
            Ok(path) => drop(paths.insert(path)),
            Err(RecvTimeoutError::Timeout) if paths.is_empty() => {}
            Err(RecvTimeoutError::Timeout) => return Some(paths),
            Err(RecvTimeoutError::Disconnected) => return None,
        }
        if interruption.is_requested() {
            return None;
        }
    }
}

/// Says what is checked again.
fn tell(paths: &BTreeSet<PathBuf>, streams: &mut Streams<'_>) {
    let here = std::env::current_dir().unwrap_or_default();
    let first = paths.first().map(|path| {
        let path = path.strip_prefix(&here).unwrap_or(path);
        safe(&shown(path))
    });
    let more = match paths.len() {
        0 | 1 => String::new(),
        files => format!(" and {} more", files - 1),
    };
    let _ = writeln!(streams.err, "changed: {}{more}", first.unwrap_or_default());
}
