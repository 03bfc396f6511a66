//! C arithmetic on the integers of random kernels, written apart from the evaluator of the facts.
//!
//! Two's complement, truncating division; `None` where C leaves the result open (signed overflow, division by zero, a shift by
//! too much): a run that meets it says nothing.

use super::tree::{Bin, Ty, Un, common, promoted};

/// A value with its type, in range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Its type.
    pub ty: Ty,
    /// The number it stands for.
    pub number: i128,
}

/// The number that the bits stand for once they are cut to the type.
#[must_use]
pub fn wrap(number: i128, ty: Ty) -> i128 {
    let size = 1_i128 << ty.bits();
    let low = number.rem_euclid(size);
    if ty.signed() && low >= size / 2 {
        low - size
    } else {
        low
    }
}

impl Value {
    /// The value converted to a type.
    #[must_use]
    pub fn to(self, ty: Ty) -> Value {
        let number = wrap(self.number, ty);
        Value { ty, number }
    }

    /// A number of type `int`.
    #[must_use]
    pub fn int(number: i128) -> Value {
        let ty = Ty::I32;
        Value { ty, number }
    }

    /// Whether a condition holds.
    #[must_use]
    pub fn holds(self) -> bool {
        self.number != 0
    }
}

/// The result of an arithmetic operation in a type: unsigned ones wrap, signed ones must not need to.
fn fit(number: i128, ty: Ty) -> Option<Value> {
    let wrapped = wrap(number, ty);
    let number = if ty.signed() {
        (wrapped == number).then_some(number)?
    } else {
        wrapped
    };
    Some(Value { ty, number })
}

/// An operation on one value.
#[must_use]
pub fn unary(op: Un, a: Value) -> Option<Value> {
    let ty = promoted(a.ty);
    match op {
        Un::Neg => fit(-a.number, ty),
        Un::Inv => Some(Value {
            ty,
            number: wrap(!a.number, ty),
        }),
        Un::Not => Some(Value::int(i128::from(!a.holds()))),
    }
}

/// An operation on two values, both of which have been computed.
#[must_use]
pub fn binary(op: Bin, a: Value, b: Value) -> Option<Value> {
    if matches!(op, Bin::Shl | Bin::Shr) {
        let ty = promoted(a.ty);
        let count = u32::try_from(b.number)
            .ok()
            .filter(|count| *count < ty.bits())?;
        return match op {
            // Into the sign bit, not beyond it (CWG 1457).
            Bin::Shl => {
                let result = a.number << count;
                let defined = result < 1_i128 << ty.bits();
                fit(
                    if defined && result > 0 {
                        wrap(result, ty)
                    } else {
                        result
                    },
                    ty,
                )
            }
            _ => Some(Value {
                ty,
                number: a.number >> count,
            }),
        };
    }
    let ty = common(a.ty, b.ty);
    let (x, y) = (a.to(ty).number, b.to(ty).number);
    let truth = |holds: bool| Some(Value::int(i128::from(holds)));
    match op {
        Bin::Add => fit(x + y, ty),
        Bin::Sub => fit(x - y, ty),
        Bin::Mul => fit(x.checked_mul(y)?, ty),
        Bin::Div => fit(x.checked_div(y)?, ty),
        Bin::Rem => {
            fit(x.checked_div(y)?, ty)?;
            fit(x % y, ty)
        }
        Bin::And => fit(wrap(x & y, ty), ty),
        Bin::Or => fit(wrap(x | y, ty), ty),
        Bin::Xor => fit(wrap(x ^ y, ty), ty),
        Bin::Lt => truth(x < y),
        Bin::Le => truth(x <= y),
        Bin::Gt => truth(x > y),
        Bin::Ge => truth(x >= y),
        Bin::Eq => truth(x == y),
        Bin::Ne => truth(x != y),
        Bin::Both => truth(a.holds() && b.holds()),
        Bin::Either => truth(a.holds() || b.holds()),
        Bin::Shl | Bin::Shr => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(number: i128, ty: Ty) -> Value {
        Value { ty, number }
    }

    #[test]
    fn as_in_c() {
        let int = |number| value(number, Ty::I32);
        let unsigned = |number| value(number, Ty::U32);
        for (op, a, b, result) in [
            (Bin::Sub, unsigned(0), int(1), Some(unsigned(0xffff_ffff))),
            (Bin::Lt, int(-1), unsigned(1), Some(int(0))),
            (Bin::Lt, value(-1, Ty::I8), value(255, Ty::U8), Some(int(1))),
            (Bin::Div, int(-7), int(2), Some(int(-3))),
            (Bin::Rem, int(-7), int(2), Some(int(-1))),
            (Bin::Div, int(1), int(0), None),
            (Bin::Div, int(i128::from(i32::MIN)), int(-1), None),
            (Bin::Add, int(i128::from(i32::MAX)), int(1), None),
            (Bin::Shr, int(-5), int(1), Some(int(-3))),
            (Bin::Shl, int(1), int(32), None),
            (Bin::Shl, int(1), int(31), Some(int(i128::from(i32::MIN)))),
            (Bin::Shl, int(3), int(31), None),
            (Bin::Shl, int(-1), int(31), Some(int(i128::from(i32::MIN)))),
            (Bin::Shl, int(-3), int(30), None),
            (Bin::Shl, unsigned(3), int(31), Some(unsigned(0x8000_0000))),
            (Bin::Xor, int(-1), int(5), Some(int(-6))),
            (
                Bin::Mul,
                value(300, Ty::U16),
                value(300, Ty::U16),
                Some(int(90000)),
            ),
        ] {
            assert_eq!(binary(op, a, b), result, "{a:?} {} {b:?}", op.sign());
        }
        assert_eq!(unary(Un::Inv, unsigned(0)), Some(unsigned(0xffff_ffff)));
        assert_eq!(value(200, Ty::I32).to(Ty::I8), value(-56, Ty::I8));
        assert_eq!(value(-1, Ty::I32).to(Ty::U16), value(65535, Ty::U16));
    }
}
