//! Objects of lambdas: what they capture, and how.

use std::rc::Rc;

use rustc_hash::FxHashSet;
use warplog_facts::words::*;

use super::super::body::{Binding, Lowerer, Names};
use super::super::constness::Category;
use super::super::types::Ty;
use super::super::value::*;
use super::super::walk;
use super::Closure;
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    /// A lambda expression as a value.
    pub(crate) fn lambda(&mut self, lambda: &Lambda, range: Range) -> Value {
        let mut used: FxHashSet<&str> = FxHashSet::default();
        for stmt in &lambda.body.stmts {
            walk::each_expr(stmt, &mut |expr| {
                if let ExprKind::Name(name) = &expr.kind {
                    used.insert(&name.base);
                }
            });
        }
        let captures: Vec<&str> = lambda.captures.split(',').map(str::trim).collect();
        if captures
            .iter()
            .any(|capture| capture.len() > 1 && capture.contains('='))
        {
            self.unsupported(
                range,
                "lambda expression",
                "a capture with an initialiser",
                Effect::Control,
            );
            return Value::Unknown;
        }
        let copies = captures
            .iter()
            .any(|capture| !capture.starts_with('&') && !capture.is_empty() && *capture != "this")
            || lambda.inits.iter().any(is_copy);
        if lambda.mutable && copies || captures.contains(&"*this") {
            self.unsupported(
                range,
                "lambda expression",
                "a copy in it that changes: copies of the closure are not told apart",
                Effect::Control,
            );
        }
        // What is captured by its name is copied whether it is used or not.
        used.extend(captures.iter().filter(|capture| !capture.is_empty()));
        let by_value = |name: &str| {
            if captures.contains(&format!("&{name}").as_str()) {
                return false;
            }
            captures.contains(&name) || captures.contains(&"=")
        };
        let bottom = self.calls.last().map_or(0, |call| call.scopes);
        let mut bindings = Names::default();
        for scope in &self.scopes[bottom..] {
            bindings.extend(scope, |name| used.contains(name));
        }
        let names: Vec<String> = bindings
            .sorted()
            .into_iter()
            .map(|(name, _)| name.clone())
            .collect();
        let mut kept = false;
        for name in names {
            // Shared variables are not captured: they are what they are.
            let place = match bindings.get(&name) {
                Some(Binding::Variable(var)) => Lvalue::Variable {
                    var: *var,
                    path: Vec::new(),
                    ty: self.variables[var.0 as usize].1.clone(),
                },
                Some(Binding::Reference(place)) => place.clone(),
                _ => continue,
            };
            let ty = match &place {
                Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
                Lvalue::Unknown => continue,
            };
            if by_value(&name) {
                let special = self.special(&ty);
                // `[=]` copies what is used, but for `sizeof` and the like nothing is.
                let is_told = captures.contains(&name.as_str()) && matches!(ty, Ty::Struct(_));
                if special.ends || special.copies && !is_told {
                    self.lost_object(range, "a closure keeps a copy of it");
                }
                kept |= special.any();
                let value = match (&place, &ty) {
                    (place, Ty::Struct(class)) if special.copies => {
                        let known = (Category::Place, bindings.qualified(&name));
                        self.copied(class, place.clone(), known, range)
                    }
                    (Lvalue::Variable { var, path, .. }, _) if path.is_empty() => {
                        self.env.get(*var).clone()
                    }
                    (place, _) => self.read(place, range),
                };
                let copy = self.variable(&name, ty, value);
                let mut qualified = bindings.qualified(&name);
                // A copy is constant in a lambda that is not mutable.
                qualified.object = qualified.object.map(|constant| constant || !lambda.mutable);
                bindings.insert_as(name, Binding::Variable(copy), qualified);
            }
        }
        for capture in &lambda.inits {
            kept |= self.capture(capture, lambda.mutable, &mut bindings);
        }
        let index = self.closures.len();
        self.closures.push(Closure {
            lambda: Rc::new(lambda.clone()),
            bindings,
            keeps_objects: kept,
            types: self.scope(),
            this: self.this_place(),
            constant_this: self.calls.last().and_then(|call| call.constant_this),
        });
        Value::Function(Rc::new(Callable::Lambda(index)))
    }

    /// `[n = 2 * size]`: a variable of the closure. Its initialiser sees the names around the lambda and not its own. Whether it is
    /// an object that copy constructors make.
    pub(super) fn capture(
        &mut self,
        capture: &VarDecl,
        mutable: bool,
        bindings: &mut Names,
    ) -> bool {
        let mut mentioned = Vec::new();
        walk::in_init(&capture.init, &mut |expr| mentioned.push(expr));
        let may_end = self.index.may_be_special;
        let mut ends = |expr: &Expr| {
            let ty = self.static_type(expr);
            self.special(&ty).ends
        };
        if may_end && mentioned.iter().any(|expr| ends(expr)) {
            self.lost_object(capture.range, "a closure keeps a copy of it");
        }
        let unnamed = VarDecl {
            name: format!("[{}]", capture.name),
            ..capture.clone()
        };
        self.scopes.push(Names::default());
        self.declare(&unnamed);
        let scope = self.scopes.pop().unwrap_or_default();
        let Some(binding) = scope.get(&unnamed.name) else {
            return false;
        };
        let mut kept = false;
        if let Binding::Variable(var) = binding {
            let (name, ty) = &mut self.variables[var.0 as usize];
            name.clone_from(&capture.name);
            let ty = ty.clone();
            kept = self.special(&ty).any();
        }
        let mut qualified = scope.qualified(&unnamed.name);
        if is_copy(capture) {
            qualified.object = qualified.object.map(|constant| constant || !mutable);
        }
        bindings.insert_as(capture.name.clone(), binding.clone(), qualified);
        kept
    }
}

/// Whether a capture with an initialiser is an object of its own.
pub(super) fn is_copy(capture: &VarDecl) -> bool {
    matches!(capture.ty.kind, TypeKind::Auto)
}
