//! D10 `exchanged-partners`: of two threads that exchange elements only one does it.
//!
//! `int other = t ^ j; if (other > t) { swap(s[t], s[other]); }`.
//!
//! **Argument.** The offsets are c·a in one instance and c·(a ^ j) in the other, with j shared and |c| at
//! least the access size, so overlap means that each thread's a is the other's a ^ j; and both
//! instances have the guard a < a ^ j, or both the guard a > a ^ j: a contradiction.

use warplog_facts::Op;
use warplog_facts::poly::{Monomial, Polynomial};

use super::rule::{Rule, Step};
use crate::offsets::bounds;
use crate::offsets::form::Instance;
use crate::offsets::outcome::Outcome;
use crate::offsets::two::Two;

/// D10.
pub(super) const RULE: Rule = Rule {
    id: "D10",
    names: &["exchanged-partners"],
    sentence: "Overlap would make each the other's partner, but both have a guard that orders partners the same way.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("exchanged_partners.rs"),
    steps: &[Step::Once(prove)],
};

fn prove(two: &mut Two<'_, '_>) -> Outcome {
    let (first, second) = (&two.question.first, &two.question.second);
    Outcome::apart_if(
        two.is_exchanged(first, second) || two.is_exchanged(second, first),
        "exchanged-partners",
    )
}

impl Two<'_, '_> {
    /// Whether overlap makes each the other's partner, and both have a guard that orders partners the same way.
    fn is_exchanged(&self, plain: &Instance, partner: &Instance) -> bool {
        let margin = plain.bytes.max(partner.bytes);
        for (monomial, coefficient) in partner.index.monomials() {
            let &[xor] = monomial.as_slice() else {
                continue;
            };
            let term = self.question.judge.ctx.facts.terms.get(xor);
            if term.op != Op::BitXor || coefficient.abs() < margin {
                continue;
            }
            for (own, other) in [(0, 1), (1, 0)] {
                if !self.is_shared(term.args[other]) {
                    continue;
                }
                let value = |side: &Instance| {
                    self.question.judge.polynomials[side.region].of(term.args[own])
                };
                let (own_value, partner_value) = (value(plain), value(partner));
                if own_value != partner_value || !bounds::is_small(&own_value) {
                    continue;
                }
                // What is left beside c·a and c·(a ^ j) must be one shared value.
                let rest = plain.index.plus_scaled(&own_value, -coefficient);
                let mut other_rest = Polynomial::clone(&partner.index);
                other_rest.add_monomial(monomial.clone(), -coefficient);
                let shared = rest.atoms().into_iter().all(|atom| self.is_shared(atom));
                if rest != other_rest || !shared {
                    continue;
                }
                let mut above = Polynomial::atom(xor).minus(&own_value);
                above.add_monomial(Monomial::new(), -1);
                let mut below = own_value.minus(&Polynomial::atom(xor));
                below.add_monomial(Monomial::new(), -1);
                let both = |guard: &Polynomial| {
                    plain.inequalities.contains(guard) && partner.inequalities.contains(guard)
                };
                if both(&above) || both(&below) {
                    return true;
                }
            }
        }
        false
    }
}
