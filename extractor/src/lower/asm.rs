//! Inline assembly: the PTX instructions that compute, touch memory, copy it asynchronously, wait at barriers or order memory.
//!
//! A template is read into instructions ([`parse`]) and carried out in order: registers that it declares hold values as
//! variables do, `%0` are its operands. What an instruction computes is exact for integers and predicates ([`compute`]), what it
//! reads and writes are accesses ([`memory`]), also where it copies or moves parts of matrices ([`matrices`]).
//!
//! **Accuracy.** Only instructions of the closed lists below are accepted; an operand that is written and of which the result is
//! not known becomes a value of which nothing is known. Everything else, labels and branches included, makes the kernel
//! unknown. Source: PTX ISA 8.5, chapters 9 and 10.

mod bulk;
mod compute;
mod lanes;
mod matrices;
mod memory;
mod parse;
pub(crate) mod phases;
mod products;

use std::collections::BTreeMap;

use warplog_facts::words::*;
use warplog_facts::*;

use self::bulk::Bulk;
use self::lanes::Lanes;
use self::matrices::Matrix;
use self::memory::Memory;
use self::parse::{Instruction, Operand};
use self::phases::Phase;
use self::products::Product;
use super::body::Lowerer;
use super::types::Ty;
use super::under_way::What;
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
    "createpolicy",
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
    "neg",
    "not",
    "or",
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

/// Instructions without a result that touch no memory of the program and no other lane: hints to caches, the number of registers.
const IDLE: &[&str] = &["applypriority", "prefetch", "prefetchu", "setmaxnreg"];

/// Instructions that touch no memory of the program and no other lane, and do something else: time passes, another grid is waited for or
/// may begin, a debugger or profiler is told.
const EFFECTS: &[&str] = &["brkpt", "griddepcontrol", "nanosleep", "pmevent"];

/// What one instruction does.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Action {
    Idle,
    /// Something that is no access happens.
    Effect,
    /// It gives its first operand a value, made of the others.
    Compute,
    Memory(Memory),
    /// `cp.async`
    Copy,
    /// `cp.async.bulk…`
    Bulk(Bulk),
    /// `cp.async.commit_group`
    Commit,
    /// `cp.async.wait_group N`, with the number as written; none for `cp.async.wait_all`.
    Wait(Option<String>),
    /// `ldmatrix`, `stmatrix`
    Matrix(Matrix),
    /// `wgmma.…`
    Product(Product),
    /// `mapa`
    Elsewhere,
    /// `elect.sync d|p, mask`
    Elect,
    Trap,
    Exit,
    /// `bar.sync id, count`, with the operands as written.
    NamedBarrier(Vec<String>),
    /// `bar.arrive id, count`, with the operands as written.
    NamedArrival(String, String),
    /// `mbarrier.…`
    Phase(Phase),
    WarpBarrier,
    /// `shfl.sync`, `vote.sync` and their kin.
    Lanes(Lanes),
    /// `barrier.cluster.arrive`, or `wait`
    ClusterBarrier(bool),
    /// `mma.sync.aligned …`: all lanes of the warp execute it together, and no memory is ordered.
    Meets(&'static str),
    /// For these threads, and whether in one order with others.
    Fence(Scope, bool),
}

/// What the instructions of a template do, in order; `None` when one of them is not understood.
fn actions(template: &str) -> Option<Vec<(Instruction, Action)>> {
    let instructions = parse::parse(template).or_else(|| parse::until_true(template))?;
    let both = instructions.into_iter().map(|instruction| {
        let action = action(&instruction)?;
        Some((instruction, action))
    });
    both.collect()
}

fn action(instruction: &Instruction) -> Option<Action> {
    let parts: Vec<&str> = instruction.opcode.iter().map(String::as_str).collect();
    let is_certain = instruction.predicate.is_none();
    let words = || -> Option<Vec<String>> {
        let operands = instruction.operands.iter();
        let words = operands.map(|operand| match operand {
            Operand::Word(word) => Some(word.clone()),
            _ => None,
        });
        words.collect()
    };
    let fence = |scope, sequential| match is_certain {
        true => Action::Fence(scope, sequential),
        // What a predicate may leave out orders nothing for certain.
        false => Action::Idle,
    };
    Some(match parts.as_slice() {
        ["bar" | "barrier", "sync", ..] | ["bar" | "barrier", "cta", "sync", ..] if is_certain => {
            let operands = words()?;
            if operands.is_empty() || operands.len() > 2 {
                return None;
            }
            Action::NamedBarrier(operands)
        }
        ["bar" | "barrier", "arrive", ..] | ["bar" | "barrier", "cta", "arrive", ..]
            if is_certain =>
        {
            match words()?.as_slice() {
                [id, count] => Action::NamedArrival(id.clone(), count.clone()),
                _ => return None,
            }
        }
        ["barrier", "cluster", what @ ("arrive" | "wait"), rest @ ..]
            if is_certain
                && rest
                    .iter()
                    .all(|word| matches!(*word, "aligned" | "release" | "acquire")) =>
        {
            Action::ClusterBarrier(*what == "wait")
        }
        ["mbarrier", ..] => Action::Phase(phases::phase(&instruction.opcode)?),
        ["bar", "warp", "sync"] if is_certain => {
            let all = words()?;
            let [mask] = all.as_slice() else { return None };
            match parse::number(mask) {
                Some(-1 | 0xffff_ffff) => Action::WarpBarrier,
                _ => Action::Lanes(Lanes::Barrier),
            }
        }
        ["shfl" | "vote" | "match" | "redux", ..] if is_certain => {
            Action::Lanes(lanes::lanes(&instruction.opcode)?)
        }
        // It orders what is done to a tensor map, which is not looked into.
        ["fence", "proxy", "tensormap::generic", ..] => Action::Idle,
        ["cp", "async", "commit_group"] if is_certain && words()?.is_empty() => Action::Commit,
        ["cp", "async", "wait_all"] if is_certain && words()?.is_empty() => Action::Wait(None),
        ["cp", "async", "wait_group"] if is_certain => match words()?.as_slice() {
            [number] => Action::Wait(Some(number.clone())),
            _ => return None,
        },
        ["cp", "async", "bulk", ..]
        | ["cp", "reduce", "async", "bulk", ..]
        | ["fence", "proxy", "async", ..] => {
            let bulk = bulk::bulk(&instruction.opcode)?;
            match bulk {
                Bulk::In(_) | Bulk::Out(..) => Action::Bulk(bulk),
                _ if is_certain => Action::Bulk(bulk),
                // What a predicate may leave out orders nothing for certain.
                Bulk::Fence(_) | Bulk::Idle => Action::Idle,
                Bulk::Commit | Bulk::Wait(_) => return None,
            }
        }
        // Makes the counts of barriers known to other blocks.
        ["fence", "mbarrier_init", ..] => Action::Idle,
        ["cp", "async", "ca" | "cg", space, rest @ ..] => {
            let hints = |rest: &[&str]| {
                rest.iter()
                    .all(|hint| *hint == "L2::cache_hint" || hint.starts_with("L2::"))
            };
            let (true, Some(("global", rest))) = (
                matches!(*space, "shared" | "shared::cta"),
                rest.split_first().map(|(first, rest)| (*first, rest)),
            ) else {
                return None;
            };
            if !hints(rest) {
                return None;
            }
            Action::Copy
        }
        ["ldmatrix" | "stmatrix", ..] if is_certain => {
            Action::Matrix(matrices::matrix(&instruction.opcode)?)
        }
        ["movmatrix", rest @ ..] if is_certain && rest.contains(&"sync") => {
            Action::Meets("movmatrix.sync")
        }
        ["mma", rest @ ..] if is_certain && rest.contains(&"sync") => Action::Meets("mma.sync"),
        ["wgmma", ..] if is_certain => Action::Product(products::product(&instruction.opcode)?),
        ["mapa", ..] if is_certain => Action::Elsewhere,
        ["membar", "cta"] => fence(Scope::Block, true),
        ["membar", "gl"] => fence(Scope::Grid, true),
        ["membar", "sys"] => fence(Scope::System, true),
        ["fence", order @ ("acq_rel" | "sc"), "cta"] => fence(Scope::Block, *order == "sc"),
        ["fence", order @ ("acq_rel" | "sc"), "gpu"] => fence(Scope::Grid, *order == "sc"),
        ["fence", order @ ("acq_rel" | "sc"), "sys"] => fence(Scope::System, *order == "sc"),
        ["elect", "sync"] if is_certain && instruction.operands.len() == 2 => Action::Elect,
        ["trap"] => Action::Trap,
        ["exit"] if is_certain => Action::Exit,
        ["ld" | "ldu" | "st" | "red" | "atom", ..] => {
            Action::Memory(memory::memory(&instruction.opcode)?)
        }
        [opcode, ..] if IDLE.contains(opcode) => Action::Idle,
        [opcode, ..] if EFFECTS.contains(opcode) => Action::Effect,
        [opcode, ..] if PURE.contains(opcode) => Action::Compute,
        _ => return None,
    })
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

/// What the registers and operands of an assembly hold.
struct State<'a> {
    asm: &'a Asm,
    /// Of the outputs, then of the inputs; `Uninitialised` before an output is written.
    operands: Vec<Value>,
    registers: BTreeMap<String, Value>,
}

impl State<'_> {
    /// The position of an operand: `%1`.
    fn position(&self, word: &str) -> Option<usize> {
        let position: usize = word.strip_prefix('%')?.parse().ok()?;
        (position < self.operands.len()).then_some(position)
    }

    fn set(&mut self, word: &str, value: Value) {
        match self.position(word) {
            Some(position) => self.operands[position] = value,
            None if word == "_" => {}
            None => {
                self.registers.insert(word.to_owned(), value);
            }
        }
    }
}

impl Lowerer<'_, '_> {
    /// `asm volatile ("…" : outputs : inputs : clobbers)`
    pub(crate) fn asm(&mut self, asm: &Asm, range: Range) {
        let inputs: Vec<Value> = asm
            .inputs
            .iter()
            .map(|(_, input)| self.expr(input))
            .collect();
        let in_kernel = self.calls.last().is_some_and(|call| call.is_kernel);
        let actions = actions(&asm.template).filter(|actions| {
            let mut all = actions.iter();
            in_kernel || all.all(|(_, action)| *action != Action::Exit)
        });
        let Some(actions) = actions else {
            self.asm_not_modelled(asm, range);
            return;
        };
        let mut places = Vec::new();
        let mut operands = Vec::new();
        for (constraint, output) in &asm.outputs {
            let place = self.place(output);
            operands.push(match constraint.contains('+') {
                true => self.read(&place, range),
                false => Value::Uninitialised,
            });
            places.push((place, self.static_type(output)));
        }
        operands.extend(inputs);
        let mut state = State {
            asm,
            operands,
            registers: BTreeMap::new(),
        };
        for (instruction, action) in &actions {
            if *action == Action::Exit {
                self.return_(None, range);
                return;
            }
            self.instruction(&mut state, instruction, action, range);
        }
        for ((place, ty), value) in places.into_iter().zip(state.operands) {
            let value = self.as_output(value, &ty, range);
            self.write(&place, value, range);
        }
    }

    fn asm_not_modelled(&mut self, asm: &Asm, range: Range) {
        if let Some(operation) = warp_wide(&asm.template) {
            self.barrier(BarrierKind::Meet, operation, range);
        }
        // `bar.arrive`, `mbarrier.try_wait`, `cp.async.bulk.wait_group`, `barrier.cluster.wait`
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
            let value = self.unknown_value(&ty, RESULT, range);
            self.write(&place, value, range);
        }
    }

    /// A value as what an operand of this type holds.
    fn as_output(&mut self, value: Value, ty: &Ty, range: Range) -> Value {
        match (value, ty) {
            (Value::Term(term), Ty::Scalar(scalar)) => {
                let own = self.facts.terms.ty(term);
                if scalar.is_integer() && own.is_integer() && *scalar != CType::Bool {
                    return Value::Term(self.cast_term(term, *scalar));
                }
                if own == *scalar {
                    return Value::Term(term);
                }
            }
            (value @ Value::Pointer(_), Ty::Pointer(_)) => return self.convert(value, ty, range),
            (
                value @ Value::Pointer(_),
                Ty::Scalar(CType::U64 | CType::I64 | CType::U32 | CType::I32),
            ) => {
                return self.convert(value, ty, range);
            }
            (Value::Term(term), Ty::Pointer(_)) if self.facts.terms.ty(term).is_integer() => {
                return self.convert(Value::Term(term), ty, range);
            }
            _ => {}
        }
        // Special registers (clock, processor) make it differ between threads.
        self.unknown_value(ty, RESULT, range)
    }

    fn instruction(
        &mut self,
        state: &mut State<'_>,
        instruction: &Instruction,
        action: &Action,
        range: Range,
    ) {
        let condition = self.asm_condition(state, instruction, range);
        let under = |me: &mut Self, act: &mut dyn FnMut(&mut Self)| match condition {
            Some(condition) => me.guarded(condition, true, range, |me| act(me)),
            None => act(me),
        };
        match action {
            Action::Idle | Action::Exit => {}
            Action::Effect => {
                self.point(PointKind::Effect, range);
            }
            Action::Trap => under(self, &mut |me| me.ends_here(range)),
            Action::Memory(memory) => {
                let mut given = Vec::new();
                under(self, &mut |me| {
                    given = me.of_memory(state, memory, instruction, range);
                });
                if memory.gives() {
                    self.give(state, instruction, &given, condition);
                }
            }
            Action::Compute => {
                let sources = instruction.operands.iter().skip(1);
                let words: Option<Vec<&str>> = sources
                    .map(|operand| match operand {
                        Operand::Word(word) => Some(word.as_str()),
                        _ => None,
                    })
                    .collect();
                let value = words
                    .and_then(|words| self.computed(state, &instruction.opcode, &words))
                    .unwrap_or(Value::Unknown);
                self.give(state, instruction, &[value], condition);
            }
            Action::Copy => under(self, &mut |me| me.asm_copy(state, instruction, range)),
            Action::Bulk(bulk) => under(self, &mut |me| {
                me.asm_bulk(state, bulk, instruction, range);
            }),
            Action::Commit => self.copy_event(What::Commit, range),
            Action::Wait(None) => self.copy_event(What::WaitAll, range),
            Action::Wait(Some(number)) => {
                let left = self.asm_integer(state, number, CType::I32);
                self.wait_for_all_but(left, range);
            }
            Action::Matrix(matrix) => {
                self.of_matrix(state, matrix, instruction, range);
                if !matrix.is_store {
                    self.give(state, instruction, &[], None);
                }
            }
            Action::Product(product) => self.of_product(state, product, instruction, range),
            Action::Elsewhere => self.elsewhere(state, instruction, range),
            Action::Elect => self.elect(state, instruction, range),
            Action::NamedBarrier(operands) => {
                let operands: Vec<Option<TermId>> = operands
                    .iter()
                    .map(|operand| self.asm_integer(state, operand, CType::U32))
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
            Action::NamedArrival(id, count) => {
                let [id, count] = [id, count].map(|word| self.asm_integer(state, word, CType::U32));
                match (id, count) {
                    (Some(id), Some(count)) => self.named_arrival("bar.arrive", id, count, range),
                    _ => self.lost_phase("bar.arrive", "its operands are not understood", range),
                }
            }
            Action::Phase(phase) => {
                under(self, &mut |me| {
                    me.asm_phase(state, *phase, instruction, range)
                });
                if matches!(phase, Phase::Arrive | Phase::Lost) {
                    self.give(state, instruction, &[], condition);
                }
            }
            Action::Meets(operation) => {
                self.barrier(BarrierKind::Meet, operation, range);
                self.give(state, instruction, &[], None);
            }
            Action::ClusterBarrier(false) => self.cluster_arrive(),
            Action::ClusterBarrier(true) => self.cluster_wait("barrier.cluster.wait", range),
            Action::Lanes(lanes) => self.of_lanes(state, *lanes, instruction, range),
            Action::WarpBarrier => self.barrier(BarrierKind::Warp, "bar.warp.sync", range),
            Action::Fence(scope, sequential) => {
                let point = self.point(PointKind::Fence, range);
                self.facts.fence.push(FenceRow {
                    point,
                    scope: *scope,
                    sequential: *sequential,
                });
            }
        }
    }

    /// The condition of a predicate: one of which nothing is known, where the register is not.
    fn asm_condition(
        &mut self,
        state: &State<'_>,
        instruction: &Instruction,
        range: Range,
    ) -> Option<TermId> {
        let (register, negated) = instruction.predicate.as_ref()?;
        let term = match self.asm_integer(state, register, CType::Bool) {
            Some(term) => term,
            None => self.unknown(RESULT, range, CType::Bool, true),
        };
        Some(match negated {
            true => self.facts.terms.not(term),
            false => term,
        })
    }

    /// Gives the first operand of an instruction its values; under a condition it may keep the one that it has.
    fn give(
        &mut self,
        state: &mut State<'_>,
        instruction: &Instruction,
        values: &[Value],
        condition: Option<TermId>,
    ) {
        let targets: Vec<&str> = match instruction.operands.first() {
            Some(Operand::Word(word)) => vec![word],
            Some(Operand::Vector(words)) => words.iter().map(String::as_str).collect(),
            Some(Operand::Pair(first, second)) => vec![first, second],
            _ => return,
        };
        // `setp` gives its second target the opposite: of that nothing is told.
        let values = if targets.len() == values.len() || targets.len() == 1 {
            values
        } else {
            &[]
        };
        for (at, target) in targets.into_iter().enumerate() {
            let value = values.get(at).cloned().unwrap_or(Value::Unknown);
            let value = match condition {
                None => value,
                Some(condition) => {
                    let old = self.asm_value(state, target);
                    match (value, old) {
                        (Value::Term(new), Some(Value::Term(old)))
                            if self.facts.terms.ty(new) == self.facts.terms.ty(old) =>
                        {
                            Value::Term(self.facts.terms.ite(condition, new, old))
                        }
                        _ => Value::Unknown,
                    }
                }
            };
            state.set(target, value);
        }
    }

    /// `elect.sync d|p, mask`: one of the lanes that the mask names, the same for all of them; which one is not told.
    fn elect(&mut self, state: &mut State<'_>, instruction: &Instruction, range: Range) {
        let [target, Operand::Word(mask)] = instruction.operands.as_slice() else {
            return;
        };
        let (lane, predicate) = match target {
            Operand::Pair(lane, predicate) => (lane.as_str(), predicate.as_str()),
            Operand::Word(lane) => (lane.as_str(), "_"),
            _ => return,
        };
        let mask = self.asm_integer(state, mask, CType::U32);
        let (own, leader) = self.elected(mask, range);
        let chosen = self.facts.terms.binary(Op::Eq, CType::Bool, own, leader);
        state.set(lane, Value::Term(leader));
        state.set(predicate, Value::Term(chosen));
    }

    /// `mapa.shared::cluster.u32 d, a, rank`: the same place in the shared memory of another block of the cluster.
    fn elsewhere(&mut self, state: &mut State<'_>, instruction: &Instruction, range: Range) {
        let [_, Operand::Word(address), Operand::Word(rank)] = instruction.operands.as_slice()
        else {
            self.lost_access(range, "the operands of `mapa` are not understood");
            self.give(state, instruction, &[], None);
            return;
        };
        let bytes = Ty::Scalar(CType::U8).pointer_to();
        let address = self.asm_value(state, address).unwrap_or(Value::Unknown);
        let address = self.convert(address, &bytes, range);
        let rank = self.asm_integer(state, rank, CType::U32);
        let found = match (address, rank) {
            (Value::Pointer(pointer), Some(rank)) => {
                Value::Pointer(self.in_block(&pointer, rank, range))
            }
            _ => {
                self.lost_access(range, "the operands of `mapa` are not understood");
                Value::Unknown
            }
        };
        self.give(state, instruction, &[found], None);
    }

    /// The value of a register, an operand, a special register or a number.
    fn asm_value(&mut self, state: &State<'_>, word: &str) -> Option<Value> {
        if let Some(number) = parse::number(word) {
            let fits = |ty: CType| {
                ty.min().is_some_and(|min| min <= number)
                    && ty.max().is_some_and(|max| number <= max)
            };
            let types = [CType::I32, CType::U32, CType::I64, CType::U64];
            let ty = types.into_iter().find(|ty| fits(*ty))?;
            return Some(Value::Term(self.facts.terms.constant(number, ty)));
        }
        let has_operands = !(state.asm.outputs.is_empty() && state.asm.inputs.is_empty());
        let special = match word.strip_prefix("%%") {
            Some(register) => Some(register),
            // Without operands a single sign is written.
            None => word.strip_prefix('%').filter(|_| !has_operands),
        };
        if let Some(register) = special {
            return self.special_register(register).map(Value::Term);
        }
        if word == "WARP_SZ" {
            return Some(Value::Term(self.facts.terms.constant(32, CType::U32)));
        }
        let value = match state.position(word) {
            Some(position) => state.operands.get(position),
            None => state.registers.get(word),
        };
        value.cloned()
    }

    /// The same as a number of this type; `None` where it is none, or not known.
    fn asm_integer(&mut self, state: &State<'_>, word: &str, ty: CType) -> Option<TermId> {
        let Value::Term(term) = self.asm_value(state, word)? else {
            return None;
        };
        let own = self.facts.terms.ty(term);
        if !own.is_integer() {
            return None;
        }
        match ty {
            CType::Bool => Some(self.facts.terms.as_bool(term)),
            ty => Some(self.facts.terms.cast(term, ty)),
        }
    }

    /// `%laneid`, `%tid.x` and their kin (PTX ISA 8.5, chapter 10), as far as CUDA has the same.
    fn special_register(&mut self, register: &str) -> Option<TermId> {
        if let Some(lanes) = register.strip_prefix("lanemask_") {
            return self.lanes_beside(lanes);
        }
        if register == "cluster_ctarank" && self.cluster.is_some() {
            return Some(self.rank_in_cluster(Range::default()));
        }
        if register == "laneid" {
            return Some(self.lane_in_warp());
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

    /// `%lanemask_lt` and its kin: a bit for each lane that is equal to the own one, below it, above it.
    fn lanes_beside(&mut self, which: &str) -> Option<TermId> {
        let lane = self.lane_in_warp();
        let store = &mut self.facts.terms;
        let ty = CType::U32;
        let one = store.constant(1, ty);
        let own = store.binary(Op::Shl, ty, one, lane);
        let below = store.binary(Op::Sub, ty, own, one);
        let up_to = store.binary(Op::BitOr, ty, below, own);
        Some(match which {
            "eq" => own,
            "lt" => below,
            "le" => up_to,
            "gt" => store.unary(Op::BitNot, ty, up_to),
            "ge" => store.unary(Op::BitNot, ty, below),
            _ => return None,
        })
    }
}

/// Why the value of an operand is not known.
const RESULT: &str = "result of inline assembly";

#[cfg(test)]
mod tests {
    use super::*;

    fn of(template: &str) -> Option<Vec<Action>> {
        let actions = actions(template)?;
        Some(actions.into_iter().map(|(_, action)| action).collect())
    }

    #[test]
    fn what_orders_other_lanes_or_jumps_is_not_accepted() {
        assert_eq!(of("mov.u32 %0, %%laneid;"), Some(vec![Action::Compute]));
        assert_eq!(
            of("{ .reg .pred p; setp.ne.u32 p, %1, 0; @p add.u32 %0, %0, 1; }"),
            Some(vec![Action::Compute, Action::Compute])
        );
        assert_eq!(
            of("add.cc.u32 %0, %1, %2;\\n\\taddc.u32 %3, 0, 0;").map(|all| all.len()),
            Some(2)
        );
        let wait = "{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @p bra D; bra W; D: }";
        assert_eq!(of(wait), Some(vec![Action::Phase(Phase::Wait(true))]));
        let arrival = Action::NamedArrival("1".to_owned(), "64".to_owned());
        assert_eq!(of("bar.arrive 1, 64;"), Some(vec![arrival]));
        assert_eq!(of("trap;"), Some(vec![Action::Trap]));
        assert_eq!(of("griddepcontrol.wait;"), Some(vec![Action::Effect]));
        let shuffle = Action::Lanes(Lanes::Shuffle("__shfl_sync"));
        assert_eq!(
            of("shfl.sync.idx.b32 %0, %1, 0, 31, -1;"),
            Some(vec![shuffle])
        );
        for other in [
            "ld.param.u32 %0, [%1];",
            "red.async.relaxed.cluster.global.add.u32 [%0], 1;",
            "atom.global.u32 %0, [%1], %2;",
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 16, [%2];",
            "@p cp.async.bulk.wait_group 0;",
            "cp.async.mbarrier.arrive.noinc.shared.b64 [%0];",
            "@p cp.async.wait_group 0;",
            "ldmatrix.sync.aligned.m8n16.x4.shared.b8x16.b6x16_p32 {%0, %1}, [%2];",
            "discard.global.L2 [%0], 128;",
            "L: bra L;",
            "@p exit;",
            "@p elect.sync %0|q, -1;",
            "@p shfl.sync.idx.b32 %0, %1, 0, 31, -1;",
            "st.global.b128 [%0], %1;",
        ] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn copies_are_told_from_their_groups() {
        for copy in [
            "cp.async.ca.shared.global [%0], [%1], 4;",
            "cp.async.cg.shared::cta.global.L2::128B [%0], [%1], 16, %2;",
            "@p cp.async.cg.shared.global.L2::cache_hint [%0], [%1], 16, %3;",
        ] {
            assert_eq!(of(copy), Some(vec![Action::Copy]), "{copy}");
        }
        assert_eq!(of("cp.async.commit_group;"), Some(vec![Action::Commit]));
        assert_eq!(of("cp.async.wait_all;"), Some(vec![Action::Wait(None)]));
        assert_eq!(
            of("cp.async.wait_group %0;"),
            Some(vec![Action::Wait(Some("%0".to_owned()))])
        );
    }

    #[test]
    fn barriers_keep_their_operands() {
        let named = |operands: &[&str]| {
            let operands = operands.iter().map(|&operand| operand.to_owned());
            Some(vec![Action::NamedBarrier(operands.collect())])
        };
        assert_eq!(of("bar.sync 0;"), named(&["0"]));
        assert_eq!(of("bar.sync %0, 64;"), named(&["%0", "64"]));
        assert_eq!(of("bar.sync 1, 2, 3;"), None);
        assert_eq!(of("@p bar.sync 0;"), None);
        assert_eq!(
            of("membar.gl;"),
            Some(vec![Action::Fence(Scope::Grid, true)])
        );
        assert_eq!(of("@p membar.gl;"), Some(vec![Action::Idle]));
        assert_eq!(
            of("fence.acq_rel.gpu;"),
            Some(vec![Action::Fence(Scope::Grid, false)])
        );
    }
}
