//! The steps of a launch at barriers that count arrivals: their families, and the positions of steps in the turns of threads.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::words::{Dimension, GuardCause, PhaseStep};
use warplog_facts::{ArrayId, LaunchId, LoopId, Op, PhaseStepRow, PointId, TermId};

use super::periodic::Periodic;
use crate::context::{Conjunct, Context};
use crate::routes::{Constancy, Constants};
use crate::satisfied::literals;

/// Threads of a warp.
const WARP: i128 = 32;
/// Most threads of a block.
const MOST_THREADS: i128 = 1024;
/// Most steps of a launch, and most classes of threads that take different ones.
const MOST_STEPS: usize = 200;
const MOST_CLASSES: usize = 64;
/// Most iterations after which what a step does comes back.
const MOST_PERIOD: i128 = 64;
/// Most iterations of a loop that are counted one by one.
const MOST_TRIPS: i128 = 64;

/// Position of a step in the turn of its thread: w·k + o in iteration k of the loop around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) step: i64,
    pub(super) start: i64,
}

/// An arrival, or a wait that knows so many phases to have ended.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) point: PointId,
    pub(super) loop_id: Option<LoopId>,
    /// Number of iterations of the loop, where it is a constant.
    pub(super) trips: Option<i64>,
    pub(super) family: usize,
    pub(super) class: usize,
    pub(super) at: Position,
    /// Of a wait, how many phases less than q / S + 1 it knows of: 0 or 1.
    pub(super) less: i64,
}

/// Objects that threads take in turn.
#[derive(Clone, Debug)]
pub(super) struct Family {
    /// How many.
    pub(super) size: i64,
    /// One thread arrives, and one arrival ends a phase.
    pub(super) is_single: bool,
}

/// What threads of a launch do, by classes of threads that may do the same.
pub(super) struct Steps {
    pub(super) families: Vec<Family>,
    pub(super) arrivals: Vec<Node>,
    pub(super) waits: Vec<Node>,
    /// Bulk copies, by the phases that count their bytes.
    pub(super) completions: Vec<Node>,
    /// Those, and what is expected, which a thread issues before it arrives for their phase.
    pub(super) before_arrivals: Vec<Node>,
    /// The threads of each class.
    pub(super) classes: Vec<Vec<[i128; 3]>>,
    constants: Constants,
    conditions: RefCell<FxHashMap<(PointId, usize), Conditions>>,
}

/// The conditions of a step, see [`Steps::conditions`].
type Conditions = Option<Rc<[Conjunct]>>;

/// Where an object lies.
type Place = (Option<ArrayId>, i128);

/// A step with the objects that it is at, in the iterations of one period.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Turn {
    places: Vec<Place>,
    parities: Option<Vec<i128>>,
    /// Whether they are those of a period that comes back, or of all iterations.
    repeats: bool,
}

impl Steps {
    /// None if something is not understood that may order in a wrong way.
    pub(super) fn new(ctx: &Context<'_>, launch: LaunchId) -> Option<Self> {
        let rows: Vec<&PhaseStepRow> = ctx
            .facts
            .phase_step
            .iter()
            .filter(|row| ctx.launch_of(row.point) == launch)
            .collect();
        if rows.len() > MOST_STEPS || rows.iter().any(|row| row.step == PhaseStep::Lost) {
            return None;
        }
        let sizes = [Dimension::BlockX, Dimension::BlockY, Dimension::BlockZ];
        let mut size = [1; 3];
        for (size, axis) in size.iter_mut().zip(sizes) {
            let mut rows = ctx.dimensions(launch).iter();
            let (_, term) = rows.find(|(dimension, _)| *dimension == axis)?;
            *size = ctx.facts.terms.as_const(*term)?;
        }
        let threads: i128 = size.iter().product();
        if threads > MOST_THREADS {
            return None;
        }
        let mut all = Steps {
            families: Vec::new(),
            arrivals: Vec::new(),
            waits: Vec::new(),
            completions: Vec::new(),
            before_arrivals: Vec::new(),
            classes: Vec::new(),
            constants: Constants::new(ctx),
            conditions: RefCell::default(),
        };
        let turns = all.classes_of(ctx, &rows, size)?;
        if turns.len() > MOST_CLASSES {
            return None;
        }
        let (families, places) = families_of(&turns);
        for (number, of) in families.iter().enumerate() {
            all.family(ctx, &rows, &turns, number, (of, &places), size);
        }
        Some(all)
    }

    /// The threads by what they may do, and what that is.
    fn classes_of(
        &mut self,
        ctx: &Context<'_>,
        rows: &[&PhaseStepRow],
        [x, y, z]: [i128; 3],
    ) -> Option<Vec<BTreeMap<usize, Turn>>> {
        let mut classes: BTreeMap<Vec<Option<usize>>, Vec<[i128; 3]>> = BTreeMap::new();
        // Turns are numbered: most threads have few of them.
        let mut numbers: BTreeMap<(usize, Turn), usize> = BTreeMap::new();
        let mut known: FxHashMap<usize, Option<Turn>> = FxHashMap::default();
        for rank in 0..x * y * z {
            let thread = [rank % x, rank / x % y, rank / x / y];
            let mut key = Vec::new();
            for (at, row) in rows.iter().enumerate() {
                if !self.may_come(ctx, row.point, thread) {
                    key.push(None);
                    continue;
                }
                let alike = is_alike(ctx, row);
                let turn = match known.get(&at).filter(|_| alike) {
                    Some(turn) => turn.clone(),
                    None => turn(ctx, row, thread),
                };
                known.entry(at).or_insert_with(|| turn.clone());
                let next = numbers.len();
                let number = *numbers.entry((at, turn?)).or_insert(next);
                key.push(Some(number));
            }
            classes.entry(key).or_default().push(thread);
        }
        let by_number: BTreeMap<usize, &(usize, Turn)> = numbers
            .iter()
            .map(|(turn, &number)| (number, turn))
            .collect();
        let mut turns = Vec::new();
        for (key, threads) in classes {
            let mut of_class = BTreeMap::new();
            for number in key.into_iter().flatten() {
                let (at, turn) = by_number[&number];
                of_class.insert(*at, turn.clone());
            }
            turns.push(of_class);
            self.classes.push(threads);
        }
        Some(turns)
    }

    /// Whether a thread may come to a point, as far as its indices tell.
    pub(super) fn may_come(&self, ctx: &Context<'_>, point: PointId, thread: [i128; 3]) -> bool {
        let periodic = Periodic::new(ctx, None, 1, Some(thread));
        literals(ctx, point).into_iter().all(|(term, polarity)| {
            self.constants.of(term) > Constancy::Thread
                || periodic
                    .number(term, 0)
                    .is_none_or(|value| (value != 0) == polarity)
        })
    }

    /// The conditions of a step besides those that all threads of the class meet and that its loop goes on: none if one of them is not
    /// the same in all iterations.
    fn conditions(&self, ctx: &Context<'_>, point: PointId, class: usize) -> Conditions {
        let known = self.conditions.borrow().get(&(point, class)).cloned();
        known.unwrap_or_else(|| {
            let found = self.conditions_of(ctx, point, class).map(Rc::from);
            let mut conditions = self.conditions.borrow_mut();
            conditions.insert((point, class), found.clone());
            found
        })
    }

    fn conditions_of(
        &self,
        ctx: &Context<'_>,
        point: PointId,
        class: usize,
    ) -> Option<Vec<Conjunct>> {
        let mut found = Vec::new();
        let causes = ctx.causes(point).iter();
        for (&(term, polarity), &(_, cause, _)) in ctx.guards(point).iter().zip(causes) {
            if matches!(
                cause,
                GuardCause::Loop | GuardCause::Break | GuardCause::Return
            ) {
                continue;
            }
            if self.constants.of(term) > Constancy::Thread {
                return None;
            }
            let met = self.classes[class].iter().all(|&thread| {
                let periodic = Periodic::new(ctx, None, 1, Some(thread));
                periodic
                    .number(term, 0)
                    .is_some_and(|value| (value != 0) == polarity)
            });
            if !met {
                found.push((term, polarity));
            }
        }
        Some(found)
    }

    /// Whether a thread of the class that comes to the second point has come to the first, if that stands before it.
    pub(super) fn passes(
        &self,
        ctx: &Context<'_>,
        (first, second): (PointId, PointId),
        class: usize,
    ) -> bool {
        let Some(needed) = self.conditions(ctx, first, class) else {
            return false;
        };
        if needed.is_empty() {
            return true;
        }
        let there = literals(ctx, second);
        let guards = ctx.guards(second);
        needed
            .iter()
            .all(|one| there.contains(one) || guards.contains(one))
    }

    /// Puts in the arrivals and waits of a family; none of them if it is not understood.
    fn family(
        &mut self,
        ctx: &Context<'_>,
        rows: &[&PhaseStepRow],
        turns: &[BTreeMap<usize, Turn>],
        number: usize,
        (of, all_places): (&BTreeSet<usize>, &BTreeMap<usize, BTreeSet<Place>>),
        size: [i128; 3],
    ) {
        let places: BTreeSet<Place> = of.iter().flat_map(|at| &all_places[at]).copied().collect();
        let places: Vec<Place> = places.into_iter().collect();
        self.families.push(Family {
            size: i64::try_from(places.len()).unwrap_or(1),
            is_single: false,
        });
        let is_named = places.iter().any(|(array, _)| array.is_none());
        let Some(counted) = counted(
            ctx,
            (rows, turns, &self.classes),
            of,
            &places,
            size,
            is_named,
        ) else {
            return;
        };
        let (mut arrivals, mut waits) = (Vec::new(), Vec::new());
        let (mut completions, mut before_arrivals) = (Vec::new(), Vec::new());
        let mut arriving: Vec<[i128; 3]> = Vec::new();
        for (class, own) in turns.iter().enumerate() {
            let steps: Vec<usize> = of
                .iter()
                .copied()
                .filter(|at| own.contains_key(at) && rows[*at].step != PhaseStep::Init)
                .collect();
            let of_kind = |kinds: &[PhaseStep]| -> Vec<usize> {
                let all = steps.iter().copied();
                all.filter(|&at| kinds.contains(&rows[at].step)).collect()
            };
            let arrive = of_kind(&[PhaseStep::Arrive, PhaseStep::Sync]);
            let wait = of_kind(&[PhaseStep::Wait]);
            if !arrive.is_empty() {
                arriving.extend(&self.classes[class]);
            }
            let arrival_positions = match self.positions(ctx, rows, &arrive) {
                Some(positions) => positions,
                None => return,
            };
            let bytes = of_kind(&[PhaseStep::Expect, PhaseStep::Complete]);
            let Some(of_bytes) = matched(ctx, rows, &arrive, &bytes) else {
                return;
            };
            for (at, arrival) in of_bytes {
                let (position, trips) = arrival_positions[arrival];
                let node = Node {
                    point: rows[at].point,
                    loop_id: ctx.loops(rows[at].point).first().copied(),
                    trips,
                    family: number,
                    class,
                    at: position,
                    less: 0,
                };
                if node.point < rows[arrive[arrival]].point {
                    before_arrivals.push(node.clone());
                }
                if rows[at].step == PhaseStep::Complete {
                    completions.push(node);
                }
            }
            for (list, is_arrival) in [(&arrive, true), (&wait, false)] {
                let Some(positions) = self.positions(ctx, rows, list) else {
                    return;
                };
                for (&at, (position, trips)) in list.iter().zip(positions) {
                    let point = rows[at].point;
                    let loop_id = ctx.loops(point).first().copied();
                    let turn = &own[&at];
                    if !takes_turns(turn, position, &places, loop_id.is_some()) {
                        return;
                    }
                    let node = |less| Node {
                        point,
                        loop_id,
                        trips,
                        family: number,
                        class,
                        at: position,
                        less,
                    };
                    let waits_too = rows[at].step == PhaseStep::Sync;
                    if is_arrival {
                        arrivals.push(node(0));
                    }
                    if !is_arrival || waits_too {
                        let own = arrive.iter().zip(&arrival_positions);
                        let mut own = own.filter(|(_, (at, _))| *at == position);
                        // A wait for the phase of the own arrival.
                        let arrived = own.any(|(&arrival, _)| {
                            let arrival = rows[arrival].point;
                            arrival < point
                                && ctx.loops(arrival) == ctx.loops(point)
                                && self.passes(ctx, (arrival, point), class)
                        });
                        let knows = is_arrival || arrived;
                        let Some(less) = less(turn, position, places.len(), knows) else {
                            return;
                        };
                        // Each wait of the thread at an object must have come behind the one before, each arrival at a named one been counted.
                        let mut before = list.iter().map(|&other| rows[other].point);
                        let all_pass = before.all(|other| {
                            other > point && ctx.loops(other) != ctx.loops(point)
                                || self.passes(ctx, (other, point), class)
                        });
                        if !all_pass {
                            return;
                        }
                        waits.push(node(less));
                    }
                }
            }
        }
        let arriving = match is_named {
            true => match in_warps(&arriving, size) {
                Some(arriving) if counted % WARP == 0 => arriving,
                _ => return,
            },
            false => i128::try_from(arriving.len()).unwrap_or(i128::MAX),
        };
        // More threads than a phase counts: who is missing is open.
        if arriving > counted {
            return;
        }
        // A phase that waits for bytes does not end where the one thread arrives.
        self.families[number].is_single = counted == 1 && completions.is_empty();
        self.completions.extend(completions);
        self.before_arrivals.extend(before_arrivals);
        self.arrivals.extend(arrivals);
        self.waits.extend(waits);
    }

    /// The positions of steps of one kind of a class, in program order, with the numbers of iterations of their loops.
    fn positions(
        &self,
        ctx: &Context<'_>,
        rows: &[&PhaseStepRow],
        list: &[usize],
    ) -> Option<Vec<(Position, Option<i64>)>> {
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_unstable_by_key(|&at| rows[list[at]].point);
        let mut found = vec![(Position { step: 0, start: 0 }, None); list.len()];
        let mut start: Option<i64> = Some(0);
        let mut at = 0;
        while at < order.len() {
            let loops = ctx.loops(rows[list[order[at]]].point);
            let mut end = at + 1;
            let trips = match loops {
                [] => Some(1),
                [own] => {
                    let inside = |&next: &usize| ctx.loops(rows[list[next]].point) == loops;
                    end += order[end..].iter().take_while(|next| inside(next)).count();
                    trips(ctx, *own)
                }
                // How often it is taken in an iteration of the outer loop is not known.
                _ => return None,
            };
            let width = i64::try_from(end - at).ok()?;
            for (offset, &one) in (0..).zip(&order[at..end]) {
                let step = if loops.is_empty() { 0 } else { width };
                let position = Position {
                    step,
                    start: start? + offset,
                };
                let counted = if loops.is_empty() { None } else { trips };
                found[one] = (position, counted);
            }
            start = trips.zip(start).map(|(trips, start)| start + trips * width);
            at = end;
        }
        Some(found)
    }
}

/// How many arrivals these threads of a block make at a named barrier, which counts whole warps; none if some warp comes in parts.
fn in_warps(threads: &[[i128; 3]], [x, y, z]: [i128; 3]) -> Option<i128> {
    let mut warps: BTreeMap<i128, i128> = BTreeMap::new();
    for [tx, ty, tz] in threads {
        let rank = (tz * y + ty) * x + tx;
        *warps.entry(rank / WARP).or_default() += 1;
    }
    let whole = |(&warp, &lanes): (&i128, &i128)| lanes == (x * y * z - warp * WARP).min(WARP);
    let count = i128::try_from(warps.len()).ok()?;
    warps.iter().all(whole).then_some(count * WARP)
}

/// Of each step that expects or brings bytes, the arrival of its thread for the same phase, by its position in the list; none if some step has not one,
/// or if what is expected for some arrival is not what copies bring.
fn matched(
    ctx: &Context<'_>,
    rows: &[&PhaseStepRow],
    arrive: &[usize],
    bytes: &[usize],
) -> Option<Vec<(usize, usize)>> {
    let guards = |row: &PhaseStepRow| {
        let mut all = ctx.guards(row.point).to_vec();
        all.sort_unstable();
        all.dedup();
        all
    };
    let mut found = Vec::new();
    for &at in bytes {
        let row = rows[at];
        let mut same = (0..arrive.len()).filter(|&arrival| {
            let other = rows[arrive[arrival]];
            (other.object, other.index) == (row.object, row.index)
                && ctx.loops(other.point) == ctx.loops(row.point)
                && guards(other) == guards(row)
        });
        let arrival = same.next().filter(|_| same.next().is_none())?;
        if row.step == PhaseStep::Expect && row.point > rows[arrive[arrival]].point {
            return None;
        }
        found.push((at, arrival));
    }
    for arrival in 0..arrive.len() {
        let of = |step: PhaseStep| {
            let own = found.iter().filter(move |(_, own)| *own == arrival);
            let own = own.map(|(at, _)| rows[*at]);
            own.filter(move |row| row.step == step)
        };
        let expected = amounts(ctx, of(PhaseStep::Expect))?;
        let brought = of(PhaseStep::Complete).filter(|row| row.amount.is_some());
        let brought = amounts(ctx, brought)?;
        let by_maps = of(PhaseStep::Complete).any(|row| row.amount.is_none());
        let fits = match by_maps {
            true => is_less(&brought, &expected),
            false => brought == expected,
        };
        if !fits {
            return None;
        }
    }
    Some(found)
}

/// Numbers of bytes: the sum of those that are known, and the others.
type Amounts = (i128, Vec<TermId>);

fn amounts<'r>(ctx: &Context<'_>, rows: impl Iterator<Item = &'r PhaseStepRow>) -> Option<Amounts> {
    let (mut sum, mut rest) = (0, Vec::new());
    for row in rows {
        let term = plain(ctx, row.amount?);
        match ctx.facts.terms.as_const(term) {
            Some(number) => sum += number,
            None => rest.push(term),
        }
    }
    rest.sort_unstable();
    Some((sum, rest))
}

/// Whether something is left of what is expected for copies by tensor maps, beside what other copies bring.
fn is_less((brought, own): &Amounts, (expected, all): &Amounts) -> bool {
    let mut left = all.clone();
    let are_expected = own.iter().all(|term| {
        let at = left.iter().position(|one| one == term);
        at.map(|at| left.remove(at)).is_some()
    });
    are_expected && (brought < expected || brought == expected && !left.is_empty())
}

/// A term without conversions that keep numbers of bytes.
fn plain(ctx: &Context<'_>, mut term: TermId) -> TermId {
    loop {
        let row = ctx.facts.terms.get(term);
        let keeps = matches!(row.op, Op::Cast | Op::Fit) && row.ty.bits() >= Some(32);
        match row.args.first() {
            Some(&arg) if keeps && ctx.facts.terms.ty(arg).is_integer() => term = arg,
            _ => return term,
        }
    }
}

/// Whether what a step is at does not depend on the thread.
fn is_alike(ctx: &Context<'_>, row: &PhaseStepRow) -> bool {
    let point = row.point;
    let mut roots = vec![row.index];
    roots.extend(row.parity);
    // A carried value may depend on it.
    for row in &ctx.facts.carried {
        if ctx.loops(ctx.loop_head(row.loop_id)).first() == ctx.loops(point).first() {
            roots.extend([row.start, row.next]);
        }
    }
    let parts = ctx.facts.terms.reachable(&roots);
    parts.into_iter().all(|part| {
        let op = ctx.facts.terms.get(part).op;
        !matches!(op, Op::TidX | Op::TidY | Op::TidZ)
    })
}

/// The objects that a thread takes at a step, and their parities.
fn turn(ctx: &Context<'_>, row: &PhaseStepRow, thread: [i128; 3]) -> Option<Turn> {
    let loops = ctx.loops(row.point);
    if loops.len() > 1 && row.step != PhaseStep::Init {
        return None;
    }
    let loop_id = loops.first().copied();
    if row.step == PhaseStep::Init {
        return initialised(ctx, row, loop_id, thread);
    }
    let of_period = |periodic: &Periodic<'_>, period: i128, repeats: bool| {
        let numbers = |term: TermId| -> Option<Vec<i128>> {
            (0..period)
                .map(|rest| periodic.number(term, rest))
                .collect()
        };
        let places = numbers(row.index)?;
        let parities = match row.parity {
            Some(parity) => Some(numbers(parity)?),
            None => None,
        };
        Some(Turn {
            places: places.into_iter().map(|at| (row.object, at)).collect(),
            parities,
            repeats,
        })
    };
    let longest = if loop_id.is_some() { MOST_PERIOD } else { 1 };
    let found = (1..=longest).find_map(|period| {
        let periodic = Periodic::new(ctx, loop_id, period, Some(thread));
        of_period(&periodic, period, true)
    });
    found.or_else(|| {
        let all = i128::from(trips(ctx, loop_id?)?);
        let periodic = Periodic::one_by_one(ctx, loop_id, Some(thread));
        of_period(&periodic, all, false).filter(|_| all > 0)
    })
}

/// The objects that a thread initialises in a loop of few iterations, or without one.
fn initialised(
    ctx: &Context<'_>,
    row: &PhaseStepRow,
    loop_id: Option<LoopId>,
    thread: [i128; 3],
) -> Option<Turn> {
    let trips = match loop_id {
        Some(id) => i128::from(trips(ctx, id)?),
        None => 1,
    };
    let periodic = Periodic::one_by_one(ctx, loop_id, Some(thread));
    let places = (0..trips).map(|at| Some((row.object, periodic.number(row.index, at)?)));
    Some(Turn {
        places: places.collect::<Option<Vec<Place>>>()?,
        parities: None,
        repeats: false,
    })
}

/// The number of iterations of a loop that is left by its condition only, where that is a small constant.
pub(super) fn trips(ctx: &Context<'_>, loop_id: LoopId) -> Option<i64> {
    let row = &ctx.facts.loop_[loop_id.index()];
    let condition = row.condition?;
    if row.has_break || !ctx.leavings(loop_id).is_empty() {
        return None;
    }
    let periodic = Periodic::one_by_one(ctx, Some(loop_id), None);
    let mut all = 0..=MOST_TRIPS;
    let first = all.find(|&at| periodic.number(condition, at) != Some(1))?;
    let first = (periodic.number(condition, first) == Some(0)).then_some(first);
    i64::try_from(first?).ok()
}

/// The families, and the objects of each step: steps that have an object in common are of one family.
type Families = (Vec<BTreeSet<usize>>, BTreeMap<usize, BTreeSet<Place>>);

fn families_of(turns: &[BTreeMap<usize, Turn>]) -> Families {
    let mut places: BTreeMap<usize, BTreeSet<Place>> = BTreeMap::new();
    for (&at, turn) in turns.iter().flatten() {
        places.entry(at).or_default().extend(&turn.places);
    }
    let mut families: Vec<(BTreeSet<usize>, BTreeSet<Place>)> = Vec::new();
    for (&at, own) in &places {
        let mut joined = (BTreeSet::from([at]), own.clone());
        let (meet, rest): (Vec<_>, Vec<_>) = families
            .into_iter()
            .partition(|(_, other)| !other.is_disjoint(own));
        for (steps, others) in meet {
            joined.0.extend(steps);
            joined.1.extend(others);
        }
        families = rest;
        families.push(joined);
    }
    families.sort();
    let families = families.into_iter().map(|(steps, _)| steps).collect();
    (families, places)
}

/// The steps of a launch, what each class of threads does there, and its threads.
type Classes<'c> = (
    &'c [&'c PhaseStepRow],
    &'c [BTreeMap<usize, Turn>],
    &'c [Vec<[i128; 3]>],
);

/// How many arrivals end a phase of the objects of a family, if it is one number for all of them that is set once.
fn counted(
    ctx: &Context<'_>,
    (rows, turns, classes): Classes<'_>,
    of: &BTreeSet<usize>,
    places: &[Place],
    size: [i128; 3],
    is_named: bool,
) -> Option<i128> {
    let threads: i128 = size.iter().product();
    let mut counts: BTreeSet<i128> = BTreeSet::new();
    let amount = |row: &PhaseStepRow| match row.amount {
        Some(term) => Periodic::new(ctx, None, 1, None).number(term, 0),
        None => Some(if is_named { threads } else { 1 }),
    };
    if is_named {
        for &at in of {
            counts.insert(amount(rows[at])?);
        }
    } else {
        let mut set: Vec<Place> = Vec::new();
        for &at in of {
            match rows[at].step {
                PhaseStep::Init => {
                    counts.insert(amount(rows[at])?);
                    let all = turns.iter().zip(classes);
                    let by: Vec<(&Turn, usize)> = all
                        .filter_map(|(all, threads)| Some((all.get(&at)?, threads.len())))
                        .collect();
                    let [(turn, 1)] = by.as_slice() else {
                        return None;
                    };
                    set.extend(&turn.places);
                }
                PhaseStep::Arrive | PhaseStep::Sync if amount(rows[at])? != 1 => return None,
                _ => {}
            }
        }
        set.sort_unstable();
        if set != places {
            return None;
        }
    }
    let mut counts = counts.into_iter();
    counts.next().filter(|_| counts.next().is_none())
}

/// Whether a step takes the objects in turn: that of its position, in each iteration.
fn takes_turns(turn: &Turn, at: Position, places: &[Place], in_loop: bool) -> bool {
    let (size, period) = (places.len() as i64, turn.places.len() as i64);
    // Both come back after so many iterations.
    let both = match (in_loop, turn.repeats) {
        (true, true) => size * period,
        _ => period,
    };
    (0..both).all(|iteration| {
        let position = at.step * iteration + at.start;
        let place = turn.places[(iteration % period) as usize];
        place == places[(position % size) as usize]
    })
}

/// How many phases less than q / S + 1 a wait knows of; none if its parity is not that of one phase or the other, in turn.
fn less(turn: &Turn, at: Position, size: usize, is_sync: bool) -> Option<i64> {
    let Some(parities) = &turn.parities else {
        return is_sync.then_some(0);
    };
    let (size, period) = (
        i64::try_from(size).ok()?,
        i64::try_from(parities.len()).ok()?,
    );
    let both = if turn.repeats {
        2 * size * period
    } else {
        period
    };
    let fits = |less: i64| {
        (0..both).all(|iteration| {
            let position = at.step * iteration + at.start;
            let parity = parities[(iteration % period) as usize];
            i128::from((position / size + less) % 2) == parity
        })
    };
    (0..2).find(|&less| fits(less))
}
