//! Making a program small while a property of it lasts: delta debugging on the tree.
//!
//! Candidates are tried in a fixed order (drop statements, take a branch or a body for the whole, take a part of an expression or
//! a constant for the whole, smaller launches), the first that keeps the property is taken, until none does.

use super::tree::*;

/// The smallest program that is found, starting from one that has the property.
pub fn shrink(program: &Program, keeps: &dyn Fn(&Program) -> bool, tries: usize) -> Program {
    let mut best = program.clone();
    let mut left = tries;
    loop {
        let mut better = false;
        let mut number = 0;
        while let Some(candidate) = candidate(&best, number) {
            if left == 0 {
                return tidy(best);
            }
            let smaller = candidate.as_ref().filter(|candidate| {
                well_formed(candidate) && cost(candidate) < cost(&best) && {
                    left -= 1;
                    keeps(candidate)
                }
            });
            if let Some(smaller) = smaller {
                best = smaller.clone();
                better = true;
                // What stands at this number now has not been tried.
            } else {
                number += 1;
            }
        }
        if !better {
            return tidy(best);
        }
    }
}

fn cost(program: &Program) -> (usize, u32) {
    let Launch { block, grid } = program.launch;
    let threads = block.iter().sum::<u32>() + 4 * grid.iter().sum::<u32>();
    let unused = program.scalars.len() + program.functions.len();
    (
        program.size() + unused,
        threads + u32::from(program.symbolic),
    )
}

/// The candidate of a number; `None` behind the last, `Some(None)` where there is nothing to change.
#[expect(
    clippy::option_option,
    reason = "the end of the list is not a gap in it"
)]
fn candidate(program: &Program, number: usize) -> Option<Option<Program>> {
    const STMT_WAYS: usize = 5;
    const EXPR_WAYS: usize = 6;
    let mut copy = program.clone();
    let mut stmts = 0;
    copy.blocks_mut(&mut |block| stmts += block.len());
    let mut exprs = 0;
    copy.exprs_mut(&mut |_| exprs += 1);
    let mut number = number;
    if number < stmts * STMT_WAYS {
        return Some(edit_stmt(copy, number % stmts, number / stmts));
    }
    number -= stmts * STMT_WAYS;
    if number < exprs * EXPR_WAYS {
        return Some(edit_expr(copy, number / EXPR_WAYS, number % EXPR_WAYS));
    }
    number -= exprs * EXPR_WAYS;
    edit_rest(copy, number)
}

fn edit_stmt(mut program: Program, which: usize, way: usize) -> Option<Program> {
    let mut seen = 0;
    let mut done = false;
    program.blocks_mut(&mut |block| {
        let at = which.checked_sub(seen).filter(|at| *at < block.len());
        seen += block.len();
        let Some(at) = at.filter(|_| !done) else {
            return;
        };
        let replaced: Option<Vec<Stmt>> = match (way, &block[at]) {
            (0, _) => Some(Vec::new()),
            (1, Stmt::If(_, then, _)) => Some(then.clone()),
            (2, Stmt::If(_, _, other)) if !other.is_empty() => Some(other.clone()),
            (3, Stmt::If(condition, then, other)) if !other.is_empty() => {
                Some(vec![Stmt::If(condition.clone(), then.clone(), Vec::new())])
            }
            (1, Stmt::Loop(loop_)) if loop_.declares => {
                let mut out = vec![Stmt::Let(loop_.var, loop_.start.clone())];
                out.extend(loop_.body.clone());
                Some(out)
            }
            (2, Stmt::Loop(loop_)) => Some(loop_.body.clone()),
            (1, Stmt::Store(array, index, Some(_), value)) => Some(vec![Stmt::Store(
                *array,
                index.clone(),
                None,
                value.clone(),
            )]),
            _ => None,
        };
        if let Some(replaced) = replaced {
            block.splice(at..=at, replaced);
            done = true;
        }
    });
    done.then_some(program)
}

fn edit_expr(mut program: Program, which: usize, way: usize) -> Option<Program> {
    let mut seen = 0;
    let mut done = false;
    program.exprs_mut(&mut |expr| {
        let here = seen == which;
        seen += 1;
        if !here || done {
            return;
        }
        let replaced = match (way, &*expr) {
            (0, Expr::Int(0, Ty::I32)) => None,
            (0, _) => Some(Expr::Int(0, Ty::I32)),
            (1, Expr::Int(..)) => None,
            (1, _) => Some(Expr::Int(1, Ty::I32)),
            (2, Expr::Bin(_, a, _) | Expr::Un(_, a) | Expr::Cast(_, a) | Expr::Cond(_, a, _)) => {
                Some((**a).clone())
            }
            (3, Expr::Bin(_, _, b) | Expr::Cond(_, _, b)) => Some((**b).clone()),
            (4, Expr::Cond(c, _, _)) => Some((**c).clone()),
            (4, Expr::Call(_, arguments) | Expr::Load(_, arguments)) => arguments.first().cloned(),
            (5, Expr::Int(value, ty)) if value.abs() > 1 => Some(Expr::Int(value / 2, *ty)),
            _ => None,
        };
        if let Some(replaced) = replaced {
            *expr = replaced;
            done = true;
        }
    });
    done.then_some(program)
}

#[expect(
    clippy::option_option,
    reason = "the end of the list is not a gap in it"
)]
fn edit_rest(mut program: Program, number: usize) -> Option<Option<Program>> {
    match number {
        0..6 => {
            let Launch { block, grid } = &mut program.launch;
            let size = if number < 3 {
                &mut block[number]
            } else {
                &mut grid[number - 3]
            };
            *size = (*size).div_ceil(2).max(1);
            Some(Some(program))
        }
        6..12 => {
            let Launch { block, grid } = &mut program.launch;
            let size = if number < 9 {
                &mut block[number - 6]
            } else {
                &mut grid[number - 9]
            };
            *size = size.saturating_sub(1).max(1);
            Some(Some(program))
        }
        12 => {
            program.symbolic = false;
            Some(Some(program))
        }
        _ => {
            // A parameter that is not used any more.
            let at = number - 13;
            (at < program.scalars.len()).then(|| {
                program.scalars.remove(at);
                Some(program)
            })
        }
    }
}

/// Drops functions and arrays that nothing uses.
fn tidy(program: Program) -> Program {
    let mut best = program;
    for function in (0..best.functions.len()).rev() {
        let mut copy = best.clone();
        let mut used = false;
        copy.blocks_mut(&mut |block| {
            used |= block
                .iter()
                .any(|stmt| matches!(stmt, Stmt::Call(f, ..) if *f == function));
        });
        copy.exprs_mut(&mut |expr| used |= matches!(expr, Expr::Call(f, _) if *f == function));
        if !used {
            best.functions.remove(function);
            best.blocks_mut(&mut |block| {
                for stmt in block {
                    if let Stmt::Call(f, ..) = stmt
                        && *f > function
                    {
                        *f -= 1;
                    }
                }
            });
            best.exprs_mut(&mut |expr| {
                if let Expr::Call(f, _) = expr
                    && *f > function
                {
                    *f -= 1;
                }
            });
        }
    }
    best
}
