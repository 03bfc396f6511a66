//! Values and types of literals, as C++ gives them.

use super::ast::{Expr, ExprKind, Name, Range, Scalar};

/// A number token. `None` for user-defined suffixes and integers above 64 bits.
pub(super) fn number(text: &str) -> Option<ExprKind> {
    let plain: String = text.chars().filter(|&c| c != '\'').collect();
    let lower = plain.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let is_float =
        lower.contains('.') || (!hex && lower.contains('e')) || (hex && lower.contains('p'));
    if is_float {
        float(&plain, &lower, hex)
    } else {
        integer(&lower, hex)
    }
}

/// `12_km`: a call of the operator that the unit declares for the suffix, with the widest type of its kind.
pub(super) fn user_defined(text: &str, range: Range) -> Option<ExprKind> {
    let (digits, _) = text.split_once('_')?;
    let suffix = &text[digits.len()..];
    let hex = digits.starts_with("0x") || digits.starts_with("0X");
    let last = digits.bytes().last()?;
    if !(last.is_ascii_digit() || last == b'.' || hex && last.is_ascii_hexdigit()) {
        return None;
    }
    let kind = match number(digits)? {
        ExprKind::Int { value, .. } => ExprKind::Int {
            value,
            ty: Scalar::ULongLong,
        },
        ExprKind::Float { text, .. } => ExprKind::Float {
            text,
            ty: Scalar::LongDouble,
        },
        _ => return None,
    };
    let operator = Name::simple(format!("operator\"\"{suffix}"), range);
    let callee = Expr {
        kind: ExprKind::Name(operator),
        range,
    };
    Some(ExprKind::Call {
        callee: Box::new(callee),
        args: vec![Expr { kind, range }],
    })
}

fn float(plain: &str, lower: &str, hex: bool) -> Option<ExprKind> {
    let (digits, ty) = match lower.as_bytes().last()? {
        b'f' if !hex || lower.contains('p') => (&plain[..plain.len() - 1], Scalar::Float),
        b'l' => (&plain[..plain.len() - 1], Scalar::LongDouble),
        _ => (plain, Scalar::Double),
    };
    let valid = if hex {
        digits[2..].bytes().all(|byte| {
            byte.is_ascii_hexdigit() || matches!(byte, b'.' | b'p' | b'P' | b'+' | b'-')
        })
    } else {
        digits.parse::<f64>().is_ok()
    };
    valid.then(|| ExprKind::Float {
        text: digits.to_owned(),
        ty,
    })
}

fn integer(lower: &str, hex: bool) -> Option<ExprKind> {
    let (radix, digits) = if hex {
        (16, &lower[2..])
    } else if let Some(digits) = lower.strip_prefix("0b") {
        (2, digits)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (8, &lower[1..])
    } else {
        (10, lower)
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let value = match digits {
        // `0u`, `0l`: the zero itself was taken for the octal prefix.
        "" if radix == 8 => 0,
        _ => u64::from_str_radix(digits, radix).ok()?,
    };
    use Scalar::{Int, Long, LongLong, UInt, ULong, ULongLong};
    let candidates: &[Scalar] = match (suffix, radix) {
        ("", 10) => &[Int, Long],
        ("", _) => &[Int, UInt, Long, ULong],
        ("u", _) => &[UInt, ULong],
        ("l", 10) => &[Long],
        ("l", _) => &[Long, ULong],
        ("ul" | "lu" | "uz" | "zu", _) => &[ULong],
        ("ll", 10) => &[LongLong],
        ("ll", _) => &[LongLong, ULongLong],
        ("ull" | "llu", _) => &[ULongLong],
        ("z", _) => &[Long],
        _ => return None,
    };
    let fits = |scalar: Scalar| {
        let bits = scalar.bits() - u32::from(scalar.signedness() == Some(true));
        bits == 64 || value >> bits == 0
    };
    let ty = candidates.iter().copied().find(|&scalar| fits(scalar))?;
    Some(ExprKind::Int { value, ty })
}

/// A character literal. `None` for multi-character and malformed ones. Up to C++17 `u8'a'` is a `char`.
pub(super) fn character(text: &str, has_char8: bool) -> Option<ExprKind> {
    let quote = text.find('\'')?;
    let inner = text.get(quote + 1..text.len().checked_sub(1)?)?;
    let ty = match &text[..quote] {
        "" => Scalar::Char,
        "L" => Scalar::WChar,
        "u8" if has_char8 => Scalar::Char8,
        "u8" => Scalar::Char,
        "u" => Scalar::Char16,
        _ => Scalar::Char32,
    };
    let mut chars = inner.chars();
    let first = chars.next()?;
    let value = if first != '\\' {
        if chars.next().is_some() || (ty == Scalar::Char && !first.is_ascii()) {
            return None;
        }
        first as i64
    } else {
        let rest = &inner[1..];
        let code = match rest.as_bytes() {
            [b'x', ..] => i64::from_str_radix(&rest[1..], 16).ok()?,
            [b'0'..=b'7', ..] if rest.len() <= 3 => i64::from_str_radix(rest, 8).ok()?,
            [b'n'] => 10,
            [b't'] => 9,
            [b'r'] => 13,
            [b'a'] => 7,
            [b'b'] => 8,
            [b'f'] => 12,
            [b'v'] => 11,
            [b'\\' | b'\'' | b'"' | b'?'] => i64::from(rest.as_bytes()[0]),
            _ => return None,
        };
        match ty {
            Scalar::Char if (128..256).contains(&code) => code - 256,
            _ if code < 0 || (ty.bits() < 63 && code >> ty.bits() != 0) => return None,
            _ => code,
        }
    };
    Some(ExprKind::Char { value, ty })
}

/// The inside of a string literal, escapes as written.
pub(super) fn string(text: &str) -> &str {
    let (Some(open), Some(close)) = (text.find('"'), text.rfind('"')) else {
        return "";
    };
    if close <= open {
        return "";
    }
    let inner = &text[open + 1..close];
    if text[..open].ends_with('R') {
        let start = inner.find('(').map_or(0, |at| at + 1);
        let end = inner.rfind(')').unwrap_or(inner.len());
        return inner.get(start..end).unwrap_or("");
    }
    inner
}
