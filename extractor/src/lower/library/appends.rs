//! What one lane draws from a counter for all lanes that are together.
//!
//! `if (g.thread_rank() == 0) k = atomicAdd(c, g.size()); k = g.shfl(k, 0) + g.thread_rank();`, and the same with the lanes of
//! `__activemask()`, or those of a vote of the whole warp (A. Adinetz, *Optimized filtering with warp-aggregated atomics*, 2014):
//! each lane has a number of its own.
//!
//! **Recognition.** The value that is handed round is what an atomic operation found that added the size of the group, and 0
//! or anything else where the lane is not the leader: the one that all lanes ask, of which there is one in the group. The
//! counter is the same for all lanes of the group.
//!
//! **Accuracy.** The shuffle must stand under the same conditions and in the same loops as what brought the lanes together or
//! let them vote: all of them come to it, and both are done equally often. The lane that is asked must be one of them: the lowest
//! of the mask is, lane 0 is one of a whole warp; of those that voted it may be none, and lane 31 may not be there at all.

use warplog_facts::{
    AccessId, CType, GroupTicketRow, LanesTogetherRow, LoopId, Op, TermId, UnknownId,
};

use super::super::body::Lowerer;
use crate::syntax::ast::Range;

/// Lanes that are together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Together {
    /// How many lanes below this one are in it.
    pub(super) rank: TermId,
    /// How many there are.
    pub(super) size: TermId,
    /// The same as unknowns without bounds.
    unknowns: [TermId; 2],
    /// A number that all lanes in it have in common.
    label: Option<TermId>,
    /// Which they are, if told by a mask.
    mask: Option<TermId>,
}

/// The conditions and the loops around a place.
type Standing = (Vec<(TermId, bool)>, Vec<LoopId>);

/// A drawing for a group.
struct Drawn {
    access: AccessId,
    rank: TermId,
    size: TermId,
    member: Option<TermId>,
    label: Option<TermId>,
}

impl Lowerer<'_, '_> {
    /// Lanes that are together here.
    pub(super) fn lanes_together(
        &mut self,
        label: Option<TermId>,
        mask: Option<TermId>,
        range: Range,
    ) -> Together {
        let rank = "rank in a group of coalesced threads";
        let size = "size of a group of coalesced threads";
        let unknowns = [rank, size].map(|name| self.unknown(name, range, CType::U32, true));
        let together = Together {
            rank: self.clamped(unknowns[0], 0, 31),
            size: self.clamped(unknowns[1], 1, 32),
            unknowns,
            label,
            mask,
        };
        self.together.push(together);
        together
    }

    /// All lanes of a warp that are together here.
    pub(super) fn all_lanes_together(&mut self, mask: Option<TermId>, range: Range) -> Together {
        let together = self.lanes_together(None, mask, range);
        let [rank, size] = together
            .unknowns
            .map(|term| self.facts.terms.get(term).unknown());
        if let (Some(rank), Some(size)) = (rank, size) {
            self.facts
                .relations
                .lanes_together
                .push(LanesTogetherRow { rank, size, mask });
        }
        together
    }

    /// Forgets groups of which an unknown is one of a trial.
    pub(crate) fn forget_together(&mut self, unknown: TermId) {
        let is_part = |one: &Together| one.unknowns.contains(&unknown) || one.mask == Some(unknown);
        self.together.retain(|one| !is_part(one));
    }

    /// The group that has this size.
    pub(super) fn together_of_size(&self, size: TermId) -> Option<Together> {
        let size = self.uncast(size);
        self.together.iter().copied().find(|one| one.size == size)
    }

    /// The group that this mask names.
    pub(super) fn together_by(&self, mask: TermId) -> Option<Together> {
        let mask = self.uncast(mask);
        self.together
            .iter()
            .copied()
            .find(|one| one.mask == Some(mask))
    }

    /// Tells what is known of a value that is handed round by the lane `from`, among those that a mask names.
    pub(super) fn hand_round(
        &mut self,
        value: TermId,
        from: TermId,
        (result, mask): (TermId, Option<TermId>),
        range: Range,
    ) {
        if self.has_copies {
            return;
        }
        let Some(base) = self.facts.terms.get(self.uncast(result)).unknown() else {
            return;
        };
        if let Some(drawn) = self.drawn_for_group(value, (from, mask), range)
            && self.is_common(drawn.access, drawn.label)
        {
            let Drawn {
                access,
                rank,
                size,
                member,
                ..
            } = drawn;
            self.facts.relations.group_ticket.push(GroupTicketRow {
                base,
                access,
                rank,
                size,
                member,
            });
        }
    }

    fn drawn_for_group(
        &mut self,
        value: TermId,
        (from, mask): (TermId, Option<TermId>),
        range: Range,
    ) -> Option<Drawn> {
        let mask = mask.map(|mask| self.uncast(mask));
        let (condition, found) = self.chosen(value)?;
        let steps = &self.facts.relations.atomic_step;
        let row = steps.iter().find(|row| row.unknown == found)?;
        let (access, step, times) = (row.access, row.step, self.uncast(row.times?));
        if step != 1 {
            return None;
        }
        if let Some(group) = self.together_of_size(times) {
            let made = self.facts.terms.get(group.unknowns[0]).unknown()?;
            if !self.is_where(made, None) {
                return None;
            }
            let leads = match group.mask {
                Some(own) => {
                    mask == Some(own)
                        && self.is_lowest(from, own)
                        && self.is_own_lane(condition, from)
                }
                None => self.is_zero(from) && self.is_zero_of(condition, group.rank),
            };
            return leads.then_some(Drawn {
                access,
                rank: group.rank,
                size: times,
                member: None,
                label: group.label,
            });
        }
        let unknown = self.facts.terms.get(times).unknown()?;
        let votes = &self.facts.relations.vote_rank;
        let row = votes.iter().find(|row| row.unknown == unknown)?;
        let vote = row.vote;
        // Of all lanes.
        let is_whole = self.facts.terms.as_const(row.lane) == Some(32);
        let votes = *self
            .ballots
            .keys()
            .find(|&&term| self.facts.terms.get(term).unknown() == Some(vote))?;
        let voted = is_whole
            .then(|| self.ballots.get(&votes).copied())
            .flatten()?;
        let is_lowest = self.is_lowest(from, votes) && self.is_own_lane(condition, from);
        let whole = self.facts.terms.constant(0xffff_ffff, CType::U32);
        let mask = self.facts.terms.cast(mask?, CType::U32);
        let leads = if mask == whole {
            // Lane 0 is there in every warp, others only in whole ones.
            let is_first = self.is_zero(from) && self.is_lane(condition, 0);
            (is_first || is_lowest) && self.is_where(vote, None)
        } else {
            // Those that voted go on, under what they voted: lane 0 may be none of them.
            is_lowest && self.uncast(mask) == votes && self.is_where(vote, Some(voted))
        };
        if !leads {
            return None;
        }
        let lane = self.lane_in_warp();
        let rank = self.votes_below(votes, (lane, voted), range)?;
        Some(Drawn {
            access,
            rank,
            size: times,
            member: Some(voted),
            label: None,
        })
    }

    /// What an atomic found, and the condition under which a value is that.
    fn chosen(&self, value: TermId) -> Option<((TermId, bool), UnknownId)> {
        let terms = &self.facts.terms;
        let found = |term: TermId| {
            let unknown = terms.get(self.uncast(term)).unknown()?;
            let steps = &self.facts.relations.atomic_step;
            steps
                .iter()
                .any(|row| row.unknown == unknown)
                .then_some(unknown)
        };
        let row = terms.get(self.uncast(value));
        let (Op::Ite, &[condition, one, other]) = (row.op, row.args.as_slice()) else {
            // Whoever did not draw has nothing: the variable was not set before.
            let unknown = found(value)?;
            let (guards, loops) = self.conditions_of(unknown)?;
            let (&last, before) = guards.split_last()?;
            let here = before == self.path() && loops == self.sorted_loops();
            return here.then_some((last, unknown));
        };
        match (found(one), found(other)) {
            (Some(unknown), None) => Some(((condition, true), unknown)),
            (None, Some(unknown)) => Some(((condition, false), unknown)),
            _ => None,
        }
    }

    /// The two sides of an equality that the condition is.
    fn equality(&self, (term, value): (TermId, bool)) -> Option<[TermId; 2]> {
        let row = self.facts.terms.get(term);
        match (row.op, row.args.as_slice()) {
            (Op::Not, &[arg]) => self.equality((arg, !value)),
            (Op::Eq, &[one, other]) if value => Some([one, other]),
            (Op::Ne, &[one, other]) if !value => Some([one, other]),
            _ => None,
        }
    }

    fn is_zero(&self, term: TermId) -> bool {
        self.facts.terms.as_const(self.uncast(term)) == Some(0)
    }

    /// Whether the condition is that the term is 0.
    fn is_zero_of(&self, condition: (TermId, bool), term: TermId) -> bool {
        let Some([one, other]) = self.equality(condition) else {
            return false;
        };
        let is_term = |side: TermId| self.uncast(side) == term;
        is_term(one) && self.is_zero(other) || is_term(other) && self.is_zero(one)
    }

    /// Whether the condition is that the own lane is the one that is asked.
    fn is_own_lane(&mut self, condition: (TermId, bool), from: TermId) -> bool {
        let Some([one, other]) = self.equality(condition) else {
            return false;
        };
        let from = self.uncast(from);
        let lane = match (self.uncast(one) == from, self.uncast(other) == from) {
            (true, false) => other,
            (false, true) => one,
            _ => return false,
        };
        let lanes = self.by_lane(lane);
        lanes.is_some_and(|lanes| (0u32..).zip(lanes).all(|(at, own)| own == Some(at)))
    }

    /// Whether the condition holds in this lane and in no other.
    fn is_lane(&mut self, (term, value): (TermId, bool), lane: i128) -> bool {
        let lanes = self.by_lane(term);
        lanes.is_some_and(|lanes| {
            let mut lanes = (0i128..).zip(lanes);
            lanes.all(|(at, holds)| holds == Some(u32::from((at == lane) == value)))
        })
    }

    /// Whether the lane that is asked is the lowest one in a mask.
    fn is_lowest(&self, from: TermId, mask: TermId) -> bool {
        let terms = &self.facts.terms;
        let row = terms.get(self.uncast(from));
        let (of, by) = match (row.op, row.args.as_slice()) {
            (Op::Sub, &[of, by]) => (of, terms.as_const(by)),
            (Op::Add, &[of, by]) => (of, terms.as_const(by).map(|by| -by)),
            _ => return false,
        };
        let first = terms.get(self.uncast(of));
        by == Some(1)
            && first.op == Op::Ffs
            && first
                .args
                .first()
                .is_some_and(|&arg| self.uncast(arg) == mask)
    }

    /// Whether this place is executed exactly as often as that of an unknown, by those for which a condition holds.
    fn is_where(&self, unknown: UnknownId, holds: Option<TermId>) -> bool {
        let Some((guards, loops)) = self.conditions_of(unknown) else {
            return false;
        };
        let path = self.path();
        let same = match (holds, path.split_last()) {
            (None, _) => path == guards,
            (Some(holds), Some((&last, before))) => {
                before == guards && self.plain(last) == self.plain((holds, true))
            }
            (Some(_), None) => false,
        };
        same && loops == self.sorted_loops()
    }

    /// Whether an unknown stands under the conditions and in the loops of this place.
    pub(super) fn is_where_made(&self, term: TermId) -> bool {
        let unknown = self.facts.terms.get(self.uncast(term)).unknown();
        unknown.is_some_and(|unknown| self.is_where(unknown, None))
    }

    /// Whether the lanes of a group come here that were together where it was made, as far as is known.
    pub(super) fn are_still_together(&self, size: TermId) -> bool {
        let group = self.together_of_size(size);
        group.is_some_and(|group| self.is_where_made(group.unknowns[0]))
    }

    /// The conditions and the loops that an unknown stands in.
    fn conditions_of(&self, unknown: UnknownId) -> Option<Standing> {
        let relations = &self.facts.relations;
        let point = relations.unknown.get(unknown.index())?.point;
        let guards = relations.guard_at.iter().filter(|row| row.point == point);
        let mut guards: Vec<_> = guards
            .map(|row| (row.position, row.term, row.polarity))
            .collect();
        guards.sort_unstable();
        let guards = guards
            .iter()
            .map(|&(_, term, polarity)| (term, polarity))
            .collect();
        let loops = relations.loop_at.iter().filter(|row| row.point == point);
        let mut loops: Vec<_> = loops.map(|row| row.loop_id).collect();
        loops.sort_unstable();
        Some((guards, loops))
    }

    fn sorted_loops(&self) -> Vec<LoopId> {
        let mut loops = self.loops.clone();
        loops.sort_unstable();
        loops
    }

    /// A condition that is not a negation, and whether it holds.
    fn plain(&self, (term, holds): (TermId, bool)) -> (TermId, bool) {
        let row = self.facts.terms.get(term);
        match (row.op, row.args.as_slice()) {
            (Op::Not, &[inner]) => self.plain((inner, !holds)),
            _ => (term, holds),
        }
    }

    /// Whether the counter of an access is the same for all lanes that have a label in common.
    fn is_common(&self, access: AccessId, label: Option<TermId>) -> bool {
        let terms = &self.facts.terms;
        let Some(row) = self.facts.access.get(access.index()) else {
            return false;
        };
        let mut stack = vec![row.index];
        while let Some(term) = stack.pop() {
            if Some(term) == label {
                continue;
            }
            let row = terms.get(term);
            let varies = matches!(
                row.op,
                Op::TidX
                    | Op::TidY
                    | Op::TidZ
                    | Op::Iter
                    | Op::Exit
                    | Op::Load
                    | Op::Unknown
                    | Op::Other
                    | Op::SameBlock
            );
            if varies {
                return false;
            }
            stack.extend_from_slice(&row.args);
        }
        true
    }
}
