//! Calls of the CUDA runtime and of plain functions of the standard library that have a meaning: allocation, launches, sizes.

use std::collections::BTreeSet;
use std::rc::Rc;

use warplog_facts::CType;

use super::call::takes_numbers;
use super::term::{self, Term};
use super::unknown::allocates;
use super::value::*;
use super::{Host, runs_on_host};
use crate::lower::types::Ty;
use crate::syntax::ast::*;

/// What the pitch of an allocation is a multiple of on all devices, at least.
const PITCH_MULTIPLE: i128 = 32;

impl<'u> Host<'_, 'u> {
    /// Functions of CUDA and the standard library with a meaning here.
    pub(super) fn library(
        &mut self,
        name: &'u Name,
        args: &'u [Expr],
        expr: &'u Expr,
    ) -> Option<Value<'u>> {
        let base = name.base.as_str();
        let is_own = |one: &Function| one.body.is_some() && runs_on_host(one);
        let mut in_sight = self.functions_in_sight(name).into_iter();
        // Members, and what the types of arguments bring in.
        let mut others = self.index.functions(base).iter().copied();
        let may_mean = |one: &Function| is_own(one) && (one.owner.is_some() || !takes_numbers(one));
        if in_sight.any(is_own) || name.qualifier.is_empty() && others.any(may_mean) {
            return None;
        }
        if let Some(tensor) = self.new_tensor(name, args) {
            return Some(tensor);
        }
        if allocates(base) {
            let (first, rest) = args.split_first()?;
            match rest {
                [pitch, width, _] if base.ends_with("MallocPitch") => self.pitch(pitch, width),
                rest => {
                    for arg in rest {
                        self.eval(arg);
                    }
                }
            }
            self.allocate(first, base);
            return Some(Value::unknown());
        }
        match (base, args) {
            ("min" | "max" | "fmin" | "fmax" | "umin" | "umax", [left, right]) => {
                let (left, right) = (self.eval(left), self.eval(right));
                let (Value::Scalar(a), Value::Scalar(b)) = (left, right) else {
                    return Some(Value::unknown());
                };
                let Some(ty) = self.compared_as(name, &a, &b) else {
                    return Some(Value::unknown());
                };
                let (a, b) = (term::cast(ty, a), term::cast(ty, b));
                let less = term::binary(BinaryOp::Lt, a.clone(), b.clone());
                let (then, els) = if base.contains("min") { (a, b) } else { (b, a) };
                Some(Value::Scalar(self.bounded(term::select(less, then, els))))
            }
            ("ceil" | "ceilf" | "floor" | "floorf" | "round" | "trunc", [arg]) => {
                let ty = match base.ends_with('f') {
                    true => CType::F32,
                    false => CType::F64,
                };
                let value = self.eval(arg);
                // The result is no integer: `ceil(n) / 2`.
                let value = match (&value, ty) {
                    (Value::Ratio(..), CType::F64) => value,
                    _ => self.converted(value, &Ty::Scalar(ty), base),
                };
                Some(match value {
                    Value::Ratio(_, ref under, _) if under.as_constant() == Some(1) => value,
                    Value::Ratio(over, under, precision) if base == "ceil" || base == "ceilf" => {
                        let over = term::cast(CType::I64, over);
                        let under = term::cast(CType::I64, under);
                        let less = term::binary(BinaryOp::Sub, under.clone(), Term::int(1));
                        let sum = term::binary(BinaryOp::Add, over, less);
                        let quotient = term::binary(BinaryOp::Div, sum, under);
                        Value::Ratio(quotient, Term::int(1), precision)
                    }
                    Value::Ratio(over, under, precision) if base == "floor" || base == "floorf" => {
                        let quotient = term::binary(BinaryOp::Div, over, under);
                        Value::Ratio(quotient, Term::int(1), precision)
                    }
                    _ => Value::unknown(),
                })
            }
            ("dim3" | "make_uint3", args) => {
                let values = args.iter().map(|arg| self.eval(arg)).collect();
                let ty = crate::lower::types::vector("dim3")?;
                Some(self.constructed(&ty, values))
            }
            ("swap", [left, right]) => {
                let (a, first) = self.operand(left);
                let (b, second) = self.operand(right);
                self.store_at(left, first, b);
                self.store_at(right, second, a);
                Some(Value::unknown())
            }
            ("forward", [arg]) => Some(self.converted_forward(name, arg)),
            (
                "move"
                | "raw_pointer_cast"
                | "to_address"
                | "cref"
                | "device_pointer_cast"
                | "launder",
                [arg],
            ) => Some(self.eval(arg)),
            ("ref", [arg]) => {
                if let Some((place, _)) = self.place(arg) {
                    self.watch(place.root);
                }
                Some(self.eval(arg))
            }
            ("malloc" | "calloc" | "realloc" | "aligned_alloc" | "strdup", args) => {
                for arg in args {
                    self.eval(arg);
                }
                let name = self.text_of(expr.range);
                Some(self.new_memory(&name, BTreeSet::new()))
            }
            // A program that goes on behind it has it hold.
            // Whether its condition is evaluated, and holds, is not known.
            ("assert", [condition]) if self.index.no_asserts => {
                self.eval(condition);
                Some(Value::unknown())
            }
            // The other arguments are the message.
            ("assert", [condition])
            | ("TORCH_CHECK" | "TORCH_INTERNAL_ASSERT", [condition, ..]) => {
                self.go_on_if(condition);
                Some(Value::unknown())
            }
            (
                "cudaOccupancyMaxPotentialBlockSize"
                | "cudaOccupancyMaxPotentialBlockSizeVariableSMem",
                [blocks, threads, rest @ ..],
            ) => {
                let rest: Vec<Value<'u>> = rest.iter().map(|arg| self.eval(arg)).collect();
                // The function, its shared bytes, the largest size.
                let is_whole = rest.get(2).is_none_or(|limit| match limit {
                    Value::Scalar(limit) => {
                        limit.as_constant().is_some_and(|limit| limit % 32 == 0)
                    }
                    _ => false,
                });
                self.occupancy(blocks, threads, is_whole);
                Some(Value::unknown())
            }
            ("exit" | "abort" | "_exit" | "quick_exit" | "terminate", _) => {
                self.state = None;
                Some(Value::unknown())
            }
            ("cudaGetSymbolAddress" | "hipGetSymbolAddress", [target, symbol]) => {
                let mut symbol = symbol;
                while let ExprKind::Cast { arg, .. } | ExprKind::AddressOf(arg) = &symbol.kind {
                    symbol = arg;
                }
                // `HIP_SYMBOL(x)`
                if let ExprKind::Call { args, .. } = &symbol.kind
                    && let [inner] = args.as_slice()
                {
                    symbol = inner;
                }
                let address = match self.place(symbol) {
                    Some((place, _)) => Pointer::At(place, Term::bytes(0)),
                    None => Pointer::OneOf(Rc::default()),
                };
                self.store_through(target, Value::Pointer(address, Ty::Void));
                Some(Value::unknown())
            }
            ("cudaHostGetDevicePointer" | "hipHostGetDevicePointer", [target, host, ..]) => {
                let value = self.eval(host);
                self.store_through(target, value);
                Some(Value::unknown())
            }
            _ => None,
        }
    }

    /// The type in which `min` and its like compare integers: the template argument, that of the parameters, or the common one.
    fn compared_as(&mut self, name: &'u Name, a: &Term, b: &Term) -> Option<CType> {
        if let Some(args) = &name.args {
            let [TemplateArg::Type(ty)] = args.as_slice() else {
                return None;
            };
            return match self.resolve(ty) {
                Ty::Scalar(ty) if ty.is_integer() => Some(ty),
                _ => None,
            };
        }
        match name.base.as_str() {
            "umin" | "umax" => Some(CType::U32),
            // As doubles they are what they are.
            "fmin" | "fmax" => [a, b]
                .iter()
                .all(|term| term.ty().bits().is_some_and(|bits| bits <= 32))
                .then_some(CType::I64),
            // Both are of one type; of numbers that are written, the value stays.
            _ if a.ty() == b.ty() => Some(a.ty()),
            _ => Some(a.ty().common(b.ty())),
        }
    }

    /// Stores through a pointer argument: `f((void **)&p)`.
    fn store_through(&mut self, target: &'u Expr, value: Value<'u>) {
        let pointer = self.eval_uncast(target);
        match self.pointed(pointer.clone()) {
            Some((place, ty)) => self.write(&place, &ty, value),
            None => self.havoc_reached(&[pointer, value]),
        }
    }

    fn eval_uncast(&mut self, expr: &'u Expr) -> Value<'u> {
        let mut inner = expr;
        while let ExprKind::Cast { arg, .. } = &inner.kind {
            inner = arg;
        }
        self.eval(inner)
    }

    /// As many blocks as run at a time, and threads of a block: whole warps, where no other limit was set.
    fn occupancy(&mut self, blocks: &'u Expr, threads: &'u Expr, is_whole: bool) {
        let ty = CType::I32;
        let number = |me: &mut Self, name: &str| Term::Symbol(me.objects.input(name), ty);
        let (count, size) = (number(self, "blocks"), number(self, "threads"));
        self.store_through(blocks, Value::Scalar(count.clone()));
        self.store_through(threads, Value::Scalar(size.clone()));
        if let Some(state) = &mut self.state {
            let int = |value| Term::Constant(value, ty);
            let rest = term::binary(BinaryOp::Rem, size.clone(), int(32));
            state.assume(term::binary(BinaryOp::Ge, count, int(1)), true);
            state.assume(term::binary(BinaryOp::Ge, size.clone(), int(1)), true);
            state.assume(term::binary(BinaryOp::Le, size, int(1024)), true);
            if is_whole {
                state.assume(term::binary(BinaryOp::Eq, rest, int(0)), true);
            }
        }
    }

    /// The pitch of rows of some bytes: at least as many, a multiple of the largest element, and below 2 GiB (`memPitch`).
    pub(super) fn pitch(&mut self, target: &'u Expr, width: &'u Expr) {
        let width = self.eval(width);
        let pitch = Term::Symbol(self.objects.input("pitch"), CType::U64);
        self.store_through(target, Value::Scalar(pitch.clone()));
        let Some(state) = &mut self.state else {
            return;
        };
        if let Value::Scalar(width) = width {
            let width = term::cast(CType::U64, width);
            state.assume(term::binary(BinaryOp::Ge, pitch.clone(), width), true);
        }
        let largest = Term::Constant(i128::from(i32::MAX), CType::U64);
        state.assume(term::binary(BinaryOp::Le, pitch.clone(), largest), true);
        let bytes = Term::Constant(PITCH_MULTIPLE, CType::U64);
        let rest = term::binary(BinaryOp::Rem, pitch, bytes);
        let none = Term::Constant(0, CType::U64);
        state.assume(term::binary(BinaryOp::Eq, rest, none), true);
    }

    /// `cudaMalloc((void **)&p, …)`
    fn allocate(&mut self, target: &'u Expr, name: &str) {
        let pointer = self.eval_uncast(target);
        // `cudaMalloc(p, …)` of a class that hands its address out.
        let Some((place, ty)) = self.pointed(pointer.clone()) else {
            self.havoc_reached(&[pointer]);
            return;
        };
        let Some(state) = self.state.clone() else {
            return;
        };
        // An element that nobody wrote stands for its own allocation: `cudaMalloc(&p[i], …)`.
        let indexed = matches!(self.objects.get(place.root).ty, Ty::Array(..))
            || place.path.iter().any(|step| matches!(step, Step::At(_)));
        let written = state
            .entries(place.root)
            .iter()
            .any(|(path, _)| paths(path, &place.path) != Relation::Distinct);
        drop(state);
        if indexed && !written {
            return;
        }
        let shown = self.objects.describe(&place);
        let _ = name;
        let mut allocation = self.new_memory(&shown, BTreeSet::new());
        if let (Value::Pointer(pointer, _), Ty::Pointer(element)) = (&allocation, &ty) {
            allocation = Value::Pointer(pointer.clone(), (**element).clone());
        }
        self.write(&place, &ty, allocation);
    }
}
