//! The kernels of a text as it stands, and what of two texts is the same.
//!
//! One pass over words and signs, with comments, literals and directives passed over, finds `__global__` definitions and the braces of
//! their bodies. Two texts are compared body by body: where all outside of bodies is the same, character by character, only the kernels
//! whose bodies differ need be looked at again, and what was found of the others is [`Moved`] to where they are now.
//!
//! **Contract.** [`changed`] says nothing where a body may mean something outside of itself: one that holds a directive, a launch, a
//! comment for warplog, or words that declare something for others. What it says is no proof: a kernel may still decide what another is
//! given, for example by writing a table that the other reads.

use std::collections::BTreeSet;
use std::ops::Range;

use warplog_report::{Boundary, Finding, Kernel, Note, Place};

use crate::places::Text;

/// A kernel's definition in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name, without namespace and template arguments.
    pub name: String,
    /// The bytes of its body, braces included.
    pub body: Range<usize>,
}

/// The definitions of kernels in a text, in order.
#[must_use]
pub fn kernels(text: &str) -> Vec<Part> {
    let tokens = tokens(text);
    let word = |nth: usize| tokens.get(nth).map_or("", |span| &text[span.clone()]);
    let mut found = Vec::new();
    let mut nth = 0;
    while nth < tokens.len() {
        if word(nth) != "__global__" {
            nth += 1;
            continue;
        }
        nth += 1;
        let mut name = None;
        // Up to the body, or the end of a declaration.
        while nth < tokens.len() && !matches!(word(nth), "{" | ";" | "}") {
            if word(nth) == "(" {
                let before = word(nth - 1);
                let is_attribute = before.starts_with("__") && before.ends_with("__");
                if name.is_none() && is_name(before) && !is_attribute && before != "alignas" {
                    name = Some(before.to_owned());
                }
                nth = closing(&tokens, text, nth).unwrap_or(tokens.len());
            }
            nth += 1;
        }
        if let (Some(name), "{") = (name, word(nth))
            && let Some(close) = closing(&tokens, text, nth)
        {
            let body = tokens[nth].start..tokens[close].end;
            found.push(Part { name, body });
            nth = close + 1;
        }
    }
    found
}

/// The kernels of the second text of which what was known in the first need not hold any more; nothing if that is all.
#[must_use]
pub fn changed(before: &str, after: &str) -> Option<Vec<String>> {
    let (old, new) = (kernels(before), kernels(after));
    if old.len() != new.len() || outside(before, &old) != outside(after, &new) {
        return None;
    }
    let mut names = BTreeSet::new();
    for (one, other) in old.iter().zip(&new) {
        let bodies = [&before[one.body.clone()], &after[other.body.clone()]];
        if bodies[0] == bodies[1] {
            continue;
        }
        if bodies.into_iter().any(reaches_out) {
            return None;
        }
        names.insert(other.name.clone());
    }
    Some(names.into_iter().collect())
}

/// The text between bodies.
fn outside<'a>(text: &'a str, parts: &[Part]) -> Vec<&'a str> {
    let starts = std::iter::once(0).chain(parts.iter().map(|part| part.body.end));
    let ends = parts.iter().map(|part| part.body.start);
    starts
        .zip(ends.chain(std::iter::once(text.len())))
        .map(|(start, end)| &text[start..end])
        .collect()
}

/// Whether a body may mean something outside of itself.
fn reaches_out(body: &str) -> bool {
    let says = |words: &[&str]| words.iter().any(|word| body.contains(word));
    says(&[
        "<<<",
        "__device__",
        "__managed__",
        "extern",
        "warplog",
        "WARPLOG",
        "__global__",
    ]) || body.lines().any(|line| line.trim_start().starts_with('#'))
}

fn is_name(word: &str) -> bool {
    word.starts_with(|first: char| first == '_' || first.is_alphabetic())
}

/// Whether these bytes are a word of the text: not of a comment, a literal or a directive.
pub(crate) fn is_word(text: &str, bytes: &Range<usize>) -> bool {
    tokens(text).contains(bytes)
}

/// The token that closes a bracket.
fn closing(tokens: &[Range<usize>], text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (nth, span) in tokens.iter().enumerate().skip(open) {
        match &text[span.clone()] {
            "(" | "{" | "[" => depth += 1,
            ")" | "}" | "]" => {
                depth -= 1;
                if depth == 0 {
                    return Some(nth);
                }
            }
            _ => {}
        }
    }
    None
}

/// The words and signs of a text; comments, literals and directives are none.
fn tokens(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    let mut begins_line = true;
    while let Some(&byte) = bytes.get(at) {
        let start = at;
        match byte {
            b'\n' => {
                begins_line = true;
                at += 1;
                continue;
            }
            _ if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at = end_of_line(bytes, at);
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at = text[at + 2..]
                    .find("*/")
                    .map_or(bytes.len(), |end| at + end + 4);
                continue;
            }
            b'#' if begins_line => {
                at = end_of_line(bytes, at);
                continue;
            }
            b'"' | b'\'' => at = end_of_literal(bytes, at),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80.. => {
                let in_word =
                    |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_' || **byte >= 0x80;
                at += bytes[at..].iter().take_while(in_word).count();
                // A raw literal has its delimiter behind the quote; a separator of digits opens no literal.
                let is_raw = matches!(&text[start..at], "R" | "LR" | "uR" | "UR" | "u8R");
                if is_raw && bytes.get(at) == Some(&b'"') {
                    at = end_of_raw(text, at);
                } else if byte.is_ascii_digit() && bytes.get(at) == Some(&b'\'') {
                    at += 1;
                }
            }
            _ => at += 1,
        }
        begins_line = false;
        found.push(start..at);
    }
    found
}

/// Behind the line, and those that it goes on in.
fn end_of_line(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'\n' && !continues(&bytes[from..at]) {
            return at;
        }
        at += 1;
    }
    at
}

fn continues(line: &[u8]) -> bool {
    line.strip_suffix(b"\r").unwrap_or(line).ends_with(b"\\")
}

/// Behind a literal, or the line that does not close it.
fn end_of_literal(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' => at += 1,
            b'\n' => return at,
            _ if byte == bytes[from] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// Behind a raw literal whose quote is here.
fn end_of_raw(text: &str, quote: usize) -> usize {
    let rest = &text[quote + 1..];
    let Some(open) = rest.find('(') else {
        return text.len();
    };
    let close = format!("){}\"", &rest[..open]);
    rest.find(&close)
        .map_or(text.len(), |end| quote + 1 + end + close.len())
}

/// Where the unchanged pieces of a text are in another.
#[derive(Clone, Debug)]
pub struct Moved<'a> {
    before: Text<'a>,
    after: Text<'a>,
    /// The file whose text it is, as reports name it.
    file: String,
    /// Bytes of the first text, and what is added to them in the second.
    pieces: Vec<(Range<usize>, usize)>,
}

impl<'a> Moved<'a> {
    /// From one text to another of which [`changed`] says something.
    #[must_use]
    pub fn new(before: &'a str, after: &'a str, file: &str) -> Self {
        let (old, new) = (kernels(before), kernels(after));
        let mut pieces = Vec::new();
        let (mut from, mut to) = (0, 0);
        for (one, other) in old.iter().zip(&new) {
            pieces.push((from..one.body.start, to));
            pieces.push((one.body.clone(), other.body.start));
            (from, to) = (one.body.end, other.body.end);
        }
        pieces.push((from..before.len() + 1, to));
        Moved {
            before: Text::new(before),
            after: Text::new(after),
            file: file.to_owned(),
            pieces,
        }
    }

    fn byte(&self, byte: usize) -> usize {
        let piece = self.pieces.iter().find(|(from, _)| from.contains(&byte));
        piece.map_or(byte, |(from, to)| to + (byte - from.start))
    }

    fn line(&self, line: u32) -> u32 {
        // The first word of a line moves with the piece that it is in.
        let start = self.before.byte_of(line, 1);
        let own = self.before.line(line.saturating_sub(1));
        let word = start + (own.len() - own.trim_start().len());
        self.after.line_column(self.byte(word)).0
    }

    fn place(&self, place: &mut Place) {
        if place.file != self.file {
            return;
        }
        let moved = |line: u32, column: u32| {
            let byte = self.before.byte_of(line, column);
            self.after.line_column(self.byte(byte))
        };
        (place.line, place.column) = moved(place.line, place.column);
        (place.end_line, place.end_column) = moved(place.end_line, place.end_column);
    }

    /// Words that name lines of the file.
    fn words(&self, text: &mut String) {
        let mut out = String::with_capacity(text.len());
        let mut rest = text.as_str();
        while let Some(at) = rest.find("line ") {
            let (before, behind) = rest.split_at(at + "line ".len());
            let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
            out.push_str(before);
            match behind[..digits].parse::<u32>() {
                Ok(line) => out.push_str(&self.line(line).to_string()),
                Err(_) => out.push_str(&behind[..digits]),
            }
            rest = &behind[digits..];
        }
        out.push_str(rest);
        *text = out;
    }

    fn note(&self, note: &mut Note) {
        if let Some(place) = &mut note.place {
            self.place(place);
        }
        self.words(&mut note.text);
    }

    /// What was found of a kernel, at the places where its text is now.
    #[must_use]
    pub fn kernel(&self, kernel: &Kernel) -> Kernel {
        let mut kernel = kernel.clone();
        if kernel.file == self.file {
            kernel.line = self.line(kernel.line);
        }
        for launch in &mut kernel.launches {
            if let Some(place) = &mut launch.place {
                self.place(place);
            }
            match &mut launch.outcome {
                warplog_report::Outcome::Complete => {}
                warplog_report::Outcome::Undecided(notes)
                | warplog_report::Outcome::Contradictory(notes) => {
                    notes.iter_mut().for_each(|note| self.note(note));
                }
            }
        }
        kernel.notes.iter_mut().for_each(|note| self.note(note));
        kernel.findings.iter_mut().for_each(|one| self.finding(one));
        // Mends and the kernel as a whole come with the next step.
        kernel.anatomies.clear();
        kernel
    }

    fn finding(&self, finding: &mut Finding) {
        for location in &mut finding.locations {
            self.place(&mut location.place);
            location.calls.iter_mut().for_each(|call| self.place(call));
        }
        if let Some(interval) = finding.interval_mut() {
            for boundary in interval.from.iter_mut().chain(&mut interval.to) {
                if let Boundary::Barrier { place, .. } = boundary {
                    self.place(place);
                }
            }
        }
        if let Some(witness) = &mut finding.witness {
            let iterations = std::mem::take(&mut witness.iterations);
            for (mut name, values) in iterations {
                self.words(&mut name);
                witness.iterations.insert(name, values);
            }
            for state in &mut witness.loops {
                state.line = self.line(state.line);
            }
        }
        let texts = finding
            .reasons
            .iter_mut()
            .chain(&mut finding.notes)
            .chain(&mut finding.assumptions)
            .chain(&mut finding.hint);
        texts.for_each(|text| self.words(text));
        finding.mend = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
// __global__ void no(int x) { }
#define K __global__ \\
  void macro_kernel() {
__device__ int f(int x) { return x; }
template <int N> __global__ void __launch_bounds__(N, 2)
first(int *p, const char *s = \"{\") {
  if (p[0] == '{') p[0] = f(1'000); // }
}
__global__ void declared(int *p);
static __global__ void second(int *p) { p[1] = R\"x(})x\"[0]; }
void host() { first<4><<<1, 1>>>(0); }
";

    #[test]
    fn kernels_are_found_with_their_bodies() {
        let found = kernels(TEXT);
        let names: Vec<&str> = found.iter().map(|part| part.name.as_str()).collect();
        assert_eq!(names, ["first", "second"]);
        let body = |nth: usize| &TEXT[found[nth].body.clone()];
        assert!(body(0).ends_with("// }\n}"), "{}", body(0));
        assert_eq!(body(1), "{ p[1] = R\"x(})x\"[0]; }");
        assert_eq!(kernels("__global__ void k(int *p) { if (1) {"), []);
        assert_eq!(kernels("__global__"), []);
    }

    #[test]
    fn what_changed_is_told_by_kernel() {
        let with = |from: &str, to: &str| {
            assert!(TEXT.contains(from), "{from}");
            changed(TEXT, &TEXT.replacen(from, to, 1))
        };
        assert_eq!(
            with("p[0] == '{'", "p[0] == 3"),
            Some(vec!["first".to_owned()])
        );
        assert_eq!(
            with("p[1] = R", "p[2] =\n\n R"),
            Some(vec!["second".to_owned()])
        );
        assert_eq!(changed(TEXT, TEXT), Some(Vec::new()));
        // Outside of bodies, or reaching out of them.
        for (from, to) in [
            ("return x", "return 2"),
            ("first(int *p", "first(int *q"),
            ("first<4>", "first<8>"),
            ("void no", "void yes"),
            ("p[1] = R", "\n#define X 1\n p[1] = R"),
            ("p[1] = R", "// warplog: allow data-race because\n p[1] = R"),
            ("p[1] = R", "host<<<1, 1>>>(); p[1] = R"),
            ("p[1] = R", "} void more() { p[1] = R"),
        ] {
            assert_eq!(with(from, to), None, "{from} -> {to}");
        }
    }

    #[test]
    fn places_move_with_their_text() {
        let after = TEXT.replacen("  if (p[0]", "  int y;\n  if (p[0]", 1);
        let moved = Moved::new(TEXT, &after, "k.cu");
        assert_eq!(moved.line(4), 4);
        // The second kernel, and the call in host code.
        assert_eq!((moved.line(10), moved.line(11)), (11, 12));
        let mut place = Place {
            file: "k.cu".to_owned(),
            line: 10,
            column: 41,
            end_line: 10,
            end_column: 45,
        };
        moved.place(&mut place);
        assert_eq!((place.line, place.column, place.end_column), (11, 41, 45));
        let mut words = "between line 10 and line 11, a line of 3".to_owned();
        moved.words(&mut words);
        assert_eq!(words, "between line 11 and line 12, a line of 3");
    }
}
