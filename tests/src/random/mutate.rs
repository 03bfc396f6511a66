//! Mutants: one small error in a kernel, of the kinds that are made.

use super::build::*;
use super::tree::*;

/// What is done to a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Operator {
    /// A barrier is left out.
    DropBarrier,
    /// A barrier is moved into a branch that only some threads take.
    BranchBarrier,
    /// A guard is left out: its body is run by all.
    DropGuard,
    /// A guard holds for more threads, or others.
    WeakenGuard,
    /// An index is one too high.
    ShiftIndex,
    /// `threadIdx.x` where `threadIdx.y` is meant, or the two indices of an element the other way round.
    SwapDimensions,
    /// An atomic becomes a plain update.
    DropAtomic,
    /// A loop steps further or less far, or an index is scaled otherwise.
    ChangeStride,
}

impl Operator {
    /// All of them.
    pub const ALL: [Operator; 8] = [
        Operator::DropBarrier,
        Operator::BranchBarrier,
        Operator::DropGuard,
        Operator::WeakenGuard,
        Operator::ShiftIndex,
        Operator::SwapDimensions,
        Operator::DropAtomic,
        Operator::ChangeStride,
    ];
}

/// The number of places where an operator can be applied.
#[must_use]
pub fn sites(program: &Program, operator: Operator) -> usize {
    let mut copy = program.clone();
    visit(&mut copy, operator, usize::MAX)
}

/// The mutant of a place; `None` if it would not be a program.
#[must_use]
pub fn mutant(program: &Program, operator: Operator, site: usize) -> Option<Program> {
    let mut copy = program.clone();
    visit(&mut copy, operator, site);
    (copy != *program && well_formed(&copy)).then_some(copy)
}

/// Applies the operator at a site, and gives the number of sites.
fn visit(program: &mut Program, operator: Operator, site: usize) -> usize {
    let mut seen = 0;
    let mut here = || {
        seen += 1;
        seen - 1 == site
    };
    match operator {
        Operator::SwapDimensions => {
            program.exprs_mut(&mut |expr| match expr {
                Expr::Builtin(Builtin::Thread(axis) | Builtin::Block(axis))
                    if *axis < 2 && here() =>
                {
                    *axis = 1 - *axis;
                }
                Expr::Load(_, index) if index.len() == 2 && here() => index.swap(0, 1),
                _ => {}
            });
            program.blocks_mut(&mut |block| {
                for stmt in block {
                    if let Stmt::Store(_, index, ..) | Stmt::Atomic(_, _, index, ..) = stmt
                        && index.len() == 2
                        && here()
                    {
                        index.swap(0, 1);
                    }
                }
            });
        }
        Operator::ShiftIndex => {
            program.exprs_mut(&mut |expr| {
                if let Expr::Load(_, index) = expr
                    && here()
                {
                    shift(index);
                }
            });
            program.blocks_mut(&mut |block| {
                for stmt in block {
                    if let Stmt::Store(_, index, ..) | Stmt::Atomic(_, _, index, ..) = stmt
                        && here()
                    {
                        shift(index);
                    }
                }
            });
        }
        Operator::ChangeStride => {
            program.exprs_mut(&mut |expr| {
                if let Expr::Bin(Bin::Mul, _, factor) = expr
                    && here()
                {
                    let old = factor.clone();
                    **factor = match *old {
                        Expr::Int(value, ty) if value > 1 => Expr::Int(value - 1, ty),
                        _ => sub(*old, int(1)),
                    };
                }
            });
            program.blocks_mut(&mut |block| {
                for stmt in block {
                    if let Stmt::Loop(loop_) = stmt
                        && here()
                    {
                        loop_.amount = match &loop_.amount {
                            Expr::Int(value, ty) => Expr::Int(value + 1, *ty),
                            other => sub(other.clone(), int(1)),
                        };
                    }
                }
            });
        }
        _ => program.blocks_mut(&mut |block| {
            let mut at = 0;
            while at < block.len() {
                let replaced = replaced(operator, &block[at]);
                if let Some(replaced) = replaced
                    && here()
                {
                    let count = replaced.len();
                    block.splice(at..=at, replaced);
                    at += count;
                } else {
                    at += 1;
                }
            }
        }),
    }
    seen
}

fn shift(index: &mut [Expr]) {
    if let Some(last) = index.last_mut() {
        *last = add(last.clone(), int(1));
    }
}

/// What stands in place of a statement.
fn replaced(operator: Operator, stmt: &Stmt) -> Option<Vec<Stmt>> {
    match (operator, stmt) {
        (Operator::DropBarrier, Stmt::Barrier) => Some(Vec::new()),
        (Operator::BranchBarrier, Stmt::Barrier) => {
            let some = bin(Bin::Ne, thread(0), int(0));
            Some(vec![when(some, vec![Stmt::Barrier])])
        }
        (Operator::DropGuard, Stmt::If(_, then, _)) => Some(then.clone()),
        (Operator::WeakenGuard, Stmt::If(condition, then, other)) => {
            let condition = weaker(condition)?;
            Some(vec![Stmt::If(condition, then.clone(), other.clone())])
        }
        (Operator::DropAtomic, Stmt::Atomic(op, array, index, value, None)) => {
            let op = match op {
                AtomicOp::Add => Some(Bin::Add),
                AtomicOp::Or => Some(Bin::Or),
                AtomicOp::Max | AtomicOp::Exch | AtomicOp::Claim => None,
            };
            Some(vec![Stmt::Store(*array, index.clone(), op, value.clone())])
        }
        _ => None,
    }
}

/// A condition that holds more often.
fn weaker(condition: &Expr) -> Option<Expr> {
    let Expr::Bin(op, a, b) = condition else {
        return None;
    };
    let (a, b) = ((**a).clone(), (**b).clone());
    Some(match op {
        Bin::Lt => bin(Bin::Le, a, b),
        Bin::Gt => bin(Bin::Ge, a, b),
        Bin::Eq => bin(Bin::Le, a, b),
        Bin::Le => bin(Bin::Le, a, add(b, int(1))),
        Bin::Both => a,
        Bin::Rem | Bin::And => bin(Bin::Or, a, b),
        _ => return None,
    })
}
