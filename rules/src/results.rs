//! What rests on the result of an access: the terms that are computed from what it finds, also by way of shared or local memory.
//!
//! **Algorithm.** The least set of terms that holds the result and is closed under computation, and under what a thread stores:
//! if a value that is written to memory of the block or the thread rests on the result, or the condition under which it is written
//! does, so does all that is read from that memory. One program for all accesses that are asked about, so that its
//! time grows with the terms that rest on something, not with launches times terms.
//!
//! **Accuracy.** Intervals and indices are ignored, so that too much may rest on a result. Global memory carries nothing.

use ascent::ascent;
use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::{AccessKind, Space};
use warplog_facts::{AccessId, ArrayId, LaunchId, Op, PointId, SpanId, TermId, UnknownId};

use crate::context::Context;

ascent! {
    struct Program;
    /// The term is what the access finds.
    relation finds(AccessId, TermId);
    /// The second term is computed from the first.
    relation computed_from(TermId, TermId);
    /// The term decides what is written to the memory, or whether.
    relation told(TermId, ArrayId);
    /// The term is read from the memory.
    relation read_from(ArrayId, TermId);

    relation rests_on(TermId, AccessId);
    relation told_of(ArrayId, AccessId);

    // R51: what an access finds rests on it, and so does what is computed from it.
    rests_on(term, access) <-- finds(access, term);
    rests_on(term, access) <-- rests_on(from, access), computed_from(from, term);
    // R52: memory of the block or the thread is told of it where a value or a condition of a write rests on it.
    told_of(memory, access) <-- rests_on(term, access), told(term, memory);
    // R53: what is read from such memory rests on it.
    rests_on(term, access) <-- told_of(memory, access), read_from(memory, term);
}

/// Accesses with the terms that rest on their results, in the order in which they are asked about; those on which nothing rests are left out.
pub(crate) fn results(
    ctx: &Context<'_>,
    accesses: &[AccessId],
) -> Vec<(AccessId, FxHashSet<TermId>)> {
    if accesses.is_empty() {
        return Vec::new();
    }
    let mut program = Program::default();
    let leaves = Leaves::new(ctx);
    for &access in accesses {
        program.finds.extend(leaves.found_by(ctx, access));
    }
    leaves.compute(ctx, &mut program);
    let mut launches: Vec<LaunchId> = accesses.iter().map(|&id| launch_of(ctx, id)).collect();
    launches.sort_unstable();
    launches.dedup();
    for access in launches.iter().flat_map(|&launch| ctx.accesses(launch)) {
        let row = ctx.access(*access);
        let memory = ctx.storage(*access);
        if row.kind == AccessKind::Write
            && matches!(ctx.space(*access), Space::Shared | Space::Local)
        {
            let conditions = ctx.guards(row.point).iter().map(|&(term, _)| term);
            let tells = row.value.into_iter().chain(conditions);
            program.told.extend(tells.map(|term| (term, memory)));
        }
    }
    program.run();
    let mut found: FxHashMap<AccessId, FxHashSet<TermId>> = FxHashMap::default();
    for (term, access) in program.rests_on {
        found.entry(access).or_default().insert(term);
    }
    let with_results = |&access: &AccessId| Some((access, found.remove(&access)?));
    accesses.iter().filter_map(with_results).collect()
}

fn launch_of(ctx: &Context<'_>, access: AccessId) -> LaunchId {
    ctx.launch_of(ctx.access(access).point)
}

/// The terms that stand for what is found at run time.
struct Leaves {
    /// Unknown values by the place in the source that makes them.
    made: FxHashMap<(LaunchId, SpanId), Vec<(PointId, UnknownId)>>,
    /// The terms that are an unknown value.
    unknowns: FxHashMap<UnknownId, Vec<TermId>>,
    /// The terms that are read by an access.
    reads: FxHashMap<AccessId, Vec<TermId>>,
}

impl Leaves {
    fn new(ctx: &Context<'_>) -> Self {
        let mut leaves = Leaves {
            made: FxHashMap::default(),
            unknowns: FxHashMap::default(),
            reads: FxHashMap::default(),
        };
        for row in &ctx.facts.unknown {
            let made = leaves.made.entry((row.launch, row.span)).or_default();
            made.push((row.point, row.unknown));
        }
        for (id, term) in ctx.facts.terms.iter() {
            match term.op {
                Op::Unknown => {
                    if let Some(unknown) = term.unknown() {
                        leaves.unknowns.entry(unknown).or_default().push(id);
                    }
                }
                Op::Load => {
                    if let Some(access) = term.access() {
                        leaves.reads.entry(access).or_default().push(id);
                    }
                }
                _ => {}
            }
        }
        leaves
    }

    /// What an access finds: an unknown value that is made where it stands, or the term that is read by it.
    fn found_by(&self, ctx: &Context<'_>, access: AccessId) -> Vec<(AccessId, TermId)> {
        let row = ctx.access(access);
        let made = self.made.get(&(launch_of(ctx, access), row.span));
        let behind = made
            .into_iter()
            .flatten()
            .filter(|(point, _)| *point > row.point);
        let unknowns = behind.filter_map(|(_, unknown)| self.unknowns.get(unknown));
        let all = unknowns.chain(self.reads.get(&access)).flatten();
        all.map(|&term| (access, term)).collect()
    }

    /// How terms are computed from each other, and where they are read, as far as something found at run time takes part.
    fn compute(&self, ctx: &Context<'_>, program: &mut Program) {
        let facts = ctx.facts;
        let mut takes_part = vec![false; facts.terms.len()];
        for (id, term) in facts.terms.iter() {
            // Arguments come before the terms that they are arguments of.
            let by_args = term.args.iter().any(|arg| takes_part[arg.index()]);
            takes_part[id.index()] = by_args || matches!(term.op, Op::Unknown | Op::Load);
            if by_args {
                let from = term.args.iter().filter(|arg| takes_part[arg.index()]);
                program.computed_from.extend(from.map(|&arg| (arg, id)));
            }
        }
        for row in &facts.unknown_depends_on {
            let terms = self.unknowns.get(&row.unknown).into_iter().flatten();
            program
                .computed_from
                .extend(terms.map(|&id| (row.term, id)));
        }
        #[expect(
            clippy::iter_over_hash_type,
            reason = "into a set, of which only membership is asked"
        )]
        for (&access, terms) in &self.reads {
            let memory = ctx.storage(access);
            program
                .read_from
                .extend(terms.iter().map(|&id| (memory, id)));
        }
    }
}

#[cfg(test)]
mod tests;
