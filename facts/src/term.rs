//! The term language: a hash-consed DAG of typed operators.
//!
//! All index expressions, guards, loop conditions and stored values are terms. A term is a
//! function of the thread (`tid_x` …), the block, the launch, the uniform symbols, the ordinals of
//! the enclosing loops' current iterations ([`Op::Iter`]), loaded values and unknowns. Evaluated
//! for two threads it has two *instances*; which leaves these share is decided by the rules and
//! the solver, never here.
//!
//! **Meaning.** Integer operators take operands of the result type (lowering inserts the casts
//! that C's usual conversions ask for), except comparisons (both operands of one type, result
//! `bool`), shifts (the count may have any integer type), `Ite` (condition, then, else),
//! and the closed forms `MulPow`/`DivPow`. Signed arithmetic that overflows is undefined in C: an
//! execution in which it does is no execution. Unsigned arithmetic wraps. [`Op::Cast`] converts
//! modulo 2ⁿ. `Div` and `Rem` truncate.

use std::fmt;
use std::str::FromStr;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::ctype::CType;
use crate::ids::{AccessId, FunctionId, LoopId, SymbolId, TermId, UnknownId};

macro_rules! ops {
    ($($(#[doc = $doc:literal])+ $name:ident = $text:literal / $arity:literal;)+) => {
        /// The operator of a term.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum Op { $($(#[doc = $doc])+ $name,)+ }

        impl Op {
            /// All operators, in the order of their declaration.
            pub const ALL: &'static [Op] = &[$(Op::$name,)+];

            /// The spelling in fact files.
            pub fn name(self) -> &'static str { match self { $(Op::$name => $text,)+ } }

            /// Number of arguments; `None` when any number is allowed.
            pub fn arity(self) -> Option<usize> {
                let arity: i32 = match self { $(Op::$name => $arity,)+ };
                usize::try_from(arity).ok()
            }

            /// One sentence on the operator, for the schema page.
            pub fn doc(self) -> &'static str {
                match self { $(Op::$name => concat!($($doc),+).trim_ascii(),)+ }
            }
        }
    };
}

ops! {
    /// Integer constant (`payload`), or the bit pattern of a float.
    Const = "const" / 0;
    /// `threadIdx.x`
    TidX = "tid_x" / 0;
    /// `threadIdx.y`
    TidY = "tid_y" / 0;
    /// `threadIdx.z`
    TidZ = "tid_z" / 0;
    /// `blockIdx.x`
    BidX = "bid_x" / 0;
    /// `blockIdx.y`
    BidY = "bid_y" / 0;
    /// `blockIdx.z`
    BidZ = "bid_z" / 0;
    /// `blockDim.x`
    BdimX = "bdim_x" / 0;
    /// `blockDim.y`
    BdimY = "bdim_y" / 0;
    /// `blockDim.z`
    BdimZ = "bdim_z" / 0;
    /// `gridDim.x`
    GdimX = "gdim_x" / 0;
    /// `gridDim.y`
    GdimY = "gdim_y" / 0;
    /// `gridDim.z`
    GdimZ = "gdim_z" / 0;
    /// A uniform symbol (`payload`: its id): kernel scalar parameter, template value, host value.
    Symbol = "symbol" / 0;
    /// Ordinal 0, 1, 2 … of the current iteration of a loop (`payload`: its id); only in terms at points inside that loop.
    Iter = "iter" / 0;
    /// Number of iterations that a loop (`payload`: its id) completed when it was left by its condition; only in terms at points after that loop, in the same iteration of the loops around it.
    Exit = "exit" / 0;
    /// Value read by an access (`payload`: its id) at a byte offset of its array (the argument).
    Load = "load" / 1;
    /// A value that lowering cannot express (`payload`: its id): fresh per thread and per execution of its site.
    Unknown = "unknown" / 0;
    /// Sum.
    Add = "add" / 2;
    /// Difference.
    Sub = "sub" / 2;
    /// Product.
    Mul = "mul" / 2;
    /// Truncating quotient; undefined for divisor 0.
    Div = "div" / 2;
    /// Truncating remainder (sign of the dividend); undefined for divisor 0.
    Rem = "rem" / 2;
    /// Negation.
    Neg = "neg" / 1;
    /// Bitwise and.
    BitAnd = "bit_and" / 2;
    /// Bitwise or.
    BitOr = "bit_or" / 2;
    /// Bitwise exclusive or.
    BitXor = "bit_xor" / 2;
    /// Bitwise complement.
    BitNot = "bit_not" / 1;
    /// Left shift; undefined for a count below 0 or not below the width.
    Shl = "shl" / 2;
    /// Right shift, arithmetic for signed types; undefined for a count below 0 or not below the width.
    Shr = "shr" / 2;
    /// Equal.
    Eq = "eq" / 2;
    /// Not equal.
    Ne = "ne" / 2;
    /// Less.
    Lt = "lt" / 2;
    /// Less or equal.
    Le = "le" / 2;
    /// Logical and of two `bool` terms.
    And = "and" / 2;
    /// Logical or of two `bool` terms.
    Or = "or" / 2;
    /// Logical negation of a `bool` term.
    Not = "not" / 1;
    /// `c ? a : b`, with c of type `bool`.
    Ite = "ite" / 3;
    /// C conversion to the term's type, modulo 2ⁿ.
    Cast = "cast" / 1;
    /// Conversion to the term's type that is known or assumed (and then listed) to preserve the value.
    Fit = "fit" / 1;
    /// Smaller of two integers.
    Min = "min" / 2;
    /// Larger of two integers.
    Max = "max" / 2;
    /// Closed form start·baseᵏ of a `*=` or `<<=` loop (`payload`: base ≥ 2; arguments start, k), wrapped for unsigned types, 0 for start 0.
    MulPow = "mul_pow" / 2;
    /// Closed form start/baseᵏ, truncating, of a `/=` or `>>=` loop (`payload`: base ≥ 2; arguments start, k); 0 once baseᵏ exceeds start.
    DivPow = "div_pow" / 2;
    /// Number of one bits.
    Popc = "popc" / 1;
    /// Number of leading zero bits.
    Clz = "clz" / 1;
    /// 1 + position of the lowest one bit, 0 for 0.
    Ffs = "ffs" / 1;
    /// Bits reversed.
    Brev = "brev" / 1;
    /// High half of the double-width product.
    MulHi = "mul_hi" / 2;
    /// The argument's value in the second of two threads, in the same iterations; only in terms of `assert` and `invariant_at`.
    Other = "other" / 1;
    /// Whether the two threads are in one block; only in terms of `assert` and `invariant_at`.
    SameBlock = "same_block" / 0;
    /// Uninterpreted pure function (`payload`: its name's id): equal arguments give equal results.
    Pure = "pure" / -1;
}

impl fmt::Display for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Op {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        Op::ALL
            .iter()
            .copied()
            .find(|op| op.name() == text)
            .ok_or(())
    }
}

/// An axis of a block or grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// First axis, the fastest-varying in the linear thread id.
    X,
    /// Second axis.
    Y,
    /// Third axis.
    Z,
}

impl Axis {
    /// The three axes in order.
    pub const ALL: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

    /// `threadIdx.*`
    pub fn tid(self) -> Op {
        [Op::TidX, Op::TidY, Op::TidZ][self as usize]
    }
    /// `blockIdx.*`
    pub fn bid(self) -> Op {
        [Op::BidX, Op::BidY, Op::BidZ][self as usize]
    }
    /// `blockDim.*`
    pub fn bdim(self) -> Op {
        [Op::BdimX, Op::BdimY, Op::BdimZ][self as usize]
    }
    /// `gridDim.*`
    pub fn gdim(self) -> Op {
        [Op::GdimX, Op::GdimY, Op::GdimZ][self as usize]
    }
    /// `x`, `y` or `z`.
    pub fn name(self) -> &'static str {
        ["x", "y", "z"][self as usize]
    }
}

/// One node of the term DAG.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Term {
    /// Operator.
    pub op: Op,
    /// C type of the value.
    pub ty: CType,
    /// Constant, base, or raw id of the symbol, loop, access, unknown or function; 0 otherwise.
    pub payload: i128,
    /// Arguments, all older (smaller ids) than the term itself.
    pub args: SmallVec<[TermId; 3]>,
}

/// The hash-consed terms of a fact set. Equal nodes have equal ids; arguments precede their term.
#[derive(Clone, Debug, Default)]
pub struct TermStore {
    terms: Vec<Term>,
    index: FxHashMap<Term, TermId>,
}

/// A term as it goes to another process: operator, type, payload, arguments.
type Row = (Op, CType, i128, Vec<TermId>);

impl serde::Serialize for TermStore {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_seq(
            self.terms
                .iter()
                .map(|term| (term.op, term.ty, term.payload, term.args.as_slice())),
        )
    }
}

impl<'de> serde::Deserialize<'de> for TermStore {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let rows: Vec<Row> = serde::Deserialize::deserialize(from)?;
        let mut store = TermStore::default();
        for (op, ty, payload, args) in rows {
            let id = TermId::from_index(store.terms.len());
            if args.iter().any(|argument| *argument >= id) {
                return Err(serde::de::Error::custom(
                    "an argument does not precede its term",
                ));
            }
            store.push(Term {
                op,
                ty,
                payload,
                args: args.into(),
            });
        }
        Ok(store)
    }
}

impl TermStore {
    /// The term with this id.
    ///
    /// # Panics
    /// When the id is from another store.
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// Number of terms.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }

    /// All terms with their ids, arguments before users.
    pub fn iter(&self) -> impl Iterator<Item = (TermId, &Term)> {
        self.terms
            .iter()
            .enumerate()
            .map(|(index, term)| (TermId::from_index(index), term))
    }

    /// The id of a node, new or not. No simplification: see [`crate::build`].
    pub fn intern(&mut self, op: Op, ty: CType, payload: i128, args: &[TermId]) -> TermId {
        self.intern_term(Term {
            op,
            ty,
            payload,
            args: SmallVec::from_slice(args),
        })
    }

    fn intern_term(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.index.get(&term) {
            return id;
        }
        let id = TermId::from_index(self.terms.len());
        self.index.insert(term.clone(), id);
        self.terms.push(term);
        id
    }

    /// Appends a node as it is, for loading and merging, where ids are given. Later [`intern`]s
    /// find the first of equal nodes.
    ///
    /// [`intern`]: TermStore::intern
    pub fn push(&mut self, term: Term) -> TermId {
        let id = TermId::from_index(self.terms.len());
        self.index.entry(term.clone()).or_insert(id);
        self.terms.push(term);
        id
    }

    /// The value of a constant integer term.
    pub fn as_const(&self, id: TermId) -> Option<i128> {
        let term = self.get(id);
        (term.op == Op::Const && term.ty.is_integer()).then_some(term.payload)
    }

    /// What a term is one less than: `p - 1`.
    pub fn one_less(&self, id: TermId) -> Option<TermId> {
        let term = self.get(id);
        let &[of, by] = term.args.as_slice() else {
            return None;
        };
        let by = self.as_const(by)?;
        matches!((term.op, by), (Op::Sub, 1) | (Op::Add, -1)).then_some(of)
    }

    /// Of which number a term is all bits but the lowest that is set: `p & (p - 1)`, 0 for 0 and powers of two.
    pub fn without_lowest_bit(&self, id: TermId) -> Option<TermId> {
        let term = self.get(id);
        let &[one, other] = term.args.as_slice() else {
            return None;
        };
        if term.op != Op::BitAnd {
            None
        } else if self.one_less(other) == Some(one) {
            Some(one)
        } else {
            (self.one_less(one) == Some(other)).then_some(other)
        }
    }

    /// The two numbers of which a term is the smaller (`Op::Min`) or the larger (`Op::Max`), also as a choice: `a < b ? a : b`.
    pub fn parts_of(&self, id: TermId, op: Op) -> Option<[TermId; 2]> {
        let term = self.get(id);
        match *term.args.as_slice() {
            [left, right] if term.op == op && matches!(op, Op::Min | Op::Max) => {
                Some([left, right])
            }
            [condition, then, otherwise] if term.op == Op::Ite && term.ty.is_integer() => {
                let compared = self.get(condition);
                if !matches!(compared.op, Op::Lt | Op::Le) {
                    return None;
                }
                let chosen = match compared.args.as_slice() {
                    args if args == [then, otherwise] => Op::Min,
                    args if args == [otherwise, then] => Op::Max,
                    _ => return None,
                };
                (chosen == op).then_some([then, otherwise])
            }
            _ => None,
        }
    }

    /// Whether a term is made of constants, sizes of the launch and uniform symbols: one value for the grid.
    pub fn is_of_launch(&self, root: TermId) -> bool {
        let mut parts = self.reachable(&[root]).into_iter();
        parts.all(|part| {
            let term = self.get(part);
            match term.op {
                Op::Const | Op::Symbol => true,
                Op::BdimX | Op::BdimY | Op::BdimZ | Op::GdimX | Op::GdimY | Op::GdimZ => true,
                Op::Other | Op::SameBlock | Op::Load | Op::Pure => false,
                _ => !term.args.is_empty(),
            }
        })
    }

    /// All terms reachable from `roots` (themselves included), each once, arguments before users.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack: Vec<TermId> = roots.to_vec();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                stack.extend(self.get(id).args.iter().copied());
            }
        }
        let mut found: Vec<TermId> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// `root` with leaves replaced: `leaf(id, term)` gives the replacement of a node without
    /// arguments, `None` keeps it. Nodes above a replaced leaf are rebuilt without simplification.
    pub fn substitute(
        &mut self,
        root: TermId,
        leaf: &mut dyn FnMut(TermId, &Term) -> Option<TermId>,
    ) -> TermId {
        let order = self.reachable(&[root]);
        let mut new: FxHashMap<TermId, TermId> = FxHashMap::default();
        for id in order {
            let term = self.get(id).clone();
            let image = if term.args.is_empty() {
                leaf(id, &term).unwrap_or(id)
            } else {
                let args: SmallVec<[TermId; 3]> = term.args.iter().map(|arg| new[arg]).collect();
                if args == term.args {
                    id
                } else {
                    self.intern_term(Term { args, ..term })
                }
            };
            new.insert(id, image);
        }
        new[&root]
    }
}

impl Term {
    /// The loop of an `iter` or `exit` leaf.
    pub fn loop_id(&self) -> Option<LoopId> {
        matches!(self.op, Op::Iter | Op::Exit).then(|| LoopId(self.raw_id()))
    }
    /// The symbol of a `symbol` leaf.
    pub fn symbol(&self) -> Option<SymbolId> {
        (self.op == Op::Symbol).then(|| SymbolId(self.raw_id()))
    }
    /// The access of a `load` term.
    pub fn access(&self) -> Option<AccessId> {
        (self.op == Op::Load).then(|| AccessId(self.raw_id()))
    }
    /// The unknown of an `unknown` leaf.
    pub fn unknown(&self) -> Option<UnknownId> {
        (self.op == Op::Unknown).then(|| UnknownId(self.raw_id()))
    }
    /// The function of a `pure` term.
    pub fn function(&self) -> Option<FunctionId> {
        (self.op == Op::Pure).then(|| FunctionId(self.raw_id()))
    }

    fn raw_id(&self) -> u32 {
        u32::try_from(self.payload).unwrap_or(u32::MAX)
    }
}
