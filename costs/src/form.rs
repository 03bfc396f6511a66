//! The address of an access as a sum: what all lanes share, what each lane adds, and what is read from memory.
//!
//! The polynomial of the offset (`warplog_facts::poly`) is split by what its atoms depend on. What all lanes of a warp share only
//! moves the whole request: banks by a rotation, sectors by their alignment. What a lane adds is evaluated for each lane; factors
//! of it that are open (`width` in `threadIdx.x * width`) are *strides*, of which several values are tried. What comes from
//! memory or is not modelled differs between lanes in a way that nothing is known of.

use std::rc::Rc;
pub(crate) use warplog_facts::arith::gcd;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::poly::Polynomial;
use warplog_facts::{Facts, LoopId, Op, TermId};

/// What the value of a term depends on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// The thread, in a way that differs between lanes of a warp.
    pub lane: bool,
    /// `threadIdx.y` and `threadIdx.z` where warps lie within rows: the warp, and not the lane.
    pub row: bool,
    /// The block.
    pub block: bool,
    /// Sizes and parameters that are open, and other values that all lanes share.
    pub open: bool,
    /// What may be any value in each lane.
    pub data: bool,
}

impl Needs {
    /// Whether it has a value once thread, block and iterations are given.
    #[must_use]
    pub fn is_known(self) -> bool {
        !self.open && !self.data
    }
}

/// What terms depend on.
pub struct Dependence<'a> {
    facts: &'a Facts,
    /// Terms that have one value in all lanes of a warp in equal iterations.
    shared: Rc<FxHashSet<TermId>>,
    /// Leaves that are given values: open sizes of the block.
    given: FxHashSet<TermId>,
    /// Whether warps lie within rows of the block.
    rows: bool,
    known: FxHashMap<TermId, Needs>,
    /// The loops whose iteration a term mentions.
    loops: FxHashMap<TermId, Rc<[LoopId]>>,
}

impl<'a> Dependence<'a> {
    /// Over these facts; `shared` are the terms that a warp shares, `given` the leaves that are given values.
    #[must_use]
    pub fn new(
        facts: &'a Facts,
        shared: Rc<FxHashSet<TermId>>,
        given: FxHashSet<TermId>,
        rows: bool,
    ) -> Self {
        Dependence {
            facts,
            shared,
            given,
            rows,
            known: FxHashMap::default(),
            loops: FxHashMap::default(),
        }
    }

    /// What a term is made of and is not known yet, arguments first.
    fn fresh(&self, root: TermId) -> Vec<TermId> {
        let mut seen = FxHashSet::default();
        let mut stack = vec![root];
        while let Some(id) = stack.pop() {
            if !self.known.contains_key(&id) && seen.insert(id) {
                stack.extend(self.facts.terms.get(id).args.iter().copied());
            }
        }
        let mut found: Vec<TermId> = seen.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// What a term depends on.
    pub fn of(&mut self, root: TermId) -> Needs {
        if let Some(&known) = self.known.get(&root) {
            return known;
        }
        for id in self.fresh(root) {
            let term = self.facts.terms.get(id);
            let mut needs = Needs::default();
            self.mentioned(id);
            for arg in &term.args {
                let of = self.known[arg];
                needs.lane |= of.lane;
                needs.row |= of.row;
                needs.block |= of.block;
                needs.open |= of.open;
                needs.data |= of.data;
            }
            match term.op {
                _ if self.given.contains(&id) => needs = Needs::default(),
                Op::TidY | Op::TidZ if self.rows => needs.row = true,
                Op::TidX | Op::TidY | Op::TidZ => needs.lane = true,
                Op::BidX | Op::BidY | Op::BidZ => needs.block = true,
                Op::Const | Op::Iter => {}
                _ if term.args.is_empty() || matches!(term.op, Op::Load | Op::Pure | Op::Other) => {
                    let one = matches!(term.op, Op::Symbol | Op::GdimX | Op::GdimY | Op::GdimZ);
                    let one = one || matches!(term.op, Op::BdimX | Op::BdimY | Op::BdimZ);
                    needs.open = true;
                    needs.data |= !one && !self.shared.contains(&id);
                }
                _ if !term.ty.is_integer() => needs.data |= !self.shared.contains(&id),
                _ => {}
            }
            // Whatever it is made of, all lanes have one value of it.
            if (needs.data || ((needs.lane || needs.row) && needs.open))
                && self.shared.contains(&id)
            {
                needs = Needs {
                    open: true,
                    ..Needs::default()
                };
            }
            self.known.insert(id, needs);
        }
        self.known[&root]
    }

    /// Writes down which loops a term mentions, whose arguments are known.
    fn mentioned(&mut self, id: TermId) {
        let term = self.facts.terms.get(id);
        let mut all: Vec<LoopId> = Vec::new();
        if term.op == Op::Iter {
            all.extend(term.loop_id());
        }
        for arg in &term.args {
            all.extend(self.loops[arg].iter().copied());
        }
        all.sort_unstable();
        all.dedup();
        self.loops.insert(id, Rc::from(all));
    }

    /// The loops whose iteration terms mention.
    pub fn loops(&mut self, roots: &[TermId]) -> FxHashSet<LoopId> {
        let mut all = FxHashSet::default();
        for &root in roots {
            self.of(root);
            all.extend(self.loops[&root].iter().copied());
        }
        all
    }
}

/// A summand that differs between lanes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Summand {
    /// Its coefficient.
    pub coefficient: i128,
    /// Which of [`Form::strides`] it is a multiple of.
    pub stride: Option<usize>,
    /// The factors that are evaluated.
    pub factors: Vec<TermId>,
}

/// The address of an access as a sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// What all lanes share and has a value.
    pub shared: Vec<Summand>,
    /// Greatest common divisor of the multiples of open values that all lanes share, with 128; 0 for none.
    pub open: i128,
    /// Whether some of these are the same in all lanes only where warps lie within rows.
    pub of_rows: bool,
    /// What each lane adds.
    pub lanes: Vec<Summand>,
    /// Products of open values that lanes are multiplied with.
    pub strides: Vec<Vec<TermId>>,
    /// Coefficients of what may be any value in each lane.
    pub data: Vec<i128>,
}

/// Most monomials of a sum; what has more stays whole.
const MOST: usize = 48;

/// The polynomial of a term if none of its sums and products wraps, and none of its conversions to 32 bits or more changes a value.
/// `threadIdx.x * width` is one of unsigned numbers, which may wrap for all that the types tell.
#[must_use]
pub fn unwrapped(facts: &Facts, root: TermId) -> Polynomial {
    let terms = &facts.terms;
    let mut known: FxHashMap<TermId, Polynomial> = FxHashMap::default();
    for id in terms.reachable(&[root]) {
        let term = terms.get(id);
        let arg = |nth: usize| &known[&term.args[nth]];
        let integers =
            term.ty.is_integer() && term.args.iter().all(|&arg| terms.ty(arg).is_integer());
        let sum = match term.op {
            _ if !integers => None,
            Op::Const => Some(Polynomial::constant(term.payload)),
            Op::Add => Some(arg(0).plus(arg(1))),
            Op::Sub => Some(arg(0).minus(arg(1))),
            Op::Neg => Some(Polynomial::default().minus(arg(0))),
            Op::Mul if arg(0).len() * arg(1).len() <= MOST => Some(arg(0).times(arg(1))),
            Op::Shl => match terms.as_const(term.args[1]) {
                Some(by @ 0..=31) => Some(Polynomial::default().plus_scaled(arg(0), 1_i128 << by)),
                _ => None,
            },
            Op::Fit => Some(arg(0).clone()),
            Op::Cast if term.ty.bits().is_some_and(|bits| bits >= 32) => Some(arg(0).clone()),
            _ => None,
        };
        let small = |sum: &Polynomial| {
            sum.len() <= MOST && sum.monomials().all(|(_, by)| by.abs() < 1_i128 << 48)
        };
        let sum = sum.filter(small).unwrap_or_else(|| Polynomial::atom(id));
        known.insert(id, sum);
    }
    known.remove(&root).unwrap_or_default()
}

impl Form {
    /// The sum of a polynomial.
    pub fn of(polynomial: &Polynomial, dependence: &mut Dependence<'_>) -> Form {
        let mut form = Form::default();
        for (monomial, coefficient) in polynomial.monomials() {
            let needs: Vec<(TermId, Needs)> = monomial
                .iter()
                .map(|&atom| (atom, dependence.of(atom)))
                .collect();
            let any = |test: &dyn Fn(Needs) -> bool| needs.iter().any(|&(_, of)| test(of));
            // An atom like `threadIdx.x % width` cannot be evaluated.
            if any(&|of| of.data || (of.lane && of.open)) {
                form.data.push(coefficient);
                continue;
            }
            let (open, known): (Vec<_>, Vec<_>) = needs.iter().partition(|(_, of)| of.open);
            let factors: Vec<TermId> = known.iter().map(|&(atom, _)| atom).collect();
            let stride: Vec<TermId> = open.iter().map(|&(atom, _)| atom).collect();
            if !any(&|of| of.lane) {
                if stride.is_empty() {
                    form.shared.push(Summand {
                        coefficient,
                        stride: None,
                        factors,
                    });
                } else {
                    form.open = gcd(gcd(form.open, coefficient), 128);
                    form.of_rows |= any(&|of| of.row);
                }
                continue;
            }
            let stride = (!stride.is_empty()).then(|| {
                let at = form.strides.iter().position(|known| *known == stride);
                at.unwrap_or_else(|| {
                    form.strides.push(stride);
                    form.strides.len() - 1
                })
            });
            form.lanes.push(Summand {
                coefficient,
                stride,
                factors,
            });
        }
        form
    }

    /// All factors that are evaluated.
    #[must_use]
    pub fn factors(&self) -> Vec<TermId> {
        let parts = self.lanes.iter().chain(&self.shared);
        parts
            .flat_map(|part| part.factors.iter().copied())
            .collect()
    }

    /// The multiples of a stride that the lanes are apart by.
    #[must_use]
    pub fn step(&self, stride: usize) -> i128 {
        let own = self.lanes.iter().filter(|part| part.stride == Some(stride));
        own.fold(0, |all, part| gcd(all, part.coefficient))
    }
}
