//! Indented JSON, as `serde_json` writes it and to the same bytes, but each indentation in one piece.
//!
//! `serde_json` writes an indentation level by level. Reports are nested deeply, so that this was half of what it costs to write one.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// A line end and more spaces than reports are nested; deeper levels are written in several pieces.
const LINE: &str = "\n                                                                ";

/// Room to begin with: a small report needs no more.
const ROOM: usize = 4096;

/// The value as indented JSON, with a line end behind it.
///
/// # Errors
/// Only if serialisation itself fails, which needs memory to run out.
pub(crate) fn render(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let mut bytes = Vec::with_capacity(ROOM);
    value.serialize(&mut Serializer::with_formatter(
        &mut bytes,
        Indented::default(),
    ))?;
    bytes.push(b'\n');
    String::from_utf8(bytes).map_err(|error| serde_json::Error::io(io::Error::other(error)))
}

/// Two spaces a level; what is empty stays on its line.
#[derive(Default)]
struct Indented {
    depth: usize,
    filled: bool,
}

impl Indented {
    fn begin<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth += 1;
        self.filled = false;
        writer.write_all(bracket)
    }

    fn end<W: Write + ?Sized>(&mut self, writer: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.depth -= 1;
        if self.filled {
            self.line(writer)?;
        }
        writer.write_all(bracket)
    }

    fn item<W: Write + ?Sized>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        self.line(writer)
    }

    fn line<W: Write + ?Sized>(&self, writer: &mut W) -> io::Result<()> {
        let spaces = 2 * self.depth;
        match LINE.as_bytes().get(..=spaces) {
            Some(line) => writer.write_all(line),
            None => write!(writer, "\n{:spaces$}", ""),
        }
    }
}

impl Formatter for Indented {
    fn begin_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"[")
    }

    fn end_array<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"]")
    }

    fn begin_array_value<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.item(writer, first)
    }

    fn end_array_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }

    fn begin_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.begin(writer, b"{")
    }

    fn end_object<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.end(writer, b"}")
    }

    fn begin_object_key<W: Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.item(writer, first)
    }

    fn begin_object_value<W: Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        writer.write_all(b": ")
    }

    fn end_object_value<W: Write + ?Sized>(&mut self, _: &mut W) -> io::Result<()> {
        self.filled = true;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn the_bytes_are_those_of_serde_json() {
        let mut deep = json!({"a\"\n": [1, -2, null, true, "\u{1}ä"], "empty": [], "none": {}});
        for nth in 0..50 {
            deep = json!({ "list": [deep, {}, [[]]], "nth": nth });
        }
        for value in [json!([]), json!({}), json!("x"), json!([[1]]), deep] {
            let expected = serde_json::to_string_pretty::<Value>(&value).expect("writes") + "\n";
            assert_eq!(render(&value).expect("writes"), expected);
        }
    }
}
