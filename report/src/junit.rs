//! JUnit XML, for build servers: a suite a file, a test case a kernel.
//!
//! There is no standard; this is the common core that readers of such files agree on. A kernel with findings that make the
//! run fail is a failure, an undecided one is skipped with the reason (or a failure, where that makes the run fail), one whose
//! launch contradicts its assumptions is an error, and so is an input that could not be read. Other findings, suppressed ones among
//! them, and costs are output of their test case. Times are those of the files, where they were counted.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::finding::{Finding, InputError, Kernel, Report};
use crate::judgement::Verdict;
use crate::printable::{counted, replaced};
use crate::verdict::FailOn;
use crate::words::{finding_notes, headline, help, label, note_words};

/// What a suite holds.
#[derive(Default)]
struct Suite<'a> {
    kernels: Vec<&'a Kernel>,
    errors: Vec<&'a InputError>,
}

/// Renders the report of a run that fails on these findings.
#[must_use]
pub fn render(report: &Report, fail_on: FailOn) -> String {
    let mut suites: BTreeMap<&str, Suite<'_>> = BTreeMap::new();
    for kernel in &report.kernels {
        suites.entry(&kernel.file).or_default().kernels.push(kernel);
    }
    for error in &report.errors {
        suites.entry(&error.file).or_default().errors.push(error);
    }
    let mut times: BTreeMap<&str, u64> = BTreeMap::new();
    for timing in &report.timings {
        let micros: u64 = timing.phases.iter().map(|(_, micros)| micros).sum();
        *times.entry(&timing.file).or_default() += micros;
    }
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let mut body = String::new();
    let mut totals = [0usize; 4];
    for (file, suite) in &suites {
        let mut cases = String::new();
        let mut counts = [0usize; 4];
        for kernel in &suite.kernels {
            let (nth, case) = kernel_case(kernel, fail_on);
            counts[0] += 1;
            if let Some(nth) = nth {
                counts[nth] += 1;
            }
            cases.push_str(&case);
        }
        for error in &suite.errors {
            counts[0] += 1;
            counts[2] += 1;
            cases.push_str(&error_case(error));
        }
        let time = times.get(file).copied().unwrap_or(0);
        let time = if report.timings.is_empty() {
            String::new()
        } else {
            format!(" time=\"{}.{:06}\"", time / 1_000_000, time % 1_000_000)
        };
        let _ = writeln!(
            body,
            "  <testsuite name=\"{}\" {}{time}>",
            attribute(if file.is_empty() { "warplog" } else { file }),
            tallies(counts)
        );
        body.push_str(&cases);
        body.push_str("  </testsuite>\n");
        for (total, count) in totals.iter_mut().zip(counts) {
            *total += count;
        }
    }
    let _ = writeln!(out, "<testsuites name=\"warplog\" {}>", tallies(totals));
    out.push_str(&body);
    out.push_str("</testsuites>\n");
    out
}

fn tallies([tests, failures, errors, skipped]: [usize; 4]) -> String {
    format!("tests=\"{tests}\" failures=\"{failures}\" errors=\"{errors}\" skipped=\"{skipped}\"")
}

/// The case of a kernel, and which tally besides that of the tests it counts in.
fn kernel_case(kernel: &Kernel, fail_on: FailOn) -> (Option<usize>, String) {
    let open: Vec<&Finding> = kernel
        .findings
        .iter()
        .filter(|finding| fail_on.counts(finding))
        .collect();
    let reasons = || {
        let launches = kernel.launches.iter();
        let all = launches.flat_map(|launch| launch.outcome.reasons());
        let all: Vec<String> = all.map(note_words).collect();
        if all.is_empty() {
            "no reason was recorded".to_owned()
        } else {
            all.join("\n")
        }
    };
    let (nth, inner) = if let Some(first) = open.first() {
        let message = match open.len() {
            1 => headline(kernel, first),
            more => format!(
                "{} and {}",
                headline(kernel, first),
                counted(more - 1, "other finding", "other findings")
            ),
        };
        let mut inner = format!(
            "      <failure message=\"{}\" type=\"{}\">",
            attribute(&message),
            first.kind().rule_id()
        );
        for (nth, finding) in open.iter().enumerate() {
            if nth > 0 {
                inner.push_str("\n\n");
            }
            details(&mut inner, kernel, finding);
        }
        inner.push_str("</failure>\n");
        (Some(1), inner)
    } else {
        match kernel.verdict() {
            Verdict::Unknown if fail_on == FailOn::Unknown => (
                Some(1),
                format!(
                    "      <failure message=\"{}\" type=\"unknown\"/>\n",
                    attribute(&reasons())
                ),
            ),
            Verdict::Unknown => (
                Some(3),
                format!("      <skipped message=\"{}\"/>\n", attribute(&reasons())),
            ),
            Verdict::Error => (
                Some(2),
                format!(
                    "      <error message=\"{}\" type=\"contradiction\"/>\n",
                    attribute(&reasons())
                ),
            ),
            _ => (None, String::new()),
        }
    };
    let mut inner = inner;
    harmless(&mut inner, kernel, fail_on);
    let head = format!(
        "    <testcase classname=\"{}\" name=\"{}\" file=\"{}\" line=\"{}\"",
        attribute(&kernel.file),
        attribute(&kernel.name),
        attribute(&kernel.file),
        kernel.line
    );
    let case = if inner.is_empty() {
        format!("{head}/>\n")
    } else {
        format!("{head}>\n{inner}    </testcase>\n")
    };
    (nth, case)
}

/// Adds the findings that fail nothing, with the reasons of those that are suppressed.
fn harmless(out: &mut String, kernel: &Kernel, fail_on: FailOn) {
    let mut known = kernel
        .findings
        .iter()
        .filter(|finding| !fail_on.counts(finding))
        .peekable();
    let costs: Vec<String> = kernel
        .costs
        .iter()
        .flat_map(|costs| &costs.found)
        .map(|cost| {
            let place = format!("{}:{}", cost.place.file, cost.place.line);
            let line = cost.line();
            text(&format!(
                "{place}: performance[{}]: {line} [{}]",
                cost.rule, cost.id
            ))
        })
        .collect();
    if known.peek().is_none() && costs.is_empty() {
        return;
    }
    out.push_str("      <system-out>");
    let mut first = true;
    for finding in known {
        if !first {
            out.push_str("\n\n");
        }
        first = false;
        details(out, kernel, finding);
    }
    if !first && !costs.is_empty() {
        out.push_str("\n\n");
    }
    out.push_str(&costs.join("\n"));
    out.push_str("</system-out>\n");
}

/// Adds what is told of a finding, a line each, as content.
fn details(out: &mut String, kernel: &Kernel, finding: &Finding) {
    let _ = write!(
        out,
        "{} [{}]",
        text(&headline(kernel, finding)),
        text(&finding.id)
    );
    for location in &finding.locations {
        let place = &location.place;
        let _ = write!(
            out,
            "\n  {}:{}:{}: {}",
            text(&place.file),
            place.line,
            place.column,
            text(&label(finding, location))
        );
    }
    for note in finding_notes(kernel, finding) {
        out.push_str("\n  ");
        out.push_str(&text(&note));
    }
    if let Some(help) = help(finding) {
        let _ = write!(out, "\n  {}", text(&help.replace('\n', "\n  ")));
    }
}

fn error_case(error: &InputError) -> String {
    let file = if error.file.is_empty() {
        "warplog"
    } else {
        &error.file
    };
    format!(
        "    <testcase classname=\"{0}\" name=\"reading\">\n      <error message=\"{1}\" type=\"input\"/>\n    </testcase>\n",
        attribute(file),
        attribute(&match error.line {
            Some(line) => format!("line {line}: {}", error.message),
            None => error.message.clone(),
        })
    )
}

/// The text as the value of an attribute; line ends are kept as references, which readers do not fold.
fn attribute(value: &str) -> String {
    let text = text(value);
    match text.contains(['"', '\n', '\t']) {
        true => text
            .replace('"', "&quot;")
            .replace('\n', "&#10;")
            .replace('\t', "&#9;"),
        false => text,
    }
}

/// The text as content: what XML 1.0 cannot hold becomes a replacement character.
pub(crate) fn text(value: &str) -> String {
    replaced(value, |character| match character {
        '&' => Some("&amp;"),
        '<' => Some("&lt;"),
        '>' => Some("&gt;"),
        '\n' | '\t' => None,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{fffe}' | '\u{ffff}' => Some("\u{fffd}"),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judgement::{Certainty, Severity};
    use crate::sample;

    #[test]
    fn every_verdict_has_its_case() {
        let mut report = sample::report();
        crate::id::finish(&mut report);
        let xml = render(&report, FailOn::Potential);
        let tree = roxmltree::Document::parse(&xml).expect("is XML");
        let count = |name: &str| {
            tree.descendants()
                .filter(|node| node.has_tag_name(name))
                .count()
        };
        let root = tree.root_element();
        assert_eq!(
            root.attribute("tests"),
            Some(count("testcase").to_string().as_str())
        );
        assert_eq!(
            root.attribute("failures"),
            Some(count("failure").to_string().as_str())
        );
        assert_eq!(
            root.attribute("errors"),
            Some(count("error").to_string().as_str())
        );
        assert_eq!(
            root.attribute("skipped"),
            Some(count("skipped").to_string().as_str())
        );
        assert_eq!(
            count("testcase"),
            report.kernels.len() + report.errors.len()
        );
        let failing = report.kernels.iter().filter(|kernel| {
            let mut findings = kernel.findings.iter();
            findings.any(|finding| {
                finding.suppressed.is_none() && finding.severity() >= Severity::Warning
            })
        });
        assert_eq!(count("failure"), failing.count());
        for node in tree
            .descendants()
            .filter(|node| node.has_tag_name("skipped"))
        {
            let message = node.attribute("message").expect("a message");
            assert!(message.contains("budget"), "{message}");
        }
    }

    #[test]
    fn what_fails_no_run_fails_no_case() {
        let mut report = sample::report();
        for finding in report
            .kernels
            .iter_mut()
            .flat_map(|kernel| &mut kernel.findings)
        {
            finding.certainty = Certainty::Potential;
        }
        crate::id::finish(&mut report);
        assert!(!render(&report, FailOn::Confirmed).contains("<failure"));
        assert!(render(&report, FailOn::Potential).contains("<failure"));
        let unknown = "type=\"unknown\"";
        assert!(!render(&report, FailOn::Potential).contains(unknown));
        assert!(render(&report, FailOn::Unknown).contains(unknown));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_well_formed_and_survives(name in "(\\PC|[\t\n\"<>&'\u{0}-\u{1f}]){0,60}") {
            let mut report = sample::report();
            for kernel in &mut report.kernels {
                kernel.name.clone_from(&name);
            }
            let xml = render(&report, FailOn::Potential);
            let tree = roxmltree::Document::parse(&xml).expect("is XML");
            let clean: String = name
                .chars()
                .map(|c| if c.is_control() && c != '\n' && c != '\t' || c > '\u{fffd}' && c < '\u{10000}' { '\u{fffd}' } else { c })
                .collect();
            let found = tree
                .descendants()
                .filter(|node| node.has_tag_name("testcase"))
                .filter(|node| node.attribute("name") == Some(clean.as_str()));
            proptest::prop_assert!(found.count() >= report.kernels.len());
        }
    }
}
