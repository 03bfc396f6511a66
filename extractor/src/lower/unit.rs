//! The names of a unit: functions, types, constants, globals, looked up as C++ does for the
//! subset that is modelled.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::types::{self, Extent, StructTy, Ty};
use crate::syntax::ast::*;

/// Template arguments in force while a function is lowered.
#[derive(Clone, Debug, Default)]
pub(crate) struct TypeScope {
    pub types: BTreeMap<String, Ty>,
}

/// An index of a parsed unit.
pub(crate) struct UnitIndex<'u> {
    pub unit: &'u Unit,
    functions: FxHashMap<&'u str, Vec<&'u Function>>,
    typedefs: FxHashMap<&'u str, &'u Typedef>,
    structs: FxHashMap<&'u str, &'u Struct>,
    enums: FxHashMap<&'u str, &'u Enum>,
    enumerators: FxHashMap<&'u str, (&'u Enum, usize)>,
    globals: FxHashMap<&'u str, &'u VarDecl>,
    layouts: RefCell<FxHashMap<String, Option<Rc<StructTy>>>>,
}

fn last_component(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or(name)
}

impl<'u> UnitIndex<'u> {
    pub(crate) fn new(unit: &'u Unit) -> Self {
        let mut index = UnitIndex {
            unit,
            functions: FxHashMap::default(),
            typedefs: FxHashMap::default(),
            structs: FxHashMap::default(),
            enums: FxHashMap::default(),
            enumerators: FxHashMap::default(),
            globals: FxHashMap::default(),
            layouts: RefCell::default(),
        };
        for function in &unit.functions {
            index
                .functions
                .entry(function.name.as_str())
                .or_default()
                .push(function);
        }
        for typedef in &unit.typedefs {
            index
                .typedefs
                .insert(last_component(&typedef.name), typedef);
        }
        for record in &unit.structs {
            if record.defined {
                index.structs.insert(last_component(&record.name), record);
            }
        }
        for enumeration in &unit.enums {
            index
                .enums
                .insert(last_component(&enumeration.name), enumeration);
            for (position, enumerator) in enumeration.values.iter().enumerate() {
                index
                    .enumerators
                    .insert(enumerator.name.as_str(), (enumeration, position));
            }
        }
        for global in &unit.globals {
            index.globals.insert(last_component(&global.name), global);
        }
        index
    }

    /// Functions of this name, definitions and prototypes.
    pub(crate) fn functions(&self, name: &str) -> &[&'u Function] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn global(&self, name: &str) -> Option<&'u VarDecl> {
        self.globals.get(name).copied()
    }

    pub(crate) fn enumerator(&self, name: &str) -> Option<(&'u Enum, usize)> {
        self.enumerators.get(name).copied()
    }

    /// The resolved form of a type; `extent` evaluates array extents.
    pub(crate) fn resolve(
        &self,
        ty: &Type,
        scope: &TypeScope,
        extent: &mut dyn FnMut(&Expr) -> Extent,
    ) -> Ty {
        self.resolve_deep(ty, scope, extent, 0)
    }

    fn resolve_deep(
        &self,
        ty: &Type,
        scope: &TypeScope,
        extent: &mut dyn FnMut(&Expr) -> Extent,
        depth: u32,
    ) -> Ty {
        if depth > 64 {
            return Ty::Opaque {
                name: "recursive type".to_owned(),
                bytes: None,
            };
        }
        match &ty.kind {
            TypeKind::Scalar(scalar) => types::scalar(*scalar),
            TypeKind::Pointer(to) => self.resolve_deep(to, scope, extent, depth + 1).pointer_to(),
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                self.resolve_deep(to, scope, extent, depth + 1)
            }
            TypeKind::Array(of, size) => {
                let count = size.as_ref().map_or(Extent::Unknown, |size| extent(size));
                Ty::Array(
                    Rc::new(self.resolve_deep(of, scope, extent, depth + 1)),
                    count,
                )
            }
            TypeKind::Named(name) => self.named(name, scope, extent, depth + 1),
            TypeKind::Auto => Ty::Opaque {
                name: "auto".to_owned(),
                bytes: None,
            },
            TypeKind::Function { .. } => Ty::Opaque {
                name: "function".to_owned(),
                bytes: Some(8),
            },
            TypeKind::Decltype(_) => Ty::Opaque {
                name: "decltype".to_owned(),
                bytes: None,
            },
            TypeKind::Unsupported(problem) => Ty::Opaque {
                name: problem.what.clone(),
                bytes: None,
            },
        }
    }

    fn named(
        &self,
        name: &Name,
        scope: &TypeScope,
        extent: &mut dyn FnMut(&Expr) -> Extent,
        depth: u32,
    ) -> Ty {
        let base = name.base.as_str();
        if let Some(ty) = scope.types.get(base) {
            return ty.clone();
        }
        if name.args.is_none() {
            if let Some(typedef) = self.typedefs.get(base)
                && typedef.template.is_empty()
            {
                return self.resolve_deep(&typedef.ty, scope, extent, depth);
            }
            if let Some(enumeration) = self.enums.get(base) {
                return match &enumeration.underlying {
                    Some(ty) => self.resolve_deep(ty, scope, extent, depth),
                    None => Ty::INT,
                };
            }
            if let Some(record) = self.structs.get(base) {
                return match self.layout(record, scope, extent, depth) {
                    // The members of a union share their bytes: not a set of separate values.
                    Some(layout) if record.kind == StructKind::Union => Ty::Opaque {
                        name: base.to_owned(),
                        bytes: Some(layout.bytes),
                    },
                    Some(layout) => Ty::Struct(layout),
                    None => Ty::Opaque {
                        name: base.to_owned(),
                        bytes: None,
                    },
                };
            }
            if let Some(ty) = types::vector(base) {
                return ty;
            }
        }
        let own = self.structs.contains_key(base) || self.typedefs.contains_key(base);
        let opaque = || Ty::Opaque {
            name: name.path(),
            bytes: None,
        };
        if own {
            return opaque();
        }
        let library = super::library::types::class_template(name, &mut |position| {
            let arg = name.args.as_ref()?.get(position)?;
            Some(super::library::argument(arg, &mut |ty| {
                self.resolve_deep(ty, scope, extent, depth)
            }))
        });
        library.unwrap_or_else(opaque)
    }

    fn layout(
        &self,
        record: &'u Struct,
        scope: &TypeScope,
        extent: &mut dyn FnMut(&Expr) -> Extent,
        depth: u32,
    ) -> Option<Rc<StructTy>> {
        let name = record.name.as_str();
        if let Some(known) = self.layouts.borrow().get(name) {
            return known.clone();
        }
        // Guards against a struct that contains itself.
        self.layouts.borrow_mut().insert(name.to_owned(), None);
        let plain =
            record.opaque_layout.is_none() && record.bases.is_empty() && record.template.is_empty();
        let layout = plain
            .then(|| {
                let fields = record
                    .fields
                    .iter()
                    .map(|field| {
                        (
                            field.name.clone(),
                            self.resolve_deep(&field.ty, scope, extent, depth),
                        )
                    })
                    .collect();
                types::layout(name, fields, record.kind == StructKind::Union)
            })
            .flatten()
            .map(Rc::new);
        self.layouts
            .borrow_mut()
            .insert(name.to_owned(), layout.clone());
        layout
    }
}
