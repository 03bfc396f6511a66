//! Texts that stand for files: what comes on standard input, and files as they were at a revision.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files as they were at another time: what they held, or that they were not there. All others are as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Earlier(pub(crate) Arc<BTreeMap<PathBuf, Option<Vec<u8>>>>);

impl Earlier {
    /// With these files, by [`Earlier::place`].
    #[must_use]
    pub fn new(files: BTreeMap<PathBuf, Option<Vec<u8>>>) -> Self {
        Earlier(Arc::new(files))
    }

    /// The path of a file without links, whether it is there or not.
    #[must_use]
    pub fn place(path: &Path) -> PathBuf {
        if let Ok(real) = std::fs::canonicalize(path) {
            return real;
        }
        let folder = path
            .parent()
            .and_then(|folder| std::fs::canonicalize(folder).ok());
        match (folder, path.file_name()) {
            (Some(folder), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    }

    /// Whether all files are as they are.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The files, by their paths without links.
    #[must_use]
    pub fn files(&self) -> &BTreeMap<PathBuf, Option<Vec<u8>>> {
        &self.0
    }

    /// What a file held, none if it was not there; nothing if it is as it is.
    #[must_use]
    pub fn of(&self, path: &Path) -> Option<Option<&[u8]>> {
        if self.is_empty() {
            return None;
        }
        let content = self.0.get(&Earlier::place(path))?;
        Some(content.as_deref())
    }
}

/// Standard input as a file.
#[derive(Clone, Debug)]
pub struct Stdin {
    /// Its name in reports, and where its headers are looked for.
    pub name: PathBuf,
    /// What it gave, or why it could not be read; none before it is read.
    pub text: Option<Result<Arc<[u8]>, String>>,
}

impl Default for Stdin {
    fn default() -> Self {
        Stdin {
            name: PathBuf::from("<stdin>"),
            text: None,
        }
    }
}

/// Whether a path of the command line means standard input.
#[must_use]
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}
