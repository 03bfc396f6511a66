//! A random kernel from a seed.
//!
//! Kernels that are random throughout race nearly always, for dull reasons. So most are grown by phases: in each phase, which a
//! barrier ends, an array is written by owners (each thread has elements of its own), read by all, or updated by atomics;
//! phases stand in loops, branches and one after the other. A part of what is grown is then free of such care, or follows a
//! well-known pattern (`patterns.rs`); and a part is spoilt in one place afterwards (`mutate.rs`).

use super::build::*;
use super::dice::Dice;
use super::mutate;
use super::patterns;
use super::rewrite;
use super::tree::*;

/// The kernel of a seed.
#[must_use]
pub fn grow(seed: u64) -> Program {
    let mut dice = Dice::new(seed);
    let mut program = plain(&mut dice);
    if dice.chance(25) {
        // Calls: parts of the kernel become functions.
        for _ in 0..=dice.roll(2) {
            rewrite::outline(&mut program, &mut dice);
        }
    }
    if dice.chance(25) {
        let operator = dice.pick(&mutate::Operator::ALL);
        let sites = mutate::sites(&program, operator);
        if sites > 0
            && let Some(mutant) = mutate::mutant(&program, operator, dice.roll(sites))
        {
            program = mutant;
        }
    }
    program
}

/// A kernel without calls, as it is before anything is spoilt.
#[must_use]
pub fn plain(dice: &mut Dice) -> Program {
    let mut grower = Grower::new(dice);
    grower.kernel();
    let program = grower.program;
    debug_assert!(well_formed(&program));
    program
}

/// Grows one kernel.
pub struct Grower<'d> {
    /// The source of all choices.
    pub dice: &'d mut Dice,
    /// What has been grown.
    pub program: Program,
    /// Variables in scope that may be read.
    pub scope: Vec<Var>,
    /// Of these, loop variables that all threads share.
    pub(super) uniform: Vec<Var>,
    /// The thread's number in its block.
    pub lin: Expr,
    /// The thread's number in the grid.
    pub gid: Expr,
    /// Threads of a block.
    pub threads: i64,
    /// Statements that may still be made.
    budget: usize,
}

/// What a phase may do with an array.
#[derive(Clone, Debug)]
enum Role {
    Idle,
    /// Each thread has the elements at this index, and as many from there on.
    Own(Vec<Expr>, Own),
    Read,
    Atomic,
    /// Anything goes.
    Free,
}

/// The elements that belong to a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Own {
    One,
    /// `i * k + j` for `j < k`.
    Row(i64),
    /// `i + j * threads`.
    Column,
}

impl<'d> Grower<'d> {
    fn new(dice: &'d mut Dice) -> Self {
        let x = dice.pick(&[1, 2, 3, 4, 4, 5, 6, 8, 8, 8, 16, 32, 33]);
        let y = if dice.chance(25) {
            dice.pick(&[2, 3, 4])
        } else {
            1
        };
        let launch = Launch {
            block: [x, y, 1],
            grid: [
                dice.pick(&[1, 1, 2, 3]),
                if dice.chance(10) { 2 } else { 1 },
                1,
            ],
        };
        let program = Program {
            vars: Vec::new(),
            arrays: Vec::new(),
            functions: Vec::new(),
            scalars: Vec::new(),
            body: Vec::new(),
            launch,
            symbolic: dice.chance(12),
            warp_sync: None,
        };
        Grower {
            dice,
            program,
            scope: Vec::new(),
            uniform: Vec::new(),
            lin: int(0),
            gid: int(0),
            threads: i64::from(x * y),
            budget: 14,
        }
    }

    /// Adds an array.
    pub fn array(&mut self, space: Space, ty: Ty, extents: &[i64]) -> Array {
        let stem = match space {
            Space::Global => 'g',
            Space::Shared => 's',
            Space::Dynamic => 'd',
            Space::Passed => 'p',
        };
        self.program.arrays.push(ArrayDecl {
            name: format!("{stem}{}", self.program.arrays.len()),
            ty,
            space,
            extents: extents.to_vec(),
        });
        self.program.arrays.len() - 1
    }

    pub(super) fn ty(&mut self) -> Ty {
        self.dice.pick(&[
            Ty::I32,
            Ty::I32,
            Ty::I32,
            Ty::I32,
            Ty::U32,
            Ty::U32,
            Ty::I8,
            Ty::U8,
            Ty::I16,
            Ty::U16,
            Ty::I64,
            Ty::U64,
        ])
    }

    fn element(&mut self) -> Ty {
        if self.dice.chance(70) {
            Ty::I32
        } else {
            self.ty()
        }
    }

    fn kernel(&mut self) {
        for _ in 0..self.dice.pick(&[0, 1, 1, 2]) {
            let ty = self
                .dice
                .pick(&[Ty::I32, Ty::I32, Ty::I32, Ty::U32, Ty::I16, Ty::U8]);
            let n = self.program.var("n", ty);
            self.program.scalars.push(n);
            self.scope.push(n);
            self.uniform.push(n);
        }
        self.arrays();
        let mut body = self.prelude();
        match self.dice.roll(10) {
            0..2 => {
                let pattern = patterns::pattern(self);
                body.extend(pattern);
                if self.dice.chance(30) {
                    body.push(Stmt::Barrier);
                    body.extend(self.phases(1, 1));
                }
            }
            2..8 => {
                let count = 1 + self.dice.roll(3);
                body.extend(self.phases(count, 2));
            }
            _ => {
                self.budget = 6;
                body.extend(self.wild(2, true));
            }
        }
        self.program.body = body;
    }

    fn arrays(&mut self) {
        let threads = self.threads;
        for _ in 0..1 + self.dice.roll(2) {
            let ty = self.element();
            let [x, y, _] = self.program.launch.block.map(i64::from);
            if y > 1 && self.dice.chance(50) {
                let pad = self.dice.pick(&[0, 0, 1]);
                self.array(Space::Shared, ty, &[y.max(x), x.max(y) + pad]);
            } else {
                let spare = self.dice.pick(&[0, 1, threads, 3 * threads, 64]);
                self.array(Space::Shared, ty, &[threads + spare]);
            }
        }
        if self.dice.chance(8) {
            let ty = self.element();
            self.array(Space::Dynamic, ty, &[]);
            let ty = self.element();
            self.array(Space::Dynamic, ty, &[]);
        }
        for _ in 0..1 + self.dice.roll(2) {
            let ty = self.element();
            self.array(Space::Global, ty, &[]);
        }
    }

    /// Declares the thread's numbers.
    fn prelude(&mut self) -> Vec<Stmt> {
        let mut body = Vec::new();
        let two = self.program.launch.block[1] > 1;
        let ty = self.dice.pick(&[Ty::I32, Ty::I32, Ty::U32]);
        let lin = if two {
            add(thread(0), mul(thread(1), block_dim(0)))
        } else {
            thread(0)
        };
        let of_block = if two {
            mul(block_dim(0), block_dim(1))
        } else {
            block_dim(0)
        };
        let of_block = if self.program.symbolic || self.dice.chance(70) {
            of_block
        } else {
            int(self.threads)
        };
        if self.dice.chance(80) {
            let t = self.program.var("t", ty);
            body.push(Stmt::Let(t, lin));
            self.scope.push(t);
            self.lin = var(t);
        } else {
            self.lin = lin;
        }
        let number = if self.program.launch.grid[1] > 1 {
            add(block(0), mul(block(1), grid_dim(0)))
        } else {
            block(0)
        };
        self.gid = add(mul(number, of_block), self.lin.clone());
        if self.dice.chance(50) {
            let i = self.program.var("i", ty);
            body.push(Stmt::Let(i, self.gid.clone()));
            self.scope.push(i);
            self.gid = var(i);
        }
        body
    }

    fn count(&mut self) -> bool {
        let more = self.budget > 0;
        self.budget = self.budget.saturating_sub(1);
        more
    }

    /// Phases with barriers in between, and perhaps in loops.
    fn phases(&mut self, count: usize, depth: usize) -> Vec<Stmt> {
        let mut out = Vec::new();
        for _ in 0..count {
            if depth > 0 && self.dice.chance(35) {
                let seen = self.scope.len();
                let shared = self.uniform.len();
                let (mut loop_, before) = self.uniform_loop();
                out.extend(before);
                let inner = 1 + self.dice.roll(2);
                loop_.body = self.phases(inner, depth - 1);
                self.leave(&mut loop_);
                out.push(Stmt::Loop(loop_));
                self.scope.truncate(seen);
                self.uniform.truncate(shared);
            } else if depth > 0 && self.dice.chance(10) {
                let condition = self.uniform_condition();
                let seen = self.scope.len();
                let then = self.phases(1, depth - 1);
                self.scope.truncate(seen);
                let other = if self.dice.chance(30) {
                    self.phases(1, 0)
                } else {
                    Vec::new()
                };
                self.scope.truncate(seen);
                out.push(Stmt::If(condition, then, other));
            } else {
                let seen = self.scope.len();
                out.extend(self.phase());
                if self.dice.chance(92) {
                    out.push(Stmt::Barrier);
                }
                // Results stay in scope now and then.
                if self.dice.chance(70) {
                    let declared = |var: &Var| {
                        out.iter().any(|stmt| {
                            matches!(stmt, Stmt::Let(v, _) | Stmt::Atomic(.., Some(v)) if v == var)
                        })
                    };
                    let kept: Vec<Var> = self.scope[seen..]
                        .iter()
                        .copied()
                        .filter(declared)
                        .collect();
                    self.scope.truncate(seen);
                    self.scope.extend(kept);
                } else {
                    self.scope.truncate(seen);
                }
            }
        }
        out
    }

    /// Makes a uniform loop left early, now and then.
    fn leave(&mut self, loop_: &mut Loop) {
        if self.dice.chance(10) {
            let condition = self.uniform_condition();
            let way = if loop_.form == Form::For && self.dice.chance(50) {
                Stmt::Continue
            } else {
                Stmt::Break
            };
            let at = self.dice.roll(loop_.body.len() + 1);
            loop_.body.insert(at, when(condition, vec![way]));
        }
    }

    fn phase(&mut self) -> Vec<Stmt> {
        let roles: Vec<Role> = (0..self.program.arrays.len())
            .map(|array| self.role(array))
            .collect();
        let count = 1 + self.dice.roll(3);
        let mut out = Vec::new();
        for _ in 0..count {
            if self.count() {
                out.extend(self.work(&roles, 2));
            }
        }
        out
    }

    fn role(&mut self, array: Array) -> Role {
        let shared = self.program.arrays[array].space != Space::Global;
        let atomic = self.program.arrays[array].ty.bits() == 32;
        match self.dice.roll(12) {
            0 => Role::Idle,
            1 if atomic => Role::Atomic,
            2 => Role::Free,
            3..7 if shared => Role::Read,
            // What other blocks write cannot be read by all.
            3..5 if array & 1 == 0 => Role::Read,
            _ => {
                let (index, own) = self.owned(array);
                Role::Own(index, own)
            }
        }
    }

    /// An index that no two threads share.
    fn owned(&mut self, array: Array) -> (Vec<Expr>, Own) {
        let ArrayDecl { space, extents, .. } = self.program.arrays[array].clone();
        if extents.len() == 2 {
            return (vec![thread(1), thread(0)], Own::One);
        }
        let (number, all) = if space == Space::Global {
            let [x, y, z] = self.program.launch.grid.map(i64::from);
            (self.gid.clone(), self.threads * x * y * z)
        } else {
            (self.lin.clone(), self.threads)
        };
        let room = extents.first().copied().unwrap_or(4096);
        let fits = room / all;
        match self.dice.roll(8) {
            0 if fits >= 2 => {
                let factor = 2 + i64::try_from(self.dice.roll(2)).unwrap_or(0).min(fits - 2);
                let offset = i64::try_from(self.dice.roll(2)).unwrap_or(0);
                (vec![add(mul(number, int(factor)), int(offset))], Own::One)
            }
            1 if fits >= 2 => (vec![number], Own::Row(2 + i64::from(fits > 2))),
            2 if fits >= 2 => (vec![number], Own::Column),
            3 => (vec![sub(int(all - 1), number)], Own::One),
            4 if all.count_ones() == 1 => {
                let mask = int(
                    i64::try_from(self.dice.roll(usize::try_from(all).unwrap_or(1))).unwrap_or(0),
                );
                (vec![bin(Bin::Xor, number, mask)], Own::One)
            }
            5 => {
                let shift = int(1 + i64::try_from(self.dice.roll(3)).unwrap_or(0));
                (vec![bin(Bin::Rem, add(number, shift), int(all))], Own::One)
            }
            6 if room > all => (vec![add(number, int(1))], Own::One),
            _ => (vec![number], Own::One),
        }
    }

    /// Statements that keep to the roles.
    fn work(&mut self, roles: &[Role], depth: usize) -> Vec<Stmt> {
        if depth > 0 {
            match self.dice.roll(10) {
                0..3 => {
                    let seen = self.scope.len();
                    let condition = self.condition();
                    let then = self.work(roles, depth - 1);
                    self.scope.truncate(seen);
                    let other = if self.dice.chance(25) {
                        self.work(roles, depth - 1)
                    } else {
                        Vec::new()
                    };
                    self.scope.truncate(seen);
                    return vec![Stmt::If(condition, then, other)];
                }
                3..5 => {
                    let seen = self.scope.len();
                    let shared = self.uniform.len();
                    let (mut loop_, before) = self.any_loop();
                    if self.dice.chance(15) {
                        let condition = self.condition();
                        let way = if loop_.form == Form::For && self.dice.chance(50) {
                            Stmt::Continue
                        } else {
                            Stmt::Break
                        };
                        loop_.body.push(when(condition, vec![way]));
                    }
                    loop_.body.extend(self.work(roles, depth - 1));
                    if self.dice.chance(40) {
                        loop_.body.extend(self.work(roles, depth - 1));
                    }
                    self.scope.truncate(seen);
                    self.uniform.truncate(shared);
                    let mut out = before;
                    out.push(Stmt::Loop(loop_));
                    // The loop's variable is seen behind it where it was declared before.
                    if let Some(Stmt::Let(var, _)) = out.first() {
                        self.scope.push(*var);
                    }
                    return out;
                }
                _ => {}
            }
        }
        self.access(roles)
    }

    fn access(&mut self, roles: &[Role]) -> Vec<Stmt> {
        let array = self.dice.roll(roles.len());
        match &roles[array] {
            Role::Idle => self.local(roles),
            Role::Own(index, own) => {
                let (index, own) = (index.clone(), *own);
                self.own_access(roles, array, index, own)
            }
            Role::Read => {
                let index = self.index(array);
                let ty = self.ty();
                let v = self.program.var("v", ty);
                self.scope.push(v);
                vec![Stmt::Let(v, Expr::Load(array, index))]
            }
            Role::Atomic => {
                let index = self.index(array);
                let value = self.expr(1);
                let op = self.dice.pick(&[
                    AtomicOp::Add,
                    AtomicOp::Add,
                    AtomicOp::Max,
                    AtomicOp::Or,
                    AtomicOp::Exch,
                ]);
                let result = self.dice.chance(20).then(|| {
                    let ty = self.program.arrays[array].ty;
                    self.program.var("old", ty)
                });
                self.scope.extend(result);
                vec![Stmt::Atomic(op, array, index, value, result)]
            }
            Role::Free => {
                let index = self.index(array);
                let value = if self.dice.chance(50) {
                    int(1)
                } else {
                    self.value(roles)
                };
                let condition = self.condition();
                let store = Stmt::Store(array, index, None, value);
                if self.dice.chance(50) {
                    vec![when(condition, vec![store])]
                } else {
                    vec![store]
                }
            }
        }
    }

    fn own_access(
        &mut self,
        roles: &[Role],
        array: Array,
        index: Vec<Expr>,
        own: Own,
    ) -> Vec<Stmt> {
        let value = self.value(roles);
        let op = if self.dice.chance(25) {
            Some(self.dice.pick(&[Bin::Add, Bin::Xor, Bin::Sub]))
        } else {
            None
        };
        if own == Own::One {
            return vec![Stmt::Store(array, index, op, value)];
        }
        let [first] = index.as_slice() else {
            return Vec::new();
        };
        let j = self.program.var("j", Ty::I32);
        let (place, bound) = match own {
            Own::Row(k) => (add(mul(first.clone(), int(k)), var(j)), k),
            _ => {
                let [x, y, z] = self.program.launch.grid.map(i64::from);
                let all = if self.program.arrays[array].space == Space::Global {
                    self.threads * x * y * z
                } else {
                    self.threads
                };
                (add(first.clone(), mul(var(j), int(all))), 2)
            }
        };
        let body = vec![Stmt::Store(array, vec![place], op, value)];
        vec![Stmt::Loop(Loop {
            form: Form::For,
            var: j,
            declares: true,
            start: int(0),
            condition: less(var(j), int(bound)),
            step: Bin::Add,
            amount: int(1),
            body,
        })]
    }

    /// A statement on locals.
    fn local(&mut self, roles: &[Role]) -> Vec<Stmt> {
        let value = self.value(roles);
        let ty = self.ty();
        let v = self.program.var("v", ty);
        self.scope.push(v);
        let mut out = vec![Stmt::Let(v, value)];
        if self.dice.chance(50) {
            let condition = self.condition();
            let value = self.expr(1);
            let op = self.dice.pick(&[None, Some(Bin::Add), Some(Bin::Xor)]);
            out.push(when(condition, vec![Stmt::Set(v, op, value)]));
        }
        out
    }

    /// A value that reads only what the roles allow.
    fn value(&mut self, roles: &[Role]) -> Expr {
        let readable: Vec<Array> = (0..roles.len())
            .filter(|array| matches!(roles[*array], Role::Read | Role::Own(_, Own::One)))
            .collect();
        if readable.is_empty() || self.dice.chance(50) {
            return self.expr(2);
        }
        let array = self.dice.pick(&readable);
        let read = match &roles[array] {
            Role::Own(index, _) => Expr::Load(array, index.clone()),
            _ => {
                let index = self.index(array);
                Expr::Load(array, index)
            }
        };
        if self.dice.chance(50) {
            read
        } else {
            bin(Bin::Xor, read, self.expr(1))
        }
    }

    /// A loop that all threads of a block go round alike, with what has to stand before it.
    fn uniform_loop(&mut self) -> (Loop, Vec<Stmt>) {
        let bound = match self.dice.roll(4) {
            0 if !self.uniform.is_empty() => var(self.dice.pick(&self.uniform.clone())),
            1 => block_dim(0),
            _ => int(self.dice.pick(&[2, 2, 3, 4, 5])),
        };
        let v = self.program.var("i", Ty::I32);
        self.uniform.push(v);
        self.loop_over(v, bound, int(1))
    }

    /// A loop of any shape, perhaps with as many rounds as the thread likes.
    fn any_loop(&mut self) -> (Loop, Vec<Stmt>) {
        let ty = self
            .dice
            .pick(&[Ty::I32, Ty::I32, Ty::I32, Ty::U32, Ty::U8, Ty::I16]);
        let v = self.program.var("j", ty);
        match self.dice.roll(5) {
            // By threads, by the grid, by a tile.
            0 => {
                let [x, y, z] = self.program.launch.grid.map(i64::from);
                let grid = self.dice.chance(40);
                let (start, stride) = if grid {
                    (self.gid.clone(), self.threads * x * y * z)
                } else {
                    (self.lin.clone(), self.threads)
                };
                let stride = if self.program.launch.block[1] == 1 && !grid && self.dice.chance(60) {
                    block_dim(0)
                } else {
                    int(stride)
                };
                let bound = match self.dice.roll(3) {
                    0 if !self.uniform.is_empty() => var(self.dice.pick(&self.uniform.clone())),
                    _ => int(self.threads * self.dice.pick(&[1, 2, 3])),
                };
                self.scope.push(v);
                let loop_ = Loop {
                    form: self.dice.pick(&[Form::For, Form::For, Form::While]),
                    var: v,
                    declares: true,
                    start,
                    condition: less(var(v), bound),
                    step: Bin::Add,
                    amount: stride,
                    body: Vec::new(),
                };
                (loop_, Vec::new())
            }
            1 => {
                let bound = self.lin.clone();
                self.loop_over(v, bound, int(1))
            }
            2 => {
                let start = self.lin.clone();
                let bound = int(self.threads);
                self.loop_over(v, bound, start)
            }
            _ => {
                let bound = match self.dice.roll(3) {
                    0 if !self.uniform.is_empty() => var(self.dice.pick(&self.uniform.clone())),
                    _ => int(self.dice.pick(&[2, 3, 4, 6])),
                };
                self.uniform.push(v);
                self.loop_over(v, bound, int(1))
            }
        }
    }

    /// A loop between two values by a step of some kind.
    fn loop_over(&mut self, v: Var, bound: Expr, low: Expr) -> (Loop, Vec<Stmt>) {
        let factor = int(self.dice.pick(&[2, 2, 2, 3]));
        let by = int(self.dice.pick(&[1, 1, 1, 2, 3]));
        let zero = self.dice.chance(60);
        let (start, condition, step, amount) = match self.dice.roll(10) {
            0..4 => {
                let start = if zero { int(0) } else { low };
                let op = self.dice.pick(&[Bin::Lt, Bin::Lt, Bin::Lt, Bin::Le]);
                (start, bin(op, var(v), bound), Bin::Add, by)
            }
            4 | 5 => {
                let op = self.dice.pick(&[Bin::Gt, Bin::Gt, Bin::Ge]);
                let low = if op == Bin::Ge { int(1) } else { int(0) };
                (bound, bin(op, var(v), low), Bin::Sub, by)
            }
            6 => (int(1), less(var(v), bound), Bin::Mul, factor),
            7 => (bound, bin(Bin::Gt, var(v), int(0)), Bin::Div, factor),
            8 => {
                let start = int(self.dice.pick(&[1, 1, 3]));
                (start, less(var(v), bound), Bin::Shl, int(1))
            }
            _ => (
                bound,
                bin(Bin::Gt, var(v), int(0)),
                Bin::Shr,
                int(self.dice.pick(&[1, 1, 2])),
            ),
        };
        let declares = self.dice.chance(75);
        let mut before = Vec::new();
        if !declares {
            before.push(Stmt::Let(v, int(0)));
        }
        self.scope.push(v);
        let loop_ = Loop {
            form: self
                .dice
                .pick(&[Form::For, Form::For, Form::For, Form::While, Form::Do]),
            var: v,
            declares,
            start,
            condition,
            step,
            amount,
            body: Vec::new(),
        };
        (loop_, before)
    }

    /// Statements without any care.
    fn wild(&mut self, depth: usize, uniform: bool) -> Vec<Stmt> {
        let seen = self.scope.len();
        let mut out = Vec::new();
        let free = vec![Role::Free; self.program.arrays.len()];
        for _ in 0..1 + self.dice.roll(4) {
            if !self.count() {
                break;
            }
            match self.dice.roll(12) {
                0..2 if depth > 0 => {
                    let alike = self.dice.chance(50);
                    let condition = if alike {
                        self.uniform_condition()
                    } else {
                        self.condition()
                    };
                    let then = self.wild(depth - 1, uniform && alike);
                    out.push(when(condition, then));
                }
                2..4 if depth > 0 => {
                    let shared = self.uniform.len();
                    let inner = self.scope.len();
                    let alike = self.dice.chance(60);
                    let (mut loop_, before) = if alike {
                        self.uniform_loop()
                    } else {
                        self.any_loop()
                    };
                    loop_.body = self.wild(depth - 1, uniform && alike);
                    self.scope.truncate(inner);
                    self.uniform.truncate(shared);
                    out.extend(before);
                    out.push(Stmt::Loop(loop_));
                }
                4 | 5 if uniform || self.dice.chance(10) => out.push(Stmt::Barrier),
                6 if self.dice.chance(30) => {
                    let condition = self.condition();
                    out.push(when(condition, vec![Stmt::Return]));
                }
                7 => out.extend(self.local(&free)),
                8 => {
                    let array = self.dice.roll(self.program.arrays.len());
                    let index = self.index(array);
                    let ty = self.ty();
                    let v = self.program.var("v", ty);
                    out.push(Stmt::Let(v, Expr::Load(array, index)));
                    self.scope.push(v);
                }
                _ => out.extend(self.access(&free)),
            }
        }
        self.scope.truncate(seen);
        out
    }
}
