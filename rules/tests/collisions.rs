//! Candidates against brute force: random kernels are run by all threads of a small launch, and
//! every two accesses that collide in one interval (or after an early exit) must be covered by a
//! candidate. So no rule discharges a pair that races, and no interval or group loses one.

mod common;

use std::collections::{BTreeMap, BTreeSet};

use common::generate::{Dice, Generator, Shape};
use common::{Builder, Event, Stmt, Thread, evaluate, run};
use proptest::prelude::*;
use warplog_facts::derived::CandidateRaceRow;
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

struct Case {
    facts: Facts,
    body: Vec<Stmt>,
    threads: Vec<Thread>,
}

fn case(seed: u64, early_exits: bool) -> Case {
    let mut dice = Dice::new(seed ^ 0x5eed);
    let block = [2 + dice.number(3), 1 + dice.number(2), 1];
    let grid = [1 + dice.number(2), 1, 1];
    let symbolic = dice.roll(2) == 0;
    let known =
        |extent: [i128; 3]| extent.map(|extent| (!symbolic || extent == 1).then_some(extent));
    let mut builder = Builder::new(known(block), known(grid));
    let arrays = vec![builder.array(Space::Shared), builder.array(Space::Global)];
    let symbols = vec![builder.symbol("n"), builder.symbol("m")];
    let shape = Shape {
        uniform_control: true,
        early_exits,
        barriers: if dice.roll(4) == 0 {
            &[BarrierKind::Block, BarrierKind::Grid]
        } else {
            &[BarrierKind::Block]
        },
        depth: 2,
    };
    let body = Generator::new(&mut builder, seed, shape, arrays, symbols).kernel();
    builder.body(&body);
    let values = vec![dice.number(4), dice.number(3)];
    let mut threads = Vec::new();
    for b in 0..grid[0] {
        for y in 0..block[1] {
            for x in 0..block[0] {
                threads.push(Thread {
                    tid: [x, y, 0],
                    bid: [b, 0, 0],
                    block,
                    grid,
                    symbols: values.clone(),
                });
            }
        }
    }
    Case {
        facts: builder.finish(),
        body,
        threads,
    }
}

/// What a thread did in one interval.
struct Phase {
    head: Event,
    accesses: Vec<(AccessId, i128, Event)>,
    /// The return by which it left, and how many accesses it had done by then.
    exit: Option<PointId>,
}

fn phases(case: &Case, thread: &Thread, scope: Scope) -> Option<Vec<Phase>> {
    let events = run(&case.facts, thread, &case.body)?;
    let start = Event {
        point: PointId(0),
        iterations: BTreeMap::new(),
    };
    let mut phases = vec![Phase {
        head: start,
        accesses: Vec::new(),
        exit: None,
    }];
    for event in events {
        let phase = phases.last_mut()?;
        let facts = &case.facts;
        match facts.point[event.point.index()].kind {
            PointKind::Access => {
                let row = facts.access.iter().find(|row| row.point == event.point)?;
                let offset = evaluate(facts, thread, &event.iterations, row.index).ok()?;
                phase.accesses.push((row.access, offset, event));
            }
            PointKind::Barrier => {
                let kind = facts
                    .barrier
                    .iter()
                    .find(|row| row.point == event.point)?
                    .kind;
                let cuts = match scope {
                    Scope::Grid => kind == BarrierKind::Grid,
                    _ => kind != BarrierKind::Warp,
                };
                if cuts {
                    phases.push(Phase {
                        head: event,
                        accesses: Vec::new(),
                        exit: None,
                    });
                }
            }
            PointKind::Return => phase.exit = Some(event.point),
            _ => {}
        }
    }
    Some(phases)
}

struct Cover<'a> {
    facts: &'a Facts,
    candidates: &'a [CandidateRaceRow],
    representative: BTreeMap<AccessId, AccessId>,
    loops: BTreeSet<(PointId, LoopId)>,
}

impl Cover<'_> {
    fn fits(&self, head: &Event, at: &Event, carried: Option<LoopId>, repeated: bool) -> bool {
        let mut common: Vec<LoopId> = head
            .iterations
            .keys()
            .copied()
            .filter(|&id| self.loops.contains(&(at.point, id)))
            .collect();
        common.sort_by_key(|id| self.facts.loop_[id.index()].head);
        for id in common {
            let steps = at.iterations[&id] - head.iterations[&id];
            if Some(id) == carried {
                return if repeated { steps >= 1 } else { steps == 1 };
            }
            if steps != 0 {
                return false;
            }
        }
        carried.is_none()
    }

    fn covers(
        &self,
        row: &CandidateRaceRow,
        head: &Event,
        (first, first_at): (AccessId, &Event),
        (second, second_at): (AccessId, &Event),
        exit: Option<PointId>,
    ) -> bool {
        let rep = |access: AccessId| self.representative.get(&access).copied().unwrap_or(access);
        row.first == rep(first)
            && row.second == rep(second)
            && row.exit == exit
            && row.head == head.point
            && self.fits(head, first_at, row.first_carried, row.first_repeated)
            && (exit.is_some()
                || self.fits(head, second_at, row.second_carried, row.second_repeated))
    }
}

/// The number of collisions, all of which were covered.
fn check(seed: u64, early_exits: bool) -> Result<usize, TestCaseError> {
    let case = case(seed, early_exits);
    let facts = &case.facts;
    let derived = derive(facts, &Options::default());
    let cover = Cover {
        facts,
        candidates: &derived.candidate_race,
        representative: derived
            .same_access
            .iter()
            .map(|row| (row.access, row.representative))
            .collect(),
        loops: facts
            .loop_at
            .iter()
            .map(|row| (row.point, row.loop_id))
            .collect(),
    };
    let mut collisions = 0;
    for (scope, asked) in [
        (Scope::Block, PairScope::Block),
        (Scope::Grid, PairScope::Grid),
    ] {
        let Some(runs) = case
            .threads
            .iter()
            .map(|thread| phases(&case, thread, scope))
            .collect::<Option<Vec<_>>>()
        else {
            return Ok(0);
        };
        for (i, one) in case.threads.iter().enumerate() {
            for (j, other) in case.threads.iter().enumerate() {
                if i == j || (one.bid == other.bid) != (asked == PairScope::Block) {
                    continue;
                }
                for (n, ours) in runs[i].iter().enumerate() {
                    for (m, theirs) in runs[j].iter().enumerate() {
                        // In one interval; or the first thread left in an earlier one.
                        let exit = if n == m { None } else { ours.exit };
                        let concurrent = n == m || (ours.exit.is_some() && n < m);
                        if !concurrent || (n == m && i > j) {
                            continue;
                        }
                        if n == m {
                            prop_assert_eq!(ours.head.point, theirs.head.point);
                        }
                        for (a, at, one_event) in &ours.accesses {
                            for (b, bt, other_event) in &theirs.accesses {
                                let (x, y) = (&facts.access[a.index()], &facts.access[b.index()]);
                                let apart = at + i128::from(x.bytes) <= *bt
                                    || bt + i128::from(y.bytes) <= *at;
                                let reads =
                                    x.kind == AccessKind::Read && y.kind == AccessKind::Read;
                                let shared = facts.array[x.array.index()].space == Space::Shared;
                                if apart
                                    || reads
                                    || x.array != y.array
                                    || (shared && asked == PairScope::Grid)
                                {
                                    continue;
                                }
                                collisions += 1;
                                let covered = cover.candidates.iter().any(|row| {
                                    row.scope == asked
                                        && (cover.covers(
                                            row,
                                            &ours.head,
                                            (*a, one_event),
                                            (*b, other_event),
                                            exit,
                                        ) || (exit.is_none()
                                            && cover.covers(
                                                row,
                                                &ours.head,
                                                (*b, other_event),
                                                (*a, one_event),
                                                None,
                                            )))
                                });
                                prop_assert!(
                                    covered,
                                    "seed {seed} exits {early_exits}: {asked:?} {a:?} at {at} by {one:?} in {one_event:?}\n\
                                     {b:?} at {bt} by {other:?} in {other_event:?}\nhead {:?} exit {exit:?}\n{:#?}\n{:?}",
                                    ours.head,
                                    derived
                                        .discarded_race
                                        .iter()
                                        .filter(|row| [*a, *b].contains(&row.first)
                                            || [*a, *b].contains(&row.second))
                                        .collect::<Vec<_>>(),
                                    case.body
                                );
                            }
                        }
                    }
                }
            }
        }
    }
    Ok(collisions)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_collision_is_a_candidate(seed in any::<u64>()) {
        check(seed, false)?;
    }

    #[test]
    fn every_collision_with_an_exited_thread_is_a_candidate(seed in any::<u64>()) {
        check(seed, true)?;
    }
}

/// The random kernels above collide, and have pairs that each of the main rules discharges: the
/// tests above are not vacuous.
#[test]
fn random_kernels_exercise_collisions_and_rules() {
    let mut collisions = 0;
    let mut rules: BTreeMap<String, usize> = BTreeMap::new();
    for seed in 0..300 {
        collisions += check(seed, false).unwrap_or_else(|error| panic!("{error}"));
        let derived = derive(&case(seed, false).facts, &Options::default());
        for row in derived.discarded_race {
            *rules.entry(row.rule).or_default() += 1;
        }
    }
    assert!(collisions > 1000, "{collisions} collisions");
    for rule in [
        "same-injective-index",
        "separated-residues",
        "disjoint-ranges",
        "one-thread-only",
        "contradictory-guards",
        "single-block",
    ] {
        assert!(rules.contains_key(rule), "{rule} never fired: {rules:?}");
    }
}
