//! Whole-program suites of warplog: what they share.
//!
//! [`labels`] reads what the kernels of the data set say of themselves, [`reading`] tells what must hold of any text at all,
//! [`random`] makes kernels and runs them by brute force, [`sanitizer`] runs those of the data set, [`gpu`] writes
//! programs that do so on a GPU, [`shapes`] makes programs in the shapes of C++, [`soup`] makes texts,
//! [`values`] asks a C++ compiler what C++ means,
//! [`client`] talks to its servers, [`command`] runs the program, [`expansion`] asks another preprocessor, [`trees`] another parser; the suites are in `tests/`.

pub mod client;
pub mod command;
pub mod counting;
pub mod ensures;
pub mod equal;
pub mod expansion;
pub mod gpu;
pub mod gpu_costs;
pub mod handed;
pub mod labels;
pub mod random;
pub mod reading;
mod runs;
pub mod sanitizer;
pub mod scans;
pub mod shapes;
pub mod soup;
pub mod trees;
pub mod values;

use std::path::{Path, PathBuf};
use std::{fs, io};

use warplog_extractor::preprocess::{Config, preprocess};
use warplog_extractor::syntax::{self, ast::Unit};

/// The root of the project.
#[must_use]
pub fn project() -> PathBuf {
    let tests = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    tests.parent().map_or_else(|| tests.clone(), PathBuf::from)
}

/// The folder of the labelled kernels.
#[must_use]
pub fn datasets() -> PathBuf {
    project().join("datasets")
}

/// The `.cu` and `.cuh` files at and below a path, in order.
#[must_use]
pub fn sources(path: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    if let Ok(entries) = fs::read_dir(path) {
        for entry in entries.flatten() {
            found.extend(sources(&entry.path()));
        }
    } else if path
        .extension()
        .is_some_and(|ending| ending == "cu" || ending == "cuh")
    {
        found.push(path.to_owned());
    }
    found.sort();
    found
}

/// The expanded text of a file, and its tree.
///
/// # Errors
/// When the file cannot be read, or is no text.
pub fn expanded(file: &Path) -> io::Result<(String, Unit)> {
    let read = preprocess(file, &fs::read(file)?, &Config::default()).map_err(io::Error::other)?;
    let unit = syntax::parse(&read.text);
    Ok((read.text, unit))
}
