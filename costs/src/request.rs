//! What one request of a warp costs, given the address of each active lane: exact counting, no approximation.
//!
//! **Shared memory.** Successive words of four bytes lie in successive banks. Lanes that want the same word are served
//! together; a bank serves one word at a time, so a request takes as many turns as the fullest bank has distinct words. Lanes
//! with 8 bytes each make two requests of half the lanes, with 16 bytes four of a quarter; larger objects are taken as accesses
//! of one word after the other. Atomic operations on one word are served one after the other as well.
//!
//! **Global memory.** The sectors that the active lanes touch, against the fewest that hold as many bytes. Devices of compute capability
//! 1.0 and 1.1 serve half a warp together only if each lane wants its own element, in order, of a segment that begins at a
//! multiple of its size; else they fetch a sector for each lane (*Compute Capability 1.x* in the guide of CUDA 4).

use crate::device::{Device, LINE, WORD};

/// Addresses of the lanes of a warp in bytes, none for those that do not take part.
pub type Lanes = [Option<i64>];

/// What a request to shared memory takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Turns {
    /// Words in the fullest bank, in the worst of the parts that the request is served in.
    pub degree: u32,
    /// Turns of all parts.
    pub turns: u32,
    /// Parts with an active lane: the fewest turns possible.
    pub parts: u32,
}

/// What a request to global memory touches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Touched {
    /// Sectors.
    pub sectors: u32,
    /// Lines of 128 bytes.
    pub lines: u32,
    /// The fewest sectors that hold the bytes.
    pub fewest: u32,
    /// Distinct bytes wanted.
    pub bytes: u32,
}

/// The accesses of a lane, as pieces `(offset, bytes, lanes in a part)`.
fn pieces(bytes: u32, lanes: usize) -> Vec<(i64, i64, usize)> {
    match bytes {
        0..=4 => vec![(0, i64::from(bytes.max(1)), lanes)],
        8 => vec![(0, 8, 16)],
        16 => vec![(0, 16, 8)],
        _ => {
            let bytes = i64::from(bytes);
            let starts = (0..bytes).step_by(4);
            starts
                .map(|at| (at, (bytes - at).min(WORD), lanes))
                .collect()
        }
    }
}

/// The words that a lane wants.
fn words(address: i64, bytes: i64) -> std::ops::RangeInclusive<i64> {
    address.div_euclid(WORD)..=(address + bytes - 1).div_euclid(WORD)
}

/// The turns of a request to shared memory.
#[must_use]
pub fn turns(device: Device, lanes: &Lanes, bytes: u32, atomic: bool) -> Turns {
    let mut all = Turns::default();
    for (offset, bytes, together) in pieces(bytes, device.lanes) {
        for part in lanes.chunks(together) {
            let mut wanted: Vec<(i64, i64)> = Vec::with_capacity(together);
            for address in part.iter().flatten() {
                let own = words(address + offset, bytes);
                wanted.extend(own.map(|word| (word.rem_euclid(device.banks), word)));
            }
            wanted.sort_unstable();
            if !atomic {
                wanted.dedup();
            }
            let served = wanted.chunk_by(|(bank, _), (other, _)| bank == other);
            let Some(degree) = served.map(<[_]>::len).max() else {
                continue;
            };
            let degree = u32::try_from(degree).unwrap_or(u32::MAX);
            all.degree = all.degree.max(degree);
            all.turns += degree;
            all.parts += 1;
        }
    }
    all
}

/// The most turns that a part of a request can take when of the address of a lane only the remainder by the width of all banks is
/// known: words of one bank are taken to be distinct.
#[must_use]
pub fn most_turns(device: Device, lanes: &Lanes, bytes: u32) -> u32 {
    turns(device, lanes, bytes, true).degree
}

/// Whether each lane that takes part wants its own element of 4, 8 or 16 bytes of one segment, in order, and the segment begins at a
/// multiple of its size.
fn is_in_order(part: &Lanes, bytes: i64) -> bool {
    let segment = bytes * 16;
    let mut starts = (0..).zip(part).filter_map(|(lane, start)| {
        let own: i64 = bytes * lane;
        start.map(|start| start - own)
    });
    let first = starts.next();
    matches!(bytes, 4 | 8 | 16)
        && first.is_none_or(|first| {
            first.rem_euclid(segment.min(LINE)) == 0 && starts.all(|other| other == first)
        })
}

/// What a request to global memory touches.
#[must_use]
pub fn touched(device: Device, lanes: &Lanes, bytes: u32) -> Touched {
    let together = if device.banks == 16 {
        16
    } else {
        lanes.len().max(1)
    };
    let mut all = Touched::default();
    let bytes = i64::from(bytes.max(1));
    for part in lanes.chunks(together) {
        let mut starts: Vec<i64> = part.iter().flatten().copied().collect();
        starts.sort_unstable();
        // The end of what was wanted so far, and the last piece of each size that was counted.
        let (mut end, mut last) = (i64::MIN, [i64::MIN; 2]);
        let (mut wanted, mut pieces) = (0_i64, [0_i64; 2]);
        for start in starts {
            let stop = start + bytes;
            wanted += (stop - start.max(end)).max(0);
            end = end.max(stop);
            for (nth, size) in [device.sector, LINE].into_iter().enumerate() {
                let first = start.div_euclid(size).max(last[nth].saturating_add(1));
                let until = (stop - 1).div_euclid(size);
                pieces[nth] += (until - first + 1).max(0);
                last[nth] = last[nth].max(until);
            }
        }
        let narrow = |count: i64| u32::try_from(count).unwrap_or(u32::MAX);
        let alone = device.in_order && !is_in_order(part, bytes);
        all.sectors += match alone {
            true => u32::try_from(part.iter().flatten().count())
                .unwrap_or(u32::MAX)
                .max(narrow(pieces[0])),
            false => narrow(pieces[0]),
        };
        all.lines += narrow(pieces[1]);
        all.fewest += narrow((wanted + device.sector - 1) / device.sector);
        all.bytes += narrow(wanted);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(stride: i64) -> Vec<Option<i64>> {
        (0..32).map(|lane| Some(lane * stride)).collect()
    }

    #[test]
    fn strides_of_words_conflict_by_their_common_divisor_with_32() {
        for stride in 1..=64_i64 {
            let gcd = (1..=32).rev().find(|by| stride % by == 0 && 32 % by == 0);
            let found = turns(Device::default(), &strided(stride * 4), 4, false);
            assert_eq!(Some(i64::from(found.degree)), gcd, "stride {stride}");
        }
    }

    #[test]
    fn one_word_is_served_once_unless_it_is_changed() {
        let same = vec![Some(64); 32];
        let device = Device::default();
        assert_eq!(turns(device, &same, 4, false).degree, 1);
        assert_eq!(turns(device, &same, 4, true).degree, 32);
        assert_eq!(turns(device, &[None; 32], 4, true), Turns::default());
    }

    #[test]
    fn wide_accesses_are_served_in_parts() {
        let device = Device::default();
        let eight = turns(device, &strided(8), 8, false);
        assert_eq!((eight.degree, eight.turns, eight.parts), (1, 2, 2));
        let sixteen = turns(device, &strided(16), 16, false);
        assert_eq!((sixteen.degree, sixteen.turns, sixteen.parts), (1, 4, 4));
        let padded = turns(device, &strided(16), 8, false);
        assert_eq!((padded.degree, padded.turns), (2, 4));
        // A half-warp of the first devices has sixteen banks.
        assert_eq!(
            turns(Device::of_capability(13), &strided(64), 4, false).degree,
            16
        );
        assert_eq!(
            turns(Device::of_capability(13), &strided(4), 4, false).degree,
            1
        );
    }

    #[test]
    fn sectors_are_those_touched() {
        let device = Device::default();
        let close = touched(device, &strided(4), 4);
        assert_eq!((close.sectors, close.fewest, close.lines), (4, 4, 1));
        let apart = touched(device, &strided(32), 4);
        assert_eq!((apart.sectors, apart.fewest, apart.bytes), (32, 4, 128));
        let shifted: Vec<_> = (0..32).map(|lane| Some(lane * 4 + 4)).collect();
        assert_eq!(touched(device, &shifted, 4).sectors, 5);
        assert_eq!(touched(device, &vec![Some(0); 32], 4).sectors, 1);
        assert_eq!(
            touched(Device::of_capability(20), &strided(32), 4).sectors,
            8
        );
    }

    #[test]
    fn the_first_devices_want_lanes_in_order() {
        let sectors = |capability: u32, lanes: &Lanes, bytes: u32| {
            touched(Device::of_capability(capability), lanes, bytes).sectors
        };
        let reversed: Vec<_> = (0..32).rev().map(|lane| Some(lane * 4)).collect();
        let shifted: Vec<_> = (0..32).map(|lane| Some(lane * 4 + 4)).collect();
        let mut gaps = strided(4);
        gaps[3] = None;
        let same = vec![Some(0); 32];
        for (lanes, bytes, first, later) in [
            (&strided(4), 4, 4, 4),
            (&strided(8), 8, 8, 8),
            (&gaps, 4, 4, 4),
            (&reversed, 4, 32, 4),
            (&shifted, 4, 32, 6),
            (&same, 4, 32, 2),
            (&strided(2), 2, 32, 2),
        ] {
            assert_eq!(sectors(10, lanes, bytes), first, "{lanes:?}");
            assert_eq!(sectors(13, lanes, bytes), later, "{lanes:?}");
        }
    }
}
