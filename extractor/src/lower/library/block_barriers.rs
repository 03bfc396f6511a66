//! `cuda::barrier` in shared memory, where it is a barrier of the block: initialised with the number of the block's threads by
//! one thread, and then arrived at and waited for by all of them.
//!
//! `bar.arrive_and_wait()` and `bar.wait(bar.arrive())` are then what `__syncthreads()` is; what a thread does between its `arrive` and its
//! `wait` may also happen when others are past the wait, and is an access there again ([`under_way`](super::super::under_way)). Each
//! arrival is an atomic access to the object besides, and `init` a write, so that an `init` that no barrier separates from an
//! arrival is a race.
//!
//! An object of which the number is another one, or that is one of several, is one that counts arrivals by phases, as `mbarrier` is:
//! `init`, `arrive_and_wait`, `arrive` and `wait_parity` are steps of which the rules tell what they order.
//!
//! **Accuracy.** Every other operation on such an object, and an object that is initialised more than once, is reported as not modelled; so
//! is an object at which threads arrive in several places under conditions that may differ between them.

use std::rc::Rc;

use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::words::*;
use warplog_facts::*;

use super::super::asm::phases::step;
use super::super::body::Lowerer;
use super::super::place::How;
use super::super::types::{StructTy, Ty};
use super::super::under_way::What;
use super::super::value::*;
use super::standard::Argument;
use super::{Call, types};
use crate::syntax::ast::*;

const CLASS: &str = "barrier<block>";
const TOKEN: &str = "barrier<block>::arrival_token";

/// A barrier object: its memory, and the byte at which it begins.
pub(crate) type Object = (ArrayId, i128);

/// An arrival for which the thread has not waited.
#[derive(Clone, Debug)]
pub(crate) struct Arrived {
    object: (ArrayId, TermId),
    guards: Vec<(TermId, bool)>,
    loops: usize,
}

/// What is known of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum State {
    /// All threads of the block are counted; whether some come to it under a condition on the thread.
    Whole(bool),
    /// They have arrived, by the number of points before and of conditions and loops around.
    Arrived(usize, usize, usize),
    /// Arrivals are counted by phases.
    Phases,
    /// Who is counted is not known.
    Lost,
}

/// The class of a name, `cuda::barrier<cuda::thread_scope_block>`.
pub(super) fn class(
    name: &Name,
    argument: &mut dyn FnMut(usize) -> Option<Argument>,
) -> Option<Ty> {
    let of_cuda = name
        .qualifier
        .last()
        .is_some_and(|last| last.name == "cuda");
    match name.base.as_str() {
        // A second argument would be a function that is called at every completion.
        "barrier" if of_cuda && argument(1).is_none() => {
            let field = ("state".to_owned(), Ty::Scalar(CType::U64), 0);
            Some(types::record(CLASS, vec![field], 8, 8))
        }
        _ => None,
    }
}

/// The class of what `arrive` gives: `cuda::barrier<cuda::thread_scope_block>::arrival_token`.
pub(crate) fn token(of: &StructTy, name: &Name) -> Option<Ty> {
    (of.name == CLASS && name.base == "arrival_token").then(|| {
        let field = ("phase".to_owned(), Ty::Scalar(CType::U64), 0);
        types::record(TOKEN, vec![field], 8, 8)
    })
}

/// The first thread of a block.
struct First;

impl Environment for First {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        matches!(term.op, Op::TidX | Op::TidY | Op::TidZ).then_some(0)
    }
}

/// `init(&bar, count)`
pub(super) fn init(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let [object, count] = call.args else {
        return None;
    };
    if !matches!(me.static_type(object), Ty::Pointer(ty) if ty.describe() == CLASS) {
        return None;
    }
    let pointer = me.expr(object);
    let counted = me.expr(count);
    let counted = me.integer_of(&counted, call.range);
    let place = match &pointer {
        Value::Pointer(pointer) => Some(Lvalue::Memory {
            targets: pointer.targets.clone(),
            ty: pointer.element.clone(),
        }),
        _ => None,
    };
    let Some((array, at)) = place.and_then(|place| me.object_of(&place)) else {
        me.lost_phase(
            "`init` of a barrier",
            "which barrier it is for is not known",
            call.range,
        );
        return Some(Value::Void);
    };
    let fixed = me.facts.terms.as_const(at).map(|at| (array, at));
    let Some(object) = fixed else {
        me.step_of_object(
            (array, at),
            PhaseStep::Init,
            Some(counted),
            None,
            call.range,
        );
        return Some(Value::Void);
    };
    let amount = counted;
    let counted = me.facts.terms.cast(counted, CType::U32);
    let all = me.volume(0);
    let first = me.guards.iter().all(|guard| {
        let value = Evaluator::new(&me.facts.terms, &First).value(guard.term);
        value.is_ok_and(|value| (value != 0) == guard.polarity)
    });
    // Bytes of bulk copies are counted by phases only.
    let known = counted == all && first && me.loops.is_empty() && !me.counts_bytes();
    let before = me.block_barriers.get(&object);
    let state = if known && before.is_none() {
        me.touch_barrier(object, AccessKind::Write, "", call.range);
        State::Whole(false)
    } else if before.is_none_or(|state| *state == State::Phases) {
        me.step_of_object((array, at), PhaseStep::Init, Some(amount), None, call.range);
        State::Phases
    } else {
        me.touch_barrier(object, AccessKind::Write, "", call.range);
        State::Lost
    };
    me.block_barriers.insert(object, state);
    Some(Value::Void)
}

impl Lowerer<'_, '_> {
    /// Whether an expression is of the class.
    pub(super) fn is_block_barrier(&mut self, object: &Expr) -> bool {
        let ty = self.static_type(object);
        matches!(&ty, Ty::Struct(_)) && ty.describe() == CLASS
    }

    /// The object that an expression names.
    pub(super) fn block_barrier(&mut self, object: &Expr) -> Option<Object> {
        match self.place(object) {
            Lvalue::Memory { targets, .. } => self.object_at(&targets),
            _ => None,
        }
    }

    fn object_at(&self, targets: &[Target]) -> Option<Object> {
        let [target] = targets else {
            return None;
        };
        let Base::Array(array) = target.base else {
            return None;
        };
        let shared = self.facts.array[array.index()].space == Space::Shared;
        let at = self.facts.terms.as_const(target.offset)?;
        (target.condition.is_none() && shared).then_some((array, at))
    }

    /// Whether a condition on the way may differ between threads.
    fn some_threads_come(&self) -> bool {
        let terms: Vec<TermId> = self.guards.iter().map(|guard| guard.term).collect();
        self.facts.terms.reachable(&terms).into_iter().any(|part| {
            let op = self.facts.terms.get(part).op;
            matches!(
                op,
                Op::TidX | Op::TidY | Op::TidZ | Op::Load | Op::Unknown | Op::Exit
            )
        })
    }

    fn touch_barrier(&mut self, object: Object, kind: AccessKind, operation: &str, range: Range) {
        let at = self.facts.terms.constant(object.1, CType::I64);
        let how = How {
            operation: operation.to_owned(),
            scope: Scope::Block,
            ..How::plain(kind)
        };
        self.access(object.0, at, &Ty::Scalar(CType::U64), &how, None, range);
    }

    /// A step at an object that counts arrivals by phases, with the access to it.
    pub(super) fn step_of_object(
        &mut self,
        (array, at): (ArrayId, TermId),
        kind: PhaseStep,
        amount: Option<TermId>,
        parity: Option<TermId>,
        range: Range,
    ) {
        let how = match kind {
            PhaseStep::Init => How::plain(AccessKind::Write),
            _ => How {
                operation: ARRIVE.to_owned(),
                scope: Scope::Block,
                ..How::plain(AccessKind::Atomic)
            },
        };
        let access = self.access(array, at, &Ty::Scalar(CType::U64), &how, None, range);
        let row = PhaseStepRow {
            amount,
            parity,
            access,
            ..step(kind, Some(array), at)
        };
        self.phase_step(row, range);
    }

    /// A call of a member function of an object that counts arrivals by phases; `None` if it is none of those that are followed.
    fn phase_method(
        &mut self,
        object: (ArrayId, TermId),
        method: &str,
        args: &[Value],
        range: Range,
    ) -> Option<Value> {
        match (method, args) {
            ("arrive_and_wait", []) => {
                self.step_of_object(object, PhaseStep::Sync, None, None, range);
                Some(Value::Void)
            }
            ("arrive", []) => {
                self.step_of_object(object, PhaseStep::Arrive, None, None, range);
                Some(self.token_of(object, range))
            }
            ("wait", [Value::Struct(token)]) => {
                let token = match token.as_slice() {
                    [(_, Value::Term(phase))] => *phase,
                    _ => return None,
                };
                if !self.is_own_phase(object, token) {
                    return None;
                }
                self.step_of_object(object, PhaseStep::Wait, None, None, range);
                Some(Value::Void)
            }
            ("wait_parity", [Value::Term(parity)]) => {
                let parity = self.cast_term(*parity, CType::U32);
                self.step_of_object(object, PhaseStep::Wait, None, Some(parity), range);
                Some(Value::Void)
            }
            _ => None,
        }
    }

    /// What an arrival gives, of which nothing is told.
    pub(super) fn fresh_token(&mut self, range: Range) -> Value {
        let phase = self.unknown("phase of a barrier", range, CType::U64, true);
        Value::Struct(Rc::new(vec![("phase".to_owned(), Value::Term(phase))]))
    }

    /// What the arrival at this object gives that has just been made.
    pub(super) fn token_of(&mut self, object: (ArrayId, TermId), range: Range) -> Value {
        let phase = self.unknown("phase of a barrier", range, CType::U64, true);
        let guards = self.guards.iter();
        let made = Arrived {
            object,
            guards: guards.map(|guard| (guard.term, guard.polarity)).collect(),
            loops: self.loops.len(),
        };
        self.arrived.insert(phase, made);
        Value::Struct(Rc::new(vec![("phase".to_owned(), Value::Term(phase))]))
    }

    /// Whether a token is that of the arrival which the thread has made at the object since it last waited there. It has waited then.
    fn is_own_phase(&mut self, object: (ArrayId, TermId), token: TermId) -> bool {
        let parts = self.facts.terms.reachable(&[token]);
        let of_token: Vec<TermId> = parts
            .into_iter()
            .filter(|&part| self.facts.terms.ty(part) == CType::U64)
            .filter(|&part| self.facts.terms.get(part).op != Op::Ite)
            .collect();
        let loops = self.loops.len();
        let here: Vec<(TermId, Arrived)> = self
            .arrived
            .iter()
            .filter(|(_, made)| made.object == object)
            .map(|(&phase, made)| (phase, made.clone()))
            .collect();
        let apart = |one: &Arrived, other: &Arrived| {
            let mut guards = one.guards.iter();
            guards.any(|&(term, polarity)| other.guards.contains(&(term, !polarity)))
        };
        let once = here.iter().enumerate().all(|(at, (_, one))| {
            let mut rest = here[at + 1..].iter();
            one.loops == loops && rest.all(|(_, other)| apart(one, other))
        });
        let known = !of_token.is_empty()
            && of_token
                .iter()
                .all(|part| here.iter().any(|(phase, _)| phase == part));
        self.arrived.retain(|_, made| made.object != object);
        once && known
    }

    /// The accesses at the points from this one on.
    pub(super) fn accesses_since(&self, point: usize) -> Vec<AccessId> {
        let rows = self.facts.access.iter().rev();
        let mut found: Vec<AccessId> = rows
            .take_while(|row| row.point.index() >= point)
            .map(|row| row.access)
            .collect();
        found.reverse();
        found
    }

    /// A call of a member function of a `cuda::barrier`.
    pub(super) fn block_barrier_method(
        &mut self,
        base: &Expr,
        arrow: bool,
        method: &str,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        let object = if arrow {
            Expr {
                kind: ExprKind::Deref(Box::new(base.clone())),
                range: base.range,
            }
        } else {
            base.clone()
        };
        if !self.is_block_barrier(&object) {
            return None;
        }
        let known = self.block_barrier(&object);
        let values = self.values_of(args);
        let place = self.place(&object);
        let phased = match known.map(|object| self.block_barriers.get(&object).copied()) {
            Some(Some(State::Phases)) => true,
            Some(_) => false,
            None => true,
        };
        if let Some(at) = self.object_of(&place).filter(|_| phased)
            && let Some(value) = self.phase_method(at, method, &values, range)
        {
            return Some(value);
        }
        let state = known.and_then(|object| self.block_barriers.get(&object).copied());
        let points = self.facts.point.len();
        match (known, state, method) {
            (Some(object), Some(State::Whole(split)), "arrive_and_wait") if args.is_empty() => {
                // On trial, counters are not known.
                let some = self.trial == 0 && self.some_threads_come();
                self.block_barriers
                    .insert(object, State::Whole(split || some));
                if split && some {
                    let why = "threads may arrive at it in several arms of a branch";
                    self.unsupported(range, "barrier", why, Effect::Order);
                }
                self.touch_barrier(object, AccessKind::Atomic, ARRIVE, range);
                self.copy_event(What::WaitAt(object), range);
                self.barrier(BarrierKind::Block, method, range);
                Some(Value::Void)
            }
            (Some(object), Some(State::Whole(false)), "arrive") if args.is_empty() => {
                self.touch_barrier(object, AccessKind::Atomic, ARRIVE, range);
                let phase = self.unknown("phase of a barrier", range, CType::U64, true);
                let arrived =
                    State::Arrived(self.facts.point.len(), self.guards.len(), self.loops.len());
                self.block_barriers.insert(object, arrived);
                let token = vec![("phase".to_owned(), Value::Term(phase))];
                Some(Value::Struct(Rc::new(token)))
            }
            (Some(object), Some(State::Arrived(since, guards, loops)), "wait")
                if args.len() == 1
                    && (guards, loops) == (self.guards.len(), self.loops.len())
                    && since <= points =>
            {
                self.block_barriers.insert(object, State::Whole(false));
                self.copy_event(What::WaitAt(object), range);
                // What is done here is done behind the arrival: others may be past the barrier already.
                let between: Vec<AccessId> = self.accesses_since(since);
                self.barrier(BarrierKind::Block, method, range);
                let wait = PointId::from_index(self.facts.point.len() - 1);
                for access in between {
                    self.copy_event(What::Outlast(access, wait), range);
                }
                Some(Value::Void)
            }
            _ => {
                if let Some(object) = known {
                    self.block_barriers.insert(object, State::Lost);
                }
                let zero = self.long(0);
                let lost = step(PhaseStep::Lost, None, zero);
                self.phase_step(lost, range);
                let why = match state {
                    Some(State::Arrived(..)) => {
                        "`wait` does not stand under the conditions of `arrive`"
                    }
                    Some(State::Whole(_)) => "this operation of a barrier is not modelled",
                    _ => "it is not shown to be initialised for all threads of the block",
                };
                let what = format!("`{method}` of a barrier");
                self.unsupported(range, &what, why, Effect::Order);
                Some(Value::Unknown)
            }
        }
    }
}
