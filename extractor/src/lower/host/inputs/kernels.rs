//! What kernels do with the arrays that they are passed: read them, write them, or fill them so that it shows what the elements
//! are like.

use super::forms::{self, Scope};
use super::mentions::times;
use super::names::Names;
use super::numbers::keeps_count;
pub(super) use super::usage::{Usage, converts_pointers};
use super::{Count, Order, Reach, Told, Walk, simple, usage};
use crate::lower::unit::UnitIndex;
use crate::lower::walk;
use crate::syntax::ast::*;

/// The kernels that a launch may mean; none if that is not known.
fn meant<'u>(index: &UnitIndex<'u>, names: &Names<'u>, kernel: &Expr) -> Vec<&'u Function> {
    let ExprKind::Name(name) = &kernel.kind else {
        return Vec::new();
    };
    let is_hidden = names.own.contains(name.base.as_str()) || index.declares_value(&name.base);
    let all = index.functions(&name.base);
    if is_hidden || all.iter().any(|one| !one.quals.global) {
        return Vec::new();
    }
    let kernels: Vec<&'u Function> = all
        .iter()
        .filter(|one| one.body.is_some())
        .copied()
        .collect();
    // What is only declared is defined elsewhere, but for what repeats a definition.
    let repeats = |one: &&'u Function| {
        kernels.iter().any(|kernel| {
            let params = kernel.params.len() == one.params.len();
            params && kernel.qualified == one.qualified && kernel.owner == one.owner
        })
    };
    match all.iter().all(repeats) {
        true => kernels,
        false => Vec::new(),
    }
}

/// What the kernels that a launch may mean do with what they are passed at a position.
pub(super) fn usage<'u>(
    index: &UnitIndex<'u>,
    text: &str,
    names: &Names<'u>,
    kernel: &Expr,
    position: usize,
) -> Usage {
    let kernels = meant(index, names, kernel);
    if kernels.is_empty() {
        return Usage::Other;
    }
    let mut found = Usage::Reads;
    for function in kernels {
        match usage::of_parameter(index, text, function, position) {
            Usage::Reads => {}
            Usage::Grows if found != Usage::Writes => found = Usage::Grows,
            Usage::Grows | Usage::Writes => found = Usage::Writes,
            Usage::Other => return Usage::Other,
        }
    }
    found
}

/// A block has no more threads than this.
const MOST_THREADS: i128 = 1024;

/// A kernel each of whose threads stores in the element of its number.
struct Fill<'u> {
    array: usize,
    element: Scalar,
    /// The number of the thread.
    var: &'u str,
    var_type: Scalar,
    value: &'u Expr,
    /// The parameter that says how many elements there are.
    bound: usize,
    /// Threads go on in steps of the grid: all elements are stored, however many threads there are.
    strides: bool,
}

/// A built-in number without the casts that keep it.
fn unwidened(expr: &Expr) -> &Expr {
    let mut inner = expr;
    while let ExprKind::Cast { ty, arg, .. } = &inner.kind
        && is_wide(ty.scalar())
    {
        inner = arg;
    }
    inner
}

/// An integer of at least 32 bits, which the numbers of threads fit in.
fn is_wide(ty: Option<Scalar>) -> bool {
    ty.is_some_and(|ty| ty.bits() >= 32 && ty.signedness().is_some())
}

/// `blockIdx.x * blockDim.x + threadIdx.x`
fn is_global_id(expr: &Expr) -> bool {
    let is = |expr: &Expr, object: &str| match &unwidened(expr).kind {
        ExprKind::Member { base, field, .. } => simple(base) == Some(object) && field.base == "x",
        _ => false,
    };
    let is_first = |expr: &Expr| match &unwidened(expr).kind {
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            is(left, "blockIdx") && is(right, "blockDim")
                || is(left, "blockDim") && is(right, "blockIdx")
        }
        _ => false,
    };
    match &unwidened(expr).kind {
        ExprKind::Binary(BinaryOp::Add, left, right) => {
            is_first(left) && is(right, "threadIdx") || is(left, "threadIdx") && is_first(right)
        }
        _ => false,
    }
}

/// `gridDim.x * blockDim.x`
fn is_stride(expr: &Expr) -> bool {
    let is = |expr: &Expr, object: &str| match &unwidened(expr).kind {
        ExprKind::Member { base, field, .. } => simple(base) == Some(object) && field.base == "x",
        _ => false,
    };
    match &unwidened(expr).kind {
        ExprKind::Binary(BinaryOp::Mul, left, right) => {
            is(left, "gridDim") && is(right, "blockDim")
                || is(left, "blockDim") && is(right, "gridDim")
        }
        _ => false,
    }
}

/// The statements of a block, or the one that there is.
pub(super) fn statements(stmt: &Stmt) -> &[Stmt] {
    match &stmt.kind {
        StmtKind::Block(block) => &block.stmts,
        _ => std::slice::from_ref(stmt),
    }
}

/// What a kernel fills its parameters with, if it does nothing else that could change them.
fn fills<'u>(text: &str, function: &'u Function) -> Vec<Fill<'u>> {
    let Some(body) = &function.body else {
        return Vec::new();
    };
    let mut stmts: &'u [Stmt] = &body.stmts;
    let mut number: Option<(&'u str, Scalar)> = None;
    let mut bound = None;
    let mut strides = false;
    let mut inner: &'u [Stmt] = &[];
    while let Some((first, rest)) = stmts.split_first() {
        stmts = rest;
        match &first.kind {
            StmtKind::Decl(all) => {
                for one in all {
                    let (Some(ty), Init::Expr(init)) = (one.ty.scalar(), &one.init) else {
                        return Vec::new();
                    };
                    if !is_pure(init) {
                        return Vec::new();
                    }
                    if is_global_id(init) {
                        number = Some((&one.name, ty));
                    }
                }
            }
            StmtKind::If {
                cond,
                then,
                els: None,
                ..
            } => {
                let Some((var, _)) = number else {
                    return Vec::new();
                };
                if let Some(limit) = limit(cond, var, BinaryOp::Lt) {
                    (bound, inner) = (Some(limit), statements(then));
                    break;
                }
                let returns =
                    matches!(statements(then), [one] if matches!(one.kind, StmtKind::Return(None)));
                match limit(cond, var, BinaryOp::Ge).filter(|_| returns) {
                    Some(limit) => (bound, inner) = (Some(limit), stmts),
                    None => return Vec::new(),
                }
                break;
            }
            StmtKind::For {
                init: Some(init),
                cond: Some(cond),
                update: Some(update),
                body,
            } => {
                let StmtKind::Decl(all) = &init.kind else {
                    return Vec::new();
                };
                let [one] = all.as_slice() else {
                    return Vec::new();
                };
                let starts = match &one.init {
                    Init::Expr(init) => {
                        is_global_id(init)
                            || number.is_some_and(|(name, _)| simple(init) == Some(name))
                    }
                    _ => false,
                };
                let steps = match &update.kind {
                    ExprKind::Assign {
                        op: Some(BinaryOp::Add),
                        lhs,
                        rhs,
                    } => simple(lhs) == Some(&one.name) && is_stride(rhs),
                    _ => false,
                };
                let Some(ty) = one.ty.scalar().filter(|_| starts && steps) else {
                    return Vec::new();
                };
                number = Some((&one.name, ty));
                bound = limit(cond, &one.name, BinaryOp::Lt);
                inner = statements(body);
                strides = true;
                break;
            }
            _ => return Vec::new(),
        }
    }
    let (Some((var, var_type)), Some(bound)) = (number, bound) else {
        return Vec::new();
    };
    let position = |name: &str| {
        let mut params = function.params.iter();
        params.position(|param| param.name.as_deref() == Some(name))
    };
    // Each number means one thing, and keeps it.
    let is_changed = |name: &str| {
        let mut changed = false;
        for stmt in inner {
            walk::each_expr(stmt, &mut |expr| match &expr.kind {
                ExprKind::Assign { lhs, .. } => changed |= simple(lhs) == Some(name),
                ExprKind::IncDec { arg, .. } | ExprKind::AddressOf(arg) => {
                    changed |= simple(arg) == Some(name);
                }
                ExprKind::Call { args, .. } => {
                    changed |= args.iter().any(|arg| simple(arg) == Some(name));
                }
                _ => {}
            });
        }
        changed
    };
    let declared = |name: &str| {
        let mut count = 0;
        for stmt in &body.stmts {
            walk::each_stmt(stmt, &mut |inner| {
                if let StmtKind::Decl(all) = &inner.kind {
                    count += all.iter().filter(|one| one.name == name).count();
                }
            });
        }
        count
    };
    let keeps = |name: &str| !is_changed(name) && declared(name) == 0;
    let keeps_all = |value: &Expr| {
        let mut kept = true;
        walk::sub_exprs(value, &mut |part| {
            if let Some(name) = simple(part)
                && name != var
            {
                kept &= position(name).is_none() || keeps(name);
            }
        });
        kept
    };
    // Nothing is done but to store into elements of parameters.
    let is_straight = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Expr(expr) => match &expr.kind {
            ExprKind::Assign { lhs, rhs, .. } => match &lhs.kind {
                ExprKind::Index { base, index } => {
                    let of_param = simple(base).and_then(position).is_some();
                    of_param && is_pure(index) && is_pure(rhs)
                }
                _ => false,
            },
            _ => false,
        },
        StmtKind::Decl(all) => all.iter().all(|one| match &one.init {
            Init::Expr(init) => one.ty.scalar().is_some() && is_pure(init),
            _ => false,
        }),
        _ => false,
    };
    let hides_builtin = ["threadIdx", "blockIdx", "blockDim", "gridDim"]
        .iter()
        .any(|name| position(name).is_some() || declared(name) > 0);
    let Some(bound) = position(bound).filter(|_| keeps(bound)) else {
        return Vec::new();
    };
    let is_number = is_wide(function.params[bound].ty.scalar());
    let stepped = declared(var) == 1 && !is_changed(var) && is_wide(Some(var_type));
    if !inner.iter().all(is_straight) || !is_number || !stepped || hides_builtin {
        return Vec::new();
    }
    let mut found = Vec::new();
    for stmt in inner {
        let StmtKind::Expr(expr) = &stmt.kind else {
            continue;
        };
        if let ExprKind::Assign { op: None, lhs, rhs } = &expr.kind
            && let ExprKind::Index { base, index } = &lhs.kind
            && simple(index) == Some(var)
            && let Some(name) = simple(base)
            && let Some(array) = position(name)
            && let TypeKind::Pointer(to) = &function.params[array].ty.kind
            && let Some(element) = to.scalar()
            && times(text, function, name) == 2
            && keeps_all(rhs)
        {
            found.push(Fill {
                array,
                element,
                var,
                var_type,
                value: rhs,
                bound,
                strides,
            });
        }
    }
    found
}

/// Whether evaluating an expression of numbers does nothing else.
fn is_pure(expr: &Expr) -> bool {
    let mut pure = true;
    walk::sub_exprs(expr, &mut |part| {
        pure &= match &part.kind {
            ExprKind::Cast { ty, .. } => ty.scalar().is_some(),
            ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Char { .. }
            | ExprKind::Name(_)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional { .. }
            | ExprKind::Member { .. }
            | ExprKind::Index { .. } => true,
            _ => false,
        };
    });
    pure
}

/// `i < n`, or `i >= n`: the name on the right.
fn limit<'u>(cond: &'u Expr, var: &str, op: BinaryOp) -> Option<&'u str> {
    let ExprKind::Binary(own, left, right) = &cond.kind else {
        return None;
    };
    let turned = match op {
        BinaryOp::Lt => BinaryOp::Gt,
        _ => BinaryOp::Le,
    };
    if *own == op && simple(left) == Some(var) {
        return simple(right);
    }
    (*own == turned && simple(right) == Some(var)).then(|| simple(left))?
}

impl<'u> Walk<'_, 'u> {
    pub(super) fn launched(
        &mut self,
        kernel: &'u Expr,
        config: &'u [Expr],
        args: &'u [Expr],
        range: Range,
        certain: bool,
    ) {
        let stream = self.stream(config.get(3));
        let order = Order::Stream(stream.clone());
        let mut told = Vec::new();
        for (position, arg) in args.iter().enumerate() {
            let Some(name) = self.followed.pointer(arg) else {
                continue;
            };
            for fact in self.ready(name, &order) {
                told.push(Told {
                    position,
                    property: fact.property,
                    count: fact.count,
                    from: fact.from,
                    sums: fact.sums,
                });
            }
        }
        if !told.is_empty() {
            self.found.insert(range, told);
        }
        for (position, arg) in args.iter().enumerate() {
            let Some(name) = self.followed.pointer(arg) else {
                continue;
            };
            match self.usage(kernel, position) {
                Usage::Reads => {}
                Usage::Grows => self.grown(name, &order, true),
                Usage::Writes | Usage::Other => self.kill(name),
            }
        }
        self.reached(Reach::Anything);
        let kernels = meant(self.index, &self.followed.names, kernel);
        if let [function] = kernels.as_slice()
            && certain
            && function.template.is_none()
        {
            self.filled_by_kernel(function, config, args, range, &stream);
        }
    }

    /// What a kernel does with what it is passed at a position.
    pub(super) fn usage(&self, kernel: &Expr, position: usize) -> Usage {
        usage(
            self.index,
            self.text,
            &self.followed.names,
            kernel,
            position,
        )
    }

    fn filled_by_kernel(
        &mut self,
        function: &'u Function,
        config: &'u [Expr],
        args: &'u [Expr],
        range: Range,
        stream: &str,
    ) {
        let [grid, block, ..] = config else { return };
        for fill in fills(self.text, function) {
            let (Some(array), Some(bound)) = (args.get(fill.array), args.get(fill.bound)) else {
                continue;
            };
            let Some((name, told)) = self
                .followed
                .pointer(array)
                .and_then(|name| self.followed.array(name))
            else {
                continue;
            };
            // Passed twice, it may be filled with something else.
            let passed = args
                .iter()
                .filter(|arg| self.followed.pointer(arg) == Some(name));
            let Some(count) = self.followed.count_of(bound) else {
                continue;
            };
            let from = self.followed.type_of(bound);
            let to = function.params[fill.bound].ty.scalar();
            let bound_kept = from.zip(to).is_some_and(|(from, to)| {
                keeps_count(from, to)
                    || self
                        .followed
                        .constant(bound)
                        .is_some_and(|value| super::numbers::holds(to, value))
            });
            // Another pointer may be to the same elements.
            let mut others = args.iter().enumerate().filter(|(at, _)| *at != fill.array);
            let apart = told.is_own || others.all(|(_, arg)| self.followed.type_of(arg).is_some());
            if passed.count() != 1
                || !bound_kept
                || !apart
                || told.element != fill.element
                || !(fill.strides && self.has_threads(grid, block)
                    || self.is_covered(grid, block, bound))
            {
                continue;
            }
            let type_of = |name: &str| {
                let mut params = function.params.iter();
                let param = params.find(|param| param.name.as_deref() == Some(name));
                param.and_then(|param| param.ty.scalar())
            };
            let constant = |expr: &Expr| match &expr.kind {
                ExprKind::Int { value, ty } => Some((i128::from(*value), *ty)),
                _ => None,
            };
            let scope = Scope {
                var: fill.var,
                var_type: fill.var_type,
                type_of: &type_of,
                constant: &constant,
                is_random: &|_| false,
            };
            let properties = forms::properties(fill.value, &scope, fill.element, count);
            let facts = properties
                .into_iter()
                .filter_map(|(property, count)| {
                    let mut fact = self.fact(property, count, range)?;
                    fact.stream = Some(stream.to_owned());
                    Some(fact)
                })
                .collect();
            self.fill(name, facts, &Order::Stream(stream.to_owned()));
        }
    }

    /// Whether a launch has threads for certain: one of no blocks fills nothing.
    fn has_threads(&self, grid: &'u Expr, block: &'u Expr) -> bool {
        let number = |expr: &'u Expr| self.followed.constant(expr);
        number(grid).is_some_and(|blocks| blocks > 0)
            && number(block).is_some_and(|threads| (1..=MOST_THREADS).contains(&threads))
    }

    /// Whether a grid of blocks has a thread for each of so many elements: `(n + b - 1) / b` blocks of `b`.
    fn is_covered(&self, grid: &'u Expr, block: &'u Expr, wanted: &'u Expr) -> bool {
        let known = &self.followed;
        let number = |expr: &'u Expr| known.constant(expr);
        if let (Some(grid), Some(block), Some(wanted)) =
            (number(grid), number(block), number(wanted))
        {
            return grid * block >= wanted && grid > 0 && (1..=MOST_THREADS).contains(&block);
        }
        let same = |one: &'u Expr, other: &'u Expr| match (number(one), number(other)) {
            (Some(one), Some(other)) => one == other,
            (None, None) => self.is_same(
                Count::Of(known.resolved(one), 0),
                Count::Of(known.resolved(other), 0),
            ),
            _ => false,
        };
        if number(block).is_some_and(|block| !(1..=MOST_THREADS).contains(&block)) {
            return false;
        }
        let grid = known.resolved_grid(grid);
        let stays = |expr: &'u Expr| {
            known
                .names_of(Count::Of(expr, 0))
                .is_some_and(|names| !names.iter().any(|name| known.assigned.contains(name)))
        };
        // What a variable stands for is compared by its text: of what stays.
        if !stays(grid) || !stays(block) && number(block).is_none() || !stays(wanted) {
            return false;
        }
        let quotient = |expr: &'u Expr| match &known.plain(expr).kind {
            ExprKind::Binary(BinaryOp::Div, over, under) if same(under, block) => Some(&**over),
            _ => None,
        };
        if let ExprKind::Binary(BinaryOp::Add, left, right) = &grid.kind
            && number(right) == Some(1)
            && let Some(over) = quotient(left)
        {
            // `n / b + 1`, `(n - 1) / b + 1`
            let less = match &known.plain(over).kind {
                ExprKind::Binary(BinaryOp::Sub, of, by) if number(by) == Some(1) => of,
                _ => over,
            };
            return same(less, wanted);
        }
        let Some(over) = quotient(grid) else {
            return false;
        };
        let mut terms = Vec::new();
        let mut rest = 0;
        self.summands(over, 1, &mut terms, &mut rest);
        let mut missing = match number(block) {
            Some(block) => block - 1,
            None => -1,
        };
        missing -= rest;
        let mut of_block = number(block).is_some();
        let mut of_wanted = false;
        for (sign, term) in terms {
            if sign == 1 && !of_wanted && same(term, wanted) {
                of_wanted = true;
            } else if sign == 1 && !of_block && same(term, block) {
                of_block = true;
            } else {
                return false;
            }
        }
        of_wanted && of_block && missing <= 0
    }

    /// An expression as a sum: its numbers, and the others with their signs.
    fn summands(
        &self,
        expr: &'u Expr,
        sign: i128,
        into: &mut Vec<(i128, &'u Expr)>,
        rest: &mut i128,
    ) {
        let inner = self.followed.plain(expr);
        if let Some(number) = self.followed.constant(inner) {
            *rest += sign * number;
            return;
        }
        match &inner.kind {
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                self.summands(left, sign, into, rest);
                let of_right = if *op == BinaryOp::Add { sign } else { -sign };
                self.summands(right, of_right, into, rest);
            }
            _ => into.push((sign, inner)),
        }
    }
}
