//! What threads hand to each other without memory: shuffles, votes, and variables that loops carry from one to the next.
//!
//! **Algorithm.** At the point of a shuffle the value that each thread hands in is known as a [`Word`] or becomes an input, by rank in
//! the block; what a thread gets is the word of the lane that it asks. A rank in a vote is the sum of what the lanes below voted. A
//! variable that a loop carries is what it was before the loop, then what each iteration makes of it. What no sum is, is known by how it
//! is computed: two threads whose values are computed alike from equal ones hold one value, whatever it is. Operators that are
//! associative and commutative are taken apart, so that a butterfly of shuffles leaves one value in all lanes. Of floating point only
//! commutativity is used, and not of sums of products, which may be rounded once in one lane and twice in another.
//!
//! **Accuracy.** A lane that does not come to a shuffle, or that another mask names, hands on nothing that is known; so does
//! every lane where it is open which come. What is only computed alike is taken for a number of its type and no more.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::{BarrierKind, PointKind};
use warplog_facts::{
    BarrierRow, CType, CarriedRow, CollectiveRow, Facts, LaneValueRow, LaunchId, LeftWithRow,
    LoopId, Op, PointId, TermId, UnknownId, VoteRankRow,
};

use super::{Block, Mode, Presence, Source, Wanted, bounds_of};
use crate::fit::{Form, equal_lanes, fit};
use crate::plan::fits;
use crate::word::{WARP_NUMBER, Word};

/// Lanes of a warp.
const WARP: usize = 32;
/// Most terms of a launch that are told of.
const MOST_TERMS: usize = 64;
/// More than there are threads in a block.
const MOST_RANKS: i128 = 1 << 20;
/// Most values that a computation is taken apart into.
const MOST_PARTS: usize = 64;

/// Where threads give each other values.
pub(super) enum Collective<'a> {
    /// A shuffle.
    Shuffle(&'a LaneValueRow),
    /// A vote, and what each lane votes.
    Vote(UnknownId, TermId),
    /// How many lanes below are in a vote.
    Rank(&'a VoteRankRow),
    /// A sum of what a group hands in.
    Sum(&'a CollectiveRow),
}

/// What of a launch is handed from thread to thread, and what is asked of it.
#[derive(Default)]
pub(super) struct Handed<'a> {
    collectives: FxHashMap<PointId, Vec<Collective<'a>>>,
    /// The barriers at which lanes meet for them.
    meetings: FxHashMap<PointId, &'a BarrierRow>,
    carried: FxHashMap<LoopId, Vec<&'a CarriedRow>>,
    left_with: FxHashMap<LoopId, Vec<&'a LeftWithRow>>,
    unknowns: FxHashSet<UnknownId>,
    wanted: FxHashMap<PointId, Vec<TermId>>,
}

impl<'a> Handed<'a> {
    pub(super) fn new(
        facts: &'a Facts,
        launch: LaunchId,
        points: &[PointId],
        wanted: &Wanted,
    ) -> Self {
        let mut handed = Handed::default();
        let here = |unknown: UnknownId| {
            let row = &facts.unknown[unknown.index()];
            (row.launch == launch).then_some(row.point)
        };
        for row in &facts.lane_value {
            if let Some(point) = here(row.unknown) {
                let rows = handed.collectives.entry(point).or_default();
                rows.push(Collective::Shuffle(row));
                handed.unknowns.insert(row.unknown);
            }
        }
        for row in &facts.collective {
            if let Some(point) = here(row.unknown) {
                let rows = handed.collectives.entry(point).or_default();
                rows.push(Collective::Sum(row));
                handed.unknowns.insert(row.unknown);
            }
        }
        let mut votes: BTreeMap<UnknownId, TermId> = BTreeMap::new();
        for row in &facts.vote_rank {
            let (Some(vote), Some(point)) = (here(row.vote), here(row.unknown)) else {
                continue;
            };
            let voted = *votes.entry(row.vote).or_insert_with(|| {
                let rows = handed.collectives.entry(vote).or_default();
                rows.push(Collective::Vote(row.vote, row.voted));
                row.voted
            });
            // All that count the lanes of a vote say the same of it.
            if voted != row.voted {
                continue;
            }
            let rows = handed.collectives.entry(point).or_default();
            rows.push(Collective::Rank(row));
            handed.unknowns.insert(row.unknown);
        }
        if handed.collectives.is_empty() {
            return handed;
        }
        let barriers: FxHashMap<PointId, &BarrierRow> = facts
            .barrier
            .iter()
            .filter(|row| row.kind == BarrierKind::Meet)
            .map(|row| (row.point, row))
            .collect();
        for pair in points.windows(2) {
            if let Some(&barrier) = barriers.get(&pair[0]) {
                handed.meetings.insert(pair[1], barrier);
            }
        }
        let is_of = |id: LoopId| facts.loop_[id.index()].launch == launch;
        for row in facts.carried.iter().filter(|row| is_of(row.loop_id)) {
            handed.carried.entry(row.loop_id).or_default().push(row);
            handed.unknowns.insert(row.unknown);
        }
        for row in facts.left_with.iter().filter(|row| is_of(row.loop_id)) {
            handed.left_with.entry(row.loop_id).or_default().push(row);
            handed.unknowns.insert(row.unknown);
        }
        for (&point, terms) in &wanted.terms {
            handed.wanted.insert(point, terms.iter().copied().collect());
        }
        handed
    }

    /// Whether threads give each other values at all.
    fn is_some(&self) -> bool {
        !self.collectives.is_empty()
    }
}

/// A value that is known in an iteration, under conditions of all threads.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) serial: u64,
    pub(super) tags: u32,
    pub(super) word: Option<Word>,
}

/// What each lane votes, and under which conditions; none for who is not there.
pub(super) struct Vote {
    serial: u64,
    tags: u32,
    words: Vec<Option<Word>>,
}

/// Values of variables at the head of the next iteration.
pub(super) type Carried = Vec<(UnknownId, u32, u32, Option<Word>)>;

/// What is known of terms at points.
type AtPoints<T> = BTreeMap<(PointId, TermId), T>;

/// What a term is in threads, by rank; none where it is not known in one of them.
pub(super) type Seen = Option<Vec<(i128, Word)>>;

/// A way in which a value is computed.
type Way = (Op, CType, i128, Vec<(CType, Word)>);

/// The ways in which values are computed, by number.
#[derive(Default)]
pub(super) struct Computed {
    numbers: FxHashMap<Way, u32>,
    ways: Vec<Way>,
    /// Sums, and smaller and larger numbers, of floating point, by the number of the function.
    sums: FxHashSet<i128>,
    choices: FxHashSet<i128>,
}

impl Computed {
    /// The ways of a set of facts.
    pub(super) fn new(facts: &Facts) -> Self {
        let mut computed = Computed::default();
        for row in &facts.pure_function {
            let function = i128::from(row.function.0);
            match row.name.as_str() {
                "floating-point operator +" => {
                    computed.sums.insert(function);
                }
                "fmaxf" | "fminf" | "fmax" | "fmin" | "max" | "min" => {
                    computed.choices.insert(function);
                }
                _ => {}
            }
        }
        computed
    }

    /// Whether a number of floating point is none that a sum may be taken together with before it is rounded, as a product
    /// is: what is handed in, a sum, the smaller or larger of two.
    fn is_rounded(&self, word: &Word) -> bool {
        match self.way(word) {
            Some((Op::Const, ..)) => true,
            Some((Op::Pure, _, function, _)) => {
                self.sums.contains(function) || self.choices.contains(function)
            }
            Some((Op::Ite, _, _, parts)) => {
                parts[1..].iter().all(|(_, part)| self.is_rounded(part))
            }
            Some(_) => false,
            None => word.runs.len() == 1,
        }
    }

    fn number(&mut self, way: Way) -> Option<Word> {
        let next = u32::try_from(self.ways.len()).ok()?;
        let number = *self.numbers.entry(way.clone()).or_insert(next);
        if number == next {
            self.ways.push(way);
        }
        Some(Word::computed(number))
    }

    fn way(&self, word: &Word) -> Option<&Way> {
        self.ways.get(word.as_computed()? as usize)
    }

    /// The parts that an operator which is associative and commutative puts together.
    fn parts(&self, op: Op, ty: CType, word: &Word) -> Vec<(CType, Word)> {
        match self.way(word) {
            Some((of, to, _, parts)) if (*of, *to) == (op, ty) => parts.clone(),
            _ => vec![(ty, word.clone())],
        }
    }

    /// `a < b ? a : b` of integers, as what it is.
    fn choice(&self, args: &[(CType, Word)]) -> Option<(Op, Vec<(CType, Word)>)> {
        let [(_, condition), one, other] = args else {
            return None;
        };
        let (Op::Lt | Op::Le, _, _, compared) = self.way(condition)? else {
            return None;
        };
        let integers = compared.iter().all(|(ty, _)| *ty == one.0) && one.0.is_integer();
        if !integers || one.0 != other.0 {
            return None;
        }
        match compared.as_slice() {
            [low, high] if (low, high) == (one, other) => Some((Op::Min, args[1..].to_vec())),
            [low, high] if (low, high) == (other, one) => Some((Op::Max, args[1..].to_vec())),
            _ => None,
        }
    }

    /// The value of an operator that is computed from these.
    fn apply(
        &mut self,
        (op, ty, payload): (Op, CType, i128),
        mut args: Vec<(CType, Word)>,
    ) -> Option<Word> {
        let mut op = op;
        if op == Op::Ite
            && let Some((chosen, parts)) = self.choice(&args)
        {
            (op, args) = (chosen, parts);
        }
        let is_commutative = matches!(
            op,
            Op::Add
                | Op::Mul
                | Op::MulHi
                | Op::Min
                | Op::Max
                | Op::BitAnd
                | Op::BitOr
                | Op::BitXor
                | Op::And
                | Op::Or
                | Op::Eq
                | Op::Ne
        );
        let is_sum = op == Op::Pure && args.len() == 2 && self.sums.contains(&payload);
        let is_choice = op == Op::Pure && args.len() == 2 && self.choices.contains(&payload);
        let is_rounded = is_sum && args.iter().all(|(_, word)| self.is_rounded(word));
        let is_commutative = is_commutative || is_rounded || is_choice;
        let is_idempotent = matches!(
            op,
            Op::Min | Op::Max | Op::BitAnd | Op::BitOr | Op::And | Op::Or
        );
        // Products and sums of integers are so modulo a power of two; the others lose nothing.
        let is_associative =
            ty.is_integer() && (is_idempotent || matches!(op, Op::Add | Op::Mul | Op::BitXor));
        let of_one_type = args.iter().all(|(of, _)| *of == ty);
        if is_associative && of_one_type {
            args = args
                .iter()
                .flat_map(|(_, word)| self.parts(op, ty, word))
                .collect();
            if args.len() > MOST_PARTS {
                return None;
            }
        }
        if is_commutative {
            args.sort_unstable();
        }
        if is_idempotent && ty.is_integer() && of_one_type {
            args.dedup();
            if let [(_, word)] = args.as_slice() {
                return Some(word.clone());
            }
        }
        self.number((op, ty, payload, args))
    }
}

impl Block<'_, '_> {
    /// Whether something known is so where values are asked for.
    pub(super) fn is_held(&self, held: &Held) -> bool {
        self.is_current(held.serial) && self.memory.tags.holds(held.tags, self.here)
    }

    /// What is computed from known values.
    pub(super) fn computed(&mut self, id: TermId, args: &[Option<&Word>]) -> Option<Word> {
        if !self.text.lanes.is_some() {
            return None;
        }
        let terms = &self.text.facts.terms;
        let term = terms.get(id);
        let known: Option<Vec<(CType, Word)>> = args
            .iter()
            .zip(&term.args)
            .map(|(word, &arg)| Some((terms.ty(arg), (*word)?.clone())))
            .collect();
        // What is no number gets equal ways by its bits.
        self.computed
            .apply((term.op, term.ty, term.payload), known?)
    }

    /// A leaf that all threads of the block have in common.
    pub(super) fn of_all(&self, id: TermId) -> Option<Word> {
        // Numbers of ways are given out where values are computed, so that this one is looked up only.
        let term = self.text.facts.terms.get(id);
        let way: Way = (term.op, term.ty, term.payload, Vec::new());
        let number = *self.computed.numbers.get(&way)?;
        Some(Word::computed(number))
    }

    /// Gives the leaves that all threads have in common a number.
    fn number_common(&mut self, root: TermId) {
        let terms = &self.text.facts.terms;
        for id in terms.reachable(&[root]) {
            let term = terms.get(id);
            let is_common = matches!(
                term.op,
                Op::Symbol | Op::BidX | Op::BidY | Op::BidZ | Op::GdimX | Op::GdimY | Op::GdimZ
            );
            if is_common {
                self.computed
                    .number((term.op, term.ty, term.payload, Vec::new()));
            }
        }
    }

    /// Threads give each other values.
    pub(super) fn collect(&mut self, point: PointId) {
        let text = self.text;
        let Some(collectives) = text.lanes.collectives.get(&point) else {
            return;
        };
        let presences: Vec<Presence> = self
            .threads()
            .map(|thread| self.presence(thread, point))
            .collect();
        for collective in collectives {
            match collective {
                Collective::Shuffle(row) => self.shuffle(row, point, &presences),
                Collective::Vote(vote, voted) => self.vote(*vote, *voted, point, &presences),
                Collective::Rank(row) => self.rank(row, &presences),
                Collective::Sum(row) => self.sum(row, point, &presences),
            }
        }
    }

    /// What each thread hands in, by rank; none of who is not there. Where it is not known of all, it becomes an input of each.
    fn hand_in(
        &mut self,
        value: TermId,
        point: PointId,
        presences: &[Presence],
        sums: bool,
    ) -> Vec<Option<Word>> {
        self.number_common(value);
        let mut words: Vec<Option<Word>> = Vec::with_capacity(presences.len());
        let mut is_known = true;
        let mut of_all = None;
        for (thread, presence) in (0..).zip(presences) {
            let Presence::Present(tags) = *presence else {
                words.push(None);
                continue;
            };
            self.here = tags;
            let word = self.value(thread, value);
            is_known &= word.as_ref().is_some_and(|word| !sums || !word.is_opaque());
            if of_all.is_some_and(|known| known != tags) {
                // Who comes is decided by conditions that not all share.
                self.here = 0;
                return vec![None; presences.len()];
            }
            of_all = Some(tags);
            words.push(word);
        }
        self.here = 0;
        if is_known {
            return words;
        }
        let Some(source) = self.handed_source(value, point) else {
            return words;
        };
        for (thread, presence) in (0u32..).zip(presences) {
            let Presence::Present(tags) = *presence else {
                continue;
            };
            let word = Word::input(source, thread);
            let held = Held {
                serial: self.serial(),
                tags,
                word: Some(word.clone()),
            };
            self.named.insert(value);
            self.inputs.insert((value, thread), held);
            words[thread as usize] = Some(word);
        }
        words
    }

    /// Whether a number of floating point is none that a compiler may multiply and add in one step: read, handed, or a sum.
    fn is_rounded(&self, value: TermId, seen: &mut BTreeSet<TermId>) -> bool {
        let terms = &self.text.facts.terms;
        let term = terms.get(value);
        if !seen.insert(value) {
            return true;
        }
        match term.op {
            Op::Load | Op::Const | Op::Symbol => true,
            Op::Pure => {
                let computed = &self.computed;
                computed.sums.contains(&term.payload) || computed.choices.contains(&term.payload)
            }
            Op::Ite => {
                let mut arms = term.args[1..].iter();
                arms.all(|&arm| self.is_rounded(arm, seen))
            }
            Op::Unknown => {
                let unknown = term.unknown();
                let lanes = &self.text.lanes;
                let mut carried = lanes.carried.values().flatten();
                if let Some(row) = carried.find(|row| Some(row.unknown) == unknown) {
                    return self.is_rounded(row.start, seen) && self.is_rounded(row.next, seen);
                }
                let mut left = lanes.left_with.values().flatten();
                if let Some(row) = left.find(|row| Some(row.unknown) == unknown) {
                    return self.is_rounded(row.value, seen);
                }
                unknown.is_some_and(|unknown| lanes.unknowns.contains(&unknown))
            }
            _ => false,
        }
    }

    /// The source of what threads hand in.
    fn handed_source(&mut self, value: TermId, point: PointId) -> Option<u32> {
        let text = self.text;
        if !text.facts.terms.ty(value).is_integer() && !self.is_rounded(value, &mut BTreeSet::new())
        {
            return None;
        }
        let rounds = self.rounds();
        let next = u32::try_from(self.sources.len()).ok()?;
        let key = (value, point, rounds);
        let source = *self.handed.entry(key).or_insert(next);
        if source == next {
            let ty = text.facts.terms.ty(value);
            let (least, most) = if ty.is_integer() {
                text.bounds_at(point, value)
            } else {
                (i128::from(i64::MIN), i128::from(u64::MAX))
            };
            let is_any = |mode: Mode| mode == Mode::Any;
            let any = self.frames.iter().rposition(|frame| is_any(frame.mode));
            let around = any.map_or(0, |at| at + 1);
            let told = self.frames.len() == around && ty.is_integer();
            self.sources.push(Source {
                array: None,
                bytes: 0,
                least,
                most,
                rounds: u32::try_from(around).ok()?,
                parts: BTreeSet::new(),
                handed: told.then_some((value, point)),
            });
        }
        Some(source)
    }

    fn shuffle(&mut self, row: &LaneValueRow, point: PointId, presences: &[Presence]) {
        let kind = ["up", "down", "xor", ""].into_iter().find(|kind| {
            let infix = if kind.is_empty() { "" } else { "_" };
            row.operation == format!("__shfl{infix}{kind}_sync")
        });
        let meeting = self.text.lanes.meetings.get(&point).copied();
        let (Some(kind), Some(meeting)) = (kind, meeting) else {
            return;
        };
        let words = self.hand_in(row.value, point, presences, kind == "up" || kind == "down");
        let groups = self.groups(meeting, presences);
        let serial = self.serial();
        for (thread, presence) in (0u32..).zip(presences) {
            let Presence::Present(tags) = *presence else {
                continue;
            };
            self.here = tags;
            let at = thread as usize;
            let from = self.value(thread, row.from);
            let from = from.as_ref().and_then(Word::as_number);
            let width = match row.width {
                Some(width) => self.value(thread, width),
                None => Some(Word::number(WARP as i128)),
            };
            let width = width.as_ref().and_then(Word::as_number);
            let lane = match (from, width) {
                (Some(from), Some(width)) => asked(kind, (at % WARP) as i128, from, width),
                _ => None,
            };
            let asked = lane.and_then(|lane| {
                let other = at - at % WARP + usize::try_from(lane).ok()?;
                let is_there = presences.get(other) == Some(presence);
                let same_group = groups[at].is_some() && groups.get(other) == Some(&groups[at]);
                (is_there && same_group).then(|| words[other].clone())?
            });
            let held = Held {
                serial,
                tags,
                word: asked,
            };
            self.known.insert((row.unknown, thread), held);
        }
        self.here = 0;
    }

    /// Which of the groups that a mask names each thread is in; none where that is not known.
    fn groups(&mut self, meeting: &BarrierRow, presences: &[Presence]) -> Vec<Option<i128>> {
        let is_told = meeting.mask.is_none() || meeting.member.is_some();
        let threads = (0u32..).zip(presences);
        threads
            .map(|(thread, presence)| {
                let Presence::Present(tags) = *presence else {
                    return None;
                };
                self.here = tags;
                let number = |me: &mut Self, term: Option<TermId>, otherwise: i128| match term {
                    Some(term) => me.value(thread, term)?.as_number(),
                    None => Some(otherwise),
                };
                let member = number(self, meeting.member, 1);
                let key = number(self, meeting.key, 0);
                self.here = 0;
                key.filter(|_| is_told && member == Some(1))
            })
            .collect()
    }

    fn vote(&mut self, vote: UnknownId, voted: TermId, point: PointId, presences: &[Presence]) {
        let whole = self.text.lanes.meetings.get(&point);
        let whole = whole
            .is_some_and(|row| row.mask.is_none() && row.member.is_none() && row.key.is_none());
        let mut tags = None;
        for presence in presences {
            match *presence {
                Presence::Absent => {}
                Presence::Present(of) if tags.is_none_or(|tags| tags == of) => tags = Some(of),
                // Nobody knows who votes.
                _ => return,
            }
        }
        let Some(tags) = tags.filter(|_| whole) else {
            return;
        };
        let mut words = self.hand_in(voted, point, presences, true);
        for (word, presence) in words.iter_mut().zip(presences) {
            if *presence == Presence::Absent {
                *word = Some(Word::number(0));
            }
        }
        let serial = self.serial();
        let vote_of = Vote {
            serial,
            tags,
            words,
        };
        self.votes.insert(vote, vote_of);
    }

    fn rank(&mut self, row: &VoteRankRow, presences: &[Presence]) {
        let serial = self.serial();
        for (thread, presence) in (0u32..).zip(presences) {
            let (Presence::Present(tags) | Presence::Maybe(tags)) = *presence else {
                continue;
            };
            self.here = tags;
            let lane = self.value(thread, row.lane);
            let lane = lane.as_ref().and_then(Word::as_number);
            let word = lane.and_then(|lane| self.votes_below(row.vote, thread, lane));
            let held = Held { serial, tags, word };
            self.known.insert((row.unknown, thread), held);
        }
        self.here = 0;
    }

    /// How many lanes of the thread's warp below this one voted.
    fn votes_below(&self, vote: UnknownId, thread: u32, lane: i128) -> Option<Word> {
        let vote = self.votes.get(&vote)?;
        let held = Held {
            serial: vote.serial,
            tags: vote.tags,
            word: None,
        };
        if !self.is_held(&held) {
            return None;
        }
        let first = thread as usize / WARP * WARP;
        let end = first + usize::try_from(lane).ok()?;
        let mut sum = Word::number(0);
        for word in vote.words.get(first..end.min(vote.words.len()))? {
            sum = sum.plus(word.as_ref()?, 1)?;
        }
        Some(sum)
    }

    /// A sum of what the threads of a group hand in, all of which come.
    fn sum(&mut self, row: &CollectiveRow, point: PointId, presences: &[Presence]) {
        let words = self.hand_in(row.value, point, presences, true);
        let lanes = match row.lanes {
            // Of the block only some warps are run.
            None if self.text.any_warps => None,
            None => Some(presences.len()),
            Some(lanes) => {
                let lanes = self.value(0, lanes).and_then(|lanes| lanes.as_number());
                let lanes = lanes.and_then(|lanes| usize::try_from(lanes).ok());
                lanes.filter(|lanes| *lanes <= WARP && lanes.is_power_of_two())
            }
        };
        let Some(lanes) = lanes else { return };
        let serial = self.serial();
        let ty = self.text.facts.terms.ty(row.value);
        let sources = &self.sources;
        for (nth, words) in words.chunks(lanes).enumerate() {
            let first = nth * lanes;
            let Presence::Present(tags) = presences[first] else {
                continue;
            };
            let whole = words.len() == lanes
                && presences[first..first + lanes]
                    .iter()
                    .all(|presence| *presence == Presence::Present(tags));
            let mut before: Vec<Option<Word>> = vec![Some(Word::number(0))];
            for word in words {
                let sum = before.last().and_then(Option::as_ref);
                let sum = sum.zip(word.as_ref()).and_then(|(sum, word)| {
                    let sum = sum.plus(word, 1)?;
                    let fits = fits(ty, &sum, &|source| bounds_of(sources, source));
                    (ty.is_signed() || fits).then_some(sum)
                });
                before.push(sum);
            }
            for at in 0..words.len() {
                let word = match row.operation.as_str() {
                    _ if !whole => None,
                    "sum" => before[lanes].clone(),
                    "inclusive_sum" => before[at + 1].clone(),
                    "exclusive_sum" => before[at].clone(),
                    _ => None,
                };
                let thread = u32::try_from(first + at).unwrap_or(u32::MAX);
                let held = Held { serial, tags, word };
                self.known.insert((row.unknown, thread), held);
            }
        }
    }

    /// What variables are where a loop is entered.
    pub(super) fn begin_carried(&mut self, id: LoopId, head: PointId) -> Carried {
        let text = self.text;
        let mut carried = Carried::new();
        let Some(rows) = text.lanes.carried.get(&id) else {
            return carried;
        };
        let presences: Vec<Presence> = self
            .threads()
            .map(|thread| self.presence(thread, head))
            .collect();
        for row in rows {
            // What takes no part in what threads hand to each other is left to those who know it otherwise.
            let takes_part = self.is_handed(row.next);
            let words = if takes_part {
                self.hand_in(row.start, head, &presences, false)
            } else {
                let threads = (0u32..).zip(&presences);
                threads
                    .map(|(thread, presence)| match *presence {
                        Presence::Present(tags) => {
                            self.here = tags;
                            self.value(thread, row.start)
                        }
                        _ => None,
                    })
                    .collect()
            };
            self.here = 0;
            for (thread, (presence, word)) in (0u32..).zip(presences.iter().zip(words)) {
                if let Presence::Present(tags) = *presence {
                    carried.push((row.unknown, thread, tags, word));
                }
            }
        }
        carried
    }

    /// Whether a value is made of what threads hand to each other.
    fn is_handed(&self, root: TermId) -> bool {
        let terms = &self.text.facts.terms;
        let lanes = &self.text.lanes;
        let handed: BTreeSet<UnknownId> = lanes
            .collectives
            .values()
            .flatten()
            .filter_map(|collective| match collective {
                Collective::Shuffle(row) => Some(row.unknown),
                Collective::Rank(row) => Some(row.unknown),
                Collective::Sum(row) => Some(row.unknown),
                Collective::Vote(..) => None,
            })
            .collect();
        let mut below = terms.reachable(&[root]).into_iter();
        below.any(|id| {
            let unknown = terms.get(id).unknown();
            unknown.is_some_and(|unknown| handed.contains(&unknown))
        })
    }

    /// The variables at the head of the iteration that begins.
    pub(super) fn carry(&mut self, carried: Carried) {
        let serial = self.serial();
        for (unknown, thread, tags, word) in carried {
            let held = Held { serial, tags, word };
            self.known.insert((unknown, thread), held);
        }
    }

    /// The variables at the end of an iteration, of those who come to its head.
    pub(super) fn next_carried(&mut self, id: LoopId, from: usize) -> Carried {
        let text = self.text;
        let mut carried = Carried::new();
        let Some(rows) = text.lanes.carried.get(&id) else {
            return carried;
        };
        let head = text.points[from];
        for thread in self.threads() {
            let Presence::Present(tags) = self.presence(thread, head) else {
                continue;
            };
            self.here = tags;
            for row in rows {
                let word = self.value(thread, row.next);
                carried.push((row.unknown, thread, tags, word));
            }
        }
        self.here = 0;
        carried
    }

    /// The variables of those who leave the loop by its condition.
    pub(super) fn leave_with(&mut self, id: LoopId, goes_on: &[bool]) {
        let text = self.text;
        let Some(rows) = text.lanes.left_with.get(&id) else {
            return;
        };
        let Some(frame) = self.frames.last() else {
            return;
        };
        let left = frame.left.clone();
        let head = text
            .points
            .iter()
            .position(|&point| text.heads.get(&point).is_some_and(|(of, _)| *of == id));
        let Some(head) = head.map(|at| text.points[at]) else {
            return;
        };
        for (thread, goes_on) in (0u32..).zip(goes_on) {
            if *goes_on || left[thread as usize] {
                continue;
            }
            let Presence::Present(tags) = self.presence(thread, head) else {
                continue;
            };
            self.here = tags;
            for row in rows {
                let word = self.value(thread, row.value);
                // The number of the iteration around is set when the loop is over.
                let held = Held {
                    serial: u64::MAX,
                    tags,
                    word,
                };
                self.known.insert((row.unknown, thread), held);
            }
        }
        self.here = 0;
    }

    /// What was left with belongs to the iteration around the loop.
    pub(super) fn settle_left(&mut self, id: LoopId) {
        let text = self.text;
        let serial = self.serial();
        for row in text.lanes.left_with.get(&id).map_or(&[][..], Vec::as_slice) {
            for thread in self.threads() {
                if let Some(held) = self.known.get_mut(&(row.unknown, thread)) {
                    let is_new = held.serial == u64::MAX;
                    held.word = held.word.take().filter(|_| is_new);
                    held.serial = serial;
                }
            }
        }
    }

    /// Notes what terms are at a point.
    pub(super) fn observe(&mut self, point: PointId) {
        let text = self.text;
        let Some(roots) = text.lanes.wanted.get(&point) else {
            return;
        };
        if text.facts.point[point.index()].kind == PointKind::LoopHead {
            return;
        }
        for thread in self.threads() {
            let presence = self.presence(thread, point);
            let (Presence::Present(tags) | Presence::Maybe(tags)) = presence else {
                continue;
            };
            for &root in roots {
                self.here = tags;
                let (plan, values) = self.values(thread, root);
                let mut open: Vec<bool> = Vec::with_capacity(values.len());
                for (step, value) in plan.iter().zip(values) {
                    let term = text.facts.terms.get(step.term);
                    let is_open = term.access().is_some()
                        || term
                            .unknown()
                            .is_some_and(|unknown| text.lanes.unknowns.contains(&unknown))
                        || step.args.iter().any(|&arg| open[arg]);
                    open.push(is_open);
                    if !is_open {
                        continue;
                    }
                    let rank = i128::from(thread);
                    let seen = self.terms.entry((point, step.term));
                    let seen = seen.or_insert_with(|| Some(Vec::new()));
                    match (seen.as_mut(), value) {
                        (Some(seen), Some(word)) => seen.push((rank, word)),
                        _ => *seen = None,
                    }
                }
            }
        }
        self.here = 0;
    }

    /// The forms of terms, and in how many lanes they are one value: the largest terms that have one.
    pub(super) fn found_of_terms(&self) -> (AtPoints<Form>, AtPoints<i128>) {
        let mut forms = BTreeMap::new();
        let mut same = BTreeMap::new();
        let terms = &self.text.facts.terms;
        // Of warps in blocks of any size, what holds in two of them holds in all.
        let any_warps = self.text.any_warps;
        let threads = match any_warps {
            true => WARP as i128,
            false => i128::try_from(self.text.threads.len()).unwrap_or(i128::MAX),
        };
        let mut points: Vec<_> = self.text.lanes.wanted.iter().collect();
        points.sort_unstable();
        for (&point, roots) in points {
            let mut stack = roots.clone();
            let mut done: BTreeSet<TermId> = BTreeSet::new();
            while let Some(id) = stack.pop() {
                if !done.insert(id) || forms.len() + same.len() > MOST_TERMS {
                    continue;
                }
                let term = terms.get(id);
                let seen = self.terms.get(&(point, id)).and_then(Option::as_ref);
                if let Some(seen) = seen.filter(|seen| !seen.is_empty()) {
                    let is_number = term.ty.is_integer() && term.ty != CType::Bool;
                    if let Some(mut form) = fit(seen).filter(|_| is_number) {
                        if any_warps {
                            form.end = MOST_RANKS;
                        }
                        forms.insert((point, id), form);
                        continue;
                    }
                    if let Some(lanes) = equal_lanes(seen, threads) {
                        same.insert((point, id), lanes);
                    }
                }
                if !crate::is_leaf(term.op) {
                    stack.extend(&term.args);
                }
            }
        }
        (forms, same)
    }
}

/// `threadIdx.x` in a warp of a block of any size: 32 times the number of the warp, plus the lane.
pub(super) fn number_in_warp(at: i128) -> Option<Word> {
    let lanes = WARP as i128;
    let before = Word::input(WARP_NUMBER, 0).scaled(lanes)?;
    Word::number(at % lanes).plus(&before, 1)
}

/// The lane that a shuffle asks, by what it is told; none where that is undefined.
fn asked(kind: &str, lane: i128, from: i128, width: i128) -> Option<i128> {
    let lanes = WARP as i128;
    if !(1..=lanes).contains(&width) || lanes % width != 0 {
        return None;
    }
    let first = lane - lane % width;
    if kind.is_empty() {
        return Some(first + from.rem_euclid(width));
    }
    if !(0..lanes).contains(&from) {
        return None;
    }
    let other = match kind {
        "up" => lane - from,
        "down" => lane + from,
        _ => lane ^ from,
    };
    let is_in = match kind {
        "up" => other >= first,
        // Lanes of segments before may be asked.
        _ => other < first + width,
    };
    Some(if is_in { other } else { lane })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_that_shuffles_ask() {
        assert_eq!(asked("", 5, 0, 32), Some(0));
        assert_eq!(asked("", 13, 9, 8), Some(9));
        assert_eq!(asked("", 13, -1, 8), Some(15));
        assert_eq!(asked("up", 1, 2, 32), Some(1));
        assert_eq!(asked("up", 9, 2, 8), Some(9));
        assert_eq!(asked("down", 30, 2, 32), Some(30));
        assert_eq!(asked("down", 6, 1, 8), Some(7));
        assert_eq!(asked("xor", 3, 4, 4), Some(3));
        assert_eq!(asked("xor", 7, 4, 4), Some(3));
        assert_eq!(asked("up", 3, 32, 32), None);
        assert_eq!(asked("xor", 3, 1, 12), None);
    }

    #[test]
    fn values_that_are_computed_alike() {
        let mut computed = Computed::default();
        let [a, b, c] = [0, 1, 2].map(|element| (CType::I32, Word::input(7, element)));
        let max = (Op::Max, CType::I32, 0);
        let ab = computed.apply(max, vec![a.clone(), b.clone()]);
        let ab = (CType::I32, ab.expect("a value"));
        let bc = computed.apply(max, vec![c.clone(), b.clone()]);
        let bc = (CType::I32, bc.expect("a value"));
        let one = computed.apply(max, vec![ab.clone(), c.clone()]);
        assert_eq!(one, computed.apply(max, vec![a.clone(), bc.clone()]));
        assert_eq!(one, computed.apply(max, vec![ab.clone(), bc.clone()]));
        assert_ne!(one, Some(ab.1.clone()));
        // A sum of floating point depends on the order of more than two.
        let add = (Op::Add, CType::F32, 0);
        let [a, b, c] = [a, b, c].map(|(_, word)| (CType::F32, word));
        let ab = computed.apply(add, vec![a.clone(), b.clone()]);
        assert_eq!(ab, computed.apply(add, vec![b.clone(), a.clone()]));
        let bc = computed.apply(add, vec![b.clone(), c.clone()]);
        let ab = (CType::F32, ab.expect("a value"));
        let bc = (CType::F32, bc.expect("a value"));
        let one = computed.apply(add, vec![ab, c]);
        assert_ne!(one, computed.apply(add, vec![a, bc]));
    }
}
