//! CUDA that stands in the strings of other files: Python, notebooks, C++ that compiles at run time.
//!
//! A file gives parts. A part is a unit of its own: the texts that one call compiles, put together as the program would
//! (module `python` says how far its values are followed), or a string that holds a kernel and reaches no such call, as it stands. A
//! part is made of [`Piece`]s, each with the bytes of the file that it is written as, so that all places in reports are places of the
//! file itself. What is shown of the file is its text with everything but the part blanked out, byte for byte as long.
//!
//! **Holes.** Where the program puts in a value that is not known, a name stands that nothing defines: the analysis takes such a
//! name for a number that is equal in all threads, or for a type. That is an assumption about the file, and is told as one of
//! every launch of the part: a hole can be any text in truth. One in the place of a statement is a call of a function that nothing
//! defines, so that nothing is proved about its kernel; one in the place of declarations is left out, and that is told.
//!
//! **Accuracy.** Nothing is executed. A string that is put together in a way that is not followed is read as it stands, which is
//! told, too. Options of the compiler that are not known may define any name: a condition of the preprocessor that asks for one is not
//! decided, and that no other name of the text is one of them is told as an assumption. A file whose strings hold no `__global__` with a parenthesis behind it has no parts.

mod notebook;
mod python;
mod raw_strings;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use crate::preprocess::{Piece, SUBSTITUTE};

/// The longest text that is put together.
const LONGEST: usize = 1 << 20;

/// How assumptions end that say that not all of a text is known.
pub const UNKNOWN_TEXTS: [&str; 4] = [
    "which is not known, is not needed",
    "is a number or a type, the same in all threads",
    "is compiled as it stands",
    "which are not known, define nothing that is used",
];

/// How a file holds CUDA.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Host {
    /// It is CUDA or C++ itself, and its raw strings may be.
    Cpp,
    /// Strings of Python.
    Python,
    /// Cells of a notebook, and strings of Python in them.
    Notebook,
}

impl Host {
    /// Told by the name of a file.
    #[must_use]
    pub fn of(path: &Path) -> Host {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("py") => Host::Python,
            Some("ipynb") => Host::Notebook,
            _ => Host::Cpp,
        }
    }

    /// Whether a file is nothing to a compiler of CUDA but for its strings.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        self != Host::Cpp
    }
}

/// A value that is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// The name that stands for it; none where declarations may stand, which are left out.
    pub name: String,
    /// The expression that gives it.
    pub written: String,
    /// Where that stands.
    pub start: usize,
}

/// Options of the compiler that are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenOptions {
    /// The expression that gives them.
    pub written: String,
    /// Where it stands.
    pub start: usize,
}

/// A launch that the program around the strings makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostLaunch {
    /// The kernel; none where it is not known which.
    pub kernel: Option<String>,
    /// Whether it may be any kernel of the file, if it is not known which.
    pub is_any: bool,
    /// `blockDim`, if that is known.
    pub block: Option<[u64; 3]>,
    /// `gridDim`, if that is known.
    pub grid: Option<[u64; 3]>,
    /// The bytes of the call.
    pub range: Range<usize>,
}

/// A unit that stands in a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Part {
    /// Its text.
    pub pieces: Vec<Piece>,
    /// What of it is not known.
    pub holes: Vec<Hole>,
    /// Whether what is compiled may be more than this text: it was not followed into a call that compiles it.
    pub is_loose: bool,
    /// Options with which it is compiled and that are not known: whether a name is defined that it does not define itself is open.
    pub open_options: Option<OpenOptions>,
    /// Launches that the program makes of the kernels of all parts.
    pub launches: Vec<HostLaunch>,
    /// The cell of a notebook that it begins in, counted from 1 over cells of every kind.
    pub cell: Option<usize>,
}

/// Launches of one kernel that are told apart; where there are more, nothing is said of its launches.
const MOST_LAUNCHES: usize = 4;

impl Part {
    /// The launches of a kernel with known blocks, each size once; none if they are not all known. What was lowered for one launch is
    /// lowered again for the next.
    fn launches_of(&self, kernel: &str) -> Vec<&HostLaunch> {
        let mut found: Vec<&HostLaunch> = Vec::new();
        let own = |launch: &&HostLaunch| {
            launch.kernel.as_deref() == Some(kernel) || launch.is_any && launch.kernel.is_none()
        };
        for launch in self.launches.iter().filter(own) {
            if launch.block.is_none() || launch.kernel.is_none() {
                return Vec::new();
            }
            let is_same =
                |other: &&HostLaunch| (other.block, other.grid) == (launch.block, launch.grid);
            if !found.iter().any(is_same) {
                found.push(launch);
            }
        }
        match found.len() <= MOST_LAUNCHES {
            true => found,
            false => Vec::new(),
        }
    }

    /// How many times the part is to be read, so that each launch that is known has its turn.
    #[must_use]
    pub fn rounds(&self) -> usize {
        let kernels = self
            .launches
            .iter()
            .filter_map(|launch| launch.kernel.as_deref());
        let counts = kernels.map(|kernel| self.launches_of(kernel).len());
        counts.max().unwrap_or(1).max(1)
    }

    /// The launch of a kernel in a round.
    pub(crate) fn launch_in(&self, kernel: &str, round: usize) -> Option<&HostLaunch> {
        let all = self.launches_of(plain(kernel));
        all.get(round.min(all.len().saturating_sub(1))).copied()
    }

    /// Why nothing is known of the launches of a kernel that the program makes, if it makes any: the place of one.
    pub(crate) fn unread_launch(&self, kernel: &str) -> Option<&HostLaunch> {
        let kernel = plain(kernel);
        let may_be =
            |launch: &&HostLaunch| launch.kernel.as_deref().is_none_or(|name| name == kernel);
        let unknown = |launch: &&HostLaunch| launch.block.is_none();
        let all = || self.launches.iter().filter(may_be);
        all().find(unknown).or_else(|| all().next())
    }

    /// The text that is compiled.
    #[must_use]
    pub fn text(&self) -> String {
        self.pieces
            .iter()
            .map(|piece| piece.text.as_str())
            .collect()
    }

    /// The line of the file, from 1, in which a line of the text begins.
    #[must_use]
    pub fn line(&self, line: u32, bytes: &[u8]) -> u32 {
        let mut left = line.saturating_sub(1);
        let mut at = 0;
        'pieces: for piece in &self.pieces {
            at = piece.start as usize;
            let is_verbatim = piece.text.len() == (piece.end - piece.start) as usize;
            for (offset, byte) in piece.text.bytes().enumerate() {
                if left == 0 {
                    break 'pieces;
                }
                left -= u32::from(byte == b'\n');
                at = match is_verbatim {
                    true => piece.start as usize + offset + 1,
                    false => piece.end as usize,
                };
            }
        }
        let before = bytes.get(..at).unwrap_or(bytes);
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        u32::try_from(lines + 1).unwrap_or(u32::MAX)
    }

    /// The bytes of the file with everything else blanked out: as long, with the same line ends.
    #[must_use]
    pub fn visible(&self, bytes: &[u8]) -> Vec<u8> {
        let mut visible: Vec<u8> = bytes
            .iter()
            .map(|byte| match byte {
                b'\n' | b'\r' => *byte,
                byte if byte.is_ascii() => b' ',
                // Columns count characters.
                byte => *byte,
            })
            .collect();
        for piece in &self.pieces {
            let range = piece.start as usize..piece.end as usize;
            if let (Some(to), Some(from)) = (visible.get_mut(range.clone()), bytes.get(range)) {
                to.copy_from_slice(from);
            }
        }
        visible
    }
}

/// The parts of a file, in order.
#[must_use]
pub fn parts(host: Host, bytes: &[u8]) -> Vec<Part> {
    let word = b"__global__";
    if !bytes.windows(word.len()).any(|window| window == word) {
        return Vec::new();
    }
    // Places are bytes of the file: what is not UTF-8 is replaced byte for byte.
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| SUBSTITUTE));
    }
    if u32::try_from(text.len()).is_err() {
        return Vec::new();
    }
    match host {
        Host::Cpp => raw_strings::parts(&text),
        Host::Python => python::parts(&text),
        Host::Notebook => notebook::parts(&text),
    }
}

/// A text that the program makes: characters with the bytes that they are written as.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Run {
    text: String,
    range: Range<usize>,
    /// Of a value that is not known: its expression, and what tells it from others.
    hole: Option<(String, usize)>,
}

impl Run {
    fn of(text: impl Into<String>, range: Range<usize>) -> Run {
        Run {
            text: text.into(),
            range,
            hole: None,
        }
    }
}

/// Whether a text defines a kernel, for all that its words tell.
fn names_kernel(text: &str) -> bool {
    text.match_indices("__global__")
        .any(|(at, word)| text[at + word.len()..].contains('('))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Stands for a hole where its surroundings are looked at.
const MARK: char = '\u{1}';

/// What a hole is taken for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// A number, a type, or a part of a name.
    Name,
    /// Statements: nothing is known of what they do.
    Statement,
    /// Declarations outside of functions.
    Declaration,
}

/// What each hole of a text is taken for.
fn uses(marked: &str) -> Vec<Use> {
    let mut depth = 0i64;
    let mut found = Vec::new();
    for (at, character) in marked.char_indices() {
        match character {
            '{' => depth += 1,
            '}' => depth -= 1,
            MARK => {
                let blank: [char; 2] = [' ', '\t'];
                let rest = &marked[at + MARK.len_utf8()..];
                let next = rest.trim_start_matches(blank).chars().next();
                let line = marked[..at].trim_end_matches(blank).chars().next_back();
                let before = marked[..at].trim_end().chars().next_back();
                let ends = next.is_none_or(|next| matches!(next, '\n' | '\r' | MARK));
                let begins_line = line.is_none_or(|line| matches!(line, '\n' | '\r' | MARK));
                let is_pasted = rest.starts_with("__global__") || next == Some('#');
                let is_statement = matches!(before, Some(';' | '{' | '}' | ')' | ':' | MARK))
                    && (ends || matches!(next, Some(';' | '}')));
                found.push(if depth <= 0 && begins_line && (ends || is_pasted) {
                    Use::Declaration
                } else if depth > 0 && is_statement {
                    Use::Statement
                } else {
                    Use::Name
                });
            }
            _ => {}
        }
    }
    found
}

/// A part of these runs; none if it has no kernel.
fn part(runs: &[Run], is_loose: bool) -> Option<Part> {
    let marked: String = runs
        .iter()
        .map(|run| match run.hole {
            None => run.text.replace(MARK, " "),
            Some(_) => MARK.to_string(),
        })
        .collect();
    if !names_kernel(&marked) || marked.len() > LONGEST {
        return None;
    }
    let mut uses = uses(&marked).into_iter();
    let mut names: BTreeMap<(String, usize), String> = BTreeMap::new();
    let mut part = Part {
        is_loose,
        ..Part::default()
    };
    for run in runs {
        let text = match &run.hole {
            None => run.text.clone(),
            Some(hole) => {
                let taken =
                    |name: &str| marked.contains(name) || names.values().any(|other| other == name);
                let name = match names.get(hole) {
                    Some(name) => name.clone(),
                    None => hole_name(&hole.0, taken),
                };
                let is_new = names.insert(hole.clone(), name.clone()).is_none();
                let (text, is_told) = match uses.next() {
                    Some(Use::Statement) => (format!("{name}();"), is_new),
                    Some(Use::Declaration) => (String::new(), true),
                    _ => (name.clone(), is_new),
                };
                if is_told {
                    part.holes.push(Hole {
                        name: if text.is_empty() { String::new() } else { name },
                        written: hole.0.split_whitespace().collect::<Vec<_>>().join(" "),
                        start: run.range.start,
                    });
                }
                text
            }
        };
        let (Ok(start), Ok(end)) = (u32::try_from(run.range.start), u32::try_from(run.range.end))
        else {
            return None;
        };
        if !text.is_empty() {
            part.pieces.push(Piece { text, start, end });
        }
    }
    Some(part)
}

/// A kernel's name without namespaces and template arguments.
fn plain(kernel: &str) -> &str {
    let name = kernel.split('<').next().unwrap_or(kernel);
    name.rsplit("::").next().unwrap_or(name)
}

/// A name for a value that an expression gives.
fn hole_name(written: &str, taken: impl Fn(&str) -> bool) -> String {
    let mut name = "hole".to_owned();
    for word in written.split(|c: char| !c.is_ascii_alphanumeric() && c != '_') {
        if !word.is_empty() && name.len() < 40 {
            name.push('_');
            name.push_str(word);
        }
    }
    let plain = name.clone();
    let mut number = 1;
    while taken(&name) {
        number += 1;
        name = format!("{plain}_{number}");
    }
    name
}

#[cfg(test)]
mod tests;
