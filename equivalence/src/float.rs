//! Floats of runs with numbers: IEEE 754 for what it defines exactly, and values that depend on the arguments only for the rest.
//!
//! Sum, difference, product, quotient, square root, fused multiplication, comparisons and conversions are those of the type.
//! `expf`, `sinf` and the like are rounded from a double: near what a device computes, the same on both sides.

use warplog_facts::CType;

/// A value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A float, by its bits.
    Float(CType, i128),
    /// An integer or truth value.
    Int(i128),
}

/// The float as a double.
#[must_use]
pub fn as_real(ty: CType, bits: i128) -> Option<f64> {
    match ty {
        CType::F32 => Some(f64::from(f32::from_bits(u32::try_from(bits).ok()?))),
        CType::F64 => Some(f64::from_bits(u64::try_from(bits).ok()?)),
        _ => None,
    }
}

/// The bits of a double as a float of the type; a NaN is always the same one.
#[must_use]
pub fn bits_of(ty: CType, value: f64) -> Option<i128> {
    match ty {
        CType::F32 if value.is_nan() => Some(i128::from(f32::NAN.to_bits())),
        CType::F64 if value.is_nan() => Some(i128::from(f64::NAN.to_bits())),
        CType::F32 => Some(i128::from((value as f32).to_bits())),
        CType::F64 => Some(i128::from(value.to_bits())),
        _ => None,
    }
}

fn made(ty: CType, value: f64) -> Option<Scalar> {
    Some(Scalar::Float(ty, bits_of(ty, value)?))
}

/// An operator on constants, by its name in the facts; `None` for what is not known.
#[must_use]
pub fn call(name: &str, ty: CType, args: &[Scalar]) -> Option<Scalar> {
    if name.starts_with("conversion") {
        return conversion(ty, *args.first()?);
    }
    if let Some(types) = name.strip_prefix("bits of ") {
        return bits_as(types.starts_with('f'), ty, *args.first()?);
    }
    let mut values = Vec::with_capacity(args.len());
    for arg in args {
        match *arg {
            Scalar::Float(ty, bits) => values.push(as_real(ty, bits)?),
            Scalar::Int(_) => return None,
        }
    }
    if let Some(operator) = name.strip_prefix("floating-point comparison ") {
        let &[a, b] = values.as_slice() else {
            return None;
        };
        let holds = match operator {
            "<" => a < b,
            "<=" => a <= b,
            "==" => a == b,
            "!=" => a != b,
            _ => return None,
        };
        return Some(Scalar::Int(i128::from(holds)));
    }
    // A sum, product or quotient of two floats of 24 bits that is rounded to 53 bits and then to 24 is rounded once.
    let value = match (name, values.as_slice()) {
        ("floating-point operator +", &[a, b]) => a + b,
        ("floating-point operator -", &[a, b]) => a - b,
        ("floating-point operator *", &[a, b]) => a * b,
        ("floating-point operator /", &[a, b]) => a / b,
        ("float negation", &[a]) => -a,
        ("fma" | "fmaf" | "__fmaf_rn" | "__fma_rn", &[a, b, c]) if ty == CType::F32 => {
            return Some(Scalar::Float(
                ty,
                i128::from((a as f32).mul_add(b as f32, c as f32).to_bits()),
            ));
        }
        ("fma" | "__fma_rn", &[a, b, c]) => a.mul_add(b, c),
        ("fmaxf" | "fmax", &[a, b]) => a.max(b),
        ("fminf" | "fmin", &[a, b]) => a.min(b),
        _ => return of_one(name, ty, &values),
    };
    made(ty, value)
}

fn of_one(name: &str, ty: CType, values: &[f64]) -> Option<Scalar> {
    let &[a] = values else { return None };
    let base = name.strip_prefix("__").unwrap_or(name);
    let base = base
        .strip_suffix('f')
        .filter(|_| base != "erf")
        .unwrap_or(base);
    let value = match base {
        "sqrt" => a.sqrt(),
        "rsqrt" => 1.0 / a.sqrt(),
        "fabs" => a.abs(),
        "exp" => a.exp(),
        "exp2" => a.exp2(),
        "log" => a.ln(),
        "log2" => a.log2(),
        "sin" => a.sin(),
        "cos" => a.cos(),
        "tanh" => a.tanh(),
        "floor" => a.floor(),
        "ceil" => a.ceil(),
        "trunc" => a.trunc(),
        _ => return None,
    };
    made(ty, value)
}

/// The bits of a number, which is a float or none, as one of another type; those of what is no number differ between devices.
fn bits_as(is_float: bool, ty: CType, from: Scalar) -> Option<Scalar> {
    match from {
        Scalar::Float(from, bits) if is_float && !as_real(from, bits)?.is_nan() => {
            let above = 1i128.checked_shl(ty.bits()?)?;
            let is_negative = ty.is_signed() && bits >= above / 2;
            Some(Scalar::Int(if is_negative { bits - above } else { bits }))
        }
        Scalar::Int(value) if !is_float => {
            let bits = match ty {
                CType::F32 => value & 0xffff_ffff,
                CType::F64 => value & 0xffff_ffff_ffff_ffff,
                _ => return None,
            };
            let is_number = !as_real(ty, bits)?.is_nan();
            is_number.then_some(Scalar::Float(ty, bits))
        }
        _ => None,
    }
}

fn conversion(ty: CType, from: Scalar) -> Option<Scalar> {
    match (from, ty) {
        (Scalar::Int(value), CType::F32) => {
            Some(Scalar::Float(ty, i128::from((value as f32).to_bits())))
        }
        (Scalar::Int(value), CType::F64) => made(ty, value as f64),
        (Scalar::Float(from, bits), CType::F32 | CType::F64) => made(ty, as_real(from, bits)?),
        (Scalar::Float(from, bits), _) if ty.is_integer() => {
            let value = as_real(from, bits)?.trunc();
            let whole = (value.abs() < 1e30).then_some(value as i128)?;
            ty.holds(whole).then_some(Scalar::Int(whole))
        }
        _ => None,
    }
}

/// Whether a function of this name is not computed as a device computes it.
#[must_use]
pub fn is_inexact(name: &str) -> bool {
    let exact = [
        "float negation",
        "fma",
        "fmaf",
        "fmaxf",
        "fminf",
        "fmax",
        "fmin",
        "sqrtf",
        "sqrt",
        "fabsf",
        "fabs",
        "floorf",
        "ceilf",
        "truncf",
    ];
    let exact_kinds = ["floating-point", "literal", "conversion"];
    !exact_kinds.iter().any(|kind| name.starts_with(kind)) && !exact.contains(&name)
}
