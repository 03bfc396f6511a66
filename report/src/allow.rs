//! Suppression by comment: `// warplog: allow data-race because each slot is claimed by one thread`.
//!
//! A comment behind code speaks of its line. One on a line of its own speaks of what follows: up to the first line that
//! ends a statement or opens a body, so that before a kernel it speaks of the whole kernel. A comment without a reason, or
//! with a rule that does not exist, suppresses nothing; the front end, which reads all annotations, tells what is wrong with it.
//!
//! Several rules stand with commas between them. `/* warplog: allow … */` says the same, and the case of the name and its colon do not
//! matter. A line may have several comments, and a reason may go on below: up to `*/`, or in the `//` comments directly below that begin
//! with a small letter or are indented more.
//!
//! In a Python file `# warplog: allow …` says it as well.
//!
//! **Accuracy.** Text is searched, not tokens: the words in a string literal count as well.

use super::suppression::Allow;
use crate::cost::Cost;
use crate::finding::{Finding, Kernel};
use crate::findings::{FindingKind, cost_kind};

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
    let mut text = String::from_utf8_lossy(bytes);
    if file.ends_with(".py") {
        text = of_python(&text).into();
    }
    let lines: Vec<&str> = text.lines().collect();
    let mut all = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let (alone, found) = comments(line);
        for comment in found {
            let (text, last) = continued(&lines, index, &comment);
            let Some((meanings, reason)) = what(&text) else {
                continue;
            };
            let (from, to) = if alone {
                reach(&lines, index, last)
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
    }
    all
}

/// The text of a Python file with its comments of ours as those of CUDA, line for line.
fn of_python(text: &str) -> String {
    let line = |line: &str| match line.find('#') {
        Some(at) if marked(&line[at + 1..]).is_some() => {
            format!("{}//{}", &line[..at], &line[at + 1..])
        }
        _ => line.to_owned(),
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    lines.join("\n")
}

const NAME: &str = "warplog";

/// A comment of a line that begins with our name.
struct Comment<'t> {
    /// What stands behind the name, up to the end of the line at most.
    text: &'t str,
    /// Where its end is.
    end: End,
}

/// How a comment ends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// On its line, with `*/` or because another of ours follows.
    Here,
    /// With its line, `//`; the next line may be a comment that goes on with it.
    Line,
    /// On a line below, `/*`.
    Below,
}

/// Whether comments have the line for themselves, and those of them that begin with our name.
fn comments(line: &str) -> (bool, Vec<Comment<'_>>) {
    let (mut alone, mut found) = (true, Vec::new());
    let mut rest = line;
    loop {
        let starts = [rest.find("//"), rest.find("/*")];
        let Some(at) = starts.into_iter().flatten().min() else {
            alone &= rest.trim().is_empty();
            return (alone, found);
        };
        let (before, comment) = rest.split_at(at);
        alone &= before.trim().is_empty();
        let (opening, inside) = comment.split_at(2);
        if opening == "//" {
            // A second one of ours may stand in it.
            let next = inside
                .match_indices("//")
                .map(|(at, _)| at)
                .find(|&at| marked(&inside[at + 2..]).is_some());
            let (own, behind) = inside.split_at(next.unwrap_or(inside.len()));
            let end = match next {
                Some(_) => End::Here,
                None => End::Line,
            };
            found.extend(marked(own).map(|text| Comment { text, end }));
            rest = behind;
        } else {
            let (own, behind, end) = match inside.split_once("*/") {
                Some((own, behind)) => (own, behind, End::Here),
                None => (inside, "", End::Below),
            };
            found.extend(marked(own).map(|text| Comment { text, end }));
            rest = behind;
        }
    }
}

/// The whole text of a comment that begins on a line, and the line of its end. What is behind `//` goes on in the comments
/// directly below that begin with a small letter or are indented more than it.
fn continued(lines: &[&str], index: usize, comment: &Comment<'_>) -> (String, usize) {
    let mut text = comment.text.to_owned();
    let mut last = index;
    let mut add = |part: &str| {
        if !part.is_empty() {
            text.push(' ');
            text.push_str(part);
        }
    };
    match comment.end {
        End::Here => {}
        End::Line => {
            for line in lines.iter().skip(index + 1) {
                let Some(inside) = line.trim_start().strip_prefix("//") else {
                    break;
                };
                let part = inside.trim();
                let goes_on = part.starts_with(char::is_lowercase) || inside.starts_with("   ");
                if !goes_on || part.is_empty() || marked(inside).is_some() {
                    break;
                }
                add(part);
                last += 1;
            }
        }
        End::Below => {
            for line in lines.iter().skip(index + 1).take(REACH) {
                last += 1;
                let (part, closed) = match line.split_once("*/") {
                    Some((part, _)) => (part, true),
                    None => (*line, false),
                };
                add(part.trim().trim_start_matches('*').trim());
                if closed {
                    break;
                }
            }
        }
    }
    (text, last)
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

/// The lines that a comment on lines of its own speaks of, by index; `last` is its last line.
fn reach(lines: &[&str], comment: usize, last: usize) -> (usize, usize) {
    let code = |line: &&str| {
        let line = line.trim();
        let comment = line.starts_with("//") || (line.starts_with("/*") && line.ends_with("*/"));
        !line.is_empty() && !comment
    };
    let Some(from) = (last + 1..lines.len()).find(|&index| code(&lines[index])) else {
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

/// The kind of finding that a name in a suppression means, none for a kind of cost, and whether only races on shared memory (or only
/// those on other memory) are meant.
#[must_use]
pub fn meant(rule: &str) -> Option<(Option<FindingKind>, Option<bool>)> {
    if cost_kind(rule).is_some() {
        return Some((None, None));
    }
    let (kind, memory) = FindingKind::named(rule)?;
    Some((Some(kind), memory))
}

/// A rule as written, the kind of finding that it means, and the memory.
type Meaning<'t> = (&'t str, Option<FindingKind>, Option<bool>);

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
        let on_memory =
            self.shared_memory.is_none() || self.shared_memory == finding.shared_memory();
        (self.kind == Some(finding.kind()) && on_memory && concerns).then_some(self.reason.as_str())
    }

    /// The reason, if the comment speaks of a cost.
    #[must_use]
    pub fn silences(&self, kernel: &Kernel, cost: &Cost) -> Option<&str> {
        let covers =
            |file: &str, line: u32| file == self.file && (self.from..=self.to).contains(&line);
        let concerns =
            covers(&kernel.file, kernel.line) || covers(&cost.place.file, cost.place.line);
        (self.kind.is_none() && self.rule == cost.rule && concerns).then_some(self.reason.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

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

    fn reasons(text: &str) -> Vec<(String, String, u32, u32)> {
        allows("k.cu", text.as_bytes())
            .into_iter()
            .map(|allow| (allow.rule, allow.reason, allow.from, allow.to))
            .collect()
    }

    #[test]
    fn a_line_may_have_several_comments() {
        let race = |from| ("data-race".to_owned(), "of this".to_owned(), from, from);
        let barrier = |from| {
            (
                "barrier-divergence".to_owned(),
                "of that".to_owned(),
                from,
                from,
            )
        };
        for text in [
            "x = 1; // warplog: allow data-race because of this // warplog: allow barrier-divergence because of that",
            "x = 1; /* warplog: allow data-race because of this */ // warplog: allow barrier-divergence because of that",
            "/* warplog: allow data-race because of this */ x = 1; /* warplog: allow barrier-divergence because of that */",
        ] {
            assert_eq!(reasons(text), [race(1), barrier(1)], "{text}");
        }
        let alone = "/* warplog: allow data-race because of this */ /* warplog: allow barrier-divergence because of that */\nx = 1;\n";
        assert_eq!(reasons(alone), [race(2), barrier(2)]);
        let link = "x = 1; // warplog: allow data-race because of https://example.org/race";
        assert_eq!(reasons(link)[0].1, "of https://example.org/race");
    }

    #[test]
    fn a_reason_may_go_on_below() {
        let race = |reason: &str, line| [("data-race".to_owned(), reason.to_owned(), line, line)];
        for (text, reason, line) in [
            (
                "// warplog: allow data-race because each slot\n// is claimed by one thread\nx = 1;\n",
                "each slot is claimed by one thread",
                3,
            ),
            (
                "// warplog: allow data-race because\n//     Bob says so\n//   on Mondays\nx = 1;\n",
                "Bob says so on Mondays",
                4,
            ),
            (
                "x = 1; // warplog: allow data-race because each slot\n       // is claimed\ny = 1;\n",
                "each slot is claimed",
                1,
            ),
            (
                "/* warplog: allow data-race because each slot\n * is claimed\n */\nx = 1;\n",
                "each slot is claimed",
                4,
            ),
            (
                "// warplog: allow data-race because it is benign\n// Adds numbers.\nx = 1;\n",
                "it is benign",
                3,
            ),
            (
                "// warplog: allow data-race because it is benign\n//\n// and so on\nx = 1;\n",
                "it is benign",
                4,
            ),
            (
                "// warplog: allow data-race because it is benign\n// warplog: distinct p\nx = 1;\n",
                "it is benign",
                3,
            ),
        ] {
            assert_eq!(reasons(text), race(reason, line), "{text}");
        }
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
        let mut finding = sample::race();
        for location in &mut finding.locations {
            location.place.file = "k.cu".to_owned();
            location.place.line = 2;
        }
        sample::race_of(&mut finding).shared_memory = true;
        assert_eq!(allow.suppresses(&kernel, &finding), Some("it is benign"));
        sample::race_of(&mut finding).shared_memory = false;
        assert_eq!(allow.suppresses(&kernel, &finding), None);
    }
}
