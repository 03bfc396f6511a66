//! The places of all threads of a small block, evaluated one by one in all iterations of small loops.
//!
//! **Accuracy.** Evaluation is exact. Conditions that are not evaluated are taken to hold.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::eval::{Environment, Evaluator, Memo};
use warplog_facts::poly::Polynomial;
use warplog_facts::{LoopId, Op, Term, TermId};

use super::form::{Instance, LaunchForm};
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
    pub(crate) loops: Vec<LoopId>,
    pub(crate) places: Vec<Place>,
    /// What is not evaluated.
    pub(crate) rest: Polynomial,
}

pub(crate) struct Place {
    /// Linear index of the thread in its block.
    pub(crate) thread: i128,
    pub(crate) iterations: Vec<u64>,
    pub(crate) offset: i128,
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
pub(crate) fn places(ctx: &Context<'_>, launch: &LaunchForm, instance: &Instance) -> Option<Table> {
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
