//! The declarations of a unit by their names: a question about one of them reads those of its name, not the unit.
//!
//! **Why.** A header of a library declares ten thousand classes, aliases and functions, and each instance of a template asks who
//! its members are. With a reading of all declarations for each question, the time grows with the product of both.
//!
//! **Contract.** Lists are in the order of the unit; where a question takes the first of several, it is the first that a reading of
//! the whole unit would find.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::unit::{TypeEntry, last_component};
use crate::syntax::ast::*;

/// Declarations by name, in the order of the unit.
type ByName<'u, T> = FxHashMap<&'u str, Vec<T>>;

/// See the head of the file.
#[derive(Default)]
pub(crate) struct Named<'u> {
    /// Classes by qualified name: those of the unit, then those inside functions.
    classes: ByName<'u, &'u Struct>,
    /// Classes outside of functions by qualified name, with their positions in the unit.
    structs: ByName<'u, (usize, &'u Struct)>,
    /// The same by simple name.
    structs_called: ByName<'u, &'u Struct>,
    enums_in: ByName<'u, &'u Enum>,
    globals: ByName<'u, &'u VarDecl>,
    /// Types by qualified name.
    types: ByName<'u, TypeEntry<'u>>,
    typedefs: FxHashSet<&'u str>,
    /// Members of classes, by their names.
    fields: ByName<'u, (&'u Struct, &'u VarDecl)>,
    /// Functions by the class that they belong to, and by their names in it.
    of_class: ByName<'u, &'u Function>,
    methods: FxHashMap<&'u str, ByName<'u, &'u Function>>,
    functions_at: FxHashMap<Range, usize>,
    /// The enumeration that each parameter of a function takes, as far as that was asked.
    enumerations: RefCell<FxHashMap<(Range, Range), Option<&'u Enum>>>,
    functions: &'u [Function],
    /// Using declarations and directives by what their target ends in.
    usings: ByName<'u, &'u Using>,
}

fn of<'a, T>(map: &'a FxHashMap<&str, Vec<T>>, name: &str) -> &'a [T] {
    map.get(name).map_or(&[], Vec::as_slice)
}

impl<'u> Named<'u> {
    pub(crate) fn new(unit: &'u Unit, classes: &[&'u Struct]) -> Self {
        let mut named = Named::default();
        for &record in classes {
            let of_name = named.classes.entry(record.name.as_str()).or_default();
            of_name.push(record);
            for field in &record.fields {
                let of_name = named.fields.entry(field.name.as_str()).or_default();
                of_name.push((record, field));
            }
        }
        for (position, record) in unit.structs.iter().enumerate() {
            let of_name = named.structs.entry(record.name.as_str()).or_default();
            of_name.push((position, record));
            let called = named.structs_called.entry(last_component(&record.name));
            called.or_default().push(record);
        }
        for enumeration in &unit.enums {
            let inside = named.enums_in.entry(enumeration.scope.as_str());
            inside.or_default().push(enumeration);
        }
        for global in &unit.globals {
            let of_name = named.globals.entry(global.name.as_str()).or_default();
            of_name.push(global);
        }
        let names = unit.typedefs.iter().map(|one| last_component(&one.name));
        named.typedefs = names.collect();
        named.functions = &unit.functions;
        for (position, function) in unit.functions.iter().enumerate() {
            let at = named.functions_at.entry(function.range);
            at.or_insert(position);
            if let Some(owner) = function.owner.as_deref() {
                named.of_class.entry(owner).or_default().push(function);
                if !function.quals.friend {
                    let methods = named.methods.entry(owner).or_default();
                    let of_name = methods.entry(function.name.as_str()).or_default();
                    of_name.push(function);
                }
            }
        }
        for using in &unit.usings {
            let of_name = named.usings.entry(last_component(&using.target));
            of_name.or_default().push(using);
        }
        named
    }

    /// Adds a type to those of its qualified name.
    pub(crate) fn add_type(&mut self, entry: TypeEntry<'u>) {
        let of_name = self.types.entry(entry.qualified()).or_default();
        of_name.push(entry);
    }

    /// All classes of a qualified name: a template and its specialisations, and those inside functions.
    pub(crate) fn classes(&self, qualified: &str) -> &[&'u Struct] {
        of(&self.classes, qualified)
    }

    /// Those outside of functions, with their positions in the unit.
    pub(crate) fn structs(&self, qualified: &str) -> &[(usize, &'u Struct)] {
        of(&self.structs, qualified)
    }

    /// Those of a simple name, wherever they stand.
    pub(crate) fn structs_called(&self, simple: &str) -> &[&'u Struct] {
        of(&self.structs_called, simple)
    }

    /// The enumerations that stand in a namespace or class.
    pub(crate) fn enums_in(&self, scope: &str) -> &[&'u Enum] {
        of(&self.enums_in, scope)
    }

    /// Variables at namespace scope and static members of a qualified name.
    pub(crate) fn globals(&self, qualified: &str) -> &[&'u VarDecl] {
        of(&self.globals, qualified)
    }

    /// Types of a qualified name.
    pub(crate) fn types(&self, qualified: &str) -> &[TypeEntry<'u>] {
        of(&self.types, qualified)
    }

    /// Whether a typedef or alias has a simple name, wherever.
    pub(crate) fn is_typedef(&self, simple: &str) -> bool {
        self.typedefs.contains(simple)
    }

    /// Members of a name, with the classes that have them.
    pub(crate) fn fields(&self, name: &str) -> &[(&'u Struct, &'u VarDecl)] {
        of(&self.fields, name)
    }

    /// The functions that belong to a class, friends among them.
    pub(crate) fn of_class(&self, class: &str) -> &[&'u Function] {
        of(&self.of_class, class)
    }

    /// The member functions of a class of a name.
    pub(crate) fn methods(&self, class: &str, name: &str) -> &[&'u Function] {
        self.methods.get(class).map_or(&[], |all| of(all, name))
    }

    /// The first function that stands at a place.
    pub(crate) fn function_at(&self, range: Range) -> Option<&'u Function> {
        self.functions.get(self.position_at(range)?)
    }

    /// Its position in the unit.
    pub(crate) fn position_at(&self, range: Range) -> Option<usize> {
        self.functions_at.get(&range).copied()
    }

    /// The enumeration that a parameter of a function takes, found once.
    pub(crate) fn enumeration_taken(
        &self,
        function: &Function,
        param: &Param,
        find: impl FnOnce() -> Option<&'u Enum>,
    ) -> Option<&'u Enum> {
        let key = (function.range, param.range);
        if let Some(known) = self.enumerations.borrow().get(&key) {
            return *known;
        }
        let found = find();
        self.enumerations.borrow_mut().insert(key, found);
        found
    }

    /// Using declarations and directives whose target ends in a name.
    pub(crate) fn usings(&self, simple: &str) -> &[&'u Using] {
        of(&self.usings, simple)
    }

    /// Whether the text of another class of a name, a specialisation, holds a place.
    pub(crate) fn is_in_other_class(&self, record: &Struct, range: Range) -> bool {
        let mut others = self.classes(&record.name).iter();
        others.any(|other| other.range != record.range && other.range.contains(range))
    }
}
