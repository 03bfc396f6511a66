//! What functions of the program do with arrays that they are passed: `number(d, n)` fills what it gets, `run(d, n)` launches a
//! kernel with what its caller filled.
//!
//! **Algorithm.** A function that is called is gone through as the one is that launches, with its parameters as arrays that may be
//! reached by other ways. What is known of them at all its ends is known of the arguments behind the call, if the count is a number
//! or a parameter that keeps what it was passed. What is known of arguments at a call is known of the parameters where the function
//! begins, as long as it is run for that call.
//!
//! **Contract.** It must be certain which function a name means: one that is no member, no template and not overloaded, defined in the
//! unit, and of whose name nothing else is in sight. An array is given to it only where every mention of the parameter in it is
//! understood, so that it neither keeps nor gives away the address. A function that calls itself is not looked into there.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::names::Names;
use super::numbers::{holds, keeps, keeps_count};
use super::{Count, Fact, Order, State, Walk, calls, fills, mentions, simple};
use crate::lower::contracts::Property;
use crate::lower::unit::UnitIndex;
use crate::lower::walk;
use crate::syntax::ast::*;

/// The functions that were looked into.
#[derive(Default)]
pub(in crate::lower::host) struct Helpers<'u> {
    known: RefCell<FxHashMap<Range, Option<Rc<Helper<'u>>>>>,
    /// How many are being looked into.
    depth: Cell<u32>,
}

/// Deepest nesting of calls that are looked into.
const MAX_DEPTH: u32 = 16;

/// Deepest nesting of calls that are looked into with what is known of their arguments.
const MAX_CONTEXTS: u32 = 4;

/// What a function does with what it gets.
pub(super) struct Helper<'u> {
    function: &'u Function,
    /// By the positions of parameters that are arrays, and followed.
    passed: BTreeMap<usize, Passed>,
}

/// What becomes of an array that is passed.
#[derive(Default)]
struct Passed {
    element: Option<Scalar>,
    writes: bool,
    /// It may still be written in the default stream; in another one.
    under_way: (bool, bool),
    made: Vec<Made>,
}

/// Something that is known of it at the end.
struct Made {
    property: Property,
    count: Bound,
    from: Range,
    sums: bool,
    /// Only what is in the default stream comes behind it.
    in_stream: bool,
}

/// A count, as who calls the function sees it.
enum Bound {
    Number(i128),
    /// A parameter, and what is added to it.
    Parameter(usize, i128),
    /// As many as the vector has that is passed.
    Elements(usize, i128),
    /// What was told of an argument, by its number.
    Given(usize, i128),
}

/// What a call hands to a function.
#[derive(Clone, Debug)]
pub(super) struct Handed<'u> {
    pub function: Range,
    /// What is known of arguments, with the counts that the function itself has for it.
    pub facts: Vec<(usize, Fact<'u>, Option<Own>)>,
    /// The arrays that may still be written: in the default stream, in another one.
    pub under_way: Vec<(usize, (bool, bool))>,
    /// Those that who calls the function has to itself, and passes once.
    pub own: Vec<usize>,
}

/// A count of the function that is called.
#[derive(Clone, Copy, Debug)]
pub(super) enum Own {
    /// A parameter, and what is added to it.
    Parameter(usize, i128),
    /// As many as the vector has that is passed.
    Elements,
}

/// Something that is known of a parameter where a function begins.
#[derive(Clone, Debug)]
pub(super) struct Known {
    position: usize,
    property: Property,
    /// None: what the caller tells.
    number: Option<i128>,
    own: Option<Own>,
    from: Range,
    sums: bool,
    in_stream: bool,
}

/// What is known of the parameters of a function where it begins.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    pub facts: Vec<Known>,
    pub under_way: Vec<(usize, (bool, bool))>,
    pub own: Vec<usize>,
}

impl Entry {
    pub(super) fn of(handed: &Handed<'_>) -> Self {
        let known = |(position, fact, own): &(usize, Fact<'_>, Option<Own>)| Known {
            position: *position,
            property: fact.property,
            number: match fact.count {
                Count::Number(number) => Some(number),
                _ => None,
            },
            own: *own,
            from: fact.from,
            sums: fact.sums,
            in_stream: fact.stream.is_some(),
        };
        Self {
            facts: handed.facts.iter().map(known).collect(),
            under_way: handed.under_way.clone(),
            own: handed.own.clone(),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.under_way.is_empty()
    }

    /// A function begins: what is known of its parameters, and those that nothing else leads to.
    pub(super) fn begin<'u>(&self, function: &'u Function, walk: &mut Walk<'_, 'u>) {
        for position in &self.own {
            let param = function.params.get(*position);
            let name = param.and_then(|param| param.name.as_deref());
            let array = name.and_then(|name| walk.followed.arrays.get_mut(name));
            if let Some(array) = array {
                array.is_own = true;
            }
        }
        walk.state = Some(self.state(function, walk));
    }

    /// The state in which a function begins.
    fn state<'u>(&self, function: &'u Function, walk: &Walk<'_, 'u>) -> State<'u> {
        let mut state = State::default();
        let array = |position: usize| {
            let param = function.params.get(position)?;
            let (name, _) = walk.followed.array(param.name.as_deref()?)?;
            (!is_copied(param)).then_some(name)
        };
        for (number, known) in self.facts.iter().enumerate() {
            let Some(name) = array(known.position) else {
                continue;
            };
            let first = match known.number {
                Some(number) => Count::Number(number),
                None => Count::Given(number, 0),
            };
            let own = known.own.and_then(|own| match own {
                Own::Parameter(position, plus) => {
                    Some(Count::Of(mention(function, position)?, plus))
                }
                Own::Elements => Some(Count::All(name, 0)),
            });
            for count in [Some(first), own].into_iter().flatten() {
                if let Some(mut fact) = walk.fact(known.property, count, known.from) {
                    fact.sums = known.sums;
                    fact.stream = known.in_stream.then(String::new);
                    state.known.entry(name).or_default().push(fact);
                }
            }
        }
        for (position, under_way) in &self.under_way {
            if let Some(name) = array(*position) {
                let streams = streams(*under_way, function.range);
                state.under_way.entry(name).or_default().extend(streams);
            }
        }
        state
    }
}

/// A mention of a parameter in a function.
fn mention(function: &Function, position: usize) -> Option<&Expr> {
    let name = function.params.get(position)?.name.as_deref()?;
    let mut found = None;
    for stmt in function.body.iter().flat_map(|body| &body.stmts) {
        walk::each_expr(stmt, &mut |expr| {
            if found.is_none() && simple(expr) == Some(name) {
                found = Some(expr);
            }
        });
    }
    found
}

/// The texts of streams: the default one, and one that is like no other.
fn streams((default, other): (bool, bool), at: Range) -> Vec<String> {
    let mut streams = Vec::new();
    if default {
        streams.push(String::new());
    }
    if other {
        streams.push(format!("@{}", at.start));
    }
    streams
}

/// Whether the default stream is among some, and whether another one is.
fn kinds(streams: Option<&BTreeSet<String>>) -> (bool, bool) {
    let has = |default: bool| {
        let mut all = streams.into_iter().flatten();
        all.any(|one| one.is_empty() == default)
    };
    (has(true), has(false))
}

/// The function that a callee means.
pub(super) fn meant<'u>(
    index: &UnitIndex<'u>,
    names: &Names<'u>,
    callee: &Expr,
    count: usize,
) -> Option<&'u Function> {
    let ExprKind::Name(name) = &callee.kind else {
        return None;
    };
    let base = name.as_simple()?;
    // A member is meant in members of classes only.
    let all = index.functions(base).iter().copied();
    let all: Vec<&'u Function> = all
        .filter(|one| names.is_member || one.owner.is_none())
        .collect();
    // A function of a library may fit better, which the types of arguments bring in.
    let may_be_of_library = calls::is_name_of_algorithm(base)
        && (names.opens_library() || all.iter().any(|one| !takes_plain(one)));
    if all.is_empty() || may_be_of_library || names.may_be_other(index, base) {
        return None;
    }
    let mut defined = all.iter().copied().filter(|one| one.body.is_some());
    let function = defined.next()?;
    let repeats = |one: &&'u Function| {
        one.params.len() == function.params.len()
            && one.qualified == function.qualified
            && one.owner == function.owner
    };
    let quals = &function.quals;
    let is_plain = function.owner.is_none()
        && function.template.is_none()
        && !function.variadic
        && !quals.global
        && !quals.friend
        && (!quals.device || quals.host)
        && function.params.iter().all(|param| !param.pack);
    let in_sight = index.functions_at(base, names.scope, name.range);
    let is_seen = in_sight
        .iter()
        .any(|one| one.qualified == function.qualified);
    (defined.next().is_none()
        && all.iter().all(repeats)
        && is_plain
        && is_seen
        && count <= function.params.len())
    .then_some(function)
}

/// Whether a parameter is an object of its own, and not what is passed.
fn is_copied(param: &Param) -> bool {
    matches!(param.ty.kind, TypeKind::Named(_))
}

/// Whether all parameters are numbers, and pointers to such.
fn takes_plain(function: &Function) -> bool {
    function.params.iter().all(|param| match &param.ty.kind {
        TypeKind::Pointer(to) | TypeKind::Array(to, _) => to.scalar().is_some(),
        _ => param.ty.scalar().is_some(),
    })
}

impl<'u> Helpers<'u> {
    /// What a callee does with what it gets, if that is known.
    pub(super) fn of(
        &self,
        index: &'u UnitIndex<'u>,
        text: &str,
        names: &Names<'u>,
        (callee, count): (&Expr, usize),
    ) -> Option<Rc<Helper<'u>>> {
        let function = meant(index, names, callee, count)?;
        if let Some(known) = self.known.borrow().get(&function.range) {
            return known.clone();
        }
        // It may call itself.
        self.known.borrow_mut().insert(function.range, None);
        let depth = self.depth.get();
        self.depth.set(depth + 1);
        let helper = match depth < MAX_DEPTH {
            true => self.read(index, text, function).map(Rc::new),
            false => None,
        };
        self.depth.set(depth);
        self.known
            .borrow_mut()
            .insert(function.range, helper.clone());
        helper
    }

    fn read(
        &self,
        index: &'u UnitIndex<'u>,
        text: &str,
        function: &'u Function,
    ) -> Option<Helper<'u>> {
        let body = function.body.as_ref()?;
        let followed = mentions::followed(index, text, self, function)?;
        // What is in an expression may return from the function.
        let mut has_statements = false;
        for stmt in &body.stmts {
            walk::each_expr(stmt, &mut |expr| {
                has_statements |= matches!(expr.kind, ExprKind::StmtExpr(_));
            });
        }
        if has_statements {
            return None;
        }
        let mut walk = Walk::new(index, text, self, followed);
        let end = walk.ended(body);
        let mut written = BTreeSet::new();
        for stmt in &body.stmts {
            walk::each_expr(stmt, &mut |expr| written.extend(walk.written(expr)));
        }
        let mut passed = BTreeMap::new();
        for (position, param) in function.params.iter().enumerate() {
            let name = param.name.as_deref();
            let Some((name, array)) = name.and_then(|name| walk.followed.array(name)) else {
                continue;
            };
            // How many elements the vector has then is not known.
            if array.is_container && walk.followed.assigned.contains(name) {
                continue;
            }
            let mut one = Passed {
                element: Some(array.element),
                ..Passed::default()
            };
            // A vector that is passed by value is another one.
            if !array.is_own {
                one.writes = written.contains(name);
                let under_way = end.as_ref().and_then(|end| end.under_way.get(name));
                one.under_way = kinds(under_way);
                one.made = walk.made_of(function, name, end.as_ref());
            }
            passed.insert(position, one);
        }
        Some(Helper { function, passed })
    }
}

impl<'u> Helper<'u> {
    /// Whether it is known what becomes of an array that is passed at a position.
    pub(super) fn takes(&self, position: usize) -> bool {
        self.passed.contains_key(&position)
    }
}

impl<'u> Walk<'_, 'u> {
    /// What is known at all ends of a function.
    fn ended(&mut self, body: &'u Block) -> Option<State<'u>> {
        for stmt in &body.stmts {
            self.stmt(stmt);
        }
        let mut end = self.state.take();
        for state in std::mem::take(&mut self.returns) {
            end = self.joined(end, Some(state));
        }
        end
    }

    /// What is known of a parameter at the end, for who calls the function.
    fn made_of(&self, function: &'u Function, name: &str, end: Option<&State<'u>>) -> Vec<Made> {
        // It led elsewhere.
        if self.followed.assigned.contains(name) {
            return Vec::new();
        }
        let facts = end.and_then(|end| end.known.get(name));
        let facts = facts.into_iter().flatten();
        facts.filter_map(|fact| self.made(function, fact)).collect()
    }

    /// What is known of the parameters of a function at its end, where it begins with what a call hands to it.
    fn made_in_context(
        &self,
        function: &'u Function,
        entry: &Entry,
    ) -> Option<BTreeMap<usize, Vec<Made>>> {
        let body = function.body.as_ref()?;
        let followed = mentions::followed(self.index, self.text, self.helpers, function)?;
        let mut walk = Walk::new(self.index, self.text, self.helpers, followed);
        entry.begin(function, &mut walk);
        let depth = &self.helpers.depth;
        depth.set(depth.get() + 1);
        let end = walk.ended(body);
        depth.set(depth.get() - 1);
        let mut made = BTreeMap::new();
        for (position, param) in function.params.iter().enumerate() {
            let name = param.name.as_deref();
            if let Some((name, _)) = name.and_then(|name| walk.followed.array(name))
                && !is_copied(param)
            {
                made.insert(position, walk.made_of(function, name, end.as_ref()));
            }
        }
        Some(made)
    }

    /// Something that is known of a parameter, for who calls the function.
    fn made(&self, function: &'u Function, fact: &Fact<'u>) -> Option<Made> {
        let position = |name: &str| {
            let mut params = function.params.iter();
            let position = params.position(|param| param.name.as_deref() == Some(name))?;
            (!self.followed.assigned.contains(name)).then_some(position)
        };
        let count = match fact.count {
            Count::Number(number) => Bound::Number(number),
            Count::Of(expr, plus) => {
                let name = simple(self.followed.resolved(expr))?;
                self.followed.scalars.get(name)?;
                Bound::Parameter(position(name)?, plus)
            }
            Count::All(name, plus) => Bound::Elements(position(name)?, plus),
            Count::Given(number, plus) => Bound::Given(number, plus),
        };
        let in_stream = match &fact.stream {
            None => false,
            Some(stream) if stream.is_empty() => true,
            Some(_) => return None,
        };
        fact.source.is_none().then_some(Made {
            property: fact.property,
            count,
            from: fact.from,
            sums: fact.sums,
            in_stream,
        })
    }

    /// What is known of the function that is called.
    pub(super) fn helper(&self, callee: &Expr, args: &[Expr]) -> Option<Rc<Helper<'u>>> {
        let names = &self.followed.names;
        self.helpers
            .of(self.index, self.text, names, (callee, args.len()))
    }

    /// The arrays that a function changes which is called.
    pub(super) fn written_by_helper(&self, helper: &Helper<'u>, args: &'u [Expr]) -> Vec<&'u str> {
        let changed = helper.passed.iter().filter(|(_, passed)| passed.writes);
        let changed = changed.filter_map(|(position, _)| args.get(*position));
        changed
            .filter_map(|arg| self.followed.pointer(arg))
            .collect()
    }

    /// A call of a function of the program.
    pub(super) fn helped(&mut self, helper: &Helper<'u>, args: &'u [Expr], certain: bool) {
        let handed = args.first().and_then(|first| self.handed.get(&first.range));
        let handed = handed
            .filter(|handed| !handed.facts.is_empty() || handed.own.len() > 1)
            .cloned();
        let is_near = certain && self.helpers.depth.get() < MAX_CONTEXTS;
        let in_context = handed.as_ref().filter(|_| is_near).and_then(|handed| {
            let entry = Entry::of(handed);
            self.made_in_context(helper.function, &entry)
        });
        let given: Vec<Count<'u>> = handed
            .iter()
            .flat_map(|handed| &handed.facts)
            .map(|(_, fact, _)| fact.count)
            .collect();
        let mut filled = Vec::new();
        let mut begun = Vec::new();
        for (position, passed) in &helper.passed {
            let arg = args.get(*position);
            let name = arg.and_then(|arg| self.followed.pointer(arg));
            let Some((name, array)) = name.and_then(|name| self.followed.array(name)) else {
                continue;
            };
            let at = args[*position].range;
            begun.extend(
                streams(passed.under_way, at)
                    .into_iter()
                    .map(|one| (name, one)),
            );
            let is_same = certain && passed.element == Some(array.element);
            let made = match &in_context {
                Some(made) => made.get(position).map_or(&[][..], Vec::as_slice),
                None => &passed.made,
            };
            // What is only read stays known as it is here, unless other ways to it are.
            let is_told = is_same && (passed.writes || !array.is_own);
            for made in made.iter().filter(|_| is_told) {
                let count = self.bound_here(&made.count, helper.function, args, &given);
                let fact = count.and_then(|count| self.fact(made.property, count, made.from));
                if let Some(mut fact) = fact {
                    fact.sums = made.sums;
                    fact.stream = made.in_stream.then(String::new);
                    filled.push((name, fact));
                }
            }
        }
        for name in self.written_by_helper(helper, args) {
            self.kill(name);
        }
        for (name, fact) in filled {
            let order = match &fact.stream {
                None => Order::Program,
                Some(stream) => Order::Stream(stream.clone()),
            };
            self.fill(name, vec![fact], &order);
        }
        for (name, stream) in begun {
            self.is_under_way(name, stream);
        }
    }

    /// A count that a function speaks of, where it is called.
    fn bound_here(
        &self,
        count: &Bound,
        function: &'u Function,
        args: &'u [Expr],
        given: &[Count<'u>],
    ) -> Option<Count<'u>> {
        match count {
            Bound::Number(number) => Some(Count::Number(*number)),
            Bound::Parameter(position, plus) => {
                let arg = args.get(*position)?;
                let to = function.params.get(*position)?.ty.scalar()?;
                let from = self.followed.type_of(arg);
                // There are fewer than 2³¹ elements.
                let is_size =
                    self.followed.is_size(arg) && to.bits() >= 32 && to.signedness().is_some();
                let constant = self.followed.constant(arg);
                let is_kept = is_size
                    || from.is_some_and(|from| keeps_count(from, to))
                    || constant.is_some_and(|value| holds(to, value));
                let count = self.followed.count_of(arg).filter(|_| is_kept)?;
                Some(fills::plus(count, *plus))
            }
            Bound::Elements(position, plus) => {
                let name = simple(args.get(*position)?)?;
                Some(fills::plus(self.followed.extent(name)?, *plus))
            }
            Bound::Given(number, plus) => Some(fills::plus(*given.get(*number)?, *plus)),
        }
    }

    /// A count of the function that is called, of what is known of an argument.
    fn own_count(
        &self,
        function: &'u Function,
        args: &'u [Expr],
        position: usize,
        count: Count<'u>,
    ) -> Option<Own> {
        for (at, arg) in args.iter().enumerate() {
            let param = function.params.get(at)?;
            // Of what is negative the parameter would be large.
            let keeps_all = self.followed.is_size(arg)
                || self.followed.constant(arg).is_some_and(|value| value >= 0)
                || self
                    .followed
                    .type_of(arg)
                    .zip(param.ty.scalar())
                    .is_some_and(|(from, to)| keeps(from, to));
            if param.ty.scalar().is_none() || !keeps_all {
                continue;
            }
            let here = self.bound_here(&Bound::Parameter(at, 0), function, args, &[]);
            match (here, count) {
                (Some(Count::Number(here)), Count::Number(count)) if here == count => {
                    return Some(Own::Parameter(at, 0));
                }
                (Some(Count::Of(_, less)), Count::Of(_, plus))
                    if here.is_some_and(|here| {
                        self.is_same(fills::plus(here, plus - less), count)
                    }) =>
                {
                    return Some(Own::Parameter(at, plus - less));
                }
                (Some(Count::All(..)), Count::All(..))
                    if here.is_some_and(|here| self.is_same(here, count)) =>
                {
                    return Some(Own::Parameter(at, 0));
                }
                _ => {}
            }
        }
        let name = simple(args.get(position)?)?;
        let (_, array) = self.followed.array(name)?;
        let is_vector = matches!(
            function.params.get(position)?.ty.kind,
            TypeKind::Reference(_)
        );
        let all = self
            .followed
            .extent(name)
            .filter(|_| array.is_container && is_vector)?;
        self.is_same(all, count).then_some(Own::Elements)
    }

    /// Whether an expression mentions an array.
    fn names_it(&self, expr: &'u Expr, name: &str) -> bool {
        let mut found = false;
        walk::sub_exprs(expr, &mut |part| {
            found |= simple(part).is_some_and(|one| self.followed.own_name(one) == name);
        });
        found
    }

    /// Keeps what is known of the arguments of a call, for the function that it calls.
    pub(super) fn hand_over(&mut self, callee: &Expr, args: &'u [Expr]) {
        let names = &self.followed.names;
        let (Some(function), Some(first)) =
            (meant(self.index, names, callee, args.len()), args.first())
        else {
            return;
        };
        let mut handed = Handed {
            function: function.range,
            facts: Vec::new(),
            under_way: Vec::new(),
            own: Vec::new(),
        };
        let passed = |name: &str| {
            let mut all = args.iter();
            all.any(|arg| self.followed.pointer(arg).is_none() && self.names_it(arg, name))
        };
        for (position, arg) in args.iter().enumerate() {
            let Some(name) = self.followed.pointer(arg) else {
                continue;
            };
            let same = args.iter();
            let times = same.filter(|arg| self.followed.pointer(arg) == Some(name));
            let array = self.followed.array(name).map(|(_, array)| array);
            if array.is_some_and(|array| array.is_own) && times.count() == 1 && !passed(name) {
                handed.own.push(position);
            }
            let mut facts = self.ready(name, &Order::Stream(String::new()));
            facts.retain(|fact| fact.source.is_none());
            for fact in facts {
                let own = self.own_count(function, args, position, fact.count);
                handed.facts.push((position, fact, own));
            }
            let state = self.state.as_ref();
            let streams = state.and_then(|state| state.under_way.get(name));
            let streams = kinds(streams);
            if streams != (false, false) {
                handed.under_way.push((position, streams));
            }
        }
        if handed.facts.is_empty() && handed.under_way.is_empty() && handed.own.len() < 2 {
            self.handed.remove(&first.range);
        } else {
            self.handed.insert(first.range, handed);
        }
    }
}
