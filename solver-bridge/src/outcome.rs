//! What the solver says of a candidate: plain data, nothing of Z3.

use facts::derived::*;
use facts::range::NoWrap;
use facts::*;
use warplog_facts as facts;

/// The stage that decided a query.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Stage {
    /// The bounds of the variables and the normal form decide; Z3 was not asked.
    Bounds,
    /// Propagation of bounds, and a search for small models; Z3 was not asked.
    Search,
    /// Products are numbers of which only monotonicity is known; proves, finds no witness.
    Linear,
    /// Factored differences over the reals.
    Real,
    /// Integers.
    Int,
    /// Integers again, with another seed and Z3's preprocessing.
    IntAgain,
    /// Bit-vectors wide enough for all values.
    Bits,
    /// Concrete block, grid and parameter values; finds witnesses, proves nothing.
    Concrete,
}

impl Stage {
    /// All stages in the order in which they may be tried.
    pub const ALL: [Stage; 8] = [
        Stage::Bounds,
        Stage::Search,
        Stage::Linear,
        Stage::Real,
        Stage::Int,
        Stage::IntAgain,
        Stage::Bits,
        Stage::Concrete,
    ];

    /// Where the stage stands in [`Stage::ALL`].
    pub fn position(self) -> usize {
        self as usize
    }

    /// A word for reports.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Bounds => "bounds",
            Stage::Search => "search",
            Stage::Linear => "linear",
            Stage::Real => "real",
            Stage::Int => "int",
            Stage::IntAgain => "int_again",
            Stage::Bits => "bits",
            Stage::Concrete => "concrete",
        }
    }
}

/// All that [`decide`](crate::decide) finds out about the candidates of a fact set.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Decision {
    /// One for each row of `candidate_race`, in the same order.
    pub races: Vec<RaceOutcome>,
    /// One for each row of `candidate_divergence`, in the same order.
    pub divergences: Vec<DivergenceOutcome>,
    /// One for each row of `assert`, in the same order.
    pub claims: Vec<ClaimOutcome>,
    /// Points of assumptions that no thread satisfies that gets to them.
    pub unsatisfiable: Vec<PointId>,
    /// One for each launch that has candidates or assumptions, in order.
    pub launches: Vec<LaunchOutcome>,
}

/// What is known of a race candidate.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RaceOutcome {
    /// The candidate.
    pub candidate: CandidateRaceRow,
    /// The answer.
    pub answer: RaceAnswer,
    /// What the answer takes not to wrap.
    pub rests_on: NoWrap,
    /// Number of questions put to Z3.
    pub queries: u32,
    /// The decisive formula in SMT-LIB, when asked for.
    pub smt: Option<String>,
}

/// The answer to a race candidate.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum RaceAnswer {
    /// No two threads conflict.
    Disjoint {
        /// Stage that found out.
        stage: Stage,
    },
    /// Two threads conflict.
    Race(Box<Race>),
    /// Not asked: an exact race between the same two places of the source is known, in the same
    /// launch, scope and array.
    Covered,
    /// Not decided.
    Unknown {
        /// Why, one sentence, lower case.
        reason: String,
    },
}

/// What a finding needs of values that the facts do not determine, the least first.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub enum Needs {
    /// Nothing: no such value takes part.
    Nothing,
    /// That two values differ which are made from inputs of the kernel; where the threads go and what they access is known.
    Difference,
    /// Certain contents of inputs of the kernel.
    Contents,
    /// Certain values that host code computes in a way that is not followed; beside them no more than contents of inputs.
    Computed,
    /// Something that is no input: results of unknown calls, of atomic operations, of loops without closed form.
    Abstraction,
}

/// A race with its witness.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Race {
    /// Stage that found it.
    pub stage: Stage,
    /// The two threads, replayed.
    pub witness: Witness,
    /// The formula was exact and the witness replays from the kernel's entry.
    pub exact: bool,
    /// What it needs of values that are not determined; [`Needs::Nothing`] when exact.
    pub needs: Needs,
    /// What took part that the facts do not determine; empty when exact.
    pub abstractions: Vec<Abstraction>,
}

/// Two writes of the same bytes by two threads, which leave the same: no race.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct BenignWrites {
    /// The pair.
    pub candidate: CandidateRaceRow,
    /// The two threads, replayed.
    pub witness: Witness,
}

/// Something that a verdict rests on and that the facts do not determine.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub struct Abstraction {
    /// One clause, lower case: `value read from idx`.
    pub text: String,
    /// Place in the source, when there is one.
    pub span: Option<SpanId>,
    /// The array, if it is a value that the array holds when the kernel begins.
    pub input: Option<ArrayId>,
}

/// What is known of a divergence candidate.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct DivergenceOutcome {
    /// The candidate.
    pub candidate: CandidateDivergenceRow,
    /// The answer.
    pub answer: DivergenceAnswer,
    /// What the answer takes not to wrap.
    pub rests_on: NoWrap,
    /// Number of questions put to Z3.
    pub queries: u32,
    /// The decisive formula in SMT-LIB, when asked for.
    pub smt: Option<String>,
}

/// The answer to a divergence candidate.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum DivergenceAnswer {
    /// All threads of the barrier's group agree.
    Uniform {
        /// Stage that found out.
        stage: Stage,
    },
    /// Two threads disagree.
    Diverges(Box<Divergence>),
    /// Not decided.
    Unknown {
        /// Why, one sentence, lower case.
        reason: String,
    },
}

/// A divergence with its witness.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Divergence {
    /// Stage that found it.
    pub stage: Stage,
    /// The first thread reaches the barrier, the second does not.
    pub witness: Witness,
    /// The formula was exact and the witness replays from the kernel's entry.
    pub exact: bool,
    /// What it needs of values that are not determined; [`Needs::Nothing`] when exact.
    pub needs: Needs,
    /// What took part that the facts do not determine; empty when exact.
    pub abstractions: Vec<Abstraction>,
    /// The second thread leaves the kernel before the barrier: since Volta a barrier waits only
    /// for threads that have not exited.
    pub exits_early: bool,
}

/// What is known of an assertion.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ClaimOutcome {
    /// Launch.
    pub launch: LaunchId,
    /// The assertion.
    pub assert: AssertId,
    /// The answer.
    pub answer: ClaimAnswer,
    /// What the answer takes not to wrap.
    pub rests_on: NoWrap,
    /// Number of questions put to Z3.
    pub queries: u32,
    /// The decisive formula in SMT-LIB, when asked for and there is one: what holds may take several.
    pub smt: Option<String>,
}

/// The answer to an assertion.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum ClaimAnswer {
    /// It holds whenever a thread gets there.
    Holds {
        /// Stage that found out.
        stage: Stage,
    },
    /// A thread violates it.
    Fails(Box<Failure>),
    /// It belongs to a guess that is not an invariant, or rests on an invariant that is none: nobody needs it.
    Dropped,
    /// Not decided.
    Unknown {
        /// Why, one sentence, lower case.
        reason: String,
    },
}

/// A violated assertion with its witness.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Failure {
    /// Stage that found it.
    pub stage: Stage,
    /// The thread that violates it comes first; the second takes part only if the assertion speaks of two.
    pub witness: Witness,
    /// The assertion speaks of two threads.
    pub of_two: bool,
    /// The formula was exact and the witness replays from the kernel's entry.
    pub exact: bool,
    /// What it needs of values that are not determined; [`Needs::Nothing`] when exact.
    pub needs: Needs,
    /// What took part that the facts do not determine; empty when exact.
    pub abstractions: Vec<Abstraction>,
}

/// Whether a launch is possible at all, and what its candidates cost.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct LaunchOutcome {
    /// Launch.
    pub launch: LaunchId,
    /// Whether its dimensions and assumptions can hold together.
    pub possible: Possibility,
    /// Questions put to Z3, by stage, in the order of [`Stage::ALL`].
    pub queries: [u32; Stage::ALL.len()],
    /// Candidates decided, by stage.
    pub decided: [u32; Stage::ALL.len()],
    /// Candidates left undecided.
    pub undecided: u32,
    /// Atomic counters that are taken not to wrap.
    pub counters: Vec<AccessId>,
}

/// Whether launch and assumptions can hold together.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Possibility {
    /// They can.
    Possible,
    /// They contradict each other: every proof would be vacuous.
    Contradictory,
    /// Not decided.
    Unknown {
        /// Why.
        reason: String,
    },
}

/// Two threads and what they do.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Witness {
    /// blockDim
    pub block_dim: [i128; 3],
    /// gridDim
    pub grid_dim: [i128; 3],
    /// The two threads, in the order of the candidate's accesses.
    pub threads: [WitnessThread; 2],
    /// The first byte that both access; none for divergence.
    pub element: Option<Element>,
    /// Symbols by name, with the values that take part.
    pub values: Vec<(String, i128)>,
    /// What the witness does besides, one sentence each, lower case.
    pub notes: Vec<String>,
}

/// One thread of a witness.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct WitnessThread {
    /// blockIdx
    pub block: [i128; 3],
    /// threadIdx
    pub thread: [i128; 3],
    /// First byte accessed, from the start of the array; none for divergence.
    pub offset: Option<i128>,
    /// The loops around the place, outermost first.
    pub iterations: Vec<WitnessIteration>,
    /// Values read that take part.
    pub loads: Vec<WitnessLoad>,
    /// Value written, when it is known.
    pub written: Option<i128>,
}

/// The iteration of a loop.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct WitnessIteration {
    /// The loop.
    pub loop_id: LoopId,
    /// Which iteration, from 0.
    pub ordinal: i128,
    /// Loop variables with their values in it.
    pub variables: Vec<(String, i128)>,
}

/// A value read.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct WitnessLoad {
    /// The reading access.
    pub access: AccessId,
    /// Byte offset in its array.
    pub offset: i128,
    /// The value (a bit pattern for floating point).
    pub value: i128,
}

/// A place in an array.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Element {
    /// The array, as the first access names it.
    pub array: ArrayId,
    /// Offset of the first common byte.
    pub byte: i128,
    /// Index of its element (one per extent for multi-dimensional arrays).
    pub index: Vec<i128>,
}
