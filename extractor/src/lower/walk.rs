//! Questions about the text of functions: which built-in variables they mention, what they call.

use crate::syntax::ast::*;

/// Calls the visitor with every expression of a statement, outermost first.
pub(crate) fn each_expr<'e>(stmt: &'e Stmt, visit: &mut dyn FnMut(&'e Expr)) {
    match &stmt.kind {
        StmtKind::Block(block) => block.stmts.iter().for_each(|stmt| each_expr(stmt, visit)),
        StmtKind::Expr(expr) => sub_exprs(expr, visit),
        StmtKind::Decl(declarations) => declarations
            .iter()
            .for_each(|declaration| in_init(&declaration.init, visit)),
        StmtKind::Binding { whole, .. } => in_init(&whole.init, visit),
        StmtKind::If {
            cond, then, els, ..
        } => {
            sub_exprs(cond, visit);
            each_expr(then, visit);
            if let Some(els) = els {
                each_expr(els, visit);
            }
        }
        StmtKind::For {
            init,
            cond,
            update,
            body,
        } => {
            if let Some(init) = init {
                each_expr(init, visit);
            }
            cond.iter()
                .chain(update)
                .for_each(|expr| sub_exprs(expr, visit));
            each_expr(body, visit);
        }
        StmtKind::RangeFor { range, body, .. } => {
            sub_exprs(range, visit);
            each_expr(body, visit);
        }
        StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
            sub_exprs(cond, visit);
            each_expr(body, visit);
        }
        StmtKind::Switch { cond, items } => {
            sub_exprs(cond, visit);
            for item in items {
                match item {
                    SwitchItem::Case(expr) => sub_exprs(expr, visit),
                    SwitchItem::Default(_) => {}
                    SwitchItem::Stmt(stmt) => each_expr(stmt, visit),
                }
            }
        }
        StmtKind::MemberInit { init, .. } => in_init(init, visit),
        StmtKind::Return(value) => value.iter().for_each(|expr| sub_exprs(expr, visit)),
        StmtKind::Label(_, inner) => each_expr(inner, visit),
        StmtKind::Asm(asm) => {
            asm.outputs
                .iter()
                .chain(&asm.inputs)
                .for_each(|(_, expr)| sub_exprs(expr, visit));
        }
        _ => {}
    }
}

/// Calls the visitor with the expressions of an initialiser.
pub(crate) fn in_init<'e>(init: &'e Init, visit: &mut dyn FnMut(&'e Expr)) {
    match init {
        Init::None => {}
        Init::Expr(expr) | Init::List(expr) => sub_exprs(expr, visit),
        Init::Call(args) => args.iter().for_each(|arg| sub_exprs(arg, visit)),
    }
}

/// Calls the visitor with a statement and all statements inside it.
pub(crate) fn each_stmt<'e>(stmt: &'e Stmt, visit: &mut dyn FnMut(&'e Stmt)) {
    visit(stmt);
    match &stmt.kind {
        StmtKind::Block(block) => block.stmts.iter().for_each(|stmt| each_stmt(stmt, visit)),
        StmtKind::If { then, els, .. } => {
            each_stmt(then, visit);
            if let Some(els) = els {
                each_stmt(els, visit);
            }
        }
        StmtKind::For { init, body, .. } => {
            if let Some(init) = init {
                each_stmt(init, visit);
            }
            each_stmt(body, visit);
        }
        StmtKind::RangeFor { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. } => each_stmt(body, visit),
        StmtKind::Switch { items, .. } => {
            for item in items {
                if let SwitchItem::Stmt(stmt) = item {
                    each_stmt(stmt, visit);
                }
            }
        }
        StmtKind::Label(_, inner) => each_stmt(inner, visit),
        _ => {}
    }
}

/// Calls the visitor with an expression and all inside it.
pub(crate) fn sub_exprs<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    visit(expr);
    match &expr.kind {
        ExprKind::Unary(_, arg)
        | ExprKind::Deref(arg)
        | ExprKind::AddressOf(arg)
        | ExprKind::IncDec { arg, .. }
        | ExprKind::Cast { arg, .. }
        | ExprKind::SizeofExpr(arg)
        | ExprKind::Member { base: arg, .. } => sub_exprs(arg, visit),
        ExprKind::Binary(_, left, right)
        | ExprKind::Assign {
            lhs: left,
            rhs: right,
            ..
        }
        | ExprKind::Index {
            base: left,
            index: right,
        }
        | ExprKind::Comma(left, right) => {
            sub_exprs(left, visit);
            sub_exprs(right, visit);
        }
        ExprKind::Conditional { cond, then, els } => {
            sub_exprs(cond, visit);
            sub_exprs(then, visit);
            sub_exprs(els, visit);
        }
        ExprKind::Delete(arg) | ExprKind::Designated { value: arg, .. } => sub_exprs(arg, visit),
        ExprKind::Construct { args, .. }
        | ExprKind::InitList(args)
        | ExprKind::New { operands: args, .. } => {
            args.iter().for_each(|arg| sub_exprs(arg, visit));
        }
        ExprKind::Call { callee, args } => {
            sub_exprs(callee, visit);
            args.iter().for_each(|arg| sub_exprs(arg, visit));
        }
        ExprKind::Launch {
            kernel,
            config,
            args,
        } => {
            sub_exprs(kernel, visit);
            config
                .iter()
                .chain(args)
                .for_each(|arg| sub_exprs(arg, visit));
        }
        ExprKind::Lambda(lambda) => {
            lambda
                .inits
                .iter()
                .for_each(|capture| in_init(&capture.init, visit));
            lambda
                .body
                .stmts
                .iter()
                .for_each(|stmt| each_expr(stmt, visit));
        }
        ExprKind::StmtExpr(block) => block.stmts.iter().for_each(|stmt| each_expr(stmt, visit)),
        ExprKind::Expand(inner) => sub_exprs(inner, visit),
        ExprKind::MemberPointer { base, pointer, .. } => {
            sub_exprs(base, visit);
            sub_exprs(pointer, visit);
        }
        ExprKind::Fold(fold) => {
            let operands = fold.before.iter().chain(&fold.behind);
            operands.for_each(|operand| sub_exprs(operand, visit));
        }
        ExprKind::Asm(asm) => {
            asm.outputs
                .iter()
                .chain(&asm.inputs)
                .for_each(|(_, expr)| sub_exprs(expr, visit));
        }
        _ => {}
    }
}

/// Calls the visitor with every name in a type: those of its arguments, and of the expressions in it; with none for what was
/// not understood, which may name anything.
pub(crate) fn names_in_type<'e>(ty: &'e Type, visit: &mut dyn FnMut(Option<&'e Name>)) {
    match &ty.kind {
        TypeKind::Named(name) => names_in_name(name, visit),
        TypeKind::Pointer(to)
        | TypeKind::Reference(to)
        | TypeKind::RvalueReference(to)
        | TypeKind::Expand(to) => names_in_type(to, visit),
        // Of which class is not kept.
        TypeKind::MemberPointer(to) => {
            visit(None);
            names_in_type(to, visit);
        }
        TypeKind::Array(of, size) => {
            names_in_type(of, visit);
            if let Some(size) = size {
                names_in_expr(size, visit);
            }
        }
        TypeKind::Function { ret, params } => {
            names_in_type(ret, visit);
            for param in params {
                names_in_type(&param.ty, visit);
            }
        }
        TypeKind::Decltype(of) => names_in_expr(of, visit),
        TypeKind::Unsupported(_) => visit(None),
        TypeKind::Scalar(_) | TypeKind::Auto => {}
    }
}

/// The same of an expression.
pub(crate) fn names_in_expr<'e>(expr: &'e Expr, visit: &mut dyn FnMut(Option<&'e Name>)) {
    sub_exprs(expr, &mut |inner| match &inner.kind {
        ExprKind::Name(name) => names_in_name(name, visit),
        ExprKind::Member { field, .. } => names_in_args(field.args.as_ref(), visit),
        ExprKind::Cast { ty, .. }
        | ExprKind::Construct { ty, .. }
        | ExprKind::SizeofType(ty)
        | ExprKind::AlignofType(ty)
        | ExprKind::New { ty, .. } => names_in_type(ty, visit),
        ExprKind::Unsupported { .. } => visit(None),
        ExprKind::Lambda(lambda) => {
            for param in &lambda.params {
                names_in_type(&param.ty, visit);
            }
            if let Some(ret) = &lambda.ret {
                names_in_type(ret, visit);
            }
        }
        _ => {}
    });
}

fn names_in_name<'e>(name: &'e Name, visit: &mut dyn FnMut(Option<&'e Name>)) {
    visit(Some(name));
    for segment in &name.qualifier {
        names_in_args(segment.args.as_ref(), visit);
    }
    names_in_args(name.args.as_ref(), visit);
}

fn names_in_args<'e>(args: Option<&'e Vec<TemplateArg>>, visit: &mut dyn FnMut(Option<&'e Name>)) {
    for arg in args.into_iter().flatten() {
        match arg {
            TemplateArg::Type(ty) => names_in_type(ty, visit),
            TemplateArg::Expr(expr) => names_in_expr(expr, visit),
            TemplateArg::Name(name) => names_in_name(name, visit),
        }
    }
}
