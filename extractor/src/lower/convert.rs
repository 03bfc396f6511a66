//! Conversions between values: C's implicit and explicit casts, truth values, pointers as values.

use std::collections::BTreeMap;
use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::Lowerer;
use super::objects::base_offset;
use super::types::{Bits, Ty};
use super::value::*;
use crate::syntax::ast::Range;

impl Lowerer<'_, '_> {
    /// A value as a scalar term.
    pub(crate) fn term_of(&mut self, value: &Value, range: Range) -> TermId {
        match value {
            Value::Term(term) => *term,
            Value::Pointer(pointer) => self.address(pointer, range),
            Value::Uninitialised => self.unknown("uninitialised variable", range, CType::I32, true),
            Value::Struct(_)
            | Value::Local(_)
            | Value::Function(_)
            | Value::Void
            | Value::Unknown => {
                self.doubt_object(value, range);
                self.unknown("value that is not understood", range, CType::Opaque, true)
            }
        }
    }

    /// A value as an integer term; floats and opaque values are converted as by a cast to `int`.
    pub(crate) fn integer_of(&mut self, value: &Value, range: Range) -> TermId {
        let term = self.term_of(value, range);
        if self.facts.terms.ty(term).is_integer() {
            term
        } else {
            self.cast_term(term, CType::I32)
        }
    }

    /// An object where a number is needed: a conversion function of the unit that was not called may be meant.
    fn doubt_object(&mut self, value: &Value, range: Range) {
        if matches!(value, Value::Struct(_) | Value::Local(_)) && self.index.has_conversions() {
            self.unsupported(
                range,
                "conversion of an object",
                "which conversion function is meant is not known",
                Effect::Control,
            );
        }
    }

    /// A value as a condition.
    pub(crate) fn condition_of(&mut self, value: &Value, range: Range) -> TermId {
        let term = self.term_of(value, range);
        self.cast_term(term, CType::Bool)
    }

    /// Conversion of a scalar term. Between floats and integers it is an uninterpreted function.
    pub(crate) fn cast_term(&mut self, term: TermId, ty: CType) -> TermId {
        self.number_as(term, ty, |from| format!("conversion from {from} to {ty}"))
    }

    /// The bytes of a value of one type as a value of another of the same size: `*(int *)&f`, `memcpy(&i, &f, 4)`. Nothing is
    /// converted but the address of a pointer.
    pub(crate) fn reinterpret(&mut self, value: Value, from: &Ty, ty: &Ty, range: Range) -> Value {
        if from == ty {
            return value;
        }
        match (ty, value) {
            (Ty::Scalar(to), Value::Term(term)) => Value::Term(self.bits_as(term, *to)),
            (Ty::Struct(_), value @ (Value::Struct(_) | Value::Term(_))) => {
                let mut known = BTreeMap::new();
                self.spread(&value, from, 0, &mut known);
                match self.gather(ty, 0, &known, range) {
                    Some(value) => value,
                    None => self.unknown_value(ty, "bytes of another type", range),
                }
            }
            (_, value) => self.convert(value, ty, range),
        }
    }

    /// The bits of a number as one of another type of the same width.
    pub(crate) fn bits_as(&mut self, term: TermId, ty: CType) -> TermId {
        self.number_as(term, ty, |from| format!("bits of {from} as {ty}"))
    }

    /// A number in another type: exact between integers, else a function of this name.
    fn number_as(&mut self, term: TermId, ty: CType, name: impl FnOnce(CType) -> String) -> TermId {
        let from = self.facts.terms.ty(term);
        if from == ty {
            term
        } else if from.is_integer() && ty.is_integer() {
            self.facts.terms.cast(term, ty)
        } else {
            self.pure(&name(from), ty, &[term])
        }
    }

    /// Conversion of a value to a type, as by initialisation or a cast.
    pub(crate) fn convert(&mut self, value: Value, ty: &Ty, range: Range) -> Value {
        match (ty, value) {
            (Ty::Scalar(to), Value::Term(term)) => Value::Term(self.cast_term(term, *to)),
            (Ty::Bits(bits), value) => {
                let value = self.convert(value, &Ty::Scalar(bits.ctype), range);
                match value {
                    Value::Term(term) => Value::Term(self.cut(term, bits)),
                    other => other,
                }
            }
            (Ty::Scalar(to), Value::Pointer(pointer)) => {
                let address = self.address(&pointer, range);
                Value::Term(self.cast_term(address, *to))
            }
            (
                Ty::Scalar(to),
                value @ (Value::Struct(_) | Value::Local(_) | Value::Function(_) | Value::Unknown),
            ) => {
                let term = self.term_of(&value, range);
                Value::Term(self.cast_term(term, *to))
            }
            (Ty::Struct(class), value @ (Value::Term(_) | Value::Pointer(_))) => {
                match self.converting_constructor(&value, class, range) {
                    Some(value) => value,
                    None => value,
                }
            }
            // `std::pair<unsigned char, int> p = q;` of other types: member by member.
            (Ty::Struct(class), Value::Struct(parts)) if class.is_of_library_template() => {
                let fields = class.fields();
                let agree = fields.len() == parts.len()
                    && fields
                        .iter()
                        .zip(parts.iter())
                        .all(|((field, ..), (part, _))| field == part);
                if !agree {
                    return Value::Struct(parts);
                }
                let converted =
                    fields
                        .into_iter()
                        .zip(parts.iter())
                        .map(|((name, ty, _), part)| {
                            let value = self.convert(part.1.clone(), &ty, range);
                            (name, value)
                        });
                Value::Struct(Rc::new(converted.collect()))
            }
            (Ty::Pointer(element), Value::Pointer(mut pointer)) => {
                // `B *p = &c` of a class with the base B: to where B lies in it, and back.
                if let (Ty::Struct(from), Ty::Struct(to)) = (&pointer.element, &**element) {
                    let moved = match (base_offset(from, to), base_offset(to, from)) {
                        (Some(offset), _) => i128::from(offset),
                        (None, Some(offset)) => -i128::from(offset),
                        (None, None) => 0,
                    };
                    if moved != 0 {
                        let moved = self.moved_by(pointer.targets.clone(), moved);
                        for (target, moved) in pointer.targets.iter_mut().zip(moved) {
                            if !matches!(target.base, Base::Null) {
                                *target = moved;
                            }
                        }
                    }
                }
                // A pointer to `void` keeps the element type that it was made with until it is cast back.
                pointer.element = Ty::clone(element);
                Value::Pointer(pointer)
            }
            (Ty::Pointer(element), Value::Term(term)) => {
                if let Some(pointer) = self.pointer_of(term) {
                    let element = Ty::clone(element);
                    return Value::Pointer(Pointer { element, ..pointer });
                }
                let null = self.facts.terms.as_const(term) == Some(0);
                let base = if null { Base::Null } else { Base::Unknown };
                Value::Pointer(self.pointer(base, Ty::clone(element)))
            }
            (Ty::Pointer(element), Value::Unknown | Value::Uninitialised) => {
                Value::Pointer(self.pointer(Base::Unknown, Ty::clone(element)))
            }
            (Ty::Opaque { bytes: None, .. }, value) if !super::typing::is_unknown(ty) => {
                self.convert_to_any(value, ty, range)
            }
            (Ty::Opaque { bytes: _, .. }, Value::Term(term)) => {
                Value::Term(self.cast_term(term, CType::Opaque))
            }
            (_, value) => value,
        }
    }

    /// Conversion of a value to a type that is not known: of the result nothing is known but that it depends on the value.
    /// `auto` is no conversion.
    pub(crate) fn convert_to_any(&mut self, value: Value, ty: &Ty, range: Range) -> Value {
        match (ty, value) {
            (Ty::Opaque { name, bytes: None }, Value::Term(term))
                if !super::typing::is_unknown(ty) =>
            {
                let from = self.facts.terms.ty(term);
                // Another place, or another instance, may mean another type by the same name.
                let instance = self.instance_of_function();
                let what = format!(
                    "conversion from {from} to `{name}` at {}{instance}",
                    range.start
                );
                Value::Term(self.pure(&what, CType::Opaque, &[term]))
            }
            (_, value) => value,
        }
    }

    /// What a bit field holds of a number, as the value that it has in expressions.
    pub(crate) fn cut(&mut self, term: TermId, bits: &Bits) -> TermId {
        let wide = if bits.ctype.is_signed() {
            CType::I64
        } else {
            CType::U64
        };
        let term = self.cast_term(term, CType::U64);
        let lost = self
            .facts
            .terms
            .constant(i128::from(64 - bits.width), CType::I32);
        let term = self.facts.terms.binary(Op::Shl, CType::U64, term, lost);
        let term = self.cast_term(term, wide);
        let term = self.facts.terms.binary(Op::Shr, wide, term, lost);
        self.cast_term(term, bits.promoted())
    }

    /// A pointer to the start of a base.
    pub(crate) fn pointer(&mut self, base: Base, element: Ty) -> Pointer {
        let offset = self.long(0);
        Pointer {
            targets: vec![Target {
                condition: None,
                base,
                offset,
            }],
            element,
        }
    }

    /// A pointer as a number: an uninterpreted function of its offset, one for each base.
    fn address(&mut self, pointer: &Pointer, range: Range) -> TermId {
        let mut value: Option<TermId> = None;
        for target in pointer.targets.iter().rev() {
            let one = match target.base {
                Base::Null => self.facts.terms.constant(0, CType::U64),
                Base::Unknown => {
                    self.unknown("pointer that is not understood", range, CType::U64, true)
                }
                Base::Array(array) => {
                    let name = format!("address of {}", self.facts.array[array.index()].name);
                    // The shared arrays of two blocks have equal addresses, local ones of two threads too.
                    self.pure(&name, CType::U64, &[target.offset])
                }
                Base::Variable(var) => {
                    let name = format!("address of {}", self.variables[var.0 as usize].0);
                    self.pure(&name, CType::U64, &[target.offset])
                }
            };
            value = Some(match (value, target.condition) {
                (Some(rest), Some(condition)) => self.facts.terms.ite(condition, one, rest),
                _ => one,
            });
        }
        let value = value.unwrap_or_else(|| {
            self.unknown("pointer that is not understood", range, CType::U64, true)
        });
        if self.facts.terms.as_const(value).is_none() {
            let known = self
                .addresses
                .entry(value)
                .or_insert_with(|| Some(pointer.clone()));
            let same = known
                .as_ref()
                .is_some_and(|known| known.targets == pointer.targets);
            if !same {
                *known = None;
            }
        }
        value
    }

    /// The pointer that a number is: `(T *)((uintptr_t)p + n)`.
    pub(crate) fn pointer_of(&mut self, term: TermId) -> Option<Pointer> {
        match self.known_pointer_of(term) {
            None if self.find_passed_address(term) => self.known_pointer_of(term),
            known => known,
        }
    }

    /// The same of addresses that are known.
    fn known_pointer_of(&mut self, term: TermId) -> Option<Pointer> {
        let wide = |ty: CType| matches!(ty, CType::I64 | CType::U64);
        let narrow = |ty: CType| matches!(ty, CType::I32 | CType::U32);
        let mut term = term;
        let mut is_cut = false;
        loop {
            let node = self.facts.terms.get(term);
            match (node.op, node.args.as_slice()) {
                _ if self.addresses.contains_key(&term) => break,
                (Op::Cast, &[inner]) if wide(node.ty) && wide(self.facts.terms.ty(inner)) => {
                    term = inner;
                }
                // An address of shared memory is a number of 32 bits.
                (Op::Cast, &[inner]) if narrow(node.ty) || narrow(self.facts.terms.ty(inner)) => {
                    is_cut |= narrow(node.ty);
                    term = inner;
                }
                _ => break,
            }
        }
        let found = self.pointer_of_number(term)?;
        let in_shared = |target: &Target| match target.base {
            Base::Array(array) => {
                self.facts.array[array.index()].space == Space::Shared
                    || self
                        .cluster_arrays
                        .values()
                        .any(|elsewhere| *elsewhere == array)
            }
            _ => false,
        };
        let is_narrow = is_cut || narrow(self.facts.terms.ty(term));
        (!is_narrow || found.targets.iter().all(in_shared)).then_some(found)
    }

    /// The same for a number that is no conversion of another.
    fn pointer_of_number(&mut self, term: TermId) -> Option<Pointer> {
        let counts = |ty: CType| matches!(ty, CType::I64 | CType::U64 | CType::I32 | CType::U32);
        if let Some(known) = self.addresses.get(&term) {
            let pointer = known.clone()?;
            let known = |target: &Target| target.base != Base::Unknown;
            return pointer.targets.iter().all(known).then_some(pointer);
        }
        let node = self.facts.terms.get(term);
        let (op, ty) = (node.op, node.ty);
        let &[left, right] = node.args.as_slice() else {
            return None;
        };
        if !matches!(op, Op::Add | Op::Sub) || !counts(ty) {
            return None;
        }
        let number = |me: &Self, term: TermId| {
            let inside = me.facts.terms.reachable(&[term]);
            inside
                .into_iter()
                .all(|one| !me.addresses.contains_key(&one))
        };
        let (base, count) = if number(self, right) {
            (left, right)
        } else if op == Op::Add && number(self, left) {
            (right, left)
        } else {
            return None;
        };
        let mut pointer = self.known_pointer_of(base)?;
        // In 32 bits what is subtracted may be a large number that is added.
        let count = match ty {
            CType::U32 => self.facts.terms.cast(count, CType::I32),
            _ => count,
        };
        let count = self.facts.terms.cast(count, CType::I64);
        for target in &mut pointer.targets {
            if target.base != Base::Null {
                target.offset = self
                    .facts
                    .terms
                    .binary(op, CType::I64, target.offset, count);
            }
        }
        Some(pointer)
    }

    /// The value of a variable after a join: `then` when the condition holds, `otherwise` when not.
    pub(crate) fn merge(&mut self, condition: TermId, then: &Value, otherwise: &Value) -> Value {
        if then == otherwise {
            return then.clone();
        }
        match (then, otherwise) {
            // Reading an uninitialised variable is undefined, so the other value may be assumed.
            (Value::Uninitialised, other) | (other, Value::Uninitialised) => other.clone(),
            (&Value::Term(then), &Value::Term(otherwise)) => {
                let ty = self.facts.terms.ty(then);
                if ty == self.facts.terms.ty(otherwise) {
                    Value::Term(self.facts.terms.ite(condition, then, otherwise))
                } else {
                    Value::Unknown
                }
            }
            (Value::Pointer(then), Value::Pointer(otherwise)) => {
                Value::Pointer(self.merge_pointers(condition, then, otherwise))
            }
            (Value::Function(then), Value::Function(otherwise)) => {
                match Callable::either(condition, then, otherwise) {
                    Some(either) => Value::Function(Rc::new(either)),
                    None => Value::Unknown,
                }
            }
            // Groups of threads are told apart by the name of their member.
            (Value::Struct(then), Value::Struct(otherwise))
                if then.len() == otherwise.len()
                    && then
                        .iter()
                        .zip(otherwise.iter())
                        .all(|(one, other)| one.0 == other.0) =>
            {
                let fields =
                    then.iter()
                        .zip(otherwise.iter())
                        .map(|((name, then), (_, otherwise))| {
                            (name.clone(), self.merge(condition, then, otherwise))
                        });
                Value::Struct(Rc::new(fields.collect()))
            }
            (Value::Local(then), Value::Local(otherwise))
                if then.array == otherwise.array
                    || (then.element == otherwise.element && then.bytes == otherwise.bytes) =>
            {
                let mut known = std::collections::BTreeMap::new();
                for (&offset, value) in then.known.iter() {
                    if let Some(other) = otherwise.known.get(&offset) {
                        known.insert(offset, self.merge(condition, value, other));
                    }
                }
                Value::Local(LocalArray {
                    known: Rc::new(known),
                    ..then.clone()
                })
            }
            _ => Value::Unknown,
        }
    }

    fn merge_pointers(
        &mut self,
        condition: TermId,
        then: &Pointer,
        otherwise: &Pointer,
    ) -> Pointer {
        if let ([one], [other]) = (then.targets.as_slice(), otherwise.targets.as_slice())
            && one.base == other.base
        {
            let offset = self.facts.terms.ite(condition, one.offset, other.offset);
            let target = Target {
                condition: None,
                base: one.base,
                offset,
            };
            return Pointer {
                targets: vec![target],
                element: then.element.clone(),
            };
        }
        let negated = self.facts.terms.not(condition);
        let mut targets = Vec::new();
        for (guard, pointer) in [(condition, then), (negated, otherwise)] {
            for target in &pointer.targets {
                let condition = match target.condition {
                    Some(inner) => self.facts.terms.and(guard, inner),
                    None => guard,
                };
                targets.push(Target {
                    condition: Some(condition),
                    ..target.clone()
                });
            }
        }
        // Conditions multiply at every join: a pointer of many targets is given up.
        if targets.len() > 16 {
            return self.pointer(Base::Unknown, then.element.clone());
        }
        Pointer {
            targets,
            element: then.element.clone(),
        }
    }

    /// The environment after a join.
    pub(crate) fn merge_env(&mut self, condition: TermId, then: &Env, otherwise: &Env) -> Env {
        if then.same(otherwise) {
            return then.clone();
        }
        // Variables beyond the shorter environment are out of scope after the join.
        let len = then.len().min(otherwise.len());
        let mut merged = otherwise.clone();
        for index in 0..len {
            let var = VarId(u32::try_from(index).unwrap_or(u32::MAX));
            if then.get(var) != otherwise.get(var) {
                let value = self.merge(condition, then.get(var), otherwise.get(var));
                merged.set(var, value);
            }
        }
        merged
    }

    /// Arithmetic common type of two operands, after conversion of both.
    pub(crate) fn usual(&mut self, left: TermId, right: TermId) -> (TermId, TermId, CType) {
        let ty = self.facts.terms.ty(left).common(self.facts.terms.ty(right));
        (self.cast_term(left, ty), self.cast_term(right, ty), ty)
    }

    /// Reports an access through something that cannot be followed.
    pub(crate) fn lost_access(&mut self, range: Range, why: &str) {
        self.unsupported(range, "memory access", why, Effect::Access);
    }
}
