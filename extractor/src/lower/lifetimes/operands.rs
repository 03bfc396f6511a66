//! Expressions of classes whose objects do something where no call is written, and the temporaries that they make.

use super::super::body::Lowerer;
use super::super::call::Called;
use super::super::constness::Category;
use super::super::hidden::Refers;
use super::super::types::Ty;
use super::super::typing::unary_name;
use super::super::value::*;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// An expression of a class whose objects do something where no call is written: the place of an object, or a value that
    /// becomes the object that it initialises.
    pub(super) fn object_operand(&mut self, expr: &Expr) -> Called {
        let range = expr.range;
        if let Some(cast) = self.cast_written_out(expr) {
            return Called::Place(self.place(&cast));
        }
        match &expr.kind {
            ExprKind::Call { callee, args } if args.len() == 1 && self.forwards(callee) => {
                Called::Place(self.place(&args[0]))
            }
            ExprKind::Call { callee, args } => {
                match self.referred_by_library(callee, args, range) {
                    Some(place) => Called::Place(place),
                    None => self.call(callee, args, range),
                }
            }
            ExprKind::Construct { ty, args, .. } => {
                self.refuse_hidden_reference(ty, range);
                let ty = self.resolve(ty);
                Called::Value(self.construct_value(&ty, args, range))
            }
            ExprKind::Index { base, index } if matches!(self.static_type(base), Ty::Struct(_)) => {
                if let Some(element) = self.subscripted(base, index, range) {
                    return Called::Place(element);
                }
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
            | ExprKind::MemberPointer { .. }
            | ExprKind::Index { .. } => Called::Place(self.place(expr)),
            ExprKind::Cast { ty, arg, .. } => {
                if self.refers_as(ty) != Refers::No {
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
                let name = unary_name(*op);
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
            ExprKind::Construct { ty, .. } => me.refers_as(ty) == Refers::No,
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
                        | ExprKind::MemberPointer { .. }
                )
        };
        let places = is_place(then, first.0) && is_place(els, second.0);
        let known = first.1.object.is_some() && first.1.object == second.1.object;
        if one != other || !matches!(one, Ty::Struct(_)) {
            return self.called_or_lost(None, range);
        }
        if places && known {
            let condition = self.truth_of(cond);
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
        let condition = self.truth_of(cond);
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

    /// The place of an object that an expression makes or means, unless the kind of expression shows it.
    pub(crate) fn place_of_object(&mut self, expr: &Expr) -> Option<Lvalue> {
        match &expr.kind {
            ExprKind::Name(_)
            | ExprKind::Member { .. }
            | ExprKind::Call { .. }
            | ExprKind::Index { .. }
            | ExprKind::Deref(_)
            | ExprKind::MemberPointer { .. } => return None,
            ExprKind::Cast { ty, .. } if self.refers_as(ty) != Refers::No => return None,
            _ => {}
        }
        let class = self.special_expr(expr)?;
        Some(match self.object_operand(expr) {
            Called::Place(place) => place,
            Called::Value(value) => self.temporary(Ty::Struct(class), value),
        })
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
}
