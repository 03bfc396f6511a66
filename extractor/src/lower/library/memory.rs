//! Loads and stores with cache hints, copies and fills of byte ranges, memory from the heap.
//!
//! A copy of a constant number of bytes is one access of that size. With a number that only a run
//! knows it is an access to one byte at an unknown place in the range, which stands for all of them:
//! sound for races, since a race on the range is a race on some byte of it.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::constants::is_name_of_function;
use super::super::place::How;
use super::super::types::{Extent, Ty};
use super::super::value::*;
use super::{Call, Family, Meaning, Out, copies, row, rows};
use crate::syntax::ast::*;

pub(super) const FAMILY: Family = Family {
    subject: "Memory",
    source: "CUDA C++ programming guide: Read-Only Data Cache Load Function, Load and Store Functions Using Cache Hints, Address Space Functions, Dynamic Global Memory Allocation",
    namespaces: &["std", "cuda::std"],
    global: true,
    rows: &[
        row(
            "__ldg __ldcg __ldca __ldcs __ldlu __ldcv __builtin_nontemporal_load",
            1,
            Meaning::By(load),
        ),
        row("__stwb __stcg __stcs __stwt", 2, Meaning::By(store)),
        row("__builtin_nontemporal_store", 2, Meaning::By(store_second)),
        row(
            "memcpy memmove __builtin_memcpy __builtin_memmove",
            3,
            Meaning::By(copy),
        ),
        row("memset __builtin_memset", 3, Meaning::By(fill)),
        row("memcmp __builtin_memcmp", 3, Meaning::By(compare)),
        row("malloc alloca __builtin_alloca", 1, Meaning::By(allocate)),
        row("free", 1, Meaning::By(release)),
        row(
            "__isGlobal __isShared __isConstant __isLocal __isGridConstant",
            1,
            Meaning::Fresh(Out::Is(CType::U32)),
        ),
        row(
            "__cvta_generic_to_shared",
            1,
            Meaning::By(address_of_shared),
        ),
        row(
            "__cvta_generic_to_{global,constant,local,grid_constant}",
            1,
            Meaning::Pure(Out::Is(CType::U64)),
        ),
        row(
            "__cvta_{global,shared,constant,local,grid_constant}_to_generic",
            1,
            Meaning::By(from_address),
        ),
        rows(
            "__builtin_assume_aligned assume_aligned",
            2,
            3,
            Meaning::By(first),
        ),
        row(
            "__builtin_launder launder addressof __builtin_addressof",
            1,
            Meaning::By(first_or_address),
        ),
        rows("__builtin_prefetch", 1, 3, Meaning::Pure(Out::Nothing)),
        rows(
            "__pipeline_memcpy_async",
            3,
            4,
            Meaning::By(copies::own_copy),
        ),
        row("__pipeline_commit", 0, Meaning::By(copies::commit)),
        row(
            "__pipeline_wait_prior",
            1,
            Meaning::By(copies::wait_for_own),
        ),
    ],
};

fn load(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let address = me.expr(&call.args[0]);
    Some(me.load_through(&address, call.range))
}

fn store(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let [address, value] = values.as_slice() else {
        return None;
    };
    me.store_through(address, value.clone(), call.range);
    Some(Value::Void)
}

/// HIP's order: the value first.
fn store_second(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let [value, address] = values.as_slice() else {
        return None;
    };
    me.store_through(address, value.clone(), call.range);
    Some(Value::Void)
}

fn first(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.values_of(call.args).into_iter().next()
}

fn first_or_address(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    if call.name.ends_with("launder") {
        return first(me, call);
    }
    let arg = call.args.first()?;
    let address = Expr {
        kind: ExprKind::AddressOf(Box::new(arg.clone())),
        range: call.range,
    };
    Some(me.expr(&address))
}

/// The number that an address of shared memory is. No other is made of it, so that the address itself stands for it.
fn address_of_shared(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let address = values.into_iter().next()?;
    Some(me.convert(address, &Ty::Scalar(CType::U64), call.range))
}

fn from_address(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.values_of(call.args);
    Some(Value::Pointer(me.pointer(Base::Unknown, Ty::Void)))
}

/// Some bytes at the start of what a pointer points to.
pub(super) enum Span {
    Bytes(u64),
    /// An `i64` term.
    Counted(TermId),
}

pub(super) fn copy(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let [target, source, size] = values.as_slice() else {
        return None;
    };
    let span = me.span_of(size, call.range);
    // `memcpy(&v, p, sizeof v)` keeps the value.
    let ty = me.whole_type(target, &span);
    let copied = me.read_span(source, &span, &ty, call.range);
    me.write_span(target, &span, &ty, copied, call.range);
    Some(target.clone())
}

fn fill(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let [target, byte, size] = values.as_slice() else {
        return None;
    };
    let span = me.span_of(size, call.range);
    let ty = me.whole_type(target, &span);
    let zero = matches!(byte, Value::Term(term) if me.facts.terms.as_const(*term) == Some(0));
    let value = match &ty {
        Ty::Scalar(scalar) if zero && scalar.is_integer() => {
            Value::Term(me.facts.terms.constant(0, *scalar))
        }
        _ => Value::Unknown,
    };
    me.write_span(target, &span, &ty, value, call.range);
    Some(target.clone())
}

fn compare(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    let [left, right, size] = values.as_slice() else {
        return None;
    };
    let span = me.span_of(size, call.range);
    for side in [left, right] {
        let ty = me.whole_type(side, &span);
        me.read_span(side, &span, &ty, call.range);
    }
    Some(me.fresh_result(Out::Is(CType::I32), call.name, &[], call.range))
}

/// Memory of this thread alone, until its address is stored where others read it.
fn allocate(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    me.values_of(call.args);
    let bytes = Ty::Scalar(CType::U8);
    let object = Ty::Array(Rc::new(bytes.clone()), Extent::Unknown);
    // `if (threadIdx.x == 0)`: one thread of those that meet allocates it.
    let mut guards = me.guards.iter();
    let is_of_one =
        guards.any(|guard| guard.polarity && me.facts.terms.get(guard.term).op == Op::Eq);
    let name = match is_of_one {
        true => format!("memory from {}", call.name),
        false => format!("{OF_EACH_THREAD}{}", call.name),
    };
    let array = me.array(&name, Space::Local, &object, call.range);
    me.note_heap(array);
    let pointer = me.pointer(Base::Array(array), bytes);
    Some(Value::Pointer(pointer))
}

/// The end of an object is a write of it: whoever still uses it must have done so before.
fn release(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    match me.values_of(call.args).as_slice() {
        [Value::Pointer(pointer)] => {
            let count = me.unknown("size of what is freed", call.range, CType::I64, true);
            me.some_byte(pointer, count, AccessKind::Write, None, call.range);
        }
        _ => me.lost_access(call.range, "what is freed is not understood"),
    }
    Some(Value::Void)
}

/// `printf("%s", p)`, `puts(p)`: reads of strings, whose lengths nobody knows.
pub(super) fn print(me: &mut Lowerer<'_, '_>, call: &Call<'_>) -> Option<Value> {
    let values = me.values_of(call.args);
    me.point(PointKind::Effect, call.range);
    // By the position of an argument; all where the format is not known.
    let read: Option<Vec<bool>> = match call.args.first().map(|format| &format.kind) {
        Some(ExprKind::Str(format)) if call.name == "printf" => Some(strings_of(format)),
        _ => None,
    };
    for (position, (arg, value)) in call.args.iter().zip(&values).enumerate() {
        let is_read = match (&read, position) {
            (Some(_), 0) => false,
            (Some(read), _) => read.get(position - 1).copied().unwrap_or(false),
            (None, _) => true,
        };
        if let Value::Pointer(pointer) = value
            && is_read
            && !is_literal(arg)
        {
            let count = me.unknown("length of a string", call.range, CType::I64, true);
            me.some_byte(pointer, count, AccessKind::Read, None, call.range);
        }
    }
    Some(me.fresh_result(Out::Is(CType::I32), call.name, &values, call.range))
}

/// For each argument behind a format, whether it is a string.
fn strings_of(format: &str) -> Vec<bool> {
    let mut found = Vec::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            continue;
        }
        // Flags, widths and sizes; `*` takes an argument of its own.
        for letter in letters.by_ref() {
            match letter {
                '*' => found.push(false),
                '%' => break,
                'h' | 'l' | 'L' | 'q' | 'j' | 'z' | 't' => {}
                letter if letter.is_ascii_alphabetic() => {
                    found.push(letter == 's');
                    break;
                }
                _ => {}
            }
        }
    }
    found
}

/// A string that stands in the text.
fn is_literal(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Str(_) => true,
        ExprKind::Conditional { then, els, .. } => is_literal(then) && is_literal(els),
        ExprKind::Name(name) => is_name_of_function(name),
        _ => false,
    }
}

impl Lowerer<'_, '_> {
    pub(super) fn span_of(&mut self, size: &Value, range: Range) -> Span {
        let size = self.integer_of(size, range);
        let constant = self
            .facts
            .terms
            .as_const(size)
            .and_then(|size| u64::try_from(size).ok())
            .filter(|size| u32::try_from(*size).is_ok());
        match constant {
            Some(bytes) => Span::Bytes(bytes),
            None => Span::Counted(self.facts.terms.cast(size, CType::I64)),
        }
    }

    /// The type to access a range as: that of the pointer's element where it fills the range.
    pub(super) fn whole_type(&self, pointer: &Value, span: &Span) -> Ty {
        let Span::Bytes(bytes) = span else {
            return Ty::Scalar(CType::U8);
        };
        match pointer {
            Value::Pointer(pointer)
                if pointer.element.bytes() == Some(*bytes)
                    && !matches!(pointer.element, Ty::Array(..)) =>
            {
                pointer.element.clone()
            }
            _ => Ty::Opaque {
                name: "bytes".to_owned(),
                bytes: Some(*bytes),
            },
        }
    }

    pub(super) fn read_span(
        &mut self,
        pointer: &Value,
        span: &Span,
        ty: &Ty,
        range: Range,
    ) -> Value {
        let Value::Pointer(pointer) = pointer else {
            self.lost_access(range, "the source of a copy is not understood");
            return Value::Unknown;
        };
        match span {
            Span::Bytes(0) => Value::Unknown,
            Span::Bytes(_) => {
                let place = Lvalue::Memory {
                    targets: pointer.targets.clone(),
                    ty: ty.clone(),
                };
                self.read(&place, range)
            }
            Span::Counted(count) => {
                self.some_byte(pointer, *count, AccessKind::Read, None, range);
                Value::Unknown
            }
        }
    }

    pub(super) fn write_span(
        &mut self,
        pointer: &Value,
        span: &Span,
        ty: &Ty,
        value: Value,
        range: Range,
    ) {
        let Value::Pointer(pointer) = pointer else {
            self.lost_access(range, "the target of a copy is not understood");
            return;
        };
        match span {
            Span::Bytes(0) => {}
            Span::Bytes(_) => {
                let bytes = ty.bytes();
                // Of bytes that are not known nothing is claimed, not even that they are a number.
                let ty = match value {
                    Value::Unknown => Ty::Opaque {
                        name: "bytes".to_owned(),
                        bytes,
                    },
                    _ => ty.clone(),
                };
                let targets = pointer.targets.clone();
                self.write(&Lvalue::Memory { targets, ty }, value, range);
            }
            Span::Counted(count) => self.some_byte(pointer, *count, AccessKind::Write, None, range),
        }
    }

    /// An access to any one of the bytes that follow a pointer; what is written is a function of its place and of the source, if that
    /// is given.
    pub(in crate::lower) fn some_byte(
        &mut self,
        pointer: &Pointer,
        count: TermId,
        kind: AccessKind,
        source: Option<&[TermId]>,
        range: Range,
    ) {
        let (byte, inside) = self.any_below(count, "which of the bytes of a copy", range);
        let ty = Ty::Scalar(CType::U8);
        for target in pointer.targets.clone() {
            let condition = match target.condition {
                Some(condition) => self.facts.terms.and(condition, inside),
                None => inside,
            };
            match target.base {
                Base::Array(array) => {
                    if kind == AccessKind::Write
                        && self.facts.array[array.index()].space == Space::Constant
                    {
                        self.lost_access(range, "write to constant memory");
                    }
                    let at = self
                        .facts
                        .terms
                        .binary(Op::Add, CType::I64, target.offset, byte);
                    let how = How::plain(kind);
                    let value = source.filter(|_| kind == AccessKind::Write).map(|source| {
                        let whole = [source, &[at]].concat();
                        self.pure("byte of a copy", CType::U8, &whole)
                    });
                    self.guarded(condition, true, range, |me| {
                        me.access(array, at, &ty, &how, value, range)
                    });
                }
                Base::Variable(var) => {
                    if kind == AccessKind::Write {
                        // Any part of the variable may have changed.
                        self.forget(var, range);
                    }
                }
                Base::Null => {}
                Base::Unknown => self.lost_access(range, "the pointer is not understood"),
            }
        }
    }

    /// A variable of which nothing is known any more.
    fn forget(&mut self, var: VarId, range: Range) {
        match self.env.get(var).clone() {
            Value::Local(mut local) => {
                local.known = Rc::default();
                self.trial_writes.insert(local.array);
                self.env.set(var, Value::Local(local));
            }
            _ => {
                let ty = self.variables[var.0 as usize].1.clone();
                let value = self.unknown_value(&ty, "variable that a copy of bytes wrote", range);
                self.env.set(var, value);
            }
        }
    }
}
