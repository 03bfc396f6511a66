//! PTX instructions that copy in bulk: `cp.async.bulk`, `cp.reduce.async.bulk`, their forms for tensors, and `fence.proxy.async`.
//!
//! What they mean is told in [`bulk`](super::super::library::bulk), where the functions of `cuda::ptx` are that stand for the same.
//!
//! **Accuracy.** Copies to several blocks of a cluster, from the shared memory of one block to that of another, and im2col modes are not
//! read. Source: PTX ISA, "Data Movement and Conversion Instructions: Bulk copy".

use warplog_facts::words::Space;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::value::Value;
use super::State;
use super::parse::{Instruction, Operand};
use crate::syntax::ast::Range;

/// What an instruction copies, or does about copies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Bulk {
    /// From global to shared memory, counted by a barrier; whether by a tensor map.
    In(bool),
    /// From shared to global memory, in groups of the thread; whether by a tensor map, and whether it adds to what is there.
    Out(bool, bool),
    Commit,
    /// Whether only until the source has been read.
    Wait(bool),
    /// `fence.proxy.async`
    Fence(Option<Space>),
    Idle,
}

/// What an opcode does; `None` if it is none of these, or not understood.
pub(super) fn bulk(opcode: &[String]) -> Option<Bulk> {
    let parts: Vec<&str> = opcode.iter().map(String::as_str).collect();
    let hints = |rest: &[&str]| rest.iter().all(|hint| hint.starts_with("L2::"));
    let (reduces, rest) = match parts.as_slice() {
        ["fence", "proxy", "async"] => return Some(Bulk::Fence(None)),
        ["fence", "proxy", "async", "global"] => return Some(Bulk::Fence(Some(Space::Global))),
        ["fence", "proxy", "async", "shared::cta" | "shared::cluster"] => {
            return Some(Bulk::Fence(Some(Space::Shared)));
        }
        ["cp", "async", "bulk", "commit_group"] => return Some(Bulk::Commit),
        ["cp", "async", "bulk", "wait_group"] => return Some(Bulk::Wait(false)),
        ["cp", "async", "bulk", "wait_group", "read"] => return Some(Bulk::Wait(true)),
        ["cp", "async", "bulk", "prefetch", ..] => return Some(Bulk::Idle),
        ["cp", "async", "bulk", rest @ ..] => (false, rest),
        ["cp", "reduce", "async", "bulk", rest @ ..] => (true, rest),
        _ => return None,
    };
    let (tensor, rest) = match rest {
        ["tensor", "1d" | "2d" | "3d" | "4d" | "5d", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let operations = ["add", "min", "max", "inc", "dec", "and", "or", "xor"];
    let without_mode = |rest: &[&str]| -> Vec<String> {
        let kept = rest.iter().filter(|part| !tensor || **part != "tile");
        kept.map(|part| (*part).to_owned()).collect()
    };
    let rest = without_mode(rest);
    let rest: Vec<&str> = rest.iter().map(String::as_str).collect();
    match rest.as_slice() {
        [
            "shared::cluster" | "shared::cta",
            "global",
            "mbarrier::complete_tx::bytes",
            rest @ ..,
        ] if !reduces && hints(rest) => Some(Bulk::In(tensor)),
        ["global", "shared::cta", rest @ ..] => {
            let counted = rest.iter().filter(|part| **part == "bulk_group").count();
            let known = |part: &&str| {
                let reduction = reduces && (operations.contains(part) || !part.contains("::"));
                *part == "bulk_group" || part.starts_with("L2::") || reduction
            };
            (counted == 1 && rest.iter().all(known)).then_some(Bulk::Out(tensor, reduces))
        }
        _ => None,
    }
}

impl Lowerer<'_, '_> {
    pub(super) fn asm_bulk(
        &mut self,
        state: &State<'_>,
        bulk: &Bulk,
        instruction: &Instruction,
        range: Range,
    ) {
        let operands = instruction.operands.as_slice();
        let value = |me: &mut Self, operand: &Operand| match operand {
            Operand::Address(base, offset) => me.address_moved(state, base, *offset),
            _ => Value::Unknown,
        };
        match (bulk, operands) {
            (Bulk::Idle, _) => {}
            (Bulk::Fence(space), _) => self.proxy_fence(*space, range),
            (Bulk::Commit, _) => self.bulk_commit(range),
            (Bulk::Wait(reads), [Operand::Word(number)]) => {
                let left = self.asm_integer(state, number, CType::I32);
                self.bulk_wait(left, *reads, range);
            }
            (Bulk::In(false), [to, from, Operand::Word(size), barrier, ..]) => {
                let size = self.asm_integer(state, size, CType::U32);
                let [to, from, barrier] = [to, from, barrier].map(|one| value(self, one));
                self.bulk_in(&to, Some(&from), size, &barrier, range);
            }
            (Bulk::In(true), [to, Operand::Tensor(..), barrier, ..]) => {
                let [to, barrier] = [to, barrier].map(|one| value(self, one));
                self.bulk_in(&to, None, None, &barrier, range);
            }
            (Bulk::Out(false, adds), [to, from, Operand::Word(size), ..]) => {
                let size = self.asm_integer(state, size, CType::U32);
                let [to, from] = [to, from].map(|one| value(self, one));
                self.bulk_out(Some(&to), &from, size, *adds, range);
            }
            (Bulk::Out(true, adds), [Operand::Tensor(..), from, ..]) => {
                let from = value(self, from);
                self.bulk_out(None, &from, None, *adds, range);
            }
            _ => self.lost_access(range, "the operands of the copy are not understood"),
        }
    }

    /// The address that a register holds, so many bytes on.
    fn address_moved(&mut self, state: &State<'_>, base: &str, offset: i64) -> Value {
        let value = self.asm_value(state, base).unwrap_or(Value::Unknown);
        self.bytes_on(value, offset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_of_bulk_copies() {
        let of = |text: &str| {
            let opcode: Vec<String> = text.split('.').map(str::to_owned).collect();
            bulk(&opcode)
        };
        let to_shared = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
        assert_eq!(of(to_shared), Some(Bulk::In(false)));
        assert_eq!(
            of(&format!("{to_shared}.L2::cache_hint")),
            Some(Bulk::In(false))
        );
        assert_eq!(of(&format!("{to_shared}.multicast::cluster")), None);
        assert_eq!(
            of("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"),
            Some(Bulk::In(true))
        );
        assert_eq!(
            of("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes"),
            None
        );
        assert_eq!(
            of("cp.async.bulk.global.shared::cta.bulk_group"),
            Some(Bulk::Out(false, false))
        );
        assert_eq!(
            of("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32"),
            Some(Bulk::Out(false, true))
        );
        assert_eq!(
            of("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"),
            Some(Bulk::Out(true, false))
        );
        assert_eq!(of("cp.async.bulk.wait_group.read"), Some(Bulk::Wait(true)));
        assert_eq!(
            of("fence.proxy.async.shared::cta"),
            Some(Bulk::Fence(Some(Space::Shared)))
        );
        assert_eq!(of("fence.proxy.alias"), None);
        assert_eq!(of("cp.async.wait_group"), None);
    }
}
