//! Results, the list of tables, and the page of a table, for people and for programs.

use std::fmt::Write as _;

use warplog_report::text::{safe, wrap};

use crate::query::{Rows, Value};
use crate::tables::{Group, Table, tables};

/// How results are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum QueryFormat {
    /// Columns side by side.
    #[default]
    Table,
    /// RFC 4180, with a header line.
    Csv,
    /// A list of objects.
    Json,
}

/// Renders a result; a table is cut to so many columns, if that is asked for.
///
/// # Errors
/// Only if memory runs out.
pub fn render(
    rows: &Rows,
    format: QueryFormat,
    columns: Option<usize>,
) -> Result<String, std::io::Error> {
    match format {
        QueryFormat::Table => Ok(side_by_side(rows, columns)),
        QueryFormat::Csv => {
            let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
            writer.write_record(&rows.columns)?;
            for row in &rows.rows {
                writer.write_record(row.iter().map(|value| plain(value, "")))?;
            }
            let bytes = writer.into_inner().map_err(std::io::Error::other)?;
            String::from_utf8(bytes).map_err(std::io::Error::other)
        }
        QueryFormat::Json => {
            let mut out = String::from("[");
            for (nth, row) in rows.rows.iter().enumerate() {
                out.push_str(if nth == 0 { "\n  {" } else { ",\n  {" });
                for (index, (name, value)) in rows.columns.iter().zip(row).enumerate() {
                    let _ = write!(
                        out,
                        "{}{}: {}",
                        if index == 0 { "" } else { ", " },
                        serde_json::to_string(name)?,
                        json(value)?
                    );
                }
                out.push('}');
            }
            out.push_str(if rows.rows.is_empty() { "]\n" } else { "\n]\n" });
            Ok(out)
        }
    }
}

fn json(value: &Value) -> Result<String, serde_json::Error> {
    match value {
        Value::Null => Ok("null".to_owned()),
        Value::Integer(value) => Ok(value.to_string()),
        Value::Real(value) => serde_json::to_string(value),
        Value::Text(text) => serde_json::to_string(text),
    }
}

fn plain(value: &Value, null: &str) -> String {
    match value {
        Value::Null => null.to_owned(),
        Value::Integer(value) => value.to_string(),
        Value::Real(value) => value.to_string(),
        Value::Text(text) => text.clone(),
    }
}

/// Columns that a cell keeps however narrow the terminal is.
const NARROWEST: usize = 8;

/// Makes the widest columns narrower until all stand in the room; whether any was.
fn narrow(widths: &mut [usize], room: usize) -> bool {
    let mut cut = false;
    loop {
        let whole: usize = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        let Some(widest) = widths.iter_mut().max() else {
            return cut;
        };
        if whole <= room || *widest <= NARROWEST {
            return cut;
        }
        *widest -= 1;
        cut = true;
    }
}

/// The cell with so many characters at most.
fn cut_to(cell: &str, width: usize) -> String {
    if cell.chars().count() <= width {
        return cell.to_owned();
    }
    let kept = cell.chars().take(width.saturating_sub(1));
    kept.chain(['…']).collect()
}

fn side_by_side(rows: &Rows, columns: Option<usize>) -> String {
    let cells: Vec<Vec<String>> = rows
        .rows
        .iter()
        .map(|row| row.iter().map(|value| safe(&plain(value, "-"))).collect())
        .collect();
    let mut widths: Vec<usize> = rows
        .columns
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let below = cells.iter().filter_map(|row| row.get(index));
            let widest = below.map(|cell| cell.chars().count()).max().unwrap_or(0);
            widest.max(name.chars().count())
        })
        .collect();
    let cut = columns.is_some_and(|room| narrow(&mut widths, room));
    let right: Vec<bool> = (0..rows.columns.len())
        .map(|index| {
            rows.rows
                .iter()
                .filter_map(|row| row.get(index))
                .all(|value| matches!(value, Value::Null | Value::Integer(_) | Value::Real(_)))
        })
        .collect();
    let mut out = String::new();
    let mut line = |cells: &[String]| {
        let padded: Vec<String> = cells
            .iter()
            .zip(&widths)
            .zip(&right)
            .map(|((cell, &width), &right)| {
                let cell = cut_to(cell, width);
                let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
                if right {
                    format!("{pad}{cell}")
                } else {
                    format!("{cell}{pad}")
                }
            })
            .collect();
        out.push_str(padded.join("  ").trim_end());
        out.push('\n');
    };
    line(
        &rows
            .columns
            .iter()
            .map(|name| safe(name))
            .collect::<Vec<_>>(),
    );
    line(
        &widths
            .iter()
            .map(|width| "-".repeat(*width))
            .collect::<Vec<_>>(),
    );
    for row in &cells {
        line(row);
    }
    let _ = writeln!(
        out,
        "{} {}{}",
        cells.len(),
        if cells.len() == 1 { "row" } else { "rows" },
        if cut {
            "; cells are cut (--format csv has them whole)"
        } else {
            ""
        }
    );
    out
}

/// The list of tables, by group, a line each, cut to the columns of a terminal if there is one.
#[must_use]
pub fn list(columns: Option<usize>) -> String {
    let all = tables();
    let widest = all.iter().map(|table| table.name.len()).max().unwrap_or(0);
    let mut out = String::new();
    let mut last = None;
    for table in &all {
        if last != Some(table.group) {
            let title = match table.group {
                Group::Facts => "Facts, read from the source",
                Group::Terms => "Terms",
                Group::Derived => "Derived by the rules",
                Group::Findings => "Verdicts and findings",
                Group::Views => "Views",
            };
            let _ = writeln!(out, "{}{title}:", if last.is_none() { "" } else { "\n" });
            last = Some(table.group);
        }
        // The first sentence that fits says enough here.
        let sentence = table.doc.split([';', ':']).next().unwrap_or_default();
        let sentence = sentence
            .split(". ")
            .next()
            .unwrap_or_default()
            .trim_end_matches('.');
        let room = columns.map_or(usize::MAX, |columns| columns.saturating_sub(widest + 4));
        let short: String = if sentence.chars().count() > room {
            let cut = sentence.chars().take(room.saturating_sub(1));
            cut.chain(['…']).collect()
        } else {
            sentence.to_owned()
        };
        let _ = writeln!(out, "  {:widest$}  {short}", table.name);
    }
    out
}

/// Columns of text that a column's meaning needs to stand beside its name; with fewer it stands below.
const BESIDE: usize = 30;

/// What is known of a table, if there is one of that name; in lines that fit so many columns, if that is asked for.
#[must_use]
pub fn page(name: &str, columns: Option<usize>) -> Option<String> {
    let all = tables();
    let table = all.iter().find(|table| table.name == name)?;
    let mut out = format!("{}\n\n", table.name);
    paragraph(&mut out, 2, 2, &table.doc, columns);
    for (title, text) in &table.examples {
        paragraph(&mut out, 2, 6, &format!("{title}: {text}"), columns);
    }
    out.push('\n');
    let width = |of: fn(&crate::Column) -> usize| table.columns.iter().map(of).max().unwrap_or(0);
    let names = width(|column| column.name.len());
    let types = width(|column| ty(column).chars().count());
    let before = 2 + names + 2 + types + 2;
    let beside = columns.is_none_or(|columns| columns >= before + BESIDE);
    for column in &table.columns {
        let head = format!("  {:names$}  {:types$}", column.name, ty(column));
        if beside {
            let mut text = String::new();
            paragraph(&mut text, before, before, column.doc, columns);
            let _ = write!(out, "{head}  {}", text.trim_start());
        } else {
            let _ = writeln!(out, "{}", head.trim_end());
            paragraph(&mut out, 6, 6, column.doc, columns);
        }
    }
    let from = references(table, &all);
    if !from.is_empty() {
        out.push('\n');
        let text = format!("Referred to by: {}", from.join(", "));
        paragraph(&mut out, 2, 4, &text, columns);
    }
    Some(out)
}

/// A text behind so many spaces, its further lines behind others, in lines that fit if that is asked for.
fn paragraph(out: &mut String, first: usize, further: usize, text: &str, columns: Option<usize>) {
    let room = columns.map_or(usize::MAX, |columns| {
        columns.saturating_sub(first.max(further))
    });
    for (nth, line) in wrap(text, room).iter().enumerate() {
        let indent = if nth == 0 { first } else { further };
        let _ = writeln!(out, "{:indent$}{line}", "");
    }
}

fn ty(column: &crate::Column) -> String {
    match column.refers {
        Some(table) if !column.ty.is_empty() => format!("{} -> {table}", column.ty),
        _ => column.ty.to_owned(),
    }
}

/// The tables that have a column with ids of this one.
fn references(table: &Table, all: &[Table]) -> Vec<&'static str> {
    let refers = |other: &&Table| {
        let mut columns = other.columns.iter();
        other.name != table.name && columns.any(|column| column.refers == Some(table.name))
    };
    all.iter().filter(refers).map(|other| other.name).collect()
}
