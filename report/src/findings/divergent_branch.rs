//! The kind `divergent-branch`: warps of the launch whose lanes differ on a condition, and what is then done twice.

use super::kind::{CostKind, Piece, Told};
use crate::measure::{Measure, Measured, Split};

pub(super) static KIND: CostKind = CostKind {
    id: "divergent-branch",
    name: "DivergentBranch",
    about: "branches on the thread",
    summary: "Lanes of one warp take different sides of a branch, which are run one after the other.",
    free: "none that costs",
    page: include_str!("../../../docs/findings/divergent-branch.md"),
    asks: |measure| matches!(measure, Measure::Warps { .. }),
    tell,
    open,
    pieces,
};

fn open(measure: &Measure) -> String {
    match measure {
        Measure::Warps { condition, .. } => format!("`{condition}` is open"),
        _ => String::new(),
    }
}

fn tell(measured: &Measured) -> Told {
    let Measure::Warps {
        condition,
        divergent,
        arriving,
        serialised,
        idle,
        lines,
        split,
    } = &measured.measure
    else {
        return Told::default();
    };
    let effect = match (serialised, idle) {
        (0, 0) => "lanes are idle, in no access".to_owned(),
        (0, idle) => format!("lanes are idle in {}", counted(*idle)),
        (more, _) => format!("{} one side after the other", counted(*more)),
    };
    Told {
        headline: format!(
            "lanes of a warp differ on `{condition}` in {divergent} of {arriving} warps ({} %): {effect}",
            share(*divergent, *arriving)
        ),
        hint: None,
        notes: notes(lines, split.as_ref()),
    }
}

/// Of a hundred, rounded down, but for what is less than one.
fn share(part: u64, whole: u64) -> u64 {
    let share = u128::from(part) * 100 / u128::from(whole.max(1));
    u64::try_from(share).unwrap_or(100).max(u64::from(part > 0))
}

/// Where the accesses of the two sides stand, and a warp whose lanes differ.
fn notes([then, otherwise]: &[Vec<u32>; 2], split: Option<&Split>) -> Vec<String> {
    let side = |lines: &[u32]| match lines {
        [] => "none".to_owned(),
        [line] => format!("in line {line}"),
        lines => {
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            format!("in lines {}", lines.join(", "))
        }
    };
    let mut notes = vec![format!(
        "accesses where it holds: {}; where it does not: {}",
        side(then),
        side(otherwise)
    )];
    notes.extend(split.map(|split| {
        format!(
            "in warp {} of block ({}) it holds in lanes {}, and not in lanes {}",
            split.number,
            split.block.map(|at| at.to_string()).join(", "),
            ranges(&split.with(true)),
            ranges(&split.with(false)),
        )
    }));
    notes
}

/// Numbers in words, those that follow each other as `3–7`.
fn ranges(lanes: &[usize]) -> String {
    let runs = lanes.chunk_by(|one, next| one + 1 == *next);
    let words: Vec<String> = runs
        .map(|run| match run {
            [only] => only.to_string(),
            run => format!("{}–{}", run[0], run[run.len() - 1]),
        })
        .collect();
    words.join(", ")
}

/// The lanes of the two sides.
fn pieces(measure: &Measure) -> Vec<Piece> {
    let sides = measure.split().into_iter().flat_map(|split| {
        [true, false].map(|value| Piece {
            what: "side",
            number: if value { 1 } else { 2 },
            lanes: split.with(value),
        })
    });
    sides.collect()
}

fn counted(accesses: u64) -> String {
    match accesses {
        1 => "1 access".to_owned(),
        more => format!("{more} accesses"),
    }
}
