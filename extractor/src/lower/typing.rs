//! The type of an expression without evaluating it: for overloads, template arguments, `auto`, `decltype` and `sizeof`.
//!
//! What is not known is the opaque type [`UNKNOWN`], which every user must expect. References are seen through, arrays
//! have not decayed.

use std::rc::Rc;

use warplog_facts::CType;

use super::body::{Binding, Lowerer};
use super::composite::is_derived;
use super::constants::is_name_of_function;
use super::constness::Argument;
use super::library::linear::{element_type, operated};
use super::overload::Found;
use super::types::{self, Extent, Ty};
use super::value::*;
use crate::syntax::ast::*;

/// The name of the type of which nothing is known.
pub(crate) const UNKNOWN: &str = "unknown";

pub(crate) fn unknown_type() -> Ty {
    Ty::Opaque {
        name: UNKNOWN.to_owned(),
        bytes: None,
    }
}

/// What is called.
pub(crate) enum Callee<'u> {
    Function(Found<'u>),
    /// A function of CUDA's library or a constructor: it gives a value of this type.
    Value(Ty),
    /// A lambda expression that returns this.
    Lambda(Ty),
}

/// Whether nothing is known of a type.
pub(crate) fn is_unknown(ty: &Ty) -> bool {
    matches!(ty, Ty::Opaque { name, bytes: None } if name == UNKNOWN || name == "auto" || name == "opaque")
}

/// An array decays to a pointer.
pub(crate) fn decayed(ty: Ty) -> Ty {
    match ty {
        Ty::Array(element, _) => Ty::Pointer(element),
        ty => ty,
    }
}

impl<'u> Lowerer<'u, '_> {
    /// The type of an expression.
    pub(crate) fn static_type(&mut self, expr: &Expr) -> Ty {
        match self.type_of_place(expr) {
            Ty::Bits(bits) => Ty::Scalar(bits.ctype),
            ty => ty,
        }
    }

    /// The type of an operand of arithmetic, where a bit field is a number that holds its values.
    fn type_of_operand(&mut self, expr: &Expr) -> Ty {
        match self.type_of_place(expr) {
            Ty::Bits(bits) => Ty::Scalar(bits.promoted()),
            ty => ty,
        }
    }

    /// The type of an expression, which may be that of a bit field.
    fn type_of_place(&mut self, expr: &Expr) -> Ty {
        match &expr.kind {
            ExprKind::Int { ty, .. } | ExprKind::Char { ty, .. } | ExprKind::Float { ty, .. } => {
                types::scalar(*ty)
            }
            ExprKind::Bool(_) => Ty::Scalar(CType::Bool),
            ExprKind::Str(_) => Ty::Array(Rc::new(Ty::Scalar(CType::I8)), Extent::Unknown),
            // A number or a pointer.
            ExprKind::Nullptr if self.sources.text(expr.range) == "NULL" => unknown_type(),
            ExprKind::Nullptr => Ty::Void.pointer_to(),
            ExprKind::This => match self.calls.last().and_then(|call| call.this.clone()) {
                Some(Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. }) => ty.pointer_to(),
                _ => unknown_type(),
            },
            ExprKind::Name(name) => match self.type_of_name(name) {
                ty if is_unknown(&ty) && is_name_of_function(name) => {
                    Ty::Array(Rc::new(Ty::Scalar(CType::I8)), Extent::Unknown)
                }
                ty => ty,
            },
            ExprKind::Unary(UnaryOp::Not, _) => Ty::Scalar(CType::Bool),
            ExprKind::Unary(op, arg) => match self.type_of_operand(arg) {
                Ty::Scalar(ty) if ty.is_integer() => Ty::Scalar(ty.promoted()),
                Ty::Struct(class) => {
                    let operand = Argument::of(Ty::Struct(class), arg);
                    self.operator_type(unary_name(*op), &[operand])
                }
                ty => ty,
            },
            ExprKind::Deref(arg) => match decayed(self.static_type(arg)) {
                Ty::Pointer(element) => Ty::clone(&element),
                ty @ Ty::Struct(_) => self.operator_type("operator*", &[Argument::of(ty, arg)]),
                _ => unknown_type(),
            },
            // `&C::member` is no pointer to an object.
            ExprKind::AddressOf(arg) if self.is_member_of_class(arg) => unknown_type(),
            ExprKind::AddressOf(arg) => match self.static_type(arg) {
                ty if is_unknown(&ty) => ty,
                ty => ty.pointer_to(),
            },
            ExprKind::IncDec { arg, .. } => self.type_of_place(arg),
            ExprKind::Assign { lhs, .. } => self.type_of_place(lhs),
            ExprKind::Binary(op, left, right) => self.type_of_binary(*op, left, right),
            ExprKind::Conditional { then, els, .. } => {
                let (then, els) = (
                    decayed(self.static_type(then)),
                    decayed(self.static_type(els)),
                );
                match (&then, &els) {
                    (Ty::Scalar(a), Ty::Scalar(b)) if a != b => Ty::Scalar(a.common(*b)),
                    (Ty::Scalar(_), Ty::Pointer(_)) => els,
                    // With what it is not known to be, a number may become another.
                    (one, Ty::Scalar(_)) if is_unknown(one) => then,
                    (Ty::Scalar(_), other) if is_unknown(other) => els,
                    _ if is_unknown(&then) => els,
                    // The base of the two classes, or a pointer to it.
                    (Ty::Pointer(a), Ty::Pointer(b)) if is_derived(a, b) == Some(true) => els,
                    (a, b) if is_derived(a, b) == Some(true) => els,
                    _ => then,
                }
            }
            ExprKind::Cast {
                style: CastStyle::Part,
                ty,
                arg,
            } => {
                let object = self.static_type(arg);
                self.part_class(&object, ty)
                    .map_or_else(unknown_type, Ty::Struct)
            }
            ExprKind::Cast { ty, .. } | ExprKind::Construct { ty, .. } => self.resolve(ty),
            ExprKind::Call { callee, args } => self.type_of_call(callee, args),
            ExprKind::Member { base, arrow, field } => {
                if let ExprKind::Name(name) = &base.kind
                    && matches!(field.base.as_str(), "x" | "y" | "z")
                    && self.means_builtin(name)
                {
                    return Ty::Scalar(CType::U32);
                }
                match self.object_type(base, *arrow) {
                    Some(class) => self.field_type(&class, &field.base),
                    None => unknown_type(),
                }
            }
            ExprKind::Index { base, index } => match decayed(self.static_type(base)) {
                Ty::Pointer(element) => Ty::clone(&element),
                ty if let Some(element) = element_type(&ty) => element,
                ty @ Ty::Struct(_) => {
                    let index = self.argument(index);
                    self.operator_type("operator[]", &[Argument::of(ty, base), index])
                }
                _ => match decayed(self.static_type(index)) {
                    Ty::Pointer(element) => Ty::clone(&element),
                    _ => unknown_type(),
                },
            },
            ExprKind::SizeofType(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::SizeofPack(_)
            | ExprKind::AlignofType(_) => Ty::Scalar(CType::U64),
            ExprKind::Comma(_, second) => self.type_of_place(second),
            ExprKind::MemberPointer { pointer, .. } => self.type_of_member(pointer),
            ExprKind::Lambda(_) => Ty::Opaque {
                name: "lambda".to_owned(),
                bytes: None,
            },
            ExprKind::InitList(_)
            | ExprKind::StmtExpr(_)
            | ExprKind::Expand(_)
            | ExprKind::Fold(_)
            | ExprKind::Launch { .. }
            | ExprKind::Asm(_)
            | ExprKind::New { .. }
            | ExprKind::Delete(_)
            | ExprKind::Designated { .. }
            | ExprKind::Unsupported { .. } => unknown_type(),
        }
    }

    /// `C::member`, of which no object is told: not a static one.
    fn is_member_of_class(&mut self, expr: &Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else {
            return false;
        };
        if name.qualifier.is_empty() {
            return false;
        }
        let class = self.qualifying_class(name);
        matches!(class, Some(Ty::Struct(class)) if class.field(&name.base).is_some())
    }

    /// The class of the object before `.` or `->`.
    pub(crate) fn object_type(&mut self, base: &Expr, arrow: bool) -> Option<Rc<types::StructTy>> {
        let ty = decayed(self.static_type(base));
        let ty = match (arrow, ty) {
            (true, Ty::Pointer(element)) => Ty::clone(&element),
            (true, ty @ Ty::Struct(_)) => {
                match self.operator_type("operator->", &[Argument::of(ty, base)]) {
                    Ty::Pointer(element) => Ty::clone(&element),
                    _ => return None,
                }
            }
            (false, ty) => ty,
            _ => return None,
        };
        match ty {
            Ty::Struct(class) => Some(class),
            _ => None,
        }
    }

    pub(crate) fn field_type(&mut self, class: &Rc<types::StructTy>, field: &str) -> Ty {
        if let Some(referent) = self.referent(class, field) {
            return referent;
        }
        if let Some((ty, _)) = class.field(field) {
            return ty;
        }
        match self.static_member(class, field) {
            Some(value) => self.type_of(&value),
            None => unknown_type(),
        }
    }

    fn type_of_name(&mut self, name: &Name) -> Ty {
        let written = name.as_simple();
        if let Some(binding) = written.and_then(|simple| self.lookup(simple)).cloned() {
            return match binding {
                Binding::Variable(var) => match self.variables.get(var.0 as usize) {
                    Some((_, ty)) if !is_unknown(ty) => ty.clone(),
                    _ => {
                        let value = self.env.get(var).clone();
                        self.type_of(&value)
                    }
                },
                Binding::Memory { ty, .. } => ty,
                Binding::Reference(Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. }) => ty,
                Binding::Reference(Lvalue::Unknown) => unknown_type(),
            };
        }
        let scope = self.scope();
        if let Some(value) = written.and_then(|simple| scope.values.get(simple)) {
            return self.type_of(value);
        }
        if let (Some(simple), Some(class)) = (written, &scope.class)
            && !self.means_outer(name)
        {
            let ty = self.field_type(class, simple);
            if !is_unknown(&ty) {
                return ty;
            }
        }
        let written = written.filter(|_| self.means_builtin(name));
        if written == Some("warpSize") {
            return Ty::INT;
        }
        let built_in = match written {
            Some("threadIdx" | "blockIdx") => Some("uint3"),
            Some("blockDim" | "gridDim") => Some("dim3"),
            _ => None,
        };
        if let Some(built_in) = built_in {
            return types::vector(built_in).unwrap_or_else(unknown_type);
        }
        if let Some((enumeration, _)) =
            self.index
                .enumerator_at(&name.lookup_path(), &scope.path, name.range)
        {
            return self
                .enumeration_type(enumeration)
                .unwrap_or_else(unknown_type);
        }
        if let Some((global, inside)) = self.global_meant(name) {
            return self.within(inside, |me| me.resolve(&global.ty));
        }
        if !name.qualifier.is_empty()
            && let Some(Ty::Struct(class)) = self.qualifying_class(name)
        {
            return self.field_type(&class, &name.base);
        }
        if !self.index.functions(&name.base).is_empty() {
            return Ty::Opaque {
                name: "function".to_owned(),
                bytes: Some(8),
            };
        }
        unknown_type()
    }

    fn type_of_binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Ty {
        use BinaryOp as B;
        let comparison = matches!(
            op,
            B::Lt | B::Le | B::Gt | B::Ge | B::Eq | B::Ne | B::And | B::Or
        );
        // Long chains are on the left: this recursion is as deep as the tree.
        let (a, b) = (
            decayed(self.type_of_operand(left)),
            decayed(self.type_of_operand(right)),
        );
        if matches!(a, Ty::Struct(_)) || matches!(b, Ty::Struct(_)) {
            let found = self.operator_type(
                &format!("operator{}", op.text()),
                &[Argument::of(a, left), Argument::of(b, right)],
            );
            return match found {
                found if !is_unknown(&found) => found,
                _ if comparison => Ty::Scalar(CType::Bool),
                found => {
                    let types = (self.static_type(left), self.static_type(right));
                    operated(op, &types.0, &types.1).unwrap_or(found)
                }
            };
        }
        if comparison {
            return Ty::Scalar(CType::Bool);
        }
        match (a, b) {
            (Ty::Scalar(a), Ty::Scalar(_)) if matches!(op, B::Shl | B::Shr) && a.is_integer() => {
                Ty::Scalar(a.promoted())
            }
            (Ty::Scalar(a), Ty::Scalar(b)) => Ty::Scalar(a.common(b)),
            (Ty::Pointer(_), Ty::Pointer(_)) => Ty::Scalar(CType::I64),
            (pointer @ Ty::Pointer(_), _) | (_, pointer @ Ty::Pointer(_)) => pointer,
            // A half number and an integer give a half number.
            (ty @ Ty::Opaque { .. }, _) | (_, ty @ Ty::Opaque { .. }) => ty,
            (ty, _) => ty,
        }
    }

    fn operator_type(&mut self, name: &str, operands: &[Argument<'_>]) -> Ty {
        let place = operands.iter().find_map(|operand| operand.expr);
        let place = place.map_or(Range::default(), |expr| expr.range);
        match self.operator(name, operands, place) {
            Some(found) => self.returned_type(&found),
            None => unknown_type(),
        }
    }

    fn type_of_call(&mut self, callee: &Expr, args: &[Expr]) -> Ty {
        match self.called(callee, args) {
            Callee::Function(Found::One(found)) => self.returned_type(&found),
            Callee::Value(ty) | Callee::Lambda(ty) => ty,
            Callee::Function(_) => unknown_type(),
        }
    }

    /// What a call means, without evaluating anything.
    pub(crate) fn called(&mut self, callee: &Expr, args: &[Expr]) -> Callee<'u> {
        let nothing = Callee::Function(Found::None);
        let given: Vec<Argument<'_>> = args.iter().map(|arg| self.argument(arg)).collect();
        match &callee.kind {
            ExprKind::Name(name) => {
                if let Some(Binding::Reference(place)) = self.lookup(&name.base) {
                    let (Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. }) = place else {
                        return nothing;
                    };
                    if matches!(ty, Ty::Struct(_)) {
                        let object = Argument::of(ty.clone(), callee);
                        return self.called_object(object, given);
                    }
                }
                if let Some(Binding::Variable(var)) = self.lookup(&name.base) {
                    return match self.env.get(*var).clone() {
                        Value::Function(function) => self.called_value(&function, &given),
                        Value::Struct(_) | Value::Local(_) => {
                            let object = Argument::of(self.type_of_name(name), callee);
                            self.called_object(object, given)
                        }
                        _ => nothing,
                    };
                }
                let types: Vec<Ty> = given.iter().map(|arg| arg.ty.clone()).collect();
                if let Some(ty) = self.library_type(name, &types) {
                    return Callee::Value(ty);
                }
                match self.resolve_call(name, &given) {
                    found @ Found::One(_) => Callee::Function(found),
                    found => match self.named_type(name) {
                        ty @ Ty::Struct(_) => Callee::Value(ty),
                        _ => Callee::Function(found),
                    },
                }
            }
            ExprKind::Member { base, arrow, field } => match self.object_type(base, *arrow) {
                Some(class) => {
                    let object = self.object_is_const(base, *arrow, &field.base);
                    Callee::Function(self.resolve_method(&class, field, object, &given))
                }
                None => nothing,
            },
            _ => match self.static_type(callee) {
                ty @ Ty::Struct(_) => self.called_object(Argument::of(ty, callee), given),
                _ => nothing,
            },
        }
    }

    fn called_object<'e>(&mut self, object: Argument<'e>, args: Vec<Argument<'e>>) -> Callee<'u> {
        let operands: Vec<Argument<'e>> = std::iter::once(object).chain(args).collect();
        Callee::Function(self.operator_found("operator()", &operands, Range::default()))
    }

    fn called_value(&mut self, function: &Callable, args: &[Argument<'_>]) -> Callee<'u> {
        match function {
            Callable::Named(name, scope) => {
                // Their names mean nothing where the function stands.
                let types: Vec<Ty> = args.iter().map(|arg| arg.ty.clone()).collect();
                Callee::Function(self.within(TypeScope::clone(scope), |me| {
                    me.resolve_call(name, &Argument::all(&types))
                }))
            }
            Callable::Member(_) => Callee::Function(Found::None),
            // They have one type.
            Callable::Either(_, one, _) => self.called_value(one, args),
            Callable::Lambda(index) => {
                let closure = self.closures.get(*index).cloned();
                Callee::Lambda(match closure {
                    Some(closure) => match &closure.lambda.ret {
                        Some(ret) => self.within(closure.types.clone(), |me| me.resolve(ret)),
                        None => unknown_type(),
                    },
                    None => unknown_type(),
                })
            }
        }
    }

    /// What a call of CUDA's own functions gives, where that does not depend on how they are modelled.
    fn library_type(&mut self, name: &Name, args: &[Ty]) -> Option<Ty> {
        let base = name.base.as_str();
        let defined = self
            .index
            .functions(base)
            .iter()
            .any(|function| function.body.is_some());
        // `make_float3(x, y, z)` where the unit adds one of a single argument: as in `call_name`.
        if defined
            && !matches!(
                self.resolve_call(name, &Argument::all(args)),
                Found::None | Found::Prototype(_)
            )
        {
            return None;
        }
        if let Some(vector) = base.strip_prefix("make_").and_then(types::vector) {
            return Some(vector);
        }
        let first = args.first().cloned().map(decayed);
        match base {
            "__ldg" | "__ldcg" | "__ldca" | "__ldcs" | "__ldlu" | "__ldcv" => match first? {
                Ty::Pointer(element) => Some(Ty::clone(&element)),
                _ => None,
            },
            // `std::max<long>(a, b)`
            "min" | "max" if name.args.is_some() => match name.args.as_deref()? {
                [TemplateArg::Type(ty)] => Some(self.resolve(ty)),
                [TemplateArg::Name(name)] => Some(self.named_type(name)),
                _ => None,
            },
            "min" | "max" | "abs" => {
                let of_library = name.qualifier.last().is_some_and(|one| one.name == "std");
                let mut common: Option<CType> = None;
                for ty in args {
                    let Ty::Scalar(ty) = ty else {
                        return Some(ty.clone());
                    };
                    common = Some(common.map_or(*ty, |known| match known == *ty {
                        true => known,
                        false => known.common(*ty),
                    }));
                }
                // CUDA's own take nothing smaller than an `int`, those of `std` two of one type.
                let small = common.filter(|ty| ty.promoted() != *ty);
                match (base, small) {
                    ("abs", Some(small)) => Some(Ty::Scalar(small.promoted())),
                    (_, Some(small)) if !of_library && args.len() > 1 => {
                        let uses_std = self.uses_namespace("std");
                        (!uses_std).then(|| Ty::Scalar(small.promoted()))
                    }
                    _ => common.map(Ty::Scalar),
                }
            }
            "get" if name.args.is_some() => {
                let [object] = args else { return None };
                self.element_type(name, object)
            }
            "labs" | "llabs" => Some(Ty::Scalar(CType::I64)),
            "malloc" | "calloc" => Some(Ty::Void.pointer_to()),
            _ if args.is_empty() && self.is_declval(name) => {
                let ty = self.declval_type(name)?;
                Some(self.resolve(&ty))
            }
            _ if base.starts_with("__shfl") => {
                match args.get(usize::from(base.ends_with("_sync")))? {
                    Ty::Scalar(ty) if ty.is_integer() => Some(Ty::Scalar(ty.promoted())),
                    ty => Some(ty.clone()),
                }
            }
            _ if base.starts_with("atomic") => match first? {
                Ty::Pointer(element) => Some(Ty::clone(&element)),
                _ => None,
            },
            _ => self.library_result(name, args),
        }
    }
}

/// The function that a unary operator calls.
pub(crate) fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "operator-",
        UnaryOp::Plus => "operator+",
        UnaryOp::Not => "operator!",
        UnaryOp::BitNot => "operator~",
    }
}

use super::types::TypeScope;
