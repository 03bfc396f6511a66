//! Remarks on writes that meet and leave the same bytes.

use std::collections::{BTreeMap, BTreeSet};

use warplog_facts::derived::CandidateRaceRow;
use warplog_facts::words::{AccessKind, PairScope, Scope};
use warplog_facts::{AccessId, Derived, Facts, LaunchId, TermId};
use warplog_report::Note;
use warplog_solver_bridge::{Decision, Session, Witness};

use super::derivation::solver_options;
use super::places::{Places, element_words};
use crate::options::AnalysisOptions;

/// The note on a race that is one only because `--report-benign` asks for it.
pub(super) const REPORTED: &str =
    "both write the same value, which is no race by itself: reported because of `--report-benign`";

/// The remarks on each launch, by the places of the first write.
pub(super) fn remarks(
    session: &mut Session,
    facts: &Facts,
    derived: &Derived,
    decision: &Decision,
    places: &Places<'_>,
    options: &AnalysisOptions,
) -> BTreeMap<LaunchId, BTreeSet<Note>> {
    let mut remarks: BTreeMap<LaunchId, BTreeSet<Note>> = BTreeMap::new();
    if options.report_benign {
        return remarks;
    }
    for found in session.benign(facts, derived, decision, &solver_options(options)) {
        let row = &found.candidate;
        let [first, second] =
            [row.first, row.second].map(|access| places.place(facts.access[access.index()].span));
        let array = &facts.array[facts.access[row.first.index()].array.index()];
        let element = found.witness.element.as_ref().map_or_else(
            || array.name.clone(),
            |element| element_words(facts, element),
        );
        let of = match row.scope {
            PairScope::Grid => "threads of different blocks",
            _ => "threads of a block",
        };
        let elsewhere = match (first.file == second.file, first.line == second.line) {
            (true, true) => String::new(),
            (true, false) => format!(", as in line {}", second.line),
            (false, _) => format!(", as in {}:{}", second.file, second.line),
        };
        let value = match found
            .witness
            .threads
            .each_ref()
            .map(|thread| thread.written)
        {
            [Some(one), Some(other)] if one == other => format!("{one}"),
            _ => "one value".to_owned(),
        };
        remarks.entry(row.launch).or_default().insert(Note {
            place: Some(first),
            text: format!(
                "benign: {of} write {value} to `{element}`{elsewhere}, which leaves the same bytes (`--report-benign` reports it)"
            ),
        });
    }
    remarks
}

/// Whether the writes of a race leave the same: their values are equal in the witness, or one term that all threads share.
pub(super) fn leave_the_same(
    facts: &Facts,
    derived: &Derived,
    candidate: &CandidateRaceRow,
    witness: &Witness,
) -> bool {
    let rows = [candidate.first, candidate.second].map(|id| &facts.access[id.index()]);
    if rows.iter().any(|row| row.kind != AccessKind::Write) || rows[0].bytes != rows[1].bytes {
        return false;
    }
    let [one, other] = witness.threads.each_ref();
    if let (Some(a), Some(b)) = (one.written, other.written) {
        return a == b && one.offset == other.offset;
    }
    let scope = match candidate.scope {
        PairScope::Grid => Scope::Grid,
        _ => Scope::Block,
    };
    let values = [candidate.first, candidate.second].map(|access| stored(facts, access));
    let is_shared = |value: &TermId| {
        let mut uniform = derived.uniform.iter();
        uniform.any(|row| row.term == *value && row.scope >= scope)
    };
    !values[0].is_empty() && values[0] == values[1] && values[0].iter().all(is_shared)
}

/// The values that a write stores: one, or those of an object's scalars.
fn stored(facts: &Facts, access: AccessId) -> Vec<TermId> {
    match facts.access[access.index()].value {
        Some(value) => vec![value],
        None => {
            let parts = facts.stored_part.iter();
            let own = parts.filter(|row| row.access == access);
            own.map(|row| row.value).collect()
        }
    }
}
