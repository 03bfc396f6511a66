//! Agreement within the group that a barrier is for, where the condition is not uniform in the whole warp or block:
//! `if (lane < 16) __syncwarp(0xffff);`, `if (tile.meta_group_rank() < 4) tile.sync();`.
//!
//! **Method.** In a block of known size the threads are counted: condition, membership and number of the group are evaluated
//! with exact C arithmetic for each thread, and the condition must have one value in each group. In a block of any size whose
//! warps are rows of `threadIdx.x`, the same is done for the 32 lanes of a warp, if all that is asked mentions the thread by
//! its lane only. Besides, who is in the group satisfies its condition, and what is computed from the group's number is one for
//! the group.
//!
//! **Accuracy.** Exact for what is counted; a term that has no value for a thread that may come (a load, an unknown, signed
//! overflow) is not counted. What is shown holds for any two threads of the group at equal iterations, since membership and
//! number of a group mention no iteration.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::eval::{Environment, Evaluator, Memo};
use warplog_facts::words::{Dimension, Scope};
use warplog_facts::{BarrierRow, Facts, LaunchId, Op, Term, TermId};

use crate::context::{Conjunct, Context};
use crate::uniformity::{Uniform, has_rows_of_warps};

/// The most threads of a block that are counted.
const MOST_THREADS: i128 = 1024;

/// A thread that stands for itself, or a lane that stands for that lane of any warp.
struct Counted {
    index: [i128; 3],
    warp: i128,
    /// In its warp.
    lane: i128,
}

impl Environment for Counted {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        let axis = match term.op {
            Op::TidX => 0,
            Op::TidY => 1,
            Op::TidZ => 2,
            _ => return None,
        };
        Some(self.index[axis])
    }
}

/// The threads of a launch that are counted.
struct Threads {
    all: Vec<Counted>,
    /// They are lanes of any warp.
    lanes: bool,
}

/// The values of a term by thread, where it has one.
type Values = Rc<Vec<Option<i128>>>;

/// The group of each thread, by number; none for a thread that is in no group.
type Membership = Rc<Vec<Option<(i128, i128)>>>;

/// What threads of one group agree on.
pub(crate) struct Groups<'a> {
    ctx: &'a Context<'a>,
    uniform: &'a Uniform,
    threads: FxHashMap<LaunchId, Option<Rc<Threads>>>,
    values: FxHashMap<(LaunchId, TermId), Option<Values>>,
    /// Kept for its storage, which has a place for each term of all kernels.
    memo: Memo,
}

impl<'a> Groups<'a> {
    pub(crate) fn new(ctx: &'a Context<'a>, uniform: &'a Uniform) -> Self {
        Groups {
            ctx,
            uniform,
            threads: FxHashMap::default(),
            values: FxHashMap::default(),
            memo: Memo::default(),
        }
    }

    /// The rule by which the threads of the barrier's group that satisfy the conjuncts before it agree on a term.
    pub(crate) fn agree(
        &mut self,
        barrier: &BarrierRow,
        scope: Scope,
        term: TermId,
        before: &[Conjunct],
    ) -> Option<&'static str> {
        // R39: what is computed from the number of the group is one for the group.
        if let Some(key) = barrier.key
            && self.follows(self.ctx.launch_of(barrier.point), scope, term, key)
        {
            return Some("of-the-group-number");
        }
        // R38: counted, the threads of each group agree.
        self.counted(barrier, scope, term, before)
            .then_some("counted-group")
    }

    /// Whether a conjunct holds for all threads that the barrier is for.
    pub(crate) fn named(barrier: &BarrierRow, facts: &Facts, conjunct: Conjunct) -> bool {
        // R40: who is in the group satisfies its condition.
        barrier
            .member
            .is_some_and(|member| implies(facts, member, conjunct))
    }

    /// Whether all threads that come to the barrier are in a group that it is for.
    pub(crate) fn all_are_named(&mut self, barrier: &BarrierRow, member: TermId) -> bool {
        // R41: counted, all threads that come to the barrier are in a group that it is for.
        let launch = self.ctx.launch_of(barrier.point);
        let Some(members) = self.values_of(launch, member) else {
            return false;
        };
        let comes = self.satisfies(launch, self.ctx.guards(barrier.point));
        members
            .iter()
            .zip(comes)
            .all(|(member, comes)| !comes || member.is_some_and(|value| value != 0))
    }

    /// Whether lanes that come to the operation and name each other bring one mask.
    pub(crate) fn bring_one_mask(&mut self, barrier: &BarrierRow, mask: TermId) -> bool {
        // R44: counted, a lane brings the mask that each lane brings by which it is named.
        let launch = self.ctx.launch_of(barrier.point);
        let (Some(threads), Some(masks)) = (self.threads(launch), self.values_of(launch, mask))
        else {
            return false;
        };
        let comes = self.satisfies(launch, self.ctx.guards(barrier.point));
        let mut warps: FxHashMap<i128, Vec<(u32, Option<i128>)>> = FxHashMap::default();
        for ((thread, mask), comes) in threads.all.iter().zip(masks.iter()).zip(comes) {
            let of_warp = warps.entry(thread.warp).or_default();
            // Threads are in the order of their lanes.
            let lane = u32::try_from(thread.lane).unwrap_or(0);
            if comes {
                of_warp.push((lane, *mask));
            }
        }
        // The order does not show: all must agree.
        #[allow(clippy::iter_over_hash_type)]
        warps.values().all(|lanes| {
            lanes.iter().all(|(_, mask)| {
                mask.is_some_and(|mask| {
                    let named = |lane: u32| mask >> lane & 1 == 1;
                    lanes
                        .iter()
                        .all(|(lane, theirs)| !named(*lane) || *theirs == Some(mask))
                })
            })
        })
    }

    fn counted(
        &mut self,
        barrier: &BarrierRow,
        scope: Scope,
        term: TermId,
        before: &[Conjunct],
    ) -> bool {
        let launch = self.ctx.launch_of(barrier.point);
        let (Some(groups), Some(values)) = (
            self.membership(barrier, scope),
            self.values_of(launch, term),
        ) else {
            return false;
        };
        let comes = self.satisfies(launch, before);
        let mut seen: FxHashMap<(i128, i128), i128> = FxHashMap::default();
        groups
            .iter()
            .zip(values.iter())
            .zip(comes)
            .all(|((group, value), comes)| match (group, value) {
                (Some(group), Some(value)) if comes => {
                    *seen.entry(*group).or_insert(*value) == *value
                }
                (Some(_), None) => !comes,
                _ => true,
            })
    }

    /// Whether a term is a function of the group's number and of what is uniform in the scope.
    fn follows(&self, launch: LaunchId, scope: Scope, term: TermId, key: TermId) -> bool {
        let facts = self.ctx.facts;
        let uniform = self.uniform.of(launch);
        let mut stack = vec![term];
        while let Some(id) = stack.pop() {
            if id == key || uniform.is_uniform(id, scope) {
                continue;
            }
            let term = facts.terms.get(id);
            if term.args.is_empty() || !is_computed(term.op) {
                return false;
            }
            stack.extend_from_slice(&term.args);
        }
        true
    }

    /// Which threads may satisfy the conjuncts: what has no value is not asked for.
    fn satisfies(&mut self, launch: LaunchId, conjuncts: &[Conjunct]) -> Vec<bool> {
        let count = self.threads(launch).map_or(0, |threads| threads.all.len());
        let mut comes = vec![true; count];
        for &(term, polarity) in conjuncts {
            let Some(values) = self.values_of(launch, term) else {
                continue;
            };
            for (comes, value) in comes.iter_mut().zip(values.iter()) {
                *comes &= value.is_none_or(|value| (value != 0) == polarity);
            }
        }
        comes
    }

    /// The group of each thread: its warp, if the barrier is one of warps, and the barrier's own number for it.
    fn membership(&mut self, barrier: &BarrierRow, scope: Scope) -> Option<Membership> {
        let launch = self.ctx.launch_of(barrier.point);
        let threads = self.threads(launch)?;
        if threads.lanes && scope != Scope::Warp {
            return None;
        }
        let mut column = |term: Option<TermId>| match term {
            Some(term) => self.values_of(launch, term).map(Some),
            None => Some(None),
        };
        let (members, keys) = (column(barrier.member)?, column(barrier.key)?);
        let mut groups = Vec::with_capacity(threads.all.len());
        for (number, thread) in threads.all.iter().enumerate() {
            let value = |column: &Option<Values>| match column {
                Some(values) => values[number].map(Some),
                None => Some(None),
            };
            let member = value(&members)?;
            if member == Some(0) {
                groups.push(None);
                continue;
            }
            let warp = if scope == Scope::Warp { thread.warp } else { 0 };
            groups.push(Some((warp, value(&keys)?.unwrap_or(0))));
        }
        Some(Rc::new(groups))
    }

    fn threads(&mut self, launch: LaunchId) -> Option<Rc<Threads>> {
        let ctx = self.ctx;
        let known = self.threads.entry(launch);
        known
            .or_insert_with(|| threads(ctx, launch).map(Rc::new))
            .clone()
    }

    fn values_of(&mut self, launch: LaunchId, term: TermId) -> Option<Values> {
        if let Some(known) = self.values.get(&(launch, term)) {
            return known.clone();
        }
        let values = self.threads(launch).and_then(|threads| {
            let countable = is_of_thread(self.ctx.facts, term)
                && (!threads.lanes || is_of_lane(self.ctx.facts, term));
            countable.then(|| Rc::new(evaluated(self.ctx.facts, &threads, term, &mut self.memo)))
        });
        self.values.insert((launch, term), values.clone());
        values
    }
}

fn evaluated(facts: &Facts, threads: &Threads, term: TermId, memo: &mut Memo) -> Vec<Option<i128>> {
    let mut values = Vec::with_capacity(threads.all.len());
    for thread in &threads.all {
        let mut evaluator = Evaluator::reusing(&facts.terms, thread, std::mem::take(memo));
        values.push(evaluator.value(term).ok());
        *memo = evaluator.into_memo();
    }
    values
}

/// The threads of a block of known size.
fn block(facts: &Facts, dimensions: &[(Dimension, TermId)]) -> Option<Vec<Counted>> {
    let size = |wanted: Dimension| {
        let &(_, term) = dimensions
            .iter()
            .find(|(dimension, _)| *dimension == wanted)?;
        let size = facts.terms.as_const(term)?;
        (1..=MOST_THREADS).contains(&size).then_some(size)
    };
    let x = size(Dimension::BlockX)?;
    let y = size(Dimension::BlockY)?;
    let z = size(Dimension::BlockZ)?;
    let all = (0..x * y * z).map(|rank| Counted {
        index: [rank % x, rank / x % y, rank / x / y],
        warp: rank / 32,
        lane: rank % 32,
    });
    (x * y * z <= MOST_THREADS).then(|| all.collect())
}

/// Sets of groups, as bits, that two threads of one warp and of two warps can both be in.
pub(crate) struct Sets {
    pub(crate) within: BTreeSet<u32>,
    pub(crate) between: BTreeSet<u32>,
}

/// The sets of groups that two threads of a block of known size can both be in. Each group is given by the condition of being in
/// one of its kind and the number of that.
pub(crate) fn sets_of_groups(
    facts: &Facts,
    dimensions: &[(Dimension, TermId)],
    groups: &[(Option<TermId>, Option<TermId>)],
) -> Option<Sets> {
    let threads = Threads {
        all: block(facts, dimensions)?,
        lanes: false,
    };
    // Of each thread the number of its group of each kind.
    let mut own: Vec<Vec<Option<i128>>> = vec![Vec::new(); threads.all.len()];
    let mut memo = Memo::default();
    for &(member, key) in groups {
        let mut column = |term: Option<TermId>, otherwise: i128| match term {
            Some(term) => evaluated(facts, &threads, term, &mut memo)
                .into_iter()
                .collect(),
            None => Some(vec![otherwise; threads.all.len()]),
        };
        let members: Vec<i128> = column(member, 1)?;
        let keys: Vec<i128> = column(key, 0)?;
        for (own, (member, key)) in own.iter_mut().zip(members.into_iter().zip(keys)) {
            own.push((member != 0).then_some(key));
        }
    }
    let mut sets = Sets {
        within: BTreeSet::new(),
        between: BTreeSet::new(),
    };
    let all: Vec<(&Counted, &Vec<Option<i128>>)> = threads.all.iter().zip(&own).collect();
    for (position, (one, ours)) in all.iter().enumerate() {
        for (other, theirs) in &all[position + 1..] {
            let pairs = ours.iter().zip(theirs.iter()).zip(0u32..);
            let set = pairs
                .filter(|((own, other), _)| own.is_some() && own == other)
                .map(|(_, group)| 1 << group)
                .sum();
            if one.warp == other.warp {
                sets.within.insert(set);
            } else {
                sets.between.insert(set);
            }
        }
    }
    // R42: only these are asked for.
    Some(sets)
}

/// The threads of a block of known size, or the lanes of a warp that is a row of `threadIdx.x`.
fn threads(ctx: &Context<'_>, launch: LaunchId) -> Option<Threads> {
    if let Some(all) = block(ctx.facts, ctx.dimensions(launch)) {
        return Some(Threads { all, lanes: false });
    }
    let all = (0..32).map(|lane| Counted {
        index: [lane, 0, 0],
        warp: 0,
        lane,
    });
    has_rows_of_warps(ctx, launch).then(|| Threads {
        all: all.collect(),
        lanes: true,
    })
}

/// Whether an operator makes its value of its arguments and nothing else.
fn is_computed(op: Op) -> bool {
    !matches!(
        op,
        Op::Load | Op::Unknown | Op::Exit | Op::Iter | Op::Other | Op::SameBlock
    )
}

/// Whether the indices of the thread and constants are all that a term is made of.
fn is_of_thread(facts: &Facts, term: TermId) -> bool {
    let mut parts = facts.terms.reachable(&[term]).into_iter();
    parts.all(|part| {
        let term = facts.terms.get(part);
        let leaf = matches!(term.op, Op::Const | Op::TidX | Op::TidY | Op::TidZ);
        leaf || (!term.args.is_empty() && is_computed(term.op))
    })
}

/// Whether `threadIdx.x` takes part as the lane only: `threadIdx.x & 31`, `threadIdx.x % 8`; the other indices do not.
pub(crate) fn is_of_lane(facts: &Facts, term: TermId) -> bool {
    let mut stack = vec![term];
    let mut seen = rustc_hash::FxHashSet::default();
    while let Some(id) = stack.pop() {
        let term = facts.terms.get(id);
        match (term.op, term.args.as_slice()) {
            (Op::TidX | Op::TidY | Op::TidZ, _) => return false,
            (Op::BitAnd, &[one, other]) if is_low(facts, one, other) => continue,
            (Op::Rem, &[one, other])
                if is_index(facts, one)
                    && facts
                        .terms
                        .as_const(other)
                        .is_some_and(|by| by > 0 && 32 % by == 0) =>
            {
                continue;
            }
            (_, args) => stack.extend(args.iter().filter(|arg| seen.insert(**arg))),
        }
    }
    true
}

/// `threadIdx.x & 7`, either way round.
fn is_low(facts: &Facts, one: TermId, other: TermId) -> bool {
    let low = |id| {
        let value = facts.terms.as_const(id);
        value.is_some_and(|value| (0..32).contains(&value))
    };
    (is_index(facts, one) && low(other)) || (is_index(facts, other) && low(one))
}

/// Whether a term is `threadIdx.x`, converted to types that hold every index of a thread.
pub(crate) fn is_index(facts: &Facts, mut id: TermId) -> bool {
    loop {
        let term = facts.terms.get(id);
        match (term.op, term.args.as_slice()) {
            (Op::TidX, _) => return true,
            (Op::Cast | Op::Fit, &[arg]) if term.ty.bits() >= Some(16) => id = arg,
            _ => return false,
        }
    }
}

/// Whether a condition has the conjunct as a part.
fn implies(facts: &Facts, condition: TermId, (term, polarity): Conjunct) -> bool {
    let mut stack = vec![condition];
    while let Some(id) = stack.pop() {
        let part = facts.terms.get(id);
        match (part.op, part.args.as_slice()) {
            _ if polarity && id == term => return true,
            (Op::Not, &[arg]) if !polarity && arg == term => return true,
            (Op::And, args) => stack.extend_from_slice(args),
            _ => {}
        }
    }
    false
}
