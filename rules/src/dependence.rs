//! Dependence: which sources (thread, block, memory, the unknown) a term's value depends on, by
//! data flow and by control flow.
//!
//! **Accuracy.** Over-approximates: every dependence that the facts state is followed, whether or
//! not the value really changes with it. The evidence column is the smallest argument or
//! dependence that carries the source.

use ascent::ascent;
use rustc_hash::FxHashMap;
use warplog_facts::derived::DependsOnRow;
use warplog_facts::words::Source;
use warplog_facts::{Op, TermId, UnknownId};

use crate::context::Context;

ascent! {
    struct Dependence;
    /// The value of the second term is computed from the first, or under its control.
    relation flows_into(TermId, TermId);
    /// A leaf that is a source itself.
    relation source(TermId, Source);

    relation depends_on(TermId, Source);
    relation through(TermId, Source, TermId);

    // R17: a source depends on itself.
    depends_on(term, source) <-- source(term, source);
    through(term, source, term) <-- source(term, source);
    // R18: what is computed from something that depends on a source depends on it.
    depends_on(to, source) <-- depends_on(from, source), flows_into(from, to);
    through(to, source, from) <-- depends_on(from, source), flows_into(from, to);
}

/// The rows of `depends_on`, one a term and source.
pub(crate) fn dependence(ctx: &Context<'_>) -> Vec<DependsOnRow> {
    let facts = ctx.facts;
    let mut dependences: FxHashMap<UnknownId, Vec<TermId>> = FxHashMap::default();
    for row in &facts.unknown_depends_on {
        dependences.entry(row.unknown).or_default().push(row.term);
    }
    for row in &facts.unknown_controlled_by {
        dependences.entry(row.unknown).or_default().push(row.term);
    }
    let mut program = Dependence::default();
    for (id, term) in facts.terms.iter() {
        for &arg in &term.args {
            program.flows_into.push((arg, id));
        }
        match term.op {
            Op::TidX | Op::TidY | Op::TidZ => program.source.push((id, Source::Tid)),
            Op::BidX | Op::BidY | Op::BidZ => program.source.push((id, Source::Bid)),
            Op::Load => program.source.push((id, Source::Memory)),
            Op::Unknown => {
                program.source.push((id, Source::Unknown));
                let from = term.unknown().and_then(|unknown| dependences.get(&unknown));
                for &from in from.into_iter().flatten() {
                    program.flows_into.push((from, id));
                }
            }
            Op::Exit => {
                if let Some(loop_id) = term.loop_id() {
                    let condition = facts.loop_[loop_id.index()].condition;
                    match condition {
                        Some(condition) => program.flows_into.push((condition, id)),
                        None => program.source.push((id, Source::Unknown)),
                    }
                    for point in ctx.leavings(loop_id) {
                        for &(guard, _) in ctx.guards(point) {
                            program.flows_into.push((guard, id));
                        }
                    }
                }
            }
            _ => {}
        }
    }
    program.run();
    let mut rows: Vec<DependsOnRow> = program
        .through
        .into_iter()
        .map(|(term, source, via)| DependsOnRow { term, source, via })
        .collect();
    rows.sort_unstable();
    rows.dedup_by_key(|row| (row.term, row.source));
    rows
}
