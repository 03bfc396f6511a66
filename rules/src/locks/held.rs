//! Where a thread holds a lock on every way that it can have come.
//!
//! **Algorithm.** Forward data flow over the points of a launch. At each point a thread is in one of a set of states: it is not
//! known to hold the lock, holds it, holds it and has fenced since, or has tried to take it and not looked at what it found. The
//! last one ends where the path condition says that it found the lock free, or where a loop is left whose condition says so;
//! with another iteration it is forgotten.
//!
//! **Accuracy.** The sets over-approximate: a thread at the point is in one of the states. To hold means to have found the lock
//! free at the last taking, and not to have released it since.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::{LoopId, Op, PointId, TermId, UnknownId};

use super::{Lock, Taking, unsigned};
use crate::context::{Conjunct, Context};
use crate::routes::{Literal, Route, Routes};

/// States in which a thread can be, as bits.
type States = u64;

const UNKNOWN: States = 1;
const HOLDS: States = 2;
const HOLDS_FENCED: States = 4;

/// The state of having tried the taking with this number, and having fenced since or not.
fn tried(number: usize, fenced: bool) -> States {
    1 << (3 + 2 * number + usize::from(fenced))
}

fn holds(fenced: bool) -> States {
    if fenced { HOLDS_FENCED } else { HOLDS }
}

/// States by point.
type Flow = FxHashMap<PointId, States>;

/// What is known of a lock along the routes of threads.
pub(super) struct Held<'h> {
    ctx: &'h Context<'h>,
    lock: &'h Lock,
    entry: PointId,
    /// The conditions that are false where loops are left.
    endings: FxHashMap<LoopId, TermId>,
    flows: RefCell<FxHashMap<Vec<Literal>, Rc<Flow>>>,
}

impl<'h> Held<'h> {
    pub(super) fn new(ctx: &'h Context<'h>, routes: &Routes<'_>, lock: &'h Lock) -> Self {
        Held {
            ctx,
            lock,
            entry: routes.entry(),
            endings: endings(ctx, lock),
            flows: RefCell::default(),
        }
    }

    /// Whether the thread holds the lock whenever it comes to the point.
    pub(super) fn holds(&self, route: &Route<'_>, point: PointId) -> bool {
        let states = self.states(route, point);
        states != 0 && states & !(HOLDS | HOLDS_FENCED) == 0
    }

    /// Whether it has fenced since it took it, too.
    pub(super) fn holds_fenced(&self, route: &Route<'_>, point: PointId) -> bool {
        self.states(route, point) == HOLDS_FENCED
    }

    fn states(&self, route: &Route<'_>, point: PointId) -> States {
        let known = self.flows.borrow().get(route.known()).map(Rc::clone);
        let flow = known.unwrap_or_else(|| {
            let flow = Rc::new(self.flow(route));
            let mut flows = self.flows.borrow_mut();
            flows.insert(route.known().to_vec(), Rc::clone(&flow));
            flow
        });
        flow.get(&point).copied().unwrap_or(0)
    }

    fn flow(&self, route: &Route<'_>) -> Flow {
        let mut flow: Flow = FxHashMap::default();
        flow.insert(self.entry, UNKNOWN);
        let mut stack = vec![self.entry];
        while let Some(at) = stack.pop() {
            let after = self.after(at, flow.get(&at).copied().unwrap_or(0));
            for &(to, back) in self.ctx.successors(at) {
                if !route.goes(at, to) {
                    continue;
                }
                let states = self.along((at, to), back, after);
                let known = flow.entry(to).or_insert(0);
                if *known | states != *known {
                    *known |= states;
                    stack.push(to);
                }
            }
        }
        flow
    }

    /// The states behind a point.
    fn after(&self, point: PointId, states: States) -> States {
        let mut takings = self.lock.takings.iter();
        if let Some(number) = takings.position(|taking| taking.point == point) {
            return tried(number, false);
        }
        if self.lock.releases.contains(&point) {
            return UNKNOWN;
        }
        if !self.lock.fences.contains(&point) {
            return states;
        }
        self.each(states, |number, _| match number {
            Some(number) => tried(number, true),
            None => HOLDS_FENCED,
        })
    }

    /// The states as a step leaves them.
    fn along(&self, step: (PointId, PointId), back: Option<LoopId>, states: States) -> States {
        self.each(states, |number, fenced| {
            let Some((number, taking)) = number.and_then(|number| {
                let taking = self.lock.takings.get(number)?;
                Some((number, taking))
            }) else {
                return holds(fenced);
            };
            let around = self.ctx.loops(taking.point);
            if back.is_some_and(|id| around.contains(&id)) {
                UNKNOWN
            } else if !self.ctx.loops(step.1).starts_with(around) {
                match self.leaves_with_it(taking, step) {
                    true => holds(fenced),
                    false => UNKNOWN,
                }
            } else if self.finds_free(taking, self.ctx.guards(step.1)) {
                holds(fenced)
            } else {
                tried(number, fenced)
            }
        })
    }

    /// The states with each that is not unknown replaced: of a taking that was tried, or of holding the lock.
    fn each(&self, states: States, image: impl Fn(Option<usize>, bool) -> States) -> States {
        let mut all = states & UNKNOWN;
        for fenced in [false, true] {
            if states & holds(fenced) != 0 {
                all |= image(None, fenced);
            }
            for number in 0..self.lock.takings.len() {
                if states & tried(number, fenced) != 0 {
                    all |= image(Some(number), fenced);
                }
            }
        }
        all
    }

    /// Whether a thread that leaves the loop of the taking by this step has found the lock free: the innermost loop has no
    /// way out but by its condition, which says so.
    fn leaves_with_it(&self, taking: &Taking, (from, to): (PointId, PointId)) -> bool {
        let around = self.ctx.loops(taking.point);
        let Some((&innermost, outer)) = around.split_last() else {
            return false;
        };
        let leaves = self.ctx.loops(from).starts_with(around)
            && self.ctx.loops(to).starts_with(outer)
            && !self.ctx.in_loop(to, innermost);
        let ending = self.endings.get(&innermost);
        leaves && ending.is_some_and(|&term| self.finds_free(taking, &[(term, false)]))
    }

    fn finds_free(&self, taking: &Taking, conjuncts: &[Conjunct]) -> bool {
        let mut conjuncts = conjuncts.iter();
        conjuncts.any(|&(term, value)| self.says_free(taking.found, term, value))
    }

    /// Whether a condition with this value says that what was found is the value of a free lock.
    fn says_free(&self, found: UnknownId, term: TermId, value: bool) -> bool {
        let terms = &self.ctx.facts.terms;
        let row = terms.get(term);
        match (row.op, value, row.args.as_slice()) {
            (Op::Not, _, &[arg]) => self.says_free(found, arg, !value),
            (Op::And, true, args) | (Op::Or, false, args) => {
                args.iter().any(|&arg| self.says_free(found, arg, value))
            }
            (Op::Eq | Op::Ne, _, &[one, other]) => {
                let equal = value == (row.op == Op::Eq);
                let named = self.compared(found, one, other);
                match named.or_else(|| self.compared(found, other, one)) {
                    Some(named) if equal => named == self.lock.free,
                    Some(named) => Some(named) == self.lock.taken,
                    None => false,
                }
            }
            _ => false,
        }
    }

    /// The constant to which what was found is compared.
    fn compared(&self, found: UnknownId, term: TermId, constant: TermId) -> Option<i128> {
        let terms = &self.ctx.facts.terms;
        let is_found = terms.get(self.uncast(term)).unknown() == Some(found);
        let constant = terms.as_const(constant).filter(|_| is_found)?;
        Some(unsigned(constant, self.lock.bits))
    }

    /// A term without conversions that lose no bit of the lock's word.
    fn uncast(&self, mut term: TermId) -> TermId {
        let terms = &self.ctx.facts.terms;
        loop {
            let row = terms.get(term);
            match row.args.as_slice() {
                &[arg] if row.op == Op::Cast && row.ty.bits() >= Some(self.lock.bits) => term = arg,
                _ => return term,
            }
        }
    }
}

/// For loops with no way out but by their condition, the condition that is then false: decided at the end of an
/// iteration, or at its head.
fn endings(ctx: &Context<'_>, lock: &Lock) -> FxHashMap<LoopId, TermId> {
    let loops = ctx.loop_rows(lock.launch).iter();
    loops
        .filter(|row| !row.has_break)
        .filter_map(|row| {
            let at_end = ctx.repeats_while(row.loop_id);
            let term = at_end.or(row.condition)?;
            Some((row.loop_id, term))
        })
        .collect()
}
