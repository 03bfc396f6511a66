//! The flags, each defined once; commands share them by group.
//!
//! Parsing validates: what is refused here is wrong use, exit status 2. The texts here are the help texts.

use std::ffi::OsStr;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{
    ArgGroup, ArgMatches, Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum,
};
use warplog_report::FailOn;
use warplog_report::text::options::{Detail, Shows};

use crate::choices::parse_lanes;
use crate::choices::{Aliasing, Choice, FileBounds, Link, Mends, Scopes, Shard};
use crate::dims::{Dims, parse_dims};
use crate::macros::{Macro, parse_define, parse_undefine};
use crate::naming::{Named, named};
use crate::options::AnalysisOptions;
use crate::texts::is_stdin;

/// Explained in the long help of the program and of every command that reports findings.
const EXIT_STATUS: &str = "\
Exit status:
  0  nothing found at or above --fail-on
  1  findings at or above --fail-on
  2  wrong use of the command line
  3  some input could not be read or analysed, or a launch contradicts its assumptions
If several apply, 2 comes before 3 and 3 before 1.";

const EXIT_STATUS_CHECK: &str = "\
Exit status:
  0    nothing found at or above --fail-on
  1    findings at or above --fail-on
  2    wrong use of the command line
  3    some input could not be read or analysed, or a launch contradicts its assumptions
  130  interrupted (Ctrl-C): the report holds what was found so far, and says so in every format
If several apply, 2 comes first, then 130, 3 and 1. What was analysed before an interruption is
kept: the same command goes on from there.";

const EXIT_STATUS_QUERY: &str = "\
Exit status:
  0    the rows are printed
  2    wrong use of the command line, or SQL that is refused
  3    some input could not be read or analysed
  130  interrupted (Ctrl-C): what is printed is of the files analysed by then";

const EXIT_STATUS_EQUAL: &str = "\
Exit status:
  0    equal
  1    different
  2    wrong use
  3    some input could not be read or analysed
  4    unknown
  130  interrupted (Ctrl-C)";

const EXIT_STATUS_ENSURES: &str = "\
Exit status:
  0  all hold
  1  one fails
  2  wrong use
  3  some input could not be read or analysed
  4  none fails, and one is unknown";

const EXIT_STATUS_GATE: &str = "\
Exit status:
  0  pass: every kernel is shown to be race-free
  1  fail: a confirmed or conditional finding, no kernel, or the code could not be analysed
  2  wrong use
  4  warn: nothing is wrong for certain, and not everything is shown";

const EXIT_STATUS_EXPLAIN: &str = "\
Exit status:
  0    it is explained
  2    wrong use of the command line, or there is no such thing
  3    some input could not be read or analysed
  130  interrupted (Ctrl-C): what is told is of the files analysed by then";

const EXIT_STATUS_TRIAGE: &str = "\
Exit status:
  0    the answers are written, or there was nothing to ask
  2    wrong use of the command line, or an answer to what is not asked
  3    some input could not be read or analysed, or an answer contradicts the program
  130  interrupted (Ctrl-C)";

const EXIT_STATUS_LSP: &str = "\
Exit status:
  0  the editor said `shutdown` and `exit`
  1  it said `exit` alone, or was gone
  2  wrong use of the command line
  3  its messages could not be read, or it could not be written to";

const EXIT_STATUS_TOLD: &str = "\
Exit status:
  0  it is printed
  2  wrong use of the command line
  3  it could not be written";

const EXIT_STATUS_FACTS: &str = "\
Exit status:
  0    the facts are written
  2    wrong use of the command line
  3    some input could not be read or analysed, or the facts could not be written
  130  interrupted (Ctrl-C): the facts of the files analysed by then are written";

/// Finds data races and barrier divergence in CUDA kernels
///
/// Reads CUDA source, needs no GPU and no CUDA toolkit, and says of every kernel whether it is free of races (under which
/// launch and assumptions), which two threads collide, or why it cannot tell.
#[derive(Debug, Parser)]
#[command(
    name = "warplog",
    version,
    long_version = long_version(),
    max_term_width = 100,
    // What comes later counts: an alias, or the arguments of a hook, can be overridden.
    args_override_self = true,
    after_long_help = EXIT_STATUS_CHECK
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check kernels in source files and folders
    ///
    /// Folders are searched for .cu, .cuh and .hip files, and for C++ and Python with kernels in their text or strings, below
    /// them too; hidden files and folders are left out unless they are named. A file named on the command line may end in anything. A kernel in a header is reported once, with the
    /// launches of all files that include it. A source in a folder that others include is read as part of them; a header with
    /// kernels that no source includes is checked by itself.
    Check(CheckArgs),
    /// Check kernels, and tell what accesses, branches and barriers cost
    ///
    /// The same as `warplog check --costs`.
    Costs(CheckArgs),
    /// Tell whether two kernels leave equal contents
    ///
    /// For every size of block and grid, every argument and all contents that both admit. A side is FILE:KERNEL, or FILE:A,B for a
    /// sequence of launches. Parameters are the same if they have one name, else by their position, or as --map says.
    Equal(EqualArgs),
    /// Tell whether post-conditions hold behind a kernel
    ///
    /// For every size of block and grid, every argument and all contents that it admits. A post-condition stands at the kernel,
    /// `// warplog: ensures for i: i < n => out[i] == 2 * old(in[i])`, or is given by --that. FILE:A,B is a sequence of launches.
    Ensures(EnsuresArgs),
    /// Tell whether generated code may pass
    ///
    /// It passes only if every kernel is shown to be race-free. What is not understood, what takes too long and a text without a
    /// kernel do not pass. Comments and annotations in the code, warplog.toml and kept results count for nothing. The reasons are
    /// sentences that can be handed back to whoever wrote the code.
    Gate(GateArgs),
    /// Write the facts of kernels as CSV, one file a relation
    ///
    /// `warplog solve` gives the findings of `warplog check` from such a folder. The format is described by a page written next
    /// to the relations.
    Facts(FactsArgs),
    /// Check kernels from a folder of facts
    ///
    /// The folder was written by `warplog facts`, perhaps edited since, or by another tool. A damaged folder is refused with the
    /// file and the line.
    Solve(SolveArgs),
    /// Ask questions in SQL about facts, what the rules derive, and findings
    ///
    /// SOURCE is a folder that `warplog facts --out` wrote, or a database of `warplog facts --sqlite`; with --scan, source is
    /// analysed at once. `--list` shows the tables, `--describe TABLE` what one holds. docs/queries.md has questions to start from.
    Query(QueryArgs),
    /// Ask the questions that would settle findings, and write the answers to warplog.toml
    ///
    /// Those that settle most come first. A yes is assumed from then on of the kernels that the question is about, a no is not asked
    /// again; both stand in warplog.toml with a reason and the date. An answer that contradicts the launches of the program is an error
    /// and is not written. Files that no answer is about keep their results.
    Triage(TriageArgs),
    /// Tell why something was found, or why it was not
    ///
    /// WHAT is the id of a finding, a kernel, a line (`reduce.cu:12`), or the id of a pair as the pages of kernels and lines show
    /// it. Told are the facts, the numbered rules that were applied to them (`warplog rules` explains each), the solver's answer,
    /// its model, and the replay. Without a PATH, the files and flags are those of the last `warplog check` from this folder.
    Explain(ExplainArgs),
    /// Serve an editor by the language server protocol
    ///
    /// Over standard input and output. Diagnostics while typing, hovers, mends and suppressions as code actions, and the verdict over
    /// each kernel. docs/editors.md says how editors start it. Nothing is read from and kept in the cache.
    Lsp(LspArgs),
    /// Serve an agent by the model context protocol
    ///
    /// Over standard input and output: the tools check, explain, equal and costs, for a path or a source text. docs/agents.md says how
    /// agents start it.
    Mcp,
    /// Say what a kind of finding, or a rule of the analysis, means
    ///
    /// Without an ID, all are listed. Kinds of findings have a page with a bad and a good kernel; the rules (`R26`, `D7`,
    /// `same-injective-index`) are those that derive relations and discharge pairs, as `warplog explain` names them.
    Rules(RulesArgs),
    /// Write the completions of a shell to standard output
    ///
    /// For bash: `warplog completions bash > ~/.local/share/bash-completion/completions/warplog`.
    Completions(CompletionsArgs),
    /// Write the manual page to standard output
    ///
    /// `warplog man | man -l -` shows it. Without a COMMAND, the page of the program itself.
    Man(ManArgs),
}

/// Arguments of `triage`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS_TRIAGE)]
pub struct TriageArgs {
    /// Files and folders to check
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// List the questions and ask none
    #[arg(long, conflicts_with_all = ["yes", "no"])]
    pub list: bool,
    /// Answer with yes: the condition always holds; may be repeated
    ///
    /// The condition as it is asked, or its number in --list. Nothing is asked then.
    #[arg(long, value_name = "CONDITION")]
    pub yes: Vec<String>,
    /// Answer with no: it need not hold; may be repeated
    #[arg(long, value_name = "CONDITION")]
    pub no: Vec<String>,
    /// Why, for --yes and --no
    #[arg(long, value_name = "REASON")]
    pub because: Option<String>,
    /// How to read the source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What to look for.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What one file may take.
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How many threads.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

/// Arguments of `explain`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS_EXPLAIN)]
pub struct ExplainArgs {
    /// Id of a finding or a pair, name of a kernel, or FILE:LINE
    #[arg(value_name = "WHAT")]
    pub target: String,
    /// Files and folders to analyse
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Write the formula that was decisive, as SMT-LIB
    ///
    /// It needs nothing else: `warplog explain ID --smt | z3 -in` gives the same answer.
    #[arg(long)]
    pub smt: bool,
    /// How to read the source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What to look for.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What one file may take.
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How many threads.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

/// Arguments of `lsp`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS_LSP)]
pub struct LspArgs {
    /// Talk over standard input and output, as it does anyway: many clients say so
    #[arg(long)]
    pub stdio: bool,
    /// How to read the source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What to look for.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What one file may take.
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How many threads.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

/// Arguments of `rules`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS_TOLD)]
pub struct RulesArgs {
    /// Kind of finding, or number or name of a rule
    #[arg(value_name = "ID")]
    pub id: Option<String>,
}

/// Arguments of `completions`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS_TOLD)]
pub struct CompletionsArgs {
    /// Which shell
    #[arg(value_name = "SHELL")]
    pub shell: clap_complete::Shell,
}

/// Arguments of `man`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS_TOLD)]
pub struct ManArgs {
    /// Command whose page is written
    #[arg(value_name = "COMMAND")]
    pub command: Option<String>,
}

/// What `--version` says: a report about a wrong answer needs the version of the solver too.
fn long_version() -> &'static str {
    static TEXT: OnceLock<String> = OnceLock::new();
    let version = env!("CARGO_PKG_VERSION");
    TEXT.get_or_init(|| format!("{version}\nZ3 {}", warplog_solver_bridge::z3_version()))
}

/// Arguments of `check`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS_CHECK)]
pub struct CheckArgs {
    /// Files and folders to check; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How to read the source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What to look for.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What is counted.
    #[command(flatten)]
    pub costs: CostArgs,
    /// What to print.
    #[command(flatten)]
    pub output: OutputArgs,
    /// Add what the run covers
    ///
    /// Kernels found, modelled and decided, launches bound, reasons by number of kernels, headers and macros that are missing,
    /// kernels that conditionals leave out; with --timings times too.
    #[arg(long, help_heading = "Output")]
    pub coverage: bool,
    /// Do not look for changes of the source that mend what is found
    ///
    /// Else barriers, atomic operations and the like are put into the text of a kernel with a confirmed or conditional finding, which is
    /// analysed again; the first change that leaves it race-free is shown. Of many files only a few changes are tried for each kernel.
    #[arg(long, help_heading = "Search")]
    pub no_mends: bool,
    /// Count only findings of the change since this revision of the git repository
    ///
    /// Those that are on lines which the work tree has and the revision has not, and those that the revision's text does not have, or has
    /// with less certainty. The others stay in the report, as suppressed.
    #[arg(long, value_name = "REV", help_heading = "Output", conflicts_with_all = ["fix", "write_baseline"])]
    pub diff: Option<String>,
    /// Stay, and check again when a file changes that was read
    ///
    /// Until Ctrl-C. A change that comes while files are checked begins anew.
    #[arg(long, help_heading = "Running", conflicts_with_all = ["fix", "write_baseline"])]
    pub watch: bool,
    /// Make the changes that were proved to mend a kernel, and check again
    ///
    /// Files are written in place, those that changed meanwhile are not. What is reported is what is left.
    #[arg(long, conflicts_with = "no_mends", help_heading = "Running")]
    pub fix: bool,
    /// Check one of N parts of the files, the I-th
    ///
    /// `--shard 1/8` to `--shard 8/8` check every file once, on as many machines as there are parts. Which part a file belongs to
    /// follows from its name below the folder given, so that it does not depend on the others. A header is in the part of each
    /// source that includes it; one that no source of its part includes is checked by itself.
    #[arg(long, value_name = "I/N", value_parser = parse_shard, help_heading = "Running")]
    pub shard: Option<Shard>,
    /// Analyse every file, also those whose results are known
    ///
    /// Results are kept in the folder that WARPLOG_CACHE_DIR names, else with the caches of the user; set but empty, it keeps
    /// none. They are used for as long as neither the file nor a header nor anything that is asked changes.
    #[arg(long, help_heading = "Running")]
    pub no_cache: bool,
    /// What one file may take.
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How many threads.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

impl CheckArgs {
    /// How far mends are looked for: further where a file is given alone, see `driver`.
    pub(crate) fn mends(&self) -> Mends {
        match (self.no_mends, self.fix) {
            (true, _) => Mends::No,
            (_, true) => Mends::Many,
            _ => Mends::Few,
        }
    }
}

/// What the analysis of one file may take.
#[derive(Clone, Copy, Debug, Args)]
pub struct BoundsArgs {
    /// Give up on a file after this many seconds; 0 for as long as it takes
    ///
    /// Wall time or processor time, whichever is less. The report has what was decided by then, and an error that says where
    /// the analysis was; the other files are checked all the same.
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "120",
        help_heading = "Running"
    )]
    pub file_timeout: u64,
    /// Give up on a file whose analysis takes more memory than this; 0 for as much as there is
    ///
    /// Each file in work may take so much. One that takes more is an error that says where the analysis was; the other files are
    /// checked all the same.
    #[arg(
        long,
        value_name = "MIB",
        default_value = "4096",
        help_heading = "Running"
    )]
    pub file_memory: u64,
}

impl BoundsArgs {
    /// The bounds for one run.
    pub(crate) fn get(self) -> FileBounds {
        bounds(self.file_timeout, self.file_memory)
    }
}

/// Bounds in seconds and mebibytes, 0 for none.
fn bounds(seconds: u64, mebibytes: u64) -> FileBounds {
    let given = |number: u64| (number > 0).then_some(number);
    FileBounds {
        time: given(seconds).map(Duration::from_secs),
        memory: given(mebibytes).map(|mebibytes| mebibytes.saturating_mul(1 << 20)),
    }
}

/// The I-th of N parts.
fn parse_shard(text: &str) -> Result<Shard, String> {
    let wrong = || "expected I/N, I from 1 to N".to_owned();
    let (number, count) = text.split_once('/').ok_or_else(wrong)?;
    let number: u64 = number.parse().map_err(|_| wrong())?;
    let count: u64 = count.parse().map_err(|_| wrong())?;
    match 1 <= number && number <= count {
        true => Ok(Shard { number, count }),
        false => Err(wrong()),
    }
}

/// The compute capability that costs are counted for unless another is given, ten times the major number and the minor one.
pub(crate) const CAPABILITY: u32 = 80;

/// What is counted.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Costs")]
pub struct CostArgs {
    /// Tell what accesses, branches and barriers cost, too
    ///
    /// Bank conflicts, uncoalesced accesses, branches on which lanes of a warp differ, and barriers without which the kernel is
    /// race-free all the same, each with how often and what would help. They are part of no verdict, and no run fails for them.
    #[arg(long)]
    pub costs: bool,
    /// Count for devices of this compute capability
    ///
    /// 1.x has 16 banks and requests of half a warp, which 1.0 and 1.1 serve together only if lanes are in order; 2.x fetches lines of 128
    /// bytes; all later ones count alike.
    #[arg(long, value_name = "X.Y", default_value = "8.0", value_parser = parse_capability)]
    pub compute_capability: u32,
}

impl CostArgs {
    /// The options for one run; `always` if costs are what the command is for.
    pub(crate) fn apply(self, always: bool, options: &mut AnalysisOptions) {
        options.costs = (self.costs || always).then_some(self.compute_capability);
    }
}

/// Of `8.0`, ten times the major number and the minor one.
fn parse_capability(text: &str) -> Result<u32, String> {
    let (major, minor) = text.split_once('.').unwrap_or((text, "0"));
    match (major.parse(), minor.parse()) {
        (Ok(major @ 1..=99), Ok(minor @ 0..=9)) => Ok(10_u32 * major + minor),
        _ => Err("expected a compute capability, as in 8.0".to_owned()),
    }
}

/// Arguments of `equal`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS_EQUAL)]
pub struct EqualArgs {
    /// The kernel that is known to be right
    #[arg(value_name = "LEFT", value_parser = named)]
    pub left: Named,
    /// The kernel that is compared with it
    #[arg(value_name = "RIGHT", value_parser = named)]
    pub right: Named,
    /// Take this parameter of the left side to be that one of the right; may be repeated
    #[arg(long, value_name = "LEFT=RIGHT", value_parser = parse_pair)]
    pub map: Vec<(String, String)>,
    /// How floating-point results are compared
    #[arg(long, value_enum, value_name = "HOW", default_value = "exact")]
    pub float: Floats,
    /// Take kernels to be race-free of which that is not shown
    ///
    /// It becomes an assumption of the answer. A race that is confirmed remains the answer.
    #[arg(long)]
    pub assume_race_free: bool,
    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub format: EqualFormat,
    /// Write why the two are equal, or what is not seen to be, into this folder: one CSV file a relation
    #[arg(long, value_name = "DIR")]
    pub facts: Option<PathBuf>,
    /// How to read the source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What one file may take.
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How many threads.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

/// Arguments of `ensures`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS_ENSURES)]
pub struct EnsuresArgs {
    /// The kernel
    #[arg(value_name = "FILE:KERNEL", value_parser = named)]
    pub kernel: Named,
    /// A post-condition, beyond those in the source; may be repeated
    #[arg(long, value_name = "CONDITION")]
    pub that: Vec<String>,
    /// How floating-point results are compared
    #[arg(long, value_enum, value_name = "HOW", default_value = "exact")]
    pub float: Floats,
    /// Take kernels to be race-free of which that is not shown
    ///
    /// It becomes an assumption of the answer. A race that is confirmed remains the answer.
    #[arg(long)]
    pub assume_race_free: bool,
    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub format: EnsuresFormat,
    /// How to read the source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What the analysis of the file may take.
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How many threads.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

/// Formats of the answer of `ensures`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EnsuresFormat {
    /// For people
    Text,
    /// For programs; the schema is in docs/equivalence.md
    Json,
}

/// Arguments of `gate`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS_GATE)]
pub struct GateArgs {
    /// Files and folders to judge; `-` is standard input
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Format of the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub format: GateFormat,
    /// Give up on a file after this many seconds, which is no pass; 0 for as long as it takes
    #[arg(long, value_name = "SECONDS", default_value = "120")]
    pub file_timeout: u64,
    /// Give up on a file whose analysis takes more memory than this, which is no pass; 0 for as much as there is
    #[arg(long, value_name = "MIB", default_value = "4096")]
    pub file_memory: u64,
    /// How to read the source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What to look for.
    #[command(flatten)]
    pub search: SearchArgs,
    /// How many threads.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

impl GateArgs {
    /// What the analysis of one file may take.
    pub(crate) fn bounds(&self) -> FileBounds {
        bounds(self.file_timeout, self.file_memory)
    }
}

/// Formats of the answer of `gate`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum GateFormat {
    /// The answer in the first line, then a line for each reason
    Text,
    /// For programs; the schema is in docs/python.md
    Json,
}

/// How floating-point results are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Floats {
    /// The same operations in the same order
    Exact,
    /// Sums and products as those of the reals: equal up to rounding
    Reassociated,
}

/// Formats of the answer of `equal`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum EqualFormat {
    /// For people
    Text,
    /// For programs; the schema is in docs/equivalence.md
    Json,
    /// One page with both kernels side by side
    Html,
}

/// Two names.
fn parse_pair(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((left, right)) if !left.is_empty() && !right.is_empty() => {
            Ok((left.to_owned(), right.to_owned()))
        }
        _ => Err("expected LEFT=RIGHT, two names of parameters".to_owned()),
    }
}

/// Arguments of `facts`.
#[derive(Debug, Args)]
#[command(
    after_long_help = EXIT_STATUS_FACTS,
    group(ArgGroup::new("to").args(["out", "sqlite"]).required(true).multiple(true))
)]
pub struct FactsArgs {
    /// Files and folders to read
    #[arg(required = true, value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// Folder to write CSV to; made if it is missing
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Write what the rules derive to the folder too
    ///
    /// Uniform terms, barrier intervals, candidates, and the pairs that a rule discharged, with the rule. They are not read back. A database
    /// has them with and without this flag.
    #[arg(long)]
    pub derived: bool,
    /// Write one SQLite database: facts, what the rules derive, and the findings
    #[arg(long, value_name = "FILE")]
    pub sqlite: Option<PathBuf>,
    /// How to read the source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What one file may take.
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How many threads.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

/// Arguments of `solve`.
#[derive(Debug, Args)]
#[command(after_long_help = EXIT_STATUS)]
pub struct SolveArgs {
    /// Folder of facts
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// What to look for.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What is counted.
    #[command(flatten)]
    pub costs: CostArgs,
    /// What to print.
    #[command(flatten)]
    pub output: OutputArgs,
    /// What the folder may take.
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How many threads.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

/// Arguments of `query`.
#[derive(Debug, Args)]
#[command(
    after_long_help = EXIT_STATUS_QUERY,
    override_usage = "warplog query [OPTIONS] <SOURCE> <SQL>\n       warplog query [OPTIONS] --scan <PATH> <SQL>\n       warplog query --list\n       warplog query --describe <TABLE>"
)]
pub struct QueryArgs {
    /// What to ask, and of what: `SOURCE SQL`, or `SQL` with --scan
    #[arg(value_name = "SOURCE SQL", num_args = 0..=2)]
    pub words: Vec<String>,
    /// Analyse source files and folders; may be repeated
    #[arg(long, value_name = "PATH")]
    pub scan: Vec<PathBuf>,
    /// List the tables
    #[arg(long, conflicts_with_all = ["words", "scan", "describe"])]
    pub list: bool,
    /// Say what a table holds, column by column
    #[arg(long, value_name = "TABLE", conflicts_with_all = ["words", "scan"])]
    pub describe: Option<String>,
    /// How the rows are printed
    #[arg(long, value_name = "FORMAT", default_value = "table")]
    pub format: RowFormat,
    /// How to read the source.
    #[command(flatten)]
    pub source: SourceArgs,
    /// What to look for.
    #[command(flatten)]
    pub search: SearchArgs,
    /// What one file may take.
    #[command(flatten)]
    pub bounds: BoundsArgs,
    /// How many threads.
    #[command(flatten)]
    pub jobs: JobsArgs,
}

/// How rows are printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum RowFormat {
    /// Columns side by side
    Table,
    /// Comma-separated, with a header line
    Csv,
    /// A list of objects
    Json,
}

/// How source is read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Source")]
pub struct SourceArgs {
    /// Launch kernels with this block size
    ///
    /// One to three sizes, those left out are 1. Overrides launches in the code and in the header line of the file, and
    /// may exceed what hardware allows. Without a block size from anywhere, every size is considered along the axes that the
    /// kernel mentions; along the others it is 1.
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = parse_dims)]
    pub block_dim: Option<Dims>,
    /// Launch kernels with this grid size
    ///
    /// As with --block-dim.
    #[arg(long, value_name = "X[,Y[,Z]]", value_parser = parse_dims)]
    pub grid_dim: Option<Dims>,
    /// Assume that the threads of a warp run in lock-step
    ///
    /// The older meaning, before Volta: within a warp of 32 only simultaneous writes of one instruction, and accesses of
    /// diverged arms of a branch, conflict. 1 is the default: every thread on its own. Overrides the header line of the file.
    #[arg(long, value_name = "LANES", value_parser = parse_lanes)]
    pub warp_sync: Option<u32>,
    /// Define a macro, as 1 if no value is given
    ///
    /// Overrides definitions in the header line of the file. -D and -U take effect in the order given.
    #[arg(short = 'D', value_name = "NAME[=VALUE]", value_parser = parse_define)]
    pub define: Vec<Macro>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", value_parser = parse_undefine)]
    pub undefine: Vec<Macro>,
    /// Read files for these architectures: sm_80,sm_90
    ///
    /// The value of __CUDA_ARCH__, instead of what the compile commands say. With several, each file is read for each, in one run, and
    /// the launches of a finding say for which it was found. Without it, and where no compile command says it, it is 700, or 900 for a file of
    /// which 700 leaves a kernel empty or an #error.
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = architecture)]
    pub arch: Vec<u32>,
    /// Search a folder for included files
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Take macros and include folders from compile_commands.json
    ///
    /// The file, or the folder that holds it. Files that it does not name get the flags of the nearest one that it names; C++
    /// files that it compiles as CUDA are checked too. Without it, macros and include folders
    /// are taken from the compile line of the nearest makefile, and headers that are not found are looked for by their names
    /// below the folders checked; notes say which.
    #[arg(short = 'p', value_name = "DIR")]
    pub compile_commands: Option<PathBuf>,
    /// Name of the file that `-` stands for
    ///
    /// Reports name it so, and headers and warplog.toml are looked for from its folder: for editors, which have the text of a file
    /// that is not saved yet.
    #[arg(long, value_name = "FILE")]
    pub stdin_name: Option<PathBuf>,
    /// Ignore annotations
    ///
    /// `__requires`, `__invariant` and their kin, `__assume`, assertions and `// warplog:` comments are neither used nor checked.
    #[arg(long)]
    pub no_annotations: bool,
    /// Assume this of every kernel in which its names are known; may be repeated
    ///
    /// An expression as in annotations, over parameters, `blockDim` and `gridDim`: `n <= blockDim.x * gridDim.x`,
    /// `__is_pow2(blockDim.x)`; or `__distinct(idx)`, the elements of idx are pairwise different. What is assumed is listed in the
    /// report; assumptions that contradict each other or the launch are an error.
    #[arg(long, value_name = "EXPR", value_parser = assumption)]
    pub assume: Vec<String>,
    /// Check functions with a contract once, and use them by it
    ///
    /// Of functions that say what they require and ensure, take and give scalars and touch no shared memory. Others are looked at
    /// anew at each call.
    #[arg(long, conflicts_with = "no_annotations")]
    pub modular: bool,
    /// What is taken of arrays that host code does not show to be apart
    ///
    /// Those that it shows to be one are one in either case.
    #[arg(long, value_enum, value_name = "HOW")]
    pub aliasing: Option<Aliasing>,
    /// Check what a kernel asserts about its arguments and its launch
    ///
    /// `assert(n % 4 == 0)` is what the kernel requires of its caller: it is assumed and listed, and a finding only where the values that
    /// the program passes refute it. With this it is one where any caller could.
    #[arg(long, conflicts_with = "no_annotations")]
    pub check_assertions: bool,
    /// Which files are followed as one program
    ///
    /// A target is one of the compile commands, of a CMakeLists.txt or of a makefile.
    #[arg(long, value_enum, value_name = "FILES", default_value = "programs")]
    pub link: Link,
    /// Take the configuration from this file
    ///
    /// Without it, that of a file is the nearest warplog.toml from its folder upwards.
    #[arg(long, value_name = "FILE", conflicts_with = "no_config")]
    pub config: Option<PathBuf>,
    /// Read no warplog.toml
    #[arg(long)]
    pub no_config: bool,
}

/// An architecture of `--arch`, as the value of `__CUDA_ARCH__`: `sm_90`, `compute_90a`, `90`, `900`.
fn architecture(text: &str) -> Result<u32, String> {
    let number = text.strip_prefix("sm_").or(text.strip_prefix("compute_"));
    let number = number.unwrap_or(text).trim_end_matches(['a', 'f']);
    let value = number.parse::<u32>().ok().and_then(|number| match number {
        20..=199 => Some(number * 10),
        200..=1990 if number % 10 == 0 && !text.contains('_') => Some(number),
        _ => None,
    });
    value.ok_or_else(|| "not an architecture such as sm_90".to_owned())
}

/// An expression of `--assume`.
fn assumption(text: &str) -> Result<String, String> {
    warplog_extractor::check_assumption(text).map(|()| text.to_owned())
}

/// What is looked for.
#[derive(Debug, Args)]
#[command(next_help_heading = "Search")]
pub struct SearchArgs {
    /// Do not look for what would make a racy kernel race-free
    ///
    /// Else a finding in a kernel with open sizes or parameters names a condition on them under which there is none, if one of a
    /// few is found quickly: `n <= blockDim.x * gridDim.x`, a power of two, one block.
    #[arg(long)]
    pub no_preconditions: bool,
    /// Take nothing as sane that a caller decides
    ///
    /// A finding that is exact is then confirmed, also where it takes a size of 0 or a row that is longer than the pitch.
    #[arg(long)]
    pub paranoid: bool,
    /// Check only kernels of this name; may be repeated
    ///
    /// `reduce` means every instantiation of a template, `reduce<256>` one of them.
    #[arg(long, value_name = "NAME")]
    pub kernel: Vec<String>,
    /// Look for races within a block only
    ///
    /// That no other block interferes becomes a listed assumption.
    #[arg(long, conflicts_with = "only_inter_block")]
    pub only_intra_block: bool,
    /// Look for races between blocks only
    #[arg(long)]
    pub only_inter_block: bool,
    /// Report writes of the same value to the same bytes, too
    ///
    /// They are no race: one or the other, the memory holds the same. Without this option they are remarked on.
    #[arg(long)]
    pub report_benign: bool,
    /// Search this many times as long before calling a kernel unknown, at most 1000
    ///
    /// Budgets count steps of the solver, not seconds: a run decides the same on any machine. The default suits scans of whole
    /// repositories.
    #[arg(long, value_name = "N", default_value = "1", value_parser = parse_effort)]
    pub effort: u32,
    /// Give up on a query of the solver after this many milliseconds
    ///
    /// A safety net: queries have budgets that do not depend on the machine, and stop long before. A query that runs into this
    /// limit is reported, and its kernel is unknown.
    #[arg(long, value_name = "MS", default_value = "60000", value_parser = parse_milliseconds)]
    pub timeout: Duration,
}

/// What is printed, and when the run fails.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArgs {
    /// Format of the report on standard output; text if left out
    #[arg(long, value_name = "FORMAT")]
    pub format: Option<Format>,
    /// Write the report to a file as well; may be repeated
    ///
    /// `--output sarif=findings.sarif --output csv=findings.csv` writes two files besides what --format prints. The file `-` is
    /// standard output, in place of --format. A file that the run reads is refused.
    #[arg(long, short = 'o', value_name = "FORMAT=FILE", value_parser = OutputParser, hide_possible_values = true)]
    pub output: Vec<OutputFile>,
    /// Write the report as tables to a folder as well: kernels, launches, findings, questions, coverage, errors
    ///
    /// One file each, `--rows csv=DIR` or `--rows parquet=DIR`, as far as the program was built with Parquet. They replace
    /// those of an earlier run.
    #[arg(long, value_name = "FORMAT=DIR", value_parser = parse_rows)]
    pub rows: Vec<(RowsFormat, PathBuf)>,
    /// What makes the exit status 1
    #[arg(long, value_name = "WHAT", default_value = "confirmed")]
    pub fail_on: FailOnArg,
    /// Fail on new findings only: those that this baseline does not know
    ///
    /// Findings are recognised by kernel, kind and the text of their lines, so that moved lines do not make them new. A known
    /// finding stays in the report, as suppressed.
    #[arg(long, value_name = "FILE", conflicts_with = "write_baseline")]
    pub baseline: Option<PathBuf>,
    /// Write the findings to a baseline, as known from now on
    #[arg(long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
    /// Add the time each phase took
    #[arg(long)]
    pub timings: bool,
    /// Tell all in the text: every launch, assumption, reason and note, nothing cut
    #[arg(long, short = 'v', conflicts_with = "quiet")]
    pub verbose: bool,
    /// Print findings, and what could not be read, and nothing else
    #[arg(long, short = 'q')]
    pub quiet: bool,
    /// Show in full what the text else counts; may be repeated
    #[arg(long, value_name = "KIND")]
    pub show: Vec<ShowArg>,
    /// Colour the text
    ///
    /// `auto` colours on a terminal, unless NO_COLOR is set. A file that --output writes is never coloured.
    #[arg(long, value_name = "WHEN", default_value = "auto")]
    pub color: ColorArg,
}

/// Formats of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsFormat {
    /// `.csv`.
    Csv,
    /// `.parquet`.
    #[cfg(feature = "parquet")]
    Parquet,
}

/// A format of tables and a folder.
fn parse_rows(text: &str) -> Result<(RowsFormat, PathBuf), String> {
    let format = match text.split_once('=') {
        Some(("csv", _)) => RowsFormat::Csv,
        #[cfg(feature = "parquet")]
        Some(("parquet", _)) => RowsFormat::Parquet,
        #[cfg(not(feature = "parquet"))]
        Some(("parquet", _)) => {
            return Err(
                "this program was built without Parquet: `csv=DIR` writes the same tables"
                    .to_owned(),
            );
        }
        _ => return Err("expected csv=DIR or parquet=DIR".to_owned()),
    };
    match text.split_once('=') {
        Some((_, folder)) if !folder.is_empty() => Ok((format, PathBuf::from(folder))),
        _ => Err("the name of the folder is missing".to_owned()),
    }
}

/// What is shown in full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ShowArg {
    /// Conditional findings, however many there are
    Conditional,
    /// Potential findings
    Potential,
    /// Undecided kernels, with all reasons
    Unknown,
    /// Proved kernels, with launches and assumptions
    RaceFree,
    /// Findings that are suppressed
    Suppressed,
    /// All of them
    All,
}

/// When text is coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ColorArg {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

impl OutputArgs {
    /// The format of standard output: that of `--output FORMAT=-`, else that of `--format`.
    pub(crate) fn on_stdout(&self) -> Format {
        let mut named = self.output.iter();
        let named = named.find(|file| is_stdin(&file.path));
        let named = named.map(|file| file.format);
        named.or(self.format).unwrap_or(Format::Text)
    }

    /// How much the text tells.
    pub(crate) fn detail(&self) -> Detail {
        match (self.quiet, self.verbose) {
            (true, _) => Detail::Quiet,
            (_, true) => Detail::Verbose,
            _ => Detail::Normal,
        }
    }

    /// What the text shows in full.
    pub(crate) fn shows(&self) -> Shows {
        let wants = |what| self.show.contains(&what) || self.show.contains(&ShowArg::All);
        Shows {
            conditional: wants(ShowArg::Conditional),
            potential: wants(ShowArg::Potential),
            unknown: wants(ShowArg::Unknown),
            race_free: wants(ShowArg::RaceFree),
            suppressed: wants(ShowArg::Suppressed),
        }
    }

    /// Whether standard output is coloured, where it would be by itself or not.
    pub(crate) fn colors(&self, by_itself: bool) -> bool {
        match self.color {
            ColorArg::Auto => by_itself,
            ColorArg::Always => true,
            ColorArg::Never => false,
        }
    }

    /// Whether the report is to be written in this format, on standard output or to a file.
    pub(crate) fn wants(&self, format: Format) -> bool {
        self.on_stdout() == format || self.output.iter().any(|file| file.format == format)
    }
}

/// How much is done at once.
#[derive(Debug, Args)]
#[command(next_help_heading = "Running")]
pub struct JobsArgs {
    /// Number of threads; as many as there are processors if left out
    ///
    /// The output does not depend on it.
    #[arg(long, short = 'j', value_name = "N", value_parser = parse_jobs)]
    pub jobs: Option<NonZeroUsize>,
}

/// The formats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people: verdicts, and findings in their source lines
    Text,
    /// One line a finding, for editors and grep
    Concise,
    /// For programs: the versioned contract warplog/2
    Json,
    /// For code hosts and editors: SARIF 2.1.0
    Sarif,
    /// For build servers: JUnit XML, a test case a kernel
    Junit,
    /// For GitLab: a code-quality report
    Gitlab,
    /// A page to look at in a browser, with source, barrier intervals and flows
    Html,
    /// A table of the findings
    Csv,
    /// A database of verdicts and findings
    Sqlite,
}

impl Format {
    /// What names the format before a file.
    fn prefix(self) -> &'static str {
        match self {
            Format::Text => "text=",
            Format::Concise => "concise=",
            Format::Json => "json=",
            Format::Sarif => "sarif=",
            Format::Junit => "junit=",
            Format::Gitlab => "gitlab=",
            Format::Html => "html=",
            Format::Csv => "csv=",
            Format::Sqlite => "sqlite=",
        }
    }
}

/// A file to write the report to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputFile {
    /// In which format.
    pub format: Format,
    /// Where.
    pub path: PathBuf,
}

/// From what on a run fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FailOnArg {
    /// Errors: confirmed findings, unless [severity] of warplog.toml says otherwise
    Confirmed,
    /// Conditional findings too, unless [severity] says otherwise
    Conditional,
    /// Errors and warnings: potential findings too, unless [severity] says otherwise
    Potential,
    /// Any finding that is not off, and any kernel that stays unknown
    Unknown,
}

impl From<FailOnArg> for FailOn {
    fn from(value: FailOnArg) -> Self {
        match value {
            FailOnArg::Confirmed => FailOn::Confirmed,
            FailOnArg::Conditional => FailOn::Conditional,
            FailOnArg::Potential => FailOn::Potential,
            FailOnArg::Unknown => FailOn::Unknown,
        }
    }
}

impl Cli {
    /// Parses a command line, the program's name first. -D and -U come out in one list, in the order given.
    ///
    /// # Errors
    /// Wrong use, and the requests for help and version: clap's error knows its text and its exit status.
    pub fn read<I, T>(arguments: I) -> Result<(Self, Vec<Macro>), clap::Error>
    where
        I: IntoIterator<Item = T>,
        T: Into<std::ffi::OsString> + Clone,
    {
        let matches = Cli::command().try_get_matches_from(arguments)?;
        let cli = Cli::from_arg_matches(&matches)?;
        let macros = matches
            .subcommand()
            .map(|(_, matches)| macros_in_order(matches))
            .unwrap_or_default();
        Ok((cli, macros))
    }
}

/// The first of some flags that was given.
fn first_given(flags: &[(&'static str, bool)]) -> Option<&'static str> {
    let mut given = flags.iter().filter(|(_, given)| *given);
    given.next().map(|(flag, _)| *flag)
}

impl SourceArgs {
    /// A flag that was given and that only says something of source.
    pub(crate) fn given(&self) -> Option<&'static str> {
        first_given(&[
            ("--block-dim", self.block_dim.is_some()),
            ("--grid-dim", self.grid_dim.is_some()),
            ("--warp-sync", self.warp_sync.is_some()),
            ("-D", !self.define.is_empty()),
            ("-U", !self.undefine.is_empty()),
            ("--arch", !self.arch.is_empty()),
            ("-I", !self.include.is_empty()),
            ("-p", self.compile_commands.is_some()),
            ("--stdin-name", self.stdin_name.is_some()),
            ("--no-annotations", self.no_annotations),
            ("--assume", !self.assume.is_empty()),
            ("--modular", self.modular),
            ("--aliasing", self.aliasing.is_some()),
            ("--check-assertions", self.check_assertions),
            ("--link", self.link != Link::Programs),
            ("--config", self.config.is_some()),
            ("--no-config", self.no_config),
        ])
    }

    /// The options for one run; `macros` are those of [`Cli::read`].
    pub(crate) fn apply(&self, options: &mut AnalysisOptions, macros: Vec<Macro>) {
        options.block_dim = self.block_dim;
        options.grid_dim = self.grid_dim;
        options.warp_sync = self.warp_sync;
        options.macros = macros;
        options.architectures.clone_from(&self.arch);
        options.include_dirs.clone_from(&self.include);
        options.compile_commands.clone_from(&self.compile_commands);
        options.no_annotations = self.no_annotations;
        options.assume.clone_from(&self.assume);
        options.modular = self.modular;
        options.aliasing = self.aliasing;
        options.check_assertions = self.check_assertions;
        options.link = self.link;
        if let Some(name) = &self.stdin_name {
            options.stdin.name.clone_from(name);
        }
        options.config = match (&self.config, self.no_config) {
            (Some(path), _) => Choice::Given(path.clone()),
            (None, true) => Choice::None,
            (None, false) => Choice::Nearest,
        };
    }
}

impl SearchArgs {
    /// A flag that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let default = AnalysisOptions::default();
        first_given(&[
            ("--no-preconditions", self.no_preconditions),
            ("--paranoid", self.paranoid),
            ("--kernel", !self.kernel.is_empty()),
            ("--only-intra-block", self.only_intra_block),
            ("--only-inter-block", self.only_inter_block),
            ("--report-benign", self.report_benign),
            ("--effort", self.effort != default.effort),
            ("--timeout", self.timeout != default.query_timeout),
        ])
    }

    /// The options for one run.
    pub(crate) fn apply(&self, options: &mut AnalysisOptions) {
        options.kernels.clone_from(&self.kernel);
        options.preconditions = !self.no_preconditions;
        options.paranoid = self.paranoid;
        options.query_timeout = self.timeout;
        options.effort = self.effort;
        options.report_benign = self.report_benign;
        options.scopes = match (self.only_intra_block, self.only_inter_block) {
            (true, _) => Scopes::IntraBlock,
            (_, true) => Scopes::InterBlock,
            _ => Scopes::All,
        };
    }
}

fn macros_in_order(matches: &ArgMatches) -> Vec<Macro> {
    let mut found: Vec<(usize, Macro)> = Vec::new();
    for id in ["define", "undefine"] {
        let Ok(Some(values)) = matches.try_get_many::<Macro>(id) else {
            continue;
        };
        let places = matches.indices_of(id).into_iter().flatten();
        found.extend(places.zip(values.cloned()));
    }
    found.sort_by_key(|(place, _)| *place);
    found.into_iter().map(|(_, macro_)| macro_).collect()
}

/// Reads `FORMAT=FILE`, and lets shells complete the format.
#[derive(Clone)]
struct OutputParser;

impl TypedValueParser for OutputParser {
    type Value = OutputFile;

    fn parse_ref(
        &self,
        command: &clap::Command,
        arg: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<OutputFile, clap::Error> {
        let parse: fn(&str) -> Result<OutputFile, String> = parse_output;
        parse.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let formats = Format::value_variants().iter();
        let values = formats.filter_map(|format| {
            let value = format.to_possible_value()?;
            let help = value.get_help().cloned().unwrap_or_default();
            Some(PossibleValue::new(format.prefix()).help(help))
        });
        Some(Box::new(values))
    }
}

fn parse_output(text: &str) -> Result<OutputFile, String> {
    let Some((format, path)) = text.split_once('=') else {
        return Err("expected FORMAT=FILE".to_owned());
    };
    if path.is_empty() {
        return Err("the name of the file is missing".to_owned());
    }
    let format = Format::from_str(format, false).map_err(|_| {
        let names: Vec<String> = Format::value_variants()
            .iter()
            .filter_map(|format| format.to_possible_value())
            .map(|value| value.get_name().to_owned())
            .collect();
        format!("`{format}` is none of {}", names.join(", "))
    })?;
    Ok(OutputFile {
        format,
        path: PathBuf::from(path),
    })
}

/// More threads than anyone has; each takes address space for its stack.
const MOST_JOBS: usize = 4096;

fn parse_jobs(text: &str) -> Result<NonZeroUsize, String> {
    text.parse::<NonZeroUsize>()
        .ok()
        .filter(|jobs| jobs.get() <= MOST_JOBS)
        .ok_or_else(|| format!("not a number from 1 to {MOST_JOBS}"))
}

/// As many times as anyone waits for.
const MOST_EFFORT: u32 = 1000;

fn parse_effort(text: &str) -> Result<u32, String> {
    text.parse::<u32>()
        .ok()
        .filter(|effort| (1..=MOST_EFFORT).contains(effort))
        .ok_or_else(|| format!("not a number from 1 to {MOST_EFFORT}"))
}

fn parse_milliseconds(text: &str) -> Result<Duration, String> {
    text.parse::<NonZeroU64>()
        .map(|milliseconds| Duration::from_millis(milliseconds.get()))
        .map_err(|_| "not a positive number of milliseconds".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<(Cli, Vec<Macro>), clap::Error> {
        Cli::read(line.split_whitespace())
    }

    fn options(line: &str) -> AnalysisOptions {
        let (cli, macros) = read(line).expect(line);
        let mut options = AnalysisOptions::default();
        let Command::Check(args) = cli.command else {
            panic!("{line}");
        };
        args.source.apply(&mut options, macros);
        args.search.apply(&mut options);
        options
    }

    #[test]
    fn the_definition_is_sound() {
        Cli::command().debug_assert();
    }

    #[test]
    fn macros_keep_their_order_joined_or_not() {
        let options = options("warplog check -DN=4 -U N a.cu -D M -UM -D N=a=b -Iinc -I more");
        let define = |name: &str, value: &str| Macro::Define {
            name: name.to_owned(),
            value: value.to_owned(),
        };
        let undefine = |name: &str| Macro::Undefine {
            name: name.to_owned(),
        };
        assert_eq!(
            options.macros,
            [
                define("N", "4"),
                undefine("N"),
                define("M", "1"),
                undefine("M"),
                define("N", "a=b")
            ]
        );
        assert_eq!(
            options.include_dirs,
            [PathBuf::from("inc"), PathBuf::from("more")]
        );
    }

    #[test]
    fn options_arrive() {
        let options = options(
            "warplog check a.cu b --block-dim 64 --grid-dim=4,2 --only-inter-block --kernel f --kernel g<2> --timeout 250 --effort 4",
        );
        assert_eq!(options.block_dim, Some([64, 1, 1]));
        assert_eq!(options.grid_dim, Some([4, 2, 1]));
        assert_eq!(options.scopes, Scopes::InterBlock);
        assert_eq!(options.kernels, ["f", "g<2>"]);
        assert_eq!(options.query_timeout, Duration::from_millis(250));
        assert_eq!(options.effort, 4);
    }

    #[test]
    fn the_last_of_a_kind_counts_and_lists_add_up() {
        let options = options(
            "warplog check a.cu --block-dim 64 --effort 2 --kernel f -D N=1 --block-dim 32 --effort 3 --kernel g -D M",
        );
        assert_eq!(options.block_dim, Some([32, 1, 1]));
        assert_eq!(options.effort, 3);
        assert_eq!(options.kernels, ["f", "g"]);
        assert_eq!(options.macros.len(), 2);
    }

    #[test]
    fn wrong_use_is_refused() {
        for line in [
            "warplog",
            "warplog frobnicate",
            "warplog check",
            "warplog check a.cu --block-dim 0",
            "warplog check a.cu --block-dim 1,2,3,4",
            "warplog check a.cu --block-dim x",
            "warplog check a.cu --block-dim -4",
            "warplog check a.cu --grid-dim 99999999999",
            "warplog check a.cu --only-intra-block --only-inter-block",
            "warplog check a.cu --jobs 0",
            "warplog check a.cu --jobs 5000",
            "warplog check a.cu --timeout 0",
            "warplog check a.cu --timeout 1s",
            "warplog check a.cu --effort 0",
            "warplog check a.cu --effort 1001",
            "warplog check a.cu --effort 1.5",
            "warplog check a.cu --format xml",
            "warplog check a.cu --fail-on never",
            "warplog check a.cu -D 4=N",
            "warplog check a.cu -D F(x",
            "warplog check a.cu -U N=3",
            "warplog facts a.cu",
            "warplog facts --out d",
            "warplog facts a.cu --out d --fail-on unknown",
            "warplog solve",
            "warplog solve a b",
            "warplog solve a -DN=4",
        ] {
            let error = read(line).err().unwrap_or_else(|| panic!("accepts {line}"));
            assert_eq!(error.exit_code(), 2, "{line}");
        }
    }
}
