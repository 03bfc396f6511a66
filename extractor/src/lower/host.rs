//! Launches in host code: `k<<<grid, block>>>(args)`, with what is known of their values.
//!
//! **Contract.** A host variable has a known value only when nothing can change it after its
//! declaration: it is declared once in its function, never assigned, incremented or read into, its
//! address is not taken, and it is not passed where a reference may be taken. Everything else is a
//! symbol: equal in all threads, of unknown value. A symbol stands for one value within a launch:
//! a variable that may change is a symbol only where the launch itself mentions it, not where
//! another variable was computed from it.

use std::collections::{BTreeMap, BTreeSet};

use warplog_facts::CType;
use warplog_facts::words::LaunchSource;

use super::types::{self, Extent, Ty};
use super::unit::{TypeScope, UnitIndex};
use super::walk;
use crate::syntax::ast::*;

/// A launch of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub source: LaunchSource,
    pub range: Option<Range>,
    /// Sizes along x, y, z; `None` where they are not known.
    pub block: [Option<Argument>; 3],
    pub grid: [Option<Argument>; 3],
    pub arguments: Vec<LaunchArgument>,
    pub template_args: Vec<TemplateArg>,
}

/// An argument of a launch.
#[derive(Clone, Debug)]
pub(crate) struct LaunchArgument {
    pub text: String,
    pub value: Argument,
}

/// A host value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    Constant(i128, CType),
    Symbol(String, CType),
    /// Of unknown value and type.
    Unknown(String),
    Binary(BinaryOp, Box<Argument>, Box<Argument>),
    Cast(CType, Box<Argument>),
    Select(Box<Argument>, Box<Argument>, Box<Argument>),
    /// A pointer into the allocation that a variable holds, some elements in.
    Pointer {
        allocation: String,
        offset: Option<Box<Argument>>,
    },
}

impl Launch {
    /// A launch of which nothing is known.
    pub(crate) fn symbolic() -> Launch {
        Launch {
            source: LaunchSource::Symbolic,
            range: None,
            block: [None, None, None],
            grid: [None, None, None],
            arguments: Vec::new(),
            template_args: Vec::new(),
        }
    }
}

/// Most launches of one kernel that are checked apart; with more, an arbitrary one is added.
const MAX_LAUNCHES: usize = 12;

/// The launches of each kernel (by index in `unit.functions`), in source order. A kernel whose
/// name is used in a way that is no launch has an arbitrary launch as well.
pub(crate) fn launches(index: &UnitIndex<'_>, text: &str) -> BTreeMap<usize, Vec<Launch>> {
    let mut found: BTreeMap<usize, Vec<Launch>> = BTreeMap::new();
    for function in &index.unit.functions {
        let Some(body) = &function.body else { continue };
        let mut host = Host::new(index, function, text);
        let mut callees: BTreeSet<Range> = BTreeSet::new();
        let on_device = function.quals.global || (function.quals.device && !function.quals.host);
        for stmt in &body.stmts {
            walk::each_expr(stmt, &mut |expr| match &expr.kind {
                ExprKind::Launch {
                    kernel,
                    config,
                    args,
                } => {
                    let ExprKind::Name(name) = &kernel.kind else {
                        return;
                    };
                    let Some(kernel_index) = kernel_named(index, name, args.len()) else {
                        return;
                    };
                    callees.insert(name.range);
                    let launch = if on_device {
                        Launch::symbolic()
                    } else {
                        host.launch(name, config, args, expr.range)
                    };
                    add(found.entry(kernel_index).or_default(), launch);
                }
                ExprKind::Name(name) if !callees.contains(&name.range) => {
                    if let Some(kernel_index) = kernel_named(index, name, usize::MAX) {
                        add(found.entry(kernel_index).or_default(), Launch::symbolic());
                    }
                }
                _ => {}
            });
        }
    }
    for launches in found.values_mut() {
        if launches.len() > MAX_LAUNCHES {
            launches.truncate(MAX_LAUNCHES);
            add(launches, Launch::symbolic());
        }
    }
    found
}

fn add(launches: &mut Vec<Launch>, launch: Launch) {
    let key = |launch: &Launch| {
        let values: Vec<&Argument> = launch
            .arguments
            .iter()
            .map(|argument| &argument.value)
            .collect();
        format!(
            "{:?}{:?}{values:?}{:?}",
            launch.block,
            launch.grid,
            launch
                .template_args
                .iter()
                .map(template_key)
                .collect::<Vec<_>>()
        )
    };
    let new = key(&launch);
    if !launches.iter().any(|old| key(old) == new) {
        launches.push(launch);
    }
}

/// A template argument without its place.
fn template_key(arg: &TemplateArg) -> String {
    match arg {
        TemplateArg::Name(name) => name.path(),
        TemplateArg::Type(Type {
            kind: TypeKind::Scalar(scalar),
            ..
        }) => format!("{scalar:?}"),
        TemplateArg::Type(ty) => format!("{ty:?}"),
        TemplateArg::Expr(Expr {
            kind: ExprKind::Int { value, .. },
            ..
        }) => value.to_string(),
        TemplateArg::Expr(expr) => format!("{expr:?}"),
    }
}

/// The kernel of a name that takes so many arguments (`usize::MAX`: any number).
fn kernel_named(index: &UnitIndex<'_>, name: &Name, count: usize) -> Option<usize> {
    let position = |kernel: &Function| {
        index
            .unit
            .functions
            .iter()
            .position(|function| function.range == kernel.range)
    };
    let kernels: Vec<&Function> = index
        .functions(&name.base)
        .iter()
        .copied()
        .filter(|function| function.quals.global && function.body.is_some())
        .collect();
    let fits = kernels.iter().find(|kernel| {
        let required = kernel
            .params
            .iter()
            .filter(|param| param.default.is_none())
            .count();
        count == usize::MAX || (required <= count && count <= kernel.params.len())
    });
    position(fits.or(kernels.first())?)
}

/// A host function: which of its variables have known values.
struct Host<'i, 'u> {
    index: &'i UnitIndex<'u>,
    text: &'i str,
    /// Parameters and variables declared once and never changed, with their initialisers.
    fixed: BTreeMap<&'i str, Fixed<'i>>,
    /// Other variables, with their types when declared once.
    changing: BTreeMap<&'i str, Option<&'i Type>>,
}

#[derive(Clone, Copy)]
struct Fixed<'i> {
    ty: &'i Type,
    init: Option<&'i Init>,
}

/// A host value that may be a `dim3`.
enum HostValue {
    One(Argument),
    Three([Option<Argument>; 3]),
}

impl<'i, 'u: 'i> Host<'i, 'u> {
    fn new(index: &'i UnitIndex<'u>, function: &'i Function, text: &'i str) -> Self {
        let mut declared: BTreeMap<&'i str, Vec<Fixed<'i>>> = BTreeMap::new();
        for param in &function.params {
            if let Some(name) = &param.name {
                declared.entry(name).or_default().push(Fixed {
                    ty: &param.ty,
                    init: None,
                });
            }
        }
        let mut changed: BTreeSet<&'i str> = BTreeSet::new();
        let mut allocated: BTreeSet<Range> = BTreeSet::new();
        if let Some(body) = &function.body {
            for stmt in &body.stmts {
                declarations(stmt, &mut |declaration| {
                    // `int &m = n;`: n changes by another name.
                    if let (TypeKind::Reference(_), Init::Expr(init)) =
                        (&declaration.ty.kind, &declaration.init)
                    {
                        changed.extend(root(init));
                    }
                    let fixed = Fixed {
                        ty: &declaration.ty,
                        init: Some(&declaration.init),
                    };
                    declared.entry(&declaration.name).or_default().push(fixed);
                });
                walk::each_expr(stmt, &mut |expr| {
                    changes(index, expr, &mut changed, &mut allocated)
                });
            }
        }
        let (mut fixed, mut changing) = (BTreeMap::new(), BTreeMap::new());
        for (name, declarations) in declared {
            match declarations.as_slice() {
                [one] if !changed.contains(name) => {
                    fixed.insert(name, *one);
                }
                [one] => {
                    changing.insert(name, Some(one.ty));
                }
                _ => {
                    changing.insert(name, None);
                }
            }
        }
        Host {
            index,
            text,
            fixed,
            changing,
        }
    }

    fn launch(
        &mut self,
        name: &Name,
        config: &'i [Expr],
        args: &'i [Expr],
        range: Range,
    ) -> Launch {
        let sizes = |me: &Self, expr: Option<&'i Expr>| match expr {
            Some(expr) => me.sizes(expr),
            None => [None, None, None],
        };
        let grid = sizes(self, config.first());
        let block = sizes(self, config.get(1));
        let arguments = args
            .iter()
            .map(|arg| {
                let text: String = self
                    .text
                    .get(arg.range.bytes())
                    .unwrap_or("")
                    .split_whitespace()
                    .collect::<Vec<_>>()
                    .join(" ");
                let value = self
                    .pointer(arg)
                    .or_else(|| self.scalar(arg))
                    .unwrap_or_else(|| Argument::Unknown(text.clone()));
                LaunchArgument { text, value }
            })
            .collect();
        Launch {
            source: LaunchSource::Code,
            range: Some(range),
            block,
            grid,
            arguments,
            template_args: name.args.clone().unwrap_or_default(),
        }
    }

    /// The three sizes that a launch configuration expression gives.
    fn sizes(&self, expr: &'i Expr) -> [Option<Argument>; 3] {
        match self.eval(expr, false, 0) {
            Some(HostValue::Three(sizes)) => sizes,
            Some(HostValue::One(size)) => {
                let one = || Some(Argument::Constant(1, CType::U32));
                [Some(size), one(), one()]
            }
            None => {
                // An expression of scalars gives x only; a variable of class type may give all.
                let is_name = matches!(
                    &expr.kind,
                    ExprKind::Name(_) | ExprKind::Call { .. } | ExprKind::Construct { .. }
                );
                let one = || Some(Argument::Constant(1, CType::U32));
                if is_name {
                    [None, None, None]
                } else {
                    [None, one(), one()]
                }
            }
        }
    }

    fn scalar(&self, expr: &'i Expr) -> Option<Argument> {
        match self.eval(expr, false, 0)? {
            HostValue::One(value) => Some(value),
            HostValue::Three(_) => None,
        }
    }

    fn ctype(&self, ty: &Type) -> Option<Ty> {
        let resolved = self
            .index
            .resolve(ty, &TypeScope::default(), &mut |_| Extent::Unknown);
        Some(resolved)
    }

    /// An argument that points into what one variable holds.
    fn pointer(&self, expr: &'i Expr) -> Option<Argument> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let name = name.as_simple()?;
                let ty = match (self.fixed.get(name), self.changing.get(name)) {
                    (Some(fixed), _) => fixed.ty,
                    (None, Some(ty)) => (*ty)?,
                    (None, None) => &self.index.global(name)?.ty,
                };
                if !matches!(self.ctype(ty)?, Ty::Pointer(_) | Ty::Array(..)) {
                    return None;
                }
                // `int *q = p;` holds what p holds, when neither changes.
                if let Some(Fixed {
                    init: Some(Init::Expr(init)),
                    ..
                }) = self.fixed.get(name)
                    && self.mentions_only_fixed(init)
                    && let Some(pointer) = self.pointer(init)
                {
                    return Some(pointer);
                }
                Some(Argument::Pointer {
                    allocation: name.to_owned(),
                    offset: None,
                })
            }
            ExprKind::Cast { arg, .. } => self.pointer(arg),
            ExprKind::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
                let Argument::Pointer {
                    allocation,
                    offset: None,
                } = self.pointer(left)?
                else {
                    return None;
                };
                let count = self
                    .scalar(right)
                    .unwrap_or_else(|| Argument::Unknown(format!("offset into {allocation}")));
                let zero = Box::new(Argument::Constant(0, CType::I64));
                let offset = if *op == BinaryOp::Add {
                    count
                } else {
                    Argument::Binary(BinaryOp::Sub, zero, Box::new(count))
                };
                Some(Argument::Pointer {
                    allocation,
                    offset: Some(Box::new(offset)),
                })
            }
            ExprKind::AddressOf(inner) => {
                let ExprKind::Index { base, index } = &inner.kind else {
                    return None;
                };
                let Argument::Pointer {
                    allocation,
                    offset: None,
                } = self.pointer(base)?
                else {
                    return None;
                };
                let offset = self
                    .scalar(index)
                    .unwrap_or_else(|| Argument::Unknown(format!("offset into {allocation}")));
                Some(Argument::Pointer {
                    allocation,
                    offset: Some(Box::new(offset)),
                })
            }
            _ => None,
        }
    }

    fn mentions_only_fixed(&self, expr: &'i Expr) -> bool {
        let mut all = true;
        walk::sub_exprs(expr, &mut |expr| {
            if let ExprKind::Name(name) = &expr.kind {
                all &= self.fixed.contains_key(name.base.as_str());
            }
        });
        all
    }

    /// The value of an expression; `None` when it is not known even as a symbol. `chained`: the
    /// expression initialised a variable, so variables that change are not what they were.
    fn eval(&self, expr: &'i Expr, chained: bool, depth: u32) -> Option<HostValue> {
        if depth > 64 {
            return None;
        }
        let one = |expr: &'i Expr| match self.eval(expr, chained, depth + 1)? {
            HostValue::One(value) => Some(Box::new(value)),
            HostValue::Three(_) => None,
        };
        let value = match &expr.kind {
            ExprKind::Int { value, ty } => {
                Argument::Constant(i128::from(*value), types::scalar(*ty).ctype())
            }
            ExprKind::Bool(value) => Argument::Constant(i128::from(*value), CType::Bool),
            ExprKind::Char { value, .. } => Argument::Constant(i128::from(*value), CType::I8),
            ExprKind::Name(name) => return self.variable(name, chained, depth),
            ExprKind::Unary(UnaryOp::Neg, arg) => Argument::Binary(
                BinaryOp::Sub,
                Box::new(Argument::Constant(0, CType::I32)),
                one(arg)?,
            ),
            ExprKind::Unary(UnaryOp::Plus, arg) => *one(arg)?,
            ExprKind::Binary(op, left, right) => Argument::Binary(*op, one(left)?, one(right)?),
            ExprKind::Conditional { cond, then, els } => {
                Argument::Select(one(cond)?, one(then)?, one(els)?)
            }
            ExprKind::Cast { ty, arg, .. } => match self.ctype(ty)? {
                Ty::Scalar(ctype) if ctype.is_integer() => Argument::Cast(ctype, one(arg)?),
                Ty::Struct(layout) if layout.name == "dim3" => {
                    return self.dim3(std::slice::from_ref(&**arg), chained, depth);
                }
                _ => return None,
            },
            ExprKind::SizeofType(ty) => {
                let bytes = self.ctype(ty)?.bytes()?;
                Argument::Constant(i128::from(bytes), CType::U64)
            }
            ExprKind::Construct { ty, args, .. } => match self.ctype(ty)? {
                Ty::Struct(layout) if layout.name == "dim3" => {
                    return self.dim3(args, chained, depth);
                }
                _ => return None,
            },
            ExprKind::InitList(args) => return self.dim3(args, chained, depth),
            ExprKind::Member {
                base,
                arrow: false,
                field,
            } => {
                let HostValue::Three(sizes) = self.eval(base, chained, depth + 1)? else {
                    return None;
                };
                let axis = ["x", "y", "z"]
                    .iter()
                    .position(|axis| *axis == field.base)?;
                sizes.into_iter().nth(axis)??
            }
            ExprKind::Call { callee, args } => {
                let ExprKind::Name(name) = &callee.kind else {
                    return None;
                };
                match (name.base.as_str(), args.as_slice()) {
                    ("dim3", args) => return self.dim3(args, chained, depth),
                    ("min" | "max", [left, right]) => {
                        let (left, right) = (one(left)?, one(right)?);
                        let less = Argument::Binary(BinaryOp::Lt, left.clone(), right.clone());
                        let (then, els) = if name.base == "min" {
                            (left, right)
                        } else {
                            (right, left)
                        };
                        Argument::Select(Box::new(less), then, els)
                    }
                    _ => self.helper(name, args, chained, depth)?,
                }
            }
            _ => return None,
        };
        Some(HostValue::One(folded(value)))
    }

    fn dim3(&self, args: &'i [Expr], chained: bool, depth: u32) -> Option<HostValue> {
        if args.len() > 3 {
            return None;
        }
        let mut sizes = [0; 3].map(|_| Some(Argument::Constant(1, CType::U32)));
        for (size, arg) in sizes.iter_mut().zip(args) {
            *size = match self.eval(arg, chained, depth + 1) {
                Some(HostValue::One(value)) => Some(value),
                // `dim3(other)`
                Some(HostValue::Three(other)) if args.len() == 1 => {
                    return Some(HostValue::Three(other));
                }
                _ => None,
            };
        }
        Some(HostValue::Three(sizes))
    }

    fn variable(&self, name: &Name, chained: bool, depth: u32) -> Option<HostValue> {
        let simple = name.as_simple()?;
        if let Some(fixed) = self.fixed.get(simple) {
            let ty = self.ctype(fixed.ty)?;
            let known = match (&ty, fixed.init) {
                (Ty::Struct(layout), Some(init)) if layout.name == "dim3" => {
                    return match init {
                        Init::Call(args) => self.dim3(args, true, depth + 1),
                        Init::List(expr) | Init::Expr(expr) => {
                            match self.eval(expr, true, depth + 1)? {
                                HostValue::One(value) => self.dim3_of(value),
                                three => Some(three),
                            }
                        }
                        Init::None => None,
                    };
                }
                (_, Some(Init::Expr(init))) => self.eval(init, true, depth + 1),
                (_, Some(Init::Call(args))) if args.len() == 1 => {
                    self.eval(&args[0], true, depth + 1)
                }
                _ => None,
            };
            let is_auto = matches!(fixed.ty.kind, TypeKind::Auto);
            return match (known, &ty) {
                (Some(HostValue::One(value)), Ty::Scalar(ctype)) if ctype.is_integer() => Some(
                    HostValue::One(folded(Argument::Cast(*ctype, Box::new(value)))),
                ),
                (Some(value), _) if is_auto => Some(value),
                (_, Ty::Scalar(ctype)) => {
                    Some(HostValue::One(Argument::Symbol(simple.to_owned(), *ctype)))
                }
                _ => None,
            };
        }
        if let Some(declared) = self.changing.get(simple) {
            if chained {
                return None;
            }
            return match self.ctype((*declared)?)? {
                Ty::Scalar(ctype) => {
                    Some(HostValue::One(Argument::Symbol(simple.to_owned(), ctype)))
                }
                _ => None,
            };
        }
        if let Some((enumeration, position)) = self.index.enumerator(simple) {
            let plain = enumeration.values[..=position]
                .iter()
                .all(|enumerator| enumerator.value.is_none());
            return plain.then_some(HostValue::One(Argument::Constant(
                position as i128,
                CType::I32,
            )));
        }
        let global = self.index.global(simple)?;
        let Ty::Scalar(ctype) = self.ctype(&global.ty)? else {
            return None;
        };
        if global.ty.is_const || global.storage.constexpr {
            if let Init::Expr(init) = &global.init
                && let Some(HostValue::One(value)) = self.eval(init, true, depth + 1)
            {
                return Some(HostValue::One(folded(Argument::Cast(
                    ctype,
                    Box::new(value),
                ))));
            }
        } else if chained {
            return None;
        }
        Some(HostValue::One(Argument::Symbol(simple.to_owned(), ctype)))
    }

    fn dim3_of(&self, value: Argument) -> Option<HostValue> {
        let one = || Some(Argument::Constant(1, CType::U32));
        Some(HostValue::Three([Some(value), one(), one()]))
    }

    /// A call of a function of the unit that only computes its result: `ceil_div(n, 256)`.
    fn helper(&self, name: &Name, args: &'i [Expr], chained: bool, depth: u32) -> Option<Argument> {
        let functions: Vec<&Function> = self
            .index
            .functions(&name.base)
            .iter()
            .copied()
            .filter(|function| function.body.is_some() && function.params.len() == args.len())
            .collect();
        let [function] = functions.as_slice() else {
            return None;
        };
        let [
            Stmt {
                kind: StmtKind::Return(Some(result)),
                ..
            },
        ] = function.body.as_ref()?.stmts.as_slice()
        else {
            return None;
        };
        let mut values = BTreeMap::new();
        for (param, arg) in function.params.iter().zip(args) {
            let HostValue::One(value) = self.eval(arg, chained, depth + 1)? else {
                return None;
            };
            let value = match self.ctype(&param.ty)? {
                Ty::Scalar(ctype) if ctype.is_integer() => Argument::Cast(ctype, Box::new(value)),
                Ty::Opaque { .. } => value,
                _ => return None,
            };
            values.insert(param.name.clone()?, folded(value));
        }
        let value = substituted(result, &values, 0)?;
        Some(match self.ctype(&function.ret)? {
            Ty::Scalar(ctype) if ctype.is_integer() => Argument::Cast(ctype, Box::new(value)),
            _ => value,
        })
    }
}

/// The value of a helper's result over its arguments.
fn substituted(expr: &Expr, values: &BTreeMap<String, Argument>, depth: u32) -> Option<Argument> {
    if depth > 32 {
        return None;
    }
    let part = |expr: &Expr| substituted(expr, values, depth + 1).map(Box::new);
    let value = match &expr.kind {
        ExprKind::Int { value, ty } => {
            Argument::Constant(i128::from(*value), types::scalar(*ty).ctype())
        }
        ExprKind::Name(name) => values.get(name.as_simple()?)?.clone(),
        ExprKind::Binary(op, left, right) => Argument::Binary(*op, part(left)?, part(right)?),
        ExprKind::Conditional { cond, then, els } => {
            Argument::Select(part(cond)?, part(then)?, part(els)?)
        }
        _ => return None,
    };
    Some(folded(value))
}

/// Constants folded, in 64 bits, where no conversion can matter.
fn folded(value: Argument) -> Argument {
    match value {
        Argument::Cast(ty, inner) => match *inner {
            Argument::Constant(value, _) => Argument::Constant(ty.wrap(value), ty),
            inner => Argument::Cast(ty, Box::new(inner)),
        },
        Argument::Binary(op, left, right) => {
            if let (Argument::Constant(a, ta), Argument::Constant(b, tb)) = (&*left, &*right)
                && let Some(result) = constant(op, *a, *b)
            {
                let ty = ta.common(*tb);
                if ty.holds(result) {
                    return Argument::Constant(result, ty);
                }
            }
            Argument::Binary(op, left, right)
        }
        other => other,
    }
}

fn constant(op: BinaryOp, a: i128, b: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        BinaryOp::Div if b != 0 && a >= 0 && b > 0 => Some(a / b),
        BinaryOp::Rem if a >= 0 && b > 0 => Some(a % b),
        BinaryOp::Shl if a >= 0 && (0..31).contains(&b) && a < 1 << 31 => Some(a << b),
        BinaryOp::Shr if a >= 0 && (0..63).contains(&b) => Some(a >> b),
        _ => None,
    }
}

/// Calls the visitor with every variable declared in a statement.
fn declarations<'e>(stmt: &'e Stmt, visit: &mut dyn FnMut(&'e VarDecl)) {
    match &stmt.kind {
        StmtKind::Block(block) => block
            .stmts
            .iter()
            .for_each(|stmt| declarations(stmt, visit)),
        StmtKind::Decl(all) => all.iter().for_each(visit),
        StmtKind::If { then, els, .. } => {
            declarations(then, visit);
            if let Some(els) = els {
                declarations(els, visit);
            }
        }
        StmtKind::For { init, body, .. } => {
            if let Some(init) = init {
                declarations(init, visit);
            }
            declarations(body, visit);
        }
        StmtKind::RangeFor { var, body, .. } => {
            visit(var);
            declarations(body, visit);
        }
        StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } => declarations(body, visit),
        StmtKind::Switch { items, .. } => {
            for item in items {
                if let SwitchItem::Stmt(stmt) = item {
                    declarations(stmt, visit);
                }
            }
        }
        StmtKind::Label(_, inner) => declarations(inner, visit),
        _ => {}
    }
}

/// Functions that take their scalar arguments by value.
fn takes_values(name: &str) -> bool {
    const PREFIXES: [&str; 4] = ["cuda", "hip", "__", "cu"];
    const NAMES: [&str; 24] = [
        "printf", "fprintf", "sprintf", "snprintf", "malloc", "calloc", "free", "memset", "memcpy",
        "atoi", "atol", "atof", "exit", "assert", "dim3", "sqrt", "ceil", "floor", "pow", "log2",
        "abs", "rand", "srand", "puts",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || NAMES.contains(&name)
}

/// Allocation functions, which set a pointer to an allocation of its own.
fn allocates(name: &str) -> bool {
    (name.starts_with("cudaMalloc")
        || name.starts_with("hipMalloc")
        || name.starts_with("cudaHostAlloc"))
        && !name.contains("Pitch")
}

/// Adds the variables that an expression may change.
fn changes<'e>(
    index: &UnitIndex<'_>,
    expr: &'e Expr,
    changed: &mut BTreeSet<&'e str>,
    allocated: &mut BTreeSet<Range>,
) {
    // What an allocation function sets, below its call.
    if allocated.contains(&expr.range) {
        return;
    }
    match &expr.kind {
        ExprKind::Assign { lhs, .. } => changed.extend(root(lhs)),
        ExprKind::IncDec { arg, .. } => changed.extend(root(arg)),
        ExprKind::AddressOf(arg) => changed.extend(root(arg)),
        // `std::cin >> n`: whatever stands right of a shift may be read into.
        ExprKind::Binary(BinaryOp::Shr, left, right) => {
            let mut leftmost = &**left;
            while let ExprKind::Binary(BinaryOp::Shr, inner, _) = &leftmost.kind {
                leftmost = inner;
            }
            let stream = matches!(&leftmost.kind, ExprKind::Name(name) if name.base == "cin" || !name.qualifier.is_empty());
            let is_value = matches!(
                &leftmost.kind,
                ExprKind::Int { .. } | ExprKind::Binary(..) | ExprKind::Cast { .. }
            );
            if stream || !is_value {
                changed.extend(root(right));
            }
        }
        ExprKind::Call { callee, args } => {
            let name = match &callee.kind {
                ExprKind::Name(name) => name.base.as_str(),
                _ => "",
            };
            let functions = index.functions(name);
            for (position, arg) in args.iter().enumerate() {
                // `cudaMalloc(&p, …)` is how p gets the allocation that it stands for.
                if allocates(name) && position == 0 {
                    walk::sub_exprs(arg, &mut |part| {
                        allocated.insert(part.range);
                    });
                    continue;
                }
                let by_value = if functions.is_empty() {
                    takes_values(name)
                } else {
                    functions
                        .iter()
                        .all(|function| match function.params.get(position) {
                            Some(param) => match &param.ty.kind {
                                TypeKind::Reference(to) => to.is_const,
                                TypeKind::RvalueReference(_) => false,
                                _ => true,
                            },
                            None => false,
                        })
                };
                if !by_value {
                    changed.extend(root(arg));
                }
            }
        }
        ExprKind::Lambda(lambda) if lambda.captures.contains('&') => {
            for stmt in &lambda.body.stmts {
                walk::each_expr(stmt, &mut |expr| {
                    if let ExprKind::Name(name) = &expr.kind {
                        changed.insert(&name.base);
                    }
                });
            }
        }
        ExprKind::Unsupported { .. } | ExprKind::Asm(_) => {}
        _ => {}
    }
}

/// The variable that an lvalue is part of; not what a pointer points to.
fn root(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(&name.base),
        ExprKind::Member {
            base, arrow: false, ..
        } => root(base),
        ExprKind::AddressOf(inner) => root(inner),
        ExprKind::Cast { arg, .. } => root(arg),
        ExprKind::Conditional { then, .. } => root(then),
        _ => None,
    }
}
