//! The seam between the command line and the analysis.
//!
//! Everything about files, threads, panics, order, rendering and exit status is done on this side of it, for any
//! [`Pipeline`]; the tests put their own behind it. [`Analysis`] is the real one.

use std::path::Path;
use std::time::Instant;

use warplog_extractor::GivenLaunch;
use warplog_extractor::preprocess::{Config, Define, PreprocessError};
use warplog_facts::words::LaunchSource;
use warplog_facts::{Facts, csv_folder};
use warplog_report::{FileTimings, InputError, Report};

use crate::analysis;
use crate::options::{AnalysisOptions, Macro, UnitOptions};

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
    type Facts = Facts;

    fn check(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> Report {
        let start = Instant::now();
        match extract(unit, options) {
            Ok(facts) => {
                let extracted = start.elapsed();
                let (mut report, phases) = analysis::report(&facts, options);
                if options.timings {
                    let extract = u64::try_from(extracted.as_micros()).unwrap_or(u64::MAX);
                    report.timings.push(FileTimings {
                        file: unit.shown.to_owned(),
                        phases: vec![
                            ("extract".to_owned(), extract),
                            ("rules".to_owned(), phases.rules),
                            ("solve".to_owned(), phases.solve),
                        ],
                    });
                }
                report
            }
            Err(error) => from_error(error),
        }
    }

    fn extract(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> (Self::Facts, Report) {
        match extract(unit, options) {
            Ok(facts) => {
                let mut report = Report::default();
                analysis::notes(&facts, &mut report);
                (facts, report)
            }
            Err(error) => (Facts::default(), from_error(error)),
        }
    }

    fn export(&self, facts: Vec<Self::Facts>, folder: &Path) -> Result<(), InputError> {
        let mut all = Facts::default();
        for facts in facts {
            all.append(facts);
        }
        csv_folder::write(&all, folder).map_err(folder_error)
    }

    fn solve(&self, folder: &Path, options: &AnalysisOptions) -> Report {
        match csv_folder::read(folder) {
            Ok(facts) => {
                let (mut report, _) = analysis::report(&facts, options);
                report.files = facts.file.iter().filter(|file| file.is_input).count();
                report
            }
            Err(error) => from_error(folder_error(error)),
        }
    }
}

/// The facts of a file under its header and flags.
fn extract(unit: &Unit<'_>, options: &AnalysisOptions) -> Result<Facts, InputError> {
    let mut preprocess = Config::default();
    for change in &unit.options.macros {
        match change {
            Macro::Define { name, value } => {
                preprocess.undefines.retain(|undefined| undefined != name);
                preprocess.defines.push(Define {
                    name: name.clone(),
                    value: Some(value.clone()),
                });
            }
            Macro::Undefine { name } => preprocess.undefines.push(name.clone()),
        }
    }
    preprocess
        .include_dirs
        .clone_from(&unit.options.include_dirs);
    let launch = unit.options.launch.as_ref().map(|launch| GivenLaunch {
        source: match launch.source {
            warplog_report::LaunchSource::Flag => LaunchSource::Flag,
            _ => LaunchSource::Header,
        },
        block_dim: launch.block_dim,
        grid_dim: launch.grid_dim,
    });
    let wants = |name: &str| options.wants(name);
    let extractor = warplog_extractor::Options {
        preprocess,
        launch,
        warp_sync: unit.options.warp_sync,
        wants: &wants,
    };
    warplog_extractor::extract(unit.path, unit.shown, unit.bytes, &extractor).map_err(|error| {
        let file = unit.shown.to_owned();
        match error {
            PreprocessError::Binary { line, offset, .. } => InputError {
                file,
                line: u32::try_from(line).ok(),
                message: format!("a zero byte at offset {offset}: this is no source text"),
            },
            PreprocessError::Utf16 { .. } => InputError {
                file,
                line: Some(1),
                message: "the file is UTF-16; convert it to UTF-8".to_owned(),
            },
            PreprocessError::TooLarge { bytes, limit, .. } => InputError {
                file,
                line: None,
                message: format!("{bytes} bytes are too many (at most {limit})"),
            },
        }
    })
}

fn folder_error(error: csv_folder::FolderError) -> InputError {
    InputError {
        file: error.path.to_string_lossy().into_owned(),
        line: error.line,
        message: error.message,
    }
}

fn from_error(error: InputError) -> Report {
    Report {
        errors: vec![error],
        ..Report::default()
    }
}
