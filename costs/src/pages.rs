//! The rules of costs, one entry each: number and sentence, as `warplog rules` and the book tell them.

/// What is told of a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RulePage {
    /// `C1`.
    pub id: &'static str,
    /// What it says.
    pub sentence: &'static str,
    /// Where its idea comes from.
    pub origin: &'static str,
}

/// All rules.
pub const PAGES: &[RulePage] = &[
    RulePage {
        id: "C1",
        sentence: "The degree of an access to shared memory is that of its worst request: the number of distinct words in the fullest bank.",
        origin: "the CUDA C++ Programming Guide, on shared memory",
    },
    RulePage {
        id: "C2",
        sentence: "An access to shared memory conflicts if a request of it takes more than one turn.",
        origin: "the CUDA C++ Programming Guide, on shared memory",
    },
    RulePage {
        id: "C3",
        sentence: "An access to global memory is not coalesced if a request of it touches more sectors than its bytes need.",
        origin: "the CUDA C++ Programming Guide, on global memory",
    },
    RulePage {
        id: "C4",
        sentence: "A branch is divergent if lanes of a warp differ on it and both sides have accesses, or if at least half of the warps differ.",
        origin: "our own, after P. Li, G. Li, G. Gopalakrishnan (SC 2012)",
    },
    RulePage {
        id: "C5",
        sentence: "What is only a bound is not told as a cost: of such an access nothing can be told.",
        origin: "our own",
    },
    RulePage {
        id: "C6",
        sentence: "A barrier is redundant if the analysis of the kernel without it finds nothing and leaves nothing open.",
        origin: "our own",
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rule_is_in_the_book() {
        let book = include_str!("../../docs/costs.md");
        for page in PAGES {
            let row = format!("| {} | ", page.id);
            assert!(book.contains(&row), "{}", page.id);
        }
    }

    #[test]
    fn every_rule_is_at_its_place() {
        let source = include_str!("rules.rs");
        for page in PAGES.iter().filter(|page| page.id != "C6") {
            let own = format!("// {}: ", page.id);
            let told = source
                .lines()
                .find_map(|line| line.trim().strip_prefix(&own));
            let told = told.expect("the rule stands beside its number");
            assert!(
                told.len() > 10 && page.sentence.ends_with('.'),
                "{}",
                page.id
            );
        }
    }
}
