//! Stores whose target is not determined, and calls of what is not determined. A pointer that was found behind a change
//! which is not followed, or that a loop carries, has an object of its own; what is stored through it may be in any variable
//! that took part.

use std::collections::BTreeSet;
use std::rc::Rc;

use warplog_facts::CType;

use super::Host;
use super::alias::Kind;
use super::call::Operand;
use super::value::*;
use crate::lower::types::Ty;
use crate::syntax::ast::*;

impl<'u> Host<'_, 'u> {
    /// A pointer to a place is a value from now on.
    pub(super) fn addressed(&mut self, place: &Place) {
        let object = self.objects.get(place.root);
        if object.kind == Kind::Variable && !object.is_const {
            self.addressed.insert(place.root);
        }
    }

    /// Whether a name is one of a reference that is bound to something which is not followed.
    pub(super) fn is_vague_reference(&self, name: &Name) -> bool {
        if name.global || !name.qualifier.is_empty() {
            return false;
        }
        let mut scopes = self.frame().scopes.iter().rev();
        let root = scopes.find_map(|scope| scope.get(name.base.as_str()));
        root.is_some_and(|root| matches!(self.references.get(root), Some(None)))
    }

    /// A store through some values: to all that they lead to; where that is not known, to all whose address was taken.
    pub(super) fn store_anywhere(&mut self, through: &[Value<'u>], stored: &[Value<'u>]) {
        let mut through = through.to_vec();
        if through.iter().any(is_vague) {
            through.push(Value::Unknown(Rc::new(self.addressed.clone())));
        }
        let [targets, held] = [&through, stored].map(|values| -> BTreeSet<Root> {
            let roots = values.iter().flat_map(|value| self.roots_of(value));
            roots.collect()
        });
        self.havoc_reached(&[through, stored.to_vec()].concat());
        if held.is_empty() {
            return;
        }
        // A pointer that was stored is in one of them, and where it was.
        for root in targets {
            let object = self.objects.get(root);
            if object.kind == Kind::Variable && !matches!(object.ty, Ty::Scalar(_)) {
                let mut sources = held.clone();
                sources.insert(root);
                self.havoc(&Place::of(root), sources);
            }
        }
    }

    /// A function of a library fills what a pointer leads to.
    pub(super) fn filled(&mut self, pointer: &Value<'u>, sources: &BTreeSet<Root>) {
        let places: Vec<Place> = match pointer {
            Value::Pointer(Pointer::At(place, _), _) => vec![place.clone()],
            Value::Pointer(..) | Value::Unknown(_) | Value::Initial(..) => {
                let roots = self.roots_of(pointer);
                roots.into_iter().map(Place::of).collect()
            }
            _ => return,
        };
        for place in places {
            self.havoc(&place, sources.clone());
        }
    }

    /// An expression was evaluated for the objects that it leads to, which looking for its place may have done before.
    pub(super) fn ran_before(&mut self, expr: &Expr, before: Option<State<'u>>) {
        match &expr.kind {
            ExprKind::Name(_) | ExprKind::This => {}
            ExprKind::IncDec { .. } | ExprKind::Assign { .. } => self.state = before,
            _ => {
                let after = self.state.take();
                self.state = self.joined(after, before);
            }
        }
    }

    /// A call of something that is not determined: any closure may run.
    pub(super) fn undetermined_call(
        &mut self,
        name: &str,
        operands: Vec<Operand<'u>>,
    ) -> Value<'u> {
        self.run_closures();
        self.unknown_call(name, operands)
    }

    pub(super) fn run_closures(&mut self) {
        for closure in self.closures.clone() {
            self.lost(&Value::Closure(closure));
        }
    }

    pub(super) fn made(&mut self, closure: &Rc<Closure<'u>>) {
        if !self.closures.contains(closure) {
            self.closures.push(Rc::clone(closure));
        }
    }

    /// A place is about to change. Through a pointer whose object stands for others, those change.
    pub(super) fn changed_through(&mut self, place: &Place, ty: &Ty, value: &Value<'u>) {
        if self.objects.get(place.root).kind == Kind::Variable || self.state.is_none() {
            return;
        }
        let others = self.stands_for(place.root);
        let mut sources: Option<BTreeSet<Root>> = None;
        for root in others {
            let object = self.objects.get(root);
            if object.kind != Kind::Variable || object.is_const || differ(ty, &object.ty) {
                continue;
            }
            let sources = sources.get_or_insert_with(|| self.roots_of(value));
            let mut sources = sources.clone();
            sources.insert(root);
            self.havoc(&Place::of(root), sources);
        }
    }

    /// What a container holds is some of what was put in it.
    pub(super) fn holds_what_took_part(&mut self, inside: Root, version: Version) {
        if self.objects.sources_of(version).is_empty() {
            return;
        }
        if let Some(state) = &mut self.state
            && state.heap < version
            && !state.versions.contains_key(&inside)
        {
            state.set_version(inside, version);
        }
    }

    /// Whether a member of a class has an initialiser in the class.
    pub(super) fn has_own_value(&self, class: &str, member: &str) -> bool {
        self.some_record(class, &|record| {
            let mut fields = record.fields.iter();
            fields.any(|field| field.name == member && !matches!(field.init, Init::None))
        })
    }

    /// Whether any member of a class may hold any pointer that it was made of: pairs, classes of functions.
    pub(super) fn holds_in_any_member(&self, class: &str) -> bool {
        let name = class.rsplit("::").next().unwrap_or_default();
        matches!(name, "pair" | "tuple" | "array") || self.some_local_record(class, &|_| true)
    }

    /// The objects that one may be a name for.
    fn stands_for(&mut self, start: Root) -> BTreeSet<Root> {
        let mut found = BTreeSet::new();
        let state = self.state.clone();
        let mut work = vec![start];
        while let Some(root) = work.pop() {
            if !found.insert(root) {
                continue;
            }
            let object = self.objects.get(root);
            work.extend(object.sources.iter().copied());
            work.extend(self.rounds.get(&root).into_iter().flatten().copied());
            let version = match &object.kind {
                Kind::Pointee(place, version) => {
                    if self.objects.get(place.root).kind != Kind::Variable {
                        work.push(place.root);
                    }
                    Some(*version)
                }
                _ => None,
            };
            work.extend(
                version
                    .iter()
                    .flat_map(|version| self.objects.sources_of(*version)),
            );
            if root == start {
                continue;
            }
            // What is found in it is found through the pointer.
            let Some(state) = &state else { continue };
            if self.objects.get(root).kind == Kind::Variable {
                let version = self.version_of(state, root);
                work.extend(self.objects.sources_of(version));
            }
            for (_, value) in state.entries(root) {
                work.extend(self.roots_of(value));
            }
        }
        found.remove(&start);
        found
    }

    /// A value that a loop carries may come from another one; whether that is new.
    pub(super) fn goes_round(&mut self, carried: &Value<'u>, from: &Value<'u>) -> bool {
        let carried = self.roots_of(carried);
        let from = self.roots_of(from);
        let mut changed = false;
        for root in carried {
            if self.objects.get(root).kind == Kind::Carried {
                let known = self.rounds.entry(root).or_default();
                let before = known.len();
                known.extend(from.iter().copied().filter(|one| *one != root));
                changed |= known.len() > before;
            }
        }
        changed
    }

    /// What `new T(a, &b)` may keep.
    pub(super) fn given_to_new(&mut self, range: Range) -> BTreeSet<Root> {
        let text = self.text.get(range.bytes()).unwrap_or("");
        let Some((_, given)) = text.split_once(['(', '{']) else {
            return BTreeSet::new();
        };
        let takes_addresses = given.contains('&');
        let mut roots = BTreeSet::new();
        for word in given.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if word.is_empty() || word.starts_with(|c: char| c.is_ascii_digit()) {
                continue;
            }
            let name = Name::simple(word, range);
            let Some((place, ty)) = self.named(&name) else {
                continue;
            };
            let value = self.read(&place, &ty);
            if takes_addresses || matches!(ty, Ty::Array(..)) {
                self.addressed(&place);
                roots.insert(place.root);
            }
            if !matches!(value, Value::Scalar(_) | Value::Ratio(..)) {
                roots.extend(self.roots_of(&value));
            }
        }
        roots
    }
}

/// Whether nothing, or not all, is known of what a value leads to.
fn is_vague(value: &Value<'_>) -> bool {
    fn is_known(pointer: &Pointer) -> bool {
        match pointer {
            Pointer::Null | Pointer::At(..) => true,
            Pointer::OneOf(_) => false,
            Pointer::Select(_, then, els) => is_known(then) && is_known(els),
            Pointer::Element(items, _) => items.iter().all(is_known),
        }
    }
    match value {
        Value::Pointer(pointer, _) => !is_known(pointer),
        Value::Unknown(_) | Value::Initial(..) | Value::Tree(..) => true,
        Value::Scalar(_)
        | Value::Ratio(..)
        | Value::Kernels(_)
        | Value::Closure(_)
        | Value::Function(_) => false,
    }
}

/// Whether a store of one type cannot change an object of another: numbers of other sizes, pointers.
fn differ(stored: &Ty, held: &Ty) -> bool {
    let Ty::Scalar(stored) = stored else {
        return false;
    };
    if matches!(stored, CType::I8 | CType::U8 | CType::Bool) {
        return false;
    }
    match held {
        Ty::Scalar(held) => {
            stored.bytes() != held.bytes() || stored.is_integer() != held.is_integer()
        }
        Ty::Pointer(_) => true,
        Ty::Array(element, _) => differ(&Ty::Scalar(*stored), element),
        _ => false,
    }
}
