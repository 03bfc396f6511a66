//! Bounds of single operators over small boxes, and what is assumed of global thread ids.
//! Bounds of whole terms are tested in `terms.rs`.

mod common;

use common::loop_kernel;
use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::range::{Interval, Ranges};
use warplog_facts::words::SymbolKind;
use warplog_facts::*;

/// That a symbol is at least the one bound, and at most the other.
type Conjuncts = [(TermId, bool); 2];

/// Two symbols.
struct Pair([i128; 2]);

impl Environment for Pair {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        self.0.get(term.symbol()?.index()).copied()
    }
}

/// Facts with two symbols of a type, and these.
fn pair(ty: CType) -> (Facts, [TermId; 2]) {
    let mut facts = loop_kernel();
    facts.symbol.clear();
    let symbols = ["a", "b"].map(|name| {
        let symbol = SymbolId::from_index(facts.symbol.len());
        let (launch, kind, name) = (LaunchId(0), SymbolKind::Parameter, name.to_owned());
        facts.symbol.push(SymbolRow {
            symbol,
            launch,
            kind,
            name,
            ty,
        });
        facts.terms.symbol(symbol, ty)
    });
    (facts, symbols)
}

const ENDS: [i128; 5] = [-7, -2, 0, 1, 5];

fn boxes(ty: CType) -> Vec<Interval> {
    let ends: Vec<i128> = ENDS.into_iter().filter(|&end| ty.holds(end)).collect();
    let above = |low: i128| ends.iter().copied().filter(move |&high| low <= high);
    ends.iter()
        .flat_map(|&low| above(low).map(move |high| Interval::new(low, high)))
        .collect()
}

#[test]
fn every_operator_stays_in_its_bounds_on_small_boxes() {
    let ops = Op::ALL
        .iter()
        .copied()
        .filter(|op| op.arity() == Some(2) || op.arity() == Some(1));
    let ops: Vec<Op> = ops
        .filter(|op| !matches!(op, Op::Load | Op::And | Op::Or | Op::Not))
        .collect();
    for ty in [CType::I32, CType::U32, CType::I8] {
        let (mut facts, [a, b]) = pair(ty);
        let ends: Vec<TermId> = (-7..=6).map(|end| facts.terms.constant(end, ty)).collect();
        let end = |value: i128| ends[usize::try_from(value + 7).unwrap()];
        let mut bounds = |symbol: TermId, interval: Interval| {
            let low = facts
                .terms
                .intern(Op::Le, CType::Bool, 0, &[end(interval.low), symbol]);
            let high = facts
                .terms
                .intern(Op::Lt, CType::Bool, 0, &[end(interval.high), symbol]);
            [(low, true), (high, false)]
        };
        let conjuncts: Vec<(Interval, [Conjuncts; 2])> = boxes(ty)
            .into_iter()
            .map(|interval| (interval, [bounds(a, interval), bounds(b, interval)]))
            .collect();
        let terms: Vec<TermId> = ops
            .iter()
            .map(|&op| {
                let result = match op {
                    Op::Eq | Op::Ne | Op::Lt | Op::Le => CType::Bool,
                    Op::Popc | Op::Clz | Op::Ffs => CType::I32,
                    Op::Cast => CType::U8,
                    Op::Fit => CType::I16,
                    _ => ty,
                };
                let payload = if matches!(op, Op::MulPow | Op::DivPow) {
                    3
                } else {
                    0
                };
                let args = if op.arity() == Some(1) {
                    vec![a]
                } else {
                    vec![a, b]
                };
                facts.terms.intern(op, result, payload, &args)
            })
            .collect();
        let whole = Ranges::new(&facts, LaunchId(0));
        for (first, of_a) in &conjuncts {
            for (second, of_b) in &conjuncts {
                let ranges = whole.assuming(&[of_a[0], of_b[1]].concat());
                assert_eq!((ranges.range(a), ranges.range(b)), (*first, *second));
                for x in first.low..=first.high {
                    for y in second.low..=second.high {
                        let environment = Pair([x, y]);
                        let mut evaluator = Evaluator::new(&facts.terms, &environment);
                        for &term in &terms {
                            let Ok(value) = evaluator.value(term) else {
                                continue;
                            };
                            let (range, op) = (ranges.range(term), facts.terms.get(term).op);
                            assert!(
                                range.contains(value),
                                "{op} {ty} of {x} in {first:?}, {y} in {second:?}: {value} is not in {range:?}"
                            );
                        }
                    }
                }
            }
        }
    }
}

/// Whether the operator of a term rests on global ids.
fn ids_of(ranges: &Ranges<'_>, term: TermId) -> bool {
    ranges.rests_on(term).global_ids
}

/// A block's index times 2³¹ wraps in the third block: that is no global id.
#[test]
fn large_multiples_of_global_ids_wrap() {
    let mut facts = loop_kernel();
    let terms = &mut facts.terms;
    let ty = CType::U32;
    let (bid, bdim, tid) = (
        terms.builtin(Op::BidX),
        terms.builtin(Op::BdimX),
        terms.builtin(Op::TidX),
    );
    let start = terms.binary(Op::Mul, ty, bid, bdim);
    let global = terms.binary(Op::Add, ty, start, tid);
    // The launch has 64 threads in a block.
    for (of, most) in [(bid, 1i128 << 22), (global, 1 << 16)] {
        for (factor, small) in [(most, true), (most * 2, false), (1 << 31, false)] {
            let factor = facts.terms.constant(factor, ty);
            let product = facts.terms.binary(Op::Mul, ty, of, factor);
            let signed = facts.terms.cast(product, CType::I32);
            let one = facts.terms.constant(1, ty);
            let sum = facts.terms.binary(Op::Add, ty, product, one);
            let ranges = Ranges::new(&facts, LaunchId(0));
            for term in [product, signed, sum] {
                assert_eq!(ranges.is_exact(term), small, "{:?}", facts.terms.get(term));
            }
        }
    }
    let terms = &mut facts.terms;
    let many = terms.constant(31, CType::I32);
    let shifted = terms.binary(Op::Shl, ty, bid, many);
    let few = terms.constant(3, CType::I32);
    let small = terms.binary(Op::Shl, ty, bid, few);
    let by_id = terms.binary(Op::Shl, ty, bid, tid);
    let ranges = Ranges::new(&facts, LaunchId(0));
    assert!(ranges.is_exact(small) && !ranges.is_exact(shifted) && !ranges.is_exact(by_id));
}

/// `i + 2 * n` in `size_t`, but not `n - 1`, nor a negative number that was made one of 64 bits, nor large multiples.
#[test]
fn sums_and_products_of_sizes_are_assumed_not_to_wrap() {
    let (mut facts, [n, _]) = pair(CType::U64);
    facts.symbol[1].ty = CType::I32;
    let signed = facts.terms.symbol(SymbolId(1), CType::I32);
    let terms = &mut facts.terms;
    let ty = CType::U64;
    let tid = terms.builtin(Op::TidX);
    let tid = terms.cast(tid, ty);
    let two = terms.constant(2, ty);
    let large = terms.constant(1 << 60, ty);
    let twice = terms.binary(Op::Mul, ty, n, two);
    let sum = terms.binary(Op::Add, ty, tid, twice);
    let square = terms.binary(Op::Mul, ty, n, n);
    let half = terms.binary(Op::Div, ty, n, two);
    let halves = terms.binary(Op::Mul, ty, half, n);
    let index = terms.cast(halves, CType::I64);
    let narrow = terms.cast(halves, CType::U32);
    let before = terms.binary(Op::Sub, ty, n, two);
    let product = terms.binary(Op::Mul, ty, before, n);
    let hash = terms.binary(Op::Mul, ty, n, large);
    let top = terms.binary(Op::Mul, ty, tid, large);
    let wide = terms.cast(signed, ty);
    let shifted = terms.binary(Op::Add, ty, tid, wide);
    let mut ranges = Ranges::new(&facts, LaunchId(0));
    for term in [twice, sum, square, halves, index] {
        assert!(ranges.is_exact(term), "{:?}", facts.terms.get(term));
        assert!(ranges.rests_on(term).sizes && !ids_of(&ranges, term));
    }
    for term in [before, product, hash, top, shifted, narrow] {
        assert!(!ranges.is_exact(term), "{:?}", facts.terms.get(term));
        assert!(!ranges.rests_on(term).any());
    }
    // `x - x % n` is no negative number.
    let terms = &mut facts.terms;
    let rest = terms.binary(Op::Rem, ty, twice, n);
    let without = terms.binary(Op::Sub, ty, twice, rest);
    let other = terms.binary(Op::Sub, ty, sum, rest);
    ranges = Ranges::new(&facts, LaunchId(0));
    assert!(ranges.is_exact(without) && !ranges.is_exact(other));
}

#[test]
fn only_sums_and_products_of_global_ids_are_assumed_not_to_wrap() {
    let mut facts = loop_kernel();
    let terms = &mut facts.terms;
    let ty = CType::U32;
    let (bid, gdim, tid) = (
        terms.builtin(Op::BidX),
        terms.builtin(Op::GdimX),
        terms.builtin(Op::TidX),
    );
    let size = terms.constant(64, ty);
    let start = terms.binary(Op::Mul, ty, bid, size);
    let global = terms.binary(Op::Add, ty, start, tid);
    let signed = terms.cast(global, CType::I32);
    let short = terms.cast(global, CType::I16);
    let one = terms.constant(1, ty);
    let before = terms.binary(Op::Sub, ty, tid, one);
    let left = terms.binary(Op::Sub, ty, bid, one);
    let mixed = terms.binary(Op::Add, ty, global, left);
    let n = terms.symbol(SymbolId(0), CType::I32);
    let n = terms.cast(n, ty);
    let shifted = terms.binary(Op::Add, ty, global, n);
    let threads = terms.binary(Op::Mul, ty, gdim, size);
    // Warps are counted as threads are; a difference under a quotient may have wrapped.
    let many = terms.constant(32, ty);
    let two = terms.constant(2, ty);
    let warps = terms.binary(Op::Mul, ty, bid, two);
    let warp = terms.binary(Op::Div, ty, tid, many);
    let warp = terms.binary(Op::Add, ty, warps, warp);
    let warp = terms.cast(warp, CType::I32);
    let divided = terms.binary(Op::Div, ty, before, many);
    let misled = terms.binary(Op::Add, ty, warps, divided);
    let ranges = Ranges::new(&facts, LaunchId(0));
    assert!(ids_of(&ranges, warp) && ranges.is_exact(warp));
    assert!(!ranges.is_exact(misled) && !ids_of(&ranges, misled));
    for term in [start, global, signed, threads] {
        assert!(ranges.is_exact(term), "{:?}", facts.terms.get(term));
    }
    assert!(ids_of(&ranges, start) && ids_of(&ranges, signed));
    for term in [before, left, mixed, shifted, short] {
        assert!(
            !ranges.is_exact(term) && !ids_of(&ranges, term),
            "{:?}",
            facts.terms.get(term)
        );
        assert_eq!(ranges.range(term), Interval::of_type(facts.terms.ty(term)));
    }
    assert!(!ids_of(&ranges, tid) && ranges.is_exact(tid));
}

/// `int row = id / width` with an id of 64 bits, whatever `width` is: no further from 0 than the id, which is an `int`, too.
#[test]
fn quotients_of_global_ids_are_indices() {
    let mut facts = loop_kernel();
    let wide = CType::I64;
    let n = facts.terms.symbol(SymbolId(0), CType::I32);
    let terms = &mut facts.terms;
    let n = terms.cast(n, wide);
    let (bid, tid) = (terms.builtin(Op::BidX), terms.builtin(Op::TidX));
    let (bid, tid) = (terms.cast(bid, wide), terms.cast(tid, wide));
    let size = terms.constant(64, wide);
    let start = terms.binary(Op::Mul, wide, bid, size);
    let global = terms.binary(Op::Add, wide, start, tid);
    let before = terms.binary(Op::Sub, wide, global, n);
    let of = |terms: &mut TermStore, op: Op, left: TermId, right: TermId| {
        let result = terms.binary(op, wide, left, right);
        terms.cast(result, CType::I32)
    };
    let fits: Vec<TermId> = [Op::Div, Op::Rem, Op::Shr, Op::BitAnd]
        .map(|op| of(terms, op, global, n))
        .to_vec();
    let may_not = [
        of(terms, Op::Div, before, n),
        of(terms, Op::Div, n, global),
        of(terms, Op::Min, global, n),
        of(terms, Op::Mul, global, n),
    ];
    let ranges = Ranges::new(&facts, LaunchId(0));
    for term in fits {
        assert!(ranges.is_exact(term) && ids_of(&ranges, term));
    }
    for term in may_not {
        assert!(!ids_of(&ranges, term));
    }
}

/// Bounds found through an operator that is assumed not to wrap rest on the assumption, even where
/// the operator could not wrap within these bounds.
#[test]
fn bounds_remember_what_they_rest_on() {
    let mut facts = loop_kernel();
    let terms = &mut facts.terms;
    let (bid, exit) = (terms.builtin(Op::BidX), terms.exit_of(LoopId(0)));
    let wide = terms.cast(bid, CType::I64);
    let product = terms.binary(Op::Mul, CType::I64, wide, exit);
    let narrow = terms.cast(product, CType::I32);
    let limit = terms.constant(4, CType::I32);
    let below = terms.binary(Op::Lt, CType::Bool, narrow, limit);
    let ranges = Ranges::new(&facts, LaunchId(0)).assuming(&[(below, true)]);
    assert_eq!(ranges.range(product), Interval::new(0, 3));
    assert!(ranges.is_exact(narrow) && ids_of(&ranges, narrow));
}

/// The size of a block is what the host computed: `k<<<g, (unsigned)t>>>`, and its kernel calls it so.
#[test]
fn computed_sizes_are_sizes() {
    let (mut facts, [t, g]) = pair(CType::I32);
    let ty = CType::U32;
    let terms = &mut facts.terms;
    let (block, grid) = (terms.cast(t, ty), terms.cast(g, ty));
    let (bid, tid) = (terms.builtin(Op::BidX), terms.builtin(Op::TidX));
    let start = terms.binary(Op::Mul, ty, bid, block);
    let global = terms.binary(Op::Add, ty, start, tid);
    let signed = terms.cast(global, CType::I32);
    let other = terms.binary(Op::Mul, ty, bid, grid);
    let threads = terms.binary(Op::Mul, ty, block, grid);
    let one = terms.constant(1, ty);
    let before = terms.binary(Op::Sub, ty, block, one);
    facts.launch_dimension.retain(|row| {
        !matches!(
            row.dimension,
            words::Dimension::BlockX | words::Dimension::GridX
        )
    });
    let ranges = Ranges::new(&facts, LaunchId(0));
    assert!(!ids_of(&ranges, start) && !ranges.is_exact(signed));
    for (dimension, term) in [
        (words::Dimension::BlockX, block),
        (words::Dimension::GridX, grid),
    ] {
        facts.launch_dimension.push(LaunchDimensionRow {
            launch: LaunchId(0),
            dimension,
            term,
        });
    }
    let ranges = Ranges::new(&facts, LaunchId(0));
    // Another size is no launch: t itself is 1 to 1024, so nothing wraps in the conversion.
    assert_eq!(ranges.range(t), Interval::new(1, 1024));
    assert_eq!(ranges.range(g).low, 1);
    for term in [block, grid, before, start, global, signed, other, threads] {
        assert!(ranges.is_exact(term), "{:?}", facts.terms.get(term));
    }
    assert!(ids_of(&ranges, start) && ids_of(&ranges, signed));
    assert!(!ids_of(&ranges, before));
}

/// A quotient of at least 1 tells of its dividend.
#[test]
fn quotients_bound_their_dividends() {
    let (mut facts, [n, _]) = pair(CType::I32);
    let terms = &mut facts.terms;
    let size = terms.constant(4, CType::I32);
    let quotient = terms.binary(Op::Div, CType::I32, n, size);
    for bound in -3..=3i128 {
        let value = facts.terms.constant(bound, CType::I32);
        for (low, high) in [(value, quotient), (quotient, value)] {
            let holds = facts.terms.binary(Op::Le, CType::Bool, low, high);
            let range = Ranges::new(&facts, LaunchId(0))
                .assuming(&[(holds, true)])
                .range(n);
            // C's division rounds towards 0.
            let fitting: Vec<i128> = (-40..=40)
                .filter(|n| {
                    if low == value {
                        bound <= n / 4
                    } else {
                        n / 4 <= bound
                    }
                })
                .collect();
            if low == value {
                assert_eq!(Some(&range.low), fitting.first());
            } else {
                assert_eq!(Some(&range.high), fitting.last());
            }
        }
    }
}

/// A product that is not 0 has no factor 0, also when it wraps.
#[test]
fn products_above_zero_have_factors_above_zero() {
    for ty in [CType::U32, CType::I32] {
        let (mut facts, [a, b]) = pair(ty);
        let product = facts.terms.binary(Op::Mul, ty, a, b);
        let zero = facts.terms.constant(0, ty);
        let above = facts.terms.binary(Op::Lt, CType::Bool, zero, product);
        let known = facts.terms.binary(Op::Le, CType::Bool, zero, b);
        let ranges = Ranges::new(&facts, LaunchId(0));
        let only = ranges.assuming(&[(above, true)]);
        let least = if ty.is_signed() {
            i128::from(i32::MIN)
        } else {
            1
        };
        assert_eq!((only.range(a).low, only.range(b).low), (least, least));
        // 0 <= b and 0 < a · b
        let both = ranges.assuming(&[(known, true), (above, true)]);
        assert_eq!((both.range(a).low, both.range(b).low), (1, 1));
    }
}
