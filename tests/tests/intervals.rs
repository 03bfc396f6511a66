//! Random nests of loops, branches, breaks, returns and barriers, run thread by thread on the
//! generator's own tree: rules and solver together must find every race within a block, and must
//! confirm none that is not there.
//!
//! All threads pass the same barriers (conditions around barriers do not mention the thread), so
//! the number of barriers passed tells the interval.

#[path = "../../solver-bridge/tests/common/mod.rs"]
mod common;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};

use common::{Kernel, dim};
use warplog_facts::words::PointKind;
use warplog_facts::{AccessId, ArrayId, Op, TermId};
use warplog_rules::Options as RuleOptions;
use warplog_solver_bridge::{Options, RaceAnswer, Session};

/// Kernels generated; some are thrown away as too large.
const ROUNDS: u64 = 400;

/// A small generator of numbers, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

#[derive(Debug)]
enum Expr {
    Const(i128),
    Thread,
    /// The variable of the n-th loop around, outermost first.
    Loop(usize),
    Add(Box<Expr>, Box<Expr>),
    By(Op, Box<Expr>, i128),
}

#[derive(Debug)]
struct Condition(Op, Expr, Expr);

#[derive(Debug)]
enum Statement {
    Write(usize, Expr),
    Read(usize, Expr),
    Barrier,
    If(Condition, Vec<Statement>, Vec<Statement>),
    For(Expr, Vec<Statement>),
    Break(Condition),
    Return(Condition),
}

/// Where a statement stands.
#[derive(Clone, Copy)]
struct Place {
    depth: u32,
    loops: usize,
    /// All threads come here together.
    uniform: bool,
    /// The innermost loop is run by all threads together.
    uniform_loop: bool,
}

struct Generator {
    dice: Dice,
    accesses: usize,
}

impl Generator {
    fn expr(&mut self, depth: u32, loops: usize, thread: bool) -> Expr {
        let sides = if depth == 0 { 3 } else { 8 };
        match self.dice.roll(sides) {
            0 => Expr::Const(i128::from(self.dice.roll(4))),
            1 if thread => Expr::Thread,
            1 | 2 if loops > 0 => Expr::Loop(self.dice.roll(loops as u64) as usize),
            1 | 2 if thread => Expr::Thread,
            1 | 2 => Expr::Const(1),
            3 | 4 => Expr::Add(
                Box::new(self.expr(depth - 1, loops, thread)),
                Box::new(self.expr(depth - 1, loops, thread)),
            ),
            side => {
                let (op, least) = [(Op::Mul, 1), (Op::Rem, 2), (Op::BitAnd, 1)][side as usize % 3];
                let value = least + i128::from(self.dice.roll(3));
                Expr::By(op, Box::new(self.expr(depth - 1, loops, thread)), value)
            }
        }
    }

    fn condition(&mut self, loops: usize, thread: bool) -> Condition {
        let op = [Op::Lt, Op::Eq, Op::Ne][self.dice.roll(3) as usize];
        Condition(op, self.expr(1, loops, thread), self.expr(1, loops, thread))
    }

    fn block(&mut self, place: Place) -> Vec<Statement> {
        let length = 1 + self.dice.roll(3);
        (0..length).map(|_| self.statement(place)).collect()
    }

    fn access(&mut self, loops: usize) -> (usize, Expr) {
        self.accesses += 1;
        (self.accesses - 1, self.expr(2, loops, true))
    }

    fn statement(&mut self, place: Place) -> Statement {
        let deeper = Place {
            depth: place.depth.saturating_sub(1),
            ..place
        };
        loop {
            match self.dice.roll(11) {
                0 | 1 => {
                    let (number, index) = self.access(place.loops);
                    return Statement::Write(number, index);
                }
                2 => {
                    let (number, index) = self.access(place.loops);
                    return Statement::Read(number, index);
                }
                3 | 4 if place.uniform => return Statement::Barrier,
                5 if place.depth > 0 => {
                    let thread = self.dice.roll(2) == 0;
                    let condition = self.condition(place.loops, thread);
                    let arm = Place {
                        uniform: place.uniform && !thread,
                        ..deeper
                    };
                    let then = self.block(arm);
                    let otherwise = if self.dice.roll(2) == 0 {
                        self.block(arm)
                    } else {
                        Vec::new()
                    };
                    return Statement::If(condition, then, otherwise);
                }
                6..=8 if place.depth > 0 => {
                    let end = match self.dice.roll(3) {
                        0 if place.loops > 0 => self.expr(0, place.loops, false),
                        _ => Expr::Const(1 + i128::from(self.dice.roll(3))),
                    };
                    let mut body = self.block(Place {
                        loops: place.loops + 1,
                        uniform_loop: place.uniform,
                        ..deeper
                    });
                    if place.uniform && self.dice.roll(3) == 0 {
                        body.push(Statement::Barrier);
                    }
                    return Statement::For(end, body);
                }
                9 if place.loops > 0 && (place.uniform || !place.uniform_loop) => {
                    let thread = !place.uniform_loop && self.dice.roll(2) == 0;
                    return Statement::Break(self.condition(place.loops, thread));
                }
                10 if place.uniform && self.dice.roll(3) == 0 => {
                    return Statement::Return(self.condition(place.loops, false));
                }
                _ => {}
            }
        }
    }
}

fn value(expr: &Expr, thread: i128, loops: &[i128]) -> i128 {
    match expr {
        Expr::Const(value) => *value,
        Expr::Thread => thread,
        Expr::Loop(number) => loops[*number],
        Expr::Add(a, b) => value(a, thread, loops) + value(b, thread, loops),
        Expr::By(Op::Mul, a, by) => value(a, thread, loops) * by,
        Expr::By(Op::Rem, a, by) => value(a, thread, loops) % by,
        Expr::By(_, a, by) => value(a, thread, loops) & by,
    }
}

fn holds(Condition(op, a, b): &Condition, thread: i128, loops: &[i128]) -> bool {
    let (a, b) = (value(a, thread, loops), value(b, thread, loops));
    match op {
        Op::Lt => a < b,
        Op::Eq => a == b,
        _ => a != b,
    }
}

/// An executed access: number, whether it writes, element, barriers passed before.
type Event = (usize, bool, i128, u32);

enum Left {
    Loop,
    Kernel,
}

struct Run {
    thread: i128,
    loops: Vec<i128>,
    barriers: u32,
    events: Vec<Event>,
}

impl Run {
    fn all(&mut self, statements: &[Statement]) -> Result<(), Left> {
        for statement in statements {
            match statement {
                Statement::Write(number, index) | Statement::Read(number, index) => {
                    let writes = matches!(statement, Statement::Write(..));
                    let element = value(index, self.thread, &self.loops);
                    self.events.push((*number, writes, element, self.barriers));
                }
                Statement::Barrier => self.barriers += 1,
                Statement::If(condition, then, otherwise) => {
                    let taken = holds(condition, self.thread, &self.loops);
                    self.all(if taken { then } else { otherwise })?;
                }
                Statement::For(end, body) => {
                    for i in 0.. {
                        if i >= value(end, self.thread, &self.loops) {
                            break;
                        }
                        self.loops.push(i);
                        let result = self.all(body);
                        self.loops.pop();
                        match result {
                            Err(Left::Loop) => break,
                            other => other?,
                        }
                    }
                }
                Statement::Break(condition) if holds(condition, self.thread, &self.loops) => {
                    return Err(Left::Loop);
                }
                Statement::Return(condition) if holds(condition, self.thread, &self.loops) => {
                    return Err(Left::Kernel);
                }
                Statement::Break(_) | Statement::Return(_) => {}
            }
        }
        Ok(())
    }
}

fn term(k: &mut Kernel, expr: &Expr, loops: &[TermId]) -> TermId {
    match expr {
        Expr::Const(value) => k.int(*value),
        Expr::Thread => k.t(),
        Expr::Loop(number) => loops[*number],
        Expr::Add(a, b) => {
            let (a, b) = (term(k, a, loops), term(k, b, loops));
            k.add(a, b)
        }
        Expr::By(op, a, by) => {
            let (a, by) = (term(k, a, loops), k.int(*by));
            k.op(*op, a, by)
        }
    }
}

/// A kernel as facts, with the numbers of its accesses.
struct Lowered {
    loops: Vec<TermId>,
    array: ArrayId,
    numbers: BTreeMap<AccessId, usize>,
}

impl Lowered {
    /// None for a condition that folds to a constant: lowering would drop the branch.
    fn condition(&self, k: &mut Kernel, Condition(op, a, b): &Condition) -> Option<TermId> {
        let (a, b) = (term(k, a, &self.loops), term(k, b, &self.loops));
        let condition = k.op(*op, a, b);
        k.facts
            .terms
            .as_const(condition)
            .is_none()
            .then_some(condition)
    }

    fn all(&mut self, k: &mut Kernel, statements: &[Statement]) -> Option<()> {
        for statement in statements {
            match statement {
                Statement::Write(number, index) => {
                    let index = term(k, index, &self.loops);
                    let access = k.write(self.array, index);
                    self.numbers.insert(access, *number);
                }
                Statement::Read(number, index) => {
                    let index = term(k, index, &self.loops);
                    let (access, _) = k.read(self.array, index);
                    self.numbers.insert(access, *number);
                }
                Statement::Barrier => {
                    k.barrier();
                }
                Statement::If(condition, then, otherwise) => {
                    let condition = self.condition(k, condition)?;
                    let (this, done) = (RefCell::new(&mut *self), Cell::new(Some(())));
                    k.either(
                        condition,
                        |k| done.set(done.get().and(this.borrow_mut().all(k, then))),
                        |k| done.set(done.get().and(this.borrow_mut().all(k, otherwise))),
                    );
                    done.get()?;
                }
                Statement::For(end, body) => {
                    let end = term(k, end, &self.loops);
                    let mut done = None;
                    k.count(0, end, 1, |k, i| {
                        self.loops.push(i);
                        done = self.all(k, body);
                        self.loops.pop();
                    });
                    done?;
                }
                Statement::Break(condition) => {
                    let condition = self.condition(k, condition)?;
                    k.break_if(condition);
                }
                Statement::Return(condition) => {
                    let condition = self.condition(k, condition)?;
                    k.leave_if(condition);
                }
            }
        }
        Some(())
    }
}

fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// The pairs of accesses at which two threads meet.
fn enumerate(program: &[Statement], threads: i128) -> BTreeSet<(usize, usize)> {
    let runs: Vec<Vec<Event>> = (0..threads)
        .map(|thread| {
            let mut run = Run {
                thread,
                loops: Vec::new(),
                barriers: 0,
                events: Vec::new(),
            };
            let _ = run.all(program);
            run.events
        })
        .collect();
    let mut pairs = BTreeSet::new();
    for (position, first) in runs.iter().enumerate() {
        for second in &runs[position + 1..] {
            for a in first {
                for b in second {
                    if a.3 == b.3 && a.2 == b.2 && (a.1 || b.1) {
                        pairs.insert(ordered(a.0, b.0));
                    }
                }
            }
        }
    }
    pairs
}

#[test]
fn intervals_agree_with_enumeration() {
    let (mut kernels, mut races, mut refuted, mut undecided) = (0, 0, 0, 0);
    let mut session = Session::new();
    for round in 0..ROUNDS {
        let mut generator = Generator {
            dice: Dice(round.wrapping_mul(7919) + 17),
            accesses: 0,
        };
        for _ in 0..4 {
            generator.dice.roll(2);
        }
        let place = Place {
            depth: 3,
            loops: 0,
            uniform: true,
            uniform_loop: true,
        };
        let mut program = generator.block(place);
        program.extend(generator.block(place));
        let threads = 2 + i128::from(generator.dice.roll(3));
        let mut k = Kernel::new(dim(threads), dim(1));
        let array = k.shared("s");
        let mut lowered = Lowered {
            loops: Vec::new(),
            array,
            numbers: BTreeMap::new(),
        };
        let small = (1..=7).contains(&generator.accesses);
        if !small || lowered.all(&mut k, &program).is_none() {
            continue;
        }
        k.point(PointKind::Exit);
        kernels += 1;
        let expected = enumerate(&program, threads);
        let rules = RuleOptions {
            only_intra_block: true,
            ..RuleOptions::default()
        };
        let every_pair = Options {
            every_pair: true,
            ..Options::default()
        };
        let derived = warplog_rules::derive(&k.facts, &rules);
        let numbers = &lowered.numbers;
        let mut found = BTreeSet::new();
        for outcome in session.decide(&k.facts, &derived, &every_pair).races {
            let row = &outcome.candidate;
            let pair = ordered(numbers[&row.first], numbers[&row.second]);
            match outcome.answer {
                RaceAnswer::Race(race) => {
                    assert!(
                        race.exact,
                        "round {round}: nothing is abstract in {program:?}"
                    );
                    assert!(
                        expected.contains(&pair),
                        "round {round}: {pair:?} is made up in {program:?}"
                    );
                    found.insert(pair);
                }
                RaceAnswer::Unknown { .. } => {
                    undecided += 1;
                    found.insert(pair);
                }
                RaceAnswer::Disjoint { .. } => refuted += 1,
                RaceAnswer::Covered => panic!("round {round}: every pair is asked"),
            }
        }
        // Equal accesses stand for each other.
        let stands_for = |number: usize| {
            let row = derived
                .same_access
                .iter()
                .find(|row| numbers[&row.access] == number);
            row.map_or(number, |row| numbers[&row.representative])
        };
        for &(a, b) in &expected {
            let pair = ordered(stands_for(a), stands_for(b));
            assert!(
                found.contains(&pair) || found.contains(&(a, b)),
                "round {round}: {:?} is missed with {threads} threads in {program:?}",
                (a, b)
            );
            races += 1;
        }
    }
    assert!(kernels > 80, "{kernels} kernels");
    assert!(
        races > 150 && refuted > 300,
        "{races} races, {refuted} refuted"
    );
    assert!(undecided < 20, "{undecided} undecided");
}
