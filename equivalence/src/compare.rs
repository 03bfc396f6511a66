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

use crate::folds;
use crate::machine::UNINITIALISED;
use crate::memory::Write;
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
    for side in [&left, &right] {
        ordered(pool, side)?;
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
    let mut pairs = Vec::new();
    let shown = by_address(pool, &left, &right, &mut pairs);
    for (one, other) in pairs {
        told.same(place(0, one), place(1, other));
    }
    shown
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
            && write.loops.is_empty()
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

/// Whether the order of assignments of different threads cannot matter.
pub(crate) fn ordered(pool: &mut Pool, writes: &[Write]) -> Result<(), String> {
    let Some(first) = writes.first() else {
        return Ok(());
    };
    let one_interval = writes
        .iter()
        .all(|write| (write.epoch, write.step) == (first.epoch, first.step));
    let closed = writes.iter().all(|write| write.loops.is_empty());
    let one_thread = writes.iter().all(|write| write.thread == first.thread);
    if one_interval || one_thread && writes.iter().all(|write| write.address == first.address) {
        return Ok(());
    }
    // Every two are apart by a number of bytes.
    let mut at: Vec<(i128, i128)> = Vec::with_capacity(writes.len());
    for write in writes {
        let difference = pool.plus(write.address, first.address, -1);
        let (Some(apart), true) = (pool.as_int(difference), closed) else {
            return Err("an array is written before and after a barrier".to_owned());
        };
        at.push((apart, i128::from(write.ty.bytes().unwrap_or(8))));
    }
    at.sort_unstable();
    let apart = at.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0);
    match apart {
        true => Ok(()),
        false => Err("an element is written before and after a barrier".to_owned()),
    }
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
    if left.ty != right.ty || left.loops != right.loops {
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
