//! Sums of sizes as atoms against all threads of a block: indices over `n - k + 1` columns and the like, with bounds that fit and
//! bounds that do not.

mod common;

use std::collections::BTreeMap;

use common::generate::Dice;
use common::{Builder, Stmt};
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

const BLOCK: [i128; 3] = [5, 4, 3];

/// `c + Σ aᵢ·sizeᵢ` over the sizes `n`, `k` and `p`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Sum(i128, [i128; 3]);

impl Sum {
    fn value(self, sizes: [i128; 3]) -> i128 {
        let parts = sizes.into_iter().zip(self.1);
        parts.fold(self.0, |sum, (size, times)| sum + size * times)
    }

    fn term(self, b: &mut Builder, sizes: [TermId; 3]) -> TermId {
        let mut sum = b.int(self.0);
        for (size, times) in sizes.into_iter().zip(self.1) {
            let part = b.mul(size, times);
            sum = b.add(sum, part);
        }
        sum
    }
}

const COLUMNS: Sum = Sum(1, [1, -1, 0]);
const ROWS: Sum = Sum(1, [0, -1, 1]);

/// What an axis of the block is multiplied by: a product of sums.
type Stride = Vec<Sum>;

#[derive(Clone, Debug)]
struct Kernel {
    strides: [Stride; 3],
    /// Below what each axis is.
    below: [Option<Sum>; 3],
    /// What the second write adds.
    shift: Stride,
}

fn product(stride: &Stride, sizes: [i128; 3]) -> i128 {
    stride.iter().map(|sum| sum.value(sizes)).product()
}

impl Kernel {
    fn collides(&self) -> bool {
        let values = || -3..=4i128;
        values().any(|n| values().any(|k| values().any(|p| self.collides_with([n, k, p]))))
    }

    fn collides_with(&self, sizes: [i128; 3]) -> bool {
        let mut owners: BTreeMap<i128, [i128; 3]> = BTreeMap::new();
        let strides = self.strides.each_ref().map(|stride| product(stride, sizes));
        let shift = match self.shift.is_empty() {
            true => 0,
            false => product(&self.shift, sizes),
        };
        let mut meets = false;
        for z in 0..BLOCK[2] {
            for y in 0..BLOCK[1] {
                for x in 0..BLOCK[0] {
                    let at = [x, y, z];
                    let mut bounds = at.into_iter().zip(self.below);
                    if bounds.any(|(at, below)| below.is_some_and(|sum| at >= sum.value(sizes))) {
                        continue;
                    }
                    let offset: i128 = at.into_iter().zip(strides).map(|(a, s)| a * s).sum();
                    for offset in [offset, offset + shift] {
                        meets |= *owners.entry(offset).or_insert(at) != at;
                    }
                }
            }
        }
        meets
    }

    fn is_discharged(&self) -> bool {
        let mut b = Builder::new(BLOCK.map(Some), [Some(1); 3]);
        let array = b.array(Space::Global);
        let sizes = ["n", "k", "p"].map(|name| b.symbol(name));
        let axes = [Op::TidX, Op::TidY, Op::TidZ].map(|op| b.leaf(op));
        let times = |b: &mut Builder, first: TermId, stride: &Stride| {
            stride.iter().fold(first, |product, sum| {
                let sum = sum.term(b, sizes);
                b.op(Op::Mul, product, sum)
            })
        };
        let mut offset = b.int(0);
        for (axis, stride) in axes.into_iter().zip(&self.strides) {
            let part = times(&mut b, axis, stride);
            offset = b.add(offset, part);
        }
        let mut writes = vec![offset];
        if !self.shift.is_empty() {
            let one = b.int(1);
            let shift = times(&mut b, one, &self.shift);
            writes.push(b.add(offset, shift));
        }
        let mut body: Vec<Stmt> = Vec::new();
        for offset in writes {
            let index = b.mul(offset, 4);
            body.push(Stmt::Access(AccessKind::Write, array, index, 4));
        }
        for (axis, below) in axes.into_iter().zip(self.below) {
            if let Some(below) = below {
                let below = below.term(&mut b, sizes);
                let guard = b.op(Op::Lt, axis, below);
                body = vec![Stmt::If(guard, body, vec![])];
            }
        }
        b.body(&body);
        let derived = derive(&b.finish(), &Options::default());
        derived.candidate_race.is_empty()
    }
}

/// Maps of rows of columns, each bounded by the sum that is its stride's.
#[test]
fn matrices_of_sums_are_discharged() {
    let kernel = |below: [Option<Sum>; 3], shift: Stride| Kernel {
        strides: [vec![], vec![COLUMNS], vec![ROWS, COLUMNS]],
        below,
        shift,
    };
    let (columns, rows) = (Some(COLUMNS), Some(ROWS));
    let whole = kernel([columns, rows, None], vec![]);
    assert!(whole.is_discharged() && !whole.collides());
    let larger = Sum(2, [1, -1, 0]);
    for (below, shift) in [
        ([None, rows, None], vec![]),
        ([columns, None, None], vec![]),
        ([Some(larger), rows, None], vec![]),
        ([rows, columns, None], vec![]),
        ([columns, rows, None], vec![COLUMNS]),
        ([columns, rows, None], vec![ROWS, COLUMNS]),
    ] {
        let kernel = kernel(below, shift);
        assert!(kernel.collides(), "{kernel:?}");
        assert!(!kernel.is_discharged(), "{kernel:?}");
    }
}

#[test]
fn sums_never_discharge_what_collides() {
    let sums = [
        COLUMNS,
        ROWS,
        Sum(0, [1, 0, 0]),
        Sum(0, [1, 1, 0]),
        Sum(0, [2, -1, 0]),
        Sum(2, [1, -1, 0]),
        Sum(-1, [1, 0, 1]),
        Sum(0, [0, -1, 1]),
        Sum(0, [-1, 0, 0]),
    ];
    let sum = |position: i128| sums[usize::try_from(position).expect("small")];
    let mut discharged = 0;
    for seed in 0..1_500 {
        let mut dice = Dice::new(seed);
        let [first, second] = [dice.number(9), dice.number(9)].map(sum);
        // Mostly what fits, spoilt in places.
        let mut kernel = Kernel {
            strides: [vec![], vec![first], vec![second, first]],
            below: [Some(first), Some(second), None],
            shift: vec![],
        };
        for _ in 0..dice.roll(3) {
            let sum = sum(dice.number(9));
            let axis = usize::try_from(dice.number(3)).expect("small");
            match dice.roll(6) {
                0 => kernel.strides[axis] = vec![sum],
                1 => kernel.strides[axis].push(sum),
                2 => kernel.below[axis] = Some(sum),
                3 => kernel.below[axis] = None,
                4 => kernel.shift = vec![sum],
                _ => kernel.strides.swap(axis, 0),
            }
        }
        if kernel.is_discharged() {
            discharged += 1;
            assert!(!kernel.collides(), "seed {seed}: {kernel:?}");
        }
    }
    assert!(discharged >= 150, "{discharged} discharged");
}
