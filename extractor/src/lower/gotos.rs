//! `goto`, by the statements that lowering has already.
//!
//! **Method.** Three rewritings, each of the statements of one block.
//!
//! - A label to which later statements jump back is the head of a loop up to the last of these statements: `again: f(); if (c)
//!   goto again;` is `do f(); while (c);`, and whatever else such a region looks like, it is `while (true) { …; break; }`, where
//!   the jumps back continue.
//! - A jump out of a loop to a label right behind it breaks. One that leads further sets a variable and breaks; behind the loop,
//!   the variable says whether to jump on.
//! - Statements before a label to which they jump are left by the jump as a `switch` is by `break`.
//!
//! **Contract.** A jump that is lowered either finds the frame of its label or is refused; so are those that lead into a
//! statement or a loop that is already left, loops that cross, and regions whose names or whose jumps out of enclosing loops a
//! new loop around them would take away.

use warplog_facts::words::*;

use super::body::{JumpFrame, JumpTarget, Lowerer};
use super::walk::each_stmt;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// Statements one after the other, in a scope that is open.
    pub(crate) fn statements(&mut self, stmts: &[Stmt]) {
        let is_label = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Label(..));
        if stmts.iter().any(is_label) {
            let list = breaking_to_labels(with_loops(separated(stmts)));
            self.sections(&list);
        } else {
            stmts.iter().for_each(|stmt| self.stmt(stmt));
        }
    }

    /// Statements with jumps forward only, but for those that continue a loop: `if (c) goto end; f(); end: g();` is
    /// `switch (0) { default: if (c) break; f(); } g();`.
    fn sections(&mut self, stmts: &[Stmt]) {
        let target = stmts
            .iter()
            .enumerate()
            .rev()
            .find_map(|(at, stmt)| match &stmt.kind {
                StmtKind::Label(name, _) => {
                    let before = stmts.get(..at)?;
                    let jumps = before.iter().any(|stmt| jumps_to(stmt, name));
                    jumps.then_some((at, before, name, stmt.range))
                }
                _ => None,
            });
        let mut rest = stmts;
        if let Some((at, before, name, range)) = target {
            let leavings = self.leavings.len();
            self.jumps.push(JumpFrame {
                label: Some(name.clone()),
                guards: self.guards.len(),
                living: self.living.len(),
                ..JumpFrame::default()
            });
            self.sections(before);
            self.finish_frame(leavings, range);
            rest = &stmts[at..];
        }
        for stmt in rest {
            match &stmt.kind {
                StmtKind::Label(name, inner) => self.labelled(name, inner),
                _ => self.stmt(stmt),
            }
        }
    }

    /// What a label of [`separated`] statements stands before: nothing, or a loop that jumps to the label continue.
    fn labelled(&mut self, name: &str, inner: &Stmt) {
        if !self.alive || self.gave_up {
            if !self.gave_up && jumps_to(inner, name) {
                self.refuse_label(inner.range);
            }
            return;
        }
        self.leaving(inner, Some(name));
    }

    /// A label that nothing understands how to reach.
    pub(crate) fn refuse_label(&mut self, range: Range) {
        self.unsupported(range, "label", "`goto` is not modelled", Effect::Control);
    }

    /// A loop, and the jumps out of it to labels elsewhere; those to `head` continue it.
    pub(crate) fn leaving(&mut self, stmt: &Stmt, head: Option<&str>) {
        let Some(label) = escaping(stmt, head) else {
            self.loop_statement(stmt, head);
            return;
        };
        let range = stmt.range;
        // A name that no program can write.
        let flag = format!("left for {label}");
        let living = self.open_scope();
        self.declare(&flag_declaration(&flag, range));
        self.leaving(&breaking(stmt, &label, Some(&flag)), head);
        self.stmt(&if_left(&flag, StmtKind::Goto(label), range));
        self.close_scope(living);
    }

    fn loop_statement(&mut self, stmt: &Stmt, head: Option<&str>) {
        let range = stmt.range;
        match &stmt.kind {
            StmtKind::While { cond, body } => {
                self.pretest_loop(Some(cond), None, body, range, head);
            }
            StmtKind::DoWhile { body, cond } => self.posttest_loop(body, cond, range),
            StmtKind::For {
                init,
                cond,
                update,
                body,
            } => {
                let living = self.open_scope();
                if let Some(init) = init {
                    self.stmt(init);
                }
                self.pretest_loop(cond.as_ref(), update.as_ref(), body, range, head);
                self.close_scope(living);
            }
            StmtKind::RangeFor {
                var,
                range: over,
                body,
            } => self.range_for(var, over, body, range),
            _ => self.stmt(stmt),
        }
    }

    /// `goto`, to a label behind the statements that it stands in or at the head of the innermost loop.
    pub(crate) fn goto(&mut self, label: &str, range: Range) {
        let bottom = self.calls.last().map_or(0, |call| call.jumps);
        let meant = |index: &usize| self.jumps[*index].label.as_deref() == Some(label);
        let stops = |index: &usize| meant(index) || self.jumps[*index].loop_id.is_some();
        let target = (bottom..self.jumps.len()).rev().find(stops);
        let Some(target) = target.filter(meant) else {
            let why = "it leads back, into a statement or out of a loop";
            self.unsupported(range, "goto", why, Effect::Control);
            return;
        };
        if self.jumps[target].loop_id.is_some() {
            self.jump_to(target, GuardCause::Continue, range);
            return;
        }
        if self.living.len() > self.jumps[target].living {
            self.lost_object(range, "`goto` may lead out of its scope");
        }
        let point = self.point(PointKind::Join, range);
        let jump = self.jump(self.jumps[target].guards, point);
        self.jumps[target].breaks.push(jump);
        self.leave(GuardCause::Branch, point, JumpTarget::Frame(target));
    }
}

/// Statements whose labels stand before nothing: `again: f();` is `again: ; f();`.
fn separated(stmts: &[Stmt]) -> Vec<Stmt> {
    let mut list = Vec::new();
    for stmt in stmts {
        let mut stmt = stmt;
        while let StmtKind::Label(name, inner) = &stmt.kind {
            let nothing = new(StmtKind::Empty, stmt.range);
            let label = StmtKind::Label(name.clone(), Box::new(nothing));
            list.push(new(label, stmt.range));
            stmt = inner;
        }
        list.push(stmt.clone());
    }
    list
}

/// Separated statements with a loop behind each label to which later ones jump back.
fn with_loops(mut list: Vec<Stmt>) -> Vec<Stmt> {
    let mut at = 0;
    while at < list.len() {
        if let Some((last, made)) = loop_at(&list, at)
            && let StmtKind::Label(_, inner) = &mut list[at].kind
        {
            **inner = made;
            list.drain(at + 1..=last);
        }
        at += 1;
    }
    list
}

/// The loop behind a label, and the last statement that belongs to it.
fn loop_at(list: &[Stmt], at: usize) -> Option<(usize, Stmt)> {
    let StmtKind::Label(label, _) = &list[at].kind else {
        return None;
    };
    let last = list.iter().rposition(|stmt| jumps_to(stmt, label))?;
    let body = list.get(at + 1..=last)?;
    let (end, before) = body.split_last()?;
    let declares = body.iter().any(is_declaration);
    let is_last = list[last + 1..]
        .iter()
        .all(|stmt| matches!(stmt.kind, StmtKind::Empty));
    if declares && !is_last || body.iter().any(|stmt| leaves_around(stmt, true, true)) {
        return None;
    }
    let range = Range::new(list[at].range.start, end.range.end);
    let block = |stmts: Vec<Stmt>| Box::new(new(StmtKind::Block(Block { stmts, range }), range));
    let alone = !before.iter().any(|stmt| jumps_to(stmt, label));
    let kind = match &end.kind {
        StmtKind::If {
            cond,
            then,
            els: None,
            ..
        } if alone && !declares && is_goto(then, label) => StmtKind::DoWhile {
            body: block(before.to_vec()),
            cond: cond.clone(),
        },
        StmtKind::Goto(_) => {
            let behind = list.get(last + 1).map(|stmt| &stmt.kind);
            match (before.split_first(), behind) {
                // `again: if (c) goto end; …; goto again; end:`
                (Some((first, rest)), Some(StmtKind::Label(outside, _)))
                    if let StmtKind::If {
                        cond,
                        then,
                        els: None,
                        ..
                    } = &first.kind
                        && is_goto(then, outside) =>
                {
                    StmtKind::While {
                        cond: negated(cond),
                        body: block(rest.to_vec()),
                    }
                }
                _ => StmtKind::While {
                    cond: expr(ExprKind::Bool(true), range),
                    body: block(before.to_vec()),
                },
            }
        }
        _ => {
            let mut stmts = body.to_vec();
            stmts.push(new(StmtKind::Break, end.range));
            StmtKind::While {
                cond: expr(ExprKind::Bool(true), range),
                body: block(stmts),
            }
        }
    };
    Some((last, new(kind, range)))
}

/// Loops right before a label, with `break` instead of their own jumps to it.
fn breaking_to_labels(mut list: Vec<Stmt>) -> Vec<Stmt> {
    for at in 1..list.len() {
        let (before, behind) = list.split_at_mut(at);
        let (Some(before), Some(behind)) = (before.last_mut(), behind.first()) else {
            continue;
        };
        let StmtKind::Label(outside, _) = &behind.kind else {
            continue;
        };
        let inner = match &mut before.kind {
            StmtKind::Label(_, inner) => &mut **inner,
            _ => before,
        };
        if body_of(inner).is_some_and(|body| only_leaves_itself(body, outside)) {
            *inner = breaking(inner, outside, None);
        }
    }
    list
}

/// A loop with `break` instead of jumps to a label outside, which say in a flag that they did.
fn breaking(stmt: &Stmt, label: &str, flag: Option<&str>) -> Stmt {
    let mut stmt = stmt.clone();
    if let StmtKind::For { body, .. }
    | StmtKind::While { body, .. }
    | StmtKind::DoWhile { body, .. }
    | StmtKind::RangeFor { body, .. } = &mut stmt.kind
    {
        **body = broken(body, label, flag);
    }
    stmt
}

/// What stands in a loop, the same way.
fn broken(stmt: &Stmt, label: &str, flag: Option<&str>) -> Stmt {
    if !jumps_to(stmt, label) {
        return stmt.clone();
    }
    let range = stmt.range;
    let mut result = stmt.clone();
    match &mut result.kind {
        StmtKind::Goto(_) => {
            let mut stmts: Vec<Stmt> = flag.iter().map(|flag| set(flag, range)).collect();
            stmts.push(new(StmtKind::Break, range));
            result.kind = StmtKind::Block(Block { stmts, range });
        }
        StmtKind::Block(block) => {
            for inner in &mut block.stmts {
                *inner = broken(inner, label, flag);
            }
        }
        StmtKind::If { then, els, .. } => {
            **then = broken(then, label, flag);
            if let Some(els) = els {
                **els = broken(els, label, flag);
            }
        }
        StmtKind::Label(_, inner) => **inner = broken(inner, label, flag),
        StmtKind::Switch { items, .. } => {
            for item in items {
                if let SwitchItem::Stmt(inner) = item {
                    *inner = broken(inner, label, flag);
                }
            }
            return then_break(result, flag);
        }
        _ => return then_break(breaking(stmt, label, flag), flag),
    }
    result
}

/// A statement in which a jump has become a `break`, which goes on behind it.
fn then_break(stmt: Stmt, flag: Option<&str>) -> Stmt {
    let range = stmt.range;
    let mut stmts = vec![stmt];
    stmts.extend(flag.map(|flag| if_left(flag, StmtKind::Break, range)));
    new(StmtKind::Block(Block { stmts, range }), range)
}

/// `bool flag = false;`
fn flag_declaration(flag: &str, range: Range) -> VarDecl {
    VarDecl {
        name: flag.to_owned(),
        name_range: range,
        ty: Type::new(TypeKind::Scalar(Scalar::Bool), range),
        storage: Storage::default(),
        init: Init::Expr(expr(ExprKind::Bool(false), range)),
        template: Vec::new(),
        special: None,
        range,
    }
}

/// `flag = true;`
fn set(flag: &str, range: Range) -> Stmt {
    let assign = ExprKind::Assign {
        op: None,
        lhs: Box::new(expr(ExprKind::Name(Name::simple(flag, range)), range)),
        rhs: Box::new(expr(ExprKind::Bool(true), range)),
    };
    new(StmtKind::Expr(expr(assign, range)), range)
}

/// `if (flag) …`
fn if_left(flag: &str, then: StmtKind, range: Range) -> Stmt {
    let kind = StmtKind::If {
        constexpr: false,
        cond: expr(ExprKind::Name(Name::simple(flag, range)), range),
        then: Box::new(new(then, range)),
        els: None,
    };
    new(kind, range)
}

/// The opposite of a condition, which may be an object with an operator `!` of its own.
fn negated(cond: &Expr) -> Expr {
    let truth = |value| Box::new(expr(ExprKind::Bool(value), cond.range));
    let kind = ExprKind::Conditional {
        cond: Box::new(cond.clone()),
        then: truth(false),
        els: truth(true),
    };
    expr(kind, cond.range)
}

fn new(kind: StmtKind, range: Range) -> Stmt {
    Stmt { kind, range }
}

fn expr(kind: ExprKind, range: Range) -> Expr {
    Expr { kind, range }
}

/// Whether a statement is nothing but a jump to the label.
fn is_goto(stmt: &Stmt, label: &str) -> bool {
    match &stmt.kind {
        StmtKind::Goto(name) => name == label,
        StmtKind::Block(block) => matches!(&block.stmts[..], [only] if is_goto(only, label)),
        _ => false,
    }
}

fn body_of(stmt: &Stmt) -> Option<&Stmt> {
    match &stmt.kind {
        StmtKind::For { body, .. }
        | StmtKind::While { body, .. }
        | StmtKind::DoWhile { body, .. }
        | StmtKind::RangeFor { body, .. } => Some(body),
        _ => None,
    }
}

/// Whether a loop body jumps to the label, and no loop or `switch` in it does.
fn only_leaves_itself(body: &Stmt, label: &str) -> bool {
    let mut nested = false;
    each_stmt(body, &mut |inner| {
        nested |= (body_of(inner).is_some() || matches!(inner.kind, StmtKind::Switch { .. }))
            && jumps_to(inner, label);
    });
    !nested && jumps_to(body, label)
}

/// A label outside a loop to which something in it jumps.
fn escaping(stmt: &Stmt, head: Option<&str>) -> Option<String> {
    let body = body_of(stmt)?;
    let (mut jumps, mut labels) = (Vec::new(), Vec::new());
    each_stmt(body, &mut |inner| match &inner.kind {
        StmtKind::Goto(name) => jumps.push(name),
        StmtKind::Label(name, _) => labels.push(name),
        _ => {}
    });
    let outside = |name: &&&String| !labels.contains(*name) && Some(name.as_str()) != head;
    jumps.iter().find(outside).map(|name| (*name).clone())
}

/// Whether the names of a scope may be others behind a statement.
fn is_declaration(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Block(_)
        | StmtKind::Expr(_)
        | StmtKind::If { .. }
        | StmtKind::For { .. }
        | StmtKind::RangeFor { .. }
        | StmtKind::While { .. }
        | StmtKind::DoWhile { .. }
        | StmtKind::Switch { .. }
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Goto(_)
        | StmtKind::Empty
        | StmtKind::Asm(_)
        | StmtKind::Unsupported { .. } => false,
        StmtKind::Label(_, inner) => is_declaration(inner),
        StmtKind::Decl(_)
        | StmtKind::Binding { .. }
        | StmtKind::Typedef(_)
        | StmtKind::Enum(_)
        | StmtKind::Struct(_)
        | StmtKind::Using(_)
        | StmtKind::Prototype(_)
        | StmtKind::MemberInit { .. } => true,
    }
}

/// Whether a statement breaks or continues what stands around it.
fn leaves_around(stmt: &Stmt, breaks: bool, continues: bool) -> bool {
    match &stmt.kind {
        StmtKind::Break => breaks,
        StmtKind::Continue => continues,
        StmtKind::Block(block) => {
            let mut stmts = block.stmts.iter();
            stmts.any(|stmt| leaves_around(stmt, breaks, continues))
        }
        StmtKind::If { then, els, .. } => {
            let els = els.as_deref();
            leaves_around(then, breaks, continues)
                || els.is_some_and(|els| leaves_around(els, breaks, continues))
        }
        StmtKind::Label(_, inner) => leaves_around(inner, breaks, continues),
        StmtKind::Switch { items, .. } => items.iter().any(
            |item| matches!(item, SwitchItem::Stmt(stmt) if leaves_around(stmt, false, continues)),
        ),
        _ => false,
    }
}

/// Whether a jump to the label stands in the statement.
fn jumps_to(stmt: &Stmt, label: &str) -> bool {
    let mut found = false;
    each_stmt(stmt, &mut |inner| {
        found |= matches!(&inner.kind, StmtKind::Goto(name) if name == label);
    });
    found
}

/// Whether a jump may lead into the statement.
pub(crate) fn contains_label(stmt: &Stmt) -> bool {
    let mut found = false;
    each_stmt(stmt, &mut |inner| {
        found |= matches!(inner.kind, StmtKind::Label(..));
    });
    found
}
