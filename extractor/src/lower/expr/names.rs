//! What names stand for as values: variables, constants, the built-in ids and sizes.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::{Binding, Lowerer};
use super::super::classes::MAX_DEPTH;
use super::super::constants::is_name_of_function;
use super::super::types::Ty;
use super::super::value::*;
use super::aggregate::sized;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// The value of a name.
    pub(crate) fn name(&mut self, name: &Name) -> Value {
        let range = name.range;
        let local = name.as_simple().and_then(|simple| self.lookup(simple));
        match local.cloned() {
            Some(Binding::Variable(var)) => {
                let ty = self.variables[var.0 as usize].1.clone();
                return self.read(
                    &Lvalue::Variable {
                        var,
                        path: Vec::new(),
                        ty,
                    },
                    range,
                );
            }
            Some(Binding::Reference(place)) => return self.read(&place, range),
            Some(Binding::Memory { array, ty }) => {
                let place = self.whole(array, ty);
                return self.read(&place, range);
            }
            None => {}
        }
        let scope = self.scope();
        if let Some(simple) = name.as_simple() {
            if let Some(value) = scope.values.get(simple) {
                return value.clone();
            }
            if !self.means_outer(name)
                && let Some(place) = self.own_field(simple, range)
            {
                return self.read(&place, range);
            }
            let mut around = scope.class.clone();
            while let Some(class) = around {
                if !self.is_of_dependent_base(&class, name)
                    && let Some(value) = self.static_member(&class, simple)
                {
                    return value;
                }
                around = class.class.as_ref().and_then(|class| class.around.clone());
            }
        } else if let Some(place) = self.own_qualified_field(name) {
            return self.read(&place, range);
        } else if !name.qualifier.is_empty()
            && let Some(Ty::Struct(class)) = self.qualifying_class(name)
            && let Some(value) = self.static_member(&class, &name.base)
        {
            return value;
        }
        if self.is_of_unknown_template(name) || self.is_of_undecided(name) {
            return Value::Unknown;
        }
        if let Some((array, ty)) = self.global_array(name) {
            let place = self.whole(array, ty);
            return self.read(&place, range);
        }
        if name.base == "warpSize" && self.means_builtin(name) {
            return Value::Term(self.int(32));
        }
        if let Some(value) = self.constant_global(name) {
            return value;
        }
        if !self.index.functions(&name.base).is_empty() {
            return Value::Function(Rc::new(Callable::Named(name.clone(), scope)));
        }
        if let Some(value) = self.library_constant(name) {
            return value;
        }
        if let Some(value) = self.contract_name(name) {
            return value;
        }
        if self.means_builtin(name)
            && let Some(value) = self.builtin(&name.base)
        {
            return value;
        }
        if is_name_of_function(name) {
            return self.named_function(&name.base, range);
        }
        self.met_undefined = true;
        let undefined = format!("`{}`, which nothing defines", name.path());
        let span = self.span(range);
        let (file, line) = {
            let row = &self.facts.span[span.index()];
            (row.file, row.line)
        };
        let note = NoteRow {
            file: Some(file),
            path: self.facts.file[file.index()].path.clone(),
            line,
            kind: NoteKind::UndefinedName,
            text: match name.path() {
                path if path.contains("::") => format!("nothing defines {path}"),
                path => format!("nothing defines {path}; -D {path}=VALUE does"),
            },
        };
        // A concept whose condition is not understood is none that somebody forgot.
        let is_template =
            name.args.is_some() && self.index.unit.unparsed_templates.contains(&name.base);
        if self.trial == 0 && !is_template && !self.facts.note.contains(&note) {
            self.facts.note.push(note);
        }
        Value::Term(self.unknown(&undefined, range, CType::I32, true))
    }

    /// `const int n = 4;`, enumerators, `constexpr` globals.
    pub(crate) fn constant_global(&mut self, name: &Name) -> Option<Value> {
        // A constant may be defined by itself in a text that is wrong.
        if self.calls.len() > MAX_DEPTH || self.is_hidden(name) {
            return None;
        }
        let scope = self.scope();
        let path = name.lookup_path();
        let enumerator = self.index.enumerator_at(&path, &scope.path, name.range);
        if let Some((enumeration, position)) = enumerator {
            return self.enumerator_value(enumeration, position);
        }
        let (global, inside) = self.global_meant(name)?;
        if !(global.ty.is_const || global.storage.constexpr) {
            return None;
        }
        // `const int j = k; const int k = 1;` in a namespace: the k outside it is meant.
        let owner = super::super::unit::enclosing(&global.name);
        let of_class = !self.index.named.classes(owner).is_empty();
        let behind = global.range.start > name.range.start && name.range != Range::default();
        // A specialisation is one of the template, which stands before it.
        if behind && !of_class && global.special.is_none() {
            return None;
        }
        self.within(inside, |me| {
            let ty = me.resolve(&global.ty);
            let value = match &global.init {
                Init::Expr(init) => me.expr(init),
                Init::List(Expr {
                    kind: ExprKind::InitList(items),
                    ..
                }) if !matches!(ty, Ty::Array(..)) => me.construct_value(&ty, items, name.range),
                Init::Call(args) => me.construct_value(&ty, args, name.range),
                // An array that never changes: its elements.
                Init::List(Expr {
                    kind: ExprKind::InitList(items),
                    ..
                }) => {
                    let ty = sized(ty, items.len());
                    let var = me.local_array(&global.name, &ty, Some(items), name.range);
                    return Some(me.read(
                        &Lvalue::Variable {
                            var,
                            path: Vec::new(),
                            ty,
                        },
                        name.range,
                    ));
                }
                _ => return None,
            };
            Some(me.convert(value, &ty, name.range))
        })
    }

    /// `threadIdx.x` and its kin.
    pub(crate) fn builtin_member(&mut self, base: &Expr, field: &str) -> Option<TermId> {
        let ExprKind::Name(name) = &base.kind else {
            return None;
        };
        let builtin = name.as_simple()?;
        if !self.means_builtin(name) {
            return None;
        }
        let axis = Axis::ALL.into_iter().find(|axis| axis.name() == field)?;
        self.builtin_axis(builtin, axis)
    }

    /// All of `threadIdx` and its kin: `const uint3 t = threadIdx;`.
    pub(super) fn builtin(&mut self, name: &str) -> Option<Value> {
        let fields = Axis::ALL.into_iter().map(|axis| {
            let term = self.builtin_axis(name, axis)?;
            Some((axis.name().to_owned(), Value::Term(term)))
        });
        Some(Value::Struct(Rc::new(fields.collect::<Option<_>>()?)))
    }

    pub(super) fn builtin_axis(&mut self, builtin: &str, axis: Axis) -> Option<TermId> {
        match builtin {
            "threadIdx" | "blockIdx" => {
                let dimension = if builtin == "threadIdx" {
                    axis as usize
                } else {
                    3 + axis as usize
                };
                if self.facts.terms.as_const(self.dimensions[dimension]) == Some(1) {
                    return Some(self.facts.terms.constant(0, CType::U32));
                }
                let op = if builtin == "threadIdx" {
                    axis.tid()
                } else {
                    axis.bid()
                };
                Some(self.facts.terms.builtin(op))
            }
            "blockDim" => Some(self.dimensions[axis as usize]),
            "gridDim" => Some(self.dimensions[3 + axis as usize]),
            _ => None,
        }
    }
}
