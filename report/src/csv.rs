//! Findings as CSV (RFC 4180): a header line, then one row a finding, suppressed ones included.
//!
//! A table for spreadsheets and scripts: what is a list in the contract is joined by `; ` in one cell. Columns are only ever
//! added at the end. A kernel that is not decided has a row of the kind `unknown` or `error` without an id, so that no row means
//! that everything was decided; the table of an interrupted run ends in a row of the kind `incomplete`.

use crate::cost::Cost;
use crate::finding::{Finding, Incomplete, Kernel, Report, Witness};
use crate::judgement::Verdict;
use crate::printable::safe;
use crate::words::{headline, note_words, triple};

/// What is known of a column.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Whether it holds whole numbers.
    pub number: bool,
    /// What it means.
    pub doc: &'static str,
}

const fn column(name: &'static str, number: bool, doc: &'static str) -> Column {
    Column { name, number, doc }
}

/// The columns in order.
pub const COLUMNS: [Column; 34] = [
    column(
        "id",
        false,
        "Id, from the content; it stays when lines move",
    ),
    column(
        "fingerprint",
        false,
        "The whole hash that the id is the beginning of, numbered where equal",
    ),
    column(
        "kind",
        false,
        "The kind of finding or of cost: the name of its page with `_` for `-`, as in `data_race`",
    ),
    column(
        "certainty",
        false,
        "`confirmed`, `conditional` or `potential`",
    ),
    column(
        "severity",
        false,
        "`error`, `warning` or `note`; `performance` of a cost",
    ),
    column(
        "kernel",
        false,
        "Name of the kernel, with its template arguments",
    ),
    column("kernel_file", false, "File of the kernel"),
    column("kernel_line", true, "Line of the kernel's name"),
    column(
        "access",
        false,
        "`ww`, `rw`, `wa`, `ra` or `aa`; empty if it is no race",
    ),
    column(
        "scope",
        false,
        "`intra_warp`, `inter_warp` or `inter_block`; empty if it is no race",
    ),
    column("array", false, "Array; empty if it is no race"),
    column("file", false, "File of the first place"),
    column("line", true, "Its line, from 1"),
    column("column", true, "Its column, from 1, in characters"),
    column("end_line", true, "Line of its end"),
    column("end_column", true, "Column behind its end"),
    column("other_file", false, "File of the second place"),
    column("other_line", true, "Its line"),
    column("other_column", true, "Its column"),
    column("block_dim", false, "blockDim of the witness"),
    column("grid_dim", false, "gridDim of the witness"),
    column("first_block", false, "blockIdx of the first thread"),
    column("first_thread", false, "threadIdx of the first thread"),
    column("second_block", false, "blockIdx of the second thread"),
    column("second_thread", false, "threadIdx of the second thread"),
    column("element", false, "Element at which they meet"),
    column(
        "instances",
        true,
        "Instances of the same cause that it stands for",
    ),
    column("reasons", false, "Why it is only potential"),
    column(
        "suppressed",
        false,
        "Why it is suppressed; empty if it is not",
    ),
    column("headline", false, "The headline"),
    column("harm", false, "`possible`, or `by_design`"),
    column(
        "question",
        false,
        "What would settle it, of a conditional finding",
    ),
    column(
        "race_free_if",
        false,
        "Condition under which there is no such finding; empty if none is known",
    ),
    column(
        "hinges_on",
        false,
        "What the caller decides and it hinges on",
    ),
];

/// Renders the findings of a report.
///
/// # Errors
/// Only if memory runs out.
pub fn render(report: &Report) -> Result<String, std::io::Error> {
    let mut writer = ::csv::WriterBuilder::new().from_writer(Vec::new());
    writer.write_record(COLUMNS.map(|column| column.name))?;
    for kernel in &report.kernels {
        for finding in &kernel.findings {
            writer.write_record(row(kernel, finding))?;
        }
        if matches!(kernel.verdict(), Verdict::Unknown | Verdict::Error) {
            writer.write_record(COLUMNS.iter().map(|column| open_cell(column, kernel)))?;
        }
        for cost in kernel.costs.iter().flat_map(|costs| &costs.found) {
            writer.write_record(COLUMNS.iter().map(|column| cost_cell(column, kernel, cost)))?;
        }
    }
    // There is no other place for it in a table, and half a table must not pass for a whole one.
    if let Some(Incomplete { done, files }) = report.incomplete {
        let cell = |column: &Column| match column.name {
            "kind" => "incomplete".to_owned(),
            "severity" => "error".to_owned(),
            "headline" => format!("interrupted: {done} of {files} files analysed to the end"),
            _ => String::new(),
        };
        writer.write_record(COLUMNS.iter().map(cell))?;
    }
    let bytes = writer.into_inner().map_err(std::io::Error::other)?;
    String::from_utf8(bytes).map_err(std::io::Error::other)
}

/// A cell of the row of something that costs time.
fn cost_cell(column: &Column, kernel: &Kernel, cost: &Cost) -> String {
    let place = &cost.place;
    match column.name {
        "id" | "fingerprint" => cost.id.clone(),
        "kind" => cost.rule.replace('-', "_"),
        "severity" => "performance".to_owned(),
        "kernel" => kernel.name.clone(),
        "kernel_file" => kernel.file.clone(),
        "kernel_line" => kernel.line.to_string(),
        "array" => cost.measure.array().unwrap_or_default().to_owned(),
        "file" => place.file.clone(),
        "line" => place.line.to_string(),
        "column" => place.column.to_string(),
        "end_line" => place.end_line.to_string(),
        "end_column" => place.end_column.to_string(),
        "block_dim" => cost
            .measure
            .warp()
            .map(|warp| triple(warp.block_dim))
            .unwrap_or_default(),
        "first_block" => cost
            .measure
            .warp()
            .map(|warp| triple(warp.block))
            .unwrap_or_default(),
        "suppressed" => match &cost.suppressed {
            Some(suppressed) => suppressed.reason.clone(),
            None => String::new(),
        },
        "headline" => cost.line(),
        _ => String::new(),
    }
}

/// A cell of the row of a kernel that is not decided.
fn open_cell(column: &Column, kernel: &Kernel) -> String {
    let (severity, what) = match kernel.verdict() {
        Verdict::Error => ("error", "cannot be checked"),
        _ => ("note", "is not decided"),
    };
    match column.name {
        "kind" => kernel.verdict().as_str().to_owned(),
        "severity" => severity.to_owned(),
        "kernel" => kernel.name.clone(),
        "kernel_file" | "file" => kernel.file.clone(),
        "kernel_line" | "line" => kernel.line.to_string(),
        "reasons" => {
            let launches = kernel.launches.iter();
            let reasons = launches.flat_map(|launch| launch.outcome.reasons());
            let mut words: Vec<String> = Vec::new();
            for reason in reasons.map(note_words) {
                if !words.contains(&reason) {
                    words.push(reason);
                }
            }
            words.join("; ")
        }
        "headline" => format!("`{}` {what}", safe(&kernel.name)),
        _ => String::new(),
    }
}

/// The cells of a finding, in the order of [`COLUMNS`].
#[must_use]
pub fn row(kernel: &Kernel, finding: &Finding) -> [String; 34] {
    let first = finding.locations.first().map(|location| &location.place);
    let other = finding.locations.get(1).map(|location| &location.place);
    let witness = finding.witness.as_ref();
    let number = |value: Option<u32>| value.map(|value| value.to_string()).unwrap_or_default();
    let dims = |of: fn(&Witness) -> [u64; 3]| witness.map(|w| triple(of(w))).unwrap_or_default();
    let thread = |nth: usize, block: bool| {
        witness
            .and_then(|witness| witness.threads.get(nth))
            .map(|thread| triple(if block { thread.block } else { thread.thread }))
            .unwrap_or_default()
    };
    [
        finding.id.clone(),
        finding.fingerprint.clone(),
        finding.kind().as_str().to_owned(),
        finding.certainty.as_str().to_owned(),
        finding.severity().as_str().to_owned(),
        kernel.name.clone(),
        kernel.file.clone(),
        kernel.line.to_string(),
        finding.access_code().unwrap_or_default().to_owned(),
        finding
            .scope()
            .map_or("", |scope| scope.as_str())
            .to_owned(),
        finding.array().unwrap_or_default().to_owned(),
        first.map(|place| place.file.clone()).unwrap_or_default(),
        number(first.map(|place| place.line)),
        number(first.map(|place| place.column)),
        number(first.map(|place| place.end_line)),
        number(first.map(|place| place.end_column)),
        other.map(|place| place.file.clone()).unwrap_or_default(),
        number(other.map(|place| place.line)),
        number(other.map(|place| place.column)),
        dims(|witness| witness.block_dim),
        dims(|witness| witness.grid_dim),
        thread(0, true),
        thread(0, false),
        thread(1, true),
        thread(1, false),
        witness
            .and_then(|witness| witness.element.clone())
            .unwrap_or_default(),
        finding.instances.to_string(),
        finding.reasons.join("; "),
        finding.suppressed_because().unwrap_or_default().to_owned(),
        headline(kernel, finding),
        finding.harm.as_str().to_owned(),
        finding.question().unwrap_or_default(),
        finding.race_free_if.clone().unwrap_or_default(),
        finding.hinges_on.join("; "),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    #[test]
    fn every_finding_is_a_row() {
        let mut report = sample::report();
        report.kernels[0].name = "k<\"a, b\">".to_owned();
        crate::id::finish(&mut report);
        let text = render(&report).expect("renders");
        let mut reader = ::csv::Reader::from_reader(text.as_bytes());
        assert_eq!(
            reader
                .headers()
                .expect("a header")
                .iter()
                .collect::<Vec<_>>(),
            COLUMNS.map(|column| column.name)
        );
        let rows: Vec<_> = reader.records().map(|row| row.expect("a row")).collect();
        let (open, rows): (Vec<_>, Vec<_>) = rows.into_iter().partition(|row| row[0].is_empty());
        let kinds: Vec<&str> = open.iter().map(|row| &row[2]).collect();
        assert_eq!(kinds, ["unknown", "error"]);
        assert!(open.iter().all(|row| !row[27].is_empty()), "{open:?}");
        let findings: Vec<_> = report
            .kernels
            .iter()
            .flat_map(|kernel| kernel.findings.iter().map(move |finding| (kernel, finding)))
            .collect();
        assert_eq!(rows.len(), findings.len());
        for (row, (kernel, finding)) in rows.iter().zip(findings) {
            assert_eq!(&row[0], finding.id);
            assert_eq!(&row[5], kernel.name);
            assert_eq!(&row[28], finding.suppressed_because().unwrap_or_default());
        }
        let shown: Vec<&str> = rows[0].iter().skip(2).take(3).collect();
        assert_eq!(shown, ["data_race", "confirmed", "error"]);
    }
}
