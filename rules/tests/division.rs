//! Offsets divided by their strides against all threads of a block: a number that is taken apart by sizes, whose parts stand in
//! several places of the offset beside places in a window, with guards that fit and guards that do not.

mod common;

use std::collections::BTreeMap;

use common::generate::Dice;
use common::{Builder, Stmt};
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

const BLOCK: [i128; 3] = [9, 3, 3];

/// A product of sizes: how often it has w, and how often h.
type Stride = (u32, u32);

/// Where the parts of a thread go: `z`, `y`, `x` of its number, and its places `r`, `c` in the window.
#[derive(Clone, Debug)]
struct Kernel {
    /// The strides of `z`, `y`, `x`, `r`, `c`: sums of products of sizes.
    strides: [Vec<Stride>; 5],
    /// How many of the window's rows and columns beyond the sizes are admitted, if there is a bound.
    below: [Option<i128>; 2],
    /// Whether the window begins where its places are not negative.
    begins: [bool; 2],
}

/// `w`, `h`, and the halves of the window.
type Sizes = [i128; 4];

impl Kernel {
    /// A map of the window for each number: `(z·h·w + y·w + x)·h·w + r·w + c`.
    fn of_windows() -> Kernel {
        Kernel {
            strides: [
                vec![(2, 2)],
                vec![(2, 1)],
                vec![(1, 1)],
                vec![(1, 0)],
                vec![(0, 0)],
            ],
            below: [Some(0); 2],
            begins: [true; 2],
        }
    }

    /// The same with the numbers inside: `(z·h·w + r·w + c)·h·w + y·w + x`.
    fn of_numbers() -> Kernel {
        let mut kernel = Kernel::of_windows();
        kernel.strides = [
            vec![(2, 2)],
            vec![(1, 0)],
            vec![(0, 0)],
            vec![(2, 1)],
            vec![(1, 1)],
        ];
        kernel
    }

    fn collides(&self) -> bool {
        let sizes = [-2, -1, 1, 2, 3];
        let halves = -1..=2i128;
        sizes.into_iter().any(|w| {
            sizes.into_iter().any(|h| {
                let mut halves = halves
                    .clone()
                    .flat_map(|one| [-1, 0, 1, 2].map(|two| (one, two)));
                halves.any(|(one, two)| self.collides_with([w, h, one, two]))
            })
        })
    }

    fn collides_with(&self, [w, h, half_h, half_w]: Sizes) -> bool {
        let mut owners: BTreeMap<i128, [i128; 3]> = BTreeMap::new();
        let value = |stride: &Vec<Stride>| -> i128 {
            stride.iter().map(|&(ws, hs)| w.pow(ws) * h.pow(hs)).sum()
        };
        let strides = self.strides.each_ref().map(value);
        let mut meets = false;
        for t in 0..BLOCK[0] {
            let (x, y, z) = (t % w, t / w % h, t / w / h);
            for i in 0..BLOCK[1] {
                for j in 0..BLOCK[2] {
                    let first = |part: i128, half: i128, begins: bool| match begins {
                        true => (half - part).max(0),
                        false => 0,
                    };
                    let r = i + first(y, half_h, self.begins[0]) + y - half_h;
                    let c = j + first(x, half_w, self.begins[1]) + x - half_w;
                    let mut bounds = [(r, h), (c, w)].into_iter().zip(self.below);
                    if bounds.any(|((at, size), more)| more.is_some_and(|more| at >= size + more)) {
                        continue;
                    }
                    let parts = [z, y, x, r, c].into_iter().zip(strides);
                    let offset: i128 = parts.map(|(part, stride)| part * stride).sum();
                    meets |= *owners.entry(offset).or_insert([t, i, j]) != [t, i, j];
                }
            }
        }
        meets
    }

    fn is_discharged(&self) -> bool {
        let mut b = Builder::new(BLOCK.map(Some), [Some(1); 3]);
        let array = b.array(Space::Global);
        let [w, h, half_h, half_w] = ["w", "h", "half_h", "half_w"].map(|name| b.symbol(name));
        let [t, i, j] = [Op::TidX, Op::TidY, Op::TidZ].map(|op| b.leaf(op));
        let x = b.op(Op::Rem, t, w);
        let rows = b.op(Op::Div, t, w);
        let y = b.op(Op::Rem, rows, h);
        let z = b.op(Op::Div, rows, h);
        let mut places = Vec::new();
        let mut guards = Vec::new();
        for (side, (step, part, half, size)) in [(i, y, half_h, h), (j, x, half_w, w)]
            .into_iter()
            .enumerate()
        {
            let mut place = step;
            if self.begins[side] {
                let zero = b.int(0);
                let lacking = b.op(Op::Sub, half, part);
                let first = b.op(Op::Max, zero, lacking);
                place = b.add(place, first);
            }
            if let Some(more) = self.below[side] {
                let more = b.int(more);
                let end = b.add(size, more);
                let end = b.add(end, half);
                let end = b.op(Op::Sub, end, part);
                guards.push(b.op(Op::Lt, place, end));
            }
            let place = b.add(place, part);
            places.push(b.op(Op::Sub, place, half));
        }
        let mut offset = b.int(0);
        let parts = [z, y, x, places[0], places[1]];
        for (part, stride) in parts.into_iter().zip(&self.strides) {
            for &(ws, hs) in stride {
                let mut term = part;
                for (size, times) in [(w, ws), (h, hs)] {
                    for _ in 0..times {
                        term = b.op(Op::Mul, term, size);
                    }
                }
                offset = b.add(offset, term);
            }
        }
        let index = b.mul(offset, 4);
        let mut body = vec![Stmt::Access(AccessKind::Write, array, index, 4)];
        for guard in guards {
            body = vec![Stmt::If(guard, body, vec![])];
        }
        b.body(&body);
        let derived = derive(&b.finish(), &Options::default());
        derived.candidate_race.is_empty()
    }
}

/// Both maps, and each with one bound too wide or lost.
#[test]
fn windows_of_numbers_are_discharged() {
    for whole in [Kernel::of_windows(), Kernel::of_numbers()] {
        assert!(!whole.collides(), "{whole:?}");
        assert!(whole.is_discharged(), "{whole:?}");
        for side in 0..2 {
            for below in [None, Some(1)] {
                let mut kernel = whole.clone();
                kernel.below[side] = below;
                assert!(kernel.collides(), "{kernel:?}");
                assert!(!kernel.is_discharged(), "{kernel:?}");
            }
            let mut kernel = whole.clone();
            kernel.begins[side] = false;
            assert!(kernel.collides(), "{kernel:?}");
            assert!(!kernel.is_discharged(), "{kernel:?}");
        }
    }
}

#[test]
fn division_never_discharges_what_collides() {
    let mut discharged = 0;
    for seed in 0..500 {
        let mut dice = Dice::new(seed);
        let mut kernel = match dice.roll(2) {
            0 => Kernel::of_windows(),
            _ => Kernel::of_numbers(),
        };
        // Mostly what fits, spoilt in places.
        for _ in 0..dice.roll(3) {
            let side = usize::try_from(dice.number(2)).expect("small");
            let part = usize::try_from(dice.number(5)).expect("small");
            let stride = (dice.roll(3), dice.roll(3));
            let stride = [stride.0, stride.1].map(|times| u32::try_from(times).expect("small"));
            match dice.roll(6) {
                0 => kernel.strides[part] = vec![(stride[0], stride[1])],
                1 => kernel.strides[part].push((stride[0], stride[1])),
                2 => kernel.strides.swap(part, (part + 1) % 5),
                3 => kernel.below[side] = Some(dice.number(3) - 1),
                4 => kernel.begins[side] = false,
                _ => kernel.below[side] = None,
            }
        }
        if kernel.is_discharged() {
            discharged += 1;
            assert!(!kernel.collides(), "seed {seed}: {kernel:?}");
        }
    }
    assert!(discharged >= 120, "{discharged} discharged");
}
