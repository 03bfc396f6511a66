//! From counts to relations: what is a join is a rule.
//!
//! The counts of [`crate::count`] are of single accesses and branches; what follows from them taken together is derived here.

use std::collections::BTreeMap;

use ascent::ascent;
use warplog_facts::words::CostAnswer;
use warplog_facts::{AccessId, PointId, TermId};

use crate::count::{Counted, Takes};

ascent! {
    struct Costs;
    /// A request of an access to shared memory takes so many turns; with false they are only a bound.
    relation turns(AccessId, u32, bool);
    /// A request of an access to global memory touches so many sectors of the fewest; with false it is only a bound.
    relation sectors(AccessId, u32, u32, bool);
    /// At a branch so many arrivals of so many diverge, with accesses on so many sides.
    relation arrivals(PointId, TermId, u64, u64, u32);

    // C1: the degree of an access is that of its worst request.
    lattice degree(AccessId, u32);
    degree(access, degree) <-- turns(access, degree, _);
    // C2: an access to shared memory conflicts if a request of it takes more than one turn.
    relation conflicts(AccessId);
    conflicts(access) <-- turns(access, degree, true), if *degree > 1;
    // C3: an access to global memory is not coalesced if a request of it touches more sectors than its bytes need.
    relation uncoalesced(AccessId);
    uncoalesced(access) <-- sectors(access, touched, fewest, true), if touched > fewest;
    // C4: a branch is divergent if lanes of a warp differ on it and both sides have accesses, or at least half of the warps differ.
    relation divergent(PointId, TermId);
    divergent(point, term) <-- arrivals(point, term, differ, _, sides), if *differ > 0 && *sides == 2;
    divergent(point, term) <-- arrivals(point, term, differ, all, _), if *differ > 0 && differ.saturating_mul(2) >= *all;
    // C5: what is only a bound is not told as a cost.
    relation cannot_tell(AccessId);
    cannot_tell(access) <-- turns(access, degree, false), if *degree > 1;
    cannot_tell(access) <-- sectors(access, _, _, false);
}

/// What the rules derive.
#[derive(Debug, Default)]
pub struct Joined {
    degrees: BTreeMap<AccessId, u32>,
    /// Accesses to shared memory with a conflict.
    pub conflicts: Vec<AccessId>,
    /// Accesses to global memory that touch too much.
    pub uncoalesced: Vec<AccessId>,
    /// Divergent branches.
    pub divergent: Vec<(PointId, TermId)>,
    /// Accesses of which nothing can be told.
    pub cannot_tell: Vec<AccessId>,
}

impl Joined {
    /// The degree of an access to shared memory.
    #[must_use]
    pub fn degree(&self, access: AccessId) -> u32 {
        self.degrees.get(&access).copied().unwrap_or(0)
    }
}

/// Applies the rules.
#[must_use]
pub fn join(counted: &Counted) -> Joined {
    let mut program = Costs::default();
    for count in &counted.counts {
        let told = count.answer != CostAnswer::CannotTell;
        match count.takes {
            Takes::Shared(turns) => program.turns.push((count.access, turns.degree, told)),
            Takes::Global(touched) => {
                let touched_at_least = if count.is_excess {
                    touched.sectors
                } else {
                    touched.fewest
                };
                program
                    .sectors
                    .push((count.access, touched_at_least, touched.fewest, told));
            }
        }
    }
    for branch in &counted.branches {
        let sides = if branch.serialised() == 0 { 1 } else { 2 };
        program.arrivals.push((
            branch.point,
            branch.term,
            branch.divergent,
            branch.arriving,
            sides,
        ));
    }
    program.run();
    let mut joined = Joined {
        degrees: program.degree.iter().copied().collect(),
        conflicts: program
            .conflicts
            .into_iter()
            .map(|(access,)| access)
            .collect(),
        uncoalesced: program
            .uncoalesced
            .into_iter()
            .map(|(access,)| access)
            .collect(),
        divergent: program.divergent,
        cannot_tell: program
            .cannot_tell
            .into_iter()
            .map(|(access,)| access)
            .collect(),
    };
    joined.conflicts.sort_unstable();
    joined.uncoalesced.sort_unstable();
    joined.divergent.sort_unstable();
    joined.cannot_tell.sort_unstable();
    joined
}
