//! The name of a file that does not depend on how its path is spelled nor on the folder that the program runs in.
//!
//! It is the path from the root of the project, taken apart by words alone: the nearest folder upwards that holds `.git`, else the
//! outermost that holds `warplog.toml`, else the folder that the program runs in. Ids, fingerprints and baselines use it; what is
//! printed stays as it was given.

use std::collections::BTreeMap;
use std::env;
use std::path::{Component, Path, PathBuf};

use warplog_report::Report;
use warplog_report::sarif::Folders;

use crate::config;

/// Finds the names, each folder looked at once.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    here: PathBuf,
    roots: BTreeMap<PathBuf, Option<PathBuf>>,
}

impl Identities {
    /// For paths from the folder that the program runs in.
    pub(crate) fn new() -> Self {
        Identities {
            here: env::current_dir().unwrap_or_default(),
            roots: BTreeMap::new(),
        }
    }

    /// The name of a file, from its name in reports.
    pub(crate) fn of(&mut self, shown: &str) -> String {
        between(&self.project(shown), &plain(&self.here.join(shown)))
    }

    /// The root of the project that a file belongs to, from its name in reports.
    pub(crate) fn project(&mut self, shown: &str) -> PathBuf {
        let path = plain(&self.here.join(shown));
        let folder = path.parent().unwrap_or(&path).to_owned();
        self.root(&folder).unwrap_or_else(|| self.here.clone())
    }

    fn root(&mut self, folder: &Path) -> Option<PathBuf> {
        if let Some(known) = self.roots.get(folder) {
            return known.clone();
        }
        let holds = |name: &str| {
            folder
                .ancestors()
                .filter(|above| above.join(name).exists())
                .map(Path::to_owned)
                .collect::<Vec<_>>()
        };
        let root = holds(".git")
            .into_iter()
            .next()
            .or_else(|| holds(config::NAME).pop());
        self.roots.insert(folder.to_owned(), root.clone());
        root
    }
}

/// Where files are that a report names from the folder that the program runs in.
pub(crate) fn folders() -> Folders {
    let mut identities = Identities::new();
    let here = identities.here.clone();
    Folders {
        root: identities.root(&here).unwrap_or_else(|| here.clone()),
        here,
    }
}

/// Tells the report what its ids are to call the files.
pub(crate) fn settle(report: &mut Report) {
    let mut identities = Identities::new();
    let mut names = BTreeMap::new();
    for kernel in &report.kernels {
        let locations = kernel.findings.iter().flat_map(|found| &found.locations);
        for file in locations
            .map(|location| &location.place.file)
            .chain([&kernel.file])
        {
            if !names.contains_key(file) {
                names.insert(file.clone(), identities.of(file));
            }
        }
    }
    names.retain(|file, name| file != name);
    report.identities = names;
}

/// The path without `.` and `..`. What is above the root of the system is the root.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            other => out.push(other),
        }
    }
    out
}

/// The way from a folder to a file, both plain, with `/` between the words.
fn between(folder: &Path, file: &Path) -> String {
    let common = folder
        .components()
        .zip(file.components())
        .take_while(|(a, b)| a == b)
        .count();
    let up = folder.components().count() - common;
    let words = std::iter::repeat_n("..".into(), up).chain(
        file.components()
            .skip(common)
            .map(|word| word.as_os_str().to_string_lossy()),
    );
    words.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_has_one_name_however_it_is_spelled() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(folder.path()).expect("a path");
        fs::create_dir_all(root.join("p/src/k")).expect("folders");
        fs::write(root.join("p").join(config::NAME), "").expect("a file");
        let from = |here: &str| Identities {
            here: root.join(here),
            roots: BTreeMap::new(),
        };
        let absolute = root.join("p/src/k/a.cu");
        for (here, shown) in [
            ("p", "src/k/a.cu"),
            ("p/src", "k/../k/./a.cu"),
            ("p/src/k", "a.cu"),
            ("", "p/src/k/a.cu"),
            ("", absolute.to_str().expect("text")),
        ] {
            assert_eq!(from(here).of(shown), "src/k/a.cu", "{here} {shown}");
        }
        assert_eq!(from("").project("p/src/k/a.cu"), root.join("p"));
        // A project of its own inside of it does not make two names; a repository does.
        fs::write(root.join("p/src").join(config::NAME), "").expect("a file");
        assert_eq!(from("p").of("src/k/a.cu"), "src/k/a.cu");
        fs::create_dir(root.join("p/src/.git")).expect("a folder");
        assert_eq!(from("p").of("src/k/a.cu"), "k/a.cu");
        // Without a project, from the folder that the program runs in.
        assert_eq!(from("x").of("../y/a.cu"), "../y/a.cu");
        assert_eq!(from("y").of("a.cu"), "a.cu");
    }
}
