//! Inputs of a kernel: what an array of global or constant memory holds when the kernel begins.
//!
//! The caller decides them, so that a race which needs certain contents is one of some callers only, and a race which needs no more
//! than that two values differ is one of every caller. A read finds an input if nothing of the launch writes the array, or
//! if every write of the array comes behind the read: then there is an execution in which the two threads of a witness read
//! before anything is written.
//!
//! **Accuracy.** Sound for what it says of reads. That two values which are made of inputs differ for some inputs is what the formula
//! says where it interprets the operators; a function that it does not interpret (floating point) is taken not to forget its
//! arguments, unless its result is a truth value or an integer and is not one comparison or conversion of an input ([`forgets`]).
//! What both threads compute from the same numbers is the same ([`tells_threads_apart`]).

use facts::words::{AccessKind, Scope, Space};
use facts::*;
use rustc_hash::FxHashSet;
use warplog_facts as facts;

use crate::index::Index;
use crate::outcome::Needs;
use crate::query::Query;
use crate::replay::Who;
use crate::solve::Model;
use crate::stored::Part;

/// Whether a read finds what the array held when the kernel began.
pub(crate) fn is_input(index: &Index, read: &AccessRow) -> bool {
    let facts = index.facts;
    let array = &facts.array[read.array.index()];
    // Constant memory is filled by the host before the launch.
    if array.space == Space::Constant {
        return true;
    }
    if array.space != Space::Global {
        return false;
    }
    if is_stable(index, read.access) {
        return true;
    }
    let loops = index.loops(read.point);
    facts.access.iter().all(|other| {
        let of = &facts.array[other.array.index()];
        let writes = other.kind != AccessKind::Read
            && of.launch == array.launch
            && of.storage == array.storage;
        let behind = other.point > read.point
            && !index.loops(other.point).iter().any(|id| loops.contains(id));
        !writes || behind
    })
}

/// Whether nothing of the launch writes what is read.
fn is_stable(index: &Index, read: AccessId) -> bool {
    index.stable_load(read) >= Some(Scope::Grid)
}

/// What a finding needs whose way rests on these leaves: contents of inputs, if they are all that, and comparisons of them; values
/// of host code, if some are that and the others contents.
pub(crate) fn needs(index: &Index, exact: bool, leaves: &[TermId]) -> Needs {
    let terms = &index.facts.terms;
    let is_of_inputs = |&id: &TermId| match terms.get(id).op {
        Op::Load => load(index, id).is_some_and(|row| is_input(index, row)),
        Op::Pure => is_comparison(index, id) && are_made_of_inputs(index, [id].into_iter()),
        _ => false,
    };
    let is_of_host = |&id: &TermId| {
        let symbol = terms.get(id).symbol();
        symbol.is_some_and(|symbol| index.is_computed(symbol))
    };
    if exact {
        Needs::Nothing
    } else if leaves.is_empty() {
        Needs::Abstraction
    } else if leaves.iter().all(is_of_inputs) {
        Needs::Contents
    } else if leaves.iter().all(|id| is_of_inputs(id) || is_of_host(id)) {
        Needs::Computed
    } else {
        Needs::Abstraction
    }
}

fn load<'a>(index: &'a Index, id: TermId) -> Option<&'a AccessRow> {
    let access = index.facts.terms.get(id).access()?;
    index.facts.access.get(access.index())
}

/// A comparison of numbers in floating point: of inputs it may have either result.
fn is_comparison(index: &Index, id: TermId) -> bool {
    let function = index.facts.terms.get(id).function();
    let row = function.and_then(|id| index.facts.pure_function.get(id.index()));
    let operators = ["<", "<=", ">", ">=", "==", "!="];
    row.is_some_and(|row| {
        let operator = row.name.rsplit(' ').next().unwrap_or_default();
        operators.contains(&operator)
    })
}

/// Functions whose results are bounded by one of their arguments, or by a constant.
const CLAMPS: [&str; 10] = [
    "fmin", "fmax", "fminf", "fmaxf", "__hmin", "__hmax", "saturate", "clamp", "copysign",
    "signbit",
];

/// Whether one of these values is, or rests on, a truth value or an integer that is made of numbers in floating point and may be the
/// same for all inputs: one that rests on no input, that lies behind a clamp, or several that rest on one input, of which
/// each may contradict another (`x == x + 1 && x != x`).
fn forgets(index: &Index, values: &[TermId]) -> bool {
    let terms = &index.facts.terms;
    let name = |id: TermId| {
        let function = terms.get(id).function()?;
        Some(
            index
                .facts
                .pure_function
                .get(function.index())?
                .name
                .as_str(),
        )
    };
    let mut known: FxHashSet<TermId> = FxHashSet::default();
    let discrete = |id: &TermId| terms.get(*id).op == Op::Pure && terms.ty(*id).is_integer();
    for id in terms.reachable(values).into_iter().filter(discrete) {
        let below = terms.reachable(&[id]);
        let reads: Vec<TermId> = below
            .iter()
            .copied()
            .filter(|&id| matches!(terms.get(id).op, Op::Load | Op::Unknown))
            .collect();
        let clamped = below.iter().any(|&id| {
            terms.get(id).op == Op::Pure
                && name(id).is_some_and(|name| CLAMPS.iter().any(|clamp| name.contains(clamp)))
        });
        if reads.is_empty() || clamped || reads.iter().any(|read| !known.insert(*read)) {
            return true;
        }
    }
    false
}

/// Whether something under these values, which both threads compute in the same way, is not the same for both: a component of the
/// index of a thread or of a block in which the two differ, or the iteration of a loop.
pub(crate) fn tells_threads_apart(index: &Index, values: &[TermId], who: &[Who; 2]) -> bool {
    let facts = index.facts;
    let differ =
        |one: &[i128; 3], other: &[i128; 3], axis: Axis| one[axis as usize] != other[axis as usize];
    let mut waiting = values.to_vec();
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    while let Some(root) = waiting.pop() {
        for id in facts.terms.reachable(&[root]) {
            if !seen.insert(id) {
                continue;
            }
            let term = facts.terms.get(id);
            let component = Axis::ALL.into_iter().any(|axis| {
                term.op == axis.tid() && differ(&who[0].thread, &who[1].thread, axis)
                    || term.op == axis.bid() && differ(&who[0].block, &who[1].block, axis)
            });
            match term.op {
                _ if component => return true,
                // What a loop went through is the same for both where nothing else differs.
                Op::Unknown => {
                    let Some(unknown) = term.unknown() else {
                        return true;
                    };
                    if facts.unknown[unknown.index()].opaque {
                        return true;
                    }
                    let depends = facts.unknown_depends_on.iter();
                    waiting.extend(
                        depends
                            .filter(|row| row.unknown == unknown)
                            .map(|row| row.term),
                    );
                    let controlled = facts.unknown_controlled_by.iter();
                    waiting.extend(
                        controlled
                            .filter(|row| row.unknown == unknown)
                            .map(|row| row.term),
                    );
                }
                Op::Iter
                    if values
                        .iter()
                        .any(|&value| facts.terms.reachable(&[value]).contains(&id)) =>
                {
                    return true;
                }
                Op::Other => return true,
                _ => {}
            }
        }
    }
    false
}

/// Whether values are computed from inputs, sizes and the numbers of threads alone; in loops, too, if what an iteration adds is.
pub(crate) fn are_made_of_inputs(index: &Index, values: impl Iterator<Item = TermId>) -> bool {
    let facts = index.facts;
    let mut waiting: Vec<TermId> = values.collect();
    if forgets(index, &waiting) {
        return false;
    }
    let mut seen: FxHashSet<TermId> = FxHashSet::default();
    let (mut reads, mut rests_on_loops) = (false, false);
    while let Some(root) = waiting.pop() {
        if !seen.insert(root) {
            continue;
        }
        for id in facts.terms.reachable(&[root]) {
            let term = facts.terms.get(id);
            match term.op {
                Op::Load if load(index, id).is_some_and(|row| is_input(index, row)) => reads = true,
                Op::Unknown => {
                    rests_on_loops = true;
                    let Some(unknown) = term.unknown() else {
                        return false;
                    };
                    let row = &facts.unknown[unknown.index()];
                    let depends = facts.unknown_depends_on.iter();
                    let depends: Vec<TermId> = depends
                        .filter(|row| row.unknown == unknown)
                        .map(|row| row.term)
                        .collect();
                    let mut controlled = facts.unknown_controlled_by.iter();
                    let is_controlled = controlled.any(|row| {
                        row.unknown == unknown && {
                            let leaves = facts.terms.reachable(&[row.term]);
                            leaves
                                .iter()
                                .any(|&id| facts.terms.get(id).op == Op::Unknown)
                        }
                    });
                    if row.opaque || is_controlled || depends.is_empty() {
                        return false;
                    }
                    waiting.extend(depends);
                }
                Op::Load | Op::Other => return false,
                Op::Symbol
                    if term
                        .symbol()
                        .is_some_and(|symbol| index.is_computed(symbol)) =>
                {
                    return false;
                }
                _ => {}
            }
        }
    }
    reads || !rests_on_loops
}

/// Whether objects that are stored are made of inputs that the launch does not change.
pub(crate) fn are_copied(index: &Index, writes: &[&AccessRow; 2]) -> bool {
    let parts = writes.iter().flat_map(|row| index.stored_parts(row.access));
    let roots: Vec<TermId> = parts.map(|part| part.value).collect();
    let reads = index.facts.terms.reachable(&roots);
    let mut reads = reads
        .into_iter()
        .filter_map(|id| load(index, id))
        .peekable();
    reads.peek().is_some()
        && reads.all(|row| is_stable(index, row.access))
        && are_made_of_inputs(index, roots.into_iter())
}

/// Whether the two threads of a model read no byte that both read, wherever what they store is read from an array that is written
/// later: of one element they would find the same.
pub(crate) fn read_apart<'p>(
    index: &Index,
    query: &Query,
    model: &Model,
    parts: impl Iterator<Item = &'p Part>,
) -> bool {
    let roots: Vec<TermId> = parts.map(|part| part.value).collect();
    let f = &query.encoder.f;
    let mut read: [Vec<(ArrayId, i128, i128)>; 2] = Default::default();
    for id in index.facts.terms.reachable(&roots) {
        let Some(row) = load(index, id).filter(|row| !is_stable(index, row.access)) else {
            continue;
        };
        let storage = index.facts.array[row.array.index()].storage;
        let instances = query.encoder.instances.iter();
        for instance in instances.filter(|instance| instance.term == id) {
            // Shared by both threads, or at a place that the model does not tell.
            let (Some(side), Some(offset)) = (
                instance.side,
                instance.index.and_then(|index| f.evaluate(index, model)),
            ) else {
                return false;
            };
            read[side.index()].push((storage, offset, offset + i128::from(row.bytes)));
        }
    }
    let [first, second] = &read;
    first.iter().all(|(storage, start, end)| {
        second
            .iter()
            .all(|(other, from, to)| storage != other || end <= from || to <= start)
    })
}
