//! What must hold of the reading of any bytes at all: preprocessing, syntax and lowering end, give facts that are consistent,
//! and place nothing outside of the files.
//!
//! The fuzz target (`fuzz/`) asks this of what it makes up, a test of what it once found.

use std::path::Path;

use warplog_extractor::preprocess::{Config, Limits, MemoryFiles, Preprocessed, preprocess_with};
use warplog_extractor::syntax::{self, ast::Unit};
use warplog_extractor::{Options, lower};
use warplog_facts::{Facts, check};

/// The name of the text, by which it may include itself.
const MAIN: &str = "main.cu";

/// A header that it may include.
const HEADER: (&str, &str) = (
    "h.cuh",
    "#ifndef TILE\n#define TILE 16\n#endif\n#define AT(a, i) a[(i)]\ntemplate <typename T> __device__ T twice(T x) { return x + x; }\n",
);

/// Reads the bytes as a CUDA file. Gives the facts, or `None` for bytes that are no text.
///
/// # Errors
/// What does not hold of the result.
pub fn read(bytes: &[u8]) -> Result<Option<Facts>, String> {
    let mut files = MemoryFiles::default();
    files.add(MAIN, bytes);
    files.add(HEADER.0, HEADER.1);
    // Room for any short text, and little enough for each to be read within a second or so.
    let config = Config {
        limits: Limits {
            input_bytes: 1 << 20,
            inclusions: 100,
            include_depth: 20,
            work: 200_000,
            output_tokens: 40_000,
            macro_tokens: 20_000,
            output_bytes: 1 << 20,
            ..Limits::default()
        },
        ..Config::default()
    };
    let Ok(pre) = preprocess_with(Path::new(MAIN), bytes, &config, &files) else {
        return Ok(None);
    };
    places(&pre)?;
    let unit = syntax::parse(&pre.text);
    ranges(&pre.text, &unit)?;
    // Also as if it were expanded text: the reader of syntax does not rely on the preprocessor.
    let raw = String::from_utf8_lossy(bytes);
    ranges(&raw, &syntax::parse(&raw))?;
    let options = Options {
        preprocess: config,
        launch: &|_| None,
        files: &warplog_extractor::preprocess::RealFiles,
        warp_sync: None,
        no_annotations: false,
        assume: &[],
        assume_in: &[],
        modular: false,
        rules: &warplog_report::findings::names(),
        begun: &|_| (),
        strict_aliasing: false,
        open_arguments: false,
        check_assertions: false,
        part: None,
        wants: &|_| true,
        is_context: &|_| false,
        program: None,
    };
    let facts = lower(&pre, MAIN, &unit, &options);
    check::check(&facts).map_err(|problem| format!("the facts are inconsistent: {problem:?}"))?;
    spans(&pre, &facts)?;
    Ok(Some(facts))
}

/// Every token of the expanded text comes from inside a file; so does every note.
fn places(pre: &Preprocessed) -> Result<(), String> {
    let inside = |file: u32, start: u32, end: u32| {
        let text = usize::try_from(file)
            .ok()
            .and_then(|file| pre.files.get(file))
            .map(|file| &*file.text);
        match text.and_then(|text| text.get(start as usize..end as usize)) {
            Some(_) => Ok(()),
            None => Err(format!("{start}..{end} is no part of file {file}")),
        }
    };
    for start in 0..pre.text.len() {
        let place = pre.map.locate(start, start + 1);
        inside(place.file, place.start, place.end)?;
        for place in place.definition.into_iter().chain(place.spelling) {
            inside(place.file, place.start, place.end)?;
        }
    }
    for note in &pre.notes {
        inside(note.file, note.offset, note.offset)?;
    }
    Ok(())
}

/// Every range of every node lies in the text, on character boundaries. The nodes are found by their debug form, so that
/// no kind of node is forgotten.
///
/// # Errors
/// A range outside, or a reader that broke down.
pub fn ranges(text: &str, unit: &Unit) -> Result<(), String> {
    let shown = format!("{unit:?}");
    for part in shown.split("Range { start: ").skip(1) {
        let range = part.split_once(" }").and_then(|(range, _)| {
            let (start, end) = range.split_once(", end: ")?;
            Some(start.parse::<usize>().ok()?..end.parse::<usize>().ok()?)
        });
        if range.clone().and_then(|range| text.get(range)).is_none() {
            return Err(format!("{range:?} is no part of the text"));
        }
    }
    let broken = |what: &str| what.contains("broke down");
    match unit.unparsed.iter().find(|problem| broken(&problem.what)) {
        Some(problem) => Err(problem.what.clone()),
        None => Ok(()),
    }
}

/// Every span of the facts lies in its file, with the lines and columns of its bytes.
fn spans(pre: &Preprocessed, facts: &Facts) -> Result<(), String> {
    for span in &facts.span {
        let path = facts
            .file
            .iter()
            .find(|row| row.file == span.file)
            .map(|row| row.path.as_str());
        let file = pre
            .files
            .iter()
            .find(|file| path.is_some_and(|path| file.path == Path::new(path)))
            .ok_or_else(|| format!("{span:?}: no file {path:?}"))?;
        let good = file
            .text
            .get(span.start as usize..span.end as usize)
            .is_some()
            && file.line_column(span.start) == (span.line, span.column)
            && file.line_column(span.end) == (span.end_line, span.end_column);
        if !good {
            return Err(format!("{span:?} is no part of {path:?}"));
        }
    }
    Ok(())
}
