//! Interval analysis of terms: bounds on their values, and whether unsigned arithmetic can wrap.
//!
//! **Contract.** In every execution without undefined behaviour that satisfies the launch, the
//! assumed conjuncts (see [`Ranges::assuming`]) and the assumptions of [`NoWrap`], the value of an integer term lies in its
//! interval; and where [`Ranges::is_exact`] says so, the operator's result is the mathematical one.
//!
//! **Global ids.** Sums and products of `blockIdx`, `blockDim`, `gridDim`, `threadIdx`, loop
//! ordinals and constants, and of quotients and remainders of these, that mention the grid are assumed not to wrap
//! (`blockIdx.x * blockDim.x + threadIdx.x` in `unsigned`, `blockIdx.x * 8 + threadIdx.x / 32`): see [`Ranges::rests_on`].
//! So are differences of these that cannot fall below 0 (`blockDim.x - 1 - threadIdx.x`).
//! Other differences are not covered by it: `threadIdx.x - 1u` wraps, and so does `blockIdx.x + (-1)`,
//! whose constant is 4294967295. Nor is what no size is open in: there the bounds say whether it wraps. Nor are large
//! multiples, which wrap in launches of modest size: `blockIdx.x << 31` does in the third block (see [`MOST_OF_AN_ID`]), nor those
//! of a size that is known to be large, `threadIdx.x * n` where n is at least 2³⁰.
//!
//! **Sizes.** The same is assumed of sums and products of 64 bits that mention numbers that the kernel is given, too
//! (`i + 2 * n` in `size_t`): that they wrap takes an array that no memory holds.

mod differences;
mod mirrored;
mod order;
mod powers;
mod scale;
mod shares;

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ctype::CType;
use crate::facts::Facts;
use crate::ids::{LaunchId, LoopId, TermId};
use crate::schema::{LaunchDimensionRow, LoopRow};
use crate::term::{Axis, Op, Term};
use crate::words::Dimension;
pub use scale::MOST_OF_AN_ID;
use scale::{MOST_OF_A_SIZE, Scale};

/// A closed interval of integers, never empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// Smallest value.
    pub low: i128,
    /// Largest value.
    pub high: i128,
}

impl Interval {
    /// The interval from `low` to `high`.
    pub fn new(low: i128, high: i128) -> Self {
        Interval { low, high }
    }

    /// Whether the value is inside.
    pub fn contains(self, value: i128) -> bool {
        self.low <= value && value <= self.high
    }

    /// Whether the other interval lies inside this one.
    pub fn covers(self, other: Interval) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// The one value, if there is only one.
    pub fn single(self) -> Option<i128> {
        (self.low == self.high).then_some(self.low)
    }

    /// Values in both; when there is none (the code is unreachable), `self`.
    pub fn meet(self, other: Interval) -> Interval {
        let met = Interval {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        };
        if met.low <= met.high { met } else { self }
    }

    fn join(self, other: Interval) -> Interval {
        Interval {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }

    fn hull(values: &[i128]) -> Interval {
        let low = values.iter().copied().min().unwrap_or(0);
        let high = values.iter().copied().max().unwrap_or(0);
        Interval { low, high }
    }

    /// All values of a type; of opaque types, any integer.
    pub fn of_type(ty: CType) -> Interval {
        match (ty.min(), ty.max()) {
            (Some(low), Some(high)) => Interval { low, high },
            _ => Interval {
                low: -(1 << 100),
                high: 1 << 100,
            },
        }
    }
}

/// Hardware limits of symbolic dimensions (compute capability 3.0 and later).
pub fn hardware_limit(dimension: Dimension) -> i128 {
    match dimension {
        Dimension::BlockX | Dimension::BlockY => 1024,
        Dimension::BlockZ => 64,
        Dimension::GridX => (1 << 31) - 1,
        Dimension::GridY | Dimension::GridZ => 65535,
    }
}

/// What is assumed of sums and products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct NoWrap {
    /// Global thread ids and their small multiples do not wrap.
    pub global_ids: bool,
    /// Sums and products of sizes do not wrap in 64 bits.
    pub sizes: bool,
    /// Products of indices with sizes that the kernel is given, and sums of those, do not wrap in 32 bits.
    pub offsets: bool,
}

impl NoWrap {
    /// Whether anything is assumed.
    pub fn any(self) -> bool {
        self.global_ids || self.sizes || self.offsets
    }

    /// What is assumed, in words.
    pub fn sentences(self) -> Vec<String> {
        let all = [
            (self.global_ids, "global thread ids do not wrap"),
            (
                self.sizes,
                "sums and products of sizes do not wrap in 64 bits",
            ),
            (
                self.offsets,
                "unsigned sums and products of indices and sizes do not wrap in 32 bits, nor in an int that they become",
            ),
        ];
        all.into_iter()
            .filter(|(assumed, _)| *assumed)
            .map(|(_, text)| text.to_owned())
            .collect()
    }
}

impl std::ops::BitOr for NoWrap {
    type Output = NoWrap;

    fn bitor(self, other: NoWrap) -> NoWrap {
        NoWrap {
            global_ids: self.global_ids || other.global_ids,
            sizes: self.sizes || other.sizes,
            offsets: self.offsets || other.offsets,
        }
    }
}

impl std::ops::BitOrAssign for NoWrap {
    fn bitor_assign(&mut self, other: NoWrap) {
        *self = *self | other;
    }
}

impl std::iter::Sum for NoWrap {
    fn sum<I: Iterator<Item = NoWrap>>(all: I) -> NoWrap {
        all.fold(NoWrap::default(), |sum, one| sum | one)
    }
}

#[derive(Clone, Copy, Debug)]
struct Known {
    interval: Interval,
    exact: bool,
    /// Only builtins, loop ordinals, non-negative constants, sums and products, and quotients, remainders and differences that are
    /// not negative of these.
    geometric: bool,
    /// Mentions the grid.
    grid: bool,
    /// Differs from thread to thread of a launch: mentions an index.
    ids: bool,
    /// Mentions a size that is not known, or a loop whose rounds are not.
    open: bool,
    /// The same, and non-negative numbers that the kernel is given, and quotients and the like of these.
    sized: bool,
    /// A product of sizes, or of an index and a size, neither of them constant; or a sum with one.
    offset: bool,
    scale: Scale,
    /// Made by sums and products from one that wraps in every launch.
    wraps: bool,
    /// In every launch some thread has a value as large: the largest where each size that is open is at its least.
    reached: i128,
    /// What not wrapping here rests on.
    assumed: NoWrap,
}

/// The bounds of terms for one launch, computed on demand and kept.
pub struct Ranges<'a> {
    facts: &'a Facts,
    dimensions: [Interval; 6],
    /// Terms that are dimensions of the launch, and whether of the grid: kernels name `blockDim.x` by what the host code
    /// computes it from.
    dimension_terms: FxHashMap<TermId, bool>,
    /// What the host code computes the dimensions from.
    dimension_of: [Option<TermId>; 6],
    /// What host code gives for parameters, and for the members of those.
    given: Rc<FxHashSet<TermId>>,
    max_iterations: FxHashMap<LoopId, u64>,
    narrowed: FxHashMap<TermId, Interval>,
    /// What a conjunct compares as an unsigned number with so small a one that it has no sign: `(unsigned)n < threadIdx.x`
    /// does not hold where `n` is negative.
    not_negative: Vec<TermId>,
    /// Operators whose bounds narrowed something under an assumption: they rest on it even where the narrower operands
    /// would no longer need it.
    narrowed_through: FxHashMap<TermId, NoWrap>,
    /// Terms that conjuncts order.
    ordered: Vec<TermId>,
    /// What is a power of two or 0, as conjuncts say.
    told_powers: FxHashSet<TermId>,
    /// Of two terms the first is at most the second.
    at_most: Vec<(TermId, TermId)>,
    /// All that is in them.
    bounding: RefCell<Option<Rc<FxHashSet<TermId>>>>,
    known: RefCell<FxHashMap<TermId, Known>>,
}

/// What the bounds of a launch begin with.
#[derive(Clone, Debug, Default)]
struct Base {
    max_iterations: Vec<(LoopId, u64)>,
    given: Vec<TermId>,
    /// Positions in [`Dimension::ALL`], and terms.
    dimensions: Vec<(usize, TermId)>,
}

fn max_iterations(row: &LoopRow) -> Option<(LoopId, u64)> {
    Some((row.loop_id, row.max_iterations?))
}

fn dimension(row: &LaunchDimensionRow) -> (usize, TermId) {
    (row.dimension as usize, row.term)
}

/// What the bounds of every launch begin with: the relations are read once, however many launches there are.
pub struct Bases<'a> {
    facts: &'a Facts,
    of_launch: Vec<Base>,
}

impl<'a> Bases<'a> {
    /// Those of all launches of a fact set.
    pub fn new(facts: &'a Facts) -> Self {
        let mut of_launch = vec![Base::default(); facts.launch.len()];
        for row in &facts.loop_ {
            let base = &mut of_launch[row.launch.index()];
            base.max_iterations.extend(max_iterations(row));
        }
        for row in &facts.launch_argument {
            of_launch[row.launch.index()].given.extend(row.term);
        }
        for row in &facts.launch_dimension {
            of_launch[row.launch.index()]
                .dimensions
                .push(dimension(row));
        }
        Bases { facts, of_launch }
    }

    /// Bounds under the dimensions of a launch, as of [`Ranges::new`].
    pub fn ranges(&self, launch: LaunchId) -> Ranges<'a> {
        Ranges::over(self.facts, &self.of_launch[launch.index()])
    }
}

impl<'a> Ranges<'a> {
    /// Bounds under the dimensions of a launch. Who asks about many launches makes [`Bases`] once.
    pub fn new(facts: &'a Facts, launch: LaunchId) -> Self {
        let loops = facts.loop_.iter().filter(|row| row.launch == launch);
        let arguments = facts.launch_argument.iter();
        let arguments = arguments.filter(|row| row.launch == launch);
        let dimensions = facts.launch_dimension.iter();
        let dimensions = dimensions.filter(|row| row.launch == launch);
        let base = Base {
            max_iterations: loops.filter_map(max_iterations).collect(),
            given: arguments.filter_map(|row| row.term).collect(),
            dimensions: dimensions.map(dimension).collect(),
        };
        Ranges::over(facts, &base)
    }

    fn over(facts: &'a Facts, base: &Base) -> Self {
        let max_iterations = base.max_iterations.iter().copied().collect();
        let given = base.given.iter().copied().collect();
        let mut ranges = Ranges {
            facts,
            dimensions: Dimension::ALL
                .iter()
                .map(|&dimension| Interval::new(1, hardware_limit(dimension)))
                .collect::<Vec<_>>()
                .try_into()
                .unwrap_or([Interval::new(1, 1); 6]),
            dimension_terms: FxHashMap::default(),
            dimension_of: [None; 6],
            given: Rc::new(given),
            max_iterations,
            narrowed: FxHashMap::default(),
            not_negative: Vec::new(),
            narrowed_through: FxHashMap::default(),
            ordered: Vec::new(),
            told_powers: FxHashSet::default(),
            at_most: Vec::new(),
            bounding: RefCell::default(),
            known: RefCell::default(),
        };
        for &(index, term) in &base.dimensions {
            ranges.dimension_of[index] = Some(term);
            // Launches from headers and flags may exceed the limits of hardware.
            let interval = match facts.terms.as_const(term) {
                Some(value) => Interval::new(value, value),
                None => ranges.dimensions[index].meet(ranges.range(term)),
            };
            ranges.dimensions[index] = interval;
            if facts.terms.as_const(term).is_none() {
                let grid = index >= Dimension::GridX as usize;
                *ranges.dimension_terms.entry(term).or_insert(grid) |= grid;
                // A launch with other sizes is refused.
                ranges.narrow(term, interval, 0);
            }
        }
        ranges.known.borrow_mut().clear();
        ranges
    }

    /// The bounds of a launch dimension.
    pub fn dimension(&self, dimension: Dimension) -> Interval {
        self.dimensions[dimension as usize]
    }

    /// These bounds, narrowed by conjuncts that hold (a term of type `bool` with its value).
    pub fn assuming(&self, conjuncts: &[(TermId, bool)]) -> Ranges<'a> {
        let mut narrowed = Ranges {
            facts: self.facts,
            dimensions: self.dimensions,
            dimension_terms: self.dimension_terms.clone(),
            dimension_of: self.dimension_of,
            given: Rc::clone(&self.given),
            max_iterations: self.max_iterations.clone(),
            narrowed: self.narrowed.clone(),
            not_negative: self.not_negative.clone(),
            narrowed_through: self.narrowed_through.clone(),
            ordered: self.ordered.clone(),
            told_powers: self.told_powers.clone(),
            at_most: self.at_most.clone(),
            bounding: RefCell::default(),
            known: RefCell::default(),
        };
        for &(term, polarity) in conjuncts {
            narrowed.find_ordered(term, polarity, 0);
        }
        // Two rounds let a later conjunct profit from an earlier one and the reverse.
        for _ in 0..2 {
            for &(term, polarity) in conjuncts {
                narrowed.assume(term, polarity, 0);
            }
            narrowed.known.borrow_mut().clear();
        }
        narrowed
    }

    /// These bounds, where a loop may be some iterations further than it is ever executed: its condition is evaluated once
    /// more, and fails.
    pub fn beyond(&self, loop_id: LoopId, iterations: u64) -> Ranges<'a> {
        let mut wider = self.assuming(&[]);
        if let Some(most) = wider.max_iterations.get_mut(&loop_id) {
            *most = most.saturating_add(iterations);
        }
        wider
    }

    fn assume(&mut self, id: TermId, polarity: bool, depth: u32) {
        if depth > 32 {
            return;
        }
        let term = self.facts.terms.get(id);
        let (left, right) = match term.args.as_slice() {
            [one] => (*one, *one),
            [left, right] => (*left, *right),
            _ => return,
        };
        match (term.op, polarity) {
            (Op::Not, _) => self.assume(left, !polarity, depth + 1),
            (Op::And, true) | (Op::Or, false) => {
                self.assume(left, polarity, depth + 1);
                self.assume(right, polarity, depth + 1);
            }
            (Op::Lt, true) => self.less(left, right, 1),
            (Op::Le, true) => self.less(left, right, 0),
            (Op::Lt, false) => self.less(right, left, 0),
            (Op::Le, false) => self.less(right, left, 1),
            (Op::Eq, true) | (Op::Ne, false) => {
                self.less(left, right, 0);
                self.less(right, left, 0);
                self.tell_power(left, right);
                self.tell_power(right, left);
            }
            (Op::Ne, true) | (Op::Eq, false) => {
                for (one, other) in [(left, right), (right, left)] {
                    if let Some(value) = self.range(other).single() {
                        let bounds = self.range(one);
                        let others = if bounds.low == value {
                            Interval::new(value + 1, bounds.high)
                        } else if bounds.high == value {
                            Interval::new(bounds.low, value - 1)
                        } else {
                            continue;
                        };
                        self.keep_assumptions(&[one, other]);
                        self.narrow(one, others, 0);
                    }
                }
            }
            _ => {}
        }
    }

    /// What the bounds of these terms rest on stays assumed: other terms are narrowed by them, and so are their own operands,
    /// which may make the assumption look idle. `(long)n / 4 >= n` bounds `n` because the conversion is taken to fit.
    fn keep_assumptions(&mut self, of: &[TermId]) {
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut stack = of.to_vec();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let rests_on = self.rests_on(id);
            if rests_on.any() && self.is_exact(id) {
                *self.narrowed_through.entry(id).or_default() |= rests_on;
            }
            stack.extend_from_slice(&self.facts.terms.get(id).args);
        }
    }

    fn narrow(&mut self, id: TermId, bounds: Interval, depth: u32) {
        let before = self.range(id);
        let after = before.meet(bounds);
        if after == before || depth > 32 {
            return;
        }
        self.narrowed.insert(id, after);
        let exact = self.is_exact(id);
        self.known.borrow_mut().clear();
        let term = self.facts.terms.get(id);
        // 0 · x = 0, wrapped or not.
        if let (Op::Mul, &[left, right]) = (term.op, term.args.as_slice())
            && after.low > 0
        {
            for (one, other) in [(left, right), (right, left)] {
                if self.range(one).low >= 0 || (exact && self.range(other).low >= 0) {
                    self.narrow(one, Interval::new(1, i128::MAX / 4), depth + 1);
                }
            }
        }
        if !exact {
            // (unsigned)i <= INT_MAX only for i >= 0
            if let (Op::Cast, &[arg]) = (term.op, term.args.as_slice()) {
                let (to, from) = (term.ty, self.facts.terms.ty(arg));
                let of_same_size = from.is_integer() && from.bits() == to.bits();
                let signs = (from.is_signed(), to.is_signed()) == (true, false);
                if of_same_size && signs && after.high <= Interval::of_type(from).high {
                    self.not_negative.push(arg);
                    self.narrow(arg, after, depth + 1);
                }
            }
            return;
        }
        match (term.op, term.args.as_slice()) {
            // Towards 0: 1 <= a / c only for a >= c
            (Op::Div, &[left, right]) => {
                let divisor = self.range(right);
                if divisor.low >= 1 {
                    let (least, most) = (divisor.low, divisor.high);
                    let low = match after.low {
                        1.. => after.low.saturating_mul(least),
                        low => low.saturating_mul(most).saturating_sub(most - 1),
                    };
                    let high = match after.high {
                        ..=-1 => after.high.saturating_mul(least),
                        high => high.saturating_mul(most).saturating_add(most - 1),
                    };
                    self.narrow(left, Interval::new(low, high), depth + 1);
                }
            }
            (Op::Cast | Op::Fit, &[arg]) => self.narrow(arg, after, depth + 1),
            // The smaller of two is below both: `i < min(end, n)`.
            (Op::Min, &[left, right]) => {
                for one in [left, right] {
                    let high = self.range(one).high;
                    self.narrow(
                        one,
                        Interval::new(after.low, high.max(after.low)),
                        depth + 1,
                    );
                }
            }
            (Op::Max, &[left, right]) => {
                for one in [left, right] {
                    let low = self.range(one).low;
                    self.narrow(
                        one,
                        Interval::new(low.min(after.high), after.high),
                        depth + 1,
                    );
                }
            }
            (Op::Add, &[left, right]) => {
                for (one, other) in [(left, right), (right, left)] {
                    let other = self.range(other);
                    self.narrow(
                        one,
                        Interval::new(after.low - other.high, after.high - other.low),
                        depth + 1,
                    );
                }
            }
            (Op::Sub, &[left, right]) => {
                let (a, b) = (self.range(left), self.range(right));
                self.narrow(
                    left,
                    Interval::new(after.low + b.low, after.high + b.high),
                    depth + 1,
                );
                self.narrow(
                    right,
                    Interval::new(a.low - after.high, a.high - after.low),
                    depth + 1,
                );
            }
            _ => {}
        }
    }

    /// Terms that the assumed conjuncts show not to be negative by comparing them as unsigned numbers. A formula in which the
    /// conjuncts are encoded without a wrap must say so.
    pub fn not_negative(&self) -> &[TermId] {
        &self.not_negative
    }

    /// Bounds of a term's value.
    pub fn range(&self, id: TermId) -> Interval {
        self.known(id).interval
    }

    /// Whether the operator of the term gives the mathematical result: no wrap, no truncation.
    /// Always so for signed arithmetic, whose overflow is undefined; a shift may reach the sign bit.
    pub fn is_exact(&self, id: TermId) -> bool {
        self.known(id).exact
    }

    /// What [`Ranges::is_exact`] of this very operator rests on.
    pub fn rests_on(&self, id: TermId) -> NoWrap {
        self.known(id).assumed
    }

    /// The largest value of an operator that is exact under an assumption only.
    pub fn assumed_most(&self, id: TermId) -> Option<i128> {
        let ty = self.facts.terms.ty(id);
        let rests_on = self.rests_on(id);
        ty.max().filter(|_| self.is_exact(id) && rests_on.any())
    }

    fn known(&self, root: TermId) -> Known {
        if let Some(known) = self.known.borrow().get(&root) {
            return *known;
        }
        let mut stack = vec![root];
        while let Some(&id) = stack.last() {
            if self.known.borrow().contains_key(&id) {
                stack.pop();
                continue;
            }
            let term = self.facts.terms.get(id);
            let missing: Vec<TermId> = term
                .args
                .iter()
                .copied()
                .filter(|arg| !self.known.borrow().contains_key(arg))
                .collect();
            if missing.is_empty() {
                let known = self.compute(id, term);
                self.known.borrow_mut().insert(id, known);
                stack.pop();
            } else {
                stack.extend(missing);
            }
        }
        self.known.borrow()[&root]
    }

    fn compute(&self, id: TermId, term: &Term) -> Known {
        let args: Vec<Known> = term
            .args
            .iter()
            .map(|arg| self.known.borrow()[arg])
            .collect();
        let whole = Interval::of_type(term.ty);
        let all = |of: &[Known]| of.iter().all(|arg| arg.geometric);
        let none_below_zero = |of: &[Known]| of.iter().all(|arg| arg.interval.low >= 0);
        let less_its_remainder = self.less_its_remainder(term);
        let difference = match args.as_slice() {
            [left, right] if term.op == Op::Sub => self
                .mirrored(term)
                .or_else(|| mathematical(term, &[left.interval, right.interval])),
            _ => None,
        };
        let geometric = match term.op {
            // A part of the number.
            Op::Sub if less_its_remainder.is_some() => {
                all(&args[..1]) && none_below_zero(&args[..1])
            }
            // No more than what it is taken from: `blockDim.x - 1 - threadIdx.x`.
            Op::Sub => all(&args) && difference.is_some_and(|difference| difference.low >= 0),
            Op::Add | Op::Mul | Op::Shl | Op::Fit | Op::Cast => all(&args),
            Op::Min => all(&args) && none_below_zero(&args),
            // No further from 0 than what is divided, by whatever: `threadIdx.x / 32`, `id / width`, `threadIdx.x & 31`.
            Op::Div | Op::Rem | Op::Shr | Op::BitAnd => {
                all(&args[..1]) && none_below_zero(&args[..1])
            }
            _ => false,
        };
        let grid = args.iter().any(|arg| arg.grid);
        let open = args.iter().any(|arg| arg.open);
        let ids = args.iter().any(|arg| arg.ids);
        // `i * i` is larger than what the elements of an array are counted by.
        let of_ids = term.op == Op::Mul && args.iter().all(|arg| arg.ids);
        let scale = self.scale(term, &args);
        let offset = match (term.op, args.as_slice()) {
            (Op::Mul | Op::Shl, [a, b]) => {
                a.interval.single().is_none() && b.interval.single().is_none()
                    || [a, b].iter().any(|arg| arg.offset)
            }
            _ => args.iter().any(|arg| arg.offset),
        };
        let sized = matches!(
            term.op,
            Op::Add
                | Op::Mul
                | Op::Shl
                | Op::Fit
                | Op::Cast
                | Op::Div
                | Op::Rem
                | Op::Shr
                | Op::Min
                | Op::Max
        ) && args.iter().all(|arg| arg.sized && arg.interval.low >= 0)
            || term.op == Op::Ite
                && args[1..]
                    .iter()
                    .all(|arg| arg.sized && arg.interval.low >= 0)
            || match (term.op, args.as_slice()) {
                (Op::Sub, [a, _]) => less_its_remainder.is_some() && a.sized && a.interval.low >= 0,
                (Op::BitAnd, [a, b]) => {
                    [a, b].iter().any(|arg| arg.sized) && none_below_zero(&args)
                }
                _ => false,
            }
            || self.is_shifted_size(term, &args)
            || self.is_share(id, term)
            || self.is_product_of_sizes(term, &args);
        let mut known = Known {
            interval: whole,
            exact: true,
            geometric,
            grid,
            ids,
            open,
            sized,
            offset,
            scale,
            wraps: false,
            reached: whole.low,
            assumed: NoWrap::default(),
        };
        let reached = reached(term, &args);
        // What wraps in every launch is not assumed not to.
        let passes_on = matches!(
            term.op,
            Op::Add | Op::Sub | Op::Mul | Op::Shl | Op::Cast | Op::Fit
        );
        let wraps = reached.is_some_and(|reached| reached > whole.high)
            || passes_on && args.iter().any(|arg| arg.wraps);
        let (bounded, leaf_geometric, leaf_grid) = self.leaf(term);
        if let Some(interval) = bounded {
            known = Known {
                interval,
                exact: true,
                geometric: leaf_geometric,
                grid: leaf_grid,
                ids: Axis::ALL
                    .into_iter()
                    .any(|axis| [axis.tid(), axis.bid()].contains(&term.op)),
                open: leaf_geometric && self.is_open(term),
                sized: leaf_geometric,
                offset: false,
                scale: self.leaf_scale(term),
                wraps: false,
                reached: self.reached_by_leaf(term, interval),
                assumed: NoWrap::default(),
            };
        } else if term.ty.is_integer()
            && term
                .args
                .iter()
                .all(|&arg| self.facts.terms.ty(arg).is_integer())
        {
            let bounds: Vec<Interval> = args.iter().map(|arg| arg.interval).collect();
            let bounds = less_its_remainder
                .or_else(|| self.ordered_difference(term))
                .or_else(|| self.mirrored(term))
                .or_else(|| self.with_inserted_bit(term))
                .or_else(|| mathematical(term, &bounds));
            match bounds {
                Some(interval) if whole.covers(interval) => known.interval = interval,
                Some(interval)
                    if term.op == Op::Fit
                        || (term.ty.is_signed() && !matches!(term.op, Op::Cast | Op::Shl)) =>
                {
                    known.interval = interval.meet(whole);
                }
                // `int i = blockIdx.x * blockDim.x + threadIdx.x`: a global id is an int, too.
                Some(interval)
                    if geometric
                        && grid
                        && open
                        && !of_ids
                        && !wraps
                        && scale.most() <= MOST_OF_AN_ID
                        && scale.leaves_room(term.ty)
                        && (term.op != Op::Cast || term.ty == CType::I32) =>
                {
                    known.interval = interval.meet(whole);
                    known.assumed.global_ids = true;
                }
                Some(interval)
                    if sized
                        && !wraps
                        && scale.most() <= MOST_OF_A_SIZE
                        && scale.leaves_room(term.ty)
                        && match term.op {
                            Op::Add | Op::Mul | Op::Shl => term.ty == CType::U64,
                            // An index is a number of 64 bits with a sign.
                            Op::Cast => term.ty == CType::I64,
                            _ => false,
                        } =>
                {
                    known.interval = interval.meet(whole);
                    known.assumed.sizes = true;
                }
                Some(interval)
                    if sized
                        && offset
                        && !wraps
                        && scale.most() <= MOST_OF_AN_ID
                        && scale.leaves_room(term.ty)
                        && match term.op {
                            Op::Add | Op::Mul | Op::Shl => term.ty == CType::U32,
                            // `int start = blockIdx.x * n`
                            Op::Cast => term.ty == CType::I32,
                            _ => false,
                        } =>
                {
                    known.interval = interval.meet(whole);
                    known.assumed.offsets = true;
                }
                Some(_) => known.exact = false,
                None => {}
            }
        }
        if bounded.is_none() {
            let exact = reached.filter(|_| known.exact);
            known.reached = exact.unwrap_or(known.interval.low);
            known.wraps = wraps;
        }
        if let Some(&grid) = self.dimension_terms.get(&id) {
            known.geometric = true;
            known.grid = grid;
            known.open = known.interval.single().is_none();
            known.sized = true;
            known.scale = Scale {
                threads: !grid,
                ..Scale::ONE
            };
        }
        if let Some(&narrower) = self.narrowed.get(&id) {
            known.interval = known.interval.meet(narrower);
            // What has no sign did not reach it.
            known.exact |= term.op == Op::Shl
                && term.ty.is_signed()
                && known.interval.low >= 0
                && args[0].interval.low >= 0;
        }
        if term.op == Op::Symbol && !self.dimension_terms.contains_key(&id) {
            known.sized = known.interval.low >= 0;
            known.scale = Scale::of_size(known.interval);
        }
        if self.given.contains(&id) && self.is_size_by_type(term) {
            known.sized = true;
            known.scale = Scale::of_size(known.interval);
        }
        if let Some(&through) = self.narrowed_through.get(&id) {
            known.assumed |= through;
        }
        // Bounds that exclude each other are those of code that nothing reaches: any are true there.
        if known.interval.low > known.interval.high {
            known.interval = Interval {
                low: whole.low.min(known.interval.high),
                high: whole.high.max(known.interval.low),
            };
        }
        known.scale = known.scale.within(known.interval);
        known.reached = known.reached.clamp(known.interval.low, known.interval.high);
        known
    }

    /// What some thread of every launch has at least: the last one the largest id, where the size is known.
    fn reached_by_leaf(&self, term: &Term, interval: Interval) -> i128 {
        match term.op {
            // The bound of a loop's rounds need not be reached.
            Op::Iter | Op::Exit => interval.low,
            _ if self.is_open(term) => interval.low,
            _ => interval.high,
        }
    }

    /// A number of host code that a parameter takes as an unsigned one: `(unsigned)width`.
    fn is_size_by_type(&self, term: &Term) -> bool {
        let (Op::Cast, &[arg]) = (term.op, term.args.as_slice()) else {
            return false;
        };
        let given = self.facts.terms.get(arg);
        matches!(term.ty, CType::U32 | CType::U64)
            && given.op == Op::Symbol
            && given.ty.is_integer()
    }

    /// Whether the bounds of a geometric leaf are not all there is to know of it: a size of the launch is open, or the number of
    /// rounds of a loop.
    fn is_open(&self, term: &Term) -> bool {
        let of_size = |dimension: Dimension| self.dimension(dimension).single().is_none();
        for (axis, (block, grid)) in Axis::ALL.into_iter().zip([
            (Dimension::BlockX, Dimension::GridX),
            (Dimension::BlockY, Dimension::GridY),
            (Dimension::BlockZ, Dimension::GridZ),
        ]) {
            if term.op == axis.tid() || term.op == axis.bdim() {
                return of_size(block);
            } else if term.op == axis.bid() || term.op == axis.gdim() {
                return of_size(grid);
            }
        }
        let counted = |id: LoopId| self.max_iterations.contains_key(&id);
        term.op != Op::Const && !term.loop_id().is_some_and(counted)
    }

    /// Bounds of a leaf, whether it is geometric, whether it mentions the grid.
    fn leaf(&self, term: &Term) -> (Option<Interval>, bool, bool) {
        for (axis, (block, grid)) in Axis::ALL.into_iter().zip([
            (Dimension::BlockX, Dimension::GridX),
            (Dimension::BlockY, Dimension::GridY),
            (Dimension::BlockZ, Dimension::GridZ),
        ]) {
            let (block, grid) = (self.dimension(block), self.dimension(grid));
            if term.op == axis.tid() {
                return (Some(Interval::new(0, (block.high - 1).max(0))), true, false);
            } else if term.op == axis.bid() {
                return (Some(Interval::new(0, (grid.high - 1).max(0))), true, true);
            } else if term.op == axis.bdim() {
                return (Some(block), true, false);
            } else if term.op == axis.gdim() {
                return (Some(grid), true, true);
            }
        }
        let bound = |loop_id: Option<LoopId>| {
            loop_id
                .and_then(|id| self.max_iterations.get(&id))
                .map_or(i128::from(i64::MAX), |&max| i128::from(max))
        };
        match term.op {
            Op::Const if term.ty.is_integer() => (
                Some(Interval::new(term.payload, term.payload)),
                (0..=i128::from(i32::MAX)).contains(&term.payload),
                false,
            ),
            Op::Iter => (
                Some(Interval::new(0, (bound(term.loop_id()) - 1).max(0))),
                true,
                false,
            ),
            Op::Exit => (Some(Interval::new(0, bound(term.loop_id()))), true, false),
            _ => (None, false, false),
        }
    }
}

/// What is reached where the operands are what they reach: of those that grow with their operands. The last thread of the last
/// block has the largest of all ids at once.
fn reached(term: &Term, args: &[Known]) -> Option<i128> {
    if args.iter().any(|arg| arg.interval.low < 0) {
        return None;
    }
    match (term.op, args) {
        (Op::Add, [a, b]) => a.reached.checked_add(b.reached),
        (Op::Mul, [a, b]) => a.reached.checked_mul(b.reached),
        (Op::Shl, [a, b]) if b.reached < 64 => a.reached.checked_mul(1 << b.reached),
        (Op::Sub, [a, b]) => Some(a.reached - b.interval.high),
        (Op::Div, [a, b]) if b.interval.low > 0 => Some(a.reached / b.interval.high),
        (Op::Rem, [a, b]) => Some(a.reached.min(b.interval.single()? - 1)),
        (Op::Shr, [a, b]) if b.interval.high < 64 => Some(a.reached >> b.interval.high),
        (Op::BitAnd, [a, b]) => Some(a.reached.min(b.reached)),
        (Op::Min, [a, b]) => Some(a.reached.min(b.reached)),
        (Op::Max, [a, b]) => Some(a.reached.max(b.reached)),
        // Too high an estimate costs an assumption.
        (Op::Ite, [_, a, b]) => Some(a.reached.max(b.reached)),
        (Op::Cast | Op::Fit, [a]) => Some(a.reached),
        _ => None,
    }
}

/// Bounds of the mathematical result of an operator, `None` when only its type bounds it.
fn mathematical(term: &Term, args: &[Interval]) -> Option<Interval> {
    let a = args.first().copied();
    let b = args.get(1).copied();
    let products = |a: Interval, b: Interval| {
        Some(Interval::hull(&[
            a.low.checked_mul(b.low)?,
            a.low.checked_mul(b.high)?,
            a.high.checked_mul(b.low)?,
            a.high.checked_mul(b.high)?,
        ]))
    };
    match (term.op, a, b) {
        (Op::Add, Some(a), Some(b)) => Some(Interval::new(a.low + b.low, a.high + b.high)),
        (Op::Sub, Some(a), Some(b)) => Some(Interval::new(a.low - b.high, a.high - b.low)),
        (Op::Mul, Some(a), Some(b)) => {
            products(a, b).or(Some(Interval::new(i128::MIN / 4, i128::MAX / 4)))
        }
        (Op::Neg, Some(a), _) => Some(Interval::new(-a.high, -a.low)),
        // What is divided by 0 is undefined.
        (Op::Div, Some(a), Some(b)) if b.low >= 0 => {
            let (least, most) = (b.low.max(1), b.high.max(1));
            Some(Interval::hull(&[
                a.low / least,
                a.low / most,
                a.high / least,
                a.high / most,
            ]))
        }
        (Op::Div, Some(a), Some(_)) => {
            let most = a.low.saturating_abs().max(a.high.saturating_abs());
            Some(Interval::new(-most, most))
        }
        (Op::Rem, Some(a), Some(b)) => {
            let most = if b.low >= 0 {
                (b.high - 1).max(0)
            } else {
                i128::MAX
            };
            Some(Interval::new(
                if a.low < 0 { (-most).max(a.low) } else { 0 },
                if a.high > 0 { most.min(a.high) } else { 0 },
            ))
        }
        (Op::BitAnd, Some(a), Some(b)) => match (a.low >= 0, b.low >= 0) {
            (true, true) => Some(Interval::new(0, a.high.min(b.high))),
            (true, false) => Some(Interval::new(0, a.high)),
            (false, true) => Some(Interval::new(0, b.high)),
            (false, false) => None,
        },
        (Op::BitOr | Op::BitXor, Some(a), Some(b)) if a.low >= 0 && b.low >= 0 => {
            let bits = 128 - (a.high | b.high).leading_zeros();
            Some(Interval::new(0, (1i128 << bits) - 1))
        }
        (Op::Shl, Some(a), Some(b)) => {
            let counts = shift_counts(term.ty, b);
            let powers = Interval::new(1 << counts.low, 1 << counts.high);
            products(a, powers).or(Some(Interval::new(i128::MIN / 4, i128::MAX / 4)))
        }
        (Op::Shr, Some(a), Some(b)) => {
            let counts = shift_counts(term.ty, b);
            Some(Interval::hull(&[
                a.low >> counts.low,
                a.low >> counts.high,
                a.high >> counts.low,
                a.high >> counts.high,
            ]))
        }
        (Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::And | Op::Or | Op::Not, ..) => {
            Some(Interval::new(0, 1))
        }
        (Op::Ite, _, Some(then)) => args.get(2).map(|otherwise| then.join(*otherwise)),
        (Op::Cast | Op::Fit, Some(a), _) => Some(a),
        (Op::Min, Some(a), Some(b)) => Some(Interval::new(a.low.min(b.low), a.high.min(b.high))),
        (Op::Max, Some(a), Some(b)) => Some(Interval::new(a.low.max(b.low), a.high.max(b.high))),
        (Op::MulPow, Some(a), _) => {
            // The value itself may wrap; that it does not is not known here.
            Some(if a.low >= 0 {
                Interval::new(0, i128::MAX / 4)
            } else {
                Interval::new(i128::MIN / 4, i128::MAX / 4)
            })
        }
        (Op::DivPow, Some(a), _) => Some(Interval::new(a.low.min(0), a.high.max(0))),
        (Op::Popc | Op::Clz | Op::Ffs, ..) => Some(Interval::new(0, 64)),
        _ => None,
    }
}

/// By how much may be shifted: negative counts, and as many as the type has bits, are undefined.
fn shift_counts(ty: CType, counts: Interval) -> Interval {
    let most = i128::from(ty.bits().unwrap_or(64)) - 1;
    Interval::new(counts.low.clamp(0, most), counts.high.clamp(0, most))
}
