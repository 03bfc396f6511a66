//! Numbers with a sign that unsigned arithmetic takes for sizes: quotients of them, how much of a number one of several does,
//! and products with indices.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::{Known, Ranges};
use crate::{Axis, Op, Term, TermId};

impl Ranges<'_> {
    /// `(n + gridDim.x - 1) / gridDim.x`, how much of `n` one of several does: a size, as `n` is.
    pub(super) fn is_share(&self, id: TermId, term: &Term) -> bool {
        let (Op::Div, &[amount, by]) = (term.op, term.args.as_slice()) else {
            return false;
        };
        if term.ty.is_signed() {
            let narrowed = self.narrowed.get(&id);
            return narrowed.is_some_and(|bounds| bounds.low >= 0)
                && [amount, by].iter().all(|&of| self.is_made_of_sizes(of));
        }
        let by = self.known.borrow()[&by];
        if !by.sized || by.interval.low < 0 {
            return false;
        }
        let summands = |id: TermId| match self.facts.terms.get(id) {
            Term {
                op: Op::Add, args, ..
            } => args.to_vec(),
            _ => vec![id],
        };
        let (summands, less) = match self.facts.terms.get(amount) {
            Term {
                op: Op::Sub, args, ..
            } => (summands(args[0]), Some(args[1])),
            _ => (summands(amount), None),
        };
        let mut least: i128 = 0;
        for id in summands {
            let known = self.known.borrow().get(&id).copied();
            let Some(known) = known.filter(|known| known.interval.low >= 0) else {
                return false;
            };
            if !known.sized && !self.may_be_size(id) {
                return false;
            }
            least = least.saturating_add(known.interval.low);
        }
        less.is_none_or(|less| {
            let known = self.known.borrow().get(&less).copied();
            known.is_some_and(|known| (0..=least).contains(&known.interval.high))
        })
    }

    /// Sums, differences and products of numbers that the kernel is given, sizes of the launch and constants.
    fn is_made_of_sizes(&self, root: TermId) -> bool {
        let mut stack = vec![root];
        let mut seen = 0;
        while let Some(id) = stack.pop() {
            let term = self.facts.terms.get(id);
            seen += 1;
            match term.op {
                _ if seen > 32 || !term.ty.is_integer() => return false,
                Op::Add | Op::Sub | Op::Mul | Op::Cast | Op::Fit => {
                    stack.extend_from_slice(&term.args);
                }
                Op::Symbol | Op::Const => {}
                op if Axis::ALL
                    .iter()
                    .any(|axis| axis.bdim() == op || axis.gdim() == op) => {}
                _ => return false,
            }
        }
        true
    }

    /// `blockIdx.x * n` with an `int n`: as a factor of an index a number that the kernel is given is a size.
    pub(super) fn is_product_of_sizes(&self, term: &Term, args: &[Known]) -> bool {
        term.op == Op::Mul
            && std::iter::zip(&term.args, args).all(|(&arg, known)| {
                known.interval.low >= 0 && (known.sized || self.may_be_size(arg))
            })
    }

    /// `blockIdx.x << log` with a `log` that the kernel is given: a product of an index and a size.
    pub(super) fn is_shifted_size(&self, term: &Term, args: &[Known]) -> bool {
        term.op == Op::Shl
            && args[0].sized
            && args[0].interval.low >= 0
            && self.is_given(term.args[1])
    }

    /// Whether a term is a number that the kernel is given.
    pub(super) fn is_given(&self, id: TermId) -> bool {
        let mut term = self.facts.terms.get(id);
        while let (Op::Cast | Op::Fit, &[arg]) = (term.op, term.args.as_slice()) {
            term = self.facts.terms.get(arg);
        }
        term.op == Op::Symbol
    }

    /// A number that the kernel is given, or a product of such and constants: `int columns = groups * size`.
    fn is_product_of_given(&self, root: TermId) -> bool {
        let mut stack = vec![root];
        let (mut seen, mut given) = (0, 0);
        while let Some(id) = stack.pop() {
            let term = self.facts.terms.get(id);
            seen += 1;
            match term.op {
                _ if seen > 16 => return false,
                Op::Mul | Op::Cast => stack.extend_from_slice(&term.args),
                Op::Symbol => given += 1,
                Op::Const => {}
                _ => return false,
            }
        }
        given > 0
    }

    /// A number with a sign that the kernel is given, or a product of such, where it is taken for one without, and may be one, as it
    /// bounds something. `if (p != 0) g[threadIdx.x * p]` says nothing about how large p is meant to be.
    fn may_be_size(&self, id: TermId) -> bool {
        let term = self.facts.terms.get(id);
        let (Op::Cast, &[arg]) = (term.op, term.args.as_slice()) else {
            return false;
        };
        (self.is_product_of_given(arg) || self.given.contains(&arg))
            && self.facts.terms.ty(arg).is_integer()
            && self
                .known
                .borrow()
                .get(&arg)
                .is_some_and(|known| known.interval.high > 0)
            && self.bounding().contains(&arg)
    }

    /// Keeps what a conjunct orders.
    pub(super) fn find_ordered(&mut self, id: TermId, polarity: bool, depth: u32) {
        let term = self.facts.terms.get(id);
        match (term.op, polarity) {
            _ if depth > 32 => {}
            (Op::Not, _) => self.find_ordered(term.args[0], !polarity, depth + 1),
            (Op::And, true) | (Op::Or, false) => {
                for &arg in &term.args {
                    self.find_ordered(arg, polarity, depth + 1);
                }
            }
            (Op::Lt | Op::Le, _) => self.ordered.extend_from_slice(&term.args),
            _ => {}
        }
    }

    /// What is compared on the path: `first` and `share` in `i < first + share`.
    fn bounding(&self) -> Rc<FxHashSet<TermId>> {
        let find = || {
            let terms = self.facts.terms.reachable(&self.ordered);
            Rc::new(terms.into_iter().collect())
        };
        Rc::clone(self.bounding.borrow_mut().get_or_insert_with(find))
    }
}
