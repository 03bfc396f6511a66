//! For which threads a variable has one value, asked of the analysis itself.
//!
//! Facts know terms and no variables. So the text gets a statement behind the one that the variable stands in, a write that happens where
//! the variable equals a constant of which nothing is known; the rules say of the condition of that write in which scope it is uniform
//! (relation `tid_independent_condition`). **Contract.** The scope is one in which the condition is the same for all
//! threads that come there, at equal iterations of the loops around it; what is not shown to be uniform may differ. Nothing is said
//! where the statement cannot be written, or where the write is not found again.

use std::path::PathBuf;

use warplog_facts::words::{Scope, Space};
use warplog_facts::{Derived, Facts, Op};
use warplog_lsp::Pointed;

use crate::driver::{RunOptions, Workers, unit_of};
use crate::engine::Analysis;
use crate::guard::guarded;
use crate::mends::statements::Statements;
use crate::options::AnalysisOptions;
use crate::pipeline::{Depth, Examined, Pipeline};
use crate::threads::workers;
use crate::unit::Unit;

/// What is written to where the variable has the value.
const PROBE: &str = "warplog_probe_";

/// In words, if it can be told.
pub(super) fn of(
    options: &AnalysisOptions,
    pointed: &Pointed,
    (run, processes): (RunOptions, &Workers),
) -> Option<String> {
    let text = with_probe(pointed)?;
    let options = AnalysisOptions {
        kernels: vec![pointed.kernel.clone()],
        ..options.clone()
    };
    let paths = [PathBuf::from("-")];
    let (unit_options, options) = unit_of(&paths, &options)?;
    let unit = Unit {
        path: &pointed.path,
        shown: &pointed.path.to_string_lossy(),
        bytes: text.as_bytes(),
        options: &unit_options,
    };
    let elsewhere = processes
        .of(&options, run)
        .filter(|_| run.workers)
        .and_then(|isolation| isolation.extract(&unit, &options, Depth::Derived));
    let examined: Examined = match elsewhere {
        Some((examined, _)) => examined?,
        None => {
            let pool = workers(run.jobs).ok()?;
            let extract = || guarded(|| Analysis.extract(&unit, &options, Depth::Derived));
            pool.install(extract).ok()?.0
        }
    };
    scope(&examined.facts, &examined.derived?, &pointed.name).map(str::to_owned)
}

/// The text with the write.
fn with_probe(pointed: &Pointed) -> Option<String> {
    let text: &str = &pointed.text;
    let statements = Statements::of(text);
    let name = pointed.at..pointed.at + pointed.name.len();
    let at = match statements.statement(&name) {
        Some(statement) => statement.whole.end,
        // Of a condition, before the statement that it is part of.
        None => {
            let boundaries = statements.boundaries(&(0..pointed.at));
            boundaries.last()?.at
        }
    };
    let (before, behind) = text.split_at_checked(at)?;
    let name = &pointed.name;
    Some(format!(
        "__constant__ int {PROBE}value;\n{before} {{ __shared__ int {PROBE}; {PROBE} = 1; \
         if ({name} == {PROBE}value) {PROBE} = 2; }} {behind}"
    ))
}

/// The scope of the condition under which the second write happens and the first need not.
fn scope(facts: &Facts, derived: &Derived, name: &str) -> Option<&'static str> {
    let mut widest = None;
    for launch in 0..facts.launch.len() {
        let array = |row: &&warplog_facts::ArrayRow| row.launch.index() == launch;
        if let Some(row) = facts
            .array
            .iter()
            .filter(array)
            .find(|row| row.name == name)
        {
            return Some(match row.space {
                Space::Shared => "an array in shared memory",
                _ => "an array in global memory",
            });
        }
        let probe = facts
            .array
            .iter()
            .filter(array)
            .find(|row| row.name == PROBE)?;
        let mut writes = facts.access.iter().filter(|row| row.array == probe.array);
        let (first, second) = (writes.next()?, writes.next()?);
        if writes.next().is_some() {
            return None;
        }
        let conjuncts = |point| {
            let rows = facts.guard_at.iter().filter(move |row| row.point == point);
            rows.map(|row| (row.position, row.term)).collect::<Vec<_>>()
        };
        let before = conjuncts(first.point);
        let own = conjuncts(second.point)
            .into_iter()
            .filter(|one| !before.contains(one));
        for (position, term) in own {
            // A comparison that was not understood says nothing of what is compared.
            if facts.terms.get(term).op == Op::Unknown {
                return None;
            }
            let mut known = derived.tid_independent_condition.iter();
            let scope = known
                .find(|row| row.point == second.point && row.position == position)
                .map(|row| row.scope);
            let rank = match scope {
                Some(Scope::Grid) => 0,
                Some(Scope::Block) => 1,
                Some(Scope::Warp) => 2,
                _ => 3,
            };
            widest = widest.max(Some(rank));
        }
        widest = widest.max(Some(0));
    }
    Some(match widest? {
        0 => "one value for all threads of the grid that come here",
        1 => "one value for all threads of a block that come here",
        2 => "one value for all threads of a warp that come here",
        _ => "may differ between the threads of a warp",
    })
}
