//! The header line of a file: its launch and options, in the comment at the top.
//!
//! The leading `//` lines are read, up to the first line that is something else:
//! - `//pass`, `//xfail:…` state what a test expects; `check` ignores them;
//! - a line that begins with an option, `//--blockDim=64 --gridDim=[4,4] --warp-sync=32 -DN=8`, gives options.
//!
//! This is the header that GPUVerify made common. Options that we do not know are kept apart with a note rather than
//! refused, so that files written for it work unchanged; an option that we know with a value that means nothing is an
//! error, because the launch it was to give would be missing.

use std::path::PathBuf;

use crate::choices::parse_lanes;
use crate::dims::{Dims, parse_dims};
use crate::macros::{Macro, parse_define, parse_undefine};

/// What a header says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// `--blockDim`, `--block-dim`.
    pub block_dim: Option<Dims>,
    /// `--gridDim`, `--grid-dim`.
    pub grid_dim: Option<Dims>,
    /// Line of the first of the two, from 1.
    pub launch_line: Option<u32>,
    /// `--warp-sync`.
    pub warp_sync: Option<u32>,
    /// `-D`, `-U`, in order.
    pub macros: Vec<Macro>,
    /// `-I`, in order.
    pub include_dirs: Vec<PathBuf>,
    /// `//pass` or `//xfail:…`.
    pub expectation: Option<Expectation>,
    /// Options that mean nothing here, with their lines.
    pub ignored: Vec<(u32, String)>,
}

/// What a test expects of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expectation {
    /// `//pass`.
    Pass,
    /// `//xfail:` with what stands behind the colon.
    Fail(String),
}

/// A header that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderError {
    /// Line, from 1.
    pub line: u32,
    /// Lower case, no full stop.
    pub message: String,
}

/// Reads the header of a file from its text, of which only the leading comment lines are looked at.
///
/// # Errors
/// An option that is known has a value that means nothing, or is given twice.
pub fn parse_header(text: &str) -> Result<Header, HeaderError> {
    let mut header = Header::default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (line, content) in (1..).zip(text.lines()) {
        let content = content.trim();
        if content.is_empty() {
            continue;
        }
        let Some(comment) = content.strip_prefix("//") else {
            break;
        };
        if let Some(expectation) = expectation(comment.trim()) {
            header.expectation.get_or_insert(expectation);
        } else if is_option_line(comment) {
            for_each_option(&mut header, line, &words(comment))
                .map_err(|message| HeaderError { line, message })?;
        }
    }
    Ok(header)
}

fn expectation(comment: &str) -> Option<Expectation> {
    if comment == "pass" {
        return Some(Expectation::Pass);
    }
    let rest = comment.strip_prefix("xfail")?;
    match rest.strip_prefix(':') {
        Some(what) => Some(Expectation::Fail(what.trim().to_owned())),
        None => rest.is_empty().then(|| Expectation::Fail(String::new())),
    }
}

/// `--name`, or `-D`, `-U`, `-I` right behind the slashes; prose and rules of dashes are not options.
fn is_option_line(comment: &str) -> bool {
    let letter = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic());
    let long = comment.trim_start().strip_prefix("--").is_some_and(letter);
    let short = ["-D", "-U", "-I"].iter().any(|flag| {
        comment
            .strip_prefix(flag)
            .is_some_and(|rest| !rest.is_empty())
    });
    long || short
}

/// Splits at white space outside brackets and quotes; quotes are taken off.
fn words(comment: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut open = false;
    let mut brackets = 0usize;
    let mut quote = None;
    for character in comment.chars() {
        match (quote, character) {
            (Some(end), _) if end == character => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                open = true;
            }
            (None, _) if character.is_whitespace() && brackets == 0 => {
                if open {
                    words.push(std::mem::take(&mut word));
                }
                open = false;
            }
            _ => {
                match character {
                    '[' => brackets += 1,
                    ']' => brackets = brackets.saturating_sub(1),
                    _ => {}
                }
                word.push(character);
                open = true;
            }
        }
    }
    if open {
        words.push(word);
    }
    words
}

/// Reads the options of one line into the header.
fn for_each_option(header: &mut Header, line: u32, words: &[String]) -> Result<(), String> {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if let Some(long) = word.strip_prefix("--") {
            let (name, value) = match long.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (long, None),
            };
            match name {
                "blockDim" | "block-dim" => {
                    set(&mut header.block_dim, name, value, parse_dims)?;
                    header.launch_line.get_or_insert(line);
                }
                "gridDim" | "grid-dim" => {
                    set(&mut header.grid_dim, name, value, parse_dims)?;
                    header.launch_line.get_or_insert(line);
                }
                "warp-sync" => set(&mut header.warp_sync, name, value, parse_lanes)?,
                _ => header.ignored.push((line, word.clone())),
            }
        } else if let Some((flag, rest)) = short(word) {
            let value = if rest.is_empty() {
                words
                    .next()
                    .ok_or_else(|| format!("`-{flag}` in the header has no value"))?
            } else {
                rest
            };
            let wrong = |why: String| format!("`-{flag}{value}` in the header: {why}");
            match flag {
                'D' => header.macros.push(parse_define(value).map_err(wrong)?),
                'U' => header.macros.push(parse_undefine(value).map_err(wrong)?),
                _ => header.include_dirs.push(PathBuf::from(value)),
            }
        } else {
            header.ignored.push((line, word.clone()));
        }
    }
    Ok(())
}

/// Flag and value of `-DN=8`.
fn short(word: &str) -> Option<(char, &str)> {
    let rest = word.strip_prefix('-')?;
    let flag = rest.chars().next().filter(|flag| "DUI".contains(*flag))?;
    Some((flag, &rest[1..]))
}

/// Sets an option once.
fn set<T>(
    slot: &mut Option<T>,
    name: &str,
    value: Option<&str>,
    parse: fn(&str) -> Result<T, String>,
) -> Result<(), String> {
    let value = value.ok_or_else(|| format!("`--{name}` in the header has no value"))?;
    let parsed = parse(value).map_err(|why| format!("`--{name}={value}` in the header: {why}"))?;
    if slot.replace(parsed).is_some() {
        return Err(format!("`--{name}` stands in the header twice"));
    }
    Ok(())
}

/// The text up to the first line that is neither empty nor a `//` comment.
pub(crate) fn leading_comments(bytes: &[u8]) -> String {
    let mut end = 0;
    for line in bytes.split_inclusive(|byte| *byte == b'\n') {
        let text = line
            .strip_prefix(b"\xef\xbb\xbf")
            .unwrap_or(line)
            .trim_ascii();
        if !text.is_empty() && !text.starts_with(b"//") {
            break;
        }
        end += line.len();
    }
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn define(name: &str, value: &str) -> Macro {
        Macro::Define {
            name: name.to_owned(),
            value: value.to_owned(),
        }
    }

    #[test]
    fn the_common_form() {
        let header = parse_header(
            "//pass\r\n//--blockDim=[16, 8] --gridDim=4,2 --warp-sync=32 -DN=8 -D M -UK -I inc\r\n\r\n__global__\n",
        );
        assert_eq!(
            header,
            Ok(Header {
                block_dim: Some([16, 8, 1]),
                grid_dim: Some([4, 2, 1]),
                launch_line: Some(2),
                warp_sync: Some(32),
                macros: vec![
                    define("N", "8"),
                    define("M", "1"),
                    Macro::Undefine {
                        name: "K".to_owned()
                    }
                ],
                include_dirs: vec![PathBuf::from("inc")],
                expectation: Some(Expectation::Pass),
                ignored: Vec::new(),
            })
        );
    }

    #[test]
    fn options_may_be_spread_over_lines_below_a_licence() {
        let header = parse_header(
            "\u{feff}// Copyright\n// --------\n\n//xfail: BOOGIE_ERROR\n//--blockDim=64\n//--gridDim=1\n//-DN=\"1 + 2\"\nint x;\n//--gridDim=9\n",
        )
        .expect("a header");
        assert_eq!(header.block_dim, Some([64, 1, 1]));
        assert_eq!(header.grid_dim, Some([1, 1, 1]));
        assert_eq!(header.launch_line, Some(5));
        assert_eq!(header.macros, [define("N", "1 + 2")]);
        assert_eq!(
            header.expectation,
            Some(Expectation::Fail("BOOGIE_ERROR".to_owned()))
        );
    }

    #[test]
    fn unknown_options_are_kept_apart() {
        let header = parse_header("//--blockDim=64 --no-inline --only-intra-group stray -O2\n")
            .expect("a header");
        assert_eq!(header.block_dim, Some([64, 1, 1]));
        let ignored: Vec<&str> = header
            .ignored
            .iter()
            .map(|(_, word)| word.as_str())
            .collect();
        assert_eq!(
            ignored,
            ["--no-inline", "--only-intra-group", "stray", "-O2"]
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(//(--|-D|-U|-I)?[^\\n]{0,20}\\n|\\PC{0,10}\\n){0,6}") {
            if let Err(error) = parse_header(&text) {
                let lines = u32::try_from(text.lines().count()).expect("few");
                proptest::prop_assert!(error.line >= 1 && error.line <= lines);
            }
        }

        #[test]
        fn sizes_come_back(x in 1u32.., y in 1u32.., z in 1u32..) {
            let text = format!("//--blockDim=[{x},{y},{z}] --gridDim={z}");
            let header = parse_header(&text).expect("a header");
            proptest::prop_assert_eq!(header.block_dim, Some([x, y, z].map(u64::from)));
            proptest::prop_assert_eq!(header.grid_dim, Some([u64::from(z), 1, 1]));
        }
    }

    #[test]
    fn prose_is_no_header() {
        for text in [
            "",
            "int x; //--blockDim=64\n",
            "// -- a remark\n",
            "//---------\n",
            "// passes under gridDim=4\n",
            "// -D flags matter here\n",
            "//-D\n",
            "//xfailure\n",
            "/* //--blockDim=64 */\n",
            "\0\0//--blockDim=64",
        ] {
            assert_eq!(parse_header(text), Ok(Header::default()), "{text:?}");
        }
    }

    #[test]
    fn wrong_values_are_errors_with_their_line() {
        for text in [
            "//--blockDim",
            "//--blockDim=",
            "//--blockDim=0",
            "//--blockDim=[4,4",
            "//--blockDim=1,2,3,4",
            "//--gridDim=n",
            "//--blockDim=64 --blockDim=32",
            "//--warp-sync=33",
            "//--warp-sync=0",
            "//--blockDim=64 -D",
            "//-D8=N",
            "//-UN=4",
        ] {
            let error = parse_header(&format!("// x\n{text}\n")).err();
            let error = error.unwrap_or_else(|| panic!("accepts {text}"));
            assert_eq!(error.line, 2, "{text}");
        }
    }
}
