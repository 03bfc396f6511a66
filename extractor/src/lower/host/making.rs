//! Objects that are made and destroyed where no constructor is followed: by `new`, by the library, as bases and members, by
//! conversions, in arrays. Their constructors are run by themselves, with arguments of which nothing is known; initialisers of
//! members in the class run any number of times, where the object is made.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::call::Operand;
use super::effects::may_change;
use super::inherit::{class_of, is_of, last};
use super::unknown::Unknown;
use super::value::*;
use super::{Host, MAX_DEPTH, bottom, runs_on_host};
use crate::lower::types::Ty;
use crate::lower::unit::enclosing;
use crate::lower::walk;
use crate::syntax::ast::*;

/// What making an object of a class may run, and its end.
#[derive(Default)]
pub(super) struct Making<'u> {
    own: Vec<&'u Function>,
    /// Constructors of bases and members that no constructor of the class calls itself.
    of_parts: Vec<&'u Function>,
    /// Initialisers of members that do something.
    initialisers: Vec<(&'u Struct, &'u VarDecl)>,
    /// Destructors that do something, of the class and its parts.
    destructors: Vec<&'u Function>,
}

impl<'u> Host<'_, 'u> {
    fn making(&mut self, class: &str) -> Rc<Making<'u>> {
        let class = last(class);
        if let Some(known) = self.making.get(class) {
            return Rc::clone(known);
        }
        // Against classes that hold themselves.
        self.making.insert(class.to_owned(), Rc::default());
        let making = Rc::new(self.found_making(class));
        self.making.insert(class.to_owned(), Rc::clone(&making));
        making
    }

    fn found_making(&mut self, class: &str) -> Making<'u> {
        let host_functions = |functions: &[&'u Function]| -> Vec<&'u Function> {
            let of_class = functions.iter().filter(|one| is_of(one, class));
            of_class.copied().filter(|one| runs_on_host(one)).collect()
        };
        let own = host_functions(self.index.functions(class));
        let destructors = host_functions(self.index.functions(&format!("~{class}")));
        let mut making = Making {
            destructors: destructors
                .into_iter()
                .filter(|one| self.does_something(one))
                .collect(),
            ..Making::default()
        };
        for record in self.hierarchy.records(class).to_vec() {
            let mut parts: BTreeSet<&'u str> = BTreeSet::new();
            for base in &record.bases {
                parts.extend(self.hierarchy.classes_in(base).iter());
            }
            for field in &record.fields {
                if does_something(&field.init, &|name| !self.index.functions(name).is_empty()) {
                    making.initialisers.push((record, field));
                }
                let of_field = self.hierarchy.classes_in(&field.ty);
                if !is_initialised(&own, &field.name) {
                    parts.extend(of_field.iter());
                }
            }
            for part in parts.into_iter().filter(|part| *part != class) {
                let inner = self.making(part);
                making.destructors.extend(&inner.destructors);
                making.initialisers.extend(&inner.initialisers);
                if !is_initialised(&own, part) {
                    making.of_parts.extend(&inner.own);
                    making.of_parts.extend(&inner.of_parts);
                }
            }
        }
        making.own = own;
        // Classes that share their parts name these once for each way to them.
        once(&mut making.of_parts, |one| one.range);
        once(&mut making.destructors, |one| one.range);
        once(&mut making.initialisers, |(_, field)| field.range);
        making
    }

    /// Whether a destructor does something that can be seen: it has no body of which that can be told, or one that does.
    fn does_something(&self, destructor: &Function) -> bool {
        match &destructor.body {
            Some(body) => !body.stmts.is_empty(),
            None => {
                let text = self.text_of(destructor.range);
                let end = text.trim_end_matches(';').trim_end();
                !(end.ends_with("default") || end.ends_with("delete"))
            }
        }
    }

    /// An object is made in a way that is not followed.
    pub(super) fn made_somehow(&mut self, class: &str) {
        let making = self.making(class);
        for constructor in &making.own {
            self.wants(constructor);
        }
        self.parts_made(class);
    }

    /// An object is made: its bases and members are, apart from what its constructor says of them.
    pub(super) fn parts_made(&mut self, class: &str) {
        let making = self.making(class);
        for constructor in &making.of_parts {
            self.wants(constructor);
        }
        for (record, field) in &making.initialisers {
            self.initialiser_runs(record, field);
        }
    }

    /// Objects of the classes that a type names are made: what it is, what it holds.
    pub(super) fn made_by(&mut self, ty: &Type) {
        let ty = self.substituted(ty);
        for class in self.hierarchy.classes_in(&ty).iter() {
            self.made_somehow(class);
        }
        let is_open = match &ty.kind {
            TypeKind::Scalar(_) | TypeKind::Pointer(_) | TypeKind::Array(..) => false,
            TypeKind::Named(name) => {
                self.is_parameter(&name.base)
                    || name
                        .qualifier
                        .iter()
                        .any(|one| self.is_parameter(&one.name))
            }
            // `decltype(o)`
            _ => true,
        };
        if is_open {
            self.any_made();
        }
    }

    /// An object of any class is made.
    fn any_made(&mut self) {
        let index = self.index;
        let all = match &self.all_making {
            Some(all) => Rc::clone(all),
            None => {
                let mut all = Vec::new();
                for record in &index.unit.structs {
                    let making = self.making(&record.name);
                    all.extend(&making.initialisers);
                }
                once(&mut all, |(_, field)| field.range);
                let all = Rc::new(all);
                self.all_making = Some(Rc::clone(&all));
                all
            }
        };
        for record in &index.unit.structs {
            let making = self.making(&record.name);
            for constructor in making.own.iter().chain(&making.of_parts) {
                self.wants(constructor);
            }
        }
        for (record, field) in all.iter() {
            self.initialiser_runs(record, field);
        }
    }

    /// An object is made of something, unless that is copied: a constructor takes it.
    pub(super) fn made_of_other(&mut self, ty: &Ty, (value, place): &Operand<'u>) {
        let Some(class) = class_of(ty) else { return };
        let is_copied = match value {
            Value::Initial(..) => true,
            // `{a, n}`
            Value::Tree(parts, None) => !parts
                .iter()
                .any(|(path, _)| matches!(path.first(), Some(Step::At(_)))),
            Value::Tree(..) => true,
            _ => place.as_ref().is_some_and(|(_, from)| from == ty),
        };
        if !is_copied {
            self.made_somehow(&class);
        }
    }

    /// The same of arguments of a function that is not followed.
    pub(super) fn parameters_made(&mut self, function: &'u Function, operands: &[Operand<'u>]) {
        for (param, operand) in function.params.iter().zip(operands) {
            let ty = match &param.ty.kind {
                TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to,
                _ => &param.ty,
            };
            if !self.hierarchy.classes_in(ty).is_empty() {
                let ty = self.resolve(ty);
                self.made_of_other(&ty, operand);
            }
        }
    }

    /// The same of the arguments of a template of the library: `std::make_unique<T>(a)`.
    pub(super) fn made_by_arguments(&mut self, name: &Name) {
        if name.args.is_some() && self.index.functions(&name.base).is_empty() {
            self.made_by(&Type::new(TypeKind::Named(name.clone()), name.range));
        }
    }

    /// A class is an argument of a template, which may make objects of it with anything, at any time.
    pub(super) fn held_by_library(&mut self, class: &str) {
        if self.hierarchy.records(class).is_empty() {
            return;
        }
        let making = self.making(class);
        for constructor in making.own.iter().chain(&making.of_parts) {
            self.wants(constructor);
        }
        for (_, field) in &making.initialisers {
            self.reaches(field.range);
        }
    }

    /// An initialiser of a member runs any number of times.
    fn initialiser_runs(&mut self, record: &'u Struct, field: &'u VarDecl) {
        if self.state.is_none() {
            return;
        }
        // It may make an object of its own class.
        let is_running = self
            .frames
            .iter()
            .any(|frame| frame.function == field.range);
        if is_running {
            return;
        }
        if self.frames.len() >= MAX_DEPTH {
            self.reaches(field.range);
            self.havoc_reached(&[self.anywhere()]);
            return;
        }
        let this = self.some_object(&record.name);
        let mut frame = bottom();
        frame.function = field.range;
        frame.this = Some(this);
        frame.owner = Some(record.name.clone());
        frame.types.path = enclosing(&record.name).to_owned();
        self.frames.push(frame);
        self.repeated(&mut |me| {
            me.some_time();
            match &field.init {
                Init::None => {}
                Init::Expr(expr) | Init::List(expr) => {
                    let value = me.eval(expr);
                    me.lost(&value);
                }
                Init::Call(args) => {
                    for (value, _) in me.operands(args) {
                        me.lost(&value);
                    }
                }
            }
        });
        self.frames.pop();
    }

    /// What code that is not followed may do with an object: what its members lead to may change.
    pub(super) fn object_given(&mut self, place: &Place) {
        let Some(state) = self.state.clone() else {
            return;
        };
        let mut roots = BTreeSet::new();
        for (path, value) in state.entries(place.root) {
            if paths(path, &place.path) != Relation::Distinct {
                roots.extend(self.roots_of(&value.clone()));
            }
        }
        // What is in it somewhere, where its members are not told apart.
        let version = self.version_of(&state, place.root);
        roots.extend(self.objects.sources_of(version));
        let leads = self.reached(roots.clone(), true);
        let to_variable = leads.iter().any(|root| {
            let object = self.objects.get(*root);
            let is_variable = matches!(object.kind, super::Kind::Variable | super::Kind::Anything);
            is_variable && !object.on_device && !object.is_const && *root != place.root
        });
        if to_variable {
            self.havoc_reached(&[Value::Unknown(Rc::new(roots))]);
        }
    }

    /// The variables of a scope end.
    pub(super) fn destroyed(&mut self, scope: &BTreeMap<&'u str, Root>) {
        if self.state.is_none() {
            return;
        }
        for root in scope.values() {
            if self.references.contains_key(root) {
                continue;
            }
            let mut classes: BTreeSet<String> = BTreeSet::new();
            classes.extend(class_of(&self.objects.get(*root).ty));
            if let Some(written) = self.written.get(root).cloned() {
                let named = self.hierarchy.classes_in(&written);
                classes.extend(named.iter().map(|class| (*class).to_owned()));
            }
            let mut ends = false;
            for class in &classes {
                let making = self.making(class);
                ends |= !making.destructors.is_empty();
                for destructor in &making.destructors {
                    self.wants(destructor);
                }
            }
            if ends {
                self.object_given(&Place::of(*root));
                if classes.iter().any(|class| self.ends_beyond(class)) {
                    self.unknown_function("destructor", Unknown::Member, Vec::new());
                }
            }
        }
    }

    /// Whether the end of an object names variables of the program, or calls functions of the unit: it may change what conditions on
    /// the way here were about.
    fn ends_beyond(&mut self, class: &str) -> bool {
        let making = self.making(class);
        let unit = self.index.unit;
        making.destructors.iter().any(|destructor| {
            let Some(body) = &destructor.body else {
                return true;
            };
            let text = self.text.get(body.range.bytes()).unwrap_or("");
            let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            words.any(|word| {
                unit.globals.iter().any(|global| last(&global.name) == word)
                    || !self.index.functions(word).is_empty()
            })
        })
    }

    /// The scopes of the running function are left at once, as far as is known all of them.
    pub(super) fn scopes_left(&mut self) {
        for scope in self.frame().scopes.clone() {
            self.destroyed(&scope);
        }
    }

    /// `new (place) T[n](args)`: a new object, which may hold what it is given.
    pub(super) fn made_new(
        &mut self,
        ty: &'u Type,
        operands: &'u [Expr],
        range: Range,
    ) -> Value<'u> {
        let values = self.operands(operands).into_iter().map(|(value, _)| value);
        let values: Vec<Value<'u>> = values.collect();
        for value in &values {
            self.lost(value);
        }
        // A constructor may put what it is given in several members.
        let class = class_of(&self.resolve(ty));
        let is_made = class.is_some_and(|class| {
            let functions = self.index.functions(last(&class)).iter();
            functions
                .into_iter()
                .any(|function| is_of(function, &class))
        });
        let is_copied = is_made || self.pass_one_twice(&values, None);
        self.made_by(ty);
        self.made_on_heap(range);
        let name = self.text_of(range);
        let held = self.given_to_new(range);
        let made = self.new_memory(&name, held.clone());
        if let Value::Pointer(Pointer::At(place, _), _) = &made
            && !held.is_empty()
        {
            match is_copied {
                true => self.havoc_copied(place, held),
                false => self.havoc(place, held),
            }
        }
        made
    }

    /// `delete p`: the destructor of a class that a pointer may lead to runs.
    pub(super) fn deleted(&mut self, pointer: &'u Expr) -> Value<'u> {
        let pointer = self.eval(pointer);
        let unit = self.index.unit;
        let mut ends = false;
        for function in &unit.functions {
            if function.name.starts_with('~') && self.does_something(function) {
                self.wants(function);
                ends = true;
            }
        }
        if ends {
            self.havoc_reached(&[pointer]);
        }
        Value::unknown()
    }
}

/// Whether all constructors say how a base or a member is made.
fn is_initialised(constructors: &[&Function], part: &str) -> bool {
    !constructors.is_empty()
        && constructors.iter().all(|one| {
            let mut stmts = one.body.iter().flat_map(|body| &body.stmts);
            stmts.any(|stmt| {
                matches!(&stmt.kind, StmtKind::MemberInit { member, .. } if member.base == part)
            })
        })
}

/// Whether an initialiser does more than to name values.
fn does_something(init: &Init, is_function: &dyn Fn(&str) -> bool) -> bool {
    let mut found = false;
    walk::in_init(init, &mut |expr| {
        found |= match &expr.kind {
            ExprKind::Name(name) => is_function(&name.base),
            ExprKind::Construct { .. } => true,
            kind => may_change(kind),
        };
    });
    found
}

/// Leaves out what stands in a list a second time.
fn once<T>(list: &mut Vec<T>, place: impl Fn(&T) -> Range) {
    let mut seen = FxHashSet::default();
    list.retain(|one| seen.insert(place(one)));
}
