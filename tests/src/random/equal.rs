//! Random pairs against brute force: a kernel and a rewriting of it, a kernel and a mutant.
//!
//! Both kernels of a pair must be race-free for the analyser. What is called equal must leave the same bytes in every run of the two
//! that is defined; what is called different is run once more with the launch, the arguments and the contents of the counterexample,
//! and must leave the two values in that element.

use std::fmt;
use std::ops::Range;

use warplog_equivalence::answer::{Counterexample, Extent, Verdict};
use warplog_equivalence::memory::Inputs;
use warplog_equivalence::node::Pool;
use warplog_equivalence::sides::Side;
use warplog_equivalence::{Options, equal};
use warplog_facts::{CType, Facts};
use warplog_report::Verdict as OfKernel;

use super::dice::Dice;
use super::grow::grow;
use super::judge::{analyse, settings};
use super::mutate::{Operator, mutant, sites};
use super::print::print;
use super::rewrite::{Rewriting, rewritten};
use super::run::{Setting, Undefined, Written, initial, run_whole};
use super::suite::on_all_cores;
use super::tree::{Program, Space, Ty};

/// What came of pairs.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    /// Pairs of race-free kernels.
    pub compared: usize,
    /// Called equal, and runs that agreed.
    pub equal: (usize, usize),
    /// Called different, and replayed.
    pub different: (usize, usize),
    /// Not decided.
    pub open: usize,
    /// Those of which a condition is told under which the two are equal.
    pub conditions: usize,
    /// Wrong answers.
    pub wrong: Vec<String>,
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} pairs: {} equal ({} runs), {} different ({} replayed), {} open, {} with a condition, {} wrong",
            self.compared,
            self.equal.0,
            self.equal.1,
            self.different.0,
            self.different.1,
            self.open,
            self.conditions,
            self.wrong.len()
        )
    }
}

/// Compares the pairs of seeds.
#[must_use]
pub fn pairs(seeds: Range<u64>) -> Pairs {
    let mut all = Pairs::default();
    for one in on_all_cores(seeds, &pair) {
        all.add(one);
    }
    all
}

impl Pairs {
    /// These and others.
    pub fn add(&mut self, one: Pairs) {
        self.compared += one.compared;
        self.equal.0 += one.equal.0;
        self.equal.1 += one.equal.1;
        self.different.0 += one.different.0;
        self.different.1 += one.different.1;
        self.open += one.open;
        self.conditions += one.conditions;
        self.wrong.extend(one.wrong);
    }
}

/// Another kernel for a kernel, and whether it is to leave the same.
fn variant(program: &Program, dice: &mut Dice, seed: u64) -> Option<(Program, bool)> {
    if seed.is_multiple_of(3) {
        let how = dice.pick(&Rewriting::ALL);
        return rewritten(program, how, dice).map(|other| (other, true));
    }
    let operator = dice.pick(&Operator::ALL);
    let places = sites(program, operator);
    if places == 0 {
        return None;
    }
    mutant(program, operator, dice.roll(places)).map(|other| (other, false))
}

fn pair(seed: u64) -> Pairs {
    let mut told = Pairs::default();
    let program = grow(seed);
    let mut dice = Dice::new(seed ^ 0x5eed);
    if program.warp_sync.is_some() {
        return told;
    }
    let Some((other, same)) = variant(&program, &mut dice, seed) else {
        return told;
    };
    let texts = [print(&program), print(&other)];
    let race_free =
        |text: &String| analyse(text).is_ok_and(|kernel| kernel.verdict() == OfKernel::RaceFree);
    if !texts.iter().all(race_free) {
        return told;
    }
    let facts = [0, 1].map(|side| crate::equal::facts("random.cu", &texts[side]));
    let Some(sides) = side(&facts[0]).zip(side(&facts[1])) else {
        return told;
    };
    let Ok(answer) = equal(&[sides.0, sides.1], &Options::default()) else {
        return told;
    };
    told.compared = 1;
    let with = || format!("seed {seed}\n{}\n{}", texts[0], texts[1]);
    match &answer.verdict {
        Verdict::Equal(extent) => {
            told.equal.0 = 1;
            let all = settings(&program, [None; 6], true).into_iter();
            for setting in all.filter(|setting| is_within(extent, setting)) {
                match differing(&program, &other, &setting) {
                    Some(None) => told.equal.1 += 1,
                    Some(Some(difference)) => {
                        told.wrong
                            .push(format!("equal, but {difference}: {}", with()));
                        break;
                    }
                    None => {}
                }
            }
        }
        Verdict::Different(found) => {
            told.different.0 = 1;
            match replayed(&program, &other, found) {
                Ok(true) => told.different.1 = 1,
                Ok(false) => {}
                Err(fault) => told
                    .wrong
                    .push(format!("different, but {fault}: {}", with())),
            }
            if same && told.wrong.is_empty() && told.different.1 == 0 {
                told.wrong
                    .push(format!("different, but it is a rewriting: {}", with()));
            }
        }
        Verdict::Unknown(_) => told.open = 1,
    }
    told
}

/// Whether the answer speaks of a launch.
fn is_within(extent: &Extent, setting: &Setting) -> bool {
    let block = setting.block.map(i128::from);
    let is_of = |sizes: &[Option<i128>; 6]| {
        let own = block.into_iter().chain(setting.grid.map(i128::from));
        sizes
            .iter()
            .zip(own)
            .all(|(given, own)| given.is_none_or(|given| given == own))
    };
    match extent {
        Extent::Sizes(sizes) => is_of(sizes),
        Extent::Shapes(sides) => sides.iter().all(is_of),
        Extent::Blocks(blocks) => blocks.contains(&block),
    }
}

fn side(facts: &Facts) -> Option<Side<'_>> {
    let launch = facts.launch.first()?.launch;
    Some(Side {
        launches: vec![(facts, launch)],
    })
}

/// The runs of both, if both are defined and have neither race nor divergence.
fn both(programs: [&Program; 2], setting: &Setting) -> Result<Option<[Written; 2]>, Undefined> {
    let mut written = Vec::new();
    for program in programs {
        let (trace, bytes) = run_whole(program, setting)?;
        if trace.race(None).is_some() || !trace.divergences.is_empty() {
            return Ok(None);
        }
        written.push(bytes);
    }
    Ok(<[Written; 2]>::try_from(written).ok())
}

/// Where two runs leave different bytes; none if they say nothing.
fn differing(program: &Program, other: &Program, setting: &Setting) -> Option<Option<String>> {
    let [left, right] = both([program, other], setting).ok()??;
    let places = left.keys().chain(right.keys());
    for &(array, byte) in places {
        let before = initial(program, setting, array, byte);
        let held = |written: &Written| written.get(&(array, byte)).copied().unwrap_or(before);
        if held(&left) != held(&right) {
            let name = &program.arrays[array].name;
            return Some(Some(format!(
                "byte {byte} of {name} differs with {setting:?}"
            )));
        }
    }
    Some(None)
}

/// Elements of each array that hold what the counterexample says.
const ELEMENTS: i64 = 6_000;

/// Runs both as the counterexample says; whether the run was short enough.
fn replayed(program: &Program, other: &Program, found: &Counterexample) -> Result<bool, String> {
    let launch = found.launches[0].first().ok_or("there is no launch")?;
    let size = |sizes: [i128; 3]| sizes.map(|size| u32::try_from(size).unwrap_or(0));
    let mut setting = Setting {
        block: size(launch.block),
        grid: size(launch.grid),
        ..Setting::default()
    };
    for (name, value) in &found.scalars {
        if let Some(var) = program
            .scalars
            .iter()
            .find(|var| program.vars[**var].name == *name)
        {
            setting.arguments.insert(*var, *value);
        }
    }
    let mut pool = Pool::new(false, [None; 6]);
    let inputs = Inputs {
        seed: found.seed,
        whole: false,
    };
    for (array, declared) in program.arrays.iter().enumerate() {
        let number = found.arrays.iter().position(|name| *name == declared.name);
        let (Some(number), Space::Global) = (number, declared.space) else {
            continue;
        };
        let number = u32::try_from(number).unwrap_or(0);
        let bytes = declared.ty.bytes();
        for element in 0..ELEMENTS {
            let at = i128::from(element * bytes);
            let value = inputs.at(&mut pool, number, ctype(declared.ty), at);
            let value = pool.as_int(value).unwrap_or(0);
            setting.elements.insert((array, element), value);
        }
    }
    let [left, right] = match both([program, other], &setting) {
        Ok(Some(written)) => written,
        Ok(None) => return Err("it races or diverges there".to_owned()),
        Err(Undefined::Steps) => return Ok(false),
        Err(undefined) => return Err(format!("it is undefined there: {undefined:?}")),
    };
    let array = program
        .arrays
        .iter()
        .position(|declared| declared.name == found.array);
    let array = array.ok_or("there is no such array")?;
    let ty = program.arrays[array].ty;
    let start = i64::try_from(found.element).unwrap_or(0) * ty.bytes();
    for (written, claimed) in [&left, &right].into_iter().zip(&found.sides) {
        let mut number: i128 = 0;
        for offset in 0..ty.bytes() {
            let byte = written.get(&(array, start + offset)).copied();
            let byte = byte.unwrap_or_else(|| initial(program, &setting, array, start + offset));
            number |= i128::from(byte) << (8 * offset);
        }
        let held = super::arith::wrap(number, ty);
        if held.to_string() != claimed.value {
            return Err(format!(
                "element {} is {held}, not {}",
                found.element, claimed.value
            ));
        }
    }
    Ok(true)
}

fn ctype(ty: Ty) -> CType {
    match ty {
        Ty::I8 => CType::I8,
        Ty::U8 => CType::U8,
        Ty::I16 => CType::I16,
        Ty::U16 => CType::U16,
        Ty::I32 => CType::I32,
        Ty::U32 => CType::U32,
        Ty::I64 => CType::I64,
        Ty::U64 => CType::U64,
    }
}
