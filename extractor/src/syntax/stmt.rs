//! Statements and local declarations.
//!
//! A statement that is not understood ends at the next `;`, or after the next balanced `{…}`, and is `Unsupported`; what
//! follows it is read as usual, and the function has a parse error.

use super::ast::{Asm, Block, Expr, Range, Stmt, StmtKind, SwitchItem, Using};
use super::declarator::Shape;
use super::lex::Kind;
use super::local::variable;
use super::parser::{Angle, NameKind, Parsed, Parser};
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

    pub fn semicolon(&mut self) -> Parsed<()> {
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
            let first = self.pos;
            self.skip_attributes()?;
            if !matches!(self.peek(), "case" | "default") {
                self.pos = first;
            }
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
        let using = Using {
            block: self.block_around(first),
            ..self.using()?
        };
        self.unit.usings.push(using.clone());
        Ok(StmtKind::Using(using))
    }

    /// The innermost braces around a token.
    fn block_around(&self, token: usize) -> Option<Range> {
        let mut at = token;
        while at > 0 {
            at -= 1;
            match self.partner(at) {
                Some(partner) if partner < at => at = partner,
                Some(partner) if self.text_at(at) == "{" => {
                    let last = self.range_at(partner);
                    return Some(Range::new(self.range_at(at).start, last.end));
                }
                _ => {}
            }
        }
        None
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
                // The comma between operands may be missing.
                if !self.eat(",") && self.kind_at(self.pos) != Some(Kind::Str) {
                    break;
                }
            }
        }
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
