//! A fact set: the input relations with their terms.

use std::ops::{Deref, DerefMut};

use rustc_hash::FxHashMap;

use crate::derived::Derived;
use crate::ids::*;
use crate::relation::{Row, Visit, VisitMut};
use crate::schema::Relations;
use crate::term::{Term, TermStore};

/// The input relations of one or more compilation units, and the terms that they mention.
/// The relations are reached as fields: `facts.access`, `facts.guard_at`.
#[derive(Clone, Debug, Default, serde::Serialize, serde::Deserialize)]
pub struct Facts {
    /// All relations but the terms.
    pub relations: Relations,
    /// The terms.
    pub terms: TermStore,
}

impl Deref for Facts {
    type Target = Relations;
    fn deref(&self) -> &Relations {
        &self.relations
    }
}

impl DerefMut for Facts {
    fn deref_mut(&mut self) -> &mut Relations {
        &mut self.relations
    }
}

struct MapIds<F>(F);

impl<F: FnMut(IdKind, u32) -> u32> VisitMut for MapIds<F> {
    type Error = std::convert::Infallible;
    fn visit<R: Row>(&mut self, rows: &mut Vec<R>) -> Result<(), Self::Error> {
        for row in rows {
            row.map_ids(&mut self.0);
        }
        Ok(())
    }
}

/// The terms that rows refer to.
#[derive(Default)]
struct TermRoots(Vec<TermId>);

impl Visit for TermRoots {
    type Error = std::convert::Infallible;
    fn visit<R: Row>(&mut self, rows: &[R]) -> Result<(), Self::Error> {
        for row in rows {
            row.references(&mut |_, kind, id| {
                if kind == IdKind::Term {
                    self.0.push(TermId(id));
                }
            });
        }
        Ok(())
    }
}

impl Facts {
    /// Number of rows of each keyed relation: where the ids of an appended fact set begin.
    pub fn id_counts(&self) -> IdOffsets {
        let mut counts = [0; ID_KINDS];
        let sizes = [
            (IdKind::File, self.file.len()),
            (IdKind::Span, self.span.len()),
            (IdKind::Kernel, self.kernel.len()),
            (IdKind::Launch, self.launch.len()),
            (IdKind::Symbol, self.symbol.len()),
            (IdKind::Array, self.array.len()),
            (IdKind::Term, self.terms.len()),
            (IdKind::Unknown, self.unknown.len()),
            (IdKind::Function, self.pure_function.len()),
            (IdKind::Point, self.point.len()),
            (IdKind::Loop, self.loop_.len()),
            (IdKind::Access, self.access.len()),
            (IdKind::Barrier, self.barrier.len()),
            (IdKind::Assert, self.assert_.len()),
            (IdKind::Invariant, self.invariant.len()),
        ];
        for (kind, size) in sizes {
            counts[kind as usize] = u32::try_from(size).unwrap_or(u32::MAX);
        }
        IdOffsets(counts)
    }

    /// Drops the terms that no row refers to, directly or through other terms, and numbers the
    /// rest anew in their old order.
    pub fn compact_terms(&mut self) {
        let mut roots = TermRoots::default();
        let Ok(()) = self.relations.visit(&mut roots);
        let mut images: FxHashMap<TermId, TermId> = FxHashMap::default();
        let mut terms = TermStore::default();
        for id in self.terms.reachable(&roots.0) {
            let mut term = self.terms.get(id).clone();
            for arg in &mut term.args {
                *arg = images[arg];
            }
            images.insert(id, terms.push(term));
        }
        let Ok(()) = self.relations.visit_mut(&mut MapIds(|kind, id| match kind {
            IdKind::Term => images[&TermId(id)].0,
            _ => id,
        }));
        self.terms = terms;
    }

    /// Appends another fact set, its ids moved behind those of this one. The two share nothing.
    pub fn append(&mut self, mut other: Facts) {
        let offsets = self.id_counts();
        let Ok(()) = other
            .relations
            .visit_mut(&mut MapIds(|kind, id| id + offsets.0[kind as usize]));
        for (_, term) in other.terms.iter() {
            self.terms.push(shifted(term, &offsets));
        }
        self.relations.append(other.relations);
    }
}

/// Moves the ids of derived relations with those of the facts that they were derived from, when these are appended to others
/// whose [`Facts::id_counts`] are given.
pub fn shift_derived(derived: &mut Derived, offsets: &IdOffsets) {
    let Ok(()) = derived.visit_mut(&mut MapIds(|kind, id| id + offsets.0[kind as usize]));
}

/// A term with its arguments and the ids in its payload moved.
fn shifted(term: &Term, offsets: &IdOffsets) -> Term {
    let mut moved = term.clone();
    for arg in &mut moved.args {
        arg.0 += offsets.0[IdKind::Term as usize];
    }
    if let Some(kind) = payload_kind(term.op) {
        moved.payload += i128::from(offsets.0[kind as usize]);
    }
    moved
}

/// The kind of id that the payload of an operator is, if it is one.
pub(crate) fn payload_kind(op: crate::Op) -> Option<IdKind> {
    use crate::Op;
    match op {
        Op::Symbol => Some(IdKind::Symbol),
        Op::Iter | Op::Exit => Some(IdKind::Loop),
        Op::Load => Some(IdKind::Access),
        Op::Unknown => Some(IdKind::Unknown),
        Op::Pure => Some(IdKind::Function),
        _ => None,
    }
}
