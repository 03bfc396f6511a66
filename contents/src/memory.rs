//! Shared memory of the simulated block: what its elements hold, and who may meet there.
//!
//! **Meetings.** Accesses are kept by *segment*: the accesses between two barriers. A new access is compared with those of all segments
//! that no barrier closed for it. A barrier that is reached only under conditions that the data decides (all threads alike) closes a
//! segment for what is done under the same conditions, and for nothing else. Two threads that may meet, one of them writing, make the
//! array unknown for the whole launch: of what they do, any could be first.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::AccessKind;
use warplog_facts::{ArrayId, CType};

use crate::word::Word;

/// Threads of a warp.
const WARP: u32 = 32;
/// Most segments that are open at once.
const MOST_SEGMENTS: usize = 24;

/// What is known of bytes of memory.
#[derive(Clone, Debug)]
struct Cell {
    bytes: u32,
    ty: CType,
    word: Word,
    /// Under which conditions it was stored.
    tags: u32,
}

/// Sets of conditions that the data decides for all threads of the block alike. A condition is a number; so is a set, 0 being empty.
#[derive(Debug)]
pub struct Tags {
    sets: Vec<Vec<u32>>,
    known: FxHashMap<Vec<u32>, u32>,
}

impl Default for Tags {
    fn default() -> Self {
        let known = std::iter::once((Vec::new(), 0)).collect();
        Tags {
            sets: vec![Vec::new()],
            known,
        }
    }
}

impl Tags {
    /// The set of these conditions.
    pub fn set(&mut self, mut conditions: Vec<u32>) -> u32 {
        if conditions.is_empty() {
            return 0;
        }
        conditions.sort_unstable();
        conditions.dedup();
        if let Some(&known) = self.known.get(&conditions) {
            return known;
        }
        let id = u32::try_from(self.sets.len()).unwrap_or(u32::MAX);
        self.sets.push(conditions.clone());
        self.known.insert(conditions, id);
        id
    }

    /// Whether all conditions of the one set are among those of the other.
    #[must_use]
    pub fn holds(&self, one: u32, other: u32) -> bool {
        let other = &self.sets[other as usize];
        let mut one = self.sets[one as usize].iter();
        one.all(|condition| other.binary_search(condition).is_ok())
    }
}

/// Which threads did something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Threads {
    #[default]
    None,
    One(u32),
    /// Several of this warp.
    Warp(u32),
    Many,
}

impl Threads {
    fn add(&mut self, thread: u32) {
        *self = match *self {
            Threads::None => Threads::One(thread),
            Threads::One(other) if other == thread => return,
            Threads::One(other) if other / WARP == thread / WARP => Threads::Warp(thread / WARP),
            Threads::Warp(warp) if warp == thread / WARP => return,
            _ => Threads::Many,
        };
    }

    /// Whether a thread other than this one is among them, or one of another warp.
    fn others(self, thread: u32, of_other_warp: bool) -> bool {
        match self {
            Threads::None => false,
            Threads::One(other) if of_other_warp => other / WARP != thread / WARP,
            Threads::One(other) => other != thread,
            Threads::Warp(warp) => !of_other_warp || warp != thread / WARP,
            Threads::Many => true,
        }
    }
}

/// Who accessed a place, by kind of access.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    read: Threads,
    write: Threads,
    atomic: Threads,
}

impl Marks {
    fn of(&mut self, kind: AccessKind) -> &mut Threads {
        match kind {
            AccessKind::Read => &mut self.read,
            AccessKind::Write => &mut self.write,
            AccessKind::Atomic => &mut self.atomic,
        }
    }

    fn meets(&self, kind: AccessKind, thread: u32, of_other_warp: bool) -> bool {
        let others = |threads: Threads| threads.others(thread, of_other_warp);
        others(self.write)
            || (kind != AccessKind::Read && others(self.read))
            || (kind != AccessKind::Atomic && others(self.atomic))
    }
}

/// Whom a barrier orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ordered {
    /// The threads of the block.
    Block,
    /// The threads of each warp among themselves.
    Warp,
}

/// The accesses between two barriers.
#[derive(Clone, Debug, Default)]
struct Segment {
    places: FxHashMap<(ArrayId, i128), Marks>,
    /// Accesses to an array at a place that is not known.
    anywhere: FxHashMap<ArrayId, Marks>,
    /// Under which conditions they are made.
    under: Vec<u32>,
    closed: Vec<(Ordered, u32)>,
}

/// Where an access is.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The storage of its array.
    pub array: ArrayId,
    /// First byte, if it is known.
    pub offset: Option<i128>,
    /// Number of bytes.
    pub bytes: u32,
}

/// Shared memory.
#[derive(Default)]
pub struct Memory {
    cells: FxHashMap<ArrayId, BTreeMap<i128, Cell>>,
    segments: Vec<Segment>,
    /// By array, of how many bytes all its accesses are multiples.
    grain: FxHashMap<ArrayId, i128>,
    widest: i128,
    /// Arrays of which nothing can be said.
    pub dropped: FxHashSet<ArrayId>,
    /// Conditions.
    pub tags: Tags,
    /// Too much was open at once.
    pub overfull: bool,
}

impl Memory {
    /// Memory of which nothing is known, with the arrays of which nothing can be said.
    #[must_use]
    pub fn new(grain: FxHashMap<ArrayId, i128>, widest: i128, dropped: FxHashSet<ArrayId>) -> Self {
        Memory {
            segments: vec![Segment::default()],
            grain,
            widest,
            dropped,
            ..Memory::default()
        }
    }

    /// Notes an access, and drops the array where another thread may meet it.
    pub fn meet(&mut self, place: Place, kind: AccessKind, thread: u32, tags: u32) {
        let array = place.array;
        if self.dropped.contains(&array) {
            return;
        }
        let grain = self.grain.get(&array).copied().unwrap_or(1).max(1);
        let aligned = place.offset.is_none_or(|offset| offset % grain == 0);
        // A write to a place that is not known may be anywhere.
        if !aligned || (place.offset.is_none() && kind == AccessKind::Write) {
            self.dropped.insert(array);
            return;
        }
        let units = match place.offset {
            Some(offset) => {
                let first = offset.div_euclid(grain);
                first..first + (i128::from(place.bytes) + grain - 1) / grain
            }
            None => 0..0,
        };
        let mut meets = false;
        for segment in &self.segments {
            let closed = |ordered: Ordered| {
                let mut closed = segment.closed.iter();
                closed.any(|&(by, barrier)| {
                    // Whoever made an access of the segment came to the barrier, too, or whoever makes this one did.
                    let mut under = segment.under.iter();
                    by == ordered
                        && (self.tags.holds(barrier, tags)
                            || under.all(|&under| self.tags.holds(barrier, under)))
                })
            };
            if closed(Ordered::Block) {
                continue;
            }
            let of_other_warp = closed(Ordered::Warp);
            let meets_in = |marks: &Marks| marks.meets(kind, thread, of_other_warp);
            meets |= segment.anywhere.get(&array).is_some_and(meets_in);
            meets |= match place.offset {
                Some(_) => units.clone().any(|unit| {
                    let marks = segment.places.get(&(array, unit));
                    marks.is_some_and(meets_in)
                }),
                None => {
                    let mut places = segment.places.iter();
                    places.any(|((other, _), marks)| *other == array && meets_in(marks))
                }
            };
        }
        if meets {
            self.dropped.insert(array);
            return;
        }
        let Some(current) = self.segments.last_mut() else {
            return;
        };
        if !current.under.contains(&tags) {
            current.under.push(tags);
        }
        if place.offset.is_none() {
            let marks = current.anywhere.entry(array).or_default();
            marks.of(kind).add(thread);
        }
        for unit in units {
            let marks = current.places.entry((array, unit)).or_default();
            marks.of(kind).add(thread);
        }
    }

    /// A barrier that all threads come to that are still there, under these conditions.
    pub fn barrier(&mut self, ordered: Ordered, tags: u32) {
        if ordered == Ordered::Block {
            // Whoever made such an access came to the barrier.
            let known = &self.tags;
            let is_over = |segment: &Segment| {
                let mut under = segment.under.iter();
                tags == 0 || under.all(|&under| known.holds(tags, under))
            };
            self.segments.retain(|segment| !is_over(segment));
        }
        for segment in &mut self.segments {
            if !segment.closed.contains(&(ordered, tags)) {
                segment.closed.push((ordered, tags));
            }
        }
        self.segments.push(Segment::default());
        self.overfull |= self.segments.len() > MOST_SEGMENTS;
    }

    /// What follows is done under other conditions.
    pub fn split(&mut self) {
        let is_used = |segment: &Segment| !segment.under.is_empty() || !segment.closed.is_empty();
        if self.segments.last().is_none_or(is_used) {
            self.segments.push(Segment::default());
            self.overfull |= self.segments.len() > MOST_SEGMENTS;
        }
    }

    /// What was done so far, for a way on which nothing more is done.
    #[must_use]
    pub fn so_far(&self) -> Open {
        Open(self.segments.clone())
    }

    /// What was done on another way may be the last that was done.
    pub fn or(&mut self, open: Open) {
        let mut open = open.0;
        open.append(&mut self.segments);
        self.segments = open;
        self.overfull |= self.segments.len() > MOST_SEGMENTS;
    }

    /// Nothing is known of the bytes any more.
    pub fn forget(&mut self, place: Place) {
        let Some(cells) = self.cells.get_mut(&place.array) else {
            return;
        };
        let Some(offset) = place.offset else {
            cells.clear();
            return;
        };
        let end = offset + i128::from(place.bytes);
        let near = cells.range(offset - self.widest..end);
        let over: Vec<i128> = near
            .filter(|(at, cell)| *at + i128::from(cell.bytes) > offset)
            .map(|(&at, _)| at)
            .collect();
        for at in over {
            cells.remove(&at);
        }
    }

    /// Nothing is known of the array any more.
    pub fn forget_all(&mut self, array: ArrayId) {
        self.cells.remove(&array);
    }

    /// A word is stored.
    pub fn store(&mut self, place: Place, ty: CType, word: Word, tags: u32) {
        self.forget(place);
        let Some(offset) = place
            .offset
            .filter(|_| !self.dropped.contains(&place.array))
        else {
            return;
        };
        let cell = Cell {
            bytes: place.bytes,
            ty,
            word,
            tags,
        };
        self.cells
            .entry(place.array)
            .or_default()
            .insert(offset, cell);
    }

    /// What is read, under these conditions: the word, and the type as which it was stored.
    #[must_use]
    pub fn load(&self, place: Place, tags: u32) -> Option<(Word, CType)> {
        let cell = self.cells.get(&place.array)?.get(&place.offset?)?;
        let known = cell.bytes == place.bytes
            && self.tags.holds(cell.tags, tags)
            && !self.dropped.contains(&place.array);
        known.then(|| (cell.word.clone(), cell.ty))
    }

    /// All that may be read of an array by reads of so many bytes, up to the first place of which nothing is known.
    #[must_use]
    pub fn all(&self, array: ArrayId, bytes: u32, tags: u32) -> Vec<(i128, Word, CType)> {
        let mut found = Vec::new();
        let place = |offset: i128| Place {
            array,
            offset: Some(offset),
            bytes,
        };
        let mut offset = 0;
        while let Some((word, ty)) = self.load(place(offset), tags) {
            found.push((offset, word, ty));
            offset += i128::from(bytes);
        }
        found
    }
}

/// Accesses that no barrier closed.
pub struct Open(Vec<Segment>);

#[cfg(test)]
mod tests {
    use super::*;

    const ARRAY: ArrayId = ArrayId(0);

    fn at(offset: i128) -> Place {
        Place {
            array: ARRAY,
            offset: Some(offset),
            bytes: 4,
        }
    }

    fn memory() -> Memory {
        let grain = std::iter::once((ARRAY, 4)).collect();
        Memory::new(grain, 4, FxHashSet::default())
    }

    #[test]
    fn threads_meet_where_no_barrier_is_between() {
        let mut memory = memory();
        memory.meet(at(0), AccessKind::Write, 0, 0);
        memory.meet(at(4), AccessKind::Write, 1, 0);
        memory.barrier(Ordered::Block, 0);
        memory.meet(at(0), AccessKind::Read, 1, 0);
        memory.meet(at(0), AccessKind::Read, 2, 0);
        assert!(memory.dropped.is_empty());
        memory.meet(at(0), AccessKind::Write, 1, 0);
        assert!(memory.dropped.contains(&ARRAY));
    }

    #[test]
    fn a_warp_barrier_orders_its_warp() {
        let mut one = memory();
        one.meet(at(0), AccessKind::Write, 0, 0);
        one.barrier(Ordered::Warp, 0);
        one.meet(at(0), AccessKind::Read, 31, 0);
        assert!(one.dropped.is_empty());
        one.meet(at(0), AccessKind::Read, 32, 0);
        assert!(one.dropped.contains(&ARRAY));
    }

    #[test]
    fn a_barrier_that_may_be_left_out_orders_its_own_way() {
        let mut memory = memory();
        let under = memory.tags.set(vec![7]);
        memory.meet(at(0), AccessKind::Write, 0, 0);
        memory.barrier(Ordered::Block, under);
        memory.meet(at(0), AccessKind::Read, 1, under);
        assert!(memory.dropped.is_empty());
        memory.meet(at(0), AccessKind::Read, 1, 0);
        assert!(memory.dropped.contains(&ARRAY));
    }

    #[test]
    fn what_is_done_before_a_barrier_on_its_way_is_ordered_for_all() {
        let mut memory = memory();
        let under = memory.tags.set(vec![7]);
        memory.meet(at(0), AccessKind::Write, 0, under);
        memory.barrier(Ordered::Block, under);
        memory.meet(at(0), AccessKind::Read, 1, 0);
        assert!(memory.dropped.is_empty());
    }

    #[test]
    fn a_place_that_is_not_known_is_every_place() {
        let anywhere = Place {
            offset: None,
            ..at(0)
        };
        let mut one = memory();
        one.meet(anywhere, AccessKind::Read, 0, 0);
        one.meet(anywhere, AccessKind::Read, 1, 0);
        assert!(one.dropped.is_empty());
        one.meet(at(8), AccessKind::Write, 1, 0);
        assert!(one.dropped.contains(&ARRAY));
        let mut other = memory();
        other.meet(anywhere, AccessKind::Write, 0, 0);
        assert!(other.dropped.contains(&ARRAY));
    }

    #[test]
    fn bytes_are_forgotten_where_they_overlap() {
        let mut memory = memory();
        memory.store(at(0), CType::I32, Word::number(1), 0);
        memory.store(at(4), CType::I32, Word::number(2), 0);
        let wide = Place { bytes: 1, ..at(3) };
        memory.forget(wide);
        assert!(memory.load(at(0), 0).is_none());
        assert!(memory.load(at(4), 0).is_some());
        let under = memory.tags.set(vec![3]);
        memory.store(at(0), CType::I32, Word::number(1), under);
        assert!(memory.load(at(0), 0).is_none());
        assert!(memory.load(at(0), under).is_some());
    }
}
