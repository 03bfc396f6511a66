//! Kinds of findings: one file a kind, one line of a registry.
//!
//! What kinds are made of is in [`kind`]. A kind of defect is a [`DefectKind`], what is said of every finding of the kind, and a type of its own with what only findings of
//! that kind have (of a race: its accesses, their array, the interval in which they meet). The registry makes the sum of these types,
//! [`Defect`], and their names, [`FindingKind`]; no renderer asks which kind a finding is of.
//!
//! A kind of cost is a [`CostKind`]: about which measurements it asks, what it says of what was found, why nothing can be told of the
//! rest, and what is drawn of the worst request. It sees what was measured ([`Measured`]) as plain data, so that a kind is complete in
//! its file, and everything that prints costs reads it from [`COST_KINDS`]. Its page is `docs/findings/ID.md`.
//!
//! **Invariant**: every kind has a page in `docs/findings/`, whose first heading is the id of its rule.

pub mod assertion_failed;
mod bank_conflict;
pub mod barrier_divergence;
pub mod data_race;
mod divergent_branch;
pub mod endless_wait;
#[cfg(test)]
mod fifth;
pub mod invalid_mask;
pub mod kind;
pub mod missing_proxy_fence;
mod redundant_barrier;
mod uncoalesced_access;

use serde::{Deserialize, Serialize};

use crate::judgement::Verdict;
use crate::meeting::Role;
use kind::{CostKind, DefectKind, Words};

/// Declares the kinds of defects, in the order in which formats list them.
macro_rules! defects {
    ($($kind:ident in $file:ident),* $(,)?) => {
        /// Kinds of defects.
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub enum FindingKind {
            $(
                #[doc = concat!("See [`", stringify!($file), "`].")]
                $kind,
            )*
        }

        /// All kinds, in the order in which formats list them.
        pub const KINDS: [FindingKind; [$(stringify!($kind)),*].len()] = [$(FindingKind::$kind),*];

        /// What only findings of one kind have.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Defect {
            $(
                #[doc = concat!("See [`", stringify!($file), "`].")]
                $kind($file::$kind),
            )*
        }

        impl FindingKind {
            /// What is said of every finding of the kind.
            #[must_use]
            pub fn kind(self) -> &'static DefectKind {
                match self {
                    $(FindingKind::$kind => &$file::KIND,)*
                }
            }
        }

        impl Defect {
            /// Its kind.
            #[must_use]
            pub fn kind(&self) -> FindingKind {
                match self {
                    $(Defect::$kind(_) => FindingKind::$kind,)*
                }
            }

            /// What the kind says of this finding.
            fn words(&self) -> &dyn Words {
                match self {
                    $(Defect::$kind(own) => own,)*
                }
            }
        }
    };
}

defects! {
    DataRace in data_race,
    BarrierDivergence in barrier_divergence,
    InvalidMask in invalid_mask,
    AssertionFailed in assertion_failed,
    MissingProxyFence in missing_proxy_fence,
    EndlessWait in endless_wait,
}

impl Defect {
    /// What is wrong, behind `confirmed data race in k: `.
    pub(crate) fn what(&self) -> String {
        self.words().what()
    }

    /// What stands at a location: `(1) write`, `this barrier`.
    pub(crate) fn label(&self, role: Role) -> String {
        self.words().label(role)
    }

    /// What the `nth` thread of a witness does, in a word or two.
    pub(crate) fn does(&self, nth: usize) -> String {
        self.words().does(nth)
    }
}

impl FindingKind {
    /// The kind whose rule has this id.
    #[must_use]
    pub fn from_rule_id(id: &str) -> Option<FindingKind> {
        KINDS.into_iter().find(|kind| kind.rule_id() == id)
    }

    /// The kind that a name in a suppression means, and whether only findings on shared memory (or only those on other memory) are
    /// meant.
    #[must_use]
    pub fn named(name: &str) -> Option<(FindingKind, Option<bool>)> {
        KINDS.into_iter().find_map(|kind| {
            if kind.rule_id() == name {
                return Some((kind, None));
            }
            let part = kind.kind().parts.iter().find(|(own, _)| *own == name)?;
            Some((kind, Some(part.1)))
        })
    }

    /// The name of the rule: in headlines, comments, the configuration and the formats of others. Never renamed.
    #[must_use]
    pub fn rule_id(self) -> &'static str {
        self.kind().id
    }

    /// The name in the contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.kind().key
    }

    /// The verdict that a finding of this kind brings.
    #[must_use]
    pub fn verdict(self) -> Verdict {
        self.kind().verdict
    }

    /// The page for readers outside the book: its links, which lead nowhere there, name the page that they lead to.
    #[must_use]
    pub fn page_alone(self) -> String {
        let mut out = String::new();
        let mut rest = self.kind().page;
        while let Some((before, after)) = rest.split_once("](") {
            let (Some(at), Some((target, behind))) = (before.rfind('['), after.split_once(')'))
            else {
                out.push_str(before);
                out.push_str("](");
                rest = after;
                continue;
            };
            out.push_str(&before[..at]);
            let words = &before[at + 1..];
            if target.contains("://") {
                out.push_str(&format!("[{words}]({target})"));
            } else {
                let page = target.trim_start_matches("../");
                out.push_str(&format!("{words} (`docs/{page}`)"));
            }
            rest = behind;
        }
        out.push_str(rest);
        out
    }
}

/// Declares the kinds of costs, in the order in which formats list them: each by the name of its file.
macro_rules! costs {
    ($($(#[$when:meta])* $file:ident),* $(,)?) => {
        /// All kinds of costs, in the order in which formats list them.
        pub static COST_KINDS: [&CostKind; [$($(#[$when])* stringify!($file)),*].len()] =
            [$($(#[$when])* &$file::KIND),*];
    };
}

costs! {
    bank_conflict,
    uncoalesced_access,
    divergent_branch,
    redundant_barrier,
    #[cfg(test)]
    fifth,
}

/// All names that a suppression may give: of kinds, of parts of kinds, and of kinds of costs.
#[must_use]
pub fn names() -> Vec<&'static str> {
    let defects = KINDS.into_iter().flat_map(|kind| {
        let parts = kind.kind().parts.iter().map(|(name, _)| *name);
        std::iter::once(kind.rule_id()).chain(parts)
    });
    let costs = COST_KINDS.into_iter().map(|kind| kind.id);
    defects.chain(costs).collect()
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
    fn every_kind_has_its_page() {
        for kind in KINDS {
            let page = kind.kind().page;
            let heading = format!("# {}\n", kind.rule_id());
            assert!(page.starts_with(&heading), "{heading}");
            assert!(page.contains("## What helps"), "{heading}");
            assert_eq!(FindingKind::from_rule_id(kind.rule_id()), Some(kind));
            assert!(!kind.page_alone().contains(".md)"), "{heading}");
            assert_eq!(kind.page_alone().lines().count(), page.lines().count());
        }
    }

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
