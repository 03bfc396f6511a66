//! PTX instructions by which the lanes of a warp hand round values: `shfl.sync`, `vote.sync`, `match.sync`, `redux.sync`, and
//! `bar.warp.sync` with a mask that is no constant.
//!
//! They mean what the functions of the same name mean ([`warp`](super::super::library)), and are carried out by them. The bounds of a
//! shuffle, `c`, hold the last lane of a segment in bits 0 to 4 and the mask of the segment in bits 8 to 12: `0x1f` is the whole warp,
//! `((32 - w) << 8) | 0x1f` segments of `w` lanes; for `up` the lower bits are 0.
//!
//! **Accuracy.** Bounds of another form, or that are not constant, give a value of which nothing is known. The predicate that tells whether a lane was in
//! range is not known. Source: PTX ISA 8.5, "Data Movement and Conversion Instructions: shfl.sync", "Parallel Synchronization and
//! Communication Instructions: vote.sync, match.sync, redux.sync, bar.warp.sync".

use warplog_facts::CType;
use warplog_facts::words::BarrierKind;

use super::super::body::Lowerer;
use super::super::value::Value;
use super::State;
use super::parse::{Instruction, Operand};
use crate::syntax::ast::Range;

/// Which of them an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lanes {
    /// The function of CUDA that means the same.
    Shuffle(&'static str),
    Vote(&'static str),
    Barrier,
}

/// What an opcode does; `None` if it is none of these, or not understood.
pub(super) fn lanes(opcode: &[String]) -> Option<Lanes> {
    let parts: Vec<&str> = opcode.iter().map(String::as_str).collect();
    Some(match parts.as_slice() {
        ["shfl", "sync", mode, "b32"] => Lanes::Shuffle(match *mode {
            "idx" => "__shfl_sync",
            "up" => "__shfl_up_sync",
            "down" => "__shfl_down_sync",
            "bfly" => "__shfl_xor_sync",
            _ => return None,
        }),
        ["vote", "sync", mode, "pred" | "b32"] => Lanes::Vote(match *mode {
            "all" => "__all_sync",
            "any" => "__any_sync",
            "uni" => "__uni_sync",
            "ballot" => "__ballot_sync",
            _ => return None,
        }),
        ["match", "any", "sync", "b32" | "b64"] => Lanes::Vote("__match_any_sync"),
        ["redux", "sync", operation, "u32" | "s32" | "b32"] => Lanes::Vote(match *operation {
            "add" => "__reduce_add_sync",
            "min" => "__reduce_min_sync",
            "max" => "__reduce_max_sync",
            "and" => "__reduce_and_sync",
            "or" => "__reduce_or_sync",
            "xor" => "__reduce_xor_sync",
            _ => return None,
        }),
        ["bar", "warp", "sync"] => Lanes::Barrier,
        _ => return None,
    })
}

impl Lowerer<'_, '_> {
    /// Carries out such an instruction.
    pub(super) fn of_lanes(
        &mut self,
        state: &mut State<'_>,
        lanes: Lanes,
        instruction: &Instruction,
        range: Range,
    ) {
        let words: Vec<String> = instruction
            .operands
            .iter()
            .filter_map(|operand| match operand {
                Operand::Word(word) => Some(word.clone()),
                _ => None,
            })
            .collect();
        // The first operand may be a pair of a value and a predicate.
        let is_pair = matches!(instruction.operands.first(), Some(Operand::Pair(..)));
        let sources = &words[usize::from(!is_pair && lanes != Lanes::Barrier).min(words.len())..];
        let mask = match sources.last() {
            Some(word) => self.asm_integer(state, word, CType::U32),
            None => None,
        };
        let mask = match mask {
            Some(mask) => mask,
            None => self.unknown("mask of lanes", range, CType::U32, true),
        };
        let result = match (lanes, sources) {
            (Lanes::Barrier, _) => {
                let named = self.named_by(mask);
                self.meeting(BarrierKind::Warp, "bar.warp.sync", named, range);
                return;
            }
            (Lanes::Shuffle(name), [value, from, bounds, _]) => {
                let value = self.handed(state, value, range);
                let from = self.asm_integer(state, from, CType::U32);
                let from = match from {
                    Some(from) => from,
                    None => self.unknown("number of a lane", range, CType::U32, true),
                };
                let width = self.width_of_bounds(state, name, bounds);
                let width = match width {
                    Some(width) => self.facts.terms.constant(width, CType::U32),
                    None => self.unknown("lanes of a segment", range, CType::U32, true),
                };
                let values = [
                    Value::Term(mask),
                    value,
                    Value::Term(from),
                    Value::Term(width),
                ];
                self.shuffled(name, values.to_vec(), range)
            }
            (Lanes::Vote(name), [value, _]) => {
                let value = self.handed(state, value, range);
                self.voted(name, &[Value::Term(mask), value], range)
            }
            (Lanes::Shuffle(name) | Lanes::Vote(name), _) => {
                let named = self.named_by(mask);
                self.meeting(BarrierKind::Meet, name, named, range);
                None
            }
        };
        let result = result.unwrap_or(Value::Unknown);
        let values = match is_pair {
            true => vec![result, Value::Unknown],
            false => vec![result],
        };
        self.give(state, instruction, &values, None);
    }

    /// What a lane hands in: a register, or the negation of a predicate.
    fn handed(&mut self, state: &State<'_>, word: &str, range: Range) -> Value {
        if let Some(register) = word.strip_prefix('!') {
            return match self.asm_integer(state, register, CType::Bool) {
                Some(term) => Value::Term(self.facts.terms.not(term)),
                None => Value::Term(self.unknown("predicate", range, CType::Bool, true)),
            };
        }
        match self.asm_value(state, word) {
            Some(value @ Value::Term(_)) => value,
            _ => Value::Term(self.unknown("value of a register", range, CType::U32, true)),
        }
    }

    /// How many lanes a segment has, by the bounds of a shuffle.
    fn width_of_bounds(&mut self, state: &State<'_>, name: &str, bounds: &str) -> Option<i128> {
        let bounds = self.asm_integer(state, bounds, CType::U32)?;
        let bounds = self.facts.terms.as_const(bounds)?;
        let last = if name == "__shfl_up_sync" { 0 } else { 0x1f };
        let segment = (bounds >> 8) & 0x1f;
        let width = 32 - segment;
        let plain = bounds & 0x1f == last && bounds >> 13 == 0;
        (plain && [1, 2, 4, 8, 16, 32].contains(&width)).then_some(width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opcodes_of_lanes() {
        let of = |text: &str| {
            let opcode: Vec<String> = text.split('.').map(str::to_owned).collect();
            lanes(&opcode)
        };
        assert_eq!(
            of("shfl.sync.bfly.b32"),
            Some(Lanes::Shuffle("__shfl_xor_sync"))
        );
        assert_eq!(of("shfl.bfly.b32"), None);
        assert_eq!(
            of("vote.sync.ballot.b32"),
            Some(Lanes::Vote("__ballot_sync"))
        );
        assert_eq!(
            of("match.any.sync.b32"),
            Some(Lanes::Vote("__match_any_sync"))
        );
        assert_eq!(of("match.all.sync.b32"), None);
        assert_eq!(
            of("redux.sync.add.s32"),
            Some(Lanes::Vote("__reduce_add_sync"))
        );
        assert_eq!(of("redux.sync.min.NaN.f32"), None);
    }
}
