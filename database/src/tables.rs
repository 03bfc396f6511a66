//! The tables that are no relations: findings, verdicts and what the solver answered. Declared here once, with their documentation.

use rusqlite::Connection;
use rusqlite::types::Value;
use warplog_facts::relation::RelationInfo;
use warplog_facts::schema::{Relations, TermRelations};
use warplog_facts::schema_page::relation_doc;
use warplog_facts::{Derived, LaunchId};
use warplog_report::finding::{Dim, Kernel};
use warplog_report::{Report, csv};

use crate::fill::quoted;
use crate::views::VIEWS;

/// A table or view as `--list` and `--describe` show it.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// What it belongs to.
    pub group: Group,
    /// When a row holds, one sentence or more.
    pub doc: String,
    /// Predicate form and examples, where it is a relation.
    pub examples: Vec<(&'static str, String)>,
    /// Its columns.
    pub columns: Vec<Column>,
}

/// What a table belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Read from the source.
    Facts,
    /// The graph of terms.
    Terms,
    /// Concluded by the rules.
    Derived,
    /// Verdicts, findings and answers of the solver.
    Findings,
    /// Views over the others.
    Views,
}

/// A column of a table.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name.
    pub name: &'static str,
    /// Its type, as on the schema page.
    pub ty: &'static str,
    /// The table whose key it refers to.
    pub refers: Option<&'static str>,
    /// What it means.
    pub doc: &'static str,
}

/// What the solver answered to a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Launch.
    pub launch: LaunchId,
    /// Row of `candidate_race` or `candidate_divergence`, from 1.
    pub candidate: usize,
    /// Whether it is a race rather than a divergence.
    pub race: bool,
    /// `disjoint`, `race`, `covered`, `unknown`; `uniform`, `diverges`.
    pub answer: &'static str,
    /// Stage that decided it.
    pub stage: Option<&'static str>,
    /// Why it is unknown.
    pub reason: Option<String>,
    /// Questions put to the solver.
    pub queries: u32,
}

/// A table of our own: name, documentation, columns (name, type, documentation).
type Declaration = (
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str, &'static str)],
);

const DECLARED: [Declaration; 12] = [
    (
        "verdict",
        "A kernel that was checked, with its verdict and the counts of the analysis.",
        &[
            ("kernel", "text", "Name, with its template arguments"),
            ("file", "text", "File"),
            ("line", "u32", "Line of its name"),
            (
                "verdict",
                "text",
                "`race_free`, `racy`, `barrier_divergence`, `assertion_failed`, `unknown` or `error`",
            ),
            ("certainty", "text?", "Certainty of its strongest finding"),
            ("accesses", "u64", "Accesses to memory that threads share"),
            (
                "pairs",
                "u64",
                "Pairs on the same array with at least one write",
            ),
            ("discharged_by_rule", "u64", "Those that a rule discharged"),
            ("queries", "u64", "Questions put to the solver"),
            ("undecided", "u64", "Candidates left undecided"),
        ],
    ),
    (
        "cost",
        "Something that costs time, where costs were asked for.",
        &[
            ("kernel", "text", "Name of the kernel"),
            ("file", "text", "File of the kernel"),
            ("line", "u32", "Line of the kernel"),
            ("cost", "text", "Its id"),
            ("rule", "text", "Its kind: the name of its page"),
            ("place_file", "text", "Where: the file"),
            ("place_line", "u32", "Where: the line"),
            ("array", "text?", "The array, for an access"),
            (
                "degree",
                "u64",
                "Turns of the fullest bank, sectors of a request, or warps that diverge",
            ),
            (
                "fewest",
                "u64",
                "What that would be at best, or out of how many warps",
            ),
            ("answer", "text", "`exact`, `conditional` or `shown`"),
            ("condition", "text?", "On which sizes it depends"),
            ("weight", "text", "How often, in words"),
            (
                "requests",
                "u64?",
                "How often, where that is one number and exact",
            ),
            (
                "excess",
                "u64",
                "What it takes beyond the fewest, to sort by",
            ),
            ("hint", "text?", "What would help"),
        ],
    ),
    (
        "launch_verdict",
        "A launch under which a kernel was checked, with its verdict.",
        &[
            ("kernel", "text", "Name of the kernel"),
            ("file", "text", "File of the kernel"),
            ("line", "u32", "Line of the kernel"),
            ("position", "u32", "Position among its launches, from 0"),
            (
                "source",
                "text",
                "`code`, `flag`, `header`, `comment`, `configuration` or `symbolic`",
            ),
            ("block", "text", "Block size, by axis"),
            ("grid", "text", "Grid size, by axis"),
            ("verdict", "text", "Verdict on this launch"),
        ],
    ),
    (
        "verdict_assumption",
        "Something that the verdict on a kernel rests on.",
        &[
            ("kernel", "text", "Name of the kernel"),
            ("file", "text", "File of the kernel"),
            ("line", "u32", "Line of the kernel"),
            ("assumption", "text", "In words"),
        ],
    ),
    (
        "verdict_reason",
        "Why a launch of a kernel is not decided, or contradicts its assumptions.",
        &[
            ("kernel", "text", "Name of the kernel"),
            ("file", "text", "File of the kernel"),
            ("line", "u32", "Line of the kernel"),
            (
                "position",
                "u32",
                "Position of the launch in `launch_verdict`",
            ),
            ("place_file", "text?", "File that the reason is about"),
            ("place_line", "u32?", "Line that the reason is about"),
            ("reason", "text", "In words"),
        ],
    ),
    ("finding", "A finding.", &[]),
    (
        "finding_location",
        "A place that takes part in a finding.",
        &[
            ("finding", "text", "Id of the finding"),
            ("position", "u32", "Position from 0"),
            (
                "role",
                "text",
                "`first`, `second`, `barrier`, `condition` or `assertion`",
            ),
            ("file", "text", "File"),
            ("line", "u32", "Line, from 1"),
            ("column", "u32", "Column, from 1, in characters"),
            ("end_line", "u32", "Line of the end"),
            ("end_column", "u32", "Column behind the end"),
        ],
    ),
    (
        "finding_reason",
        "Why a finding is only potential: an abstraction that took part.",
        &[
            ("finding", "text", "Id of the finding"),
            ("reason", "text", "In words"),
        ],
    ),
    (
        "finding_value",
        "The value of an input in the witness of a finding.",
        &[
            ("finding", "text", "Id of the finding"),
            ("name", "text", "`n`, `idx[5]`"),
            ("value", "text", "Its value"),
        ],
    ),
    (
        "answer",
        "What the solver answered to a candidate; only where facts were analysed.",
        &[
            ("launch", "LaunchId", "Launch"),
            ("kind", "text", "`race` or `divergence`"),
            (
                "candidate",
                "u64",
                "`rowid` in `candidate_race` or `candidate_divergence`",
            ),
            (
                "answer",
                "text",
                "`disjoint`, `race`, `covered` or `unknown`; `uniform`, `diverges` or `unknown`",
            ),
            (
                "stage",
                "text?",
                "Stage that decided: `bounds`, `search`, `linear`, `real`, `int`, `int_again`, `bits` or `concrete`",
            ),
            ("reason", "text?", "Why it is unknown"),
            ("queries", "u32", "Questions put to the solver"),
        ],
    ),
    (
        "input_error",
        "An input that could not be read or analysed.",
        &[
            ("file", "text?", "File"),
            ("line", "u32?", "Line"),
            ("message", "text", "What went wrong"),
        ],
    ),
    (
        "not_modelled",
        "A construct that was not understood, wherever it stands.",
        &[
            ("file", "text", "File"),
            ("line", "u32", "Line"),
            ("what", "text", "The construct"),
            ("why", "text", "Why it matters"),
        ],
    ),
];

/// Every table and view, in the order in which they are listed.
#[must_use]
pub fn tables() -> Vec<Table> {
    let mut all = Vec::new();
    for (group, relations) in [
        (Group::Facts, Relations::RELATIONS),
        (Group::Terms, TermRelations::RELATIONS),
        (Group::Derived, Derived::RELATIONS),
    ] {
        all.extend(relations.iter().map(|info| relation(group, info)));
    }
    for (name, doc, columns) in DECLARED {
        let columns = if name == "finding" {
            csv::COLUMNS.iter().map(finding_column).collect()
        } else {
            let column = |&(name, ty, doc): &(&'static str, &'static str, &'static str)| Column {
                name,
                ty,
                refers: (ty == "LaunchId").then_some("launch"),
                doc,
            };
            columns.iter().map(column).collect()
        };
        all.push(Table {
            name,
            group: Group::Findings,
            doc: doc.to_owned(),
            examples: Vec::new(),
            columns,
        });
    }
    all.extend(VIEWS.iter().map(|view| {
        Table {
            name: view.name,
            group: Group::Views,
            doc: view.doc.to_owned(),
            examples: Vec::new(),
            columns: view
                .columns
                .iter()
                .map(|&(name, doc)| Column {
                    name,
                    ty: "",
                    refers: None,
                    doc,
                })
                .collect(),
        }
    }));
    all
}

fn relation(group: Group, info: &RelationInfo) -> Table {
    let (doc, examples) = match relation_doc(info) {
        Some(doc) => (
            doc.meaning,
            vec![
                ("Predicate", doc.predicate),
                ("Yields it", doc.yields),
                ("Does not", doc.does_not),
            ],
        ),
        None => (info.doc.trim().to_owned(), Vec::new()),
    };
    Table {
        name: info.name,
        group,
        doc,
        examples,
        columns: info
            .columns
            .iter()
            .enumerate()
            .map(|(index, column)| Column {
                name: column.name,
                ty: column.ty,
                refers: column
                    .refers
                    .filter(|_| !(info.dense && index == 0))
                    .map(|kind| kind.relation()),
                doc: column.doc,
            })
            .collect(),
    }
}

fn finding_column(column: &csv::Column) -> Column {
    Column {
        name: column.name,
        ty: if column.number { "u32?" } else { "text?" },
        refers: None,
        doc: column.doc,
    }
}

/// Makes and fills the tables of findings.
pub(crate) fn fill(
    connection: &Connection,
    report: &Report,
    answers: &[Answer],
) -> Result<(), rusqlite::Error> {
    for table in tables()
        .iter()
        .filter(|table| table.group == Group::Findings)
    {
        let columns: Vec<String> = table
            .columns
            .iter()
            .map(|column| {
                let text = matches!(column.ty.trim_end_matches('?'), "text");
                let affinity = if text { "TEXT" } else { "INTEGER" };
                format!("{} {affinity}", quoted(column.name))
            })
            .collect();
        connection.execute_batch(&format!(
            "CREATE TABLE {}({});",
            quoted(table.name),
            columns.join(", ")
        ))?;
        let places = vec!["?"; table.columns.len()].join(", ");
        let sql = format!("INSERT INTO {} VALUES ({places})", quoted(table.name));
        let mut insert = connection.prepare(&sql)?;
        for row in rows(table.name, report, answers) {
            insert.execute(rusqlite::params_from_iter(row))?;
        }
    }
    Ok(())
}

/// The rows of one of our tables.
fn rows(table: &str, report: &Report, answers: &[Answer]) -> Vec<Vec<Value>> {
    let kernels = || report.kernels.iter();
    let findings = || kernels().flat_map(|kernel| kernel.findings.iter());
    match table {
        "verdict" => kernels()
            .map(|kernel| {
                let stats = kernel.stats;
                let mut row = identity(kernel);
                row.push(text(kernel.verdict().as_str()));
                row.push(optional(
                    kernel.certainty().map(|certainty| certainty.as_str()),
                ));
                row.extend(
                    [
                        stats.accesses,
                        stats.pairs,
                        stats.discharged_by_rule,
                        stats.queries,
                        stats.undecided,
                    ]
                    .map(number),
                );
                row
            })
            .collect(),
        "cost" => kernels()
            .flat_map(|kernel| {
                let found = kernel.costs.iter().flat_map(|costs| &costs.found);
                found.map(move |cost| {
                    let mut row = identity(kernel);
                    row.extend([
                        text(&cost.id),
                        text(&cost.rule),
                        text(&cost.place.file),
                        number(cost.place.line.into()),
                        optional(cost.measure.array()),
                        number(cost.measure.degree()),
                        number(cost.measure.fewest()),
                        text(cost.answer.as_str()),
                        optional(cost.condition.as_deref()),
                        text(&cost.weight),
                        cost.requests.map_or(Value::Null, number),
                        number(cost.excess),
                        optional(cost.hint.as_deref()),
                    ]);
                    row
                })
            })
            .collect(),
        "launch_verdict" => kernels()
            .flat_map(|kernel| {
                kernel
                    .launches
                    .iter()
                    .enumerate()
                    .map(move |(index, launch)| {
                        let mut row = identity(kernel);
                        row.push(number(index as u64));
                        row.push(text(launch.source.as_str()));
                        row.push(text(&dims(&launch.block)));
                        row.push(text(&dims(&launch.grid)));
                        row.push(text(kernel.launch_verdict(index).as_str()));
                        row
                    })
            })
            .collect(),
        "verdict_assumption" => kernels()
            .flat_map(|kernel| {
                kernel.assumptions().into_iter().map(move |assumption| {
                    let mut row = identity(kernel);
                    row.push(text(assumption));
                    row
                })
            })
            .collect(),
        "verdict_reason" => kernels()
            .flat_map(|kernel| {
                let launches = kernel.launches.iter().enumerate();
                launches.flat_map(move |(index, launch)| {
                    launch.outcome.reasons().iter().map(move |reason| {
                        let place = reason.place.as_ref();
                        let mut row = identity(kernel);
                        row.push(number(index as u64));
                        row.push(optional(place.map(|place| place.file.as_str())));
                        row.push(place.map_or(Value::Null, |place| number(place.line.into())));
                        row.push(text(&reason.text));
                        row
                    })
                })
            })
            .collect(),
        "finding" => kernels()
            .flat_map(|kernel| {
                kernel.findings.iter().map(move |finding| {
                    csv::row(kernel, finding)
                        .into_iter()
                        .zip(csv::COLUMNS)
                        .map(|(cell, column)| match (cell.as_str(), column.number) {
                            ("", _) => Value::Null,
                            (digits, true) => digits.parse().map_or(Value::Null, Value::Integer),
                            (_, false) => Value::Text(cell),
                        })
                        .collect()
                })
            })
            .collect(),
        "finding_location" => findings()
            .flat_map(|finding| {
                finding
                    .locations
                    .iter()
                    .enumerate()
                    .map(|(index, location)| {
                        let place = &location.place;
                        vec![
                            text(&finding.id),
                            number(index as u64),
                            text(location.role.as_str()),
                            text(&place.file),
                            number(place.line.into()),
                            number(place.column.into()),
                            number(place.end_line.into()),
                            number(place.end_column.into()),
                        ]
                    })
            })
            .collect(),
        "finding_reason" => findings()
            .flat_map(|finding| {
                let reasons = finding.reasons.iter();
                reasons.map(|reason| vec![text(&finding.id), text(reason)])
            })
            .collect(),
        "finding_value" => findings()
            .flat_map(|finding| {
                let values = finding.witness.iter().flat_map(|witness| &witness.values);
                values.map(|(name, value)| {
                    let value = match value {
                        warplog_report::Value::Int(value) => value.to_string(),
                        warplog_report::Value::Text(value) => value.clone(),
                    };
                    vec![text(&finding.id), text(name), text(&value)]
                })
            })
            .collect(),
        "answer" => answers
            .iter()
            .map(|answer| {
                vec![
                    number(answer.launch.0.into()),
                    text(if answer.race { "race" } else { "divergence" }),
                    number(answer.candidate as u64),
                    text(answer.answer),
                    optional(answer.stage),
                    optional(answer.reason.as_deref()),
                    number(answer.queries.into()),
                ]
            })
            .collect(),
        "input_error" => report
            .errors
            .iter()
            .map(|error| {
                vec![
                    optional((!error.file.is_empty()).then_some(error.file.as_str())),
                    error.line.map_or(Value::Null, |line| number(line.into())),
                    text(&error.message),
                ]
            })
            .collect(),
        "not_modelled" => report
            .unsupported
            .iter()
            .map(|entry| {
                vec![
                    text(&entry.file),
                    number(entry.line.into()),
                    text(&entry.what),
                    text(&entry.why),
                ]
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn identity(kernel: &Kernel) -> Vec<Value> {
    vec![
        text(&kernel.name),
        text(&kernel.file),
        number(kernel.line.into()),
    ]
}

fn dims(dims: &[Dim; 3]) -> String {
    let words = dims.each_ref().map(|dim| match dim {
        Dim::Known(size) => size.to_string(),
        Dim::Symbolic(text) => text.clone(),
    });
    format!("({})", words.join(","))
}

fn text(value: &str) -> Value {
    Value::Text(value.to_owned())
}

fn optional(value: Option<&str>) -> Value {
    value.map_or(Value::Null, text)
}

fn number(value: u64) -> Value {
    Value::Integer(i64::try_from(value).unwrap_or(i64::MAX))
}
