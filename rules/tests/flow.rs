//! Uniformity, dependence, stability, conditions, flows and divergence on small kernels.

mod common;

use common::{Builder, Stmt};
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

const READ: AccessKind = AccessKind::Read;
const WRITE: AccessKind = AccessKind::Write;
const SYNC: Stmt = Stmt::Barrier(BarrierKind::Block);

fn derived(facts: &Facts) -> Derived {
    derive(facts, &Options::default())
}

fn scope_of(derived: &Derived, term: TermId) -> Option<Scope> {
    let mut rows = derived.uniform.iter();
    rows.find(|row| row.term == term).map(|row| row.scope)
}

#[test]
fn leaves_are_uniform_in_their_scope() {
    let mut b = Builder::line(64, 2);
    let (t, block, n) = (b.tid(), b.bid(), b.symbol("n"));
    let (mixed, sum) = (b.add(t, n), b.add(block, n));
    let id = b.new_loop();
    let iter = b.iter(id);
    let condition = b.op(Op::Lt, iter, n);
    b.body(&[Stmt::Loop(id, condition, vec![])]);
    let derived = derived(&b.finish());
    assert_eq!(scope_of(&derived, t), None);
    assert_eq!(scope_of(&derived, mixed), None);
    assert_eq!(scope_of(&derived, block), Some(Scope::Block));
    assert_eq!(scope_of(&derived, sum), Some(Scope::Block));
    assert_eq!(scope_of(&derived, iter), Some(Scope::Grid));
    let sources: Vec<Source> = derived
        .depends_on
        .iter()
        .filter(|row| row.term == mixed)
        .map(|row| row.source)
        .collect();
    assert_eq!(sources, [Source::Tid]);
}

#[test]
fn a_trip_count_varies_with_the_condition_and_with_other_ways_out() {
    for case in 0..3 {
        let mut b = Builder::line(64, 1);
        let (t, n) = (b.tid(), b.symbol("n"));
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.op(Op::Lt, iter, if case == 1 { t } else { n });
        let leaves = b.opi(Op::Eq, t, 3);
        let body = if case == 2 {
            vec![Stmt::Break(leaves)]
        } else {
            vec![]
        };
        b.body(&[Stmt::Loop(id, condition, body)]);
        let exit = b.facts.terms.exit_of(id);
        let scope = scope_of(&derived(&b.finish()), exit);
        assert_eq!(scope, (case == 0).then_some(Scope::Grid), "case {case}");
    }
}

/// An unknown is uniform when its dependences and controls are, even when it feeds itself; never
/// when it is opaque.
#[test]
fn unknowns_follow_their_dependences() {
    for (opaque, control, expected) in [
        (false, false, Some(Scope::Grid)),
        (false, true, None),
        (true, false, None),
    ] {
        let mut b = Builder::line(64, 1);
        let (t, n) = (b.tid(), b.symbol("n"));
        let condition = b.opi(Op::Lt, t, 3);
        let term = b.facts.terms.unknown(UnknownId(0), CType::I32);
        b.facts.unknown.push(UnknownRow {
            unknown: UnknownId(0),
            launch: LaunchId(0),
            point: PointId(0),
            opaque,
            reason: "test".into(),
            span: SpanId(0),
        });
        for on in [term, n] {
            b.facts.unknown_depends_on.push(UnknownDependsOnRow {
                unknown: UnknownId(0),
                term: on,
            });
        }
        if control {
            b.facts.unknown_controlled_by.push(UnknownControlledByRow {
                unknown: UnknownId(0),
                term: condition,
            });
        }
        assert_eq!(scope_of(&derived(&b.finish()), term), expected);
    }
}

/// `x = s[0]` before, between and after writes; and an array that nothing writes.
#[test]
fn loads_are_stable_where_nothing_writes() {
    let mut b = Builder::line(64, 2);
    let (s, q, zero, t) = (
        b.array(Space::Shared),
        b.array(Space::Global),
        b.int(0),
        b.tid(),
    );
    let own = b.mul(t, 4);
    b.body(&[
        Stmt::Access(READ, s, zero, 4),
        SYNC,
        Stmt::Access(WRITE, s, own, 4),
        Stmt::Access(READ, s, zero, 4),
        Stmt::Access(READ, q, zero, 4),
        SYNC,
        Stmt::Access(READ, s, own, 4),
    ]);
    let loads: Vec<TermId> = [(0, zero), (2, zero), (3, zero), (4, own)]
        .into_iter()
        .map(|(access, index)| b.facts.terms.load(AccessId(access), index, CType::I32))
        .collect();
    let facts = b.finish();
    let derived = derived(&facts);
    let scopes: Vec<Option<Scope>> = loads.iter().map(|&load| scope_of(&derived, load)).collect();
    assert_eq!(scopes, [Some(Scope::Block), None, Some(Scope::Grid), None]);
    let stable: Vec<(u32, Scope)> = derived
        .stable_load
        .iter()
        .map(|row| (row.access.0, row.scope))
        .collect();
    assert_eq!(
        stable,
        [(0, Scope::Block), (3, Scope::Grid), (4, Scope::Block)]
    );
    assert!(
        derived
            .stable
            .iter()
            .any(|row| row.array == q && row.head.is_none())
    );
}

/// Round a loop the read meets the write of the iteration before.
#[test]
fn a_load_in_a_loop_is_not_stable_without_a_barrier_after_it() {
    for barrier in [false, true] {
        let mut b = Builder::line(64, 1);
        let (s, zero, n, t) = (b.array(Space::Shared), b.int(0), b.symbol("n"), b.tid());
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.op(Op::Lt, iter, n);
        let own = b.mul(t, 4);
        let mut body = vec![
            Stmt::Access(WRITE, s, own, 4),
            SYNC,
            Stmt::Access(READ, s, zero, 4),
        ];
        body.extend(barrier.then_some(SYNC));
        b.body(&[Stmt::Loop(id, condition, body)]);
        let derived = derived(&b.finish());
        assert_eq!(!derived.stable_load.is_empty(), barrier);
    }
}

/// What lowering does not model may write anything.
#[test]
fn nothing_is_stable_beside_the_unsupported() {
    let mut b = Builder::line(64, 1);
    let (q, zero) = (b.array(Space::Global), b.int(0));
    b.body(&[Stmt::Access(READ, q, zero, 4)]);
    b.facts.unsupported.push(UnsupportedRow {
        launch: Some(LaunchId(0)),
        span: SpanId(0),
        what: "asm".into(),
        why: "test".into(),
        effect: Effect::Access,
    });
    let derived = derived(&b.finish());
    assert_eq!((derived.stable.len(), derived.stable_load.len()), (0, 0));
}

/// Two views of one memory: the write through one unsettles reads through the other.
#[test]
fn aliases_are_one_memory() {
    let mut b = Builder::line(64, 1);
    let (a, c, zero) = (b.array(Space::Shared), b.array(Space::Shared), b.int(0));
    b.facts.array[c.index()].storage = a;
    b.body(&[
        Stmt::Access(WRITE, a, zero, 4),
        Stmt::Access(READ, c, zero, 4),
    ]);
    let derived = derived(&b.finish());
    assert!(derived.stable_load.is_empty());
    let pairs: Vec<(u32, u32)> = derived
        .candidate_race
        .iter()
        .map(|row| (row.first.0, row.second.0))
        .collect();
    assert_eq!(pairs, [(0, 0), (0, 1)]);
}

#[test]
fn flows_are_classes_of_tid_dependent_branches() {
    let mut b = Builder::line(64, 1);
    let (s, zero, n, t) = (b.array(Space::Shared), b.int(0), b.symbol("n"), b.tid());
    let (few, many) = (b.opi(Op::Lt, t, 8), b.opi(Op::Lt, n, 8));
    let read = Stmt::Access(READ, s, zero, 4);
    b.body(&[
        Stmt::If(few, vec![read.clone()], vec![read.clone()]),
        Stmt::If(many, vec![read.clone()], vec![]),
        Stmt::If(few, vec![read], vec![]),
    ]);
    let derived = derived(&b.finish());
    let flows: Vec<u32> = derived.flow_of.iter().map(|row| row.flow).collect();
    assert_eq!(flows, [1, 2, 0, 1]);
    assert_eq!(derived.tid_dependent_condition.len(), 3);
    assert_eq!(derived.tid_independent_condition.len(), 1);
}

/// Where threads may disagree about a barrier: kind of cause, and whether in an earlier iteration.
fn causes(body: &dyn Fn(&mut Builder, TermId, TermId) -> Vec<Stmt>) -> Vec<(GuardCause, bool)> {
    let mut b = Builder::line(64, 1);
    let (t, n) = (b.tid(), b.symbol("n"));
    let body = body(&mut b, t, n);
    b.body(&body);
    let derived = derived(&b.finish());
    let mut causes: Vec<(GuardCause, bool)> = derived
        .candidate_divergence
        .iter()
        .map(|row| (row.cause, row.position.is_none()))
        .collect();
    causes.dedup();
    causes
}

#[test]
fn barriers_under_conditions_on_the_thread_may_diverge() {
    let under = |b: &mut Builder, subject: TermId| {
        let condition = b.opi(Op::Lt, subject, 8);
        vec![Stmt::If(condition, vec![SYNC], vec![])]
    };
    assert_eq!(causes(&|b, _, n| under(b, n)), []);
    assert_eq!(
        causes(&|b, t, _| under(b, t)),
        [(GuardCause::Branch, false)]
    );
}

#[test]
fn a_return_before_a_barrier_may_diverge() {
    let before = |b: &mut Builder, subject: TermId| {
        let condition = b.opi(Op::Lt, subject, 8);
        vec![Stmt::Return(condition), SYNC]
    };
    assert_eq!(causes(&|b, _, n| before(b, n)), []);
    assert_eq!(
        causes(&|b, t, _| before(b, t)),
        [(GuardCause::Return, false)]
    );
}

/// Leavings count also where they are in an earlier iteration, before or after the barrier.
#[test]
fn leaving_a_loop_around_a_barrier_may_diverge() {
    let looped = |b: &mut Builder, n: TermId, subject: TermId, after: bool| {
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.op(Op::Lt, iter, n);
        let leaves = b.op(Op::Eq, iter, subject);
        let mut body = vec![Stmt::Break(leaves), SYNC];
        if after {
            body.reverse();
        }
        vec![Stmt::Loop(id, condition, body)]
    };
    assert_eq!(causes(&|b, _, n| looped(b, n, n, false)), []);
    let both = [(GuardCause::Break, true), (GuardCause::Break, false)];
    assert_eq!(causes(&|b, t, n| looped(b, n, t, false)), both);
    assert_eq!(
        causes(&|b, t, n| looped(b, n, t, true)),
        [(GuardCause::Break, true)]
    );
}

/// A return inside a loop before the barrier is no conjunct of its guard, but still a way out.
#[test]
fn a_return_in_an_earlier_loop_may_diverge() {
    let earlier = |b: &mut Builder, subject: TermId| {
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.opi(Op::Lt, iter, 4);
        let leaves = b.op(Op::Eq, iter, subject);
        vec![Stmt::Loop(id, condition, vec![Stmt::Return(leaves)]), SYNC]
    };
    assert_eq!(causes(&|b, _, n| earlier(b, n)), []);
    assert_eq!(
        causes(&|b, t, _| earlier(b, t)),
        [(GuardCause::Return, true)]
    );
}

/// `for (i = 0; i < t; i++) __syncthreads();`, and only in odd iterations.
#[test]
fn trip_counts_of_the_thread_diverge() {
    let trips = |b: &mut Builder, bound: TermId, odd: bool| {
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.op(Op::Lt, iter, bound);
        let rem = b.opi(Op::Rem, iter, 2);
        let only = b.opi(Op::Eq, rem, 1);
        let body = if odd {
            Stmt::If(only, vec![SYNC], vec![])
        } else {
            SYNC
        };
        vec![Stmt::Loop(id, condition, vec![body])]
    };
    assert_eq!(causes(&|b, _, n| trips(b, n, true)), []);
    assert_eq!(
        causes(&|b, t, _| trips(b, t, false)),
        [(GuardCause::Loop, false)]
    );
    let both = [(GuardCause::Loop, true), (GuardCause::Loop, false)];
    assert_eq!(causes(&|b, t, _| trips(b, t, true)), both);
}

/// A loop of which nothing is known may be left by any thread.
#[test]
fn a_loop_without_a_condition_may_diverge() {
    let mut b = Builder::line(64, 1);
    let n = b.symbol("n");
    let id = b.new_loop();
    let iter = b.iter(id);
    let condition = b.op(Op::Lt, iter, n);
    b.body(&[Stmt::Loop(id, condition, vec![SYNC])]);
    let mut facts = b.finish();
    facts.loop_[0].condition = None;
    let derived = derived(&facts);
    assert_eq!(derived.candidate_divergence.len(), 1);
    assert_eq!(derived.candidate_divergence[0].position, None);
}

/// The same facts in another order of rows, or beside others, give the same conclusions.
#[test]
fn many_kernels_are_derived_as_each_alone() {
    let kernel = |stride: i128| {
        let mut b = Builder::line(64, 2);
        let (g, t) = (b.array(Space::Global), b.tid());
        let index = b.mul(t, stride);
        b.body(&[
            Stmt::Access(WRITE, g, index, 4),
            SYNC,
            Stmt::Access(READ, g, index, 4),
        ]);
        b.finish()
    };
    let (one, two) = (kernel(4), kernel(2));
    let (first, second) = (derived(&one), derived(&two));
    let mut both = one;
    both.append(two);
    let joint = derived(&both);
    let counts = |derived: &Derived| {
        [
            derived.inside.len(),
            derived.candidate_race.len(),
            derived.discarded_race.len(),
            derived.stable.len(),
            derived.flow_of.len(),
            derived.affine.len(),
        ]
    };
    let sum: Vec<usize> = counts(&first)
        .into_iter()
        .zip(counts(&second))
        .map(|(a, b)| a + b)
        .collect();
    assert_eq!(counts(&joint).to_vec(), sum);
}
