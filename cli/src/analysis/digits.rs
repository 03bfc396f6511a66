//! Relations of sizes under which the places that threads reach are apart, as numbers with different digits are.
//!
//! `base + (z * height + y) * pitch + 4 * x` is a number with the digits `x`, `y` and `z`. Two of them are equal only where all their
//! digits are, if each digit stays below what the next one counts by: `4 * width <= pitch`, where `x < width`.
//!
//! **Algorithm.** The polynomial of a place is taken apart into digits, each with a factor of sizes. A digit is what a guard bounds, the number of
//! a thread along an axis, its place in the block or the block's in the grid, a remainder, or a quotient of one of these. They are put
//! in order by their factors, and of two neighbours it is asked that what the lower one reaches is at most the factor of the higher one.
//!
//! **Source.** Mixed radix, as in rule D7; our own.
//!
//! **Accuracy.** Only conditions are made here. Each is decided like any other: by the solver, or by the rules under the
//! condition, and only if it can hold.

use std::collections::BTreeMap;

use warplog_facts::arith::gcd;
use warplog_facts::poly::{Monomial, Polynomial, Polynomials};
use warplog_facts::range::Ranges;
use warplog_facts::{CType, Facts, GuardAtRow, LaunchDimensionRow, Op, TermId, TermStore};
use warplog_solver_bridge::Condition;

use super::preconditions::{Size, Worded, both, usual};

/// Most places, digits of one, and monomials of a factor.
const MAX_PLACES: usize = 4;
const MAX_DIGITS: usize = 6;
const MAX_MONOMIALS: usize = 3;

/// `left <= right`, over sizes.
type Relation = (Polynomial, Polynomial);

/// The relations of one place, and the names of what is in them.
#[derive(Clone, Debug)]
pub(super) struct Apart {
    relations: Vec<Relation>,
    names: BTreeMap<TermId, Size>,
}

/// A part of a place: it is at least 0, and `per` times it is less than `most`.
struct Digit {
    form: Polynomial,
    most: Polynomial,
    per: Polynomial,
}

/// What is known of the launch of a place.
pub(super) struct Launch<'l> {
    pub(super) facts: &'l Facts,
    pub(super) ranges: &'l Ranges<'l>,
    pub(super) dimensions: &'l [&'l LaunchDimensionRow],
    /// How a value is spoken of, if the caller decides it.
    pub(super) name: &'l dyn Fn(TermId) -> Option<Size>,
}

impl Launch<'_> {
    /// What the places of accesses want, each with the guards of its point.
    pub(super) fn apart(&self, places: &[(TermId, Vec<&GuardAtRow>)]) -> Vec<Apart> {
        let mut all: Vec<Apart> = Vec::new();
        for (place, guards) in places {
            let conjuncts: Vec<(TermId, bool)> =
                guards.iter().map(|row| (row.term, row.polarity)).collect();
            let ranges = self.ranges.assuming(&conjuncts);
            let forms = Polynomials::new(&self.facts.terms, &ranges);
            let form = forms.of(*place);
            let Some(relations) = self.of_place(&forms, &form, guards) else {
                continue;
            };
            let is_known = all.iter().any(|one| one.relations == relations);
            if relations.is_empty() || is_known {
                continue;
            }
            if let Some(names) = self.names(&relations) {
                all.push(Apart { relations, names });
            }
            if all.len() == MAX_PLACES {
                break;
            }
        }
        all
    }

    fn names(&self, relations: &[Relation]) -> Option<BTreeMap<TermId, Size>> {
        let sides = relations.iter().flat_map(|(left, right)| [left, right]);
        let atoms = sides.flat_map(Polynomial::atoms);
        atoms
            .map(|atom| Some((atom, (self.name)(atom)?)))
            .collect::<Option<_>>()
    }

    fn is_size(&self, atom: TermId) -> bool {
        (self.name)(atom).is_some()
    }

    /// The relations of neighbouring digits; none if the place is not made of digits.
    fn of_place(
        &self,
        forms: &Polynomials<'_>,
        place: &Polynomial,
        guards: &[&GuardAtRow],
    ) -> Option<Vec<Relation>> {
        let candidates = self.digits(forms, place, guards);
        let mut digits = self.take_apart(place, &candidates)?;
        digits.sort_by_key(|(factor, _)| {
            let degree = factor.monomials().map(|(monomial, _)| monomial.len()).max();
            let leading = factor.monomials().map(|(_, by)| by).max();
            (degree, leading)
        });
        let mut relations = Vec::new();
        for (nth, (factor, digit)) in digits.iter().enumerate() {
            let Some((above, _)) = digits.get(nth + 1) else {
                break;
            };
            if factor == above {
                return None;
            }
            let left = digit.most.times(factor);
            let right = above.times(&digit.per);
            let (left, right) = cancelled(&left, &right);
            if let Some(less) = right.minus(&left).as_constant() {
                if less < 0 {
                    return None;
                }
                continue;
            }
            let is_small = |side: &Polynomial| (1..=MAX_MONOMIALS).contains(&side.len());
            if !is_small(&left) || !is_small(&right) {
                return None;
            }
            relations.push((left, right));
        }
        Some(relations)
    }

    /// The digits of a place with their factors.
    fn take_apart<'d>(
        &self,
        place: &Polynomial,
        candidates: &'d [Digit],
    ) -> Option<Vec<(Polynomial, &'d Digit)>> {
        let varying = |form: &Polynomial| {
            let atoms = form.atoms().into_iter();
            atoms.filter(|&atom| !self.is_size(atom)).count()
        };
        let mut rest = place.clone();
        let mut digits = Vec::new();
        for digit in candidates {
            let leading = digit.form.atoms().into_iter();
            let mut leading = leading.filter(|&atom| !self.is_size(atom));
            let Some(leading) = leading.find(|&atom| digit.form.coefficient(&[atom]) == 1) else {
                continue;
            };
            let mut factor = Polynomial::default();
            for (monomial, by) in rest.monomials() {
                let Some(position) = monomial.iter().position(|&atom| atom == leading) else {
                    continue;
                };
                let mut others: Monomial = monomial.clone();
                others.remove(position);
                factor.add_monomial(others, by);
            }
            if factor.is_empty() || varying(&factor) > 0 {
                continue;
            }
            let without = rest.minus(&factor.times(&digit.form));
            if varying(&without) + varying(&digit.form) > varying(&rest) {
                continue;
            }
            rest = without;
            digits.push((factor, digit));
        }
        (varying(&rest) == 0 && digits.len() <= MAX_DIGITS).then_some(digits)
    }

    /// What may be a digit: what guards bound, longest first, numbers of threads and blocks, remainders and quotients.
    fn digits(
        &self,
        forms: &Polynomials<'_>,
        place: &Polynomial,
        guards: &[&GuardAtRow],
    ) -> Vec<Digit> {
        let one = || Polynomial::constant(1);
        let mut all: Vec<Digit> = Vec::new();
        for row in guards {
            self.bounded(forms, row.term, row.polarity, &mut all);
        }
        all.sort_by_key(|digit| usize::MAX - digit.form.len());
        let extent = |at: usize| -> Option<(Polynomial, Polynomial)> {
            let mut rows = self.dimensions.iter();
            let row = rows.find(|row| row.dimension as usize == at)?;
            let form = forms.of(row.term);
            let whole = match form.as_constant() {
                Some(_) => (*form).clone(),
                None => Polynomial::atom(row.term),
            };
            Some(((*form).clone(), whole))
        };
        let inside = self.facts.terms.reachable(&place.atoms());
        let leaf = |op: Op| {
            let mut ids = inside.iter();
            let id = ids.find(|&&id| self.facts.terms.get(id).op == op)?;
            Some(Polynomial::atom(*id))
        };
        let axes = [
            (Op::TidX, Op::BidX),
            (Op::TidY, Op::BidY),
            (Op::TidZ, Op::BidZ),
        ];
        let mut single = Vec::new();
        for (axis, (thread, block)) in axes.into_iter().enumerate() {
            let (Some((own, threads)), Some((_, blocks))) = (extent(axis), extent(axis + 3)) else {
                continue;
            };
            let (thread, block) = (leaf(thread), leaf(block));
            if let (Some(thread), Some(block)) = (&thread, &block) {
                all.push(Digit {
                    form: block.times(&own).plus(thread),
                    most: threads.times(&blocks),
                    per: one(),
                });
            }
            for (form, most) in [(thread, threads), (block, blocks)] {
                single.extend(form.map(|form| Digit {
                    form,
                    most,
                    per: one(),
                }));
            }
        }
        all.extend(single);
        self.divided(forms, place, &mut all);
        all
    }

    /// Remainders and quotients in a place by sizes.
    fn divided(&self, forms: &Polynomials<'_>, place: &Polynomial, all: &mut Vec<Digit>) {
        let terms = &self.facts.terms;
        let atoms = place.atoms();
        let mut atoms: Vec<TermId> = terms.reachable(&atoms).into_iter().collect();
        atoms.sort_unstable();
        for atom in atoms {
            let term = terms.get(atom);
            let (Op::Div | Op::Rem, &[of, by]) = (term.op, term.args.as_slice()) else {
                continue;
            };
            let by = forms.of(by);
            if !by.atoms().into_iter().all(|atom| self.is_size(atom)) {
                continue;
            }
            let form = Polynomial::atom(atom);
            if term.op == Op::Rem {
                let (most, per) = ((*by).clone(), Polynomial::constant(1));
                all.push(Digit { form, most, per });
                continue;
            }
            let whole = forms.of(of);
            if let Some(digit) = all.iter().find(|digit| digit.form == *whole) {
                let (most, per) = (digit.most.clone(), digit.per.times(&by));
                all.push(Digit { form, most, per });
            }
        }
    }

    /// What a condition that is true, or false, says to be less than sizes.
    fn bounded(&self, forms: &Polynomials<'_>, id: TermId, holds: bool, all: &mut Vec<Digit>) {
        let term = self.facts.terms.get(id);
        let side = |nth: usize| forms.of(term.args[nth]);
        let less = match (term.op, holds) {
            (Op::And, true) | (Op::Or, false) => {
                for &part in &term.args {
                    self.bounded(forms, part, holds, all);
                }
                return;
            }
            (Op::Not, _) => return self.bounded(forms, term.args[0], !holds, all),
            (Op::Lt, true) => side(0).minus(&side(1)),
            (Op::Le, true) => side(0).minus(&side(1)).minus(&Polynomial::constant(1)),
            (Op::Le, false) => side(1).minus(&side(0)),
            (Op::Lt, false) => side(1).minus(&side(0)).minus(&Polynomial::constant(1)),
            _ => return,
        };
        let is_shared = |monomial: &Monomial| monomial.iter().all(|&atom| self.is_size(atom));
        let (shared, form) = less.split(is_shared);
        let is_upper = form.monomials().all(|(_, by)| by > 0);
        if !form.is_empty() && is_upper && !shared.is_empty() {
            all.push(Digit {
                form,
                most: Polynomial::default().minus(&shared),
                per: Polynomial::constant(1),
            });
        }
    }
}

/// Both sides without the factors that they share.
fn cancelled(left: &Polynomial, right: &Polynomial) -> (Polynomial, Polynomial) {
    let (mut left, mut right) = (left.clone(), right.clone());
    let by = left.monomials().chain(right.monomials());
    let common = by.fold(0, |common, (_, by)| gcd(common, by.abs()));
    if let (Some(a), Some(b)) = (left.divided(common), right.divided(common)) {
        (left, right) = (a, b);
    }
    for atom in left.atoms() {
        let divisor = Polynomial::atom(atom);
        while let (Some(a), Some(b)) = (left.quotient(&divisor), right.quotient(&divisor)) {
            if a.is_empty() || b.is_empty() {
                break;
            }
            (left, right) = (a, b);
        }
    }
    (left, right)
}

impl Apart {
    /// Each relation of sizes by itself, and all of them.
    pub(super) fn conditions(&self, terms: &mut TermStore) -> Vec<Worded> {
        let mut all: Vec<Worded> = Vec::new();
        let mut whole: Option<Worded> = None;
        for (left, right) in &self.relations {
            let sides = [left, right].map(|side| self.written(terms, side));
            let [Some(from), Some(to)] = sides else {
                return Vec::new();
            };
            let one = at_most(terms, &from, &to);
            whole = match whole {
                None => Some(one.clone()),
                Some(so_far) => both(terms, &so_far, &one),
            };
            // Bounds of one size by a number are asked for anyway, the weakest first.
            if left.as_constant().is_none() && right.as_constant().is_none() {
                all.push(one);
            }
        }
        if self.relations.len() > 1 {
            all.extend(whole);
        }
        all
    }

    /// The values that conditions speak of.
    pub(super) fn sizes(&self) -> impl Iterator<Item = &Size> {
        self.names.values()
    }

    /// A sum of products as C has it.
    fn written(&self, terms: &mut TermStore, sum: &Polynomial) -> Option<Size> {
        let mut whole: Option<Size> = None;
        // What is added comes first.
        let mut monomials: Vec<_> = sum.monomials().collect();
        monomials.sort_by_key(|&(_, by)| by < 0);
        for (monomial, by) in monomials {
            let mut product: Option<Size> = None;
            if by.abs() != 1 || monomial.is_empty() {
                product = Some(Size {
                    text: by.abs().to_string(),
                    term: terms.constant(by.abs(), CType::I32),
                });
            }
            for atom in monomial {
                let size = self.names.get(atom)?;
                product = Some(match product {
                    None => size.clone(),
                    Some(so_far) => joined(terms, Op::Mul, &so_far, size),
                });
            }
            let product = product?;
            whole = Some(match whole {
                None if by < 0 => return None,
                None => product,
                Some(so_far) if by < 0 => joined(terms, Op::Sub, &so_far, &product),
                Some(so_far) => joined(terms, Op::Add, &so_far, &product),
            });
        }
        whole
    }
}

/// Two values put together after C's usual conversions.
fn joined(terms: &mut TermStore, op: Op, left: &Size, right: &Size) -> Size {
    let (a, b) = usual(terms, left.term, right.term);
    let ty = terms.ty(a);
    let word = match op {
        Op::Mul => '*',
        Op::Sub => '-',
        _ => '+',
    };
    Size {
        text: format!("{} {word} {}", left.text, right.text),
        term: terms.binary(op, ty, a, b),
    }
}

/// `left <= right`; where only the right side has a sign, without the conversion that makes -1 the largest number.
fn at_most(terms: &mut TermStore, left: &Size, right: &Size) -> Worded {
    let ty = terms.ty(right.term);
    let is_number = |size: &Size| size.text.chars().all(|letter| letter.is_ascii_digit());
    let keeps_sign = ty.is_signed() && terms.ty(left.term).is_unsigned() && !is_number(right);
    let left = match keeps_sign {
        true => Size {
            text: match (ty.bits() == Some(32), left.text.contains(' ')) {
                (true, false) => format!("(int){}", left.text),
                (true, true) => format!("(int)({})", left.text),
                (false, _) => format!("(long)({})", left.text),
            },
            term: terms.cast(left.term, ty),
        },
        false => left.clone(),
    };
    let (a, b) = usual(terms, left.term, right.term);
    let term = terms.binary(Op::Le, CType::Bool, a, b);
    let text = match is_number(&left) || keeps_sign {
        true => format!("{} >= {}", right.text, left.text),
        false => format!("{} <= {}", left.text, right.text),
    };
    (text, Condition::Holds(term))
}
