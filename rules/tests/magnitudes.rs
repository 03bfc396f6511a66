//! D20 against all threads of a block: indices taken apart by sizes of any sign, and put together in right and in wrong orders.

mod common;

use std::collections::BTreeMap;

use common::{Builder, Stmt};
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

const THREADS: i128 = 30;

/// A product of a number and the sizes `a`, `b` and `c`, each as often as told.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Product(i128, [u32; 3]);

impl Product {
    fn value(self, sizes: [i128; 3]) -> i128 {
        let factors = sizes.into_iter().zip(self.1);
        factors.fold(self.0, |product, (size, times)| product * size.pow(times))
    }

    fn term(self, b: &mut Builder, sizes: [TermId; 3]) -> TermId {
        let mut product = b.int(self.0);
        for (size, times) in sizes.into_iter().zip(self.1) {
            for _ in 0..times {
                product = b.op(Op::Mul, product, size);
            }
        }
        product
    }
}

/// How three digits come from a number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Taken {
    /// `x % a`, `x / a % b`, `x / a / b`
    FromBelow,
    /// `r = x % (a * b)`: `r % a`, `r / a`, `x / (a * b)`
    FromAbove,
    /// As from above, by sizes that do not fit: `r % a`, `r / b`, `x / (a * b)`
    Mixed,
    /// `x % a`, `x / b`, `x / (a * b)`
    Wrong,
}

/// What bounds the number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Guard {
    None,
    Below(Product),
}

#[derive(Clone, Copy, Debug)]
struct Kernel {
    taken: Taken,
    guard: Guard,
    strides: [Product; 3],
    /// What the second write adds to the offset of the first.
    shift: Product,
}

impl Kernel {
    /// The digits from the lowest on; none where it would be divided by 0.
    fn digits(self, x: i128, [a, b, _]: [i128; 3]) -> Option<[i128; 3]> {
        if a == 0 || b == 0 {
            return None;
        }
        let rest = x % (a * b);
        Some(match self.taken {
            Taken::FromBelow => [x % a, x / a % b, x / a / b],
            Taken::FromAbove => [rest % a, rest / a, x / (a * b)],
            Taken::Mixed => [rest % a, rest / b, x / (a * b)],
            Taken::Wrong => [x % a, x / b, x / (a * b)],
        })
    }

    /// Whether two threads write one element, for some sizes.
    fn collides(self) -> bool {
        let values = || -4..=4i128;
        values().any(|a| values().any(|b| values().any(|c| self.collides_with([a, b, c]))))
    }

    fn collides_with(self, sizes: [i128; 3]) -> bool {
        let mut owners: BTreeMap<i128, i128> = BTreeMap::new();
        let mut meets = false;
        for x in 0..THREADS {
            if matches!(self.guard, Guard::Below(bound) if x >= bound.value(sizes)) {
                continue;
            }
            let Some(digits) = self.digits(x, sizes) else {
                // C leaves open what becomes of such a launch.
                return false;
            };
            let strides = self.strides.map(|stride| stride.value(sizes));
            let offset: i128 = digits.into_iter().zip(strides).map(|(d, s)| d * s).sum();
            for at in [offset, offset + self.shift.value(sizes)] {
                meets |= *owners.entry(at).or_insert(x) != x;
            }
        }
        meets
    }

    /// Whether no pair is left, and by which rules.
    fn is_discharged(self) -> (bool, Vec<String>) {
        let mut b = Builder::line(THREADS, 1);
        let array = b.array(Space::Global);
        let x = b.tid();
        let sizes = ["a", "b", "c"].map(|name| b.symbol(name));
        let [a, c] = [sizes[0], sizes[1]];
        let product = b.op(Op::Mul, a, c);
        let rest = b.op(Op::Rem, x, product);
        let top = b.op(Op::Div, x, product);
        let digits = match self.taken {
            Taken::FromBelow => {
                let above = b.op(Op::Div, x, a);
                [
                    b.op(Op::Rem, x, a),
                    b.op(Op::Rem, above, c),
                    b.op(Op::Div, above, c),
                ]
            }
            Taken::FromAbove => [b.op(Op::Rem, rest, a), b.op(Op::Div, rest, a), top],
            Taken::Mixed => [b.op(Op::Rem, rest, a), b.op(Op::Div, rest, c), top],
            Taken::Wrong => [b.op(Op::Rem, x, a), b.op(Op::Div, x, c), top],
        };
        let mut offset = b.int(0);
        for (digit, stride) in digits.into_iter().zip(self.strides) {
            let stride = stride.term(&mut b, sizes);
            let part = b.op(Op::Mul, digit, stride);
            offset = b.add(offset, part);
        }
        let shift = self.shift.term(&mut b, sizes);
        let shifted = b.add(offset, shift);
        let writes = [offset, shifted].map(|offset| {
            let index = b.mul(offset, 4);
            Stmt::Access(AccessKind::Write, array, index, 4)
        });
        let zero = b.int(0);
        let guard = match self.guard {
            Guard::None => b.op(Op::Le, zero, x),
            Guard::Below(bound) => {
                let bound = bound.term(&mut b, sizes);
                b.op(Op::Lt, x, bound)
            }
        };
        b.body(&[Stmt::If(guard, writes.to_vec(), vec![])]);
        let derived = derive(&b.finish(), &Options::default());
        let rules = derived.discarded_race.into_iter().map(|row| row.rule);
        (derived.candidate_race.is_empty(), rules.collect())
    }
}

const ONE: Product = Product(1, [0, 0, 0]);
const A: Product = Product(1, [1, 0, 0]);
const B: Product = Product(1, [0, 1, 0]);
const C: Product = Product(1, [0, 0, 1]);
const AB: Product = Product(1, [1, 1, 0]);
const AC: Product = Product(1, [1, 0, 1]);
const BC: Product = Product(1, [0, 1, 1]);
const ABC: Product = Product(1, [1, 1, 1]);
const NOTHING: Product = Product(0, [0, 0, 0]);

#[test]
fn d20_never_discharges_what_collides() {
    let strides = [
        ONE,
        A,
        B,
        C,
        AB,
        AC,
        BC,
        Product(-1, [1, 0, 0]),
        Product(2, [1, 1, 0]),
    ];
    let shifts = [NOTHING, ABC, NOTHING, AB, A];
    let guards = [
        Guard::Below(ABC),
        Guard::None,
        Guard::Below(ABC),
        Guard::Below(AB),
        Guard::Below(ABC),
        Guard::Below(Product(2, [1, 1, 0])),
        Guard::Below(C),
    ];
    let taken = [
        Taken::FromBelow,
        Taken::FromAbove,
        Taken::Mixed,
        Taken::Wrong,
    ];
    let (mut discharged, mut by_magnitudes, mut position) = (0, 0, 0);
    for first in strides {
        for second in strides {
            for third in strides {
                for taken in taken {
                    // Each guard with every seventh of these, each shift with every fifth.
                    position += 1;
                    let kernel = Kernel {
                        taken,
                        guard: guards[position % guards.len()],
                        strides: [first, second, third],
                        shift: shifts[position % shifts.len()],
                    };
                    let (none_left, rules) = kernel.is_discharged();
                    if none_left {
                        discharged += 1;
                        let own = |rule: &String| rule == "separated-magnitudes";
                        by_magnitudes += usize::from(rules.iter().any(own));
                        assert!(!kernel.collides(), "{kernel:?}: {rules:?}");
                    }
                }
            }
        }
    }
    assert!(
        discharged >= 20 && by_magnitudes >= 4,
        "{discharged} discharged, {by_magnitudes} with a distance"
    );
}

/// Each order of the digits with the strides that fit it.
#[test]
fn d20_orders_of_digits() {
    let fitting = [
        [ONE, A, AB],
        [B, ONE, AB],
        [BC, C, ONE],
        [C, AC, ONE],
        [ONE, AC, A],
        [BC, ONE, B],
    ];
    for strides in fitting {
        for taken in [Taken::FromBelow, Taken::FromAbove] {
            for (guard, shift, wanted) in [
                (Guard::Below(ABC), NOTHING, true),
                (Guard::Below(ABC), ABC, true),
                // The highest digit is bounded by nothing.
                (Guard::None, NOTHING, strides[2] == AB),
                (Guard::None, ABC, false),
                (Guard::Below(ABC), AB, false),
            ] {
                let kernel = Kernel {
                    taken,
                    guard,
                    strides,
                    shift,
                };
                let (discharged, rules) = kernel.is_discharged();
                assert_eq!(discharged, wanted, "{kernel:?}: {rules:?}");
                assert_eq!(kernel.collides(), !wanted, "{kernel:?}");
            }
        }
    }
}
