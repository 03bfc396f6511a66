//! Rewritings that leave the meaning of a kernel as it is.

use super::dice::Dice;
use super::tree::*;

/// Makes a function of some statements of the kernel, or of an expression, at random.
pub fn outline(program: &mut Program, dice: &mut Dice) {
    if dice.chance(60) {
        outline_stmts(program, dice);
    } else {
        let is_macro = dice.chance(30);
        outline_expr(program, dice, is_macro);
    }
}

/// Makes a function without a result of some consecutive statements that change no variable from outside. Gives whether there
/// are such.
pub fn outline_stmts(program: &mut Program, dice: &mut Dice) -> bool {
    let before = program.clone();
    let mut blocks = 0;
    for_kernel_blocks(&mut program.body, &mut |_| blocks += 1);
    let chosen = dice.roll(blocks);
    let (from, length) = (dice.roll(4), 1 + dice.roll(4));
    let number = program.functions.len();
    let mut taken: Vec<Stmt> = Vec::new();
    let mut seen = 0;
    for_kernel_blocks(&mut program.body, &mut |block| {
        if seen == chosen && !block.is_empty() {
            let from = from % block.len();
            let to = (from + length).min(block.len());
            taken = block
                .splice(from..to, [Stmt::Call(number, Vec::new(), Vec::new())])
                .collect();
        }
        seen += 1;
    });
    let mut uses = Uses::default();
    uses.block(&taken);
    if taken.is_empty() || uses.escapes {
        *program = before;
        return false;
    }
    // Free variables become parameters, under names of their own.
    let free: Vec<Var> = uses
        .read
        .iter()
        .copied()
        .filter(|var| !uses.declared.contains(var))
        .collect();
    let changed = uses.written.iter().any(|var| !uses.declared.contains(var));
    if changed {
        *program = before;
        return false;
    }
    let mut scalars = Vec::new();
    for var in &free {
        let VarDecl { ty, .. } = program.vars[*var];
        scalars.push(program.var("x", ty));
    }
    let mut arrays = Vec::new();
    for array in &uses.arrays {
        let ArrayDecl { ty, extents, .. } = program.arrays[*array].clone();
        if extents.len() > 1 {
            *program = before;
            return false;
        }
        program.arrays.push(ArrayDecl {
            name: format!("p{}", program.arrays.len()),
            ty,
            space: Space::Passed,
            extents: Vec::new(),
        });
        arrays.push(program.arrays.len() - 1);
    }
    let mut body = taken;
    exprs_of_block_mut(&mut body, &mut |expr| match expr {
        Expr::Var(var) => {
            if let Some(at) = free.iter().position(|free| free == var) {
                *var = scalars[at];
            }
        }
        Expr::Load(array, _) => {
            if let Some(at) = uses.arrays.iter().position(|used| used == array) {
                *array = arrays[at];
            }
        }
        _ => {}
    });
    for_kernel_blocks(&mut body, &mut |block| {
        for stmt in block {
            match stmt {
                Stmt::Store(array, ..) | Stmt::Atomic(_, array, ..) => {
                    if let Some(at) = uses.arrays.iter().position(|used| used == array) {
                        *array = arrays[at];
                    }
                }
                Stmt::Call(_, _, passed) => {
                    for array in passed {
                        if let Some(at) = uses.arrays.iter().position(|used| used == array) {
                            *array = arrays[at];
                        }
                    }
                }
                _ => {}
            }
        }
    });
    for_kernel_blocks(&mut program.body, &mut |block| {
        for stmt in block {
            if let Stmt::Call(function, values, passed) = stmt
                && *function == number
            {
                *values = free.iter().map(|var| Expr::Var(*var)).collect();
                passed.clone_from(&uses.arrays);
            }
        }
    });
    program.functions.push(Function {
        name: format!("f{number}"),
        scalars,
        arrays,
        body,
        result: None,
        is_macro: false,
    });
    // A variable that is declared in there may be used behind.
    if !well_formed(program) {
        *program = before;
        return false;
    }
    true
}

/// Makes a function that returns a value, or a macro, of an expression without loads.
pub fn outline_expr(program: &mut Program, dice: &mut Dice, is_macro: bool) -> bool {
    let fits = |expr: &Expr| {
        let mut size = 0;
        let mut loads = false;
        expr_mut(&mut expr.clone(), &mut |part| {
            size += 1;
            loads |= matches!(part, Expr::Load(..));
        });
        size > 2 && !loads
    };
    let mut count = 0;
    exprs_of_block_mut(&mut program.body, &mut |expr| {
        count += usize::from(fits(expr))
    });
    if count == 0 {
        return false;
    }
    let chosen = dice.roll(count);
    let number = program.functions.len();
    let mut taken = None;
    let mut seen = 0;
    exprs_of_block_mut(&mut program.body, &mut |expr| {
        if taken.is_none() && fits(expr) {
            if seen == chosen {
                let mut free = Vec::new();
                expr_mut(expr, &mut |part| {
                    if let Expr::Var(var) = part
                        && !free.contains(var)
                    {
                        free.push(*var);
                    }
                });
                let arguments = free.iter().map(|var| Expr::Var(*var)).collect();
                let whole = std::mem::replace(expr, Expr::Call(number, arguments));
                taken = Some((whole, free));
            }
            seen += 1;
        }
    });
    let Some((mut result, free)) = taken else {
        return false;
    };
    let ty = program.ty(&result);
    let mut scalars = Vec::new();
    for var in &free {
        let VarDecl { ty, .. } = program.vars[*var];
        scalars.push(program.var("x", ty));
    }
    expr_mut(&mut result, &mut |part| {
        if let Expr::Var(var) = part
            && let Some(at) = free.iter().position(|free| free == var)
        {
            *var = scalars[at];
        }
    });
    program.functions.push(Function {
        name: format!("f{number}"),
        scalars,
        arrays: Vec::new(),
        body: Vec::new(),
        result: Some((ty, result)),
        is_macro,
    });
    debug_assert!(well_formed(program));
    true
}

/// Calls back for every list of statements, outer ones first.
fn for_kernel_blocks(block: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(block);
    for stmt in block {
        match stmt {
            Stmt::If(_, then, other) => {
                for_kernel_blocks(then, visit);
                for_kernel_blocks(other, visit);
            }
            Stmt::Loop(loop_) => for_kernel_blocks(&mut loop_.body, visit),
            _ => {}
        }
    }
}

/// What statements use.
#[derive(Default)]
pub(super) struct Uses {
    pub(super) read: Vec<Var>,
    pub(super) written: Vec<Var>,
    pub(super) declared: Vec<Var>,
    pub(super) arrays: Vec<Array>,
    /// Whether control may leave them otherwise than at their end.
    pub(super) escapes: bool,
    pub(super) barrier: bool,
    loops: usize,
}

impl Uses {
    pub(super) fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let(var, value) => {
                self.expr(value);
                self.declared.push(*var);
            }
            Stmt::Set(var, op, value) => {
                self.expr(value);
                self.written.push(*var);
                if op.is_some() {
                    self.reads(*var);
                }
            }
            Stmt::Store(array, index, _, value) => self.place(*array, index, value),
            Stmt::Atomic(_, array, index, value, result) => {
                self.place(*array, index, value);
                self.declared.extend(result);
            }
            Stmt::If(condition, then, other) => {
                self.expr(condition);
                self.block(then);
                self.block(other);
            }
            Stmt::Loop(loop_) => {
                self.expr(&loop_.start);
                if loop_.declares {
                    self.declared.push(loop_.var);
                } else {
                    self.written.push(loop_.var);
                }
                self.expr(&loop_.condition);
                self.expr(&loop_.amount);
                self.loops += 1;
                self.block(&loop_.body);
                self.loops -= 1;
            }
            Stmt::Break | Stmt::Continue => self.escapes |= self.loops == 0,
            Stmt::Return => self.escapes = true,
            Stmt::Barrier => self.barrier = true,
            Stmt::Call(_, scalars, arrays) => {
                // What the function does with them is not looked at.
                self.barrier = true;
                scalars.iter().for_each(|scalar| self.expr(scalar));
                arrays.iter().for_each(|array| self.array(*array));
            }
        }
    }

    fn place(&mut self, array: Array, index: &[Expr], value: &Expr) {
        self.array(array);
        index.iter().for_each(|index| self.expr(index));
        self.expr(value);
    }

    fn array(&mut self, array: Array) {
        if !self.arrays.contains(&array) {
            self.arrays.push(array);
        }
    }

    fn reads(&mut self, var: Var) {
        if !self.read.contains(&var) {
            self.read.push(var);
        }
    }

    pub(super) fn expr(&mut self, expr: &Expr) {
        expr_mut(&mut expr.clone(), &mut |part| match part {
            Expr::Var(var) => self.reads(*var),
            Expr::Load(array, _) => self.array(*array),
            _ => {}
        });
    }
}
