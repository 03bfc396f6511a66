//! Small kernels built statement by statement, without a parser: lowered to facts as the schema
//! asks for, and run thread by thread as the ground truth.

#![allow(dead_code, reason = "each test file uses its own part of the builder")]

pub mod generate;

use std::collections::BTreeMap;

use warplog_facts::eval::{Environment, EvalError, Evaluator};
use warplog_facts::words::*;
use warplog_facts::*;

/// A statement of a small kernel.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// An access of `bytes` bytes at the offset.
    Access(AccessKind, ArrayId, TermId, u32),
    /// A write of a known value.
    Store(ArrayId, TermId, u32, TermId),
    /// A barrier.
    Barrier(BarrierKind),
    /// `if (c) … else …`
    If(TermId, Vec<Stmt>, Vec<Stmt>),
    /// `while (c) …`, the condition over the ordinal of the loop with this number.
    Loop(LoopId, TermId, Vec<Stmt>),
    /// `if (c) break;`
    Break(TermId),
    /// `if (c) continue;`
    Continue(TermId),
    /// `if (c) return;`
    Return(TermId),
}

/// Facts of one launch under construction.
pub struct Builder {
    pub facts: Facts,
    conjuncts: Vec<(TermId, bool, GuardCause, PointId)>,
    loops: Vec<OpenLoop>,
    /// Ends of the paths that lead to the next point.
    ends: Vec<PointId>,
    returns: Vec<PointId>,
    declared: u32,
}

struct OpenLoop {
    id: LoopId,
    /// Conjuncts outside the loop's body.
    base: usize,
    breaks: Vec<PointId>,
    continues: Vec<PointId>,
}

impl Builder {
    /// A launch with these block and grid extents; `None` is symbolic.
    pub fn new(block: [Option<i128>; 3], grid: [Option<i128>; 3]) -> Self {
        let mut facts = Facts::default();
        facts.file.push(FileRow {
            file: FileId(0),
            path: "k.cu".into(),
            is_input: true,
        });
        facts.span.push(SpanRow {
            span: SpanId(0),
            file: FileId(0),
            start: 0,
            end: 0,
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 1,
            macro_name: String::new(),
        });
        facts.kernel.push(KernelRow {
            kernel: KernelId(0),
            name: "k".into(),
            span: SpanId(0),
        });
        facts.launch.push(LaunchRow {
            launch: LaunchId(0),
            kernel: KernelId(0),
            source: LaunchSource::Flag,
            span: None,
        });
        let leaves = [
            Op::BdimX,
            Op::BdimY,
            Op::BdimZ,
            Op::GdimX,
            Op::GdimY,
            Op::GdimZ,
        ];
        for (index, extent) in block.into_iter().chain(grid).enumerate() {
            let term = match extent {
                Some(extent) => facts.terms.constant(extent, CType::U32),
                None => facts.terms.builtin(leaves[index]),
            };
            facts.launch_dimension.push(LaunchDimensionRow {
                launch: LaunchId(0),
                dimension: Dimension::ALL[index],
                term,
            });
        }
        let mut builder = Builder {
            facts,
            conjuncts: Vec::new(),
            loops: Vec::new(),
            ends: Vec::new(),
            returns: Vec::new(),
            declared: 0,
        };
        builder.point(PointKind::Entry);
        builder
    }

    /// A one-dimensional launch.
    pub fn line(threads: i128, blocks: i128) -> Self {
        Builder::new(
            [Some(threads), Some(1), Some(1)],
            [Some(blocks), Some(1), Some(1)],
        )
    }

    pub fn array(&mut self, space: Space) -> ArrayId {
        let array = ArrayId::from_index(self.facts.array.len());
        self.facts.array.push(ArrayRow {
            array,
            launch: LaunchId(0),
            name: format!("a{}", array.0),
            space,
            storage: array,
            element_bytes: 4,
            bytes: None,
            span: SpanId(0),
        });
        array
    }

    /// A uniform symbol of type `int`.
    pub fn symbol(&mut self, name: &str) -> TermId {
        let symbol = SymbolId::from_index(self.facts.symbol.len());
        self.facts.symbol.push(SymbolRow {
            symbol,
            launch: LaunchId(0),
            kind: SymbolKind::Parameter,
            name: name.into(),
            ty: CType::I64,
        });
        self.facts.terms.symbol(symbol, CType::I64)
    }

    /// A loop id, to be used by one `Stmt::Loop`; ids are given in program order of their heads.
    pub fn new_loop(&mut self) -> LoopId {
        self.declared += 1;
        LoopId(self.declared - 1)
    }

    /// A built-in leaf as an `i64`.
    pub fn leaf(&mut self, op: Op) -> TermId {
        let leaf = self.facts.terms.builtin(op);
        self.facts.terms.fit(leaf, CType::I64)
    }
    pub fn tid(&mut self) -> TermId {
        self.leaf(Op::TidX)
    }
    pub fn bid(&mut self) -> TermId {
        self.leaf(Op::BidX)
    }
    pub fn iter(&mut self, id: LoopId) -> TermId {
        self.facts.terms.iter_of(id)
    }
    pub fn int(&mut self, value: i128) -> TermId {
        self.facts.terms.constant(value, CType::I64)
    }
    pub fn op(&mut self, op: Op, left: TermId, right: TermId) -> TermId {
        let ty = match op {
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::And | Op::Or => CType::Bool,
            _ => CType::I64,
        };
        self.facts.terms.binary(op, ty, left, right)
    }
    pub fn opi(&mut self, op: Op, left: TermId, right: i128) -> TermId {
        let right = self.int(right);
        self.op(op, left, right)
    }
    pub fn add(&mut self, left: TermId, right: TermId) -> TermId {
        self.op(Op::Add, left, right)
    }
    pub fn mul(&mut self, left: TermId, right: i128) -> TermId {
        self.opi(Op::Mul, left, right)
    }
    /// `blockIdx.x * blockDim.x + threadIdx.x`, with the extent as the launch has it.
    pub fn global_id(&mut self) -> TermId {
        let extent = self.facts.launch_dimension[0].term;
        let extent = self.facts.terms.fit(extent, CType::I64);
        let (bid, tid) = (self.bid(), self.tid());
        let base = self.op(Op::Mul, bid, extent);
        self.add(base, tid)
    }

    fn point(&mut self, kind: PointKind) -> PointId {
        let point = PointId::from_index(self.facts.point.len());
        self.facts.point.push(PointRow {
            point,
            launch: LaunchId(0),
            kind,
            span: SpanId(0),
        });
        for open in &self.loops {
            self.facts.relations.loop_at.push(LoopAtRow {
                point,
                loop_id: open.id,
            });
        }
        for (position, &(term, polarity, cause, cause_point)) in self.conjuncts.iter().enumerate() {
            self.facts.relations.guard_at.push(GuardAtRow {
                point,
                position: u32::try_from(position).expect("few conjuncts"),
                term,
                polarity,
                cause,
                cause_point,
            });
        }
        for from in std::mem::take(&mut self.ends) {
            self.facts.cfg_edge.push(CfgEdgeRow { from, to: point });
        }
        self.ends.push(point);
        point
    }

    pub fn body(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match statement {
            Stmt::Access(kind, array, index, bytes) => {
                self.access(*kind, *array, *index, *bytes, None);
            }
            Stmt::Store(array, index, bytes, value) => {
                self.access(AccessKind::Write, *array, *index, *bytes, Some(*value));
            }
            Stmt::Barrier(kind) => {
                let point = self.point(PointKind::Barrier);
                let barrier = BarrierId::from_index(self.facts.barrier.len());
                self.facts.barrier.push(BarrierRow {
                    barrier,
                    point,
                    kind: *kind,
                    operation: String::new(),
                    mask: None,
                    member: None,
                    key: None,
                    span: SpanId(0),
                });
            }
            Stmt::If(condition, then, otherwise) => {
                let branch = self.point(PointKind::Branch);
                let mut ends = Vec::new();
                let base = self.conjuncts.len();
                let mut leavings = Vec::new();
                for (polarity, arm) in [(true, then), (false, otherwise)] {
                    self.ends = vec![branch];
                    self.conjuncts
                        .push((*condition, polarity, GuardCause::Branch, branch));
                    self.body(arm);
                    // What was strengthened inside the arm holds after it only if the arm was
                    // taken.
                    for conjunct in self.conjuncts.split_off(base + 1) {
                        leavings.push((polarity, conjunct));
                    }
                    self.conjuncts.truncate(base);
                    ends.append(&mut self.ends);
                }
                self.ends = ends;
                for (polarity, (term, value, cause, point)) in leavings {
                    let terms = &mut self.facts.terms;
                    let taken = if polarity {
                        *condition
                    } else {
                        terms.not(*condition)
                    };
                    let left = if value { terms.not(term) } else { term };
                    let both = terms.and(taken, left);
                    self.conjuncts.push((both, false, cause, point));
                }
                self.point(PointKind::Join);
            }
            Stmt::Loop(id, condition, body) => {
                let parent = self.loops.last().map(|open| open.id);
                let base = self.conjuncts.len();
                self.loops.push(OpenLoop {
                    id: *id,
                    base,
                    breaks: Vec::new(),
                    continues: Vec::new(),
                });
                let head = self.point(PointKind::LoopHead);
                self.facts.loop_.push(LoopRow {
                    loop_id: *id,
                    launch: LaunchId(0),
                    parent,
                    head,
                    condition: Some(*condition),
                    has_break: has_leaving(body, true),
                    max_iterations: None,
                });
                self.conjuncts
                    .push((*condition, true, GuardCause::Loop, head));
                self.body(body);
                self.conjuncts.truncate(base);
                let open_continues = self
                    .loops
                    .last_mut()
                    .map(|open| std::mem::take(&mut open.continues));
                self.ends.extend(open_continues.unwrap_or_default());
                let last = self.point(PointKind::Join);
                self.facts.cfg_edge.push(CfgEdgeRow {
                    from: last,
                    to: head,
                });
                self.facts.back_edge.push(BackEdgeRow {
                    from: last,
                    to: head,
                    loop_id: *id,
                });
                let open = self.loops.pop().expect("the loop was pushed");
                self.ends = vec![head];
                self.ends.extend(open.breaks);
                self.point(PointKind::Join);
            }
            Stmt::Break(condition) => self.leave(*condition, GuardCause::Break, PointKind::Break),
            Stmt::Continue(condition) => {
                self.leave(*condition, GuardCause::Continue, PointKind::Continue);
            }
            Stmt::Return(condition) => {
                self.leave(*condition, GuardCause::Return, PointKind::Return);
            }
        }
    }

    fn leave(&mut self, condition: TermId, cause: GuardCause, kind: PointKind) {
        let branch = self.point(PointKind::Branch);
        self.conjuncts
            .push((condition, true, GuardCause::Branch, branch));
        let point = self.point(kind);
        self.conjuncts.pop();
        match (cause, self.loops.last_mut()) {
            (GuardCause::Break, Some(open)) => {
                open.breaks.push(point);
                let loop_id = open.id;
                self.facts.break_at.push(BreakAtRow { point, loop_id });
            }
            (GuardCause::Continue, Some(open)) => open.continues.push(point),
            _ => self.returns.push(point),
        }
        self.conjuncts.push((condition, false, cause, point));
        self.ends = vec![branch];
    }

    pub fn access(
        &mut self,
        kind: AccessKind,
        array: ArrayId,
        index: TermId,
        bytes: u32,
        value: Option<TermId>,
    ) -> AccessId {
        let point = self.point(PointKind::Access);
        let access = AccessId::from_index(self.facts.access.len());
        self.facts.access.push(AccessRow {
            access,
            point,
            array,
            kind,
            operation: if kind == AccessKind::Atomic {
                "atomicAdd".into()
            } else {
                String::new()
            },
            scope: if kind == AccessKind::Atomic {
                Scope::Grid
            } else {
                Scope::System
            },
            index,
            bytes,
            value,
            volatile: false,
            span: SpanId(0),
        });
        access
    }

    /// Ends the kernel.
    pub fn finish(mut self) -> Facts {
        self.ends.append(&mut self.returns);
        self.conjuncts.clear();
        self.point(PointKind::Exit);
        self.facts
    }
}

/// Whether the statements leave the loop around them other than by its condition.
fn has_leaving(body: &[Stmt], breaks: bool) -> bool {
    body.iter().any(|statement| match statement {
        Stmt::Break(_) => breaks,
        Stmt::Return(_) => true,
        Stmt::If(_, then, otherwise) => has_leaving(then, breaks) || has_leaving(otherwise, breaks),
        Stmt::Loop(_, _, inner) => has_leaving(inner, false),
        _ => false,
    })
}

/// A thread of a launch, with the values of symbols.
#[derive(Clone, Debug)]
pub struct Thread {
    pub tid: [i128; 3],
    pub bid: [i128; 3],
    pub block: [i128; 3],
    pub grid: [i128; 3],
    pub symbols: Vec<i128>,
}

/// Something that a thread does, with its iterations.
#[derive(Clone, Debug)]
pub struct Event {
    pub point: PointId,
    pub iterations: BTreeMap<LoopId, i128>,
}

struct Values<'a> {
    thread: &'a Thread,
    iterations: &'a BTreeMap<LoopId, i128>,
}

impl Environment for Values<'_> {
    fn value(&self, _id: TermId, term: &Term, _args: &[i128]) -> Option<i128> {
        for (index, axis) in Axis::ALL.into_iter().enumerate() {
            for (op, values) in [
                (axis.tid(), &self.thread.tid),
                (axis.bid(), &self.thread.bid),
                (axis.bdim(), &self.thread.block),
                (axis.gdim(), &self.thread.grid),
            ] {
                if term.op == op {
                    return Some(values[index]);
                }
            }
        }
        if let Some(symbol) = term.symbol() {
            return self.thread.symbols.get(symbol.index()).copied();
        }
        match term.op {
            Op::Iter => self.iterations.get(&term.loop_id()?).copied(),
            _ => None,
        }
    }
}

/// The value of a term for a thread in an iteration.
pub fn evaluate(
    facts: &Facts,
    thread: &Thread,
    iterations: &BTreeMap<LoopId, i128>,
    term: TermId,
) -> Result<i128, EvalError> {
    let values = Values { thread, iterations };
    Evaluator::new(&facts.terms, &values).value(term)
}

enum Flow {
    On,
    Break,
    Continue,
    Return,
    /// Too many iterations, or a term without a value: the run does not count.
    Stop,
}

/// Runs the statements for one thread and records accesses, barriers and returns in order.
pub struct Run<'a> {
    facts: &'a Facts,
    thread: &'a Thread,
    iterations: BTreeMap<LoopId, i128>,
    /// Points of accesses, barriers and returns in program order, consumed along the syntax.
    pub events: Vec<Event>,
}

/// What a thread does, or `None` when it does not end.
pub fn run(facts: &Facts, thread: &Thread, body: &[Stmt]) -> Option<Vec<Event>> {
    let mut run = Run {
        facts,
        thread,
        iterations: BTreeMap::new(),
        events: Vec::new(),
    };
    let mut at = 1;
    match run.body(body, &mut at) {
        Flow::Stop => None,
        _ => Some(run.events),
    }
}

/// Number of points that the statements were lowered to.
fn size(body: &[Stmt]) -> usize {
    body.iter()
        .map(|statement| match statement {
            Stmt::Access(..) | Stmt::Store(..) | Stmt::Barrier(_) => 1,
            Stmt::If(_, then, otherwise) => 2 + size(then) + size(otherwise),
            Stmt::Loop(_, _, body) => 3 + size(body),
            Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_) => 2,
        })
        .sum()
}

impl Run<'_> {
    fn event(&mut self, at: usize) {
        self.events.push(Event {
            point: PointId::from_index(at),
            iterations: self.iterations.clone(),
        });
    }

    fn holds(&self, condition: TermId) -> Option<bool> {
        let value = evaluate(self.facts, self.thread, &self.iterations, condition);
        value.ok().map(|value| value != 0)
    }

    fn body(&mut self, body: &[Stmt], at: &mut usize) -> Flow {
        for statement in body {
            let next = *at + size(std::slice::from_ref(statement));
            match self.statement(statement, *at) {
                Flow::On => {}
                other => return other,
            }
            *at = next;
        }
        Flow::On
    }

    fn statement(&mut self, statement: &Stmt, at: usize) -> Flow {
        match statement {
            Stmt::Access(..) | Stmt::Store(..) | Stmt::Barrier(_) => {
                self.event(at);
                Flow::On
            }
            Stmt::If(condition, then, otherwise) => match self.holds(*condition) {
                Some(true) => self.body(then, &mut (at + 1)),
                Some(false) => self.body(otherwise, &mut (at + 1 + size(then))),
                None => Flow::Stop,
            },
            Stmt::Loop(id, condition, body) => {
                for iteration in 0..40 {
                    self.iterations.insert(*id, iteration);
                    let flow = match self.holds(*condition) {
                        Some(true) => self.body(body, &mut (at + 1)),
                        Some(false) => Flow::Break,
                        None => Flow::Stop,
                    };
                    match flow {
                        Flow::On | Flow::Continue => {}
                        Flow::Break => {
                            self.iterations.remove(id);
                            return Flow::On;
                        }
                        other => return other,
                    }
                }
                Flow::Stop
            }
            Stmt::Break(condition) => self.leave(*condition, at, Flow::Break),
            Stmt::Continue(condition) => self.leave(*condition, at, Flow::Continue),
            Stmt::Return(condition) => {
                if self.holds(*condition) == Some(true) {
                    self.event(at + 1);
                }
                self.leave(*condition, at, Flow::Return)
            }
        }
    }

    fn leave(&self, condition: TermId, _at: usize, flow: Flow) -> Flow {
        match self.holds(condition) {
            Some(true) => flow,
            Some(false) => Flow::On,
            None => Flow::Stop,
        }
    }
}
