//! Values of a run: hash-consed normal forms, so that equal values have equal numbers.
//!
//! **Integers** are polynomials with integer coefficients over atoms. Signed arithmetic that overflows is no execution, so its
//! results are the mathematical ones. Unsigned arithmetic is that where the result is shown to be in range, else a residue
//! ([`Node::Mod`]) that keeps its polynomial modulo 2ⁿ. **Conditions** on integers are `p >= 0` and `p = 0`, sets of them
//! conjunctions and disjunctions. **Floats** are constants, which are computed as IEEE 754 says, and uninterpreted operators
//! of which only commutativity of sum and product is known; with [`Pool::reassociates`] sums and products are those of a ring.
//!
//! **Accuracy.** Two equal numbers are equal values in every execution that is defined and in which the numbers of the launch
//! (`blockIdx.x * blockDim.x + threadIdx.x` and other sums of them and of iterations, with positive factors) do not wrap: that is
//! an assumption, and [`Pool::assumed`] says whether it was needed. Different numbers say nothing.

mod conditions;
mod substitution;
mod text;

use rustc_hash::FxHashMap;
use warplog_facts::CType;
use warplog_facts::arith::gcd;

use crate::float;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(u32);

/// A number that nothing is known of but its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Leaf {
    /// `threadIdx` along an axis; from 3 on that of the right side, where its threads are others.
    Tid(u8),
    /// `blockIdx`.
    Bid(u8),
    /// `blockDim`.
    Bdim(u8),
    /// `gridDim`.
    Gdim(u8),
    /// A scalar that both kernels are given.
    Symbol(u32, CType),
    /// The iteration of a loop whose number of iterations is open.
    Iter(u32),
    /// What a variable is at the head of that iteration.
    Carry(u32, CType),
    /// The iteration of a fold, by the height of the fold.
    Bound(u32),
    /// The variable of a fold, likewise, and which.
    BoundCarry(u32, u32),
}

/// The normal form of a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Node {
    /// An integer or a truth value.
    Int(i128),
    /// Bits of a float.
    Float(CType, i128),
    /// An atom.
    Leaf(Leaf),
    /// What an array holds at a byte before the first launch.
    Input(u32, CType, Id),
    /// What an array holds at a byte behind the launches before that of this number.
    Output(u32, u32, CType, Id),
    /// A sum of products of atoms.
    Poly(Vec<(Vec<Id>, i128)>),
    /// A value modulo 2ⁿ, not negative.
    Mod(u32, Id),
    /// A value modulo 2ⁿ, of a signed type.
    SignedMod(u32, Id),
    /// Truncating quotient.
    Div(Id, Id),
    /// An operator of which nothing is known.
    Call(u32, CType, Vec<Id>),
    /// `p >= 0`
    NotNegative(Id),
    /// `p = 0`
    Zero(Id),
    /// Negation of what is neither of these.
    Not(Id),
    /// Conjunction.
    And(Vec<Id>),
    /// Disjunction.
    Or(Vec<Id>),
    /// A choice.
    Ite(Id, Id, Id),
    /// What variables are behind a loop: while the condition holds of iteration and variables, all are set to the next values.
    Fold(Box<Fold>, u32),
    /// How many iterations that loop has.
    Trips(Box<Fold>),
}

/// A loop as a value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fold {
    /// The number of its bound leaves.
    pub height: u32,
    /// Goes on.
    pub condition: Id,
    /// Before the first iteration.
    pub start: Vec<Id>,
    /// After each.
    pub next: Vec<Id>,
}

/// What an arithmetic operator on constants does that C leaves open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Undefined(pub &'static str);

/// From, to.
pub type Interval = (i128, i128);

const FAR: i128 = 1 << 100;
/// Most blocks along an axis.
const LAUNCH_BOUND: i128 = (1 << 31) - 1;
/// Most threads of a block.
const MAX_THREADS: i128 = 1 << 10;
/// Most elements, one behind the other, that a thread is taken to have.
const MAX_ELEMENTS: i128 = 16;
/// Most monomials of a polynomial.
const MAX_MONOMIALS: usize = 400;

/// A condition that is known, and what follows for atoms.
#[derive(Clone, Debug, Default)]
pub struct Context {
    known: Vec<(Id, bool)>,
    bounds: FxHashMap<Id, Interval>,
}

/// All values of a comparison.
#[derive(Debug, Default)]
pub struct Pool {
    nodes: Vec<Node>,
    index: FxHashMap<Node, Id>,
    intervals: Vec<Option<Interval>>,
    /// The heights of the loops whose variables stand in a value outside of these loops, in order, by value.
    free: Vec<Box<[u32]>>,
    names: Vec<String>,
    by_name: FxHashMap<String, u32>,
    contexts: Vec<Context>,
    /// Intervals of the parts of the value that is being asked for: values are graphs, which are walked once.
    walked: FxHashMap<Id, Interval>,
    /// How deep the walk is.
    walking: u32,
    /// Block sizes that are known: those of the left side, and those of the right side, where its launch has another shape.
    pub block: [Option<i128>; 6],
    /// Of arrays that are seen as elements of several types, the one whose elements are taken as inputs of runs with numbers.
    pub views: FxHashMap<u32, CType>,
    /// How many steps simplifying conditions took, and how many negations are under way.
    steps: u32,
    nested: u32,
    /// Sums and products of floats are those of the reals.
    pub reassociates: bool,
    /// Whether a value fits a type is also asked of sums of what is known.
    pub bounds_by_sums: bool,
    /// What sizes of grids are made of that arguments give, where it is not negative: `n` of `<<<n, 256>>>`.
    pub grids: rustc_hash::FxHashSet<Id>,
    /// Numbers of the launch were taken to fit.
    pub assumed: bool,
    /// Arguments that are made unsigned are not negative, and offsets in unsigned arithmetic do not wrap.
    pub is_sane: bool,
    /// The arguments of which that was used.
    pub not_negative: std::collections::BTreeSet<u32>,
    /// It was used of offsets.
    pub assumed_offsets: bool,
    /// Addresses were taken not to leave shared arrays.
    pub assumed_within: bool,
    /// Signed arithmetic was taken not to overflow.
    pub assumed_signed: bool,
}

impl Pool {
    /// No values yet; block sizes as far as they are known.
    #[must_use]
    pub fn new(reassociates: bool, block: [Option<i128>; 6]) -> Self {
        Pool {
            reassociates,
            block,
            ..Pool::default()
        }
    }

    /// The value with this normal form, which must be one.
    fn intern(&mut self, node: Node) -> Id {
        if let Some(&id) = self.index.get(&node) {
            return id;
        }
        let id = Id(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        self.index.insert(node.clone(), id);
        let free = self.free_in(&node);
        self.nodes.push(node);
        self.intervals.push(None);
        self.free.push(free);
        id
    }

    fn free_in(&self, node: &Node) -> Box<[u32]> {
        match node {
            Node::Int(_) | Node::Float(..) => Box::default(),
            Node::Leaf(Leaf::Bound(height) | Leaf::BoundCarry(height, _)) => Box::new([*height]),
            Node::Leaf(_) => Box::default(),
            Node::Input(_, _, one)
            | Node::Output(_, _, _, one)
            | Node::Mod(_, one)
            | Node::SignedMod(_, one)
            | Node::NotNegative(one)
            | Node::Zero(one)
            | Node::Not(one) => self.free[one.0 as usize].clone(),
            Node::Div(a, b) => self.bound_heights(&[*a, *b]).into(),
            Node::Ite(a, b, c) => self.bound_heights(&[*a, *b, *c]).into(),
            Node::Poly(sum) => {
                let atoms: Vec<Id> = sum.iter().flat_map(|(m, _)| m).copied().collect();
                self.bound_heights(&atoms).into()
            }
            Node::Call(_, _, args) | Node::And(args) | Node::Or(args) => {
                self.bound_heights(args).into()
            }
            Node::Fold(fold, _) | Node::Trips(fold) => {
                let mut inside = fold.next.clone();
                inside.push(fold.condition);
                let mut heights = self.bound_heights(&inside);
                heights.retain(|height| *height != fold.height);
                heights.extend(self.bound_heights(&fold.start));
                heights.sort_unstable();
                heights.dedup();
                heights.into()
            }
        }
    }

    /// The normal form of a value.
    #[must_use]
    pub fn node(&self, id: Id) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// An integer.
    pub fn int(&mut self, value: i128) -> Id {
        self.intern(Node::Int(value))
    }

    /// A truth value.
    pub fn truth(&mut self, value: bool) -> Id {
        self.int(i128::from(value))
    }

    /// A float by its bits.
    pub fn float(&mut self, ty: CType, bits: i128) -> Id {
        self.intern(Node::Float(ty, bits))
    }

    /// An atom.
    pub fn leaf(&mut self, leaf: Leaf) -> Id {
        self.intern(Node::Leaf(leaf))
    }

    /// What an array holds before the first launch.
    pub fn input(&mut self, array: u32, ty: CType, at: Id) -> Id {
        self.intern(Node::Input(array, ty, at))
    }

    /// What an array holds behind the launches before one.
    pub fn output(&mut self, array: u32, step: u32, ty: CType, at: Id) -> Id {
        self.intern(Node::Output(array, step, ty, at))
    }

    /// The integer, if it is one.
    #[must_use]
    pub fn as_int(&self, id: Id) -> Option<i128> {
        match self.node(id) {
            Node::Int(value) => Some(*value),
            _ => None,
        }
    }

    /// Whether it is known, integer or float.
    #[must_use]
    pub fn is_constant(&self, id: Id) -> bool {
        matches!(self.node(id), Node::Int(_) | Node::Float(..))
    }

    /// The number of a name of an operator.
    pub fn name(&mut self, name: &str) -> u32 {
        if let Some(&known) = self.by_name.get(name) {
            return known;
        }
        let number = u32::try_from(self.names.len()).unwrap_or(u32::MAX);
        self.names.push(name.to_owned());
        self.by_name.insert(name.to_owned(), number);
        number
    }

    /// The name of an operator.
    #[must_use]
    pub fn name_of(&self, number: u32) -> &str {
        &self.names[number as usize]
    }

    /// A value as a sum of products of atoms, each with its factor.
    #[must_use]
    pub fn monomials(&self, id: Id) -> Vec<(Vec<Id>, i128)> {
        match self.node(id) {
            Node::Int(0) => Vec::new(),
            Node::Int(value) => vec![(Vec::new(), *value)],
            Node::Poly(sum) => sum.clone(),
            _ => vec![(vec![id], 1)],
        }
    }

    /// The sum of products of atoms.
    pub fn poly(&mut self, mut sum: Vec<(Vec<Id>, i128)>) -> Id {
        sum.sort_unstable();
        let mut kept: Vec<(Vec<Id>, i128)> = Vec::with_capacity(sum.len());
        for (monomial, factor) in sum {
            match kept.last_mut() {
                Some((last, sum)) if *last == monomial => *sum = sum.saturating_add(factor),
                _ => kept.push((monomial, factor)),
            }
        }
        kept.retain(|(_, factor)| *factor != 0);
        match kept.as_slice() {
            [] => self.int(0),
            [(monomial, factor)] if monomial.is_empty() => self.int(*factor),
            [(monomial, 1)] if monomial.len() == 1 => monomial[0],
            _ => self.intern(Node::Poly(kept)),
        }
    }

    /// `a + factor * b`, of mathematical integers.
    pub fn plus(&mut self, a: Id, b: Id, factor: i128) -> Id {
        if let (Some(a), Some(b)) = (self.as_int(a), self.as_int(b)) {
            return self.int(a.saturating_add(b.saturating_mul(factor)));
        }
        let mut sum = self.monomials(a);
        let other = self.monomials(b);
        sum.extend(
            other
                .into_iter()
                .map(|(m, f)| (m, f.saturating_mul(factor))),
        );
        self.poly(sum)
    }

    /// The product of mathematical integers.
    pub fn times(&mut self, a: Id, b: Id) -> Id {
        if let (Some(a), Some(b)) = (self.as_int(a), self.as_int(b)) {
            return self.int(a.saturating_mul(b));
        }
        let (left, right) = (self.monomials(a), self.monomials(b));
        if left.len() * right.len() > MAX_MONOMIALS {
            let name = self.name("product");
            let mut args = vec![a, b];
            args.sort_unstable();
            return self.intern(Node::Call(name, CType::I64, args));
        }
        let mut sum = Vec::with_capacity(left.len() * right.len());
        for (one, f) in &left {
            for (other, g) in &right {
                let mut monomial: Vec<Id> = one.iter().chain(other).copied().collect();
                monomial.sort_unstable();
                sum.push((monomial, f.saturating_mul(*g)));
            }
        }
        self.poly(sum)
    }

    fn leaf_interval(&self, leaf: Leaf) -> Interval {
        let size = |axis: u8| self.block[usize::from(axis) % 6];
        match leaf {
            Leaf::Tid(axis) => (0, size(axis).unwrap_or(1024) - 1),
            Leaf::Bdim(axis) => size(axis).map_or((1, 1024), |size| (size, size)),
            Leaf::Bid(_) => (0, LAUNCH_BOUND - 1),
            Leaf::Gdim(_) => (1, LAUNCH_BOUND),
            Leaf::Iter(_) | Leaf::Bound(_) => (0, 1 << 62),
            Leaf::Symbol(number, ty) if self.not_negative.contains(&number) => (0, range_of(ty).1),
            Leaf::Symbol(_, ty) | Leaf::Carry(_, ty) => range_of(ty),
            Leaf::BoundCarry(..) => (-FAR, FAR),
        }
    }

    /// Bounds of an integer, those that the contexts imply included.
    pub fn interval(&mut self, id: Id) -> Interval {
        let known = match self.contexts.is_empty() {
            true => self.intervals[id.0 as usize],
            false => self.walked.get(&id).copied(),
        };
        if let Some(known) = known {
            return known;
        }
        self.walking += 1;
        let found = self.interval_of_parts(id);
        self.walking -= 1;
        match (self.contexts.is_empty(), self.walking) {
            (true, _) => self.intervals[id.0 as usize] = Some(found),
            // What is known may be more the next time.
            (false, 0) => self.walked.clear(),
            (false, _) => {
                self.walked.insert(id, found);
            }
        }
        found
    }

    fn interval_of_parts(&mut self, id: Id) -> Interval {
        let of_context = self
            .contexts
            .iter()
            .rev()
            .find_map(|c| c.bounds.get(&id).copied());
        let found = match self.node(id).clone() {
            Node::Int(value) => (value, value),
            Node::Leaf(leaf) => self.leaf_interval(leaf),
            Node::Input(_, ty, _) | Node::Output(_, _, ty, _) => range_of(ty),
            Node::Call(name, ty, args) => match (self.names[name as usize].as_str(), &*args) {
                // `start * baseᵏ` and `start / baseᵏ`.
                (name, &[start, _]) if ty == CType::I64 && name.starts_with("mul_pow ") => {
                    match self.interval(start) {
                        (low, _) if low >= 0 => (low, FAR),
                        _ => (-FAR, FAR),
                    }
                }
                (name, &[start, _]) if ty == CType::I64 && name.starts_with("div_pow ") => {
                    match self.interval(start) {
                        (low, high) if low >= 0 => (0, high),
                        _ => range_of(ty),
                    }
                }
                // Of a mask that is not negative nothing more is left.
                (name, &[a, b]) if name.starts_with("bit_and ") => {
                    let ranges = [self.interval(a), self.interval(b)];
                    let masks = ranges.into_iter().filter(|(low, _)| *low >= 0);
                    masks
                        .map(|(_, high)| (0, high))
                        .min()
                        .unwrap_or(range_of(ty))
                }
                _ => range_of(ty),
            },
            Node::Mod(bits, _) => (0, (1 << bits) - 1),
            Node::SignedMod(bits, _) => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            Node::Poly(sum) => self.sum_interval(&sum),
            Node::Ite(_, a, b) => {
                let (a, b) = (self.interval(a), self.interval(b));
                (a.0.min(b.0), a.1.max(b.1))
            }
            Node::Div(a, b) => match (self.interval(a), self.interval(b)) {
                ((low, high), (least, _)) if low >= 0 && least > 0 => (0, high / least),
                ((low, high), _) => {
                    let most = low.abs().max(high.abs());
                    (-most, most)
                }
            },
            Node::NotNegative(_) | Node::Zero(_) | Node::Not(_) | Node::And(_) | Node::Or(_) => {
                (0, 1)
            }
            Node::Trips(_) => (0, 1 << 62),
            Node::Float(..) | Node::Fold(..) => (-FAR, FAR),
        };
        match of_context {
            Some((low, high)) => (found.0.max(low), found.1.min(high)),
            None => found,
        }
    }

    fn sum_interval(&mut self, sum: &[(Vec<Id>, i128)]) -> Interval {
        let (mut low, mut high) = (0i128, 0i128);
        for (monomial, factor) in sum {
            let mut range = (1i128, 1i128);
            for &atom in monomial {
                let (a, b) = self.interval(atom);
                let ends = [(range.0, a), (range.0, b), (range.1, a), (range.1, b)];
                let ends = ends.map(|(x, y)| x.saturating_mul(y).clamp(-FAR, FAR));
                range = (
                    ends.into_iter().min().unwrap_or(-FAR),
                    ends.into_iter().max().unwrap_or(FAR),
                );
            }
            let ends = [range.0, range.1].map(|end| end.saturating_mul(*factor).clamp(-FAR, FAR));
            let (from, to) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
            low = low.saturating_add(from);
            high = high.saturating_add(to);
        }
        (low.clamp(-FAR, FAR), high.clamp(-FAR, FAR))
    }

    /// Whether a value is a sum of numbers of the launch and of iterations, none of them negative, each with a factor that the index
    /// of an element may have: the number of threads before it, and of elements of a thread.
    fn is_of_launch(&self, id: Id) -> bool {
        let sides = [&self.block[..3], &self.block[3..]];
        let products = sides.map(|side| side.iter().copied().product::<Option<i128>>());
        let threads = products.into_iter().flatten().max();
        let of_block = threads.unwrap_or(MAX_THREADS) * MAX_ELEMENTS;
        let sum = self.monomials(id);
        sum.iter().all(|(monomial, factor)| {
            let (mut numbers, mut most) = (0, of_block);
            for &atom in monomial {
                match self.node(atom) {
                    Node::Leaf(Leaf::Bdim(_)) => most = MAX_ELEMENTS,
                    Node::Leaf(Leaf::Gdim(_)) => {}
                    _ if self.grids.contains(&atom) => {}
                    Node::Leaf(Leaf::Tid(_) | Leaf::Bid(_) | Leaf::Iter(_) | Leaf::Bound(_)) => {
                        numbers += 1;
                    }
                    _ => return false,
                }
            }
            if monomial.is_empty() {
                most = 1 << 30;
            }
            // A product of two numbers of the launch is no index, nor is what is multiplied by more: a hash wraps, and is meant to.
            numbers <= 1 && (1..=most).contains(factor)
        })
    }

    /// A mathematical integer as a value of the type: what arithmetic of that type gives.
    ///
    /// # Errors
    /// A signed constant does not fit.
    pub fn in_type(&mut self, id: Id, ty: CType) -> Result<Id, Undefined> {
        if ty.is_signed() || !ty.is_integer() {
            return match self.as_int(id) {
                Some(value) if ty.is_integer() && !ty.holds(value) => {
                    Err(Undefined("signed overflow"))
                }
                _ => {
                    if ty.is_integer() && !self.assumed_signed {
                        let ((low, high), (least, most)) = (self.interval(id), range_of(ty));
                        self.assumed_signed = low < least || most < high;
                    }
                    Ok(id)
                }
            };
        }
        Ok(self.converted(id, ty))
    }

    /// An offset as it is if unsigned arithmetic of sizes and numbers of the launch does not wrap.
    pub fn offset(&mut self, id: Id) -> Id {
        if !self.is_sane {
            return id;
        }
        let mut all = self.int(0);
        for (monomial, factor) in self.monomials(id) {
            let mut product = self.int(1);
            for atom in monomial {
                let inner = match self.node(atom) {
                    Node::Mod(32 | 64, inner) | Node::SignedMod(32 | 64, inner) => Some(*inner),
                    _ => None,
                };
                let is_bounded = |me: &mut Self, inner: Id| {
                    me.interval(inner).0 >= 0
                        || me.bounds_by_sums && me.is_shown_not_negative(inner)
                };
                let inner = match inner.filter(|&inner| is_bounded(self, inner)) {
                    Some(inner) => {
                        self.assumed_offsets = true;
                        inner
                    }
                    None => atom,
                };
                product = self.times(product, inner);
            }
            all = self.plus(all, product, factor);
        }
        all
    }

    /// C's conversion of a value of an integer type to another one.
    pub fn cast(&mut self, id: Id, from: CType, to: CType) -> Id {
        if self.is_sane
            && let Node::Leaf(Leaf::Symbol(number, ty)) = *self.node(id)
            && ty.is_signed()
            && to.is_integer()
            && !to.is_signed()
            && to.bits() >= ty.bits()
            && !self.not_negative.contains(&number)
        {
            self.not_negative.insert(number);
            self.intervals[id.0 as usize] = None;
        }
        // Every value of `from` is one of `to`.
        let (low, high) = range_of(from);
        let (least, most) = range_of(to);
        let (seen_low, seen_high) = self.interval(id);
        let fits = seen_low.max(low) >= least && seen_high.min(high) <= most;
        if fits && self.as_int(id).is_none() {
            return id;
        }
        self.converted(id, to)
    }

    /// C's conversion of an integer to an integer type.
    pub fn converted(&mut self, id: Id, ty: CType) -> Id {
        if let Some(value) = self.as_int(id) {
            return self.int(ty.wrap(value));
        }
        let (low, high) = self.interval(id);
        let (least, most) = range_of(ty);
        if low >= least && high <= most {
            return id;
        }
        if ty.bits() >= Some(32) && self.is_of_launch(id) {
            self.assumed = true;
            return id;
        }
        if ty == CType::Bool {
            let zero = self.zero(id);
            return self.not(zero);
        }
        let Some(bits) = ty.bits() else { return id };
        // A choice between values that fit stays one.
        if let Node::Ite(c, a, b) = *self.node(id) {
            let (a, b) = (self.converted(a, ty), self.converted(b, ty));
            return self.ite(c, a, b);
        }
        let modulus = 1i128 << bits;
        let mut sum = Vec::new();
        for (monomial, factor) in self.monomials(id) {
            match monomial.as_slice() {
                &[atom] => match *self.node(atom) {
                    Node::Mod(wide, inner) | Node::SignedMod(wide, inner) if wide >= bits => {
                        let inner = self.monomials(inner);
                        sum.extend(inner.into_iter().map(|(m, f)| (m, f.wrapping_mul(factor))));
                    }
                    _ => sum.push((monomial, factor)),
                },
                _ => sum.push((monomial, factor)),
            }
        }
        let flat = self.poly(sum);
        let sum = self.monomials(flat);
        let reduced = sum.into_iter().map(|(monomial, factor)| {
            let factor = factor.rem_euclid(modulus);
            (
                monomial,
                if factor > modulus / 2 {
                    factor - modulus
                } else {
                    factor
                },
            )
        });
        let reduced: Vec<(Vec<Id>, i128)> = reduced.collect();
        let flat = self.poly(reduced);
        if let Some(value) = self.as_int(flat) {
            return self.int(ty.wrap(value));
        }
        let (low, high) = self.interval(flat);
        if low >= least && high <= most {
            return flat;
        }
        if self.bounds_by_sums && self.is_in_context() {
            let (least, most) = (self.int(least), self.int(most));
            let above = self.plus(flat, least, -1);
            let below = self.plus(most, flat, -1);
            if self.is_shown_not_negative(above) && self.is_shown_not_negative(below) {
                return flat;
            }
        }
        match ty.is_signed() {
            true => self.intern(Node::SignedMod(bits, flat)),
            false => self.intern(Node::Mod(bits, flat)),
        }
    }

    /// Truncating quotient of integers.
    ///
    /// # Errors
    /// The divisor is 0.
    pub fn quotient(&mut self, a: Id, b: Id) -> Result<Id, Undefined> {
        if let Some(divisor) = self.as_int(b) {
            if divisor == 0 {
                return Err(Undefined("division by zero"));
            }
            if let Some(value) = self.as_int(a) {
                return Ok(self.int(value / divisor));
            }
            if divisor == 1 {
                return Ok(a);
            }
            let (low, _) = self.interval(a);
            if divisor > 0 && low >= 0 {
                let sum = self.monomials(a);
                let (mut whole, mut rest) = (Vec::new(), Vec::new());
                for (monomial, factor) in sum {
                    let part = factor.rem_euclid(divisor);
                    if factor != part {
                        whole.push((monomial.clone(), (factor - part) / divisor));
                    }
                    if part != 0 {
                        rest.push((monomial, part));
                    }
                }
                let rest = self.poly(rest);
                let (least, most) = self.interval(rest);
                if least >= 0 {
                    let whole = self.poly(whole);
                    if most < divisor {
                        return Ok(whole);
                    }
                    let b = self.int(divisor);
                    let part = match self.as_int(rest) {
                        Some(value) => self.int(value / divisor),
                        None => self.intern(Node::Div(rest, b)),
                    };
                    return Ok(self.plus(whole, part, 1));
                }
            }
        }
        if let Some(exact) = self.exact_quotient(a, b) {
            return Ok(exact);
        }
        // What is less than the divisor, as far as is known here.
        if self.is_in_context() && self.as_int(b).is_none() && self.interval(a).0 >= 0 {
            let one = self.int(1);
            let below = self.plus(b, a, -1);
            let below = self.plus(below, one, -1);
            if self.is_shown_not_negative(below) {
                return Ok(self.int(0));
            }
        }
        Ok(self.intern(Node::Div(a, b)))
    }

    /// The quotient by a product of which each part of the dividend is a multiple.
    fn exact_quotient(&mut self, a: Id, b: Id) -> Option<Id> {
        let divisor = self.monomials(b);
        let [(atoms, by)] = divisor.as_slice() else {
            return None;
        };
        if atoms.is_empty() {
            return None;
        }
        let mut parts = Vec::new();
        for (mut monomial, factor) in self.monomials(a) {
            for atom in atoms {
                let at = monomial.iter().position(|other| other == atom)?;
                monomial.remove(at);
            }
            if factor % by != 0 {
                return None;
            }
            parts.push((monomial, factor / by));
        }
        Some(self.poly(parts))
    }

    /// Truncating remainder of integers.
    ///
    /// # Errors
    /// The divisor is 0.
    pub fn remainder(&mut self, a: Id, b: Id) -> Result<Id, Undefined> {
        let quotient = self.quotient(a, b)?;
        let whole = self.times(quotient, b);
        Ok(self.plus(a, whole, -1))
    }

    /// An operator without a meaning of its own.
    pub fn call(&mut self, name: &str, ty: CType, mut args: Vec<Id>) -> Id {
        if ["bit_and ", "bit_or ", "bit_xor "]
            .iter()
            .any(|of| name.starts_with(of))
        {
            args.sort_unstable();
        }
        let name = self.name(name);
        self.intern(Node::Call(name, ty, args))
    }

    /// An operator on floats, by its name in the facts.
    pub fn float_call(&mut self, name: &str, ty: CType, mut args: Vec<Id>) -> Id {
        if let Some(value) = self.folded(name, ty, &args) {
            return value;
        }
        let operator = name.strip_prefix("floating-point operator ");
        if self.reassociates
            && let (Some(operator), &[a, b]) = (operator, args.as_slice())
            && let Some(value) = self.in_ring(operator, a, b)
        {
            return value;
        }
        if self.reassociates
            && let ("float negation", &[a]) = (name, args.as_slice())
        {
            let zero = self.int(0);
            return self.plus(zero, a, -1);
        }
        let commutes = matches!(operator, Some("+" | "*"))
            || matches!(
                name,
                "floating-point comparison ==" | "floating-point comparison !="
            );
        if commutes {
            args.sort_unstable();
        }
        self.call(name, ty, args)
    }

    fn folded(&mut self, name: &str, ty: CType, args: &[Id]) -> Option<Id> {
        let mut values = Vec::with_capacity(args.len());
        for &arg in args {
            values.push(match *self.node(arg) {
                Node::Float(ty, bits) => float::Scalar::Float(ty, bits),
                Node::Int(value) => float::Scalar::Int(value),
                _ => return None,
            });
        }
        Some(match float::call(name, ty, &values)? {
            float::Scalar::Float(ty, bits) if self.reassociates => self.ring_constant(ty, bits),
            float::Scalar::Float(ty, bits) => self.float(ty, bits),
            float::Scalar::Int(value) => self.int(value),
        })
    }

    /// A constant of the ring: integers are numbers of it.
    pub fn ring_constant(&mut self, ty: CType, bits: i128) -> Id {
        match float::as_real(ty, bits) {
            Some(value) if value.fract() == 0.0 && value.abs() < 1e9 => self.int(value as i128),
            _ => self.float(ty, bits),
        }
    }

    fn in_ring(&mut self, operator: &str, a: Id, b: Id) -> Option<Id> {
        match operator {
            "+" => Some(self.plus(a, b, 1)),
            "-" => Some(self.plus(a, b, -1)),
            "*" => Some(self.times(a, b)),
            _ => None,
        }
    }

    /// A variable behind a loop, by its place among the loop's variables.
    pub fn fold(&mut self, fold: Fold, which: u32) -> Id {
        if self.as_int(fold.condition) == Some(0)
            && let Some(&start) = fold.start.get(which as usize)
        {
            return start;
        }
        self.intern(Node::Fold(Box::new(fold), which))
    }

    /// The number of iterations of a loop.
    pub fn trips(&mut self, fold: Fold) -> Id {
        if self.as_int(fold.condition) == Some(0) {
            return self.int(0);
        }
        self.intern(Node::Trips(Box::new(fold)))
    }

    // Contexts.

    /// What the contexts say of a condition.
    fn known(&mut self, id: Id) -> Option<Id> {
        if self.contexts.is_empty() {
            return None;
        }
        let found = self.contexts.iter().rev().find_map(|context| {
            let known = context.known.iter().find(|(known, _)| *known == id);
            known.map(|(_, value)| *value)
        });
        if let Some(value) = found {
            return Some(self.truth(value));
        }
        let Node::NotNegative(p) = *self.node(id) else {
            return None;
        };
        // p >= 0 follows from q >= 0 if p - q is not negative, and is false if q >= 0 and -1 - p - q is not negative.
        for q in self.known_not_negative() {
            let more = self.plus(p, q, -1);
            if self.interval(more).0 >= 0 {
                return Some(self.truth(true));
            }
            let sum = self.plus(p, q, 1);
            if self.interval(sum).1 < 0 {
                return Some(self.truth(false));
            }
        }
        None
    }

    /// The values that the contexts say are not negative.
    #[must_use]
    pub fn known_not_negative(&self) -> Vec<Id> {
        let known = self.contexts.iter().flat_map(|context| &context.known);
        let known = known.filter(|(_, value)| *value);
        let known = known.filter_map(|(known, _)| match self.node(*known) {
            Node::NotNegative(q) => Some(*q),
            _ => None,
        });
        known.collect()
    }

    /// Whether p >= 0 follows from what is known: from its bounds, or from the sum of at most two values that are not negative.
    /// Quotients by numbers are replaced by what they are between: `p - (c - 1) <= c * (p / c) <= p`, for p that is not negative;
    /// where p has `f * (q / c)`, it is m p + m - 1 >= 0 that is shown, with m f a multiple of c, which is the same of integers.
    pub fn is_shown_not_negative(&mut self, p: Id) -> bool {
        if self.interval(p).0 >= 0 {
            return true;
        }
        let one = self.int(1);
        let mut scales = vec![one];
        for (monomial, factor) in self.monomials(p) {
            for atom in monomial {
                let scale = self.scale_of(atom, factor);
                scales.extend(scale.filter(|scale| !scales.contains(scale)));
            }
        }
        let known = self.implied(p);
        scales.into_iter().any(|scale| {
            let slack = self.plus(scale, one, -1);
            let scaled = self.times(p, scale);
            let scaled = self.plus(scaled, slack, 1);
            let least = self.without_whole_quotients(scaled);
            self.is_sum_of(scaled, &known) || least != scaled && self.is_sum_of(least, &known)
        })
    }

    /// The number that makes `factor * atom` a multiple of the divisor, if the atom is a quotient by what is positive.
    fn scale_of(&mut self, atom: Id, factor: i128) -> Option<Id> {
        let Node::Div(_, divisor) = *self.node(atom) else {
            return None;
        };
        match self.as_int(divisor) {
            Some(by @ 2..=65_536) => Some(self.int(by / gcd(by, factor))),
            Some(_) => None,
            None if self.interval(divisor).0 >= 1 => Some(divisor),
            None => None,
        }
    }

    /// Values that are not negative, as what is known implies; those that may help with p.
    fn implied(&mut self, p: Id) -> Vec<Id> {
        let zero = self.int(0);
        let known = self.known_not_negative();
        let mut implied = known.clone();
        for q in known {
            let mut scales: Vec<Id> = Vec::new();
            for (monomial, factor) in self.monomials(q) {
                for atom in monomial {
                    scales.extend(self.scale_of(atom, factor));
                }
            }
            scales.push(self.int(1));
            for scale in scales {
                let scaled = self.times(q, scale);
                implied.push(scaled);
                let contrary = self.plus(zero, scaled, -1);
                let contrary = self.without_whole_quotients(contrary);
                implied.push(self.plus(zero, contrary, -1));
            }
        }
        // Remainders by what is not a number.
        let sum = self.monomials(p);
        let mut factors: Vec<Id> = Vec::new();
        for atom in sum.iter().flat_map(|(monomial, _)| monomial.clone()) {
            if let Node::Div(dividend, divisor) = *self.node(atom)
                && self.as_int(divisor).is_none()
                && self.interval(divisor).0 >= 1
                && self.interval(dividend).0 >= 0
            {
                let whole = self.times(atom, divisor);
                let remainder = self.plus(dividend, whole, -1);
                let one = self.int(1);
                let below = self.plus(divisor, remainder, -1);
                implied.push(remainder);
                implied.push(self.plus(below, one, -1));
            }
        }
        // What is not negative times what is not negative, if p has products.
        for (monomial, _) in sum.iter().filter(|(monomial, _)| monomial.len() > 1) {
            for &atom in monomial {
                if matches!(self.node(atom), Node::Leaf(Leaf::Symbol(..)))
                    && !factors.contains(&atom)
                {
                    factors.push(atom);
                }
            }
        }
        for factor in factors {
            if self.interval(factor).0 < 0 {
                continue;
            }
            for q in self.known_not_negative() {
                if self.monomials(q).len() <= 4 {
                    implied.push(self.times(q, factor));
                }
            }
        }
        implied.sort_unstable();
        implied.dedup();
        implied
    }

    /// Whether a value is at least the sum of at most two of these.
    fn is_sum_of(&mut self, p: Id, known: &[Id]) -> bool {
        if self.interval(p).0 >= 0 {
            return true;
        }
        for (at, &one) in known.iter().enumerate() {
            let rest = self.plus(p, one, -1);
            if self.interval(rest).0 >= 0 {
                return true;
            }
            for &other in &known[at..] {
                let rest = self.plus(rest, other, -1);
                if self.interval(rest).0 >= 0 {
                    return true;
                }
            }
        }
        false
    }

    /// A value that is not greater: each `f * (q / c)` with c dividing f is replaced by the least that it can be, also where it is
    /// multiplied by what is not negative.
    fn without_whole_quotients(&mut self, p: Id) -> Id {
        let mut least = self.int(0);
        for (monomial, factor) in self.monomials(p) {
            let mut whole = None;
            for (at, &atom) in monomial.iter().enumerate() {
                if let Node::Div(dividend, divisor) = *self.node(atom)
                    && let Some(by @ 1..) = self.as_int(divisor)
                    && factor % by == 0
                    && self.interval(dividend).0 >= 0
                {
                    whole = Some((at, dividend, by));
                    break;
                }
            }
            let mut others = monomial.clone();
            let whole = whole.filter(|(at, ..)| {
                others.remove(*at);
                others.iter().all(|&other| self.interval(other).0 >= 0)
            });
            let Some((_, dividend, by)) = whole else {
                let same = self.poly(vec![(monomial, factor)]);
                least = self.plus(least, same, 1);
                continue;
            };
            let times = factor / by;
            let others = self.poly(vec![(others, 1)]);
            let part = self.times(dividend, others);
            least = self.plus(least, part, times);
            if times > 0 {
                let slack = self.int(by - 1);
                let slack = self.times(slack, others);
                least = self.plus(least, slack, -times);
            }
        }
        least
    }

    /// Goes on as if the condition were true, until [`Pool::leave`].
    pub fn enter(&mut self, condition: Id) {
        let mut context = Context::default();
        let parts = match self.node(condition).clone() {
            Node::And(parts) => parts,
            _ => vec![condition],
        };
        for &part in &parts {
            context.known.push((part, true));
            let contrary = self.not(part);
            context.known.push((contrary, false));
            if let Node::Zero(p) = *self.node(part) {
                let zero = self.int(0);
                let minus = self.plus(zero, p, -1);
                for p in [p, minus] {
                    let id = self.intern(Node::NotNegative(p));
                    context.known.push((id, true));
                }
            }
        }
        self.contexts.push(Context::default());
        for _ in 0..2 {
            for &part in &parts {
                match *self.node(part) {
                    Node::NotNegative(p) => self.bound_atoms(p, &mut context),
                    Node::Zero(p) => {
                        self.bound_atoms(p, &mut context);
                        let zero = self.int(0);
                        let minus = self.plus(zero, p, -1);
                        self.bound_atoms(minus, &mut context);
                    }
                    _ => {}
                }
            }
            if let Some(last) = self.contexts.last_mut() {
                last.bounds = context.bounds.clone();
            }
        }
        if let Some(last) = self.contexts.last_mut() {
            *last = context;
        }
    }

    /// From `p >= 0`, bounds of each atom that stands alone in p.
    fn bound_atoms(&mut self, p: Id, context: &mut Context) {
        let sum = self.monomials(p);
        for (monomial, factor) in &sum {
            let &[atom] = monomial.as_slice() else {
                continue;
            };
            let rest: Vec<(Vec<Id>, i128)> =
                sum.iter().filter(|(m, _)| m != monomial).cloned().collect();
            let (_, most) = self.sum_interval(&rest);
            if most >= FAR {
                continue;
            }
            // factor * atom >= -most
            let (low, high) = self.interval(atom);
            let bounds = if *factor > 0 {
                (low.max(-(most.div_euclid(*factor))), high)
            } else {
                (low, high.min(most.div_euclid(-factor)))
            };
            context.bounds.insert(atom, bounds);
            // p / c >= 1 is p >= c.
            if let Node::Div(dividend, divisor) = *self.node(atom)
                && let (Some(by @ 1..), 1..) = (self.as_int(divisor), bounds.0)
                && self.monomials(dividend).len() <= 2
            {
                let least = self.int(bounds.0.saturating_mul(by));
                let above = self.plus(dividend, least, -1);
                self.bound_atoms(above, context);
            }
        }
    }

    /// Whether what was entered cannot be: bounds that leave no value, or a condition that others exclude.
    pub fn is_contradictory(&mut self) -> bool {
        let Some(last) = self.contexts.pop() else {
            return false;
        };
        let parts: Vec<Id> = last
            .known
            .iter()
            .filter(|(_, value)| *value)
            .map(|(id, _)| *id)
            .collect();
        let none = FxHashMap::default();
        let excluded = parts.iter().any(|&part| {
            let seen = self.rebuilt(part, &none);
            self.as_int(seen) == Some(0)
        });
        let empty = last.bounds.values().any(|(low, high)| low > high);
        self.contexts.push(last);
        excluded || empty
    }

    /// The condition with `q = p / c` replaced by what it says: `q - x >= 0` is `p - c x >= 0`, for p that is not negative.
    pub fn without_quotients(&mut self, condition: Id) -> Id {
        let Node::NotNegative(p) = *self.node(condition) else {
            return condition;
        };
        let sum = self.monomials(p);
        for (monomial, factor) in &sum {
            let &[atom] = monomial.as_slice() else {
                continue;
            };
            let Node::Div(dividend, divisor) = *self.node(atom) else {
                continue;
            };
            let (Some(by), (low, _)) = (self.as_int(divisor), self.interval(dividend)) else {
                continue;
            };
            if by <= 0 || low < 0 {
                continue;
            }
            let rest: Vec<(Vec<Id>, i128)> =
                sum.iter().filter(|(m, _)| m != monomial).cloned().collect();
            let rest = self.poly(rest);
            let scaled = self.int(by);
            let rest = self.times(rest, scaled);
            let replaced = match factor {
                // floor(p / c) + r >= 0 is p + c r >= 0.
                1 => self.plus(rest, dividend, 1),
                // r - floor(p / c) >= 0 is c r + c - 1 - p >= 0.
                -1 => {
                    let slack = self.int(by - 1);
                    let rest = self.plus(rest, slack, 1);
                    self.plus(rest, dividend, -1)
                }
                _ => continue,
            };
            return self.not_negative(replaced);
        }
        condition
    }

    /// What is entered, for who looks at something else meanwhile.
    pub fn contexts(&mut self) -> &mut Vec<Context> {
        &mut self.contexts
    }

    /// Whether a condition is entered.
    #[must_use]
    pub fn is_in_context(&self) -> bool {
        !self.contexts.is_empty()
    }

    /// Forgets the last condition that was entered.
    pub fn leave(&mut self) {
        self.contexts.pop();
    }
}

fn unsigned(bits: u32) -> CType {
    match bits {
        1..=8 => CType::U8,
        9..=16 => CType::U16,
        17..=32 => CType::U32,
        _ => CType::U64,
    }
}

fn signed(bits: u32) -> CType {
    match bits {
        1..=8 => CType::I8,
        9..=16 => CType::I16,
        17..=32 => CType::I32,
        _ => CType::I64,
    }
}

/// The values of a type.
#[must_use]
pub fn range_of(ty: CType) -> Interval {
    match (ty.is_integer(), ty.min(), ty.bits()) {
        (true, Some(low), Some(bits)) if ty.is_signed() => {
            (low, -(low + 1).min(0) + i128::from(bits == 0))
        }
        (true, _, Some(bits)) => (0, (1 << bits) - 1),
        _ => (-FAR, FAR),
    }
}
