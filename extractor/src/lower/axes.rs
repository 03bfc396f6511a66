//! Which axes of blocks and grids code knows of: those that a kernel asks for, and those that host code gives sizes along.

use rustc_hash::FxHashSet;

use super::unit::UnitIndex;
use super::walk::{each_expr, each_stmt, sub_exprs};
use crate::syntax::ast::*;

/// Members of cooperative groups that tell the thread or block index.
const GROUP_MEMBERS: &[&str] = &[
    "thread_rank",
    "size",
    "num_threads",
    "group_index",
    "thread_index",
    "block_rank",
    "num_blocks",
    "block_index",
    "group_dim",
    "dim_threads",
    "dim_blocks",
    "meta_group_rank",
    "meta_group_size",
];

/// Free functions that do the same: `cg::thread_rank(block)`.
const GROUP_FUNCTIONS: &[&str] = &["thread_rank", "group_size"];

/// Which of block x, y, z and grid x, y, z a kernel or anything it may call mentions. What is not
/// understood mentions what its text, macros expanded, does.
pub(crate) fn mentioned_axes<'t>(
    index: &UnitIndex<'_>,
    kernel: &Function,
    text: &dyn Fn(Range) -> &'t str,
) -> [bool; 6] {
    let mut mentioned = [false; 6];
    let mut seen: FxHashSet<Range> = FxHashSet::default();
    let mut named: FxHashSet<&str> = FxHashSet::default();
    let mut work: Vec<&Function> = vec![kernel];
    // Operators, conversions and constructors are called without their names.
    work.extend(index.unit.functions.iter().filter(|function| {
        let owner = function.owner.as_deref().map(super::unit::last_component);
        !function.quals.global
            && function.quals.device
            && (function.name.starts_with("operator") || owner == Some(function.name.as_str()))
    }));
    while let Some(function) = work.pop() {
        if !seen.insert(function.range) {
            continue;
        }
        if !function.parse_errors.is_empty() {
            let words = in_text(text(function.range), &mut mentioned);
            for name in words {
                let functions = index.functions(name);
                let Some(first) = functions.first() else {
                    continue;
                };
                if named.insert(&first.name) {
                    work.extend(functions.iter().filter(|function| !function.quals.global));
                }
            }
            continue;
        }
        let Some(body) = &function.body else { continue };
        let mut names: Vec<&str> = Vec::new();
        let mut registers = Vec::new();
        let mut bases: FxHashSet<Range> = FxHashSet::default();
        let mut visit = |expr: &'_ Expr| match &expr.kind {
            ExprKind::Member { base, field, .. } => {
                if let ExprKind::Name(name) = &base.kind
                    && let Some(axis) = ["x", "y", "z"].iter().position(|axis| *axis == field.base)
                {
                    bases.insert(base.range);
                    match name.base.as_str() {
                        "threadIdx" | "blockDim" => mentioned[axis] = true,
                        "blockIdx" | "gridDim" => mentioned[3 + axis] = true,
                        _ => {}
                    }
                }
                // Cooperative groups know the whole thread index.
                if GROUP_MEMBERS.contains(&field.base.as_str()) {
                    mentioned = [true; 6];
                }
            }
            // The whole of it is passed on: `f(threadIdx)`.
            ExprKind::Name(name)
                if matches!(
                    name.base.as_str(),
                    "threadIdx" | "blockIdx" | "blockDim" | "gridDim"
                ) && !bases.contains(&expr.range) =>
            {
                mentioned = [true; 6];
            }
            ExprKind::Name(name) if GROUP_FUNCTIONS.contains(&name.base.as_str()) => {
                mentioned = [true; 6];
            }
            _ => {}
        };
        for stmt in &body.stmts {
            each_stmt(stmt, &mut |stmt| {
                if let StmtKind::Asm(asm) = &stmt.kind {
                    registers.extend(special_registers(&asm.template));
                }
            });
            each_expr(stmt, &mut |expr| {
                visit(expr);
                match &expr.kind {
                    ExprKind::Name(name) => names.push(&name.base),
                    ExprKind::Member { field, .. } => names.push(&field.base),
                    ExprKind::Asm(asm) => registers.extend(special_registers(&asm.template)),
                    _ => {}
                }
            });
        }
        for (position, axis) in registers {
            match axis {
                Some(axis) => mentioned[position + axis] = true,
                None => mentioned = [true; 6],
            }
        }
        for name in names {
            if !named.insert(name) {
                continue;
            }
            work.extend(
                index
                    .functions(name)
                    .iter()
                    .filter(|function| !function.quals.global),
            );
        }
    }
    mentioned
}

/// The axes that a text mentions, whatever it means, and the words in it.
fn in_text<'t>(text: &'t str, mentioned: &mut [bool; 6]) -> Vec<&'t str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let end = rest[start..]
            .find(|c| !is_word(c))
            .map_or(rest.len(), |end| start + end);
        let word = &rest[start..end];
        rest = &rest[end..];
        words.push(word);
        let first = match word {
            "threadIdx" | "blockDim" => 0,
            "blockIdx" | "gridDim" => 3,
            word if GROUP_MEMBERS.contains(&word) || GROUP_FUNCTIONS.contains(&word) => {
                *mentioned = [true; 6];
                continue;
            }
            _ => continue,
        };
        let member = rest.trim_start().strip_prefix('.').map(str::trim_start);
        let axis = member.and_then(|member| {
            let is_whole = !member.chars().nth(1).is_some_and(is_word);
            ["x", "y", "z"]
                .iter()
                .position(|axis| is_whole && member.starts_with(axis))
        });
        match axis {
            Some(axis) => mentioned[first + axis] = true,
            None => *mentioned = [true; 6],
        }
    }
    for (position, axis) in special_registers(text) {
        match axis {
            Some(axis) => mentioned[position + axis] = true,
            None => *mentioned = [true; 6],
        }
    }
    words
}

/// The registers of PTX that an assembly template reads indices or sizes from: 0 for those of blocks, 3 for those of grids, with the
/// axis; none for all of them at once (`mov.v4.u32 {…}, %tid`).
fn special_registers(template: &str) -> Vec<(usize, Option<usize>)> {
    let words = template.split('%').skip(1);
    words
        .filter_map(|word| {
            let end = word.find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
            let word = &word[..end.unwrap_or(word.len())];
            let (register, axis) = match word.split_once('.') {
                Some((register, axis)) => (register, Some(axis)),
                None => (word, None),
            };
            let position = match register {
                "tid" | "ntid" => 0,
                "ctaid" | "nctaid" => 3,
                _ => return None,
            };
            let axis = axis.and_then(|axis| ["x", "y", "z"].iter().position(|one| *one == axis));
            Some((position, axis))
        })
        .collect()
}

/// Whether the unit makes sizes of more than one along x, y and z anywhere: `dim3 block(16, 16);`, `grid.y = n;`,
/// `launch({8, 8, 4})`. Along x all code does.
pub(crate) fn shown_axes(unit: &Unit) -> [bool; 3] {
    let mut shown = [true, false, false];
    for function in &unit.functions {
        let Some(body) = &function.body else { continue };
        for stmt in &body.stmts {
            each_expr(stmt, &mut |expr| in_expr(expr, &mut shown));
            each_stmt(stmt, &mut |stmt| {
                if let StmtKind::Decl(declarations) = &stmt.kind {
                    for declaration in declarations {
                        in_declaration(declaration, &mut shown);
                    }
                }
            });
        }
    }
    let fields = unit.structs.iter().flat_map(|class| &class.fields);
    for declaration in unit.globals.iter().chain(fields) {
        in_declaration(declaration, &mut shown);
        match &declaration.init {
            Init::Expr(init) | Init::List(init) => {
                sub_exprs(init, &mut |expr| in_expr(expr, &mut shown));
            }
            Init::Call(args) => {
                for arg in args {
                    sub_exprs(arg, &mut |expr| in_expr(expr, &mut shown));
                }
            }
            Init::None => {}
        }
    }
    shown
}

fn in_declaration(declaration: &VarDecl, shown: &mut [bool; 3]) {
    if !is_sizes(&declaration.ty) {
        return;
    }
    match &declaration.init {
        Init::Call(args) => sizes(args, shown),
        Init::List(Expr {
            kind: ExprKind::InitList(items),
            ..
        }) => sizes(items, shown),
        _ => {}
    }
}

fn in_expr(expr: &Expr, shown: &mut [bool; 3]) {
    match &expr.kind {
        ExprKind::Construct { ty, args, .. } if is_sizes(ty) => sizes(args, shown),
        ExprKind::Call { callee, args } => {
            if let ExprKind::Name(name) = &callee.kind
                && is_name_of_sizes(&name.base)
            {
                sizes(args, shown);
            }
            for arg in args {
                if let ExprKind::InitList(items) = &arg.kind {
                    sizes(items, shown);
                }
            }
        }
        // `grid.y = n`, `*= 2`.
        ExprKind::Assign { lhs, rhs, .. } => {
            if let ExprKind::Member { field, .. } = &lhs.kind
                && let Some(axis) = ["x", "y", "z"].iter().position(|axis| *axis == field.base)
            {
                shown[axis] |= !is_one(rhs);
            }
        }
        _ => {}
    }
}

fn sizes(written: &[Expr], shown: &mut [bool; 3]) {
    for (size, shown) in written.iter().zip(shown) {
        *shown |= !is_one(size);
    }
}

fn is_one(size: &Expr) -> bool {
    matches!(size.kind, ExprKind::Int { value: 1, .. })
}

fn is_sizes(ty: &Type) -> bool {
    matches!(&ty.kind, TypeKind::Named(name) if is_name_of_sizes(&name.base))
}

fn is_name_of_sizes(name: &str) -> bool {
    matches!(name, "dim3" | "uint3" | "make_uint3")
}
