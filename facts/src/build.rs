//! Building terms: typed constructors with constant folding and local simplification.
//!
//! Every simplification keeps the value under exact C semantics for all leaves for which the
//! operands are defined (signed overflow and division by zero stay where they were or become
//! defined, never the reverse of a defined value).

use crate::ctype::CType;
use crate::eval::fold;
use crate::ids::*;
use crate::term::{Op, TermStore};

impl TermStore {
    /// An integer constant; the value is converted to the type.
    pub fn constant(&mut self, value: i128, ty: CType) -> TermId {
        self.intern(Op::Const, ty, ty.wrap(value), &[])
    }

    /// The `bool` constant.
    pub fn truth(&mut self, value: bool) -> TermId {
        self.constant(i128::from(value), CType::Bool)
    }

    /// A leaf without payload: `tid_x`, `bdim_y`, `warp_size`-like builtins, of type `u32`.
    pub fn builtin(&mut self, op: Op) -> TermId {
        self.intern(op, CType::U32, 0, &[])
    }

    /// A uniform symbol.
    pub fn symbol(&mut self, symbol: SymbolId, ty: CType) -> TermId {
        self.intern(Op::Symbol, ty, i128::from(symbol.0), &[])
    }

    /// The ordinal of the current iteration of a loop, of type `i64`.
    pub fn iter_of(&mut self, loop_id: LoopId) -> TermId {
        self.intern(Op::Iter, CType::I64, i128::from(loop_id.0), &[])
    }

    /// The number of completed iterations of a loop that was left by its condition, of type `i64`.
    pub fn exit_of(&mut self, loop_id: LoopId) -> TermId {
        self.intern(Op::Exit, CType::I64, i128::from(loop_id.0), &[])
    }

    /// The value read by an access at a byte offset.
    pub fn load(&mut self, access: AccessId, index: TermId, ty: CType) -> TermId {
        self.intern(Op::Load, ty, i128::from(access.0), &[index])
    }

    /// An unknown value.
    pub fn unknown(&mut self, unknown: UnknownId, ty: CType) -> TermId {
        self.intern(Op::Unknown, ty, i128::from(unknown.0), &[])
    }

    /// An uninterpreted pure function of its arguments.
    pub fn pure(&mut self, function: FunctionId, ty: CType, args: &[TermId]) -> TermId {
        self.intern(Op::Pure, ty, i128::from(function.0), args)
    }

    /// The type of a term.
    pub fn ty(&self, id: TermId) -> CType {
        self.get(id).ty
    }

    /// A unary operator.
    pub fn unary(&mut self, op: Op, ty: CType, arg: TermId) -> TermId {
        if let Some(value) = self.as_const(arg)
            && let Some(folded) = fold(op, ty, 0, &[(value, self.ty(arg))])
        {
            return self.constant(folded, ty);
        }
        let inner = self.get(arg);
        if op == Op::Not && inner.op == Op::Not {
            return inner.args[0];
        }
        self.intern(op, ty, 0, &[arg])
    }

    /// Logical negation of a `bool` term.
    pub fn not(&mut self, arg: TermId) -> TermId {
        self.unary(Op::Not, CType::Bool, arg)
    }

    /// Conversion to another type as C does it.
    pub fn cast(&mut self, arg: TermId, ty: CType) -> TermId {
        let from = self.ty(arg);
        if from == ty {
            return arg;
        }
        if ty == CType::Bool && from.is_integer() {
            let zero = self.constant(0, from);
            return self.binary(Op::Ne, CType::Bool, arg, zero);
        }
        if let Some(value) = self.as_const(arg)
            && ty.is_integer()
        {
            return self.constant(value, ty);
        }
        // `(unsigned)(int)n`: the conversion between took no bits away that the result has.
        if let (Op::Cast, &[inner]) = (self.get(arg).op, self.get(arg).args.as_slice())
            && self.ty(inner).is_integer()
            && from.is_integer()
            && ty.is_integer()
            && ![from, ty].contains(&CType::Bool)
            && from.bits() >= ty.bits()
        {
            return self.cast(inner, ty);
        }
        self.intern(Op::Cast, ty, 0, &[arg])
    }

    /// Conversion that is known or assumed to preserve the value.
    pub fn fit(&mut self, arg: TermId, ty: CType) -> TermId {
        if self.ty(arg) == ty {
            return arg;
        }
        match self.as_const(arg) {
            Some(value) if ty.holds(value) => self.constant(value, ty),
            _ => self.intern(Op::Fit, ty, 0, &[arg]),
        }
    }

    /// A term as a condition: itself when `bool`, else whether it is not 0.
    pub fn as_bool(&mut self, arg: TermId) -> TermId {
        self.cast(arg, CType::Bool)
    }

    /// A binary operator; operands are already of the types that it asks for.
    pub fn binary(&mut self, op: Op, ty: CType, left: TermId, right: TermId) -> TermId {
        let (left_const, right_const) = (self.as_const(left), self.as_const(right));
        if let (Some(a), Some(b)) = (left_const, right_const)
            && let Some(value) = fold(op, ty, 0, &[(a, self.ty(left)), (b, self.ty(right))])
        {
            return self.constant(value, ty);
        }
        match (op, left_const, right_const) {
            (Op::Add | Op::BitOr | Op::BitXor, Some(0), _) if self.ty(right) == ty => return right,
            (Op::Add | Op::Sub | Op::BitOr | Op::BitXor | Op::Shl | Op::Shr, _, Some(0))
                if self.ty(left) == ty =>
            {
                return left;
            }
            (Op::Mul, Some(1), _) if self.ty(right) == ty => return right,
            (Op::Mul | Op::Div, _, Some(1)) if self.ty(left) == ty => return left,
            (Op::Mul | Op::BitAnd, Some(0), _) | (Op::Mul | Op::BitAnd, _, Some(0)) => {
                return self.constant(0, ty);
            }
            (Op::Rem, _, Some(1)) => return self.constant(0, ty),
            (Op::And, Some(0), _) | (Op::And, _, Some(0)) => return self.truth(false),
            (Op::And, Some(_), _) => return right,
            (Op::And, _, Some(_)) => return left,
            (Op::Or, Some(0), _) => return right,
            (Op::Or, _, Some(0)) => return left,
            (Op::Or, Some(_), _) | (Op::Or, _, Some(_)) => return self.truth(true),
            _ => {}
        }
        if left == right {
            match op {
                Op::And | Op::Or | Op::Min | Op::Max | Op::BitAnd | Op::BitOr => return left,
                Op::Eq | Op::Le if self.ty(left).is_integer() => return self.truth(true),
                Op::Ne | Op::Lt if self.ty(left).is_integer() => return self.truth(false),
                Op::Sub | Op::BitXor if ty.is_integer() => return self.constant(0, ty),
                _ => {}
            }
        }
        if matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le)
            && let Some((condition, values)) = self.compared_choice(op, left, right)
        {
            let [then, otherwise] = values.map(|value| self.truth(value));
            return self.ite(condition, then, otherwise);
        }
        self.intern(op, ty, 0, &[left, right])
    }

    /// A number that is one of two constants by a condition, as a flag of type `int` is.
    fn as_choice(&self, id: TermId) -> Option<(TermId, [i128; 2])> {
        let term = self.get(id);
        if !term.ty.is_integer() {
            return None;
        }
        match (term.op, term.args.as_slice()) {
            (Op::Cast | Op::Fit, &[inner]) if self.ty(inner) == CType::Bool => {
                Some((inner, [1, 0]))
            }
            (Op::Cast, &[inner]) => {
                let (condition, values) = self.as_choice(inner)?;
                Some((condition, values.map(|value| term.ty.wrap(value))))
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                Some((condition, [self.as_const(then)?, self.as_const(otherwise)?]))
            }
            _ => None,
        }
    }

    /// What a comparison of such a number with a constant is in its two cases: `flag != 0`.
    fn compared_choice(&self, op: Op, left: TermId, right: TermId) -> Option<(TermId, [bool; 2])> {
        let ((condition, of), constant, is_left) = match (self.as_const(left), self.as_const(right))
        {
            (None, Some(value)) => (self.as_choice(left)?, value, true),
            (Some(value), None) => (self.as_choice(right)?, value, false),
            _ => return None,
        };
        let sides = |value: i128| match is_left {
            true => [(value, self.ty(left)), (constant, self.ty(right))],
            false => [(constant, self.ty(left)), (value, self.ty(right))],
        };
        let [then, otherwise] = of.map(|value| fold(op, CType::Bool, 0, &sides(value)));
        Some((condition, [then? != 0, otherwise? != 0]))
    }

    /// `condition ? then : otherwise`; both arms of one type.
    pub fn ite(&mut self, condition: TermId, then: TermId, otherwise: TermId) -> TermId {
        match self.as_const(condition) {
            Some(0) => return otherwise,
            Some(_) => return then,
            None => {}
        }
        if then == otherwise {
            return then;
        }
        if self.get(condition).op == Op::Not {
            let inner = self.get(condition).args[0];
            return self.ite(inner, otherwise, then);
        }
        let ty = self.ty(then);
        if ty == CType::Bool {
            match (self.as_const(then), self.as_const(otherwise)) {
                (Some(1), Some(0)) => return condition,
                (Some(0), Some(1)) => return self.not(condition),
                (Some(1), None) => return self.binary(Op::Or, ty, condition, otherwise),
                (None, Some(0)) => return self.binary(Op::And, ty, condition, then),
                _ => {}
            }
        }
        self.intern(Op::Ite, ty, 0, &[condition, then, otherwise])
    }

    /// A term's value in the other of two threads.
    pub fn other(&mut self, arg: TermId) -> TermId {
        let term = self.get(arg);
        let shared = matches!(
            term.op,
            Op::Const
                | Op::Symbol
                | Op::BdimX
                | Op::BdimY
                | Op::BdimZ
                | Op::GdimX
                | Op::GdimY
                | Op::GdimZ
                | Op::SameBlock
        );
        if shared {
            return arg;
        }
        if term.op == Op::Other {
            return term.args[0];
        }
        let ty = term.ty;
        self.intern(Op::Other, ty, 0, &[arg])
    }

    /// Whether the two threads are in one block.
    pub fn same_block(&mut self) -> TermId {
        self.intern(Op::SameBlock, CType::Bool, 0, &[])
    }

    /// Conjunction of two `bool` terms.
    pub fn and(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Op::And, CType::Bool, left, right)
    }

    /// Disjunction of two `bool` terms.
    pub fn or(&mut self, left: TermId, right: TermId) -> TermId {
        self.binary(Op::Or, CType::Bool, left, right)
    }

    /// `start · base^k` (`MulPow`) or `start / base^k` (`DivPow`).
    pub fn power(&mut self, op: Op, ty: CType, base: i128, start: TermId, k: TermId) -> TermId {
        if let (Some(a), Some(b)) = (self.as_const(start), self.as_const(k))
            && let Some(value) = fold(op, ty, base, &[(a, self.ty(start)), (b, self.ty(k))])
        {
            return self.constant(value, ty);
        }
        self.intern(op, ty, base, &[start, k])
    }
}

impl TermStore {
    /// A node of any operator, simplified as the constructor of its kind does.
    pub fn make(&mut self, op: Op, ty: CType, payload: i128, args: &[TermId]) -> TermId {
        match (op, args) {
            (Op::Cast, &[arg]) => self.cast(arg, ty),
            (Op::Fit, &[arg]) => self.fit(arg, ty),
            (Op::Ite, &[condition, then, otherwise]) => self.ite(condition, then, otherwise),
            (Op::MulPow | Op::DivPow, &[start, k]) => self.power(op, ty, payload, start, k),
            (Op::Load | Op::Pure, _) => self.intern(op, ty, payload, args),
            (_, &[arg]) => self.unary(op, ty, arg),
            (_, &[left, right]) => self.binary(op, ty, left, right),
            _ => self.intern(op, ty, payload, args),
        }
    }

    /// `root` with terms replaced by their images, simplified on the way up.
    pub fn replace(
        &mut self,
        root: TermId,
        images: &rustc_hash::FxHashMap<TermId, TermId>,
    ) -> TermId {
        let mut new: rustc_hash::FxHashMap<TermId, TermId> = rustc_hash::FxHashMap::default();
        for id in self.reachable(&[root]) {
            let image = match images.get(&id) {
                Some(&image) => image,
                None => {
                    let term = self.get(id);
                    if term.args.iter().all(|arg| new[arg] == *arg) {
                        id
                    } else {
                        let (op, ty, payload) = (term.op, term.ty, term.payload);
                        let args: smallvec::SmallVec<[TermId; 3]> =
                            term.args.iter().map(|arg| new[arg]).collect();
                        self.make(op, ty, payload, &args)
                    }
                }
            };
            new.insert(id, image);
        }
        new[&root]
    }
}
