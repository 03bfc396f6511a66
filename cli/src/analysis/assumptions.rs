//! What verdicts rest on that rules and solver take for granted of atomics: in the words of the user.

use std::collections::BTreeSet;

use warplog_facts::words::Space;
use warplog_facts::{AccessId, Facts, LaunchId};

use super::rows::Rows;

/// How many times a counter may be used before its results come round again.
pub(super) fn of_counter(facts: &Facts, rows: &Rows<'_>, counter: AccessId) -> Option<String> {
    let row = facts.access.get(counter.index())?;
    let adders = rows.steps(row.array);
    let found = adders.iter().find(|step| step.access == counter)?;
    let step = found.step.abs();
    let name = &facts.array.get(row.array.index())?.name;
    let operation = &row.operation;
    let bits = row.bytes * 8;
    // Results of steps of 1 are different up to the last number; for others to be a step apart there must be no way round.
    Some(if adders.iter().any(|step| step.times.is_some()) {
        format!(
            "less than 2^{} in all added by {operation} to an element of `{name}`",
            bits - 1
        )
    } else if step.count_ones() == 1 {
        let room = bits.saturating_sub(step.trailing_zeros());
        if step == 1 {
            format!("fewer than 2^{room} executions of {operation} on an element of `{name}`")
        } else {
            format!("at most 2^{room} executions of {operation} on an element of `{name}`")
        }
    } else {
        format!(
            "fewer than 2^{} / {step} executions of {operation} on an element of `{name}`",
            bits - 1
        )
    })
}

/// What the locks are taken to hold when the kernel begins, under which pairs were found to exclude each other.
pub(super) fn of_locks(facts: &Facts, rows: &Rows<'_>, launch: LaunchId) -> BTreeSet<String> {
    let excluded = discarded_by(rows, launch, "same-lock");
    excluded
        .iter()
        .flat_map(|&access| rows.locks(access))
        .filter_map(|row| {
            let taking = facts.access.get(row.taking.index())?;
            let lock = facts.array.get(taking.array.index())?;
            let (name, free) = (&lock.name, row.free);
            // In shared memory the kernel sets it itself.
            (lock.space == Space::Global)
                .then(|| format!("the lock `{name}` is free, {free}, when the kernel begins"))
        })
        .collect()
}

/// What the flags are taken to hold when the kernel begins by which pairs were found to be ordered.
pub(super) fn of_flags(facts: &Facts, rows: &Rows<'_>, launch: LaunchId) -> BTreeSet<String> {
    let ordered = discarded_by(rows, launch, "raised-flag");
    ordered
        .iter()
        .flat_map(|&access| rows.flags(access))
        .filter_map(|row| {
            let raised = facts.access.get(row.raised.index())?;
            let name = &facts.array.get(raised.array.index())?.name;
            Some(format!("the flag `{name}` is 0 when the kernel begins"))
        })
        .collect()
}

/// What the counters are taken to hold when the kernel begins by whose tickets pairs were found to be ordered, and that the last block
/// does what it does then and no sooner, where no fence says so.
pub(super) fn of_tickets(facts: &Facts, rows: &Rows<'_>, launch: LaunchId) -> BTreeSet<String> {
    let ordered = discarded_by(rows, launch, "last-ticket");
    ordered
        .iter()
        .flat_map(|&access| rows.tickets(access))
        .filter_map(|row| {
            let draw = facts.access.get(row.draw.index())?;
            let name = &facts.array.get(draw.array.index())?.name;
            let operation = &draw.operation;
            let begins = format!("the counter `{name}` is 0 when the kernel begins");
            let waits = format!(
                "what follows the last {operation} on `{name}` is not done before it, though no fence follows it"
            );
            Some([Some(begins), (!row.fenced).then_some(waits)])
        })
        .flatten()
        .flatten()
        .collect()
}

/// The accesses of the pairs of a launch that a rule discharged.
fn discarded_by(rows: &Rows<'_>, launch: LaunchId, rule: &str) -> BTreeSet<AccessId> {
    let discarded = rows.of(launch).discarded.iter();
    discarded
        .filter(|row| row.rule == rule)
        .flat_map(|row| [row.first, row.second])
        .collect()
}
