//! What the elements of an array are like when the kernel begins: pairwise different, in order, between bounds.
//!
//! Nobody checks it: it is assumed of every launch, and listed. `__distinct(p)`, `__sorted(p)`, `__strictly_increasing(p)`,
//! `__offsets(p)` (in order, from 0 on: rows of a compressed matrix), `__permutation(p)` (different, from 0 on) and
//! `__bounded(p, least, most)` with constants; as comments without the underscores.

use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::value::*;
use crate::syntax::ast::{Expr, Range};

/// A property of the elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Property {
    Distinct,
    Sorted,
    StrictlyIncreasing,
    Offsets,
    Permutation,
    Bounded(i128, i128),
}

/// The names of those without arguments.
pub(super) const NAMES: [(&str, Property); 5] = [
    ("distinct", Property::Distinct),
    ("sorted", Property::Sorted),
    ("strictly_increasing", Property::StrictlyIncreasing),
    ("offsets", Property::Offsets),
    ("permutation", Property::Permutation),
];

/// The property of this name, without underscores.
pub(super) fn named(name: &str) -> Option<Property> {
    let found = NAMES.iter().find(|(other, _)| *other == name);
    found.map(|(_, property)| *property)
}

/// Whether a function says something of the elements of an array.
pub(super) fn is_property(name: &str) -> bool {
    let name = name.strip_prefix("__").unwrap_or_default();
    name == "bounded" || named(name).is_some()
}

impl Lowerer<'_, '_> {
    /// `__sorted(p)`, `__bounded(p, 0, 15)`.
    pub(crate) fn property(&mut self, name: &str, args: &[Expr], range: Range) {
        let short = name.strip_prefix("__").unwrap_or(name);
        let property = match (named(short), args) {
            (Some(property), [_]) => Some(property),
            (None, [_, least, most]) => {
                let [least, most] = [least, most].map(|bound| {
                    let value = self.expr(bound);
                    let term = self.integer_of(&value, bound.range);
                    self.facts.terms.as_const(term)
                });
                least
                    .zip(most)
                    .map(|(least, most)| Property::Bounded(least, most))
            }
            _ => None,
        };
        let Some(property) = property else {
            let text = format!("`{name}` takes an array and two constants");
            self.contract_error(range, &text);
            return;
        };
        let Some(pointer) = args.first() else { return };
        let value = self.expr(pointer);
        match array_of(&value) {
            Some(array) => self.say(array, property, pointer.range),
            None => {
                let text = format!("`{name}` takes an array");
                self.contract_error(pointer.range, &text);
            }
        }
    }

    /// Assumes a property of an array.
    pub(super) fn say(&mut self, array: ArrayId, property: Property, range: Range) {
        match property {
            Property::Distinct => self.say_distinct(array, range),
            Property::Sorted => self.say_ordered(array, false, range),
            Property::StrictlyIncreasing => {
                self.say_ordered(array, true, range);
                self.say_distinct(array, range);
            }
            Property::Offsets => {
                self.say_ordered(array, false, range);
                self.say_bounds(array, (0, MOST), range);
            }
            Property::Permutation => {
                self.say_distinct(array, range);
                self.say_bounds(array, (0, MOST), range);
            }
            Property::Bounded(least, most) => self.say_bounds(array, (least, most), range),
        }
    }

    fn say_distinct(&mut self, array: ArrayId, range: Range) {
        let mut rows = self.facts.distinct_elements.iter();
        if rows.any(|row| row.array == array) {
            return;
        }
        let span = self.span(range);
        self.facts
            .distinct_elements
            .push(DistinctElementsRow { array, span });
        let name = self.facts.array[array.index()].name.clone();
        self.assumption(&format!("the elements of {name} are pairwise different"));
    }

    fn say_ordered(&mut self, array: ArrayId, strictly: bool, range: Range) {
        let span = self.span(range);
        let name = self.facts.array[array.index()].name.clone();
        let mut rows = self.facts.ordered_elements.iter_mut();
        match rows.find(|row| row.array == array) {
            Some(row) if row.strictly || !strictly => return,
            Some(row) => row.strictly = true,
            None => self.facts.ordered_elements.push(OrderedElementsRow {
                array,
                strictly,
                span,
            }),
        }
        let order = if strictly {
            "grow with each"
        } else {
            "never become smaller"
        };
        self.assumption(&format!("the elements of {name} {order}"));
    }

    fn say_bounds(&mut self, array: ArrayId, (least, most): (i128, i128), range: Range) {
        let span = self.span(range);
        let name = self.facts.array[array.index()].name.clone();
        let mut rows = self.facts.bounded_elements.iter_mut();
        let row = rows.find(|row| row.array == array);
        let both = match &row {
            Some(row) => (row.least.max(least), row.most.min(most)),
            None => (least, most),
        };
        if both.0 > both.1 {
            // It is not assumed, or whatever is asked would be proved.
            let text = format!(
                "no element of `{name}` lies between {} and {}",
                both.0, both.1
            );
            self.contract_error(range, &text);
            return;
        }
        match row {
            Some(row) => (row.least, row.most) = both,
            None => self.facts.bounded_elements.push(BoundedElementsRow {
                array,
                least,
                most,
                span,
            }),
        }
        let text = match most {
            MOST => format!("the elements of {name} are not negative"),
            _ => format!("the elements of {name} lie between {least} and {most}"),
        };
        self.assumption(&text);
    }
}

/// No bound, of any type.
const MOST: i128 = i64::MAX as i128;

/// The array that a pointer leads to.
fn array_of(pointer: &Value) -> Option<ArrayId> {
    let Value::Pointer(pointer) = pointer else {
        return None;
    };
    let [target] = pointer.targets.as_slice() else {
        return None;
    };
    match target.base {
        Base::Array(array) => Some(array),
        _ => None,
    }
}
