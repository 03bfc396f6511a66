//! How far a run over many files is: shown on a terminal, and where it ends when it is interrupted.
//!
//! A signal sets a flag and nothing else. Files that were not begun then are left out, those in work are cut short, and the
//! report says how many there are of both. What was finished is in the cache, so that the next run goes on from there.

use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use warplog_solver_bridge::Stop;

use crate::told::{Doing, Told};

/// Files below which a run is over before a bar could be read.
const FEW: usize = 2;

/// The progress of a run.
pub(crate) struct Progress {
    bar: ProgressBar,
    stop: Stop,
    /// Files to be analysed.
    files: AtomicUsize,
    kernels: AtomicU64,
    findings: AtomicU64,
    /// Files analysed to the end.
    done: AtomicUsize,
}

impl Progress {
    /// Shows progress on standard error, or nothing.
    pub(crate) fn new(shown: bool, stop: Stop) -> Self {
        let target = if shown {
            ProgressDrawTarget::stderr()
        } else {
            ProgressDrawTarget::hidden()
        };
        Progress::on(target, stop)
    }

    fn on(target: ProgressDrawTarget, stop: Stop) -> Self {
        let bar = ProgressBar::with_draw_target(None, target);
        let template = "{bar:20} {pos}/{len} files, {msg}{left}";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.with_key("left", left));
        }
        Progress {
            bar,
            stop,
            files: AtomicUsize::new(0),
            kernels: AtomicU64::new(0),
            findings: AtomicU64::new(0),
            done: AtomicUsize::new(0),
        }
    }

    /// So many files more are to be analysed.
    pub(crate) fn expect(&self, files: usize) {
        let all = self.files.fetch_add(files, Ordering::Relaxed) + files;
        if all >= FEW {
            self.tell();
            self.bar.set_length(wide(all));
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
    }

    /// Whether the next file is to be begun.
    pub(crate) fn goes_on(&self) -> bool {
        !self.stop.is_requested()
    }

    /// A file is through, with so many kernels and findings; whether it is to the end.
    pub(crate) fn through(&self, kernels: usize, findings: usize) -> bool {
        self.kernels.fetch_add(wide(kernels), Ordering::Relaxed);
        self.findings.fetch_add(wide(findings), Ordering::Relaxed);
        let whole = self.goes_on();
        if whole {
            self.done.fetch_add(1, Ordering::Relaxed);
        }
        if self.files.load(Ordering::Relaxed) >= FEW {
            self.bar.inc(1);
            self.tell();
        }
        whole
    }

    /// Says how many of several files are through.
    pub(crate) fn say_to(&self, told: &Told) {
        let files = self.files.load(Ordering::Relaxed);
        if files >= FEW {
            told.about(Doing::Files(self.done(), files));
        }
    }

    /// Files analysed to the end.
    pub(crate) fn done(&self) -> usize {
        self.done.load(Ordering::Relaxed)
    }

    fn tell(&self) {
        if self.bar.is_hidden() {
            return;
        }
        let count = |count: &AtomicU64, one: &str, many: &str| {
            let count = count.load(Ordering::Relaxed);
            format!("{count} {}", if count == 1 { one } else { many })
        };
        let mut text = format!(
            "{}, {}",
            count(&self.kernels, "kernel", "kernels"),
            count(&self.findings, "finding", "findings")
        );
        if !self.goes_on() {
            text.push_str("; interrupted, ending the files in work (once more: at once)");
        }
        self.bar.set_message(text);
    }
}

/// The time left, once there is something to estimate it from.
fn left(state: &ProgressState, out: &mut dyn fmt::Write) {
    if state.pos() > 0 {
        let _ = write!(out, ", {:#} left", HumanDuration(state.eta()));
    }
}

fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// The bar goes when the run is over, so that the report begins on an empty line.
impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;
    use std::sync::{Arc, Mutex};

    /// A terminal of one line, with all that was ever drawn on it.
    #[derive(Clone, Debug, Default)]
    struct Paper(Arc<Mutex<String>>);

    impl indicatif::TermLike for Paper {
        fn width(&self) -> u16 {
            120
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            let mut paper = self.0.lock().expect("a lock");
            paper.push_str(text);
            paper.push('\n');
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn drawn(paper: &Paper) -> String {
        paper.0.lock().expect("a lock").clone()
    }

    #[test]
    fn files_kernels_findings_and_time_left_are_told() {
        let paper = Paper::default();
        let stop = Stop::default();
        let target = ProgressDrawTarget::term_like(Box::new(paper.clone()));
        let progress = Progress::on(target, stop.clone());
        progress.expect(40);
        progress.bar.force_draw();
        let before = drawn(&paper);
        assert!(
            before.contains("0/40 files, 0 kernels, 0 findings"),
            "{before}"
        );
        assert!(
            !before.contains("left") && !before.contains(", ,"),
            "{before}"
        );
        for (kernels, findings) in [(0, 0), (1, 0), (1, 3)] {
            assert!(progress.through(kernels, findings));
        }
        progress.bar.force_draw();
        let text = drawn(&paper);
        assert!(
            text.contains("3/40 files, 2 kernels, 3 findings, "),
            "{text}"
        );
        assert!(text.contains("s left"), "{text}");
        stop.request();
        assert!(!progress.through(0, 0));
        progress.bar.force_draw();
        assert!(drawn(&paper).contains("interrupted"), "{}", drawn(&paper));
        assert_eq!(progress.done(), 3);
    }

    #[test]
    fn one_file_is_not_counted() {
        let paper = Paper::default();
        let target = ProgressDrawTarget::term_like(Box::new(paper.clone()));
        let progress = Progress::on(target, Stop::default());
        progress.expect(1);
        assert!(progress.through(1, 0));
        assert!(!drawn(&paper).contains("files"), "{}", drawn(&paper));
    }
}
