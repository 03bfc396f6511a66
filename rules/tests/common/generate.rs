//! Random small kernels from a seed.

use warplog_facts::words::*;
use warplog_facts::*;

use super::{Builder, Stmt};

/// A small generator of pseudo-random numbers (xorshift), so that a kernel is one seed.
pub struct Dice(u64);

impl Dice {
    pub fn new(seed: u64) -> Self {
        Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % sides
    }
    pub fn number(&mut self, sides: u64) -> i128 {
        i128::from(self.roll(sides))
    }
}

/// What a random kernel may contain.
#[derive(Clone, Copy)]
pub struct Shape {
    /// Conditions around barriers and leavings are the same for all threads.
    pub uniform_control: bool,
    /// Whether threads may leave the kernel by conditions that differ between them.
    pub early_exits: bool,
    /// Kinds of barriers that may stand.
    pub barriers: &'static [BarrierKind],
    /// Largest depth of nesting.
    pub depth: u32,
}

/// A generator of statements.
pub struct Generator<'b> {
    pub builder: &'b mut Builder,
    pub dice: Dice,
    pub shape: Shape,
    pub arrays: Vec<ArrayId>,
    pub symbols: Vec<TermId>,
    open: Vec<LoopId>,
}

impl<'b> Generator<'b> {
    pub fn new(
        builder: &'b mut Builder,
        seed: u64,
        shape: Shape,
        arrays: Vec<ArrayId>,
        symbols: Vec<TermId>,
    ) -> Self {
        Generator {
            builder,
            dice: Dice::new(seed),
            shape,
            arrays,
            symbols,
            open: Vec::new(),
        }
    }

    pub fn kernel(&mut self) -> Vec<Stmt> {
        let length = 2 + self.dice_len();
        self.body(0, length, true, false)
    }

    fn dice_len(&mut self) -> u64 {
        self.dice.roll(4)
    }

    /// A condition that all threads agree on at equal iterations.
    fn uniform(&mut self) -> TermId {
        let open = self.open.clone();
        if !open.is_empty() && self.dice.roll(4) != 0 {
            let at = self.dice.roll(open.len() as u64) as usize;
            let iter = self.builder.iter(open[at]);
            let modulus = 2 + self.dice.number(2);
            let rem = self.builder.opi(Op::Rem, iter, modulus);
            let value = self.dice.number(2);
            self.builder.opi(Op::Eq, rem, value)
        } else if self.symbols.is_empty() {
            self.builder.facts.terms.truth(true)
        } else {
            let at = self.dice.roll(self.symbols.len() as u64) as usize;
            let value = self.dice.number(3);
            let op = if self.dice.roll(2) == 0 {
                Op::Lt
            } else {
                Op::Eq
            };
            self.builder.opi(op, self.symbols[at], value)
        }
    }

    /// A condition on the thread.
    fn divergent(&mut self) -> TermId {
        let tid = match self.dice.roll(3) {
            0 => self.builder.global_id(),
            _ => self.builder.tid(),
        };
        match self.dice.roll(5) {
            0 => {
                let value = self.dice.number(4);
                self.builder.opi(Op::Eq, tid, value)
            }
            1 => {
                let rem = self.builder.opi(Op::Rem, tid, 2);
                self.builder.opi(Op::Eq, rem, 0)
            }
            2 if !self.open.is_empty() => {
                let at = self.dice.roll(self.open.len() as u64) as usize;
                let iter = self.builder.iter(self.open[at]);
                self.builder.op(Op::Le, tid, iter)
            }
            3 if !self.symbols.is_empty() => self.builder.op(Op::Lt, tid, self.symbols[0]),
            _ => {
                let value = 1 + self.dice.number(4);
                self.builder.opi(Op::Lt, tid, value)
            }
        }
    }

    fn condition(&mut self, must_agree: bool) -> TermId {
        if must_agree || self.dice.roll(2) == 0 {
            self.uniform()
        } else {
            self.divergent()
        }
    }

    fn index(&mut self) -> TermId {
        let mut sum = {
            let value = 4 * self.dice.number(3);
            self.builder.int(value)
        };
        for _ in 0..1 + self.dice.roll(2) {
            let part = match self.dice.roll(8) {
                0 if !self.open.is_empty() => {
                    let at = self.dice.roll(self.open.len() as u64) as usize;
                    self.builder.iter(self.open[at])
                }
                1 => self.builder.bid(),
                2 => self.builder.global_id(),
                3 => {
                    let tid = self.builder.tid();
                    self.builder.opi(Op::Div, tid, 2)
                }
                4 => {
                    let tid = self.builder.tid();
                    self.builder.opi(Op::Rem, tid, 2)
                }
                5 if !self.symbols.is_empty() => {
                    let at = self.dice.roll(self.symbols.len() as u64) as usize;
                    self.symbols[at]
                }
                6 => self.builder.leaf(Op::TidY),
                _ => self.builder.tid(),
            };
            let factor = [4, 4, 8, 16, -4, 2][self.dice.roll(6) as usize];
            let part = self.builder.mul(part, factor);
            sum = self.builder.add(sum, part);
        }
        sum
    }

    fn access(&mut self) -> Stmt {
        let at = self.dice.roll(self.arrays.len() as u64) as usize;
        let kind =
            [AccessKind::Read, AccessKind::Write, AccessKind::Write][self.dice.roll(3) as usize];
        let bytes = [4, 4, 4, 8][self.dice.roll(4) as usize];
        Stmt::Access(kind, self.arrays[at], self.index(), bytes)
    }

    /// `control`: barriers and leavings may stand here; `looped`: inside a loop of which all
    /// conditions so far allow a leaving.
    fn body(&mut self, depth: u32, length: u64, control: bool, looped: bool) -> Vec<Stmt> {
        let mut body = Vec::new();
        for _ in 0..length {
            let deep = depth >= self.shape.depth;
            let statement = match self.dice.roll(10) {
                0 | 1 if control && !self.shape.barriers.is_empty() => {
                    let at = self.dice.roll(self.shape.barriers.len() as u64) as usize;
                    Stmt::Barrier(self.shape.barriers[at])
                }
                2 | 3 if !deep => {
                    let free = !self.shape.uniform_control;
                    let agree = !free && control && self.dice.roll(2) == 0;
                    let condition = self.condition(agree);
                    let inner = free || agree;
                    let then_length = 1 + self.dice.roll(2);
                    let then = self.body(depth + 1, then_length, inner && control, inner && looped);
                    let else_length = self.dice.roll(2);
                    let otherwise =
                        self.body(depth + 1, else_length, inner && control, inner && looped);
                    Stmt::If(condition, then, otherwise)
                }
                4 | 5 if !deep => {
                    let free = !self.shape.uniform_control;
                    let agree = !free && control && self.dice.roll(2) == 0;
                    let id = self.builder.new_loop();
                    let iter = self.builder.iter(id);
                    let bound = if free || agree || self.dice.roll(2) == 0 {
                        let value = 1 + self.dice.number(4);
                        self.builder.int(value)
                    } else {
                        self.builder.tid()
                    };
                    let condition = self.builder.op(Op::Lt, iter, bound);
                    self.open.push(id);
                    let inner_length = 1 + self.dice.roll(3);
                    let inner = free || agree;
                    let body = self.body(depth + 1, inner_length, inner && control, inner);
                    self.open.pop();
                    Stmt::Loop(id, condition, body)
                }
                6 if looped => {
                    let condition = self.condition(self.shape.uniform_control);
                    if self.dice.roll(2) == 0 {
                        Stmt::Break(condition)
                    } else {
                        Stmt::Continue(condition)
                    }
                }
                7 if control && self.dice.roll(3) == 0 => {
                    let agree = self.shape.uniform_control && !self.shape.early_exits;
                    Stmt::Return(self.condition(agree))
                }
                _ => self.access(),
            };
            body.push(statement);
        }
        body
    }
}
