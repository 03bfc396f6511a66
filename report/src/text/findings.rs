//! The block of a cause: headline, source lines, and what explains the finding that is shown; the others in a few words.

use super::block;
use super::excerpt::excerpts;
use super::options::{Detail, TextOptions};
use crate::brief;
use crate::causes::Cause;
use crate::finding::{Finding, Report};
use crate::groups::Group;
use crate::meeting::{Role, scope_words};
use crate::mend::Mend;
use crate::printable::{counted, safe};
use crate::words::{MEND_WORDS, brief_notes, finding_notes, headline, threads_words};

/// Spots, kernels and barriers of a cause that are listed; the rest is counted.
const LISTED: usize = 8;

/// The findings of a cause.
///
/// `shown` has the changes that blocks before it show, with the ids of their findings.
pub(super) fn block<'a>(
    cause: &Cause<'a>,
    report: &Report,
    shown: &mut Vec<(&'a Mend, &'a str)>,
    options: TextOptions,
) -> String {
    let mut out = String::new();
    let (kernel, finding) = (cause.kernel, cause.group.lead);
    let sentence = format!("{} [{}]", headline(kernel, finding), finding.id);
    let rule = finding.kind().rule_id();
    block::title(&mut out, finding.severity(), rule, &sentence, options);
    let mut excerpts = excerpts(
        finding,
        &report.sources,
        options.fit.then_some(options.width),
    );
    let margin = excerpts.margin;
    let cut = std::mem::take(&mut excerpts.notes);
    block::excerpts(&mut out, excerpts, options);
    let verbose = options.is_verbose();
    let mut notes = match verbose {
        true => finding_notes(kernel, finding),
        false => brief_notes(kernel, finding),
    };
    notes.extend(match verbose {
        true => all_others(&cause.group),
        false => others(&cause.group),
    });
    notes.extend(elsewhere(cause, options.detail));
    for note in cut.iter().chain(&notes) {
        block::note(&mut out, "note", note, margin, options);
    }
    match (&finding.mend, &finding.hint) {
        (Some(mend), _) => match shown.iter().find(|(known, _)| *known == mend) {
            Some((_, id)) => {
                let help = format!("the change shown with [{id}] mends this, too");
                block::note(&mut out, "help", &help, margin, options);
            }
            None => {
                block::note(&mut out, "help", MEND_WORDS, margin, options);
                diff(&mut out, finding, mend, margin, options);
                shown.push((mend, &finding.id));
            }
        },
        (None, Some(hint)) => {
            let help = format!("{}{}", safe(hint), further_barriers(&cause.group));
            block::note(&mut out, "help (not proved)", &help, margin, options);
        }
        (None, None) => {}
    }
    out
}

/// Lines of a change that are shown; the rest is counted.
const CHANGED: usize = 16;

/// The lines before and after a change.
fn diff(out: &mut String, finding: &Finding, mend: &Mend, margin: usize, options: TextOptions) {
    let file = finding.locations.first().map(|at| at.place.file.as_str());
    let mut lines: Vec<(String, String)> = Vec::new();
    for hunk in &mend.hunks {
        if Some(hunk.file.as_str()) != file {
            lines.push((String::new(), format!("in {}:", safe(&hunk.file))));
        } else if !lines.is_empty() {
            lines.push((String::new(), "...".to_owned()));
        }
        for (number, sign, text) in hunk.numbered() {
            let number = number.filter(|_| sign == ' ' || sign == '-');
            let number = number.map_or_else(String::new, |number| number.to_string());
            lines.push((number, format!("{sign} {}", safe(text.trim_end()))));
        }
    }
    let most = match options.is_verbose() {
        true => usize::MAX,
        false => CHANGED,
    };
    let left_out = lines.len().saturating_sub(most);
    lines.truncate(most);
    for (number, text) in lines {
        let line = format!("{number:>margin$} {text}");
        let cut = crate::brief::end(&line, options.width);
        block::changed(out, &cut, &text, options);
    }
    if left_out > 0 {
        let more = counted(left_out, "more line", "more lines");
        block::note(
            out,
            "note",
            &format!("{more} of the change: `-v` shows them"),
            margin,
            options,
        );
    }
}

/// Every other finding of the group, with its id.
fn all_others(group: &Group<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let lead = group.lead;
    for other in &group.same_places {
        let witness = other
            .witness
            .as_ref()
            .map(|witness| format!(": {}", threads_words(&witness.threads)))
            .unwrap_or_default();
        notes.push(format!(
            "{} at the same places {}{witness} [{}]",
            other.certainty.as_str(),
            other_scope(lead, other),
            other.id
        ));
    }
    if !group.others.is_empty() {
        let spots: Vec<String> = group
            .others
            .iter()
            .map(|spot| format!("{} [{}]", spot_words(lead, spot[0]), spot[0].id))
            .collect();
        notes.push(format!(
            "the same cause in {}: {}",
            counted(group.others.len(), "other place", "other places"),
            spots.join("; ")
        ));
    }
    notes
}

/// The other findings of the group in a sentence or two.
fn others(group: &Group<'_>) -> Vec<String> {
    let mut notes = Vec::new();
    let lead = group.lead;
    let mut scopes: Vec<String> = Vec::new();
    for other in &group.same_places {
        let words = other_scope(lead, other).to_owned();
        if !scopes.contains(&words) {
            scopes.push(words);
        }
    }
    if !scopes.is_empty() {
        notes.push(format!(
            "the same places collide {} too",
            scopes.join(" and ")
        ));
    }
    match group.others.as_slice() {
        [] => {}
        [spot] => notes.push(format!("the same cause: {}", spot_words(lead, spot[0]))),
        spots => {
            let mut lines: Vec<u32> = spots
                .iter()
                .flat_map(|spot| &spot[0].locations)
                .map(|location| location.place.line)
                .collect();
            lines.sort_unstable();
            lines.dedup();
            notes.push(format!(
                "the same cause in {} other pairs of places, on {} (`-v` lists them)",
                spots.len(),
                lines_words(&lines)
            ));
        }
    }
    notes
}

/// `line 3`, `lines 3, 4 and 9`, `20 lines from 3 to 90`.
fn lines_words(lines: &[u32]) -> String {
    match lines {
        [] => "no line".to_owned(),
        [one] => format!("line {one}"),
        [first, .., last] if lines.len() > LISTED => {
            format!("{} lines from {first} to {last}", lines.len())
        }
        [rest @ .., last] => {
            let rest: Vec<String> = rest.iter().map(u32::to_string).collect();
            format!("lines {} and {last}", rest.join(", "))
        }
    }
}

fn other_scope(lead: &Finding, other: &Finding) -> &'static str {
    match other.scope() {
        Some(scope) if Some(scope) != lead.scope() => scope_words(scope),
        _ => "in another order",
    }
}

/// The other kernels and instances that have the cause.
fn elsewhere(cause: &Cause<'_>, detail: Detail) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for (kernel, _) in &cause.also {
        if !names.contains(&kernel.name.as_str()) {
            names.push(&kernel.name);
        }
    }
    if names.is_empty() {
        return None;
    }
    let listed = match detail {
        Detail::Verbose => names.len(),
        _ => LISTED / 2,
    };
    let shown = names.iter().take(listed);
    let shown: Vec<String> = shown
        .map(|name| format!("`{}`", brief::term(name)))
        .collect();
    let rest = names.len().saturating_sub(listed);
    let rest = match rest {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    Some(format!("the same in {}{rest}", shown.join(", ")))
}

/// Where else a barrier is missing that the words of the shown finding do not name: the pairs of lines that no other pair lies
/// between, and lines that read and write in one go.
fn further_barriers(group: &Group<'_>) -> String {
    let wants = |finding: &Finding| {
        let hint = finding.hint.as_deref().unwrap_or_default();
        hint.contains("would order them") && !hint.contains("at the end of the loop body")
    };
    if !wants(group.lead) {
        return String::new();
    }
    let span = |finding: &Finding| {
        let [first, second] = finding.parts_at()?;
        let (first_line, last_line) = (first.line.min(second.line), first.line.max(second.line));
        (first.file == second.file).then_some((first_line, last_line))
    };
    let mut pairs: Vec<(u32, u32)> = group
        .findings()
        .filter(|one| wants(one))
        .filter_map(span)
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    let (own, between): (Vec<_>, Vec<_>) =
        pairs.into_iter().partition(|(first, last)| first == last);
    let innermost = between.iter().filter(|(first, last)| {
        !between
            .iter()
            .any(|other| other != &(*first, *last) && *first <= other.0 && other.1 <= *last)
    });
    let lead = span(group.lead);
    let more: Vec<String> = innermost
        .filter(|pair| Some(**pair) != lead)
        .map(|(first, last)| format!("{first} and {last}"))
        .collect();
    let mut out = String::new();
    if !more.is_empty() {
        let shown: Vec<&str> = more.iter().take(LISTED).map(String::as_str).collect();
        let rest = more.len().saturating_sub(LISTED);
        let rest = if rest > 0 {
            format!(", and at {rest} more places")
        } else {
            String::new()
        };
        out.push_str(&format!(
            "; likewise between lines {}{rest}",
            shown.join(", ")
        ));
    }
    let own: Vec<u32> = own.into_iter().map(|(line, _)| line).collect();
    if !own.is_empty() && lead.is_some_and(|(first, last)| first != last) {
        out.push_str(&format!(
            "; {} reads and writes in one go: read into a variable, then the barrier, then write",
            lines_words(&own).replacen("lines", "each of lines", 1)
        ));
    }
    out
}

/// `line 5 (write) and line 9 (read)`.
fn spot_words(lead: &Finding, finding: &Finding) -> String {
    let file = lead.locations.first().map(|location| &location.place.file);
    let mut places: Vec<String> = Vec::new();
    for location in &finding.locations {
        let place = &location.place;
        let line = if Some(&place.file) == file {
            format!("line {}", place.line)
        } else {
            format!("{}:{}", safe(&place.file), place.line)
        };
        let what = match (location.role, finding.accesses()) {
            (Role::First, Some([first, _])) => first.as_str(),
            (Role::Second, Some([_, second])) => second.as_str(),
            (Role::Condition, _) => continue,
            (Role::Barrier, _) => "barrier",
            _ => "assertion",
        };
        let words = format!("{line} ({what})");
        if !places.contains(&words) {
            places.push(words);
        }
    }
    let array = finding.array().filter(|_| finding.array() != lead.array());
    let array = array
        .map(|array| format!("`{}`, ", safe(array)))
        .unwrap_or_default();
    format!("{array}{}", places.join(" and "))
}
