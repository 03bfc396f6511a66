//! A change of the source that was shown to mend a kernel: made, analysed again, and race-free.
//!
//! A [`Mend`] has the change twice: as edits, for programs that make it, and as lines before and after, for people who read it. Its
//! findings are those of one kernel, which it mends all together. A cause has no mend where none was proved.

use serde::{Deserialize, Serialize};

use crate::place::Place;

/// A change that leaves a kernel without races and without barrier divergence.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mend {
    /// What is replaced by what, by file and place; none touches another.
    pub edits: Vec<Edit>,
    /// Whether all of them lie within the definition of the kernel: no other kernel sees them.
    pub in_kernel: bool,
    /// The lines round the edits, before and after.
    pub hunks: Vec<Hunk>,
}

/// A piece of a file and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edit {
    /// What is replaced; empty where something is inserted.
    pub place: Place,
    /// The text that stands there now.
    pub was: String,
    /// The text that is to stand there.
    pub text: String,
}

/// Neighbouring lines of a file before and after.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hunk {
    /// The file.
    pub file: String,
    /// The first line, as it is counted before the change.
    pub line: u32,
    /// The lines.
    pub lines: Vec<HunkLine>,
}

/// A line of a hunk, without its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HunkLine {
    /// It stays.
    Same(String),
    /// It goes.
    Removed(String),
    /// It comes.
    Added(String),
}

impl Hunk {
    /// The lines behind a sign and the number that they have before the change.
    pub fn numbered(&self) -> impl Iterator<Item = (Option<u32>, char, &str)> {
        let mut line = self.line;
        self.lines.iter().map(move |own| match own {
            HunkLine::Added(text) => (None, '+', text.as_str()),
            HunkLine::Same(text) | HunkLine::Removed(text) => {
                let number = line;
                line += 1;
                let sign = match own {
                    HunkLine::Removed(_) => '-',
                    _ => ' ',
                };
                (Some(number), sign, text.as_str())
            }
        })
    }
}

impl Mend {
    /// The change in the unified format of `diff`.
    #[must_use]
    pub fn diff(&self) -> String {
        let mut out = String::new();
        let mut file = "";
        let mut shift = 0_i64;
        for hunk in &self.hunks {
            if hunk.file != file {
                file = &hunk.file;
                shift = 0;
                out.push_str(&format!("--- a/{file}\n+++ b/{file}\n"));
            }
            let count = |skip: char| {
                let lines = hunk.numbered().filter(|(_, sign, _)| *sign != skip);
                i64::try_from(lines.count()).unwrap_or(i64::MAX)
            };
            let (before, after) = (count('+'), count('-'));
            out.push_str(&format!(
                "@@ -{},{before} +{},{after} @@\n",
                hunk.line,
                i64::from(hunk.line) + shift
            ));
            shift += after - before;
            for (_, sign, text) in hunk.numbered() {
                out.push_str(&format!("{sign}{text}\n"));
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mend(line: u32) -> Mend {
        Mend {
            edits: Vec::new(),
            in_kernel: true,
            hunks: vec![Hunk {
                file: "a.cu".to_owned(),
                line,
                lines: vec![
                    HunkLine::Same("x".to_owned()),
                    HunkLine::Added("y".to_owned()),
                    HunkLine::Removed("z".to_owned()),
                    HunkLine::Added("w".to_owned()),
                ],
            }],
        }
    }

    #[test]
    fn the_diff_is_a_unified_one() {
        let mut two = mend(4);
        two.hunks.push(mend(20).hunks[0].clone());
        assert_eq!(
            two.diff(),
            "--- a/a.cu\n+++ b/a.cu\n@@ -4,2 +4,3 @@\n x\n+y\n-z\n+w\n@@ -20,2 +21,3 @@\n x\n+y\n-z\n+w\n"
        );
    }
}
