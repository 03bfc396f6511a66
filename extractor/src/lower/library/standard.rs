//! The parts of the C++ library that device code uses: `std::swap`, `std::move`, `numeric_limits`,
//! type traits.

use std::rc::Rc;

use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::value::*;
use super::{Call, Family, Meaning, row, rows};
use crate::syntax::ast::*;

pub(super) const FAMILY: Family = Family {
    subject: "C++ library",
    source: "C++ standard: utility, algorithm, bit, limits, meta; libcu++, which repeats them in cuda::std",
    namespaces: &["std", "cuda::std", "thrust", "cuda"],
    global: false,
    rows: &[
        row("swap", 2, Meaning::By(swap)),
        row("move as_const", 1, Meaning::By(same)),
        row("forward", 1, Meaning::By(forward)),
        row("exchange", 2, Meaning::By(exchange)),
        row("clamp", 3, Meaning::By(clamp)),
        row("bit_cast", 1, Meaning::By(bit_cast)),
        rows("unreachable", 0, 0, Meaning::Pure(super::Out::Nothing)),
        row("get", 1, Meaning::By(element)),
        row("make_pair", 2, Meaning::By(of_elements)),
        rows("make_tuple", 1, MOST_ELEMENTS, Meaning::By(of_elements)),
    ],
};

fn same(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    Some(me.expr(call.args.first()?))
}

/// `std::forward<T>(x)`: what is no `T` is converted to one first.
fn forward(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let arg = call.args.first()?;
    let value = me.expr(arg);
    let to = me.template_type(call.full.args.as_ref()?.first()?);
    Some(match (&to, &value) {
        (Ty::Scalar(_), Value::Term(_)) => me.convert(value, &to, call.range),
        (Ty::Opaque { bytes: None, .. }, Value::Term(_))
            if !matches!(arg.kind, ExprKind::Name(_)) =>
        {
            me.convert_to_any(value, &to, call.range)
        }
        _ => value,
    })
}

fn swap(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [left, right] = call.args else {
        return None;
    };
    let first = me.place(left);
    let second = me.place(right);
    let old_first = me.read(&first, left.range);
    let old_second = me.read(&second, right.range);
    me.write(&first, old_second, left.range);
    me.write(&second, old_first, right.range);
    Some(Value::Void)
}

fn exchange(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [object, value] = call.args else {
        return None;
    };
    let place = me.place(object);
    let new = me.expr(value);
    let old = me.read(&place, object.range);
    me.write(&place, new, call.range);
    Some(old)
}

/// `std::clamp(v, low, high)`
fn clamp(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let written = call.full.args.as_ref().and_then(|args| args.first());
    let written = written.map(|arg| me.template_type(arg));
    let values = me.values_of(call.args);
    if values.iter().any(super::integer::is_object) {
        super::integer::compares_objects(me, call);
        return Some(Value::Unknown);
    }
    let mut terms = Vec::new();
    for value in values {
        let value = match &written {
            Some(ty) => me.convert(value, ty, call.range),
            None => value,
        };
        terms.push(me.term_of(&value, call.range));
    }
    let &[value, low, high] = terms.as_slice() else {
        return None;
    };
    let (value, low, ty) = me.usual(value, low);
    if !ty.is_integer() {
        return Some(Value::Term(me.pure(call.name, ty, &[value, low, high])));
    }
    let high = me.cast_term(high, ty);
    let terms = &mut me.facts.terms;
    let above = terms.binary(Op::Max, ty, value, low);
    Some(Value::Term(terms.binary(Op::Min, ty, above, high)))
}

/// `std::bit_cast<unsigned>(f)`: a pure function, exact between integers of one width.
fn bit_cast(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let arg = call.full.args.as_ref()?.first()?;
    let ty = me.template_type(arg);
    let value = me.expr(call.args.first()?);
    let Ty::Scalar(to) = ty else {
        return Some(me.unknown_value(&ty, "bits of another type", call.range));
    };
    let term = me.term_of(&value, call.range);
    Some(Value::Term(me.bits_as(term, to)))
}

/// `std::get<1>(pair)` where its value is wanted.
fn element(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let place = me.element_of_pair(call.full, call.args, call.range)?;
    Some(me.read(&place, call.range))
}

/// Most elements of a tuple.
const MOST_ELEMENTS: usize = 16;

/// `std::make_pair(a, b)`, `std::make_tuple(a, b, c)`: an object of the types of the values.
fn of_elements(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    // `make_pair<long>(1, 2)` converts first.
    if call.full.args.is_some() {
        return None;
    }
    let types: Vec<Ty> = call.args.iter().map(|arg| me.static_type(arg)).collect();
    let class = made_of(call.name, &types)?;
    let values = me.values_of(call.args);
    let names = super::types::fields(&class)?.into_iter();
    let members = names.zip(values).map(|((name, _), value)| (name, value));
    Some(Value::Struct(Rc::new(members.collect())))
}

/// The class that `make_pair` and `make_tuple` make of values of these types; of an array they keep its address.
pub(super) fn made_of(name: &str, types: &[Ty]) -> Option<Ty> {
    let kept = |ty: &Ty| match ty {
        Ty::Array(element, _) => Some(Ty::clone(element).pointer_to()),
        // A class of the program may be copied by a constructor of its own.
        Ty::Struct(class) if class.class.is_some() => None,
        ty => ty.bytes().is_some().then(|| ty.clone()),
    };
    let types = types.iter().map(kept).collect::<Option<Vec<Ty>>>()?;
    match (name, types.as_slice()) {
        ("make_pair", [first, second]) => super::types::pair([first.clone(), second.clone()]),
        ("make_tuple", _) => super::types::tuple(types),
        _ => None,
    }
}

impl Lowerer<'_, '_> {
    /// A template argument as a type.
    pub(super) fn template_type(&mut self, arg: &TemplateArg) -> Ty {
        match arg {
            TemplateArg::Type(ty) => self.resolve(ty),
            TemplateArg::Name(name) => {
                let range = name.range;
                self.resolve(&Type::new(TypeKind::Named(name.clone()), range))
            }
            TemplateArg::Expr(_) => Ty::Opaque {
                name: "value".to_owned(),
                bytes: None,
            },
        }
    }

    /// `std::numeric_limits<T>::max()` and the like.
    pub(super) fn limits(&mut self, call: &Call<'_>) -> Option<Value> {
        let class = call.full.qualifier.last()?;
        if class.name != "numeric_limits" || !call.args.is_empty() {
            return None;
        }
        let ty = self.template_type(class.args.as_ref()?.first()?);
        self.limit(call.name, &ty)
    }

    fn limit(&mut self, name: &str, ty: &Ty) -> Option<Value> {
        let Ty::Scalar(ty) = *ty else {
            // Of a half number, or of a type that the launch decides.
            let bounds = [
                "max",
                "min",
                "lowest",
                "infinity",
                "epsilon",
                "quiet_NaN",
                "denorm_min",
                "signaling_NaN",
                "round_error",
            ];
            if !bounds.contains(&name) {
                return None;
            }
            let name = format!("{name} of {}", ty.describe());
            return Some(Value::Term(self.pure(&name, ty.ctype(), &[])));
        };
        if ty.is_integer() {
            let value = match name {
                "max" => ty.max()?,
                "min" | "lowest" => ty.min()?,
                "infinity" | "epsilon" | "quiet_NaN" | "signaling_NaN" | "denorm_min"
                | "round_error" => 0,
                _ => return None,
            };
            return Some(Value::Term(self.facts.terms.constant(value, ty)));
        }
        let single = ty == CType::F32;
        let value = match name {
            "max" if single => f64::from(f32::MAX),
            "max" => f64::MAX,
            "min" if single => f64::from(f32::MIN_POSITIVE),
            "min" => f64::MIN_POSITIVE,
            "lowest" if single => f64::from(f32::MIN),
            "lowest" => f64::MIN,
            "infinity" => f64::INFINITY,
            "epsilon" if single => f64::from(f32::EPSILON),
            "epsilon" => f64::EPSILON,
            "quiet_NaN" | "signaling_NaN" => f64::NAN,
            "denorm_min" if single => f64::from(f32::from_bits(1)),
            "denorm_min" => f64::from_bits(1),
            "round_error" => 0.5,
            _ => return None,
        };
        Some(Value::Term(self.float_constant(value, ty)))
    }

    /// A floating-point number as a term of its bit pattern.
    pub(super) fn float_constant(&mut self, value: f64, ty: CType) -> TermId {
        let bits = match ty {
            CType::F32 => i128::from((value as f32).to_bits()),
            _ => i128::from(value.to_bits()),
        };
        self.facts.terms.intern(Op::Const, ty, bits, &[])
    }

    /// `std::is_same<T, U>::value`, `std::is_same_v<T, U>`, `std::numeric_limits<T>::digits`: what
    /// the traits say, where they can be told.
    pub(super) fn trait_value(&mut self, name: &Name) -> Option<Value> {
        let (of, args) = if name.base == "value" {
            let class = name.qualifier.last()?;
            (class.name.as_str(), class.args.as_ref()?)
        } else if let Some(of) = name.base.strip_suffix("_v") {
            (of, name.args.as_ref()?)
        } else {
            let class = name.qualifier.last()?;
            if class.name != "numeric_limits" {
                return None;
            }
            let of = class.args.as_ref()?.first()?;
            if self.refers(of) {
                return None;
            }
            let ty = self.template_type(of);
            return self.limit_constant(&name.base, &ty);
        };
        if let Some(holds) = self.trait_of_references(of, args) {
            return Some(Value::Term(self.facts.terms.truth(holds)));
        }
        let types: Vec<Ty> = args.iter().map(|arg| self.template_type(arg)).collect();
        let unknown = |ty: &Ty| matches!(ty, Ty::Opaque { .. }) && !ty.is_resolved();
        let has_enums = !self.index.unit.enums.is_empty();
        let first = types.first()?;
        let scalar = match first {
            Ty::Scalar(ty) => Some(*ty),
            _ => None,
        };
        let named = |kind: &str| matches!(first, Ty::Opaque { name, .. } if name == kind);
        let (long_double, wide) = (named("longdouble"), named("int128") || named("uint128"));
        let half = matches!(first, Ty::Opaque { name, .. } if name == "half" || name == "bfloat16");
        let holds = match of {
            // Types that are not understood may still be one and the same.
            "is_same" => {
                let [left, right] = types.as_slice() else {
                    return None;
                };
                if left == right && args.iter().any(|arg| self.may_be_qualified(arg)) {
                    return None;
                }
                let is_told = left.is_resolved() && right.is_resolved();
                // A template type that the launch decides is itself.
                if !(is_told || left == right && self.is_untold(left)) {
                    return None;
                }
                // `long` and `long long` are one type here, and so are `char` and `signed char`.
                let written = |arg: &TemplateArg| match arg {
                    TemplateArg::Type(Type {
                        kind: TypeKind::Scalar(scalar),
                        ..
                    }) => Some(*scalar),
                    _ => None,
                };
                match args.as_slice() {
                    [one, other] if left == right => match (written(one), written(other)) {
                        (Some(one), Some(other)) => one == other,
                        _ if has_twins(left, has_enums) => return None,
                        _ => true,
                    },
                    _ => left == right,
                }
            }
            _ if unknown(first) => return None,
            // No trait of a reference is that of what it refers to.
            _ if args.first().is_some_and(|arg| self.refers(arg)) => return None,
            "is_integral" | "is_arithmetic" | "is_signed" | "is_unsigned"
                if scalar.is_some_and(CType::is_integer) && has_enums =>
            {
                let identity = self.identity_of_argument(args.first()?)?;
                let is_enum = !matches!(identity.kind, TypeKind::Scalar(_));
                let scalar = scalar?;
                !is_enum
                    && match of {
                        "is_signed" => scalar.is_signed(),
                        "is_unsigned" => scalar.is_unsigned() || scalar == CType::Bool,
                        _ => true,
                    }
            }
            // Whether half numbers count as numbers is for libcu++'s version to say, and 128 bits for the dialect.
            "is_floating_point" | "is_integral" | "is_arithmetic" | "is_signed" | "is_unsigned"
                if half && name.qualifier.first().is_some_and(|one| one.name != "std") || wide =>
            {
                return None;
            }
            "is_floating_point" | "is_arithmetic" | "is_signed" if long_double => true,
            "is_floating_point" => scalar.is_some_and(|ty| !ty.is_integer()),
            "is_integral" => scalar.is_some_and(CType::is_integer),
            "is_arithmetic" => scalar.is_some(),
            "is_signed" => scalar.is_some_and(|ty| ty.is_signed() || !ty.is_integer()),
            "is_unsigned" => scalar.is_some_and(|ty| ty.is_unsigned() || ty == CType::Bool),
            // `std::nullptr_t` is kept as `void *`, and is no pointer type.
            "is_pointer" if *first == Ty::Void.pointer_to() => {
                let identity = self.identity_of_argument(args.first()?)?;
                matches!(identity.kind, TypeKind::Pointer(_))
            }
            "is_pointer" => matches!(first, Ty::Pointer(_)),
            "is_void" => *first == Ty::Void,
            "is_class" => match first {
                Ty::Struct(class) => {
                    let record = self.record(class);
                    record.is_none_or(|record| record.kind != StructKind::Union)
                }
                _ => half,
            },
            _ => return None,
        };
        Some(Value::Term(self.facts.terms.truth(holds)))
    }

    fn limit_constant(&mut self, name: &str, ty: &Ty) -> Option<Value> {
        let Ty::Scalar(ty) = *ty else {
            return None;
        };
        let digits = match ty {
            CType::F32 => 24,
            CType::F64 => 53,
            ty => i64::from(ty.bits()?) - i64::from(ty.is_signed()),
        };
        Some(Value::Term(match name {
            "digits" => self.int(digits),
            "is_signed" => {
                let signed = ty.is_signed() || !ty.is_integer();
                self.facts.terms.truth(signed)
            }
            "is_integer" | "is_exact" => self.facts.terms.truth(ty.is_integer()),
            "has_infinity" | "is_iec559" | "has_quiet_NaN" => {
                self.facts.terms.truth(!ty.is_integer())
            }
            _ => return None,
        }))
    }
}

/// Whether several types of C++ are kept as this one: `long` and `long long`, an enumeration and what it is made of.
fn has_twins(ty: &Ty, has_enums: bool) -> bool {
    match ty {
        Ty::Scalar(CType::I8 | CType::U8 | CType::I64 | CType::U64) => true,
        Ty::Scalar(ctype) => has_enums && ctype.is_integer(),
        // `std::nullptr_t` is kept as `void *`.
        Ty::Pointer(of) if **of == Ty::Void => true,
        Ty::Pointer(of) | Ty::Array(of, _) => has_twins(of, has_enums),
        _ => false,
    }
}

/// A template argument, for [`class_template`](super::types::class_template).
pub(crate) enum Argument {
    Type(Ty),
    /// A value, or a name of which it is not known what it stands for.
    Other,
}

/// Sorts a template argument; `resolve` resolves types in the scope it stands in.
pub(crate) fn argument(arg: &TemplateArg, resolve: &mut dyn FnMut(&Type) -> Ty) -> Argument {
    match arg {
        TemplateArg::Type(ty) => Argument::Type(resolve(ty)),
        TemplateArg::Expr(_) => Argument::Other,
        TemplateArg::Name(name) => {
            match resolve(&Type::new(TypeKind::Named(name.clone()), name.range)) {
                Ty::Opaque { bytes: None, .. } => Argument::Other,
                ty => Argument::Type(ty),
            }
        }
    }
}
