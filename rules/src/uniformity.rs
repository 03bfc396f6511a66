//! Uniformity: terms that have one value for all threads of a scope, at equal iterations of the
//! loops around them.
//!
//! **Algorithm.** The complement of `varies`, the least set of terms that are closed under data and
//! control flow from the thread's own leaves. The greatest reading of `uniform` is right for
//! values that a loop feeds back into itself: they agree in iteration 0 and, if they agree in one
//! iteration, in the next.
//!
//! **Accuracy.** Sound under the contract of the facts: an unknown is a function of its
//! dependences and controls at equal iterations unless it is opaque.

use ascent::ascent;
use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::derived::{StableLoadRow, UniformRow};
use warplog_facts::words::{Dimension, Scope};
use warplog_facts::{AccessId, Facts, LaunchId, LoopId, Op, PointId, TermId, UnknownId};

use crate::context::Context;
use crate::counted::is_index;

ascent! {
    struct Uniformity;
    /// The value of the second term is computed from the first, or under its control.
    relation flows_into(TermId, TermId);
    /// A leaf that may differ between threads of the scope.
    relation differs(TermId, Scope);

    relation varies(TermId, Scope);

    // R10: what differs within a scope varies in it.
    varies(term, scope) <-- differs(term, scope);
    // R11: so does all that is computed from it.
    varies(to, scope) <-- varies(from, scope), flows_into(from, to);
    // R12: what varies within a warp varies within its block, and what does so within the grid.
    varies(term, Scope::Block) <-- varies(term, Scope::Warp);
    varies(term, Scope::Grid) <-- varies(term, Scope::Block);
}

/// What is uniform in each launch: terms are shared between launches, the shapes of their blocks are not.
pub(crate) struct Uniform {
    /// In a block of any shape.
    any_shape: UniformTerms,
    /// The launches whose warps are rows of `threadIdx.x`, and what is uniform in them.
    rows_of_warps: Option<(FxHashSet<LaunchId>, UniformTerms)>,
}

impl Uniform {
    /// What is uniform in a launch.
    pub(crate) fn of(&self, launch: LaunchId) -> &UniformTerms {
        match &self.rows_of_warps {
            Some((launches, terms)) if launches.contains(&launch) => terms,
            _ => &self.any_shape,
        }
    }

    /// What is uniform in every launch. In a block or a grid no more is than this.
    pub(crate) fn everywhere(&self) -> &UniformTerms {
        &self.any_shape
    }
}

/// The largest scope in which each term is uniform.
pub(crate) struct UniformTerms {
    scopes: Vec<Option<Scope>>,
}

impl UniformTerms {
    /// Whether the term has one value for all threads of the scope.
    pub(crate) fn is_uniform(&self, term: TermId, scope: Scope) -> bool {
        self.scopes[term.index()].is_some_and(|largest| largest >= scope)
    }

    /// Largest scope in which the term is uniform.
    pub(crate) fn scope(&self, term: TermId) -> Option<Scope> {
        self.scopes[term.index()]
    }

    /// Whether all threads of the scope that are in the same iteration agree on reaching the
    /// point: all of its conjuncts are uniform, and so are those of the points by which a thread
    /// can leave the loops around it in an earlier iteration.
    pub(crate) fn is_uniform_point(&self, ctx: &Context<'_>, point: PointId, scope: Scope) -> bool {
        let plain = |point: PointId| {
            let mut guards = ctx.guards(point).iter();
            guards.all(|&(term, _)| self.is_uniform(term, scope))
        };
        plain(point) && self.leave_together(ctx, point, scope)
    }

    /// Whether the threads of the scope leave the loops around a point in the same iterations, but for the conditions of
    /// the loops.
    pub(crate) fn leave_together(&self, ctx: &Context<'_>, point: PointId, scope: Scope) -> bool {
        let plain = |point: PointId| {
            let mut guards = ctx.guards(point).iter();
            guards.all(|&(term, _)| self.is_uniform(term, scope))
        };
        ctx.loops(point).iter().all(|&loop_id| {
            let row = &ctx.facts.loop_[loop_id.index()];
            let leavings = ctx.leavings(loop_id);
            // A way out that is no point is one of which nothing is known.
            row.condition.is_some()
                && (!row.has_break || !leavings.is_empty())
                && leavings.into_iter().all(plain)
        })
    }
}

/// The uniform terms, and the rows that say so.
pub(crate) fn uniformity(
    ctx: &Context<'_>,
    stable_loads: &[StableLoadRow],
) -> (Uniform, Vec<UniformRow>) {
    let facts = ctx.facts;
    let stable: FxHashMap<AccessId, Scope> = stable_loads
        .iter()
        .map(|row| (row.access, row.scope))
        .collect();
    let mut dependences: FxHashMap<UnknownId, Vec<TermId>> = FxHashMap::default();
    for row in &facts.unknown_depends_on {
        dependences.entry(row.unknown).or_default().push(row.term);
    }
    for row in &facts.unknown_controlled_by {
        dependences.entry(row.unknown).or_default().push(row.term);
    }
    let launches = facts.launch.iter().map(|row| row.launch);
    let rows_of_warps: FxHashSet<LaunchId> = launches
        .filter(|&launch| has_rows_of_warps(ctx, launch))
        .collect();
    let any_shape = derive(ctx, &stable, &dependences, false);
    let mut rows = rows_of(facts, &any_shape, None);
    let mentions = |(id, _)| is_of_whole_warps(facts, id);
    let rows_of_warps =
        (!rows_of_warps.is_empty() && facts.terms.iter().any(mentions)).then(|| {
            let terms = derive(ctx, &stable, &dependences, true);
            rows.extend(rows_of(facts, &terms, Some(&any_shape)));
            (rows_of_warps, terms)
        });
    rows.sort_unstable();
    let uniform = Uniform {
        any_shape,
        rows_of_warps,
    };
    (uniform, rows)
}

/// The uniform terms of the launches whose warps are rows of `threadIdx.x`, or of all launches.
fn derive(
    ctx: &Context<'_>,
    stable: &FxHashMap<AccessId, Scope>,
    dependences: &FxHashMap<UnknownId, Vec<TermId>>,
    in_rows_of_warps: bool,
) -> UniformTerms {
    let facts = ctx.facts;
    let mut program = Uniformity::default();
    for (id, term) in facts.terms.iter() {
        // R36: which of several whole warps a thread is in is one for the warp.
        if in_rows_of_warps && is_of_whole_warps(facts, id) {
            program.differs.push((id, Scope::Block));
            continue;
        }
        for &arg in &term.args {
            program.flows_into.push((arg, id));
        }
        match term.op {
            // R13: the thread index differs within a warp, the block index within the grid.
            Op::TidX | Op::TidY | Op::TidZ => program.differs.push((id, Scope::Warp)),
            Op::BidX | Op::BidY | Op::BidZ => program.differs.push((id, Scope::Grid)),
            // R14: a loaded value differs where its memory may be written meanwhile.
            Op::Load => {
                let scope = term
                    .access()
                    .and_then(|access| stable.get(&access).copied());
                match scope {
                    None => program.differs.push((id, Scope::Warp)),
                    Some(Scope::Grid | Scope::System) => {}
                    Some(_) => program.differs.push((id, Scope::Grid)),
                }
            }
            // R15: an unknown differs when opaque, else with what it depends on.
            Op::Unknown => {
                let Some(unknown) = term.unknown() else {
                    continue;
                };
                if facts.unknown[unknown.index()].opaque {
                    program.differs.push((id, Scope::Warp));
                }
                for &from in dependences.get(&unknown).into_iter().flatten() {
                    program.flows_into.push((from, id));
                }
            }
            // R16: a trip count varies with the loop's condition and with every other way out.
            Op::Exit => {
                let Some(loop_id) = term.loop_id() else {
                    continue;
                };
                let row = &facts.loop_[loop_id.index()];
                match row.condition {
                    Some(condition) => program.flows_into.push((condition, id)),
                    None => program.differs.push((id, Scope::Warp)),
                }
                let leavings = ctx.leavings(loop_id);
                if row.has_break && leavings.is_empty() {
                    program.differs.push((id, Scope::Warp));
                }
                for point in leavings {
                    for &(guard, _) in ctx.guards(point) {
                        program.flows_into.push((guard, id));
                    }
                }
            }
            _ => {}
        }
    }
    program.run();

    let varies: FxHashSet<(TermId, Scope)> = program.varies.iter().copied().collect();
    let scopes = facts.terms.iter().map(|(id, _)| {
        [Scope::Grid, Scope::Block, Scope::Warp]
            .into_iter()
            .find(|&scope| !varies.contains(&(id, scope)))
    });
    UniformTerms {
        scopes: scopes.collect(),
    }
}

/// The rows of the uniform terms, without those that are known to be uniform anyway.
fn rows_of(facts: &Facts, uniform: &UniformTerms, known: Option<&UniformTerms>) -> Vec<UniformRow> {
    let rows = facts.terms.iter().filter_map(|(id, term)| {
        let scope = uniform.scope(id)?;
        let rule = match (known, term.op) {
            (Some(known), _) if known.scope(id).is_some() => return None,
            (Some(_), _) => "rows-of-warps",
            (None, Op::Const) => "constant",
            (None, Op::BidX | Op::BidY | Op::BidZ) => "block-index",
            (None, Op::BdimX | Op::BdimY | Op::BdimZ | Op::GdimX | Op::GdimY | Op::GdimZ) => {
                "launch-dimension"
            }
            (None, Op::Symbol) => "uniform-symbol",
            (None, Op::Iter) => "equal-iterations",
            (None, Op::Exit) => "uniform-trip-count",
            (None, Op::Load) => "stable-load",
            (None, Op::Unknown) => "uniform-dependences",
            _ => "uniform-arguments",
        };
        Some(UniformRow {
            term: id,
            scope,
            rule: rule.to_owned(),
        })
    });
    rows.collect()
}

/// Whether the threads of a warp differ in `threadIdx.x` only, from a multiple of 32 on.
pub(crate) fn has_rows_of_warps(ctx: &Context<'_>, launch: LaunchId) -> bool {
    let size = |wanted: Dimension| {
        let mut all = ctx.dimensions(launch).iter();
        let &(_, term) = all.find(|(dimension, _)| *dimension == wanted)?;
        ctx.facts.terms.as_const(term)
    };
    let one_row = size(Dimension::BlockY) == Some(1) && size(Dimension::BlockZ) == Some(1);
    one_row || size(Dimension::BlockX).is_some_and(|size| size > 0 && size % 32 == 0)
}

/// Whether a term tells whole warps apart by `threadIdx.x` and nothing else: `threadIdx.x / 32`,
/// `threadIdx.x < 64`.
fn is_of_whole_warps(facts: &Facts, id: TermId) -> bool {
    let term = facts.terms.get(id);
    let &[left, right] = term.args.as_slice() else {
        return false;
    };
    let index = |id| is_index(facts, id);
    let whole = |value: i128| value.rem_euclid(32) == 0;
    match (facts.terms.as_const(left), facts.terms.as_const(right)) {
        (None, Some(value)) if index(left) => match term.op {
            Op::Div => value > 0 && whole(value),
            Op::Shr => (5..16).contains(&value),
            Op::BitAnd => whole(value),
            Op::Lt => whole(value),
            Op::Le => whole(value + 1),
            _ => false,
        },
        (Some(value), None) if index(right) => match term.op {
            Op::BitAnd => whole(value),
            Op::Le => whole(value),
            Op::Lt => whole(value + 1),
            _ => false,
        },
        _ => false,
    }
}

/// For each term, the loops whose iterations its value depends on: two instances of a term that is
/// uniform in a scope are equal for two threads of the scope when these loops are in the same
/// iteration for both.
pub(crate) fn loops_of_terms(
    ctx: &Context<'_>,
    stable_loads: &[StableLoadRow],
) -> Vec<Vec<LoopId>> {
    let everywhere: FxHashSet<AccessId> = stable_loads
        .iter()
        .filter(|row| row.scope >= Scope::Grid)
        .map(|row| row.access)
        .collect();
    let mut loops: Vec<Vec<LoopId>> = Vec::with_capacity(ctx.facts.terms.len());
    for (_, term) in ctx.facts.terms.iter() {
        let mut mine: Vec<LoopId> = Vec::new();
        for arg in &term.args {
            mine.extend_from_slice(&loops[arg.index()]);
        }
        match term.op {
            Op::Iter => mine.extend(term.loop_id()),
            Op::Exit => {
                if let Some(loop_id) = term.loop_id() {
                    let around = ctx.loops(ctx.loop_head(loop_id)).iter();
                    mine.extend(around.copied().filter(|&id| id != loop_id));
                }
            }
            Op::Unknown => {
                if let Some(unknown) = term.unknown() {
                    mine.extend_from_slice(ctx.loops(ctx.facts.unknown[unknown.index()].point));
                }
            }
            Op::Load => {
                if let Some(access) = term.access()
                    && !everywhere.contains(&access)
                {
                    mine.extend_from_slice(ctx.loops(ctx.access(access).point));
                }
            }
            _ => {}
        }
        mine.sort_unstable();
        mine.dedup();
        loops.push(mine);
    }
    loops
}
