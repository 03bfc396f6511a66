//! What a kernel costs, in lines below its name: one a cost, one that says what was asked about.

use super::lines::{standing, wrapped};
use super::options::TextOptions;
use crate::cost::{Answer, Costs};
use crate::finding::Report;
use crate::printable::safe;

/// Costs of a kernel that are listed; the rest is counted.
const MOST: usize = 20;

/// The kernels whose costs were asked for.
pub(super) fn part(report: &Report, options: TextOptions) -> String {
    let mut out = String::new();
    for kernel in &report.kernels {
        if let Some(costs) = &kernel.costs {
            let (file, name) = (safe(&kernel.file), safe(&kernel.name));
            let head = format!("costs of {file}:{} {name}", kernel.line);
            standing(&mut out, 0, None, &head, options);
            lines(&mut out, costs, options);
        }
    }
    out
}

/// Adds the lines of a kernel.
fn lines(out: &mut String, costs: &Costs, options: TextOptions) {
    for cost in costs.found.iter().take(MOST) {
        let place = &cost.place;
        let line = format!(
            "performance[{}]: {}:{}:{}: {} [{}]",
            cost.rule,
            safe(&place.file),
            place.line,
            place.column,
            cost.line(),
            cost.id
        );
        out.push_str(&wrapped(&line, 4, options));
    }
    if costs.found.len() > MOST {
        let more = costs.found.len() - MOST;
        let line = format!("performance: {more} more (`--format json` has all)");
        out.push_str(&wrapped(&line, 4, options));
    }
    let answers: Vec<String> = costs.answers.iter().map(Answer::words).collect();
    if !answers.is_empty() {
        out.push_str(&wrapped(
            &format!("costs: {}", answers.join("; ")),
            4,
            options,
        ));
    }
}
