//! Comparison of an arbitrary block of both sides.

use crate::answer::Extent;
use crate::compare;
use crate::index::Index;
use crate::launches::{Choice, Given, given, setup};
use crate::machine::{Halt, run};
use crate::memory::Memory;
use crate::node::{Id, Pool};
use crate::sides::Matching;

/// Sizes of blocks that are compared where a launch leaves them open and threads meet in shared memory.
const LINES: [[i128; 3]; 6] = [
    [32, 1, 1],
    [64, 1, 1],
    [128, 1, 1],
    [256, 1, 1],
    [512, 1, 1],
    [1024, 1, 1],
];
const PLANES: [[i128; 3]; 4] = [[8, 8, 1], [16, 16, 1], [32, 32, 1], [32, 8, 1]];

/// Shows that the sides leave equal contents.
///
/// # Errors
/// Why that is not shown.
pub fn prove(
    sides: &[Vec<Index<'_>>; 2],
    matching: &Matching,
    reassociates: bool,
) -> Result<(Extent, Vec<String>), String> {
    for index in sides.iter().flatten() {
        if let Some(row) = index.not_modelled() {
            return Err(format!("{}: {}", row.what, row.why));
        }
    }
    let sizes = sizes(sides)?;
    if let [Some(_), Some(_), Some(_), ..] = sizes {
        let assumptions = one(sides, matching, reassociates, sizes)?;
        return Ok((Extent::Sizes(sizes), assumptions));
    }
    let whole = match one(sides, matching, reassociates, sizes) {
        Ok(assumptions) => return Ok((Extent::Sizes(sizes), assumptions)),
        Err(reason) => reason,
    };
    let plane = sides
        .iter()
        .flatten()
        .any(|index| given(index)[1] != Given::Number(1));
    let candidates: &[[i128; 3]] = if plane { &PLANES } else { &LINES };
    let (mut shown, mut all) = (Vec::new(), Vec::new());
    for &block in candidates {
        let mut sizes = sizes;
        for (size, wanted) in sizes.iter_mut().zip(block) {
            if size.is_some_and(|size| size != wanted) {
                return Err(whole);
            }
            *size = Some(wanted);
        }
        match one(sides, matching, reassociates, sizes) {
            Ok(assumptions) => {
                shown.push(block);
                all = assumptions;
            }
            Err(reason) if shown.is_empty() => return Err(reason),
            Err(_) => break,
        }
    }
    if shown.is_empty() {
        return Err(whole);
    }
    Ok((Extent::Blocks(shown), all))
}

/// The dimensions that one side gives.
fn sizes(sides: &[Vec<Index<'_>>; 2]) -> Result<[Option<i128>; 6], String> {
    let mut sizes = [None; 6];
    for index in sides.iter().flatten() {
        for (size, dimension) in sizes.iter_mut().zip(given(index)) {
            match (dimension, *size) {
                (Given::Number(value), Some(other)) if value != other => {
                    return Err("the launches have blocks or grids of different sizes".to_owned());
                }
                (Given::Number(value), _) => *size = Some(value),
                _ => {}
            }
        }
    }
    Ok(sizes)
}

fn one(
    sides: &[Vec<Index<'_>>; 2],
    matching: &Matching,
    reassociates: bool,
    sizes: [Option<i128>; 6],
) -> Result<Vec<String>, String> {
    let mut pool = Pool::new(reassociates, [sizes[0], sizes[1], sizes[2]]);
    let choice = Choice {
        sizes,
        scalars: None,
        inputs: None,
    };
    let mut memories = Vec::new();
    let mut grids: Vec<[Id; 6]> = Vec::new();
    for (side, indices) in sides.iter().enumerate() {
        let mut memory = Memory::default();
        for (step, index) in indices.iter().enumerate() {
            let setup = setup(index, &mut pool, matching, (side, step), &choice)
                .map_err(|halt| told(&halt))?;
            let [x, y, z] = setup.block;
            let [u, v, w] = setup.grid;
            grids.push([x, y, z, u, v, w]);
            run(index, &mut pool, &mut memory, &setup).map_err(|halt| told(&halt))?;
        }
        memories.push(memory);
    }
    if grids.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err("the launches have blocks or grids of different sizes".to_owned());
    }
    let [left, right] = [&memories[0], &memories[1]];
    for (number, array) in matching.arrays.iter().enumerate() {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        if array.names.iter().any(String::is_empty) {
            continue;
        }
        let own = |memory: &Memory| {
            let writes = memory.writes.iter().filter(|write| write.array == number);
            writes.cloned().collect::<Vec<_>>()
        };
        compare::same_array(&mut pool, own(left), own(right))
            .map_err(|reason| format!("{}: {reason}", array.names[0]))?;
    }
    let mut assumptions = Vec::new();
    if pool.assumed {
        assumptions
            .push("sums of thread and block numbers and of iterations do not wrap".to_owned());
    }
    Ok(assumptions)
}

fn told(halt: &Halt) -> String {
    match halt {
        Halt::Undefined(what) => format!("every execution is undefined: {what}"),
        Halt::NotFollowed(what) => format!("not followed: {what}"),
        Halt::TooLong => "a block takes too long".to_owned(),
    }
}
