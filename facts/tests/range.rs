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
    let ranges = Ranges::new(&facts, LaunchId(0));
    for term in [start, global, signed, threads] {
        assert!(ranges.is_exact(term), "{:?}", facts.terms.get(term));
    }
    assert!(ranges.rests_on_global_ids(start) && ranges.rests_on_global_ids(signed));
    for term in [before, left, mixed, shifted, short] {
        assert!(
            !ranges.is_exact(term) && !ranges.rests_on_global_ids(term),
            "{:?}",
            facts.terms.get(term)
        );
        assert_eq!(ranges.range(term), Interval::of_type(facts.terms.ty(term)));
    }
    assert!(!ranges.rests_on_global_ids(tid) && ranges.is_exact(tid));
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
    assert!(ranges.is_exact(narrow) && ranges.rests_on_global_ids(narrow));
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
    let one = terms.constant(1, ty);
    let before = terms.binary(Op::Sub, ty, block, one);
    facts.launch_dimension.retain(|row| {
        !matches!(
            row.dimension,
            words::Dimension::BlockX | words::Dimension::GridX
        )
    });
    let ranges = Ranges::new(&facts, LaunchId(0));
    assert!(!ranges.rests_on_global_ids(start) && !ranges.is_exact(signed));
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
    for term in [block, grid, before, start, global, signed, other] {
        assert!(ranges.is_exact(term), "{:?}", facts.terms.get(term));
    }
    assert!(ranges.rests_on_global_ids(start) && ranges.rests_on_global_ids(signed));
    assert!(!ranges.rests_on_global_ids(before));
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
