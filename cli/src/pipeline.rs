//! The seam between the command line and the analysis.
//!
//! Everything about files, threads, panics, order, rendering and exit status is done on this side of it, for any
//! [`Pipeline`]; the tests put their own behind it. [`Analysis`](crate::engine::Analysis) is the real one.

use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use warplog_database::Database;
use warplog_facts::{Derived, Facts};
use warplog_report::equal::Comparison;
use warplog_report::{InputError, Report};
use warplog_solver_bridge::Decision;

use crate::ensures::ask as ensures;
use crate::equal::ask as equal;
use crate::explain::question::Question;
use crate::options::AnalysisOptions;
use crate::unit::Unit;

/// How much is to follow from facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Depth {
    /// Nothing.
    Facts,
    /// What the rules derive.
    Derived,
    /// The solver's answers, and the findings too.
    Findings,
}

/// Facts and what follows from them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Examined {
    /// The facts.
    pub facts: Facts,
    /// What the rules derived from them, if it was asked for.
    pub derived: Option<Derived>,
    /// What the solver answered, with models and formulas, if it was asked.
    pub decision: Option<Decision>,
}

/// Where facts are written to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Export {
    /// A folder for CSV.
    pub folder: Option<PathBuf>,
    /// Whether the folder gets the derived relations too.
    pub derived: bool,
    /// A file for a database, with derived relations and findings.
    pub sqlite: Option<PathBuf>,
}

/// The analysis, as the command line uses it. Its methods are called from several threads at once, in a thread pool of
/// `--jobs` threads with large stacks, which rayon inside of them uses too.
pub trait Pipeline: Sync {
    /// The facts of one or more files, with what follows from them as far as it was asked for. They may come from another process.
    type Facts: Send + Serialize + DeserializeOwned;

    /// Analyses a file: its kernels, with the source lines that their findings name. Neither order nor ids nor the
    /// number of files need be set.
    fn check(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> Report;

    /// The report on a file that [`Pipeline::check`] would give, if it is known from an earlier run.
    fn known(&self, _unit: &Unit<'_>, _options: &AnalysisOptions) -> Option<Report> {
        None
    }

    /// Extracts the facts of a file and what follows from them; the report holds errors and notes, and the kernels if
    /// findings were asked for.
    fn extract(
        &self,
        unit: &Unit<'_>,
        options: &AnalysisOptions,
        depth: Depth,
    ) -> (Self::Facts, Report);

    /// Writes the facts of all files, given in the order of their paths, and the report on them.
    ///
    /// # Errors
    /// What could not be written.
    fn export(
        &self,
        facts: Vec<Self::Facts>,
        report: &Report,
        to: &Export,
    ) -> Result<(), InputError>;

    /// Reads a folder of facts, and does as [`Pipeline::extract`] does for a file.
    ///
    /// # Errors
    /// Where it is damaged.
    fn read(
        &self,
        folder: &Path,
        options: &AnalysisOptions,
        depth: Depth,
    ) -> Result<(Self::Facts, Report), InputError>;

    /// The database of the facts of all files, given in the order of their paths, with what was derived from them, and the
    /// report on them.
    ///
    /// # Errors
    /// Memory ran out.
    fn database(&self, facts: Vec<Self::Facts>, report: &Report) -> Result<Database, InputError>;

    /// Answers a question about what was extracted to the depth of findings.
    ///
    /// # Errors
    /// What was asked for is not there, in words.
    fn explain(
        &self,
        facts: &[Self::Facts],
        report: &Report,
        question: &Question,
    ) -> Result<String, String>;

    /// Whether two sides leave equal contents: the comparison completed.
    ///
    /// # Errors
    /// What cannot be compared, in words.
    fn equal(&self, _sides: [&[Self::Facts]; 2], _ask: &equal::Ask) -> Result<Comparison, String> {
        Err("nothing can be compared here".to_owned())
    }

    /// Whether post-conditions hold.
    ///
    /// # Errors
    /// What is wrong with one of them, in words.
    fn ensures(
        &self,
        _facts: &[Self::Facts],
        _ask: &ensures::Ask,
        _options: &AnalysisOptions,
    ) -> Result<Vec<warplog_report::ensures::Outcome>, String> {
        Err("nothing can be ensured here".to_owned())
    }

    /// Analyses a folder of facts. A damaged folder is an error in the report. The number of files is to be set.
    fn solve(&self, folder: &Path, options: &AnalysisOptions) -> Report;
}
