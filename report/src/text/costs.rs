//! What a kernel costs, in lines below its findings: one a cost, one that says what was asked about.

use crate::costs::{Answer, Costs};
use crate::words::safe;

use super::{TextOptions, wrapped};

/// Costs of a kernel that are listed; the rest is counted.
const MOST: usize = 20;

/// Adds the lines.
pub(super) fn lines(out: &mut String, costs: &Costs, options: TextOptions) {
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
