//! What a kernel looks like as a whole: its source, barrier intervals and parametric flows, as plain data.
//!
//! Only the page ([`crate::html`]) shows it, so it is filled in only where a page is asked for, and no verdict depends on it.
//! Launches that differ in sizes only mostly have one anatomy together.

use serde::{Deserialize, Serialize};

/// Most anatomies that are kept of a kernel: more than anyone compares.
pub const MOST_ANATOMIES: usize = 16;

/// The structure of a kernel under some of its launches.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anatomy {
    /// Indices into [`crate::finding::Kernel::launches`], in order.
    pub launches: Vec<usize>,
    /// The source: the kernel itself first, then what it calls.
    pub pieces: Vec<Piece>,
    /// The bounds of intervals: entry, barriers and exit, in program order.
    pub bounds: Vec<Bound>,
    /// The intervals, by whose barriers count and then in program order of their heads.
    pub intervals: Vec<Span>,
    /// The tree of parametric flows; the first is the root, which all threads take. Parents come before their children.
    pub flows: Vec<Flow>,
    /// Whether something was left out because there is too much of it.
    pub cut: bool,
}

impl Anatomy {
    /// Adds an anatomy to those of a kernel: to the one that is the same but for its launches, if there is one.
    pub fn add_to(self, known: &mut Vec<Anatomy>) {
        let is_same = |other: &Anatomy| {
            (&other.pieces, &other.bounds, &other.intervals, &other.flows)
                == (&self.pieces, &self.bounds, &self.intervals, &self.flows)
                && other.cut == self.cut
        };
        match known.iter().position(is_same) {
            Some(at) => {
                let launches = &mut known[at].launches;
                launches.extend(self.launches);
                launches.sort_unstable();
                launches.dedup();
            }
            None if known.len() < MOST_ANATOMIES => known.push(self),
            None => {}
        }
    }
}

/// Lines of a file, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Piece {
    /// File as it is to be printed.
    pub file: String,
    /// 1-based number of the first line.
    pub first: u32,
    /// The lines, without line ends; none where the text of a line is not known.
    pub lines: Vec<Option<String>>,
}

/// Where intervals may begin or end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bound {
    /// What is there: `start`, `__syncthreads()`, `end`.
    pub what: String,
    /// Which it is.
    pub kind: BoundKind,
    /// File and line.
    pub at: (String, u32),
}

/// Kinds of bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoundKind {
    /// The entry of the kernel.
    Start,
    /// A barrier.
    Barrier,
    /// The exit of the kernel.
    End,
}

/// Whose barriers bound an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Group {
    /// Those of a warp and wider ones.
    Warp,
    /// Those of the block and of the grid.
    Block,
    /// Those of the grid.
    Grid,
}

/// A barrier interval: all that a thread may do from its head on without crossing another barrier.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Whose barriers count.
    pub group: Group,
    /// Index of the bound at which it begins.
    pub head: usize,
    /// The lines in it.
    pub stretches: Vec<Stretch>,
    /// Where it may end.
    pub tails: Vec<Tail>,
    /// Accesses to memory that threads share.
    pub accesses: u32,
}

/// Lines of an interval, one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stretch {
    /// File.
    pub file: String,
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// Whether it is reached only round the back edge of a loop.
    pub carried: bool,
}

/// An end of an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Tail {
    /// Index of the bound.
    pub bound: usize,
    /// Whether it is reached round the back edge of a loop.
    pub carried: bool,
}

/// A node of the tree of flows: the threads for which the conditions on the way from the root hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Flow {
    /// The node above; none for the root.
    pub parent: Option<usize>,
    /// The condition that leads here, on which threads of a block may differ; empty for the root.
    pub condition: String,
    /// What decides it: `branch`, `loop`, `return`, `break`, `continue`.
    pub cause: String,
    /// Where it is decided.
    pub at: Option<(String, u32)>,
    /// The number of the flow that accesses here belong to; none where there are none.
    pub flow: Option<u32>,
    /// Accesses to memory that threads share; those of one line, kind and array in one entry.
    pub accesses: Vec<FlowAccess>,
}

/// An access of a flow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FlowAccess {
    /// Line.
    pub line: u32,
    /// `read`, `write`, `atomic`.
    pub kind: String,
    /// The array.
    pub array: String,
    /// How many of them there are.
    pub count: u32,
}
