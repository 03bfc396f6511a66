//! Suppression by comment: `// warplog: allow data-race because each slot is claimed by one thread`.
//!
//! A comment behind code speaks of its line. One on a line of its own speaks of what follows: up to the first line that
//! ends a statement or opens a body, so that before a kernel it speaks of the whole kernel. A comment without a reason, or
//! with a rule that does not exist, suppresses nothing; the front end, which reads all annotations, tells what is wrong with it.
//!
//! Several rules stand with commas between them. `/* warplog: allow … */` on one line says the same, and the case of the name and its colon do not matter.
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
        .windows(NAME.len())
        .any(|window| window.eq_ignore_ascii_case(NAME.as_bytes()))
    {
        return Vec::new();
    }
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let Some((alone, rest)) = comment(line) else {
            continue;
        };
        let Some((meanings, reason)) = what(rest) else {
            continue;
        };
        let (from, to) = if alone {
            reach(&lines, index)
        } else {
            (index, index)
        };
        all.extend(
            meanings
                .into_iter()
                .map(|(rule, kind, shared_memory)| Allow {
                    file: file.to_owned(),
                    line: number(index),
                    from: number(from),
                    to: number(to),
                    rule: rule.to_owned(),
                    kind,
                    shared_memory,
                    reason: reason.to_owned(),
                }),
        );
    }
    all
}

const NAME: &str = "warplog";

/// Whether the comment has the line for itself, and what stands behind our name.
fn comment(line: &str) -> Option<(bool, &str)> {
    let mut from = 0;
    loop {
        let rest = line.get(from..)?;
        let starts = [rest.find("//"), rest.find("/*")];
        let at = from + starts.into_iter().flatten().min()?;
        let before = line.get(..at)?;
        let inside = line.get(at + 2..)?;
        let (inside, behind) = if line.get(at..)?.starts_with("//") {
            (inside, None)
        } else {
            let (inside, behind) = inside.split_once("*/").unwrap_or((inside, ""));
            (inside, Some(behind))
        };
        if let Some(text) = marked(inside) {
            let alone = before.trim().is_empty() && behind.unwrap_or("").trim().is_empty();
            return Some((alone, text));
        }
        from = line.len() - behind?.len();
    }
}

/// What stands behind our name, if a comment begins with it.
fn marked(comment: &str) -> Option<&str> {
    let comment = comment.trim();
    let rest = comment.get(NAME.len()..)?;
    let named = comment.get(..NAME.len())?.eq_ignore_ascii_case(NAME);
    let text = rest.trim_start();
    let text = match text.strip_prefix(':') {
        Some(text) => text.trim_start(),
        None if text.len() < rest.len() => text,
        None => return None,
    };
    named.then_some(text)
}

/// The lines that a comment on a line of its own speaks of, by index.
fn reach(lines: &[&str], comment: usize) -> (usize, usize) {
    let code = |line: &&str| {
        let line = line.trim();
        let comment = line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"));
        !line.is_empty() && !comment
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

/// The kind of finding that a name in a suppression means, and whether only races on shared memory (or only those on other memory)
/// are meant.
#[must_use]
pub fn meant(rule: &str) -> Option<(FindingKind, Option<bool>)> {
    Some(match rule {
        "shared-memory-race" => (FindingKind::DataRace, Some(true)),
        "global-memory-race" => (FindingKind::DataRace, Some(false)),
        other => (FindingKind::from_rule_id(other)?, None),
    })
}

/// A rule as written, the kind of finding that it means, and the memory.
type Meaning<'t> = (&'t str, FindingKind, Option<bool>);

/// The rules and the reason of `allow RULE, RULE because REASON`.
fn what(text: &str) -> Option<(Vec<Meaning<'_>>, &str)> {
    let rest = text
        .strip_prefix("allow")?
        .strip_prefix(char::is_whitespace)?;
    let (rules, reason) = rest.split_once("because")?;
    let meanings: Option<Vec<Meaning<'_>>> = rules
        .split(',')
        .map(|rule| {
            let (kind, shared_memory) = meant(rule.trim())?;
            Some((rule.trim(), kind, shared_memory))
        })
        .collect();
    let reason = reason.trim();
    Some((meanings?, reason)).filter(|_| !reason.is_empty())
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
    fn several_rules_are_told_apart() {
        let text = "x = 1; // warplog: allow data-race, barrier-divergence because of the hardware";
        let found: Vec<(String, String)> = allows("k.cu", text.as_bytes())
            .into_iter()
            .map(|allow| (allow.rule, allow.reason))
            .collect();
        let one = |rule: &str| (rule.to_owned(), "of the hardware".to_owned());
        assert_eq!(found, [one("data-race"), one("barrier-divergence")]);
    }

    #[test]
    fn what_is_wrong_allows_nothing() {
        for text in [
            "// warplog: allow data-race",
            "// warplog: allow data-race because",
            "// warplog: allow data_race because x",
            "// warplog: allow data-race, because x",
            "// warplog: allow data-race barrier-divergence because x",
            "// warplog: allow because x",
            "// warplog: distinct idx",
            "// warplogs: allow data-race because x",
            "/* see warplog: allow data-race because x */",
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
