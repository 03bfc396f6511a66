//! The kind `bank-conflict`.

use super::CostKind;

/// What is told of it.
pub static KIND: CostKind = CostKind {
    id: "bank-conflict",
    name: "BankConflict",
    about: "accesses to shared memory",
    summary: "Lanes of one warp want different words of one bank of shared memory, which serves them one after the other.",
    free: "conflict-free",
    page: include_str!("../../../docs/findings/bank-conflict.md"),
};
