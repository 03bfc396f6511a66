//! What a run covers: how much of the input was found, modelled and decided, and what is in the way.
//!
//! Everything is derived from the report; nothing here changes a verdict. **Modelled** is a kernel without any construct that
//! the front end did not understand and that may hide an access or a barrier, under each of its launches; **decided** is one
//! that is modelled and has no question that the solver left open. A racy kernel can be not modelled: the race was found
//! beside what is not understood.
//!
//! Reasons are counted by kernels. They carry no lines, so that equal causes count together; names stay.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::finding::{Gap, GapKind, LaunchSource, Report};
use crate::judgement::Verdict;
use crate::printable::safe;

/// The figures of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// Files that were analysed as inputs.
    pub files: usize,
    /// Headers that they entered.
    pub headers: usize,
    /// Kernels, each instantiation of a template once.
    pub kernels: usize,
    /// Places at which they are defined.
    pub definitions: usize,
    /// Kernels that are modelled completely.
    pub modelled: usize,
    /// Kernels that are modelled and whose questions are all decided.
    pub decided: usize,
    /// Kernels by verdict, in the order of [`VERDICTS`].
    pub verdicts: [usize; 6],
    /// Kernel definitions whose name stands before `<<<` in a unit that holds them.
    pub launched: usize,
    /// Those of them with a launch that was read.
    pub bound: usize,
    /// Launches read from code.
    pub launches: usize,
    /// Why kernels are not modelled or not decided, the most frequent first.
    pub reasons: Vec<Reason>,
    /// Headers of the input that were not found, with the number of files that want them, the most wanted first.
    pub missing_own: Vec<(String, usize)>,
    /// The same for headers of the system and the toolkit, which are skipped on purpose.
    pub missing_system: Vec<(String, usize)>,
    /// Headers that were found by guessing, with the number of names under which they were wanted and whether another file
    /// had such a name too.
    pub guessed: Vec<(String, bool)>,
    /// Names that an `#if` consulted and nothing defines, with the number of files, the most frequent first.
    pub undefined: Vec<(String, usize)>,
    /// Kernels that the conditionals leave out everywhere: file, line, name.
    pub inactive: Vec<(String, u32, String)>,
    /// Inputs that could not be read or analysed.
    pub errors: usize,
    /// Times, if they were counted.
    pub times: Option<Times>,
}

/// Why kernels are not modelled or not decided.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// At which step.
    pub kind: GapKind,
    /// In words.
    pub text: String,
    /// Kernels that it concerns.
    pub kernels: usize,
    /// Those of them for which it is the only reason.
    pub alone: usize,
    /// Those of them whose verdict is `unknown`.
    pub unknown: usize,
}

/// Times in microseconds, summed over threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// All files.
    pub total: u64,
    /// The median kernel.
    pub median: u64,
    /// The slowest kernel.
    pub max: u64,
}

/// The verdicts in the order of [`Coverage::verdicts`].
pub const VERDICTS: [Verdict; 6] = [
    Verdict::RaceFree,
    Verdict::Racy,
    Verdict::BarrierDivergence,
    Verdict::AssertionFailed,
    Verdict::Unknown,
    Verdict::Error,
];

/// Reads the figures off a report that is complete.
#[must_use]
pub fn coverage(report: &Report) -> Coverage {
    let mut coverage = Coverage {
        files: report.files,
        headers: report.inventory.headers.len(),
        kernels: report.kernels.len(),
        errors: report.errors.len(),
        ..Coverage::default()
    };
    // By definition: whether its name stands before `<<<`, and whether a launch was read.
    let mut definitions: BTreeMap<(&str, u32), (bool, bool)> = BTreeMap::new();
    let mut names: BTreeSet<(&str, &str, u32)> = BTreeSet::new();
    let mut reasons: BTreeMap<&Gap, (usize, usize, usize)> = BTreeMap::new();
    let mut micros = Vec::with_capacity(report.kernels.len());
    for kernel in &report.kernels {
        let verdict = kernel.verdict();
        let gaps = &kernel.extent.gaps;
        coverage.modelled += usize::from(gaps.iter().all(|gap| gap.kind != GapKind::NotModelled));
        coverage.decided += usize::from(gaps.is_empty());
        if let Some(at) = VERDICTS.iter().position(|other| *other == verdict) {
            coverage.verdicts[at] += 1;
        }
        for gap in gaps {
            let (kernels, alone, unknown) = reasons.entry(gap).or_default();
            *kernels += 1;
            *alone += usize::from(gaps.len() == 1);
            *unknown += usize::from(verdict == Verdict::Unknown);
        }
        let from_code = kernel
            .launches
            .iter()
            .filter(|launch| launch.source == LaunchSource::Code)
            .count();
        coverage.launches += from_code;
        let definition = definitions.entry((&kernel.file, kernel.line)).or_default();
        definition.0 |= kernel.extent.launched;
        definition.1 |= from_code > 0;
        names.insert((&kernel.file, base_name(&kernel.name), kernel.line));
        micros.push(kernel.extent.micros);
    }
    coverage.definitions = definitions.len();
    for (launched, bound) in definitions.values() {
        // A launch that is no `<<<`, such as `cudaLaunchKernel`, was launched too.
        coverage.launched += usize::from(*launched || *bound);
        coverage.bound += usize::from(*bound);
    }
    coverage.reasons = reasons
        .into_iter()
        .map(|(gap, (kernels, alone, unknown))| Reason {
            kind: gap.kind,
            text: gap.reason.clone(),
            kernels,
            alone,
            unknown,
        })
        .collect();
    coverage
        .reasons
        .sort_by(|a, b| (b.kernels, a.kind, &a.text).cmp(&(a.kernels, b.kind, &b.text)));
    inventory(&mut coverage, report, &names);
    if !report.timings.is_empty() {
        micros.sort_unstable();
        coverage.times = Some(Times {
            total: report
                .timings
                .iter()
                .flat_map(|file| &file.phases)
                .map(|(_, micros)| micros)
                .sum(),
            median: micros.get(micros.len() / 2).copied().unwrap_or(0),
            max: micros.last().copied().unwrap_or(0),
        });
    }
    coverage
}

/// The figures of what the input is made of.
fn inventory(coverage: &mut Coverage, report: &Report, names: &BTreeSet<(&str, &str, u32)>) {
    let inventory = &report.inventory;
    let counted = |system: bool| {
        let rows = inventory
            .missing
            .iter()
            .filter(|((_, of_system), _)| *of_system == system)
            .map(|((name, _), files)| (name.clone(), files.len()));
        most_first(rows.collect())
    };
    coverage.missing_own = counted(false);
    coverage.missing_system = counted(true);
    coverage.undefined = most_first(
        inventory
            .undefined
            .iter()
            .map(|(name, files)| (name.clone(), files.len()))
            .collect(),
    );
    coverage.guessed = inventory
        .guessed
        .iter()
        .map(|(path, names)| (path.clone(), names.iter().any(|name| name.candidates > 1)))
        .collect();
    // What is left out in one unit and read in another is not inactive. Its `__global__` stands in front of its name.
    coverage.inactive = inventory
        .inactive
        .iter()
        .filter(|(file, line, name)| {
            let from = (file.as_str(), name.as_str(), *line);
            let to = (file.as_str(), name.as_str(), line.saturating_add(HEAD));
            names.range(from..=to).next().is_none()
        })
        .cloned()
        .collect();
}

/// Lines from a `__global__` to the name of its kernel.
const HEAD: u32 = 8;

/// The name of a kernel without namespaces and template arguments.
fn base_name(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

fn most_first(mut rows: Vec<(String, usize)>) -> Vec<(String, usize)> {
    rows.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
    rows
}

impl GapKind {
    /// The name in the contract.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            GapKind::NotModelled => "not_modelled",
            GapKind::Undecided => "undecided",
        }
    }
}

/// Rows of each list that the text shows.
const ROWS: usize = 10;

/// The figures as text, a line each, and the longest lists cut.
#[must_use]
pub fn text(coverage: &Coverage) -> String {
    let mut out = String::from("coverage\n");
    let share = |part: usize, whole: usize| {
        let tenths = (part * 1000).checked_div(whole).unwrap_or(1000);
        format!("{part} of {whole} ({}.{} %)", tenths / 10, tenths % 10)
    };
    let mut line = |name: &str, value: &str| {
        let _ = writeln!(out, "  {name:<24}{value}");
    };
    line("files", &coverage.files.to_string());
    line("headers entered", &coverage.headers.to_string());
    line(
        "kernels",
        &format!(
            "{} ({} definitions)",
            coverage.kernels, coverage.definitions
        ),
    );
    line("modelled", &share(coverage.modelled, coverage.kernels));
    line("decided", &share(coverage.decided, coverage.kernels));
    for (verdict, count) in VERDICTS.iter().zip(coverage.verdicts) {
        line(&format!("  {}", verdict.as_str()), &count.to_string());
    }
    line("launches from code", &coverage.launches.to_string());
    line(
        "launched kernels bound",
        &share(coverage.bound, coverage.launched),
    );
    line("inactive kernels", &coverage.inactive.len().to_string());
    line("errors", &coverage.errors.to_string());
    if let Some(times) = coverage.times {
        line("time, all threads", &milliseconds(times.total));
        line("time, median kernel", &milliseconds(times.median));
        line("time, slowest kernel", &milliseconds(times.max));
    }
    let reasons: Vec<String> = coverage
        .reasons
        .iter()
        .map(|reason| {
            let kind = match reason.kind {
                GapKind::NotModelled => "not modelled",
                GapKind::Undecided => "undecided",
            };
            format!(
                "{:>6}  {kind}: {} (alone in {})",
                reason.kernels,
                safe(&reason.text),
                reason.alone
            )
        })
        .collect();
    list(&mut out, "reasons, by kernels", &reasons);
    let counted = |rows: &[(String, usize)]| -> Vec<String> {
        rows.iter()
            .map(|(name, files)| format!("{files:>6}  {}", safe(name)))
            .collect()
    };
    list(
        &mut out,
        "missing headers, by files",
        &counted(&coverage.missing_own),
    );
    list(
        &mut out,
        "missing headers of the system, by files",
        &counted(&coverage.missing_system),
    );
    let guessed: Vec<String> = coverage
        .guessed
        .iter()
        .map(|(path, ambiguous)| {
            let several = if *ambiguous { "  (one of several)" } else { "" };
            format!("        {}{several}", safe(path))
        })
        .collect();
    list(&mut out, "headers found by guessing", &guessed);
    list(
        &mut out,
        "undefined names in #if, by files",
        &counted(&coverage.undefined),
    );
    let inactive: Vec<String> = coverage
        .inactive
        .iter()
        .map(|(file, line, name)| format!("        {}:{line} {}", safe(file), safe(name)))
        .collect();
    list(&mut out, "inactive kernels", &inactive);
    out
}

fn list(out: &mut String, title: &str, rows: &[String]) {
    if rows.is_empty() {
        return;
    }
    let _ = writeln!(out, "  {title}:");
    for row in rows.iter().take(ROWS) {
        let _ = writeln!(out, "  {row}");
    }
    if rows.len() > ROWS {
        let _ = writeln!(out, "          and {} more", rows.len() - ROWS);
    }
}

fn milliseconds(micros: u64) -> String {
    format!("{}.{:03} ms", micros / 1000, micros % 1000)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::finding::{FileTimings, GuessedAs, Kernel};
    use crate::reasons::without_lines;
    use crate::sample;

    fn gap(kind: GapKind, reason: &str) -> Gap {
        Gap {
            kind,
            reason: reason.to_owned(),
        }
    }

    /// The sample with gaps and an inventory.
    pub(crate) fn report() -> Report {
        let mut report = sample::report();
        let gaps = [
            vec![],
            vec![gap(GapKind::NotModelled, "inline assembly")],
            vec![
                gap(GapKind::NotModelled, "inline assembly"),
                gap(GapKind::Undecided, "the solver ran out of its budget"),
            ],
            vec![gap(GapKind::Undecided, "the solver ran out of its budget")],
        ];
        for (kernel, gaps) in report.kernels.iter_mut().zip(gaps) {
            kernel.extent.gaps = gaps.into_iter().collect();
            kernel.extent.launched = true;
        }
        let inventory = &mut report.inventory;
        inventory.missing.insert(
            ("own.h".to_owned(), false),
            ["a.cu".to_owned(), "b.cu".to_owned()].into(),
        );
        inventory
            .missing
            .insert(("math.h".to_owned(), true), ["a.cu".to_owned()].into());
        inventory
            .undefined
            .insert("USE_X".to_owned(), ["a.cu".to_owned()].into());
        inventory.guessed.insert(
            "inc/x.h".to_owned(),
            [GuessedAs {
                wanted: "x.h".to_owned(),
                candidates: 2,
            }]
            .into(),
        );
        inventory
            .inactive
            .insert(("a.cu".to_owned(), 7, "old".to_owned()));
        let first = &report.kernels[0];
        let seen = (first.file.clone(), first.line, first.name.clone());
        inventory.inactive.insert(seen);
        report
    }

    #[test]
    fn figures_are_counted_by_kernels() {
        let coverage = coverage(&report());
        assert_eq!((coverage.kernels, coverage.definitions), (7, 6));
        assert_eq!((coverage.modelled, coverage.decided), (5, 4));
        assert_eq!(coverage.verdicts.iter().sum::<usize>(), 7);
        let told: Vec<_> = coverage
            .reasons
            .iter()
            .map(|reason| (reason.text.as_str(), reason.kernels, reason.alone))
            .collect();
        assert_eq!(
            told,
            [
                ("inline assembly", 2, 1),
                ("the solver ran out of its budget", 2, 1)
            ]
        );
        assert_eq!(coverage.missing_own, [("own.h".to_owned(), 2)]);
        assert_eq!(coverage.missing_system, [("math.h".to_owned(), 1)]);
        assert_eq!(
            coverage.inactive,
            [("a.cu".to_owned(), 7, "old".to_owned())]
        );
        assert_eq!(coverage.times, None);
    }

    #[test]
    fn times_come_with_timings() {
        let mut report = report();
        for (micros, kernel) in (1..).zip(&mut report.kernels) {
            kernel.extent.micros = micros * 10;
        }
        report.timings = vec![FileTimings {
            file: "a.cu".to_owned(),
            phases: vec![("extract".to_owned(), 5), ("solve".to_owned(), 6)],
        }];
        let times = coverage(&report).times.expect("times");
        assert_eq!((times.total, times.median, times.max), (11, 40, 70));
    }

    #[test]
    fn lines_go_and_names_stay() {
        for (text, expected) in [
            (
                "index read from `line 4` at line 12",
                "index read from `line 4`",
            ),
            ("see line 3: `f` on line 4, too", "see: `f`, too"),
            ("the line ends", "the line ends"),
            ("a `b", "a `b"),
        ] {
            assert_eq!(without_lines(text), expected);
        }
    }

    #[test]
    fn the_text_shows_the_figures_and_cuts_long_lists() {
        let mut report = report();
        let kernel = Kernel::clone(&report.kernels[0]);
        for number in 0..12 {
            let mut kernel = kernel.clone();
            kernel.name = format!("k{number}");
            kernel.extent.gaps = [gap(GapKind::NotModelled, &format!("r{number:02}"))].into();
            report.kernels.push(kernel);
        }
        let text = text(&coverage(&report));
        assert!(
            text.contains("kernels                 19 (6 definitions)"),
            "{text}"
        );
        assert!(
            text.contains("modelled                5 of 19 (26.3 %)"),
            "{text}"
        );
        assert!(
            text.contains("     2  not modelled: inline assembly (alone in 1)"),
            "{text}"
        );
        assert!(text.contains("and 4 more"), "{text}");
        assert!(!text.contains("r11"), "{text}");
    }
}
