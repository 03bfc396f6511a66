//! Arrays of which each thread has its own: the relation `thread_private`.
//!
//! **Accuracy.** R29 names the arrays of local memory; what is private by its index is the business of the discharge rules.

use warplog_facts::derived::ThreadPrivateRow;
use warplog_facts::words::Space;

use crate::context::Context;

/// The rows of `thread_private`.
pub(crate) fn thread_private(ctx: &Context<'_>) -> Vec<ThreadPrivateRow> {
    // R29: local memory is another object in each thread.
    let local = ctx
        .facts
        .array
        .iter()
        .filter(|row| row.space == Space::Local);
    local
        .map(|row| ThreadPrivateRow {
            array: row.array,
            rule: "local-memory".to_owned(),
        })
        .collect()
}
