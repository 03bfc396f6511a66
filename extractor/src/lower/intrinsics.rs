//! CUDA's built-in functions by their meaning. The list is closed: what is not here is a call of
//! an unknown function.

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::Lowerer;
use super::place::How;
use super::types::{self, Ty};
use super::value::*;
use crate::syntax::ast::*;

/// Floating-point functions: pure, of the type of their arguments.
const FLOAT_FUNCTIONS: &[&str] = &[
    "sqrt",
    "rsqrt",
    "cbrt",
    "rcbrt",
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "pow",
    "powi",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sinpi",
    "cospi",
    "erf",
    "erfc",
    "erfinv",
    "tgamma",
    "lgamma",
    "floor",
    "ceil",
    "trunc",
    "round",
    "rint",
    "nearbyint",
    "fabs",
    "fmod",
    "remainder",
    "fmin",
    "fmax",
    "fdim",
    "fma",
    "hypot",
    "copysign",
    "ldexp",
    "scalbn",
    "logb",
    "j0",
    "j1",
    "y0",
    "y1",
    "normcdf",
    "__fdividef",
    "__expf",
    "__exp10f",
    "__logf",
    "__log2f",
    "__log10f",
    "__powf",
    "__sinf",
    "__cosf",
    "__tanf",
    "__saturatef",
    "__fadd_rn",
    "__fmul_rn",
    "__fmaf_rn",
    "__fsqrt_rn",
    "__frcp_rn",
    "__fdiv_rn",
    "__dadd_rn",
    "__dmul_rn",
    "__fsub_rn",
    "__dsub_rn",
    "__frsqrt_rn",
    "norm3d",
    "norm4d",
    "rnorm3d",
];

/// Functions of known type that read no memory: name and result.
const PURE_FUNCTIONS: &[(&str, CType)] = &[
    ("isnan", CType::Bool),
    ("isinf", CType::Bool),
    ("isfinite", CType::Bool),
    ("signbit", CType::Bool),
    ("lrint", CType::I64),
    ("lrintf", CType::I64),
    ("llrint", CType::I64),
    ("lround", CType::I64),
    ("lroundf", CType::I64),
    ("llround", CType::I64),
    ("ilogb", CType::I32),
    ("ilogbf", CType::I32),
    ("__float_as_int", CType::I32),
    ("__int_as_float", CType::F32),
    ("__float_as_uint", CType::U32),
    ("__uint_as_float", CType::F32),
    ("__double_as_longlong", CType::I64),
    ("__longlong_as_double", CType::F64),
    ("__double2hiint", CType::I32),
    ("__double2loint", CType::I32),
    ("__hiloint2double", CType::F64),
    ("__sad", CType::U32),
    ("__usad", CType::U32),
    ("__byte_perm", CType::U32),
    ("__funnelshift_l", CType::U32),
    ("__funnelshift_r", CType::U32),
    ("__dp4a", CType::I32),
    ("__vadd4", CType::U32),
    ("__fns", CType::U32),
];

/// Functions whose result another thread or the clock decides, and which order no memory.
const OPAQUE_FUNCTIONS: &[(&str, CType)] = &[
    ("__ballot", CType::U32),
    ("__ballot_sync", CType::U32),
    ("__any", CType::I32),
    ("__any_sync", CType::I32),
    ("__all", CType::I32),
    ("__all_sync", CType::I32),
    ("__uni_sync", CType::I32),
    ("__activemask", CType::U32),
    ("__match_any_sync", CType::U32),
    ("__match_all_sync", CType::U32),
    ("clock", CType::I64),
    ("clock64", CType::I64),
    ("__clock64", CType::I64),
    ("__reduce_add_sync", CType::I32),
    ("__reduce_min_sync", CType::I32),
    ("__reduce_max_sync", CType::I32),
    ("__reduce_and_sync", CType::U32),
    ("__reduce_or_sync", CType::U32),
    ("__reduce_xor_sync", CType::U32),
    ("globaltimer", CType::I64),
    ("__smid", CType::U32),
];

const ATOMICS: &[&str] = &[
    "atomicAdd",
    "atomicSub",
    "atomicExch",
    "atomicMin",
    "atomicMax",
    "atomicInc",
    "atomicDec",
    "atomicCAS",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
];

impl Lowerer<'_, '_> {
    /// The value of a call of an intrinsic; `None` when the name is none, or when the unit defines
    /// a function of that name itself.
    pub(crate) fn intrinsic(&mut self, name: &Name, args: &[Expr], range: Range) -> Option<Value> {
        let base = name.base.as_str();
        let std_name = name.qualifier.is_empty() || name.path() == format!("std::{base}");
        if !std_name
            || self
                .index
                .functions(base)
                .iter()
                .any(|function| function.body.is_some())
        {
            return None;
        }
        if let Some(value) = self.synchronisation(base, args, range) {
            return Some(value);
        }
        if let Some((operation, scope)) = atomic(base) {
            return Some(self.atomic(operation, base, scope, args, range));
        }
        if let Some(value) = self.integer_function(base, args, range) {
            return Some(value);
        }
        if let Some(value) = self.memory_function(base, args, range) {
            return Some(value);
        }
        self.value_function(base, args, range)
    }

    fn terms_of(&mut self, args: &[Expr]) -> Vec<TermId> {
        args.iter()
            .map(|arg| {
                let value = self.expr(arg);
                self.term_of(&value, arg.range)
            })
            .collect()
    }

    fn synchronisation(&mut self, name: &str, args: &[Expr], range: Range) -> Option<Value> {
        match name {
            "__syncthreads" => {
                self.barrier(BarrierKind::Block, None, range);
                Some(Value::Void)
            }
            "__syncthreads_count" | "__syncthreads_and" | "__syncthreads_or" => {
                self.terms_of(args);
                self.barrier(BarrierKind::Block, None, range);
                // One result for the whole block.
                let bids: Vec<TermId> = Axis::ALL
                    .iter()
                    .map(|axis| self.facts.terms.builtin(axis.bid()))
                    .collect();
                let reason = format!("result of {name}");
                Some(Value::Term(self.unknown_of(
                    &reason,
                    range,
                    CType::I32,
                    false,
                    &bids,
                    &[],
                )))
            }
            "__syncwarp" => {
                let mask = self.terms_of(args).first().copied();
                let full = mask.is_none_or(|mask| {
                    self.facts
                        .terms
                        .as_const(mask)
                        .is_some_and(|mask| CType::U32.wrap(mask) == 0xffff_ffff)
                });
                self.barrier(BarrierKind::Warp, mask.filter(|_| !full), range);
                Some(Value::Void)
            }
            "__threadfence" | "__threadfence_block" | "__threadfence_system" => {
                let scope = match name {
                    "__threadfence_block" => Scope::Block,
                    "__threadfence_system" => Scope::System,
                    _ => Scope::Grid,
                };
                let point = self.point(PointKind::Fence, range);
                self.facts.fence.push(FenceRow { point, scope });
                Some(Value::Void)
            }
            _ => None,
        }
    }

    pub(crate) fn barrier(&mut self, kind: BarrierKind, mask: Option<TermId>, range: Range) {
        let point = self.point(PointKind::Barrier, range);
        let span = self.span(range);
        let barrier = BarrierId::from_index(self.facts.barrier.len());
        self.facts.barrier.push(BarrierRow {
            barrier,
            point,
            kind,
            mask,
            span,
        });
    }

    fn atomic(
        &mut self,
        operation: &str,
        name: &str,
        scope: Scope,
        args: &[Expr],
        range: Range,
    ) -> Value {
        let Some((address, rest)) = args.split_first() else {
            self.unsupported(
                range,
                &format!("call of `{name}`"),
                "without arguments",
                Effect::Access,
            );
            return Value::Unknown;
        };
        let pointer = self.expr(address);
        self.terms_of(rest);
        let Value::Pointer(pointer) = pointer else {
            self.lost_access(
                range,
                "the address of an atomic operation is not understood",
            );
            return Value::Unknown;
        };
        let ty = pointer.element.clone();
        let how = How {
            kind: AccessKind::Atomic,
            operation: operation.to_owned(),
            scope,
            volatile: false,
        };
        for target in &pointer.targets {
            match target.base {
                Base::Array(array) => {
                    let at = target.offset;
                    match target.condition {
                        None => self.access(array, at, &ty, &how, None, range),
                        Some(condition) => self.guarded(condition, true, range, |me| {
                            me.access(array, at, &ty, &how, None, range)
                        }),
                    };
                }
                Base::Variable(var) => {
                    let place = Lvalue::Variable {
                        var,
                        path: Vec::new(),
                        ty: self.variables[var.0 as usize].1.clone(),
                    };
                    let value = self.unknown_value(
                        &ty,
                        "local variable changed by an atomic operation",
                        range,
                    );
                    if !matches!(self.env.get(var), Value::Local(_)) {
                        self.write(&place, value, range);
                    }
                }
                Base::Null => {}
                Base::Unknown => self.lost_access(
                    range,
                    "the address of an atomic operation is not understood",
                ),
            }
        }
        self.unknown_value(&ty, &format!("result of {operation}"), range)
    }

    fn integer_function(&mut self, name: &str, args: &[Expr], range: Range) -> Option<Value> {
        match (name, args) {
            ("min" | "max" | "umin" | "umax" | "llmin" | "llmax" | "ullmin" | "ullmax", [_, _]) => {
                let terms = self.terms_of(args);
                let (left, right, ty) = self.usual(terms[0], terms[1]);
                let smaller = name.ends_with("min");
                if !ty.is_integer() {
                    return Some(Value::Term(self.pure(name, ty, &[left, right])));
                }
                let op = if smaller { Op::Min } else { Op::Max };
                Some(Value::Term(self.facts.terms.binary(op, ty, left, right)))
            }
            ("abs" | "labs" | "llabs", [_]) => {
                let term = self.terms_of(args)[0];
                let ty = self.facts.terms.ty(term).promoted();
                if !ty.is_integer() {
                    return Some(Value::Term(self.pure(name, ty, &[term])));
                }
                let term = self.facts.terms.cast(term, ty);
                let zero = self.facts.terms.constant(0, ty);
                let negative = self.facts.terms.binary(Op::Lt, CType::Bool, term, zero);
                let negated = self.facts.terms.unary(Op::Neg, ty, term);
                Some(Value::Term(self.facts.terms.ite(negative, negated, term)))
            }
            ("__mul24" | "__umul24", [_, _]) => {
                let terms = self.terms_of(args);
                let ty = if name == "__mul24" {
                    CType::I32
                } else {
                    CType::U32
                };
                self.assumption("operands of 24-bit multiplications fit in 24 bits");
                let (left, right) = (self.cast_term(terms[0], ty), self.cast_term(terms[1], ty));
                Some(Value::Term(self.facts.terms.binary(
                    Op::Mul,
                    ty,
                    left,
                    right,
                )))
            }
            ("__mulhi" | "__umulhi" | "__mul64hi" | "__umul64hi", [_, _]) => {
                let ty = match name {
                    "__mulhi" => CType::I32,
                    "__umulhi" => CType::U32,
                    "__mul64hi" => CType::I64,
                    _ => CType::U64,
                };
                let terms = self.terms_of(args);
                let (left, right) = (self.cast_term(terms[0], ty), self.cast_term(terms[1], ty));
                Some(Value::Term(self.facts.terms.binary(
                    Op::MulHi,
                    ty,
                    left,
                    right,
                )))
            }
            (
                "__popc" | "__clz" | "__ffs" | "__brev" | "__popcll" | "__clzll" | "__ffsll"
                | "__brevll",
                [_],
            ) => {
                let wide = name.ends_with("ll");
                let operand = if wide { CType::U64 } else { CType::U32 };
                let term = self.terms_of(args)[0];
                let term = self.cast_term(term, operand);
                let (op, ty) = match name.trim_end_matches("ll") {
                    "__popc" => (Op::Popc, CType::I32),
                    "__clz" => (Op::Clz, CType::I32),
                    "__ffs" => (Op::Ffs, CType::I32),
                    _ => (Op::Brev, operand),
                };
                Some(Value::Term(self.facts.terms.unary(op, ty, term)))
            }
            ("assert" | "__assert", [_]) => {
                let term = self.condition_at(args, range);
                let point = self.point(PointKind::Condition, range);
                self.facts.assert_.push(AssertRow { point, term });
                Some(Value::Void)
            }
            ("__builtin_assume" | "__assume", [_]) => {
                let term = self.condition_at(args, range);
                let point = self.point(PointKind::Condition, range);
                self.facts.assume.push(AssumeRow { point, term });
                Some(Value::Void)
            }
            ("__requires", [_]) => Some(self.requires(args, range)),
            ("__is_pow2", [_]) => {
                let value = self.expr(&args[0]);
                let term = self.integer_of(&value, range);
                let one = self.int(1);
                let less = self.arithmetic(BinaryOp::Sub, term, one);
                let both = self.arithmetic(BinaryOp::BitAnd, term, less);
                let zero = self.int(0);
                Some(Value::Term(self.arithmetic(BinaryOp::Eq, both, zero)))
            }
            ("__mod_pow2", [_, _]) => {
                let terms = self.terms_of(args);
                let one = self.int(1);
                let mask = self.arithmetic(BinaryOp::Sub, terms[1], one);
                Some(Value::Term(self.arithmetic(
                    BinaryOp::BitAnd,
                    mask,
                    terms[0],
                )))
            }
            ("__implies", [_, _]) => {
                let left = self.condition_at(&args[..1], range);
                let right = self.condition_at(&args[1..], range);
                let not_left = self.facts.terms.not(left);
                Some(Value::Term(self.facts.terms.or(not_left, right)))
            }
            ("__builtin_expect", [first, _]) => Some(self.expr(first)),
            _ => None,
        }
    }

    fn condition_at(&mut self, args: &[Expr], range: Range) -> TermId {
        let value = self.expr(&args[0]);
        self.condition_of(&value, range)
    }

    /// A precondition of the kernel: of the launch where it speaks of nothing else, else of the
    /// threads that come here.
    fn requires(&mut self, args: &[Expr], range: Range) -> Value {
        let accesses = self.facts.access.len();
        let term = self.condition_at(args, range);
        if self.calls.last().is_none_or(|call| !call.is_kernel)
            || self.facts.access.len() > accesses
        {
            self.unsupported(
                range,
                "call of `__requires`",
                "only preconditions of the kernel over scalars are used",
                Effect::Control,
            );
            return Value::Void;
        }
        let of_launch = self.facts.terms.reachable(&[term]).into_iter().all(|id| {
            let term = self.facts.terms.get(id);
            let leaf = matches!(
                term.op,
                Op::Const
                    | Op::Symbol
                    | Op::BdimX
                    | Op::BdimY
                    | Op::BdimZ
                    | Op::GdimX
                    | Op::GdimY
                    | Op::GdimZ
            );
            leaf || (!term.args.is_empty() && !matches!(term.op, Op::Load))
        });
        if of_launch && self.guards.is_empty() {
            let launch = self.launch;
            self.facts
                .launch_assume
                .push(LaunchAssumeRow { launch, term });
            let text = self.sources.text(range).to_owned();
            self.assumption(&text);
        } else {
            let point = self.point(PointKind::Condition, range);
            self.facts.assume.push(AssumeRow { point, term });
        }
        Value::Void
    }

    fn memory_function(&mut self, name: &str, args: &[Expr], range: Range) -> Option<Value> {
        match (name, args) {
            ("__ldg" | "__ldcg" | "__ldca" | "__ldcs" | "__ldlu" | "__ldcv", [address]) => {
                let value = self.expr(address);
                Some(match value {
                    Value::Pointer(pointer) => {
                        let place = Lvalue::Memory {
                            targets: pointer.targets,
                            ty: pointer.element,
                        };
                        self.read(&place, range)
                    }
                    _ => {
                        self.lost_access(range, "the address is not understood");
                        Value::Unknown
                    }
                })
            }
            ("__stwb" | "__stcg" | "__stcs" | "__stwt", [address, value]) => {
                let address = self.expr(address);
                let value = self.expr(value);
                match address {
                    Value::Pointer(pointer) => {
                        let place = Lvalue::Memory {
                            targets: pointer.targets,
                            ty: pointer.element,
                        };
                        self.write(&place, value, range);
                    }
                    _ => self.lost_access(range, "the address is not understood"),
                }
                Some(Value::Void)
            }
            ("memcpy" | "memmove" | "memset", [target, source, size]) => {
                let target = self.expr(target);
                let source = self.expr(source);
                let size = self.expr(size);
                let size = self.integer_of(&size, range);
                let bytes = self
                    .facts
                    .terms
                    .as_const(size)
                    .and_then(|size| u64::try_from(size).ok());
                let Some(bytes) = bytes.filter(|bytes| u32::try_from(*bytes).is_ok()) else {
                    self.unsupported(
                        range,
                        &format!("call of `{name}`"),
                        "its size is not constant",
                        Effect::Access,
                    );
                    return Some(Value::Unknown);
                };
                let block = Ty::Opaque {
                    name: "bytes".to_owned(),
                    bytes: Some(bytes),
                };
                let mut copied = Value::Unknown;
                if name != "memset" {
                    match source {
                        Value::Pointer(pointer) => {
                            let place = Lvalue::Memory {
                                targets: pointer.targets,
                                ty: block.clone(),
                            };
                            copied = self.read(&place, range);
                        }
                        _ => self.lost_access(range, "the source of a copy is not understood"),
                    }
                }
                match target.clone() {
                    Value::Pointer(pointer) => {
                        let place = Lvalue::Memory {
                            targets: pointer.targets,
                            ty: block,
                        };
                        let _ = copied;
                        self.write(&place, Value::Unknown, range);
                    }
                    _ => self.lost_access(range, "the target of a copy is not understood"),
                }
                Some(target)
            }
            _ => None,
        }
    }

    fn value_function(&mut self, name: &str, args: &[Expr], range: Range) -> Option<Value> {
        if let Some(vector) = name.strip_prefix("make_").and_then(types::vector) {
            return Some(self.aggregate(&vector, args, range));
        }
        if name == "dim3" {
            return types::vector(name).map(|ty| self.aggregate(&ty, args, range));
        }
        if name == "printf" {
            // Device `printf` writes to a buffer of the runtime; its arguments are read.
            self.terms_of(args);
            return Some(Value::Term(self.unknown(
                "result of printf",
                range,
                CType::I32,
                true,
            )));
        }
        if matches!(
            name,
            "__nanosleep" | "__prof_trigger" | "__builtin_unreachable"
        ) {
            self.terms_of(args);
            return Some(Value::Void);
        }
        if name.starts_with("__shfl") {
            let terms = self.terms_of(args);
            let position = usize::from(name.ends_with("_sync"));
            let ty = terms
                .get(position)
                .map_or(CType::I32, |&term| self.facts.terms.ty(term));
            return Some(Value::Term(self.unknown(
                "value of another lane",
                range,
                ty,
                true,
            )));
        }
        if let Some((_, ty)) = OPAQUE_FUNCTIONS.iter().find(|(known, _)| *known == name) {
            self.terms_of(args);
            return Some(Value::Term(self.unknown(
                &format!("result of {name}"),
                range,
                *ty,
                true,
            )));
        }
        if let Some((_, ty)) = PURE_FUNCTIONS.iter().find(|(known, _)| *known == name) {
            let terms = self.terms_of(args);
            return Some(Value::Term(self.pure(name, *ty, &terms)));
        }
        if let Some(ty) = conversion(name) {
            let terms = self.terms_of(args);
            return Some(Value::Term(self.pure(name, ty, &terms)));
        }
        let float = |name: &str| FLOAT_FUNCTIONS.contains(&name);
        if float(name) || name.strip_suffix('f').is_some_and(float) {
            let terms = self.terms_of(args);
            let single = name.strip_suffix('f').is_some_and(float)
                || name.starts_with("__f")
                || name.starts_with("__e");
            let mut ty = if single { CType::F32 } else { CType::F64 };
            if !single
                && terms
                    .iter()
                    .all(|&term| self.facts.terms.ty(term) == CType::F32)
            {
                ty = CType::F32;
            }
            return Some(Value::Term(self.pure(name, ty, &terms)));
        }
        None
    }
}

/// `atomicAdd_block` and so on: the operation and its scope.
fn atomic(name: &str) -> Option<(&'static str, Scope)> {
    let (base, scope) = match (name.strip_suffix("_block"), name.strip_suffix("_system")) {
        (Some(base), _) => (base, Scope::Block),
        (None, Some(base)) => (base, Scope::System),
        (None, None) => (name, Scope::Grid),
    };
    ATOMICS
        .iter()
        .find(|known| **known == base)
        .map(|known| (*known, scope))
}

/// `__float2int_rn`, `__int2float_rz`, `__double2uint_rd` …
fn conversion(name: &str) -> Option<CType> {
    let (from, to) = name.strip_prefix("__")?.split_once('2')?;
    let known = |word: &str| {
        Some(match word {
            "int" => CType::I32,
            "uint" => CType::U32,
            "ll" => CType::I64,
            "ull" => CType::U64,
            "float" => CType::F32,
            "double" => CType::F64,
            _ => return None,
        })
    };
    let to = to.split('_').next()?;
    known(from)?;
    known(to)
}
