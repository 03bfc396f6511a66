//! Classes and their bases: which member functions a call may mean.
//!
//! A function that a class inherits is run with the object of the derived class, whose members have one namespace here: only
//! where no two classes of a lineage have members of one name. Where the class that an object has is not the one that is
//! written, or a base is not known, no function is certain: those that may be meant are run by themselves.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::Host;
use super::alias::Kind;
use super::eval::unknown_type;
use super::value::*;
use crate::lower::types::Ty;
use crate::lower::walk;
use crate::syntax::ast::*;

/// The classes of a unit, those of functions too, by the last parts of their names.
pub(super) struct Hierarchy<'u> {
    records: FxHashMap<&'u str, Vec<&'u Struct>>,
    /// Names of the classes that name a class as their base.
    derived: FxHashMap<&'u str, Vec<&'u str>>,
    /// Names of typedefs and what they stand for.
    aliases: FxHashMap<&'u str, Vec<&'u Type>>,
    /// What was found out about the names of typedefs.
    behind: RefCell<FxHashMap<&'u str, Rc<BTreeSet<&'u str>>>>,
}

/// A class with all that it inherits from.
struct Lineage<'u> {
    classes: Vec<&'u str>,
    /// Some base is not known.
    open: bool,
    /// The members of all are known by their names alone.
    plain: bool,
}

/// The member functions that a call by a name may mean.
pub(super) struct Members<'u> {
    pub functions: Vec<&'u Function>,
    /// They are found as this class says, and no other may be meant.
    pub certain: bool,
    /// A function of a class that is not known may be meant.
    pub open: bool,
}

impl<'u> Hierarchy<'u> {
    pub(super) fn of(unit: &'u Unit) -> Hierarchy<'u> {
        let mut found = Hierarchy {
            records: FxHashMap::default(),
            derived: FxHashMap::default(),
            aliases: FxHashMap::default(),
            behind: RefCell::default(),
        };
        for record in &unit.structs {
            found.add(record);
        }
        for typedef in &unit.typedefs {
            found.add_alias(last(&typedef.name), &typedef.ty);
        }
        for function in &unit.functions {
            for stmt in function.body.iter().flat_map(|body| &body.stmts) {
                walk::each_stmt(stmt, &mut |stmt| match &stmt.kind {
                    StmtKind::Struct(record) => found.add(record),
                    StmtKind::Typedef(typedef) => found.add_alias(last(&typedef.name), &typedef.ty),
                    _ => {}
                });
            }
        }
        found
    }

    fn add(&mut self, record: &'u Struct) {
        if !record.defined {
            return;
        }
        let name = last(&record.name);
        self.records.entry(name).or_default().push(record);
        for base in &record.bases {
            if let TypeKind::Named(base) = &base.kind {
                let derived = self.derived.entry(base.base.as_str()).or_default();
                derived.push(name);
            }
        }
    }

    fn add_alias(&mut self, name: &'u str, ty: &'u Type) {
        self.aliases.entry(name).or_default().push(ty);
    }

    /// Names that members of a class and of one of its bases have, or members of two of its bases.
    pub(super) fn members_of_one_name(&self) -> BTreeSet<&'u str> {
        let mut found = BTreeSet::new();
        let derived: BTreeSet<&'u str> = self.derived.values().flatten().copied().collect();
        for class in derived {
            let mut seen: BTreeSet<&'u str> = BTreeSet::new();
            let mut met: BTreeSet<&'u str> = BTreeSet::new();
            let mut work = vec![class];
            while let Some(class) = work.pop() {
                // A base that comes twice has its members twice.
                let is_again = !met.insert(class);
                for record in self.records(class) {
                    let fields = record.fields.iter().map(|field| field.name.as_str());
                    found.extend(
                        fields
                            .clone()
                            .filter(|name| is_again || seen.contains(name)),
                    );
                    seen.extend(fields);
                    if is_again {
                        continue;
                    }
                    for base in &record.bases {
                        work.extend(self.classes_in(base).iter().copied());
                    }
                }
            }
        }
        found.remove("");
        found
    }

    pub(super) fn records(&self, class: &str) -> &[&'u Struct] {
        self.records.get(last(class)).map_or(&[], Vec::as_slice)
    }

    /// The classes that a type names, as what it is or among its arguments; through typedefs.
    pub(super) fn classes_in(&self, ty: &Type) -> Rc<BTreeSet<&'u str>> {
        let mut names = Vec::new();
        names_in(ty, &mut names);
        match names.as_slice() {
            [] => Rc::default(),
            [one] => self.classes_behind(one),
            several => {
                let mut found = BTreeSet::new();
                for name in several {
                    found.extend(self.classes_behind(name).iter());
                }
                Rc::new(found)
            }
        }
    }

    /// The classes that a simple name means, itself or through typedefs. Hundreds of classes may have a member type of one name, and
    /// the members of all of them follow: what was found is kept.
    fn classes_behind(&self, name: &str) -> Rc<BTreeSet<&'u str>> {
        let Some((&name, _)) = self.aliases.get_key_value(name) else {
            let class = self.records.get_key_value(name).map(|(class, _)| *class);
            return Rc::new(class.into_iter().collect());
        };
        if let Some(known) = self.behind.borrow().get(name) {
            return Rc::clone(known);
        }
        let mut found = BTreeSet::new();
        let mut followed: FxHashSet<&str> = FxHashSet::default();
        let mut work = vec![name];
        while let Some(next) = work.pop() {
            if !followed.insert(next) {
                continue;
            }
            if let Some(known) = self.behind.borrow().get(next) {
                found.extend(known.iter());
                continue;
            }
            if let Some((class, _)) = self.records.get_key_value(next) {
                found.insert(*class);
            }
            for ty in self.aliases.get(next).into_iter().flatten() {
                names_in(ty, &mut work);
            }
        }
        let found = Rc::new(found);
        self.behind.borrow_mut().insert(name, Rc::clone(&found));
        found
    }

    fn lineage(&self, class: &str) -> Lineage<'u> {
        let mut lineage = Lineage {
            classes: Vec::new(),
            open: false,
            plain: true,
        };
        let mut fields: BTreeSet<&str> = BTreeSet::new();
        let mut work = vec![last(class)];
        while let Some(name) = work.pop() {
            let Some((name, records)) = self.records.get_key_value(name) else {
                lineage.open = true;
                continue;
            };
            if lineage.classes.contains(name) {
                continue;
            }
            lineage.classes.push(name);
            let derives = records.iter().any(|record| !record.bases.is_empty());
            lineage.plain &= records.len() == 1 || !derives;
            for record in records {
                for field in &record.fields {
                    lineage.plain &= fields.insert(&field.name) || records.len() > 1;
                }
                for base in &record.bases {
                    match base_name(record, base) {
                        Base::Class(name) => {
                            lineage.plain &= name.args.is_none();
                            work.push(&name.base);
                        }
                        Base::OfLibrary => lineage.plain = false,
                        Base::Unknown => lineage.open = true,
                    }
                }
            }
        }
        lineage
    }

    /// The classes that inherit from one.
    fn heirs(&self, class: &str) -> BTreeSet<&'u str> {
        let mut found = BTreeSet::new();
        let mut work = vec![last(class)];
        while let Some(name) = work.pop() {
            for heir in self.derived.get(name).into_iter().flatten() {
                if found.insert(*heir) {
                    work.push(heir);
                }
            }
        }
        found
    }

    /// The members of a class and of its bases, where it has some and the names of all are enough to tell the members.
    pub(super) fn inherited_fields(&self, class: &str) -> Option<Vec<&'u VarDecl>> {
        let lineage = self.lineage(class);
        if !lineage.plain || lineage.open || lineage.classes.len() < 2 {
            return None;
        }
        let mut fields = Vec::new();
        for class in lineage.classes {
            let [record] = self.records(class) else {
                return None;
            };
            if record.kind == StructKind::Union || !record.template.is_empty() {
                return None;
            }
            fields.extend(&record.fields);
        }
        Some(fields)
    }

    /// Whether a class inherits from another one, which it names in a way that its members can be followed.
    pub(super) fn inherits_plainly(&self, class: &str, base: &str) -> bool {
        let lineage = self.lineage(class);
        lineage.plain && !lineage.open && lineage.classes.contains(&last(base))
    }
}

/// A base class as it is written.
enum Base<'u> {
    Class(&'u Name),
    /// It calls nothing of the unit by its name.
    OfLibrary,
    Unknown,
}

fn base_name<'u>(record: &'u Struct, base: &'u Type) -> Base<'u> {
    let TypeKind::Named(name) = &base.kind else {
        return Base::Unknown;
    };
    let is_parameter = |param: &TemplateParam| param.name.as_deref() == Some(&name.base);
    let first = name.qualifier.first().map(|segment| segment.name.as_str());
    match first {
        Some("std" | "thrust" | "cub") => Base::OfLibrary,
        _ if record.template.iter().any(is_parameter) => Base::Unknown,
        _ => Base::Class(name),
    }
}

impl<'u> Host<'_, 'u> {
    /// The member functions of a name that a call for an object of a class may mean. `exact`: the object has this class, or
    /// the class is the one that is written.
    pub(super) fn members(&self, class: &str, name: &Name, exact: bool) -> Members<'u> {
        let class = name.qualifier.last().map_or(class, |last| &last.name);
        let all = self.index.functions(&name.base);
        let lineage = self.hierarchy.lineage(class);
        let mut found = Members {
            functions: Vec::new(),
            certain: exact,
            open: lineage.open,
        };
        let inherited = self.nearest(class, all, &mut found.functions, 0);
        if inherited {
            found.certain = lineage.plain && !lineage.open;
        } else if !found.functions.is_empty() {
            found.open = false;
            // A function of a base is hidden where this class is the one that is written.
            let mut bases = lineage.classes.iter().skip(1);
            let hides = lineage.open || bases.any(|base| all.iter().any(|one| is_of(one, base)));
            found.certain = exact || !hides;
        }
        if name.qualifier.is_empty() {
            self.overriding(class, &lineage, all, &mut found);
        }
        if !found.certain && !found.functions.is_empty() {
            // Another class may be written, or be that of the object.
            let heirs = self.hierarchy.heirs(class);
            let related = lineage.classes.iter().chain(&heirs);
            let related: BTreeSet<&str> = related.copied().collect();
            let is_related = |one: &&&'u Function| related.iter().any(|class| is_of(one, class));
            found.functions = all.iter().filter(is_related).copied().collect();
        }
        found
    }

    /// The class that an object was made with: that of a variable.
    fn made_as(&self, place: &Place) -> Option<String> {
        let is_variable = place.path.is_empty() && self.written.contains_key(&place.root);
        is_variable
            .then(|| class_of(&self.objects.get(place.root).ty))
            .flatten()
            .filter(|class| !self.hierarchy.records(class).is_empty())
    }

    /// What a virtual function turns out to be for a variable.
    pub(super) fn dispatched(&self, place: &Place, name: &Name) -> Option<Vec<Range>> {
        let all = self.index.functions(&name.base);
        let is_virtual = all
            .iter()
            .any(|one| one.quals.is_virtual && one.owner.is_some());
        if !is_virtual || !name.qualifier.is_empty() {
            return None;
        }
        let class = self.made_as(place)?;
        let lineage = self.hierarchy.lineage(&class);
        let in_lineage = |one: &&&'u Function| {
            let mut classes = lineage.classes.iter();
            classes.any(|class| is_of(one, class))
        };
        let mut named = all.iter().filter(in_lineage);
        let signature = self.signature(named.next()?);
        let is_one = named.all(|one| self.signature(one) == signature);
        // Whichever class is written, the function that is found there is virtual.
        let is_virtual = lineage.classes.iter().all(|class| {
            let above = self.hierarchy.lineage(class).classes;
            let declares = |one: &&&'u Function, classes: &[&str]| {
                classes.iter().any(|class| is_of(one, class))
            };
            !all.iter().any(|one| declares(&one, &[class]))
                || all
                    .iter()
                    .any(|one| one.quals.is_virtual && declares(&one, &above))
        });
        if !(lineage.plain && !lineage.open && is_one && is_virtual) {
            return None;
        }
        let members = self.members(&class, name, true);
        Some(members.functions.iter().map(|one| one.range).collect())
    }

    /// What stands behind the name of a function that tells it from others, as it is written.
    fn signature(&self, function: &Function) -> String {
        let end = function
            .body
            .as_ref()
            .map_or(function.range.end, |body| body.range.start);
        let range = Range {
            start: function.name_range.end,
            end: end.max(function.name_range.end),
        };
        let text = self.text_of(range);
        let text = text.trim_end_matches(['{', ';']).trim_end();
        let text = text.trim_end_matches("= 0").trim_end_matches("=0");
        let words = text
            .split_whitespace()
            .filter(|word| !matches!(*word, "override" | "final"));
        words.collect()
    }

    /// Functions of a class, or else those of its bases; whether bases were looked into.
    fn nearest(
        &self,
        class: &str,
        all: &[&'u Function],
        found: &mut Vec<&'u Function>,
        depth: u32,
    ) -> bool {
        let own: Vec<&'u Function> = all
            .iter()
            .copied()
            .filter(|one| is_of(one, class))
            .collect();
        let records = self.hierarchy.records(class);
        // `using B::f;`
        let introduces = records
            .iter()
            .any(|record| !record.bases.is_empty() && self.is_word_of(record.range, "using"));
        let hides = !own.is_empty() && !introduces;
        found.extend(own);
        if hides || depth > 16 {
            return false;
        }
        let mut inherited = false;
        for record in records {
            for base in &record.bases {
                if let Base::Class(name) = base_name(record, base) {
                    let before = found.len();
                    self.nearest(&name.base, all, found, depth + 1);
                    inherited |= found.len() > before;
                }
            }
        }
        inherited
    }

    /// Adds what a virtual function may turn out to be.
    fn overriding(
        &self,
        class: &str,
        lineage: &Lineage<'u>,
        all: &[&'u Function],
        found: &mut Members<'u>,
    ) {
        let of_lineage = |one: &&'u Function| {
            let mut classes = lineage.classes.iter();
            one.quals.is_virtual && classes.any(|class| is_of(one, class))
        };
        if !lineage.open && !all.iter().any(of_lineage) {
            return;
        }
        let heirs = self.hierarchy.heirs(class);
        let overriding = all
            .iter()
            .filter(|one| heirs.iter().any(|heir| is_of(one, heir)));
        let before = found.functions.len();
        found.functions.extend(overriding);
        found.certain &= found.functions.len() == before;
    }

    /// Whether the class that is written before `.` is the one of the object, or the one whose functions are looked up.
    pub(super) fn names_its_class(&mut self, base: &Expr, arrow: bool) -> bool {
        match &base.kind {
            _ if arrow => true,
            ExprKind::This | ExprKind::Construct { .. } => true,
            ExprKind::Name(name) => {
                self.local(name)
                    .is_some_and(|root| !self.references.contains_key(&root))
                    || self.local(name).is_none()
            }
            ExprKind::Deref(_) => true,
            _ => false,
        }
    }

    /// The object that an inherited or own member function is called for without naming one.
    pub(super) fn own_object(&self, function: &Function) -> Option<Place> {
        let frame = self.frame();
        let own = frame.owner.as_deref()?;
        let owner = function.owner.as_deref()?;
        let fits = last(own) == last(owner) || self.hierarchy.inherits_plainly(own, owner);
        frame.this.clone().filter(|_| fits)
    }

    /// An object of which nothing is known, for a member function that is run without one.
    pub(super) fn some_object(&mut self, class: &str) -> Place {
        let name = format!("{}::this", last(class));
        let object = self.objects.object(Kind::Variable, &name, unknown_type());
        Place::of(object)
    }
}

/// The class of an object, if its type has a name.
pub(super) fn class_of(ty: &Ty) -> Option<String> {
    match super::declare::element_of(ty) {
        Ty::Opaque { name, .. } if !name.is_empty() => Some(name.clone()),
        Ty::Struct(layout) if layout.name != "dim3" => Some(layout.name.clone()),
        _ => None,
    }
}

pub(super) fn is_of(function: &Function, class: &str) -> bool {
    function.owner.as_deref().map(last) == Some(last(class))
}

/// The simple names of classes and typedefs that a type names, its arguments included; not what pointers lead to.
fn names_in<'t>(ty: &'t Type, found: &mut Vec<&'t str>) {
    let mut types = vec![ty];
    let mut names: Vec<&Name> = Vec::new();
    loop {
        if let Some(name) = names.pop() {
            found.push(&name.base);
            for arg in name.args.iter().flatten() {
                match arg {
                    TemplateArg::Type(ty) => types.push(ty),
                    TemplateArg::Name(name) => names.push(name),
                    _ => {}
                }
            }
        } else if let Some(ty) = types.pop() {
            match &ty.kind {
                TypeKind::Array(of, _) => types.push(of),
                TypeKind::Named(name) => names.push(name),
                _ => {}
            }
        } else {
            return;
        }
    }
}

/// The last part of a qualified name.
pub(super) fn last(name: &str) -> &str {
    name.rsplit("::").next().unwrap_or_default()
}
