//! What PTX instructions compute from registers.
//!
//! **Accuracy contract.** Exact for integers of 32 and 64 bits and predicates, for the operations below; nothing is told of
//! others, of floating-point numbers and of carries. Source: PTX ISA 8.5, sections 9.7.1, 9.7.5 to 9.7.9.

use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::value::Value;
use super::State;

/// The type that the last part of an opcode names.
pub(super) fn integer_type(name: &str) -> Option<CType> {
    Some(match name {
        "b8" | "u8" => CType::U8,
        "s8" => CType::I8,
        "b16" | "u16" => CType::U16,
        "s16" => CType::I16,
        "b32" | "u32" => CType::U32,
        "s32" => CType::I32,
        "b64" | "u64" => CType::U64,
        "s64" => CType::I64,
        "pred" => CType::Bool,
        _ => return None,
    })
}

/// The unsigned type of the same width: without saturation PTX wraps, whatever the sign.
fn wrapping(ty: CType) -> Option<CType> {
    match ty {
        CType::I32 | CType::U32 => Some(CType::U32),
        CType::I64 | CType::U64 => Some(CType::U64),
        _ => None,
    }
}

impl Lowerer<'_, '_> {
    /// The result of an instruction that only computes; `None`: nothing is known of it.
    pub(super) fn computed(
        &mut self,
        state: &State<'_>,
        opcode: &[String],
        operands: &[&str],
    ) -> Option<Value> {
        let parts: Vec<&str> = opcode.iter().map(String::as_str).collect();
        let (last, name) = (*parts.last()?, *parts.first()?);
        if let ("mov" | "cvta", [source]) = (name, operands)
            && let Some(value @ Value::Pointer(_)) = self.asm_value(state, source)
        {
            // The address in the window of another space is another number.
            let same =
                parts.len() == 2 || matches!(parts[1..], ["to", "global", _] | ["global", _]);
            return same.then_some(value);
        }
        if let ["mov", "f32" | "f64"] = parts[..] {
            return self.asm_value(state, operands.first()?);
        }
        let ty = integer_type(last)?;
        let mut terms = Vec::new();
        if name == "selp" {
            let [then, otherwise, chosen] = operands else {
                return None;
            };
            let chosen = self.asm_integer(state, chosen, CType::Bool)?;
            let then = self.asm_integer(state, then, ty)?;
            let otherwise = self.asm_integer(state, otherwise, ty)?;
            return Some(Value::Term(self.facts.terms.ite(chosen, then, otherwise)));
        }
        if let ["setp", comparison, _] = parts[..] {
            let [left, right] = operands else { return None };
            let left = self.asm_integer(state, left, ty)?;
            let right = self.asm_integer(state, right, ty)?;
            return self
                .asm_comparison(comparison, ty, left, right)
                .map(Value::Term);
        }
        if let ["cvt", to, from] = parts[..] {
            let source = self.asm_integer(state, operands.first()?, integer_type(from)?)?;
            let to = integer_type(to).filter(|to| *to != CType::Bool)?;
            return Some(Value::Term(self.facts.terms.cast(source, to)));
        }
        for operand in operands {
            terms.push(self.asm_integer(state, operand, ty)?);
        }
        self.of_terms(&parts, ty, &terms).map(Value::Term)
    }

    fn asm_comparison(
        &mut self,
        comparison: &str,
        ty: CType,
        left: TermId,
        right: TermId,
    ) -> Option<TermId> {
        let (ty, comparison) = match comparison {
            "lo" | "ls" | "hi" | "hs" => (wrapping(ty)?, comparison),
            _ => (ty, comparison),
        };
        let store = &mut self.facts.terms;
        let (left, right) = (store.cast(left, ty), store.cast(right, ty));
        let mut of = |op, a, b| store.binary(op, CType::Bool, a, b);
        Some(match comparison {
            "eq" => of(Op::Eq, left, right),
            "ne" => of(Op::Ne, left, right),
            "lt" | "lo" => of(Op::Lt, left, right),
            "le" | "ls" => of(Op::Le, left, right),
            "gt" | "hi" => of(Op::Lt, right, left),
            "ge" | "hs" => of(Op::Le, right, left),
            _ => return None,
        })
    }

    /// Of operands that are all of the type of the instruction.
    fn of_terms(&mut self, parts: &[&str], ty: CType, terms: &[TermId]) -> Option<TermId> {
        let bits = i128::from(ty.bits()?);
        if ty == CType::Bool {
            let store = &mut self.facts.terms;
            return Some(match (parts, terms) {
                (["mov", _], &[a]) => a,
                (["not", _], &[a]) => store.not(a),
                (["and", _], &[a, b]) => store.binary(Op::And, ty, a, b),
                (["or", _], &[a, b]) => store.binary(Op::Or, ty, a, b),
                (["xor", _], &[a, b]) => store.binary(Op::Ne, ty, a, b),
                _ => return None,
            });
        }
        let whole = wrapping(ty)?;
        let terms: Vec<TermId> = terms.to_vec();
        let unsigned: Vec<TermId> = terms
            .iter()
            .map(|&term| self.facts.terms.cast(term, whole))
            .collect();
        let count = |me: &Self, at: usize| {
            let value = me.facts.terms.as_const(*unsigned.get(at)?)?;
            (0..bits).contains(&value).then_some(value)
        };
        let constant = |me: &mut Self, value: i128| me.facts.terms.constant(value, whole);
        let binary =
            |me: &mut Self, op: Op, a: TermId, b: TermId| me.facts.terms.binary(op, whole, a, b);
        Some(match (parts, unsigned.as_slice()) {
            (["mov", _], &[a]) => a,
            (["add", _] | ["add", "cc", _], &[a, b]) => binary(self, Op::Add, a, b),
            (["sub", _] | ["sub", "cc", _], &[a, b]) => binary(self, Op::Sub, a, b),
            (["mul", "lo", _], &[a, b]) => binary(self, Op::Mul, a, b),
            (["mad", "lo", _], &[a, b, c]) => {
                let product = binary(self, Op::Mul, a, b);
                binary(self, Op::Add, product, c)
            }
            (["mul", "hi", _], _) => {
                let &[a, b] = terms.as_slice() else {
                    return None;
                };
                self.facts.terms.binary(Op::MulHi, ty, a, b)
            }
            (["mul", "wide", _], _) if bits == 32 => {
                let &[a, b] = terms.as_slice() else {
                    return None;
                };
                let wide = if ty == CType::I32 {
                    CType::I64
                } else {
                    CType::U64
                };
                let store = &mut self.facts.terms;
                let (a, b) = (store.cast(a, wide), store.cast(b, wide));
                store.binary(Op::Mul, wide, a, b)
            }
            (["neg", _], &[a]) => {
                let zero = constant(self, 0);
                binary(self, Op::Sub, zero, a)
            }
            (["and", _], &[a, b]) => binary(self, Op::BitAnd, a, b),
            (["or", _], &[a, b]) => binary(self, Op::BitOr, a, b),
            (["xor", _], &[a, b]) => binary(self, Op::BitXor, a, b),
            (["not", _], &[a]) => self.facts.terms.unary(Op::BitNot, whole, a),
            (["min" | "max", _], _) => {
                let &[a, b] = terms.as_slice() else {
                    return None;
                };
                let op = if parts[0] == "min" { Op::Min } else { Op::Max };
                self.facts.terms.binary(op, ty, a, b)
            }
            // PTX clamps counts that are too large.
            (["shl", _], &[a, _]) => {
                let by = count(self, 1)?;
                let by = constant(self, by);
                binary(self, Op::Shl, a, by)
            }
            (["shr", _], _) => {
                let by = count(self, 1)?;
                let by = self.facts.terms.constant(by, ty);
                self.facts.terms.binary(Op::Shr, ty, *terms.first()?, by)
            }
            (["popc", _], &[a]) => self.facts.terms.unary(Op::Popc, CType::I32, a),
            (["clz", _], &[a]) => self.facts.terms.unary(Op::Clz, CType::I32, a),
            (["brev", _], &[a]) => self.facts.terms.unary(Op::Brev, whole, a),
            (["bfe", "u32" | "u64"], &[a, ..]) if unsigned.len() == 3 => {
                let (from, length) = (count(self, 1)?, count(self, 2)?);
                let from = constant(self, from);
                let shifted = binary(self, Op::Shr, a, from);
                let mask = constant(self, (1 << length) - 1);
                binary(self, Op::BitAnd, shifted, mask)
            }
            (["bfi", _], &[a, b, ..]) if unsigned.len() == 4 => {
                let (from, length) = (count(self, 2)?, count(self, 3)?);
                let all = (1i128 << bits) - 1;
                let field = ((1i128 << length) - 1) << from & all;
                let by = constant(self, from);
                let inserted = binary(self, Op::Shl, a, by);
                let (field, rest) = (constant(self, field), constant(self, all & !field));
                let inserted = binary(self, Op::BitAnd, inserted, field);
                let kept = binary(self, Op::BitAnd, b, rest);
                binary(self, Op::BitOr, inserted, kept)
            }
            (["lop3", "b32"], &[a, b, c, table]) => {
                let table = self.facts.terms.as_const(table)?;
                self.looked_up([a, b, c], table)
            }
            (["prmt", "b32"], &[a, b, selector]) => {
                let selector = self.facts.terms.as_const(selector)?;
                self.permuted(a, b, selector)?
            }
            _ => return None,
        })
    }

    /// `lop3`: bit by bit what stands in a table of eight, by the bits of the operands.
    fn looked_up(&mut self, [a, b, c]: [TermId; 3], table: i128) -> TermId {
        let store = &mut self.facts.terms;
        let ty = CType::U32;
        let mut result = store.constant(0, ty);
        for row in (0..8).filter(|row| table >> row & 1 == 1) {
            let mut all: Option<TermId> = None;
            for (operand, weight) in [(a, 4), (b, 2), (c, 1)] {
                let literal = match row & weight != 0 {
                    true => operand,
                    false => store.unary(Op::BitNot, ty, operand),
                };
                all = Some(match all {
                    Some(all) => store.binary(Op::BitAnd, ty, all, literal),
                    None => literal,
                });
            }
            if let Some(all) = all {
                result = store.binary(Op::BitOr, ty, result, all);
            }
        }
        result
    }

    /// `prmt` in its generic form: each byte is one of the eight of `b:a`. Where a byte is filled with a sign, nothing is told.
    fn permuted(&mut self, a: TermId, b: TermId, selector: i128) -> Option<TermId> {
        let store = &mut self.facts.terms;
        let ty = CType::U32;
        let mut result = store.constant(0, ty);
        for at in 0..4 {
            let chosen = selector >> (4 * at) & 0xf;
            if chosen > 7 {
                return None;
            }
            let source = if chosen < 4 { a } else { b };
            let from = store.constant(8 * (chosen & 3), ty);
            let byte = store.binary(Op::Shr, ty, source, from);
            let mask = store.constant(0xff, ty);
            let byte = store.binary(Op::BitAnd, ty, byte, mask);
            let to = store.constant(8 * at, ty);
            let byte = store.binary(Op::Shl, ty, byte, to);
            result = store.binary(Op::BitOr, ty, result, byte);
        }
        Some(result)
    }
}
