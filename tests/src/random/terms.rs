//! The expressions of random kernels: indices, values and conditions, of threads and of what threads share.

use super::build::*;
use super::grow::Grower;
use super::tree::*;

impl Grower<'_> {
    /// Any index, inside of the array where it has bounds.
    pub(super) fn index(&mut self, array: Array) -> Vec<Expr> {
        let ArrayDecl { space, extents, .. } = self.program.arrays[array].clone();
        if let [rows, columns] = extents.as_slice() {
            let first = if self.dice.chance(60) {
                thread(self.dice.roll(2))
            } else {
                self.expr(1)
            };
            let second = if self.dice.chance(60) {
                thread(self.dice.roll(2))
            } else {
                self.expr(1)
            };
            return vec![self.within(first, *rows), self.within(second, *columns)];
        }
        let base = if space == Space::Global && self.dice.chance(60) {
            self.gid.clone()
        } else {
            self.lin.clone()
        };
        let index = match self.dice.roll(6) {
            0 => base,
            1 => {
                let offset = int(self.dice.pick(&[1, 1, 2, -1, 4, self.threads]));
                add(base, offset)
            }
            2 => sub(int(self.threads - 1), base),
            3 => {
                let other = self.expr(1);
                add(base, other)
            }
            4 => {
                let op = self.dice.pick(&[
                    Bin::Xor,
                    Bin::Mul,
                    Bin::Rem,
                    Bin::Div,
                    Bin::And,
                    Bin::Shl,
                    Bin::Shr,
                ]);
                let with = int(self.dice.pick(&[1, 2, 3, 4]));
                bin(op, base, with)
            }
            _ => self.expr(2),
        };
        match extents.first() {
            Some(extent) => vec![self.within(index, *extent)],
            None if space == Space::Dynamic => vec![self.within(index, 256)],
            None => vec![index],
        }
    }

    /// An expression brought below a bound.
    pub(super) fn within(&mut self, index: Expr, extent: i64) -> Expr {
        let inside = index == self.lin || matches!(index, Expr::Builtin(Builtin::Thread(_)));
        if inside && extent >= self.threads && self.dice.chance(80) {
            return index;
        }
        if extent.count_ones() == 1 && self.dice.chance(60) {
            bin(Bin::And, index, int(extent - 1))
        } else {
            // Of an unsigned value, so that it is not negative.
            bin(Bin::Rem, index, Expr::Int(extent, Ty::U32))
        }
    }

    /// A number that no thread's own values enter.
    pub(super) fn shared_leaf(&mut self) -> Expr {
        match self.dice.roll(4) {
            0 | 1 if !self.uniform.is_empty() => var(self.dice.pick(&self.uniform.clone())),
            2 => {
                let builtins = [block_dim(0), grid_dim(0), block(0)];
                builtins[self.dice.roll(3)].clone()
            }
            _ => self.constant(),
        }
    }

    pub(super) fn constant(&mut self) -> Expr {
        let value = self
            .dice
            .pick(&[0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 16, 31, 32, 255, -1]);
        let ty = if value >= 0 && self.dice.chance(15) {
            Ty::U32
        } else {
            Ty::I32
        };
        Expr::Int(value, ty)
    }

    pub(super) fn leaf(&mut self) -> Expr {
        match self.dice.roll(8) {
            0..3 => self.lin.clone(),
            3 | 4 if !self.scope.is_empty() => var(self.dice.pick(&self.scope.clone())),
            5 => self.shared_leaf(),
            6 => thread(usize::from(
                self.program.launch.block[1] > 1 && self.dice.chance(50),
            )),
            _ => self.constant(),
        }
    }

    /// An expression without loads.
    pub(super) fn expr(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.dice.chance(25) {
            return self.leaf();
        }
        match self.dice.roll(16) {
            0..4 => {
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                add(a, b)
            }
            4 | 5 => {
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                sub(a, b)
            }
            6 | 7 => {
                let (a, b) = (self.expr(depth - 1), int(self.dice.pick(&[2, 2, 3, 4, 5])));
                mul(a, b)
            }
            8 | 9 => {
                let op = self.dice.pick(&[Bin::Div, Bin::Rem]);
                let (a, b) = (self.expr(depth - 1), int(self.dice.pick(&[2, 3, 4, 8])));
                bin(op, a, b)
            }
            10 | 11 => {
                let op = self.dice.pick(&[Bin::And, Bin::Or, Bin::Xor]);
                let a = self.expr(depth - 1);
                let b = if self.dice.chance(70) {
                    self.constant()
                } else {
                    self.expr(depth - 1)
                };
                bin(op, a, b)
            }
            12 => {
                let op = self.dice.pick(&[Bin::Shl, Bin::Shr]);
                let (a, b) = (self.expr(depth - 1), int(self.dice.pick(&[1, 1, 2, 3])));
                bin(op, a, b)
            }
            13 => {
                let c = self.condition();
                let (a, b) = (self.expr(depth - 1), self.expr(depth - 1));
                Expr::Cond(Box::new(c), Box::new(a), Box::new(b))
            }
            14 => {
                let ty = self.ty();
                Expr::Cast(ty, Box::new(self.expr(depth - 1)))
            }
            _ => {
                let op = self.dice.pick(&[Un::Neg, Un::Inv, Un::Not]);
                Expr::Un(op, Box::new(self.expr(depth - 1)))
            }
        }
    }

    pub(super) fn comparison(&mut self) -> Bin {
        self.dice.pick(&[
            Bin::Lt,
            Bin::Lt,
            Bin::Le,
            Bin::Gt,
            Bin::Ge,
            Bin::Eq,
            Bin::Eq,
            Bin::Ne,
        ])
    }

    /// A condition on which threads may differ.
    pub(super) fn condition(&mut self) -> Expr {
        match self.dice.roll(9) {
            0..3 => {
                let bound = self.shared_leaf();
                let op = self.comparison();
                bin(op, self.lin.clone(), bound)
            }
            3 => {
                let value = int(self.dice.pick(&[0, 0, 1, self.threads - 1]));
                bin(Bin::Eq, self.lin.clone(), value)
            }
            4 => {
                let divisor = self.dice.pick(&[2, 2, 3, 4]);
                let rest = self.dice.roll(2);
                let rest = int(i64::try_from(rest).unwrap_or(0));
                bin(Bin::Eq, bin(Bin::Rem, self.lin.clone(), int(divisor)), rest)
            }
            5 => {
                let mask = self.dice.pick(&[1, 2, 3, 4]);
                let masked = bin(Bin::And, self.lin.clone(), int(mask));
                if self.dice.chance(50) {
                    masked
                } else {
                    Expr::Un(Un::Not, Box::new(masked))
                }
            }
            6 => {
                let (a, b) = (self.expr(1), self.expr(1));
                let op = self.comparison();
                bin(op, a, b)
            }
            7 => self.uniform_condition(),
            _ => {
                let (a, b) = (self.condition(), self.condition());
                let op = self.dice.pick(&[Bin::Both, Bin::Either]);
                bin(op, a, b)
            }
        }
    }

    pub(super) fn uniform_condition(&mut self) -> Expr {
        let (a, b) = (self.shared_leaf(), self.shared_leaf());
        match self.dice.roll(4) {
            0 => bin(Bin::And, a, int(self.dice.pick(&[1, 2, 3]))),
            1 => bin(Bin::Eq, bin(Bin::Rem, a, int(2)), int(0)),
            _ => {
                let op = self.comparison();
                bin(op, a, b)
            }
        }
    }
}
