//! Whole-program suites of warplog: what they share.
//!
//! [`labels`] reads what the kernels of the data set say of themselves; the suites are in `tests/`.

pub mod labels;

use std::path::PathBuf;

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
