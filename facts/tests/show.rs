//! Terms as text.

mod common;

use common::loop_kernel;
use warplog_facts::show::{Show, show};
use warplog_facts::*;

#[test]
fn operators_have_their_c_precedence() {
    let mut facts = loop_kernel();
    let terms = &mut facts.terms;
    let ty = CType::I32;
    let n = terms.symbol(SymbolId(0), ty);
    let one = terms.constant(1, ty);
    let two = terms.constant(2, ty);
    let sum = terms.binary(Op::Add, ty, n, one);
    let product = terms.binary(Op::Mul, ty, sum, two);
    let left = terms.binary(Op::Sub, ty, product, sum);
    let shifted = terms.binary(Op::Shl, ty, left, one);
    let compared = terms.binary(Op::Lt, CType::Bool, shifted, n);
    let positive = terms.binary(Op::Lt, CType::Bool, one, n);
    let both = terms.binary(Op::And, CType::Bool, compared, positive);
    let either = terms.binary(Op::Or, CType::Bool, positive, compared);
    let all = terms.binary(Op::And, CType::Bool, either, both);
    let negated = terms.not(all);
    let not_less = terms.not(compared);
    let chosen = terms.ite(positive, n, product);
    let nested = terms.binary(Op::Rem, ty, chosen, two);
    let minus = terms.unary(Op::Neg, ty, sum);
    for (term, text) in [
        (product, "(n + 1) * 2"),
        (left, "(n + 1) * 2 - (n + 1)"),
        (compared, "(n + 1) * 2 - (n + 1) << 1 < n"),
        (both, "(n + 1) * 2 - (n + 1) << 1 < n && n > 1"),
        (
            negated,
            "!((n > 1 || (n + 1) * 2 - (n + 1) << 1 < n) && ((n + 1) * 2 - (n + 1) << 1 < n && n > 1))",
        ),
        (not_less, "(n + 1) * 2 - (n + 1) << 1 >= n"),
        (chosen, "n > 1 ? n : (n + 1) * 2"),
        (nested, "(n > 1 ? n : (n + 1) * 2) % 2"),
        (minus, "-(n + 1)"),
    ] {
        assert_eq!(show(&facts, term), text);
    }
    let show = Show::new(&facts);
    assert_eq!(show.conjunct(positive, false), "n <= 1");
    assert_eq!(show.conjunct(positive, true), "n > 1");
    assert_eq!(
        show.conjunct(either, false),
        "!(n > 1 || (n + 1) * 2 - (n + 1) << 1 < n)"
    );
}

#[test]
fn leaves_have_the_names_of_the_source() {
    let mut facts = loop_kernel();
    let terms = &mut facts.terms;
    let iter = terms.iter_of(LoopId(0));
    let i = terms.fit(iter, CType::I32);
    let exit = terms.exit_of(LoopId(0));
    let unknown = terms.unknown(UnknownId(0), CType::I32);
    let grid = terms.builtin(Op::GdimY);
    let narrow = terms.cast(grid, CType::U8);
    let wide = terms.cast(grid, CType::I64);
    let minus_one = terms.constant(-1, CType::U32);
    let half = terms.intern(Op::Const, CType::F32, i128::from(0.5f32.to_bits()), &[]);
    let sine = terms.pure(FunctionId(0), CType::F32, &[half]);
    let four = terms.constant(4, CType::I32);
    let doubled = terms.power(Op::MulPow, CType::I32, 2, four, iter);
    let thirds = terms.power(Op::DivPow, CType::I32, 3, four, iter);
    for (term, text) in [
        (i, "i"),
        (exit, "exit(L0)"),
        (unknown, "⟨body of f unknown⟩"),
        (narrow, "(unsigned char)gridDim.y"),
        (wide, "gridDim.y"),
        (minus_one, "0xffffffff"),
        (sine, "sin(0.5f)"),
        (doubled, "4 << iter(L0)"),
        (thirds, "4 / pow(3, iter(L0))"),
    ] {
        assert_eq!(show(&facts, term), text);
    }
    assert_eq!(Show::without_variables(&facts).term(i), "iter(L0)");
    assert_eq!(Show::new(&facts).loop_name(LoopId(0)), "loop over i");
}

#[test]
fn conversions_are_shown_where_they_change_a_value() {
    let mut facts = loop_kernel();
    let terms = &mut facts.terms;
    let [tid, bid, width] = [Op::TidX, Op::BidX, Op::BdimX].map(|op| terms.builtin(op));
    let first = terms.binary(Op::Mul, CType::U32, bid, width);
    let id = terms.binary(Op::Add, CType::U32, first, tid);
    let n = terms.symbol(SymbolId(0), CType::I32);
    let one = terms.constant(1, CType::I32);
    let int = terms.cast(id, CType::I32);
    // `int i = blockIdx.x * blockDim.x + threadIdx.x; … i - 1`
    let before = terms.binary(Op::Sub, CType::I32, int, one);
    let natural = terms.cast(n, CType::U32);
    // `u < n`, `u - n` of an unsigned u, and what these become.
    let below = terms.binary(Op::Lt, CType::Bool, id, natural);
    let apart = terms.binary(Op::Sub, CType::U32, id, natural);
    let signed = terms.cast(apart, CType::I32);
    let wide = terms.cast(apart, CType::I64);
    // `(unsigned)n % 32` is not `n % 32`, and `(unsigned)(n - 1) < 32` not `n - 1 < 32`.
    let lanes = terms.constant(32, CType::U32);
    let rest = terms.binary(Op::Rem, CType::U32, natural, lanes);
    let lower = terms.binary(Op::Sub, CType::I32, n, one);
    let lower = terms.cast(lower, CType::U32);
    let range = terms.binary(Op::Lt, CType::Bool, lower, lanes);
    let both = terms.binary(Op::Lt, CType::Bool, natural, lower);
    // A byte holds the index of a lane, and not that of a thread.
    let lane = terms.binary(Op::Rem, CType::U32, tid, lanes);
    let lane_byte = terms.cast(lane, CType::U8);
    let tid_byte = terms.cast(tid, CType::U8);
    let truth = terms.cast(n, CType::Bool);
    // What is shifted has a type of its own.
    let shifted = terms.binary(Op::Shr, CType::U32, natural, tid);
    for (term, text) in [
        (before, "blockIdx.x * blockDim.x + threadIdx.x - 1"),
        (below, "blockIdx.x * blockDim.x + threadIdx.x < n"),
        (apart, "blockIdx.x * blockDim.x + threadIdx.x - n"),
        (signed, "(int)(blockIdx.x * blockDim.x + threadIdx.x - n)"),
        (wide, "(long)(blockIdx.x * blockDim.x + threadIdx.x - n)"),
        (rest, "(unsigned)n % 32"),
        (range, "(unsigned)(n - 1) < 32"),
        (both, "(unsigned)n < (unsigned)(n - 1)"),
        (lane_byte, "threadIdx.x % 32"),
        (tid_byte, "(unsigned char)threadIdx.x"),
        (truth, "n != 0"),
        (shifted, "(unsigned)n >> threadIdx.x"),
    ] {
        assert_eq!(show(&facts, term), text);
    }
}

#[test]
fn accesses_are_shown_in_elements() {
    let mut facts = loop_kernel();
    let show = Show::new(&facts);
    assert_eq!(show.access(AccessId(0)), "s[threadIdx.x + 1]");
    assert_eq!(show.access(AccessId(1)), "s[threadIdx.x]");
    let value = facts.access[1].value.unwrap();
    assert_eq!(show.term(value), "s[threadIdx.x + 1]");

    facts.array_extent.push(ArrayExtentRow {
        array: ArrayId(0),
        position: 1,
        elements: 33,
    });
    let terms = &mut facts.terms;
    let long = |terms: &mut TermStore, value| terms.constant(value, CType::I64);
    let x = terms.builtin(Op::TidX);
    let x = terms.cast(x, CType::I64);
    let y = terms.builtin(Op::TidY);
    let y = terms.cast(y, CType::I64);
    let (row, element, three) = (long(terms, 33), long(terms, 4), long(terms, 3));
    let index = terms.binary(Op::Mul, CType::I64, y, row);
    let index = terms.binary(Op::Add, CType::I64, index, x);
    let index = terms.binary(Op::Mul, CType::I64, index, element);
    let shift = long(terms, 4 * 35);
    let below = terms.binary(Op::Add, CType::I64, index, shift);
    let odd = terms.binary(Op::Add, CType::I64, index, three);
    let back = terms.binary(Op::Sub, CType::I64, element, index);
    let show = Show::new(&facts);
    assert_eq!(
        show.element(ArrayId(0), index),
        "s[threadIdx.y][threadIdx.x]"
    );
    assert_eq!(
        show.element(ArrayId(0), below),
        "s[threadIdx.y + 1][threadIdx.x + 2]"
    );
    assert_eq!(
        show.element(ArrayId(0), odd),
        "s[byte (threadIdx.y * 33 + threadIdx.x) * 4 + 3]"
    );
    assert_eq!(
        show.element(ArrayId(0), back),
        "s[-33 * threadIdx.y - threadIdx.x + 1]"
    );
}

#[test]
fn sums_that_may_wrap_are_not_taken_apart() {
    let mut facts = loop_kernel();
    let terms = &mut facts.terms;
    let x = terms.builtin(Op::TidX);
    let one = terms.constant(1, CType::U32);
    let before = terms.binary(Op::Sub, CType::U32, x, one);
    let before = terms.cast(before, CType::I64);
    let four = terms.constant(4, CType::I64);
    let index = terms.binary(Op::Mul, CType::I64, before, four);
    let index = terms.binary(Op::Add, CType::I64, index, four);
    // Thread 0 is at element 2^32, so this must not read `s[threadIdx.x]`.
    assert_eq!(
        Show::new(&facts).element(ArrayId(0), index),
        "s[(long)(threadIdx.x - 1) + 1]"
    );
}

#[test]
fn large_terms_are_cut() {
    let mut facts = loop_kernel();
    let n = facts.terms.symbol(SymbolId(0), CType::I32);
    let mut deep = n;
    for _ in 0..100_000 {
        deep = facts.terms.unary(Op::BitNot, CType::I32, deep);
    }
    let mut shared = n;
    for _ in 0..200 {
        shared = facts.terms.binary(Op::Mul, CType::I32, shared, shared);
    }
    let many: Vec<TermId> = (0..10_000)
        .map(|value| facts.terms.constant(value, CType::I32))
        .collect();
    let call = facts.terms.pure(FunctionId(0), CType::I32, &many);
    facts.unknown[0].reason = "x".repeat(10_000) + "\n";
    let unknown = facts.terms.unknown(UnknownId(0), CType::I32);
    for term in [deep, shared, call, unknown] {
        let text = show(&facts, term);
        assert!(
            text.chars().count() <= 161 && !text.contains('\n'),
            "{text}"
        );
    }
    assert!(show(&facts, call).ends_with('…'));
    assert!(show(&facts, deep).starts_with("~~~~") && show(&facts, deep).ends_with('…'));
}
