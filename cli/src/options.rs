//! What the command line and the header of a file ask of the analysis, as plain data.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use warplog_report::LaunchSource;
use warplog_solver_bridge::Stop;

use crate::cache::Cache;
use crate::compile_db::CompileFlags;
use crate::config::{Choice, Config};
use crate::dims::Dims;
use crate::header::Header;
use crate::mends::Mends;
use crate::programs::Companion;
use crate::scan::Scan;

/// Options of a run, from the command line.
#[derive(Clone, Debug)]
pub struct AnalysisOptions {
    /// Block size for every kernel.
    pub block_dim: Option<Dims>,
    /// Grid size for every kernel.
    pub grid_dim: Option<Dims>,
    /// Lanes of a warp that run in lock-step.
    pub warp_sync: Option<u32>,
    /// -D and -U, in the order given.
    pub macros: Vec<Macro>,
    /// --arch: the values of `__CUDA_ARCH__` for which files are read, each by itself; none if the compile commands say it.
    pub architectures: Vec<u32>,
    /// -I, in the order given.
    pub include_dirs: Vec<PathBuf>,
    /// Which pairs of threads to ask about.
    pub scopes: Scopes,
    /// Whether writes that leave the same bytes are races, too.
    pub report_benign: bool,
    /// Kernels to check; all if empty. See [`AnalysisOptions::wants`].
    pub kernels: Vec<String>,
    /// Whether annotations are left out.
    pub no_annotations: bool,
    /// What is assumed of kernels besides what the files say.
    pub assume: Vec<String>,
    /// Whether to look for what would make a racy kernel race-free.
    pub preconditions: bool,
    /// Whether nothing is taken as sane: a finding that is exact is confirmed whatever the caller has to decide for it.
    pub paranoid: bool,
    /// Whether functions are used by their contracts.
    pub modular: bool,
    /// What is taken of arrays that host code does not show to be apart, if the command line says it.
    pub aliasing: Option<Aliasing>,
    /// Whether what a kernel asserts about its arguments and its launch is checked, not taken as the caller's duty.
    pub check_assertions: bool,
    /// Which files are followed together.
    pub link: Link,
    /// How far changes of the source are looked for that mend a kernel.
    pub mends: Mends,
    /// How many times the solver's budgets are raised.
    pub effort: u32,
    /// Wall time after which a query of the solver is given up.
    pub query_timeout: Duration,
    /// Whether there is one file only: its kernels share the threads.
    pub alone: bool,
    /// For which compute capability costs are counted, if they are: ten times the major number and the minor one.
    pub costs: Option<u32>,
    /// Whether to record the time of each phase.
    pub timings: bool,
    /// Whether to say what the run covers.
    pub coverage: bool,
    /// Whether kernels are to be shown as a whole, with intervals and flows.
    pub anatomy: bool,
    /// Where the compile commands are, if they are given.
    pub compile_commands: Option<PathBuf>,
    /// Which configurations hold.
    pub config: Choice,
    /// Where results are kept, if they are.
    pub cache: Option<Arc<Cache>>,
    /// Whether formulas are kept as SMT-LIB.
    pub keep_smt: bool,
    /// Inputs to analyse, by their names in reports; all if empty, or if none is among them.
    pub only: Vec<String>,
    /// Which part of the inputs is analysed; all if none is given.
    pub shard: Option<Shard>,
    /// What the analysis of one file may take, where files are analysed in processes of their own.
    pub bounds: FileBounds,
    /// Set when the run is to stop with what was found so far.
    pub stop: Stop,
    /// Who is told what is being done to a file.
    pub told: Told,
    /// What standard input gave, if a path is `-`.
    pub stdin: Stdin,
    /// What is known of all inputs together.
    pub scan: Arc<Scan>,
    /// Files that are read as they were.
    pub earlier: Earlier,
}

/// Files as they were at another time: what they held, or that they were not there. All others are as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Earlier(Arc<BTreeMap<PathBuf, Option<Vec<u8>>>>);

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

/// One of several parts of the inputs, numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    /// Which.
    pub number: u64,
    /// Of how many.
    pub count: u64,
}

impl Shard {
    /// Whether a file is in this part: by a hash of its name (FNV-1a), which is the same on every machine.
    #[must_use]
    pub fn holds(self, name: &str) -> bool {
        let hash = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        // The lowest bits of such a hash follow the lowest of the bytes.
        (hash ^ (hash >> 32)) % self.count == self.number - 1
    }
}

/// What the analysis of one file may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileBounds {
    /// Wall time or processor time, whichever is less; none for as long as it takes.
    pub time: Option<Duration>,
    /// Resident memory in bytes; none for as much as there is.
    pub memory: Option<u64>,
}

impl Default for FileBounds {
    fn default() -> Self {
        FileBounds {
            time: Some(Duration::from_secs(120)),
            memory: Some(4 << 30),
        }
    }
}

/// Who is told how far a run is: so that one who waits for it can say where it is.
#[derive(Clone, Default)]
pub struct Told(Option<Arc<Listener>>);

/// What is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing<'a> {
    /// What is being done to a file, by a phrase that follows `while`.
    Phase(&'a str),
    /// How many files are analysed to the end, of how many.
    Files(usize, usize),
}

type Listener = dyn Fn(Doing<'_>) + Send + Sync;

impl Told {
    /// With somebody to tell.
    #[must_use]
    pub fn new(listener: impl Fn(Doing<'_>) + Send + Sync + 'static) -> Self {
        Told(Some(Arc::new(listener)))
    }

    /// Tells what is being done to a file.
    pub fn tell(&self, phase: &str) {
        self.about(Doing::Phase(phase));
    }

    /// Tells it.
    pub fn about(&self, doing: Doing<'_>) {
        if let Some(listener) = &self.0 {
            listener(doing);
        }
    }
}

impl fmt::Debug for Told {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Told")
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

impl Default for AnalysisOptions {
    fn default() -> Self {
        AnalysisOptions {
            block_dim: None,
            grid_dim: None,
            warp_sync: None,
            macros: Vec::new(),
            architectures: Vec::new(),
            include_dirs: Vec::new(),
            scopes: Scopes::All,
            report_benign: false,
            kernels: Vec::new(),
            no_annotations: false,
            assume: Vec::new(),
            preconditions: true,
            paranoid: false,
            modular: false,
            aliasing: None,
            check_assertions: false,
            link: Link::Programs,
            mends: Mends::No,
            effort: 1,
            query_timeout: Duration::from_secs(60),
            alone: false,
            costs: None,
            timings: false,
            coverage: false,
            anatomy: false,
            compile_commands: None,
            config: Choice::None,
            cache: None,
            keep_smt: false,
            only: Vec::new(),
            shard: None,
            bounds: FileBounds::default(),
            stop: Stop::default(),
            told: Told::default(),
            stdin: Stdin::default(),
            scan: Arc::default(),
            earlier: Earlier::default(),
        }
    }
}

impl AnalysisOptions {
    /// Whether a kernel is to be checked: its name, or its name without template arguments, is one of those asked for.
    #[must_use]
    pub fn wants(&self, kernel: &str) -> bool {
        self.kernels.is_empty() || self.kernels.iter().any(|name| names(name, kernel))
    }
}

/// Whether a name given by the user means a kernel: `reduce` means `reduce<256>` and `ns::reduce` too.
#[must_use]
pub fn names(given: &str, kernel: &str) -> bool {
    let plain = |name: &str| -> String { name.chars().filter(|c| !c.is_whitespace()).collect() };
    let (given, kernel) = (plain(given), plain(kernel));
    let split = |name: &str| match name.find('<') {
        Some(at) => (name[..at].to_owned(), name[at..].to_owned()),
        None => (name.to_owned(), String::new()),
    };
    let (given_base, given_arguments) = split(&given);
    let (base, arguments) = split(&kernel);
    let same_base = base == given_base || base.ends_with(&format!("::{given_base}"));
    same_base && (given_arguments.is_empty() || given_arguments == arguments)
}

/// A macro of the command line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Macro {
    /// `-D`.
    Define {
        /// Name, with parameters if it has some: `F(x)`.
        name: String,
        /// Its body.
        value: String,
    },
    /// `-U`.
    Undefine {
        /// Name.
        name: String,
    },
}

/// Which pairs of threads are asked about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Scopes {
    /// Within a block and between blocks.
    #[default]
    All,
    /// Within a block.
    IntraBlock,
    /// Between blocks.
    InterBlock,
}

/// Which files of a run are one program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Link {
    /// Those of one folder or one target that refer to each other
    #[default]
    Programs,
    /// Each by itself
    Never,
    /// All of them
    All,
}

/// What is taken of two arrays that host code neither shows to be one nor to be two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
pub enum Aliasing {
    /// They do not overlap, which is an assumption that names them
    #[default]
    Assumed,
    /// Nothing: the kernel stays undecided where one of them is written
    Strict,
}

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

/// A launch given by flag, header or configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GivenLaunch {
    /// `Flag` as soon as one of the sizes comes from a flag, else `Header` or `Configuration`: these two are not mixed.
    pub source: LaunchSource,
    /// Block size, if it is given.
    pub block_dim: Option<Dims>,
    /// Grid size, if it is given.
    pub grid_dim: Option<Dims>,
    /// Line of the header that gives the launch.
    pub header_line: Option<u32>,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::parse_header;

    #[test]
    fn flags_override_the_header() {
        let header = parse_header("//--blockDim=64 --gridDim=4 -DN=8 -Iinc --warp-sync=32\n")
            .expect("a header");
        let mut options = AnalysisOptions::default();
        let path = Path::new("kernels/a.cu");

        let unit = UnitOptions::new(&options, &header, path);
        let launch = unit.launch.expect("a launch");
        assert_eq!(launch.source, LaunchSource::Header);
        assert_eq!(launch.block_dim, Some([64, 1, 1]));
        assert_eq!(unit.include_dirs, [PathBuf::from("kernels/inc")]);
        assert_eq!(unit.warp_sync, Some(32));

        options.block_dim = Some([8, 8, 1]);
        options.macros = vec![Macro::Undefine {
            name: "N".to_owned(),
        }];
        let unit = UnitOptions::new(&options, &header, path);
        let launch = unit.launch.expect("a launch");
        assert_eq!(launch.source, LaunchSource::Flag);
        assert_eq!(launch.block_dim, Some([8, 8, 1]));
        assert_eq!(launch.grid_dim, Some([4, 1, 1]));
        assert_eq!(unit.macros.len(), 2);
        assert_eq!(unit.macros[1], options.macros[0]);

        let unit = UnitOptions::new(&AnalysisOptions::default(), &Header::default(), path);
        assert_eq!(unit.launch, None);
    }

    #[test]
    fn names_mean_instantiations_and_namespaces() {
        assert!(names("reduce", "reduce"));
        assert!(names("reduce", "reduce<256, float>"));
        assert!(names("reduce<256,float>", "reduce<256, float>"));
        assert!(names("reduce", "ns::reduce<256>"));
        assert!(!names("reduce<128>", "reduce<256>"));
        assert!(!names("reduce", "prereduce"));
        assert!(!names("reduce", "reduce2"));
        assert!(!names("T>", "f<ns::T>"));
    }
}
