//! Statements.

use warplog_facts::words::*;
use warplog_facts::*;

use super::NOT_PARSED;
use super::body::{Binding, JumpFrame, JumpTarget, Lowerer, Names};
use super::expr::sized;
use super::gotos::contains_label;
use super::types::{TemplateValue, Ty};
use super::typing::is_unknown;
use super::value::*;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// A block with a scope of its own.
    pub(crate) fn block(&mut self, block: &Block) {
        self.in_scope(&block.stmts);
    }

    /// Statements in a scope of their own.
    pub(crate) fn in_scope(&mut self, stmts: &[Stmt]) {
        // Types that the block declares end with it.
        let declares =
            |stmt: &Stmt| matches!(stmt.kind, StmtKind::Typedef(_) | StmtKind::Struct(_));
        let outer = match self.calls.last() {
            Some(call) if stmts.iter().any(declares) => Some(call.types.types.clone()),
            _ => None,
        };
        let living = self.open_scope();
        self.statements(stmts);
        self.close_scope(living);
        if let (Some(outer), Some(call)) = (outer, self.calls.last_mut()) {
            call.types.types = outer;
        }
    }

    /// A statement that is a scope even without braces.
    pub(crate) fn scoped(&mut self, stmt: &Stmt) {
        let living = self.open_scope();
        self.stmt(stmt);
        self.close_scope(living);
    }

    /// Names and objects from here on belong to a scope of their own; gives what ends it.
    pub(crate) fn open_scope(&mut self) -> usize {
        self.scopes.push(Names::default());
        self.living.len()
    }

    /// The end of a scope, and of its objects.
    pub(crate) fn close_scope(&mut self, living: usize) {
        self.end_objects(living);
        self.scopes.pop();
    }

    /// A statement. What cannot be reached is not lowered, except that labels are refused.
    pub(crate) fn stmt(&mut self, stmt: &Stmt) {
        if self.gave_up {
            return;
        }
        if !self.alive {
            if contains_label(stmt) {
                self.refuse_label(stmt.range);
            }
            return;
        }
        let range = stmt.range;
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::Expr(expr) => {
                if self.ends_all_threads(expr) {
                    self.return_(None, range);
                } else {
                    self.full_expression(Some(expr.range), |me| me.discard(expr));
                }
            }
            StmtKind::Decl(declarations) => {
                for declaration in declarations {
                    self.declare(declaration);
                    if super::anonymous::is_anonymous(declaration) {
                        self.declare_members(declaration);
                    }
                }
            }
            StmtKind::If {
                cond, then, els, ..
            } => {
                let condition = self.full_condition(cond);
                self.branch(
                    condition,
                    cond.range,
                    &mut |me| me.scoped(then),
                    &mut |me| {
                        if let Some(els) = els {
                            me.scoped(els);
                        }
                    },
                );
            }
            StmtKind::For { .. }
            | StmtKind::While { .. }
            | StmtKind::DoWhile { .. }
            | StmtKind::RangeFor { .. } => self.leaving(stmt, None),
            StmtKind::Binding { whole, names } => self.structured_binding(whole, names, range),
            StmtKind::Switch { cond, items } => self.switch(cond, items, range),
            StmtKind::Break => self.jump_out(GuardCause::Break, range),
            StmtKind::Continue => self.jump_out(GuardCause::Continue, range),
            StmtKind::Return(value) => self.return_(value.as_ref(), range),
            StmtKind::Using(using) => {
                // Names are looked up by where they stand; variables in blocks and members of the class come first.
                let simple = super::unit::last_component(&using.target);
                let of_class = self.scope().class;
                let hides_member = of_class.is_some_and(|class| {
                    class.field(simple).is_some() || self.index.is_a_member(simple)
                });
                if !using.namespace && (hides_member || self.lookup(simple).is_some()) {
                    self.unsupported(
                        range,
                        "using declaration in a block",
                        "it hides a variable of a block or a member",
                        Effect::Control,
                    );
                }
            }
            StmtKind::Empty | StmtKind::Prototype(_) => {}
            StmtKind::Typedef(typedef) => {
                if typedef.opaque || !typedef.align.is_empty() {
                    self.unsupported(
                        range,
                        "an attribute of a type",
                        "in a function it is not followed",
                        Effect::Control,
                    );
                }
                self.note_constant_type(&typedef.name, &typedef.ty);
                if let TemplateValue::Type(ty, identity) = self.type_value(&typedef.ty)
                    && let Some(call) = self.calls.last_mut()
                {
                    call.types.bind_type(&typedef.name, ty, identity);
                }
            }
            StmtKind::Enum(enumeration) => self.local_enum(enumeration),
            StmtKind::Struct(record) => {
                if let Some(ty) = self.local_class(record)
                    && let Some(call) = self.calls.last_mut()
                {
                    call.types.bind_type(&record.name, ty, None);
                }
            }
            StmtKind::Goto(label) => self.goto(label, range),
            StmtKind::Label(..) => self.statements(std::slice::from_ref(stmt)),
            StmtKind::Asm(asm) => self.asm(asm, range),
            StmtKind::MemberInit { member, init } => {
                self.full_expression(None, |me| me.member_init(member, init, range));
            }
            StmtKind::Unsupported { what } => {
                self.unsupported(range, what, NOT_PARSED, Effect::Control);
            }
        }
    }

    /// Each enumerator is known to those behind it.
    fn local_enum(&mut self, enumeration: &Enum) {
        let mut numbers = Vec::new();
        let mut next = Some(0i128);
        for enumerator in &enumeration.values {
            if let Some(expr) = &enumerator.value {
                let value = self.expr(expr);
                let term = self.integer_of(&value, enumerator.range);
                next = self.facts.terms.as_const(term);
            }
            numbers.push(next);
            let ty = next.map_or(CType::I64, |value| {
                [CType::I32, CType::I64]
                    .into_iter()
                    .find(|ty| ty.holds(value))
                    .unwrap_or(CType::U64)
            });
            self.bind_enumerator(&enumerator.name, next, ty, enumerator.range);
            next = next.and_then(|value| value.checked_add(1));
        }
        let ty = match &enumeration.underlying {
            Some(ty) => self.resolve(ty).ctype(),
            None => {
                let known: Vec<i128> = numbers.iter().copied().flatten().collect();
                let fits = |ty: &CType| known.iter().all(|value| ty.holds(*value));
                [CType::I32, CType::U32, CType::I64, CType::U64]
                    .into_iter()
                    .find(fits)
                    .unwrap_or(CType::I64)
            }
        };
        for (enumerator, number) in enumeration.values.iter().zip(numbers) {
            self.bind_enumerator(&enumerator.name, number, ty, enumerator.range);
        }
    }

    fn bind_enumerator(&mut self, name: &str, number: Option<i128>, ty: CType, range: Range) {
        let whole = Ty::Scalar(ty);
        let value = match number {
            Some(number) => {
                let number = ty.wrap(number);
                Value::Term(self.facts.terms.constant(number, ty))
            }
            None => self.unknown_value(&whole, "an enumerator whose value is not known", range),
        };
        let var = self.variable(name, whole, value);
        self.bind(name, Binding::Variable(var));
    }

    /// A declaration of one variable.
    pub(crate) fn declare(&mut self, declaration: &VarDecl) {
        if let Some(ty) = self.written_out(&declaration.ty) {
            let declaration = declaration.clone();
            return self.declare(&VarDecl { ty, ..declaration });
        }
        let mut qualified = self.qualified(&declaration.ty);
        if declaration.storage.constexpr {
            qualified.object = Some(true);
        }
        if super::call::is_auto(&declaration.ty)
            && let Init::Expr(init) = &declaration.init
        {
            qualified = self.deduced(&declaration.ty, init);
        }
        let living = self.living.len();
        let outer = self.full;
        self.full = self.full_declaration(declaration);
        self.declare_variable(declaration);
        self.full = outer;
        self.settle_declaration(declaration, living);
        self.qualify(&declaration.name, qualified);
    }

    /// Whether what looks like a declaration may be a statement behind a word that nothing defines, as `SYNC out[i] = 1;` is: its
    /// object is there already, or it would be an array with one value, which C++ has not.
    fn may_be_statement(&mut self, declaration: &VarDecl) -> bool {
        let (mut ty, mut is_array, mut is_pointer) = (&declaration.ty, false, false);
        loop {
            ty = match &ty.kind {
                TypeKind::Array(of, _) => {
                    is_array = true;
                    of
                }
                TypeKind::Pointer(to) | TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                    is_pointer = true;
                    to
                }
                _ => break,
            };
        }
        let TypeKind::Named(name) = &ty.kind else {
            return false;
        };
        if !name.as_simple().is_some_and(|name| self.is_undefined(name)) {
            return false;
        }
        let is_text = |init: &Expr| matches!(init.kind, ExprKind::Str(_) | ExprKind::InitList(_));
        if is_array && matches!(&declaration.init, Init::Expr(init) if !is_text(init)) {
            return true;
        }
        if self.lookup(&declaration.name).is_some() {
            return true;
        }
        let object = Name::simple(declaration.name.as_str(), declaration.range);
        is_pointer
            && !super::typing::is_unknown(&self.static_type(&Expr {
                kind: ExprKind::Name(object),
                range: declaration.range,
            }))
    }

    fn declare_variable(&mut self, declaration: &VarDecl) {
        let range = declaration.range;
        let name = declaration.name.as_str();
        if self.may_be_statement(declaration) {
            let what = format!("a word that nothing defines before `{name}`");
            self.unsupported(range, &what, "a statement or a type", Effect::Control);
            return;
        }
        if declaration.storage.shared {
            self.declare_shared(declaration);
            return;
        }
        if declaration.storage.is_extern {
            self.declare_extern(declaration);
            return;
        }
        if matches!(
            declaration.ty.kind,
            TypeKind::Reference(_) | TypeKind::RvalueReference(_)
        ) {
            let place = match &declaration.init {
                Init::Expr(expr) => self.place(expr),
                Init::Call(args) if args.len() == 1 => self.place(&args[0]),
                Init::List(Expr {
                    kind: ExprKind::InitList(items),
                    ..
                }) if let [one] = items.as_slice()
                    && !matches!(one.kind, ExprKind::InitList(_)) =>
                {
                    self.place(one)
                }
                _ => {
                    self.unsupported(
                        range,
                        "reference",
                        "its initialiser is not understood",
                        Effect::Access,
                    );
                    Lvalue::Unknown
                }
            };
            // `const long &r = i;`: a temporary of the type.
            let place = if super::call::is_auto(&declaration.ty) {
                place
            } else {
                let ty = self.resolve(&declaration.ty);
                self.doubt_converted(&place, &ty, (&declaration.ty, range));
                self.bound_to(place, &ty, range)
            };
            self.bind(name, Binding::Reference(place));
            return;
        }
        self.refuse_hidden_reference(&declaration.ty, range);
        if declaration.storage.is_static
            && !declaration.ty.is_const
            && !declaration.storage.constexpr
        {
            self.declare_static(declaration);
            return;
        }
        self.hide_outer(declaration);
        let is_auto = super::call::is_auto(&declaration.ty);
        let mut ty = self.resolve(&declaration.ty);
        if let TypeKind::Unsupported(problem) = &declaration.ty.kind {
            self.unsupported(
                range,
                &problem.what,
                "declarator is not understood",
                Effect::Control,
            );
        }
        if let Ty::Array(..) = &ty {
            let items: Option<&[Expr]> = match &declaration.init {
                Init::List(Expr {
                    kind: ExprKind::InitList(items),
                    ..
                }) => Some(items),
                _ => None,
            };
            if let Some(items) = items {
                ty = sized(ty, items.len());
            }
            let var = self.local_array(name, &ty, items, declaration.name_range);
            self.bind(name, Binding::Variable(var));
            if items.is_none()
                && let Ty::Struct(class) = ty.innermost()
                && self.constructs(class)
            {
                let place = Lvalue::Variable {
                    var,
                    path: Vec::new(),
                    ty: ty.clone(),
                };
                if !self.construct_elements(&place, &ty, range) {
                    let why = format!("the class `{}` has a constructor", class.name);
                    self.unsupported(range, "array of objects", &why, Effect::Control);
                }
            }
            return;
        }
        let is_unresolved = matches!(&ty, Ty::Opaque { bytes: None, name } if !name.is_empty())
            || matches!(&ty, Ty::Struct(class) if class.layout().is_none());
        if is_unresolved && !is_auto && !is_unknown(&ty) {
            let why = format!("the class `{}` is not understood", ty.describe());
            self.unsupported(range, "declaration", &why, Effect::Control);
        }
        let value = match &declaration.init {
            init if is_auto || is_unknown(&ty) => {
                let value = match init {
                    Init::Expr(expr) => {
                        ty = self.static_type(expr);
                        self.kept(expr, &ty)
                    }
                    Init::Call(args) if args.len() == 1 => {
                        ty = self.static_type(&args[0]);
                        self.kept(&args[0], &ty)
                    }
                    _ => Value::Unknown,
                };
                let own = super::typing::decayed(ty);
                let shown = self.type_of(&value);
                // What the value is tells more than what could be foretold of it.
                ty = if is_unknown(&own)
                    || (shown != own && matches!(shown, Ty::Scalar(_) | Ty::Pointer(_)))
                {
                    shown
                } else {
                    own
                };
                value
            }
            _ if is_unresolved => {
                let args: &[Expr] = match &declaration.init {
                    Init::Call(args) => args,
                    Init::Expr(one) | Init::List(one) => std::slice::from_ref(one),
                    Init::None => &[],
                };
                for arg in args {
                    if !matches!(arg.kind, ExprKind::InitList(_)) {
                        self.expr(arg);
                    }
                }
                Value::Uninitialised
            }
            Init::Expr(expr) => self.initialised(expr, &ty),
            init => self.initial(&ty, init, range),
        };
        let value = match value {
            Value::Uninitialised if super::objects::in_memory(&ty) => {
                let var = self.local_array(name, &ty, None, declaration.name_range);
                self.bind(name, Binding::Variable(var));
                return;
            }
            Value::Local(given) if super::objects::in_memory(&ty) => {
                // An object of its own with a copy of the bytes.
                let var = self.local_array(name, &ty, None, declaration.name_range);
                if let Value::Local(own) = self.env.get(var).clone() {
                    let array = own.array;
                    self.env
                        .set(var, Value::Local(LocalArray { array, ..given }));
                }
                self.bind(name, Binding::Variable(var));
                return;
            }
            value => value,
        };
        let var = self.variable(name, ty, value);
        self.bind(name, Binding::Variable(var));
    }

    /// `__shared__`: one object per block and instance of its function, however often that is inlined.
    fn declare_shared(&mut self, declaration: &VarDecl) {
        let ty = self.resolve(&declaration.ty);
        let key = (declaration.name_range.start, self.instance_of_function());
        let array = match self.shared.get(&key) {
            Some(&array) => array,
            None => {
                let array = self.array(
                    &declaration.name,
                    Space::Shared,
                    &ty,
                    declaration.name_range,
                );
                if declaration.storage.is_extern {
                    self.share_dynamic(array);
                }
                self.shared.insert(key, array);
                array
            }
        };
        self.bind(&declaration.name, Binding::Memory { array, ty });
    }

    fn jump_out(&mut self, cause: GuardCause, range: Range) {
        let is_break = cause == GuardCause::Break;
        let bottom = self.calls.last().map_or(0, |call| call.jumps);
        let target = (bottom..self.jumps.len()).rev().find(|&index| {
            let frame = &self.jumps[index];
            frame.loop_id.is_some() || (is_break && frame.label.is_none())
        });
        let Some(target) = target else {
            self.unsupported(
                range,
                if is_break { "break" } else { "continue" },
                "no loop around it",
                Effect::Control,
            );
            return;
        };
        self.jump_to(target, cause, range);
    }

    /// `break` and `continue` of what a frame stands for.
    pub(crate) fn jump_to(&mut self, target: usize, cause: GuardCause, range: Range) {
        let is_break = cause == GuardCause::Break;
        if !self.leave_objects(self.jumps[target].living) {
            return;
        }
        let in_switch = self.jumps[target].loop_id.is_none();
        let kind = match (is_break, in_switch) {
            (true, false) => PointKind::Break,
            (true, true) => PointKind::Join,
            (false, _) => PointKind::Continue,
        };
        let point = self.point(kind, range);
        if let (true, Some(loop_id)) = (is_break, self.jumps[target].loop_id) {
            self.facts.break_at.push(BreakAtRow { point, loop_id });
        }
        let jump = self.jump(self.jumps[target].guards, point);
        let frame = &mut self.jumps[target];
        if is_break {
            frame.breaks.push(jump)
        } else {
            frame.continues.push(jump)
        }
        let cause = if in_switch { GuardCause::Branch } else { cause };
        self.leave(cause, point, JumpTarget::Frame(target));
    }

    /// Whether a statement of the kernel ends all threads of the block that come to it: `if (n > 64) __trap();`. Where only some
    /// threads do, they are left out behind it.
    fn ends_all_threads(&self, expr: &Expr) -> bool {
        const ENDS: &[&str] = &["__builtin_trap", "__builtin_unreachable", "__trap", "abort"];
        let ExprKind::Call { callee, args } = &expr.kind else {
            return false;
        };
        let ExprKind::Name(name) = &callee.kind else {
            return false;
        };
        args.is_empty()
            && self.alive
            && self.calls.last().is_some_and(|call| call.is_kernel)
            && name
                .as_simple()
                .is_some_and(|simple| ENDS.contains(&simple))
            && self.index.functions(&name.base).is_empty()
            && self.certainly_uniform()
    }

    pub(super) fn return_(&mut self, value: Option<&Expr>, range: Range) {
        let (ret, by_reference) = self.calls.last().map_or((Ty::Void, false), |call| {
            (call.ret.clone(), call.by_reference)
        });
        let value = value.map(|expr| {
            self.full_expression(Some(expr.range), |me| {
                if by_reference {
                    let place = me.place(expr);
                    return me.address_of_place(place, expr.range);
                }
                match (&ret, &expr.kind) {
                    (Ty::Opaque { bytes: None, .. }, _) => {
                        let own = me.static_type(expr);
                        match me.special(&own).any() {
                            true => me.returned(expr, &own),
                            false => {
                                let value = me.expr(expr);
                                me.convert_to_any(value, &ret, expr.range)
                            }
                        }
                    }
                    (ret, ExprKind::InitList(items)) => me.construct_value(ret, items, expr.range),
                    (ret, _) => me.returned(expr, ret),
                }
            })
        });
        self.check_ensures(value.as_ref(), range);
        let Some(call) = self.calls.last() else {
            return;
        };
        let (is_kernel, guards, jumps) = (call.is_kernel, call.guards, call.jumps);
        if !self.leave_objects(call.living) {
            return;
        }
        for frame in &mut self.jumps[jumps..] {
            frame.left_early |= frame.loop_id.is_some();
        }
        // A function that returns from inside a loop breaks out of the outermost of its loops.
        let outermost = self.jumps[jumps..].iter().find_map(|frame| frame.loop_id);
        let in_loop = outermost.is_some();
        let kind = match (is_kernel, outermost) {
            (true, _) => PointKind::Return,
            (false, Some(_)) => PointKind::Break,
            (false, None) => PointKind::Join,
        };
        let point = self.point(kind, range);
        if let (false, Some(loop_id)) = (is_kernel, outermost) {
            self.facts.break_at.push(BreakAtRow { point, loop_id });
        }
        let jump = self.jump(guards, point);
        if let Some(call) = self.calls.last_mut() {
            call.returned_in_loop |= in_loop;
            call.returns.push((jump, value));
        }
        self.leave(
            if is_kernel {
                GuardCause::Return
            } else {
                GuardCause::Branch
            },
            point,
            JumpTarget::Call(self.calls.len()),
        );
    }

    /// `switch`: each run of statements between labels is executed when one of its labels matches
    /// or the run before falls through to it.
    fn switch(&mut self, cond: &Expr, items: &[SwitchItem], range: Range) {
        let living = self.open_scope();
        let value = self.full_expression(None, |me| me.scalar_expr(cond));
        let term = self.integer_of(&value, cond.range);
        let promoted = self.facts.terms.ty(term).promoted();
        let subject = self.facts.terms.cast(term, promoted);
        let guards = self.guards.len();
        let leavings = self.leavings.len();
        self.jumps.push(JumpFrame {
            guards,
            living,
            ..JumpFrame::default()
        });

        let mut labels = Vec::new();
        for item in items {
            if let SwitchItem::Case(expr) = item {
                let value = self.expr(expr);
                let label = self.integer_of(&value, expr.range);
                let label = self.facts.terms.cast(label, promoted);
                labels.push(self.facts.terms.binary(Op::Eq, CType::Bool, subject, label));
            }
        }
        let mut none = self.facts.terms.truth(true);
        for &label in &labels {
            let not = self.facts.terms.not(label);
            none = self.facts.terms.and(none, not);
        }

        let mut labels = labels.into_iter();
        let mut entered = self.facts.terms.truth(false);
        let mut position = 0;
        while position < items.len() {
            while let Some(item) = items.get(position) {
                let label = match item {
                    SwitchItem::Case(_) => labels.next().unwrap_or(none),
                    SwitchItem::Default(_) => none,
                    SwitchItem::Stmt(_) => break,
                };
                entered = self.facts.terms.or(entered, label);
                position += 1;
            }
            let start = position;
            while matches!(items.get(position), Some(SwitchItem::Stmt(_))) {
                position += 1;
            }
            if start < position && self.alive {
                entered = self.switch_run(entered, &items[start..position], range);
            }
        }
        self.finish_frame(leavings, range);
        self.close_scope(living);
    }

    /// One run of statements of a `switch`; gives the condition of falling through to the next.
    fn switch_run(&mut self, entered: TermId, items: &[SwitchItem], range: Range) -> TermId {
        let mut falls = self.facts.terms.truth(false);
        self.branch(
            entered,
            range,
            &mut |me| {
                let inside = me.guards.len();
                let living = me.living.len();
                for item in items {
                    if let SwitchItem::Stmt(stmt) = item {
                        me.stmt(stmt);
                    }
                }
                // No label may follow in the scope of what is declared here: it ends with the statement.
                me.end_objects(living);
                if me.alive {
                    let passed = me.conjunction(inside.min(me.guards.len()));
                    falls = me.facts.terms.and(entered, passed);
                }
            },
            &mut |_| {},
        );
        falls
    }
}
