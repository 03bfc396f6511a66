//! Random kernels against brute force: a bounded part of what `make soak` does.

use std::io::Write as _;

use warplog_tests::random::{
    changed,
    lanes::{grow_in_step, grow_lanes},
    mutate::Operator,
    rewrite::Rewriting,
    rules, suite,
};

/// Shows what the kernels came to also where the test passes.
fn tell(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

#[test]
fn verdicts_agree_with_brute_force() {
    let tally = suite::judge_seeds(0..2_000, true);
    tell(&tally.to_string());
    assert!(tally.faults.is_empty(), "{tally}");
    assert_eq!(tally.kernels, 2_000);
    // The comparison means something only as long as there is something of each kind to compare.
    for (said, seen) in [
        ("race_free", "nothing"),
        ("confirmed racy", "race"),
        ("confirmed barrier_divergence", "divergence"),
    ] {
        let count = tally.answers.get(&(said.to_owned(), seen));
        assert!(count.is_some_and(|count| *count > 0), "no kernel is {said}");
    }
    assert!(tally.replayed > 500, "{}", tally.replayed);
}

#[test]
fn barriers_of_lanes_agree_with_brute_force() {
    let tally = suite::judge_grown(0..500, true, &grow_lanes);
    tell(&tally.to_string());
    assert!(tally.faults.is_empty(), "{tally}");
    for (said, seen) in [
        ("race_free", "nothing"),
        ("confirmed racy", "race"),
        ("confirmed barrier_divergence", "divergence"),
    ] {
        let count = tally.answers.get(&(said.to_owned(), seen));
        assert!(count.is_some_and(|count| *count > 0), "no kernel is {said}");
    }
}

/// Both modes are asked about each kernel: lanes in lock-step, and independent threads.
#[test]
fn lanes_in_lock_step_agree_with_brute_force() {
    let independent = |seed| {
        let mut program = grow_in_step(seed);
        program.warp_sync = None;
        program
    };
    let stepping = suite::judge_grown(200..400, true, &grow_in_step);
    let independent = suite::judge_grown(200..400, true, &independent);
    for tally in [&stepping, &independent] {
        tell(&tally.to_string());
        assert!(tally.faults.is_empty(), "{tally}");
    }
    let count = |tally: &suite::Tally, said: &str, seen| {
        let key = (said.to_owned(), seen);
        tally.answers.get(&key).copied().unwrap_or(0)
    };
    let race = |tally| count(tally, "confirmed racy", "race");
    assert!(count(&stepping, "race_free", "nothing") > 0 && race(&stepping) > 0);
    // What lock-step hides is a race of independent threads.
    let free = |tally| count(tally, "race_free", "nothing");
    assert!(free(&stepping) > free(&independent));
    assert!(race(&stepping) < race(&independent));
}

#[test]
fn broken_mutants_are_caught() {
    let mutants = changed::mutants(0..150);
    tell(&mutants.to_string());
    assert!(mutants.missed.is_empty(), "{mutants}");
    assert_eq!(mutants.scores.len(), Operator::ALL.len());
    let caught: usize = mutants.scores.values().map(|score| score.caught).sum();
    assert!(caught > 100, "{caught} broken mutants are caught");
}

#[test]
fn rewritings_leave_verdicts_alone() {
    let rewritings = changed::rewritings(0..120);
    tell(&rewritings.to_string());
    assert!(rewritings.changed.is_empty(), "{rewritings}");
    for how in Rewriting::ALL {
        let count = rewritings.compared.get(&how).copied().unwrap_or(0);
        assert!(count > 10, "{how:?} has been tried {count} times");
    }
}

/// The levels of a scan, where a factor that is shared must be taken out first; and the two factors that must not be.
#[test]
fn the_solver_agrees_on_factored_residues() {
    let kernel = |one: &str, step: &str| {
        format!(
            "//--blockDim=64 --gridDim=1\n__global__ void k() {{\n    __shared__ int s[512];\n    int t = threadIdx.x;\n    \
             int o = {one};\n    for (int d = 64; d > 0; d /= 2) {{\n        __syncthreads();\n        if (t < d) \
             s[o * (2 * t + 2) - 1] += s[o * (2 * t + 1) - 1];\n        {step}\n    }}\n}}\n"
        )
    };
    let agreement = rules::of_text(&kernel("1", "o *= 2;"));
    assert!(agreement.contradicted.is_empty(), "{agreement}");
    let factored = agreement.rules.get("factored-residues");
    assert!(
        factored.is_some_and(|count| count.disjoint > 0),
        "{agreement}"
    );
    // Another factor in each thread, and one that is 0 in some rounds.
    for (one, step) in [("1 + t % 2", "o *= 2;"), ("4", "o /= 2;")] {
        let agreement = rules::of_text(&kernel(one, step));
        assert!(agreement.contradicted.is_empty(), "{agreement}");
        assert!(
            !agreement.rules.contains_key("factored-residues"),
            "{agreement}"
        );
    }
}
