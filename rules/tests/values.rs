//! What passes through memory: stores that reads find again, and results of atomic counters, each with the near miss.

mod common;

use common::{Builder, Stmt};
use warplog_facts::derived::{CountedResultRow, ForwardedLoadRow};
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

const READ: AccessKind = AccessKind::Read;
const SYNC: Stmt = Stmt::Barrier(BarrierKind::Block);

/// The rows for a kernel whose accesses come in the order of the statements; each read has its load term.
/// The stores that reads find whatever holds.
fn forwarded(
    b: &mut Builder,
    statements: &[Stmt],
    reads: &[(AccessId, TermId)],
) -> Vec<ForwardedLoadRow> {
    for &(access, index) in reads {
        b.facts.terms.load(access, index, CType::I64);
    }
    b.body(statements);
    let facts = std::mem::replace(b, Builder::line(64, 2)).finish();
    let derived = derive(&facts, &Options::default());
    let conditional = |row: &ForwardedLoadRow| {
        let mut when = derived.forwarded_when.iter();
        when.any(|when| (when.access, when.write) == (row.access, row.write))
    };
    let rows = derived.forwarded_load.iter();
    rows.filter(|row| !conditional(row)).cloned().collect()
}

/// The values that reads find, and under which conditions.
fn conditionally(b: &mut Builder, statements: &[Stmt]) -> Vec<(TermId, Vec<(TermId, bool)>)> {
    b.body(statements);
    let facts = std::mem::replace(b, Builder::line(64, 2)).finish();
    let derived = derive(&facts, &Options::default());
    let rows = derived.forwarded_load.iter();
    rows.map(|row| {
        let when = derived.forwarded_when.iter();
        let when = when.filter(|when| when.write == row.write);
        let conditions = when.map(|when| (when.term, when.polarity)).collect();
        (row.value, conditions)
    })
    .collect()
}

fn read(array: ArrayId, index: TermId) -> Stmt {
    Stmt::Access(READ, array, index, 8)
}

/// `s[t] = t; __syncthreads(); x = s[t];`, and what may stand in the place of the barrier.
#[test]
fn a_thread_reads_back_what_it_wrote() {
    for (case, expected) in [(0, true), (1, false), (2, false), (3, true), (4, false)] {
        let mut b = Builder::line(64, 2);
        let array = b.array(Space::Shared);
        let other = b.array(Space::Shared);
        let t = b.tid();
        let index = b.mul(t, 8);
        let mirror = b.mul(t, -8);
        let mirror = b.opi(Op::Add, mirror, 504);
        let first = b.opi(Op::Lt, t, 32);
        let write = Stmt::Store(array, index, 8, t);
        let overwrite = |array| Stmt::Store(array, mirror, 8, t);
        let (statements, position) = match case {
            0 => (vec![write, SYNC, read(array, index)], 1),
            // Another thread writes in between, in an interval of its own.
            1 => (
                vec![write, SYNC, overwrite(array), SYNC, read(array, index)],
                2,
            ),
            // Half of the threads write.
            2 => (
                vec![
                    Stmt::If(first, vec![write], vec![]),
                    SYNC,
                    read(array, index),
                ],
                1,
            ),
            // In between another array is written.
            3 => (
                vec![write, SYNC, overwrite(other), SYNC, read(array, index)],
                2,
            ),
            // Another slot is read.
            _ => (vec![write, SYNC, read(array, mirror)], 1),
        };
        let place = if case == 4 { mirror } else { index };
        let rows = forwarded(&mut b, &statements, &[(AccessId(position), place)]);
        let found: Vec<_> = rows.iter().map(|row| (row.write, row.value)).collect();
        let right = if expected {
            vec![(AccessId(0), t)]
        } else {
            vec![]
        };
        assert_eq!(found, right, "case {case}");
    }
}

/// `for (…) { x = s[t]; s[t] = t; }` behind `s[t] = t`: from the second round on it finds the loop's store.
#[test]
fn a_store_in_a_loop_is_on_the_way_to_the_read_in_it() {
    for (rewritten, expected) in [(false, 1), (true, 0)] {
        let mut b = Builder::line(64, 2);
        let array = b.array(Space::Shared);
        let (t, n) = (b.tid(), b.symbol("n"));
        let index = b.mul(t, 8);
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.op(Op::Lt, iter, n);
        let mut body = vec![read(array, index)];
        if rewritten {
            body.push(Stmt::Store(array, index, 8, n));
        }
        let statements = [
            Stmt::Store(array, index, 8, t),
            Stmt::Loop(id, condition, body),
        ];
        let rows = forwarded(&mut b, &statements, &[(AccessId(1), index)]);
        assert_eq!(rows.len(), expected, "rewritten: {rewritten}");
    }
}

/// `if (t == 0) s[0] = v; __syncthreads(); x = s[0];`
#[test]
fn a_value_of_the_block_is_read_by_all() {
    for case in 0..6 {
        let mut b = Builder::line(64, 2);
        let array = b.array(if case == 3 {
            Space::Global
        } else {
            Space::Shared
        });
        let (t, block, n) = (b.tid(), b.bid(), b.symbol("n"));
        let zero = b.int(0);
        let condition = match case {
            // Who that is depends on a number that nobody knows, or nobody is.
            1 => b.op(Op::Eq, t, n),
            2 => b.opi(Op::Eq, t, 64),
            _ => b.opi(Op::Eq, t, 5),
        };
        // Equal in the block, or the writer's own.
        let value = if case == 4 { t } else { block };
        let write = Stmt::Store(array, zero, 8, value);
        let mut statements = vec![Stmt::If(condition, vec![write.clone()], vec![])];
        if case == 5 {
            let last = b.opi(Op::Eq, t, 7);
            statements.push(SYNC);
            statements.push(Stmt::If(last, vec![Stmt::Store(array, zero, 8, n)], vec![]));
        }
        statements.extend([SYNC, read(array, zero)]);
        let position = if case == 5 { 2 } else { 1 };
        let rows = forwarded(&mut b, &statements, &[(AccessId(position), zero)]);
        let values: Vec<TermId> = rows.iter().map(|row| row.value).collect();
        let expected = match case {
            0 => vec![block],
            // The later of two.
            5 => vec![n],
            _ => vec![],
        };
        assert_eq!(values, expected, "case {case}");
    }
}

/// `if (t == 0) { if (n < 5) s[0] = 1; else s[0] = 2; } __syncthreads(); x = s[0];` and its like: the stores that the read may
/// find, and whether each depends on a condition.
#[test]
fn a_value_of_the_block_may_depend_on_its_conditions() {
    for case in [
        "two ways",
        "overwritten",
        "of the thread",
        "beside",
        "partly",
    ] {
        let mut b = Builder::line(64, 2);
        let array = b.array(Space::Shared);
        let (t, n) = (b.tid(), b.symbol("n"));
        let [zero, four, eight] = [0, 4, 8].map(|at| b.int(at));
        let (one, two) = (b.int(1), b.int(2));
        let first = b.opi(Op::Eq, t, 0);
        let small = b.opi(Op::Lt, n, 5);
        let of_thread = b.op(Op::Lt, t, n);
        let set = |at, value| Stmt::Store(array, at, 8, value);
        let inner = match case {
            "two ways" => vec![Stmt::If(small, vec![set(zero, one)], vec![set(zero, two)])],
            "overwritten" => vec![
                set(zero, one),
                Stmt::If(small, vec![set(zero, two)], vec![]),
            ],
            "of the thread" => {
                vec![
                    set(zero, one),
                    Stmt::If(of_thread, vec![set(zero, two)], vec![]),
                ]
            }
            "beside" => vec![set(zero, one), set(eight, two)],
            _ => vec![set(zero, one), set(four, two)],
        };
        let statements = [Stmt::If(first, inner, vec![]), SYNC, read(array, zero)];
        b.facts.terms.load(AccessId(2), zero, CType::I64);
        let found = conditionally(&mut b, &statements);
        let expected = match case {
            "two ways" => vec![(one, vec![(small, true)]), (two, vec![(small, false)])],
            "overwritten" => vec![(one, vec![(small, false)]), (two, vec![(small, true)])],
            "beside" => vec![(one, vec![])],
            // The thread itself knows what it wrote.
            "of the thread" => vec![
                (one, vec![(first, true), (of_thread, false)]),
                (two, vec![(first, true), (of_thread, true)]),
            ],
            _ => vec![],
        };
        assert_eq!(found, expected, "{case}");
    }
}

/// `s[t] = t; if (t < n) s[t] = n; x = s[t];` and its like: the value of the thread, or what is not known.
#[test]
fn a_thread_reads_back_what_it_wrote_under_a_condition() {
    for case in ["own", "apart", "ordered", "twice", "earlier"] {
        let mut b = Builder::line(64, 2);
        let array = b.array(Space::Shared);
        let (t, n) = (b.tid(), b.symbol("n"));
        let index = b.mul(t, 8);
        let mirror = b.mul(t, -8);
        let mirror = b.opi(Op::Add, mirror, 504);
        let small = b.op(Op::Lt, t, n);
        let first = b.opi(Op::Lt, t, 32);
        let one = b.int(1);
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.op(Op::Lt, iter, n);
        let write = Stmt::Store(array, index, 8, t);
        let change = |at| Stmt::If(small, vec![Stmt::Store(array, at, 8, n)], vec![]);
        let (between, position) = match case {
            "own" => (vec![change(index)], 2),
            // Of another thread it is concurrent with the write.
            "apart" => (vec![change(mirror)], 2),
            // It is not where barriers stand on both sides.
            "ordered" => (vec![SYNC, change(mirror), SYNC], 2),
            "twice" => (
                vec![
                    change(index),
                    Stmt::If(first, vec![Stmt::Store(array, index, 8, one)], vec![]),
                ],
                3,
            ),
            // In an iteration of which the read knows nothing.
            _ => (vec![Stmt::Loop(id, condition, vec![change(index)])], 2),
        };
        b.facts.terms.load(AccessId(position), index, CType::I64);
        let mut statements = vec![write];
        statements.extend(between);
        statements.push(read(array, index));
        let found = conditionally(&mut b, &statements);
        let expected = match case {
            "own" => vec![(t, vec![(small, false)]), (n, vec![(small, true)])],
            "apart" => vec![(t, vec![(small, false)])],
            "twice" => vec![
                (t, vec![(small, false), (first, false)]),
                (n, vec![(small, true), (first, false)]),
                (one, vec![(first, true)]),
            ],
            _ => vec![],
        };
        assert_eq!(found, expected, "{case}");
    }
}

/// `if (lane == 0) s[w] = v; __syncwarp(); x = s[w];`: the value of the warp.
#[test]
fn a_value_of_a_warp_is_read_by_its_lanes() {
    for (lane, of_warp, expected) in [(0, true, 1), (31, true, 1), (32, true, 0), (0, false, 0)] {
        let mut b = Builder::line(64, 2);
        let array = b.array(Space::Shared);
        let t = b.tid();
        let warp = b.opi(Op::Div, t, 32);
        let within = b.opi(Op::Rem, t, 32);
        let index = b.mul(warp, 8);
        let condition = b.opi(Op::Eq, within, lane);
        let value = if of_warp { warp } else { t };
        let write = Stmt::Store(array, index, 8, value);
        let statements = [
            Stmt::If(condition, vec![write], vec![]),
            SYNC,
            read(array, index),
        ];
        let rows = forwarded(&mut b, &statements, &[(AccessId(1), index)]);
        assert_eq!(rows.len(), expected, "lane {lane}, of the warp: {of_warp}");
    }
}

/// Makes the atomic a counter with a step, whose result is an unknown of its own.
fn counter(facts: &mut Facts, access: AccessId, step: i128) {
    let unknown = result_of(facts, access, "result of atomicAdd");
    facts.atomic_step.push(AtomicStepRow {
        access,
        unknown,
        step,
        times: None,
    });
}

/// A counter that thread 0 sets, and what else touches it.
#[test]
fn results_differ_while_nothing_else_touches_the_counter() {
    // The case, whether there is a row, whether only within a round; and whether it is counted.
    for (case, expected, counted) in [
        ("untouched", Some((Scope::Block, false)), false),
        ("global", Some((Scope::Grid, false)), false),
        ("set before", Some((Scope::Block, true)), true),
        ("set in the interval", None, false),
        ("set in a loop", Some((Scope::Block, true)), true),
        ("set by a carried store", None, false),
        ("another step", None, false),
        ("global and set before", None, false),
    ] {
        let mut b = Builder::line(64, 2);
        let space = if case.starts_with("global") {
            Space::Global
        } else {
            Space::Shared
        };
        let array = b.array(space);
        let (t, n, zero) = (b.tid(), b.symbol("n"), b.int(0));
        let first = b.opi(Op::Eq, t, 0);
        let start = b.int(0);
        let set = || Stmt::If(first, vec![Stmt::Store(array, zero, 4, start)], vec![]);
        let draw = Stmt::Access(AccessKind::Atomic, array, zero, 4);
        let looped = |b: &mut Builder, body: Vec<Stmt>| {
            let id = b.new_loop();
            let iter = b.iter(id);
            let condition = b.op(Op::Lt, iter, n);
            vec![Stmt::Loop(id, condition, body)]
        };
        let statements = match case {
            "untouched" | "global" => vec![draw],
            "set in the interval" => vec![set(), draw],
            "set in a loop" => looped(&mut b, vec![set(), SYNC, draw, SYNC]),
            "set by a carried store" => looped(&mut b, vec![set(), SYNC, draw]),
            "another step" => vec![draw.clone(), draw],
            _ => vec![set(), SYNC, draw],
        };
        b.body(&statements);
        let mut facts = b.finish();
        let atomics: Vec<AccessId> = facts
            .access
            .iter()
            .filter(|row| row.kind == AccessKind::Atomic)
            .map(|row| row.access)
            .collect();
        for (&access, step) in atomics.iter().zip([1, 3]) {
            counter(&mut facts, access, step);
        }
        let derived = derive(&facts, &Options::default());
        let found: Vec<_> = derived
            .distinct_results
            .iter()
            .map(|row| (row.scope, row.same_rounds))
            .collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{case}");
        let rows: Vec<CountedResultRow> = atomics
            .iter()
            .filter(|_| counted)
            .map(|&access| CountedResultRow {
                access,
                least: 0,
                step: 1,
            })
            .collect();
        assert_eq!(derived.counted_result, rows, "{case}");
    }
}

/// An exchange that thread 0 undoes, or sets otherwise, and what else touches its element.
#[test]
fn what_an_exchange_takes_is_found_once() {
    // The case, for whom and whether only within a round; the value, and whether it is the only one.
    for (case, expected) in [
        ("untouched", Some((Scope::Block, false, 0, false))),
        ("global", Some((Scope::Grid, false, 0, false))),
        ("whatever it finds", Some((Scope::Block, false, 1, true))),
        ("set before", Some((Scope::Block, true, 0, false))),
        ("set in the interval", None),
        ("global and set before", None),
        ("leaves what it takes", None),
        ("another brings it back", None),
        (
            "another leaves another",
            Some((Scope::Block, false, 0, false)),
        ),
    ] {
        let mut b = Builder::line(64, 2);
        let space = if case.starts_with("global") {
            Space::Global
        } else {
            Space::Shared
        };
        let array = b.array(space);
        let (t, zero) = (b.tid(), b.int(0));
        let first = b.opi(Op::Eq, t, 0);
        let set = Stmt::If(first, vec![Stmt::Store(array, zero, 4, zero)], vec![]);
        let exchange = Stmt::Access(AccessKind::Atomic, array, zero, 4);
        let statements = match case {
            "set before" | "global and set before" => vec![set, SYNC, exchange],
            "set in the interval" => vec![set, exchange],
            "another brings it back" | "another leaves another" => {
                vec![exchange.clone(), exchange]
            }
            _ => vec![exchange],
        };
        b.body(&statements);
        let [none, one, two] = [0, 1, 2].map(|value| b.int(value));
        let mut facts = b.finish();
        let atomics: Vec<AccessId> = facts
            .access
            .iter()
            .filter(|row| row.kind == AccessKind::Atomic)
            .map(|row| row.access)
            .collect();
        for (&access, is_first) in atomics.iter().zip([true, false]) {
            let expected = match (case, is_first) {
                ("whatever it finds", _) | ("another brings it back", false) => None,
                _ => Some(none),
            };
            let value = match (case, is_first) {
                ("leaves what it takes", _) | ("another brings it back", false) => none,
                (_, true) => one,
                (_, false) => two,
            };
            exchange_of(&mut facts, access, expected, value);
        }
        let derived = derive(&facts, &Options::default());
        let found = derived.taken_once.first();
        let found = found.map(|row| (row.scope, row.same_rounds, row.value, row.every));
        assert_eq!(found, expected, "{case}");
    }
}

/// Makes the atomic an exchange, whose result is an unknown of its own.
fn exchange_of(facts: &mut Facts, access: AccessId, expected: Option<TermId>, value: TermId) {
    let unknown = result_of(facts, access, "result of an exchange");
    facts.atomic_exchange.push(AtomicExchangeRow {
        access,
        unknown,
        expected,
        value,
    });
}

/// What the atomic finds, an unknown of its own.
fn result_of(facts: &mut Facts, access: AccessId, reason: &str) -> UnknownId {
    let unknown = UnknownId::from_index(facts.unknown.len());
    let point = facts.access[access.index()].point;
    facts.unknown.push(UnknownRow {
        unknown,
        launch: LaunchId(0),
        point,
        opaque: true,
        reason: reason.into(),
        span: SpanId(0),
    });
    unknown
}
