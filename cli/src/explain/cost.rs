//! The page of something that costs time: what, how often, which warp shows it, and what its lanes want.

use std::fmt::Write as _;

use warplog_report::Kernel;
use warplog_report::cost::Cost;
use warplog_report::findings::cost_kind;
use warplog_report::text::safe;

/// Banks or sectors that are listed.
const MOST: usize = 32;

pub(super) fn page(kernel: &Kernel, cost: &Cost) -> String {
    let mut out = String::new();
    let place = &cost.place;
    let _ = writeln!(
        out,
        "{}:{}:{}: {}[{}]",
        safe(&place.file),
        place.line,
        place.column,
        cost.rule,
        cost.id
    );
    let mut line = |label: &str, text: &str| {
        let _ = writeln!(out, "  {label:<9} {text}");
    };
    line("cost", &safe(&cost.headline));
    line("kernel", &safe(&kernel.name));
    let kind = cost_kind(&cost.rule);
    if let Some(kind) = kind {
        line("means", kind.summary);
    }
    line("answer", cost.answer.words());
    if let Some(condition) = &cost.condition {
        line("condition", &safe(condition));
    }
    if !cost.weight.is_empty() {
        line("often", &safe(&cost.weight));
    }
    if let Some(hint) = &cost.hint {
        line("helps", &safe(hint));
    }
    for note in &cost.notes {
        line("note", &safe(note));
    }
    if let Some(suppressed) = &cost.suppressed {
        line("suppressed", &safe(&suppressed.reason));
    }
    let Some(shown) = cost.measure.shown_by() else {
        return out;
    };
    line("warp", shown.trim_start_matches("warp "));
    let iterations = cost.measure.warp().map_or(&[][..], |warp| &warp.iterations);
    for (of, at) in iterations {
        line("iteration", &format!("{at} of the loop in line {of}"));
    }
    let pieces = kind.map_or_else(Vec::new, |kind| (kind.pieces)(&cost.measure));
    for piece in pieces.iter().take(MOST) {
        let lanes: Vec<String> = piece.lanes.iter().map(usize::to_string).collect();
        let lanes = lanes.join(", ");
        line(piece.what, &format!("{}: lanes {lanes}", piece.number));
    }
    out
}
