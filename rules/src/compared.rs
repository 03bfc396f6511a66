//! What follows from what a comparison of two kernels found: which assignments are the same, and whether the arrays agree.
//!
//! **Method.** An assignment is matched if another one of the other side is to the same element and stores the same value. An array agrees if
//! each assignment to it, of either side, is matched: without the other direction an element that only one side writes would be missed.
//!
//! **Source.** PUG_para (IPDPSW 2012): writers are matched in both directions, so that no quantifier over threads that write nothing is left.
//!
//! **Accuracy.** The rules say of the rows what the comparison says of the kernels, which tests hold together; whether a row is true is its
//! business. An assignment of which several others are the same one in different cases is matched if the comparison found the cases complete,
//! and has a row `covered` then.

use ascent::ascent_run;
use warplog_facts::compared::{AgreesRow, Compared, DiffersRow, MatchedRow, UnmatchedRow};

/// Adds what follows from the rows.
pub fn conclude(compared: &mut Compared) {
    let writes = compared.writes_element.iter();
    let writes: Vec<(u32, String)> = writes.map(|row| (row.write, row.array.clone())).collect();
    let writers = compared.writer_of.iter();
    let writers: Vec<(u32, u32)> = writers.map(|row| (row.write, row.by)).collect();
    let same = compared.same_value.iter();
    let same: Vec<(u32, u32)> = same.map(|row| (row.write, row.by)).collect();
    let covered = compared.covered.iter();
    let covered: Vec<(u32,)> = covered.map(|row| (row.write,)).collect();
    let leaves = compared.leaves_element.iter();
    let leaves: Vec<(String, String, i128, String)> = leaves
        .map(|row| {
            (
                row.side.clone(),
                row.array.clone(),
                row.element,
                row.value.clone(),
            )
        })
        .collect();
    let program = ascent_run! {
        relation writes_element(u32, String) = writes;
        relation writer_of(u32, u32) = writers;
        relation same_value(u32, u32) = same;
        relation covered(u32) = covered;
        relation leaves_element(String, String, i128, String) = leaves;
        relation matched(u32, u32);
        relation is_matched(u32);
        relation assigned(String);
        relation unmatched(u32, String);
        relation is_open(String);
        relation agrees(String);
        relation differs(String, i128, String, String);

        // R56: two assignments to one element that store the same value are matched.
        matched(write, by) <-- writer_of(write, by), same_value(write, by);
        is_matched(write) <-- matched(write, by), covered(write), if by != write;
        // R57: an assignment is unmatched if no cases of matched ones are complete.
        unmatched(write, array) <-- writes_element(write, array), !is_matched(write);
        is_open(array) <-- unmatched(write, array), writes_element(write, array);
        // R58: an array agrees if none of its assignments is unmatched.
        assigned(array.clone()) <-- writes_element(write, array), is_matched(write);
        agrees(array) <-- assigned(array), !is_open(array);
        // R59: an element differs in which two executions leave different values.
        differs(array, element, left, right) <--
            leaves_element(side, array, element, left), if side == "left",
            leaves_element(other, array, element, right), if other == "right", if left != right;
    };
    compared.matched = program
        .matched
        .into_iter()
        .map(|(write, by)| MatchedRow { write, by })
        .collect();
    compared.unmatched = program
        .unmatched
        .into_iter()
        .map(|(write, _)| UnmatchedRow { write })
        .collect();
    compared.agrees = program
        .agrees
        .into_iter()
        .map(|(array,)| AgreesRow { array })
        .collect();
    compared.differs = program
        .differs
        .into_iter()
        .map(|(array, element, left, right)| DiffersRow {
            array,
            element,
            left,
            right,
        })
        .collect();
    compared.matched.sort();
    compared.unmatched.sort();
    compared.agrees.sort();
}

#[cfg(test)]
mod tests {
    use warplog_facts::compared::{CoveredRow, SameValueRow, WriterOfRow, WritesElementRow};

    use super::*;

    fn write(write: u32, side: &str) -> WritesElementRow {
        WritesElementRow {
            write,
            side: side.to_owned(),
            array: "out".to_owned(),
            interval: 0,
            line: 1,
            element: "4*i".to_owned(),
            condition: "1".to_owned(),
            value: "0".to_owned(),
        }
    }

    fn compared(both_ways: bool) -> Compared {
        let mut compared = Compared {
            writes_element: vec![write(0, "left"), write(1, "right")],
            ..Compared::default()
        };
        for (write, by) in [(0, 1), (1, 0)]
            .into_iter()
            .take(1 + usize::from(both_ways))
        {
            compared.writer_of.push(WriterOfRow {
                write,
                by,
                thread: String::new(),
                condition: "1".to_owned(),
            });
            compared.same_value.push(SameValueRow { write, by });
            compared.covered.push(CoveredRow { write });
        }
        conclude(&mut compared);
        compared
    }

    #[test]
    fn an_array_agrees_if_both_directions_are_matched() {
        let found = compared(true);
        assert_eq!(found.agrees.len(), 1);
        assert!(found.unmatched.is_empty());
    }

    #[test]
    fn one_direction_is_not_enough() {
        let found = compared(false);
        assert!(found.agrees.is_empty());
        assert_eq!(found.unmatched, [UnmatchedRow { write: 1 }]);
    }
}
