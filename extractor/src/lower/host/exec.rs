//! Host statements, in the order in which they run.
//!
//! Both arms of a branch are run and their states joined; a value that depends on the way taken
//! keeps the condition. A loop is run from the state at the head of an arbitrary iteration: what an
//! iteration changes is a symbol there, or a carried pointer ([`super::alias`]).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use warplog_facts::CType;

use super::alias::Kind;
use super::eval::unknown_type;
use super::memory::uncertain;
use super::term::Term;
use super::value::*;
use super::{Host, MAX_STEPS, progress, term};
use crate::lower::types::{Extent, Ty};
use crate::syntax::ast::*;

/// States that leave a loop or switch, or go to its next iteration.
#[derive(Default)]
pub(super) struct Exits<'u> {
    pub breaks: Vec<State<'u>>,
    pub continues: Vec<State<'u>>,
    pub is_switch: bool,
}

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

/// What a declared type refers to.
enum Referenced {
    /// A reference to this type.
    Type(Type),
    /// A reference or none, to something.
    Perhaps,
}

impl<'u> Host<'_, 'u> {
    pub(super) fn block(&mut self, block: &'u Block) {
        self.frame_mut().scopes.push(BTreeMap::new());
        let aliases = block
            .stmts
            .iter()
            .any(|stmt| matches!(stmt.kind, StmtKind::Typedef(_)));
        let outside = aliases.then(|| {
            let frame = self.frame();
            (frame.types.types.clone(), frame.type_args.clone())
        });
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        if let Some((types, type_args)) = outside {
            let frame = self.frame_mut();
            frame.types.types = types;
            frame.type_args = type_args;
        }
        self.leave_scope();
    }

    fn leave_scope(&mut self) {
        // Destructors.
        self.stir();
        let scope = self.frame_mut().scopes.pop().unwrap_or_default();
        if let Some(state) = &mut self.state {
            for root in scope.values() {
                if !state.escaped.contains(root) && state.store.contains_key(root) {
                    state.set_entries(*root, Vec::new());
                }
            }
        }
    }

    /// The value of `({ …; e; })`.
    pub(super) fn statement_expression(&mut self, block: &'u Block) -> Value<'u> {
        self.frame_mut().scopes.push(BTreeMap::new());
        let mut value = Value::unknown();
        for (position, stmt) in block.stmts.iter().enumerate() {
            match &stmt.kind {
                StmtKind::Expr(expr) if position + 1 == block.stmts.len() => {
                    value = self.eval(expr);
                }
                _ => self.stmt(stmt),
            }
        }
        self.leave_scope();
        value
    }

    pub(super) fn stmt(&mut self, stmt: &'u Stmt) {
        self.steps += 1;
        if self.is_spent() {
            return;
        }
        // `goto` may come from anywhere in the function, with anything.
        if let StmtKind::Label(_, inner) = &stmt.kind {
            // `goto` backwards: what is given away below was given away above.
            self.labels = true;
            self.anything_in_scope();
            self.stmt(inner);
            return;
        }
        if self.state.is_none() {
            self.unreached(stmt);
            return;
        }
        if self.distrusted(stmt) {
            self.not_understood(stmt.range);
        }
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::Expr(expr) => {
                self.eval(expr);
            }
            StmtKind::Decl(declarations) => {
                for declaration in declarations {
                    self.declare(declaration);
                }
            }
            StmtKind::If {
                cond, then, els, ..
            } => self.branch(cond, then, els.as_deref()),
            StmtKind::For {
                init,
                cond,
                update,
                body,
            } => {
                self.frame_mut().scopes.push(BTreeMap::new());
                if let Some(init) = init {
                    self.stmt(init);
                }
                self.repeated(&mut |me| {
                    if let Some(cond) = cond {
                        me.leave_unless(cond);
                    }
                    me.iteration(body);
                    if let Some(update) = update
                        && me.state.is_some()
                    {
                        me.eval(update);
                    }
                });
                self.leave_scope();
            }
            StmtKind::RangeFor { var, range, body } => {
                let operand = self.operand(range);
                self.object_called("begin", &operand);
                self.object_called("end", &operand);
                let value = operand.0;
                let sources = self.roots_of(&value);
                let sources = self.reachable(sources);
                // `for (int &v : a) v = 1;` writes to its elements.
                let writes = match &var.ty.kind {
                    TypeKind::Reference(to) => !to.is_const,
                    kind => matches!(kind, TypeKind::RvalueReference(_)),
                };
                if writes && let Some((place, _)) = self.place(range) {
                    self.watch(place.root);
                }
                self.repeated(&mut |me| {
                    me.leave_some_time();
                    me.frame_mut().scopes.push(BTreeMap::new());
                    let root = me.new_variable(&var.name, &var.ty, false);
                    let version = me.objects.version(sources.clone());
                    if matches!(
                        var.ty.kind,
                        TypeKind::Reference(_) | TypeKind::RvalueReference(_)
                    ) {
                        me.references.insert(root, None);
                    } else if let Some(state) = &mut me.state {
                        state.set_version(root, version);
                    }
                    me.iteration(body);
                    me.leave_scope();
                });
            }
            StmtKind::While { cond, body } => self.repeated(&mut |me| {
                me.leave_unless(cond);
                me.iteration(body);
            }),
            StmtKind::DoWhile { body, cond } => {
                let once = matches!(
                    &cond.kind,
                    ExprKind::Int { value: 0, .. } | ExprKind::Bool(false)
                );
                if once {
                    self.exits.push(Exits::default());
                    self.stmt(body);
                    let exits = self.exits.pop().unwrap_or_default();
                    for state in exits.breaks.into_iter().chain(exits.continues) {
                        let here = self.state.take();
                        self.state = self.joined(here, Some(state));
                    }
                } else {
                    self.repeated(&mut |me| {
                        me.iteration(body);
                        if me.state.is_some() {
                            me.leave_unless(cond);
                        }
                    });
                }
            }
            StmtKind::Switch { cond, items } => self.switch(cond, items, stmt.range),
            StmtKind::Break => {
                if let Some(state) = self.state.take()
                    && let Some(exits) = self.exits.last_mut()
                {
                    exits.breaks.push(state);
                }
            }
            StmtKind::Continue => {
                if let Some(state) = self.state.take()
                    && let Some(exits) = self.exits.iter_mut().rev().find(|exits| !exits.is_switch)
                {
                    exits.continues.push(state);
                }
            }
            StmtKind::Return(value) => {
                let value = match value {
                    Some(expr) => {
                        let value = self.returned(expr);
                        let ret = self.frame().ret.clone();
                        let is_made = self.frame().refers.is_some() || self.makes_object(expr);
                        self.copied(&ret, value, is_made)
                    }
                    None => Value::unknown(),
                };
                self.give_back(value);
            }
            StmtKind::Goto(_) => self.state = None,
            // `: a(n), b(m)` of a constructor.
            StmtKind::MemberInit { member, init } => {
                if self.member_init(member, init).is_none() {
                    self.not_understood(stmt.range);
                }
            }
            StmtKind::Asm(_) | StmtKind::Unsupported { .. } => {
                self.not_understood(stmt.range);
            }
            // `using scalar_t = float;`
            StmtKind::Typedef(alias) if alias.template.is_empty() => {
                let ty = self.substituted(&alias.ty);
                let resolved = self.resolve(&ty);
                let frame = self.frame_mut();
                frame.types.types.insert(alias.name.clone(), resolved);
                frame.type_args.insert(alias.name.clone(), ty);
            }
            StmtKind::Label(..)
            | StmtKind::Typedef(_)
            | StmtKind::Enum(_)
            | StmtKind::Struct(_)
            | StmtKind::Using(_)
            | StmtKind::Prototype(_)
            | StmtKind::Empty => {}
        }
    }

    /// Code that is not reached from here, but may hold labels.
    fn unreached(&mut self, stmt: &'u Stmt) {
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::If { then, els, .. } => {
                self.stmt(then);
                if let Some(els) = els {
                    self.stmt(els);
                }
            }
            StmtKind::Switch { items, .. } => {
                for item in items {
                    if let SwitchItem::Stmt(stmt) = item {
                        self.stmt(stmt);
                    }
                }
            }
            _ => {}
        }
    }

    fn branch(&mut self, cond: &'u Expr, then: &'u Stmt, els: Option<&'u Stmt>) {
        let cond = self.condition(cond);
        match cond.as_constant() {
            Some(0) => {
                let before = self.state.take();
                self.stmt(then);
                // A label in there is where a `goto` may lead.
                let jumped = std::mem::replace(&mut self.state, before);
                if let Some(els) = els {
                    self.stmt(els);
                }
                let after = self.state.take();
                self.state = self.joined(after, jumped);
                return;
            }
            Some(_) => {
                self.stmt(then);
                if let Some(els) = els.filter(|_| self.labels) {
                    let after = self.state.take();
                    self.stmt(els);
                    let jumped = self.state.take();
                    self.state = self.joined(after, jumped);
                }
                return;
            }
            None => {}
        }
        let before = self.state.clone();
        if let Some(state) = &mut self.state {
            state.assume(cond.clone(), true);
        }
        self.stmt(then);
        let after = self.state.take();
        self.state = before.map(|mut state| {
            state.assume(cond, false);
            state
        });
        if let Some(els) = els {
            self.stmt(els);
        }
        let other = self.state.take();
        self.state = self.joined(after, other);
    }

    fn switch(&mut self, cond: &'u Expr, items: &'u [SwitchItem], range: Range) {
        if self.has_other_labels(items, range) {
            self.not_understood(range);
            return;
        }
        let value = match self.scalar(cond) {
            Some(value) => value,
            None => self.fresh("value", CType::I64),
        };
        let mut rest = self.state.take();
        let mut has_default = false;
        self.exits.push(Exits {
            is_switch: true,
            ..Exits::default()
        });
        self.frame_mut().scopes.push(BTreeMap::new());
        let cases: Vec<Option<Term>> = items
            .iter()
            .map(|item| match item {
                SwitchItem::Case(expr) => {
                    self.state = rest.clone();
                    let label = self.scalar(expr);
                    self.state = None;
                    label.map(|label| term::binary(BinaryOp::Eq, value.clone(), label))
                }
                _ => None,
            })
            .collect();
        let all = rest.clone();
        for condition in cases.iter().flatten() {
            rest = match condition.as_constant() {
                Some(0) => rest,
                Some(_) => None,
                None => rest.map(|mut state| {
                    state.assume(condition.clone(), false);
                    state
                }),
            };
        }
        for (item, condition) in items.iter().zip(cases) {
            match item {
                SwitchItem::Case(_) => {
                    let entering = match condition {
                        Some(condition) if condition.as_constant() == Some(0) => None,
                        Some(condition) => all.clone().map(|mut state| {
                            state.assume(condition, true);
                            state
                        }),
                        None => all.clone(),
                    };
                    let through = self.state.take();
                    self.state = self.joined(through, entering);
                }
                SwitchItem::Default(_) => {
                    has_default = true;
                    let through = self.state.take();
                    self.state = self.joined(through, rest.clone());
                }
                SwitchItem::Stmt(stmt) => self.stmt(stmt),
            }
        }
        self.leave_scope();
        let exits = self.exits.pop().unwrap_or_default();
        if !has_default {
            let through = self.state.take();
            self.state = self.joined(through, rest);
        }
        for state in exits.breaks {
            let here = self.state.take();
            self.state = self.joined(here, Some(state));
        }
    }

    /// Whether labels stand where they are not seen: inside other statements, or as ranges.
    fn has_other_labels(&self, items: &[SwitchItem], range: Range) -> bool {
        let mut seen = 0;
        let mut count = |items: &[SwitchItem]| {
            let labels = items.iter();
            seen += labels
                .filter(|item| !matches!(item, SwitchItem::Stmt(_)))
                .count();
        };
        count(items);
        for item in items {
            if let SwitchItem::Stmt(stmt) = item {
                crate::lower::walk::each_stmt(stmt, &mut |inner| {
                    if let StmtKind::Switch { items, .. } = &inner.kind {
                        count(items);
                    }
                });
            }
        }
        let text = self.text.get(range.bytes()).unwrap_or("");
        let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words
            .filter(|word| matches!(*word, "case" | "default"))
            .count()
            > seen
    }

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

    fn leave_unless(&mut self, cond: &'u Expr) {
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

    fn leave_some_time(&mut self) {
        if let (Some(state), Some(exits)) = (&self.state, self.exits.last_mut()) {
            exits.breaks.push(state.clone());
        }
    }

    /// A loop body; what continues goes on behind it.
    fn iteration(&mut self, body: &'u Stmt) {
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
        let mut version = None;
        let before = self.objects.count();
        let worlds = self.objects.worlds();
        let mut facts: Vec<Term> = Vec::new();
        for round in 0.. {
            self.found.truncate(mark);
            self.objects.drop_groups_after(group);
            let known = self.objects.count();
            self.state = Some(head.clone());
            self.exits.push(Exits::default());
            body(self);
            let exits = self.exits.pop().unwrap_or_default();
            let mut changed = false;
            if let Some(end) = self.state.take() {
                changed =
                    self.generalised(&mut head, &end, (before, known), &mut slots, &mut version);
                changed |= round == 0;
                let found = self.progress(&slots, &entry, &end);
                if found != facts {
                    let known = found.iter().map(|fact| (fact.clone(), true));
                    head.path = Rc::new(entry.path.iter().cloned().chain(known).collect());
                    facts = found;
                    changed = true;
                }
                if !changed {
                    self.carry(&slots, &entry, &end, group);
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
        (before, known): (u32, u32),
        slots: &mut Vec<Slot<'u>>,
        version: &mut Option<Version>,
    ) -> bool {
        let mut changed = false;
        let old = head.clone();
        // What the body makes is new in each iteration, its variables are gone at the head; what
        // it only meets first is older than the next round.
        let objects = &self.objects;
        let is_older = |root: &Root| {
            root.0 < before || (root.0 < known && objects.get(*root).kind != Kind::Variable)
        };
        let escaped: BTreeSet<Root> = head
            .escaped
            .union(&end.escaped)
            .filter(|root| is_older(root))
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
                if before == after || is_slot {
                    new.push((place.path, before));
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
                    let sources = if is_number(&before) || is_number(&after) {
                        BTreeSet::new()
                    } else {
                        let mut sources = self.roots_of(&before);
                        sources.extend(self.roots_of(&after));
                        self.reachable(sources)
                    };
                    let of_loop = match *version {
                        Some(of_loop) => of_loop,
                        None => {
                            let made = self.objects.version(BTreeSet::new());
                            *version = Some(made);
                            made
                        }
                    };
                    self.objects.more_sources(of_loop, sources);
                    let had = head
                        .entries(root)
                        .iter()
                        .any(|(path, _)| *path == place.path);
                    if had || self.version_of(head, root) != of_loop {
                        head.set_version(root, of_loop);
                        changed = true;
                    }
                    continue;
                }
                changed = true;
                let slot = self.slot(place, &before, &after);
                new.push((slot.path.clone(), slot.value.clone()));
                slots.retain(|old| old.root != slot.root || old.path != slot.path);
                slots.push(slot);
            }
            head.set_entries(root, new);
        }
        let mut roots: BTreeSet<Root> = head.versions.keys().copied().collect();
        roots.extend(end.versions.keys());
        let objects = &self.objects;
        roots.retain(|root| {
            root.0 < before || (root.0 < known && objects.get(*root).kind != Kind::Variable)
        });
        // Many variables share few versions.
        let mut merged: BTreeSet<(Version, Version)> = BTreeSet::new();
        let mut meet = |me: &mut Self, a: Version, b: Version| -> Option<Version> {
            if a == b {
                return None;
            }
            let of_loop = match *version {
                Some(of_loop) => of_loop,
                None => {
                    let new = me.objects.merged();
                    *version = Some(new);
                    new
                }
            };
            if merged.insert((a, b)) {
                let mut sources = me.objects.sources_of(a).to_vec();
                sources.extend_from_slice(me.objects.sources_of(b));
                me.objects.more_sources(of_loop, sources);
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
        if let Some(of_loop) = *version {
            self.remember_both(head, of_loop, [&old, end]);
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

    /// What holds of the variables that a loop changes at its head.
    fn progress(&mut self, slots: &[Slot<'u>], entry: &State<'u>, end: &State<'u>) -> Vec<Term> {
        let mut facts = Vec::new();
        for slot in slots {
            let Value::Scalar(symbol @ Term::Symbol(id, ty)) = &slot.value else {
                continue;
            };
            let place = Place {
                root: slot.root,
                path: slot.path.clone(),
            };
            let ty = Ty::Scalar(*ty);
            let (before, after) = (
                self.read_in(entry, &place, &ty),
                self.read_in(end, &place, &ty),
            );
            if let (Value::Scalar(before), Value::Scalar(after)) = (before, after)
                && let Some(found) = progress::progress(symbol, &before, &after, &end.path)
            {
                self.objects.set_complete(*id, found.complete);
                facts.extend(found.facts);
            } else {
                self.objects.set_complete(*id, false);
            }
        }
        facts
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

    pub(super) fn declare(&mut self, declaration: &'u VarDecl) {
        if let Some(to) = self.referenced(&declaration.ty, 0) {
            let target = match &declaration.init {
                Init::Expr(expr) => self.place(expr).or_else(|| {
                    self.eval(expr);
                    self.may_refer(expr);
                    None
                }),
                _ => None,
            };
            let target = match (target, to) {
                // `const long &r = n;` of an `int` is bound to a copy.
                (Some((place, ty)), Referenced::Type(to)) => {
                    let to = self.resolve(&to);
                    let copies = matches!((&ty, &to), (Ty::Scalar(a), Ty::Scalar(b)) if a != b);
                    Some((place, ty)).filter(|_| !copies)
                }
                // `decltype(r)`: a reference, or a copy.
                (Some((place, _)), Referenced::Perhaps) => {
                    self.watch(place.root);
                    None
                }
                (None, _) => None,
            };
            let root = self.new_variable(&declaration.name, &declaration.ty, false);
            self.references.insert(root, target);
            return;
        }
        let keeps = declaration.storage.is_static && !declaration.ty.is_const;
        if let Some(&root) = self.statics.get(&declaration.range) {
            if let Some(scope) = self.frame_mut().scopes.last_mut() {
                scope.insert(&declaration.name, root);
            }
            return;
        }
        // The name is in scope only behind its initialiser: `int n = n;` is not worth more.
        let mut ty = self.resolve(&declaration.ty);
        let value = match &declaration.init {
            Init::None => None,
            Init::Expr(expr) if self.index.has_conversions() && matches!(ty, Ty::Scalar(_)) => {
                let operand = self.operand(expr);
                self.object_converted(&operand);
                Some(operand.0)
            }
            Init::Expr(expr) => {
                let operand = self.operand(expr);
                let of = match &operand.1 {
                    Some((_, from)) if matches!(declaration.ty.kind, TypeKind::Auto) => from,
                    _ => &ty,
                };
                self.converted_by_constructor(of, &operand);
                let is_made = self.makes_object(expr);
                Some(self.copied(of, operand.0, is_made))
            }
            Init::List(Expr {
                kind: ExprKind::InitList(items),
                ..
            }) if self.has_constructors(&ty) => Some(self.construct(&declaration.ty, &ty, items)),
            Init::List(expr) => {
                let value = self.eval(expr);
                let value = self.list_as(&ty, value);
                let is_made = self.makes_object(expr);
                Some(self.copied(&ty, value, is_made))
            }
            Init::Call(args) => Some(self.construct(&declaration.ty, &ty, args)),
        };
        if matches!(declaration.ty.kind, TypeKind::Auto)
            && let Some(value) = &value
        {
            ty = self.type_of(value);
        }
        // `T *t[] = {a, b};`
        if let (
            Ty::Array(element, Extent::Unknown),
            Init::List(Expr {
                kind: ExprKind::InitList(items),
                ..
            })
            | Init::Expr(Expr {
                kind: ExprKind::InitList(items),
                ..
            }),
        ) = (&ty, &declaration.init)
        {
            ty = Ty::Array(element.clone(), Extent::Constant(items.len() as u64));
        }
        let root = self.new_variable(
            &declaration.name,
            &declaration.ty,
            declaration.ty.is_const || declaration.storage.constexpr,
        );
        self.objects.get_mut(root).ty = ty.clone();
        if keeps {
            // Of a template there is one for each instance.
            let frame = self.frame();
            if frame.owner.is_none() && frame.type_args.is_empty() && frame.values.is_empty() {
                self.statics.insert(declaration.range, root);
            }
            // It keeps what earlier calls left in it.
            let roots = match &value {
                Some(value) => self.roots_of(value),
                None => BTreeSet::new(),
            };
            if let Some(value) = &value {
                self.lost(value);
            }
            self.havoc(&Place::of(root), roots);
            return;
        }
        if self.held_by_object(declaration, &ty, value.as_ref()) {
            self.watch(root);
        }
        // `union { int i; float f; } u;`: a type of its own, which is not looked into.
        if self.is_word_of(declaration.ty.range, "union") {
            self.watch(root);
        }
        let is_dim3 = matches!(&ty, Ty::Struct(layout) if layout.name == "dim3");
        let value = match value {
            None if is_dim3 => Some(self.constructed(&ty, Vec::new())),
            Some(Value::Scalar(term)) if is_dim3 => {
                Some(self.constructed(&ty, vec![Value::Scalar(term)]))
            }
            Some(value @ Value::Tree(..)) => Some(self.list_as(&ty, value)),
            value => value,
        };
        let class = match &ty {
            Ty::Opaque { name, .. } if !name.is_empty() => Some(name.clone()),
            Ty::Struct(layout) if !is_dim3 => Some(layout.name.clone()),
            _ => None,
        };
        match (value, class) {
            // An object that is not followed is one object all the same: its copies hold what it holds.
            (Some(Value::Unknown(roots)), _)
                if roots.is_empty() && matches!(ty, Ty::Opaque { .. } | Ty::Struct(_)) =>
            {
                self.havoc(&Place::of(root), BTreeSet::new());
            }
            (Some(value), _) => self.write(&Place::of(root), &ty, value),
            (None, Some(class)) => self.default_constructed(&class, Place::of(root)),
            (None, None) => {}
        }
    }

    /// A reference is bound to something that is not followed: `int &r = c ? a : b;`, `int &r = s.size();`. Writes through
    /// it are not seen.
    pub(super) fn may_refer(&mut self, expr: &'u Expr) {
        // A call has run.
        if !matches!(expr.kind, ExprKind::Call { .. })
            && let Some((place, _)) = self.place(expr)
        {
            self.watch(place.root);
            return;
        }
        match &expr.kind {
            ExprKind::Conditional { then, els, .. } => {
                self.may_refer(then);
                self.may_refer(els);
            }
            ExprKind::Comma(_, last) => self.may_refer(last),
            ExprKind::Member { base, .. } | ExprKind::Index { base, .. } => self.may_refer(base),
            ExprKind::Cast { arg, .. } => self.may_refer(arg),
            ExprKind::Call { callee, args } => {
                let name = match &callee.kind {
                    ExprKind::Name(name) => name,
                    ExprKind::Member { base, field, .. } => {
                        if self.may_return_reference(field) {
                            self.may_refer(base);
                        }
                        field
                    }
                    _ => return,
                };
                if !self.may_return_reference(name) {
                    return;
                }
                args.iter().for_each(|arg| self.may_refer(arg));
            }
            _ => {}
        }
    }

    /// Whether one of the functions of a name may return a reference that can be written through.
    fn may_return_reference(&self, name: &Name) -> bool {
        let functions = self.index.functions(&name.base);
        functions.is_empty()
            || functions.iter().any(|function| match &function.ret.kind {
                TypeKind::Reference(to) => !to.is_const,
                TypeKind::Scalar(_) | TypeKind::Pointer(_) => false,
                _ => true,
            })
    }

    /// Variables that an object refers to, by a pointer or a reference: `Guard g{&n};`, `Guard g(n);`.
    fn held_by_object(
        &mut self,
        declaration: &'u VarDecl,
        ty: &Ty,
        value: Option<&Value<'u>>,
    ) -> bool {
        let items: &'u [Expr] = match &declaration.init {
            Init::None => &[],
            Init::Call(args) => args,
            Init::Expr(expr) | Init::List(expr) => match &expr.kind {
                ExprKind::InitList(items) => items,
                ExprKind::Construct { args, .. } => args,
                _ => std::slice::from_ref(expr),
            },
        };
        let mut held: Vec<Root> = Vec::new();
        let alias = match &declaration.ty.kind {
            TypeKind::Decltype(of) => !matches!(of.kind, ExprKind::Name(_)),
            _ => false,
        };
        let ty = element_of(ty);
        let refers = match ty {
            Ty::Struct(class) => self.has_references(&class.name),
            Ty::Opaque { name, .. } => self.has_references(name),
            _ => false,
        };
        if alias || refers {
            for item in items {
                if let Some((place, _)) = self.place(item) {
                    held.push(place.root);
                }
            }
        }
        // Structures of the runtime have no functions.
        let is_plain = matches!(ty, Ty::Struct(class) if class.name.ends_with("KernelNodeParams"));
        // What a closure does to what it captured is run where it is called; not what is done through a reference that it gives.
        let gives_value = |lambda: &Lambda| {
            let ret = |lambda: &Lambda| match lambda.ret.as_ref().map(|ret| &ret.kind) {
                None | Some(TypeKind::Scalar(_) | TypeKind::Pointer(_)) => true,
                Some(_) => false,
            };
            let mut all = ret(lambda);
            for stmt in &lambda.body.stmts {
                crate::lower::walk::each_expr(stmt, &mut |expr| {
                    if let ExprKind::Lambda(inner) = &expr.kind {
                        all &= ret(inner);
                    }
                });
            }
            all
        };
        let is_followed = matches!(declaration.ty.kind, TypeKind::Auto)
            && matches!(value, Some(Value::Closure(closure))
                if !closure.lambda.mutable && gives_value(closure.lambda));
        if matches!(ty, Ty::Struct(_) | Ty::Opaque { .. }) && !is_plain && !is_followed {
            let values: Vec<Value<'u>> = match (value, &declaration.init) {
                (_, Init::Call(_)) => items.iter().map(|item| self.eval(item)).collect(),
                (Some(value), _) => vec![value.clone()],
                (None, _) => Vec::new(),
            };
            for value in &values {
                held.extend(self.roots_of(value));
            }
        }
        for root in held {
            self.watch(root);
        }
        // They may refer to members of the object itself.
        refers
    }

    /// Whether a class of the unit has members that are references.
    pub(super) fn has_references(&self, class: &str) -> bool {
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let is_reference = |field: &VarDecl| {
            matches!(
                field.ty.kind,
                TypeKind::Reference(_) | TypeKind::RvalueReference(_)
            )
        };
        let wanted = last(class);
        let refers = |record: &Struct| {
            last(&record.name) == wanted && record.fields.iter().any(is_reference)
        };
        let unit = self.index.unit;
        if unit.structs.iter().any(refers) {
            return true;
        }
        // One of the function's own.
        let here = self.frames.last().map(|frame| frame.function);
        let function = unit.functions.iter().find(|one| Some(one.range) == here);
        let body = function.and_then(|function| function.body.as_ref());
        let mut found = false;
        for stmt in body.iter().flat_map(|body| &body.stmts) {
            crate::lower::walk::each_stmt(stmt, &mut |stmt| {
                found |= matches!(&stmt.kind, StmtKind::Struct(record) if refers(record));
            });
        }
        found
    }

    /// What a type refers to, if it is that of a reference: by its text, or by the type that a name stands for.
    fn referenced(&self, ty: &Type, depth: u32) -> Option<Referenced> {
        match &ty.kind {
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                Some(Referenced::Type(Type::clone(to)))
            }
            TypeKind::Decltype(_) => Some(Referenced::Perhaps),
            TypeKind::Named(name) if depth < 8 => {
                let scope = &self.frame().types.path;
                let entries = self.index.types_at(&name.lookup_path(), scope);
                let mut found = entries.iter().filter_map(|entry| match entry {
                    crate::lower::unit::TypeEntry::Typedef(typedef) => {
                        self.referenced(&typedef.ty, depth + 1)
                    }
                    _ => None,
                });
                // What it refers to may depend on arguments of a template.
                found.next().map(|_| Referenced::Perhaps)
            }
            _ => None,
        }
    }

    /// The type that `auto` stands for.
    fn type_of(&mut self, value: &Value<'u>) -> Ty {
        match value {
            Value::Scalar(term) => Ty::Scalar(term.ty()),
            Value::Ratio(..) => Ty::Scalar(CType::F64),
            Value::Pointer(_, element) => element.clone().pointer_to(),
            Value::Tree(parts, _)
                if parts.iter().any(
                    |(path, _)| matches!(path.as_slice(), [Step::Field(name)] if name == "x"),
                ) =>
            {
                crate::lower::types::vector("dim3").unwrap_or_else(unknown_type)
            }
            _ => unknown_type(),
        }
    }

    /// A new variable in the innermost scope.
    pub(super) fn new_variable(&mut self, name: &'u str, ty: &Type, is_const: bool) -> Root {
        let resolved = self.resolve(ty);
        let root = self.objects.object(Kind::Variable, name, resolved);
        self.objects.get_mut(root).is_const = is_const;
        let written = self.substituted(ty);
        self.written.insert(root, written);
        if let Some(scope) = self.frame_mut().scopes.last_mut() {
            scope.insert(name, root);
        }
        root
    }

    /// Whatever the names in a text stand for may have changed, and kernels named in it may be
    /// launched in any way.
    pub(super) fn not_understood(&mut self, range: Range) -> Value<'u> {
        let text = self.text;
        let text = text.get(range.bytes()).unwrap_or("");
        let mut roots = BTreeSet::new();
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let name = Name::simple(word, range);
            if let Some((place, ty)) = self.named(&name) {
                let value = self.read(&place, &ty);
                roots.extend(self.roots_of(&value));
                roots.insert(place.root);
                self.lost(&value);
            } else {
                self.mentioned(word);
            }
        }
        let values = [Value::Unknown(Rc::new(roots.clone()))];
        self.havoc_reached(&values);
        Value::Unknown(Rc::new(roots))
    }

    /// Nothing is known of the variables of the running function any more.
    pub(super) fn anything_in_scope(&mut self) {
        if self.state.is_none() {
            self.state = self.frame().start.clone();
        }
        let roots: BTreeSet<Root> = self
            .frames
            .iter()
            .flat_map(|frame| &frame.scopes)
            .flat_map(|scope| scope.values().copied())
            .collect();
        let stored: BTreeSet<Root> = match &self.state {
            Some(state) => state.store.keys().copied().chain(roots).collect(),
            None => roots,
        };
        self.havoc_reached(&[Value::Unknown(Rc::new(stored))]);
    }
}

/// What an array of arrays is made of.
fn element_of(ty: &Ty) -> &Ty {
    match ty {
        Ty::Array(element, _) => element_of(element),
        ty => ty,
    }
}
