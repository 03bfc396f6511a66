//! The input relations: what the extractor (or another tool) says of kernels.
//!
//! Everything that the rules and the solver know is here. The relations between launches share
//! nothing but files, spans, names and terms: a body belongs to one launch, so that constants of
//! the launch are already folded into its terms.
//!
//! **Order.** Points are numbered in program order within a launch: a point that can be reached
//! from another without a back edge has the larger id, the points of a loop form one contiguous
//! range that starts with its head, and the loops of a launch are nested by these ranges.
//!
//! **Guards.** `guard_at` gives every point its full path condition within the current iteration
//! of its loops, as conjuncts. A conjunct says that its term (of type `bool`) has the value
//! `polarity`. Conjuncts never strengthen: a run that reaches the point satisfies all of them; and
//! they are complete within the iteration: a run that is in this iteration of the enclosing loops
//! and satisfies all of them reaches the point, unless it left a loop or the kernel in an
//! *earlier* iteration (such leavings are not conjuncts, they quantify over iterations; they are
//! found through `break_at` and the points of kind `return`).

use crate::ctype::CType;
use crate::ids::*;
use crate::relation::relations;
use crate::term::Op;
use crate::words::*;

relations! {
    /// The input facts of a set of compilation units, terms apart.
    Relations {
        /// `file(file, path, is_input)`: a source file that a span of the unit points into.
        /// Yields: the `.cu` file itself, `#include "k.cuh"`. Does not: `#include <cuda.h>` that was not found.
        file / FileRow "file" [dense] {
            /// This file.
            file: FileId,
            /// Path as given or as found from the including file, with forward slashes.
            path: String,
            /// Whether it is an input of its own, not only included.
            is_input: bool,
        }
        /// `span(span, file, …)`: a range of source text, at the outermost macro call for expanded text.
        /// Yields: `s[t] = 1;` the range of `s[t]`. Does not: text that no fact refers to.
        span / SpanRow "span" [dense] {
            /// This span.
            span: SpanId,
            /// File that holds it.
            file: FileId,
            /// First byte, from 0.
            start: u32,
            /// Byte after the last.
            end: u32,
            /// Line of the first byte, from 1.
            line: u32,
            /// Column of the first byte, from 1, in characters.
            column: u32,
            /// Line of the end.
            end_line: u32,
            /// Column of the end.
            end_column: u32,
            /// Outermost macro that the text was expanded from, empty without one.
            macro_name: String,
        }
        /// `source_line(file, line, text)`: the text of a line that a span of an access, barrier, guard, kernel or unsupported construct touches, or that is part of a kernel or of a function that it calls, so that findings can be shown from facts alone.
        /// Yields: the line of `s[t] = 1;`. Does not: a line of the host code that launches nothing.
        source_line / SourceLineRow "source_line" [key 2] {
            /// File.
            file: FileId,
            /// Line, from 1.
            line: u32,
            /// Its text without the line end.
            text: String,
        }
        /// `note(file, line, kind, text)`: something told about a file, which is no finding.
        /// Yields: `#include <missing.h>`. Does not: `#include "found.h"`.
        note / NoteRow "note" [] {
            /// File; none when it could not even be opened.
            file: Option<FileId>,
            /// Path of the input.
            path: String,
            /// Line from 1, 0 when the note is about the whole file.
            line: u32,
            /// What kind of note.
            kind: NoteKind,
            /// One sentence, lower case.
            text: String,
        }
        /// `kernel(kernel, name, span)`: a `__global__` function with a body.
        /// Yields: `__global__ void k(int *p) { }`. Does not: `__device__ void f() { }`.
        kernel / KernelRow "kernel" [dense] {
            /// This kernel.
            kernel: KernelId,
            /// Name; template instantiations carry their arguments, `k<64>`.
            name: String,
            /// Place of the name in its definition.
            span: SpanId,
        }
        /// `launch(launch, kernel, source, span)`: one way in which the kernel is launched, checked on its own.
        /// Yields: `k<<<4, 64>>>(d);`, `//--blockDim=64`. Does not: `if (0) k<<<1, 1>>>(d);` under `#if 0`.
        launch / LaunchRow "launch" [dense] {
            /// This launch.
            launch: LaunchId,
            /// Kernel launched.
            kernel: KernelId,
            /// Where it comes from.
            source: LaunchSource,
            /// Place of the launch; none for flags and symbolic launches.
            span: Option<SpanId>,
        }
        /// `launch_dimension(launch, dimension, term)`: each of the six dimensions of each launch, a grid-uniform term: a constant, a term over host symbols, or the `bdim_*`/`gdim_*` leaf itself when it is symbolic. A dimension that is not such a leaf never occurs as one in the terms of the launch.
        /// Yields: `<<<(n + 255) / 256, 256>>>` six rows. Does not: `cudaMalloc(&p, 64);`.
        launch_dimension / LaunchDimensionRow "launch_dimension" [key 2] {
            /// Launch.
            launch: LaunchId,
            /// Which dimension.
            dimension: Dimension,
            /// Its value, at least 1.
            term: TermId,
        }
        /// `launch_argument(launch, position, name, text, term)`: an argument of a launch in host code.
        /// Yields: `k<<<4, 64>>>(d, 100);` two rows. Does not: a symbolic launch.
        launch_argument / LaunchArgumentRow "launch_argument" [key 2] {
            /// Launch.
            launch: LaunchId,
            /// Position from 0.
            position: u32,
            /// Name of the parameter.
            name: String,
            /// Argument as written.
            text: String,
            /// Its value when it is a scalar.
            term: Option<TermId>,
        }
        /// `assumption(launch, text)`: something that the verdict rests on, as told to the user.
        /// Yields: a kernel that never mentions `threadIdx.y` and has no launch. Does not: `//--blockDim=[64,1] --gridDim=1`.
        assumption / AssumptionRow "assumption" [] {
            /// Launch.
            launch: LaunchId,
            /// One sentence, lower case.
            text: String,
        }
        /// `symbol(symbol, launch, kind, name, ty)`: a value that is equal in all threads of the grid.
        /// Yields: `int n` as a parameter. Does not: `int *p`, a name that nothing defines.
        symbol / SymbolRow "symbol" [dense] {
            /// This symbol.
            symbol: SymbolId,
            /// Launch.
            launch: LaunchId,
            /// What it stands for.
            kind: SymbolKind,
            /// Name in the source.
            name: String,
            /// Its C type.
            ty: CType,
        }
        /// `array(array, launch, name, space, storage, …)`: an array object, or a view of one: arrays with equal `storage` are the same memory from the same first byte.
        /// Yields: `float *p` as a parameter, `__shared__ int s[64];`, `extern __shared__ int a[];`. Does not: `int i;`.
        array / ArrayRow "array" [dense] {
            /// This array.
            array: ArrayId,
            /// Launch.
            launch: LaunchId,
            /// Name in the source.
            name: String,
            /// Memory space.
            space: Space,
            /// Representative of the memory it lies in: itself, or another array (all `extern __shared__` arrays share one, so do parameters that a launch binds to one allocation).
            storage: ArrayId,
            /// Size of an element in bytes.
            element_bytes: u32,
            /// Size of the whole in bytes when it is known.
            bytes: Option<u64>,
            /// Place of the declaration.
            span: SpanId,
        }
        /// `array_extent(array, position, elements)`: a constant extent of a multi-dimensional array, outermost first.
        /// Yields: `__shared__ int s[64][16];` two rows. Does not: `float *p`.
        array_extent / ArrayExtentRow "array_extent" [key 2] {
            /// Array.
            array: ArrayId,
            /// Position from 0, outermost first.
            position: u32,
            /// Number of elements along this dimension.
            elements: u64,
        }
        /// `pure_function(function, name)`: the name of an uninterpreted pure function used in terms.
        /// Yields: `f > 0.f`. Does not: `i > 0`.
        pure_function / PureFunctionRow "pure_function" [dense] {
            /// This function.
            function: FunctionId,
            /// Its name, as shown in reasons.
            name: String,
        }
        /// `unknown(unknown, launch, point, reason, span)`: a value that lowering cannot express; a fresh value for each thread and each execution of its point, but a function of what it depends on: if two threads agree on all its dependences and controls at equal iterations, they agree on it. When `opaque`, nothing is known of it at all (it may differ between any two executions).
        /// Yields: `x = x * x + 1;` in a loop; `__device__ int f(); x = f();` (opaque). Does not: `x = 2 * t;`.
        unknown / UnknownRow "unknown" [dense] {
            /// This unknown.
            unknown: UnknownId,
            /// Launch.
            launch: LaunchId,
            /// Where its value is made.
            point: PointId,
            /// Whether it is not even a function of its dependences.
            opaque: bool,
            /// Why it could not be expressed, as shown in findings.
            reason: String,
            /// Place that the reason speaks of.
            span: SpanId,
        }
        /// `unknown_depends_on(unknown, term)`: its value is computed from the term.
        /// Yields: `x = x * x + n;` on n. Does not: `x = x * x;` on n.
        unknown_depends_on / UnknownDependsOnRow "unknown_depends_on" [] {
            /// Unknown.
            unknown: UnknownId,
            /// A term it is computed from.
            term: TermId,
        }
        /// `unknown_controlled_by(unknown, term)`: whether or how often its computation was executed depends on the term.
        /// Yields: `while (c) x = f(x);` on c. Does not: `x = f(x);`.
        unknown_controlled_by / UnknownControlledByRow "unknown_controlled_by" [] {
            /// Unknown.
            unknown: UnknownId,
            /// A condition.
            term: TermId,
        }
        /// `carried(unknown, loop, start, next)`: the unknown is what a variable is at the head of the loop: in iteration 0 the value that `start` has where the loop is entered, in every later one the value that `next` has at the end of the iteration before.
        /// Yields: `s = 0; for (…) s += q[i];`. Does not: `i = 0; for (…) i++;`, which has a closed form.
        carried / CarriedRow "carried" [key 1] {
            /// The unknown.
            unknown: UnknownId,
            /// The loop at whose head it is made.
            loop_id: LoopId,
            /// What the variable is before the loop.
            start: TermId,
            /// What it is at the end of an iteration that another one may follow.
            next: TermId,
        }
        /// `left_with(unknown, loop, value)`: the unknown is what a variable is behind a loop that is left by its condition only: the value that the term has at the head of the iteration that is not executed any more.
        /// Yields: `for (…) s += q[i]; out[t] = s;`. Does not: a variable that the loop does not change; one of a loop with a `break`.
        left_with / LeftWithRow "left_with" [key 1] {
            /// The unknown.
            unknown: UnknownId,
            /// The loop that is left.
            loop_id: LoopId,
            /// The value there.
            value: TermId,
        }
        /// `lane_value(unknown, operation, value, from, width)`: the unknown is what this shuffle gives: the value that the term has in another lane of the warp, or in this one where that lane is outside of the segment.
        /// Yields: `v = __shfl_down_sync(~0u, x, 16);`. Does not: `__ballot_sync(~0u, p)`.
        lane_value / LaneValueRow "lane_value" [key 1] {
            /// The unknown.
            unknown: UnknownId,
            /// The operation as it is called.
            operation: String,
            /// What each lane hands in.
            value: TermId,
            /// The lane, the distance, or the mask of lanes.
            from: TermId,
            /// Number of lanes of a segment; none for 32.
            width: Option<TermId>,
        }
        /// `collective(unknown, operation, value, lanes)`: the unknown is what a collective operation gives a thread of what those of its group hand in: `sum` of all, `inclusive_sum` of those of a rank up to its own, `exclusive_sum` of those below it.
        /// Yields: `s = cg::inclusive_scan(tile, x);`, `BlockScan(t).ExclusiveSum(x, s);`. Does not: `__ballot_sync(~0u, p)`, the largest of all.
        collective / CollectiveRow "collective" [key 1] {
            /// The unknown.
            unknown: UnknownId,
            /// What it is of them.
            operation: String,
            /// What each thread hands in, of the type of the result.
            value: TermId,
            /// Number of threads of a group, consecutive by rank in the block; none for the block.
            lanes: Option<TermId>,
        }
        /// `atomic_operand(access, term)`: what the atomic access combines with the number that it finds, by the operation of its name.
        /// Yields: `atomicMax(&m, x);`. Does not: `atomicCAS(&lock, 0, 1);`.
        atomic_operand / AtomicOperandRow "atomic_operand" [key 1] {
            /// The access.
            access: AccessId,
            /// The operand, of the type of the element.
            term: TermId,
        }
        /// `point(point, launch, kind, span)`: a place of the control-flow graph, numbered in program order.
        /// Yields: `s[t] = 1;` an access point. Does not: `x = t + 1;`.
        point / PointRow "point" [dense] {
            /// This point.
            point: PointId,
            /// Launch.
            launch: LaunchId,
            /// What stands there.
            kind: PointKind,
            /// Place.
            span: SpanId,
        }
        /// `cfg_edge(from, to)`: control may pass from one point to the next; back edges included.
        /// Yields: `a[t] = 1; b[t] = 2;` from the first access to the second. Does not: `return; b[t] = 2;` between these.
        cfg_edge / CfgEdgeRow "cfg_edge" [key 2] {
            /// From.
            from: PointId,
            /// To.
            to: PointId,
        }
        /// `back_edge(from, to, loop)`: the edge ends an iteration of the loop; `to` is its head.
        /// Yields: the end of `for (…) { … }`. Does not: `break;`.
        back_edge / BackEdgeRow "back_edge" [key 2] {
            /// Last point of the iteration.
            from: PointId,
            /// Head of the loop.
            to: PointId,
            /// The loop.
            loop_id: LoopId,
        }
        /// `loop(loop, launch, parent, head, condition, has_break, max_iterations)`: a loop. `condition` (of type `bool`) is true in each iteration that is executed, false at `iter = exit`; none when nothing is known. Its terms mention `iter(loop)`.
        /// Yields: `for (i = 0; i < n; i++) { }`. Does not: a loop that was unrolled by lowering.
        loop_ / LoopRow "loop" [dense] {
            /// This loop.
            loop_id: LoopId,
            /// Launch.
            launch: LaunchId,
            /// Innermost loop around it.
            parent: Option<LoopId>,
            /// Its head.
            head: PointId,
            /// Condition of being in iteration `iter(loop)`.
            condition: Option<TermId>,
            /// Whether it can be left other than by its condition (`break`, `return`, `goto`).
            has_break: bool,
            /// Upper bound on the number of its iterations when one is known.
            max_iterations: Option<u64>,
        }
        /// `repeats_while(loop, term)`: the term, decided at the end of each iteration, is true if another one follows, and false where the loop is left by its condition.
        /// Yields: `do { } while (atomicCAS(&lock, 0, 1) != 0);`. Does not: `while (c) { }`, whose condition is decided at its head.
        repeats_while / RepeatsWhileRow "repeats_while" [key 1] {
            /// Loop.
            loop_id: LoopId,
            /// Condition, of type `bool`.
            term: TermId,
        }
        /// `loop_variable(loop, name, term)`: a source variable that the loop changes, with its value at the head in iteration `iter(loop)`; for showing witnesses.
        /// Yields: `for (i = 3; …; i += 2)`: `3 + 2·iter`. Does not: a variable without a closed form.
        loop_variable / LoopVariableRow "loop_variable" [] {
            /// Loop.
            loop_id: LoopId,
            /// Variable.
            name: String,
            /// Its value.
            term: TermId,
        }
        /// `loop_at(point, loop)`: the point is inside the loop (its head included), one row for each enclosing loop.
        /// Yields: `for (…) { a[t] = 1; }`. Does not: what follows the loop.
        loop_at / LoopAtRow "loop_at" [key 2] {
            /// Point.
            point: PointId,
            /// An enclosing loop.
            loop_id: LoopId,
        }
        /// `called_at(point, position, span)`: the access or barrier at the point stands in a function that is lowered in place of its call: the calls through which it is reached, the kernel's own first.
        /// Yields: `s[t] = 1;` in `f` of a kernel that calls `f(s)`. Does not: `s[t] = 1;` in the kernel itself.
        called_at / CalledAtRow "called_at" [key 2] {
            /// Point.
            point: PointId,
            /// Position from 0, the call in the kernel first.
            position: u32,
            /// Place of the call.
            span: SpanId,
        }
        /// `guard_at(point, position, term, polarity, cause, cause_point)`: the conjuncts of the point's path condition, in program order.
        /// Yields: `if (t < n) a[t] = 1;`. Does not: `a[t] = 1;`.
        guard_at / GuardAtRow "guard_at" [key 2] {
            /// Point.
            point: PointId,
            /// Position from 0, outermost and earliest first.
            position: u32,
            /// Condition, of type `bool`.
            term: TermId,
            /// Value that it has.
            polarity: bool,
            /// Why.
            cause: GuardCause,
            /// The branch, loop head, return, break or continue.
            cause_point: PointId,
        }
        /// `break_at(point, loop)`: the break point leaves the loop when its guard holds.
        /// Yields: `if (c) break;`. Does not: `continue;`, `return;` (a point of kind return).
        break_at / BreakAtRow "break_at" [key 2] {
            /// Break point.
            point: PointId,
            /// Loop that it leaves.
            loop_id: LoopId,
        }
        /// `access(access, point, array, kind, operation, scope, index, bytes, value, volatile, span)`: a memory access.
        /// Yields: `s[t] = 1;`. Does not: `&s[t]`.
        access / AccessRow "access" [dense] {
            /// This access.
            access: AccessId,
            /// Its point.
            point: PointId,
            /// Array accessed.
            array: ArrayId,
            /// Read, write or atomic.
            kind: AccessKind,
            /// Atomic operation as spelled (`atomicAdd`), empty for plain accesses.
            operation: String,
            /// Among which threads the operation is atomic; `system` for plain accesses.
            scope: Scope,
            /// First byte accessed, from the start of the array, of type `i64`.
            index: TermId,
            /// Number of bytes accessed.
            bytes: u32,
            /// Value written when it is known.
            value: Option<TermId>,
            /// Whether it is volatile.
            volatile: bool,
            /// Place.
            span: SpanId,
        }
        /// `stored_part(access, start, bytes, value)`: of an object that a write stores at once, the scalar from this byte of the access on. A write with such rows has one for each scalar of its object: the other bytes of it have no value (padding).
        /// Yields: `o[t] = make_int2(t, 0);` two rows. Does not: `s[t] = 1;`, whose value is in `access`; an object with a union.
        stored_part / StoredPartRow "stored_part" [key 2] {
            /// The write.
            access: AccessId,
            /// First byte of the scalar, from the first byte of the access.
            start: u32,
            /// Its size in bytes.
            bytes: u32,
            /// Its value.
            value: TermId,
        }
        /// `barrier(barrier, point, kind, operation, mask, member, key, span)`: a barrier, or (`meet`, `collective`) an operation at which lanes or the threads of a block meet without any order of memory. It is for the threads of its kind for which `member` is true and that have one value of `key`; both are the same in all iterations, and functions of the thread and of what is uniform in the grid. Where a mask is given without `member`, which lanes it names is not known.
        /// Yields: `__syncthreads();`, `__syncwarp(m);`, `__shfl_sync(m, v, 0)`. Does not: `__threadfence();`.
        barrier / BarrierRow "barrier" [dense] {
            /// This barrier.
            barrier: BarrierId,
            /// Its point.
            point: PointId,
            /// Whom it brings together.
            kind: BarrierKind,
            /// The operation as it is called: `__syncthreads`, `__shfl_down_sync`, `sync`.
            operation: String,
            /// Mask of a warp barrier; none for all.
            mask: Option<TermId>,
            /// Whether the thread is one of those that it is for, of type `bool`; none for all.
            member: Option<TermId>,
            /// Which of several such groups the thread is in, an integer; none for one group.
            key: Option<TermId>,
            /// Place.
            span: SpanId,
        }
        /// `lock_step(launch, lanes)`: the threads of each warp run in lock-step, this many at a time. What is not 32 is not used: independent threads can do more.
        /// Yields: `//--warp-sync=32`. Does not: a kernel without it.
        lock_step / LockStepRow "lock_step" [key 1] {
            /// Launch.
            launch: LaunchId,
            /// Threads in step.
            lanes: u32,
        }
        /// `fence(point, scope, sequential)`: a memory fence, which synchronises nobody.
        /// Yields: `__threadfence();`. Does not: `__syncthreads();`.
        fence / FenceRow "fence" [key 1] {
            /// Point.
            point: PointId,
            /// Threads that see the order.
            scope: Scope,
            /// Whether it stands in one order with all others of its kind: `__threadfence()`, not `fence.acq_rel`.
            sequential: bool,
        }
        /// `assume(point, term, ends, certain)`: executions in which the term is false at the point are left out.
        /// Yields: `__builtin_assume(n > 0);`. Does not: `if (n > 0)`.
        assume / AssumeRow "assume" [] {
            /// Point.
            point: PointId,
            /// Condition, of type `bool`.
            term: TermId,
            /// Whether it says that a thread goes no further, as it ends the launch: `__trap();`.
            ends: bool,
            /// Whether it is true of every execution: it says which value an unknown has, not which executions are meant.
            certain: bool,
        }
        /// `launch_assume(launch, term, by_host)`: holds of the launch and its arguments in every execution.
        /// Yields: a launch bound `n = 4 * blocks`. Does not: `if (n > 0)`.
        launch_assume / LaunchAssumeRow "launch_assume" [] {
            /// Launch.
            launch: LaunchId,
            /// Condition over grid-uniform leaves, of type `bool`.
            term: TermId,
            /// Whether host code makes sure of it on the way to the launch.
            by_host: bool,
        }
        /// `launch_doubt(launch, reason)`: it is not known that the program makes this launch, or with these arguments: what is found of it is potential.
        /// Yields: a kernel that is handed to a function of another file. Does not: `k<<<1, 64>>>(p);`.
        launch_doubt / LaunchDoubtRow "launch_doubt" [] {
            /// Launch.
            launch: LaunchId,
            /// What was not followed, as told to the user.
            reason: String,
        }
        /// `assert(assert, point, term, kind, invariant, span)`: the term must hold whenever a thread gets to the point; a term that speaks of another thread, whenever two threads get there in the same iterations of the loops around it.
        /// Yields: `assert(i < n);`. Does not: `__builtin_assume(i < n);`.
        assert_ / AssertRow "assert" [dense] {
            /// This assertion.
            assert: AssertId,
            /// Point.
            point: PointId,
            /// Condition, of type `bool`.
            term: TermId,
            /// What it is part of.
            kind: AssertKind,
            /// The invariant that it is half of the proof of.
            invariant: Option<InvariantId>,
            /// Place of the condition; that of the point is where it is checked.
            span: SpanId,
        }
        /// `invariant(invariant, launch, loop, is_candidate, span)`: a condition that is said to hold in every iteration of a loop, or whenever a function is called that is used by its contract. It does if all assertions that refer to it hold, each under the invariants that hold.
        /// Yields: `for (…; __invariant(i >= 0), i < n; i++)`. Does not: `for (…; i < n; i++) { assert(i >= 0); f(); assert(i < n); }` the second.
        invariant / InvariantRow "invariant" [dense] {
            /// This invariant.
            invariant: InvariantId,
            /// Launch.
            launch: LaunchId,
            /// Loop; none for the contract of a function.
            loop_id: Option<LoopId>,
            /// A guess: one that does not hold is dropped and is no defect.
            is_candidate: bool,
            /// Place.
            span: SpanId,
        }
        /// `invariant_at(invariant, point, term)`: an invariant that holds says that the term is true whenever a thread gets to the point (two threads, as in `assert`).
        /// Yields: `for (…; __invariant(i >= 0), i < n; i++)` at the head and behind the loop. Does not: `assert(i < n);` behind a loop.
        invariant_at / InvariantAtRow "invariant_at" [] {
            /// Invariant.
            invariant: InvariantId,
            /// Point.
            point: PointId,
            /// Condition, of type `bool`.
            term: TermId,
        }
        /// `annotation_read(access, span)`: the access is a read that an annotation speaks of and nobody performs: it takes part in no race.
        /// Yields: `__requires(p[0] > 0);`. Does not: `assert(p[0] > 0);`, which the program evaluates.
        annotation_read / AnnotationReadRow "annotation_read" [key 1] {
            /// The read.
            access: AccessId,
            /// The annotation.
            span: SpanId,
        }
        /// `atomic_step(access, unknown, step, times)`: the atomic access adds the constant step, not 0, so many times to the integer that it finds, modulo 2ⁿ, and the unknown is what it found.
        /// Yields: `k = atomicAdd(&c, 1);`, `k = atomicAdd(&c, blockDim.x);`. Does not: `atomicMax(&c, 2);`, `atomicExch(&c, 1);`.
        atomic_step / AtomicStepRow "atomic_step" [key 1] {
            /// The access.
            access: AccessId,
            /// What it found.
            unknown: UnknownId,
            /// What it adds.
            step: i128,
            /// How many times, in the thread and the iteration of the access; none for once.
            times: Option<TermId>,
        }
        /// `vote_rank(unknown, vote, lane, voted, warp)`: the unknown is how many lanes of the warp below this lane voted true in the vote of the whole warp whose result is the other unknown.
        /// Yields: `v = __ballot_sync(~0u, p); r = __popc(v & ((1u << lane) - 1));`; with lane 32, `__popc(v)`. Does not: `__popc(v & m)`.
        vote_rank / VoteRankRow "vote_rank" [key 1] {
            /// The count.
            unknown: UnknownId,
            /// Result of the vote.
            vote: UnknownId,
            /// The lane: that of the thread, or the number of lanes.
            lane: TermId,
            /// What the lane voted (`bool`).
            voted: TermId,
            /// The thread's warp in its block.
            warp: TermId,
        }
        /// `lanes_together(rank, size, mask)`: at the point where these are made, all lanes of a warp that are there together have one value of size and mask, and each a rank of its own, below the size.
        /// Yields: `g = coalesced_threads(); g.thread_rank();`, `__activemask();`. Does not: the rank in a group of those that have one label, of which a warp may have several.
        lanes_together / LanesTogetherRow "lanes_together" [key 1] {
            /// The number of the lane among them.
            rank: UnknownId,
            /// How many they are.
            size: UnknownId,
            /// Which they are, if asked.
            mask: Option<TermId>,
        }
        /// `group_ticket(base, access, rank, size, member)`: the first unknown is what the atomic access found in one lane of a group of lanes that are together, where it added their number. All threads of the group have that access at the same element. The rank differs between those for which `member` is true, and is less than the number.
        /// Yields: `if (g.thread_rank() == 0) k = atomicAdd(c, g.size()); k = g.shfl(k, 0);`. Does not: `if (g.thread_rank() == 0) k = atomicAdd(c, 1); k = g.shfl(k, 0);`.
        group_ticket / GroupTicketRow "group_ticket" [key 1] {
            /// What is handed round.
            base: UnknownId,
            /// The access.
            access: AccessId,
            /// Number of the thread in the group.
            rank: TermId,
            /// Number of threads in the group.
            size: TermId,
            /// Whether the thread has a number, of type `bool`; none if all have.
            member: Option<TermId>,
        }
        /// `atomic_exchange(access, unknown, expected, value)`: the atomic access stores the value, if it finds the expected one or none is given, and the unknown is what it found.
        /// Yields: `old = atomicCAS(&lock, 0, 1);`, `atomicExch(&lock, 0);`. Does not: `atomicAdd(&lock, 1);`, one whose address is one of several.
        atomic_exchange / AtomicExchangeRow "atomic_exchange" [key 1] {
            /// The access.
            access: AccessId,
            /// What it found.
            unknown: UnknownId,
            /// What it must find to store the value, of the type of the element; none if it always does.
            expected: Option<TermId>,
            /// What it stores, of the type of the element.
            value: TermId,
        }
        /// `atomic_ticket(access, unknown, limit)`: the atomic access adds 1 to the integer that it finds, or, with a limit, stores 0 if it finds that or more (as unsigned numbers), and the unknown is what it found.
        /// Yields: `mine = atomicInc(&done, gridDim.x);`, `mine = atomicAdd(&done, 1);`. Does not: `atomicAdd(&done, 2);`, one whose address is one of several.
        atomic_ticket / AtomicTicketRow "atomic_ticket" [key 1] {
            /// The access.
            access: AccessId,
            /// What it found.
            unknown: UnknownId,
            /// Where it begins again; none for the largest number.
            limit: Option<TermId>,
        }
        /// `post_condition(launch, text, span)`: what is said to hold of every element behind the launch; `warplog ensures` proves it, and nothing rests on it.
        /// Yields: `// warplog: ensures for i: i < n => out[i] == 2 * old(in[i])`. Does not: `// warplog: distinct idx`.
        post_condition / PostConditionRow "post_condition" [] {
            /// Launch.
            launch: LaunchId,
            /// As it is written, without the word.
            text: String,
            /// Its kernel.
            span: SpanId,
        }
        /// `distinct_elements(array, elements, span)`: the elements that the array holds when the kernel begins are pairwise different: the first `elements`, or all.
        /// Yields: `// warplog: distinct idx`, host code that does `for (int i = 0; i < n; i++) idx[i] = i;` before the launch. Does not: `idx[t] != idx[t + 1]`.
        distinct_elements / DistinctElementsRow "distinct_elements" [key 1] {
            /// Array.
            array: ArrayId,
            /// How many elements, from the first on; all if empty.
            elements: Option<TermId>,
            /// Where it is said, or the kernel of which it is said.
            span: SpanId,
        }
        /// `ordered_elements(array, strictly, elements, span)`: the elements that the array holds when the kernel begins never become smaller with their position; or grow with each, by at least 1: the first `elements`, or all.
        /// Yields: `// warplog: sorted begin`, `__strictly_increasing(idx)`, an exclusive scan of `unsigned` before the launch. Does not: `__requires(begin[0] <= begin[1])`.
        ordered_elements / OrderedElementsRow "ordered_elements" [key 1] {
            /// Array.
            array: ArrayId,
            /// Whether they grow.
            strictly: bool,
            /// How many elements, from the first on; all if empty.
            elements: Option<TermId>,
            /// Where it is said, or the kernel of which it is said.
            span: SpanId,
        }
        /// `bounded_elements(array, least, most, elements, span)`: no element that the array holds when the kernel begins is less or more than these: of the first `elements`, or of all.
        /// Yields: `__bounded(key, 0, 15)`, `key[i] = i % 16` in host code before the launch. Does not: `__requires(key[0] < 16)`.
        bounded_elements / BoundedElementsRow "bounded_elements" [key 1] {
            /// Array.
            array: ArrayId,
            /// Smallest.
            least: i128,
            /// Largest.
            most: i128,
            /// How many elements, from the first on; all if empty.
            elements: Option<TermId>,
            /// Where it is said, or the kernel of which it is said.
            span: SpanId,
        }
        /// `copy_under_way(access, begun)`: the access stands for one by an asynchronous copy that is begun at the other: behind this point the copy may still happen, as the thread has not waited for it.
        /// Yields: `__pipeline_memcpy_async(&s[t], &p[t], 4); __syncthreads();` behind the barrier. Does not: the copy where it is begun.
        copy_under_way / CopyUnderWayRow "copy_under_way" [key 1] {
            /// What may still happen.
            access: AccessId,
            /// The access where the copy is begun.
            begun: AccessId,
        }
        /// `copy_met(assert, copy, access)`: the assertion says that the access of a thread touches no byte of that of an asynchronous copy of its own, which it has not waited for.
        /// Yields: `__pipeline_memcpy_async(&s[t], &p[t], 4); x = s[t];`. Does not: `__pipeline_wait_prior(0)` between the two.
        copy_met / CopyMetRow "copy_met" [key 1] {
            /// The assertion.
            assert: AssertId,
            /// The access of the copy.
            copy: AccessId,
            /// The access of the thread.
            access: AccessId,
        }
        /// `copy_access(access, bulk, completes)`: the access is one of an asynchronous copy where that is begun: it is made at some time from there on.
        /// Yields: `cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 64;` two rows. Does not: `out[t] = s[t];`.
        copy_access / CopyAccessRow "copy_access" [key 1] {
            /// The access.
            access: AccessId,
            /// Whether it is a bulk copy, which the asynchronous proxy makes; else it is `cp.async` or its kin.
            bulk: bool,
            /// The step at a barrier by which its bytes are counted; none if the thread itself waits for it, in groups or otherwise.
            completes: Option<PointId>,
        }
        /// `cluster_barrier(barrier)`: the threads of all blocks of the cluster come to the barrier, not only those of one block.
        /// Yields: `cg::this_cluster().sync();`. Does not: `__syncthreads();`.
        cluster_barrier / ClusterBarrierRow "cluster_barrier" [key 1] {
            /// The barrier.
            barrier: BarrierId,
        }
        /// `cluster_array(array)`: shared memory that other blocks of the cluster reach, or its name in those: it is counted from that of the first block of the grid on.
        /// Yields: `cluster.map_shared_rank(s, 1)[t] = 0;` two rows. Does not: `s[t] = 0;`.
        cluster_array / ClusterArrayRow "cluster_array" [key 1] {
            /// The array.
            array: ArrayId,
        }
        /// `proxy_fence(point, shared, global)`: a fence between the accesses of threads and those of the asynchronous proxy.
        /// Yields: `fence.proxy.async.shared::cta;`. Does not: `__threadfence_block();`.
        proxy_fence / ProxyFenceRow "proxy_fence" [key 1] {
            /// Point.
            point: PointId,
            /// Whether it is for shared memory.
            shared: bool,
            /// Whether it is for global memory.
            global: bool,
        }
        /// `phase_step(point, step, object, index, amount, parity, access)`: the thread does this at a barrier that ends a phase whenever so many arrivals were counted: at an object in memory, by its first byte, or at a named barrier of the block, by its number.
        /// Yields: `asm("bar.arrive 1, 64;");`, `asm("mbarrier.arrive.shared.b64 _, [%0];" :: "r"(bar));`. Does not: `__syncthreads();`.
        phase_step / PhaseStepRow "phase_step" [key 1] {
            /// Point.
            point: PointId,
            /// What is done.
            step: PhaseStep,
            /// Memory in which the object lies; none for a named barrier.
            object: Option<ArrayId>,
            /// First byte of the object, from the start of the array, or the number of the named barrier.
            index: TermId,
            /// Arrivals that end a phase, for `init` and at named barriers; bytes, of what is expected and completed, if they are known; else how many arrivals this is, one without.
            amount: Option<TermId>,
            /// Parity of the phase that is waited for.
            parity: Option<TermId>,
            /// The access to the object that this is.
            access: Option<AccessId>,
        }
        /// `memory_order(access, acquires, releases)`: the atomic access is an acquire, or a release, or both, for the threads of its scope.
        /// Yields: `flag.store(1, cuda::memory_order_release);`. Does not: `atomicExch(&flag, 1);`.
        memory_order / MemoryOrderRow "memory_order" [key 1] {
            /// The access.
            access: AccessId,
            /// Whether what follows comes behind what it reads from.
            acquires: bool,
            /// Whether what precedes comes before what reads from it.
            releases: bool,
        }
        /// `unsupported(launch, span, what, why, effect)`: a construct that lowering does not model.
        /// Yields: `asm("…");`. Does not: `x = t;`.
        unsupported / UnsupportedRow "unsupported" [] {
            /// Launch; none when it stands outside the kernels that were found.
            launch: Option<LaunchId>,
            /// Place.
            span: SpanId,
            /// The construct.
            what: String,
            /// Why it is not modelled, or what it may do.
            why: String,
            /// What it may hide.
            effect: Effect,
        }
    }
}

relations! {
    /// The terms as relations: how the term DAG stands in files. In memory it is a
    /// [`TermStore`](crate::TermStore).
    TermRelations {
        /// `term(term, op, ty, payload)`: a node of the term DAG; its arguments have smaller ids.
        /// Yields: `t + 1`. Does not: a statement.
        term / TermRow "term" [dense] {
            /// This term.
            term: TermId,
            /// Operator.
            op: Op,
            /// C type of its value.
            ty: CType,
            /// Constant, base or raw id, see the operators.
            payload: i128,
        }
        /// `term_arg(term, position, arg)`: an argument of a term.
        /// Yields: `t + 1` two rows. Does not: `t`.
        term_arg / TermArgRow "term_arg" [key 2] {
            /// Term.
            term: TermId,
            /// Position from 0.
            position: u32,
            /// Argument.
            arg: TermId,
        }
    }
}
