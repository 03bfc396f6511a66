//! The syntax tree of the CUDA C++ subset that lowering reads.
//!
//! Plain owned data: no parser node, no source text, `Send`. Every node carries the byte range that it occupies in the
//! expanded text, so that the location map of the preprocessor can lead back to the file.
//!
//! **Contract.** Nothing that stood in the text is missing from the tree: what the parser did not understand is an
//! [`ExprKind::Unsupported`], [`StmtKind::Unsupported`], [`TypeKind::Unsupported`], an entry of
//! [`Function::parse_errors`] or of [`Unit::unparsed`], each with its range. Nesting of expressions, statements and types
//! together is at most [`MAX_DEPTH`], so a recursive walk (and the recursive drop) of a tree fits an ordinary stack.
//! Redundant parentheses are dropped; all other structure is as the C++ grammar groups it.

use std::collections::BTreeSet;

mod body;

pub use body::{
    Asm, BinaryOp, Block, CastStyle, Expr, ExprKind, Fold, FoldOp, Lambda, Stmt, StmtKind,
    SwitchItem, UnaryOp,
};

/// The deepest nesting of tree nodes that is ever built. Deeper text becomes `Unsupported { what: "nesting too deep" }`.
/// A chain of left-associative operators (`a + b + …`) and a chain of `else if` count one level per link.
pub const MAX_DEPTH: u32 = 256;

/// A half-open byte range of the expanded text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Range {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Range {
    /// The range from `start` to `end`.
    pub fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Whether `other` lies within this range.
    pub fn contains(self, other: Range) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The smallest range that covers both.
    pub fn to(self, other: Range) -> Range {
        Range::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// As indices of a string.
    pub fn bytes(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place that was not understood, and why.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// Where.
    pub range: Range,
    /// What stands there, in words that can follow "not understood:".
    pub what: String,
}

/// A translation unit, flattened: namespaces, `extern "C"` and template headers are folded into the items, each list in
/// source order.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Unit {
    /// Kernels, device and host functions, methods, and prototypes (no body).
    pub functions: Vec<Function>,
    /// Variables at namespace scope and static members, one entry a declarator.
    pub globals: Vec<VarDecl>,
    /// `typedef` and `using A = …` at namespace scope.
    pub typedefs: Vec<Typedef>,
    /// Enumerations at namespace or class scope.
    pub enums: Vec<Enum>,
    /// Structs, classes and unions at namespace or class scope (nested ones are entries of their own).
    pub structs: Vec<Struct>,
    /// `using namespace n;` and `using n::f;` as written, without the keywords.
    pub usings: Vec<Using>,
    /// Explicit instantiations: `template __global__ void k<float, 4>(float*);`.
    pub instantiations: Vec<Function>,
    /// `extern template void f<4>(float *);`: another file makes the instance.
    pub announced: Vec<Function>,
    /// Those of classes: `template class C<float>;`.
    pub class_instantiations: Vec<Type>,
    /// `__axiom(e);` at namespace scope: the expressions.
    pub axioms: Vec<Expr>,
    /// What the user assumes besides, see [`crate::Options::assume`].
    pub assumed: Vec<Expr>,
    /// Text at namespace or class scope that is none of the above.
    pub unparsed: Vec<Problem>,
    /// The names before `(` in it, outside of braces: of functions, for all that is known.
    pub unparsed_names: BTreeSet<String>,
    /// The names of templates in it, for all that is known: of classes, variables, aliases and their specialisations.
    pub unparsed_templates: BTreeSet<String>,
    /// How many `__global__` tokens the text holds, by an independent count that skips comments and literals.
    /// Compare with [`Unit::global_tokens_in_tree`].
    pub global_tokens: u32,
    /// The first brace that is open at the end of the text, by a count that skips comments and literals, too.
    pub unclosed: Option<Range>,
}

impl Unit {
    /// How many `__global__` tokens stand in the functions, prototypes, instantiations and friend declarations of this
    /// tree. Where it is less than [`Unit::global_tokens`], a kernel may be hidden in [`Unit::unparsed`] or in the body
    /// of a function with [`Function::parse_errors`].
    pub fn global_tokens_in_tree(&self) -> u32 {
        let functions = self.functions.iter().chain(&self.instantiations);
        let functions = functions.chain(&self.announced);
        functions.filter(|function| function.quals.global).count() as u32
    }

    /// The kernel definitions.
    pub fn kernels(&self) -> impl Iterator<Item = &Function> {
        self.functions
            .iter()
            .filter(|function| function.quals.global && function.body.is_some())
    }
}

/// A function definition, prototype or explicit instantiation.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// Last component of the name: `k`; `operator()`, `operator+`, `~T` for special members.
    pub name: String,
    /// With enclosing namespaces and classes: `n::S::k`. Anonymous namespaces add nothing.
    pub qualified: String,
    /// Where the name stands.
    pub name_range: Range,
    /// Specifiers.
    pub quals: FunctionQuals,
    /// The one or two arguments of `__launch_bounds__`.
    pub launch_bounds: Vec<Expr>,
    /// `template <…>` parameters, those of enclosing class templates first. `None` for a function that is no template;
    /// `Some` and empty for an explicit specialisation (`template <> …`).
    pub template: Option<Vec<TemplateParam>>,
    /// Arguments after the name, in specialisations and instantiations: `f<float, 4>`.
    pub template_args: Vec<TemplateArg>,
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Ends in `...`, or has a parameter pack.
    pub variadic: bool,
    /// Return type; constructors and destructors have `void`.
    pub ret: Type,
    /// The body, or `None` for a prototype, `= default` and `= delete`.
    pub body: Option<Block>,
    /// The class it is a member of (qualified), also when defined outside it.
    pub owner: Option<String>,
    /// What stands before its name where it is defined outside its class or namespace: `S<int>::` in
    /// `template <> void S<int>::f() {}`.
    pub qualifier: Vec<Segment>,
    /// The condition of a `requires` clause behind the template header.
    pub requires: Option<Expr>,
    /// The whole definition, from its first specifier (without `template <…>`) to the closing brace or semicolon.
    pub range: Range,
    /// Errors inside, and shapes that the parser is known to get wrong silently and that could not be rebuilt. Not empty:
    /// the body may not mean what the tree says, and the function must not be trusted.
    pub parse_errors: Vec<Problem>,
}

/// Specifiers of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FunctionQuals {
    /// `__global__`
    pub global: bool,
    /// `__device__`
    pub device: bool,
    /// `__host__`
    pub host: bool,
    /// `__forceinline__`
    pub forceinline: bool,
    /// `__noinline__`
    pub noinline: bool,
    /// `inline`, `__inline__`
    pub inline: bool,
    /// `static`
    pub is_static: bool,
    /// `constexpr` or `consteval`
    pub constexpr: bool,
    /// `extern "C"`, on itself or on a block around it
    pub extern_c: bool,
    /// `virtual`
    pub is_virtual: bool,
    /// a friend declared inside a class
    pub friend: bool,
    /// `explicit`
    pub explicit: bool,
    /// a member function with `const` behind its parameters
    pub is_const: bool,
    /// a member function with `&` or `&&` behind its parameters
    pub of_reference: bool,
}

/// A parameter of a function or lambda.
#[derive(Clone, PartialEq, Debug)]
pub struct Param {
    /// `None` for an unnamed parameter.
    pub name: Option<String>,
    /// Its type as written: array and function parameters have not decayed yet.
    pub ty: Type,
    /// `= …`
    pub default: Option<Expr>,
    /// `T... args`
    pub pack: bool,
    /// The whole parameter.
    pub range: Range,
}

/// A parameter of a template.
#[derive(Clone, PartialEq, Debug)]
pub struct TemplateParam {
    /// `None` for an unnamed parameter.
    pub name: Option<String>,
    /// What may be passed.
    pub kind: TemplateParamKind,
    /// `typename... T`, `int... N`
    pub pack: bool,
    /// The whole parameter.
    pub range: Range,
}

/// What a template parameter stands for.
#[derive(Clone, PartialEq, Debug)]
pub enum TemplateParamKind {
    /// `typename T = int`
    Type {
        /// The type after `=`.
        default: Option<Type>,
    },
    /// `int N = 4`
    Value {
        /// Its type.
        ty: Type,
        /// The value after `=`.
        default: Option<Expr>,
    },
    /// `template <…> class T = S`
    Template {
        /// The template after `=`.
        default: Option<Name>,
    },
}

/// An argument of a template.
#[derive(Clone, PartialEq, Debug)]
pub enum TemplateArg {
    /// Surely a type: `float`, `T *`, `S<int>`.
    Type(Type),
    /// Surely a value: `16`, `N * 2`.
    Expr(Expr),
    /// A bare name, which may be either: `N`, `n::T`. Resolve it in scope.
    Name(Name),
}

/// A name, possibly qualified: `n::S<int>::f<4>`.
#[derive(Clone, PartialEq, Debug)]
pub struct Name {
    /// Begins with `::`.
    pub global: bool,
    /// What stands before the last `::`, outermost first. Empty for an unqualified name.
    pub qualifier: Vec<Segment>,
    /// The last component.
    pub base: String,
    /// Template arguments of the last component; `Some` and empty for `f<>`.
    pub args: Option<Vec<TemplateArg>>,
    /// Where.
    pub range: Range,
}

/// One qualifying component of a name.
#[derive(Clone, PartialEq, Debug)]
pub struct Segment {
    /// The namespace or class.
    pub name: String,
    /// Its template arguments.
    pub args: Option<Vec<TemplateArg>>,
}

impl Name {
    /// An unqualified name without template arguments.
    pub fn simple(base: impl Into<String>, range: Range) -> Self {
        Self {
            global: false,
            qualifier: Vec::new(),
            base: base.into(),
            args: None,
            range,
        }
    }

    /// The name when it is one identifier and nothing else.
    pub fn as_simple(&self) -> Option<&str> {
        (!self.global && self.qualifier.is_empty() && self.args.is_none()).then_some(&*self.base)
    }

    /// Components joined by `::`, without template arguments and without a leading `::`.
    pub fn path(&self) -> String {
        let mut path = String::new();
        for segment in &self.qualifier {
            path.push_str(&segment.name);
            path.push_str("::");
        }
        path.push_str(&self.base);
        path
    }

    /// The same with a leading `::` if there is one: such a name is looked up from the global namespace only.
    pub fn lookup_path(&self) -> String {
        let path = self.path();
        if self.global {
            format!("::{path}")
        } else {
            path
        }
    }
}

/// A type with its qualifiers.
#[derive(Clone, PartialEq, Debug)]
pub struct Type {
    /// What it is.
    pub kind: TypeKind,
    /// `const`
    pub is_const: bool,
    /// `volatile`
    pub is_volatile: bool,
    /// `__restrict__` (of pointers and references)
    pub restrict: bool,
    /// The specifier or declarator it was read from; for `int *a[4]` all levels have the range of the declaration's parts.
    pub range: Range,
}

impl Type {
    /// An unqualified type.
    pub fn new(kind: TypeKind, range: Range) -> Self {
        Self {
            kind,
            is_const: false,
            is_volatile: false,
            restrict: false,
            range,
        }
    }

    /// The scalar it is, looking through nothing.
    pub fn scalar(&self) -> Option<Scalar> {
        if let TypeKind::Scalar(scalar) = self.kind {
            Some(scalar)
        } else {
            None
        }
    }
}

/// The shape of a type.
#[derive(Clone, PartialEq, Debug)]
pub enum TypeKind {
    /// A built-in type, `void` included.
    Scalar(Scalar),
    /// A typedef, class, enumeration, template parameter, vector type (`float4`, `dim3`) or library type (`cudaStream_t`).
    Named(Name),
    /// `T *`
    Pointer(Box<Type>),
    /// `T &`
    Reference(Box<Type>),
    /// `T &&`
    RvalueReference(Box<Type>),
    /// `T [n]`; `None` for `T []`. In `a[N][M]` the outer node has the size `N`.
    Array(Box<Type>, Option<Box<Expr>>),
    /// A function type, reached through a pointer or a declarator.
    Function {
        /// What it returns.
        ret: Box<Type>,
        /// What it takes.
        params: Vec<Param>,
    },
    /// `T C::*`: a pointer to a member of this type.
    MemberPointer(Box<Type>),
    /// `auto`
    Auto,
    /// `decltype(e)`
    Decltype(Box<Expr>),
    /// `T...` as an argument of a template: once for each element of the packs in it.
    Expand(Box<Type>),
    /// Anything else.
    Unsupported(Problem),
}

/// Built-in types with the widths of CUDA on 64-bit Linux.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Scalar {
    /// `void`
    Void,
    /// `bool`
    Bool,
    /// `char`: signed, 8 bits
    Char,
    /// `signed char`, `int8_t`
    SChar,
    /// `unsigned char`, `uint8_t`
    UChar,
    /// `short`, `int16_t`
    Short,
    /// `unsigned short`, `uint16_t`
    UShort,
    /// `int`, `int32_t`
    Int,
    /// `unsigned`, `uint32_t`
    UInt,
    /// `long`, `int64_t`, `ptrdiff_t`: 64 bits
    Long,
    /// `unsigned long`, `uint64_t`, `size_t`
    ULong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    ULongLong,
    /// `__int128`
    Int128,
    /// `unsigned __int128`
    UInt128,
    /// `wchar_t`: signed, 32 bits
    WChar,
    /// `char8_t`
    Char8,
    /// `char16_t`
    Char16,
    /// `char32_t`
    Char32,
    /// `half`, `__half`
    Half,
    /// `__nv_bfloat16`
    BFloat16,
    /// `float`
    Float,
    /// `double`
    Double,
    /// `long double`
    LongDouble,
    /// `nullptr_t`
    NullptrT,
}

impl Scalar {
    /// Width in bits; 0 for `void`.
    pub fn bits(self) -> u32 {
        use Scalar::*;
        match self {
            Void => 0,
            Bool | Char | SChar | UChar | Char8 => 8,
            Short | UShort | Char16 | Half | BFloat16 => 16,
            Int | UInt | WChar | Char32 | Float => 32,
            Long | ULong | LongLong | ULongLong | Double | NullptrT => 64,
            Int128 | UInt128 | LongDouble => 128,
        }
    }

    /// Whether it is an integer type (`bool` and the character types included) and, if so, whether it is signed.
    pub fn signedness(self) -> Option<bool> {
        use Scalar::*;
        match self {
            Char | SChar | Short | Int | Long | LongLong | Int128 | WChar => Some(true),
            Bool | UChar | UShort | UInt | ULong | ULongLong | UInt128 | Char8 | Char16
            | Char32 => Some(false),
            Void | Half | BFloat16 | Float | Double | LongDouble | NullptrT => None,
        }
    }

    /// Whether it is a floating-point type.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            Scalar::Half | Scalar::BFloat16 | Scalar::Float | Scalar::Double | Scalar::LongDouble
        )
    }
}

/// Storage and other specifiers of a variable (`const` and `volatile` are in its [`Type`]).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Storage {
    /// `__shared__`
    pub shared: bool,
    /// `__constant__`
    pub constant: bool,
    /// `__device__`
    pub device: bool,
    /// `__managed__`
    pub managed: bool,
    /// `extern`
    pub is_extern: bool,
    /// `static`
    pub is_static: bool,
    /// `constexpr`
    pub constexpr: bool,
    /// `register`
    pub register: bool,
    /// `thread_local`
    pub thread_local: bool,
    /// `mutable`
    pub mutable: bool,
    /// `__grid_constant__`
    pub grid_constant: bool,
}

/// A variable: one declarator of a declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct VarDecl {
    /// Its name; globals have it qualified (`n::x`). Empty for a structured binding or what has no plain name (then the
    /// type is `Unsupported`).
    pub name: String,
    /// Where the name stands.
    pub name_range: Range,
    /// Its full type.
    pub ty: Type,
    /// Specifiers.
    pub storage: Storage,
    /// Its initialiser.
    pub init: Init,
    /// Template parameters of a variable template, else empty.
    pub template: Vec<TemplateParam>,
    /// The name as it is written, if it has template arguments: that of a specialisation, or of a member of a class template
    /// that is defined outside of the class.
    pub special: Option<Box<Name>>,
    /// The declarator with its initialiser.
    pub range: Range,
}

/// An initialiser.
#[derive(Clone, PartialEq, Debug)]
pub enum Init {
    /// None.
    None,
    /// `= e`
    Expr(Expr),
    /// `= { … }` or `{ … }`: the expression is an [`ExprKind::InitList`].
    List(Expr),
    /// `(a, b)`, as in `float m(a);` where `a` is a value.
    Call(Vec<Expr>),
}

/// `typedef T name;` or `using name = T;`
#[derive(Clone, PartialEq, Debug)]
pub struct Typedef {
    /// Qualified at namespace and class scope.
    pub name: String,
    /// What it stands for.
    pub ty: Type,
    /// Template parameters of an alias template, else empty.
    pub template: Vec<TemplateParam>,
    /// What `__align__` and its like on the name ask for: members of this type are aligned so, its size stays.
    pub align: Vec<Expr>,
    /// Another attribute says what the type is: `vector_size`, `mode`.
    pub opaque: bool,
    /// The declarator.
    pub range: Range,
}

/// An enumeration.
#[derive(Clone, PartialEq, Debug)]
pub struct Enum {
    /// Qualified; an anonymous one has a name that no program can write, `{enum 120}`, by which types refer to it.
    pub name: String,
    /// `enum class`: the enumerators are found under its name only.
    pub scoped: bool,
    /// `: unsigned char`
    pub underlying: Option<Type>,
    /// Some literal among the values is more than an `int`, or says that it is of another type: where no type is given, the
    /// values tell it.
    pub wide: bool,
    /// The enumerators in order. One without a value is one more than its predecessor (0 if first).
    pub values: Vec<Enumerator>,
    /// The scope in which unscoped enumerators are found: `n`, `n::S`, or empty.
    pub scope: String,
    /// The whole specifier.
    pub range: Range,
}

/// One enumerator.
#[derive(Clone, PartialEq, Debug)]
pub struct Enumerator {
    /// Unqualified.
    pub name: String,
    /// `= …`
    pub value: Option<Expr>,
    /// Where.
    pub range: Range,
}

/// A struct, class or union.
#[derive(Clone, PartialEq, Debug)]
pub struct Struct {
    /// Qualified; an anonymous one has a name that no program can write, `{struct 120}`, by which types refer to it.
    pub name: String,
    /// Which keyword.
    pub kind: StructKind,
    /// Data members in order; static ones are in [`Unit::globals`] instead.
    pub fields: Vec<VarDecl>,
    /// Widths of bit fields, in order.
    pub bits: Vec<BitWidth>,
    /// Base classes.
    pub bases: Vec<Type>,
    /// Template parameters, those of enclosing class templates first; else empty.
    pub template: Vec<TemplateParam>,
    /// Arguments of a specialisation.
    pub template_args: Vec<TemplateArg>,
    /// The condition of a `requires` clause behind the template header.
    pub requires: Option<Box<Expr>>,
    /// `false` for a mere declaration: `struct S;`.
    pub defined: bool,
    /// What `alignas`, `__align__` and `__attribute__((aligned))` on the class ask for.
    pub align: Vec<Expr>,
    /// The same on fields, by the position of the field.
    pub field_align: Vec<(usize, Expr)>,
    /// The alignment of members is at most so many bytes: `__attribute__((packed))`, `#pragma pack`.
    pub packed: Option<u64>,
    /// It declares virtual methods itself.
    pub has_virtual: bool,
    /// The layout may differ from what the fields say: unknown attributes, virtual bases,
    /// members that were not understood. In words.
    pub opaque_layout: Option<String>,
    /// `public:`, `private:`, `protected:` in order, each with whether anybody may use what follows.
    pub access: Vec<(Range, bool)>,
    /// The whole specifier.
    pub range: Range,
}

impl Struct {
    /// Whether anybody may use a member that is declared here.
    #[must_use]
    pub fn is_public(&self, member: Range) -> bool {
        let before = self.access.iter().rev();
        let mut before = before.filter(|(label, _)| label.start <= member.start);
        before
            .next()
            .map_or(self.kind != StructKind::Class, |(_, is_public)| *is_public)
    }
}

/// `unsigned mode : 4;`, or `int : 3;` without a name.
#[derive(Clone, PartialEq, Debug)]
pub struct BitWidth {
    /// How many fields stand before it; if it has a name, it is the next one.
    pub before: usize,
    /// Whether it has a name.
    pub named: bool,
    /// The type that is written.
    pub ty: Type,
    /// Behind the colon.
    pub width: Expr,
}

/// The keyword of a class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StructKind {
    /// `struct`
    Struct,
    /// `class`
    Class,
    /// `union`
    Union,
}

/// A using directive or declaration.
#[derive(Clone, PartialEq, Debug)]
pub struct Using {
    /// `using namespace …`
    pub namespace: bool,
    /// The name after it, or after `namespace a =`.
    pub target: String,
    /// `a` in `namespace a = b;`
    pub alias: Option<String>,
    /// The namespace or class it stands in.
    pub scope: String,
    /// The block it stands in.
    pub block: Option<Range>,
    /// Where.
    pub range: Range,
}

impl Using {
    /// `using namespace a;`
    pub fn is_directive(&self) -> bool {
        self.namespace && self.alias.is_none()
    }
}
