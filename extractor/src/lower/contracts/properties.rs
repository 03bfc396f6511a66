//! What the elements of an array are like when the kernel begins: pairwise different, in order, between bounds.
//!
//! Nobody checks it: it is assumed of every launch, and listed. `__distinct(p)`, `__sorted(p)`, `__strictly_increasing(p)`,
//! `__offsets(p)` (in order, from 0 on: rows of a compressed matrix), `__permutation(p)` (different, from 0 on) and
//! `__bounded(p, least, most)` with constants; as comments without the underscores.

use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::host::{Argument, Launch};
use super::super::value::*;
use crate::syntax::ast::{Expr, Range};

/// A property of the elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Property {
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
            Some(array) => self.say(array, property, &Grounds::at(pointer.range)),
            None => {
                let text = format!("`{name}` takes an array");
                self.contract_error(pointer.range, &text);
            }
        }
    }

    /// What host code made of the elements of an array that it passes.
    pub(crate) fn contents_of_parameter(
        &mut self,
        (position, launch): (usize, &Launch),
        value: &Value,
        range: Range,
    ) {
        let own = launch
            .contents
            .iter()
            .filter(|one| one.position == position);
        for one in own {
            let Some(array) = first_element_of(value, self) else {
                continue;
            };
            if matches!(one.count, Argument::Unknown(_)) {
                continue;
            }
            let count = self.argument_term(&one.count, CType::I64);
            let shown = warplog_facts::show::show(self.facts, count);
            let sums = match one.sums {
                true => "; sums do not wrap",
                false => "",
            };
            let how = format!(
                "the first `{shown}`, as host code fills it in {}{sums}",
                one.from
            );
            let said = Grounds {
                count: Some(count),
                how: Some(how),
                range,
            };
            self.say(array, one.property, &said);
        }
    }

    /// Assumes a property of an array.
    pub(super) fn say(&mut self, array: ArrayId, property: Property, said: &Grounds) {
        match property {
            Property::Distinct => self.say_distinct(array, said),
            Property::Sorted => self.say_ordered(array, false, said),
            Property::StrictlyIncreasing => {
                self.say_ordered(array, true, said);
                self.say_distinct(array, said);
            }
            Property::Offsets => {
                self.say_ordered(array, false, said);
                self.say_bounds(array, (0, MOST), said);
            }
            Property::Permutation => {
                self.say_distinct(array, said);
                self.say_bounds(array, (0, MOST), said);
            }
            Property::Bounded(least, most) => self.say_bounds(array, (least, most), said),
        }
    }

    fn say_distinct(&mut self, array: ArrayId, said: &Grounds) {
        let span = self.span(said.range);
        let count = said.count;
        let mut rows = self.facts.distinct_elements.iter_mut();
        match rows.find(|row| row.array == array) {
            Some(row) if row.elements.is_none() || count.is_some() => return,
            Some(row) => row.elements = None,
            None => self.facts.distinct_elements.push(DistinctElementsRow {
                array,
                elements: count,
                span,
            }),
        }
        self.told_of_elements(array, "are pairwise different", said);
    }

    fn say_ordered(&mut self, array: ArrayId, strictly: bool, said: &Grounds) {
        let span = self.span(said.range);
        let count = said.count;
        let mut rows = self.facts.ordered_elements.iter_mut();
        match rows.find(|row| row.array == array) {
            // Grounds of all, and of some by host code: what is said of all stays.
            Some(row) if row.elements != count => match count {
                None => (row.elements, row.strictly) = (None, strictly),
                Some(_) => return,
            },
            Some(row) if row.strictly || !strictly => return,
            Some(row) => row.strictly = true,
            None => self.facts.ordered_elements.push(OrderedElementsRow {
                array,
                strictly,
                elements: count,
                span,
            }),
        }
        let order = if strictly {
            "grow with each"
        } else {
            "never become smaller"
        };
        self.told_of_elements(array, order, said);
    }

    fn say_bounds(&mut self, array: ArrayId, (least, most): (i128, i128), said: &Grounds) {
        let span = self.span(said.range);
        let count = said.count;
        let name = self.facts.array[array.index()].name.clone();
        let mut rows = self.facts.bounded_elements.iter_mut();
        let row = rows.find(|row| row.array == array);
        let both = match &row {
            // Of fewer elements, or of others, nothing is added to what is known of all.
            Some(row) if row.elements != count => match count {
                None => (least, most),
                Some(_) => return,
            },
            Some(row) => (row.least.max(least), row.most.min(most)),
            None => (least, most),
        };
        if both.0 > both.1 {
            // It is not assumed, or whatever is asked would be proved.
            let text = format!(
                "no element of `{name}` lies between {} and {}",
                both.0, both.1
            );
            self.contract_error(said.range, &text);
            return;
        }
        match row {
            Some(row) => {
                (row.least, row.most) = both;
                row.elements = count;
            }
            None => self.facts.bounded_elements.push(BoundedElementsRow {
                array,
                least,
                most,
                elements: count,
                span,
            }),
        }
        let text = match (least, most) {
            (0, MOST) => "are not negative".to_owned(),
            (_, MOST) => format!("are at least {least}"),
            _ => format!("lie between {least} and {most}"),
        };
        self.told_of_elements(array, &text, said);
    }

    fn told_of_elements(&mut self, array: ArrayId, what: &str, said: &Grounds) {
        let name = &self.facts.array[array.index()].name;
        let how = match &said.how {
            Some(how) => format!(" ({how})"),
            None => String::new(),
        };
        let text = format!("the elements of {name} {what}{how}");
        self.assumption(&text);
    }
}

/// How something is known of the elements of an array.
pub(super) struct Grounds {
    /// Of how many elements, from the first on; of all if it is not told.
    pub count: Option<TermId>,
    /// In words, where host code shows it.
    pub how: Option<String>,
    pub range: Range,
}

impl Grounds {
    /// Grounds of all elements, in a place.
    pub(super) fn at(range: Range) -> Self {
        Grounds {
            count: None,
            how: None,
            range,
        }
    }
}

/// No bound, of any type.
pub(crate) const MOST: i128 = i64::MAX as i128;

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

/// The array to whose first element a pointer leads.
fn first_element_of(pointer: &Value, lowerer: &Lowerer<'_, '_>) -> Option<ArrayId> {
    let array = array_of(pointer)?;
    let Value::Pointer(pointer) = pointer else {
        return None;
    };
    let [target] = pointer.targets.as_slice() else {
        return None;
    };
    (lowerer.facts.terms.as_const(target.offset) == Some(0)).then_some(array)
}
