//! `warplog.toml`: what a repository says of how its files are read and which findings count.
//!
//! The configuration of a file is the nearest `warplog.toml` from its folder upwards; `--config` names one for all files, `--no-config`
//! does without. Patterns and folders in it are relative to its own folder. Of two settings the more specific wins: a flag
//! before the header of the file, the header before the configuration, and a later `[[path]]` before an earlier one.
//!
//! Files whose configuration is wrong in any way are not analysed: a launch or an exclusion with a slip in it must not pass for none.
//! Others are.

mod read;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use warplog_report::{FindingKind, InputError, Kernel, Severity};

use crate::choices::{Aliasing, Choice};
use crate::collect::shown;
use crate::dims::Dims;
use crate::macros::Macro;
use crate::naming::names;

/// The JSON schema of the file.
pub const JSON_SCHEMA: &str = include_str!("../../schema/warplog-toml.schema.json");

/// Its name.
pub const NAME: &str = "warplog.toml";

/// A configuration that was read.
#[derive(Clone, Debug)]
pub struct Config {
    /// Its name in reports.
    pub shown: String,
    /// Its folder, without links.
    folder: PathBuf,
    exclude: Patterns,
    all: Settings,
    paths: Vec<PathSettings>,
    launches: Vec<KernelLaunch>,
    /// Findings that it suppresses.
    pub allows: Vec<ConfigAllow>,
    /// Questions that somebody has answered.
    pub answers: Vec<Answer>,
}

/// An answer to a question of the analysis: `[[answer]]`.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Line of the entry.
    pub line: u32,
    /// The condition that was asked about.
    pub assume: String,
    /// Whether it always holds: it is assumed then.
    pub holds: bool,
    /// In which files; in all if empty.
    paths: Patterns,
    /// Of which kernels, without template arguments; of all if empty.
    pub kernels: Vec<String>,
}

impl Answer {
    /// Whether it is about a file.
    #[must_use]
    pub fn is_about(&self, config: &Config, file: &Path) -> bool {
        match config.relative(file) {
            Some(path) => self.paths.allows(&path),
            None => self.paths.empty,
        }
    }
}

/// A `[[path]]`.
#[derive(Clone, Debug)]
struct PathSettings {
    line: u32,
    patterns: Patterns,
    settings: Settings,
}

/// Settings for some files.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Macros, in order.
    pub macros: Vec<Macro>,
    /// Folders to search, from the folder of the configuration.
    pub include_dirs: Vec<PathBuf>,
    /// Block size of every kernel.
    pub block_dim: Option<Dims>,
    /// Grid size of every kernel.
    pub grid_dim: Option<Dims>,
    /// What is assumed of kernels.
    pub assume: Vec<String>,
    /// What is taken of arrays that host code does not show to be apart.
    pub aliasing: Option<Aliasing>,
    /// Levels by kind of finding.
    pub severity: BTreeMap<FindingKind, Level>,
}

/// The level of a kind of finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Not shown, and never a reason to fail.
    Off,
    /// Shown with this severity.
    At(Severity),
}

/// The launch of a kernel.
#[derive(Clone, Debug)]
struct KernelLaunch {
    line: u32,
    kernel: String,
    paths: Patterns,
    block_dim: Option<Dims>,
    grid_dim: Option<Dims>,
}

/// A finding that is suppressed.
#[derive(Clone, Debug)]
pub struct ConfigAllow {
    /// Line of the entry.
    pub line: u32,
    /// The rule as written.
    pub rule: String,
    /// Kind of finding; none if the rule is that of a cost.
    pub kind: Option<FindingKind>,
    /// Whether only races on shared memory (or, if false, only those on other memory) are.
    pub shared_memory: Option<bool>,
    /// Where; anywhere if empty.
    paths: Patterns,
    /// In which kernel; in any without one.
    pub kernel: Option<String>,
    /// Of which array; of any without one.
    pub array: Option<String>,
    /// Why.
    pub because: String,
}

/// Patterns of paths, from the folder of the configuration.
#[derive(Clone, Debug, Default)]
struct Patterns {
    set: GlobSet,
    empty: bool,
}

impl Patterns {
    /// A pattern means the files that it matches, and all files below the folders that it matches.
    fn new(patterns: &[String]) -> Result<Self, String> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let plain = pattern.trim_end_matches('/');
            let plain = plain.strip_prefix("./").unwrap_or(plain);
            for text in [plain.to_owned(), format!("{plain}/**")] {
                let glob = GlobBuilder::new(&text)
                    .literal_separator(true)
                    .build()
                    .map_err(|error| format!("`{pattern}` is no pattern: {}", error.kind()))?;
                set.add(glob);
            }
        }
        Ok(Patterns {
            set: set.build().map_err(|error| error.to_string())?,
            empty: patterns.is_empty(),
        })
    }

    fn matches(&self, path: &Path) -> bool {
        self.set.is_match(path)
    }

    /// As [`Patterns::matches`], but no pattern at all means everywhere.
    fn allows(&self, path: &Path) -> bool {
        self.empty || self.matches(path)
    }
}

impl Config {
    /// The path of a file from the folder of the configuration, if it lies below it.
    fn relative(&self, file: &Path) -> Option<PathBuf> {
        let real = fs::canonicalize(file).ok()?;
        real.strip_prefix(&self.folder).ok().map(Path::to_owned)
    }

    /// Whether a file found in a folder is to be left out.
    #[must_use]
    pub fn excludes(&self, file: &Path) -> bool {
        self.relative(file)
            .is_some_and(|path| self.exclude.matches(&path))
    }

    /// The settings for a file, more specific ones first where one counts, last where they add up.
    #[must_use]
    pub fn settings(&self, file: &Path) -> Settings {
        let mut settings = self.all.clone();
        let Some(path) = self.relative(file) else {
            return settings;
        };
        for PathSettings {
            patterns,
            settings: more,
            ..
        } in &self.paths
        {
            if patterns.matches(&path) {
                settings.macros.extend(more.macros.iter().cloned());
                settings
                    .include_dirs
                    .splice(0..0, more.include_dirs.iter().cloned());
                settings.assume.extend(more.assume.iter().cloned());
                settings.aliasing = more.aliasing.or(settings.aliasing);
                settings.block_dim = more.block_dim.or(settings.block_dim);
                settings.grid_dim = more.grid_dim.or(settings.grid_dim);
                settings
                    .severity
                    .extend(more.severity.iter().map(|(kind, level)| (*kind, *level)));
            }
        }
        settings
    }

    /// Whether all files that it is about are among these files and folders.
    #[must_use]
    pub fn is_covered(&self, inputs: &[PathBuf]) -> bool {
        let real = |input: &PathBuf| fs::canonicalize(input).ok();
        let mut real = inputs.iter().filter_map(real);
        real.any(|input| self.folder.starts_with(input))
    }

    /// Entries that name nothing there is, with their lines: files by their paths, kernels by name, file and assumptions.
    #[must_use]
    pub fn without_effect(&self, files: &[PathBuf], kernels: &[Kernel]) -> Vec<(u32, String)> {
        let files: Vec<PathBuf> = files
            .iter()
            .filter_map(|file| self.relative(file))
            .collect();
        let mut found = Vec::new();
        for entry in &self.paths {
            if !files.iter().any(|file| entry.patterns.matches(file)) {
                found.push((entry.line, "this [[path]] is about no file".to_owned()));
            }
        }
        for launch in &self.launches {
            let is_meant = |kernel: &Kernel| {
                let path = self.relative(Path::new(&kernel.file));
                names(&launch.kernel, &kernel.name)
                    && path.is_some_and(|path| launch.paths.allows(&path))
            };
            if !kernels.iter().any(is_meant) {
                let text = format!("this [[launch]] of `{}` is about no kernel", launch.kernel);
                found.push((launch.line, text));
            }
        }
        found.sort();
        found
    }

    /// All that it assumes of kernels.
    pub fn assumptions(&self) -> impl Iterator<Item = &str> {
        let of_paths = self.paths.iter().map(|entry| &entry.settings);
        let all = std::iter::once(&self.all).chain(of_paths);
        all.flat_map(|settings| settings.assume.iter().map(String::as_str))
    }

    /// The folders that it adds for headers, of whichever files.
    pub fn include_dirs(&self) -> impl Iterator<Item = &PathBuf> {
        let of_paths = self.paths.iter().map(|entry| &entry.settings);
        let all = std::iter::once(&self.all).chain(of_paths);
        all.flat_map(|settings| &settings.include_dirs)
    }

    /// The launches of kernels by name that hold for a file, later ones first.
    #[must_use]
    pub fn launches(&self, file: &Path) -> Vec<(String, Option<Dims>, Option<Dims>)> {
        let path = self.relative(file).unwrap_or_default();
        self.launches
            .iter()
            .rev()
            .filter(|launch| launch.paths.allows(&path))
            .map(|launch| (launch.kernel.clone(), launch.block_dim, launch.grid_dim))
            .collect()
    }
}

impl ConfigAllow {
    /// Whether it is about a file.
    #[must_use]
    pub fn is_about(&self, config: &Config, file: &Path) -> bool {
        config
            .relative(file)
            .is_some_and(|path| self.paths.allows(&path))
    }
}

/// The configurations of a run, each read once.
#[derive(Clone, Debug, Default)]
pub struct Configs {
    choice: Choice,
    known: Arc<Mutex<BTreeMap<PathBuf, Found>>>,
}

/// What was found for a folder.
type Found = Result<Option<Arc<Config>>, Vec<InputError>>;

impl Configs {
    /// Configurations by this choice.
    #[must_use]
    pub fn new(choice: Choice) -> Self {
        Configs {
            choice,
            known: Arc::default(),
        }
    }

    /// The configuration of a file.
    ///
    /// # Errors
    /// Where it is wrong; each that is found, never none.
    pub fn of(&self, file: &Path) -> Found {
        match &self.choice {
            Choice::None => Ok(None),
            Choice::Given(path) => {
                let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                known
                    .entry(PathBuf::new())
                    .or_insert_with(|| read::load(path).map(|config| Some(Arc::new(config))))
                    .clone()
            }
            Choice::Nearest => {
                let folder = match fs::canonicalize(file) {
                    Ok(real) if real.is_dir() => real,
                    Ok(real) => real.parent().map(Path::to_owned).unwrap_or_default(),
                    Err(_) => return Ok(None),
                };
                let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
                nearest(&folder, &mut known)
            }
        }
    }

    /// All that were read, by path.
    #[must_use]
    pub fn all(&self) -> Vec<Arc<Config>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all: Vec<Arc<Config>> = Vec::new();
        for config in known.values().flatten().flatten() {
            if !all.iter().any(|other| Arc::ptr_eq(other, config)) {
                all.push(Arc::clone(config));
            }
        }
        all.sort_by(|a, b| a.shown.cmp(&b.shown));
        all
    }
}

fn nearest(folder: &Path, known: &mut BTreeMap<PathBuf, Found>) -> Found {
    if let Some(found) = known.get(folder) {
        return found.clone();
    }
    let path = folder.join(NAME);
    let found = if path.is_file() {
        read::load(&from_here(&path)).map(|config| Some(Arc::new(config)))
    } else {
        match folder.parent() {
            Some(parent) => nearest(parent, known),
            None => Ok(None),
        }
    };
    known.insert(folder.to_owned(), found.clone());
    found
}

/// The path from the folder that the program runs in, if it lies below it: shorter to read.
fn from_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().and_then(fs::canonicalize);
    match here {
        Ok(here) => path
            .strip_prefix(&here)
            .map_or_else(|_| path.to_owned(), Path::to_owned),
        Err(_) => path.to_owned(),
    }
}

/// An error in a configuration.
fn wrong(path: &Path, line: Option<u32>, message: String) -> InputError {
    InputError {
        file: shown(path),
        line,
        message,
    }
}
