//! PTX instructions of barriers that count arrivals by phases: `mbarrier.*`, and `bar.arrive`.
//!
//! Each is an access to its object, and a step of which the rules tell what it orders. A `test_wait` or `try_wait` gives a truth value;
//! a loop that goes on until it is true, in the assembly or around it, is a wait.
//!
//! **Accuracy.** An instruction at an object that is not known, of another block, or whose state is a register is a step that is not followed: then
//! phases order nothing in the launch. Source: PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier".

use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::place::How;
use super::super::types::Ty;
use super::super::value::{Base, Lvalue, Value};
use super::State;
use super::parse::{Instruction, Operand};
use crate::syntax::ast::Range;

/// What an instruction does at an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Init,
    /// Whether it only adds to the bytes that are waited for, or arrives as well.
    Arrive,
    /// It adds to the bytes that are waited for.
    Expect,
    /// Whether it is in a loop until it is true.
    Wait(bool),
    Invalidate,
    /// Not followed.
    Lost,
}

/// What an opcode does; `None` if it is none of these.
pub(super) fn phase(opcode: &[String]) -> Option<Phase> {
    let (name, rest) = opcode.split_first()?;
    let (what, qualifiers) = rest.split_first()?;
    if name != "mbarrier" {
        return None;
    }
    let has = |word: &str| qualifiers.iter().any(|part| part == word);
    let known = |part: &String| {
        matches!(
            part.as_str(),
            "shared"
                | "shared::cta"
                | "b64"
                | "release"
                | "acquire"
                | "relaxed"
                | "cta"
                | "cluster"
                | "parity"
                | "expect_tx"
                | SPINS
        )
    };
    if !qualifiers.iter().all(known) {
        return Some(Phase::Lost);
    }
    Some(match what.as_str() {
        "init" => Phase::Init,
        "inval" => Phase::Invalidate,
        "expect_tx" => Phase::Expect,
        "arrive" if !has("relaxed") => Phase::Arrive,
        "test_wait" | "try_wait" if has("parity") && !has("relaxed") => Phase::Wait(has(SPINS)),
        _ => Phase::Lost,
    })
}

/// A mark behind the opcode of a wait that is in a loop.
pub(super) const SPINS: &str = "until true";

/// Something tried, of which it is told whether the phase has ended.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tried {
    object: (ArrayId, TermId),
    parity: TermId,
    access: Option<AccessId>,
}

/// What is tried has not ended.
struct NotEnded(TermId);

impl Environment for NotEnded {
    fn value(&self, id: TermId, _: &Term, _: &[i128]) -> Option<i128> {
        (id == self.0).then_some(0)
    }
}

impl Lowerer<'_, '_> {
    /// A step, at a point of its own.
    pub(crate) fn phase_step(&mut self, row: PhaseStepRow, range: Range) {
        let point = self.point(PointKind::Phase, range);
        self.facts.phase_step.push(PhaseStepRow { point, ..row });
    }

    /// A step that is not followed.
    pub(crate) fn lost_phase(&mut self, operation: &str, why: &str, range: Range) {
        let index = self.long(0);
        self.unsupported(range, operation, why, Effect::Order);
        let row = step(PhaseStep::Lost, None, index);
        self.phase_step(row, range);
    }

    pub(super) fn asm_phase(
        &mut self,
        state: &mut State<'_>,
        phase: Phase,
        instruction: &Instruction,
        range: Range,
    ) {
        let operation = instruction.opcode[..2].join(".");
        let mut operands = instruction.operands.iter();
        let address = operands.find(|operand| matches!(operand, Operand::Address(..)));
        let object = address
            .cloned()
            .and_then(|address| self.bytes_at(state, &address, 8, range))
            .and_then(|place| self.object_of(&place));
        let number = match operands.next() {
            Some(Operand::Word(word)) => self.asm_integer(state, word, CType::U32),
            _ => None,
        };
        let Some(object) = object.filter(|_| phase != Phase::Lost) else {
            self.lost_phase(&operation, "which barrier it is at is not followed", range);
            return;
        };
        let kind = match phase {
            Phase::Init | Phase::Invalidate => AccessKind::Write,
            _ => AccessKind::Atomic,
        };
        let how = How {
            operation: match kind {
                AccessKind::Atomic => operation.clone(),
                _ => String::new(),
            },
            scope: Scope::Block,
            ..How::plain(kind)
        };
        let ty = Ty::Scalar(CType::U64);
        let access = self.access(object.0, object.1, &ty, &how, None, range);
        let row = |kind| PhaseStepRow {
            access,
            ..step(kind, Some(object.0), object.1)
        };
        match (phase, number) {
            (Phase::Init, Some(count)) => {
                let amount = Some(count);
                self.phase_step(
                    PhaseStepRow {
                        amount,
                        ..row(PhaseStep::Init)
                    },
                    range,
                );
            }
            (Phase::Arrive, number) => {
                // The number of bytes that are expected counts no arrivals.
                let expects = instruction.opcode.iter().any(|part| part == "expect_tx");
                let amount = number.filter(|_| !expects);
                if expects {
                    let expected = PhaseStepRow {
                        amount: number,
                        ..row(PhaseStep::Expect)
                    };
                    self.phase_step(expected, range);
                }
                self.phase_step(
                    PhaseStepRow {
                        amount,
                        ..row(PhaseStep::Arrive)
                    },
                    range,
                );
            }
            (Phase::Expect, number) => {
                let amount = number;
                self.phase_step(
                    PhaseStepRow {
                        amount,
                        ..row(PhaseStep::Expect)
                    },
                    range,
                );
            }
            (Phase::Wait(true), Some(parity)) => {
                let parity = Some(parity);
                self.phase_step(
                    PhaseStepRow {
                        parity,
                        ..row(PhaseStep::Wait)
                    },
                    range,
                );
            }
            (Phase::Wait(false), Some(parity)) => {
                let ended = self.tried_at(object, parity, access, range);
                if let Some(Operand::Word(word)) = instruction.operands.first() {
                    state.set(word, Value::Term(ended));
                }
            }
            _ => self.lost_phase(&operation, "not modelled", range),
        }
    }

    fn tried_at(
        &mut self,
        object: (ArrayId, TermId),
        parity: TermId,
        access: Option<AccessId>,
        range: Range,
    ) -> TermId {
        let ended = self.unknown("whether a phase has ended", range, CType::Bool, true);
        let tried = Tried {
            object,
            parity,
            access,
        };
        self.tried.insert(ended, tried);
        ended
    }

    /// A look at whether the phase of a parity has ended: a truth value.
    pub(crate) fn try_phase(
        &mut self,
        object: (ArrayId, TermId),
        parity: TermId,
        range: Range,
    ) -> TermId {
        let how = How {
            operation: "mbarrier.try_wait".to_owned(),
            scope: Scope::Block,
            ..How::plain(AccessKind::Atomic)
        };
        let ty = Ty::Scalar(CType::U64);
        let access = self.access(object.0, object.1, &ty, &how, None, range);
        self.tried_at(object, parity, access, range)
    }

    /// The object at a place: its memory and its first byte.
    pub(crate) fn object_of(&self, place: &Lvalue) -> Option<(ArrayId, TermId)> {
        let Lvalue::Memory { targets, .. } = place else {
            return None;
        };
        let [target] = targets.as_slice() else {
            return None;
        };
        let Base::Array(array) = target.base else {
            return None;
        };
        let is_shared = self.facts.array[array.index()].space == Space::Shared;
        (target.condition.is_none() && is_shared).then_some((array, target.offset))
    }

    /// Behind a loop that was left by its condition: whether that was until a phase has ended.
    pub(crate) fn wait_by_loop(&mut self, loop_id: LoopId, goes_on: TermId, range: Range) {
        let parts = self.facts.terms.reachable(&[goes_on]);
        let head = self.facts.loop_[loop_id.index()].head;
        let tried = parts.into_iter().find_map(|part| {
            let tried = *self.tried.get(&part)?;
            let not_ended = NotEnded(part);
            let value = Evaluator::new(&self.facts.terms, &not_ended).value(goes_on);
            value.is_ok_and(|value| value != 0).then_some(tried)
        });
        let Some(Tried {
            object,
            parity,
            access,
        }) = tried
        else {
            return;
        };
        let parts = self.facts.terms.reachable(&[object.1, parity]);
        let changes = parts.into_iter().any(|part| {
            let term = self.facts.terms.get(part);
            let made = |unknown: UnknownId| {
                let row = self.facts.unknown.get(unknown.index());
                row.is_none_or(|row| row.point >= head)
            };
            match term.op {
                Op::Iter => term.loop_id() == Some(loop_id),
                Op::Unknown => term.unknown().is_none_or(made),
                Op::Load => term.access().is_none_or(|access| {
                    let row = self.facts.access.get(access.index());
                    row.is_none_or(|row| row.point >= head)
                }),
                _ => false,
            }
        });
        if !changes {
            let row = PhaseStepRow {
                parity: Some(parity),
                access,
                ..step(PhaseStep::Wait, Some(object.0), object.1)
            };
            self.phase_step(row, range);
        }
    }
}

/// A step with nothing told but where it is.
pub(crate) fn step(step: PhaseStep, object: Option<ArrayId>, index: TermId) -> PhaseStepRow {
    PhaseStepRow {
        point: PointId(0),
        step,
        object,
        index,
        amount: None,
        parity: None,
        access: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_of_phases() {
        let of = |text: &str| {
            let opcode: Vec<String> = text.split('.').map(str::to_owned).collect();
            phase(&opcode)
        };
        assert_eq!(of("mbarrier.init.shared::cta.b64"), Some(Phase::Init));
        assert_eq!(
            of("mbarrier.arrive.expect_tx.shared::cta.b64"),
            Some(Phase::Arrive)
        );
        assert_eq!(
            of("mbarrier.try_wait.parity.shared.b64"),
            Some(Phase::Wait(false))
        );
        assert_eq!(of("mbarrier.arrive.shared::cluster.b64"), Some(Phase::Lost));
        assert_eq!(
            of("mbarrier.arrive.relaxed.cta.shared.b64"),
            Some(Phase::Lost)
        );
        assert_eq!(
            of("mbarrier.arrive.noComplete.shared.b64"),
            Some(Phase::Lost)
        );
        assert_eq!(of("mbarrier.test_wait.shared.b64"), Some(Phase::Lost));
        assert_eq!(of("bar.sync"), None);
    }
}
