//! Whether two sides combine the same values into the elements of an array, by operations whose order does not matter.
//!
//! **Algorithm.** What an element holds in the end is what it held before combined with the values of all atomic operations on it.
//! So it is enough that each operation of one side is one of the other: on the same element, with the same value, and each of them
//! once. Threads are matched by a *key*: a place that the operation is made for, such as the element of the input that it counts.
//! Where different threads and iterations of a side have different keys, and for each key of one side the other has an operation with
//! that key, that place and that value, and vice versa, the operations are the same. Keys are matched as addresses are: by digits.
//!
//! **Counts of a block.** A block may combine values in shared memory first, and then its elements with those of global memory: if
//! shared memory held the neutral element before, and each of its elements is handed on once, the operations on global memory are
//! those on shared memory, at the place that their element is handed on to.
//!
//! **Source.** The monotone maps of PUG_para (IPDPSW 2012) match threads by addresses; that they are matched by the elements that are
//! read, as addresses of such operations are contents, is different here.
//!
//! **Accuracy.** The operations are associative and commutative on all values of the type (of floats only with sums as those of the
//! reals), and their results are not used. No shared array is left by an address: else a kernel has no meaning.

use rustc_hash::FxHashMap;
use warplog_facts::{CType, Op};

use super::{MAX_WRITES, Matcher, Writer};
use crate::compare;
use crate::memory::Write;
use crate::node::{Id, Node, range_of};

/// What a key and what it stands for are called.
const COMBINED: &str = "combined";
/// Most arrays that keys are looked for in.
const MAX_KEYS: usize = 8;

/// Names of the iterations of loops around operations on shared memory, and around those that hand them on.
const FIRST_OF_HANDED: u32 = 1 << 21;
const FIRST_OF_HANDING: u32 = (1 << 21) + 64;

/// An element of shared memory that is handed on.
#[derive(Clone, Copy, Debug)]
struct Handed {
    array: u32,
    /// How many stretches between barriers are before it is read.
    interval: u32,
    ty: CType,
    at: Id,
}

/// By what operations of two sides are matched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// The element of an array that is read.
    Read(u32, CType),
    /// The address that is combined into.
    Address,
    /// The number of the thread in the launch.
    Thread,
}

impl Matcher<'_> {
    /// Shows that two lists of operations on one array combine the same values into the same elements.
    ///
    /// # Errors
    /// What is not shown.
    pub(super) fn same_combined(&mut self, writes: [Vec<Write>; 2]) -> Result<(), String> {
        for write in writes.iter().flatten() {
            let mut all = vec![write.address, write.guard, write.value];
            all.extend(write.loops.iter().map(|(_, goes_on)| *goes_on));
            if !compare::is_of_run(self.pool, &all) {
                return Err("a value that a loop carries along".to_owned());
            }
        }
        self.places = [0, 1].map(|side| self.told.add(self.pool, side, &writes[side]));
        let mut reason = "what atomic operations combine is not seen to be the same".to_owned();
        for key in self.keys(&writes) {
            self.told.candidates.clear();
            let [left, right] = writes.each_ref().map(|side| side.as_slice());
            let (Some(left), Some(right)) = (self.by_key(left, 0, key), self.by_key(right, 1, key))
            else {
                continue;
            };
            match self.same_keys([left, right]) {
                Ok(()) => return Ok(()),
                Err(found) => reason = found,
            }
        }
        Err(reason)
    }

    /// What the operations of both sides may be matched by.
    fn keys(&self, writes: &[Vec<Write>; 2]) -> Vec<Key> {
        let mut keys = Vec::new();
        for write in writes.iter().flatten() {
            for part in self
                .pool
                .parts_outside_of_folds(&[write.address, write.value])
            {
                if let Node::Input(array, ty, _) = *self.pool.node(part)
                    && !keys.contains(&Key::Read(array, ty))
                    && keys.len() < MAX_KEYS
                {
                    keys.push(Key::Read(array, ty));
                }
            }
        }
        keys.extend([Key::Address, Key::Thread]);
        keys
    }

    /// Operations as assignments to their keys of what they combine, and where.
    fn by_key(&mut self, writes: &[Write], side: usize, key: Key) -> Option<Vec<Write>> {
        let mut all = Vec::with_capacity(writes.len());
        for write in writes {
            let (at, ty) = match key {
                Key::Read(array, ty) => (self.read_at(write, array, ty)?, ty),
                Key::Address => (write.address, write.ty),
                Key::Thread => (self.number(write, side)?, CType::U8),
            };
            let combined = vec![write.address, write.value];
            all.push(Write {
                // It is no array in shared memory.
                array: 0,
                address: at,
                ty,
                value: self.pool.call(COMBINED, CType::I64, combined),
                combines: None,
                ..write.clone()
            });
        }
        Some(all)
    }

    /// The one element of an array that an operation depends on.
    fn read_at(&self, write: &Write, array: u32, ty: CType) -> Option<Id> {
        let parts = self
            .pool
            .parts_outside_of_folds(&[write.address, write.value]);
        let mut found = parts
            .into_iter()
            .filter_map(|part| match *self.pool.node(part) {
                Node::Input(other, of, at) if (other, of) == (array, ty) => Some(at),
                _ => None,
            });
        let at = found.next()?;
        found.next().is_none().then_some(at)
    }

    /// The number of a thread in its launch, and of the iteration of the one loop around an operation.
    fn number(&mut self, write: &Write, side: usize) -> Option<Id> {
        let (mut number, mut weight) = (self.pool.int(0), self.pool.int(1));
        for (coordinate, size) in self.sides[side].coordinates.clone() {
            let digit = self.pool.times(weight, coordinate);
            number = self.pool.plus(number, digit, 1);
            let size = self.pool.rebuilt(size, &FxHashMap::default());
            weight = self.pool.times(weight, size);
        }
        match write.loops.as_slice() {
            [] => {}
            &[(iteration, _)] => {
                let digit = self.pool.times(weight, iteration);
                number = self.pool.plus(number, digit, 1);
            }
            _ => return None,
        }
        Some(number)
    }

    /// Whether operations with keys are the same, each made once.
    fn same_keys(&mut self, writes: [Vec<Write>; 2]) -> Result<(), String> {
        if writes.iter().any(|side| side.len() > MAX_WRITES) {
            return Err("a thread makes too many assignments".to_owned());
        }
        for (side, own) in writes.iter().enumerate() {
            for (position, write) in own.iter().enumerate() {
                let once = self.is_made_once(write, side);
                let mut others = own[..position].iter();
                if !once || !others.all(|other| self.are_apart_or_exclude([other, write], side)) {
                    return Err("operations that are not seen to be made once".to_owned());
                }
            }
        }
        self.match_both(&writes)
    }

    /// Whether two operations have different keys, or one thread makes one of them.
    fn are_apart_or_exclude(&mut self, [one, other]: [&Write; 2], side: usize) -> bool {
        if self.is_elsewhere(one, side, other.address) {
            return true;
        }
        // The key tells the thread.
        if one.address != other.address || one.loops != other.loops {
            return false;
        }
        let conditions = [one, other].map(|write| self.condition(write));
        let both = self.pool.all(conditions.to_vec());
        self.pool.enter(both);
        let never = self.pool.is_contradictory();
        self.pool.leave();
        never
    }

    /// Operations of a launch in place of those that hand on what its blocks combined in shared memory.
    ///
    /// # Errors
    /// What is not seen.
    pub fn handed_on(
        &mut self,
        side: usize,
        writes: Vec<Write>,
        all: &[Write],
    ) -> Result<Vec<Write>, String> {
        let is_handed = |write: &Write| {
            write.combines.is_some() && matches!(self.pool.node(write.value), Node::Output(..))
        };
        if !writes.iter().any(is_handed) {
            return Ok(writes);
        }
        let mut found = Vec::new();
        for write in compare::merged(self.pool, writes, FIRST_OF_HANDING) {
            match *self.pool.node(write.value) {
                Node::Output(array, interval, ty, at)
                    if write.combines.is_some() && array >= self.first_shared =>
                {
                    let handed = Handed {
                        array,
                        interval,
                        ty,
                        at,
                    };
                    found.extend(self.operations_of(side, write, handed, all)?);
                }
                _ => found.push(write),
            }
        }
        Ok(found)
    }

    /// The operations on shared memory that one on global memory hands on.
    fn operations_of(
        &mut self,
        side: usize,
        mut write: Write,
        handed: Handed,
        all: &[Write],
    ) -> Result<Vec<Write>, String> {
        write.guard = self.without_nothing(&write);
        let before = |other: &&Write| {
            other.array == handed.array
                && u32::try_from(other.step).is_ok_and(|step| step < handed.interval)
        };
        let of_array: Vec<Write> = all.iter().filter(before).cloned().collect();
        let (mut own, first): (Vec<Write>, Vec<Write>) = of_array
            .into_iter()
            .partition(|other| other.combines.is_some());
        let last_assigned = first.iter().map(|other| other.step).max();
        if own.is_empty() || own.iter().any(|other| Some(other.step) <= last_assigned) {
            return Err("shared memory that is assigned to behind atomic operations".to_owned());
        }
        let is_same = |other: &Write| (other.combines, other.ty) == (write.combines, write.ty);
        if handed.ty != write.ty || !own.iter().all(is_same) {
            return Err("atomic operations of two kinds".to_owned());
        }
        own = compare::merged(self.pool, own, FIRST_OF_HANDED);
        let at = Write {
            array: handed.array,
            address: handed.at,
            ..write.clone()
        };
        // Each element is handed on once.
        if !self.is_made_once(&at, side) {
            return Err(
                "elements of shared memory that are not seen to be handed on once".to_owned(),
            );
        }
        self.enter(&write);
        let is_neutral = self.starts_neutral(side, &write, handed, &first);
        self.pool.leave();
        if !is_neutral {
            return Err("shared memory that is not seen to be set before".to_owned());
        }
        let mut found = Vec::new();
        for operation in own {
            self.enter(&operation);
            let handed_on = self.handed_on_at(side, &at, &write, &operation);
            self.pool.leave();
            found.push(handed_on?);
        }
        Ok(found)
    }

    /// An operation on shared memory as one on global memory, at the place that its element is handed on to.
    fn handed_on_at(
        &mut self,
        side: usize,
        at: &Write,
        write: &Write,
        operation: &Write,
    ) -> Result<Write, String> {
        let reason = "an element of shared memory that is not seen to be handed on";
        let within = self.within(operation);
        self.pool.enter(within);
        // No element before that of the first thread is handed on.
        let first = self.coordinates(at, side).into_iter();
        let zeros: FxHashMap<Id, Id> = first.map(|id| (id, self.pool.int(0))).collect();
        let first = self.pool.rebuilt(at.address, &zeros);
        let more = self.pool.plus(at.address, first, -1);
        let behind = match self.pool.is_shown_not_negative(more) {
            true => {
                let behind = self.pool.plus(operation.address, first, -1);
                self.pool.not_negative(behind)
            }
            false => self.pool.truth(true),
        };
        self.pool.enter(behind);
        let found = self.writer(at, side, operation.address);
        let found = match found {
            Writer::Found(found) if found.is_only && self.goes_on_until(at) => found,
            _ => {
                self.pool.leave();
                self.pool.leave();
                return Err(reason.to_owned());
            }
        };
        let condition = self.condition(at);
        let condition = self.pool.rebuilt(condition, &found.images);
        let mut parts = found.needs;
        parts.push(condition);
        let condition = self.pool.all(parts);
        let condition = self.without_what_is_shown(condition);
        let address = self.pool.rebuilt(write.address, &found.images);
        self.pool.leave();
        self.pool.leave();
        let condition = self.pool.all(vec![condition, behind]);
        Ok(Write {
            array: write.array,
            address,
            guard: self.pool.all(vec![operation.guard, condition]),
            ..operation.clone()
        })
    }

    /// That an address does not leave its array.
    fn within(&mut self, operation: &Write) -> Id {
        let mut parts = vec![self.pool.not_negative(operation.address)];
        if let Some(&bytes) = self.extents.get(&operation.array) {
            let last = bytes - i128::from(operation.ty.bytes().unwrap_or(1));
            let last = self.pool.int(last);
            let beyond = self.pool.plus(last, operation.address, -1);
            parts.push(self.pool.not_negative(beyond));
        }
        let within = self.pool.all(parts);
        self.pool.assumed_within |= self.pool.as_int(within) != Some(1);
        within
    }

    /// The condition of an operation without that its value is another one than nothing to add.
    fn without_nothing(&mut self, write: &Write) -> Id {
        if !matches!(write.combines, Some(Op::Add | Op::BitOr | Op::BitXor)) {
            return write.guard;
        }
        let zero = self.pool.zero(write.value);
        let is_other = self.pool.not(zero);
        let parts = match self.pool.node(write.guard).clone() {
            Node::And(parts) => parts,
            _ => vec![write.guard],
        };
        let parts = parts.into_iter().filter(|part| *part != is_other);
        let parts = parts.collect();
        self.pool.all(parts)
    }

    /// Whether an element of shared memory held what changes nothing before values were combined into it.
    fn starts_neutral(
        &mut self,
        side: usize,
        write: &Write,
        handed: Handed,
        first: &[Write],
    ) -> bool {
        let ty = handed.ty;
        let neutral = match (write.combines, ty.is_integer()) {
            (Some(Op::Add), false) => self.pool.ring_constant(ty, 0),
            (Some(Op::Add | Op::BitOr | Op::BitXor), true) => self.pool.int(0),
            (Some(Op::BitAnd), true) => self.pool.int(ty.wrap(-1)),
            (Some(Op::Min), true) => self.pool.int(range_of(ty).1),
            (Some(Op::Max), true) => self.pool.int(range_of(ty).0),
            _ => return false,
        };
        let Ok(outputs) = self.outputs(side, first) else {
            return false;
        };
        let before = (handed.array, handed.interval, ty);
        match self.output(before, handed.at, &outputs) {
            Ok(value) => compare::equal(self.pool, value, neutral),
            Err(_) => false,
        }
    }
}
