//! PTX instructions that read and write memory: `ld`, `st`, `red`, `atom`.
//!
//! **Accuracy contract.** The bytes that an instruction touches, in the space of the address that is passed in; what an
//! `.acquire` or `.release` orders is told by the rules. An address that is no pointer any more (a 32-bit number
//! in the window of shared memory) is not understood, and reported so. Source: PTX ISA 8.5, sections 9.7.9.8, 9.7.9.11,
//! 9.7.13.5 and 9.7.13.6.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::library::atomics::Change;
use super::super::types::Ty;
use super::super::value::{Lvalue, Pointer, Value};
use super::State;
use super::compute::integer_type;
use super::parse::{Instruction, Operand};
use crate::syntax::ast::Range;

/// What an instruction does to memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Memory {
    pub kind: Kind,
    /// Of each element.
    ty: CType,
    /// Whether registers of this type hold numbers that are looked into.
    is_known: bool,
    elements: usize,
    /// `red`
    is_reduction: bool,
    /// An access that does not race with others of its kind, for these threads.
    atomic: Option<Scope>,
    /// Whether it is an acquire, and whether a release.
    order: [bool; 2],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Load,
    Store,
    /// `atom`, which gives the old value, and `red`, which does not: with what is done.
    Update(String),
}

impl Memory {
    /// Whether the first operand gets what was there.
    pub(super) fn gives(&self) -> bool {
        match &self.kind {
            Kind::Load => true,
            Kind::Store => false,
            Kind::Update(_) => !self.is_reduction,
        }
    }
}

/// What an opcode does to memory; `None` if it is not understood.
pub(super) fn memory(opcode: &[String]) -> Option<Memory> {
    let (name, rest) = opcode.split_first()?;
    let (last, qualifiers) = rest.split_last()?;
    let (ty, is_known) = match (integer_type(last), last.as_str()) {
        (Some(CType::Bool), _) => return None,
        (Some(ty), _) => (ty, true),
        (None, "f32") => (CType::F32, true),
        (None, "f64") => (CType::F64, true),
        (None, "f16" | "bf16") => (CType::U16, false),
        (None, "f16x2" | "bf16x2") => (CType::U32, false),
        _ => return None,
    };
    let mut found = Memory {
        kind: match name.as_str() {
            "ld" | "ldu" => Kind::Load,
            "st" => Kind::Store,
            "red" | "atom" => Kind::Update(String::new()),
            _ => return None,
        },
        ty,
        is_known,
        elements: 1,
        is_reduction: name == "red",
        atomic: None,
        order: [false; 2],
    };
    let is_update = matches!(found.kind, Kind::Update(_));
    let mut is_strong = is_update;
    let mut scope = Scope::Grid;
    for qualifier in qualifiers {
        match qualifier.as_str() {
            // An address of the own block, or one that `mapa` gave.
            "global" | "shared" | "local" | "const" | "shared::cta" | "shared::cluster" => {}
            "weak" | "volatile" | "nc" | "ca" | "cg" | "cs" | "lu" | "cv" | "wb" | "wt"
            | "noftz" => {}
            order @ ("relaxed" | "acquire" | "release" | "acq_rel") => {
                is_strong = true;
                found.order = [
                    matches!(order, "acquire" | "acq_rel"),
                    matches!(order, "release" | "acq_rel"),
                ];
            }
            // Other blocks of a cluster may be meant as well.
            "cta" | "cluster" => scope = Scope::Block,
            "gpu" => scope = Scope::Grid,
            "sys" => scope = Scope::System,
            "v2" => found.elements = 2,
            "v4" => found.elements = 4,
            "v8" => found.elements = 8,
            hint if hint.starts_with("L1::") || hint.starts_with("L2::") => {}
            operation @ ("add" | "inc" | "dec" | "min" | "max" | "and" | "or" | "xor" | "exch"
            | "cas")
                if is_update =>
            {
                found.kind = Kind::Update(operation.to_owned());
            }
            _ => return None,
        }
    }
    if found.kind == Kind::Update(String::new()) {
        return None;
    }
    found.atomic = is_strong.then_some(scope);
    Some(found)
}

impl Lowerer<'_, '_> {
    /// Carries out an instruction; the values that it gives, one an element.
    pub(super) fn of_memory(
        &mut self,
        state: &State<'_>,
        memory: &Memory,
        instruction: &Instruction,
        range: Range,
    ) -> Vec<Value> {
        let mut operands = instruction.operands.iter();
        let address = operands.find_map(|operand| match operand {
            Operand::Address(base, offset) => Some((base, *offset)),
            _ => None,
        });
        let passed: Vec<String> = match operands.next() {
            Some(Operand::Word(word)) => vec![word.clone()],
            Some(Operand::Vector(words)) => words.clone(),
            _ => Vec::new(),
        };
        let second = match operands.next() {
            Some(Operand::Word(word)) => Some(word.as_str()),
            _ => None,
        };
        let Some((base, offset)) = address else {
            self.lost_access(range, "the address is not understood");
            return Vec::new();
        };
        let element = Ty::Scalar(memory.ty);
        let value = self.asm_value(state, base).unwrap_or(Value::Unknown);
        let pointer = self.convert(value, &element.clone().pointer_to(), range);
        let Value::Pointer(pointer) = pointer else {
            self.lost_access(range, "the address is not understood");
            return Vec::new();
        };
        let size = i128::from(memory.ty.bits().unwrap_or(64) / 8);
        let mut given = Vec::new();
        for at in 0..memory.elements {
            let bytes = i128::from(offset) + size * at as i128;
            let targets = match bytes {
                0 => pointer.targets.clone(),
                bytes => self.moved_by(pointer.targets.clone(), bytes),
            };
            let pointer = Pointer {
                targets,
                element: element.clone(),
            };
            let operand = passed.get(at).map(String::as_str);
            given.push(self.element(state, memory, pointer, (operand, second), range));
        }
        given
    }

    fn element(
        &mut self,
        state: &State<'_>,
        memory: &Memory,
        pointer: Pointer,
        (operand, second): (Option<&str>, Option<&str>),
        range: Range,
    ) -> Value {
        let operand = operand.and_then(|word| self.asm_value(state, word));
        let stored = match operand {
            Some(Value::Term(term)) if memory.is_known && self.is_of(term, memory.ty) => {
                Value::Term(self.cast_term(term, memory.ty))
            }
            _ => Value::Unknown,
        };
        let name = match (&memory.kind, memory.atomic) {
            (Kind::Load, None) => {
                let place = place_of(pointer);
                return self.read(&place, range);
            }
            (Kind::Store, None) => {
                let place = place_of(pointer);
                self.write(&place, stored, range);
                return Value::Void;
            }
            (Kind::Load, Some(_)) => "load".to_owned(),
            (Kind::Store, Some(_)) => "store".to_owned(),
            (Kind::Update(operation), _) => {
                let (first, rest) = operation.split_at(1);
                match operation.as_str() {
                    "cas" => "atomicCAS".to_owned(),
                    _ => format!("atomic{}{rest}", first.to_uppercase()),
                }
            }
        };
        let scope = memory.atomic.unwrap_or(Scope::Grid);
        let change = match (name.as_str(), &stored) {
            ("atomicCAS", Value::Term(expected)) => {
                let value = second.and_then(|word| self.asm_integer(state, word, memory.ty));
                match value {
                    Some(value) => Change::Exchange {
                        expected: Some(*expected),
                        value,
                    },
                    None => Change::Other,
                }
            }
            ("atomicExch", Value::Term(value)) => Change::Exchange {
                expected: None,
                value: *value,
            },
            ("atomicCAS" | "atomicExch", _) => Change::Other,
            _ => self.step_of(&name, Some(&stored)),
        };
        let before = self.facts.access.len();
        let value = self.atomic_access(&name, scope, &Value::Pointer(pointer), change, range);
        self.tell_order(before, memory.order);
        value
    }

    /// Whether a term can be stored as this type without its bits being read as another.
    fn is_of(&self, term: TermId, ty: CType) -> bool {
        let own = self.facts.terms.ty(term);
        own == ty || own.is_integer() && ty.is_integer()
    }
}

fn place_of(pointer: Pointer) -> Lvalue {
    Lvalue::Memory {
        targets: pointer.targets,
        ty: pointer.element,
    }
}
