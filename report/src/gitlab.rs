//! GitLab's code-quality report, a list of issues: what merge requests show beside the lines.
//!
//! GitLab compares the report of a branch with that of its target by fingerprints, so that a merge request shows what it brings. An issue is
//! a finding that counts: suppressed ones are none, as the format has no place for why. A kernel that is not decided is one of the lowest
//! severity, so that silence is not taken for a proof; an input that could not be analysed is one of the highest. Paths start from the
//! root of the project ([`Report::identities`]). Costs, where they were counted, are minor.

use serde::Serialize;

use crate::finding::{Finding, Kernel, Report};
use crate::fnv::Fnv;
use crate::indented;
use crate::judgement::{Certainty, Severity, Verdict};
use crate::printable::safe;
use crate::words::{finding_notes, headline, note_words};

/// An entry of the list.
#[derive(Debug, Serialize)]
struct Issue {
    description: String,
    check_name: String,
    fingerprint: String,
    severity: &'static str,
    location: Location,
    content: Option<Content>,
    categories: [&'static str; 1],
}

#[derive(Debug, Serialize)]
struct Location {
    path: String,
    lines: Lines,
}

#[derive(Debug, Serialize)]
struct Lines {
    begin: u32,
    end: u32,
}

#[derive(Debug, Serialize)]
struct Content {
    body: String,
}

/// Renders a report.
///
/// # Errors
/// Only if serialisation itself fails, which needs memory to run out.
pub fn render(report: &Report) -> Result<String, serde_json::Error> {
    let path = |file: &str| {
        let name = report.identities.get(file).map_or(file, String::as_str);
        match name {
            "" => ".".to_owned(),
            name => safe(name),
        }
    };
    let mut issues: Vec<Issue> = Vec::new();
    for kernel in &report.kernels {
        let counting = kernel
            .findings
            .iter()
            .filter(|one| one.suppressed.is_none());
        issues.extend(counting.map(|finding| of_finding(kernel, finding, &path)));
        if matches!(kernel.verdict(), Verdict::Unknown | Verdict::Error) {
            issues.push(undecided(kernel, &path));
        }
        let costs = kernel.costs.iter().flat_map(|costs| &costs.found);
        for cost in costs.filter(|cost| cost.suppressed.is_none()) {
            issues.push(Issue {
                description: safe(&cost.line()),
                check_name: cost.rule.clone(),
                fingerprint: print(&["cost", &cost.id]),
                severity: "minor",
                location: location(path(&cost.place.file), cost.place.line, cost.place.end_line),
                content: None,
                categories: ["Performance"],
            });
        }
    }
    for error in &report.errors {
        let line = error.line.unwrap_or(1);
        issues.push(Issue {
            description: safe(&error.message),
            check_name: "input".to_owned(),
            fingerprint: print(&["input", &path(&error.file), &error.message]),
            severity: "blocker",
            location: location(path(&error.file), line, line),
            content: None,
            categories: ["Bug Risk"],
        });
    }
    // What is equal in all is told apart by its number.
    let mut seen: std::collections::BTreeMap<String, u32> = std::collections::BTreeMap::new();
    for issue in &mut issues {
        let count = seen.entry(issue.fingerprint.clone()).or_default();
        *count += 1;
        if *count > 1 {
            issue.fingerprint = print(&[&issue.fingerprint, &count.to_string()]);
        }
    }
    indented::render(&issues)
}

fn location(path: String, begin: u32, end: u32) -> Location {
    let begin = begin.max(1);
    Location {
        path,
        lines: Lines {
            begin,
            end: end.max(begin),
        },
    }
}

fn of_finding(kernel: &Kernel, finding: &Finding, path: &impl Fn(&str) -> String) -> Issue {
    let place = finding.locations.first().map(|first| &first.place);
    let (file, begin, end) = place
        .map_or((kernel.file.as_str(), kernel.line, kernel.line), |place| {
            (place.file.as_str(), place.line, place.end_line)
        });
    let severity = match (finding.severity(), finding.certainty) {
        (Severity::Error, _) => "critical",
        (Severity::Warning, Certainty::Potential) => "minor",
        (Severity::Warning, _) => "major",
        (Severity::Note, _) => "info",
    };
    Issue {
        description: headline(kernel, finding),
        check_name: finding.kind().rule_id().to_owned(),
        fingerprint: print(&["finding", &finding.fingerprint]),
        severity,
        location: location(path(file), begin, end),
        content: Some(Content {
            body: finding_notes(kernel, finding).join("\n\n"),
        }),
        categories: ["Bug Risk"],
    }
}

fn undecided(kernel: &Kernel, path: &impl Fn(&str) -> String) -> Issue {
    let (severity, what) = match kernel.verdict() {
        Verdict::Error => ("blocker", "cannot be checked"),
        _ => ("info", "is not decided"),
    };
    let launches = kernel.launches.iter();
    let mut reasons = launches.flat_map(|launch| launch.outcome.reasons());
    let reason = reasons
        .next()
        .map_or_else(|| "no launch was analysed".to_owned(), note_words);
    Issue {
        description: format!("`{}` {what}: {reason}", safe(&kernel.name)),
        check_name: kernel.verdict().as_str().to_owned(),
        fingerprint: print(&["kernel", &path(&kernel.file), &kernel.name]),
        severity,
        location: location(path(&kernel.file), kernel.line, kernel.line),
        content: None,
        categories: ["Bug Risk"],
    }
}

/// A hash over words, as readers of the format expect one.
fn print(words: &[&str]) -> String {
    let mut hash = Fnv::new();
    for word in words {
        hash.text(word);
    }
    format!("{:016x}", hash.0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::*;
    use crate::sample;

    /// What GitLab's manual asks of the file, written down as a schema.
    const SCHEMA: &str = include_str!("../tests-schemas/gitlab-code-quality.json");

    fn issues(report: &Report) -> Vec<Value> {
        let text = render(report).expect("renders");
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
        let validator = jsonschema::validator_for(&schema).expect("a schema");
        let wrong: Vec<String> = validator
            .iter_errors(&value)
            .map(|error| error.to_string())
            .collect();
        assert_eq!(wrong, Vec::<String>::new(), "{text}");
        value.as_array().expect("a list").clone()
    }

    #[test]
    fn every_verdict_follows_the_schema() {
        let mut report = sample::report();
        crate::id::finish(&mut report);
        let issues = issues(&report);
        let prints: BTreeSet<&str> = issues
            .iter()
            .filter_map(|one| one["fingerprint"].as_str())
            .collect();
        assert_eq!(prints.len(), issues.len(), "fingerprints are unique");
        let severities: BTreeSet<&str> = issues
            .iter()
            .filter_map(|one| one["severity"].as_str())
            .collect();
        for wanted in ["critical", "info", "blocker"] {
            assert!(severities.contains(wanted), "{severities:?}");
        }
        let suppressed = report
            .kernels
            .iter()
            .flat_map(|kernel| &kernel.findings)
            .filter(|one| one.suppressed.is_some());
        let all: usize = report
            .kernels
            .iter()
            .map(|kernel| kernel.findings.len())
            .sum();
        let findings = issues
            .iter()
            .filter(|one| one["content"].is_object())
            .count();
        assert_eq!(findings, all - suppressed.count());
        assert!(super::render(&Report::default()).expect("renders").trim() == "[]");
    }

    #[test]
    fn lines_that_move_leave_the_fingerprint() {
        let mut report = sample::report();
        crate::id::finish(&mut report);
        let before = issues(&report);
        for finding in report
            .kernels
            .iter_mut()
            .flat_map(|kernel| &mut kernel.findings)
        {
            for location in &mut finding.locations {
                location.place.line += 7;
                location.place.end_line += 7;
            }
        }
        let prints = |issues: &[Value]| -> Vec<Value> {
            issues
                .iter()
                .map(|issue| issue["fingerprint"].clone())
                .collect()
        };
        assert_eq!(prints(&before), prints(&issues(&report)));
    }
}
