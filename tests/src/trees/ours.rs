//! Our trees.

use warplog_extractor::syntax::ast::{
    Block, CastStyle, Expr, ExprKind, Init, Name, Stmt, StmtKind, SwitchItem, Type, TypeKind,
    UnaryOp, Unit, VarDecl,
};

use super::{Function, add, group, hash};

/// The functions with a body of which we say that all of it is understood.
pub fn functions(text: &str, unit: &Unit) -> Vec<Function> {
    let mut functions = Vec::new();
    for function in &unit.functions {
        let Some(body) = &function.body else { continue };
        if !function.parse_errors.is_empty() {
            continue;
        }
        let at = function.name_range.start as usize;
        let mut walk = Walk::default();
        walk.block(body);
        if walk.unsupported {
            continue;
        }
        functions.push(Function {
            name: function.qualified.clone(),
            at,
            text: hash(text.get(at..body.range.end as usize).unwrap_or_default()),
            expressions: walk.expressions,
        });
    }
    functions
}

#[derive(Default)]
struct Walk {
    expressions: Vec<String>,
    /// Bodies inside of the expression at hand, to be walked behind it.
    bodies: Vec<Block>,
    /// Something was not understood.
    unsupported: bool,
}

impl Walk {
    fn block(&mut self, block: &Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn whole(&mut self, expr: &Expr) {
        let text = self.form(expr);
        add(&mut self.expressions, text);
        for body in std::mem::take(&mut self.bodies) {
            self.block(&body);
        }
    }

    fn vars(&mut self, vars: &[VarDecl]) {
        for var in vars {
            match &var.init {
                Init::None => {}
                Init::Expr(value) => self.whole(value),
                Init::List(value) => self.elements(value),
                Init::Call(args) => args.iter().for_each(|arg| self.whole(arg)),
            }
        }
    }

    /// The elements of a list each by itself, however they are nested.
    fn elements(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::InitList(elements) => {
                elements.iter().for_each(|element| self.elements(element))
            }
            _ => self.whole(expr),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::Expr(expr) => self.whole(expr),
            StmtKind::Decl(vars) => self.vars(vars),
            StmtKind::Binding { whole, .. } => self.vars(std::slice::from_ref(whole)),
            StmtKind::If {
                cond, then, els, ..
            } => {
                self.whole(cond);
                self.stmt(then);
                els.iter().for_each(|els| self.stmt(els));
            }
            StmtKind::For {
                init,
                cond,
                update,
                body,
            } => {
                init.iter().for_each(|init| self.stmt(init));
                cond.iter().chain(update).for_each(|expr| self.whole(expr));
                self.stmt(body);
            }
            StmtKind::RangeFor { range, body, .. } => {
                self.whole(range);
                self.stmt(body);
            }
            StmtKind::While { cond, body } => {
                self.whole(cond);
                self.stmt(body);
            }
            StmtKind::DoWhile { body, cond } => {
                self.stmt(body);
                self.whole(cond);
            }
            StmtKind::Switch { cond, items } => {
                self.whole(cond);
                for item in items {
                    match item {
                        SwitchItem::Case(label) => self.whole(label),
                        SwitchItem::Default(_) => {}
                        SwitchItem::Stmt(stmt) => self.stmt(stmt),
                    }
                }
            }
            StmtKind::Return(value) => value.iter().for_each(|value| self.elements(value)),
            StmtKind::Label(_, body) => self.stmt(body),
            StmtKind::Asm(asm) => {
                asm.outputs
                    .iter()
                    .chain(&asm.inputs)
                    .for_each(|(_, value)| self.whole(value));
            }
            StmtKind::Unsupported { .. } => self.unsupported = true,
            StmtKind::MemberInit { .. }
            | StmtKind::Typedef(_)
            | StmtKind::Enum(_)
            | StmtKind::Struct(_)
            | StmtKind::Using(_)
            | StmtKind::Prototype(_)
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Goto(_)
            | StmtKind::Empty => {}
        }
    }

    fn forms<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) -> Vec<String> {
        exprs.into_iter().map(|expr| self.form(expr)).collect()
    }

    fn form(&mut self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Int { value, .. } => value.to_string(),
            ExprKind::Float { .. } => "float".to_owned(),
            ExprKind::Bool(value) => value.to_string(),
            ExprKind::Char { .. } => "char".to_owned(),
            ExprKind::Str(_) => "string".to_owned(),
            ExprKind::Nullptr => "nullptr".to_owned(),
            ExprKind::This => "this".to_owned(),
            ExprKind::Name(name) => last(name),
            ExprKind::Unary(op, arg) => {
                let op = match op {
                    UnaryOp::Neg => "-",
                    UnaryOp::Plus => "+",
                    UnaryOp::Not => "!",
                    UnaryOp::BitNot => "~",
                };
                let arg = self.form(arg);
                group(op, [arg])
            }
            ExprKind::Deref(arg) => {
                let arg = self.form(arg);
                group("*", [arg])
            }
            ExprKind::AddressOf(arg) => {
                let arg = self.form(arg);
                group("&", [arg])
            }
            ExprKind::IncDec {
                increment,
                prefix,
                arg,
            } => {
                let op = match (increment, prefix) {
                    (true, true) => "++_",
                    (true, false) => "_++",
                    (false, true) => "--_",
                    (false, false) => "_--",
                };
                let arg = self.form(arg);
                group(op, [arg])
            }
            ExprKind::Binary(op, left, right) => {
                let operands = self.forms([&**left, right]);
                group(op.text(), operands)
            }
            ExprKind::Assign { op, lhs, rhs } => {
                let operands = self.forms([&**lhs, rhs]);
                group(&format!("{}=", op.map_or("", |op| op.text())), operands)
            }
            ExprKind::Conditional { cond, then, els } => {
                let operands = self.forms([&**cond, then, els]);
                group("?", operands)
            }
            ExprKind::Cast {
                style: CastStyle::Functional,
                ty,
                arg,
            } => {
                let arg = self.form(arg);
                group("call", [type_name(ty), arg])
            }
            ExprKind::Cast { arg, .. } => {
                let arg = self.form(arg);
                group("cast", [arg])
            }
            ExprKind::Construct { ty, args, .. } => {
                let args = self.forms(args);
                group("call", [type_name(ty)].into_iter().chain(args))
            }
            ExprKind::Call { callee, args } => {
                let parts = self.forms([&**callee].into_iter().chain(args));
                group("call", parts)
            }
            ExprKind::Launch {
                kernel,
                config,
                args,
            } => {
                let kernel = self.form(kernel);
                let config = group("config", self.forms(config));
                let args = self.forms(args);
                group("launch", [kernel, config].into_iter().chain(args))
            }
            ExprKind::Member { base, arrow, field } => {
                // `p->B::m` is kept as `(*p).B::m`, and clang has the part as no expression.
                let (arrow, base) = match &base.kind {
                    ExprKind::Cast {
                        style: CastStyle::Part,
                        arg,
                        ..
                    } => match &arg.kind {
                        ExprKind::Deref(pointer) if pointer.range == arg.range => {
                            (true, &**pointer)
                        }
                        _ => (false, &**arg),
                    },
                    _ => (*arrow, &**base),
                };
                let base = self.form(base);
                group(if arrow { "->" } else { "." }, [base, last(field)])
            }
            ExprKind::Index { base, index } => {
                let operands = self.forms([&**base, index]);
                group("[]", operands)
            }
            ExprKind::SizeofType(_) => "(sizeof)".to_owned(),
            ExprKind::SizeofExpr(arg) => {
                let arg = self.form(arg);
                group("sizeof", [arg])
            }
            ExprKind::AlignofType(_) => "(alignof)".to_owned(),
            ExprKind::InitList(elements) => {
                let elements = self.forms(elements);
                group("list", elements)
            }
            ExprKind::Lambda(lambda) => {
                self.bodies.push(lambda.body.clone());
                "(lambda)".to_owned()
            }
            ExprKind::StmtExpr(block) => {
                self.bodies.push(block.clone());
                "(statements)".to_owned()
            }
            ExprKind::Comma(left, right) => {
                let operands = self.forms([&**left, right]);
                group(",", operands)
            }
            ExprKind::Asm(_) => "(asm)".to_owned(),
            // What is expanded, as if there were one of it.
            ExprKind::Expand(pattern) => self.form(pattern),
            ExprKind::Fold(_)
            | ExprKind::SizeofPack(_)
            | ExprKind::MemberPointer { .. }
            | ExprKind::New { .. }
            | ExprKind::Delete(_)
            | ExprKind::Designated { .. }
            | ExprKind::Unsupported { .. } => {
                self.unsupported = true;
                String::new()
            }
        }
    }
}

fn last(name: &Name) -> String {
    name.base.clone()
}

/// The last component of a type's name.
fn type_name(ty: &Type) -> String {
    match &ty.kind {
        TypeKind::Named(name) => last(name),
        TypeKind::Scalar(scalar) => format!("{scalar:?}").to_lowercase(),
        _ => "type".to_owned(),
    }
}
