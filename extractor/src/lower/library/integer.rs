//! Integer and bit functions, by their meaning in terms where terms can express it.

use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::value::*;
use super::{Call, Family, Meaning, Out, row, rows};
use crate::syntax::ast::*;

const I32: Meaning = Meaning::Pure(Out::Is(CType::I32));
const U32: Meaning = Meaning::Pure(Out::Is(CType::U32));

pub(super) const FAMILY: Family = Family {
    subject: "Integers and bits",
    source: "CUDA Math API: Integer Mathematical Functions, Integer Intrinsics; C++ programming guide: min, max",
    namespaces: &["std", "cuda::std", "thrust", "cuda"],
    global: true,
    rows: &[
        row("min max", 2, Meaning::By(smaller_or_larger)),
        row("min max", 1, Meaning::By(of_list)),
        row(
            "umin umax llmin llmax ullmin ullmax",
            2,
            Meaning::By(smaller_or_larger_of_type),
        ),
        row("abs", 1, Meaning::By(absolute)),
        row("labs llabs __builtin_abs", 1, Meaning::By(absolute_of_type)),
        row("__mul24 __umul24", 2, Meaning::By(multiply_24)),
        row(
            "__mulhi __umulhi __mul64hi __umul64hi",
            2,
            Meaning::By(high_product),
        ),
        row(
            "__popc __popcll __clz __clzll __ffs __ffsll __brev __brevll",
            1,
            Meaning::By(bits),
        ),
        row(
            "__builtin_popcount{,l,ll} __builtin_clz{,l,ll} __builtin_ffs{,l,ll} __builtin_ctz{,l,ll}",
            1,
            Meaning::By(builtin_bits),
        ),
        row("__sad __usad", 3, Meaning::By(absolute_difference)),
        row("__hadd __uhadd __rhadd __urhadd", 2, Meaning::By(average)),
        row("__funnelshift_{l,lc,r,rc}", 3, Meaning::By(funnel_shift)),
        row("__byte_perm", 3, U32),
        row("__fns", 3, U32),
        row("__dp4a __dp2a_lo __dp2a_hi", 3, Meaning::By(dot_product)),
        row(
            "__nv_bswap16 __builtin_bswap16",
            1,
            Meaning::Pure(Out::Is(CType::U16)),
        ),
        row("__builtin_bswap32", 1, U32),
        row("__builtin_bswap64", 1, Meaning::Pure(Out::Is(CType::U64))),
        row("__umad24 __umulmad24", 3, U32),
        row(
            "popcount countl_zero countr_zero countl_one countr_one bit_width",
            1,
            Meaning::By(bits_of_type),
        ),
        row("rotl rotr", 2, Meaning::By(rotate)),
        row("gcd lcm", 2, Meaning::By(common_factor)),
        row(
            "isdigit isalpha isalnum isspace isupper islower isxdigit ispunct toupper tolower",
            1,
            I32,
        ),
        // stdint.h: a literal of the type.
        row(
            "INT8_C INT16_C INT32_C UINT8_C UINT16_C UINT32_C",
            1,
            Meaning::By(literal),
        ),
        row(
            "INT64_C UINT64_C INTMAX_C UINTMAX_C",
            1,
            Meaning::By(literal),
        ),
        rows("ceil_div", 2, 2, Meaning::By(ceil_div)),
    ],
};

/// `min`, `max` of two numbers; `std::max<float>(a, b)` converts both first.
fn smaller_or_larger(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let written = call.full.args.as_ref().and_then(|args| args.first());
    let written = written.map(|arg| me.template_type(arg));
    let mut values = me.values_of(call.args);
    if values.iter().any(is_object) {
        compares_objects(me, call);
        return Some(Value::Unknown);
    }
    if let Some(ty) = written {
        values = values
            .into_iter()
            .map(|value| me.convert(value, &ty, call.range))
            .collect();
    }
    let terms: Vec<TermId> = values
        .iter()
        .map(|value| me.term_of(value, call.range))
        .collect();
    Some(Value::Term(two(me, call.name, terms[0], terms[1])))
}

pub(super) fn is_object(value: &Value) -> bool {
    matches!(value, Value::Struct(_) | Value::Local(_))
}

/// An operator of theirs compares them, and may do anything.
pub(super) fn compares_objects(me: &mut Lowerer<'_, '_>, call: &Call<'_>) {
    me.unsupported(
        call.range,
        &format!("call of `{}`", call.full.path()),
        "how objects are compared is not followed",
        warplog_facts::words::Effect::Control,
    );
}

/// `umin(a, b)`, `llmax(a, b)`: of `unsigned`, `long long`, `unsigned long long` arguments, to which theirs are converted.
fn smaller_or_larger_of_type(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let ty = match call.name {
        "umin" | "umax" => CType::U32,
        "llmin" | "llmax" => CType::I64,
        _ => CType::U64,
    };
    let terms = me.terms_of(call.args);
    let (left, right) = (me.cast_term(terms[0], ty), me.cast_term(terms[1], ty));
    Some(Value::Term(two(me, call.name, left, right)))
}

fn two(me: &mut Lowerer<'_, '_>, name: &str, left: TermId, right: TermId) -> TermId {
    let (left, right, ty) = me.usual(left, right);
    if !ty.is_integer() {
        return me.pure(name, ty, &[left, right]);
    }
    let op = if name.ends_with("min") {
        Op::Min
    } else {
        Op::Max
    };
    me.facts.terms.binary(op, ty, left, right)
}

/// `std::min({a, b, c})`
fn of_list(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [
        Expr {
            kind: ExprKind::InitList(items),
            ..
        },
    ] = call.args
    else {
        return None;
    };
    let written = call.full.args.as_ref().and_then(|args| args.first());
    let written = written.map(|arg| me.template_type(arg));
    let values = me.values_of(items);
    if values.iter().any(is_object) {
        compares_objects(me, call);
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
    let (&first, rest) = terms.split_first()?;
    let all = rest
        .iter()
        .fold(first, |best, &next| two(me, call.name, best, next));
    Some(Value::Term(all))
}

fn absolute(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    // `abs` of a complex number is a real one.
    if let Some(Value::Struct(fields)) = values.first() {
        let part = fields.first().map(|(_, part)| part.clone())?;
        let ty = match part {
            Value::Term(term) => me.facts.terms.ty(term),
            _ => CType::Opaque,
        };
        return Some(me.pure_result(Out::Is(ty), call.name, &values, call.range));
    }
    let term = me.term_of(values.first()?, call.range);
    let ty = me.facts.terms.ty(term).promoted();
    if !ty.is_integer() {
        return Some(Value::Term(me.pure(call.name, ty, &[term])));
    }
    let term = me.facts.terms.cast(term, ty);
    Some(Value::Term(magnitude(me, term, ty)))
}

/// `labs(x)`, `llabs(x)`, `__builtin_abs(x)`: of arguments of a type, to which theirs is converted.
fn absolute_of_type(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let ty = match call.name {
        "__builtin_abs" => CType::I32,
        _ => CType::I64,
    };
    let term = me.terms_of(call.args)[0];
    let term = me.cast_term(term, ty);
    Some(Value::Term(magnitude(me, term, ty)))
}

fn magnitude(me: &mut Lowerer<'_, '_>, term: TermId, ty: CType) -> TermId {
    let terms = &mut me.facts.terms;
    let zero = terms.constant(0, ty);
    let negative = terms.binary(Op::Lt, CType::Bool, term, zero);
    let negated = terms.unary(Op::Neg, ty, term);
    terms.ite(negative, negated, term)
}

/// The low 32 bits of the product of the operands' low 24 bits. Indices, sizes of the launch and parameters, and global ids, are
/// taken to fit in 24 bits, which is what the function was made for; of anything else the upper bits are dropped.
fn multiply_24(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let ty = if call.name == "__mul24" {
        CType::I32
    } else {
        CType::U32
    };
    let terms = me.terms_of(call.args);
    let fit = terms[..2].iter().all(|&term| fits_in_24_bits(me, term));
    if fit {
        me.assumption("operands of 24-bit multiplications fit in 24 bits");
    }
    let operands = [terms[0], terms[1]].map(|term| {
        if fit {
            return term;
        }
        let term = me.cast_term(term, CType::U32);
        let terms = &mut me.facts.terms;
        let eight = terms.constant(8, CType::I32);
        let high = terms.binary(Op::Shl, CType::U32, term, eight);
        let high = terms.cast(high, ty);
        terms.binary(Op::Shr, ty, high, eight)
    });
    // The product of 24-bit operands has 48 bits, of which 32 are kept.
    let [left, right] = operands.map(|term| me.cast_term(term, CType::U32));
    let terms = &mut me.facts.terms;
    let product = terms.binary(Op::Mul, CType::U32, left, right);
    Some(Value::Term(terms.cast(product, ty)))
}

/// How large a number is that is made of indices, sizes of the launch and parameters.
enum Size {
    /// At most this, whatever is open.
    Most(i128),
    /// Made of something open, by small factors.
    Open,
}

/// Whether a number that is made of indices, sizes of the launch, parameters and constants by sums and products fits in 24 bits, or
/// may be taken to: where the launch is known, it is known of the number.
fn fits_in_24_bits(me: &Lowerer<'_, '_>, term: TermId) -> bool {
    let mut left = 64;
    match size(me, term, &mut left) {
        Some(Size::Most(most)) => most < 1 << 23,
        Some(Size::Open) => true,
        None => false,
    }
}

/// What is known of the size of a number that is not negative; none of any other.
fn size(me: &Lowerer<'_, '_>, id: TermId, left: &mut u32) -> Option<Size> {
    *left = left.checked_sub(1)?;
    let terms = &me.facts.terms;
    let term = terms.get(id);
    if let Some(value) = terms.as_const(id) {
        return (value >= 0).then_some(Size::Most(value));
    }
    // An index is below the size of its axis.
    let index = |dimension: usize| match terms.as_const(me.dimensions[dimension]) {
        Some(size) => Size::Most(size - 1),
        None => Size::Open,
    };
    Some(match (term.op, term.args.as_slice()) {
        (Op::Cast | Op::Fit, &[arg]) if term.ty.is_integer() => size(me, arg, left)?,
        (Op::Add, &[one, other]) => match (size(me, one, left)?, size(me, other, left)?) {
            (Size::Most(one), Size::Most(other)) => Size::Most(one.checked_add(other)?),
            (Size::Most(most), Size::Open) | (Size::Open, Size::Most(most)) if most >= 1 << 23 => {
                return None;
            }
            _ => Size::Open,
        },
        (Op::Mul, &[one, other]) => match (size(me, one, left)?, size(me, other, left)?) {
            (Size::Most(one), Size::Most(other)) => Size::Most(one.checked_mul(other)?),
            // A large factor leaves no room.
            (Size::Most(most), Size::Open) | (Size::Open, Size::Most(most)) if most > 4096 => {
                return None;
            }
            _ => Size::Open,
        },
        (Op::TidX, _) => index(0),
        (Op::TidY, _) => index(1),
        (Op::TidZ, _) => index(2),
        (Op::BidX, _) => index(3),
        (Op::BidY, _) => index(4),
        (Op::BidZ, _) => index(5),
        (Op::BdimX | Op::BdimY | Op::BdimZ | Op::GdimX | Op::GdimY | Op::GdimZ, _)
        | (Op::Symbol, _) => Size::Open,
        _ => return None,
    })
}

fn high_product(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let ty = match call.name {
        "__mulhi" => CType::I32,
        "__umulhi" => CType::U32,
        "__mul64hi" => CType::I64,
        _ => CType::U64,
    };
    binary_of(me, call, Op::MulHi, ty)
}

fn binary_of(me: &mut Lowerer<'_, '_>, call: &Call<'_>, op: Op, ty: CType) -> Option<Value> {
    let terms = me.terms_of(call.args);
    let (left, right) = (me.cast_term(terms[0], ty), me.cast_term(terms[1], ty));
    Some(Value::Term(me.facts.terms.binary(op, ty, left, right)))
}

fn bits(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let wide = call.name.ends_with("ll");
    let operand = if wide { CType::U64 } else { CType::U32 };
    let term = me.terms_of(call.args)[0];
    let term = me.cast_term(term, operand);
    if call.name == "__popc"
        && let Some(rank) = me.count_of_votes(term, call.range)
    {
        return Some(Value::Term(rank));
    }
    let (op, ty) = match call.name.trim_end_matches("ll") {
        "__popc" => (Op::Popc, CType::I32),
        "__clz" => (Op::Clz, CType::I32),
        "__ffs" => (Op::Ffs, CType::I32),
        _ => (Op::Brev, operand),
    };
    Some(Value::Term(me.facts.terms.unary(op, ty, term)))
}

/// GCC's builtins; `ctz` and `clz` are undefined for 0.
fn builtin_bits(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let wide = call.name.ends_with('l');
    let operand = if wide { CType::U64 } else { CType::U32 };
    let term = me.terms_of(call.args)[0];
    let term = me.cast_term(term, operand);
    let name = call.name.trim_end_matches('l');
    let op = match name {
        "__builtin_popcount" => Op::Popc,
        "__builtin_clz" => Op::Clz,
        _ => Op::Ffs,
    };
    let result = me.facts.terms.unary(op, CType::I32, term);
    if name != "__builtin_ctz" {
        return Some(Value::Term(result));
    }
    let one = me.int(1);
    Some(Value::Term(me.facts.terms.binary(
        Op::Sub,
        CType::I32,
        result,
        one,
    )))
}

/// `std::popcount(x)` and its kin, of an unsigned type; the count of zeros of 0 is the width of the type.
fn bits_of_type(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (term, ty) = unsigned_argument(me, call)?;
    let width = i64::from(ty.bits()?);
    let ones = matches!(call.name, "countl_one" | "countr_one");
    let term = match ones {
        true => me.facts.terms.unary(Op::BitNot, ty, term),
        false => term,
    };
    // In a word as wide as those that the operations are for.
    let word = if width > 32 { CType::U64 } else { CType::U32 };
    let above = i64::from(word.bits()?) - width;
    let term = me.facts.terms.cast(term, word);
    let count = |me: &mut Lowerer<'_, '_>, op: Op| me.facts.terms.unary(op, CType::I32, term);
    let int = CType::I32;
    Some(Value::Term(match call.name {
        "popcount" => count(me, Op::Popc),
        "countl_zero" | "countl_one" => {
            let zeros = count(me, Op::Clz);
            let above = me.int(above);
            me.facts.terms.binary(Op::Sub, int, zeros, above)
        }
        "bit_width" => {
            let zeros = count(me, Op::Clz);
            let whole = me.int(width + above);
            me.facts.terms.binary(Op::Sub, int, whole, zeros)
        }
        _ => {
            // `ffs` counts from 1, and gives 0 for 0.
            let first = count(me, Op::Ffs);
            let (zero, one, whole) = (me.int(0), me.int(1), me.int(width));
            let terms = &mut me.facts.terms;
            let none = terms.binary(Op::Eq, CType::Bool, first, zero);
            let before = terms.binary(Op::Sub, int, first, one);
            terms.ite(none, whole, before)
        }
    }))
}

/// `std::rotl(x, s)`, `std::rotr(x, s)`, of an unsigned type; a negative count turns the other way.
fn rotate(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (term, ty) = unsigned_argument(me, call)?;
    let count = me.terms_of(call.args.get(1..)?)[0];
    let count = me.cast_term(count, CType::U32);
    let width = i128::from(ty.bits()?);
    let terms = &mut me.facts.terms;
    let low = terms.constant(width - 1, CType::U32);
    let zero = terms.constant(0, CType::U32);
    let by = terms.binary(Op::BitAnd, CType::U32, count, low);
    let back = terms.binary(Op::Sub, CType::U32, zero, by);
    let back = terms.binary(Op::BitAnd, CType::U32, back, low);
    let (left, right) = match call.name {
        "rotl" => (by, back),
        _ => (back, by),
    };
    // Narrow types are shifted as wider ones.
    let wide = CType::U64;
    let value = terms.cast(term, wide);
    let left = terms.binary(Op::Shl, wide, value, left);
    let right = terms.binary(Op::Shr, wide, value, right);
    let both = terms.binary(Op::BitOr, wide, left, right);
    Some(Value::Term(terms.cast(both, ty)))
}

/// The first argument of a function for unsigned types, which takes no others.
fn unsigned_argument(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<(TermId, CType)> {
    let value = me.expr(call.args.first()?);
    let value = match call.full.args.as_ref().and_then(|args| args.first()) {
        Some(arg) => {
            let ty = me.template_type(arg);
            me.convert(value, &ty, call.range)
        }
        None => value,
    };
    let Value::Term(term) = value else {
        return None;
    };
    let ty = me.facts.terms.ty(term);
    // `cuda::std` and older drafts take signed ones as well.
    let unsigned = match ty {
        CType::I8 => CType::U8,
        CType::I16 => CType::U16,
        CType::I32 => CType::U32,
        CType::I64 => CType::U64,
        ty => ty,
    };
    (unsigned.is_integer() && unsigned != CType::Bool)
        .then(|| (me.facts.terms.cast(term, unsigned), unsigned))
}

/// `std::gcd(a, b)`, `std::lcm(a, b)`: a pure function of numbers of the common type of both.
fn common_factor(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let terms = me.terms_of(call.args);
    let (mut ty, other) = (me.facts.terms.ty(terms[0]), me.facts.terms.ty(terms[1]));
    if ty != other {
        ty = ty.common(other);
    }
    if !ty.is_integer() {
        return None;
    }
    let (left, right) = (me.cast_term(terms[0], ty), me.cast_term(terms[1], ty));
    Some(Value::Term(me.pure(call.name, ty, &[left, right])))
}

/// `__dp4a(a, b, c)`: of signed operands an `int`, of unsigned ones an `unsigned int`.
fn dot_product(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let element = match values.first()? {
        Value::Struct(fields) => fields.first().map(|(_, field)| field.clone())?,
        value => value.clone(),
    };
    let ty = match element {
        Value::Term(term) if me.facts.terms.ty(term).is_unsigned() => CType::U32,
        _ => CType::I32,
    };
    Some(me.pure_result(Out::Is(ty), call.name, &values, call.range))
}

/// `|x - y| + z`, the difference without overflow.
fn absolute_difference(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let terms = me.terms_of(call.args);
    let operand = if call.name == "__sad" {
        CType::I32
    } else {
        CType::U32
    };
    let [x, y] = [0, 1].map(|at| {
        let narrow = me.cast_term(terms[at], operand);
        me.facts.terms.cast(narrow, CType::I64)
    });
    let difference = me.facts.terms.binary(Op::Sub, CType::I64, x, y);
    let distance = magnitude(me, difference, CType::I64);
    let distance = me.facts.terms.cast(distance, CType::U32);
    let z = me.cast_term(terms[2], CType::U32);
    let sum = me.facts.terms.binary(Op::Add, CType::U32, distance, z);
    Some(Value::Term(sum))
}

/// `(x + y) >> 1`, `(x + y + 1) >> 1`, without overflow. `__hadd` of half numbers is in their table.
fn average(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let terms: Vec<TermId> = values
        .iter()
        .filter_map(|value| match value {
            Value::Term(term) if me.facts.terms.ty(*term).is_integer() => Some(*term),
            _ => None,
        })
        .collect();
    let &[x, y] = terms.as_slice() else {
        let out = Out::Like(0);
        return Some(me.pure_result(out, call.name, &values, call.range));
    };
    let ty = if call.name.starts_with("__u") {
        CType::U32
    } else {
        CType::I32
    };
    let [x, y] = [x, y].map(|term| {
        let term = me.cast_term(term, ty);
        me.facts.terms.cast(term, CType::I64)
    });
    let mut sum = me.facts.terms.binary(Op::Add, CType::I64, x, y);
    let one = me.long(1);
    if call.name.contains("rhadd") {
        sum = me.facts.terms.binary(Op::Add, CType::I64, sum, one);
    }
    let half = me.facts.terms.binary(Op::Shr, CType::I64, sum, one);
    Some(Value::Term(me.facts.terms.cast(half, ty)))
}

/// `(hi:lo << (s & 31)) >> 32` and `hi:lo >> (s & 31)`; the `c` forms clamp the count to 32.
fn funnel_shift(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let terms = me.terms_of(call.args);
    let [low, high] = [0, 1].map(|at| {
        let narrow = me.cast_term(terms[at], CType::U32);
        me.facts.terms.cast(narrow, CType::U64)
    });
    let count = me.cast_term(terms[2], CType::U32);
    let word = me.facts.terms.constant(32, CType::U32);
    let count = if call.name.ends_with('c') {
        me.facts.terms.binary(Op::Min, CType::U32, count, word)
    } else {
        let mask = me.facts.terms.constant(31, CType::U32);
        me.facts.terms.binary(Op::BitAnd, CType::U32, count, mask)
    };
    let terms = &mut me.facts.terms;
    let high = terms.binary(Op::Shl, CType::U64, high, word);
    let both = terms.binary(Op::BitOr, CType::U64, high, low);
    let shifted = if call.name.contains("_l") {
        let shifted = terms.binary(Op::Shl, CType::U64, both, count);
        terms.binary(Op::Shr, CType::U64, shifted, word)
    } else {
        terms.binary(Op::Shr, CType::U64, both, count)
    };
    Some(Value::Term(terms.cast(shifted, CType::U32)))
}

/// `UINT64_C(1)`: of the type after promotion.
fn literal(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let ty = match call.name {
        "UINT32_C" => CType::U32,
        "INT64_C" | "INTMAX_C" => CType::I64,
        "UINT64_C" | "UINTMAX_C" => CType::U64,
        _ => CType::I32,
    };
    let term = me.terms_of(call.args)[0];
    Some(Value::Term(me.cast_term(term, ty)))
}

/// `cuda::ceil_div(a, b)`, for a that is not negative and b > 0: `a / b + (a % b != 0)`.
fn ceil_div(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let terms = me.terms_of(call.args);
    let given = [terms[0], terms[1]].map(|term| me.facts.terms.ty(term));
    let (a, b, ty) = me.usual(terms[0], terms[1]);
    if !ty.is_integer() {
        return None;
    }
    let terms = &mut me.facts.terms;
    let quotient = terms.binary(Op::Div, ty, a, b);
    let rest = terms.binary(Op::Rem, ty, a, b);
    let zero = terms.constant(0, ty);
    let more = terms.binary(Op::Ne, CType::Bool, rest, zero);
    let more = terms.cast(more, ty);
    let up = terms.binary(Op::Add, ty, quotient, more);
    // Of two numbers of a narrow type, the common type of both is this one.
    Some(Value::Term(match given {
        [one, other] if one == other => terms.cast(up, one),
        _ => up,
    }))
}
