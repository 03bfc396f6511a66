//! What sizes of a launch are taken to be: those of blocks what `__launch_bounds__(n)` allows, as a launch of larger ones fails, and
//! none of the numbers that the host makes them of below 0.

use warplog_facts::words::SymbolKind;
use warplog_facts::{CType, LaunchAssumeRow, Op, TermId};

use super::super::body::Lowerer;
use super::super::value::Value;
use super::super::walk::sub_exprs;
use crate::syntax::ast::*;

impl Lowerer<'_, '_> {
    /// Leaves out launches whose sizes are made of negative numbers: `dim3 grid((unsigned)width / 32)` with a width of -1. Of what
    /// host code computes before it converts it, as `(unsigned)(n - 1)`, nothing is taken.
    pub(super) fn sizes_are_numbers(&mut self) {
        let dimensions = self.dimensions;
        let terms = &self.facts.terms;
        let mut inner: Vec<TermId> = Vec::new();
        // Of a remainder, or of bits, a negative number makes a size as good as any.
        let mut stack = dimensions.to_vec();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let term = terms.get(id);
            let converts =
                term.op == Op::Cast && term.ty.is_unsigned() && !dimensions.contains(&id);
            match (term.op, term.args.as_slice()) {
                (Op::Cast | Op::Fit, &[from]) => {
                    let ty = terms.ty(from);
                    let is_given = self.is_given_to_host(from) && ty.is_integer();
                    if converts && is_given && ty.is_signed() && !self.is_not_negative(from, 0) {
                        inner.push(from);
                    }
                    stack.push(from);
                }
                (Op::Add | Op::Mul, args) => stack.extend_from_slice(args),
                (Op::Div, &[of, _]) => stack.push(of),
                _ => {}
            }
        }
        inner.sort_unstable();
        inner.dedup();
        for number in inner {
            let terms = &mut self.facts.terms;
            let zero = terms.constant(0, terms.ty(number));
            let term = terms.binary(Op::Le, CType::Bool, zero, number);
            if self.facts.terms.as_const(term).is_some() {
                continue;
            }
            let launch = self.launch;
            self.facts.launch_assume.push(LaunchAssumeRow {
                launch,
                term,
                by_host: true,
            });
            self.assumption("sizes of the launch are made of numbers that are not negative");
        }
    }

    /// Whether a number comes to the host code from outside, or is one that the kernel is given.
    fn is_given_to_host(&self, term: TermId) -> bool {
        let symbol = self.facts.terms.get(term).symbol();
        symbol.is_some_and(|id| self.facts.symbol[id.index()].kind != SymbolKind::Computed)
    }

    /// Limits the blocks of a launch whose sizes are open to what the kernel is compiled for.
    pub(super) fn launch_bounds(&mut self, kernel: &Function) {
        let Some(bound) = kernel.launch_bounds.first() else {
            return;
        };
        let Some(most) = self.bound_of_block(bound) else {
            return;
        };
        let [x, y, z] = [0, 1, 2].map(|axis| self.dimensions[axis]);
        let wide = [x, y, z].map(|size| self.facts.terms.cast(size, CType::U64));
        let [x, y, z] = wide;
        let terms = &mut self.facts.terms;
        let sizes: Vec<TermId> = [x, y, z]
            .into_iter()
            .filter(|&size| terms.as_const(size) != Some(1))
            .collect();
        let Some(threads) = sizes.into_iter().reduce(|product, size| {
            let ty = CType::U64;
            terms.binary(Op::Mul, ty, product, size)
        }) else {
            return;
        };
        // A size that is known is larger, or needs no limit.
        if terms.as_const(threads).is_some() {
            return;
        }
        let most = terms.constant(most, CType::U64);
        let term = terms.binary(Op::Le, CType::Bool, threads, most);
        let launch = self.launch;
        self.facts.launch_assume.push(LaunchAssumeRow {
            launch,
            term,
            by_host: false,
        });
        let text = self.sources.text(bound.range).to_owned();
        self.assumption(&format!(
            "blocks have at most {text} threads (`__launch_bounds__`)"
        ));
    }

    /// The first argument, where all its names mean something and it is a number of threads.
    fn bound_of_block(&mut self, bound: &Expr) -> Option<i128> {
        let mut known = true;
        sub_exprs(bound, &mut |inner| match &inner.kind {
            ExprKind::Name(name) => known &= self.knows(name),
            ExprKind::Call { .. } => known = false,
            _ => {}
        });
        if !known {
            return None;
        }
        let Value::Term(term) = self.expr(bound) else {
            return None;
        };
        let most = self.facts.terms.as_const(term)?;
        (1..=1024).contains(&most).then_some(most)
    }
}
