//! The command line and the time of a run, for the page that is looked at long after it.
//!
//! A page of the same report is the same to the byte where `SOURCE_DATE_EPOCH` is set, as for builds that can be reproduced: it
//! carries neither then. The date of a number of days is that of the Gregorian calendar, by H. Hinnant, "chrono-Compatible Low-Level
//! Date Algorithms" (2021), `civil_from_days`.

use std::env;
use std::ffi::OsString;
use std::time::{SystemTime, UNIX_EPOCH};

use warplog_report::html::Made;

/// How a page comes to be, if it may say so.
pub(crate) fn of(arguments: &[OsString]) -> Option<Made> {
    if env::var_os("SOURCE_DATE_EPOCH").is_some() {
        return None;
    }
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(Made {
        command: command(arguments),
        date: date(seconds),
    })
}

/// The day, `2026-01-02`; that of `SOURCE_DATE_EPOCH` where it is set.
pub(crate) fn today() -> String {
    let given = env::var("SOURCE_DATE_EPOCH").ok();
    let given = given.and_then(|text| text.parse().ok());
    let now = || SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let seconds = given.or_else(|| Some(now()?.as_secs())).unwrap_or_default();
    date(seconds).chars().take(10).collect()
}

/// The command line as a shell would take it. The program goes by its own name, wherever it was started from.
fn command(arguments: &[OsString]) -> String {
    let mut words = vec!["warplog".to_owned()];
    for word in arguments.iter().skip(1) {
        let word = word.to_string_lossy();
        let plain = |c: char| c.is_alphanumeric() || "-_./=,:+@%".contains(c);
        words.push(if !word.is_empty() && word.chars().all(plain) {
            word.into_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        });
    }
    words.join(" ")
}

/// `2026-01-02 03:04 UTC`.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let of_era = shifted % 146_097;
    let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 {
        shifted_month + 3
    } else {
        shifted_month - 9
    };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    let (hour, minute) = (rest / 3_600, rest % 3_600 / 60);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(4_107_542_400), "2100-03-01 00:00 UTC");
    }

    #[test]
    fn a_command_line_can_be_given_to_a_shell() {
        let words = [
            "/usr/bin/warplog",
            "check",
            "a b.cu",
            "--assume",
            "n > 0",
            "it's",
        ];
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        assert_eq!(
            command(&words),
            "warplog check 'a b.cu' --assume 'n > 0' 'it'\\''s'"
        );
    }
}
