//! Notebooks: cells of CUDA behind `%%cu`, `%%cuda` or `%%writefile x.cu`, and strings in cells of Python.
//!
//! A notebook is JSON; a cell is a list of strings, or one. Its characters are found with the bytes of the file that they are
//! written as, so that places are those of the file, which a diff shows, and each part is told with its cell. The cells of Python are
//! one module, as they are for the kernel that runs them in order.

use std::ops::Range;

use serde_json::Value;

use super::{HostLaunch, OpenOptions, Part, Run, part, python};

/// A cell: its kind, and its characters with the bytes of the file that they are written as.
struct Cell {
    is_code: bool,
    runs: Vec<Run>,
}

pub(super) fn parts(text: &str) -> Vec<Part> {
    // The order of the strings in the text is that of the values: what `serde_json` says is a notebook is scanned once more.
    let Ok(notebook) = serde_json::from_str::<Value>(text) else {
        return Vec::new();
    };
    if !notebook.get("cells").is_some_and(Value::is_array) {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let mut module: Vec<Run> = Vec::new();
    // Where each cell ends.
    let mut ends: Vec<usize> = Vec::new();
    for cell in cells(text) {
        let before = ends.last().copied().unwrap_or_default();
        ends.push(cell.runs.last().map_or(before, |run| run.range.end));
        let source: String = cell.runs.iter().map(|run| run.text.as_str()).collect();
        if !cell.is_code {
            continue;
        }
        let first = source.lines().next().unwrap_or_default();
        match Magic::of(first) {
            Magic::Cuda => parts.extend(part(&behind(&cell.runs, first.len()), false)),
            Magic::Python => {
                for run in without_magics(&cell.runs) {
                    module.push(run);
                }
                let end = cell.runs.last().map_or(0, |run| run.range.end);
                module.push(Run::of("\n", end..end));
            }
            Magic::Other => {}
        }
    }
    let python: String = module.iter().map(|run| run.text.as_str()).collect();
    let read = python::texts(&python);
    let launches: Vec<HostLaunch> = read
        .launches
        .into_iter()
        .map(|launch| {
            let inner = slice(&module, launch.range.clone());
            let start = inner.first().map_or(0, |run| run.range.start);
            let end = inner.last().map_or(start, |run| run.range.end);
            HostLaunch {
                range: start..end,
                ..launch
            }
        })
        .collect();
    for unit in read.texts {
        let runs = unit.runs.iter().flat_map(|run| composed(&module, run));
        let runs: Vec<Run> = runs.collect();
        let open_options = unit.open_options.map(|open| {
            let place = slice(&module, open.start..open.start + 1);
            OpenOptions {
                start: place.first().map_or(0, |run| run.range.start),
                ..open
            }
        });
        parts.extend(super::part(&runs, unit.is_loose).map(|part| Part {
            launches: launches.clone(),
            open_options,
            ..part
        }));
    }
    for part in &mut parts {
        let start = part.pieces.first().map_or(0, |piece| piece.start as usize);
        part.cell = Some(1 + ends.partition_point(|end| *end <= start));
    }
    parts
}

/// What the first line of a cell makes of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Magic {
    Cuda,
    Python,
    Other,
}

impl Magic {
    fn of(first: &str) -> Magic {
        let Some(rest) = first.strip_prefix("%%") else {
            return Magic::Python;
        };
        let mut words = rest.split_whitespace();
        let cuda = [
            "cu",
            "cuda",
            "nvcc",
            "nvcc_plugin",
            "cuda_run",
            "cuda_group_save",
            "cuda_group_run",
        ];
        match words.next() {
            Some(name) if cuda.contains(&name) => Magic::Cuda,
            Some("writefile" | "file") => {
                let is_cuda = |name: &str| {
                    [".cu", ".cuh", ".hip"]
                        .iter()
                        .any(|end| name.ends_with(end))
                };
                match words.any(is_cuda) {
                    true => Magic::Cuda,
                    false => Magic::Other,
                }
            }
            Some("time" | "timeit" | "capture" | "prun") => Magic::Python,
            _ => Magic::Other,
        }
    }
}

/// The characters behind so many bytes of a text.
fn behind(runs: &[Run], length: usize) -> Vec<Run> {
    let total: usize = runs.iter().map(|run| run.text.len()).sum();
    slice(runs, length..total)
}

/// Some bytes of a text that runs make.
fn slice(runs: &[Run], range: Range<usize>) -> Vec<Run> {
    let mut found = Vec::new();
    let mut start = 0;
    for run in runs {
        let end = start + run.text.len();
        let (from, to) = (range.start.max(start), range.end.min(end));
        if from < to {
            let (low, high) = (from - start, to - start);
            let place = match run.text.len() == run.range.len() {
                true => run.range.start + low..run.range.start + high,
                false => run.range.clone(),
            };
            if let Some(text) = run.text.get(low..high) {
                found.push(Run::of(text, place));
            }
        }
        start = end;
    }
    found
}

/// A run whose bytes are those of a text that other runs make, with the bytes of the file.
fn composed(outer: &[Run], run: &Run) -> Vec<Run> {
    let inner = slice(outer, run.range.clone());
    let written: String = inner.iter().map(|run| run.text.as_str()).collect();
    if run.hole.is_none() && written == run.text {
        return inner;
    }
    let start = inner.first().map_or(0, |run| run.range.start);
    let end = inner.last().map_or(start, |run| run.range.end);
    vec![Run {
        text: run.text.clone(),
        range: start..end,
        hole: run.hole.clone(),
    }]
}

/// The characters of a cell of Python without lines that are for the notebook: `!nvcc …`, `%load_ext …`.
fn without_magics(runs: &[Run]) -> Vec<Run> {
    let source: String = runs.iter().map(|run| run.text.as_str()).collect();
    let mut found = Vec::new();
    let mut at = 0;
    let mut quoted: Option<&str> = None;
    for line in source.split_inclusive('\n') {
        let is_magic = quoted.is_none() && line.trim_start().starts_with(['!', '%']);
        if !is_magic {
            found.extend(slice(runs, at..at + line.len()));
            quoted = triple(line, quoted);
        }
        at += line.len();
    }
    found
}

/// The triple quotes that are open behind a line.
fn triple<'q>(line: &str, open: Option<&'q str>) -> Option<&'q str> {
    let mut open = open;
    let mut at = 0;
    while at < line.len() {
        let quotes = ["\"\"\"", "'''"];
        let found = quotes
            .into_iter()
            .find(|quotes| line.get(at..).is_some_and(|rest| rest.starts_with(quotes)));
        match (open, found) {
            (None, Some(quotes)) => {
                open = Some(quotes);
                at += 3;
            }
            (Some(own), Some(quotes)) if own == quotes => {
                open = None;
                at += 3;
            }
            _ => at += 1,
        }
    }
    open
}

/// The cells of a notebook that is valid JSON.
fn cells(text: &str) -> Vec<Cell> {
    let mut scanner = Scanner { text, at: 0 };
    let mut cells = Vec::new();
    scanner.object(|scanner, key| {
        if key != "cells" {
            return false;
        }
        scanner.array(|scanner| {
            let mut cell = Cell {
                is_code: false,
                runs: Vec::new(),
            };
            scanner.object(|scanner, key| match key {
                "cell_type" if scanner.peek() == Some(b'"') => {
                    let kind: String = scanner
                        .string()
                        .iter()
                        .map(|run| run.text.as_str())
                        .collect();
                    cell.is_code = kind == "code";
                    true
                }
                "source" if scanner.peek() == Some(b'"') => {
                    cell.runs = scanner.string();
                    true
                }
                "source" if scanner.peek() == Some(b'[') => {
                    scanner.array(|scanner| match scanner.peek() {
                        Some(b'"') => cell.runs.extend(scanner.string()),
                        _ => scanner.skip(),
                    });
                    true
                }
                _ => false,
            });
            cells.push(cell);
        });
        true
    });
    cells
}

/// Goes over JSON that is known to be valid.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    /// The next byte that is no white space.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn eat(&mut self, byte: u8) -> bool {
        let is_there = self.peek() == Some(byte);
        self.at += usize::from(is_there);
        is_there
    }

    /// Goes over an object; the function is told each key, and reads its value or says that it did not.
    fn object(&mut self, mut value: impl FnMut(&mut Self, &str) -> bool) {
        if !self.eat(b'{') {
            self.skip();
            return;
        }
        while self.peek() == Some(b'"') {
            let key: String = self.string().iter().map(|run| run.text.as_str()).collect();
            self.eat(b':');
            if !value(self, &key) {
                self.skip();
            }
            self.eat(b',');
        }
        self.eat(b'}');
    }

    fn array(&mut self, mut element: impl FnMut(&mut Self)) {
        if !self.eat(b'[') {
            self.skip();
            return;
        }
        while self.peek().is_some_and(|byte| byte != b']') {
            element(self);
            self.eat(b',');
        }
        self.eat(b']');
    }

    /// Goes over a value.
    fn skip(&mut self) {
        let mut depth = 0usize;
        while let Some(byte) = self.peek() {
            match byte {
                b'"' => {
                    self.string();
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    if depth == 0 {
                        return;
                    }
                    depth -= 1;
                    self.at += 1;
                }
                b',' if depth == 0 => return,
                _ => self.at += 1,
            }
            if depth == 0 && matches!(self.peek(), Some(b',' | b'}' | b']')) {
                return;
            }
        }
    }

    /// The characters of a string, escapes each as a run of its own.
    fn string(&mut self) -> Vec<Run> {
        let bytes = self.text.as_bytes();
        let mut runs = Vec::new();
        self.at += 1;
        let mut plain = self.at;
        let mut push = |from: usize, to: usize| {
            if from < to {
                runs.push(Run::of(&self.text[from..to], from..to));
            }
        };
        let mut escapes = Vec::new();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'"' => break,
                b'\\' => {
                    push(plain, self.at);
                    let length = escape_length(&self.text[self.at..]);
                    let range = self.at..self.at + length;
                    let written = format!("\"{}\"", &self.text[range.clone()]);
                    let value: String = serde_json::from_str(&written).unwrap_or_default();
                    escapes.push(Run::of(value, range));
                    self.at += length;
                    plain = self.at;
                }
                _ => self.at += 1,
            }
        }
        push(plain, self.at);
        self.at += 1;
        runs.extend(escapes);
        runs.sort_by_key(|run| run.range.start);
        runs
    }
}

/// The length of an escape, both halves of a pair of surrogates together.
fn escape_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let length = match bytes.get(1) {
        Some(b'u') if is_high(text) && text.get(6..8) == Some("\\u") => 12,
        Some(b'u') => 6,
        _ => 2,
    };
    length.min(text.len())
}

fn is_high(text: &str) -> bool {
    let code = text
        .get(2..6)
        .and_then(|digits| u32::from_str_radix(digits, 16).ok());
    code.is_some_and(|code| (0xd800..0xdc00).contains(&code))
}
