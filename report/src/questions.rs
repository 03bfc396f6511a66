//! What to ask a person: assumptions that the program takes, ranked by what each would settle.
//!
//! A finding may name a condition under which it is none. Findings that name the same one are one question: who answers it with yes,
//! by `--assume` or in `warplog.toml`, settles them all. A finding that names none hangs on values, which [`crate::reasons`] counts.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use crate::brief;
use crate::causes::Cause;
use crate::printable::{counted, safe};

/// An assumption and what it would settle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question<'a> {
    /// The assumption, as `--assume` reads it.
    pub assume: &'a str,
    /// Causes that it would settle.
    pub causes: usize,
    /// Findings that it would settle.
    pub findings: usize,
    /// Kernels in which it would settle something.
    pub kernels: Vec<&'a str>,
}

/// The questions of some causes, that which settles most first.
#[must_use]
pub fn questions<'a>(causes: &[Cause<'a>]) -> Vec<Question<'a>> {
    let mut all: BTreeMap<&str, (usize, usize, BTreeSet<&str>)> = BTreeMap::new();
    for cause in causes.iter().filter(|cause| !cause.is_suppressed()) {
        let mut told: BTreeSet<&str> = BTreeSet::new();
        let groups = std::iter::once((cause.kernel, &cause.group));
        let others = cause.also.iter().map(|(kernel, group)| (*kernel, group));
        for (kernel, group) in groups.chain(others) {
            for finding in group.findings() {
                let Some(assume) = finding.race_free_if.as_deref() else {
                    continue;
                };
                let entry = all.entry(assume).or_default();
                entry.0 += usize::from(told.insert(assume));
                entry.1 += 1;
                entry.2.insert(&kernel.name);
            }
        }
    }
    let mut questions: Vec<Question<'_>> = all
        .into_iter()
        .map(|(assume, (causes, findings, kernels))| Question {
            assume,
            causes,
            findings,
            kernels: kernels.into_iter().collect(),
        })
        .collect();
    questions.sort_by_key(|question| {
        Reverse((question.causes, question.kernels.len(), question.findings))
    });
    questions
}

impl Question<'_> {
    /// ``3 findings in `scale`: are the elements of `idx` pairwise different? (--assume '__distinct(idx)')``
    #[must_use]
    pub fn words(&self) -> String {
        let kernels = match self.kernels.as_slice() {
            [one] => format!("`{}`", brief::term(one)),
            all => counted(all.len(), "kernel", "kernels"),
        };
        format!(
            "{} in {kernels}: {} (--assume '{}')",
            counted(self.findings, "finding", "findings"),
            asked(self.assume),
            safe(self.assume)
        )
    }
}

/// An assumption as a question.
#[must_use]
pub fn asked(assume: &str) -> String {
    let inside = |name: &str| {
        let rest = assume
            .strip_prefix(name)?
            .strip_prefix('(')?
            .strip_suffix(')')?;
        (!rest.contains([',', '(', ')', '&', '|'])).then(|| brief::term(rest))
    };
    if let Some(array) = inside("__distinct") {
        return format!("are the elements of `{array}` pairwise different?");
    }
    if let Some(array) = inside("__sorted") {
        return format!("are the elements of `{array}` in ascending order?");
    }
    if let Some(term) = inside("__is_pow2") {
        return format!("is `{term}` a power of two?");
    }
    match assume {
        "gridDim.x == 1" | "gridDim.x * gridDim.y * gridDim.z == 1" => {
            "is it launched with one block only?".to_owned()
        }
        _ => format!("is `{}` always so?", brief::middle(assume, 2 * brief::TERM)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{Kernel, Report};
    use crate::sample;

    #[test]
    fn what_settles_most_is_asked_first() {
        let under = |condition: &str| crate::finding::Finding {
            race_free_if: Some(condition.to_owned()),
            ..sample::race()
        };
        let named = |name: &str, line: u32, condition: &str| {
            let mut finding = under(condition);
            for location in &mut finding.locations {
                location.place.line = line;
            }
            Kernel {
                name: name.to_owned(),
                line,
                findings: vec![finding],
                ..sample::race_free_kernel()
            }
        };
        let report = Report {
            kernels: vec![
                named("a", 1, "n <= 4"),
                named("b", 2, "__distinct(idx)"),
                named("c", 3, "__distinct(idx)"),
            ],
            ..Report::default()
        };
        let causes = crate::causes::causes(&report);
        let words: Vec<String> = questions(&causes).iter().map(Question::words).collect();
        assert_eq!(
            words,
            [
                "2 findings in 2 kernels: are the elements of `idx` pairwise different? (--assume '__distinct(idx)')",
                "1 finding in `a`: is `n <= 4` always so? (--assume 'n <= 4')",
            ]
        );
    }

    #[test]
    fn assumptions_are_asked_in_words() {
        assert_eq!(
            asked("__is_pow2(blockDim.x)"),
            "is `blockDim.x` a power of two?"
        );
        assert_eq!(
            asked("gridDim.x == 1"),
            "is it launched with one block only?"
        );
        assert_eq!(
            asked("__distinct(a) && n > 0"),
            "is `__distinct(a) && n > 0` always so?"
        );
    }
}
