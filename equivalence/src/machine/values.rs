//! The values of terms in a thread of a run: operators of C over the normal forms of [`Pool`](crate::node::Pool).
//!
//! **Accuracy.** That of the module above: an operator that is not followed, or whose result C leaves open, ends the run.

use rustc_hash::FxHashMap;
use warplog_facts::*;

use super::{Halt, Machine, not_followed};
use crate::node::Id;

impl Machine<'_, '_> {
    pub(super) fn value(&mut self, thread: usize, term: TermId) -> Result<Id, Halt> {
        self.evaluate(thread, term, &mut FxHashMap::default())
    }

    pub(super) fn evaluate(
        &mut self,
        thread: usize,
        id: TermId,
        memo: &mut FxHashMap<TermId, Id>,
    ) -> Result<Id, Halt> {
        let lasts = !self.index.varies[id.index()];
        let known = match lasts {
            true => self.threads[thread].lasting.get(&id),
            false => memo.get(&id),
        };
        if let Some(&known) = known {
            return Ok(known);
        }
        let value = self.step(thread, id, memo)?;
        if lasts {
            self.threads[thread].lasting.insert(id, value);
        } else {
            memo.insert(id, value);
        }
        Ok(value)
    }

    fn step(
        &mut self,
        thread: usize,
        id: TermId,
        memo: &mut FxHashMap<TermId, Id>,
    ) -> Result<Id, Halt> {
        let facts = self.index.facts;
        let term = facts.terms.get(id);
        match term.op {
            Op::Ite => {
                let condition = self.evaluate(thread, term.args[0], memo)?;
                return match self.pool.as_int(condition) {
                    Some(0) => self.evaluate(thread, term.args[2], memo),
                    Some(_) => self.evaluate(thread, term.args[1], memo),
                    None => {
                        let then = self.evaluate(thread, term.args[1], memo)?;
                        let otherwise = self.evaluate(thread, term.args[2], memo)?;
                        Ok(self.pool.ite(condition, then, otherwise))
                    }
                };
            }
            Op::And | Op::Or => {
                let left = self.evaluate(thread, term.args[0], memo)?;
                let decides = i128::from(term.op == Op::Or);
                if let Some(value) = self.pool.as_int(left) {
                    if (value != 0) == (decides != 0) {
                        return Ok(self.pool.truth(decides != 0));
                    }
                    return self.evaluate(thread, term.args[1], memo);
                }
                let right = self.evaluate(thread, term.args[1], memo)?;
                return Ok(match term.op {
                    Op::And => self.pool.all(vec![left, right]),
                    _ => self.pool.any(vec![left, right]),
                });
            }
            Op::Load => {
                let found = self.threads[thread].loads.get(&id).copied();
                return found.ok_or_else(|| {
                    let access = term.access().map(|access| &facts.access[access.index()]);
                    let name = access.map_or("memory", |access| {
                        facts.array[access.array.index()].name.as_str()
                    });
                    Halt::NotFollowed(format!("a value read from {name}"))
                });
            }
            Op::Unknown => {
                let found = term
                    .unknown()
                    .and_then(|unknown| self.threads[thread].unknowns.get(&unknown).copied());
                return found.ok_or_else(|| {
                    let row = term
                        .unknown()
                        .map(|unknown| &facts.unknown[unknown.index()]);
                    Halt::NotFollowed(row.map_or(String::new(), |row| row.reason.clone()))
                });
            }
            _ => {}
        }
        let mut args = Vec::with_capacity(term.args.len());
        for &arg in &term.args {
            args.push(self.evaluate(thread, arg, memo)?);
        }
        self.apply(thread, id, &args)
    }

    fn apply(&mut self, thread: usize, id: TermId, args: &[Id]) -> Result<Id, Halt> {
        let facts = self.index.facts;
        let term = facts.terms.get(id);
        let setup = self.setup;
        let tid = setup.threads[thread];
        Ok(match (term.op, args) {
            (Op::Const, _) if term.ty.is_integer() => self.pool.int(term.payload),
            (Op::Const, _) if self.pool.reassociates => {
                self.pool.ring_constant(term.ty, term.payload)
            }
            (Op::Const, _) => self.pool.float(term.ty, term.payload),
            (Op::TidX, _) => tid[0],
            (Op::TidY, _) => tid[1],
            (Op::TidZ, _) => tid[2],
            (Op::BidX, _) => setup.of_grid[0],
            (Op::BidY, _) => setup.of_grid[1],
            (Op::BidZ, _) => setup.of_grid[2],
            (Op::BdimX, _) => setup.block[0],
            (Op::BdimY, _) => setup.block[1],
            (Op::BdimZ, _) => setup.block[2],
            (Op::GdimX, _) => setup.grid[0],
            (Op::GdimY, _) => setup.grid[1],
            (Op::GdimZ, _) => setup.grid[2],
            (Op::Symbol, _) => {
                let known = term.symbol().and_then(|symbol| setup.symbols.get(&symbol));
                match known {
                    Some(&value) => value,
                    None => return not_followed("a value of the host"),
                }
            }
            (Op::Iter, _) => {
                let known = term.loop_id().and_then(|id| self.iterations.get(&id));
                match known {
                    Some(&value) => value,
                    None => return not_followed("an iteration"),
                }
            }
            (Op::Exit, _) => {
                let exits = &self.threads[thread].exits;
                match term.loop_id().and_then(|id| exits.get(&id)) {
                    Some(&value) => value,
                    None => return not_followed("the number of iterations of a loop"),
                }
            }
            (Op::Pure, _) => {
                let function = term.function().map_or(0, |function| function.index());
                let name = &facts.pure_function[function].name;
                self.pool.float_call(name, term.ty, args.to_vec())
            }
            (Op::Cast | Op::Fit, &[arg]) => {
                let from = facts.terms.ty(term.args[0]);
                match (from.is_integer(), term.ty.is_integer()) {
                    (true, true) if term.op == Op::Cast => self.pool.cast(arg, from, term.ty),
                    (true, true) => self.pool.in_type(arg, term.ty)?,
                    _ if from == term.ty => arg,
                    _ => {
                        let known = self.pool.float_call("conversion", term.ty, vec![arg]);
                        if self.pool.is_constant(known) {
                            known
                        } else {
                            let name = format!("conversion from {from} to {}", term.ty);
                            self.pool.call(&name, term.ty, vec![arg])
                        }
                    }
                }
            }
            (Op::MulPow | Op::DivPow, &[start, k]) => {
                self.power(term.op, (term.ty, term.payload), start, k)?
            }
            (op, &[arg]) => self.unary(op, (term.ty, facts.terms.ty(term.args[0])), arg)?,
            (op, &[left, right]) => {
                let all_integers =
                    term.ty.is_integer() && facts.terms.ty(term.args[0]).is_integer();
                if !all_integers {
                    return not_followed(format!("{op} of no integers"));
                }
                self.binary(op, term.ty, left, right)?
            }
            (op, _) => return not_followed(format!("the operator {op}")),
        })
    }

    fn power(&mut self, op: Op, (ty, base): (CType, i128), start: Id, k: Id) -> Result<Id, Halt> {
        let Some(count) = self.pool.as_int(k) else {
            // As a mathematical integer it is the same for every type.
            let name = format!("{op} {base}");
            let power = self.pool.call(&name, CType::I64, vec![start, k]);
            return match self.pool.interval(start).0 >= 0 {
                true => Ok(self.pool.in_type(power, ty)?),
                false => Ok(self.pool.call(&format!("{name} {ty}"), ty, vec![start, k])),
            };
        };
        let by = self.pool.int(base);
        let mut value = start;
        for _ in 0..count.clamp(0, 128) {
            value = match op {
                Op::MulPow => self.binary(Op::Mul, ty, value, by)?,
                _ => self.pool.quotient(value, by)?,
            };
        }
        Ok(value)
    }

    fn unary(&mut self, op: Op, (ty, from): (CType, CType), arg: Id) -> Result<Id, Halt> {
        Ok(match op {
            Op::Neg => {
                let zero = self.pool.int(0);
                let negative = self.pool.plus(zero, arg, -1);
                self.pool.in_type(negative, ty)?
            }
            Op::Not => self.pool.not(arg),
            Op::BitNot => {
                let minus_one = self.pool.int(-1);
                let value = self.pool.plus(minus_one, arg, -1);
                self.pool.converted(value, ty)
            }
            Op::Popc | Op::Clz | Op::Ffs | Op::Brev => {
                if let Some(value) = self.pool.as_int(arg) {
                    let mut terms = TermStore::default();
                    let inner = terms.constant(value, from);
                    let outer = terms.unary(op, ty, inner);
                    if let Some(value) = terms.as_const(outer) {
                        return Ok(self.pool.int(value));
                    }
                }
                self.pool.call(op.name(), ty, vec![arg])
            }
            _ => return not_followed(format!("the operator {op}")),
        })
    }

    pub(super) fn binary(&mut self, op: Op, ty: CType, a: Id, b: Id) -> Result<Id, Halt> {
        let pool = &mut *self.pool;
        let value = match op {
            Op::Add => pool.plus(a, b, 1),
            Op::Sub => pool.plus(a, b, -1),
            Op::Mul => pool.times(a, b),
            Op::Div => pool.quotient(a, b)?,
            Op::Rem => pool.remainder(a, b)?,
            Op::Lt => {
                let less = pool.plus(b, a, -1);
                let minus_one = pool.int(-1);
                let less = pool.plus(less, minus_one, 1);
                return Ok(pool.not_negative(less));
            }
            Op::Le => {
                let less = pool.plus(b, a, -1);
                return Ok(pool.not_negative(less));
            }
            Op::Eq | Op::Ne => {
                let difference = pool.plus(a, b, -1);
                let equal = pool.zero(difference);
                return Ok(if op == Op::Eq { equal } else { pool.not(equal) });
            }
            Op::Min | Op::Max => {
                let difference = pool.plus(b, a, -1);
                let first = pool.not_negative(difference);
                return Ok(match op {
                    Op::Min => pool.ite(first, a, b),
                    _ => pool.ite(first, b, a),
                });
            }
            _ => return self.bits(op, ty, a, b),
        };
        Ok(self.pool.in_type(value, ty)?)
    }

    fn bits(&mut self, op: Op, ty: CType, a: Id, b: Id) -> Result<Id, Halt> {
        let pool = &mut *self.pool;
        let (left, right) = (pool.as_int(a), pool.as_int(b));
        if let (Some(x), Some(y)) = (left, right) {
            let mut terms = TermStore::default();
            let one = terms.constant(x, ty);
            let other_type = if matches!(op, Op::Shl | Op::Shr) {
                CType::I64
            } else {
                ty
            };
            let other = terms.constant(y, other_type);
            let result = terms.binary(op, ty, one, other);
            return match terms.as_const(result) {
                Some(value) => Ok(pool.int(value)),
                None => Err(Halt::Undefined(format!("{op}"))),
            };
        }
        let (low, _) = pool.interval(a);
        match (op, right) {
            (Op::Shl, Some(count @ 0..=62)) => {
                let by = pool.int(1 << count);
                let value = pool.times(a, by);
                Ok(pool.in_type(value, ty)?)
            }
            (Op::Shr, Some(count @ 0..=62)) if low >= 0 => {
                let by = pool.int(1 << count);
                Ok(pool.quotient(a, by)?)
            }
            (Op::BitAnd, Some(mask)) if low >= 0 && mask >= 0 && (mask & (mask + 1)) == 0 => {
                let by = pool.int(mask + 1);
                Ok(pool.remainder(a, by)?)
            }
            _ => {
                let name = format!("{op} {ty}");
                Ok(pool.call(&name, ty, vec![a, b]))
            }
        }
    }
}
