//! `warplog query`: from words of the command line to a database, and one statement asked of it.
//!
//! The solver is run only if the statement names a table or view that holds what it says: the others are there in a fraction
//! of the time.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use warplog_database::{Database, Group, QueryFormat, list, page, render, tables};
use warplog_report::text::safe;

use crate::args::{QueryArgs, RowFormat};
use crate::collect::{reason, shown};
use crate::driver::{self, QuerySource, RunOptions};
use crate::options::AnalysisOptions;
use crate::pipeline::{Depth, Pipeline};
use crate::signals::EndsSoon;
use crate::{FAILED, Streams, WRONG_USE, complain, remark};

/// Answers a question and gives the exit status.
pub(crate) fn run<P: Pipeline>(
    pipeline: &P,
    args: &QueryArgs,
    options: &AnalysisOptions,
    run: RunOptions,
    streams: &mut Streams<'_>,
) -> u8 {
    let columns = streams.terminal.then_some(streams.width);
    if args.list {
        return print(&list(columns), 0, streams);
    }
    if let Some(name) = &args.describe {
        return match page(name, columns) {
            Some(page) => print(&page, 0, streams),
            None => {
                complain(streams, &no_table(name, warplog_database::similar(name)));
                WRONG_USE
            }
        };
    }
    let (file, source, sql) = match (args.words.as_slice(), args.scan.is_empty()) {
        ([sql], false) => (None, Some(QuerySource::Sources(args.scan.clone())), sql),
        ([source, sql], true) => {
            let path = PathBuf::from(source);
            if path.is_file() {
                (Some(path), None, sql)
            } else {
                (None, Some(QuerySource::Folder(path)), sql)
            }
        }
        ([_, _], false) => {
            complain(
                streams,
                "with --scan only the SQL is to be given, not a source",
            );
            return WRONG_USE;
        }
        ([_], true) => {
            complain(
                streams,
                "what to ask is missing: `warplog query SOURCE SQL`, or `--scan PATH SQL`",
            );
            return WRONG_USE;
        }
        _ => {
            complain(
                streams,
                "what to ask is missing: `warplog query SOURCE SQL`; `--list` shows the tables",
            );
            return WRONG_USE;
        }
    };
    // What is wrong with a question is known before the sources are read. It may be one that has no end.
    let ends = EndsSoon::after(&options.stop);
    if let Err(error) = empty().and_then(|empty| empty.query(sql).map(drop).map_err(Refusal::from))
    {
        complain(streams, &error.0);
        return WRONG_USE;
    }
    drop(ends);
    if let Some(message) = without_meaning(args, file.as_deref(), source.as_ref()) {
        complain(streams, &message);
        return WRONG_USE;
    }
    let mut status = 0;
    let database = match (&file, &source) {
        (Some(path), _) => match open(path) {
            Ok(database) => database,
            Err(message) => {
                complain(streams, &message);
                return FAILED;
            }
        },
        (None, Some(source)) => {
            let (database, report) = driver::database(pipeline, source, options, run, depth(sql));
            remark(&report, streams);
            if !report.errors.is_empty() {
                status = crate::failed(&report);
            }
            let Some(database) = database else {
                return FAILED;
            };
            database
        }
        (None, None) => return WRONG_USE,
    };
    let format = match args.format {
        RowFormat::Table => QueryFormat::Table,
        RowFormat::Csv => QueryFormat::Csv,
        RowFormat::Json => QueryFormat::Json,
    };
    let _ends = EndsSoon::after(&options.stop);
    match database.query(sql) {
        Ok(rows) => match render(&rows, format, columns) {
            Ok(text) => print(&text, status, streams),
            Err(error) => {
                complain(streams, &error.to_string());
                FAILED
            }
        },
        Err(error) => {
            // The question was tried on all tables before: this database lacks some of them.
            let missing = error.message.strip_prefix("no such table: ");
            let message = match (missing, &file) {
                (Some(name), Some(path)) => format!(
                    "{} holds findings only, and no table `{}`: `warplog facts --sqlite` writes one with the facts too",
                    safe(&shown(path)),
                    safe(name.trim_start_matches("main."))
                ),
                _ => Refusal::from(error).0,
            };
            complain(streams, &message);
            WRONG_USE
        }
    }
}

/// Why a flag says nothing of what is asked, if one was given: facts are as they were extracted, and a database is as it was written.
fn without_meaning(
    args: &QueryArgs,
    file: Option<&Path>,
    source: Option<&QuerySource>,
) -> Option<String> {
    let (path, what, flag) = match (file, source) {
        (Some(path), _) => {
            let flag = args.source.given().or_else(|| args.search.given())?;
            (path, "a database: it is as it was written", flag)
        }
        (None, Some(QuerySource::Folder(path))) => (
            path.as_path(),
            "a folder of facts: they are as they were extracted",
            args.source.given()?,
        ),
        _ => return None,
    };
    let name = safe(&shown(path));
    Some(format!(
        "{flag} says nothing of {name}, {what}; `--scan PATH` analyses source"
    ))
}

/// Why a question is refused, in words.
struct Refusal(String);

impl From<warplog_database::QueryError> for Refusal {
    fn from(error: warplog_database::QueryError) -> Self {
        Refusal(match error.message.strip_prefix("no such table: ") {
            Some(name) => no_table(name, error.similar),
            None => match error.similar {
                Some(column) => {
                    let what = error.message.split(" - ").next().unwrap_or_default();
                    format!("{}; did you mean `{column}`?", safe(what))
                }
                None => error.message,
            },
        })
    }
}

impl From<warplog_database::DatabaseError> for Refusal {
    fn from(error: warplog_database::DatabaseError) -> Self {
        Refusal(error.to_string())
    }
}

fn no_table(name: &str, similar: Option<&'static str>) -> String {
    let name = safe(name);
    match similar {
        Some(similar) => format!("there is no table `{name}`; did you mean `{similar}`?"),
        None => format!("there is no table `{name}`; `warplog query --list` shows them"),
    }
}

/// A database with all tables and no rows.
fn empty() -> Result<Database, Refusal> {
    let mut database = Database::new()?;
    database.add_facts(&warplog_facts::Facts::default())?;
    database.add_derived(&[])?;
    database.add_report(&warplog_report::Report::default(), &[])?;
    database.add_views()?;
    Ok(database)
}

fn open(path: &Path) -> Result<Database, String> {
    Database::open(path).map_err(|error| {
        let name = safe(&shown(path));
        // Whoever names a source means what `--scan` does.
        let meant = match path.extension().and_then(OsStr::to_str) {
            Some("cu" | "cuh" | "hip") => format!("; `--scan {name}` analyses it"),
            _ => String::new(),
        };
        format!("{name}: {error}{meant}")
    })
}

fn depth(sql: &str) -> Depth {
    if asks_for_findings(sql) {
        Depth::Findings
    } else {
        Depth::Derived
    }
}

/// Whether a statement names a table or view that the solver fills, in any spelling.
fn asks_for_findings(sql: &str) -> bool {
    let sql = sql.to_ascii_lowercase();
    tables().iter().any(|table| {
        let solved = match table.group {
            Group::Findings => true,
            Group::Views => table.columns.iter().any(|column| column.name == "answer"),
            Group::Facts | Group::Terms | Group::Derived => false,
        };
        solved && sql.contains(table.name)
    })
}

fn print(text: &str, status: u8, streams: &mut Streams<'_>) -> u8 {
    let written = streams
        .out
        .write_all(text.as_bytes())
        .and_then(|()| streams.out.flush());
    match written {
        Ok(()) => status,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => status,
        Err(error) => {
            complain(
                streams,
                &format!("cannot write the rows: {}", reason(&error)),
            );
            FAILED
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_solver_is_asked_where_its_answers_are() {
        for sql in [
            "SELECT * FROM finding",
            "select * from \"VERDICT\"",
            "SELECT answer FROM pair",
            "SELECT rule FROM pair_place",
        ] {
            assert!(asks_for_findings(sql), "{sql}");
        }
        for sql in [
            "SELECT * FROM access_place",
            "SELECT rule, count(*) FROM discarded_race",
        ] {
            assert!(!asks_for_findings(sql), "{sql}");
        }
    }
}
