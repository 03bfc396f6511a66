//! Puts what copies that are under way may do behind the points where they are met, in a control-flow graph that is made already.
//!
//! **Invariant.** The points of a launch stay numbered in program order, and those of a loop one range: what is put behind a point
//! gets the numbers that follow it, and all that came later moves on.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;
use warplog_facts::relation::{Row, VisitMut};
use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::{FIRST_STAND_IN, Flow, Shadow};

/// Why a condition stands at an access of a copy.
const WAITED: &str = "whether the copy has been waited for";

/// Why a number of the copy is not known any more.
const EARLIER: &str = "a value of another iteration, in which the copy was begun";

/// Gives points new numbers.
struct Moved<'a> {
    first: usize,
    images: &'a [PointId],
}

impl VisitMut for Moved<'_> {
    type Error = std::convert::Infallible;

    fn visit<R: Row>(&mut self, rows: &mut Vec<R>) -> Result<(), Self::Error> {
        for row in rows {
            row.map_ids(&mut |kind, id| {
                let place = (id as usize).checked_sub(self.first);
                match place.and_then(|place| self.images.get(place)) {
                    Some(image) if kind == IdKind::Point => image.0,
                    _ => id,
                }
            });
        }
        Ok(())
    }
}

/// A shadow with the stand-ins for values that it mentions.
struct Ready {
    shadow: Shadow,
    unknowns: Vec<TermId>,
}

impl Ready {
    /// The number of points that it takes.
    fn points(&self) -> usize {
        self.unknowns.len() + usize::from(self.shadow.doubtful) + 2 * self.shadow.bound.len() + 3
    }
}

/// Where points are put in: the rows that follow from the place.
struct Place {
    span: SpanId,
    loops: Vec<LoopId>,
    guards: Vec<(TermId, bool, GuardCause, PointId)>,
    next: usize,
}

impl Lowerer<'_, '_> {
    pub(super) fn emit_shadows(&mut self, flow: &Flow, made: BTreeMap<usize, BTreeSet<Shadow>>) {
        let mut ready: BTreeMap<usize, Vec<Ready>> = BTreeMap::new();
        for (at, shadows) in made {
            let all = shadows.into_iter().map(|shadow| self.ready(shadow));
            ready.insert(at, all.collect());
        }
        // Where the points go that there are.
        let (mut images, mut put_in) = (Vec::new(), 0);
        for at in 0..flow.loops.len() {
            images.push(PointId::from_index(flow.first + at + put_in));
            let here = ready.get(&at).into_iter().flatten();
            put_in += here.map(Ready::points).sum::<usize>();
        }
        let mut moved = Moved {
            first: flow.first,
            images: &images,
        };
        let Ok(()) = self.facts.relations.visit_mut(&mut moved);
        let follows: FxHashMap<PointId, PointId> = ready
            .iter()
            .map(|(&at, here)| {
                let points: usize = here.iter().map(Ready::points).sum();
                let last = images[at].index() + points;
                (images[at], PointId::from_index(last))
            })
            .collect();
        for row in &mut self.facts.relations.cfg_edge {
            row.from = follows.get(&row.from).copied().unwrap_or(row.from);
        }
        for row in &mut self.facts.relations.back_edge {
            row.from = follows.get(&row.from).copied().unwrap_or(row.from);
        }
        for (at, here) in ready {
            let moved = |&(term, polarity, cause, point): &(TermId, bool, GuardCause, PointId)| {
                let place = point.index().checked_sub(flow.first);
                let point = place.and_then(|place| images.get(place)).copied();
                (term, polarity, cause, point.unwrap_or(PointId(0)))
            };
            let mut place = Place {
                span: self.span_at(images[at]),
                loops: flow.loops[at].clone(),
                guards: flow.guards[at].iter().map(moved).collect(),
                next: images[at].index() + 1,
            };
            for one in here {
                self.emit_shadow(&mut place, one);
            }
        }
        self.facts.relations.point[flow.first..].sort_unstable_by_key(|row| row.point);
    }

    /// The place of a point whose row may stand elsewhere by now.
    fn span_at(&self, point: PointId) -> SpanId {
        let mut rows = self.facts.point.iter();
        rows.find(|row| row.point == point)
            .map_or(SpanId(0), |row| row.span)
    }

    fn ready(&self, shadow: Shadow) -> Ready {
        let mut roots = vec![shadow.index];
        roots.extend(shadow.value);
        roots.extend(shadow.literals.iter().map(|&(term, _)| term));
        roots.extend(shadow.bound.iter().filter_map(|bound| bound.condition));
        let mut unknowns = self.facts.terms.reachable(&roots);
        unknowns.retain(|&id| {
            let unknown = self.facts.terms.get(id).unknown();
            unknown.is_some_and(|unknown| unknown.0 >= FIRST_STAND_IN)
        });
        Ready { shadow, unknowns }
    }

    fn emit_shadow(&mut self, place: &mut Place, ready: Ready) {
        let Ready { shadow, unknowns } = ready;
        let mut images: FxHashMap<TermId, TermId> = FxHashMap::default();
        for stand_in in unknowns {
            let ty = self.facts.terms.ty(stand_in);
            let image = self.put_unknown(place, EARLIER, ty);
            images.insert(stand_in, image);
        }
        let doubt = shadow
            .doubtful
            .then(|| self.put_unknown(place, WAITED, CType::Bool));
        let (outer_loops, outer_guards) = (place.loops.clone(), place.guards.clone());
        // Heads of the loops, each with what stands behind it.
        let mut heads: Vec<(PointId, Vec<LoopId>, usize)> = Vec::new();
        for bound in &shadow.bound {
            let loop_id = LoopId::from_index(self.facts.loop_.len());
            let iter = self.facts.terms.iter_of(bound.stand_in);
            let own = self.facts.terms.iter_of(loop_id);
            images.insert(iter, own);
            let (parent, around) = (place.loops.last().copied(), place.loops.clone());
            place.loops.push(loop_id);
            let head = self.put(place, PointKind::LoopHead);
            let of = self.facts.loop_[bound.of.index()].clone();
            let condition = bound
                .condition
                .map(|condition| self.facts.terms.replace(condition, &images));
            self.facts.relations.loop_.push(LoopRow {
                loop_id,
                parent,
                head,
                condition,
                has_break: false,
                ..of
            });
            heads.push((head, around, place.guards.len()));
            if let Some(condition) = condition {
                place.guards.push((condition, true, GuardCause::Loop, head));
            }
        }
        let branch = self.put(place, PointKind::Branch);
        let mut literals: Vec<(TermId, bool)> = shadow
            .literals
            .iter()
            .map(|&(term, polarity)| (self.facts.terms.replace(term, &images), polarity))
            .collect();
        literals.extend(doubt.map(|term| (term, false)));
        if let Some((earlier, own)) = shadow.later {
            let terms = &mut self.facts.terms;
            let earlier = terms.iter_of(earlier);
            let earlier = images.get(&earlier).copied().unwrap_or(earlier);
            let own = terms.iter_of(own);
            literals.push((terms.binary(Op::Lt, CType::Bool, earlier, own), true));
        }
        let index = self.facts.terms.replace(shadow.index, &images);
        let value = shadow
            .value
            .map(|value| self.facts.terms.replace(value, &images));
        match shadow.meets {
            None => {
                let guards = place.guards.len();
                let caused = |(term, polarity)| (term, polarity, GuardCause::Branch, branch);
                place.guards.extend(literals.into_iter().map(caused));
                self.put_access(place, shadow.access, index, value);
                place.guards.truncate(guards);
            }
            Some(met) => self.put_claim(place, (shadow.access, index), met, &literals),
        }
        self.put(place, PointKind::Join);
        self.edge(branch, PointId::from_index(place.next - 1));
        for (head, around, guards) in heads.into_iter().rev() {
            let loop_id = place.loops.last().copied();
            let latch = PointId::from_index(place.next - 1);
            self.edge(latch, head);
            if let Some(loop_id) = loop_id {
                self.facts.back_edge.push(BackEdgeRow {
                    from: latch,
                    to: head,
                    loop_id,
                });
            }
            place.loops = around;
            place.guards.truncate(guards);
            let behind = self.put_after(place, PointKind::Join, head);
            debug_assert_eq!(behind.index() + 1, place.next);
        }
        debug_assert_eq!((&place.loops, &place.guards), (&outer_loops, &outer_guards));
    }

    fn edge(&mut self, from: PointId, to: PointId) {
        self.facts.cfg_edge.push(CfgEdgeRow { from, to });
    }

    /// A point behind the last.
    fn put(&mut self, place: &mut Place, kind: PointKind) -> PointId {
        let last = PointId::from_index(place.next - 1);
        self.put_after(place, kind, last)
    }

    fn put_after(&mut self, place: &mut Place, kind: PointKind, from: PointId) -> PointId {
        let point = PointId::from_index(place.next);
        place.next += 1;
        let launch = self.launch;
        self.facts.relations.point.push(PointRow {
            point,
            launch,
            kind,
            span: place.span,
        });
        self.edge(from, point);
        for &loop_id in &place.loops {
            self.facts.loop_at.push(LoopAtRow { point, loop_id });
        }
        for (&(term, polarity, cause, cause_point), position) in place.guards.iter().zip(0u32..) {
            self.facts.guard_at.push(GuardAtRow {
                point,
                position,
                term,
                polarity,
                cause,
                cause_point,
            });
        }
        point
    }

    fn put_unknown(&mut self, place: &mut Place, reason: &str, ty: CType) -> TermId {
        let point = self.put(place, PointKind::Havoc);
        let unknown = UnknownId::from_index(self.facts.unknown.len());
        let launch = self.launch;
        self.facts.unknown.push(UnknownRow {
            unknown,
            launch,
            point,
            opaque: true,
            reason: reason.to_owned(),
            span: place.span,
        });
        self.facts.terms.unknown(unknown, ty)
    }

    fn put_access(
        &mut self,
        place: &mut Place,
        begun: AccessId,
        index: TermId,
        value: Option<TermId>,
    ) {
        let row = self.facts.access[begun.index()].clone();
        let span = std::mem::replace(&mut place.span, row.span);
        let point = self.put(place, PointKind::Access);
        place.span = span;
        let calls: Vec<CalledAtRow> = self
            .facts
            .called_at
            .iter()
            .filter(|called| called.point == row.point)
            .cloned()
            .collect();
        let calls = calls
            .into_iter()
            .map(|called| CalledAtRow { point, ..called });
        self.facts.called_at.extend(calls);
        let access = AccessId::from_index(self.facts.access.len());
        self.facts
            .copy_under_way
            .push(CopyUnderWayRow { access, begun });
        self.facts.access.push(AccessRow {
            access,
            point,
            index,
            value,
            ..row
        });
    }

    /// The thread does not touch what its copy touches.
    fn put_claim(
        &mut self,
        place: &mut Place,
        (copy, index): (AccessId, TermId),
        access: AccessId,
        literals: &[(TermId, bool)],
    ) {
        let point = self.put(place, PointKind::Condition);
        let (own, met) = (
            self.facts.access[copy.index()].clone(),
            self.facts.access[access.index()].clone(),
        );
        let (own_bytes, met_bytes) = (
            self.long(i64::from(own.bytes)),
            self.long(i64::from(met.bytes)),
        );
        let terms = &mut self.facts.terms;
        let own_end = terms.binary(Op::Add, CType::I64, index, own_bytes);
        let met_end = terms.binary(Op::Add, CType::I64, met.index, met_bytes);
        let before = terms.binary(Op::Lt, CType::Bool, index, met_end);
        let behind = terms.binary(Op::Lt, CType::Bool, met.index, own_end);
        let mut both = terms.and(before, behind);
        for &(term, polarity) in literals {
            let one = if polarity { term } else { terms.not(term) };
            both = terms.and(both, one);
        }
        let term = terms.not(both);
        let assert = AssertId::from_index(self.facts.assert_.len());
        self.facts.copy_met.push(CopyMetRow {
            assert,
            copy,
            access,
        });
        self.facts.assert_.push(AssertRow {
            assert,
            point,
            term,
            kind: AssertKind::Copy,
            invariant: None,
            span: own.span,
        });
    }
}
