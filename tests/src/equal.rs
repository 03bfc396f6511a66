//! The pairs of `datasets/equal/`: `//= equal A B C` says of every two of these kernels that they leave equal contents, `//=
//! reassociated A B` that they do up to rounding, and `//= different A B C` that A differs from each of the others. `A,B` is a
//! sequence of launches.

use std::fs;
use std::path::PathBuf;

use warplog::engine::Analysis;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::{Depth, Pipeline};
use warplog::unit::{Unit, UnitOptions};
use warplog_equivalence::answer::{Answer, Verdict};
use warplog_equivalence::sides::Side;
use warplog_equivalence::{Options, equal};
use warplog_facts::Facts;

use crate::datasets;

/// What is said of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// Equal, operation by operation.
    Equal,
    /// Equal up to rounding.
    Reassociated,
    /// Not equal.
    Different,
}

/// A pair of sides in one file.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The file.
    pub file: String,
    /// The kernels of each side.
    pub sides: [String; 2],
    /// What is said of them.
    pub expected: Expected,
}

/// A file of pairs with its facts.
pub struct PairFile {
    /// Its name.
    pub name: String,
    /// Its facts.
    pub facts: Facts,
    /// Its pairs.
    pub pairs: Vec<Pair>,
}

/// The files of pairs.
///
/// # Panics
/// One cannot be read.
#[must_use]
pub fn files() -> Vec<PairFile> {
    let folder = datasets().join("equal");
    let entries = fs::read_dir(&folder).expect("the folder of pairs");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    paths
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a file of pairs");
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            let pairs = pairs(&name, &text);
            PairFile {
                facts: facts(&name, &text),
                name,
                pairs,
            }
        })
        .collect()
}

fn pairs(file: &str, text: &str) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("//= ")) {
        let mut words = line.split_whitespace();
        let expected = match words.next() {
            Some("equal") => Expected::Equal,
            Some("reassociated") => Expected::Reassociated,
            Some("different") => Expected::Different,
            other => panic!("{file}: no such word: {other:?}"),
        };
        let sides: Vec<String> = words.map(str::to_owned).collect();
        for (at, left) in sides.iter().enumerate() {
            if expected == Expected::Different && at > 0 {
                break;
            }
            for right in &sides[at + 1..] {
                pairs.push(Pair {
                    file: file.to_owned(),
                    sides: [left.clone(), right.clone()],
                    expected,
                });
            }
        }
    }
    pairs
}

/// The facts of a source.
///
/// # Panics
/// Its header cannot be read.
#[must_use]
pub fn facts(name: &str, text: &str) -> Facts {
    let options = AnalysisOptions {
        open_arguments: true,
        ..AnalysisOptions::default()
    };
    let header = parse_header(text).expect("a header");
    let path = datasets().join("equal").join(name);
    let unit_options = UnitOptions::new(&options, &header, &path);
    let unit = Unit {
        path: &path,
        shown: name,
        bytes: text.as_bytes(),
        options: &unit_options,
    };
    Analysis.extract(&unit, &options, Depth::Facts).0.facts
}

/// Compares two sequences of kernels of one source.
///
/// # Errors
/// They cannot be compared.
///
/// # Panics
/// There is no such kernel.
pub fn compare(facts: &Facts, sides: &[String; 2], reassociates: bool) -> Result<Answer, String> {
    let sides = [0, 1].map(|at| Side {
        launches: sides[at]
            .split(',')
            .map(|name| {
                let mut kernels = facts.kernel.iter();
                let kernel = kernels.find(|row| row.name == name);
                let kernel = kernel.unwrap_or_else(|| panic!("no kernel {name}")).kernel;
                let mut launches = facts.launch.iter();
                let launch = launches.find(|row| row.kernel == kernel).expect("a launch");
                (facts, launch.launch)
            })
            .collect(),
    });
    let options = Options {
        reassociates,
        ..Options::default()
    };
    equal(&sides, &options)
}

/// Whether an answer contradicts what is said, and whether it decides.
#[must_use]
pub fn judge(expected: Expected, verdict: &Verdict) -> (bool, bool) {
    match (expected, verdict) {
        (_, Verdict::Unknown(_)) => (false, false),
        (Expected::Different, Verdict::Equal(_)) => (true, true),
        (Expected::Equal | Expected::Reassociated, Verdict::Different(_)) => (true, true),
        _ => (false, true),
    }
}
