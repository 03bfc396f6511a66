//! Normal forms of values, with near misses.

use warplog_equivalence::compare;
use warplog_equivalence::node::{Id, Leaf, Pool};
use warplog_facts::CType;

fn symbol(pool: &mut Pool, number: u32, ty: CType) -> Id {
    pool.leaf(Leaf::Symbol(number, ty))
}

/// `a < b`
fn less(pool: &mut Pool, a: Id, b: Id) -> Id {
    let difference = pool.plus(b, a, -1);
    let minus_one = pool.int(-1);
    let difference = pool.plus(difference, minus_one, 1);
    pool.not_negative(difference)
}

#[test]
fn sums_are_sorted_and_collected() {
    let mut pool = Pool::new(false, [None; 6]);
    let (a, b) = (
        symbol(&mut pool, 0, CType::I32),
        symbol(&mut pool, 1, CType::I32),
    );
    let one = pool.plus(a, b, 1);
    let other = pool.plus(b, a, 1);
    assert_eq!(one, other);
    let twice = pool.plus(one, one, 1);
    let two = pool.int(2);
    let product = pool.times(two, other);
    assert_eq!(twice, product);
    assert_ne!(one, twice);
}

#[test]
fn unsigned_results_keep_what_they_wrap() {
    let mut pool = Pool::new(false, [None; 6]);
    let a = symbol(&mut pool, 0, CType::U32);
    let one = pool.int(1);
    let before = pool.plus(a, one, -1);
    let wrapped = pool.in_type(before, CType::U32).expect("defined");
    assert_ne!(before, wrapped);
    let back = pool.plus(wrapped, one, 1);
    let back = pool.in_type(back, CType::U32).expect("defined");
    assert_eq!(back, a);
}

#[test]
fn a_hash_is_no_index() {
    let mut pool = Pool::new(false, [None; 6]);
    let block = pool.leaf(Leaf::Bid(0));
    let (small, large) = (pool.int(256), pool.int(2_654_435_761));
    let index = pool.times(block, small);
    assert_eq!(pool.converted(index, CType::U32), index);
    assert!(pool.assumed);
    let hash = pool.times(block, large);
    assert_ne!(pool.converted(hash, CType::U32), hash);
}

#[test]
fn conditions_have_one_form() {
    let mut pool = Pool::new(false, [None; 6]);
    let (a, b) = (
        symbol(&mut pool, 0, CType::I32),
        symbol(&mut pool, 1, CType::I32),
    );
    let below = less(&mut pool, a, b);
    let not_below = pool.not(below);
    let at_least = {
        let difference = pool.plus(a, b, -1);
        pool.not_negative(difference)
    };
    assert_eq!(not_below, at_least);
    let both = pool.all(vec![below, not_below]);
    assert_eq!(pool.as_int(both), Some(0));
    // a <= b && a != b
    let difference = pool.plus(b, a, -1);
    let at_most = pool.not_negative(difference);
    let same = pool.zero(difference);
    let different = pool.not(same);
    let strictly = pool.all(vec![at_most, different]);
    assert_eq!(strictly, below);
    // 2a + 1 = 2b never
    let two = pool.int(2);
    let one = pool.int(1);
    let even = pool.times(difference, two);
    let odd = pool.plus(even, one, 1);
    let never = pool.zero(odd);
    assert_eq!(pool.as_int(never), Some(0));
}

#[test]
fn choices_are_compared_by_cases() {
    let mut pool = Pool::new(false, [None; 6]);
    let (a, b) = (
        symbol(&mut pool, 0, CType::I32),
        symbol(&mut pool, 1, CType::I32),
    );
    let (ab, ba) = (less(&mut pool, a, b), less(&mut pool, b, a));
    let larger = pool.ite(ab, b, a);
    let same = pool.ite(ba, a, b);
    let smaller = pool.ite(ab, a, b);
    assert!(compare::equal(&mut pool, larger, same));
    assert!(!compare::equal(&mut pool, larger, smaller));
}

#[test]
fn floats_are_those_of_the_type() {
    let mut pool = Pool::new(false, [None; 6]);
    let float = |pool: &mut Pool, value: f32| pool.float(CType::F32, i128::from(value.to_bits()));
    let (tenth, fifth) = (float(&mut pool, 0.1), float(&mut pool, 0.2));
    let sum = pool.float_call("floating-point operator +", CType::F32, vec![tenth, fifth]);
    assert_eq!(sum, float(&mut pool, 0.1f32 + 0.2f32));
    let x = pool.leaf(Leaf::Symbol(0, CType::F32));
    let y = pool.leaf(Leaf::Symbol(1, CType::F32));
    let operator = |pool: &mut Pool, op: &str, a: Id, b: Id| {
        pool.float_call(
            &format!("floating-point operator {op}"),
            CType::F32,
            vec![a, b],
        )
    };
    assert_eq!(
        operator(&mut pool, "+", x, y),
        operator(&mut pool, "+", y, x)
    );
    assert_ne!(
        operator(&mut pool, "-", x, y),
        operator(&mut pool, "-", y, x)
    );
    let left = operator(&mut pool, "+", x, y);
    let left = operator(&mut pool, "+", left, tenth);
    let right = operator(&mut pool, "+", y, tenth);
    let right = operator(&mut pool, "+", x, right);
    assert_ne!(left, right);
}
