//! PTX instructions that move memory past registers: `cp.async`, and `ldmatrix` and `stmatrix`, which move rows of matrices between
//! shared memory and the lanes of a warp.
//!
//! **Accuracy contract.** `cp.async` writes all bytes of its size (those behind the number that it reads become 0), and reads as
//! many as it says; where that number is not a constant it reads all of them or, where the number is 0, none. A row of a matrix of
//! 8 times 8 numbers of 16 bits is 16 bytes, at the address that one lane gives: the first 8 lanes for one matrix, 16 for two, all
//! for four. The access is that lane's, and the lanes meet without an order of memory; what a lane gets is not told. Source: PTX
//! ISA, "Asynchronous copy: cp.async", "Warp-level matrix load instruction: ldmatrix" and "… store instruction: stmatrix".

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::under_way::Waiter;
use super::super::value::{Lvalue, Value};
use super::State;
use super::parse::{Instruction, Operand};
use crate::syntax::ast::Range;

/// Bytes of a row of a matrix.
const ROW: u64 = 16;

/// `ldmatrix.sync.aligned.m8n8.x4.shared.b16`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Matrix {
    pub is_store: bool,
    matrices: u32,
}

/// What an opcode moves; `None` if it is not understood.
pub(super) fn matrix(opcode: &[String]) -> Option<Matrix> {
    let parts: Vec<&str> = opcode.iter().map(String::as_str).collect();
    let (name, qualifiers) = match parts.as_slice() {
        [name, "sync", "aligned", rest @ ..] => (*name, rest),
        _ => return None,
    };
    let mut matrices = None;
    let mut told = [false; 3];
    for qualifier in qualifiers {
        match *qualifier {
            "x1" => matrices = Some(1),
            "x2" => matrices = Some(2),
            "x4" => matrices = Some(4),
            "m8n8" => told[0] = true,
            "shared" | "shared::cta" => told[1] = true,
            "b16" => told[2] = true,
            "trans" => {}
            _ => return None,
        }
    }
    let is_store = name == "stmatrix";
    let matrices = matrices.filter(|_| told == [true; 3])?;
    Some(Matrix { is_store, matrices })
}

impl Lowerer<'_, '_> {
    /// The place that an operand `[%1+16]` names, as so many bytes.
    pub(super) fn bytes_at(
        &mut self,
        state: &State<'_>,
        operand: &Operand,
        bytes: u64,
        range: Range,
    ) -> Option<Lvalue> {
        let Operand::Address(base, offset) = operand else {
            return None;
        };
        let ty = Ty::Opaque {
            name: "bytes".to_owned(),
            bytes: Some(bytes),
        };
        let value = self.asm_value(state, base).unwrap_or(Value::Unknown);
        let pointer = self.convert(value, &ty.clone().pointer_to(), range);
        let Value::Pointer(pointer) = pointer else {
            return None;
        };
        let targets = match offset {
            0 => pointer.targets,
            offset => self.moved_by(pointer.targets, i128::from(*offset)),
        };
        Some(Lvalue::Memory { targets, ty })
    }

    /// `cp.async.cg.shared.global [to], [from], size, read;`
    pub(super) fn asm_copy(&mut self, state: &State<'_>, instruction: &Instruction, range: Range) {
        let number = |me: &mut Self, at: usize| match instruction.operands.get(at) {
            Some(Operand::Word(word)) => me.asm_integer(state, word, CType::U32),
            _ => None,
        };
        let size = number(self, 2).and_then(|size| self.facts.terms.as_const(size));
        let size = size
            .and_then(|size| u64::try_from(size).ok())
            .filter(|size| [4, 8, 16].contains(size));
        let places = size.and_then(|size| match instruction.operands.as_slice() {
            [to, from, ..] => Some((
                self.bytes_at(state, to, size, range)?,
                self.bytes_at(state, from, size, range)?,
            )),
            _ => None,
        });
        let Some((to, from)) = places else {
            self.lost_access(range, "the operands of the copy are not understood");
            return;
        };
        let before = self.facts.access.len();
        let hinted = instruction
            .opcode
            .iter()
            .any(|part| part == "L2::cache_hint");
        let with_length = instruction.operands.len() > if hinted { 4 } else { 3 };
        let length = if with_length { number(self, 3) } else { None };
        match length.map(|length| (length, self.facts.terms.as_const(length))) {
            Some((_, Some(0))) => {}
            Some((length, None)) => {
                let zero = self.facts.terms.constant(0, CType::U32);
                let some = self.facts.terms.binary(Op::Ne, CType::Bool, length, zero);
                self.guarded(some, true, range, |me| me.read(&from, range));
            }
            _ => {
                self.read(&from, range);
            }
        }
        self.write(&to, Value::Unknown, range);
        self.begin_copy(before, Waiter::Own, range);
    }

    pub(super) fn of_matrix(
        &mut self,
        state: &State<'_>,
        matrix: &Matrix,
        instruction: &Instruction,
        range: Range,
    ) {
        let operation = if matrix.is_store {
            "stmatrix"
        } else {
            "ldmatrix"
        };
        self.barrier(BarrierKind::Meet, operation, range);
        let mut operands = instruction.operands.iter();
        let address = operands
            .find(|operand| matches!(operand, Operand::Address(..)))
            .cloned();
        let place = address.and_then(|address| self.bytes_at(state, &address, ROW, range));
        let Some(place) = place else {
            self.lost_access(range, "the address is not understood");
            return;
        };
        let access = |me: &mut Self| match matrix.is_store {
            true => me.write(&place, Value::Unknown, range),
            false => {
                me.read(&place, range);
            }
        };
        if matrix.matrices == 4 {
            access(self);
            return;
        }
        let lane = self.lane_in_warp();
        let lanes = self
            .facts
            .terms
            .constant(i128::from(8 * matrix.matrices), CType::U32);
        let gives = self.facts.terms.binary(Op::Lt, CType::Bool, lane, lanes);
        self.guarded(gives, true, range, access);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_of_matrices() {
        let of = |text: &str| {
            let opcode: Vec<String> = text.split('.').map(str::to_owned).collect();
            matrix(&opcode)
        };
        let load = |matrices| {
            Some(Matrix {
                is_store: false,
                matrices,
            })
        };
        assert_eq!(of("ldmatrix.sync.aligned.m8n8.x4.shared.b16"), load(4));
        assert_eq!(
            of("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16"),
            load(2)
        );
        assert_eq!(
            of("stmatrix.sync.aligned.m8n8.x1.shared::cta.b16"),
            Some(Matrix {
                is_store: true,
                matrices: 1
            })
        );
        assert_eq!(of("ldmatrix.sync.aligned.x4.m8n8.shared.b16"), load(4));
        assert_eq!(of("ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8"), None);
        assert_eq!(
            of("ldmatrix.sync.aligned.m8n8.x4.shared::cluster.b16"),
            None
        );
    }
}
