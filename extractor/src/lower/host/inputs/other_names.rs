//! Variables that are only other names of arrays that are followed: `int *p = raw_pointer_cast(v.data());`,
//! `thrust::device_ptr<int> p(d);`, `auto first = v.begin();`.
//!
//! **Contract.** Such a variable is set where it is declared and never again, to the first element of one array; whatever mentions
//! it is understood as a mention of the array is, or neither is followed. What the array has is given to it before: so nothing
//! makes the array lead elsewhere while the variable can be used, as the variable is declared anew when its declaration is met again.

use std::collections::{BTreeMap, BTreeSet};

use super::mentions::{Array, Followed};
use super::names::Names;
use crate::lower::unit::UnitIndex;
use crate::syntax::ast::*;

/// What is known of such variables.
#[derive(Debug, Default)]
pub(super) struct OtherNames<'u> {
    /// The array, and where the variable is declared.
    of: BTreeMap<&'u str, (&'u str, usize)>,
    /// Where in the text an array is last given what it has, its declaration apart.
    given: BTreeMap<&'u str, usize>,
}

impl<'u> OtherNames<'u> {
    pub(super) fn add(&mut self, name: &'u str, array: &'u str, at: Range) {
        self.of.insert(name, (array, at.start as usize));
    }

    pub(super) fn given(&mut self, array: &'u str, at: Range) {
        let last = self.given.entry(array).or_default();
        *last = (*last).max(at.start as usize);
    }

    pub(super) fn contains(&self, name: &str) -> bool {
        self.of.contains_key(name)
    }

    /// The array of which a variable is another name.
    pub(super) fn array_of(&self, name: &str) -> Option<&'u str> {
        self.of.get(name).map(|(array, _)| *array)
    }

    /// Arrays that must not be followed since another name of them is not, or may lead elsewhere.
    pub(super) fn broken(&self, is_whole: &dyn Fn(&str) -> bool) -> BTreeSet<&'u str> {
        let broken = self.of.iter().filter(|(name, (array, at))| {
            let is_behind = self.given.get(array).is_none_or(|given| given < at);
            !is_whole(name) || !is_behind
        });
        broken.map(|(_, (array, _))| *array).collect()
    }

    pub(super) fn retain(&mut self, is_followed: &dyn Fn(&str) -> bool) {
        self.of.retain(|_, (array, _)| is_followed(array));
    }
}

/// The only argument of an initialiser.
fn only(init: &Init) -> Option<&Expr> {
    match init {
        Init::Expr(one) => Some(one),
        Init::Call(args) => match args.as_slice() {
            [one] => Some(one),
            _ => None,
        },
        Init::List(list) => match &list.kind {
            ExprKind::InitList(items) => match items.as_slice() {
                [one] => Some(one),
                _ => None,
            },
            _ => Some(list),
        },
        Init::None => None,
    }
}

impl<'u> Followed<'u> {
    /// The array of which a declared variable is another name.
    pub(super) fn named_again(
        &self,
        index: &UnitIndex<'u>,
        ty: &'u Type,
        init: &'u Init,
    ) -> Option<&'u str> {
        let array = self.begin(only(init)?)?;
        let element = self.arrays.get(array)?.element;
        let is_pointer = match &ty.kind {
            TypeKind::Auto => matches!(init, Init::Expr(_)),
            TypeKind::Pointer(to) => {
                let same = to.scalar() == Some(element) || matches!(to.kind, TypeKind::Auto);
                same && !to.is_volatile
            }
            TypeKind::Named(name) => {
                is_device_pointer(index, &self.names, name) && element_of(name) == Some(element)
            }
            _ => false,
        };
        is_pointer.then_some(array)
    }

    /// The name of the array that a variable is another name of, or its own name.
    pub(super) fn own_name<'n>(&self, name: &'n str) -> &'n str
    where
        'u: 'n,
    {
        self.other_names.array_of(name).unwrap_or(name)
    }

    pub(super) fn array(&self, name: &str) -> Option<(&'u str, Array<'u>)> {
        let own = self.own_name(name);
        let (own, array) = self.arrays.get_key_value(own)?;
        let mut array = *array;
        if self.other_names.contains(name) {
            array.is_container = false;
            array.in_place = false;
        }
        Some((own, array))
    }
}

/// `thrust::device_ptr`
pub(super) fn is_device_pointer<'u>(index: &UnitIndex<'u>, names: &Names<'u>, name: &Name) -> bool {
    let first = name.qualifier.first().map(|segment| segment.name.as_str());
    name.base == "device_ptr"
        && matches!(first, None | Some("thrust"))
        && names.is_library(index, name)
}

/// The type of what it points to.
pub(super) fn element_of(name: &Name) -> Option<Scalar> {
    match name.args.as_deref() {
        Some([TemplateArg::Type(element)]) => element.scalar(),
        _ => None,
    }
}
