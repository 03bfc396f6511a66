//! Random small kernels, enumerated thread by thread with the facts' own evaluation: the decision
//! must agree in both directions.

mod common;
use std::collections::BTreeMap;

use common::*;
use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::words::PairScope;
use warplog_facts::*;
use warplog_solver_bridge::*;

/// A small generator of numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) % sides
    }
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len() as u64) as usize]
    }
}

/// A random term of the type over the leaves.
fn term(k: &mut Kernel, dice: &mut Dice, leaves: &[TermId], ty: CType, depth: u32) -> TermId {
    if depth == 0 || dice.roll(5) == 0 {
        return if dice.roll(3) == 0 {
            let value = dice.pick(&[0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31]);
            k.constant(value, ty)
        } else {
            let leaf = dice.pick(leaves);
            k.facts.terms.cast(leaf, ty)
        };
    }
    let ops = [
        Op::Add,
        Op::Add,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Mul,
        Op::Div,
        Op::Rem,
        Op::BitAnd,
        Op::BitOr,
        Op::BitXor,
        Op::Shl,
        Op::Shr,
        Op::Min,
        Op::Max,
        Op::Ite,
        Op::Cast,
        Op::Neg,
        Op::BitNot,
        Op::MulPow,
        Op::DivPow,
        Op::Popc,
        Op::Clz,
        Op::Ffs,
    ];
    let op = dice.pick(&ops);
    let a = term(k, dice, leaves, ty, depth - 1);
    match op {
        Op::Neg | Op::BitNot => k.facts.terms.unary(op, ty, a),
        Op::Popc | Op::Clz | Op::Ffs => {
            let bits = k.facts.terms.unary(op, CType::I32, a);
            k.facts.terms.cast(bits, ty)
        }
        Op::Cast => {
            let narrow = dice.pick(&[CType::U8, CType::I8, CType::U16, CType::U32, CType::I32]);
            let cast = k.facts.terms.cast(a, narrow);
            k.facts.terms.cast(cast, ty)
        }
        Op::Ite => {
            let c = condition(k, dice, leaves, depth - 1);
            let b = term(k, dice, leaves, ty, depth - 1);
            k.facts.terms.ite(c, a, b)
        }
        Op::MulPow | Op::DivPow => {
            let leaf = dice.pick(leaves);
            let base = dice.pick(&[2, 2, 3]);
            k.facts.terms.power(op, ty, base, a, leaf)
        }
        Op::Mul | Op::Div | Op::Rem | Op::Shl | Op::Shr if dice.roll(3) != 0 => {
            let value = dice.pick(&[1, 2, 3, 4, 8]);
            let b = k.constant(value, ty);
            k.facts.terms.binary(op, ty, a, b)
        }
        _ => {
            let b = term(k, dice, leaves, ty, depth - 1);
            k.facts.terms.binary(op, ty, a, b)
        }
    }
}

fn condition(k: &mut Kernel, dice: &mut Dice, leaves: &[TermId], depth: u32) -> TermId {
    let ty = dice.pick(&[CType::I32, CType::U32]);
    let a = term(k, dice, leaves, ty, depth);
    let b = term(k, dice, leaves, ty, depth);
    let op = dice.pick(&[Op::Lt, Op::Le, Op::Eq, Op::Ne]);
    k.facts.terms.binary(op, CType::Bool, a, b)
}

struct Leaves {
    tid: i128,
    bid: i128,
    iter: i128,
}

impl Environment for Leaves {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        match term.op {
            Op::TidX => Some(self.tid),
            Op::BidX => Some(self.bid),
            Op::Iter => Some(self.iter),
            _ => None,
        }
    }
}

/// What a thread does at an access: its offset and value, when it gets there in a defined way.
fn at(k: &Kernel, access: AccessId, leaves: &Leaves) -> Option<(i128, Option<i128>)> {
    let row = &k.facts.access[access.index()];
    let mut evaluator = Evaluator::new(&k.facts.terms, leaves);
    for guard in k
        .facts
        .guard_at
        .iter()
        .filter(|guard| guard.point == row.point)
    {
        if evaluator.value(guard.term).ok()? != i128::from(guard.polarity) {
            return None;
        }
    }
    let offset = evaluator.value(row.index).ok()?;
    let value = match row.value {
        Some(value) => Some(evaluator.value(value).ok()?),
        None => None,
    };
    Some((offset, value))
}

fn conflicts(
    k: &Kernel,
    accesses: [AccessId; 2],
    block: i128,
    grid: i128,
    iterations: i128,
    blocks: bool,
) -> bool {
    let executions = |access: AccessId| {
        let mut all = Vec::new();
        for bid in 0..grid {
            for tid in 0..block {
                for iter in 0..iterations {
                    if let Some(done) = at(k, access, &Leaves { tid, bid, iter }) {
                        all.push((bid, tid, done));
                    }
                }
            }
        }
        all
    };
    let [first, second] = accesses;
    let bytes = [first, second].map(|id| i128::from(k.facts.access[id.index()].bytes));
    let others = executions(second);
    for (bid1, tid1, (off1, value1)) in executions(first) {
        for &(bid2, tid2, (off2, value2)) in &others {
            let distinct = if blocks {
                bid1 != bid2
            } else {
                bid1 == bid2 && tid1 != tid2
            };
            let overlap = off1 < off2 + bytes[1] && off2 < off1 + bytes[0];
            let same = off1 == off2 && bytes[0] == bytes[1] && value1.is_some() && value1 == value2;
            if distinct && overlap && !same {
                return true;
            }
        }
    }
    false
}

/// What the answers to random questions came to.
#[derive(Default)]
struct Answers {
    races: usize,
    disjoint: usize,
    unknown: Vec<String>,
    /// How often each stage answered.
    stages: BTreeMap<&'static str, usize>,
}

/// Asks random questions with each of the options, and holds every answer against enumeration.
fn ask_all(seed: u64, rounds: u32, options: &[Options]) -> Answers {
    let mut dice = Dice(seed);
    let mut answers = Answers::default();
    for round in 0..rounds {
        let block = dice.pick(&[2, 4, 7, 8]);
        let grid = dice.pick(&[1, 2, 3]);
        let iterations = dice.pick(&[1, 3]);
        let mut k = Kernel::new(dim(block), dim(grid));
        let array = k.shared("s");
        let (t, b) = (k.leaf(Op::TidX), k.leaf(Op::BidX));
        let mut accesses = Vec::new();
        let with_values = dice.roll(3) == 0;
        let statement = |k: &mut Kernel, dice: &mut Dice, leaves: &[TermId]| {
            let ty = dice.pick(&[CType::I32, CType::U32]);
            let mut index = term(k, dice, leaves, ty, 3);
            if dice.roll(3) == 0 {
                // Mostly injective indices make the rarer answer.
                let scaled = k.facts.terms.cast(t, ty);
                let scaled = k.mul_int(scaled, 4);
                let three = k.constant(3, ty);
                let low = k.op(Op::BitAnd, index, three);
                index = k.add(scaled, low);
            }
            let value = if with_values {
                Some(term(k, dice, leaves, CType::I32, 1))
            } else {
                None
            };
            let guard = condition(k, dice, leaves, 2);
            let guarded = dice.roll(2) == 0;
            let bytes = dice.pick(&[4, 4, 4, 8, 2]);
            let value = if bytes == 4 { value } else { None };
            let kind = warplog_facts::words::AccessKind::Write;
            let mut access = AccessId(0);
            if guarded {
                k.when(guard, |k| {
                    access = k.access(kind, array, index, bytes, value)
                });
            } else {
                access = k.access(kind, array, index, bytes, value);
            }
            access
        };
        if iterations == 1 {
            for _ in 0..2 {
                accesses.push(statement(&mut k, &mut dice, &[t, b]));
            }
        } else {
            let end = k.int(iterations);
            k.count(0, end, 1, |k, i| {
                for _ in 0..2 {
                    accesses.push(statement(k, &mut dice, &[t, b, i]));
                }
            });
        }
        let blocks = grid > 1 && dice.roll(2) == 0;
        for pair in [[accesses[0], accesses[0]], [accesses[0], accesses[1]]] {
            let expected = conflicts(&k, pair, block, grid, iterations, blocks);
            let scope = if blocks {
                PairScope::Grid
            } else {
                PairScope::Block
            };
            let entry = k.entry;
            let candidate = k.candidate(pair[0], pair[1], scope, entry);
            for options in options {
                let outcome = k.decide_with(candidate.clone(), options);
                let show = || {
                    let rows: Vec<String> = pair
                        .iter()
                        .map(|id| {
                            let row = &k.facts.access[id.index()];
                            let guards: Vec<String> = k
                                .facts
                                .guard_at
                                .iter()
                                .filter(|g| g.point == row.point)
                                .map(|g| describe(&k.facts, g.term))
                                .collect();
                            format!(
                                "[{}] bytes {} if {guards:?} value {:?}",
                                describe(&k.facts, row.index),
                                row.bytes,
                                row.value.map(|value| describe(&k.facts, value))
                            )
                        })
                        .collect();
                    format!(
                        "round {round}, block {block}, grid {grid}, iterations {iterations}, blocks {blocks}\n{}\n{:#?}",
                        rows.join("\n"),
                        outcome.answer
                    )
                };
                match &outcome.answer {
                    RaceAnswer::Disjoint { stage } => {
                        assert!(!expected, "a race was missed by {stage:?}: {}", show());
                        answers.disjoint += 1;
                        *answers.stages.entry(stage.name()).or_default() += 1;
                    }
                    RaceAnswer::Race(race) => {
                        assert!(expected, "a race was made up: {}", show());
                        assert!(race.exact, "nothing is abstract: {}", show());
                        answers.races += 1;
                        *answers.stages.entry(race.stage.name()).or_default() += 1;
                    }
                    RaceAnswer::Unknown { .. } => answers.unknown.push(show()),
                    RaceAnswer::Covered => panic!("every pair is asked: {}", show()),
                }
            }
        }
    }
    answers
}

fn every_pair() -> Options {
    Options {
        every_pair: true,
        ..Options::default()
    }
}

#[test]
fn decisions_agree_with_enumeration() {
    let Answers {
        races,
        disjoint,
        unknown,
        ..
    } = ask_all(20_260_731, 200, &[every_pair()]);
    assert!(races > 70, "{races} races");
    assert!(disjoint > 100, "{disjoint} disjoint");
    assert!(
        unknown.len() < 25,
        "{} undecided, {races} races, {disjoint} disjoint:\n{}",
        unknown.len(),
        unknown.join("\n\n")
    );
}

/// Each stage on its own, as far as budgets switch the others off: whichever answers says what enumeration says, so all that
/// answer a question say the same. Sizes are numbers here, which leaves nothing to the stages for open sizes.
#[test]
fn stages_agree_with_each_other() {
    let none = Options {
        search_work: 0,
        real_steps: 1,
        int_steps: 1,
        bits_steps: 1,
        concrete_steps: 1,
        ..every_pair()
    };
    let Options {
        search_work,
        real_steps,
        int_steps,
        bits_steps,
        concrete_steps,
        ..
    } = every_pair();
    let alone = [
        none.clone(),
        Options {
            search_work,
            ..none.clone()
        },
        Options {
            real_steps,
            ..none.clone()
        },
        Options {
            int_steps,
            ..none.clone()
        },
        Options {
            bits_steps,
            ..none.clone()
        },
        Options {
            concrete_steps,
            ..none.clone()
        },
        every_pair(),
    ];
    let answers = ask_all(20_261_121, 60, &alone);
    let stages = answers.stages;
    for stage in [Stage::Bounds, Stage::Search, Stage::Int, Stage::Bits] {
        let count = stages.get(stage.name()).copied().unwrap_or(0);
        assert!(count > 0, "{stage:?} answered nothing: {stages:?}");
    }
}

/// A term as text.
fn describe(facts: &Facts, id: TermId) -> String {
    let node = facts.terms.get(id);
    let args: Vec<String> = node.args.iter().map(|&arg| describe(facts, arg)).collect();
    match node.op {
        Op::Const => node.payload.to_string(),
        op if args.is_empty() => op.to_string(),
        op => format!(
            "{op}.{}{}({})",
            node.ty,
            if node.payload == 0 {
                String::new()
            } else {
                format!("/{}", node.payload)
            },
            args.join(", ")
        ),
    }
}
