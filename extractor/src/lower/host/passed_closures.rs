//! Closures that host code passes to kernels: `each<<<grid, block>>>([=] __device__ (int i) { a[i] = 0; })`.
//!
//! The kernel gets an object whose members are the variables that the lambda captured, as they were when it was made. What
//! they hold is told as of the members of any other object, so that two of them that are one allocation are told, too.
//!
//! **Contract.** A closure is passed only if all that its body may name is known: it captures by value, is not `mutable`, stands in no
//! member function, and every variable of the function around it that its body names is a number, a pointer or a class with a
//! plain layout. The kernel takes it by value, as the template parameter that its type is deduced for. Any other closure is an
//! argument of which nothing is known.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::rc::Rc;

use super::Host;
use super::launch::FoundArgument;
use super::value::*;
use crate::lower::types::{Ty, TypeScope};
use crate::lower::walk;
use crate::syntax::ast::*;

/// Members with their values.
type Members<'u> = Vec<(Vec<Step>, Value<'u>)>;

/// A lambda with what its body sees.
pub(crate) struct PassedClosure {
    pub lambda: Rc<Lambda>,
    /// What names of types mean in it.
    pub types: TypeScope,
    /// The variables that it captured, and constants that it names.
    pub members: Vec<(String, Ty)>,
}

impl fmt::Debug for PassedClosure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let range = self.lambda.body.range;
        write!(f, "closure {range:?} {:?}", self.types)
    }
}

impl PartialEq for PassedClosure {
    fn eq(&self, other: &Self) -> bool {
        format!("{self:?}") == format!("{other:?}")
    }
}

impl PassedClosure {
    /// What it captures, and what the names of its body mean, without the places where that stands: equal for two readings of one
    /// lambda.
    pub(crate) fn said(&self) -> String {
        let members = self.members.iter();
        let members: Vec<String> = members
            .map(|(name, ty)| format!("{} {name}", said(ty)))
            .collect();
        let types = self.types.types.iter();
        let types: Vec<String> = types
            .map(|(name, ty)| format!("{name} = {}", said(ty)))
            .collect();
        let values = &self.types.values;
        format!(
            "{} [{}] <{}> {values:?} {}",
            self.lambda.captures,
            members.join(", "),
            types.join(", "),
            self.types.path
        )
    }
}

/// A type in words, without the place where it is declared.
fn said(ty: &Ty) -> String {
    match ty {
        Ty::Pointer(to) => format!("{} *", said(to)),
        Ty::Array(of, extent) => format!("{} [{extent:?}]", said(of)),
        Ty::Struct(class) => class.name.clone(),
        Ty::Opaque { name, bytes } => format!("{name} of {bytes:?}"),
        Ty::Void | Ty::Scalar(_) | Ty::Bits(_) => format!("{ty:?}"),
    }
}

impl<'u> Host<'_, 'u> {
    /// The arguments of a launch as a kernel takes them: closures that can be passed with their members.
    pub(super) fn with_closures(
        &mut self,
        kernel: &Function,
        given: &[TemplateArg],
        arguments: &[FoundArgument<'u>],
        types: &[Option<Type>],
    ) -> Vec<FoundArgument<'u>> {
        let mut taken = arguments.to_vec();
        for (position, argument) in taken.iter_mut().enumerate() {
            let Value::Closure(closure) = argument.value.clone() else {
                continue;
            };
            let written = types.get(position).and_then(Option::as_ref);
            if !is_deduced(kernel, position, given, (written, &argument.text)) {
                continue;
            }
            if let Some((members, passed)) = self.members_of_closure(&closure) {
                argument.value = Value::Tree(Rc::new(members), None);
                argument.closure = Some(Rc::new(passed));
            }
        }
        taken
    }

    /// What a closure holds; `None` where that is not all known.
    fn members_of_closure(
        &mut self,
        closure: &Closure<'u>,
    ) -> Option<(Members<'u>, PassedClosure)> {
        let lambda = closure.lambda;
        let by_reference = |capture: &str| capture.starts_with('&') || capture.contains("this");
        let copies = lambda.captures.split(',').map(str::trim);
        let inits_copy = |init: &VarDecl| matches!(init.ty.kind, TypeKind::Auto);
        if lambda.mutable
            || closure.this.is_some()
            || copies.into_iter().any(by_reference)
            || !lambda.inits.iter().all(inits_copy)
            || self.hides_types(lambda)
        {
            return None;
        }
        let mut used: BTreeSet<&'u str> = BTreeSet::new();
        for stmt in &lambda.body.stmts {
            walk::each_expr(stmt, &mut |expr| {
                if let ExprKind::Name(name) = &expr.kind {
                    used.extend(name.as_simple());
                }
            });
        }
        let mut members = Vec::new();
        let mut fields = Vec::new();
        for name in used {
            let mut scopes = closure.scopes.iter().rev();
            let Some(&root) = scopes.find_map(|scope| scope.get(name)) else {
                if let Some(value) = closure.values.get(name) {
                    fields.push((name.to_owned(), Ty::Scalar(value.ty())));
                    let path = vec![Step::Field(name.to_owned())];
                    members.push((path, Value::Scalar(value.clone())));
                }
                continue;
            };
            let ty = self.objects.get(root).ty.clone();
            let is_plain = matches!(ty, Ty::Scalar(_) | Ty::Pointer(_) | Ty::Struct(_));
            if !is_plain || self.references.contains_key(&root) {
                return None;
            }
            let value = self.read(&Place::of(root), &ty);
            if matches!(
                value,
                Value::Closure(_) | Value::Function(_) | Value::Kernels(_)
            ) {
                return None;
            }
            members.push((vec![Step::Field(name.to_owned())], value));
            fields.push((name.to_owned(), ty));
        }
        let passed = PassedClosure {
            lambda: Rc::new(lambda.clone()),
            types: closure.types.clone(),
            members: fields,
        };
        Some((members, passed))
    }

    /// Whether the function around a lambda declares types, or brings names in, that the kernel's reading of it would miss.
    fn hides_types(&self, lambda: &Lambda) -> bool {
        let range = lambda.body.range;
        let functions = self.index.unit.functions.iter();
        let around = functions.filter(|function| function.range.contains(range));
        let mut hides = false;
        for body in around.filter_map(|function| function.body.as_ref()) {
            for stmt in &body.stmts {
                walk::each_stmt(stmt, &mut |stmt| {
                    hides |= matches!(stmt.kind, StmtKind::Struct(_) | StmtKind::Using(_));
                });
            }
        }
        hides
    }
}

/// Whether a kernel takes an argument by value, as the type that it has: a template parameter that was deduced, or that is written
/// as the type of the argument.
fn is_deduced(
    kernel: &Function,
    position: usize,
    given: &[TemplateArg],
    (written, text): (Option<&Type>, &str),
) -> bool {
    let Some(own) = deduced_parameter(kernel, position) else {
        return false;
    };
    match given.get(own) {
        None => true,
        Some(TemplateArg::Type(ty)) => match &ty.kind {
            TypeKind::Decltype(of) => matches!(&of.kind, ExprKind::Name(name)
                if name.as_simple() == Some(text)),
            kind => written.is_some_and(|written| written.kind == *kind),
        },
        Some(TemplateArg::Name(name)) => written.is_some_and(
            |written| matches!(&written.kind, TypeKind::Named(of) if of.path() == name.path()),
        ),
        Some(TemplateArg::Expr(_)) => false,
    }
}

/// The template parameter that the type of a parameter is, if it is passed by value.
pub(crate) fn deduced_parameter(kernel: &Function, position: usize) -> Option<usize> {
    let param = kernel.params.get(position).filter(|param| !param.pack)?;
    let TypeKind::Named(name) = &param.ty.kind else {
        return None;
    };
    let simple = name.as_simple()?;
    let mut own = kernel.template.iter().flatten();
    own.position(|one| {
        let is_type = matches!(one.kind, TemplateParamKind::Type { .. });
        is_type && !one.pack && one.name.as_deref() == Some(simple)
    })
}

/// The constants that the template arguments of a function are.
pub(super) type Constants = BTreeMap<String, super::term::Term>;
