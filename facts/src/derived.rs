//! The derived relations: what the Datalog rules conclude, each row with its evidence ids.
//!
//! They are declared here so that rules, solver bridge and exports share one declaration. The
//! rules that derive them are in the `rules` crate.

use crate::ids::*;
use crate::relation::relations;
use crate::words::*;

relations! {
    /// Everything that the rules derive from a fact set, sorted.
    Derived {
        /// `depends_on(term, source, via)`: the term's value depends on the source, by data or by control flow, through the term `via` (itself for leaves).
        /// Yields: `2 * threadIdx.x` on tid. Does not: `n + 1`.
        depends_on / DependsOnRow "depends_on" [] {
            /// Term.
            term: TermId,
            /// Source.
            source: Source,
            /// Immediate argument or dependence through which.
            via: TermId,
        }
        /// `uniform(term, scope, rule)`: at equal iterations of the loops around it, the term has one value for all threads of the scope.
        /// Yields: `blockIdx.x` in a block. Does not: `threadIdx.x`, a load that another thread may overwrite.
        uniform / UniformRow "uniform" [] {
            /// Term.
            term: TermId,
            /// Largest scope in which it is uniform: warp, block or grid.
            scope: Scope,
            /// Rule that showed it.
            rule: String,
        }
        /// `tid_independent_condition(point, position, scope, rule)`: the guard conjunct (TIC) is uniform.
        /// Yields: `if (n > 4)`. Does not: `if (t < n)`.
        tid_independent_condition / TidIndependentConditionRow "tid_independent_condition" [key 2] {
            /// Point guarded.
            point: PointId,
            /// Position of the conjunct in `guard_at`.
            position: u32,
            /// Scope in which it is uniform.
            scope: Scope,
        }
        /// `tid_dependent_condition(point, position, term)`: the guard conjunct (TDC) may differ between threads of a block.
        /// Yields: `if (t < n)`. Does not: `if (n > 4)`.
        tid_dependent_condition / TidDependentConditionRow "tid_dependent_condition" [key 2] {
            /// Point guarded.
            point: PointId,
            /// Position of the conjunct in `guard_at`.
            position: u32,
            /// Its term.
            term: TermId,
        }
        /// `flow_of(access, flow)`: the parametric flow of the access: the class of threads that take the same tid-dependent branches. Flows are numbered per launch.
        /// Yields: `if (t < n) a[t] = 1; else b[t] = 2;` two flows. Does not: `if (n) a[t] = 1;` a flow of its own.
        flow_of / FlowOfRow "flow_of" [key 1] {
            /// Access.
            access: AccessId,
            /// Flow, from 0 within its launch: 0 is taken by all threads.
            flow: u32,
        }
        /// `inside(scope, groups, head, point, carried, repeated)`: a run reaches the point from the head (kernel entry or a barrier of the scope) without crossing another barrier of the scope; in the same iteration of the loops around both, or (`carried`) after crossing back edges, the outermost of them of that loop: then it is in the next iteration of it, or (`repeated`) in any later one.
        /// Yields: `for (…) { __syncthreads(); a[t] = 1; }`: the access from the barrier, not carried. Does not: `b(); __syncthreads(); a[t] = 1;` from the entry.
        inside / InsideRow "inside" [] {
            /// Whose barriers count.
            scope: Scope,
            /// Which groups of the launch both threads are in, as bits: their barriers count, too.
            groups: u32,
            /// Point of the head: the entry or a barrier.
            head: PointId,
            /// Point reached.
            point: PointId,
            /// Outermost loop around head and point whose back edge was crossed.
            carried: Option<LoopId>,
            /// Whether its back edge may have been crossed more than once.
            repeated: bool,
        }
        /// `skips(scope, groups, head, point, carried, barrier, place)`: the way from head to point passes the place of this barrier without executing it, so its guard is false in the iteration of the head or of the point.
        /// Yields: `__syncthreads(); if (c) __syncthreads(); a[t] = 1;`. Does not: a barrier in another loop.
        skips / SkipsRow "skips" [] {
            /// Whose barriers count.
            scope: Scope,
            /// As in `inside`.
            groups: u32,
            /// Point of the head.
            head: PointId,
            /// Point reached.
            point: PointId,
            /// As in `inside`.
            carried: Option<LoopId>,
            /// Point of the skipped barrier.
            barrier: PointId,
            /// In whose iteration its guard is false.
            place: Place,
        }
        /// `stable(array, head, scope)`: no thread of the scope writes the storage of the array in the interval of the head; without a head: in the whole kernel.
        /// Yields: `const int *q` that nothing writes. Does not: an array written in the same interval.
        stable / StableRow "stable" [] {
            /// Array.
            array: ArrayId,
            /// Head of the interval; none for the whole kernel.
            head: Option<PointId>,
            /// Block: no thread of the block; grid: no thread of the grid.
            scope: Scope,
        }
        /// `stable_load(access, scope)`: two threads of the scope that read at this access in equal iterations (and for the grid: at any accesses to the array, ever) at equal byte offsets read equal values.
        /// Yields: `q[i]` of an array that nothing writes. Does not: `s[i]` while another thread may write it.
        stable_load / StableLoadRow "stable_load" [key 1] {
            /// The reading access.
            access: AccessId,
            /// Scope: block, or grid when nothing in the kernel ever writes the array.
            scope: Scope,
        }
        /// `distinct_results(first, second, scope, same_rounds, apart, times, own)`: two executions of these atomics, by different threads of the scope and on one element, find values at least so far apart; with `same_rounds` only in equal iterations of the loops around them in which a barrier stands; with `own` the smaller one by at least what its execution adds.
        /// Yields: `k = atomicAdd(&c, 1);` where nothing else changes c. Does not: the same with `if (k == 9) c = 0;` behind it.
        distinct_results / DistinctResultsRow "distinct_results" [key 2] {
            /// An atomic access.
            first: AccessId,
            /// It again, or a later one.
            second: AccessId,
            /// Block or grid.
            scope: Scope,
            /// Whether only in one round of the barriers.
            same_rounds: bool,
            /// The constant that they add, without its sign.
            apart: i128,
            /// Times this number; none for once. Of use where it is at least 1.
            times: Option<TermId>,
            /// Whether each execution adds a number of its own, never less than 0.
            own: bool,
        }
        /// `counted_result(access, least, step)`: the atomic finds at least the value that the counter was given right before the barrier that begins its interval, and less than that plus this step for each thread of the block.
        /// Yields: `if (t == 0) c = 0; __syncthreads(); k = atomicAdd(&c, 1);`. Does not: a counter in global memory.
        counted_result / CountedResultRow "counted_result" [key 1] {
            /// The atomic access.
            access: AccessId,
            /// Smallest value that it finds.
            least: i128,
            /// How much the threads add to it, each.
            step: i128,
        }
        /// `counted_total(access, counter, least)`: behind a barrier the read finds at least what the atomic found plus its step, in one block and in equal iterations of the loops around the atomic; and at least the least value.
        /// Yields: `if (t == 0) c = 0; __syncthreads(); atomicAdd(&c, 1); __syncthreads(); n = c;`. Does not: the same with `c = 0;` before the read.
        counted_total / CountedTotalRow "counted_total" [key 2] {
            /// The read.
            access: AccessId,
            /// The atomic access.
            counter: AccessId,
            /// What the counter was given before.
            least: i128,
        }
        /// `taken_once(first, second, scope, same_rounds, value, every, rests_on_ids)`: two executions of these atomic exchanges, by different threads of the scope and on one element, do not both find the value; with `every`, not both another one than that; with `same_rounds` only in equal iterations of the loops around them in which a barrier stands.
        /// Yields: `won = atomicCAS(&mark[v], 0, 1) == 0;` where nothing else changes mark. Does not: the same with `atomicExch(&mark[v], 0);` behind it.
        taken_once / TakenOnceRow "taken_once" [key 2] {
            /// An atomic exchange.
            first: AccessId,
            /// It again, or a later one.
            second: AccessId,
            /// Block or grid.
            scope: Scope,
            /// Whether only in one round of the barriers.
            same_rounds: bool,
            /// The value.
            value: i128,
            /// Whether it is the only one that both may find.
            every: bool,
            /// Whether this holds only as long as global thread ids do not wrap.
            rests_on_ids: bool,
        }
        /// `settled_loads(first, second, rounds)`: two reads of one element of shared memory, between which nothing changes it: threads of a block find the same in equal iterations of the outermost loops around them, so many. Of reads that an annotation speaks of, and those that they are compared with, the places are open: they find the same where these are equal.
        /// Yields: `__syncthreads(); if (t == 0) m = c; __syncthreads(); n = c;`. Does not: the same with `atomicAdd(&c, 1);` in between.
        settled_loads / SettledLoadsRow "settled_loads" [key 2] {
            /// A read.
            first: AccessId,
            /// It again, or one that can follow it.
            second: AccessId,
            /// The number of loops.
            rounds: u32,
        }
        /// `forwarded_load(access, write, value, across_blocks)`: where the read is executed, and what `forwarded_when` asks for holds, it finds the value that the write stored before, as the term has it in the reading thread and its iterations. With `across_blocks` the term stands for the one thread of the block that wrote it: of use only for two threads of different blocks.
        /// Yields: `s[t] = 2 * t; __syncthreads(); x = s[t];`. Does not: the same with `s[63 - t] = 0; __syncthreads();` in between.
        forwarded_load / ForwardedLoadRow "forwarded_load" [key 2] {
            /// The reading access.
            access: AccessId,
            /// The write.
            write: AccessId,
            /// The value, of the type of the read.
            value: TermId,
            /// Whether only between blocks.
            across_blocks: bool,
        }
        /// `forwarded_when(access, write, term, polarity)`: the read finds what the write stored only where this condition is true, or false, in the thread that reads.
        /// Yields: `if (t == 0) { if (k) n = 1; else n = 2; } __syncthreads(); x = n;`, k for the first write; `if (c) s[t] = 1; x = s[t];`, c. Does not: t == 0, which some thread satisfies.
        forwarded_when / ForwardedWhenRow "forwarded_when" [key 4] {
            /// The reading access.
            access: AccessId,
            /// The write.
            write: AccessId,
            /// The condition.
            term: TermId,
            /// Whether it is true.
            polarity: bool,
        }
        /// `prefix_sum(launch, sum, operation, array, bytes, least, most, rounds)`: in each block, S is the sum (or, by the operation, the largest, or all the bits) of the numbers that its threads store to the elements of the array below an element, in one interval between barriers and in equal iterations of the outermost loops around, so many. Without an array, element i is the number that the thread of rank i of the block hands to the others. Sums are numbered per launch.
        /// Yields: `s[t] = flag; __syncthreads(); for (…) … s[t] += x; …`, S of the flags. Does not: `if (flag) s[t] = 1;`.
        prefix_sum / PrefixSumRow "prefix_sum" [key 2] {
            /// Launch.
            launch: LaunchId,
            /// The sum, numbered per launch.
            sum: u32,
            /// How the numbers are combined: `sum`, `max` or `or`; of no numbers that is 0.
            operation: String,
            /// The array; none for numbers that threads hand to others.
            array: Option<ArrayId>,
            /// Size of an element in bytes.
            bytes: u32,
            /// Smallest number that is stored, at least 0.
            least: i128,
            /// Largest number that is stored.
            most: i128,
            /// The number of loops.
            rounds: u32,
        }
        /// `prefix_summand(launch, sum, access)`: what the write stores is the summand of the element that it writes, if it is executed.
        /// Yields: `s[t] = flag;`. Does not: `s[t] += x;` behind it.
        prefix_summand / PrefixSummandRow "prefix_summand" [key 3] {
            /// Launch.
            launch: LaunchId,
            /// The sum.
            sum: u32,
            /// The write.
            access: AccessId,
        }
        /// `prefix_handed(launch, sum, term, point)`: the summand of element i is what the term is in the thread of rank i of the block, if it comes to the point.
        /// Yields: `__shfl_up_sync(~0u, flag, 1)` on `flag`. Does not: the shuffles behind it, of sums.
        prefix_handed / PrefixHandedRow "prefix_handed" [key 4] {
            /// Launch.
            launch: LaunchId,
            /// The sum.
            sum: u32,
            /// The number that is handed.
            term: TermId,
            /// Where.
            point: PointId,
        }
        /// `sum_at_load(access, launch, sum, upper_step, upper, segment, lower, slope, plus, first, end)`: where it reads element i, first ≤ i < end, the read finds plus + slope·i + S(u) − S(l), with u = upper, plus, if the step is not 0, the largest multiple of it up to i, and l = lower, plus, if the segment is not 0, the largest multiple of it up to i. Without a sum, just plus + slope·i.
        /// Yields: `x = s[t];` behind an inclusive prefix sum: S(t + 1) − S(0). Does not: the same where one element is left out.
        sum_at_load / SumAtLoadRow "sum_at_load" [key 1] {
            /// The reading access.
            access: AccessId,
            /// Its launch.
            launch: LaunchId,
            /// The sum, if there is one.
            sum: Option<u32>,
            /// In steps of how many elements the upper end moves; 0 if it stays.
            upper_step: i128,
            /// The upper end.
            upper: i128,
            /// Size of the segments in which sums begin anew; 0 for none.
            segment: i128,
            /// The lower end.
            lower: i128,
            /// Factor of the element.
            slope: i128,
            /// Constant.
            plus: i128,
            /// First element of which this is said.
            first: i128,
            /// Element behind the last.
            end: i128,
        }
        /// `sum_at_term(launch, term, point, sum, upper_step, upper, segment, lower, slope, plus, first, end)`: the same of a term, wherever the thread of rank i of its block comes to the point.
        /// Yields: `x` behind a prefix sum of a warp made of shuffles: S(i + 1) − S(32·⌊i / 32⌋). Does not: the same where one of the shuffles is left out.
        sum_at_term / SumAtTermRow "sum_at_term" [key 3] {
            /// The launch.
            launch: LaunchId,
            /// The term.
            term: TermId,
            /// Where this is said of it.
            point: PointId,
            /// The sum, if there is one.
            sum: Option<u32>,
            /// In steps of how many ranks the upper end moves; 0 if it stays.
            upper_step: i128,
            /// The upper end.
            upper: i128,
            /// Size of the segments in which sums begin anew; 0 for none.
            segment: i128,
            /// The lower end.
            lower: i128,
            /// Factor of the rank.
            slope: i128,
            /// Constant.
            plus: i128,
            /// First rank of which this is said.
            first: i128,
            /// Rank behind the last.
            end: i128,
        }
        /// `same_in_lanes(launch, term, point, lanes)`: in equal iterations of the loops around the point, the term has one value for those threads of each group of so many, consecutive by rank in the block, that come to the point.
        /// Yields: `v` behind `v = max(v, __shfl_xor_sync(~0u, v, d));` for 16, 8, 4, 2 and 1: 32 lanes. Does not: the same without 16: 16 lanes.
        same_in_lanes / SameInLanesRow "same_in_lanes" [key 3] {
            /// The launch.
            launch: LaunchId,
            /// The term.
            term: TermId,
            /// Where this is said of it.
            point: PointId,
            /// Number of threads of a group; that of the block, or more, for all.
            lanes: i128,
        }
        /// `thread_private(array)`: every access to the array by a thread stays within a part of it that no other thread touches.
        /// Yields: `int a[4];` as a local. Does not: `__shared__ int s[64];` read across.
        thread_private / ThreadPrivateRow "thread_private" [key 1] {
            /// Array.
            array: ArrayId,
            /// Rule that showed it.
            rule: String,
        }
        /// `affine(access, form)`: the byte offset is affine in the thread index with constant coefficients, plus a part that is uniform in the block.
        /// Yields: `s[2 * threadIdx.x + n]`. Does not: `s[t * t]`.
        affine / AffineRow "affine" [key 1] {
            /// Access.
            access: AccessId,
            /// The normal form, for people.
            form: String,
        }
        /// `conflict_degree(access, answer, degree, condition, weight)`: the worst request of the access to shared memory takes so many turns; with `cannot_tell` at most so many. Only where costs are asked for.
        /// Yields: `s[32 * threadIdx.x]` with 32. Does not: an access to global memory.
        conflict_degree / ConflictDegreeRow "conflict_degree" [key 1] {
            /// Access.
            access: AccessId,
            /// What the count is.
            answer: CostAnswer,
            /// Turns of the fullest bank; 1 is free of conflicts.
            degree: u32,
            /// On which sizes it depends, empty if on none.
            condition: String,
            /// How often the access is requested, in words.
            weight: String,
            /// The same as a number, if it is one.
            requests: Option<u64>,
        }
        /// `request_sectors(access, answer, sectors, fewest, lines, bytes, condition, weight)`: the worst request of the access to global memory touches so many sectors of 32 bytes. Only where costs are asked for.
        /// Yields: `g[8 * t]` with 32. Does not: an access to shared memory.
        request_sectors / RequestSectorsRow "request_sectors" [key 1] {
            /// Access.
            access: AccessId,
            /// What the count is.
            answer: CostAnswer,
            /// Sectors touched.
            sectors: u32,
            /// The fewest that hold the bytes.
            fewest: u32,
            /// Lines of 128 bytes touched.
            lines: u32,
            /// Distinct bytes that the lanes want.
            bytes: u32,
            /// On which sizes it depends, empty if on none.
            condition: String,
            /// How often the access is requested, in words.
            weight: String,
            /// The same as a number, if it is one.
            requests: Option<u64>,
        }
        /// `divergent_at(point, term, answer, divergent, warps, serialised)`: lanes of one warp differ on the condition decided at the point. Only where costs are asked for.
        /// Yields: `if (threadIdx.x % 2)`. Does not: `if (threadIdx.x / 32 % 2)` in a block of one axis.
        divergent_at / DivergentAtRow "divergent_at" [key 2] {
            /// Where it is decided.
            point: PointId,
            /// The condition.
            term: TermId,
            /// What the count is.
            answer: CostAnswer,
            /// Warps, each time that one comes there, in which lanes differ.
            divergent: u64,
            /// Warps, each time that one comes there.
            warps: u64,
            /// Accesses of both sides that are then made one after the other; 0 if one side has none.
            serialised: u32,
        }
        /// `candidate_race(first, second, scope, head, …)`: two accesses, at least one of which writes, to the same storage, that some two threads may perform with no barrier between; for the solver to decide. With a head both are in its interval, each carried or not as in `inside`. With `exit` the first thread leaves the kernel at that return after the first access without another barrier, and the second access may be in any later interval. With neither (scope grid without a grid barrier, and the head is the entry) iterations are free.
        /// Yields: `s[t] = s[t + 1];`. Does not: `s[t] = 1; __syncthreads(); x = s[0];`.
        candidate_race / CandidateRaceRow "candidate_race" [] {
            /// Launch.
            launch: LaunchId,
            /// First access.
            first: AccessId,
            /// Second access; equal to the first for an access against itself in another thread.
            second: AccessId,
            /// Which pairs of threads.
            scope: PairScope,
            /// Which groups of the launch both threads are in, as bits; of the others they are not both.
            groups: u32,
            /// Head of the common interval.
            head: PointId,
            /// Loop round whose back edge the first access is reached from the head.
            first_carried: Option<LoopId>,
            /// Whether more than once.
            first_repeated: bool,
            /// Loop round whose back edge the second access is reached from the head.
            second_carried: Option<LoopId>,
            /// Whether more than once.
            second_repeated: bool,
            /// Return point by which the first thread leaves.
            exit: Option<PointId>,
            /// What lock-step warps would make of it.
            lock_step: LockStep,
            /// Point around which the loops must be in the same iterations for that; if `loose`, for diverged arms.
            around: Option<PointId>,
        }
        /// `under_lock(access, taking, free, holder)`: whenever the access is made, a lock is held that the taking, among others, takes if it finds the value of a free one, with fences behind the taking and before the release.
        /// Yields: `g[0] += 1;` in `while (atomicCAS(&lock, 0, 1) != 0); __threadfence(); … __threadfence(); atomicExch(&lock, 0);`. Does not: the same without a fence, or where the loop is left by a `break` as well.
        under_lock / UnderLockRow "under_lock" [] {
            /// The access.
            access: AccessId,
            /// A taking of the lock.
            taking: AccessId,
            /// What a free lock holds.
            free: i128,
            /// Who holds it.
            holder: Holder,
        }
        /// `ticket_order(access, draw, side, fenced)`: each block draws at most one ticket, and the block that draws the last one knows that it did: whenever the access is made, its block has not drawn yet, with a fence between, or it has drawn the last one before.
        /// Yields: `out[b] = s;` before `__threadfence(); last = atomicInc(&done, gridDim.x) == gridDim.x - 1;`, and what stands in `if (last)`. Does not: the same without the fence, or where each thread draws.
        ticket_order / TicketOrderRow "ticket_order" [] {
            /// The access.
            access: AccessId,
            /// The drawing.
            draw: AccessId,
            /// Where the access stands to it.
            side: TicketSide,
            /// Whether a fence stands between the two.
            fenced: bool,
        }
        /// `protected(first, second, scope, protocol, operation, modelled, several)`: the two accesses of a candidate look like ones that a protocol orders, and no rule shows that it does.
        /// Yields: `g[0] += 1;` between the taking of a lock and its release behind a fence, where each block has a lock of its own. Does not: the same without the fence.
        protected / ProtectedRow "protected" [] {
            /// First access of the candidate.
            first: AccessId,
            /// Second access of it.
            second: AccessId,
            /// Its threads.
            scope: PairScope,
            /// The protocol.
            protocol: Protocol,
            /// The atomic operation that takes the lock or draws the ticket.
            operation: AccessId,
            /// Whether the launch has such protocols modelled: then a race of the pair is potential, and undecided otherwise.
            modelled: bool,
            /// Whether each thread chooses its lock or its counter: a race is then one of two threads that choose different ones.
            several: bool,
        }
        /// `phase_order(first, second, first_loop, second_loop, always, lag)`: what a thread does at the first access, in iteration i of the outermost loop around it, happens before what any other thread of its block does at the second, in iteration j, if j ≥ i + lag, or always, as the one arrives at a barrier whose phase the other waits for. Without a loop the iteration is 0.
        /// Yields: `if (t < 32) { s[t] = 1; bar.arrive 1, 64; } else { bar.sync 1, 64; x = s[t - 32]; }`. Does not: the same with two numbers of barriers.
        phase_order / PhaseOrderRow "phase_order" [] {
            /// What comes first.
            first: AccessId,
            /// What comes behind it.
            second: AccessId,
            /// The outermost loop around the first.
            first_loop: Option<LoopId>,
            /// The outermost loop around the second.
            second_loop: Option<LoopId>,
            /// Whether in all iterations.
            always: bool,
            /// By how many iterations at least the second must be ahead, if not.
            lag: i128,
        }
        /// `endless_wait(point, object, index, parity, x, y, z, …)`: the thread waits there for ever for a phase for which too few arrive.
        /// Yields: `mbarrier.init` of a barrier for 64 arrivals, at which 32 threads arrive and one waits. Does not: the same for 32 arrivals.
        endless_wait / EndlessWaitRow "endless_wait" [] {
            /// The wait.
            point: PointId,
            /// Memory in which the object lies; none for a named barrier.
            object: Option<ArrayId>,
            /// First byte of the object, or the number of the named barrier.
            index: i128,
            /// Parity of the phase that is waited for.
            parity: Option<u64>,
            /// `threadIdx.x` of a thread that waits.
            x: i128,
            /// `threadIdx.y`.
            y: i128,
            /// `threadIdx.z`.
            z: i128,
            /// Phases of the object that have ended.
            ended: i128,
            /// Arrivals of its phase so far.
            arrived: i128,
            /// Arrivals that end a phase.
            counted: i128,
            /// Bytes that are expected and that nobody brings.
            bytes: i128,
            /// What parameters whose values are open are in this run.
            open: i128,
            /// Whether it hangs with every number that is tried, and the steps of the block are the same whatever the caller decides.
            always: bool,
        }
        /// `flag_order(access, raised, is_before)`: the access is made only before the one store to a flag that the other is, or only behind a wait for it.
        /// Yields: `data[t] = x;` before `__syncthreads(); if (t == 0) flag.store(1);` of one block. Does not: the same without the barrier.
        flag_order / FlagOrderRow "flag_order" [] {
            /// The access.
            access: AccessId,
            /// The store to the flag.
            raised: AccessId,
            /// Whether it comes before.
            is_before: bool,
        }
        /// `may_wait(loop_id)`: how long the loop goes on may depend on what other threads do meanwhile, and an order may follow from that it was left.
        /// Yields: `while (true) { if (atomicAdd(flag, 0) != 0) break; } __threadfence();`. Does not: the same without any fence in the kernel; `for (i = 0; i < n; i++)`.
        may_wait / MayWaitRow "may_wait" [] {
            /// The loop.
            loop_id: LoopId,
        }
        /// `group_of(launch, group, barrier)`: the group of this number of the launch is made of the threads that the barrier is for; barriers with the same membership are for one group.
        /// Yields: `__syncwarp(0xffff);`. Does not: `__syncwarp();`.
        group_of / GroupOfRow "group_of" [] {
            /// Launch.
            launch: LaunchId,
            /// Number of the group, from 0: a bit of `groups`.
            group: u32,
            /// A barrier of it.
            barrier: BarrierId,
        }
        /// `discarded_race(…, rule, evidence)`: a pair that would be a candidate, discharged by the named rule.
        /// Yields: `s[t] = 1;` against itself in a 1-D block. Does not: `s[0] = t;`.
        discarded_race / DiscardedRaceRow "discarded_race" [] {
            /// Launch.
            launch: LaunchId,
            /// First access.
            first: AccessId,
            /// Second access.
            second: AccessId,
            /// Which pairs of threads.
            scope: PairScope,
            /// As in `candidate_race`.
            groups: u32,
            /// Head of the common interval.
            head: PointId,
            /// As in `candidate_race`.
            first_carried: Option<LoopId>,
            /// As in `candidate_race`.
            first_repeated: bool,
            /// As in `candidate_race`.
            second_carried: Option<LoopId>,
            /// As in `candidate_race`.
            second_repeated: bool,
            /// As in `candidate_race`.
            exit: Option<PointId>,
            /// Rule that discharged it.
            rule: String,
            /// A term that the rule rests on, when there is one.
            evidence: Option<TermId>,
        }
        /// `same_access(access, representative)`: the access equals the representative in array, byte offset, size, kind, value, guard and place between barriers, so only the representative stands in candidates.
        /// Yields: `x = q[t] + q[t];` the second. Does not: `x = q[t]; __syncthreads(); y = q[t];`.
        same_access / SameAccessRow "same_access" [key 1] {
            /// Access.
            access: AccessId,
            /// The access that stands for it.
            representative: AccessId,
        }
        /// `candidate_divergence(barrier, cause, cause_point, position)`: two threads of the barrier's group may disagree at the cause about reaching the barrier; for the solver to decide.
        /// Yields: `if (t < n) __syncthreads();`. Does not: `if (n > 4) __syncthreads();`.
        candidate_divergence / CandidateDivergenceRow "candidate_divergence" [] {
            /// Launch.
            launch: LaunchId,
            /// Barrier.
            barrier: BarrierId,
            /// Kind of disagreement.
            cause: GuardCause,
            /// The branch, loop head, return, break or continue.
            cause_point: PointId,
            /// Position of the conjunct in the barrier's guard; none for a leaving in an earlier iteration.
            position: Option<u32>,
        }
        /// `discarded_divergence(barrier, cause, cause_point, rule, evidence)`: threads cannot disagree there, by the named rule.
        /// Yields: `if (n > 4) __syncthreads();`. Does not: `if (t < n) __syncthreads();`.
        discarded_divergence / DiscardedDivergenceRow "discarded_divergence" [] {
            /// Launch.
            launch: LaunchId,
            /// Barrier.
            barrier: BarrierId,
            /// Kind of disagreement.
            cause: GuardCause,
            /// The branch, loop head, return, break or continue.
            cause_point: PointId,
            /// Rule.
            rule: String,
            /// Condition that is uniform.
            evidence: Option<TermId>,
        }
    }
}

impl DiscardedRaceRow {
    /// The pair as the candidate that it would be if no rule had discharged it.
    pub fn as_candidate(&self, lock_step: LockStep) -> CandidateRaceRow {
        CandidateRaceRow {
            launch: self.launch,
            first: self.first,
            second: self.second,
            scope: self.scope,
            groups: self.groups,
            head: self.head,
            first_carried: self.first_carried,
            first_repeated: self.first_repeated,
            second_carried: self.second_carried,
            second_repeated: self.second_repeated,
            exit: self.exit,
            lock_step,
            around: None,
        }
    }
}
