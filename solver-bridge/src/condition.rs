//! Conditions on what the caller decides, and the questions whether one of them settles a launch.

use warplog_facts::{ArrayId, LaunchId, TermId};

/// A condition on a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The term is true; over dimensions and symbols of the launch.
    Holds(TermId),
    /// The elements of the array are pairwise different when the kernel begins.
    Distinct(ArrayId),
    /// The elements of the array never become smaller with their position, when the kernel begins.
    Sorted(ArrayId),
}

/// A question: what would settle the launch?
#[derive(Clone, Debug)]
pub struct Ask {
    /// Launch.
    pub launch: LaunchId,
    /// The conditions, best first.
    pub conditions: Vec<Condition>,
    /// Where those begin that leave few launches.
    pub narrow: usize,
    /// Those about single bits, which take many steps to prove: looked at again before a narrow one is told.
    pub slow: Vec<usize>,
    /// Those under which the rules discharge all candidates of the launch.
    pub by_rule: Vec<usize>,
}
