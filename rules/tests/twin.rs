//! The naive twin: the pairs in question, by another engine (crepe) and a plainer encoding, agree
//! with candidates and discharged pairs together.
//!
//! The twin counts, per run, how often each loop's back edge was crossed since the head (0, 1 or
//! more often), loop by loop, and reads off the outermost; the rules keep only that outermost.

#![allow(
    clippy::all,
    clippy::iter_over_hash_type,
    missing_docs,
    reason = "crepe expands to code that clippy has opinions on"
)]

mod common;

use std::collections::BTreeSet;

use common::Builder;
use common::generate::{Dice, Generator, Shape};
use crepe::crepe;
use proptest::prelude::*;
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

/// Two bits a loop: how often its back edge was crossed, up to 2.
type Counts = u64;

fn count(counts: Counts, id: u32) -> u64 {
    (counts >> (2 * id)) & 3
}

fn without(counts: Counts, id: u32) -> Counts {
    counts & !(3 << (2 * id))
}

crepe! {
    @input
    struct Edge(u32, u32);
    @input
    struct Back(u32, u32, u32);
    @input
    struct Plain(u32, u32);
    @input
    struct InLoop(u32, u32);
    @input
    struct Head(Scope, u32);
    @input
    struct Cut(Scope, u32);
    // Scope of the pair and of the intervals, access, point, memory.
    @input
    struct Asked(PairScope, Scope, u32, u32, u32);
    @input
    struct Writes(u32);
    @input
    struct Exits(Scope, u32, u32);
    // All loops with the loops outside them, as a set of bits, and their masks by point.
    @input
    struct Mask(u32, u64);
    @input
    struct Inner(u32, u64);

    struct Reach(Scope, u32, u32, Counts);
    struct Step(Scope, u32, u32, u32, Counts);
    struct At(PairScope, Scope, u32, u32, u32, Counts);
    struct Follows(Scope, u32, u32);
    struct Later(Scope, u32, u32);
    struct Leads(Scope, u32, u32);

    @output
    struct Pair(PairScope, u32, u32, Counts, u32, Counts);
    @output
    struct ExitPair(PairScope, u32, u32, Counts, u32, u32);

    Step(s, h, h, t, 0) <- Head(s, h), Edge(h, t);
    Step(s, h, f, t, c) <- Reach(s, h, f, c), !Cut(s, f), Edge(f, t);
    // Counts of loops that are left are forgotten.
    Reach(s, h, t, c & keep) <- Step(s, h, f, t, c), Plain(f, t), Mask(t, keep);
    // A back edge of a loop around the head counts, and restarts the loops inside.
    Reach(s, h, t, (crossed(c, l) & !inner) & keep) <-
        Step(s, h, f, t, c), Back(f, t, l), InLoop(h, l), Inner(l, inner), Mask(t, keep);
    Reach(s, h, t, c & keep) <- Step(s, h, f, t, c), Back(f, t, l), !InLoop(h, l), Mask(t, keep);

    At(p, s, h, a, m, c) <- Asked(p, s, a, x, m), Reach(s, h, x, c);
    Pair(p, h, a, c, b, d) <- At(p, s, h, a, m, c), Writes(a), At(p, s, h, b, m, d);

    Follows(s, h, b) <- Reach(s, h, b, _), Cut(s, b);
    Later(s, h, b) <- Follows(s, h, b);
    Later(s, h, b) <- Later(s, h, x), Follows(s, x, b);
    Leads(s, r, f) <- Exits(s, _, r), Edge(f, r);
    Leads(s, r, f) <- Leads(s, r, x), !Cut(s, x), Edge(f, x);
    ExitPair(p, h, a, c, b, r) <-
        At(p, s, h, a, m, c), Asked(p, s, a, x, m), Exits(s, _, r), Leads(s, r, x),
        Later(s, h, k), At(p, s, k, b, m, _), Writes(a);
    ExitPair(p, h, a, c, b, r) <-
        At(p, s, h, a, m, c), Asked(p, s, a, x, m), Exits(s, _, r), Leads(s, r, x),
        Later(s, h, k), At(p, s, k, b, m, _), Writes(b);
}

fn crossed(counts: Counts, id: u32) -> Counts {
    let more = (count(counts, id) + 1).min(2);
    without(counts, id) | (more << (2 * id))
}

type Row = (
    PairScope,
    u32,
    u32,
    Option<u32>,
    bool,
    u32,
    Option<u32>,
    bool,
    Option<u32>,
);

/// The outermost loop that was crossed, by the order of heads, which is that of ids here.
fn outermost(counts: Counts) -> (Option<u32>, bool) {
    (0..32)
        .find(|&id| count(counts, id) > 0)
        .map_or((None, false), |id| (Some(id), count(counts, id) > 1))
}

fn naive(
    facts: &Facts,
    same: &BTreeSet<AccessId>,
    uniform: &BTreeSet<(TermId, Scope)>,
) -> BTreeSet<Row> {
    let scopes = [Scope::Block, Scope::Grid];
    let mut twin = Crepe::new();
    let back: BTreeSet<(u32, u32)> = facts
        .back_edge
        .iter()
        .map(|row| (row.from.0, row.to.0))
        .collect();
    twin.extend(facts.cfg_edge.iter().map(|row| Edge(row.from.0, row.to.0)));
    twin.extend(
        facts
            .cfg_edge
            .iter()
            .filter(|row| !back.contains(&(row.from.0, row.to.0)))
            .map(|row| Plain(row.from.0, row.to.0)),
    );
    twin.extend(
        facts
            .back_edge
            .iter()
            .map(|row| Back(row.from.0, row.to.0, row.loop_id.0)),
    );
    twin.extend(
        facts
            .loop_at
            .iter()
            .map(|row| InLoop(row.point.0, row.loop_id.0)),
    );
    let loops = |point: PointId| {
        facts
            .loop_at
            .iter()
            .filter(move |row| row.point == point)
            .map(|row| row.loop_id)
    };
    for row in &facts.point {
        let mask = loops(row.point).fold(0, |mask, id| mask | (3u64 << (2 * id.0)));
        twin.extend([Mask(row.point.0, mask)]);
    }
    for row in &facts.loop_ {
        let inside = facts.loop_.iter().filter(|other| {
            other.loop_id != row.loop_id && loops(other.head).any(|id| id == row.loop_id)
        });
        let mask = inside.fold(0, |mask, other| mask | (3u64 << (2 * other.loop_id.0)));
        twin.extend([Inner(row.loop_id.0, mask)]);
    }
    for scope in scopes {
        twin.extend([Head(scope, 0)]);
        for row in &facts.barrier {
            if row.kind == BarrierKind::Grid || scope == Scope::Block {
                twin.extend([Head(scope, row.point.0)]);
                twin.extend([Cut(scope, row.point.0)]);
            }
        }
    }
    for row in facts
        .access
        .iter()
        .filter(|row| !same.contains(&row.access))
    {
        let array = &facts.array[row.array.index()];
        let mut asked = vec![(PairScope::Block, Scope::Block)];
        if array.space == Space::Global {
            asked.push((PairScope::Grid, Scope::Grid));
        }
        for (pair, scope) in asked {
            twin.extend([Asked(
                pair,
                scope,
                row.access.0,
                row.point.0,
                array.storage.0,
            )]);
        }
        if row.kind != AccessKind::Read {
            twin.extend([Writes(row.access.0)]);
        }
    }
    let agreed = |point: PointId, scope: Scope| {
        facts
            .guard_at
            .iter()
            .filter(|row| row.point == point)
            .all(|row| uniform.contains(&(row.term, scope)))
    };
    for row in facts
        .point
        .iter()
        .filter(|row| row.kind == PointKind::Return)
    {
        for scope in scopes {
            let breaks = facts
                .break_at
                .iter()
                .filter(|leave| loops(row.point).any(|id| id == leave.loop_id));
            let mut leavings: Vec<PointId> = breaks.map(|leave| leave.point).collect();
            leavings.extend(
                facts
                    .point
                    .iter()
                    .filter(|other| {
                        other.kind == PointKind::Return
                            && loops(other.point).any(|id| loops(row.point).any(|mine| mine == id))
                    })
                    .map(|other| other.point),
            );
            leavings.push(row.point);
            if !leavings.into_iter().all(|point| agreed(point, scope)) {
                twin.extend([Exits(scope, 0, row.point.0)]);
            }
        }
    }
    let (pairs, exits) = twin.run();
    let mut rows = BTreeSet::new();
    for Pair(scope, head, a, c, b, d) in pairs {
        let one = (a, outermost(c));
        let other = (b, outermost(d));
        let (first, second) = if one <= other {
            (one, other)
        } else {
            (other, one)
        };
        rows.insert((
            scope, head, first.0, first.1.0, first.1.1, second.0, second.1.0, second.1.1, None,
        ));
    }
    for ExitPair(scope, head, a, c, b, exit) in exits {
        let state = outermost(c);
        rows.insert((scope, head, a, state.0, state.1, b, None, false, Some(exit)));
    }
    rows
}

fn check(seed: u64) -> Result<usize, TestCaseError> {
    let mut dice = Dice::new(seed ^ 0x7717);
    let mut builder = Builder::line(4, 2);
    let arrays = vec![builder.array(Space::Shared), builder.array(Space::Global)];
    let symbols = vec![builder.symbol("n")];
    let shape = Shape {
        uniform_control: dice.roll(2) == 0,
        early_exits: dice.roll(2) == 0,
        barriers: &[BarrierKind::Block, BarrierKind::Block, BarrierKind::Grid],
        depth: 3,
    };
    let body = Generator::new(&mut builder, seed, shape, arrays, symbols).kernel();
    builder.body(&body);
    let facts = builder.finish();
    let derived = derive(&facts, &Options::default());
    let same = derived.same_access.iter().map(|row| row.access).collect();
    let mut uniform = BTreeSet::new();
    for row in &derived.uniform {
        for scope in [Scope::Block, Scope::Grid] {
            if row.scope >= scope {
                uniform.insert((row.term, scope));
            }
        }
    }
    let naive = naive(&facts, &same, &uniform);
    let mut ours = BTreeSet::new();
    for row in &derived.candidate_race {
        let full = (
            row.scope,
            row.head.0,
            row.first.0,
            row.first_carried.map(|id| id.0),
            row.first_repeated,
            row.second.0,
            row.second_carried.map(|id| id.0),
            row.second_repeated,
            row.exit.map(|id| id.0),
        );
        prop_assert!(
            naive.contains(&full),
            "seed {seed}: only the rules have {row:?}\n{body:?}"
        );
        ours.insert(full);
    }
    for row in &derived.discarded_race {
        ours.insert((
            row.scope,
            row.head.0,
            row.first.0,
            row.first_carried.map(|id| id.0),
            row.first_repeated,
            row.second.0,
            row.second_carried.map(|id| id.0),
            row.second_repeated,
            row.exit.map(|id| id.0),
        ));
    }
    prop_assert_eq!(&ours, &naive, "seed {}\n{:?}", seed, body);
    Ok(ours.len())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_twin_finds_the_same_pairs(seed in any::<u64>()) {
        check(seed)?;
    }
}

#[test]
fn the_twin_has_pairs_to_compare() {
    let pairs: usize = (0..100)
        .map(|seed| check(seed).unwrap_or_else(|error| panic!("{error}")))
        .sum();
    assert!(pairs > 1000, "{pairs} pairs");
}
