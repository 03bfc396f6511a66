//! Source excerpts of a finding: from places and the report's source lines to annotated snippets.
//!
//! The file itself is not at hand, only the lines that the report carries: a snippet's source is put together from
//! them, and lines between that are missing are folded. Long lines are cut to windows round what is marked.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Group, Level, Origin, Padding, Snippet};

use crate::finding::{Finding, Sources};
use crate::judgement::Severity;
use crate::meeting::Boundary;
use crate::place::Place;
use crate::printable::{is_printable_ascii, safe, visible};
use crate::words::{brief_label, label};

/// Lines up to this many characters are shown whole, and up to as many as there is room for on a terminal that has less.
const LONGEST_LINE: usize = 160;
/// Characters kept before a mark in a long line, and no more than a fourth of the room.
const BEFORE: usize = 30;
/// Characters kept from the start of a mark on in a long line, and no more than half of the room.
const AFTER: usize = 70;
/// With less room than this nothing could be recognised.
const LEAST_ROOM: usize = 24;
/// Places of one file further apart than this many lines get a snippet each.
const FARTHEST: u32 = 2_000;

/// Barriers at either end of an interval that are marked.
const BARRIERS: usize = 2;
/// Barriers further from the accesses than this many lines are told in words only.
const NEAR: u32 = 40;

/// Begins what stands for the name of a file: of the private use area, which no font draws.
const STANDS_FOR: char = '\u{f8a3}';

/// Columns that are not for source: before the line, and what stands for what is cut off.
const GUTTER: usize = 10;
/// Columns round the number of a line.
const NUMBER: usize = 4;
/// Columns of a tab.
const TAB: usize = 4;

/// A place to mark.
struct Mark<'a> {
    place: &'a Place,
    primary: bool,
    label: String,
    /// What stands there where there is no room for the label; the rest is told elsewhere.
    brief: String,
    /// The macros in whose expansion it is, for a brief label.
    macros: Vec<&'a str>,
}

/// What is drawn of a finding.
pub(super) struct Excerpts<'a> {
    /// The snippets, and a line without anything behind them.
    pub group: Group<'a>,
    /// Columns of the line numbers.
    pub margin: usize,
    /// What there was no room for.
    pub notes: Vec<String>,
    /// Where excerpts are whose lines are cut, so that their columns are not those of the file: what stands for the file's name, and
    /// the place that is to stand there.
    pub origins: Vec<(String, String)>,
}

/// The excerpts of a finding: one snippet for neighbouring places of a file, the first place's first.
/// With a width, labels that go beyond it are kept brief.
pub(super) fn excerpts<'a>(
    finding: &Finding,
    sources: &Sources,
    width: Option<usize>,
) -> Excerpts<'a> {
    // Its colour is that of the marks of the first place.
    let mut group = Group::with_level(match finding.severity() {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    });
    let mut rest = marks(finding);
    let mut margin = 0;
    let mut notes = Vec::new();
    let mut origins = Vec::new();
    // Behind a message no line is left free.
    let mut apart_from_notes = true;
    while !rest.is_empty() {
        let lead = rest[0].place.clone();
        apart_from_notes = sources.contains_key(&(lead.file.clone(), lead.line));
        if !apart_from_notes {
            let mark = rest.remove(0);
            group = group
                .element(origin(&lead))
                .element(Level::NOTE.message(mark.label));
            continue;
        }
        let (mut together, apart): (Vec<_>, Vec<_>) = rest.into_iter().partition(|mark| {
            mark.place.file == lead.file
                && mark.place.line.abs_diff(lead.line) <= FARTHEST
                && sources.contains_key(&(lead.file.clone(), mark.place.line))
        });
        let last = together.iter().map(|mark| mark.place.line).max();
        margin = margin.max(last.unwrap_or(0).to_string().len());
        let room = width.map_or(LONGEST_LINE, |width| {
            let room = width.saturating_sub(margin + GUTTER);
            room.clamp(LEAST_ROOM, LONGEST_LINE)
        });
        if let Some(width) = width {
            let labels = width.saturating_sub(margin + NUMBER);
            shorten(&mut together, sources, (room, labels), &mut notes);
        }
        let (snippet, cut) = snippet(&together, sources, room);
        let name = if cut {
            let place = format!("{}:{}:{}", safe(&lead.file), lead.line, lead.column);
            origins.push((format!("{STANDS_FOR}{}", origins.len()), place));
            origins[origins.len() - 1].0.clone()
        } else {
            safe(&lead.file)
        };
        group = group.element(snippet.path(name));
        rest = apart;
    }
    if apart_from_notes {
        group = group.element(Padding);
    }
    Excerpts {
        group,
        margin,
        notes,
        origins,
    }
}

/// The place that is to stand in a line instead of the one that an excerpt with cut lines was given; the line as it is, if it tells
/// no such place.
pub(super) fn with_origin(line: &str, origins: &[(String, String)]) -> String {
    let Some(at) = line.find(STANDS_FOR) else {
        return line.to_owned();
    };
    let name = line[at..].find(':').map_or(line.len(), |end| at + end);
    let Some((_, place)) = origins
        .iter()
        .find(|(stand_in, _)| *stand_in == line[at..name])
    else {
        return line.to_owned();
    };
    let told = line[name..].find(|c: char| c != ':' && !c.is_ascii_digit());
    let end = told.map_or(line.len(), |told| name + told);
    format!("{}{place}{}", &line[..at], &line[end..])
}

/// Leading columns of which the renderer leaves some out, and how many stay.
const WHITE: usize = 26;
const WHITE_LEFT: usize = 22;

/// Makes labels brief that have no room behind what they mark. Given is how much there is for lines, and for lines with labels.
fn shorten(
    marks: &mut [Mark<'_>],
    sources: &Sources,
    (room, labels): (usize, usize),
    notes: &mut Vec<String>,
) {
    let mut ends = vec![0; marks.len()];
    let mut white = usize::MAX;
    for line in marks.iter().map(|mark| mark.place.line) {
        let here = marks.iter().enumerate();
        let here: Vec<usize> = here
            .filter(|(_, mark)| mark.place.line == line)
            .map(|(nth, _)| nth)
            .collect();
        let file = marks[here[0]].place.file.clone();
        let text = sources.get(&(file, line)).map_or("", String::as_str);
        let spans: Vec<Range<usize>> = here.iter().map(|&nth| columns(marks[nth].place)).collect();
        let (text, spans) = clip(text, &spans, room);
        let first = spans.iter().map(|span| span.start).min().unwrap_or(0);
        white = white.min(text.len() - text.trim_start().len()).min(first);
        for (&nth, span) in here.iter().zip(&spans) {
            let several = marks[nth].place.end_line > marks[nth].place.line;
            let end = if several { span.start } else { span.end };
            let tabs = text.chars().take(end).filter(|it| *it == '\t').count();
            ends[nth] = end + tabs * (TAB - 1);
        }
    }
    let shift = match white > WHITE {
        true => white - WHITE_LEFT,
        false => 0,
    };
    for (mark, end) in marks.iter_mut().zip(ends) {
        if end.saturating_sub(shift) + 1 + mark.label.chars().count() <= labels {
            continue;
        }
        mark.label = std::mem::take(&mut mark.brief);
        for name in &mark.macros {
            let note = format!(
                "line {}: in the expansion of macro `{}`",
                mark.place.line,
                safe(name)
            );
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
}

/// Whether a place lies so near to what is marked that showing it helps.
fn near(marks: &[Mark<'_>], place: &Place) -> bool {
    marks
        .iter()
        .any(|mark| mark.place.file == place.file && mark.place.line.abs_diff(place.line) <= NEAR)
}

/// What to mark, in the order of the locations; two accesses at the same place share a mark.
fn marks(finding: &Finding) -> Vec<Mark<'_>> {
    let mut marks: Vec<Mark<'_>> = Vec::new();
    for location in &finding.locations {
        let (label, brief) = (label(finding, location), brief_label(finding, location));
        match marks.iter_mut().find(|mark| mark.place == &location.place) {
            Some(mark) => {
                mark.label = format!("{}; {label}", mark.label);
                mark.brief = format!("{}; {brief}", mark.brief);
                mark.macros.extend(location.macro_name.as_deref());
            }
            None => marks.push(Mark {
                place: &location.place,
                primary: marks.is_empty(),
                label,
                brief,
                macros: location.macro_name.as_deref().into_iter().collect(),
            }),
        }
    }
    // The barriers that bound the interval, where there are few enough to help.
    if let Some(interval) = finding.interval() {
        for (boundaries, what) in [
            (&interval.from, "the last barrier before them"),
            (&interval.to, "the next barrier after them"),
        ] {
            let places = boundaries.iter().filter_map(|boundary| match boundary {
                Boundary::Barrier { place, .. } => Some(place),
                Boundary::Start | Boundary::End => None,
            });
            for place in places.take(BARRIERS) {
                if !marks.iter().any(|mark| mark.place == place) && near(&marks, place) {
                    marks.push(Mark {
                        place,
                        primary: false,
                        label: what.to_owned(),
                        brief: what.to_owned(),
                        macros: Vec::new(),
                    });
                }
            }
        }
    }
    marks
}

/// `k.cu:3:5`.
fn origin<'a>(place: &Place) -> Origin<'a> {
    Origin::path(safe(&place.file))
        .line(index(place.line))
        .char_column(index(place.column))
}

/// A snippet over all marks, which are of one file and whose first lines are all known, in lines that have so much room; and whether
/// something before a mark was cut off.
fn snippet<'a>(
    marks: &[Mark<'_>],
    sources: &Sources,
    room: usize,
) -> (Snippet<'a, Annotation<'a>>, bool) {
    let file = marks.first().map_or("", |mark| mark.place.file.as_str());
    let mut cut = false;
    let first = marks.iter().map(|mark| mark.place.line).min().unwrap_or(1);
    let last = marks.iter().map(|mark| mark.place.line).max().unwrap_or(1);
    let known: BTreeMap<u32, &str> = sources
        .range((file.to_owned(), first)..=(file.to_owned(), last))
        .map(|((_, line), text)| (*line, text.as_str()))
        .collect();
    let mut source = String::new();
    let mut annotations = Vec::new();
    for line in first..=last {
        let here: Vec<&Mark<'_>> = marks
            .iter()
            .filter(|mark| mark.place.line == line)
            .collect();
        let text = known.get(&line).copied().unwrap_or("…");
        let spans: Vec<Range<usize>> = here.iter().map(|mark| columns(mark.place)).collect();
        let columns = spans;
        let (text, spans) = clip(text, &columns, room);
        let mut moved = columns.iter().zip(&spans);
        cut |= moved.any(|(before, after)| before.start != after.start);
        for (mark, span) in here.iter().zip(spans) {
            let kind = if mark.primary {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let bytes = byte_offset(&text, span.start)..byte_offset(&text, span.end);
            let bytes = source.len() + bytes.start..source.len() + bytes.end;
            annotations.push(kind.span(bytes).label(mark.label.clone()));
        }
        source.push_str(&text);
        source.push('\n');
    }
    let snippet = Snippet::source(source)
        .line_start(index(first))
        .annotations(annotations);
    (snippet, cut)
}

/// The columns of a place on its first line, from 0; a place of several lines reaches to the end of its first one.
fn columns(place: &Place) -> Range<usize> {
    let start = index(place.column).saturating_sub(1);
    let end = if place.end_line > place.line {
        usize::MAX
    } else {
        index(place.end_column).saturating_sub(1)
    };
    start..end.max(start.saturating_add(1))
}

/// The line in visible characters, cut to windows round the spans if it is longer than the room, and the spans in what is left. Spans
/// that reach outside the line are brought inside.
fn clip(text: &str, spans: &[Range<usize>], room: usize) -> (String, Vec<Range<usize>>) {
    if text.len() <= room && is_printable_ascii(text) {
        let inside = |span: &Range<usize>| span.start.min(text.len())..span.end.min(text.len());
        return (text.to_owned(), spans.iter().map(inside).collect());
    }
    let shown = |character| match character {
        // It is drawn as some spaces, which are counted where it is drawn.
        '\t' => '\t',
        other => visible(other),
    };
    let characters: Vec<char> = text.chars().map(shown).collect();
    let length = characters.len();
    let spans: Vec<Range<usize>> = spans
        .iter()
        .map(|span| span.start.min(length)..span.end.min(length))
        .collect();
    if length <= room {
        return (characters.into_iter().collect(), spans);
    }
    let (before, after) = (BEFORE.min(room / 4), AFTER.min(room / 2));
    let mut windows: Vec<Range<usize>> = spans
        .iter()
        .map(|span| span.start.saturating_sub(before)..span.start.saturating_add(after).min(length))
        .collect();
    if windows.is_empty() {
        windows.push(0..room);
    }
    windows.sort_by_key(|window| window.start);
    let mut kept: Vec<Range<usize>> = Vec::new();
    for window in windows {
        match kept.last_mut() {
            Some(last) if window.start <= last.end + 3 => last.end = last.end.max(window.end),
            _ => kept.push(window),
        }
    }
    let mut out = String::new();
    let mut written = 0;
    // Where each kept window begins in the output.
    let mut begins = Vec::new();
    for (nth, window) in kept.iter().enumerate() {
        let gap = if window.start == 0 {
            ""
        } else if nth == 0 {
            "… "
        } else {
            " … "
        };
        out.push_str(gap);
        written += gap.chars().count();
        begins.push(written);
        out.extend(&characters[window.clone()]);
        written += window.len();
    }
    if kept.last().is_some_and(|window| window.end < length) {
        out.push_str(" …");
    }
    let spans = spans
        .iter()
        .map(|span| {
            let found = kept
                .iter()
                .zip(&begins)
                .find(|(window, _)| window.contains(&span.start) || window.end == span.start);
            let (window, begin) = found.unwrap_or((&kept[0], &begins[0]));
            let shift =
                |column: usize| column.clamp(window.start, window.end) - window.start + begin;
            shift(span.start)..shift(span.end)
        })
        .collect();
    (out, spans)
}

/// The byte at which the character of that number begins; the end for numbers behind it.
fn byte_offset(text: &str, character: usize) -> usize {
    if text.is_ascii() {
        return character.min(text.len());
    }
    text.char_indices()
        .nth(character)
        .map_or(text.len(), |(offset, _)| offset)
}

fn index(value: u32) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

#[cfg(test)]
#[expect(
    clippy::single_range_in_vec_init,
    reason = "a list of one span is meant"
)]
mod tests {
    use super::*;

    fn marked(text: &str, spans: &[Range<usize>]) -> Vec<String> {
        let (text, spans) = clip(text, spans, LONGEST_LINE);
        spans
            .into_iter()
            .map(|span| text.chars().skip(span.start).take(span.len()).collect())
            .collect()
    }

    #[test]
    fn short_lines_stay() {
        let (text, spans) = clip("s[tid] = 1;\t", &[0..6, 20..30], LONGEST_LINE);
        assert_eq!(text, "s[tid] = 1;\t");
        assert_eq!(spans, [0..6, 12..12]);
    }

    #[test]
    fn long_lines_keep_what_is_marked() {
        let text = format!(
            "{}first{}second{}",
            "a".repeat(5_000),
            "b".repeat(1_000_000),
            "c".repeat(9)
        );
        let spans = [5_000..5_005, 1_005_005..1_005_011];
        assert_eq!(marked(&text, &spans), ["first", "second"]);
        let (cut, _) = clip(&text, &spans, LONGEST_LINE);
        assert!(cut.chars().count() < 220, "{cut}");
        assert!(cut.starts_with("… a"));
        assert!(cut.contains(" … b"));
    }

    #[test]
    fn lines_are_cut_to_the_room() {
        let text = format!("{}first{}", "a".repeat(90), "b".repeat(60));
        let (whole, _) = clip(&text, &[90..95], LONGEST_LINE);
        assert_eq!(whole, text);
        let (cut, spans) = clip(&text, &[90..95], 60);
        assert!(cut.chars().count() <= 60, "{cut}");
        let marked: String = cut.chars().skip(spans[0].start).take(5).collect();
        assert_eq!(marked, "first");
        let (unmarked, _) = clip(&text, &[], 60);
        assert!(unmarked.chars().count() <= 62, "{unmarked}");
    }

    #[test]
    fn the_place_of_cut_lines_is_that_of_the_file() {
        let origins = [("\u{f8a3}0".to_owned(), "a b.cu:4:200".to_owned())];
        assert_eq!(
            with_origin("  --> \u{f8a3}0:4:33\u{1b}[0m", &origins),
            "  --> a b.cu:4:200\u{1b}[0m"
        );
        assert_eq!(with_origin("  --> k.cu:4:33", &origins), "  --> k.cu:4:33");
        assert_eq!(with_origin("\u{f8a3}7:1", &origins), "\u{f8a3}7:1");
    }

    #[test]
    fn marks_of_long_lines_may_overlap_or_lie_at_the_edges() {
        let text = "x".repeat(500);
        for spans in [
            vec![0..500],
            vec![0..1, 499..500],
            vec![500..500],
            vec![900..usize::MAX],
            vec![10..20, 15..300, 10..20],
            vec![],
        ] {
            let (cut, marks) = clip(&text, &spans, LONGEST_LINE);
            let length = cut.chars().count();
            assert_eq!(marks.len(), spans.len());
            for mark in marks {
                assert!(mark.start <= mark.end && mark.end <= length);
            }
        }
    }

    #[test]
    fn characters_of_several_bytes_are_not_split() {
        let text = "ä".repeat(400);
        assert_eq!(marked(&text, &[200..203]), ["äää"]);
        assert_eq!(byte_offset("äb", 1), 2);
        assert_eq!(byte_offset("äb", 9), 3);
    }
}
