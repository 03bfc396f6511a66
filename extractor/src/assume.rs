//! What the user assumes besides what the file says: `--assume "n <= blockDim.x * gridDim.x"`.
//!
//! An assumption is an expression of the annotation language, or `__distinct(idx)`. It is read as text behind the end of
//! the main file, so that it sees the file's macros and constants and has a place of its own, and holds for each kernel
//! in whose scope all its names are known; of others it says nothing.

use std::borrow::Cow;
use std::path::Path;

use crate::embedded::Part;
use crate::preprocess::{Config, Piece, RealFiles, preprocess_with};
use crate::syntax;

/// The word that stands before an assumption in the text that is read.
pub(crate) const WORD: &str = "__warplog_assume";

/// The text with the assumptions behind it.
pub(crate) fn append<'b>(bytes: &'b [u8], assume: &[String]) -> Cow<'b, [u8]> {
    if assume.is_empty() {
        return Cow::Borrowed(bytes);
    }
    let mut text = bytes.to_vec();
    for one in assume {
        text.extend_from_slice(format!("\n{WORD}({one});").as_bytes());
    }
    text.push(b'\n');
    Cow::Owned(text)
}

/// The configuration for a part of a file, with what was appended to the `visible` text of it as a piece of its own.
pub(crate) fn with_pieces(config: &Config, part: &Part, visible: &[u8], text: &[u8]) -> Config {
    let mut pieces = part.pieces.clone();
    if let Some(appended) = text.get(visible.len()..)
        && let (Ok(start), Ok(end)) = (u32::try_from(visible.len()), u32::try_from(text.len()))
        && start < end
    {
        pieces.push(Piece {
            text: String::from_utf8_lossy(appended).into_owned(),
            start,
            end,
        });
    }
    Config {
        pieces: Some(pieces.into()),
        holes: part
            .holes
            .iter()
            .map(|hole| hole.name.clone())
            .filter(|name| !name.is_empty())
            .collect(),
        has_open_options: part.open_options.is_some(),
        ..config.clone()
    }
}

/// Whether a text is an expression that can be assumed.
///
/// # Errors
/// Why not, lower case.
pub fn check(text: &str) -> Result<(), String> {
    if text.trim().is_empty() {
        return Err("an empty expression".to_owned());
    }
    if text.contains(['\n', '\r', '\\', '#', ';', '{', '}']) {
        return Err("an expression in one line is expected".to_owned());
    }
    let line = format!("{WORD}({text});\n");
    let pre = preprocess_with(
        Path::new("assume"),
        line.as_bytes(),
        &Config::default(),
        &RealFiles,
    )
    .map_err(|error| error.to_string())?;
    let unit = syntax::parse(&pre.text);
    if unit.assumed.len() == 1 && unit.unparsed.is_empty() && unit.functions.is_empty() {
        Ok(())
    } else {
        Err("it is not understood as an expression".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::check;

    #[test]
    fn expressions_and_others() {
        for text in [
            "n <= blockDim.x * gridDim.x",
            "__is_pow2(blockDim.x)",
            "__distinct(idx)",
            "(w >= 4) && h != 0",
        ] {
            assert_eq!(check(text), Ok(()), "{text}");
        }
        for text in [
            "",
            "n <=",
            "n < 4); void f(",
            "n < 4) __warplog_assume(m < 3",
            "int n",
            "n < 4 // all",
        ] {
            assert!(check(text).is_err(), "{text}");
        }
    }
}
