//! Construction: by constructors, by default, by members, and by conversions from other classes.

use std::rc::Rc;

use warplog_facts::words::*;

use super::super::body::Lowerer;
use super::super::constness::Argument;
use super::super::conversions::Asked;
use super::super::derived::derives;
use super::super::overload::Found;
use super::super::types::{StructTy, Ty};
use super::super::unit::last_component;
use super::super::value::*;
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    /// `T(a, b)`, `T x(a, b)`, `T x{a, b}`, `T x;`: a value of a type.
    pub(crate) fn construct_value(&mut self, ty: &Ty, args: &[Expr], range: Range) -> Value {
        match ty {
            Ty::Struct(class) => self.construct_class(class, ty, args, range),
            Ty::Array(..) => {
                self.never_ends(ty, range);
                let var = self.local_array("temporary", ty, Some(args), range);
                self.env.get(var).clone()
            }
            Ty::Opaque { bytes: None, .. } | Ty::Void => {
                for arg in args {
                    self.expr(arg);
                }
                let why = format!("the class `{}` is not understood", ty.describe());
                self.unsupported(range, "constructor call", &why, Effect::Control);
                Value::Unknown
            }
            // An object is converted by a function of its own.
            _ if let [one] = args
                && matches!(self.static_type(one), Ty::Struct(_)) =>
            {
                self.expr_as_asked(one, ty, Asked::Yes)
            }
            _ => {
                let values: Vec<Value> = args.iter().map(|arg| self.expr(arg)).collect();
                match values.into_iter().next() {
                    Some(value) => self.convert(value, ty, range),
                    None => {
                        let zero = Value::Term(self.int(0));
                        self.convert(zero, ty, range)
                    }
                }
            }
        }
    }

    pub(super) fn construct_class(
        &mut self,
        class: &Rc<StructTy>,
        ty: &Ty,
        args: &[Expr],
        range: Range,
    ) -> Value {
        let Some(record) = self.record(class) else {
            if self.special(ty).any() {
                self.lost_object(range, "it is a member of a class of the library");
            }
            return self.aggregate(ty, args, range);
        };
        if class.layout().is_none() {
            let why = format!("the class `{}` is not understood", class.name);
            for arg in args {
                self.expr(arg);
            }
            self.unsupported(range, "constructor call", &why, Effect::Control);
            return Value::Unknown;
        }
        let simple = last_component(&record.name);
        let declared = self.index.methods(&record.name, simple);
        let of_list = |function: &&&Function| {
            function.params.first().is_some_and(|param| {
                matches!(&param.ty.kind, TypeKind::Named(name) if name.base == "initializer_list")
            })
        };
        if declared.iter().any(|one| of_list(&one)) {
            for arg in args {
                self.expr(arg);
            }
            let why = "whether its constructor for lists is meant is not told";
            self.unsupported(range, "constructor call", why, Effect::Control);
            return Value::Unknown;
        }
        if declared.is_empty() {
            if let [one] = args
                && !matches!(one.kind, ExprKind::InitList(_))
                && self.is_class_value(one, class)
            {
                return self.kept(one, ty);
            }
            if args.is_empty() {
                return self.default_value(ty, range);
            }
            if !record.bases.is_empty() {
                // Inherited constructors, or the fields of bases in braces.
                for arg in args {
                    self.expr(arg);
                }
                let what = format!("constructor call of `{}`", class.name);
                self.unsupported(
                    range,
                    &what,
                    "which constructor is meant is not known",
                    Effect::Control,
                );
                return self.unknown_value(ty, "object whose constructor is not known", range);
            }
            return self.aggregate(ty, args, range);
        }
        // A value is not copied once more: it becomes the object.
        if let [one] = args
            && self.special(ty).any()
            && self.static_type(one) == *ty
        {
            return self.initialised(one, ty);
        }
        let given: Vec<Argument<'_>> = args.iter().map(|arg| self.argument(arg)).collect();
        let name = Name::simple(simple, range);
        match self.resolve_method(class, &name, Some(false), &given) {
            Found::One(found) => {
                let before = self.birth();
                let place = self.constructed(ty, Value::Uninitialised, range);
                self.inline(&found, Some(place.clone()), args, range);
                let value = self.read_object(&place, range);
                self.keeps_nothing_since(before, &value, range);
                value
            }
            // `= default`
            Found::Prototype(_) if args.is_empty() => self.default_fields(class, ty, range),
            Found::None if args.is_empty() => self.default_fields(class, ty, range),
            _ if args.len() == 1 && self.is_class_value(&args[0], class) => self.kept(&args[0], ty),
            // Constructors that are declared but take something else: `S(const S &) = default` beside an aggregate.
            Found::None
                if declared.iter().all(|constructor| {
                    constructor.body.is_none() && constructor.params.len() <= 1
                }) =>
            {
                self.aggregate(ty, args, range)
            }
            _ => {
                for arg in args {
                    self.expr(arg);
                }
                let what = format!("constructor call of `{}`", class.name);
                self.unsupported(
                    range,
                    &what,
                    "which constructor is meant is not known",
                    Effect::Control,
                );
                self.unknown_value(ty, "object whose constructor is not known", range)
            }
        }
    }

    pub(super) fn is_class_value(&mut self, expr: &Expr, class: &Rc<StructTy>) -> bool {
        match self.static_type(expr) {
            Ty::Struct(own) => own == *class || derives(&own, class),
            _ => false,
        }
    }

    /// A variable that holds an object under construction.
    pub(crate) fn constructed(&mut self, ty: &Ty, value: Value, range: Range) -> Lvalue {
        let var = self.object("object", ty, range);
        let place = Lvalue::Variable {
            var,
            path: Vec::new(),
            ty: ty.clone(),
        };
        if value != Value::Uninitialised {
            self.write(&place, value, range);
        }
        place
    }

    /// The value of an object that is declared without initialiser.
    pub(crate) fn default_value(&mut self, ty: &Ty, range: Range) -> Value {
        match ty {
            Ty::Struct(class) if self.record(class).is_some() => {
                let record_name = self.record(class).map_or("", |record| &record.name);
                let declared = self.index.methods(record_name, last_component(record_name));
                if declared.is_empty() {
                    self.default_fields(class, ty, range)
                } else {
                    self.construct_class(class, ty, &[], range)
                }
            }
            Ty::Struct(class) if class.name == "dim3" => self.aggregate(ty, &[], range),
            _ => Value::Uninitialised,
        }
    }

    /// Fields with the initialisers that the class gives them.
    pub(super) fn default_fields(&mut self, class: &Rc<StructTy>, ty: &Ty, range: Range) -> Value {
        let Some(record) = self.record(class) else {
            return Value::Uninitialised;
        };
        let plain = |me: &mut Self, ty: &Ty| match ty.innermost() {
            Ty::Struct(inner) => me.record(inner).is_some(),
            _ => false,
        };
        let anything = record.fields.iter().any(|field| {
            let ty = class.field(&field.name).map(|(ty, _)| ty);
            field.init != Init::None || ty.is_some_and(|ty| plain(self, &ty))
        });
        let bases = class
            .layout()
            .is_some_and(|layout| !layout.bases.is_empty());
        if !anything && !bases {
            return Value::Uninitialised;
        }
        let before = self.birth();
        let place = self.constructed(ty, Value::Uninitialised, range);
        self.construct_parts(&place, class, &[], range);
        let value = self.read_object(&place, range);
        self.keeps_nothing_since(before, &value, range);
        value
    }

    /// Writes the fields of a base class value into the object of which it is a part.
    pub(crate) fn assign_parts(
        &mut self,
        part: &Lvalue,
        value: &Value,
        class: &Rc<StructTy>,
        range: Range,
    ) {
        match value {
            Value::Struct(fields) => {
                for (name, value) in fields.iter() {
                    if *value != Value::Uninitialised && class.field(name).is_some() {
                        let place = self.slot_place(part.clone(), name, range);
                        self.write(&place, value.clone(), range);
                    }
                }
            }
            value => self.write(part, value.clone(), range),
        }
    }

    /// The value that an initialiser gives a variable or field of a type.
    pub(crate) fn initial(&mut self, ty: &Ty, init: &Init, range: Range) -> Value {
        match init {
            Init::None => self.default_value(ty, range),
            Init::Expr(expr) if self.special(ty).any() => self.initialised(expr, ty),
            Init::Expr(expr) => self.expr_as(expr, ty),
            Init::List(Expr {
                kind: ExprKind::InitList(items),
                ..
            }) => self.construct_value(ty, items, range),
            Init::List(other) => {
                let value = self.expr(other);
                self.convert(value, ty, range)
            }
            Init::Call(args) => self.construct_value(ty, args, range),
        }
    }

    /// `: member(e)` of a constructor.
    pub(crate) fn member_init(&mut self, member: &Name, init: &Init, range: Range) {
        let Some(this) = self.this_place() else {
            self.unsupported(
                range,
                "a member initialiser",
                "its object is not known",
                Effect::Control,
            );
            return;
        };
        let class = match &this {
            Lvalue::Variable {
                ty: Ty::Struct(class),
                ..
            }
            | Lvalue::Memory {
                ty: Ty::Struct(class),
                ..
            } => Rc::clone(class),
            _ => return,
        };
        if let Some(simple) = member.as_simple()
            && let Some(referent) = self.referent(&class, simple)
        {
            let value = self.bound_member(init, &referent, range);
            let slot = self.slot_place(this, simple, range);
            self.write(&slot, value, range);
            return;
        }
        if let (Some(simple), Some((ty, _))) = (member.as_simple(), class.field(&member.base)) {
            let value = self.initial(&ty, init, range);
            let place = self.field_place(this, simple, range);
            if value != Value::Uninitialised {
                self.write(&place, value, range);
            }
            return;
        }
        match self.named_type(member) {
            Ty::Struct(base) if base == class || derives(&class, &base) => {
                let ty = Ty::Struct(Rc::clone(&base));
                let value = self.initial(&ty, init, range);
                let part = self.as_base(this, &base);
                self.assign_parts(&part, &value, &base, range);
            }
            _ => self.unsupported(
                range,
                "a member initialiser",
                "the class has no such member",
                Effect::Control,
            ),
        }
    }

    /// Whether a class may have a constructor that converts objects of another one, which is none of its own.
    pub(crate) fn may_convert(&self, from: &Rc<StructTy>, to: &Rc<StructTy>) -> bool {
        if from == to || derives(from, to) {
            return false;
        }
        let Some(record) = self.record(to) else {
            return false;
        };
        let given = last_component(from.name.split('<').next().unwrap_or_default());
        let takes = |constructor: &&Function| {
            let Some((first, rest)) = constructor.params.split_first() else {
                return false;
            };
            let of = match &first.ty.kind {
                TypeKind::Reference(of) | TypeKind::RvalueReference(of) => of,
                _ => &first.ty,
            };
            let TypeKind::Named(name) = &of.kind else {
                return false;
            };
            // Any other name may stand for the class.
            let may_be = name.base == given || !self.index.announces_class(&name.base);
            may_be
                && rest
                    .iter()
                    .all(|param| param.default.is_some() || param.pack)
        };
        let constructors = self
            .index
            .methods(&record.name, last_component(&record.name));
        constructors.iter().any(takes)
    }

    /// Whether a class has conversion operators.
    pub(crate) fn has_conversions(&self, class: &Rc<StructTy>) -> bool {
        self.index.has_conversions()
            && self.record(class).is_some_and(|record| {
                let functions = self.index.named.of_class(&record.name);
                functions
                    .iter()
                    .any(|one| one.name.starts_with("operator "))
            })
    }

    /// An object of a class that is made from one of another: `F f = m;`, `(F)m`.
    pub(crate) fn made_from_object(&mut self, expr: &Expr, own: &Ty, ty: &Ty) -> Option<Value> {
        let (Ty::Struct(from), Ty::Struct(to)) = (own, ty) else {
            return None;
        };
        if !self.may_convert(from, to) {
            return None;
        }
        if self.has_conversions(from) {
            let why = "whether a constructor or an operator converts it is not told";
            self.unsupported(expr.range, "conversion to a class", why, Effect::Control);
        }
        Some(self.construct_value(ty, std::slice::from_ref(expr), expr.range))
    }

    /// A conversion to a class by its constructor of one argument.
    pub(crate) fn converting_constructor(
        &mut self,
        value: &Value,
        class: &Rc<StructTy>,
        range: Range,
    ) -> Option<Value> {
        let record = self.record(class)?;
        let simple = last_component(&record.name);
        if self.index.methods(&record.name, simple).is_empty() {
            if !record.bases.is_empty() {
                let why = "whether a constructor of a base makes it is not told";
                self.unsupported(range, "conversion to a class", why, Effect::Control);
            }
            return None;
        }
        let from = self.type_of(value);
        let name = Name::simple(simple, range);
        let given = [Argument::from(from.clone())];
        let Found::One(found) = self.resolve_method(class, &name, Some(false), &given) else {
            return None;
        };
        let ty = Ty::Struct(Rc::clone(class));
        if copies(found.function, simple) {
            let why = "what is converted is not known";
            self.unsupported(range, "conversion to a class", why, Effect::Control);
            return Some(Value::Unknown);
        }
        // An explicit constructor is none where nothing is written but the value: `T x = 3;` calls another.
        let other = |one: &&Function| {
            let required = one.params.iter().filter(|param| param.default.is_none());
            !one.quals.explicit
                && !one.params.is_empty()
                && required.count() <= 1
                && !copies(one, simple)
        };
        if found.function.quals.explicit
            && self.index.methods(&record.name, simple).iter().any(other)
        {
            let why = "whether an explicit constructor is meant is not told";
            self.unsupported(range, "conversion to a class", why, Effect::Control);
            return Some(Value::Unknown);
        }
        let before = self.birth();
        let place = self.constructed(&ty, Value::Uninitialised, range);
        let passed = match found.function.params.first() {
            Some(param) if super::super::call::is_reference(&param.ty) => {
                if let TypeKind::Reference(to) = &param.ty.kind
                    && !to.is_const
                {
                    let why = "its constructor may change what is converted";
                    self.unsupported(range, "conversion to a class", why, Effect::Control);
                }
                super::super::call::Passed::Place(self.temporary(from, value.clone()))
            }
            _ => super::super::call::Passed::Value(value.clone()),
        };
        self.inline_passed(&found, Some(place.clone()), vec![passed], range);
        let value = self.read_object(&place, range);
        self.keeps_nothing_since(before, &value, range);
        Some(value)
    }

    /// Whether objects of the class do something when they come to be without arguments.
    pub(crate) fn constructs(&self, class: &Rc<StructTy>) -> bool {
        let Some(record) = self.record(class) else {
            return false;
        };
        let own = self
            .index
            .methods(&record.name, last_component(&record.name))
            .iter()
            .any(|constructor| {
                let given = constructor
                    .params
                    .iter()
                    .filter(|param| param.default.is_none());
                given.count() == 0
                    && constructor
                        .body
                        .as_ref()
                        .is_some_and(|body| !body.stmts.is_empty())
            });
        let bases = class.layout().map(|layout| layout.bases.clone());
        own || class.layout().is_none()
            || class
                .fields()
                .iter()
                .map(|(_, ty, _)| ty.innermost())
                .chain(bases.iter().flatten().map(|(base, _)| base))
                .any(|ty| matches!(ty, Ty::Struct(inner) if self.constructs(inner)))
    }
}

/// Whether a constructor takes an object of its own class.
pub(super) fn copies(constructor: &Function, class: &str) -> bool {
    constructor.params.first().is_some_and(|param| {
        let of = match &param.ty.kind {
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to,
            _ => &param.ty,
        };
        matches!(&of.kind, TypeKind::Named(name) if name.base == class)
    })
}
