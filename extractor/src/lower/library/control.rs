//! Barriers, fences, assertions, printing, and the end of a thread.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::value::*;
use super::masks::Meeting;
use super::memory;
use super::named;
use super::{Call, Family, Meaning, Out, row, rows};
use crate::syntax::ast::*;

pub(super) const FAMILY: Family = Family {
    subject: "Barriers, fences, assertions, printing",
    source: "CUDA C++ programming guide: Synchronization Functions, Memory Fence Functions, Assertion, Trap function, Formatted Output",
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
        row("__barrier_sync", 1, Meaning::By(named::barrier_sync)),
        row("__barrier_sync_count", 2, Meaning::By(named::barrier_sync)),
        row(
            "__threadfence __threadfence_block __threadfence_system",
            0,
            Meaning::By(fence),
        ),
        rows("printf", 1, 64, Meaning::By(memory::print)),
        row("vprintf", 2, Meaning::By(memory::print)),
        row("puts", 1, Meaning::By(memory::print)),
        row("putchar", 1, Meaning::Fresh(Out::Is(CType::I32))),
        // A thread that traps or aborts ends the launch: of what it would do behind that nothing is looked at.
        row(
            "__trap abort __builtin_trap __builtin_unreachable",
            0,
            Meaning::By(ended),
        ),
        row("__brkpt", 0, Meaning::Pure(Out::Nothing)),
        row("exit", 1, Meaning::Pure(Out::Nothing)),
        rows(
            "__assert_fail __assertfail",
            3,
            5,
            Meaning::Pure(Out::Nothing),
        ),
        row("assert", 1, Meaning::By(assertion)),
        // c10/macros/Macros.h
        rows(
            "CUDA_KERNEL_ASSERT{,_MSG,_PRINTF}",
            1,
            16,
            Meaning::By(assertion),
        ),
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
            Meaning::By(other_grids),
        ),
    ],
};

/// Another grid is waited for, or may begin.
fn other_grids(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.point(PointKind::Effect, call.range);
    Some(Value::Void)
}

fn ended(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.ends_here(call.range);
    Some(Value::Void)
}

fn block_barrier(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.barrier(BarrierKind::Block, call.name, call.range);
    Some(Value::Void)
}

fn counting_barrier(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.terms_of(call.args);
    me.barrier(BarrierKind::Block, call.name, call.range);
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
    let named = mask.map(|mask| me.named_by(mask)).unwrap_or_default();
    me.meeting(BarrierKind::Warp, call.name, named, call.range);
    Some(Value::Void)
}

fn fence(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let scope = match call.name {
        "__threadfence_block" => Scope::Block,
        "__threadfence_system" => Scope::System,
        _ => Scope::Grid,
    };
    let point = me.point(PointKind::Fence, call.range);
    me.facts.fence.push(FenceRow {
        point,
        scope,
        sequential: true,
    });
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
    // The program evaluates it: its reads are accesses and its effects happen.
    let term = me.condition_at(condition);
    if !me.ignores_annotations() && !me.index.no_asserts {
        if is_for_caller(me, term) && !me.index.contracts.assertions_are_checked {
            me.assume_here(term, condition.range);
        } else {
            let ranges = (condition.range, call.range);
            me.claim(term, AssertKind::Assertion, None, ranges);
        }
    }
    Some(Value::Void)
}

/// Whether a condition speaks of what the caller decides alone, and of something that is open: arguments and sizes of the launch, and
/// what arrays of the caller hold that the kernel has not written. Then it is what the kernel requires of its caller.
fn is_for_caller(me: &Lowerer<'_, '_>, condition: TermId) -> bool {
    use Op::{BdimX, BdimY, BdimZ, GdimX, GdimY, GdimZ};
    let facts = &me.facts;
    if facts.terms.as_const(condition).is_some() {
        return false;
    }
    let mut is_open = false;
    let mut seen = std::collections::BTreeSet::new();
    let mut stack = vec![condition];
    while let Some(id) = stack.pop() {
        if !seen.insert(id) {
            continue;
        }
        let term = facts.terms.get(id);
        match term.op {
            Op::Const => {}
            Op::Symbol => {
                let row = term.symbol().map(|id| &facts.symbol[id.index()]);
                if row.is_some_and(|row| row.kind == SymbolKind::Computed) {
                    return false;
                }
                is_open = true;
            }
            BdimX | BdimY | BdimZ | GdimX | GdimY | GdimZ => is_open = true,
            Op::Load if term.access().is_some_and(|access| is_input(me, access)) => is_open = true,
            Op::Load => return false,
            // The address of an argument.
            Op::Pure if is_address_of_argument(me, id) => {
                is_open = true;
                stack.extend(term.args.iter().copied());
            }
            _ if term.args.is_empty() => return false,
            _ => stack.extend(term.args.iter().copied()),
        }
    }
    is_open
}

/// Whether a number is the address of memory that the caller gives.
fn is_address_of_argument(me: &Lowerer<'_, '_>, id: TermId) -> bool {
    let Some(Some(pointer)) = me.addresses.get(&id) else {
        return false;
    };
    pointer.targets.iter().all(|target| match target.base {
        Base::Array(array) => {
            let space = me.facts.array[array.index()].space;
            matches!(space, Space::Global | Space::Constant)
        }
        _ => false,
    })
}

/// Whether what an access reads was there when the kernel began: it is global memory, and the kernel has not written to it so far.
fn is_input(me: &Lowerer<'_, '_>, access: AccessId) -> bool {
    let facts = &me.facts;
    let array = &facts.array[facts.access[access.index()].array.index()];
    let is_of_caller = matches!(array.space, Space::Global | Space::Constant);
    let writes = |row: &AccessRow| {
        row.kind != AccessKind::Read
            && facts.array[row.array.index()].storage == array.storage
            && facts.point[row.point.index()].launch == me.launch
    };
    is_of_caller && !facts.access.iter().any(writes)
}

/// `long __builtin_expect(long, long)`
fn expected(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let value = me.expr(call.args.first()?);
    me.values_of(call.args.get(1..)?);
    Some(me.convert(value, &Ty::Scalar(CType::I64), call.range))
}

impl Lowerer<'_, '_> {
    /// A barrier of all threads of its kind.
    pub(crate) fn barrier(&mut self, kind: BarrierKind, operation: &str, range: Range) {
        self.meeting(kind, operation, Meeting::default(), range);
    }
}
