//! Lanes in lock-step: which of their accesses race all the same.
//!
//! The lanes of a warp execute one instruction at a time, diverged arms one after the other in an order that nobody knows, and
//! meet where the arms join. So two accesses of one warp race only if they are one instruction in the same iterations of the
//! loops around it, or stand in two arms of one branch in the same iterations of the loops around that. An arm from which
//! lanes may leave a loop, an iteration, a function or the kernel joins nowhere before the end of what is left: up to there
//! what follows the branch is as good as its other arm.
//!
//! This is made from the flattened kernel alone, and knows nothing of the analyser.

use rustc_hash::FxHashMap;

use super::run::ThreadId;

/// What an instruction stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nest {
    /// An arm of a branch: the first, or the other.
    Arm(usize, bool),
    Loop(usize),
}

/// A jump out of a loop, an iteration or a function.
#[derive(Clone, Copy, Debug)]
struct Leaving {
    at: usize,
    /// How many of the loops around it go on in the same iteration.
    loops: usize,
    /// Where those who left meet the others.
    end: usize,
}

/// The nests of branches and loops of all instructions.
#[derive(Clone, Debug, Default)]
pub(super) struct Nests {
    open: Vec<Nest>,
    of: Vec<Vec<Nest>>,
    leavings: Vec<Leaving>,
    /// The instruction that decides each branch.
    branches: FxHashMap<usize, usize>,
}

impl Nests {
    /// An instruction has been added.
    pub(super) fn emitted(&mut self) {
        self.of.push(self.open.clone());
    }

    /// What follows stands in this.
    pub(super) fn open(&mut self, nest: Nest) {
        if let Nest::Arm(branch, true) = nest {
            self.branches.insert(branch, self.of.len() - 1);
        }
        self.open.push(nest);
    }

    pub(super) fn shut(&mut self) {
        self.open.pop();
    }

    /// The instruction leaves all but this many of the loops around it.
    pub(super) fn leave(&mut self, at: usize, loops: usize) {
        self.leavings.push(Leaving {
            at,
            loops,
            end: usize::MAX,
        });
    }

    /// The end of what these instructions leave.
    pub(super) fn close(&mut self, left: &[usize], end: usize) {
        for leaving in &mut self.leavings {
            if left.contains(&leaving.at) {
                leaving.end = end;
            }
        }
    }
}

/// An instruction in iterations of the loops around it, outermost first.
type Instance = (usize, Vec<u32>);

/// The instructions that lanes in lock-step have executed.
#[derive(Clone, Debug, Default)]
pub(super) struct Steps {
    /// 0 where threads are independent.
    lanes: u32,
    nests: Nests,
    instances: Vec<Instance>,
    numbers: FxHashMap<Instance, u32>,
    /// How threads decided at branches.
    turns: FxHashMap<(ThreadId, u32), bool>,
}

impl Steps {
    pub(super) fn start(&mut self, lanes: u32, nests: Nests) {
        self.lanes = lanes;
        self.nests = nests;
    }

    /// The number of an instruction, with the iterations of all loops.
    pub(super) fn number(&mut self, at: usize, counters: &[u32]) -> u32 {
        let iterations = self.nests.of[at].iter().filter_map(|nest| match nest {
            Nest::Loop(id) => Some(counters[*id]),
            Nest::Arm(..) => None,
        });
        let instance = (at, iterations.collect());
        let next = u32::try_from(self.instances.len()).unwrap_or(u32::MAX);
        let number = *self.numbers.entry(instance.clone()).or_insert(next);
        if number == next {
            self.instances.push(instance);
        }
        number
    }

    /// A thread has decided at a branch, or at the condition of a loop.
    pub(super) fn turn(&mut self, thread: ThreadId, step: u32, holds: bool) {
        if self.lanes > 0 {
            self.turns.insert((thread, step), holds);
        }
    }

    /// Whether lock-step orders two accesses of different threads; `together` if they conflict at one instruction.
    pub(super) fn order(&self, a: (ThreadId, u32), b: (ThreadId, u32), together: bool) -> bool {
        let warp = |thread: ThreadId| thread.1.checked_div(self.lanes);
        if self.lanes == 0 || a.0.0 != b.0.0 || warp(a.0) != warp(b.0) {
            return false;
        }
        if a.1 == b.1 {
            return !together;
        }
        let common = self.common(a.1, b.1);
        if let Some(diverged) = common.diverged {
            return !diverged;
        }
        let (first, later) = if common.first_is_earlier {
            (a, b)
        } else {
            (b, a)
        };
        !self.left(first.1, later, common.length)
    }

    /// How far the nests of two instances are the same.
    fn common(&self, a: u32, b: u32) -> Common {
        let [(at, ours), (other, theirs)] = [a, b].map(|step| &self.instances[step as usize]);
        let mut iterations = ours.iter().zip(theirs);
        let pairs = self.nests.of[*at].iter().zip(&self.nests.of[*other]);
        for (length, pair) in pairs.enumerate() {
            match pair {
                (Nest::Loop(one), Nest::Loop(two)) if one == two => match iterations.next() {
                    Some((one, two)) if one != two => {
                        return Common {
                            length,
                            diverged: None,
                            first_is_earlier: one < two,
                        };
                    }
                    _ => {}
                },
                (Nest::Arm(one, first), Nest::Arm(two, second)) if one == two => {
                    if first != second {
                        return Common {
                            length,
                            diverged: Some(true),
                            first_is_earlier: true,
                        };
                    }
                }
                _ => {
                    return Common {
                        length,
                        diverged: None,
                        first_is_earlier: at < other,
                    };
                }
            }
        }
        Common {
            length: self.nests.of[*at].len().min(self.nests.of[*other].len()),
            diverged: None,
            first_is_earlier: at < other,
        }
    }

    /// Whether the earlier one stands in an arm from which lanes may leave, that the thread of the later one did not take, and
    /// the later one stands before the end of what is left.
    fn left(&self, first: u32, later: (ThreadId, u32), common: usize) -> bool {
        let (at, iterations) = &self.instances[first as usize];
        let (other, theirs) = &self.instances[later.1 as usize];
        let nest = &self.nests.of[*at];
        let arms = nest.iter().enumerate().skip(common);
        arms.filter_map(|(depth, nest)| match nest {
            Nest::Arm(branch, first) => Some((depth, *branch, *first)),
            Nest::Loop(_) => None,
        })
        .any(|(depth, branch, first)| {
            let loops = nest[..depth]
                .iter()
                .filter(|nest| matches!(nest, Nest::Loop(_)))
                .count();
            let decided = (self.nests.branches[&branch], iterations[..loops].to_vec());
            let step = self.numbers.get(&decided);
            let turn = step.and_then(|step| self.turns.get(&(later.0, *step)));
            let elsewhere = turn.is_some_and(|holds| *holds != first);
            elsewhere
                && self.nests.leavings.iter().any(|leaving| {
                    let same = |count: usize| iterations.get(..count) == theirs.get(..count);
                    self.nests.of[leaving.at].contains(&Nest::Arm(branch, first))
                        && *other < leaving.end
                        && same(leaving.loops)
                })
        })
    }
}

struct Common {
    /// Nests that both stand in, in the same iterations.
    length: usize,
    /// Whether the next ones are two arms of one branch.
    diverged: Option<bool>,
    first_is_earlier: bool,
}
