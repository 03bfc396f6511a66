//! The page of something that costs time: what, how often, which warp shows it, and what its lanes want.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use warplog_report::Kernel;
use warplog_report::costs::{Cost, kind_of};
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
    if let Some(kind) = kind_of(&cost.rule) {
        line("means", kind.summary);
    }
    let answer = match cost.answer.as_str() {
        "exact" => "exact: a warp of the launch has it, and none has more",
        "conditional" => "conditional: a warp has it under the condition",
        _ => "shown: a warp has it; others were not counted",
    };
    line("answer", answer);
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
    let Some(warp) = &cost.warp else {
        return out;
    };
    let triple = |[x, y, z]: [u64; 3]| format!("({x}, {y}, {z})");
    line(
        "warp",
        &format!(
            "{} of block {}, blockDim = {}",
            warp.number,
            triple(warp.block),
            triple(warp.block_dim)
        ),
    );
    for (of, at) in &warp.iterations {
        line("iteration", &format!("{at} of the loop in line {of}"));
    }
    let mut parts: Vec<(i64, Vec<usize>)> = Vec::new();
    let (label, unit) = match cost.rule.as_str() {
        "bank-conflict" => {
            let banks = (0..).zip(cost.banks());
            parts
                .extend(banks.map(|(bank, words)| (bank, words.into_values().flatten().collect())));
            ("bank", "lanes")
        }
        _ => {
            let mut sectors: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
            for (lane, address) in warp.lanes.iter().enumerate() {
                let Some(address) = address else { continue };
                let last = address + i64::from(warp.bytes.max(1)) - 1;
                for sector in address.div_euclid(32)..=last.div_euclid(32) {
                    sectors.entry(sector).or_default().push(lane);
                }
            }
            parts.extend(sectors);
            ("sector", "lanes")
        }
    };
    for (at, lanes) in parts
        .iter()
        .filter(|(_, lanes)| !lanes.is_empty())
        .take(MOST)
    {
        let lanes: Vec<String> = lanes.iter().map(usize::to_string).collect();
        line(label, &format!("{at}: {unit} {}", lanes.join(", ")));
    }
    out
}
