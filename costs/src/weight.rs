//! How often an access is requested: iterations × warps × blocks, as a number or as a formula.
//!
//! Where all requests were gone through, they are counted. Else the number of iterations of a loop is what its condition says: of
//! `a + s·iter < b` it is `(b − a)/s`, taken for the lane that stays longest; of loops that depend on each other it is the sum
//! ([`crate::sums`]). A loop of which nothing is known is told as *each iteration*. The formula is then an upper bound: not every
//! warp needs to come there.
//! Of a block of known size, the requests within one iteration of the loops that are open are counted as they are.

use warplog_facts::poly::{Polynomial, Polynomials};
use warplog_facts::show::Show;
use warplog_facts::{Facts, LoopId, Op, TermId};

use crate::form::Dependence;
use crate::shape::{Shape, Sizes};
use crate::sums::{Around, Factor, Trips, factors};

/// How often something happens.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weight {
    /// In words: `64 times`, `at most n/16 iterations × 8 warps × gridDim.x blocks`.
    pub text: String,
    /// As a number, where it is one and exact.
    pub requests: Option<u64>,
    /// A number to sort by: what is open counts as if it were of the usual size.
    pub estimate: u64,
}

/// What is taken for the iterations of a loop that are open.
const ITERATIONS: u64 = 16;
/// What is taken for the blocks of a grid that are open.
const BLOCKS: u64 = 64;

/// What is needed to put a loop into words.
pub struct Words<'a> {
    /// The facts.
    pub facts: &'a Facts,
    /// Terms in words.
    pub show: &'a Show<'a>,
    /// Terms as sums.
    pub polynomials: &'a Polynomials<'a>,
}

/// What a walk counted.
#[derive(Clone, Debug, Default)]
pub struct Went {
    /// Whether it counted all of it.
    pub complete: bool,
    /// Whether all requests that differ were looked at.
    pub whole: bool,
    /// Its number.
    pub requests: u64,
    /// Whether no more are made in an iteration of the loops that are open.
    pub bounded: bool,
    /// Loops whose number of iterations is open.
    pub open: Vec<LoopId>,
}

impl Words<'_> {
    /// How often a point with these loops around it is requested.
    pub fn weight(
        &self,
        went: &Went,
        loops: &[LoopId],
        (sizes, shape): (&Sizes, Shape),
        dependence: &mut Dependence<'_>,
    ) -> Weight {
        let blocks = self.blocks(sizes);
        let known_block = sizes.block_is_known();
        let estimated = sizes.blocks().unwrap_or(BLOCKS);
        if went.complete && known_block {
            if sizes.blocks().is_some() {
                return Weight {
                    text: times(went.requests),
                    requests: Some(went.requests),
                    estimate: went.requests,
                };
            }
            return Weight {
                text: format!("{} × {blocks} blocks", went.requests),
                requests: None,
                estimate: went.requests.saturating_mul(estimated),
            };
        }
        let mut parts = Vec::new();
        let counted_within = went.bounded && known_block && went.requests > 0;
        let (around, each) = match counted_within {
            true => (went.open.as_slice(), went.requests),
            false => (loops, shape.warps()),
        };
        // What was counted is of all blocks, where their number is known.
        let mut estimate = match (counted_within, sizes.blocks()) {
            (true, Some(_)) => each,
            _ => estimated.saturating_mul(each),
        };
        let mut open = false;
        let nest: Vec<Around> = around
            .iter()
            .map(|&of| Around {
                iterations: self.iterations(of),
                trips: self.trips(of, dependence),
            })
            .collect();
        let is_iteration = |atom: TermId| self.facts.terms.get(atom).op == Op::Iter;
        for factor in factors(&nest, &is_iteration) {
            let trips = match &factor {
                Factor::Loop(nth) => nest[*nth].trips.as_ref(),
                Factor::Sum(_) | Factor::Open => None,
            };
            let steps = match &factor {
                Factor::Loop(nth) if trips.is_none() => self.multiplied(around[*nth], dependence),
                _ => None,
            };
            let whole = trips.and_then(Trips::whole);
            let whole = whole.or(steps.as_ref().and_then(|(_, whole)| *whole));
            estimate = estimate.saturating_mul(whole.unwrap_or(ITERATIONS));
            let text = match (&factor, trips, whole) {
                (_, _, Some(whole)) => whole.to_string(),
                _ if steps.is_some() => steps.map(|(text, _)| text).unwrap_or_default(),
                (_, Some(trips), None) => self.fraction(&trips.numerator, trips.step),
                (Factor::Sum(sum), ..) => self.fraction(&sum.numerator, sum.denominator),
                _ => {
                    open = true;
                    continue;
                }
            };
            parts.push(format!("{} iterations", enclosed(text)));
        }
        parts.push(match (counted_within, known_block) {
            (true, _) => counted(each, "request"),
            (false, true) => counted(each, "warp"),
            (false, false) => {
                let sizes = self.product(&sizes.terms[..3]);
                format!("{sizes}/32 warps")
            }
        });
        match (sizes.blocks(), counted_within) {
            (Some(_), true) => {}
            (Some(number), false) => parts.push(counted(number, "block")),
            (None, _) => parts.push(format!("{blocks} blocks")),
        }
        let each = if open { ", each iteration" } else { "" };
        Weight {
            text: format!("at most {}{each}", parts.join(" × ")),
            requests: None,
            estimate,
        }
    }

    fn blocks(&self, sizes: &Sizes) -> String {
        self.product(&sizes.terms[3..])
    }

    /// The product of terms, without factors of 1.
    fn product(&self, terms: &[Option<TermId>]) -> String {
        let factors: Vec<String> = terms
            .iter()
            .flatten()
            .filter(|&&term| self.facts.terms.as_const(term) != Some(1))
            .map(|&term| enclosed(self.show.term(term)))
            .collect();
        if factors.is_empty() {
            "1".to_owned()
        } else {
            factors.join("·")
        }
    }

    /// The terms that are the iteration of a loop.
    fn iterations(&self, of: LoopId) -> Vec<TermId> {
        let row = &self.facts.loop_[of.index()];
        let parts = row.condition.map_or_else(Vec::new, |condition| {
            self.facts.terms.reachable(&[condition])
        });
        let mut own: Vec<TermId> = parts
            .into_iter()
            .filter(|&part| {
                let term = self.facts.terms.get(part);
                term.op == Op::Iter && term.loop_id() == Some(of)
            })
            .collect();
        own.dedup();
        own
    }

    /// How often a loop runs each time it is entered.
    fn trips(&self, of: LoopId, dependence: &mut Dependence<'_>) -> Option<Trips> {
        let row = &self.facts.loop_[of.index()];
        let mut conjuncts = vec![row.condition?];
        let mut found = None;
        while let Some(term) = conjuncts.pop() {
            let node = self.facts.terms.get(term);
            match node.op {
                Op::And => conjuncts.extend(node.args.iter().copied()),
                Op::Lt | Op::Le => found = found.or(self.bound(of, term, dependence)),
                _ => {}
            }
        }
        found
    }

    /// How often a loop runs whose variable is divided or multiplied by a number in each iteration: a logarithm, in words and as a number.
    fn multiplied(
        &self,
        of: LoopId,
        dependence: &mut Dependence<'_>,
    ) -> Option<(String, Option<u64>)> {
        let terms = &self.facts.terms;
        let mut conjuncts = vec![self.facts.loop_[of.index()].condition?];
        while let Some(term) = conjuncts.pop() {
            let node = terms.get(term);
            if node.op == Op::And {
                conjuncts.extend(node.args.iter().copied());
                continue;
            }
            let strictly = match node.op {
                Op::Lt => 1,
                Op::Le => 0,
                _ => continue,
            };
            let (left, right) = (node.args[0], node.args[1]);
            let least = terms.as_const(left).map(|least| least + strictly);
            let found = match (least, self.power(right, Op::DivPow, of)) {
                // From the start down to the least that is let in.
                (Some(least @ 1..), Some((start, base))) => Some((start, base, least, true)),
                _ => match self.power(left, Op::MulPow, of) {
                    Some((start, base)) => {
                        let start = terms.as_const(start).filter(|start| *start > 0)?;
                        Some((right, base, start, strictly == 0))
                    }
                    None => None,
                },
            };
            let Some((most, base, least, is_reached)) = found else {
                continue;
            };
            let needs = dependence.of(most);
            if needs.lane || needs.row || needs.block || needs.data {
                return None;
            }
            let whole = terms.as_const(most).map(|most| {
                let mut value = least;
                let mut rounds = 0;
                while value < most || (is_reached && value == most) {
                    (value, rounds) = (value.saturating_mul(base), rounds + 1);
                }
                rounds
            });
            let of = match least {
                1 => self.show.term(most),
                least => format!("({})/{least}", self.show.term(most)),
            };
            let text = match is_reached {
                true => format!("(log{base}({of}) + 1)"),
                false => format!("log{base}({of})"),
            };
            return Some((text, whole));
        }
        None
    }

    /// The start and the base of a power whose exponent is the iteration of a loop. Of a shift to the right the side that is not negative counts.
    fn power(&self, mut term: TermId, op: Op, of: LoopId) -> Option<(TermId, i128)> {
        let terms = &self.facts.terms;
        loop {
            let node = terms.get(term);
            match node.op {
                Op::Cast | Op::Fit => term = node.args[0],
                Op::Ite => term = node.args[2],
                _ if node.op == op => {
                    let exponent = terms.get(node.args[1]);
                    let own = exponent.op == Op::Iter && exponent.loop_id() == Some(of);
                    return (own && node.payload > 1).then_some((node.args[0], node.payload));
                }
                _ => return None,
            }
        }
    }

    fn bound(&self, of: LoopId, term: TermId, dependence: &mut Dependence<'_>) -> Option<Trips> {
        let node = self.facts.terms.get(term);
        let (left, right) = (node.args[0], node.args[1]);
        if !self.facts.terms.ty(left).is_integer() {
            return None;
        }
        let mut slack = self.polynomials.of(right).minus(&self.polynomials.of(left));
        if node.op == Op::Le {
            slack = slack.plus(&Polynomial::constant(1));
        }
        let is_iteration = |atom: TermId| {
            let atom = self.facts.terms.get(atom);
            atom.op == Op::Iter && atom.loop_id() == Some(of)
        };
        let (steps, rest) = slack.split(|monomial| monomial.iter().any(|&atom| is_iteration(atom)));
        let step = match steps.monomials().collect::<Vec<_>>().as_slice() {
            [(monomial, step)] if monomial.len() == 1 && *step < 0 => -step,
            _ => return None,
        };
        let (own, shared) = rest.split(|monomial| {
            monomial.iter().any(|&atom| {
                let needs = dependence.of(atom);
                needs.lane || needs.row || needs.block
            })
        });
        // The lane that stays longest is the first one, if what each lane adds makes it leave earlier.
        if own.monomials().any(|(_, coefficient)| coefficient > 0) {
            return None;
        }
        Some(Trips {
            numerator: shared,
            step,
        })
    }

    fn fraction(&self, numerator: &Polynomial, denominator: i128) -> String {
        let sum = self.sum(numerator);
        match denominator {
            1 => sum,
            _ if numerator.len() > 1 => format!("({sum})/{denominator}"),
            _ => format!("{sum}/{denominator}"),
        }
    }

    fn sum(&self, polynomial: &Polynomial) -> String {
        let mut text = String::new();
        let mut summands: Vec<_> = polynomial.monomials().collect();
        // What is taken away stands behind what it is taken from.
        if summands
            .first()
            .is_some_and(|&(_, coefficient)| coefficient < 0)
        {
            summands.sort_by_key(|&(_, coefficient)| coefficient < 0);
        }
        for (monomial, coefficient) in summands {
            let names = monomial.iter().map(|&atom| self.show.term(atom));
            let names: Vec<String> = names.map(enclosed).collect();
            let sign = match (text.is_empty(), coefficient < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text.push_str(sign);
            let size = coefficient.abs();
            if size != 1 || names.is_empty() {
                text.push_str(&size.to_string());
                if !names.is_empty() {
                    text.push('·');
                }
            }
            text.push_str(&names.join("·"));
        }
        text
    }
}

/// A text as a factor: in brackets, if it has parts that are in none.
pub(crate) fn enclosed(text: String) -> String {
    let mut depth = 0_i32;
    let is_apart = text.chars().any(|sign| {
        match sign {
            '(' | '[' | '⟨' => depth += 1,
            ')' | ']' | '⟩' => depth -= 1,
            _ => {}
        }
        sign == ' ' && depth == 0
    });
    match is_apart {
        true => format!("({text})"),
        false => text,
    }
}

fn counted(number: u64, one: &str) -> String {
    match number {
        1 => format!("1 {one}"),
        number => format!("{number} {one}s"),
    }
}

fn times(number: u64) -> String {
    match number {
        0 => "never".to_owned(),
        1 => "once".to_owned(),
        number => format!("{number} times"),
    }
}

#[cfg(test)]
mod tests {
    use super::enclosed;

    #[test]
    fn sums_are_told_apart_from_what_they_are_multiplied_with() {
        for (text, factor) in [
            ("n", "n"),
            ("n + 1", "(n + 1)"),
            ("(n - 1)/2", "(n - 1)/2"),
            ("(n - 1)/2 + 1", "((n - 1)/2 + 1)"),
            ("x.size(a + 1)", "x.size(a + 1)"),
            ("(int)s[i + 1]", "(int)s[i + 1]"),
            ("⟨n, changed in a loop⟩", "⟨n, changed in a loop⟩"),
        ] {
            assert_eq!(enclosed(text.to_owned()), factor);
        }
    }
}
