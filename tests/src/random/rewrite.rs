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
            Stmt::Barrier | Stmt::Lanes(_) => self.barrier = true,
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

/// A rewriting that leaves verdicts alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rewriting {
    /// Other names for all variables, arrays and functions.
    Rename,
    /// Two neighbouring statements that do not touch each other change places.
    Reorder,
    /// Statements become a device function.
    Outline,
    /// An expression becomes a device function.
    OutlineValue,
    /// An expression becomes a macro.
    Macro,
    /// A loop with known rounds is written out.
    Unroll,
    /// Sums are grouped and ordered otherwise.
    Reassociate,
}

impl Rewriting {
    /// All of them.
    pub const ALL: [Rewriting; 7] = [
        Rewriting::Rename,
        Rewriting::Reorder,
        Rewriting::Outline,
        Rewriting::OutlineValue,
        Rewriting::Macro,
        Rewriting::Unroll,
        Rewriting::Reassociate,
    ];
}

/// The program rewritten; `None` where there is nothing to rewrite.
pub fn rewritten(program: &Program, how: Rewriting, dice: &mut Dice) -> Option<Program> {
    let mut copy = program.clone();
    match how {
        Rewriting::Rename => rename(&mut copy),
        Rewriting::Reorder => reorder(&mut copy, dice),
        Rewriting::Outline => {
            (0..6).any(|_| outline_stmts(&mut copy, dice));
        }
        Rewriting::OutlineValue => {
            outline_expr(&mut copy, dice, false);
        }
        Rewriting::Macro => {
            outline_expr(&mut copy, dice, true);
        }
        Rewriting::Unroll => unroll(&mut copy, dice),
        Rewriting::Reassociate => reassociate(&mut copy),
    }
    (copy != *program && well_formed(&copy)).then_some(copy)
}

fn rename(program: &mut Program) {
    let count = program.vars.len();
    for (number, var) in program.vars.iter_mut().enumerate() {
        var.name = format!(
            "{}_{}",
            ["width", "idx", "Tmp", "lane"][number % 4],
            count - number
        );
    }
    for (number, array) in program.arrays.iter_mut().enumerate() {
        array.name = format!("{}{number}_", ["data", "tile", "buf"][number % 3]);
    }
    for (number, function) in program.functions.iter_mut().enumerate() {
        function.name = format!("helper_{number}");
    }
}

/// Whether two statements may change places.
fn independent(a: &Stmt, b: &Stmt) -> bool {
    let of = |stmt: &Stmt| {
        let mut uses = Uses::default();
        uses.block(std::slice::from_ref(stmt));
        uses
    };
    let (a, b) = (of(a), of(b));
    let touches = |a: &Uses, b: &Uses| {
        let mut set = a.written.iter().chain(&a.declared);
        set.any(|var| b.read.contains(var) || b.written.contains(var) || b.declared.contains(var))
    };
    let leaves = |uses: &Uses| uses.barrier || uses.escapes;
    let arrays = a.arrays.iter().any(|array| b.arrays.contains(array));
    !leaves(&a) && !leaves(&b) && !arrays && !touches(&a, &b) && !touches(&b, &a)
}

fn reorder(program: &mut Program, dice: &mut Dice) {
    program.blocks_mut(&mut |block| {
        for at in 1..block.len() {
            if independent(&block[at - 1], &block[at]) && dice.chance(70) {
                block.swap(at - 1, at);
            }
        }
    });
}

/// Writes out a loop that counts from one number to another.
fn unroll(program: &mut Program, dice: &mut Dice) {
    let chosen = dice.roll(3);
    let mut seen = 0;
    let mut done = false;
    let mut vars = program.vars.clone();
    for_kernel_blocks(&mut program.body, &mut |block| {
        for at in 0..block.len() {
            let Stmt::Loop(loop_) = &block[at] else {
                continue;
            };
            let Some(values) = rounds(loop_) else {
                continue;
            };
            seen += 1;
            if done || seen - 1 < chosen.min(seen - 1) {
                continue;
            }
            let mut out = Vec::new();
            for value in values {
                let var = vars.len();
                let decl = vars[loop_.var].clone();
                vars.push(VarDecl {
                    name: format!("u{var}"),
                    ty: decl.ty,
                });
                let mut body = loop_.body.clone();
                renew(&mut body, loop_.var, var, &mut vars);
                out.push(Stmt::Let(var, Expr::Int(value, Ty::I32)));
                out.extend(body);
            }
            block.splice(at..=at, out);
            done = true;
            return;
        }
    });
    program.vars = vars;
}

/// The values of a loop's variable, if they are few and the body neither changes it nor leaves the loop.
fn rounds(loop_: &Loop) -> Option<Vec<i64>> {
    let Loop {
        form: Form::For | Form::While,
        declares: true,
        start: Expr::Int(start, Ty::I32),
        step: Bin::Add,
        amount: Expr::Int(step, Ty::I32),
        ..
    } = loop_
    else {
        return None;
    };
    let Expr::Bin(Bin::Lt, left, right) = &loop_.condition else {
        return None;
    };
    let (Expr::Var(var), Expr::Int(bound, Ty::I32)) = (&**left, &**right) else {
        return None;
    };
    let mut uses = Uses::default();
    uses.block(&loop_.body);
    let plain = *var == loop_.var && *step > 0 && !uses.escapes && !uses.written.contains(var);
    let step = usize::try_from(*step).ok()?;
    let values: Vec<i64> = (*start..*bound).step_by(step).collect();
    (plain && values.len() <= 4).then_some(values)
}

/// Gives the variables that a body declares new names, and its loop's variable the given one.
fn renew(body: &mut Vec<Stmt>, of_loop: Var, by: Var, vars: &mut Vec<VarDecl>) {
    let mut uses = Uses::default();
    uses.block(body);
    let mut pairs = vec![(of_loop, by)];
    for var in uses.declared {
        let name = format!("u{}", vars.len());
        vars.push(VarDecl {
            name,
            ty: vars[var].ty,
        });
        pairs.push((var, vars.len() - 1));
    }
    let new = |var: &mut Var| {
        if let Some((_, by)) = pairs.iter().find(|(old, _)| old == var) {
            *var = *by;
        }
    };
    exprs_of_block_mut(body, &mut |expr| {
        if let Expr::Var(var) = expr {
            new(var);
        }
    });
    for_kernel_blocks(body, &mut |block| {
        for stmt in block {
            match stmt {
                Stmt::Let(var, _) | Stmt::Set(var, ..) | Stmt::Atomic(.., Some(var)) => new(var),
                Stmt::Loop(loop_) => new(&mut loop_.var),
                _ => {}
            }
        }
    });
}

fn reassociate(program: &mut Program) {
    program.exprs_mut(&mut |expr| {
        let Expr::Bin(Bin::Add, a, c) = &*expr else {
            return;
        };
        let (a, c) = ((**a).clone(), (**c).clone());
        *expr = match a {
            Expr::Bin(Bin::Add, a, b) => {
                let sum = Expr::Bin(Bin::Add, b, Box::new(c));
                Expr::Bin(Bin::Add, a, Box::new(sum))
            }
            a => Expr::Bin(Bin::Add, Box::new(c), Box::new(a)),
        };
    });
}
