//! Declarations of host variables: what they hold at first, what refers to them.

use std::collections::BTreeSet;
use std::rc::Rc;

use warplog_facts::CType;

use super::Host;
use super::alias::Kind;
use super::eval::unknown_type;
use super::inherit::class_of;
use super::term::Term;
use super::value::*;
use crate::lower::types::{Extent, Ty};
use crate::lower::walk;
use crate::syntax::ast::*;

/// What a declared type refers to.
enum Referenced {
    /// A reference to this type.
    Type(Type),
    /// A reference or none, to something.
    Perhaps,
}

impl<'u> Host<'_, 'u> {
    pub(super) fn declare(&mut self, declaration: &'u VarDecl) {
        if let Some(to) = self.referenced(&declaration.ty, 0) {
            // `const S &s = n;`: an object that is made of it.
            if let Referenced::Type(to) = &to
                && !self.is_bound_itself(to, &declaration.init)
            {
                self.bound_by_temporary(to, &declaration.init);
            }
            let target = match &declaration.init {
                Init::Expr(expr) => self.place(expr).or_else(|| {
                    self.eval(expr);
                    self.may_refer(expr);
                    None
                }),
                _ => None,
            };
            let target = match (target, to) {
                // `const long &r = n;` of an `int` is bound to a copy.
                (Some((place, ty)), Referenced::Type(to)) => {
                    let to = self.resolve(&to);
                    let copies = matches!((&ty, &to), (Ty::Scalar(a), Ty::Scalar(b)) if a != b);
                    Some((place, ty)).filter(|_| !copies)
                }
                // `decltype(r)`: a reference, or a copy.
                (Some((place, _)), Referenced::Perhaps) => {
                    self.watch(place.root);
                    None
                }
                (None, _) => None,
            };
            let root = self.new_variable(&declaration.name, &declaration.ty, false);
            self.references.insert(root, target);
            return;
        }
        let keeps = declaration.storage.is_static && !declaration.ty.is_const;
        if let Some(&root) = self.statics.get(&declaration.range) {
            if let Some(scope) = self.frame_mut().scopes.last_mut() {
                scope.insert(&declaration.name, root);
            }
            return;
        }
        let mut ty = self.resolve(&declaration.ty);
        let value = match &declaration.init {
            Init::None => None,
            Init::Expr(expr) if self.index.has_conversions() && matches!(ty, Ty::Scalar(_)) => {
                let operand = self.operand(expr);
                Some(self.object_converted(&operand).unwrap_or(operand.0))
            }
            Init::Expr(expr) => {
                let operand = self.operand(expr);
                let of = match &operand.1 {
                    Some((_, from)) if matches!(declaration.ty.kind, TypeKind::Auto) => from,
                    _ => &ty,
                };
                self.converted_by_constructor(of, &operand);
                let is_made = self.makes_object(expr);
                match &operand.0 {
                    // `B d = 1;`: a constructor converts it.
                    Value::Scalar(_) | Value::Ratio(..) | Value::Pointer(..)
                        if self.has_constructors(&ty) =>
                    {
                        Some(self.initialised(&ty, vec![operand], &[]))
                    }
                    _ => {
                        let of = of.clone();
                        let written = match declaration.ty.kind {
                            TypeKind::Auto => self.written_type(expr),
                            _ => Some(declaration.ty.clone()),
                        };
                        match self.container_copied(&of, written.as_ref(), expr, &operand.0) {
                            Some(value) => Some(value),
                            None => Some(self.copied(&of, operand.0, is_made)),
                        }
                    }
                }
            }
            Init::List(Expr {
                kind: ExprKind::InitList(items),
                ..
            }) if self.has_constructors(&ty) && !self.takes_list(&ty) => {
                Some(self.construct(&declaration.ty, &ty, items))
            }
            Init::List(expr) => {
                let value = self.eval(expr);
                match class_of(&ty) {
                    Some(class) if matches!(ty, Ty::Array(..)) => self.made_somehow(&class),
                    Some(class) => self.parts_made(&class),
                    None => {}
                }
                let value = self.list_as(&ty, value);
                let is_made = self.makes_object(expr);
                Some(self.copied(&ty, value, is_made))
            }
            Init::Call(args) => Some(self.construct(&declaration.ty, &ty, args)),
        };
        self.bound_by_init(&declaration.ty, &declaration.init);
        let value = match value {
            Some(_) if names_itself(declaration) => Some(Value::unknown()),
            value => value,
        };
        if matches!(declaration.ty.kind, TypeKind::Auto)
            && let Some(value) = &value
        {
            ty = self.type_of(value);
        }
        // `T *t[] = {a, b};`
        if let (
            Ty::Array(element, Extent::Unknown),
            Init::List(Expr {
                kind: ExprKind::InitList(items),
                ..
            })
            | Init::Expr(Expr {
                kind: ExprKind::InitList(items),
                ..
            }),
        ) = (&ty, &declaration.init)
        {
            ty = Ty::Array(element.clone(), Extent::Constant(items.len() as u64));
        }
        let root = self.new_variable(
            &declaration.name,
            &declaration.ty,
            declaration.ty.is_const || declaration.storage.constexpr,
        );
        let object = self.objects.get_mut(root);
        object.ty = ty.clone();
        object.is_local = true;
        if keeps {
            // Of a template there is one for each instance.
            let frame = self.frame();
            let of_template = frame.owner.as_deref().is_some_and(|owner| {
                let records = self.hierarchy.records(owner);
                records.is_empty() || records.iter().any(|record| !record.template.is_empty())
            });
            if !of_template && frame.type_args.is_empty() && frame.values.is_empty() {
                self.statics.insert(declaration.range, root);
            }
            // It keeps what earlier calls left in it.
            let roots = match &value {
                Some(value) => self.roots_of(value),
                None => BTreeSet::new(),
            };
            if let Some(value) = &value {
                self.lost(value);
            }
            self.havoc(&Place::of(root), roots);
            return;
        }
        if self.held_by_object(declaration, &ty, value.as_ref()) {
            self.watch(root);
        }
        // `union { int i; float f; } u;`: a type of its own, which is not looked into.
        if self.is_word_of(declaration.ty.range, "union") {
            self.watch(root);
        }
        let is_dim3 = matches!(&ty, Ty::Struct(layout) if layout.name == "dim3");
        let value = match value {
            None if is_dim3 => Some(self.constructed(&ty, Vec::new())),
            // A pointer to functions that was not set yet means none: a program that calls what it is then has no meaning.
            None if is_of_functions(&declaration.ty) => Some(Value::Kernels(Rc::default())),
            Some(Value::Scalar(term)) if is_dim3 => {
                Some(self.constructed(&ty, vec![Value::Scalar(term)]))
            }
            Some(value @ Value::Tree(..)) => Some(self.list_as(&ty, value)),
            value => value,
        };
        let class = match &ty {
            Ty::Opaque { name, .. } if !name.is_empty() => Some(name.clone()),
            Ty::Struct(layout) if !is_dim3 => Some(layout.name.clone()),
            _ => None,
        };
        match (value, class) {
            // An object that is not followed is one object all the same: its copies hold what it holds.
            (Some(Value::Unknown(roots)), _)
                if roots.is_empty() && matches!(ty, Ty::Opaque { .. } | Ty::Struct(_)) =>
            {
                self.havoc(&Place::of(root), BTreeSet::new());
            }
            (Some(value), _) => self.write(&Place::of(root), &ty, value),
            (None, None) if matches!(ty, Ty::Array(..)) => {
                if let Some(class) = class_of(&ty) {
                    self.made_somehow(&class);
                }
            }
            (None, Some(class)) => self.default_constructed(&class, Place::of(root)),
            (None, None) => {}
        }
    }

    /// A reference is bound to something that is not followed: `int &r = c ? a : b;`, `int &r = s.size();`. Writes through
    /// it are not seen.
    pub(super) fn may_refer(&mut self, expr: &'u Expr) {
        // A call has run.
        if !matches!(expr.kind, ExprKind::Call { .. })
            && let Some((place, _)) = self.place(expr)
        {
            self.watch(place.root);
            return;
        }
        match &expr.kind {
            ExprKind::Conditional { then, els, .. } => {
                self.may_refer(then);
                self.may_refer(els);
            }
            ExprKind::Comma(_, last) => self.may_refer(last),
            ExprKind::Member { base, .. } | ExprKind::Index { base, .. } => self.may_refer(base),
            ExprKind::Cast { arg, .. } => self.may_refer(arg),
            ExprKind::Call { callee, args } => {
                let name = match &callee.kind {
                    ExprKind::Name(name) => name,
                    ExprKind::Member { base, field, .. } => {
                        if self.may_return_reference(field) {
                            self.may_refer(base);
                        }
                        field
                    }
                    _ => return,
                };
                if !self.may_return_reference(name) {
                    return;
                }
                args.iter().for_each(|arg| self.may_refer(arg));
            }
            _ => {}
        }
    }

    /// Whether one of the functions of a name may return a reference that can be written through.
    fn may_return_reference(&self, name: &Name) -> bool {
        let functions = self.index.functions(&name.base);
        functions.is_empty()
            || functions.iter().any(|function| match &function.ret.kind {
                TypeKind::Reference(to) => !to.is_const,
                TypeKind::Scalar(_) | TypeKind::Pointer(_) => false,
                _ => true,
            })
    }

    /// Whether a reference to a type is bound to what its initialiser denotes, and not to an object made of that.
    fn is_bound_itself(&mut self, to: &Type, init: &'u Init) -> bool {
        let Init::Expr(expr) = init else { return false };
        let before = self.state.clone();
        let found = match expr.kind {
            ExprKind::Name(_) | ExprKind::Member { .. } => self.place(expr),
            ExprKind::InitList(_) => return false,
            _ => return true,
        };
        self.state = before;
        let is_number = matches!(found, Some((_, Ty::Scalar(_) | Ty::Pointer(_))));
        !is_number || matches!(self.resolve(to), Ty::Scalar(_) | Ty::Pointer(_))
    }

    /// Variables that an object refers to, by a pointer or a reference: `Guard g{&n};`, `Guard g(n);`.
    fn held_by_object(
        &mut self,
        declaration: &'u VarDecl,
        ty: &Ty,
        value: Option<&Value<'u>>,
    ) -> bool {
        let items: &'u [Expr] = match &declaration.init {
            Init::None => &[],
            Init::Call(args) => args,
            Init::Expr(expr) | Init::List(expr) => match &expr.kind {
                ExprKind::InitList(items) => items,
                ExprKind::Construct { args, .. } => args,
                _ => std::slice::from_ref(expr),
            },
        };
        let mut held: Vec<Root> = Vec::new();
        let alias = match &declaration.ty.kind {
            TypeKind::Decltype(of) => !matches!(of.kind, ExprKind::Name(_)),
            _ => false,
        };
        let ty = element_of(ty);
        let refers = match ty {
            Ty::Struct(class) => self.has_references(&class.name),
            Ty::Opaque { name, .. } => self.has_references(name),
            _ => false,
        };
        if alias || refers {
            for item in items {
                if let Some((place, _)) = self.place(item) {
                    held.push(place.root);
                }
            }
        }
        // Structures of the runtime have no functions.
        let is_plain = matches!(ty, Ty::Struct(class) if class.name.ends_with("KernelNodeParams"));
        // What a closure does to what it captured is run where it is called; not what is done through a reference that it gives.
        let gives_value = |lambda: &Lambda| {
            let ret = |lambda: &Lambda| match lambda.ret.as_ref().map(|ret| &ret.kind) {
                None | Some(TypeKind::Scalar(_) | TypeKind::Pointer(_)) => true,
                Some(_) => false,
            };
            let mut all = ret(lambda);
            for stmt in &lambda.body.stmts {
                crate::lower::walk::each_expr(stmt, &mut |expr| {
                    if let ExprKind::Lambda(inner) = &expr.kind {
                        all &= ret(inner);
                    }
                });
            }
            all
        };
        let is_followed = matches!(declaration.ty.kind, TypeKind::Auto)
            && matches!(value, Some(Value::Closure(closure))
                if !closure.lambda.mutable && gives_value(closure.lambda));
        if matches!(ty, Ty::Struct(_) | Ty::Opaque { .. }) && !is_plain && !is_followed {
            let values: Vec<Value<'u>> = match (value, &declaration.init) {
                (_, Init::Call(_)) => items.iter().map(|item| self.eval(item)).collect(),
                (Some(value), _) => vec![value.clone()],
                (None, _) => Vec::new(),
            };
            for value in &values {
                held.extend(self.roots_of(value));
            }
        }
        for root in held {
            self.watch(root);
        }
        // They may refer to members of the object itself.
        refers
    }

    /// Whether a class of the unit has members that are references.
    pub(super) fn has_references(&self, class: &str) -> bool {
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let is_reference = |field: &VarDecl| {
            matches!(
                field.ty.kind,
                TypeKind::Reference(_) | TypeKind::RvalueReference(_)
            )
        };
        let wanted = last(class);
        let refers = |record: &Struct| {
            last(&record.name) == wanted && record.fields.iter().any(is_reference)
        };
        let named = &self.index.named;
        if named.structs_called(&wanted).iter().any(|one| refers(one)) {
            return true;
        }
        // One of the function's own.
        let here = self.frames.last().map(|frame| frame.function);
        let function = here.and_then(|here| named.function_at(here));
        let body = function.and_then(|function| function.body.as_ref());
        let mut found = false;
        for stmt in body.iter().flat_map(|body| &body.stmts) {
            crate::lower::walk::each_stmt(stmt, &mut |stmt| {
                found |= matches!(&stmt.kind, StmtKind::Struct(record) if refers(record));
            });
        }
        found
    }

    /// What a type refers to, if it is that of a reference: by its text, or by the type that a name stands for.
    fn referenced(&self, ty: &Type, depth: u32) -> Option<Referenced> {
        match &ty.kind {
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                Some(Referenced::Type(Type::clone(to)))
            }
            TypeKind::Decltype(_) => Some(Referenced::Perhaps),
            TypeKind::Named(name) if depth < 8 => {
                let scope = &self.frame().types.path;
                let entries = self.index.types_at(&name.lookup_path(), scope, name.range);
                let mut found = entries.iter().filter_map(|entry| match entry {
                    crate::lower::unit::TypeEntry::Typedef(typedef) => {
                        self.referenced(&typedef.ty, depth + 1)
                    }
                    _ => None,
                });
                // What it refers to may depend on arguments of a template.
                let found = found.next().map(|_| Referenced::Perhaps);
                let is_known = !entries.is_empty();
                found.or_else(|| {
                    let text = self.text_of(ty.range);
                    may_be_trait_of_reference(name, is_known, &text).then_some(Referenced::Perhaps)
                })
            }
            _ => None,
        }
    }

    /// The type that `auto` stands for.
    fn type_of(&mut self, value: &Value<'u>) -> Ty {
        match value {
            Value::Scalar(term) => Ty::Scalar(term.ty()),
            Value::Ratio(_, _, Precision::Single) => Ty::Scalar(CType::F32),
            Value::Ratio(_, _, Precision::Double) => Ty::Scalar(CType::F64),
            Value::Pointer(_, element) => element.clone().pointer_to(),
            Value::Tree(parts, _)
                if parts.iter().any(
                    |(path, _)| matches!(path.as_slice(), [Step::Field(name)] if name == "x"),
                ) =>
            {
                crate::lower::types::vector("dim3").unwrap_or_else(unknown_type)
            }
            _ => unknown_type(),
        }
    }

    /// `enum { N = 64 };` in a function: its names hide others as those of variables do.
    pub(super) fn declare_enumerators(&mut self, enumeration: &'u Enum) {
        if enumeration.scoped {
            return;
        }
        let underlying = enumeration.underlying.as_ref().map(|ty| self.resolve(ty));
        let mut next = Some(0);
        for enumerator in &enumeration.values {
            let value = match &enumerator.value {
                Some(written) => match self.eval(written) {
                    Value::Scalar(term) => term.as_constant(),
                    _ => None,
                },
                None => next,
            };
            next = value.map(|value| value + 1);
            // Beyond `int` the type depends on all the values.
            let ty = match (&underlying, value) {
                (Some(Ty::Scalar(ty)), _) => Some(*ty),
                (None, Some(value)) if !enumeration.wide && CType::I32.holds(value) => {
                    Some(CType::I32)
                }
                _ => None,
            };
            let resolved = ty.map_or_else(unknown_type, Ty::Scalar);
            let root = self
                .objects
                .object(Kind::Variable, &enumerator.name, resolved.clone());
            self.objects.get_mut(root).is_const = true;
            if let (Some(value), Some(ty)) = (value, ty) {
                let value = Value::Scalar(Term::Constant(ty.wrap(value), ty));
                self.write(&Place::of(root), &resolved, value);
            }
            if let Some(scope) = self.frame_mut().scopes.last_mut() {
                scope.insert(&enumerator.name, root);
            }
        }
    }

    /// A new variable in the innermost scope.
    pub(super) fn new_variable(&mut self, name: &'u str, ty: &Type, is_const: bool) -> Root {
        let resolved = match ty.kind {
            TypeKind::Auto => unknown_type(),
            _ => self.resolve(ty),
        };
        let root = self.objects.object(Kind::Variable, name, resolved);
        self.objects.get_mut(root).is_const = is_const;
        let written = self.substituted(ty);
        let written = self.with_numbers(written);
        self.written.insert(root, written);
        if let Some(scope) = self.frame_mut().scopes.last_mut() {
            scope.insert(name, root);
        }
        root
    }
}

/// `std::add_lvalue_reference<int>::type`, `Traits<int &>::type`: what a trait makes of a type may be a reference.
fn may_be_trait_of_reference(name: &Name, is_known: bool, text: &str) -> bool {
    const TRAITS: &[&str] = &[
        "add_lvalue_reference",
        "add_rvalue_reference",
        "common_reference",
    ];
    let is_trait = |name: &str| TRAITS.contains(&name.trim_end_matches("_t"));
    let of_template = name.qualifier.iter().any(|segment| segment.args.is_some());
    if of_template && (text.contains('&') || name.base == "reference") {
        return true;
    }
    !is_known
        && (is_trait(&name.base)
            || (name.base.ends_with("_t") && name.args.is_some() && text.contains('&'))
            || name.qualifier.iter().any(|one| is_trait(&one.name)))
}

/// What an array of arrays is made of.
pub(super) fn element_of(ty: &Ty) -> &Ty {
    match ty {
        Ty::Array(element, _) => element_of(element),
        ty => ty,
    }
}

/// `char n = sizeof(n);`: in its initialiser the name means the variable itself, not the one around. Its value is nothing that
/// a program may use.
fn names_itself(declaration: &VarDecl) -> bool {
    let mut found = false;
    walk::in_init(&declaration.init, &mut |expr| {
        if let ExprKind::SizeofExpr(of) = &expr.kind {
            walk::sub_exprs(of, &mut |inner| {
                found |= matches!(&inner.kind, ExprKind::Name(name)
                    if name.as_simple() == Some(&declaration.name));
            });
        }
    });
    found
}

/// Whether a type is, as it is written, that of pointers to functions.
fn is_of_functions(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to) => matches!(to.kind, TypeKind::Function { .. }),
        _ => false,
    }
}
