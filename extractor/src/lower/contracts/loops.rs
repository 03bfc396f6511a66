//! Loop invariants: where they stand, and the obligations and facts that they become.
//!
//! **Algorithm.** An invariant `e` is lowered at up to four places. Before the loop and at the end of an iteration it is
//! an assertion (on entry, preserved); at the place in an iteration where it is said to hold, and behind a loop that only
//! its condition ends, it is what may be used once both assertions are proved, each under the invariants at hand. One
//! that stands before the condition holds whenever the condition is evaluated, the last time included; one at the head of
//! the body whenever the body begins, so that its assertions are about executions that do begin it.
//!
//! `for (int i = 0; __invariant(i >= 0), i < n; i++)`

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::{called, changes};
use crate::syntax::ast::*;

/// An invariant of a loop, as written.
#[derive(Clone, Copy)]
pub(crate) struct HeadWord<'e> {
    pub condition: &'e Expr,
    /// It stands at the head of the body rather than before the condition.
    in_body: bool,
    is_candidate: bool,
    is_global: bool,
}

/// The invariants at the head of a loop and what remains of its condition.
pub(crate) struct Head<'e> {
    pub words: Vec<HeadWord<'e>>,
    pub condition: Option<&'e Expr>,
}

/// The rows of one invariant while its loop is lowered.
#[derive(Clone, Copy)]
pub(crate) struct Told<'e> {
    word: HeadWord<'e>,
    invariant: InvariantId,
}

/// The invariant that a call is, if it is one: its condition, whether it is a guess, whether it is global.
fn invariant(expr: &Expr) -> Option<(&Expr, bool, bool)> {
    let ExprKind::Call { args, .. } = &expr.kind else {
        return None;
    };
    let (is_candidate, is_global) = match called(expr)? {
        "__invariant" | "__assert" | "assert" => (false, false),
        "__global_invariant" | "__global_assert" => (false, true),
        "__candidate_invariant" => (true, false),
        "__candidate_global_invariant" => (true, true),
        _ => return None,
    };
    match args.as_slice() {
        [condition] => Some((condition, is_candidate, is_global)),
        _ => None,
    }
}

/// Whether the word is an assertion everywhere else.
fn is_assertion(expr: &Expr) -> bool {
    matches!(
        called(expr),
        Some("__assert" | "assert" | "__global_assert")
    )
}

/// Takes the invariants off the front of a comma expression; gives what remains.
fn split<'e>(expr: &'e Expr, found: &mut Vec<(&'e Expr, Range)>) -> Option<&'e Expr> {
    match &expr.kind {
        ExprKind::Comma(first, second) => match split(first, found) {
            None => split(second, found),
            // What is evaluated before it is not the head of the loop.
            Some(_) => Some(expr),
        },
        ExprKind::Call { .. } if invariant(expr).is_some() => {
            found.push((expr, expr.range));
            None
        }
        _ => Some(expr),
    }
}

impl<'u> Lowerer<'u, '_> {
    /// The invariants of a loop. Those that stand at its head are lowered with it, not where they stand.
    pub(crate) fn loop_head<'e>(
        &mut self,
        condition: Option<&'e Expr>,
        body: &'e Stmt,
        posttest: bool,
    ) -> Head<'e> {
        let mut head = Head {
            words: Vec::new(),
            condition,
        };
        if let (Some(expr), false) = (condition, posttest) {
            let mut found = Vec::new();
            let rest = split(expr, &mut found);
            // A comma that mixes them with other things stays as it is; what stands there is told to mean nothing.
            if rest.is_none_or(|rest| rest.range != expr.range) {
                head.condition = rest;
                for (expr, range) in found {
                    self.contracts.at_head.insert(range);
                    head.words.extend(word(expr, false));
                }
            }
        }
        let stmts: &[Stmt] = match &body.kind {
            StmtKind::Block(block) => &block.stmts,
            _ => std::slice::from_ref(body),
        };
        for stmt in stmts {
            let StmtKind::Expr(expr) = &stmt.kind else {
                break;
            };
            let Some(mut word) = word(expr, true) else {
                break;
            };
            if is_assertion(expr) {
                // Checked where it stands; a guess helps to prove it, and is used once it is proved.
                word.is_candidate = true;
                // A real assertion reads memory, and so says something of one time only.
                if called(expr) == Some("assert") && reads(word.condition) {
                    continue;
                }
            } else {
                self.contracts.at_head.insert(expr.range);
            }
            head.words.push(word);
        }
        if self.ignores_annotations() {
            head.words.clear();
        }
        head
    }

    /// What functions say of all their loops.
    pub(crate) fn wide_invariants(&self) -> Vec<(Expr, bool)> {
        let call = self.calls.last();
        call.map_or_else(Vec::new, |call| call.contract.wide.clone())
    }

    /// The assertions before a loop: each invariant holds when a thread comes to it.
    pub(crate) fn tell_invariants<'e>(
        &mut self,
        words: &[HeadWord<'e>],
        condition: Option<&Expr>,
        posttest: bool,
        loop_id: LoopId,
        place: Range,
    ) -> Vec<Told<'e>> {
        let mut told = Vec::new();
        for &word in words {
            let range = word.condition.range;
            self.contracts.global = word.is_global;
            let term = self.annotated(word.condition);
            self.contracts.global = false;
            let Some(mut term) = term else { continue };
            if word.in_body && !posttest {
                let Some(implied) = self.if_it_goes_on(condition, term) else {
                    continue;
                };
                term = implied;
            }
            let guards = if word.is_global {
                match self.everywhere(word.condition, term, range) {
                    Some(guards) => guards,
                    None => continue,
                }
            } else {
                self.guards.clone()
            };
            let invariant = InvariantId::from_index(self.facts.invariant.len());
            let span = self.span(range);
            let launch = self.launch;
            self.facts.invariant.push(InvariantRow {
                invariant,
                launch,
                loop_id: Some(loop_id),
                is_candidate: word.is_candidate,
                span,
            });
            let active = std::mem::replace(&mut self.guards, guards);
            self.claim(term, AssertKind::Entry, Some(invariant), (range, place));
            self.guards = active;
            told.push(Told { word, invariant });
        }
        told
    }

    /// `condition → term` for the next evaluation of a loop's condition.
    fn if_it_goes_on(&mut self, condition: Option<&Expr>, term: TermId) -> Option<TermId> {
        let Some(condition) = condition else {
            return Some(term);
        };
        if changes(condition).is_some() {
            let text =
                "an invariant at the head of the body needs a loop condition without side effects";
            self.contract_error(condition.range, text);
            return None;
        }
        let goes_on = self.annotated(condition)?;
        let ends = self.facts.terms.not(goes_on);
        Some(self.facts.terms.or(ends, term))
    }

    /// The invariants at the head of an iteration, or of its body: usable once proved.
    pub(crate) fn use_invariants(&mut self, told: &[Told<'_>], in_body: bool) {
        for one in told.iter().filter(|one| one.word.in_body == in_body) {
            self.invariant_holds(one.invariant, one.word.condition, None);
        }
    }

    /// Behind the loop, `also` holds besides.
    fn invariant_holds(&mut self, invariant: InvariantId, condition: &Expr, also: Option<TermId>) {
        let Some(mut term) = self.annotated(condition) else {
            return;
        };
        if let Some(also) = also {
            // Threads leave the loop in different iterations: of two of them nothing was proved there.
            let of_two = self
                .facts
                .terms
                .reachable(&[term])
                .into_iter()
                .any(|id| matches!(self.facts.terms.get(id).op, Op::Other | Op::SameBlock));
            if of_two {
                return;
            }
            term = self.facts.terms.and(term, also);
        }
        let point = self.point(PointKind::Condition, condition.range);
        self.facts.invariant_at.push(InvariantAtRow {
            invariant,
            point,
            term,
        });
    }

    /// The assertions at the end of an iteration: each invariant holds again. `again` is what decides on the next one of
    /// a loop that asks behind its body.
    pub(crate) fn preserve_invariants(
        &mut self,
        told: &[Told<'_>],
        condition: Option<&Expr>,
        again: Option<TermId>,
        place: Range,
    ) {
        for one in told {
            let term = match self.annotated(one.word.condition) {
                Some(term) if one.word.in_body => match again {
                    Some(again) => {
                        let ends = self.facts.terms.not(again);
                        Some(self.facts.terms.or(ends, term))
                    }
                    None => self.if_it_goes_on(condition, term),
                },
                term => term,
            };
            // One whose end cannot be told must not be taken for proved.
            let term = term.unwrap_or_else(|| self.facts.terms.truth(false));
            let ranges = (one.word.condition.range, place);
            self.claim(term, AssertKind::Preservation, Some(one.invariant), ranges);
        }
    }

    /// Behind a loop that only its condition ends, the invariants before the condition hold, and the condition does not.
    pub(crate) fn leave_invariants(&mut self, told: &[Told<'_>], condition: Option<&Expr>) {
        // What the last evaluation of the condition changes is not changed yet.
        let condition = condition.filter(|expr| changes(expr).is_none() && !calls(expr));
        let before = told.iter().filter(|one| !one.word.in_body);
        for one in before {
            // What is read again may have changed.
            let leaves = (self.facts.access.len(), self.facts.unknown.len());
            let goes_on = condition.and_then(|condition| self.annotated(condition));
            let same = leaves == (self.facts.access.len(), self.facts.unknown.len());
            let over = match goes_on.filter(|_| same) {
                Some(term) => self.facts.terms.not(term),
                None => self.facts.terms.truth(true),
            };
            self.invariant_holds(one.invariant, one.word.condition, Some(over));
        }
    }
}

/// Reads a word of the language that an expression is.
fn word(expr: &Expr, in_body: bool) -> Option<HeadWord<'_>> {
    let (condition, is_candidate, is_global) = invariant(expr)?;
    Some(HeadWord {
        condition,
        in_body,
        is_candidate,
        is_global,
    })
}

impl<'e> HeadWord<'e> {
    /// An invariant that stands at the head of the function.
    pub(crate) fn wide(condition: &'e Expr, is_candidate: bool, in_body: bool) -> Self {
        HeadWord {
            condition,
            in_body,
            is_candidate,
            is_global: false,
        }
    }
}

/// Whether an expression may read memory.
fn reads(expr: &Expr) -> bool {
    let mut found = false;
    super::sub_exprs(expr, &mut |inner| {
        found |= matches!(
            inner.kind,
            ExprKind::Index { .. } | ExprKind::Deref(_) | ExprKind::Member { arrow: true, .. }
        );
    });
    found || calls(expr)
}

/// Whether an expression calls anything.
fn calls(expr: &Expr) -> bool {
    let mut found = false;
    super::sub_exprs(expr, &mut |inner| {
        found |= matches!(
            inner.kind,
            ExprKind::Call { .. }
                | ExprKind::StmtExpr(_)
                | ExprKind::New { .. }
                | ExprKind::Delete(_)
                | ExprKind::Designated { .. }
                | ExprKind::Unsupported { .. }
        );
    });
    found
}
