//! A report as tables of plain rows, for many reports at once: kernels, launches, findings, questions, coverage, errors.
//!
//! Each table has one file in its folder. The tables of many runs are put together by whoever reads them, by their columns; so columns are
//! only ever added at the end, every column is there however few rows there are, and nothing in a row refers to the order of another table:
//! a kernel is named by its file, line and name, a launch by its number in the kernel. What is a list is joined by `; `.

use crate::causes::causes;
use crate::coverage::coverage;
use crate::finding::{Dim, GapKind, Kernel, Launch, Outcome, Report};
use crate::meeting::Role;
use crate::questions::questions;
use crate::words::headline;

#[cfg(feature = "parquet")]
pub mod parquet;

/// What a column holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Column {
    /// Words, or nothing.
    Text(Vec<Option<String>>),
    /// Numbers, or nothing.
    Number(Vec<Option<i64>>),
}

/// A table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Its columns, all of one length.
    pub columns: Vec<(&'static str, Column)>,
}

impl Table {
    fn new(name: &'static str) -> Table {
        Table {
            name,
            columns: Vec::new(),
        }
    }

    fn text<T>(
        mut self,
        name: &'static str,
        rows: &[T],
        of: impl Fn(&T) -> Option<String>,
    ) -> Table {
        // No words and no value are one, as they are in CSV.
        let words = |row: &T| of(row).filter(|text| !text.is_empty());
        self.columns
            .push((name, Column::Text(rows.iter().map(words).collect())));
        self
    }

    fn number<T>(
        mut self,
        name: &'static str,
        rows: &[T],
        of: impl Fn(&T) -> Option<u64>,
    ) -> Table {
        let number = |row: &T| of(row).map(|number| i64::try_from(number).unwrap_or(i64::MAX));
        let column = Column::Number(rows.iter().map(number).collect());
        self.columns.push((name, column));
        self
    }

    /// The table as CSV (RFC 4180); nothing is an empty cell.
    ///
    /// # Errors
    /// Only where memory runs out.
    pub fn csv(&self) -> Result<Vec<u8>, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(self.columns.iter().map(|(name, _)| *name))?;
        let cell = |column: &Column, row: usize| match column {
            Column::Text(all) => all[row].clone().unwrap_or_default(),
            Column::Number(all) => all[row].map(|n| n.to_string()).unwrap_or_default(),
        };
        for row in 0..self.len() {
            writer.write_record(self.columns.iter().map(|(_, column)| cell(column, row)))?;
        }
        writer
            .into_inner()
            .map_err(|error| error.into_error().into())
    }

    /// Rows.
    #[must_use]
    pub fn len(&self) -> usize {
        match self.columns.first() {
            Some((_, Column::Text(all))) => all.len(),
            Some((_, Column::Number(all))) => all.len(),
            None => 0,
        }
    }

    /// Whether it has no row.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The tables of a report.
#[must_use]
pub fn tables(report: &Report) -> Vec<Table> {
    vec![
        kernels(report),
        launches(report),
        findings(report),
        asked(report),
        covered(report),
        errors(report),
    ]
}

fn some(text: &str) -> Option<String> {
    Some(text.to_owned())
}

fn count(number: usize) -> Option<u64> {
    u64::try_from(number).ok()
}

fn kernels(report: &Report) -> Table {
    let rows = report.kernels.as_slice();
    let lacks = |kernel: &Kernel, kind: GapKind| {
        let gaps = kernel.extent.gaps.iter().filter(|gap| gap.kind == kind);
        let reasons: Vec<&str> = gaps.map(|gap| gap.reason.as_str()).collect();
        (!reasons.is_empty()).then(|| reasons.join("; "))
    };
    Table::new("kernels")
        .text("file", rows, |kernel| some(&kernel.file))
        .number("line", rows, |kernel| Some(kernel.line.into()))
        .text("name", rows, |kernel| some(&kernel.name))
        .text("verdict", rows, |kernel| some(kernel.verdict().as_str()))
        .text("certainty", rows, |kernel| {
            kernel
                .certainty()
                .map(|certainty| certainty.as_str().to_owned())
        })
        .number("launches", rows, |kernel| count(kernel.launches.len()))
        .number("findings", rows, |kernel| count(kernel.findings.len()))
        .number("accesses", rows, |kernel| Some(kernel.stats.accesses))
        .number("pairs", rows, |kernel| Some(kernel.stats.pairs))
        .number("queries", rows, |kernel| Some(kernel.stats.queries))
        .text("assumptions", rows, |kernel| {
            Some(kernel.assumptions().join("; "))
        })
        .text("not_modelled", rows, |kernel| {
            lacks(kernel, GapKind::NotModelled)
        })
        .text("undecided", rows, |kernel| {
            lacks(kernel, GapKind::Undecided)
        })
}

fn launches(report: &Report) -> Table {
    let rows: Vec<(&Kernel, usize, &Launch)> = report
        .kernels
        .iter()
        .flat_map(|kernel| {
            let launches = kernel.launches.iter().enumerate();
            launches.map(move |(number, launch)| (kernel, number, launch))
        })
        .collect();
    let rows = rows.as_slice();
    let dims = |dims: &[Dim; 3]| {
        let dims = dims.iter().map(|dim| match dim {
            Dim::Known(number) => number.to_string(),
            Dim::Symbolic(text) => text.clone(),
        });
        Some(dims.collect::<Vec<String>>().join(","))
    };
    Table::new("launches")
        .text("file", rows, |(kernel, ..)| some(&kernel.file))
        .number("line", rows, |(kernel, ..)| Some(kernel.line.into()))
        .text("kernel", rows, |(kernel, ..)| some(&kernel.name))
        .number("number", rows, |(_, number, _)| count(*number))
        .text("source", rows, |(.., launch)| some(launch.source.as_str()))
        .text("launch_file", rows, |(.., launch)| {
            launch.place.as_ref().map(|place| place.file.clone())
        })
        .number("launch_line", rows, |(.., launch)| {
            launch.place.as_ref().map(|place| place.line.into())
        })
        .text("block", rows, |(.., launch)| dims(&launch.block))
        .text("grid", rows, |(.., launch)| dims(&launch.grid))
        .text("verdict", rows, |(kernel, number, _)| {
            some(kernel.launch_verdict(*number).as_str())
        })
        .text("reasons", rows, |(.., launch)| match &launch.outcome {
            Outcome::Complete => None,
            outcome => {
                let reasons = outcome.reasons().iter().map(|reason| reason.text.as_str());
                Some(reasons.collect::<Vec<&str>>().join("; "))
            }
        })
        .text("assumptions", rows, |(.., launch)| {
            Some(launch.assumptions.join("; "))
        })
}

fn findings(report: &Report) -> Table {
    let rows: Vec<_> = report
        .kernels
        .iter()
        .flat_map(|kernel| kernel.findings.iter().map(move |finding| (kernel, finding)))
        .collect();
    let rows = rows.as_slice();
    let place = |finding: &crate::finding::Finding, second: bool| {
        let role = |role: Role| (role == Role::Second) == second;
        let mut locations = finding.locations.iter();
        locations
            .find(|one| role(one.role))
            .map(|one| one.place.clone())
    };
    Table::new("findings")
        .text("id", rows, |(_, finding)| some(&finding.id))
        .text("fingerprint", rows, |(_, finding)| {
            some(&finding.fingerprint)
        })
        .text("file", rows, |(kernel, _)| some(&kernel.file))
        .number("line", rows, |(kernel, _)| Some(kernel.line.into()))
        .text("kernel", rows, |(kernel, _)| some(&kernel.name))
        .text("kind", rows, |(_, finding)| some(finding.kind().as_str()))
        .text("certainty", rows, |(_, finding)| {
            some(finding.certainty.as_str())
        })
        .text("severity", rows, |(_, finding)| {
            some(finding.severity().as_str())
        })
        .text("message", rows, |(kernel, finding)| {
            Some(headline(kernel, finding))
        })
        .text("scope", rows, |(_, finding)| {
            finding.scope().map(|scope| scope.as_str().to_owned())
        })
        .text("array", rows, |(_, finding)| {
            finding.array().map(str::to_owned)
        })
        .text("first_file", rows, |(_, finding)| {
            place(finding, false).map(|place| place.file)
        })
        .number("first_line", rows, |(_, finding)| {
            place(finding, false).map(|place| place.line.into())
        })
        .number("first_column", rows, |(_, finding)| {
            place(finding, false).map(|place| place.column.into())
        })
        .text("second_file", rows, |(_, finding)| {
            place(finding, true).map(|place| place.file)
        })
        .number("second_line", rows, |(_, finding)| {
            place(finding, true).map(|place| place.line.into())
        })
        .text("question", rows, |(_, finding)| finding.question())
        .text("race_free_if", rows, |(_, finding)| {
            finding.race_free_if.clone()
        })
        .text("reasons", rows, |(_, finding)| {
            Some(finding.reasons.join("; "))
        })
        .text("hint", rows, |(_, finding)| finding.hint.clone())
        .text("suppressed", rows, |(_, finding)| {
            finding.suppressed_because().map(str::to_owned)
        })
}

fn asked(report: &Report) -> Table {
    let causes = causes(report);
    let rows = questions(&causes);
    let rows = rows.as_slice();
    Table::new("questions")
        .text("assume", rows, |question| some(question.assume))
        .number("causes", rows, |question| count(question.causes))
        .number("findings", rows, |question| count(question.findings))
        .text("kernels", rows, |question| {
            Some(question.kernels.join("; "))
        })
}

fn covered(report: &Report) -> Table {
    let coverage = coverage(report);
    let mut rows: Vec<(String, Option<String>, u64)> = Vec::new();
    let mut add = |what: &str, name: Option<&str>, number: usize| {
        let number = u64::try_from(number).unwrap_or(u64::MAX);
        rows.push((what.to_owned(), name.map(str::to_owned), number));
    };
    add("files", None, coverage.files);
    add("headers", None, coverage.headers);
    add("kernels", None, coverage.kernels);
    add("definitions", None, coverage.definitions);
    add("modelled", None, coverage.modelled);
    add("decided", None, coverage.decided);
    for (verdict, number) in crate::coverage::VERDICTS.iter().zip(coverage.verdicts) {
        add("verdict", Some(verdict.as_str()), number);
    }
    add("launches", None, coverage.launches);
    add("errors", None, coverage.errors);
    for reason in &coverage.reasons {
        add("reason", Some(&reason.text), reason.kernels);
    }
    for (header, files) in &coverage.missing_own {
        add("missing header", Some(header), *files);
    }
    for (name, files) in &coverage.undefined {
        add("undefined name", Some(name), *files);
    }
    let rows = rows.as_slice();
    Table::new("coverage")
        .text("what", rows, |(what, ..)| some(what))
        .text("name", rows, |(_, name, _)| name.clone())
        .number("number", rows, |(.., number)| Some(*number))
}

fn errors(report: &Report) -> Table {
    let rows = report.errors.as_slice();
    Table::new("errors")
        .text("file", rows, |error| {
            (!error.file.is_empty()).then(|| error.file.clone())
        })
        .number("line", rows, |error| error.line.map(u64::from))
        .text("message", rows, |error| some(&error.message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn columns_of_a_table_are_of_one_length() {
        let report = sample::report();
        let all = tables(&report);
        let names: Vec<&str> = all.iter().map(|table| table.name).collect();
        assert_eq!(
            names,
            [
                "kernels",
                "launches",
                "findings",
                "questions",
                "coverage",
                "errors"
            ]
        );
        for table in &all {
            for (name, column) in &table.columns {
                let length = match column {
                    Column::Text(all) => all.len(),
                    Column::Number(all) => all.len(),
                };
                assert_eq!(length, table.len(), "{} of {}", name, table.name);
            }
        }
        assert_eq!(all[0].len(), report.kernels.len());
        let found: usize = report
            .kernels
            .iter()
            .map(|kernel| kernel.findings.len())
            .sum();
        assert_eq!(all[2].len(), found);
        assert!(found > 0);
    }

    #[test]
    fn a_report_of_nothing_has_every_column() {
        for (empty, full) in tables(&Report::default())
            .iter()
            .zip(tables(&sample::report()))
        {
            let names = |table: &Table| -> Vec<&str> {
                table.columns.iter().map(|(name, _)| *name).collect()
            };
            assert_eq!(names(empty), names(&full));
            let csv = String::from_utf8(empty.csv().expect("CSV")).expect("text");
            assert!(csv.starts_with(&names(empty).join(",")));
        }
    }
}
