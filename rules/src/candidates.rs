//! Candidate conflicting pairs: two accesses to one memory, at least one of which writes, in one
//! barrier interval (or, after an early exit, in two); split into those that a rule discharges and
//! those that the solver must decide.
//!
//! **Algorithm.** Intervals first: `touches(head, memory, access)`, joined with the writes among
//! them. Only representatives of equal accesses take part. Whether threads of two blocks, two
//! warps or one warp are asked for, the same join is made over the intervals of that scope.
//!
//! A bulk copy that a barrier counts is under way until a phase has ended: barriers that its thread passes in the meantime do not end it. It makes pairs
//! with all that comes later, also with what its own thread does. So does a write that a bulk copy does not see, as no fence of proxies
//! stands between, also where phases of barriers, and no barrier, order the two threads.
//!
//! **Accuracy.** Complete: two accesses that some two threads may perform with no barrier of their
//! scope between are a candidate or discharged, once for each pair of states in which the interval
//! reaches them.

use ascent::ascent_run;
use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{CandidateRaceRow, DiscardedRaceRow, InsideRow, SameAccessRow};
use warplog_facts::words::{PairScope, Scope, Space};
use warplog_facts::{AccessId, ArrayId, LaunchId, PointId};

use crate::Options;
use crate::context::{Context, Level, OF_CLUSTERS};
use crate::discharge::discharge;
use crate::offsets::judge::Judge;
use crate::offsets::outcome::Proof;
use crate::pair::{Pair, State, interval_scope};
use crate::proxies::Proxies;
use crate::warps::Arms;

/// The level of a thread and a copy of its own.
const OWN: Level = (Scope::Block, 0);

/// In which scopes pairs of accesses to a memory are asked for.
fn asked(
    ctx: &Context<'_>,
    options: &Options,
    out_of_step: &FxHashSet<LaunchId>,
    storage: ArrayId,
) -> Vec<(PairScope, u32)> {
    let row = &ctx.facts.array[storage.index()];
    let mut scopes = Vec::new();
    if matches!(row.space, Space::Shared | Space::Global) && !options.only_inter_block {
        for &(scope, groups) in ctx.levels(row.launch) {
            match scope {
                Scope::Warp => scopes.push((PairScope::Warp, groups)),
                Scope::Block if ctx.has_warp_barrier(row.launch) => {
                    scopes.push((PairScope::InterWarp, groups));
                }
                Scope::Block => scopes.push((PairScope::Block, groups)),
                Scope::Grid | Scope::System => {}
            }
        }
    }
    if row.space == Space::Global && !options.only_intra_block {
        let groups = if ctx.is_of_cluster(storage) && !out_of_step.contains(&row.launch) {
            OF_CLUSTERS.1
        } else {
            0
        };
        scopes.push((PairScope::Grid, groups));
    }
    scopes
}

/// Intervals, what leaves the kernel behind an access, what copies do not see, and where blocks of a cluster are out of step.
type Reached<'c> = (
    &'c [InsideRow],
    &'c FxHashMap<PointId, Vec<(Level, PointId)>>,
    &'c Proxies,
    &'c FxHashSet<LaunchId>,
);

/// The rows of `candidate_race` and `discarded_race`.
pub(crate) fn candidates(
    ctx: &Context<'_>,
    options: &Options,
    (inside, exits, proxies, out_of_step): Reached<'_>,
    same: &[SameAccessRow],
    judge: &Judge<'_>,
    arms: &Arms<'_>,
) -> (Vec<CandidateRaceRow>, Vec<DiscardedRaceRow>) {
    // What annotations read, nobody reads.
    let annotations = ctx.facts.annotation_read.iter().map(|row| row.access);
    let represented: FxHashSet<AccessId> = same
        .iter()
        .map(|row| row.access)
        .chain(annotations)
        .collect();
    let mut access_at: FxHashMap<PointId, AccessId> = FxHashMap::default();
    let mut storages: FxHashSet<ArrayId> = FxHashSet::default();
    let mut writes = Vec::new();
    let mut exit_of = Vec::new();
    let mut lasting: Vec<(AccessId, PointId)> = Vec::new();
    for row in &ctx.facts.access {
        if represented.contains(&row.access) {
            continue;
        }
        access_at.insert(row.point, row.access);
        let storage = ctx.storage(row.access);
        if ctx.writes(row.access) {
            storages.insert(storage);
            writes.push((row.access,));
        }
        for &(level, exit) in exits.get(&row.point).into_iter().flatten() {
            exit_of.push((level, row.access, exit));
        }
        // A copy is under way behind barriers, too.
        if ctx.completes(row.access).is_some() {
            lasting.push((row.access, row.point));
        }
    }
    let unfenced = proxies
        .writes()
        .filter(|write| !represented.contains(write));
    lasting.extend(unfenced.map(|write| (write, ctx.access(write).point)));
    lasting.sort_unstable();
    // Of what lasts, whether the two can be one after the other, and need a fence of proxies if the first is no copy.
    let meets = |first: AccessId, second: AccessId| {
        let conflict = ctx.writes(first) || ctx.writes(second);
        conflict && (ctx.is_bulk(first) || proxies.are_unfenced(first, second))
    };
    let comes_later = |first: AccessId, second: AccessId| {
        let (from, to) = (ctx.access(first).point, ctx.access(second).point);
        let again = ctx
            .loops(from)
            .first()
            .is_some_and(|&id| ctx.in_loop(to, id));
        from < to || again
    };
    let mut storages: Vec<ArrayId> = storages.into_iter().collect();
    storages.sort_unstable();
    let mut asks = Vec::new();
    for storage in storages {
        for (scope, groups) in asked(ctx, options, out_of_step, storage) {
            let level = (interval_scope(scope), groups);
            asks.push((storage, (scope, groups), level));
        }
    }
    let mut touches = Vec::new();
    let mut follows = Vec::new();
    for row in inside {
        let level = (row.scope, row.groups);
        if let Some(&access) = access_at.get(&row.point) {
            let state = (row.carried, row.repeated);
            touches.push((level, row.head, ctx.storage(access), access, state));
        }
        let barrier = ctx.barrier_at(row.point);
        if barrier.is_some_and(|barrier| ctx.separates(barrier, level)) {
            follows.push((level, row.head, row.point));
        }
    }
    if exit_of.is_empty() && lasting.is_empty() {
        follows.clear();
    }
    let program = ascent_run! {
        relation asks(ArrayId, (PairScope, u32), Level) = asks;
        relation touches(Level, PointId, ArrayId, AccessId, State) = touches;
        relation writes(AccessId) = writes;
        relation exit_of(Level, AccessId, PointId) = exit_of;
        relation lasting(AccessId, PointId) = lasting;
        relation under_way(Level, PointId, ArrayId, AccessId, State, PointId);
        relation follows(Level, PointId, PointId) = follows;
        relation written(Level, PointId, ArrayId, AccessId, State);
        relation later(Level, PointId, PointId);
        relation leaver(Level, PointId, ArrayId, AccessId, State, PointId);
        relation pair(Pair);

        written(scope, head, storage, access, state) <--
            touches(scope, head, storage, access, state), writes(access);
        // R26: a write and another access to the memory in one interval are a pair.
        pair(Pair::ordered(*asked, *head, (*first, *first_state), (*second, *second_state))) <--
            asks(storage, asked, scope),
            written(scope, head, storage, first, first_state),
            touches(scope, head, storage, second, second_state),
            if !ctx.writes(*second) || (first, first_state) <= (second, second_state);

        // R27: an interval is later than another if it begins where that one or a later one ends.
        later(scope, head, next) <-- follows(scope, head, next);
        later(scope, head, next) <-- later(scope, head, between), follows(scope, between, next);
        // R28: an access of a thread that then leaves the kernel, and any of a later interval.
        leaver(scope, head, storage, access, state, exit) <--
            exit_of(scope, access, exit), touches(scope, head, storage, access, state);
        pair(Pair {
            scope: asked.0, groups: asked.1, head: *head, first: *first, first_state: *state, second: *second,
            second_state: (None, false), exit: Some(*exit),
        }) <--
            leaver(scope, head, storage, first, state, exit),
            asks(storage, asked, scope),
            later(scope, head, next),
            touches(scope, next, storage, second, _state),
            if ctx.writes(*first) || ctx.writes(*second);

        // R54: what a bulk copy does until its phase ends, or a copy does not see of what a thread wrote, and any access of a later interval.
        under_way(scope, head, storage, access, state, point) <--
            lasting(access, point), touches(scope, head, storage, access, state);
        pair(Pair {
            scope: asked.0, groups: asked.1, head: *head, first: *first, first_state: *state, second: *second,
            second_state: (None, false), exit: Some(*point),
        }) <--
            under_way(scope, head, storage, first, state, point),
            asks(storage, asked, scope),
            later(scope, head, next),
            touches(scope, next, storage, second, _state),
            if meets(*first, *second);
        // R55: the same of the thread that issues it, behind that.
        pair(Pair {
            scope: PairScope::Own, groups: 0, head: *head, first: *first, first_state: *state, second: *second,
            second_state: (None, false), exit: Some(*point),
        }) <--
            under_way(scope, head, storage, first, state, point),
            if *scope == OWN && !options.only_inter_block,
            later(scope, head, next),
            touches(scope, next, storage, second, _state),
            if meets(*first, *second) && comes_later(*first, *second);
        pair(Pair {
            scope: PairScope::Own, groups: 0, head: *head, first: *first, first_state: *state, second: *second,
            second_state: (None, false), exit: Some(*point),
        }) <--
            under_way(scope, head, storage, first, state, point),
            if *scope == OWN && !options.only_inter_block,
            touches(scope, head, storage, second, _state),
            if meets(*first, *second) && comes_later(*first, *second);
    };
    let mut pairs: Vec<Pair> = program.pair.into_iter().map(|(pair,)| pair).collect();
    // What phases order within an interval is not ordered for a copy that does not see the write.
    let crossing: Vec<Pair> = pairs
        .iter()
        .flat_map(|pair| {
            let both = [
                (pair.first, pair.first_state, pair.second),
                (pair.second, pair.second_state, pair.first),
            ];
            let crosses = both.into_iter().filter(|&(write, _, copy)| {
                let ordered =
                    pair.scope != PairScope::Grid && judge.given.phases.may_order(write, copy);
                pair.exit.is_none() && ordered && proxies.are_unfenced(write, copy)
            });
            crosses.map(|(write, state, copy)| Pair {
                first: write,
                first_state: state,
                second: copy,
                second_state: (None, false),
                exit: Some(ctx.access(write).point),
                ..*pair
            })
        })
        .collect();
    pairs.extend(crossing);
    pairs.sort_unstable();
    pairs.dedup();
    let (mut candidates, mut discarded) = (Vec::new(), Vec::new());
    for pair in pairs {
        let launch = ctx.launch_of(pair.head);
        let (lock_step, around) = arms.lock_step(ctx, &pair);
        match discharge(judge, &pair, lock_step) {
            None => candidates.push(CandidateRaceRow {
                launch,
                first: pair.first,
                second: pair.second,
                scope: pair.scope,
                groups: pair.groups,
                head: pair.head,
                first_carried: pair.first_state.0,
                first_repeated: pair.first_state.1,
                second_carried: pair.second_state.0,
                second_repeated: pair.second_state.1,
                exit: pair.exit,
                lock_step,
                around,
            }),
            Some(Proof { rule, evidence }) => discarded.push(DiscardedRaceRow {
                launch,
                first: pair.first,
                second: pair.second,
                scope: pair.scope,
                groups: pair.groups,
                head: pair.head,
                first_carried: pair.first_state.0,
                first_repeated: pair.first_state.1,
                second_carried: pair.second_state.0,
                second_repeated: pair.second_state.1,
                exit: pair.exit,
                rule: rule.to_owned(),
                evidence,
            }),
        }
    }
    candidates.sort_unstable();
    discarded.sort_unstable();
    (candidates, discarded)
}
