//! Refutation by cases: what propagation alone does not refute, it may refute in each of some cases.
//!
//! Two threads of a block of known size are few enough to go through by halves: where their numbers lie, which operand a choice
//! takes, which part of a disjunction holds, on which side of 0 a difference is. Each case is narrowed by propagation
//! (branch and prune; Van Hentenryck et al., *Solving polynomial systems using a branch and prune approach*, SIAM J. Numer.
//! Anal. 1997), so that most end high up. A solver of its own would find the same, but to set one up takes longer.
//!
//! **Contract.** The cases of a node are all its values. When every case ends in a contradiction the formula has no model;
//! everything else, the limit of work above all, says nothing.

use crate::formula::{Formula, Node, Shape};
use crate::propagate::{Domain, Net};

/// Cases within cases.
const MAX_DEPTH: u32 = 64;

/// Nodes looked at for a case to tell apart, that count as one that is narrowed.
const LOOKED_AT_PER_WORK: u64 = 16;

/// Numbers of more values are told apart by what they are compared with.
const MAX_LENGTH: i128 = 1 << 32;

/// What cases can be made of.
pub(super) struct Cases<'f> {
    f: &'f Formula,
    /// Disjunctions and conjunctions.
    junctions: Vec<Node>,
    /// Equations.
    equations: Vec<Node>,
    /// Choices between numbers.
    choices: Vec<Node>,
    /// Variables.
    variables: Vec<Node>,
    /// Work at which to stop.
    limit: u64,
}

impl<'f> Cases<'f> {
    /// The cases of what stands below the roots.
    pub(super) fn new(f: &'f Formula, roots: &[Node]) -> Self {
        let mut cases = Cases {
            f,
            junctions: Vec::new(),
            equations: Vec::new(),
            choices: Vec::new(),
            variables: Vec::new(),
            limit: 0,
        };
        for node in f.reachable(roots) {
            match f.shape(node) {
                Shape::And(_) | Shape::Or(_) => cases.junctions.push(node),
                Shape::IsZero(_) => cases.equations.push(node),
                Shape::Choose(..) => cases.choices.push(node),
                Shape::Var(_) => cases.variables.push(node),
                _ => {}
            }
        }
        cases
    }

    /// Whether every case of what the net still allows is refuted, within so much more work.
    pub(super) fn refute(&mut self, net: &mut Net<'_>, work: u64) -> bool {
        self.limit = net.work + work;
        self.close(net, MAX_DEPTH)
    }

    fn close(&self, net: &mut Net<'_>, depth: u32) -> bool {
        if net.work > self.limit || depth == 0 {
            return false;
        }
        let looked_at = self.junctions.len() + self.equations.len() + self.variables.len();
        net.work += looked_at as u64 / LOOKED_AT_PER_WORK;
        let Some((node, parts)) = self.next(net) else {
            return false;
        };
        parts.into_iter().all(|part| {
            let mark = net.mark();
            let refuted = net.narrow(node, part).is_err()
                || net.propagate().is_err()
                || self.close(net, depth - 1);
            net.undo(mark);
            refuted
        })
    }

    /// A node that has several values, and its values in two parts.
    fn next(&self, net: &Net<'_>) -> Option<(Node, [Domain; 2])> {
        let truth = [Domain::TRUE, Domain::FALSE];
        let is_open = |node: &Node| net.domain(*node).single().is_none();
        let junctions = self.junctions.iter();
        let part = junctions.filter_map(|&node| self.open_part(net, node));
        if let Some((_, part)) = part.min() {
            return Some((part, truth));
        }
        let mut choices = self.choices.iter();
        let condition = choices.find_map(|&node| match self.f.shape(node) {
            Shape::Choose(condition, ..) => Some(*condition).filter(is_open),
            _ => None,
        });
        if let Some(condition) = condition {
            return Some((condition, truth));
        }
        let mut unequal = self
            .equations
            .iter()
            .filter(|&&node| net.domain(node) == Domain::FALSE);
        let difference = unequal.find_map(|&node| match self.f.shape(node) {
            Shape::IsZero(inner) => Some(*inner).filter(|&inner| {
                let Domain { low, high } = net.domain(inner);
                low < 0 && high > 0
            }),
            _ => None,
        });
        if let Some(difference) = difference {
            let Domain { low, high } = net.domain(difference);
            return Some((
                difference,
                [Domain { low, high: -1 }, Domain { low: 1, high }],
            ));
        }
        let variables = self.variables.iter().copied().filter(is_open);
        let variable = variables.min_by_key(|&node| net.domain(node).length())?;
        let Domain { low, high } = net.domain(variable);
        if net.domain(variable).length() > MAX_LENGTH {
            return None;
        }
        let middle = low + (high - low) / 2;
        let halves = [
            Domain { low, high: middle },
            Domain {
                low: middle + 1,
                high,
            },
        ];
        Some((variable, halves))
    }

    /// Of a disjunction that holds, or a conjunction that does not, by no part that is known: how many parts are open, and the
    /// first of them.
    fn open_part(&self, net: &Net<'_>, node: Node) -> Option<(usize, Node)> {
        let (parts, whole) = match self.f.shape(node) {
            Shape::Or(parts) => (parts, Domain::TRUE),
            Shape::And(parts) => (parts, Domain::FALSE),
            _ => return None,
        };
        if net.domain(node) != whole || parts.iter().any(|&part| net.domain(part) == whole) {
            return None;
        }
        let mut open = parts
            .iter()
            .filter(|&&part| net.domain(part).single().is_none());
        let first = *open.next()?;
        Some((1 + open.count(), first))
    }
}
