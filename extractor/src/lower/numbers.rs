//! Addresses that a kernel is passed as numbers: `long long a_addr`, used as `reinterpret_cast<float *>(a_addr)[i]`.
//!
//! A number of 64 bits that the kernel gets and makes a pointer of is the address of an array of its own, as a parameter that is a
//! pointer is; that is an assumption of the verdict, which names the parameter. Where host code shows which allocation the number is
//! the address in, it is that one, as many bytes behind its beginning as host code adds.
//!
//! **Algorithm.** Of the sum that is made a pointer, exactly one addend must be such a number; it is the address, and the rest an
//! offset in bytes. A sum in which another addend may be an address, of which nothing is known but that it is a number of 64 bits, is left alone.
//!
//! **Accuracy.** Nothing is taken for an address that is only counted with. Two numbers that are one address in a launch
//! that is not shown are taken for two, which is what the assumption says.

use std::collections::BTreeMap;
use std::rc::Rc;

use warplog_facts::words::{Space, SymbolKind};
use warplog_facts::{ArrayId, CType, Op, TermId};

use super::body::Lowerer;
use super::host::Argument;
use super::types::{Extent, Ty};
use super::value::*;
use crate::syntax::ast::{BinaryOp, Range};

/// A number that the kernel is passed.
#[derive(Clone, Debug)]
pub(crate) struct PassedNumber {
    name: String,
    range: Range,
    /// An array of the allocation whose address it is, if host code tells.
    known: Option<ArrayId>,
    /// It is the address of a known allocation, of which the kernel has no pointer, or is not known.
    allocation: Option<String>,
    /// How many bytes behind the beginning of the allocation it is; none at it.
    bytes: Option<TermId>,
}

/// The allocation that a number is an address in, and how many bytes behind its beginning: a pointer, to which numbers may have been
/// added.
fn address(argument: &Argument) -> Option<(&str, Option<Argument>)> {
    match argument {
        Argument::Pointer { allocation, bytes } => Some((allocation, bytes.as_deref().cloned())),
        Argument::Cast(ty, inner) if is_wide(*ty) => address(inner),
        Argument::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), left, right) => {
            let ((allocation, bytes), by) = match (address(left), address(right)) {
                (Some(found), None) => (found, right),
                (None, Some(found)) if *op == BinaryOp::Add => (found, left),
                _ => return None,
            };
            let before = bytes.unwrap_or(Argument::Constant(0, CType::I64));
            let by = Argument::Cast(CType::I64, by.clone());
            let bytes = Argument::Binary(*op, Box::new(before), Box::new(by));
            Some((allocation, Some(bytes)))
        }
        _ => None,
    }
}

/// Whether a type holds addresses.
fn is_wide(ty: CType) -> bool {
    matches!(ty, CType::I64 | CType::U64)
}

impl Lowerer<'_, '_> {
    /// The address at which an allocation of the host begins, as a number.
    pub(super) fn begin_of_allocation(&mut self, allocation: &str) -> TermId {
        let name = format!("pointer {allocation}");
        self.symbol(SymbolKind::Opaque, &name, CType::U64)
    }

    /// Takes down a number of 64 bits that the kernel is passed.
    pub(super) fn note_passed_number(
        &mut self,
        term: TermId,
        name: &str,
        argument: Option<&Argument>,
        range: Range,
    ) {
        let terms = &self.facts.terms;
        if !is_wide(terms.ty(term)) || terms.as_const(term).is_some() {
            return;
        }
        let (allocation, bytes) = match argument.and_then(address) {
            Some((allocation, bytes)) => (Some(allocation.to_owned()), bytes),
            None => (None, None),
        };
        let bytes = bytes.map(|bytes| self.argument_term(&bytes, CType::I64));
        if let Some(allocation) = &allocation {
            // What is computed of the number may be seen as the beginning and a larger offset.
            let begin = self.begin_of_allocation(allocation);
            self.passed_numbers.entry(begin).or_insert(PassedNumber {
                name: name.to_owned(),
                range,
                known: None,
                allocation: Some(allocation.clone()),
                bytes: None,
            });
        }
        self.passed_numbers.entry(term).or_insert(PassedNumber {
            name: name.to_owned(),
            range,
            known: None,
            allocation,
            bytes,
        });
    }

    /// Tells the numbers that are addresses in allocations which pointers to them the kernel has, once all parameters are bound.
    pub(super) fn know_passed_numbers(&mut self, named: &BTreeMap<String, ArrayId>) {
        for number in self.passed_numbers.values_mut() {
            let array = number.allocation.as_ref().and_then(|name| named.get(name));
            number.known = number.known.or(array.copied());
        }
    }

    /// The array behind the one addend of a sum that is an address, if it is told which; the sum is a pointer then.
    pub(super) fn find_passed_address(&mut self, sum: TermId) -> bool {
        if self.passed_numbers.is_empty() {
            return false;
        }
        let mut addends = Vec::new();
        if !self.addends(sum, &mut addends) {
            return false;
        }
        let (passed, rest): (Vec<TermId>, Vec<TermId>) = addends
            .into_iter()
            .partition(|term| self.passed_numbers.contains_key(term));
        let [address] = passed.as_slice() else {
            return false;
        };
        let address = *address;
        let only_counts = |me: &Self, term: TermId| {
            let terms = &me.facts.terms;
            let inner = terms.get(term);
            let may_be_address = inner.unknown().is_some() && is_wide(inner.ty);
            let inside = terms.reachable(&[term]);
            !may_be_address && inside.iter().all(|one| !me.addresses.contains_key(one))
        };
        if self.addresses.contains_key(&address)
            || !rest.iter().all(|&term| only_counts(self, term))
        {
            return false;
        }
        let Some(number) = self.passed_numbers.get(&address).cloned() else {
            return false;
        };
        let object = Ty::Array(Rc::new(Ty::Scalar(CType::U8)), Extent::Unknown);
        let array = self.array(&number.name, Space::Global, &object, number.range);
        let bytes = number.bytes;
        if number.known.is_none() {
            self.assumption(&format!(
                "`{}`, an address that is passed as a number, leads to an array of its own",
                number.name
            ));
        }
        match (number.known, number.allocation) {
            (Some(known), _) => {
                let storage = self.facts.array[known.index()].storage;
                self.facts.relations.array[array.index()].storage = storage;
            }
            (None, Some(allocation)) => {
                let same = self.passed_numbers.values_mut();
                for other in same.filter(|one| one.allocation.as_ref() == Some(&allocation)) {
                    other.known = Some(array);
                }
            }
            (None, None) => {}
        }
        let mut pointer = self.pointer(Base::Array(array), Ty::Scalar(CType::U8));
        if let Some(bytes) = bytes {
            for target in &mut pointer.targets {
                let terms = &mut self.facts.terms;
                target.offset = terms.binary(Op::Add, CType::I64, target.offset, bytes);
            }
        }
        self.addresses.insert(address, Some(pointer));
        true
    }

    /// The addends of a sum of numbers of 64 bits; false where one is subtracted that may be an address.
    fn addends(&self, term: TermId, found: &mut Vec<TermId>) -> bool {
        let node = self.facts.terms.get(term);
        if self.passed_numbers.contains_key(&term) || !is_wide(node.ty) {
            found.push(term);
            return true;
        }
        match (node.op, node.args.as_slice()) {
            (Op::Cast, &[inner]) if is_wide(self.facts.terms.ty(inner)) => {
                self.addends(inner, found)
            }
            (Op::Add, &[left, right]) => self.addends(left, found) && self.addends(right, found),
            (Op::Sub, &[left, right]) => {
                let mut taken = Vec::new();
                let plain = self.addends(right, &mut taken)
                    && taken
                        .iter()
                        .all(|one| !self.passed_numbers.contains_key(one));
                found.extend(taken);
                plain && self.addends(left, found)
            }
            _ => {
                found.push(term);
                true
            }
        }
    }
}
