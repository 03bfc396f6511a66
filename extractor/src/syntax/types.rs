//! Specifiers, declarators, types, parameters and template headers.

use super::ast::{
    Expr, ExprKind, FunctionQuals, Name, Range, Segment, Storage, TemplateArg, Type, TypeKind,
};
use super::declarator::Shape;
use super::lex::{Kind, Word};
use super::parser::{Angle, NameKind, Parsed, Parser};
use super::scalars::{BuiltinWords, library_scalar};

/// The longest declarator: pointers, brackets and parameter lists in one.
pub(super) const MAX_DECLARATOR: usize = 32;

/// What stands before the declarators.
#[derive(Debug, Default)]
pub(super) struct Specifiers {
    /// `None` when there was no type (constructors, conversion functions).
    pub ty: Option<Type>,
    pub storage: Storage,
    pub quals: FunctionQuals,
    pub is_typedef: bool,
    pub launch_bounds: Vec<Expr>,
    /// What attributes among them say of a layout.
    pub layout: LayoutAttributes,
    /// The type was defined here (`struct S { … } x;`): a lone `;` may follow.
    pub defines: bool,
    /// Words that are no specifiers that we know: an unexpanded macro.
    pub unknown: Option<Range>,
}

/// What attributes say of the layout of a class or field.
#[derive(Clone, Debug, Default)]
pub(super) struct LayoutAttributes {
    /// Asked for by `alignas` and its like.
    pub align: Vec<Expr>,
    /// To how many bytes members are aligned at most: `packed`, and `packed(n)` that stands for `#pragma pack(n)`.
    pub packed: Option<u64>,
    /// Something else was asked for, that we do not know.
    pub opaque: bool,
}

impl LayoutAttributes {
    /// Whether anything is asked for.
    pub fn asks(&self) -> bool {
        self.opaque || self.packed.is_some() || !self.align.is_empty()
    }

    /// Those of another place at the same declaration.
    pub fn add(&mut self, other: LayoutAttributes) {
        self.align.extend(other.align);
        self.packed = match (self.packed, other.packed) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.opaque |= other.opaque;
    }
}

impl<'a> Parser<'a> {
    /// Specifiers, until something that is none. `class` is the simple name of the class whose member is declared.
    pub fn specifiers(&mut self, class: Option<&str>) -> Parsed<Specifiers> {
        let first = self.pos;
        let mut specs = Specifiers::default();
        let mut words = BuiltinWords::default();
        let (mut is_const, mut is_volatile) = (false, false);
        let mut type_range = self.range_at(first);
        loop {
            self.spend(1)?;
            let word = self.peek();
            let at = self.pos;
            if self.kind_at(at) != Some(Kind::Ident) && word != "::" && word != "[" {
                break;
            }
            if self.word_at(at) == Word::Specifier {
                self.pos += 1;
                match word {
                    "const" | "__const" | "__const__" => is_const = true,
                    "volatile" | "__volatile__" | "__volatile" => is_volatile = true,
                    "__attribute__" | "__attribute" | "__align__" | "alignas" | "_Alignas"
                    | "__declspec" => {
                        let first = self.pos;
                        self.layout_attribute(word)?;
                        let memory_space = |index| {
                            matches!(
                                self.text_at(index),
                                "shared" | "device" | "constant" | "global"
                            )
                        };
                        if (first..self.pos).any(memory_space) {
                            return self
                                .fail("an attribute that names a memory space, before this");
                        }
                    }
                    "__cluster_dims__" | "__maxnreg__" | "__block_size__" => self.parens()?,
                    "__launch_bounds__" => specs.launch_bounds = self.arguments()?,
                    "explicit" if self.at("(") => {
                        self.parens()?;
                        specs.quals.explicit = true;
                    }
                    "extern" if self.kind_at(self.pos) == Some(Kind::Str) => {
                        specs.quals.extern_c |= self.peek() == "\"C\"";
                        self.pos += 1;
                    }
                    _ => specs.word(word),
                }
                continue;
            }
            if word == "[" {
                if self.text_at(at + 1) != "[" || !self.adjacent(at) {
                    break;
                }
                self.layout.opaque |= self.standard_attribute()?;
                continue;
            }
            if self.word_at(at) == Word::Builtin {
                if let Some(ty) = &specs.ty {
                    // `API void f()`: what we took for the type is a macro that nothing defined.
                    if !matches!(&ty.kind, TypeKind::Named(name) if self.name_kind(&name.base) == NameKind::default())
                    {
                        break;
                    }
                    specs.unknown = Some(ty.range);
                    specs.ty = None;
                }
                type_range = if words.any() {
                    type_range.to(self.range_at(at))
                } else {
                    self.range_at(at)
                };
                words.add(word);
                self.pos += 1;
                continue;
            }
            if specs.ty.is_some() || words.any() {
                break;
            }
            match word {
                "struct" | "class" | "union" | "enum" => {
                    let (ty, defines) = self.class_or_enum()?;
                    specs.ty = Some(ty);
                    specs.defines = defines;
                }
                "decltype" | "typeof" | "__typeof__" | "__typeof" => {
                    self.pos += 1;
                    let open = self.pos;
                    self.expect("(", "expected `(`")?;
                    if word != "decltype"
                        && let Some(ty) = self.attempt(|parser| {
                            let ty = parser.with_angle(Angle::Operator, Self::type_id)?;
                            parser.expect(")", "expected `)`")?;
                            Ok(ty)
                        })
                    {
                        // `typeof` of a reference is what that refers to.
                        specs.ty = Some(match ty.kind {
                            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => *to,
                            _ => ty,
                        });
                        continue;
                    }
                    let operand = if self.at("auto") && self.text_at(self.pos + 1) == ")" {
                        // Until the initialiser is known.
                        let auto = self.pos;
                        self.pos += 1;
                        let range = self.range_from(auto);
                        self.expr(ExprKind::Name(Name::simple("auto", range)), range, 0)?
                    } else {
                        self.nested(|parser| parser.with_angle(Angle::Operator, Self::expression))?
                    };
                    self.expect(")", "expected `)`")?;
                    let range = self.range_from(at);
                    let operand = if word == "decltype" {
                        self.operand_of_decltype(operand, open + 1, self.pos - 1)?
                    } else {
                        operand
                    };
                    specs.ty = Some(Type::new(TypeKind::Decltype(Box::new(operand)), range));
                }
                "typename" => {
                    self.pos += 1;
                    let name = self.type_name()?;
                    specs.ty = Some(self.named_type(name));
                }
                "operator" => break,
                _ if word == "::" || self.at_ident() => {
                    // `S(` in class `S`, `S::S(`, `S<T>::~S(`: no type, but the declarator itself.
                    if class == Some(word) && self.text_at(at + 1) == "(" {
                        break;
                    }
                    if let Some(concept) = self.constrained_auto() {
                        self.auto_constraints.push((concept.range.start, concept));
                        continue;
                    }
                    if specs.unknown.is_none() && self.unknown_specifier() {
                        self.pos += 1;
                        if self.at("(") {
                            self.skip_balanced()?;
                        }
                        specs.unknown = Some(self.range_from(at));
                        continue;
                    }
                    let Some(name) = self.attempt(|parser| parser.type_name_in_declaration())
                    else {
                        break;
                    };
                    specs.ty = Some(self.named_type(name));
                }
                _ => break,
            }
        }
        if words.any() {
            specs.ty = Some(match words.scalar() {
                Some(kind) => Type::new(kind, type_range),
                None => return self.fail("a combination of type words that C++ does not have"),
            });
        }
        if let Some(ty) = &mut specs.ty {
            ty.is_const |= is_const;
            ty.is_volatile |= is_volatile;
        }
        Ok(specs)
    }

    /// `C auto`: the concept, in front of `auto`.
    fn constrained_auto(&mut self) -> Option<Name> {
        if self.concepts.is_empty() && !matches!(self.peek(), "std" | "cuda" | "::") {
            return None;
        }
        let first = self.pos;
        let concept = self.type_constraint().filter(|_| self.at("auto"));
        if concept.is_none() {
            self.pos = first;
        }
        concept
    }

    /// Whether the present word cannot be the type, as the type follows it: `API Foo f(`, `API static int x`,
    /// `API T *f(`. It is a macro that nothing defined.
    fn unknown_specifier(&self) -> bool {
        let at = self.pos;
        let next = self.text_at(at + 1);
        // `API(x) __global__ void f(`
        if next == "("
            && let Some(close) = self.partner(at + 1)
        {
            return self.is_ident(at)
                && self.name_kind(self.peek()) == NameKind::default()
                && matches!(
                    self.text_at(close + 1),
                    "__global__" | "__device__" | "__host__" | "static" | "void"
                );
        }
        self.is_ident(at)
            && self.name_kind(self.peek()) == NameKind::default()
            && (self.is_ident(at + 1)
                && (self.is_ident(at + 2) || matches!(self.text_at(at + 2), "*" | "&" | "&&"))
                || self.word_at(at + 1) == Word::Specifier
                    && !matches!(next, "const" | "volatile" | "__restrict__" | "__restrict"))
    }

    /// A type name at the start of a declaration, which is not a constructor's or destructor's qualified name.
    fn type_name_in_declaration(&mut self) -> Parsed<Name> {
        if self.name_kind(self.peek()).only_value() && self.text_at(self.pos + 1) != "::" {
            return self.fail("expected a type");
        }
        let name = self.type_name()?;
        let constructor = name
            .qualifier
            .last()
            .is_some_and(|class| class.name == name.base)
            && self.at("(");
        // `S::~S()`
        let destructor = self.at("::") && self.text_at(self.pos + 1) == "~";
        if constructor || destructor {
            self.fail("expected a type")
        } else {
            Ok(name)
        }
    }

    /// Past a parenthesised group.
    pub fn parens(&mut self) -> Parsed<()> {
        if self.at("(") {
            self.skip_balanced()
        } else {
            self.fail("expected `(`")
        }
    }

    /// Past attributes in any position where only they can stand.
    pub fn skip_attributes(&mut self) -> Parsed<()> {
        loop {
            match self.peek() {
                "__attribute__" | "__attribute" | "__declspec" | "__align__" | "alignas" => {
                    let word = self.peek();
                    self.pos += 1;
                    self.layout_attribute(word)?;
                }
                "[" if self.text_at(self.pos + 1) == "[" && self.adjacent(self.pos) => {
                    self.layout.opaque |= self.standard_attribute()?;
                }
                "__extension__" => self.pos += 1,
                _ => return Ok(()),
            }
        }
    }

    /// Past `[[…]]`; whether it may change where members lie.
    pub fn standard_attribute(&mut self) -> Parsed<bool> {
        let first = self.pos;
        self.skip_balanced()?;
        let lays_out = |index| {
            let word = self.text_at(index).trim_matches('_');
            matches!(
                word,
                "no_unique_address" | "packed" | "aligned" | "align" | "vector_size" | "mode"
            )
        };
        Ok((first..self.pos).any(lays_out))
    }

    /// What follows `alignas`, `__align__`, `__attribute__` or `__declspec`, noted in [`Parser::layout`].
    fn layout_attribute(&mut self, word: &str) -> Parsed<()> {
        let first = self.pos;
        self.parens()?;
        let end = self.pos;
        if matches!(word, "__align__" | "alignas" | "_Alignas") {
            self.alignment(first);
        } else if word.starts_with("__attribute") && self.partner(first + 1) == Some(end - 2) {
            // `((packed, aligned(4)))`
            let mut start = first + 2;
            while start < end - 2 {
                let mut behind = start;
                while behind < end - 2 && self.text_at(behind) != "," {
                    let close = self.partner(behind).filter(|close| *close > behind);
                    behind = close.unwrap_or(behind) + 1;
                }
                self.attribute_part(start, behind);
                start = behind + 1;
            }
        } else {
            self.layout.opaque = true;
        }
        self.pos = end;
        Ok(())
    }

    /// One of the attributes in `__attribute__((…))`, between two tokens.
    fn attribute_part(&mut self, start: usize, end: usize) {
        const HARMLESS: [&str; 33] = [
            "unused",
            "used",
            "noinline",
            "always_inline",
            "flatten",
            "gnu_inline",
            "artificial",
            "cold",
            "hot",
            "pure",
            "const",
            "malloc",
            "nothrow",
            "noreturn",
            "nonnull",
            "returns_nonnull",
            "nodebug",
            "format",
            "section",
            "weak",
            "visibility",
            "type_visibility",
            "abi_tag",
            "deprecated",
            "may_alias",
            "warn_unused",
            "warn_unused_result",
            "no_sanitize",
            "device_builtin",
            "device_builtin_texture_type",
            "device_builtin_surface_type",
            "host",
            "device",
        ];
        let word = self.text_at(start);
        let has_argument =
            self.partner(start + 1) == Some(end - 1) && self.text_at(start + 1) == "(";
        match word.trim_matches('_') {
            "aligned" | "align" if has_argument => self.alignment(start + 1),
            "packed" => {
                let limit = if end == start + 1 {
                    Some(1)
                } else if has_argument && end == start + 4 {
                    // `packed(4)`
                    self.text_at(start + 2).parse().ok()
                } else {
                    None
                };
                match (limit, self.layout.packed) {
                    (Some(limit), known) => {
                        self.layout.packed = Some(known.map_or(limit, |known| known.min(limit)));
                    }
                    (None, _) => self.layout.opaque = true,
                }
            }
            word if HARMLESS.contains(&word) => {}
            _ => self.layout.opaque = true,
        }
    }

    /// The alignment in the parentheses at a token.
    fn alignment(&mut self, open: usize) {
        self.pos = open + 1;
        let read = self.nested(|parser| parser.with_angle(Angle::Operator, Self::conditional));
        let whole = self.pos + 1 == self.partner(open).map_or(0, |close| close + 1);
        match read {
            Ok(value)
                if whole
                    && !matches!(&value.kind, ExprKind::Name(name) if self.names_type(name)) =>
            {
                self.layout.align.push(value);
            }
            _ => match self.type_of_alignment(open) {
                Some(value) => self.layout.align.push(value),
                None => self.layout.opaque = true,
            },
        }
    }

    /// `alignas(T)`: as aligned as the type in the parentheses.
    fn type_of_alignment(&mut self, open: usize) -> Option<Expr> {
        self.pos = open + 1;
        let ty = self.nested(|parser| parser.with_angle(Angle::Operator, Self::type_id));
        let whole = self.partner(open) == Some(self.pos);
        let range = self.range_from(open + 1);
        let ty = ty.ok().filter(|_| whole)?;
        self.expr(ExprKind::AlignofType(Box::new(ty)), range, 0)
            .ok()
    }

    /// A possibly qualified name in a place where only a type can stand.
    pub fn type_name(&mut self) -> Parsed<Name> {
        let first = self.pos;
        let global = self.eat("::");
        let mut qualifier = Vec::new();
        loop {
            self.eat("template");
            if !self.at_ident() {
                return self.fail("expected a type name");
            }
            let base = self.peek().to_owned();
            self.pos += 1;
            let args = if self.at("<") {
                Some(self.template_arguments()?)
            } else {
                None
            };
            if self.at("::")
                && (self.is_ident(self.pos + 1) || self.text_at(self.pos + 1) == "template")
            {
                self.pos += 1;
                qualifier.push(Segment { name: base, args });
                if qualifier.len() > MAX_DECLARATOR {
                    return self.fail("nesting too deep");
                }
                continue;
            }
            return Ok(Name {
                global,
                qualifier,
                base,
                args,
                range: self.range_from(first),
            });
        }
    }

    /// The type that a name stands for: a scalar for the library's names unless the unit declares them itself.
    pub fn named_type(&self, name: Name) -> Type {
        let range = name.range;
        let std = match name.qualifier.as_slice() {
            [one] => one.name == "std",
            [outer, inner] => outer.name == "cuda" && inner.name == "std",
            _ => false,
        };
        if name.args.is_none()
            && (name.qualifier.is_empty() || std)
            && !self.name_kind(&name.base).ty
            && let Some(scalar) = library_scalar(&name.base)
        {
            return Type::new(TypeKind::Scalar(scalar), range);
        }
        Type::new(TypeKind::Named(name), range)
    }

    /// `<…>`. A place where this failed is not tried again, which keeps nested speculation from multiplying.
    pub fn template_arguments(&mut self) -> Parsed<Vec<TemplateArg>> {
        let first = self.pos;
        if self.no_template.contains(&first) {
            return self.fail("expected template arguments");
        }
        let parsed = self.template_arguments_anew();
        if parsed.is_err() {
            self.no_template.insert(first);
        }
        parsed
    }

    fn template_arguments_anew(&mut self) -> Parsed<Vec<TemplateArg>> {
        self.expect("<", "expected `<`")?;
        self.nested(|parser| {
            parser.with_angle(Angle::Template, |parser| {
                let mut args = Vec::new();
                if parser.eat(">") {
                    return Ok(args);
                }
                loop {
                    args.push(parser.template_argument()?);
                    if parser.eat(",") {
                        continue;
                    }
                    parser.expect(">", "expected `>`")?;
                    return Ok(args);
                }
            })
        })
    }

    fn template_argument(&mut self) -> Parsed<TemplateArg> {
        let first = self.pos;
        let ty = self.attempt(|parser| {
            let ty = parser.type_id()?;
            if matches!(parser.peek(), "," | ">") {
                Ok(ty)
            } else {
                parser.fail("expected `,` or `>`")
            }
        });
        if let Some(ty) = ty {
            return Ok(match ty {
                Type {
                    kind: TypeKind::Named(name),
                    is_const: false,
                    is_volatile: false,
                    ..
                } if self.text_at(first) != "typename" => TemplateArg::Name(name),
                ty => TemplateArg::Type(ty),
            });
        }
        let value = self.conditional()?;
        if self.eat("...") {
            let kind = ExprKind::Expand(Box::new(value));
            let range = self.range_from(first);
            return Ok(TemplateArg::Expr(Expr { kind, range }));
        }
        Ok(TemplateArg::Expr(value))
    }

    /// A type without a name: `const float *`, `int (*)(int)`, `T[4]`.
    pub fn type_id(&mut self) -> Parsed<Type> {
        self.nested(|parser| {
            let first = parser.pos;
            let specs = parser.specifiers(None)?;
            if specs.is_typedef || specs.storage != Storage::default() || specs.unknown.is_some() {
                return parser.fail("expected a type");
            }
            let Some(base) = specs.ty else {
                return parser.fail("expected a type");
            };
            let declarator = parser.declarator(Shape::Abstract)?;
            let pack = declarator.pack;
            let mut ty = declarator.apply(base);
            ty.range = parser.range_from(first);
            if pack {
                let range = ty.range;
                ty = Type::new(TypeKind::Expand(Box::new(ty)), range);
            }
            Ok(ty)
        })
    }
}

impl Specifiers {
    fn word(&mut self, word: &str) {
        match word {
            "static" => {
                self.storage.is_static = true;
                self.quals.is_static = true;
            }
            "extern" => self.storage.is_extern = true,
            "register" => self.storage.register = true,
            "thread_local" | "__thread" => self.storage.thread_local = true,
            "mutable" => self.storage.mutable = true,
            "inline" | "__inline__" | "__inline" => self.quals.inline = true,
            "__forceinline__" | "__forceinline" => self.quals.forceinline = true,
            "__noinline__" => self.quals.noinline = true,
            "virtual" => self.quals.is_virtual = true,
            "friend" => self.quals.friend = true,
            "explicit" => self.quals.explicit = true,
            "constexpr" | "consteval" => {
                self.storage.constexpr = true;
                self.quals.constexpr = true;
            }
            "typedef" => self.is_typedef = true,
            "__shared__" => self.storage.shared = true,
            "__constant__" => self.storage.constant = true,
            "__device__" => {
                self.storage.device = true;
                self.quals.device = true;
            }
            "__managed__" => self.storage.managed = true,
            "__global__" => self.quals.global = true,
            "__host__" => self.quals.host = true,
            "__grid_constant__" => self.storage.grid_constant = true,
            // `constinit`, `__extension__`, `restrict` here, `_Noreturn`: no effect on what a thread accesses.
            _ => {}
        }
    }
}
