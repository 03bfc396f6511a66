//! Kinds of findings: one file a kind, one line of a registry.
//!
//! A kind of cost is a [`CostKind`]: about which measurements it asks, what it says of what was found, why nothing can be told of the
//! rest, and what is drawn of the worst request. It sees what was measured ([`Measured`]) as plain data, so that a kind is complete in
//! its file, and everything that prints costs reads it from [`COST_KINDS`]. Its page is `docs/findings/ID.md`.
//!
//! **Invariant**: every kind has a page in `docs/findings/`, whose first heading is the id of its rule.

mod bank_conflict;
mod divergent_branch;
mod redundant_barrier;
mod uncoalesced_access;

use crate::costs::{Measure, Measured};

/// All kinds of costs, in the order in which formats list them.
pub static COST_KINDS: [&CostKind; 4] = [
    &bank_conflict::KIND,
    &uncoalesced_access::KIND,
    &divergent_branch::KIND,
    &redundant_barrier::KIND,
];

/// A kind of cost.
#[derive(Debug)]
pub struct CostKind {
    /// The name of the rule, never renamed.
    pub id: &'static str,
    /// Its name in title case, one word.
    pub name: &'static str,
    /// What is asked about, in the plural.
    pub about: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// What is said where everything was asked about and nothing found.
    pub free: &'static str,
    /// The page, in Markdown.
    pub page: &'static str,
    /// Whether it asks about what was measured.
    pub asks: fn(&Measure) -> bool,
    /// What it says of something that was found.
    pub tell: fn(&Measured) -> Told,
    /// Why nothing can be told of something that was measured.
    pub open: fn(&Measure) -> String,
    /// What the lanes of the worst request want, piece by piece.
    pub pieces: fn(&Measure) -> Vec<Piece>,
}

/// A bank or a sector, and the lanes that want something of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// `bank`, `sector`.
    pub what: &'static str,
    /// Its number.
    pub number: i64,
    /// The lanes, one for each time it wants something.
    pub lanes: Vec<usize>,
}

/// What a kind says of a cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What, in words that stand alone but for the place.
    pub headline: String,
    /// What would help, and what it would be then.
    pub hint: Option<String>,
    /// Further remarks.
    pub notes: Vec<String>,
}

/// The kind whose rule has this id.
#[must_use]
pub fn cost_kind(id: &str) -> Option<&'static CostKind> {
    COST_KINDS.into_iter().find(|kind| kind.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_cost_has_its_page() {
        for kind in COST_KINDS {
            let heading = format!("# {}\n", kind.id);
            assert!(kind.page.starts_with(&heading), "{heading}");
            assert!(kind.page.contains("## What helps"), "{heading}");
            assert_eq!(cost_kind(kind.id).map(|own| own.name), Some(kind.name));
        }
    }
}
