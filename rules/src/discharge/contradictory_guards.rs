//! D3 `contradictory-guards`: the guards of the two accesses cannot both hold.
//!
//! `if (n > 4) s[0] = t; else x = s[0];`: a condition that both threads share is true for one access and false for the other.
//! `if (t == 0) … if (t == 1) …`: two equalities over atoms that have one value cannot hold both.

use super::rule::{Rule, Step};
use crate::offsets::outcome::Outcome;
use crate::offsets::question::Question;
use crate::offsets::two::Two;

const NAME: &str = "contradictory-guards";

/// D3.
pub(super) const RULE: Rule = Rule {
    id: "D3",
    names: &["contradictory-guards"],
    sentence: "A shared condition is true for one access and false for the other, or two equalities cannot hold both.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("contradictory_guards.rs"),
    steps: &[Step::Before(by_conditions), Step::Equalities(by_equalities)],
};

fn by_conditions(question: &Question<'_, '_>) -> Outcome {
    let (first, second) = (&question.first.literals, &question.second.literals);
    for &(term, polarity) in first {
        if second.binary_search(&(term, !polarity)).is_ok() && question.is_shared(term) {
            return Outcome::apart_by(NAME, term);
        }
    }
    Outcome::Nothing
}

/// Two equalities that cannot hold both; one equality in both instances makes what it names equal.
fn by_equalities(two: &mut Two<'_, '_>) -> Outcome {
    let question = two.question;
    let mut equal = Vec::new();
    for (term, left) in &question.first.equalities {
        for (other, right) in &question.second.equalities {
            match two.compare(left, right, (1, 1), false) {
                Outcome::Apart(_) => return Outcome::apart_by(NAME, *term),
                Outcome::Equal(atoms) if term == other => {
                    two.add_equal(&atoms);
                    equal.extend(atoms);
                }
                _ => {}
            }
        }
    }
    Outcome::from(equal)
}
