//! Runs of both sides with numbers: an element that differs refutes that they are equal.
//!
//! A run is an execution of every thread from the entry of each kernel, with exact arithmetic, so that a difference is replayed by
//! being found. What only the launch decides is chosen small and odd: blocks that are no squares, sizes that are no multiples.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use warplog_facts::words::{AccessKind, Space};
use warplog_facts::{AccessId, CType};

use crate::answer::{Counterexample, Launched, Stored, Written};
use crate::index::Index;
use crate::launches::{Choice, Given, given, setup};
use crate::machine::{Halt, run};
use crate::memory::{Cell, Inputs, Memory, bytes_of};
use crate::node::{Id, Node, Pool};
use crate::sides::Matching;

/// Most threads of a run.
const MAX_THREADS: i128 = 2_100;

/// Most runs that take too long: others would as well.
const MAX_TOO_LONG: u32 = 2;

/// Most points that the threads of all blocks and launches come to.
const MAX_VISITS: u64 = 1_500_000;

/// Most assignments of a run whose history is told.
const MAX_STORED: usize = 4_096;

/// Largest scalar argument.
const MOST_OF_SCALARS: i128 = 40;

/// Open block and grid sizes that are tried, as powers of two and not.
const BLOCKS: [[i128; 3]; 5] = [[8, 4, 2], [5, 3, 2], [32, 1, 1], [4, 4, 4], [7, 2, 1]];
const GRIDS: [[i128; 3]; 4] = [[3, 2, 1], [1, 1, 1], [2, 3, 2], [5, 1, 1]];
/// The same for blocks of many threads.
const FEW: [[i128; 3]; 4] = [[2, 1, 1], [1, 2, 1], [1, 1, 1], [2, 2, 1]];
const MANY_THREADS: i128 = 128;

/// What runs found.
#[derive(Clone, Debug, Default)]
pub struct Tried {
    /// The difference.
    pub difference: Option<Counterexample>,
    /// Runs that were compared whole.
    pub agreed: u32,
    /// Why others say nothing.
    pub reasons: BTreeMap<String, u32>,
}

/// Runs both sides with numbers, so many times.
pub fn refute(
    sides: &[Vec<Index<'_>>; 2],
    matching: &Matching,
    reassociates: bool,
    runs: std::ops::Range<u64>,
) -> Tried {
    let mut tried = Tried::default();
    if let Some(scalar) = matching.scalars.iter().find(|scalar| !scalar.shared) {
        let name = scalar.names.concat();
        let reason = format!("{name} is a value of one side only");
        tried.reasons.insert(reason, 1);
        return tried;
    }
    for choice in choices(sides, matching, reassociates, runs) {
        match compare(sides, matching, reassociates, &choice) {
            Ok(None) => tried.agreed += 1,
            Ok(Some(difference)) => {
                tried.difference = Some(difference);
                return tried;
            }
            Err(Halt::Undefined(_)) => {}
            Err(Halt::NotFollowed(reason)) => *tried.reasons.entry(reason).or_default() += 1,
            Err(Halt::TooLong) => {
                let entry = tried.reasons.entry("a run takes too long".to_owned());
                let count = entry.or_default();
                *count += 1;
                if *count >= MAX_TOO_LONG {
                    return tried;
                }
            }
        }
    }
    tried
}

/// Whether both sides leave equal contents in all runs with sizes and arguments that are admitted, and there is one.
pub fn agreed(
    sides: &[Vec<Index<'_>>; 2],
    matching: &Matching,
    reassociates: bool,
    runs: std::ops::Range<u64>,
    admits: &mut dyn FnMut(&Choice) -> bool,
) -> bool {
    let mut agreed = false;
    for choice in choices(sides, matching, reassociates, runs) {
        if !admits(&choice) {
            continue;
        }
        match compare(sides, matching, reassociates, &choice) {
            Ok(None) => agreed = true,
            Ok(Some(_)) => return false,
            Err(_) => {}
        }
    }
    agreed
}

/// The choices of runs, first those whose grids come to as many elements as any argument says.
pub(crate) fn choices(
    sides: &[Vec<Index<'_>>],
    matching: &Matching,
    whole: bool,
    runs: std::ops::Range<u64>,
) -> Vec<Choice> {
    let choices = runs.map(|seed| choose(sides, matching, whole, seed));
    let (mut all, short): (Vec<Choice>, Vec<Choice>) = choices.partition(|choice| {
        let least = least_along(sides, &choice.sizes);
        let mut scalars = choice.scalars.iter().flatten();
        scalars.all(|scalar| *scalar <= least)
    });
    all.extend(short);
    all
}

/// The fewest threads along an axis that launches leave open.
fn least_along(sides: &[Vec<Index<'_>>], sizes: &[Option<i128>; 6]) -> i128 {
    let is_open = |axis: &usize| {
        sides.iter().flatten().any(|index| {
            let given = given(index);
            [given[*axis], given[axis + 3]] != [Given::Number(1); 2]
        })
    };
    let along = |axis: usize| sizes[axis].unwrap_or(1) * sizes[axis + 3].unwrap_or(1);
    let open = (0..3).filter(is_open).map(along);
    open.min().unwrap_or(1)
}

struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % (most.max(1) as u64)).unwrap_or(0)
    }
}

pub(crate) fn choose(
    sides: &[Vec<Index<'_>>],
    matching: &Matching,
    whole: bool,
    seed: u64,
) -> Choice {
    let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9) + 11);
    for _ in 0..3 {
        dice.below(2);
    }
    let at = usize::try_from(seed).unwrap_or(0);
    let (block, grid) = (BLOCKS[at % BLOCKS.len()], GRIDS[(at / 2) % GRIDS.len()]);
    let given_block: i128 = sides[0].first().map_or(1, |index| {
        let sizes = given(index).into_iter().take(3).map(|size| match size {
            Given::Number(value) => value,
            _ => 1,
        });
        sizes.product()
    });
    let grid = match given_block >= MANY_THREADS {
        true => FEW[(at / 2) % FEW.len()],
        false => grid,
    };
    let mut sizes = [block[0], block[1], block[2], grid[0], grid[1], grid[2]].map(Some);
    // A number of one side is that of the other, if that is open.
    for index in sides.iter().flatten() {
        for (size, dimension) in sizes.iter_mut().zip(given(index)) {
            if let Given::Number(value) = dimension {
                *size = Some(value);
            }
        }
    }
    let along = |axis: usize| sizes[axis].unwrap_or(1) * sizes[axis + 3].unwrap_or(1);
    let threads = along(0) * along(1) * along(2);
    let least = least_along(sides, &sizes);
    let mut scalars = Vec::new();
    for (number, _) in matching.scalars.iter().enumerate() {
        let options = [
            along(0),
            along(0) - 3,
            along(1),
            along(0) + 5,
            7,
            threads,
            threads - 1,
            (along(1) - 1).max(1),
            2,
            1,
            13,
            3,
            32,
            least,
        ];
        // The first runs take sizes that are the same along all axes, so that square ones are among them.
        let picked = match seed {
            0 => options.len() - 1,
            1 => 1,
            2 => 3,
            3 => 4,
            // Sizes along each axis that the grid comes to exactly, with a square block.
            8 | 18 | 28 => 2 * (number % 2),
            _ => dice.below(options.len() - 1),
        };
        scalars.push(options[picked].clamp(0, MOST_OF_SCALARS));
    }
    Choice {
        sizes,
        scalars: Some(scalars),
        inputs: Some(Inputs { seed, whole }),
        apart: false,
    }
}

/// What an execution leaves.
pub(crate) struct Executed {
    pub(crate) memory: Memory,
    pub(crate) launched: Vec<Launched>,
    /// All blocks were run. Else the first ones were: in the elements that they write no other block of a kernel without races writes,
    /// and none reads what another one writes, so that these hold what the whole execution leaves.
    pub(crate) is_whole: bool,
}

/// An execution with numbers; of a grid of many threads the first blocks.
pub(crate) fn execute(
    side: usize,
    indices: &[Index<'_>],
    pool: &mut Pool,
    matching: &Matching,
    choice: &Choice,
) -> Result<Executed, Halt> {
    let mut memory = Memory::default();
    let mut launched = Vec::new();
    let mut is_whole = true;
    for (step, index) in indices.iter().enumerate() {
        if let Some(row) = index.not_modelled() {
            return Err(Halt::NotFollowed(format!("{}: {}", row.what, row.why)));
        }
        if let Some(reason) = index.has_other_orders() {
            return Err(Halt::NotFollowed(reason.to_owned()));
        }
        if index.restricts() {
            return Err(Halt::NotFollowed("what an annotation assumes".to_owned()));
        }
        let mut setup = setup(index, pool, matching, (side, step), choice)?;
        let number = |pool: &Pool, id: Id| {
            pool.as_int(id)
                .ok_or_else(|| Halt::NotFollowed("the size of a launch".to_owned()))
        };
        let numbers = |pool: &Pool, ids: [Id; 3]| -> Result<[i128; 3], Halt> {
            Ok([
                number(pool, ids[0])?,
                number(pool, ids[1])?,
                number(pool, ids[2])?,
            ])
        };
        let (grid, block) = (numbers(pool, setup.grid)?, numbers(pool, setup.block)?);
        let threads: i128 = grid.iter().chain(&block).product();
        if grid.iter().any(|size| *size < 1) {
            return Err(Halt::Undefined("the size of the grid".to_owned()));
        }
        is_whole &= threads <= MAX_THREADS;
        if !is_whole && (indices.len() > 1 || combines_in_global_memory(index)) {
            return Err(Halt::TooLong);
        }
        launched.push(Launched { block, grid });
        for number in first_blocks(grid, block) {
            setup.of_grid = number.map(|at| pool.int(at));
            run(index, pool, &mut memory, &setup)?;
            if memory.visits > MAX_VISITS {
                return Err(Halt::TooLong);
            }
        }
    }
    Ok(Executed {
        memory,
        launched,
        is_whole,
    })
}

/// Whether the kernel calls functions whose values are near those of a device only.
fn is_inexact(index: &Index<'_>) -> bool {
    let functions = index.facts.pure_function.iter();
    let mut names = functions.map(|row| row.name.as_str());
    names.any(crate::float::is_inexact)
}

/// Whether blocks combine values in elements that others change as well.
fn combines_in_global_memory(index: &Index<'_>) -> bool {
    let mut accesses = index.points.iter().flat_map(|&point| index.accesses(point));
    accesses.any(|access| {
        access.kind == AccessKind::Atomic && index.storage(access.array).space == Space::Global
    })
}

fn compare(
    sides: &[Vec<Index<'_>>; 2],
    matching: &Matching,
    reassociates: bool,
    choice: &Choice,
) -> Result<Option<Counterexample>, Halt> {
    let mut pool = Pool::new(reassociates, [None; 6]);
    pool.views = views(sides, matching);
    let one = execute(0, &sides[0], &mut pool, matching, choice)?;
    let two = execute(1, &sides[1], &mut pool, matching, choice)?;
    let is_whole = one.is_whole && two.is_whole;
    let (left, launched) = (one.memory, one.launched);
    let (right, other) = (two.memory, two.launched);
    let mut elements: Vec<(u32, i128)> = left
        .cells
        .keys()
        .chain(right.cells.keys())
        .copied()
        .collect();
    elements.sort_unstable();
    elements.dedup();
    let inexact = sides.iter().flatten().any(is_inexact);
    let mut open = None;
    let mixed = mixed(matching, &pool);
    let agreed = agreed_in_bytes((&left, &right), choice, &mut pool, (&mixed, is_whole));
    if let Some(&array) = mixed.iter().find(|array| !agreed.contains(array)) {
        let name = &matching.arrays[array as usize].names[0];
        open = Some(format!("{name} as elements of several types"));
    }
    elements.retain(|(array, _)| !agreed.contains(array));
    for (array, at) in elements {
        let names = &matching.arrays[array as usize].names;
        if names.iter().any(String::is_empty) {
            continue;
        }
        let [a, b] = [&left, &right].map(|memory| memory.cells.get(&(array, at)).copied());
        let Some(ty) = a.or(b).map(|cell| cell.ty) else {
            continue;
        };
        // Who writes it on the other side may not have been run.
        if !is_whole && (a.is_none() || b.is_none()) {
            continue;
        }
        let inputs = choice.inputs.unwrap_or(Inputs {
            seed: 0,
            whole: false,
        });
        let before = inputs.at(&mut pool, array, ty, at);
        let [one, two] = [a, b].map(|cell| cell.map_or(before, |cell| cell.value));
        let tolerant = inexact || reassociates;
        let differs = match mixed.contains(&array) {
            // Elements of one place and width differ where their bytes do.
            true if !tolerant && stands_alone([&left, &right], (array, at), ty) => {
                let of = |cell: Option<Cell>| cell.map_or(ty, |cell| cell.ty);
                let bytes = [(one, of(a)), (two, of(b))].map(|(id, ty)| bytes_of(&pool, id, ty));
                let [one, two] = bytes;
                one.zip(two).map(|(one, two)| one != two)
            }
            true => continue,
            false => differ(&pool, one, two, tolerant),
        };
        match differs {
            Some(false) => continue,
            None => {
                open = Some("a value of a function that is not known".to_owned());
                continue;
            }
            Some(true) => {}
        }
        let histories =
            [0, 1].map(|side| history((side, &sides[side]), matching, choice, (array, at)));
        let [of_left, of_right] = histories;
        let written = |cell: Option<Cell>, value: Id, history: Vec<Stored>| Written {
            history,
            value: shown(&pool, value),
            by: cell.map(|cell| (cell.writer.0.block, cell.writer.0.thread)),
            access: cell.map(|cell| cell.writer.1).unwrap_or(AccessId(u32::MAX)),
            step: cell.map_or(0, |cell| cell.writer.2),
        };
        let scalars = choice.scalars.clone().unwrap_or_default();
        let named = matching.scalars.iter().zip(scalars);
        return Ok(Some(Counterexample {
            launches: [launched, other],
            scalars: named
                .map(|(scalar, value)| (scalar.names[0].clone(), value))
                .collect(),
            array: names[0].clone(),
            element: at / i128::from(ty.bytes().unwrap_or(1)),
            before: shown(&pool, before),
            sides: [written(a, one, of_left), written(b, two, of_right)],
            seed: inputs.seed,
            arrays: matching
                .arrays
                .iter()
                .map(|array| array.names[0].clone())
                .collect(),
        }));
    }
    match open {
        Some(reason) => Err(Halt::NotFollowed(reason)),
        None if !is_whole => Err(Halt::TooLong),
        None => Ok(None),
    }
}

/// Of arrays that are accessed as elements of several types, on both sides together, the type of which inputs are taken to be: a float if
/// there is one, as any number is an integer and not every one a float of use, and of these the narrowest.
pub(crate) fn views(sides: &[Vec<Index<'_>>; 2], matching: &Matching) -> FxHashMap<u32, CType> {
    let mut seen: FxHashMap<u32, Vec<CType>> = FxHashMap::default();
    for (side, indices) in sides.iter().enumerate() {
        for (step, index) in indices.iter().enumerate() {
            let arrays = matching.arrays_of(side, step);
            let accesses = index.points.iter().flat_map(|&point| index.accesses(point));
            for access in accesses {
                let storage = index.storage(access.array).array;
                let Some(&number) = arrays.get(&storage) else {
                    continue;
                };
                let parts = index.parts(access.access).iter().map(|part| part.value);
                let terms = index.loads(access.access).iter().copied();
                let terms = terms.chain(parts).chain(access.value);
                let terms = terms.chain(index.operand(access.access));
                let types = terms.map(|term| index.facts.terms.ty(term));
                let own = seen.entry(number).or_default();
                own.extend(types.filter(|ty| ty.bytes().is_some()));
            }
        }
    }
    let canonical = |mut types: Vec<CType>| {
        types.sort_unstable_by_key(|ty| (ty.is_integer(), ty.bytes()));
        let first = *types.first()?;
        let is_other =
            |ty: &CType| (ty.bytes(), ty.is_integer()) != (first.bytes(), first.is_integer());
        types.iter().any(is_other).then_some(first)
    };
    let seen = seen.into_iter();
    seen.filter_map(|(number, types)| Some((number, canonical(types)?)))
        .collect()
}

/// The arrays of both sides that are seen as elements of several types, in order.
fn mixed(matching: &Matching, pool: &Pool) -> Vec<u32> {
    let mut arrays: Vec<u32> = pool.views.keys().copied().collect();
    arrays.sort_unstable();
    arrays.retain(|&array| {
        let names = &matching.arrays[array as usize].names;
        names.iter().all(|name| !name.is_empty())
    });
    arrays
}

/// Those of the arrays in which both leave the same bytes.
fn agreed_in_bytes(
    memories: (&Memory, &Memory),
    choice: &Choice,
    pool: &mut Pool,
    (arrays, is_whole): (&[u32], bool),
) -> Vec<u32> {
    let mut agreed = arrays.to_vec();
    agreed
        .retain(|&array| differing_bytes(memories, choice, pool, (array, is_whole)) == Some(false));
    agreed
}

/// Whether what stands at these bytes is, on both sides, one element of this width or what was there before.
fn stands_alone(memories: [&Memory; 2], (array, at): (u32, i128), ty: CType) -> bool {
    let size = i128::from(ty.bytes().unwrap_or(8));
    memories.iter().all(|memory| {
        (at - 15..at + size).all(|other| match memory.cells.get(&(array, other)) {
            Some(cell) if other == at => cell.ty.bytes() == ty.bytes(),
            Some(cell) => other < at && other + i128::from(cell.ty.bytes().unwrap_or(16)) <= at,
            None => true,
        })
    })
}

/// Whether the bytes that the two leave in an array differ; none if that is not known.
fn differing_bytes(
    (left, right): (&Memory, &Memory),
    choice: &Choice,
    pool: &mut Pool,
    (array, is_whole): (u32, bool),
) -> Option<bool> {
    let inputs = choice.inputs?;
    let mut sides = [BTreeMap::new(), BTreeMap::new()];
    for (bytes, memory) in sides.iter_mut().zip([left, right]) {
        let cells = memory.cells.iter();
        for (&(_, at), cell) in cells.filter(|((of, _), _)| *of == array) {
            let own = bytes_of(pool, cell.value, cell.ty)?;
            for (place, byte) in (at..).zip(own) {
                bytes.insert(place, byte);
            }
        }
    }
    let [one, other] = &sides;
    for place in one.keys().chain(other.keys()) {
        let both = [one, other].map(|side| side.get(place).copied());
        if !is_whole && both.contains(&None) {
            continue;
        }
        let before = inputs.at(pool, array, CType::U8, *place);
        let before = u8::try_from(pool.as_int(before)?).ok()?;
        if both[0].unwrap_or(before) != both[1].unwrap_or(before) {
            return Some(true);
        }
    }
    Some(false)
}

/// What is stored in an element of an array by an execution with these sizes and arguments, over contents that are open.
fn history(
    (side, indices): (usize, &[Index<'_>]),
    matching: &Matching,
    choice: &Choice,
    (array, at): (u32, i128),
) -> Vec<Stored> {
    let mut open = choice.clone();
    open.inputs = None;
    let mut pool = Pool::new(false, [None; 6]);
    let mut memory = Memory::default();
    let mut stored = Vec::new();
    for (step, index) in indices.iter().enumerate() {
        let Ok(mut setup) = setup(index, &mut pool, matching, (side, step), &open) else {
            return Vec::new();
        };
        let numbers = |ids: [Id; 3]| ids.map(|id| pool.as_int(id).unwrap_or(0));
        for block in first_blocks(numbers(setup.grid), numbers(setup.block)) {
            setup.of_grid = block.map(|number| pool.int(number));
            let first = memory.writes.len();
            let ran = run(index, &mut pool, &mut memory, &setup);
            if ran.is_err() || memory.writes.len() > MAX_STORED {
                return Vec::new();
            }
            for write in &memory.writes[first..] {
                let is_open = pool.as_int(write.address).is_none()
                    || pool.as_int(write.guard).is_none()
                    || write.combines.is_some();
                if write.array == array && is_open {
                    return Vec::new();
                }
                if write.array == array && pool.as_int(write.address) == Some(at) {
                    let thread = setup.threads[write.thread];
                    stored.push(Stored {
                        block,
                        thread: thread.map(|id| pool.as_int(id).unwrap_or(0)),
                        access: write.access,
                        step,
                        formula: matching.formula(&pool, write.value, side),
                    });
                }
            }
        }
    }
    stored
}

/// The numbers of the blocks of a grid, as many as are run.
fn first_blocks([x, y, z]: [i128; 3], block: [i128; 3]) -> impl Iterator<Item = [i128; 3]> {
    let threads: i128 = block.iter().product();
    let most = usize::try_from(MAX_THREADS / threads.max(1)).unwrap_or(0);
    let all = (0..z).flat_map(move |c| (0..y).map(move |b| (b, c)));
    let all = all.flat_map(move |(b, c)| (0..x).map(move |a| [a, b, c]));
    all.take(most)
}

/// Whether two results differ, none if that is not known.
pub(crate) fn differ(pool: &Pool, one: Id, other: Id, tolerant: bool) -> Option<bool> {
    if one == other {
        return Some(false);
    }
    let real = |id: Id| match *pool.node(id) {
        Node::Float(ty, bits) => crate::float::as_real(ty, bits),
        Node::Int(value) => Some(value as f64),
        _ => None,
    };
    if let (Some(a), Some(b)) = (pool.as_int(one), pool.as_int(other)) {
        return Some(a != b);
    }
    let (a, b) = (real(one)?, real(other)?);
    if a.is_nan() || b.is_nan() {
        return Some(a.is_nan() != b.is_nan());
    }
    let tolerance = if tolerant { 1e-3 } else { 0.0 };
    Some((a - b).abs() > tolerance * a.abs().max(b.abs()).max(f64::from(u8::from(tolerant))))
}

pub(crate) fn shown(pool: &Pool, id: Id) -> String {
    match *pool.node(id) {
        Node::Int(value) => value.to_string(),
        Node::Float(ty, bits) => match crate::float::as_real(ty, bits) {
            Some(value) if ty == warplog_facts::CType::F32 => format!("{}", value as f32),
            Some(value) => format!("{value}"),
            None => "a float".to_owned(),
        },
        _ => "a value".to_owned(),
    }
}
