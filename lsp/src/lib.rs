//! What warplog tells editors: the language server protocol over an analysis that is given to it.
//!
//! [`serve`] reads requests from a stream and writes answers to another until the client says `exit`. What a file holds is what the
//! editor says that it holds, saved or not. A change is analysed a moment after it was made, in three steps: the kernels in whose
//! bodies something changed ([`parts`]), then the whole file, as `warplog check` would, then changes that mend what was found. Each step
//! is ended when the text changes again, and each publishes what it knows.
//!
//! **Contract.** What is published for a text, once its second step is through, is what `warplog check` says of that text. The first
//! step takes over what was known of kernels whose text is the same, with all text outside of kernels the same; it may be wrong where
//! one kernel decides what another is given, until the second step has come to its end.
//!
//! The crate sees neither facts nor solver: an [`Analyser`] is behind it.

mod actions;
mod diagnostics;
mod documents;
mod hover;
mod lens;
pub mod parts;
mod places;
mod server;
mod wire;

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use warplog_report::Report;

pub use server::serve;

/// A text to analyse.
#[derive(Clone, Debug)]
pub struct Job {
    /// Where its file is, absolute; the file need not be there.
    pub path: PathBuf,
    /// The text.
    pub text: Arc<str>,
    /// Kernels to analyse, by name without template arguments; all if empty.
    pub kernels: Vec<String>,
    /// Whether to look for changes that mend what is found.
    pub mends: bool,
    /// Set when the answer is not wanted any more.
    pub stop: Arc<AtomicBool>,
}

/// A variable somebody points at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pointed {
    /// Where the file is.
    pub path: PathBuf,
    /// Its text.
    pub text: Arc<str>,
    /// The kernel around it, by name without template arguments.
    pub kernel: String,
    /// The variable.
    pub name: String,
    /// The byte of the text at which it begins.
    pub at: usize,
}

/// The analysis behind the server. It is called from several threads at once.
pub trait Analyser: Sync {
    /// The report on a text, in which the file has the name of its path.
    fn check(&self, job: &Job) -> Report;

    /// For which threads a variable has one value behind the statement in which it stands, in words; nothing if that cannot be told.
    fn uniformity(&self, pointed: &Pointed) -> Option<String>;
}
