//! Ranks in votes of whole warps. The rank of a lane is how many lanes below it are in the vote, from 0 up to the lane. From a lower to
//! a higher one it grows by the lanes in the vote from the lower on, itself included: at least by whether the lower is in
//! it, at most by all of them but the lower if that is not.

use warplog_facts::Term;

use super::instances::Rank;
use crate::encode::Encoder;
use crate::formula::Node;
use crate::instances::{ContextId, Iterations};

impl<'a> Encoder<'a> {
    /// Tells what is known of a leaf if it is a rank in a vote.
    pub(crate) fn rank(&mut self, context: ContextId, node: Node, term: &Term) {
        let index = self.index;
        let row = term.unknown().and_then(|unknown| index.vote_rank(unknown));
        let Some(row) = row.filter(|row| !index.is_large(row.voted)) else {
            return;
        };
        let point = index.facts.unknown[row.vote.index()].point;
        let loops = index.loops(point);
        let around = self.at(context).iterations.iter();
        let iterations: Iterations = around
            .filter(|(id, _)| loops.contains(id))
            .copied()
            .collect();
        let lane = self.value(context, row.lane);
        let least = self.f.ge_const(node, 0);
        let most = self.f.le(node, lane);
        self.asserts.extend([least, most]);
        if iterations.len() != loops.len() {
            return;
        }
        let guards = self.guards(context, point);
        let rank = Rank {
            vote: row.vote,
            side: self.at(context).side,
            iterations,
            node,
            lane,
            warp: self.value(context, row.warp),
            voted: self.value(context, row.voted),
            executed: self.f.and(&guards),
        };
        let others = std::mem::take(&mut self.ranks);
        for other in &others {
            self.compare_ranks(other, &rank);
        }
        self.ranks = others;
        self.ranks.push(rank);
    }

    fn compare_ranks(&mut self, one: &Rank, other: &Rank) {
        let apart = one.side != other.side && !self.relation.same_block;
        if one.vote != other.vote || apart {
            return;
        }
        let mut same = vec![
            one.executed,
            other.executed,
            self.f.eq(one.warp, other.warp),
        ];
        for ((_, here), (_, there)) in one.iterations.iter().zip(&other.iterations) {
            same.push(self.f.eq(*here, *there));
        }
        for (low, high) in [(one, other), (other, one)] {
            let mut premise = same.clone();
            premise.push(self.f.lt(low.lane, high.lane));
            let premise = self.f.and(&premise);
            let between = self.f.sub(high.node, low.node);
            let least = self.f.le(low.voted, between);
            let lanes = self.f.sub(high.lane, low.lane);
            let lanes = self.f.offset(lanes, -1);
            let lanes = self.f.add(lanes, low.voted);
            let most = self.f.le(between, lanes);
            let holds = self.f.and(&[least, most]);
            let constraint = self.f.implies(premise, holds);
            self.asserts.push(constraint);
        }
        same.push(self.f.eq(one.lane, other.lane));
        let same = self.f.and(&same);
        let equal = self.f.eq(one.node, other.node);
        let constraint = self.f.implies(same, equal);
        self.asserts.push(constraint);
    }
}
