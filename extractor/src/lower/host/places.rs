//! Places that host expressions name: variables, members, elements, what pointers lead to.

use warplog_facts::CType;

use super::Host;
use super::alias::Kind;
use super::eval::unknown_type;
use super::term::{self, Term};
use super::value::*;
use crate::lower::types::Ty;
use crate::syntax::ast::*;

impl<'u> Host<'_, 'u> {
    /// The variable of a name, with its type.
    pub(super) fn named(&mut self, name: &Name) -> Option<(Place, Ty)> {
        let base = name.base.as_str();
        if name.qualifier.is_empty() && !name.global {
            let found = self
                .frame()
                .scopes
                .iter()
                .rev()
                .find_map(|scope| scope.get(base).copied());
            if let Some(root) = found {
                return self.variable_place(root);
            }
            // A member of the class that the running method belongs to.
            let frame = self.frame();
            if let (Some(this), Some(owner)) = (frame.this.clone(), frame.owner.clone())
                && let Some(ty) = self.field_type(&owner, base)
            {
                if self.refers_by_member(&owner, base) {
                    return None;
                }
                return Some((self.member_place(&this, Some(&owner), base), ty));
            }
        }
        if !name.global && self.frame().values.contains_key(base) {
            return None;
        }
        let root = self.global(name)?;
        self.variable_place(root)
    }

    /// The object whose method runs, if a name is that of one of its members that are references.
    pub(super) fn referring_object(&self, name: &Name) -> Option<Place> {
        let frame = self.frame();
        let (this, owner) = (frame.this.as_ref()?, frame.owner.as_ref()?);
        let is_member = self.local(name).is_none()
            && name
                .as_simple()
                .is_some_and(|base| self.refers_by_member(owner, base));
        is_member.then(|| this.clone())
    }

    fn variable_place(&mut self, root: Root) -> Option<(Place, Ty)> {
        match self.references.get(&root) {
            Some(Some((place, ty))) => Some((place.clone(), ty.clone())),
            Some(None) => None,
            None => Some((Place::of(root), self.objects.get(root).ty.clone())),
        }
    }

    /// The place that a pointer points to, some elements on.
    pub(super) fn target(
        &mut self,
        pointer: &Pointer,
        element: &Ty,
        index: Option<&Term>,
    ) -> Option<Place> {
        let Pointer::At(place, offset) = pointer else {
            return None;
        };
        let bytes = match index {
            None => offset.clone(),
            Some(index) if index.as_constant() == Some(0) => offset.clone(),
            Some(index) => {
                let moved = self.scaled(index, element);
                term::binary(BinaryOp::Add, offset.clone(), moved)
            }
        };
        Some(self.within(place, &bytes))
    }

    /// The part some bytes behind a place.
    pub(super) fn within(&mut self, place: &Place, bytes: &Term) -> Place {
        let mut place = place.at(bytes);
        if let Some(Step::At(offset)) = place.path.last_mut() {
            *offset = self.bounded(offset.clone());
        }
        place
    }

    /// A pointer some bytes further.
    pub(super) fn advanced(&mut self, pointer: &Pointer, bytes: &Term) -> Pointer {
        match pointer.moved(bytes) {
            Pointer::At(place, offset) => Pointer::At(place, self.bounded(offset)),
            moved => {
                let mut sizes = 0;
                moved.offsets(&mut |offset| sizes += offset.nodes());
                if sizes > 4 * term::MAX_NODES {
                    moved.anywhere()
                } else {
                    moved
                }
            }
        }
    }

    /// Elements as bytes.
    pub(super) fn scaled(&mut self, index: &Term, element: &Ty) -> Term {
        match element.bytes() {
            Some(size) => term::binary(
                BinaryOp::Mul,
                term::cast(CType::I64, index.clone()),
                Term::bytes(i128::from(size)),
            ),
            None if index.as_constant() == Some(0) => Term::bytes(0),
            None => self.fresh("offset", CType::I64),
        }
    }

    /// The place of an lvalue with its type; `None` when it is not known.
    pub(super) fn place(&mut self, expr: &'u Expr) -> Option<(Place, Ty)> {
        match &expr.kind {
            ExprKind::Name(name) => self.named(name),
            ExprKind::This => {
                let this = self.frame().this.clone()?;
                Some((this, unknown_type()))
            }
            ExprKind::Member { base, arrow, field } => {
                let (place, ty) = match (&base.kind, arrow) {
                    (ExprKind::This, _) => {
                        let frame = self.frame();
                        let owner = frame.owner.clone().unwrap_or_default();
                        let ty = Ty::Opaque {
                            name: owner,
                            bytes: None,
                        };
                        (frame.this.clone()?, ty)
                    }
                    (_, false) => self.place(base)?,
                    (_, true) => {
                        let value = self.eval(base);
                        self.pointed(value)?
                    }
                };
                if let Some(element) = self.element_by_iterator(&place, &field.base) {
                    return Some(element);
                }
                if self.shares_bytes(&ty) {
                    self.shared_bytes(&place, &ty);
                }
                let class = match &ty {
                    Ty::Struct(class) => Some(class.name.clone()),
                    Ty::Opaque { name, .. } if !name.is_empty() => Some(name.clone()),
                    _ => None,
                };
                if let Ty::Opaque { name, .. } = &ty
                    && self.refers_by_member(name, &field.base)
                {
                    return None;
                }
                let ty = self.member_type(&ty, &field.base);
                Some((self.member_place(&place, class.as_deref(), &field.base), ty))
            }
            ExprKind::Index { base, index } => {
                let at = self.eval(index);
                let position = match &at {
                    Value::Scalar(position) => position.clone(),
                    _ => self.fresh("index", CType::I64),
                };
                let value = match self.place(base) {
                    Some((place, Ty::Array(element, _))) => {
                        let bytes = self.scaled(&position, &element);
                        return Some((self.within(&place, &bytes), (*element).clone()));
                    }
                    Some((place, ty @ (Ty::Pointer(_) | Ty::Scalar(_)))) => self.read(&place, &ty),
                    Some((_, Ty::Opaque { name, .. }))
                        if name.is_empty() && !matches!(at, Value::Scalar(_)) =>
                    {
                        return None;
                    }
                    // A class with `operator[]`, as `std::vector`: what it holds is its own.
                    Some((place, ty)) => {
                        let value = self.read(&place, &ty);
                        self.object_called(
                            "operator[]",
                            &(value, Some((place.clone(), ty.clone()))),
                        );
                        self.bound_by_subscript(index);
                        // One of its own that is not followed may lead anywhere that the object does.
                        if self.defines_member(&ty, "operator[]") {
                            return None;
                        }
                        self.own_elements(&place, &ty);
                        match self.read(&place, &ty) {
                            value @ Value::Pointer(..) => return self.element_of(value, &position),
                            Value::Unknown(roots) if !roots.is_empty() => return None,
                            _ => {}
                        }
                        let written = self.written_type(base);
                        let (inside, element) = self.elements(&place, &ty, written.as_ref())?;
                        let bytes = match element.bytes() {
                            Some(_) => self.scaled(&position, &element),
                            None => self.scaled(&position, &Ty::Scalar(CType::U64)),
                        };
                        return Some((self.within(&Place::of(inside), &bytes), element));
                    }
                    None => {
                        let value = self.eval(base);
                        if !matches!(value, Value::Scalar(_) | Value::Pointer(..)) {
                            self.bound_by_subscript(index);
                        }
                        value
                    }
                };
                // `2[a]`
                match value {
                    Value::Scalar(position) => self.element_of(at, &position),
                    value => self.element_of(value, &position),
                }
            }
            ExprKind::Deref(inner) => {
                let value = self.eval(inner);
                self.pointed(value)
            }
            ExprKind::Cast { ty, arg, .. } => match &ty.kind {
                TypeKind::Reference(_) | TypeKind::RvalueReference(_) => self.place(arg),
                _ => None,
            },
            ExprKind::Comma(left, right) => {
                self.eval(left);
                self.place(right)
            }
            ExprKind::Assign { lhs, .. } => {
                self.eval(expr);
                self.place(lhs)
            }
            ExprKind::IncDec {
                arg, prefix: true, ..
            } => {
                self.eval(expr);
                self.place(arg)
            }
            ExprKind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
                (ExprKind::Name(name), [arg])
                    if matches!(name.base.as_str(), "move" | "forward" | "ref") =>
                {
                    let found = self.place(arg);
                    if let (Some((place, _)), "ref") = (&found, name.base.as_str()) {
                        self.watch(place.root);
                    }
                    found
                }
                _ => self.place_of_call(callee, expr),
            },
            ExprKind::MemberPointer { .. } => {
                self.not_understood(expr.range);
                None
            }
            _ => None,
        }
    }

    pub(super) fn element_of(&mut self, value: Value<'u>, position: &Term) -> Option<(Place, Ty)> {
        let Value::Pointer(pointer, element) = value else {
            return None;
        };
        let place = self.target(&pointer, &element, Some(position))?;
        Some((place, element))
    }

    pub(super) fn pointed(&mut self, value: Value<'u>) -> Option<(Place, Ty)> {
        match value {
            Value::Pointer(pointer, element) => {
                let place = self.target(&pointer, &element, None)?;
                Some((place, element))
            }
            // What a function made that is not followed: `std::make_unique<T>()`.
            Value::Unknown(roots) => match roots.iter().collect::<Vec<_>>().as_slice() {
                [one] if self.objects.get(**one).kind == Kind::Fresh => {
                    Some((Place::of(**one), unknown_type()))
                }
                _ => None,
            },
            // A smart pointer: what it points to is its own.
            Value::Initial(place, version) => {
                let root = self.objects.pointee(&place, version);
                Some((Place::of(root), unknown_type()))
            }
            _ => None,
        }
    }
}
