//! Fact sets made by hand, for the tests of this crate.

use warplog_facts::words::*;
use warplog_facts::*;

/// Adds a file, and returns a span of it at this line.
pub fn span_at(facts: &mut Facts, file: FileId, line: u32) -> SpanId {
    let span = SpanId::from_index(facts.span.len());
    facts.span.push(SpanRow {
        span,
        file,
        start: 10 * line,
        end: 10 * line + 5,
        line,
        column: 1,
        end_line: line,
        end_column: 6,
        macro_name: String::new(),
    });
    span
}

/// Adds a point after the last one.
pub fn point_at(facts: &mut Facts, launch: LaunchId, kind: PointKind, span: SpanId) -> PointId {
    let point = PointId::from_index(facts.point.len());
    if let Some(last) = facts.point.last()
        && last.launch == launch
    {
        let from = last.point;
        facts.cfg_edge.push(CfgEdgeRow { from, to: point });
    }
    facts.point.push(PointRow {
        point,
        launch,
        kind,
        span,
    });
    point
}

/// The facts of
///
/// ```text
/// __global__ void k(int *p, int n) {
///   __shared__ int s[64];
///   for (int i = 0; i < n; i++) {
///     if (threadIdx.x < 63) s[threadIdx.x] = s[threadIdx.x + 1];
///     __syncthreads();
///   }
/// }
/// ```
///
/// launched with 64 threads a block and a symbolic grid. Texts hold what CSV must quote.
pub fn loop_kernel() -> Facts {
    let mut facts = Facts::default();
    let file = FileId(0);
    facts.file.push(FileRow {
        file,
        path: "dir/a,\"b\".cu".to_owned(),
        is_input: true,
    });
    let span = span_at(&mut facts, file, 3);
    let texts = [
        "",
        "\"",
        "a\nb",
        "a\r\nb\r",
        "\0\u{1}",
        ",,",
        " x ",
        "…\u{feff}",
    ];
    for (text, line) in texts.iter().zip(1..) {
        facts.source_line.push(SourceLineRow {
            file,
            line,
            text: (*text).to_owned(),
        });
    }
    facts.note.push(NoteRow {
        file: None,
        path: "missing.cuh".to_owned(),
        line: 0,
        kind: NoteKind::MissingInclude,
        text: "header not found".to_owned(),
    });
    facts.kernel.push(KernelRow {
        kernel: KernelId(0),
        name: "k".to_owned(),
        span,
    });
    let launch = LaunchId(0);
    facts.launch.push(LaunchRow {
        launch,
        kernel: KernelId(0),
        source: LaunchSource::Code,
        span: Some(span),
    });
    let terms = &mut facts.terms;
    let sizes = [
        terms.constant(64, CType::U32),
        terms.constant(1, CType::U32),
        terms.constant(1, CType::U32),
        terms.builtin(Op::GdimX),
        terms.constant(1, CType::U32),
        terms.constant(1, CType::U32),
    ];
    for (term, &dimension) in sizes.into_iter().zip(Dimension::ALL) {
        facts.launch_dimension.push(LaunchDimensionRow {
            launch,
            dimension,
            term,
        });
    }
    facts.symbol.push(SymbolRow {
        symbol: SymbolId(0),
        launch,
        kind: SymbolKind::Parameter,
        name: "n".to_owned(),
        ty: CType::I32,
    });
    let n = facts.terms.symbol(SymbolId(0), CType::I32);
    facts.launch_argument.push(LaunchArgumentRow {
        launch,
        position: 0,
        name: "p".to_owned(),
        text: "d +\n  4".to_owned(),
        term: None,
    });
    facts.launch_argument.push(LaunchArgumentRow {
        launch,
        position: 1,
        name: "n".to_owned(),
        text: "m".to_owned(),
        term: Some(n),
    });
    facts.assumption.push(AssumptionRow {
        launch,
        text: "array parameters do not alias".to_owned(),
    });
    let array = ArrayId(0);
    facts.array.push(ArrayRow {
        array,
        launch,
        name: "s".to_owned(),
        space: Space::Shared,
        storage: array,
        element_bytes: 4,
        bytes: Some(256),
        span,
    });
    facts.array_extent.push(ArrayExtentRow {
        array,
        position: 0,
        elements: 64,
    });
    facts.pure_function.push(PureFunctionRow {
        function: FunctionId(0),
        name: "sin".to_owned(),
    });

    let entry = point_at(&mut facts, launch, PointKind::Entry, span);
    let head = point_at(&mut facts, launch, PointKind::LoopHead, span);
    let branch = point_at(&mut facts, launch, PointKind::Branch, span);
    let read_point = point_at(&mut facts, launch, PointKind::Access, span);
    let write_point = point_at(&mut facts, launch, PointKind::Access, span);
    let join = point_at(&mut facts, launch, PointKind::Join, span);
    let barrier_point = point_at(&mut facts, launch, PointKind::Barrier, span);
    let exit = point_at(&mut facts, launch, PointKind::Exit, span);
    facts.cfg_edge.retain(|edge| edge.to != exit);
    for (from, to) in [(branch, join), (barrier_point, head), (head, exit)] {
        facts.cfg_edge.push(CfgEdgeRow { from, to });
    }
    let loop_id = LoopId(0);
    facts.back_edge.push(BackEdgeRow {
        from: barrier_point,
        to: head,
        loop_id,
    });

    let terms = &mut facts.terms;
    let iter = terms.iter_of(loop_id);
    let i = terms.fit(iter, CType::I32);
    let goes_on = terms.binary(Op::Lt, CType::Bool, i, n);
    let tid = terms.builtin(Op::TidX);
    let last = terms.constant(63, CType::U32);
    let inner = terms.binary(Op::Lt, CType::Bool, tid, last);
    let wide = terms.cast(tid, CType::I64);
    let (one, four) = (terms.constant(1, CType::I64), terms.constant(4, CType::I64));
    let next = terms.binary(Op::Add, CType::I64, wide, one);
    let next = terms.binary(Op::Mul, CType::I64, next, four);
    let own = terms.binary(Op::Mul, CType::I64, wide, four);
    let value = terms.load(AccessId(0), next, CType::I32);
    let sine = terms.pure(FunctionId(0), CType::F32, &[value]);
    let unknown = terms.unknown(UnknownId(0), CType::I32);
    let in_order = terms.binary(Op::Le, CType::Bool, unknown, n);

    facts.loop_.push(LoopRow {
        loop_id,
        launch,
        parent: None,
        head,
        condition: Some(goes_on),
        has_break: false,
        max_iterations: None,
    });
    facts.loop_variable.push(LoopVariableRow {
        loop_id,
        name: "i".to_owned(),
        term: i,
    });
    for point in [head, branch, read_point, write_point, join, barrier_point] {
        facts.loop_at.push(LoopAtRow { point, loop_id });
        if point != head {
            facts.guard_at.push(GuardAtRow {
                point,
                position: 0,
                term: goes_on,
                polarity: true,
                cause: GuardCause::Loop,
                cause_point: head,
            });
        }
        if point == read_point || point == write_point {
            facts.guard_at.push(GuardAtRow {
                point,
                position: 1,
                term: inner,
                polarity: true,
                cause: GuardCause::Branch,
                cause_point: branch,
            });
        }
    }
    for (access, point, kind, index) in [
        (AccessId(0), read_point, AccessKind::Read, next),
        (AccessId(1), write_point, AccessKind::Write, own),
    ] {
        facts.access.push(AccessRow {
            access,
            point,
            array,
            kind,
            operation: String::new(),
            scope: Scope::System,
            index,
            bytes: 4,
            value: (kind == AccessKind::Write).then_some(value),
            volatile: false,
            span,
        });
    }
    facts.barrier.push(BarrierRow {
        barrier: BarrierId(0),
        point: barrier_point,
        kind: BarrierKind::Block,
        operation: "__syncthreads".to_owned(),
        mask: None,
        member: None,
        key: None,
        span,
    });
    facts.unknown.push(UnknownRow {
        unknown: UnknownId(0),
        launch,
        point: entry,
        opaque: false,
        reason: "body of f unknown".to_owned(),
        span,
    });
    facts.unknown_depends_on.push(UnknownDependsOnRow {
        unknown: UnknownId(0),
        term: sine,
    });
    facts.unknown_controlled_by.push(UnknownControlledByRow {
        unknown: UnknownId(0),
        term: goes_on,
    });
    facts.assume.push(AssumeRow {
        point: entry,
        term: in_order,
        ends: false,
        certain: false,
    });
    facts.launch_assume.push(LaunchAssumeRow {
        launch,
        term: in_order,
        by_host: false,
    });
    facts.launch_doubt.push(LaunchDoubtRow {
        launch,
        reason: "it is handed to `submit`".to_owned(),
    });
    facts.assert_.push(AssertRow {
        assert: AssertId(0),
        point: exit,
        term: in_order,
        kind: AssertKind::Entry,
        invariant: Some(InvariantId(0)),
        span,
    });
    facts.invariant.push(InvariantRow {
        invariant: InvariantId(0),
        launch,
        loop_id: Some(LoopId(0)),
        is_candidate: false,
        span,
    });
    facts.invariant_at.push(InvariantAtRow {
        invariant: InvariantId(0),
        point: exit,
        term: in_order,
    });
    facts.annotation_read.push(AnnotationReadRow {
        access: AccessId(0),
        span,
    });
    facts.copy_under_way.push(CopyUnderWayRow {
        access: AccessId(0),
        begun: AccessId(0),
    });
    facts.copy_met.push(CopyMetRow {
        assert: AssertId(0),
        copy: AccessId(0),
        access: AccessId(0),
    });
    facts.memory_order.push(MemoryOrderRow {
        access: AccessId(0),
        acquires: true,
        releases: false,
    });
    let phase = point_at(&mut facts, launch, PointKind::Phase, span);
    facts.phase_step.push(PhaseStepRow {
        point: phase,
        step: PhaseStep::Wait,
        object: Some(ArrayId(0)),
        index: one,
        amount: None,
        parity: Some(one),
        access: Some(AccessId(0)),
    });
    facts.copy_access.push(CopyAccessRow {
        access: AccessId(0),
        bulk: true,
        completes: Some(phase),
    });
    facts.cluster_barrier.push(ClusterBarrierRow {
        barrier: BarrierId(0),
    });
    facts
        .cluster_array
        .push(ClusterArrayRow { array: ArrayId(0) });
    let fence = point_at(&mut facts, launch, PointKind::Fence, span);
    facts.proxy_fence.push(ProxyFenceRow {
        point: fence,
        shared: true,
        global: false,
    });
    facts.post_condition.push(PostConditionRow {
        launch: LaunchId(0),
        text: "for i: out[i] == 0".to_owned(),
        span,
    });
    facts.distinct_elements.push(DistinctElementsRow {
        array: ArrayId(0),
        elements: None,
        span,
    });
    facts.ordered_elements.push(OrderedElementsRow {
        array: ArrayId(0),
        strictly: true,
        elements: None,
        span,
    });
    facts.bounded_elements.push(BoundedElementsRow {
        array: ArrayId(0),
        least: -1,
        most: 7,
        elements: None,
        span,
    });
    facts.unsupported.push(UnsupportedRow {
        launch: None,
        span,
        what: "asm".to_owned(),
        why: "inline assembly is not modelled".to_owned(),
        effect: Effect::Nothing,
    });
    facts
}
