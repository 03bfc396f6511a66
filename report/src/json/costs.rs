//! What a kernel costs, in the contract.

use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Costs<'a> {
    answers: Vec<Answer<'a>>,
    findings: Vec<Cost<'a>>,
    assumptions: &'a [String],
}

#[derive(Serialize)]
struct Answer<'a> {
    rule: &'a str,
    answer: &'static str,
    asked: u64,
    found: u64,
    cannot_tell: Vec<CannotTell<'a>>,
}

#[derive(Serialize)]
struct CannotTell<'a> {
    line: u32,
    reason: &'a str,
}

#[derive(Serialize)]
struct Cost<'a> {
    id: &'a str,
    rule: &'a str,
    severity: &'static str,
    message: String,
    file: &'a str,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    array: Option<&'a str>,
    degree: u64,
    fewest: u64,
    answer: &'a str,
    condition: Option<&'a str>,
    weight: &'a str,
    requests: Option<u64>,
    excess: u64,
    bytes_used: Option<u32>,
    bytes_fetched: Option<u32>,
    hint: Option<&'a str>,
    notes: &'a [String],
    warp: Option<Warp<'a>>,
    split: Option<Split<'a>>,
    launches: &'a [usize],
    suppressed: Option<&'a str>,
}

#[derive(Serialize)]
struct Warp<'a> {
    block_dim: [u64; 3],
    block: [u64; 3],
    warp: u64,
    iterations: Vec<Iteration>,
    lanes: &'a [Option<i64>],
    bytes: u32,
}

#[derive(Serialize)]
struct Split<'a> {
    block_dim: [u64; 3],
    block: [u64; 3],
    warp: u64,
    lanes: &'a [Option<bool>],
}

#[derive(Serialize)]
struct Iteration {
    line: u32,
    iteration: i64,
}

impl<'a> Costs<'a> {
    pub(super) fn of(costs: &'a crate::cost::Costs) -> Self {
        Costs {
            answers: costs.answers.iter().map(Answer::of).collect(),
            findings: costs.found.iter().map(Cost::of).collect(),
            assumptions: &costs.assumptions,
        }
    }
}

impl<'a> Answer<'a> {
    fn of(answer: &'a crate::cost::Answer) -> Self {
        Answer {
            rule: &answer.rule,
            answer: answer.word(),
            asked: answer.asked,
            found: answer.found,
            cannot_tell: answer
                .cannot_tell
                .iter()
                .map(|(line, reason)| CannotTell {
                    line: *line,
                    reason,
                })
                .collect(),
        }
    }
}

impl<'a> Cost<'a> {
    fn of(cost: &'a crate::cost::Cost) -> Self {
        Cost {
            id: &cost.id,
            rule: &cost.rule,
            severity: "performance",
            message: cost.line(),
            file: &cost.place.file,
            line: cost.place.line,
            column: cost.place.column,
            end_line: cost.place.end_line,
            end_column: cost.place.end_column,
            array: cost.measure.array(),
            degree: cost.measure.degree(),
            fewest: cost.measure.fewest(),
            answer: cost.answer.as_str(),
            condition: cost.condition.as_deref(),
            weight: &cost.weight,
            requests: cost.requests,
            excess: cost.excess,
            bytes_used: cost.measure.used().map(|(used, _)| used),
            bytes_fetched: cost.measure.used().map(|(_, fetched)| fetched),
            hint: cost.hint.as_deref(),
            notes: &cost.notes,
            warp: cost.measure.warp().map(|warp| Warp {
                block_dim: warp.block_dim,
                block: warp.block,
                warp: warp.number,
                iterations: warp
                    .iterations
                    .iter()
                    .map(|&(line, iteration)| Iteration { line, iteration })
                    .collect(),
                lanes: &warp.lanes,
                bytes: warp.bytes,
            }),
            split: cost.measure.split().map(|split| Split {
                block_dim: split.block_dim,
                block: split.block,
                warp: split.number,
                lanes: &split.lanes,
            }),
            launches: &cost.launches,
            suppressed: cost.suppressed.as_ref().map(|own| own.reason.as_str()),
        }
    }
}
