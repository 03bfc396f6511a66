//! Indices counted from the other end: `blockDim.x - 1 - threadIdx.x`, which lies between 0 and `blockDim.x - 1` as the index does.

use super::{Interval, Ranges};
use crate::words::Dimension;
use crate::{Axis, Op, Term, TermId};

/// Most summands that are looked at.
const MOST_PARTS: usize = 8;

impl Ranges<'_> {
    /// Bounds of a size of the launch less the index along its axis and a constant, in any order, of which no part wraps: then neither
    /// does the whole.
    pub(super) fn mirrored(&self, term: &Term) -> Option<Interval> {
        let (Op::Sub, &[left, right]) = (term.op, term.args.as_slice()) else {
            return None;
        };
        let mut size = None;
        let mut index = None;
        let mut constant: i128 = 0;
        let mut stack = vec![(left, true), (right, false)];
        for _ in 0..MOST_PARTS {
            let Some((id, adds)) = stack.pop() else {
                break;
            };
            let id = self.stripped(id);
            let part = self.facts.terms.get(id);
            let exact = self
                .known
                .borrow()
                .get(&id)
                .is_some_and(|known| known.exact);
            match (part.op, part.args.as_slice()) {
                (Op::Const, _) => {
                    constant += if adds { part.payload } else { -part.payload };
                }
                (Op::Sub, &[one, other]) if exact => stack.extend([(one, adds), (other, !adds)]),
                (Op::Add, &[one, other]) if exact => stack.extend([(one, adds), (other, adds)]),
                _ if adds && size.is_none() => size = Some(id),
                _ if !adds && index.is_none() => index = Some(id),
                _ => return None,
            }
        }
        let (size, index) = (size?, index?);
        if !stack.is_empty() {
            return None;
        }
        let dimension = self.dimension_of_index(index)?;
        if !self.is_dimension(size, dimension) {
            return None;
        }
        // The index is at least 0 and at most one less than the size, so that the difference is at least 1.
        let most = self.dimension(dimension).high;
        let whole = Interval::of_type(term.ty);
        let bounds = Interval::new(1 + constant, most + constant);
        (bounds.low >= 0 && whole.covers(bounds)).then_some(bounds)
    }

    fn dimension_of_index(&self, index: TermId) -> Option<Dimension> {
        let op = self.facts.terms.get(index).op;
        let axes = Axis::ALL.into_iter();
        axes.zip(AXES).find_map(|(axis, [block, grid])| match op {
            _ if op == axis.tid() => Some(block),
            _ if op == axis.bid() => Some(grid),
            _ => None,
        })
    }

    /// Whether a term is a size of the launch, by its name in the kernel or as host code computes it.
    fn is_dimension(&self, term: TermId, dimension: Dimension) -> bool {
        let op = self.facts.terms.get(term).op;
        let mut axes = Axis::ALL.into_iter().zip(AXES);
        let is_named = axes.any(|(axis, [block, grid])| {
            (dimension == block && op == axis.bdim()) || (dimension == grid && op == axis.gdim())
        });
        let computed = self.dimension_of[dimension as usize];
        is_named || computed.is_some_and(|computed| self.stripped(computed) == term)
    }
}

/// The size of the block and of the grid along each axis.
const AXES: [[Dimension; 2]; 3] = [
    [Dimension::BlockX, Dimension::GridX],
    [Dimension::BlockY, Dimension::GridY],
    [Dimension::BlockZ, Dimension::GridZ],
];
