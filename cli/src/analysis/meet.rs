//! Where arithmetic keeps the two threads of every collision in one warp: `s[t] = t; out[t] = s[t ^ 1];`.
//!
//! **Method.** The threads of the block are counted, with exact C arithmetic: for each byte, the warps whose threads touch it by the
//! first access and by the second. Offsets that depend on more than the thread (a parameter, a loop, memory) are not counted.
//! A block of one axis and any size stands for all smaller ones by its largest.
//!
//! **Accuracy.** What is said to be in one warp is: a guard counts only where it is known to be false.

use rustc_hash::FxHashMap;
use warplog_facts::eval::{Environment, EvalError, Evaluator, Memo};
use warplog_facts::term::{Op, Term};
use warplog_facts::words::Dimension;
use warplog_facts::{AccessRow, Axis, Facts, LaunchId, TermId};
use warplog_report::Scope;

use super::rows::Rows;
use super::warps::{LANES, is_one_warp};

/// Most threads of a block that are counted.
const MOST: i128 = 1024;

/// The threads that touch a byte by each of the two accesses: a bit for each warp.
type Warps = [u32; 2];

/// Which warps there are in a race.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Meeting {
    /// Threads of two warps may collide, for all that is known.
    Anywhere,
    /// Two threads that collide are of one warp.
    WithinWarps,
    /// Threads of one warp of the block come to the accesses, and no others.
    OneWarp,
}

/// Which warps meet by two accesses, whose witness is of this scope.
pub(super) fn meeting(
    (facts, known): (&Facts, &Rows<'_>),
    launch: LaunchId,
    rows: [&AccessRow; 2],
    scope: Scope,
) -> Meeting {
    if scope != Scope::IntraWarp {
        Meeting::Anywhere
    } else if is_one_warp((facts, known), launch, rows) {
        Meeting::OneWarp
    } else {
        counted((facts, known), launch, rows)
    }
}

/// Which do in a block that has several, by counting.
fn counted(
    (facts, known_rows): (&Facts, &Rows<'_>),
    launch: LaunchId,
    rows: [&AccessRow; 2],
) -> Meeting {
    let ranges = known_rows.bases.ranges(launch);
    let sizes = [Dimension::BlockX, Dimension::BlockY, Dimension::BlockZ]
        .map(|dimension| ranges.dimension(dimension));
    let known = sizes.map(|size| size.single());
    let shape = match known {
        [Some(x), Some(y), Some(z)] => [x, y, z],
        [None, Some(1), Some(1)] => [sizes[0].high, 1, 1],
        _ => return Meeting::Anywhere,
    };
    let count = shape[0].saturating_mul(shape[1]).saturating_mul(shape[2]);
    if count <= LANES || count > MOST {
        return Meeting::Anywhere;
    }
    let is_of_thread = |root: TermId| {
        facts.terms.reachable(&[root]).iter().all(|&id| {
            let term = facts.terms.get(id);
            term.op == Op::Const || !term.args.is_empty() && term.op != Op::Load || {
                let mut axes = Axis::ALL.into_iter().zip(known);
                axes.any(|(axis, size)| {
                    term.op == axis.tid() || term.op == axis.bdim() && size.is_some()
                })
            }
        })
    };
    // Offsets in two arrays are not from one place.
    let is_one = rows[0].array == rows[1].array;
    if !is_one || !rows.iter().all(|row| is_of_thread(row.index)) {
        return Meeting::Anywhere;
    }
    let mut come = 0_u32;
    let mut touched: FxHashMap<i128, Warps> = FxHashMap::default();
    for (nth, row) in rows.into_iter().enumerate() {
        let guards = known_rows.guards(row.point).iter();
        let guards = guards.filter(|guard| is_of_thread(guard.term));
        let guards: Vec<(TermId, bool)> =
            guards.map(|guard| (guard.term, guard.polarity)).collect();
        let mut memo: Option<Memo> = None;
        for linear in 0..count {
            let thread = Thread {
                position: [
                    linear % shape[0],
                    linear / shape[0] % shape[1],
                    linear / (shape[0] * shape[1]),
                ],
                shape,
            };
            let mut evaluator = match memo {
                Some(memo) => Evaluator::reusing(&facts.terms, &thread, memo),
                // One that keeps few terms of many.
                None => Evaluator::new(&facts.terms, &thread),
            };
            let stays_away = guards.iter().any(|&(term, polarity)| {
                let value: Result<i128, EvalError> = evaluator.value(term);
                value.is_ok_and(|value| (value != 0) != polarity)
            });
            let offset = evaluator.value(row.index);
            memo = Some(evaluator.into_memo());
            if stays_away {
                continue;
            }
            let Ok(offset) = offset else {
                return Meeting::Anywhere;
            };
            come |= 1 << (linear / LANES);
            for byte in offset..offset + i128::from(row.bytes) {
                touched.entry(byte).or_default()[nth] |= 1 << (linear / LANES);
            }
        }
    }
    let mut bytes = touched.values();
    // The order does not show: all must agree.
    #[allow(clippy::iter_over_hash_type)]
    let apart = bytes.all(|&[first, second]| {
        first == 0 || second == 0 || first == second && first.is_power_of_two()
    });
    if come.is_power_of_two() {
        Meeting::OneWarp
    } else if apart {
        Meeting::WithinWarps
    } else {
        Meeting::Anywhere
    }
}

/// A thread of a block.
struct Thread {
    position: [i128; 3],
    shape: [i128; 3],
}

impl Environment for Thread {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        let mut axes = Axis::ALL
            .into_iter()
            .zip(self.position.iter().zip(self.shape));
        axes.find_map(|(axis, (&position, size))| {
            if term.op == axis.tid() {
                Some(position)
            } else {
                (term.op == axis.bdim()).then_some(size)
            }
        })
    }
}
