//! Short forms for trees.

use super::tree::*;

/// A literal.
#[must_use]
pub fn int(value: i64) -> Expr {
    Expr::Int(value, Ty::I32)
}

/// A variable.
#[must_use]
pub fn var(var: Var) -> Expr {
    Expr::Var(var)
}

/// An operation.
#[must_use]
pub fn bin(op: Bin, a: Expr, b: Expr) -> Expr {
    Expr::Bin(op, Box::new(a), Box::new(b))
}

/// A sum.
#[must_use]
pub fn add(a: Expr, b: Expr) -> Expr {
    bin(Bin::Add, a, b)
}

/// A difference.
#[must_use]
pub fn sub(a: Expr, b: Expr) -> Expr {
    bin(Bin::Sub, a, b)
}

/// A product.
#[must_use]
pub fn mul(a: Expr, b: Expr) -> Expr {
    bin(Bin::Mul, a, b)
}

/// `a < b`.
#[must_use]
pub fn less(a: Expr, b: Expr) -> Expr {
    bin(Bin::Lt, a, b)
}

/// `threadIdx`, by axis.
#[must_use]
pub fn thread(axis: Axis) -> Expr {
    Expr::Builtin(Builtin::Thread(axis))
}

/// `blockIdx`.
#[must_use]
pub fn block(axis: Axis) -> Expr {
    Expr::Builtin(Builtin::Block(axis))
}

/// `blockDim`.
#[must_use]
pub fn block_dim(axis: Axis) -> Expr {
    Expr::Builtin(Builtin::BlockDim(axis))
}

/// `gridDim`.
#[must_use]
pub fn grid_dim(axis: Axis) -> Expr {
    Expr::Builtin(Builtin::GridDim(axis))
}

/// `a[i]`.
#[must_use]
pub fn load(array: Array, index: Expr) -> Expr {
    Expr::Load(array, vec![index])
}

/// `a[i] = v;`
#[must_use]
pub fn store(array: Array, index: Expr, value: Expr) -> Stmt {
    Stmt::Store(array, vec![index], None, value)
}

/// `if (c) { … }`
#[must_use]
pub fn when(condition: Expr, then: Vec<Stmt>) -> Stmt {
    Stmt::If(condition, then, Vec::new())
}
