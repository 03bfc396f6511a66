//! Relations to tables: one visitor for facts, terms and derived relations.

use rusqlite::Connection;
use rusqlite::types::Value;
use warplog_facts::relation::{ColumnInfo, RelationInfo, Row, Visit};

/// Makes and fills a table for every relation visited.
pub(crate) struct Fill<'c> {
    pub(crate) connection: &'c Connection,
}

impl Visit for Fill<'_> {
    type Error = rusqlite::Error;

    fn visit<R: Row>(&mut self, rows: &[R]) -> Result<(), rusqlite::Error> {
        self.connection.execute_batch(&create(&R::INFO))?;
        let places = vec!["?"; R::INFO.columns.len()].join(", ");
        let sql = format!("INSERT INTO {} VALUES ({places})", quoted(R::INFO.name));
        let mut insert = self.connection.prepare(&sql)?;
        for row in rows {
            let cells = row.write().into_iter().zip(R::INFO.columns);
            let cells = cells.map(|(cell, column)| value(cell, column));
            insert.execute(rusqlite::params_from_iter(cells))?;
        }
        Ok(())
    }
}

fn create(info: &RelationInfo) -> String {
    let columns: Vec<String> = info
        .columns
        .iter()
        .enumerate()
        .map(|(index, column)| {
            let key = if info.dense && index == 0 {
                " PRIMARY KEY"
            } else {
                ""
            };
            let optional = column.ty.ends_with('?');
            let not_null = if optional { "" } else { " NOT NULL" };
            format!(
                "{} {}{key}{not_null}",
                quoted(column.name),
                affinity(column)
            )
        })
        .collect();
    format!(
        "CREATE TABLE IF NOT EXISTS {}({});",
        quoted(info.name),
        columns.join(", ")
    )
}

/// Whether the column holds text that is always text.
fn is_text(column: &ColumnInfo) -> bool {
    let number = matches!(
        column.ty.trim_end_matches('?'),
        "u32" | "u64" | "integer" | "bool"
    );
    !number && column.refers.is_none()
}

/// The type that the table declares.
fn affinity(column: &ColumnInfo) -> &'static str {
    if is_text(column) { "TEXT" } else { "INTEGER" }
}

fn value(cell: String, column: &ColumnInfo) -> Value {
    if cell.is_empty() && column.ty.ends_with('?') {
        return Value::Null;
    }
    if is_text(column) {
        return Value::Text(cell);
    }
    match cell.as_str() {
        "true" if column.ty == "bool" => Value::Integer(1),
        "false" if column.ty == "bool" => Value::Integer(0),
        // What exceeds 64 bits stays exact as text.
        number => number
            .parse()
            .map_or_else(|_| Value::Text(cell.clone()), Value::Integer),
    }
}

/// The name in quotes, so that `loop` and `from` need no care.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}
