//! Sizes that are at least 1 because a guard keeps something below them that is not negative.
//!
//! `for (int j = max(0, half - x); j < min(k, w + half - x); j++)`: inside, `w` is more than `j + x - half`, which is at least 0, though
//! no range tells that: w is a parameter, and may be negative where the loop does not run.
//!
//! **Method.** Of a guard G = c·w + … ≥ 0 with c ≥ 1, w is at least 1 if c − c·w + G, in which w is no more, is at most 0 by the other
//! guards: then c − c·w is at most 0, too.

use warplog_facts::poly::Polynomial;
use warplog_facts::{Op, TermId};

use super::bounds;
use super::form::Instance;
use super::question::Question;
use super::two::Two;
use super::upper_bounds::MOST_GUARDS;

/// Most numbers of one pair that are looked at.
const MOST_SIZES: usize = 6;

/// The shared atoms of the two offsets, and what their remainders are taken by, that guards show to be at least 1.
pub(crate) fn by_guards(question: &Question<'_, '_>) -> Vec<TermId> {
    let two = Two::by_ranges(question);
    let sides = [&*question.first, &*question.second];
    let store = &question.judge.ctx.facts.terms;
    let mut atoms: Vec<TermId> = Vec::new();
    for side in sides {
        for atom in side.index.atoms() {
            atoms.push(atom);
            if let (Op::Rem, &[_, by]) = (store.get(atom).op, store.get(atom).args.as_slice()) {
                atoms.push(by);
            }
        }
    }
    atoms.sort_unstable();
    atoms.dedup();
    atoms.retain(|&atom| {
        let range = two.shared_range(atom);
        two.is_shared(atom) && range.low < 1 && range.high >= 1
    });
    atoms.truncate(MOST_SIZES);
    atoms.retain(|&atom| sides.iter().any(|side| is_above(&two, side, atom)));
    atoms
}

/// Whether a guard of the instance keeps something below the atom that is not negative.
fn is_above(two: &Two<'_, '_>, instance: &Instance, atom: TermId) -> bool {
    instance.inequalities.iter().any(|guard| {
        let factor = guard.coefficient(&[atom]);
        let mut others = guard.monomials().map(|(monomial, _)| monomial);
        if factor < 1 || others.any(|monomial| monomial.len() > 1 && monomial.contains(&atom)) {
            return false;
        }
        let least = Polynomial::constant(factor)
            .plus_scaled(&Polynomial::atom(atom), -factor)
            .plus(guard);
        bounds::is_small(&least)
            && two
                .upper_bounds(&least, instance, MOST_GUARDS)
                .iter()
                .any(|most| two.is_nonnegative(&Polynomial::default().minus(most)))
    })
}
