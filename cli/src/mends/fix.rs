//! Makes the changes that were proved: `warplog check --fix`.
//!
//! A change is made only where the file still is what was analysed: the text that it replaces and the lines round it stand where they
//! stood. Two changes of one place are never made both. What was proved of a kernel was proved with all else as it was; so changes
//! within the definitions of kernels are made together, as no kernel sees another's, and one that reaches into a function is made alone.
//! What is left is mended by the next round, which analyses the changed files first.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use warplog_report::Report;
use warplog_report::mend::{Edit, HunkLine, Mend};

use super::changes::{Change, Changes, bytes};
use crate::collect::reason;
use crate::output;

/// What was done.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Fixed {
    /// Files that were written.
    pub files: BTreeSet<String>,
    /// Kernels that were mended.
    pub kernels: usize,
    /// Why something was not done, in words.
    pub refused: BTreeSet<String>,
}

/// Makes the changes of a report.
pub(crate) fn make(report: &Report) -> Fixed {
    let mut fixed = Fixed::default();
    let mut wanted: Vec<(&Mend, usize)> = Vec::new();
    for kernel in &report.kernels {
        let mut findings = kernel.findings.iter();
        let counting = findings.find(|finding| finding.suppressed.is_none());
        let of_finding = counting.and_then(|finding| finding.mend.as_ref());
        // What helps has to help in every configuration: one that was not read may be another.
        let mut errors = report.errors.iter();
        let is_whole = !errors.any(|error| error.file == kernel.file);
        let costs = kernel.costs.iter().filter(|_| is_whole);
        let mut costs = costs.flat_map(|costs| &costs.found);
        let Some(mend) = of_finding.or_else(|| costs.find_map(|cost| cost.mend.as_ref())) else {
            continue;
        };
        match wanted.iter_mut().find(|(known, _)| *known == mend) {
            Some((_, kernels)) => *kernels += 1,
            None => wanted.push((mend, 1)),
        }
    }
    let alone: Vec<_> = wanted.iter().filter(|(mend, _)| mend.in_kernel).collect();
    let now: Vec<&(&Mend, usize)> = match alone.is_empty() {
        false => alone,
        true => wanted.iter().take(1).collect(),
    };
    let mut texts: BTreeMap<String, String> = BTreeMap::new();
    let mut all: BTreeMap<String, Changes> = BTreeMap::new();
    for (mend, kernels) in now {
        match with(&mut texts, &all, mend) {
            Ok(more) => {
                all = more;
                fixed.kernels += kernels;
            }
            Err(message) => {
                fixed.refused.insert(message);
            }
        }
    }
    for (file, changes) in &all {
        let written = texts.get(file).and_then(|text| changes.applied(file, text));
        let done = match written {
            Some(text) => {
                output::write(Path::new(file), text.as_bytes()).map_err(|error| reason(&error))
            }
            None => Err("its changes do not fit".to_owned()),
        };
        match done {
            Ok(()) => {
                fixed.files.insert(file.clone());
            }
            Err(message) => {
                fixed
                    .refused
                    .insert(format!("{file}: not changed: {message}"));
            }
        }
    }
    fixed
}

/// The changes with those of one more mend; nothing of it where something does not fit.
fn with(
    texts: &mut BTreeMap<String, String>,
    all: &BTreeMap<String, Changes>,
    mend: &Mend,
) -> Result<BTreeMap<String, Changes>, String> {
    let mut more = all.clone();
    for edit in &mend.edits {
        let file = &edit.place.file;
        if !texts.contains_key(file) {
            let text = fs::read_to_string(file)
                .map_err(|error| format!("{file}: not changed: {}", reason(&error)))?;
            texts.insert(file.clone(), text);
        }
        let text = texts.get(file).map_or("", String::as_str);
        let change = fitting(text, edit, mend).ok_or_else(|| {
            format!(
                "{file}: not changed: line {} is not what was analysed",
                edit.place.line
            )
        })?;
        let own = more.remove(file).unwrap_or_default();
        let both = own.beside(change).ok_or_else(|| {
            format!(
                "{file}: not changed: another change is made in line {}",
                edit.place.line
            )
        })?;
        more.insert(file.clone(), both);
    }
    Ok(more)
}

/// The edit as a change of the text, if the text is there as it was analysed.
fn fitting(text: &str, edit: &Edit, mend: &Mend) -> Option<Change> {
    let range = bytes(text, &edit.place)?;
    if text.get(range.clone())? != edit.was {
        return None;
    }
    let lines: Vec<&str> = text.lines().collect();
    for hunk in mend
        .hunks
        .iter()
        .filter(|hunk| hunk.file == edit.place.file)
    {
        let stood = hunk.lines.iter().filter_map(|line| match line {
            HunkLine::Same(line) | HunkLine::Removed(line) => Some(line.as_str()),
            HunkLine::Added(_) => None,
        });
        let first = usize::try_from(hunk.line).ok()?.checked_sub(1)?;
        if !stood.clone().eq(lines
            .iter()
            .skip(first)
            .copied()
            .take(stood.clone().count()))
        {
            return None;
        }
    }
    Some(Change::replace(&edit.place.file, range, edit.text.clone()))
}
