//! The language of random kernels: a tree of our own that knows nothing of the extractor.
//!
//! It is printed as CUDA (`print.rs`) for the analyser, and run by all threads of a small launch (`run.rs`) for the truth. All
//! names live in two tables of the program, so that a rewriting never meets two things of one name: a variable is declared in
//! one place (`Let`, a loop that declares, or a parameter), and holds an integer of one of eight types.

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Ty {
    /// `signed char`.
    I8,
    /// `unsigned char`.
    U8,
    /// `short`.
    I16,
    /// `unsigned short`.
    U16,
    /// `int`.
    I32,
    /// `unsigned`.
    U32,
    /// `long long`.
    I64,
    /// `unsigned long long`.
    U64,
}

impl Ty {
    /// Its width in bits.
    #[must_use]
    pub fn bits(self) -> u32 {
        match self {
            Ty::I8 | Ty::U8 => 8,
            Ty::I16 | Ty::U16 => 16,
            Ty::I32 | Ty::U32 => 32,
            Ty::I64 | Ty::U64 => 64,
        }
    }

    /// Its size in bytes.
    #[must_use]
    pub fn bytes(self) -> i64 {
        i64::from(self.bits() / 8)
    }

    /// Whether it has negative values.
    #[must_use]
    pub fn signed(self) -> bool {
        matches!(self, Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64)
    }

    /// Its name in C.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Ty::I8 => "signed char",
            Ty::U8 => "unsigned char",
            Ty::I16 => "short",
            Ty::U16 => "unsigned short",
            Ty::I32 => "int",
            Ty::U32 => "unsigned",
            Ty::I64 => "long long",
            Ty::U64 => "unsigned long long",
        }
    }
}

/// An axis of a block or grid.
pub type Axis = usize;

/// What CUDA gives each thread, all `unsigned`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// `threadIdx`.
    Thread(Axis),
    /// `blockIdx`.
    Block(Axis),
    /// `blockDim`.
    BlockDim(Axis),
    /// `gridDim`.
    GridDim(Axis),
}

/// Operators of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Un {
    /// `-`
    Neg,
    /// `~`
    Inv,
    /// `!`
    Not,
}

/// Operators of two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bin {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    And,
    /// `|`
    Or,
    /// `^`
    Xor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `&&`
    Both,
    /// `||`
    Either,
}

impl Bin {
    /// As written.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Bin::Add => "+",
            Bin::Sub => "-",
            Bin::Mul => "*",
            Bin::Div => "/",
            Bin::Rem => "%",
            Bin::And => "&",
            Bin::Or => "|",
            Bin::Xor => "^",
            Bin::Shl => "<<",
            Bin::Shr => ">>",
            Bin::Lt => "<",
            Bin::Le => "<=",
            Bin::Gt => ">",
            Bin::Ge => ">=",
            Bin::Eq => "==",
            Bin::Ne => "!=",
            Bin::Both => "&&",
            Bin::Either => "||",
        }
    }
}

/// A variable: its place in [`Program::vars`].
pub type Var = usize;
/// An array: its place in [`Program::arrays`].
pub type Array = usize;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// A literal of type `int` or `unsigned`.
    Int(i64, Ty),
    /// `threadIdx.x` and the like.
    Builtin(Builtin),
    /// A variable or a parameter.
    Var(Var),
    /// `a[i]` or `a[i][j]`.
    Load(Array, Vec<Expr>),
    /// An operation.
    Un(Un, Box<Expr>),
    /// An operation.
    Bin(Bin, Box<Expr>, Box<Expr>),
    /// `c ? a : b`.
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(T)(a)`.
    Cast(Ty, Box<Expr>),
    /// A call of a function that returns a value.
    Call(usize, Vec<Expr>),
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// `T v = e;`
    Let(Var, Expr),
    /// `v = e;` or `v += e;`
    Set(Var, Option<Bin>, Expr),
    /// `a[i] = e;` or `a[i] += e;`
    Store(Array, Vec<Expr>, Option<Bin>, Expr),
    /// `T v = atomicAdd(&a[i], e);` or without a result.
    Atomic(AtomicOp, Array, Vec<Expr>, Expr, Option<Var>),
    /// `if (c) { … } else { … }`
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    /// A loop.
    Loop(Loop),
    /// `break;`
    Break,
    /// `continue;`
    Continue,
    /// `return;`
    Return,
    /// `__syncthreads();`
    Barrier,
    /// `__syncwarp(mask)` for the tile of so many lanes that the thread is in: 2, 4, 8, 16 or 32.
    Lanes(u32),
    /// A call of a function without a result: its scalars, its arrays.
    Call(usize, Vec<Expr>, Vec<Array>),
}

/// What an atomic does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    /// `atomicAdd`.
    Add,
    /// `atomicMax`.
    Max,
    /// `atomicOr`.
    Or,
    /// `atomicExch`.
    Exch,
    /// `atomicCAS` of what is 0.
    Claim,
}

/// How a loop is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// `for (T v = a; c; v += s) { … }`
    For,
    /// `T v = a; while (c) { … v += s; }`
    While,
    /// `T v = a; do { … v += s; } while (c);`
    Do,
}

/// A loop over a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// How it is written.
    pub form: Form,
    /// Its variable.
    pub var: Var,
    /// Whether it declares the variable, rather than setting one that is there, and is seen behind the loop.
    pub declares: bool,
    /// The start.
    pub start: Expr,
    /// The condition.
    pub condition: Expr,
    /// The operator of the step.
    pub step: Bin,
    /// Its amount.
    pub amount: Expr,
    /// What is repeated.
    pub body: Vec<Stmt>,
}

/// A variable of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: Ty,
}

/// Where an array lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// A pointer parameter of the kernel.
    Global,
    /// `__shared__`, of its own.
    Shared,
    /// `extern __shared__`: all of them begin at the same byte.
    Dynamic,
    /// A pointer parameter of a function; stands for the array of the call.
    Passed,
}

/// An array of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayDecl {
    /// Its name.
    pub name: String,
    /// Type of its elements.
    pub ty: Ty,
    /// Where it lies.
    pub space: Space,
    /// Its extents, for a shared one: one or two.
    pub extents: Vec<i64>,
}

/// A device function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its scalar parameters.
    pub scalars: Vec<Var>,
    /// Its array parameters.
    pub arrays: Vec<Array>,
    /// What it does.
    pub body: Vec<Stmt>,
    /// The value and its type, of a function that returns one; its body is empty.
    pub result: Option<(Ty, Expr)>,
    /// Whether it is a macro rather than a function.
    pub is_macro: bool,
}

/// How a kernel is launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Launch {
    /// `blockDim`.
    pub block: [u32; 3],
    /// `gridDim`.
    pub grid: [u32; 3],
}

/// A kernel with its functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// All variables.
    pub vars: Vec<VarDecl>,
    /// All arrays.
    pub arrays: Vec<ArrayDecl>,
    /// Functions; one calls only those before it.
    pub functions: Vec<Function>,
    /// Scalar parameters of the kernel.
    pub scalars: Vec<Var>,
    /// What the kernel does.
    pub body: Vec<Stmt>,
    /// The launch that the file gives; for a symbolic one, the launch to try.
    pub launch: Launch,
    /// Whether the file gives no launch.
    pub symbolic: bool,
    /// Lanes in lock-step, as the file says; none for independent threads.
    pub warp_sync: Option<u32>,
}

impl Program {
    /// The type of an expression.
    #[must_use]
    pub fn ty(&self, expr: &Expr) -> Ty {
        match expr {
            Expr::Int(_, ty) | Expr::Cast(ty, _) => *ty,
            Expr::Builtin(_) => Ty::U32,
            Expr::Var(var) => self.vars[*var].ty,
            Expr::Load(array, _) => self.arrays[*array].ty,
            Expr::Un(Un::Not, _) => Ty::I32,
            Expr::Un(_, a) => promoted(self.ty(a)),
            Expr::Bin(op, a, b) => result_type(*op, self.ty(a), self.ty(b)),
            Expr::Cond(_, a, b) => common(self.ty(a), self.ty(b)),
            Expr::Call(function, _) => match &self.functions[*function].result {
                Some((ty, _)) => *ty,
                None => Ty::I32,
            },
        }
    }

    /// Adds a variable.
    pub fn var(&mut self, stem: &str, ty: Ty) -> Var {
        let name = format!("{stem}{}", self.vars.len());
        self.vars.push(VarDecl { name, ty });
        self.vars.len() - 1
    }

    /// Calls back for every list of statements, outer ones first.
    pub fn blocks_mut(&mut self, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
        for function in &mut self.functions {
            block_mut(&mut function.body, visit);
        }
        block_mut(&mut self.body, visit);
    }

    /// Calls back for every expression, outer ones first.
    pub fn exprs_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        for function in &mut self.functions {
            if let Some((_, result)) = &mut function.result {
                expr_mut(result, visit);
            }
            exprs_of_block_mut(&mut function.body, visit);
        }
        exprs_of_block_mut(&mut self.body, visit);
    }

    /// The number of statements and expressions, a measure for shrinking.
    #[must_use]
    pub fn size(&self) -> usize {
        let mut copy = self.clone();
        let mut size = copy.functions.len();
        copy.blocks_mut(&mut |block| size += 2 * block.len());
        copy.exprs_mut(&mut |expr| {
            size += if matches!(expr, Expr::Int(0, _)) {
                1
            } else {
                2
            }
        });
        size
    }

    /// The arrays that the kernel or a call in it names.
    #[must_use]
    pub fn used_arrays(&self) -> Vec<Array> {
        let mut used = vec![false; self.arrays.len()];
        let mut copy = self.clone();
        copy.exprs_mut(&mut |expr| {
            if let Expr::Load(array, _) = expr {
                used[*array] = true;
            }
        });
        copy.blocks_mut(&mut |block| {
            for stmt in block {
                match stmt {
                    Stmt::Store(array, ..) | Stmt::Atomic(_, array, ..) => used[*array] = true,
                    Stmt::Call(_, _, arrays) => arrays.iter().for_each(|array| used[*array] = true),
                    _ => {}
                }
            }
        });
        (0..used.len()).filter(|array| used[*array]).collect()
    }
}

fn block_mut(block: &mut Vec<Stmt>, visit: &mut dyn FnMut(&mut Vec<Stmt>)) {
    visit(block);
    for stmt in block {
        match stmt {
            Stmt::If(_, then, other) => {
                block_mut(then, visit);
                block_mut(other, visit);
            }
            Stmt::Loop(loop_) => block_mut(&mut loop_.body, visit),
            _ => {}
        }
    }
}

/// Calls back for every expression of the statements, outer ones first.
pub fn exprs_of_block_mut(block: &mut [Stmt], visit: &mut dyn FnMut(&mut Expr)) {
    for stmt in block {
        match stmt {
            Stmt::Let(_, value) | Stmt::Set(_, _, value) => expr_mut(value, visit),
            Stmt::Store(_, index, _, value) | Stmt::Atomic(_, _, index, value, _) => {
                index.iter_mut().for_each(|index| expr_mut(index, visit));
                expr_mut(value, visit);
            }
            Stmt::If(condition, then, other) => {
                expr_mut(condition, visit);
                exprs_of_block_mut(then, visit);
                exprs_of_block_mut(other, visit);
            }
            Stmt::Loop(loop_) => {
                expr_mut(&mut loop_.start, visit);
                expr_mut(&mut loop_.condition, visit);
                expr_mut(&mut loop_.amount, visit);
                exprs_of_block_mut(&mut loop_.body, visit);
            }
            Stmt::Call(_, scalars, _) => {
                scalars
                    .iter_mut()
                    .for_each(|scalar| expr_mut(scalar, visit));
            }
            Stmt::Break | Stmt::Continue | Stmt::Return | Stmt::Barrier | Stmt::Lanes(_) => {}
        }
    }
}

/// Calls back for an expression and its parts, outer ones first.
pub fn expr_mut(expr: &mut Expr, visit: &mut dyn FnMut(&mut Expr)) {
    visit(expr);
    match expr {
        Expr::Int(..) | Expr::Builtin(_) | Expr::Var(_) => {}
        Expr::Load(_, parts) | Expr::Call(_, parts) => {
            parts.iter_mut().for_each(|part| expr_mut(part, visit));
        }
        Expr::Un(_, a) | Expr::Cast(_, a) => expr_mut(a, visit),
        Expr::Bin(_, a, b) => {
            expr_mut(a, visit);
            expr_mut(b, visit);
        }
        Expr::Cond(c, a, b) => {
            expr_mut(c, visit);
            expr_mut(a, visit);
            expr_mut(b, visit);
        }
    }
}

/// What an operand of this type is computed in.
#[must_use]
pub fn promoted(ty: Ty) -> Ty {
    if ty.bits() < 32 { Ty::I32 } else { ty }
}

/// The type in which two operands meet.
#[must_use]
pub fn common(a: Ty, b: Ty) -> Ty {
    let (a, b) = (promoted(a), promoted(b));
    match a.bits().cmp(&b.bits()) {
        std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Greater => a,
        std::cmp::Ordering::Equal if a.signed() => b,
        std::cmp::Ordering::Equal => a,
    }
}

/// The type of an operation.
#[must_use]
pub fn result_type(op: Bin, a: Ty, b: Ty) -> Ty {
    match op {
        Bin::Shl | Bin::Shr => promoted(a),
        Bin::Lt | Bin::Le | Bin::Gt | Bin::Ge | Bin::Eq | Bin::Ne | Bin::Both | Bin::Either => {
            Ty::I32
        }
        _ => common(a, b),
    }
}

/// Whether every name is declared where it is used, `break` and `continue` stand in loops, and a `continue` does not jump over
/// a step.
#[must_use]
pub fn well_formed(program: &Program) -> bool {
    let functions = program.functions.iter().all(|function| {
        let mut scope = Scope {
            program,
            vars: function.scalars.clone(),
            loops: Vec::new(),
            in_function: true,
        };
        scope.block(&function.body)
            && function
                .result
                .as_ref()
                .is_none_or(|(_, result)| scope.expr(result))
    });
    let mut scope = Scope {
        program,
        vars: program.scalars.clone(),
        loops: Vec::new(),
        in_function: false,
    };
    functions && scope.block(&program.body)
}

struct Scope<'p> {
    program: &'p Program,
    vars: Vec<Var>,
    loops: Vec<Form>,
    in_function: bool,
}

impl Scope<'_> {
    fn block(&mut self, block: &[Stmt]) -> bool {
        let before = self.vars.len();
        let good = block.iter().all(|stmt| self.stmt(stmt));
        self.vars.truncate(before);
        good
    }

    fn stmt(&mut self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let(var, value) => {
                let good = self.expr(value) && !self.vars.contains(var);
                self.vars.push(*var);
                good
            }
            Stmt::Set(var, _, value) => self.vars.contains(var) && self.expr(value),
            Stmt::Store(array, index, _, value) => self.place(*array, index) && self.expr(value),
            Stmt::Atomic(_, array, index, value, result) => {
                let good = self.place(*array, index)
                    && self.expr(value)
                    && self.program.arrays[*array].ty.bits() == 32;
                self.vars.extend(result);
                good
            }
            Stmt::If(condition, then, other) => {
                self.expr(condition) && self.block(then) && self.block(other)
            }
            Stmt::Loop(loop_) => {
                let before = self.vars.len();
                let known = self.vars.contains(&loop_.var);
                let start = self.expr(&loop_.start) && known != loop_.declares;
                self.vars.push(loop_.var);
                self.loops.push(loop_.form);
                let good = start
                    && self.expr(&loop_.condition)
                    && self.expr(&loop_.amount)
                    && self.block(&loop_.body);
                self.loops.pop();
                self.vars.truncate(before);
                good
            }
            Stmt::Break => !self.loops.is_empty(),
            Stmt::Continue => self.loops.last() == Some(&Form::For),
            Stmt::Return | Stmt::Barrier | Stmt::Lanes(_) => true,
            Stmt::Call(_, scalars, arrays) => {
                scalars.iter().all(|scalar| self.expr(scalar))
                    && arrays.iter().all(|array| self.array(*array))
            }
        }
    }

    fn array(&self, array: Array) -> bool {
        // A function names arrays of its own only, so that calls may pass any.
        self.in_function == (self.program.arrays[array].space == Space::Passed)
    }

    fn place(&self, array: Array, index: &[Expr]) -> bool {
        self.array(array) && index.iter().all(|index| self.expr(index))
    }

    fn expr(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(..) | Expr::Builtin(_) => true,
            Expr::Var(var) => self.vars.contains(var),
            Expr::Load(array, index) => self.place(*array, index),
            Expr::Un(_, a) | Expr::Cast(_, a) => self.expr(a),
            Expr::Bin(_, a, b) => self.expr(a) && self.expr(b),
            Expr::Cond(c, a, b) => self.expr(c) && self.expr(a) && self.expr(b),
            Expr::Call(_, arguments) => arguments.iter().all(|argument| self.expr(argument)),
        }
    }
}
