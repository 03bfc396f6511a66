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

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::{Binding, Lowerer};
use super::call::{Called, Passed, is_reference};
use super::classes::copies_members;
use super::constness::{Argument, Category, Qualified};
use super::overload::{Chosen, Found, derives};
use super::types::{Extent, StructTy, Ty};
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
        if !self.takes_itself(constructor, simple) {
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
        // What it does not copy has a value of its own if it is of a class or the class gives it one.
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
        let has_value = |field: &VarDecl| {
            field.init != Init::None || matches!(field.ty.kind, TypeKind::Named(_))
        };
        !record.bases.is_empty()
            || record
                .fields
                .iter()
                .any(|field| has_value(field) && !copied.contains(&field.name.as_str()))
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
            let mut aliases = self.index.unit.typedefs.iter();
            if aliases.any(|alias| last_component(&alias.name) == name.base)
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
            owner.is_some_and(|owner| self.index.classes.iter().any(|class| class.name == owner))
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

    // Ends.

    /// The end of a scope or of a full expression: of the objects made since there were so many.
    pub(crate) fn end_objects(&mut self, from: usize) {
        while self.living.len() > from {
            if let Some(one) = self.living.pop()
                && self.alive
                && !self.gave_up
            {
                self.destroy(one.place, &one.ty, one.range);
            }
        }
    }

    /// A jump ends the objects made since there were so many; on other ways they live on. Whether control goes on.
    pub(crate) fn leave_objects(&mut self, from: usize) -> bool {
        let leaving = self.living.get(from..).unwrap_or_default().to_vec();
        for one in leaving.into_iter().rev() {
            if self.alive && !self.gave_up {
                self.destroy(one.place, &one.ty, one.range);
            }
        }
        self.alive
    }

    /// From here on there is an object at a place.
    pub(crate) fn live(&mut self, place: Lvalue, ty: &Ty, range: Range) {
        if self.special(ty).ends {
            self.living.push(Living {
                place,
                ty: ty.clone(),
                range,
            });
        }
    }

    /// The same for a variable.
    pub(crate) fn live_variable(&mut self, var: VarId, range: Range) {
        let Some((_, ty)) = self.variables.get(var.0 as usize).cloned() else {
            return;
        };
        let place = Lvalue::Variable {
            var,
            path: Vec::new(),
            ty: ty.clone(),
        };
        self.live(place, &ty, range);
    }

    /// Calls the destructor of the class, then those of members and bases, the last one first.
    fn destroy(&mut self, place: Lvalue, ty: &Ty, range: Range) {
        if !self.special(ty).ends {
            return;
        }
        match ty {
            Ty::Array(element, Extent::Constant(count)) if *count <= MAX_ELEMENTS => {
                for index in (0..*count).rev() {
                    let place = self.element_place(place.clone(), element, index);
                    self.destroy(place, element, range);
                }
            }
            Ty::Struct(class) => self.destroy_object(place, class, range),
            _ => self.lost_object(range, "it has too many elements to destroy"),
        }
    }

    fn destroy_object(&mut self, place: Lvalue, class: &Rc<StructTy>, range: Range) {
        let (Some(record), Some(layout)) = (self.record(class), class.layout()) else {
            self.lost_object(range, "its class is not understood");
            return;
        };
        if record.kind == StructKind::Union {
            self.lost_object(range, "which member of a union it is does not show");
            return;
        }
        let simple = format!("~{}", last_component(&record.name));
        let name = Name::simple(&simple, range);
        match self.resolve_method(class, &name, Some(false), &[]) {
            Found::One(found) => {
                self.inline(&found, Some(place.clone()), &[], range);
            }
            Found::None => {}
            Found::Prototype(found) if self.is_default(found.function) => {}
            _ => self.lost_object(range, "its destructor is not known"),
        }
        for (name, field, _) in layout.fields.iter().rev() {
            if self.special(field).ends {
                let part = self.field_place(place.clone(), name, range);
                self.destroy(part, field, range);
            }
        }
        for (base, _) in layout.bases.iter().rev() {
            if let Ty::Struct(inner) = base {
                let part = self.as_base(place.clone(), inner);
                self.destroy(part, base, range);
            }
        }
    }

    /// An element of an array object.
    pub(crate) fn element_place(&mut self, place: Lvalue, element: &Ty, index: u64) -> Lvalue {
        let Some(bytes) = element.bytes() else {
            return Lvalue::Unknown;
        };
        let Lvalue::Memory { targets, .. } = self.in_bytes(place) else {
            return Lvalue::Unknown;
        };
        Lvalue::Memory {
            targets: self.moved_by(targets, i128::from(index * bytes)),
            ty: element.clone(),
        }
    }

    /// Makes the elements of an array by the constructor that takes nothing; whether they are few enough.
    pub(crate) fn construct_elements(&mut self, place: &Lvalue, ty: &Ty, range: Range) -> bool {
        let Ty::Array(element, Extent::Constant(count)) = ty else {
            let value = self.full_expression(None, |me| me.default_value(ty, range));
            if value != Value::Uninitialised {
                self.write(place, value, range);
            }
            return true;
        };
        *count <= MAX_ELEMENTS
            && (0..*count).all(|index| {
                let place = self.element_place(place.clone(), element, index);
                self.construct_elements(&place, element, range)
            })
    }

    // Construction.

    /// What a constructor does before its body; gives the statements of that.
    pub(crate) fn construct_before<'b>(&mut self, body: &'b Block, range: Range) -> &'b [Stmt] {
        let written = body
            .stmts
            .iter()
            .take_while(|stmt| matches!(stmt.kind, StmtKind::MemberInit { .. }))
            .count();
        let (written, rest) = body.stmts.split_at(written);
        match (self.scope().class, self.this_place()) {
            (Some(class), Some(place)) => self.construct_parts(&place, &class, written, range),
            _ => written.iter().for_each(|stmt| self.stmt(stmt)),
        }
        rest
    }

    /// Constructs the bases and members of an object in the order of their declaration, in whatever order their
    /// initialisers are written; those that have none by what the class says.
    pub(crate) fn construct_parts(
        &mut self,
        place: &Lvalue,
        class: &Rc<StructTy>,
        written: &[Stmt],
        range: Range,
    ) {
        enum Part<'a> {
            Written(&'a Stmt),
            Base(&'a Ty),
            Field(&'a VarDecl, Ty),
        }
        let (Some(record), Some(layout)) = (self.record(class), class.layout()) else {
            return written.iter().for_each(|stmt| self.stmt(stmt));
        };
        let mut listed: Vec<&str> = Vec::new();
        let mut listed_bases: Vec<Ty> = Vec::new();
        let mut parts: Vec<((usize, usize), Part<'_>)> = Vec::new();
        for stmt in written {
            let StmtKind::MemberInit { member, .. } = &stmt.kind else {
                continue;
            };
            let position = layout
                .fields
                .iter()
                .rposition(|(name, ..)| *name == member.base);
            if let (Some(position), Some(simple)) = (position, member.as_simple()) {
                listed.push(simple);
                parts.push(((position + 1, 0), Part::Written(stmt)));
                continue;
            }
            let base = self.named_type(member);
            if matches!(&base, Ty::Struct(base) if base == class) {
                // Another constructor does all of it.
                return written.iter().for_each(|stmt| self.stmt(stmt));
            }
            let position = layout.bases.iter().position(|(known, _)| *known == base);
            parts.push(((0, position.map_or(0, |at| at + 1)), Part::Written(stmt)));
            listed_bases.push(base);
        }
        for (position, (base, _)) in layout.bases.iter().enumerate() {
            if !listed_bases.contains(base) {
                parts.push(((0, position + 1), Part::Base(base)));
            }
        }
        for field in &record.fields {
            let position = layout
                .fields
                .iter()
                .rposition(|(name, ..)| *name == field.name);
            if let Some(position) = position
                && !listed.contains(&field.name.as_str())
            {
                let ty = layout.fields[position].1.clone();
                parts.push(((position + 1, 0), Part::Field(field, ty)));
            }
        }
        parts.sort_by_key(|(key, _)| *key);
        for (_, part) in parts {
            match part {
                Part::Written(stmt) => self.stmt(stmt),
                Part::Base(base) => {
                    let Ty::Struct(inner) = base else { continue };
                    let value = self.full_expression(None, |me| me.default_value(base, range));
                    if value != Value::Uninitialised {
                        let part = self.as_base(place.clone(), inner);
                        self.assign_parts(&part, &value, inner, range);
                    }
                }
                Part::Field(field, ty) => self.construct_field(place, class, field, &ty, range),
            }
        }
    }

    /// A member that its class initialises, or that a constructor without arguments makes.
    fn construct_field(
        &mut self,
        place: &Lvalue,
        class: &Rc<StructTy>,
        field: &VarDecl,
        ty: &Ty,
        range: Range,
    ) {
        if let (Init::None, Ty::Array(..), Ty::Struct(inner)) = (&field.init, ty, ty.innermost()) {
            if self.constructs(inner) {
                let part = self.field_place(place.clone(), &field.name, range);
                if !self.construct_elements(&part, ty, range) {
                    self.lost_object(range, "it has too many elements to construct");
                }
            }
            return;
        }
        let value = match &field.init {
            Init::None => self.full_expression(None, |me| me.default_value(ty, range)),
            init => {
                let scope = self.class_scope(class);
                self.within(scope, |me| {
                    if let Some(call) = me.calls.last_mut() {
                        call.this = Some(place.clone());
                        call.constant_this = Some(false);
                    }
                    me.full_expression(None, |me| me.initial(ty, init, range))
                })
            }
        };
        if value != Value::Uninitialised {
            let part = self.field_place(place.clone(), &field.name, range);
            self.write(&part, value, range);
        }
    }

    // Expressions.

    /// Evaluates a full expression: its temporaries end with it. `root`: what is evaluated last, if nothing is done with its
    /// value but to keep it.
    pub(crate) fn full_expression<T>(
        &mut self,
        root: Option<Range>,
        act: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let living = self.living.len();
        let outer = std::mem::replace(&mut self.full, FullExpression { root, living });
        let result = act(self);
        self.end_objects(living);
        self.full = outer;
        result
    }

    /// A full expression as a value.
    pub(crate) fn full_value(&mut self, expr: &Expr) -> Value {
        self.full_expression(Some(expr.range), |me| me.expr(expr))
    }

    /// A full expression as a condition.
    pub(crate) fn full_condition(&mut self, cond: &Expr) -> TermId {
        self.full_expression(Some(cond.range), |me| {
            let value = me.scalar_expr(cond);
            me.condition_of(&value, cond.range)
        })
    }

    /// What the full expression of a declaration ends with: a call, unless an object is made of what it gives.
    pub(crate) fn full_declaration(&mut self, declaration: &VarDecl) -> FullExpression {
        let root = match &declaration.init {
            Init::Expr(init) if !is_reference(&declaration.ty) => {
                let is_object = self.index.may_be_special
                    && matches!(self.resolve(&declaration.ty), Ty::Struct(_));
                (!is_object).then_some(init.range)
            }
            _ => None,
        };
        FullExpression {
            root,
            living: self.living.len(),
        }
    }

    /// Temporaries of an operand that is not always evaluated would end with the whole expression.
    pub(crate) fn end_branch(&mut self, from: usize) {
        if let Some(first) = self.living.get(from) {
            let range = first.range;
            self.lost_object(range, "whether a temporary was made is not followed");
            self.living.truncate(from);
        }
    }

    /// The place of an object that an expression makes or means, unless the kind of expression shows it.
    pub(crate) fn place_of_object(&mut self, expr: &Expr) -> Option<Lvalue> {
        match &expr.kind {
            ExprKind::Name(_)
            | ExprKind::Member { .. }
            | ExprKind::Call { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_) => return None,
            ExprKind::Cast { ty, .. } if is_reference(ty) => return None,
            _ => {}
        }
        let class = self.special_expr(expr)?;
        Some(match self.object_operand(expr) {
            Called::Place(place) => place,
            Called::Value(value) => self.temporary(Ty::Struct(class), value),
        })
    }

    /// Reports an object that is read as bytes, which is neither a copy of it nor followed to its end.
    pub(crate) fn is_copy_of_bytes(&mut self, place: &Lvalue, value: &Value, range: Range) {
        if !self.index.may_be_special || self.gave_up {
            return;
        }
        let keeps = match value {
            Value::Function(callable) => match &**callable {
                Callable::Lambda(index) => self
                    .closures
                    .get(*index)
                    .is_some_and(|closure| closure.keeps_objects),
                Callable::Named(..) => false,
            },
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

    /// The value of an expression that is kept: of an object, a copy.
    pub(crate) fn kept(&mut self, expr: &Expr, ty: &Ty) -> Value {
        if self.special(ty).any() && matches!(ty, Ty::Struct(_)) {
            self.initialised(expr, ty)
        } else {
            self.expr(expr)
        }
    }

    /// An expression whose value nobody wants: an object is not copied for that.
    pub(crate) fn discard(&mut self, expr: &Expr) {
        if self.special_expr(expr).is_some() {
            self.place(expr);
        } else {
            self.expr(expr);
        }
    }

    /// The end of a parameter: when the function returns, or at the end of the full expression around the call, as the
    /// implementation likes. Only where that is the same it is followed.
    pub(crate) fn end_parameters(&mut self, from: usize, call: Range) {
        if self.living.len() == from {
            return;
        }
        if self.full.root != Some(call) || from > self.full.living {
            self.lost_object(
                call,
                "a parameter of a call ends before or after what stands around it",
            );
        }
        self.end_objects(from);
    }

    /// A declaration ends the temporaries of its initialiser, but not one that a reference keeps; its variable lives on.
    pub(crate) fn settle_declaration(&mut self, declaration: &VarDecl, from: usize) {
        let range = declaration.name_range;
        let binding = self
            .scopes
            .last()
            .and_then(|scope| scope.get(&declaration.name))
            .cloned();
        match binding {
            Some(Binding::Reference(place)) => {
                let kept = self.kept_temporary(&place, declaration, from);
                self.end_objects(from);
                self.living.extend(kept);
            }
            Some(Binding::Variable(var)) => {
                self.end_objects(from);
                if declaration.storage.is_static
                    && self.special(&self.variables[var.0 as usize].1).any()
                {
                    self.lost_object(range, "it is a static local variable");
                }
                self.live_variable(var, range);
            }
            _ => self.end_objects(from),
        }
    }

    /// The temporary that a reference is bound to and keeps alive.
    fn kept_temporary(
        &mut self,
        place: &Lvalue,
        declaration: &VarDecl,
        from: usize,
    ) -> Option<Living> {
        let base = |place: &Lvalue| match place {
            Lvalue::Variable { var, .. } => vec![*var],
            Lvalue::Memory { targets, .. } => targets
                .iter()
                .filter_map(|target| match target.base {
                    Base::Variable(var) => Some(var),
                    _ => None,
                })
                .collect(),
            Lvalue::Unknown => Vec::new(),
        };
        let bound = base(place);
        let at = (from..self.living.len()).rev().find(|&at| {
            base(&self.living[at].place)
                .iter()
                .any(|var| bound.contains(var))
        })?;
        // Of other expressions a part of it may be kept, or it ends and the reference leads nowhere.
        let init = match &declaration.init {
            Init::Expr(init) => Some(init),
            Init::Call(args) if args.len() == 1 => args.first(),
            _ => None,
        };
        let whole = init.is_some_and(|init| match &init.kind {
            ExprKind::Construct { .. } => true,
            ExprKind::Call { callee, .. } => {
                !self.forwards(callee) && self.category(init).0 == Category::Temporary
            }
            _ => !matches!(self.static_type(init), Ty::Struct(_)),
        });
        let is_all = matches!(place, Lvalue::Variable { path, .. } if path.is_empty());
        if !whole || !is_all || at + 1 != self.living.len() {
            self.lost_object(
                declaration.range,
                "whether a reference keeps a temporary is not followed",
            );
        }
        Some(self.living.remove(at))
    }

    /// An expression of a class whose objects do something where no call is written: the place of an object, or a value that
    /// becomes the object that it initialises.
    pub(crate) fn object_operand(&mut self, expr: &Expr) -> Called {
        let range = expr.range;
        match &expr.kind {
            ExprKind::Call { callee, args } if args.len() == 1 && self.forwards(callee) => {
                Called::Place(self.place(&args[0]))
            }
            ExprKind::Call { callee, args } => self.call(callee, args, range),
            ExprKind::Construct { ty, args, .. } => {
                let ty = self.resolve(ty);
                Called::Value(self.construct_value(&ty, args, range))
            }
            ExprKind::Index { base, index } if matches!(self.static_type(base), Ty::Struct(_)) => {
                let places = [self.place(base), self.place(index)];
                let called = self.call_operator("operator[]", &places, range);
                self.called_or_lost(called, range)
            }
            ExprKind::Deref(inner)
                if inner.kind != ExprKind::This
                    && matches!(self.static_type(inner), Ty::Struct(_)) =>
            {
                let places = [self.place(inner)];
                let called = self.call_operator("operator*", &places, range);
                self.called_or_lost(called, range)
            }
            ExprKind::Name(_)
            | ExprKind::Member { .. }
            | ExprKind::Deref(_)
            | ExprKind::Index { .. } => Called::Place(self.place(expr)),
            ExprKind::Cast { ty, arg, .. } => {
                if is_reference(ty) {
                    return Called::Place(self.place(expr));
                }
                let to = self.resolve(ty);
                Called::Value(self.initialised(arg, &to))
            }
            ExprKind::Conditional { cond, then, els } => {
                self.conditional_operand(expr, cond, then, els)
            }
            ExprKind::Comma(first, second) => {
                if !self.index.functions("operator,").is_empty() {
                    return self.called_or_lost(None, range);
                }
                self.discard(first);
                self.object_operand(second)
            }
            ExprKind::Binary(op, left, right) => {
                let name = format!("operator{}", op.text());
                let called = self.user_operator_called(&name, &[left, right], range);
                self.called_or_lost(called, range)
            }
            ExprKind::Unary(op, arg) => {
                let name = super::typing::unary_name(*op);
                let called = self.user_operator_called(name, &[arg], range);
                self.called_or_lost(called, range)
            }
            ExprKind::Assign { op, lhs, rhs } => {
                let name = format!("operator{}=", op.map_or("", BinaryOp::text));
                match self.user_operator_called(&name, &[lhs, rhs], range) {
                    Some(called) => called,
                    None if op.is_none() => Called::Place(self.assign_object(lhs, rhs, range)),
                    None => self.called_or_lost(None, range),
                }
            }
            ExprKind::IncDec {
                increment,
                prefix: true,
                arg,
            } => {
                let name = if *increment {
                    "operator++"
                } else {
                    "operator--"
                };
                let called = self.user_operator_called(name, &[arg], range);
                self.called_or_lost(called, range)
            }
            _ => self.called_or_lost(None, range),
        }
    }

    fn called_or_lost(&mut self, called: Option<Called>, range: Range) -> Called {
        called.unwrap_or_else(|| {
            self.lost_object(range, "what makes it is not followed");
            Called::Place(Lvalue::Unknown)
        })
    }

    /// `c ? a : b`: one of two objects, or a new one that is initialised by one of them.
    fn conditional_operand(
        &mut self,
        whole: &Expr,
        cond: &Expr,
        then: &Expr,
        els: &Expr,
    ) -> Called {
        let range = whole.range;
        let (one, other) = (self.static_type(then), self.static_type(els));
        let (first, second) = (self.category(then), self.category(els));
        // Of temporaries that have a place already (`std::move(a)`), a place may be meant.
        let is_new = |me: &mut Self, expr: &Expr| match &expr.kind {
            ExprKind::Construct { .. } => true,
            ExprKind::Call { callee, .. } => {
                !me.forwards(callee) && me.category(expr).0 == Category::Temporary
            }
            _ => false,
        };
        let is_place = |expr: &Expr, category: Category| {
            category == Category::Place
                && matches!(
                    expr.kind,
                    ExprKind::Name(_)
                        | ExprKind::Member { .. }
                        | ExprKind::Index { .. }
                        | ExprKind::Deref(_)
                )
        };
        let places = is_place(then, first.0) && is_place(els, second.0);
        let known = first.1.object.is_some() && first.1.object == second.1.object;
        if one != other || !matches!(one, Ty::Struct(_)) {
            return self.called_or_lost(None, range);
        }
        if places && known {
            let value = self.scalar_expr(cond);
            let condition = self.condition_of(&value, cond.range);
            let (then, els) = (self.place(then), self.place(els));
            let (then, els) = (
                self.address_of_place(then, range),
                self.address_of_place(els, range),
            );
            return match self.merge(condition, &then, &els) {
                Value::Pointer(pointer) => Called::Place(Lvalue::Memory {
                    targets: pointer.targets,
                    ty: one,
                }),
                _ => self.called_or_lost(None, range),
            };
        }
        let any_new = is_new(self, then) || is_new(self, els);
        let all_known = [(then, first.0), (els, second.0)]
            .into_iter()
            .all(|(expr, category)| is_new(self, expr) || is_place(expr, category));
        if !any_new || !all_known {
            return self.called_or_lost(None, range);
        }
        let value = self.scalar_expr(cond);
        let condition = self.condition_of(&value, cond.range);
        let (mut first, mut second) = (None, None);
        self.branch(
            condition,
            range,
            &mut |me| first = Some(me.initialised(then, &one)),
            &mut |me| second = Some(me.initialised(els, &one)),
        );
        Called::Value(match (first, second) {
            (Some(first), Some(second)) => self.merge(condition, &first, &second),
            (Some(one), None) | (None, Some(one)) => one,
            (None, None) => Value::Unknown,
        })
    }

    /// `a = b` by the assignment that C++ declares itself: what it copies are bytes, as classes whose members have an
    /// assignment of their own are refused.
    pub(crate) fn assign_object(&mut self, lhs: &Expr, rhs: &Expr, range: Range) -> Lvalue {
        let ty = self.static_type(lhs);
        let declares = match &ty {
            Ty::Struct(class) => self.assigns_specially(class),
            _ => true,
        };
        if declares {
            self.lost_object(range, "which assignment is meant is not known");
            return Lvalue::Unknown;
        }
        let from = if self.static_type(rhs) == ty {
            self.place(rhs)
        } else {
            let value = self.initialised(rhs, &ty);
            self.temporary(ty, value)
        };
        let value = self.read_object(&from, range);
        let place = self.place(lhs);
        self.write(&place, value, range);
        place
    }

    // Initialisation.

    /// The value of an object that an expression initialises: copied, moved, converted, or made in place.
    pub(crate) fn initialised(&mut self, expr: &Expr, ty: &Ty) -> Value {
        let class = match ty {
            Ty::Struct(class) if self.special(ty).any() => Rc::clone(class),
            _ => return self.expr_as(expr, ty),
        };
        if let ExprKind::InitList(items) = &expr.kind {
            return self.construct_value(ty, items, expr.range);
        }
        let mut own = self.static_type(expr);
        if is_unknown(&own) {
            own = self.tried_type(expr);
        }
        match &own {
            Ty::Struct(from) if own == *ty || derives(from, &class) => {
                let known = self.category(expr);
                match self.object_operand(expr) {
                    Called::Value(value) if own == *ty => value,
                    Called::Value(value) => {
                        let whole = self.temporary(own, value);
                        let part = self.as_base(whole, &class);
                        self.copied(&class, part, known, expr.range)
                    }
                    Called::Place(place) => {
                        let part = self.as_base(place, &class);
                        self.copied(&class, part, known, expr.range)
                    }
                }
            }
            Ty::Struct(from) => {
                let converts = self.record(from).is_some_and(|record| {
                    let functions = &self.index.unit.functions;
                    functions.iter().any(|one| {
                        one.owner.as_deref() == Some(&record.name)
                            && one.name.starts_with("operator ")
                    })
                });
                if converts {
                    self.lost_object(expr.range, "how it is converted is not known");
                    return self.unknown_value(ty, "object that is converted", expr.range);
                }
                self.construct_value(ty, std::slice::from_ref(expr), expr.range)
            }
            _ if is_unknown(&own) => {
                self.lost_object(expr.range, "what initialises it is not known");
                self.unknown_value(ty, "object whose initialiser is not known", expr.range)
            }
            _ => self.expr_as(expr, ty),
        }
    }

    /// A new object that is made from one at a place, by the constructor that C++ chooses.
    pub(crate) fn copied(
        &mut self,
        class: &Rc<StructTy>,
        from: Lvalue,
        known: (Category, Qualified),
        range: Range,
    ) -> Value {
        let ty = Ty::Struct(Rc::clone(class));
        if !self.special_class(class).copies {
            return self.read_object(&from, range);
        }
        let (Some(record), Some(layout)) = (self.record(class), class.layout()) else {
            self.lost_object(range, "its class is not understood");
            return Value::Unknown;
        };
        let simple = last_component(&record.name);
        let constructors = self.index.methods(&record.name, simple);
        let own: Vec<&Function> = constructors
            .iter()
            .copied()
            .filter(|one| self.takes_itself(one, simple))
            .collect();
        let (bodies, others): (Vec<&Function>, Vec<&Function>) =
            own.iter().partition(|one| one.body.is_some());
        // One without a body is defined elsewhere, is that of C++, or there is none.
        let is_mixed = !bodies.is_empty() && others.iter().any(|one| self.is_default(one));
        let is_open = record.kind == StructKind::Union
            || constructors.iter().any(|one| may_take_anything(one))
            || is_mixed && known.0 != Category::Place;
        if is_open {
            self.lost_object(range, "which constructor copies it is not known");
            return self.unknown_value(&ty, "copy of an object", range);
        }
        let before = self.birth();
        if !own.is_empty() {
            let given = [Argument::known(ty.clone(), known)];
            let name = Name::simple(simple, range);
            match self.resolve_method(class, &name, Some(false), &given) {
                Found::One(found) => {
                    let place = self.constructed(&ty, Value::Uninitialised, range);
                    let passed = match found.function.params.first() {
                        Some(param) if is_reference(&param.ty) => Passed::Place(from),
                        _ => {
                            self.lost_object(range, "which constructor copies it is not known");
                            return self.unknown_value(&ty, "copy of an object", range);
                        }
                    };
                    self.inline_passed(&found, Some(place.clone()), vec![passed], range);
                    let value = self.read_object(&place, range);
                    self.keeps_nothing_since(before, &value, range);
                    return value;
                }
                Found::Prototype(found) if self.is_default(found.function) => {}
                _ => {
                    self.lost_object(range, "which constructor copies it is not known");
                    return self.unknown_value(&ty, "copy of an object", range);
                }
            }
        }
        // The constructor of C++: bases and members one by one. It moves them if it is one that moves, which a class has that
        // declares no copy, no assignment and no destructor.
        let declares = |name: &str| !self.index.methods(&record.name, name).is_empty();
        let moves = own.is_empty() && !declares("operator=") && !declares(&format!("~{simple}"));
        let part_known = match known {
            (Category::Temporary, qualified) if moves && qualified.object == Some(false) => known,
            (Category::Place, _) => (
                Category::Place,
                Qualified {
                    object: Some(true),
                    pointee: None,
                },
            ),
            _ => (Category::Unknown, Qualified::default()),
        };
        let place = self.constructed(&ty, Value::Uninitialised, range);
        // Members of references and bits, and what has no name, are copied with the rest.
        let bytes = self.read_object(&from, range);
        self.write(&place, bytes, range);
        for (base, _) in &layout.bases {
            if let Ty::Struct(inner) = base
                && self.special(base).copies
            {
                let part = self.as_base(from.clone(), inner);
                let value = self.copied(inner, part, part_known, range);
                let to = self.as_base(place.clone(), inner);
                self.assign_parts(&to, &value, inner, range);
            }
        }
        let scope = self.class_scope(class);
        for (name, field, _) in &layout.fields {
            if !self.special(field).copies {
                continue;
            }
            let declared = record.fields.iter().find(|one| one.name == *name);
            if name.is_empty() || declared.is_none_or(|one| one.storage.mutable) {
                self.lost_object(range, "a member that is no plain object is copied");
                continue;
            }
            let constant =
                declared.map(|one| self.within(scope.clone(), |me| me.qualified(&one.ty)));
            let mut part_known = part_known;
            if part_known.0 == Category::Temporary
                && constant.is_none_or(|qualified| qualified.object != Some(false))
            {
                part_known = (Category::Unknown, Qualified::default());
            }
            let part = self.field_place(from.clone(), name, range);
            let to = self.field_place(place.clone(), name, range);
            self.copy_part(part, to, field, part_known, range);
        }
        let value = self.read_object(&place, range);
        self.keeps_nothing_since(before, &value, range);
        value
    }

    /// Copies a member, or the elements of one.
    fn copy_part(
        &mut self,
        from: Lvalue,
        to: Lvalue,
        ty: &Ty,
        known: (Category, Qualified),
        range: Range,
    ) {
        match ty {
            Ty::Struct(class) => {
                let value = self.copied(class, from, known, range);
                self.write(&to, value, range);
            }
            Ty::Array(element, Extent::Constant(count)) if *count <= MAX_ELEMENTS => {
                for index in 0..*count {
                    let one = self.element_place(from.clone(), element, index);
                    let other = self.element_place(to.clone(), element, index);
                    self.copy_part(one, other, element, known, range);
                }
            }
            _ => self.lost_object(range, "it has too many elements to copy"),
        }
    }

    /// A call of an operator that takes objects by value: they are copied, or made in place.
    pub(crate) fn call_operator_by_value(
        &mut self,
        found: &Chosen<'u>,
        operands: &[&Expr],
        range: Range,
    ) -> Option<Called> {
        let function = found.function;
        let is_member = function.owner.is_some() && !function.quals.friend;
        let of_operands = operands.get(usize::from(is_member)..)?;
        let types: Vec<Ty> = self.within(found.scope.clone(), |me| {
            let params = function.params.iter();
            params.map(|param| me.resolve(&param.ty)).collect()
        });
        let takes_object =
            |(param, ty): (&Param, &Ty)| !is_reference(&param.ty) && self.special(ty).any();
        if !function.params.iter().zip(&types).any(takes_object) {
            return None;
        }
        let this = match operands.first() {
            Some(first) if is_member => {
                let place = self.place(first);
                Some(self.as_owner(place, found))
            }
            _ => None,
        };
        let mut passed = Vec::new();
        for ((param, ty), operand) in function.params.iter().zip(&types).zip(of_operands) {
            passed.push(if is_reference(&param.ty) {
                Passed::Place(self.place(operand))
            } else if self.special(ty).any() {
                Passed::Value(self.initialised(operand, ty))
            } else {
                let place = self.place(operand);
                Passed::Value(self.read(&place, range))
            });
        }
        Some(self.inline_passed(found, this, passed, range))
    }

    /// What `return` of an object gives: a copy, or what is made in place.
    pub(crate) fn returned(&mut self, expr: &Expr, ty: &Ty) -> Value {
        let name = match &expr.kind {
            ExprKind::Name(name) => name.as_simple(),
            _ => None,
        };
        let bottom = self.calls.last().map_or(0, |call| call.scopes);
        let local = name.and_then(|name| {
            (bottom..self.scopes.len())
                .rev()
                .find_map(|at| Some((at, self.scopes[at].get(name)?.clone())))
        });
        if let (Some((at, Binding::Variable(_))), true) = (local, self.special(ty).any())
            && at > bottom
            && matches!(self.static_type(expr), Ty::Struct(_))
        {
            // Of a parameter it would be a move; whether that of a local is left out is up to the compiler.
            let why = "whether the copy of a local variable for a result is left out is up to the compiler";
            self.lost_object(expr.range, why);
            let place = self.place(expr);
            return self.read_object(&place, expr.range);
        }
        self.initialised(expr, ty)
    }
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
