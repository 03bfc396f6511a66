//! Declarators, parameters and template headers.

use super::ast::{
    Expr, Name, Param, Range, Segment, TemplateParam, TemplateParamKind, Type, TypeKind,
};
use super::concepts::constraint_of;
use super::lex::Kind;
use super::parser::{Angle, NameKind, Parsed, Parser};
use super::types::MAX_DECLARATOR;

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
    /// `C::*`
    MemberPointer,
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
    /// `const` behind the parameters.
    pub is_const: bool,
    /// `&` or `&&` behind the parameters.
    pub of_reference: bool,
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
                Step::MemberPointer => Type::new(TypeKind::MemberPointer(to), range),
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
                _ if self.at_member_pointer() => {
                    while !self.eat("*") {
                        if self.at("<") {
                            self.template_arguments()?;
                        } else {
                            self.pos += 1;
                        }
                    }
                    while self.eat("const") || self.eat("volatile") {}
                    prefix.push(Step::MemberPointer);
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
                    self.layout.opaque |= self.standard_attribute()?;
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

    /// Whether `C::*` stands at a token.
    pub fn is_member_pointer_at(&mut self, token: usize) -> bool {
        let here = std::mem::replace(&mut self.pos, token);
        let found = self.at_member_pointer();
        self.pos = here;
        found
    }

    /// Whether `C::*` or `n::C<T>::*` comes next.
    fn at_member_pointer(&mut self) -> bool {
        let next = self.text_at(self.pos + 1);
        if !(self.at("::") || self.at_ident() && matches!(next, "::" | "<")) {
            return false;
        }
        let first = self.pos;
        let path = self.attempt(|parser| {
            parser.eat("::");
            loop {
                if !parser.at_ident() {
                    return parser.fail("expected a name");
                }
                parser.pos += 1;
                if parser.at("<") {
                    parser.template_arguments()?;
                }
                parser.expect("::", "expected `::`")?;
                if parser.at("*") {
                    return Ok(());
                }
            }
        });
        self.pos = first;
        path.is_some()
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
                name.push_str("\"\"");
                if self.at_ident() {
                    name.push_str(self.peek());
                    self.pos += 1;
                }
            }
            _ => {
                let specs = self.specifiers(None)?;
                if specs.ty.is_none() {
                    return self.fail("expected an operator");
                }
                let first = self.pos;
                let range = specs.ty.as_ref().map(|ty| ty.range).unwrap_or_default();
                let mut converted = specs.ty;
                while matches!(self.peek(), "*" | "&" | "const" | "&&") {
                    let kind: fn(Box<Type>) -> TypeKind = match self.peek() {
                        "*" => TypeKind::Pointer,
                        "&" => TypeKind::Reference,
                        "&&" => TypeKind::RvalueReference,
                        _ => {
                            self.pos += 1;
                            continue;
                        }
                    };
                    converted = converted.map(|ty| {
                        let range = ty.range;
                        Type::new(kind(Box::new(ty)), range)
                    });
                    self.pos += 1;
                }
                self.conversion = converted;
                let range = range.to(self.range_from(first));
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
        let (mut is_const, mut of_reference) = (false, false);
        loop {
            match self.peek() {
                "const" => {
                    is_const = true;
                    self.pos += 1;
                }
                "&" | "&&" => {
                    of_reference = true;
                    self.pos += 1;
                }
                "volatile" | "override" | "final" | "__device__" | "__host__" => self.pos += 1,
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
                        is_const,
                        of_reference,
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
        // `T b(std::move(a));` makes an object.
        if matches!(&base.kind, TypeKind::Named(name) if is_library_function(name)) {
            return self.fail("expected a parameter");
        }
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
        self.nested(|parser| {
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
        })
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
            let default = if self.eat("=") {
                Some(self.type_name()?)
            } else {
                None
            };
            return Ok(TemplateParam {
                name,
                kind: TemplateParamKind::Template { default },
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
        if let Some(concept) = self.type_constraint() {
            if !self.at("auto") {
                let pack = self.eat("...");
                let name = self.template_parameter_name(NameKind::TYPE);
                let default = if self.eat("=") {
                    Some(self.type_id()?)
                } else {
                    None
                };
                let parameter = TemplateParam {
                    name,
                    kind: TemplateParamKind::Type { default },
                    pack,
                    range: self.range_from(first),
                };
                self.constraints.push(constraint_of(concept, &parameter));
                return Ok(parameter);
            }
            // Of `C auto n` the type of the number is asked for.
            self.constraints.push(None);
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

/// Whether a name is one of functions of C++'s library, not of a type: `std::move`.
fn is_library_function(name: &Name) -> bool {
    matches!(&name.qualifier[..], [std] if std.name == "std")
        && matches!(
            name.base.as_str(),
            "move" | "forward" | "as_const" | "min" | "max" | "abs"
        )
}
