//! What terms mean: evaluation against Rust's own arithmetic, and the contracts of everything that
//! rewrites terms or bounds them, on random terms in random executions.

mod common;
mod random;

use proptest::prelude::*;
use random::{Leaves, Made, linear_plan, make, part_plan, plan};
use rustc_hash::FxHashMap;
use warplog_facts::check::check;
use warplog_facts::eval::{EvalError, Evaluator};
use warplog_facts::poly::{Polynomial, Polynomials};
use warplog_facts::range::Ranges;
use warplog_facts::*;

/// `PROPTEST_CASES` asks for more cases than the suite takes time for.
fn config() -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES")
        .ok()
        .and_then(|cases| cases.parse().ok())
        .unwrap_or(400);
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    }
}

/// The result of an operator over the integers, `None` for those that are defined bit by bit.
fn mathematical(op: Op, payload: i128, args: &[i128]) -> Option<i128> {
    match (op, args) {
        (Op::Add, [a, b]) => Some(a + b),
        (Op::Sub, [a, b]) => Some(a - b),
        (Op::Mul, [a, b]) => a.checked_mul(*b).or(Some(i128::MAX)),
        (Op::Neg, [a]) => Some(-a),
        (Op::Shl, [a, b]) => a.checked_mul(1i128.checked_shl(u32::try_from(*b).ok()?)?),
        (Op::Cast | Op::Fit, [a]) => Some(*a),
        (Op::MulPow, [start, count]) => {
            let power = |mut value: i128| {
                for _ in 0..*count {
                    value = if value == 0 {
                        0
                    } else {
                        value.checked_mul(payload)?
                    };
                }
                Some(value)
            };
            power(*start).or(Some(i128::MAX))
        }
        _ => None,
    }
}

/// Whether an operator that is assumed not to wrap does wrap: then it is no execution in question.
fn breaks_the_assumption(made: &Made, ranges: &Ranges<'_>) -> bool {
    let mut evaluator = Evaluator::new(&made.facts.terms, &made.leaves);
    made.facts.terms.iter().any(|(id, term)| {
        let args: Result<Vec<i128>, EvalError> =
            term.args.iter().map(|&arg| evaluator.value(arg)).collect();
        match (evaluator.value(id), args) {
            (Ok(value), Ok(args)) if ranges.rests_on(id).any() => {
                mathematical(term.op, term.payload, &args).is_some_and(|exact| exact != value)
            }
            _ => false,
        }
    })
}

/// Whether something in the term has no value that is known.
fn rests_on_unknown(made: &Made, root: TermId) -> bool {
    let mut reachable = made.facts.terms.reachable(&[root]).into_iter();
    reachable.any(|id| matches!(made.value(id), Err(EvalError::NotKnown(_))))
}

/// Every value is in its range, every exact operator is exact.
fn bounds_hold(made: &Made, ranges: &Ranges<'_>) -> Result<(), TestCaseError> {
    let mut evaluator = Evaluator::new(&made.facts.terms, &made.leaves);
    for (id, term) in made.facts.terms.iter() {
        let Ok(value) = evaluator.value(id) else {
            continue;
        };
        let range = ranges.range(id);
        let text = || warplog_facts::show::show(&made.facts, id);
        prop_assert!(
            range.contains(value),
            "{} ({}) = {value} is not in {range:?}",
            text(),
            term.ty
        );
        let args: Result<Vec<i128>, EvalError> =
            term.args.iter().map(|&arg| evaluator.value(arg)).collect();
        if let Ok(args) = args
            && ranges.is_exact(id)
            && let Some(exact) = mathematical(term.op, term.payload, &args)
        {
            prop_assert_eq!(
                value,
                exact,
                "{} ({}) of {:?} is not exact",
                text(),
                term.ty,
                args
            );
        }
    }
    Ok(())
}

/// The value of a polynomial modulo 2^128.
fn polynomial_value(
    polynomial: &Polynomial,
    atom: &mut dyn FnMut(TermId) -> Option<i128>,
) -> Option<i128> {
    let mut sum = 0i128;
    for (monomial, coefficient) in polynomial.monomials() {
        let mut product = coefficient;
        for &factor in monomial {
            product = product.wrapping_mul(atom(factor)?);
        }
        sum = sum.wrapping_add(product);
    }
    Some(sum)
}

fn polynomials_hold(made: &Made, ranges: &Ranges<'_>) -> Result<(), TestCaseError> {
    let store = &made.facts.terms;
    let polynomials = Polynomials::new(store, ranges);
    let mut evaluator = Evaluator::new(store, &made.leaves);
    for (id, term) in store.iter() {
        let Ok(value) = evaluator.value(id) else {
            continue;
        };
        let polynomial = polynomials.of(id);
        // All atoms of a defined term are defined: it is strict in them.
        let found = polynomial_value(&polynomial, &mut |atom| evaluator.value(atom).ok());
        prop_assert_eq!(
            found,
            Some(value),
            "{:?} {:?} as {:?}",
            id,
            term,
            polynomial
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    /// The random terms are terms that facts may have.
    #[test]
    fn random_terms_pass_the_check(plan in plan(30)) {
        prop_assert_eq!(check(&make(&plan).used()), Ok(()));
    }

    /// Simplified terms have the value of what was to be built, wherever that has one.
    #[test]
    fn construction_keeps_values(plan in plan(40)) {
        let made = make(&plan);
        for &(raw, simplified) in &made.nodes {
            prop_assert_eq!(made.facts.terms.ty(raw), made.facts.terms.ty(simplified));
            if let Ok(value) = made.value(raw) {
                let found = made.value(simplified);
                // `(u == u && 1 / 0) || true` is true or undefined; simplified, where the unknown is gone, it is undefined.
                let is_undefined = matches!(&found, Err(error) if !matches!(error, EvalError::NotKnown(_)));
                if is_undefined && rests_on_unknown(&made, raw) {
                    continue;
                }
                prop_assert_eq!(found, Ok(value), "{:?} became {:?}",
                    made.facts.terms.get(raw), made.facts.terms.get(simplified));
            }
        }
    }

    /// A leaf replaced by a term means the same as the leaf with the term's value.
    #[test]
    fn replacement_is_substitution_of_values(
        plan in plan(30),
        with in any::<prop::sample::Index>(),
        of in any::<prop::sample::Index>(),
    ) {
        let mut made = make(&plan);
        let leaf = made.facts.terms.symbol(SymbolId(0), CType::I32);
        let with = made.nodes[with.index(made.nodes.len())].0;
        let of = made.nodes[of.index(made.nodes.len())].0;
        if let Ok(value) = made.value(with)
            && made.facts.terms.ty(with) == CType::I32
        {
            let images: FxHashMap<TermId, TermId> = [(leaf, with)].into_iter().collect();
            let replaced = made.facts.terms.replace(of, &images);
            let substituted = made.facts.terms.substitute(of, &mut |id, _| images.get(&id).copied());
            let inside = Leaves {
                symbols: [value].into_iter().chain(made.leaves.symbols[1..].iter().copied()).collect(),
                ..made.leaves.clone()
            };
            let expected = Evaluator::new(&made.facts.terms, &inside).value(of);
            if let Ok(expected) = expected {
                prop_assert_eq!(made.value(replaced), Ok(expected));
                prop_assert_eq!(made.value(substituted), Ok(expected));
            }
        }
    }

    /// The contract of ranges, and of polynomials on top of it.
    #[test]
    fn values_are_in_their_ranges(plan in plan(40)) {
        let made = make(&plan);
        let ranges = Ranges::new(&made.facts, LaunchId(0));
        if !breaks_the_assumption(&made, &ranges) {
            bounds_hold(&made, &ranges)?;
            polynomials_hold(&made, &ranges)?;
        }
    }

    /// The contract of ranges under conjuncts that hold.
    #[test]
    fn values_are_in_the_ranges_of_what_holds(
        plan in prop_oneof![plan(40), linear_plan(25), part_plan(12)],
        conjuncts in prop::collection::vec(any::<prop::sample::Index>(), 1..8),
    ) {
        let made = make(&plan);
        let conditions: Vec<(TermId, bool)> = made
            .nodes
            .iter()
            .flat_map(|&(raw, simplified)| [raw, simplified])
            .filter(|&id| made.facts.terms.ty(id) == CType::Bool)
            .filter_map(|id| Some((id, made.value(id).ok()? != 0)))
            .collect();
        if !conditions.is_empty() {
            let chosen: Vec<(TermId, bool)> =
                conjuncts.iter().map(|index| conditions[index.index(conditions.len())]).collect();
            let ranges = Ranges::new(&made.facts, LaunchId(0)).assuming(&chosen);
            if !breaks_the_assumption(&made, &ranges) {
                let texts = || -> Vec<String> {
                    let show = warplog_facts::show::Show::new(&made.facts);
                    chosen.iter().map(|&(term, polarity)| show.conjunct(term, polarity)).collect()
                };
                let under = |error| match error {
                    TestCaseError::Fail(reason) => TestCaseError::fail(format!("under {:?}: {reason}", texts())),
                    reject => reject,
                };
                bounds_hold(&made, &ranges).map_err(under)?;
                polynomials_hold(&made, &ranges).map_err(under)?;
            }
        }
    }

    /// Sums of quotients and remainders of one number, by divisors of either sign, are what their polynomials are.
    #[test]
    fn digits_that_are_put_together_keep_their_value(
        cuts in prop::collection::vec((any::<prop::sample::Index>(), 0u8..4, 0usize..6), 1..7),
        parts in prop::collection::vec((any::<prop::sample::Index>(), 0usize..6, any::<bool>()), 2..6),
        x in -70i128..70,
        sizes in [-5i128..6, -5i128..6],
        is_sum in any::<bool>(),
    ) {
        let mut facts = common::loop_kernel();
        let terms = &mut facts.terms;
        let symbols = [0, 1, 2].map(|id| terms.symbol(SymbolId(id), CType::I32));
        let of_sizes = terms.intern(Op::Mul, CType::I32, 0, &[symbols[1], symbols[2]]);
        let [two, four, eight] = [2, 4, 8].map(|value| terms.constant(value, CType::I32));
        let divisors = [symbols[1], symbols[2], of_sizes, two, four, eight];
        let mut pool = vec![symbols[0]];
        let mut digits = Vec::new();
        for (of, op, by) in cuts {
            let of = pool[of.index(pool.len())];
            let quotient = terms.intern(Op::Div, CType::I32, 0, &[of, divisors[by]]);
            let remainder = terms.intern(Op::Rem, CType::I32, 0, &[of, divisors[by]]);
            let made = match op {
                0 => quotient,
                1 => remainder,
                2 => {
                    let count = terms.constant(by as i128 % 3, CType::I32);
                    terms.intern(Op::Shr, CType::I32, 0, &[of, count])
                }
                _ => {
                    let mask = terms.constant((1 << (by % 3)) - 1, CType::I32);
                    terms.intern(Op::BitAnd, CType::I32, 0, &[of, mask])
                }
            };
            pool.push(made);
            // What makes the number whole again.
            let scaled = terms.intern(Op::Mul, CType::I32, 0, &[quotient, divisors[by]]);
            digits.push(terms.intern(Op::Add, CType::I32, 0, &[scaled, remainder]));
        }
        let mut sum = pool[pool.len() - 1];
        for (part, by, scaled) in parts {
            let from = if is_sum && !scaled { &digits } else { &pool };
            let mut part = from[part.index(from.len())];
            if scaled {
                part = terms.intern(Op::Mul, CType::I32, 0, &[part, divisors[by]]);
            }
            sum = terms.intern(Op::Add, CType::I32, 0, &[sum, part]);
        }
        let made = Made {
            facts,
            nodes: Vec::new(),
            leaves: Leaves { symbols: vec![x, sizes[0], sizes[1]], ..Leaves::default() },
        };
        let ranges = Ranges::new(&made.facts, LaunchId(0));
        polynomials_hold(&made, &ranges)?;
        // The same of a number that is known not to be negative.
        let terms = &mut made.facts.clone().terms;
        let zero = terms.constant(0, CType::I32);
        let positive = terms.binary(Op::Le, CType::Bool, zero, symbols[0]);
        let made = Made { facts: Facts { terms: terms.clone(), ..made.facts.clone() }, ..made };
        if x >= 0 {
            let ranges = Ranges::new(&made.facts, LaunchId(0)).assuming(&[(positive, true)]);
            polynomials_hold(&made, &ranges)?;
        }
    }

    /// Facts that are appended or lose unused terms mean what they meant.
    #[test]
    fn appended_and_compacted_facts_keep_their_meaning(first in plan(12), second in plan(12)) {
        let (first, second) = (make(&first), make(&second));
        let mut both = first.used();
        let offsets = both.id_counts();
        both.append(second.used());
        both.compact_terms();
        prop_assert_eq!(check(&both), Ok(()));
        let moved = [IdKind::Symbol, IdKind::Loop, IdKind::Unknown].map(|kind| i128::from(offsets.0[kind as usize]));
        let theirs = Leaves { moved, ..second.leaves.clone() };
        let old = [first.used(), second.used()];
        let rows = old[0].unknown_depends_on.iter().map(|row| (&old[0], row.term, &first.leaves, &first.leaves));
        let rows = rows.chain(old[1].unknown_depends_on.iter().map(|row| (&old[1], row.term, &second.leaves, &theirs)));
        let rows: Vec<_> = rows.collect();
        prop_assert_eq!(rows.len(), both.unknown_depends_on.len());
        for ((facts, term, before, after), row) in rows.into_iter().zip(&both.unknown_depends_on) {
            let expected = Evaluator::new(&facts.terms, before).value(term);
            let found = Evaluator::new(&both.terms, after).value(row.term);
            match (expected, found) {
                (Ok(expected), found) => prop_assert_eq!(found, Ok(expected)),
                (Err(expected), found) => {
                    // The same error, at a term of another id.
                    let found = found.expect_err("undefined before");
                    prop_assert_eq!(std::mem::discriminant(&expected), std::mem::discriminant(&found));
                }
            }
        }
    }
}

/// Digits of a number make the number, however they were cut off.
#[test]
fn digits_make_the_number() {
    let mut facts = common::loop_kernel();
    let terms = &mut facts.terms;
    let [x, a, b] = [0, 1, 2].map(|id| terms.symbol(SymbolId(id), CType::I32));
    let op =
        |terms: &mut TermStore, op, left, right| terms.intern(op, CType::I32, 0, &[left, right]);
    let both = op(terms, Op::Mul, a, b);
    let by_a = op(terms, Op::Div, x, a);
    let by_b = op(terms, Op::Div, x, b);
    // x / b / a · (a · b) + x / b % a · b + x % b, x / a / b in place of the first.
    let high = [
        op(terms, Op::Div, by_b, a),
        op(terms, Op::Div, by_a, b),
        op(terms, Op::Div, x, both),
    ];
    let rest = op(terms, Op::Rem, x, both);
    let middle = [op(terms, Op::Rem, by_b, a), op(terms, Op::Div, rest, b)];
    let low = op(terms, Op::Rem, x, b);
    let mut sums = Vec::new();
    for high in high {
        for middle in middle {
            let high = op(terms, Op::Mul, high, both);
            let middle = op(terms, Op::Mul, middle, b);
            let low = op(terms, Op::Add, middle, low);
            sums.push(op(terms, Op::Add, high, low));
        }
    }
    let ranges = Ranges::new(&facts, LaunchId(0));
    let polynomials = Polynomials::new(&facts.terms, &ranges);
    for &sum in &sums {
        assert_eq!(
            *polynomials.of(sum),
            Polynomial::atom(x),
            "{:?}",
            facts.terms.get(sum)
        );
    }
}

/// Factors as large as types allow, multiplied and shifted, stay within the arithmetic.
#[test]
fn polynomials_of_large_factors_do_not_overflow() {
    let mut facts = common::loop_kernel();
    let terms = &mut facts.terms;
    let (mut all, ty) = (vec![terms.iter_of(LoopId(0))], CType::I64);
    let n = terms.symbol(SymbolId(0), CType::I32);
    all.push(terms.cast(n, ty));
    for value in [
        i128::from(i64::MAX),
        i128::from(i64::MIN),
        1 << 56,
        (1 << 57) - 3,
        1 << 40,
        3,
    ] {
        all.push(terms.constant(value, ty));
    }
    let count = terms.constant(62, CType::I32);
    for _ in 0..2 {
        for (index, left) in all.clone().into_iter().enumerate() {
            all.push(terms.intern(Op::Shl, ty, 0, &[left, count]));
            for &right in &all.clone()[index..index + 8] {
                all.push(terms.intern(Op::Mul, ty, 0, &[left, right]));
                all.push(terms.intern(Op::Sub, ty, 0, &[left, right]));
            }
        }
    }
    let ranges = Ranges::new(&facts, LaunchId(0));
    let polynomials = Polynomials::new(&facts.terms, &ranges);
    // Modulo 2^64 every polynomial is the value, whatever the leaves are.
    let leaf = |id: TermId| i128::from(0x9e37_79b9_7f4a_7c15u64.wrapping_mul(u64::from(id.0) + 1));
    let mut values: Vec<i128> = Vec::new();
    for (id, term) in facts.terms.iter() {
        let arg = |index: usize| values[term.args[index].index()];
        values.push(match term.op {
            Op::Const => term.payload,
            Op::Cast | Op::Fit => arg(0),
            Op::Mul => arg(0).wrapping_mul(arg(1)),
            Op::Sub => arg(0).wrapping_sub(arg(1)),
            Op::Shl => arg(0).wrapping_shl(62),
            _ => leaf(id),
        });
    }
    for &id in &all {
        let found =
            polynomial_value(&polynomials.of(id), &mut |atom| Some(values[atom.index()])).unwrap();
        assert_eq!(
            found as u64,
            values[id.index()] as u64,
            "{:?}",
            facts.terms.get(id)
        );
    }
}

/// `c ? a : b` of conditions, with constants in every place, is what it says.
#[test]
fn choices_between_conditions_keep_their_value() {
    let mut facts = common::loop_kernel();
    let terms = &mut facts.terms;
    let (no, yes) = (terms.truth(false), terms.truth(true));
    let operand = |terms: &mut TermStore, op: Op| {
        let builtin = terms.builtin(op);
        terms.as_bool(builtin)
    };
    let all = [Op::TidX, Op::TidY, Op::TidZ].map(|op| operand(terms, op));
    for condition in [no, yes, all[0]] {
        for then in [no, yes, all[0], all[1]] {
            for otherwise in [no, yes, all[0], all[2]] {
                let raw = terms.intern(Op::Ite, CType::Bool, 0, &[condition, then, otherwise]);
                let made = terms.ite(condition, then, otherwise);
                for bits in 0..8i128 {
                    let leaves = Leaves {
                        tid: [bits & 1, bits & 2, bits & 4],
                        ..Leaves::default()
                    };
                    let mut evaluator = Evaluator::new(terms, &leaves);
                    let expected = evaluator.value(raw);
                    assert!(expected.is_ok());
                    assert_eq!(
                        evaluator.value(made),
                        expected,
                        "{condition:?} {then:?} {otherwise:?}"
                    );
                }
            }
        }
    }
}
