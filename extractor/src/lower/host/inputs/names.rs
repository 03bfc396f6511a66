//! Whether a name of a call or a type is that of a library, or of something that the program declares.
//!
//! **Contract.** A name is a library's only if it is written with its namespace, or without one where nothing of the program may be
//! meant: no variable, parameter, function, type or using declaration of that name, in the function or around it.

use std::collections::BTreeSet;

use crate::lower::unit::{UnitIndex, enclosing, last_component};
use crate::lower::walk;
use crate::syntax::ast::*;

/// Namespaces whose functions are known.
const LIBRARIES: [&str; 3] = ["std", "thrust", "cub"];

/// Namespaces that bring in no function of the names that are asked for here.
const HARMLESS: [&str; 6] = [
    "std",
    "thrust",
    "cub",
    "cooperative_groups",
    "nvcuda",
    "cuda",
];

/// The names that a function declares or that are declared around it, as far as they may hide others.
#[derive(Debug, Default)]
pub(super) struct Names<'u> {
    /// Variables, parameters, template parameters, types, enumerators and functions of the function itself.
    pub own: BTreeSet<&'u str>,
    /// The function is a member of a class.
    pub is_member: bool,
    /// A namespace that is not known is open.
    open: bool,
    /// The namespaces of libraries that are open.
    opened: BTreeSet<&'u str>,
    /// The functions and types of libraries that using declarations name.
    used: BTreeSet<&'u str>,
    /// The namespace in which the function is.
    pub scope: &'u str,
}

impl<'u> Names<'u> {
    pub(super) fn of(index: &UnitIndex<'u>, function: &'u Function) -> Self {
        let mut names = Self {
            is_member: function.owner.is_some(),
            scope: enclosing(&function.qualified),
            ..Self::default()
        };
        for using in &index.unit.usings {
            names.using(using);
        }
        let params = function.params.iter();
        names
            .own
            .extend(params.filter_map(|param| param.name.as_deref()));
        let template = function.template.iter().flatten();
        names
            .own
            .extend(template.filter_map(|param| param.name.as_deref()));
        let stmts = function.body.iter().flat_map(|body| &body.stmts);
        for stmt in stmts {
            walk::each_stmt(stmt, &mut |inner| names.declared(inner));
        }
        names
    }

    fn declared(&mut self, stmt: &'u Stmt) {
        match &stmt.kind {
            StmtKind::Decl(all) => self.own.extend(all.iter().map(|one| one.name.as_str())),
            StmtKind::Binding { names, .. } => {
                self.own.extend(names.iter().map(|(name, _)| name.as_str()));
            }
            StmtKind::RangeFor { var, .. } => {
                self.own.insert(&var.name);
            }
            StmtKind::Enum(one) => self.enumerators(one),
            StmtKind::Struct(one) => {
                self.own.insert(last_component(&one.name));
            }
            StmtKind::Typedef(one) => {
                self.own.insert(last_component(&one.name));
            }
            StmtKind::Prototype(one) => {
                self.own.insert(&one.name);
            }
            StmtKind::Using(one) => self.using(one),
            _ => {}
        }
    }

    fn enumerators(&mut self, one: &'u Enum) {
        let values = one.values.iter();
        self.own.extend(values.map(|value| value.name.as_str()));
    }

    fn using(&mut self, using: &'u Using) {
        let target = using.target.trim_start_matches("::");
        let first = target.split("::").next().unwrap_or(target).trim();
        if let Some(alias) = &using.alias {
            self.own.insert(alias);
        } else if using.namespace {
            match LIBRARIES.iter().find(|one| **one == target) {
                Some(library) => {
                    self.opened.insert(library);
                }
                None => self.open |= !HARMLESS.contains(&first),
            }
        } else if LIBRARIES.contains(&first) {
            self.used.insert(last_component(target));
        } else {
            self.own.insert(last_component(target));
        }
    }

    /// Whether something of the program may be meant by a simple name.
    pub(super) fn hides(&self, index: &UnitIndex<'u>, name: &str) -> bool {
        let of_library =
            |function: &&&Function| LIBRARIES.contains(&first_component(&function.qualified));
        self.own.contains(name)
            || index.declares_value(name)
            || index.declares_class(name)
            || index.only_typedef(name).is_some()
            || index
                .functions(name)
                .iter()
                .filter(|one| self.is_member || one.owner.is_none())
                .any(|one| !of_library(&one))
            || index.unit.unparsed_names.contains(name)
    }

    /// Whether a simple name that functions of the program have may mean something else, too.
    pub(super) fn may_be_other(&self, index: &UnitIndex<'u>, name: &str) -> bool {
        self.open
            || self.own.contains(name)
            || self.used.contains(name)
            || index.declares_value(name)
            || index.declares_class(name)
            || index.only_typedef(name).is_some()
            || index.unit.unparsed_names.contains(name)
    }

    /// Whether names of a library are seen without its namespace.
    pub(super) fn opens_library(&self) -> bool {
        !self.opened.is_empty()
    }

    /// Whether a name is written with the namespace of a library.
    pub(super) fn is_qualified(&self, name: &Name) -> bool {
        let first = name.qualifier.first().map(|one| one.name.as_str());
        first.is_some_and(|first| LIBRARIES.contains(&first) && !self.own.contains(first))
    }

    /// Whether a name is that of a function of C, of the runtime, or one that every compiler of CUDA knows: such may be written
    /// without a namespace.
    pub(super) fn is_global(&self, index: &UnitIndex<'u>, name: &Name) -> bool {
        match name.qualifier.is_empty() {
            true => !self.hides(index, &name.base),
            false => self.is_qualified(name),
        }
    }

    /// Whether a function of a library may be one of thrust.
    pub(super) fn may_be_of_thrust(&self, name: &Name) -> bool {
        match name.qualifier.first() {
            Some(first) => first.name == "thrust",
            None => self.opened.contains("thrust") || self.used.contains(name.base.as_str()),
        }
    }

    /// Whether a name is that of a function or class of a C++ library.
    pub(super) fn is_library(&self, index: &UnitIndex<'u>, name: &Name) -> bool {
        if !name.qualifier.is_empty() {
            return self.is_qualified(name);
        }
        let seen = !self.opened.is_empty() || self.used.contains(name.base.as_str());
        seen && !self.open && !self.hides(index, &name.base)
    }
}

fn first_component(name: &str) -> &str {
    name.split("::").next().unwrap_or(name)
}
