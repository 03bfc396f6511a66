//! Statements and expressions.

use super::{
    Enum, Function, Init, Name, Param, Range, Scalar, Struct, Type, Typedef, Using, VarDecl,
};

/// `{ … }`
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// With the braces.
    pub range: Range,
}

/// A statement.
#[derive(Clone, PartialEq, Debug)]
pub struct Stmt {
    /// What it is.
    pub kind: StmtKind,
    /// Where.
    pub range: Range,
}

/// The kinds of statement.
#[derive(Clone, PartialEq, Debug)]
pub enum StmtKind {
    /// `{ … }`
    Block(Block),
    /// `e;`
    Expr(Expr),
    /// Variables, in order; each is in scope for the initialisers of the next.
    Decl(Vec<VarDecl>),
    /// `auto [a, b] = e;`, `auto &[a, b] = e;`
    Binding {
        /// What `e` initialises, of the type `auto` or a reference to it, under a name that no program can write.
        whole: Box<VarDecl>,
        /// The names of its members or elements, in order.
        names: Vec<(String, Range)>,
    },
    /// Local type.
    Typedef(Typedef),
    /// Local enumeration.
    Enum(Enum),
    /// Local class; its methods are in [`Unit::functions`](super::Unit::functions).
    Struct(Struct),
    /// Local `using`.
    Using(Using),
    /// A local prototype.
    Prototype(Box<Function>),
    /// `if (init; cond) then else els`. `if (T x = e)` is given as a block of the declaration and an `if (x)`.
    If {
        /// `if constexpr`
        constexpr: bool,
        /// The condition.
        cond: Expr,
        /// Taken when it holds.
        then: Box<Stmt>,
        /// Taken when it does not.
        els: Option<Box<Stmt>>,
    },
    /// `for (init; cond; update) body`: `init` is a declaration or an expression statement and is in scope in the rest.
    For {
        /// The first clause.
        init: Option<Box<Stmt>>,
        /// `None`: always true.
        cond: Option<Expr>,
        /// Evaluated after each iteration, also after `continue`.
        update: Option<Expr>,
        /// The body.
        body: Box<Stmt>,
    },
    /// `for (decl : range) body`
    RangeFor {
        /// The loop variable, without initialiser.
        var: Box<VarDecl>,
        /// What is iterated over.
        range: Expr,
        /// The body.
        body: Box<Stmt>,
    },
    /// `while (cond) body`; `while (T x = e) body` is given as `while (true) { T x = e; if (!x) break; body }`.
    While {
        /// Evaluated before each iteration.
        cond: Expr,
        /// The body.
        body: Box<Stmt>,
    },
    /// `do body while (cond);`
    DoWhile {
        /// The body.
        body: Box<Stmt>,
        /// Evaluated after each iteration, also after `continue`.
        cond: Expr,
    },
    /// `switch (cond) { … }`, its body flattened: labels and statements in text order.
    Switch {
        /// What is compared.
        cond: Expr,
        /// Falls through from one item to the next.
        items: Vec<SwitchItem>,
    },
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return e;`
    Return(Option<Expr>),
    /// `goto l;`
    Goto(String),
    /// `l: stmt`
    Label(String, Box<Stmt>),
    /// `;`, an empty declaration, `#pragma` and `static_assert` included.
    Empty,
    /// `asm volatile ("…" : outputs : inputs : clobbers);`
    Asm(Box<Asm>),
    /// `member(e)` between the parameters and the body of a constructor; these come first in its body.
    MemberInit {
        /// The field, or the base class.
        member: Name,
        /// [`Init::Call`](super::Init::Call) or [`Init::List`](super::Init::List).
        init: Init,
    },
    /// Not understood.
    Unsupported {
        /// What stands there.
        what: String,
    },
}

/// An item of a `switch`.
#[derive(Clone, PartialEq, Debug)]
pub enum SwitchItem {
    /// `case e:`
    Case(Expr),
    /// `default:`
    Default(Range),
    /// A statement under the labels before it, reached by fall-through too.
    Stmt(Stmt),
}

/// Inline assembly.
#[derive(Clone, PartialEq, Debug)]
pub struct Asm {
    /// The template, its string literals joined, escapes as written.
    pub template: String,
    /// `asm volatile`
    pub is_volatile: bool,
    /// Constraint and lvalue.
    pub outputs: Vec<(String, Expr)>,
    /// Constraint and value.
    pub inputs: Vec<(String, Expr)>,
    /// `"memory"` and so on.
    pub clobbers: Vec<String>,
}

/// An expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where, without redundant parentheses.
    pub range: Range,
}

/// The kinds of expression.
#[derive(Clone, PartialEq, Debug)]
pub enum ExprKind {
    /// `42`, `0x2au`, `1LL`: never negative, with the type that C++ gives it.
    Int {
        /// Its value.
        value: u64,
        /// `Int`, `UInt`, `Long`, `ULong`, `LongLong` or `ULongLong`.
        ty: Scalar,
    },
    /// `1.0f`, `.5`, `1e-3`, `0x1p3`
    Float {
        /// The literal as written, without suffix.
        text: String,
        /// `Float`, `Double` or `LongDouble`.
        ty: Scalar,
    },
    /// `true`, `false`
    Bool(bool),
    /// `'a'`: its value, of type `char` (or the type of its prefix).
    Char {
        /// Its value; plain `char` literals above 127 are negative.
        value: i64,
        /// `Char`, `WChar`, `Char8`, `Char16`, `Char32`.
        ty: Scalar,
    },
    /// `"…"`, adjacent literals joined, without quotes, escapes as written.
    Str(String),
    /// `nullptr`, `NULL`
    Nullptr,
    /// `this`
    This,
    /// A variable, function or enumerator, with template arguments if written: `x`, `n::f`, `f<4>`.
    Name(Name),
    /// `-a`, `!a`, `~a`, `+a`
    Unary(UnaryOp, Box<Expr>),
    /// `*a`
    Deref(Box<Expr>),
    /// `&a`
    AddressOf(Box<Expr>),
    /// `++a`, `a--`
    IncDec {
        /// `++` rather than `--`
        increment: bool,
        /// `++a` rather than `a++`
        prefix: bool,
        /// The lvalue.
        arg: Box<Expr>,
    },
    /// `a + b`, `a && b`; not assignment and comma.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `a = b`, `a += b` (`op` is `None` for plain `=`).
    Assign {
        /// The operator before `=`.
        op: Option<BinaryOp>,
        /// The lvalue.
        lhs: Box<Expr>,
        /// The value; an [`ExprKind::InitList`] in `a = {1, 2}`.
        rhs: Box<Expr>,
    },
    /// `c ? a : b`
    Conditional {
        /// The condition.
        cond: Box<Expr>,
        /// When true.
        then: Box<Expr>,
        /// When false.
        els: Box<Expr>,
    },
    /// `(T)e`, `T(e)`, `static_cast<T>(e)` …
    Cast {
        /// How it was written.
        style: CastStyle,
        /// To which type.
        ty: Box<Type>,
        /// Of what.
        arg: Box<Expr>,
    },
    /// `T(a, b)`, `T()`, `T{…}` where `T` is known to be a type; a single argument of a scalar type is a
    /// [`ExprKind::Cast`] instead. A constructor of a type that the unit does not declare is a `Call`.
    Construct {
        /// The type.
        ty: Box<Type>,
        /// The arguments.
        args: Vec<Expr>,
        /// `{…}` rather than `(…)`
        braces: bool,
    },
    /// `f(a, b)`, `f<4>(a)`, `p->m(a)`: template arguments are in the [`Name`] of the callee.
    Call {
        /// A `Name`, `Member` or any other expression.
        callee: Box<Expr>,
        /// In order.
        args: Vec<Expr>,
    },
    /// `k<<<grid, block, shmem, stream>>>(args)`
    Launch {
        /// The kernel.
        kernel: Box<Expr>,
        /// Two to four.
        config: Vec<Expr>,
        /// In order.
        args: Vec<Expr>,
    },
    /// `a.f`, `a->f`: `threadIdx.x` is a member of the name `threadIdx`.
    Member {
        /// The object or pointer.
        base: Box<Expr>,
        /// `->`
        arrow: bool,
        /// The field or method, with template arguments if written.
        field: Name,
    },
    /// `o.*m`, `p->*m`
    MemberPointer {
        /// The object or pointer.
        base: Box<Expr>,
        /// `->*`
        arrow: bool,
        /// The pointer to a member.
        pointer: Box<Expr>,
    },
    /// `a[i]`
    Index {
        /// The array or pointer.
        base: Box<Expr>,
        /// The subscript.
        index: Box<Expr>,
    },
    /// `sizeof(T)`
    SizeofType(Box<Type>),
    /// `sizeof e`, `sizeof(e)`. A bare name in parentheses is given as an expression only if it is known to be no type.
    SizeofExpr(Box<Expr>),
    /// `alignof(T)`
    AlignofType(Box<Type>),
    /// `{a, b}`
    InitList(Vec<Expr>),
    /// `.f = a` in such a list.
    Designated {
        /// The member.
        field: String,
        /// Its value, which may be a list.
        value: Box<Expr>,
    },
    /// `[captures](params) { body }`
    Lambda(Box<Lambda>),
    /// `({ stmts })`
    StmtExpr(Block),
    /// `f(args)...`: once for each element of the packs in it.
    Expand(Box<Expr>),
    /// `(e + ...)`: one expression over the elements of the packs in it.
    Fold(Box<Fold>),
    /// `sizeof...(pack)`
    SizeofPack(String),
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `asm(…)` inside an expression.
    Asm(Box<Asm>),
    /// `new (place) T[n](args)`: the allocation is not modelled, its operands are evaluated.
    New {
        /// What is made, without the `*` and `[n]` behind it.
        ty: Box<Type>,
        /// Placement arguments, counts and arguments of the constructor, in order.
        operands: Vec<Expr>,
    },
    /// `delete e`, `delete[] e`
    Delete(Box<Expr>),
    /// Not understood: its effects may be anything.
    Unsupported {
        /// What stands there.
        what: String,
    },
}

/// A fold expression: `(... op behind)`, `(before op ...)` or `(before op ... op behind)`. One of the operands names packs; a
/// second one is what is folded with them.
#[derive(Clone, PartialEq, Debug)]
pub struct Fold {
    /// Between the operands.
    pub op: FoldOp,
    /// In front of the ellipsis.
    pub before: Option<Expr>,
    /// Behind it.
    pub behind: Option<Expr>,
}

/// The operator of a fold expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FoldOp {
    /// `+`, `&&`
    Binary(BinaryOp),
    /// `=`, `+=`
    Assign(Option<BinaryOp>),
    /// `,`
    Comma,
}

/// A lambda expression.
#[derive(Clone, PartialEq, Debug)]
pub struct Lambda {
    /// Between `[` and `]`, as written, without those that have an initialiser.
    pub captures: String,
    /// Captures with an initialiser, `[n = 2 * size]`: of the type `auto` or `auto &`. In the initialisers names are those around
    /// the lambda.
    pub inits: Vec<VarDecl>,
    /// `mutable`: a call may change what was captured by value.
    pub mutable: bool,
    /// Parameters.
    pub params: Vec<Param>,
    /// `-> T`
    pub ret: Option<Type>,
    /// The body.
    pub body: Block,
}

/// How a cast was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastStyle {
    /// `(T)e`
    C,
    /// `T(e)`
    Functional,
    /// `static_cast<T>(e)`
    Static,
    /// `reinterpret_cast<T>(e)`
    Reinterpret,
    /// `const_cast<T>(e)`
    Const,
    /// `dynamic_cast<T>(e)`
    Dynamic,
    /// The object in `e.T::member`: as `static_cast<T &>(e)`, but `const` if `e` is; `T` is looked up in the class of `e` first.
    Part,
}

/// Unary operators other than `*`, `&`, `++` and `--`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnaryOp {
    /// `-`
    Neg,
    /// `+`
    Plus,
    /// `!`
    Not,
    /// `~`
    BitNot,
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    And,
    /// `||`
    Or,
}

impl BinaryOp {
    /// As written, e.g. `"<<"`.
    pub fn text(self) -> &'static str {
        use BinaryOp::*;
        match self {
            Add => "+",
            Sub => "-",
            Mul => "*",
            Div => "/",
            Rem => "%",
            Shl => "<<",
            Shr => ">>",
            BitAnd => "&",
            BitOr => "|",
            BitXor => "^",
            Lt => "<",
            Le => "<=",
            Gt => ">",
            Ge => ">=",
            Eq => "==",
            Ne => "!=",
            And => "&&",
            Or => "||",
        }
    }

    /// The operator with this spelling (alternative tokens `and`, `bitor` … included).
    pub fn from_text(text: &str) -> Option<Self> {
        use BinaryOp::*;
        Some(match text {
            "+" => Add,
            "-" => Sub,
            "*" => Mul,
            "/" => Div,
            "%" => Rem,
            "<<" => Shl,
            ">>" => Shr,
            "&" | "bitand" => BitAnd,
            "|" | "bitor" => BitOr,
            "^" | "xor" => BitXor,
            "<" => Lt,
            "<=" => Le,
            ">" => Gt,
            ">=" => Ge,
            "==" => Eq,
            "!=" | "not_eq" => Ne,
            "&&" | "and" => And,
            "||" | "or" => Or,
            _ => return None,
        })
    }
}
