//! What a kernel does with an array that it is passed.
//!
//! **Algorithm.** The body is read in contexts, as host code is ([`super::mentions`]): an element in a place where only its value can
//! be taken is read; one that is assigned to, stepped, or passed by its address to an atomic operation is written. If these
//! are all the words that are the parameter's name, no address of it goes elsewhere. A pointer to constants may be handed on, as
//! long as nothing takes away that they are constant.

use std::collections::BTreeSet;

use super::calls;
use super::mentions::times;
use super::names::Names;
use super::simple;
use crate::lower::library;
use crate::lower::unit::UnitIndex;
use crate::lower::walk;
use crate::syntax::ast::*;

/// What a kernel does with an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Usage {
    Reads,
    /// Numbers that are not negative are added to elements, by atomic operations.
    Grows,
    Writes,
    /// It may keep the address.
    Other,
}

pub(super) fn of_parameter<'u>(
    index: &UnitIndex<'u>,
    text: &str,
    function: &'u Function,
    position: usize,
) -> Usage {
    let (Some(param), Some(body)) = (function.params.get(position), &function.body) else {
        return Usage::Other;
    };
    let element = match &param.ty.kind {
        TypeKind::Pointer(element) | TypeKind::Array(element, _) => element,
        _ => return Usage::Other,
    };
    let Some(name) = param.name.as_deref() else {
        return Usage::Reads;
    };
    let is_plain = match &element.kind {
        TypeKind::Scalar(scalar) => *scalar != Scalar::Void,
        TypeKind::Named(name) => {
            let mut params = function.template.iter().flatten();
            params.any(|one| {
                matches!(one.kind, TemplateParamKind::Type { .. })
                    && one.name.as_deref() == name.as_simple()
            })
        }
        _ => false,
    };
    if !is_plain || element.is_volatile || param.pack || !function.parse_errors.is_empty() {
        return Usage::Other;
    }
    let mut reader = Reader {
        index,
        names: Names::of(index, function),
        name,
        arrays: arrays_of(function),
        reads: 0,
        writes: 0,
        grows: 0,
    };
    reader.block(body);
    let whole = times(text, function, name) == reader.reads + reader.writes + 1;
    match (whole, reader.writes) {
        (true, 0) => Usage::Reads,
        (true, writes) if writes == reader.grows => Usage::Grows,
        (true, _) => Usage::Writes,
        (false, _) if element.is_const && !may_convert(index, text, function, name) => Usage::Reads,
        (false, _) => Usage::Other,
    }
}

/// The pointers and arrays of numbers that a function declares, as parameters or in its body, and nothing else under the same name.
fn arrays_of(function: &Function) -> BTreeSet<&str> {
    fn is_of_numbers(ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Pointer(to) | TypeKind::Array(to, _) => is_of_numbers(to),
            TypeKind::Scalar(_) => true,
            _ => false,
        }
    }
    let is_array = |ty: &Type| {
        matches!(ty.kind, TypeKind::Pointer(_) | TypeKind::Array(..)) && is_of_numbers(ty)
    };
    let (mut arrays, mut others) = (BTreeSet::new(), BTreeSet::new());
    for param in &function.params {
        let Some(name) = param.name.as_deref() else {
            continue;
        };
        match is_array(&param.ty) {
            true => arrays.insert(name),
            false => others.insert(name),
        };
    }
    for stmt in function.body.iter().flat_map(|body| &body.stmts) {
        walk::each_stmt(stmt, &mut |inner| {
            if let StmtKind::Decl(all) = &inner.kind {
                for one in all {
                    match is_array(&one.ty) {
                        true => arrays.insert(&one.name),
                        false => others.insert(&one.name),
                    };
                }
            }
        });
    }
    &arrays - &others
}

struct Reader<'w, 'u> {
    index: &'w UnitIndex<'u>,
    names: Names<'u>,
    /// The parameter.
    name: &'w str,
    /// Pointers and arrays of numbers that the kernel declares, and no object of a class under the same name.
    arrays: BTreeSet<&'u str>,
    reads: u32,
    writes: u32,
    /// How many of these only add what is not negative.
    grows: u32,
}

impl<'u> Reader<'_, 'u> {
    fn is_element(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Index { base, .. } => simple(base) == Some(self.name),
            _ => false,
        }
    }

    fn block(&mut self, block: &'u Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'u Stmt) {
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::Expr(expr) | StmtKind::Return(Some(expr)) => self.value(expr),
            StmtKind::Decl(all) => all.iter().for_each(|one| self.declaration(one)),
            StmtKind::If {
                cond, then, els, ..
            } => {
                self.value(cond);
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
                cond.iter().chain(update).for_each(|one| self.value(one));
                self.stmt(body);
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.value(cond);
                self.stmt(body);
            }
            StmtKind::Switch { cond, items } => {
                self.value(cond);
                for item in items {
                    match item {
                        SwitchItem::Case(expr) => self.value(expr),
                        SwitchItem::Stmt(stmt) => self.stmt(stmt),
                        SwitchItem::Default(_) => {}
                    }
                }
            }
            StmtKind::RangeFor { body, .. } => self.stmt(body),
            StmtKind::Label(_, inner) => self.stmt(inner),
            _ => {}
        }
    }

    fn declaration(&mut self, one: &'u VarDecl) {
        let is_number = |ty: &Type| matches!(ty.kind, TypeKind::Scalar(_) | TypeKind::Auto);
        match (&one.ty.kind, &one.init) {
            (TypeKind::Scalar(_) | TypeKind::Auto, Init::Expr(init)) => self.value(init),
            (TypeKind::Scalar(_), Init::Call(args)) => args.iter().for_each(|one| self.value(one)),
            (TypeKind::Scalar(_), Init::List(list)) => match &list.kind {
                ExprKind::InitList(items) => items.iter().for_each(|item| self.value(item)),
                _ => self.value(list),
            },
            (TypeKind::Array(of, _), Init::Expr(list) | Init::List(list)) if is_number(of) => {
                if let ExprKind::InitList(items) = &list.kind {
                    items.iter().for_each(|item| self.value(item));
                }
            }
            // A reference, or a constructor that may take one.
            (_, Init::Expr(init) | Init::List(init)) => self.part(init),
            (_, Init::Call(args)) => args.iter().for_each(|arg| self.part(arg)),
            (_, Init::None) => {}
        }
    }

    /// Something of which a reference may be taken.
    fn part(&mut self, expr: &'u Expr) {
        if !self.is_element(expr) {
            self.value(expr);
        }
    }

    /// Whether an operator may be one of a class.
    fn is_overloaded(&self, op: &str) -> bool {
        !self.index.functions(&format!("operator{op}")).is_empty()
    }

    /// Whether what has a subscript may be an object of a class: all but pointers and arrays of the kernel, and what is a subscript of one.
    fn may_be_object(&self, base: &Expr) -> bool {
        match &base.kind {
            ExprKind::Index { base, .. } => self.may_be_object(base),
            ExprKind::Name(name) => !name
                .as_simple()
                .is_some_and(|name| self.arrays.contains(name)),
            _ => true,
        }
    }

    fn operand(&mut self, expr: &'u Expr, overloaded: bool) {
        match overloaded {
            true => self.part(expr),
            false => self.value(expr),
        }
    }

    /// Something whose value is taken.
    fn value(&mut self, expr: &'u Expr) {
        match &expr.kind {
            ExprKind::Index { base, index } => {
                match self.is_element(expr) {
                    true => self.reads += 1,
                    false => self.part(base),
                }
                // The subscript of a class may take what it is given by reference.
                self.operand(index, !self.is_element(expr) && self.may_be_object(base));
            }
            ExprKind::Unary(_, arg) => self.value(arg),
            ExprKind::Cast { ty, arg, .. } => match ty.kind {
                TypeKind::Scalar(_) => self.value(arg),
                _ => self.part(arg),
            },
            ExprKind::Binary(op, left, right) => {
                let overloaded = self.is_overloaded(op.text());
                self.operand(left, overloaded);
                self.operand(right, overloaded);
            }
            ExprKind::Assign { op, lhs, rhs } => {
                let sign = op.map_or("", BinaryOp::text);
                self.place(lhs);
                let overloaded = self.is_overloaded(&format!("{sign}="));
                self.operand(rhs, overloaded);
            }
            ExprKind::IncDec { arg, .. } => self.place(arg),
            ExprKind::Conditional { cond, then, els } => {
                self.value(cond);
                self.value(then);
                self.value(els);
            }
            ExprKind::Comma(left, right) => {
                self.value(left);
                self.value(right);
            }
            ExprKind::AddressOf(arg) | ExprKind::Member { base: arg, .. } => self.inside(arg),
            ExprKind::Deref(arg) => self.part(arg),
            ExprKind::Call { callee, args } => self.call(callee, args),
            ExprKind::Construct { ty, args, .. } => {
                let is_number = ty.scalar().is_some();
                args.iter().for_each(|arg| self.operand(arg, !is_number));
            }
            ExprKind::InitList(items) => items.iter().for_each(|item| self.part(item)),
            ExprKind::Launch { config, args, .. } => {
                config.iter().chain(args).for_each(|arg| self.part(arg));
            }
            ExprKind::StmtExpr(block) => self.block(block),
            _ => {}
        }
    }

    /// What a place is made of, but not the place itself.
    fn inside(&mut self, expr: &'u Expr) {
        match &expr.kind {
            ExprKind::Index { base, index } if !self.is_element(expr) => {
                self.inside(base);
                self.value(index);
            }
            ExprKind::Member { base, .. } => self.inside(base),
            ExprKind::Deref(arg) => self.part(arg),
            ExprKind::Call { .. } => self.value(expr),
            _ => {}
        }
    }

    /// Something that is set.
    fn place(&mut self, expr: &'u Expr) {
        match &expr.kind {
            ExprKind::Index { index, .. } if self.is_element(expr) => {
                self.writes += 1;
                self.value(index);
            }
            _ => self.inside(expr),
        }
    }

    fn call(&mut self, callee: &'u Expr, args: &'u [Expr]) {
        let name = calls::named(callee);
        let base = name.map_or("", |name| &name.base);
        let is_known = name.is_some_and(|name| self.names.is_global(self.index, name));
        if is_known && base.starts_with("atomic") {
            let before = self.writes;
            for (position, arg) in args.iter().enumerate() {
                match &arg.kind {
                    ExprKind::AddressOf(inner) if position == 0 => self.place(inner),
                    _ => self.value(arg),
                }
            }
            // What is larger than any `int` becomes negative in the element.
            let is_small = |expr: &Expr| match &expr.kind {
                ExprKind::Int { value, .. } => i32::try_from(*value).is_ok(),
                _ => false,
            };
            let adds = matches!(args, [_, by] if is_small(by));
            if base == "atomicAdd" && adds {
                self.grows += self.writes - before;
            }
            return;
        }
        let parts = calls::parts_of(self.index, &self.names, callee, args.len());
        // Of what no table knows it is not known how it takes its arguments.
        let is_builtin = is_known && base.starts_with("__") && library::has_row(base);
        for (arg, part) in args.iter().zip(parts) {
            match is_builtin || part == calls::Part::Value {
                true => self.value(arg),
                false => self.part(arg),
            }
        }
    }
}

/// Whether a function gives pointers or references a type by which what they point to may be changed.
pub(super) fn converts_pointers(function: &Function) -> bool {
    let stmts = function.body.iter().flat_map(|body| &body.stmts);
    let mut found = false;
    for stmt in stmts {
        walk::each_expr(stmt, &mut |expr| {
            if let ExprKind::Cast { ty, style, .. } = &expr.kind {
                found |= *style == CastStyle::Const || is_way_to_change(ty);
            }
            found |= matches!(expr.kind, ExprKind::Asm(_));
        });
        walk::each_stmt(stmt, &mut |inner| {
            found |= matches!(inner.kind, StmtKind::Asm(_) | StmtKind::Unsupported { .. });
        });
    }
    found || !function.parse_errors.is_empty()
}

fn is_way_to_change(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to) | TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
            !to.is_const
        }
        TypeKind::Scalar(_) => false,
        _ => true,
    }
}

/// Whether a kernel that is passed a pointer to constants, or a function that it hands it to, may change them: by a cast of something
/// that may be made of it, or in assembly.
fn may_convert(index: &UnitIndex<'_>, text: &str, function: &Function, name: &str) -> bool {
    let Some(body) = &function.body else {
        return true;
    };
    if times(text, function, "asm") + times(text, function, "const_cast") > 0 {
        return true;
    }
    // Numbers, other parameters and arrays of the kernel itself are no pointers to it.
    let mut others: BTreeSet<&str> = BTreeSet::new();
    let params = function.params.iter();
    others.extend(params.filter_map(|one| one.name.as_deref()));
    for stmt in &body.stmts {
        walk::each_stmt(stmt, &mut |inner| {
            if let StmtKind::Decl(all) = &inner.kind {
                for one in all {
                    match one.ty.kind {
                        TypeKind::Scalar(_) | TypeKind::Array(..) => others.insert(&one.name),
                        _ => others.remove(one.name.as_str()),
                    };
                }
            }
        });
    }
    others.remove(name);
    let may_be_it = |expr: &Expr| {
        let mut found = false;
        let mut read = 0u32;
        walk::sub_exprs(expr, &mut |part| match &part.kind {
            ExprKind::Name(one) => {
                found |= one.as_simple() == Some(name);
                let is_builtin = ["threadIdx", "blockIdx", "blockDim", "gridDim"];
                let is_other = one.as_simple().is_some_and(|one| others.contains(one));
                found |= !is_other && !is_builtin.contains(&one.base.as_str());
            }
            ExprKind::Lambda(_) => read += 1,
            _ => {}
        });
        found || read > 0
    };
    let mut found = false;
    for stmt in &body.stmts {
        walk::each_expr(stmt, &mut |expr| match &expr.kind {
            ExprKind::Cast { ty, arg, .. } => {
                let is_value = matches!(arg.kind, ExprKind::Index { .. });
                let to_number = ty.scalar().is_some();
                let names_it = {
                    let mut named = false;
                    walk::sub_exprs(arg, &mut |part| named |= simple(part) == Some(name));
                    named
                };
                found |= match (is_way_to_change(ty), to_number) {
                    (true, _) => may_be_it(arg),
                    (false, true) => names_it && !is_value && is_address(arg, name),
                    _ => false,
                };
            }
            ExprKind::Call { callee, .. } => {
                if let Some(called) = calls::named(callee) {
                    let own = index.functions(&called.base).iter();
                    let mut own = own.filter(|one| one.body.is_some());
                    found |= own.any(|one| converts_pointers(one));
                }
            }
            _ => {}
        });
    }
    found
}

/// Whether an expression may be an address that is made of a pointer.
fn is_address(expr: &Expr, name: &str) -> bool {
    match &expr.kind {
        ExprKind::Name(_) => simple(expr) == Some(name),
        ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Call { .. } => false,
        ExprKind::Binary(_, left, right) => is_address(left, name) || is_address(right, name),
        ExprKind::Cast { arg, .. } => is_address(arg, name),
        _ => true,
    }
}
