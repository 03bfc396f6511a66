//! From byte offsets to lines and columns, and the source lines that a report carries.
//!
//! Columns count characters of the line as decoded (an invalid byte counts as the one replacement character it is shown
//! as). Lines end at `\n`; a `\r` before it belongs to the line end.

use std::borrow::Cow;
use std::ops::Range;

use crate::finding::Sources;
use crate::place::Place;

/// Lines of one file.
#[derive(Clone, Debug)]
pub struct LineIndex<'a> {
    bytes: &'a [u8],
    /// Offset of the first byte of each line; never empty.
    starts: Vec<usize>,
    ascii: bool,
}

impl<'a> LineIndex<'a> {
    /// Finds the lines of a file.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Self {
        let mut starts = vec![0];
        starts.extend(
            bytes
                .iter()
                .enumerate()
                .filter(|(_, byte)| **byte == b'\n')
                .map(|(offset, _)| offset + 1),
        );
        LineIndex {
            bytes,
            starts,
            ascii: bytes.is_ascii(),
        }
    }

    /// Line and column, from 1, of a byte offset; an offset behind the end is the end.
    #[must_use]
    pub fn line_column(&self, offset: usize) -> (u32, u32) {
        let offset = offset.min(self.bytes.len());
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let within = offset.min(self.line_range(line).end);
        let prefix = &self.bytes[self.starts[line]..within];
        let column = if self.ascii {
            prefix.len()
        } else {
            String::from_utf8_lossy(prefix).chars().count()
        };
        (number(line + 1), number(column + 1))
    }

    /// The place of a range of bytes.
    #[must_use]
    pub fn place(&self, file: &str, span: Range<usize>) -> Place {
        let (line, column) = self.line_column(span.start);
        let (end_line, end_column) = self.line_column(span.end.max(span.start));
        Place {
            file: file.to_owned(),
            line,
            column,
            end_line,
            end_column,
        }
    }

    /// Number of lines; text behind the last `\n` counts, nothing behind it does not.
    #[must_use]
    pub fn line_count(&self) -> usize {
        let open = self
            .starts
            .last()
            .is_some_and(|start| *start < self.bytes.len());
        self.starts.len() - usize::from(!open)
    }

    /// The text of a line, from 1, without its end; `None` for a line that is not there.
    #[must_use]
    pub fn line_text(&self, line: u32) -> Option<Cow<'a, str>> {
        let index = usize::try_from(line).ok()?.checked_sub(1)?;
        if index >= self.starts.len() {
            return None;
        }
        Some(String::from_utf8_lossy(&self.bytes[self.line_range(index)]))
    }

    /// Puts the lines of a place and `context` lines around it into the table of source lines.
    pub fn collect(&self, sources: &mut Sources, place: &Place, context: u32) {
        let first = place.line.saturating_sub(context).max(1);
        let last = place.line.saturating_add(context);
        for line in first..=last {
            let key = (place.file.clone(), line);
            if let Some(text) = self.line_text(line) {
                sources.entry(key).or_insert_with(|| text.into_owned());
            }
        }
    }

    /// Bytes of a line without its end.
    fn line_range(&self, index: usize) -> Range<usize> {
        let start = self.starts[index];
        let end = match self.starts.get(index + 1) {
            Some(next) => next - 1,
            None => self.bytes.len(),
        };
        if end > start && self.starts.len() > index + 1 && self.bytes[end - 1] == b'\r' {
            start..end - 1
        } else {
            start..end
        }
    }
}

/// Files beyond four thousand million lines or columns are shown at that bound.
fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters() {
        let text = "ab\r\nä\u{1f600}x\n\nlast".as_bytes();
        let index = LineIndex::new(text);
        assert_eq!(index.line_column(0), (1, 1));
        assert_eq!(index.line_column(2), (1, 3));
        // Inside the line end: behind the last character.
        assert_eq!(index.line_column(3), (1, 3));
        assert_eq!(index.line_column(4), (2, 1));
        assert_eq!(index.line_column(4 + 2 + 4), (2, 3));
        assert_eq!(index.line_column(text.len()), (4, 5));
        assert_eq!(index.line_column(text.len() + 9), (4, 5));
        assert_eq!(index.line_text(1).as_deref(), Some("ab"));
        assert_eq!(index.line_text(3).as_deref(), Some(""));
        assert_eq!(index.line_text(5), None);
        assert_eq!(index.line_text(0), None);
        assert_eq!(index.line_count(), 4);
    }

    #[test]
    fn invalid_bytes_count_as_shown() {
        let index = LineIndex::new(b"\xff\xfex\n");
        assert_eq!(index.line_text(1).as_deref(), Some("\u{fffd}\u{fffd}x"));
        assert_eq!(index.line_column(2), (1, 3));
        assert_eq!(index.line_count(), 1);
    }

    #[test]
    fn an_empty_file_has_a_place() {
        let index = LineIndex::new(b"");
        let place = index.place("e.cu", 0..0);
        assert_eq!(
            (place.line, place.column, place.end_line, place.end_column),
            (1, 1, 1, 1)
        );
        assert_eq!(index.line_count(), 0);
    }

    #[test]
    fn collecting_keeps_to_the_file() {
        let index = LineIndex::new(b"a\nb\nc\n");
        let mut sources = Sources::new();
        index.collect(&mut sources, &index.place("f.cu", 0..1), 1);
        let lines: Vec<_> = sources.into_iter().collect();
        assert_eq!(
            lines,
            [
                (("f.cu".to_owned(), 1), "a".to_owned()),
                (("f.cu".to_owned(), 2), "b".to_owned())
            ]
        );
    }
}
