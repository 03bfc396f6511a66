//! The order of declaration: what a name at a place of the text may mean stands before it.
//!
//! `T f(); namespace n { auto g() { return f(); } T f(); }`: the call in `g` means the outer `f`. Inside a class all of its
//! members are seen, so that a member counts as declared where the outermost class around it is. Places are positions of the
//! expanded text, by which headers and macros are in order too. A name without a place sees everything.

use rustc_hash::FxHashMap;

use super::body::Lowerer;
use super::types::TypeScope;
use super::unit::enclosing;
use crate::syntax::ast::*;

/// Where the classes of a unit are declared first, by their qualified names.
#[derive(Default)]
pub(crate) struct Order<'u> {
    classes: FxHashMap<&'u str, u32>,
}

impl<'u> Order<'u> {
    pub(crate) fn new(unit: &'u Unit) -> Self {
        let mut classes = FxHashMap::default();
        for record in &unit.structs {
            let first = classes
                .entry(record.name.as_str())
                .or_insert(record.range.start);
            *first = record.range.start.min(*first);
        }
        Order { classes }
    }

    /// Whether an entity that is declared at `declared` is seen at a place.
    pub(crate) fn is_seen(&self, qualified: &str, declared: Range, place: Range) -> bool {
        if place == Range::default() || declared.start < place.start {
            return true;
        }
        let mut around = qualified;
        while !around.is_empty() {
            let first = self.classes.get(around);
            if first.is_some_and(|first| *first < place.start) {
                return true;
            }
            around = enclosing(around);
        }
        false
    }
}

impl Lowerer<'_, '_> {
    /// Whether the text at this place is that of a template, or of a member of one.
    pub(crate) fn is_instance(&self) -> bool {
        let scope = self.scope();
        let mut around = scope.class.clone();
        let mut of_template = !scope.types.is_empty() || !scope.values.is_empty();
        while let Some(instance) = around.as_ref().and_then(|class| class.class.as_ref()) {
            of_template |= !instance.args.is_empty();
            around = instance.around.clone();
        }
        of_template
    }
}

/// The functions that are declared before a place, if any is: by themselves or by a prototype.
pub(crate) fn visible_at<'u>(functions: &[&'u Function], place: Range) -> Vec<&'u Function> {
    let before = |function: &&'u Function| function.range.start < place.start;
    if place == Range::default() || !functions.iter().any(before) {
        return functions.to_vec();
    }
    let announced = |function: &&'u Function| {
        functions.iter().any(|other| {
            before(other) && other.body.is_none() && other.params.len() == function.params.len()
        })
    };
    // A specialisation is that of the template before it.
    let special = |function: &Function| function.template.as_ref().is_some_and(Vec::is_empty);
    let visible = functions.iter().copied();
    visible
        .filter(|function| {
            // The members of a class see all that stands in it.
            let friend = function.quals.friend;
            before(function) || announced(function) || special(function) || friend
        })
        .collect()
}

/// Functions at namespace scope with the names in force around them.
pub(crate) fn with_scopes<'u>(functions: &[&'u Function]) -> Vec<(&'u Function, TypeScope)> {
    let around = |function: &'u Function| TypeScope {
        path: enclosing(&function.qualified).to_owned(),
        ..TypeScope::default()
    };
    let all = functions.iter().copied();
    all.map(|function| (function, around(function))).collect()
}
