//! Concrete evaluation of terms with exact C arithmetic.
//!
//! The arbiter of every witness: a model counts only if the terms have the claimed values here.
//! Undefined behaviour (signed overflow, division by zero, bad shift counts) is an error, because
//! an execution that has it is no execution; so is a leaf that the environment does not know.

use rustc_hash::FxHashMap;

use crate::ctype::CType;
use crate::ids::TermId;
use crate::term::{Op, Term, TermStore};

/// Why a term has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EvalError {
    /// Signed arithmetic left the range of its type.
    #[error("signed overflow")]
    Overflow(TermId),
    /// Division or remainder by zero.
    #[error("division by zero")]
    DivisionByZero(TermId),
    /// Shift count negative or not below the width.
    #[error("shift count out of range")]
    ShiftCount(TermId),
    /// A `fit` whose argument is not a value of the type.
    #[error("an assumption on the range of a value does not hold")]
    Misfit(TermId),
    /// A leaf, or an operator on opaque values, that the environment gives no value to.
    #[error("value not known")]
    NotKnown(TermId),
}

/// The values of leaves and of opaque terms.
pub trait Environment {
    /// The value of a leaf, a load or a pure function; `None` when it is not known.
    /// `args` are the values of the arguments.
    fn value(&self, id: TermId, term: &Term, args: &[i128]) -> Option<i128>;

    /// The largest value that this operator is assumed to have where it is assumed to give the mathematical result.
    fn assumed_most(&self, _: TermId) -> Option<i128> {
        None
    }
}

/// What was evaluated, kept from one environment to the next so that a run over thousands of iterations allocates nothing.
///
/// **Invariant.** A slot counts if its mark is that of the current environment, or, for a term that has one value in all
/// environments of a run, that of the current run.
#[derive(Clone, Debug, Default)]
pub struct Memo {
    slots: Vec<(u32, Result<i128, EvalError>)>,
    /// In place of the slots where one environment sees few of the terms.
    sparse: Option<FxHashMap<TermId, Result<i128, EvalError>>>,
    /// Terms by index that have one value in all environments of a run.
    lasting: std::sync::Arc<[bool]>,
    run: u32,
    environment: u32,
    evaluated: u64,
    stack: Vec<TermId>,
}

impl Memo {
    const EMPTY: (u32, Result<i128, EvalError>) = (0, Ok(0));

    /// Forgets everything: environments follow that agree on the terms marked here.
    pub fn start_run(&mut self, lasting: std::sync::Arc<[bool]>) {
        if self.environment > u32::MAX / 2 {
            self.slots.clear();
            self.environment = 0;
        }
        self.lasting = lasting;
        self.environment += 1;
        self.run = self.environment;
        self.evaluated = 0;
    }

    /// Number of terms evaluated in this run.
    pub fn evaluated(&self) -> u64 {
        self.evaluated
    }

    /// Forgets what another environment of the run may see differently.
    fn start(&mut self, terms: usize) {
        if let Some(sparse) = &mut self.sparse {
            sparse.clear();
            return;
        }
        self.slots.resize(terms, Memo::EMPTY);
        self.environment = self.environment.wrapping_add(1).max(1);
    }

    fn get(&self, id: TermId) -> Option<Result<i128, EvalError>> {
        if let Some(sparse) = &self.sparse {
            return sparse.get(&id).copied();
        }
        let (mark, value) = self.slots[id.index()];
        (mark == self.environment || (mark == self.run && mark != 0)).then_some(value)
    }

    fn insert(&mut self, id: TermId, value: Result<i128, EvalError>) {
        self.evaluated += 1;
        if let Some(sparse) = &mut self.sparse {
            sparse.insert(id, value);
            return;
        }
        let lasting = self.lasting.get(id.index()).is_some_and(|&lasting| lasting);
        let mark = if lasting { self.run } else { self.environment };
        self.slots[id.index()] = (mark, value);
    }
}

/// Evaluates terms of one store in one environment, each term once. Operands that are not needed
/// (the untaken arm of `?:`, what follows a decided `&&`) are not evaluated.
pub struct Evaluator<'a, E> {
    store: &'a TermStore,
    environment: &'a E,
    memo: Memo,
}

impl<'a, E: Environment> Evaluator<'a, E> {
    /// An evaluator with nothing evaluated yet.
    pub fn new(store: &'a TermStore, environment: &'a E) -> Self {
        let memo = Memo {
            sparse: Some(FxHashMap::default()),
            ..Memo::default()
        };
        Evaluator::reusing(store, environment, memo)
    }

    /// An evaluator that uses the storage of an earlier one, and its values of the terms that last.
    pub fn reusing(store: &'a TermStore, environment: &'a E, mut memo: Memo) -> Self {
        memo.start(store.len());
        Evaluator {
            store,
            environment,
            memo,
        }
    }

    /// The storage, for another evaluator.
    pub fn into_memo(self) -> Memo {
        self.memo
    }

    /// The value of a term.
    pub fn value(&mut self, root: TermId) -> Result<i128, EvalError> {
        // An explicit stack: term chains can be longer than the call stack is deep.
        let mut stack = std::mem::take(&mut self.memo.stack);
        stack.push(root);
        let mut value = Err(EvalError::NotKnown(root));
        while let Some(&id) = stack.last() {
            if let Some(known) = self.memo.get(id) {
                value = known;
                stack.pop();
                continue;
            }
            match self.step(id) {
                Ok(result) => {
                    value = result;
                    self.memo.insert(id, result);
                    stack.pop();
                }
                Err(needed) => stack.push(needed),
            }
        }
        self.memo.stack = stack;
        value
    }

    /// The result of one node, or an argument that must be evaluated first.
    fn step(&self, id: TermId) -> Result<Result<i128, EvalError>, TermId> {
        let term = self.store.get(id);
        let get = |index: usize| -> Result<Result<i128, EvalError>, TermId> {
            let arg = term.args[index];
            self.memo.get(arg).ok_or(arg)
        };
        match term.op {
            Op::Ite => {
                return Ok(match get(0)? {
                    Err(error) => Err(error),
                    Ok(condition) => get(if condition != 0 { 1 } else { 2 })?,
                });
            }
            Op::And | Op::Or => {
                let left = get(0)?;
                let decides = i128::from(term.op == Op::Or);
                return Ok(match left {
                    Ok(value) if value == decides => Ok(decides),
                    Ok(_) => get(1)?,
                    // `unknown && false` is false whatever the unknown is.
                    Err(error @ EvalError::NotKnown(_)) => match get(1)? {
                        Ok(value) if value == decides => Ok(decides),
                        _ => Err(error),
                    },
                    Err(error) => Err(error),
                });
            }
            _ => {}
        }
        let mut args = smallvec::SmallVec::<[i128; 4]>::new();
        let mut not_known = None;
        for index in 0..term.args.len() {
            match get(index)? {
                Ok(value) => args.push(value),
                // What is undefined is so whatever the unknown is.
                Err(error @ EvalError::NotKnown(_)) => not_known = not_known.or(Some(error)),
                Err(error) => return Ok(Err(error)),
            }
        }
        Ok(match not_known {
            Some(error) => Err(error),
            None => self.apply(id, term, &args),
        })
    }

    fn apply(&self, id: TermId, term: &Term, args: &[i128]) -> Result<i128, EvalError> {
        if term.op == Op::Const {
            return Ok(term.payload);
        }
        let opaque = !term.ty.is_integer()
            || term
                .args
                .iter()
                .any(|&arg| !self.store.ty(arg).is_integer());
        if term.args.is_empty() || opaque || matches!(term.op, Op::Load | Op::Pure | Op::Other) {
            return self
                .environment
                .value(id, term, args)
                .ok_or(EvalError::NotKnown(id));
        }
        let types: smallvec::SmallVec<[(i128, CType); 4]> = args
            .iter()
            .zip(&term.args)
            .map(|(&value, &arg)| (value, self.store.ty(arg)))
            .collect();
        if let Some(most) = self.environment.assumed_most(id)
            && !fits(term.op, (term.ty, most), args)
        {
            return Err(EvalError::Overflow(id));
        }
        compute(id, term.op, term.ty, term.payload, &types)
    }
}

/// Whether the mathematical result of a sum, product or conversion is a value of the type, and not above a limit.
fn fits(op: Op, (ty, most): (CType, i128), args: &[i128]) -> bool {
    let result = match (op, args) {
        (Op::Add, &[a, b]) => a.checked_add(b),
        (Op::Mul, &[a, b]) => a.checked_mul(b),
        (Op::Shl, &[a, b @ 0..=63]) => a.checked_mul(1 << b),
        (Op::Cast, &[a]) => Some(a),
        _ => return true,
    };
    result.is_some_and(|result| result <= most && ty.holds(result))
}

/// The value of an operator on constant integers, `None` when it is undefined.
#[must_use]
pub fn fold(op: Op, ty: CType, payload: i128, args: &[(i128, CType)]) -> Option<i128> {
    if !ty.is_integer() || args.iter().any(|(_, ty)| !ty.is_integer()) {
        return None;
    }
    compute(TermId(0), op, ty, payload, args).ok()
}

/// The value of an operator on integers, given with their types. `id` is what an error is told of.
///
/// # Errors
/// It is undefined, or the operator is none of integers.
pub fn operate(id: TermId, term: &Term, args: &[(i128, CType)]) -> Result<i128, EvalError> {
    compute(id, term.op, term.ty, term.payload, args)
}

fn compute(
    id: TermId,
    op: Op,
    ty: CType,
    payload: i128,
    args: &[(i128, CType)],
) -> Result<i128, EvalError> {
    let value = |index: usize| args[index].0;
    let arithmetic = |result: Option<i128>| -> Result<i128, EvalError> {
        match result {
            Some(result) if ty.holds(result) => Ok(result),
            Some(result) if !ty.is_signed() => Ok(ty.wrap(result)),
            _ => Err(EvalError::Overflow(id)),
        }
    };
    let bits = i128::from(ty.bits().unwrap_or(1));
    // The operand's bit pattern, for bit operators on the operand's own width.
    let operand_bits = args.first().and_then(|(_, ty)| ty.bits()).unwrap_or(1);
    let pattern = |index: usize| value(index) & ((1i128 << operand_bits) - 1);
    match op {
        Op::Add => arithmetic(Some(value(0) + value(1))),
        Op::Sub => arithmetic(Some(value(0) - value(1))),
        // Wrapping modulo 2^128 first does not change the value modulo 2^64.
        Op::Mul if !ty.is_signed() => Ok(ty.wrap(value(0).wrapping_mul(value(1)))),
        Op::Mul => arithmetic(value(0).checked_mul(value(1))),
        Op::Neg => arithmetic(Some(-value(0))),
        Op::Div if value(1) == 0 => Err(EvalError::DivisionByZero(id)),
        Op::Div => arithmetic(Some(value(0) / value(1))),
        Op::Rem if value(1) == 0 => Err(EvalError::DivisionByZero(id)),
        Op::Rem => {
            arithmetic(Some(value(0) / value(1)))?;
            Ok(value(0) % value(1))
        }
        Op::BitAnd => Ok(ty.wrap(value(0) & value(1))),
        Op::BitOr => Ok(ty.wrap(value(0) | value(1))),
        Op::BitXor => Ok(ty.wrap(value(0) ^ value(1))),
        Op::BitNot => Ok(ty.wrap(!value(0))),
        Op::Shl | Op::Shr if value(1) < 0 || value(1) >= bits => Err(EvalError::ShiftCount(id)),
        Op::Shl => match (value(0).checked_mul(1i128 << value(1)), ty.shifted()) {
            (Some(result), Some(limit)) if ty.is_signed() => {
                let defined = result <= limit && ty.min().is_some_and(|min| result >= min);
                if defined {
                    Ok(ty.wrap(result))
                } else {
                    Err(EvalError::Overflow(id))
                }
            }
            (result, _) => arithmetic(result),
        },
        Op::Shr => Ok(value(0) >> value(1)),
        Op::Eq => Ok(i128::from(value(0) == value(1))),
        Op::Ne => Ok(i128::from(value(0) != value(1))),
        Op::Lt => Ok(i128::from(value(0) < value(1))),
        Op::Le => Ok(i128::from(value(0) <= value(1))),
        Op::And => Ok(i128::from(value(0) != 0 && value(1) != 0)),
        Op::Or => Ok(i128::from(value(0) != 0 || value(1) != 0)),
        Op::Not => Ok(i128::from(value(0) == 0)),
        Op::Ite => Ok(if value(0) != 0 { value(1) } else { value(2) }),
        Op::Cast => Ok(ty.wrap(value(0))),
        Op::Fit if ty.holds(value(0)) => Ok(value(0)),
        Op::Fit => Err(EvalError::Misfit(id)),
        Op::Min => Ok(value(0).min(value(1))),
        Op::Max => Ok(value(0).max(value(1))),
        Op::MulPow => mul_pow(id, ty, payload, value(0), value(1)),
        Op::DivPow => Ok(div_pow(payload, value(0), value(1))),
        Op::Popc => Ok(i128::from(pattern(0).count_ones())),
        Op::Clz => Ok(i128::from(operand_bits) - i128::from(128 - pattern(0).leading_zeros())),
        Op::Ffs if pattern(0) == 0 => Ok(0),
        Op::Ffs => Ok(i128::from(pattern(0).trailing_zeros()) + 1),
        Op::Brev => {
            let reversed = (pattern(0) as u128).reverse_bits() >> (128 - operand_bits);
            Ok(ty.wrap(i128::try_from(reversed).unwrap_or_default()))
        }
        Op::MulHi => Ok(ty.wrap(value(0).wrapping_mul(value(1)) >> operand_bits)),
        _ => Err(EvalError::NotKnown(id)),
    }
}

/// start·baseᵏ: exact for signed types, modulo 2ⁿ for unsigned ones.
fn mul_pow(id: TermId, ty: CType, base: i128, start: i128, k: i128) -> Result<i128, EvalError> {
    if k < 0 {
        return Err(EvalError::ShiftCount(id));
    }
    let mut value = start;
    for _ in 0..k {
        if value == 0 {
            break;
        }
        let next = value.checked_mul(base).ok_or(EvalError::Overflow(id))?;
        value = if ty.holds(next) {
            next
        } else if ty.is_signed() {
            return Err(EvalError::Overflow(id));
        } else {
            // An odd base never reaches 0: the cycle is at most 2^n long, the caller's loop longer.
            ty.wrap(next)
        };
    }
    Ok(value)
}

/// start/baseᵏ, truncating.
fn div_pow(base: i128, start: i128, k: i128) -> i128 {
    let mut value = start;
    for _ in 0..k {
        if value == 0 || base < 2 {
            break;
        }
        value /= base;
    }
    value
}
