//! The launches that a comparison looks at: sizes that are given, and those that are chosen.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::*;
use warplog_facts::*;

use crate::index::Index;
use crate::machine::{Halt, Setup, value_in};
use crate::memory::{Inputs, Memory};
use crate::node::{Id, Leaf, Pool};
use crate::sides::Matching;

/// What stands in a dimension of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Given {
    /// A number.
    Number(i128),
    /// Any.
    Open,
    /// It follows from scalars.
    Term(TermId),
}

/// The six dimensions.
#[must_use]
pub fn given(index: &Index<'_>) -> [Given; 6] {
    std::array::from_fn(|at| {
        let Some(term) = index.dimension(Dimension::ALL[at]) else {
            return Given::Number(1);
        };
        let terms = &index.facts.terms;
        match (terms.as_const(term), terms.get(term).op) {
            (Some(value), _) => Given::Number(value),
            (_, Op::BdimX | Op::BdimY | Op::BdimZ | Op::GdimX | Op::GdimY | Op::GdimZ) => {
                Given::Open
            }
            _ => Given::Term(term),
        }
    })
}

/// Values for what is open in a launch.
#[derive(Clone, Debug)]
pub struct Choice {
    /// Numbers for open dimensions; none where they stay open.
    pub sizes: [Option<i128>; 6],
    /// Numbers for scalars; none where they stay open.
    pub scalars: Option<Vec<i128>>,
    /// Contents.
    pub inputs: Option<Inputs>,
    /// One open thread stands for all, even of a block of known size, and those of the right side are others than those of the left.
    pub apart: bool,
}

/// The setup of a block of a launch; `of_grid` are its numbers, `None` for an arbitrary block. Without known block sizes there
/// is one thread, an arbitrary one.
///
/// # Errors
/// A dimension or an assumption cannot be evaluated, or does not hold.
pub fn setup(
    index: &Index<'_>,
    pool: &mut Pool,
    matching: &Matching,
    (side, step): (usize, usize),
    choice: &Choice,
) -> Result<Setup, Halt> {
    let mut symbols = FxHashMap::default();
    for (symbol, number) in matching.scalars_of(side, step) {
        let scalar = &matching.scalars[number as usize];
        let value = match &choice.scalars {
            None => {
                // What only one side has is another one than that of the other.
                let number = number * 2 + u32::from(!scalar.shared && side == 1);
                pool.leaf(Leaf::Symbol(number, scalar.ty))
            }
            Some(values) if scalar.ty.is_integer() => {
                let ty = index.facts.symbol[symbol.index()].ty;
                pool.int(ty.wrap(values[number as usize]))
            }
            Some(values) => {
                let value = values[number as usize] as f64;
                let bits = crate::float::bits_of(scalar.ty, value).unwrap_or(0);
                match pool.reassociates {
                    true => pool.ring_constant(scalar.ty, bits),
                    false => pool.float(scalar.ty, bits),
                }
            }
        };
        symbols.insert(symbol, value);
    }
    let first_axis = if choice.apart && side == 1 { 3 } else { 0 };
    let leaf = |pool: &mut Pool, at: usize| {
        let axis = u8::try_from(at % 3).unwrap_or(0);
        match at / 3 {
            0 => pool.leaf(Leaf::Bdim(axis)),
            _ => pool.leaf(Leaf::Gdim(axis)),
        }
    };
    let zero = pool.int(0);
    let mut made = Setup {
        threads: vec![[zero; 3]],
        block: [zero; 3],
        grid: [zero; 3],
        of_grid: [zero; 3],
        symbols,
        arrays: matching.arrays_of(side, step),
        initial: FxHashSet::default(),
        reads_outputs: false,
        shared: FxHashMap::default(),
        written: FxHashSet::default(),
        known: Vec::new(),
        inputs: choice.inputs,
        step,
        side,
    };
    let dimensions = given(index);
    let mut values = [zero; 6];
    for (at, dimension) in dimensions.iter().enumerate() {
        values[at] = match (*dimension, choice.sizes[at]) {
            (Given::Number(value), _) | (Given::Open, Some(value)) => pool.int(value),
            (Given::Open, None) => leaf(pool, at),
            (Given::Term(term), _) => value_in(index, pool, &mut Memory::default(), &made, term)?,
        };
    }
    made.block = [values[0], values[1], values[2]];
    made.grid = [values[3], values[4], values[5]];
    for row in &index.facts.launch_assume {
        if row.launch == index.launch {
            let held = value_in(index, pool, &mut Memory::default(), &made, row.term)?;
            match pool.as_int(held) {
                Some(0) => return Err(Halt::Undefined("an assumption on the launch".to_owned())),
                Some(_) => {}
                None => made.known.push(held),
            }
        }
    }
    for size in made.grid {
        let atoms: Vec<Id> = pool
            .monomials(size)
            .into_iter()
            .flat_map(|(m, _)| m)
            .collect();
        for atom in atoms {
            if pool.interval(atom).0 >= 0 {
                pool.grids.insert(atom);
            }
        }
    }
    made.of_grid = [0, 1, 2].map(|axis: u8| match pool.as_int(made.grid[axis as usize]) {
        Some(1) => pool.int(0),
        _ => pool.leaf(Leaf::Bid(first_axis + axis)),
    });
    let numbers = made.block.map(|size| pool.as_int(size));
    made.threads = match numbers {
        [Some(x), Some(y), Some(z)] if !choice.apart => threads(pool, [x, y, z])?,
        _ => vec![[0u8, 1, 2].map(|axis| match numbers[axis as usize] {
            Some(1) => pool.int(0),
            _ => pool.leaf(Leaf::Tid(first_axis + axis)),
        })],
    };
    Ok(made)
}

fn threads(pool: &mut Pool, [x, y, z]: [i128; 3]) -> Result<Vec<[Id; 3]>, Halt> {
    if x < 1 || y < 1 || z < 1 || x * y * z > 1024 {
        return Err(Halt::Undefined("the size of the block".to_owned()));
    }
    let mut all = Vec::new();
    for c in 0..z {
        for b in 0..y {
            for a in 0..x {
                all.push([a, b, c].map(|number| pool.int(number)));
            }
        }
    }
    Ok(all)
}
