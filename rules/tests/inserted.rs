//! D19 against all threads of a block: every small offset that makes room in a number for one more digit, and many that do not.

mod common;

use common::{Builder, Stmt};
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

const THREADS: i128 = 48;

/// An offset in elements of 4 bytes: `times * t + rest * (t & (s - 1)) + strides * s + constant`.
#[derive(Clone, Copy, Debug)]
struct Offset {
    times: i128,
    rest: i128,
    strides: i128,
    constant: i128,
}

impl Offset {
    fn at(self, t: i128, stride: i128) -> i128 {
        self.times * t + self.rest * (t & (stride - 1)) + self.strides * stride + self.constant
    }
}

/// How the kernel comes to know that the stride is a power of two.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Stride {
    /// `if ((s & (s - 1)) == 0)`: 0 is one, too.
    Tested,
    /// The same, and `0 < s`.
    Positive,
    /// `1 << k`.
    Shifted,
    /// Nothing is known.
    Any,
}

impl Stride {
    fn values(self) -> Vec<i128> {
        let powers = (0..7).map(|k| 1 << k);
        match self {
            Stride::Tested => powers.chain([0]).collect(),
            Stride::Positive | Stride::Shifted => powers.collect(),
            Stride::Any => (-3..=64).collect(),
        }
    }
}

/// Whether all pairs of two writes in one interval are discharged, and whether one of them by D19 or on its ground.
fn is_discharged(stride: Stride, offsets: [Offset; 2]) -> (bool, Vec<String>) {
    let mut b = Builder::line(THREADS, 1);
    let array = b.array(Space::Shared);
    let t = b.tid();
    let symbol = b.symbol("s");
    let one = b.int(1);
    let zero = b.int(0);
    let s = match stride {
        Stride::Shifted => b.op(Op::Shl, one, symbol),
        _ => symbol,
    };
    let less = b.opi(Op::Sub, s, 1);
    let tested = b.op(Op::BitAnd, s, less);
    let is_power = b.op(Op::Eq, tested, zero);
    let positive = b.op(Op::Lt, zero, s);
    let guard = match stride {
        Stride::Tested => is_power,
        Stride::Positive => b.facts.terms.and(is_power, positive),
        // A shift may reach the sign.
        Stride::Shifted => positive,
        Stride::Any => b.op(Op::Le, zero, t),
    };
    let rest = b.op(Op::BitAnd, t, less);
    let mut writes = Vec::new();
    for offset in offsets {
        let parts = [
            b.mul(t, offset.times),
            b.mul(rest, offset.rest),
            b.mul(s, offset.strides),
            b.int(offset.constant),
        ];
        let sum = parts.into_iter().reduce(|sum, part| b.add(sum, part));
        let index = b.mul(sum.expect("parts"), 4);
        writes.push(Stmt::Access(AccessKind::Write, array, index, 4));
    }
    b.body(&[Stmt::If(guard, writes, vec![])]);
    let derived = derive(&b.finish(), &Options::default());
    let rules = derived.discarded_race.into_iter().map(|row| row.rule);
    (derived.candidate_race.is_empty(), rules.collect())
}

/// Whether two threads write one element, for some stride.
fn collide(stride: Stride, offsets: [Offset; 2]) -> bool {
    let pairs = [(0, 0), (0, 1), (1, 1)];
    stride.values().into_iter().any(|s| {
        (0..THREADS).any(|t| {
            (0..THREADS).any(|other| {
                t != other
                    && pairs
                        .iter()
                        .any(|&(a, b)| offsets[a].at(t, s) == offsets[b].at(other, s))
            })
        })
    })
}

#[test]
fn d19_never_discharges_what_collides() {
    let mut told = [0; 4];
    for (which, stride) in [
        Stride::Tested,
        Stride::Positive,
        Stride::Shifted,
        Stride::Any,
    ]
    .into_iter()
    .enumerate()
    {
        for times in [-2, -1, 1, 2, 3, 4] {
            for rest in -4..=3 {
                for (strides, constant) in [
                    (0, 0),
                    (0, 1),
                    (1, 0),
                    (-1, 0),
                    (2, 0),
                    (3, 0),
                    (1, -1),
                    (1, 1),
                ] {
                    let first = Offset {
                        times,
                        rest,
                        strides: 0,
                        constant: 0,
                    };
                    let second = Offset {
                        strides,
                        constant,
                        ..first
                    };
                    let offsets = [first, second];
                    let (discharged, rules) = is_discharged(stride, offsets);
                    let meets = collide(stride, offsets);
                    assert!(!(discharged && meets), "{stride:?} {offsets:?}: {rules:?}");
                    told[which] += usize::from(discharged);
                }
            }
        }
    }
    // Twice a number less its remainder, and the next; four times a number less three remainders, and the three next.
    assert!(told[0] >= 8 && told[1] >= 10 && told[2] >= 10, "{told:?}");
}

/// `2 * t - (t & (s - 1))` and the same one stride on; and what is almost that.
#[test]
fn d19_butterflies() {
    let inserted = |times, rest, strides, constant| {
        let first = Offset {
            times,
            rest,
            strides: 0,
            constant: 0,
        };
        let second = Offset {
            strides,
            constant,
            ..first
        };
        [first, second]
    };
    for stride in [
        Stride::Tested,
        Stride::Positive,
        Stride::Shifted,
        Stride::Any,
    ] {
        for (offsets, right) in [
            (inserted(2, -1, 1, 0), true),
            (inserted(4, -3, 3, 0), true),
            // A stride further than there is room for, and one element further.
            (inserted(2, -1, 2, 0), false),
            (inserted(4, -3, 4, 0), false),
            (inserted(2, -1, 1, 1), false),
        ] {
            let (discharged, rules) = is_discharged(stride, offsets);
            let wanted = right && stride != Stride::Any;
            assert_eq!(discharged, wanted, "{stride:?} {offsets:?}: {rules:?}");
            assert_eq!(!collide(stride, offsets), wanted, "{stride:?} {offsets:?}");
        }
    }
}

/// `for (i = 0; i < n; i++) a[times * t + rest * (t & (s - 1)) + i * (strides * s + constant)] = …;`
#[test]
fn d19_with_a_digit_of_the_thread() {
    let mut told = 0;
    for stride in [Stride::Tested, Stride::Positive, Stride::Any] {
        for times in [1, 2, 3, 4] {
            for rest in -4..=1 {
                for (strides, constant) in [(1, 0), (2, 0), (1, 1), (0, 1), (-1, 0)] {
                    for rounds in 1..=5 {
                        let mut b = Builder::line(THREADS, 1);
                        let array = b.array(Space::Shared);
                        let (t, s, zero) = (b.tid(), b.symbol("s"), b.int(0));
                        let less = b.opi(Op::Sub, s, 1);
                        let tested = b.op(Op::BitAnd, s, less);
                        let mut guard = b.op(Op::Eq, tested, zero);
                        if stride == Stride::Positive {
                            let positive = b.op(Op::Lt, zero, s);
                            guard = b.facts.terms.and(guard, positive);
                        } else if stride == Stride::Any {
                            guard = b.op(Op::Le, zero, t);
                        }
                        let masked = b.op(Op::BitAnd, t, less);
                        let id = b.new_loop();
                        let i = b.iter(id);
                        let step = b.mul(s, strides);
                        let step = b.opi(Op::Add, step, constant);
                        let parts = [b.mul(t, times), b.mul(masked, rest), b.op(Op::Mul, i, step)];
                        let sum = parts.into_iter().reduce(|sum, part| b.add(sum, part));
                        let index = b.mul(sum.expect("parts"), 4);
                        let condition = b.opi(Op::Lt, i, rounds);
                        b.body(&[Stmt::If(
                            guard,
                            vec![Stmt::Loop(
                                id,
                                condition,
                                vec![Stmt::Access(AccessKind::Write, array, index, 4)],
                            )],
                            vec![],
                        )]);
                        let derived = derive(&b.finish(), &Options::default());
                        let discharged = derived.candidate_race.is_empty();
                        let at = |t: i128, i: i128, s: i128| {
                            times * t + rest * (t & (s - 1)) + i * (strides * s + constant)
                        };
                        let meets = || {
                            stride.values().into_iter().any(|s| {
                                let mut owner = std::collections::BTreeMap::new();
                                (0..THREADS).any(|t| {
                                    (0..rounds).any(|i| *owner.entry(at(t, i, s)).or_insert(t) != t)
                                })
                            })
                        };
                        assert!(
                            !discharged || !meets(),
                            "{stride:?}: {times} * t + {rest} * r + i * ({strides} * s + {constant}), {rounds} rounds"
                        );
                        told += usize::from(discharged && rounds > 1);
                    }
                }
            }
        }
    }
    // Two places for twice a number, three and four for more.
    assert!(told >= 12, "{told}");
}
