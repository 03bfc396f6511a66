//! Statements and local declarations.
//!
//! A statement that is not understood ends at the next `;`, or after the next balanced `{…}`, and is `Unsupported`; what
//! follows it is read as usual, and the function has a parse error.

use super::ast::{
    Asm, Block, Expr, Function, Init, Range, Stmt, StmtKind, SwitchItem, Type, TypeKind, Typedef,
    Using, VarDecl,
};
use super::lex::{Kind, Word};
use super::parser::{Angle, NameKind, Parsed, Parser};
use super::types::{Declarator, Shape, Signature, Specifiers, Step, is_library_type};
use super::{ast, literal};

impl<'a> Parser<'a> {
    /// `{ … }` in a scope of its own.
    pub fn block(&mut self) -> Parsed<Block> {
        let first = self.pos;
        if !self.at("{") || self.partner(first).is_none() {
            return self.fail("expected a block");
        }
        self.pos += 1;
        let mark = self.enter_scope();
        let mut stmts = Vec::new();
        while !self.at("}") {
            let types = self.local_types.len();
            let stmt = self.statement()?;
            stmts.extend(self.local_types.drain(types..));
            stmts.push(stmt);
        }
        self.pos += 1;
        self.leave_scope(mark);
        Ok(Block {
            stmts,
            range: self.range_from(first),
        })
    }

    /// Any statement. Fails only where none can begin: at `}` and at the end of the text.
    pub fn statement(&mut self) -> Parsed<Stmt> {
        let first = self.pos;
        if self.at("}") || first >= self.tokens.len() {
            return self.fail("expected a statement");
        }
        let (mark, types) = (self.enter_scope(), self.local_types.len());
        match self.nested(Self::statement_inner) {
            Ok(kind) => Ok(Stmt {
                kind,
                range: self.range_from(first),
            }),
            Err(fail) => {
                self.leave_scope(mark);
                self.local_types.truncate(types);
                self.pos = self.recovery(first);
                let range = self.range_from(first);
                let problem = self.problem(fail, range);
                self.errors.push(problem.clone());
                Ok(Stmt {
                    kind: StmtKind::Unsupported { what: problem.what },
                    range,
                })
            }
        }
    }

    /// The token after the statement or item that begins at `first`, found without understanding it: after the first `;`
    /// or balanced `{…}` (with a `;` behind it), or at an unbalanced `}`. Always after `first`.
    pub fn recovery(&self, first: usize) -> usize {
        let mut at = first;
        if self.kind_at(first) == Some(Kind::Directive) {
            return first + 1;
        }
        while at < self.tokens.len() {
            match self.text_at(at) {
                ";" => return at + 1,
                "(" | "[" => at = self.partner(at).unwrap_or(at) + 1,
                "{" => {
                    let close = self.partner(at).unwrap_or(at);
                    return close + 1 + usize::from(self.text_at(close + 1) == ";");
                }
                "}" => return at.max(first + 1),
                _ => at += 1,
            }
        }
        at.max(first + 1).min(self.tokens.len())
    }

    fn statement_inner(&mut self) -> Parsed<StmtKind> {
        let first = self.pos;
        self.skip_attributes()?;
        let word = self.peek();
        match word {
            "{" => Ok(StmtKind::Block(self.block()?)),
            ";" => {
                self.pos += 1;
                Ok(StmtKind::Empty)
            }
            "if" => self.if_statement(),
            "for" => self.scoped(Self::for_statement),
            "while" => self.scoped(Self::while_statement),
            "do" => {
                self.pos += 1;
                let body = self.substatement()?;
                if !self.eat("while") {
                    return self.fail("expected `while`");
                }
                let cond = self.condition()?;
                self.semicolon()?;
                Ok(StmtKind::DoWhile { body, cond })
            }
            "switch" => self.scoped(Self::switch_statement),
            "break" | "continue" => {
                self.pos += 1;
                self.semicolon()?;
                Ok(if word == "break" {
                    StmtKind::Break
                } else {
                    StmtKind::Continue
                })
            }
            "return" => {
                self.pos += 1;
                let value = match self.peek() {
                    ";" => None,
                    "{" => Some(self.init_list()?),
                    _ => Some(self.expression()?),
                };
                self.semicolon()?;
                Ok(StmtKind::Return(value))
            }
            "goto" => {
                self.pos += 1;
                if !self.at_ident() {
                    return self.fail("a computed goto");
                }
                let label = self.peek().to_owned();
                self.pos += 1;
                self.semicolon()?;
                Ok(StmtKind::Goto(label))
            }
            "try" => {
                self.pos += 1;
                self.block()?;
                while self.eat("catch") {
                    self.parens()?;
                    let mark = self.enter_scope();
                    self.block()?;
                    self.leave_scope(mark);
                }
                Ok(StmtKind::Unsupported {
                    what: "try".to_owned(),
                })
            }
            "asm" | "__asm__" | "__asm" => {
                let asm = self.asm()?;
                self.semicolon()?;
                Ok(StmtKind::Asm(Box::new(asm)))
            }
            "static_assert" | "_Static_assert" => {
                self.pos += 1;
                self.parens()?;
                self.semicolon()?;
                Ok(StmtKind::Empty)
            }
            "_Pragma" => {
                self.pos += 1;
                self.parens()?;
                Ok(StmtKind::Empty)
            }
            "using" | "namespace" => self.using_statement(),
            "case" | "default" => self.fail("a case label that is not directly in a switch"),
            _ if self.at_ident() && self.text_at(self.pos + 1) == ":" => {
                self.pos += 2;
                let label = word.to_owned();
                let body = if self.at("}") {
                    let end = self.range_at(self.pos - 1).end;
                    Box::new(Stmt {
                        kind: StmtKind::Empty,
                        range: Range::new(end, end),
                    })
                } else {
                    self.substatement()?
                };
                Ok(StmtKind::Label(label, body))
            }
            _ if self.starts_declaration() => {
                self.pos = first;
                self.local_declaration()
            }
            _ => {
                let value = self.expression()?;
                self.semicolon()?;
                if declares_in_parentheses(&value) {
                    return self.fail("a declaration of a name in parentheses, before this");
                }
                Ok(StmtKind::Expr(value))
            }
        }
    }

    fn semicolon(&mut self) -> Parsed<()> {
        self.expect(";", "expected `;`").map(drop)
    }

    fn scoped<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let mark = self.enter_scope();
        let parsed = rule(self);
        self.leave_scope(mark);
        parsed
    }

    /// A statement that is part of another, in a scope of its own.
    fn substatement(&mut self) -> Parsed<Box<Stmt>> {
        self.scoped(Self::statement).map(Box::new)
    }

    /// `(e)`
    fn condition(&mut self) -> Parsed<Expr> {
        self.expect("(", "expected `(`")?;
        if self.starts_declaration() {
            return self.fail("a declaration as the condition of a loop");
        }
        let cond = self.nested(|parser| parser.with_angle(Angle::Operator, Self::expression))?;
        self.expect(")", "expected `)`")?;
        Ok(cond)
    }

    /// `while (cond) body`; `while (T x = e) body` is `while (true) { T x = e; if (!x) break; body }`.
    fn while_statement(&mut self) -> Parsed<StmtKind> {
        self.pos += 1;
        let open = self.pos;
        self.expect("(", "expected `(`")?;
        if !self.starts_declaration() {
            self.pos = open;
            let cond = self.condition()?;
            let body = self.substatement()?;
            return Ok(StmtKind::While { cond, body });
        }
        self.pos = open;
        let (mut stmts, cond) = self.head_with_declaration()?;
        let range = cond.range;
        let not = Expr {
            kind: ast::ExprKind::Unary(ast::UnaryOp::Not, Box::new(cond)),
            range,
        };
        let leave = Box::new(Stmt {
            kind: StmtKind::Break,
            range,
        });
        let kind = StmtKind::If {
            constexpr: false,
            cond: not,
            then: leave,
            els: None,
        };
        stmts.push(Stmt { kind, range });
        stmts.push(*self.substatement()?);
        let range = self.range_from(open);
        let body = Box::new(Stmt {
            kind: StmtKind::Block(Block { stmts, range }),
            range,
        });
        let cond = Expr {
            kind: ast::ExprKind::Bool(true),
            range,
        };
        Ok(StmtKind::While { cond, body })
    }

    fn if_statement(&mut self) -> Parsed<StmtKind> {
        let first = self.pos;
        self.pos += 1;
        let constexpr = self.eat("constexpr");
        let mark = self.enter_scope();
        let head = self.head_with_declaration()?;
        let (outer, cond) = head;
        let then = self.substatement()?;
        let els = if self.eat("else") {
            Some(self.substatement()?)
        } else {
            None
        };
        self.leave_scope(mark);
        let range = self.range_from(first);
        let kind = StmtKind::If {
            constexpr,
            cond,
            then,
            els,
        };
        Ok(wrap(outer, kind, range))
    }

    /// `(cond)`, `(init; cond)`, `(T x = e)`: the statements to run before, and the condition.
    fn head_with_declaration(&mut self) -> Parsed<(Vec<Stmt>, Expr)> {
        let open = self.pos;
        self.expect("(", "expected `(`")?;
        let Some(close) = self.partner(open) else {
            return self.fail("a bracket without its partner");
        };
        let mut outer = Vec::new();
        if self.semicolons(open, close) > 0 {
            let first = self.pos;
            let kind = if self.at(";") {
                StmtKind::Empty
            } else if self.starts_declaration() {
                self.local_declaration()?
            } else {
                let value = self.expression()?;
                self.semicolon()?;
                StmtKind::Expr(value)
            };
            outer.push(Stmt {
                kind,
                range: self.range_from(first),
            });
        }
        if self.starts_declaration() {
            let first = self.pos;
            let specs = self.specifiers(None)?;
            let var = self.local_variable(&specs)?;
            let name_range = var.name_range;
            let cond = Expr {
                kind: ast::ExprKind::Name(ast::Name::simple(var.name.clone(), name_range)),
                range: name_range,
            };
            outer.push(Stmt {
                kind: StmtKind::Decl(vec![var]),
                range: self.range_from(first),
            });
            self.expect(")", "expected `)`")?;
            return Ok((outer, cond));
        }
        let cond = self.nested(|parser| parser.with_angle(Angle::Operator, Self::expression))?;
        self.expect(")", "expected `)`")?;
        Ok((outer, cond))
    }

    /// How many `;` stand directly between two brackets.
    fn semicolons(&self, open: usize, close: usize) -> usize {
        let mut count = 0;
        let mut at = open + 1;
        while at < close {
            match self.text_at(at) {
                "(" | "[" | "{" => at = self.partner(at).unwrap_or(at) + 1,
                text => {
                    count += usize::from(text == ";");
                    at += 1;
                }
            }
        }
        count
    }

    fn for_statement(&mut self) -> Parsed<StmtKind> {
        self.pos += 1;
        let open = self.pos;
        self.expect("(", "expected `(`")?;
        let Some(close) = self.partner(open) else {
            return self.fail("a bracket without its partner");
        };
        if self.semicolons(open, close) == 0 {
            return self.range_for();
        }
        let first = self.pos;
        let init = if self.eat(";") {
            None
        } else {
            let kind = if self.starts_declaration() {
                self.local_declaration()?
            } else {
                let value = self.expression()?;
                self.semicolon()?;
                StmtKind::Expr(value)
            };
            Some(Box::new(Stmt {
                kind,
                range: self.range_from(first),
            }))
        };
        let cond = if self.at(";") {
            None
        } else if self.starts_declaration() {
            return self.fail("a declaration as the condition of a loop");
        } else {
            Some(self.expression()?)
        };
        self.semicolon()?;
        let update = if self.at(")") {
            None
        } else {
            Some(self.expression()?)
        };
        self.expect(")", "expected `)`")?;
        let body = self.substatement()?;
        Ok(StmtKind::For {
            init,
            cond,
            update,
            body,
        })
    }

    fn range_for(&mut self) -> Parsed<StmtKind> {
        let first = self.pos;
        let specs = self.specifiers(None)?;
        let Some(base) = specs.ty.clone() else {
            return self.fail("expected a declaration");
        };
        let declarator = self.declarator(Shape::Named)?;
        let mut var = variable(declarator, base, specs.storage);
        var.range = self.range_from(first);
        self.expect(":", "expected `:`")?;
        let range = if self.at("{") {
            self.init_list()?
        } else {
            self.expression()?
        };
        self.expect(")", "expected `)`")?;
        let name = self.text_of(&var.name, var.name_range);
        self.declare_local(name, NameKind::VALUE);
        let body = self.substatement()?;
        Ok(StmtKind::RangeFor {
            var: Box::new(var),
            range,
            body,
        })
    }

    fn switch_statement(&mut self) -> Parsed<StmtKind> {
        let first = self.pos;
        self.pos += 1;
        let (outer, cond) = self.head_with_declaration()?;
        let open = self.pos;
        if !self.at("{") || self.partner(open).is_none() {
            return self.fail("a switch without a block");
        }
        self.pos += 1;
        let mut items = Vec::new();
        while !self.at("}") {
            let at = self.pos;
            match self.peek() {
                "case" => {
                    let label = self.attempt(|parser| {
                        parser.pos += 1;
                        let label = parser.conditional()?;
                        parser.expect(":", "expected `:`")?;
                        Ok(label)
                    });
                    match label {
                        Some(label) => items.push(SwitchItem::Case(label)),
                        None => items.push(SwitchItem::Stmt(self.statement()?)),
                    }
                }
                "default" if self.text_at(at + 1) == ":" => {
                    self.pos += 2;
                    items.push(SwitchItem::Default(self.range_from(at)));
                }
                _ => {
                    let types = self.local_types.len();
                    let stmt = self.statement()?;
                    items.extend(self.local_types.drain(types..).map(SwitchItem::Stmt));
                    items.push(SwitchItem::Stmt(stmt));
                }
            }
        }
        self.pos += 1;
        let range = self.range_from(first);
        Ok(wrap(outer, StmtKind::Switch { cond, items }, range))
    }

    fn using_statement(&mut self) -> Parsed<StmtKind> {
        let first = self.pos;
        if self.at("using")
            && self.is_ident(first + 1)
            && matches!(self.text_at(first + 2), "=" | "[")
        {
            return Ok(StmtKind::Typedef(self.alias(Vec::new())?));
        }
        Ok(StmtKind::Using(self.using()?))
    }

    /// `using A = T;`
    pub fn alias(&mut self, template: Vec<ast::TemplateParam>) -> Parsed<Typedef> {
        let first = self.pos;
        self.pos += 1;
        let name = self.peek();
        self.pos += 1;
        self.skip_attributes()?;
        self.expect("=", "expected `=`")?;
        let ty = self.type_id()?;
        self.semicolon()?;
        let kind = if template.is_empty() {
            NameKind::TYPE
        } else {
            NameKind::TYPE_TEMPLATE
        };
        self.declare(name, kind);
        let qualified = if self.in_function {
            name.to_owned()
        } else {
            self.qualify(name)
        };
        Ok(Typedef {
            name: qualified,
            ty,
            template,
            range: self.range_from(first),
        })
    }

    /// `using namespace n;`, `using n::f;`, `namespace a = b;`
    pub fn using(&mut self) -> Parsed<Using> {
        let first = self.pos;
        let scope = self.scope.join("::");
        if self.eat("namespace") {
            let alias = self.declared_name()?.path();
            self.expect("=", "expected `=`")?;
            let target = self.type_name()?.path();
            self.semicolon()?;
            return Ok(Using {
                namespace: true,
                target,
                alias: Some(alias),
                scope,
                range: self.range_from(first),
            });
        }
        self.expect("using", "expected `using`")?;
        let namespace = self.eat("namespace");
        self.eat("typename");
        let target = self.declared_name()?.path();
        self.semicolon()?;
        Ok(Using {
            namespace,
            target,
            alias: None,
            scope,
            range: self.range_from(first),
        })
    }

    /// `asm volatile ("…" : outputs : inputs : clobbers)`
    pub fn asm(&mut self) -> Parsed<Asm> {
        self.pos += 1;
        let mut asm = Asm {
            template: String::new(),
            is_volatile: false,
            outputs: vec![],
            inputs: vec![],
            clobbers: vec![],
        };
        loop {
            match self.peek() {
                "volatile" | "__volatile__" | "__volatile" => asm.is_volatile = true,
                "inline" | "__inline__" => {}
                "goto" => return self.fail("asm goto"),
                _ => break,
            }
            self.pos += 1;
        }
        self.expect("(", "expected `(`")?;
        while self.kind_at(self.pos) == Some(Kind::Str) {
            asm.template.push_str(literal::string(self.peek()));
            self.pos += 1;
        }
        let mut section = 0;
        let mut height = 0;
        loop {
            match self.peek() {
                ":" => section += 1,
                "::" => section += 2,
                ")" => {
                    self.pos += 1;
                    self.height = height;
                    return Ok(asm);
                }
                _ => return self.fail("expected `:` or `)`"),
            }
            self.pos += 1;
            while !matches!(self.peek(), ":" | "::" | ")") {
                if self.at("[") {
                    self.skip_balanced()?;
                }
                if self.kind_at(self.pos) != Some(Kind::Str) {
                    return self.fail("expected a constraint");
                }
                let mut constraint = String::new();
                while self.kind_at(self.pos) == Some(Kind::Str) {
                    constraint.push_str(literal::string(self.peek()));
                    self.pos += 1;
                }
                match section {
                    1 | 2 => {
                        self.expect("(", "expected `(`")?;
                        let value = self.nested(|parser| {
                            parser.with_angle(Angle::Operator, Self::expression)
                        })?;
                        height = height.max(self.height);
                        self.expect(")", "expected `)`")?;
                        if section == 1 {
                            &mut asm.outputs
                        } else {
                            &mut asm.inputs
                        }
                        .push((constraint, value));
                    }
                    3 => asm.clobbers.push(constraint),
                    _ => return self.fail("too many parts of an asm"),
                }
                if !self.eat(",") {
                    break;
                }
            }
        }
    }

    /// Whether a declaration, and not an expression, begins here.
    pub fn starts_declaration(&mut self) -> bool {
        let (first, word) = (self.pos, self.peek());
        let next = self.text_at(first + 1);
        if self.word_at(first) == Word::Specifier
            || matches!(
                word,
                "struct" | "class" | "union" | "enum" | "decltype" | "typeof" | "__typeof__"
            )
        {
            return true;
        }
        if self.word_at(first) == Word::Builtin {
            return match next {
                "(" => matches!(self.text_at(first + 2), "*" | "&" | "&&"),
                "{" => false,
                _ => true,
            };
        }
        if word == "typename" {
            return true;
        }
        if word != "::" && !self.at_ident() {
            return false;
        }
        let kind = if word == "::" {
            NameKind::default()
        } else {
            self.name_kind(word)
        };
        if kind.only_value() && next != "::" {
            return false;
        }
        // The commonest cases first: an operator or call after the name.
        if !matches!(
            next,
            "::" | "<" | "*" | "&" | "&&" | "(" | "const" | "volatile"
        ) && !self.is_ident(first + 1)
            && word != "::"
        {
            return false;
        }
        let found = self.attempt(|parser| {
            let name = parser.type_name()?;
            let known = kind.ty || (name.qualifier.is_empty() && is_library_type(&name.base));
            let mut pointer = false;
            loop {
                match parser.peek() {
                    "*" | "&" => pointer = true,
                    "&&" if known || name.args.is_some() => pointer = true,
                    "const" | "volatile" | "__restrict__" | "__restrict" => {}
                    _ => break,
                }
                parser.pos += 1;
            }
            if known
                && !pointer
                && parser.at("(")
                && matches!(parser.text_at(parser.pos + 1), "*" | "&")
                && parser.is_ident(parser.pos + 2)
                && matches!(parser.text_at(parser.pos + 3), ")" | "[")
            {
                return Ok(true);
            }
            // `auto [a, b]` aside, a declarator starts with a name.
            if !parser.at_ident() {
                return Ok(false);
            }
            let after = parser.text_at(parser.pos + 1);
            Ok(!pointer || matches!(after, "=" | ";" | "," | "[" | "(" | "{" | ":" | ")"))
        });
        self.pos = first;
        found == Some(true)
    }

    /// Declarators after their specifiers, with the `;`.
    fn local_declaration(&mut self) -> Parsed<StmtKind> {
        let first = self.pos;
        let specs = self.specifiers(None)?;
        if specs.unknown.is_some() || specs.quals.friend || specs.quals.is_virtual {
            return self.fail("a word that is no specifier, before this");
        }
        let Some(base) = specs.ty.clone() else {
            return self.fail("expected a type");
        };
        if self.at(";")
            && (specs.defines
                || matches!(self.text_at(first), "struct" | "class" | "union" | "enum"))
        {
            self.pos += 1;
            return Ok(StmtKind::Empty);
        }
        if specs.is_typedef {
            let mut last = None;
            loop {
                let start = self.pos;
                let declarator = self.declarator(Shape::Named)?;
                let typedef = self.typedef_of(declarator, base.clone(), start)?;
                if let Some(previous) = last.replace(typedef) {
                    let range = Range::new(self.range_at(first).start, previous.range.end);
                    self.local_types.push(Stmt {
                        kind: StmtKind::Typedef(previous),
                        range,
                    });
                }
                if !self.eat(",") {
                    break;
                }
            }
            self.semicolon()?;
            return Ok(last.map_or(StmtKind::Empty, StmtKind::Typedef));
        }
        let mut vars = Vec::new();
        let mut prototypes = Vec::new();
        loop {
            let start = self.pos;
            if let Some(prototype) = self.local_prototype(&specs, base.clone(), first) {
                prototypes.push(prototype);
            } else {
                self.pos = start;
                vars.push(self.local_variable(&specs)?);
            }
            if !self.eat(",") {
                break;
            }
        }
        self.semicolon()?;
        if let (true, Some(prototype)) = (vars.is_empty(), prototypes.pop()) {
            if prototypes.is_empty() {
                return Ok(StmtKind::Prototype(Box::new(prototype)));
            }
            return self.fail("several prototypes in one declaration");
        }
        if !prototypes.is_empty() {
            return self.fail("a prototype among variables");
        }
        Ok(StmtKind::Decl(vars))
    }

    /// A typedef's declarator, declared.
    pub fn typedef_of(
        &mut self,
        declarator: Declarator,
        base: Type,
        start: usize,
    ) -> Parsed<Typedef> {
        let Some(name) = declarator
            .name
            .as_ref()
            .and_then(|name| name.as_simple())
            .map(str::to_owned)
        else {
            return self.fail("expected a name");
        };
        let range = declarator
            .name
            .as_ref()
            .map(|name| name.range)
            .unwrap_or_default();
        let text = self.text_of(&name, range);
        self.declare(text, NameKind::TYPE);
        let qualified = if self.in_function {
            name
        } else {
            self.qualify(&name)
        };
        Ok(Typedef {
            name: qualified,
            ty: declarator.apply(base),
            template: Vec::new(),
            range: self.range_from(start),
        })
    }

    /// `T f(U, V)` in a function, where `U` and `V` are surely types.
    fn local_prototype(
        &mut self,
        specs: &Specifiers,
        base: Type,
        first: usize,
    ) -> Option<Function> {
        self.attempt(|parser| {
            let declarator = parser.declarator(Shape::Named)?;
            let Some(Step::Function(signature)) = declarator.steps.first() else {
                return parser.fail("expected parameters");
            };
            if !matches!(parser.peek(), "," | ";")
                || !signature
                    .params
                    .iter()
                    .all(|param| parser.surely_parameter(param))
            {
                return parser.fail("expected parameters");
            }
            let name = declarator
                .name
                .clone()
                .filter(|name| name.as_simple().is_some());
            let Some(name) = name else {
                return parser.fail("expected a name");
            };
            let (signature, ret) = split_signature(declarator, base);
            let text = parser.text_of(&name.base, name.range);
            parser.declare_local(text, NameKind::VALUE);
            Ok(Function {
                qualified: name.base.clone(),
                name: name.base,
                name_range: name.range,
                quals: specs.quals,
                launch_bounds: Vec::new(),
                template: None,
                template_args: Vec::new(),
                params: signature.params,
                variadic: signature.variadic,
                ret,
                body: None,
                owner: None,
                range: parser.range_from(first),
                parse_errors: Vec::new(),
            })
        })
    }

    /// Whether a parameter can be nothing but one: its type is not just an unknown name.
    fn surely_parameter(&self, param: &ast::Param) -> bool {
        let mut ty = &param.ty;
        // `float x(f());` declares no function if `f` is one.
        while let TypeKind::Pointer(to)
        | TypeKind::Reference(to)
        | TypeKind::RvalueReference(to)
        | TypeKind::Array(to, _)
        | TypeKind::Function { ret: to, .. } = &ty.kind
        {
            ty = to;
        }
        match &ty.kind {
            TypeKind::Named(name) if !ty.is_const => {
                self.name_kind(&name.base).ty || is_library_type(&name.base)
            }
            _ => true,
        }
    }

    /// One variable with its initialiser, declared.
    fn local_variable(&mut self, specs: &Specifiers) -> Parsed<VarDecl> {
        let first = self.pos;
        let Some(base) = specs.ty.clone() else {
            return self.fail("expected a type");
        };
        let declarator = self.declarator(Shape::Named)?;
        if let Some(Step::Function(_)) = declarator.steps.first() {
            // `float m(a);` with an unknown `a`; where `a` is known as a value it was no signature to begin with.
            return self.fail("a prototype or an initialised variable, before this");
        }
        let mut var = variable(declarator, base, specs.storage);
        if var.name.is_empty() {
            return self.fail("expected a plain name");
        }
        let name = self.text_of(&var.name, var.name_range);
        self.declare_local(name, NameKind::VALUE);
        self.initialiser(&mut var)?;
        var.range = self.range_from(first);
        Ok(var)
    }

    /// `= e`, `= {…}`, `{…}`, `(…)` or nothing.
    pub fn initialiser(&mut self, var: &mut VarDecl) -> Parsed<()> {
        var.init = match self.peek() {
            "=" => {
                self.pos += 1;
                if self.at("{") {
                    Init::List(self.init_list()?)
                } else {
                    Init::Expr(self.assignment()?)
                }
            }
            "{" => Init::List(self.init_list()?),
            "(" => Init::Call(self.arguments()?),
            _ => Init::None,
        };
        Ok(())
    }
}

/// `int (n);` declares `n` although it looks like a conversion.
fn declares_in_parentheses(value: &Expr) -> bool {
    let is_name = |expr: &Expr| matches!(expr.kind, ast::ExprKind::Name(_));
    match &value.kind {
        ast::ExprKind::Cast {
            style: ast::CastStyle::Functional,
            arg,
            ..
        } => is_name(arg),
        ast::ExprKind::Construct {
            args,
            braces: false,
            ..
        } => args.len() == 1 && args.iter().all(is_name),
        _ => false,
    }
}

/// `kind` after the statements that its head holds.
fn wrap(mut outer: Vec<Stmt>, kind: StmtKind, range: Range) -> StmtKind {
    if outer.is_empty() {
        return kind;
    }
    outer.push(Stmt { kind, range });
    StmtKind::Block(Block {
        stmts: outer,
        range,
    })
}

/// A variable without initialiser. Its name is empty if the declarator's is not plain.
pub(super) fn variable(declarator: Declarator, base: Type, storage: ast::Storage) -> VarDecl {
    let range = declarator.range;
    let name = declarator.name.as_ref();
    let (text, name_range) = match name {
        Some(name) if name.args.is_none() => (name.path(), name.range),
        _ => (String::new(), range),
    };
    let ty = declarator.apply(base);
    VarDecl {
        name: text,
        name_range,
        ty,
        storage,
        init: Init::None,
        template: Vec::new(),
        range,
    }
}

/// The signature of a function declarator and its return type. Only for declarators whose first step is a function.
pub(super) fn split_signature(mut declarator: Declarator, base: Type) -> (Signature, Type) {
    let empty = Signature {
        params: Vec::new(),
        variadic: false,
        trailing: None,
    };
    let mut signature = match declarator.steps.first() {
        Some(Step::Function(_)) => match declarator.steps.remove(0) {
            Step::Function(signature) => signature,
            _ => empty,
        },
        _ => empty,
    };
    let trailing = signature.trailing.take();
    let ret = declarator.apply(base);
    (signature, trailing.unwrap_or(ret))
}
