//! Assumptions of more different values than a type has: `__distinct(idx)` of 512 elements of type `unsigned char`,
//! `__requires(__distinct_int(key[t] % 4))` of 64 threads.
//!
//! Formulas speak of two threads at a time, and any two may well differ: that all of them cannot is the pigeonhole principle.
//!
//! **Algorithm.** Of an array whose elements are said to be pairwise different, the elements that a launch of known size
//! surely accesses are counted, thread by thread and round by round, as far as indices and conditions are made of numbers of
//! the launch. Of two threads that are said to differ in a term, the values that the term can have are counted from its form.
//!
//! **Accuracy.** What is called impossible is: only accesses count that every execution performs. Elements of four bytes and
//! more are not counted, nor launches of open size, of which small ones satisfy what is assumed.

use std::collections::BTreeSet;

use facts::eval::{Environment, Evaluator};
use facts::*;
use warplog_facts as facts;

use crate::index::Index;

/// Most values between bounds that are counted.
const MAX_VALUES: u64 = 1 << 16;

/// Most evaluations of an access.
const MAX_EVALUATIONS: u32 = 1 << 18;

/// A thread of a launch of known size, in a round of the loop around it.
struct At {
    tid: [i128; 3],
    bid: [i128; 3],
    sizes: [i128; 6],
    round: i128,
}

impl Environment for At {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        Some(match term.op {
            Op::TidX => self.tid[0],
            Op::TidY => self.tid[1],
            Op::TidZ => self.tid[2],
            Op::BidX => self.bid[0],
            Op::BidY => self.bid[1],
            Op::BidZ => self.bid[2],
            Op::BdimX => self.sizes[0],
            Op::BdimY => self.sizes[1],
            Op::BdimZ => self.sizes[2],
            Op::GdimX => self.sizes[3],
            Op::GdimY => self.sizes[4],
            Op::GdimZ => self.sizes[5],
            Op::Iter => self.round,
            _ => return None,
        })
    }
}

/// Whether an array of the launch is said to have more different elements than its type has values.
pub(crate) fn are_too_many(index: &Index<'_>, launch: LaunchId) -> bool {
    let arrays = index.distinct_arrays();
    let mut arrays = arrays.filter(|array| index.facts.array[array.index()].launch == launch);
    index.has_no_value(launch)
        || arrays.any(|array| {
            let of_bounds = index.bounds_of(array).and_then(|(least, most)| {
                let values = u64::try_from(most.checked_sub(least)?)
                    .ok()?
                    .checked_add(1)?;
                (values <= MAX_VALUES).then_some(values)
            });
            let of_type = values_of_element(index.facts, array);
            let Some(values) = of_type.into_iter().chain(of_bounds).min() else {
                return false;
            };
            let row = &index.facts.array[array.index()];
            let declared = row.bytes.map(|bytes| bytes / u64::from(row.element_bytes));
            declared.is_some_and(|declared| declared > values)
                || sizes(index, launch).is_some_and(|sizes| accesses(index, array, sizes, values))
        })
}

/// Whether an assumption that any two threads satisfy is one that so many threads cannot: pairwise different values of a term
/// that has fewer.
pub(crate) fn are_too_few(index: &Index<'_>, launch: LaunchId, assumed: TermId) -> bool {
    let terms = &index.facts.terms;
    let term = terms.get(assumed);
    match (term.op, term.args.as_slice()) {
        (Op::And, args) => args.iter().any(|&arg| are_too_few(index, launch, arg)),
        (Op::Ne, &[one, other]) => {
            let differs = |one: TermId, other: TermId| {
                let other = terms.get(other);
                other.op == Op::Other && other.args.first() == Some(&one)
            };
            let of = match (differs(one, other), differs(other, one)) {
                (true, _) => one,
                (_, true) => other,
                _ => return false,
            };
            let Some(threads) = threads(index, launch) else {
                return false;
            };
            threads > values(terms, of, 0)
        }
        _ => false,
    }
}

/// The number of values of the elements of an array, if it is small.
fn values_of_element(facts: &Facts, array: ArrayId) -> Option<u64> {
    let bytes = facts.array[array.index()].element_bytes;
    let is_truth = || {
        let mut loads = facts
            .terms
            .iter()
            .filter(|(_, term)| term.ty == CType::Bool);
        loads.any(|(_, term)| {
            let access = term.access().map(|access| &facts.access[access.index()]);
            access.is_some_and(|access| access.array == array && access.bytes == bytes)
        })
    };
    match bytes {
        1 if is_truth() => Some(2),
        1 => Some(1 << 8),
        2 => Some(1 << 16),
        _ => None,
    }
}

/// The block's and the grid's sizes, if all are known.
fn sizes(index: &Index<'_>, launch: LaunchId) -> Option<[i128; 6]> {
    let mut sizes = [None; 6];
    for row in &index.facts.launch_dimension {
        if row.launch == launch {
            sizes[row.dimension as usize] = index.facts.terms.as_const(row.term);
        }
    }
    let mut known = [0; 6];
    for (known, size) in known.iter_mut().zip(sizes) {
        *known = size?;
    }
    Some(known)
}

/// At least so many threads has a launch, if the size of its block is known.
fn threads(index: &Index<'_>, launch: LaunchId) -> Option<i128> {
    let mut block = [None; 3];
    for row in &index.facts.launch_dimension {
        if row.launch == launch
            && let Some(size) = block.get_mut(row.dimension as usize)
        {
            *size = index.facts.terms.as_const(row.term);
        }
    }
    let block = block.iter().try_fold(1, |all, size| Some(all * (*size)?));
    sizes(index, launch)
        .map(|sizes| sizes.iter().product())
        .or(block)
}

/// Whether the threads of a launch surely access more than so many elements of an array.
fn accesses(index: &Index<'_>, array: ArrayId, sizes: [i128; 6], values: u64) -> bool {
    let facts = index.facts;
    let element = facts.array[array.index()].element_bytes;
    let mut found: BTreeSet<i128> = BTreeSet::new();
    for access in &facts.access {
        if access.array != array || access.bytes != element {
            continue;
        }
        let point = access.point;
        let is_loop_followed = match index.loops(point) {
            [] => true,
            [around] => facts
                .loop_
                .iter()
                .any(|row| row.loop_id == *around && !row.has_break),
            _ => false,
        };
        if !is_loop_followed {
            continue;
        }
        let in_loop = !index.loops(point).is_empty();
        let mut left = MAX_EVALUATIONS;
        for rank in 0..sizes.iter().product::<i128>() {
            let mut rest = rank;
            let mut places = [0; 6];
            for (place, size) in places.iter_mut().zip(sizes) {
                *place = rest % size.max(1);
                rest /= size.max(1);
            }
            let [tx, ty, tz, bx, by, bz] = places;
            let mut at = At {
                tid: [tx, ty, tz],
                bid: [bx, by, bz],
                sizes,
                round: 0,
            };
            loop {
                if left == 0 {
                    break;
                }
                left -= 1;
                let Some(element) = reached(index, access, &at) else {
                    break;
                };
                found.insert(element);
                if found.len() as u64 > values {
                    return true;
                }
                if !in_loop {
                    break;
                }
                at.round += 1;
            }
        }
    }
    false
}

/// The place in its array of an access that a thread surely performs.
fn reached(index: &Index<'_>, access: &AccessRow, at: &At) -> Option<i128> {
    let mut evaluator = Evaluator::new(&index.facts.terms, at);
    for guard in index.guards(access.point) {
        if (evaluator.value(guard.term).ok()? != 0) != guard.polarity {
            return None;
        }
    }
    evaluator.value(access.index).ok()
}

/// At most so many values has a term in the threads of a launch.
fn values(terms: &TermStore, id: TermId, depth: u32) -> i128 {
    const MOST: i128 = i128::MAX;
    const MAX_DEPTH: u32 = 24;
    let term = terms.get(id);
    let own = match term.ty {
        CType::Bool => 2,
        ty => ty
            .bits()
            .filter(|_| ty.is_integer())
            .map_or(MOST, |bits| 1 << bits),
    };
    if depth > MAX_DEPTH {
        return own;
    }
    let constant = |at: usize| term.args.get(at).and_then(|&arg| terms.as_const(arg));
    let by_form = match term.op {
        // The same in all threads.
        Op::Const | Op::Symbol => 1,
        Op::BdimX | Op::BdimY | Op::BdimZ | Op::GdimX | Op::GdimY | Op::GdimZ => 1,
        Op::Rem => match constant(1) {
            Some(by) if by > 0 && term.ty.is_unsigned() => by,
            Some(by) if by > 0 => 2 * by - 1,
            _ => MOST,
        },
        Op::BitAnd => match constant(0).or(constant(1)) {
            Some(mask) if (0..1 << 62).contains(&mask) => 1 << mask.count_ones(),
            _ => MOST,
        },
        _ => MOST,
    };
    // A function of what has few values has no more.
    let of_arguments = match term.op {
        Op::Cast
        | Op::Fit
        | Op::Neg
        | Op::BitNot
        | Op::Not
        | Op::Add
        | Op::Sub
        | Op::Mul
        | Op::Div
        | Op::Rem
        | Op::Shl
        | Op::Shr
        | Op::BitAnd
        | Op::BitOr
        | Op::BitXor
        | Op::Min
        | Op::Max
        | Op::Pure
            if !term.args.is_empty() =>
        {
            let mut all = term.args.iter().map(|&arg| values(terms, arg, depth + 1));
            all.try_fold(1i128, |product, one| product.checked_mul(one))
                .unwrap_or(MOST)
        }
        _ => MOST,
    };
    own.min(by_form).min(of_arguments)
}
