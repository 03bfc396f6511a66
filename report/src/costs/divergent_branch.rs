//! The kind `divergent-branch`.

use super::CostKind;

/// What is told of it.
pub static KIND: CostKind = CostKind {
    id: "divergent-branch",
    name: "DivergentBranch",
    about: "branches on the thread",
    summary: "Lanes of one warp take different sides of a branch, which are run one after the other.",
    free: "none that costs",
    page: include_str!("../../../docs/findings/divergent-branch.md"),
};
