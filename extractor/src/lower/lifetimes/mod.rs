//! Lifetimes of objects: copy and move constructors, and destructors, where C++ calls them without a call being written.
//!
//! **Method.** Objects that a destructor ends stand on one stack in the order of their construction
//! ([`Lowerer::living`]): locals, parameters, temporaries. Scopes, full expressions, calls and the targets of jumps
//! remember how high it was. The end of a scope or of a full expression takes the objects above that mark off the stack and
//! destroys them, the last one first; a jump destroys them and leaves them there, as other ways lead on.
//!
//! An expression of a class whose copies are no copies of bytes, or whose objects a destructor ends, is evaluated by
//! [`Lowerer::object_operand`]: to the place of an object, which initialisation copies or moves, or to a value that nobody has yet
//! (a prvalue), which initialisation takes as it is (guaranteed elision).
//!
//! **Contract.** Whoever evaluates such an expression otherwise, or reads such an object as bytes, is reported where it happens
//! ([`Lowerer::has_no_owner`], [`Lowerer::read`]): no copy and no end of an object is passed over in silence.

mod construction;
mod copies;
mod ends;
mod operands;
mod passed;

use std::rc::Rc;

use warplog_facts::words::*;

use super::body::Lowerer;
use super::classes::copies_members;
use super::named::Named;
use super::types::{StructTy, Ty};
use super::typing::is_unknown;
use super::unit::last_component;
use super::value::*;
use crate::syntax::ast::*;

/// Most elements of an array that are constructed or destroyed one by one.
const MAX_ELEMENTS: u64 = 64;

/// What objects of a class do where no call is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Special {
    /// Copying or moving one is more than copying its bytes.
    pub copies: bool,
    /// Its destructor does something.
    pub ends: bool,
}

impl Special {
    pub(crate) fn any(self) -> bool {
        self.copies || self.ends
    }

    fn or(self, other: Special) -> Special {
        Special {
            copies: self.copies || other.copies,
            ends: self.ends || other.ends,
        }
    }
}

/// An object that a destructor will end.
#[derive(Clone, Debug)]
pub(crate) struct Living {
    place: Lvalue,
    ty: Ty,
    range: Range,
}

/// The full expression that is being evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FullExpression {
    /// The place in the text of what is evaluated last in it.
    pub root: Option<Range>,
    /// How many objects there were before.
    living: usize,
}

impl<'u> Lowerer<'u, '_> {
    /// What objects of a type do, those of the elements of an array among them.
    pub(crate) fn special(&self, ty: &Ty) -> Special {
        match ty.innermost() {
            Ty::Struct(class) if self.index.may_be_special => self.special_class(class),
            _ => Special::default(),
        }
    }

    fn special_class(&self, class: &Rc<StructTy>) -> Special {
        let own = match self.record(class) {
            Some(record) => self.special_record(record),
            // `std::pair<T, int>`
            None => Special::default(),
        };
        let Some(layout) = class.layout() else {
            return own;
        };
        let bases = layout.bases.iter().map(|(base, _)| base);
        let fields = layout.fields.iter().map(|(_, field, _)| field);
        bases
            .chain(fields)
            .fold(own, |all, part| all.or(self.special(part)))
    }

    /// What a class declares itself.
    fn special_record(&self, record: &Struct) -> Special {
        let simple = last_component(&record.name);
        let constructors = self.index.methods(&record.name, simple);
        let destructors = self.index.methods(&record.name, &format!("~{simple}"));
        Special {
            copies: constructors
                .iter()
                .any(|one| on_device(one) && self.copies_specially(one, record)),
            ends: destructors
                .iter()
                .any(|one| on_device(one) && one.body.as_ref().is_some_and(acts))
                || !destructors.is_empty()
                    && destructors
                        .iter()
                        .all(|one| one.body.is_none() && on_device(one) && !self.is_default(one)),
        }
    }

    /// Whether a constructor is one that copies or moves, or may be chosen for that, and does more than copying bytes.
    fn copies_specially(&self, constructor: &Function, record: &Struct) -> bool {
        let simple = last_component(&record.name);
        if may_take_anything(constructor) {
            return true;
        }
        if !self.takes_itself(constructor, simple) || only_converts(constructor, record) {
            return false;
        }
        if constructor.body.is_none() {
            let defined = self.index.methods(&record.name, simple);
            let is_defined = |other: &&Function| {
                other.body.is_some()
                    && self.takes_itself(other, simple)
                    && other.owner == constructor.owner
            };
            return !defined.iter().any(is_defined) && !self.is_default(constructor);
        }
        if !copies_members(constructor) || constructor.params.len() > 1 {
            return true;
        }
        !copies_all_members(constructor, record)
    }

    /// Whether a constructor copies or moves objects of its own class, which may be named otherwise.
    fn takes_itself(&self, constructor: &Function, class: &str) -> bool {
        takes_itself(constructor, class) || self.copying.contains(&constructor.range)
    }

    /// Remembers the constructors of a class that copy or move under another name of it: `T(const Self &)`.
    pub(crate) fn note_copying(&mut self, class: &Rc<StructTy>) {
        let Some(record) = self.record(class) else {
            return;
        };
        let scope = self.class_scope(class);
        for constructor in self
            .index
            .methods(&record.name, last_component(&record.name))
        {
            let Some(to) = first_reference(constructor) else {
                continue;
            };
            let TypeKind::Named(name) = &to.kind else {
                continue;
            };
            if self.index.named.is_typedef(&name.base)
                && matches!(self.within(scope.clone(), |me| me.resolve(to)), Ty::Struct(own) if own == *class)
            {
                self.copying.insert(constructor.range);
            }
        }
    }

    /// `= default`, `= delete`: of functions without a body, those that are not defined elsewhere.
    fn is_default(&self, function: &Function) -> bool {
        let text = self.sources.text(function.range);
        let mut words = text.trim_end_matches(';').trim_end().rsplit('=');
        words
            .next()
            .is_some_and(|last| matches!(last.trim(), "default" | "delete"))
    }

    /// A destructor that does something and whose class is not known may be that of any class of the name.
    pub(crate) fn is_ended_elsewhere(&self, record: &Struct) -> bool {
        let name = format!("~{}", last_component(&record.name));
        let all = self.index.functions(&name);
        let of_class = |one: &Function| {
            let owner = one.owner.as_deref();
            owner.is_some_and(|owner| !self.index.named.classes(owner).is_empty())
        };
        // A definition outside the class may have been read a second time, as a function of its own.
        let is_known = |one: &Function| {
            let body = one.body.as_ref().map(|body| body.range);
            let same = |other: &&&Function| other.body.as_ref().map(|body| body.range) == body;
            all.iter().filter(same).any(|other| of_class(other))
        };
        all.iter()
            .any(|one| on_device(one) && one.body.as_ref().is_some_and(acts) && !is_known(one))
    }

    /// The class of an expression, if its objects do something where no call is written.
    fn special_expr(&mut self, expr: &Expr) -> Option<Rc<StructTy>> {
        if !self.index.may_be_special {
            return None;
        }
        match self.static_type(expr) {
            Ty::Struct(class) if self.special_class(&class).any() => Some(class),
            _ => None,
        }
    }

    /// Reports an object that is evaluated as a value by one that does not know what copies and ends it.
    pub(crate) fn has_no_owner(&mut self, expr: &Expr, value: &Value) {
        let is_object = matches!(
            value,
            Value::Struct(_) | Value::Local(_) | Value::Uninitialised
        );
        if !is_object || self.gave_up || !self.index.may_be_special {
            return;
        }
        let lost = match self.static_type(expr) {
            Ty::Struct(class) => self.special_class(&class).any(),
            ty => self.met_special && is_unknown(&ty),
        };
        if lost {
            self.lost_object(
                expr.range,
                "a copy or a temporary of it is not followed here",
            );
        }
    }

    /// Reports a value of which only its members are known, where it becomes an object: its class may have a destructor.
    pub(crate) fn has_no_class(&mut self, ty: &Ty, value: &Value, range: Range) {
        let is_object = matches!(
            value,
            Value::Struct(_) | Value::Local(_) | Value::Uninitialised
        );
        if is_object && self.met_special && !self.gave_up && !is_named(ty) {
            self.lost_object(range, "its class is not known");
        }
    }

    /// Reports an object that is read as bytes, which is neither a copy of it nor followed to its end.
    pub(crate) fn is_copy_of_bytes(&mut self, place: &Lvalue, value: &Value, range: Range) {
        if !self.index.may_be_special || self.gave_up {
            return;
        }
        let keeps = match value {
            Value::Function(callable) => callable.any(|one| match one {
                Callable::Lambda(index) => self
                    .closures
                    .get(*index)
                    .is_some_and(|closure| closure.keeps_objects),
                _ => false,
            }),
            _ => false,
        };
        let special = match place {
            Lvalue::Variable {
                ty: ty @ Ty::Struct(_),
                ..
            }
            | Lvalue::Memory {
                ty: ty @ Ty::Struct(_),
                ..
            } => self.special(ty).any(),
            _ => false,
        };
        if keeps || special {
            self.lost_object(range, "a copy of it is not followed here");
        }
    }

    /// Reports objects that a destructor should end and that nobody does.
    pub(crate) fn never_ends(&mut self, ty: &Ty, range: Range) {
        if self.special(ty).ends {
            self.lost_object(range, "its end is not followed here");
        }
    }

    /// Reports an object whose copies or whose end are not followed.
    pub(crate) fn lost_object(&mut self, range: Range, why: &str) {
        let what = "object with a copy constructor or destructor";
        self.unsupported(range, what, why, Effect::Control);
    }
}

/// Whether a constructor that only copies members copies all that a copy of the bytes would: what it leaves out has a value of its own
/// if it is of a class or the class gives it one.
fn copies_all_members(constructor: &Function, record: &Struct) -> bool {
    let mut copied = Vec::new();
    for stmt in constructor.body.iter().flat_map(|body| &body.stmts) {
        match &stmt.kind {
            StmtKind::MemberInit { member, .. } => copied.push(member.base.as_str()),
            StmtKind::Expr(Expr {
                kind: ExprKind::Assign { lhs, .. },
                ..
            }) => match &lhs.kind {
                ExprKind::Name(name) => copied.push(name.base.as_str()),
                ExprKind::Member { field, .. } => copied.push(field.base.as_str()),
                _ => {}
            },
            _ => {}
        }
    }
    let has_value =
        |field: &VarDecl| field.init != Init::None || matches!(field.ty.kind, TypeKind::Named(_));
    let is_left_out = |field: &VarDecl| has_value(field) && !copied.contains(&field.name.as_str());
    record.bases.is_empty() && !record.fields.iter().any(is_left_out)
}

/// Whether a function may be a constructor that copies or moves objects of its class, and that does more than copying their bytes.
pub(crate) fn may_copy_specially(function: &Function, named: &Named<'_>) -> bool {
    let Some(owner) = &function.owner else {
        return false;
    };
    if function.name != last_component(owner) || function.body.is_none() {
        return false;
    }
    // Another name may be one for the class.
    let may_be_own = |to: &Type| match &to.kind {
        TypeKind::Named(name) => {
            name.base == function.name || named.structs_called(&name.base).is_empty()
        }
        _ => false,
    };
    if may_take_anything(function) {
        return true;
    }
    let mut records = named.structs(owner).iter();
    first_reference(function).is_some_and(may_be_own)
        && !(function.params.len() == 1
            && copies_members(function)
            && records.all(|(_, record)| copies_all_members(function, record)))
}

/// Whether a type is known by more than the shape of a value.
fn is_named(ty: &Ty) -> bool {
    match ty {
        Ty::Struct(class) => class.class.is_some() || class.name != "struct",
        ty => !is_unknown(ty),
    }
}

/// Whether a function is for the device, or for both sides.
fn on_device(function: &Function) -> bool {
    function.quals.device || !function.quals.host
}

/// Whether a body does anything.
fn acts(body: &Block) -> bool {
    body.stmts
        .iter()
        .any(|stmt| !matches!(stmt.kind, StmtKind::Empty))
}

/// The class that the first parameter of a constructor refers to, if it needs no other argument.
fn first_reference(constructor: &Function) -> Option<&Type> {
    let (first, rest) = constructor.params.split_first()?;
    match &first.ty.kind {
        TypeKind::Reference(to) | TypeKind::RvalueReference(to)
            if rest.iter().all(|param| param.default.is_some()) =>
        {
            Some(to)
        }
        _ => None,
    }
}

/// Whether a constructor copies or moves objects of its own class: `T(const T &)`, `T(T &&, int = 0)`.
fn takes_itself(constructor: &Function, class: &str) -> bool {
    let is_class = |to: &Type| matches!(&to.kind, TypeKind::Named(name) if name.base == class);
    first_reference(constructor).is_some_and(is_class)
}

/// Whether a constructor is a template that takes constant objects: `template <class U> T(const T<U> &)`. It copies none of its own
/// class, for which the constructor that every class has is as good and no template. Parameters of the class itself make no template
/// of it, and what is defined outside of the class may be one for the class's sake.
fn only_converts(constructor: &Function, record: &Struct) -> bool {
    let is_template = constructor
        .template
        .as_ref()
        .is_some_and(|own| own.len() > record.template.len());
    let takes_constant = first_reference(constructor).is_some_and(|to| to.is_const)
        && matches!(constructor.params[0].ty.kind, TypeKind::Reference(_));
    is_template && takes_constant && record.range.contains(constructor.range)
}

/// Whether a constructor is a template that takes what may be an object of its own class as it is: `T(U &&)`, `T(U &)`.
fn may_take_anything(constructor: &Function) -> bool {
    let Some((first, rest)) = constructor.params.split_first() else {
        return false;
    };
    let of = match &first.ty.kind {
        TypeKind::Reference(to) if !to.is_const => to,
        TypeKind::RvalueReference(to) => to,
        _ => return false,
    };
    let own = constructor.template.iter().flatten();
    let mut names = own.filter_map(|parameter| parameter.name.as_deref());
    rest.iter()
        .all(|param| param.default.is_some() || param.pack)
        && matches!(&of.kind, TypeKind::Named(name) if names.any(|one| name.as_simple() == Some(one)))
}

/// Whether a function is one that C++ calls where no call is written.
pub(crate) fn is_special_member(function: &Function) -> bool {
    function.name.starts_with('~')
        || function.owner.as_deref().is_some_and(|owner| {
            let class = last_component(owner);
            let of_class = |to: &Type| matches!(to.kind, TypeKind::Named(_));
            function.name == class
                && (first_reference(function).is_some_and(of_class) || may_take_anything(function))
        })
}
