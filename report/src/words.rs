//! Findings in words, as several formats show them: headline, notes, launches, witnesses, intervals, mends.

use std::fmt::Write as _;

use super::printable::{naturally, safe, safe_list};
use crate::brief;
use crate::finding::{
    Dim, Finding, Iteration, Kernel, Launch, LaunchSource, Location, LoopState, Thread, Value,
    Witness,
};
use crate::findings::FindingKind;
use crate::judgement::Certainty;
use crate::meeting::{Boundary, Interval, Role};
use crate::place::{Note, Place};
use crate::reasons::{self, Kind};

/// Room to begin a sentence with.
const ROOM: usize = 64;

/// The headline, which stands alone: certainty, defect, kernel, array, and how the threads lie to each other.
#[must_use]
pub fn headline(kernel: &Kernel, finding: &Finding) -> String {
    format!(
        "{} {} in `{}`: {}",
        finding.certainty.as_str(),
        finding.kind().kind().noun,
        safe(&kernel.name),
        finding.defect.what()
    )
}

/// Launch, witness, interval, assumptions, certainty and further notes of a finding, a sentence each.
#[must_use]
pub fn finding_notes(kernel: &Kernel, finding: &Finding) -> Vec<String> {
    let mut notes = Vec::new();
    let launches: Vec<_> = finding
        .launches
        .iter()
        .filter_map(|index| kernel.launches.get(*index))
        .collect();
    if let [first, rest @ ..] = launches.as_slice() {
        let more = match rest.len() {
            0 => String::new(),
            1 => " and one other".to_owned(),
            more => format!(" and {more} others"),
        };
        notes.push(format!("launch {}{more}", launch_words(first)));
    }
    if let Some(witness) = &finding.witness {
        notes.extend(witness_words(witness, finding.kind()));
    }
    notes.extend(chain_words(finding));
    if let Some(interval) = finding.interval() {
        notes.push(interval_words(interval));
    }
    let mut assumptions: Vec<&str> = Vec::new();
    let of_launches = launches.iter().flat_map(|launch| &launch.assumptions);
    for assumption in of_launches.chain(&finding.assumptions) {
        if !assumptions.contains(&assumption.as_str()) {
            assumptions.push(assumption);
        }
    }
    if !assumptions.is_empty() {
        notes.push(format!("assumes: {}", safe_list(&assumptions, ", ")));
    }
    notes.push(match (finding.certainty, finding.reasons.as_slice()) {
        (Certainty::Confirmed, _) => {
            "confirmed: nothing was abstracted, and the witness was replayed with exact arithmetic"
                .to_owned()
        }
        (Certainty::Conditional, _) => format!(
            "conditional: replayed with exact arithmetic, for values that the caller decides{}",
            match finding.hinges_on.as_slice() {
                [] => String::new(),
                values => format!("; it hinges on {}", safe_list(values, ", ")),
            }
        ),
        (Certainty::Potential, []) => "potential: an abstraction took part".to_owned(),
        (Certainty::Potential, reasons) => {
            format!("potential, because of: {}", safe_list(reasons, "; "))
        }
    });
    notes.extend(condition_words(finding));
    notes.extend(finding.notes.iter().map(|note| safe(note)));
    if finding.instances > 1 {
        notes.push(format!(
            "stands for {} instances of the same cause",
            finding.instances
        ));
    }
    if let Some(reason) = finding.suppressed_because() {
        notes.push(format!("suppressed: {}", safe(reason)));
    }
    notes
}

/// Through which calls the places of a finding are reached, those that share them in one sentence.
fn chain_words(finding: &Finding) -> Option<String> {
    let mut told: Vec<(&[Place], Vec<String>)> = Vec::new();
    for location in finding.locations.iter().filter(|at| !at.calls.is_empty()) {
        let what = brief_label(finding, location);
        let what = what
            .split(' ')
            .next()
            .filter(|word| word.starts_with('('))
            .map_or(what.clone(), str::to_owned);
        match told
            .iter_mut()
            .find(|(calls, _)| *calls == location.calls.as_slice())
        {
            Some((_, all)) => all.push(what),
            None => told.push((&location.calls, vec![what])),
        }
    }
    let words = |(calls, whats): (&[Place], Vec<String>)| {
        let own = finding.locations.first().map(|at| &at.place.file);
        let places: Vec<String> = calls
            .iter()
            .map(|call| match Some(&call.file) == own {
                true => format!("line {}", call.line),
                false => format!("{}:{}", safe(&call.file), call.line),
            })
            .collect();
        let of = if places.len() == 1 { "call" } else { "calls" };
        format!(
            "{} through the {of} at {}",
            whats.join(" and "),
            places.join(", then ")
        )
    };
    let told: Vec<String> = told.into_iter().map(words).collect();
    (!told.is_empty()).then(|| told.join(", "))
}

/// The same in as few lines as a reader needs, for a page: no term is longer than [`brief::TERM`], assumptions stand at the end of
/// the page, and what the headline says is not said again.
#[must_use]
pub fn brief_notes(kernel: &Kernel, finding: &Finding) -> Vec<String> {
    let mut notes = Vec::new();
    let launches = finding.launches.iter();
    let launches: Vec<_> = launches
        .filter_map(|index| kernel.launches.get(*index))
        .collect();
    let witness = finding.witness.as_ref();
    if let [first, rest @ ..] = launches.as_slice() {
        let more = match rest.len() {
            0 => String::new(),
            1 => " and one other".to_owned(),
            more => format!(" and {more} others"),
        };
        notes.push(format!("launch {}{more}", launch_brief(first, witness)));
    }
    if let Some(witness) = witness {
        let known = launches.first().is_some_and(|launch| launch.is_known());
        notes.extend(brief_witness(witness, finding.kind(), known));
    }
    notes.extend(chain_words(finding));
    if let Some(interval) = finding.interval() {
        notes.push(interval_words(interval));
    }
    if !finding.reasons.is_empty() {
        let mut kinds: Vec<(String, Vec<Kind>)> = Vec::new();
        for kind in finding.reasons.iter().map(|reason| reasons::kind(reason)) {
            match kinds.iter_mut().find(|(words, _)| *words == kind.words) {
                Some((_, all)) => all.push(kind),
                None => kinds.push((kind.words.clone(), vec![kind])),
            }
        }
        let kinds: Vec<String> = kinds
            .iter()
            .map(|(words, all)| reasons::with_names(words, all.iter()))
            .collect();
        notes.push(format!("potential, because of {}", kinds.join("; ")));
    }
    notes.extend(condition_words(finding));
    if finding.certainty == Certainty::Conditional && finding.race_free_if.is_none() {
        let values: Vec<String> = finding
            .hinges_on
            .iter()
            .take(VALUES)
            .map(|name| format!("`{}`", brief::term(name)))
            .collect();
        notes.push(match values.as_slice() {
            [] => "whether it happens depends on how the kernel is launched".to_owned(),
            values => format!(
                "whether it happens depends on {}, which the caller decides",
                values.join(", ")
            ),
        });
    }
    notes.extend(finding.notes.iter().map(|note| brief::sentence(note)));
    if let Some(reason) = finding.suppressed_because() {
        notes.push(format!("suppressed: {}", safe(reason)));
    }
    notes
}

/// Values of a witness that are told on a page.
const VALUES: usize = 6;

/// The threads with where they meet and what the program has to be given for it, in a sentence, and one a loop.
fn brief_witness(witness: &Witness, kind: FindingKind, sizes_known: bool) -> Vec<String> {
    let threads = threads_words(&witness.threads);
    let mut sentence = match (opposed_words(witness, kind), &witness.element) {
        (Some(opposed), _) => opposed,
        (None, Some(element)) => format!("{threads} meet at `{}`", brief::term(element)),
        (None, None) => threads,
    };
    let mut given: Vec<String> = Vec::new();
    if !sizes_known {
        given.push(format!("blockDim = {}", triple(witness.block_dim)));
        given.push(format!("gridDim = {}", triple(witness.grid_dim)));
    }
    let mut values: Vec<_> = witness.values.iter().collect();
    values.sort_by(|(a, _), (b, _)| naturally(a, b));
    let more = values.len().saturating_sub(VALUES);
    for (name, value) in values.into_iter().take(VALUES) {
        let mut equation = String::with_capacity(ROOM);
        push_equation(&mut equation, &brief::term(name), value);
        given.push(equation);
    }
    if more > 0 {
        given.push(format!("{more} more values (`-v`)"));
    }
    if !given.is_empty() {
        sentence = format!("{sentence}, with {}", given.join(", "));
    }
    let mut sentences = vec![sentence];
    let loops = witness.loops.iter();
    sentences.extend(loops.filter_map(|state| loop_words(state, witness, kind)));
    sentences
}

/// The condition under which it is none, if one is known.
fn condition_words(finding: &Finding) -> Option<String> {
    let condition = safe(finding.race_free_if.as_ref()?);
    let good = finding.kind().kind().absence;
    Some(format!(
        "{good} if `{condition}`, for this launch (--assume \"{condition}\" checks it)"
    ))
}

/// A launch as short as it says which one it is: sizes without casts, where it stands, and numbers that are passed and that a
/// witness, if one is given, does not tell anyway.
pub(crate) fn launch_brief(launch: &Launch, witness: Option<&Witness>) -> String {
    let mut out = String::with_capacity(ROOM);
    out.push_str("<<<");
    push_dims(&mut out, &launch.grid, brief::term);
    out.push_str(", ");
    push_dims(&mut out, &launch.block, brief::term);
    out.push_str(">>> ");
    push_source(&mut out, launch);
    let told = |name: &String| witness.is_some_and(|witness| witness.values.contains_key(name));
    let numbers = launch.arguments.iter();
    let numbers = numbers.filter(|(name, value)| matches!(value, Value::Int(_)) && !told(name));
    for (nth, (name, value)) in numbers.take(VALUES).enumerate() {
        out.push_str(if nth == 0 { " with " } else { ", " });
        push_equation(&mut out, &brief::term(name), value);
    }
    out
}

/// `k.cu:3: text`, in one line.
#[must_use]
pub fn note_words(note: &Note) -> String {
    format!("{}{}", place_before(note), safe(&note.text))
}

/// `k.cu:3: `, or nothing for a note without a place.
pub(crate) fn place_before(note: &Note) -> String {
    match &note.place {
        Some(place) => format!("{}: ", place_words(place)),
        None => String::new(),
    }
}

/// `(1) write by thread (5,0,0)`, `this barrier`.
#[must_use]
pub fn label(finding: &Finding, location: &Location) -> String {
    let what = match location.role {
        Role::First => access_label(finding, 0),
        Role::Second => access_label(finding, 1),
        _ => brief_label(finding, location),
    };
    match &location.macro_name {
        Some(name) => format!("{what}, in the expansion of macro `{}`", safe(name)),
        None => what,
    }
}

/// `(1) write`, `this barrier`: without what the witness tells as well.
pub(crate) fn brief_label(finding: &Finding, location: &Location) -> String {
    finding.defect.label(location.role)
}

fn access_label(finding: &Finding, nth: usize) -> String {
    let mut out = String::with_capacity(ROOM);
    out.push_str(&finding.defect.does(nth));
    let threads = finding.witness.iter().flat_map(|witness| &witness.threads);
    if let Some(thread) = threads.clone().nth(nth) {
        out.push_str(" by thread ");
        push_triple(&mut out, thread.thread);
        // The block is told where it tells them apart.
        if !threads.clone().all(|other| other.block == thread.block) {
            out.push_str(" of block ");
            push_triple(&mut out, thread.block);
        }
    }
    out
}

/// `<<<4, 64>>> from header`, with the arguments that are known.
pub(crate) fn launch_words(launch: &Launch) -> String {
    let mut out = String::with_capacity(ROOM);
    out.push_str("<<<");
    push_dims(&mut out, &launch.grid, safe);
    out.push_str(", ");
    push_dims(&mut out, &launch.block, safe);
    out.push_str(">>> ");
    push_source(&mut out, launch);
    for (nth, (name, value)) in launch.arguments.iter().enumerate() {
        out.push_str(if nth == 0 { " with " } else { ", " });
        push_equation(&mut out, name, value);
    }
    out
}

fn push_source(out: &mut String, launch: &Launch) {
    match (launch.source, &launch.place) {
        (LaunchSource::Code, Some(place)) => {
            out.push_str("at ");
            out.push_str(&place_words(place));
        }
        (LaunchSource::Code, None) => out.push_str("in the code"),
        (LaunchSource::Flag, _) => out.push_str("from the command line"),
        (LaunchSource::Header, _) => out.push_str("from header"),
        (LaunchSource::Comment, _) => out.push_str("from a comment"),
        (LaunchSource::Configuration, _) => out.push_str("from the configuration"),
        (LaunchSource::Symbolic, _) => out.push_str(any_sizes(&launch.grid, &launch.block)),
    }
}

/// For which sizes a launch stands that nothing gives: along axes that the kernel never mentions they are one.
#[must_use]
pub fn any_sizes(grid: &[Dim; 3], block: &[Dim; 3]) -> &'static str {
    let is_one = |dims: &[Dim; 3]| dims.iter().all(|dim| *dim == Dim::Known(1));
    match (is_one(grid), is_one(block)) {
        (true, true) => "for one thread",
        (true, false) => "for one block of any size",
        (false, true) => "for any number of blocks of one thread",
        (false, false) => "for any sizes",
    }
}

/// Adds `64`, or `(16,16)`; axes of size one are left out behind.
fn push_dims(out: &mut String, dims: &[Dim; 3], shown: fn(&str) -> String) {
    let ones = dims.iter().rev().take_while(|dim| **dim == Dim::Known(1));
    let used = (3 - ones.count()).max(1);
    if used > 1 {
        out.push('(');
    }
    for (nth, dim) in dims.iter().take(used).enumerate() {
        if nth > 0 {
            out.push(',');
        }
        match dim {
            Dim::Known(size) => {
                let _ = write!(out, "{size}");
            }
            Dim::Symbolic(text) => out.push_str(&shown(text)),
        }
    }
    if used > 1 {
        out.push(')');
    }
}

/// Adds `n = 3`.
fn push_equation(out: &mut String, name: &str, value: &Value) {
    out.push_str(&safe(name));
    out.push_str(" = ");
    match value {
        Value::Int(value) => {
            let _ = write!(out, "{value}");
        }
        Value::Text(text) => out.push_str(&safe(text)),
    }
}

/// The witness, a sentence for the threads and one each for element, iterations and values where they say something.
pub(crate) fn witness_words(witness: &Witness, kind: FindingKind) -> Vec<String> {
    let threads = opposed_words(witness, kind).unwrap_or_else(|| threads_words(&witness.threads));
    let mut sentences = vec![format!(
        "witness: {threads}, blockDim = {}, gridDim = {}",
        triple(witness.block_dim),
        triple(witness.grid_dim)
    )];
    if let Some(element) = &witness.element {
        sentences.push(format!("they meet at `{}`", safe(element)));
    }
    for state in &witness.loops {
        sentences.extend(loop_words(state, witness, kind));
    }
    if !witness.values.is_empty() {
        let mut sentence = String::with_capacity(ROOM);
        let mut values: Vec<_> = witness.values.iter().collect();
        values.sort_by(|(a, _), (b, _)| naturally(a, b));
        for (nth, (name, value)) in values.into_iter().enumerate() {
            sentence.push_str(if nth == 0 { "with " } else { ", " });
            push_equation(&mut sentence, name, value);
        }
        sentences.push(sentence);
    }
    sentences
}

/// What two threads do, where they do opposite things.
fn opposed_words(witness: &Witness, kind: FindingKind) -> Option<String> {
    let [first, second] = witness.threads.as_slice() else {
        return None;
    };
    let [does, other] = kind.kind().opposed?;
    let (first, second) = (thread_words(first), thread_words(second));
    Some(format!("{first} {does}, {second} {other}"))
}

/// Loop variables that are told of each loop.
const VARIABLES: usize = 3;

/// `in the loop at line 8: (1) in iteration 1, where k = 3; (2) in iteration 2, where k = 5`, iterations counted from 0. Only
/// the accesses of a race have numbers in the source; threads of other findings are named.
fn loop_words(state: &LoopState, witness: &Witness, kind: FindingKind) -> Option<String> {
    let threads: Vec<String> = witness
        .threads
        .iter()
        .enumerate()
        .zip(&state.at)
        .filter_map(|((nth, thread), at)| {
            let Iteration { ordinal, variables } = at.as_ref()?;
            let who = match kind.kind().is_numbered {
                true => format!("({})", nth + 1),
                false if witness.in_one_block() => format!("thread {}", triple(thread.thread)),
                false => thread_words(thread),
            };
            // Several of one name are the parts of a pointer or of an object.
            let alone =
                |name: &String| variables.iter().filter(|(other, _)| other == name).count() == 1;
            let variables: Vec<String> = variables
                .iter()
                .filter(|(name, _)| alone(name))
                .take(VARIABLES)
                .map(|(name, value)| format!("{} = {value}", safe(name)))
                .collect();
            Some(if variables.is_empty() {
                format!("{who} in iteration {ordinal}")
            } else {
                format!(
                    "{who} in iteration {ordinal}, where {}",
                    variables.join(", ")
                )
            })
        })
        .collect();
    (!threads.is_empty()).then(|| {
        format!(
            "in the loop at line {}, iterations counted from 0: {}",
            state.line,
            threads.join("; ")
        )
    })
}

/// `thread (5,0,0) and thread (37,0,0) of block (0,0,0)`; threads of different blocks with a block each.
pub(crate) fn threads_words(threads: &[Thread]) -> String {
    let Some(first) = threads.first() else {
        return "no thread".to_owned();
    };
    let together = threads.iter().all(|thread| thread.block == first.block);
    let mut out = String::with_capacity(ROOM);
    for (nth, thread) in threads.iter().enumerate() {
        out.push_str(if nth == 0 { "thread " } else { " and thread " });
        push_triple(&mut out, thread.thread);
        if !together || nth + 1 == threads.len() {
            out.push_str(" of block ");
            push_triple(&mut out, thread.block);
        }
    }
    out
}

/// `thread (5,0,0) of block (1,0,0)`.
pub(crate) fn thread_words(thread: &Thread) -> String {
    format!(
        "thread {} of block {}",
        triple(thread.thread),
        triple(thread.block)
    )
}

/// `(5,0,0)`.
pub(crate) fn triple(of: [u64; 3]) -> String {
    let mut out = String::with_capacity("(1023,1023,63)".len());
    push_triple(&mut out, of);
    out
}

fn push_triple(out: &mut String, [x, y, z]: [u64; 3]) {
    let _ = write!(out, "({x},{y},{z})");
}

/// Between which barriers the accesses meet.
pub(crate) fn interval_words(interval: &Interval) -> String {
    let mut out = String::with_capacity(2 * ROOM);
    out.push_str("no barrier orders them between ");
    push_boundaries(&mut out, &interval.from, "the start of the kernel");
    out.push_str(" and ");
    push_boundaries(&mut out, &interval.to, "the end of the kernel");
    if interval.carried {
        out.push_str(", round the back edge of the loop");
    }
    out
}

fn push_boundaries(out: &mut String, boundaries: &[Boundary], none: &str) {
    if boundaries.is_empty() {
        out.push_str(none);
    }
    for (nth, boundary) in boundaries.iter().enumerate() {
        if nth > 0 {
            out.push_str(" or ");
        }
        match boundary {
            Boundary::Start => out.push_str("the start of the kernel"),
            Boundary::End => out.push_str("the end of the kernel"),
            Boundary::Barrier { what, place } => {
                let _ = write!(out, "`{}` at {}", safe(what), place_words(place));
            }
        }
    }
}

fn place_words(place: &Place) -> String {
    format!("{}:{}", safe(&place.file), place.line)
}

/// What is told with a mend.
pub const MEND_WORDS: &str =
    "with this change the kernel is race-free, which was checked (`--fix` makes it)";

/// What would help, and whether that was proved: for formats that show no diff.
#[must_use]
pub fn help(finding: &Finding) -> Option<String> {
    match (&finding.mend, &finding.hint) {
        (Some(mend), _) => Some(format!("help: {MEND_WORDS}:\n{}", mend.diff().trim_end())),
        (None, Some(hint)) => Some(format!("help (not proved): {hint}")),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dimensions_leave_out_trailing_ones() {
        let dims = |dims: &[Dim; 3]| {
            let mut out = String::new();
            push_dims(&mut out, dims, safe);
            out
        };
        let known = |x, y, z| dims(&[Dim::Known(x), Dim::Known(y), Dim::Known(z)]);
        assert_eq!(known(64, 1, 1), "64");
        assert_eq!(known(1, 1, 1), "1");
        assert_eq!(known(16, 16, 1), "(16,16)");
        assert_eq!(known(1, 1, 4), "(1,1,4)");
        let symbolic = Dim::Symbolic("(n + 255) / 256".to_owned());
        assert_eq!(
            dims(&[symbolic, Dim::Known(1), Dim::Known(1)]),
            "(n + 255) / 256"
        );
    }

    #[test]
    fn threads_of_one_block_share_it() {
        let thread = |block, x| Thread {
            block: [block, 0, 0],
            thread: [x, 0, 0],
        };
        assert_eq!(
            threads_words(&[thread(0, 5), thread(0, 37)]),
            "thread (5,0,0) and thread (37,0,0) of block (0,0,0)"
        );
        assert_eq!(
            threads_words(&[thread(0, 5), thread(1, 5)]),
            "thread (5,0,0) of block (0,0,0) and thread (5,0,0) of block (1,0,0)"
        );
        assert_eq!(
            threads_words(&[thread(2, 5)]),
            "thread (5,0,0) of block (2,0,0)"
        );
    }
}
