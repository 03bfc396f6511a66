//! Fold expressions and `sizeof...`: what C++ makes of parameter packs besides expanding them.

use super::ast::{Expr, ExprKind, Fold, FoldOp};
use super::parser::{Angle, Parsed, Parser};

impl Parser<'_> {
    /// `(… op e)`, `(e op …)`, `(e op … op e)`, if that is what stands in the parentheses here.
    pub fn fold(&mut self) -> Parsed<Option<Expr>> {
        if !self.holds_fold() {
            return Ok(None);
        }
        let first = self.pos;
        self.pos += 1;
        let fold = self.nested(|parser| parser.with_angle(Angle::Operator, Self::fold_inside))?;
        let below = self.height;
        self.expect(")", "expected `)`")?;
        let kind = ExprKind::Fold(Box::new(fold));
        self.expr(kind, self.range_from(first), below).map(Some)
    }

    /// Whether an ellipsis stands in these parentheses, outside of inner brackets: an expansion would be an argument of a
    /// call.
    fn holds_fold(&self) -> bool {
        let Some(close) = self.partner(self.pos) else {
            return false;
        };
        let mut at = self.pos + 1;
        while at < close {
            at = match self.text_at(at) {
                "..." => return true,
                "(" | "[" | "{" => self.partner(at).unwrap_or(close),
                _ => at,
            } + 1;
        }
        false
    }

    fn fold_inside(&mut self) -> Parsed<Fold> {
        let mut below = 0;
        let mut before = None;
        let mut op = None;
        if !self.at("...") {
            before = Some(self.unary()?);
            below = self.height;
            op = Some(self.fold_operator()?);
        }
        self.expect("...", "expected `...`")?;
        let mut behind = None;
        if !self.at(")") {
            let second = self.fold_operator()?;
            if op.is_some_and(|op| op != second) {
                return self.fail("a fold with two operators");
            }
            op = Some(second);
            behind = Some(self.unary()?);
            below = below.max(self.height);
        }
        self.height = below;
        match op {
            Some(op) => Ok(Fold { op, before, behind }),
            None => self.fail("a fold without an operator"),
        }
    }

    fn fold_operator(&mut self) -> Parsed<FoldOp> {
        if self.eat(",") {
            return Ok(FoldOp::Comma);
        }
        let (op, tokens) = if let Some((op, tokens)) = self.assignment_operator() {
            (FoldOp::Assign(op), tokens)
        } else if let Some((op, tokens)) = self.binary_operator() {
            (FoldOp::Binary(op), tokens)
        } else {
            return self.fail("expected an operator");
        };
        self.pos += tokens;
        Ok(op)
    }

    /// `sizeof...(pack)` after `sizeof`.
    pub fn sizeof_pack(&mut self, first: usize) -> Parsed<Expr> {
        self.expect("...", "expected `...`")?;
        self.expect("(", "expected `(`")?;
        if !self.at_ident() {
            return self.fail("expected a pack");
        }
        let pack = self.peek().to_owned();
        self.pos += 1;
        self.expect(")", "expected `)`")?;
        self.expr(ExprKind::SizeofPack(pack), self.range_from(first), 0)
    }
}
