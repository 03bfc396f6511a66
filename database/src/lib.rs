//! Facts, derived relations and findings as one SQLite database, and queries over it.
//!
//! The tables of facts and derived relations follow from their declarations in `warplog-facts`: a relation that is added there
//! is a table here, with its documentation. Numbers and ids are integers, words and texts are text, a Boolean is 0 or 1, and a
//! value that is not there is NULL. The tables of findings are declared in [`tables`], a few views that join the most usual
//! tables in [`views`].
//!
//! Rows are written in the order of the facts and findings, so that equal input gives equal databases.

mod fill;
mod query;
mod reference;
mod render;
pub mod tables;
pub mod views;

use std::path::Path;

use rusqlite::config::DbConfig;
use rusqlite::{Connection, OpenFlags};
use warplog_facts::csv_folder::term_relations;
use warplog_facts::{Derived, Facts};
use warplog_report::Report;

pub use query::{QueryError, Rows, Value, similar};
pub use reference::reference;
pub use render::{QueryFormat, list, page, render};
pub use tables::{Answer, Column, Group, Table, tables};

/// Version of the tables of findings; kept in the table `warplog`.
pub const VERSION: u32 = 1;

/// A database, in memory or in a file.
pub struct Database {
    connection: Connection,
}

/// Why a database could not be made, written or opened.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DatabaseError(String);

impl From<rusqlite::Error> for DatabaseError {
    fn from(error: rusqlite::Error) -> Self {
        DatabaseError(error.to_string())
    }
}

impl Database {
    /// An empty database in memory, without tables but `warplog`.
    ///
    /// # Errors
    /// Only if memory runs out.
    pub fn new() -> Result<Self, DatabaseError> {
        let connection = Connection::open_in_memory()?;
        connection.execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192; \
             CREATE TABLE warplog(key TEXT PRIMARY KEY, value TEXT NOT NULL);",
        )?;
        let mut insert = connection.prepare("INSERT INTO warplog VALUES (?1, ?2)")?;
        insert.execute(("version", env!("CARGO_PKG_VERSION")))?;
        insert.execute(("tables", VERSION.to_string()))?;
        drop(insert);
        Database::of(connection)
    }

    /// A name in double quotes that names nothing is an error: SQLite would take it for a text, and a misspelt column would be
    /// equal to nothing.
    fn of(connection: Connection) -> Result<Self, DatabaseError> {
        for setting in [
            DbConfig::SQLITE_DBCONFIG_DQS_DML,
            DbConfig::SQLITE_DBCONFIG_DQS_DDL,
        ] {
            connection.set_db_config(setting, false)?;
        }
        Ok(Database { connection })
    }

    /// Whether a file is a database that some version of warplog wrote.
    #[must_use]
    pub fn is_ours(path: &Path) -> bool {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        Connection::open_with_flags(path, flags).is_ok_and(|connection| {
            let sql = "SELECT value FROM warplog WHERE key = 'tables'";
            connection.query_row(sql, [], |_| Ok(())).is_ok()
        })
    }

    /// Opens a database file that warplog wrote, for reading.
    ///
    /// # Errors
    /// It is not there, is none, or is none of ours.
    pub fn open(path: &Path) -> Result<Self, DatabaseError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let connection = Connection::open_with_flags(path, flags)?;
        let ours = connection
            .query_row(
                "SELECT value FROM warplog WHERE key = 'tables'",
                [],
                |row| row.get::<_, String>(0),
            )
            .map_err(|error| match error {
                rusqlite::Error::SqliteFailure(cause, _)
                    if cause.code == rusqlite::ErrorCode::NotADatabase =>
                {
                    DatabaseError("this is no SQLite database".to_owned())
                }
                rusqlite::Error::SqliteFailure(_, Some(message))
                    if !message.contains("no such table") =>
                {
                    DatabaseError(message)
                }
                _ => DatabaseError("warplog did not write this database".to_owned()),
            })?;
        if ours != VERSION.to_string() {
            return Err(DatabaseError(format!(
                "its tables have version {ours}, this warplog reads version {VERSION}"
            )));
        }
        Database::of(connection)
    }

    /// Adds the tables of facts, filled.
    ///
    /// # Errors
    /// Memory runs out, or the tables are there already.
    pub fn add_facts(&mut self, facts: &Facts) -> Result<(), DatabaseError> {
        self.fill(|fill| {
            facts.relations.visit(fill)?;
            term_relations(&facts.terms).visit(fill)
        })
    }

    /// Adds the tables of derived relations, filled with the rows of each part in order.
    ///
    /// # Errors
    /// As [`Database::add_facts`].
    pub fn add_derived(&mut self, derived: &[Derived]) -> Result<(), DatabaseError> {
        self.fill(|fill| {
            // The tables are there even if nothing was derived.
            Derived::default().visit(fill)?;
            derived.iter().try_for_each(|derived| derived.visit(fill))
        })
    }

    /// Adds the tables of findings, filled, and the solver's answers if they are known.
    ///
    /// # Errors
    /// As [`Database::add_facts`].
    pub fn add_report(&mut self, report: &Report, answers: &[Answer]) -> Result<(), DatabaseError> {
        let transaction = self.connection.transaction()?;
        tables::fill(&transaction, report, answers)?;
        if let Some(incomplete) = report.incomplete {
            let far = format!("{} of {} files", incomplete.done, incomplete.files);
            transaction.execute("INSERT INTO warplog VALUES ('incomplete', ?1)", (far,))?;
        }
        transaction.commit()?;
        Ok(())
    }

    /// Adds the views; the tables of facts, derived relations and findings must be there.
    ///
    /// # Errors
    /// A table is missing.
    pub fn add_views(&mut self) -> Result<(), DatabaseError> {
        Ok(self.connection.execute_batch(&views::definitions())?)
    }

    /// The names of the kernels whose facts it has; none if it has no facts.
    #[must_use]
    pub fn kernels(&self) -> Vec<String> {
        let rows = self.query("SELECT DISTINCT name FROM kernel");
        let rows = rows.map_or_else(|_| Vec::new(), |rows| rows.rows);
        let names = rows.into_iter().flatten();
        names
            .filter_map(|value| match value {
                Value::Text(name) => Some(name),
                _ => None,
            })
            .collect()
    }

    /// The bytes of the database as a file has them.
    ///
    /// # Errors
    /// Memory runs out.
    pub fn bytes(&mut self) -> Result<Vec<u8>, DatabaseError> {
        let data = self.connection.serialize(rusqlite::MAIN_DB)?;
        Ok(data.to_vec())
    }

    fn fill(
        &mut self,
        function: impl FnOnce(&mut fill::Fill<'_>) -> Result<(), rusqlite::Error>,
    ) -> Result<(), DatabaseError> {
        let transaction = self.connection.transaction()?;
        function(&mut fill::Fill {
            connection: &transaction,
        })?;
        transaction.commit()?;
        Ok(())
    }
}
