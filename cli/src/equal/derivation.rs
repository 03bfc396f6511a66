//! Why two kernels are equal, as relations: what the comparison saw of assignments, and what follows from that by rules.

use std::fs;
use std::io;
use std::path::Path;

use warplog_equivalence::answer::{Answer, Counterexample, Verdict};
use warplog_facts::compared::{
    Compared, CoveredRow, LeavesElementRow, SameValueRow, WriterOfRow, WritesElementRow,
};
use warplog_facts::relation::{Row, Visit};
use warplog_facts::{AccessId, Facts, LaunchId};
use warplog_report::equal::Relation;

use super::place;

const SIDES: [&str; 2] = ["left", "right"];

/// The relations of an answer, with what the rules conclude.
pub(super) fn of(answer: &Answer, sides: &[Vec<(Facts, LaunchId)>; 2]) -> Vec<Relation> {
    let mut compared = Compared::default();
    let number = |place: usize| u32::try_from(place).unwrap_or(u32::MAX);
    match &answer.verdict {
        Verdict::Different(found) => executions(found, sides, &mut compared),
        Verdict::Equal(_) | Verdict::Unknown(_) => {
            for (at, write) in answer.told.assignments.iter().enumerate() {
                let known = usize::try_from(write.array).ok();
                let name = known.and_then(|array| answer.arrays.get(array));
                let shared = write.array.saturating_sub(number(answer.arrays.len()));
                compared.writes_element.push(WritesElementRow {
                    write: number(at),
                    side: SIDES[write.side].to_owned(),
                    array: name.map_or_else(|| format!("shared {shared}"), Clone::clone),
                    interval: write.interval,
                    line: line(sides, write.side, (write.step, write.access)),
                    element: write.element.clone(),
                    condition: write.condition.clone(),
                    value: write.value.clone(),
                });
            }
            for candidate in &answer.told.candidates {
                let (write, by) = (number(candidate.pair.0), number(candidate.pair.1));
                compared.writer_of.push(WriterOfRow {
                    write,
                    by,
                    thread: candidate.thread.clone(),
                    condition: candidate.condition.clone(),
                });
                if candidate.is_same {
                    compared.same_value.push(SameValueRow { write, by });
                }
            }
            let covered = answer.told.covered.iter();
            compared.covered = covered
                .map(|&place| CoveredRow {
                    write: number(place),
                })
                .collect();
        }
    }
    compared.writer_of.sort();
    compared.writer_of.dedup();
    compared.same_value.sort();
    compared.same_value.dedup();
    compared.covered.sort();
    compared.covered.dedup();
    warplog_rules::compared::conclude(&mut compared);
    let mut tables = Tables(Vec::new());
    let Ok(()) = compared.visit(&mut tables);
    tables.0
}

fn executions(
    found: &Counterexample,
    sides: &[Vec<(Facts, LaunchId)>; 2],
    compared: &mut Compared,
) {
    for (side, written) in found.sides.iter().enumerate() {
        let triple = |numbers: [i128; 3]| numbers.map(|number| number.to_string()).join(",");
        compared.leaves_element.push(LeavesElementRow {
            side: SIDES[side].to_owned(),
            array: found.array.clone(),
            element: found.element,
            value: written.value.clone(),
            block: written
                .by
                .map_or_else(String::new, |(block, _)| triple(block)),
            thread: written
                .by
                .map_or_else(String::new, |(_, thread)| triple(thread)),
            line: match written.by {
                Some(_) => line(sides, side, (written.step, written.access)),
                None => 0,
            },
        });
    }
}

fn line(
    sides: &[Vec<(Facts, LaunchId)>; 2],
    side: usize,
    (step, access): (usize, AccessId),
) -> u32 {
    let facts = sides[side].get(step).map(|(facts, _)| facts);
    facts
        .and_then(|facts| place(facts, access))
        .map_or(0, |place| place.line)
}

struct Tables(Vec<Relation>);

impl Visit for Tables {
    type Error = std::convert::Infallible;
    fn visit<R: Row>(&mut self, rows: &[R]) -> Result<(), Self::Error> {
        let columns = R::INFO.columns.iter();
        self.0.push(Relation {
            relation: R::INFO.name.to_owned(),
            columns: columns.map(|column| column.name.to_owned()).collect(),
            rows: rows.iter().map(Row::write).collect(),
        });
        Ok(())
    }
}

/// Writes each relation into a file of its name.
///
/// # Errors
/// The folder or a file cannot be written.
pub(super) fn save(relations: &[Relation], folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for relation in relations {
        let text = relation.csv().map_err(io::Error::other)?;
        fs::write(folder.join(format!("{}.csv", relation.relation)), text)?;
    }
    Ok(())
}
