//! Changes of texts: what is replaced by what, in bytes of the text as it was read.

use std::collections::BTreeMap;
use std::ops::Range;

use warplog_report::Place;
use warplog_report::mend::{Edit, Hunk, HunkLine, Mend};

/// A piece of a file and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Change {
    /// The file, by its name in reports.
    pub file: String,
    /// First byte that is replaced.
    pub start: usize,
    /// Behind the last; the same as the first where something is inserted.
    pub end: usize,
    /// What stands there instead.
    pub text: String,
}

impl Change {
    pub(super) fn insert(file: &str, at: usize, text: String) -> Self {
        Change {
            file: file.to_owned(),
            start: at,
            end: at,
            text,
        }
    }

    pub(super) fn replace(file: &str, range: Range<usize>, text: String) -> Self {
        Change {
            file: file.to_owned(),
            start: range.start,
            end: range.end,
            text,
        }
    }
}

/// Changes of texts, in order, none of which touches another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Changes(Vec<Change>);

impl Changes {
    pub(super) fn all(&self) -> &[Change] {
        &self.0
    }

    pub(super) fn without(&self, nth: usize) -> Changes {
        let mut rest = self.0.clone();
        rest.remove(nth);
        Changes(rest)
    }

    /// These changes and more, which are of the texts with these made. None if one of them lies in what is changed already.
    pub(super) fn and(&self, more: &[Change]) -> Option<Changes> {
        let mut all = self.0.clone();
        for change in more {
            all.push(self.of_original(change)?);
        }
        Changes::apart(all)
    }

    /// These changes and another of the texts as they were. None if it touches one of them.
    pub(super) fn beside(&self, change: Change) -> Option<Changes> {
        let mut all = self.0.clone();
        all.push(change);
        Changes::apart(all)
    }

    fn apart(mut all: Vec<Change>) -> Option<Changes> {
        all.sort();
        all.dedup();
        let apart = all.windows(2).all(|pair| {
            let (a, b) = (&pair[0], &pair[1]);
            a.file != b.file || a.end < b.start || (a.end == b.start && a.start < b.start)
        });
        apart.then_some(Changes(all))
    }

    /// A change of a changed text as one of the text before.
    fn of_original(&self, change: &Change) -> Option<Change> {
        let place = |at: usize| {
            let mut grown = 0_usize;
            let mut shrunk = 0_usize;
            for own in self.0.iter().filter(|own| own.file == change.file) {
                let begins = (own.start + grown).checked_sub(shrunk)?;
                if at < begins || (at == begins && own.start == own.end) {
                    break;
                }
                if at < begins + own.text.len() {
                    return None;
                }
                grown += own.text.len();
                shrunk += own.end - own.start;
            }
            (at + shrunk).checked_sub(grown)
        };
        Some(Change {
            start: place(change.start)?,
            end: place(change.end)?,
            ..change.clone()
        })
    }

    /// A text with the changes of its file made.
    pub(super) fn applied(&self, file: &str, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len() + 128);
        let mut at = 0;
        for change in self.0.iter().filter(|change| change.file == file) {
            out.push_str(text.get(at..change.start)?);
            out.push_str(&change.text);
            at = change.end;
        }
        out.push_str(text.get(at..)?);
        Some(out)
    }

    /// As the report tells them.
    pub(super) fn mend(&self, texts: &BTreeMap<String, String>, in_kernel: bool) -> Option<Mend> {
        let mut edits = Vec::new();
        for change in &self.0 {
            let text = texts.get(&change.file)?;
            let (line, column) = position(text, change.start)?;
            let (end_line, end_column) = position(text, change.end)?;
            edits.push(Edit {
                place: Place {
                    file: change.file.clone(),
                    line,
                    column,
                    end_line,
                    end_column,
                },
                was: text.get(change.start..change.end)?.to_owned(),
                text: change.text.clone(),
            });
        }
        Some(Mend {
            in_kernel,
            hunks: self.hunks(texts)?,
            edits,
        })
    }

    /// The lines that differ, each group with the line before and behind it.
    fn hunks(&self, texts: &BTreeMap<String, String>) -> Option<Vec<Hunk>> {
        let mut hunks: Vec<Hunk> = Vec::new();
        let mut rest = self.0.as_slice();
        while let Some(first) = rest.first() {
            let text = texts.get(&first.file)?;
            let (from, mut to) = (line_start(text, first.start), first.end);
            let mut count = 1;
            // Changes on the same or the next line are shown together.
            while let Some(next) = rest.get(count).filter(|next| next.file == first.file) {
                let between = text.get(to..next.start)?;
                if between.matches('\n').count() > 2 {
                    break;
                }
                to = next.end;
                count += 1;
            }
            let to = match text.get(..to)?.ends_with('\n') {
                true if to > from => to,
                _ => text[to..].find('\n').map_or(text.len(), |end| to + end + 1),
            };
            let own = Changes(rest[..count].to_vec());
            hunks.push(hunk(&first.file, text, from..to, &own)?);
            rest = &rest[count..];
        }
        Some(hunks)
    }
}

/// The lines of a range of whole lines before and after changes of them.
fn hunk(file: &str, text: &str, range: Range<usize>, own: &Changes) -> Option<Hunk> {
    let old: Vec<&str> = text.get(range.clone())?.lines().collect();
    let shifted = own.0.iter().map(|change| Change {
        start: change.start - range.start,
        end: change.end - range.start,
        ..change.clone()
    });
    let new = Changes(shifted.collect()).applied(file, &text[range.clone()])?;
    let new: Vec<&str> = new.lines().collect();
    let before = old.iter().zip(&new).take_while(|(a, b)| a == b).count();
    let room = old.len().min(new.len()) - before;
    let pairs = old.iter().rev().zip(new.iter().rev());
    let behind = pairs.take(room).take_while(|(a, b)| a == b).count();
    let first = u32::try_from(text[..range.start].matches('\n').count()).ok()? + 1;
    let mut lines: Vec<HunkLine> = Vec::new();
    let mut line = first + u32::try_from(before).ok()?;
    if line > 1 {
        let known = text.lines().nth(usize::try_from(line).ok()? - 2);
        lines.extend(known.map(|known| HunkLine::Same(known.to_owned())));
        line -= 1;
    }
    lines.extend(difference(
        &old[before..old.len() - behind],
        &new[before..new.len() - behind],
    ));
    let next = usize::try_from(first).ok()? - 1 + old.len() - behind;
    let known = text.lines().nth(next);
    lines.extend(known.map(|known| HunkLine::Same(known.to_owned())));
    Some(Hunk {
        file: file.to_owned(),
        line,
        lines,
    })
}

/// Lines that are in both are kept, in their order, as far as one pass finds them.
fn difference(old: &[&str], new: &[&str]) -> Vec<HunkLine> {
    let mut lines = Vec::new();
    let mut at = 0;
    for line in old {
        match new[at..].iter().position(|other| other == line) {
            Some(found) => {
                let added = new[at..at + found].iter();
                lines.extend(added.map(|line| HunkLine::Added((*line).to_owned())));
                lines.push(HunkLine::Same((*line).to_owned()));
                at += found + 1;
            }
            None => lines.push(HunkLine::Removed((*line).to_owned())),
        }
    }
    let added = new[at..].iter();
    lines.extend(added.map(|line| HunkLine::Added((*line).to_owned())));
    lines
}

/// The first byte of the line that a byte is in.
pub(super) fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |end| end + 1)
}

/// Line and column of a byte, both from 1, the column in characters.
pub(super) fn position(text: &str, at: usize) -> Option<(u32, u32)> {
    let before = text.get(..at)?;
    let line = before.matches('\n').count() + 1;
    let column = text.get(line_start(text, at)..at)?.chars().count() + 1;
    Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?))
}

/// The first byte of each line.
pub(super) fn line_starts(text: &str) -> Vec<usize> {
    let ends = text.match_indices('\n').map(|(end, _)| end + 1);
    std::iter::once(0).chain(ends).collect()
}

/// The bytes of a place of a text.
pub(super) fn bytes(text: &str, place: &Place) -> Option<Range<usize>> {
    bytes_by_lines((text, &line_starts(text)), place)
}

/// The same by the first bytes of its lines, for who asks about many places.
pub(super) fn bytes_by_lines(
    (text, lines): (&str, &[usize]),
    place: &Place,
) -> Option<Range<usize>> {
    let at = |line: u32, column: u32| {
        let number = usize::try_from(line).ok()?.checked_sub(1)?;
        let start = *lines.get(number)?;
        let line = text.get(start..)?.split('\n').next()?;
        let skip = usize::try_from(column).ok()?.checked_sub(1)?;
        let offset = line.char_indices().nth(skip).map(|(offset, _)| offset);
        Some(start + offset.unwrap_or(line.len()))
    };
    let range = at(place.line, place.column)?..at(place.end_line, place.end_column)?;
    (range.start <= range.end).then_some(range)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\n  b;\n  c;\n}\n";

    fn changed(changes: &Changes) -> String {
        changes.applied("f", TEXT).expect("applies")
    }

    #[test]
    fn changes_of_a_changed_text_are_those_of_the_text() {
        let first = Changes::default()
            .and(&[Change::insert("f", 7, "  x;\n".to_owned())])
            .expect("is apart");
        assert_eq!(changed(&first), "a\n  b;\n  x;\n  c;\n}\n");
        let at = changed(&first).find('c').expect("is there");
        let both = first
            .and(&[Change::replace("f", at..at + 2, "d;".to_owned())])
            .expect("is apart");
        assert_eq!(changed(&both), "a\n  b;\n  x;\n  d;\n}\n");
        let inside = changed(&first).find('x').expect("is there");
        assert_eq!(
            first.and(&[Change::insert("f", inside, "y".to_owned())]),
            None
        );
    }

    #[test]
    fn a_hunk_has_a_line_on_either_side() {
        let texts = BTreeMap::from([("f".to_owned(), TEXT.to_owned())]);
        let changes = Changes::default()
            .and(&[Change::insert("f", 7, "  x;\n".to_owned())])
            .expect("is apart");
        let mend = changes.mend(&texts, true).expect("is made");
        let lines = [
            HunkLine::Same("  b;".to_owned()),
            HunkLine::Added("  x;".to_owned()),
            HunkLine::Same("  c;".to_owned()),
        ];
        assert_eq!(mend.hunks.len(), 1);
        assert_eq!(
            (mend.hunks[0].line, mend.hunks[0].lines.as_slice()),
            (2, &lines[..])
        );
        let replaced = Changes::default()
            .and(&[Change::replace("f", 4..6, "z;".to_owned())])
            .expect("is apart");
        let mend = replaced.mend(&texts, true).expect("is made");
        let lines = [
            HunkLine::Same("a".to_owned()),
            HunkLine::Removed("  b;".to_owned()),
            HunkLine::Added("  z;".to_owned()),
            HunkLine::Same("  c;".to_owned()),
        ];
        assert_eq!(
            (mend.hunks[0].line, mend.hunks[0].lines.as_slice()),
            (1, &lines[..])
        );
    }

    #[test]
    fn places_and_bytes_fit() {
        let text = "é;\nxyz";
        let place = Place {
            file: "f".to_owned(),
            line: 2,
            column: 2,
            end_line: 2,
            end_column: 4,
        };
        let range = bytes(text, &place).expect("is there");
        assert_eq!(&text[range.clone()], "yz");
        assert_eq!(position(text, range.start), Some((2, 2)));
        assert_eq!(position(text, 2), Some((1, 2)));
    }
}
