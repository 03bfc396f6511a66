//! HTML: one page that needs nothing else, for people who look at many kernels or at one for long.
//!
//! The page is a fixed text (`assets/`) with the report as JSON inside of it, from which its script makes what is looked at and no more:
//! a scan of thousands of kernels opens at once. **Invariant**: nothing of the report is markup. The JSON has no `<`, the script puts
//! texts in text nodes only, and the content policy of the page runs this one script, known by its hash, and loads nothing.
//! Control characters and those that reorder text are replaced by visible ones, in source lines too.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use sha2::{Digest, Sha256};

use crate::finding::Report;
use crate::printable::{is_printable_ascii, safe, visible};

mod model;
#[cfg(test)]
mod tests;

/// The page, with places for style, script, hash of the script, and report.
const PAGE: &str = include_str!("../assets/page.html");
/// The style of the page.
const STYLE: &str = include_str!("../assets/page.css");
/// The script of the page, in parts that share a scope.
const SCRIPT: [&str; 4] = [
    include_str!("../assets/dom.js"),
    include_str!("../assets/source.js"),
    include_str!("../assets/graph.js"),
    include_str!("../assets/page.js"),
];

/// How a page came to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// The command line.
    pub command: String,
    /// When, in words.
    pub date: String,
}

/// Renders a report.
///
/// # Errors
/// Only if serialisation itself fails, which needs memory to run out.
pub fn render(report: &Report, made: Option<&Made>) -> Result<String, serde_json::Error> {
    let data = serde_json::to_string(&model::Page::of(report, made))?.replace('<', "\\u003c");
    let script = format!("\n(() => {{\n\"use strict\";\n{}}})();\n", SCRIPT.concat());
    let hash = base64(&Sha256::digest(script.as_bytes()));
    let parts = [
        ("{{style}}", STYLE),
        ("{{hash}}", &hash),
        ("{{data}}", &data),
        ("{{script}}", &script),
    ];
    let mut out = String::with_capacity(data.len() + script.len() + STYLE.len() + PAGE.len());
    let mut rest = PAGE;
    // Each place once, in the order of the page: what is put in is not looked at again.
    while let Some((at, (place, text))) = parts
        .iter()
        .filter_map(|part| Some((rest.find(part.0)?, part)))
        .min_by_key(|(at, _)| *at)
    {
        out.push_str(&rest[..at]);
        out.push_str(text);
        rest = &rest[at + place.len()..];
    }
    out.push_str(rest);
    Ok(out)
}

/// A line of source with nothing in it that controls or reorders; tabs stay.
fn plain(line: &str) -> String {
    if is_printable_ascii(line) {
        return line.to_owned();
    }
    line.chars()
        .map(|character| match character {
            '\t' => '\t',
            other => visible(other),
        })
        .collect()
}

/// Runs of lines that follow each other: the first number and the texts.
type Runs = Vec<(u32, Vec<String>)>;

/// The files that a report names, and the lines of each that the page may show. A file is its index in what follows.
struct Files<'a> {
    lines: BTreeMap<&'a str, BTreeMap<u32, &'a str>>,
    index: HashMap<&'a str, usize>,
}

impl<'a> Files<'a> {
    fn of(report: &'a Report) -> Self {
        let mut lines: BTreeMap<&str, BTreeMap<u32, &str>> = BTreeMap::new();
        for ((file, line), text) in &report.sources {
            lines.entry(file).or_default().insert(*line, text);
        }
        for kernel in &report.kernels {
            lines.entry(&kernel.file).or_default();
            // Nearly all that is said of a kernel is in its own file.
            let mut name = |file: &'a String| {
                if *file != kernel.file {
                    lines.entry(file).or_default();
                }
            };
            let findings = kernel.findings.iter();
            for location in findings.flat_map(|finding| &finding.locations) {
                name(&location.place.file);
            }
            for cost in kernel.costs.iter().flat_map(|costs| &costs.found) {
                name(&cost.place.file);
            }
            for anatomy in &kernel.anatomies {
                for bound in &anatomy.bounds {
                    name(&bound.at.0);
                }
                let spans = anatomy.intervals.iter();
                for stretch in spans.flat_map(|span| &span.stretches) {
                    name(&stretch.file);
                }
            }
            for anatomy in &kernel.anatomies {
                for piece in &anatomy.pieces {
                    let of_file = lines.entry(&piece.file).or_default();
                    for (line, text) in (piece.first..).zip(&piece.lines) {
                        if let Some(text) = text {
                            of_file.insert(line, text);
                        }
                    }
                }
            }
        }
        let index = (0..)
            .zip(lines.keys())
            .map(|(at, file)| (*file, at))
            .collect();
        Files { lines, index }
    }

    /// The index of a file.
    fn at(&self, file: &str) -> usize {
        self.index.get(file).copied().unwrap_or(self.index.len())
    }

    /// The names, with runs of lines.
    fn sources(&self) -> Vec<(String, Runs)> {
        let of_file = |(file, lines): (&&str, &BTreeMap<u32, &str>)| {
            let mut runs: Runs = Vec::new();
            let mut next = None;
            for (&line, text) in lines {
                match runs.last_mut() {
                    Some((_, texts)) if next == Some(line) => texts.push(plain(text)),
                    _ => runs.push((line, vec![plain(text)])),
                }
                next = line.checked_add(1);
            }
            (safe(file), runs)
        };
        self.lines.iter().map(of_file).collect()
    }
}

/// Runs of numbers that leave out at most `gap` between two: first and last of each.
fn runs(numbers: &BTreeSet<u32>, gap: u32) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if number - *last <= gap => *last = number,
            _ => runs.push((number, number)),
        }
    }
    runs
}

/// Base64 with padding, as content policies write hashes.
fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    for chunk in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, nth| {
            bits << 8 | u32::from(chunk.get(nth).copied().unwrap_or(0))
        });
        for nth in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * nth) & 63) as usize];
            out.push(if nth <= chunk.len() {
                char::from(digit)
            } else {
                '='
            });
        }
    }
    out
}
