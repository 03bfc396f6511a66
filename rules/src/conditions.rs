//! Tid-independent and tid-dependent conditions (TIC/TDC), and the parametric flows they define.
//!
//! A flow is the class of threads of a block that take the same tid-dependent branches on their
//! way to an access: after Li, Li and Gopalakrishnan, "Parametric flows" (SC 2012). Two accesses
//! with the same tid-dependent conjuncts are in one flow; flow 0 has none.

use ascent::ascent_run;
use rustc_hash::FxHashMap;
use warplog_facts::derived::{FlowOfRow, TidDependentConditionRow, TidIndependentConditionRow};
use warplog_facts::words::Scope;
use warplog_facts::{LaunchId, PointId, TermId};

use crate::context::{Conjunct, Context};
use crate::uniformity::Uniform;

/// Rows of the three relations of this analysis.
pub(crate) struct Conditions {
    pub(crate) independent: Vec<TidIndependentConditionRow>,
    pub(crate) dependent: Vec<TidDependentConditionRow>,
    pub(crate) flows: Vec<FlowOfRow>,
}

/// The conditions of all points, and the flows of all accesses.
pub(crate) fn conditions(ctx: &Context<'_>, uniform: &Uniform) -> Conditions {
    let guards = ctx.facts.guard_at.iter();
    let conjuncts = guards.map(|row| (row.point, row.position, row.term));
    let in_block = ctx.facts.terms.iter().filter_map(|(id, _)| {
        let scope = uniform
            .everywhere()
            .scope(id)
            .filter(|&scope| scope >= Scope::Block)?;
        Some((id, scope))
    });
    let program = ascent_run! {
        relation conjunct_at(PointId, u32, TermId) = conjuncts.collect();
        relation uniform(TermId, Scope) = in_block.collect();
        relation has_uniform(TermId);
        relation independent(PointId, u32, Scope);
        relation dependent(PointId, u32, TermId);

        has_uniform(term) <-- uniform(term, _scope);
        // R19: a conjunct whose term is uniform in the block is tid-independent.
        independent(point, position, scope) <--
            conjunct_at(point, position, term), uniform(term, scope);
        // R20: any other is tid-dependent.
        dependent(point, position, term) <--
            conjunct_at(point, position, term), !has_uniform(term);
    };
    let mut independent: Vec<TidIndependentConditionRow> = program
        .independent
        .into_iter()
        .map(|(point, position, scope)| TidIndependentConditionRow {
            point,
            position,
            scope,
        })
        .collect();
    independent.sort_unstable();
    let mut dependent: Vec<TidDependentConditionRow> = program
        .dependent
        .into_iter()
        .map(|(point, position, term)| TidDependentConditionRow {
            point,
            position,
            term,
        })
        .collect();
    dependent.sort_unstable();

    let mut numbers: FxHashMap<LaunchId, FxHashMap<Vec<Conjunct>, u32>> = FxHashMap::default();
    let mut flows = Vec::with_capacity(ctx.facts.access.len());
    for row in &ctx.facts.access {
        let mut conjuncts: Vec<Conjunct> = ctx
            .guards(row.point)
            .iter()
            .copied()
            .filter(|&(term, _)| !uniform.everywhere().is_uniform(term, Scope::Block))
            .collect();
        conjuncts.sort_unstable();
        conjuncts.dedup();
        let known = numbers
            .entry(ctx.launch_of(row.point))
            .or_insert_with(|| FxHashMap::from_iter([(Vec::new(), 0)]));
        let next = u32::try_from(known.len()).unwrap_or(u32::MAX);
        let flow = *known.entry(conjuncts).or_insert(next);
        flows.push(FlowOfRow {
            access: row.access,
            flow,
        });
    }
    Conditions {
        independent,
        dependent,
        flows,
    }
}
