//! Whether a launch of the joined text says of pointers what the file says by itself.
//!
//! **Rule.** Two arguments that the file shows to be one allocation are one in the joined text too, or are shown to be two there. Where the
//! joined text leaves that open, which a longer text may, the launch of the file stands beside it: a pair that is open is taken to
//! be apart, so that a race between the two would be lost.

use std::collections::BTreeMap;

use crate::lower::host::{Argument, Launch, Overlapped, Passed};

/// Whether a pair of arguments that is one allocation in the file's own launch is left open in another one.
pub(super) fn loses(found: &Launch, own: &Launch) -> bool {
    let (before, after) = (allocations(own), allocations(found));
    let slots: Vec<(&Passed, &String)> = before.iter().collect();
    slots.iter().enumerate().any(|(position, (slot, name))| {
        let same = slots[..position].iter().filter(|(_, other)| other == name);
        same.into_iter().any(|(other, _)| {
            match (after.get(*slot), after.get(*other)) {
                (Some(a), Some(b)) => a != b && is_open(found, slot, other),
                // Nothing is known of one of them.
                _ => true,
            }
        })
    })
}

/// Whether a launch says that two arguments may overlap.
fn is_open(launch: &Launch, one: &Passed, other: &Passed) -> bool {
    launch.overlaps.iter().any(|overlap| {
        let Overlapped::Argument(beside) = &overlap.other else {
            return false;
        };
        let pair = (&overlap.passed, beside);
        pair == (one, other) || pair == (other, one)
    })
}

/// The allocation that each pointer among the arguments of a launch leads into.
fn allocations(launch: &Launch) -> BTreeMap<Passed, String> {
    let mut found = BTreeMap::new();
    for (position, argument) in launch.arguments.iter().enumerate() {
        add(&argument.value, &mut (position, Vec::new()), &mut found);
    }
    found
}

fn add(value: &Argument, slot: &mut Passed, found: &mut BTreeMap<Passed, String>) {
    match value {
        Argument::Pointer { allocation, .. } => {
            found.insert(slot.clone(), allocation.clone());
        }
        Argument::Record(members) | Argument::Closure(_, members) => {
            for (name, member) in members {
                slot.1.push(name.clone());
                add(member, slot, found);
                slot.1.pop();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lower::host::{LaunchArgument, Overlap};

    fn launch(allocations: &[&str], open: &[(usize, usize)]) -> Launch {
        let pointer = |allocation: &&str| LaunchArgument {
            text: String::new(),
            value: match *allocation {
                "" => Argument::Unknown(String::new()),
                name => Argument::Pointer {
                    allocation: name.to_owned(),
                    bytes: None,
                },
            },
        };
        let overlap = |(one, other): &(usize, usize)| Overlap {
            passed: (*one, Vec::new()),
            other: Overlapped::Argument((*other, Vec::new())),
            may_be_one: true,
        };
        Launch {
            arguments: allocations.iter().map(pointer).collect(),
            overlaps: open.iter().map(overlap).collect(),
            ..Launch::symbolic()
        }
    }

    #[test]
    fn what_the_file_shows_to_be_one_must_not_be_left_open() {
        let own = launch(&["#0", "#0"], &[]);
        assert!(!loses(&launch(&["#0", "#0"], &[]), &own));
        assert!(!loses(&launch(&["#0", "#1"], &[]), &own), "shown to be two");
        assert!(loses(&launch(&["#0", "#1"], &[(1, 0)]), &own));
        assert!(loses(&launch(&["#0", ""], &[]), &own));
        let apart = launch(&["#0", "#1"], &[]);
        assert!(!loses(&launch(&["#0", "#1"], &[(1, 0)]), &apart));
    }
}
