//! What a thread makes of a vote of its whole warp: whether its own bit is set, how many lanes below it are in it.
//!
//! The result of a vote is an unknown that the lanes of a warp have in common; its bits are in no formula. Uses of it
//! are told as what they mean instead: the own bit is the value that the thread itself voted, a count of bits is how many
//! lanes voted, and a count of the bits below the own one is a rank, of which `vote_rank` says that no two lanes in the
//! vote have the same one (the compaction of Harris and Garland, *Optimizing parallel prefix operations for the Fermi
//! architecture*, 2011). Which bits a mask keeps is found by evaluating it for every thread of a block.

use warplog_facts::eval::{EvalError, Evaluator};
use warplog_facts::{CType, Op, TermId, VoteRankRow};

use super::super::body::Lowerer;
use super::threads::{MOST_THREADS, Thread};
use crate::syntax::ast::Range;

const LANES: usize = 32;

/// The lanes below the own one, without and with it.
enum Below {
    Own,
    Strictly,
}

impl Lowerer<'_, '_> {
    /// `votes & (1u << lane)`, `votes >> lane & 1`: what the thread voted.
    pub(crate) fn own_bit(&mut self, ty: CType, left: TermId, right: TermId) -> Option<TermId> {
        if self.ballots.is_empty() {
            return None;
        }
        let (voted, bit) = [(left, right), (right, left)]
            .into_iter()
            .find_map(|(votes, mask)| self.voted_in_bit(votes, mask))?;
        let terms = &mut self.facts.terms;
        let none = terms.constant(0, ty);
        let bit = terms.cast(bit, ty);
        Some(terms.ite(voted, bit, none))
    }

    /// What the thread voted, if the mask keeps its bit alone.
    fn voted_in_bit(&mut self, votes: TermId, mask: TermId) -> Option<(TermId, TermId)> {
        let inner = self.uncast(votes);
        if let Some(&voted) = self.ballots.get(&inner) {
            let kept = self.by_lane(mask)?;
            let own = (0..LANES).all(|lane| kept[lane].is_none_or(|bits| bits == 1 << lane));
            return own.then_some((voted, mask));
        }
        let shifted = self.facts.terms.get(inner);
        let (Op::Shr, &[of, by]) = (shifted.op, shifted.args.as_slice()) else {
            return None;
        };
        let voted = *self.ballots.get(&self.uncast(of))?;
        if self.facts.terms.as_const(mask) != Some(1) {
            return None;
        }
        let lanes = self.by_lane(by)?;
        let own = (0..LANES).all(|lane| lanes[lane].is_none_or(|by| by == lane as u32));
        own.then_some((voted, mask))
    }

    /// `__popc(votes)`, `__popc(votes & ((1u << lane) - 1))`, and of `~votes`: how many lanes, or how many of those below the
    /// thread's own, are in the vote.
    pub(super) fn count_of_votes(&mut self, term: TermId, range: Range) -> Option<TermId> {
        if let Some(count) = self.count_of_active(term) {
            return Some(count);
        }
        if self.ballots.is_empty() {
            return None;
        }
        let kept = self.uncast(term);
        if let Some((votes, inverted)) = self.votes_in(kept) {
            let all = self.facts.terms.constant(LANES as i128, CType::U32);
            let voted = self.ballots[&votes];
            let count = self.votes_below(votes, (all, voted), range)?;
            return Some(self.counted(all, count, inverted));
        }
        let node = self.facts.terms.get(kept);
        let (Op::BitAnd, &[left, right]) = (node.op, node.args.as_slice()) else {
            return None;
        };
        let ((votes, inverted), mask) = [(left, right), (right, left)]
            .into_iter()
            .find_map(|(votes, mask)| Some((self.votes_in(votes)?, mask)))?;
        let below = self.lanes_below(mask)?;
        let lane = self.lane_in_warp();
        let voted = self.ballots[&votes];
        let rank = self.votes_below(votes, (lane, voted), range)?;
        let (lanes, count) = match below {
            Below::Strictly => (lane, rank),
            Below::Own => {
                let terms = &mut self.facts.terms;
                let one = terms.constant(1, CType::U32);
                let own = terms.cast(voted, CType::I32);
                (
                    terms.binary(Op::Add, CType::U32, lane, one),
                    terms.binary(Op::Add, CType::I32, rank, own),
                )
            }
        };
        Some(self.counted(lanes, count, inverted))
    }

    /// The same of the lanes that are there, of which the own one is one.
    fn count_of_active(&mut self, term: TermId) -> Option<TermId> {
        let term = self.uncast(term);
        if let Some(together) = self.together_by(term) {
            return Some(self.facts.terms.cast(together.size, CType::I32));
        }
        let node = self.facts.terms.get(term);
        let (Op::BitAnd, &[left, right]) = (node.op, node.args.as_slice()) else {
            return None;
        };
        let (together, mask) = [(left, right), (right, left)]
            .into_iter()
            .find_map(|(active, mask)| Some((self.together_by(active)?, mask)))?;
        let below = self.lanes_below(mask)?;
        let terms = &mut self.facts.terms;
        let rank = terms.cast(together.rank, CType::I32);
        Some(match below {
            Below::Strictly => rank,
            Below::Own => {
                let one = terms.constant(1, CType::I32);
                terms.binary(Op::Add, CType::I32, rank, one)
            }
        })
    }

    /// So many of the lanes, or those that are not among so many.
    fn counted(&mut self, lanes: TermId, count: TermId, inverted: bool) -> TermId {
        if !inverted {
            return count;
        }
        let terms = &mut self.facts.terms;
        let lanes = terms.cast(lanes, CType::I32);
        terms.binary(Op::Sub, CType::I32, lanes, count)
    }

    /// The result of a vote that the term is, or is the complement of.
    fn votes_in(&self, term: TermId) -> Option<(TermId, bool)> {
        let term = self.uncast(term);
        if self.ballots.contains_key(&term) {
            return Some((term, false));
        }
        let node = self.facts.terms.get(term);
        let (Op::BitNot, &[of]) = (node.op, node.args.as_slice()) else {
            return None;
        };
        let of = self.uncast(of);
        self.ballots.contains_key(&of).then_some((of, true))
    }

    /// How many lanes below this one are in the vote, with what this one voted.
    pub(super) fn votes_below(
        &mut self,
        votes: TermId,
        (lane, voted): (TermId, TermId),
        range: Range,
    ) -> Option<TermId> {
        let vote = self.facts.terms.get(votes).unknown()?;
        let width = self.facts.terms.constant(LANES as i128, CType::U32);
        let warp = self.tile_of(width);
        let reason = "count of lanes in a vote";
        let count = self.unknown_of(reason, range, CType::I32, false, &[votes, lane], &[]);
        let unknown = self.facts.terms.get(count).unknown()?;
        self.facts.relations.vote_rank.push(VoteRankRow {
            unknown,
            vote,
            lane,
            voted,
            warp,
        });
        Some(count)
    }

    /// The lanes that a mask keeps, if they are those below the own one.
    fn lanes_below(&mut self, mask: TermId) -> Option<Below> {
        let kept = self.by_lane(mask)?;
        let are = |bits: &dyn Fn(usize) -> u64| {
            (0..LANES).all(|lane| kept[lane].is_none_or(|kept| kept == bits(lane) as u32))
        };
        if are(&|lane| (1u64 << lane) - 1) {
            Some(Below::Strictly)
        } else if are(&|lane| (2u64 << lane) - 1) {
            Some(Below::Own)
        } else {
            None
        }
    }

    /// The value (modulo 2³²) in each lane of a term that is a function of it: the same in the threads of all warps that are
    /// in that lane; none in lanes in which it is undefined.
    pub(super) fn by_lane(&mut self, term: TermId) -> Option<[Option<u32>; LANES]> {
        let lane = self.lane_in_warp();
        let terms = &self.facts.terms;
        let size = [0, 1, 2].map(|axis: usize| terms.as_const(self.dimensions[axis]));
        // Where the sizes are not known, lanes are so in rows of one.
        let block = match size {
            [Some(x), Some(y), Some(z)] => [x, y, z],
            [None, Some(1), Some(1)] => [MOST_THREADS, 1, 1],
            _ => return None,
        };
        let threads: i128 = block.iter().product();
        if threads > MOST_THREADS {
            return None;
        }
        let mut values: [Option<u32>; LANES] = [None; LANES];
        let mut seen = [false; LANES];
        for rank in 0..threads {
            let thread = Thread::at(rank, block, size);
            let mut evaluator = Evaluator::new(terms, &thread);
            let lane = usize::try_from(evaluator.value(lane).ok()?).ok()?;
            let value = match evaluator.value(term) {
                Ok(value) => u32::try_from(value.rem_euclid(1 << LANES)).ok(),
                Err(EvalError::NotKnown(_)) => return None,
                Err(_) => None,
            };
            if seen[lane] && values[lane] != value {
                return None;
            }
            seen[lane] = true;
            values[lane] = value;
        }
        Some(values)
    }
}
