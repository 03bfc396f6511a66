//! The kind `uncoalesced-access`.

use super::CostKind;

/// What is told of it.
pub static KIND: CostKind = CostKind {
    id: "uncoalesced-access",
    name: "UncoalescedAccess",
    about: "accesses to global memory",
    summary: "A warp touches more sectors of global memory than the bytes that its lanes want would fill.",
    free: "coalesced",
    page: include_str!("../../../docs/findings/uncoalesced-access.md"),
};
