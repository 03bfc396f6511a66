//! The kind `redundant-barrier`.

use super::CostKind;

/// What is told of it.
pub static KIND: CostKind = CostKind {
    id: "redundant-barrier",
    name: "RedundantBarrier",
    about: "barriers of the block",
    summary: "Without this barrier the kernel is proved race-free all the same.",
    free: "each needed or not shown to be redundant",
    page: include_str!("../../../docs/findings/redundant-barrier.md"),
};
