//! The words of the annotation language, as calls: statements that become facts, and expressions.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::value::*;
use super::{Call, Family, Meaning, row, rows};
use crate::syntax::ast::*;

/// `__barrier_invariant(e)`, and for 1 to 16 threads or pairs of threads.
const BARRIER: &str = "__barrier_invariant{,_1,_2,_3,_4,_5,_6,_7,_8,_9,_10,_11,_12,_13,_14,_15,_16} __barrier_invariant_binary{,_1,_2,_3,_4,_5,_6,_7,_8,_9,_10,_11,_12,_13,_14,_15,_16}";

const SUMS: &str = "__{add,sub,mul}_noovfl{,_int,_unsigned,_unsigned_int,_long,_unsigned_long,_short,_unsigned_short,_char,_unsigned_char}";

pub(super) const FAMILY: Family = Family {
    subject: "Contracts",
    source: "our annotation language, docs/contracts.md",
    namespaces: &[],
    global: true,
    rows: &[
        row("__requires", 1, Meaning::By(requires)),
        row("__ensures", 1, Meaning::By(ensures)),
        row("__assert", 1, Meaning::By(assertion)),
        row("__global_assert", 1, Meaning::By(global_assertion)),
        row("__assume __builtin_assume", 1, Meaning::By(assumed)),
        row(
            "__{,global_,candidate_,candidate_global_}invariant",
            1,
            Meaning::By(invariant),
        ),
        row(
            "__function_wide_{,candidate_}invariant",
            1,
            Meaning::By(wide_invariant),
        ),
        row("__axiom", 1, Meaning::By(misplaced)),
        rows(BARRIER, 1, 33, Meaning::By(barrier_invariant)),
        row("__read_permission", 1, Meaning::By(read_permission)),
        row("__requires_fresh_array", 1, Meaning::By(fresh_array)),
        row(
            "__distinct __sorted __strictly_increasing __offsets __permutation",
            1,
            Meaning::By(property),
        ),
        row("__bounded", 3, Meaning::By(property)),
        row("__is_pow2", 1, Meaning::By(is_power_of_two)),
        row("__mod_pow2", 2, Meaning::By(remainder_of_power)),
        row("__implies", 2, Meaning::By(implication)),
        row("__ite", 3, Meaning::By(choice)),
        row("__enabled", 0, Meaning::By(enabled)),
        row(
            "__other_int __other_bool __uniform_int __uniform_bool __distinct_int __distinct_bool __all __exclusive",
            1,
            Meaning::By(of_two),
        ),
        row(
            "__read __write __no_read __no_write __read_offset_bytes __write_offset_bytes",
            1,
            Meaning::By(access_set),
        ),
        row("__read_implies __write_implies", 2, Meaning::By(access_set)),
        row("__ptr_offset_bytes", 1, Meaning::By(pointer_offset)),
        row("__old_int __old_bool __old_ptr", 1, Meaning::By(old)),
        row(SUMS, 2, Meaning::By(exact_sum)),
    ],
};

/// A statement of the language: `None` when annotations are ignored or one stands inside another.
fn statement<'e>(me: &mut Lowerer<'_, '_>, call: &Call<'e>) -> Option<&'e Expr> {
    if me.ignores_annotations() {
        return None;
    }
    if me.contracts.depth > 0 {
        // In a function that an annotation calls, it is about the calls of the program.
        if me.calls.len() > me.contracts.calls {
            return None;
        }
        let text = format!("`{}` means nothing inside an annotation", call.name);
        me.contract_error(call.range, &text);
        return None;
    }
    call.args.first()
}

/// An expression of the language that only annotations have.
fn only_in_annotation(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> bool {
    if me.contracts.depth == 0 {
        let text = format!("`{}` means nothing outside of annotations", call.name);
        me.contract_error(call.range, &text);
        let what = format!("call of `{}`", call.name);
        me.unsupported(
            call.range,
            &what,
            "it means nothing outside of annotations",
            Effect::Control,
        );
    }
    me.contracts.depth > 0
}

fn requires(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if let Some(condition) = statement(me, call) {
        me.requires(condition, call.range);
    }
    Some(Value::Void)
}

fn ensures(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if let Some(condition) = statement(me, call) {
        me.ensures(condition, call.range);
    }
    Some(Value::Void)
}

fn assertion(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if me.contracts.at_head.contains(&call.range) {
        return Some(Value::Void);
    }
    if let Some(condition) = statement(me, call)
        && let Some(term) = me.annotated(condition)
    {
        let ranges = (condition.range, call.range);
        me.claim(term, AssertKind::Assertion, None, ranges);
    }
    Some(Value::Void)
}

fn global_assertion(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if me.contracts.at_head.contains(&call.range) {
        return Some(Value::Void);
    }
    if let Some(condition) = statement(me, call) {
        me.global_assertion(condition, call.range);
    }
    Some(Value::Void)
}

fn assumed(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if let Some(condition) = statement(me, call)
        && let Some(term) = me.annotated(condition)
    {
        me.assume_here(term, call.range);
    }
    Some(Value::Void)
}

fn invariant(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if !me.contracts.at_head.contains(&call.range) && statement(me, call).is_some() {
        let text = format!(
            "`{}` means nothing here: it stands before a loop's condition, `for (…; {}(e), c; …)`, or at the head of its body",
            call.name, call.name
        );
        me.contract_error(call.range, &text);
    }
    Some(Value::Void)
}

fn wide_invariant(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let Some(condition) = statement(me, call) else {
        return Some(Value::Void);
    };
    if !me.is_at_function_level() {
        let text = format!(
            "`{}` means nothing here: it stands at the head of a function",
            call.name
        );
        me.contract_error(call.range, &text);
        return Some(Value::Void);
    }
    let is_candidate = call.name.contains("candidate");
    let condition = condition.clone();
    if let Some(frame) = me.calls.last_mut() {
        frame.contract.wide.push((condition, is_candidate));
    }
    Some(Value::Void)
}

fn misplaced(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if statement(me, call).is_some() {
        let text = "`__axiom` means nothing in a function: it stands at file scope";
        me.contract_error(call.range, text);
    }
    Some(Value::Void)
}

fn barrier_invariant(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if statement(me, call).is_none() {
        return Some(Value::Void);
    }
    let suffix = call.name.rsplit('_').next().unwrap_or("");
    let threads = match suffix.parse::<usize>() {
        Ok(count) if call.name.contains("binary") => 2 * count,
        Ok(count) => count,
        Err(_) => call.args.len() - 1,
    };
    if threads + 1 != call.args.len() {
        let text = format!(
            "`{}` takes a condition and {threads} threads, not {}",
            call.name,
            call.args.len() - 1
        );
        me.contract_error(call.range, &text);
    } else if let [condition, threads @ ..] = call.args {
        let of_two = call.name.contains("binary");
        me.barrier_invariant(condition, threads, of_two, call.range);
    }
    Some(Value::Void)
}

/// `__read_permission(s[i])`: what is read is known at the next barrier, as nobody else may store to it before. It counts as a read.
fn read_permission(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if let Some(element) = statement(me, call) {
        me.expr(element);
    }
    Some(Value::Void)
}

fn fresh_array(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if let Some(pointer) = statement(me, call) {
        me.fresh_array(pointer, call.range);
    }
    Some(Value::Void)
}

/// `__distinct(p)`, `__sorted(p)`, `__bounded(p, 0, 15)`: what the elements of an array are like when the kernel begins.
fn property(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if statement(me, call).is_some() {
        me.property(call.name, call.args, call.range);
    }
    Some(Value::Void)
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

fn choice(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let condition = me.condition_at(&call.args[0]);
    let terms = me.terms_of(&call.args[1..]);
    let (then, otherwise, _) = me.usual(terms[0], terms[1]);
    Some(Value::Term(me.facts.terms.ite(condition, then, otherwise)))
}

/// An annotation is about the threads that are active where it stands, but for the global ones.
fn enabled(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if !only_in_annotation(me, call) {
        return Some(Value::Unknown);
    }
    let term = if me.contracts.global {
        me.conjunction(0)
    } else {
        me.facts.terms.truth(true)
    };
    Some(Value::Term(term))
}

/// Forms that compare two threads at the same place.
fn of_two(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if call.name == "__all" && me.contracts.depth == 0 {
        // A vote of a warp.
        return None;
    }
    if !only_in_annotation(me, call) {
        return Some(Value::Unknown);
    }
    let arg = call.args.first()?;
    let is_truth = call.name.ends_with("_bool") || matches!(call.name, "__all" | "__exclusive");
    let term = if is_truth {
        me.condition_at(arg)
    } else {
        let value = me.expr(arg);
        let term = me.integer_of(&value, arg.range);
        let ty = me.facts.terms.ty(term).promoted();
        me.facts.terms.cast(term, ty)
    };
    let other = me.facts.terms.other(term);
    let terms = &mut me.facts.terms;
    Some(Value::Term(match call.name {
        "__other_int" | "__other_bool" => other,
        "__uniform_int" | "__uniform_bool" => terms.binary(Op::Eq, CType::Bool, term, other),
        "__distinct_int" | "__distinct_bool" => terms.binary(Op::Ne, CType::Bool, term, other),
        "__all" => terms.and(term, other),
        _ => {
            let both = terms.and(term, other);
            terms.not(both)
        }
    }))
}

fn access_set(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if !only_in_annotation(me, call) {
        return Some(Value::Unknown);
    }
    me.access_set(call.name, call.args)
}

fn pointer_offset(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if !only_in_annotation(me, call) {
        return Some(Value::Unknown);
    }
    let arg = call.args.first()?;
    let Value::Pointer(pointer) = me.expr(arg) else {
        me.contract_error(arg.range, "`__ptr_offset_bytes` takes a pointer");
        return Some(Value::Unknown);
    };
    let mut offset = None;
    for target in pointer.targets.iter().rev() {
        offset = Some(match (offset, target.condition) {
            (Some(rest), Some(condition)) => me.facts.terms.ite(condition, target.offset, rest),
            _ => target.offset,
        });
    }
    let offset = offset.map(|term| me.facts.terms.cast(term, CType::U64));
    Some(offset.map_or(Value::Unknown, Value::Term))
}

fn old(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let arg = call.args.first()?;
    let value = me.contracts.old.get(&arg.range).cloned();
    if value.is_none() {
        let text = format!("`{}` means nothing outside of `__ensures`", call.name);
        me.contract_error(call.range, &text);
        if me.contracts.depth == 0 {
            only_in_annotation(me, call);
        }
    }
    Some(value.unwrap_or(Value::Unknown))
}

/// A sum, difference or product that is assumed to be that of the numbers.
fn exact_sum(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let op = match call.name.split('_').nth(2) {
        Some("add") => BinaryOp::Add,
        Some("sub") => BinaryOp::Sub,
        _ => BinaryOp::Mul,
    };
    let terms = me.terms_of(call.args);
    let (left, right, ty) = me.usual(terms[0], terms[1]);
    if !ty.is_unsigned() || me.ignores_annotations() {
        // Signed arithmetic does not overflow anyway.
        return Some(Value::Term(me.arithmetic(op, left, right)));
    }
    let result = me.arithmetic(op, left, right);
    let wide = CType::U64;
    let (a, b) = (
        me.facts.terms.cast(left, wide),
        me.facts.terms.cast(right, wide),
    );
    let most = me.facts.terms.constant(ty.max().unwrap_or(i128::MAX), wide);
    let terms = &mut me.facts.terms;
    // x + y ≤ max, said without a sum that may wrap itself.
    let fits = match op {
        BinaryOp::Add => {
            let rest = terms.binary(Op::Sub, wide, most, b);
            terms.binary(Op::Le, CType::Bool, a, rest)
        }
        BinaryOp::Sub => terms.binary(Op::Le, CType::Bool, b, a),
        _ => {
            let zero = terms.constant(0, wide);
            let none = terms.binary(Op::Eq, CType::Bool, b, zero);
            let one = terms.constant(1, wide);
            let divisor = terms.ite(none, one, b);
            let rest = terms.binary(Op::Div, wide, most, divisor);
            let fits = terms.binary(Op::Le, CType::Bool, a, rest);
            terms.or(none, fits)
        }
    };
    me.assume_here(fits, call.range);
    Some(Value::Term(result))
}

impl Lowerer<'_, '_> {
    pub(crate) fn condition_at(&mut self, arg: &Expr) -> TermId {
        let value = self.expr(arg);
        self.condition_of(&value, arg.range)
    }

    /// The names of the language that are no calls: `__same_group`, `__return_val_int`.
    pub(crate) fn contract_name(&mut self, name: &Name) -> Option<Value> {
        let simple = name.as_simple()?;
        if simple == "__same_group" {
            if self.contracts.depth == 0 {
                return None;
            }
            return Some(Value::Term(self.facts.terms.same_block()));
        }
        if !simple.starts_with("__return_val_") {
            return None;
        }
        let returned = self.contracts.returned.clone();
        if returned.is_none() {
            let text = format!(
                "`{simple}` means nothing outside of `__ensures` of a function that returns a value"
            );
            self.contract_error(name.range, &text);
            if self.contracts.depth == 0 {
                return None;
            }
        }
        Some(returned.unwrap_or(Value::Unknown))
    }
}
