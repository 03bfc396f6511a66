//! Brute force: a random kernel is run by all threads of a small launch, barrier by barrier.
//!
//! The tree is flattened to jumps with all calls of statements expanded, so that a thread can stop at a barrier and go on. In
//! each block all threads run to their next barrier, one after the other, which is one of the orders that the kernel may run
//! in; every access is recorded with its bytes and its interval. A barrier instance is the place (each call on its own) with
//! the iterations of the loops around it. Threads that stop at different instances diverge, and the run of the block ends; a
//! thread that has ended while others wait is an exit, the others go on. A barrier for a tile of lanes is passed by the lanes
//! of the tile together; it orders their accesses, and those of no others.
//!
//! Where the program asks for lanes in lock-step they execute one instruction at a time, those that are furthest behind first,
//! and what races among them is decided by the nests of branches and loops in which the two accesses stand (`step.rs`).
//!
//! What is found did happen, so a race or a divergence that is told is real, for these sizes, arguments and contents; that
//! none is found says nothing of other contents, nor of other orders of atomics.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::arith::{Value, binary, unary, wrap};
use super::step::{Nest, Nests, Steps};
use super::tree::*;

/// What one run is made with.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// `blockDim`.
    pub block: [u32; 3],
    /// `gridDim`.
    pub grid: [u32; 3],
    /// The scalar arguments, by parameter; 0 where none is given.
    pub arguments: BTreeMap<Var, i128>,
    /// What arrays hold before: zeros for 0, else numbers that follow from the seed.
    pub contents: u64,
    /// Elements that hold something else.
    pub elements: BTreeMap<(Array, i64), i128>,
}

/// A thread: its number in the grid's order of blocks, its number in the block.
pub type ThreadId = (u32, u32);

/// Why a run says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// C leaves a result open.
    Arithmetic,
    /// An access outside of a shared array.
    Bounds,
    /// It takes too long.
    Steps,
}

/// How threads diverge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Divergence {
    /// Two threads stop at different barriers, or in different iterations.
    Instances,
    /// A thread has ended, another waits.
    Exit,
}

/// Kinds of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A read.
    Read,
    /// A write.
    Write,
    /// An atomic operation.
    Atomic,
}

/// A byte that a thread accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Touch {
    /// Its memory: an array, and a block if it is shared.
    region: (Array, u32),
    byte: i64,
    thread: ThreadId,
    interval: u32,
    /// How many barriers for tiles of 2, 4, … 32 lanes the thread has passed.
    passed: [u32; 5],
    kind: Kind,
    /// The byte written.
    value: u8,
    /// Where the access begins, its length.
    range: (i64, i64),
    /// The array by which it is named.
    array: Array,
    /// The instruction and its iterations, where lanes are in lock-step.
    step: u32,
}

/// Two accesses that race.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The array as named by each.
    pub arrays: [Array; 2],
    /// The threads.
    pub threads: [ThreadId; 2],
    /// What each does.
    pub kinds: [Kind; 2],
}

/// What happened in a run.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    touches: Vec<Touch>,
    /// The interval in which a thread ended while others of its block went on.
    ended: FxHashMap<ThreadId, u32>,
    /// How many barriers for tiles each thread has passed in the end.
    passed: FxHashMap<ThreadId, [u32; 5]>,
    /// Instructions of lanes in lock-step.
    steps: Steps,
    /// Each divergence with the block and the interval before it.
    pub divergences: Vec<(Divergence, u32, u32)>,
}

/// Runs a kernel.
///
/// # Errors
/// Why the run says nothing.
pub fn run(program: &Program, setting: &Setting) -> Result<Trace, Undefined> {
    run_whole(program, setting).map(|(trace, _)| trace)
}

/// The bytes of arrays that a run wrote.
pub type Written = BTreeMap<(Array, i64), u8>;

/// Runs a kernel; and what it leaves in global memory.
///
/// # Errors
/// Why the run says nothing.
pub fn run_whole(program: &Program, setting: &Setting) -> Result<(Trace, Written), Undefined> {
    let flat = flatten(program);
    let mut machine = Machine {
        program,
        flat: &flat,
        setting,
        trace: Trace::default(),
        memory: FxHashMap::default(),
        steps: 0,
        step: 0,
    };
    if let Some(lanes) = program.warp_sync {
        machine.trace.steps.start(lanes, flat.nests.clone());
    }
    let [x, y, z] = setting.grid;
    for block in 0..x * y * z {
        machine.block(block)?;
    }
    machine.trace.touches.sort_unstable();
    machine.trace.touches.dedup();
    let global = |array: Array| {
        let space = program.arrays.get(array).map(|array| array.space);
        space == Some(Space::Global)
    };
    let mut written = Written::new();
    #[expect(clippy::iter_over_hash_type, reason = "they are sorted by the map")]
    for (((array, _), byte), value) in &machine.memory {
        if global(*array) {
            written.insert((*array, *byte), *value);
        }
    }
    Ok((machine.trace, written))
}

impl Trace {
    /// Whether threads diverge in this way.
    #[must_use]
    pub fn diverges(&self, how: Divergence) -> bool {
        self.divergences.iter().any(|(kind, ..)| *kind == how)
    }

    /// A race, if there is one; between these threads, if they are given.
    #[must_use]
    pub fn race(&self, between: Option<[ThreadId; 2]>) -> Option<Race> {
        let same_byte = |a: &Touch, b: &Touch| (a.region, a.byte) == (b.region, b.byte);
        self.touches
            .chunk_by(same_byte)
            .find_map(|touches| self.race_at(touches, between))
    }

    fn race_at(&self, touches: &[Touch], between: Option<[ThreadId; 2]>) -> Option<Race> {
        if touches.iter().all(|touch| touch.kind == Kind::Read) {
            return None;
        }
        let asked = |thread: ThreadId| between.is_none_or(|asked| asked.contains(&thread));
        let seen: Vec<&Touch> = touches.iter().filter(|touch| asked(touch.thread)).collect();
        // Within a block: in one interval, then those of threads that have ended against all later ones.
        let mut by_interval = seen.clone();
        by_interval.sort_by_key(|touch| (touch.thread.0, touch.interval));
        let together =
            |a: &&Touch, b: &&Touch| (a.thread.0, a.interval) == (b.thread.0, b.interval);
        let in_interval = by_interval
            .chunk_by(together)
            .find_map(|touches| self.first_conflict(touches, touches));
        let ended = |touch: &&&Touch| self.ended.get(&touch.thread) == Some(&touch.interval);
        let after_end = || {
            seen.iter().filter(ended).find_map(|last| {
                let later: Vec<&Touch> = seen
                    .iter()
                    .copied()
                    .filter(|touch| {
                        touch.thread.0 == last.thread.0 && touch.interval > last.interval
                    })
                    .collect();
                self.first_conflict(&[last], &later)
            })
        };
        // Between blocks: which interval an access is from does not matter.
        let between_blocks = || {
            let mut seen = seen.clone();
            let what = |touch: &&Touch| {
                let Touch {
                    kind,
                    value,
                    range,
                    array,
                    ..
                } = **touch;
                let thread = between.map(|_| touch.thread);
                (touch.thread.0, kind, value, range, array, thread)
            };
            seen.sort_by_key(what);
            seen.dedup_by_key(|touch| what(touch));
            seen.chunk_by(|a, b| a.thread.0 == b.thread.0)
                .find_map(|block| {
                    let others = seen.iter().copied();
                    let others: Vec<&Touch> = others
                        .filter(|touch| touch.thread.0 > block[0].thread.0)
                        .collect();
                    self.first_conflict(block, &others)
                })
        };
        in_interval.or_else(after_end).or_else(between_blocks)
    }

    /// Whether a barrier for a tile that has both threads is passed by the one behind its access
    /// and by the other before its own.
    fn are_ordered(&self, a: &Touch, b: &Touch) -> bool {
        let same_tile = |power: usize| {
            let tile = |thread: ThreadId| thread.1 >> (power + 1);
            a.thread.0 == b.thread.0 && tile(a.thread) == tile(b.thread)
        };
        (0..5).any(|power| {
            let [one, other] = [a, b].map(|touch| touch.passed[power]);
            let first = if one < other { a } else { b };
            let all = self.passed.get(&first.thread);
            let goes_on = all.is_some_and(|all| all[power] > one.min(other));
            same_tile(power) && one != other && goes_on
        })
    }

    /// Whether lock-step orders two accesses.
    fn are_in_step(&self, a: &Touch, b: &Touch) -> bool {
        let together = a.kind == Kind::Write && b.kind == Kind::Write;
        self.steps
            .order((a.thread, a.step), (b.thread, b.step), together)
    }

    /// The first two accesses of different threads, one from each list, that conflict.
    fn first_conflict(&self, some: &[&Touch], others: &[&Touch]) -> Option<Race> {
        let reads = |touches: &[&Touch]| touches.iter().all(|touch| touch.kind == Kind::Read);
        if reads(some) && reads(others) {
            return None;
        }
        some.iter().find_map(|first| {
            let races = |second: &&&Touch| {
                first.thread != second.thread
                    && conflict(first, second)
                    && !self.are_ordered(first, second)
                    && !self.are_in_step(first, second)
            };
            let second = others.iter().find(races)?;
            Some(Race {
                arrays: [first.array, second.array],
                threads: [first.thread, second.thread],
                kinds: [first.kind, second.kind],
            })
        })
    }
}

/// Whether two accesses to one byte conflict.
fn conflict(a: &Touch, b: &Touch) -> bool {
    match (a.kind, b.kind) {
        (Kind::Read, Kind::Read) => false,
        (Kind::Write, Kind::Write) => a.value != b.value,
        (Kind::Atomic, Kind::Atomic) => a.range != b.range,
        _ => true,
    }
}

/// An instruction of the flattened kernel.
#[derive(Clone, Debug)]
enum Op {
    Set(Var, Expr),
    Update(Var, Bin, Expr),
    Store(Array, Vec<Expr>, Option<Bin>, Expr),
    Atomic(AtomicOp, Array, Vec<Expr>, Expr, Option<Var>),
    Jump(usize),
    Unless(Expr, usize),
    When(Expr, usize),
    /// A barrier in these loops.
    Barrier(Vec<usize>),
    /// A barrier for a tile of so many lanes.
    Lanes(u32, Vec<usize>),
    Enter(usize),
    Next(usize),
    End,
}

struct Flat {
    code: Vec<Op>,
    loops: usize,
    nests: Nests,
}

/// Where the jumps of a place in the tree go.
#[derive(Clone, Default)]
struct Context {
    loops: Vec<usize>,
    /// How many of the loops are around the call.
    outer: usize,
    passed: Vec<(Array, Array)>,
}

struct Flattener<'p> {
    program: &'p Program,
    code: Vec<Op>,
    nests: Nests,
    branches: usize,
    loops: usize,
    /// Jumps that wait for their targets: out of loops, to the next iteration, out of calls.
    breaks: Vec<Vec<usize>>,
    continues: Vec<Vec<usize>>,
    returns: Vec<Vec<usize>>,
}

fn flatten(program: &Program) -> Flat {
    let mut flattener = Flattener {
        program,
        code: Vec::new(),
        nests: Nests::default(),
        branches: 0,
        loops: 0,
        breaks: Vec::new(),
        continues: Vec::new(),
        returns: Vec::new(),
    };
    flattener.block(&program.body, &Context::default());
    flattener.emit(Op::End);
    Flat {
        code: flattener.code,
        loops: flattener.loops,
        nests: flattener.nests,
    }
}

impl Flattener<'_> {
    fn block(&mut self, block: &[Stmt], context: &Context) {
        for stmt in block {
            self.stmt(stmt, context);
        }
    }

    fn emit(&mut self, op: Op) {
        self.code.push(op);
        self.nests.emitted();
    }

    /// Emits a jump whose target is not known yet.
    fn hole(&mut self) -> usize {
        self.emit(Op::Jump(usize::MAX));
        self.code.len() - 1
    }

    fn land(&mut self, holes: &[usize]) {
        let here = self.code.len();
        for hole in holes {
            match &mut self.code[*hole] {
                Op::Jump(to) | Op::Unless(_, to) | Op::When(_, to) => *to = here,
                _ => {}
            }
        }
    }

    fn stmt(&mut self, stmt: &Stmt, context: &Context) {
        let array = |array: Array| {
            let passed = context.passed.iter().find(|(formal, _)| *formal == array);
            passed.map_or(array, |(_, actual)| *actual)
        };
        let bound = |expr: &Expr| {
            let mut expr = expr.clone();
            expr_mut(&mut expr, &mut |expr| {
                if let Expr::Load(of, _) = expr {
                    *of = array(*of);
                }
            });
            expr
        };
        let all = |exprs: &[Expr]| exprs.iter().map(bound).collect::<Vec<Expr>>();
        match stmt {
            Stmt::Let(var, value) | Stmt::Set(var, None, value) => {
                self.emit(Op::Set(*var, bound(value)));
            }
            Stmt::Set(var, Some(op), value) => {
                self.emit(Op::Update(*var, *op, bound(value)));
            }
            Stmt::Store(of, index, op, value) => {
                let op = Op::Store(array(*of), all(index), *op, bound(value));
                self.emit(op);
            }
            Stmt::Atomic(op, of, index, value, result) => {
                let op = Op::Atomic(*op, array(*of), all(index), bound(value), *result);
                self.emit(op);
            }
            Stmt::If(condition, then, other) => {
                self.emit(Op::Unless(bound(condition), usize::MAX));
                let skip = self.code.len() - 1;
                let branch = self.branches;
                self.branches += 1;
                self.nests.open(Nest::Arm(branch, true));
                self.block(then, context);
                if other.is_empty() {
                    self.nests.shut();
                    self.land(&[skip]);
                } else {
                    let over = self.hole();
                    self.nests.shut();
                    self.land(&[skip]);
                    self.nests.open(Nest::Arm(branch, false));
                    self.block(other, context);
                    self.nests.shut();
                    self.land(&[over]);
                }
            }
            Stmt::Loop(loop_) => {
                let id = self.loops;
                self.loops += 1;
                self.emit(Op::Set(loop_.var, bound(&loop_.start)));
                self.emit(Op::Enter(id));
                self.nests.open(Nest::Loop(id));
                let head = self.code.len();
                let mut out = Vec::new();
                if loop_.form != Form::Do {
                    self.emit(Op::Unless(bound(&loop_.condition), usize::MAX));
                    out.push(self.code.len() - 1);
                }
                self.breaks.push(Vec::new());
                self.continues.push(Vec::new());
                let mut inner = context.clone();
                inner.loops.push(id);
                self.block(&loop_.body, &inner);
                let continues = self.continues.pop().unwrap_or_default();
                self.land(&continues);
                self.nests.close(&continues, self.code.len());
                let step = Op::Update(loop_.var, loop_.step, bound(&loop_.amount));
                self.emit(step);
                self.emit(Op::Next(id));
                self.emit(match loop_.form {
                    Form::Do => Op::When(bound(&loop_.condition), head),
                    Form::For | Form::While => Op::Jump(head),
                });
                self.nests.shut();
                let breaks = self.breaks.pop().unwrap_or_default();
                self.nests.close(&breaks, self.code.len());
                out.extend(breaks);
                self.land(&out);
            }
            Stmt::Break => {
                let hole = self.hole();
                self.nests
                    .leave(hole, context.loops.len().saturating_sub(1));
                if let Some(holes) = self.breaks.last_mut() {
                    holes.push(hole);
                }
            }
            Stmt::Continue => {
                let hole = self.hole();
                self.nests.leave(hole, context.loops.len());
                if let Some(holes) = self.continues.last_mut() {
                    holes.push(hole);
                }
            }
            Stmt::Return => {
                if self.returns.is_empty() {
                    self.emit(Op::End);
                    self.nests.leave(self.code.len() - 1, 0);
                } else {
                    let hole = self.hole();
                    self.nests.leave(hole, context.outer);
                    if let Some(holes) = self.returns.last_mut() {
                        holes.push(hole);
                    }
                }
            }
            Stmt::Barrier => self.emit(Op::Barrier(context.loops.clone())),
            Stmt::Lanes(lanes) => self.emit(Op::Lanes(*lanes, context.loops.clone())),
            Stmt::Call(function, scalars, arrays) => {
                let Some(function) = self.program.functions.get(*function) else {
                    return;
                };
                for (var, scalar) in function.scalars.iter().zip(scalars) {
                    self.emit(Op::Set(*var, bound(scalar)));
                }
                let actual = arrays.iter().map(|passed| array(*passed));
                let inner = Context {
                    loops: context.loops.clone(),
                    outer: context.loops.len(),
                    passed: function.arrays.iter().copied().zip(actual).collect(),
                };
                self.returns.push(Vec::new());
                self.block(&function.body, &inner);
                let returns = self.returns.pop().unwrap_or_default();
                self.land(&returns);
                self.nests.close(&returns, self.code.len());
            }
        }
    }
}

/// Where a thread is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Status {
    Running,
    At(usize, Vec<u32>),
    /// At a barrier for a tile of so many lanes.
    InTile(usize, Vec<u32>, u32),
    Ended,
}

struct Thread {
    id: ThreadId,
    place: [u32; 3],
    vars: Vec<i128>,
    counters: Vec<u32>,
    passed: [u32; 5],
    next: usize,
    status: Status,
}

/// What a thread is about to store, and where.
type Store = (Array, i64, Value);

/// The most instructions and accesses of a run.
const STEPS: u64 = 150_000;

struct Machine<'p> {
    program: &'p Program,
    flat: &'p Flat,
    setting: &'p Setting,
    trace: Trace,
    memory: FxHashMap<((Array, u32), i64), u8>,
    steps: u64,
    /// The instruction that is executed, where lanes are in lock-step.
    step: u32,
}

impl Machine<'_> {
    fn block(&mut self, block: u32) -> Result<(), Undefined> {
        let [x, y, z] = self.setting.block;
        let mut vars = vec![0; self.program.vars.len()];
        for (var, value) in &self.setting.arguments {
            vars[*var] = wrap(*value, self.program.vars[*var].ty);
        }
        let mut threads: Vec<Thread> = (0..x * y * z)
            .map(|number| Thread {
                id: (block, number),
                place: [number % x, number / x % y, number / x / y],
                vars: vars.clone(),
                counters: vec![0; self.flat.loops],
                passed: [0; 5],
                next: 0,
                status: Status::Running,
            })
            .collect();
        for interval in 0.. {
            loop {
                let lanes = self.program.warp_sync.unwrap_or(1);
                for warp in threads.chunks_mut(usize::try_from(lanes).unwrap_or(1)) {
                    let running = |thread: &Thread| thread.status == Status::Running;
                    let began: Vec<bool> = warp.iter().map(running).collect();
                    match &mut *warp {
                        [thread] if running(thread) => self.advance(thread, interval)?,
                        warp => self.advance_together(warp, interval)?,
                    }
                    for thread in warp.iter().zip(began).filter(|(_, began)| *began) {
                        if thread.0.status == Status::Ended {
                            self.trace.ended.insert(thread.0.id, interval);
                            self.trace.passed.insert(thread.0.id, thread.0.passed);
                        }
                    }
                }
                if !self.pass_tiles(&mut threads, (block, interval)) {
                    break;
                }
            }
            for thread in &threads {
                self.trace.passed.insert(thread.id, thread.passed);
            }
            let mut waiting = threads
                .iter()
                .filter(|thread| thread.status != Status::Ended);
            let Some(first) = waiting.next() else {
                // Those that ended together ended at the end of the kernel.
                return Ok(());
            };
            if waiting.any(|thread| thread.status != first.status) {
                let diverged = (Divergence::Instances, block, interval);
                self.trace.divergences.push(diverged);
                return Ok(());
            }
            let gone = |thread: &Thread| thread.status == Status::Ended;
            let told =
                |(kind, of, _): &(Divergence, u32, u32)| (*kind, *of) == (Divergence::Exit, block);
            if threads.iter().any(gone) && !self.trace.divergences.iter().any(told) {
                let diverged = (Divergence::Exit, block, interval);
                self.trace.divergences.push(diverged);
            }
            for thread in &mut threads {
                if thread.status != Status::Ended {
                    thread.status = Status::Running;
                }
            }
        }
        Ok(())
    }

    /// Lets the tiles go on whose lanes have all come to one barrier; whether there was one.
    fn pass_tiles(&mut self, threads: &mut [Thread], (block, interval): (u32, u32)) -> bool {
        let mut passes = false;
        for number in 0..threads.len() {
            let Status::InTile(_, _, lanes) = threads[number].status else {
                continue;
            };
            let lanes = usize::try_from(lanes).unwrap_or(32).max(2);
            let first = number / lanes * lanes;
            let end = (first + lanes).min(threads.len());
            let own = threads[number].status.clone();
            let tile = &mut threads[first..end];
            let left = |thread: &Thread| thread.status == Status::Ended;
            if tile
                .iter()
                .any(|thread| !left(thread) && thread.status != own)
            {
                continue;
            }
            let told = |divergence: &(Divergence, u32, u32)| {
                (divergence.0, divergence.1) == (Divergence::Exit, block)
            };
            if tile.iter().any(left) && !self.trace.divergences.iter().any(told) {
                let diverged = (Divergence::Exit, block, interval);
                self.trace.divergences.push(diverged);
            }
            for thread in tile {
                if thread.status == own {
                    thread.status = Status::Running;
                    thread.passed[lanes.ilog2() as usize - 1] += 1;
                }
            }
            passes = true;
        }
        passes
    }

    /// Runs a thread to its next barrier or its end.
    fn advance(&mut self, thread: &mut Thread, interval: u32) -> Result<(), Undefined> {
        while thread.status == Status::Running {
            if let Some((array, place, value)) = self.instruction(thread, interval)? {
                self.write(array, place, value, thread, interval, Kind::Write);
            }
        }
        Ok(())
    }

    /// Runs lanes in lock-step until each is at a barrier or at its end: those that are furthest behind execute one
    /// instruction, and what all of them store is stored when all have read.
    fn advance_together(&mut self, warp: &mut [Thread], interval: u32) -> Result<(), Undefined> {
        loop {
            let running = warp
                .iter()
                .filter(|thread| thread.status == Status::Running);
            let Some(next) = running.map(|thread| thread.next).min() else {
                return Ok(());
            };
            let mut stores = Vec::new();
            for (lane, thread) in warp.iter_mut().enumerate() {
                if thread.status == Status::Running && thread.next == next {
                    self.step = self.trace.steps.number(next, &thread.counters);
                    let stored = self.instruction(thread, interval)?;
                    stores.extend(stored.map(|store| (lane, self.step, store)));
                }
            }
            for (lane, step, (array, place, value)) in stores {
                self.step = step;
                self.write(array, place, value, &warp[lane], interval, Kind::Write);
            }
        }
    }

    /// Executes one instruction of a thread; what it stores is yet to be stored.
    fn instruction(
        &mut self,
        thread: &mut Thread,
        interval: u32,
    ) -> Result<Option<Store>, Undefined> {
        let flat = self.flat;
        self.steps += 1;
        if self.steps > STEPS {
            return Err(Undefined::Steps);
        }
        let at = thread.next;
        thread.next += 1;
        match &flat.code[at] {
            Op::Set(var, value) => {
                let value = self.eval(value, thread, interval)?;
                thread.vars[*var] = value.to(self.program.vars[*var].ty).number;
            }
            Op::Update(var, op, value) => {
                let value = self.eval(value, thread, interval)?;
                let ty = self.program.vars[*var].ty;
                let number = thread.vars[*var];
                let result = defined(binary(*op, Value { ty, number }, value))?;
                thread.vars[*var] = result.to(ty).number;
            }
            Op::Store(array, index, op, value) => {
                let place = self.place(*array, index, thread, interval)?;
                let mut value = self.eval(value, thread, interval)?;
                if let Some(op) = op {
                    let old = self.read(*array, place, thread, interval, Kind::Read);
                    value = defined(binary(*op, old, value))?;
                }
                let value = value.to(self.program.arrays[*array].ty);
                return Ok(Some((*array, place, value)));
            }
            Op::Atomic(op, array, index, value, result) => {
                let place = self.place(*array, index, thread, interval)?;
                let ty = self.program.arrays[*array].ty;
                let value = self.eval(value, thread, interval)?.to(ty);
                let old = self.read(*array, place, thread, interval, Kind::Atomic);
                let number = match op {
                    AtomicOp::Add => wrap(old.number + value.number, ty),
                    AtomicOp::Max => old.number.max(value.number),
                    AtomicOp::Or => wrap(old.number | value.number, ty),
                    AtomicOp::Exch => value.number,
                    AtomicOp::Claim if old.number == 0 => value.number,
                    AtomicOp::Claim => old.number,
                };
                let new = Value { ty, number };
                self.write(*array, place, new, thread, interval, Kind::Atomic);
                if let Some(var) = result {
                    thread.vars[*var] = old.to(self.program.vars[*var].ty).number;
                }
            }
            Op::Jump(to) => thread.next = *to,
            Op::Unless(condition, to) => {
                let holds = self.eval(condition, thread, interval)?.holds();
                self.trace.steps.turn(thread.id, self.step, holds);
                if !holds {
                    thread.next = *to;
                }
            }
            Op::When(condition, to) => {
                if self.eval(condition, thread, interval)?.holds() {
                    thread.next = *to;
                }
            }
            Op::Barrier(loops) => {
                let iterations = loops.iter().map(|id| thread.counters[*id]).collect();
                thread.status = Status::At(at, iterations);
            }
            Op::Lanes(lanes, loops) => {
                let iterations = loops.iter().map(|id| thread.counters[*id]).collect();
                thread.status = Status::InTile(at, iterations, *lanes);
            }
            Op::Enter(id) => thread.counters[*id] = 0,
            Op::Next(id) => thread.counters[*id] += 1,
            Op::End => thread.status = Status::Ended,
        }
        Ok(None)
    }

    /// The first byte of an element.
    fn place(
        &mut self,
        array: Array,
        index: &[Expr],
        thread: &mut Thread,
        interval: u32,
    ) -> Result<i64, Undefined> {
        let decl = &self.program.arrays[array];
        let mut element: i128 = 0;
        for (axis, index) in index.iter().enumerate() {
            let extent = decl.extents.get(axis).copied().unwrap_or(1);
            element = element * i128::from(extent) + self.eval(index, thread, interval)?.number;
        }
        let all: i64 = decl.extents.iter().product();
        let inside = match decl.space {
            Space::Shared => (0..i128::from(all)).contains(&element),
            // No more than 4 MiB are dynamic, nothing lies before them.
            Space::Dynamic => (0..1 << 20).contains(&element),
            Space::Global | Space::Passed => element.abs() < 1 << 40,
        };
        if !inside {
            return Err(Undefined::Bounds);
        }
        Ok(i64::try_from(element).unwrap_or(0) * decl.ty.bytes())
    }

    fn region(&self, array: Array, block: u32) -> (Array, u32) {
        match self.program.arrays[array].space {
            Space::Shared => (array, block),
            // One memory for all.
            Space::Dynamic => (usize::MAX, block),
            Space::Global | Space::Passed => (array, 0),
        }
    }

    fn touch(
        &mut self,
        (array, byte): (Array, i64),
        range: (i64, i64),
        thread: &Thread,
        interval: u32,
        kind: Kind,
        value: u8,
    ) {
        self.steps += 1;
        self.trace.touches.push(Touch {
            region: self.region(array, thread.id.0),
            byte,
            thread: thread.id,
            interval,
            passed: thread.passed,
            kind,
            value,
            range,
            array,
            step: self.step,
        });
    }

    fn read(
        &mut self,
        array: Array,
        place: i64,
        thread: &Thread,
        interval: u32,
        kind: Kind,
    ) -> Value {
        let ty = self.program.arrays[array].ty;
        let region = self.region(array, thread.id.0);
        let mut number: i128 = 0;
        for offset in 0..ty.bytes() {
            let byte = place + offset;
            let held = self.memory.get(&(region, byte)).copied();
            let held = held.unwrap_or_else(|| self.initial(array, byte));
            number |= i128::from(held) << (8 * offset);
            if kind == Kind::Read {
                self.touch(
                    (array, byte),
                    (place, ty.bytes()),
                    thread,
                    interval,
                    kind,
                    0,
                );
            }
        }
        let number = wrap(number, ty);
        Value { ty, number }
    }

    fn write(
        &mut self,
        array: Array,
        place: i64,
        value: Value,
        thread: &Thread,
        interval: u32,
        kind: Kind,
    ) {
        let region = self.region(array, thread.id.0);
        for offset in 0..value.ty.bytes() {
            let byte = place + offset;
            let part = u8::try_from((value.number >> (8 * offset)) & 0xff).unwrap_or(0);
            self.memory.insert((region, byte), part);
            let range = (place, value.ty.bytes());
            let told = if kind == Kind::Write { part } else { 0 };
            self.touch((array, byte), range, thread, interval, kind, told);
        }
    }

    /// What a byte holds before anything is written: of the element of the array by which it is asked for.
    fn initial(&self, array: Array, byte: i64) -> u8 {
        initial(self.program, self.setting, array, byte)
    }

    fn eval(
        &mut self,
        expr: &Expr,
        thread: &mut Thread,
        interval: u32,
    ) -> Result<Value, Undefined> {
        Ok(match expr {
            Expr::Int(value, ty) => Value {
                ty: *ty,
                number: wrap(i128::from(*value), *ty),
            },
            Expr::Builtin(builtin) => {
                let [x, y, _] = self.setting.grid;
                let number = match builtin {
                    Builtin::Thread(axis) => thread.place[*axis],
                    Builtin::Block(axis) => {
                        let block = thread.id.0;
                        [block % x, block / x % y, block / x / y][*axis]
                    }
                    Builtin::BlockDim(axis) => self.setting.block[*axis],
                    Builtin::GridDim(axis) => self.setting.grid[*axis],
                };
                Value {
                    ty: Ty::U32,
                    number: i128::from(number),
                }
            }
            Expr::Var(var) => Value {
                ty: self.program.vars[*var].ty,
                number: thread.vars[*var],
            },
            Expr::Load(array, index) => {
                let place = self.place(*array, index, thread, interval)?;
                self.read(*array, place, thread, interval, Kind::Read)
            }
            Expr::Un(op, a) => defined(unary(*op, self.eval(a, thread, interval)?))?,
            Expr::Bin(op @ (Bin::Both | Bin::Either), a, b) => {
                let a = self.eval(a, thread, interval)?;
                // The other operand is not computed when this one decides.
                if a.holds() == (*op == Bin::Either) {
                    Value::int(i128::from(a.holds()))
                } else {
                    let b = self.eval(b, thread, interval)?;
                    Value::int(i128::from(b.holds()))
                }
            }
            Expr::Bin(op, a, b) => {
                let a = self.eval(a, thread, interval)?;
                let b = self.eval(b, thread, interval)?;
                defined(binary(*op, a, b))?
            }
            Expr::Cond(c, a, b) => {
                let taken = if self.eval(c, thread, interval)?.holds() {
                    a
                } else {
                    b
                };
                self.eval(taken, thread, interval)?
                    .to(self.program.ty(expr))
            }
            Expr::Cast(ty, a) => self.eval(a, thread, interval)?.to(*ty),
            Expr::Call(function, arguments) => {
                let program = self.program;
                let function = &program.functions[*function];
                let mut values = Vec::new();
                for argument in arguments {
                    values.push(self.eval(argument, thread, interval)?);
                }
                for (var, value) in function.scalars.iter().zip(values) {
                    thread.vars[*var] = value.to(program.vars[*var].ty).number;
                }
                let (ty, result) = function.result.as_ref().ok_or(Undefined::Arithmetic)?;
                self.eval(result, thread, interval)?.to(*ty)
            }
        })
    }
}

fn defined(value: Option<Value>) -> Result<Value, Undefined> {
    value.ok_or(Undefined::Arithmetic)
}

/// What an array holds at a byte before a run.
#[must_use]
pub fn initial(program: &Program, setting: &Setting, array: Array, byte: i64) -> u8 {
    let size = program.arrays[array].ty.bytes();
    let element = byte.div_euclid(size);
    let given = setting.elements.get(&(array, element)).copied();
    let number = given.unwrap_or_else(|| match setting.contents {
        0 => 0,
        seed => {
            let mixed = (seed ^ element.unsigned_abs().wrapping_mul(0x9e37_79b9_7f4a_7c15))
                .wrapping_add(array as u64)
                .wrapping_mul(0xbf58_476d_1ce4_e5b9);
            i128::from(mixed >> 33) % 12
        }
    });
    u8::try_from((number >> (8 * byte.rem_euclid(size))) & 0xff).unwrap_or(0)
}
