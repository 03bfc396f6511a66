//! Declarations in a block besides plain ones: static variables, structured bindings, names in their own initialisers.

use std::rc::Rc;

use warplog_facts::words::*;

use super::body::{Binding, Lowerer};
use super::references::is_slot;
use super::types::{Extent, Ty};
use super::unit::enclosing;
use super::value::*;
use super::walk::in_init;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// `extern __device__ int n;` in a function: another declaration of a variable of the innermost namespace around it.
    pub(super) fn declare_extern(&mut self, declaration: &VarDecl) {
        let path = self.scope().path;
        let (name, range) = (&declaration.name, declaration.range);
        let known = self.index.global_at(name, &path, range);
        let is_meant = |global: &VarDecl| enclosing(&global.name) == path;
        // A variable or a member of that name would be found first; a variable further out is another one.
        if self.lookup(name).is_some() || !known.is_some_and(is_meant) {
            let what = "variable that is declared `extern` in a function";
            let why = "where it is defined is not seen";
            self.unsupported(range, what, why, Effect::Control);
            self.bind(name, Binding::Reference(Lvalue::Unknown));
        }
    }

    /// `static int seen;`: one for all threads and kernels, as a `__device__` variable is. CUDA allows no initialisation of it
    /// while a kernel runs; kernels that ran before may have written it.
    pub(super) fn declare_static(&mut self, declaration: &VarDecl) {
        let range = declaration.range;
        let ty = self.resolve(&declaration.ty);
        let constructs = match ty.innermost() {
            Ty::Struct(class) => class.layout().is_none() || self.constructs(class),
            Ty::Scalar(_) | Ty::Pointer(_) => false,
            _ => true,
        };
        if constructs || self.special(&ty).any() {
            let why = "its class may have a constructor";
            self.unsupported(range, "static local variable", why, Effect::Control);
        }
        let sized = !matches!(&ty, Ty::Array(_, extent) if !matches!(extent, Extent::Constant(_)));
        if !sized {
            let why = "its size is not known";
            self.unsupported(range, "static local variable", why, Effect::Access);
        }
        let key = (declaration.name_range.start, self.instance_of_function());
        let array = match self.shared.get(&key) {
            Some(&array) => array,
            None => {
                let (name, at) = (&declaration.name, declaration.name_range);
                let array = self.array(name, Space::Global, &ty, at);
                self.shared.insert(key, array);
                if let Some((element, values)) = self.initialisers(declaration, &ty) {
                    self.constants.insert(array, (element, Rc::new(values)));
                }
                array
            }
        };
        self.bind(&declaration.name, Binding::Memory { array, ty });
    }

    /// Whether the operator of a literal may be one that takes its text, not its value.
    pub(super) fn takes_text_of_literal(&self, name: &Name) -> bool {
        let takes_value = |function: &&Function| {
            let params = &function.params[..];
            matches!(params, [one] if matches!(one.ty.kind, TypeKind::Scalar(_)))
        };
        name.base.starts_with("operator\"\"")
            && !self.index.functions(&name.base).iter().all(takes_value)
    }

    /// `int x = sizeof(x);`: the new variable is meant, not the one that it hides. Where it is evaluated, its value is not
    /// followed.
    pub(super) fn hide_outer(&mut self, declaration: &VarDecl) {
        let name = declaration.name.as_str();
        if matches!(declaration.init, Init::None) || self.lookup(name).is_none() {
            return;
        }
        let means = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(own) if own.as_simple() == Some(name));
        let (mut mentioned, mut unevaluated) = (0, 0);
        in_init(&declaration.init, &mut |expr| {
            mentioned += usize::from(means(expr));
            if let ExprKind::SizeofExpr(of) = &expr.kind {
                unevaluated += usize::from(means(of));
            }
        });
        if mentioned == 0 {
            return;
        }
        let ty = self.resolve(&declaration.ty);
        if mentioned > unevaluated || super::call::is_auto(&declaration.ty) {
            let why = "its initialiser names the variable itself";
            self.unsupported(declaration.range, "declaration", why, Effect::Control);
            return;
        }
        let var = self.variable(name, ty, Value::Uninitialised);
        self.bind(name, Binding::Variable(var));
    }

    /// `auto &[a, b] = e;`: names for the members of a class without bases, or for the elements of an array.
    pub(super) fn structured_binding(
        &mut self,
        whole: &VarDecl,
        names: &[(String, Range)],
        range: Range,
    ) {
        let Init::Expr(init) = &whole.init else {
            return;
        };
        let ty = self.static_type(init);
        let parts = self
            .parts_of(whole, &ty)
            .filter(|parts| parts.len() == names.len());
        let Some(parts) = parts else {
            let why = "what it binds is not understood";
            self.unsupported(range, "a structured binding", why, Effect::Control);
            for (name, _) in names {
                self.bind(name, Binding::Reference(Lvalue::Unknown));
            }
            return;
        };
        self.declare(whole);
        let object = Expr {
            kind: ExprKind::Name(Name::simple(&*whole.name, init.range)),
            range: init.range,
        };
        for ((name, at), part) in names.iter().zip(parts) {
            let base = Box::new(object.clone());
            let kind = match part {
                Part::Member(field) => ExprKind::Member {
                    base,
                    arrow: false,
                    field: Name::simple(field, *at),
                },
                Part::Element(position) => {
                    let index = ExprKind::Int {
                        value: position,
                        ty: Scalar::Int,
                    };
                    ExprKind::Index {
                        base,
                        index: Box::new(Expr {
                            kind: index,
                            range: *at,
                        }),
                    }
                }
            };
            let place = self.place(&Expr { kind, range: *at });
            self.bind(name, Binding::Reference(place));
        }
    }

    /// What a structured binding gives names to; `None` where C++ may ask for something else: `std::tuple_size`, members of
    /// bases, an array that is copied.
    fn parts_of(&mut self, whole: &VarDecl, ty: &Ty) -> Option<Vec<Part>> {
        match ty {
            Ty::Array(_, Extent::Constant(count)) if super::call::is_reference(&whole.ty) => {
                Some((0..*count).map(Part::Element).collect())
            }
            Ty::Struct(class) if !self.index.declares_type("tuple_size") => {
                let layout = class.layout()?;
                let record = self.record(class);
                let plain = record.is_none_or(|record| {
                    record.kind != StructKind::Union
                        && record.bits.iter().all(|bits| bits.named)
                        && record.fields.len() == layout.fields.len()
                        && layout.fields.iter().all(|(_, ty, _)| !is_slot(ty))
                });
                if !plain || !layout.bases.is_empty() {
                    return None;
                }
                let mut fields = layout.fields.iter().map(|(name, ..)| name.clone());
                let named = |name: &String| !name.is_empty() && !name.starts_with('{');
                fields.all(|name| named(&name)).then(|| {
                    let fields = layout.fields.iter();
                    fields
                        .map(|(name, ..)| Part::Member(name.clone()))
                        .collect()
                })
            }
            _ => None,
        }
    }
}

/// A member or an element.
enum Part {
    Member(String),
    Element(u64),
}
