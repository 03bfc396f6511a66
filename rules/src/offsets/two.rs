//! A pair of instances: which terms have one value in both, and what follows from equalities.
//!
//! A term is shared when it is uniform in the scope and the loops that it depends on are in the
//! same iteration, or when overlap of the accesses has been shown to force its equality. Equalities are closed: `a ^ j`
//! gives a; quotient and remainder by one constant give what was divided; equality modulo c of values less than c apart is
//! equality.

use std::cell::RefCell;

use warplog_facts::poly::{Monomial, Polynomial};
use warplog_facts::range::Interval;
use warplog_facts::words::PairScope;
use warplog_facts::{Op, TermId};

use super::bounds;
use super::form::Instance;
use super::outcome::Outcome;
use super::question::Question;
use super::sums;

/// Most steps of a computation that are looked through for what it is computed from.
const MOST_STEPS: u32 = 6;

/// A pair of instances with what is known to be equal in them.
#[derive(Clone)]
pub(crate) struct Two<'p, 'r> {
    pub(crate) question: &'p Question<'p, 'r>,
    /// Atoms that are equal in both if the accesses overlap, sorted.
    pub(crate) equal: Vec<TermId>,
    /// A shared atom that is at least 0, and is not 0 in the case that is looked at.
    pub(crate) positive: Option<TermId>,
    /// Shared atoms that guards show to be at least 1.
    pub(crate) sizes: &'p [TermId],
}

impl<'p, 'r> Two<'p, 'r> {
    pub(crate) fn new(question: &'p Question<'p, 'r>) -> Self {
        Two {
            sizes: question.sizes(),
            ..Two::by_ranges(question)
        }
    }

    /// Without what guards show of sizes.
    pub(crate) fn by_ranges(question: &'p Question<'p, 'r>) -> Self {
        Two {
            question,
            equal: Vec::new(),
            positive: None,
            sizes: &[],
        }
    }

    /// Whether the term has one value in both instances.
    pub(crate) fn is_shared(&self, term: TermId) -> bool {
        self.is_known(term) || !self.equal.is_empty() && self.is_of_shared(term, MOST_STEPS)
    }

    /// Whether the term itself is known to have one value in both instances. Bounds are of what is not, so that guards can rid them of a
    /// number that is computed of what is: `max(0, half - y)` is at least `half - y`.
    pub(crate) fn is_known(&self, term: TermId) -> bool {
        self.equal.binary_search(&term).is_ok() || self.question.is_shared(term)
    }

    /// Whether the term is computed from nothing but what has one value in both instances: `max(0, half - y)` where y is equal.
    fn is_of_shared(&self, term: TermId, steps: u32) -> bool {
        let node = self.question.judge.ctx.facts.terms.get(term);
        let computes = sums::evaluates_all(node.op) || matches!(node.op, Op::Min | Op::Max);
        let mut args = node.args.iter();
        computes
            && steps > 0
            && args.all(|&arg| self.is_known(arg) || self.is_of_shared(arg, steps - 1))
    }

    pub(crate) fn add_equal(&mut self, atoms: &[TermId]) {
        self.equal.extend_from_slice(atoms);
        self.equal.sort_unstable();
        self.equal.dedup();
    }

    pub(crate) fn range_in(&self, instance: &Instance, atom: TermId) -> Interval {
        let mut range = self
            .question
            .judge
            .given
            .regions
            .ranges(instance.region)
            .range(atom);
        if self.positive == Some(atom) && range.high >= 1 {
            range.low = range.low.max(1);
        }
        if range.low < 0 && range.high >= 0 && self.is_nonnegative_by_sizes(instance, atom) {
            range.low = 0;
        }
        match self.smallest_power(instance, atom) {
            Some(low) if range.low < low && low <= range.high => Interval::new(low, range.high),
            _ => range,
        }
    }

    /// Whether a quotient or remainder is not negative because its divisor is a size that guards show to be at least 1.
    fn is_nonnegative_by_sizes(&self, instance: &Instance, mut term: TermId) -> bool {
        if self.sizes.is_empty() {
            return false;
        }
        let store = &self.question.judge.ctx.facts.terms;
        let ranges = self.question.judge.given.regions.ranges(instance.region);
        while ranges.range(term).low < 0 {
            let node = store.get(term);
            term = match (node.op, node.args.as_slice()) {
                (Op::Div, &[of, by]) if self.sizes.contains(&by) => of,
                (Op::Rem, &[of, _]) => of,
                (Op::Cast | Op::Fit, &[of]) if ranges.is_exact(term) => of,
                _ => return false,
            };
        }
        true
    }

    /// The start of a closed form start·baseᵏ in a loop whose condition keeps it below a bound that
    /// does not change in the loop: then no earlier step wrapped, nor did this one, so the value
    /// is at least the start. `for (s = 1; s < blockDim.x; s *= 2)`
    fn smallest_power(&self, instance: &Instance, atom: TermId) -> Option<i128> {
        let facts = self.question.judge.ctx.facts;
        let store = &facts.terms;
        let term = store.get(atom);
        if term.op != Op::MulPow {
            return None;
        }
        let ranges = self.question.judge.given.regions.ranges(instance.region);
        let start = ranges.range(term.args[0]);
        let mut ordinal = store.get(term.args[1]);
        while matches!(ordinal.op, Op::Cast | Op::Fit) {
            ordinal = store.get(ordinal.args[0]);
        }
        let loop_id = (ordinal.op == Op::Iter).then(|| ordinal.loop_id())??;
        let condition = facts.loop_[loop_id.index()].condition?;
        let largest = term.ty.max()?;
        let mut literals = Vec::new();
        super::form::take_apart(store, (condition, true), &mut literals);
        let bounded = literals.into_iter().any(|(literal, polarity)| {
            let node = store.get(literal);
            let &[left, right] = node.args.as_slice() else {
                return false;
            };
            // value < bound, value <= bound, !(bound <= value), !(bound < value)
            let (value, bound) = match (node.op, polarity) {
                (Op::Lt | Op::Le, true) => (left, right),
                (Op::Lt | Op::Le, false) => (right, left),
                _ => return false,
            };
            let fixed = !self.question.judge.given.term_loops[bound.index()].contains(&loop_id);
            let high = ranges.range(bound).high;
            let next = high.checked_mul(term.payload);
            value == atom && fixed && next.is_some_and(|next| next <= largest)
        });
        // Signed arithmetic that overflows is no execution.
        ((bounded || term.ty.is_signed()) && start.low >= 1).then_some(start.low)
    }

    /// The range of a shared atom: its one value satisfies the guards of both.
    pub(crate) fn shared_range(&self, atom: TermId) -> Interval {
        let one = self.range_in(&self.question.first, atom);
        let mut range = one.meet(self.range_in(&self.question.second, atom));
        if self.sizes.contains(&atom) && range.high >= 1 {
            range.low = range.low.max(1);
        }
        range
    }

    pub(crate) fn is_nonnegative(&self, polynomial: &Polynomial) -> bool {
        // One atom is asked for several times.
        let known: RefCell<Vec<(TermId, Interval)>> = RefCell::default();
        let range = |atom| {
            let mut known = known.borrow_mut();
            if let Some((_, range)) = known.iter().find(|(other, _)| *other == atom) {
                return *range;
            }
            let range = self.shared_range(atom);
            known.push((atom, range));
            range
        };
        bounds::is_nonnegative(polynomial, &range)
            || self
                .without_quotients(polynomial)
                .is_some_and(|less| bounds::is_nonnegative(&less, &range))
            || self
                .by_known_equalities(polynomial)
                .is_some_and(|same| bounds::is_nonnegative(&same, &range))
    }

    /// The polynomial in other words, by equalities of shared atoms that hold where either of the two accesses is made:
    /// `blockDim.x == blockDim.y` where a kernel requires square blocks.
    fn by_known_equalities(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        let sides = [&self.question.first, &self.question.second];
        let known = sides.into_iter().flat_map(|side| &side.equalities);
        let mut same = Polynomial::clone(polynomial);
        let mut changed = false;
        for (_, zero) in known {
            let atoms = zero.atoms();
            let alone = |&&atom: &&TermId| {
                let linear = zero.coefficient(&[atom]).abs() == 1;
                let more = |monomial: &Monomial| monomial.len() > 1 && monomial.contains(&atom);
                linear && !zero.monomials().any(|(monomial, _)| more(monomial))
            };
            let Some(&atom) = atoms.iter().find(alone) else {
                continue;
            };
            if !same.atoms().contains(&atom) || !atoms.iter().all(|&atom| self.is_shared(atom)) {
                continue;
            }
            // `zero` is ± atom + rest, so that the atom is ∓ rest.
            let sign = zero.coefficient(&[atom]);
            let own = Polynomial::atom(atom);
            let instead = own.plus_scaled(zero, -sign);
            same = same.with(atom, &instead)?;
            changed = true;
            if !bounds::is_small(&same) {
                return None;
            }
        }
        changed.then_some(same)
    }

    /// Something that the polynomial is at least, over what its quotients are taken of: `m · (x / m)` is at most x, and at least
    /// `x - (m - 1)`, for x >= 0 and m >= 1. `64 * gridDim.x <= width` where the grid has `width / 64` blocks.
    fn without_quotients(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        let mut less = Polynomial::clone(polynomial);
        let mut changed = false;
        for atom in polynomial.atoms() {
            let Some((dividend, divisor, exact)) = self.dividend_of(atom) else {
                continue;
            };
            let own = Polynomial::atom(atom);
            let (with, without) = less.split(|monomial| monomial.contains(&atom));
            let Some(multiple) = with.quotient(&own.times(&divisor)) else {
                continue;
            };
            let range = |atom| self.shared_range(atom);
            let negated = Polynomial::default().minus(&multiple);
            let least = if bounds::is_nonnegative(&negated, &range) {
                dividend
            } else if exact && bounds::is_nonnegative(&multiple, &range) {
                dividend.minus(&divisor).plus(&Polynomial::constant(1))
            } else {
                continue;
            };
            if multiple.atoms().contains(&atom) || !bounds::is_small(&multiple) {
                continue;
            }
            less = without.plus(&multiple.times(&least));
            changed = true;
        }
        (changed && bounds::is_small(&less)).then_some(less)
    }

    /// Of a quotient of what is not negative by what is at least 1, all of it shared: dividend, divisor, and whether the atom is
    /// the quotient and not what is left of it in fewer bits.
    fn dividend_of(&self, atom: TermId) -> Option<(Polynomial, Polynomial, bool)> {
        let store = &self.question.judge.ctx.facts.terms;
        let mut inner = atom;
        while matches!(store.get(inner).op, Op::Cast | Op::Fit) && store.ty(inner).is_integer() {
            inner = store.get(inner).args[0];
        }
        let &[of, by] = store.get(inner).args.as_slice() else {
            return None;
        };
        if !matches!(store.get(inner).op, Op::Div | Op::Shr) || !store.ty(inner).is_integer() {
            return None;
        }
        let polynomials = &self.question.judge.polynomials[self.question.first.region];
        let divisor = match (store.get(inner).op, store.as_const(by)) {
            (Op::Shr, Some(by)) if (0..32).contains(&by) => Polynomial::constant(1 << by),
            (Op::Div, _) if self.shared_range(by).low >= 1 => {
                Polynomial::clone(&polynomials.of(by))
            }
            _ => return None,
        };
        let dividend = polynomials.of(of);
        let (value, kept) = (self.shared_range(inner), self.shared_range(atom));
        let mut atoms = dividend.atoms();
        atoms.extend(divisor.atoms());
        let known = self.shared_range(of).low >= 0
            && bounds::is_small(&dividend)
            && bounds::is_small(&divisor)
            && atoms.into_iter().all(|atom| self.is_shared(atom));
        // Fewer bits of what is not negative are no more than it, unless they are read as a negative number.
        let exact = inner == atom || kept.low <= value.low && value.high <= kept.high;
        (known && kept.low >= 0).then(|| (Polynomial::clone(&dividend), divisor, exact))
    }

    /// Components of the thread index that the guards fix to one value, and those that two threads
    /// of a warp have in common.
    pub(crate) fn add_known_equalities(&mut self) {
        let mut equal = Vec::new();
        for op in [Op::TidX, Op::TidY, Op::TidZ, Op::BidX, Op::BidY, Op::BidZ] {
            let Some(leaf) = self.question.launch.leaf(op) else {
                continue;
            };
            let one = self.range_in(&self.question.first, leaf).single();
            let rows = self.question.pair.scope == PairScope::Warp
                && self.question.launch.has_whole_rows()
                && matches!(op, Op::TidY | Op::TidZ);
            if rows || (one.is_some() && one == self.range_in(&self.question.second, leaf).single())
            {
                equal.push(leaf);
            }
        }
        let mut atoms = self.question.first.index.atoms();
        atoms.extend(self.question.second.index.atoms());
        for atom in atoms {
            let divisor = self.warp_divisor(atom);
            let warp =
                self.question.pair.scope == PairScope::Warp && divisor.is_some_and(|c| c % 32 == 0);
            let one = self.range_in(&self.question.first, atom).single();
            if warp || (one.is_some() && one == self.range_in(&self.question.second, atom).single())
            {
                equal.push(atom);
            }
        }
        self.add_equal(&equal);
    }

    /// For a quotient of the position in rows of whole warps (or in a one-dimensional block) by a
    /// constant: that constant.
    fn warp_divisor(&self, atom: TermId) -> Option<i128> {
        if !self.question.launch.is_one_dimensional() && !self.question.launch.has_whole_rows() {
            return None;
        }
        let (arg, divisor) = self.quotient(atom)?;
        let polynomial = self.question.judge.polynomials[self.question.first.region].of(arg);
        let mut monomials = polynomial.monomials();
        match (monomials.next(), monomials.next()) {
            (Some((monomial, 1)), None) => match monomial.as_slice() {
                &[leaf] if self.op(leaf) == Op::TidX => Some(divisor),
                _ => None,
            },
            _ => None,
        }
    }

    pub(crate) fn op(&self, term: TermId) -> Op {
        self.question.judge.ctx.facts.terms.get(term).op
    }

    /// The argument and the constant of a quotient of something that is not negative.
    fn quotient(&self, atom: TermId) -> Option<(TermId, i128)> {
        let store = &self.question.judge.ctx.facts.terms;
        let term = store.get(atom);
        let &[arg, by] = term.args.as_slice() else {
            return None;
        };
        let by = store.as_const(by)?;
        let divisor = match term.op {
            Op::Div if by > 0 => by,
            Op::Shr if (0..62).contains(&by) => 1 << by,
            _ => return None,
        };
        let both = [&*self.question.first, &*self.question.second];
        both.iter()
            .all(|side| self.range_in(side, arg).low >= 0)
            .then_some((arg, divisor))
    }

    /// The argument and the constant of a remainder of something that is not negative.
    fn remainder(&self, atom: TermId) -> Option<(TermId, i128)> {
        let store = &self.question.judge.ctx.facts.terms;
        let term = store.get(atom);
        let &[arg, by] = term.args.as_slice() else {
            return None;
        };
        let by = store.as_const(by)?;
        let divisor = match term.op {
            Op::Rem if by > 0 => by,
            Op::BitAnd if by > 0 && (by & (by + 1)) == 0 => by + 1,
            _ => return None,
        };
        let both = [&*self.question.first, &*self.question.second];
        both.iter()
            .all(|side| self.range_in(side, arg).low >= 0)
            .then_some((arg, divisor))
    }

    /// Whether what is known to be equal makes the two one thread (one block, between blocks).
    pub(crate) fn is_one_thread(&self) -> bool {
        let known = |op: Op| {
            let leaf = self.question.launch.leaf(op);
            leaf.is_some_and(|leaf| self.equal.binary_search(&leaf).is_ok())
        };
        if self
            .question
            .launch
            .identity(self.question.pair.scope)
            .into_iter()
            .all(known)
        {
            return true;
        }
        // Threads of different warps differ in the warp.
        self.question.pair.scope == PairScope::InterWarp
            && self.question.launch.is_one_dimensional()
            && self.equal.iter().any(|&atom| {
                self.warp_divisor(atom)
                    .is_some_and(|c| c > 0 && 32 % c == 0)
            })
    }

    /// What follows from equal quotients and remainders.
    pub(crate) fn close(&mut self) {
        let mut found = Vec::new();
        for &xor in &self.equal {
            // a ^ j with j shared gives a.
            let term = self.question.judge.ctx.facts.terms.get(xor);
            if term.op != Op::BitXor {
                continue;
            }
            for (own, other) in [(0, 1), (1, 0)] {
                if self.is_shared(term.args[other]) {
                    found.extend(self.equal_parts(term.args[own]));
                }
            }
        }
        for &rest in &self.equal {
            // Equal modulo c and less than c apart is equal: `(t + i) & 63` in a block of 64.
            if let Some((arg, divisor)) = self.remainder(rest)
                && self.is_within(arg, divisor)
            {
                found.extend(self.equal_parts(arg));
            }
        }
        for &quotient in &self.equal {
            let Some((arg, divisor)) = self.quotient(quotient) else {
                continue;
            };
            let paired = |&&atom: &&TermId| self.remainder(atom) == Some((arg, divisor));
            if self.equal.iter().any(|atom| paired(&atom)) {
                found.extend(self.equal_parts(arg));
            }
        }
        self.add_equal(&found);
        let found = self.put_together();
        self.add_equal(&found);
    }

    /// What is equal because its quotient and its remainder by one shared number are: `x = m·(x / m) + x % m`, whatever the
    /// signs, as C rounds towards 0. The quotient may be taken in two steps: `x / (m·n)` is `(x / m) / n`, which gives `x / m`
    /// with `(x / m) % n`.
    fn put_together(&self) -> Vec<TermId> {
        let mut found = Vec::new();
        for &rest in &self.equal {
            let Some((whole, by)) = self.by_shared(rest, Op::Rem) else {
                continue;
            };
            let is_quotient = |&&atom: &&TermId| {
                let Some((of, divisor)) = self.by_shared(atom, Op::Div) else {
                    return false;
                };
                if of == whole {
                    return divisor == by;
                }
                let inner = self.by_shared(whole, Op::Div);
                inner.is_some_and(|(inner, first)| inner == of && divisor == first.times(&by))
            };
            if self.equal.iter().any(|atom| is_quotient(&atom)) {
                found.extend(self.equal_parts(whole));
            }
        }
        found
    }

    /// For a quotient or remainder by a shared number: of what, and the polynomial of that number.
    pub(crate) fn by_shared(&self, atom: TermId, op: Op) -> Option<(TermId, Polynomial)> {
        let term = self.question.judge.ctx.facts.terms.get(atom);
        let &[of, by] = term.args.as_slice() else {
            return None;
        };
        if term.op != op || !term.ty.is_integer() || !self.is_shared(by) {
            return None;
        }
        let divisor = self.question.judge.polynomials[self.question.first.region].of(by);
        bounds::is_small(&divisor).then(|| (of, Polynomial::clone(&divisor)))
    }

    /// The largest value of a quotient of a remainder that divides evenly: `x % (m·n) / n` is at most m - 1.
    pub(crate) fn largest_quotient(&self, atom: TermId) -> Option<Polynomial> {
        let (of, divisor) = self.by_shared(atom, Op::Div)?;
        if divisor.as_constant().is_some() {
            return None;
        }
        let multiple = self.divisor_of(of)?.quotient(&divisor)?;
        Some(multiple.plus(&Polynomial::constant(-1)))
    }

    /// What a remainder is less than: a shared divisor that is at least 1.
    pub(crate) fn divisor_of(&self, atom: TermId) -> Option<Polynomial> {
        if let Some(power) = self.power_above_masked(atom) {
            return Some(power);
        }
        let (_, divisor) = self.by_shared(atom, Op::Rem)?;
        let by = *self.question.judge.ctx.facts.terms.get(atom).args.get(1)?;
        // An unsigned divisor is at least 1, as it is not 0.
        let unsigned = !self.question.judge.ctx.facts.terms.ty(by).is_signed();
        let atoms = divisor.atoms();
        (atoms.iter().all(|&atom| self.is_shared(atom))
            && (unsigned || self.shared_range(by).low >= 1))
            .then_some(divisor)
    }

    /// Whether the values of the term in the two instances surely differ by less than the bound.
    fn is_within(&self, term: TermId, bound: i128) -> bool {
        let left = self.question.judge.polynomials[self.question.first.region].of(term);
        let right = self.question.judge.polynomials[self.question.second.region].of(term);
        if !bounds::is_small(&left) || !bounds::is_small(&right) {
            return false;
        }
        let shared = |atom: TermId| self.is_shared(atom);
        let limit = Polynomial::constant(bound - 1);
        let below = |a: &Polynomial, a_side: &Instance, b: &Polynomial, b_side: &Instance| {
            let negated = Polynomial::default().minus(b);
            let upper = self.upper_bound(&bounds::digits(a, &shared), a_side);
            let lower = self.upper_bound(&bounds::digits(&negated, &shared), b_side);
            matches!((upper, lower), (Some(upper), Some(lower))
                if self.is_nonnegative(&limit.minus(&upper).minus(&lower)))
        };
        let (first, second) = (&*self.question.first, &*self.question.second);
        below(&left, first, &right, second) && below(&right, second, &left, first)
    }

    /// The atoms that are equal if the term is.
    pub(crate) fn equal_parts(&self, term: TermId) -> Vec<TermId> {
        let left = self.question.judge.polynomials[self.question.first.region].of(term);
        let right = self.question.judge.polynomials[self.question.second.region].of(term);
        if bounds::is_small(&left)
            && bounds::is_small(&right)
            && let Outcome::Equal(atoms) = self.compare(&left, &right, (1, 1), false)
        {
            return atoms;
        }
        Vec::new()
    }
}
