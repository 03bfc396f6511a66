//! Propagation and search beside enumeration of all values of the variables.

use crate::bounds::Bounds;
use crate::formula::{BitOp, Formula, Node, Variable};
use crate::propagate::{Domain, Net};
use crate::search::{Found, search};
use crate::solve::Problem;

/// The numbers of a linear congruential generator (Knuth's MMIX constants).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }

    fn between(&mut self, low: i128, high: i128) -> i128 {
        low + i128::from(self.below((high - low + 1) as u64))
    }
}

const VARIABLES: usize = 4;

struct Case {
    f: Formula,
    roots: Vec<Node>,
    ranges: Vec<(i128, i128)>,
}

/// A conjunction of random truths over four numbers of few values.
fn case(random: &mut Random) -> Case {
    let mut f = Formula::default();
    let mut ranges = Vec::new();
    let mut numbers: Vec<Node> = Vec::new();
    for index in 0..VARIABLES {
        let low = random.between(-5, 3);
        let high = low + random.between(0, 6);
        ranges.push((low, high));
        let variable = Variable {
            name: format!("v{index}"),
            bounds: Bounds::new(low, high),
            truth: false,
            shared: false,
            ordinal: false,
        };
        numbers.push(f.variable(variable).1);
    }
    let mut truths: Vec<Node> = Vec::new();
    let any = |random: &mut Random, from: &[Node]| from[random.below(from.len() as u64) as usize];
    for _ in 0..12 {
        let (a, b) = (any(random, &numbers), any(random, &numbers));
        let small = random.between(-4, 4);
        let divisor = random.between(2, 6);
        let number = match random.below(11) {
            0 | 1 => f.add_scaled(a, b, small),
            2 => f.mul(a, b),
            3 => f.floor_div(a, divisor),
            4 => f.floor_mod(a, divisor),
            5 => f.quotient(a, b),
            6 => f.remainder(a, b),
            7 => f.bit_and(a, b),
            8 => {
                let op = [BitOp::Popc, BitOp::Ffs, BitOp::Brev][random.below(3) as usize];
                f.bits(op, 4, a)
            }
            9 => f.offset(a, small),
            _ => match truths.last() {
                Some(&condition) => f.choose(condition, a, b),
                None => f.scale(a, small),
            },
        };
        numbers.push(number);
        let (a, b) = (any(random, &numbers), any(random, &numbers));
        let truth = match random.below(6) {
            0 => f.lt(a, b),
            1 => f.le_const(a, small),
            2 => f.eq(a, b),
            3 => f.between(a, small, small + 1),
            4 => f.ge_const(a, small),
            _ => match (truths.first().copied(), truths.last().copied()) {
                (Some(one), Some(other)) if random.below(2) == 0 => f.or(&[one, other]),
                (Some(one), Some(other)) => f.implies(one, other),
                _ => f.ne(a, b),
            },
        };
        truths.push(truth);
    }
    let roots = (0..3)
        .map(|_| {
            let (a, b) = (any(random, &truths), any(random, &truths));
            match random.below(3) {
                0 => f.or(&[a, b]),
                1 => f.not(a),
                _ => a,
            }
        })
        .collect();
    Case { f, roots, ranges }
}

/// All values of the variables that make the roots true.
fn models(case: &Case) -> Vec<Vec<i128>> {
    let mut all: Vec<Vec<i128>> = vec![Vec::new()];
    for &(low, high) in &case.ranges {
        all = all
            .iter()
            .flat_map(|front| {
                (low..=high).map(|value| {
                    let mut longer = front.clone();
                    longer.push(value);
                    longer
                })
            })
            .collect();
    }
    all.retain(|model| {
        case.roots
            .iter()
            .all(|&root| case.f.evaluate(root, model) == Some(1))
    });
    all
}

#[test]
fn propagation_loses_no_model() {
    let mut random = Random(11);
    let (mut refuted, mut narrowed) = (0, 0);
    for _ in 0..500 {
        let case = case(&mut random);
        let models = models(&case);
        let mut net = Net::new(&case.f, &case.roots);
        let mut left = case
            .roots
            .iter()
            .all(|&root| net.narrow(root, Domain::TRUE).is_ok());
        left = left && net.propagate().is_ok();
        if !left {
            assert_eq!(models.len(), 0, "refuted: {:?}", case.f.shapes);
            refuted += 1;
            continue;
        }
        let reachable = case.f.reachable(&case.roots);
        for model in &models {
            for &node in &reachable {
                if let Some(value) = case.f.evaluate(node, model) {
                    let domain = net.domain(node);
                    assert!(
                        (domain.low..=domain.high).contains(&value),
                        "{:?} is {value} in {model:?}, not in {domain:?}",
                        case.f.shape(node)
                    );
                }
            }
        }
        let before = |node: Node| case.f.bounds(node);
        narrowed += reachable
            .iter()
            .filter(|&&node| {
                let Domain { low, high } = net.domain(node);
                before(node).low.is_some_and(|bound| bound < low)
                    || before(node).high.is_some_and(|bound| bound > high)
            })
            .count();
    }
    assert!(refuted > 30, "{refuted} refuted");
    assert!(narrowed > 1000, "{narrowed} narrowed");
}

#[test]
fn a_search_agrees_with_enumeration() {
    let mut random = Random(23);
    let (mut found, mut missed, mut refuted, mut not_refuted) = (0, 0, 0, 0);
    for _ in 0..500 {
        let case = case(&mut random);
        let models = models(&case);
        let problem = Problem {
            f: &case.f,
            must: case.roots.clone(),
            late: Vec::new(),
            wishes: Vec::new(),
            small: Vec::new(),
        };
        match search(&problem, 50_000, 12_500).0 {
            Found::Model(model) => {
                found += 1;
                assert!(models.iter().any(|known| model.starts_with(known)));
            }
            Found::Refuted => {
                refuted += 1;
                assert!(models.is_empty());
            }
            Found::Nothing if models.is_empty() => not_refuted += 1,
            Found::Nothing => missed += 1,
        }
    }
    assert!(refuted > 150, "{refuted} refuted");
    // Those that divide by 0, of which anything may come.
    assert!(not_refuted < 8, "{not_refuted} not refuted");
    assert!(found > 150, "{found} found");
    assert!(missed * 50 < found, "{missed} missed of {found}");
}

/// Two numbers of a block, and the difference of them and of their rows.
fn two_threads(most: i128) -> (Formula, [Node; 2], Node) {
    let mut f = Formula::default();
    let [one, other] = [0, 1].map(|side| {
        let variable = Variable {
            name: format!("threadIdx.x#{side}"),
            bounds: Bounds::new(0, most),
            truth: false,
            shared: false,
            ordinal: false,
        };
        f.variable(variable).1
    });
    let rows = [one, other].map(|thread| {
        let row = f.floor_div(thread, 16);
        f.add(thread, row)
    });
    let difference = f.sub(rows[0], rows[1]);
    (f, [one, other], difference)
}

fn found(f: &Formula, must: &[Node], work: u64) -> (Found, u64) {
    let problem = Problem {
        f,
        must: must.to_vec(),
        late: Vec::new(),
        wishes: Vec::new(),
        small: Vec::new(),
    };
    search(&problem, work, work / 4)
}

#[test]
fn cases_refute_what_propagation_does_not() {
    let (mut f, [one, other], difference) = two_threads(127);
    let distinct = f.ne(one, other);
    let meet = f.eq_const(difference, 0);
    let mut net = Net::new(&f, &[distinct, meet]);
    assert!(net.narrow(distinct, Domain::TRUE).is_ok());
    assert!(net.narrow(meet, Domain::TRUE).is_ok());
    assert!(net.propagate().is_ok());
    assert!(matches!(
        found(&f, &[distinct, meet], 50_000),
        (Found::Refuted, _)
    ));
    // In a row of sixteen that is skipped two numbers meet.
    let meet = f.eq_const(difference, 17);
    assert!(matches!(
        found(&f, &[distinct, meet], 50_000),
        (Found::Model(_), _)
    ));
}

#[test]
fn cases_end_with_the_work() {
    let (mut f, [one, other], difference) = two_threads((1 << 31) - 1);
    let distinct = f.ne(one, other);
    let meet = f.eq_const(difference, 0);
    let (answer, work) = found(&f, &[distinct, meet], 50_000);
    assert!(matches!(answer, Found::Nothing));
    assert!(work < 100_000, "{work}");
}
