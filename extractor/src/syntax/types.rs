//! Specifiers, declarators, types, parameters and template headers.

use super::ast::{
    Expr, FunctionQuals, Name, Param, Range, Scalar, Segment, Storage, TemplateArg, TemplateParam,
    TemplateParamKind, Type, TypeKind,
};
use super::lex::{Kind, Word};
use super::parser::{Angle, NameKind, Parsed, Parser};

/// The longest declarator: pointers, brackets and parameter lists in one.
const MAX_DECLARATOR: usize = 32;

/// What stands before the declarators.
#[derive(Debug, Default)]
pub(super) struct Specifiers {
    /// `None` when there was no type (constructors, conversion functions).
    pub ty: Option<Type>,
    pub storage: Storage,
    pub quals: FunctionQuals,
    pub is_typedef: bool,
    pub launch_bounds: Vec<Expr>,
    /// An attribute or alignment that can change a layout.
    pub layout: bool,
    /// The type was defined here (`struct S { … } x;`): a lone `;` may follow.
    pub defines: bool,
    /// Words that are no specifiers that we know: an unexpanded macro.
    pub unknown: Option<Range>,
}

/// One step from the name of a declarator outwards.
#[derive(Debug)]
pub(super) enum Step {
    Pointer {
        is_const: bool,
        is_volatile: bool,
        restrict: bool,
    },
    Reference {
        restrict: bool,
    },
    RvalueReference,
    Array(Option<Expr>),
    Function(Signature),
}

/// Parameters and what follows them.
#[derive(Debug)]
pub(super) struct Signature {
    pub params: Vec<Param>,
    pub variadic: bool,
    /// `-> T`
    pub trailing: Option<Type>,
}

/// A declarator: its name and the steps from it outwards.
#[derive(Debug)]
pub(super) struct Declarator {
    /// `None` for an abstract one.
    pub name: Option<Name>,
    /// `...` before the name.
    pub pack: bool,
    pub steps: Vec<Step>,
    pub range: Range,
}

impl Declarator {
    /// The type of the declared entity.
    pub fn apply(self, base: Type) -> Type {
        let range = base.range.to(self.range);
        let mut ty = base;
        for step in self.steps.into_iter().rev() {
            let to = Box::new(ty);
            ty = match step {
                Step::Pointer {
                    is_const,
                    is_volatile,
                    restrict,
                } => Type {
                    kind: TypeKind::Pointer(to),
                    is_const,
                    is_volatile,
                    restrict,
                    range,
                },
                Step::Reference { restrict } => Type {
                    restrict,
                    ..Type::new(TypeKind::Reference(to), range)
                },
                Step::RvalueReference => Type::new(TypeKind::RvalueReference(to), range),
                Step::Array(size) => Type::new(TypeKind::Array(to, size.map(Box::new)), range),
                Step::Function(signature) => {
                    let ret = signature.trailing.map_or(to, Box::new);
                    Type::new(
                        TypeKind::Function {
                            ret,
                            params: signature.params,
                        },
                        range,
                    )
                }
            };
        }
        ty
    }
}

/// How a declarator may look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    /// A name must be there.
    Named,
    /// No name may be there.
    Abstract,
    /// Parameters: either.
    Either,
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
                        specs.layout = true;
                        let first = self.pos;
                        self.parens()?;
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
                    "explicit" if self.at("(") => self.parens()?,
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
                self.skip_balanced()?;
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
                    let (ty, defines) = self.class_or_enum(specs.layout)?;
                    specs.ty = Some(ty);
                    specs.defines = defines;
                }
                "decltype" | "typeof" | "__typeof__" | "__typeof" => {
                    self.pos += 1;
                    self.expect("(", "expected `(`")?;
                    let operand =
                        self.nested(|parser| parser.with_angle(Angle::Operator, Self::expression))?;
                    self.expect(")", "expected `)`")?;
                    let range = self.range_from(at);
                    specs.ty = Some(
                        if operand.kind
                            == super::ast::ExprKind::Name(Name::simple("auto", operand.range))
                        {
                            Type::new(TypeKind::Auto, range)
                        } else {
                            Type::new(TypeKind::Decltype(Box::new(operand)), range)
                        },
                    );
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
        if constructor {
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
                    self.pos += 1;
                    self.parens()?;
                }
                "[" if self.text_at(self.pos + 1) == "[" && self.adjacent(self.pos) => {
                    self.skip_balanced()?
                }
                "__extension__" => self.pos += 1,
                _ => return Ok(()),
            }
        }
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
        let std = matches!(&name.qualifier[..], [segment] if segment.name == "std");
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
        if self.at("...") {
            return self.fail("a pack expansion");
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
            let mut ty = declarator.apply(base);
            ty.range = parser.range_from(first);
            Ok(ty)
        })
    }

    /// A declarator. Array sizes and parameters are read with the names in scope.
    pub fn declarator(&mut self, shape: Shape) -> Parsed<Declarator> {
        self.nested(|parser| {
            let first = parser.pos;
            let mut declarator = parser.declarator_inner(shape)?;
            declarator.range = parser.range_from(first);
            Ok(declarator)
        })
    }

    fn declarator_inner(&mut self, shape: Shape) -> Parsed<Declarator> {
        let mut prefix = Vec::new();
        loop {
            self.skip_attributes()?;
            if prefix.len() > MAX_DECLARATOR {
                return self.fail("nesting too deep");
            }
            match self.peek() {
                "*" => {
                    self.pos += 1;
                    let (mut is_const, mut is_volatile, mut restrict) = (false, false, false);
                    loop {
                        match self.peek() {
                            "const" | "__const" | "__const__" => is_const = true,
                            "volatile" | "__volatile__" | "__volatile" => is_volatile = true,
                            "__restrict__" | "__restrict" | "restrict" => restrict = true,
                            // A memory space after the star speaks of the pointer variable; specifiers are read before it.
                            _ => break,
                        }
                        self.pos += 1;
                    }
                    prefix.push(Step::Pointer {
                        is_const,
                        is_volatile,
                        restrict,
                    });
                }
                "&" => {
                    self.pos += 1;
                    let restrict =
                        self.eat("__restrict__") || self.eat("__restrict") || self.eat("restrict");
                    prefix.push(Step::Reference { restrict });
                }
                "&&" => {
                    self.pos += 1;
                    prefix.push(Step::RvalueReference);
                }
                _ => break,
            }
        }
        let pack = self.eat("...");
        let mut inner = self.direct_declarator(shape)?;
        inner.pack |= pack;
        loop {
            if inner.steps.len() + prefix.len() > MAX_DECLARATOR {
                return self.fail("nesting too deep");
            }
            match self.peek() {
                "[" if self.text_at(self.pos + 1) == "[" && self.adjacent(self.pos) => {
                    self.skip_balanced()?
                }
                "[" => {
                    self.pos += 1;
                    self.eat("static");
                    let size = if self.at("]") {
                        None
                    } else {
                        Some(self.nested(|parser| {
                            parser.with_angle(Angle::Operator, Self::expression)
                        })?)
                    };
                    self.expect("]", "expected `]`")?;
                    inner.steps.push(Step::Array(size));
                }
                "(" => {
                    // `T x(…)` may also be an initialiser: the caller looks at that when there is no signature.
                    let Some(signature) = self.attempt(Self::signature) else {
                        break;
                    };
                    inner.steps.push(Step::Function(signature));
                }
                "__attribute__" | "__attribute" | "__align__" | "alignas" => {
                    self.skip_attributes()?
                }
                _ => break,
            }
        }
        inner.steps.extend(prefix.into_iter().rev());
        Ok(inner)
    }

    /// The name, or a declarator in parentheses, or nothing.
    fn direct_declarator(&mut self, shape: Shape) -> Parsed<Declarator> {
        let range = self.range_at(self.pos);
        if self.at("(") && shape != Shape::Abstract
            || self.at("(") && matches!(self.text_at(self.pos + 1), "*" | "&" | "&&")
        {
            let inner = self.attempt(|parser| {
                parser.pos += 1;
                let inner = parser.declarator(shape)?;
                parser.expect(")", "expected `)`")?;
                // `()` and `(T)` are parameter lists.
                if inner.name.is_none() && inner.steps.is_empty() {
                    parser.fail("expected a declarator")
                } else {
                    Ok(inner)
                }
            });
            if let Some(inner) = inner {
                return Ok(inner);
            }
        }
        let name = match shape {
            Shape::Abstract => None,
            Shape::Named => Some(self.declared_name()?),
            Shape::Either if self.at_ident() => Some(self.declared_name()?),
            Shape::Either => None,
        };
        Ok(Declarator {
            name,
            pack: false,
            steps: Vec::new(),
            range,
        })
    }

    /// The name that a declarator declares: `x`, `n::S<T>::f`, `operator+`, `~S`, `f<float>`.
    pub fn declared_name(&mut self) -> Parsed<Name> {
        let first = self.pos;
        let global = self.eat("::");
        let mut qualifier = Vec::new();
        loop {
            if self.at("operator") || self.at("~") {
                let base = self.special_name()?;
                return Ok(Name {
                    global,
                    qualifier,
                    base,
                    args: None,
                    range: self.range_from(first),
                });
            }
            if !self.at_ident() {
                return self.fail("expected a name");
            }
            let base = self.peek().to_owned();
            self.pos += 1;
            let args = if self.at("<") {
                Some(self.template_arguments()?)
            } else {
                None
            };
            if qualifier.len() > MAX_DECLARATOR {
                return self.fail("nesting too deep");
            }
            if self.eat("::") {
                if self.at("*") {
                    return self.fail("a pointer to a member");
                }
                qualifier.push(Segment { name: base, args });
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

    /// `operator+`, `operator()`, `operator float`, `~S`
    pub fn special_name(&mut self) -> Parsed<String> {
        if self.eat("~") {
            if !self.at_ident() {
                return self.fail("expected a class name");
            }
            self.pos += 1;
            return Ok(format!("~{}", self.text_at(self.pos - 1)));
        }
        self.expect("operator", "expected `operator`")?;
        let mut name = String::from("operator");
        match self.peek() {
            "(" if self.text_at(self.pos + 1) == ")" => {
                self.pos += 2;
                name.push_str("()");
            }
            "[" if self.text_at(self.pos + 1) == "]" => {
                self.pos += 2;
                name.push_str("[]");
            }
            "new" | "delete" => {
                name.push(' ');
                name.push_str(self.peek());
                self.pos += 1;
                if self.at("[") {
                    self.skip_balanced()?;
                    name.push_str("[]");
                }
            }
            _ if self.kind_at(self.pos) == Some(Kind::Punct) && !self.at("::") => loop {
                name.push_str(self.peek());
                self.pos += 1;
                // `>>=` is three tokens.
                if self.kind_at(self.pos) != Some(Kind::Punct)
                    || self.at("(")
                    || !self.adjacent(self.pos - 1)
                {
                    break;
                }
            },
            _ if self.kind_at(self.pos) == Some(Kind::Str) => {
                self.pos += 1;
                if self.at_ident() {
                    self.pos += 1;
                }
                name.push_str("\"\"");
            }
            _ => {
                let specs = self.specifiers(None)?;
                if specs.ty.is_none() {
                    return self.fail("expected an operator");
                }
                let first = self.pos;
                while matches!(self.peek(), "*" | "&" | "const" | "&&") {
                    self.pos += 1;
                }
                let range = specs
                    .ty
                    .map(|ty| ty.range)
                    .unwrap_or_default()
                    .to(self.range_from(first));
                name.push(' ');
                name.push_str(&self.text[range.bytes()]);
            }
        }
        Ok(name)
    }

    /// `(params) const noexcept -> T`
    fn signature(&mut self) -> Parsed<Signature> {
        self.expect("(", "expected `(`")?;
        let (params, variadic) =
            self.nested(|parser| parser.with_angle(Angle::Operator, Self::parameters))?;
        let mut trailing = None;
        loop {
            match self.peek() {
                "const" | "volatile" | "&" | "&&" | "override" | "final" | "__device__"
                | "__host__" => self.pos += 1,
                "noexcept" | "throw" => {
                    self.pos += 1;
                    if self.at("(") {
                        self.skip_balanced()?;
                    }
                }
                "->" => {
                    self.pos += 1;
                    trailing = Some(self.type_id()?);
                }
                "__attribute__" | "__attribute" => self.skip_attributes()?,
                _ => {
                    return Ok(Signature {
                        params,
                        variadic,
                        trailing,
                    });
                }
            }
        }
    }

    /// Parameters and the closing parenthesis.
    pub fn parameters(&mut self) -> Parsed<(Vec<Param>, bool)> {
        let mut params = Vec::new();
        if self.eat(")") {
            return Ok((params, false));
        }
        if self.at("void") && self.text_at(self.pos + 1) == ")" {
            self.pos += 2;
            return Ok((params, false));
        }
        let mut variadic = false;
        let mark = self.enter_scope();
        let parsed = loop {
            if self.eat("...") {
                variadic = true;
                break self.expect(")", "expected `)`").map(drop);
            }
            match self.parameter() {
                Ok(param) => {
                    variadic |= param.pack;
                    // `f(T n, int a[n])`, and `decltype` of a parameter.
                    if let Some(name) = &param.name {
                        let name = self.text_of(name, param.range);
                        self.declare_local(name, NameKind::VALUE);
                    }
                    params.push(param);
                }
                Err(fail) => break Err(fail),
            }
            if !self.eat(",") {
                break self.expect(")", "expected `,` or `)`").map(drop);
            }
        };
        self.leave_scope(mark);
        parsed.map(|()| (params, variadic))
    }

    /// The slice of the text within `range` that spells `name`.
    pub fn text_of(&self, name: &str, range: Range) -> &'a str {
        let text = &self.text[range.bytes()];
        text.find(name).map_or("", |at| &text[at..at + name.len()])
    }

    fn parameter(&mut self) -> Parsed<Param> {
        let first = self.pos;
        let specs = self.specifiers(None)?;
        if specs.is_typedef || specs.unknown.is_some() {
            return self.fail("expected a parameter");
        }
        let Some(base) = specs.ty else {
            return self.fail("expected a parameter");
        };
        let declarator = self.declarator(Shape::Either)?;
        if declarator
            .name
            .as_ref()
            .is_some_and(|name| name.as_simple().is_none())
        {
            return self.fail("expected a parameter");
        }
        let name = declarator.name.as_ref().map(|name| name.base.clone());
        let pack = declarator.pack;
        let ty = declarator.apply(base);
        let default = if self.eat("=") {
            Some(if self.at("{") {
                self.init_list()?
            } else {
                self.assignment()?
            })
        } else {
            None
        };
        Ok(Param {
            name,
            ty,
            default,
            pack,
            range: self.range_from(first),
        })
    }

    /// `<…>` after `template`. The parameters are declared in the current local scope.
    pub fn template_header(&mut self) -> Parsed<Vec<TemplateParam>> {
        self.expect("<", "expected `<`")?;
        let params = self.nested(|parser| {
            parser.with_angle(Angle::Template, |parser| {
                let mut params = Vec::new();
                if parser.eat(">") {
                    return Ok(params);
                }
                loop {
                    params.push(parser.template_parameter()?);
                    if parser.eat(",") {
                        continue;
                    }
                    parser.expect(">", "expected `>`")?;
                    return Ok(params);
                }
            })
        })?;
        if self.at("requires") {
            return self.fail("a `requires` clause");
        }
        Ok(params)
    }

    fn template_parameter(&mut self) -> Parsed<TemplateParam> {
        let first = self.pos;
        if self.at("template") {
            self.pos += 1;
            let mark = self.enter_scope();
            self.template_header()?;
            self.leave_scope(mark);
            if !(self.eat("class") || self.eat("typename")) {
                return self.fail("expected `class`");
            }
            let pack = self.eat("...");
            let name = self.template_parameter_name(NameKind::TYPE_TEMPLATE);
            if self.eat("=") {
                self.type_name()?;
            }
            return Ok(TemplateParam {
                name,
                kind: TemplateParamKind::Template,
                pack,
                range: self.range_from(first),
            });
        }
        let after = self.pos + 1 + usize::from(self.text_at(self.pos + 1) == "...");
        let after = after + usize::from(self.is_ident(after));
        if matches!(self.peek(), "class" | "typename")
            && matches!(self.text_at(after), "," | ">" | "=")
        {
            self.pos += 1;
            let pack = self.eat("...");
            let name = self.template_parameter_name(NameKind::TYPE);
            let default = if self.eat("=") {
                Some(self.type_id()?)
            } else {
                None
            };
            let kind = TemplateParamKind::Type { default };
            return Ok(TemplateParam {
                name,
                kind,
                pack,
                range: self.range_from(first),
            });
        }
        let specs = self.specifiers(None)?;
        let Some(base) = specs.ty else {
            return self.fail("expected a template parameter");
        };
        let declarator = self.declarator(Shape::Either)?;
        let pack = declarator.pack;
        let name = declarator.name.as_ref().map(|name| name.base.clone());
        let ty = declarator.apply(base);
        let default = if self.eat("=") {
            Some(self.conditional()?)
        } else {
            None
        };
        let range = self.range_from(first);
        if let Some(name) = &name {
            let name = self.text_of(name, range);
            self.declare_local(name, NameKind::VALUE);
        }
        Ok(TemplateParam {
            name,
            kind: TemplateParamKind::Value { ty, default },
            pack,
            range,
        })
    }

    fn template_parameter_name(&mut self, kind: NameKind) -> Option<String> {
        if !self.at_ident() {
            return None;
        }
        let name = self.peek();
        self.pos += 1;
        self.declare_local(name, kind);
        Some(name.to_owned())
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
            // `explicit`, `constinit`, `__extension__`, `restrict` here, `_Noreturn`: no effect on what a thread accesses.
            _ => {}
        }
    }
}

/// Counts of the words of a built-in type.
#[derive(Default)]
struct BuiltinWords {
    signed: u8,
    unsigned: u8,
    short: u8,
    long: u8,
    int: u8,
    other: Option<TypeKind>,
    others: u8,
}

impl BuiltinWords {
    fn any(&self) -> bool {
        self.signed + self.unsigned + self.short + self.long + self.int + self.others > 0
    }

    fn add(&mut self, word: &str) {
        let other = match word {
            "signed" | "__signed__" => return self.signed = self.signed.saturating_add(1).min(2),
            "unsigned" => return self.unsigned = self.unsigned.saturating_add(1).min(2),
            "short" => return self.short = self.short.saturating_add(1).min(3),
            "long" => return self.long = self.long.saturating_add(1).min(3),
            "int" => return self.int = self.int.saturating_add(1).min(2),
            "void" => Scalar::Void,
            "bool" | "_Bool" => Scalar::Bool,
            "char" => Scalar::Char,
            "float" => Scalar::Float,
            "double" => Scalar::Double,
            "wchar_t" => Scalar::WChar,
            "char8_t" => Scalar::Char8,
            "char16_t" => Scalar::Char16,
            "char32_t" => Scalar::Char32,
            "__int128" | "__int128_t" => Scalar::Int128,
            "__uint128_t" => Scalar::UInt128,
            _ => {
                self.other = Some(TypeKind::Auto);
                self.others = (self.others + 1).min(2);
                return;
            }
        };
        self.other = Some(TypeKind::Scalar(other));
        self.others = (self.others + 1).min(2);
    }

    fn scalar(self) -> Option<TypeKind> {
        let Self {
            signed,
            unsigned,
            short,
            long,
            int,
            other,
            others,
        } = self;
        if signed + unsigned > 1 || int > 1 || others > 1 || long > 2 || short > 1 {
            return None;
        }
        let scalar = match (other, short, long, int) {
            (Some(TypeKind::Scalar(Scalar::Char)), 0, 0, 0) => match (signed, unsigned) {
                (0, 0) => Scalar::Char,
                (1, _) => Scalar::SChar,
                _ => Scalar::UChar,
            },
            (Some(TypeKind::Scalar(Scalar::Int128)), 0, 0, 0) if unsigned == 1 => Scalar::UInt128,
            (Some(TypeKind::Scalar(Scalar::Int128)), 0, 0, 0) => Scalar::Int128,
            (Some(TypeKind::Scalar(Scalar::Double)), 0, 1, 0) if signed + unsigned == 0 => {
                Scalar::LongDouble
            }
            (Some(kind), 0, 0, 0) if signed + unsigned == 0 => return Some(kind),
            (None, 1, 0, _) => [Scalar::Short, Scalar::UShort][usize::from(unsigned)],
            (None, 0, 1, _) => [Scalar::Long, Scalar::ULong][usize::from(unsigned)],
            (None, 0, 2, _) => [Scalar::LongLong, Scalar::ULongLong][usize::from(unsigned)],
            (None, 0, 0, _) => [Scalar::Int, Scalar::UInt][usize::from(unsigned)],
            _ => return None,
        };
        Some(TypeKind::Scalar(scalar))
    }
}

/// Names of scalar types that the CUDA and C headers declare.
pub(super) fn library_scalar(name: &str) -> Option<Scalar> {
    Some(match name {
        "int8_t" | "int_least8_t" | "int_fast8_t" => Scalar::SChar,
        "uint8_t" | "uint_least8_t" | "uint_fast8_t" | "u_char" => Scalar::UChar,
        "int16_t" | "int_least16_t" => Scalar::Short,
        "uint16_t" | "uint_least16_t" | "ushort" | "u_short" => Scalar::UShort,
        "int32_t" | "int_least32_t" => Scalar::Int,
        "uint32_t" | "uint_least32_t" | "uint" | "u_int" => Scalar::UInt,
        "int64_t" | "int_least64_t" | "int_fast16_t" | "int_fast32_t" | "int_fast64_t"
        | "ptrdiff_t" | "ssize_t" | "intptr_t" | "intmax_t" | "clock_t" | "time_t" => Scalar::Long,
        "uint64_t" | "uint_least64_t" | "uint_fast16_t" | "uint_fast32_t" | "uint_fast64_t"
        | "size_t" | "uintptr_t" | "uintmax_t" | "ulong" | "u_long" => Scalar::ULong,
        "half" | "__half" => Scalar::Half,
        "__nv_bfloat16" | "nv_bfloat16" => Scalar::BFloat16,
        "nullptr_t" => Scalar::NullptrT,
        _ => return None,
    })
}

/// Names of class types that CUDA declares in every unit.
pub(super) fn is_library_type(name: &str) -> bool {
    if library_scalar(name).is_some() {
        return true;
    }
    const VECTORS: [&str; 12] = [
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "longlong",
        "ulonglong",
        "float",
        "double",
    ];
    if let Some(base) = name.strip_suffix(['1', '2', '3', '4'])
        && VECTORS.contains(&base)
    {
        return true;
    }
    matches!(
        name,
        "dim3"
            | "half2"
            | "__half2"
            | "__nv_bfloat162"
            | "nv_bfloat162"
            | "cudaStream_t"
            | "cudaEvent_t"
            | "cudaError_t"
            | "cudaTextureObject_t"
            | "cudaSurfaceObject_t"
            | "cudaDeviceProp"
            | "cudaArray_t"
            | "FILE"
    )
}
