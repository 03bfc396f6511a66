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

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::eval::{Environment, Evaluator, Memo};
use warplog_facts::poly::Polynomial;
use warplog_facts::words::PairScope;
use warplog_facts::{LoopId, Op, Term, TermId};

use super::form::{Instance, LaunchForm};
use super::two::Two;
use crate::context::{Conjunct, Context};

/// Threads of a block up to which all are tried.
const MAX_THREADS: i128 = 1_024;
/// Most places of an access, in all threads and iterations.
const MAX_PLACES: u64 = 1 << 18;
/// Most iterations of a loop that are tried.
const MAX_ITERATIONS: u64 = 64;

/// Places by the shape of the access; none where they cannot be told.
pub(crate) type Tables = RefCell<FxHashMap<u32, Option<Rc<Table>>>>;

/// Where the threads of a block have their places.
pub(crate) struct Table {
    /// The loops whose iterations are tried.
    loops: Vec<LoopId>,
    places: Vec<Place>,
    /// What is not evaluated.
    rest: Polynomial,
}

struct Place {
    /// Linear index of the thread in its block.
    thread: i128,
    iterations: Vec<u64>,
    offset: i128,
}

/// A thread in certain iterations.
struct At<'t> {
    thread: [i128; 3],
    iterations: &'t [(LoopId, u64)],
}

impl Environment for At<'_> {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        match term.op {
            Op::TidX => Some(self.thread[0]),
            Op::TidY => Some(self.thread[1]),
            Op::TidZ => Some(self.thread[2]),
            Op::Iter => {
                let id = term.loop_id()?;
                let mut known = self.iterations.iter();
                known
                    .find(|(other, _)| *other == id)
                    .map(|&(_, ordinal)| i128::from(ordinal))
            }
            _ => None,
        }
    }
}

impl Two<'_, '_> {
    /// D18: no two threads of the scope have places that overlap.
    pub(crate) fn are_apart_in_all_threads(&self) -> bool {
        if self.pair.scope == PairScope::Grid {
            return false;
        }
        let (Some(first), Some(second)) = (self.table(self.first), self.table(self.second)) else {
            return false;
        };
        let Some(modulus) = self.modulus(&first.rest, &second.rest) else {
            return false;
        };
        let width = self.first.bytes + self.second.bytes - 1;
        if modulus != 0 && modulus <= width {
            return false;
        }
        let mut common = first.loops.clone();
        common.retain(|id| second.loops.contains(id) && self.aligned.binary_search(id).is_ok());
        let (one, other) = (
            by_iterations(&first, &common, modulus, self.first.index.constant_part()),
            by_iterations(&second, &common, modulus, self.second.index.constant_part()),
        );
        one.iter().all(|(iterations, places)| {
            other
                .get(iterations)
                .is_none_or(|others| self.none_overlaps(places, others, modulus))
        })
    }

    /// What all that differs in the rest of the offsets is a multiple of: 0 if nothing does.
    fn modulus(&self, first: &Polynomial, second: &Polynomial) -> Option<i128> {
        let is_shared = |monomial: &[TermId]| monomial.iter().all(|&atom| self.is_shared(atom));
        let mut modulus = 0;
        let mut add = |coefficient: i128| modulus = gcd(modulus, coefficient.abs());
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
        let (before, behind) = (self.second.bytes - 1, self.first.bytes - 1);
        let in_scope = |one: i128, other: i128| {
            one != other
                && match self.pair.scope {
                    PairScope::Warp => one / 32 == other / 32,
                    PairScope::InterWarp => one / 32 != other / 32,
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

    fn table(&self, instance: &Instance) -> Option<Rc<Table>> {
        let known = self.judge.tables.borrow().get(&instance.shape).cloned();
        known.unwrap_or_else(|| {
            let table = places(self.judge.ctx, self.launch, instance).map(Rc::new);
            let mut tables = self.judge.tables.borrow_mut();
            tables.insert(instance.shape, table.clone());
            table
        })
    }
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
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

/// What a term is made of, if it can be evaluated: whether of the thread's index, and of which loops' iterations.
fn made_of(ctx: &Context<'_>, term: TermId) -> Option<(bool, Vec<LoopId>)> {
    let terms = &ctx.facts.terms;
    let (mut of_thread, mut loops) = (false, Vec::new());
    for part in terms.reachable(&[term]) {
        let row = terms.get(part);
        match row.op {
            Op::TidX | Op::TidY | Op::TidZ => of_thread = true,
            Op::Iter => loops.push(row.loop_id()?),
            Op::Load | Op::Unknown | Op::Pure | Op::Other | Op::SameBlock => return None,
            _ if row.args.is_empty() && row.op != Op::Const => return None,
            _ if !row.ty.is_integer() => return None,
            _ => {}
        }
    }
    loops.sort_unstable();
    loops.dedup();
    Some((of_thread, loops))
}

/// The places of an access, without the constant part of its offset.
fn places(ctx: &Context<'_>, launch: &LaunchForm, instance: &Instance) -> Option<Table> {
    let size = [Op::TidX, Op::TidY, Op::TidZ].map(|op| launch.extent(op));
    let [Some(x), Some(y), Some(z)] = size else {
        return None;
    };
    let threads = x.checked_mul(y)?.checked_mul(z)?;
    if threads > MAX_THREADS {
        return None;
    }
    // What stands in the condition of a loop is done once more.
    let most = |id: LoopId| {
        let most = ctx.facts.loop_[id.index()].max_iterations?;
        (most <= MAX_ITERATIONS).then_some(most + 1)
    };
    // What is more than the ordinal of an iteration is evaluated, and all that is made of no more then.
    let atoms = instance.index.atoms();
    let mut loops: Vec<LoopId> = Vec::new();
    let mut is_of_thread = false;
    for &atom in &atoms {
        let Some((of_thread, of)) = made_of(ctx, atom) else {
            continue;
        };
        is_of_thread |= of_thread;
        if ctx.facts.terms.get(atom).op != Op::Iter && of.iter().all(|&id| most(id).is_some()) {
            loops.extend(of);
        }
    }
    loops.sort_unstable();
    loops.dedup();
    let counts: Vec<u64> = loops.iter().filter_map(|&id| most(id)).collect();
    let rounds = counts.iter().try_fold(1u64, |product, &count| {
        product
            .checked_mul(count)
            .filter(|&product| product <= MAX_PLACES)
    })?;
    let all = rounds.checked_mul(u64::try_from(threads).ok()?)?;
    if !is_of_thread || all > MAX_PLACES {
        return None;
    }
    let is_tried = |term: TermId| {
        made_of(ctx, term).is_some_and(|(_, of)| of.iter().all(|id| loops.contains(id)))
    };
    let (tried, rest) = instance
        .index
        .split(|monomial| monomial.iter().all(|&atom| is_tried(atom)));
    let mut literals: Vec<Conjunct> = instance.literals.clone();
    literals.retain(|&(term, _)| is_tried(term));
    // What no thread's index takes part in is decided first.
    let (of_thread, of_round): (Vec<Conjunct>, Vec<Conjunct>) = literals
        .into_iter()
        .partition(|&(term, _)| made_of(ctx, term).is_none_or(|(of_thread, _)| of_thread));
    let mut places = Vec::new();
    let mut memo = Memo::default();
    let mut iterations: Vec<(LoopId, u64)> = loops.iter().map(|&id| (id, 0)).collect();
    for round in 0..rounds {
        let mut left = round;
        for ((_, ordinal), &count) in iterations.iter_mut().zip(&counts) {
            *ordinal = left % count;
            left /= count;
        }
        for thread in 0..threads {
            let at = At {
                thread: [thread % x, thread / x % y, thread / x / y],
                iterations: &iterations,
            };
            let mut evaluator = Evaluator::reusing(&ctx.facts.terms, &at, memo);
            let runs = thread > 0 || holds(&mut evaluator, &of_round);
            let place =
                (runs && holds(&mut evaluator, &of_thread)).then(|| offset(&mut evaluator, &tried));
            memo = evaluator.into_memo();
            if !runs {
                break;
            }
            if let Some(offset) = place {
                places.push(Place {
                    thread,
                    iterations: iterations.iter().map(|&(_, ordinal)| ordinal).collect(),
                    offset: offset? - tried.constant_part(),
                });
            }
        }
    }
    Some(Table {
        loops,
        places,
        rest,
    })
}

/// Whether the conjuncts hold, as far as they have values.
fn holds(evaluator: &mut Evaluator<'_, At<'_>>, conjuncts: &[Conjunct]) -> bool {
    conjuncts.iter().all(|&(term, polarity)| {
        let value = evaluator.value(term);
        value.is_ok_and(|value| (value != 0) == polarity) || value.is_err()
    })
}

/// The value of a polynomial.
fn offset(evaluator: &mut Evaluator<'_, At<'_>>, polynomial: &Polynomial) -> Option<i128> {
    let mut sum: i128 = 0;
    for (monomial, coefficient) in polynomial.monomials() {
        let mut product = coefficient;
        for &atom in monomial {
            product = product.checked_mul(evaluator.value(atom).ok()?)?;
        }
        sum = sum.checked_add(product)?;
    }
    Some(sum)
}
