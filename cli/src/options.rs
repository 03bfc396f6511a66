//! What the command line and the header of a file ask of the analysis, as plain data; each choice has its type in
//! [`crate::choices`], [`crate::macros`], [`crate::texts`] and [`crate::told`].

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use warplog_report::LaunchSource;
use warplog_solver_bridge::Stop;

use crate::choices::{Aliasing, Choice, FileBounds, Link, Mends, Scopes, Shard};
use crate::dims::Dims;
use crate::macros::Macro;
use crate::naming::names;
use crate::scan::Scan;
use crate::store::Cache;
use crate::texts::{Earlier, Stdin};
use crate::told::Told;

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
    /// Whether no parameter has the value that host code passes.
    pub open_arguments: bool,
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
            open_arguments: false,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Header;
    use crate::header::parse_header;
    use crate::unit::UnitOptions;
    use std::path::Path;

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
