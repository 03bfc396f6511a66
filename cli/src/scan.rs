//! What is known of all inputs together, before the first is analysed: one name for each file, the headers that are there,
//! the compile commands.
//!
//! A header is opened by whatever path led to it (`src/../common/x.cuh`). Reports name each file once: an input by its own
//! name, a file below a folder given by its path from there, any other file as it was opened.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use warplog_extractor::preprocess::HeaderIndex;
use warplog_report::allow::allows;
use warplog_report::suppression::Allow;

use crate::collect::{Input, read, shown};
use crate::compile_db::Database;
use crate::config::Configs;
use crate::store::content_hash;
use crate::unit::{Guessed, Programs};

/// What is known of all inputs together.
#[derive(Clone, Debug, Default)]
pub struct Scan {
    names: Names,
    /// The configurations.
    pub configs: Configs,
    /// Comments of headers, each header read once.
    allows: Arc<Mutex<BTreeMap<PathBuf, Vec<Allow>>>>,
    /// The headers below the folders given, if there are any.
    pub headers: Option<Arc<HeaderIndex>>,
    /// What tells these headers from others, in a few bytes.
    pub headers_hash: [u8; 32],
    /// The contents of headers, each read once.
    contents: Arc<Mutex<BTreeMap<PathBuf, Option<[u8; 32]>>>>,
    /// The compile commands, if they are given.
    pub database: Option<Arc<Database>>,
    /// Flags that makefiles tell, where no compile commands are given.
    pub makefiles: Guessed,
    /// Files whose host code is followed together.
    pub programs: Programs,
    /// What tells this run from others of this process.
    pub run: Run,
}

/// The number of a run: a file may be another by the next one.
#[derive(Clone, Copy, Debug)]
pub struct Run(pub u64);

impl Default for Run {
    fn default() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Run(COUNT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Names of files in reports.
#[derive(Clone, Debug, Default)]
struct Names {
    /// Of the inputs, by their paths without links.
    inputs: BTreeMap<PathBuf, String>,
    /// The folders given, without links, and as given.
    roots: Vec<(PathBuf, PathBuf)>,
    /// What was looked up already: asking the system for each header of each unit would take longer than reading it.
    known: Arc<Mutex<BTreeMap<PathBuf, String>>>,
}

impl Scan {
    /// For these inputs, found below these paths.
    #[must_use]
    pub fn new(paths: &[PathBuf], inputs: &[Input]) -> Self {
        let inputs = inputs
            .iter()
            .filter_map(|input| Some((fs::canonicalize(&input.path).ok()?, input.shown.clone())))
            .collect();
        let mut roots: Vec<(PathBuf, PathBuf)> = paths
            .iter()
            .filter(|path| path.is_dir())
            .filter_map(|path| Some((fs::canonicalize(path).ok()?, path.clone())))
            .collect();
        // The innermost folder first.
        roots.sort_by_key(|(real, _)| std::cmp::Reverse(real.components().count()));
        Scan::named(inputs, roots)
    }

    /// With names that are known already, see [`Scan::names`].
    #[must_use]
    pub fn named(inputs: BTreeMap<PathBuf, String>, roots: Vec<(PathBuf, PathBuf)>) -> Self {
        Scan {
            names: Names {
                inputs,
                roots,
                known: Arc::default(),
            },
            ..Scan::default()
        }
    }

    /// What names follow from: the names of the inputs by their paths without links, and the folders given, without links and
    /// as given.
    #[must_use]
    pub fn names(&self) -> (&BTreeMap<PathBuf, String>, &[(PathBuf, PathBuf)]) {
        (&self.names.inputs, &self.names.roots)
    }

    /// Whether a header of a source is outside of the folders that are checked, though the source is in one of them: it is there
    /// for what the source makes of it. A source that was named itself is checked with all that it includes.
    #[must_use]
    pub fn is_context(&self, source: &Path, header: &Path) -> bool {
        // By where it is, or by a link that stands in a folder.
        let is_below = |path: &Path| {
            let written = std::path::absolute(path).map(|path| plain(&path));
            let places = [fs::canonicalize(path), written];
            places.iter().flatten().any(|place| {
                let mut roots = self.names.roots.iter();
                roots.any(|(root, _)| place.starts_with(root))
            })
        };
        is_below(source) && !is_below(header)
    }

    /// The comments of a header that suppress findings.
    #[must_use]
    pub fn allows(&self, header: &Path) -> Vec<Allow> {
        let mut known = self.allows.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(header) {
            return found.clone();
        }
        let found =
            read(header).map_or_else(|_| Vec::new(), |bytes| allows(&self.name(header), &bytes));
        known.insert(header.to_owned(), found.clone());
        found
    }

    /// What tells the content of a header from others; none if it cannot be read.
    #[must_use]
    pub fn content(&self, header: &Path) -> Option<[u8; 32]> {
        let mut known = self.contents.lock().unwrap_or_else(PoisonError::into_inner);
        *known
            .entry(header.to_owned())
            .or_insert_with(|| read(header).ok().map(|bytes| content_hash(&bytes)))
    }

    /// The name of a file in reports.
    #[must_use]
    pub fn name(&self, path: &Path) -> String {
        let mut known = self
            .names
            .known
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if let Some(name) = known.get(path) {
            return name.clone();
        }
        let name = self.names.find(path);
        known.insert(path.to_owned(), name.clone());
        name
    }
}

impl Names {
    fn find(&self, path: &Path) -> String {
        if let Ok(real) = fs::canonicalize(path) {
            if let Some(name) = self.inputs.get(&real) {
                return name.clone();
            }
            for (root, given) in &self.roots {
                if let Ok(rest) = real.strip_prefix(root) {
                    return shown(&given.join(rest)).replace('\\', "/");
                }
            }
        }
        shown(&plain(path)).replace('\\', "/")
    }
}

/// The path without `.` and without `folder/..`, by name alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_file_has_one_name() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().join("r");
        fs::create_dir_all(root.join("sub")).expect("folders");
        for name in ["r/a.cu", "r/sub/h.h", "out.h"] {
            fs::write(folder.path().join(name), "").expect("a file");
        }
        let input = Input {
            path: root.join("a.cu"),
            shown: "as given/a.cu".to_owned(),
            root: 0,
            named: false,
            text: None,
        };
        let scan = Scan::new(std::slice::from_ref(&root), &[input]);
        let name = |path: &str| {
            let base = format!("{}/", folder.path().display());
            scan.name(&folder.path().join(path)).replace(&base, "")
        };
        assert_eq!(name("r/sub/../a.cu"), "as given/a.cu");
        assert_eq!(name("r/sub/../sub/h.h"), "r/sub/h.h");
        assert_eq!(name("r/../out.h"), "out.h");
        assert_eq!(name("r/sub/../gone.h"), "r/gone.h");
    }
}
