//! Whether all threads of the block surely come to a place, or none does: said of the conditions around it alone.
//!
//! **Accuracy.** "Yes" is certain, but for races: what is read from one place is taken to be one value for all threads, since a
//! write in between by another thread would be a race with the read itself. "No" means that it is not known.

use warplog_facts::{Op, TermId};

use super::super::body::Lowerer;
use crate::syntax::ast::*;

/// Most loops around such a place.
const LOOPS: usize = 2;

impl Lowerer<'_, '_> {
    /// Whether all threads of the block surely come here, once, or none does. What is read from one place is the same for
    /// all of them: a write in between by another thread would be a race with the read itself.
    pub(in crate::lower) fn certainly_uniform(&self) -> bool {
        let terms = &self.facts.terms;
        let roots: Vec<TermId> = self.guards.iter().map(|guard| guard.term).collect();
        (self.loops.is_empty() || self.loops.len() <= LOOPS && self.loops_are_left_together())
            && self.calls.iter().all(|call| !call.returned_in_loop)
            && terms.reachable(&roots).into_iter().all(|id| {
                let term = terms.get(id);
                !term.args.is_empty()
                    || matches!(
                        term.op,
                        Op::Const
                            | Op::Symbol
                            | Op::Iter
                            | Op::BidX
                            | Op::BidY
                            | Op::BidZ
                            | Op::BdimX
                            | Op::BdimY
                            | Op::BdimZ
                            | Op::GdimX
                            | Op::GdimY
                            | Op::GdimZ
                    )
            })
    }

    /// Whether no loop of the functions that are being lowered has an exit besides its condition,
    /// which is among the guards.
    fn loops_are_left_together(&self) -> bool {
        self.calls.iter().all(|call| {
            let function = self.index.named.function_at(call.function);
            function
                .and_then(|function| function.body.as_ref())
                .is_some_and(|body| body.stmts.iter().all(|stmt| !leaves_a_loop(stmt, false)))
        })
    }
}

/// Whether a statement holds a jump out of a loop that stands in it.
fn leaves_a_loop(stmt: &Stmt, inside: bool) -> bool {
    match &stmt.kind {
        StmtKind::Block(block) => block.stmts.iter().any(|stmt| leaves_a_loop(stmt, inside)),
        StmtKind::If { then, els, .. } => {
            leaves_a_loop(then, inside)
                || els.as_ref().is_some_and(|els| leaves_a_loop(els, inside))
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => leaves_a_loop(body, true),
        // Its condition is no guard of its first round.
        StmtKind::DoWhile { .. } | StmtKind::RangeFor { .. } => true,
        StmtKind::Switch { items, .. } => items.iter().any(|item| match item {
            SwitchItem::Stmt(stmt) => leaves_a_loop(stmt, inside),
            _ => false,
        }),
        StmtKind::Label(..) | StmtKind::Goto(_) | StmtKind::Unsupported { .. } => true,
        StmtKind::Break | StmtKind::Return(_) => inside,
        _ => false,
    }
}
