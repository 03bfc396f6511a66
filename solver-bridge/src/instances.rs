//! What an encoder keeps of the terms that it met: the two threads, the iterations that they are in, and the values that are
//! related with each other wherever they occur.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use warplog_facts::range::Ranges;
use warplog_facts::words::Scope;
use warplog_facts::{AccessId, CType, LoopId, Op, TermId, UnknownId};

use crate::formula::Node;

/// One of the two threads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Side {
    First,
    Second,
}

impl Side {
    pub(crate) const BOTH: [Side; 2] = [Side::First, Side::Second];

    pub(crate) fn number(self) -> usize {
        match self {
            Side::First => 1,
            Side::Second => 2,
        }
    }

    pub(crate) fn index(self) -> usize {
        self as usize
    }
}

/// The iterations of loops, sorted by loop.
pub(crate) type Iterations = SmallVec<[(LoopId, Node); 4]>;

/// Where a term is evaluated.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ContextId(pub(crate) u32);

pub(crate) struct Context<'a> {
    pub(crate) side: Side,
    pub(crate) iterations: Iterations,
    pub(crate) ranges: Rc<Ranges<'a>>,
    /// Of a possible way, of whose leaves nothing is said.
    pub(crate) hypothetical: bool,
    pub(crate) known: FxHashMap<TermId, Node>,
}

/// A leaf whose value the facts do not give: a read, an unknown, an exit count.
pub(crate) struct Instance {
    pub(crate) term: TermId,
    /// The thread, none when both share it.
    pub(crate) side: Option<Side>,
    /// Iterations of the loops around its site, as far as they are known.
    pub(crate) iterations: Iterations,
    /// Whether the iterations of all loops around its site are known.
    pub(crate) complete: bool,
    /// Whether what is known of it was said.
    pub(crate) told: bool,
    pub(crate) node: Node,
    /// Byte offset of a read, or of the counter that gave the value.
    pub(crate) index: Option<Node>,
    /// Whether the counter's access is executed, or the read of a counter.
    pub(crate) executed: Option<Node>,
    /// What the execution adds to the counter.
    pub(crate) amount: Option<Node>,
    /// The result of a counter to which what this one read was added.
    pub(crate) drawn_by: Option<usize>,
    /// Uniform among the threads of the pair.
    pub(crate) uniform: bool,
}

/// A result of an uninterpreted function.
pub(crate) struct Application {
    pub(crate) args: SmallVec<[Node; 4]>,
    pub(crate) node: Node,
}

pub(crate) type FunctionKey = (Op, i128, CType, SmallVec<[CType; 4]>);

/// How the threads of a pair relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Relation {
    /// Both are in one block.
    pub(crate) same_block: bool,
    /// Smallest scope that contains both.
    pub(crate) scope: Scope,
}

/// A number that a thread of the query has.
pub(crate) struct Append {
    pub(crate) access: AccessId,
    pub(crate) side: Side,
    /// Whether the thread came to where the number is handed round, and has one.
    pub(crate) executed: Node,
    /// The place of the counter.
    pub(crate) offset: Node,
    pub(crate) number: Node,
    /// How many numbers there are.
    pub(crate) round: i128,
}

/// A rank that the query mentions.
pub(crate) struct Rank {
    pub(crate) vote: UnknownId,
    pub(crate) side: Side,
    /// Iterations of the loops around the vote.
    pub(crate) iterations: Iterations,
    pub(crate) node: Node,
    pub(crate) lane: Node,
    pub(crate) warp: Node,
    /// What the lane voted, as a number.
    pub(crate) voted: Node,
    /// Whether the thread took part in the vote.
    pub(crate) executed: Node,
}
