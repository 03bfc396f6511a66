//! Objects that are made of variables: whether they may refer to them, or write to them while they are made.
//!
//! In `lib::holder h{n};` the class decides whether it gets the value of `n` or a reference to it. A variable that may be
//! referred to is watched: nothing is known of it any more. Arguments of constructors that are run are not meant.

use super::value::*;
use super::{Host, unknown};
use crate::lower::types::{self, Ty};
use crate::lower::unit::TypeEntry;
use crate::syntax::ast::*;

/// Most classes within each other that are looked into.
const MAX_DEPTH: u32 = 6;

/// How an object gets what it is made of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Made {
    /// By a constructor which is run, or treated as a call of something that is not known.
    Directly,
    /// By a conversion, or as a part of something else.
    Converted,
}

impl<'u> Host<'_, 'u> {
    /// Variables in the initialiser of an object that may refer to them.
    pub(super) fn bound_by_init(&mut self, declared: &Type, init: &'u Init) {
        let (items, made, braced): (&'u [Expr], Made, bool) = match init {
            Init::None => return,
            Init::Call(args) => (args, Made::Directly, false),
            Init::Expr(expr) => (std::slice::from_ref(expr), Made::Converted, true),
            Init::List(expr) => match &expr.kind {
                ExprKind::InitList(items) => (items, Made::Directly, true),
                _ => (std::slice::from_ref(expr), Made::Converted, true),
            },
        };
        self.bound_by_items(declared, items, made, braced);
    }

    /// The same of an object that a reference is bound to.
    pub(super) fn bound_by_temporary(&mut self, to: &Type, init: &'u Init) {
        if let Init::Expr(expr) | Init::List(expr) = init {
            self.bound_by_items(to, std::slice::from_ref(expr), Made::Converted, true);
        }
    }

    /// The same of the arguments of an object that an expression makes.
    pub(super) fn bound_by_items(
        &mut self,
        written: &Type,
        items: &'u [Expr],
        made: Made,
        braced: bool,
    ) {
        // `vector<S> v(n)`: the first is a number of elements.
        let counted = !braced && is_sequence(written);
        let items = if counted {
            items.get(1..).unwrap_or_default()
        } else {
            items
        };
        if items.iter().all(is_literal) {
            return;
        }
        let written = self.substituted(written);
        if self.may_bind(&written, made) {
            items.iter().for_each(|item| self.bind(item));
        } else if made == Made::Directly && self.may_bind(&written, Made::Converted) {
            // `S l{{n}}`: what stands in further braces is converted.
            let nested = |item: &&'u Expr| matches!(item.kind, ExprKind::InitList(_));
            items.iter().filter(nested).for_each(|item| self.bind(item));
        }
    }

    /// Whether an object of a type may refer to a variable that it is made of, or write to it.
    pub(super) fn may_bind(&mut self, ty: &Type, made: Made) -> bool {
        self.type_binds(ty, made, 0)
    }

    fn type_binds(&mut self, ty: &Type, made: Made, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return true;
        }
        match &ty.kind {
            TypeKind::Array(of, _) => self.type_binds(of, Made::Converted, depth + 1),
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                self.type_binds(to, Made::Converted, depth + 1)
            }
            TypeKind::Named(name) => {
                let scope = self.frame().types.path.clone();
                let entries = self.index.types_at(&name.lookup_path(), &scope, name.range);
                let mut known = false;
                for entry in entries {
                    match entry {
                        TypeEntry::Typedef(typedef) => {
                            if self.type_binds(&typedef.ty, made, depth + 1) {
                                return true;
                            }
                            known = true;
                        }
                        TypeEntry::Enum(_) => known = true,
                        TypeEntry::Class(..) => {}
                    }
                }
                let records = self.records(&name.base);
                for record in &records {
                    if self.record_binds(record, made, depth) {
                        return true;
                    }
                }
                if !known && records.is_empty() {
                    match self.resolve(ty) {
                        Ty::Opaque { name: found, .. }
                            if found.rsplit("::").next() == Some(&name.base)
                                || found.is_empty() =>
                        {
                            let first = name.qualifier.first();
                            let first = first.map(|segment| segment.name.as_str());
                            if library_class(first, &name.base, ty) {
                                return true;
                            }
                        }
                        Ty::Opaque { name: found, .. } => {
                            let path: Vec<&str> = found.split("::").collect();
                            let base = path.last().copied().unwrap_or_default();
                            let first = path.first().copied().filter(|_| path.len() > 1);
                            let records = self.records(base);
                            if records.is_empty() {
                                return library_class(first, base, ty);
                            }
                            return records
                                .iter()
                                .any(|record| self.record_binds(record, made, depth));
                        }
                        _ => return false,
                    }
                }
                !points(&name.base)
                    && name
                        .args
                        .iter()
                        .flatten()
                        .any(|arg| self.argument_binds(arg, depth))
            }
            TypeKind::Scalar(_) | TypeKind::Pointer(_) | TypeKind::Auto => false,
            TypeKind::Function { .. } | TypeKind::MemberPointer(_) => false,
            _ => false,
        }
    }

    /// `W<int &>`: members may be of the type.
    fn argument_binds(&mut self, arg: &TemplateArg, depth: u32) -> bool {
        match arg {
            TemplateArg::Type(ty) => match &ty.kind {
                TypeKind::Reference(to) => !to.is_const,
                TypeKind::RvalueReference(_) => true,
                _ => self.type_binds(ty, Made::Converted, depth + 1),
            },
            TemplateArg::Expr(_) => false,
            TemplateArg::Name(name) => {
                if self.named(name).is_some()
                    || self.frame().values.contains_key(name.base.as_str())
                {
                    return false;
                }
                let scope = self.frame().types.path.clone();
                for entry in self.index.types_at(&name.lookup_path(), &scope, name.range) {
                    if let TypeEntry::Typedef(typedef) = entry {
                        let refers = matches!(
                            typedef.ty.kind,
                            TypeKind::Reference(_) | TypeKind::RvalueReference(_)
                        );
                        if refers || self.type_binds(&typedef.ty, Made::Converted, depth + 1) {
                            return true;
                        }
                    }
                }
                let entries = self.index.types_at(&name.lookup_path(), &scope, name.range);
                let records = self.records(&name.base);
                let is_known =
                    !entries.is_empty() || !records.is_empty() || self.enumerator(name).is_some();
                let first = name.qualifier.first();
                let first = first.map(|segment| segment.name.as_str());
                let ty = Type::new(TypeKind::Named(name.clone()), name.range);
                let mut records = records.iter();
                records.any(|record| self.record_binds(record, Made::Converted, depth))
                    || name
                        .args
                        .iter()
                        .flatten()
                        .any(|arg| self.argument_binds(arg, depth + 1))
                    || (!is_known && library_class(first, &name.base, &ty))
            }
        }
    }

    /// The classes of a simple name: of the unit, and of the function that is running.
    fn records(&self, base: &str) -> Vec<&'u Struct> {
        let is_meant = |record: &&'u Struct| {
            record.defined && record.name.rsplit("::").next().unwrap_or_default() == base
        };
        let named = &self.index.named;
        let mut found: Vec<&'u Struct> = named.structs_called(base).to_vec();
        found.retain(is_meant);
        let here = self.frames.last().map(|frame| frame.function);
        let function = here.and_then(|here| named.function_at(here));
        let body = function.and_then(|function| function.body.as_ref());
        for stmt in body.iter().flat_map(|body| &body.stmts) {
            crate::lower::walk::each_stmt(stmt, &mut |stmt| {
                if let StmtKind::Struct(record) = &stmt.kind {
                    found.extend(Some(record).filter(is_meant));
                }
            });
        }
        found
    }

    /// Whether a class of the unit has this name.
    pub(super) fn is_class_name(&self, name: &Name) -> bool {
        !self.records(&name.base).is_empty()
    }

    fn record_binds(&mut self, record: &'u Struct, made: Made, depth: u32) -> bool {
        if depth > MAX_DEPTH {
            return true;
        }
        let class = record.name.rsplit("::").next().unwrap_or_default();
        let constructors: Vec<&'u Function> = self
            .index
            .functions(class)
            .iter()
            .copied()
            .filter(|function| function.owner.is_some())
            .collect();
        for constructor in &constructors {
            for param in &constructor.params {
                let (to, writes) = match &param.ty.kind {
                    TypeKind::Reference(to) => (&**to, !to.is_const),
                    // `T &&` takes variables as well.
                    TypeKind::RvalueReference(to) => (
                        &**to,
                        constructor.template.is_some() || !record.template.is_empty(),
                    ),
                    _ => (&param.ty, false),
                };
                let of_class = matches!(&to.kind, TypeKind::Named(name) if name.base == class);
                if of_class || is_parameter(to, record, constructor) && !writes {
                    continue;
                }
                if writes && made == Made::Converted
                    || self.type_binds(to, Made::Converted, depth + 1)
                {
                    return true;
                }
            }
        }
        let refers = |param: &TemplateParam| match &param.kind {
            TemplateParamKind::Type { default: Some(ty) } => !matches!(
                ty.kind,
                TypeKind::Scalar(_) | TypeKind::Pointer(_) | TypeKind::Named(_)
            ),
            _ => false,
        };
        if record.template.iter().any(refers) {
            return true;
        }
        let inherits = constructors.is_empty() || self.is_word_of(record.range, "using");
        if inherits {
            for base in &record.bases {
                if self.type_binds(base, Made::Converted, depth + 1) {
                    return true;
                }
            }
        }
        constructors.is_empty()
            && record.fields.iter().any(|field| match &field.ty.kind {
                TypeKind::Reference(to) => !to.is_const,
                TypeKind::RvalueReference(_) => true,
                TypeKind::Named(name) if is_parameter_of(name, &record.template) => false,
                _ => self.type_binds(&field.ty, Made::Converted, depth + 1),
            })
    }

    /// A variable, or what an expression may denote, is referred to from now on.
    pub(super) fn bind(&mut self, item: &'u Expr) {
        match &item.kind {
            ExprKind::InitList(items) => items.iter().for_each(|item| self.bind(item)),
            ExprKind::Conditional { then, els, .. } => {
                self.bind(then);
                self.bind(els);
            }
            ExprKind::Comma(_, last) => self.bind(last),
            ExprKind::Cast { ty, arg, .. }
                if matches!(
                    ty.kind,
                    TypeKind::Reference(_) | TypeKind::RvalueReference(_)
                ) =>
            {
                self.bind(arg);
            }
            ExprKind::Assign { lhs: arg, .. }
            | ExprKind::IncDec {
                arg, prefix: true, ..
            } => self.bind(arg),
            ExprKind::Call { callee, args } => self.bind_result(callee, args),
            ExprKind::Name(_)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => {
                // It has been evaluated.
                let before = self.state.clone();
                let found = self.place(item);
                self.state = before;
                match found {
                    Some((place, Ty::Scalar(_) | Ty::Pointer(_) | Ty::Struct(_))) => {
                        self.watch(place.root);
                    }
                    Some((place, Ty::Opaque { name, .. })) if name.is_empty() => {
                        self.watch(place.root);
                    }
                    Some(_) => {}
                    None => self.may_refer(item),
                }
            }
            _ => {}
        }
    }

    /// `s[n]`: an operator of the unit may take it by a reference.
    pub(super) fn bound_by_subscript(&mut self, index: &'u Expr) {
        let functions = self.index.functions("operator[]");
        let params = functions.iter().flat_map(|function| &function.params);
        for param in params {
            let writes = match &param.ty.kind {
                TypeKind::Reference(to) => !to.is_const,
                TypeKind::RvalueReference(_) => true,
                _ => false,
            };
            if writes || self.may_bind(&param.ty, Made::Converted) {
                self.bind(index);
                return;
            }
        }
    }

    /// `return n;` of a function that returns an object.
    pub(super) fn bound_by_return(&mut self, expr: &'u Expr) {
        if self.frame().refers.is_some() {
            return;
        }
        let here = self.frame().function;
        match self.index.named.function_at(here) {
            Some(function) if matches!(function.ret.kind, TypeKind::Named(_)) => {
                self.bound_by_conversion(&function.ret, expr);
            }
            Some(_) => {}
            // A lambda.
            None => {
                let ret = self.frame().ret.clone();
                if let Some(ret) = named_type(&ret, expr.range) {
                    self.bound_by_conversion(&ret, expr);
                }
            }
        }
    }

    /// `s = n;`: what is assigned may be an object made of it.
    pub(super) fn bound_by_assignment(&mut self, target: &(Place, Ty), expr: &'u Expr) {
        let (place, ty) = target;
        let written = self.written.get(&place.root).cloned();
        let written = written.filter(|_| place.path.is_empty());
        let to = written.or_else(|| named_type(ty, expr.range));
        if let Some(to) = to
            && !matches!(ty, Ty::Scalar(_) | Ty::Pointer(_))
        {
            self.bound_by_conversion(&to, expr);
        }
    }

    /// `new lib::holder(n)`: the class, by the text before what is given.
    pub(super) fn new_may_bind(&mut self, head: &str, range: Range) -> bool {
        const WORDS: &[&str] = &[
            "new", "int", "float", "double", "char", "unsigned", "signed", "long", "short", "bool",
            "const", "void", "typename", "struct", "class",
        ];
        // `new T[(n)]`
        if head.contains('[') && !head.contains(']') {
            return false;
        }
        let head = head.split('[').next().unwrap_or_default();
        let is_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let words = head.split(|c: char| !is_path(c));
        let paths: Vec<&str> = words
            .filter(|word| !word.is_empty() && !WORDS.contains(word))
            .filter(|word| !word.starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        head.contains('&')
            || paths.iter().any(|path| {
                let ty = self.substituted(&path_type(path, range));
                self.may_bind(&ty, Made::Directly)
            })
    }

    /// Something becomes an object of a class: a number or a pointer, or what stands in braces.
    fn bound_by_conversion(&mut self, to: &Type, expr: &'u Expr) {
        if !self.is_converted(expr) {
            return;
        }
        let to = self.substituted(to);
        if self.may_bind(&to, Made::Converted) {
            self.bind(expr);
        }
    }

    /// Whether an expression may be an lvalue that is no object of a class itself, or a list of such.
    fn is_converted(&mut self, expr: &'u Expr) -> bool {
        match &expr.kind {
            ExprKind::InitList(items) => !items.iter().all(is_literal),
            ExprKind::Name(_)
            | ExprKind::Member { .. }
            | ExprKind::Deref(_)
            | ExprKind::Index { .. } => {
                let before = self.state.clone();
                let found = self.place(expr);
                self.state = before;
                matches!(found, Some((_, Ty::Scalar(_) | Ty::Pointer(_))))
            }
            ExprKind::Conditional { .. }
            | ExprKind::Comma(..)
            | ExprKind::Assign { .. }
            | ExprKind::IncDec { prefix: true, .. } => true,
            _ => false,
        }
    }

    /// Arguments of a function of the unit whose parameters are of classes.
    pub(super) fn bound_by_call(&mut self, functions: &[&'u Function], args: &'u [Expr]) {
        for function in functions {
            let template = function.template.as_deref().unwrap_or_default();
            self.bound_by_params(&function.params, template, args);
        }
    }

    /// The same of any parameters.
    pub(super) fn bound_by_params(
        &mut self,
        params: &[Param],
        template: &[TemplateParam],
        args: &'u [Expr],
    ) {
        for (param, arg) in params.iter().zip(args) {
            let to = match &param.ty.kind {
                TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to,
                _ => &param.ty,
            };
            if let TypeKind::Named(name) = &to.kind
                && !is_parameter_of(name, template)
            {
                self.bound_by_conversion(to, arg);
            }
        }
    }

    /// `use({n})`: what a function that is not known makes of a list may refer to what stands there.
    pub(super) fn bound_by_lists(&mut self, args: &'u [Expr]) {
        for arg in args {
            if matches!(arg.kind, ExprKind::InitList(_)) {
                self.bind(arg);
            }
        }
    }

    /// `v.push_back({n})`: an element is made of it.
    pub(super) fn bound_by_member(&mut self, object: Option<&Place>, args: &'u [Expr]) {
        let written = object.and_then(|place| {
            place
                .path
                .is_empty()
                .then(|| self.written.get(&place.root).cloned())
                .flatten()
        });
        let Some(written) = written else { return };
        if !unknown::is_container(&written) {
            return;
        }
        for arg in args {
            self.bound_by_conversion(&written, arg);
        }
    }

    /// `S s{id(n)};`: a function of the unit may give a reference to what it got.
    fn bind_result(&mut self, callee: &'u Expr, args: &'u [Expr]) {
        let (name, object) = match &callee.kind {
            ExprKind::Name(name) => (name, None),
            ExprKind::Member { base, field, .. } => (field, Some(&**base)),
            _ => return,
        };
        let forwards = matches!(name.base.as_str(), "move" | "forward" | "ref");
        let functions = self.index.functions(&name.base).iter();
        let refers = |function: &&Function| matches!(&function.ret.kind, TypeKind::Reference(to) if !to.is_const);
        if forwards || functions.copied().any(|function| refers(&function)) {
            args.iter().for_each(|arg| self.bind(arg));
            if let Some(object) = object {
                self.bind(object);
            }
        }
    }
}

/// A class that is not of the unit, and may keep a reference to what it is made of.
fn library_class(first: Option<&str>, base: &str, ty: &Type) -> bool {
    if is_reference_class(base) {
        return true;
    }
    let is_api = unknown::is_api(base) || base.starts_with("__") || types::vector(base).is_some();
    let is_number = matches!(base, "half" | "nv_bfloat16" | "complex" | "dim3");
    !(is_api
        || is_number
        || unknown::is_container(ty)
        || matches!(first, Some("std" | "thrust" | "cub")))
}

/// Classes of the standard library that stand for references.
fn is_reference_class(base: &str) -> bool {
    base.ends_with("_ref") || matches!(base, "reference_wrapper" | "ref_view" | "reference")
}

/// Containers that take the number of their elements in parentheses.
fn is_sequence(ty: &Type) -> bool {
    let TypeKind::Named(name) = &ty.kind else {
        return false;
    };
    matches!(
        name.base.as_str(),
        "vector" | "device_vector" | "host_vector" | "deque" | "list" | "string"
    )
}

/// Classes whose arguments are not types of parts.
fn points(base: &str) -> bool {
    matches!(
        base,
        "unique_ptr" | "shared_ptr" | "weak_ptr" | "function" | "future"
    )
}

fn is_parameter_of(name: &Name, template: &[TemplateParam]) -> bool {
    name.qualifier.is_empty()
        && template
            .iter()
            .any(|param| param.name.as_deref() == Some(&name.base))
}

/// Whether a type is a parameter of the template of a class or of its constructor.
fn is_parameter(ty: &Type, record: &Struct, constructor: &Function) -> bool {
    let TypeKind::Named(name) = &ty.kind else {
        return false;
    };
    is_parameter_of(name, &record.template)
        || is_parameter_of(name, constructor.template.as_deref().unwrap_or_default())
}

fn is_literal(item: &Expr) -> bool {
    matches!(
        item.kind,
        ExprKind::Int { .. } | ExprKind::Float { .. } | ExprKind::Bool(_) | ExprKind::Str(_)
    )
}

/// A class as a program writes it.
fn named_type(ty: &Ty, range: Range) -> Option<Type> {
    match ty {
        Ty::Opaque { name, .. } if !name.is_empty() => Some(path_type(name, range)),
        Ty::Struct(class) => Some(path_type(&class.name, range)),
        _ => None,
    }
}

fn path_type(path: &str, range: Range) -> Type {
    let mut parts: Vec<&str> = path.split("::").filter(|part| !part.is_empty()).collect();
    let base = parts.pop().unwrap_or_default();
    let mut name = Name::simple(base, range);
    name.qualifier = parts
        .into_iter()
        .map(|part| Segment {
            name: part.to_owned(),
            args: None,
        })
        .collect();
    Type::new(TypeKind::Named(name), range)
}
