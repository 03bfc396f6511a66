//! `inside` and `skips` against runs: whatever a thread of a random structured kernel does, the
//! rows describe it.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::generate::{Generator, Shape};
use common::{Builder, Event, Stmt, Thread, evaluate, run};
use proptest::prelude::*;
use warplog_facts::derived::InsideRow;
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

const FREE: Shape = Shape {
    uniform_control: false,
    early_exits: true,
    barriers: &[
        BarrierKind::Block,
        BarrierKind::Block,
        BarrierKind::Warp,
        BarrierKind::Grid,
    ],
    depth: 3,
};

fn separates(kind: BarrierKind, scope: Scope) -> bool {
    match scope {
        Scope::Warp => true,
        Scope::Block => kind != BarrierKind::Warp,
        _ => kind == BarrierKind::Grid,
    }
}

fn loops_at(facts: &Facts) -> BTreeMap<PointId, BTreeSet<LoopId>> {
    let mut loops: BTreeMap<PointId, BTreeSet<LoopId>> = BTreeMap::new();
    for row in &facts.loop_at {
        loops.entry(row.point).or_default().insert(row.loop_id);
    }
    loops
}

/// Whether the row describes a way from the head in its iterations to the point in its.
fn describes(
    facts: &Facts,
    loops: &BTreeMap<PointId, BTreeSet<LoopId>>,
    row: &InsideRow,
    head: &Event,
    at: &Event,
) -> bool {
    let none = BTreeSet::new();
    let around = |point: PointId| loops.get(&point).unwrap_or(&none);
    let mut common: Vec<LoopId> = around(row.head)
        .intersection(around(row.point))
        .copied()
        .collect();
    common.sort_by_key(|id| facts.loop_[id.index()].head);
    for id in common {
        let steps = at.iterations[&id] - head.iterations[&id];
        if Some(id) == row.carried {
            return if row.repeated { steps >= 1 } else { steps == 1 };
        }
        if steps != 0 {
            return false;
        }
    }
    row.carried.is_none()
}

fn check(seed: u64) -> Result<(), TestCaseError> {
    let mut builder = Builder::line(4, 2);
    let array = builder.array(Space::Global);
    let symbol = builder.symbol("n");
    let body: Vec<Stmt> =
        Generator::new(&mut builder, seed, FREE, vec![array], vec![symbol]).kernel();
    builder.body(&body);
    let facts = builder.finish();
    let derived = derive(&facts, &Options::default());
    let loops = loops_at(&facts);
    let barriers: BTreeMap<PointId, BarrierKind> = facts
        .barrier
        .iter()
        .map(|row| (row.point, row.kind))
        .collect();
    let scopes: &[Scope] = if barriers.values().any(|&kind| kind == BarrierKind::Warp) {
        &[Scope::Warp, Scope::Block, Scope::Grid]
    } else {
        &[Scope::Block, Scope::Grid]
    };
    for (tid, n) in [(0, 0), (1, 2), (2, 1), (3, 3)] {
        let thread = Thread {
            tid: [tid, 0, 0],
            bid: [1, 0, 0],
            block: [4, 1, 1],
            grid: [2, 1, 1],
            symbols: vec![n],
        };
        let Some(events) = run(&facts, &thread, &body) else {
            continue;
        };
        for &scope in scopes {
            let mut head = Event {
                point: PointId(0),
                iterations: BTreeMap::new(),
            };
            for event in &events {
                let rows: Vec<&InsideRow> = derived
                    .inside
                    .iter()
                    .filter(|row| {
                        row.scope == scope && row.head == head.point && row.point == event.point
                    })
                    .filter(|row| describes(&facts, &loops, row, &head, event))
                    .collect();
                prop_assert!(
                    !rows.is_empty(),
                    "seed {seed}: {scope:?} {head:?} {event:?}\n{body:?}"
                );
                // Every state that describes the run must allow it.
                for row in rows {
                    for skip in derived.skips.iter().filter(|skip| {
                        (skip.scope, skip.head, skip.point, skip.carried)
                            == (scope, head.point, event.point, row.carried)
                    }) {
                        let place = match skip.place {
                            Place::Head => &head.iterations,
                            Place::Access => &event.iterations,
                        };
                        let guards = facts
                            .guard_at
                            .iter()
                            .filter(|row| row.point == skip.barrier);
                        let executed = guards
                            .map(|row| {
                                let value = evaluate(&facts, &thread, place, row.term);
                                value.map(|value| (value != 0) == row.polarity)
                            })
                            .collect::<Result<Vec<bool>, _>>();
                        let executed = executed.expect("guards have values where they are read");
                        prop_assert!(
                            executed.contains(&false),
                            "seed {seed}: {skip:?} but its guard holds\n{head:?} {event:?}\n{body:?}"
                        );
                    }
                }
                if barriers
                    .get(&event.point)
                    .is_some_and(|&kind| separates(kind, scope))
                {
                    head = event.clone();
                }
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn rows_describe_every_run(seed in any::<u64>()) {
        check(seed)?;
    }
}

/// `for (…) { x; __syncthreads(); y; }`: what is where, relative to which head.
#[test]
fn a_barrier_in_a_loop_carries_into_the_next_iteration() {
    let mut b = Builder::line(64, 1);
    let array = b.array(Space::Shared);
    let id = b.new_loop();
    let iter = b.iter(id);
    let condition = b.opi(Op::Lt, iter, 10);
    let tid = b.tid();
    let index = b.mul(tid, 4);
    let access = Stmt::Access(AccessKind::Write, array, index, 4);
    b.body(&[Stmt::Loop(
        id,
        condition,
        vec![access.clone(), Stmt::Barrier(BarrierKind::Block), access],
    )]);
    let facts = b.finish();
    let derived = derive(&facts, &Options::default());
    let barrier = facts.barrier[0].point;
    let states = |head: PointId, access: usize| -> Vec<(Option<LoopId>, bool)> {
        let point = facts.access[access].point;
        let rows = derived.inside.iter();
        rows.filter(|row| row.scope == Scope::Block && row.head == head && row.point == point)
            .map(|row| (row.carried, row.repeated))
            .collect()
    };
    assert_eq!(states(PointId(0), 0), [(None, false)]);
    assert_eq!(states(PointId(0), 1), []);
    assert_eq!(states(barrier, 0), [(Some(id), false)]);
    assert_eq!(states(barrier, 1), [(None, false)]);
}

/// A barrier that is not on every path round the loop: iterations further apart meet.
#[test]
fn a_conditional_barrier_lets_the_loop_go_round_more_than_once() {
    let mut b = Builder::line(64, 1);
    let array = b.array(Space::Shared);
    let id = b.new_loop();
    let iter = b.iter(id);
    let condition = b.opi(Op::Lt, iter, 10);
    let rem = b.opi(Op::Rem, iter, 4);
    let last = b.opi(Op::Eq, rem, 3);
    let tid = b.tid();
    let index = b.mul(tid, 4);
    b.body(&[Stmt::Loop(
        id,
        condition,
        vec![
            Stmt::Access(AccessKind::Write, array, index, 4),
            Stmt::If(last, vec![Stmt::Barrier(BarrierKind::Block)], vec![]),
        ],
    )]);
    let facts = b.finish();
    let derived = derive(&facts, &Options::default());
    let (barrier, point) = (facts.barrier[0].point, facts.access[0].point);
    let mut states = derived
        .inside
        .iter()
        .filter(|row| row.scope == Scope::Block && row.head == barrier && row.point == point);
    assert_eq!(
        states.next().map(|row| (row.carried, row.repeated)),
        Some((Some(id), false))
    );
    assert_eq!(
        states.next().map(|row| (row.carried, row.repeated)),
        Some((Some(id), true))
    );
    assert_eq!(states.next(), None);
    let skips = derived.skips.iter().filter(|row| row.scope == Scope::Block);
    let places: Vec<_> = skips
        .filter(|row| row.head == barrier && row.point == point)
        .map(|row| (row.barrier, row.place))
        .collect();
    // In the head's iteration it was executed, in the access's it comes later: nothing is known.
    assert_eq!(places, []);
}
