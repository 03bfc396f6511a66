//! Writes of one value to the same bytes, which are no race, and remarked on.
//!
//! **Algorithm.** A pair of writes of which the rules say that both write the same (D4), or for which the solver found no
//! conflict, is asked about again without regard to the values, as far as propagation and a search for small models go. Of
//! the pairs of two places in the source one is told.
//!
//! **Accuracy.** A pair that is told meets: its witness has been replayed. That none is told says nothing.

use facts::derived::*;
use facts::words::*;
use facts::*;
use rustc_hash::FxHashSet;
use warplog_facts as facts;

use crate::Options;
use crate::decide::{Candidate, Verdict};
use crate::index::Index;
use crate::outcome::*;
use crate::query::LaunchRanges;
use crate::solve::{Backend, Wanted};

/// The rule that discharges writes of one value.
const SAME_VALUE: &str = "same-value";

/// Nodes that the search for one pair looks at, as a part of what a candidate's does.
const SHARE: u64 = 4;

/// The pairs of writes to ask about, by launch.
pub(crate) fn questions(
    facts: &Facts,
    derived: &Derived,
    decision: &Decision,
) -> Vec<CandidateRaceRow> {
    let discharged = derived
        .discarded_race
        .iter()
        .filter(|row| row.rule == SAME_VALUE)
        .map(|row| row.as_candidate(LockStep::Loose));
    let of_parts: FxHashSet<AccessId> = facts.stored_part.iter().map(|row| row.access).collect();
    let compared = |row: &CandidateRaceRow| {
        [row.first, row.second].iter().all(|id| {
            let access = &facts.access[id.index()];
            let has_value = access.value.is_some() || of_parts.contains(id);
            access.kind == AccessKind::Write && has_value
        })
    };
    let disjoint = decision
        .races
        .iter()
        .filter(|outcome| matches!(outcome.answer, RaceAnswer::Disjoint { .. }))
        .map(|outcome| outcome.candidate.clone())
        .filter(compared);
    let mut rows: Vec<CandidateRaceRow> = discharged.chain(disjoint).collect();
    rows.sort_unstable();
    rows
}

/// Those of the pairs of one launch that meet. The index reports benign writes.
pub(crate) fn met<'a>(
    index: &'a Index<'a>,
    options: &Options,
    rows: &'a [CandidateRaceRow],
) -> Vec<BenignWrites> {
    let Some(launch) = rows.first().map(|row| row.launch) else {
        return Vec::new();
    };
    let options = Options {
        search_work: options.search_work / SHARE,
        cases_work: options.cases_work / SHARE,
        ..options.clone()
    };
    let mut backend = Backend::with_steps(options.precondition_steps);
    let ranges = LaunchRanges::new(index, launch);
    let mut told: FxHashSet<[SpanId; 2]> = FxHashSet::default();
    let mut found = Vec::new();
    for row in rows {
        let places = [row.first, row.second].map(|id| index.facts.access[id.index()].span);
        if told.contains(&places) || backend.meter.left == 0 || options.stop.is_requested() {
            continue;
        }
        let candidate = Candidate::Race(row);
        let Err(mut progress) = candidate.begin(&mut backend, index, &ranges, false) else {
            continue;
        };
        progress.wanted = Wanted::Rough;
        // Up to the solver, which is not asked.
        let decided = candidate.advance(&mut backend, &options, index, &ranges, &mut progress);
        if let Some(Verdict::Found(_, replayed)) = decided.map(|decided| decided.verdict) {
            told.insert(places);
            found.push(BenignWrites {
                candidate: row.clone(),
                witness: replayed.witness,
            });
        }
    }
    found
}
