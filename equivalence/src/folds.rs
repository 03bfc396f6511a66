//! Loops as values: when two folds that are written differently are equal.
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

/// Whether two values are equal that differ in folds.
pub fn equal(pool: &mut Pool, left: Id, right: Id) -> bool {
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
fn same_condition(pool: &mut Pool, tiles: Id, plain: Id) -> bool {
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
