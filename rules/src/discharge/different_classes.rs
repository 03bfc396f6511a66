//! D16 `different-classes`: overlap would make the places of the two threads neighbours, and the guards keep both in one class.
//!
//! `if ((x + y) % 2 == color) a[y * w + x] = a[y * w + x - 1] + a[(y - 1) * w + x];`: red and black. With 0 < x < w - 1 the
//! element that one thread writes is the one that the other reads only if y = y' and x = x' - 1, or y = y' - 1 and x = x'.
//! Then x + y and x' + y' differ by one, but both are `color` modulo 2.
//!
//! **Argument.** Offsets that overlap are equal, as both are multiples of the common access size. Let their difference be
//! w·(Y₁ − Y₂) + (X₁ − X₂) + d = 0 with w shared, and d = w·q + r. If the guards bound |X₁ − X₂ + r| by w − 1, then
//! X₁ − X₂ = −r, and Y₁ − Y₂ = −q; so on for what Y is made of. Let a guard of both threads fix the remainder of E by m. If
//! E is the same combination Σ aₖ·Pₖ of these parts in both, but for what is shared, then E₁ − E₂ is known, and it has to be
//! a multiple of m.
//! The parts are those of `offsets/parts.rs`.

use warplog_facts::poly::Polynomial;
use warplog_facts::{Op, TermId};

use super::rule::{Rule, Step};
use crate::offsets::form;
use crate::offsets::outcome::Outcome;
use crate::offsets::parts::Part;
use crate::offsets::two::Two;

/// D16.
pub(super) const RULE: Rule = Rule {
    id: "D16",
    names: &["different-classes"],
    sentence: "Overlap would make the places of the two threads neighbours, and guards of both fix the same remainder of what differs then.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("different_classes.rs"),
    steps: &[Step::Exhausted(prove)],
};

/// A remainder that guards of both threads fix: E₁ − E₂ is `difference` modulo `modulus`.
struct Class {
    guard: TermId,
    of: TermId,
    modulus: i128,
    difference: i128,
}

fn prove(two: &mut Two<'_, '_>) -> Outcome {
    let guard = two.separating_guard();
    guard.map_or(Outcome::Nothing, |guard| {
        Outcome::apart_by("different-classes", guard)
    })
}

impl Two<'_, '_> {
    /// The guard that keeps the two accesses apart.
    fn separating_guard(&self) -> Option<TermId> {
        let classes = self.classes();
        if classes.is_empty() || !form::same_or_apart(&self.question.first, &self.question.second) {
            return None;
        }
        let parts = self.parts()?;
        let apart = |class: &&Class| {
            let difference = self.difference(class.of, &parts);
            difference.is_some_and(|known| (known - class.difference) % class.modulus != 0)
        };
        classes.iter().find(apart).map(|class| class.guard)
    }

    /// The remainders that guards of both threads fix to the same, or to the other one of two.
    fn classes(&self) -> Vec<Class> {
        let mut found = Vec::new();
        for &(guard, polarity) in &self.question.first.literals {
            let node = self.question.judge.ctx.facts.terms.get(guard);
            let &[left, right] = node.args.as_slice() else {
                continue;
            };
            let equal = match node.op {
                Op::Eq => polarity,
                Op::Ne => !polarity,
                _ => continue,
            };
            for (side, other) in [(left, right), (right, left)] {
                let Some((of, modulus)) = self.remainder_in(side) else {
                    continue;
                };
                let is_zero = self.question.judge.ctx.facts.terms.as_const(other) == Some(0);
                // Not divisible by 2 leaves one remainder.
                let is_one_of_two = modulus == 2 && is_zero;
                let same = self.question.second.literals.contains(&(guard, polarity));
                let opposite = self.question.second.literals.contains(&(guard, !polarity));
                let difference = match (same, opposite) {
                    (true, _) if is_one_of_two || equal && self.is_shared(other) => 0,
                    (false, true) if is_one_of_two => 1,
                    _ => continue,
                };
                found.push(Class {
                    guard,
                    of,
                    modulus,
                    difference,
                });
            }
        }
        found
    }

    /// What a term is the remainder of, and by which constant.
    fn remainder_in(&self, mut term: TermId) -> Option<(TermId, i128)> {
        let store = &self.question.judge.ctx.facts.terms;
        let exact = |term: TermId| {
            [&self.question.first, &self.question.second]
                .iter()
                .all(|one| {
                    self.question
                        .judge
                        .given
                        .regions
                        .ranges(one.region)
                        .is_exact(term)
                })
        };
        while matches!(store.get(term).op, Op::Cast | Op::Fit) && exact(term) {
            term = store.get(term).args[0];
        }
        let node = store.get(term);
        let &[of, by] = node.args.as_slice() else {
            return None;
        };
        let by = store.as_const(by)?;
        match node.op {
            Op::Rem if by > 1 => Some((of, by)),
            Op::BitAnd if by > 0 && (by & (by + 1)) == 0 => Some((of, by + 1)),
            _ => None,
        }
    }

    /// E₁ − E₂, if E is made of the parts and of what is shared.
    fn difference(&self, term: TermId, parts: &[Part]) -> Option<i128> {
        let of = |region: usize| self.question.judge.polynomials[region].of(term);
        let (one, other) = (
            of(self.question.first.region),
            of(self.question.second.region),
        );
        let (mut one, mut other) = (Polynomial::clone(&one), Polynomial::clone(&other));
        let mut difference = 0;
        for part in parts {
            let Some((monomial, coefficient)) = part.first.monomials().next() else {
                continue;
            };
            let times = one.coefficient(monomial);
            if times % coefficient != 0 {
                return None;
            }
            let times = times / coefficient;
            one = one.plus_scaled(&part.first, -times);
            other = other.plus_scaled(&part.second, -times);
            difference -= times * part.apart;
        }
        let shared = one.atoms().into_iter().all(|atom| self.is_shared(atom));
        let rest = one.minus(&other).as_constant()?;
        shared.then_some(difference + rest)
    }
}
