//! Places that come from scans in shared memory, and from what lanes hand to each other: random kernels against brute force.

use warplog_tests::{handed, scans};

/// Kernels; `make soak` runs more.
const KERNELS: u64 = 120;

#[test]
fn what_is_called_race_free_has_no_race() {
    let tally = scans::compare(0..KERNELS).expect("no disagreement");
    // The comparison means something only if both kinds are there, and if many of the others are proved.
    assert!(tally.racy * 4 > tally.kernels, "{tally:?}");
    let others = tally.kernels - tally.racy;
    assert!(others > 10 && tally.proved * 2 > others, "{tally:?}");
}

#[test]
fn what_is_proved_of_lanes_holds() {
    let tally = handed::compare(0..KERNELS).expect("no disagreement");
    assert!(tally.racy * 4 > tally.kernels, "{tally:?}");
    let others = tally.kernels - tally.racy;
    assert!(others > 10 && tally.proved * 3 > others, "{tally:?}");
}
