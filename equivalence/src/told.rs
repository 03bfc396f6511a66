//! What a comparison has seen of assignments, so that its answer can be explained.

use warplog_facts::AccessId;

use crate::memory::Write;
use crate::node::Pool;

/// Most assignments that are told.
const MAX_TOLD: usize = 2_048;

/// An assignment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// 0 for the left side, 1 for the right.
    pub side: usize,
    /// The array by its number; shared ones come behind those that the sides are given.
    pub array: u32,
    /// How many barriers and ends of loops are before it.
    pub interval: u32,
    /// The access.
    pub access: AccessId,
    /// Which launch of the sequence.
    pub step: usize,
    /// The first byte of the element.
    pub element: String,
    /// When it is made.
    pub condition: String,
    /// What is stored.
    pub value: String,
}

/// An assignment of the other side that may be the same one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The assignment, and that of the other side, by their places.
    pub pair: (usize, usize),
    /// The thread that makes it, as far as it is another one.
    pub thread: String,
    /// What has to hold besides.
    pub condition: String,
    /// Whether the values are the same.
    pub is_same: bool,
}

/// All of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// The assignments.
    pub assignments: Vec<Assignment>,
    /// The candidates.
    pub candidates: Vec<Candidate>,
    /// Assignments whose cases are all seen to be made by the other side.
    pub covered: Vec<usize>,
    /// The stretch between barriers that is being looked at.
    pub interval: u32,
}

impl Told {
    /// Adds the assignments of a side, and gives the place of the first; none if there are too many.
    pub fn add(&mut self, pool: &Pool, side: usize, writes: &[Write]) -> Option<usize> {
        let first = self.assignments.len();
        if first + writes.len() > MAX_TOLD {
            return None;
        }
        for write in writes {
            let mut condition = pool.shown(write.guard);
            for (_, goes_on) in &write.loops {
                condition = format!("{condition} && {}", pool.shown(*goes_on));
            }
            self.assignments.push(Assignment {
                side,
                array: write.array,
                interval: self.interval,
                access: write.access,
                step: write.step,
                element: pool.shown(write.address),
                condition,
                value: pool.shown(write.value),
            });
        }
        Some(first)
    }

    /// Two assignments of threads of the same number are the same.
    pub fn same(&mut self, one: Option<usize>, other: Option<usize>) {
        let (Some(one), Some(other)) = (one, other) else {
            return;
        };
        for pair in [(one, other), (other, one)] {
            self.candidates.push(Candidate {
                pair,
                thread: String::new(),
                condition: String::new(),
                is_same: true,
            });
            self.covered.push(pair.0);
        }
    }
}
