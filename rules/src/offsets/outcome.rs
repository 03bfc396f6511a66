//! What a rule says of a pair, or of two offsets.

use warplog_facts::TermId;

/// Why two accesses are apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Proof {
    /// The name of the rule.
    pub(crate) rule: &'static str,
    /// A term that it rests on, if it is not the offset of the first access.
    pub(crate) evidence: Option<TermId>,
}

/// What a rule says.
#[derive(Clone, Debug)]
pub(crate) enum Outcome {
    /// No two threads of the scope collide.
    Apart(Proof),
    /// If the two overlap, these atoms are equal in both instances.
    Equal(Vec<TermId>),
    /// Nothing that the rule sees.
    Nothing,
}

impl Outcome {
    /// Apart, by the rule of this name.
    pub(crate) fn apart(rule: &'static str) -> Outcome {
        Outcome::Apart(Proof {
            rule,
            evidence: None,
        })
    }

    /// Apart, by the rule of this name, which rests on a term.
    pub(crate) fn apart_by(rule: &'static str, evidence: TermId) -> Outcome {
        Outcome::Apart(Proof {
            rule,
            evidence: Some(evidence),
        })
    }

    /// Apart by the rule of this name where the condition holds.
    pub(crate) fn apart_if(holds: bool, rule: &'static str) -> Outcome {
        match holds {
            true => Outcome::apart(rule),
            false => Outcome::Nothing,
        }
    }

    pub(crate) fn is_apart(&self) -> bool {
        matches!(self, Outcome::Apart(_))
    }
}

/// Equal atoms, or nothing where there are none.
impl From<Vec<TermId>> for Outcome {
    fn from(equal: Vec<TermId>) -> Self {
        match equal.is_empty() {
            true => Outcome::Nothing,
            false => Outcome::Equal(equal),
        }
    }
}
