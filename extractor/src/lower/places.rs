//! Which bytes of an array an offset that varies can name: an interval and a remainder, whatever the thread and the iteration.
//!
//! `rows[i].length` is 8 bytes behind a multiple of 16, and never where `rows[j].data` lies; `((int *)rows)[i]` may be.

use rustc_hash::FxHashMap;
use warplog_facts::arith::gcd;
use warplog_facts::*;

/// Integers of an interval that leave one remainder, `first + step · k`, and lie in the rows. The step of a single one is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Places {
    first: i128,
    step: i128,
    least: i128,
    most: i128,
    rows: Rows,
}

/// Integers `step · k + x` with x of an interval: `data` of many objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Rows {
    step: i128,
    least: i128,
    most: i128,
}

impl Rows {
    fn plus(self, other: Rows) -> Rows {
        Rows {
            step: gcd(self.step, other.step),
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        }
    }

    fn times(self, factor: i128) -> Rows {
        let ends = [
            self.least.saturating_mul(factor),
            self.most.saturating_mul(factor),
        ];
        Rows {
            step: self.step.saturating_mul(factor.saturating_abs()),
            least: ends[0].min(ends[1]),
            most: ends[0].max(ends[1]),
        }
    }

    /// How much there is between rows, for each of them; without rows, how little there is.
    fn gap(self) -> i128 {
        let width = self.most.saturating_sub(self.least).saturating_add(1);
        self.step.saturating_sub(width)
    }

    /// Whether one of these may lie in an interval.
    fn may_meet(self, least: i128, most: i128) -> bool {
        let (low, high) = (
            least.saturating_sub(self.most),
            most.saturating_sub(self.least),
        );
        match self.step {
            0 => low <= 0 && 0 <= high,
            step => low.saturating_add((-low).rem_euclid(step)) <= high,
        }
    }
}

impl Places {
    pub(super) fn one(value: i128) -> Places {
        Places {
            first: value,
            step: 0,
            least: value,
            most: value,
            rows: Rows {
                step: 0,
                least: value,
                most: value,
            },
        }
    }

    fn between(least: i128, most: i128) -> Places {
        Places {
            first: 0,
            step: 1,
            least,
            most,
            rows: Rows {
                step: 0,
                least,
                most,
            },
        }
    }

    /// The three ways to see them as rows: the interval as one, each remainder as one, and their own.
    fn views(&self) -> [Rows; 3] {
        let interval = Rows {
            step: 0,
            least: self.least,
            most: self.most,
        };
        let remainder = Rows {
            step: self.step,
            least: self.first,
            most: self.first,
        };
        [self.rows, remainder, interval]
    }

    /// All values of a type.
    fn of_type(ty: CType) -> Places {
        let (least, most) = bounds(ty);
        Places::between(least, most)
    }

    /// Whether as many bytes from one of these places on may touch as many from one of the others on.
    pub(super) fn may_touch(&self, bytes: i128, others: &Places, other_bytes: i128) -> bool {
        // By how much the one lies behind the other.
        let apart = self.minus(others);
        let least = apart.least.max(1 - bytes);
        let most = apart.most.min(other_bytes - 1);
        let next = match apart.step {
            0 => apart.first,
            step => least + (apart.first - least).rem_euclid(step),
        };
        least <= next && next <= most && apart.rows.may_meet(1 - bytes, other_bytes - 1)
    }

    fn minus(&self, other: &Places) -> Places {
        self.plus(&other.times(&Places::one(-1)))
    }

    fn plus(&self, other: &Places) -> Places {
        let first = self.first.checked_add(other.first);
        let views = self.views().into_iter();
        let sums = views.flat_map(|one| other.views().map(|two| one.plus(two)));
        let interval = Rows {
            step: 0,
            least: self.least.saturating_add(other.least),
            most: self.most.saturating_add(other.most),
        };
        Places {
            first: first.unwrap_or(0),
            step: first.map_or(1, |_| gcd(self.step, other.step)),
            least: interval.least,
            most: interval.most,
            rows: sums.max_by_key(|rows| rows.gap()).unwrap_or(interval),
        }
    }

    fn times(&self, other: &Places) -> Places {
        let corners = [
            self.least.saturating_mul(other.least),
            self.least.saturating_mul(other.most),
            self.most.saturating_mul(other.least),
            self.most.saturating_mul(other.most),
        ];
        let least = corners.into_iter().min().unwrap_or(i128::MIN);
        let most = corners.into_iter().max().unwrap_or(i128::MAX);
        let remainder = || {
            let first = self.first.checked_mul(other.first)?;
            let one = self.first.checked_mul(other.step)?;
            let other_one = other.first.checked_mul(self.step)?;
            let both = self.step.checked_mul(other.step)?;
            Some((first, gcd(gcd(one, other_one), both)))
        };
        let (first, step) = remainder().unwrap_or((0, 1));
        let scaled = match (self.single(), other.single()) {
            (_, Some(factor)) => Some(self.rows.times(factor)),
            (Some(factor), _) => Some(other.rows.times(factor)),
            _ => None,
        };
        Places {
            first,
            step,
            least,
            most,
            rows: scaled.unwrap_or(Rows {
                step: 0,
                least,
                most,
            }),
        }
    }

    fn single(&self) -> Option<i128> {
        (self.least == self.most).then_some(self.least)
    }

    fn or(&self, other: &Places) -> Places {
        let apart = self.first.checked_sub(other.first);
        Places {
            first: self.first,
            step: apart.map_or(1, |apart| gcd(gcd(self.step, other.step), apart)),
            least: self.least.min(other.least),
            most: self.most.max(other.most),
            rows: Rows {
                step: gcd(self.rows.step, other.rows.step),
                least: self.rows.least.min(other.rows.least),
                most: self.rows.most.max(other.rows.most),
            },
        }
    }

    /// What a type makes of these results of an operation: values that a signed type lacks are undefined.
    fn computed_as(&self, ty: CType) -> Places {
        match ty {
            _ if ty.is_signed() => self.fitting(ty),
            _ => self.converted_to(ty),
        }
    }

    /// The same values in a type that holds all of them.
    fn fitting(&self, ty: CType) -> Places {
        let (least, most) = bounds(ty);
        Places {
            least: self.least.max(least),
            most: self.most.min(most),
            ..*self
        }
    }

    /// The values modulo those of the type.
    fn converted_to(&self, ty: CType) -> Places {
        let (least, most) = bounds(ty);
        if least <= self.least && self.most <= most {
            return *self;
        }
        let all = Places::of_type(ty);
        let Some(bits) = ty.bits().filter(|_| ty != CType::Bool) else {
            return all;
        };
        Places {
            first: self.first,
            step: gcd(self.step, 1 << bits),
            rows: Rows {
                step: gcd(self.rows.step, 1 << bits),
                ..self.rows
            },
            ..all
        }
    }
}

/// What tests on the way to a place have found of terms: the greatest value that each may have.
#[derive(Default)]
pub(super) struct Tests {
    most: FxHashMap<TermId, i128>,
}

impl Tests {
    /// A test that came out so.
    pub(super) fn add(&mut self, terms: &TermStore, test: TermId, outcome: bool) {
        let node = terms.get(test);
        match (node.op, node.args.as_slice(), outcome) {
            (Op::Not, &[inner], _) => self.add(terms, inner, !outcome),
            (Op::And, &[left, right], true) | (Op::Or, &[left, right], false) => {
                self.add(terms, left, outcome);
                self.add(terms, right, outcome);
            }
            (Op::Lt, &[less, more], true) => self.at_most(terms, less, more, 1),
            (Op::Le, &[less, more], true) => self.at_most(terms, less, more, 0),
            (Op::Lt, &[more, less], false) => self.at_most(terms, less, more, 0),
            (Op::Le, &[more, less], false) => self.at_most(terms, less, more, 1),
            _ => {}
        }
    }

    fn at_most(&mut self, terms: &TermStore, term: TermId, bound: TermId, below: i128) {
        if let Some(bound) = terms
            .as_const(bound)
            .filter(|_| terms.ty(term).is_integer())
        {
            let most = self.most.entry(term).or_insert(bound - below);
            *most = (*most).min(bound - below);
        }
    }

    /// What a conversion gives is what it had where that fits: a bound of the one is one of the other.
    fn carry_over(&mut self, terms: &TermStore, id: TermId, known: &FxHashMap<TermId, Places>) {
        let node = terms.get(id);
        let (Op::Cast | Op::Fit, Some(inner)) = (node.op, node.args.first()) else {
            return;
        };
        let keeps = known.get(inner).is_some_and(|places| {
            let (least, most) = bounds(node.ty);
            least <= places.least && places.most <= most
        });
        if let Some(&bound) = self.most.get(&id).filter(|_| keeps) {
            let most = self.most.entry(*inner).or_insert(bound);
            *most = (*most).min(bound);
        }
    }
}

/// The places that an offset can name where tests came out so.
pub(super) fn places_of(terms: &TermStore, offset: TermId, mut tests: Tests) -> Places {
    let tested: Vec<TermId> = tests.most.keys().copied().collect();
    let mut inside = terms.reachable(&[tested.as_slice(), &[offset]].concat());
    // Arguments come before what is made of them.
    inside.sort_unstable();
    let everywhere = places_of_nodes(terms, &inside, &Tests::default());
    for &id in inside.iter().rev() {
        tests.carry_over(terms, id, &everywhere);
    }
    let known = places_of_nodes(terms, &inside, &tests);
    let all = Places::of_type(terms.ty(offset));
    known.get(&offset).copied().unwrap_or(all)
}

fn places_of_nodes(
    terms: &TermStore,
    inside: &[TermId],
    tests: &Tests,
) -> FxHashMap<TermId, Places> {
    let mut known = FxHashMap::default();
    for &id in inside {
        let mut places = places_of_node(terms, terms.get(id), &known);
        if let Some(&most) = tests.most.get(&id) {
            places.most = places.most.min(most);
        }
        known.insert(id, places);
    }
    known
}

fn places_of_node(terms: &TermStore, term: &Term, known: &FxHashMap<TermId, Places>) -> Places {
    let ty = term.ty;
    let of_type = Places::of_type(ty);
    if !ty.is_integer() || ty == CType::Bool {
        return of_type;
    }
    let arg = |at: usize| match term.args.get(at) {
        Some(id) => known
            .get(id)
            .copied()
            .unwrap_or(Places::of_type(terms.ty(*id))),
        None => of_type,
    };
    let constant = |at: usize| term.args.get(at).and_then(|&id| terms.as_const(id));
    match term.op {
        Op::Const => Places::one(term.payload),
        Op::TidX | Op::TidY | Op::TidZ => Places::between(0, 1023).converted_to(ty),
        Op::Iter | Op::Exit | Op::BidX | Op::BidY | Op::BidZ => Places::between(0, bounds(ty).1),
        Op::BdimX | Op::BdimY | Op::BdimZ => Places::between(1, 1024).converted_to(ty),
        Op::Add => arg(0).plus(&arg(1)).computed_as(ty),
        Op::Sub => arg(0).minus(&arg(1)).computed_as(ty),
        Op::Mul => arg(0).times(&arg(1)).computed_as(ty),
        Op::Neg => Places::one(0).minus(&arg(0)).computed_as(ty),
        Op::Shl => match constant(1) {
            Some(count @ 0..64) => arg(0).times(&Places::one(1 << count)).converted_to(ty),
            _ => of_type,
        },
        Op::Cast => arg(0).converted_to(ty),
        Op::Fit => arg(0).fitting(ty),
        Op::Ite => arg(1).or(&arg(2)),
        Op::Min | Op::Max => arg(0).or(&arg(1)),
        Op::BitAnd => match (constant(0), constant(1)) {
            (Some(mask @ 1..), _) | (_, Some(mask @ 1..)) => Places {
                step: 1 << mask.trailing_zeros(),
                ..Places::between(0, mask)
            },
            _ => of_type,
        },
        Op::Rem => match (arg(0).least, constant(1)) {
            (0.., Some(divisor @ 1..)) => Places::between(0, divisor - 1),
            _ => of_type,
        },
        Op::Div | Op::Shr if arg(0).least >= 0 && arg(1).least >= 0 => {
            Places::between(0, arg(0).most)
        }
        _ => of_type,
    }
}

/// The least and the greatest value of a type; those of the widest one where it is no integer.
fn bounds(ty: CType) -> (i128, i128) {
    let widest = (i128::MIN / 4, i128::MAX / 4);
    (ty.min().unwrap_or(widest.0), ty.max().unwrap_or(widest.1))
}
