//! Objects that a kernel is passed: the host copies them for the launch, by their copy or move constructor.
//!
//! What the kernel gets are the bytes of the argument if each of those constructors gives every member what the other object has
//! there. A constructor may set the other object back behind that, as those that move do: the argument is the host's, and no thread
//! sees it.
//!
//! **Algorithm.** By the text: member initialisers and assignments `m = o.m`, `m[i] = o.m[i]` in a loop over an index, and a call
//! of the class's own `operator=`, of which every one that is declared is looked at in the same way. A member of the other object is not read after it
//! was set.
//!
//! **Accuracy.** Anything else is taken for more than a copy of the bytes. A loop is taken to run over all elements of the arrays that it
//! copies where it begins at 0 and names a bound; a class that copies a part of an array of numbers only would leave the rest without a value, which
//! no program reads, if the member has no initialiser. Source: C++20, [class.copy.ctor], [dcl.init].

use std::rc::Rc;

use super::super::body::Lowerer;
use super::super::types::{StructTy, Ty};
use super::super::unit::last_component;
use super::{first_reference, may_take_anything, only_converts};
use crate::syntax::ast::*;

/// What a copying function does with the members of its object and of the other one.
struct Members<'f> {
    other: &'f str,
    /// Given what the other object has there.
    given: Vec<String>,
    /// Of these the arrays that a loop copies.
    by_element: Vec<String>,
    /// Set in the other object.
    set: Vec<String>,
    /// The class's own assignment is called for the other object.
    assigns: bool,
}

impl Lowerer<'_, '_> {
    /// Whether an object of this type is passed to a kernel as its bytes.
    pub(crate) fn passes_bytes(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Struct(class) => self.passes_bytes_of(class),
            Ty::Array(element, _) => self.passes_bytes(element),
            _ => true,
        }
    }

    fn passes_bytes_of(&self, class: &Rc<StructTy>) -> bool {
        if let Some(record) = self.record(class) {
            let simple = last_component(&record.name);
            let constructors = self.index.methods(&record.name, simple);
            // The host copies: what is for it alone counts.
            let mut constructors = constructors.iter();
            let copies = constructors.any(|one| self.copies_specially(one, record));
            if copies && !self.copying_gives_members(record, class) {
                return false;
            }
        }
        let Some(layout) = class.layout() else {
            return true;
        };
        let bases = layout.bases.iter().map(|(base, _)| base);
        let fields = layout.fields.iter().map(|(_, field, _)| field);
        bases.chain(fields).all(|part| self.passes_bytes(part))
    }

    /// Whether all constructors that may copy an object of a class give its members what the other one has.
    fn copying_gives_members(&self, record: &Struct, class: &StructTy) -> bool {
        let simple = last_component(&record.name);
        let all = self.index.methods(&record.name, simple);
        let copying = all.iter().filter(|one| {
            may_take_anything(one) || self.takes_itself(one, simple) && !only_converts(one, record)
        });
        let copying: Vec<&Function> = copying.copied().collect();
        let Some(defined) = with_bodies(&copying) else {
            return false;
        };
        record.bases.is_empty()
            && defined
                .iter()
                .all(|one| self.gives_members(one, (record, class), true))
    }

    /// Whether a constructor or an assignment gives all members of a class what the other object has.
    fn gives_members(
        &self,
        function: &Function,
        (record, class): (&Struct, &StructTy),
        may_assign: bool,
    ) -> bool {
        let only_other = function.params.len() == 1 && first_reference(function).is_some();
        let Some(other) = function.params.first().and_then(|one| one.name.as_deref()) else {
            return false;
        };
        let Some(body) = function.body.as_ref().filter(|_| only_other) else {
            return false;
        };
        let mut members = Members {
            other,
            given: Vec::new(),
            by_element: Vec::new(),
            set: Vec::new(),
            assigns: false,
        };
        if !function.parse_errors.is_empty()
            || !body.stmts.iter().all(|stmt| members.statement(stmt, None))
        {
            return false;
        }
        if members.assigns {
            let all = self.index.methods(&record.name, "operator=");
            let Some(defined) = with_bodies(&all) else {
                return false;
            };
            let mut defined = defined.into_iter();
            return may_assign
                && members.given.is_empty()
                && defined.all(|one| self.gives_members(one, (record, class), false));
        }
        // Of an array that a loop copies, the elements behind those that it comes to are what its initialiser makes them.
        let layout = class.layout();
        let fields = layout.iter().flat_map(|layout| &layout.fields);
        let of_scalars: Vec<&str> = fields
            .filter(|(_, ty, _)| is_array_of_scalars(ty))
            .map(|(name, ..)| name.as_str())
            .collect();
        let is_left = |field: &VarDecl| {
            members.by_element.contains(&field.name)
                && (!matches!(field.init, Init::None) || !of_scalars.contains(&field.name.as_str()))
        };
        let mut fields = record.fields.iter();
        fields.all(|field| members.given.contains(&field.name) && !is_left(field))
    }
}

impl Members<'_> {
    /// Whether a statement is one of those that are understood; `index` is the variable of the loop around it.
    fn statement(&mut self, stmt: &Stmt, index: Option<&str>) -> bool {
        match &stmt.kind {
            StmtKind::Empty => true,
            StmtKind::Block(block) => block.stmts.iter().all(|stmt| self.statement(stmt, index)),
            StmtKind::MemberInit { member, init } => {
                let value = match init {
                    Init::Call(args) => match args.as_slice() {
                        [one] => one,
                        _ => return false,
                    },
                    Init::List(Expr {
                        kind: ExprKind::InitList(items),
                        ..
                    }) => match items.as_slice() {
                        [one] => one,
                        _ => return false,
                    },
                    _ => return false,
                };
                self.gives(&member.base, None, value)
            }
            StmtKind::Expr(expr) => self.expression(expr, index),
            StmtKind::For {
                init: Some(init),
                cond: Some(cond),
                update: Some(update),
                body,
            } if index.is_none() => match counted(init, cond, update) {
                Some(variable) => self.statement(body, Some(&variable)),
                None => false,
            },
            StmtKind::Return(Some(Expr {
                kind: ExprKind::Deref(inner),
                ..
            })) => inner.kind == ExprKind::This,
            _ => false,
        }
    }

    fn expression(&mut self, expr: &Expr, index: Option<&str>) -> bool {
        match &expr.kind {
            // `*this = o`
            ExprKind::Assign { op: None, lhs, rhs } if matches!(&lhs.kind, ExprKind::Deref(inner) if inner.kind == ExprKind::This) => {
                self.assigns_other(rhs)
            }
            ExprKind::Assign { op: None, lhs, rhs } => {
                let (base, at) = element(lhs);
                if at.is_some() && at != index {
                    return false;
                }
                if let Some(field) = self.of_other(base) {
                    let plain = matches!(
                        rhs.kind,
                        ExprKind::Int { .. }
                            | ExprKind::Nullptr
                            | ExprKind::Bool(_)
                            | ExprKind::Float { .. }
                    );
                    self.set.push(field);
                    return plain;
                }
                match own_member(base) {
                    Some(field) => self.gives(&field, at, rhs),
                    None => false,
                }
            }
            // `this->operator=(o)`, `operator=(o)`
            ExprKind::Call { callee, args } => {
                let own = match &callee.kind {
                    ExprKind::Member {
                        base,
                        arrow: true,
                        field,
                    } => base.kind == ExprKind::This && field.base == "operator=",
                    ExprKind::Name(name) => name.as_simple() == Some("operator="),
                    _ => false,
                };
                own && matches!(args.as_slice(), [one] if self.assigns_other(one))
            }
            _ => false,
        }
    }

    fn assigns_other(&mut self, value: &Expr) -> bool {
        self.assigns = true;
        match &moved(value).kind {
            ExprKind::Name(name) => name.as_simple() == Some(self.other),
            _ => false,
        }
    }

    /// Takes down that a member is given this value; false if that is not the same member of the other object.
    fn gives(&mut self, field: &str, at: Option<&str>, value: &Expr) -> bool {
        let (base, from) = element(moved(value));
        let same = self.of_other(base).is_some_and(|own| own == field);
        let first = !self.set.iter().any(|one| one == field);
        self.given.push(field.to_owned());
        if at.is_some() {
            self.by_element.push(field.to_owned());
        }
        same && first && from == at
    }

    /// The member of the other object that an expression names: `o.m`.
    fn of_other(&self, expr: &Expr) -> Option<String> {
        match &expr.kind {
            ExprKind::Member {
                base,
                arrow: false,
                field,
            } => match &base.kind {
                ExprKind::Name(name) if name.as_simple() == Some(self.other) => {
                    Some(field.base.clone())
                }
                _ => None,
            },
            _ => None,
        }
    }
}

/// Those of some functions that are defined; none if one of them is declared only, or there is none.
fn with_bodies<'f>(functions: &[&'f Function]) -> Option<Vec<&'f Function>> {
    let kind = |one: &Function| {
        let first = one.params.first().map(|param| &param.ty.kind);
        match first {
            Some(TypeKind::Reference(to)) => (1, to.is_const),
            Some(TypeKind::RvalueReference(to)) => (2, to.is_const),
            _ => (0, false),
        }
    };
    let (defined, declared): (Vec<&Function>, Vec<&Function>) =
        functions.iter().partition(|one| one.body.is_some());
    let is_defined = |one: &&Function| defined.iter().any(|other| kind(other) == kind(one));
    let complete = !defined.is_empty() && declared.iter().all(is_defined);
    complete.then_some(defined)
}

/// Whether a type is an array of numbers or pointers, which have no value before one is given.
fn is_array_of_scalars(ty: &Ty) -> bool {
    match ty {
        Ty::Array(element, _) => {
            matches!(**element, Ty::Scalar(_) | Ty::Pointer(_)) || is_array_of_scalars(element)
        }
        _ => false,
    }
}

/// `m`, `this->m`
fn own_member(expr: &Expr) -> Option<String> {
    match &expr.kind {
        ExprKind::Name(name) => name.as_simple().map(str::to_owned),
        ExprKind::Member {
            base,
            arrow: true,
            field,
        } if base.kind == ExprKind::This => Some(field.base.clone()),
        _ => None,
    }
}

/// The array and the index of `m[i]`; the whole, with no index, of anything else.
fn element(expr: &Expr) -> (&Expr, Option<&str>) {
    match &expr.kind {
        ExprKind::Index { base, index } => match &index.kind {
            ExprKind::Name(name) => (base, name.as_simple()),
            _ => (expr, None),
        },
        _ => (expr, None),
    }
}

/// `o` of `std::move(o)`.
fn moved(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Call { callee, args } => match (&callee.kind, args.as_slice()) {
            (ExprKind::Name(name), [one])
                if name.base == "move"
                    && name
                        .qualifier
                        .first()
                        .is_some_and(|first| first.name == "std") =>
            {
                one
            }
            _ => expr,
        },
        _ => expr,
    }
}

/// The variable of a loop that counts it up from 0 to a bound, one by one.
fn counted(init: &Stmt, cond: &Expr, update: &Expr) -> Option<String> {
    let StmtKind::Decl(variables) = &init.kind else {
        return None;
    };
    let [variable] = variables.as_slice() else {
        return None;
    };
    let zero = |expr: &Expr| matches!(expr.kind, ExprKind::Int { value: 0, .. });
    let from_zero = match &variable.init {
        Init::Expr(expr) => zero(expr),
        _ => false,
    };
    let is_variable = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if name.as_simple() == Some(&variable.name));
    let bounded =
        matches!(&cond.kind, ExprKind::Binary(BinaryOp::Lt, left, _) if is_variable(left));
    let steps =
        matches!(&update.kind, ExprKind::IncDec { increment: true, arg, .. } if is_variable(arg));
    (from_zero && bounded && steps).then(|| variable.name.clone())
}
