//! The threads of a block one by one: what they have in common is found by evaluating a term for each.

use warplog_facts::eval::Environment;
use warplog_facts::{Op, Term, TermId};

/// Most threads of a block.
pub(super) const MOST_THREADS: i128 = 1024;

/// One thread of a block whose sizes are known, or some of them.
pub(super) struct Thread {
    index: [i128; 3],
    size: [Option<i128>; 3],
}

impl Thread {
    /// The thread of a rank in a block of (or read as of) such sizes; `size` is what a term may know of them.
    pub(super) fn at(rank: i128, [width, height, _]: [i128; 3], size: [Option<i128>; 3]) -> Thread {
        Thread {
            index: [rank % width, rank / width % height, rank / width / height],
            size,
        }
    }
}

impl Environment for Thread {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        match term.op {
            Op::TidX => Some(self.index[0]),
            Op::TidY => Some(self.index[1]),
            Op::TidZ => Some(self.index[2]),
            Op::BdimX => self.size[0],
            Op::BdimY => self.size[1],
            Op::BdimZ => self.size[2],
            _ => None,
        }
    }
}
