//! Loops of host code. A loop is run from the state at the head of an arbitrary iteration: what an iteration changes is a
//! symbol there, or a carried pointer ([`super::alias`]); it is run again until that state holds for its end, too.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::alias::Kind;
use super::eval::unknown_type;
use super::exec::Exits;
use super::memory::uncertain;
use super::term::{SymbolId, Term};
use super::value::*;
use super::{Host, MAX_STEPS, progress};
use crate::lower::types::Ty;
use crate::syntax::ast::*;

/// What a loop changes, at its head.
struct Slot<'u> {
    root: Root,
    path: Vec<Step>,
    value: Value<'u>,
    /// The object of a pointer, or of a value that pointers may be made of.
    carried: Option<Root>,
}

/// Times that the state at the head of a loop is made more general.
const MAX_ROUNDS: u32 = 6;

/// Conditions on the way to the end of a loop, beyond which nothing more is kept of its counters.
const MAX_BEHIND: usize = 24;

/// Most conditions of the last iteration that are kept of a counter.
const MAX_HELD: usize = 4;

impl<'u> Host<'_, 'u> {
    /// The loop ends here unless the condition holds.
    /// What comes behind only runs where a condition holds.
    pub(super) fn go_on_if(&mut self, cond: &'u Expr) {
        let cond = self.condition(cond);
        match (cond.as_constant(), &mut self.state) {
            (Some(0), _) => self.state = None,
            (None, Some(state)) => state.assume(cond, true),
            _ => {}
        }
    }

    pub(super) fn leave_unless(&mut self, cond: &'u Expr) {
        let cond = self.condition(cond);
        let Some(state) = &self.state else { return };
        let mut leaving = state.clone();
        match cond.as_constant() {
            Some(0) => self.state = None,
            Some(_) => return,
            None => {
                leaving.assume(cond.clone(), false);
                if let Some(state) = &mut self.state {
                    state.assume(cond, true);
                }
            }
        }
        if let Some(exits) = self.exits.last_mut() {
            exits.breaks.push(leaving);
        }
    }

    pub(super) fn leave_some_time(&mut self) {
        if let (Some(state), Some(exits)) = (&self.state, self.exits.last_mut()) {
            exits.breaks.push(state.clone());
        }
    }

    /// A loop body; what continues goes on behind it.
    pub(super) fn iteration(&mut self, body: &'u Stmt) {
        if self.state.is_none() {
            return;
        }
        self.stmt(body);
        let continues = match self.exits.last_mut() {
            Some(exits) => std::mem::take(&mut exits.continues),
            None => Vec::new(),
        };
        for state in continues {
            let here = self.state.take();
            self.state = self.joined(here, Some(state));
        }
    }

    /// A loop: `body` runs one iteration from the state at its head.
    pub(super) fn repeated(&mut self, body: &mut dyn FnMut(&mut Self)) {
        let Some(entry) = self.state.clone() else {
            return;
        };
        self.groups += 1;
        let group = self.groups;
        let mark = self.found.len();
        let mut head = entry.clone();
        let mut slots: Vec<Slot<'u>> = Vec::new();
        let mut versions = [None; 2];
        let first = self.objects.next_version();
        let before = self.objects.count();
        let worlds = self.objects.worlds();
        let symbols = self.objects.symbol_count();
        let mut facts: Vec<Term> = Vec::new();
        let mut behind: Vec<Term> = Vec::new();
        for round in 0.. {
            self.found.truncate(mark);
            self.objects.drop_groups_after(group);
            let known = self.objects.count();
            self.state = Some(head.clone());
            self.several.round(before);
            self.exits.push(Exits::default());
            body(self);
            let exits = self.exits.pop().unwrap_or_default();
            let mut changed = false;
            if let Some(end) = self.state.take() {
                changed = self.generalised(
                    &mut head,
                    &end,
                    (before, known, first),
                    &mut slots,
                    &mut versions,
                );
                changed |= round == 0;
                // What follows from what was found before says nothing of how that came about.
                let mut way = (*end.path).clone();
                way.retain(|(term, holds)| !(*holds && facts.contains(term)));
                let found = self.progress(&slots, &entry, &end, &way);
                if found != facts {
                    let known = found.iter().map(|fact| (fact.clone(), true));
                    head.path = Rc::new(entry.path.iter().cloned().chain(known).collect());
                    facts = found;
                    changed = true;
                }
                if !changed {
                    self.carry(&slots, &entry, &end, group);
                    let own = way.get(entry.path.len()..).unwrap_or_default();
                    behind = self.ends(&slots, (&entry, &end), own, symbols);
                    self.independent(&slots, own, &exits.breaks, entry.path.len());
                }
            }
            self.objects.round(worlds);
            if !changed || self.is_spent() {
                self.state = None;
                // With one way out, what led to it holds behind the loop; with several, what held at its head.
                let kept = match exits.breaks.len() {
                    1 => usize::MAX,
                    _ => entry.path.len() + facts.len(),
                };
                for state in exits.breaks {
                    let here = self.state.take();
                    self.state = self.joined(here, Some(state));
                }
                if let Some(state) = &mut self.state {
                    let path = state.path.iter().take(kept).cloned().collect();
                    state.path = Rc::new(path);
                    // Branches must find their conditions in the path.
                    for fact in behind {
                        if state.path.len() < MAX_BEHIND {
                            state.assume(fact, true);
                        }
                    }
                }
                return;
            }
            if round + 1 == MAX_ROUNDS {
                // It does not settle: nothing is known at its head.
                self.state = Some(head);
                self.anything_in_scope();
                head = match self.state.take() {
                    Some(state) => state,
                    None => return,
                };
                slots.clear();
                facts.clear();
                head.path = Rc::clone(&entry.path);
            }
            if round > 2 * MAX_ROUNDS {
                self.steps = self.steps_before + MAX_STEPS + 1;
            }
        }
    }

    /// Makes the state at the head of a loop hold for an iteration that ends in `end` too.
    fn generalised(
        &mut self,
        head: &mut State<'u>,
        end: &State<'u>,
        (entry, known, first): (u32, u32, Version),
        slots: &mut Vec<Slot<'u>>,
        versions: &mut [Option<Version>; 2],
    ) -> bool {
        let mut changed = false;
        let old = head.clone();
        // What the body makes is new in each iteration, its variables are gone at the head; what
        // it only meets first is older than the next round.
        let objects = &self.objects;
        // Pointers that loops in it change are new, too.
        let own: BTreeSet<Root> = slots.iter().filter_map(|slot| slot.carried).collect();
        let is_new = |root: &Root| match objects.get(*root).kind {
            Kind::Variable => true,
            Kind::Carried => !own.contains(root),
            _ => false,
        };
        let is_older = |root: &Root| root.0 < entry || (root.0 < known && !is_new(root));
        // What was found at a version that the body made is found anew in each round.
        let is_found_anew = |root: &Root| {
            let version = objects.found_at(*root);
            version.is_some_and(|version| {
                version >= first && !versions.iter().flatten().any(|own| *own == version)
            })
        };
        let escaped: BTreeSet<Root> = head
            .escaped
            .union(&end.escaped)
            .filter(|root| is_older(root) && (root.0 < entry || !is_found_anew(root)))
            .copied()
            .collect();
        if escaped.len() > head.escaped.len() {
            head.escaped = Rc::new(escaped);
            changed = true;
        }
        let mut roots: BTreeSet<Root> = head.store.keys().copied().collect();
        roots.extend(end.store.keys());
        roots.retain(is_older);
        for root in roots {
            let same = match (head.store.get(&root), end.store.get(&root)) {
                (Some(a), Some(b)) => Rc::ptr_eq(a, b),
                _ => false,
            };
            if same {
                continue;
            }
            let mut new: Vec<(Vec<Step>, Value<'u>)> = Vec::new();
            let mut stored: BTreeSet<Root> = BTreeSet::new();
            let both: Vec<Vec<Step>> = head
                .entries(root)
                .iter()
                .chain(end.entries(root))
                .map(|(path, _)| path.clone())
                .collect();
            for path in both {
                if new.iter().any(|(known, _)| *known == path) {
                    continue;
                }
                let place = Place { root, path };
                let before = self.read_in(head, &place, &Ty::Void);
                let after = self.read_in(end, &place, &Ty::Void);
                let is_slot = slots.iter().any(|slot| {
                    slot.root == root && slot.path == place.path && slot.value == before
                });
                if is_slot {
                    changed |= self.goes_round(&before, &after, (entry, end));
                }
                if before == after || is_slot {
                    new.push((place.path, before));
                    continue;
                }
                // Of kernels, all that it may name.
                if let (Value::Kernels(one), Value::Kernels(other)) = (&before, &after) {
                    let all = Value::Kernels(either(one, other));
                    changed |= all != before;
                    new.push((place.path, all));
                    continue;
                }
                if uncertain(&place.path, &[]) {
                    // An element by a position that is another one in each round: what was put
                    // there may be in any of them.
                    self.lost(&before);
                    self.lost(&after);
                    // What is a number after a round was one before it.
                    let is_number =
                        |value: &Value<'u>| matches!(value, Value::Scalar(_) | Value::Ratio(..));
                    // One that this round did not make may be there several times.
                    let copied = !is_number(&after)
                        && self.roots_of(&after).into_iter().any(|root| {
                            let is_made =
                                root.0 >= entry && self.objects.get(root).kind == Kind::Fresh;
                            let is_own = self.objects.get(root).kind != Kind::Variable
                                && self.objects.found_at(root).is_some();
                            !is_own && (!is_made || !stored.insert(root))
                        });
                    let sources = if is_number(&before) || is_number(&after) {
                        BTreeSet::new()
                    } else {
                        let mut sources = self.roots_of(&before);
                        sources.extend(self.roots_of(&after));
                        self.reachable(sources)
                    };
                    let copied = copied && !sources.is_empty();
                    let of_loop =
                        *versions[usize::from(copied)].get_or_insert_with(|| match copied {
                            true => self.objects.copied_in(),
                            false => self.objects.version(BTreeSet::new()),
                        });
                    if copied {
                        self.objects.copied_at(of_loop, &place.path);
                    }
                    self.objects.more_sources(of_loop, sources);
                    let had = head
                        .entries(root)
                        .iter()
                        .any(|(path, _)| *path == place.path);
                    // What was found to be copied stays so.
                    let is_copied =
                        versions[1].is_some_and(|all| self.version_of(head, root) == all);
                    if had || (self.version_of(head, root) != of_loop && !is_copied) {
                        head.set_version(root, of_loop);
                        changed = true;
                    }
                    continue;
                }
                changed = true;
                let slot = self.slot(place, &before, &after);
                self.goes_round(&slot.value, &before, (entry, &old));
                self.goes_round(&slot.value, &after, (entry, end));
                new.push((slot.path.clone(), slot.value.clone()));
                slots.retain(|old| old.root != slot.root || old.path != slot.path);
                slots.push(slot);
            }
            head.set_entries(root, new);
        }
        let mut roots: BTreeSet<Root> = head.versions.keys().copied().collect();
        roots.extend(end.versions.keys());
        let objects = &self.objects;
        let own: BTreeSet<Root> = slots.iter().filter_map(|slot| slot.carried).collect();
        let is_new = |root: &Root| match objects.get(*root).kind {
            Kind::Variable => true,
            Kind::Carried => !own.contains(root),
            _ => false,
        };
        roots.retain(|root| root.0 < entry || (root.0 < known && !is_new(root)));
        // Many variables share few versions.
        let mut merged: BTreeSet<(Version, Version)> = BTreeSet::new();
        let mut meet = |me: &mut Self, a: Version, b: Version| -> Option<Version> {
            if a == b {
                return None;
            }
            // What was copied somewhere is told apart from what was not.
            let copied = me.objects.is_copied(a) || me.objects.is_copied(b);
            let of_loop =
                *versions[usize::from(copied)].get_or_insert_with(|| me.objects.merged(copied));
            if merged.insert((a, b)) {
                let mut sources = me.objects.sources_of(a).to_vec();
                sources.extend_from_slice(me.objects.sources_of(b));
                me.objects.more_sources(of_loop, sources);
                if copied {
                    me.objects.copied_as(of_loop, a);
                    me.objects.copied_as(of_loop, b);
                }
            }
            (a != of_loop).then_some(of_loop)
        };
        if let Some(new) = meet(self, head.heap, end.heap) {
            head.heap = new;
            changed = true;
        }
        for root in roots {
            let (a, b) = (self.version_of(head, root), self.version_of(end, root));
            if let Some(new) = meet(self, a, b) {
                head.set_version(root, new);
                changed = true;
            }
        }
        for of_loop in versions.iter().flatten() {
            self.remember_both(head, *of_loop, [&old, end]);
        }
        changed
    }

    /// A value at the head of a loop for what the loop changes.
    fn slot(&mut self, place: Place, before: &Value<'u>, after: &Value<'u>) -> Slot<'u> {
        let name = self.objects.describe(&place);
        let declared = if place.path.is_empty() {
            self.objects.get(place.root).ty.clone()
        } else {
            unknown_type()
        };
        let (value, carried) = match (before, after) {
            (Value::Scalar(term), _) | (Value::Initial(..), Value::Scalar(term)) => {
                let ty = term.ty();
                let ty = match declared {
                    Ty::Scalar(ctype) if ctype.is_integer() => ctype,
                    _ => ty,
                };
                (Value::Scalar(self.fresh(&name, ty)), None)
            }
            (Value::Pointer(_, element), Value::Pointer(..) | Value::Initial(..))
            | (Value::Initial(..), Value::Pointer(_, element)) => {
                let root = self.objects.object(Kind::Carried, &name, unknown_type());
                let pointer = Pointer::At(Place::of(root), Term::bytes(0));
                (Value::Pointer(pointer, element.clone()), Some(root))
            }
            _ => {
                self.lost(before);
                self.lost(after);
                let root = self.objects.object(Kind::Carried, &name, unknown_type());
                let unknown = Value::Unknown(Rc::new(BTreeSet::from([root])));
                let value = match declared {
                    Ty::Scalar(_) | Ty::Pointer(_) => self.converted(unknown, &declared, &name),
                    _ => unknown,
                };
                (value, Some(root))
            }
        };
        Slot {
            root: place.root,
            path: place.path,
            value,
            carried,
        }
    }

    /// A number that a loop changes, before the loop and behind an iteration.
    fn around(
        &mut self,
        slot: &Slot<'u>,
        ty: warplog_facts::CType,
        (entry, end): (&State<'u>, &State<'u>),
    ) -> Option<(Term, Term)> {
        let place = Place {
            root: slot.root,
            path: slot.path.clone(),
        };
        let ty = Ty::Scalar(ty);
        let before = self.read_in(entry, &place, &ty);
        let after = self.read_in(end, &place, &ty);
        match (before, after) {
            (Value::Scalar(before), Value::Scalar(after)) => Some((before, after)),
            _ => None,
        }
    }

    /// What holds of the variables that a loop changes at its head.
    fn progress(
        &mut self,
        slots: &[Slot<'u>],
        entry: &State<'u>,
        end: &State<'u>,
        way: &[(Term, bool)],
    ) -> Vec<Term> {
        let mut facts = Vec::new();
        for slot in slots {
            let Value::Scalar(symbol @ Term::Symbol(id, ty)) = &slot.value else {
                continue;
            };
            if let Some((before, after)) = self.around(slot, *ty, (entry, end))
                && let Some(found) = progress::progress(symbol, &before, &after, way)
            {
                self.objects.set_complete(*id, found.complete);
                self.objects.set_counter(*id, found.assumed);
                facts.extend(found.facts);
            } else {
                self.objects.set_complete(*id, false);
                self.objects.set_counter(*id, false);
            }
        }
        facts
    }

    /// What holds of counters behind a loop: they are what they were before it, or the last iteration came to its end with what
    /// they were then.
    fn ends(
        &mut self,
        slots: &[Slot<'u>],
        (entry, end): (&State<'u>, &State<'u>),
        way: &[(Term, bool)],
        symbols: u32,
    ) -> Vec<Term> {
        let mut facts = Vec::new();
        for slot in slots {
            let Value::Scalar(symbol @ Term::Symbol(id, ty)) = &slot.value else {
                continue;
            };
            let Some((before, after)) = self.around(slot, *ty, (entry, end)) else {
                continue;
            };
            let Some(previous) = progress::previous(symbol, &after) else {
                continue;
            };
            // Of others it is known what they are now, and not what they were in that iteration.
            let is_own = |term: &&(Term, bool)| {
                let mut of = BTreeSet::new();
                term.0.symbols(&mut of);
                of.contains(id) && of.iter().all(|one| one == id || one.0 < symbols)
            };
            let held = way.iter().filter(is_own).take(MAX_HELD);
            let held = held.map(|(term, holds)| {
                let term =
                    super::term::cast(warplog_facts::CType::Bool, term.replaced(*id, &previous));
                if *holds { term } else { super::term::not(term) }
            });
            let held = held.reduce(|all, one| super::term::binary(BinaryOp::And, all, one));
            if let Some(held) = held {
                let same = super::term::binary(BinaryOp::Eq, symbol.clone(), before);
                let fact = super::term::binary(BinaryOp::Or, same, held);
                if fact.nodes() <= super::term::MAX_NODES {
                    facts.push(fact);
                }
            }
        }
        facts
    }

    /// A counter takes all values that its facts and the conditions admit only where nothing else tells when the loop ends: no
    /// other variable that it changes, no other way out.
    fn independent(
        &mut self,
        slots: &[Slot<'u>],
        way: &[(Term, bool)],
        exits: &[State<'u>],
        known: usize,
    ) {
        let numbers = slots.iter().filter_map(|slot| match &slot.value {
            Value::Scalar(Term::Symbol(id, _)) => Some(*id),
            _ => None,
        });
        let numbers: BTreeSet<SymbolId> = numbers.collect();
        let mut told = BTreeSet::new();
        let left = exits.iter().flat_map(|exit| exit.path.iter().skip(known));
        for (term, _) in way.iter().chain(left) {
            term.symbols(&mut told);
        }
        for id in &numbers {
            let others = numbers
                .iter()
                .any(|other| other != id && told.contains(other));
            if others || exits.len() > 1 {
                self.objects.set_complete(*id, false);
            }
        }
    }

    /// Records what the carried pointers of a loop come from.
    fn carry(&mut self, slots: &[Slot<'u>], entry: &State<'u>, end: &State<'u>, group: u32) {
        for slot in slots {
            let Some(root) = slot.carried else { continue };
            let place = Place {
                root: slot.root,
                path: slot.path.clone(),
            };
            let mut pointer = |state: &State<'u>| {
                let value = self.read_in(state, &place, &Ty::Void.pointer_to());
                match value {
                    Value::Pointer(pointer, _) => pointer,
                    value => Pointer::OneOf(Rc::new(self.roots_of(&value))),
                }
            };
            let (before, after) = (pointer(entry), pointer(end));
            self.objects.carry(root, group, before, after);
        }
    }
}
