//! Which blocks are looked at, and which threads the lanes of their warps are.
//!
//! The lanes of a warp are 32 consecutive numbers of threads, x fastest. A block whose size is known, from the launch or by an assumption on it, is looked at as it is. Of a
//! size that is open, blocks of 1,024 threads stand for all: the largest warps have the most active lanes. Where the block has
//! more than one axis, which coordinates a warp spans depends on the extent along x: one that is a multiple of 32, and each
//! divisor of 32, is looked at. Of a block of one axis, a cost is looked at once more with a size that divides 32 and with one that does
//! neither.

use warplog_facts::words::Dimension;
use warplog_facts::{Facts, LaunchId, Op, TermId, TermStore};

use crate::device::WARP;

/// The sizes of a launch, as far as they are constants.
#[derive(Clone, Copy, Debug)]
pub struct Sizes {
    /// `blockDim`, then `gridDim`.
    pub terms: [Option<TermId>; 6],
    /// Their constants.
    pub known: [Option<i64>; 6],
}

/// A block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// `blockDim`.
    pub block: [i64; 3],
}

/// Threads of the blocks that stand for those of any size.
const MOST: i64 = 1024;

impl Sizes {
    /// The sizes of a launch.
    #[must_use]
    pub fn of(facts: &Facts, launch: LaunchId) -> Sizes {
        let mut sizes = Sizes {
            terms: [None; 6],
            known: [None; 6],
        };
        let rows = facts.launch_dimension.iter();
        for row in rows.filter(|row| row.launch == launch) {
            let constant = facts.terms.as_const(row.term);
            let at = row.dimension as usize;
            sizes.terms[at] = Some(row.term);
            sizes.known[at] = constant.and_then(|value| i64::try_from(value).ok());
        }
        let assumed = facts.launch_assume.iter();
        for row in assumed.filter(|row| row.launch == launch) {
            sizes.learn(&facts.terms, row.term);
        }
        sizes
    }

    /// Takes a size for known that an assumption says it is.
    fn learn(&mut self, terms: &TermStore, assumed: TermId) {
        let term = terms.get(assumed);
        match term.op {
            Op::And => {
                for &arg in &term.args {
                    self.learn(terms, arg);
                }
            }
            Op::Eq => {
                for (one, other) in [(0, 1), (1, 0)] {
                    let leaf = bare(terms, term.args[one]);
                    let value = terms.as_const(term.args[other]);
                    let Some(value) = value.and_then(|value| i64::try_from(value).ok()) else {
                        continue;
                    };
                    for (own, known) in self.terms.iter().zip(&mut self.known) {
                        if own.is_some_and(|own| bare(terms, own) == leaf) && value > 0 {
                            known.get_or_insert(value);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether the block is known.
    #[must_use]
    pub fn block_is_known(&self) -> bool {
        self.known[..3].iter().all(Option::is_some)
    }

    /// The number of blocks, if it is known.
    #[must_use]
    pub fn blocks(&self) -> Option<u64> {
        let grid = &self.known[Dimension::GridX as usize..];
        grid.iter().try_fold(1_u64, |all, size| {
            all.checked_mul(u64::try_from((*size)?).ok()?)
        })
    }

    /// The blocks to look at, the one that stands for the usual case first.
    #[must_use]
    pub fn shapes(&self) -> Vec<Shape> {
        let [x, y, z] = [self.known[0], self.known[1], self.known[2]];
        if let (Some(x), Some(y), Some(z)) = (x, y, z) {
            return vec![Shape { block: [x, y, z] }];
        }
        let flat = |size: Option<i64>| size == Some(1);
        let fill = |size: Option<i64>, rest: i64| size.unwrap_or(rest.max(1));
        let of_x = |x: i64| {
            let z = fill(z, if y.is_none() { 1 } else { MOST / x.max(1) });
            let y = fill(y, MOST / (x * z).max(1));
            Shape { block: [x, y, z] }
        };
        match x {
            Some(x) => vec![of_x(x)],
            None if flat(y) && flat(z) => vec![of_x(MOST)],
            None => [64, 32, 16, 8, 4, 2, 1].into_iter().map(of_x).collect(),
        }
    }
}

/// What a size is a conversion of.
pub(crate) fn bare(terms: &TermStore, mut term: TermId) -> TermId {
    while let Op::Cast | Op::Fit = terms.get(term).op {
        term = terms.get(term).args[0];
    }
    term
}

impl Shape {
    /// Blocks with other sizes along the axes that are open, powers of two: those with most threads first, and of these the longest rows.
    #[must_use]
    pub fn smaller(self, sizes: &Sizes) -> Vec<Shape> {
        // Of one axis all halves, of several those that blocks have.
        let most = if self.block[1..] == [1, 1] { MOST } else { 64 };
        let halves = |axis: usize, most: i64| match sizes.known[axis] {
            Some(size) => vec![size],
            None => (0..=10)
                .map(|by| most >> by)
                .filter(|size| *size > 0)
                .collect(),
        };
        let (rows, columns, planes) = (halves(0, most), halves(1, 64), halves(2, 1));
        let mut all = Vec::with_capacity(rows.len() * columns.len());
        for &x in &rows {
            for &y in &columns {
                all.extend(planes.iter().map(|&z| Shape { block: [x, y, z] }));
            }
        }
        all.retain(|shape| *shape != self && shape.threads() <= MOST);
        all.sort_by_key(|shape| (-shape.threads(), -shape.block[0]));
        all
    }

    /// Threads of the block.
    #[must_use]
    pub fn threads(&self) -> i64 {
        self.block.iter().product()
    }

    /// Warps of the block.
    #[must_use]
    pub fn warps(&self) -> u64 {
        let lanes = i64::try_from(WARP).unwrap_or(32);
        u64::try_from((self.threads() + lanes - 1) / lanes).unwrap_or(0)
    }

    /// The thread that a lane is, if the block has it.
    #[must_use]
    pub fn thread(&self, warp: u64, lane: usize) -> Option<[i128; 3]> {
        let number = i128::from(warp) * 32 + i128::try_from(lane).ok()?;
        let [x, y, _] = self.block.map(i128::from);
        let inside = number < i128::from(self.threads());
        inside.then(|| [number % x, number / x % y, number / (x * y)])
    }

    /// Whether the lanes of a warp differ in the first coordinate alone.
    #[must_use]
    pub fn warps_lie_in_rows(&self) -> bool {
        self.rows_are_warps() || self.block[1..] == [1, 1]
    }

    /// Whether every warp is full and lies within a row, so that all are alike but for where they begin.
    #[must_use]
    pub fn rows_are_warps(&self) -> bool {
        self.block[0] % 32 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_consecutive_threads() {
        let shape = Shape { block: [16, 4, 2] };
        assert_eq!(shape.warps(), 4);
        assert_eq!(shape.thread(0, 17), Some([1, 1, 0]));
        assert_eq!(shape.thread(2, 0), Some([0, 0, 1]));
        let ragged = Shape { block: [40, 1, 1] };
        assert_eq!((ragged.warps(), ragged.thread(1, 8)), (2, None));
    }

    #[test]
    fn blocks_of_any_size_are_looked_at_by_their_rows() {
        let sizes = |known: [Option<i64>; 6]| Sizes {
            terms: [None; 6],
            known,
        };
        let one = sizes([None, Some(1), Some(1), None, None, None]);
        assert_eq!(
            one.shapes(),
            [Shape {
                block: [1024, 1, 1]
            }]
        );
        let two = sizes([None, None, Some(1), None, None, None]);
        assert_eq!(two.shapes()[2], Shape { block: [16, 64, 1] });
        assert_eq!(two.shapes().len(), 7);
        assert_eq!(two.blocks(), None);
    }
}
