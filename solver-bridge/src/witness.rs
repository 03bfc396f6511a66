//! From a model to a replayed witness.

use std::collections::BTreeMap;
use std::rc::Rc;

use facts::derived::*;
use facts::eval::{Environment, EvalError};
use facts::words::*;
use facts::*;
use rustc_hash::FxHashMap;
use warplog_facts as facts;

use super::whereabouts::{iterations, loop_variables, restricted};
use crate::defined::Undefined;
use crate::diverge::pairing;
use crate::formula::Node;
use crate::index::{Index, barrier_level};
use crate::inputs;
use crate::instances::{Iterations, Side};
use crate::outcome::*;
use crate::query::{MAX_THREADS, Pairing, Query, Refined, Refinement};
use crate::region::separates;
use crate::replay::{self, End, Left, ModelLeaves, Ordinals, Run, Target, Who, launch_holds, run};
use crate::solve::Model;
use crate::stored::{self, Stored, differ};
use crate::walks::Level;
use crate::whereabouts::whereabouts;

/// What a replay says of a model.
pub(crate) enum Replay {
    /// Both threads do what the formula says.
    Good(Box<Replayed>),
    /// They do not, because of this; asking again with it may help.
    Refine(Refinement),
    /// They do not, and nothing can be added to the formula.
    Bad(String),
    /// They take too long to tell.
    Long,
}

/// A witness that replays.
pub(crate) struct Replayed {
    pub(crate) witness: Witness,
    pub(crate) exact: bool,
    pub(crate) needs: Needs,
    pub(crate) abstractions: Vec<Abstraction>,
}

/// A model as the threads see it.
struct Concrete {
    who: [Who; 2],
    leaves: ModelLeaves,
    iterations: [Ordinals; 2],
    head: Ordinals,
}

fn ordinals(query: &Query, model: &Model, iterations: &Iterations) -> Option<Ordinals> {
    let mut result: Ordinals = iterations
        .iter()
        .map(|&(id, node)| Some((id, query.encoder.f.evaluate(node, model)?)))
        .collect::<Option<_>>()?;
    result.sort_unstable();
    Some(result)
}

fn concrete(index: &Index, query: &Query, launch: LaunchId, model: &Model) -> Option<Concrete> {
    let f = &query.encoder.f;
    let value = |node: Node| f.evaluate(node, model);
    let triple = |nodes: &[Node]| -> Option<[i128; 3]> {
        Some([value(nodes[0])?, value(nodes[1])?, value(nodes[2])?])
    };
    let mut symbols: FxHashMap<SymbolId, i128> = index
        .facts
        .symbol
        .iter()
        .filter(|row| row.launch == launch)
        .map(|row| (row.symbol, 0))
        .collect();
    symbols.extend(query.encoder.fixed_symbols.iter().copied());
    for (&id, &(_, node)) in &query.encoder.symbols {
        symbols.insert(id, value(node)?);
    }
    let assumed_exact = query
        .encoder
        .assumed_exact
        .each_ref()
        .map(|terms| Rc::new(terms.clone()));
    let who = |side: usize| -> Option<Who> {
        Some(Who {
            side,
            thread: triple(&query.tid[side])?,
            block: triple(&query.bid[side])?,
            block_dim: triple(&query.dims[..3])?,
            grid_dim: triple(&query.dims[3..])?,
            symbols: symbols.clone(),
            others: FxHashMap::default(),
            assumed_exact: Rc::clone(&assumed_exact[side]),
        })
    };
    let mut leaves = ModelLeaves::default();
    for instance in &query.encoder.instances {
        let (Some(at), Some(result)) = (
            ordinals(query, model, &instance.iterations),
            value(instance.node),
        ) else {
            continue;
        };
        for side in Side::BOTH {
            if instance.side.is_none_or(|own| own == side) {
                leaves.leaves[side.index()]
                    .entry((instance.term, at.clone()))
                    .or_insert(result);
            }
        }
    }
    for (key, args, node) in query.encoder.applications() {
        let args = args.iter().map(|&arg| value(arg)).collect::<Option<_>>();
        if let (Some(args), Some(result)) = (args, value(node)) {
            let (op, payload, ty, types) = key.clone();
            leaves
                .calls
                .entry((op, payload, ty, types, args))
                .or_insert(result);
        }
    }
    Some(Concrete {
        who: [who(0)?, who(1)?],
        leaves,
        iterations: [
            ordinals(query, model, &query.iterations[0])?,
            ordinals(query, model, &query.iterations[1])?,
        ],
        head: ordinals(query, model, &query.head)?,
    })
}

/// The witness of a model whose replay takes too long: what the formula says of both threads, and nothing has confirmed.
pub(crate) fn not_replayed(
    index: &Index,
    query: &Query,
    launch: LaunchId,
    model: &Model,
) -> Option<Replayed> {
    let concrete = concrete(index, query, launch, model)?;
    let threads = Side::BOTH.map(|side| WitnessThread {
        block: concrete.who[side.index()].block,
        thread: concrete.who[side.index()].thread,
        offset: None,
        iterations: Vec::new(),
        loads: loads(index, query, model, side),
        written: None,
    });
    Some(Replayed {
        witness: Witness {
            block_dim: concrete.who[0].block_dim,
            grid_dim: concrete.who[0].grid_dim,
            threads,
            element: None,
            values: values(index, query, model),
            notes: Vec::new(),
        },
        exact: false,
        needs: Needs::Abstraction,
        abstractions: vec![Abstraction {
            text: TOO_LONG.to_owned(),
            span: None,
            input: None,
        }],
    })
}

/// What a finding rests on whose witness was not replayed to its end.
pub(crate) const TOO_LONG: &str = "the replay of the witness, which is too long";

/// What is wrong with the sizes and the assumptions of the launch.
fn other_launch(
    index: &Index,
    launch: LaunchId,
    query: &Query,
    concrete: &Concrete,
) -> Option<Replay> {
    // That global thread ids do not wrap is assumed of both threads, where the formula rests on it.
    for (who, side) in concrete.who.iter().zip(Side::BOTH) {
        for (axis, id) in query.encoder.global_ids.iter().enumerate() {
            let number = who.block[axis] * who.block_dim[axis] + who.thread[axis];
            if let Some((term, most)) = *id
                && number > most
            {
                return Some(undefined(side, EvalError::Overflow(term)));
            }
        }
    }
    match launch_holds(index, launch, &concrete.who[0]) {
        Ok(true) => None,
        Ok(false) => Some(Replay::Bad(
            "the model of the solver contradicts the launch".to_owned(),
        )),
        Err(EvalError::NotKnown(_)) => Some(Replay::Bad(
            "the sizes of the launch cannot be evaluated".to_owned(),
        )),
        Err(error) => Some(undefined(Side::First, error)),
    }
}

/// A model with undefined behaviour is none: ask for one without.
fn undefined(side: Side, error: EvalError) -> Replay {
    let kind = match error {
        EvalError::Overflow(_) | EvalError::Misfit(_) => Undefined::Overflow,
        EvalError::ShiftCount(_) => Undefined::ShiftCount,
        EvalError::DivisionByZero(_) => Undefined::Division,
        EvalError::NotKnown(_) => {
            return Replay::Bad("the index of the witness cannot be evaluated".to_owned());
        }
    };
    Replay::Refine(Refinement {
        side,
        what: Refined::Defined(kind),
        at: Vec::new(),
        before: None,
        behind_head: false,
    })
}

/// Why a run did not get to its target, as a fact for the formula.
fn missing(index: &Index, side: Side, run: &Run, target: &Target) -> Replay {
    match &run.end {
        End::TooLong => return Replay::Long,
        End::Undefined(error) => return undefined(side, *error),
        End::Target | End::Finished | End::Trapped => {}
    }
    let goal = |id: LoopId| {
        target
            .at
            .iter()
            .find(|(other, _)| *other == id)
            .map(|x| x.1)
    };
    for (left, at) in run.left.iter().rev() {
        let own = match left {
            Left::Condition(id) => Some(*id),
            Left::Taken(point) => index.break_of(*point),
        };
        // A loop that does not contain the target may be left at any time.
        if own.is_some_and(|id| goal(id).is_none()) {
            continue;
        }
        let point = match left {
            Left::Condition(id) => index.loop_row(*id).head,
            Left::Taken(point) => *point,
        };
        let mut constants = Vec::new();
        let mut before = None;
        let mut apart = false;
        for &id in index.loops(point) {
            let Some(&(_, ordinal)) = at.iter().find(|(other, _)| *other == id) else {
                continue;
            };
            if !apart && goal(id) == Some(ordinal) {
                continue;
            }
            if !apart {
                before = goal(id).map(|_| (id, ordinal));
            }
            apart = true;
            constants.push((id, ordinal));
        }
        if own.is_some_and(|id| {
            // Left in an iteration of outer loops other than the target's.
            constants.first().is_none_or(|(first, _)| *first != id)
        }) {
            continue;
        }
        let what = match left {
            Left::Condition(id) => Refined::Condition(*id),
            Left::Taken(point) => Refined::NotTaken(*point),
        };
        return Replay::Refine(Refinement {
            side,
            what,
            at: constants,
            before,
            behind_head: false,
        });
    }
    Replay::Bad("the model of the solver does not replay".to_owned())
}

/// A barrier executed between head and access.
fn barrier_between(
    index: &Index,
    side: Side,
    point: PointId,
    at: &Ordinals,
    goal: &Ordinals,
) -> Refinement {
    let constants = index
        .loops(point)
        .iter()
        .filter_map(|id| at.iter().find(|(other, _)| other == id).copied())
        .filter(|entry| !goal.contains(entry))
        .collect();
    Refinement {
        side,
        what: Refined::NotTaken(point),
        at: constants,
        before: None,
        behind_head: false,
    }
}

/// Iterations of the loops around a point, outermost first.
fn in_order(index: &Index, point: PointId, at: &Ordinals) -> Vec<i128> {
    let loops = index.loops(point).iter();
    let known = |id: &LoopId| at.iter().find(|(other, _)| other == id);
    loops
        .filter_map(known)
        .map(|&(_, ordinal)| ordinal)
        .collect()
}

/// The barrier events before the target: the last of them must be the head.
fn check_interval(
    index: &Index,
    side: Side,
    scope: Level,
    head: (PointId, &Ordinals),
    run: &Run,
    target: &Target,
    same_interval: bool,
) -> Option<Replay> {
    let position = run
        .events
        .iter()
        .rposition(|event| event.point == target.point && event.at == target.at)
        .unwrap_or(run.events.len());
    let is_entry = index.facts.point[head.0.index()].kind == PointKind::Entry;
    let mut before = run.events[..position].iter().rev();
    if !same_interval {
        let passed = is_entry || before.any(|e| e.point == head.0 && e.at == *head.1);
        return (!passed)
            .then(|| Replay::Bad("the head of the interval is not executed".to_owned()));
    }
    let last = before.find(|event| {
        separates(index, event.point, scope) || (event.point == head.0 && event.at == *head.1)
    });
    match last {
        None if is_entry => None,
        Some(event) if event.point == head.0 && event.at == *head.1 => None,
        // Another barrier, or the head's again in a later iteration.
        Some(event) if event.point != head.0 || event.at != *head.1 => {
            let between = barrier_between(index, side, event.point, &event.at, &target.at);
            Some(Replay::Refine(Refinement {
                behind_head: event.point == head.0
                    && in_order(index, head.0, head.1) < in_order(index, head.0, &event.at),
                ..between
            }))
        }
        _ => Some(Replay::Bad(
            "the head of the interval is not executed in the same iteration".to_owned(),
        )),
    }
}

/// Replays a model of a race candidate.
pub(crate) fn replay_race(
    index: &Index,
    candidate: &CandidateRaceRow,
    query: &Query,
    model: &Model,
) -> Replay {
    let Some(concrete) = concrete(index, query, candidate.launch, model) else {
        return Replay::Bad("the model of the solver is not complete".to_owned());
    };
    if let Some(bad) = too_many_threads(index, candidate.launch, &concrete) {
        return bad;
    }
    if let Some(bad) = other_launch(index, candidate.launch, query, &concrete) {
        return bad;
    }
    if !are_a_pair(Pairing::Race(candidate.scope), &concrete.who) {
        return Replay::Bad("the model of the solver is not of two threads".to_owned());
    }
    if !matches!(candidate.scope, PairScope::Grid | PairScope::Own) {
        for (group, barrier) in index.groups(candidate.launch) {
            let lanes = barrier.kind == BarrierKind::Warp;
            let asked = candidate.groups >> group & 1 == 1;
            let both = are_in(index, barrier, &concrete.who);
            if !(lanes && candidate.scope == PairScope::InterWarp) && both != Some(asked) {
                return Replay::Bad(
                    "the witness is not of the threads that are asked for".to_owned(),
                );
            }
        }
    }
    let accesses = [candidate.first, candidate.second].map(|id| &index.facts.access[id.index()]);
    let writes = accesses.iter().all(|row| row.kind == AccessKind::Write);
    // What is written matters only where the other thread writes, too.
    let stored = accesses.map(|access| match writes {
        true => stored::parts(index, access),
        false => Vec::new(),
    });
    let chosen = index.chosen_places(candidate);
    let mut exact = true;
    let mut runs = Vec::new();
    let mut targets = Vec::new();
    for side in Side::BOTH {
        let access = accesses[side.index()];
        let own = side.index();
        let mut wanted = vec![access.index];
        wanted.extend(stored[own].iter().map(|part| part.value));
        let variables = wanted.len();
        wanted.extend(loop_variables(index, access.point).map(|row| row.term));
        wanted.extend(chosen);
        let target = Target {
            point: access.point,
            at: restricted(index, &concrete.iterations[own], access.point),
            wanted,
            to_the_end: candidate.exit.is_some() && side == Side::First && !index.lasts(candidate),
        };
        let same_interval = candidate.exit.is_none() || side == Side::First;
        let mut result = None;
        for leaves in [None, Some(&concrete.leaves)] {
            let done = run(index, candidate.launch, &concrete.who[own], leaves, &target);
            let known = |position: usize| {
                !matches!(done.values.get(position), Some(Err(EvalError::NotKnown(_))))
            };
            let decided = done.undecided.is_empty() && known(0);
            if leaves.is_none() && !decided {
                exact = false;
                continue;
            }
            result = Some(done);
            break;
        }
        let Some(done) = result else {
            return Replay::Bad("the replay did not end".to_owned());
        };
        if done.end != End::Target {
            return missing(index, side, &done, &target);
        }
        if let Some(trouble) = check_interval(
            index,
            side,
            barrier_level(candidate),
            (candidate.head, &concrete.head),
            &done,
            &target,
            same_interval,
        ) {
            return trouble;
        }
        if let (Some(exit), Side::First) = (candidate.exit, side)
            && !index.lasts(candidate)
            && let Some(trouble) = check_exit(index, candidate, exit, &done, &target)
        {
            return trouble;
        }
        runs.push((done, variables));
        targets.push(target);
    }
    let mut offsets = [0; 2];
    for (side, (done, _)) in runs.iter().enumerate() {
        match done.values.first() {
            Some(Ok(offset)) => offsets[side] = *offset,
            Some(Err(error)) => return undefined(Side::BOTH[side], *error),
            None => return Replay::Bad("the index of the witness cannot be evaluated".to_owned()),
        }
    }
    if chosen.is_some() {
        let places = [0, 1].map(|side| runs[side].0.values.last());
        if let [Some(Ok(one)), Some(Ok(other))] = places
            && one == other
        {
            return Replay::Bad("both threads choose one lock or counter".to_owned());
        }
    }
    let overlap = offsets[0] < offsets[1] + i128::from(accesses[1].bytes)
        && offsets[1] < offsets[0] + i128::from(accesses[0].bytes);
    if !overlap {
        return Replay::Bad("the model of the solver does not replay".to_owned());
    }
    // Up to here it is known where the threads go and what they access; what follows is about what they write.
    let path_is_known = exact;
    let mut written = [None; 2];
    let mut same_by_inputs = false;
    if writes && stored.iter().all(|parts| !parts.is_empty()) {
        let [one, other] = [0, 1].map(|side| Stored {
            offset: offsets[side],
            bytes: accesses[side].bytes,
            parts: &stored[side],
            values: &runs[side].0.values[1..runs[side].1],
        });
        for (stored, side) in [&one, &other].into_iter().zip(Side::BOTH) {
            if let Some(error) = stored.undefined() {
                return undefined(side, error);
            }
            written[side.index()] = stored.scalar();
        }
        // Exactly equal bytes are no race; values that are not known may differ.
        match differ([&one, &other]) {
            Some(true) => {}
            // What is written is not asked.
            _ if index.report_benign => {}
            Some(false) => {
                return Replay::Bad("the model of the solver does not replay".to_owned());
            }
            None => {
                exact = false;
                // With the inputs of the model both may leave the same: then the formula took an operator for one that
                // forgets its operands, and that the values differ for some inputs is not shown.
                let again = Side::BOTH.map(|side| {
                    let who = &concrete.who[side.index()];
                    let leaves = Some(&concrete.leaves);
                    run(index, candidate.launch, who, leaves, &targets[side.index()])
                });
                if again.iter().all(|done| done.end == End::Target) {
                    let [one, other] = [0, 1].map(|side| Stored {
                        values: &again[side].values[1..runs[side].1],
                        ..[one, other][side]
                    });
                    same_by_inputs = differ([&one, &other]) == Some(false);
                }
            }
        }
        if !exact {
            for (side, instance) in written.iter_mut().enumerate() {
                *instance = instance.or_else(|| {
                    let value = accesses[side].value?;
                    written_in_model(index, &concrete, candidate, side, value)
                });
            }
        }
    }
    let untold = accesses
        .iter()
        .find(|access| writes && !index.report_benign && stored::is_untold(index, access));
    exact &= untold.is_none();
    let mut asked: Vec<TermId> = Vec::new();
    if !exact {
        for (done, variables) in &runs {
            asked.extend(&done.asked);
            let unknown = done.values[1..*variables].iter();
            asked.extend(unknown.filter_map(|value| match value {
                Err(EvalError::NotKnown(leaf)) => Some(*leaf),
                _ => None,
            }));
        }
    }
    let read = runs.iter().flat_map(|(done, _)| &done.asked);
    let computed = computed(index, candidate.launch, &concrete, read);
    exact &= computed.is_empty();
    asked.extend(computed);
    let stored_values = stored.iter().flatten().map(|part| part.value);
    let [ours, theirs] =
        [0, 1].map(|side| -> Vec<TermId> { stored[side].iter().map(|part| part.value).collect() });
    let of_inputs = !writes
        || index.report_benign
        || !same_by_inputs
            && (ours != theirs || inputs::tells_threads_apart(index, &ours, &concrete.who))
            && inputs::are_made_of_inputs(index, stored_values)
            && inputs::read_apart(index, query, model, stored.iter().flatten());
    let needs = if exact {
        Needs::Nothing
    } else if untold.is_some() && !inputs::are_copied(index, &accesses) || !of_inputs {
        Needs::Abstraction
    } else if path_is_known && asked.iter().all(|&leaf| !is_computed(index, leaf)) {
        Needs::Difference
    } else if path_is_known {
        Needs::Computed
    } else {
        inputs::needs(index, exact, &asked)
    };
    let mut notes = Vec::new();
    for (access, offset) in accesses.iter().zip(offsets) {
        let array = &index.facts.array[access.array.index()];
        let beyond = array
            .bytes
            .is_some_and(|bytes| offset + i128::from(access.bytes) > i128::from(bytes));
        if offset < 0 || beyond {
            let note = format!("the access to {} is outside its bounds", array.name);
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }
    let threads = [0, 1].map(|side| {
        let (done, variables) = &runs[side];
        WitnessThread {
            block: concrete.who[side].block,
            thread: concrete.who[side].thread,
            offset: Some(offsets[side]),
            iterations: iterations(
                index,
                accesses[side].point,
                &concrete.iterations[side],
                &done.values[*variables..],
            ),
            loads: loads(index, query, model, Side::BOTH[side]),
            written: written[side],
        }
    });
    let byte = offsets[0].max(offsets[1]);
    Replay::Good(Box::new(Replayed {
        witness: Witness {
            block_dim: concrete.who[0].block_dim,
            grid_dim: concrete.who[0].grid_dim,
            threads,
            element: Some(element(index, accesses[0].array, byte)),
            values: values(index, query, model),
            notes,
        },
        exact,
        needs,
        abstractions: abstractions(index, asked)
            .into_iter()
            .chain(untold.map(|access| Abstraction {
                text: "object computed in floating point, which is not compared".to_owned(),
                span: Some(access.span),
                input: None,
            }))
            .collect(),
    }))
}

fn written_in_model(
    index: &Index,
    concrete: &Concrete,
    candidate: &CandidateRaceRow,
    side: usize,
    value: TermId,
) -> Option<i128> {
    let access = [candidate.first, candidate.second][side];
    let point = index.facts.access[access.index()].point;
    let target = Target {
        point,
        at: restricted(index, &concrete.iterations[side], point),
        wanted: vec![value],
        to_the_end: false,
    };
    let done = run(
        index,
        candidate.launch,
        &concrete.who[side],
        Some(&concrete.leaves),
        &target,
    );
    done.values.first().copied()?.ok()
}

fn too_many_threads(index: &Index, launch: LaunchId, concrete: &Concrete) -> Option<Replay> {
    let dims = concrete.who[0].block_dim;
    let fixed = [Dimension::BlockX, Dimension::BlockY, Dimension::BlockZ]
        .iter()
        .all(|&dimension| {
            index
                .dimension(launch, dimension)
                .is_some_and(|term| index.facts.terms.as_const(term).is_some())
        });
    let product = dims.iter().try_fold(1i128, |a, &b| a.checked_mul(b));
    let too_many = !fixed && product.is_none_or(|product| product > MAX_THREADS);
    too_many.then(|| Replay::Bad("only blocks beyond the limits of hardware".to_owned()))
}

/// Whether the threads exist in the launch and are two that the pair is about.
fn are_a_pair(pairing: Pairing, who: &[Who; 2]) -> bool {
    let exist = who.iter().all(|who| {
        let inside = |at: [i128; 3], sizes: [i128; 3]| {
            at.iter().zip(sizes).all(|(&at, size)| 0 <= at && at < size)
        };
        inside(who.thread, who.block_dim) && inside(who.block, who.grid_dim)
    });
    let [first, second] = who;
    let warp = |who: &Who| {
        let [x, y, z] = who.thread;
        (x + who.block_dim[0] * (y + who.block_dim[1] * z)) / 32
    };
    let same_block = first.block == second.block;
    exist
        && match pairing {
            Pairing::One => true,
            Pairing::AnyOfGrid => !same_block || first.thread != second.thread,
            Pairing::Race(PairScope::Own) => same_block && first.thread == second.thread,
            Pairing::Race(PairScope::Grid) => !same_block,
            Pairing::Race(PairScope::Block) => same_block && first.thread != second.thread,
            Pairing::Race(PairScope::Warp) => {
                same_block && first.thread != second.thread && warp(first) == warp(second)
            }
            Pairing::Race(PairScope::InterWarp) => same_block && warp(first) != warp(second),
        }
}

/// Whether the mask of the first thread names the second, which brings another one.
fn are_apart(index: &Index, barrier: &BarrierRow, who: &[Who; 2]) -> bool {
    let masks = [0, 1].map(|side: usize| {
        let mask = barrier.mask?;
        replay::of_thread(index, &who[side], mask).ok()
    });
    let [Some(own), Some(theirs)] = masks else {
        return false;
    };
    let [x, y, z] = who[1].thread;
    let lane = (x + who[1].block_dim[0] * (y + who[1].block_dim[1] * z)) % 32;
    own != theirs && own >> lane & 1 == 1
}

/// Whether both threads are among those that the barrier is for; none when that is not known.
fn are_in(index: &Index, barrier: &BarrierRow, who: &[Who; 2]) -> Option<bool> {
    let values = |term: TermId| {
        let [one, other] = [0, 1].map(|side: usize| replay::of_thread(index, &who[side], term));
        Some((one.ok()?, other.ok()?))
    };
    let members = match barrier.member {
        Some(member) => values(member).map(|(one, other)| one != 0 && other != 0)?,
        None => true,
    };
    let together = match barrier.key {
        Some(key) => values(key).map(|(one, other)| one == other)?,
        None => true,
    };
    Some(members && together)
}

fn check_exit(
    index: &Index,
    candidate: &CandidateRaceRow,
    exit: PointId,
    done: &Run,
    target: &Target,
) -> Option<Replay> {
    let position = done
        .events
        .iter()
        .rposition(|event| event.point == target.point && event.at == target.at)
        .unwrap_or(0);
    let scope = barrier_level(candidate);
    for event in &done.events[position..] {
        if event.point == exit {
            return None;
        }
        if separates(index, event.point, scope) {
            return Some(Replay::Refine(barrier_between(
                index,
                Side::First,
                event.point,
                &event.at,
                &target.at,
            )));
        }
    }
    Some(Replay::Bad(
        "the first thread does not leave the kernel".to_owned(),
    ))
}

/// Replays a model of a divergence candidate.
pub(crate) fn replay_divergence(
    index: &Index,
    candidate: &CandidateDivergenceRow,
    query: &Query,
    model: &Model,
) -> Replay {
    let Some(concrete) = concrete(index, query, candidate.launch, model) else {
        return Replay::Bad("the model of the solver is not complete".to_owned());
    };
    if let Some(bad) = too_many_threads(index, candidate.launch, &concrete) {
        return bad;
    }
    if let Some(bad) = other_launch(index, candidate.launch, query, &concrete) {
        return bad;
    }
    let barrier = &index.facts.barrier[candidate.barrier.index()];
    let pairing = pairing(candidate, barrier);
    if !are_a_pair(pairing, &concrete.who) {
        return Replay::Bad("the model of the solver is not of two threads".to_owned());
    }
    let alone = candidate.cause == GuardCause::Mask;
    let both_come = candidate.cause == GuardCause::Masks;
    let grouped = !both_come && (barrier.member.is_some() || barrier.key.is_some());
    if grouped && are_in(index, barrier, &concrete.who) != Some(!alone) && !alone {
        return Replay::Bad("the witness is not of the threads that are asked for".to_owned());
    }
    let named = barrier
        .member
        .map(|member| replay::of_thread(index, &concrete.who[0], member));
    if alone && named != Some(Ok(0)) {
        return Replay::Bad("the witness is named by the mask".to_owned());
    }
    if both_come && !are_apart(index, barrier, &concrete.who) {
        return Replay::Bad("the witness is not of two masks".to_owned());
    }
    let target = Target {
        point: barrier.point,
        at: concrete.head.clone(),
        wanted: loop_variables(index, barrier.point)
            .map(|row| row.term)
            .collect(),
        to_the_end: false,
    };
    let mut exact = true;
    let mut asked = Vec::new();
    let mut places: [Vec<WitnessIteration>; 2] = Default::default();
    for side in Side::BOTH {
        let own = side.index();
        let mut result = None;
        for leaves in [None, Some(&concrete.leaves)] {
            let done = run(index, candidate.launch, &concrete.who[own], leaves, &target);
            if leaves.is_none() && !done.undecided.is_empty() {
                exact = false;
                continue;
            }
            result = Some(done);
            break;
        }
        let Some(done) = result else {
            return Replay::Bad("the replay did not end".to_owned());
        };
        match (side, &done.end) {
            (Side::First, End::Target) => {}
            (Side::First, _) => return missing(index, side, &done, &target),
            (Side::Second, _) if alone => continue,
            (Side::Second, End::Target) if both_come => {}
            (Side::Second, _) if both_come => return missing(index, side, &done, &target),
            (Side::Second, End::Finished) => {}
            (Side::Second, End::Target) if done.undecided.is_empty() => {
                return Replay::Bad("the second thread reaches the barrier, too".to_owned());
            }
            // The target is taken as reached where a condition is not known.
            (Side::Second, End::Target) => {}
            (Side::Second, _) => return missing(index, side, &done, &target),
        }
        places[own] = match done.end {
            End::Target => iterations(index, barrier.point, &target.at, &done.values),
            _ => {
                let who = &concrete.who[own];
                whereabouts(
                    index,
                    candidate.launch,
                    (who, &concrete.leaves),
                    &done,
                    &target,
                )
            }
        };
        asked.extend(&done.asked);
    }
    let computed = computed(index, candidate.launch, &concrete, asked.iter());
    if exact {
        asked.clear();
    }
    exact &= computed.is_empty();
    asked.extend(computed);
    let threads = [0, 1].map(|side| WitnessThread {
        block: concrete.who[side].block,
        thread: concrete.who[side].thread,
        offset: None,
        iterations: std::mem::take(&mut places[side]),
        loads: loads(index, query, model, Side::BOTH[side]),
        written: None,
    });
    Replay::Good(Box::new(Replayed {
        witness: Witness {
            block_dim: concrete.who[0].block_dim,
            grid_dim: concrete.who[0].grid_dim,
            threads,
            element: None,
            values: values(index, query, model),
            notes: Vec::new(),
        },
        exact,
        needs: inputs::needs(index, exact, &asked),
        abstractions: abstractions(index, asked),
    }))
}

/// Replays a model of an assertion that does not hold.
pub(crate) fn replay_claim(
    index: &Index,
    claim: &AssertRow,
    pairing: Pairing,
    query: &Query,
    model: &Model,
) -> Replay {
    let facts = index.facts;
    let launch = facts.point[claim.point.index()].launch;
    let Some(mut concrete) = concrete(index, query, launch, model) else {
        return Replay::Bad("the model of the solver is not complete".to_owned());
    };
    if let Some(bad) = too_many_threads(index, launch, &concrete) {
        return bad;
    }
    if let Some(bad) = other_launch(index, launch, query, &concrete) {
        return bad;
    }
    if !are_a_pair(pairing, &concrete.who) {
        return Replay::Bad("the model of the solver is not of two threads".to_owned());
    }
    let mut others: Vec<(TermId, TermId)> = Vec::new();
    for id in facts.terms.reachable(&[claim.term]) {
        let term = facts.terms.get(id);
        match (term.op, term.args.as_slice()) {
            (Op::Other, &[arg]) => others.push((id, arg)),
            (Op::SameBlock, _) => {
                let same = concrete.who[0].block == concrete.who[1].block;
                concrete.who[0].others.insert(id, i128::from(same));
                concrete.who[1].others.insert(id, i128::from(same));
            }
            _ => {}
        }
    }
    let sides: &[Side] = match pairing {
        Pairing::One => &[Side::First],
        // What the first thread sees of the second must be known first.
        _ => &[Side::Second, Side::First],
    };
    let mut exact = true;
    let mut asked = Vec::new();
    let mut variables: [Vec<Result<i128, EvalError>>; 2] = Default::default();
    for &side in sides {
        let own = side.index();
        let mut wanted: Vec<TermId> = match side {
            Side::First => vec![claim.term],
            Side::Second => others.iter().map(|&(_, arg)| arg).collect(),
        };
        let count = wanted.len();
        wanted.extend(loop_variables(index, claim.point).map(|row| row.term));
        let target = Target {
            point: claim.point,
            at: concrete.head.clone(),
            wanted,
            to_the_end: false,
        };
        let mut result = None;
        for leaves in [None, Some(&concrete.leaves)] {
            let done = run(index, launch, &concrete.who[own], leaves, &target);
            let known = done.values.iter().take(count);
            let decided = done.undecided.is_empty()
                && !known
                    .into_iter()
                    .any(|value| matches!(value, Err(EvalError::NotKnown(_))));
            if leaves.is_none() && !decided {
                exact = false;
                continue;
            }
            result = Some(done);
            break;
        }
        let Some(done) = result else {
            return Replay::Bad("the replay did not end".to_owned());
        };
        if done.end != End::Target {
            return missing(index, side, &done, &target);
        }
        asked.extend(&done.asked);
        match side {
            Side::Second => {
                for (&(other, _), value) in others.iter().zip(&done.values) {
                    match value {
                        Ok(value) => {
                            concrete.who[0].others.insert(other, *value);
                        }
                        Err(EvalError::NotKnown(_)) => exact = false,
                        Err(error) => return undefined(side, *error),
                    }
                }
            }
            Side::First => match done.values.first() {
                Some(Ok(0)) => {}
                Some(Ok(_)) => {
                    return Replay::Bad("the model of the solver does not replay".to_owned());
                }
                Some(Err(EvalError::NotKnown(leaf))) => {
                    asked.push(*leaf);
                    exact = false;
                }
                Some(Err(error)) => return undefined(side, *error),
                None => return Replay::Bad("the condition cannot be evaluated".to_owned()),
            },
        }
        variables[own] = done.values.get(count..).unwrap_or_default().to_vec();
    }
    let computed = computed(index, launch, &concrete, asked.iter());
    if exact {
        asked.clear();
    }
    exact &= computed.is_empty();
    asked.extend(computed);
    let threads = [0, 1].map(|side| WitnessThread {
        block: concrete.who[side].block,
        thread: concrete.who[side].thread,
        offset: None,
        iterations: iterations(index, claim.point, &concrete.head, &variables[side]),
        loads: loads(index, query, model, Side::BOTH[side]),
        written: None,
    });
    Replay::Good(Box::new(Replayed {
        witness: Witness {
            block_dim: concrete.who[0].block_dim,
            grid_dim: concrete.who[0].grid_dim,
            threads,
            element: None,
            values: values(index, query, model),
            notes: Vec::new(),
        },
        exact,
        needs: inputs::needs(index, exact, &asked),
        abstractions: abstractions(index, asked),
    }))
}

fn values(index: &Index, query: &Query, model: &Model) -> Vec<(String, i128)> {
    let mut symbols: BTreeMap<SymbolId, i128> =
        query.encoder.fixed_symbols.iter().copied().collect();
    for (&id, &(_, node)) in &query.encoder.symbols {
        match query.encoder.f.evaluate(node, model) {
            Some(value) => symbols.insert(id, value),
            None => symbols.remove(&id),
        };
    }
    let named = symbols.into_iter().filter_map(|(id, value)| {
        let name = index.facts.symbol.get(id.index())?.name.clone();
        Some((name, value))
    });
    named.collect()
}

fn loads(index: &Index, query: &Query, model: &Model, side: Side) -> Vec<WitnessLoad> {
    let f = &query.encoder.f;
    let used = f.reachable(&query.asserts);
    let mut result: Vec<WitnessLoad> = Vec::new();
    for instance in &query.encoder.instances {
        let access = index.facts.terms.get(instance.term).access();
        let (Some(access), Some(offset)) = (access, instance.index) else {
            continue;
        };
        if instance.side.is_some_and(|own| own != side)
            || used.binary_search(&instance.node).is_err()
        {
            continue;
        }
        if let (Some(offset), Some(value)) =
            (f.evaluate(offset, model), f.evaluate(instance.node, model))
        {
            let load = WitnessLoad {
                access,
                offset,
                value,
            };
            if !result.contains(&load) {
                result.push(load);
            }
        }
    }
    result
}

fn element(index: &Index, array: ArrayId, byte: i128) -> Element {
    let row = &index.facts.array[array.index()];
    let flat = byte.div_euclid(i128::from(row.element_bytes.max(1)));
    let mut extents: Vec<(u32, u64)> = index
        .facts
        .array_extent
        .iter()
        .filter(|extent| extent.array == array)
        .map(|extent| (extent.position, extent.elements))
        .collect();
    extents.sort_unstable();
    let mut position = vec![flat];
    for &(_, elements) in extents.iter().skip(1).rev() {
        let outer = position[0];
        let elements = i128::from(elements.max(1));
        position[0] = outer.rem_euclid(elements);
        position.insert(0, outer.div_euclid(elements));
    }
    Element {
        array,
        byte,
        index: position,
    }
}

/// The symbols that host code computes, among the leaves that a replay read and in the sizes of the launch.
fn computed<'l>(
    index: &Index,
    launch: LaunchId,
    concrete: &Concrete,
    read: impl Iterator<Item = &'l TermId>,
) -> Vec<TermId> {
    let terms = &index.facts.terms;
    let mut found: Vec<TermId> = read
        .copied()
        .filter(|id| terms.get(*id).op == Op::Symbol)
        .collect();
    let who = &concrete.who[0];
    let sizes = [who.block_dim, who.grid_dim];
    found.extend(index.computed_sizes(launch, &sizes, &Inputs { index, who }));
    found
}

/// The sizes that the caller decides, without those that host code computes.
struct Inputs<'i> {
    index: &'i Index<'i>,
    who: &'i Who,
}

impl Environment for Inputs<'_> {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        let symbol = term.symbol()?;
        let value = self.who.symbols.get(&symbol).copied();
        value.filter(|_| !self.index.is_computed(symbol))
    }
}

/// Whether a leaf is a symbol that host code computes.
fn is_computed(index: &Index, leaf: TermId) -> bool {
    index.facts.terms.get(leaf).op == Op::Symbol
}

fn abstractions(index: &Index, mut leaves: Vec<TermId>) -> Vec<Abstraction> {
    leaves.sort_unstable();
    leaves.dedup();
    let facts = index.facts;
    let mut result: Vec<Abstraction> = leaves
        .into_iter()
        .map(|id| {
            let term = facts.terms.get(id);
            match term.op {
                Op::Load => {
                    let access = term.access().and_then(|id| facts.access.get(id.index()));
                    let name =
                        access.map_or("memory", |row| facts.array[row.array.index()].name.as_str());
                    Abstraction {
                        text: format!("value read from {name}"),
                        span: access.map(|row| row.span),
                        input: access
                            .filter(|row| inputs::is_input(index, row))
                            .map(|row| row.array),
                    }
                }
                Op::Unknown => {
                    let row = term.unknown().and_then(|id| facts.unknown.get(id.index()));
                    Abstraction {
                        text: row.map_or("unknown value".to_owned(), |row| row.reason.clone()),
                        span: row.map(|row| row.span),
                        input: None,
                    }
                }
                Op::Symbol => Abstraction {
                    text: term
                        .symbol()
                        .and_then(|id| facts.symbol.get(id.index()))
                        .map_or("value of host code".to_owned(), |row| {
                            format!("value of `{}`, which host code computes", row.name)
                        }),
                    span: None,
                    input: None,
                },
                Op::Pure => {
                    let row = term
                        .function()
                        .and_then(|id| facts.pure_function.get(id.index()));
                    Abstraction {
                        text: row.map_or("result of a function".to_owned(), |row| {
                            format!("result of {}", row.name)
                        }),
                        span: None,
                        input: None,
                    }
                }
                _ => Abstraction {
                    text: "value of floating-point arithmetic".to_owned(),
                    span: None,
                    input: None,
                },
            }
        })
        .collect();
    result.sort();
    result.dedup();
    result
}
