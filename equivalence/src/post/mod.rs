//! Post-conditions: what holds of every element behind a launch, for every size, grid and input that it admits.
//!
//! **Algorithm.** A post-condition is a kernel of its own ([`text`]), with a block for each tuple of indices, that reads what the launches
//! left and stores both sides of each claim. Runs with numbers look for a tuple for which the two differ. If there is none, an
//! arbitrary block of that kernel is run over values that are open, and each element that it reads is replaced by what the
//! thread stored that is found to have written it ([`crate::threads`]); then both sides are compared as values are elsewhere.
//! Where threads meet in shared memory, all threads of a block of known size are run, and indices are told apart by their remainders.
//!
//! **Source.** G. Li, G. Gopalakrishnan, "Parameterized verification of GPU kernel programs" (PUG_para), IPDPSW 2012, section on
//! functional correctness; that the writer of an element is found and not quantified over is different here.
//!
//! **Accuracy.** As that of [`crate::equal`]. *Fails* is an execution. A read outside of an array is not looked at.

pub mod text;

use warplog_facts::words::*;
use warplog_facts::*;

use crate::answer::{Extent, Launched};
use crate::index::Index;
use crate::launches::{Choice, Given, given, setup};
use crate::machine::{Halt, Setup, run};
use crate::memory::{Cell, Memory};
use crate::node::{Id, Pool};
use crate::prove::{self, Proof};
use crate::refute;
use crate::sides::{self, Matching, Side};
use crate::threads::{Claimed, REMAINDERS_OF_BLOCK, Threads};
use text::{Condition, OLD, OWN, Parameter};

/// Runs with numbers before a proof is tried, and all of them.
const FIRST_RUNS: u64 = 6;
const ALL_RUNS: u64 = 24;

/// How many values of each index a run looks at, by the number of indices.
const LOOKED_AT: [[i128; 3]; 4] = [[1, 1, 1], [160, 1, 1], [41, 41, 1], [13, 13, 13]];

/// An execution behind which a claim does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The claim, as it is written.
    pub claim: String,
    /// The launches.
    pub launches: Vec<Launched>,
    /// Scalar arguments.
    pub scalars: Vec<(String, i128)>,
    /// The indices.
    pub indices: Vec<(String, i128)>,
    /// Both sides of the claim; the right one is none for a condition.
    pub values: (String, Option<String>),
    /// The element that stands alone on the left, and who wrote it: block, thread, access and launch.
    pub element: Option<Element>,
    /// What the contents of arrays follow from.
    pub seed: u64,
}

/// An element and its writer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// The array.
    pub array: String,
    /// Its number.
    pub element: i128,
    /// Who wrote it last; none if nobody did.
    pub by: Option<([i128; 3], [i128; 3], AccessId, usize)>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds.
    Holds(Extent),
    /// It does not.
    Fails(Box<Failure>),
    /// Neither is shown.
    Unknown(Vec<String>),
}

/// The answer with what it rests on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What was found.
    pub verdict: Verdict,
    /// What it rests on.
    pub assumptions: Vec<String>,
    /// Conditions on sizes and arguments under which it is shown to hold, if it does not in general.
    pub holds_if: Vec<String>,
    /// Runs with numbers behind which it held.
    pub runs: u32,
}

/// What launches are given, with the types of elements; arrays whose elements have no scalar type are left out.
#[must_use]
pub fn parameters(side: &Side<'_>) -> Vec<Parameter> {
    let mut all: Vec<Parameter> = Vec::new();
    for &(facts, launch) in &side.launches {
        let symbols = facts.symbol.iter().filter(|row| row.launch == launch);
        let mut found: Vec<Parameter> = symbols
            .map(|row| Parameter {
                name: row.name.clone(),
                ty: row.ty,
                is_array: false,
            })
            .collect();
        let arrays = facts.array.iter().filter(|row| {
            row.launch == launch
                && row.storage == row.array
                && !matches!(row.space, Space::Shared | Space::Local)
        });
        for row in arrays {
            found.extend(element_type(facts, row).map(|ty| Parameter {
                name: row.name.clone(),
                ty,
                is_array: true,
            }));
        }
        for parameter in found {
            if !all.iter().any(|other| other.name == parameter.name) {
                all.push(parameter);
            }
        }
    }
    all.retain(|parameter| text::is_spoken_of(parameter.ty));
    all
}

fn element_type(facts: &Facts, array: &ArrayRow) -> Option<CType> {
    let of_array = |access: &&AccessRow| facts.array[access.array.index()].storage == array.array;
    let accesses: Vec<AccessId> = facts
        .access
        .iter()
        .filter(of_array)
        .map(|row| row.access)
        .collect();
    let loads = facts.terms.iter().filter(|(_, term)| term.op == Op::Load);
    let loaded = loads.filter(|(_, term)| {
        term.access()
            .is_some_and(|access| accesses.contains(&access))
    });
    let stored = facts
        .access
        .iter()
        .filter(|row| accesses.contains(&row.access));
    let stored = stored
        .filter_map(|row| row.value)
        .map(|value| facts.terms.ty(value));
    let combined = facts.atomic_operand.iter();
    let combined = combined
        .filter(|row| accesses.contains(&row.access))
        .map(|row| facts.terms.ty(row.term));
    let mut types = loaded
        .map(|(_, term)| term.ty)
        .chain(stored)
        .chain(combined);
    types.find(|ty| ty.bytes() == Some(array.element_bytes))
}

/// Whether a post-condition holds behind launches: `claims` is the launch of its kernel.
///
/// # Errors
/// What cannot be matched.
pub fn ensured(
    side: &Side<'_>,
    claims: (&Facts, LaunchId),
    condition: &Condition,
    reassociates: bool,
) -> Result<Answer, String> {
    let launches = side.launches.iter();
    let launches = launches.map(|(facts, launch)| Index::new(facts, *launch));
    let both = [launches.collect(), vec![Index::new(claims.0, claims.1)]];
    let initial = |name: &str| name.strip_prefix(OLD).map(str::to_owned);
    let matching = sides::specified(&both, &initial, &text::identifier)?;
    let question = Question {
        sides: &both,
        matching: &matching,
        condition,
        reassociates,
    };
    let mut answer = Answer {
        verdict: Verdict::Unknown(Vec::new()),
        assumptions: Vec::new(),
        holds_if: Vec::new(),
        runs: 0,
    };
    let first = question.refuted(0..FIRST_RUNS, &mut |_| true);
    answer.runs = first.held;
    let proof = question.proved();
    if let Some(failure) = first.failure {
        answer.verdict = Verdict::Fails(Box::new(failure));
        if let Ok(proof) = proof {
            answer.holds_if = question.conditions(proof);
        }
        return Ok(answer);
    }
    let mut reasons = Vec::new();
    match proof {
        Ok(proof) if proof.conditions.is_empty() => {
            answer.verdict = Verdict::Holds(proof.extent);
            answer.assumptions = proof.assumptions;
            return Ok(answer);
        }
        Ok(proof) => {
            answer.holds_if = question.conditions(proof);
            reasons.push(match answer.holds_if.is_empty() {
                true => "it is shown under conditions that hold in no execution that was tried"
                    .to_owned(),
                false => format!("shown only if {}", answer.holds_if.join(" and ")),
            });
        }
        Err(reason) => reasons.push(reason),
    }
    let more = question.refuted(FIRST_RUNS..ALL_RUNS, &mut |_| true);
    answer.runs += more.held;
    reasons.extend(more.reasons);
    reasons.dedup();
    answer.verdict = match more.failure {
        Some(failure) => Verdict::Fails(Box::new(failure)),
        None => Verdict::Unknown(reasons),
    };
    Ok(answer)
}

struct Question<'a, 'f> {
    sides: &'a [Vec<Index<'f>>; 2],
    matching: &'a Matching,
    condition: &'a Condition,
    reassociates: bool,
}

/// What runs found.
#[derive(Default)]
struct Tried {
    failure: Option<Failure>,
    held: u32,
    reasons: Vec<String>,
}

/// The arrays of a claim.
struct Stored {
    left: u32,
    right: u32,
    at: u32,
}

impl Question<'_, '_> {
    fn claims(&self) -> &Index<'_> {
        &self.sides[1][0]
    }

    /// The setup of the kernel of the post-condition, behind launches the last of which has these sizes.
    fn setup(&self, pool: &mut Pool, choice: &Choice, sizes: [Id; 6]) -> Result<Setup, Halt> {
        let mut made = setup(self.claims(), pool, self.matching, (1, 0), choice)?;
        let facts = self.claims().facts;
        for row in &facts.array {
            if row.name.starts_with(OLD) {
                made.initial.insert(row.array);
            }
        }
        for row in &facts.symbol {
            for (at, &size) in sizes.iter().enumerate() {
                let (name, axis) = (["blockDim", "gridDim"][at / 3], ["x", "y", "z"][at % 3]);
                if row.name == format!("{OWN}{name}_{axis}") {
                    made.symbols.insert(row.symbol, size);
                }
            }
        }
        made.step = self.sides[0].len();
        made.reads_outputs = true;
        Ok(made)
    }

    fn stored(&self) -> Vec<Stored> {
        let number = |name: String| {
            let place = self
                .matching
                .arrays
                .iter()
                .position(|array| array.names[1] == name);
            place
                .and_then(|place| u32::try_from(place).ok())
                .unwrap_or(u32::MAX)
        };
        let claims = 0..self.condition.claims.len();
        let all = claims.map(|claim| Stored {
            left: number(format!("{OWN}left_{claim}")),
            right: number(format!("{OWN}right_{claim}")),
            at: number(format!("{OWN}at_{claim}")),
        });
        all.collect()
    }

    // Runs with numbers.

    fn refuted(
        &self,
        runs: std::ops::Range<u64>,
        admits: &mut dyn FnMut(&Choice) -> bool,
    ) -> Tried {
        let mut tried = Tried::default();
        let sides = &self.sides[..1];
        for choice in refute::choices(sides, self.matching, self.reassociates, runs) {
            if !admits(&choice) {
                continue;
            }
            match self.run_with(&choice) {
                Ok(None) => tried.held += 1,
                Ok(Some(failure)) => {
                    tried.failure = Some(failure);
                    return tried;
                }
                Err(Halt::Undefined(_)) => {}
                Err(Halt::NotFollowed(reason)) => tried.reasons.push(reason),
                Err(Halt::TooLong) => tried.reasons.push("a run takes too long".to_owned()),
            }
            tried.reasons.sort();
            tried.reasons.dedup();
        }
        tried
    }

    fn run_with(&self, choice: &Choice) -> Result<Option<Failure>, Halt> {
        let mut pool = Pool::new(self.reassociates, [None; 6]);
        pool.views = refute::views(self.sides, self.matching);
        let executed = refute::execute(0, &self.sides[0], &mut pool, self.matching, choice)?;
        if !executed.is_whole {
            return Err(Halt::TooLong);
        }
        let (memory, launched) = (executed.memory, executed.launched);
        let Some(last) = launched.last() else {
            return Ok(None);
        };
        let [a, b, c] = last.block;
        let [u, v, w] = last.grid;
        let sizes = [a, b, c, u, v, w].map(|size| pool.int(size));
        let looked = LOOKED_AT[self.condition.indices.len().min(3)];
        let of_claims = Choice {
            sizes: [1, 1, 1, looked[0], looked[1], looked[2]].map(Some),
            ..choice.clone()
        };
        let mut setup = self.setup(&mut pool, &of_claims, sizes)?;
        let stored = self.stored();
        let mut behind = memory;
        for z in 0..looked[2] {
            for y in 0..looked[1] {
                for x in 0..looked[0] {
                    setup.of_grid = [x, y, z].map(|at| pool.int(at));
                    for claim in &stored {
                        for array in [claim.left, claim.right, claim.at] {
                            behind.cells.remove(&(array, 0));
                        }
                    }
                    match run(self.claims(), &mut pool, &mut behind, &setup) {
                        Ok(()) => {}
                        // The post-condition says nothing of these indices.
                        Err(Halt::Undefined(_)) => continue,
                        Err(halt) => return Err(halt),
                    }
                    if let Some(failure) =
                        self.failure(&pool, &behind, &stored, &[x, y, z], (choice, &launched))?
                    {
                        return Ok(Some(failure));
                    }
                }
            }
        }
        Ok(None)
    }

    fn failure(
        &self,
        pool: &Pool,
        behind: &Memory,
        stored: &[Stored],
        at: &[i128; 3],
        (choice, launched): (&Choice, &[Launched]),
    ) -> Result<Option<Failure>, Halt> {
        for (claim, arrays) in self.condition.claims.iter().zip(stored) {
            let cell = |array: u32| -> Option<&Cell> { behind.cells.get(&(array, 0)) };
            let (Some(left), Some(right)) = (cell(arrays.left), cell(arrays.right)) else {
                continue;
            };
            match refute::differ(
                pool,
                left.value,
                right.value,
                self.reassociates || self.is_inexact(),
            ) {
                Some(false) => continue,
                None => {
                    return Err(Halt::NotFollowed(
                        "a value of a function that is not known".to_owned(),
                    ));
                }
                Some(true) => {}
            }
            let element = claim.array.as_ref().and_then(|array| {
                let element = pool.as_int(cell(arrays.at)?.value)?;
                let number = self
                    .matching
                    .arrays
                    .iter()
                    .position(|one| one.names[0] == *array)?;
                let number = u32::try_from(number).ok()?;
                let bytes = behind.types.get(&number)?.bytes().unwrap_or(1);
                let cell = behind.cells.get(&(number, element * i128::from(bytes)));
                Some(Element {
                    array: array.clone(),
                    element,
                    by: cell.map(|cell| {
                        let (who, access, step) = cell.writer;
                        (who.block, who.thread, access, step)
                    }),
                })
            });
            let scalars = choice.scalars.clone().unwrap_or_default();
            let named = self.matching.scalars.iter().zip(scalars);
            let named = named.filter(|(scalar, _)| !scalar.names[0].is_empty());
            let right = claim.is_equation.then(|| refute::shown(pool, right.value));
            return Ok(Some(Failure {
                claim: claim.text.clone(),
                launches: launched.to_vec(),
                scalars: named
                    .map(|(scalar, value)| (scalar.names[0].clone(), value))
                    .collect(),
                indices: self
                    .condition
                    .indices
                    .iter()
                    .cloned()
                    .zip(at.iter().copied())
                    .collect(),
                values: (refute::shown(pool, left.value), right),
                element,
                seed: choice.inputs.map_or(0, |inputs| inputs.seed),
            }));
        }
        Ok(None)
    }

    fn is_inexact(&self) -> bool {
        self.sides.iter().flatten().any(|index| {
            let mut names = index
                .facts
                .pure_function
                .iter()
                .map(|row| row.name.as_str());
            names.any(crate::float::is_inexact)
        })
    }

    /// The conditions of a proof, if executions behind which the claims hold show that they can be.
    fn conditions(&self, mut proof: Proof) -> Vec<String> {
        let texts = proof.told(self.matching);
        let tried = self.refuted(0..ALL_RUNS, &mut |choice| proof.holds(choice));
        match tried.failure.is_none() && tried.held > 0 {
            true => texts,
            false => Vec::new(),
        }
    }

    // Proofs.

    fn proved(&self) -> Result<Proof, String> {
        let mut all = self.sides.iter().flatten();
        if let Some(reason) = all.clone().find_map(Index::has_other_orders) {
            return Err(reason.to_owned());
        }
        if let Some(row) = all.find_map(Index::not_modelled) {
            return Err(format!("{}: {}", row.what, row.why));
        }
        let sizes = self.sizes()?;
        let apart = match self.proved_with(sizes, true) {
            Ok(proof) => return Ok(proof),
            Err(reason) => reason,
        };
        if let [Some(_), Some(_), Some(_), ..] = sizes {
            return self.proved_with(sizes, false);
        }
        let plane = self.sides[0]
            .iter()
            .any(|index| given(index)[1] != Given::Number(1));
        let candidates: &[[i128; 3]] = if plane { &prove::PLANES } else { &prove::LINES };
        let mut shown = Vec::new();
        let mut last = None;
        for &block in candidates {
            let mut sizes = sizes;
            for (size, wanted) in sizes.iter_mut().zip(block) {
                if size.is_some_and(|size| size != wanted) {
                    return Err(apart);
                }
                *size = Some(wanted);
            }
            match self.proved_with(sizes, false) {
                Ok(proof) => {
                    shown.push(block);
                    last = Some(proof);
                }
                // What is shown of smaller blocks says little if it is not seen of larger ones; of planes the square ones count.
                Err(reason) if block[0] == block[1] || !plane => {
                    if !prove::leaves_others(&reason) {
                        return Err(apart);
                    }
                    break;
                }
                Err(_) => break,
            }
        }
        let least = if plane { 1 } else { prove::LEAST_LINES };
        let Some(mut proof) = last.filter(|_| shown.len() >= least) else {
            return Err(apart);
        };
        proof.extent = Extent::Blocks(shown);
        Ok(proof)
    }

    /// The dimensions that the launches give; those of several launches have to be the same.
    fn sizes(&self) -> Result<[Option<i128>; 6], String> {
        let mut sizes = [None; 6];
        for index in &self.sides[0] {
            for (size, dimension) in sizes.iter_mut().zip(given(index)) {
                match (dimension, *size) {
                    (Given::Number(value), Some(other)) if value != other => {
                        return Err("launches of one side have different shapes".to_owned());
                    }
                    (Given::Number(value), _) => *size = Some(value),
                    _ => {}
                }
            }
        }
        Ok(sizes)
    }

    /// The same with one thread that stands for all, or with all threads of a block.
    fn proved_with(&self, sizes: [Option<i128>; 6], apart: bool) -> Result<Proof, String> {
        let mut pool = Pool::new(
            self.reassociates,
            [sizes[0], sizes[1], sizes[2], None, None, None],
        );
        pool.is_sane = true;
        let choice = Choice {
            sizes,
            scalars: None,
            inputs: None,
            apart,
        };
        let mut memory = Memory::default();
        let mut threads = [Threads::default(), Threads::default()];
        let (mut last, mut follows) = (None, false);
        for (step, index) in self.sides[0].iter().enumerate() {
            let mut setup = setup(index, &mut pool, self.matching, (0, step), &choice)
                .map_err(|halt| prove::told(&halt))?;
            setup.reads_outputs = apart;
            follows |= threads[0].add(&mut pool, &setup)?;
            run(index, &mut pool, &mut memory, &setup).map_err(|halt| prove::told(&halt))?;
            let ([x, y, z], [u, v, w]) = (setup.block, setup.grid);
            last = Some([x, y, z, u, v, w]);
        }
        let Some(sizes_of_last) = last else {
            return Err("no launch".to_owned());
        };
        let of_claims = Choice {
            sizes: [Some(1), Some(1), Some(1), None, None, None],
            scalars: None,
            inputs: None,
            apart: true,
        };
        let setup = self
            .setup(&mut pool, &of_claims, sizes_of_last)
            .map_err(|halt| prove::told(&halt))?;
        run(self.claims(), &mut pool, &mut memory, &setup).map_err(|halt| prove::told(&halt))?;
        let claimed = self.claimed(&memory)?;
        let step = self.sides[0].len();
        memory.writes.retain(|write| write.step < step);
        pool.bounds_by_sums = true;
        let outside = std::mem::take(pool.contexts());
        let conditions = prove::under_conditions(&mut pool, &threads, |matcher| {
            if !apart {
                matcher.most_remainders = REMAINDERS_OF_BLOCK;
            }
            claimed.iter().try_for_each(|&(claim, one)| {
                let held = matcher.holds(one, &memory.writes);
                held.map_err(|reason| format!("{}: {reason}", self.condition.claims[claim].text))
            })
        });
        *pool.contexts() = outside;
        let conditions = conditions?;
        let mut assumptions = prove::assumptions(&pool, self.matching);
        if follows {
            assumptions
                .push("each launch has a block, and the sizes of grids fit 32 bits".to_owned());
        }
        Ok(Proof {
            extent: Extent::Sizes(sizes),
            assumptions,
            conditions,
            pool,
        })
    }

    /// What the kernel of the post-condition stored, by claim.
    fn claimed(&self, memory: &Memory) -> Result<Vec<(usize, Claimed)>, String> {
        let mut all = Vec::new();
        for (number, arrays) in self.stored().iter().enumerate() {
            let of = |array: u32| {
                let mut writes = memory.writes.iter().filter(|write| write.array == array);
                (writes.next(), writes.next())
            };
            match (of(arrays.left), of(arrays.right)) {
                // It never comes to the claim.
                ((None, _), (None, _)) => {}
                ((Some(left), None), (Some(right), None))
                    if left.guard == right.guard && left.loops.is_empty() =>
                {
                    all.push((
                        number,
                        Claimed {
                            guard: left.guard,
                            left: left.value,
                            right: right.value,
                        },
                    ));
                }
                _ => return Err("the post-condition is not followed".to_owned()),
            }
        }
        Ok(all)
    }
}
