//! `cuda::pipeline` of one thread: groups of asynchronous copies with a count of those ended and of those waited for.
//!
//! `producer_commit` ends a group; `consumer_wait` waits for the oldest one that it has not waited for yet, which leaves as many groups
//! under way as have been ended since: the difference of two counts. Where that is not a constant, the wait ends nothing
//! for certain. `producer_acquire` and `consumer_release` order nothing here, as all stages are the thread's own.
//!
//! **Accuracy.** Pipelines of blocks, which have a state in shared memory, are not modelled. Source: libcu++, `cuda::pipeline`.

use std::collections::BTreeMap;
use std::rc::Rc;

use warplog_facts::words::Effect;
use warplog_facts::*;

use super::super::body::{Binding, Lowerer};
use super::super::types::Ty;
use super::super::under_way::What;
use super::super::value::*;
use super::standard::Argument;
use super::{Call, Family, Meaning, row, types};
use crate::syntax::ast::*;

/// The members of a pipeline: how many groups were ended, and how many waited for.
const ENDED: &str = "cuda::pipeline ended";
const WAITED: &str = "cuda::pipeline waited for";

pub(super) const FAMILY: Family = Family {
    subject: "Pipelines of one thread",
    source: "libcu++: cuda::pipeline, cuda::make_pipeline, cuda::pipeline_consumer_wait_prior",
    namespaces: &["cuda"],
    global: false,
    rows: &[
        row("make_pipeline", 0, Meaning::By(make)),
        row("pipeline_consumer_wait_prior", 1, Meaning::By(wait_prior)),
    ],
};

/// The class of a name, `cuda::pipeline<cuda::thread_scope_thread>`.
pub(super) fn class(name: &Name, _: &mut dyn FnMut(usize) -> Option<Argument>) -> Option<Ty> {
    let of_cuda = name
        .qualifier
        .last()
        .is_some_and(|last| last.name == "cuda");
    let of_thread = match name.args.as_deref() {
        Some([TemplateArg::Name(scope)]) => scope.base == "thread_scope_thread",
        _ => false,
    };
    (of_cuda && of_thread && name.base == "pipeline").then(|| {
        let count = Ty::Scalar(CType::I32);
        let fields = vec![
            (ENDED.to_owned(), count.clone(), 0),
            (WAITED.to_owned(), count, 4),
        ];
        types::record("pipeline<thread>", fields, 8, 4)
    })
}

/// The counts of a pipeline.
fn counts(value: &Value) -> Option<[TermId; 2]> {
    let Value::Struct(fields) = value else {
        return None;
    };
    match fields.as_slice() {
        [(ended, Value::Term(first)), (waited, Value::Term(second))]
            if ended == ENDED && waited == WAITED =>
        {
            Some([*first, *second])
        }
        _ => None,
    }
}

fn value([ended, waited]: [TermId; 2]) -> Value {
    let fields = [(ENDED, ended), (WAITED, waited)];
    let fields = fields.map(|(name, term)| (name.to_owned(), Value::Term(term)));
    Value::Struct(Rc::new(fields.to_vec()))
}

/// `cuda::make_pipeline()`
fn make(me: &mut Lowerer<'_, '_>, _: &Call<'_>) -> Option<Value> {
    let none = me.int(0);
    Some(value([none, none]))
}

/// `cuda::pipeline_consumer_wait_prior<N>(pipe)`
fn wait_prior(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let left = me.template_number(call)?;
    let object = me.pipeline(call.args.first()?)?;
    let [ended, _] = counts(me.env.get(object))?;
    me.wait_for_all_but(Some(left), call.range);
    let left = me.facts.terms.cast(left, CType::I32);
    let waited = me.facts.terms.binary(Op::Sub, CType::I32, ended, left);
    me.env.set(object, value([ended, waited]));
    Some(Value::Void)
}

impl Lowerer<'_, '_> {
    /// The variable of a pipeline of one thread that an expression names.
    pub(super) fn pipeline(&self, object: &Expr) -> Option<VarId> {
        let ExprKind::Name(name) = &object.kind else {
            return None;
        };
        let var = match self.lookup(&name.base)? {
            Binding::Variable(var) => *var,
            Binding::Reference(Lvalue::Variable { var, path, .. }) if path.is_empty() => *var,
            _ => return None,
        };
        counts(self.env.get(var)).map(|_| var)
    }

    /// A call of a member function of a pipeline of one thread.
    pub(super) fn pipeline_method(
        &mut self,
        base: &Expr,
        method: &str,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        let object = self.pipeline(base)?;
        let [ended, waited] = counts(self.env.get(object))?;
        let one = self.int(1);
        let more = |me: &mut Self, count| me.facts.terms.binary(Op::Add, CType::I32, count, one);
        match (method, args) {
            ("producer_acquire" | "consumer_release", []) => {}
            ("quit", []) => return Some(Value::Term(self.facts.terms.truth(true))),
            ("producer_commit", []) => {
                self.copy_event(What::Commit, range);
                let ended = more(self, ended);
                self.env.set(object, value([ended, waited]));
            }
            ("consumer_wait", []) => {
                let waited = more(self, waited);
                let left = self.difference(ended, waited);
                // Where nothing is left to wait for, nothing is waited for.
                self.copy_event(What::WaitBut(left.filter(|left| *left >= 0)), range);
                self.env.set(object, value([ended, waited]));
            }
            _ => {
                self.values_of(args);
                let what = format!("`{method}` of a pipeline");
                self.unsupported(range, &what, "it is not modelled", Effect::Order);
                return Some(Value::Unknown);
            }
        }
        Some(Value::Void)
    }

    /// The difference of two numbers of groups, where it is the same in all iterations.
    fn difference(&self, left: TermId, right: TermId) -> Option<i128> {
        let mut sum: BTreeMap<TermId, i128> = BTreeMap::new();
        let mut constant = 0;
        let mut open = vec![(left, 1i128), (right, -1)];
        while let Some((id, factor)) = open.pop() {
            let term = self.facts.terms.get(id);
            match (term.op, term.args.as_slice()) {
                (Op::Const, _) => constant += factor * term.payload,
                (Op::Add, &[a, b]) => open.extend([(a, factor), (b, factor)]),
                (Op::Sub, &[a, b]) => open.extend([(a, factor), (b, -factor)]),
                // Both counts wrap at once.
                (Op::Cast | Op::Fit, &[a]) if self.facts.terms.ty(a).is_integer() => {
                    open.push((a, factor));
                }
                _ => *sum.entry(id).or_default() += factor,
            }
        }
        sum.values().all(|&factor| factor == 0).then_some(constant)
    }
}
