//! Primary expressions: names, literals, constructions, lambdas; calls and members.

use super::ast::{
    BinaryOp, CastStyle, Expr, ExprKind, Init, Lambda, Name, Param, Segment, Storage, TemplateArg,
    Type, TypeKind, VarDecl,
};
use super::expr::precedence;
use super::lex::{Kind, Word};
use super::literal;
use super::parser::{Angle, NameKind, Parsed, Parser};
use super::scalars::{is_library_type, library_scalar};

impl<'a> Parser<'a> {
    /// A call, or a conversion or construction if the callee is known to be a type.
    pub fn call(&self, callee: Expr, mut args: Vec<Expr>) -> ExprKind {
        if let ExprKind::Name(name) = &callee.kind
            && self.names_type(name)
        {
            let ty = Box::new(self.named_type(name.clone()));
            if args.len() == 1
                && ty.scalar().is_some()
                && let Some(arg) = args.pop()
            {
                return ExprKind::Cast {
                    style: CastStyle::Functional,
                    ty,
                    arg: Box::new(arg),
                };
            }
            return ExprKind::Construct {
                ty,
                args,
                braces: false,
            };
        }
        ExprKind::Call {
            callee: Box::new(callee),
            args,
        }
    }

    /// Whether a name in an expression is known to be a type.
    pub(super) fn names_type(&self, name: &Name) -> bool {
        let kind = self.name_kind(&name.base);
        if !name.qualifier.is_empty() {
            let std = matches!(&name.qualifier[..], [segment] if segment.name == "std");
            return std && library_scalar(&name.base).is_some();
        }
        kind.only_type()
            || (kind == NameKind::default() && name.args.is_none() && is_library_type(&name.base))
    }

    /// After `.` or `->`.
    pub fn member_name(&mut self) -> Parsed<Name> {
        let first = self.pos;
        if self.at("~") || self.at("operator") {
            let base = self.special_name()?;
            let args = self.operator_arguments();
            return Ok(Name {
                args,
                ..Name::simple(base, self.range_from(first))
            });
        }
        let forced = self.eat("template");
        if !self.at_ident() {
            return self.fail("expected a member");
        }
        let base = self.peek().to_owned();
        self.pos += 1;
        let args = if !self.at("<") {
            None
        } else if forced {
            Some(self.template_arguments()?)
        } else {
            self.speculative_arguments()
        };
        if self.at("::") {
            return self.fail("a qualified member name");
        }
        Ok(Name {
            global: false,
            qualifier: Vec::new(),
            base,
            args,
            range: self.range_from(first),
        })
    }

    /// The class in `B::`, `n::B<4>::` in front of a member, if there is one.
    pub fn qualified_member_class(&mut self) -> Option<Type> {
        self.attempt(|parser| {
            let first = parser.pos;
            let global = parser.eat("::");
            let mut segments: Vec<Segment> = Vec::new();
            while parser.at_ident() && segments.len() <= 32 {
                let start = parser.pos;
                let name = parser.peek().to_owned();
                parser.pos += 1;
                let args = match parser.at("<") {
                    true => parser.speculative_arguments(),
                    false => None,
                };
                if !parser.at("::") {
                    parser.pos = start;
                    break;
                }
                parser.pos += 1;
                segments.push(Segment { name, args });
            }
            let Some(last) = segments.pop() else {
                return parser.fail("no class");
            };
            let name = Name {
                global,
                qualifier: segments,
                base: last.name,
                args: last.args,
                range: parser.range_from(first),
            };
            Ok(Type::new(TypeKind::Named(name), parser.range_from(first)))
        })
    }

    /// Template arguments after an unknown name, if what stands there can be nothing else.
    fn speculative_arguments(&mut self) -> Option<Vec<TemplateArg>> {
        self.attempt(|parser| {
            let args = parser.template_arguments()?;
            for arg in &args {
                if let TemplateArg::Expr(Expr {
                    kind: ExprKind::Binary(op, ..),
                    range,
                }) = arg
                    && precedence(*op) <= precedence(BinaryOp::Lt)
                    && !parser.text[..range.start as usize]
                        .trim_end()
                        .ends_with('(')
                {
                    return parser.fail("expected template arguments");
                }
            }
            if matches!(parser.peek(), "(" | "::" | "{" | "<<<" | ")" | "," | ";") {
                Ok(args)
            } else {
                parser.fail("expected template arguments")
            }
        })
    }

    /// The template arguments behind the name of an operator, as in `operator<< <int>(a, b)`.
    fn operator_arguments(&mut self) -> Option<Vec<TemplateArg>> {
        match self.at("<") {
            true => self.speculative_arguments(),
            false => None,
        }
    }

    /// A possibly qualified name in an expression.
    fn expression_name(&mut self) -> Parsed<Name> {
        let first = self.pos;
        let global = self.eat("::");
        let mut qualifier: Vec<Segment> = Vec::new();
        loop {
            let forced = self.eat("template");
            if self.at("operator") || (self.at("~") && !qualifier.is_empty()) {
                let base = self.special_name()?;
                let args = self.operator_arguments();
                return Ok(Name {
                    global,
                    qualifier,
                    base,
                    args,
                    range: self.range_from(first),
                });
            }
            if !self.at_ident() {
                return self.fail("expected a name");
            }
            let word = self.peek();
            self.pos += 1;
            let args = if self.at("<") {
                let kind = if qualifier.is_empty() {
                    self.name_kind(word)
                } else {
                    NameKind::default()
                };
                if forced || kind.template || kind.only_type() || is_trait(&qualifier, word) {
                    Some(self.template_arguments()?)
                } else if kind.value {
                    None
                } else {
                    self.speculative_arguments()
                }
            } else {
                None
            };
            if qualifier.len() > 32 {
                return self.fail("nesting too deep");
            }
            if self.at("::") {
                self.pos += 1;
                qualifier.push(Segment {
                    name: word.to_owned(),
                    args,
                });
                continue;
            }
            return Ok(Name {
                global,
                qualifier,
                base: word.to_owned(),
                args,
                range: self.range_from(first),
            });
        }
    }

    pub fn primary(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        let word = self.peek();
        let range = self.range_at(first);
        match self.kind_at(first) {
            None => return self.fail("expected an expression"),
            Some(Kind::Number) => {
                let Some(kind) =
                    literal::number(word).or_else(|| literal::user_defined(word, range))
                else {
                    return self.fail("a number that is not understood");
                };
                self.pos += 1;
                return self.expr(kind, range, 0);
            }
            Some(Kind::Char) => {
                let Some(kind) = literal::character(word, self.has_char8) else {
                    return self.fail("a character literal that is not understood");
                };
                self.pos += 1;
                return self.expr(kind, range, 0);
            }
            Some(Kind::Str) => return self.string(),
            Some(Kind::Punct | Kind::Ident) => {}
            Some(Kind::Directive | Kind::Bad) => return self.fail("expected an expression"),
        }
        match word {
            "(" => {
                if self.text_at(first + 1) == "{" {
                    return self.statement_expression();
                }
                if let Some(fold) = self.fold()? {
                    return Ok(fold);
                }
                self.pos += 1;
                let inner =
                    self.nested(|parser| parser.with_angle(Angle::Operator, Self::expression))?;
                self.expect(")", "expected `)`")?;
                Ok(inner)
            }
            "[" => self.lambda(),
            "true" | "false" => {
                self.pos += 1;
                self.expr(ExprKind::Bool(word == "true"), range, 0)
            }
            "nullptr" | "NULL" => {
                self.pos += 1;
                self.expr(ExprKind::Nullptr, range, 0)
            }
            "this" => {
                self.pos += 1;
                self.expr(ExprKind::This, range, 0)
            }
            "static_cast" | "reinterpret_cast" | "const_cast" | "dynamic_cast" => {
                self.named_cast(word)
            }
            "typeid" | "noexcept" | "va_arg" | "__builtin_va_arg" | "__builtin_offsetof"
            | "offsetof" => {
                self.pos += 1;
                self.parens()?;
                self.unsupported(first, word)
            }
            "asm" | "__asm__" | "__asm" => {
                let asm = self.asm()?;
                self.expr(
                    ExprKind::Asm(Box::new(asm)),
                    self.range_from(first),
                    self.height,
                )
            }
            "typename" | "decltype" => {
                let ty = self.attempt_type_for_construction()?;
                self.construction(ty, first)
            }
            _ if self.word_at(first) == Word::Builtin => {
                let ty = self.attempt_type_for_construction()?;
                self.construction(ty, first)
            }
            _ if self.at_ident()
                && self.kind_at(first + 1) == Some(Kind::Str)
                && !self.is_known(first) =>
            {
                self.string()
            }
            _ if word == "::" || word == "operator" || self.at_ident() => {
                let name = self.expression_name()?;
                let range = name.range;
                if self.at("{") && !self.name_kind(&name.base).only_value() {
                    let ty = self.named_type(name);
                    return self.construction(ty, first);
                }
                self.expr(ExprKind::Name(name), range, 0)
            }
            _ => self.fail("expected an expression"),
        }
    }

    /// The type in `float(x)`, `unsigned(x)`, `typename T::U(x)`.
    fn attempt_type_for_construction(&mut self) -> Parsed<Type> {
        let specs = self.specifiers(None)?;
        match specs.ty {
            Some(ty) if matches!(self.peek(), "(" | "{") => Ok(ty),
            // `typename T::value_type::n` and the like are values of a dependent name, and not read.
            _ => self.fail("expected `(`"),
        }
    }

    /// `T(…)` or `T{…}` after `T`.
    fn construction(&mut self, ty: Type, first: usize) -> Parsed<Expr> {
        let braces = self.at("{");
        let mut args = if braces {
            self.braced()?
        } else {
            self.arguments()?
        };
        let below = self.height;
        let ty = Box::new(ty);
        let one_scalar = args.len() == 1 && ty.scalar().is_some();
        let kind = match args.pop() {
            Some(arg) if one_scalar && !matches!(arg.kind, ExprKind::InitList(_)) => {
                ExprKind::Cast {
                    style: CastStyle::Functional,
                    ty,
                    arg: Box::new(arg),
                }
            }
            last => {
                args.extend(last);
                ExprKind::Construct { ty, args, braces }
            }
        };
        self.expr(kind, self.range_from(first), below)
    }

    fn named_cast(&mut self, word: &str) -> Parsed<Expr> {
        let first = self.pos;
        self.pos += 1;
        let style = match word {
            "static_cast" => CastStyle::Static,
            "reinterpret_cast" => CastStyle::Reinterpret,
            "const_cast" => CastStyle::Const,
            _ => CastStyle::Dynamic,
        };
        self.expect("<", "expected `<`")?;
        let ty = self.with_angle(Angle::Template, Self::type_id)?;
        self.expect(">", "expected `>`")?;
        self.expect("(", "expected `(`")?;
        let arg = self.nested(|parser| parser.with_angle(Angle::Operator, Self::expression))?;
        self.expect(")", "expected `)`")?;
        let kind = ExprKind::Cast {
            style,
            ty: Box::new(ty),
            arg: Box::new(arg),
        };
        self.expr(kind, self.range_from(first), self.height)
    }

    /// Whether the word at `index` is a known name.
    fn is_known(&self, index: usize) -> bool {
        self.name_kind(self.text_at(index)) != NameKind::default()
    }

    /// Adjacent string literals. An unknown word next to one is a macro of a header that was not found (`PRIu64`).
    fn string(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        let mut text = String::new();
        while self.kind_at(self.pos) == Some(Kind::Str)
            || (self.at_ident() && !self.is_known(self.pos))
        {
            if self.kind_at(self.pos) == Some(Kind::Str) {
                text.push_str(literal::string(self.peek()));
            }
            self.pos += 1;
        }
        self.expr(ExprKind::Str(text), self.range_from(first), 0)
    }

    fn statement_expression(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        self.pos += 1;
        if !self.in_function {
            return self.fail("a statement expression outside of a function");
        }
        let block = self.height_of(|parser| {
            parser.nested(|parser| parser.with_angle(Angle::Operator, Self::block))
        })?;
        self.expect(")", "expected `)`")?;
        self.expr(
            ExprKind::StmtExpr(block),
            self.range_from(first),
            self.height,
        )
    }

    pub fn looks_like_lambda(&self) -> bool {
        let Some(close) = self.partner(self.pos) else {
            return false;
        };
        // `[=] [[nodiscard]] (int i) { … }`
        let attribute = self.text_at(close + 1) == "["
            && self.text_at(close + 2) == "["
            && self.adjacent(close + 1);
        attribute
            || matches!(
                self.text_at(close + 1),
                "(" | "{" | "mutable" | "__device__" | "__host__" | "->"
            )
    }

    fn lambda(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        if !self.looks_like_lambda() {
            return self.fail("expected an expression");
        }
        let (captures, inits) =
            self.nested(|parser| parser.with_angle(Angle::Operator, Self::captures))?;
        let mut params: Vec<Param> = Vec::new();
        let mut ret = None;
        let mut mutable = self.lambda_qualifiers();
        if self.eat("(") {
            params = self
                .nested(|parser| parser.with_angle(Angle::Operator, Self::parameters))?
                .0;
        }
        mutable |= self.lambda_qualifiers();
        if self.eat("->") {
            ret = Some(self.type_id()?);
        }
        let mark = self.enter_scope();
        let was_in_function = std::mem::replace(&mut self.in_function, true);
        for init in &inits {
            let name = self.text_of(&init.name, init.name_range);
            self.declare_local(name, NameKind::VALUE);
        }
        for param in &params {
            if let Some(name) = &param.name {
                let name = self.text_of(name, param.range);
                self.declare_local(name, NameKind::VALUE);
            }
        }
        let body = self.height_of(|parser| {
            parser.nested(|parser| parser.with_angle(Angle::Operator, Self::block))
        });
        self.leave_scope(mark);
        self.in_function = was_in_function;
        let body = body?;
        let lambda = Lambda {
            captures,
            inits,
            mutable,
            params,
            ret,
            body,
        };
        self.expr(
            ExprKind::Lambda(Box::new(lambda)),
            self.range_from(first),
            self.height,
        )
    }

    /// `[=, &a, n = 2 * size]`: what has no initialiser as it is written, and what has one as variables.
    fn captures(&mut self) -> Parsed<(String, Vec<VarDecl>)> {
        let Some(close) = self.partner(self.pos) else {
            return self.fail("expected `]`");
        };
        self.pos += 1;
        let (mut written, mut inits) = (Vec::new(), Vec::new());
        while self.pos < close {
            let first = self.pos;
            let by_reference = self.at("&");
            let name = first + usize::from(by_reference);
            if self.is_ident(name) && matches!(self.text_at(name + 1), "=" | "{" | "(") {
                self.pos = name + 1;
                let init = match self.peek() {
                    "=" => {
                        self.pos += 1;
                        Init::Expr(self.assignment()?)
                    }
                    "{" => Init::Call(self.braced()?),
                    _ => Init::Call(self.arguments()?),
                };
                let range = self.range_from(first);
                let auto = Type::new(TypeKind::Auto, range);
                inits.push(VarDecl {
                    name: self.text_at(name).to_owned(),
                    name_range: self.range_at(name),
                    ty: if by_reference {
                        Type::new(TypeKind::Reference(Box::new(auto)), range)
                    } else {
                        auto
                    },
                    storage: Storage::default(),
                    init,
                    template: Vec::new(),
                    special: None,
                    range,
                });
            } else {
                while self.pos < close && !self.at(",") {
                    self.pos += 1;
                }
                written.push(&self.text[self.range_from(first).bytes()]);
            }
            if self.pos < close {
                self.expect(",", "expected `,` or `]`")?;
            }
        }
        self.pos = close + 1;
        Ok((written.join(", "), inits))
    }

    /// Past the qualifiers of a lambda; whether `mutable` is one.
    fn lambda_qualifiers(&mut self) -> bool {
        let mut mutable = false;
        loop {
            match self.peek() {
                "mutable" | "constexpr" | "consteval" | "noexcept" | "__device__" | "__host__" => {
                    mutable |= self.at("mutable");
                    self.pos += 1;
                }
                "[" if self.skip_attributes().is_ok() && !self.at("[") => {}
                _ => return mutable,
            }
        }
    }
}

/// `std::is_same_v<…>`: whatever follows, nothing is compared with a variable template.
fn is_trait(qualifier: &[Segment], name: &str) -> bool {
    let is_std = qualifier
        .first()
        .is_some_and(|first| match first.name.as_str() {
            "std" => qualifier.len() == 1,
            "cuda" => qualifier.len() == 2 && qualifier[1].name == "std",
            _ => false,
        });
    is_std && name.ends_with("_v")
}
