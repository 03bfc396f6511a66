//! Findings of a whole report by cause, the worst first: what a person reads, in every format for people.
//!
//! [`groups`] brings the findings of a kernel together. Groups of several kernels have one cause, too: instances of one template
//! (the same definition, array, interval and mend), and kernels that call one device function in which both accesses stand (the same
//! places). One of them, the surest, is shown; the others are counted and named.
//!
//! **Order.** Severity, then certainty, then the order of the report. Suppressed findings come last.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use crate::finding::{Finding, Kernel, Report};
use crate::groups::{CauseKey, Group, SpotKey, cause, groups, rank, spot};
use crate::judgement::{Certainty, Harm, Severity};

/// A cause with all its findings, in however many kernels.
#[derive(Clone, Debug)]
pub struct Cause<'a> {
    /// The kernel of the finding that is shown.
    pub kernel: &'a Kernel,
    /// The findings of that kernel.
    pub group: Group<'a>,
    /// The other kernels and instances that have it, with their findings.
    pub also: Vec<(&'a Kernel, Group<'a>)>,
}

impl<'a> Cause<'a> {
    /// How many findings have it.
    #[must_use]
    pub fn len(&self) -> usize {
        let others = self.also.iter();
        self.group.len() + others.map(|(_, group)| group.len()).sum::<usize>()
    }

    /// A cause has at least one finding.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        false
    }

    /// All findings, that which is shown first.
    pub fn findings(&self) -> impl Iterator<Item = &'a Finding> + '_ {
        let others = self.also.iter().flat_map(|(_, group)| group.findings());
        self.group.findings().chain(others)
    }

    /// The kernels that have it.
    pub fn kernels(&self) -> impl Iterator<Item = &'a Kernel> + '_ {
        std::iter::once(self.kernel).chain(self.also.iter().map(|(kernel, _)| *kernel))
    }

    /// The id by which formats for programs name it: that of the finding which is shown.
    #[must_use]
    pub fn id(&self) -> &'a str {
        &self.group.lead.id
    }

    /// Whether it counts.
    #[must_use]
    pub fn is_suppressed(&self) -> bool {
        self.group.lead.suppressed.is_some()
    }

    /// Whether it is meant, and the code made to stand it: a remark, whatever it is sure of.
    #[must_use]
    pub fn is_by_design(&self) -> bool {
        let lead = self.group.lead;
        lead.harm == Harm::ByDesign && lead.severity() == Severity::Note
    }

    /// Whether it is conditional and no error by configuration: of many, a line is shown of each.
    #[must_use]
    pub fn is_conditional(&self) -> bool {
        let lead = self.group.lead;
        lead.certainty == Certainty::Conditional && lead.severity() < Severity::Error
    }

    /// Whether it is at most potential and no error by configuration: counted, not shown, unless somebody asks.
    #[must_use]
    pub fn is_potential(&self) -> bool {
        let lead = self.group.lead;
        lead.certainty == Certainty::Potential && lead.severity() < Severity::Error
    }
}

/// The definition of a kernel: a template's instances share it.
type Definition<'a> = (&'a str, u32);

/// The causes of a report.
#[must_use]
pub fn causes(report: &Report) -> Vec<Cause<'_>> {
    let mut clusters: Vec<Vec<(&Kernel, Group<'_>)>> = Vec::new();
    let mut by_cause: BTreeMap<(Definition<'_>, CauseKey<'_>), usize> = BTreeMap::new();
    let mut by_spot: BTreeMap<SpotKey<'_>, usize> = BTreeMap::new();
    for kernel in &report.kernels {
        for group in groups(kernel) {
            let key = ((kernel.file.as_str(), kernel.line), cause(group.lead));
            let places = spot(group.lead);
            let known = by_cause.get(&key).or_else(|| by_spot.get(&places));
            let at = known.copied().unwrap_or(clusters.len());
            by_cause.entry(key).or_insert(at);
            by_spot.entry(places).or_insert(at);
            match clusters.get_mut(at) {
                Some(cluster) => cluster.push((kernel, group)),
                None => clusters.push(vec![(kernel, group)]),
            }
        }
    }
    let mut causes: Vec<Cause<'_>> = clusters
        .into_iter()
        .filter_map(|mut cluster| {
            cluster.sort_by_key(|(_, group)| rank(group.lead));
            let mut cluster = cluster.into_iter();
            let (kernel, group) = cluster.next()?;
            Some(Cause {
                kernel,
                group,
                also: cluster.collect(),
            })
        })
        .collect();
    causes.sort_by_key(|cause| (cause.is_suppressed(), rank(cause.group.lead)));
    causes
}

/// By the id of a finding, the id of its cause.
#[must_use]
pub fn cause_ids(report: &Report) -> BTreeMap<&str, &str> {
    let mut ids = BTreeMap::new();
    for cause in causes(report) {
        for finding in cause.findings() {
            ids.insert(finding.id.as_str(), cause.id());
        }
    }
    ids
}

/// Kernels in the order in which lists show them: those with the worst cause first, then those that are undecided, then the rest.
#[must_use]
pub fn worst_first(report: &Report) -> Vec<&Kernel> {
    let mut kernels: Vec<&Kernel> = report.kernels.iter().collect();
    kernels.sort_by_key(|kernel| {
        let findings = kernel.findings.iter();
        let counting = findings.filter(|finding| finding.suppressed.is_none());
        let worst = counting.map(|finding| (finding.severity(), finding.certainty));
        Reverse((worst.max(), kernel.verdict()))
    });
    kernels
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    fn report(kernels: Vec<Kernel>) -> Report {
        let mut report = Report {
            kernels,
            ..sample::report()
        };
        crate::id::finish(&mut report);
        report
    }

    fn named(name: &str, line: u32, findings: Vec<Finding>) -> Kernel {
        Kernel {
            name: name.to_owned(),
            line,
            findings,
            ..sample::race_free_kernel()
        }
    }

    fn moved(finding: Finding, line: u32) -> Finding {
        let mut finding = finding;
        for location in &mut finding.locations {
            location.place.line = line;
        }
        finding
    }

    #[test]
    fn instances_of_a_template_share_a_cause_and_the_surest_is_shown() {
        let mut weak = moved(sample::race(), 9);
        weak.certainty = Certainty::Potential;
        let report = report(vec![
            named("k<1>", 4, vec![weak]),
            named("k<2>", 4, vec![sample::race(), moved(sample::race(), 7)]),
            named("other", 70, vec![moved(sample::race(), 80)]),
        ]);
        let causes = causes(&report);
        let shape: Vec<(&str, usize, usize)> = causes
            .iter()
            .map(|cause| (cause.kernel.name.as_str(), cause.len(), cause.also.len()))
            .collect();
        assert_eq!(shape, [("k<2>", 3, 1), ("other", 1, 0)]);
        let ids = cause_ids(&report);
        assert_eq!(ids.len(), 4);
        assert_eq!(ids.values().filter(|id| **id == causes[0].id()).count(), 3);
    }

    #[test]
    fn accesses_of_one_device_function_are_one_cause_for_all_its_callers() {
        let report = report(vec![
            named("a", 4, vec![sample::race()]),
            named("b", 40, vec![sample::race()]),
        ]);
        let causes = causes(&report);
        assert_eq!(causes.len(), 1);
        let names: Vec<&str> = causes[0]
            .kernels()
            .map(|kernel| kernel.name.as_str())
            .collect();
        assert_eq!(names, ["a", "b"]);
    }

    #[test]
    fn the_worst_comes_first_and_what_is_suppressed_last() {
        let mut weak = moved(sample::race(), 3);
        weak.certainty = Certainty::Potential;
        let mut quiet = moved(sample::race(), 5);
        quiet.suppressed = Some(crate::suppression::Suppression {
            by: crate::suppression::SuppressedBy::Comment,
            reason: "known".to_owned(),
        });
        let report = report(vec![
            named("quiet", 1, vec![quiet]),
            named("weak", 2, vec![weak]),
            named("sure", 3, vec![sample::race()]),
            sample::race_free_kernel(),
        ]);
        let order: Vec<&str> = causes(&report)
            .iter()
            .map(|cause| cause.kernel.name.as_str())
            .collect();
        assert_eq!(order, ["sure", "weak", "quiet"]);
        let order: Vec<&str> = worst_first(&report)
            .iter()
            .map(|kernel| kernel.name.as_str())
            .collect();
        assert_eq!(order, ["sure", "weak", "quiet", "shift_ok"]);
    }
}
