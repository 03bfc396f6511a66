//! Bulk copies: `cp.async.bulk` and its kin, as instructions and as functions of `cuda::ptx` and `cuda::device`.
//!
//! A bulk copy is made by the asynchronous proxy at some time after it is issued. One from global to shared memory is counted by a barrier, in
//! bytes: a phase for which as many are expected as the copies bring ends behind them, and who has waited for it comes behind them; the rules
//! tell so ([`phases`](super::super::asm::phases)). One from shared to global memory is waited for in groups by the thread that issues it
//! ([`under_way`](super::super::under_way)); `wait_group.read` waits until the source has been read.
//!
//! **Accuracy.** What a copy by a tensor map reads or writes in global memory is not known: such a write is reported as not modelled, such a read
//! is taken to be of memory that the kernel does not write. How many bytes it brings is what is expected for
//! its phase, less what other copies bring; where what is expected before it under the same conditions does not tell that, its size is any. A reduction is an atomic
//! access to each element. Sources: PTX ISA, "Data Movement and Conversion Instructions: Bulk copy" and "Async proxy"; CUDA C++ programming guide, Asynchronous
//! Data Copies using the Tensor Memory Accelerator.

use std::collections::{BTreeMap, BTreeSet};

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::asm::phases::step;
use super::super::body::Lowerer;
use super::super::place::How;
use super::super::types::Ty;
use super::super::under_way::{Waiter, What};
use super::super::value::*;
use super::{Call, Family, Meaning, row, rows};
use crate::syntax::ast::{Expr, ExprKind, Name, Range, TemplateArg};

pub(super) const FAMILY: Family = Family {
    subject: "Bulk copies and barriers as instructions",
    source: "libcu++: cuda::ptx, cuda::device, cuda::device::experimental; PTX ISA, Bulk copy, mbarrier",
    namespaces: &["cuda::ptx", "cuda::device", "cuda::device::experimental"],
    global: false,
    rows: &[
        rows("cp_async_bulk", 5, 6, Meaning::By(copy)),
        rows("cp_async_bulk_tensor", 5, 6, Meaning::By(copy_of_tensor)),
        row(
            "cp_async_bulk_global_to_shared memcpy_async_tx",
            4,
            Meaning::By(copy_in),
        ),
        row("cp_async_bulk_shared_to_global", 3, Meaning::By(copy_out)),
        rows(
            "cp_async_bulk_tensor_1d_global_to_shared cp_async_bulk_tensor_2d_global_to_shared cp_async_bulk_tensor_3d_global_to_shared cp_async_bulk_tensor_4d_global_to_shared cp_async_bulk_tensor_5d_global_to_shared",
            4,
            8,
            Meaning::By(tensor_in),
        ),
        rows(
            "cp_async_bulk_tensor_1d_shared_to_global cp_async_bulk_tensor_2d_shared_to_global cp_async_bulk_tensor_3d_shared_to_global cp_async_bulk_tensor_4d_shared_to_global cp_async_bulk_tensor_5d_shared_to_global",
            3,
            7,
            Meaning::By(tensor_out),
        ),
        row("cp_async_bulk_commit_group", 0, Meaning::By(commit)),
        rows(
            "cp_async_bulk_wait_group cp_async_bulk_wait_group_read",
            0,
            1,
            Meaning::By(wait),
        ),
        rows("fence_proxy_async", 0, 1, Meaning::By(fence)),
        row("fence_proxy_async_shared_cta", 0, Meaning::By(fence)),
        rows("fence_mbarrier_init", 0, 2, Meaning::By(nothing)),
        rows(
            "barrier_cluster_arrive barrier_cluster_wait",
            0,
            1,
            Meaning::By(cluster),
        ),
        row("mbarrier_init", 2, Meaning::By(init)),
        rows("mbarrier_arrive", 1, 5, Meaning::By(arrive)),
        row("mbarrier_arrive_expect_tx", 5, Meaning::By(arrive)),
        row("mbarrier_expect_tx", 5, Meaning::By(expect)),
        rows(
            "mbarrier_try_wait_parity mbarrier_test_wait_parity",
            2,
            4,
            Meaning::By(try_wait),
        ),
        row("barrier_expect_tx", 2, Meaning::By(expect)),
        row("barrier_arrive_tx", 3, Meaning::By(arrive_expecting)),
        row("barrier_native_handle", 1, Meaning::By(handle)),
    ],
};

/// Words by which a function of `cuda::ptx` tells what it is about: constants of that namespace.
const TAGS: [&str; 21] = [
    "space_cluster",
    "space_global",
    "space_shared",
    "sem_acq_rel",
    "sem_acquire",
    "sem_relaxed",
    "sem_release",
    "scope_cluster",
    "scope_cta",
    "scope_gpu",
    "scope_sys",
    "op_add",
    "op_and_op",
    "op_cas",
    "op_dec",
    "op_exch",
    "op_inc",
    "op_max",
    "op_min",
    "op_or_op",
    "op_xor_op",
];

/// Which of several objects a step is at, and the loops and conditions around it: steps that have all of that in common are for one phase.
#[derive(PartialEq, Eq)]
struct Turn {
    index: TermId,
    loops: Vec<LoopId>,
    guards: Vec<(TermId, bool)>,
}

fn sorted<T: Ord>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let all: BTreeSet<T> = all.into_iter().collect();
    all.into_iter().collect()
}

/// The arguments that are values, and the words.
fn told<'c>(me: &mut Lowerer<'_, '_>, call: &Call<'c>) -> (Vec<&'c Expr>, Vec<&'c str>) {
    let (mut values, mut words) = (Vec::new(), Vec::new());
    for arg in call.args {
        match &arg.kind {
            ExprKind::Name(name) if me.is_tag(name) => words.push(name.base.as_str()),
            _ => values.push(arg),
        }
    }
    (values, words)
}

/// `cp_async_bulk(space_cluster, space_global, to, from, size, barrier)`, `cp_async_bulk(space_global, space_shared, to, from, size)`
fn copy(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (args, words) = told(me, call);
    let values: Vec<Value> = args.into_iter().map(|arg| me.expr(arg)).collect();
    match (words.as_slice(), values.as_slice()) {
        (["space_cluster" | "space_shared", "space_global"], [to, from, size, barrier]) => {
            let size = me.integer_of(size, call.range);
            me.bulk_in(to, Some(from), Some(size), barrier, call.range);
        }
        (["space_global", "space_shared"], [to, from, size]) => {
            let size = me.integer_of(size, call.range);
            me.bulk_out(Some(to), from, Some(size), false, call.range);
        }
        _ => return None,
    }
    Some(Value::Void)
}

/// `cp_async_bulk_tensor(space_cluster, space_global, to, map, at, barrier)`, `cp_async_bulk_tensor(space_global, space_shared, map, at, from)`
fn copy_of_tensor(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (args, words) = told(me, call);
    match (words.as_slice(), args.as_slice()) {
        (["space_cluster" | "space_shared", "space_global"], [to, _, _, barrier]) => {
            let [to, barrier] = [to, barrier].map(|arg| me.expr(arg));
            me.bulk_in(&to, None, None, &barrier, call.range);
        }
        (["space_global", "space_shared"], [_, _, from]) => {
            let from = me.expr(from);
            me.bulk_out(None, &from, None, false, call.range);
        }
        _ => return None,
    }
    Some(Value::Void)
}

/// `cp_async_bulk_global_to_shared(to, from, size, barrier)`, `memcpy_async_tx(to, from, aligned_size_t<16>(size), barrier)`
fn copy_in(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [to, from, size, barrier] = call.args else {
        return None;
    };
    let size = super::copies::aligned(size);
    let [to, from, size] = [to, from, size].map(|arg| me.expr(arg));
    let size = me.integer_of(&size, call.range);
    let barrier = me.address_of_barrier(barrier, call.range);
    me.bulk_in(&to, Some(&from), Some(size), &barrier, call.range);
    Some(Value::Void)
}

/// `cp_async_bulk_shared_to_global(to, from, size)`
fn copy_out(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let [to, from, size] = values.as_slice() else {
        return None;
    };
    let size = me.integer_of(size, call.range);
    me.bulk_out(Some(to), from, Some(size), false, call.range);
    Some(Value::Void)
}

/// `cp_async_bulk_tensor_2d_global_to_shared(to, &map, x, y, barrier)`
fn tensor_in(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (to, barrier) = (call.args.first()?, call.args.last()?);
    let to = me.expr(to);
    let barrier = me.address_of_barrier(barrier, call.range);
    me.bulk_in(&to, None, None, &barrier, call.range);
    Some(Value::Void)
}

/// `cp_async_bulk_tensor_2d_shared_to_global(&map, x, y, from)`
fn tensor_out(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let from = me.expr(call.args.last()?);
    me.bulk_out(None, &from, None, false, call.range);
    Some(Value::Void)
}

fn commit(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.bulk_commit(call.range);
    Some(Value::Void)
}

/// `cp_async_bulk_wait_group_read<0>()`, `cp_async_bulk_wait_group_read(n32_t<0>{})`
fn wait(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let left = match call.args {
        [] => me.template_number(call),
        [number] => number_of(me, number),
        _ => None,
    };
    me.bulk_wait(left, call.name.ends_with("_read"), call.range);
    Some(Value::Void)
}

/// `n32_t<0>{}`, `n32_t<0>()` or a number.
fn number_of(me: &mut Lowerer<'_, '_>, number: &Expr) -> Option<TermId> {
    let name = match &number.kind {
        ExprKind::Call { callee, .. } => match &callee.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        },
        _ => None,
    };
    let written = name.filter(|name| name.base.starts_with("n32"));
    match written.and_then(|name| name.args.as_deref()) {
        Some([TemplateArg::Expr(inner)]) => {
            let value = me.expr(inner);
            Some(me.integer_of(&value, number.range))
        }
        Some(_) => None,
        None => {
            let value = me.expr(number);
            match value {
                Value::Term(term) => Some(term),
                _ => None,
            }
        }
    }
}

fn fence(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (_, words) = told(me, call);
    let space = match words.as_slice() {
        _ if call.name.ends_with("_shared_cta") => Some(Space::Shared),
        ["space_shared" | "space_cluster"] => Some(Space::Shared),
        ["space_global"] => Some(Space::Global),
        _ => None,
    };
    me.proxy_fence(space, call.range);
    Some(Value::Void)
}

/// `barrier_cluster_arrive()`, `barrier_cluster_arrive(sem_release)`, `barrier_cluster_wait()`
fn cluster(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (_, words) = told(me, call);
    match call.name {
        _ if words.contains(&"sem_relaxed") => me.unsupported(
            call.range,
            "barrier of a cluster",
            "a relaxed arrival orders no memory",
            Effect::OrderBlocks,
        ),
        "barrier_cluster_arrive" => me.cluster_arrive(),
        _ => me.cluster_wait(call.name, call.range),
    }
    Some(Value::Void)
}

fn nothing(_: &mut Lowerer<'_, '_>, _: &Call<'_>) -> Option<Value> {
    Some(Value::Void)
}

/// `mbarrier_init(barrier, count)`
fn init(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let [barrier, count] = values.as_slice() else {
        return None;
    };
    let count = me.integer_of(count, call.range);
    match me.object_behind(barrier, call.range) {
        Some(object) => {
            me.step_of_object(object, PhaseStep::Init, Some(count), None, call.range);
        }
        None => me.lost_barrier(call),
    }
    Some(Value::Void)
}

/// `mbarrier_arrive(barrier)`, `mbarrier_arrive_expect_tx(sem_release, scope_cta, space_shared, barrier, bytes)`
fn arrive(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (args, words) = told(me, call);
    let values: Vec<Value> = args.into_iter().map(|arg| me.expr(arg)).collect();
    let expects = call.name.ends_with("expect_tx");
    let numbers: Vec<TermId> = values
        .iter()
        .skip(1)
        .map(|value| me.integer_of(value, call.range))
        .collect();
    let elsewhere = words.contains(&"space_cluster") || words.contains(&"sem_relaxed");
    let object = me.object_behind(values.first()?, call.range);
    match object.filter(|_| !elsewhere) {
        Some(object) if expects => me.arrive_with(object, None, numbers.first().copied(), call),
        Some(object) => me.arrive_with(object, numbers.first().copied(), None, call),
        None => me.lost_barrier(call),
    }
    Some(me.fresh_token(call.range))
}

/// `mbarrier_expect_tx(sem_relaxed, scope_cta, space_shared, barrier, bytes)`, `barrier_expect_tx(barrier, bytes)`
fn expect(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (args, words) = told(me, call);
    let [barrier, bytes] = args.as_slice() else {
        return None;
    };
    let barrier = match call.name {
        "barrier_expect_tx" => me.address_of_barrier(barrier, call.range),
        _ => me.expr(barrier),
    };
    let bytes = me.expr(bytes);
    let bytes = me.integer_of(&bytes, call.range);
    let object = me.object_behind(&barrier, call.range);
    match object.filter(|_| !words.contains(&"space_cluster")) {
        Some(object) => me.expect(object, Some(bytes), call.range),
        None => me.lost_barrier(call),
    }
    Some(Value::Void)
}

/// `mbarrier_try_wait_parity(barrier, parity)`
fn try_wait(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let (args, words) = told(me, call);
    let values: Vec<Value> = args.into_iter().map(|arg| me.expr(arg)).collect();
    let parity = me.integer_of(values.get(1)?, call.range);
    let parity = me.cast_term(parity, CType::U32);
    let object = me.object_behind(&values[0], call.range);
    match object.filter(|_| !words.contains(&"sem_relaxed")) {
        Some(object) => Some(Value::Term(me.try_phase(object, parity, call.range))),
        None => {
            me.lost_barrier(call);
            Some(Value::Unknown)
        }
    }
}

/// `barrier_arrive_tx(barrier, count, bytes)`
fn arrive_expecting(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [barrier, count, bytes] = call.args else {
        return None;
    };
    let barrier = me.address_of_barrier(barrier, call.range);
    let [count, bytes] = [count, bytes].map(|arg| me.expr(arg));
    let [count, bytes] = [count, bytes].map(|value| me.integer_of(&value, call.range));
    let Some(object) = me.object_behind(&barrier, call.range) else {
        me.lost_barrier(call);
        return Some(me.fresh_token(call.range));
    };
    me.arrive_with(object, Some(count), Some(bytes), call);
    Some(me.token_of(object, call.range))
}

/// `barrier_native_handle(barrier)`
fn handle(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let barrier = me.address_of_barrier(call.args.first()?, call.range);
    Some(me.convert(barrier, &Ty::Scalar(CType::U64).pointer_to(), call.range))
}

impl Lowerer<'_, '_> {
    /// Whether something in the text counts bytes at barriers.
    pub(super) fn counts_bytes(&self) -> bool {
        let words = ["arrive_tx", "expect_tx", "memcpy_async_tx", "cp_async_bulk"];
        self.sources.mentions(&words)
    }

    /// Whether a name is a word of `cuda::ptx`, and no variable of the program that is called so.
    fn is_tag(&mut self, name: &Name) -> bool {
        let (base, of) = (name.base.as_str(), name.qualifier.last());
        TAGS.contains(&base)
            && match of {
                Some(of) => of.name == "ptx",
                None => !name.global && !self.is_of_program(name),
            }
    }

    fn lost_barrier(&mut self, call: &Call<'_>) {
        let name = call.name.to_owned();
        self.lost_phase(&name, "which barrier it is at is not followed", call.range);
    }

    /// The address of an object that is passed by reference.
    fn address_of_barrier(&mut self, barrier: &Expr, range: Range) -> Value {
        let address = Expr {
            kind: ExprKind::AddressOf(Box::new(barrier.clone())),
            range,
        };
        self.expr(&address)
    }

    /// The object behind an address.
    fn object_behind(&mut self, address: &Value, range: Range) -> Option<(ArrayId, TermId)> {
        let ty = Ty::Scalar(CType::U64);
        let pointer = self.convert(address.clone(), &ty.clone().pointer_to(), range);
        let Value::Pointer(pointer) = pointer else {
            return None;
        };
        let targets = pointer.targets;
        self.object_of(&Lvalue::Memory { targets, ty })
    }

    /// The value as an address, so many bytes on.
    pub(crate) fn bytes_on(&mut self, value: Value, offset: i64) -> Value {
        match value {
            Value::Pointer(pointer) if offset != 0 => Value::Pointer(Pointer {
                targets: self.moved_by(pointer.targets, i128::from(offset)),
                ..pointer
            }),
            value => value,
        }
    }

    fn expect(&mut self, object: (ArrayId, TermId), bytes: Option<TermId>, range: Range) {
        let row = PhaseStepRow {
            amount: bytes,
            ..step(PhaseStep::Expect, Some(object.0), object.1)
        };
        self.phase_step(row, range);
    }

    fn arrive_with(
        &mut self,
        object: (ArrayId, TermId),
        count: Option<TermId>,
        bytes: Option<TermId>,
        call: &Call<'_>,
    ) {
        if let Some(bytes) = bytes {
            self.expect(object, Some(bytes), call.range);
        }
        self.step_of_object(object, PhaseStep::Arrive, count, None, call.range);
    }

    /// A copy from global to shared memory; by a tensor map if the source is none. Its bytes are counted at the barrier.
    pub(crate) fn bulk_in(
        &mut self,
        to: &Value,
        from: Option<&Value>,
        size: Option<TermId>,
        barrier: &Value,
        range: Range,
    ) {
        let object = self.object_behind(barrier, range);
        let before = self.facts.access.len();
        let bytes = Ty::Scalar(CType::U8).pointer_to();
        let to = self.convert(to.clone(), &bytes, range);
        let mut amount = None;
        match from {
            Some(from) => {
                let from = self.convert(from.clone(), &bytes, range);
                // A size that is not understood is none that anybody has expected.
                let size = match size {
                    Some(size) => size,
                    None => self.unknown("size of a copy", range, CType::U32, true),
                };
                amount = Some(size);
                let span = self.span_of(&Value::Term(size), range);
                let ty = self.whole_type(&to, &span);
                self.read_span(&from, &span, &ty, range);
                self.write_span(&to, &span, &ty, Value::Unknown, range);
            }
            None => {
                let expected = object.and_then(|object| self.expected_for_box(object));
                let most = match expected {
                    Some(most) => self.long(most),
                    None => self.unknown("size of a tensor's box", range, CType::I64, true),
                };
                match &to {
                    Value::Pointer(to) => {
                        self.some_byte(to, most, AccessKind::Write, None, range);
                    }
                    _ => self.lost_access(range, "the target of a copy is not understood"),
                }
            }
        }
        self.forget_exchanges();
        match object {
            Some((array, at)) => {
                let row = PhaseStepRow {
                    amount,
                    ..step(PhaseStep::Complete, Some(array), at)
                };
                self.phase_step(row, range);
            }
            None => self.lost_phase(
                "bulk copy",
                "the barrier that counts its bytes is not followed",
                range,
            ),
        }
        let completes = self.facts.phase_step.last().map(|row| row.point);
        for at in before..self.facts.access.len() {
            self.facts.copy_access.push(CopyAccessRow {
                access: AccessId::from_index(at),
                bulk: true,
                completes,
            });
        }
    }

    /// How many bytes a box may have that is counted here: what is expected so far under the same conditions, less what other copies
    /// bring. Whether nothing else is expected for its phase is seen behind the whole kernel ([`Self::check_boxes`]).
    fn expected_for_box(&mut self, object: (ArrayId, TermId)) -> Option<i64> {
        let guards = self.guards.iter().map(|one| (one.term, one.polarity));
        let own = Turn {
            index: object.1,
            loops: sorted(self.loops.iter().copied()),
            guards: sorted(guards),
        };
        self.left_for_box(&self.steps_at(object.0), &own)
    }

    /// How many bytes of those that these steps expect for one phase, other copies do not bring.
    fn left_for_box(&self, steps: &[(&PhaseStepRow, Turn)], own: &Turn) -> Option<i64> {
        let (mut left, mut is_some) = (0, false);
        for (row, turn) in steps {
            let number = |amount: Option<TermId>| {
                let number = self.facts.terms.as_const(amount?)?;
                i64::try_from(number).ok()
            };
            match row.step {
                _ if turn != own => {}
                PhaseStep::Expect => {
                    left += number(row.amount).filter(|bytes| *bytes > 0)?;
                    is_some = true;
                }
                // What another box brings is part of what is expected, too.
                PhaseStep::Complete => left -= number(row.amount).unwrap_or(0).max(0),
                _ => {}
            }
        }
        (is_some && left > 0).then_some(left)
    }

    /// Behind the whole kernel: how many bytes a box has is told only by what is expected for its phase, so that must all stand before the
    /// copy and under its conditions. What is expected for another phase at these objects has an arrival of its own, as the
    /// box has one, and each arrival ends a phase.
    pub(crate) fn check_boxes(&mut self) {
        let steps = self.facts.phase_step.iter();
        let boxes = steps.filter(|row| {
            let here = self.facts.point[row.point.index()].launch == self.launch;
            here && row.step == PhaseStep::Complete && row.amount.is_none()
        });
        let found: Vec<(PointId, &str)> = boxes
            .filter_map(|row| Some((row.point, self.not_told(row)?)))
            .collect();
        for (point, why) in found {
            let span = self.facts.point[point.index()].span;
            self.facts.unsupported.push(UnsupportedRow {
                launch: Some(self.launch),
                span,
                what: "bulk copy".to_owned(),
                why: why.to_owned(),
                effect: Effect::Access,
            });
        }
    }

    /// Why what was expected before a box does not tell its size.
    fn not_told(&self, completes: &PhaseStepRow) -> Option<&'static str> {
        let steps = self.steps_at(completes.object?);
        let at = steps
            .iter()
            .position(|(row, _)| row.point == completes.point)?;
        let (before, behind) = (&steps[..at], &steps[at..]);
        let own = &steps[at].1;
        // Of what nothing before it tells, any size was taken.
        self.left_for_box(before, own)?;
        let of = |step: PhaseStep| steps.iter().filter(move |(row, _)| row.step == step);
        let mut behind = behind.iter();
        if behind.any(|(row, turn)| row.step == PhaseStep::Expect && turn == own) {
            return Some("bytes are expected behind a tensor's box for its phase");
        }
        if of(PhaseStep::Expect).all(|(_, turn)| turn == own) {
            return None;
        }
        let ends = of(PhaseStep::Init).all(|(row, _)| {
            let count = row
                .amount
                .and_then(|count| self.facts.terms.as_const(count));
            count == Some(1)
        });
        let alone = of(PhaseStep::Expect).all(|(_, turn)| {
            let arrivals = of(PhaseStep::Arrive).filter(|(_, other)| other == turn);
            arrivals.count() == 1
        });
        let several =
            "bytes are expected in several places for what may be the phase of a tensor's box";
        (!ends || !alone).then_some(several)
    }

    /// The steps of this launch at the objects of an array, with what tells which of them are for one phase.
    fn steps_at(&self, array: ArrayId) -> Vec<(&PhaseStepRow, Turn)> {
        let facts = &self.facts;
        let rows = facts.phase_step.iter().filter(|row| {
            let launch = facts.point[row.point.index()].launch;
            row.object == Some(array) && launch == self.launch
        });
        let rows: Vec<&PhaseStepRow> = rows.collect();
        let points: BTreeMap<PointId, usize> =
            (0..).zip(&rows).map(|(at, row)| (row.point, at)).collect();
        let (mut loops, mut guards) = (vec![Vec::new(); rows.len()], vec![Vec::new(); rows.len()]);
        for row in &facts.loop_at {
            if let Some(&at) = points.get(&row.point) {
                loops[at].push(row.loop_id);
            }
        }
        for row in &facts.guard_at {
            if let Some(&at) = points.get(&row.point) {
                guards[at].push((row.term, row.polarity));
            }
        }
        let around = loops.into_iter().zip(guards);
        rows.into_iter()
            .zip(around)
            .map(|(row, (loops, guards))| {
                let turn = Turn {
                    index: row.index,
                    loops: sorted(loops),
                    guards: sorted(guards),
                };
                (row, turn)
            })
            .collect()
    }

    /// A copy from shared to global memory, in a group of the thread; by a tensor map if the target is none. It may add to what is there.
    pub(crate) fn bulk_out(
        &mut self,
        to: Option<&Value>,
        from: &Value,
        size: Option<TermId>,
        adds: bool,
        range: Range,
    ) {
        let bytes = Ty::Scalar(CType::U8).pointer_to();
        let from = self.convert(from.clone(), &bytes, range);
        let size = match size {
            Some(size) => size,
            None => self.unknown("size of a copy", range, CType::U32, true),
        };
        let span = self.span_of(&Value::Term(size), range);
        let ty = self.whole_type(&from, &span);
        let before = self.facts.access.len();
        self.read_span(&from, &span, &ty, range);
        self.begin_copy(before, Waiter::BulkRead, range);
        let Some(to) = to else {
            self.unsupported(
                range,
                "bulk copy",
                "which part of a tensor it writes is not modelled",
                Effect::Access,
            );
            return;
        };
        let to = self.convert(to.clone(), &bytes, range);
        let before = self.facts.access.len();
        if adds {
            self.add_elements(&to, size, range);
        } else {
            self.write_span(&to, &span, &ty, Value::Unknown, range);
        }
        self.begin_copy(before, Waiter::BulkWrite, range);
    }

    /// An atomic operation on any of the words of a reduction.
    fn add_elements(&mut self, to: &Value, size: TermId, range: Range) {
        let Value::Pointer(to) = to else {
            self.lost_access(range, "the target of a copy is not understood");
            return;
        };
        let count = self.facts.terms.cast(size, CType::I64);
        let word = self.long(4);
        let count = self.facts.terms.binary(Op::Div, CType::I64, count, word);
        let (which, inside) = self.any_below(count, "which of the words of a reduction", range);
        let moved = self.facts.terms.binary(Op::Mul, CType::I64, which, word);
        for target in to.targets.clone() {
            let Base::Array(array) = target.base else {
                self.lost_access(range, "the target of a copy is not understood");
                continue;
            };
            let at = self
                .facts
                .terms
                .binary(Op::Add, CType::I64, target.offset, moved);
            let condition = match target.condition {
                Some(condition) => self.facts.terms.and(condition, inside),
                None => inside,
            };
            let how = How {
                operation: "cp.reduce.async.bulk".to_owned(),
                scope: Scope::Grid,
                ..How::plain(AccessKind::Atomic)
            };
            self.guarded(condition, true, range, |me| {
                me.access(array, at, &Ty::Scalar(CType::U32), &how, None, range)
            });
        }
    }

    pub(crate) fn bulk_commit(&mut self, range: Range) {
        self.copy_event(What::CommitBulk, range);
    }

    /// The thread waits for all groups of its bulk copies but so many, or only until these have read their sources.
    pub(crate) fn bulk_wait(&mut self, left: Option<TermId>, reads: bool, range: Range) {
        let left = left.and_then(|left| self.facts.terms.as_const(left));
        self.copy_event(What::WaitBulk(left, reads), range);
    }

    pub(crate) fn proxy_fence(&mut self, space: Option<Space>, range: Range) {
        let point = self.point(PointKind::Fence, range);
        self.facts.proxy_fence.push(ProxyFenceRow {
            point,
            shared: space != Some(Space::Global),
            global: space != Some(Space::Shared),
        });
    }
}
