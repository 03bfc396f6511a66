//! Offsets that are linear in the thread index: the relation `affine`.

use std::cell::OnceCell;

use warplog_facts::derived::AffineRow;
use warplog_facts::show::Show;
use warplog_facts::words::Scope;
use warplog_facts::{Axis, TermId};

use super::form;
use super::judge::Judge;

/// The rows of `affine`: offsets with constant coefficients of the thread index and a remainder
/// that is uniform in the block.
pub(crate) fn affine(judge: &Judge<'_>) -> Vec<AffineRow> {
    let facts = judge.ctx.facts;
    let show = OnceCell::new();
    let mut rows = Vec::new();
    for row in &facts.access {
        let instance = judge.instance(row.access);
        let affine = instance.index.monomials().all(|(monomial, _)| {
            let tid = |&atom: &TermId| {
                Axis::ALL
                    .iter()
                    .any(|a| facts.terms.get(atom).op == a.tid())
            };
            matches!(monomial.as_slice(), [atom] if tid(atom))
                || monomial.iter().all(|&atom| {
                    judge
                        .given
                        .uniform
                        .everywhere()
                        .is_uniform(atom, Scope::Block)
                })
        });
        if affine {
            rows.push(AffineRow {
                access: row.access,
                form: form::show(show.get_or_init(|| Show::new(facts)), &instance.index),
            });
        }
    }
    rows
}
