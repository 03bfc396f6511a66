//! The closed vocabularies of the schema: what may stand in a column of words.

use crate::column::words;

/// The operation of the access by which a thread arrives at a barrier that is an object.
pub const ARRIVE: &str = "arrive";

/// How the names of arrays begin that stand for what several threads allocate, each for itself: one array for all of them, though no
/// two share a byte until one reads the pointer of another.
pub const OF_EACH_THREAD: &str = "memory of each thread from ";

/// A vocabulary, for the schema page.
pub trait Words {
    /// Name of the column type.
    const NAME: &'static str;
    /// Each word with its meaning.
    const WORDS: &'static [(&'static str, &'static str)];
}

impl BarrierKind {
    /// Whether it orders memory, and is not only met at.
    pub fn orders(self) -> bool {
        !matches!(self, BarrierKind::Meet | BarrierKind::Collective)
    }
}

words! {
    /// Where a launch comes from.
    LaunchSource {
        /// A launch in host code of the unit: `k<<<4, 64>>>(d)`.
        Code = "code",
        /// Flags of the command line: `--block-dim 64`.
        Flag = "flag",
        /// The header line of the file: `//--blockDim=64`.
        Header = "header",
        /// A comment at the kernel: `// warplog: launch block=64`.
        Comment = "comment",
        /// The configuration, `warplog.toml`.
        Configuration = "configuration",
        /// No launch known: dimensions are symbolic within hardware limits.
        Symbolic = "symbolic",
    }
    /// A dimension of a launch.
    Dimension {
        /// blockDim.x
        BlockX = "block_x",
        /// blockDim.y
        BlockY = "block_y",
        /// blockDim.z
        BlockZ = "block_z",
        /// gridDim.x
        GridX = "grid_x",
        /// gridDim.y
        GridY = "grid_y",
        /// gridDim.z
        GridZ = "grid_z",
    }
    /// What a uniform symbol stands for.
    SymbolKind {
        /// A scalar parameter of the kernel.
        Parameter = "parameter",
        /// A template value parameter.
        Template = "template",
        /// A value of the host code at the launch: an input of the program, or of the function that launches.
        Host = "host",
        /// A value that host code computes before the launch, in a way that is not followed: not every value may be possible.
        Computed = "computed",
        /// A non-null pointer parameter compared as a value, or another opaque uniform value.
        Opaque = "opaque",
    }
    /// The memory space of an array.
    Space {
        /// Global memory: one object per grid.
        Global = "global",
        /// Shared memory: one object per block.
        Shared = "shared",
        /// Local memory: one object per thread; its accesses never conflict.
        Local = "local",
        /// Constant memory: never written by a kernel.
        Constant = "constant",
    }
    /// What stands at a point.
    PointKind {
        /// Entry of the kernel.
        Entry = "entry",
        /// Exit of the kernel: reached by falling off its end and by every return.
        Exit = "exit",
        /// A memory access.
        Access = "access",
        /// A barrier.
        Barrier = "barrier",
        /// An operation at which lanes meet without any order of memory.
        Meet = "meet",
        /// A fence.
        Fence = "fence",
        /// A condition is decided here: `if`, `switch`.
        Branch = "branch",
        /// Arms of a branch, or exits of a loop or call, meet here.
        Join = "join",
        /// Head of a loop: the start of each iteration, reached from before the loop and by its back edges.
        LoopHead = "loop_head",
        /// `return` from the kernel itself.
        Return = "return",
        /// `break` out of a loop.
        Break = "break",
        /// `continue` of a loop.
        Continue = "continue",
        /// A place of an unknown value.
        Havoc = "havoc",
        /// An assertion or assumption.
        Condition = "condition",
        /// An asynchronous copy is begun, a group of them ended or waited for.
        Copy = "copy",
        /// A step of a barrier that counts arrivals by phases.
        Phase = "phase",
        /// Something happens that is no access: another grid is waited for, time passes, a text is printed.
        Effect = "effect",
    }
    /// What a thread does at a barrier that counts arrivals by phases.
    PhaseStep {
        /// It sets the number of arrivals that end a phase: `mbarrier.init`.
        Init = "init",
        /// It arrives and goes on: `mbarrier.arrive`, `bar.arrive`.
        Arrive = "arrive",
        /// It arrives, and goes on when the phase has ended: `bar.sync`.
        Sync = "sync",
        /// It goes on when the phase of a parity has ended: `mbarrier.try_wait.parity` in a loop. Without a parity, the phase in which it arrived itself.
        Wait = "wait",
        /// The phase also waits for so many bytes of bulk copies: `mbarrier.expect_tx`.
        Expect = "expect",
        /// A bulk copy is issued whose bytes the phase counts when it has been made: `cp.async.bulk…mbarrier::complete_tx::bytes`.
        Complete = "complete",
        /// Something that is not followed.
        Lost = "lost",
    }
    /// Why a point's guard has a conjunct.
    GuardCause {
        /// The point is in an arm of the `if`, `switch` or `?:` decided at the cause point.
        Branch = "branch",
        /// The point is in the body of the loop whose head is the cause point: the loop's condition holds in this iteration.
        Loop = "loop",
        /// An earlier `return` (the cause point) was not taken in this iteration.
        Return = "return",
        /// An earlier `break` (the cause point) was not taken in this iteration.
        Break = "break",
        /// An earlier `continue` (the cause point) was not taken in this iteration.
        Continue = "continue",
        /// Not of a guard: the thread is not among those that the barrier (the cause point) is for.
        Mask = "mask",
        /// Not of a guard: two threads come to the barrier (the cause point) with different masks, one of which names both.
        Masks = "masks",
    }
    /// How threads make sure of an order without a barrier.
    Protocol {
        /// A spin lock: `while (atomicCAS(&lock, 0, 1) != 0); … __threadfence(); atomicExch(&lock, 0);`
        Lock = "lock",
        /// Tickets: `__threadfence(); last = atomicInc(&done, n) == n - 1; … if (last) …`
        Counter = "counter",
        /// A barrier of blocks: `__threadfence(); atomicAdd(&come, 1); while (atomicAdd(&come, 0) < gridDim.x);`
        Wait = "wait",
    }
    /// Who holds a lock while an access is made.
    Holder {
        /// The thread that makes the access.
        Thread = "thread",
        /// A thread of its block, with barriers of the block between.
        Block = "block",
    }
    /// Where an access stands to the drawing of the last ticket.
    TicketSide {
        /// It is done before the block draws its ticket, with a fence between.
        Before = "before",
        /// It is done only if the block drew the last one, and after that.
        Behind = "behind",
    }
    /// What lock-step warps would make of two accesses by threads of one warp.
    LockStep {
        /// Not asked: the threads are of different blocks.
        Apart = "apart",
        /// Ordered: neither of one instruction nor of diverged arms.
        Ordered = "ordered",
        /// Of one instruction: simultaneous in the same iterations of the loops around it.
        Together = "together",
        /// In diverged arms of one branch, in the same iterations of the loops around it.
        Diverged = "diverged",
        /// One of them is in an arm that threads may leave on a way of their own: unordered.
        Loose = "loose",
    }
    /// What an access does.
    AccessKind {
        /// A read.
        Read = "read",
        /// A write.
        Write = "write",
        /// An atomic read-modify-write (or atomic load or store).
        Atomic = "atomic",
    }
    /// What an assertion is part of.
    AssertKind {
        /// `assert(e)`, `__assert(e)`.
        Assertion = "assertion",
        /// A loop invariant, when a thread comes to the loop.
        Entry = "entry",
        /// A loop invariant at the end of an iteration that began with it.
        Preservation = "preservation",
        /// `__requires(e)` of a function that is called.
        Precondition = "precondition",
        /// `__ensures(e)` where the function returns.
        Postcondition = "postcondition",
        /// A thread touches no byte of an asynchronous copy of its own that it has not waited for.
        Copy = "copy",
        /// The first lane that a shuffle gives a value gets that of a lane which the block has.
        Lane = "lane",
        /// `__barrier_invariant_1(e, t)`, where a thread comes to the barrier.
        Barrier = "barrier",
    }
    /// Threads among which an atomic operation or fence is atomic, or a fact holds.
    Scope {
        /// Threads of one warp.
        Warp = "warp",
        /// Threads of one block.
        Block = "block",
        /// Threads of the grid.
        Grid = "grid",
        /// The grid, the host and other devices.
        System = "system",
    }
    /// Whom a barrier brings together.
    BarrierKind {
        /// `__syncthreads()` and its counting variants: all threads of the block.
        Block = "block",
        /// `__syncwarp(mask)`: the lanes of the mask.
        Warp = "warp",
        /// A part of a block that may span warps: a tile of 64 threads, a named barrier.
        Part = "part",
        /// `__shfl_sync(mask, …)`, `__ballot_sync(mask, …)`: the lanes of the mask meet, and no memory is ordered.
        Meet = "meet",
        /// A collective operation of the block that hands values round: all its threads meet, and no memory is ordered.
        Collective = "collective",
        /// A grid-wide barrier.
        Grid = "grid",
    }
    /// What an unsupported construct may hide.
    Effect {
        /// Nothing that matters for races or barriers.
        Nothing = "nothing",
        /// Nothing of the kernel; but whether two of its arguments are the same memory is an open question.
        Alias = "alias",
        /// Accesses to memory.
        Access = "access",
        /// Accesses and barriers, or control flow.
        Control = "control",
        /// As control; and it is there to order threads of a block.
        Order = "order",
        /// The same of threads of several blocks.
        OrderBlocks = "order_blocks",
    }
    /// What a note about a file says.
    NoteKind {
        /// An input could not be read or analysed.
        Error = "error",
        /// A header that was not found and was skipped.
        MissingInclude = "missing_include",
        /// A name that nothing defines.
        UndefinedName = "undefined_name",
        /// A kernel that stands in an inactive branch of a conditional.
        InactiveKernel = "inactive_kernel",
        /// Anything else worth telling.
        Note = "note",
    }
    /// How many threads a race is between, as asked in one query.
    PairScope {
        /// A thread and a bulk copy that it has issued itself.
        Own = "own",
        /// Two threads of one warp.
        Warp = "warp",
        /// Two threads of different warps of one block.
        InterWarp = "inter_warp",
        /// Two threads of one block (warps not told apart, because no warp barrier stands in the kernel).
        Block = "block",
        /// Two threads of different blocks.
        Grid = "grid",
    }
    /// A source of dependence.
    Source {
        /// `threadIdx`
        Tid = "tid",
        /// `blockIdx`
        Bid = "bid",
        /// Memory that a thread may have written, or input contents.
        Memory = "memory",
        /// A value that lowering could not express.
        Unknown = "unknown",
    }
    /// What a count of costs is.
    CostAnswer {
        /// A warp has it, and none has more.
        Exact = "exact",
        /// A warp has it, if the condition named with it holds.
        Conditional = "conditional",
        /// A warp of some shape or launch has it; others were not counted.
        Shown = "shown",
        /// Nothing is known but that no request costs more.
        CannotTell = "cannot_tell",
    }
    /// At which iteration a skipped barrier's guard is to be read.
    Place {
        /// In the iteration of the interval's head.
        Head = "head",
        /// In the iteration of the access.
        Access = "access",
    }
}
