//! The seam between the command line and the analysis.
//!
//! Everything about files, threads, panics, order, rendering and exit status is done on this side of it, for any
//! [`Pipeline`]; the tests put their own behind it. [`Analysis`] is the real one.

use std::path::Path;

use warplog_report::{InputError, Report};

use crate::options::{AnalysisOptions, UnitOptions};

/// A file to analyse, with its options.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// Where it is; includes are looked up from its folder.
    pub path: &'a Path,
    /// Its name in reports and facts.
    pub shown: &'a str,
    /// Its contents, which may be anything.
    pub bytes: &'a [u8],
    /// Header and flags for this file.
    pub options: &'a UnitOptions,
}

/// The analysis, as the command line uses it. Its methods are called from several threads at once, in a thread pool of
/// `--jobs` threads with large stacks, which rayon inside of them uses too.
pub trait Pipeline: Sync {
    /// The facts of one or more files.
    type Facts: Send;

    /// Analyses a file: its kernels, with the source lines that their findings name. Neither order nor ids nor the
    /// number of files need be set.
    fn check(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> Report;

    /// Extracts the facts of a file; the report holds errors and notes only.
    fn extract(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> (Self::Facts, Report);

    /// Writes the facts of all files, given in the order of their paths, to a folder.
    ///
    /// # Errors
    /// What could not be written.
    fn export(&self, facts: Vec<Self::Facts>, folder: &Path) -> Result<(), InputError>;

    /// Analyses a folder of facts. A damaged folder is an error in the report. The number of files is to be set.
    fn solve(&self, folder: &Path, options: &AnalysisOptions) -> Report;
}

/// The analysis of warplog.
#[derive(Clone, Copy, Debug, Default)]
pub struct Analysis;

impl Pipeline for Analysis {
    type Facts = ();

    fn check(&self, unit: &Unit<'_>, _options: &AnalysisOptions) -> Report {
        not_linked(unit.shown)
    }

    fn extract(&self, unit: &Unit<'_>, _options: &AnalysisOptions) -> (Self::Facts, Report) {
        ((), not_linked(unit.shown))
    }

    fn export(&self, _facts: Vec<Self::Facts>, folder: &Path) -> Result<(), InputError> {
        Err(InputError {
            file: folder.to_string_lossy().into_owned(),
            line: None,
            message: "analysis not linked".to_owned(),
        })
    }

    fn solve(&self, folder: &Path, _options: &AnalysisOptions) -> Report {
        not_linked(&folder.to_string_lossy())
    }
}

fn not_linked(file: &str) -> Report {
    Report {
        errors: vec![InputError {
            file: file.to_owned(),
            line: None,
            message: "analysis not linked".to_owned(),
        }],
        ..Report::default()
    }
}
