//! The kind `redundant-barrier`: a barrier without which the kernel is proved race-free, by the analysis without it.

use super::kind::{CostKind, Told};
use crate::measure::Measure;

pub(super) static KIND: CostKind = CostKind {
    id: "redundant-barrier",
    name: "RedundantBarrier",
    about: "barriers of the block",
    summary: "Without this barrier the kernel is proved race-free all the same.",
    free: "each needed or not shown to be redundant",
    page: include_str!("../../../docs/findings/redundant-barrier.md"),
    asks: |measure| matches!(measure, Measure::Barrier { .. }),
    tell: |_| Told {
        headline: "redundant barrier: the kernel is race-free without it".to_owned(),
        hint: Some("remove it, if it is there for order alone".to_owned()),
        notes: vec!["proved by analysis without it".to_owned()],
    },
    open,
    pieces: |_| Vec::new(),
};

fn open(measure: &Measure) -> String {
    let why = match measure {
        Measure::Barrier { race_free: true } => "not shown to be redundant",
        _ => "the kernel is not proved race-free",
    };
    why.to_owned()
}
