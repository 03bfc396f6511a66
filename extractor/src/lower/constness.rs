//! Whether what a pointer argument points to is constant, and whether an object is, which types do not keep: it tells apart
//! `load(const T *, int)` and `load(T *, int)`, `at(const V &, int)` and `at(V &, int)`.
//!
//! **Contract.** An answer is given only where declarations in the text show it: parameters and
//! variables of the running function by their names, what is behind casts, offsets into those.

use super::body::Lowerer;
use super::types::Ty;
use super::walk;
use crate::syntax::ast::*;

/// The types of the arguments of a call that is being resolved, and what is known of their pointees.
pub(crate) type Constness = (Vec<Ty>, Vec<Option<bool>>);

impl Lowerer<'_, '_> {
    /// What is known of the pointees of arguments.
    pub(crate) fn constness(&self, types: &[Ty], args: &[Expr]) -> Constness {
        let known = args.iter().map(|arg| self.points_to_const(arg)).collect();
        (types.to_vec(), known)
    }

    fn points_to_const(&self, arg: &Expr) -> Option<bool> {
        match &arg.kind {
            ExprKind::Name(name) => self.declared_const(name.as_simple()?),
            ExprKind::Cast { ty, .. } => pointee_is_const(ty),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, _) => self.points_to_const(left),
            ExprKind::AddressOf(inner) => match &inner.kind {
                ExprKind::Index { base, .. } => self.points_to_const(base),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the variable of a name points to something constant; all of that name must agree.
    fn declared_const(&self, name: &str) -> Option<bool> {
        let here = self.calls.last()?.function;
        let function = self
            .index
            .unit
            .functions
            .iter()
            .find(|function| function.range == here)?;
        let mut found: Vec<Option<bool>> = function
            .params
            .iter()
            .filter(|param| param.name.as_deref() == Some(name))
            .map(|param| meant_is_const(&param.ty, function))
            .collect();
        for stmt in function.body.iter().flat_map(|body| &body.stmts) {
            walk::each_stmt(stmt, &mut |stmt| {
                if let StmtKind::Decl(declarations) = &stmt.kind {
                    let named = declarations.iter().filter(|one| one.name == name);
                    found.extend(named.map(|one| meant_is_const(&one.ty, function)));
                }
            });
        }
        let first = found.first().copied().flatten()?;
        found.iter().all(|one| *one == Some(first)).then_some(first)
    }
}

/// `const T *` against `T *`; nothing of types that are not written as pointers.
pub(crate) fn pointee_is_const(ty: &Type) -> Option<bool> {
    match &ty.kind {
        TypeKind::Pointer(to) | TypeKind::Array(to, _) => Some(to.is_const),
        _ => None,
    }
}

/// Of a variable: whether what it points to is constant, or of what is no pointer, whether it is itself.
fn meant_is_const(ty: &Type, function: &Function) -> Option<bool> {
    let parameters = function.template.iter().flatten();
    let mut names = parameters.filter_map(|parameter| parameter.name.as_deref());
    match &ty.kind {
        TypeKind::Pointer(_) | TypeKind::Array(..) => pointee_is_const(ty),
        // `auto &r`, `T &r`: it may be deduced.
        TypeKind::Reference(to) => match &to.kind {
            TypeKind::Scalar(_) => Some(to.is_const),
            TypeKind::Named(name) if to.is_const || names.all(|own| own != name.base) => {
                Some(to.is_const)
            }
            _ => None,
        },
        TypeKind::Scalar(_) => Some(ty.is_const),
        TypeKind::Named(name) if ty.is_const || names.all(|own| own != name.base) => {
            Some(ty.is_const)
        }
        _ => None,
    }
}

/// Whether a parameter is a reference to something constant.
fn referent_is_const(ty: &Type) -> Option<bool> {
    match &ty.kind {
        TypeKind::Reference(to) if matches!(to.kind, TypeKind::Scalar(_) | TypeKind::Named(_)) => {
            Some(to.is_const)
        }
        _ => None,
    }
}

/// Whether a function takes arguments as they are, what they point to included.
pub(crate) fn takes_exactly(function: &Function, known: &[Option<bool>]) -> bool {
    function.params.iter().zip(known).all(|(param, known)| {
        match (pointee_is_const(&param.ty), known) {
            (Some(takes), Some(given)) => takes == *given,
            (Some(_), None) => false,
            (None, known) => match (referent_is_const(&param.ty), known) {
                (Some(takes), Some(given)) => takes == *given,
                // A name is no temporary.
                (None, Some(_)) => !matches!(param.ty.kind, TypeKind::RvalueReference(_)),
                _ => true,
            },
        }
    })
}
