//! Barriers, fences, assertions, printing, the end of a thread, and the words of contracts.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::value::*;
use super::{Call, Family, Meaning, Out, row, rows};
use crate::syntax::ast::*;

pub(super) const FAMILY: Family = Family {
    subject: "Barriers, fences, assertions, printing",
    source: "CUDA C++ programming guide: Synchronization Functions, Memory Fence Functions, Assertion, Trap function, Formatted Output; contracts: our annotation language",
    namespaces: &["std"],
    global: true,
    rows: &[
        row("__syncthreads", 0, Meaning::By(block_barrier)),
        // NVCC's spelling with a made-up argument, and HIP's.
        row(
            "__syncthreads_{count,and,or}",
            1,
            Meaning::By(counting_barrier),
        ),
        rows("__syncwarp", 0, 1, Meaning::By(warp_barrier)),
        row(
            "__threadfence __threadfence_block __threadfence_system",
            0,
            Meaning::By(fence),
        ),
        rows("printf", 1, 64, Meaning::Fresh(Out::Is(CType::I32))),
        row("vprintf", 2, Meaning::Fresh(Out::Is(CType::I32))),
        row("puts putchar", 1, Meaning::Fresh(Out::Is(CType::I32))),
        // A thread that traps or aborts ends the launch: that what follows is still looked at is no loss.
        row(
            "__trap __brkpt abort __builtin_trap __builtin_unreachable",
            0,
            Meaning::Pure(Out::Nothing),
        ),
        row("exit", 1, Meaning::Pure(Out::Nothing)),
        rows(
            "__assert_fail __assertfail",
            3,
            5,
            Meaning::Pure(Out::Nothing),
        ),
        row("assert __assert", 1, Meaning::By(assertion)),
        row("__builtin_assume __assume", 1, Meaning::By(assumed)),
        rows("__builtin_expect", 2, 2, Meaning::By(expected)),
        // Of the device runtime: nothing of this launch.
        row(
            "cudaGetLastError cudaPeekAtLastError",
            0,
            Meaning::Fresh(Out::Is(CType::I32)),
        ),
        row("cudaGraphSetConditional", 2, Meaning::Fresh(Out::Nothing)),
        row(
            "cudaTriggerProgrammaticLaunchCompletion cudaGridDependencySynchronize",
            0,
            Meaning::Fresh(Out::Nothing),
        ),
        row("__requires", 1, Meaning::By(requires)),
        row("__is_pow2", 1, Meaning::By(is_power_of_two)),
        row("__mod_pow2", 2, Meaning::By(remainder_of_power)),
        row("__implies", 2, Meaning::By(implication)),
    ],
};

fn block_barrier(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.barrier(BarrierKind::Block, None, call.range);
    Some(Value::Void)
}

fn counting_barrier(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.terms_of(call.args);
    me.barrier(BarrierKind::Block, None, call.range);
    // One result for the whole block.
    let bids: Vec<TermId> = Axis::ALL
        .iter()
        .map(|axis| me.facts.terms.builtin(axis.bid()))
        .collect();
    let reason = format!("result of {}", call.name);
    let result = me.unknown_of(&reason, call.range, CType::I32, false, &bids, &[]);
    Some(Value::Term(result))
}

fn warp_barrier(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let mask = me.terms_of(call.args).first().copied();
    let full = mask.is_none_or(|mask| {
        me.facts
            .terms
            .as_const(mask)
            .is_some_and(|mask| CType::U32.wrap(mask) == 0xffff_ffff)
    });
    me.barrier(BarrierKind::Warp, mask.filter(|_| !full), call.range);
    Some(Value::Void)
}

fn fence(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let scope = match call.name {
        "__threadfence_block" => Scope::Block,
        "__threadfence_system" => Scope::System,
        _ => Scope::Grid,
    };
    let point = me.point(PointKind::Fence, call.range);
    me.facts.fence.push(FenceRow { point, scope });
    Some(Value::Void)
}

fn assertion(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    // `assert(n > 0 && "n must be positive")`
    let condition = match &call.args.first()?.kind {
        ExprKind::Binary(BinaryOp::And, left, right) if matches!(right.kind, ExprKind::Str(_)) => {
            left.as_ref()
        }
        _ => call.args.first()?,
    };
    let term = me.condition_at(condition);
    let point = me.point(PointKind::Condition, call.range);
    me.facts.assert_.push(AssertRow { point, term });
    Some(Value::Void)
}

fn assumed(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let term = me.condition_at(call.args.first()?);
    let point = me.point(PointKind::Condition, call.range);
    me.facts.assume.push(AssumeRow { point, term });
    Some(Value::Void)
}

fn expected(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    Some(me.expr(call.args.first()?))
}

fn is_power_of_two(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let value = me.expr(call.args.first()?);
    let term = me.integer_of(&value, call.range);
    let one = me.int(1);
    let less = me.arithmetic(BinaryOp::Sub, term, one);
    let both = me.arithmetic(BinaryOp::BitAnd, term, less);
    let zero = me.int(0);
    Some(Value::Term(me.arithmetic(BinaryOp::Eq, both, zero)))
}

fn remainder_of_power(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let terms = me.terms_of(call.args);
    let one = me.int(1);
    let mask = me.arithmetic(BinaryOp::Sub, terms[1], one);
    Some(Value::Term(me.arithmetic(BinaryOp::BitAnd, mask, terms[0])))
}

fn implication(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let left = me.condition_at(&call.args[0]);
    let right = me.condition_at(&call.args[1]);
    let not_left = me.facts.terms.not(left);
    Some(Value::Term(me.facts.terms.or(not_left, right)))
}

fn requires(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    Some(me.precondition(call.args.first()?, call.range))
}

impl Lowerer<'_, '_> {
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

    fn condition_at(&mut self, arg: &Expr) -> TermId {
        let value = self.expr(arg);
        self.condition_of(&value, arg.range)
    }

    /// A precondition of the kernel: of the launch where it speaks of nothing else, else of the
    /// threads that come here.
    fn precondition(&mut self, arg: &Expr, range: Range) -> Value {
        let accesses = self.facts.access.len();
        let term = self.condition_at(arg);
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
}
