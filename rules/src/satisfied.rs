//! Which threads satisfy conditions for certain: some thread of each block, one only, some lane of each warp.
//!
//! **Accuracy.** Conditions are evaluated for threads whose indices are known, and nothing else. What has no value then is not
//! taken to hold.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::words::Dimension;
use warplog_facts::{Axis, LaunchId, Op, PointId, Term, TermId};

use crate::context::{Conjunct, Context};
use crate::counted::is_of_lane;
use crate::uniformity::has_rows_of_warps;

/// Threads of a block up to which those that satisfy a condition are counted.
const MAX_COUNTED: i128 = 2_048;

/// The thread with these indices; nothing else is known.
struct ThreadAt([i128; 3]);

impl Environment for ThreadAt {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        let [x, y, z] = self.0;
        match term.op {
            Op::TidX => Some(x),
            Op::TidY => Some(y),
            Op::TidZ => Some(z),
            _ => None,
        }
    }
}

fn holds(ctx: &Context<'_>, thread: [i128; 3], conjuncts: &[Conjunct]) -> Option<bool> {
    let environment = ThreadAt(thread);
    let mut evaluator = Evaluator::new(&ctx.facts.terms, &environment);
    for &(term, polarity) in conjuncts {
        if (evaluator.value(term).ok()? != 0) != polarity {
            return Some(false);
        }
    }
    Some(true)
}

/// Sizes of the block, where they are constant.
fn block(ctx: &Context<'_>, launch: LaunchId) -> [Option<i128>; 3] {
    let axes = [Dimension::BlockX, Dimension::BlockY, Dimension::BlockZ];
    axes.map(|axis| {
        let mut rows = ctx.dimensions(launch).iter();
        let (_, term) = rows.find(|(dimension, _)| *dimension == axis)?;
        ctx.facts.terms.as_const(*term)
    })
}

/// Whether some thread of every block executes the first point in any iteration in which a thread of it gets to the
/// second: its path condition has but conjuncts of the second's and such as a thread satisfies whatever else
/// holds. Tells whether that thread is the only one that does.
pub(crate) fn executed_by_one(ctx: &Context<'_>, first: PointId, second: PointId) -> Option<bool> {
    let own = own_conjuncts(ctx, first, second);
    satisfied_by_one(ctx, ctx.launch_of(first), &own)
}

/// Whether some thread of every block satisfies the conjuncts whatever else holds, and whether but one does.
pub(crate) fn satisfied_by_one(
    ctx: &Context<'_>,
    launch: LaunchId,
    own: &[Conjunct],
) -> Option<bool> {
    let sizes = block(ctx, launch);
    if let [Some(x), Some(y), Some(z)] = sizes
        && x.saturating_mul(y).saturating_mul(z) <= MAX_COUNTED
    {
        let mut count = 0;
        for tz in 0..z {
            for ty in 0..y {
                for tx in 0..x {
                    count += u32::from(holds(ctx, [tx, ty, tz], own)?);
                }
            }
        }
        return (count > 0).then_some(count == 1);
    }
    if holds(ctx, [0; 3], own) != Some(true) {
        return None;
    }
    let one_row = sizes[1..] == [Some(1), Some(1)];
    let pins = |&(term, polarity): &Conjunct| {
        let row = ctx.facts.terms.get(term);
        let is = |side: usize, other: usize| {
            plain(ctx, row.args[side]).op == Axis::X.tid()
                && ctx.facts.terms.as_const(row.args[other]).is_some()
        };
        row.op == Op::Eq && polarity && (is(0, 1) || is(1, 0))
    };
    Some(one_row && own.iter().any(pins))
}

/// Whether some lane of each warp of a block satisfies the conjuncts whatever else holds.
pub(crate) fn in_each_warp(ctx: &Context<'_>, launch: LaunchId, own: &[Conjunct]) -> bool {
    let sizes = block(ctx, launch);
    if let [Some(x), Some(y), Some(z)] = sizes
        && x.saturating_mul(y).saturating_mul(z) <= MAX_COUNTED
    {
        let mut warps: FxHashMap<i128, bool> = FxHashMap::default();
        for rank in 0..x * y * z {
            let Some(holds) = holds(ctx, [rank % x, rank / x % y, rank / x / y], own) else {
                return false;
            };
            *warps.entry(rank / 32).or_default() |= holds;
        }
        // The order does not show: all must hold.
        #[allow(clippy::iter_over_hash_type)]
        return warps.values().all(|&holds| holds);
    }
    // Each warp has its lane 0.
    let of_lane = |&(term, _): &Conjunct| is_of_lane(ctx.facts, term);
    has_rows_of_warps(ctx, launch)
        && own.iter().all(of_lane)
        && holds(ctx, [0; 3], own) == Some(true)
}

/// A term without conversions of an index, which is small and not negative.
fn plain<'c>(ctx: &'c Context<'_>, term: TermId) -> &'c Term {
    let mut row = ctx.facts.terms.get(term);
    while matches!(row.op, Op::Cast | Op::Fit) && row.ty.bits() >= Some(32) {
        row = ctx.facts.terms.get(row.args[0]);
    }
    row
}

/// The conditions that must hold where a point is reached, those joined by `&&` one by one.
pub(crate) fn literals(ctx: &Context<'_>, point: PointId) -> Vec<Conjunct> {
    let mut literals: Vec<Conjunct> = Vec::new();
    let mut seen: FxHashSet<Conjunct> = FxHashSet::default();
    let mut stack: Vec<Conjunct> = ctx.guards(point).iter().rev().copied().collect();
    while let Some((term, polarity)) = stack.pop() {
        if !seen.insert((term, polarity)) {
            continue;
        }
        let row = ctx.facts.terms.get(term);
        match (row.op, polarity, row.args.as_slice()) {
            (Op::Not, _, &[arg]) => stack.push((arg, !polarity)),
            (Op::And, true, args) | (Op::Or, false, args) => {
                stack.extend(args.iter().map(|&arg| (arg, polarity)));
            }
            _ => literals.push((term, polarity)),
        }
    }
    literals
}

/// The conditions of the first point that the second lacks.
fn own_conjuncts(ctx: &Context<'_>, first: PointId, second: PointId) -> Vec<Conjunct> {
    let shared = literals(ctx, second);
    let mut own = literals(ctx, first);
    own.retain(|literal| !shared.contains(literal));
    own
}
