//! What is known of values by which loops are left: `found = k; break;`, `return k;`.
//!
//! In which iteration that happens, and whether it does, depends on what the loop reads. So the value behind it is what it is
//! in *some* iteration, if the loop goes on to that one, or else what it is without: unknowns stand for which iteration, and for
//! whether. The truth is among the choices that these leave.

use rustc_hash::FxHashMap;
use warplog_facts::{CType, LoopId, Op, TermId};

use crate::syntax::ast::Range;

use super::body::Lowerer;
use super::closed::{Inside, made_before};

impl Lowerer<'_, '_> {
    /// The place from which on something is inside.
    pub(crate) fn inside_from_here(&self) -> Inside {
        Inside {
            unknowns: self.facts.unknown.len(),
            placeholders: self.last_placeholder() as usize,
            accesses: self.facts.access.len(),
            loop_id: LoopId::from_index(self.facts.loop_.len()),
        }
    }

    /// Numbers for the iterations of the loops inside that terms mention; none where one of these mentions what is read, or not
    /// known, inside.
    fn some_iterations(
        &mut self,
        mentioned: &[TermId],
        inside: Inside,
        controls: &[TermId],
        range: Range,
    ) -> Option<FxHashMap<TermId, TermId>> {
        let mut counts: Vec<(TermId, LoopId)> = Vec::new();
        for &term in mentioned {
            if !made_before(&self.facts.terms, term, inside) {
                return None;
            }
            for id in self.facts.terms.reachable(&[term]) {
                let part = self.facts.terms.get(id);
                let Some(of) = part.loop_id().filter(|of| *of >= inside.loop_id) else {
                    continue;
                };
                if part.op != Op::Iter {
                    return None;
                }
                if !counts.contains(&(id, of)) {
                    counts.push((id, of));
                }
            }
        }
        let mut images = FxHashMap::default();
        for (iter, _) in counts {
            let reason = "the iteration in which a loop is left";
            let some = self.unknown_of(reason, range, CType::I64, false, &[], controls);
            let zero = self.long(0);
            let some = self.facts.terms.binary(Op::Max, CType::I64, some, zero);
            images.insert(iter, some);
        }
        Some(images)
    }

    /// The value of what is one thing where a loop is left, under a condition over its iterations of which some conjuncts may not
    /// be known, and else another; none where that is not a term of the iterations.
    fn one_or_other(
        &mut self,
        (value, condition): (TermId, TermId),
        other: TermId,
        images: Option<&FxHashMap<TermId, TermId>>,
        (inside, controls, range): (Inside, &[TermId], Range),
    ) -> Option<TermId> {
        let mut known = self.known_conjuncts(condition, inside);
        let own;
        let images = match images {
            Some(images) => {
                let terms = &self.facts.terms;
                let is_told = |id: TermId| {
                    let of = terms.get(id).loop_id();
                    of.is_none_or(|of| of < inside.loop_id) || images.contains_key(&id)
                };
                known.retain(|&one| terms.reachable(&[one]).into_iter().all(is_told));
                images
            }
            None => {
                let mut mentioned = known.clone();
                mentioned.push(value);
                own = self.some_iterations(&mentioned, inside, controls, range)?;
                &own
            }
        };
        let reason = "whether a loop is left";
        let mut whether = self.unknown_of(reason, range, CType::Bool, false, &[], controls);
        for conjunct in known {
            let conjunct = self.facts.terms.replace(conjunct, images);
            whether = self.facts.terms.and(whether, conjunct);
        }
        let value = self.facts.terms.replace(value, images);
        let ty = self.facts.terms.ty(other);
        let value = self.facts.terms.cast(value, ty);
        Some(self.facts.terms.ite(whether, value, other))
    }

    /// The conjuncts of a condition that mention nothing inside but the numbers of iterations.
    fn known_conjuncts(&self, condition: TermId, inside: Inside) -> Vec<TermId> {
        let terms = &self.facts.terms;
        let (mut work, mut known) = (vec![condition], Vec::new());
        while let Some(id) = work.pop() {
            let term = terms.get(id);
            if term.op == Op::And {
                work.extend(term.args.iter().copied());
                continue;
            }
            let is_count = |part: TermId| {
                let part = terms.get(part);
                part.op == Op::Iter || part.loop_id().is_none_or(|of| of < inside.loop_id)
            };
            let parts = terms.reachable(&[id]);
            if made_before(terms, id, inside) && parts.into_iter().all(is_count) {
                known.push(id);
            }
        }
        known
    }

    /// What a variable is behind a loop that changes it only on the way to breaks.
    pub(crate) fn left_by_breaks(
        &mut self,
        before: TermId,
        breaks: &[(TermId, TermId)],
        (left_at, begun): (TermId, Option<TermId>),
        (inside, controls, range): (Inside, &[TermId], Range),
    ) -> Option<TermId> {
        let iter = self.facts.terms.iter_of(inside.loop_id);
        let images: FxHashMap<TermId, TermId> = [(iter, left_at)].into_iter().collect();
        let mut after = before;
        for &(condition, value) in breaks {
            if value == before {
                continue;
            }
            // The breaks of one loop leave it in one iteration of it, and none of another.
            let is_other = |part: TermId| {
                let of = self.facts.terms.get(part).loop_id();
                part != iter && of.is_some_and(|of| of >= inside.loop_id)
            };
            let made = made_before(&self.facts.terms, value, inside);
            let parts = self.facts.terms.reachable(&[value]);
            if !made || parts.into_iter().any(is_other) {
                return None;
            }
            // A break is met in an iteration that is begun.
            let condition = match begun {
                Some(begun) => self.facts.terms.and(condition, begun),
                None => condition,
            };
            let place = (inside, controls, range);
            after = self.one_or_other((value, condition), after, Some(&images), place)?;
        }
        Some(after)
    }

    /// What a function returns of whose returns some stand in loops.
    pub(crate) fn returned_in_loops(
        &mut self,
        returns: &[(TermId, TermId)],
        inside: Inside,
        (controls, range): (&[TermId], Range),
    ) -> Option<TermId> {
        let (&(_, last), others) = returns.split_last()?;
        let images = self.some_iterations(&[last], inside, controls, range)?;
        let mut result = self.facts.terms.replace(last, &images);
        for &(condition, value) in others.iter().rev() {
            let one = (value, condition);
            result = self.one_or_other(one, result, None, (inside, controls, range))?;
        }
        Some(result)
    }
}
