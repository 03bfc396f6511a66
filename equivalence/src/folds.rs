//! Loops as values: when two folds that are written differently are equal.
//!
//! **Longer loops.** A loop that has some iterations more than another one, and else is the same, is that one with its steps behind it.
//!
//! **Blocks.** A loop that does several iterations of another one in each of its own (a tiled or an unrolled one) is equal to it if the
//! steps of its iteration m are the steps T·m … T·m+T−1 of the other, in order, where these are iterations of the other, and leave the
//! variable as it is where they are not; and if it has iterations enough. Nothing else of floats is used but that `x + 0` is x for every
//! x that a sum which starts at 0 may be: such a sum is never −0 where numbers are rounded to nearest.

use rustc_hash::FxHashMap;
use warplog_facts::CType;

use crate::compare;
use crate::node::{Fold, Id, Leaf, Node, Pool};

/// Most iterations of a loop that are one of another.
const MAX_BLOCK: usize = 64;

/// Most loops of a value whose variables are named anew.
const MAX_RENAMED: u32 = 64;
/// Most iterations of a loop that are written out.
const MAX_WRITTEN_OUT: i128 = 1_024;
/// Most iterations that one loop has more than another.
const MAX_MORE: i128 = 4;

/// Whether two values are equal that differ in folds.
pub fn equal(pool: &mut Pool, left: Id, right: Id) -> bool {
    if let Some([left, right]) = with_last_steps(pool, [left, right]) {
        return compare::equal(pool, left, right);
    }
    match (pool.node(left).clone(), pool.node(right).clone()) {
        (Node::Fold(one, 0), Node::Fold(other, 0)) => {
            is_block_of(pool, &one, &other) || is_block_of(pool, &other, &one)
        }
        (Node::Call(name, ty, args), Node::Call(other, of, others))
            if name == other && ty == of && args.len() == others.len() =>
        {
            let mut pairs = args.into_iter().zip(others);
            pairs.all(|(one, other)| compare::equal(pool, one, other))
        }
        (Node::Poly(_), _) | (_, Node::Poly(_)) => {
            // x - y = 0 of two folds.
            let difference = pool.plus(left, right, -1);
            let Node::Poly(sum) = pool.node(difference).clone() else {
                return false;
            };
            match sum.as_slice() {
                [(one, f), (other, g)] if *f == -*g && one.len() == 1 && other.len() == 1 => {
                    (one[0], other[0]) != (left, right) && compare::equal(pool, one[0], other[0])
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// Whether each iteration of the second is several of the first.
fn is_block_of(pool: &mut Pool, plain: &Fold, tiled: &Fold) -> bool {
    let (&[start], &[tiled_start]) = (plain.start.as_slice(), tiled.start.as_slice()) else {
        return false;
    };
    if !compare::equal(pool, start, tiled_start) {
        return false;
    }
    let fresh = plain.height.max(tiled.height) + 1000;
    let tile = pool.leaf(Leaf::Bound(fresh));
    let Some(step) = summand(pool, plain, plain.next[0]) else {
        return false;
    };
    let Some(mut steps) = summands(pool, tiled, tiled.next[0]) else {
        return false;
    };
    steps.reverse();
    let size = i128::try_from(steps.len()).unwrap_or(0);
    if steps.len() < 2 && size != 1 || steps.len() > MAX_BLOCK {
        return false;
    }
    let zero_start = matches!(*pool.node(start), Node::Float(_, 0) | Node::Int(0));
    let bound = pool.leaf(Leaf::Bound(tiled.height));
    let number = pool.leaf(Leaf::Bound(plain.height));
    let to_tile = FxHashMap::from_iter([(bound, tile)]);
    let goes_on = pool.rebuilt(tiled.condition, &to_tile);
    let factor = pool.int(size);
    let base = pool.times(tile, factor);
    // The loop of tiles is left only where no iteration of the plain one is left to do, and goes on until then.
    let first = FxHashMap::from_iter([(number, base)]);
    let plain_first = pool.rebuilt(plain.condition, &first);
    let conditions = [goes_on, plain.condition];
    if !compare::is_of_run(pool, &conditions) || !is_monotone(pool, plain.condition, number) {
        return false;
    }
    if !same_condition(pool, goes_on, plain_first) {
        return false;
    }
    pool.enter(goes_on);
    let all = steps.into_iter().enumerate().all(|(place, own)| {
        let own = pool.rebuilt(own, &to_tile);
        let place = pool.int(i128::try_from(place).unwrap_or(0));
        let at = pool.plus(base, place, 1);
        let images = FxHashMap::from_iter([(number, at)]);
        let condition = pool.rebuilt(plain.condition, &images);
        let wanted = pool.rebuilt(step, &images);
        pool.enter(condition);
        let inside = pool.is_contradictory() || compare::equal(pool, own, wanted);
        pool.leave();
        if !inside {
            return false;
        }
        let contrary = pool.not(condition);
        if pool.as_int(contrary) == Some(0) {
            return true;
        }
        pool.enter(contrary);
        let outside = pool.is_contradictory() || zero_start && is_nothing(pool, own);
        pool.leave();
        outside
    });
    pool.leave();
    all
}

/// Whether the two conditions are equal, as `m < (n + T - 1) / T` and `T m < n` are.
pub(crate) fn same_condition(pool: &mut Pool, tiles: Id, plain: Id) -> bool {
    if tiles == plain {
        return true;
    }
    [(tiles, plain), (plain, tiles)]
        .into_iter()
        .all(|(given, wanted)| {
            pool.enter(given);
            let truth = pool.truth(true);
            let none = FxHashMap::default();
            let wanted = pool.without_quotients(wanted);
            let wanted = pool.rebuilt(wanted, &none);
            let follows = wanted == truth || {
                let given = pool.without_quotients(given);
                pool.enter(given);
                let again = pool.rebuilt(wanted, &none);
                pool.leave();
                again == truth
            };
            pool.leave();
            follows
        })
}

/// Whether a condition that does not hold in an iteration holds in none after it: `p - c·k >= 0` with c > 0 and p without k.
pub(crate) fn is_monotone(pool: &mut Pool, condition: Id, number: Id) -> bool {
    let parts = match pool.node(condition).clone() {
        Node::And(parts) => parts,
        _ => vec![condition],
    };
    parts.into_iter().all(|part| {
        if !pool.parts(&[part]).contains(&number) {
            return true;
        }
        let Node::NotNegative(p) = *pool.node(part) else {
            return false;
        };
        let one = pool.int(1);
        let next = pool.plus(number, one, 1);
        let after = pool.rebuilt(p, &FxHashMap::from_iter([(number, next)]));
        let step = pool.plus(after, p, -1);
        pool.interval(step).1 <= 0
    })
}

/// What one iteration adds.
fn summand(pool: &mut Pool, fold: &Fold, next: Id) -> Option<Id> {
    match summands(pool, fold, next)?.as_slice() {
        &[one] => Some(one),
        _ => None,
    }
}

/// What one iteration adds to a float or an integer, the last first.
fn summands(pool: &mut Pool, fold: &Fold, next: Id) -> Option<Vec<Id>> {
    let variable = pool.leaf(Leaf::BoundCarry(fold.height, 0));
    let mut found = Vec::new();
    let mut at = next;
    while at != variable {
        let node = pool.node(at).clone();
        match node {
            Node::Call(name, CType::F32 | CType::F64, args)
                if pool.name_of(name) == "floating-point operator +" && args.len() == 2 =>
            {
                let depends = |pool: &Pool, id: Id| pool.parts(&[id]).contains(&variable);
                let (inner, added) = match (depends(pool, args[0]), depends(pool, args[1])) {
                    (true, false) => (args[0], args[1]),
                    (false, true) => (args[1], args[0]),
                    _ => return None,
                };
                found.push(added);
                at = inner;
            }
            _ => return None,
        }
        if found.len() > MAX_BLOCK {
            return None;
        }
    }
    Some(found)
}

/// Whether adding a value changes nothing: a zero, or a product of zeros.
fn is_nothing(pool: &mut Pool, value: Id) -> bool {
    let none = FxHashMap::default();
    let value = pool.rebuilt(value, &none);
    match pool.node(value).clone() {
        Node::Float(ty, bits) => crate::float::as_real(ty, bits) == Some(0.0),
        Node::Int(0) => true,
        Node::Ite(condition, then, otherwise) => {
            let contrary = pool.not(condition);
            [(condition, then), (contrary, otherwise)]
                .into_iter()
                .all(|(case, value)| {
                    pool.enter(case);
                    let nothing = pool.is_contradictory() || is_nothing(pool, value);
                    pool.leave();
                    nothing
                })
        }
        _ => false,
    }
}

/// Two values of which one has a loop that is a longer one of the other's, with its last steps written out.
fn with_last_steps(pool: &mut Pool, values: [Id; 2]) -> Option<[Id; 2]> {
    let parts = pool.parts_outside_of_folds(&values).into_iter();
    let folds: Vec<(Id, Fold, u32)> = parts
        .filter_map(|part| match pool.node(part) {
            Node::Fold(fold, which) => Some((part, fold.as_ref().clone(), *which)),
            _ => None,
        })
        .collect();
    for (longer, fold, which) in &folds {
        if let Some(image) = written_out(pool, fold, *which) {
            let images = FxHashMap::from_iter([(*longer, image)]);
            return Some(values.map(|value| pool.rebuilt(value, &images)));
        }
        for (_, shorter, _) in &folds {
            if let Some(image) = stepped(pool, (fold, *which), shorter) {
                let images = FxHashMap::from_iter([(*longer, image)]);
                return Some(values.map(|value| pool.rebuilt(value, &images)));
            }
        }
    }
    None
}

/// A variable of a loop that has so many iterations.
fn written_out(pool: &mut Pool, fold: &Fold, which: u32) -> Option<Id> {
    let Node::NotNegative(p) = *pool.node(fold.condition) else {
        return None;
    };
    let number = pool.leaf(Leaf::Bound(fold.height));
    let last = pool.plus(p, number, 1);
    let last = pool.as_int(last).filter(|last| *last < MAX_WRITTEN_OUT)?;
    let values = steps(pool, fold, fold.start.clone(), (number, 0..last + 1));
    values.get(which as usize).copied()
}

/// What the variables of a loop are behind these iterations.
fn steps(
    pool: &mut Pool,
    fold: &Fold,
    mut values: Vec<Id>,
    (number, iterations): (Id, std::ops::Range<i128>),
) -> Vec<Id> {
    for iteration in iterations {
        let mut images = FxHashMap::from_iter([(number, pool.int(iteration))]);
        for (place, &value) in (0..).zip(&values) {
            let variable = pool.leaf(Leaf::BoundCarry(fold.height, place));
            images.insert(variable, value);
        }
        let next = fold.next.iter();
        values = next.map(|&next| pool.rebuilt(next, &images)).collect();
    }
    values
}

/// A variable of a loop as the steps behind a shorter one.
fn stepped(pool: &mut Pool, (longer, which): (&Fold, u32), shorter: &Fold) -> Option<Id> {
    if (longer.height, &longer.start, &longer.next)
        != (shorter.height, &shorter.start, &shorter.next)
    {
        return None;
    }
    let (Node::NotNegative(p), Node::NotNegative(q)) = (
        pool.node(longer.condition).clone(),
        pool.node(shorter.condition).clone(),
    ) else {
        return None;
    };
    let more = pool.plus(p, q, -1);
    let more = pool
        .as_int(more)
        .filter(|more| (1..=MAX_MORE).contains(more))?;
    // q is n - 1 - k, with the number n of iterations, which is not negative.
    let number = pool.leaf(Leaf::Bound(shorter.height));
    let end = pool.plus(q, number, 1);
    let one = pool.int(1);
    let end = pool.plus(end, one, 1);
    if pool.parts(&[end]).contains(&number) || !pool.is_shown_not_negative(end) {
        return None;
    }
    let places = 0..u32::try_from(longer.next.len()).ok()?;
    let mut values: Vec<Id> = places
        .clone()
        .map(|place| pool.fold(shorter.clone(), place))
        .collect();
    for step in 0..more {
        let step = pool.int(step);
        let at = pool.plus(end, step, 1);
        let mut images = FxHashMap::from_iter([(number, at)]);
        for place in places.clone() {
            let variable = pool.leaf(Leaf::BoundCarry(longer.height, place));
            images.insert(variable, values[place as usize]);
        }
        values = longer
            .next
            .iter()
            .map(|&next| pool.rebuilt(next, &images))
            .collect();
    }
    values.get(which as usize).copied()
}

/// The value with the names of the bound variables of its loops that follow from what stands in them alone.
pub(crate) fn renamed(pool: &mut Pool, value: Id) -> Id {
    let contexts = std::mem::take(pool.contexts());
    let mut value = value;
    for _ in 0..MAX_RENAMED {
        let mut found = None;
        for part in pool.parts(&[value]) {
            let (fold, which) = match pool.node(part) {
                Node::Fold(fold, which) => (fold.as_ref().clone(), Some(*which)),
                Node::Trips(fold) => (fold.as_ref().clone(), None),
                _ => continue,
            };
            let inside: Vec<Id> = [fold.condition]
                .into_iter()
                .chain(fold.next.clone())
                .collect();
            let height = pool.height(&inside);
            // The innermost first: what it is above has its names already.
            let lower =
                found
                    .as_ref()
                    .is_none_or(|(_, other, ..): &(Id, Fold, Option<u32>, u32)| {
                        fold.height < other.height
                    });
            if fold.height != height && lower {
                found = Some((part, fold, which, height));
            }
        }
        let Some((part, fold, which, height)) = found else {
            break;
        };
        let mut images = FxHashMap::default();
        let names = [fold.height, height].map(|height| pool.leaf(Leaf::Bound(height)));
        images.insert(names[0], names[1]);
        for place in 0..u32::try_from(fold.next.len()).unwrap_or(0) {
            let names =
                [fold.height, height].map(|height| pool.leaf(Leaf::BoundCarry(height, place)));
            images.insert(names[0], names[1]);
        }
        let renamed = Fold {
            height,
            condition: pool.rebuilt(fold.condition, &images),
            start: fold.start,
            next: fold
                .next
                .iter()
                .map(|&next| pool.rebuilt(next, &images))
                .collect(),
        };
        let image = match which {
            Some(which) => pool.fold(renamed, which),
            None => pool.trips(renamed),
        };
        value = pool.rebuilt(value, &FxHashMap::from_iter([(part, image)]));
    }
    *pool.contexts() = contexts;
    value
}
