//! What a process has used so far, as Linux tells it in `/proc`.

use std::fs;
use std::time::Duration;

/// Processor time and memory of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Usage {
    /// Of all its threads, also of those that have ended.
    pub processor: Duration,
    /// Resident and swapped, in bytes.
    pub memory: u64,
}

/// What a process uses; none if it is gone, or if the system does not tell.
pub(super) fn usage(process: u32) -> Option<Usage> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    Some(Usage {
        processor: processor(&stat)?,
        memory: memory(&status)?,
    })
}

/// Ticks of the clock in which `/proc` counts: a constant of the interface, whatever the kernel's own clock does.
const TICKS_PER_SECOND: u64 = 100;

/// The 14th and 15th word of `stat`. The second is the name of the program in parentheses, which may hold anything.
fn processor(stat: &str) -> Option<Duration> {
    let (_, rest) = stat.rsplit_once(')')?;
    let mut words = rest.split_whitespace().skip(11);
    let user: u64 = words.next()?.parse().ok()?;
    let system: u64 = words.next()?.parse().ok()?;
    let ticks = user.checked_add(system)?;
    Some(Duration::from_millis(
        ticks.checked_mul(1000 / TICKS_PER_SECOND)?,
    ))
}

/// `VmRSS` and `VmSwap`, in KiB. A process that has ended has neither.
fn memory(status: &str) -> Option<u64> {
    let of = |name: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().strip_suffix("kB")?.trim().parse().ok()
    };
    let resident = of("VmRSS:")?;
    resident
        .checked_add(of("VmSwap:").unwrap_or(0))?
        .checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_words_of_proc_are_read() {
        let stat = "12 (a) b (c) R 1 12 12 0 -1 4194304 100 0 0 0 250 50 0 0 20 0 1 0 5 6 7";
        assert_eq!(processor(stat), Some(Duration::from_secs(3)));
        assert_eq!(processor("12 (a) R 1"), None);
        let status = "Name:\ta\nVmRSS:\t    2048 kB\nVmSwap:\t  1024 kB\n";
        assert_eq!(memory(status), Some(3 << 20));
        assert_eq!(memory("VmRSS:\t 1 kB\n"), Some(1024));
        assert_eq!(memory("Name:\tzombie\n"), None);
        assert_eq!(memory("VmRSS:\t 18446744073709551615 kB\n"), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_uses_something() {
        let usage = usage(std::process::id()).expect("usage");
        assert!(usage.memory > 1 << 16, "{usage:?}");
    }
}
