//! What may mend a finding, as changes of the text, the smallest first.
//!
//! For a race within a block: a barrier at each place between the two accesses, the least nested first; at the end and at the start of
//! the loops around both; a statement that reads and writes in one go is split, with a barrier between; an update becomes one atomic
//! operation; what all threads do is left to one. Accesses in different calls of functions are ordered between the calls, too. For a
//! barrier that not all threads reach: it is taken out, moved out of the branch, or the branch is split at it. Nothing here is sure to
//! help: the edited text is analysed. What *is* made sure of here is that for one thread alone the text means what it meant before:
//! only barriers come and go, a value waits in a variable, an operation is made atomic.

use std::collections::BTreeMap;
use std::ops::Range;

use warplog_report::{AccessKind, Finding, FindingKind, Location, Place, Role, Scope};

use super::changes::{Change, line_start};
use super::statements::{Body, Boundary, Statements};

/// Places for a barrier that are tried for a pair of accesses.
const PLACES: usize = 6;
/// Loops around a pair of accesses that are tried.
const LOOPS: usize = 2;
/// Branches that a barrier is moved out of.
const BRANCHES: usize = 3;

/// The candidates for one finding.
pub(super) fn of(
    finding: &Finding,
    texts: &BTreeMap<String, Statements<'_>>,
    is_in_kernel: &dyn Fn(&Place) -> bool,
) -> Vec<Vec<Change>> {
    let mut all = match finding.kind() {
        FindingKind::DataRace => of_race(finding, texts, is_in_kernel),
        FindingKind::BarrierDivergence => of_divergence(finding, texts).unwrap_or_default(),
        FindingKind::InvalidMask
        | FindingKind::AssertionFailed
        | FindingKind::MissingProxyFence
        | FindingKind::EndlessWait => Vec::new(),
    };
    let mut known: Vec<Vec<Change>> = Vec::new();
    all.retain(|one| {
        let new = !known.contains(one);
        known.push(one.clone());
        new
    });
    all
}

/// One candidate for all findings of a cause: every statement that reads and writes in one go is split, and a barrier stands behind
/// each statement that takes part but the last.
pub(super) fn of_all(
    findings: &[&Finding],
    texts: &BTreeMap<String, Statements<'_>>,
) -> Option<Vec<Change>> {
    let barriers = barriers(findings.first()?, texts);
    let barrier = barriers.first()?.as_str();
    let mut own: BTreeMap<(String, usize), (Range<usize>, bool)> = BTreeMap::new();
    for finding in findings {
        let pair = pair(finding)?;
        let (Some(first), Some(second)) = (stands(pair[0], texts), stands(pair[1], texts)) else {
            continue;
        };
        for one in [&first, &second] {
            let statement = one.text.statement(&one.range)?;
            let same = first.file == second.file
                && statement.own.contains(&first.range.start)
                && statement.own.contains(&second.range.start);
            let entry = own
                .entry((one.file.clone(), statement.whole.start))
                .or_insert((statement.whole, false));
            entry.1 |= same;
        }
    }
    let last = own.keys().next_back().cloned()?;
    let mut changes = Vec::new();
    let mut names = 0;
    for ((file, start), (range, split)) in &own {
        let text = texts.get(file)?;
        if *split {
            changes.extend(split_at(text, file, range, (barrier, names))?);
            names += 1;
        }
        if (file, *start) != (&last.0, last.1) {
            let next = text
                .boundaries(&(range.end..text.text().len()))
                .first()
                .copied()?;
            changes.push(inserted(text, file, next, barrier));
        }
    }
    Some(changes)
}

/// An access or a call as a piece of a text.
struct Stand<'t> {
    file: String,
    range: Range<usize>,
    text: &'t Statements<'t>,
}

fn stands<'t>(place: &Place, texts: &'t BTreeMap<String, Statements<'t>>) -> Option<Stand<'t>> {
    let text = texts.get(&place.file)?;
    Some(Stand {
        file: place.file.clone(),
        range: text.bytes(place)?,
        text,
    })
}

fn location(finding: &Finding, role: Role) -> Option<&Location> {
    finding
        .locations
        .iter()
        .find(|location| location.role == role)
}

fn pair(finding: &Finding) -> Option<[&Place; 2]> {
    let place = |role| location(finding, role).map(|location| &location.place);
    Some([place(Role::First)?, place(Role::Second)?])
}

/// The texts that may order the threads of a race, the weakest first.
fn barriers(finding: &Finding, texts: &BTreeMap<String, Statements<'_>>) -> Vec<String> {
    let of_warp = || {
        let hint = finding.hint.as_deref().unwrap_or_default();
        finding.scope() == Some(Scope::IntraWarp) && hint.contains("__syncwarp")
    };
    let copies = || {
        let mut texts = texts.values();
        texts.any(|text| text.text().contains("__pipeline_commit"))
    };
    let plain: &[&str] = match finding.scope() {
        None | Some(Scope::InterBlock) => &[],
        Some(Scope::IntraWarp) if of_warp() => &["__syncwarp();", "__syncthreads();"],
        Some(_) => &["__syncthreads();"],
    };
    let mut all: Vec<String> = plain.iter().map(|text| (*text).to_owned()).collect();
    if !all.is_empty() && copies() {
        all.push("__pipeline_wait_prior(0); __syncthreads();".to_owned());
    }
    let at = location(finding, Role::First).and_then(|location| stands(&location.place, texts));
    for own in at.iter().flat_map(own_barriers) {
        if !all.contains(&own) {
            all.push(own);
        }
    }
    all
}

/// Barriers that a function has already and that are tried at other places of it.
const OWN: usize = 2;

/// The barriers of a mask or a group, as the function writes them: `__syncwarp(0xffff);`, `tile.sync();`.
fn own_barriers(stand: &Stand<'_>) -> Vec<String> {
    let Some(body) = stand.text.bodies(stand.range.start).pop() else {
        return Vec::new();
    };
    let inside = &stand.text.text()[body.inside.clone()];
    let mut found: Vec<String> = Vec::new();
    for boundary in stand.text.boundaries(&body.inside) {
        let rest = &inside[boundary.at - body.inside.start..];
        let statement = rest.split_inclusive(';').next().unwrap_or_default();
        let words = statement.strip_suffix(".sync();").unwrap_or_default();
        let is_name = !words.is_empty() && words.chars().all(|c| c.is_alphanumeric() || c == '_');
        let is_masked = statement.starts_with("__syncwarp(") && !statement.contains('\n');
        if (is_name || is_masked) && !found.iter().any(|known| known == statement) {
            found.push(statement.to_owned());
        }
    }
    found.truncate(OWN);
    found
}

fn of_race(
    finding: &Finding,
    texts: &BTreeMap<String, Statements<'_>>,
    is_in_kernel: &dyn Fn(&Place) -> bool,
) -> Vec<Vec<Change>> {
    let Some(pair) = pair(finding) else {
        return Vec::new();
    };
    let mut all = Vec::new();
    let kinds = finding.accesses();
    let both_atomic = kinds == Some([AccessKind::Atomic; 2]);
    for barrier in barriers(finding, texts) {
        for pair in levels(finding) {
            all.extend(ordered(finding, pair, &barrier, texts));
        }
        all.extend(at_entries(finding, &barrier, texts));
    }
    if !both_atomic && has_atomic_operations(finding, texts) {
        for place in pair {
            if let Some(stand) = stands(place, texts) {
                all.extend(atomic(&stand));
            }
        }
    }
    if pair[0] == pair[1] && kinds == Some([AccessKind::Write; 2]) && is_in_kernel(pair[0]) {
        all.extend(stands(pair[0], texts).and_then(|stand| by_one(&stand, finding.scope())));
    }
    all
}

/// The places that are to be ordered: the accesses, and the calls through which they are reached, from where these part.
fn levels(finding: &Finding) -> Vec<[&Place; 2]> {
    let mut all: Vec<[&Place; 2]> = finding.parts_at().into_iter().collect();
    let calls = |role| location(finding, role).map_or(&[][..], |at| at.calls.as_slice());
    let both = calls(Role::First).iter().zip(calls(Role::Second));
    let common: Vec<&Place> = both.take_while(|(a, b)| a == b).map(|(a, _)| a).collect();
    all.extend(common.into_iter().rev().map(|call| [call, call]));
    all
}

/// A barrier where the functions begin that both accesses stand in, other than the kernel itself.
fn at_entries(
    finding: &Finding,
    barrier: &str,
    texts: &BTreeMap<String, Statements<'_>>,
) -> Vec<Vec<Change>> {
    let mut all = Vec::new();
    for role in [Role::Second, Role::First] {
        let entry = location(finding, role)
            .filter(|location| !location.calls.is_empty())
            .and_then(|location| stands(&location.place, texts))
            .and_then(|stand| {
                let body = stand.text.bodies(stand.range.start).pop()?;
                let place = *stand.text.boundaries(&body.inside).first()?;
                Some(vec![inserted(stand.text, &stand.file, place, barrier)])
            });
        all.extend(entry);
    }
    all
}

/// A barrier wherever it may order two places of one text.
fn ordered(
    finding: &Finding,
    places: [&Place; 2],
    barrier: &str,
    texts: &BTreeMap<String, Statements<'_>>,
) -> Vec<Vec<Change>> {
    let [Some(a), Some(b)] = places.map(|place| stands(place, texts)) else {
        return Vec::new();
    };
    if a.file != b.file {
        return Vec::new();
    }
    let (text, file) = (a.text, a.file.as_str());
    let (first, last) = match a.range.start <= b.range.start {
        true => (a.range, b.range),
        false => (b.range, a.range),
    };
    let [one, other] = [&first, &last].map(|range| text.statement(range));
    let mut all = Vec::new();
    let same = one.is_some() && one == other;
    let carried = finding.interval().is_some_and(|interval| interval.carried);
    let at_loops = || of_loops(text, file, (&first, &last), barrier);
    if carried {
        all.extend(at_loops());
    }
    let is_call = finding
        .locations
        .iter()
        .any(|location| location.calls.contains(places[0]));
    if same && !is_call {
        let split = one
            .as_ref()
            .and_then(|statement| split_at(text, file, &statement.whole, (barrier, 0)));
        all.extend(split);
    } else if !same {
        let from = one.map_or(first.end, |statement| statement.whole.end);
        let to = other.map_or(last.start, |statement| statement.whole.start);
        if from <= to {
            all.extend(between(text, file, from..to, barrier));
        }
    }
    if !carried {
        all.extend(at_loops());
    }
    // Round a loop one barrier may not do: the next round comes behind this one.
    if !same
        && let (Some(inside), Some(around)) = (all.first(), at_loops().first())
        && inside != around
    {
        all.insert(
            all.len().min(2),
            [inside.as_slice(), around.as_slice()].concat(),
        );
    }
    all
}

/// A barrier at each place between, the least nested first, of these the last.
fn between(
    text: &Statements<'_>,
    file: &str,
    range: Range<usize>,
    barrier: &str,
) -> Vec<Vec<Change>> {
    let mut places = text.boundaries(&range);
    places.sort_by_key(|place| (place.depth, std::cmp::Reverse(place.at)));
    places.truncate(PLACES);
    places
        .into_iter()
        .map(|place| vec![inserted(text, file, place, barrier)])
        .collect()
}

/// A barrier at the end, and at the start, of the loops around both, the innermost first.
fn of_loops(
    text: &Statements<'_>,
    file: &str,
    (first, last): (&Range<usize>, &Range<usize>),
    barrier: &str,
) -> Vec<Vec<Change>> {
    let mut all = Vec::new();
    if let Some(statement) = text.statement(last)
        && statement.in_bare_loop
        && statement.own.contains(&first.start)
    {
        let own = &text.text()[statement.own.clone()];
        let braced = format!("{{ {own} {barrier} }}");
        all.push(vec![Change::replace(file, statement.own, braced)]);
    }
    let bodies = text.bodies(last.start);
    let around = |body: &&Body| {
        body.is_loop && body.inside.start <= first.start && last.end <= body.inside.end
    };
    for body in bodies.iter().filter(around).take(LOOPS) {
        let own = text.boundaries(&body.inside);
        let ends = [own.last(), own.first()];
        for place in ends.into_iter().flatten() {
            all.push(vec![inserted(text, file, *place, barrier)]);
        }
    }
    all
}

/// The barrier as a statement of its own, on a line of its own where the place begins one.
fn inserted(text: &Statements<'_>, file: &str, place: Boundary, barrier: &str) -> Change {
    let whole = text.text();
    let start = line_start(whole, place.at);
    let before = &whole[start..place.at];
    if !before.trim().is_empty() {
        return Change::insert(file, place.at, format!("{barrier} "));
    }
    let deeper = match whole[place.at..].starts_with('}') {
        true if before.contains('\t') => "\t",
        true => "    ",
        false => "",
    };
    Change::insert(
        file,
        start,
        format!("{before}{deeper}{barrier}{}", ending(whole)),
    )
}

/// What ends the lines of a text.
fn ending(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

/// Signs that assign.
const ASSIGN: [&str; 11] = [
    "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=",
];

/// Whether a piece of code only reads, as far as its words say.
fn only_reads(words: &[&str]) -> bool {
    let steps = |word: &&str| ASSIGN.contains(word) || matches!(*word, "++" | "--");
    !words.iter().any(steps)
}

/// `s[t] += s[t + 1];` as a value, a barrier, and a store. Of what the statement hangs on without braces, the barrier is kept out:
/// `if (c) s[t] += s[t + 1];` gets a condition round either half, if the condition only reads.
fn split_at(
    text: &Statements<'_>,
    file: &str,
    whole: &Range<usize>,
    (barrier, nth): (&str, usize),
) -> Option<Vec<Change>> {
    let statement = statement_of(text, whole)?;
    let source = text.text();
    let own = statement.own.clone();
    let sign = text.sign(&own, &ASSIGN)?;
    let operator = &source[sign.clone()];
    let target = source[own.start..sign.start].trim();
    let value = source[sign.end..own.end].trim().strip_suffix(';')?.trim();
    let sides = [own.start..sign.start, sign.end..own.end];
    if !sides.iter().all(|side| only_reads(&text.words(side))) || !is_place(&text.words(&sides[0]))
    {
        return None;
    }
    let name = fresh(source, nth);
    let value = match operator.strip_suffix('=') {
        Some("") | None => value.to_owned(),
        Some(operator) => format!("{target} {operator} ({value})"),
    };
    let start = line_start(source, whole.start);
    let before = &source[start..whole.start];
    let line = match before.trim().is_empty() {
        true => format!("{}{before}", ending(source)),
        false => " ".to_owned(),
    };
    let heads = source[whole.start..own.start].trim();
    if heads.is_empty() {
        let text = format!("auto {name} = {value};{line}{barrier}{line}{target} = {name};");
        return Some(vec![Change::replace(file, own, text)]);
    }
    // One condition and nothing else.
    let condition = heads.strip_prefix("if")?.trim();
    let words = text.words(&(whole.start..own.start));
    let single = words
        .iter()
        .filter(|word| matches!(**word, "if" | "else" | "for" | "while" | "do"))
        .count()
        == 1;
    // Behind the barrier the condition is asked again: it must be the same then.
    let of_memory = words
        .iter()
        .any(|word| matches!(*word, "[" | "*" | "->" | "&"));
    if !single || !only_reads(&words) || of_memory || condition.starts_with("constexpr") {
        return None;
    }
    let text = format!(
        "decltype({target} + 0) {name}{{}};{line}if {condition} {name} = {value};{line}{barrier}{line}if {condition} {target} = {name};"
    );
    Some(vec![Change::replace(file, whole.clone(), text)])
}

fn statement_of(
    text: &Statements<'_>,
    whole: &Range<usize>,
) -> Option<super::statements::Statement> {
    let end = whole.end.checked_sub(1)?;
    text.statement(&(end..whole.end))
        .filter(|statement| statement.whole == *whole)
}

/// Whether words name a place of memory, and declare nothing.
fn is_place(words: &[&str]) -> bool {
    let mut names = words
        .iter()
        .map(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'));
    let first = words.first().is_some_and(|word| {
        *word == "*" || word.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '(')
    });
    let mut before = false;
    let adjoining = names.any(|name| std::mem::replace(&mut before, name) && name);
    let call = words
        .windows(2)
        .any(|pair| pair[1] == "(" && pair[0].starts_with(|c: char| c.is_alphabetic() || c == '_'));
    first && !adjoining && !call
}

/// A name that the text does not have, the `nth` of such names.
fn fresh(text: &str, nth: usize) -> String {
    let names = (0_u32..).map(|number| match number {
        0 => "kept".to_owned(),
        number => format!("kept{number}"),
    });
    let mut names = names.filter(|name| !has_word(text, name));
    names.nth(nth).unwrap_or_default()
}

/// Whether the text has the word, not as a part of another.
fn has_word(text: &str, word: &str) -> bool {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(word)
        .any(|(at, _)| !text[..at].ends_with(part) && !text[at + word.len()..].starts_with(part))
}

/// Stands for the operation that subtracts.
const SUBTRACT: &str = "-";

/// Bytes of what all atomic operations of arithmetic are there for, whether it is an integer or a number with a point.
const ATOMIC_BYTES: u64 = 4;

/// Whether CUDA has atomic operations for what a race is about: 4 bytes, and not declared as volatile.
fn has_atomic_operations(finding: &Finding, texts: &BTreeMap<String, Statements<'_>>) -> bool {
    let touched = finding.witness.iter().flat_map(|witness| &witness.touched);
    let sizes: Vec<u64> = touched.map(|touched| touched.bytes).collect();
    let array = finding.array().unwrap_or_default();
    let is_volatile = |text: &Statements<'_>| {
        let words = text.words(&(0..text.text().len()));
        let mut declared = words.split(|word| matches!(*word, ";" | "," | ")" | "("));
        declared.any(|words| words.contains(&"volatile") && words.contains(&array))
    };
    !sizes.is_empty()
        && sizes.iter().all(|bytes| *bytes == ATOMIC_BYTES)
        && !texts.values().any(is_volatile)
}

/// `h[i] += x;` as `atomicAdd(&h[i], x);`. What is taken away is added with the other sign: there is such an operation for all types.
fn atomic(stand: &Stand<'_>) -> Option<Vec<Change>> {
    let (text, source) = (stand.text, stand.text.text());
    let statement = text.statement(&stand.range)?;
    let own = statement.own;
    let inside = own.start..own.end - 1;
    let words = text.words(&inside);
    let step = |word: &str| match word {
        "++" => Some(("atomicAdd", "1")),
        "--" => Some(("atomicAdd", "-1")),
        _ => None,
    };
    let (function, target, value) = if let Some(sign) = text.sign(&inside, &["++", "--"]) {
        let (function, one) = step(&source[sign.clone()])?;
        let target = match sign.start == own.start {
            true => &source[sign.end..inside.end],
            false if sign.end == inside.end || source[sign.end..inside.end].trim().is_empty() => {
                &source[own.start..sign.start]
            }
            false => return None,
        };
        (function, target.trim(), one.to_owned())
    } else {
        let sign = text.sign(&inside, &ASSIGN)?;
        let target = source[own.start..sign.start].trim();
        let value = source[sign.end..inside.end].trim();
        let function = |operator: &str| match operator {
            "+" => Some("atomicAdd"),
            "-" => Some(SUBTRACT),
            "&" => Some("atomicAnd"),
            "|" => Some("atomicOr"),
            "^" => Some("atomicXor"),
            _ => None,
        };
        match source[sign.clone()].strip_suffix('=')? {
            "" => {
                // `h[i] = h[i] + x`
                let rest = value.strip_prefix(target)?.trim_start();
                let operator = rest.get(..1)?;
                let value = rest[1..].trim();
                let plain = value
                    .chars()
                    .all(|c| c.is_alphanumeric() || "_.[]".contains(c));
                (
                    function(operator).filter(|_| plain)?,
                    target,
                    value.to_owned(),
                )
            }
            operator => (function(operator)?, target, value.to_owned()),
        }
    };
    let reads = words
        .iter()
        .filter(|word| ASSIGN.contains(word) || matches!(**word, "++" | "--"))
        .count()
        == 1;
    let target_words: Vec<&str> = text
        .words(&own)
        .into_iter()
        .take_while(|word| !ASSIGN.contains(word))
        .collect();
    let placed = is_place(
        &target_words
            .into_iter()
            .filter(|word| !matches!(*word, "++" | "--" | ";"))
            .collect::<Vec<_>>(),
    );
    (reads && placed && !target.is_empty()).then(|| {
        let text = match function {
            SUBTRACT => format!("atomicAdd(&{target}, -({value}));"),
            _ => format!("{function}(&{target}, {value});"),
        };
        vec![Change::replace(&stand.file, own, text)]
    })
}

/// A statement that all threads execute, left to one: only where nothing stands before it that could keep that one away.
fn by_one(stand: &Stand<'_>, scope: Option<Scope>) -> Option<Vec<Change>> {
    let text = stand.text;
    let statement = text.statement(&stand.range)?;
    let body = text.bodies(stand.range.start).into_iter().next()?;
    let before = text.words(&(body.inside.start..statement.own.start));
    let may_leave = before
        .iter()
        .any(|word| matches!(*word, "return" | "goto" | "asm" | "__trap"));
    if !body.is_function || may_leave || statement.whole != statement.own {
        return None;
    }
    // One element for all of them: else the others would not store what is theirs.
    let sign = text.sign(&statement.own, &["="])?;
    let target = text.words(&(statement.own.start..sign.start));
    let of_blocks = scope != Some(Scope::InterBlock);
    let is_one = |(nth, word): (usize, &&str)| {
        let number = word.chars().all(|c| c.is_ascii_digit());
        nth == 0
            || number
            || matches!(*word, "[" | "]")
            || (of_blocks && matches!(*word, "blockIdx" | "." | "x" | "y"))
    };
    if target.len() < 4 || !target.iter().enumerate().all(is_one) {
        return None;
    }
    let condition = match scope? {
        Scope::InterBlock => {
            "blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0 && threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0"
        }
        _ => "threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0",
    };
    Some(vec![Change::insert(
        &stand.file,
        statement.own.start,
        format!("if ({condition}) "),
    )])
}

/// A barrier that not all threads reach: without it, behind or before the branch, or with the branch split at it.
fn of_divergence(
    finding: &Finding,
    texts: &BTreeMap<String, Statements<'_>>,
) -> Option<Vec<Vec<Change>>> {
    let stand = stands(&location(finding, Role::Barrier)?.place, texts)?;
    let (text, source, file) = (stand.text, stand.text.text(), stand.file.as_str());
    let statement = text.statement(&stand.range)?;
    let words = text.words(&statement.own);
    let is_plain = matches!(
        words.as_slice(),
        ["__syncthreads" | "__syncwarp", "(", ")", ";"] | [_, ".", "sync", "(", ")", ";"]
    );
    if statement.whole != statement.own || !is_plain {
        return None;
    }
    let barrier = source[statement.own.clone()].to_owned();
    let taken_out = out_of(source, file, &statement.own);
    let mut all = vec![vec![taken_out.clone()]];
    let bodies = text.bodies(stand.range.start);
    for body in bodies
        .iter()
        .filter(|body| !body.is_function)
        .take(BRANCHES)
    {
        let behind = text.boundaries(&(body.inside.end + 1..source.len()));
        if let Some(place) = behind.first() {
            all.push(vec![
                taken_out.clone(),
                inserted(text, file, *place, &barrier),
            ]);
        }
        let at_head = text.boundaries(&(body.head..body.head + 1));
        if let Some(place) = at_head.first() {
            all.push(vec![
                taken_out.clone(),
                inserted(text, file, *place, &barrier),
            ]);
        }
    }
    if let Some(body) = bodies.first() {
        all.extend(
            split_branch(text, file, body, &statement.own, &barrier).map(|change| vec![change]),
        );
    }
    Some(all)
}

/// A statement taken out, with its line if it has one for itself.
pub(super) fn out_of(source: &str, file: &str, own: &Range<usize>) -> Change {
    let start = line_start(source, own.start);
    let end = source[own.end..]
        .find('\n')
        .map_or(source.len(), |end| own.end + end + 1);
    let alone =
        source[start..own.start].trim().is_empty() && source[own.end..end].trim().is_empty();
    let range = if alone { start..end } else { own.clone() };
    Change::replace(file, range, String::new())
}

/// `if (c) { a; barrier; b; }` as `if (c) { a; } barrier; if (c) { b; }`, where a does not change c and declares nothing for b.
fn split_branch(
    text: &Statements<'_>,
    file: &str,
    body: &Body,
    own: &Range<usize>,
    barrier: &str,
) -> Option<Change> {
    let condition = body.plain_if.clone()?;
    let source = text.text();
    let asked = text.words(&condition);
    let before = text.words(&(body.inside.start..own.start));
    let behind = text.words(&(own.end..body.inside.end));
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let changed = |name: &str| {
        before.windows(2).any(|pair| {
            (pair[0] == name && (ASSIGN.contains(&pair[1]) || matches!(pair[1], "++" | "--")))
                || (pair[1] == name && matches!(pair[0], "++" | "--" | "&"))
        })
    };
    let declared = |name: &str| {
        before
            .windows(2)
            .any(|pair| pair[1] == name && (is_name(pair[0]) || matches!(pair[0], "*" | "&" | ">")))
    };
    let calls = asked
        .windows(2)
        .any(|pair| is_name(pair[0]) && pair[1] == "(");
    let reads_memory = asked.contains(&"[") || asked.contains(&"*") || asked.contains(&"->");
    if !only_reads(&asked)
        || calls
        || reads_memory
        || asked.iter().any(|word| is_name(word) && changed(word))
    {
        return None;
    }
    let leaves = before
        .iter()
        .any(|word| matches!(*word, "return" | "break" | "continue" | "goto"));
    if leaves || behind.iter().any(|word| is_name(word) && declared(word)) {
        return None;
    }
    let indent_of = |at: usize| {
        let start = line_start(source, at);
        let line = &source[start..at];
        line.trim().is_empty().then_some(line)
    };
    let condition = &source[condition];
    match (indent_of(own.start), indent_of(body.head)) {
        (Some(inner), Some(outer)) => {
            let end = ending(source);
            let start = line_start(source, own.start);
            let line = source[own.end..]
                .find('\n')
                .filter(|at| source[own.end..own.end + at].trim().is_empty());
            let to = line.map_or(own.end, |at| own.end + at + 1);
            let tail = if line.is_some() {
                String::new()
            } else {
                format!("{end}{inner}")
            };
            let text =
                format!("{outer}}}{end}{outer}{barrier}{end}{outer}if ({condition}) {{{end}{tail}");
            Some(Change::replace(file, start..to, text))
        }
        _ => Some(Change::replace(
            file,
            own.clone(),
            format!("}} {barrier} if ({condition}) {{"),
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::super::changes::Changes;
    use super::super::changes::bytes;
    use super::*;

    fn place(text: &str, part: &str) -> Place {
        let at = text.find(part).expect(part);
        let (line, column) = super::super::changes::position(text, at).expect("is there");
        Place {
            file: "f".to_owned(),
            line,
            column,
            end_line: line,
            end_column: column + u32::try_from(part.len()).expect("is short"),
        }
    }

    fn made(text: &str, changes: &[Change]) -> String {
        let changes = Changes::default().and(changes).expect("are apart");
        changes.applied("f", text).expect("applies")
    }

    fn with<'t>(text: &'t str) -> BTreeMap<String, Statements<'t>> {
        BTreeMap::from([("f".to_owned(), Statements::of(text))])
    }

    fn split(text: &str, part: &str) -> Option<String> {
        let texts = with(text);
        let range = bytes(text, &place(text, part)).expect("is there");
        let statement = texts["f"].statement(&range)?;
        let changes = split_at(&texts["f"], "f", &statement.whole, ("B;", 0))?;
        Some(made(text, &changes))
    }

    #[test]
    fn what_reads_and_writes_in_one_go_is_split() {
        assert_eq!(
            split("void k() {\n  s[t] += s[t + 1];\n}\n", "s[t]").as_deref(),
            Some("void k() {\n  auto kept = s[t] + (s[t + 1]);\n  B;\n  s[t] = kept;\n}\n")
        );
        assert_eq!(split("void k() { int x = s[t]; }", "s[t]"), None);
        assert_eq!(split("void k() { s[i++] = s[t]; }", "s[t]"), None);
        assert_eq!(
            split("void k() { for (;;) s[t] = s[t + 1]; }", "s[t]"),
            None
        );
    }

    fn updated(text: &str, part: &str) -> Option<String> {
        let texts = with(text);
        let stand = stands(&place(text, part), &texts)?;
        Some(made(text, &atomic(&stand)?))
    }

    #[test]
    fn updates_become_one_operation() {
        for (before, behind) in [
            ("h[i] += x;", "atomicAdd(&h[i], x);"),
            ("h[i]++;", "atomicAdd(&h[i], 1);"),
            ("--h[i];", "atomicAdd(&h[i], -1);"),
            ("h[i] -= x + 1;", "atomicAdd(&h[i], -(x + 1));"),
            ("h[i] = h[i] + x;", "atomicAdd(&h[i], x);"),
            ("h[i] |= f(x);", "atomicOr(&h[i], f(x));"),
        ] {
            let text = format!("void k() {{ {before} }}");
            let made = updated(&text, "h[i]");
            assert_eq!(made, Some(format!("void k() {{ {behind} }}")), "{before}");
        }
        for before in [
            "y = h[i]++;",
            "h[i] *= 2;",
            "h[i] = h[i] + x * 2;",
            "h[j++] += h[i];",
        ] {
            assert_eq!(
                updated(&format!("void k() {{ {before} }}"), "h[i]"),
                None,
                "{before}"
            );
        }
    }

    #[test]
    fn a_branch_is_split_only_where_it_stays_the_same() {
        let branch = |inside: &str| {
            let text = format!("void k() {{ if (t < 8) {{ {inside} }} }}");
            let texts = with(&text);
            let own = bytes(&text, &place(&text, "B();")).expect("is there");
            let body = texts["f"]
                .bodies(own.start)
                .into_iter()
                .next()
                .expect("is in one");
            let change = split_branch(&texts["f"], "f", &body, &own, "B();")?;
            Some(made(&text, &[change]))
        };
        assert_eq!(
            branch("a[t] = 1; B(); c();").as_deref(),
            Some("void k() { if (t < 8) { a[t] = 1; } B(); if (t < 8) { c(); } }")
        );
        assert_eq!(branch("t = 1; B(); c();"), None);
        assert_eq!(branch("int x = 1; B(); c(x);"), None);
        assert_eq!(branch("if (a) return; B(); c();"), None);
    }
}
