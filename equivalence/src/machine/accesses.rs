//! What a thread of a run does in memory: reads, writes, assignments and atomic operations on elements.
//!
//! **Algorithm.** Arrays of a thread, and shared arrays of a block whose threads are numbers, are kept element by element. All other
//! contents are in [`Memory`](crate::memory::Memory), by address, with who wrote them, so that a read finds what its own thread has
//! left there, or another one before a barrier.
//!
//! **Accuracy.** That of the module above: what is not followed ends the run.

use rustc_hash::FxHashMap;
use warplog_facts::words::*;
use warplog_facts::*;

use super::{Halt, Machine, UNINITIALISED, not_followed};
use crate::memory::{Cell, Who, Write, distance};
use crate::node::Id;

impl Machine<'_, '_> {
    /// Whether contents of an array are kept element by element.
    pub(super) fn is_near(&self, storage: &ArrayRow) -> bool {
        match storage.space {
            Space::Local => true,
            Space::Shared => !self.setup.shared.contains_key(&storage.array),
            _ => false,
        }
    }

    pub(super) fn far(&self, storage: &ArrayRow) -> Result<u32, Halt> {
        let shared = self.setup.shared.get(&storage.array);
        match shared.or_else(|| self.setup.arrays.get(&storage.array)) {
            Some(&number) => Ok(number),
            None => not_followed(format!("the array {}", storage.name)),
        }
    }

    pub(super) fn access(
        &mut self,
        thread: usize,
        guard: Id,
        access: &AccessRow,
    ) -> Result<(), Halt> {
        let facts = self.index.facts;
        let storage = self.index.storage(access.array);
        match access.kind {
            AccessKind::Read => {
                for &term in self.index.loads(access.access) {
                    let node = facts.terms.get(term);
                    let (Some(&at), true) = (node.args.first(), node.ty.bytes().is_some()) else {
                        continue;
                    };
                    let at = self.value(thread, at)?;
                    let at = self.pool.offset(at);
                    match self.read(thread, storage, at, node.ty, guard) {
                        Ok(value) => self.threads[thread].loads.insert(term, value),
                        Err(Halt::NotFollowed(_)) if storage.space != Space::Global => {
                            self.threads[thread].loads.remove(&term)
                        }
                        Err(halt) => return Err(halt),
                    };
                }
            }
            AccessKind::Write => {
                let parts = self.index.parts(access.access);
                let mut stored: Vec<(u32, TermId)> =
                    parts.iter().map(|part| (part.start, part.value)).collect();
                if stored.is_empty() {
                    let Some(value) = access.value else {
                        return not_followed("a value that is stored and not known");
                    };
                    stored.push((0, value));
                }
                for (start, term) in stored {
                    let ty = facts.terms.ty(term);
                    let value = self.value(thread, term)?;
                    let at = self.value(thread, access.index)?;
                    let at = self.pool.offset(at);
                    let start = self.pool.int(i128::from(start));
                    let at = self.pool.plus(at, start, 1);
                    self.write(thread, (storage, at), (ty, value), (guard, access.access))?;
                }
            }
            AccessKind::Atomic => self.atomic(thread, guard, access, storage)?,
        }
        Ok(())
    }

    fn near_key(
        &self,
        thread: usize,
        storage: &ArrayRow,
        at: i128,
    ) -> (Option<usize>, ArrayId, i128) {
        let own = (storage.space == Space::Local).then_some(thread);
        (own, storage.array, at)
    }

    /// Whether threads are numbers, so that what another one left in shared memory is known.
    fn check_threads(&self, storage: &ArrayRow) -> Result<(), Halt> {
        let mut numbers = self.setup.threads.iter().flatten();
        if storage.space == Space::Shared && numbers.any(|&id| self.pool.as_int(id).is_none()) {
            return not_followed("shared memory of threads that are open");
        }
        Ok(())
    }

    fn check_bounds(&self, storage: &ArrayRow, at: i128) -> Result<(), Halt> {
        if at < 0 || storage.bytes.is_some_and(|bytes| at >= i128::from(bytes)) {
            return Err(Halt::Undefined(format!("{} is left", storage.name)));
        }
        Ok(())
    }

    fn read(
        &mut self,
        thread: usize,
        storage: &ArrayRow,
        at: Id,
        ty: CType,
        guard: Id,
    ) -> Result<Id, Halt> {
        if self.is_near(storage) {
            self.check_threads(storage)?;
            let Some(at) = self.pool.as_int(at) else {
                return not_followed("an open address in shared memory");
            };
            if self.pool.as_int(guard).is_some() {
                self.check_bounds(storage, at)?;
            }
            let key = self.near_key(thread, storage, at);
            return match self.near.get(&key) {
                Some(&(of, value)) if of == ty => Ok(value),
                Some(&(of, value)) if of.bits() == ty.bits() && of.is_integer() => {
                    Ok(self.pool.converted(value, ty))
                }
                _ => not_followed(format!("contents of {}", storage.name)),
            };
        }
        let array = self.far(storage)?;
        if !self.memory.agrees(array, ty) {
            return not_followed(format!("{} as elements of two types", storage.name));
        }
        if let (Some(inputs), Some(address)) = (self.setup.inputs, self.pool.as_int(at)) {
            if address < 0 {
                return Err(Halt::Undefined(format!("{} is left", storage.name)));
            }
            let cell = self.memory.cells.get(&(array, address));
            let is_initial = self.setup.initial.contains(&storage.array);
            return Ok(match cell.filter(|_| !is_initial) {
                Some(cell) if cell.ty == ty => cell.value,
                Some(cell) => self.pool.converted(cell.value, ty),
                None => inputs.at(self.pool, array, ty, address),
            });
        }
        if self.setup.inputs.is_some() {
            return not_followed("an address that is no number");
        }
        if self.setup.initial.contains(&storage.array) {
            return Ok(self.pool.input(array, ty, at));
        }
        for open in &mut self.open {
            if open.writes.contains(&array) {
                open.reads.push((array, at, thread));
            }
        }
        let of_array = self.memory.writes.iter();
        let mut steps = of_array
            .filter(|write| write.array == array)
            .map(|write| write.step);
        let first = steps.next();
        if self.setup.reads_outputs
            && first.is_some_and(|first| first != self.setup.step)
            && steps.all(|step| step != self.setup.step)
        {
            let step = u32::try_from(self.setup.step).unwrap_or(u32::MAX);
            return Ok(self.pool.output(array, step, ty, at));
        }
        let bytes = i128::from(ty.bytes().unwrap_or(8));
        let own_step = self.step_of(storage);
        for position in (0..self.memory.writes.len()).rev() {
            let write = &self.memory.writes[position];
            if write.array != array {
                continue;
            }
            // What shared memory holds at a barrier is looked for by who reads the value.
            if storage.space == Space::Shared && write.step != own_step {
                break;
            }
            let (address, value, held) = (write.address, write.value, write.guard);
            let (of, epoch, step, of_type) = (write.thread, write.epoch, write.step, write.ty);
            let combines = write.combines.is_some();
            let in_loop = write
                .loops
                .iter()
                .any(|(one, _)| !self.open.iter().any(|open| open.iteration == *one));
            if address == at && !in_loop && of_type == ty && !combines {
                self.pool.enter(guard);
                let implied = self.pool.rebuilt(held, &FxHashMap::default());
                let implied = self.pool.as_int(implied) == Some(1);
                self.pool.leave();
                if implied {
                    return Ok(value);
                }
            }
            // Others write what this thread reads only with a barrier or a launch between.
            if of != thread && epoch == self.epoch && step == own_step {
                continue;
            }
            // Who the others are is known only of the threads of this block, where they are numbers.
            let one = self.pool.as_int(self.setup.block[0]).is_none() || self.threads.len() == 1;
            if step != own_step || one && epoch != self.epoch {
                return not_followed("a read of what other threads have written before");
            }
            match distance(self.pool, address, at) {
                Some(apart) if apart.abs() >= bytes => {}
                // Where this is read, that was not written.
                _ if self.excludes(guard, held) => {}
                _ => return not_followed("a read of what may have been written before"),
            }
        }
        if let Some(interval) = self.interval
            && self.setup.written.contains(&array)
        {
            return Ok(self.pool.output(array, interval, ty, at));
        }
        Ok(self.pool.input(array, ty, at))
    }

    fn excludes(&mut self, condition: Id, other: Id) -> bool {
        self.pool.enter(condition);
        self.pool.enter(other);
        let excludes = self.pool.is_contradictory();
        self.pool.leave();
        self.pool.leave();
        excludes
    }

    fn who(&self, thread: usize) -> Who {
        let number = |id: Id| self.pool.as_int(id).unwrap_or(-1);
        Who {
            block: self.setup.of_grid.map(number),
            thread: self.setup.threads[thread].map(number),
        }
    }

    fn write(
        &mut self,
        thread: usize,
        (storage, at): (&ArrayRow, Id),
        (ty, value): (CType, Id),
        (guard, access): (Id, AccessId),
    ) -> Result<(), Halt> {
        if ty.bytes().is_none() {
            return not_followed("an object of a type that is not followed");
        }
        if self.is_near(storage) {
            self.check_threads(storage)?;
            let Some(at) = self.pool.as_int(at) else {
                return not_followed("an open address in shared memory");
            };
            let key = self.near_key(thread, storage, at);
            let value = if self.pool.as_int(guard).is_some() {
                self.check_bounds(storage, at)?;
                value
            } else {
                let old = self
                    .near
                    .get(&key)
                    .filter(|(of, _)| *of == ty)
                    .map(|(_, old)| *old);
                // Nothing that is known was there before: what it was matters only where the guard did not hold.
                let old = old.unwrap_or_else(|| {
                    self.fresh += 1;
                    let name = format!("{UNINITIALISED} {}", self.fresh);
                    self.pool.call(&name, ty, Vec::new())
                });
                self.pool.ite(guard, value, old)
            };
            // Parts of what stood there stand there no more.
            let bytes = i128::from(ty.bytes().unwrap_or(8));
            for other in at - 7..at + bytes {
                let other_key = self.near_key(thread, storage, other);
                if other != at
                    && let Some((of, _)) = self.near.get(&other_key)
                    && other + i128::from(of.bytes().unwrap_or(8)) > at
                {
                    self.near.remove(&other_key);
                }
            }
            self.near.insert(key, (ty, value));
            return Ok(());
        }
        if self.setup.inputs.is_none() {
            return self.assign(thread, (storage, at), (ty, value), (guard, access), None);
        }
        let array = self.far(storage)?;
        if !self.memory.agrees(array, ty) {
            return not_followed(format!("{} as elements of two types", storage.name));
        }
        let (Some(at), Some(_)) = (self.pool.as_int(at), self.pool.as_int(guard)) else {
            return not_followed("an address that is no number");
        };
        if at < 0 {
            return Err(Halt::Undefined(format!("{} is left", storage.name)));
        }
        let writer = (self.who(thread), access, self.setup.step);
        self.memory
            .cells
            .insert((array, at), Cell { ty, value, writer });
        Ok(())
    }

    /// Notes what a thread assigns to open memory, or combines with what stands there.
    fn assign(
        &mut self,
        thread: usize,
        (storage, address): (&ArrayRow, Id),
        (ty, value): (CType, Id),
        (guard, access): (Id, AccessId),
        combines: Option<Op>,
    ) -> Result<(), Halt> {
        let array = self.far(storage)?;
        if !self.memory.agrees(array, ty) {
            return not_followed(format!("{} as elements of two types", storage.name));
        }
        let loops = self.open.iter();
        let loops = loops
            .map(|open| (open.iteration, open.conditions[thread]))
            .collect();
        self.memory.writes.push(Write {
            array,
            address,
            ty,
            value,
            guard,
            loops,
            thread,
            epoch: self.epoch,
            access,
            step: self.step_of(storage),
            combines,
        });
        Ok(())
    }

    /// By what writes to an array are told apart: the launch, or the stretch between barriers for shared memory.
    fn step_of(&self, storage: &ArrayRow) -> usize {
        match (storage.space, self.interval) {
            (Space::Shared, Some(interval)) => usize::try_from(interval).unwrap_or(usize::MAX),
            _ => self.setup.step,
        }
    }

    fn atomic(
        &mut self,
        thread: usize,
        guard: Id,
        access: &AccessRow,
        storage: &ArrayRow,
    ) -> Result<(), Halt> {
        let reason = format!("the order of {}", access.operation);
        let Some(operand) = self.index.operand(access.access) else {
            return not_followed(reason);
        };
        let ty = self.index.facts.terms.ty(operand);
        let operation = access
            .operation
            .trim_end_matches("_block")
            .trim_end_matches("_system");
        let combines = match (operation, ty.is_integer()) {
            ("atomicAdd" | "atomicSub", true) => Op::Add,
            ("atomicAdd", false) if self.pool.reassociates => Op::Add,
            ("atomicMin", true) => Op::Min,
            ("atomicMax", true) => Op::Max,
            ("atomicAnd", true) => Op::BitAnd,
            ("atomicOr", true) => Op::BitOr,
            ("atomicXor", true) => Op::BitXor,
            _ => return not_followed(reason),
        };
        let at = self.value(thread, access.index)?;
        let mut value = self.value(thread, operand)?;
        if operation == "atomicSub" {
            let zero = self.pool.int(0);
            value = self.pool.plus(zero, value, -1);
            value = self.pool.converted(value, unsigned_of(ty));
        }
        if !self.is_near(storage) && self.setup.inputs.is_none() {
            let at = self.pool.offset(at);
            let of_type = (ty, value);
            return self.assign(
                thread,
                (storage, at),
                of_type,
                (guard, access.access),
                Some(combines),
            );
        }
        if !self.open.is_empty() {
            return not_followed("an atomic operation on open contents");
        }
        self.check_operations(thread, storage, at, combines)?;
        let (mut guard, every) = (guard, self.pool.truth(true));
        // Where it is not made, nothing is added.
        let is_inside = self
            .pool
            .as_int(at)
            .is_some_and(|at| self.check_bounds(storage, at).is_ok());
        if matches!(combines, Op::Add | Op::BitOr | Op::BitXor) && is_inside {
            let zero = self.pool.int(0);
            value = self.pool.ite(guard, value, zero);
            guard = every;
        }
        let old = self.read(thread, storage, at, ty, every)?;
        let new = match (combines, ty.is_integer()) {
            (Op::Add, false) => self.pool.plus(old, value, 1),
            (Op::Add, true) => self.binary(Op::Add, unsigned_of(ty), old, value)?,
            _ => self.binary(combines, ty, old, value)?,
        };
        let new = match ty.is_integer() {
            true => self.pool.converted(new, ty),
            false => new,
        };
        self.write(thread, (storage, at), (ty, new), (guard, access.access))
    }

    /// Values are combined into an element by one operation between two barriers, or by all blocks of a launch: in what order
    /// threads come to it does not matter then.
    fn check_operations(
        &mut self,
        thread: usize,
        storage: &ArrayRow,
        at: Id,
        combines: Op,
    ) -> Result<(), Halt> {
        let Some(at) = self.pool.as_int(at) else {
            return Ok(());
        };
        let is_other = if self.is_near(storage) {
            let key = self.near_key(thread, storage, at);
            let before = self.combined.insert(key, (self.epoch, combines));
            before.is_some_and(|(epoch, other)| epoch == self.epoch && other != combines)
        } else {
            let key = (self.setup.step, self.far(storage)?, at);
            let before = self.memory.combined.insert(key, combines);
            before.is_some_and(|other| other != combines)
        };
        match is_other {
            true => not_followed("atomic operations of two kinds on one element"),
            false => Ok(()),
        }
    }
}

fn unsigned_of(ty: CType) -> CType {
    ty.unsigned().unwrap_or(ty)
}
