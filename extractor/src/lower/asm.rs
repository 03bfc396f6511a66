//! Inline assembly: the PTX instructions that only compute, and barriers and fences.
//!
//! **Accuracy.** Only instructions of the closed lists below are accepted; an operand that is written becomes a value of
//! which nothing is known but what went in. Everything else, labels and branches included, makes the kernel unknown.
//! Source: PTX ISA 8.5, chapter 9.

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::Lowerer;
use super::types::Ty;
use super::value::Value;
use crate::syntax::ast::*;

/// Instructions that read and write registers only.
const PURE: &[&str] = &[
    "abs",
    "activemask",
    "add",
    "addc",
    "and",
    "bfe",
    "bfi",
    "bfind",
    "bmsk",
    "brev",
    "clz",
    "cnot",
    "copysign",
    "cos",
    "cvt",
    "cvta",
    "div",
    "dp2a",
    "dp4a",
    "ex2",
    "fma",
    "fns",
    "isspacep",
    "lg2",
    "lop3",
    "mad",
    "mad24",
    "madc",
    "max",
    "min",
    "mov",
    "mul",
    "mul24",
    "nanosleep",
    "neg",
    "not",
    "or",
    "pmevent",
    "popc",
    "prmt",
    "rcp",
    "rem",
    "rsqrt",
    "sad",
    "selp",
    "set",
    "setp",
    "shf",
    "shl",
    "shr",
    "sin",
    "slct",
    "sqrt",
    "sub",
    "subc",
    "szext",
    "tanh",
    "testp",
    "vabsdiff",
    "vabsdiff2",
    "vabsdiff4",
    "vadd",
    "vadd2",
    "vadd4",
    "vavrg2",
    "vavrg4",
    "vmad",
    "vmax",
    "vmax2",
    "vmax4",
    "vmin",
    "vmin2",
    "vmin4",
    "vset",
    "vset2",
    "vset4",
    "vshl",
    "vshr",
    "vsub",
    "vsub2",
    "vsub4",
    "xor",
];

/// What one instruction does besides computing.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Effects {
    None,
    /// `bar.sync id, count`, with the operands as written.
    NamedBarrier(Vec<String>),
    WarpBarrier,
    /// `mma.sync.aligned …`: all lanes of the warp execute it together, and no memory is ordered.
    Meets(&'static str),
    /// For these threads, and whether in one order with others.
    Fence(Scope, bool),
}

/// What the instructions of a template do, in order; `None` when one of them is not understood.
fn effects(template: &str) -> Option<Vec<Effects>> {
    let text = template
        .replace("\\n", "\n")
        .replace("\\t", " ")
        .replace("\\r", " ");
    let mut found = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or("");
        for instruction in line.split(';') {
            let mut words = instruction
                .split(|c: char| c.is_whitespace() || c == '{' || c == '}')
                .filter(|word| !word.is_empty());
            let Some(mut opcode) = words.next() else {
                continue;
            };
            // `@p mov.u32 …`: what a guarded instruction writes is unknown all the same.
            let guarded = opcode.starts_with('@');
            if guarded {
                opcode = words.next()?;
            }
            let parts: Vec<&str> = opcode.split('.').collect();
            let effect = match parts.as_slice() {
                ["", "reg", ..] | ["", "loc", ..] => continue,
                ["bar" | "barrier", "sync", ..] | ["barrier", "cta", "sync", ..] if !guarded => {
                    let operands = words.map(|word| word.trim_end_matches(',').to_owned());
                    let operands: Vec<String> = operands.collect();
                    if operands.is_empty() || operands.len() > 2 {
                        return None;
                    }
                    Effects::NamedBarrier(operands)
                }
                ["bar", "warp", "sync"] if !guarded => {
                    let operands: Vec<&str> = words.collect();
                    if !matches!(operands.as_slice(), ["0xffffffff" | "-1" | "0xFFFFFFFF"]) {
                        return None;
                    }
                    Effects::WarpBarrier
                }
                ["mma", rest @ ..] if !guarded && rest.contains(&"sync") => {
                    Effects::Meets("mma.sync")
                }
                ["membar", "cta"] => Effects::Fence(Scope::Block, true),
                ["membar", "gl"] => Effects::Fence(Scope::Grid, true),
                ["membar", "sys"] => Effects::Fence(Scope::System, true),
                ["fence", order @ ("acq_rel" | "sc"), "gpu"] => {
                    Effects::Fence(Scope::Grid, *order == "sc")
                }
                ["fence", order @ ("acq_rel" | "sc"), "sys"] => {
                    Effects::Fence(Scope::System, *order == "sc")
                }
                [opcode, ..] if PURE.contains(opcode) => Effects::None,
                _ => return None,
            };
            // What a predicate may leave out orders nothing for certain.
            let effect = match effect {
                Effects::Fence(..) if guarded => Effects::None,
                effect => effect,
            };
            found.push(effect);
        }
    }
    Some(found)
}

/// Instructions that all lanes of a warp must execute together, whatever else they do.
const WARP_WIDE: [&str; 6] = ["ldmatrix", "stmatrix", "movmatrix", "mma", "wmma", "wgmma"];

/// An instruction of a template that only a whole warp may execute and that no predicate leaves out.
fn warp_wide(template: &str) -> Option<&'static str> {
    let text = template.replace("\\n", "\n").replace("\\t", " ");
    let instructions = text
        .split(['\n', ';', '{', '}'])
        .map(str::trim_start)
        .filter_map(|instruction| instruction.split_whitespace().next());
    let mut opcodes = instructions.filter(|opcode| opcode.split('.').any(|part| part == "aligned"));
    opcodes.find_map(|opcode| {
        let first = opcode.split('.').next();
        WARP_WIDE.into_iter().find(|name| first == Some(*name))
    })
}

impl Lowerer<'_, '_> {
    /// `asm volatile ("…" : outputs : inputs : clobbers)`
    pub(crate) fn asm(&mut self, asm: &Asm, range: Range) {
        let inputs: Vec<Value> = asm
            .inputs
            .iter()
            .map(|(_, input)| self.expr(input))
            .collect();
        let Some(effects) = effects(&asm.template) else {
            if let Some(operation) = warp_wide(&asm.template) {
                self.barrier(BarrierKind::Meet, operation, range);
            }
            // `bar.arrive`, `mbarrier.try_wait`, `cp.async.wait_group`, `barrier.cluster.wait`
            let template = &asm.template;
            let effect = if template.contains("cluster") {
                Effect::OrderBlocks
            } else if ["bar.", "barrier", "cp.async"]
                .iter()
                .any(|one| template.contains(one))
            {
                Effect::Order
            } else {
                Effect::Control
            };
            self.unsupported(range, "inline assembly", "not modelled", effect);
            for (_, output) in &asm.outputs {
                let place = self.place(output);
                let ty = self.static_type(output);
                let value = self.unknown_value(&ty, "result of inline assembly", range);
                self.write(&place, value, range);
            }
            return;
        };
        for effect in effects {
            match effect {
                Effects::None => {}
                Effects::NamedBarrier(operands) => {
                    let operands: Vec<Option<TermId>> = operands
                        .iter()
                        .map(|operand| self.operand(asm, &inputs, operand, range))
                        .collect();
                    match operands.as_slice() {
                        [Some(id)] => self.named_barrier("bar.sync", *id, None, range),
                        [Some(id), Some(count)] => {
                            self.named_barrier("bar.sync", *id, Some(*count), range);
                        }
                        _ => self.unsupported(
                            range,
                            "bar.sync",
                            "its operands are not understood",
                            Effect::Order,
                        ),
                    }
                }
                Effects::Meets(operation) => self.barrier(BarrierKind::Meet, operation, range),
                Effects::WarpBarrier => self.barrier(BarrierKind::Warp, "bar.warp.sync", range),
                Effects::Fence(scope, sequential) => {
                    let point = self.point(PointKind::Fence, range);
                    self.facts.fence.push(FenceRow {
                        point,
                        scope,
                        sequential,
                    });
                }
            }
        }
        let mut terms = Vec::new();
        for value in &inputs {
            terms.push(self.term_of(value, range));
        }
        let computed = self.computed(asm, &inputs, range);
        for (constraint, output) in &asm.outputs {
            let place = self.place(output);
            if constraint.contains('+') {
                let old = self.read(&place, range);
                terms.push(self.term_of(&old, range));
            }
            let ty = self.static_type(output);
            // Special registers (lane, clock) make it differ between threads.
            let value = match (computed, &ty) {
                (Some(term), Ty::Scalar(scalar)) if scalar.is_integer() => {
                    Value::Term(self.cast_term(term, *scalar))
                }
                _ => self.unknown_value(&ty, "result of inline assembly", range),
            };
            self.write(&place, value, range);
        }
    }

    /// The result of a single instruction that computes a number of 32 bits from such numbers, as a `u32`.
    fn computed(&mut self, asm: &Asm, inputs: &[Value], range: Range) -> Option<TermId> {
        let [(constraint, _)] = asm.outputs.as_slice() else {
            return None;
        };
        if !matches!(constraint.trim_matches('"'), "=r" | "=&r") {
            return None;
        }
        let (opcode, operands) = single(&asm.template)?;
        let (result, operands) = operands.split_first()?;
        if result != "%0" {
            return None;
        }
        let mut terms = Vec::new();
        for operand in operands {
            let term = match operand.strip_prefix("%%") {
                Some(register) => self.special_register(register)?,
                None => self.operand(asm, inputs, operand, range)?,
            };
            let ty = self.facts.terms.ty(term);
            if !ty.is_integer() || ty.bits() != Some(32) {
                return None;
            }
            terms.push(self.facts.terms.cast(term, CType::U32));
        }
        let store = &mut self.facts.terms;
        let mut binary = |op: Op, a: TermId, b: TermId| store.binary(op, CType::U32, a, b);
        // Without saturation PTX wraps, whatever the sign.
        Some(match (opcode.as_str(), terms.as_slice()) {
            ("mov.u32" | "mov.s32" | "mov.b32", &[a]) => a,
            ("add.u32" | "add.s32", &[a, b]) => binary(Op::Add, a, b),
            ("sub.u32" | "sub.s32", &[a, b]) => binary(Op::Sub, a, b),
            ("mul.lo.u32" | "mul.lo.s32", &[a, b]) => binary(Op::Mul, a, b),
            ("mad.lo.u32" | "mad.lo.s32", &[a, b, c]) => {
                let product = binary(Op::Mul, a, b);
                binary(Op::Add, product, c)
            }
            ("and.b32", &[a, b]) => binary(Op::BitAnd, a, b),
            ("or.b32", &[a, b]) => binary(Op::BitOr, a, b),
            ("xor.b32", &[a, b]) => binary(Op::BitXor, a, b),
            _ => return None,
        })
    }

    /// `%laneid`, `%tid.x` and their kin (PTX ISA 8.5, chapter 10), as far as CUDA has the same.
    fn special_register(&mut self, register: &str) -> Option<TermId> {
        if register == "laneid" {
            let rank = self.rank_in_block();
            let mask = self.facts.terms.constant(31, CType::U32);
            return Some(self.facts.terms.binary(Op::BitAnd, CType::U32, rank, mask));
        }
        let (name, axis) = register.rsplit_once('.')?;
        let axis = match axis {
            "x" => Axis::X,
            "y" => Axis::Y,
            "z" => Axis::Z,
            _ => return None,
        };
        let dimension = |blocks: bool| {
            let position = axis as usize + if blocks { 3 } else { 0 };
            self.dimensions.get(position).copied()
        };
        match name {
            "tid" => Some(self.facts.terms.builtin(axis.tid())),
            "ctaid" => Some(self.facts.terms.builtin(axis.bid())),
            "ntid" => dimension(false),
            "nctaid" => dimension(true),
            _ => None,
        }
    }
}

/// The only instruction of a template: its opcode and its operands.
fn single(template: &str) -> Option<(String, Vec<String>)> {
    let text = template.trim().trim_end_matches(';').trim();
    if text.contains([';', '\n', '\\', '{', '@']) {
        return None;
    }
    let (opcode, operands) = text.split_once(char::is_whitespace)?;
    let operands = operands.split(',').map(|operand| operand.trim().to_owned());
    Some((opcode.to_owned(), operands.collect()))
}

impl Lowerer<'_, '_> {
    /// An operand of an instruction: a number, or the place of an input.
    fn operand(
        &mut self,
        asm: &Asm,
        inputs: &[Value],
        operand: &str,
        range: Range,
    ) -> Option<TermId> {
        if let Ok(number) = operand.parse::<i64>() {
            let fits = |ty: CType| {
                let number = i128::from(number);
                ty.min().is_some_and(|min| min <= number)
                    && ty.max().is_some_and(|max| number <= max)
            };
            let ty = [CType::I32, CType::U32].into_iter().find(|ty| fits(*ty))?;
            return Some(self.facts.terms.constant(i128::from(number), ty));
        }
        let position: usize = operand.strip_prefix('%')?.parse().ok()?;
        let value = inputs.get(position.checked_sub(asm.outputs.len())?)?;
        Some(self.term_of(value, range))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn computing_is_accepted_and_memory_is_not() {
        assert_eq!(effects("mov.u32 %0, %%laneid;"), Some(vec![Effects::None]));
        assert_eq!(
            effects("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p add.u32 %0, %0, 1; }")
                .map(|all| all.len()),
            Some(2)
        );
        assert_eq!(
            effects("add.cc.u32 %0, %1, %2;\\n\\taddc.u32 %3, 0, 0;").map(|all| all.len()),
            Some(2)
        );
        for memory in [
            "ld.global.u32 %0, [%1];",
            "st.shared.u32 [%0], %1;",
            "mov.u32 %0, 1; red.global.add.u32 [%1], 1;",
            "cp.async.ca.shared.global [%0], [%1], 16;",
            "L: bra L;",
            "bar.arrive 1, 64;",
            "exit;",
        ] {
            assert_eq!(effects(memory), None, "{memory}");
        }
    }

    #[test]
    fn barriers_keep_their_operands() {
        let named = |operands: &[&str]| {
            let operands = operands.iter().map(|&operand| operand.to_owned());
            Some(vec![Effects::NamedBarrier(operands.collect())])
        };
        assert_eq!(effects("bar.sync 0;"), named(&["0"]));
        assert_eq!(effects("bar.sync %0, 64;"), named(&["%0", "64"]));
        assert_eq!(effects("bar.sync 1, 2, 3;"), None);
        assert_eq!(effects("@p bar.sync 0;"), None);
        assert_eq!(
            effects("membar.gl;"),
            Some(vec![Effects::Fence(Scope::Grid, true)])
        );
        assert_eq!(
            effects("fence.acq_rel.gpu;"),
            Some(vec![Effects::Fence(Scope::Grid, false)])
        );
    }
}
