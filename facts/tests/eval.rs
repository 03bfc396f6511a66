//! Evaluation of operators against the arithmetic of Rust's own integer types.

use proptest::prelude::*;
use warplog_facts::eval::{Environment, EvalError, Evaluator};
use warplog_facts::*;

/// No leaf has a value.
struct Nothing;

impl Environment for Nothing {
    fn value(&self, _: TermId, _: &Term, _: &[i128]) -> Option<i128> {
        None
    }
}

/// What an operator should give; `None` where it is undefined, with the kind of the error.
type Expected = Result<i128, &'static str>;

const OVERFLOW: &str = "signed overflow";
const ZERO: &str = "division by zero";
const COUNT: &str = "shift count out of range";
const MISFIT: &str = "an assumption on the range of a value does not hold";

/// Reference semantics of the operators on one integer type, by the type's own methods.
macro_rules! reference {
    ($name:ident, $ty:ty, $wide:ty, $signed:literal) => {
        fn $name(op: Op, a: i128, b: i128) -> Expected {
            let (x, y) = (<$ty>::try_from(a).unwrap(), <$ty>::try_from(b).unwrap());
            let overflow = |checked: Option<$ty>, wrapped: $ty| {
                if $signed {
                    checked.map(i128::from).ok_or(OVERFLOW)
                } else {
                    Ok(i128::from(wrapped))
                }
            };
            match op {
                Op::Add => overflow(x.checked_add(y), x.wrapping_add(y)),
                Op::Sub => overflow(x.checked_sub(y), x.wrapping_sub(y)),
                Op::Mul => overflow(x.checked_mul(y), x.wrapping_mul(y)),
                Op::Neg => overflow(x.checked_neg(), x.wrapping_neg()),
                Op::Div if y == 0 => Err(ZERO),
                Op::Div => x.checked_div(y).map(i128::from).ok_or(OVERFLOW),
                Op::Rem if y == 0 => Err(ZERO),
                // INT_MIN % -1 is undefined as INT_MIN / -1 is.
                Op::Rem => x.checked_rem(y).map(i128::from).ok_or(OVERFLOW),
                Op::BitAnd => Ok(i128::from(x & y)),
                Op::BitOr => Ok(i128::from(x | y)),
                Op::BitXor => Ok(i128::from(x ^ y)),
                Op::BitNot => Ok(i128::from(!x)),
                Op::Shl | Op::Shr if b < 0 || b >= i128::from(<$ty>::BITS) => Err(COUNT),
                Op::Shr => Ok(i128::from(x >> b)),
                Op::Shl => {
                    // Into the sign bit, not beyond it.
                    let wrapped = x << b;
                    let wide = i128::from(x) << b;
                    let low = i128::from(<$ty>::MIN);
                    let high = (1i128 << <$ty>::BITS) - 1;
                    overflow((low <= wide && wide <= high).then_some(wrapped), wrapped)
                }
                Op::Eq => Ok(i128::from(x == y)),
                Op::Ne => Ok(i128::from(x != y)),
                Op::Lt => Ok(i128::from(x < y)),
                Op::Le => Ok(i128::from(x <= y)),
                Op::Min => Ok(i128::from(x.min(y))),
                Op::Max => Ok(i128::from(x.max(y))),
                Op::Popc => Ok(i128::from(x.count_ones())),
                Op::Clz => Ok(i128::from(x.leading_zeros())),
                Op::Ffs => Ok(if x == 0 {
                    0
                } else {
                    i128::from(x.trailing_zeros()) + 1
                }),
                Op::Brev => Ok(i128::from(x.reverse_bits())),
                Op::MulHi => Ok(i128::from(
                    ((<$wide>::from(x) * <$wide>::from(y)) >> <$ty>::BITS) as $ty,
                )),
                _ => unreachable!("{op}"),
            }
        }
    };
}

reference!(of_i8, i8, i16, true);
reference!(of_u8, u8, u16, false);
reference!(of_i16, i16, i32, true);
reference!(of_u16, u16, u32, false);
reference!(of_i32, i32, i64, true);
reference!(of_u32, u32, u64, false);
reference!(of_i64, i64, i128, true);
reference!(of_u64, u64, u128, false);

fn expected(op: Op, ty: CType, a: i128, b: i128) -> Expected {
    match ty {
        CType::I8 => of_i8(op, a, b),
        CType::U8 => of_u8(op, a, b),
        CType::I16 => of_i16(op, a, b),
        CType::U16 => of_u16(op, a, b),
        CType::I32 => of_i32(op, a, b),
        CType::U32 => of_u32(op, a, b),
        CType::I64 => of_i64(op, a, b),
        CType::U64 => of_u64(op, a, b),
        _ => unreachable!("{ty}"),
    }
}

const UNARY: &[Op] = &[Op::Neg, Op::BitNot, Op::Popc, Op::Clz, Op::Ffs, Op::Brev];
const BINARY: &[Op] = &[
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::Div,
    Op::Rem,
    Op::BitAnd,
    Op::BitOr,
    Op::BitXor,
    Op::Shl,
    Op::Shr,
    Op::Eq,
    Op::Ne,
    Op::Lt,
    Op::Le,
    Op::Min,
    Op::Max,
    Op::MulHi,
];

fn result_type(op: Op, ty: CType) -> CType {
    match op {
        Op::Eq | Op::Ne | Op::Lt | Op::Le => CType::Bool,
        Op::Popc | Op::Clz | Op::Ffs => CType::I32,
        _ => ty,
    }
}

/// The operator on constants: as evaluated, and as folded when it is built.
fn found(op: Op, ty: CType, args: &[i128]) -> (Expected, Option<i128>) {
    let mut store = TermStore::default();
    let args: Vec<TermId> = args
        .iter()
        .map(|&arg| store.intern(Op::Const, ty, arg, &[]))
        .collect();
    let result = result_type(op, ty);
    let raw = store.intern(op, result, 0, &args);
    let made = store.make(op, result, 0, &args);
    let value = Evaluator::new(&store, &Nothing).value(raw).map_err(kind);
    (value, store.as_const(made))
}

fn kind(error: EvalError) -> &'static str {
    match error {
        EvalError::Overflow(_) => OVERFLOW,
        EvalError::DivisionByZero(_) => ZERO,
        EvalError::ShiftCount(_) => COUNT,
        EvalError::Misfit(_) => MISFIT,
        EvalError::NotKnown(_) => "value not known",
    }
}

fn agree(op: Op, ty: CType, a: i128, b: i128) {
    let args = if UNARY.contains(&op) {
        vec![a]
    } else {
        vec![a, b]
    };
    let (value, folded) = found(op, ty, &args);
    let expected = expected(op, ty, a, b);
    assert_eq!(value, expected, "{op} {ty} {args:?}");
    if let Ok(expected) = expected {
        assert_eq!(folded, Some(expected), "{op} {ty} {args:?}, folded");
    }
}

#[test]
fn bytes_are_computed_as_by_rust() {
    for ty in [CType::I8, CType::U8] {
        let (low, high) = (ty.min().unwrap(), ty.max().unwrap());
        for a in low..=high {
            for &op in UNARY {
                agree(op, ty, a, 0);
            }
            for b in
                (low..=high).filter(|b| b % 16 == a % 16 || b.abs() < 4 || *b == low || *b == high)
            {
                for &op in BINARY {
                    agree(op, ty, a, b);
                }
            }
        }
    }
}

const NUMBERS: [CType; 8] = [
    CType::I8,
    CType::U8,
    CType::I16,
    CType::U16,
    CType::I32,
    CType::U32,
    CType::I64,
    CType::U64,
];

fn operand() -> impl Strategy<Value = i128> {
    prop_oneof![
        (-70i128..70),
        (0u32..65, -2i128..3).prop_map(|(shift, near)| (1i128 << shift) + near),
        (0u32..65, -2i128..3).prop_map(|(shift, near)| near - (1i128 << shift)),
        any::<i64>().prop_map(i128::from),
        any::<u64>().prop_map(i128::from),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn wider_types_are_computed_as_by_rust(a in operand(), b in operand()) {
        for ty in NUMBERS {
            for &op in UNARY.iter().chain(BINARY) {
                agree(op, ty, ty.wrap(a), ty.wrap(b));
            }
        }
    }

    #[test]
    fn conversions_are_those_of_rust(value in operand()) {
        for from in NUMBERS {
            let value = from.wrap(value);
            for (to, expected) in [
                (CType::I8, i128::from(value as i8)),
                (CType::U8, i128::from(value as u8)),
                (CType::I16, i128::from(value as i16)),
                (CType::U16, i128::from(value as u16)),
                (CType::I32, i128::from(value as i32)),
                (CType::U32, i128::from(value as u32)),
                (CType::I64, i128::from(value as i64)),
                (CType::U64, i128::from(value as u64)),
                (CType::Bool, i128::from(value != 0)),
            ] {
                let mut store = TermStore::default();
                let arg = store.intern(Op::Const, from, value, &[]);
                let cast = store.intern(Op::Cast, to, 0, &[arg]);
                let fit = store.intern(Op::Fit, to, 0, &[arg]);
                let mut evaluator = Evaluator::new(&store, &Nothing);
                prop_assert_eq!(evaluator.value(cast), Ok(expected));
                let fits = if to == CType::Bool { value == 0 || value == 1 } else { expected == value };
                prop_assert_eq!(evaluator.value(fit).map_err(kind), if fits { Ok(value) } else { Err(MISFIT) });
                let made = store.cast(arg, to);
                prop_assert_eq!(store.as_const(made), Some(expected));
            }
        }
    }

    /// The closed forms have the value of the loop that they stand for.
    #[test]
    fn closed_forms_are_loops(start in operand(), base in 2u8..9, steps in 0u8..70) {
        for ty in NUMBERS {
            let start = ty.wrap(start);
            let (mut product, mut quotient) = (Ok(start), Ok(start));
            let base = i128::from(base).min(ty.max().unwrap());
            for _ in 0..steps {
                product = product.and_then(|value| expected(Op::Mul, ty, value, base));
                quotient = quotient.and_then(|value| expected(Op::Div, ty, value, base));
            }
            for (op, expected) in [(Op::MulPow, product), (Op::DivPow, quotient)] {
                let mut store = TermStore::default();
                let first = store.intern(Op::Const, ty, start, &[]);
                let count = store.intern(Op::Const, CType::I64, i128::from(steps), &[]);
                let power = store.intern(op, ty, base, &[first, count]);
                let value = Evaluator::new(&store, &Nothing).value(power);
                prop_assert_eq!(value.map_err(kind), expected, "{} {} {} {}", op, ty, start, base);
            }
        }
    }
}

/// Operands that are not needed are not evaluated, as in C.
#[test]
fn evaluation_is_lazy_where_c_is() {
    let mut store = TermStore::default();
    let int = CType::I32;
    let one = store.intern(Op::Const, int, 1, &[]);
    let zero = store.intern(Op::Const, int, 0, &[]);
    let bad = store.intern(Op::Div, int, 0, &[one, zero]);
    let worse = store.intern(Op::Eq, CType::Bool, 0, &[bad, zero]);
    let opaque = store.unknown(UnknownId(0), CType::Bool);
    let yes = store.intern(Op::Const, CType::Bool, 1, &[]);
    let no = store.intern(Op::Const, CType::Bool, 0, &[]);
    let mut value = |op: Op, ty: CType, args: &[TermId]| {
        let term = store.intern(op, ty, 0, args);
        Evaluator::new(&store, &Nothing).value(term).map_err(kind)
    };
    let unknown = Err("value not known");
    assert_eq!(value(Op::Ite, int, &[yes, one, bad]), Ok(1));
    assert_eq!(value(Op::Ite, int, &[no, bad, one]), Ok(1));
    assert_eq!(value(Op::Ite, int, &[no, one, bad]), Err(ZERO));
    assert_eq!(value(Op::Ite, int, &[opaque, one, one]), unknown);
    assert_eq!(value(Op::And, CType::Bool, &[no, worse]), Ok(0));
    assert_eq!(value(Op::And, CType::Bool, &[worse, no]), Err(ZERO));
    assert_eq!(value(Op::Or, CType::Bool, &[yes, worse]), Ok(1));
    assert_eq!(value(Op::Or, CType::Bool, &[no, worse]), Err(ZERO));
    // Whatever an unknown value is, the other operand may decide.
    assert_eq!(value(Op::And, CType::Bool, &[opaque, no]), Ok(0));
    assert_eq!(value(Op::And, CType::Bool, &[opaque, yes]), unknown);
    assert_eq!(value(Op::Or, CType::Bool, &[opaque, yes]), Ok(1));
    assert_eq!(value(Op::Or, CType::Bool, &[opaque, no]), unknown);
}

/// Chains longer than the call stack is deep are evaluated.
#[test]
fn long_chains_do_not_overflow_the_stack() {
    let mut store = TermStore::default();
    let mut chain = store.intern(Op::Const, CType::U32, 1, &[]);
    for _ in 0..300_000 {
        chain = store.intern(Op::BitNot, CType::U32, 0, &[chain]);
    }
    assert_eq!(Evaluator::new(&store, &Nothing).value(chain), Ok(1));
}
