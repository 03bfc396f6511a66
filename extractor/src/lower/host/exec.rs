//! Host statements, in the order in which they run.
//!
//! Both arms of a branch are run and their states joined; a value that depends on the way taken
//! keeps the condition. Loops are in [`super::loops`].

use crate::lower::types::Ty;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use warplog_facts::CType;

use super::term::Term;
use super::value::*;
use super::{Host, term};
use crate::syntax::ast::*;

/// States that leave a loop or switch, or go to its next iteration.
#[derive(Default)]
pub(super) struct Exits<'u> {
    pub breaks: Vec<State<'u>>,
    pub continues: Vec<State<'u>>,
    pub is_switch: bool,
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
        if let Some(scope) = self.frame().scopes.last().cloned() {
            self.destroyed(&scope);
        }
        self.stir();
        let scope = self.frame_mut().scopes.pop().unwrap_or_default();
        self.ended(&scope);
    }

    /// The variables of a scope are gone: nothing can reach them any more. What they led to has escaped itself, if they have.
    pub(super) fn ended(&mut self, scope: &BTreeMap<&'u str, Root>) {
        for root in scope.values() {
            if self.statics.values().any(|kept| kept == root) || self.objects.get(*root).is_global {
                continue;
            }
            self.exposed.ended(*root);
            if let Some(state) = &mut self.state {
                if state.escaped.contains(root) {
                    Rc::make_mut(&mut state.escaped).remove(root);
                }
                if state.store.contains_key(root) {
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
                let range_place = operand.1.clone();
                let value = operand.0;
                let sources = self.roots_of(&value);
                let sources = self.reachable(sources);
                // `for (int &v : a) v = 1;` writes to its elements.
                let writes = match &var.ty.kind {
                    TypeKind::Reference(to) => !to.is_const,
                    kind => matches!(kind, TypeKind::RvalueReference(_)),
                };
                let written = self.written_type(range);
                let has_place = match (&range_place, &written) {
                    (Some((_, Ty::Array(element, _))), _) => {
                        matches!(**element, Ty::Struct(_)) && element.bytes().is_some()
                    }
                    (Some((place, ty)), Some(written)) => {
                        self.some_element(place, ty, written).is_some()
                    }
                    _ => false,
                };
                let held = match writes && !has_place {
                    true => self.place(range),
                    false => None,
                };
                if let Some((place, _)) = &held {
                    self.watch(place.root);
                }
                self.repeated(&mut |me| {
                    me.leave_some_time();
                    me.frame_mut().scopes.push(BTreeMap::new());
                    let root = me.new_variable(&var.name, &var.ty, false);
                    if matches!(
                        var.ty.kind,
                        TypeKind::Reference(_) | TypeKind::RvalueReference(_)
                    ) {
                        let element = match (&range_place, &written) {
                            (Some((place, ty)), Some(written)) => {
                                me.some_element(place, ty, written)
                            }
                            _ => None,
                        };
                        match element {
                            Some(element) => {
                                me.references.insert(root, Some(element));
                            }
                            None => me.refers_into(root, range_place.as_ref()),
                        }
                    } else {
                        me.element_in(root, range_place.as_ref(), sources.clone());
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
                self.scopes_left();
                if let Some(state) = self.state.take()
                    && let Some(exits) = self.exits.last_mut()
                {
                    exits.breaks.push(state);
                }
            }
            StmtKind::Continue => {
                self.scopes_left();
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
                        self.bound_by_return(expr);
                        let ret = self.frame().ret.clone();
                        let is_made = self.frame().refers.is_some()
                            || self.makes_object(expr)
                            || self.moves_container(&ret, expr);
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
            StmtKind::Asm(_) | StmtKind::Binding { .. } | StmtKind::Unsupported { .. } => {
                self.lost_statement(stmt.range);
            }
            // `using scalar_t = float;`
            StmtKind::Typedef(alias) if alias.template.is_empty() => {
                let ty = self.substituted(&alias.ty);
                let resolved = self.resolve(&ty);
                let frame = self.frame_mut();
                frame.types.types.insert(alias.name.clone(), resolved);
                frame.type_args.insert(alias.name.clone(), ty);
            }
            StmtKind::Enum(enumeration) => self.declare_enumerators(enumeration),
            StmtKind::Label(..)
            | StmtKind::Typedef(_)
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

    /// A statement is not understood. One with a `return` may be where the function ends, with any value.
    fn lost_statement(&mut self, range: Range) {
        let value = self.not_understood(range);
        let text = self.text.get(range.bytes()).unwrap_or("");
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        if words.any(|word| word == "return") {
            let before = self.state.clone();
            self.give_back(value);
            self.state = before;
        }
    }

    /// Whatever the names in a text stand for may have changed, and kernels named in it may be
    /// launched in any way.
    pub(super) fn not_understood(&mut self, range: Range) -> Value<'u> {
        let text = self.text;
        let text = text.get(range.bytes()).unwrap_or("");
        let mut roots = BTreeSet::new();
        let mut named = Vec::new();
        let why = format!("host code is not understood: `{}`", self.snippet(range));
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
                named.push((place, ty));
            } else {
                self.mentioned(word, &why);
                self.share(word);
            }
        }
        let values = [Value::Unknown(Rc::new(roots.clone()))];
        self.havoc_reached(&values);
        // Any pointer among them may be where another one was.
        for (place, ty) in named {
            if matches!(ty, Ty::Pointer(_) | Ty::Struct(_)) && place.path.is_empty() {
                self.write(&place, &ty, values[0].clone());
            }
        }
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
