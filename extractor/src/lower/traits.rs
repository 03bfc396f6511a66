//! The type traits of the C++ library that device code uses.

use warplog_facts::CType;

use super::body::Lowerer;
use super::types::Ty;
use super::value::Value;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// `std::conditional_t<c, A, B>`, `typename std::enable_if<c, T>::type` …: the type that a trait means.
    pub(crate) fn type_trait(&mut self, name: &Name) -> Option<Ty> {
        let (base, args) = match (name.base.as_str(), name.qualifier.last()) {
            ("type", Some(segment)) => (segment.name.as_str(), segment.args.as_ref()?),
            (base, _) => (base.strip_suffix("_t")?, name.args.as_ref()?),
        };
        if self.declares_class(base) {
            return None;
        }
        match (base, args.as_slice()) {
            ("conditional", [condition, then, otherwise]) => {
                if self.constant(condition)? != 0 {
                    self.type_argument(then)
                } else {
                    self.type_argument(otherwise)
                }
            }
            ("enable_if", [condition]) => (self.constant(condition)? != 0).then_some(Ty::Void),
            ("enable_if", [condition, then]) => {
                if self.constant(condition)? != 0 {
                    self.type_argument(then)
                } else {
                    None
                }
            }
            (
                "remove_reference" | "remove_const" | "remove_cv" | "remove_cvref" | "decay"
                | "remove_volatile" | "add_const" | "type_identity",
                [one],
            ) => self.type_argument(one),
            ("remove_pointer", [one]) => match self.type_argument(one)? {
                Ty::Pointer(element) => Some(Ty::clone(&element)),
                ty => Some(ty),
            },
            ("make_unsigned", [one]) => match self.type_argument(one)? {
                Ty::Scalar(ty) => Some(Ty::Scalar(match ty {
                    CType::I8 => CType::U8,
                    CType::I16 => CType::U16,
                    CType::I32 => CType::U32,
                    CType::I64 => CType::U64,
                    other => other,
                })),
                _ => None,
            },
            ("make_signed", [one]) => match self.type_argument(one)? {
                Ty::Scalar(ty) => Some(Ty::Scalar(match ty {
                    CType::U8 => CType::I8,
                    CType::U16 => CType::I16,
                    CType::U32 => CType::I32,
                    CType::U64 => CType::I64,
                    other => other,
                })),
                _ => None,
            },
            _ => None,
        }
    }

    fn type_argument(&mut self, arg: &TemplateArg) -> Option<Ty> {
        let ty = match arg {
            TemplateArg::Type(ty) => self.resolve(ty),
            TemplateArg::Name(name) => self.named_type(name),
            TemplateArg::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            }) => self.named_type(name),
            TemplateArg::Expr(_) => return None,
        };
        (!super::typing::is_unknown(&ty)).then_some(ty)
    }

    fn constant(&mut self, arg: &TemplateArg) -> Option<i128> {
        let value = match arg {
            TemplateArg::Expr(expr) => self.expr(expr),
            TemplateArg::Name(name) => self.name(name),
            TemplateArg::Type(_) => return None,
        };
        match value {
            Value::Term(term) => self.facts.terms.as_const(term),
            _ => None,
        }
    }
}
