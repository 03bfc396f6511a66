//! One test for each encoding that a careless formula gets wrong; most are rows of the soundness list.

mod common;
use common::*;
use warplog_facts::derived::*;
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_solver_bridge::*;

#[test]
fn unsigned_wrap_lets_thread_0_pass() {
    // 33: if (t - 1u > 30u) s[0] = t;
    let mut k = Kernel::new(dim(33), dim(1));
    let s = k.shared("s");
    let t = k.leaf(Op::TidX);
    let zero = k.int(0);
    let value = k.t();
    let one = k.constant(1, CType::U32);
    let below = k.sub(t, one);
    let limit = k.constant(30, CType::U32);
    let far = k.lt(limit, below);
    let mut w = AccessId(0);
    k.when(far, |k| w = k.write_value(s, zero, value));
    let outcome = k.in_block(w, w);
    let race = assert_exact_race(&outcome);
    let mut threads = [0, 1].map(|side| race.witness.threads[side].thread[0]);
    threads.sort_unstable();
    assert_eq!(threads, [0, 32]);
    // Guarded, nothing wraps: t in 1..=31 satisfies t - 1 <= 30.
    let positive = k.lt(zero, value);
    k.when(positive, |k| {
        k.when(far, |k| w = k.write_value(s, zero, value))
    });
    assert_disjoint(&k.in_block(w, w));
}

#[test]
fn narrowing_casts_wrap() {
    // s[(unsigned char)t] with 300 threads: 0 and 256 meet; with 256 none do.
    for (threads, races) in [(300, true), (256, false)] {
        let mut k = Kernel::new(dim(threads), dim(1));
        let s = k.shared("s");
        let t = k.leaf(Op::TidX);
        let narrow = k.facts.terms.cast(t, CType::U8);
        let w = k.write(s, narrow);
        let outcome = k.in_block(w, w);
        if races {
            assert_exact_race(&outcome);
        } else {
            assert_disjoint(&outcome);
        }
    }
}

#[test]
fn a_quotient_does_not_exclude_its_zero_divisor() {
    // s[w ? t / w * w + t % w : 0] = t;
    let mut k = Kernel::new(dim(32), dim(1));
    let s = k.shared("s");
    let t = k.t();
    let w = k.symbol("w", CType::I32);
    let quotient = k.op(Op::Div, t, w);
    let whole = k.mul(quotient, w);
    let rest = k.op(Op::Rem, t, w);
    let sum = k.add(whole, rest);
    let zero = k.int(0);
    let given = k.facts.terms.as_bool(w);
    let index = k.facts.terms.ite(given, sum, zero);
    let access = k.write_value(s, index, t);
    let outcome = k.in_block(access, access);
    let race = assert_exact_race(&outcome);
    assert_eq!(race.witness.values, [("w".to_owned(), 0)]);
    // Where w is not 0 the sum is t.
    k.when(given, |k| {
        let access = k.write_value(s, sum, t);
        assert_disjoint(&k.in_block(access, access));
    });
}

#[test]
fn comparisons_of_floats_are_not_those_of_integers() {
    // if (f > 0.f && f < 1.f) s[0] = t;
    let mut k = Kernel::new(dim(32), dim(1));
    let s = k.shared("s");
    let t = k.t();
    let f = k.symbol("f", CType::F32);
    let function = FunctionId(0);
    k.facts.pure_function.push(PureFunctionRow {
        function,
        name: "<".into(),
    });
    let zero = k.facts.terms.intern(Op::Const, CType::F32, 0, &[]);
    let one = k
        .facts
        .terms
        .intern(Op::Const, CType::F32, 0x3f80_0000, &[]);
    let above = k.facts.terms.pure(function, CType::Bool, &[zero, f]);
    let below = k.facts.terms.pure(function, CType::Bool, &[f, one]);
    let place = k.int(0);
    let mut w = AccessId(0);
    k.when(above, |k| k.when(below, |k| w = k.write_value(s, place, t)));
    let outcome = k.in_block(w, w);
    let race = assert_race(&outcome);
    assert!(!race.exact);
    assert_eq!(race.abstractions[0].text, "result of <");
    // A function is a function: the negation of the same comparison never holds with it.
    k.when(above, |k| {
        let not = k.facts.terms.not(above);
        k.when(not, |k| w = k.write_value(s, place, t));
    });
    assert_disjoint(&k.in_block(w, w));
}

#[test]
fn equal_values_in_different_bytes_race() {
    // __shared__ char s[8]; if (!t) *(int *)s = 1; if (t == 1) s[1] = 1;
    let mut k = Kernel::new(dim(32), dim(1));
    let s = k.array("s", Space::Shared, 1, Some(8));
    let t = k.t();
    let (zero, one) = (k.int(0), k.int(1));
    let (first, second) = (k.eq(t, zero), k.eq(t, one));
    let byte = k.constant(1, CType::I8);
    let (mut wide, mut narrow, mut low) = (AccessId(0), AccessId(0), AccessId(0));
    k.when(first, |k| {
        wide = k.access(AccessKind::Write, s, zero, 4, Some(one))
    });
    k.when(second, |k| {
        narrow = k.access(AccessKind::Write, s, one, 1, Some(byte));
        low = k.access(AccessKind::Write, s, zero, 1, Some(byte));
    });
    assert_exact_race(&k.in_block(wide, narrow));
    // The lowest byte of the wide 1 is 1, too.
    assert_disjoint(&k.in_block(wide, low));
}

#[test]
fn same_value_is_benign_for_the_pair_only() {
    // s[0] = 1 by all is benign; beside s[t] = t it is not.
    let mut k = Kernel::new(dim(32), dim(1));
    let s = k.shared("s");
    let (zero, one, t) = (k.int(0), k.int(1), k.t());
    let constant = k.write_value(s, zero, one);
    let own = k.write_value(s, t, t);
    assert_disjoint(&k.in_block(constant, constant));
    assert_exact_race(&k.in_block(constant, own));
    // A read of what all write is a race whatever the value.
    let (read, _) = k.read(s, zero);
    assert_exact_race(&k.in_block(constant, read));
}

#[test]
fn wide_access_overlaps_its_neighbour() {
    // memcpy(&s[t], &v, 8) on int s
    let mut k = Kernel::new(dim(32), dim(1));
    let s = k.shared("s");
    let t = k.t();
    let wide = k.access(AccessKind::Write, s, t, 8, None);
    let narrow = k.write(s, t);
    assert_exact_race(&k.in_block(wide, wide));
    assert_exact_race(&k.in_block(wide, narrow));
    assert_disjoint(&k.in_block(narrow, narrow));
}

#[test]
fn doubling_and_halving_start_where_they_start() {
    // s = 3, 6, 12, 24 …: s[t * s] and s[6 * t] in one loop
    let mut k = Kernel::new(dim(8), dim(1));
    let array = k.shared("s");
    let t = k.t();
    let iter = k.facts.terms.iter_of(LoopId(0));
    let start = k.int(3);
    let stride = k.facts.terms.power(Op::MulPow, CType::I32, 2, start, iter);
    let limit = k.int(20);
    let index = k.add(t, stride);
    let mut w = AccessId(0);
    let mut fixed = AccessId(0);
    k.repeat(
        |k, _| k.lt(stride, limit),
        |k, _| {
            let zero = k.int(0);
            let first = k.eq(t, zero);
            k.when(first, |k| w = k.write(array, index));
            let second = k.int(1);
            let second = k.eq(t, second);
            let place = k.int(6);
            k.when(second, |k| fixed = k.write(array, place));
        },
    );
    // 0 + 6 is visited; 0 + 4, a power of two, is not.
    assert_exact_race(&k.in_block(w, fixed));
    let four = k.int(4);
    let one = k.int(1);
    let second = k.eq(t, one);
    k.when(second, |k| fixed = k.write(array, four));
    assert_disjoint(&k.in_block(w, fixed));

    // 96, 48, 24, 12, 6, 3, 1
    for (place, visited) in [(3, true), (48, true), (2, false), (32, false), (64, false)] {
        let mut k = Kernel::new(dim(8), dim(1));
        let array = k.shared("s");
        let t = k.t();
        let iter = k.facts.terms.iter_of(LoopId(0));
        let start = k.int(96);
        let stride = k.facts.terms.power(Op::DivPow, CType::I32, 2, start, iter);
        let (zero, one) = (k.int(0), k.int(1));
        let place = k.int(place);
        let (mut w, mut fixed) = (AccessId(0), AccessId(0));
        k.repeat(
            |k, _| k.lt(zero, stride),
            |k, _| {
                let first = k.eq(t, zero);
                k.when(first, |k| w = k.write(array, stride));
                let second = k.eq(t, one);
                k.when(second, |k| fixed = k.write(array, place));
            },
        );
        let outcome = k.in_block(w, fixed);
        if visited {
            assert_exact_race(&outcome);
        } else {
            assert_disjoint(&outcome);
        }
    }
}

#[test]
fn a_guard_pins_a_thread_in_its_own_iteration_only() {
    // for (i = 0; i < 64; i++) if (t == i) s[0] = t;
    let mut k = Kernel::new(dim(64), dim(1));
    let s = k.shared("s");
    let t = k.t();
    let zero = k.int(0);
    let end = k.int(64);
    let mut w = AccessId(0);
    k.count(0, end, 1, |k, i| {
        let own = k.eq(t, i);
        k.when(own, |k| w = k.write_value(s, zero, t));
    });
    let outcome = k.in_block(w, w);
    let race = assert_exact_race(&outcome);
    let at = [0, 1].map(|side| race.witness.threads[side].iterations[0].ordinal);
    assert_eq!(
        at,
        [
            race.witness.threads[0].thread[0],
            race.witness.threads[1].thread[0]
        ]
    );
    assert_eq!(
        race.witness.threads[0].iterations[0].variables,
        [("i".to_owned(), at[0])]
    );
}

#[test]
fn a_decreasing_loop_is_anchored_at_its_start() {
    // for (i = 63 - t; i >= 0; i -= 64) with 64 threads: one element each
    let mut k = Kernel::new(dim(64), dim(1));
    let s = k.shared("s");
    let t = k.t();
    let n = k.symbol("n", CType::I32);
    let top = k.sub(n, t);
    let iter = k.iter(LoopId(0));
    let step = k.mul_int(iter, 64);
    let i = k.sub(top, step);
    let zero = k.int(0);
    let mut w = AccessId(0);
    k.repeat(|k, _| k.le(zero, i), |k, _| w = k.write(s, i));
    assert_disjoint(&k.in_block(w, w));
    // By 63 two threads meet.
    let mut k = Kernel::new(dim(64), dim(1));
    let s = k.shared("s");
    let t = k.t();
    let n = k.symbol("n", CType::I32);
    let top = k.sub(n, t);
    let iter = k.iter(LoopId(0));
    let step = k.mul_int(iter, 63);
    let i = k.sub(top, step);
    let zero = k.int(0);
    k.repeat(|k, _| k.le(zero, i), |k, _| w = k.write(s, i));
    assert_exact_race(&k.in_block(w, w));
}

#[test]
fn a_block_value_is_not_a_grid_value() {
    // __shared__ int o; … barrier; g[b - o] = b: the load is uniform in a block only.
    let mut k = Kernel::new(dim(32), dim(4));
    let (o, g) = (k.shared("o"), k.global("g"));
    let (zero, t, b) = (k.int(0), k.t(), k.b());
    let head = k.barrier();
    let (read, value) = k.read(o, zero);
    k.derived.uniform.push(UniformRow {
        term: value,
        scope: Scope::Block,
        rule: "test".into(),
    });
    k.derived.stable_load.push(StableLoadRow {
        access: read,
        scope: Scope::Block,
    });
    let index = k.sub(b, value);
    let leader = k.eq(t, zero);
    let mut w = AccessId(0);
    k.when(leader, |k| w = k.write_value(g, index, b));
    let entry = k.entry;
    let candidate = k.candidate(w, w, PairScope::Grid, entry);
    let outcome = k.decide(candidate);
    let race = assert_race(&outcome);
    assert!(!race.exact);
    assert_eq!(race.witness.threads[0].loads.len(), 1);
    // Within a block, what the value moves, it moves for both.
    let sum = k.add(t, value);
    let own = k.write(g, sum);
    let candidate = k.candidate(own, own, PairScope::Block, head);
    assert_disjoint(&k.decide(candidate));
}

#[test]
fn stable_loads_are_functions_of_their_index() {
    // s[q[t]] may collide; s[2 * t + (q[0] & 1)] may not: the same element is read by all.
    for (scope, races) in [
        (None, true),
        (Some(Scope::Block), false),
        (Some(Scope::Grid), false),
    ] {
        let mut k = Kernel::new(dim(32), dim(1));
        let (q, s) = (k.global("q"), k.shared("s"));
        let (zero, one, t) = (k.int(0), k.int(1), k.t());
        let (read, value) = k.read(q, zero);
        if let Some(scope) = scope {
            k.derived.stable_load.push(StableLoadRow {
                access: read,
                scope,
            });
        }
        let bit = k.op(Op::BitAnd, value, one);
        let index = k.add(t, bit);
        let w = k.write(s, index);
        let outcome = k.in_block(w, w);
        if races {
            assert_race(&outcome);
        } else {
            assert_disjoint(&outcome);
        }
    }
    let mut k = Kernel::new(dim(32), dim(1));
    let (q, s) = (k.global("q"), k.shared("s"));
    let t = k.t();
    let (read, value) = k.read(q, t);
    k.derived.stable_load.push(StableLoadRow {
        access: read,
        scope: Scope::Grid,
    });
    let w = k.write(s, value);
    let outcome = k.in_block(w, w);
    let race = assert_race(&outcome);
    assert!(!race.exact);
    assert_eq!(race.abstractions[0].text, "value read from q");
}

#[test]
fn carried_races_are_one_iteration_apart() {
    // for (i …) { s[t] = …; barrier; x = s[63 - t]; } without a second barrier
    let mut k = Kernel::new(dim(64), dim(1));
    let s = k.shared("s");
    let t = k.t();
    let n = k.symbol("n", CType::I32);
    let last = k.int(63);
    let mirror = k.sub(last, t);
    let (mut w, mut r, mut head) = (AccessId(0), AccessId(0), PointId(0));
    let id = k.count(0, n, 1, |k, _| {
        w = k.write(s, t);
        head = k.barrier();
        r = k.read(s, mirror).0;
    });
    let mut candidate = k.candidate(w, r, PairScope::Block, head);
    candidate.first_carried = Some(id);
    let outcome = k.decide(candidate.clone());
    let race = assert_exact_race(&outcome);
    assert_eq!(race.witness.threads[0].iterations[0].ordinal, 1);
    assert_eq!(race.witness.threads[1].iterations[0].ordinal, 0);
    assert_eq!(race.witness.values, [("n".to_owned(), 2)]);
    // Of a loop that runs once there is no next iteration.
    k.facts.loop_[id.index()].max_iterations = Some(1);
    assert_disjoint(&k.decide(candidate));
}

#[test]
fn a_break_in_an_earlier_iteration_is_found_by_the_replay() {
    // for (i = 0; i < 8; i++) { if (i == 2) break; if (i == 4) s[0] = t; }
    let mut k = Kernel::new(dim(32), dim(1));
    let s = k.shared("s");
    let (zero, two, four, t) = (k.int(0), k.int(2), k.int(4), k.t());
    let end = k.int(8);
    let (mut late, mut early) = (AccessId(0), AccessId(0));
    k.count(0, end, 1, |k, i| {
        let out = k.eq(i, two);
        k.break_if(out);
        let there = k.eq(i, four);
        k.when(there, |k| late = k.write_value(s, zero, t));
        early = k.write_value(s, zero, t);
    });
    assert_disjoint(&k.in_block(late, late));
    assert_exact_race(&k.in_block(early, early));
}

#[test]
fn break_restricts_nothing_after_the_loop() {
    // for (…) { if (q[i]) break; } s[0] = t;
    let mut k = Kernel::new(dim(32), dim(1));
    let (q, s) = (k.global("q"), k.shared("s"));
    let (zero, t) = (k.int(0), k.t());
    let n = k.symbol("n", CType::I32);
    k.count(0, n, 1, |k, i| {
        let (_, value) = k.read(q, i);
        let given = k.facts.terms.as_bool(value);
        k.break_if(given);
    });
    let w = k.write_value(s, zero, t);
    assert_race(&k.in_block(w, w));
}

#[test]
fn atomics_are_atomic_with_each_other_only() {
    let mut k = Kernel::new(dim(32), dim(2));
    let g = k.global("g");
    let (zero, t) = (k.int(0), k.t());
    let a = k.access(AccessKind::Atomic, g, zero, 4, None);
    let w = k.write_value(g, zero, t);
    let wide = k.access(AccessKind::Atomic, g, zero, 8, None);
    assert_disjoint(&k.in_grid(a, a));
    assert_exact_race(&k.in_grid(a, w));
    assert_exact_race(&k.in_grid(a, wide));
    // atomicAdd_block does not reach the other block.
    k.facts.access[a.index()].scope = Scope::Block;
    assert_disjoint(&k.in_block(a, a));
    assert_exact_race(&k.in_grid(a, a));
}

#[test]
fn contradictory_assumptions_prove_nothing() {
    let mut k = Kernel::new(SYMBOLIC_1D, dim(1));
    let s = k.shared("s");
    let t = k.t();
    let w = k.write(s, t);
    let bd = k.bdim_x();
    let (big, small) = (k.constant(64, CType::U32), k.constant(32, CType::U32));
    let (one, other) = (k.eq(bd, big), k.eq(bd, small));
    let launch = k.launch;
    k.facts.launch_assume.push(LaunchAssumeRow {
        launch,
        term: one,
        by_host: false,
    });
    assert_disjoint(&k.in_block(w, w));
    k.facts.launch_assume.push(LaunchAssumeRow {
        launch,
        term: other,
        by_host: false,
    });
    let outcome = k.in_block(w, w);
    assert!(
        matches!(outcome.answer, RaceAnswer::Unknown { .. }),
        "{outcome:?}"
    );
    let decision = decide(&k.facts, &k.derived, &Options::default());
    assert_eq!(decision.launches[0].possible, Possibility::Contradictory);
}

#[test]
fn overflow_is_no_execution() {
    // if (n > 0 && n + t < 0) s[0] = t;
    let mut k = Kernel::new(dim(32), dim(1));
    let s = k.shared("s");
    let (zero, t) = (k.int(0), k.t());
    let n = k.symbol("n", CType::I32);
    let positive = k.lt(zero, n);
    let sum = k.add(n, t);
    let negative = k.lt(sum, zero);
    let mut w = AccessId(0);
    k.when(positive, |k| {
        k.when(negative, |k| w = k.write_value(s, zero, t))
    });
    assert_disjoint(&k.in_block(w, w));
    // In unsigned arithmetic it wraps.
    let m = k.symbol("m", CType::U32);
    let t = k.leaf(Op::TidX);
    let sum = k.add(m, t);
    let wrapped = k.lt(sum, m);
    let value = k.t();
    k.when(wrapped, |k| w = k.write_value(s, zero, value));
    assert_exact_race(&k.in_block(w, w));
}

#[test]
fn witnesses_are_small_and_in_bounds() {
    // s[t / 2] of 512 ints with a symbolic block
    let mut k = Kernel::new(SYMBOLIC_1D, dim(1));
    let s = k.array("s", Space::Shared, 4, Some(512));
    let two = k.int(2);
    let t = k.t();
    let half = k.op(Op::Div, t, two);
    let w = k.write(s, half);
    let outcome = k.in_block(w, w);
    let race = assert_exact_race(&outcome);
    assert_eq!(race.witness.block_dim, [2, 1, 1]);
    assert_eq!(
        [
            race.witness.threads[0].thread[0],
            race.witness.threads[1].thread[0]
        ],
        [0, 1]
    );
    assert_eq!(
        race.witness.element.as_ref().expect("an element").index,
        [0]
    );
    assert!(race.witness.notes.is_empty());
    // Only outside: said so.
    let far = k.add_int(half, 600);
    let w = k.write(s, far);
    let outcome = k.in_block(w, w);
    assert_eq!(
        assert_race(&outcome).witness.notes,
        ["the access to s is outside its bounds"]
    );
}
