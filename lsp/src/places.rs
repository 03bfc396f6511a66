//! From the places of reports to those of the protocol and back.
//!
//! A place of a report has lines and columns from 1, and columns count characters. The protocol counts from 0, and its columns are units
//! of UTF-16: a character outside of the basic plane is two. A place that a text does not have is taken for the nearest that it has.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use lsp_types::{Position, Range, Uri};
use warplog_report::Place;

/// A text with the places where its lines begin.
#[derive(Clone, Debug)]
pub(crate) struct Text<'a> {
    text: &'a str,
    /// The first byte of each line.
    starts: Vec<usize>,
}

impl<'a> Text<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Text {
            text,
            starts: std::iter::once(0).chain(breaks).collect(),
        }
    }

    /// A line by its number from 0, without its end.
    pub(crate) fn line(&self, line: u32) -> &'a str {
        let line = usize::try_from(line).unwrap_or(usize::MAX);
        let Some(&start) = self.starts.get(line) else {
            return "";
        };
        let end = self.starts.get(line + 1).copied();
        let text = &self.text[start..end.unwrap_or(self.text.len())];
        text.strip_suffix('\n')
            .map_or(text, |text| text.strip_suffix('\r').unwrap_or(text))
    }

    /// The byte of a position.
    pub(crate) fn byte(&self, position: Position) -> usize {
        let line = usize::try_from(position.line).unwrap_or(usize::MAX);
        let Some(&start) = self.starts.get(line) else {
            return self.text.len();
        };
        let own = self.line(position.line);
        let mut units = 0;
        for (at, character) in own.char_indices() {
            if units >= position.character {
                return start + at;
            }
            units += if character.len_utf16() == 2 { 2 } else { 1 };
        }
        start + own.len()
    }

    /// The position of a byte.
    pub(crate) fn position(&self, byte: usize) -> Position {
        let byte = byte.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= byte) - 1;
        let before = self.text.get(self.starts[line]..byte).unwrap_or_default();
        Position {
            line: number(line),
            character: number(before.chars().map(char::len_utf16).sum()),
        }
    }

    /// The byte of a line and a column that count from 1, columns in characters.
    pub(crate) fn byte_of(&self, line: u32, column: u32) -> usize {
        let line = line.saturating_sub(1);
        let Some(&start) = self.starts.get(usize::try_from(line).unwrap_or(usize::MAX)) else {
            return self.text.len();
        };
        let own = self.line(line);
        let before = usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
        let at = own
            .char_indices()
            .nth(before)
            .map_or(own.len(), |(at, _)| at);
        start + at
    }

    /// The line and the column of a byte, from 1, columns in characters.
    pub(crate) fn line_column(&self, byte: usize) -> (u32, u32) {
        let byte = byte.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= byte) - 1;
        let before = self.text.get(self.starts[line]..byte).unwrap_or_default();
        (number(line + 1), number(before.chars().count() + 1))
    }

    /// The range of a place.
    pub(crate) fn range(&self, place: &Place) -> Range {
        let start = self.position(self.byte_of(place.line, place.column));
        let end = self.position(self.byte_of(place.end_line, place.end_column));
        Range {
            start,
            end: end.max(start),
        }
    }

    /// The range of a line without the white space round it, by its number from 1.
    pub(crate) fn whole_line(&self, line: u32) -> Range {
        let line = line.saturating_sub(1);
        let own = self.line(line);
        let units = |text: &str| number(text.chars().map(char::len_utf16).sum());
        let indent = own.len() - own.trim_start().len();
        Range {
            start: Position::new(line, units(&own[..indent])),
            end: Position::new(line, units(own.trim_end()).max(units(&own[..indent]))),
        }
    }
}

pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The texts of the files that a report names: those of the editor, and those on the disk, each read once.
pub(crate) struct Texts {
    known: BTreeMap<PathBuf, String>,
}

impl Texts {
    /// With the text of a file that the editor has.
    pub(crate) fn with(path: &Path, text: &str) -> Self {
        Texts {
            known: BTreeMap::from([(path.to_owned(), text.to_owned())]),
        }
    }

    /// The text of a file; nothing if it cannot be read.
    pub(crate) fn get(&mut self, path: &Path) -> Text<'_> {
        let read = || fs::read_to_string(path).unwrap_or_default();
        let text = self.known.entry(path.to_owned()).or_insert_with(read);
        Text::new(text)
    }
}

/// The file that a report names.
pub(crate) fn file(name: &str) -> PathBuf {
    let path = Path::new(name);
    match path.is_absolute() {
        true => path.to_owned(),
        false => std::env::current_dir().unwrap_or_default().join(path),
    }
}

/// The words of a report as who has the file before them reads them: its lines by their numbers, its name without folders.
pub(crate) fn near(text: &str, path: &Path) -> String {
    let own = path.to_string_lossy();
    let name = path.file_name().map_or(own.clone(), OsStr::to_string_lossy);
    text.replace(&format!("{own}:"), "line ")
        .replace(&*own, &name)
}

/// The path of a file URI; nothing for other URIs, as those of buffers that have no file yet.
pub(crate) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = rest.find('/').map(|at| &rest[at..])?;
    let mut bytes = Vec::with_capacity(path.len());
    let mut left = path.bytes();
    while let Some(byte) = left.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let (high, low) = (digit(left.next()?)?, digit(left.next()?)?);
        bytes.push(u8::try_from(high * 16 + low).ok()?);
    }
    String::from_utf8(bytes).ok().map(PathBuf::from)
}

/// The URI of a file.
pub(crate) fn uri_of(path: &Path) -> Option<Uri> {
    let mut text = "file://".to_owned();
    for component in path.components() {
        let Component::Normal(name) = component else {
            continue;
        };
        text.push('/');
        for byte in name.to_string_lossy().bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                    text.push(char::from(byte));
                }
                _ => text.push_str(&format!("%{byte:02X}")),
            }
        }
    }
    Uri::from_str(&text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf16() {
        let text = Text::new("int é;\r\n/*𝛼β*/ int x;\n");
        // The x stands behind one character that is two units.
        let at = text.byte_of(2, 13);
        assert_eq!(text.position(at), Position::new(1, 13));
        assert_eq!(text.byte(Position::new(1, 13)), at);
        assert_eq!(text.line_column(at), (2, 13 - 1 + 1));
        assert_eq!(text.line(0), "int é;");
        assert_eq!(text.position(text.byte_of(1, 6)), Position::new(0, 5));
        // Within the two units of one character, and behind the end of a line and of the text.
        assert_eq!(text.byte(Position::new(1, 3)), text.byte_of(2, 4));
        assert_eq!(text.byte(Position::new(0, 99)), "int é;".len());
        assert_eq!(text.byte(Position::new(9, 0)), text.text.len());
        assert_eq!(text.byte_of(9, 9), text.text.len());
    }

    #[test]
    fn who_has_the_file_reads_lines() {
        let near = |text: &str| near(text, Path::new("/a/k.cu"));
        assert_eq!(
            near("at /a/k.cu:12 and /a/h.cuh:3"),
            "at line 12 and /a/h.cuh:3"
        );
        assert_eq!(near("--- a//a/k.cu"), "--- a/k.cu");
    }

    #[test]
    fn paths_go_to_uris_and_back() {
        for path in ["/a b/ü%.cu", "/x.cu", "/a/c++/[1].cuh"] {
            let uri = uri_of(Path::new(path)).expect("a URI");
            assert_eq!(path_of(&uri), Some(PathBuf::from(path)), "{}", uri.as_str());
        }
        for other in ["untitled:Untitled-1", "file:///a%zz", "file://host"] {
            let uri = Uri::from_str(other);
            assert!(
                uri.is_err() || path_of(&uri.expect("a URI")).is_none(),
                "{other}"
            );
        }
    }
}
