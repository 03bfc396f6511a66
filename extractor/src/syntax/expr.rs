//! Expressions, by precedence climbing with the names in scope.
//!
//! The two questions that tokens alone do not answer are decided so:
//! - `(n) op e`: a cast if `n` is known to be a type (or cannot be a value: `(T *)`), an operand if it is known to be a
//!   value; where `n` is unknown, what follows decides if only one reading is C++, `+` and `-` are read as operators (both
//!   readings access the same memory, and the unknown name is found by lowering), `(n)(e)` is read as a call, which may do
//!   more than the cast, and `(n) * e`, `(n) & e`, `(n)(e)[i]` fail unless `n` is written like a constant.
//! - `f < a > (b)`: template arguments if `f` is known as a template, operators if it is known as anything else; where `f`
//!   is unknown, template arguments if they read as such, hold no operator that a template argument list would not hold,
//!   and are followed by `(`, `::` or `{`.

use super::ast::{BinaryOp, CastStyle, Expr, ExprKind, Range, Scalar, Type, TypeKind, UnaryOp};
use super::lex::Kind;
use super::parser::{Angle, NameKind, Parsed, Parser};
use super::scalars::is_library_type;

impl<'a> Parser<'a> {
    /// `a, b`
    pub fn expression(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        let mut left = self.assignment()?;
        while self.at(",") {
            let below = self.height;
            self.pos += 1;
            let right = self.assignment()?;
            let range = self.range_from(first);
            let below = below.max(self.height);
            left = self.expr(
                ExprKind::Comma(Box::new(left), Box::new(right)),
                range,
                below,
            )?;
        }
        Ok(left)
    }

    /// An expression without commas.
    pub fn assignment(&mut self) -> Parsed<Expr> {
        self.nested(|parser| {
            let first = parser.pos;
            if parser.at("throw") {
                parser.pos += 1;
                if !matches!(parser.peek(), ";" | ")" | "," | ":" | "}") {
                    parser.assignment()?;
                }
                return parser.unsupported(first, "throw");
            }
            let left = parser.conditional()?;
            let Some((op, tokens)) = parser.assignment_operator() else {
                return Ok(left);
            };
            let below = parser.height;
            parser.pos += tokens;
            let right = if parser.at("{") {
                parser.init_list()?
            } else {
                parser.assignment()?
            };
            let range = parser.range_from(first);
            let below = below.max(parser.height);
            parser.expr(
                ExprKind::Assign {
                    op,
                    lhs: Box::new(left),
                    rhs: Box::new(right),
                },
                range,
                below,
            )
        })
    }

    /// The operator (`None` for `=`) and how many tokens it takes.
    pub fn assignment_operator(&self) -> Option<(Option<BinaryOp>, usize)> {
        Some(match self.peek() {
            "=" => (None, 1),
            ">" if self.text_at(self.pos + 1) == ">"
                && self.text_at(self.pos + 2) == "="
                && self.adjacent(self.pos)
                && self.adjacent(self.pos + 1) =>
            {
                (Some(BinaryOp::Shr), 3)
            }
            "+=" => (Some(BinaryOp::Add), 1),
            "-=" => (Some(BinaryOp::Sub), 1),
            "*=" => (Some(BinaryOp::Mul), 1),
            "/=" => (Some(BinaryOp::Div), 1),
            "%=" => (Some(BinaryOp::Rem), 1),
            "<<=" => (Some(BinaryOp::Shl), 1),
            "&=" | "and_eq" => (Some(BinaryOp::BitAnd), 1),
            "|=" | "or_eq" => (Some(BinaryOp::BitOr), 1),
            "^=" | "xor_eq" => (Some(BinaryOp::BitXor), 1),
            _ => return None,
        })
    }

    /// `c ? a : b` and everything that binds tighter.
    pub fn conditional(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        let cond = self.binary(1)?;
        if !self.at("?") {
            return Ok(cond);
        }
        let below = self.height;
        self.pos += 1;
        self.nested(|parser| {
            let then = parser.expression()?;
            let below = below.max(parser.height);
            parser.expect(":", "expected `:`")?;
            let els = parser.assignment()?;
            let below = below.max(parser.height);
            let range = parser.range_from(first);
            let kind = ExprKind::Conditional {
                cond: Box::new(cond),
                then: Box::new(then),
                els: Box::new(els),
            };
            parser.expr(kind, range, below)
        })
    }

    /// Operators of at least this precedence.
    fn binary(&mut self, least: u8) -> Parsed<Expr> {
        let first = self.pos;
        let mut left = self.through_members()?;
        while let Some((op, tokens)) = self.binary_operator() {
            let precedence = precedence(op);
            if precedence < least {
                break;
            }
            let below = self.height;
            self.pos += tokens;
            let right = self.binary(precedence + 1)?;
            let range = self.range_from(first);
            let below = below.max(self.height);
            left = self.expr(
                ExprKind::Binary(op, Box::new(left), Box::new(right)),
                range,
                below,
            )?;
        }
        Ok(left)
    }

    /// `o.*m`, `p->*m`
    fn through_members(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        let mut base = self.unary()?;
        loop {
            let arrow = self.at("->*");
            if !arrow && !self.at_dot_star() {
                return Ok(base);
            }
            let below = self.height;
            self.pos += if arrow { 1 } else { 2 };
            let pointer = self.unary()?;
            let below = below.max(self.height);
            let kind = ExprKind::MemberPointer {
                base: Box::new(base),
                arrow,
                pointer: Box::new(pointer),
            };
            base = self.expr(kind, self.range_from(first), below)?;
        }
    }

    fn at_dot_star(&self) -> bool {
        self.at(".") && self.text_at(self.pos + 1) == "*" && self.adjacent(self.pos)
    }

    /// The operator at the present token and how many tokens it takes.
    pub fn binary_operator(&self) -> Option<(BinaryOp, usize)> {
        let text = self.peek();
        if text != ">" {
            return BinaryOp::from_text(text).map(|op| (op, 1));
        }
        if self.angle == Angle::Template {
            return None;
        }
        let next = |offset: usize| {
            let touches = (0..offset).all(|before| self.adjacent(self.pos + before));
            if touches {
                self.text_at(self.pos + offset)
            } else {
                ""
            }
        };
        match (next(1), next(2)) {
            (">", ">") if self.angle == Angle::Launch => None,
            (">", "=") => None,
            (">", _) => Some((BinaryOp::Shr, 2)),
            ("=", _) => Some((BinaryOp::Ge, 2)),
            _ => Some((BinaryOp::Gt, 1)),
        }
    }

    /// Prefix operators and casts.
    pub fn unary(&mut self) -> Parsed<Expr> {
        self.nested(Self::unary_inner)
    }

    fn unary_inner(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        let op = match self.peek() {
            "-" => Some(UnaryOp::Neg),
            "+" => Some(UnaryOp::Plus),
            "!" | "not" => Some(UnaryOp::Not),
            "~" | "compl" => Some(UnaryOp::BitNot),
            _ => None,
        };
        if let Some(op) = op {
            self.pos += 1;
            let arg = self.unary()?;
            let range = self.range_from(first);
            return self.expr(ExprKind::Unary(op, Box::new(arg)), range, self.height);
        }
        match self.peek() {
            "*" => {
                self.pos += 1;
                let arg = self.unary()?;
                self.expr(
                    ExprKind::Deref(Box::new(arg)),
                    self.range_from(first),
                    self.height,
                )
            }
            "&" => {
                self.pos += 1;
                let arg = self.unary()?;
                self.expr(
                    ExprKind::AddressOf(Box::new(arg)),
                    self.range_from(first),
                    self.height,
                )
            }
            "++" | "--" => {
                let increment = self.at("++");
                self.pos += 1;
                let arg = self.unary()?;
                let kind = ExprKind::IncDec {
                    increment,
                    prefix: true,
                    arg: Box::new(arg),
                };
                self.expr(kind, self.range_from(first), self.height)
            }
            "sizeof" => self.sizeof(),
            "alignof" | "_Alignof" | "__alignof__" | "__alignof" => {
                self.pos += 1;
                self.expect("(", "expected `(`")?;
                let ty = self.with_angle(Angle::Operator, Self::type_id)?;
                self.expect(")", "expected `)`")?;
                self.expr(
                    ExprKind::AlignofType(Box::new(ty)),
                    self.range_from(first),
                    0,
                )
            }
            "__extension__" => {
                self.pos += 1;
                self.unary()
            }
            "new" => self.new_expression(),
            "delete" => {
                self.pos += 1;
                if self.at("[") {
                    self.skip_balanced()?;
                }
                let deleted = self.unary()?;
                let below = self.height;
                self.expr(
                    ExprKind::Delete(Box::new(deleted)),
                    self.range_from(first),
                    below,
                )
            }
            "::" if matches!(self.text_at(first + 1), "new" | "delete") => {
                self.pos += 1;
                self.unary_inner()
            }
            "(" => match self.cast()? {
                Some(cast) => Ok(cast),
                None => self.postfix(),
            },
            _ => self.postfix(),
        }
    }

    fn sizeof(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        self.pos += 1;
        if self.at("...") {
            return self.sizeof_pack(first);
        }
        if self.at("(") {
            let ty = self.attempt(|parser| {
                parser.pos += 1;
                let ty = parser.with_angle(Angle::Operator, Self::type_id)?;
                parser.expect(")", "expected `)`")?;
                // `sizeof(f())`: a function has no size, and what it gives has.
                if matches!(ty.kind, TypeKind::Function { .. }) {
                    return parser.fail("a function has no size");
                }
                Ok(ty)
            });
            if let Some(ty) = ty {
                return self.expr(
                    ExprKind::SizeofType(Box::new(ty)),
                    self.range_from(first),
                    0,
                );
            }
        }
        let arg = self.unary()?;
        self.expr(
            ExprKind::SizeofExpr(Box::new(arg)),
            self.range_from(first),
            self.height,
        )
    }

    /// `new (place) T[n](args)`. One whose operands are not understood is not modelled.
    fn new_expression(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        if let Some(expr) = self.attempt(Self::new_of_operands) {
            return Ok(expr);
        }
        self.pos += 1;
        if self.at("(") {
            self.skip_balanced()?;
        }
        if !matches!(self.peek(), ";" | ")" | ",") {
            self.specifiers(None)?;
            while matches!(self.peek(), "*" | "const") {
                self.pos += 1;
            }
        }
        while matches!(self.peek(), "[" | "(" | "{") {
            self.skip_balanced()?;
        }
        self.unsupported(first, "new")
    }

    fn new_of_operands(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        self.pos += 1;
        let mut operands = Vec::new();
        let mut below = 0;
        if self.at("(") {
            // Arguments of a placement; or, as `(T)` or `(T[n])`, the type itself, which is left to what does not look inside.
            operands.extend(self.arguments()?);
            below = below.max(self.height);
        }
        let specs = self.specifiers(None)?;
        let Some(ty) = specs.ty else {
            return self.fail("expected a type");
        };
        while matches!(self.peek(), "*" | "const") {
            self.pos += 1;
        }
        while self.eat("[") {
            if !self.at("]") {
                operands.push(self.with_angle(Angle::Operator, |parser| {
                    parser.nested(|parser| parser.expression())
                })?);
                below = below.max(self.height);
            }
            self.expect("]", "expected `]`")?;
        }
        match self.peek() {
            "(" => operands.extend(self.arguments()?),
            "{" => operands.extend(self.braced()?),
            _ => {}
        }
        below = below.max(self.height);
        self.expr(
            ExprKind::New {
                ty: Box::new(ty),
                operands,
            },
            self.range_from(first),
            below,
        )
    }

    /// The tokens from `first` to here as something that is not modelled.
    pub fn unsupported(&mut self, first: usize, what: &str) -> Parsed<Expr> {
        self.expr(
            ExprKind::Unsupported {
                what: what.to_owned(),
            },
            self.range_from(first),
            0,
        )
    }

    /// A cast at `(`, or `None` if what stands there is an operand in parentheses; nothing is consumed then.
    fn cast(&mut self) -> Parsed<Option<Expr>> {
        let first = self.pos;
        let head = self.text_at(first + 1);
        let is_word = self.kind_at(first + 1) == Some(Kind::Ident) || head == "::";
        if !is_word || self.name_kind(head).only_value() && self.text_at(first + 2) != "::" {
            return Ok(None);
        }
        let ty = self.attempt(|parser| {
            parser.pos += 1;
            let ty = parser.with_angle(Angle::Operator, Self::type_id)?;
            parser.expect(")", "expected `)`")?;
            Ok(ty)
        });
        let Some(ty) = ty else { return Ok(None) };
        let next = self.peek();
        let operand_kind = matches!(
            self.kind_at(self.pos),
            Some(Kind::Ident | Kind::Number | Kind::Char | Kind::Str)
        ) && BinaryOp::from_text(next).is_none();
        let starts_operand = operand_kind
            || matches!(
                next,
                "(" | "~" | "!" | "-" | "+" | "*" | "&" | "++" | "--" | "::" | "{"
            )
            || (next == "[" && self.looks_like_lambda());
        if !starts_operand {
            self.pos = first;
            return Ok(None);
        }
        if !self.surely_type(&ty) {
            let constant = matches!(&ty.kind, TypeKind::Named(name) if looks_constant(&name.base));
            match next {
                // Either reading accesses the same memory; see the head of this file.
                "-" | "+" | "++" | "--" => {
                    self.pos = first;
                    return Ok(None);
                }
                "*" | "&" if constant => {
                    self.pos = first;
                    return Ok(None);
                }
                "*" | "&" => {
                    return self.fail(
                        "a cast or an operator, as the name in parentheses is unknown, before this",
                    );
                }
                // As a call, it accesses what the cast would access, and whatever `n` may.
                "(" if self.nothing_behind() => {
                    self.pos = first;
                    return Ok(None);
                }
                "(" => {
                    return self.fail(
                        "a cast or a call, as the name in parentheses is unknown, before this",
                    );
                }
                "{" | "[" => return self.fail("an unknown name in parentheses before this"),
                // `(T) x`, `(T) 1`, `(T) ~x`, `(T) !x`: no operator fits there.
                _ => {}
            }
        }
        let (style, ty) = (CastStyle::C, Box::new(ty));
        let kind = if self.at("{") {
            let args = self.braced()?;
            ExprKind::Construct {
                ty,
                args,
                braces: true,
            }
        } else {
            ExprKind::Cast {
                style,
                ty,
                arg: Box::new(self.unary()?),
            }
        };
        Ok(Some(self.expr(
            kind,
            self.range_from(first),
            self.height,
        )?))
    }

    /// Whether no postfix operator follows the parentheses that begin here.
    fn nothing_behind(&self) -> bool {
        let behind = self
            .partner(self.pos)
            .map_or("", |close| self.text_at(close + 1));
        !matches!(behind, "[" | "(" | "." | "->" | "++" | "--" | "<<<" | "{")
    }

    /// Whether a type in parentheses can be nothing but a type.
    fn surely_type(&self, ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Named(name) if !(ty.is_const || ty.is_volatile) => {
                let written = &self.text[ty.range.bytes()];
                let keyword = ["struct ", "class ", "union ", "enum ", "typename "];
                let std = matches!(&name.qualifier[..], [segment] if segment.name == "std");
                keyword.iter().any(|word| written.starts_with(word))
                    || std
                    || self.name_kind(&name.base).only_type()
                    || (self.name_kind(&name.base) == NameKind::default()
                        && is_library_type(&name.base))
                    || name.args.is_some()
            }
            _ => true,
        }
    }

    /// Postfix operators after a primary expression.
    fn postfix(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        let mut expr = self.primary()?;
        loop {
            let below = self.height;
            match self.peek() {
                "(" => {
                    let args = self.arguments()?;
                    let range = self.range_from(first);
                    let below = below.max(self.height);
                    let kind = self.call(expr, args);
                    expr = self.expr(kind, range, below)?;
                }
                "[" => {
                    self.pos += 1;
                    let index =
                        self.nested(|parser| parser.with_angle(Angle::Operator, Self::expression))?;
                    self.expect("]", "expected `]`")?;
                    let range = self.range_from(first);
                    let below = below.max(self.height);
                    expr = self.expr(
                        ExprKind::Index {
                            base: Box::new(expr),
                            index: Box::new(index),
                        },
                        range,
                        below,
                    )?;
                }
                "." if self.at_dot_star() => return Ok(expr),
                "." | "->" => {
                    let arrow = self.at("->");
                    self.pos += 1;
                    let class = self.qualified_member_class();
                    let field = self.member_name()?;
                    let range = self.range_from(first);
                    let (base, arrow) = match class {
                        // `p->B::m` is `(*p).B::m`.
                        Some(class) => (part(expr, arrow, class), false),
                        None => (expr, arrow),
                    };
                    expr = self.expr(
                        ExprKind::Member {
                            base: Box::new(base),
                            arrow,
                            field,
                        },
                        range,
                        below,
                    )?;
                }
                "++" | "--" => {
                    let increment = self.at("++");
                    self.pos += 1;
                    let range = self.range_from(first);
                    let kind = ExprKind::IncDec {
                        increment,
                        prefix: false,
                        arg: Box::new(expr),
                    };
                    expr = self.expr(kind, range, below)?;
                }
                "<<<" => expr = self.launch(expr, first, 1)?,
                "<<" if self.text_at(self.pos + 1) == "<" => expr = self.launch(expr, first, 2)?,
                _ => return Ok(expr),
            }
        }
    }

    /// `k<<<config>>>(args)` after `k`.
    fn launch(&mut self, kernel: Expr, first: usize, tokens: usize) -> Parsed<Expr> {
        self.pos += tokens;
        let mut below = self.height;
        let config = self.nested(|parser| {
            parser.with_angle(Angle::Launch, |parser| {
                let mut config = Vec::new();
                loop {
                    config.push(if parser.at("{") {
                        parser.init_list()?
                    } else {
                        parser.assignment()?
                    });
                    below = below.max(parser.height);
                    if !parser.eat(",") {
                        return Ok(config);
                    }
                }
            })
        })?;
        for _ in 0..3 {
            self.expect(">", "expected `>>>`")?;
        }
        if !(1..=4).contains(&config.len()) {
            return self.fail("a launch configuration of more than four parts");
        }
        let args = self.arguments()?;
        let range = self.range_from(first);
        let below = below.max(self.height);
        self.expr(
            ExprKind::Launch {
                kernel: Box::new(kernel),
                config,
                args,
            },
            range,
            below,
        )
    }

    /// `(a, b)`; the height left is that of the highest argument.
    pub fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("(", "expected `(`")?;
        self.nested(|parser| parser.with_angle(Angle::Operator, |parser| parser.list(")")))
    }

    /// `{a, b}`; likewise.
    pub fn braced(&mut self) -> Parsed<Vec<Expr>> {
        self.expect("{", "expected `{`")?;
        self.nested(|parser| parser.with_angle(Angle::Operator, |parser| parser.list("}")))
    }

    /// `{a, b}` as an expression.
    pub fn init_list(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        let elements = self.braced()?;
        self.expr(
            ExprKind::InitList(elements),
            self.range_from(first),
            self.height,
        )
    }

    /// Whether another case of a dispatch stands behind one, without a comma: macros of a header that is missing make statements
    /// of them, `SWITCH(type, CASE(int, [&] { … }) CASE(long, [&] { … }))`. They are read as arguments.
    fn is_beside(&self, before: Option<&Expr>) -> bool {
        before.is_some_and(is_case)
            && self.is_ident(self.pos)
            && looks_constant(self.peek())
            && self.text_at(self.pos + 1) == "("
    }

    /// Elements up to and with the closing bracket.
    fn list(&mut self, close: &str) -> Parsed<Vec<Expr>> {
        let mut elements = Vec::new();
        let mut below = 0;
        while !self.at(close) {
            let first = self.pos;
            let designated = close == "}" && self.at(".") && self.is_ident(first + 1);
            let element = if designated {
                let field = self.text_at(first + 1).to_owned();
                self.pos += 2;
                let mut is_nested = false;
                while self.eat(".") {
                    is_nested = true;
                    self.pos += 1;
                }
                self.eat("=");
                let value = if self.at("{") {
                    self.init_list()?
                } else {
                    self.assignment()?
                };
                if is_nested {
                    // `.a.b = 1` is C's, not C++'s.
                    self.unsupported(first, "a designated initialiser")?
                } else {
                    let value = Box::new(value);
                    let kind = ExprKind::Designated { field, value };
                    self.expr(kind, self.range_from(first), self.height)?
                }
            } else if self.at("{") {
                self.init_list()?
            } else {
                self.assignment()?
            };
            below = below.max(self.height);
            if self.eat("...") {
                let range = self.range_from(first);
                elements.push(self.expr(ExprKind::Expand(Box::new(element)), range, below)?);
            } else {
                elements.push(element);
            }
            if !self.eat(",") {
                if close == ")" && self.is_beside(elements.last()) {
                    continue;
                }
                break;
            }
            if close == ")" && self.at(")") {
                return self.fail("expected an argument");
            }
        }
        self.expect(
            close,
            if close == ")" {
                "expected `,` or `)`"
            } else {
                "expected `,` or `}`"
            },
        )?;
        self.height = below;
        Ok(elements)
    }
}

/// Whether an expression is the call of a macro that nothing defines, with a closure: `CASE(int, [&] { … })`.
fn is_case(expr: &Expr) -> bool {
    let ExprKind::Call { callee, args } = &expr.kind else {
        return false;
    };
    let is_macro = matches!(&callee.kind, ExprKind::Name(name) if name.as_simple().is_some_and(looks_constant));
    is_macro
        && args
            .iter()
            .any(|arg| matches!(arg.kind, ExprKind::Lambda(_)))
}

/// Whether an undefined name is written like a constant: `TILE`, `N2`.
fn looks_constant(name: &str) -> bool {
    name.bytes().any(|byte| byte.is_ascii_uppercase())
        && !name.bytes().any(|byte| byte.is_ascii_lowercase())
}

/// How tightly an operator binds.
pub(super) fn precedence(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Or => 1,
        And => 2,
        BitOr => 3,
        BitXor => 4,
        BitAnd => 5,
        Eq | Ne => 6,
        Lt | Le | Gt | Ge => 7,
        Shl | Shr => 8,
        Add | Sub => 9,
        Mul | Div | Rem => 10,
    }
}

impl Type {
    /// `void`, for what has no return type.
    pub(super) fn void(range: Range) -> Self {
        Type::new(TypeKind::Scalar(Scalar::Void), range)
    }
}

/// The part of an object, or of what a pointer points to, that is a class.
fn part(object: Expr, arrow: bool, class: Type) -> Expr {
    let range = object.range;
    let object = match arrow {
        true => Expr {
            kind: ExprKind::Deref(Box::new(object)),
            range,
        },
        false => object,
    };
    let at = class.range;
    Expr {
        kind: ExprKind::Cast {
            style: CastStyle::Part,
            ty: Box::new(Type::new(TypeKind::Reference(Box::new(class)), at)),
            arg: Box::new(object),
        },
        range,
    }
}
