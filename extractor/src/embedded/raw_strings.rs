//! Raw strings of C++ that hold kernels, for compilation at run time. Each is a part as it stands: what a program puts
//! before or behind it is not followed.

use super::{Part, Run, names_kernel, part};

pub(super) fn parts(text: &str) -> Vec<Part> {
    let bytes = text.as_bytes();
    let mut parts = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let end_of = |end: &[u8], from: usize| {
            let found = rest
                .get(from..)
                .and_then(|rest| rest.windows(end.len()).position(|window| window == end));
            found.map_or(rest.len(), |position| from + position + end.len())
        };
        let before = at.checked_sub(1).map(|before| char::from(bytes[before]));
        at += match rest[0] {
            b'/' if rest.starts_with(b"//") => end_of(b"\n", 2),
            b'/' if rest.starts_with(b"/*") => end_of(b"*/", 2),
            b'R' if rest.starts_with(b"R\"") && !before.is_some_and(is_name) => {
                match raw(text, at) {
                    Some((start, end, behind)) => {
                        let inner = &text[start..end];
                        if names_kernel(inner) {
                            parts.extend(part(&[Run::of(inner, start..end)], true));
                        }
                        behind - at
                    }
                    None => 2,
                }
            }
            quote @ b'"' => literal(rest, quote),
            // An apostrophe within a number is none that opens a literal.
            quote @ b'\'' if !before.is_some_and(|c| c.is_ascii_alphanumeric()) => {
                literal(rest, quote)
            }
            _ => 1,
        };
    }
    parts
}

/// Whether the character makes what follows no raw string; prefixes of encodings do not.
fn is_name(c: char) -> bool {
    super::is_word(c) && !matches!(c, 'L' | 'u' | 'U' | '8')
}

/// Where the characters of a raw string begin and end, and where it ends itself.
fn raw(text: &str, at: usize) -> Option<(usize, usize, usize)> {
    let open = text.get(at + 2..)?;
    let delimiter = open.find('(').filter(|length| *length <= 16)?;
    let start = at + 2 + delimiter + 1;
    let close = format!("){}\"", &open[..delimiter]);
    let length = text.get(start..)?.find(&close)?;
    Some((start, start + length, start + length + close.len()))
}

/// The length of a literal, which ends with its line at the latest.
fn literal(text: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    text.len()
}
