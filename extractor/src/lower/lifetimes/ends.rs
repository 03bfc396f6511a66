//! Ends of objects: scopes, full expressions, calls and jumps, and the destructors that they call.
//!
//! A full expression ends its temporaries, but for one that a reference keeps. Parameters, whose end C++ leaves to the
//! implementation, are followed only where that makes no difference, temporaries that may not have been made not at all.

use std::rc::Rc;

use warplog_facts::*;

use super::super::body::{Binding, Lowerer};
use super::super::call::is_reference;
use super::super::constness::Category;
use super::super::overload::Found;
use super::super::types::{Extent, StructTy, Ty};
use super::super::unit::last_component;
use super::super::value::*;
use super::{FullExpression, Living, MAX_ELEMENTS};
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// The end of a scope or of a full expression: of the objects made since there were so many.
    pub(crate) fn end_objects(&mut self, from: usize) {
        while self.living.len() > from {
            if let Some(one) = self.living.pop()
                && self.alive
                && !self.gave_up
            {
                self.destroy(one.place, &one.ty, one.range);
            }
        }
    }

    /// A jump ends the objects made since there were so many; on other ways they live on. Whether control goes on.
    pub(crate) fn leave_objects(&mut self, from: usize) -> bool {
        let leaving = self.living.get(from..).unwrap_or_default().to_vec();
        for one in leaving.into_iter().rev() {
            if self.alive && !self.gave_up {
                self.destroy(one.place, &one.ty, one.range);
            }
        }
        self.alive
    }

    /// From here on there is an object at a place.
    fn live(&mut self, place: Lvalue, ty: &Ty, range: Range) {
        if self.special(ty).ends {
            self.living.push(Living {
                place,
                ty: ty.clone(),
                range,
            });
        }
    }

    /// The same for a variable.
    pub(crate) fn live_variable(&mut self, var: VarId, range: Range) {
        let Some((_, ty)) = self.variables.get(var.0 as usize).cloned() else {
            return;
        };
        let place = Lvalue::Variable {
            var,
            path: Vec::new(),
            ty: ty.clone(),
        };
        self.live(place, &ty, range);
    }

    /// Calls the destructor of the class, then those of members and bases, the last one first.
    fn destroy(&mut self, place: Lvalue, ty: &Ty, range: Range) {
        if !self.special(ty).ends {
            return;
        }
        match ty {
            Ty::Array(element, Extent::Constant(count)) if *count <= MAX_ELEMENTS => {
                for index in (0..*count).rev() {
                    let place = self.element_place(place.clone(), element, index);
                    self.destroy(place, element, range);
                }
            }
            Ty::Struct(class) => self.destroy_object(place, class, range),
            _ => self.lost_object(range, "it has too many elements to destroy"),
        }
    }

    fn destroy_object(&mut self, place: Lvalue, class: &Rc<StructTy>, range: Range) {
        let (Some(record), Some(layout)) = (self.record(class), class.layout()) else {
            self.lost_object(range, "its class is not understood");
            return;
        };
        if record.kind == StructKind::Union {
            self.lost_object(range, "which member of a union it is does not show");
            return;
        }
        let simple = format!("~{}", last_component(&record.name));
        let name = Name::simple(&simple, range);
        match self.resolve_method(class, &name, Some(false), &[]) {
            Found::One(found) => {
                self.inline(&found, Some(place.clone()), &[], range);
            }
            Found::None => {}
            Found::Prototype(found) if self.is_default(found.function) => {}
            _ => self.lost_object(range, "its destructor is not known"),
        }
        for (name, field, _) in layout.own_fields().iter().rev() {
            if self.special(field).ends {
                let part = self.field_place(place.clone(), name, range);
                self.destroy(part, field, range);
            }
        }
        for (base, _) in layout.bases.iter().rev() {
            if let Ty::Struct(inner) = base {
                let part = self.as_base(place.clone(), inner);
                self.destroy(part, base, range);
            }
        }
    }

    /// Evaluates a full expression: its temporaries end with it. `root`: what is evaluated last, if nothing is done with its
    /// value but to keep it.
    pub(crate) fn full_expression<T>(
        &mut self,
        root: Option<Range>,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let living = self.living.len();
        let outer = std::mem::replace(&mut self.full, FullExpression { root, living });
        let result = act(self);
        self.end_objects(living);
        self.full = outer;
        result
    }

    /// A full expression as a condition.
    pub(crate) fn full_condition(&mut self, cond: &Expr) -> TermId {
        self.full_expression(Some(cond.range), |me| me.truth_of(cond))
    }

    /// What the full expression of a declaration ends with: a call, unless an object is made of what it gives.
    pub(crate) fn full_declaration(&mut self, declaration: &VarDecl) -> FullExpression {
        let root = match &declaration.init {
            Init::Expr(init) if !is_reference(&declaration.ty) => {
                let is_object = self.index.may_be_special
                    && matches!(self.resolve(&declaration.ty), Ty::Struct(_));
                (!is_object).then_some(init.range)
            }
            _ => None,
        };
        FullExpression {
            root,
            living: self.living.len(),
        }
    }

    /// Temporaries of an operand that is not always evaluated would end with the whole expression.
    pub(crate) fn end_branch(&mut self, from: usize) {
        if let Some(first) = self.living.get(from) {
            let range = first.range;
            self.lost_object(range, "whether a temporary was made is not followed");
            self.living.truncate(from);
        }
    }

    /// The end of a parameter: when the function returns, or at the end of the full expression around the call, as the
    /// implementation likes. Only where that is the same it is followed.
    pub(crate) fn end_parameters(&mut self, from: usize, call: Range) {
        if self.living.len() == from {
            return;
        }
        if self.full.root != Some(call) || from > self.full.living {
            self.lost_object(
                call,
                "a parameter of a call ends before or after what stands around it",
            );
        }
        self.end_objects(from);
    }

    /// A declaration ends the temporaries of its initialiser, but not one that a reference keeps; its variable lives on.
    pub(crate) fn settle_declaration(&mut self, declaration: &VarDecl, from: usize) {
        let range = declaration.name_range;
        let binding = self
            .scopes
            .last()
            .and_then(|scope| scope.get(&declaration.name))
            .cloned();
        match binding {
            Some(Binding::Reference(place)) => {
                let kept = self.kept_temporary(&place, declaration, from);
                self.end_objects(from);
                self.living.extend(kept);
            }
            Some(Binding::Variable(var)) => {
                self.end_objects(from);
                if declaration.storage.is_static
                    && self.special(&self.variables[var.0 as usize].1).any()
                {
                    self.lost_object(range, "it is a static local variable");
                }
                self.live_variable(var, range);
            }
            _ => self.end_objects(from),
        }
    }

    /// The temporary that a reference is bound to and keeps alive.
    fn kept_temporary(
        &mut self,
        place: &Lvalue,
        declaration: &VarDecl,
        from: usize,
    ) -> Option<Living> {
        let base = |place: &Lvalue| match place {
            Lvalue::Variable { var, .. } => vec![*var],
            Lvalue::Memory { targets, .. } => targets
                .iter()
                .filter_map(|target| match target.base {
                    Base::Variable(var) => Some(var),
                    _ => None,
                })
                .collect(),
            Lvalue::Unknown => Vec::new(),
        };
        let bound = base(place);
        let at = (from..self.living.len()).rev().find(|&at| {
            base(&self.living[at].place)
                .iter()
                .any(|var| bound.contains(var))
        })?;
        // Of other expressions a part of it may be kept, or it ends and the reference leads nowhere.
        let init = match &declaration.init {
            Init::Expr(init) => Some(init),
            Init::Call(args) if args.len() == 1 => args.first(),
            _ => None,
        };
        let whole = init.is_some_and(|init| match &init.kind {
            ExprKind::Construct { .. } => true,
            ExprKind::Call { callee, .. } => {
                !self.forwards(callee) && self.category(init).0 == Category::Temporary
            }
            _ => !matches!(self.static_type(init), Ty::Struct(_)),
        });
        let is_all = matches!(place, Lvalue::Variable { path, .. } if path.is_empty());
        if !whole || !is_all || at + 1 != self.living.len() {
            self.lost_object(
                declaration.range,
                "whether a reference keeps a temporary is not followed",
            );
        }
        Some(self.living.remove(at))
    }
}
