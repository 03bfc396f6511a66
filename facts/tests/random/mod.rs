//! Random well-typed terms with random environments.
//!
//! A [`Plan`] is drawn by proptest and carried out in a fact set: each step makes a node over
//! earlier ones, once as it is and once by the simplifying constructors.

use proptest::prelude::*;
use warplog_facts::eval::{Environment, EvalError, Evaluator};
use warplog_facts::words::*;
use warplog_facts::*;

/// The integer types but `bool`.
pub const NUMBERS: [CType; 8] = [
    CType::I32,
    CType::U32,
    CType::I64,
    CType::U64,
    CType::I8,
    CType::U8,
    CType::I16,
    CType::U16,
];

/// Values at which something happens.
const CORNERS: &[i128] = &[
    0,
    1,
    2,
    3,
    4,
    5,
    7,
    8,
    16,
    31,
    32,
    33,
    63,
    64,
    100,
    127,
    128,
    255,
    256,
    1023,
    65535,
    65536,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x1_0000_0000,
    0x7fff_ffff_ffff_ffff,
    0x8000_0000_0000_0000,
    0xffff_ffff_ffff_ffff,
    -1,
    -2,
    -7,
    -128,
    -0x8000_0000,
    -0x8000_0000_0000_0000,
];

/// A value of a type: small, at a corner, or anything.
pub fn value(ty: CType) -> impl Strategy<Value = i128> {
    prop_oneof![
        3 => (-9i128..40).prop_map(move |value| ty.wrap(value)),
        2 => prop::sample::select(CORNERS).prop_map(move |value| ty.wrap(value)),
        1 => any::<i64>().prop_map(move |value| ty.wrap(i128::from(value))),
    ]
}

/// One node to make: operator, type, arguments among the nodes so far, constant.
#[derive(Clone, Debug)]
pub struct Step {
    op: Op,
    ty: CType,
    args: [prop::sample::Index; 3],
    constant: i128,
    /// Differences of numbers and their parts, and comparisons with parts, instead of those of any two.
    of_parts: bool,
}

/// Terms to make, and the values of leaves.
#[derive(Clone, Debug)]
pub struct Plan {
    steps: Vec<Step>,
    /// Sizes of blocks and grid, and whether each is a constant of the launch.
    dimensions: Vec<(i128, bool)>,
    /// Of thread and block, as shares of the sizes.
    position: Vec<prop::sample::Index>,
    symbols: Vec<i128>,
    max_iterations: [Option<u64>; 2],
    iterations: [prop::sample::Index; 2],
    exits: [prop::sample::Index; 2],
    unknown: i128,
}

/// Steps of all operators but those on opaque values.
fn step() -> BoxedStrategy<Step> {
    let ops = Op::ALL
        .iter()
        .copied()
        .filter(|op| op.arity().is_some_and(|arity| arity > 0) && *op != Op::Load)
        .chain([
            Op::Add,
            Op::Sub,
            Op::Mul,
            Op::Add,
            Op::Mul,
            Op::Cast,
            Op::Fit,
            Op::Const,
            Op::Const,
        ]);
    let types = [CType::I32, CType::U32, CType::I64]
        .into_iter()
        .chain(NUMBERS);
    step_of(ops.collect(), types.collect())
}

/// Steps that make conjunctions of comparisons of sums, which bounds are narrowed by.
fn linear_step() -> BoxedStrategy<Step> {
    use Op::{Add, And, Cast, Const, Eq, Fit, Le, Lt, Ne, Not, Or, Sub};
    let ops = vec![
        Add, Add, Sub, Sub, Lt, Le, Lt, Le, Eq, Ne, And, Or, Not, Const, Const, Cast, Fit,
    ];
    step_of(ops, vec![CType::I32, CType::I32, CType::I64, CType::U32])
}

fn step_of(ops: Vec<Op>, types: Vec<CType>) -> BoxedStrategy<Step> {
    let (ops, types) = (prop::sample::select(ops), prop::sample::select(types));
    (ops, types, any::<[prop::sample::Index; 3]>())
        .prop_flat_map(|(op, ty, args)| {
            value(ty).prop_map(move |constant| Step {
                op,
                ty,
                args,
                constant,
                of_parts: false,
            })
        })
        .boxed()
}

/// Plans of up to `size` nodes.
pub fn plan(size: usize) -> impl Strategy<Value = Plan> {
    plan_of(step(), size)
}

/// Plans of up to `size` nodes, most of them sums and comparisons.
pub fn linear_plan(size: usize) -> impl Strategy<Value = Plan> {
    plan_of(linear_step(), size)
}

/// Plans of up to `size` nodes, many of them numbers less their parts.
pub fn part_plan(size: usize) -> impl Strategy<Value = Plan> {
    use Op::{Add, And, BitAnd, Cast, Const, Div, Eq, Fit, Le, Mul, Rem, Shl, Shr, Sub};
    let ops = vec![
        Add, And, BitAnd, Cast, Const, Const, Div, Eq, Eq, Fit, Le, Le, Le, Mul, Rem, Shl, Shr,
        Sub, Sub, Sub,
    ];
    let types = vec![CType::U32, CType::U32, CType::I32, CType::U64, CType::U8];
    let step = step_of(ops, types).prop_map(|step| Step {
        of_parts: true,
        ..step
    });
    plan_of(step.boxed(), size)
}

fn plan_of(step: BoxedStrategy<Step>, size: usize) -> impl Strategy<Value = Plan> {
    let small = |limit: i128| prop_oneof![1i128..=8, 1i128..=limit];
    let dimensions = [1024, 1024, 64, (1 << 31) - 1, 65535, 65535]
        .map(|limit| {
            (
                small(limit).prop_map(move |value: i128| value.min(limit)),
                any::<bool>(),
            )
        })
        .to_vec();
    let symbols: Vec<_> = NUMBERS
        .iter()
        .map(|&ty| value(ty).boxed())
        .chain([value(CType::Bool).boxed()])
        .collect();
    (
        prop::collection::vec(step, 1..size),
        dimensions,
        prop::collection::vec(any::<prop::sample::Index>(), 6),
        symbols,
        any::<[Option<u8>; 2]>(),
        any::<[prop::sample::Index; 2]>(),
        any::<[prop::sample::Index; 2]>(),
        value(CType::I32),
    )
        .prop_map(
            |(steps, dimensions, position, symbols, max, iterations, exits, unknown)| Plan {
                steps,
                dimensions,
                position,
                symbols,
                max_iterations: max.map(|max| max.map(|max| u64::from(max) + 1)),
                iterations,
                exits,
                unknown,
            },
        )
}

/// A plan carried out: facts, the nodes as they are and as simplified, the values of leaves.
pub struct Made {
    pub facts: Facts,
    /// Each node as planned, and as the simplifying constructors make it.
    pub nodes: Vec<(TermId, TermId)>,
    pub leaves: Leaves,
}

/// The values of leaves.
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    pub tid: [i128; 3],
    pub bid: [i128; 3],
    pub dimensions: [i128; 6],
    pub symbols: Vec<i128>,
    pub iterations: [i128; 2],
    pub exits: [i128; 2],
    pub unknown: i128,
    /// How far the ids of another fact set were moved: symbols, loops, unknowns.
    pub moved: [i128; 3],
}

impl Environment for Leaves {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        let at = |moved: usize| usize::try_from(term.payload - self.moved[moved]).unwrap();
        Some(match term.op {
            Op::TidX => self.tid[0],
            Op::TidY => self.tid[1],
            Op::TidZ => self.tid[2],
            Op::BidX => self.bid[0],
            Op::BidY => self.bid[1],
            Op::BidZ => self.bid[2],
            Op::BdimX => self.dimensions[0],
            Op::BdimY => self.dimensions[1],
            Op::BdimZ => self.dimensions[2],
            Op::GdimX => self.dimensions[3],
            Op::GdimY => self.dimensions[4],
            Op::GdimZ => self.dimensions[5],
            Op::Symbol => self.symbols[at(0)],
            Op::Iter => self.iterations[at(1)],
            Op::Exit => self.exits[at(1)],
            Op::Unknown if at(2) == 0 => self.unknown,
            _ => return None,
        })
    }
}

impl Made {
    /// The value of a term.
    pub fn value(&self, term: TermId) -> Result<i128, EvalError> {
        Evaluator::new(&self.facts.terms, &self.leaves).value(term)
    }

    /// Facts in which the nodes are used: the unknown value depends on them.
    pub fn used(&self) -> Facts {
        let mut facts = self.facts.clone();
        for term in self.nodes.iter().flat_map(|&(raw, made)| [raw, made]) {
            let unknown = UnknownId(0);
            facts
                .unknown_depends_on
                .push(UnknownDependsOnRow { unknown, term });
        }
        facts
    }
}

/// A launch with symbols of every type, two loops, one inside the other, and an unknown.
fn launch(plan: &Plan) -> Facts {
    let mut facts = Facts::default();
    let launch = LaunchId(0);
    facts.file.push(FileRow {
        file: FileId(0),
        path: "k.cu".to_owned(),
        is_input: true,
    });
    let span = crate::common::span_at(&mut facts, FileId(0), 1);
    facts.kernel.push(KernelRow {
        kernel: KernelId(0),
        name: "k".to_owned(),
        span,
    });
    facts.launch.push(LaunchRow {
        launch,
        kernel: KernelId(0),
        source: LaunchSource::Symbolic,
        span: None,
    });
    let leaves = [
        Op::BdimX,
        Op::BdimY,
        Op::BdimZ,
        Op::GdimX,
        Op::GdimY,
        Op::GdimZ,
    ];
    for ((&dimension, op), &(size, constant)) in
        Dimension::ALL.iter().zip(leaves).zip(&plan.dimensions)
    {
        let term = if constant {
            facts.terms.constant(size, CType::U32)
        } else {
            facts.terms.builtin(op)
        };
        facts.launch_dimension.push(LaunchDimensionRow {
            launch,
            dimension,
            term,
        });
    }
    for (index, ty) in NUMBERS.into_iter().chain([CType::Bool]).enumerate() {
        facts.symbol.push(SymbolRow {
            symbol: SymbolId::from_index(index),
            launch,
            kind: SymbolKind::Parameter,
            name: format!("n{index}"),
            ty,
        });
    }
    let entry = crate::common::point_at(&mut facts, launch, PointKind::Entry, span);
    let heads =
        [0, 1].map(|_| crate::common::point_at(&mut facts, launch, PointKind::LoopHead, span));
    crate::common::point_at(&mut facts, launch, PointKind::Exit, span);
    for (index, (head, max)) in heads.into_iter().zip(plan.max_iterations).enumerate() {
        let loop_id = LoopId::from_index(index);
        facts.loop_.push(LoopRow {
            loop_id,
            launch,
            parent: (index > 0).then_some(LoopId(0)),
            head,
            condition: None,
            has_break: false,
            max_iterations: max,
        });
    }
    for (head, loops) in heads.into_iter().zip([1, 2]) {
        for loop_id in (0..loops).map(LoopId) {
            facts.loop_at.push(LoopAtRow {
                point: head,
                loop_id,
            });
        }
    }
    facts.unknown.push(UnknownRow {
        unknown: UnknownId(0),
        launch,
        point: entry,
        opaque: true,
        reason: "r".to_owned(),
        span,
    });
    facts
}

/// Carries a plan out.
pub fn make(plan: &Plan) -> Made {
    let mut facts = launch(plan);
    let terms = &mut facts.terms;
    let mut pool: Vec<(TermId, TermId)> = Vec::new();
    let builtins = Axis::ALL
        .into_iter()
        .flat_map(|axis| [axis.tid(), axis.bid(), axis.bdim(), axis.gdim()]);
    let mut leaves: Vec<TermId> = builtins.map(|op| terms.builtin(op)).collect();
    for (index, ty) in NUMBERS.into_iter().chain([CType::Bool]).enumerate() {
        leaves.push(terms.symbol(SymbolId::from_index(index), ty));
    }
    leaves.extend([0, 1].map(|id| terms.iter_of(LoopId(id))));
    leaves.extend([0, 1].map(|id| terms.exit_of(LoopId(id))));
    leaves.push(terms.unknown(UnknownId(0), CType::I32));
    pool.extend(leaves.into_iter().map(|leaf| (leaf, leaf)));
    let count = pool.len();
    for step in &plan.steps {
        let node = carry_out(terms, &pool, step);
        pool.push(node);
    }
    let bounded = |index: prop::sample::Index, max: Option<u64>, extra: usize| {
        let most = usize::try_from(max.unwrap_or(1 << 20)).unwrap_or(1 << 20);
        index.index(most + extra) as i128
    };
    let dimensions: Vec<i128> = plan.dimensions.iter().map(|&(size, _)| size).collect();
    let position: Vec<i128> = plan
        .position
        .iter()
        .zip(&dimensions)
        .map(|(index, &size)| index.index(usize::try_from(size).unwrap_or(1)) as i128)
        .collect();
    let leaves = Leaves {
        tid: position[..3].try_into().unwrap(),
        bid: position[3..].try_into().unwrap(),
        dimensions: dimensions.try_into().unwrap(),
        symbols: plan.symbols.clone(),
        iterations: [0, 1]
            .map(|index| bounded(plan.iterations[index], plan.max_iterations[index], 0)),
        exits: [0, 1].map(|index| bounded(plan.exits[index], plan.max_iterations[index], 1)),
        unknown: plan.unknown,
        moved: [0; 3],
    };
    Made {
        facts,
        nodes: pool.split_off(count),
        leaves,
    }
}

/// The node of a step: raw and simplified. Arguments of other types are converted.
fn carry_out(terms: &mut TermStore, pool: &[(TermId, TermId)], step: &Step) -> (TermId, TermId) {
    let Step { op, ty, .. } = *step;
    // Half of the arguments are among the last nodes, so that terms become deep.
    let chosen: Vec<(TermId, TermId)> = step
        .args
        .iter()
        .map(|index| match index.index(2 * pool.len()) {
            any if any < pool.len() => pool[any],
            late => pool[pool.len() - 1 - (late - pool.len()) % 6],
        })
        .collect();
    let mut typed = |index: usize, ty: CType| -> (TermId, TermId) {
        let (raw, made) = chosen[index];
        let raw = if terms.ty(raw) == ty {
            raw
        } else {
            terms.intern(Op::Cast, ty, 0, &[raw])
        };
        (raw, terms.cast(made, ty))
    };
    let (ty, payload, args) = match op {
        Op::Sub | Op::Le | Op::Eq if step.of_parts => {
            let (number, by) = (typed(0, ty), typed(1, ty));
            return of_parts(terms, step, number, by);
        }
        Op::Const => (ty, step.constant, vec![]),
        Op::Eq | Op::Ne | Op::Lt | Op::Le => (CType::Bool, 0, vec![typed(0, ty), typed(1, ty)]),
        Op::And | Op::Or => (
            CType::Bool,
            0,
            vec![typed(0, CType::Bool), typed(1, CType::Bool)],
        ),
        Op::Not => (CType::Bool, 0, vec![typed(0, CType::Bool)]),
        Op::Ite => {
            let ty = if step.constant % 3 == 0 {
                CType::Bool
            } else {
                ty
            };
            (
                ty,
                0,
                vec![typed(0, CType::Bool), typed(1, ty), typed(2, ty)],
            )
        }
        Op::Cast | Op::Fit => (ty, 0, vec![chosen[0]]),
        Op::Shl | Op::Shr => (ty, 0, vec![typed(0, ty), chosen[1]]),
        Op::MulPow | Op::DivPow => {
            let base = 2 + step.constant.rem_euclid(5);
            let six = terms.constant(63, CType::I64);
            let count = [chosen[1].0, chosen[1].1].map(|count| {
                let count = terms.intern(Op::Cast, CType::I64, 0, &[count]);
                terms.intern(Op::BitAnd, CType::I64, 0, &[count, six])
            });
            let start =
                [chosen[0].0, chosen[0].1].map(|start| terms.intern(Op::Cast, ty, 0, &[start]));
            (ty, base, vec![(start[0], start[1]), (count[0], count[1])])
        }
        Op::Popc | Op::Clz | Op::Ffs => {
            let (_, operand) = chosen
                .iter()
                .map(|&(raw, _)| (raw, terms.ty(raw)))
                .next()
                .unwrap();
            let operand = if operand == CType::Bool {
                CType::U32
            } else {
                operand
            };
            let (raw, made) = chosen[0];
            let raw = terms.intern(Op::Cast, operand, 0, &[raw]);
            (CType::I32, 0, vec![(raw, terms.cast(made, operand))])
        }
        _ => match op.arity() {
            Some(1) => (ty, 0, vec![typed(0, ty)]),
            _ => (ty, 0, vec![typed(0, ty), typed(1, ty)]),
        },
    };
    let (raw, made): (Vec<TermId>, Vec<TermId>) = args.into_iter().unzip();
    (
        terms.intern(op, ty, payload, &raw),
        terms.make(op, ty, payload, &made),
    )
}

/// `c * x - x % m` and its kin; or `b <= x % m` besides `c * x - b` and `c * x - x % m - b`; or `(b & (b - 1)) == 0` besides
/// `2 * x - (x & (b - 1)) + b`.
fn of_parts(
    terms: &mut TermStore,
    step: &Step,
    number: (TermId, TermId),
    by: (TermId, TermId),
) -> (TermId, TermId) {
    let Step { op, ty, .. } = *step;
    let kind = usize::try_from(step.constant.rem_euclid(48)).unwrap_or(0);
    let (few, part_op, shifted) = (
        kind % 4,
        [Op::Rem, Op::BitAnd, Op::Div, Op::Shr][kind / 4 % 4],
        kind / 16,
    );
    let mut make = |number: TermId, by: TermId| {
        if op == Op::Eq {
            let [zero, one, two] = [0, 1, 2].map(|value| terms.constant(value, ty));
            let mask = terms.intern(Op::Sub, ty, 0, &[by, one]);
            let tested = terms.intern(Op::BitAnd, ty, 0, &[by, mask]);
            let rest = terms.intern(Op::BitAnd, ty, 0, &[number, mask]);
            let twice = terms.intern(Op::Mul, ty, 0, &[two, number]);
            let position = terms.intern(Op::Sub, ty, 0, &[twice, rest]);
            terms.intern(Op::Add, ty, 0, &[position, by]);
            return terms.intern(Op::Eq, CType::Bool, 0, &[tested, zero]);
        }
        let times = terms.constant(few as i128, ty);
        let whole = match shifted {
            0 => terms.intern(Op::Mul, ty, 0, &[times, number]),
            1 => terms.intern(Op::Mul, ty, 0, &[number, times]),
            _ => terms.intern(Op::Shl, ty, 0, &[number, times]),
        };
        let part = terms.intern(part_op, ty, 0, &[number, by]);
        let less = terms.intern(Op::Sub, ty, 0, &[whole, part]);
        if op == Op::Sub {
            return less;
        }
        for from in [number, whole, less] {
            terms.intern(Op::Sub, ty, 0, &[from, by]);
        }
        terms.intern(Op::Le, CType::Bool, 0, &[by, part])
    };
    (make(number.0, by.0), make(number.1, by.1))
}
