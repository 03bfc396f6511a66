//! What the elements of arrays are like that host code fills before a launch: `for (i…) idx[i] = i`, `std::iota`, a sum that is
//! carried on, a sort, a shuffle, a scan of a library, a kernel that an earlier launch ran.
//!
//! **Algorithm.** Each host function is gone through once, statement by statement. Of an array something is known from
//! the statement that fills it to the first that may change it; where ways meet only what both know stays; into a loop goes only
//! what nothing in the loop changes. It is said of the first elements, as many as were filled: the count is an expression whose
//! variables did not change since, and gets its value where the launch is met.
//!
//! **Contract.** An array is followed only if every word of the function that is its name stands where it is understood
//! ([`mentions`]): so no alias, reference, closure or function that is not seen changes it. A local pointer is followed only if it
//! gets nothing but allocations. What a parameter points to may be reached by other ways: what is known of it ends where
//! something may ([`reach`]). Functions and types are those of libraries only where nothing of the program may be meant ([`names`]),
//! and a number is another one only where every conversion between them keeps it ([`numbers`]). What another stream writes counts
//! once the program has waited for it; what is filled while another stream may still write counts for nothing. Calls of the runtime
//! and launches succeed, and arrays have fewer than 2³¹ elements.

mod calls;
mod fills;
mod forms;
mod grown;
mod helpers;
mod kernels;
mod mentions;
mod names;
mod numbers;
mod other_names;
mod reach;
mod usage;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use self::helpers::{Entry, Handed};
use self::mentions::Followed;
use self::reach::Reach;
use super::Host;
use super::launch::ToldOf;
use super::term::Term;
use super::value::Value;
use crate::lower::contracts::Property;
use crate::lower::unit::UnitIndex;
use crate::lower::walk;
use crate::syntax::ast::*;

/// How many elements, from the first on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Count<'u> {
    Number(i128),
    /// An expression without effects, and what is added to it.
    Of(&'u Expr, i128),
    /// As many as a vector has that is a parameter, and what is added.
    All(&'u str, i128),
    /// What the caller of the function tells, by its number, and what is added.
    Given(usize, i128),
}

/// What a launch may take for granted of an array that it is passed.
#[derive(Clone, Debug)]
pub(super) struct Told<'u> {
    /// Of which argument.
    pub position: usize,
    pub property: Property,
    pub count: Count<'u>,
    /// Where it is made so.
    pub from: Range,
    /// It rests on sums that do not wrap.
    pub sums: bool,
}

/// What is told at each launch of a function.
type ToldAt<'u> = BTreeMap<Range, Vec<Told<'u>>>;

/// What is told in a function: at launches, and at calls of functions of the program, by their first arguments.
#[derive(Debug, Default)]
pub(super) struct Inside<'u> {
    launches: ToldAt<'u>,
    calls: BTreeMap<Range, Handed<'u>>,
}

pub(super) use self::helpers::Helpers;

/// Something that is known of an array.
#[derive(Clone, Debug)]
struct Fact<'u> {
    property: Property,
    count: Count<'u>,
    /// The variables that the count is made of.
    names: BTreeSet<&'u str>,
    from: Range,
    sums: bool,
    /// Only launches in this stream come behind what made it so; in any, where the program has waited.
    stream: Option<String>,
    /// The array that it is being copied from.
    source: Option<&'u str>,
}

/// Behind what something happens.
#[derive(Clone, Debug)]
enum Order {
    /// The statements before it, on the processor.
    Program,
    /// A copy that waits for the default stream.
    Waiting,
    /// What is before it in a stream.
    Stream(String),
}

impl Order {
    fn follows(&self, fact: &Fact<'_>) -> bool {
        match (&fact.stream, self) {
            (None, _) => true,
            (Some(_), Order::Program) => false,
            (Some(own), Order::Waiting) => own.is_empty(),
            (Some(own), Order::Stream(stream)) => own == stream,
        }
    }
}

/// What is known at a point.
#[derive(Clone, Debug, Default)]
struct State<'u> {
    known: BTreeMap<&'u str, Vec<Fact<'u>>>,
    /// Pointers that an allocation has set.
    allocated: BTreeSet<&'u str>,
    /// The streams in which an array may still be written.
    under_way: BTreeMap<&'u str, BTreeSet<String>>,
}

struct Walk<'w, 'u> {
    index: &'u UnitIndex<'u>,
    text: &'w str,
    helpers: &'w Helpers<'u>,
    followed: Followed<'u>,
    /// `None` where no execution comes.
    state: Option<State<'u>>,
    /// What is known where the function is left before its end.
    returns: Vec<State<'u>>,
    /// What loops and branches that are left go on with is what was known at their heads.
    found: ToldAt<'u>,
    handed: BTreeMap<Range, Handed<'u>>,
}

/// What is known where a running function was called, with the counts that it is of.
#[derive(Default)]
struct Start {
    entry: Entry,
    /// None where one has no value here.
    counts: Vec<Option<Term>>,
}

impl<'u> Host<'_, 'u> {
    /// What is known of the arguments of a launch that is met, with its counts as they are here.
    pub(super) fn told(&mut self, launch: Range) -> Vec<ToldOf> {
        let Some(top) = self.frames.len().checked_sub(1) else {
            return Vec::new();
        };
        let start = self.started(top);
        let inside = self.inside(top, &start.entry);
        let mut given = Vec::new();
        for one in inside.launches.get(&launch).into_iter().flatten() {
            let Some(count) = self.count_in(top, one.count, &start.counts) else {
                continue;
            };
            given.push(ToldOf {
                position: one.position,
                property: one.property,
                count: self.bounded(count),
                from: one.from,
                sums: one.sums,
            });
        }
        given
    }

    /// What is known of the parameters of a running function, from where it was called.
    fn started(&mut self, frame: usize) -> Start {
        let mut start = Start::default();
        let first = self.frames[frame].args.and_then(<[Expr]>::first);
        let (Some(first), Some(caller)) = (first, frame.checked_sub(1)) else {
            return start;
        };
        let outer = self.started(caller);
        let inside = self.inside(caller, &outer.entry);
        let function = self.frames[frame].function;
        let call = inside.calls.get(&first.range);
        let Some(call) = call.filter(|call| call.function == function) else {
            return start;
        };
        start.entry = Entry::of(call);
        for (_, fact, _) in &call.facts {
            let count = self.count_in(caller, fact.count, &outer.counts);
            start.counts.push(count);
        }
        start
    }

    /// What is told inside a running function that begins with what is known of its parameters.
    fn inside(&mut self, frame: usize, entry: &Entry) -> Rc<Inside<'u>> {
        let range = self.frames[frame].function;
        if entry.is_empty()
            && let Some(inside) = self.inputs.get(&range)
        {
            return Rc::clone(inside);
        }
        let function = self.function_at(range);
        let helpers = &self.helpers;
        // What is only known of some call must not be kept for all.
        let nothing = Entry::default();
        let entry = match entry.is_empty() {
            true => &nothing,
            false => entry,
        };
        let inside = function.map(|one| found(self.index, self.text, helpers, one, entry));
        let inside = Rc::new(inside.unwrap_or_default());
        if entry.is_empty() {
            self.inputs.insert(range, Rc::clone(&inside));
        }
        inside
    }

    /// A count as a number, of the variables of a function that runs.
    fn count_in(&mut self, frame: usize, count: Count<'u>, given: &[Option<Term>]) -> Option<Term> {
        let (of, plus) = match count {
            Count::Number(number) => (Term::bytes(number), 0),
            Count::Given(number, plus) => (given.get(number)?.clone()?, plus),
            Count::Of(expr, plus) => {
                let above = self.frames.split_off(frame + 1);
                let value = self.eval(expr);
                self.frames.extend(above);
                let Value::Scalar(count) = value else {
                    return None;
                };
                (count, plus)
            }
            // Of a vector that another function has it is told there.
            Count::All(..) => return None,
        };
        Some(super::term::binary(BinaryOp::Add, of, Term::bytes(plus)))
    }
}

/// What is told inside a function.
fn found<'u>(
    index: &'u UnitIndex<'u>,
    text: &str,
    helpers: &Helpers<'u>,
    function: &'u Function,
    entry: &Entry,
) -> Inside<'u> {
    let followed = mentions::followed(index, text, helpers, function);
    let (Some(followed), Some(body)) = (followed, &function.body) else {
        return Inside::default();
    };
    if followed.arrays.is_empty() {
        return Inside::default();
    }
    let mut walk = Walk::new(index, text, helpers, followed);
    entry.begin(function, &mut walk);
    walk.block(body);
    Inside {
        launches: walk.found,
        calls: walk.handed,
    }
}

impl<'w, 'u> Walk<'w, 'u> {
    fn new(
        index: &'u UnitIndex<'u>,
        text: &'w str,
        helpers: &'w Helpers<'u>,
        followed: Followed<'u>,
    ) -> Self {
        Walk {
            index,
            text,
            helpers,
            followed,
            state: Some(State::default()),
            returns: Vec::new(),
            found: ToldAt::new(),
            handed: BTreeMap::new(),
        }
    }

    fn text_of(&self, range: Range) -> String {
        let text = self.text.get(range.bytes()).unwrap_or("");
        text.split_whitespace().collect()
    }

    fn block(&mut self, block: &'u Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        // What is made of variables that end here means nothing behind it.
        let mut ended = Vec::new();
        for stmt in &block.stmts {
            if let StmtKind::Decl(declarations) = &stmt.kind {
                ended.extend(declarations.iter().map(|one| one.name.as_str()));
            }
        }
        for name in ended {
            if !self.followed.other_names.contains(name) {
                self.kill(name);
            }
        }
    }

    fn stmt(&mut self, stmt: &'u Stmt) {
        if self.state.is_none() {
            return;
        }
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::Expr(expr) => self.effect(expr, true),
            StmtKind::Decl(declarations) => {
                for declaration in declarations {
                    self.declared(declaration);
                }
            }
            StmtKind::If {
                cond, then, els, ..
            } => {
                self.effect(cond, true);
                let before = self.state.clone();
                self.stmt(then);
                let after = std::mem::replace(&mut self.state, before);
                if let Some(els) = els {
                    self.stmt(els);
                }
                let other = self.state.take();
                self.state = self.joined(after, other);
            }
            StmtKind::DoWhile { body, cond } if is_once(cond) && !leaves(body) => self.stmt(body),
            StmtKind::For { init, .. } => {
                if let Some(init) = init {
                    self.stmt(init);
                }
                let filled = self.filled_by_loop(stmt);
                self.repeated(stmt);
                for (array, facts) in filled {
                    self.fill(array, facts, &Order::Program);
                }
            }
            StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::RangeFor { .. } => {
                self.repeated(stmt);
            }
            StmtKind::Switch { cond, items } => {
                self.effect(cond, true);
                self.forget_what_changes_in(stmt);
                let head = self.state.clone();
                for item in items {
                    match item {
                        SwitchItem::Stmt(stmt) => self.stmt(stmt),
                        SwitchItem::Case(_) | SwitchItem::Default(_) => {
                            self.state.clone_from(&head);
                        }
                    }
                }
                self.state = head;
            }
            StmtKind::Return(value) => {
                if let Some(value) = value {
                    self.effect(value, true);
                }
                self.returns.extend(self.state.take());
            }
            StmtKind::Break | StmtKind::Continue => self.state = None,
            _ => {}
        }
    }

    /// A loop: whatever it changes is not known at the head of any iteration, nor behind it.
    fn repeated(&mut self, stmt: &'u Stmt) {
        self.forget_what_changes_in(stmt);
        let head = self.state.clone();
        match &stmt.kind {
            StmtKind::For {
                cond, update, body, ..
            } => {
                cond.iter().for_each(|cond| self.effect(cond, false));
                self.stmt(body);
                // It may come from a `continue`.
                self.state.clone_from(&head);
                update.iter().for_each(|update| self.effect(update, false));
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.effect(cond, false);
                self.stmt(body);
            }
            StmtKind::RangeFor { range, body, .. } => {
                self.effect(range, false);
                self.stmt(body);
            }
            _ => {}
        }
        self.state = head;
    }

    fn forget_what_changes_in(&mut self, stmt: &'u Stmt) {
        let mut written = Vec::new();
        let mut swapped = Vec::new();
        let mut grown = Vec::new();
        let mut reaches = Vec::new();
        let mut under_way = Vec::new();
        walk::each_expr(stmt, &mut |expr| {
            let names = self.written(expr);
            reaches.push(self.reach(expr));
            under_way.extend(self.issued(expr));
            match self.followed.swaps.contains(&expr.range) {
                true => swapped.extend(names),
                false if self.only_grows(expr) => grown.extend(names),
                false => written.extend(names),
            }
        });
        walk::each_stmt(stmt, &mut |inner| match &inner.kind {
            StmtKind::Decl(declarations) => {
                written.extend(declarations.iter().map(|one| one.name.as_str()));
                if declarations.iter().any(|one| self.may_run_code(&one.ty)) {
                    reaches.push(Reach::Anything);
                }
            }
            StmtKind::RangeFor { var, .. } => written.push(var.name.as_str()),
            _ => {}
        });
        for name in written {
            if !self.followed.other_names.contains(name) {
                self.kill(name);
            }
        }
        for name in swapped {
            self.permuted(name, None, &Order::Program);
        }
        for name in grown {
            self.grown(name, &Order::Program, false);
        }
        for reach in reaches {
            self.reached(reach);
        }
        for (name, stream) in under_way {
            self.is_under_way(name, stream);
        }
    }

    fn declared(&mut self, declaration: &'u VarDecl) {
        match &declaration.init {
            Init::None => {}
            Init::Expr(expr) | Init::List(expr) => self.effect(expr, true),
            Init::Call(args) => args.iter().for_each(|arg| self.effect(arg, true)),
        }
        if self.may_run_code(&declaration.ty) {
            self.reached(Reach::Anything);
        }
        let name = declaration.name.as_str();
        if self.followed.other_names.contains(name) {
            return;
        }
        self.kill(name);
        let Some((name, array)) = self.followed.array(name) else {
            return;
        };
        if let Init::Expr(list) | Init::List(list) = &declaration.init
            && let ExprKind::InitList(items) = &list.kind
            && let Some(properties) = forms::of_list(items, &array, &self.followed)
        {
            self.know(name, properties, declaration.range);
        }
        if let Some((value, count)) = self.made_equal(declaration, &array) {
            let properties = grown::equal(array.element, value, count);
            self.know(name, properties, declaration.range);
        }
        // `thrust::device_vector<int> d = h;`, `d(h.begin(), h.end())`
        let source = match &declaration.init {
            Init::Expr(expr) => self.followed.pointer(expr),
            Init::Call(args) => match args.as_slice() {
                [one] => self.followed.pointer(one),
                [first, last] => match (self.followed.begin(first), self.followed.end(last)) {
                    (Some(begin), Some((end, _))) if begin == end => Some(begin),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        };
        if let Some(source) = source {
            self.copied_whole(name, source);
        }
    }

    /// What an expression does, parts first.
    fn effect(&mut self, expr: &'u Expr, certain: bool) {
        match &expr.kind {
            ExprKind::Conditional { cond, then, els } => {
                self.effect(cond, certain);
                self.effect(then, false);
                self.effect(els, false);
            }
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.effect(left, certain);
                self.effect(right, false);
            }
            ExprKind::Binary(_, left, right) | ExprKind::Comma(left, right) => {
                self.effect(left, certain);
                self.effect(right, certain);
            }
            // The right side comes first.
            ExprKind::Assign { lhs, rhs, .. } => {
                self.effect(rhs, certain);
                self.effect(lhs, certain);
            }
            ExprKind::Unary(_, arg) | ExprKind::Cast { arg, .. } => self.effect(arg, certain),
            ExprKind::Index { base, index } => {
                self.effect(base, certain);
                self.effect(index, certain);
            }
            ExprKind::Call { args, .. } => args.iter().for_each(|arg| self.effect(arg, certain)),
            ExprKind::Launch { config, args, .. } => {
                let parts = config.iter().chain(args);
                parts.for_each(|arg| self.effect(arg, certain));
            }
            ExprKind::StmtExpr(block) if certain => self.block(block),
            ExprKind::StmtExpr(block) => {
                for stmt in &block.stmts {
                    self.forget_what_changes_in(stmt);
                }
            }
            ExprKind::Name(_) | ExprKind::Int { .. } | ExprKind::Lambda(_) => {}
            _ => {
                let mut parts = Vec::new();
                walk::sub_exprs(expr, &mut |part| {
                    if !std::ptr::eq(part, expr) {
                        parts.push(part);
                    }
                });
                for part in parts {
                    self.apply(part, false);
                }
            }
        }
        self.apply(expr, certain);
    }

    /// What an expression does itself.
    fn apply(&mut self, expr: &'u Expr, certain: bool) {
        if let ExprKind::Launch {
            kernel,
            config,
            args,
        } = &expr.kind
        {
            let issued = self.issued(expr);
            self.launched(kernel, config, args, expr.range, certain);
            for (name, stream) in issued {
                self.is_under_way(name, stream);
            }
            return;
        }
        if let ExprKind::Call { callee, args } = &expr.kind {
            self.hand_over(callee, args);
        }
        let issued = self.issued(expr);
        self.reached(self.reach(expr));
        if let ExprKind::Call { callee, args } = &expr.kind
            && let Some(helper) = self.helper(callee, args)
        {
            self.helped(&helper, args, certain);
            return;
        }
        if let ExprKind::Call { callee, args } = &expr.kind
            && self.called(callee, args, expr.range, certain)
        {
            for (name, stream) in issued {
                self.is_under_way(name, stream);
            }
            return;
        }
        if let ExprKind::Assign { op: None, lhs, rhs } = &expr.kind
            && certain
            && self.is_assigned_whole(lhs, rhs)
        {
            return;
        }
        let is_swap = self.followed.swaps.contains(&expr.range);
        for name in self.written(expr) {
            match is_swap {
                true => self.permuted(name, None, &Order::Program),
                false if self.only_grows(expr) => self.grown(name, &Order::Program, false),
                false => self.kill(name),
            }
        }
        for (name, stream) in issued {
            self.is_under_way(name, stream);
        }
    }

    /// The arrays that an expression begins to write in a stream.
    fn issued(&self, expr: &'u Expr) -> Vec<(&'u str, String)> {
        let stream = match &expr.kind {
            ExprKind::Launch { config, .. } => self.stream(config.get(3)),
            ExprKind::Call { callee, args } => {
                match calls::issues(&self.followed.names, callee, args) {
                    Some(stream) => self.stream(stream),
                    None => return Vec::new(),
                }
            }
            _ => return Vec::new(),
        };
        let mut names = self.written(expr);
        let by_host = |array: &mentions::Array<'u>| {
            let is_call = matches!(&expr.kind, ExprKind::Call { callee, .. } if calls::is_of_thrust(&self.followed.names, callee));
            array.on_host && is_call
        };
        names.retain(|name| {
            let array = self.followed.array(name);
            array.is_some_and(|(_, array)| !by_host(&array))
        });
        let named = names.into_iter();
        named.map(|name| (name, stream.clone())).collect()
    }

    fn is_under_way(&mut self, name: &'u str, stream: String) {
        if let Some(state) = &mut self.state {
            state.under_way.entry(name).or_default().insert(stream);
        }
    }

    /// Whether nothing that was begun before may come behind something that happens in this order.
    fn comes_last(&self, name: &str, order: &Order) -> bool {
        let state = self.state.as_ref();
        let mut streams = state
            .and_then(|state| state.under_way.get(name))
            .into_iter()
            .flatten();
        streams.all(|stream| match order {
            Order::Program => false,
            Order::Waiting => stream.is_empty(),
            Order::Stream(own) => own == stream,
        })
    }

    /// The followed names that an expression itself changes, of arrays their own ones.
    fn written(&self, expr: &'u Expr) -> Vec<&'u str> {
        let mut names = self.written_by(expr);
        for name in &mut names {
            *name = self.followed.own_name(name);
        }
        names
    }

    fn written_by(&self, expr: &'u Expr) -> Vec<&'u str> {
        let place = |lhs: &'u Expr| {
            let mut inner = lhs;
            while let ExprKind::Index { base, .. } = &inner.kind {
                inner = base;
            }
            simple(inner)
        };
        match &expr.kind {
            ExprKind::Assign { lhs, .. } => place(lhs).into_iter().collect(),
            ExprKind::IncDec { arg, .. } => place(arg).into_iter().collect(),
            ExprKind::Delete(inner) => simple(inner).into_iter().collect(),
            ExprKind::Call { callee, args } => match self.helper(callee, args) {
                Some(helper) => self.written_by_helper(&helper, args),
                None => calls::written(&self.followed, callee, args),
            },
            ExprKind::Launch { kernel, args, .. } => {
                let mut names = Vec::new();
                for (position, arg) in args.iter().enumerate() {
                    if let Some(name) = self.followed.pointer(arg)
                        && self.usage(kernel, position) != kernels::Usage::Reads
                    {
                        names.push(name);
                    }
                }
                names
            }
            _ => Vec::new(),
        }
    }

    /// A variable has another value, or an array other elements.
    fn kill(&mut self, name: &str) {
        let Some(state) = &mut self.state else { return };
        state.known.remove(name);
        for facts in state.known.values_mut() {
            facts.retain(|fact| !fact.names.contains(name) && fact.source != Some(name));
        }
    }

    /// The elements of an array changed places among themselves: all of them, or as many as told. What was copied from it before is
    /// not known while it may be on its way.
    fn permuted(&mut self, name: &str, among: Option<Count<'u>>, order: &Order) {
        let among = among.or_else(|| self.followed.extent(name));
        let facts = match among {
            Some(among) => {
                let mut facts = self.ready(name, order);
                facts.retain_mut(|fact| {
                    fact.property = match fact.property {
                        Property::StrictlyIncreasing => Property::Distinct,
                        property => property,
                    };
                    let of_all = !matches!(fact.property, Property::Sorted | Property::Offsets);
                    of_all && self.is_same(fact.count, among)
                });
                facts
            }
            _ => Vec::new(),
        };
        self.kill(name);
        if let Some(state) = &mut self.state
            && let Some((name, _)) = self.followed.array(name)
        {
            state.known.insert(name, facts);
        }
    }

    /// Adds what is known of an array as it is now, if nothing that is still under way may come behind.
    fn fill(&mut self, name: &'u str, facts: Vec<Fact<'u>>, order: &Order) {
        if !self.comes_last(name, order) {
            return;
        }
        if let Some(state) = &mut self.state {
            state.known.entry(name).or_default().extend(facts);
        }
    }

    /// The same, of properties and how many elements they are of.
    fn know(&mut self, name: &'u str, properties: Vec<(Property, Count<'u>)>, from: Range) {
        let facts = properties
            .into_iter()
            .filter_map(|(property, count)| self.fact(property, count, from))
            .collect();
        self.fill(name, facts, &Order::Program);
    }

    fn fact(&self, property: Property, count: Count<'u>, from: Range) -> Option<Fact<'u>> {
        Some(Fact {
            property,
            count,
            names: self.followed.names_of(count)?,
            from,
            sums: false,
            stream: None,
            source: None,
        })
    }

    /// One array gets the first elements of another one: as many as told, or all.
    fn copy(&mut self, to: &'u str, from: &'u str, count: Option<Count<'u>>, order: &Order) {
        let same_type = match (self.followed.array(to), self.followed.array(from)) {
            (Some((_, to)), Some((_, from))) => to.element == from.element,
            _ => false,
        };
        let mut facts = self.ready(from, order);
        facts.retain_mut(|fact| match count {
            None => true,
            Some(count) if self.is_same(fact.count, count) => true,
            Some(Count::Number(count)) => match fact.count {
                Count::Number(known) if known >= count => {
                    fact.count = Count::Number(count);
                    true
                }
                _ => false,
            },
            Some(_) => false,
        });
        for fact in &mut facts {
            (fact.stream, fact.source) = match order {
                Order::Stream(stream) => (Some(stream.clone()), Some(from)),
                _ => (None, None),
            };
        }
        self.kill(to);
        if same_type {
            self.fill(to, facts, order);
        }
    }

    /// What is known of an array when something reads it in this order.
    fn ready(&self, name: &str, order: &Order) -> Vec<Fact<'u>> {
        let state = self.state.as_ref();
        let facts = state.and_then(|state| state.known.get(name));
        let facts = facts.into_iter().flatten();
        facts.filter(|fact| order.follows(fact)).cloned().collect()
    }

    /// The program waits for a stream, or for all.
    fn waited(&mut self, stream: Option<&str>) {
        let Some(state) = &mut self.state else { return };
        for streams in state.under_way.values_mut() {
            streams.retain(|one| stream.is_some_and(|stream| stream != one));
        }
        for fact in state.known.values_mut().flatten() {
            if stream.is_none() || fact.stream.as_deref() == stream {
                fact.stream = None;
                fact.source = None;
            }
        }
    }

    /// What is known where two ways meet.
    fn joined(&self, one: Option<State<'u>>, other: Option<State<'u>>) -> Option<State<'u>> {
        let (mut one, other) = match (one, other) {
            (Some(one), Some(other)) => (one, other),
            (one, other) => return one.or(other),
        };
        for (name, facts) in &mut one.known {
            let others = other.known.get(name).map_or(&[][..], Vec::as_slice);
            facts.retain(|fact| {
                others.iter().any(|other| {
                    fact.property == other.property
                        && fact.from == other.from
                        && fact.stream == other.stream
                        && fact.source == other.source
                        && self.is_same(fact.count, other.count)
                })
            });
        }
        one.allocated.retain(|name| other.allocated.contains(name));
        for (name, streams) in other.under_way {
            one.under_way.entry(name).or_default().extend(streams);
        }
        Some(one)
    }

    /// Whether two counts are one, by their texts: what they are made of has not changed since.
    fn is_same(&self, one: Count<'u>, other: Count<'u>) -> bool {
        match (one, other) {
            (Count::Number(one), Count::Number(other)) => one == other,
            (Count::Of(one, plus), Count::Of(other, more)) => {
                plus == more && self.text_of(one.range) == self.text_of(other.range)
            }
            (Count::All(one, plus), Count::All(other, more)) => one == other && plus == more,
            (Count::Given(one, plus), Count::Given(other, more)) => one == other && plus == more,
            _ => false,
        }
    }
}

/// `do { … } while (0)`
fn is_once(cond: &Expr) -> bool {
    matches!(
        cond.kind,
        ExprKind::Int { value: 0, .. } | ExprKind::Bool(false)
    )
}

/// Whether a statement has a jump that may lead out of it.
fn leaves(stmt: &Stmt) -> bool {
    let mut found = false;
    walk::each_stmt(stmt, &mut |inner| {
        found |= matches!(inner.kind, StmtKind::Break | StmtKind::Continue);
    });
    found
}

/// The name that an expression is.
fn simple(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => name.as_simple(),
        _ => None,
    }
}

/// A pointer or a handle without the casts that give it another type.
fn uncast(expr: &Expr) -> &Expr {
    let mut inner = expr;
    while let ExprKind::Cast { ty, arg, .. } = &inner.kind
        && matches!(ty.kind, TypeKind::Pointer(_) | TypeKind::Named(_))
    {
        inner = arg;
    }
    inner
}
