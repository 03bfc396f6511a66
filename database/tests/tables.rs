//! Databases of facts and findings: every declared relation and table is there, with its columns, and reads back as written.

use warplog_database::{Database, Group, Value, list, page, tables};
use warplog_facts::relation::{Row, Visit};
use warplog_facts::words::{NoteKind, PointKind};
use warplog_facts::*;
use warplog_report::Report;

fn facts() -> Facts {
    let mut facts = Facts::default();
    facts.file.push(FileRow {
        file: FileId(0),
        path: "it's.cu".to_owned(),
        is_input: true,
    });
    facts.span.push(SpanRow {
        span: SpanId(0),
        file: FileId(0),
        start: 0,
        end: 1,
        line: 1,
        column: 1,
        end_line: 1,
        end_column: 2,
        macro_name: String::new(),
    });
    facts.note.push(NoteRow {
        file: None,
        path: "gone.cu".to_owned(),
        line: 0,
        kind: NoteKind::Error,
        text: "a\u{0}b".to_owned(),
    });
    facts.point.push(PointRow {
        point: PointId(0),
        launch: LaunchId(0),
        kind: PointKind::Entry,
        span: SpanId(0),
    });
    facts
}

fn database() -> Database {
    let mut database = Database::new().expect("a database");
    database.add_facts(&facts()).expect("facts");
    database.add_derived(&[]).expect("derived");
    database
        .add_report(&Report::default(), &[])
        .expect("a report");
    database.add_views().expect("views");
    database
}

/// What the tables must be called, from the declarations.
struct Names(Vec<&'static str>);

impl Visit for Names {
    type Error = std::convert::Infallible;
    fn visit<R: Row>(&mut self, _: &[R]) -> Result<(), Self::Error> {
        self.0.push(R::INFO.name);
        Ok(())
    }
}

#[test]
fn every_declared_relation_is_a_table_with_a_page() {
    let mut names = Names(Vec::new());
    let Ok(()) = Facts::default().relations.visit(&mut names);
    let Ok(()) = Derived::default().visit(&mut names);
    let known = tables();
    let list = list(None);
    for name in names.0 {
        assert!(known.iter().any(|table| table.name == name), "{name}");
    }
    let mut sorted: Vec<&str> = known.iter().map(|table| table.name).collect();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), known.len(), "a name is given twice");
    for table in &known {
        assert!(
            list.contains(&format!("\n  {} ", table.name)),
            "{}",
            table.name
        );
        let page = page(table.name, None).expect("a page");
        for column in &table.columns {
            assert!(!column.doc.is_empty(), "{}.{}", table.name, column.name);
            assert!(page.contains(column.doc), "{}.{}", table.name, column.name);
        }
    }
    assert_eq!(page("no_such", None), None);
}

#[test]
fn tables_and_views_have_the_columns_that_are_declared() {
    let database = database();
    for table in tables() {
        let rows = database
            .query(&format!("SELECT * FROM \"{}\"", table.name))
            .unwrap_or_else(|error| panic!("{}: {error}", table.name));
        let declared: Vec<&str> = table.columns.iter().map(|column| column.name).collect();
        assert_eq!(rows.columns, declared, "{}", table.name);
        if table.group == Group::Derived {
            assert!(rows.rows.is_empty());
        }
    }
}

#[test]
fn values_keep_their_types() {
    let database = database();
    let one = |sql: &str| database.query(sql).expect(sql).rows;
    assert_eq!(
        one("SELECT file, path, is_input FROM file"),
        [vec![
            Value::Integer(0),
            Value::Text("it's.cu".to_owned()),
            Value::Integer(1)
        ]]
    );
    assert_eq!(
        one("SELECT file, line, kind, text FROM note"),
        [vec![
            Value::Null,
            Value::Integer(0),
            Value::Text("error".to_owned()),
            Value::Text("a\u{0}b".to_owned())
        ]]
    );
}

#[test]
fn only_reading_is_allowed() {
    let database = database();
    for sql in [
        "DELETE FROM file",
        "CREATE TABLE t(x)",
        "ATTACH '/tmp/other.db' AS other",
        "PRAGMA journal_mode = WAL",
        "SELECT 1; DELETE FROM file",
        "",
        "-- nothing",
    ] {
        assert!(database.query(sql).is_err(), "{sql}");
    }
    let error = database
        .query("SELECT * FROM acess")
        .expect_err("no such table");
    assert_eq!(error.similar, Some("access"));
    assert_eq!(
        database
            .query("SELECT count(*) FROM file")
            .expect("reads")
            .rows,
        [[Value::Integer(1)]]
    );
}

#[test]
fn files_are_read_back_and_others_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("facts.db");
    let bytes = database().bytes().expect("bytes");
    assert_eq!(
        bytes,
        database().bytes().expect("bytes"),
        "not the same every time"
    );
    std::fs::write(&path, &bytes).expect("a file");
    let opened = Database::open(&path).expect("opens");
    assert_eq!(
        opened
            .query("SELECT path FROM file")
            .expect("reads")
            .rows
            .len(),
        1
    );
    for (name, bytes) in [
        ("empty", &b""[..]),
        ("text", b"not a database, but long enough to be one"),
    ] {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("a file");
        assert!(Database::open(&path).is_err(), "{name}");
    }
    assert!(Database::open(&folder.path().join("gone")).is_err());
    assert!(!folder.path().join("gone").exists());
}

#[test]
fn the_page_of_the_book_has_every_table_of_findings_and_every_view() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/tables.md");
    let committed = std::fs::read_to_string(committed).expect("the page");
    assert!(
        committed == warplog_database::reference(),
        "docs/tables.md is behind: `make generate`"
    );
    for table in tables() {
        let told = committed.contains(&format!("\n### {}\n", table.name));
        assert_eq!(
            told,
            matches!(table.group, Group::Findings | Group::Views),
            "{}",
            table.name
        );
        // Every column says more than its own name.
        for column in &table.columns {
            assert!(
                table.group != Group::Views
                    || !column.doc.eq_ignore_ascii_case(column.name) && !column.doc.is_empty(),
                "{}.{}",
                table.name,
                column.name
            );
        }
    }
}

#[test]
fn a_name_in_double_quotes_is_never_a_text() {
    let mut database = Database::new().expect("a database");
    database.add_facts(&facts()).expect("facts");
    let error = database
        .query("SELECT count(*) FROM point WHERE \"nosuch\" = 3")
        .expect_err("no such column");
    assert!(error.message.contains("nosuch"), "{error}");
    assert!(database.query("SELECT \"kind\" FROM point").is_ok());
    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), database.bytes().expect("bytes")).expect("writes");
    let opened = Database::open(file.path()).expect("opens");
    assert!(opened.query("SELECT \"nosuch\"").is_err());
}
