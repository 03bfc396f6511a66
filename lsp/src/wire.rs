//! Messages from a stream, one after the other, where some may be none.
//!
//! A message that is no JSON, or is none of the protocol, is told and passed over: its length is known, so the next one begins where it
//! should. Where the length itself is missing or cannot be right nothing behind it can be read.

use std::io::{self, BufRead};

use lsp_server::Message;

/// Longer messages are taken for a length that is wrong.
const LONGEST: usize = 256 << 20;

/// What came.
#[derive(Debug)]
pub(crate) enum Incoming {
    /// A message.
    Message(Message),
    /// Something else between two messages, and why it is none.
    Malformed(String),
}

/// Reads what comes next; nothing at the end of the stream.
///
/// # Errors
/// The stream fails, or it cannot be told where the next message begins.
pub(crate) fn next(from: &mut impl BufRead) -> io::Result<Option<Incoming>> {
    let invalid = |text: &str| io::Error::new(io::ErrorKind::InvalidData, text.to_owned());
    let mut length = None;
    let mut any = false;
    loop {
        let mut line = Vec::new();
        // A header is short; what never ends its line is none.
        if io::Read::take(&mut *from, 8192).read_until(b'\n', &mut line)? == 0 {
            return match any {
                true => Err(invalid("the input ends within a header")),
                false => Ok(None),
            };
        }
        any = true;
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.trim().eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse::<usize>().ok();
        }
    }
    let length = length.ok_or_else(|| invalid("a header without Content-Length"))?;
    if length > LONGEST {
        return Err(invalid("a message that is too long"));
    }
    let mut body = Vec::new();
    let read = io::Read::take(&mut *from, u64::try_from(length).unwrap_or(u64::MAX));
    if io::Read::read_to_end(&mut { read }, &mut body)? < length {
        return Err(invalid("the input ends within a message"));
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => Incoming::Message(message),
        Err(error) => Incoming::Malformed(error.to_string()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_passed_over() {
        let good = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        let mut stream = Vec::new();
        for body in ["{", "[1]", "\u{e9}", good] {
            stream.extend(format!("Content-Length: {}\r\nX: y\r\n\r\n{body}", body.len()).bytes());
        }
        let mut from = stream.as_slice();
        for _ in 0..3 {
            assert!(matches!(next(&mut from), Ok(Some(Incoming::Malformed(_)))));
        }
        assert!(matches!(
            next(&mut from),
            Ok(Some(Incoming::Message(Message::Notification(_))))
        ));
        assert!(matches!(next(&mut from), Ok(None)));
    }

    #[test]
    fn without_a_length_there_is_no_next_message() {
        for stream in [
            "X: y\r\n\r\n{}",
            "Content-Length: x\r\n\r\n{}",
            "Content-Length: 99999999999999\r\n\r\n",
            "Content-Length: 5\r\n\r\n{}",
            "Content-Length: 5\r\n",
        ] {
            assert!(next(&mut stream.as_bytes()).is_err(), "{stream:?}");
        }
    }
}
