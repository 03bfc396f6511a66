//! Tests of the preprocessor.

use std::path::Path;

use super::*;

mod conditions;
mod files;
mod hostile;
mod locations;
mod macros;
mod shims;

/// Preprocesses `text` as `main.cu` with the given headers.
fn run_with(text: &[u8], headers: &[(&str, &str)], config: &Config) -> Preprocessed {
    let mut files = MemoryFiles::default();
    for (path, text) in headers {
        files.add(path, *text);
    }
    preprocess_with(Path::new("main.cu"), text, config, &files).expect("the text is no binary")
}

fn run(text: &str) -> Preprocessed {
    run_with(text.as_bytes(), &[], &Config::default())
}

/// The expanded text with all white space made single spaces.
fn flat(text: &str) -> String {
    run(text)
        .text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

fn kinds(preprocessed: &Preprocessed) -> Vec<NoteKind> {
    preprocessed.notes.iter().map(|note| note.kind).collect()
}
