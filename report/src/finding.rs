//! Findings as plain data: what every renderer reads and what no output format shapes.
//!
//! The analysis fills these types; each renderer has structs of its own. Everything a renderer needs is resolved here
//! already: file names as they are to be printed, lines and columns, and the text of the source lines concerned
//! ([`Report::sources`]), so that a report made from a folder of facts renders to the same bytes as one made from the source.
//! What findings are made of is beside it: [`crate::place`], [`crate::meeting`], [`crate::judgement`], [`crate::suppression`].
//! Verdicts are not stored but derived (see [`crate::verdict`]), so that a kernel with a finding cannot be called race-free.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::judgement::{Certainty, Harm, Severity};
use super::meeting::{AccessKind, Interval, Role, Scope};
use super::place::{Note, Place};
use super::suppression::Suppression;
use crate::anatomy::Anatomy;
use crate::cost::Costs;
use crate::findings::data_race::{Between, DataRace};
use crate::findings::{Defect, FindingKind};
use crate::mend::Mend;
use crate::suppression::Allow;

/// The text of source lines, by file and 1-based line, without the line end.
pub type Sources = BTreeMap<(String, u32), String>;

/// Everything one run found out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// One entry per kernel, or per checked instantiation of a kernel template.
    pub kernels: Vec<Kernel>,
    /// Constructs that were not understood, wherever they stand.
    pub unsupported: Vec<Unsupported>,
    /// Inputs that could not be read or analysed.
    pub errors: Vec<InputError>,
    /// Remarks on the input that are no errors: a file without kernels, an ignored header option.
    pub notes: Vec<Note>,
    /// The source lines that the locations of this report name.
    pub sources: Sources,
    /// Number of files that were analysed.
    pub files: usize,
    /// Phase times per file; empty unless they were asked for.
    pub timings: Vec<FileTimings>,
    /// What the input is made of.
    pub inventory: Inventory,
    /// Whether the report shall say what it covers ([`crate::coverage`]).
    pub show_coverage: bool,
    /// Comments that suppress findings; empty once they have been applied.
    pub allows: Vec<Allow>,
    /// What ids call a file, where it is another name than the one that is printed: so that they do not depend on the folder
    /// that the program runs in.
    pub identities: BTreeMap<String, String>,
    /// How far an interrupted run came; none if it came to its end. An error says it too, for formats that have no place for it.
    pub incomplete: Option<Incomplete>,
}

/// How far an interrupted run came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Incomplete {
    /// Files that were analysed to the end.
    pub done: usize,
    /// Files that were to be analysed.
    pub files: usize,
}

/// What the input is made of, beside its kernels.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Inventory {
    /// Inputs that were analysed to the end, and headers among them that others showed.
    pub inputs: BTreeSet<String>,
    /// Headers that were entered from some file.
    pub headers: BTreeSet<String>,
    /// Headers that were not found, by name and whether they belong to the system; with the files that wanted them.
    pub missing: BTreeMap<(String, bool), BTreeSet<String>>,
    /// Headers that were found by guessing, with the names under which they were wanted.
    pub guessed: BTreeMap<String, BTreeSet<GuessedAs>>,
    /// Names whose value an `#if` consulted and that nothing defines; with the files.
    pub undefined: BTreeMap<String, BTreeSet<String>>,
    /// The inputs that show a kernel of another file, by that file and the kernel's name.
    pub shown_by: BTreeMap<(String, String), BTreeSet<String>>,
    /// Kernels that the conditionals leave out, wherever they stand: file, line, name.
    pub inactive: BTreeSet<(String, u32, String)>,
}

/// How a header was wanted that was found by guessing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct GuessedAs {
    /// The name as written.
    pub wanted: String,
    /// How many files have the name.
    pub candidates: usize,
}

/// What a kernel leaves open, and how it was met: for [`crate::coverage`], no verdict depends on it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Extent {
    /// What was not modelled or not decided, in words that do not depend on the place.
    pub gaps: BTreeSet<Gap>,
    /// Whether its name stands before `<<<` in a unit that it belongs to.
    pub launched: bool,
    /// Microseconds spent on it, if they were counted.
    pub micros: u64,
}

/// Something about a kernel that stays open.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Gap {
    /// At which step.
    pub kind: GapKind,
    /// What, without lines: `call of `f`: its body is not known`.
    pub reason: String,
}

/// At which step something stays open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum GapKind {
    /// The front end did not model a construct that may matter.
    NotModelled,
    /// The solver did not decide a question, or the host code leaves one open: whether two arguments are the same memory.
    Undecided,
}

/// A kernel and what was found in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kernel {
    /// Name; for a template with its arguments, `reduce<256, float>`.
    pub name: String,
    /// File as it is to be printed.
    pub file: String,
    /// 1-based line of the kernel's name.
    pub line: u32,
    /// The launches it was checked under; without any the verdict is `unknown`.
    pub launches: Vec<Launch>,
    /// Findings, each once, whatever the number of launches that show it.
    pub findings: Vec<Finding>,
    /// Counts of the analysis.
    pub stats: Stats,
    /// Remarks: accesses that no thread reaches, benign writes, options ignored.
    pub notes: Vec<Note>,
    /// What it leaves open.
    pub extent: Extent,
    /// What it looks like as a whole, if that was asked for.
    pub anatomies: Vec<Anatomy>,
    /// What it costs, if that was asked for.
    pub costs: Option<Costs>,
}

/// One launch, or the symbolic one that stands for all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Launch {
    /// Where the dimensions come from.
    pub source: LaunchSource,
    /// Where the launch stands in the code or header, if it does.
    pub place: Option<Place>,
    /// `blockDim` by axis.
    pub block: [Dim; 3],
    /// `gridDim` by axis.
    pub grid: [Dim; 3],
    /// Known arguments by parameter, in the order of the parameters.
    pub arguments: Vec<(String, Value)>,
    /// What was assumed for this launch, in words.
    pub assumptions: Vec<String>,
    /// What the analysis of this launch came to, besides findings.
    pub outcome: Outcome,
}

/// What the analysis of a launch came to, besides its findings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// Every candidate was decided and nothing unsupported could hide a defect.
    Complete,
    /// Something is undecided; the reasons, in words, each with its place where it has one.
    Undecided(Vec<Note>),
    /// Launch and assumptions contradict each other, so nothing holds vacuously; the reasons.
    Contradictory(Vec<Note>),
}

impl Outcome {
    /// Why a launch is not decided, or contradicts its assumptions.
    #[must_use]
    pub fn reasons(&self) -> &[Note] {
        match self {
            Outcome::Complete => &[],
            Outcome::Undecided(reasons) | Outcome::Contradictory(reasons) => reasons,
        }
    }
}

/// Where a launch comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum LaunchSource {
    /// `k<<<grid, block>>>(…)` in the code.
    Code,
    /// Command-line flags.
    Flag,
    /// The header line of the file.
    Header,
    /// A comment at the kernel, `// warplog: launch …`.
    Comment,
    /// The configuration.
    Configuration,
    /// Nothing binds it: dimensions are symbolic.
    Symbolic,
}

/// One dimension of a block or grid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Dim {
    /// A known number.
    Known(u64),
    /// An expression over symbols, `(n + 255) / 256`; a free dimension is its own name, `gridDim.x`.
    Symbolic(String),
}

/// A value in a witness or a launch argument.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    /// An integer.
    Int(i128),
    /// Anything else, as it is to be printed.
    Text(String),
}

/// A defect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Stable id; empty until [`crate::id::finish`] has run.
    pub id: String,
    /// What kind of defect, with what only findings of the kind have.
    pub defect: Defect,
    /// How sure it is.
    pub certainty: Certainty,
    /// Whether it is told from the data flow that the race is meant and does no harm.
    pub harm: Harm,
    /// Where; the first of a race is the location with role `First`.
    pub locations: Vec<Location>,
    /// The replayed witness.
    pub witness: Option<Witness>,
    /// Why it is only potential: one entry per abstraction that took part. Empty for a confirmed finding.
    pub reasons: Vec<String>,
    /// What this finding assumes beyond its launch.
    pub assumptions: Vec<String>,
    /// What would mend it, or which fact would exclude it.
    pub hint: Option<String>,
    /// A condition on what the caller decides under which there is no such finding, as `--assume` reads it: the question of
    /// a conditional finding.
    pub race_free_if: Option<String>,
    /// What the caller decides and a conditional finding hinges on: sizes by name, contents of arrays as `idx[]`. Empty
    /// where no value of the caller's matters.
    pub hinges_on: Vec<String>,
    /// A change of the source that leaves its kernel race-free, if one was looked for and proved.
    pub mend: Option<Mend>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// Indexes into [`Kernel::launches`] of the launches that show it.
    pub launches: Vec<usize>,
    /// How many instances of the same cause this one stands for, itself included.
    pub instances: u32,
    /// Whether and why it is suppressed.
    pub suppressed: Option<Suppression>,
    /// The severity that the configuration gives it; none to let the certainty decide.
    pub severity: Option<Severity>,
    /// The whole hash that the id is the beginning of, for tools; empty until [`crate::id::finish`] has run.
    pub fingerprint: String,
}

/// A place with its part in a finding.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Location {
    /// Where.
    pub place: Place,
    /// Its part.
    pub role: Role,
    /// The macro whose call this place is: the access stands in its expansion.
    pub macro_name: Option<String>,
    /// The calls through which it is reached, where it stands in a function: that in the kernel first.
    pub calls: Vec<Place>,
}

impl Finding {
    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> FindingKind {
        self.defect.kind()
    }

    /// The race, if it is one.
    #[must_use]
    pub fn race(&self) -> Option<&DataRace> {
        match &self.defect {
            Defect::DataRace(race) => Some(race),
            _ => None,
        }
    }

    /// Kinds of the first and the second access of a race.
    #[must_use]
    pub fn accesses(&self) -> Option<[AccessKind; 2]> {
        Some(self.race()?.accesses)
    }

    /// How the two threads of a race lie to each other.
    #[must_use]
    pub fn scope(&self) -> Option<Scope> {
        match self.race()?.between {
            Between::Threads { scope, .. } => Some(scope),
            Between::OwnCopy => None,
        }
    }

    /// The array of a race as written in the source.
    #[must_use]
    pub fn array(&self) -> Option<&str> {
        Some(&self.race()?.array)
    }

    /// Whether the array of a race is in shared memory.
    #[must_use]
    pub fn shared_memory(&self) -> Option<bool> {
        Some(self.race()?.shared_memory)
    }

    /// The barrier interval in which the accesses of a race meet.
    #[must_use]
    pub fn interval(&self) -> Option<&Interval> {
        match &self.race()?.between {
            Between::Threads { interval, .. } => Some(interval),
            Between::OwnCopy => None,
        }
    }

    /// The same, to change the places that it names.
    pub fn interval_mut(&mut self) -> Option<&mut Interval> {
        match &mut self.defect {
            Defect::DataRace(DataRace {
                between: Between::Threads { interval, .. },
                ..
            }) => Some(interval),
            _ => None,
        }
    }

    /// The two accesses of a race, or the calls through which they are reached where these part: what an order has to come between.
    #[must_use]
    pub fn parts_at(&self) -> Option<[&Place; 2]> {
        let of = |role| self.locations.iter().find(|location| location.role == role);
        let (first, second) = (of(Role::First)?, of(Role::Second)?);
        let both = first.calls.iter().zip(&second.calls);
        let common = both.take_while(|(a, b)| a == b).count();
        fn place(location: &Location, common: usize) -> &Place {
            location.calls.get(common).unwrap_or(&location.place)
        }
        Some([place(first, common), place(second, common)])
    }
}

/// Two concrete threads that show a defect, as replayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Witness {
    /// `blockDim`.
    pub block_dim: [u64; 3],
    /// `gridDim`.
    pub grid_dim: [u64; 3],
    /// The threads: of a race in the order of the accesses; of a divergence the one that reaches the barrier, then the
    /// one that does not; of an assertion the one that violates it.
    pub threads: Vec<Thread>,
    /// The element both touch, `tile[3][4]`, or the bytes when their elements differ.
    pub element: Option<String>,
    /// Inputs that matter: parameters and contents of arrays, `n`, `idx[5]`.
    pub values: BTreeMap<String, Value>,
    /// Iterations by loop, `i (line 12)`: one entry per thread, none for a thread that is not in the loop.
    pub iterations: BTreeMap<String, Vec<Option<i128>>>,
    /// The loops that the threads are in, outermost first.
    pub loops: Vec<LoopState>,
    /// The bytes that each thread of a race touches, in the order of the threads; empty for other findings.
    pub touched: Vec<Touched>,
}

/// Bytes of an array that a thread touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Touched {
    /// The first, from the start of the array.
    pub first: i128,
    /// How many.
    pub bytes: u64,
}

impl Witness {
    /// Whether the threads are of one block.
    #[must_use]
    pub fn in_one_block(&self) -> bool {
        let mut blocks = self.threads.iter().map(|thread| thread.block);
        let first = blocks.next();
        blocks.all(|block| Some(block) == first)
    }

    /// Leaves the first thread alone: the defect is its own.
    pub fn keep_first_thread(&mut self) {
        self.threads.truncate(1);
        for iterations in self.iterations.values_mut() {
            iterations.truncate(1);
        }
        for state in &mut self.loops {
            state.at.truncate(1);
        }
    }
}

/// A loop of a witness, with where each thread is in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LoopState {
    /// Line of its head.
    pub line: u32,
    /// By thread, for those that are in it.
    pub at: Vec<Option<Iteration>>,
}

/// An iteration of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Iteration {
    /// Which, from 0.
    pub ordinal: i128,
    /// The variables of the loop in it.
    pub variables: Vec<(String, i128)>,
}

/// A thread of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Thread {
    /// `blockIdx`.
    pub block: [u64; 3],
    /// `threadIdx`.
    pub thread: [u64; 3],
}

/// Counts of the analysis of a kernel, over all its launches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    /// Accesses to memory that threads share.
    pub accesses: u64,
    /// Pairs on the same array with at least one write.
    pub pairs: u64,
    /// Pairs discharged by rule.
    pub discharged_by_rule: u64,
    /// Queries asked of the solver.
    pub queries: u64,
    /// Candidates left undecided.
    pub undecided: u64,
}

/// A construct that was not understood.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unsupported {
    /// File.
    pub file: String,
    /// 1-based line.
    pub line: u32,
    /// The construct.
    pub what: String,
    /// Why it matters, or what it may affect.
    pub why: String,
}

/// An input that could not be read or analysed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct InputError {
    /// File or folder; empty when none is concerned.
    pub file: String,
    /// 1-based line, when one is known.
    pub line: Option<u32>,
    /// Lower case, no full stop.
    pub message: String,
}

/// Phase times of one file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileTimings {
    /// File.
    pub file: String,
    /// Microseconds by phase, in the order of the phases.
    pub phases: Vec<(String, u64)>,
}
