//! The kind `divergent-branch`: warps of the launch whose lanes differ on a condition, and what is then done twice.

use super::{CostKind, Told};
use crate::costs::{Measure, Measured};

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
    pieces: |_| Vec::new(),
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
    } = &measured.measure
    else {
        return Told::default();
    };
    let effect = match serialised {
        0 => format!("lanes are idle in {}", counted(*idle)),
        more => format!("{} one side after the other", counted(*more)),
    };
    Told {
        headline: format!(
            "lanes of a warp differ on `{condition}` in {divergent} of {arriving} warps: {effect}"
        ),
        ..Told::default()
    }
}

fn counted(accesses: u64) -> String {
    match accesses {
        1 => "1 access".to_owned(),
        more => format!("{more} accesses"),
    }
}
