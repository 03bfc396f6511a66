//! What is known of the accesses and barriers on a line.

use std::fmt::Write as _;

use warplog_costs::ordered::Orders;
use warplog_costs::walk::Index;
use warplog_facts::range::Ranges;
use warplog_facts::words::BarrierKind;
use warplog_facts::{AccessId, BarrierId, PointId, SpanId};
use warplog_report::Report;
use warplog_report::cost::Cost;
use warplog_report::text::safe;

use super::page::{answer_words, findings_of, split_words};
use super::view::{Pair, View, interval_scope, scope_words};
use crate::identity::Identities;

/// Pairs of an access that are listed; the rest is counted.
const PAIRS: usize = 40;

/// The page of a line; nothing if no access and no barrier is there.
pub(super) fn page(views: &[View<'_>], report: &Report, file: &str, line: u32) -> Option<String> {
    let mut out = String::new();
    for view in views {
        let here = |span: SpanId| view.line(span) == line && view.name(span) == file;
        let pairs = view.pairs();
        let splits = view.splits();
        for row in view.facts.access.iter().filter(|row| here(row.span)) {
            if out.is_empty() {
                let _ = writeln!(out, "{}", view.source(row.span));
            }
            access(&mut out, view, report, &pairs, row.access);
        }
        for row in view.facts.barrier.iter().filter(|row| here(row.span)) {
            if out.is_empty() {
                let _ = writeln!(out, "{}", view.source(row.span));
            }
            let own = splits.iter().filter(|split| split.barrier == row.barrier);
            barrier(&mut out, view, row.barrier);
            ordered(&mut out, view, row.barrier);
            for split in own {
                let _ = writeln!(
                    out,
                    "  cause     [{}] {}",
                    view.split_id(split),
                    split_words(view, report, split)
                );
            }
        }
    }
    if !out.is_empty() {
        for kernel in &report.kernels {
            let found = kernel.costs.iter().flat_map(|costs| &costs.found);
            for cost in found.filter(|cost| cost.place.line == line && is_file(cost, file)) {
                let _ = writeln!(
                    out,
                    "  cost      [{}] {}: {}",
                    cost.id,
                    cost.rule,
                    cost.line()
                );
            }
        }
    }
    (!out.is_empty()).then_some(out)
}

fn is_file(cost: &Cost, file: &str) -> bool {
    Identities::new().of(&cost.place.file) == file
}

/// The pairs that only a barrier of the block orders: what may race without it.
fn ordered(out: &mut String, view: &View<'_>, id: BarrierId) {
    let row = &view.facts.barrier[id.index()];
    if row.kind != BarrierKind::Block {
        return;
    }
    let launch = view.facts.point[row.point.index()].launch;
    let index = Index::new(view.facts);
    let pairs = Orders::new(view.facts, view.derived, &index, launch).of(id);
    let (meet, open): (Vec<_>, Vec<_>) = pairs.iter().partition(|pair| pair.meeting.is_some());
    for pair in meet.iter().take(PAIRS) {
        let Some(meeting) = &pair.meeting else {
            continue;
        };
        let [one, other] = meeting.threads.map(|[x, y, z]| format!("({x}, {y}, {z})"));
        let [x, y, z] = meeting.block_dim;
        let _ = writeln!(
            out,
            "  orders    the {} before it and the {} behind it: threads {one} and {other} of a block of ({x}, {y}, {z}) meet at byte {}",
            view.access(pair.before),
            view.access(pair.behind),
            meeting.byte
        );
    }
    if meet.len() > PAIRS {
        let _ = writeln!(out, "  orders    … and {} more pairs", meet.len() - PAIRS);
    }
    if meet.is_empty() {
        let more = match open.len() {
            0 => "no two accesses of which one writes are on its two sides".to_owned(),
            pairs => format!("no two threads of {pairs} pairs across it were found to meet"),
        };
        let _ = writeln!(
            out,
            "  orders    {more}; `check --costs` asks whether it is redundant"
        );
    }
}

fn access(out: &mut String, view: &View<'_>, report: &Report, pairs: &[Pair<'_>], id: AccessId) {
    let row = &view.facts.access[id.index()];
    let array = &view.facts.array[row.array.index()];
    let launch = view.facts.point[row.point.index()].launch;
    let operation = match row.operation.as_str() {
        "" => String::new(),
        name => format!(" by {}", safe(name)),
    };
    let _ = writeln!(
        out,
        "\n{} of {} `{}`{operation} in `{}`, launch {}",
        row.kind,
        array.space,
        safe(&view.show.access(id)),
        safe(view.kernel(launch)),
        view.launch(launch)
    );
    let conjuncts: Vec<_> = view
        .facts
        .guard_at
        .iter()
        .filter(|guard| guard.point == row.point)
        .map(|guard| (guard.term, guard.polarity))
        .collect();
    let range = Ranges::new(view.facts, launch)
        .assuming(&conjuncts)
        .range(row.index);
    let _ = writeln!(
        out,
        "  bytes     {} from byte {} ({}..={})",
        row.bytes,
        safe(&view.show.term(row.index)),
        range.low,
        range.high
    );
    let affine = view
        .derived
        .affine
        .iter()
        .find(|affine| affine.access == id);
    if let Some(affine) = affine {
        let _ = writeln!(out, "  affine    {}", safe(&affine.form));
    }
    let flow = view.derived.flow_of.iter().find(|flow| flow.access == id);
    if let Some(flow) = flow {
        let all = if flow.flow == 0 { ": all threads" } else { "" };
        let _ = writeln!(out, "  flow      {}{all}", flow.flow);
    }
    path(out, view, row.point);
    let stable = view.derived.stable_load.iter().find(|row| row.access == id);
    if let Some(stable) = stable {
        let rule = match stable.scope {
            warplog_facts::words::Scope::Grid => "R9",
            _ => "R7, R8",
        };
        let _ = writeln!(
            out,
            "  stable    threads of a {} that read here at equal offsets read equal values ({rule})",
            stable.scope
        );
    }
    super::contents::told(out, view, id);
    for lock in view
        .derived
        .under_lock
        .iter()
        .filter(|row| row.access == id)
    {
        let holder = match lock.holder {
            warplog_facts::words::Holder::Thread => "the thread holds",
            warplog_facts::words::Holder::Block => "a thread of its block holds",
        };
        let taking = safe(&view.access(lock.taking));
        let _ = writeln!(
            out,
            "  lock      {holder} what is taken by the {taking} (D15)"
        );
    }
    let representative = view.representative(id);
    if representative != id {
        let _ = writeln!(
            out,
            "  same as   the {}, which stands for it in pairs",
            view.access(representative)
        );
    }
    let mut lines: Vec<String> = Vec::new();
    for pair in pairs
        .iter()
        .filter(|pair| pair.accesses.contains(&representative))
    {
        let [first, second] = pair.accesses;
        let other = if first == representative {
            second
        } else {
            first
        };
        let with = if other == representative {
            "itself".to_owned()
        } else {
            format!("the {}", view.access(other))
        };
        let what = answer_words(view, pair);
        let found = findings_of(report, view, pair)
            .into_iter()
            .map(|finding| format!(" -> finding {}", finding.id))
            .collect::<String>();
        let text = format!(
            "  pair      [{}] with {with}, {}, from {}: {what}{found}",
            view.pair_id(pair),
            scope_words(pair.scope),
            from_words(view, pair)
        );
        if !lines.contains(&text) {
            lines.push(text);
        }
    }
    if lines.is_empty() {
        lines.push(
            "  pair      none: no other access to this memory conflicts in an interval".to_owned(),
        );
    }
    for line in lines.iter().take(PAIRS) {
        let _ = writeln!(out, "{line}");
    }
    if lines.len() > PAIRS {
        let _ = writeln!(out, "  pair      … and {} more", lines.len() - PAIRS);
    }
}

fn barrier(out: &mut String, view: &View<'_>, id: BarrierId) {
    let row = &view.facts.barrier[id.index()];
    let launch = view.facts.point[row.point.index()].launch;
    let _ = writeln!(
        out,
        "\n{} barrier in `{}`, launch {}",
        row.kind,
        safe(view.kernel(launch)),
        view.launch(launch)
    );
    path(out, view, row.point);
}

/// Guards, loops and intervals of a point.
pub(super) fn path(out: &mut String, view: &View<'_>, point: PointId) {
    for row in view.facts.guard_at.iter().filter(|row| row.point == point) {
        let at = |other: PointId, position: u32| other == point && position == row.position;
        let mut uniform = view.derived.tid_independent_condition.iter();
        let mut differs = view.derived.tid_dependent_condition.iter();
        let who = if let Some(uniform) = uniform.find(|tic| at(tic.point, tic.position)) {
            format!("the same in all threads of a {} (R19)", uniform.scope)
        } else if differs.any(|tdc| at(tdc.point, tdc.position)) {
            "may differ between threads (R20)".to_owned()
        } else {
            "not classified".to_owned()
        };
        let _ = writeln!(
            out,
            "  guard     `{}` ({} at line {}): {who}",
            safe(&view.show.conjunct(row.term, row.polarity)),
            row.cause,
            view.line(view.point_span(row.cause_point))
        );
    }
    for row in view.facts.loop_at.iter().filter(|row| row.point == point) {
        let _ = writeln!(out, "  loop      {}", safe(&view.loop_words(row.loop_id)));
    }
    let mut seen: Vec<String> = Vec::new();
    for row in view.derived.inside.iter().filter(|row| row.point == point) {
        let round = match row.carried {
            Some(carried) => format!(", round {}", view.loop_words(carried)),
            None => String::new(),
        };
        let text = format!(
            "  interval  of the {}: from {}{round} (R1, R2)",
            row.scope,
            view.head(row.head)
        );
        if !seen.contains(&text) {
            let _ = writeln!(out, "{text}");
            seen.push(text);
        }
    }
}

/// The interval of a pair in words: whose barriers, from where, round which loops.
pub(super) fn interval_words(view: &View<'_>, pair: &Pair<'_>) -> String {
    format!(
        "the interval of the {} from {}",
        interval_scope(pair.scope),
        from_words(view, pair)
    )
}

/// Where the interval of a pair begins, and round which loops its accesses are.
pub(super) fn from_words(view: &View<'_>, pair: &Pair<'_>) -> String {
    let mut words = view.head(pair.head);
    match pair.carried {
        [Some(first), Some(second)] if first == second => {
            let _ = write!(words, ", both round {}", view.loop_words(first));
        }
        carried => {
            for (which, carried) in ["first", "second"].iter().zip(carried) {
                if let Some(carried) = carried {
                    let _ = write!(words, ", the {which} round {}", view.loop_words(carried));
                }
            }
        }
    }
    words
}
