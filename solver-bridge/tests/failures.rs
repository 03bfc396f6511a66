//! What happens when Z3 does not answer: never an answer by accident.

mod common;
use std::time::Duration;

use common::*;
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_solver_bridge::*;

/// Two threads that meet only where a product of unknown numbers is a given one.
fn hard() -> (Kernel, AccessId) {
    let mut k = Kernel::new(SYMBOLIC_1D, SYMBOLIC_1D);
    let g = k.global("g");
    let (n, m) = (k.symbol("n", CType::I64), k.symbol("m", CType::I64));
    let t = k.t();
    let product = k.mul(n, m);
    let limit = k.constant(1_000_036_000_099, CType::I64);
    let equal = k.eq(product, limit);
    let two = k.constant(2, CType::I64);
    let (more, also) = (k.lt(two, n), k.lt(n, m));
    let zero = k.int(0);
    let mut w = AccessId(0);
    k.when(equal, |k| {
        k.when(more, |k| k.when(also, |k| w = k.write_value(g, zero, t)))
    });
    (k, w)
}

fn unknown(outcome: &RaceOutcome) -> &str {
    match &outcome.answer {
        RaceAnswer::Unknown { reason } => reason,
        other => panic!("expected unknown, found {other:#?}"),
    }
}

#[test]
fn a_spent_budget_is_unknown() {
    let (mut k, w) = hard();
    let entry = k.entry;
    let candidate = k.candidate(w, w, PairScope::Block, entry);
    let options = Options {
        real_steps: 1,
        int_steps: 1,
        bits_steps: 1,
        concrete_steps: 1,
        quick_steps: 1,
        ..Options::default()
    };
    let outcome = k.decide_with(candidate, &options);
    assert!(
        unknown(&outcome).contains("step limit reached"),
        "{outcome:?}"
    );
}

#[test]
fn a_spent_clock_is_unknown_and_says_so() {
    let (mut k, w) = hard();
    let entry = k.entry;
    let candidate = k.candidate(w, w, PairScope::Block, entry);
    let options = Options {
        real_steps: u32::MAX,
        int_steps: u32::MAX,
        bits_steps: u32::MAX,
        concrete_steps: u32::MAX,
        quick_steps: u32::MAX,
        timeout: Duration::from_millis(1),
        ..Options::default()
    };
    let outcome = k.decide_with(candidate, &options);
    assert!(
        unknown(&outcome).contains("wall-clock limit reached"),
        "{outcome:?}"
    );
}

#[test]
fn a_failing_solver_is_unknown_and_the_next_question_is_answered() {
    let mut k = Kernel::new(dim(64), dim(1));
    let s = k.shared("s");
    let (t, one) = (k.t(), k.int(1));
    let next = k.add(t, one);
    let w = k.write(s, t);
    let r = k.read(s, next).0;
    let entry = k.entry;
    let candidate = k.candidate(w, r, PairScope::Block, entry);
    k.derived.candidate_race = vec![candidate];
    let mut session = Session::new();
    let broken = Options {
        sabotage: true,
        ..Options::default()
    };
    let decision = session.decide(&k.facts, &k.derived, &broken);
    assert!(unknown(&decision.races[0]).contains("the solver failed"));
    assert_eq!(decision.launches[0].undecided, 1);
    let decision = session.decide(&k.facts, &k.derived, &Options::default());
    assert_exact_race(&decision.races[0]);
}

#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let (mut hard, w) = hard();
    let entry = hard.entry;
    let candidate = hard.candidate(w, w, PairScope::Block, entry);
    hard.derived.candidate_race = vec![candidate];
    let cheap = Options {
        real_steps: 1000,
        int_steps: 1000,
        bits_steps: 1000,
        concrete_steps: 1000,
        ..Options::default()
    };

    let mut k = Kernel::new(SYMBOLIC_1D, SYMBOLIC_1D);
    let g = k.global("g");
    let n = k.symbol("n", CType::I32);
    let (t, three) = (k.t(), k.int(3));
    let rest = k.op(Op::Rem, t, three);
    let index = k.mul(rest, n);
    let w = k.write(g, index);
    let entry = k.entry;
    k.derived.candidate_race = vec![
        k.candidate(w, w, PairScope::Block, entry),
        k.candidate(w, w, PairScope::Grid, entry),
    ];
    let alone = decide(&k.facts, &k.derived, &Options::default());
    let mut session = Session::new();
    for _ in 0..3 {
        session.decide(&hard.facts, &hard.derived, &cheap);
        let after = session.decide(&k.facts, &k.derived, &Options::default());
        assert_eq!(alone, after);
    }
}

#[test]
fn the_formula_is_kept_on_request() {
    let mut k = Kernel::new(dim(64), dim(1));
    let s = k.shared("s");
    let n = k.symbol("n", CType::I32);
    let (t, two) = (k.t(), k.int(2));
    let half = k.op(Op::Div, t, two);
    let index = k.mul(half, n);
    let w = k.write(s, index);
    let entry = k.entry;
    let candidate = k.candidate(w, w, PairScope::Block, entry);
    let options = Options {
        keep_smt: true,
        ..Options::default()
    };
    let outcome = k.decide_with(candidate, &options);
    let text = outcome.smt.expect("a formula");
    assert!(
        text.contains("threadIdx.x#1") && text.contains("(assert"),
        "{text}"
    );
}
