//! Verdicts: what is undecided in one line a kernel, what is proved as a count with what the proofs rest on; or, with all detail, every
//! kernel with its launches.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use super::lines::{standing, wrapped};
use super::options::TextOptions;
use super::wrap::columns;
use crate::brief;
use crate::finding::{Kernel, Outcome, Report};
use crate::judgement::Verdict;
use crate::printable::{counted, safe};
use crate::reasons::{self, Kind};
use crate::words::{launch_brief, launch_words, note_words, place_before};

/// Kernels of a verdict that are listed; the rest is counted.
const UNKNOWN: usize = 20;
/// Proofs up to so many are listed.
const RACE_FREE: usize = 3;
/// Assumptions that are listed.
const ASSUMED: usize = 8;

/// The verdicts on kernels without findings, and what all rests on.
pub(super) fn verdicts(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    if options.is_verbose() {
        for kernel in &report.kernels {
            whole(&mut out, kernel, options);
        }
        return out;
    }
    let of = |verdict: Verdict| {
        let kernels = report.kernels.iter();
        kernels.filter(move |kernel| kernel.verdict() == verdict)
    };
    for kernel in of(Verdict::Error) {
        whole(&mut out, kernel, options);
    }
    let unknown: Vec<&Kernel> = of(Verdict::Unknown).collect();
    if options.shows.unknown {
        for kernel in unknown {
            whole(&mut out, kernel, options);
        }
    } else {
        undecided(&mut out, &unknown, options);
    }
    let proved: Vec<&Kernel> = of(Verdict::RaceFree).collect();
    if options.shows.race_free {
        for kernel in &proved {
            whole(&mut out, kernel, options);
        }
    } else if proved.len() <= RACE_FREE {
        for kernel in &proved {
            let line = format!("race_free  {}", head(kernel, true));
            standing(&mut out, 0, Some(Verdict::RaceFree), &line, options);
        }
    } else {
        let compared = proved
            .iter()
            .filter(|kernel| !kernel.compared_nothing())
            .count();
        let nothing = match proved.len() - compared {
            0 => String::new(),
            nothing => format!("; {nothing} of them have no shared accesses that could conflict"),
        };
        let line = format!(
            "race_free  {} (`--show race-free` lists them{nothing})",
            counted(proved.len(), "kernel", "kernels")
        );
        standing(&mut out, 0, Some(Verdict::RaceFree), &line, options);
    }
    if !options.shows.race_free {
        let indent = if out.is_empty() { 0 } else { 4 };
        out.push_str(&assumed(report, indent, options));
    }
    out
}

/// `k.cu:3 scale  (launch <<<4, 64>>> at k.cu:9)`.
fn head(kernel: &Kernel, brief: bool) -> String {
    let mut facts: Vec<String> = Vec::new();
    if kernel.compared_nothing() && kernel.verdict() == Verdict::RaceFree {
        facts.push(if kernel.stats.accesses == 0 {
            "no shared accesses".to_owned()
        } else {
            "no shared accesses that could conflict".to_owned()
        });
    }
    match kernel.launches.as_slice() {
        [] => facts.push("no launch was analysed".to_owned()),
        [launch] if brief => facts.push(format!("launch {}", launch_brief(launch, None))),
        [launch] => facts.push(format!("launch {}", launch_words(launch))),
        launches => facts.push(format!("{} launches", launches.len())),
    }
    let name = match brief {
        true => brief::term(&kernel.name),
        false => safe(&kernel.name),
    };
    format!(
        "{}:{} {name}  ({})",
        safe(&kernel.file),
        kernel.line,
        facts.join("; ")
    )
}

/// Kernels that are undecided, each in a line with the kinds of its reasons; the instances of a template that are so for the same reasons
/// stand in one.
fn undecided(out: &mut String, kernels: &[&Kernel], options: TextOptions) {
    let mut lines: Vec<(&Kernel, String, usize)> = Vec::new();
    for kernel in kernels {
        let why = why(kernel);
        let same = |(first, reasons, _): &&mut (&Kernel, String, usize)| {
            first.file == kernel.file && first.line == kernel.line && *reasons == why
        };
        match lines.iter_mut().find(same) {
            Some((_, _, instances)) => *instances += 1,
            None => lines.push((kernel, why, 1)),
        }
    }
    for (kernel, why, instances) in lines.iter().take(UNKNOWN) {
        let others = match instances - 1 {
            0 => String::new(),
            others => format!(
                " and {}",
                counted(others, "more instance", "more instances")
            ),
        };
        let line = format!(
            "unknown  {}:{} {}{others}: {why}",
            safe(&kernel.file),
            kernel.line,
            brief::term(&kernel.name),
        );
        standing(out, 0, Some(Verdict::Unknown), &line, options);
    }
    let left: usize = lines.iter().skip(UNKNOWN).map(|(_, _, count)| count).sum();
    if left > 0 {
        let more = counted(left, "more kernel", "more kernels");
        let line = format!("unknown  {more} (`--show unknown` lists them)");
        standing(out, 0, Some(Verdict::Unknown), &line, options);
    }
}

/// Why a kernel is undecided: the two kinds of reasons that most of its reasons are of.
fn why(kernel: &Kernel) -> String {
    let reasons = kernel
        .launches
        .iter()
        .flat_map(|launch| launch.outcome.reasons());
    let mut kinds: BTreeMap<String, Vec<Kind>> = BTreeMap::new();
    for reason in reasons {
        let kind = reasons::kind(&reason.text);
        kinds.entry(kind.words.clone()).or_default().push(kind);
    }
    let mut kinds: Vec<_> = kinds.into_iter().collect();
    kinds.sort_by_key(|(_, all)| std::cmp::Reverse(all.len()));
    let told: Vec<String> = kinds
        .iter()
        .take(2)
        .map(|(words, all)| reasons::with_names(words, all.iter()))
        .collect();
    if told.is_empty() {
        return match kernel.launches.is_empty() {
            true => "no launch was analysed".to_owned(),
            false => "no reason was recorded".to_owned(),
        };
    }
    let more = match kinds.len() - told.len() {
        0 => String::new(),
        more => format!("; and {}", counted(more, "other reason", "other reasons")),
    };
    format!("{}{more}", told.join("; "))
}

/// What verdicts and findings rest on, each assumption once, with how many kernels it is of.
fn assumed(report: &Report, indent: usize, options: TextOptions) -> String {
    let mut counts: BTreeMap<String, (BTreeSet<&str>, BTreeSet<usize>)> = BTreeMap::new();
    let mut resting = 0;
    for (nth, kernel) in report.kernels.iter().enumerate() {
        let findings = kernel.findings.iter();
        let own = findings
            .flat_map(|finding| &finding.assumptions)
            .map(String::as_str);
        let mut all = kernel.assumptions();
        all.extend(own);
        resting += usize::from(!all.is_empty());
        for assumption in all {
            let entry = counts
                .entry(reasons::without_lines_and_names(assumption))
                .or_default();
            entry.0.insert(assumption);
            entry.1.insert(nth);
        }
    }
    if counts.is_empty() {
        return String::new();
    }
    let mut counts: Vec<_> = counts.into_values().collect();
    counts.sort_by_key(|(_, kernels)| std::cmp::Reverse(kernels.len()));
    let mut told: Vec<String> = Vec::new();
    for (texts, kernels) in counts.iter().take(ASSUMED) {
        let text = texts.first().copied().unwrap_or_default();
        let mut notes = Vec::new();
        if texts.len() > 1 {
            notes.push(format!("and {} like it", texts.len() - 1));
        }
        if kernels.len() < resting {
            notes.push(counted(kernels.len(), "kernel", "kernels"));
        }
        let notes = match notes.as_slice() {
            [] => String::new(),
            some => format!(" ({})", some.join("; ")),
        };
        told.push(format!("{}{notes}", brief::sentence(text)));
    }
    let more = match counts.len().saturating_sub(ASSUMED) {
        0 => String::new(),
        more => format!(", and {more} more (`-v` lists them by kernel)"),
    };
    wrapped(
        &format!("assumes: {}{more}", told.join(", ")),
        indent,
        options,
    )
}

/// All that is known of a kernel beside its findings: verdict, launches, assumptions, why it is undecided, notes.
fn whole(out: &mut String, kernel: &Kernel, options: TextOptions) {
    let verdict = kernel.verdict();
    let verbose = options.is_verbose();
    let sentence = |text: &str| match verbose {
        true => safe(text),
        false => brief::sentence(text),
    };
    let assumptions = kernel.assumptions();
    let assumptions: Vec<String> = assumptions.into_iter().map(sentence).collect();
    let assumed = (!assumptions.is_empty()).then(|| format!("assumes: {}", assumptions.join(", ")));
    let head = head(kernel, !verbose);
    let word = verdict.as_str();
    let mut line = format!("{word}  {head}");
    let mut below = None;
    if let Some(assumed) = assumed {
        let open = head.strip_suffix(')').unwrap_or(&head);
        let whole = format!("{word}  {open}; {assumed})");
        if columns(&whole) <= options.width {
            line = whole;
        } else {
            below = Some(assumed);
        }
    }
    standing(out, 0, Some(verdict), &line, options);
    if let Some(assumed) = below {
        out.push_str(&wrapped(&assumed, 4, options));
    }
    let mut told: BTreeSet<String> = BTreeSet::new();
    for (index, launch) in kernel.launches.iter().enumerate() {
        if kernel.launches.len() > 1 {
            let verdict = kernel.launch_verdict(index);
            let words = match verbose {
                true => launch_words(launch),
                false => launch_brief(launch, None),
            };
            let line = format!("{}  launch {words}", verdict.as_str());
            standing(out, 4, Some(verdict), &line, options);
        }
        let (word, reasons) = match &launch.outcome {
            Outcome::Complete => continue,
            Outcome::Undecided(reasons) => ("undecided", reasons),
            Outcome::Contradictory(reasons) => ("contradictory", reasons),
        };
        let indent = if kernel.launches.len() > 1 { 8 } else { 4 };
        let mut again = 0;
        for reason in reasons {
            let line = format!("{word}: {}{}", place_before(reason), sentence(&reason.text));
            if told.contains(&line) {
                again += 1;
                continue;
            }
            out.push_str(&wrapped(&line, indent, options));
            told.insert(line);
        }
        if again > 0 {
            let reasons = counted(again, "reason", "reasons");
            let _ = writeln!(out, "{:indent$}{word}: {reasons} as above", "");
        }
        if reasons.is_empty() {
            let _ = writeln!(out, "{:indent$}{word}: no reason was recorded", "");
        }
    }
    if verbose {
        for note in &kernel.notes {
            out.push_str(&wrapped(&format!("note: {}", note_words(note)), 4, options));
        }
    }
}
