//! A strict reader of CSV records.
//!
//! Looser readers accept a quote that is never closed or that stands inside a cell, and then take
//! the rows up to the next quote as one cell: facts would be lost without a word, and a lost
//! access is a lost race. Here both are refused, as is a last line without its line end (a file
//! that was cut short). `\r\n` is accepted as a line end, a byte-order mark at the start is skipped.

use std::borrow::Cow;

/// The records of a text, one after another.
pub(super) struct Records<'t> {
    text: &'t str,
    /// Byte where the next record starts.
    at: usize,
    /// Line of that byte, from 1.
    line: u32,
}

/// Line and message.
type Refused = (u32, String);

impl<'t> Records<'t> {
    /// The records from the start of the text.
    pub(super) fn new(text: &'t str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        Records {
            text,
            at: 0,
            line: 1,
        }
    }

    /// Reads the next record into `cells`: the line it starts at, `None` at the end of the text.
    pub(super) fn next(&mut self, cells: &mut Vec<Cow<'t, str>>) -> Result<Option<u32>, Refused> {
        cells.clear();
        if self.at == self.text.len() {
            return Ok(None);
        }
        let line = self.line;
        loop {
            let cell = if self.rest().starts_with('"') {
                self.quoted()?
            } else {
                self.bare()?
            };
            cells.push(cell);
            if self.skip(",") {
                continue;
            }
            if self.skip("\r\n") || self.skip("\n") {
                self.line = self.line.saturating_add(1);
                return Ok(Some(line));
            }
            let message = match self.rest().chars().next() {
                None => {
                    "the last line has no line end, the file may have been cut short".to_owned()
                }
                Some(_) => "expected a comma or the line end after a cell".to_owned(),
            };
            return Err((self.line, message));
        }
    }

    fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let found = self.rest().starts_with(prefix);
        if found {
            self.at += prefix.len();
        }
        found
    }

    /// A cell without quotes: up to the comma or line end.
    fn bare(&mut self) -> Result<Cow<'t, str>, Refused> {
        let rest = self.rest();
        let end = rest.find([',', '\n', '\r', '"']).unwrap_or(rest.len());
        if rest[end..].starts_with('"') {
            return Err((
                self.line,
                "quote inside a cell that does not start with one".to_owned(),
            ));
        }
        self.at += end;
        Ok(Cow::Borrowed(&rest[..end]))
    }

    /// A quoted cell, in which `""` stands for a quote.
    fn quoted(&mut self) -> Result<Cow<'t, str>, Refused> {
        let opened = self.line;
        self.at += 1;
        let mut cell = Cow::Borrowed("");
        loop {
            let rest = self.rest();
            let Some(end) = rest.find('"') else {
                return Err((opened, "a quote is opened here and never closed".to_owned()));
            };
            let piece = &rest[..end];
            let lines = piece.bytes().filter(|&byte| byte == b'\n').count();
            self.line = self
                .line
                .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
            self.at += end + 1;
            if cell.is_empty() {
                cell = Cow::Borrowed(piece);
            } else {
                cell.to_mut().push_str(piece);
            }
            if !self.skip("\"") {
                return Ok(cell);
            }
            cell.to_mut().push('"');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Result<Vec<(u32, Vec<String>)>, Refused> {
        let mut records = Records::new(text);
        let (mut found, mut cells) = (Vec::new(), Vec::new());
        while let Some(line) = records.next(&mut cells)? {
            found.push((line, cells.iter().map(|cell| cell.to_string()).collect()));
        }
        Ok(found)
    }

    fn row(line: u32, cells: &[&str]) -> (u32, Vec<String>) {
        (line, cells.iter().map(|&cell| cell.to_owned()).collect())
    }

    #[test]
    fn cells_and_lines_are_told() {
        assert_eq!(all("").unwrap(), []);
        assert_eq!(
            all("a,b\n1,\n").unwrap(),
            [row(1, &["a", "b"]), row(2, &["1", ""])]
        );
        assert_eq!(
            all("\u{feff}a\r\nb\r\n").unwrap(),
            [row(1, &["a"]), row(2, &["b"])]
        );
        assert_eq!(
            all("\"a\nb\",\"\"\n\"\"\"x\"\"\",\",\"\n").unwrap(),
            [row(1, &["a\nb", ""]), row(3, &["\"x\"", ","])]
        );
        assert_eq!(
            all("a\n\nb\n").unwrap(),
            [row(1, &["a"]), row(2, &[""]), row(3, &["b"])]
        );
    }

    #[test]
    fn what_looser_readers_accept_is_refused() {
        for (text, line) in [
            ("a\n\"b\nc\n", 2),
            ("a\nb\"c\n", 2),
            ("a\n\"b\"c\n", 2),
            ("a\nb", 2),
            ("a\rb\n", 1),
            ("a\n\"x\ny\"", 3),
        ] {
            assert_eq!(all(text).unwrap_err().0, line, "{text:?}");
        }
    }
}
