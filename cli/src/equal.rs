//! `warplog equal`: whether two kernels, or two sequences of launches, leave equal contents.
//!
//! Both sides are checked first: a kernel with a race has no contents to compare, and the race is the answer.

use warplog_equivalence::answer::{Answer, Counterexample, Extent, Launched, Verdict, Written};
use warplog_equivalence::sides::Side;
use warplog_facts::{AccessId, Facts, KernelId, LaunchId};
use warplog_report::equal::{self as told, Comparison};
use warplog_report::{Kernel, Report, Verdict as OfKernel};

use crate::args::{EqualArgs, EqualFormat};
use crate::driver::{self, RunOptions};
use crate::naming::Named;
use crate::options::AnalysisOptions;
use crate::pipeline::Pipeline;
use crate::{FAILED, Streams, WRONG_USE, complain, failed, remark};
use ask::Ask;

pub mod ask;
mod derivation;

/// Runs the command.
pub(crate) fn command<P: Pipeline>(
    pipeline: &P,
    args: &EqualArgs,
    options: &AnalysisOptions,
    run: RunOptions,
    streams: &mut Streams<'_>,
) -> u8 {
    let sides = [args.left.clone(), args.right.clone()];
    let mut facts = Vec::new();
    let mut reports: Vec<Report> = Vec::new();
    for side in &sides {
        let mut options = options.clone();
        options.kernels.clone_from(&side.kernels);
        options.open_arguments = true;
        match driver::extracted_of(pipeline, std::slice::from_ref(&side.path), &options, run) {
            Ok((of_side, report)) => {
                if !report.errors.is_empty() {
                    remark(&report, streams);
                    return failed(&report);
                }
                facts.push(of_side);
                reports.push(report);
            }
            Err(errors) => {
                for error in errors {
                    complain(streams, &format!("{}: {}", error.file, error.message));
                }
                return FAILED;
            }
        }
    }
    let mut ask = Ask {
        sides: sides.clone(),
        reassociates: args.float == crate::args::Floats::Reassociated,
        map: args.map.clone(),
        assumed: Vec::new(),
    };
    let mut comparison = ask.open();
    let doubts = match doubts(&sides, &reports) {
        Ok(doubts) => doubts,
        Err(message) => {
            complain(streams, &message);
            return WRONG_USE;
        }
    };
    let certain = doubts.iter().any(|doubt| doubt.is_race);
    if certain || (!args.assume_race_free && !doubts.is_empty()) {
        comparison.reasons = doubts.into_iter().map(|doubt| doubt.text).collect();
    } else {
        let [left, right] = facts.as_slice() else {
            return FAILED;
        };
        let texts = doubts.into_iter();
        let texts = texts.map(|doubt| format!("there is no race: {}", doubt.text));
        ask.assumed = texts.collect();
        match driver::compared(pipeline, [left, right], &ask, options, run) {
            Ok(completed) => comparison = completed,
            Err((status, message)) => {
                complain(streams, &message);
                return status;
            }
        }
    }
    if let Some(folder) = &args.facts
        && let Err(error) = derivation::save(&comparison.derivation, folder)
    {
        complain(streams, &format!("{}: {error}", folder.display()));
        return FAILED;
    }
    print(&comparison, args, &sides, streams)
}

fn print(
    comparison: &Comparison,
    args: &EqualArgs,
    sides: &[Named; 2],
    streams: &mut Streams<'_>,
) -> u8 {
    let text = match args.format {
        EqualFormat::Text => comparison.text(),
        EqualFormat::Json => comparison.json().unwrap_or_default(),
        EqualFormat::Html => {
            let sources = [0, 1].map(|side| {
                let bytes = std::fs::read(&sides[side].path).unwrap_or_default();
                String::from_utf8_lossy(&bytes).into_owned()
            });
            comparison.html([&sources[0], &sources[1]])
        }
    };
    match streams.out.write_all(text.as_bytes()) {
        Ok(()) => comparison.exit_status(),
        Err(_) => FAILED,
    }
}

/// Why a side may have no contents to compare.
pub(crate) struct Doubt {
    /// In words.
    pub(crate) text: String,
    /// It is a confirmed race.
    pub(crate) is_race: bool,
}

pub(crate) fn doubts(sides: &[Named], reports: &[Report]) -> Result<Vec<Doubt>, String> {
    let mut doubts = Vec::new();
    for (side, report) in sides.iter().zip(reports) {
        for name in &side.kernels {
            let file = side.path.display();
            let found: Vec<&Kernel> = report
                .kernels
                .iter()
                .filter(|kernel| is_named(&kernel.name, name))
                .collect();
            // A kernel is there once for each architecture and each compile command.
            let mut names: Vec<&str> = found.iter().map(|kernel| kernel.name.as_str()).collect();
            names.sort_unstable();
            names.dedup();
            match names.as_slice() {
                [_] => {}
                [] => return Err(format!("{file} has no kernel {name}")),
                several => {
                    return Err(format!(
                        "{file} has several kernels {name}: name one of {}",
                        several.join(", ")
                    ));
                }
            }
            for kernel in found {
                let Some(doubt) = doubt(kernel, &file.to_string()) else {
                    continue;
                };
                if doubts.iter().all(|known: &Doubt| known.text != doubt.text) {
                    doubts.push(doubt);
                }
            }
        }
    }
    Ok(doubts)
}

/// Why a kernel may have no contents to compare.
fn doubt(kernel: &Kernel, file: &str) -> Option<Doubt> {
    let finding = kernel
        .findings
        .iter()
        .max_by_key(|finding| finding.certainty);
    let headline = finding.map_or(String::new(), |finding| {
        format!(": {}", warplog_report::words::headline(kernel, finding))
    });
    let (what, is_race) = match kernel.verdict() {
        OfKernel::RaceFree => return None,
        OfKernel::Racy => {
            let certain = finding
                .is_some_and(|finding| finding.certainty == warplog_report::Certainty::Confirmed);
            ("has a race", certain)
        }
        OfKernel::BarrierDivergence => ("has a barrier that threads disagree about", false),
        OfKernel::AssertionFailed => ("has an assertion that fails", false),
        _ => ("is not shown to be race-free", false),
    };
    Some(Doubt {
        text: format!("{} of {file} {what}{headline}", kernel.name),
        is_race,
    })
}

fn is_named(kernel: &str, name: &str) -> bool {
    kernel == name || kernel.split('<').next() == Some(name)
}

/// Launches one after the other, each with the facts that it is of.
type Sequence = Vec<(Facts, LaunchId)>;

/// The launches of each kernel that is named.
///
/// # Errors
/// One has none.
pub(crate) fn launches_of<'f>(
    facts: &[&'f Facts],
    named: &Named,
) -> Result<Vec<Vec<(&'f Facts, LaunchId)>>, String> {
    let mut steps = Vec::new();
    for name in &named.kernels {
        let mut launches: Vec<(&Facts, LaunchId)> = Vec::new();
        for &facts in facts {
            let kernels = facts.kernel.iter().filter(|row| is_named(&row.name, name));
            let kernels: Vec<KernelId> = kernels.map(|row| row.kernel).collect();
            let of_kernel = facts
                .launch
                .iter()
                .filter(|row| kernels.contains(&row.kernel));
            launches.extend(of_kernel.map(|row| (facts, row.launch)));
        }
        if launches.is_empty() {
            return Err(format!("{} has no launch of {name}", named.path.display()));
        }
        steps.push(launches);
    }
    Ok(steps)
}

/// The sequences of launches that these are: the first of each kernel, the second of each, and so on.
///
/// # Errors
/// The kernels have different numbers of launches.
pub(crate) fn sequences<'f>(
    steps: &[Vec<(&'f Facts, LaunchId)>],
) -> Result<Vec<Vec<(&'f Facts, LaunchId)>>, String> {
    let most = steps.iter().map(Vec::len).max().unwrap_or(0);
    if !steps
        .iter()
        .all(|launches| launches.len() == most || launches.len() == 1)
    {
        return Err("the kernels have different numbers of launches: give one with --block-dim and --grid-dim".to_owned());
    }
    let at = |at: usize| {
        let launches = steps.iter();
        launches
            .map(|launches| launches[at.min(launches.len() - 1)])
            .collect()
    };
    Ok((0..most).map(at).collect())
}

/// The comparison of facts; what it gives completes a [`Comparison`].
///
/// # Errors
/// What cannot be compared, for the user.
pub fn of_facts(sides: [&[&Facts]; 2], ask: &Ask) -> Result<Comparison, String> {
    let options = warplog_equivalence::Options {
        reassociates: ask.reassociates,
        map: ask.map.clone(),
    };
    let mut found: Vec<Vec<Vec<(&Facts, LaunchId)>>> = Vec::new();
    for (facts, named) in sides.iter().zip(&ask.sides) {
        found.push(launches_of(facts, named)?);
    }
    let all: Vec<Vec<(&Facts, LaunchId)>> = found.iter().flatten().cloned().collect();
    let most = sequences(&all)?.len();
    let mut worst: Option<(Answer, [Sequence; 2])> = None;
    for at in 0..most {
        let pick = |side: usize| -> Side<'_> {
            let launches = found[side]
                .iter()
                .map(|launches| launches[at.min(launches.len() - 1)]);
            Side {
                launches: launches.collect(),
            }
        };
        let pair = [pick(0), pick(1)];
        let answer = warplog_equivalence::equal(&pair, &options)?;
        let rank = |answer: &Answer| match answer.verdict {
            Verdict::Equal(_) => 0,
            Verdict::Unknown(_) => 1,
            Verdict::Different(_) => 2,
        };
        if worst
            .as_ref()
            .is_none_or(|(other, _)| rank(&answer) > rank(other))
        {
            let own = pair.map(|side| {
                let launches = side.launches.into_iter();
                launches
                    .map(|(facts, launch)| (facts.clone(), launch))
                    .collect()
            });
            worst = Some((answer, own));
        }
    }
    let Some((answer, sides)) = worst else {
        return Err("there is nothing to compare".to_owned());
    };
    Ok(complete(ask.open(), &answer, &sides, ask.assumed.clone()))
}

fn complete(
    mut comparison: Comparison,
    answer: &Answer,
    sides: &[Vec<(Facts, LaunchId)>; 2],
    assumed: Vec<String>,
) -> Comparison {
    comparison.notes.clone_from(&answer.notes);
    comparison.runs = answer.runs;
    comparison.derivation = derivation::of(answer, sides);
    comparison.equal_if.clone_from(&answer.equal_if);
    comparison.assumptions = assumed;
    match &answer.verdict {
        Verdict::Equal(extent) => {
            comparison.verdict = told::Verdict::Equal;
            comparison.extent = Some(extent_of(extent));
            comparison
                .assumptions
                .extend(answer.assumptions.iter().cloned());
            for (facts, launch) in sides.iter().flatten() {
                for row in facts.assumption.iter().filter(|row| row.launch == *launch) {
                    if !comparison.assumptions.contains(&row.text) {
                        comparison.assumptions.push(row.text.clone());
                    }
                }
            }
            if comparison.floats == "reassociated" {
                comparison.notes.push("equal up to rounding".to_owned());
            }
        }
        Verdict::Different(found) => {
            comparison.verdict = told::Verdict::Different;
            comparison.counterexample = Some(difference(found, sides));
        }
        Verdict::Unknown(reasons) => comparison.reasons.clone_from(reasons),
    }
    comparison
}

pub(crate) fn extent_of(extent: &Extent) -> String {
    let size = |block: &[i128]| {
        let sizes: Vec<String> = block.iter().map(ToString::to_string).collect();
        sizes.join("x")
    };
    let part = |sizes: &[Option<i128>], what: &str| {
        let numbers: Option<Vec<i128>> = sizes.iter().copied().collect();
        match numbers {
            Some(numbers) => format!("{what} of {}", size(&numbers)),
            None => format!("{what} of every size"),
        }
    };
    let shape = |sizes: &[Option<i128>; 6]| {
        let (block, grid) = sizes.split_at(3);
        format!("{}, {}", part(block, "blocks"), part(grid, "grids"))
    };
    match extent {
        Extent::Sizes(sizes) => format!("{} and every argument", shape(sizes)),
        Extent::Shapes(sides) => format!(
            "{} on the left, {} on the right and every argument",
            shape(&sides[0]),
            shape(&sides[1])
        ),
        Extent::Blocks(blocks) if *blocks == warplog_equivalence::prove::LINES => {
            "blocks of every power of two of threads, grids of every size and every argument"
                .to_owned()
        }
        Extent::Blocks(blocks) => {
            let blocks: Vec<String> = blocks.iter().map(|block| size(block)).collect();
            format!(
                "blocks of {} only, grids of every size and every argument",
                blocks.join(", ")
            )
        }
    }
}

fn difference(found: &Counterexample, sides: &[Vec<(Facts, LaunchId)>; 2]) -> told::Counterexample {
    let history = |side: usize| {
        let written: &Written = &found.sides[side];
        let own = sides[side].iter();
        let own: Vec<(&Facts, LaunchId)> = own.map(|(facts, launch)| (facts, *launch)).collect();
        told::History {
            launches: launched(&found.launches[side], &own),
            value: written.value.clone(),
            block: written.by.map(|(block, _)| block),
            thread: written.by.map(|(_, thread)| thread),
            place: written.by.and_then(|_| {
                let (facts, _) = sides[side].get(written.step)?;
                place(facts, written.access)
            }),
            stored: written
                .history
                .iter()
                .map(|stored| told::Stored {
                    kernel: own
                        .get(stored.step)
                        .map_or_else(String::new, |(facts, launch)| {
                            let kernel = facts.launch[launch.index()].kernel;
                            facts.kernel[kernel.index()].name.clone()
                        }),
                    block: stored.block,
                    thread: stored.thread,
                    place: own
                        .get(stored.step)
                        .and_then(|(facts, _)| place(facts, stored.access)),
                    formula: stored.formula.clone(),
                })
                .collect(),
        }
    };
    let arguments = found.scalars.iter();
    told::Counterexample {
        arguments: arguments
            .map(|(name, value)| told::Argument {
                name: name.clone(),
                value: *value,
            })
            .collect(),
        array: found.array.clone(),
        element: found.element,
        before: found.before.clone(),
        left: history(0),
        right: history(1),
        seed: found.seed,
    }
}

/// Launches with their sizes.
pub(crate) fn launched(sizes: &[Launched], launches: &[(&Facts, LaunchId)]) -> Vec<told::Launch> {
    let both = sizes.iter().zip(launches);
    both.map(|(sizes, (facts, launch))| {
        let kernel = facts.launch[launch.index()].kernel;
        told::Launch {
            kernel: facts.kernel[kernel.index()].name.clone(),
            block: sizes.block,
            grid: sizes.grid,
        }
    })
    .collect()
}

pub(crate) fn place(facts: &Facts, access: AccessId) -> Option<told::Place> {
    let access = facts.access.get(access.index())?;
    let span = facts.span.get(access.span.index())?;
    let file = facts.file.get(span.file.index())?;
    let mut lines = facts.source_line.iter();
    let line = lines.find(|row| row.file == span.file && row.line == span.line);
    Some(told::Place {
        file: file.path.clone(),
        line: span.line,
        text: line.map(|row| row.text.clone()).unwrap_or_default(),
    })
}
