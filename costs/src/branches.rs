//! Branches on which the lanes of one warp differ, and what is then done twice.
//!
//! A warp whose lanes differ runs one side after the other. Counted are the arrivals of warps at the branch, in all iterations, and
//! those in which active lanes differ; and the accesses of both sides. A branch with accesses on one side only serialises nothing:
//! it leaves lanes idle, which is told where at least half of the warps do so. What lies behind `if (c) return;` is a side of it. A bound that is open (`i < n`) cuts one warp of a
//! launch at most and is not counted.

use std::collections::BTreeMap;

use warplog_facts::words::{CostAnswer, GuardCause, PointKind};
use warplog_facts::{AccessId, LaunchId, PointId, TermId};

use crate::count::Counter;
use crate::walk::{Activity, LIMIT, Walk};
use crate::weight::Weight;

/// A branch with a condition that depends on the thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its launch.
    pub launch: LaunchId,
    /// Where it is decided.
    pub point: PointId,
    /// The condition.
    pub term: TermId,
    /// What the count is.
    pub answer: CostAnswer,
    /// Arrivals in which lanes differ.
    pub divergent: u64,
    /// Arrivals.
    pub arriving: u64,
    /// How often warps arrive.
    pub weight: Weight,
    /// Accesses of the side on which the condition holds, and of the other.
    pub sides: [Vec<AccessId>; 2],
    /// The first warp whose lanes differ.
    pub split: Option<Split>,
}

/// A warp whose lanes differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// `blockDim`.
    pub block_dim: [i64; 3],
    /// `blockIdx`.
    pub block: [i128; 3],
    /// Its number in the block.
    pub warp: u64,
    /// Whether the condition holds in each active lane.
    pub lanes: Vec<Option<bool>>,
}

impl Branch {
    /// Accesses that are made one side after the other; none if one side has none.
    #[must_use]
    pub fn serialised(&self) -> usize {
        match &self.sides {
            [then, otherwise] if then.is_empty() || otherwise.is_empty() => 0,
            [then, otherwise] => then.len() + otherwise.len(),
        }
    }

    /// Accesses for which lanes are idle.
    #[must_use]
    pub fn idle(&self) -> usize {
        match self.serialised() {
            0 => self.sides.iter().map(Vec::len).sum(),
            _ => 0,
        }
    }
}

/// Counts the branches of a launch, given the rows of its guards.
pub(crate) fn of_launch(counter: &mut Counter<'_>, guards: &[usize], into: &mut Vec<Branch>) {
    let facts = counter.facts;
    // Accesses on the side where the condition holds, and on the other.
    let mut sides: BTreeMap<(PointId, TermId), [Vec<AccessId>; 2]> = BTreeMap::new();
    let access_at: BTreeMap<PointId, AccessId> = counter
        .accesses
        .iter()
        .map(|&access| (facts.access[access.index()].point, access))
        .collect();
    let rows = || guards.iter().map(|&row| &facts.guard_at[row]);
    // Branches whose one side a jump stands on, by the jump.
    let mut jumps: BTreeMap<PointId, Vec<(PointId, TermId, bool)>> = BTreeMap::new();
    for row in rows() {
        let decided = &facts.point[row.cause_point.index()];
        let branch = row.cause == GuardCause::Branch && decided.kind == PointKind::Branch;
        if !branch {
            continue;
        }
        let own = sides.entry((row.cause_point, row.term)).or_default();
        let place = (row.cause_point, row.term, row.polarity);
        jumps.entry(row.point).or_default().push(place);
        if let Some(&access) = access_at.get(&row.point) {
            own[usize::from(!row.polarity)].push(access);
        }
    }
    // What lies behind `if (c) return;` is the other side of it.
    for row in rows() {
        let is_jump = matches!(
            row.cause,
            GuardCause::Return | GuardCause::Break | GuardCause::Continue
        );
        let (Some(&access), true) = (access_at.get(&row.point), is_jump) else {
            continue;
        };
        let own = jumps.get(&row.cause_point).into_iter().flatten();
        let own = own.filter(|(_, term, polarity)| (*term, *polarity) == (row.term, !row.polarity));
        for &(branch, term, _) in own {
            let sides = sides.entry((branch, term)).or_default();
            sides[usize::from(!row.polarity)].push(access);
        }
    }
    for ((point, term), sides) in sides {
        let needs = counter.dependence.of(term);
        if !needs.lane && !needs.data {
            continue;
        }
        let mut branch = Branch {
            launch: counter.launch,
            point,
            term,
            answer: CostAnswer::CannotTell,
            divergent: 0,
            arriving: 0,
            weight: Weight::default(),
            sides,
            split: None,
        };
        if needs.is_known() {
            arrivals(counter, &mut branch);
        }
        into.push(branch);
    }
}

/// Goes through the arrivals at a branch.
fn arrivals(counter: &mut Counter<'_>, branch: &mut Branch) {
    let shape = counter.sizes.shapes()[0];
    let path = counter
        .index
        .path(branch.point, &[branch.term], false, &mut counter.dependence);
    let given = counter.given(shape);
    let store = &counter.facts.terms;
    let sizes = counter.sizes;
    let mut walk = Walk::new(
        store,
        &path,
        (&[branch.term], given),
        (&sizes, shape),
        LIMIT,
    );
    walk.all(&sizes, &mut |request, lanes| {
        branch.arriving = branch.arriving.saturating_add(request.times);
        let values: Vec<Option<bool>> = (0..request.threads.len())
            .map(|lane| {
                let active = request.active[lane] != Activity::No;
                let value = active.then(|| lanes.value(branch.term, lane))?;
                Some(value.ok()? != 0)
            })
            .collect();
        let has = |wanted: bool| values.contains(&Some(wanted));
        if has(true) && has(false) {
            branch.divergent = branch.divergent.saturating_add(request.times);
            branch.split.get_or_insert(Split {
                block_dim: shape.block,
                block: request.site.block,
                warp: request.warp,
                lanes: values,
            });
        }
    });
    let went = walk.went();
    branch.answer = match (walk.complete && sizes.block_is_known(), path.by_data) {
        (true, false) => CostAnswer::Exact,
        (_, true) => CostAnswer::Conditional,
        (false, false) => CostAnswer::Shown,
    };
    let loops = counter.index.loops(branch.point);
    branch.weight = counter
        .words
        .weight(&went, &loops, (&sizes, shape), &mut counter.dependence);
}
