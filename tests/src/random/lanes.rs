//! Random kernels whose threads wait in tiles of lanes, not only as blocks; and kernels whose lanes are in lock-step.

use super::dice::Dice;
use super::grow::grow;
use super::tree::*;

/// A kernel in which some barriers are for tiles of lanes, and some more of these stand elsewhere.
#[must_use]
pub fn grow_lanes(seed: u64) -> Program {
    let mut program = grow(seed);
    let mut dice = Dice::new(seed ^ 0x7469_6c65);
    let mut body = std::mem::take(&mut program.body);
    weaken(&mut body, &mut dice);
    program.body = body;
    for function in &mut program.functions {
        weaken(&mut function.body, &mut dice);
    }
    program
}

/// A kernel in lock-step: most of them of 32 lanes, some of other sizes; with barriers of tiles, with fewer barriers, or as it
/// was grown.
#[must_use]
pub fn grow_in_step(seed: u64) -> Program {
    let mut dice = Dice::new(seed ^ 0x7374_6570);
    let mut program = if dice.chance(30) {
        grow_lanes(seed)
    } else {
        grow(seed)
    };
    program.warp_sync = Some(dice.pick(&[32, 32, 32, 32, 16, 8, 4, 1]));
    if dice.chance(50) {
        program.blocks_mut(&mut |block| {
            block.retain(|stmt| !matches!(stmt, Stmt::Barrier | Stmt::Lanes(_)) || dice.chance(40));
        });
    }
    program
}

fn weaken(block: &mut Vec<Stmt>, dice: &mut Dice) {
    let mut added = Vec::new();
    for (position, stmt) in block.iter_mut().enumerate() {
        match stmt {
            Stmt::Barrier if dice.chance(70) => {
                *stmt = Stmt::Lanes(dice.pick(&[32, 32, 2, 4, 8, 16]));
            }
            Stmt::If(_, then, other) => {
                weaken(then, dice);
                weaken(other, dice);
            }
            Stmt::Loop(loop_) => weaken(&mut loop_.body, dice),
            Stmt::Store(..) if dice.chance(10) => added.push(position),
            _ => {}
        }
    }
    for position in added.into_iter().rev() {
        block.insert(position, Stmt::Lanes(dice.pick(&[4, 32])));
    }
}
