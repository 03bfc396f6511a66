//! `warplog triage`: the questions of a run, asked one by one, and their answers written down.
//!
//! A question is a condition on what the caller decides that rules out findings ([`warplog_report::questions`]). They are asked in the
//! order of what they settle. A yes is an assumption of the kernels that the question is about, in the files where it arose, and of no
//! others; a no is kept so that nobody asks again. Both go to `warplog.toml` as `[[answer]]`, with a reason and the date. Then the
//! files are checked once more: results of files that no answer is about are still those that were kept.
//!
//! **Contract.** An answer under which a launch of the program cannot happen is none: it is told, and not written.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use warplog_report::causes::{Cause, causes};
use warplog_report::printable::counted;
use warplog_report::questions::{asked, questions};
use warplog_report::text::safe;
use warplog_report::words::headline;
use warplog_report::{Report, Verdict};

use crate::args::TriageArgs;
use crate::choices::Choice;
use crate::collect::{reason, shown};
use crate::config::{self, Configs};
use crate::driver::{self, RunOptions};
use crate::naming::base_name;
use crate::options::AnalysisOptions;
use crate::pipeline::Pipeline;
use crate::signals::EndsSoon;
use crate::{FAILED, INTERRUPTED, Streams, WRONG_USE, complain, errors, made, output};

/// A question with what an answer is about.
struct Asked {
    assume: String,
    words: String,
    /// One of the findings that it would settle, in a line.
    example: String,
    /// The kernels, without template arguments.
    kernels: BTreeSet<String>,
    /// The inputs that show them.
    files: BTreeSet<String>,
}

/// An answer.
struct Answered<'q> {
    question: &'q Asked,
    holds: bool,
    because: String,
}

/// Asks and gives the exit status.
pub(crate) fn run<P: Pipeline>(
    pipeline: &P,
    args: &TriageArgs,
    options: &AnalysisOptions,
    run: RunOptions,
    streams: &mut Streams<'_>,
) -> u8 {
    let report = driver::check(pipeline, &args.paths, options, run);
    errors(&report, streams);
    if report.incomplete.is_some() {
        return INTERRUPTED;
    }
    // Who is asked may not answer any more.
    let _ends = EndsSoon::after(&options.stop);
    let all = open_questions(&report, options);
    if all.is_empty() {
        let _ = writeln!(
            streams.out,
            "no questions: no answer would settle a finding"
        );
        return if report.errors.is_empty() { 0 } else { FAILED };
    }
    if args.list {
        for (nth, question) in (1..).zip(&all) {
            let _ = writeln!(streams.out, "{nth:>3}  {}", safe(&question.words));
        }
        return 0;
    }
    let given = args.yes.len() + args.no.len() > 0;
    let answers = match given {
        true => match by_flags(args, &all) {
            Ok(answers) => answers,
            Err(message) => {
                complain(streams, &message);
                return WRONG_USE;
            }
        },
        false => by_asking(&all, streams),
    };
    if answers.is_empty() {
        let _ = writeln!(streams.out, "no answers: nothing is written");
        return 0;
    }
    conclude(pipeline, args, (options, run), (&report, &answers), streams)
}

/// The questions of a report that nobody has answered, those that settle most first.
fn open_questions(report: &Report, options: &AnalysisOptions) -> Vec<Asked> {
    let causes = causes(report);
    let configs = Configs::new(options.config.clone());
    let all = questions(&causes).into_iter().map(|question| {
        let about: Vec<_> = causes
            .iter()
            .filter(|cause| !cause.is_suppressed())
            .flat_map(|cause| about(cause, question.assume))
            .collect();
        let example = about.first().map(|(kernel, finding)| {
            let at = finding.locations.first();
            let place = at.map(|at| format!("{}:{}: ", at.place.file, at.place.line));
            format!("{}{}", place.unwrap_or_default(), headline(kernel, finding))
        });
        let kernels = about
            .iter()
            .map(|(kernel, _)| base_name(&kernel.name).to_owned());
        let files = about.iter().flat_map(|(kernel, _)| {
            let key = (kernel.file.clone(), kernel.name.clone());
            let mut inputs = report
                .inventory
                .shown_by
                .get(&key)
                .cloned()
                .unwrap_or_default();
            inputs.insert(kernel.file.clone());
            inputs
        });
        Asked {
            assume: question.assume.to_owned(),
            words: format!(
                "{} in {}: {}",
                counted(question.findings, "finding", "findings"),
                counted(question.kernels.len(), "kernel", "kernels"),
                asked(question.assume)
            ),
            example: example.unwrap_or_default(),
            kernels: kernels.collect(),
            files: files.collect(),
        }
    });
    all.filter(|question| !is_answered(question, &configs))
        .collect()
}

/// The findings of a cause that a condition rules out.
fn about<'a>(
    cause: &Cause<'a>,
    assume: &str,
) -> Vec<(&'a warplog_report::Kernel, &'a warplog_report::Finding)> {
    let own = std::iter::once((cause.kernel, &cause.group));
    let also = cause.also.iter().map(|(kernel, group)| (*kernel, group));
    own.chain(also)
        .flat_map(|(kernel, group)| group.findings().map(move |finding| (kernel, finding)))
        .filter(|(_, finding)| finding.race_free_if.as_deref() == Some(assume))
        .collect()
}

/// Whether the configuration says no to it already, of all kernels that it is about.
fn is_answered(question: &Asked, configs: &Configs) -> bool {
    question.files.iter().all(|file| {
        let path = Path::new(file);
        let Ok(Some(config)) = configs.of(path) else {
            return false;
        };
        let says_no = |kernel: &String| {
            config.answers.iter().any(|answer| {
                let of_kernel = answer.kernels.is_empty() || answer.kernels.contains(kernel);
                answer.assume == question.assume && of_kernel && answer.is_about(&config, path)
            })
        };
        question.kernels.iter().all(says_no)
    })
}

/// The answers that flags give.
fn by_flags<'q>(args: &TriageArgs, all: &'q [Asked]) -> Result<Vec<Answered<'q>>, String> {
    let because = args.because.as_deref().map(str::trim).unwrap_or_default();
    if because.is_empty() {
        return Err("--because is missing: an answer stands with its reason".to_owned());
    }
    let yes = args.yes.iter().map(|text| (text, true));
    let given = yes.chain(args.no.iter().map(|text| (text, false)));
    let mut answers: Vec<Answered<'q>> = Vec::new();
    for (text, holds) in given {
        let by_number = text
            .parse::<usize>()
            .ok()
            .and_then(|nth| all.get(nth.checked_sub(1)?));
        let by_words = || all.iter().find(|question| question.assume == *text);
        let Some(question) = by_number.or_else(by_words) else {
            return Err(format!(
                "`{}` is not asked: --list shows what is",
                safe(text)
            ));
        };
        if answers
            .iter()
            .any(|known| known.question.assume == question.assume)
        {
            return Err(format!("`{}` is answered twice", safe(text)));
        }
        answers.push(Answered {
            question,
            holds,
            because: because.to_owned(),
        });
    }
    Ok(answers)
}

/// The answers that somebody gives who is asked.
fn by_asking<'q>(all: &'q [Asked], streams: &mut Streams<'_>) -> Vec<Answered<'q>> {
    let mut input = BufReader::new(&mut streams.input);
    let mut answers = Vec::new();
    'questions: for (nth, question) in (1..).zip(all) {
        let _ = writeln!(
            streams.out,
            "question {nth} of {}: {}\n  as in {}",
            all.len(),
            safe(&question.words),
            safe(&question.example)
        );
        let holds = loop {
            match line(&mut input, "  yes, no, skip or quit? ", streams.out).as_deref() {
                Some("y" | "yes") => break true,
                Some("n" | "no") => break false,
                Some("" | "s" | "skip") => continue 'questions,
                Some("q" | "quit") | None => break 'questions,
                Some(_) => {}
            }
        };
        let Some(because) = line(&mut input, "  because: ", streams.out) else {
            break;
        };
        if because.is_empty() {
            let _ = writeln!(streams.out, "  without a reason it is not written");
            continue;
        }
        answers.push(Answered {
            question,
            holds,
            because,
        });
    }
    answers
}

/// A line of what somebody types; none at the end of it.
fn line(input: &mut BufReader<impl Read>, prompt: &str, out: &mut dyn Write) -> Option<String> {
    let _ = write!(out, "{prompt}");
    let _ = out.flush();
    let mut text = String::new();
    match input.read_line(&mut text) {
        Ok(count) if count > 0 => Some(text.trim().to_owned()),
        _ => {
            let _ = writeln!(out);
            None
        }
    }
}

/// Writes the answers, checks again, and tells what they came to; takes back those that contradict the program.
fn conclude<P: Pipeline>(
    pipeline: &P,
    args: &TriageArgs,
    (options, run): (&AnalysisOptions, RunOptions),
    (before, answers): (&Report, &[Answered<'_>]),
    streams: &mut Streams<'_>,
) -> u8 {
    let mut kept: Vec<&Answered<'_>> = Vec::new();
    let mut status = 0;
    let mut after = None;
    // One by one: what contradicts the program is told from what does not.
    for answer in answers {
        let known = match written(&[answer], options) {
            Ok(known) => known,
            Err(message) => {
                complain(streams, &message);
                return FAILED;
            }
        };
        let fresh = AnalysisOptions {
            scan: Arc::default(),
            ..options.clone()
        };
        let report = driver::check(pipeline, &args.paths, &fresh, run);
        let broken = newly_impossible(before, &report);
        if answer.holds && !broken.is_empty() {
            for (path, text) in known {
                restored(&path, text.as_deref());
            }
            let message = format!(
                "`{}` contradicts how `{}` is launched: the answer is not written",
                safe(&answer.question.assume),
                safe(&broken.join("`, `"))
            );
            complain(streams, &message);
            status = FAILED;
            continue;
        }
        kept.push(answer);
        after = Some(report);
    }
    let Some(after) = after else {
        return status;
    };
    let left = open_questions(&after, options).len();
    let words = format!(
        "{} written: {} instead of {}; {} left",
        counted(kept.len(), "answer", "answers"),
        counted(counting(&after), "finding", "findings"),
        counting(before),
        counted(left, "question", "questions")
    );
    let _ = writeln!(streams.out, "{words}");
    status
}

/// Findings that count.
fn counting(report: &Report) -> usize {
    let findings = report.kernels.iter().flat_map(|kernel| &kernel.findings);
    findings
        .filter(|finding| finding.suppressed.is_none())
        .count()
}

/// Kernels that a launch contradicts now and did not before.
fn newly_impossible(before: &Report, after: &Report) -> Vec<String> {
    let impossible = |report: &Report| -> BTreeSet<String> {
        let kernels = report.kernels.iter();
        kernels
            .filter(|kernel| kernel.verdict() == Verdict::Error)
            .map(|kernel| kernel.name.clone())
            .collect()
    };
    let known = impossible(before);
    impossible(after).difference(&known).cloned().collect()
}

/// Puts answers into the configurations of the files that they are about; gives what stood there before.
fn written(
    answers: &[&Answered<'_>],
    options: &AnalysisOptions,
) -> Result<BTreeMap<PathBuf, Option<String>>, String> {
    let configs = Configs::new(options.config.clone());
    let mut known: BTreeMap<PathBuf, Option<String>> = BTreeMap::new();
    for answer in answers {
        let mut by_config: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
        for file in &answer.question.files {
            let place = place_for(Path::new(file), &configs, options);
            by_config.entry(place).or_default().insert(file.clone());
        }
        for (place, files) in by_config {
            let failed = |error: &std::io::Error| format!("{}: {}", shown(&place), reason(error));
            let before = match place.exists() {
                true => Some(fs::read_to_string(&place).map_err(|error| failed(&error))?),
                false => None,
            };
            let mut text = before.clone().unwrap_or_default();
            if !text.is_empty() && !text.ends_with('\n') {
                text.push('\n');
            }
            if !text.is_empty() {
                text.push('\n');
            }
            let folder = place.parent().unwrap_or(Path::new(""));
            text.push_str(&entry(answer, &files, folder));
            output::write(&place, text.as_bytes()).map_err(|error| failed(&error))?;
            known.entry(place).or_insert(before);
        }
    }
    Ok(known)
}

/// Puts a configuration back to what it was.
fn restored(path: &Path, text: Option<&str>) {
    let _ = match text {
        Some(text) => output::write(path, text.as_bytes()),
        None => fs::remove_file(path),
    };
}

/// The configuration that the answers about a file belong to: the one that it has, else a new one in the folder that the program runs
/// in if the file lies below it, else beside the file.
fn place_for(file: &Path, configs: &Configs, options: &AnalysisOptions) -> PathBuf {
    if let Choice::Given(path) = &options.config {
        return path.clone();
    }
    if let Ok(Some(config)) = configs.of(file) {
        return PathBuf::from(&config.shown);
    }
    let real = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let here = std::env::current_dir().and_then(fs::canonicalize);
    match here {
        Ok(here) if real.starts_with(&here) => PathBuf::from(config::NAME),
        _ => real.with_file_name(config::NAME),
    }
}

/// A text as TOML has it.
fn text(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            _ if character.is_control() => {
                let _ = write!(out, "\\u{:04X}", u32::from(character));
            }
            _ => out.push(character),
        }
    }
    out.push('"');
    out
}

/// An `[[answer]]`.
fn entry(answer: &Answered<'_>, files: &BTreeSet<String>, folder: &Path) -> String {
    let list = |all: &mut dyn Iterator<Item = String>| {
        let all: Vec<String> = all.map(|one| text(&one)).collect();
        match all.as_slice() {
            [one] => one.clone(),
            all => format!("[{}]", all.join(", ")),
        }
    };
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let root = fs::canonicalize(folder).unwrap_or_default();
    let mut paths = files.iter().map(|file| {
        let real = fs::canonicalize(file).unwrap_or_else(|_| PathBuf::from(file));
        let below = real.strip_prefix(&root).unwrap_or(&real);
        globset::escape(&below.to_string_lossy().replace('\\', "/"))
    });
    let mut out = String::from("[[answer]]\n");
    let _ = writeln!(out, "assume = {}", text(&answer.question.assume));
    let _ = writeln!(out, "holds = {}", answer.holds);
    let _ = writeln!(out, "because = {}", text(&answer.because));
    let _ = writeln!(out, "date = {}", text(&made::today()));
    let _ = writeln!(
        out,
        "kernel = {}",
        list(&mut answer.question.kernels.iter().cloned())
    );
    let _ = writeln!(out, "path = {}", list(&mut paths));
    out
}
