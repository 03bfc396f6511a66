//! Hand-written facts: a small builder of kernels, one statement a call.
#![expect(dead_code, reason = "each test file uses a part of the builder")]

use facts::derived::*;
use facts::words::*;
use facts::*;
use warplog_facts as facts;
use warplog_solver_bridge::*;

/// A kernel under construction, with one launch.
pub struct Kernel {
    pub facts: Facts,
    pub derived: Derived,
    pub launch: LaunchId,
    pub entry: PointId,
    /// Points that control comes from.
    open: Vec<PointId>,
    guards: Vec<(TermId, bool, GuardCause, PointId)>,
    loops: Vec<LoopId>,
    breaks: Vec<Vec<PointId>>,
}

/// `[x, y, z]`; none for a symbolic dimension.
pub type Dims = [Option<i128>; 3];

pub const SYMBOLIC_1D: Dims = [None, Some(1), Some(1)];

pub fn dim(x: i128) -> Dims {
    [Some(x), Some(1), Some(1)]
}

impl Kernel {
    pub fn new(block: Dims, grid: Dims) -> Self {
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
            end: 1,
            line: 1,
            column: 1,
            end_line: 1,
            end_column: 2,
            macro_name: String::new(),
        });
        facts.kernel.push(KernelRow {
            kernel: KernelId(0),
            name: "k".into(),
            span: SpanId(0),
        });
        let launch = LaunchId(0);
        facts.launch.push(LaunchRow {
            launch,
            kernel: KernelId(0),
            source: LaunchSource::Header,
            span: None,
        });
        let dims = block.into_iter().chain(grid);
        let leaves = [
            Op::BdimX,
            Op::BdimY,
            Op::BdimZ,
            Op::GdimX,
            Op::GdimY,
            Op::GdimZ,
        ];
        for ((dimension, value), leaf) in Dimension::ALL.iter().zip(dims).zip(leaves) {
            let term = match value {
                Some(value) => facts.terms.constant(value, CType::U32),
                None => facts.terms.builtin(leaf),
            };
            facts.launch_dimension.push(LaunchDimensionRow {
                launch,
                dimension: *dimension,
                term,
            });
        }
        let mut kernel = Kernel {
            facts,
            derived: Derived::default(),
            launch,
            entry: PointId(0),
            open: Vec::new(),
            guards: Vec::new(),
            loops: Vec::new(),
            breaks: Vec::new(),
        };
        kernel.entry = kernel.point(PointKind::Entry);
        kernel
    }

    // ---- terms

    pub fn int(&mut self, value: i128) -> TermId {
        self.facts.terms.constant(value, CType::I32)
    }
    pub fn constant(&mut self, value: i128, ty: CType) -> TermId {
        self.facts.terms.constant(value, ty)
    }
    pub fn leaf(&mut self, op: Op) -> TermId {
        self.facts.terms.builtin(op)
    }
    /// A builtin leaf as `int`.
    pub fn leaf_int(&mut self, op: Op) -> TermId {
        let leaf = self.leaf(op);
        self.facts.terms.cast(leaf, CType::I32)
    }
    pub fn t(&mut self) -> TermId {
        self.leaf_int(Op::TidX)
    }
    pub fn b(&mut self) -> TermId {
        self.leaf_int(Op::BidX)
    }
    pub fn symbol(&mut self, name: &str, ty: CType) -> TermId {
        let symbol = SymbolId::from_index(self.facts.symbol.len());
        let launch = self.launch;
        self.facts.symbol.push(SymbolRow {
            symbol,
            launch,
            kind: SymbolKind::Parameter,
            name: name.into(),
            ty,
        });
        self.facts.terms.symbol(symbol, ty)
    }
    pub fn op(&mut self, op: Op, a: TermId, b: TermId) -> TermId {
        let ty = match op {
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::And | Op::Or => CType::Bool,
            _ => self.facts.terms.ty(a),
        };
        self.facts.terms.binary(op, ty, a, b)
    }
    pub fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(Op::Add, a, b)
    }
    pub fn sub(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(Op::Sub, a, b)
    }
    pub fn mul(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(Op::Mul, a, b)
    }
    pub fn lt(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(Op::Lt, a, b)
    }
    pub fn le(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(Op::Le, a, b)
    }
    pub fn eq(&mut self, a: TermId, b: TermId) -> TermId {
        self.op(Op::Eq, a, b)
    }
    pub fn add_int(&mut self, a: TermId, value: i128) -> TermId {
        let ty = self.facts.terms.ty(a);
        let value = self.constant(value, ty);
        self.add(a, value)
    }
    pub fn mul_int(&mut self, a: TermId, value: i128) -> TermId {
        let ty = self.facts.terms.ty(a);
        let value = self.constant(value, ty);
        self.mul(a, value)
    }
    pub fn iter(&mut self, id: LoopId) -> TermId {
        let iter = self.facts.terms.iter_of(id);
        self.facts.terms.fit(iter, CType::I32)
    }
    /// `blockIdx.x * blockDim.x + threadIdx.x` as `int`.
    pub fn global_id(&mut self) -> TermId {
        let bid = self.leaf(Op::BidX);
        let tid = self.leaf(Op::TidX);
        let bdim = self.bdim_x();
        let base = self.op(Op::Mul, bid, bdim);
        let id = self.op(Op::Add, base, tid);
        self.facts.terms.cast(id, CType::I32)
    }
    /// `blockDim.x`, as the launch has it.
    pub fn bdim_x(&mut self) -> TermId {
        self.facts.launch_dimension[0].term
    }
    pub fn gdim_x(&mut self) -> TermId {
        self.facts.launch_dimension[3].term
    }

    // ---- control

    pub fn point(&mut self, kind: PointKind) -> PointId {
        let point = PointId::from_index(self.facts.point.len());
        self.facts.point.push(PointRow {
            point,
            launch: self.launch,
            kind,
            span: SpanId(0),
        });
        for (position, &(term, polarity, cause, cause_point)) in self.guards.iter().enumerate() {
            self.facts.relations.guard_at.push(GuardAtRow {
                point,
                position: position as u32,
                term,
                polarity,
                cause,
                cause_point,
            });
        }
        for &loop_id in &self.loops {
            self.facts
                .relations
                .loop_at
                .push(LoopAtRow { point, loop_id });
        }
        for from in std::mem::take(&mut self.open) {
            self.facts.cfg_edge.push(CfgEdgeRow { from, to: point });
        }
        self.open = vec![point];
        point
    }

    /// `if (condition) { body }`
    pub fn when(&mut self, condition: TermId, body: impl FnOnce(&mut Self)) {
        let branch = self.point(PointKind::Branch);
        self.guards
            .push((condition, true, GuardCause::Branch, branch));
        body(self);
        self.guards.retain(|guard| guard.3 != branch);
        self.open.push(branch);
    }

    /// `if (condition) { then } else { otherwise }`
    pub fn either(
        &mut self,
        condition: TermId,
        then: impl FnOnce(&mut Self),
        otherwise: impl FnOnce(&mut Self),
    ) {
        let branch = self.point(PointKind::Branch);
        self.guards
            .push((condition, true, GuardCause::Branch, branch));
        then(self);
        self.guards.retain(|guard| guard.3 != branch);
        let after_then = std::mem::replace(&mut self.open, vec![branch]);
        self.guards
            .push((condition, false, GuardCause::Branch, branch));
        otherwise(self);
        self.guards.retain(|guard| guard.3 != branch);
        self.open.extend(after_then);
    }

    /// `if (condition) return;`
    pub fn leave_if(&mut self, condition: TermId) -> PointId {
        let branch = self.point(PointKind::Branch);
        self.guards
            .push((condition, true, GuardCause::Branch, branch));
        let point = self.point(PointKind::Return);
        self.guards.pop();
        self.open = vec![branch];
        self.not_taken(condition, GuardCause::Return, point);
        point
    }

    /// What follows is reached only when the leaving, with all branches around it, was not taken.
    fn not_taken(&mut self, condition: TermId, cause: GuardCause, point: PointId) {
        let mut taken = condition;
        for (term, polarity, around, _) in self.guards.clone() {
            if around == GuardCause::Branch {
                let holds = if polarity {
                    term
                } else {
                    self.facts.terms.not(term)
                };
                taken = self.facts.terms.and(holds, taken);
            }
        }
        self.guards.push((taken, false, cause, point));
    }

    /// `if (condition) break;` of the innermost loop.
    pub fn break_if(&mut self, condition: TermId) -> PointId {
        let branch = self.point(PointKind::Branch);
        self.guards
            .push((condition, true, GuardCause::Branch, branch));
        let point = self.point(PointKind::Break);
        self.guards.pop();
        self.open = vec![branch];
        self.not_taken(condition, GuardCause::Break, point);
        let loop_id = *self.loops.last().expect("a break in a loop");
        self.facts.break_at.push(BreakAtRow { point, loop_id });
        self.facts.loop_[loop_id.index()].has_break = true;
        self.breaks.last_mut().expect("a loop").push(point);
        point
    }

    /// A loop whose condition is made from its ordinal.
    pub fn repeat(
        &mut self,
        condition: impl FnOnce(&mut Self, LoopId) -> TermId,
        body: impl FnOnce(&mut Self, LoopId),
    ) -> LoopId {
        let loop_id = LoopId::from_index(self.facts.loop_.len());
        let parent = self.loops.last().copied();
        self.facts.loop_.push(LoopRow {
            loop_id,
            launch: self.launch,
            parent,
            head: PointId(0),
            condition: None,
            has_break: false,
            max_iterations: None,
        });
        let condition = condition(self, loop_id);
        self.loops.push(loop_id);
        self.breaks.push(Vec::new());
        let head = self.point(PointKind::LoopHead);
        self.facts.loop_[loop_id.index()].head = head;
        self.facts.loop_[loop_id.index()].condition = Some(condition);
        let outer = self.guards.len();
        self.guards.push((condition, true, GuardCause::Loop, head));
        body(self, loop_id);
        self.guards.truncate(outer);
        for from in std::mem::take(&mut self.open) {
            self.facts.cfg_edge.push(CfgEdgeRow { from, to: head });
            self.facts.back_edge.push(BackEdgeRow {
                from,
                to: head,
                loop_id,
            });
        }
        self.open = vec![head];
        self.open.extend(self.breaks.pop().unwrap_or_default());
        self.loops.pop();
        loop_id
    }

    /// `for (int i = start; i < end; i += step)`: the body gets the variable.
    pub fn count(
        &mut self,
        start: i128,
        end: TermId,
        step: i128,
        body: impl FnOnce(&mut Self, TermId),
    ) -> LoopId {
        let mut variable = TermId(0);
        let id = LoopId::from_index(self.facts.loop_.len());
        let iter = self.iter(id);
        let scaled = self.mul_int(iter, step);
        let value = self.add_int(scaled, start);
        let id = self.repeat(
            |k, _| {
                variable = value;
                k.lt(value, end)
            },
            |k, _| body(k, value),
        );
        self.facts.loop_variable.push(LoopVariableRow {
            loop_id: id,
            name: "i".into(),
            term: variable,
        });
        id
    }

    pub fn barrier(&mut self) -> PointId {
        self.barrier_of(BarrierKind::Block, None)
    }
    pub fn barrier_of(&mut self, kind: BarrierKind, mask: Option<TermId>) -> PointId {
        let point = self.point(PointKind::Barrier);
        let barrier = BarrierId::from_index(self.facts.barrier.len());
        self.facts.barrier.push(BarrierRow {
            barrier,
            point,
            kind,
            operation: String::new(),
            mask,
            member: None,
            key: None,
            span: SpanId(0),
        });
        point
    }

    // ---- memory

    pub fn array(
        &mut self,
        name: &str,
        space: Space,
        element_bytes: u32,
        elements: Option<u64>,
    ) -> ArrayId {
        let array = ArrayId::from_index(self.facts.array.len());
        let bytes = elements.map(|n| n * u64::from(element_bytes));
        self.facts.array.push(ArrayRow {
            array,
            launch: self.launch,
            name: name.into(),
            space,
            storage: array,
            element_bytes,
            bytes,
            span: SpanId(0),
        });
        array
    }
    pub fn shared(&mut self, name: &str) -> ArrayId {
        self.array(name, Space::Shared, 4, None)
    }
    pub fn global(&mut self, name: &str) -> ArrayId {
        self.array(name, Space::Global, 4, None)
    }

    /// An access of `bytes` at an element of the array.
    pub fn access(
        &mut self,
        kind: AccessKind,
        array: ArrayId,
        element: TermId,
        bytes: u32,
        value: Option<TermId>,
    ) -> AccessId {
        let offset = self.facts.terms.cast(element, CType::I64);
        let size = i128::from(self.facts.array[array.index()].element_bytes);
        let offset = self.mul_int(offset, size);
        self.access_bytes(kind, array, offset, bytes, value)
    }
    pub fn access_bytes(
        &mut self,
        kind: AccessKind,
        array: ArrayId,
        index: TermId,
        bytes: u32,
        value: Option<TermId>,
    ) -> AccessId {
        let point = self.point(PointKind::Access);
        let access = AccessId::from_index(self.facts.access.len());
        let operation = if kind == AccessKind::Atomic {
            "atomicAdd"
        } else {
            ""
        };
        self.facts.access.push(AccessRow {
            access,
            point,
            array,
            kind,
            operation: operation.into(),
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
    pub fn write(&mut self, array: ArrayId, element: TermId) -> AccessId {
        self.access(AccessKind::Write, array, element, 4, None)
    }
    pub fn write_value(&mut self, array: ArrayId, element: TermId, value: TermId) -> AccessId {
        self.access(AccessKind::Write, array, element, 4, Some(value))
    }
    pub fn read(&mut self, array: ArrayId, element: TermId) -> (AccessId, TermId) {
        let access = self.access(AccessKind::Read, array, element, 4, None);
        let index = self.facts.access[access.index()].index;
        (access, self.facts.terms.load(access, index, CType::I32))
    }

    // ---- derived

    pub fn candidate(
        &mut self,
        first: AccessId,
        second: AccessId,
        scope: PairScope,
        head: PointId,
    ) -> CandidateRaceRow {
        CandidateRaceRow {
            launch: self.launch,
            first,
            second,
            scope,
            groups: 0,
            head,
            first_carried: None,
            first_repeated: false,
            second_carried: None,
            second_repeated: false,
            exit: None,
            lock_step: LockStep::Apart,
            around: None,
        }
    }

    /// Decides the one candidate.
    pub fn decide(&mut self, candidate: CandidateRaceRow) -> RaceOutcome {
        let every_pair = Options {
            every_pair: true,
            ..Options::default()
        };
        self.decide_with(candidate, &every_pair)
    }
    pub fn decide_with(&mut self, candidate: CandidateRaceRow, options: &Options) -> RaceOutcome {
        self.derived.candidate_race = vec![candidate];
        let decision = warplog_solver_bridge::decide(&self.facts, &self.derived, options);
        decision.races.into_iter().next().expect("one outcome")
    }
    /// Two threads of a block, from the kernel's entry.
    pub fn in_block(&mut self, first: AccessId, second: AccessId) -> RaceOutcome {
        let entry = self.entry;
        let candidate = self.candidate(first, second, PairScope::Block, entry);
        self.decide(candidate)
    }
    pub fn in_grid(&mut self, first: AccessId, second: AccessId) -> RaceOutcome {
        let entry = self.entry;
        let candidate = self.candidate(first, second, PairScope::Grid, entry);
        self.decide(candidate)
    }
    pub fn diverges(&mut self, barrier: PointId, position: Option<u32>) -> DivergenceOutcome {
        let row = self
            .facts
            .barrier
            .iter()
            .find(|row| row.point == barrier)
            .expect("a barrier");
        let barrier_id = row.barrier;
        let guard = self
            .facts
            .guard_at
            .iter()
            .find(|row| row.point == barrier && Some(row.position) == position);
        let (cause, cause_point) = guard.map_or((GuardCause::Branch, barrier), |row| {
            (row.cause, row.cause_point)
        });
        self.diverges_at(barrier_id, cause, cause_point, position)
    }
    pub fn diverges_at(
        &mut self,
        barrier: BarrierId,
        cause: GuardCause,
        cause_point: PointId,
        position: Option<u32>,
    ) -> DivergenceOutcome {
        self.derived.candidate_divergence = vec![CandidateDivergenceRow {
            launch: self.launch,
            barrier,
            cause,
            cause_point,
            position,
        }];
        let decision =
            warplog_solver_bridge::decide(&self.facts, &self.derived, &Options::default());
        decision
            .divergences
            .into_iter()
            .next()
            .expect("one outcome")
    }
}

pub fn assert_disjoint(outcome: &RaceOutcome) -> Stage {
    match &outcome.answer {
        RaceAnswer::Disjoint { stage } => *stage,
        other => panic!("expected disjoint, found {other:#?}"),
    }
}

pub fn assert_race(outcome: &RaceOutcome) -> &Race {
    match &outcome.answer {
        RaceAnswer::Race(race) => race,
        other => panic!("expected a race, found {other:#?}"),
    }
}

pub fn assert_exact_race(outcome: &RaceOutcome) -> &Race {
    let race = assert_race(outcome);
    assert!(race.exact, "expected an exact race, found {race:#?}");
    race
}
