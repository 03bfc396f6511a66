//! Functions that are used by their contracts instead of being inlined (`--modular`).
//!
//! **Algorithm.** The first call of a function checks its body once, for arbitrary arguments that meet what it requires:
//! what it ensures is asserted at its returns. Every call then asserts what is required of its arguments and gets a value
//! of which nothing is known but what is ensured, if that was proved, and if what is required was met.
//!
//! **Accuracy.** Only functions that take and give scalars by value and touch no memory that threads share, no barrier and
//! nothing that is not understood are used so: all that such a call does is its result.
//! Every other function is inlined.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::{Binding, CallFrame, Lowerer, Names};
use super::super::types::{Ty, TypeScope};
use super::super::value::*;
use super::{CallContract, called, sub_exprs};
use crate::syntax::ast::*;

/// What is known of a function with a contract.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    function: Range,
    types: TypeScope,
    /// Whether calls can use the contract.
    fits: bool,
    /// What is proved of its body; none where it ensures nothing, or before the check is part of the facts.
    proved: Option<InvariantId>,
    checked: bool,
}

/// A function that is called.
#[derive(Clone, Copy)]
pub(crate) struct Signature<'p> {
    pub function: Range,
    pub types: &'p TypeScope,
    pub params: &'p [Param],
    pub ret: CType,
}

/// The statements at the head of a body that are its contract; none where others mix with them.
fn contract(body: &Block) -> Option<(Vec<&Expr>, Vec<&Expr>)> {
    let (mut requires, mut ensures) = (Vec::new(), Vec::new());
    let mut over = false;
    for stmt in &body.stmts {
        let word = match &stmt.kind {
            StmtKind::Expr(expr) => called(expr).zip(arguments(expr)),
            _ => None,
        };
        match word {
            Some(("__requires", [condition])) if !over => requires.push(condition),
            Some(("__ensures", [condition])) if !over => ensures.push(condition),
            Some(("__requires" | "__ensures" | "__function_wide_invariant", _)) => return None,
            _ => over = true,
        }
    }
    (!requires.is_empty() || !ensures.is_empty()).then_some((requires, ensures))
}

fn arguments(expr: &Expr) -> Option<&[Expr]> {
    match &expr.kind {
        ExprKind::Call { args, .. } => Some(args),
        _ => None,
    }
}

impl Lowerer<'_, '_> {
    /// The result of a call by contract; none where the function has to be inlined.
    pub(crate) fn call_by_contract(
        &mut self,
        signature: Signature<'_>,
        given: &[Value],
        body: &Block,
        range: Range,
    ) -> Option<Value> {
        if !self.index.contracts.modular || self.contracts.depth > 0 {
            return None;
        }
        let (requires, ensures) = contract(body)?;
        let known = self.checked_once(signature, body)?;
        let mut terms = Vec::new();
        let mut scope = Names::default();
        for (param, value) in signature.params.iter().zip(given) {
            let ty = self.within(signature.types.clone(), |me| me.resolve(&param.ty));
            let value = self.convert(value.clone(), &ty, param.range);
            let Value::Term(term) = value else {
                return None;
            };
            terms.push(term);
            let name = param.name.clone().unwrap_or_default();
            let var = self.variable(&name, ty, value);
            scope.insert(name, Binding::Variable(var));
        }
        self.enter_frame(signature, scope, range, false);
        let mut met = self.facts.terms.truth(true);
        for condition in requires {
            let Some(term) = self.annotated(condition) else {
                continue;
            };
            met = self.facts.terms.and(met, term);
            let ranges = (condition.range, range);
            self.claim(term, AssertKind::Precondition, None, ranges);
        }
        let reason = "result of a function, of which its contract tells";
        // The body may depend on the thread as well.
        let result = self.unknown_of(reason, range, signature.ret, true, &terms, &[]);
        let unmet = self.facts.terms.not(met);
        for condition in ensures {
            // Before anything is changed, what was and what is are the same.
            let mut old = std::collections::BTreeMap::new();
            let mut olds = Vec::new();
            sub_exprs(condition, &mut |inner| {
                if called(inner).is_some_and(|name| name.starts_with("__old_"))
                    && let Some([arg]) = arguments(inner)
                {
                    olds.push(arg);
                }
            });
            for arg in olds {
                let value = self.in_annotation(arg.range, &[arg], |me| Some(me.expr(arg)));
                if let Some(value) = value {
                    old.insert(arg.range, value);
                }
            }
            let before = std::mem::replace(&mut self.contracts.old, old);
            let returned = self.contracts.returned.replace(Value::Term(result));
            let term = self.annotated(condition);
            self.contracts.returned = returned;
            self.contracts.old = before;
            if let (Some(term), Some(invariant)) = (term, known.proved) {
                let term = self.facts.terms.or(unmet, term);
                let point = self.point(PointKind::Condition, range);
                self.facts.invariant_at.push(InvariantAtRow {
                    invariant,
                    point,
                    term,
                });
            }
        }
        self.scopes.pop();
        self.scopes.pop();
        self.calls.pop();
        Some(Value::Term(result))
    }

    fn enter_frame(&mut self, signature: Signature<'_>, scope: Names, call: Range, is_check: bool) {
        self.calls.push(CallFrame {
            function: signature.function,
            is_kernel: false,
            guards: self.guards.len(),
            jumps: self.jumps.len(),
            scopes: self.scopes.len(),
            living: self.living.len(),
            returns: Vec::new(),
            entered: self.inside_from_here(),
            returned_in_loop: false,
            ret: Ty::Scalar(signature.ret),
            by_reference: false,
            this: None,
            constant_this: None,
            types: signature.types.clone(),
            contract: CallContract {
                call,
                is_check,
                ..CallContract::default()
            },
        });
        self.scopes.push(Names::default());
        self.scopes.push(scope);
    }

    /// What is known of a function, whose body is checked if it has not been; none where it cannot be used by contract.
    fn checked_once(&mut self, signature: Signature<'_>, body: &Block) -> Option<Known> {
        let position = self.contracts.known.iter().position(|known| {
            known.function == signature.function && known.types == *signature.types
        });
        let found = position.and_then(|position| self.contracts.known.get(position).cloned());
        if let Some(known) = found
            && (known.checked || !known.fits || self.trial > 0)
        {
            return known.fits.then_some(known);
        }
        let mark = self.mark();
        let (accesses, unsupported) = (self.facts.access.len(), self.facts.unsupported.len());
        let (barriers, fences) = (self.facts.barrier.len(), self.facts.fence.len());
        let trial = std::mem::take(&mut self.trial);
        let guards = std::mem::take(&mut self.guards);
        let inactive = std::mem::take(&mut self.contracts.inactive);
        let saved = (
            self.env.clone(),
            self.frontier.clone(),
            self.alive,
            self.last_leaving,
        );
        let (unfit, proved) = (
            std::mem::take(&mut self.contracts.unfit),
            self.contracts.proved.take(),
        );
        let mut scope = Names::default();
        let mut given = Vec::new();
        for param in signature.params {
            let ty = self.within(signature.types.clone(), |me| me.resolve(&param.ty));
            let name = param.name.clone().unwrap_or_default();
            let reason = format!("`{name}`, any argument of a function with a contract");
            let value = self.unknown(&reason, param.range, ty.ctype(), true);
            let var = self.variable(&name, ty, Value::Term(value));
            given.push((var, value));
            scope.insert(name, Binding::Variable(var));
        }
        self.contracts.given = given;
        self.enter_frame(signature, scope, body.range, true);
        self.block(body);
        self.check_ensures(None, body.range);
        self.scopes.pop();
        self.scopes.pop();
        self.finish_call(Ty::Scalar(signature.ret), body.range);
        let mut new = self.facts.access.iter().skip(accesses);
        let touches = new.any(|row| {
            let space = self.facts.array[row.array.index()].space;
            space != Space::Local
        });
        let lost = self.facts.unsupported.iter().skip(unsupported);
        let fits = !touches
            && !lost.into_iter().any(|row| row.effect != Effect::Nothing)
            && self.facts.barrier.len() == barriers
            && self.facts.fence.len() == fences
            && !self.contracts.unfit
            && !self.gave_up;
        let is_kept = fits && trial == 0;
        self.contracts.given.clear();
        let known = Known {
            function: signature.function,
            types: signature.types.clone(),
            fits,
            proved: self.contracts.proved.take().filter(|_| is_kept),
            checked: is_kept,
        };
        self.contracts.unfit = unfit;
        self.contracts.proved = proved;
        self.trial = trial;
        self.guards = guards;
        self.contracts.inactive = inactive;
        let frontier = std::mem::take(&mut self.frontier);
        (self.env, self.frontier, self.alive, self.last_leaving) = saved;
        if is_kept {
            if !frontier.is_empty() {
                self.frontier = frontier;
            }
        } else {
            self.undo(&mark);
        }
        match position {
            Some(position) => {
                if let Some(place) = self.contracts.known.get_mut(position) {
                    *place = known.clone();
                }
            }
            None => self.contracts.known.push(known.clone()),
        }
        fits.then_some(known)
    }

    /// What a function requires, while its body is checked for arbitrary arguments.
    pub(super) fn required_of_arguments(&mut self, term: TermId, range: Range) {
        let own: Vec<TermId> = self.contracts.given.iter().map(|&(_, term)| term).collect();
        let of_arguments = self.facts.terms.reachable(&[term]).into_iter().all(|id| {
            let term = self.facts.terms.get(id);
            own.contains(&id)
                || term.op == Op::Const
                || !term.args.is_empty() && term.op != Op::Load
        });
        // Of anything else it must not be assumed beyond the body.
        self.contracts.unfit |= !of_arguments;
        let point = self.point(PointKind::Condition, range);
        let ends = false;
        self.facts.assume.push(AssumeRow {
            point,
            term,
            ends,
            certain: false,
        });
    }

    /// The invariant that stands for all that the function whose body is checked ensures.
    pub(super) fn proof_of_function(&mut self, range: Range) -> InvariantId {
        // Where it returns, parameters must be what they were at the call.
        let changed = self
            .contracts
            .given
            .iter()
            .any(|&(var, term)| *self.env.get(var) != Value::Term(term));
        self.contracts.unfit |= changed;
        if let Some(proved) = self.contracts.proved {
            return proved;
        }
        let invariant = InvariantId::from_index(self.facts.invariant.len());
        let (launch, span) = (self.launch, self.span(range));
        self.facts.invariant.push(InvariantRow {
            invariant,
            launch,
            loop_id: None,
            is_candidate: false,
            span,
        });
        self.contracts.proved = Some(invariant);
        invariant
    }
}
