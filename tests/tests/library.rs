//! Every row of the tables of library functions is shown to be right: what it gives is compared with a C++ compiler, or kernels of
//! the data set that call it, a racy and a race-free one, are told for what they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;

use warplog_extractor::library_rows;
use warplog_tests::labels::{Truth, read_folder};
use warplog_tests::values::library::{Asked, library_snippets};
use warplog_tests::values::{Compiler, Snippet, compare};
use warplog_tests::{datasets, project};

fn asked() -> Vec<Asked> {
    let path = project().join("tests/library/values.txt");
    library_snippets(&fs::read_to_string(path).expect("the signatures"))
}

/// A name without its namespace and template arguments.
fn simple(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

#[test]
fn what_functions_give_is_what_a_compiler_computes() {
    let compiler = match Compiler::find() {
        Ok(compiler) => compiler,
        Err(reason) => {
            let _ = writeln!(std::io::stderr(), "skipped: no C++ compiler here: {reason}");
            return;
        }
    };
    let header = project().join("tests/library/reference.h");
    let compiler = compiler.with_header(&fs::read_to_string(header).expect("the reference"));
    let mut asked = asked();
    // Each place is one snippet's.
    for (number, one) in asked.iter_mut().enumerate() {
        one.snippet.line = number;
    }
    let snippets: Vec<Snippet> = asked.iter().map(|one| one.snippet.clone()).collect();
    let tally = compare(&compiler, &snippets).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(tally.undefined, 0, "{tally}");
    let faults: Vec<String> = tally.faults.iter().map(ToString::to_string).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    let exact: BTreeMap<String, &Asked> = asked
        .iter()
        .filter(|one| one.exact)
        .map(|one| (one.snippet.place(), one))
        .collect();
    let untold: Vec<String> = tally
        .undecided
        .iter()
        .filter_map(|told| {
            let one = exact.get(told.split(' ').next()?)?;
            Some(format!("{told}: {}\n{}", one.names.join(" "), one.snippet))
        })
        .collect();
    assert!(
        untold.is_empty(),
        "{} are not told:\n{}",
        untold.len(),
        untold.join("\n")
    );
    assert!(exact.len() >= 500, "{}", exact.len());
}

/// The words of the kernels of the data set that are told for what they are, with those of the functions that they call: of
/// race-free ones, of those with a defect, and of those of which nothing can be said.
fn words_of_kernels() -> [BTreeSet<String>; 3] {
    let mut words = [const { BTreeSet::new() }; 3];
    for file in read_folder(&datasets()).expect("the data set") {
        let lines: Vec<&str> = file.text.lines().collect();
        let is_of_kernel = |at: usize| {
            let at = u32::try_from(at + 1).unwrap_or(u32::MAX);
            let mut kernels = file.labels.kernels.iter();
            kernels.any(|kernel| (kernel.line..=kernel.end).contains(&at))
        };
        // Functions by name, and what stands outside of all of them.
        let mut functions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let mut outside = BTreeSet::new();
        let mut inside: Option<String> = None;
        for (at, line) in lines.iter().enumerate() {
            if is_of_kernel(at) || line.starts_with("//") {
                continue;
            }
            if inside.is_none() && line.contains("__device__") && line.contains('(') {
                let head = line.split('(').next().unwrap_or_default();
                inside = words_of(head).last().map(str::to_owned);
            }
            match &inside {
                Some(name) => {
                    let own = functions.entry(name.clone()).or_default();
                    own.extend(words_of(line).map(str::to_owned));
                }
                None => outside.extend(words_of(line).map(str::to_owned)),
            }
            if line.starts_with('}') || line.ends_with('}') && line.contains("__device__") {
                inside = None;
            }
        }
        for kernel in &file.labels.kernels {
            let of = match kernel.truth {
                _ if kernel.wrong => continue,
                Truth::RaceFree => 0,
                Truth::Race | Truth::Divergence | Truth::Assertion => 1,
                Truth::Unknown => 2,
                Truth::Error => continue,
            };
            let range = kernel.line.saturating_sub(1) as usize..kernel.end as usize;
            let mut open: Vec<String> = Vec::new();
            for line in lines.get(range).unwrap_or_default() {
                open.extend(words_of(line).map(str::to_owned));
            }
            words[of].extend(outside.iter().cloned());
            let mut called = BTreeSet::new();
            while let Some(word) = open.pop() {
                if let Some(own) = functions.get(&word)
                    && called.insert(word.clone())
                {
                    open.extend(own.iter().cloned());
                }
                words[of].insert(word);
            }
        }
    }
    words
}

fn words_of(line: &str) -> impl Iterator<Item = &str> {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
    words.filter(|word| !word.is_empty())
}

#[test]
fn every_row_is_shown_by_a_compiler_or_by_kernels() {
    let compared: BTreeSet<String> = asked()
        .iter()
        .flat_map(|one| &one.names)
        .map(|name| simple(name).to_owned())
        .collect();
    let [free, defect, open] = words_of_kernels();
    let rows = library_rows();
    assert!(rows.len() >= 270, "{}", rows.len());
    let mut unshown = Vec::new();
    for row in &rows {
        let by_compiler = row.names.iter().all(|name| compared.contains(name));
        let any = |words: &BTreeSet<String>| row.names.iter().any(|name| words.contains(name));
        let by_kernels = any(&free) && any(&defect);
        // What leaves a kernel undecided, and rightly so.
        if by_compiler || by_kernels || any(&open) {
            continue;
        }
        let lacks: Vec<&String> = row
            .names
            .iter()
            .filter(|name| !compared.contains(*name))
            .collect();
        let kernels = match (any(&free), any(&defect)) {
            (true, false) => "a race-free kernel",
            (false, true) => "a kernel with a defect",
            _ => "no kernel",
        };
        unshown.push(format!("{}: {lacks:?}: {kernels}", row.subject));
    }
    assert!(
        unshown.is_empty(),
        "{} of {} rows are shown neither in tests/library/values.txt nor by a racy and a race-free kernel of datasets/:\n{}",
        unshown.len(),
        rows.len(),
        unshown.join("\n")
    );
}
