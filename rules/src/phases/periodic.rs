//! What a term is in each iteration of a loop, where that comes back after a number of iterations.
//!
//! `bar[k % 4]`, `(k / 4) & 1`
//!
//! **Method.** With period p the iteration is p·u + r, for each rest r below p and any u. A term is then a·u + b, with numbers a and b, or
//! has no such form. Sums, products with a number, and quotients and remainders by a divisor of a stay of that form; whatever else must be of numbers only.
//! What a variable without closed form is at the head of a loop ([`CarriedRow`](warplog_facts::CarriedRow)) is followed from one iteration
//! to the next, and must be after p iterations what it was at first.
//!
//! **Accuracy.** A form is exact as long as no number of an iteration wraps in a type of 32 bits or more, that is for the first 2³¹ iterations.

use rustc_hash::FxHashMap;
use warplog_facts::{CType, LoopId, Op, TermId, UnknownId};

use crate::context::Context;

/// a·u + b, for each u.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Form {
    pub(super) a: i128,
    pub(super) b: i128,
}

impl Form {
    fn number(b: i128) -> Form {
        Form { a: 0, b }
    }

    fn as_number(self) -> Option<i128> {
        (self.a == 0).then_some(self.b)
    }
}

/// The forms of terms for one thread.
pub(super) struct Periodic<'p> {
    ctx: &'p Context<'p>,
    loop_id: Option<LoopId>,
    period: i128,
    /// The indices of the thread, where they are known.
    thread: Option<[i128; 3]>,
    /// What carried values are at the head, by rest; empty while it is not known.
    carried: FxHashMap<UnknownId, Vec<i128>>,
}

impl<'p> Periodic<'p> {
    pub(super) fn new(
        ctx: &'p Context<'p>,
        loop_id: Option<LoopId>,
        period: i128,
        thread: Option<[i128; 3]>,
    ) -> Self {
        let mut all = Periodic {
            ctx,
            loop_id,
            period,
            thread,
            carried: FxHashMap::default(),
        };
        if loop_id.is_some() {
            all.follow();
        }
        all
    }

    /// For one iteration at a time: the rest is its number, and carried values are not known.
    pub(super) fn one_by_one(
        ctx: &'p Context<'p>,
        loop_id: Option<LoopId>,
        thread: Option<[i128; 3]>,
    ) -> Self {
        Periodic {
            ctx,
            loop_id,
            period: 0,
            thread,
            carried: FxHashMap::default(),
        }
    }

    /// Follows the carried values of the loop together; those that cannot be followed are left out.
    fn follow(&mut self) {
        let rows = self.ctx.facts.carried.iter();
        let mut rows: Vec<_> = rows
            .filter(|row| Some(row.loop_id) == self.loop_id)
            .collect();
        loop {
            let before = rows.len();
            self.carried.clear();
            for rest in 0..=self.period {
                let mut found: Vec<(UnknownId, Option<i128>)> = Vec::new();
                for row in &rows {
                    let value = if rest == 0 {
                        self.form(row.start, 0)
                    } else {
                        self.form(row.next, rest - 1)
                    };
                    found.push((row.unknown, value.and_then(Form::as_number)));
                }
                for (unknown, value) in found {
                    let values = self.carried.entry(unknown).or_default();
                    let comes_back = rest < self.period || value == values.first().copied();
                    match value.filter(|_| comes_back) {
                        Some(value) => values.push(value),
                        None => rows.retain(|row| row.unknown != unknown),
                    }
                }
                if rows.len() < before {
                    break;
                }
            }
            if rows.len() == before {
                return;
            }
        }
    }

    /// The number that a term is in iterations of this rest.
    pub(super) fn number(&self, term: TermId, rest: i128) -> Option<i128> {
        self.form(term, rest)?.as_number()
    }

    /// The form of a term in iterations of this rest.
    pub(super) fn form(&self, term: TermId, rest: i128) -> Option<Form> {
        let row = self.ctx.facts.terms.get(term);
        let number = |value: i128| Some(Form::number(value));
        let arg = |at: usize| self.form(row.args[at], rest);
        let truth = |value: bool| number(i128::from(value));
        match row.op {
            Op::Const if row.ty.is_integer() => number(row.payload),
            Op::TidX => number(self.thread?[0]),
            Op::TidY => number(self.thread?[1]),
            Op::TidZ => number(self.thread?[2]),
            Op::Iter if row.loop_id() == self.loop_id => Some(Form {
                a: self.period,
                b: rest,
            }),
            Op::Unknown => {
                let values = self.carried.get(&row.unknown()?)?;
                number(*values.get(usize::try_from(rest).ok()?)?)
            }
            Op::Cast | Op::Fit => self.converted(arg(0)?, row.ty),
            Op::Add | Op::Sub | Op::Mul => self.of_two(row.op, arg(0)?, arg(1)?, row.ty),
            Op::Div | Op::Rem | Op::Shr | Op::Shl | Op::BitAnd => {
                let (left, right) = (arg(0)?, arg(1)?);
                match (row.op, left.as_number()) {
                    (Op::BitAnd, Some(_)) if right.a != 0 => divided(row.op, right, left, row.ty),
                    _ => divided(row.op, left, right, row.ty),
                }
            }
            Op::BitXor | Op::BitOr => {
                let (left, right) = (arg(0)?.as_number()?, arg(1)?.as_number()?);
                let value = match row.op {
                    Op::BitXor => left ^ right,
                    _ => left | right,
                };
                number(row.ty.wrap(value))
            }
            Op::Min | Op::Max => {
                let sides = [0, 1].map(|at: usize| self.number(row.args[at], rest));
                match (row.op, sides) {
                    (Op::Min, [Some(one), Some(other)]) => number(one.min(other)),
                    (Op::Max, [Some(one), Some(other)]) => number(one.max(other)),
                    (Op::Min, [Some(value), None]) if self.least(row.args[1], rest)? >= value => {
                        number(value)
                    }
                    (Op::Min, [None, Some(value)]) if self.least(row.args[0], rest)? >= value => {
                        number(value)
                    }
                    _ => None,
                }
            }
            Op::BitNot => number(row.ty.wrap(!arg(0)?.as_number()?)),
            Op::Neg => number(row.ty.wrap(-arg(0)?.as_number()?)),
            Op::Eq | Op::Ne | Op::Lt | Op::Le => {
                let (left, right) = (arg(0)?, arg(1)?);
                let apart = Form {
                    a: right.a - left.a,
                    b: right.b - left.b,
                };
                truth(compared(row.op, apart)?)
            }
            Op::Not => truth(arg(0)?.as_number()? == 0),
            Op::And | Op::Or => {
                let decides = row.op == Op::Or;
                let mut all = Some(!decides);
                for &one in &row.args {
                    match self.number(one, rest).map(|value| value != 0) {
                        Some(value) if value == decides => return truth(decides),
                        Some(_) => {}
                        None => all = None,
                    }
                }
                truth(all?)
            }
            Op::Ite => match self.number(row.args[0], rest) {
                Some(0) => arg(2),
                Some(_) => arg(1),
                None => {
                    let (one, other) = (arg(1)?, arg(2)?);
                    (one == other).then_some(one)
                }
            },
            _ => None,
        }
    }

    /// What a term is at least in iterations of this rest.
    fn least(&self, term: TermId, rest: i128) -> Option<i128> {
        if let Some(value) = self.number(term, rest) {
            return Some(value);
        }
        let terms = &self.ctx.facts.terms;
        let row = terms.get(term);
        if row.op == Op::Max {
            let sides = [0, 1].map(|at: usize| self.least(row.args[at], rest));
            return sides.into_iter().flatten().max();
        }
        // `k < n` in iteration k.
        let condition = self.ctx.facts.loop_[self.loop_id?.index()].condition?;
        let goes_on = terms.get(condition);
        if row.op != Op::Symbol || goes_on.op != Op::Lt || goes_on.args[1] != term {
            return None;
        }
        let counter = self.form(goes_on.args[0], rest)?;
        (counter.a >= 0).then_some(counter.b + 1)
    }

    fn converted(&self, form: Form, ty: CType) -> Option<Form> {
        if let Some(value) = form.as_number() {
            let value = if ty == CType::Bool {
                i128::from(value != 0)
            } else {
                ty.wrap(value)
            };
            return ty.is_integer().then_some(Form::number(value));
        }
        (ty.is_integer() && ty.bits() >= Some(32) && form.b >= 0).then_some(form)
    }

    fn of_two(&self, op: Op, left: Form, right: Form, ty: CType) -> Option<Form> {
        let form = match op {
            Op::Add => Form {
                a: left.a.checked_add(right.a)?,
                b: left.b.checked_add(right.b)?,
            },
            Op::Sub => Form {
                a: left.a.checked_sub(right.a)?,
                b: left.b.checked_sub(right.b)?,
            },
            _ => {
                let (form, factor) = match (left.as_number(), right.as_number()) {
                    (_, Some(factor)) => (left, factor),
                    (Some(factor), _) => (right, factor),
                    _ => return None,
                };
                Form {
                    a: form.a.checked_mul(factor)?,
                    b: form.b.checked_mul(factor)?,
                }
            }
        };
        let number = form.as_number().map(|value| Form::number(ty.wrap(value)));
        // What grows and never is negative does not wrap.
        number.or((form.a > 0 && form.b >= 0).then_some(form))
    }
}

/// A quotient, a remainder, a shift or a mask by a number.
fn divided(op: Op, left: Form, right: Form, ty: CType) -> Option<Form> {
    let by = right.as_number()?;
    if let Some(value) = left.as_number() {
        let value = match op {
            Op::Div => value.checked_div(by)?,
            Op::Rem => value.checked_rem(by)?,
            Op::BitAnd => value & by,
            Op::Shr => value.checked_shr(u32::try_from(by).ok()?)?,
            _ => value.checked_shl(u32::try_from(by).ok().filter(|&by| by < 64)?)?,
        };
        return Some(Form::number(ty.wrap(value)));
    }
    if left.a < 0 || left.b < 0 {
        return None;
    }
    let power = |by: i128| {
        let by = u32::try_from(by).ok().filter(|&by| by < 31)?;
        Some(1i128 << by)
    };
    let (by, is_rest) = match op {
        Op::Div => (by, false),
        Op::Rem => (by, true),
        Op::Shr => (power(by)?, false),
        Op::BitAnd if by > 0 && by & (by + 1) == 0 => (by + 1, true),
        Op::Shl => {
            let by = power(by)?;
            return Some(Form {
                a: left.a.checked_mul(by)?,
                b: left.b.checked_mul(by)?,
            });
        }
        _ => return None,
    };
    if by <= 0 || left.a % by != 0 {
        return None;
    }
    Some(match is_rest {
        true => Form::number(left.b % by),
        false => Form {
            a: left.a / by,
            b: left.b / by,
        },
    })
}

/// Whether 0 stands so to the form, for all u from 0 on.
fn compared(op: Op, apart: Form) -> Option<bool> {
    let Form { a, b } = apart;
    match op {
        Op::Lt if a >= 0 && b > 0 => Some(true),
        Op::Lt if a <= 0 && b <= 0 => Some(false),
        Op::Le if a >= 0 && b >= 0 => Some(true),
        Op::Le if a <= 0 && b < 0 => Some(false),
        Op::Eq | Op::Ne if a == 0 => Some((b == 0) == (op == Op::Eq)),
        Op::Eq | Op::Ne if a != 0 && (b % a != 0 || (b > 0) == (a > 0) && b != 0) => {
            Some(op == Op::Ne)
        }
        _ => None,
    }
}
