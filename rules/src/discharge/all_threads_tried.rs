//! D18 `all-threads-tried`: the places of all threads of a block, one by one.
//!
//! `s[(t & ~63) | (t & 15) << 2 | (t & 48) >> 4]` has no strides, but a block of constant size has few threads, and a loop such as
//! `for (stride = 256; stride > 0; stride >>= 1)` few iterations.
//!
//! **Argument.** What depends on the thread's index alone, and on how often loops went round that have a known number of
//! iterations, is evaluated for every thread and every iteration in which the conditions hold that can be evaluated, too. What else is
//! in the offsets cancels, if it is the same in both, or is a multiple of a number modulo which the places are compared.
//! Two threads of the scope whose places are never within the sizes of the accesses do not collide. In loops in which both
//! threads are in one iteration, only places of equal iterations are compared.
//!
//! **Accuracy.** Evaluation is exact. Conditions that are not evaluated are taken to hold.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::poly::Polynomial;
use warplog_facts::words::PairScope;
use warplog_facts::{LoopId, TermId};

use super::rule::{Rule, Step};
use crate::offsets::bounds;
use crate::offsets::form::Instance;
use crate::offsets::outcome::Outcome;
use crate::offsets::places::{self, Table};
use crate::offsets::two::Two;

/// D18.
pub(super) const RULE: Rule = Rule {
    id: "D18",
    names: &["all-threads-tried"],
    sentence: "The places of all threads of a small block, one by one in all iterations of small loops, never overlap, modulo what else is in the offsets.",
    origin: "our own",
    module: module_path!(),
    text: include_str!("all_threads_tried.rs"),
    steps: &[Step::Exhausted(prove)],
};

fn prove(two: &mut Two<'_, '_>) -> Outcome {
    Outcome::apart_if(two.are_apart_in_all_threads(), "all-threads-tried")
}

impl Two<'_, '_> {
    /// Whether no two threads of the scope have places that overlap.
    fn are_apart_in_all_threads(&self) -> bool {
        if self.question.pair.scope == PairScope::Grid {
            return false;
        }
        let (Some(first), Some(second)) = (
            self.table(&self.question.first),
            self.table(&self.question.second),
        ) else {
            return false;
        };
        let Some(modulus) = self.modulus(&first.rest, &second.rest) else {
            return false;
        };
        let width = self.question.first.bytes + self.question.second.bytes - 1;
        if modulus != 0 && modulus <= width {
            return false;
        }
        let mut common = first.loops.clone();
        common.retain(|id| {
            second.loops.contains(id) && self.question.aligned().binary_search(id).is_ok()
        });
        let (one, other) = (
            by_iterations(
                &first,
                &common,
                modulus,
                self.question.first.index.constant_part(),
            ),
            by_iterations(
                &second,
                &common,
                modulus,
                self.question.second.index.constant_part(),
            ),
        );
        one.iter().all(|(iterations, places)| {
            other
                .get(iterations)
                .is_none_or(|others| self.none_overlaps(places, others, modulus))
        })
    }

    fn table(&self, instance: &Instance) -> Option<Rc<Table>> {
        let (judge, launch) = (self.question.judge, &self.question.launch);
        let known = judge.tables.borrow().get(&instance.shape).cloned();
        known.unwrap_or_else(|| {
            let table = places::places(judge.ctx, launch, instance).map(Rc::new);
            let mut tables = judge.tables.borrow_mut();
            tables.insert(instance.shape, table.clone());
            table
        })
    }

    /// What all that differs in the rest of the offsets is a multiple of: 0 if nothing does.
    fn modulus(&self, first: &Polynomial, second: &Polynomial) -> Option<i128> {
        let is_shared = |monomial: &[TermId]| monomial.iter().all(|&atom| self.is_shared(atom));
        let mut modulus = 0;
        let mut add = |coefficient: i128| modulus = bounds::gcd(modulus, coefficient.abs());
        for (monomial, coefficient) in first.monomials() {
            if is_shared(monomial) {
                add(coefficient - second.coefficient(monomial));
            } else {
                add(coefficient);
            }
        }
        for (monomial, coefficient) in second.monomials() {
            if !is_shared(monomial) || first.coefficient(monomial) == 0 {
                add(coefficient);
            }
        }
        (modulus != 1).then_some(modulus)
    }

    /// Whether no place of one thread overlaps one of another thread of the scope; both are sorted.
    fn none_overlaps(
        &self,
        places: &[(i128, i128)],
        others: &[(i128, i128)],
        modulus: i128,
    ) -> bool {
        let (before, behind) = (
            self.question.second.bytes - 1,
            self.question.first.bytes - 1,
        );
        let in_scope = |one: i128, other: i128| {
            one != other
                && match self.question.pair.scope {
                    PairScope::Warp => one / 32 == other / 32,
                    PairScope::InterWarp => one / 32 != other / 32,
                    PairScope::Own => one == other,
                    PairScope::Block | PairScope::Grid => true,
                }
        };
        let free = |low: i128, high: i128, thread: i128| {
            let start = others.partition_point(|&(offset, _)| offset < low);
            let mut near = others[start..].iter();
            near.by_ref()
                .take_while(|&&(offset, _)| offset <= high)
                .all(|&(_, other)| !in_scope(thread, other))
        };
        places.iter().all(|&(offset, thread)| {
            let (low, high) = (offset - before, offset + behind);
            free(low, high, thread)
                && (modulus == 0
                    || (low >= 0 || free(low + modulus, high + modulus, thread))
                        && (high < modulus || free(low - modulus, high - modulus, thread)))
        })
    }
}

/// The places, with their threads, by the iterations of these loops, each sorted.
fn by_iterations(
    table: &Table,
    common: &[LoopId],
    modulus: i128,
    constant: i128,
) -> FxHashMap<Vec<u64>, Vec<(i128, i128)>> {
    let positions: Vec<usize> = common
        .iter()
        .filter_map(|id| table.loops.iter().position(|other| other == id))
        .collect();
    let mut found: FxHashMap<Vec<u64>, Vec<(i128, i128)>> = FxHashMap::default();
    for place in &table.places {
        let key = positions.iter().map(|&at| place.iterations[at]).collect();
        let offset = place.offset + constant;
        let offset = match modulus {
            0 => offset,
            _ => offset.rem_euclid(modulus),
        };
        found.entry(key).or_default().push((offset, place.thread));
    }
    // Each is sorted by itself.
    #[allow(clippy::iter_over_hash_type)]
    for places in found.values_mut() {
        places.sort_unstable();
        places.dedup();
    }
    found
}
