//! What an access and its condition rest on of the contents of shared memory, and of what threads hand to each other.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use warplog_facts::derived::{SumAtLoadRow, SumAtTermRow};
use warplog_facts::{AccessId, LaunchId, PointId};
use warplog_report::text::safe;

use super::view::View;

/// A form, as in both relations.
struct Form {
    launch: LaunchId,
    sum: Option<u32>,
    upper: (i128, i128),
    lower: (i128, i128),
    slope: i128,
    plus: i128,
}

impl Form {
    fn of_load(row: &SumAtLoadRow) -> Self {
        Form {
            launch: row.launch,
            sum: row.sum,
            upper: (row.upper_step, row.upper),
            lower: (row.segment, row.lower),
            slope: row.slope,
            plus: row.plus,
        }
    }

    fn of_term(row: &SumAtTermRow) -> Self {
        Form {
            launch: row.launch,
            sum: row.sum,
            upper: (row.upper_step, row.upper),
            lower: (row.segment, row.lower),
            slope: row.slope,
            plus: row.plus,
        }
    }

    /// `S(i + 1) - S(0)`, with what S is.
    fn words(&self, view: &View<'_>) -> String {
        let end = |(step, plus): (i128, i128)| {
            let start = match step {
                0 => return format!("S({plus})"),
                1 => "i".to_owned(),
                step => format!("{step} * (i / {step})"),
            };
            match plus {
                0 => format!("S({start})"),
                plus if plus < 0 => format!("S({start} - {})", -plus),
                plus => format!("S({start} + {plus})"),
            }
        };
        let mut parts: Vec<String> = Vec::new();
        match self.slope {
            0 => {}
            1 => parts.push("i".to_owned()),
            slope => parts.push(format!("{slope} * i")),
        }
        if self.plus != 0 || (self.slope == 0 && self.sum.is_none()) {
            parts.push(self.plus.to_string());
        }
        let mut of = String::new();
        if let Some(sum) = self.sum {
            parts.push(format!("{} - {}", end(self.upper), end(self.lower)));
            let key = (self.launch, sum);
            let mut rows = view.derived.prefix_sum.iter();
            let row = rows.find(|row| (row.launch, row.sum) == key);
            let what = match row.map(|row| row.operation.as_str()) {
                Some("max") => "the largest so far",
                Some("or") => "all bits so far",
                _ => "the sums",
            };
            of = format!(", S {what} of {}", summands(view, key));
        }
        format!("{}{of}", parts.join(" + "))
    }
}

/// What a prefix sum is one of.
fn summands(view: &View<'_>, key: (LaunchId, u32)) -> String {
    let mut sums = view.derived.prefix_sum.iter();
    let row = sums.find(|row| (row.launch, row.sum) == key);
    if let Some(array) = row.and_then(|row| row.array) {
        let name = &view.facts.array[array.index()].name;
        return format!("what the block stored to `{}` first", safe(name));
    }
    let mut handed = view.derived.prefix_handed.iter();
    match handed.find(|row| (row.launch, row.sum) == key) {
        Some(row) => format!("`{}` by rank in the block", safe(&view.show.term(row.term))),
        None => "what threads hand to each other, by rank in the block".to_owned(),
    }
}

/// Tells what is known.
pub(super) fn told(out: &mut String, view: &View<'_>, id: AccessId) {
    let derived = view.derived;
    if let Some(row) = derived.sum_at_load.iter().find(|row| row.access == id) {
        let words = Form::of_load(row).words(view);
        let _ = writeln!(out, "  contents  element i holds {words}");
    }
    let point = view.facts.access[id.index()].point;
    let guards = view.facts.guard_at.iter();
    let mut points: BTreeSet<PointId> = guards
        .filter(|guard| guard.point == point)
        .map(|guard| guard.cause_point)
        .collect();
    points.insert(point);
    for row in derived
        .sum_at_term
        .iter()
        .filter(|row| points.contains(&row.point))
    {
        let term = safe(&view.show.term(row.term));
        let words = Form::of_term(row).words(view);
        let _ = writeln!(
            out,
            "  contents  {term} is {words}; in the thread of rank i"
        );
    }
    for row in derived
        .same_in_lanes
        .iter()
        .filter(|row| points.contains(&row.point))
    {
        let term = safe(&view.show.term(row.term));
        let lanes = row.lanes;
        let _ = writeln!(
            out,
            "  contents  {term} is one value in each {lanes} threads that follow each other"
        );
    }
}
