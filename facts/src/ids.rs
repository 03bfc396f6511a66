//! Newtyped ids: one type per column concept, so that a loop cannot be joined with a point.
//!
//! Ids are dense (0, 1, 2 …) within one [`Facts`](crate::Facts); two fact sets are merged by
//! shifting the ids of the second (see [`IdOffsets`]).

use std::fmt;

/// The kinds of ids, one per keyed relation; also the index into [`IdOffsets`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IdKind {
    /// `file`
    File,
    /// `span`
    Span,
    /// `kernel`
    Kernel,
    /// `launch`
    Launch,
    /// `symbol`
    Symbol,
    /// `array`
    Array,
    /// `term`
    Term,
    /// `unknown`
    Unknown,
    /// `pure_function`
    Function,
    /// `point`
    Point,
    /// `loop`
    Loop,
    /// `access`
    Access,
    /// `barrier`
    Barrier,
    /// `assert`
    Assert,
    /// `invariant`
    Invariant,
}

/// Number of id kinds.
pub const ID_KINDS: usize = 15;

impl IdKind {
    /// The relation whose key an id of this kind is.
    pub fn relation(self) -> &'static str {
        match self {
            IdKind::File => "file",
            IdKind::Span => "span",
            IdKind::Kernel => "kernel",
            IdKind::Launch => "launch",
            IdKind::Symbol => "symbol",
            IdKind::Array => "array",
            IdKind::Term => "term",
            IdKind::Unknown => "unknown",
            IdKind::Function => "pure_function",
            IdKind::Point => "point",
            IdKind::Loop => "loop",
            IdKind::Access => "access",
            IdKind::Barrier => "barrier",
            IdKind::Assert => "assert",
            IdKind::Invariant => "invariant",
        }
    }
}

/// How far the ids of each kind move when one fact set is appended to another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct IdOffsets(pub [u32; ID_KINDS]);

macro_rules! ids {
    ($($(#[$doc:meta])+ $name:ident = $kind:ident;)+) => {$(
        $(#[$doc])+
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);

        impl $name {
            /// The kind of this id type.
            pub const KIND: IdKind = IdKind::$kind;

            /// The id of the row at `index` of its relation.
            ///
            /// # Panics
            /// With more than 2³² rows, which no machine of today holds.
            pub fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("fewer than 2^32 rows in a relation"))
            }

            /// The index of the row that this id names.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($kind), "({})"), self.0)
            }
        }
    )+};
}

ids! {
    /// A source file of the unit (the `.cu` file itself or an included one).
    FileId = File;
    /// A range of source text.
    SpanId = Span;
    /// A `__global__` function (one per template instantiation that is checked).
    KernelId = Kernel;
    /// One way in which a kernel is launched; all body facts belong to a launch.
    LaunchId = Launch;
    /// A uniform symbol: equal in all threads of the grid.
    SymbolId = Symbol;
    /// An array: a global, shared, local or constant object, or a view of one.
    ArrayId = Array;
    /// A hash-consed term.
    TermId = Term;
    /// A value that lowering cannot express.
    UnknownId = Unknown;
    /// The name of an uninterpreted pure function.
    FunctionId = Function;
    /// A place in the control-flow graph.
    PointId = Point;
    /// A loop of the control-flow graph.
    LoopId = Loop;
    /// A read, write or atomic access.
    AccessId = Access;
    /// A barrier.
    BarrierId = Barrier;
    /// Something that must hold at a point.
    AssertId = Assert;
    /// An invariant of a loop.
    InvariantId = Invariant;
}
