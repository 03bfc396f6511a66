//! The names of a unit: functions, types, constants, globals, looked up as C++ does.
//!
//! **Lookup.** A written path means what is declared before its place, see [`Order`], in the innermost scope, with what using
//! declarations and directives bring in, see [`super::lookup`]. Where nothing is, a base class or a header that is missing may tell:
//! what a path with a qualifier, or a name of a member, may be the end of counts. What is then ambiguous is not resolved: a type is
//! opaque, a call is reported.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::lookup::Sought;
use super::named::Named;
use super::order::Order;
pub(crate) use super::types::TypeScope;
use super::types::{self, Extent, Ty};
use crate::syntax::ast::*;

/// Most names of one enumeration, each for the next, that are gone through.
const MAX_ALIASES: u32 = 8;

/// An index of a parsed unit.
pub(crate) struct UnitIndex<'u> {
    pub unit: &'u Unit,
    /// All classes: those of the unit, then those inside functions.
    pub classes: Vec<&'u Struct>,
    functions: FxHashMap<&'u str, Vec<&'u Function>>,
    types: FxHashMap<&'u str, Vec<TypeEntry<'u>>>,
    enumerators: FxHashMap<&'u str, Vec<(&'u Enum, usize)>>,
    globals: FxHashMap<&'u str, Vec<&'u VarDecl>>,
    order: Order<'u>,
    /// Declarations by their names.
    pub named: Named<'u>,
    has_conversions: bool,
    /// Whether any class declares a copy constructor or a destructor that may do something.
    pub may_be_special: bool,
    /// Annotations outside of functions.
    pub contracts: super::contracts::Source,
    /// Namespaces and classes that the unit declares, or declares something in.
    pub(super) spaces: BTreeSet<&'u str>,
    pub(super) levels: super::lookup::Levels,
    shown_axes: std::cell::OnceCell<[bool; 3]>,
    /// The simple names of all classes but those of the standard library.
    class_names: std::cell::OnceCell<FxHashSet<&'u str>>,
    /// Those of all classes that are declared outside of functions.
    struct_names: std::cell::OnceCell<FxHashSet<&'u str>>,
    /// Variadic functions for the numbers of arguments that calls have.
    pub written_out: super::packs::WrittenOut,
    pub variables_written_out: super::packs::VariablesWrittenOut,
    /// Functions whose parameters have names that hide references, with these written.
    pub written_references: super::hidden::WrittenReferences,
    /// The value of `__CUDA_ARCH__`, if code may differ by it.
    pub architecture: Option<String>,
    /// `assert` may do nothing.
    pub no_asserts: bool,
    /// What is known of the program, where the unit is all of its files.
    pub whole: Option<super::link::Whole>,
    /// Pairs of pointers that host code does not show to be apart leave a kernel undecided.
    pub strict_aliasing: bool,
    /// The kernels that each of the last assumptions is made of; all where it names none.
    pub assume_in: Vec<Vec<String>>,
    /// The simple names of classes whose copies may be more than copies of their bytes.
    copied_specially: BTreeSet<&'u str>,
    /// The same of assignments.
    assigned_specially: BTreeSet<&'u str>,
    /// Template parameters with a default that may be a constant type.
    const_defaults: BTreeSet<&'u str>,
}

/// A type that the unit declares, with its qualified name.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TypeEntry<'u> {
    Typedef(&'u Typedef),
    Enum(&'u Enum),
    /// A class, as an index into the classes of the unit.
    Class(usize, &'u Struct),
}

impl<'u> TypeEntry<'u> {
    pub(crate) fn qualified(&self) -> &'u str {
        match self {
            TypeEntry::Typedef(typedef) => &typedef.name,
            TypeEntry::Enum(enumeration) => &enumeration.name,
            TypeEntry::Class(_, record) => &record.name,
        }
    }
}

/// Whether two typedefs say the same, as far as it shows without looking names up.
fn repeats(one: &Typedef, other: &Typedef) -> bool {
    let plain = |typedef: &Typedef| {
        typedef.template.is_empty() && typedef.align.is_empty() && !typedef.opaque
    };
    one.name == other.name && plain(one) && plain(other) && same_type(&one.ty, &other.ty)
}

fn same_type(one: &Type, other: &Type) -> bool {
    let same_kind = match (&one.kind, &other.kind) {
        (TypeKind::Scalar(a), TypeKind::Scalar(b)) => a == b,
        (TypeKind::Pointer(a), TypeKind::Pointer(b)) => same_type(a, b),
        // Two names of one entity stand in one scope, and C++ allows only one type for both.
        (TypeKind::Named(a), TypeKind::Named(b)) => {
            let has_arguments = |name: &Name| {
                let mut outer = name.qualifier.iter();
                name.args.is_some() || outer.any(|segment| segment.args.is_some())
            };
            !has_arguments(a) && !has_arguments(b) && a.lookup_path() == b.lookup_path()
        }
        _ => false,
    };
    same_kind && (one.is_const, one.is_volatile) == (other.is_const, other.is_volatile)
}

/// Whether a qualified name is that of an enumerator of an enumeration.
fn enumerates(enumeration: &Enum, qualified: &str) -> bool {
    let scope = enclosing(qualified);
    enumeration.name == scope || !enumeration.scoped && enumeration.scope == scope
}

/// Whether a qualified name is a path or ends in one.
fn ends_in(name: &str, path: &str) -> bool {
    let path = path.trim_start_matches("::");
    name.strip_suffix(path)
        .is_some_and(|before| before.is_empty() || before.ends_with("::"))
}

fn ending_in<'e, T: Copy>(all: &[T], path: &str, qualified: impl Fn(T) -> &'e str) -> Vec<T> {
    let is_meant = |entity: &T| !path.starts_with("::") && ends_in(qualified(*entity), path);
    all.iter().copied().filter(is_meant).collect()
}

pub(crate) fn last_component(name: &str) -> &str {
    last_separator(name).map_or(name, |at| &name[at + 2..])
}

/// Where the last `::` stands. Names are short, and this is asked more often than anything else.
fn last_separator(name: &str) -> Option<usize> {
    let pairs = name.as_bytes().windows(2);
    pairs
        .rev()
        .position(|pair| pair == b"::")
        .map(|behind| name.len() - 2 - behind)
}

/// What stands before the last component.
pub(crate) fn enclosing(qualified: &str) -> &str {
    last_separator(qualified).map_or("", |at| &qualified[..at])
}

/// The simple names of the classes of a unit that have a constructor by which objects may be copied or moved, or have a base or a
/// member of such a class. A class template may have one of a class that is its argument.
fn copied_specially<'u>(unit: &'u Unit, named: &Named<'u>) -> BTreeSet<&'u str> {
    let functions = unit.functions.iter();
    let own = functions.filter(|one| super::lifetimes::may_copy_specially(one, named));
    made_of_such(unit, own.map(|one| one.name.as_str()).collect())
}

/// The simple names of the classes of a unit with an assignment of their own that has a body, or with a base or a member of such a
/// class.
fn assigned_specially(unit: &Unit) -> BTreeSet<&str> {
    let functions = unit.functions.iter();
    let own = functions.filter(|one| one.name == "operator=" && one.body.is_some());
    let classes = own.filter_map(|one| one.owner.as_deref());
    made_of_such(unit, classes.map(last_component).collect())
}

/// Classes, and those that have a base or a member of one of them.
fn made_of_such<'u>(unit: &'u Unit, mut found: BTreeSet<&'u str>) -> BTreeSet<&'u str> {
    loop {
        let before = found.len();
        for record in &unit.structs {
            let is_parameter = |name: &str| {
                let mut parameters = record.template.iter();
                parameters.any(|one| one.name.as_deref() == Some(name))
            };
            let special = |ty: &Type| {
                let mut ty = ty;
                while let TypeKind::Array(element, _) = &ty.kind {
                    ty = element;
                }
                match &ty.kind {
                    TypeKind::Named(name) => {
                        found.contains(name.base.as_str())
                            || name.args.is_some() && !found.is_empty()
                            || is_parameter(&name.base) && !found.is_empty()
                    }
                    _ => false,
                }
            };
            let bases = record.bases.iter().any(special);
            if bases || record.fields.iter().any(|field| special(&field.ty)) {
                found.insert(last_component(&record.name));
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The names of the template parameters of a unit with a default that its text does not show to be no constant type.
fn const_defaults(unit: &Unit) -> BTreeSet<&str> {
    let of_functions = unit
        .functions
        .iter()
        .flat_map(|one| one.template.iter().flatten());
    let of_classes = unit.structs.iter().flat_map(|record| &record.template);
    let of_typedefs = unit.typedefs.iter().flat_map(|typedef| &typedef.template);
    let all = of_functions.chain(of_classes).chain(of_typedefs);
    all.filter_map(|parameter| match &parameter.kind {
        TemplateParamKind::Type {
            default: Some(default),
        } => {
            let plain = matches!(default.kind, TypeKind::Scalar(_) | TypeKind::Pointer(_));
            (default.is_const || !plain)
                .then_some(parameter.name.as_deref())
                .flatten()
        }
        _ => None,
    })
    .collect()
}

/// All classes: those of the unit, then those inside functions.
fn all_classes(unit: &Unit) -> Vec<&Struct> {
    let mut classes: Vec<&Struct> = unit.structs.iter().collect();
    for function in &unit.functions {
        for stmt in function.body.iter().flat_map(|body| &body.stmts) {
            super::walk::each_stmt(stmt, &mut |stmt| {
                if let StmtKind::Struct(record) = &stmt.kind {
                    classes.push(record);
                }
            });
        }
    }
    classes
}

impl<'u> UnitIndex<'u> {
    pub(crate) fn new(unit: &'u Unit) -> Self {
        let classes = all_classes(unit);
        let named = Named::new(unit, &classes);
        let mut index = UnitIndex {
            unit,
            classes,
            functions: FxHashMap::default(),
            types: FxHashMap::default(),
            enumerators: FxHashMap::default(),
            globals: FxHashMap::default(),
            order: Order::new(unit),
            contracts: super::contracts::Source::default(),
            has_conversions: unit
                .functions
                .iter()
                .any(|function| function.owner.is_some() && function.name.starts_with("operator ")),
            may_be_special: unit
                .functions
                .iter()
                .any(super::lifetimes::is_special_member),
            spaces: super::lookup::spaces(unit),
            levels: super::lookup::Levels::new(unit),
            shown_axes: std::cell::OnceCell::new(),
            class_names: std::cell::OnceCell::new(),
            struct_names: std::cell::OnceCell::new(),
            written_out: super::packs::WrittenOut::default(),
            variables_written_out: Default::default(),
            written_references: super::hidden::WrittenReferences::default(),
            architecture: None,
            no_asserts: false,
            whole: None,
            strict_aliasing: false,
            assume_in: Vec::new(),
            const_defaults: const_defaults(unit),
            copied_specially: copied_specially(unit, &named),
            assigned_specially: assigned_specially(unit),
            named,
        };
        for function in &unit.functions {
            index
                .functions
                .entry(function.name.as_str())
                .or_default()
                .push(function);
        }
        let typedefs = unit.typedefs.iter().map(TypeEntry::Typedef);
        let enums = unit.enums.iter().map(TypeEntry::Enum);
        let classes = unit.structs.iter().enumerate();
        let classes = classes
            .filter(|(_, record)| record.defined)
            .map(|(position, record)| TypeEntry::Class(position, record));
        for entry in typedefs.chain(enums).chain(classes) {
            let of_name = index
                .types
                .entry(last_component(entry.qualified()))
                .or_default();
            // A header without guards says it again.
            let is_repeated = |known: &TypeEntry<'_>| match (known, &entry) {
                (TypeEntry::Typedef(one), TypeEntry::Typedef(other)) => repeats(one, other),
                _ => false,
            };
            // `typedef T T;` says nothing.
            let is_itself = matches!(&entry, TypeEntry::Typedef(one)
                if matches!(&one.ty.kind, TypeKind::Named(name)
                    if name.as_simple() == Some(last_component(&one.name))));
            let says_more = of_name.is_empty() || !is_itself;
            if says_more && !of_name.iter().any(is_repeated) {
                of_name.push(entry);
                index.named.add_type(entry);
            }
        }
        for enumeration in &unit.enums {
            for (position, enumerator) in enumeration.values.iter().enumerate() {
                index
                    .enumerators
                    .entry(enumerator.name.as_str())
                    .or_default()
                    .push((enumeration, position));
            }
        }
        for global in &unit.globals {
            index
                .globals
                .entry(last_component(&global.name))
                .or_default()
                .push(global);
        }
        index
    }

    /// Whether the unit declares a class of a simple name that is not one of the standard library.
    pub(crate) fn declares_class(&self, name: &str) -> bool {
        let names = self.class_names.get_or_init(|| {
            let own = self
                .classes
                .iter()
                .filter(|one| !one.name.starts_with("std::"));
            own.map(|one| last_component(&one.name)).collect()
        });
        names.contains(name)
    }

    /// Whether a class of a simple name is declared outside of functions, if only announced.
    pub(crate) fn announces_class(&self, name: &str) -> bool {
        let names = self.struct_names.get_or_init(|| {
            let structs = self.unit.structs.iter();
            structs.map(|one| last_component(&one.name)).collect()
        });
        names.contains(name)
    }

    /// Functions of this name wherever they are declared, definitions and prototypes.
    pub(crate) fn functions(&self, name: &str) -> &[&'u Function] {
        self.functions.get(name).map_or(&[], Vec::as_slice)
    }

    /// The enumeration that a type names, a reference or pointer to it included.
    pub(crate) fn enumeration_of(&self, ty: &Type, scope: &str) -> Option<&'u Enum> {
        match &ty.kind {
            TypeKind::Reference(to)
            | TypeKind::RvalueReference(to)
            | TypeKind::Pointer(to)
            | TypeKind::Array(to, _) => self.enumeration_of(to, scope),
            TypeKind::Named(name) => match self
                .types_at(&name.lookup_path(), scope, name.range)
                .as_slice()
            {
                [TypeEntry::Enum(enumeration), ..] => Some(enumeration),
                [TypeEntry::Typedef(typedef), ..] if typedef.ty != *ty => {
                    self.enumeration_of(&typedef.ty, scope)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Functions that a path means, seen from a scope. Members of classes are found by their classes only.
    pub(crate) fn functions_at(&self, path: &str, scope: &str, at: Range) -> Vec<&'u Function> {
        let all: Vec<&'u Function> = self
            .functions(last_component(path))
            .iter()
            .copied()
            .filter(|function| function.owner.is_none() || function.quals.friend)
            .collect();
        let sought = Sought { path, scope, at };
        let level = self.visible(
            &all,
            &sought,
            |function, name| function.qualified == name,
            |function| self.order.is_seen(&function.qualified, function.range, at),
            |name| self.declares_variable(name, at) || self.declares_type_at(name, at),
        );
        if level.found.is_empty() && !level.hidden && path.contains("::") {
            return ending_in(&all, path, |function| &function.qualified);
        }
        level.found
    }

    /// Whether a variable or an enumerator of a qualified name is declared before a place.
    fn declares_variable(&self, qualified: &str, at: Range) -> bool {
        let simple = last_component(qualified);
        let mut globals = self.globals.get(simple).into_iter().flatten();
        globals.any(|one| one.name == qualified && self.order.is_seen(&one.name, one.range, at))
            || self.declares_enumerator(qualified, at)
    }

    /// Whether a type of a qualified name is declared before a place.
    fn declares_type_at(&self, qualified: &str, at: Range) -> bool {
        let types = self.types.get(last_component(qualified));
        types.into_iter().flatten().any(|entry| {
            let range = super::classes::range_of(entry);
            entry.qualified() == qualified && self.order.is_seen(qualified, range, at)
        })
    }

    /// Whether a function of a qualified name, which is no member, is declared before a place.
    fn declares_function(&self, qualified: &str, at: Range) -> bool {
        let mut functions = self.functions(last_component(qualified)).iter();
        functions.any(|one| {
            one.owner.is_none()
                && one.qualified == qualified
                && self.order.is_seen(qualified, one.range, at)
        })
    }

    /// Whether some class has a member function, type or constant of a name.
    pub(super) fn is_a_member(&self, name: &str) -> bool {
        let mut functions = self.functions(name).iter();
        let mut types = self.types.get(name).into_iter().flatten();
        let mut globals = self.globals.get(name).into_iter().flatten();
        let mut enumerators = self.enumerators.get(name).into_iter().flatten();
        functions.any(|one| one.owner.is_some())
            || types.any(|entry| self.is_class(enclosing(entry.qualified())))
            || globals.any(|global| self.is_class(enclosing(&global.name)))
            || enumerators.any(|(enumeration, _)| self.is_class(&enumeration.scope))
    }

    /// Whether a name of the unit is that of a class.
    pub(super) fn is_class(&self, qualified: &str) -> bool {
        let types = self.named.types(qualified).iter();
        types
            .copied()
            .any(|entry| matches!(entry, TypeEntry::Class(..)))
    }

    /// Whether any class declares a conversion function.
    pub(crate) fn has_conversions(&self) -> bool {
        self.has_conversions
    }

    /// Member functions of this name of the class of a qualified name.
    pub(crate) fn methods(&self, class: &str, name: &str) -> Vec<&'u Function> {
        self.named.methods(class, name).to_vec()
    }

    /// Whether functions of a name, which are no members, stand in several namespaces.
    pub(crate) fn is_in_several_scopes(&self, name: &str) -> bool {
        let mut free = self
            .functions(name)
            .iter()
            .filter(|one| one.owner.is_none() || one.quals.friend);
        let Some(first) = free.next() else {
            return false;
        };
        free.any(|one| one.qualified != first.qualified || one.quals.friend || first.quals.friend)
    }

    /// Whether some member functions of a name are for constant objects and others are not.
    pub(crate) fn differ_in_const(&self, name: &str) -> bool {
        let constant = |function: &&Function| function.owner.is_some() && function.quals.is_const;
        let other = |function: &&Function| function.owner.is_some() && !function.quals.is_const;
        let functions = self.functions(name);
        functions.iter().copied().any(|one| constant(&one))
            && functions.iter().copied().any(|one| other(&one))
    }

    /// The only global variable of this simple name.
    pub(crate) fn global(&self, name: &str) -> Option<&'u VarDecl> {
        self.global_at(name, "", Range::default())
    }

    /// The global variable or static member that a path means, seen from a scope.
    pub(crate) fn global_at(&self, path: &str, scope: &str, at: Range) -> Option<&'u VarDecl> {
        let found = self.globals_at(path, scope, at);
        // Specialisations of a variable template, or of the class it is a member of: not to be told apart here.
        if found
            .iter()
            .filter(|global| !global.storage.is_extern)
            .count()
            > 1
        {
            return None;
        }
        // `extern __constant__ int c[4];` and the definition are one; the definition tells more.
        let first = found.first()?;
        if found.iter().any(|global| global.name != first.name) {
            return None;
        }
        let definition = found.iter().find(|global| !global.storage.is_extern);
        Some(definition.unwrap_or(first))
    }

    /// All declarations that a path may mean: of one variable, or of a template and its specialisations.
    pub(crate) fn globals_at(&self, path: &str, scope: &str, at: Range) -> Vec<&'u VarDecl> {
        let Some(all) = self.globals.get(last_component(path)) else {
            return Vec::new();
        };
        let sought = Sought { path, scope, at };
        let level = self.visible(
            all,
            &sought,
            |global, name| global.name == name,
            |global| self.order.is_seen(&global.name, global.range, at),
            |name| {
                self.declares_function(name, at)
                    || self.declares_type_at(name, at)
                    || self.declares_enumerator(name, at)
            },
        );
        let mut found = level.found;
        if found.is_empty() && !level.hidden {
            found = ending_in(all, path, |global| &global.name);
            found.retain(|global| path.contains("::") || self.is_class(enclosing(&global.name)));
            found.retain(|global| self.may_mean(global, path, scope));
        }
        found
    }

    /// Whether an enumerator of a qualified name is declared before a place.
    fn declares_enumerator(&self, qualified: &str, at: Range) -> bool {
        let all = self.enumerators.get(last_component(qualified));
        all.into_iter().flatten().any(|(enumeration, _)| {
            let seen = |scope: &str| self.order.is_seen(scope, enumeration.range, at);
            enumerates(enumeration, qualified) && seen(&enumeration.scope)
        })
    }

    /// Along which axes the unit makes sizes of more than one.
    pub(crate) fn shown_axes(&self) -> [bool; 3] {
        *self
            .shown_axes
            .get_or_init(|| super::axes::shown_axes(self.unit))
    }

    /// Whether a path may mean a variable whose last component it has: a static member of a class is not seen from elsewhere
    /// without the class, and the classes of headers that were not found have members of the same names.
    pub(crate) fn may_mean(&self, global: &VarDecl, path: &str, scope: &str) -> bool {
        let owner = enclosing(&global.name);
        let qualifier = last_component(enclosing(path));
        if !qualifier.is_empty() {
            return last_component(owner) == qualifier
                || self.types.contains_key(qualifier)
                || self
                    .unit
                    .usings
                    .iter()
                    .any(|using| using.alias.as_deref() == Some(qualifier));
        }
        let class = |name: &str| self.named.classes(name).first();
        if class(owner).is_none() {
            return true;
        }
        let mut around = scope;
        while !around.is_empty() {
            // A member of a base class, perhaps.
            if around == owner || class(around).is_some_and(|class| !class.bases.is_empty()) {
                return true;
            }
            around = enclosing(around);
        }
        false
    }

    /// The enumerator that a path means, seen from a scope.
    pub(crate) fn enumerator_at(
        &self,
        path: &str,
        scope: &str,
        at: Range,
    ) -> Option<(&'u Enum, usize)> {
        self.enumerator_within(path, scope, at, MAX_ALIASES)
    }

    fn enumerator_within(
        &self,
        path: &str,
        scope: &str,
        at: Range,
        aliases: u32,
    ) -> Option<(&'u Enum, usize)> {
        let all = self.enumerators.get(last_component(path))?;
        let sought = Sought { path, scope, at };
        let level = self.visible(
            all,
            &sought,
            |(enumeration, _), name| enumerates(enumeration, name),
            |(enumeration, _)| {
                self.order
                    .is_seen(&enumeration.scope, enumeration.range, at)
            },
            |name| {
                let mut globals = self.globals.get(last_component(name)).into_iter().flatten();
                globals.any(|one| one.name == name && self.order.is_seen(name, one.range, at))
                    || self.declares_function(name, at)
            },
        );
        let mut found = level.found;
        if found.is_empty() && !level.hidden {
            // Of a base class, perhaps, or behind the name of another type.
            let is_meant = |(enumeration, _): &(&'u Enum, usize)| {
                let before = enclosing(path);
                let is_end = |name: &str| ends_in(name, before);
                if before.is_empty() {
                    !enumeration.scoped && self.is_class(&enumeration.scope)
                } else {
                    is_end(&enumeration.name) || !enumeration.scoped && is_end(&enumeration.scope)
                }
            };
            found = all.iter().copied().filter(is_meant).collect();
        }
        match found.as_slice() {
            [one] => Some(*one),
            [] if !level.hidden => {
                let (path, scope) = self.behind_alias(path, scope, at)?;
                self.enumerator_within(&path, &scope, at, aliases.checked_sub(1)?)
            }
            _ => None,
        }
    }

    /// An enumerator that is named by another name of its enumeration, by the name of what that stands for and the scope in which it
    /// does: `using E = red::Kind; … E::sum`.
    fn behind_alias(&self, path: &str, scope: &str, at: Range) -> Option<(String, String)> {
        let (before, last) = path.rsplit_once("::")?;
        let entries = self.types_at(before, scope, at);
        let [TypeEntry::Typedef(typedef)] = entries.as_slice() else {
            return None;
        };
        let TypeKind::Named(target) = &typedef.ty.kind else {
            return None;
        };
        let target = target.lookup_path();
        let inside = enclosing(&typedef.name);
        let is_itself = last_component(&target) == last_component(&typedef.name);
        if !typedef.template.is_empty() || is_itself || self.is_parameter_at(before, at) {
            return None;
        }
        Some((format!("{target}::{last}"), inside.to_owned()))
    }

    /// Whether the first name of a path is a parameter of a template around a place.
    fn is_parameter_at(&self, path: &str, at: Range) -> bool {
        let first = path.split("::").next().unwrap_or(path);
        let has = |template: Option<&[TemplateParam]>| {
            let mut own = template.into_iter().flatten();
            own.any(|one| one.name.as_deref() == Some(first))
        };
        let mut functions = self.unit.functions.iter();
        let mut classes = self.unit.structs.iter();
        functions.any(|one| one.range.contains(at) && has(one.template.as_deref()))
            || classes.any(|one| one.range.contains(at) && has(Some(&one.template)))
    }

    /// The types that a path means, seen from a scope: several where a class has specialisations.
    pub(crate) fn types_at(&self, path: &str, scope: &str, at: Range) -> Vec<TypeEntry<'u>> {
        let Some(all) = self.types.get(last_component(path)) else {
            return Vec::new();
        };
        let is_seen = |entry: TypeEntry<'u>| {
            // `namespace n { typedef T *T; }` names another.
            let range = super::classes::range_of(&entry);
            let declared = match entry {
                TypeEntry::Typedef(_) => Range::new(range.end, range.end),
                _ => range,
            };
            self.order.is_seen(entry.qualified(), declared, at)
        };
        let sought = Sought { path, scope, at };
        let means = |entry: TypeEntry<'u>, name: &str| entry.qualified() == name;
        let hides = |name: &str| self.declares_variable(name, at);
        let level = self.visible(all, &sought, means, is_seen, hides);
        let mut found = level.found;
        if found.is_empty() && !level.hidden {
            found = ending_in(all, path, |entry| entry.qualified());
            found
                .retain(|entry| path.contains("::") || self.is_class(enclosing(entry.qualified())));
        }
        // Those of several scopes are ambiguous; those of one are a class and its specialisations.
        let first = found.first().map(TypeEntry::qualified);
        if found.iter().any(|entry| Some(entry.qualified()) != first) {
            return Vec::new();
        }
        found
    }

    /// Whether the unit declares a type of this simple name, wherever.
    pub(crate) fn declares_type(&self, name: &str) -> bool {
        self.types.contains_key(name)
    }

    /// Whether copying an object of a type may be more than copying its bytes, by the names in it; so it may be where the type is not
    /// known.
    pub(crate) fn copies_specially(&self, ty: &Ty) -> bool {
        if self.copied_specially.is_empty() {
            return false;
        }
        let name = match ty.innermost() {
            Ty::Struct(class) => class.name.as_str(),
            Ty::Opaque { name, .. } => name,
            _ => return matches!(ty, Ty::Void),
        };
        let mut words = name.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        name.is_empty()
            || matches!(name, "auto" | "opaque")
            || words.any(|word| self.copied_specially.contains(word))
    }

    /// Whether an assignment to an object of a class may be more than one of its bytes, because of a base or a member too.
    pub(crate) fn assigns_specially(&self, ty: &Ty) -> bool {
        let name = match ty.innermost() {
            Ty::Struct(class) => class.name.as_str(),
            Ty::Opaque { name, .. } => name,
            _ => return false,
        };
        let mut words = name.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.any(|word| self.assigned_specially.contains(word))
    }

    /// Whether a template parameter of this name has a default that may be a constant type.
    pub(crate) fn may_default_to_const(&self, name: &str) -> bool {
        self.const_defaults.contains(name)
    }

    /// Whether a typedef of this name asks for an alignment, somewhere in the unit.
    pub(crate) fn aligns(&self, name: &str) -> bool {
        let entries = self.types.get(name).into_iter().flatten();
        entries
            .filter(
                |entry| matches!(entry, TypeEntry::Typedef(typedef) if !typedef.align.is_empty()),
            )
            .count()
            > 0
    }

    /// The only type of this name in the unit, if that is a typedef without parameters.
    pub(crate) fn only_typedef(&self, name: &str) -> Option<&'u Typedef> {
        match self.types.get(name)?.as_slice() {
            [TypeEntry::Typedef(typedef)] if typedef.template.is_empty() => Some(typedef),
            _ => None,
        }
    }

    /// The member type of a class.
    pub(crate) fn member_types(&self, class: &str, name: &str) -> Vec<TypeEntry<'u>> {
        match self.types.contains_key(name) {
            true => self.named.types(&format!("{class}::{name}")).to_vec(),
            false => Vec::new(),
        }
    }

    /// Variables at namespace scope and static members of a simple name.
    pub(crate) fn globals_of(&self, simple: &str) -> &[&'u VarDecl] {
        self.globals.get(simple).map_or(&[], Vec::as_slice)
    }

    /// Whether some namespace or class declares a variable or an enumerator of a name.
    pub(crate) fn declares_value(&self, name: &str) -> bool {
        self.globals.contains_key(name) || self.enumerators.contains_key(name)
    }

    /// Whether the text of a class declares a member of a name; fields are not looked at.
    pub(crate) fn declares_member(&self, class: &str, name: &str) -> bool {
        let is_member = |qualified: &str| enclosing(qualified) == class;
        let mut enumerators = self.enumerators.get(name).into_iter().flatten();
        let mut globals = self.globals.get(name).into_iter().flatten();
        !self.methods(class, name).is_empty()
            || !self.member_types(class, name).is_empty()
            || globals.any(|global| is_member(&global.name))
            || enumerators.any(|(enumeration, _)| enumeration.scope == class)
    }

    /// Whether something of a name is declared in a scope, or around it, before a place.
    pub(crate) fn is_declared_around(&self, name: &str, scope: &str, at: Range) -> bool {
        let is_around = |around: &str| {
            let rest = scope.strip_prefix(around);
            around.is_empty() || rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
        };
        let is_meant = |qualified: &str, range: Range| {
            is_around(enclosing(qualified)) && self.order.is_seen(qualified, range, at)
        };
        let mut functions = self.functions(name).iter();
        let mut types = self.types.get(name).into_iter().flatten();
        let mut globals = self.globals.get(name).into_iter().flatten();
        let mut enumerators = self.enumerators.get(name).into_iter().flatten();
        functions.any(|one| is_meant(&one.qualified, one.range))
            || types.any(|entry| is_meant(entry.qualified(), super::classes::range_of(entry)))
            || globals.any(|global| is_meant(&global.name, global.range))
            || enumerators.any(|(enumeration, _)| {
                is_around(&enumeration.scope)
                    && self
                        .order
                        .is_seen(&enumeration.scope, enumeration.range, at)
            })
    }

    /// A type in host code, where only scalars, pointers and CUDA's own classes matter: classes of the unit are opaque.
    pub(crate) fn resolve(
        &self,
        ty: &Type,
        scope: &TypeScope,
        extent: &mut dyn FnMut(&Expr) -> Extent,
    ) -> Ty {
        self.plain(ty, scope, extent, 0)
    }

    fn plain(
        &self,
        ty: &Type,
        scope: &TypeScope,
        extent: &mut dyn FnMut(&Expr) -> Extent,
        depth: u32,
    ) -> Ty {
        let opaque = |name: &str| Ty::Opaque {
            name: name.to_owned(),
            bytes: None,
        };
        if depth > 64 {
            return opaque("recursive type");
        }
        match &ty.kind {
            TypeKind::Scalar(scalar) => types::scalar(*scalar),
            TypeKind::Pointer(to) => self.plain(to, scope, extent, depth + 1).pointer_to(),
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => {
                self.plain(to, scope, extent, depth + 1)
            }
            TypeKind::Array(of, size) => {
                let count = size.as_ref().map_or(Extent::Unknown, |size| extent(size));
                Ty::Array(Rc::new(self.plain(of, scope, extent, depth + 1)), count)
            }
            TypeKind::Named(name) => {
                if let (Some(simple), true) = (scope.types.get(&name.base), name.args.is_none()) {
                    return simple.clone();
                }
                let found = self.types_at(&name.lookup_path(), &scope.path, name.range);
                match found.as_slice() {
                    [TypeEntry::Typedef(typedef)]
                        if typedef.template.is_empty() && !typedef.opaque =>
                    {
                        self.plain(&typedef.ty, scope, extent, depth + 1)
                    }
                    [TypeEntry::Enum(enumeration)] => match &enumeration.underlying {
                        Some(ty) => self.plain(ty, scope, extent, depth + 1),
                        None if enumeration.wide && !enumeration.scoped => opaque(&name.path()),
                        None => Ty::INT,
                    },
                    [] => types::vector(&name.base).unwrap_or_else(|| opaque(&name.path())),
                    _ => opaque(&name.path()),
                }
            }
            TypeKind::Auto => opaque("auto"),
            TypeKind::Function { .. } => Ty::Opaque {
                name: "function".to_owned(),
                bytes: Some(8),
            },
            TypeKind::Decltype(_) => opaque("decltype"),
            TypeKind::MemberPointer(_) => opaque("a pointer to a member"),
            TypeKind::Expand(_) => opaque("a pack expansion"),
            TypeKind::Unsupported(problem) => opaque(&problem.what),
        }
    }
}
