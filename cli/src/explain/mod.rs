//! `warplog explain`: why a finding is one, why a pair was discharged, and what is known of a line.
//!
//! What is told is what is in the relations, with the numbered rules that put it there and the solver's answers: the files
//! concerned are analysed anew, with formulas kept. Which files those are follows from the paths given, or from the last scan of
//! the folder ([`last`](crate::last)), whose flags are used then.

mod contents;
mod cost;
mod fit;
mod line;
mod page;
pub mod question;
mod stages;
pub(crate) mod view;

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use warplog_report::text::options::TextOptions;
use warplog_report::text::safe;
use warplog_report::words::headline;
use warplog_report::{Finding, Kernel, Report};
use warplog_solver_bridge::{DivergenceAnswer, RaceAnswer};

use crate::args::{Cli, Command, ExplainArgs};
use crate::collect::shown;
use crate::driver::{self, RunOptions};
use crate::identity::Identities;
use crate::last::Last;
use crate::macros::Macro;
use crate::manual::print;
use crate::naming::names;
use crate::options::AnalysisOptions;
use crate::pipeline::{Examined, Pipeline};
use crate::{Streams, WRONG_USE, complain, remark};
use fit::fitted;
use question::{About, Question};
use view::{Fate, View};

/// The line that `k.cu:12` means.
fn line_of(target: &str) -> Option<(PathBuf, u32)> {
    let (file, line) = target.rsplit_once(':')?;
    Some((PathBuf::from(file), line.parse().ok()?))
}

/// Whether the name is that of a file that others include.
pub(crate) fn is_header(file: &Path) -> bool {
    let extension = file.extension().and_then(OsStr::to_str);
    !matches!(extension, Some("cu" | "hip" | "cpp" | "cc" | "cxx" | "c"))
}

/// Explains and gives the exit status.
pub(crate) fn run<P: Pipeline>(
    pipeline: &P,
    args: &ExplainArgs,
    macros: Vec<Macro>,
    run: RunOptions,
    streams: &mut Streams<'_>,
) -> u8 {
    let line = line_of(&args.target);
    let about = match &line {
        Some((file, line)) => About::Line(shown(file), *line),
        None => About::Id(args.target.clone()),
    };
    if args.smt && line.is_some() {
        complain(
            streams,
            "a line has no formula: --smt is for a finding or a pair",
        );
        return WRONG_USE;
    }
    let mut options = AnalysisOptions::default();
    let mut paths = args.paths.clone();
    let last = match (&streams.cache, paths.is_empty()) {
        (Some(folder), true) => Last::read(folder),
        _ => None,
    };
    let known = last.as_ref().and_then(|last| {
        let files = match &about {
            About::Line(file, _) => last.of_file(file),
            About::Id(id) => last.of_id(id),
        };
        (!files.is_empty()).then_some((last, files))
    });
    match known {
        Some((last, files)) => {
            let Ok((
                Cli {
                    command: Command::Check(check),
                },
                macros,
            )) = Cli::read(&last.arguments)
            else {
                complain(
                    streams,
                    "the record of the last scan is damaged: give a PATH",
                );
                return WRONG_USE;
            };
            check.source.apply(&mut options, macros);
            check.search.apply(&mut options);
            paths = check.paths;
            options.only = files;
        }
        None => {
            args.source.apply(&mut options, macros);
            args.search.apply(&mut options);
            match &line {
                Some((file, _)) if paths.is_empty() => paths = vec![file.clone()],
                // Of a header, the files that include it tell what there is to explain.
                Some((file, _)) if !is_header(file) => {
                    options.only = vec![shown(file)];
                }
                Some(_) => {}
                None if paths.is_empty() => {
                    complain(streams, &unknown(&args.target, last.is_some()));
                    return WRONG_USE;
                }
                None => {}
            }
        }
    }
    crate::read_stdin(&paths, &mut options, streams);
    options.keep_smt = true;
    options.bounds = args.bounds.get();
    options.stop = (streams.interruption)();
    options.told = streams.told.clone();
    options.costs = Some(crate::args::CAPABILITY);
    let question = Question {
        about,
        smt: args.smt,
        text: TextOptions {
            color: streams.color,
            width: streams.width,
            fit: streams.terminal,
            ..TextOptions::default()
        },
    };
    let (text, report) = driver::explain(pipeline, &paths, &question, &options, run);
    if args.smt || text.is_err() {
        remark(&report, streams);
    }
    let failed = !report.errors.is_empty();
    match text {
        Ok(text) => {
            if failed && !args.smt {
                remark(&report, streams);
            }
            match print(text.as_bytes(), streams) {
                0 if failed => crate::failed(&report),
                status => status,
            }
        }
        Err(message) => {
            complain(streams, &message);
            if failed {
                crate::failed(&report)
            } else {
                WRONG_USE
            }
        }
    }
}

/// What may be meant by something that is neither a whole id nor a kernel.
fn advice(target: &str) -> Option<String> {
    let known = safe(target);
    let digits = target.strip_prefix(['p', 'd']).unwrap_or(target);
    if Path::new(target).is_file() {
        return Some(format!(
            "`{known}` is a file: `warplog explain {known}:LINE` tells what is known of a line of it"
        ));
    }
    let short = digits.len() < SHORTEST
        && digits.len() > 1
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    short.then(|| {
        format!("`{known}` is too short for an id: its first {SHORTEST} digits are needed")
    })
}

fn unknown(target: &str, scanned: bool) -> String {
    if let Some(advice) = advice(target) {
        return advice;
    }
    let target = safe(target);
    if scanned {
        format!(
            "no finding, pair or kernel `{target}` is in the last scan from this folder; `warplog explain {target} PATH` analyses PATH"
        )
    } else {
        format!(
            "nothing is kept of a scan from this folder: `warplog explain {target} PATH` analyses PATH"
        )
    }
}

/// The answer to a question, from all that follows from the sources.
///
/// # Errors
/// What was asked for is not there.
pub(crate) fn answer(
    all: &[Examined],
    report: &Report,
    question: &Question,
) -> Result<String, String> {
    let views: Vec<View<'_>> = all.iter().filter_map(View::new).collect();
    let id = match &question.about {
        About::Line(file, line) => {
            let name = Identities::new().of(file);
            let page = line::page(&views, report, &name, *line).ok_or_else(|| {
                format!(
                    "no access and no barrier of a kernel is known at {}:{line}",
                    safe(file)
                )
            });
            return page.map(|page| fitted(&page, question.text));
        }
        About::Id(id) => id.as_str(),
    };
    if let Some((kernel, finding)) = finding_of(report, id)? {
        if !question.smt {
            return Ok(page::finding(
                &views,
                report,
                kernel,
                finding,
                question.text,
            ));
        }
        let asked = format!("finding {}: {}", finding.id, headline(kernel, finding));
        return page::formula_of(&views, kernel, finding)
            .map(|formula| smt_page(&asked, "sat", &formula))
            .ok_or_else(|| format!("no formula of finding {} was kept", finding.id));
    }
    let known = |own: &str| is_prefix(id, own);
    let costs = report.kernels.iter().flat_map(|kernel| {
        let found = kernel.costs.iter().flat_map(|costs| &costs.found);
        found.map(move |cost| (kernel, cost))
    });
    if let Some((kernel, cost)) = costs.into_iter().find(|(_, cost)| known(&cost.id)) {
        if question.smt {
            return Err("a cost is counted: there is no formula".to_owned());
        }
        return Ok(fitted(&cost::page(kernel, cost), question.text));
    }
    for view in &views {
        let pairs = view.pairs();
        if let Some(pair) = pairs.iter().find(|pair| known(&view.pair_id(pair))) {
            if !question.smt {
                return Ok(fitted(&page::pair(view, report, pair), question.text));
            }
            let Fate::Answer(outcome) = pair.fate else {
                return Err(format!("a rule discharged pair {id}: there is no formula"));
            };
            let status = match outcome.answer {
                RaceAnswer::Disjoint { .. } => "unsat",
                RaceAnswer::Race(_) => "sat",
                RaceAnswer::Covered | RaceAnswer::Unknown { .. } => "unknown",
            };
            return formula(&format!("pair {id}"), status, outcome.smt.as_deref());
        }
        let splits = view.splits();
        if let Some(split) = splits.iter().find(|split| known(&view.split_id(split))) {
            if !question.smt {
                return Ok(fitted(&page::split(view, report, split), question.text));
            }
            let Fate::Answer(outcome) = split.fate else {
                return Err(format!(
                    "a rule discharged condition {id}: there is no formula"
                ));
            };
            let status = match outcome.answer {
                DivergenceAnswer::Uniform { .. } => "unsat",
                DivergenceAnswer::Diverges(_) => "sat",
                DivergenceAnswer::Unknown { .. } => "unknown",
            };
            return formula(&format!("condition {id}"), status, outcome.smt.as_deref());
        }
    }
    let kernels: Vec<&Kernel> = report
        .kernels
        .iter()
        .filter(|kernel| names(id, &kernel.name))
        .collect();
    if kernels.is_empty() {
        if let Some(advice) = advice(id) {
            return Err(advice);
        }
        return Err(format!(
            "no finding, pair or kernel `{}` is in these files",
            safe(id)
        ));
    }
    if question.smt {
        return Err("a kernel has many formulas: --smt is for a finding or a pair".to_owned());
    }
    let pages: Vec<String> = kernels
        .into_iter()
        .map(|kernel| page::kernel(&views, report, kernel, question.text))
        .collect();
    Ok(fitted(&pages.join("\n"), question.text))
}

/// Characters of an id that are enough.
const SHORTEST: usize = 6;

/// Whether an id as given means this one: all of it, or so much of its start that it is no accident.
fn is_prefix(given: &str, id: &str) -> bool {
    given == id || (given.len() >= SHORTEST && id.starts_with(given))
}

/// The finding that an id means.
fn finding_of<'r>(
    report: &'r Report,
    id: &str,
) -> Result<Option<(&'r Kernel, &'r Finding)>, String> {
    let all = || {
        report
            .kernels
            .iter()
            .flat_map(|kernel| kernel.findings.iter().map(move |finding| (kernel, finding)))
    };
    if let Some(found) = all().find(|(_, finding)| finding.id == id || finding.fingerprint == id) {
        return Ok(Some(found));
    }
    let near: Vec<_> = all()
        .filter(|(_, finding)| is_prefix(id, &finding.id))
        .collect();
    match near.as_slice() {
        [] => Ok(None),
        [one] => Ok(Some(*one)),
        several => {
            let ids: Vec<&str> = several
                .iter()
                .map(|(_, finding)| finding.id.as_str())
                .collect();
            Err(format!("`{}` may mean {}", safe(id), ids.join(", ")))
        }
    }
}

fn formula(asked: &str, status: &str, smt: Option<&str>) -> Result<String, String> {
    smt.map(|smt| smt_page(asked, status, smt))
        .ok_or_else(|| format!("no formula of {asked} was kept: the solver was not asked"))
}

/// A formula for any solver that reads SMT-LIB, with what it asks in comments.
fn smt_page(asked: &str, status: &str, smt: &str) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "; {}", safe(asked));
    out.push_str(
        "; A model is a launch and two of its threads, #1 and #2, that collide, that disagree about the barrier or that break the assertion.\n",
    );
    let _ = writeln!(out, "; The answer of warplog: {status}");
    // What the standard asks for before a model may be asked for; Z3 does without.
    if status == "sat" {
        out.push_str("(set-option :produce-models true)\n");
    }
    out.push_str("(set-logic ALL)\n");
    let _ = writeln!(out, "(set-info :status {status})");
    let lines = smt.trim().lines();
    // Z3 writes a comment of its own, and that it does not know the answer.
    for line in lines
        .filter(|line| !line.starts_with("; benchmark") && !line.starts_with("(set-info :status"))
    {
        out.push_str(line);
        out.push('\n');
    }
    if status == "sat" {
        out.push_str("(get-model)\n");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_fit_the_terminal() {
        let page = "pair p1 of `k`\n\n  guard     `a < b && c < d && e < f` (branch at line 4): the same\n    R26 : two accesses that share an interval\n";
        let options = |fit| TextOptions {
            width: 40,
            fit,
            ..TextOptions::default()
        };
        assert_eq!(fitted(page, options(false)), page);
        assert_eq!(
            fitted(page, options(true)),
            "\
pair p1 of `k`

  guard     `a < b && c < d && e < f`
            (branch at line 4): the same
    R26 : two accesses that share an
        interval
"
        );
    }
}
