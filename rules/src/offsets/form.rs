//! What the discharge rules need of an access and of a launch: offsets and guards as polynomials,
//! ranges under the guards, extents.

use std::cell::Cell;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::rc::Rc;

use rustc_hash::{FxBuildHasher, FxHashMap};
use warplog_facts::poly::{Basis, Polynomial, Polynomials};
use warplog_facts::range::Ranges;
use warplog_facts::show::Show;
use warplog_facts::words::{Dimension, PairScope};
use warplog_facts::{AccessId, Axis, LaunchId, Op, TermId, TermStore};

use super::bounds;
use crate::context::{Conjunct, Context};

/// The ranges under each set of conjuncts that accesses stand under.
pub(crate) struct Regions<'a> {
    ranges: Vec<Ranges<'a>>,
    /// The conjuncts of each: those of the path, and what is assumed of the launch.
    conjuncts: Vec<Vec<Conjunct>>,
    of_access: Vec<usize>,
    /// The ranges of each launch, under no conjuncts.
    bases: Vec<Ranges<'a>>,
}

impl<'a> Regions<'a> {
    pub(crate) fn new(ctx: &Context<'a>) -> Self {
        let mut assumed: FxHashMap<LaunchId, Vec<Conjunct>> = FxHashMap::default();
        for row in &ctx.facts.launch_assume {
            assumed
                .entry(row.launch)
                .or_default()
                .push((row.term, true));
        }
        let launches = ctx.facts.launch.iter();
        let bases: Vec<Ranges<'a>> = launches.map(|row| ctx.ranges(row.launch)).collect();
        let mut known: FxHashMap<(LaunchId, Vec<Conjunct>), usize> = FxHashMap::default();
        let (mut ranges, mut held) = (Vec::new(), Vec::new());
        let mut of_access = Vec::with_capacity(ctx.facts.access.len());
        for row in &ctx.facts.access {
            let launch = ctx.launch_of(row.point);
            let mut conjuncts = ctx.guards(row.point).to_vec();
            conjuncts.extend(assumed.get(&launch).into_iter().flatten());
            conjuncts.sort_unstable();
            conjuncts.dedup();
            let base = &bases[launch.index()];
            let region = *known
                .entry((launch, conjuncts))
                .or_insert_with_key(|(_, conjuncts)| {
                    ranges.push(base.assuming(conjuncts));
                    held.push(conjuncts.clone());
                    ranges.len() - 1
                });
            of_access.push(region);
        }
        Regions {
            ranges,
            conjuncts: held,
            of_access,
            bases,
        }
    }

    /// The ranges of a launch, under no conjuncts.
    pub(crate) fn base(&self, launch: LaunchId) -> &Ranges<'a> {
        &self.bases[launch.index()]
    }

    pub(crate) fn len(&self) -> usize {
        self.ranges.len()
    }

    pub(crate) fn of(&self, access: AccessId) -> usize {
        self.of_access[access.index()]
    }

    pub(crate) fn ranges(&self, region: usize) -> &Ranges<'a> {
        &self.ranges[region]
    }

    fn conjuncts(&self, region: usize) -> &[Conjunct] {
        &self.conjuncts[region]
    }
}

/// An access as the rules see it: all polynomials are over atoms, and hold in its instance.
pub(crate) struct Instance {
    /// First byte.
    pub(crate) index: Rc<Polynomial>,
    /// Number of bytes.
    pub(crate) bytes: i128,
    /// Its ranges, see [`Regions`].
    pub(crate) region: usize,
    /// Number of its shape: offset but for the constant part, size and conjuncts.
    pub(crate) shape: u32,
    /// Conjuncts of the path and of the launch, taken apart into literals.
    pub(crate) literals: Vec<Conjunct>,
    /// Polynomials that are at least 0.
    pub(crate) inequalities: Vec<Polynomial>,
    /// Atoms with a modulus up to 2¹⁶ and the residue that the guards fix: `if (t % 2 == 0)`.
    pub(crate) residues: Vec<(TermId, i128, i128)>,
    /// Polynomials that are 0, each with the conjunct's term.
    pub(crate) equalities: Vec<(TermId, Polynomial)>,
}

/// Most parts of a smallest or largest number.
const MAX_PARTS: usize = 8;

/// More literals than this are not looked at.
const MAX_LITERALS: usize = 64;

impl Instance {
    pub(crate) fn new(
        ctx: &Context<'_>,
        access: AccessId,
        regions: &Regions<'_>,
        polynomials: &Polynomials<'_>,
    ) -> Self {
        let row = ctx.access(access);
        let store = &ctx.facts.terms;
        let region = regions.of(access);
        let ranges = regions.ranges(region);
        let mut literals = Vec::new();
        for &conjunct in regions.conjuncts(region) {
            take_apart(store, conjunct, &mut literals);
        }
        literals.sort_unstable();
        literals.dedup();
        literals.truncate(MAX_LITERALS);
        let mut instance = Instance {
            index: polynomials.of(row.index),
            bytes: i128::from(row.bytes.max(1)),
            region,
            shape: 0,
            literals,
            inequalities: Vec::new(),
            residues: Vec::new(),
            equalities: Vec::new(),
        };
        for &(term, polarity) in &instance.literals {
            let node = store.get(term);
            let &[left, right] = node.args.as_slice() else {
                continue;
            };
            if !store.ty(left).is_integer() || !store.ty(right).is_integer() {
                continue;
            }
            for side in [left, right] {
                instance
                    .residues
                    .extend(fixed_residue(store, ranges, polynomials, side));
            }
            let shifted =
                |polynomial: &Polynomial, by: i128| polynomial.plus(&Polynomial::constant(by));
            let order = match (node.op, polarity) {
                (Op::Lt, true) => Some((left, right, -1)),
                (Op::Le, true) => Some((left, right, 0)),
                (Op::Lt, false) => Some((right, left, 0)),
                (Op::Le, false) => Some((right, left, -1)),
                _ => None,
            };
            if let Some((less, more, by)) = order {
                // `i < min(end, n)` says it of both.
                let most = parts(store, ranges, more, Op::Min);
                for part in parts(store, ranges, less, Op::Max) {
                    let below = polynomials.of(part);
                    for &bound in &most {
                        let difference = polynomials.of(bound).minus(&below);
                        instance.inequalities.push(shifted(&difference, by));
                    }
                }
            }
            if matches!((node.op, polarity), (Op::Eq, true) | (Op::Ne, false)) {
                let difference = polynomials.of(right).minus(&polynomials.of(left));
                let negated = Polynomial::default().minus(&difference);
                instance.inequalities.push(difference.clone());
                instance.inequalities.push(negated);
                instance.equalities.push((term, difference));
            }
        }
        instance.inequalities.retain(bounds::is_small);
        instance
            .equalities
            .retain(|(_, polynomial)| bounds::is_small(polynomial));
        instance
    }
}

impl Instance {
    /// The modulus and residue of an atom, where the guards fix one.
    pub(crate) fn residue_of(&self, atom: TermId) -> Option<(i128, i128)> {
        let mut known = self.residues.iter();
        let &(_, modulus, residue) = known.find(|row| row.0 == atom)?;
        Some((modulus, residue))
    }
}

/// For a remainder of one atom by a constant whose value the ranges fix: atom, modulus, residue.
fn fixed_residue(
    store: &TermStore,
    ranges: &Ranges<'_>,
    polynomials: &Polynomials<'_>,
    mut term: TermId,
) -> Option<(TermId, i128, i128)> {
    while matches!(store.get(term).op, Op::Cast | Op::Fit) && ranges.is_exact(term) {
        term = store.get(term).args[0];
    }
    let node = store.get(term);
    let &[arg, by] = node.args.as_slice() else {
        return None;
    };
    let by = store.as_const(by)?;
    let modulus = match node.op {
        Op::Rem if by > 0 && ranges.range(arg).low >= 0 => by,
        Op::BitAnd if by > 0 && (by & (by + 1)) == 0 => by + 1,
        _ => return None,
    };
    let residue = ranges.range(term).single()?;
    let argument = polynomials.of(arg);
    let mut monomials = argument.monomials();
    match (monomials.next(), monomials.next()) {
        (Some((monomial, 1)), None) if modulus <= 1 << 16 => match monomial.as_slice() {
            &[atom] => Some((atom, modulus, residue)),
            _ => None,
        },
        _ => None,
    }
}

/// What a term is the smallest (`Op::Min`) or largest (`Op::Max`) of: itself, where it is nothing of the kind.
pub(crate) fn parts(store: &TermStore, ranges: &Ranges<'_>, root: TermId, op: Op) -> Vec<TermId> {
    let mut parts = Vec::new();
    let mut stack = vec![root];
    while let Some(term) = stack.pop() {
        let mut inner = term;
        while matches!(store.get(inner).op, Op::Cast | Op::Fit)
            && store.ty(store.get(inner).args[0]).is_integer()
            && ranges.is_exact(inner)
        {
            inner = store.get(inner).args[0];
        }
        match store.parts_of(inner, op) {
            Some(of) if parts.len() < MAX_PARTS => stack.extend(of),
            _ => parts.push(term),
        }
    }
    parts
}

/// The literals that follow from a conjunct.
pub(crate) fn take_apart(store: &TermStore, conjunct: Conjunct, literals: &mut Vec<Conjunct>) {
    let mut stack = vec![conjunct];
    while let Some((term, polarity)) = stack.pop() {
        let node = store.get(term);
        match (node.op, polarity, node.args.as_slice()) {
            (Op::Not, _, &[arg]) => stack.push((arg, !polarity)),
            (Op::And, true, args) | (Op::Or, false, args) => {
                stack.extend(args.iter().map(|&arg| (arg, polarity)));
            }
            _ => literals.push((term, polarity)),
        }
        if literals.len() > MAX_LITERALS {
            return;
        }
    }
}

/// A launch as the rules see it.
pub(crate) struct LaunchForm {
    /// Each dimension's term as a polynomial.
    dimensions: [Polynomial; 6],
    /// Its bounds.
    highs: [i128; 6],
    lows: [i128; 6],
    /// The `threadIdx` and `blockIdx` leaves that the launch mentions, by operator.
    leaves: HashMap<Op, TermId, FxBuildHasher>,
    /// Pairs whose offsets were split into parts in vain.
    pub(crate) vain_splits: Cell<u32>,
}

impl LaunchForm {
    pub(crate) fn new(
        ctx: &Context<'_>,
        launch: LaunchId,
        ranges: &Ranges<'_>,
        basis: Rc<Basis>,
    ) -> Self {
        let facts = ctx.facts;
        let polynomials = Polynomials::over(basis, &facts.terms, ranges);
        let mut form = LaunchForm {
            dimensions: Default::default(),
            highs: Dimension::ALL.map_to(|dimension| ranges.dimension(dimension).high),
            lows: Dimension::ALL.map_to(|dimension| ranges.dimension(dimension).low),
            leaves: HashMap::default(),
            vain_splits: Cell::default(),
        };
        for &(dimension, term) in ctx.dimensions(launch) {
            let extent = polynomials.of(term);
            if bounds::is_small(&extent) {
                form.dimensions[dimension as usize] = Polynomial::clone(&extent);
            }
        }
        let mut roots: Vec<TermId> = Vec::new();
        for &access in ctx.accesses(launch) {
            let row = ctx.access(access);
            roots.push(row.index);
            roots.extend(ctx.guards(row.point).iter().map(|&(term, _)| term));
        }
        for id in facts.terms.reachable(&roots) {
            let op = facts.terms.get(id).op;
            if Axis::ALL
                .iter()
                .any(|axis| axis.tid() == op || axis.bid() == op)
            {
                form.leaves.insert(op, id);
            }
        }
        form
    }

    /// The leaf of a `threadIdx` or `blockIdx` component, if the launch mentions it.
    pub(crate) fn leaf(&self, op: Op) -> Option<TermId> {
        self.leaves.get(&op).copied()
    }

    /// Largest value of the dimension that a component of the thread or block index stays below,
    /// as a polynomial, when it is symbolic.
    pub(crate) fn symbolic_extent(&self, op: Op) -> Option<&Polynomial> {
        let polynomial = &self.dimensions[extent_of(op)? as usize];
        (polynomial.as_constant().is_none()).then_some(polynomial)
    }

    /// Largest value of a component of the thread or block index by the extents alone.
    pub(crate) fn range_without_guards(&self, op: Op) -> i128 {
        extent_of(op).map_or(i128::MAX, |dimension| self.highs[dimension as usize] - 1)
    }

    /// The constant extent of a dimension.
    pub(crate) fn extent(&self, op: Op) -> Option<i128> {
        let index = extent_of(op)? as usize;
        (self.lows[index] == self.highs[index]).then_some(self.highs[index])
    }

    fn is_flat(&self, op: Op) -> bool {
        self.extent(op) == Some(1)
    }

    /// The components that make up the identity of a thread (of a block, between blocks) and whose
    /// extent may exceed 1.
    pub(crate) fn identity(&self, scope: PairScope) -> Vec<Op> {
        Axis::ALL
            .into_iter()
            .map(|axis| match scope {
                PairScope::Grid => axis.bid(),
                _ => axis.tid(),
            })
            .filter(|&op| !self.is_flat(op))
            .collect()
    }

    /// Whether the warp of a thread is `threadIdx.x` divided by 32.
    pub(crate) fn is_one_dimensional(&self) -> bool {
        self.is_flat(Op::TidY) && self.is_flat(Op::TidZ)
    }

    /// Whether each row of the block consists of whole warps.
    pub(crate) fn has_whole_rows(&self) -> bool {
        self.extent(Op::TidX).is_some_and(|extent| extent % 32 == 0)
    }

    /// The most threads of a block, and blocks of a grid.
    pub(crate) fn most(&self) -> (i128, i128) {
        let product = |highs: &[i128]| highs.iter().product();
        (product(&self.highs[..3]), product(&self.highs[3..]))
    }
}

/// Whether the bytes of the two accesses are the same or do not overlap: both have one size and
/// lie at multiples of it.
pub(crate) fn same_or_apart(first: &Instance, second: &Instance) -> bool {
    let multiple = |polynomial: &Polynomial| {
        let mut monomials = polynomial.monomials();
        monomials.all(|(_, coefficient)| coefficient % first.bytes == 0)
    };
    first.bytes == second.bytes && multiple(&first.index) && multiple(&second.index)
}

trait MapAll {
    fn map_to(&self, value: impl Fn(Dimension) -> i128) -> [i128; 6];
}

impl MapAll for [Dimension] {
    fn map_to(&self, value: impl Fn(Dimension) -> i128) -> [i128; 6] {
        let mut values = [1; 6];
        for &dimension in self {
            values[dimension as usize] = value(dimension);
        }
        values
    }
}

/// The dimension that a component of the thread or block index stays below.
fn extent_of(op: Op) -> Option<Dimension> {
    Some(match op {
        Op::TidX => Dimension::BlockX,
        Op::TidY => Dimension::BlockY,
        Op::TidZ => Dimension::BlockZ,
        Op::BidX => Dimension::GridX,
        Op::BidY => Dimension::GridY,
        Op::BidZ => Dimension::GridZ,
        _ => return None,
    })
}

/// A polynomial for people: `4·threadIdx.x + 64·i + 8`.
pub(crate) fn show(show: &Show<'_>, polynomial: &Polynomial) -> String {
    let mut text = String::new();
    let mut monomials: Vec<_> = polynomial.monomials().collect();
    monomials.sort_by_key(|(monomial, _)| (std::cmp::Reverse(monomial.len().min(1)), *monomial));
    for (monomial, coefficient) in monomials {
        let sign = match (text.is_empty(), coefficient < 0) {
            (true, true) => "-",
            (true, false) => "",
            (false, true) => " - ",
            (false, false) => " + ",
        };
        text.push_str(sign);
        let size = coefficient.unsigned_abs();
        if size != 1 || monomial.is_empty() {
            let _ = write!(text, "{size}");
            if !monomial.is_empty() {
                text.push('·');
            }
        }
        let atoms: Vec<String> = monomial.iter().map(|&atom| show_atom(show, atom)).collect();
        text.push_str(&atoms.join("·"));
    }
    if text.is_empty() {
        text.push('0');
    }
    text
}

/// An atom as findings show terms, in parentheses if it is no name, call or element.
fn show_atom(show: &Show<'_>, atom: TermId) -> String {
    let text = show.term(atom);
    let mut depth = 0_u32;
    let is_one = !text.chars().any(|character| {
        match character {
            '(' | '[' | '⟨' => depth += 1,
            ')' | ']' | '⟩' => depth = depth.saturating_sub(1),
            _ => {}
        }
        character == ' ' && depth == 0
    });
    if is_one { text } else { format!("({text})") }
}
