//! A search for small models of a formula, before any solver is asked.
//!
//! Most formulas of racing pairs have a model in which the sizes are small and the threads are
//! neighbours. Values are tried from the smallest on, in the order in which a witness should be
//! small, and [`propagate`](crate::propagate) tells what each forces on the rest: an equation
//! between two byte offsets then leaves one value for the last of its variables. A few restarts
//! with other values follow; the variable that failed last is tried first (Lecoutre et al.,
//! *Reasoning from last conflict(s)*, AIJ 2009).
//!
//! After the first attempt, the formula is refuted by cases, if few are enough (`cases`): else seven more attempts would look for
//! what there is not, and a solver would be set up to say so.
//!
//! **Contract.** A model that is found satisfies the formula exactly, by evaluation. A refutation
//! is a proof: propagation leaves no value, from the bounds alone or in each of all cases. Everything else says nothing.

use self::cases::Cases;
use crate::formula::{Node, Shape, VarId};
use crate::propagate::{Domain, Net};
use crate::solve::{Model, Problem};

/// What the search found.
pub(crate) enum Found {
    /// No model exists.
    Refuted,
    /// A model.
    Model(Model),
    /// Nothing.
    Nothing,
}

/// Values that failed after which an attempt ends.
const MAX_FAILURES: u32 = 60;

/// Attempts, each with other values first.
const ATTEMPTS: u32 = 8;

/// Sizes that are tried besides those near 0.
const SIZES: [i128; 9] = [4, 8, 16, 33, 64, 100, 128, 256, 1024];

/// Iterations from which on none is tried that is not forced.
const MAX_ORDINAL: i128 = 40;

/// Numbers without a pattern that are the same in every run (xorshift, Marsaglia 2003).
struct Shuffle(u64);

impl Shuffle {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % limit.max(1)
    }
}

struct Search<'p, 'f> {
    problem: &'p Problem<'f>,
    net: Net<'f>,
    /// What is to be given a value, in order.
    variables: Vec<Node>,
    last_conflict: Option<Node>,
    shuffle: Option<Shuffle>,
    /// Variables of few values come first: the last one is what an equation leaves.
    narrow_first: bool,
    failures: u32,
    limit: u64,
    /// Work for a refutation by cases.
    cases: u64,
    /// What is searched.
    roots: Vec<Node>,
}

/// The attempt ends.
struct Enough;

/// Looks for a model with at most so much work, of which so much is for a refutation by cases; gives what it found and the work
/// done.
pub(crate) fn search(problem: &Problem<'_>, limit: u64, cases: u64) -> (Found, u64) {
    let f = problem.f;
    let mut roots: Vec<Node> = problem.must.iter().chain(&problem.late).copied().collect();
    roots.extend(&problem.wishes);
    let net = Net::new(f, &roots);
    let mut search = Search {
        problem,
        net,
        variables: variables(problem, &roots),
        last_conflict: None,
        shuffle: None,
        narrow_first: false,
        failures: 0,
        limit,
        cases,
        roots,
    };
    let found = search.run();
    (found, search.net.work)
}

/// The variables below the roots, those that should be small first.
fn variables(problem: &Problem<'_>, roots: &[Node]) -> Vec<Node> {
    let f = problem.f;
    let is_variable = |node: &Node| matches!(f.shape(*node), Shape::Var(_));
    let reachable: Vec<Node> = f.reachable(roots).into_iter().filter(is_variable).collect();
    let mut ordered: Vec<Node> = Vec::new();
    for &node in problem.small.iter().chain(&reachable) {
        if reachable.binary_search(&node).is_ok() && !ordered.contains(&node) {
            ordered.push(node);
        }
    }
    ordered
}

impl Search<'_, '_> {
    fn run(&mut self) -> Found {
        let problem = self.problem;
        for &root in problem.must.iter().chain(&problem.late) {
            if self.net.narrow(root, Domain::TRUE).is_err() {
                return Found::Refuted;
            }
        }
        if self.net.propagate().is_err() {
            return Found::Refuted;
        }
        for attempt in 0..ATTEMPTS {
            let mark = self.net.mark();
            self.failures = 0;
            // The wishes first, then without them; then other values.
            self.shuffle =
                (attempt > 1).then(|| Shuffle(0x9e37_79b9_7f4a_7c15 ^ (u64::from(attempt) << 17)));
            let wished = attempt % 2 == 1
                || problem
                    .wishes
                    .iter()
                    .all(|&wish| self.net.narrow(wish, Domain::TRUE).is_ok())
                    && self.net.propagate().is_ok();
            if wished && let Ok(Some(model)) = self.descend() {
                return Found::Model(model);
            }
            self.net.undo(mark);
            if attempt == 0 {
                if Cases::new(problem.f, &self.roots).refute(&mut self.net, self.cases) {
                    return Found::Refuted;
                }
                self.net.undo(mark);
            }
            if self.net.work > self.limit {
                break;
            }
        }
        Found::Nothing
    }

    /// Gives values to all variables that have none yet.
    fn descend(&mut self) -> Result<Option<Model>, Enough> {
        let is_open = |node: &Node| self.net.domain(*node).single().is_none();
        let mut open = self.variables.iter().copied().filter(is_open);
        let next = match self.last_conflict.filter(is_open) {
            None if self.narrow_first => open.min_by_key(|&node| self.net.domain(node).length()),
            None => open.next(),
            last => last,
        };
        let Some(variable) = next else {
            return Ok(self.model());
        };
        for value in self.values(variable) {
            let mark = self.net.mark();
            if self.net.narrow(variable, Domain::value(value)).is_ok()
                && self.net.propagate().is_ok()
                && let Some(model) = self.descend()?
            {
                return Ok(Some(model));
            }
            self.net.undo(mark);
            self.failures += 1;
            if self.failures > MAX_FAILURES || self.net.work > self.limit {
                self.last_conflict = Some(variable);
                return Err(Enough);
            }
        }
        self.last_conflict = Some(variable);
        Ok(None)
    }

    /// Whether the variable counts iterations.
    fn is_ordinal(&self, variable: Node) -> bool {
        let f = self.problem.f;
        match f.shape(variable) {
            Shape::Var(id) => f.variables[id.0 as usize].ordinal,
            _ => false,
        }
    }

    /// Values to be tried for a variable.
    fn values(&mut self, variable: Node) -> Vec<i128> {
        let Domain { low, high } = self.net.domain(variable);
        let base = 0.max(low).min(high);
        let mut values: Vec<i128> = (0..3).map(|step| base + step).collect();
        if self.shuffle.is_some() {
            values.extend(SIZES);
        } else {
            values.extend([SIZES[2], SIZES[4]]);
        }
        if base == 0 {
            values.push(-1);
        }
        values.extend([low, high]);
        if self.is_ordinal(variable) {
            // All iterations up to it are to be replayed.
            values.retain(|&value| value == base || value < MAX_ORDINAL);
        }
        let mut seen = Vec::with_capacity(values.len());
        for value in values {
            let fits = (low..=high).contains(&value) && value.abs() < 1 << 62;
            if fits && !seen.contains(&value) {
                seen.push(value);
            }
        }
        if let Some(shuffle) = &mut self.shuffle {
            for last in (1..seen.len()).rev() {
                seen.swap(last, shuffle.below(last + 1));
            }
            seen.truncate(4);
        }
        seen
    }

    /// The model when all variables have one value, if it satisfies the formula.
    fn model(&self) -> Option<Model> {
        let f = self.problem.f;
        let mut model: Model = Vec::with_capacity(f.variables.len());
        for (index, variable) in f.variables.iter().enumerate() {
            let node = f.find(&Shape::Var(VarId(index as u32)));
            let value = node.and_then(|node| self.net.domain(node).single());
            model.push(value.unwrap_or_else(|| variable.bounds.near_zero()));
        }
        let roots: Vec<Node> = self
            .problem
            .must
            .iter()
            .chain(&self.problem.late)
            .copied()
            .collect();
        f.satisfies(&roots, &model).then_some(model)
    }
}

mod cases;
#[cfg(test)]
mod tests;
