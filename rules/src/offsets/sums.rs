//! Sums of sizes as atoms of their own, for pairs that stay open over the plain atoms.
//!
//! The strides of `y[(m * height + h) * width + w]` are products of `height` and `width`. Where these are sums themselves,
//! `image - kernel + 1` as the host computes them, the products multiplied out are polynomials of whose sign no range tells, though
//! a guard `w < width` says that the sum is at least 1. So a pair that stays open is judged once more over a [`Basis`] in which
//! shared sums that are factors or divisors are atoms.
//!
//! **Accuracy.** A sum may stand for one of its parts only in executions that compute it: signed arithmetic that overflows is none
//! of these, and of others nothing may be concluded. So a sum counts that both accesses certainly compute: it is in their offsets or
//! in literals of their guards, under operators that evaluate all that they have. It does not wrap by the ranges of the launch alone.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::FxHashSet;
use warplog_facts::poly::{Basis, Polynomials};
use warplog_facts::{AccessId, LaunchId, Op, TermId, TermStore};

use super::form::take_apart;
use super::judge::Judge;
use super::question::Question;

/// Most sums that are atoms at once, and most terms of an access that are looked at.
const MOST_SUMS: usize = 6;
const MOST_TERMS: usize = 512;

impl<'r> Judge<'r> {
    /// The judges to whom the sums that both accesses compute are atoms, if there are any: all such sums, and those without numbers
    /// that stand for themselves somewhere and differ from the sum by a constant, as `k - 1` of a window of k.
    pub(crate) fn over_sums(&self, question: &Question<'_, '_>) -> Vec<Rc<Judge<'r>>> {
        let all = self.shared_sums(question);
        let launch = self.ctx.launch_of(question.pair.head);
        let plain = Polynomials::new(&self.ctx.facts.terms, self.given.regions.base(launch));
        let is_own = |sum: &TermId| {
            let polynomial = plain.of(*sum);
            let mut atoms = polynomial.atoms().into_iter();
            let (first, more) = (atoms.next(), atoms.next());
            more.is_some() || first.is_some_and(|atom| !self.factors().contains(&atom))
        };
        let own: Vec<TermId> = all.iter().copied().filter(is_own).collect();
        let mut judges = Vec::new();
        let is_less = own.len() < all.len();
        judges.extend(self.over(&plain, launch, all));
        if is_less {
            judges.extend(self.over(&plain, launch, own));
        }
        judges
    }

    fn shared_sums(&self, question: &Question<'_, '_>) -> Vec<TermId> {
        if !self.basis.is_empty() {
            return Vec::new();
        }
        let pair = question.pair;
        let launch = self.ctx.launch_of(pair.head);
        let (first, second) = (self.sums_of(pair.first), self.sums_of(pair.second));
        if first.is_empty() || second.is_empty() {
            return Vec::new();
        }
        let store = &self.ctx.facts.terms;
        let plain = Polynomials::new(store, self.given.regions.base(launch));
        let shared = |sum: &TermId| {
            let mut atoms = plain.of(*sum).atoms();
            atoms.push(*sum);
            atoms.into_iter().all(|term| question.is_shared(term))
        };
        let both = first.iter().copied().filter(|sum| second.contains(sum));
        both.filter(shared).take(MOST_SUMS).collect()
    }

    /// The judge to whom these sums are atoms.
    fn over(
        &self,
        plain: &Polynomials<'_>,
        launch: LaunchId,
        sums: Vec<TermId>,
    ) -> Option<Rc<Judge<'r>>> {
        if sums.is_empty() {
            return None;
        }
        let mut known = self.sums.judges.borrow_mut();
        let judge = || {
            let kept = |atom: TermId| self.factors().contains(&atom);
            let basis = Basis::of_sums(plain, &sums, &kept);
            let empty = basis.is_empty();
            (!empty).then(|| Rc::new(Judge::over_basis(self.ctx, self.given, basis)))
        };
        let entry = known.entry((launch, sums.clone()));
        entry.or_insert_with(judge).clone()
    }

    /// The sums that an access certainly computes as factors or divisors, and that do not wrap.
    fn sums_of(&self, access: AccessId) -> Rc<Vec<TermId>> {
        let cell = &self.sums.of_access[access.index()];
        Rc::clone(cell.get_or_init(|| Rc::new(self.find_sums(access))))
    }

    fn find_sums(&self, access: AccessId) -> Vec<TermId> {
        let row = self.ctx.access(access);
        let store = &self.ctx.facts.terms;
        let base = self.given.regions.base(self.ctx.launch_of(row.point));
        let mut stack = vec![row.index];
        let mut literals = Vec::new();
        for &conjunct in self.ctx.guards(row.point) {
            take_apart(store, conjunct, &mut literals);
        }
        stack.extend(literals.iter().map(|&(literal, _)| literal));
        let mut seen: FxHashSet<TermId> = FxHashSet::default();
        let mut sums: BTreeSet<TermId> = BTreeSet::new();
        while let Some(term) = stack.pop() {
            if seen.len() >= MOST_TERMS || !seen.insert(term) {
                continue;
            }
            let node = store.get(term);
            if !evaluates_all(node.op) {
                continue;
            }
            if matches!(node.op, Op::Mul | Op::Div | Op::Rem) {
                // What is divided is no size.
                let dividends = usize::from(node.op != Op::Mul);
                let inner = node.args.iter().skip(dividends);
                let inner = inner.map(|&arg| without_conversions(store, arg));
                sums.extend(inner.filter(|&arg| {
                    matches!(store.get(arg).op, Op::Add | Op::Sub)
                        && store.ty(arg).is_integer()
                        && base.is_exact(arg)
                }));
            }
            stack.extend(node.args.iter().copied());
        }
        sums.into_iter().collect()
    }

    /// The atoms that are factors, divisors or bounds by themselves: their own ranges matter.
    fn factors(&self) -> &FxHashSet<TermId> {
        self.sums.factors.get_or_init(|| {
            let store = &self.ctx.facts.terms;
            let compared = store.iter().filter(|(_, term)| {
                matches!(term.op, Op::Mul | Op::Div | Op::Rem | Op::Lt | Op::Le)
            });
            let args = compared.flat_map(|(_, term)| term.args.iter().copied());
            args.map(|arg| without_conversions(store, arg)).collect()
        })
    }
}

/// Whether the value of a term takes those of all its arguments.
pub(super) fn evaluates_all(op: Op) -> bool {
    matches!(
        op,
        Op::Add
            | Op::Sub
            | Op::Mul
            | Op::Div
            | Op::Rem
            | Op::Neg
            | Op::Shl
            | Op::Shr
            | Op::BitAnd
            | Op::BitOr
            | Op::BitXor
            | Op::Cast
            | Op::Fit
            | Op::Lt
            | Op::Le
            | Op::Eq
            | Op::Ne
    )
}

/// The number that is converted, and converted again.
fn without_conversions(store: &TermStore, mut term: TermId) -> TermId {
    while let (Op::Cast | Op::Fit, &[arg]) = (store.get(term).op, store.get(term).args.as_slice()) {
        term = arg;
    }
    term
}
