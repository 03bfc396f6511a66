//! Suppression by comment: `// warplog: allow data-race because each slot is claimed by one thread`.
//!
//! A comment behind code speaks of its line. One on a line of its own speaks of what follows: up to the first line that
//! ends a statement or opens a body, so that before a kernel it speaks of the whole kernel. A comment without a reason, or
//! with a rule that does not exist, suppresses nothing; the front end, which reads all annotations, tells what is wrong with it.
//!
//! **Accuracy.** Text is searched, not tokens: the words in a string literal count as well.

use serde::{Deserialize, Serialize};

use crate::finding::{Finding, FindingKind, Kernel};

/// A comment that suppresses findings, or means to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Allow {
    /// File, under its name in reports.
    pub file: String,
    /// Line of the comment.
    pub line: u32,
    /// First line that it speaks of.
    pub from: u32,
    /// Last line that it speaks of.
    pub to: u32,
    /// The rule as written.
    pub rule: String,
    /// What is suppressed.
    pub kind: FindingKind,
    /// Whether only races on shared memory (or, if false, only those on other memory) are.
    pub shared_memory: Option<bool>,
    /// Why.
    pub reason: String,
}

/// Lines that a comment of its own line can speak of.
const REACH: usize = 20;

/// The comments of a file.
#[must_use]
pub fn allows(file: &str, bytes: &[u8]) -> Vec<Allow> {
    if !bytes
        .windows(MARK.len())
        .any(|window| window == MARK.as_bytes())
    {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((before, rest)) = comment(line) else {
            continue;
        };
        let Some((rule, kind, shared_memory, reason)) = what(rest) else {
            continue;
        };
        let (from, to) = if before.trim().is_empty() {
            reach(&lines, index)
        } else {
            (index, index)
        };
        all.push(Allow {
            file: file.to_owned(),
            line: number(index),
            from: number(from),
            to: number(to),
            rule: rule.to_owned(),
            kind,
            shared_memory,
            reason: reason.to_owned(),
        });
    }
    all
}

const MARK: &str = "warplog:";

/// What stands before the slashes, and behind the mark.
fn comment(line: &str) -> Option<(&str, &str)> {
    let at = line.find(MARK)?;
    let before = line[..at].trim_end().strip_suffix("//")?;
    Some((before, line[at + MARK.len()..].trim()))
}

/// The lines that a comment on a line of its own speaks of, by index.
fn reach(lines: &[&str], comment: usize) -> (usize, usize) {
    let code = |line: &&str| {
        let line = line.trim();
        !line.is_empty() && !line.starts_with("//")
    };
    let Some(from) = (comment + 1..lines.len()).find(|&index| code(&lines[index])) else {
        return (comment, comment);
    };
    let last = (from + REACH).min(lines.len());
    let to = (from..last)
        .find(|&index| lines[index].contains([';', '{', '}']))
        .unwrap_or(from);
    (from, to)
}

fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// Rule, kind, memory and reason of `allow RULE because REASON`.
fn what(text: &str) -> Option<(&str, FindingKind, Option<bool>, &str)> {
    let rest = text.strip_prefix("allow")?;
    let (rule, reason) = rest.trim().split_once(char::is_whitespace)?;
    let (kind, shared_memory) = match rule {
        "shared-memory-race" => (FindingKind::DataRace, Some(true)),
        "global-memory-race" => (FindingKind::DataRace, Some(false)),
        other => (FindingKind::from_rule_id(other)?, None),
    };
    let reason = reason.trim().strip_prefix("because")?.trim();
    (!reason.is_empty()).then_some((rule, kind, shared_memory, reason))
}

impl Allow {
    /// The reason, if the comment speaks of a finding.
    #[must_use]
    pub fn suppresses(&self, kernel: &Kernel, finding: &Finding) -> Option<&str> {
        let covers =
            |file: &str, line: u32| file == self.file && (self.from..=self.to).contains(&line);
        let concerns = covers(&kernel.file, kernel.line)
            || finding
                .locations
                .iter()
                .any(|location| covers(&location.place.file, location.place.line));
        let on_memory = self.shared_memory.is_none() || self.shared_memory == finding.shared_memory;
        (self.kind == finding.kind && on_memory && concerns).then_some(self.reason.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoken(text: &str) -> Vec<(u32, u32, u32)> {
        allows("k.cu", text.as_bytes())
            .into_iter()
            .map(|allow| (allow.line, allow.from, allow.to))
            .collect()
    }

    #[test]
    fn a_comment_speaks_of_its_line_or_of_what_follows() {
        let text = "\
a[t] = 1; // warplog: allow data-race because of this
// warplog: allow data-race because of that

// a remark
b[t] =
    c[t];
// warplog: allow barrier-divergence because of hardware
__global__ void
k(int *p,
  int n) {
  // warplog: allow data-race because the file ends
";
        assert_eq!(
            spoken(text),
            [(1, 1, 1), (2, 5, 6), (7, 8, 10), (11, 11, 11)]
        );
    }

    #[test]
    fn what_is_wrong_allows_nothing() {
        for text in [
            "// warplog: allow data-race",
            "// warplog: allow data-race because",
            "// warplog: allow data_race because x",
            "// warplog: distinct idx",
            "see the manual of warplog: allow data-race because x",
        ] {
            assert_eq!(allows("k.cu", text.as_bytes()), [], "{text}");
        }
        assert_eq!(allows("k.cu", b"\xff\xfe // nothing"), []);
    }

    #[test]
    fn a_rule_may_name_the_memory() {
        let text = b"// warplog: allow shared-memory-race because it is benign\nx = 1;\n";
        let allow = &allows("k.cu", text)[0];
        let kernel = crate::sample::report().kernels[0].clone();
        let mut finding = crate::sample::race();
        for location in &mut finding.locations {
            location.place.file = "k.cu".to_owned();
            location.place.line = 2;
        }
        finding.shared_memory = Some(true);
        assert_eq!(allow.suppresses(&kernel, &finding), Some("it is benign"));
        finding.shared_memory = Some(false);
        assert_eq!(allow.suppresses(&kernel, &finding), None);
    }
}
