//! Member functions that are not followed: one of several of a name, an operator, those of a specialised class template. Whatever
//! they give, or set arguments to, may be what their object holds.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::Host;
use super::alias::Kind;
use super::call::Operand;
use super::eval::unknown_type;
use super::value::*;
use crate::lower::types::Ty;
use crate::syntax::ast::*;

impl<'u> Host<'_, 'u> {
    /// An object, what it leads to, and what a pointer in it that is not followed may lead to.
    pub(super) fn held_by(&mut self, place: &Place) -> BTreeSet<Root> {
        let mut held = self.reachable(BTreeSet::from([place.root]));
        if let Some(state) = self.state.clone() {
            let version = self.version_of(&state, place.root);
            held.insert(self.objects.pointee(place, version));
        }
        held
    }

    /// What an object holds that is called as a function: its class may have an `operator()` that is not followed.
    pub(super) fn held_by_callee(&mut self, (value, place): &Operand<'u>) -> BTreeSet<Root> {
        let held = self.roots_of(value);
        let mut held = self.reachable(held);
        if let Some((place, _)) = place {
            held.extend(self.held_by(place));
        }
        held
    }

    /// An object of its own that holds a value: of a temporary, of what is one of two.
    pub(super) fn object_at_hand(&mut self, name: &str, value: Value<'u>) -> Place {
        let root = self.objects.object(Kind::Variable, name, unknown_type());
        let place = Place::of(root);
        match value {
            Value::Unknown(roots) => {
                let mut sources = (*roots).clone();
                if sources.is_empty() {
                    sources.extend(self.objects.anything);
                }
                self.havoc_copied(&place, sources);
            }
            value => self.write(&place, &Ty::Void, value),
        }
        place
    }

    /// A member function that is not followed may set what it is given by reference, or what its arguments lead to, to what the
    /// object holds.
    pub(super) fn given_by_member(
        &mut self,
        name: &str,
        operands: &[Operand<'u>],
        held: &BTreeSet<Root>,
    ) {
        let functions = self.index.functions(name);
        for (position, (value, place)) in operands.iter().enumerate() {
            let kinds = functions.iter().filter_map(|function| {
                let param = function.params.get(position)?;
                Some(&param.ty.kind)
            });
            let (mut refers, mut leads) = (functions.is_empty(), functions.is_empty());
            for kind in kinds {
                match kind {
                    TypeKind::Reference(to) => refers |= !to.is_const,
                    TypeKind::RvalueReference(_) => refers = true,
                    TypeKind::Scalar(_) => {}
                    _ => leads = true,
                }
            }
            if let Some((place, ty)) = place.as_ref().filter(|_| refers)
                && !matches!(ty, Ty::Scalar(_))
            {
                self.havoc_copied(place, held.clone());
            }
            if leads
                && let Value::Pointer(_, to) = value
                && !matches!(to, Ty::Scalar(_) | Ty::Void)
            {
                self.filled(value, held);
            }
        }
    }

    /// Whether the unit has a class of the name of a type's that defines a member function: a template, or one of its specialisations.
    pub(super) fn defines_member(&self, ty: &Ty, function: &str) -> bool {
        let simple = |class: &str| {
            let class = class.split('<').next().unwrap_or(class);
            class.rsplit("::").next().unwrap_or(class).to_owned()
        };
        let class = match ty {
            Ty::Struct(class) => simple(&class.name),
            Ty::Opaque { name, .. } if !name.is_empty() => simple(name),
            _ => return false,
        };
        let mut functions = self.index.functions(function).iter();
        functions.any(|one| {
            let owner = one.owner.as_deref();
            owner.is_some_and(|owner| simple(owner) == class)
        })
    }
}

/// What a member function that is not followed gives: the object and what it leads to as well.
pub(super) fn or_held<'u>(result: Value<'u>, held: BTreeSet<Root>) -> Value<'u> {
    match result {
        Value::Unknown(roots) if !roots.is_empty() => {
            Value::Unknown(Rc::new(roots.iter().copied().chain(held).collect()))
        }
        other => other,
    }
}
