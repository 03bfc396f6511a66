//! One statement of SQL that reads.

use rusqlite::types::ValueRef;

use crate::Database;

/// A cell of a result.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Nothing.
    Null,
    /// A whole number.
    Integer(i64),
    /// Another number.
    Real(f64),
    /// A text.
    Text(String),
}

/// What a query gave.
#[derive(Clone, Debug, PartialEq)]
pub struct Rows {
    /// Names of the columns; equal names are told apart by a number behind them.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<Value>>,
}

/// Why a query was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct QueryError {
    /// What is wrong, lower case.
    pub message: String,
    /// A table or view of a similar name, if one was not found; of a column, one of the tables that are named.
    pub similar: Option<&'static str>,
}

impl Database {
    /// Runs one statement that reads; anything that would write is refused.
    ///
    /// # Errors
    /// What SQLite says of the statement.
    pub fn query(&self, sql: &str) -> Result<Rows, QueryError> {
        let refuse = |error: &rusqlite::Error| {
            let message = match error {
                rusqlite::Error::SqliteFailure(_, Some(message)) => message.clone(),
                rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
                rusqlite::Error::MultipleStatement => "more than one statement".to_owned(),
                other => other.to_string(),
            };
            let similar = match message.strip_prefix("no such column: ") {
                Some(name) => similar_column(name, sql),
                None => message
                    .strip_prefix("no such table: ")
                    .and_then(|name| similar(name.trim())),
            };
            QueryError { message, similar }
        };
        let plain = |message: &str| QueryError {
            message: message.to_owned(),
            similar: None,
        };
        let mut statement = self
            .connection
            .prepare(sql)
            .map_err(|error| refuse(&error))?;
        if !statement.readonly() || statement.column_count() == 0 {
            return Err(plain(
                "only statements that read are taken: SELECT, WITH, VALUES, EXPLAIN",
            ));
        }
        let columns = distinct(statement.column_names());
        let count = columns.len();
        let mut found = statement.query([]).map_err(|error| refuse(&error))?;
        let mut rows = Vec::new();
        while let Some(row) = found.next().map_err(|error| refuse(&error))? {
            let mut cells = Vec::with_capacity(count);
            for index in 0..count {
                cells.push(match row.get_ref(index).map_err(|error| refuse(&error))? {
                    ValueRef::Null => Value::Null,
                    ValueRef::Integer(value) => Value::Integer(value),
                    ValueRef::Real(value) => Value::Real(value),
                    ValueRef::Text(bytes) | ValueRef::Blob(bytes) => {
                        Value::Text(String::from_utf8_lossy(bytes).into_owned())
                    }
                });
            }
            rows.push(cells);
        }
        Ok(Rows { columns, rows })
    }
}

fn distinct<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for name in names {
        let mut given = name.to_owned();
        let mut copy = 2;
        while all.contains(&given) {
            given = format!("{name}_{copy}");
            copy += 1;
        }
        all.push(given);
    }
    all
}

/// The table or view whose name is nearest, if one is near.
#[must_use]
pub fn similar(name: &str) -> Option<&'static str> {
    nearest(name, crate::tables().iter().map(|table| table.name))
}

/// The column whose name is nearest in the tables that the question names, if one is near. It may be written as `pair.rule`, and in
/// quotes; SQLite then asks ` - should this be a string literal in single-quotes?`.
fn similar_column(name: &str, sql: &str) -> Option<&'static str> {
    let name = name.split(" - ").next().unwrap_or(name);
    let name = name.rsplit('.').next().unwrap_or(name);
    let is_in_word = |letter: char| letter.is_alphanumeric() || letter == '_';
    let words: Vec<&str> = sql.split(|letter| !is_in_word(letter)).collect();
    let tables = crate::tables();
    let named = tables.iter().filter(|table| words.contains(&table.name));
    let columns = named.flat_map(|table| table.columns.iter().map(|column| column.name));
    nearest(name.trim().trim_matches('"'), columns)
}

fn nearest(name: &str, among: impl Iterator<Item = &'static str>) -> Option<&'static str> {
    among
        .map(|other| (strsim::jaro_winkler(other, name), other))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
