//! Which arrays and numbers of a function can be followed: those whose every mention is understood.
//!
//! **Algorithm.** The body is read expression by expression, in contexts: a value is read, a place is set, a pointer is passed to a
//! function that is known. Each mention that a context allows is counted. A name is followed if the words of the function that are this
//! name are its one declaration and the counted mentions: whatever else takes its address, gives it away or refers to it,
//! however it is written, is a word that was not counted.

use std::collections::{BTreeMap, BTreeSet};

use super::super::parts;
use super::helpers::Helpers;
use super::names::Names;
use super::numbers::{common, holds, keeps_count, promoted};
use super::other_names::{OtherNames, element_of};
use super::{Count, calls, fills, kernels, simple};
use crate::lower::unit::{UnitIndex, enclosing};
use crate::lower::walk;
use crate::syntax::ast::*;

/// Words with which the order of statements says little of what happens when.
const NOT_IN_ORDER: [&str; 13] = [
    "goto",
    "asm",
    "setjmp",
    "longjmp",
    "fork",
    "signal",
    "try",
    "catch",
    "co_await",
    "omp",
    "co_yield",
    "volatile",
    "const_cast",
];

/// Single-assignment variables are looked through this often.
const MAX_STEPS: u32 = 4;

/// An array that is followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Array<'u> {
    pub element: Scalar,
    /// How many elements it has, if one expression says so.
    pub extent: Option<Count<'u>>,
    /// A `std::vector` or one of thrust: its name is no pointer.
    pub is_container: bool,
    /// A vector whose elements algorithms of all libraries reach on the processor.
    pub on_host: bool,
    /// An array that is declared as one: its size is that of all its elements.
    pub in_place: bool,
    /// The function has the elements to itself: nothing that it does not name reaches them.
    pub is_own: bool,
}

/// What is followed of a function.
#[derive(Debug, Default)]
pub(super) struct Followed<'u> {
    pub arrays: BTreeMap<&'u str, Array<'u>>,
    pub other_names: OtherNames<'u>,
    /// Numbers, by their types.
    pub scalars: BTreeMap<&'u str, Scalar>,
    /// Those that are set after their declaration.
    pub assigned: BTreeSet<&'u str>,
    /// What variables are declared with, and as what; of a `dim3` its first size, if the others are 1.
    pub inits: BTreeMap<&'u str, (Scalar, &'u Expr)>,
    /// Constants at namespace scope, by their simple names.
    constants: BTreeMap<&'u str, (Scalar, &'u Expr)>,
    /// Streams that stay the same, whatever is done in between.
    pub steady: BTreeSet<&'u str>,
    pub names: Names<'u>,
    /// Expressions that only make two elements of an array change places, or are a part of that.
    pub swaps: BTreeSet<Range>,
}

/// What of a function is followed; `None` where its statements may not run in their order.
pub(super) fn followed<'u>(
    index: &'u UnitIndex<'u>,
    text: &str,
    helpers: &Helpers<'u>,
    function: &'u Function,
) -> Option<Followed<'u>> {
    let body = function.body.as_ref()?;
    let by_reference = |ty: &Type| {
        matches!(
            ty.kind,
            TypeKind::Reference(_) | TypeKind::RvalueReference(_)
        )
    };
    if !function.parse_errors.is_empty() || function.variadic || by_reference(&function.ret) {
        return None;
    }
    let words = words(text.get(function.range.bytes())?);
    let strange = |word: &&str| {
        NOT_IN_ORDER.contains(word) || word.contains("Graph") || word.contains("Capture")
    };
    if words.keys().any(strange) {
        return None;
    }
    let mut reader = Reader {
        index,
        text,
        helpers,
        known: Followed {
            names: Names::of(index, function),
            ..Followed::default()
        },
        counted: BTreeMap::new(),
        declared: BTreeMap::new(),
        understood: true,
    };
    reader.constants(function);
    for param in &function.params {
        if let Some(name) = &param.name {
            reader.declare((name, param.range), &param.ty, &Init::None, true);
        }
    }
    // Declarations first: a loop may use above what is declared below it.
    for stmt in &body.stmts {
        walk::each_stmt(stmt, &mut |inner| match &inner.kind {
            StmtKind::Decl(all) => {
                for one in all {
                    let storage = one.storage;
                    if !storage.is_static && !storage.is_extern && !storage.thread_local {
                        reader.declare((&one.name, one.range), &one.ty, &one.init, false);
                    } else {
                        *reader.declared.entry(&one.name).or_default() += 2;
                    }
                }
            }
            StmtKind::RangeFor { var, .. } => {
                reader.declare((&var.name, var.range), &var.ty, &Init::None, false)
            }
            StmtKind::Goto(_)
            | StmtKind::Label(..)
            | StmtKind::Asm(_)
            | StmtKind::Binding { .. }
            | StmtKind::MemberInit { .. }
            | StmtKind::Unsupported { .. } => reader.understood = false,
            _ => {}
        });
    }
    for stmt in &body.stmts {
        walk::each_expr(stmt, &mut |expr| {
            if let ExprKind::Cast { ty, .. } = &expr.kind {
                reader.understood &= !refers_to_variable(ty);
            }
        });
    }
    reader.block(body);
    if !reader.understood {
        return None;
    }
    let streams = reader.streams(function, body, &words);
    reader.known.steady = streams;
    let Reader {
        mut known,
        counted,
        declared,
        ..
    } = reader;
    let is_whole = |name: &str| {
        let mentions = counted.get(name).copied().unwrap_or(0);
        declared.get(name) == Some(&1) && words.get(name) == Some(&(mentions + 1))
    };
    let own = &known.names.own;
    known.constants.retain(|name, _| !own.contains(name));
    let broken = known.other_names.broken(&is_whole);
    known
        .arrays
        .retain(|name, _| is_whole(name) && !broken.contains(name));
    let arrays = &known.arrays;
    known.other_names.retain(&|name| arrays.contains_key(name));
    known.scalars.retain(|name, _| is_whole(name));
    known.inits.retain(|name, _| is_whole(name));
    let extents: Vec<(&str, Option<Count<'u>>)> = known
        .arrays
        .keys()
        .map(|name| (*name, known.settled(known.arrays[name].extent)))
        .collect();
    for (name, extent) in extents {
        if let Some(array) = known.arrays.get_mut(name) {
            array.extent = extent;
        }
    }
    known.find_swaps(body, text);
    Some(known)
}

/// How often each word stands in a text, literals apart.
fn words(text: &str) -> BTreeMap<&str, u32> {
    let mut found = BTreeMap::new();
    for (part, is_literal) in parts(text) {
        if is_literal {
            continue;
        }
        for word in part.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if !word.is_empty() {
                *found.entry(word).or_default() += 1;
            }
        }
    }
    found
}

/// How often a word stands in the text of a function.
pub(super) fn times(text: &str, function: &Function, word: &str) -> u32 {
    words_of(text, function.range, word)
}

/// The same of any part of the text.
pub(super) fn words_of(text: &str, range: Range, word: &str) -> u32 {
    let text = text.get(range.bytes()).unwrap_or("");
    words(text).get(word).copied().unwrap_or(0)
}

struct Reader<'w, 'u> {
    index: &'u UnitIndex<'u>,
    text: &'w str,
    helpers: &'w Helpers<'u>,
    known: Followed<'u>,
    counted: BTreeMap<&'u str, u32>,
    declared: BTreeMap<&'u str, u32>,
    understood: bool,
}

impl<'u> Reader<'_, 'u> {
    /// Constants outside of functions, as a function that is no member sees them.
    fn constants(&mut self, function: &Function) {
        if function.owner.is_some() {
            return;
        }
        let mut seen = BTreeSet::new();
        // Of namespaces around the function.
        let is_around = |name: &str| {
            let space = enclosing(name);
            let inside = function.qualified.strip_prefix(space);
            space.is_empty() || inside.is_some_and(|rest| rest.starts_with("::"))
        };
        for global in &self.index.unit.globals {
            let name = global.name.rsplit("::").next().unwrap_or(&global.name);
            let is_constant = global.ty.is_const || global.storage.constexpr;
            match &global.init {
                Init::Expr(value)
                    if is_around(&global.name)
                        && seen.insert(name)
                        && is_constant
                        && global.template.is_empty() =>
                {
                    if let Some(ty) = global.ty.scalar() {
                        self.known.constants.insert(name, (ty, value));
                    }
                }
                _ => {
                    seen.insert(name);
                    self.known.constants.remove(name);
                }
            }
        }
        for one in self.index.unit.enums.iter().flat_map(|one| &one.values) {
            self.known.constants.remove(one.name.as_str());
        }
    }

    /// A variable. Elements that a parameter points to may be reached in other ways; those of a local pointer may not, if it only
    /// ever gets allocations.
    fn declare(
        &mut self,
        (name, at): (&'u str, Range),
        ty: &'u Type,
        init: &'u Init,
        is_param: bool,
    ) {
        *self.declared.entry(name).or_default() += 1;
        let (index, names) = (self.index, &self.known.names);
        let allocation = |init| calls::allocation(index, names, init);
        let class = match &ty.kind {
            TypeKind::Reference(to) => &to.kind,
            kind => kind,
        };
        let on_host = matches!(class, TypeKind::Named(name) if name.base != "device_vector");
        let is_reference = matches!(ty.kind, TypeKind::Reference(_));
        let array = |element: &Type, extent: Option<Count<'u>>, is_container: bool| {
            let element = element.scalar()?;
            Some(Array {
                element,
                extent,
                is_container,
                on_host,
                in_place: !is_param && matches!(ty.kind, TypeKind::Array(..)),
                is_own: !is_param || is_container && !is_reference,
            })
        };
        let made = match &ty.kind {
            TypeKind::Scalar(scalar) => {
                self.known.scalars.insert(name, *scalar);
                None
            }
            TypeKind::Auto => {
                if let Init::Expr(init) = init
                    && let Some((element, extent)) = allocation(init)
                {
                    element.map(|element| Array {
                        element,
                        extent,
                        is_container: false,
                        on_host: false,
                        in_place: false,
                        is_own: true,
                    })
                } else {
                    None
                }
            }
            TypeKind::Pointer(element) if !element.is_volatile => match init {
                Init::None => array(element, None, false),
                Init::Expr(init) => {
                    allocation(init).and_then(|(_, extent)| array(element, extent, false))
                }
                _ => None,
            },
            TypeKind::Array(element, Some(size)) => array(element, Some(count(size)), false),
            TypeKind::Array(element, None) => {
                let extent = match init {
                    Init::Expr(list) | Init::List(list) => match &list.kind {
                        ExprKind::InitList(items) => Some(Count::Number(items.len() as i128)),
                        _ => None,
                    },
                    _ => None,
                };
                array(element, extent, false)
            }
            TypeKind::Named(written) if is_vector(index, names, written) => {
                let element = match written.args.as_deref() {
                    Some([TemplateArg::Type(element), ..]) => Some(element),
                    _ => None,
                };
                let extent = match init {
                    Init::Call(args) => match args.as_slice() {
                        [size] | [size, _] if simple(size).is_none_or(|one| one != name) => {
                            Some(count(size))
                        }
                        _ => None,
                    },
                    Init::List(list) | Init::Expr(list) => match &list.kind {
                        ExprKind::InitList(items) if items.len() > 2 => {
                            Some(Count::Number(items.len() as i128))
                        }
                        _ => None,
                    },
                    Init::None => None,
                };
                // As many as the vector has of which it is a copy.
                let source = match init {
                    Init::Expr(one) => simple(one),
                    Init::Call(args) => match args.as_slice() {
                        [one] => simple(one),
                        _ => None,
                    },
                    _ => None,
                };
                let source = source.and_then(|name| self.known.arrays.get_key_value(name));
                let extent = match source {
                    Some((source, array)) if array.is_container && array.is_own => {
                        Some(Count::All(source, 0))
                    }
                    _ => extent,
                };
                element.and_then(|element| array(element, extent, true))
            }
            // A vector of whoever calls the function.
            TypeKind::Reference(to) if is_param => match &to.kind {
                TypeKind::Named(written) if is_vector(index, names, written) => {
                    let element = match written.args.as_deref() {
                        Some([TemplateArg::Type(element), ..]) => Some(element),
                        _ => None,
                    };
                    element.and_then(|one| array(one, Some(Count::All(name, 0)), true))
                }
                _ => None,
            },
            TypeKind::Named(written) if written.base == "dim3" => {
                if let Init::Call(args) = init
                    && let [first, rest @ ..] = args.as_slice()
                    && rest
                        .iter()
                        .all(|one| matches!(one.kind, ExprKind::Int { value: 1, .. }))
                {
                    self.known.inits.insert(name, (Scalar::UInt, first));
                }
                None
            }
            _ => None,
        };
        match made {
            Some(array) => {
                self.known.arrays.insert(name, array);
            }
            None => {
                if let Some(array) = self.known.named_again(index, ty, init) {
                    self.known.other_names.add(name, array, at);
                }
            }
        }
        if let Some(ty) = ty.scalar()
            && let Init::Expr(init) = init
        {
            self.known.inits.insert(name, (ty, init));
        }
    }

    fn count(&mut self, expr: &'u Expr) {
        if let Some(name) = simple(expr) {
            *self.counted.entry(name).or_default() += 1;
        }
    }

    fn is_array(&self, expr: &'u Expr) -> bool {
        simple(expr).is_some_and(|name| self.known.array(name).is_some())
    }

    fn is_other_name(&self, expr: &'u Expr) -> bool {
        simple(expr).is_some_and(|name| self.known.other_names.contains(name))
    }

    fn block(&mut self, block: &'u Block) {
        block.stmts.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'u Stmt) {
        match &stmt.kind {
            StmtKind::Block(block) => self.block(block),
            StmtKind::Expr(expr) => self.value(expr),
            StmtKind::Decl(declarations) => {
                for one in declarations {
                    self.declaration(one);
                }
            }
            StmtKind::If {
                cond, then, els, ..
            } => {
                self.truth(cond);
                self.stmt(then);
                els.iter().for_each(|els| self.stmt(els));
            }
            StmtKind::For {
                init,
                cond,
                update,
                body,
            } => {
                init.iter().for_each(|init| self.stmt(init));
                cond.iter().for_each(|cond| self.truth(cond));
                update.iter().for_each(|update| self.value(update));
                self.stmt(body);
            }
            StmtKind::RangeFor { var, range, body } => {
                let is_value = |ty: &Type| matches!(ty.kind, TypeKind::Scalar(_) | TypeKind::Auto);
                let reads = match &var.ty.kind {
                    TypeKind::Reference(to) => to.is_const && is_value(to),
                    _ => is_value(&var.ty),
                };
                if reads {
                    self.count(range);
                }
                self.stmt(body);
            }
            StmtKind::While { cond, body } | StmtKind::DoWhile { body, cond } => {
                self.truth(cond);
                self.stmt(body);
            }
            StmtKind::Switch { cond, items } => {
                self.value(cond);
                for item in items {
                    match item {
                        SwitchItem::Case(expr) => self.value(expr),
                        SwitchItem::Stmt(stmt) => self.stmt(stmt),
                        SwitchItem::Default(_) => {}
                    }
                }
            }
            StmtKind::Return(Some(value)) => self.value(value),
            _ => {}
        }
    }

    fn declaration(&mut self, one: &'u VarDecl) {
        if let TypeKind::Array(_, Some(size)) = &one.ty.kind {
            self.value(size);
        }
        let refers = matches!(
            one.ty.kind,
            TypeKind::Reference(_) | TypeKind::RvalueReference(_)
        );
        // `decltype(auto) x = (a[i]);` is a reference.
        let written = self.text.get(one.ty.range.bytes()).unwrap_or_default();
        if refers || written.contains("decltype") {
            return;
        }
        if self.known.other_names.contains(&one.name) {
            match &one.init {
                Init::Expr(init) | Init::List(init) => self.inside(init),
                Init::Call(args) => args.iter().for_each(|arg| self.inside(arg)),
                Init::None => {}
            }
            return;
        }
        let names = &self.known.names;
        let is_container =
            matches!(&one.ty.kind, TypeKind::Named(name) if is_vector(self.index, names, name));
        // A constructor may take an element by reference.
        let may_refer = !is_container && matches!(one.ty.kind, TypeKind::Named(_));
        let is_dim3 = matches!(&one.ty.kind, TypeKind::Named(name) if name.base == "dim3");
        match &one.init {
            Init::Expr(init) | Init::List(init) if is_container => {
                match self.known.pointer(init).is_some() && self.is_array(init) {
                    true => self.count(init),
                    false => self.value(init),
                }
            }
            Init::Call(args) if is_container => match args.as_slice() {
                [one] if self.is_array(one) => self.count(one),
                [first, last]
                    if self.known.begin(first).is_some() && self.known.end(last).is_some() =>
                {
                    self.inside(first);
                    self.inside(last);
                }
                args => args.iter().for_each(|arg| self.value(arg)),
            },
            Init::Expr(init) if may_refer => {
                if let ExprKind::Call { .. } | ExprKind::Construct { .. } = init.kind {
                    self.value(init);
                }
            }
            Init::List(_) if may_refer => {}
            Init::Expr(init) | Init::List(init) => self.value(init),
            Init::Call(args) if is_dim3 || one.ty.scalar().is_some() => {
                args.iter().for_each(|arg| self.value(arg));
            }
            // What a constructor that is not seen makes of its arguments is not known.
            Init::Call(_) | Init::None => {}
        }
    }

    /// The streams that stay the same: variables of the function that are made once, if at all, and of which every other mention
    /// is an argument of the runtime or the stream of a launch.
    fn streams(
        &self,
        function: &'u Function,
        body: &'u Block,
        words: &BTreeMap<&str, u32>,
    ) -> BTreeSet<&'u str> {
        let mut counted: BTreeMap<&'u str, u32> = BTreeMap::new();
        let mut made: BTreeMap<&'u str, u32> = BTreeMap::new();
        for param in &function.params {
            let by_value = matches!(param.ty.kind, TypeKind::Named(_));
            if let Some(name) = param.name.as_deref().filter(|_| by_value) {
                made.insert(name, 1);
            }
        }
        for stmt in &body.stmts {
            walk::each_expr(stmt, &mut |expr| {
                let mut mention = |part: &'u Expr| {
                    let name = simple(part).or_else(|| {
                        let name = calls::addressed(part).and_then(simple)?;
                        *made.entry(name).or_default() += 1;
                        Some(name)
                    });
                    if let Some(name) = name {
                        *counted.entry(name).or_default() += 1;
                    }
                };
                match &expr.kind {
                    ExprKind::Launch { config, .. } => config.iter().skip(3).for_each(mention),
                    ExprKind::Call { callee, args } => {
                        let of_policy = matches!(
                            &callee.kind,
                            ExprKind::Member { field, .. } if field.base == "on"
                        );
                        if of_policy || calls::is_of_runtime(self.index, &self.known.names, callee)
                        {
                            args.iter().for_each(&mut mention);
                        }
                    }
                    _ => {}
                }
            });
        }
        let is_steady = |name: &&'u str| {
            let mentions = counted.get(name).copied().unwrap_or(0);
            self.declared.get(name) == Some(&1)
                && words.get(name) == Some(&(mentions + 1))
                && made.get(name).is_none_or(|times| *times <= 1)
        };
        self.declared.keys().copied().filter(is_steady).collect()
    }

    /// Something that is compared with nothing: `if (p)`.
    fn truth(&mut self, expr: &'u Expr) {
        match &expr.kind {
            ExprKind::Name(_) => self.count(expr),
            ExprKind::Unary(UnaryOp::Not, arg) => self.truth(arg),
            ExprKind::Binary(BinaryOp::And | BinaryOp::Or, left, right) => {
                self.truth(left);
                self.truth(right);
            }
            _ => self.value(expr),
        }
    }

    /// Something whose value is taken.
    fn value(&mut self, expr: &'u Expr) {
        match &expr.kind {
            ExprKind::Name(_) if !self.is_array(expr) => self.count(expr),
            ExprKind::Unary(UnaryOp::Not, _) => self.truth(expr),
            ExprKind::Unary(_, arg) => self.value(arg),
            ExprKind::Cast { ty, arg, .. } => {
                // A conversion to a class may take its address.
                let is_plain = matches!(ty.kind, TypeKind::Scalar(_) | TypeKind::Pointer(_));
                if is_plain || !self.is_element(arg) {
                    self.value(arg);
                }
            }
            ExprKind::Binary(op, left, right) => self.operands(*op, left, right),
            ExprKind::Comma(left, right) => {
                self.value(left);
                self.value(right);
            }
            ExprKind::Conditional { cond, then, els } => {
                self.truth(cond);
                self.value(then);
                self.value(els);
            }
            ExprKind::Index { base, index } => {
                self.subscript(base, index);
            }
            ExprKind::Assign { op, lhs, rhs } => {
                let is_number = self.is_element(lhs)
                    || simple(lhs).is_some_and(|name| self.known.scalars.contains_key(name));
                if op.is_none() && self.is_container(lhs) && self.is_container(rhs) {
                    self.count(lhs);
                    self.count(rhs);
                    self.assigned_whole(lhs);
                } else if op.is_none() && self.is_array(lhs) {
                    self.allocated(lhs, rhs);
                } else if is_number || !self.is_element(rhs) {
                    self.place(lhs);
                    self.value(rhs);
                } else {
                    // An assignment of a class may take the element by reference.
                    self.place(lhs);
                }
            }
            ExprKind::IncDec { arg, .. } => self.place(arg),
            ExprKind::SizeofExpr(arg) => self.inside(arg),
            ExprKind::InitList(items)
            | ExprKind::New {
                operands: items, ..
            } => {
                items.iter().for_each(|item| self.value(item));
            }
            ExprKind::Construct { ty, args, .. } => {
                let is_plain = ty.scalar().is_some()
                    || matches!(&ty.kind, TypeKind::Named(name) if name.base == "dim3");
                if is_plain {
                    args.iter().for_each(|arg| self.value(arg));
                }
            }
            ExprKind::Delete(arg) => self.count(arg),
            ExprKind::StmtExpr(block) => self.block(block),
            ExprKind::Call { callee, args } => self.call(callee, args),
            ExprKind::Launch {
                kernel,
                config,
                args,
            } => self.launch(kernel, config, args),
            _ => {}
        }
    }

    fn operands(&mut self, op: BinaryOp, left: &'u Expr, right: &'u Expr) {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                self.truth(left);
                self.truth(right);
            }
            BinaryOp::Eq | BinaryOp::Ne => {
                for side in [left, right] {
                    match side.kind {
                        ExprKind::Name(_) => self.count(side),
                        _ => self.value(side),
                    }
                }
            }
            // `std::cin >> n` sets it.
            BinaryOp::Shl | BinaryOp::Shr => {
                let mut first = left;
                while let ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, inner, _) = &first.kind {
                    first = inner;
                }
                let takes_values = match &first.kind {
                    ExprKind::Int { .. } => true,
                    ExprKind::Cast { ty, .. } => ty.scalar().is_some(),
                    ExprKind::Name(name) => {
                        let is_number = name
                            .as_simple()
                            .is_some_and(|name| self.known.scalars.contains_key(name));
                        let is_output = matches!(name.base.as_str(), "cout" | "cerr" | "clog")
                            && self.known.names.is_library(self.index, name);
                        is_number || is_output && op == BinaryOp::Shl
                    }
                    _ => false,
                };
                if takes_values {
                    self.value(left);
                    self.value(right);
                }
            }
            _ => {
                self.operand(left, right);
                self.operand(right, left);
            }
        }
    }

    fn is_element(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Index { base, .. } => {
                simple(base).is_some_and(|name| self.known.array(name).is_some())
            }
            _ => false,
        }
    }

    /// One side of an operator: an operator of a class may take an element by reference.
    fn operand(&mut self, expr: &'u Expr, other: &'u Expr) {
        if !self.is_element(expr) || self.is_number(other) {
            self.value(expr);
        }
    }

    /// Whether an expression is surely a number, and not an object of a class.
    fn is_number(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Binary(_, left, right) => self.is_number(left) && self.is_number(right),
            ExprKind::Unary(_, arg) => self.is_number(arg),
            ExprKind::Call { callee, .. } => {
                calls::known(self.index, &self.known.names, callee) == calls::Known::ByValue
            }
            _ => self.known.type_of(expr).is_some(),
        }
    }

    /// Something that is set.
    fn place(&mut self, expr: &'u Expr) {
        match &expr.kind {
            ExprKind::Name(name) if !self.is_array(expr) => {
                self.count(expr);
                self.known.assigned.extend(name.as_simple());
            }
            ExprKind::Index { base, index } => self.subscript(base, index),
            _ => {}
        }
    }

    /// `a[i]`: the subscript of a class may take what it is given by reference.
    fn subscript(&mut self, base: &'u Expr, index: &'u Expr) {
        let is_array = self.is_array(base);
        if is_array {
            self.count(base);
        }
        if is_array || !self.is_element(index) {
            self.value(index);
        }
    }

    /// Whether an expression is the name of a vector.
    fn is_container(&self, expr: &'u Expr) -> bool {
        let array = simple(expr).and_then(|name| self.known.array(name));
        array.is_some_and(|(_, array)| array.is_container)
    }

    /// `v = w;`: how many elements it has then is not known, and they may be elsewhere.
    fn assigned_whole(&mut self, container: &'u Expr) {
        let Some(name) = simple(container) else {
            return;
        };
        self.known.assigned.insert(name);
        self.known.other_names.given(name, container.range);
        if let Some(array) = self.known.arrays.get_mut(name) {
            array.extent = None;
        }
    }

    /// `p = (int *)malloc(n * sizeof(int));`
    fn allocated(&mut self, lhs: &'u Expr, rhs: &'u Expr) {
        let allocation = calls::allocation(self.index, &self.known.names, rhs);
        if let Some((_, extent)) = allocation.filter(|_| !self.is_other_name(lhs)) {
            self.count(lhs);
            self.several(lhs, extent);
        }
        self.value(rhs);
    }

    /// One more statement gives an array its elements: how many is known of the only one.
    fn several(&mut self, array: &'u Expr, extent: Option<Count<'u>>) {
        let Some(name) = simple(array) else { return };
        self.known.other_names.given(name, array.range);
        let first = self.known.assigned.insert(name);
        if let Some(array) = self.known.arrays.get_mut(name) {
            array.extent = match first && array.extent.is_none() {
                true => extent,
                false => None,
            };
        }
    }

    fn launch(&mut self, kernel: &'u Expr, config: &'u [Expr], args: &'u [Expr]) {
        config.iter().for_each(|part| self.value(part));
        for (position, arg) in args.iter().enumerate() {
            match self.known.pointer(arg) {
                Some(_) => {
                    let usage =
                        kernels::usage(self.index, self.text, &self.known.names, kernel, position);
                    if usage != kernels::Usage::Other {
                        self.inside(arg);
                    }
                }
                None => self.value(arg),
            }
        }
    }

    fn call(&mut self, callee: &'u Expr, args: &'u [Expr]) {
        if let ExprKind::Member { base, field, .. } = &callee.kind {
            if matches!(field.base.as_str(), "size" | "empty") && args.is_empty() {
                self.count(base);
            }
            return;
        }
        for (position, (arg, part)) in args
            .iter()
            .zip(calls::parts_of(
                self.index,
                &self.known.names,
                callee,
                args.len(),
            ))
            .enumerate()
        {
            match part {
                calls::Part::Value => self.value(arg),
                calls::Part::Array => match calls::array_in(&self.known, arg) {
                    Some(_) => self.inside(arg),
                    None => self.value(arg),
                },
                calls::Part::Allocated => {
                    let pointer = calls::addressed(arg);
                    if let Some(pointer) = pointer.filter(|one| !self.is_other_name(one)) {
                        self.count(pointer);
                        let element = simple(pointer)
                            .and_then(|name| self.known.arrays.get(name))
                            .map(|array| array.element);
                        let extent = args
                            .get(position + 1)
                            .and_then(calls::elements)
                            .filter(|(ty, _)| *ty == element);
                        self.several(pointer, extent.map(|(_, extent)| extent));
                    }
                }
                calls::Part::Element => self.place(arg),
                calls::Part::Unknown => {
                    if self.known.pointer(arg).is_some() && self.is_taken(callee, args, position) {
                        self.inside(arg);
                    }
                }
            }
        }
    }

    /// Whether a function of the program gets an argument of which it is known what becomes of it.
    fn is_taken(&self, callee: &'u Expr, args: &'u [Expr], position: usize) -> bool {
        let names = &self.known.names;
        let helper = self
            .helpers
            .of(self.index, self.text, names, (callee, args.len()));
        helper.is_some_and(|helper| helper.takes(position))
    }

    /// All names in an expression whose form is known.
    fn inside(&mut self, expr: &'u Expr) {
        let mut names = Vec::new();
        walk::sub_exprs(expr, &mut |part| {
            if let ExprKind::Name(_) = part.kind {
                names.push(part);
            }
        });
        names.into_iter().for_each(|name| self.count(name));
    }
}

/// A count that an expression gives.
fn count(expr: &Expr) -> Count<'_> {
    match &expr.kind {
        ExprKind::Int { value, .. } => Count::Number(i128::from(*value)),
        _ => Count::Of(expr, 0),
    }
}

/// Whether the class of a name is a sequence that owns its elements.
pub(super) fn is_vector<'u>(index: &UnitIndex<'u>, names: &Names<'u>, name: &Name) -> bool {
    let first = name.qualifier.first().map(|segment| segment.name.as_str());
    let is_one = match name.base.as_str() {
        "vector" => matches!(first, None | Some("std")),
        "device_vector" | "host_vector" => matches!(first, None | Some("thrust")),
        _ => false,
    };
    is_one && names.is_library(index, name)
}

/// Whether a type is a reference by which what it refers to may be changed.
pub(super) fn refers_to_variable(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => !to.is_const,
        _ => false,
    }
}

impl<'u> Followed<'u> {
    /// How many elements an array has, where what says so never changes.
    pub(super) fn extent(&self, name: &str) -> Option<Count<'u>> {
        self.arrays.get(name)?.extent
    }

    fn settled(&self, extent: Option<Count<'u>>) -> Option<Count<'u>> {
        let extent = match extent? {
            Count::All(name, 0)
                if self.arrays.get(name)?.is_own && !self.assigned.contains(name) =>
            {
                return self.settled(self.arrays.get(name)?.extent);
            }
            Count::Of(expr, plus) => match self.count_of(expr)? {
                Count::Of(expr, more) => Count::Of(expr, plus + more),
                other => fills::plus(other, plus),
            },
            number => number,
        };
        let names = self.names_of(extent)?;
        (!names.iter().any(|name| self.assigned.contains(name))).then_some(extent)
    }

    /// The array that an expression passes from its first element on.
    pub(super) fn pointer(&self, expr: &'u Expr) -> Option<&'u str> {
        match &expr.kind {
            ExprKind::Name(_) => self.array(simple(expr)?).map(|(name, _)| name),
            // As elements of another type they are not what they were filled as.
            ExprKind::Cast { ty, arg, .. } => {
                let TypeKind::Pointer(to) = &ty.kind else {
                    return None;
                };
                let name = self.pointer(arg)?;
                let same = to.scalar() == Some(self.arrays.get(name)?.element);
                (same || to.scalar() == Some(Scalar::Void)).then_some(name)
            }
            ExprKind::AddressOf(inner) => match &inner.kind {
                ExprKind::Index { base, index }
                    if matches!(index.kind, ExprKind::Int { value: 0, .. }) =>
                {
                    self.pointer(base)
                }
                _ => None,
            },
            ExprKind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
                (ExprKind::Member { base, field, .. }, []) if field.base == "data" => {
                    self.pointer(base)
                }
                (ExprKind::Member { base, field, .. }, []) if field.base == "get" => {
                    match &base.kind {
                        ExprKind::Call { .. } => self.pointer(base),
                        ExprKind::Name(_) if self.other_names.contains(simple(base)?) => {
                            self.pointer(base)
                        }
                        _ => None,
                    }
                }
                (ExprKind::Name(name), [inner]) if name.base == "device_ptr" => {
                    self.device_pointer(name, inner)
                }
                (ExprKind::Name(name), [inner])
                    if matches!(
                        name.base.as_str(),
                        "raw_pointer_cast" | "device_pointer_cast"
                    ) && self.names.is_qualified(name) =>
                {
                    self.pointer(inner)
                }
                _ => None,
            },
            ExprKind::Construct { ty, args, .. } => match (&ty.kind, args.as_slice()) {
                (TypeKind::Named(name), [inner]) => self.device_pointer(name, inner),
                _ => None,
            },
            _ => None,
        }
    }

    /// `thrust::device_ptr<int>(p)`
    fn device_pointer(&self, name: &Name, inner: &'u Expr) -> Option<&'u str> {
        let array = self.pointer(inner)?;
        let is_one = name.base == "device_ptr" && self.names.is_qualified(name);
        (is_one && element_of(name) == Some(self.arrays.get(array)?.element)).then_some(array)
    }

    /// The array whose beginning an iterator is.
    pub(super) fn begin(&self, expr: &'u Expr) -> Option<&'u str> {
        if let ExprKind::Call { callee, args } = &expr.kind
            && args.is_empty()
            && let ExprKind::Member { base, field, .. } = &callee.kind
            && matches!(field.base.as_str(), "begin" | "cbegin")
        {
            let name = simple(base)?;
            return self.array(name).map(|(name, _)| name);
        }
        let name = self.pointer(expr)?;
        let whole = self.arrays.get(name)?.is_container;
        // A container alone is no iterator.
        (!whole || simple(expr) != Some(name)).then_some(name)
    }

    /// The array, and how many of its elements an iterator is behind.
    pub(super) fn end(&self, expr: &'u Expr) -> Option<(&'u str, Count<'u>)> {
        match &expr.kind {
            ExprKind::Binary(BinaryOp::Add, left, right) => {
                let name = self.begin(left)?;
                Some((name, self.count_of(right)?))
            }
            ExprKind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
                (ExprKind::Member { base, field, .. }, [])
                    if matches!(field.base.as_str(), "end" | "cend") =>
                {
                    let name = simple(base)?;
                    Some((self.array(name)?.0, self.extent(name)?))
                }
                (ExprKind::Name(name), [inner])
                    if name.base == "device_pointer_cast" && self.names.is_qualified(name) =>
                {
                    self.end(inner)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The arithmetic type of an expression.
    pub(super) fn type_of(&self, expr: &Expr) -> Option<Scalar> {
        match &expr.kind {
            ExprKind::Int { ty, .. } | ExprKind::Char { ty, .. } | ExprKind::Float { ty, .. } => {
                Some(*ty)
            }
            ExprKind::Bool(_) => Some(Scalar::Bool),
            ExprKind::Name(_) => self.declared_type(simple(expr)?),
            ExprKind::Cast { ty, .. } => ty.scalar(),
            ExprKind::Unary(UnaryOp::Not, _) => Some(Scalar::Bool),
            ExprKind::Unary(_, arg) => promoted(self.type_of(arg)?),
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => Some(Scalar::Bool),
                BinaryOp::Eq | BinaryOp::Ne | BinaryOp::And | BinaryOp::Or => Some(Scalar::Bool),
                BinaryOp::Shl | BinaryOp::Shr => promoted(self.type_of(left)?),
                _ => common(self.type_of(left)?, self.type_of(right)?),
            },
            ExprKind::Conditional { then, els, .. } => {
                common(self.type_of(then)?, self.type_of(els)?)
            }
            ExprKind::SizeofType(_) | ExprKind::SizeofExpr(_) => Some(Scalar::ULong),
            ExprKind::Index { base, .. } => Some(self.array(simple(base)?)?.1.element),
            ExprKind::Call { .. } if self.is_size(expr) => Some(Scalar::ULong),
            _ => None,
        }
    }

    fn declared_type(&self, name: &str) -> Option<Scalar> {
        let constant = || self.constants.get(name).map(|(ty, _)| *ty);
        self.scalars.get(name).copied().or_else(constant)
    }

    /// `v.size()`
    pub(super) fn is_size(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Call { callee, args } if args.is_empty() => match &callee.kind {
                ExprKind::Member { base, field, .. } if field.base == "size" => {
                    let array = simple(base).and_then(|name| self.arrays.get(name));
                    array.is_some_and(|array| array.is_container)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// An expression without the casts that keep a count.
    pub(super) fn plain<'e>(&self, expr: &'e Expr) -> &'e Expr {
        let mut expr = expr;
        while let ExprKind::Cast { ty, arg, .. } = &expr.kind {
            let Some(to) = ty.scalar() else { break };
            let from = self.type_of(arg);
            // There are fewer than 2³¹ elements.
            let of_size = self.is_size(arg) && to.bits() >= 32 && to.signedness().is_some();
            if !of_size && !from.is_some_and(|from| keeps_count(from, to)) {
                break;
            }
            expr = arg;
        }
        expr
    }

    /// What a variable stays that is never set again.
    fn declared_with(&self, name: &str) -> Option<(Scalar, &'u Expr)> {
        match self.inits.get(name) {
            Some(init) if !self.assigned.contains(name) => Some(*init),
            Some(_) => None,
            None if self.scalars.contains_key(name) => None,
            None => self.constants.get(name).copied(),
        }
    }

    /// An expression of which a variable is only another name.
    pub(super) fn resolved(&self, expr: &'u Expr) -> &'u Expr {
        self.looked_through(expr, keeps_count)
    }

    /// The same of the size of a grid, which is far less than any type of 32 bits holds.
    pub(super) fn resolved_grid(&self, expr: &'u Expr) -> &'u Expr {
        self.looked_through(expr, |from, to| {
            from.signedness().is_some() && to.signedness().is_some() && to.bits() >= 32
        })
    }

    fn looked_through(&self, expr: &'u Expr, is_kept: impl Fn(Scalar, Scalar) -> bool) -> &'u Expr {
        let mut expr = self.plain(expr);
        for _ in 0..MAX_STEPS {
            let Some((ty, init)) = simple(expr).and_then(|name| self.declared_with(name)) else {
                break;
            };
            let from = self.type_of(init);
            let kept = from.is_some_and(|from| is_kept(from, ty))
                || self.number(init).is_some_and(|(value, _)| holds(ty, value));
            // What it is made of must not have changed since.
            let names = self.names_of(Count::Of(init, 0));
            let changes =
                names.is_none_or(|names| names.iter().any(|name| self.assigned.contains(name)));
            if changes || !kept {
                break;
            }
            expr = self.plain(init);
        }
        expr
    }

    /// A number that stays.
    pub(super) fn constant(&self, expr: &Expr) -> Option<i128> {
        self.number(expr).map(|(value, _)| value)
    }

    /// A number that stays, and its type.
    pub(super) fn number(&self, expr: &Expr) -> Option<(i128, Scalar)> {
        self.number_within(expr, 4 * MAX_STEPS)
    }

    fn number_within(&self, expr: &Expr, steps: u32) -> Option<(i128, Scalar)> {
        let steps = steps.checked_sub(1)?;
        let (value, ty) = match &expr.kind {
            ExprKind::Int { value, ty } => return Some((i128::from(*value), *ty)),
            ExprKind::Unary(UnaryOp::Neg, arg) => {
                let (value, ty) = self.number_within(arg, steps)?;
                (-value, promoted(ty)?)
            }
            ExprKind::Cast { ty, arg, .. } => (self.number_within(arg, steps)?.0, ty.scalar()?),
            ExprKind::Name(_) => {
                let (ty, init) = self.declared_with(simple(expr)?)?;
                (self.number_within(init, steps)?.0, ty)
            }
            ExprKind::Binary(op, left, right) => {
                let (left, of_left) = self.number_within(left, steps)?;
                let (right, of_right) = self.number_within(right, steps)?;
                let value = match op {
                    BinaryOp::Add => left.checked_add(right)?,
                    BinaryOp::Sub => left.checked_sub(right)?,
                    BinaryOp::Mul => left.checked_mul(right)?,
                    BinaryOp::Shl if (0..31).contains(&right) => left.checked_shl(right as u32)?,
                    BinaryOp::Div if left >= 0 && right > 0 => left / right,
                    _ => return None,
                };
                let ty = match op {
                    BinaryOp::Shl => promoted(of_left)?,
                    _ => common(of_left, of_right)?,
                };
                // Larger ones may have been cut off.
                i32::try_from(value).ok()?;
                (value, ty)
            }
            _ => return None,
        };
        holds(ty, value).then_some((value, ty))
    }

    /// How many elements an expression counts.
    pub(super) fn count_of(&self, expr: &'u Expr) -> Option<Count<'u>> {
        if let Some(number) = self.constant(expr) {
            return Some(Count::Number(number));
        }
        let expr = self.plain(expr);
        if let ExprKind::Call { callee, .. } = &expr.kind
            && let ExprKind::Member { base, .. } = &callee.kind
            && self.is_size(expr)
        {
            return self.extent(simple(base)?);
        }
        if let ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) = &expr.kind
            && let Some(by) = self.constant(right)
            && let count @ (Count::Of(..) | Count::All(..)) = self.count_of(left)?
        {
            let by = if *op == BinaryOp::Add { by } else { -by };
            return Some(fills::plus(count, by));
        }
        self.names_of(Count::Of(expr, 0))?;
        Some(Count::Of(expr, 0))
    }

    /// The variables that a count is made of, if evaluating it does nothing else.
    pub(super) fn names_of(&self, count: Count<'u>) -> Option<BTreeSet<&'u str>> {
        let expr = match count {
            Count::Of(expr, _) => expr,
            // Whatever may change the vector may change how many it has.
            Count::All(name, _) => return Some(BTreeSet::from([name])),
            Count::Number(_) | Count::Given(..) => return Some(BTreeSet::new()),
        };
        let mut names = BTreeSet::new();
        let mut plain = true;
        walk::sub_exprs(expr, &mut |part| match &part.kind {
            ExprKind::Int { .. } | ExprKind::SizeofType(_) => {}
            ExprKind::Binary(..) | ExprKind::Unary(..) => {}
            ExprKind::Cast { ty, arg, .. } => {
                let kept = self.type_of(arg).zip(ty.scalar());
                plain &= kept.is_some_and(|(from, to)| keeps_count(from, to));
            }
            ExprKind::Name(name) => match name.as_simple() {
                Some(name) if self.scalars.contains_key(name) => {
                    plain &= self.scalars[name].signedness().is_some();
                    names.insert(name);
                }
                Some(name) if self.constants.contains_key(name) => {}
                _ => plain = false,
            },
            _ => plain = false,
        });
        plain.then_some(names)
    }

    /// The number of elements that so many bytes are, of elements of this type.
    pub(super) fn elements_of(&self, bytes: &'u Expr, element: Scalar) -> Option<Count<'u>> {
        let bytes = self.resolved(bytes);
        if let ExprKind::SizeofExpr(of) = &bytes.kind {
            let name = simple(of)?;
            // Of a pointer it is the size of the pointer.
            let in_place = self.arrays.get(name)?.in_place;
            return in_place.then(|| self.extent(name)).flatten();
        }
        let (ty, count) = calls::elements(bytes)?;
        let size = match ty {
            Some(scalar) => scalar.bits(),
            None => 0,
        };
        match count {
            Count::Of(expr, _) => self.count_of(expr),
            other => Some(other),
        }
        .filter(|_| size == element.bits())
    }

    /// Finds the statements that only make elements change places: `std::swap(a[i], a[j])`, and the three that go by a variable.
    fn find_swaps(&mut self, body: &'u Block, text: &str) {
        let mut found = BTreeSet::new();
        let mut blocks: Vec<&'u [Stmt]> = vec![&body.stmts];
        for stmt in &body.stmts {
            walk::each_stmt(stmt, &mut |inner| {
                if let StmtKind::Block(block) = &inner.kind {
                    blocks.push(&block.stmts);
                }
            });
            walk::each_expr(stmt, &mut |expr| {
                if let ExprKind::Call { callee, args } = &expr.kind
                    && let ExprKind::Name(name) = &callee.kind
                    && name.base == "swap"
                    && let [one, other] = args.as_slice()
                    && let (Some(one), Some(other)) = (element(one), element(other))
                    && one.0 == other.0
                {
                    found.insert(expr.range);
                }
            });
        }
        for stmts in blocks {
            for three in stmts.windows(3) {
                if let [first, second, third] = three
                    && let Some(pair) = self.exchange(first, second, third, text)
                {
                    found.extend(pair);
                }
            }
        }
        self.swaps = found;
    }

    /// `t = a[i]; a[i] = a[j]; a[j] = t;`: the two statements that store.
    fn exchange(
        &self,
        first: &'u Stmt,
        second: &'u Stmt,
        third: &'u Stmt,
        text: &str,
    ) -> Option<[Range; 2]> {
        let (kept, from) = match &first.kind {
            StmtKind::Decl(all) => match (all.as_slice(), &all.first()?.init) {
                ([one], Init::Expr(init)) => (one.name.as_str(), init),
                _ => return None,
            },
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::Assign { op: None, lhs, rhs } => (simple(lhs)?, &**rhs),
                _ => return None,
            },
            _ => return None,
        };
        let assigned = |stmt: &'u Stmt| match &stmt.kind {
            StmtKind::Expr(expr) => match &expr.kind {
                ExprKind::Assign { op: None, lhs, rhs } => Some((&**lhs, &**rhs, expr.range)),
                _ => None,
            },
            _ => None,
        };
        let (to, by, one) = assigned(second)?;
        let (back, last, other) = assigned(third)?;
        let (array, at) = element(from)?;
        let is_plain = |index: &'u Expr| {
            let mut plain = true;
            walk::sub_exprs(index, &mut |part| {
                plain &= match &part.kind {
                    ExprKind::Name(_) => simple(part).is_some_and(|name| name != kept),
                    ExprKind::Int { .. } | ExprKind::Binary(..) => true,
                    _ => false,
                };
            });
            plain
        };
        let same = |a: &Expr, b: &Expr| text.get(a.range.bytes()) == text.get(b.range.bytes());
        let (second_array, second_at) = element(to)?;
        let (by_array, by_at) = element(by)?;
        let (back_array, back_at) = element(back)?;
        let is_one = [second_array, by_array, back_array]
            .iter()
            .all(|name| *name == array);
        let holds = self.scalars.get(kept)? == &self.arrays.get(array)?.element;
        (is_one
            && holds
            && same(at, second_at)
            && same(by_at, back_at)
            && is_plain(at)
            && is_plain(by_at)
            && simple(last) == Some(kept))
        .then_some([one, other])
    }
}

/// `a[i]`
fn element(expr: &Expr) -> Option<(&str, &Expr)> {
    match &expr.kind {
        ExprKind::Index { base, index } => Some((simple(base)?, index)),
        _ => None,
    }
}
