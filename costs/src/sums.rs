//! Iterations of nested loops, as a sum in closed form.
//!
//! Where an inner loop runs as often as an outer one has come (`j < i`, `j = i; j < n`), how often its body runs is no product but a
//! sum over the iterations of the outer loop. Sums of powers of the iteration are polynomials in the number of iterations
//! (Faulhaber), so that the sums of a nest are taken from the inside out.
//!
//! **Accuracy**: an upper bound, as a loop with a step is taken to run a whole number of times at most. A sum is given only if no
//! inner loop's number of iterations can be negative at the ends of the outer one, where it counts as none and not as less.

use warplog_facts::TermId;
use warplog_facts::poly::{Monomial, Polynomial};

/// How often a loop runs: `numerator / step`, rounded up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Trips {
    /// What is left when it is entered.
    pub(crate) numerator: Polynomial,
    /// What an iteration takes of it.
    pub(crate) step: i128,
}

impl Trips {
    /// The number, if it is one.
    pub(crate) fn whole(&self) -> Option<u64> {
        let left = self.numerator.as_constant()?;
        u64::try_from((left + self.step - 1).max(0) / self.step).ok()
    }
}

/// A loop of a nest.
#[derive(Clone, Debug)]
pub(crate) struct Around {
    /// The terms that are its iteration.
    pub(crate) iterations: Vec<TermId>,
    /// How often it runs each time it is entered, if that is known.
    pub(crate) trips: Option<Trips>,
}

/// A polynomial over a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fraction {
    /// The polynomial.
    pub(crate) numerator: Polynomial,
    /// The number, positive.
    pub(crate) denominator: i128,
}

/// Factors of how often the body of a nest runs, outermost first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Factor {
    /// A loop that runs equally often each time, or of which nothing is known yet, by its place in the nest.
    Loop(usize),
    /// Loops whose numbers of iterations depend on each other, summed up.
    Sum(Fraction),
    /// Loops that depend on one of which nothing is known.
    Open,
}

/// The factors of a nest, given outermost first; `is_iteration` tells the iterations of all loops.
pub(crate) fn factors(nest: &[Around], is_iteration: &dyn Fn(TermId) -> bool) -> Vec<Factor> {
    let depends = |of: &Polynomial| of.atoms().into_iter().any(is_iteration);
    let known: Vec<&Polynomial> = nest
        .iter()
        .filter_map(|around| Some(&around.trips.as_ref()?.numerator))
        .collect();
    let mut all = Vec::new();
    let mut sum: Option<Sum> = None;
    for (nth, around) in nest.iter().enumerate().rev() {
        let here = |of: &Polynomial| {
            of.atoms()
                .iter()
                .any(|atom| around.iterations.contains(atom))
        };
        let Some(trips) = &around.trips else {
            // What depends on a loop of unknown length is unknown with it.
            if sum.take_if(|sum| here(&sum.fraction.numerator)).is_some() {
                all.push(Factor::Open);
            }
            all.push(Factor::Loop(nth));
            continue;
        };
        if sum
            .as_ref()
            .is_some_and(|sum| here(&sum.fraction.numerator))
        {
            let summed = sum
                .take()
                .and_then(|sum| sum.over(around, trips, &known, &depends));
            if summed.is_none() {
                all.extend([Factor::Open, Factor::Open]);
            }
            sum = summed;
        } else if depends(&trips.numerator) {
            let own = Sum::of(trips);
            sum = Some(match sum {
                Some(inner) => inner.times(own),
                None => own,
            });
        } else {
            all.push(Factor::Loop(nth));
        }
    }
    if let Some(sum) = sum {
        let open = depends(&sum.fraction.numerator) || !sum.unchecked.is_empty();
        all.push(match open {
            true => Factor::Open,
            false => Factor::Sum(sum.fraction.reduced()),
        });
    }
    all.reverse();
    all
}

/// A sum that is being taken.
struct Sum {
    fraction: Fraction,
    /// Numbers of iterations that are yet to be shown not to be negative.
    unchecked: Vec<Polynomial>,
}

impl Sum {
    fn of(trips: &Trips) -> Sum {
        let rounding = Polynomial::constant(trips.step - 1);
        Sum {
            fraction: Fraction {
                numerator: trips.numerator.plus(&rounding),
                denominator: trips.step,
            },
            unchecked: vec![trips.numerator.clone()],
        }
    }

    fn times(mut self, other: Sum) -> Sum {
        self.fraction.numerator = self.fraction.numerator.times(&other.fraction.numerator);
        self.fraction.denominator *= other.fraction.denominator;
        self.unchecked.extend(other.unchecked);
        self
    }

    /// The sum over the iterations of a loop.
    fn over(
        self,
        around: &Around,
        trips: &Trips,
        known: &[&Polynomial],
        depends: &dyn Fn(&Polynomial) -> bool,
    ) -> Option<Sum> {
        let (&[atom], 1) = (around.iterations.as_slice(), trips.step) else {
            return None;
        };
        let count = &trips.numerator;
        let last = count.plus(&Polynomial::constant(-1));
        let mut unchecked = Vec::new();
        for of in self.unchecked {
            if degree(&of, atom) > 1 {
                return None;
            }
            for end in [&Polynomial::default(), &last] {
                let value = with(&of, atom, end);
                if is_natural(&value, known) {
                    continue;
                }
                if !depends(&value) {
                    return None;
                }
                unchecked.push(value);
            }
        }
        if depends(count) {
            unchecked.push(count.clone());
        }
        let mut numerator = Polynomial::default();
        // The common denominator of sums of powers up to the third.
        const COMMON: i128 = 12;
        let mut rests: [Polynomial; 4] = Default::default();
        for (monomial, coefficient) in self.fraction.numerator.monomials() {
            let power = monomial.iter().filter(|&&own| own == atom).count();
            let rest: Monomial = monomial
                .iter()
                .copied()
                .filter(|&own| own != atom)
                .collect();
            rests.get_mut(power)?.add_monomial(rest, coefficient);
        }
        for (power, rest) in rests.iter().enumerate() {
            let (sum, denominator) = powers(count, power);
            numerator = numerator.plus_scaled(&rest.times(&sum), COMMON / denominator);
        }
        Some(Sum {
            fraction: Fraction {
                numerator,
                denominator: self.fraction.denominator.checked_mul(COMMON)?,
            }
            .reduced(),
            unchecked,
        })
    }
}

impl Fraction {
    fn reduced(self) -> Fraction {
        let mut common = self.denominator;
        for (_, coefficient) in self.numerator.monomials() {
            common = gcd(common, coefficient);
        }
        match self.numerator.divided(common) {
            Some(numerator) if common > 1 => Fraction {
                numerator,
                denominator: self.denominator / common,
            },
            _ => self,
        }
    }
}

fn gcd(a: i128, b: i128) -> i128 {
    match b {
        0 => a.abs(),
        _ => gcd(b, a % b),
    }
}

/// `0^p + 1^p + … + (n − 1)^p` with its denominator.
fn powers(n: &Polynomial, power: usize) -> (Polynomial, i128) {
    let before = n.plus(&Polynomial::constant(-1));
    let pairs = n.times(&before);
    match power {
        0 => (n.clone(), 1),
        1 => (pairs, 2),
        2 => {
            let odd = n.plus(&before);
            (pairs.times(&odd), 6)
        }
        _ => (pairs.times(&pairs), 4),
    }
}

fn degree(of: &Polynomial, atom: TermId) -> usize {
    let powers = of.monomials().map(|(monomial, _)| {
        let own = monomial.iter().filter(|&&own| own == atom);
        own.count()
    });
    powers.max().unwrap_or(0)
}

/// A polynomial with a value for one of its atoms.
fn with(of: &Polynomial, atom: TermId, value: &Polynomial) -> Polynomial {
    let mut out = Polynomial::default();
    for (monomial, coefficient) in of.monomials() {
        let rest: Monomial = monomial
            .iter()
            .copied()
            .filter(|&own| own != atom)
            .collect();
        let power = monomial.len() - rest.len();
        let mut product = Polynomial::default();
        product.add_monomial(rest, coefficient);
        for _ in 0..power {
            product = product.times(value);
        }
        out = out.plus(&product);
    }
    out
}

/// Whether a value cannot be negative, given that all loops are entered: each runs at least once.
fn is_natural(value: &Polynomial, entered: &[&Polynomial]) -> bool {
    let at_least = |of: &Polynomial, least: i128| of.as_constant().is_some_and(|own| own >= least);
    at_least(value, 0)
        || entered
            .iter()
            .any(|count| at_least(&value.minus(count), -1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(nth: usize) -> TermId {
        TermId::from_index(nth)
    }

    fn atom(nth: usize) -> Polynomial {
        Polynomial::atom(id(nth))
    }

    fn around(iteration: usize, numerator: Polynomial, step: i128) -> Around {
        Around {
            iterations: vec![id(iteration)],
            trips: Some(Trips { numerator, step }),
        }
    }

    /// The value of a polynomial with `n` for the atom 9.
    fn value(of: &Fraction, n: i128) -> i128 {
        let sum: i128 = of
            .numerator
            .monomials()
            .map(|(monomial, coefficient)| monomial.iter().fold(coefficient, |all, _| all * n))
            .sum();
        assert_eq!(sum % of.denominator, 0);
        sum / of.denominator
    }

    fn is_iteration(atom: TermId) -> bool {
        atom != id(9)
    }

    #[test]
    fn triangles_and_pyramids_are_summed_up() {
        let n = atom(9);
        let upper = around(1, n.minus(&atom(0)), 1);
        let lower = around(1, atom(0), 1);
        let deeper = around(2, atom(1).plus(&Polynomial::constant(1)), 1);
        let outer = around(0, n.clone(), 1);
        type Nest<'a> = (&'a [Around], &'a dyn Fn(i128) -> i128);
        let nests: [Nest<'_>; 3] = [
            (&[outer.clone(), upper.clone()], &|n| {
                (0..n).map(|i| n - i).sum()
            }),
            (&[outer.clone(), lower.clone()], &|n| (0..n).sum()),
            (&[outer, lower, deeper], &|n| {
                (0..n).map(|i| (0..i).map(|j| j + 1).sum::<i128>()).sum()
            }),
        ];
        for (nest, counted) in nests {
            let factors = factors(nest, &is_iteration);
            let [Factor::Sum(sum)] = factors.as_slice() else {
                panic!("{factors:?}");
            };
            for n in 1..9 {
                assert_eq!(value(sum, n), counted(n), "{n}");
            }
        }
    }

    #[test]
    fn a_step_is_rounded_up() {
        let n = atom(9);
        let nest = [around(0, n.clone(), 1), around(1, n.minus(&atom(0)), 2)];
        let factors = factors(&nest, &is_iteration);
        let [Factor::Sum(sum)] = factors.as_slice() else {
            panic!("{factors:?}");
        };
        for n in 1_i128..9 {
            let counted: i128 = (0..n).map(|i| (n - i + 1) / 2).sum();
            let terms = sum.numerator.monomials();
            let bound: i128 = terms
                .map(|(monomial, own)| monomial.iter().fold(own, |all, _| all * n))
                .sum();
            assert!(bound >= counted * sum.denominator, "{n}");
        }
    }

    #[test]
    fn what_may_be_less_than_none_is_open() {
        // `for (i < n) for (j = i; j < m)`: with m < n the inner loop does not run backwards.
        let nest = [around(0, atom(9), 1), around(1, atom(8).minus(&atom(0)), 1)];
        let is_iteration = |atom: TermId| atom != id(9) && atom != id(8);
        assert_eq!(factors(&nest, &is_iteration), [Factor::Open, Factor::Open]);
        let unknown = Around {
            iterations: vec![id(0)],
            trips: None,
        };
        let nest = [unknown, around(1, atom(0), 1)];
        assert_eq!(
            factors(&nest, &is_iteration),
            [Factor::Loop(0), Factor::Open]
        );
        let nest = [around(0, atom(9), 4), around(1, atom(8), 1)];
        assert_eq!(
            factors(&nest, &is_iteration),
            [Factor::Loop(0), Factor::Loop(1)]
        );
    }
}
