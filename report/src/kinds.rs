//! What is told of each kind of finding, whoever is told: names, sentences, and the page of the book.
//!
//! **Invariant**: every kind has a page in `docs/findings/`, whose first heading is the id of its rule.

use crate::finding::FindingKind;

/// All kinds, in the order in which formats list them.
pub const KINDS: [FindingKind; 4] = [
    FindingKind::DataRace,
    FindingKind::BarrierDivergence,
    FindingKind::InvalidMask,
    FindingKind::AssertionFailed,
];

impl FindingKind {
    /// The kind whose rule has this id.
    #[must_use]
    pub fn from_rule_id(id: &str) -> Option<FindingKind> {
        KINDS.into_iter().find(|kind| kind.rule_id() == id)
    }

    /// Its name in title case, one word.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::DataRace => "DataRace",
            FindingKind::BarrierDivergence => "BarrierDivergence",
            FindingKind::InvalidMask => "InvalidMask",
            FindingKind::AssertionFailed => "AssertionFailed",
        }
    }

    /// One sentence.
    #[must_use]
    pub fn summary(self) -> &'static str {
        match self {
            FindingKind::DataRace => {
                "Two threads access the same bytes, at least one of them writes, and nothing orders the two."
            }
            FindingKind::BarrierDivergence => {
                "Some threads of a block reach a barrier that other threads of the block do not reach."
            }
            FindingKind::InvalidMask => {
                "The mask of a warp operation names a lane that does not take part, or leaves out one that does."
            }
            FindingKind::AssertionFailed => {
                "A thread can reach an assertion with values that violate it."
            }
        }
    }

    /// The page, in Markdown.
    #[must_use]
    pub fn page(self) -> &'static str {
        match self {
            FindingKind::DataRace => include_str!("../../docs/findings/data-race.md"),
            FindingKind::BarrierDivergence => {
                include_str!("../../docs/findings/barrier-divergence.md")
            }
            FindingKind::InvalidMask => include_str!("../../docs/findings/invalid-mask.md"),
            FindingKind::AssertionFailed => include_str!("../../docs/findings/assertion-failed.md"),
        }
    }
}

impl FindingKind {
    /// The page for readers outside the book: its links, which lead nowhere there, name the page that they lead to.
    #[must_use]
    pub fn page_alone(self) -> String {
        let mut out = String::new();
        let mut rest = self.page();
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_page() {
        for kind in KINDS {
            let heading = format!("# {}\n", kind.rule_id());
            assert!(kind.page().starts_with(&heading), "{heading}");
            assert!(kind.page().contains("## What helps"), "{heading}");
            assert_eq!(FindingKind::from_rule_id(kind.rule_id()), Some(kind));
            assert!(!kind.page_alone().contains(".md)"), "{heading}");
            assert_eq!(
                kind.page_alone().lines().count(),
                kind.page().lines().count()
            );
        }
    }
}
