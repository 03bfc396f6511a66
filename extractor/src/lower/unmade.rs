//! Launches that stand in the text and are not made: behind a conditional that leaves them out, or where host code never comes.
//!
//! A kernel of which no launch is found is checked for any. Whether there is none, or one that this build leaves out, is another thing
//! to its author: the report says which (`its launch in line 40 of main.cu is left out by a conditional`).

use std::collections::BTreeMap;

use crate::preprocess::{NoteKind, Preprocessed};
use crate::syntax::ast::{Expr, ExprKind, Function, Unit};

use super::walk;

/// Most places that are named.
const MOST_PLACES: usize = 3;

/// The launches of a unit that are not made, in words, by the names of what they launch.
pub(super) struct Unmade {
    left_out: BTreeMap<String, Vec<String>>,
    unreached: BTreeMap<String, Vec<String>>,
}

impl Unmade {
    /// Of a unit whose launches were looked for: those that were found are not to be asked about.
    pub(super) fn of(pre: &Preprocessed, unit: &Unit) -> Unmade {
        let mut left_out: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for note in &pre.notes {
            if note.kind == NoteKind::InactiveLaunch {
                let place = place(pre, note.file, note.line);
                left_out.entry(note.text.clone()).or_default().push(place);
            }
        }
        let mut unreached: BTreeMap<String, Vec<String>> = BTreeMap::new();
        let mut visit = |expr: &Expr| {
            let ExprKind::Launch { kernel, .. } = &expr.kind else {
                return;
            };
            if let ExprKind::Name(name) = &kernel.kind {
                let range = expr.range.bytes();
                let found = pre.map.locate(range.start, range.end).place();
                let source = &pre.files[found.file as usize];
                let (line, _) = source.line_column(found.start);
                let places = unreached.entry(name.base.clone()).or_default();
                places.push(place(pre, found.file, line));
            }
        };
        for body in unit.functions.iter().filter_map(|one| one.body.as_ref()) {
            for stmt in &body.stmts {
                walk::each_expr(stmt, &mut visit);
            }
        }
        Unmade {
            left_out,
            unreached,
        }
    }

    /// What is said of a kernel of which no launch was found.
    pub(super) fn of_kernel(&self, kernel: &Function) -> Vec<String> {
        let mut told = Vec::new();
        for (known, why) in [
            (&self.left_out, "left out by a conditional"),
            (&self.unreached, "never reached"),
        ] {
            let Some(places) = known.get(&kernel.name) else {
                continue;
            };
            let (what, are) = match places.len() {
                1 => ("its launch", "is"),
                _ => ("its launches", "are"),
            };
            let more = match places.len().saturating_sub(MOST_PLACES) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            let places = places[..places.len().min(MOST_PLACES)].join(", ");
            told.push(format!(
                "any launch of `{}`, as {what} in {places}{more} {are} {why}",
                kernel.name
            ));
        }
        told
    }
}

fn place(pre: &Preprocessed, file: u32, line: u32) -> String {
    let name = pre.files[file as usize].path.file_name();
    match name {
        Some(name) if file > 0 => format!("line {line} of {}", name.to_string_lossy()),
        _ => format!("line {line}"),
    }
}
