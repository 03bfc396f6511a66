//! The lexer: C++ preprocessing tokens from clean text, one at a time.
//!
//! It never fails. A literal that is not closed ends with its line and is flagged; a block comment or raw string that
//! is not closed ends with the file. CUDA's `<<<` and `>>>` are single tokens. Each byte is looked at a bounded
//! number of times.

use std::sync::Arc;

use super::token::{Kind, LINE_START, SPACE, UNTERMINATED, punctuator};

/// A token before its name is interned.
#[derive(Debug, Clone, Copy)]
pub(super) struct RawToken {
    pub kind: Kind,
    pub flags: u8,
    pub start: usize,
    pub end: usize,
    /// The packed bytes of a punctuator, else 0.
    pub code: u32,
}

/// A position in a text.
#[derive(Clone)]
pub(super) struct Lexer {
    pub text: Arc<str>,
    pub position: usize,
    at_line_start: bool,
    /// Where a block comment began that is not closed.
    pub open_comment: Option<usize>,
}

impl Lexer {
    pub fn new(text: Arc<str>) -> Lexer {
        let position = if text.starts_with('\u{feff}') { 3 } else { 0 };
        Lexer {
            text,
            position,
            at_line_start: true,
            open_comment: None,
        }
    }

    /// The next token. In a directive a line end is a token, and is not consumed.
    pub fn next(&mut self, in_directive: bool) -> RawToken {
        let mut flags = 0;
        loop {
            let bytes = self.text.as_bytes();
            let at = self.position;
            let Some(&byte) = bytes.get(at) else {
                return self.token(Kind::FileEnd, flags, at, at);
            };
            match byte {
                b' ' | b'\t' | 0x0b | 0x0c => {
                    self.position += 1;
                    flags |= SPACE;
                }
                b'\n' | b'\r' => {
                    if in_directive {
                        return self.token(Kind::LineEnd, flags, at, at);
                    }
                    self.position += 1;
                    self.at_line_start = true;
                }
                b'/' if bytes.get(at + 1) == Some(&b'/') => {
                    self.position = line_end(bytes, at);
                    flags |= SPACE;
                }
                b'/' if bytes.get(at + 1) == Some(&b'*') => {
                    self.position = match find(bytes, at + 2, b"*/") {
                        Some(end) => end + 2,
                        None => {
                            self.open_comment = Some(at);
                            bytes.len()
                        }
                    };
                    flags |= SPACE;
                }
                _ => break,
            }
        }
        if self.at_line_start {
            flags |= LINE_START;
            self.at_line_start = false;
        }
        self.solid(flags)
    }

    /// Skips what is left of a directive's line; comments may carry it over several physical lines.
    pub fn skip_line(&mut self) {
        while !matches!(self.next(true).kind, Kind::LineEnd | Kind::FileEnd) {}
    }

    /// The header name of an `#include` as (start, end, angle brackets), when one comes next.
    pub fn header_name(&mut self) -> Option<(usize, usize, bool)> {
        let before = self.position;
        let first = self.next(true);
        self.position = first.start;
        let bytes = self.text.as_bytes();
        let close = match bytes.get(first.start) {
            Some(b'"') => b'"',
            Some(b'<') => b'>',
            _ => {
                self.position = before;
                return None;
            }
        };
        let start = first.start + 1;
        let end = line_end(bytes, start);
        match bytes[start..end].iter().position(|&byte| byte == close) {
            Some(length) => {
                self.position = start + length + 1;
                Some((start, start + length, close == b'>'))
            }
            None => {
                self.position = before;
                None
            }
        }
    }

    fn token(&self, kind: Kind, flags: u8, start: usize, end: usize) -> RawToken {
        RawToken {
            kind,
            flags,
            start,
            end,
            code: 0,
        }
    }

    /// A token that begins at the current byte, which is no white space.
    fn solid(&mut self, flags: u8) -> RawToken {
        let bytes = self.text.as_bytes();
        let start = self.position;
        let byte = bytes[start];
        let (kind, end, extra, code) = if is_name_start(byte) {
            let end = name_end(bytes, start);
            match bytes.get(end) {
                Some(&quote @ (b'"' | b'\'')) if is_prefix(&bytes[start..end], quote) => {
                    let raw = bytes[end - 1] == b'R';
                    literal(bytes, end, quote, raw)
                }
                _ => (Kind::Name, end, 0, 0),
            }
        } else if byte.is_ascii_digit()
            || (byte == b'.' && bytes.get(start + 1).is_some_and(u8::is_ascii_digit))
        {
            (Kind::Number, number_end(bytes, start), 0, 0)
        } else if byte == b'"' || byte == b'\'' {
            literal(bytes, start, byte, false)
        } else {
            let length = punctuator_length(&bytes[start..]);
            if length == 0 {
                (Kind::Other, start + 1, 0, 0)
            } else {
                (
                    Kind::Punctuator,
                    start + length,
                    0,
                    punctuator(&bytes[start..start + length]),
                )
            }
        };
        self.position = end;
        RawToken {
            kind,
            flags: flags | extra,
            start,
            end,
            code,
        }
    }
}

/// Names may hold any character outside ASCII: the parser judges them.
fn is_name_start(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn name_end(bytes: &[u8], start: usize) -> usize {
    let more = bytes[start..]
        .iter()
        .position(|&byte| !(is_name_start(byte) || byte.is_ascii_digit()));
    more.map_or(bytes.len(), |length| start + length)
}

fn is_prefix(name: &[u8], quote: u8) -> bool {
    match name {
        b"L" | b"u" | b"U" | b"u8" => true,
        b"R" | b"LR" | b"uR" | b"UR" | b"u8R" => quote == b'"',
        _ => false,
    }
}

fn number_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(&byte) = bytes.get(at) {
        let exponent = matches!(bytes[at - 1], b'e' | b'E' | b'p' | b'P');
        let separator = byte == b'\''
            && bytes
                .get(at + 1)
                .is_some_and(|&next| is_name_start(next) || next.is_ascii_digit());
        if !(byte.is_ascii_digit()
            || is_name_start(byte)
            || byte == b'.'
            || separator
            || (exponent && matches!(byte, b'+' | b'-')))
        {
            break;
        }
        at += 1;
    }
    at
}

/// A literal whose opening quote is at `quote_at`.
fn literal(bytes: &[u8], quote_at: usize, quote: u8, raw: bool) -> (Kind, usize, u8, u32) {
    if raw && let Some(found) = raw_string(bytes, quote_at) {
        return found;
    }
    let kind = if quote == b'"' {
        Kind::Text
    } else {
        Kind::Character
    };
    let mut at = quote_at + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if !matches!(bytes.get(at + 1), None | Some(b'\n' | b'\r')) => at += 2,
            b'\n' | b'\r' => break,
            _ if byte == quote => return (kind, at + 1, 0, 0),
            _ => at += 1,
        }
    }
    // A backslash may have been followed by a character of several bytes; line ends and quotes are ASCII, so `at` is
    // never inside one here.
    (kind, at.min(bytes.len()), UNTERMINATED, 0)
}

/// `"delimiter( … )delimiter"`, or `None` when the delimiter is not a valid one.
fn raw_string(bytes: &[u8], quote_at: usize) -> Option<(Kind, usize, u8, u32)> {
    let start = quote_at + 1;
    let length = bytes[start..]
        .iter()
        .take(17)
        .position(|&byte| byte == b'(')?;
    let delimiter = &bytes[start..start + length];
    if delimiter
        .iter()
        .any(|byte| matches!(byte, b' ' | b')' | b'\\' | b'\t' | b'\n' | b'\r' | b'"'))
    {
        return None;
    }
    let mut closing = vec![b')'];
    closing.extend_from_slice(delimiter);
    closing.push(b'"');
    Some(match find(bytes, start + length + 1, &closing) {
        Some(at) => (Kind::Text, at + closing.len(), 0, 0),
        None => (Kind::Text, bytes.len(), UNTERMINATED, 0),
    })
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    let found = bytes[from..]
        .iter()
        .position(|&byte| byte == b'\n' || byte == b'\r');
    found.map_or(bytes.len(), |length| from + length)
}

/// The first place at or after `from` where `needle` stands.
fn find(bytes: &[u8], from: usize, needle: &[u8]) -> Option<usize> {
    let mut at = from;
    while let Some(found) = bytes.get(at..)?.iter().position(|&byte| byte == needle[0]) {
        at += found;
        if bytes[at..].starts_with(needle) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// The longest punctuator at the start of `bytes`, 0 when there is none.
fn punctuator_length(bytes: &[u8]) -> usize {
    let second = bytes.get(1).copied().unwrap_or(0);
    let third = bytes.get(2).copied().unwrap_or(0);
    match (bytes[0], second, third) {
        (b'<', b'<', b'<' | b'=')
        | (b'>', b'>', b'>' | b'=')
        | (b'.', b'.', b'.')
        | (b'-', b'>', b'*') => 3,
        (b'<', b'<' | b'=', _)
        | (b'>', b'>' | b'=', _)
        | (b'-', b'>' | b'-' | b'=', _)
        | (b'+', b'+' | b'=', _)
        | (b'&', b'&' | b'=', _)
        | (b'|', b'|' | b'=', _)
        | (b'#', b'#', _)
        | (b':', b':', _)
        | (b'.', b'*', _)
        | (b'=' | b'!' | b'*' | b'/' | b'%' | b'^', b'=', _) => 2,
        (
            b'{' | b'}' | b'[' | b']' | b'(' | b')' | b';' | b':' | b'?' | b'.' | b'~' | b'!'
            | b'+' | b'-' | b'*' | b'/' | b'%' | b'^' | b'&' | b'|' | b'=' | b'<' | b'>' | b','
            | b'#',
            _,
            _,
        ) => 1,
        _ => 0,
    }
}
