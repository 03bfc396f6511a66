//! What is undecided after the first share of steps gets more, as far as the bound on the run goes.

mod common;

use common::*;
use warplog_facts::derived::CandidateRaceRow;
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_solver_bridge::*;

/// Two threads that meet where a product of two numbers of the caller is a given one: 101 times 103.
fn product() -> (Kernel, CandidateRaceRow) {
    let mut k = Kernel::new(dim(64), dim(1));
    let g = k.global("g");
    let (n, m) = (k.symbol("n", CType::I64), k.symbol("m", CType::I64));
    let t = k.t();
    let product = k.mul(n, m);
    let wanted = k.constant(10_403, CType::I64);
    let equal = k.eq(product, wanted);
    let two = k.constant(2, CType::I64);
    let (more, also) = (k.lt(two, n), k.lt(n, m));
    let zero = k.int(0);
    let mut w = AccessId(0);
    k.when(equal, |k| {
        k.when(more, |k| k.when(also, |k| w = k.write_value(g, zero, t)))
    });
    let entry = k.entry;
    let candidate = k.candidate(w, w, PairScope::Block, entry);
    (k, candidate)
}

/// The first share is too small even to write the formula down.
fn options(run_steps: u64, threads: usize) -> Options {
    Options {
        kernel_steps: 1,
        candidate_steps: 0,
        launch_steps: 0,
        run_steps,
        threads,
        ..Options::default()
    }
}

fn decision(run_steps: u64) -> Decision {
    let (k, candidate) = product();
    let mut derived = k.derived.clone();
    derived.candidate_race = vec![candidate];
    decide(&k.facts, &derived, &options(run_steps, 1))
}

#[test]
fn more_rounds_decide_what_the_first_leaves_open() {
    let first = decision(0);
    let RaceAnswer::Unknown { reason } = &first.races[0].answer else {
        panic!("{first:#?}");
    };
    assert!(reason.contains("budget of the kernel"), "{reason}");
    assert_eq!(first.launches[0].undecided, 1);
    let all = decision(1_000_000);
    assert_exact_race(&all.races[0]);
    assert_eq!(all.launches[0].undecided, 0);
    assert_eq!(all.launches[0].decided.iter().sum::<u32>(), 1);
}

#[test]
fn the_least_of_a_run_is_for_one_kernel_too() {
    let (k, candidate) = product();
    let mut derived = k.derived.clone();
    derived.candidate_race = vec![candidate];
    let options = Options {
        least_run_steps: 1_000_000,
        ..options(0, 1)
    };
    let decision = decide(&k.facts, &derived, &options);
    assert_exact_race(&decision.races[0]);
}

#[test]
fn rounds_are_the_same_for_any_number_of_threads() {
    let (mut facts, mut derived) = (Facts::default(), Derived::default());
    for _ in 0..5 {
        let (k, candidate) = product();
        let mut own = k.derived.clone();
        own.candidate_race = vec![candidate];
        shift_derived(&mut own, &facts.id_counts());
        facts.append(k.facts.clone());
        derived.append(own);
    }
    let undecided = [0, 4, 40, 1_000_000].map(|run_steps| {
        let all = [1, 2, 7].map(|threads| decide(&facts, &derived, &options(run_steps, threads)));
        assert_eq!(all[0], all[1]);
        assert_eq!(all[0], all[2]);
        let launches = all[0].launches.iter();
        launches.map(|launch| launch.undecided).sum::<u32>()
    });
    assert_eq!([undecided[0], undecided[3]], [5, 0]);
    assert!(
        undecided.is_sorted_by(|more, fewer| more >= fewer),
        "{undecided:?}"
    );
}
