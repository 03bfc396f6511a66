//! The kind `uncoalesced-access`: sectors of global memory in the worst request, against the fewest that its bytes need.

use std::collections::BTreeMap;

use super::kind::{CostKind, Piece, Told};
use crate::measure::{Measure, Measured};

pub(super) static KIND: CostKind = CostKind {
    id: "uncoalesced-access",
    name: "UncoalescedAccess",
    about: "accesses to global memory",
    summary: "A warp touches more sectors of global memory than the bytes that its lanes want would fill.",
    free: "coalesced",
    page: include_str!("../../../docs/findings/uncoalesced-access.md"),
    asks: |measure| matches!(measure, Measure::Sectors { .. }),
    tell,
    open: Measure::unknown_address,
    pieces,
};

/// Bytes of a line of the cache.
const LINE: u32 = 128;

/// What global memory is fetched in, by its size.
fn unit(bytes: u32) -> &'static str {
    match bytes {
        LINE => "lines",
        _ => "sectors",
    }
}

fn tell(measured: &Measured) -> Told {
    let Measure::Sectors {
        access,
        sectors,
        fewest,
        lines,
        wanted,
        sector_bytes,
    } = &measured.measure
    else {
        return Told::default();
    };
    let unit = unit(*sector_bytes);
    let fetched = sectors.saturating_mul(*sector_bytes);
    let mut notes = measured.counted_with();
    if *sector_bytes < LINE {
        let plural = if *lines == 1 { "" } else { "s" };
        notes.push(format!("it touches {lines} line{plural} of {LINE} bytes"));
    }
    let share = u64::from(*wanted) * 100 / u64::from(fetched.max(1));
    Told {
        headline: format!(
            "uncoalesced {} of `{}`: {sectors} {unit} a request where {fewest} would do, {share} % of the bytes used",
            access.action.as_str(),
            access.array
        ),
        hint: measured
            .mend
            .as_ref()
            .map(|mend| format!("{}; then {} {unit}", mend.text, mend.then)),
        notes,
    }
}

fn pieces(measure: &Measure) -> Vec<Piece> {
    let mut sectors: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
    for (lane, bytes) in measure.wanted() {
        for sector in bytes.start().div_euclid(32)..=bytes.end().div_euclid(32) {
            sectors.entry(sector).or_default().push(lane);
        }
    }
    let pieces = sectors.into_iter().map(|(number, lanes)| Piece {
        what: "sector",
        number,
        lanes,
    });
    pieces.collect()
}
