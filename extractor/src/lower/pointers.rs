//! Pointers in memory: where those lead that the kernel finds there, and those that it stores itself.
//!
//! What stands in global memory when the kernel starts leads to memory of its own, one for each place; what the kernel stores
//! is remembered with the place. Whoever reads a place finds the one or one of the others: the pointer that is read has all of
//! them as targets, and the number that the load gives tells which is meant. A place that something else is written to,
//! or that gets one more pointer after it was read, is reported.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::*;
use warplog_facts::*;

use super::body::Lowerer;
use super::places::{Places, Tests, places_of};
use super::types::{Extent, StructTy, Ty};
use super::value::*;
use crate::syntax::ast::Range;

/// Most pointers that may be stored at one place, and the distance of the numbers that stand for the first bytes of
/// what they lead into: more than any array has.
const MAX_STORED: usize = 8;
const STRIDE: i128 = 1 << 48;

const POINTER_BYTES: i128 = 8;

const POINTER_READ: &str = "pointer read from memory";

/// A place for a pointer: a fixed byte of an array, the first of those that share its memory.
type Slot = (ArrayId, i128);

/// The pointers in memory that a kernel has to do with. Kept from trial lowerings, as a later round of a loop may read them.
#[derive(Default)]
pub(crate) struct PointerMemory {
    /// The arrays through whose elements pointers were followed.
    followed: BTreeMap<ArrayId, Range>,
    /// The arrays behind pointers at places of arrays; `None`: places that vary.
    pointees: BTreeMap<(ArrayId, Option<i128>), ArrayId>,
    /// Arrays of whose pointers some were read at places that vary, and at which; trials, which know less of the places, do
    /// not count.
    varying: BTreeMap<ArrayId, BTreeSet<Places>>,
    /// What the kernel stores, and where it does so first.
    stored: BTreeMap<Slot, (Stored, Range)>,
    /// The places that were read.
    read: BTreeMap<Slot, Vec<PointerRead>>,
    /// What placeholders of trial lowerings stand for in front of their loops.
    begun: FxHashMap<TermId, TermId>,
    /// The places that were read as integers as wide as the numbers of pointers.
    numbers: BTreeMap<Slot, Range>,
    /// Memory from the heap.
    heap: BTreeSet<ArrayId>,
    /// Memory behind pointers to any type that were read at places that vary.
    untyped: FxHashSet<ArrayId>,
    /// Which bytes of arrays the kernel writes otherwise, that may be of pointers.
    written: BTreeSet<(ArrayId, Written)>,
}

/// Bytes that the kernel writes without storing a pointer that is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Written {
    /// Something that may be a pointer, at a place that varies.
    Pointers,
    /// So many bytes at a fixed place.
    At(i128, i128),
    /// So many bytes of something else at one of these places: a member, or a part of a pointer through a view of it.
    Among(Places, i128),
}

impl Written {
    /// Whether the bytes may be some of a pointer at one of these places.
    fn may_touch(&self, pointers: &Places) -> bool {
        match self {
            Written::Pointers => true,
            Written::At(start, bytes) => {
                Places::one(*start).may_touch(*bytes, pointers, POINTER_BYTES)
            }
            Written::Among(places, bytes) => places.may_touch(*bytes, pointers, POINTER_BYTES),
        }
    }
}

/// The pointers that are stored at a place; `None`: something else, or too many.
type Stored = Option<Vec<StoredPointer>>;

/// A pointer that the kernel stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct StoredPointer {
    base: Base,
    /// Its offset, where that is one for all threads at all times; else it is counted from the number that the load gives.
    offset: Option<TermId>,
}

/// A place was read as a pointer.
#[derive(Clone, Debug)]
struct PointerRead {
    /// The pointers that were known to be stored there.
    seen: Vec<StoredPointer>,
    range: Range,
    /// Outside of all loops, and whether something else had been written there.
    once: Option<bool>,
}

/// How a store to memory is remembered.
pub(crate) enum Storing {
    /// As one of the pointers of the place. The term is what stands for it there, if it is known who reads it.
    Pointer(Option<TermId>),
    /// In a trial, which knows less of pointers.
    Later,
    /// As bytes that may be anything.
    Bytes,
}

impl PointerMemory {
    /// Whether something else than a known pointer is written to a place.
    fn is_overwritten(&self, (array, slot): Slot) -> bool {
        let mut beside = self.stored.keys().filter(|(other, _)| *other == array);
        let in_part = beside.any(|&(_, at)| at != slot && (at - slot).abs() < POINTER_BYTES);
        in_part
            || self
                .written
                .iter()
                .any(|(written, bytes)| *written == array && bytes.may_touch(&Places::one(slot)))
    }

    /// The pointers that are known to be stored at a place.
    fn stored_at(&self, slot: Slot) -> Stored {
        let stored = self.stored.get(&slot);
        stored.map_or(Some(Vec::new()), |(stored, _)| stored.clone())
    }
}

impl Lowerer<'_, '_> {
    /// A value of a type goes to a place of an array.
    pub(crate) fn storing(
        &mut self,
        (array, offset): (ArrayId, TermId),
        ty: &Ty,
        value: &Value,
        range: Range,
    ) -> Storing {
        let row = &self.facts.array[array.index()];
        let (space, memory) = (row.space, row.storage);
        let is_followed = matches!(space, Space::Shared | Space::Global);
        if !is_followed || ty.bytes().map(i128::from) != Some(POINTER_BYTES) {
            return Storing::Bytes;
        }
        let offset = self.as_begun(offset);
        let Some(at) = self.facts.terms.as_const(offset) else {
            return Storing::Bytes;
        };
        match value {
            Value::Pointer(pointer) => {
                match self.store_pointer((memory, at), pointer, range) {
                    Some(numbers) if self.tells_apart(space, pointer) => {
                        let number = self.number_of_stored(pointer, &numbers);
                        // Memory of the grid may be read as numbers, of which these are none.
                        let value = match space {
                            Space::Shared => number,
                            _ => self.pure("pointer that is stored", CType::I64, &[number]),
                        };
                        Storing::Pointer(Some(value))
                    }
                    Some(_) => Storing::Pointer(None),
                    // In a trial less is known of what pointers lead into.
                    None if self.trial > 0 => Storing::Later,
                    None => Storing::Bytes,
                }
            }
            Value::Term(term) if self.stores_address((memory, at), ty, *term, range) => {
                Storing::Pointer(None)
            }
            _ => Storing::Bytes,
        }
    }

    /// Whether two threads that see a place store the same pointer there if it has the same number: in memory of the grid, the shared
    /// memory of each block is another; what is allocated in one place of the text is one object here, and is one each time.
    fn tells_apart(&self, space: Space, pointer: &Pointer) -> bool {
        pointer.targets.iter().all(|target| match target.base {
            Base::Array(array) => {
                let of_block = self.facts.array[array.index()].space == Space::Shared;
                !self.pointers.heap.contains(&array) && (space == Space::Shared || !of_block)
            }
            base => base == Base::Null,
        })
    }

    /// Something is written to an array. It may change a pointer that is followed elsewhere, or a part of one: the type of
    /// what is written tells nothing of what lies there.
    pub(crate) fn note_written(&mut self, array: ArrayId, offset: TermId, ty: &Ty) {
        // The real lowering comes to it again, and knows more of the place.
        if self.trial > 0 {
            return;
        }
        let bytes = ty.bytes().map_or(0, i128::from);
        let written = match self.facts.terms.as_const(offset) {
            Some(start) => Written::At(start, bytes),
            None if may_hold_pointers(ty) => Written::Pointers,
            None => Written::Among(self.places_here(offset), bytes),
        };
        let memory = self.facts.array[array.index()].storage;
        self.pointers.written.insert((memory, written));
    }

    /// The places that an offset can name where an access is made.
    fn places_here(&self, offset: TermId) -> Places {
        let terms = &self.facts.terms;
        let mut tests = Tests::default();
        for guard in &self.guards {
            tests.add(terms, guard.term, guard.polarity);
        }
        places_of(terms, offset, tests)
    }

    /// Whether a number that goes to a place is the address of something known, which is a pointer there from then on.
    fn stores_address(&mut self, slot: Slot, ty: &Ty, term: TermId, range: Range) -> bool {
        let is_wide = matches!(ty, Ty::Scalar(CType::I64 | CType::U64));
        let pointer = is_wide.then(|| self.pointer_of(term)).flatten();
        pointer.is_some_and(|pointer| self.store_pointer(slot, &pointer, range).is_some())
    }

    /// Adds a pointer to those of a place; gives the positions of its targets among them.
    fn store_pointer(&mut self, slot: Slot, pointer: &Pointer, range: Range) -> Option<Vec<usize>> {
        let mut stored = self.pointers.stored_at(slot);
        let mut positions = Vec::new();
        for target in &pointer.targets {
            self.publish(slot.0, target);
            let position = match (stored.as_mut(), self.stored_target(target)) {
                (Some(stored), Some(one)) => match stored.iter().position(|other| *other == one) {
                    Some(position) => Some(position),
                    None if stored.len() < MAX_STORED => {
                        stored.push(one);
                        Some(stored.len() - 1)
                    }
                    None => None,
                },
                _ => None,
            };
            match position {
                Some(position) => positions.push(position),
                None => stored = None,
            }
        }
        let known = stored.is_some();
        if !known && self.trial > 0 {
            return None;
        }
        let entry = self.pointers.stored.entry(slot);
        entry.or_insert((None, range)).0 = stored;
        known.then_some(positions)
    }

    /// Memory from the heap, one thread's own until here, is memory of the block or the grid if its address is stored there.
    /// What several threads allocate in one place of the text is taken as one object then.
    fn publish(&mut self, place: ArrayId, target: &Target) {
        let Base::Array(array) = target.base else {
            return;
        };
        let space = self.facts.array[place.index()].space;
        let row = &mut self.facts.relations.array[array.index()];
        if self.pointers.heap.contains(&array) && row.space != Space::Global {
            row.space = space;
        }
    }

    /// Memory from the heap was allocated.
    pub(crate) fn note_heap(&mut self, array: ArrayId) {
        self.pointers.heap.insert(array);
    }

    /// A target as what is remembered of it; `None` where it is no memory that all threads see.
    fn stored_target(&mut self, target: &Target) -> Option<StoredPointer> {
        match target.base {
            Base::Null => Some(StoredPointer {
                base: Base::Null,
                offset: Some(self.long(0)),
            }),
            Base::Array(array) if self.facts.array[array.index()].space != Space::Local => {
                let offset = self.as_begun(target.offset);
                let offset = self.is_fixed(offset).then_some(offset);
                Some(StoredPointer {
                    base: target.base,
                    offset,
                })
            }
            _ => None,
        }
    }

    /// In a trial lowering, a term as it is if the loop leaves all variables as they are: then the pointer that is stored is
    /// the same one in the real lowering. It is one more there otherwise, which hides nothing.
    fn as_begun(&mut self, term: TermId) -> TermId {
        let mut term = term;
        for _ in 0..self.trial {
            term = self.facts.terms.replace(term, &self.pointers.begun);
        }
        term
    }

    /// A placeholder of a trial lowering stands for a term.
    pub(super) fn begins_as(&mut self, placeholder: TermId, start: TermId) {
        self.pointers.begun.insert(placeholder, start);
    }

    /// Whether a term has one value in all threads at all times.
    fn is_fixed(&self, term: TermId) -> bool {
        let inside = self.facts.terms.reachable(&[term]);
        inside.into_iter().all(|one| {
            let node = self.facts.terms.get(one);
            match node.op {
                Op::Const | Op::Symbol => true,
                Op::BdimX | Op::BdimY | Op::BdimZ | Op::GdimX | Op::GdimY | Op::GdimZ => true,
                Op::Load | Op::Other => false,
                _ => !node.args.is_empty(),
            }
        })
    }

    /// What stands for a pointer in memory, whose targets have these positions among those that are stored there.
    fn number_of_stored(&mut self, pointer: &Pointer, positions: &[usize]) -> TermId {
        let mut value: Option<TermId> = None;
        for (target, &position) in pointer.targets.iter().zip(positions).rev() {
            let start = self.start_of(position);
            let one = match self.stored_target(target) {
                Some(StoredPointer { offset: None, .. }) => {
                    let terms = &mut self.facts.terms;
                    terms.binary(Op::Add, CType::I64, start, target.offset)
                }
                _ => start,
            };
            value = Some(match (value, target.condition) {
                (Some(rest), Some(condition)) => self.facts.terms.ite(condition, one, rest),
                _ => one,
            });
        }
        value.unwrap_or_else(|| self.long(0))
    }

    /// The number that stands for the first byte of what the pointer at a position leads into.
    fn start_of(&mut self, position: usize) -> TermId {
        let start = i128::try_from(position).unwrap_or(0) * STRIDE;
        self.facts.terms.constant(start, CType::I64)
    }

    /// The pointer that an access finds at an offset of an array.
    pub(crate) fn followed(
        &mut self,
        access: AccessId,
        array: ArrayId,
        offset: TermId,
        element: &Rc<Ty>,
        range: Range,
    ) -> Value {
        let unknown = |me: &mut Self| {
            let pointer = me.pointer(Base::Unknown, Ty::clone(element));
            Value::Pointer(pointer)
        };
        let row = &self.facts.array[array.index()];
        let space = row.space;
        let array = row.storage;
        // What memory of any type holds may lead to any of the same table.
        if self.dynamic_shared == Some(array) || self.pointers.untyped.contains(&array) {
            return unknown(self);
        }
        match (space, self.facts.terms.as_const(offset)) {
            (Space::Shared, Some(at)) => {
                let slot = (array, at);
                let found = match self.pointers.stored.get(&slot) {
                    Some((Some(found), _)) => found.clone(),
                    _ => return unknown(self),
                };
                self.note_read(slot, &found, range);
                self.one_of_stored(access, offset, &found, element)
            }
            // It may have been read at a place that varies.
            (Space::Global | Space::Constant, Some(at))
                if self.pointers.varying.contains_key(&array)
                    && !self.pointers.pointees.contains_key(&(array, Some(at))) =>
            {
                self.note_varying(array, offset);
                self.one_of_table(access, (array, offset), element, range)
            }
            (Space::Global | Space::Constant, Some(at)) => {
                let slot = (array, at);
                let pointee = self.first_pointee((array, Some(at)), element, range);
                let Some(mut found) = self.pointers.stored_at(slot) else {
                    return unknown(self);
                };
                if !found.is_empty() {
                    // What stood there when the kernel started.
                    let first = Pointer {
                        targets: self.pointer(Base::Array(pointee), Ty::Void).targets,
                        element: Ty::Void,
                    };
                    if self.store_pointer(slot, &first, range).is_none() {
                        return unknown(self);
                    }
                    found = self.pointers.stored_at(slot).unwrap_or_default();
                }
                self.note_read(slot, &found, range);
                if found.is_empty() {
                    return Value::Pointer(self.pointer(Base::Array(pointee), Ty::clone(element)));
                }
                self.one_of_stored(access, offset, &found, element)
            }
            // Of what points to its own kind, the next may be any other.
            (Space::Global | Space::Constant, None)
                if **element == Ty::Void || !leads_to_itself(element) =>
            {
                self.note_varying(array, offset);
                self.one_of_table(access, (array, offset), element, range)
            }
            _ => unknown(self),
        }
    }

    /// `rows[i][j]`: all rows are one memory, and where in it each begins is what was read. Two of them may overlap. Those that
    /// were read at fixed places before have memory of their own.
    fn one_of_table(
        &mut self,
        access: AccessId,
        (array, offset): (ArrayId, TermId),
        element: &Rc<Ty>,
        range: Range,
    ) -> Value {
        let pointee = self.first_pointee((array, None), element, range);
        let fixed: Vec<(i128, ArrayId)> = self
            .pointers
            .pointees
            .range((array, None)..=(array, Some(i128::MAX)))
            .filter_map(|(&(_, slot), &pointee)| Some((slot?, pointee)))
            .collect();
        let fixed = if self.facts.terms.as_const(offset).is_some() {
            Vec::new()
        } else {
            fixed
        };
        let zero = self.long(0);
        let mut targets = Vec::new();
        let mut elsewhere: Option<TermId> = None;
        for (slot, pointee) in fixed {
            let terms = &mut self.facts.terms;
            let slot = terms.constant(slot, CType::I64);
            let here = terms.binary(Op::Eq, CType::Bool, offset, slot);
            let not_here = terms.not(here);
            elsewhere = Some(match elsewhere {
                Some(others) => terms.and(others, not_here),
                None => not_here,
            });
            targets.push(Target {
                condition: Some(here),
                base: Base::Array(pointee),
                offset: zero,
            });
        }
        targets.push(Target {
            condition: elsewhere,
            base: Base::Array(pointee),
            offset: self.start_of_row(access, offset, element),
        });
        Value::Pointer(Pointer {
            targets,
            element: Ty::clone(element),
        })
    }

    /// Where in the memory of all rows the row begins that the access reads: a pointer is aligned as what it points to.
    fn start_of_row(&mut self, access: AccessId, offset: TermId, element: &Ty) -> TermId {
        let terms = &mut self.facts.terms;
        let start = terms.load(access, offset, CType::I64);
        let align = match element {
            Ty::Opaque { .. } => 1,
            known => known.align(),
        };
        if align < 2 {
            return start;
        }
        let align = terms.constant(i128::from(align), CType::I64);
        let whole = terms.binary(Op::Div, CType::I64, start, align);
        terms.binary(Op::Mul, CType::I64, whole, align)
    }

    /// The memory that pointers of an array lead to, and what pointers there lead to in turn.
    pub(super) fn behind(&self, array: ArrayId) -> Vec<ArrayId> {
        let mut found = vec![array];
        let mut at = 0;
        while let Some(&from) = found.get(at) {
            let own = self
                .pointers
                .pointees
                .range((from, None)..=(from, Some(i128::MAX)));
            let own: Vec<ArrayId> = own.map(|(_, &pointee)| pointee).collect();
            found.extend(
                own.into_iter()
                    .filter(|one| !found.contains(one))
                    .collect::<Vec<_>>(),
            );
            at += 1;
        }
        found.split_off(1)
    }

    /// A pointer is read at a place that varies, or at one that may have been read so.
    fn note_varying(&mut self, array: ArrayId, offset: TermId) {
        if self.trial == 0 {
            let places = self.places_here(offset);
            self.pointers
                .varying
                .entry(array)
                .or_default()
                .insert(places);
        }
    }

    /// A place is read as a pointer, one of these.
    fn note_read(&mut self, slot: Slot, found: &[StoredPointer], range: Range) {
        if self.trial > 0 {
            return;
        }
        let once = self
            .loops
            .is_empty()
            .then(|| self.pointers.is_overwritten(slot));
        let reads = self.pointers.read.entry(slot).or_default();
        reads.push(PointerRead {
            seen: found.to_vec(),
            range,
            once,
        });
    }

    /// A place is read as an integer.
    pub(crate) fn note_number(&mut self, array: ArrayId, offset: TermId, ty: CType, range: Range) {
        if let (CType::I64, Some(at)) = (ty, self.facts.terms.as_const(offset)) {
            let memory = self.facts.array[array.index()].storage;
            self.pointers.numbers.entry((memory, at)).or_insert(range);
        }
    }

    /// The array that the pointers at a place of an array lead to when the kernel starts.
    fn first_pointee(
        &mut self,
        key: (ArrayId, Option<i128>),
        element: &Rc<Ty>,
        range: Range,
    ) -> ArrayId {
        self.pointers.followed.entry(key.0).or_insert(range);
        self.assumption("pointers that are read from memory lead to arrays of their own");
        if let Some(&pointee) = self.pointers.pointees.get(&key) {
            return pointee;
        }
        let name = format!("*{}", self.sources.text(range));
        let object = Ty::Array(Rc::clone(element), Extent::Unknown);
        let pointee = self.array(&name, Space::Global, &object, range);
        self.pointers.pointees.insert(key, pointee);
        if key.1.is_none() && **element == Ty::Void {
            self.pointers.untyped.insert(pointee);
        }
        pointee
    }

    /// One of the pointers that are stored at a place, by the number that the access finds.
    fn one_of_stored(
        &mut self,
        access: AccessId,
        offset: TermId,
        stored: &[StoredPointer],
        element: &Rc<Ty>,
    ) -> Value {
        let value = self.facts.terms.load(access, offset, CType::I64);
        let several = stored.len() > 1;
        let mut targets = Vec::new();
        for (position, one) in stored.iter().enumerate() {
            let start = self.start_of(position);
            let half = self.facts.terms.constant(STRIDE / 2, CType::I64);
            let terms = &mut self.facts.terms;
            let offset = match one.offset {
                Some(offset) => offset,
                None => terms.binary(Op::Sub, CType::I64, value, start),
            };
            let (least, most) = (
                terms.binary(Op::Sub, CType::I64, start, half),
                terms.binary(Op::Add, CType::I64, start, half),
            );
            let above = terms.binary(Op::Le, CType::Bool, least, value);
            let below = terms.binary(Op::Lt, CType::Bool, value, most);
            let condition = several.then(|| terms.and(above, below));
            targets.push(Target {
                condition,
                base: one.base,
                offset,
            });
        }
        Value::Pointer(Pointer {
            targets,
            element: Ty::clone(element),
        })
    }

    /// Reports the pointers in memory of which it is not known where they lead.
    pub(super) fn report_pointers(&mut self) {
        let memory = std::mem::take(&mut self.pointers);
        self.report_reads(&memory);
        self.report_shared_pointers(&memory);
        for (&array, read) in &memory.varying {
            let name = self.facts.array[array.index()].name.clone();
            let range = memory.followed.get(&array).copied().unwrap_or_default();
            // What the kernel stores may lie at the place that varies.
            let written = memory.written.iter().any(|(written, bytes)| {
                // A fixed place is where nothing else is known to lie.
                let is_fixed = matches!(bytes, Written::At(..));
                *written == array && (is_fixed || read.iter().any(|places| bytes.may_touch(places)))
            });
            if written || memory.stored.keys().any(|(written, _)| *written == array) {
                let why = format!("the kernel writes pointers to {name}");
                self.unsupported(range, POINTER_READ, &why, Effect::Access);
            }
        }
    }

    /// Pointers that are read where something may stand that is not followed.
    fn report_reads(&mut self, memory: &PointerMemory) {
        let in_order = self.meets_in_order();
        for (&slot, reads) in &memory.read {
            let at_end = memory.stored_at(slot);
            let unknown = reads.iter().find(|read| match read.once {
                // What is written behind it comes later, or races with it.
                Some(overwritten) if in_order => overwritten,
                _ => memory.is_overwritten(slot) || at_end.as_ref() != Some(&read.seen),
            });
            let Some(read) = unknown else { continue };
            let row = &self.facts.array[slot.0.index()];
            let name = &row.name;
            let (range, why) = if row.space == Space::Shared {
                (read.range, format!("what {name} points to is not known"))
            } else {
                let range = memory.followed.get(&slot.0).copied();
                let why = format!("the kernel writes pointers to {name}");
                (range.unwrap_or(read.range), why)
            };
            self.unsupported(range, POINTER_READ, &why, Effect::Access);
        }
    }

    /// Whether threads wait for each other in the order of the text only: at barriers to which all of them come. What stands
    /// behind a place outside of all loops is not executed by one thread before another comes to that place then. Phases of a
    /// barrier, flags and locks order what stands anywhere.
    fn meets_in_order(&self) -> bool {
        let launch = self.launch;
        let facts = &self.facts;
        let here = |point: PointId| facts.point[point.index()].launch == launch;
        let ordered = |access: AccessId| here(facts.access[access.index()].point);
        let mut barriers = facts.barrier.iter().filter(|row| here(row.point));
        self.named.is_empty()
            && self.block_barriers.is_empty()
            && !facts.phase_step.iter().any(|row| here(row.point))
            && !facts.memory_order.iter().any(|row| ordered(row.access))
            && !facts
                .access
                .iter()
                .any(|row| row.kind == AccessKind::Atomic && here(row.point))
            && barriers.all(|row| matches!(row.kind, BarrierKind::Block | BarrierKind::Grid))
    }

    /// Pointers of shared memory that are not followed, or are compared with what is no pointer.
    fn report_shared_pointers(&mut self, memory: &PointerMemory) {
        for (&slot, (stored, range)) in &memory.stored {
            let row = &self.facts.array[slot.0.index()];
            if row.space != Space::Shared {
                continue;
            }
            let name = row.name.clone();
            if stored.is_none() {
                // Whether two pointers are one value is not known then.
                let why = format!("{name} holds pointers that are not followed");
                self.unsupported(*range, "pointer in shared memory", &why, Effect::Access);
            }
            // Nothing compares the numbers that stand for pointers with others.
            let number = memory.numbers.get(&slot);
            if number.is_some() || memory.is_overwritten(slot) {
                let why = format!("{name} holds pointers and numbers at one place");
                let range = number.unwrap_or(range);
                self.unsupported(*range, "pointer in shared memory", &why, Effect::Access);
            }
        }
    }
}

/// Whether a value of the type may hold a pointer: addresses are kept as wide integers too, and bytes may be those of
/// anything.
fn may_hold_pointers(ty: &Ty) -> bool {
    match ty {
        Ty::Pointer(_) | Ty::Opaque { .. } => true,
        Ty::Array(element, _) => may_hold_pointers(element),
        Ty::Struct(class) => class
            .fields()
            .iter()
            .any(|(_, ty, _)| may_hold_pointers(ty)),
        Ty::Scalar(ty) => matches!(ty, CType::I64 | CType::U64 | CType::I8 | CType::U8),
        Ty::Bits(_) | Ty::Void => false,
    }
}

/// Whether objects of the type are stored member by member, so that it is known of each pointer in them where it leads.
pub(super) fn is_stored_in_parts(ty: &Ty) -> bool {
    fn has_pointers(class: &StructTy) -> Option<bool> {
        let mut found = false;
        for (_, ty, _) in class.fields() {
            found |= match ty {
                Ty::Pointer(_) => true,
                Ty::Struct(class) => has_pointers(&class)?,
                Ty::Scalar(_) => false,
                // Those that share bytes, and arrays, are stored at once.
                _ => return None,
            };
        }
        Some(found)
    }
    matches!(ty, Ty::Struct(class) if class.layout().is_some_and(|layout| !layout.in_memory)
        && has_pointers(class) == Some(true))
}

/// Whether from what a pointer leads to, pointers lead to its own kind: lists, trees.
fn leads_to_itself(element: &Ty) -> bool {
    let mut seen: Vec<Rc<StructTy>> = Vec::new();
    let mut open = vec![element.clone()];
    let mut first = None;
    while let Some(ty) = open.pop() {
        match ty {
            Ty::Pointer(to) | Ty::Array(to, _) => open.push(Ty::clone(&to)),
            // It could be anything.
            Ty::Void | Ty::Opaque { .. } => return true,
            Ty::Struct(class) => {
                if seen.contains(&class) {
                    if first.as_ref() == Some(&class) {
                        return true;
                    }
                    continue;
                }
                if class.layout().is_none() {
                    return true;
                }
                first.get_or_insert_with(|| Rc::clone(&class));
                open.extend(class.fields().into_iter().map(|(_, ty, _)| ty));
                seen.push(class);
            }
            Ty::Scalar(_) | Ty::Bits(_) => {}
        }
    }
    false
}
