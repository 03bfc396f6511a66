//! Which references `decltype(e)` gives.
//!
//! **Method.** Of a name or a member without parentheses it is what stands in the declaration, of any other expression `T &` for
//! a place, `T &&` for what may be moved from, and `T` for a value (C++ 9.2.9.6). Parentheses around a name are kept as `*&x`.
//!
//! **Contract.** Where neither the declaration nor the expression tells, it is [`Refers::Unknown`].

use std::rc::Rc;

use super::body::{Binding, Lowerer, Names};
use super::call::is_reference;
use super::classes::MAX_DEPTH;
use super::constness::Category;
use super::hidden::Refers;
use super::overload::Found;
use super::types::{StructTy, Ty, TypeScope};
use super::typing::{Callee, unary_name};
use super::unit::enclosing;
use super::value::{Base, Lvalue};
use crate::syntax::ast::*;

/// Functions of the C++ library whose results are references.
const REFERRING: [&str; 8] = [
    "declval", "move", "forward", "get", "max", "min", "clamp", "as_const",
];

impl<'u> Lowerer<'u, '_> {
    pub(super) fn decltype_refers_as(&mut self, ty: &Type, of: &Expr) -> Refers {
        if self.calls.len() > MAX_DEPTH {
            return Refers::Unknown;
        }
        // `typeof` drops references.
        if !self.is_decltype(ty) {
            return Refers::No;
        }
        match &of.kind {
            ExprKind::Name(name) => self.declared_refers_as(name),
            ExprKind::Member { base, arrow, field } => {
                let class = self.object_type(base, *arrow);
                let own = class.and_then(|class| self.field_refers_as(&class, &field.base));
                own.unwrap_or_else(|| self.some_member_refers_as(&field.base))
            }
            _ => self.value_refers_as(of),
        }
    }

    fn is_decltype(&self, ty: &Type) -> bool {
        self.sources.text(ty.range).starts_with("decltype")
    }

    /// The type that `decltype` of an expression is, if it is a reference to what has an identity.
    pub(super) fn decltype_identity(&mut self, ty: &Type, of: &Expr) -> Option<Type> {
        let refers = self.decltype_refers_as(ty, of);
        if let (Refers::No, Some(scalar)) = (refers, self.scalar_of_literal(of)) {
            return Some(Type::new(TypeKind::Scalar(scalar), Range::default()));
        }
        if refers == Refers::No && self.is_decltype(ty) {
            return self.identity_of_declared(of);
        }
        let to = match &of.kind {
            _ if !refers.is_told() => return None,
            ExprKind::Call { callee, args } if args.is_empty() => {
                let (TypeKind::Reference(to) | TypeKind::RvalueReference(to)) =
                    self.identity(&self.given_type(callee)?)?.kind
                else {
                    return None;
                };
                *to
            }
            ExprKind::Deref(inner) => match &inner.kind {
                ExprKind::AddressOf(named) => self.identity_of_object(named)?,
                _ => self.identity_of_object(of)?,
            },
            _ => self.identity_of_object(of)?,
        };
        let to = Box::new(to);
        let kind = match refers {
            Refers::Lvalue => TypeKind::Reference(to),
            _ => TypeKind::RvalueReference(to),
        };
        Some(Type::new(kind, Range::default()))
    }

    /// The type of a literal.
    fn scalar_of_literal(&self, expr: &Expr) -> Option<Scalar> {
        match &expr.kind {
            ExprKind::Int { ty, .. } | ExprKind::Char { ty, .. } | ExprKind::Float { ty, .. } => {
                Some(*ty)
            }
            ExprKind::Bool(_) => Some(Scalar::Bool),
            // `NULL` is a number of the compiler's own.
            ExprKind::Nullptr if self.sources.text(expr.range) == "nullptr" => {
                Some(Scalar::NullptrT)
            }
            _ => None,
        }
    }

    /// The identity of the type that an expression has which is no reference: of a name as it was declared, of a value by what it is.
    fn identity_of_declared(&mut self, of: &Expr) -> Option<Type> {
        match &of.kind {
            ExprKind::Name(name) if !name.qualifier.is_empty() => {
                let Ty::Struct(class) = self.qualifying_class(name)? else {
                    return None;
                };
                let record = self.record(&class)?;
                let mut fields = record.fields.iter();
                let declared = fields.find(|field| field.name == name.base)?;
                let inside = self.class_scope(&class);
                self.within(inside, |me| me.identity(&declared.ty))
            }
            ExprKind::Name(_)
            | ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_)
            | ExprKind::MemberPointer { .. }
            | ExprKind::Conditional { .. } => None,
            ExprKind::Call { callee, args } => match self.called(callee, args) {
                Callee::Function(Found::One(found)) => {
                    let (function, scope) = (found.function, found.scope.clone());
                    let ret =
                        self.within_declaration(function, &scope, |me| me.identity(&function.ret))?;
                    // A number that is returned is never constant.
                    Some(ret).filter(|ret| !ret.is_const && !ret.is_volatile)
                }
                _ => None,
            },
            _ => {
                let ty = self.static_type(of);
                self.identity_of_value(&super::constness::Argument::of(ty, of))
            }
        }
    }

    /// `T &&`, which `declval<T>()` and `forward<T>(x)` of the library give.
    fn given_type(&self, callee: &Expr) -> Option<Type> {
        let ExprKind::Name(name) = &callee.kind else {
            return None;
        };
        if let Some(declared) = self.declval_type(name) {
            return Some(declared);
        }
        if name.base != "forward" || !self.index.functions(&name.base).is_empty() {
            return None;
        }
        let to = match name.args.as_deref()? {
            [TemplateArg::Type(ty)] => ty.clone(),
            [TemplateArg::Name(of)] => Type::new(TypeKind::Named(of.clone()), of.range),
            _ => return None,
        };
        Some(Type::new(
            TypeKind::RvalueReference(Box::new(to)),
            name.range,
        ))
    }

    /// The type that `std::forward` gives its argument.
    pub(super) fn forwarded_type(&self, callee: &Expr, args: &[Expr]) -> Option<Type> {
        let forwards = args.len() == 1 && self.forwards(callee);
        forwards.then(|| self.given_type(callee)).flatten()
    }

    /// What a name was declared as.
    fn declared_refers_as(&mut self, name: &Name) -> Refers {
        let Some(simple) = name.as_simple() else {
            return self.outer_refers_as(name);
        };
        match self.lookup(simple) {
            Some(Binding::Reference(_)) => match self.declared_types(simple) {
                Some(types) => Refers::agreed(types.into_iter().map(|(ty, _)| self.refers_as(ty))),
                None => Refers::Unknown,
            },
            // Of what a lambda copied, the type is that of the original.
            Some(_) if self.is_captured(simple) => Refers::Unknown,
            Some(_) => Refers::No,
            None => {
                let class = self.scope().class;
                let class = class.filter(|_| !self.means_outer(name));
                let own = class.and_then(|class| self.field_refers_as(&class, simple));
                own.unwrap_or_else(|| self.outer_refers_as(name))
            }
        }
    }

    /// The same of a name at namespace scope, and of static members.
    fn outer_refers_as(&mut self, name: &Name) -> Refers {
        // A lambda does not capture what it does not use.
        if self.is_in_lambda() && name.as_simple().is_some() {
            return Refers::Unknown;
        }
        if let Some((global, inside)) = self.global_meant(name) {
            return self.within(inside, |me| me.refers_as(&global.ty));
        }
        self.some_member_refers_as(&name.base)
    }

    /// The types that the function being lowered declares variables of a name with, and whether `constexpr` makes them constant; `None` if it may mean something else: a
    /// part of a structured binding, an enumerator, what a lambda captured.
    pub(super) fn declared_types(&self, name: &str) -> Option<Vec<(&'u Type, bool)>> {
        let types = self.written_variables(name);
        (!types.is_empty() && !self.is_bound_otherwise(name)).then_some(types)
    }

    /// Whether the function being lowered gives a name to an enumerator or to a part of something, as far as its text is known.
    fn is_bound_otherwise(&self, name: &str) -> bool {
        let here = self.calls.last().map(|call| call.function);
        let function = here.and_then(|here| self.index.named.function_at(here));
        let Some(function) = function else {
            return true;
        };
        let mut found = false;
        for stmt in function.body.iter().flat_map(|body| &body.stmts) {
            super::walk::each_stmt(stmt, &mut |stmt| {
                found |= match &stmt.kind {
                    StmtKind::Binding { names, .. } => names.iter().any(|(one, _)| one == name),
                    StmtKind::Enum(enumeration) => {
                        enumeration.values.iter().any(|one| one.name == name)
                    }
                    _ => false,
                };
            });
        }
        found
    }

    /// Whether a name is one of those that a lambda captured.
    fn is_captured(&self, name: &str) -> bool {
        let Some(call) = self.calls.last().filter(|_| self.is_in_lambda()) else {
            return false;
        };
        let outer = self.scopes.get(call.scopes);
        let inner = self.scopes.get(call.scopes + 1..).unwrap_or_default();
        outer.is_some_and(|names| names.get(name).is_some())
            && inner.iter().all(|names| names.get(name).is_none())
    }

    /// Whether the body of a lambda is being lowered.
    fn is_in_lambda(&self) -> bool {
        let here = self.calls.last().map(|call| call.function);
        let mut closures = self.closures.iter();
        closures.any(|closure| Some(closure.lambda.body.range) == here)
    }

    /// What a member of a class was declared as; `None`: the class has none of the name.
    fn field_refers_as(&mut self, class: &Rc<StructTy>, field: &str) -> Option<Refers> {
        class.field(field)?;
        if self.referent(class, field).is_none() {
            return Some(Refers::No);
        }
        let record = self.record(class)?;
        if let Some(declared) = record.fields.iter().find(|one| one.name == field) {
            let inside = self.class_scope(class);
            return Some(self.within(inside, |me| me.refers_as(&declared.ty)));
        }
        let bases = class.layout()?.bases.clone();
        let inherited = bases.iter().rev().find_map(|(base, _)| match base {
            Ty::Struct(base) => self.field_refers_as(base, field),
            _ => None,
        });
        Some(inherited.unwrap_or(Refers::Unknown))
    }

    /// A member or variable of which only the name is known: whether any of the unit that has it may be a reference.
    fn some_member_refers_as(&mut self, name: &str) -> Refers {
        let is_parameter = |record: &Struct, ty: &Type| match &ty.kind {
            TypeKind::Named(named) => record
                .template
                .iter()
                .any(|one| one.name.as_deref() == named.as_simple()),
            _ => false,
        };
        let mut declared = Vec::new();
        for (record, field) in self.index.named.fields(name) {
            if is_reference(&field.ty) || is_parameter(record, &field.ty) {
                return Refers::Unknown;
            }
            declared.push((record.name.clone(), &field.ty));
        }
        let globals = self.index.globals_of(name).iter();
        declared.extend(globals.map(|one| (enclosing(&one.name).to_owned(), &one.ty)));
        if declared.is_empty() && !self.is_value_name(name) {
            return Refers::Unknown;
        }
        let refers = |(path, ty): (String, &Type)| {
            let inside = TypeScope {
                path,
                ..TypeScope::default()
            };
            self.within(inside, |me| me.refers_as(ty)) != Refers::No
        };
        match declared.into_iter().any(refers) {
            true => Refers::Unknown,
            false => Refers::No,
        }
    }

    /// Whether a name that no variable has is that of a function, an enumerator or the value of a template parameter.
    fn is_value_name(&self, name: &str) -> bool {
        let scope = self.scope();
        scope.values.contains_key(name)
            || !self.index.functions(name).is_empty()
            || self
                .index
                .enumerator_at(name, &scope.path, Range::default())
                .is_some()
            || matches!(
                name,
                "threadIdx" | "blockIdx" | "blockDim" | "gridDim" | "warpSize"
            )
            || matches!(name, "x" | "y" | "z" | "w")
    }

    /// What an expression that is no name gives: a place, what may be moved from, or a value.
    fn value_refers_as(&mut self, of: &Expr) -> Refers {
        match &of.kind {
            ExprKind::Deref(inner) => match &inner.kind {
                // A name in parentheses.
                ExprKind::AddressOf(inner) => self.value_refers_as(inner),
                _ => self.place_refers_as(of),
            },
            ExprKind::Name(name) => {
                let simple = name
                    .as_simple()
                    .filter(|simple| self.lookup(simple).is_some());
                match simple {
                    Some(simple) if self.is_bound_otherwise(simple) => Refers::Unknown,
                    _ => self.place_refers_as(of),
                }
            }
            ExprKind::Member { .. }
            | ExprKind::Index { .. }
            | ExprKind::Assign { .. }
            | ExprKind::IncDec { prefix: true, .. } => self.place_refers_as(of),
            ExprKind::IncDec { increment, arg, .. } => {
                let operator = if *increment {
                    "operator++"
                } else {
                    "operator--"
                };
                self.operator_refers_as(operator, &[arg])
            }
            ExprKind::Binary(op, left, right) => {
                let operator = format!("operator{}", op.text());
                self.operator_refers_as(&operator, &[left, right])
            }
            ExprKind::Unary(op, arg) => self.operator_refers_as(unary_name(*op), &[arg]),
            ExprKind::Comma(_, second) if self.index.functions("operator,").is_empty() => {
                self.value_refers_as(second)
            }
            ExprKind::Comma(..) | ExprKind::Conditional { .. } | ExprKind::MemberPointer { .. } => {
                Refers::Unknown
            }
            ExprKind::Cast {
                style: CastStyle::Part,
                ..
            } => self.place_refers_as(of),
            ExprKind::Cast { ty, .. } | ExprKind::Construct { ty, .. } => self.refers_as(ty),
            ExprKind::Call { callee, args } => self.call_refers_as(callee, args),
            _ => Refers::No,
        }
    }

    /// An expression that is a place if the operators in it are those of the language.
    fn place_refers_as(&mut self, of: &Expr) -> Refers {
        let is_name = matches!(of.kind, ExprKind::Name(_));
        match self.category(of).0 {
            Category::Place => Refers::Lvalue,
            Category::Temporary if is_name => Refers::No,
            _ => Refers::Unknown,
        }
    }

    /// An operator that gives a value unless it is one of the unit.
    fn operator_refers_as(&mut self, operator: &str, operands: &[&Expr]) -> Refers {
        let of_class = operands
            .iter()
            .any(|one| !matches!(self.static_type(one), Ty::Scalar(_) | Ty::Pointer(_)));
        match of_class && self.gives_reference(operator) {
            true => Refers::Unknown,
            false => Refers::No,
        }
    }

    fn call_refers_as(&mut self, callee: &Expr, args: &[Expr]) -> Refers {
        if let Some(ty) = self.given_type(callee) {
            return self.refers_as(&ty);
        }
        if self.moves(callee) {
            return Refers::Rvalue;
        }
        let found = self.called(callee, args);
        if let Callee::Function(Found::One(found) | Found::Prototype(found)) = &found {
            let (function, scope) = (found.function, found.scope.clone());
            return self.within_declaration(function, &scope, |me| me.refers_as(&function.ret));
        }
        let ExprKind::Name(name) = &callee.kind else {
            return Refers::Unknown;
        };
        let simple = name.as_simple();
        // A lambda or another object that is called.
        let is_object = simple.is_some_and(|name| self.lookup(name).is_some());
        let of_library = REFERRING.contains(&name.base.as_str())
            && (!name.qualifier.is_empty() || name.base == "declval");
        let may_be = of_library
            || is_object
            || self.gives_reference(&name.base)
            || self.name_refers_as(name) != Refers::No;
        if may_be { Refers::Unknown } else { Refers::No }
    }

    /// Whether a function of a name may return a reference.
    fn gives_reference(&mut self, name: &str) -> bool {
        // Results may be written with calls of functions of the same name.
        if self.calls.len() > MAX_DEPTH {
            return true;
        }
        let called: Vec<&'u Function> = self.index.functions(name).to_vec();
        called.into_iter().any(|function| {
            let is_parameter = |ty: &Type| match &ty.kind {
                TypeKind::Named(named) => function
                    .template
                    .iter()
                    .flatten()
                    .any(|one| one.name.as_deref() == named.as_simple()),
                _ => false,
            };
            let scope = TypeScope {
                path: enclosing(&function.qualified).to_owned(),
                ..TypeScope::default()
            };
            is_parameter(&function.ret)
                || matches!(function.ret.kind, TypeKind::Decltype(_))
                || self.within_declaration(function, &scope, |me| {
                    me.refers_as(&function.ret) != Refers::No
                })
        })
    }

    /// Does something where the parameters of a function are declared, of whose values nothing is known.
    pub(super) fn within_declaration<T>(
        &mut self,
        function: &'u Function,
        types: &TypeScope,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.within(types.clone(), |me| {
            if let Some(frame) = me.calls.last_mut() {
                frame.function = function.range;
            }
            me.scopes.push(Names::default());
            for param in &function.params {
                let Some(name) = &param.name else { continue };
                let ty = me.resolve(&param.ty);
                let targets = me.pointer(Base::Unknown, ty.clone()).targets;
                let place = Lvalue::Memory { targets, ty };
                if let Some(names) = me.scopes.last_mut() {
                    names.insert(name.clone(), Binding::Reference(place));
                }
            }
            let result = act(me);
            me.scopes.pop();
            result
        })
    }
}
