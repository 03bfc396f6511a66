//! What overload resolution needs of an argument besides its type, and [`Ty`] does not keep: whether it is a place or a
//! temporary, whether it is constant, whether what it points to is.
//!
//! **Contract.** An answer is given only where the text shows it; `None` and [`Category::Unknown`] mean that both may be.

use std::cell::OnceCell;
use std::rc::Rc;

use warplog_facts::CType;

use super::body::Lowerer;
use super::overload::Found;
use super::types::{StructTy, Ty};
use super::typing::{Callee, decayed, is_unknown};
use super::unit::last_component;
use crate::syntax::ast::*;

/// What declarations say of `const`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Qualified {
    /// Whether the object is constant; of an array, whether its elements are.
    pub object: Option<bool>,
    /// Whether what it points to is constant.
    pub pointee: Option<bool>,
}

/// Whether an expression means a place that has a name or an address, or a value that nobody else sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Category {
    Place,
    Temporary,
    Unknown,
}

/// An argument of a call that is being resolved. What is known besides its type is found where it matters: of nested calls it
/// would take for ever.
#[derive(Clone, Debug)]
pub(crate) struct Argument<'e> {
    pub ty: Ty,
    pub expr: Option<&'e Expr>,
    known: OnceCell<(Category, Qualified)>,
}

impl<'e> Argument<'e> {
    /// An expression whose type was found.
    pub(crate) fn of(ty: Ty, expr: &'e Expr) -> Self {
        Argument {
            ty,
            expr: Some(expr),
            known: OnceCell::new(),
        }
    }

    /// An object of which all is known that matters.
    pub(crate) fn known(ty: Ty, known: (Category, Qualified)) -> Self {
        Argument {
            ty,
            expr: None,
            known: OnceCell::from(known),
        }
    }

    /// Arguments of which only the types are known.
    pub(crate) fn all(types: &[Ty]) -> Vec<Self> {
        types.iter().cloned().map(Argument::from).collect()
    }
}

impl From<Ty> for Argument<'_> {
    fn from(ty: Ty) -> Self {
        Argument {
            ty,
            expr: None,
            known: OnceCell::new(),
        }
    }
}

/// What a parameter says of the place that it is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Takes {
    Value,
    /// `T *`
    Pointer {
        is_const: bool,
        deduced: bool,
    },
    /// `T &`
    Reference {
        is_const: bool,
        deduced: bool,
    },
    /// `T &&`
    Temporary,
    /// `T &&` of a template parameter
    Forwarding,
}

/// Which of two parameters an argument fits better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preference {
    First,
    Second,
    Neither,
    Undecided,
}

impl Takes {
    /// `is_bare` tells whether a type is nothing but a template parameter of the function.
    pub(crate) fn of(ty: &Type, is_bare: &dyn Fn(&Type) -> bool) -> Takes {
        match &ty.kind {
            TypeKind::Reference(to) => Takes::Reference {
                is_const: element_is_const(to),
                deduced: is_bare(to),
            },
            TypeKind::RvalueReference(to) if is_bare(to) && !to.is_const => Takes::Forwarding,
            TypeKind::RvalueReference(_) => Takes::Temporary,
            TypeKind::Pointer(to) | TypeKind::Array(to, _) => Takes::Pointer {
                is_const: element_is_const(to),
                deduced: is_bare(to),
            },
            _ => Takes::Value,
        }
    }

    /// What `this` of a member function takes.
    pub(crate) fn of_object(function: &Function) -> Takes {
        if function.owner.is_none() || function.quals.is_static || function.quals.friend {
            return Takes::Value;
        }
        Takes::Reference {
            is_const: function.quals.is_const,
            deduced: false,
        }
    }

    /// Whether it takes an argument; `None`: that depends on what is not known. `as_it_is`: no conversion makes a temporary.
    pub(crate) fn fits(
        self,
        ty: &Ty,
        known: (Category, Qualified),
        as_it_is: Option<bool>,
    ) -> Option<bool> {
        let (category, qualified) = known;
        let constant = |deduced: bool, known: Option<bool>| match (deduced, known) {
            (true, _) | (_, Some(false)) => Some(true),
            (_, Some(true)) => Some(false),
            (_, None) => None,
        };
        match self {
            Takes::Reference {
                is_const: false,
                deduced,
            } => match (category, as_it_is) {
                (_, Some(false)) | (Category::Temporary, _) => Some(false),
                (Category::Place, Some(true)) => constant(deduced, qualified.object),
                _ => None,
            },
            Takes::Temporary => match (category, as_it_is) {
                (_, Some(false)) | (Category::Temporary, _) => Some(true),
                (Category::Place, Some(true)) => Some(false),
                _ => None,
            },
            Takes::Pointer {
                is_const: false,
                deduced,
            } if matches!(ty, Ty::Pointer(_) | Ty::Array(..)) => {
                constant(deduced, qualified.pointee)
            }
            _ => Some(true),
        }
    }

    /// Which of two parameters an argument fits better that needs the same conversion for both (C++ 12.2.4.3).
    pub(crate) fn preferred(self, other: Takes, known: (Category, Qualified)) -> Preference {
        use Preference as P;
        let (category, qualified) = known;
        if let (
            Takes::Pointer { is_const: one, .. },
            Takes::Pointer {
                is_const: other, ..
            },
        ) = (self, other)
        {
            return match (one == other, qualified.pointee) {
                (true, _) | (_, Some(true)) => P::Neither,
                (_, Some(false)) if one => P::Second,
                (_, Some(false)) => P::First,
                (_, None) => P::Undecided,
            };
        }
        let is_reference = |takes: Takes| {
            matches!(
                takes,
                Takes::Reference { .. } | Takes::Temporary | Takes::Forwarding
            )
        };
        let to_constant = |takes: Takes| matches!(takes, Takes::Reference { is_const: true, .. });
        if !is_reference(self)
            || !is_reference(other)
            || self == other
            || (to_constant(self) && to_constant(other))
        {
            return P::Neither;
        }
        // 2: a temporary as such; 1: a place that may be changed; 0: one that may not.
        let bound = |takes: Takes| match (takes, category) {
            (_, Category::Unknown) => None,
            (Takes::Temporary, _) | (Takes::Forwarding, Category::Temporary) => Some(2),
            (Takes::Reference { is_const: true, .. }, _) => Some(0),
            (Takes::Reference { .. } | Takes::Forwarding, Category::Place) => {
                qualified.object.map(|constant| i32::from(!constant))
            }
            _ => Some(1),
        };
        match (bound(self), bound(other)) {
            (Some(one), Some(other)) if one > other => P::First,
            (Some(one), Some(other)) if one < other => P::Second,
            (Some(_), Some(_)) => P::Neither,
            _ => P::Undecided,
        }
    }
}

/// `const T`, and of arrays whether their elements are.
fn element_is_const(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Array(to, _) => element_is_const(to),
        _ => ty.is_const,
    }
}

impl Lowerer<'_, '_> {
    /// The arguments of a call; types are found by evaluating on trial where they do not show.
    pub(crate) fn arguments<'e>(&mut self, args: &'e [Expr]) -> Vec<Argument<'e>> {
        args.iter()
            .map(|arg| {
                let mut argument = self.argument(arg);
                // `NULL` is no pointer before it is converted.
                if is_unknown(&argument.ty) && arg.kind != ExprKind::Nullptr {
                    argument.ty = self.tried_type(arg);
                }
                argument
            })
            .collect()
    }

    /// The same without evaluating anything.
    pub(crate) fn argument<'e>(&mut self, arg: &'e Expr) -> Argument<'e> {
        Argument::of(self.static_type(arg), arg)
    }

    /// Whether an argument is a place, and what is known of its constness.
    pub(crate) fn known_of(&mut self, argument: &Argument<'_>) -> (Category, Qualified) {
        match (argument.known.get(), argument.expr) {
            (Some(known), _) => *known,
            (None, Some(expr)) => {
                let known = self.category(expr);
                *argument.known.get_or_init(|| known)
            }
            (None, None) => (Category::Unknown, Qualified::default()),
        }
    }

    /// Whether the object before `.` or `->` is constant, where that tells functions of a name apart.
    pub(crate) fn object_is_const(&mut self, base: &Expr, arrow: bool, name: &str) -> Option<bool> {
        if !self.index.differ_in_const(name) {
            return None;
        }
        let (_, of) = self.category(base);
        let is_pointer = matches!(decayed(self.static_type(base)), Ty::Pointer(_));
        match (arrow, is_pointer) {
            (true, true) => of.pointee,
            (true, false) => None,
            (false, _) => of.object,
        }
    }

    /// The same of an object that a name means.
    pub(crate) fn named_object_is_const(&mut self, object: &Name, name: &str) -> Option<bool> {
        if !self.index.differ_in_const(name) {
            return None;
        }
        self.category_of_name(object).1.object
    }

    /// What a declaration with `auto` says, and what its initialiser does.
    pub(crate) fn deduced(&mut self, ty: &Type, init: &Expr) -> Qualified {
        let (_, of) = self.category(init);
        match &ty.kind {
            TypeKind::Auto => Qualified {
                object: Some(ty.is_const),
                pointee: of.pointee,
            },
            TypeKind::Reference(to) if matches!(to.kind, TypeKind::Auto) => Qualified {
                object: if to.is_const { Some(true) } else { of.object },
                pointee: of.pointee,
            },
            TypeKind::Pointer(to) if matches!(to.kind, TypeKind::Auto) => Qualified {
                object: Some(ty.is_const),
                pointee: if to.is_const { Some(true) } else { of.pointee },
            },
            _ => Qualified::default(),
        }
    }

    /// What a declared type says of `const`.
    pub(crate) fn qualified(&mut self, ty: &Type) -> Qualified {
        match &ty.kind {
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => self.qualified(to),
            TypeKind::Pointer(to) => Qualified {
                object: Some(ty.is_const),
                pointee: self.is_const(to),
            },
            TypeKind::Array(to, _) => {
                let element = self.is_const(to);
                Qualified {
                    object: element,
                    pointee: element,
                }
            }
            _ => Qualified {
                object: self.is_const(ty),
                pointee: None,
            },
        }
    }

    /// Whether a type is constant, which one that another name stands for may be without its text saying so.
    pub(super) fn is_const(&mut self, ty: &Type) -> Option<bool> {
        if ty.is_const {
            return Some(true);
        }
        match &ty.kind {
            TypeKind::Scalar(_) | TypeKind::Pointer(_) => Some(false),
            TypeKind::Array(to, _) => self.is_const(to),
            TypeKind::Named(name) => {
                let scope = self.scope();
                if name.qualifier.is_empty() && scope.types.contains_key(&name.base) {
                    let may_be = self.maybe_const.contains(&name.base)
                        || self.index.may_default_to_const(&name.base);
                    return (!may_be).then_some(false);
                }
                self.is_plain_type(name).then_some(false)
            }
            _ => None,
        }
    }

    /// Whether a name means a class or a scalar of the library, and is not another name that may stand for something
    /// constant or for a reference: a typedef, a template parameter, a trait.
    fn is_plain_type(&mut self, name: &Name) -> bool {
        if name.qualifier.is_empty() && self.scope().types.contains_key(&name.base) {
            return false;
        }
        match self.resolve(&Type::new(TypeKind::Named(name.clone()), name.range)) {
            Ty::Struct(class) => is_class_itself(&class, name),
            Ty::Scalar(_) | Ty::Opaque { bytes: Some(_), .. } => {
                let of_library = |segment: &Segment| {
                    segment.args.is_none() && matches!(segment.name.as_str(), "std" | "cuda")
                };
                name.args.is_none()
                    && name.qualifier.iter().all(of_library)
                    && !self.index.declares_type(&name.base)
            }
            _ => false,
        }
    }

    /// What a type says of a value of it: the result of a call or of a cast.
    fn category_of_type(&mut self, ty: &Type) -> (Category, Qualified) {
        let category = match &ty.kind {
            TypeKind::Reference(_) => Category::Place,
            TypeKind::RvalueReference(_) | TypeKind::Named(_) | TypeKind::Decltype(_)
                if let Some(identity) = self.identity(ty) =>
            {
                match identity.kind {
                    TypeKind::Reference(_) => Category::Place,
                    _ => Category::Temporary,
                }
            }
            // `T &&` is `int &` where `T` is.
            TypeKind::RvalueReference(to) => match &to.kind {
                TypeKind::Named(name) if !self.is_plain_type(name) => Category::Unknown,
                _ => Category::Temporary,
            },
            TypeKind::Scalar(_) | TypeKind::Pointer(_) => Category::Temporary,
            TypeKind::Named(name) if self.is_plain_type(name) => Category::Temporary,
            _ => Category::Unknown,
        };
        (category, self.qualified(ty))
    }

    /// Remembers that a local name or a template parameter may stand for a constant type.
    pub(crate) fn note_constant_type(&mut self, name: &str, ty: &Type) {
        if self.is_const(ty) != Some(false) {
            self.may_be_const(name);
        }
    }

    /// Keeps that a name may stand for a constant type; for a question about text, the pack of an element as well.
    fn may_be_const(&mut self, name: &str) {
        self.maybe_const.insert(name.to_owned());
        self.maybe_const
            .extend(super::packs::pack_of(name).map(str::to_owned));
    }

    /// Remembers that a template parameter may stand for a constant type.
    pub(crate) fn note_constant_argument(&mut self, arg: &TemplateArg, parameter: &TemplateParam) {
        let Some(name) = parameter.name.as_ref().filter(|name| {
            matches!(parameter.kind, TemplateParamKind::Type { .. })
                && !self.maybe_const.contains(*name)
        }) else {
            return;
        };
        let constant = match arg {
            TemplateArg::Type(ty) => self.is_const(ty),
            TemplateArg::Name(of)
            | TemplateArg::Expr(Expr {
                kind: ExprKind::Name(of),
                ..
            }) => self.is_const(&Type::new(TypeKind::Named(of.clone()), of.range)),
            TemplateArg::Expr(_) => None,
        };
        if constant != Some(false) {
            self.may_be_const(name);
        }
    }

    /// Whether a template argument may be constant or a reference, which is not kept in the type that it is resolved to.
    pub(crate) fn may_be_qualified(&mut self, arg: &TemplateArg) -> bool {
        let (ty, range) = match arg {
            TemplateArg::Type(ty) => (ty.clone(), ty.range),
            TemplateArg::Name(name) => {
                let kind = TypeKind::Named(name.clone());
                (Type::new(kind, name.range), name.range)
            }
            TemplateArg::Expr(_) => return false,
        };
        let is_written = matches!(
            ty.kind,
            TypeKind::Reference(_) | TypeKind::RvalueReference(_) | TypeKind::Decltype(_)
        );
        if is_written || ty.is_const || self.is_const(&ty) == Some(true) || self.refers(arg) {
            return true;
        }
        let text = self.sources.text(range);
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let strips = ["decay", "decay_t", "remove_cvref", "remove_cvref_t"];
        !words.clone().any(|word| strips.contains(&word))
            && words.any(|word| {
                // What a trait is asked of may be constant, and its type with it: `make_unsigned_t<const int>`.
                matches!(word, "const" | "volatile")
                    || self.maybe_const.contains(word)
                    || self.maybe_reference.contains(word)
            })
    }

    /// The same of parameters that an argument of a call tells: `T &` and `T *` may be of constant objects.
    pub(crate) fn note_constant_deduction(
        &mut self,
        pattern: &Type,
        parameters: &[TemplateParam],
        argument: &Argument<'_>,
    ) {
        let names = parameters.iter().filter_map(|one| one.name.as_ref());
        // `T` of `T &&` is `int &` for a place.
        if let TypeKind::RvalueReference(to) = &pattern.kind
            && let TypeKind::Named(name) = &to.kind
            && names.clone().any(|one| name.as_simple() == Some(one))
            && self.known_of(argument).0 != Category::Temporary
        {
            self.maybe_reference.insert(name.base.clone());
            self.maybe_reference
                .extend(super::packs::pack_of(&name.base).map(str::to_owned));
        }
        let own: Vec<&String> = names
            .filter(|name| !self.maybe_const.contains(*name))
            .collect();
        if own.is_empty() {
            return;
        }
        let bare = |ty: &Type| match &ty.kind {
            TypeKind::Named(name) if !ty.is_const => name
                .as_simple()
                .and_then(|simple| own.iter().find(|one| **one == simple).copied()),
            _ => None,
        };
        let told = match &pattern.kind {
            // A copy is not constant.
            TypeKind::Named(_) if bare(pattern).is_some() => return,
            // `const T &`: nor is what is behind the word.
            TypeKind::Reference(to) | TypeKind::Pointer(to)
                if to.is_const
                    && matches!(&to.kind, TypeKind::Named(name) if name.args.is_none()) =>
            {
                return;
            }
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                bare(to).map(|name| (name, self.known_of(argument).1.object))
            }
            TypeKind::Pointer(to) | TypeKind::Array(to, _) => {
                bare(to).map(|name| (name, self.known_of(argument).1.pointee))
            }
            _ => None,
        };
        match told {
            Some((_, Some(false))) => {}
            Some((name, _)) => self.may_be_const(&name.clone()),
            // `S<T>`: where some argument is constant, this may be it.
            None if self.maybe_const.is_empty() => {}
            None => {
                let text = self.sources.text(pattern.range);
                let words: Vec<&str> = text
                    .split(|c: char| !(c.is_alphanumeric() || c == '_'))
                    .collect();
                let mentioned: Vec<String> = own
                    .into_iter()
                    .filter(|name| {
                        let word = super::packs::pack_of(name).unwrap_or(name);
                        words.contains(&word)
                    })
                    .cloned()
                    .collect();
                for name in mentioned {
                    self.may_be_const(&name);
                }
            }
        }
    }

    /// Whether an expression is a place, and what is known of its constness.
    pub(crate) fn category(&mut self, expr: &Expr) -> (Category, Qualified) {
        let value = (Category::Temporary, Qualified::default());
        let unknown = (Category::Unknown, Qualified::default());
        match &expr.kind {
            ExprKind::Int { .. }
            | ExprKind::Char { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Nullptr
            | ExprKind::SizeofType(_)
            | ExprKind::SizeofExpr(_)
            | ExprKind::AlignofType(_)
            | ExprKind::Lambda(_) => value,
            ExprKind::Str(_) => {
                let constant = Qualified {
                    object: Some(true),
                    pointee: Some(true),
                };
                (Category::Place, constant)
            }
            ExprKind::This => {
                let pointee = self.calls.last().and_then(|call| call.constant_this);
                let object = Some(true);
                (Category::Temporary, Qualified { object, pointee })
            }
            ExprKind::Name(name) => self.category_of_name(name),
            ExprKind::Cast {
                style: CastStyle::Part,
                arg,
                ..
            } => self.category(arg),
            ExprKind::Cast { ty, .. } | ExprKind::Construct { ty, .. } => self.category_of_type(ty),
            ExprKind::Unary(_, arg) if self.is_plain(arg) => value,
            ExprKind::Binary(_, left, right) if self.is_plain(left) && self.is_plain(right) => {
                let pointee = [left, right].into_iter().find_map(|side| {
                    let ty = decayed(self.static_type(side));
                    matches!(ty, Ty::Pointer(_)).then(|| self.category(side).1.pointee)
                });
                let pointee = pointee.flatten();
                (
                    Category::Temporary,
                    Qualified {
                        object: None,
                        pointee,
                    },
                )
            }
            ExprKind::AddressOf(arg) => {
                let (category, qualified) = self.category(arg);
                let pointee = qualified.object.filter(|_| category == Category::Place);
                (
                    Category::Temporary,
                    Qualified {
                        object: None,
                        pointee,
                    },
                )
            }
            ExprKind::Deref(arg) => match self.static_type(arg) {
                ty @ Ty::Struct(_) => {
                    self.category_of_operator("operator*", &[Argument::of(ty, arg)])
                }
                _ => self.category_of_element(arg),
            },
            ExprKind::Index { base, index } => match self.static_type(base) {
                ty @ Ty::Struct(_) => {
                    let index = self.argument(index);
                    self.category_of_operator("operator[]", &[Argument::of(ty, base), index])
                }
                _ => self.category_of_element(base),
            },
            ExprKind::IncDec { arg, .. } | ExprKind::Assign { lhs: arg, .. }
                if self.is_plain(arg) =>
            {
                match &expr.kind {
                    ExprKind::IncDec { prefix: false, .. } => value,
                    _ => self.category(arg),
                }
            }
            ExprKind::Comma(_, second) => self.category(second),
            ExprKind::Conditional { then, els, .. } => {
                let (one, other) = (self.category(then), self.category(els));
                let same = self.static_type(then) == self.static_type(els);
                let agreed = |a: Option<bool>, b: Option<bool>| a.filter(|_| a == b);
                let qualified = Qualified {
                    object: agreed(one.1.object, other.1.object),
                    pointee: agreed(one.1.pointee, other.1.pointee),
                };
                match (one.0, other.0) {
                    (Category::Temporary, _) | (_, Category::Temporary) => {
                        (Category::Temporary, qualified)
                    }
                    (Category::Place, Category::Place) if same => (Category::Place, qualified),
                    _ => (Category::Unknown, qualified),
                }
            }
            ExprKind::Member { base, arrow, field } => self.category_of_member(base, *arrow, field),
            // `std::move(x)` of what is not constant: it may be taken apart as a temporary is.
            ExprKind::Call { callee, args } if args.len() == 1 && self.moves(callee) => {
                let (_, qualified) = self.category(&args[0]);
                match qualified.object {
                    Some(false) => (Category::Temporary, qualified),
                    _ => unknown,
                }
            }
            // `std::forward<T>(x)`
            ExprKind::Call { callee, args } if let Some(ty) = self.forwarded_type(callee, args) => {
                let (category, _) = self.category_of_type(&ty);
                (category, self.category(&args[0]).1)
            }
            ExprKind::Call { callee, args } => match self.called(callee, args) {
                Callee::Function(Found::One(found) | Found::Prototype(found)) => {
                    let ret = &found.function.ret;
                    match ret.kind {
                        // A constructor.
                        TypeKind::Scalar(Scalar::Void) => value,
                        _ => self.within(found.scope.clone(), |me| me.category_of_type(ret)),
                    }
                }
                // CUDA's own functions give values; those of C++'s library may give references.
                Callee::Value(_) if is_of_cuda(callee) => value,
                Callee::Value(_) => unknown,
                Callee::Function(_) | Callee::Lambda(_) => unknown,
            },
            _ => unknown,
        }
    }

    fn category_of_name(&mut self, name: &Name) -> (Category, Qualified) {
        let place = |qualified| (Category::Place, qualified);
        if let Some(simple) = name.as_simple() {
            if self.lookup(simple).is_some() {
                let bottom = self.calls.last().map_or(0, |call| call.scopes);
                let scopes = self.scopes[bottom..].iter().rev();
                let qualified = scopes
                    .filter(|scope| scope.get(simple).is_some())
                    .map(|scope| scope.qualified(simple))
                    .next();
                // A parameter that is a reference to a temporary is a place as well.
                return place(qualified.unwrap_or_default());
            }
            let scope = self.scope();
            if scope.values.contains_key(simple) {
                return (Category::Temporary, Qualified::default());
            }
            if simple != "warpSize" && self.means_builtin(name) {
                let constant = Qualified {
                    object: Some(true),
                    pointee: None,
                };
                return place(constant);
            }
            if let Some(class) = scope.class
                && class.field(simple).is_some()
                && !self.is_of_dependent_base(&class, name)
            {
                let constant = self.calls.last().and_then(|call| call.constant_this);
                return place(self.qualified_field(&class, simple, constant));
            }
        }
        let path = self.scope().path;
        if self
            .index
            .enumerator_at(&name.lookup_path(), &path, name.range)
            .is_some()
        {
            return (Category::Temporary, Qualified::default());
        }
        match self.index.global_at(&name.lookup_path(), &path, name.range) {
            Some(global) => {
                let mut qualified = self.qualified(&global.ty);
                if global.storage.constexpr {
                    qualified.object = Some(true);
                }
                place(qualified)
            }
            None => (Category::Unknown, Qualified::default()),
        }
    }

    /// `*a`, `a[i]`: what the operator of a class gives.
    fn category_of_operator(
        &mut self,
        name: &str,
        operands: &[Argument<'_>],
    ) -> (Category, Qualified) {
        let place = operands.iter().find_map(|operand| operand.expr);
        let place = place.map_or(Range::default(), |expr| expr.range);
        match self.operator(name, operands, place) {
            Some(found) => {
                let ret = &found.function.ret;
                self.within(found.scope.clone(), |me| me.category_of_type(ret))
            }
            None => (Category::Unknown, Qualified::default()),
        }
    }

    /// `*p`, `p[i]`: of a pointer or an array, not of a class.
    fn category_of_element(&mut self, base: &Expr) -> (Category, Qualified) {
        let ty = self.static_type(base);
        let (Ty::Pointer(element) | Ty::Array(element, _)) = &ty else {
            return (Category::Unknown, Qualified::default());
        };
        let of = self.category(base).1;
        let of_inner_array = matches!(&**element, Ty::Array(..));
        let qualified = Qualified {
            object: of.pointee,
            pointee: of.pointee.filter(|_| of_inner_array),
        };
        (Category::Place, qualified)
    }

    fn category_of_member(
        &mut self,
        base: &Expr,
        arrow: bool,
        field: &Name,
    ) -> (Category, Qualified) {
        let Some(class) = self.object_type(base, arrow) else {
            return (Category::Unknown, Qualified::default());
        };
        if class.field(&field.base).is_none() {
            return (Category::Unknown, Qualified::default());
        }
        let (category, of) = self.category(base);
        let is_pointer = matches!(decayed(self.static_type(base)), Ty::Pointer(_));
        let (category, constant) = match (arrow, is_pointer) {
            (true, true) => (Category::Place, of.pointee),
            (true, false) => (Category::Unknown, None),
            (false, _) => (category, of.object),
        };
        let simple = field.base.clone();
        (category, self.qualified_field(&class, &simple, constant))
    }

    /// A member of an object that is constant or not.
    fn qualified_field(
        &mut self,
        class: &Rc<StructTy>,
        field: &str,
        constant: Option<bool>,
    ) -> Qualified {
        let Some(record) = self.record(class) else {
            // Vectors of CUDA.
            return Qualified {
                object: constant,
                pointee: None,
            };
        };
        let Some(declared) = record.fields.iter().find(|one| one.name == field) else {
            return Qualified::default();
        };
        let scope = self.class_scope(class);
        let own = self.within(scope, |me| me.qualified(&declared.ty));
        let of_reference = self.referent(class, field).is_some();
        let object = match (declared.storage.mutable || of_reference, constant) {
            (true, _) | (_, Some(false)) => own.object,
            (_, Some(true)) => Some(true),
            (_, None) => own.object.filter(|constant| *constant),
        };
        let of_array = matches!(declared.ty.kind, TypeKind::Array(..));
        Qualified {
            object,
            pointee: if of_array { object } else { own.pointee },
        }
    }

    /// Whether an operator on an expression is that of the language.
    fn is_plain(&mut self, expr: &Expr) -> bool {
        match decayed(self.static_type(expr)) {
            Ty::Pointer(_) | Ty::Scalar(CType::Bool | CType::F32 | CType::F64) => true,
            // Types do not keep enumerations, for which the unit may declare operators.
            Ty::Scalar(ty) => {
                let path = self.scope().path;
                ty.is_integer() && self.enumeration(expr, &path).is_none()
            }
            _ => false,
        }
    }
}

/// Whether a call is written as one of CUDA's own functions, or of a class.
fn is_of_cuda(callee: &Expr) -> bool {
    match &callee.kind {
        ExprKind::Name(name) => {
            name.qualifier.is_empty()
                && !matches!(
                    name.base.as_str(),
                    "forward" | "move_if_noexcept" | "as_const" | "get"
                )
        }
        _ => false,
    }
}

/// Whether a name is that of a class, not another name for it.
fn is_class_itself(class: &StructTy, name: &Name) -> bool {
    let written = class.name.split('<').next().unwrap_or_default();
    last_component(written) == name.base
}
