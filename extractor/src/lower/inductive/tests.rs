//! What is kept is checked against executions of random updates; and a few updates by name.

use proptest::prelude::*;
use rustc_hash::FxHashMap;
use warplog_facts::eval::{Environment, Evaluator};
use warplog_facts::*;

use super::*;

/// Unknowns below this are made before the loop.
const INSIDE: u32 = 4;
/// The variables, and what each iteration reads, are unknowns from here on.
const VARIABLE: u32 = 100;
const INPUT: u32 = 200;

const NUMBERS: [i128; 10] = [-3, -1, 0, 1, 2, 4, 7, 8, 63, 64];

/// Random numbers (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) >> 33).unwrap_or(0) % sides
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.roll(from.len())]
    }
}

/// A loop with two variables.
struct Case {
    facts: Facts,
    slots: Vec<Slot>,
    stays: Vec<(TermId, bool)>,
}

impl Case {
    fn new(types: [CType; 2]) -> Case {
        let mut facts = Facts::default();
        let mut slots = Vec::new();
        for (number, ty) in (VARIABLE..).zip(types) {
            let phi = facts.terms.unknown(UnknownId(number), ty);
            let start = facts.terms.constant(0, ty);
            slots.push(Slot {
                phi,
                start,
                end: phi,
            });
        }
        Case {
            facts,
            slots,
            stays: Vec::new(),
        }
    }

    fn random(dice: &mut Dice) -> Case {
        let types = [CType::I32, CType::I32, CType::U32, CType::U8];
        let mut case = Case::new([dice.pick(&types), dice.pick(&types)]);
        for index in 0..2 {
            let ty = case.facts.terms.ty(case.slots[index].phi);
            let constant = dice.roll(3) > 0;
            case.slots[index].start = match constant {
                true => case.facts.terms.constant(ty.wrap(dice.pick(&NUMBERS)), ty),
                false => case.facts.terms.unknown(UnknownId(index as u32), ty),
            };
            case.slots[index].end = case.term(dice, ty, index, 3);
        }
        for _ in 0..dice.roll(3) {
            let condition = case.condition(dice, 1);
            case.stays.push((condition, dice.roll(2) == 0));
        }
        case
    }

    fn binary(&mut self, op: Op, ty: CType, left: TermId, right: TermId) -> TermId {
        self.facts.terms.binary(op, ty, left, right)
    }

    fn number(&mut self, value: i128, ty: CType) -> TermId {
        self.facts.terms.constant(ty.wrap(value), ty)
    }

    /// A term of the type, the variable of that number more often than others.
    fn term(&mut self, dice: &mut Dice, ty: CType, index: usize, depth: usize) -> TermId {
        let own = self.slots[index].phi;
        let kinds = if depth == 0 { 4 } else { 14 };
        match dice.roll(kinds) {
            0 | 1 => self.facts.terms.cast(own, ty),
            2 => self.number(dice.pick(&NUMBERS), ty),
            3 => match dice.roll(4) {
                0 => {
                    let input = UnknownId(INPUT + dice.roll(3) as u32);
                    let input = self.facts.terms.unknown(input, CType::I32);
                    self.facts.terms.cast(input, ty)
                }
                1 => {
                    let other = self.slots[1 - index].phi;
                    self.facts.terms.cast(other, ty)
                }
                2 => {
                    let start = self.slots[index].start;
                    self.facts.terms.cast(start, ty)
                }
                _ => self.facts.terms.cast(own, ty),
            },
            4..=6 => {
                let condition = self.condition(dice, depth - 1);
                let then = self.term(dice, ty, index, depth - 1);
                let otherwise = self.term(dice, ty, index, depth - 1);
                self.facts.terms.ite(condition, then, otherwise)
            }
            7..=9 => {
                let left = self.term(dice, ty, index, depth - 1);
                let right = self.number(dice.pick(&NUMBERS), ty);
                let op = dice.pick(&[Op::Add, Op::Add, Op::Sub, Op::Mul]);
                self.binary(op, ty, left, right)
            }
            10 => {
                let left = self.term(dice, ty, index, depth - 1);
                let right = self.number(dice.pick(&[2, 4, 8, 12, 63, 64]), ty);
                let op = dice.pick(&[Op::Rem, Op::BitAnd, Op::Div]);
                self.binary(op, ty, left, right)
            }
            11 | 12 => {
                let left = self.term(dice, ty, index, depth - 1);
                let right = self.term(dice, ty, index, depth - 1);
                let op = dice.pick(&[Op::Min, Op::Max, Op::Add, Op::Sub]);
                self.binary(op, ty, left, right)
            }
            _ => {
                let through = dice.pick(&[CType::U32, CType::U8, CType::I64]);
                let inner = self.term(dice, through, index, depth - 1);
                self.facts.terms.cast(inner, ty)
            }
        }
    }

    fn condition(&mut self, dice: &mut Dice, depth: usize) -> TermId {
        if depth > 0 && dice.roll(3) == 0 {
            let left = self.condition(dice, depth - 1);
            let right = self.condition(dice, depth - 1);
            return match dice.roll(3) {
                0 => self.facts.terms.and(left, right),
                1 => self.facts.terms.or(left, right),
                _ => self.facts.terms.not(left),
            };
        }
        let ty = dice.pick(&[CType::I32, CType::I32, CType::U32]);
        let left = self.term(dice, ty, dice_index(depth), depth.min(1));
        let right = match dice.roll(3) {
            0 => self.term(dice, ty, 1, 0),
            _ => self.number(dice.pick(&NUMBERS), ty),
        };
        let op = dice.pick(&[Op::Lt, Op::Le, Op::Eq, Op::Ne]);
        self.binary(op, CType::Bool, left, right)
    }

    fn kept(&mut self) -> Vec<Kept> {
        let inside = Inside {
            unknowns: INSIDE as usize,
            placeholders: 0,
            accesses: 0,
            loop_id: LoopId(0),
        };
        let updates = Updates {
            slots: &self.slots,
            stays: &self.stays,
            inside,
            launch: LaunchId(0),
        };
        keep(&mut self.facts, &updates)
    }

    /// Runs the loop and says what is not as kept.
    fn contradiction(&self, kept: &[Kept], dice: &mut Dice) -> Option<String> {
        let any = [
            -100,
            -64,
            -1,
            0,
            1,
            5,
            62,
            63,
            64,
            200,
            i128::from(i32::MAX),
        ];
        let mut leaves: FxHashMap<u32, i128> = FxHashMap::default();
        for index in 0..2u32 {
            let ty = self.facts.terms.ty(self.slots[index as usize].phi);
            leaves.insert(index, ty.wrap(dice.pick(&any)));
        }
        let leaves_at_start = Leaves(leaves.clone());
        let mut now: Vec<i128> = Vec::new();
        for slot in &self.slots {
            let start = Evaluator::new(&self.facts.terms, &leaves_at_start).value(slot.start);
            now.push(start.ok()?);
        }
        let start = now.clone();
        for ordinal in 0..40i128 {
            for (number, &value) in (VARIABLE..).zip(&now) {
                leaves.insert(number, value);
            }
            for input in 0..3 {
                leaves.insert(INPUT + input, dice.pick(&any));
            }
            let environment = Leaves(leaves.clone());
            let value = |id: TermId| Evaluator::new(&self.facts.terms, &environment).value(id);
            for (index, kept) in kept.iter().enumerate() {
                let of = |term: TermId| value(term).ok();
                if !satisfies(kept, start[index], now[index], ordinal, &of) {
                    return Some(format!(
                        "slot {index} is {} in iteration {ordinal} from {}: {kept:?}",
                        now[index], start[index]
                    ));
                }
            }
            for &(condition, polarity) in &self.stays {
                if value(condition).ok()? != i128::from(polarity) {
                    return None;
                }
            }
            let ends: Result<Vec<i128>, _> =
                self.slots.iter().map(|slot| value(slot.end)).collect();
            now = ends.ok()?;
        }
        None
    }
}

/// The variable that a condition speaks of.
fn dice_index(depth: usize) -> usize {
    depth % 2
}

struct Leaves(FxHashMap<u32, i128>);

impl Environment for Leaves {
    fn value(&self, _: TermId, term: &Term, _: &[i128]) -> Option<i128> {
        self.0.get(&term.unknown()?.0).copied()
    }
}

fn satisfies(
    kept: &Kept,
    start: i128,
    now: i128,
    ordinal: i128,
    of: &dyn Fn(TermId) -> Option<i128>,
) -> bool {
    let limit = |bound: &Bound, strictly: i128| match *bound {
        Bound::Start => Some(start),
        Bound::Constant(value) => Some(value),
        Bound::Term(term) => of(term),
        Bound::Strict(term) => of(term).map(|value| value + strictly),
    };
    let mut lows = kept.low.iter().filter_map(|bound| limit(bound, 1));
    let low = lows.all(|low| now >= low.min(start));
    let mut highs = kept.high.iter().filter_map(|bound| limit(bound, -1));
    let high = highs.all(|high| now <= high.max(start));
    low && high
        && kept
            .rises
            .is_none_or(|rises| now <= start + rises * ordinal)
        && kept
            .falls
            .is_none_or(|falls| now >= start - falls * ordinal)
        && kept
            .modulus
            .is_none_or(|modulus| (now - start) % modulus == 0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, ..ProptestConfig::default() })]

    #[test]
    fn what_is_kept_holds_in_every_execution(seed: u64) {
        let mut dice = Dice(seed);
        let mut case = Case::random(&mut dice);
        let kept = case.kept();
        for _ in 0..12 {
            if let Some(told) = case.contradiction(&kept, &mut dice) {
                let show = |id: TermId| format!("{:?}", case.facts.terms.get(id));
                let nodes: Vec<String> = (0..case.facts.terms.len())
                    .map(|index| format!("{index}: {}", show(TermId::from_index(index))))
                    .collect();
                panic!("{told}\n{:?}\n{:?}\n{}", case.slots, case.stays, nodes.join("\n"));
            }
        }
    }
}

#[test]
fn random_updates_keep_something() {
    let mut something = [0; 5];
    for seed in 0..500 {
        let mut case = Case::random(&mut Dice(seed));
        for kept in case.kept() {
            something[0] += usize::from(!kept.low.is_empty());
            something[1] += usize::from(!kept.high.is_empty());
            something[2] += usize::from(kept.rises.is_some());
            something[3] += usize::from(kept.falls.is_some());
            something[4] += usize::from(kept.modulus.is_some());
        }
    }
    assert!(something.iter().all(|count| *count >= 10), "{something:?}");
}

/// The loop of one variable of type `int`.
fn of_int(end: impl Fn(&mut Case, TermId) -> TermId) -> Kept {
    let mut case = Case::new([CType::I32, CType::I32]);
    let phi = case.slots[0].phi;
    case.slots[0].end = end(&mut case, phi);
    case.kept().remove(0)
}

fn input(case: &mut Case) -> TermId {
    let value = case.facts.terms.unknown(UnknownId(INPUT), CType::I32);
    let zero = case.number(0, CType::I32);
    case.binary(Op::Ne, CType::Bool, value, zero)
}

/// `if (in[i] && j < 8) j++;`
#[test]
fn a_counter_under_a_condition_neither_falls_nor_passes_its_limit() {
    let kept = of_int(|case, phi| {
        let (one, eight) = (case.number(1, CType::I32), case.number(8, CType::I32));
        let read = input(case);
        let small = case.binary(Op::Lt, CType::Bool, phi, eight);
        let both = case.facts.terms.and(read, small);
        let next = case.binary(Op::Add, CType::I32, phi, one);
        case.facts.terms.ite(both, next, phi)
    });
    assert_eq!(kept.low, [Bound::Start]);
    assert_eq!(kept.high, [Bound::Constant(8)]);
    assert_eq!((kept.rises, kept.modulus), (None, None));
}

/// `if (in[i]) j++;`: at most as many as there are iterations.
#[test]
fn a_counter_without_a_limit_rises_by_one() {
    let kept = of_int(|case, phi| {
        let one = case.number(1, CType::I32);
        let read = input(case);
        let next = case.binary(Op::Add, CType::I32, phi, one);
        case.facts.terms.ite(read, next, phi)
    });
    assert_eq!((kept.rises, kept.falls), (Some(1), None));
    assert!(kept.high.is_empty());
}

/// `unsigned j; if (in[i]) j -= 4;`: it wraps, and stays a multiple of 4 from where it was.
#[test]
fn unsigned_steps_keep_the_residue_only() {
    let mut case = Case::new([CType::U32, CType::U32]);
    let phi = case.slots[0].phi;
    let four = case.number(4, CType::U32);
    let read = input(&mut case);
    let next = case.binary(Op::Sub, CType::U32, phi, four);
    case.slots[0].end = case.facts.terms.ite(read, next, phi);
    let kept = case.kept().remove(0);
    assert!(kept.high.is_empty());
    assert_eq!(kept.modulus, Some(4));
    let six = case.number(6, CType::U32);
    let next = case.binary(Op::Sub, CType::U32, phi, six);
    case.slots[0].end = case.facts.terms.ite(read, next, phi);
    // 2³² is no multiple of 6.
    assert_eq!(case.kept()[0].modulus, Some(2));
}

/// `j += 64; if (j >= 4096) j = start;`, `j = (j + 64) % 4096;`
#[test]
fn steps_resets_and_remainders_keep_the_residue() {
    let kept = of_int(|case, phi| {
        let [step, most] = [64, 4096].map(|value| case.number(value, CType::I32));
        let next = case.binary(Op::Add, CType::I32, phi, step);
        let over = case.binary(Op::Le, CType::Bool, most, next);
        let start = case.slots[0].start;
        case.facts.terms.ite(over, start, next)
    });
    assert_eq!(kept.modulus, Some(64));
    assert_eq!(kept.high, [Bound::Constant(4095)]);
    let kept = of_int(|case, phi| {
        let [step, most] = [64, 4000].map(|value| case.number(value, CType::I32));
        let next = case.binary(Op::Add, CType::I32, phi, step);
        case.binary(Op::Rem, CType::I32, next, most)
    });
    assert_eq!(kept.modulus, Some(32));
    assert_eq!(kept.low, [Bound::Start]);
}
