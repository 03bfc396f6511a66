//! Verdicts, certainties and the exit status, derived from what was found.
//!
//! A verdict is never stored: a launch with a finding has the verdict of its worst finding; only a launch without one has
//! the verdict of its [`Outcome`], and `race_free` asks for [`Outcome::Complete`] and no undecided candidate. A kernel has
//! the worst verdict of its launches, and a kernel without a launch is `unknown`: nothing becomes race-free by omission.

use crate::finding::{Dim, Finding, Kernel, Launch, LaunchSource, Outcome, Report};
use crate::judgement::{Certainty, Harm, Severity, Verdict};
use crate::meeting::{AccessKind, Role, Scope};

/// From which findings on a run fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FailOn {
    /// Only on confirmed findings.
    #[default]
    Confirmed,
    /// On confirmed and conditional findings.
    Conditional,
    /// On confirmed, conditional and potential findings.
    Potential,
    /// On any finding and on any kernel that is `unknown`.
    Unknown,
}

/// The exit status of a run over a report: 3 if some input could not be read or analysed (a contradictory launch
/// included), else 1 if something reaches `fail_on`, else 0. Wrong use, 2, is decided before there is a report.
#[must_use]
pub fn exit_status(report: &Report, fail_on: FailOn) -> u8 {
    let unanalysed = !report.errors.is_empty()
        || report.kernels.iter().any(|kernel| {
            kernel
                .launches
                .iter()
                .any(|launch| matches!(launch.outcome, Outcome::Contradictory(_)))
        });
    if unanalysed {
        3
    } else if report.kernels.iter().any(|kernel| fails(kernel, fail_on)) {
        1
    } else {
        0
    }
}

impl FailOn {
    /// Whether a finding makes the run fail. A suppressed one does not.
    pub(crate) fn counts(self, finding: &Finding) -> bool {
        finding.suppressed.is_none()
            && match self {
                FailOn::Confirmed => finding.severity() == Severity::Error,
                FailOn::Conditional => match finding.severity() {
                    Severity::Error => true,
                    Severity::Warning => finding.certainty >= Certainty::Conditional,
                    Severity::Note => false,
                },
                FailOn::Potential => finding.severity() >= Severity::Warning,
                FailOn::Unknown => true,
            }
    }
}

/// Whether a kernel makes the run fail.
fn fails(kernel: &Kernel, fail_on: FailOn) -> bool {
    let mut findings = kernel.findings.iter();
    let finding = findings.any(|finding| fail_on.counts(finding));
    let undecided = fail_on == FailOn::Unknown
        && (kernel.verdict() == Verdict::Unknown
            || (0..kernel.launches.len())
                .any(|launch| kernel.launch_verdict(launch) == Verdict::Unknown));
    finding || undecided
}

impl Kernel {
    /// The verdict on one launch: of its worst finding, else of its outcome. A launch that is not there is `unknown`.
    #[must_use]
    pub fn launch_verdict(&self, launch: usize) -> Verdict {
        let worst = self
            .findings
            .iter()
            .filter(|finding| finding.launches.contains(&launch))
            .map(|finding| finding.kind().verdict())
            .max();
        let rest = match self.launches.get(launch).map(|launch| &launch.outcome) {
            Some(Outcome::Complete) if self.stats.undecided == 0 => Verdict::RaceFree,
            Some(Outcome::Complete) => {
                // The count is over all launches: it speaks for this one unless another one owns up to it.
                let owned = self
                    .launches
                    .iter()
                    .any(|launch| matches!(launch.outcome, Outcome::Undecided(_)));
                if owned {
                    Verdict::RaceFree
                } else {
                    Verdict::Unknown
                }
            }
            Some(Outcome::Contradictory(_)) => Verdict::Error,
            Some(Outcome::Undecided(_)) | None => Verdict::Unknown,
        };
        worst.unwrap_or(rest)
    }

    /// The verdict on the kernel: the worst over its launches and its findings; `unknown` without a launch.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        let findings = self.findings.iter().map(|finding| finding.kind().verdict());
        let launches = (0..self.launches.len()).map(|launch| self.launch_verdict(launch));
        findings.chain(launches).max().unwrap_or(Verdict::Unknown)
    }

    /// The certainty of the strongest finding, if there is one.
    #[must_use]
    pub fn certainty(&self) -> Option<Certainty> {
        self.findings.iter().map(|finding| finding.certainty).max()
    }

    /// What the verdict rests on: the assumptions of all launches, each once, in the order of the launches.
    #[must_use]
    pub fn assumptions(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for assumption in self.launches.iter().flat_map(|launch| &launch.assumptions) {
            if !all.contains(&assumption.as_str()) {
                all.push(assumption);
            }
        }
        all
    }

    /// Whether the verdict was reached without comparing a single pair of accesses.
    #[must_use]
    pub fn compared_nothing(&self) -> bool {
        self.stats.pairs == 0
    }
}

impl Launch {
    /// Whether all its sizes are numbers.
    #[must_use]
    pub fn is_known(&self) -> bool {
        let mut dims = self.block.iter().chain(&self.grid);
        dims.all(|dim| matches!(dim, Dim::Known(_)))
    }
}

impl Finding {
    /// How serious it is: as configured, else a note if it is by design, an error if it is confirmed, a warning if it is
    /// conditional or potential.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity.unwrap_or(match (self.harm, self.certainty) {
            (Harm::ByDesign, _) => Severity::Note,
            (Harm::Possible, Certainty::Confirmed) => Severity::Error,
            (Harm::Possible, Certainty::Conditional | Certainty::Potential) => Severity::Warning,
        })
    }

    /// What the author of the code is asked by a conditional finding: the condition under which there is no such finding, or
    /// the values that it hinges on.
    #[must_use]
    pub fn question(&self) -> Option<String> {
        if self.certainty != Certainty::Conditional {
            return None;
        }
        let good = self.kind().kind().absence;
        Some(match &self.race_free_if {
            Some(condition) => format!("{good} if `{condition}`"),
            None if self.hinges_on.is_empty() => "hinges on the launch".to_owned(),
            None => format!("hinges on {}", self.hinges_on.join(", ")),
        })
    }

    /// Why it is suppressed, if it is.
    #[must_use]
    pub fn suppressed_because(&self) -> Option<&str> {
        self.suppressed
            .as_ref()
            .map(|suppression| suppression.reason.as_str())
    }

    /// The pair of accesses as the contract spells it; the order of the two does not matter. Two reads are no race.
    #[must_use]
    pub fn access_code(&self) -> Option<&'static str> {
        let [first, second] = self.accesses()?;
        match (first.min(second), first.max(second)) {
            (AccessKind::Write, AccessKind::Write) => Some("ww"),
            (AccessKind::Read, AccessKind::Write) => Some("rw"),
            (AccessKind::Write, AccessKind::Atomic) => Some("wa"),
            (AccessKind::Read, AccessKind::Atomic) => Some("ra"),
            (AccessKind::Atomic, AccessKind::Atomic) => Some("aa"),
            _ => None,
        }
    }
}

impl Verdict {
    /// The name in the contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::RaceFree => "race_free",
            Verdict::Unknown => "unknown",
            Verdict::Error => "error",
            Verdict::AssertionFailed => "assertion_failed",
            Verdict::BarrierDivergence => "barrier_divergence",
            Verdict::Racy => "racy",
        }
    }
}

impl Certainty {
    /// The name in the contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Certainty::Potential => "potential",
            Certainty::Conditional => "conditional",
            Certainty::Confirmed => "confirmed",
        }
    }
}

impl Harm {
    /// The name in the contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Harm::Possible => "possible",
            Harm::ByDesign => "by_design",
        }
    }
}

impl Severity {
    /// The word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

impl Scope {
    /// The name in the contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Scope::IntraWarp => "intra_warp",
            Scope::InterWarp => "inter_warp",
            Scope::InterBlock => "inter_block",
        }
    }
}

impl LaunchSource {
    /// The name in the contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            LaunchSource::Code => "code",
            LaunchSource::Flag => "flag",
            LaunchSource::Header => "header",
            LaunchSource::Comment => "comment",
            LaunchSource::Configuration => "configuration",
            LaunchSource::Symbolic => "symbolic",
        }
    }
}

impl Role {
    /// The name in the contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Role::First => "first",
            Role::Second => "second",
            Role::Barrier => "barrier",
            Role::Condition => "condition",
            Role::Assertion => "assertion",
        }
    }
}

impl AccessKind {
    /// The word for people.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic access",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::InputError;
    use crate::findings::FindingKind;
    use crate::place::Note;
    use crate::sample;

    fn undecided() -> Outcome {
        Outcome::Undecided(vec![Note {
            place: None,
            text: "out of budget".to_owned(),
        }])
    }

    fn with(kind: FindingKind, certainty: Certainty, launches: &[usize]) -> Finding {
        Finding {
            defect: sample::defect(kind),
            certainty,
            launches: launches.to_vec(),
            ..sample::race()
        }
    }

    #[test]
    fn nothing_is_race_free_by_omission() {
        let mut kernel = sample::race_free_kernel();
        assert_eq!(kernel.verdict(), Verdict::RaceFree);
        kernel.stats.undecided = 1;
        assert_eq!(kernel.verdict(), Verdict::Unknown);
        kernel.stats.undecided = 0;
        kernel.launches.clear();
        assert_eq!(kernel.verdict(), Verdict::Unknown);
        assert_eq!(kernel.launch_verdict(3), Verdict::Unknown);
    }

    #[test]
    fn the_worst_launch_decides() {
        let mut kernel = sample::race_free_kernel();
        let mut other = kernel.launches[0].clone();
        other.outcome = undecided();
        kernel.launches.push(other.clone());
        kernel.stats.undecided = 2;
        assert_eq!(kernel.launch_verdict(0), Verdict::RaceFree);
        assert_eq!(kernel.launch_verdict(1), Verdict::Unknown);
        assert_eq!(kernel.verdict(), Verdict::Unknown);

        other.outcome = Outcome::Contradictory(Vec::new());
        kernel.launches.push(other);
        assert_eq!(kernel.verdict(), Verdict::Error);

        kernel.findings.push(with(
            FindingKind::AssertionFailed,
            Certainty::Potential,
            &[1],
        ));
        assert_eq!(kernel.launch_verdict(0), Verdict::RaceFree);
        assert_eq!(kernel.launch_verdict(1), Verdict::AssertionFailed);
        assert_eq!(kernel.verdict(), Verdict::AssertionFailed);
        kernel
            .findings
            .push(with(FindingKind::InvalidMask, Certainty::Confirmed, &[1]));
        assert_eq!(kernel.verdict(), Verdict::BarrierDivergence);
        kernel
            .findings
            .push(with(FindingKind::DataRace, Certainty::Potential, &[]));
        assert_eq!(kernel.verdict(), Verdict::Racy);
    }

    #[test]
    fn a_finding_beats_a_complete_outcome() {
        let mut kernel = sample::race_free_kernel();
        kernel
            .findings
            .push(with(FindingKind::DataRace, Certainty::Potential, &[0]));
        assert_eq!(kernel.launch_verdict(0), Verdict::Racy);
    }

    #[test]
    fn the_strongest_finding_gives_the_certainty() {
        let mut kernel = sample::race_free_kernel();
        assert_eq!(kernel.certainty(), None);
        kernel
            .findings
            .push(with(FindingKind::DataRace, Certainty::Potential, &[0]));
        assert_eq!(kernel.certainty(), Some(Certainty::Potential));
        kernel
            .findings
            .push(with(FindingKind::DataRace, Certainty::Confirmed, &[0]));
        assert_eq!(kernel.certainty(), Some(Certainty::Confirmed));
    }

    #[test]
    fn access_codes_ignore_the_order() {
        use AccessKind::{Atomic, Read, Write};
        let code = |first, second| {
            let mut race = sample::race();
            sample::race_of(&mut race).accesses = [first, second];
            race.access_code()
        };
        assert_eq!(code(Write, Write), Some("ww"));
        assert_eq!(code(Write, Read), Some("rw"));
        assert_eq!(code(Read, Write), Some("rw"));
        assert_eq!(code(Atomic, Write), Some("wa"));
        assert_eq!(code(Atomic, Read), Some("ra"));
        assert_eq!(code(Atomic, Atomic), Some("aa"));
        assert_eq!(code(Read, Read), None);
    }

    #[test]
    fn the_exit_status_follows_fail_on() {
        let status = |findings: Vec<Finding>, outcome: Outcome, fail_on| {
            let mut kernel = sample::race_free_kernel();
            kernel.findings = findings;
            kernel.launches[0].outcome = outcome;
            let report = Report {
                kernels: vec![kernel],
                ..Report::default()
            };
            exit_status(&report, fail_on)
        };
        let race = |certainty| vec![with(FindingKind::DataRace, certainty, &[0])];
        let by_design = vec![Finding {
            harm: Harm::ByDesign,
            ..sample::race()
        }];
        let suppressed = vec![Finding {
            suppressed: Some(crate::suppression::Suppression {
                by: crate::suppression::SuppressedBy::Comment,
                reason: "because".to_owned(),
            }),
            ..sample::race()
        }];
        for (findings, outcome, expected) in [
            (Vec::new(), Outcome::Complete, [0, 0, 0, 0]),
            (race(Certainty::Confirmed), Outcome::Complete, [1, 1, 1, 1]),
            (
                race(Certainty::Conditional),
                Outcome::Complete,
                [0, 1, 1, 1],
            ),
            (race(Certainty::Potential), Outcome::Complete, [0, 0, 1, 1]),
            (by_design, Outcome::Complete, [0, 0, 0, 1]),
            (Vec::new(), undecided(), [0, 0, 0, 1]),
            (suppressed, Outcome::Complete, [0, 0, 0, 0]),
            (
                race(Certainty::Confirmed),
                Outcome::Contradictory(Vec::new()),
                [3, 3, 3, 3],
            ),
        ] {
            let levels = [
                FailOn::Confirmed,
                FailOn::Conditional,
                FailOn::Potential,
                FailOn::Unknown,
            ];
            let got = levels.map(|fail_on| status(findings.clone(), outcome.clone(), fail_on));
            assert_eq!(got, expected, "{findings:?} {outcome:?}");
        }
    }

    #[test]
    fn an_unreadable_input_comes_before_findings() {
        let mut report = sample::report();
        report.errors.clear();
        report
            .kernels
            .retain(|kernel| kernel.verdict() != Verdict::Error);
        assert_eq!(exit_status(&report, FailOn::Potential), 1);
        report.errors.push(InputError {
            file: "gone.cu".to_owned(),
            line: None,
            message: "cannot read".to_owned(),
        });
        assert_eq!(exit_status(&report, FailOn::Potential), 3);
    }
}
