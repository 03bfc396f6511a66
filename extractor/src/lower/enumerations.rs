//! Enumerations: the numbers and types of enumerators, and which operators of the unit take them.
//!
//! **Contract.** A value of an enumeration is a number of its underlying type; that it is of an enumeration does not show in its
//! type. Where the unit defines operators for one, the text of an operand tells whether it is meant.

use warplog_facts::CType;

use super::body::Lowerer;
use super::types::Ty;
use super::value::Value;
use crate::syntax::ast::*;

impl<'u> Lowerer<'u, '_> {
    /// The value of an enumerator.
    pub(crate) fn enumerator_value(
        &mut self,
        enumeration: &Enum,
        position: usize,
    ) -> Option<Value> {
        let value = self.enumerator_number(enumeration, position)?;
        let Ty::Scalar(ty) = self.enumeration_type(enumeration)? else {
            return None;
        };
        Some(Value::Term(self.facts.terms.constant(ty.wrap(value), ty)))
    }

    /// The number that an enumerator stands for.
    pub(crate) fn enumerator_number(
        &mut self,
        enumeration: &Enum,
        position: usize,
    ) -> Option<i128> {
        let mut value = 0i128;
        for (index, enumerator) in enumeration.values.iter().enumerate().take(position + 1) {
            if let Some(expr) = &enumerator.value {
                let Value::Term(term) = self.expr(expr) else {
                    return None;
                };
                value = self.facts.terms.as_const(term)?;
            } else if index > 0 {
                value = value.checked_add(1)?;
            }
        }
        Some(value)
    }

    /// The type of an enumeration: the one it states, or one that holds all its values. An unscoped enumeration converts to `int`
    /// if that does, which is why `int` stands for `unsigned int` then.
    pub(crate) fn enumeration_type(&mut self, enumeration: &Enum) -> Option<Ty> {
        if let Some(ty) = &enumeration.underlying {
            return Some(self.resolve(ty));
        }
        if enumeration.scoped || !enumeration.wide {
            return Some(Ty::INT);
        }
        let (mut low, mut high) = (0, 0);
        for position in 0..enumeration.values.len().min(1 << 12) {
            let value = self.enumerator_number(enumeration, position)?;
            (low, high) = (value.min(low), value.max(high));
        }
        let fits = |ty: &CType| ty.holds(low) && ty.holds(high);
        [CType::I32, CType::U32, CType::I64, CType::U64]
            .into_iter()
            .find(fits)
            .map(Ty::Scalar)
    }

    /// Whether an operator of the unit takes the enumeration that an operand has: types do not keep which one that is.
    pub(crate) fn of_enumeration(&mut self, name: &str, operands: &[&Expr]) -> bool {
        let index = self.index;
        let scope = self.scope();
        let taken: Vec<&Enum> = index
            .functions(name)
            .iter()
            .filter(|function| function.owner.is_none() || function.quals.friend)
            .flat_map(|function| function.params.iter().map(move |param| (*function, param)))
            .filter_map(|(function, param)| enumeration_taken(index, function, param))
            .collect();
        !taken.is_empty()
            && operands.iter().any(|operand| {
                self.enumeration(operand, &scope.path)
                    .is_some_and(|given| taken.iter().any(|one| one.range == given.range))
            })
    }

    /// Whether a function of this name takes the enumeration that an argument has, and is not the one that was found: types do
    /// not keep enumerations, so that the number's type has chosen, and the namespace of the enumeration was not looked into.
    pub(crate) fn misses_enumeration(
        &mut self,
        name: &Name,
        args: &[Expr],
        found: Option<Range>,
    ) -> bool {
        let index = self.index;
        let scope = self.scope();
        let functions = index.functions(&name.base);
        if functions.len() < 2 && found.is_some() || index.unit.enums.is_empty() {
            return false;
        }
        let taking = |position: usize, given: &Enum| {
            let takes = |function: &&&'u Function| {
                let param = function.params.get(position);
                param
                    .and_then(|param| enumeration_taken(index, function, param))
                    .is_some_and(|taken| taken.range == given.range)
            };
            let fits = functions.iter().filter(takes);
            fits.map(|function| function.range).collect::<Vec<Range>>()
        };
        args.iter().enumerate().any(|(position, arg)| {
            let given = self.enumeration(arg, &scope.path);
            given.is_some_and(|given| {
                let taking = taking(position, given);
                !taking.is_empty() && !found.is_some_and(|found| taking.contains(&found))
            })
        })
    }

    /// The enumeration of an expression, where its text tells.
    pub(crate) fn enumeration(&self, expr: &Expr, scope: &str) -> Option<&'u Enum> {
        let index = self.index;
        match &expr.kind {
            ExprKind::Name(name) => {
                if let Some(simple) = name.as_simple()
                    && self.lookup(simple).is_some()
                {
                    return self
                        .written_types(simple)
                        .into_iter()
                        .find_map(|ty| index.enumeration_of(ty, scope));
                }
                match index.enumerator_at(&name.lookup_path(), scope, name.range) {
                    Some((enumeration, _)) => Some(enumeration),
                    None => {
                        let globals = index.globals_at(&name.lookup_path(), scope, name.range);
                        let mut types = globals.iter().map(|global| &global.ty);
                        types.find_map(|ty| index.enumeration_of(ty, scope))
                    }
                }
            }
            ExprKind::Cast { ty, .. } | ExprKind::Construct { ty, .. } => {
                index.enumeration_of(ty, scope)
            }
            ExprKind::Member { field, .. } => {
                let mut fields = index.named.fields(&field.base).iter();
                fields.find_map(|(_, one)| index.enumeration_of(&one.ty, scope))
            }
            ExprKind::Call { callee, .. } => match &callee.kind {
                ExprKind::Name(name) => {
                    let called = index.functions(&name.base).iter();
                    called
                        .filter_map(|function| index.enumeration_of(&function.ret, scope))
                        .next()
                }
                _ => None,
            },
            ExprKind::Index { base, .. } => self.enumeration(base, scope),
            ExprKind::Deref(inner) => self.enumeration(inner, scope),
            ExprKind::Assign { lhs, .. } => self.enumeration(lhs, scope),
            ExprKind::Conditional { then, .. } => self.enumeration(then, scope),
            ExprKind::Comma(_, second) => self.enumeration(second, scope),
            ExprKind::Unary(_, arg) => self.enumeration(arg, scope),
            ExprKind::Binary(_, left, right) => self
                .enumeration(left, scope)
                .or_else(|| self.enumeration(right, scope)),
            _ => None,
        }
    }

    /// The types with which a name is declared in the function that is being lowered; of `auto` those of its initialiser are
    /// not looked at.
    pub(crate) fn written_types(&self, name: &str) -> Vec<&'u Type> {
        let variables = self.written_variables(name).into_iter();
        variables.map(|(ty, _)| ty).collect()
    }

    /// The same types, and whether `constexpr` makes them constant.
    pub(crate) fn written_variables(&self, name: &str) -> Vec<(&'u Type, bool)> {
        let Some(here) = self.calls.last().map(|call| call.function) else {
            return Vec::new();
        };
        let Some(function) = self.index.named.function_at(here) else {
            return Vec::new();
        };
        let params = function.params.iter();
        let mut types: Vec<(&'u Type, bool)> = params
            .filter(|param| param.name.as_deref() == Some(name))
            .map(|param| (&param.ty, false))
            .collect();
        for stmt in function.body.iter().flat_map(|body| &body.stmts) {
            super::walk::each_stmt(stmt, &mut |stmt| {
                if let StmtKind::Decl(declarations) = &stmt.kind {
                    let named = declarations.iter().filter(|one| one.name == name);
                    types.extend(named.map(|one| (&one.ty, one.storage.constexpr)));
                }
                if let StmtKind::RangeFor { var, .. } = &stmt.kind
                    && var.name == name
                {
                    types.push((&var.ty, false));
                }
                // Members of anonymous unions.
                if let StmtKind::Struct(record) = &stmt.kind {
                    let fields = record.fields.iter().filter(|one| one.name == name);
                    types.extend(fields.map(|one| (&one.ty, false)));
                }
            });
        }
        types
    }
}

/// The enumeration that a parameter has, seen from where its function stands.
pub(crate) fn enumeration_taken<'u>(
    index: &super::unit::UnitIndex<'u>,
    function: &Function,
    param: &Param,
) -> Option<&'u Enum> {
    if index.unit.enums.is_empty() {
        return None;
    }
    index.named.enumeration_taken(function, param, || {
        let inside = super::unit::enclosing(&function.qualified);
        let found = index.enumeration_of(&param.ty, inside);
        // A friend stands in the class whose enumeration it takes.
        found.or_else(|| index.enumeration_of(&param.ty, function.owner.as_deref()?))
    })
}
