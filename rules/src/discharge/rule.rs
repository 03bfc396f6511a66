//! What a discharge rule is: its number, names and sentence, where it is from, and its steps.

use crate::offsets::comparison::Compare;
use crate::offsets::outcome::Outcome;
use crate::offsets::question::Question;
use crate::offsets::two::Two;

/// A discharge rule.
pub(crate) struct Rule {
    /// `D7`.
    pub(crate) id: &'static str,
    /// The names that it marks rows with.
    pub(crate) names: &'static [&'static str],
    /// What it says.
    pub(crate) sentence: &'static str,
    /// A paper or a manual with what of it is meant, or `our own`: words that stand behind "From:".
    pub(crate) origin: &'static str,
    /// The path of its module.
    pub(crate) module: &'static str,
    /// The text of its file, whose head has the argument.
    pub(crate) text: &'static str,
    pub(crate) steps: &'static [Step],
}

/// What a rule is asked, in the order in which pairs are judged.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// Of a pair, before its offsets are looked at.
    Before(fn(&Question<'_, '_>) -> Outcome),
    /// Of two instances, once.
    Once(Ask),
    /// Of two instances, in rounds as long as something new is known to be equal: of their guards,
    Equalities(Ask),
    /// of their offsets,
    Offsets(Ask),
    /// of the parts of their offsets where the whole offsets told nothing new,
    Parts(Ask),
    /// and of all that is known to be equal then.
    Identity(Ask),
    /// Of two instances of which no round tells more.
    Exhausted(Ask),
    /// Of two polynomials, whenever two are compared.
    Comparison(Compare),
    /// Of a pair that is still open.
    After(fn(&Question<'_, '_>) -> Outcome),
}

/// What is asked of two instances.
pub(crate) type Ask = fn(&mut Two<'_, '_>) -> Outcome;
