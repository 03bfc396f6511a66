//! D8 `one-thread-only`: the guards alone let one thread through.
//!
//! `if (t == 0) total = …;`. Components of the thread index that the guards fix to one value are equal in both instances, and so is
//! what an equality over shared atoms says; if these make up the identity of the thread, there is one thread.

use super::rule::{Rule, Step};
use crate::offsets::outcome::Outcome;
use crate::offsets::two::Two;

const NAME: &str = "one-thread-only";

/// D8.
pub(super) const RULE: Rule = Rule {
    id: "D8",
    names: &["one-thread-only"],
    sentence: "The guards let one thread through only.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("one_thread_only.rs"),
    steps: &[Step::Once(by_ranges), Step::Equalities(by_equalities)],
};

fn by_ranges(two: &mut Two<'_, '_>) -> Outcome {
    Outcome::apart_if(two.is_one_thread(), NAME)
}

fn by_equalities(two: &mut Two<'_, '_>) -> Outcome {
    two.close();
    if !two.is_one_thread() {
        return Outcome::Nothing;
    }
    let (first, second) = (&two.question.first, &two.question.second);
    let in_both = |term| second.equalities.iter().any(|(other, _)| *other == term);
    let mut guards = first.equalities.iter().map(|(term, _)| *term);
    match guards.rfind(|&term| in_both(term)) {
        Some(guard) => Outcome::apart_by(NAME, guard),
        None => Outcome::apart(NAME),
    }
}
