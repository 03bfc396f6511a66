//! Objects of classes: their parts, construction, lambdas.
//!
//! A class of scalars is held as a [`Value::Struct`]. One with arrays, unions or members that share a name is held as
//! bytes, like a local array: [`Value::Local`], whose `known` has a value for each scalar at its byte offset.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Binding, Lowerer, Names};
use super::call::Called;
use super::constness::{Argument, Category};
use super::conversions::Asked;
use super::derived::derives;
use super::overload::{Chosen, Found};
use super::types::{Extent, StructTy, Ty, TypeScope};
use super::unit::last_component;
use super::value::*;
use super::walk;
use crate::syntax::ast::*;

/// Most scalars of an object whose values are followed one by one.
const MAX_LEAVES: usize = 256;

/// A lambda expression and what it captured.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    pub lambda: Rc<Lambda>,
    pub bindings: Names,
    /// It holds copies of objects that copy constructors make: so do those of copies of the closure.
    pub keeps_objects: bool,
    pub types: TypeScope,
    pub this: Option<Lvalue>,
    /// Whether that object is constant.
    pub constant_this: Option<bool>,
}

/// Whether a type is held as bytes rather than as separate values.
pub(crate) fn in_memory(ty: &Ty) -> bool {
    match ty {
        Ty::Array(..) => true,
        Ty::Struct(class) => class.layout().is_some_and(|layout| layout.in_memory),
        _ => false,
    }
}

/// The scalars of a type with their byte offsets; `None` where members share bytes or there are too many.
pub(crate) fn leaves(ty: &Ty) -> Option<Vec<(u64, Ty)>> {
    let mut found = Vec::new();
    collect(ty, 0, &mut found).then_some(found)
}

fn collect(ty: &Ty, at: u64, found: &mut Vec<(u64, Ty)>) -> bool {
    match ty {
        Ty::Array(element, Extent::Constant(count)) => {
            let Some(bytes) = element.bytes() else {
                return false;
            };
            *count <= MAX_LEAVES as u64
                && (0..*count).all(|index| collect(element, at + index * bytes, found))
        }
        Ty::Array(..) | Ty::Void => false,
        Ty::Struct(class) => {
            let Some(layout) = class.layout() else {
                return false;
            };
            let mut end = 0;
            let mut run = None;
            layout.fields.iter().all(|(_, field, start)| {
                // Bit fields next to each other are one number.
                if let Ty::Bits(bits) = field {
                    if run == Some(*start) {
                        return true;
                    }
                    run = Some(*start);
                    let apart = *start >= end;
                    end = start + field.bytes().unwrap_or(0);
                    return apart && collect(&Ty::Scalar(bits.unit), at + start, found);
                }
                let apart = *start >= end;
                end = start + field.bytes().unwrap_or(0);
                apart && collect(field, at + start, found)
            })
        }
        scalar => {
            found.push((at, scalar.clone()));
            found.len() <= MAX_LEAVES
        }
    }
}

/// How many variables and arrays there were at some time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Birth {
    variables: usize,
    arrays: usize,
}

impl<'u> Lowerer<'u, '_> {
    /// A new variable of any type, without a value.
    pub(crate) fn object(&mut self, name: &str, ty: &Ty, range: Range) -> VarId {
        if in_memory(ty) {
            self.local_array(name, ty, None, range)
        } else {
            self.variable(name, ty.clone(), Value::Uninitialised)
        }
    }

    /// Writes the scalars of a value at their offsets.
    pub(crate) fn spread(
        &self,
        value: &Value,
        ty: &Ty,
        at: i128,
        known: &mut BTreeMap<i128, Value>,
    ) {
        match (value, ty) {
            (Value::Struct(fields), Ty::Struct(class)) => {
                for (name, field, start) in class.fields() {
                    if let Some((_, value)) = fields.iter().find(|(field, _)| *field == name) {
                        self.spread(value, &field, at + i128::from(start), known);
                    }
                }
            }
            (Value::Local(local), _) => {
                for (offset, value) in local.known.iter() {
                    known.insert(at + offset, value.clone());
                }
            }
            (Value::Uninitialised | Value::Unknown | Value::Void, _) => {}
            // A part of the number there.
            (_, Ty::Bits(_)) => {
                known.remove(&at);
            }
            (value, _) => {
                known.insert(at, value.clone());
            }
        }
    }

    /// The value of a type whose scalars are at an offset; those that are not known are `None` where any is missing.
    pub(crate) fn gather(
        &mut self,
        ty: &Ty,
        at: i128,
        known: &BTreeMap<i128, Value>,
        range: Range,
    ) -> Option<Value> {
        match ty {
            Ty::Struct(class) if !in_memory(ty) => {
                let mut fields = Vec::new();
                for (name, field, start) in class.fields() {
                    let value = match self.gather(&field, at + i128::from(start), known, range) {
                        Some(value) => value,
                        None => self.unknown_value(&field, "part of a local object", range),
                    };
                    fields.push((name, value));
                }
                Some(Value::Struct(Rc::new(fields)))
            }
            Ty::Struct(_) | Ty::Array(..) => {
                let bytes = i128::from(ty.bytes()?);
                let part = known
                    .range(at..at + bytes)
                    .map(|(offset, value)| (offset - at, value.clone()))
                    .collect();
                Some(self.bytes_object(ty, part, range))
            }
            scalar => {
                let value = known.get(&at)?;
                // What was written with another size is not what is read.
                (self.type_of(value).bytes() == scalar.bytes()).then(|| value.clone())
            }
        }
    }

    /// An object held as bytes.
    pub(crate) fn bytes_object(
        &mut self,
        ty: &Ty,
        known: BTreeMap<i128, Value>,
        range: Range,
    ) -> Value {
        let array = self.array("temporary", Space::Local, ty, range);
        let element = match ty {
            Ty::Array(element, _) => Ty::clone(element),
            other => other.clone(),
        };
        Value::Local(LocalArray {
            array,
            element,
            bytes: ty.bytes(),
            known: Rc::new(known),
        })
    }

    /// The field of a register object that begins at an offset and has a size, as names from the outside in.
    pub(crate) fn path_at(
        &self,
        ty: &Ty,
        offset: i128,
        bytes: Option<u64>,
    ) -> Option<(Vec<String>, Ty)> {
        if offset == 0 && ty.bytes() == bytes && !matches!(ty, Ty::Struct(_)) {
            return Some((Vec::new(), ty.clone()));
        }
        let Ty::Struct(class) = ty else {
            return None;
        };
        for (name, field, start) in class.fields() {
            let (start, size) = (i128::from(start), i128::from(field.bytes()?));
            if start <= offset && offset < start + size {
                let (mut path, ty) = self.path_at(&field, offset - start, bytes)?;
                path.insert(0, name);
                return Some((path, ty));
            }
        }
        None
    }

    /// The part of an object that is its base class.
    pub(crate) fn as_base(&mut self, place: Lvalue, base: &Rc<StructTy>) -> Lvalue {
        let from = match &place {
            Lvalue::Variable {
                ty: Ty::Struct(from),
                ..
            }
            | Lvalue::Memory {
                ty: Ty::Struct(from),
                ..
            } => Rc::clone(from),
            _ => return place,
        };
        let Some(offset) = base_offset(&from, base) else {
            return place;
        };
        match place {
            Lvalue::Variable { var, path, .. } if !in_memory(&Ty::Struct(Rc::clone(&from))) => {
                Lvalue::Variable {
                    var,
                    path,
                    ty: Ty::Struct(Rc::clone(base)),
                }
            }
            place => {
                let Lvalue::Memory { targets, .. } = self.in_bytes(place) else {
                    return Lvalue::Unknown;
                };
                Lvalue::Memory {
                    targets: self.moved_by(targets, i128::from(offset)),
                    ty: Ty::Struct(Rc::clone(base)),
                }
            }
        }
    }

    /// The object as the class whose member function was found sees it.
    pub(crate) fn as_owner(&mut self, place: Lvalue, found: &Chosen<'u>) -> Lvalue {
        match found.scope.class.clone() {
            Some(owner) => self.as_base(place, &owner),
            None => place,
        }
    }

    pub(crate) fn moved_by(&mut self, targets: Vec<Target>, bytes: i128) -> Vec<Target> {
        let bytes = self.facts.terms.constant(bytes, CType::I64);
        targets
            .into_iter()
            .map(|target| {
                let offset = self
                    .facts
                    .terms
                    .binary(Op::Add, CType::I64, target.offset, bytes);
                Target { offset, ..target }
            })
            .collect()
    }

    /// A place as bytes: of a variable, a target that is counted from it.
    pub(crate) fn in_bytes(&mut self, place: Lvalue) -> Lvalue {
        let Lvalue::Variable { var, path, ty } = place else {
            return place;
        };
        let mut offset = 0;
        let mut at = self.variables[var.0 as usize].1.clone();
        for field in &path {
            let Ty::Struct(class) = &at else {
                return Lvalue::Unknown;
            };
            let Some((field, start)) = class.field(field) else {
                return Lvalue::Unknown;
            };
            offset += start;
            at = field;
        }
        // The part that is a base.
        if let (Ty::Struct(whole), Ty::Struct(base)) = (&at, &ty) {
            offset += base_offset(whole, base).unwrap_or(0);
        }
        let offset = self.facts.terms.constant(i128::from(offset), CType::I64);
        Lvalue::Memory {
            targets: vec![Target {
                condition: None,
                base: Base::Variable(var),
                offset,
            }],
            ty,
        }
    }

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

    fn construct_class(
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

    fn is_class_value(&mut self, expr: &Expr, class: &Rc<StructTy>) -> bool {
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
    fn default_fields(&mut self, class: &Rc<StructTy>, ty: &Ty, range: Range) -> Value {
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
            let mut classes = self.index.unit.structs.iter();
            // Any other name may stand for the class.
            let may_be =
                name.base == given || !classes.any(|one| last_component(&one.name) == name.base);
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
                self.index.unit.functions.iter().any(|one| {
                    one.owner.as_deref() == Some(&record.name) && one.name.starts_with("operator ")
                })
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
            Some(param) if super::call::is_reference(&param.ty) => {
                if let TypeKind::Reference(to) = &param.ty.kind
                    && !to.is_const
                {
                    let why = "its constructor may change what is converted";
                    self.unsupported(range, "conversion to a class", why, Effect::Control);
                }
                super::call::Passed::Place(self.temporary(from, value.clone()))
            }
            _ => super::call::Passed::Value(value.clone()),
        };
        self.inline_passed(&found, Some(place.clone()), vec![passed], range);
        let value = self.read_object(&place, range);
        self.keeps_nothing_since(before, &value, range);
        Some(value)
    }

    /// What there is now of variables and objects: what comes later has larger numbers.
    pub(crate) fn birth(&self) -> Birth {
        Birth {
            variables: self.variables.len(),
            arrays: self.facts.array.len(),
        }
    }

    /// An object is made beside the place where it will be, and so are the variables of a function that ends: addresses of
    /// them must not stay, in the value that goes there or in what there was before.
    pub(crate) fn keeps_nothing_since(&mut self, before: Birth, value: &Value, range: Range) {
        let old = (0..before.variables).map(|index| {
            let var = VarId(u32::try_from(index).unwrap_or(u32::MAX));
            self.env.get(var)
        });
        let mut kept = std::iter::once(value).chain(old);
        if kept.any(|value| self.leads_behind(before, value)) || self.numbers_behind(before, value)
        {
            let what = "object that is made";
            let why = "its address, or that of a part of it, is kept: by itself or elsewhere";
            self.unsupported(range, what, why, Effect::Control);
        }
    }

    /// Whether a value holds the address of something younger as a number.
    fn numbers_behind(&self, before: Birth, value: &Value) -> bool {
        match value {
            _ if self.addresses.is_empty() => false,
            Value::Term(term) => self.facts.terms.reachable(&[*term]).iter().any(|part| {
                let pointer = self.addresses.get(part).cloned().flatten();
                pointer.is_some_and(|one| self.leads_behind(before, &Value::Pointer(one)))
            }),
            Value::Struct(fields) => {
                let mut parts = fields.iter().map(|(_, part)| part);
                parts.any(|part| self.numbers_behind(before, part))
            }
            Value::Local(local) => {
                let mut parts = local.known.values();
                parts.any(|part| self.numbers_behind(before, part))
            }
            _ => false,
        }
    }

    /// Whether a value holds an address of something younger.
    pub(crate) fn leads_behind(&self, before: Birth, value: &Value) -> bool {
        let is_young = |base: Base| match base {
            Base::Variable(var) => var.0 as usize >= before.variables,
            Base::Array(array) => {
                let row = &self.facts.array[array.index()];
                array.index() >= before.arrays && row.space == Space::Local
            }
            Base::Null | Base::Unknown => false,
        };
        let is_young_place = |place: &Lvalue| match place {
            Lvalue::Variable { var, .. } => is_young(Base::Variable(*var)),
            Lvalue::Memory { targets, .. } => targets.iter().any(|target| is_young(target.base)),
            Lvalue::Unknown => false,
        };
        match value {
            Value::Pointer(pointer) => pointer.targets.iter().any(|target| is_young(target.base)),
            Value::Struct(fields) => fields
                .iter()
                .any(|(_, part)| self.leads_behind(before, part)),
            Value::Local(local) => local
                .known
                .values()
                .any(|part| self.leads_behind(before, part)),
            Value::Function(callable) => callable.any(|one| match one {
                Callable::Lambda(index) => self.closures.get(*index).is_some_and(|closure| {
                    // The order does not show: only whether there is one.
                    #[allow(clippy::iter_over_hash_type)]
                    let bound = closure.bindings.bindings().any(|binding| match binding {
                        Binding::Reference(place) => is_young_place(place),
                        Binding::Variable(_) | Binding::Memory { .. } => false,
                    });
                    bound || closure.this.as_ref().is_some_and(is_young_place)
                }),
                _ => false,
            }),
            _ => false,
        }
    }

    /// What a call gives, as a value.
    pub(crate) fn value_of(&mut self, called: Called, range: Range) -> Value {
        match called {
            Called::Value(value) => value,
            Called::Place(place) => self.read(&place, range),
        }
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

    /// A lambda expression as a value.
    pub(crate) fn lambda(&mut self, lambda: &Lambda, range: Range) -> Value {
        let mut used: FxHashSet<&str> = FxHashSet::default();
        for stmt in &lambda.body.stmts {
            walk::each_expr(stmt, &mut |expr| {
                if let ExprKind::Name(name) = &expr.kind {
                    used.insert(&name.base);
                }
            });
        }
        let captures: Vec<&str> = lambda.captures.split(',').map(str::trim).collect();
        if captures
            .iter()
            .any(|capture| capture.len() > 1 && capture.contains('='))
        {
            self.unsupported(
                range,
                "lambda expression",
                "a capture with an initialiser",
                Effect::Control,
            );
            return Value::Unknown;
        }
        let copies = captures
            .iter()
            .any(|capture| !capture.starts_with('&') && !capture.is_empty() && *capture != "this")
            || lambda.inits.iter().any(is_copy);
        if lambda.mutable && copies || captures.contains(&"*this") {
            self.unsupported(
                range,
                "lambda expression",
                "a copy in it that changes: copies of the closure are not told apart",
                Effect::Control,
            );
        }
        // What is captured by its name is copied whether it is used or not.
        used.extend(captures.iter().filter(|capture| !capture.is_empty()));
        let by_value = |name: &str| {
            if captures.contains(&format!("&{name}").as_str()) {
                return false;
            }
            captures.contains(&name) || captures.contains(&"=")
        };
        let bottom = self.calls.last().map_or(0, |call| call.scopes);
        let mut bindings = Names::default();
        for scope in &self.scopes[bottom..] {
            bindings.extend(scope, |name| used.contains(name));
        }
        let names: Vec<String> = bindings
            .sorted()
            .into_iter()
            .map(|(name, _)| name.clone())
            .collect();
        let mut kept = false;
        for name in names {
            // Shared variables are not captured: they are what they are.
            let place = match bindings.get(&name) {
                Some(Binding::Variable(var)) => Lvalue::Variable {
                    var: *var,
                    path: Vec::new(),
                    ty: self.variables[var.0 as usize].1.clone(),
                },
                Some(Binding::Reference(place)) => place.clone(),
                _ => continue,
            };
            let ty = match &place {
                Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
                Lvalue::Unknown => continue,
            };
            if by_value(&name) {
                let special = self.special(&ty);
                // `[=]` copies what is used, but for `sizeof` and the like nothing is.
                let is_told = captures.contains(&name.as_str()) && matches!(ty, Ty::Struct(_));
                if special.ends || special.copies && !is_told {
                    self.lost_object(range, "a closure keeps a copy of it");
                }
                kept |= special.any();
                let value = match (&place, &ty) {
                    (place, Ty::Struct(class)) if special.copies => {
                        let known = (Category::Place, bindings.qualified(&name));
                        self.copied(class, place.clone(), known, range)
                    }
                    (Lvalue::Variable { var, path, .. }, _) if path.is_empty() => {
                        self.env.get(*var).clone()
                    }
                    (place, _) => self.read(place, range),
                };
                let copy = self.variable(&name, ty, value);
                let mut qualified = bindings.qualified(&name);
                // A copy is constant in a lambda that is not mutable.
                qualified.object = qualified.object.map(|constant| constant || !lambda.mutable);
                bindings.insert_as(name, Binding::Variable(copy), qualified);
            }
        }
        for capture in &lambda.inits {
            kept |= self.capture(capture, lambda.mutable, &mut bindings);
        }
        let index = self.closures.len();
        self.closures.push(Closure {
            lambda: Rc::new(lambda.clone()),
            bindings,
            keeps_objects: kept,
            types: self.scope(),
            this: self.this_place(),
            constant_this: self.calls.last().and_then(|call| call.constant_this),
        });
        Value::Function(Rc::new(Callable::Lambda(index)))
    }

    /// The class that is meant by `B` in `o.B::m`: the object's own or a base of it. The name is looked up in the class of the object
    /// first, then where it stands.
    pub(crate) fn part_class(&mut self, object: &Ty, ty: &Type) -> Option<Rc<StructTy>> {
        let (Ty::Struct(whole), TypeKind::Reference(named)) = (object, &ty.kind) else {
            return None;
        };
        let inside = self.class_scope(whole);
        let found = [
            self.within(inside, |me| me.resolve(named)),
            self.resolve(named),
        ];
        found.into_iter().find_map(|found| match found {
            Ty::Struct(part) if part == *whole || derives(whole, &part) => Some(part),
            _ => None,
        })
    }

    /// The part of an object that is a class.
    pub(crate) fn part_place(&mut self, object: &Expr, ty: &Type, range: Range) -> Lvalue {
        let whole = self.static_type(object);
        let is_pointed_to = match &object.kind {
            ExprKind::Deref(pointer) => {
                let pointer = super::typing::decayed(self.static_type(pointer));
                matches!(pointer, Ty::Pointer(_))
            }
            _ => true,
        };
        let place = self.place(object);
        match self.part_class(&whole, ty).filter(|_| is_pointed_to) {
            Some(part) => self.as_base(place, &part),
            None => {
                let what = "a qualified member";
                self.unsupported(range, what, "its class is not known", Effect::Control);
                Lvalue::Unknown
            }
        }
    }

    /// `[n = 2 * size]`: a variable of the closure. Its initialiser sees the names around the lambda and not its own. Whether it is
    /// an object that copy constructors make.
    fn capture(&mut self, capture: &VarDecl, mutable: bool, bindings: &mut Names) -> bool {
        let mut mentioned = Vec::new();
        walk::in_init(&capture.init, &mut |expr| mentioned.push(expr));
        let may_end = self.index.may_be_special;
        let mut ends = |expr: &Expr| {
            let ty = self.static_type(expr);
            self.special(&ty).ends
        };
        if may_end && mentioned.iter().any(|expr| ends(expr)) {
            self.lost_object(capture.range, "a closure keeps a copy of it");
        }
        let unnamed = VarDecl {
            name: format!("[{}]", capture.name),
            ..capture.clone()
        };
        self.scopes.push(Names::default());
        self.declare(&unnamed);
        let scope = self.scopes.pop().unwrap_or_default();
        let Some(binding) = scope.get(&unnamed.name) else {
            return false;
        };
        let mut kept = false;
        if let Binding::Variable(var) = binding {
            let (name, ty) = &mut self.variables[var.0 as usize];
            name.clone_from(&capture.name);
            let ty = ty.clone();
            kept = self.special(&ty).any();
        }
        let mut qualified = scope.qualified(&unnamed.name);
        if is_copy(capture) {
            qualified.object = qualified.object.map(|constant| constant || !mutable);
        }
        bindings.insert_as(capture.name.clone(), binding.clone(), qualified);
        kept
    }
}

/// Whether a capture with an initialiser is an object of its own.
fn is_copy(capture: &VarDecl) -> bool {
    matches!(capture.ty.kind, TypeKind::Auto)
}

/// Where the part of a class that is a base class begins.
pub(crate) fn base_offset(from: &StructTy, base: &StructTy) -> Option<u64> {
    if from == base {
        return Some(0);
    }
    from.layout()?.bases.iter().find_map(|(ty, at)| match ty {
        Ty::Struct(inner) => base_offset(inner, base).map(|offset| at + offset),
        _ => None,
    })
}

/// Whether a constructor takes an object of its own class.
fn copies(constructor: &Function, class: &str) -> bool {
    constructor.params.first().is_some_and(|param| {
        let of = match &param.ty.kind {
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => to,
            _ => &param.ty,
        };
        matches!(&of.kind, TypeKind::Named(name) if name.base == class)
    })
}
