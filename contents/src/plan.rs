//! Terms in the order in which they are evaluated, and what an operator makes of words.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warplog_facts::eval::fold;
use warplog_facts::{CType, Op, TermId, TermStore};

use crate::is_leaf;
use crate::word::{Combination, Word};

/// A term with the places of its arguments among those before it.
pub(crate) struct Step {
    pub(crate) term: TermId,
    pub(crate) args: SmallVec<[usize; 3]>,
}

/// The terms that a value is computed from, arguments first; the last one is the value.
pub(crate) fn plan(terms: &TermStore, root: TermId) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut place: FxHashMap<TermId, usize> = FxHashMap::default();
    let mut stack = vec![root];
    while let Some(&id) = stack.last() {
        if place.contains_key(&id) {
            stack.pop();
            continue;
        }
        let term = terms.get(id);
        let args: &[TermId] = if is_leaf(term.op) { &[] } else { &term.args };
        let missing: Vec<TermId> = args
            .iter()
            .filter(|arg| !place.contains_key(arg))
            .copied()
            .collect();
        if missing.is_empty() {
            stack.pop();
            place.insert(id, steps.len());
            let args = args.iter().map(|arg| place[arg]).collect();
            steps.push(Step { term: id, args });
        } else {
            stack.extend(missing);
        }
    }
    steps
}

/// The bounds of the inputs of a source.
pub(crate) type Bounds<'a> = &'a dyn Fn(u32) -> (i128, i128);

/// Whether all values of a word are values of a type.
pub(crate) fn fits(ty: CType, word: &Word, of: Bounds<'_>) -> bool {
    match word.bounds(of) {
        Some((low, high)) => ty.holds(low) && ty.holds(high),
        None => false,
    }
}

/// The word that an operator gives, `None` where it is no sum. A signed sum that overflows is undefined, so it is none of an
/// execution; an unsigned one counts where it cannot wrap.
pub(crate) fn apply(
    terms: &TermStore,
    id: TermId,
    args: &[Option<&Word>],
    of: Bounds<'_>,
) -> Option<Word> {
    let term = terms.get(id);
    if term.op == Op::Const {
        return term.ty.is_integer().then(|| Word::number(term.payload));
    }
    let number = |at: usize| args.get(at).copied().flatten().and_then(Word::as_number);
    match term.op {
        Op::Ite => {
            return match number(0) {
                Some(0) => args[2].cloned(),
                Some(_) => args[1].cloned(),
                None => match (args[1], args[2]) {
                    (Some(one), Some(other)) if one == other => Some(one.clone()),
                    _ => None,
                },
            };
        }
        Op::And if number(0) == Some(0) || number(1) == Some(0) => return Some(Word::number(0)),
        Op::Or if number(0) == Some(1) || number(1) == Some(1) => return Some(Word::number(1)),
        _ => {}
    }
    let mut known: SmallVec<[&Word; 3]> = SmallVec::new();
    for arg in args {
        known.push((*arg)?);
    }
    let numbers: Option<SmallVec<[(i128, CType); 3]>> = known
        .iter()
        .zip(&term.args)
        .map(|(word, &arg)| Some((word.as_number()?, terms.ty(arg))))
        .collect();
    if let Some(numbers) = numbers {
        return fold(term.op, term.ty, term.payload, &numbers).map(Word::number);
    }
    // Floating point rounds, and what is no number is not equal to itself.
    let mut types = term.args.iter().map(|&arg| terms.ty(arg));
    if !types.all(CType::is_integer) {
        return None;
    }
    let word = sum(term.op, &known, of)?;
    let exact = term.ty.is_integer() && term.ty != CType::Bool;
    let is_cast = matches!(term.op, Op::Cast);
    match term.op {
        Op::Eq | Op::Ne | Op::Lt | Op::Le => Some(word),
        // Narrowing is not undefined.
        _ if exact && ((term.ty.is_signed() && !is_cast) || fits(term.ty, &word, of)) => Some(word),
        _ => None,
    }
}

/// The larger of two integers, as a choice: `a < b ? b : a`, also where both are read twice.
pub(crate) fn larger(
    terms: &TermStore,
    (plan, values): (&[Step], &[Option<Word>]),
    choice: &Step,
    of: Bounds<'_>,
) -> Option<Word> {
    let &[condition, then, otherwise] = choice.args.as_slice() else {
        return None;
    };
    let is_choice = terms.get(choice.term).op == Op::Ite;
    let comparison = &plan[condition];
    let compares = matches!(terms.get(comparison.term).op, Op::Lt | Op::Le);
    let &[low, high] = comparison.args.as_slice() else {
        return None;
    };
    let parts = [then, otherwise, low, high];
    if !is_choice || !compares || !parts.iter().all(|&at| terms.ty(plan[at].term).is_integer()) {
        return None;
    }
    let [then, otherwise, low, high] = parts.map(|at| values[at].as_ref());
    let (then, otherwise) = (then?, otherwise?);
    (low == Some(otherwise) && high == Some(then))
        .then(|| otherwise.combined(then, Combination::Largest, of))
        .flatten()
}

/// The quotient or the rest of a sum that is a number below the divisor's multiples of its runs: `(32 * w + 5) % 32`.
fn parts(op: Op, word: &Word, by: i128, of: Bounds<'_>) -> Option<Word> {
    let divisor = match op {
        Op::Rem | Op::Div => by,
        Op::BitAnd => by.checked_add(1).filter(|size| size.count_ones() == 1)?,
        _ => 1i128.checked_shl(u32::try_from(by).ok().filter(|by| *by < 64)?)?,
    };
    let (least, _) = word.bounds(of)?;
    let whole = word.runs.iter().all(|run| run.times % divisor.max(1) == 0);
    if divisor <= 0 || least < 0 || word.constant < 0 || !whole {
        return None;
    }
    if matches!(op, Op::Rem | Op::BitAnd) {
        return Some(Word::number(word.constant % divisor));
    }
    let mut quotient = word.clone();
    quotient.constant /= divisor;
    for run in &mut quotient.runs {
        run.times /= divisor;
    }
    Some(quotient)
}

/// The operators of which something is known of sums.
fn sum(op: Op, args: &[&Word], of: Bounds<'_>) -> Option<Word> {
    match (op, args) {
        (Op::Add, [a, b]) => a.plus(b, 1),
        (Op::Sub, [a, b]) => a.plus(b, -1),
        (Op::Neg, [a]) => a.scaled(-1),
        (Op::Cast | Op::Fit, [a]) => Some((*a).clone()),
        (Op::Max, [a, b]) => a.combined(b, Combination::Largest, of),
        (Op::BitOr, [a, b]) => a.combined(b, Combination::Bits, of),
        (Op::Rem | Op::Div | Op::BitAnd | Op::Shr, [a, b]) => parts(op, a, b.as_number()?, of),
        (Op::Mul, [a, b]) => match (a.as_number(), b.as_number()) {
            (Some(times), None) => b.scaled(times),
            (None, Some(times)) => a.scaled(times),
            _ => None,
        },
        (Op::Eq | Op::Ne | Op::Lt | Op::Le, [a, b]) => {
            let (low, high) = a.plus(b, -1)?.bounds(of)?;
            let truth = match op {
                Op::Lt if high < 0 => true,
                Op::Lt if low >= 0 => false,
                Op::Le if high <= 0 => true,
                Op::Le if low > 0 => false,
                Op::Eq if low > 0 || high < 0 => false,
                Op::Ne if low > 0 || high < 0 => true,
                Op::Eq if low == 0 && high == 0 => true,
                Op::Ne if low == 0 && high == 0 => false,
                _ => return None,
            };
            Some(Word::number(i128::from(truth)))
        }
        _ => None,
    }
}
