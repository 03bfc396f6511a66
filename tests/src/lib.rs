//! Whole-program suites of warplog: what they share.
//!
//! [`labels`] reads what the kernels of the data set say of themselves, [`reading`] tells what must hold of any text at all,
//! [`soup`] makes such texts, [`expansion`] asks another preprocessor; the suites are in `tests/`.

pub mod expansion;
pub mod labels;
pub mod reading;
pub mod soup;

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
