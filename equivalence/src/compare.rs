//! Whether two lists of assignments leave equal contents.
//!
//! **Algorithm.** Array by array. Where every thread makes the same assignments in the same order as the thread of the same number on
//! the other side, under equal conditions, to equal addresses and with values that are equal where the condition holds, the contents
//! are equal: what one writes, the other writes. Else the assignments are matched by their addresses. Values are compared by normal
//! form, then by cases of the choices in them, then as loops ([`crate::folds`]).
//!
//! **Accuracy.** A block of each side is compared for arbitrary block numbers. Assignments of different threads to one element are
//! either races, which are excluded before, or have a barrier or a launch between; such lists are only compared if their addresses
//! differ by numbers.

use rustc_hash::FxHashMap;
use warplog_facts::{CType, Op};

use crate::folds;
use crate::machine::UNINITIALISED;
use crate::memory::{Write, distance};
use crate::node::{Id, Leaf, Node, Pool};
use crate::told::Told;

/// Most choices that are told apart on the way to one answer.
const MAX_SPLITS: u32 = 7;
/// Most cases.
const MAX_CASES: u32 = 300;

/// The iterations of open loops around assignments, by nesting.
pub(crate) const FIRST_OF_WRITES: u32 = 1 << 20;

/// Compares what two sides write to an array.
///
/// # Errors
/// What is not shown to be equal.
pub fn same_array(
    pool: &mut Pool,
    left: Vec<Write>,
    right: Vec<Write>,
    told: &mut Told,
) -> Result<(), String> {
    let left = merged(pool, left, FIRST_OF_WRITES);
    let right = merged(pool, right, FIRST_OF_WRITES);
    let combines = operation([&left, &right])?;
    if combines.is_none() {
        for side in [&left, &right] {
            ordered(pool, side)?;
        }
    }
    let first = [&left, &right].into_iter().enumerate();
    let first: Vec<Option<usize>> = first
        .map(|(side, writes)| told.add(pool, side, writes))
        .collect();
    let place = |side: usize, at: usize| first[side].map(|first| first + at);
    if let Some(pairs) = in_step(pool, &left, &right) {
        for (one, other) in pairs {
            told.same(place(0, one), place(1, other));
        }
        return Ok(());
    }
    if let Some(combines) = combines {
        return same_sums(pool, [left, right], combines);
    }
    let mut pairs = Vec::new();
    let shown = by_address(pool, &left, &right, &mut pairs);
    for (one, other) in pairs {
        told.same(place(0, one), place(1, other));
    }
    shown
}

/// By what all of these are combined with what stands there; none if all are assignments.
///
/// # Errors
/// Some are and some are not, or by different operations: their order matters.
pub(crate) fn operation(sides: [&[Write]; 2]) -> Result<Option<Op>, String> {
    let mut all = sides.into_iter().flatten().map(|write| write.combines);
    let first = all.next().flatten();
    match all.all(|other| other == first) {
        true => Ok(first),
        false => Err("atomic operations, and others on the same array".to_owned()),
    }
}

/// Whether what all threads of a block add to each element is the same on both sides. Elements whose addresses are written in two
/// ways may be one: its sum is that of both, on both sides.
fn same_sums(pool: &mut Pool, sides: [Vec<Write>; 2], combines: Op) -> Result<(), String> {
    let reason = "what atomic operations combine is not seen to be the same";
    let [mut left, mut right] = sides;
    let mut position = 0;
    while position < left.len() {
        let own = left[position].clone();
        let found = right.iter().position(|other| {
            (own.address, own.value, own.guard) == (other.address, other.value, other.guard)
                && same_write(pool, &own, other)
        });
        match found {
            Some(found) => {
                right.swap_remove(found);
                left.swap_remove(position);
            }
            None => position += 1,
        }
    }
    let mut rest = left.iter().chain(&right);
    if combines != Op::Add || rest.any(|write| !write.loops.is_empty()) {
        return match left.is_empty() && right.is_empty() {
            true => Ok(()),
            false => Err(reason.to_owned()),
        };
    }
    let mut sums: Vec<(Id, CType, [Id; 2])> = Vec::new();
    let zero = pool.int(0);
    for (side, writes) in [left, right].into_iter().enumerate() {
        for write in writes {
            let at = sums
                .iter()
                .position(|(address, ty, _)| (*address, *ty) == (write.address, write.ty));
            let at = at.unwrap_or_else(|| {
                sums.push((write.address, write.ty, [zero; 2]));
                sums.len() - 1
            });
            let added = pool.ite(write.guard, write.value, zero);
            let sum = &mut sums[at].2[side];
            *sum = pool.plus(*sum, added, 1);
        }
    }
    for (address, ty, mut both) in sums {
        if ty.is_integer() {
            both = both.map(|sum| pool.converted(sum, ty));
        }
        if !is_of_run(pool, &[address]) || !equal(pool, both[0], both[1]) {
            let [one, other] = both.map(|sum| pool.shown(sum));
            return Err(format!("{reason}: {one} and {other}"));
        }
    }
    Ok(())
}

/// Who writes where: thread, address, and the rounds of the loops around it.
type Written = (usize, Id, Vec<(Id, Id)>);

/// Of two assignments of a thread to one element, one.
pub(crate) fn merged(pool: &mut Pool, writes: Vec<Write>, first: u32) -> Vec<Write> {
    let mut kept: Vec<Write> = Vec::with_capacity(writes.len());
    let mut last: FxHashMap<Written, usize> = FxHashMap::default();
    for mut write in writes {
        named(pool, &mut write, first);
        let key = (write.thread, write.address, write.loops.clone());
        if let Some(&before) = last.get(&key)
            && kept[before].ty == write.ty
            && [&kept[before], &write]
                .iter()
                .all(|write| write.combines.is_none())
            && write.loops.is_empty()
            && nothing_between(pool, &kept[before + 1..], &write)
        {
            let earlier = kept[before].clone();
            write.value = pool.ite(write.guard, write.value, earlier.value);
            write.guard = pool.any(vec![write.guard, earlier.guard]);
            // The earlier one stays in the list as one that never happens.
            kept[before].guard = pool.truth(false);
        }
        last.insert(key, kept.len());
        kept.push(write);
    }
    kept.retain(|write| pool.as_int(write.guard) != Some(0));
    kept
}

/// Whether the thread of an assignment makes none of these others to the same element, so that an earlier one of its own may be
/// taken to be made with it. Assignments of other threads have a barrier between, and are looked at as such.
fn nothing_between(pool: &mut Pool, others: &[Write], write: &Write) -> bool {
    let bytes = i128::from(write.ty.bytes().unwrap_or(8));
    let own = others.iter().filter(|other| other.thread == write.thread);
    own.into_iter().all(|other| {
        let size = i128::from(other.ty.bytes().unwrap_or(8)).max(bytes);
        let apart = distance(pool, write.address, other.address);
        other.loops.is_empty() && apart.is_some_and(|by| by.abs() >= size)
    })
}

/// The same with names of iterations that do not depend on the run, from a number on.
fn named(pool: &mut Pool, write: &mut Write, first: u32) {
    let mut images = FxHashMap::default();
    for (depth, (iteration, _)) in write.loops.iter().enumerate() {
        let depth = u32::try_from(depth).unwrap_or(0);
        images.insert(*iteration, pool.leaf(Leaf::Bound(first + depth)));
    }
    if images.is_empty() {
        return;
    }
    for id in [&mut write.address, &mut write.value, &mut write.guard] {
        *id = pool.rebuilt(*id, &images);
    }
    for (iteration, condition) in &mut write.loops {
        *iteration = images[iteration];
        *condition = pool.rebuilt(*condition, &images);
    }
}

/// Whether the order of assignments of different threads cannot matter, where threads are numbers. Blocks of one launch write
/// different elements, as there is no race; those of two launches need not.
pub(crate) fn ordered(pool: &mut Pool, writes: &[Write]) -> Result<(), String> {
    let Some(first) = writes.first() else {
        return Ok(());
    };
    if is_one_interval(writes) {
        return Ok(());
    }
    let closed = writes.iter().all(|write| write.loops.is_empty());
    let addresses: Vec<Id> = writes.iter().map(|write| write.address).collect();
    let is_thread = |part: Id| {
        matches!(
            pool.node(part),
            Node::Leaf(Leaf::Tid(_) | Leaf::Bound(_) | Leaf::Iter(_))
        )
    };
    if !closed || pool.parts(&addresses).into_iter().any(is_thread) {
        return Err(BEFORE_AND_AFTER.to_owned());
    }
    let one_launch = writes.iter().all(|write| write.step == first.step);
    let of_block = match one_launch {
        true => None,
        false => Some(bytes_of_block(pool, writes).ok_or(BEFORE_AND_AFTER)?),
    };
    // Every two are apart by a number of bytes, or one thread makes all of them to one element.
    let mut at: Vec<(i128, i128)> = Vec::with_capacity(writes.len());
    for write in writes {
        let difference = pool.plus(write.address, first.address, -1);
        let apart = pool.as_int(difference).ok_or(BEFORE_AND_AFTER)?;
        at.push((apart, i128::from(write.ty.bytes().unwrap_or(8))));
    }
    at.sort_unstable();
    let last = at.iter().map(|(from, size)| from + size).max();
    if let (Some(of_block), Some(last)) = (of_block, last)
        && last - at[0].0 > of_block
    {
        return Err(BEFORE_AND_AFTER.to_owned());
    }
    let one_thread = writes.iter().all(|write| write.thread == first.thread);
    let one_element = at.windows(2).all(|pair| pair[0] == pair[1]);
    let apart = at.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0);
    match apart || one_thread && one_element {
        true => Ok(()),
        false => Err("an element is written before and after a barrier".to_owned()),
    }
}

/// Why assignments are not compared whose order may matter.
pub(crate) const BEFORE_AND_AFTER: &str = "an array is written before and after a barrier";

/// Whether no barrier and no launch is between assignments.
pub(crate) fn is_one_interval(writes: &[Write]) -> bool {
    let mut intervals = writes.iter().map(|write| (write.epoch, write.step));
    let first = intervals.next();
    intervals.all(|interval| Some(interval) == first)
}

/// By how many bytes the elements of one block are apart from those of the next, as far as they are assigned to under conditions on
/// that number of the block alone.
fn bytes_of_block(pool: &mut Pool, writes: &[Write]) -> Option<i128> {
    let mut roots: Vec<Id> = Vec::new();
    for write in writes {
        roots.extend([write.address, write.guard]);
    }
    let mut blocks = pool.parts(&roots);
    blocks.retain(|&part| matches!(pool.node(part), Node::Leaf(Leaf::Bid(_))));
    let &[block] = blocks.as_slice() else {
        return blocks.is_empty().then_some(i128::MAX);
    };
    let mut bytes = None;
    for write in writes {
        let (zero, one) = (pool.int(0), pool.int(1));
        let mut at =
            |value: Id| pool.rebuilt(write.address, &FxHashMap::from_iter([(block, value)]));
        let (first, second) = (at(zero), at(one));
        let step = pool.plus(second, first, -1);
        let moved = pool.times(step, block);
        let step = pool.as_int(step).filter(|step| *step != 0)?;
        if pool.plus(first, moved, 1) != write.address || *bytes.get_or_insert(step) != step {
            return None;
        }
    }
    bytes.map(i128::abs)
}

/// The assignments of each thread in their order, if they are the same.
fn in_step(pool: &mut Pool, left: &[Write], right: &[Write]) -> Option<Vec<(usize, usize)>> {
    if left.len() != right.len() {
        return None;
    }
    let by_thread = |writes: &[Write]| {
        let mut order: Vec<usize> = (0..writes.len()).collect();
        order.sort_by_key(|&at| writes[at].thread);
        order
    };
    let (one, other) = (by_thread(left), by_thread(right));
    let pairs: Vec<(usize, usize)> = one.into_iter().zip(other).collect();
    let all = pairs.iter().all(|&(one, other)| {
        left[one].thread == right[other].thread && same_write(pool, &left[one], &right[other])
    });
    all.then_some(pairs)
}

fn by_address(
    pool: &mut Pool,
    left: &[Write],
    right: &[Write],
    pairs: &mut Vec<(usize, usize)>,
) -> Result<(), String> {
    let mut found: FxHashMap<Id, usize> = FxHashMap::default();
    for side in [left, right] {
        // Two assignments of one thread that may be to one element have an order.
        for (position, write) in side.iter().enumerate() {
            if !write.loops.is_empty() {
                return Err("what loops of the two write is not the same".to_owned());
            }
            let own = side[..position]
                .iter()
                .filter(|other| other.thread == write.thread);
            for other in own {
                let difference = pool.plus(write.address, other.address, -1);
                let apart = pool.as_int(difference).map_or(0, i128::abs);
                if apart < i128::from(write.ty.bytes().unwrap_or(8)) {
                    return Err("elements that one thread writes may be the same".to_owned());
                }
            }
        }
    }
    for (position, write) in right.iter().enumerate() {
        if found.insert(write.address, position).is_some() {
            return Err("two threads write one element".to_owned());
        }
    }
    let mut matched = 0;
    for (place, write) in left.iter().enumerate() {
        let Some(&other) = found.get(&write.address) else {
            return Err("an element that only one of the two is seen to write".to_owned());
        };
        found.remove(&write.address);
        matched += 1;
        if !same_write(pool, write, &right[other]) {
            let [one, two] = [write, &right[other]];
            let same = follows(pool, one.guard, two.guard) && follows(pool, two.guard, one.guard);
            let (what, [one, two]) = match same {
                true => ("values", [one.value, two.value]),
                false => ("conditions", [one.guard, two.guard]),
            };
            return Err(format!(
                "the two are not seen to have equal {what}: {} and {}",
                pool.shown(one),
                pool.shown(two)
            ));
        }
        pairs.push((place, other));
    }
    match matched == right.len() {
        true => Ok(()),
        false => Err("an element that only one of the two is seen to write".to_owned()),
    }
}

fn same_write(pool: &mut Pool, left: &Write, right: &Write) -> bool {
    let rounds: Vec<Id> = left.loops.iter().map(|(_, goes_on)| *goes_on).collect();
    if left.ty != right.ty || left.loops != right.loops || !is_of_run(pool, &rounds) {
        return false;
    }
    if !follows(pool, left.guard, right.guard) || !follows(pool, right.guard, left.guard) {
        return false;
    }
    let guard = match pool.node(left.guard) {
        Node::Or(_) => right.guard,
        _ => left.guard,
    };
    pool.enter(guard);
    let same = equal(pool, left.address, right.address) && equal(pool, left.value, right.value);
    pool.leave();
    same
}

/// Whether the second condition holds where the first does.
fn follows(pool: &mut Pool, first: Id, second: Id) -> bool {
    if first == second {
        return is_of_run(pool, &[first]);
    }
    if let Node::Or(parts) = pool.node(first).clone() {
        return parts.into_iter().all(|part| follows(pool, part, second));
    }
    pool.enter(first);
    let truth = pool.truth(true);
    let follows = equal(pool, second, truth);
    pool.leave();
    follows
}

/// Whether nothing in these values is a name of one run alone.
pub(crate) fn is_of_run(pool: &Pool, roots: &[Id]) -> bool {
    pool.parts(roots)
        .into_iter()
        .all(|part| match pool.node(part) {
            Node::Leaf(Leaf::Iter(_) | Leaf::Carry(..)) => false,
            Node::Call(name, _, args) => {
                !args.is_empty() || !pool.name_of(*name).starts_with(UNINITIALISED)
            }
            _ => true,
        })
}

/// Whether two values are equal under what is known.
pub fn equal(pool: &mut Pool, left: Id, right: Id) -> bool {
    let mut cases = MAX_CASES;
    by_cases(pool, left, right, MAX_SPLITS, &mut cases)
}

fn by_cases(pool: &mut Pool, left: Id, right: Id, depth: u32, cases: &mut u32) -> bool {
    let none = FxHashMap::default();
    let (left, right) = (pool.rebuilt(left, &none), pool.rebuilt(right, &none));
    if left == right {
        return is_of_run(pool, &[left]);
    }
    *cases = cases.saturating_sub(1);
    if *cases == 0 {
        return false;
    }
    if depth > 0
        && let Some(condition) = choice(pool, &[left, right])
    {
        let contrary = pool.not(condition);
        return [condition, contrary].into_iter().all(|case| {
            pool.enter(case);
            let same = pool.is_contradictory() || by_cases(pool, left, right, depth - 1, cases);
            pool.leave();
            same
        });
    }
    is_of_run(pool, &[left, right]) && is_zero_between(pool, left, right)
        || folds::equal(pool, left, right)
}

/// Whether neither is known to be less.
fn is_zero_between(pool: &mut Pool, left: Id, right: Id) -> bool {
    let difference = pool.plus(left, right, -1);
    let zero = pool.int(0);
    let contrary = pool.plus(zero, difference, -1);
    let known = [difference, contrary].map(|p| pool.not_negative(p));
    known.iter().all(|&known| pool.as_int(known) == Some(1))
}

/// A condition that a choice in these values depends on, one without choices in it.
fn choice(pool: &Pool, roots: &[Id]) -> Option<Id> {
    let mut found = Vec::new();
    for part in pool.parts_outside_of_folds(roots) {
        match pool.node(part) {
            Node::Ite(condition, ..) => found.push(*condition),
            Node::And(parts) | Node::Or(parts) => found.extend(parts.iter().copied()),
            Node::Not(inner) => found.push(*inner),
            Node::NotNegative(_) | Node::Zero(_) if roots.contains(&part) => found.push(part),
            _ => {}
        }
    }
    found.sort_unstable();
    found.dedup();
    let simple = |id: &Id| {
        let inner = pool.parts_outside_of_folds(&[*id]);
        let choices = inner.iter().filter(|part| {
            matches!(
                pool.node(**part),
                Node::Ite(..) | Node::And(_) | Node::Or(_)
            )
        });
        choices.count() == 0
    };
    found
        .iter()
        .copied()
        .find(|id| simple(id) && !matches!(pool.node(*id), Node::Not(_)))
        .or_else(|| found.into_iter().find(simple))
}
