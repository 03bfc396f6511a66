//! What a unit is made of, beside its facts: which files it entered, what was missing, which kernels it leaves out.
//!
//! This is for reports on whole repositories; no verdict depends on it. The names before `<<<` are found by their tokens in
//! the expanded text, so that they are known also where the host code is not understood.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::lower::left_out;
use crate::preprocess::{Guess, NoteKind, Preprocessed, is_system_header};
use crate::syntax::ast::Unit;

/// What a unit is made of.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// The headers that were entered, in the order of their first use.
    pub headers: Vec<PathBuf>,
    /// Headers that were not found.
    pub missing: Vec<MissingHeader>,
    /// Headers that were found by guessing.
    pub guesses: Vec<Guess>,
    /// Names whose value an `#if` consulted and that nothing defines.
    pub undefined: BTreeSet<String>,
    /// Kernels in text that the conditionals leave out.
    pub inactive: Vec<InactiveKernel>,
    /// Last components of the names that stand before `<<<`.
    pub launched: BTreeSet<String>,
    /// Kernels of whose bodies the architecture that was taken leaves nothing.
    pub emptied: Vec<String>,
    /// Whether an `#error` is active in a unit that asks which architecture is taken.
    pub has_error: bool,
}

impl Summary {
    /// How much speaks against the architecture that was taken.
    pub fn misfit(&self) -> usize {
        self.emptied.len() + usize::from(self.has_error)
    }
}

/// A header that was not found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingHeader {
    /// Its name as written, without quotes.
    pub name: String,
    /// Whether it belongs to the system, the language or the CUDA toolkit.
    pub system: bool,
}

/// A kernel that the conditionals leave out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InactiveKernel {
    /// Its file; `None` for the main file of the unit.
    pub file: Option<PathBuf>,
    /// 1-based line of its `__global__`.
    pub line: u32,
    /// Its name; empty when it was not found.
    pub name: String,
}

/// Gathers the summary of a unit.
pub(crate) fn summary(pre: &Preprocessed, unit: &Unit) -> Summary {
    let mut summary = Summary {
        headers: pre
            .files
            .iter()
            .skip(2)
            .map(|file| file.path.clone())
            .collect(),
        guesses: pre.guesses.clone(),
        launched: launched(&pre.text),
        ..Summary::default()
    };
    if pre.architecture.is_some() {
        let emptied = unit.kernels().filter(|one| left_out(pre, one).is_some());
        summary.emptied = emptied.map(|kernel| kernel.name.clone()).collect();
        let mut notes = pre.notes.iter();
        summary.has_error = notes.any(|note| note.kind == NoteKind::ErrorDirective);
    }
    summary.guesses.sort();
    summary.guesses.dedup();
    for note in &pre.notes {
        match note.kind {
            NoteKind::MissingInclude => {
                let name = note.text.trim_matches(['<', '>', '"']).to_owned();
                summary.missing.push(MissingHeader {
                    system: is_system_header(&name),
                    name,
                });
            }
            NoteKind::UndefinedInIf => {
                summary.undefined.insert(note.text.clone());
            }
            NoteKind::InactiveKernel => {
                let file = pre.files.get(note.file as usize).filter(|_| note.file != 0);
                summary.inactive.push(InactiveKernel {
                    file: file.map(|file| file.path.clone()),
                    line: note.line,
                    name: note.text.clone(),
                });
            }
            _ => {}
        }
    }
    summary
}

/// The names before `<<<`, template arguments skipped.
fn launched(text: &str) -> BTreeSet<String> {
    text.match_indices("<<<")
        .filter_map(|(at, _)| name_before(text.get(..at)?))
        .collect()
}

/// How far back template arguments may begin.
const LONGEST_ARGUMENTS: usize = 2000;

/// The name at the end of a text: `k` of `ns::k <float, 4>`.
fn name_before(text: &str) -> Option<String> {
    let mut rest = text.trim_end();
    if rest.ends_with('>') {
        let mut depth = 0usize;
        let open = rest
            .bytes()
            .rev()
            .take(LONGEST_ARGUMENTS)
            .position(|byte| {
                match byte {
                    b'>' => depth += 1,
                    b'<' => depth -= 1,
                    _ => {}
                }
                depth == 0
            })?;
        rest = rest.get(..rest.len() - open - 1)?.trim_end();
    }
    let start = rest
        .char_indices()
        .rev()
        .take_while(|(_, character)| character.is_alphanumeric() || *character == '_')
        .last()?
        .0;
    rest.get(start..).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_before_launches() {
        let text = "k<<<1, 2>>>(p); ns::g<float, S<4>> <<<n, m>>>(); (*f)<<<1, 1>>>(); <<<";
        let names: Vec<String> = launched(text).into_iter().collect();
        assert_eq!(names, ["g", "k"]);
    }
}
