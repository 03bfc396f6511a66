//! Byte offsets as indices: `tile[threadIdx.y][threadIdx.x + 1]` from `(33·y + x + 1)·4`.
//!
//! The offset is read as a sum of terms with constant factors; it is divided by the element size
//! and split by the extents when all factors allow it. Sums of unsigned terms may wrap and are
//! not looked into.

use crate::ids::{ArrayId, TermId};
use crate::term::Op;

use super::{Piece, Unfolding, strength};

/// A sum: terms with their factors, in order of occurrence, and the constant.
#[derive(Default)]
struct Sum {
    parts: Vec<(TermId, i128)>,
    constant: i128,
}

/// Most parts of a sum that is split.
const MAX_PARTS: usize = 16;

impl Unfolding<'_, '_> {
    /// The element of an array at a byte offset.
    pub(super) fn element(&mut self, array: ArrayId, index: TermId, depth: usize) -> String {
        let facts = self.show.facts;
        let Some(row) = facts.array.get(array.index()) else {
            return "…".to_owned();
        };
        let mut sum = Sum::default();
        let split = self
            .flatten(index, 1, &mut sum, 0)
            .and_then(|()| sum.divided(i128::from(row.element_bytes)));
        let Some(elements) = split else {
            let bytes = self.piece(index, depth + 1).text;
            return format!("{}[byte {bytes}]", row.name);
        };
        let mut extents: Vec<(u32, u64)> = facts
            .array_extent
            .iter()
            .filter(|extent| extent.array == array)
            .map(|extent| (extent.position, extent.elements))
            .collect();
        extents.sort_unstable();
        // One number of elements a step along each dimension but the last.
        let mut strides: Vec<i128> = Vec::new();
        for &(_, elements) in extents.iter().skip(1).rev() {
            strides.push(
                strides
                    .last()
                    .copied()
                    .unwrap_or(1)
                    .saturating_mul(i128::from(elements)),
            );
        }
        strides.reverse();
        let complete = (0..)
            .zip(&extents)
            .all(|(expected, &(position, _))| position == expected);
        let mut text = row.name.clone();
        let mut rest = elements;
        if complete && rest.is_non_negative() {
            for stride in strides {
                let (along, inner) = rest.split(stride);
                text.push_str(&format!("[{}]", self.sum(&along, depth)));
                rest = inner;
            }
        }
        text.push_str(&format!("[{}]", self.sum(&rest, depth)));
        text
    }

    /// Adds `factor` times the term; `None` when the sum is too large to split.
    fn flatten(&self, id: TermId, factor: i128, sum: &mut Sum, depth: usize) -> Option<()> {
        let store = &self.show.facts.terms;
        let term = store.get(id);
        let signed = term.ty.is_signed();
        let deeper = depth < 24 && signed && !self.show.variables.contains_key(&id);
        match (term.op, term.args.as_slice()) {
            (Op::Const, _) if term.ty.is_integer() => {
                sum.constant = sum
                    .constant
                    .checked_add(factor.checked_mul(term.payload)?)?;
            }
            (Op::Add, &[left, right]) if deeper => {
                self.flatten(left, factor, sum, depth + 1)?;
                self.flatten(right, factor, sum, depth + 1)?;
            }
            (Op::Sub, &[left, right]) if deeper => {
                self.flatten(left, factor, sum, depth + 1)?;
                self.flatten(right, factor.checked_neg()?, sum, depth + 1)?;
            }
            (Op::Mul, &[left, right]) if deeper => {
                match (store.as_const(left), store.as_const(right)) {
                    (Some(value), _) => {
                        self.flatten(right, factor.checked_mul(value)?, sum, depth + 1)?
                    }
                    (_, Some(value)) => {
                        self.flatten(left, factor.checked_mul(value)?, sum, depth + 1)?
                    }
                    _ => sum.add(id, factor)?,
                }
            }
            (Op::Fit, &[arg]) if deeper => self.flatten(arg, factor, sum, depth + 1)?,
            (Op::Cast, &[arg]) if deeper && self.keeps_values(arg, term.ty) => {
                self.flatten(arg, factor, sum, depth + 1)?;
            }
            _ => sum.add(id, factor)?,
        }
        Some(())
    }

    fn sum(&mut self, sum: &Sum, depth: usize) -> String {
        let mut text = String::new();
        let (positive, negative): (Vec<_>, Vec<_>) =
            sum.parts.iter().partition(|&&(_, factor)| factor > 0);
        for &(id, factor) in positive.into_iter().chain(negative) {
            let alone = sum.parts.len() == 1 && sum.constant == 0 && factor == 1;
            let piece = self.piece(id, depth + 1);
            let piece = match factor.unsigned_abs() {
                1 if alone => piece,
                1 => Piece::primary(piece.at_least(strength("+") + u32::from(factor < 0))),
                times => Piece::primary(format!("{times} * {}", piece.at_least(strength("*") + 1))),
            };
            let sign = match (text.is_empty(), factor < 0) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text.push_str(sign);
            text.push_str(&piece.text);
        }
        match sum.constant {
            constant if text.is_empty() => constant.to_string(),
            0 => text,
            constant if constant < 0 => format!("{text} - {}", constant.unsigned_abs()),
            constant => format!("{text} + {constant}"),
        }
    }
}

impl Sum {
    fn add(&mut self, id: TermId, factor: i128) -> Option<()> {
        match self.parts.iter().position(|&(part, _)| part == id) {
            Some(index) => self.parts[index].1 = self.parts[index].1.checked_add(factor)?,
            None if self.parts.len() < MAX_PARTS => self.parts.push((id, factor)),
            None => return None,
        }
        self.parts.retain(|&(_, factor)| factor != 0);
        Some(())
    }

    /// The sum with everything divided, if all can be.
    fn divided(&self, divisor: i128) -> Option<Sum> {
        let divides = |value: i128| divisor > 0 && value % divisor == 0;
        if !divides(self.constant) || !self.parts.iter().all(|&(_, factor)| divides(factor)) {
            return None;
        }
        let parts = self
            .parts
            .iter()
            .map(|&(id, factor)| (id, factor / divisor))
            .collect();
        Some(Sum {
            parts,
            constant: self.constant / divisor,
        })
    }

    fn is_non_negative(&self) -> bool {
        self.constant >= 0 && self.parts.iter().all(|&(_, factor)| factor >= 0)
    }

    /// The whole steps of a stride, and what is left.
    fn split(self, stride: i128) -> (Sum, Sum) {
        let stride = stride.max(1);
        let (mut along, mut rest) = (Sum::default(), Sum::default());
        along.constant = self.constant / stride;
        rest.constant = self.constant % stride;
        for (id, factor) in self.parts {
            if factor % stride == 0 {
                along.parts.push((id, factor / stride));
            } else {
                rest.parts.push((id, factor));
            }
        }
        (along, rest)
    }
}
