//! One line a finding, for editors and for `grep`: `file:line:column: severity[rule]: headline [id]`, with the question of a
//! conditional finding before the id.
//!
//! Suppressed findings are notes, with the reason; costs, where they were asked for, follow the findings of their kernel. A kernel that stays undecided has a line too, so that silence means that everything was
//! decided; errors of the input come last.

use std::fmt::Write as _;

use crate::cost::Cost;
use crate::finding::{Finding, Kernel, Report};
use crate::judgement::Verdict;
use crate::meeting::Role;
use crate::printable::safe;
use crate::words::{headline, note_words};

/// Renders a report; empty if there is nothing to tell.
#[must_use]
pub fn render(report: &Report) -> String {
    let mut out = String::new();
    for kernel in &report.kernels {
        for finding in &kernel.findings {
            finding_line(&mut out, kernel, finding);
        }
        if matches!(kernel.verdict(), Verdict::Unknown | Verdict::Error) {
            undecided_line(&mut out, kernel);
        }
        for cost in kernel.costs.iter().flat_map(|costs| &costs.found) {
            cost_line(&mut out, cost);
        }
    }
    for error in &report.errors {
        let place = match (error.file.as_str(), error.line) {
            ("", _) => String::new(),
            (file, None) => format!("{}: ", safe(file)),
            (file, Some(line)) => format!("{}:{line}: ", safe(file)),
        };
        let _ = writeln!(out, "{place}error: {}", safe(&error.message));
    }
    out
}

fn finding_line(out: &mut String, kernel: &Kernel, finding: &Finding) {
    let (file, line, column) = match finding.locations.first() {
        Some(first) => (&first.place.file, first.place.line, first.place.column),
        None => (&kernel.file, kernel.line, 1),
    };
    let other = finding.locations.iter().find(|location| {
        let place = &location.place;
        place.file != *file || place.line != line
    });
    let other = match other {
        Some(location) => {
            let what = match location.role {
                Role::Condition => "condition",
                Role::Barrier => "barrier",
                Role::First | Role::Second | Role::Assertion => "other access",
            };
            let place = &location.place;
            if place.file == *file {
                format!(", {what} in line {}", place.line)
            } else {
                format!(", {what} at {}:{}", safe(&place.file), place.line)
            }
        }
        None => String::new(),
    };
    let (severity, suppressed) = match finding.suppressed_because() {
        Some(reason) => ("note", format!("; suppressed: {}", safe(reason))),
        None => (finding.severity().as_str(), String::new()),
    };
    let question = finding
        .question()
        .map_or_else(String::new, |question| format!("; {}", safe(&question)));
    let _ = writeln!(
        out,
        "{}:{line}:{column}: {severity}[{}]: {}{other}{question}{suppressed} [{}]",
        safe(file),
        finding.kind().rule_id(),
        headline(kernel, finding),
        finding.id
    );
}

/// The line of something that costs time.
fn cost_line(out: &mut String, cost: &Cost) {
    let place = &cost.place;
    let severity = match cost.suppressed {
        Some(_) => "note",
        None => "performance",
    };
    let _ = writeln!(
        out,
        "{}:{}:{}: {severity}[{}]: {} [{}]",
        safe(&place.file),
        place.line,
        place.column,
        cost.rule,
        cost.line(),
        cost.id
    );
}

fn undecided_line(out: &mut String, kernel: &Kernel) {
    let (severity, what) = match kernel.verdict() {
        Verdict::Error => ("error", "cannot be checked"),
        _ => ("note", "is not decided"),
    };
    let verdict = kernel.verdict().as_str();
    let launches = kernel.launches.iter();
    let reasons = launches.flat_map(|launch| launch.outcome.reasons());
    let reason = reasons
        .map(note_words)
        .next()
        .unwrap_or_else(|| "no launch was analysed".to_owned());
    let _ = writeln!(
        out,
        "{}:{}:1: {severity}[{verdict}]: `{}` {what}: {reason}",
        safe(&kernel.file),
        kernel.line,
        safe(&kernel.name)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn every_verdict_as_committed() {
        let mut report = sample::report();
        crate::id::finish(&mut report);
        let text = render(&report);
        expect_test::expect_file!["../tests-expected/concise.txt"].assert_eq(&text);
        assert_eq!(render(&Report::default()), "");
    }

    #[test]
    fn hostile_names_stay_on_their_line() {
        let mut report = sample::report();
        for kernel in &mut report.kernels {
            kernel.name = "a\nb\u{1b}[31m".to_owned();
            kernel.file = "x\r\n.cu".to_owned();
        }
        let before = render(&sample::report()).lines().count();
        let text = render(&report);
        assert_eq!(text.lines().count(), before);
        assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
    }
}
