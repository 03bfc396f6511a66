//! Ctrl-C and the end of a job: the first signal asks for an end with what there is, a second one for an end at once.
//!
//! A signal often comes twice at the same moment: a terminal sends it to a program and to the shell or the supervisor around it, which
//! hands it on; a job that is cancelled gets SIGINT and SIGTERM together. So what follows within [`SAME`] is the same signal.

use std::io::Read;
use std::process;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use warplog_solver_bridge::Stop;

use crate::INTERRUPTED;

/// Signals that come so soon after the first are not another one.
const SAME: Duration = Duration::from_millis(500);

/// A flag that the first signal sets. A system that refuses handlers ends the program at once, as without us.
pub(crate) fn stop_on_signals() -> Stop {
    let flag = Arc::new(AtomicBool::new(false));
    let told = told_by_signals();
    for signal in [SIGINT, SIGTERM] {
        let _ = flag::register(signal, Arc::clone(&flag));
    }
    if let Some(told) = told {
        let watched = thread::Builder::new().name("signals".to_owned());
        // Without a thread, later signals do nothing: the run ends by the first one.
        let _ = watched.spawn(move || end_at_the_second(told));
    }
    Stop::new(flag)
}

/// How long a report may take that is written when the signal comes: with what the analysis needs, two seconds.
const LAST: Duration = Duration::from_millis(1500);

/// How long the report may take of a run that a signal has ended before.
const UNHURRIED: Duration = Duration::from_secs(10);

/// Ends the program when a signal came and the report is not written soon: whoever is to read it may not read. It holds until it is dropped.
pub(crate) struct EndsSoon(Option<Sender<()>>);

impl EndsSoon {
    /// From now on.
    pub(crate) fn after(stop: &Stop) -> Self {
        let stop = stop.clone();
        let most = match stop.is_requested() {
            true => UNHURRIED,
            false => LAST,
        };
        let (written, is_written) = channel::<()>();
        let watched = thread::Builder::new().name("end".to_owned());
        let watch = move || {
            let waits = |time| is_written.recv_timeout(time) == Err(RecvTimeoutError::Timeout);
            while waits(TICK) {
                if stop.is_requested() {
                    if waits(most) {
                        process::exit(INTERRUPTED.into());
                    }
                    return;
                }
            }
        };
        EndsSoon(watched.spawn(watch).ok().map(|_| written))
    }
}

impl Drop for EndsSoon {
    fn drop(&mut self) {
        drop(self.0.take());
    }
}

/// How often it is looked whether a signal came.
const TICK: Duration = Duration::from_millis(50);

/// A stream that gives a byte for each signal.
#[cfg(unix)]
fn told_by_signals() -> Option<impl Read + Send> {
    use std::os::unix::net::UnixStream;

    let (read, write) = UnixStream::pair().ok()?;
    for signal in [SIGINT, SIGTERM] {
        signal_hook::low_level::pipe::register(signal, write.try_clone().ok()?).ok()?;
    }
    Some(read)
}

#[cfg(not(unix))]
fn told_by_signals() -> Option<std::io::Empty> {
    None
}

fn end_at_the_second(mut signals: impl Read) {
    if another(&mut signals) {
        process::exit(INTERRUPTED.into());
    }
}

/// Waits for a signal that is another than the first; false if none can come any more.
fn another(signals: &mut impl Read) -> bool {
    let mut first: Option<Instant> = None;
    let mut byte = [0];
    while let Ok(1) = signals.read(&mut byte) {
        match first {
            None => first = Some(Instant::now()),
            Some(first) if first.elapsed() > SAME => return true,
            Some(_) => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a byte after each of these times.
    struct After(Vec<Duration>);

    impl Read for After {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            thread::sleep(self.0.remove(0));
            buffer[0] = 1;
            Ok(1)
        }
    }

    #[test]
    fn what_comes_at_the_same_moment_is_one_signal() {
        let soon = Duration::from_millis(10);
        assert!(!another(&mut After(vec![soon])));
        assert!(!another(&mut After(vec![soon, soon, soon])));
        assert!(another(&mut After(vec![soon, soon, SAME * 2])));
    }
}
