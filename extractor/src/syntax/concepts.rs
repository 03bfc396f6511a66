//! Constraints of C++20: conditions on the arguments of templates.
//!
//! A concept is a variable template that holds its condition, a constrained parameter `C<U> T` stands for the condition
//! `C<T, U>`, and concepts of C++'s library that ask one question of a trait are that trait. What is not understood is no
//! condition but the lack of one (`None`): whether it holds is not known.

use super::ast::{
    BinaryOp, Expr, ExprKind, Name, Range, Segment, TemplateArg, TemplateParam, Type, TypeKind,
    UnaryOp,
};
use super::parser::{Angle, Parsed, Parser};

/// Concepts of C++'s library, with the traits that all have to hold.
const LIBRARY: &[(&str, &[&str])] = &[
    ("integral", &["is_integral_v"]),
    ("signed_integral", &["is_integral_v", "is_signed_v"]),
    ("unsigned_integral", &["is_integral_v", "is_unsigned_v"]),
    ("floating_point", &["is_floating_point_v"]),
    ("same_as", &["is_same_v"]),
];

/// Those of which it is not known whether they hold.
const OPAQUE: &[&str] = &[
    "derived_from",
    "convertible_to",
    "common_with",
    "swappable",
    "destructible",
    "constructible_from",
    "default_initializable",
    "move_constructible",
    "copy_constructible",
    "equality_comparable",
    "totally_ordered",
    "movable",
    "copyable",
    "semiregular",
    "regular",
    "invocable",
    "regular_invocable",
    "predicate",
];

fn is_of_library(name: &Name) -> bool {
    match name.qualifier.as_slice() {
        [one] => one.name == "std",
        [outer, inner] => outer.name == "cuda" && inner.name == "std",
        _ => false,
    }
}

/// All of some conditions; `None` where one of them is not understood.
pub(super) fn all_of(conditions: Vec<Option<Expr>>) -> Option<Expr> {
    let mut all: Option<Expr> = None;
    for condition in conditions {
        let condition = condition?;
        all = Some(match all {
            None => condition,
            Some(all) => {
                let range = all.range;
                let kind = ExprKind::Binary(BinaryOp::And, Box::new(all), Box::new(condition));
                Expr { kind, range }
            }
        });
    }
    all
}

/// A condition in which concepts of the library are traits; `None` if one of them is none.
pub(super) fn without_concepts(condition: Expr) -> Option<Expr> {
    let range = condition.range;
    let kind = match condition.kind {
        ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => ExprKind::Binary(
            op,
            Box::new(without_concepts(*left)?),
            Box::new(without_concepts(*right)?),
        ),
        ExprKind::Unary(op @ UnaryOp::Not, inner) => {
            ExprKind::Unary(op, Box::new(without_concepts(*inner)?))
        }
        ExprKind::Name(name) if is_of_library(&name) => return of_library(name, range),
        kind => kind,
    };
    Some(Expr { kind, range })
}

fn of_library(name: Name, range: Range) -> Option<Expr> {
    if OPAQUE.contains(&name.base.as_str()) {
        return None;
    }
    let Some((_, traits)) = LIBRARY.iter().find(|(concept, _)| *concept == name.base) else {
        let kind = ExprKind::Name(name);
        return Some(Expr { kind, range });
    };
    let each = traits.iter().map(|of| {
        let kind = ExprKind::Name(Name {
            base: (*of).to_owned(),
            ..name.clone()
        });
        Some(Expr { kind, range })
    });
    all_of(each.collect())
}

/// The condition that a constrained parameter stands for: the first argument of the concept is the parameter.
pub(super) fn constraint_of(mut concept: Name, parameter: &TemplateParam) -> Option<Expr> {
    if parameter.pack {
        return None;
    }
    let range = concept.range;
    let own = Name::simple(parameter.name.as_deref()?, parameter.range);
    let ty = Type::new(TypeKind::Named(own), parameter.range);
    let mut args = vec![TemplateArg::Type(ty)];
    args.extend(concept.args.take().unwrap_or_default());
    concept.args = Some(args);
    let kind = ExprKind::Name(concept);
    without_concepts(Expr { kind, range })
}

impl Parser<'_> {
    /// A condition behind `requires`: what follows it may begin with a brace, so that it is no expression like others.
    pub fn disjunction(&mut self) -> Parsed<Expr> {
        self.operands("||", BinaryOp::Or, |parser| {
            parser.operands("&&", BinaryOp::And, Self::constraint_operand)
        })
    }

    fn operands(
        &mut self,
        between: &str,
        op: BinaryOp,
        operand: impl Fn(&mut Self) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let first = self.pos;
        let mut left = operand(self)?;
        while self.eat(between) {
            let right = operand(self)?;
            let kind = ExprKind::Binary(op, Box::new(left), Box::new(right));
            left = self.expr(kind, self.range_from(first), self.height)?;
        }
        Ok(left)
    }

    fn constraint_operand(&mut self) -> Parsed<Expr> {
        let first = self.pos;
        match self.peek() {
            "(" => {
                self.pos += 1;
                let inner =
                    self.nested(|parser| parser.with_angle(Angle::Operator, Self::expression))?;
                self.expect(")", "expected `)`")?;
                Ok(inner)
            }
            "!" => {
                self.pos += 1;
                let inner = self.constraint_operand()?;
                let kind = ExprKind::Unary(UnaryOp::Not, Box::new(inner));
                self.expr(kind, self.range_from(first), self.height)
            }
            word @ ("true" | "false") => {
                self.pos += 1;
                self.expr(ExprKind::Bool(word == "true"), self.range_from(first), 0)
            }
            _ => {
                let name = self.type_name()?;
                self.expr(ExprKind::Name(name), self.range_from(first), 0)
            }
        }
    }

    /// `C`, `n::C<U>` in front of `T`, `...`, `auto` or the end of a parameter: a concept.
    pub fn type_constraint(&mut self) -> Option<Name> {
        let first = self.pos;
        let read = self.attempt(|parser| {
            let name = parser.constraint_name()?;
            if parser.names_concept(&name) {
                Ok(name)
            } else {
                parser.fail("expected a concept")
            }
        });
        if read.is_none() {
            self.pos = first;
        }
        read
    }

    /// A name, its qualifiers and arguments, whatever it means.
    fn constraint_name(&mut self) -> Parsed<Name> {
        let first = self.pos;
        let global = self.eat("::");
        let mut qualifier = Vec::new();
        loop {
            if !self.at_ident() {
                return self.fail("expected a name");
            }
            let base = self.peek().to_owned();
            self.pos += 1;
            if self.at("::") && self.is_ident(self.pos + 1) {
                self.pos += 1;
                qualifier.push(Segment {
                    name: base,
                    args: None,
                });
                continue;
            }
            let known = self.concepts.contains(base.as_str()) || !qualifier.is_empty();
            let args = match known && self.at("<") {
                true => Some(self.template_arguments()?),
                false => None,
            };
            return Ok(Name {
                global,
                qualifier,
                base,
                args,
                range: self.range_from(first),
            });
        }
    }

    fn names_concept(&self, name: &Name) -> bool {
        let base = name.base.as_str();
        let of_library = LIBRARY.iter().any(|(concept, _)| *concept == base);
        is_of_library(name) && (of_library || OPAQUE.contains(&base))
            || self.concepts.contains(base) && !self.name_kind(base).ty
    }
}
