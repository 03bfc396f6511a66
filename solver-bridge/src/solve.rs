//! Putting a formula to Z3: stages with budgets, minimal models.
//!
//! **Determinism.** Easy questions go to one long-lived solver between push and pop. Whatever it
//! does not settle within a small budget is asked again in a fresh context, whose answer depends
//! on the formula alone. Models are brought to a minimum value by value, so that a witness does
//! not depend on what was asked before. Budgets count Z3's own steps (`rlimit`); wall time is a
//! safety net, and hitting it shows in the reason.

use std::panic::{AssertUnwindSafe, catch_unwind};

use z3::ast::{Ast, Bool, Int, Real};
use z3::{Config, Params, SatResult, Solver, StatisticsValue, with_z3_config};

use crate::bits::BitRendered;
use crate::formula::{Formula, Node, Shape, VarId};
use crate::outcome::Stage;
use crate::render::Rendered;

/// Values of all variables, by index.
pub(crate) type Model = Vec<i128>;

/// Whether a model is worth being made smaller.
pub(crate) type Judge<'j> = &'j mut dyn FnMut(&Model) -> bool;

/// A formula to be decided.
pub(crate) struct Problem<'f> {
    pub(crate) f: &'f Formula,
    /// What must hold.
    pub(crate) must: Vec<Node>,
    /// What must hold, too, but is left out where it only costs.
    pub(crate) late: Vec<Node>,
    /// What a model should satisfy if it can, in order.
    pub(crate) wishes: Vec<Node>,
    /// Numbers to make small, in order.
    pub(crate) small: Vec<Node>,
}

/// An answer.
#[derive(Debug)]
pub(crate) enum Answer {
    Unsat,
    Sat(Model),
    Unknown(String),
}

/// Limits of one question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    /// Steps of Z3.
    pub(crate) steps: u32,
    /// Milliseconds.
    pub(crate) milliseconds: u32,
    pub(crate) seed: u32,
    /// Questions asked to make a model small.
    pub(crate) smaller: u32,
    /// Steps of each of them.
    pub(crate) smaller_steps: u32,
    /// How small a model is to be.
    pub(crate) model: Wanted,
}

/// How small a model is to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wanted {
    /// The smallest that there is: somebody reads it.
    Smallest,
    /// Roughly small.
    Rough,
    /// Any that the judge takes as it is; if there is none, roughly small.
    Any,
}

/// What a check costs besides its steps.
const CHECK_COST: u64 = 300;

/// What a check costs that puts the whole formula into bits again: Z3 does not count that.
const BLAST_COST: u64 = 15_000;

/// Steps of bit-blasted questions that count as one: they are faster than those of arithmetic.
const BITS_PER_STEP: u64 = 3;

/// Nodes of a formula or term whose handling costs a step.
const NODES_PER_STEP: u64 = 2;

/// Nodes that the search for small models looks at and that cost a step.
const SEARCHED_PER_STEP: u64 = 64;

/// Terms evaluated by a replay that cost a step.
const REPLAYED_PER_STEP: u64 = 8;

/// Counts the steps of Z3, which depend on the questions alone, not on the machine.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Meter {
    /// Steps that may still be spent.
    pub(crate) left: u64,
    /// Steps spent.
    pub(crate) spent: u64,
    /// Steps of the solver in use that count as one.
    per_step: u64,
    /// Replays that may still take long.
    pub(crate) long_replays: u32,
}

impl Meter {
    fn spend(&mut self, steps: u64) {
        self.spent += steps;
        self.left = self.left.saturating_sub(steps);
    }

    /// Charges work on nodes of formulas and of terms.
    pub(crate) fn build(&mut self, nodes: u64) {
        self.spend(nodes / NODES_PER_STEP + 1);
    }

    /// Charges the search for small models.
    pub(crate) fn search(&mut self, nodes: u64) {
        self.spend(nodes / SEARCHED_PER_STEP + 1);
    }

    /// Charges terms that replays evaluated.
    pub(crate) fn replay(&mut self, terms: u64) {
        self.spend(terms / REPLAYED_PER_STEP);
    }

    /// Whether one more replay may take long.
    pub(crate) fn may_take_long(&mut self) -> bool {
        let may = self.long_replays > 0;
        self.long_replays = self.long_replays.saturating_sub(1);
        may
    }

    /// Sets aside what is left beyond a share, and gives how much that is.
    pub(crate) fn hold(&mut self, share: u64) -> u64 {
        let held = self.left.saturating_sub(share);
        self.left -= held;
        held
    }

    /// The steps that the solver in use may take, if it wants so many.
    fn affordable(&self, wanted: u64) -> u32 {
        let most = self.left.saturating_mul(self.per_step.max(1));
        u32::try_from(wanted.min(most)).unwrap_or(u32::MAX).max(1)
    }

    fn check(&mut self, solver: &Solver) -> SatResult {
        let before = steps_of(solver);
        let result = solver.check();
        let steps = steps_of(solver).saturating_sub(before);
        let fixed = match self.per_step {
            BITS_PER_STEP => BLAST_COST,
            _ => CHECK_COST,
        };
        self.spend(steps / self.per_step.max(1) + fixed);
        result
    }
}

/// The steps of a solver's context since it was made.
fn steps_of(solver: &Solver) -> u64 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(steps)) => u64::from(steps),
        _ => 0,
    }
}

/// A model over the reals decides nothing.
pub(crate) const REAL_MODEL: &str = "not decided over the reals";

/// Why a question has no answer: it took all steps that it was given.
pub(crate) const STEP_LIMIT: &str = "step limit reached";

/// Why a question was not asked.
pub(crate) const SPENT: &str = "budget of the kernel";

/// The Z3 side of a worker thread.
#[derive(Default)]
pub(crate) struct Backend {
    solver: Option<Solver>,
    /// What the questions cost, and may cost.
    pub(crate) meter: Meter,
    /// Questions asked since the counter was last read.
    pub(crate) asked: u32,
    /// Make the next question panic: for tests of how a dying Z3 is survived.
    pub(crate) sabotage: bool,
    /// Keep the text of the next formula.
    pub(crate) keep_text: bool,
    pub(crate) text: Option<String>,
}

impl Backend {
    /// A solver that may spend so many steps.
    pub(crate) fn with_steps(steps: u64) -> Self {
        let mut backend = Backend::default();
        backend.meter.left = steps;
        backend
    }

    /// Asks one stage: in the living solver, where a judge of models can be called, or in a fresh
    /// one. A panic of the binding is an unknown answer.
    pub(crate) fn ask(
        &mut self,
        stage: Stage,
        problem: &Problem,
        budget: Budget,
        judge: Option<Judge<'_>>,
    ) -> Answer {
        if self.meter.left == 0 {
            return Answer::Unknown(SPENT.to_owned());
        }
        self.asked += 1;
        self.meter.per_step = match stage {
            Stage::Bits => BITS_PER_STEP,
            _ => 1,
        };
        let meter = &mut self.meter;
        let sabotage = self.sabotage;
        let keep_text = self.keep_text;
        let result = if judge.is_none() {
            let config = Config::new();
            catch_unwind(AssertUnwindSafe(|| {
                with_z3_config(&config, || {
                    assert!(!sabotage, "sabotaged");
                    let solver = fresh_solver(stage, problem.f);
                    answer(&solver, stage, problem, (budget, None), meter, keep_text)
                })
            }))
        } else {
            // Not cloned: a clone is a deep copy, half a second of work.
            let solver = self.solver.get_or_insert_with(Solver::new);
            catch_unwind(AssertUnwindSafe(|| {
                assert!(!sabotage, "sabotaged");
                solver.push();
                let result = answer(solver, stage, problem, (budget, judge), meter, keep_text);
                solver.pop(1);
                result
            }))
        };
        match result {
            Ok((answer, text)) => {
                if keep_text {
                    self.text = text;
                }
                answer
            }
            Err(_) => {
                // Its state is not to be trusted any more.
                self.solver = None;
                Answer::Unknown("the solver failed".to_owned())
            }
        }
    }
}

/// A solver for one question. No part of it looks at the clock, as those that Z3 chooses by
/// itself do: what it does in 100,000 steps it does on any machine.
fn fresh_solver(stage: Stage, f: &Formula) -> Solver {
    let parts: &[&str] = match stage {
        Stage::Bits => &["simplify", "solve-eqs", "bit-blast", "sat"],
        // Models of products are found at once by cylindrical decomposition, if at all.
        _ if !is_simplex(stage, f) => &["simplify", "solve-eqs", "qfnra-nlsat"],
        _ => &[
            "simplify",
            "propagate-values",
            "solve-eqs",
            "elim-uncnstr",
            "simplify",
            "smt",
        ],
    };
    let mut tactics = parts.iter().map(|name| z3::Tactic::new(name));
    match tactics.next() {
        Some(first) => tactics
            .fold(first, |all, next| all.and_then(&next))
            .solver(),
        None => Solver::new(),
    }
}

/// Whether a question of its own goes to arithmetic by simplex and lemmas about products.
fn is_simplex(stage: Stage, f: &Formula) -> bool {
    match stage {
        Stage::Bits => false,
        Stage::Real | Stage::IntAgain => !f.is_nonlinear(),
        _ => true,
    }
}

/// Equations about products that are brought together in one go. Z3 would take 10,000: most of the time of questions about
/// products went there, and it does not count it as steps.
const EQUATIONS_OF_PRODUCTS: u32 = 20;

/// Keeps the time for products near to the steps that are counted.
fn small_bases(solver: &Solver) {
    let mut params = Params::new();
    params.set_u32("arith.nl.grobner_max_simplified", EQUATIONS_OF_PRODUCTS);
    solver.set_params(&params);
}

/// What holds of every check, so that none may be asked without it.
///
/// Signals are none of Z3's business: its own handler of Ctrl-C, put in place for the time of a check, would take the signal
/// from whoever runs us, and what it puts back when checks of several threads overlap is not always what was there.
fn limits(solver: &Solver, budget: Budget) {
    let mut params = Params::new();
    params.set_bool("ctrl_c", false);
    params.set_u32("rlimit", budget.steps);
    params.set_u32("timeout", budget.milliseconds);
    params.set_u32("random_seed", budget.seed);
    solver.set_params(&params);
}

/// A formula over the integers as SMT-LIB.
pub(crate) fn text(problem: &Problem<'_>) -> String {
    let solver = Solver::new();
    let mut rendered: Rendered<Int> = Rendered::new();
    rendered.render(problem.f, &problem.must);
    rendered.render(problem.f, &problem.late);
    let roots = problem.must.iter().chain(&problem.late);
    assert_all(
        &solver,
        &rendered.definitions,
        roots.filter_map(|&n| rendered.truth(n)),
    );
    solver.to_smt2()
}

fn answer(
    solver: &Solver,
    stage: Stage,
    problem: &Problem,
    (budget, judge): (Budget, Option<Judge<'_>>),
    meter: &mut Meter,
    keep_text: bool,
) -> (Answer, Option<String>) {
    let before = meter.spent;
    limits(
        solver,
        Budget {
            steps: meter.affordable(u64::from(budget.steps)),
            ..budget
        },
    );
    if judge.is_some() || is_simplex(stage, problem.f) {
        small_bases(solver);
    }
    let mut text = None;
    let mut note = |solver: &Solver| {
        if keep_text {
            text = Some(solver.to_smt2());
        }
    };
    let answer = match stage {
        Stage::Linear => {
            let mut rendered: Rendered<Int> = Rendered::linear();
            rendered.render(problem.f, &problem.must);
            assert_all(
                solver,
                &rendered.definitions,
                problem.must.iter().filter_map(|&n| rendered.truth(n)),
            );
            note(solver);
            match meter.check(solver) {
                SatResult::Unsat => Answer::Unsat,
                SatResult::Sat => Answer::Unknown(REAL_MODEL.to_owned()),
                SatResult::Unknown => Answer::Unknown(reason(solver)),
            }
        }
        Stage::Real => {
            let mut rendered: Rendered<Real> = Rendered::new();
            rendered.render(problem.f, &problem.must);
            assert_all(
                solver,
                &rendered.definitions,
                problem.must.iter().filter_map(|&n| rendered.truth(n)),
            );
            note(solver);
            match meter.check(solver) {
                SatResult::Unsat => Answer::Unsat,
                SatResult::Sat => Answer::Unknown(REAL_MODEL.to_owned()),
                SatResult::Unknown => Answer::Unknown(reason(solver)),
            }
        }
        Stage::Bits => {
            let roots: Vec<Node> = problem.must.iter().chain(&problem.late).copied().collect();
            match BitRendered::new(problem.f, &roots) {
                None => Answer::Unknown("values of unknown size in bit operations".to_owned()),
                Some(rendered) => {
                    assert_all(
                        solver,
                        &rendered.definitions,
                        roots.iter().filter_map(|&n| rendered.truth(n)),
                    );
                    note(solver);
                    match meter.check(solver) {
                        SatResult::Unsat => Answer::Unsat,
                        SatResult::Sat => {
                            let cost = meter.spent - before;
                            Answer::Sat(small_bits(
                                solver,
                                problem,
                                &rendered,
                                (budget, cost, judge),
                                meter,
                            ))
                        }
                        SatResult::Unknown => Answer::Unknown(reason(solver)),
                    }
                }
            }
        }
        _ => {
            let mut rendered: Rendered<Int> = Rendered::new();
            rendered.render(problem.f, &problem.must);
            rendered.render(problem.f, &problem.late);
            let roots = problem.must.iter().chain(&problem.late);
            assert_all(
                solver,
                &rendered.definitions,
                roots.filter_map(|&n| rendered.truth(n)),
            );
            note(solver);
            match meter.check(solver) {
                SatResult::Unsat => Answer::Unsat,
                SatResult::Sat => {
                    let cost = meter.spent - before;
                    Answer::Sat(small_ints(
                        solver,
                        problem,
                        rendered,
                        (budget, cost, judge),
                        meter,
                    ))
                }
                SatResult::Unknown => Answer::Unknown(reason(solver)),
            }
        }
    };
    (answer, text)
}

fn assert_all<'b>(solver: &Solver, definitions: &[Bool], roots: impl Iterator<Item = &'b Bool>) {
    for definition in definitions {
        solver.assert(definition);
    }
    for root in roots {
        solver.assert(root);
    }
}

fn reason(solver: &Solver) -> String {
    match solver.get_reason_unknown().as_deref() {
        Some("timeout") => crate::WALL_CLOCK.to_owned(),
        Some("canceled" | "(resource limits reached)" | "max. resource limit exceeded") => {
            STEP_LIMIT.to_owned()
        }
        Some(other) if other.contains("incomplete") => "the theory is incomplete here".to_owned(),
        Some(other) => other.to_owned(),
        None => "no reason given".to_owned(),
    }
}

/// The values of all variables in the solver's model; those that the formula does not mention are
/// as near to 0 as their bounds allow.
fn read_model(
    solver: &Solver,
    f: &Formula,
    number: impl Fn(&z3::Model, Node) -> Option<i128>,
    truth: impl Fn(&z3::Model, Node) -> Option<bool>,
) -> Option<Model> {
    let model = solver.get_model()?;
    let mut values = Vec::with_capacity(f.variables.len());
    for (index, variable) in f.variables.iter().enumerate() {
        let value = f.find(&Shape::Var(VarId(index as u32))).and_then(|node| {
            if variable.truth {
                truth(&model, node).map(i128::from)
            } else {
                number(&model, node)
            }
        });
        values.push(value.unwrap_or_else(|| variable.bounds.near_zero()));
    }
    Some(values)
}

fn small_ints(
    solver: &Solver,
    problem: &Problem,
    mut rendered: Rendered<Int>,
    (budget, cost, mut judge): (Budget, u64, Option<Judge<'_>>),
    meter: &mut Meter,
) -> Model {
    let f = problem.f;
    let read_from = |rendered: &Rendered<Int>| {
        read_model(
            solver,
            f,
            |model, node| model.eval(rendered.number(node)?, true)?.as_i128(),
            |model, node| model.eval(rendered.truth(node)?, true)?.as_bool(),
        )
    };
    if let (Wanted::Any, Some(judge)) = (budget.model, &mut judge)
        && let Some(first) = read_from(&rendered)
        && judge(&first)
    {
        return first;
    }
    let before = rendered.definitions.len();
    rendered.render(f, &problem.wishes);
    rendered.render(f, &problem.small);
    for definition in &rendered.definitions[before..] {
        solver.assert(definition);
    }
    let rendered = &rendered;
    // New definitions may have made the earlier model stale.
    let stale = rendered.definitions.len() > before;
    let first = match stale.then(|| meter.check(solver)) {
        None | Some(SatResult::Sat) => read_from(rendered),
        _ => None,
    };
    let Some(first) = first else {
        return near_zero(f);
    };
    let speech = shrink::Speech {
        truth: &|node| rendered.truth(node).cloned(),
        compare: &|node, low, high| {
            let number = rendered.number(node)?;
            let low = low.map(|low| number.ge(Int::from_i128(low)));
            let high = high.map(|high| number.le(Int::from_i128(high)));
            let parts: Vec<Bool> = low.into_iter().chain(high).collect();
            Some(Bool::and(&parts))
        },
        read: &|| read_from(rendered),
    };
    shrink::shrink(
        solver,
        problem,
        first,
        (budget, cost, judge),
        meter,
        &speech,
    )
}

fn small_bits(
    solver: &Solver,
    problem: &Problem,
    rendered: &BitRendered,
    (budget, cost, judge): (Budget, u64, Option<Judge<'_>>),
    meter: &mut Meter,
) -> Model {
    let f = problem.f;
    let read = || {
        read_model(
            solver,
            f,
            |model, node| {
                model
                    .eval(&rendered.number(node)?.to_int(true), true)?
                    .simplify()
                    .as_i128()
            },
            |model, node| model.eval(rendered.truth(node)?, true)?.as_bool(),
        )
    };
    let Some(first) = read() else {
        return near_zero(f);
    };
    let speech = shrink::Speech {
        truth: &|node| rendered.truth(node).cloned(),
        compare: &|node, low, high| {
            let number = rendered.number(node)?;
            let constant = |value: i128| crate::bits::constant(value, number.get_size());
            let mut parts = Vec::new();
            if let Some(low) = low {
                parts.push(number.bvsge(constant(low)));
            }
            if let Some(high) = high {
                parts.push(number.bvsle(constant(high)));
            }
            Some(Bool::and(&parts))
        },
        read: &read,
    };
    shrink::shrink(
        solver,
        problem,
        first,
        (budget, cost, judge),
        meter,
        &speech,
    )
}

/// Values for a formula of which no model can be read.
fn near_zero(f: &Formula) -> Model {
    let low = f.variables.iter().map(|variable| variable.bounds.low);
    low.map(|low| low.unwrap_or(0).max(0)).collect()
}

mod shrink;
