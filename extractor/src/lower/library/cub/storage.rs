//! The temporary storage of a collective of CUB, and the conflicts of its uses.
//!
//! Between two uses of one storage the caller puts a barrier of its group. So each use writes who it is into an object of the
//! storage's name, at the offset of the storage: the number of its place in the control flow, and the round of each loop around
//! it, and of a collective of a warp the number of the warp. Threads of one use write the same there, which is no race; threads of two uses write what differs, and race where no
//! barrier stands between. The rest of the storage is read there besides, so that storages that overlap meet as well.
//!
//! Other names for the same bytes, the members of a union or memory that the kernel carves, conflict with an atomic access to
//! one byte of the storage, which may be any.
//!
//! **Accuracy.** How large a storage is, and which of its bytes are touched, depends on CUB's version. The size taken is never
//! less than CUB's, as far as its headers until 2.8 show, so that no conflict is missed within it; a conflict of bytes is
//! potential. A collective of a warp hands values round by shuffles where it can and leaves its storage alone: what is found of
//! two uses by one warp is potential too.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::super::body::Lowerer;
use super::super::super::place::How;
use super::super::super::types::{Extent, Ty};
use super::super::super::value::*;
use super::super::types;
use super::Collective;
use crate::syntax::ast::Range;

/// Bytes of a number that tells a use from others.
const NUMBER: u64 = 8;

/// Most loops around a use whose rounds are told apart; storages are larger than that many numbers.
const LOOPS: usize = 16;

/// What is taken for a size that is not known.
const THREADS: u64 = 1024;
const ITEMS: u64 = 32;

/// At least the size of a storage.
pub(super) fn bytes(class: &str, threads: Option<u64>, items: Option<u64>, item: u64) -> u64 {
    let threads = threads.unwrap_or(THREADS).clamp(1, THREADS);
    let items = match class {
        "BlockReduce"
        | "BlockScan"
        | "WarpReduce"
        | "WarpScan"
        | "BlockDiscontinuity"
        | "BlockAdjacentDifference"
        | "BlockShuffle" => 1,
        _ => items.unwrap_or(ITEMS).clamp(1, 256),
    };
    // A radix sort counts digits: 32 bytes of counters a thread and padding.
    let counters = if class == "BlockRadixSort" { 64 } else { 0 };
    let all = threads * (2 * items * item.max(4) + counters) + 1024;
    all.next_multiple_of(16)
}

/// The class of a storage.
pub(super) fn class(of: &str, bytes: u64) -> Ty {
    let name = format!("{of}::TempStorage");
    let state = Ty::Opaque {
        name: name.clone(),
        bytes: Some(bytes),
    };
    types::record(&name, vec![("state".to_owned(), state, 0)], bytes, 16)
}

impl Lowerer<'_, '_> {
    /// The accesses of one use of a storage; false when it is not known which one it is.
    pub(super) fn use_storage(
        &mut self,
        collective: &Collective,
        storage: &Value,
        range: Range,
    ) -> bool {
        let Value::Pointer(pointer) = storage else {
            return false;
        };
        let [
            Target {
                condition: None,
                base: Base::Array(array),
                offset,
            },
        ] = pointer.targets.as_slice()
        else {
            return false;
        };
        let (array, offset) = (*array, *offset);
        let row = &self.facts.array[array.index()];
        if row.space != Space::Shared || self.loops.len() > LOOPS {
            return false;
        }
        let bytes = collective.storage.bytes().unwrap_or(1);
        // `extern __shared__` arrays are one storage.
        let (name, whole) = (row.name.clone(), row.storage);
        let key = format!("uses of the temporary storage {}", whole.index());
        let uses = match self.globals.get(&key) {
            Some(&uses) => uses,
            None => {
                let object = Ty::Array(std::rc::Rc::new(Ty::Scalar(CType::U8)), Extent::Unknown);
                let uses = self.array(&name, Space::Shared, &object, range);
                self.globals.insert(key, uses);
                uses
            }
        };
        if collective.is_of_warp() {
            // Each warp is a user of its own.
            let warp = collective.threads.map(|threads| self.tile_of(threads));
            let reason = "whether a collective of a warp touches its storage";
            let touches = self.unknown(reason, range, CType::Bool, true);
            self.guarded(touches, true, range, |me| {
                me.tell_use(uses, (offset, bytes), warp, range);
            });
        } else {
            self.tell_use(uses, (offset, bytes), None, range);
        }
        self.touch_bytes(array, offset, bytes, range);
        true
    }

    /// Writes who a use is, and reads the rest of the storage.
    fn tell_use(
        &mut self,
        uses: ArrayId,
        (offset, bytes): (TermId, u64),
        warp: Option<TermId>,
        range: Range,
    ) {
        let number = Ty::Scalar(CType::I64);
        let place = i128::try_from(self.facts.point.len()).unwrap_or(0);
        let mut numbers = vec![self.facts.terms.constant(place, CType::I64)];
        for loop_id in self.loops.clone() {
            let round = self.facts.terms.iter_of(loop_id);
            numbers.push(self.facts.terms.cast(round, CType::I64));
        }
        if let Some(warp) = warp {
            numbers.push(self.facts.terms.cast(warp, CType::I64));
        }
        let mut at = offset;
        let step = self.long(i64::try_from(NUMBER).unwrap_or(8));
        let mut left = bytes;
        for value in numbers {
            let write = How::plain(AccessKind::Write);
            self.access(uses, at, &number, &write, Some(value), range);
            at = self.facts.terms.binary(Op::Add, CType::I64, at, step);
            left = left.saturating_sub(NUMBER);
        }
        let rest = Ty::Opaque {
            name: "the rest of a temporary storage".to_owned(),
            bytes: Some(left),
        };
        if left > 0 {
            let read = How::plain(AccessKind::Read);
            self.access(uses, at, &rest, &read, None, range);
        }
    }

    /// Whoever uses the bytes by another name.
    fn touch_bytes(&mut self, array: ArrayId, offset: TermId, bytes: u64, range: Range) {
        let together = How {
            kind: AccessKind::Atomic,
            operation: "collective".to_owned(),
            scope: Scope::Block,
            volatile: false,
        };
        let reason = "which byte of the temporary storage";
        let inner = self.unknown(reason, range, CType::I64, true);
        let zero = self.long(0);
        let end = self.long(i64::try_from(bytes).unwrap_or(i64::MAX));
        let terms = &mut self.facts.terms;
        let low = terms.binary(Op::Le, CType::Bool, zero, inner);
        let high = terms.binary(Op::Lt, CType::Bool, inner, end);
        let inside = terms.and(low, high);
        let at = terms.binary(Op::Add, CType::I64, offset, inner);
        let byte = Ty::Scalar(CType::U8);
        self.guarded(inside, true, range, |me| {
            me.access(array, at, &byte, &together, None, range)
        });
    }
}
