//! What would mend a race: the words of its hint.
//!
//! Said last, when all findings of a kernel are known: findings that are shown as one ([`groups`]) get a remedy for the widest of
//! them, as a barrier of a warp does nothing for threads of two warps, and no barrier does anything for two blocks. A question about
//! the threads of a block is shown by one witness, which may be of one warp: only a block that is no larger than a warp, or
//! guards that let one warp through, or arithmetic such as `s[t ^ 1]` ([`meet`](super::meet)), make such a race one of a warp. An
//! expression that reads and writes in one go has no place for a barrier; it wants an atomic operation. Two atomic operations that
//! race want to be of one scope and of one size.

use std::collections::BTreeMap;

use warplog_facts::AccessRow;
use warplog_facts::words::{self as facts, AccessKind, PairScope};
use warplog_report::groups::groups;
use warplog_report::{Dim, Finding, Kernel, Scope};

use super::meet::Meeting;
use super::places::Places;

/// What helps where a bulk copy does not see what a thread wrote.
pub(super) const OF_FENCE: &str = "a bulk copy is made by another proxy: each thread that writes what it copies needs `fence.proxy.async` (`cuda::ptx::fence_proxy_async`) between its write and the barrier";

/// What helps a thread that meets a bulk copy of its own.
pub(super) const OF_OWN_COPY: &str = "let what follows the copy in its thread come behind a wait for the phase of the barrier that counts its bytes";

/// What is known of a race that its remedy depends on.
#[derive(Clone, Debug)]
pub(super) struct Cure {
    /// Which threads were asked about.
    pub(super) asked: PairScope,
    /// Which warps guards and arithmetic let meet.
    pub(super) meeting: Meeting,
    /// Whether one of the accesses is in a later iteration of a loop.
    pub(super) carried: bool,
    /// Whether one of the threads has left the kernel.
    pub(super) exits: bool,
    /// Whether the blocks are of one cluster.
    pub(super) of_cluster: bool,
    /// Whether a bulk copy is under way.
    pub(super) is_copied: bool,
    /// Whether both threads are at the same access.
    pub(super) same: bool,
    /// Whether what is stored is computed from what is read there.
    pub(super) updates: bool,
    /// Why two atomic operations are no match for each other, with what helps; none where one of the accesses is no such.
    pub(super) atomics: Option<String>,
}

impl Cure {
    /// What mends both.
    pub(super) fn and(self, other: Cure) -> Cure {
        Cure {
            asked: if self.asked == PairScope::Warp {
                other.asked
            } else {
                self.asked
            },
            meeting: self.meeting.min(other.meeting),
            // A barrier at the end of the loop orders nothing within an iteration.
            carried: self.carried && other.carried,
            exits: self.exits && other.exits,
            of_cluster: self.of_cluster && other.of_cluster,
            is_copied: self.is_copied && other.is_copied,
            same: self.same,
            updates: self.updates || other.updates,
            atomics: self.atomics.or(other.atomics),
        }
    }
}

/// Why two atomic operations do not exclude each other, and what would: one of them may be atomic among the threads of its block
/// alone (`atomicAdd_block`), or they may be of different bytes.
pub(super) fn atomics(rows: [&AccessRow; 2], scope: Scope) -> Option<String> {
    if rows.iter().any(|row| row.kind != AccessKind::Atomic) {
        return None;
    }
    let needed = match scope {
        Scope::IntraWarp => facts::Scope::Warp,
        Scope::InterWarp => facts::Scope::Block,
        Scope::InterBlock => facts::Scope::Grid,
    };
    if let Some(row) = rows.iter().find(|row| row.scope < needed) {
        let among = match row.scope {
            facts::Scope::Warp => "a warp",
            _ => "one block",
        };
        let operation = &row.operation;
        // The functions have the scope in their names, objects have it in their types.
        return Some(if operation.starts_with("atomic") {
            format!(
                "`{operation}_{}` is atomic among the threads of {among} only: use `{operation}`",
                row.scope
            )
        } else {
            format!(
                "`{operation}` is atomic among the threads of {among} only: give the object the scope of the device"
            )
        });
    }
    let [first, second] = rows.map(|row| row.bytes);
    Some(if first == second {
        "the two atomic operations overlap in part: only operations on the same bytes are atomic towards each other".to_owned()
    } else {
        format!(
            "the two atomic operations are of {first} and of {second} bytes: only operations on the same bytes are atomic towards each other"
        )
    })
}

/// The threads among which there is to be an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    Warp,
    Block,
    Grid,
}

/// Threads of a warp.
const WARP: u64 = 32;

/// Gives the races of a kernel their hints. `cures` are those of its findings, in order.
pub(super) fn settle(kernel: &mut Kernel, cures: &[Option<Cure>], places: &Places<'_>) {
    let numbers: BTreeMap<*const Finding, usize> = kernel
        .findings
        .iter()
        .enumerate()
        .map(|(number, finding)| (std::ptr::from_ref(finding), number))
        .collect();
    let number = |finding: &Finding| numbers.get(&std::ptr::from_ref(finding)).copied();
    let mut hints: Vec<(usize, String)> = Vec::new();
    for group in groups(kernel) {
        let spots = std::iter::once(
            [group.lead]
                .into_iter()
                .chain(group.same_places.iter().copied())
                .collect(),
        )
        .chain(group.others.iter().cloned());
        let spots: Vec<Vec<&Finding>> = spots.collect();
        let reaches = || {
            let all = spots.iter().flatten();
            all.filter_map(|finding| reach(kernel, finding, cures.get(number(finding)?)?.as_ref()?))
        };
        let (Some(widest), Some(narrowest)) = (reaches().max(), reaches().min()) else {
            continue;
        };
        let blocks_only = narrowest == Reach::Grid;
        for spot in &spots {
            let known = |finding: &&Finding| cures.get(number(finding)?).cloned().flatten();
            let Some(cure) = spot.iter().filter_map(known).reduce(Cure::and) else {
                continue;
            };
            for finding in spot {
                let words = words(finding, &cure, widest, blocks_only, places);
                hints.extend(number(finding).map(|number| (number, words)));
            }
        }
    }
    for (number, hint) in hints {
        if let Some(finding) = kernel.findings.get_mut(number) {
            finding.hint = Some(hint);
        }
    }
}

fn reach(kernel: &Kernel, finding: &Finding, cure: &Cure) -> Option<Reach> {
    let small = |launch: &usize| {
        let block = kernel.launches.get(*launch).map(|launch| &launch.block);
        let size = block.and_then(|block| {
            block.iter().try_fold(1_u64, |size, dim| match dim {
                Dim::Known(count) => size.checked_mul(*count),
                Dim::Symbolic(_) => None,
            })
        });
        size.is_some_and(|size| size <= WARP)
    };
    Some(match finding.scope()? {
        Scope::InterBlock => Reach::Grid,
        Scope::InterWarp => Reach::Block,
        Scope::IntraWarp if cure.asked == PairScope::Warp => Reach::Warp,
        Scope::IntraWarp if cure.meeting != Meeting::Anywhere => Reach::Warp,
        Scope::IntraWarp if finding.launches.iter().all(small) => Reach::Warp,
        Scope::IntraWarp => Reach::Block,
    })
}

fn words(
    finding: &Finding,
    cure: &Cure,
    reach: Reach,
    blocks_only: bool,
    places: &Places<'_>,
) -> String {
    if let Some(words) = &cure.atomics {
        return words.clone();
    }
    if cure.of_cluster {
        return "the blocks of a cluster wait for each other at `cluster.sync()`: let one stand between the two accesses"
            .to_owned();
    }
    if cure.is_copied {
        return "the copy is made at some time after it is issued: wait for the phase of the barrier that counts its bytes, and let its thread expect as many"
            .to_owned();
    }
    let own = if blocks_only {
        "give each block elements of its own"
    } else {
        "give each thread elements of its own"
    };
    let function = match update(finding, places) {
        Some(operator) => Some(atomic_of(operator)),
        None => cure
            .updates
            .then_some("`atomicAdd`, `atomicMax`, …, or `atomicCAS` in a loop"),
    };
    let atomic = function
        .map(|function| format!("make the update one atomic operation ({function}), or {own}"));
    let barrier = match reach {
        Reach::Grid => {
            const WAIT: &str = "blocks of one launch cannot wait for each other";
            return match atomic {
                Some(atomic) => format!("{atomic}: {WAIT}"),
                None => format!("{WAIT}: {own}, or use an atomic operation"),
            };
        }
        Reach::Block => "`__syncthreads()`",
        // The other warps do not come there.
        Reach::Warp if cure.meeting == Meeting::OneWarp => "`__syncwarp()`",
        Reach::Warp => "`__syncwarp()` or `__syncthreads()`",
    };
    if cure.exits {
        return "the thread that exits early is not waited for at the barriers that follow"
            .to_owned();
    }
    if cure.carried {
        return format!(
            "a barrier is missing at the end of the loop body: {barrier}, where all these threads reach it, would order them"
        );
    }
    if let Some(atomic) = atomic {
        return format!("{atomic}: no barrier comes between its read and its write");
    }
    if cure.same {
        return "both threads are at the same access: let one thread do it, give each an element of its own, or use an atomic operation".to_owned();
    }
    let parts = finding.parts_at();
    let mut lines: Vec<u32> = parts.iter().flatten().map(|place| place.line).collect();
    lines.sort_unstable();
    match lines.as_slice() {
        [first, .., last] if first < last => format!(
            "a barrier is missing between line {first} and line {last}: {barrier}, where all these threads reach it, would order them"
        ),
        _ => format!(
            "{barrier} between the two accesses would order them: read into a variable before it, and write behind it"
        ),
    }
}

/// The operator of the expression that reads and writes one element in one go, if both accesses are its own: `+` of
/// `h[i] += 1`, of `h[i]++` and of `h[i] = h[i] + 1`.
fn update(finding: &Finding, places: &Places<'_>) -> Option<char> {
    let [first, second] = finding.locations.as_slice() else {
        return None;
    };
    let (a, b) = (&first.place, &second.place);
    if a.file != b.file || a.line != b.line || a.end_line != a.line || b.end_line != b.line {
        return None;
    }
    let line: Vec<char> = places.line(&a.file, a.line)?.chars().collect();
    let at = |column: u32| usize::try_from(column.saturating_sub(1)).unwrap_or(usize::MAX);
    let (a, b) = (
        at(a.column)..at(a.end_column),
        at(b.column)..at(b.end_column),
    );
    let (inner, outer) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let text = line.get(outer.clone())?;
    if outer.start <= inner.start && inner.end <= outer.end {
        let begins = inner.start == outer.start;
        let prefixed = text.starts_with(&['+', '+']) || text.starts_with(&['-', '-']);
        return (begins || prefixed).then(|| compound(text)).flatten();
    }
    // `h[i] = h[i] + 1`
    let (left, right) = if inner.start < outer.start {
        (inner, outer)
    } else {
        (outer, inner)
    };
    let between: String = line.get(left.end..right.start)?.iter().collect();
    let behind: String = line.get(right.end..)?.iter().collect();
    let same = line.get(left) == line.get(right);
    let assigned = between.trim() == "=";
    (same && assigned)
        .then(|| behind.trim_start().chars().next())
        .flatten()
        .filter(|operator| "+-*/%&|^".contains(*operator))
}

/// The operator of `a[i] += b`, `a[i]++` or `--a[i]`.
fn compound(text: &[char]) -> Option<char> {
    let mut depth = 0_u32;
    for (nth, &character) in text.iter().enumerate() {
        match character {
            '[' | '(' | '{' => depth += 1,
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            '+' | '-' | '*' | '/' | '%' | '&' | '|' | '^' | '<' | '>' if depth == 0 => {
                let next = text.get(nth + 1).copied();
                let doubled = matches!(character, '+' | '-') && next == Some(character);
                let shifted = matches!(character, '<' | '>')
                    && next == Some(character)
                    && text.get(nth + 2) == Some(&'=');
                let assigned = next == Some('=') && !matches!(character, '<' | '>');
                if doubled || shifted || assigned {
                    return Some(character);
                }
            }
            _ => {}
        }
    }
    None
}

fn atomic_of(operator: char) -> &'static str {
    match operator {
        '+' | '-' => "`atomicAdd`",
        '&' => "`atomicAnd`",
        '|' => "`atomicOr`",
        '^' => "`atomicXor`",
        _ => "`atomicCAS` in a loop",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_of_updates_are_found() {
        let of = |text: &str| compound(&text.chars().collect::<Vec<_>>());
        assert_eq!(of("h[d[i] + 1]++"), Some('+'));
        assert_eq!(of("--h[i]"), Some('-'));
        assert_eq!(of("h[i] |= x"), Some('|'));
        assert_eq!(of("h[i] <<= x"), Some('<'));
        assert_eq!(of("h[i] *= a[i] + 1"), Some('*'));
        assert_eq!(of("h[i]"), None);
        assert_eq!(of("h[i] = a <= b"), None);
        assert_eq!(of("p->h[i++]"), None);
    }
}
