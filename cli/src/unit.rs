//! A file as it is analysed: its text, the options that hold for it, and the files that it is linked with.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use warplog_report::LaunchSource;

use crate::choices::Aliasing;
use crate::compile_db::flags::CompileFlags;
use crate::config::Config;
use crate::header::Header;
use crate::macros::Macro;
use crate::naming::names;
use crate::options::{AnalysisOptions, GivenLaunch};

/// Options for one file: its header, overridden by the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitOptions {
    /// The launch given for every kernel of the file, if one is.
    pub launch: Option<GivenLaunch>,
    /// Launches that the configuration gives for kernels by name, the first that names a kernel counts. They give way to
    /// `launch` where that comes from a flag or a header.
    pub kernel_launches: Vec<(String, GivenLaunch)>,
    /// Macros in the order in which they take effect: the header's, then the command line's.
    pub macros: Vec<Macro>,
    /// Folders to search for included files: the command line's, then the header's.
    pub include_dirs: Vec<PathBuf>,
    /// What is assumed of its kernels: by the command line, then by the configuration.
    pub assume: Vec<String>,
    /// The kernels of which each of that is assumed, by its number; all where it names none, or has no entry.
    pub assume_in: Vec<Vec<String>>,
    /// What is taken of arrays that host code does not show to be apart: by the command line, or else by the configuration.
    pub aliasing: Option<Aliasing>,
    /// Lanes that run in lock-step, if the header says so.
    pub warp_sync: Option<u32>,
    /// What the compile commands add: folders are searched after those above.
    pub flags: CompileFlags,
    /// Whether headers that are not found may be guessed: not where the compile commands name the file.
    pub guess_headers: bool,
    /// Whether the file is read as HIP.
    pub hip: bool,
    /// Which of the parts of the file is read, and for which of the launches that the file makes of its kernels, if it is not the file
    /// itself: `warplog_extractor::embedded`.
    pub part: Option<(usize, usize)>,
    /// The files that are followed with it, itself included; none if it is followed alone.
    pub program: Vec<Companion>,
}

impl UnitOptions {
    /// The options for a file at `path` with this header.
    #[must_use]
    pub fn new(options: &AnalysisOptions, header: &Header, path: &Path) -> Self {
        let block_dim = options.block_dim.or(header.block_dim);
        let grid_dim = options.grid_dim.or(header.grid_dim);
        let flag = options.block_dim.is_some() || options.grid_dim.is_some();
        let launch = (block_dim.is_some() || grid_dim.is_some()).then_some(GivenLaunch {
            source: if flag {
                LaunchSource::Flag
            } else {
                LaunchSource::Header
            },
            block_dim,
            grid_dim,
            header_line: header.launch_line,
        });
        let folder = path.parent().unwrap_or(Path::new(""));
        let of_header = header.include_dirs.iter().map(|dir| folder.join(dir));
        UnitOptions {
            launch,
            kernel_launches: Vec::new(),
            macros: header
                .macros
                .iter()
                .chain(&options.macros)
                .cloned()
                .collect(),
            include_dirs: options
                .include_dirs
                .iter()
                .cloned()
                .chain(of_header)
                .collect(),
            assume: options.assume.clone(),
            assume_in: Vec::new(),
            aliasing: options.aliasing,
            warp_sync: options.warp_sync.or(header.warp_sync),
            flags: CompileFlags::default(),
            guess_headers: true,
            hip: path.extension().is_some_and(|extension| extension == "hip"),
            part: None,
            program: Vec::new(),
        }
    }

    /// The same with what the configuration of the file at `path` says, which gives way to header and flags.
    #[must_use]
    pub fn with_config(mut self, config: &Config, path: &Path) -> Self {
        let settings = config.settings(path);
        self.macros = settings.macros.into_iter().chain(self.macros).collect();
        self.include_dirs.extend(settings.include_dirs);
        self.assume.extend(settings.assume);
        for answer in config.answers.iter().filter(|answer| answer.holds) {
            if answer.is_about(config, path) {
                self.assume_in.resize(self.assume.len(), Vec::new());
                self.assume.push(answer.assume.clone());
                self.assume_in.push(answer.kernels.clone());
            }
        }
        self.aliasing = self.aliasing.or(settings.aliasing);
        if self.launch.is_none() {
            let given = |block_dim, grid_dim| GivenLaunch {
                source: LaunchSource::Configuration,
                block_dim,
                grid_dim,
                header_line: None,
            };
            self.kernel_launches = config
                .launches(path)
                .into_iter()
                .map(|(kernel, block, grid)| {
                    let block = block.or(settings.block_dim);
                    (kernel, given(block, grid.or(settings.grid_dim)))
                })
                .collect();
            if settings.block_dim.is_some() || settings.grid_dim.is_some() {
                self.launch = Some(given(settings.block_dim, settings.grid_dim));
            }
        }
        self
    }

    /// The launch given for a kernel, if one is.
    #[must_use]
    pub fn launch_of(&self, kernel: &str) -> Option<&GivenLaunch> {
        self.kernel_launches
            .iter()
            .find(|(name, _)| names(name, kernel))
            .map(|(_, launch)| launch)
            .or(self.launch.as_ref())
    }

    /// The same with what a compile command says; `own` if it is that of the file itself. Its macros are defined before those
    /// of the header and the command line.
    #[must_use]
    pub fn with_flags(mut self, flags: &CompileFlags, own: bool) -> Self {
        self.macros = flags.macros.iter().chain(&self.macros).cloned().collect();
        self.hip |= flags.language.as_deref() == Some("hip");
        self.guess_headers = !own;
        self.flags = flags.clone();
        self
    }
}

/// A file of a program, with its options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Companion {
    /// Where it is.
    pub path: PathBuf,
    /// Its name in reports.
    pub shown: String,
    /// Its macros, folders and flags; without a program of its own.
    pub options: UnitOptions,
    /// A file of the run that is not of the program names what this one defines.
    pub is_used_elsewhere: bool,
}

/// Files that are followed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// In the order of their paths.
    pub files: Vec<Companion>,
    /// What puts them together, in words that follow "linked".
    pub how: String,
}

/// The programs of a run, by the paths of their files.
pub type Programs = BTreeMap<PathBuf, Arc<Group>>;

/// The flags of sources, by their paths as inputs.
pub type Guessed = BTreeMap<PathBuf, Arc<CompileFlags>>;

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
