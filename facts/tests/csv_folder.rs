//! Facts written to a folder and read back; damaged folders.

mod common;

use std::fs;
use std::path::Path;

use common::loop_kernel;
use proptest::prelude::*;
use warplog_facts::check::check;
use warplog_facts::relation::RelationInfo;
use warplog_facts::schema::TermRelations;
use warplog_facts::{Derived, Facts, Relations, Term, csv_folder};

/// Relations and terms, in a form that can be compared.
fn parts(facts: &Facts) -> (&Relations, Vec<Term>) {
    (
        &facts.relations,
        facts.terms.iter().map(|(_, term)| term.clone()).collect(),
    )
}

fn written(facts: &Facts) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    csv_folder::write(facts, dir.path()).unwrap();
    dir
}

fn relations() -> impl Iterator<Item = &'static RelationInfo> {
    Relations::RELATIONS.iter().chain(TermRelations::RELATIONS)
}

/// Replaces a line (from 1) of a file in the folder.
fn set_line(dir: &Path, file: &str, line: usize, new: &str) {
    let path = dir.join(file);
    let text = fs::read_to_string(&path).unwrap();
    let mut lines: Vec<&str> = text.lines().collect();
    assert!(line <= lines.len(), "{file} has {} lines", lines.len());
    lines[line - 1] = new;
    fs::write(path, lines.join("\n") + "\n").unwrap();
}

fn append(dir: &Path, file: &str, text: &str) {
    let path = dir.join(file);
    let mut old = fs::read_to_string(&path).unwrap();
    old.push_str(text);
    fs::write(path, old).unwrap();
}

/// What reading the folder says, its path cut to the file name.
fn refusal(dir: &Path) -> String {
    let error = csv_folder::read(dir).expect_err("the folder is damaged");
    error
        .to_string()
        .replace(&format!("{}/", dir.display()), "")
}

#[test]
fn facts_are_read_back_as_they_were() {
    let facts = loop_kernel();
    check(&facts).unwrap();
    let dir = written(&facts);
    let back = csv_folder::read(dir.path()).unwrap();
    assert_eq!(parts(&facts), parts(&back));
    // Every relation with rows in the example proves its columns; few have none.
    let again = written(&back);
    for info in relations() {
        let name = format!("{}.csv", info.name);
        assert_eq!(
            fs::read(dir.path().join(&name)).unwrap(),
            fs::read(again.path().join(&name)).unwrap()
        );
    }
}

#[test]
fn merged_facts_are_read_back_with_their_duplicate_terms() {
    let mut facts = loop_kernel();
    facts.append(loop_kernel());
    let back = csv_folder::read(written(&facts).path()).unwrap();
    assert_eq!(parts(&facts), parts(&back));
    assert_eq!(back.terms.len(), 2 * loop_kernel().terms.len());
}

#[test]
fn no_facts_are_facts() {
    let back = csv_folder::read(written(&Facts::default()).path()).unwrap();
    assert_eq!(parts(&back), parts(&Facts::default()));
}

#[test]
fn every_file_is_needed_and_named_when_missing() {
    let dir = written(&loop_kernel());
    for info in relations() {
        let name = format!("{}.csv", info.name);
        let text = fs::read(dir.path().join(&name)).unwrap();
        fs::remove_file(dir.path().join(&name)).unwrap();
        assert_eq!(
            refusal(dir.path()),
            format!("{name}: reading failed: no such file or folder")
        );
        fs::write(dir.path().join(&name), text).unwrap();
    }
    fs::remove_file(dir.path().join("version.csv")).unwrap();
    assert_eq!(
        refusal(dir.path()),
        "version.csv: reading failed: no such file or folder"
    );
}

#[test]
fn every_column_is_needed_in_its_place() {
    let dir = written(&loop_kernel());
    for info in relations() {
        let name = format!("{}.csv", info.name);
        let text = fs::read_to_string(dir.path().join(&name)).unwrap();
        let names: Vec<&str> = info.columns.iter().map(|column| column.name).collect();
        let (first, last) = (names[0], names[names.len() - 1]);
        for (header, message) in [
            (
                names[..names.len() - 1].join(","),
                format!("column `{last}` is missing"),
            ),
            (
                names.join(",") + ",more",
                "unexpected column `more`".to_owned(),
            ),
            (
                names.join(",").replacen(first, "misnamed", 1),
                format!("expected column `{first}`, found `misnamed`"),
            ),
            (
                names.iter().rev().copied().collect::<Vec<_>>().join(","),
                format!("expected column `{first}`, found `{last}`"),
            ),
        ] {
            // One column stands in one order only.
            if header == names.join(",") {
                continue;
            }
            let (_, rows) = text.split_once('\n').unwrap();
            fs::write(dir.path().join(&name), format!("{header}\n{rows}")).unwrap();
            assert_eq!(refusal(dir.path()), format!("{name}:1: {message}"));
        }
        fs::write(dir.path().join(&name), "").unwrap();
        assert_eq!(
            refusal(dir.path()),
            format!("{name}:1: expected a line of column names")
        );
        fs::write(dir.path().join(&name), text).unwrap();
    }
    csv_folder::read(dir.path()).unwrap();
}

#[test]
fn damage_is_told_with_file_and_line() {
    for (file, line, new, message) in [
        ("kernel.csv", 2, "0,k", "expected 3 cells, found 2"),
        ("kernel.csv", 2, "0,k,0,1", "expected 3 cells, found 4"),
        ("kernel.csv", 2, "", "expected 3 cells, found 1"),
        (
            "kernel.csv",
            2,
            "x,k,0",
            "column `kernel`: expected an id (a number), found `x`",
        ),
        (
            "kernel.csv",
            2,
            "-1,k,0",
            "column `kernel`: expected an id (a number), found `-1`",
        ),
        (
            "kernel.csv",
            2,
            "4294967296,k,0",
            "column `kernel`: expected an id (a number), found `4294967296`",
        ),
        (
            "kernel.csv",
            2,
            "1,k,0",
            "column `kernel`: expected 0 (row n has id n), found 1",
        ),
        (
            "kernel.csv",
            2,
            "0,k,7",
            "column `span`: `span` has no row with id 7",
        ),
        (
            "kernel.csv",
            2,
            "0,\"k,0",
            "a quote is opened here and never closed",
        ),
        (
            "kernel.csv",
            2,
            "0,k\"\",0",
            "quote inside a cell that does not start with one",
        ),
        (
            "launch.csv",
            2,
            "0,0,moon,0",
            "column `source`: expected one of code, flag, header, comment, configuration, symbolic, found `moon`",
        ),
        (
            "launch_dimension.csv",
            2,
            "0,block_x,99",
            "column `term`: `term` has no row with id 99",
        ),
        (
            "launch_dimension.csv",
            3,
            "0,block_x,1",
            "duplicate key (launch, dimension): an earlier row has the same",
        ),
        (
            "array.csv",
            2,
            "0,0,s,shared,0,0,256,0",
            "expected an element size of at least 1 byte",
        ),
        (
            "array.csv",
            2,
            "0,0,s,shared,0,4,-1,0",
            "column `bytes`: expected a number (u64), found `-1`",
        ),
        (
            "access.csv",
            2,
            "0,3,0,read,,system,1,4,,false,0",
            "expected an index of type i64, found u32",
        ),
        (
            "access.csv",
            2,
            "0,3,0,read,,system,13,4,,maybe,0",
            "column `volatile`: expected `true` or `false`, found `maybe`",
        ),
        (
            "access.csv",
            2,
            "0,2,0,read,,system,13,4,,false,0",
            "expected a point of kind access, found point 2 of kind branch",
        ),
        (
            "term.csv",
            2,
            "0,const,u32,-1",
            "operator `const`: expected a value of type u32, found -1",
        ),
        (
            "term.csv",
            2,
            "0,const,float,1",
            "column `ty`: unknown C type `float`",
        ),
        (
            "term.csv",
            2,
            "0,constant,u32,1",
            "column `op`: unknown operator `constant`",
        ),
        (
            "term.csv",
            5,
            "3,symbol,i32,1",
            "operator `symbol`: payload: `symbol` has no row with id 1",
        ),
        (
            "term.csv",
            6,
            "4,iter,i64,9",
            "operator `iter`: payload: `loop` has no row with id 9",
        ),
        (
            "term_arg.csv",
            2,
            "5,1,4",
            "expected position 0 of term 5, found 1",
        ),
        (
            "term_arg.csv",
            2,
            "5,0,5",
            "expected an argument before term 5, found 5",
        ),
        (
            "term_arg.csv",
            2,
            "99,0,4",
            "column `term`: `term` has no row with id 99",
        ),
        (
            "guard_at.csv",
            2,
            "2,1,6,true,loop,1",
            "expected position 0 at point 2, found 1",
        ),
        (
            "cfg_edge.csv",
            2,
            "1,0",
            "expected an edge to a later point, or a row of back_edge for it",
        ),
        (
            "point.csv",
            2,
            "0,0,exit,0",
            "expected the first point of launch 0, and no other, to be of kind entry",
        ),
        (
            "loop.csv",
            2,
            "0,0,0,1,6,false,",
            "expected parent none (the innermost loop around)",
        ),
        (
            "loop.csv",
            2,
            "0,0,,2,6,false,",
            "expected a point of kind loop_head, found point 2 of kind branch",
        ),
        (
            "version.csv",
            2,
            "2",
            "expected version 1 and nothing after it, found `2`",
        ),
    ] {
        let dir = written(&loop_kernel());
        set_line(dir.path(), file, line, new);
        assert_eq!(refusal(dir.path()), format!("{file}:{line}: {message}"));
    }
}

#[test]
fn lost_and_cut_rows_are_noticed() {
    let dir = written(&loop_kernel());
    let path = dir.path().join("launch_dimension.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(
        &path,
        text.trim_end().rsplit_once('\n').unwrap().0.to_owned() + "\n",
    )
    .unwrap();
    assert_eq!(
        refusal(dir.path()),
        "launch.csv:2: expected 6 rows of launch_dimension for launch 0, found 5"
    );
    fs::write(&path, text.trim_end()).unwrap();
    assert_eq!(
        refusal(dir.path()),
        "launch_dimension.csv:7: the last line has no line end, the file may have been cut short"
    );
    fs::write(&path, text).unwrap();
    append(dir.path(), "loop_at.csv", "7,0\n");
    csv_folder::read(dir.path()).unwrap();
    append(dir.path(), "loop_at.csv", "0,0\n");
    assert_eq!(
        refusal(dir.path()),
        "loop.csv:2: expected the head 1 to be the first point of the loop, found 0"
    );
}

#[test]
fn iterations_are_told_only_where_they_have_a_value() {
    let dir = written(&loop_kernel());
    let guards = fs::read_to_string(dir.path().join("guard_at.csv")).unwrap();
    let line = guards.lines().count() + 1;
    append(dir.path(), "guard_at.csv", "7,0,6,true,loop,1\n");
    assert_eq!(
        refusal(dir.path()),
        format!("guard_at.csv:{line}: term 6 mentions iter(0), which has no value at point 7")
    );
    // As the number of iterations it is known after the loop, and not in it.
    set_line(dir.path(), "term.csv", 6, "4,exit,i64,0");
    assert_eq!(
        refusal(dir.path()),
        "guard_at.csv:2: term 6 mentions exit(0), which has no value at point 2"
    );
    fs::write(
        dir.path().join("guard_at.csv"),
        "point,position,term,polarity,cause,cause_point\n7,0,6,true,loop,1\n",
    )
    .unwrap();
    assert_eq!(
        refusal(dir.path()),
        "loop.csv:2: term 6 mentions exit(0), which has no value at point 1"
    );
}

#[test]
fn text_that_is_not_utf8_is_refused_at_its_line() {
    let dir = written(&loop_kernel());
    fs::write(
        dir.path().join("kernel.csv"),
        b"kernel,name,span\n0,\xff,0\n",
    )
    .unwrap();
    assert_eq!(refusal(dir.path()), "kernel.csv:2: expected UTF-8 text");
}

#[test]
fn files_of_spreadsheets_are_read() {
    let facts = loop_kernel();
    let dir = written(&facts);
    let path = dir.path().join("cfg_edge.csv");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("\u{feff}{}", text.replace('\n', "\r\n"))).unwrap();
    assert_eq!(parts(&csv_folder::read(dir.path()).unwrap()), parts(&facts));
}

#[test]
fn derived_relations_are_written_like_facts() {
    let dir = tempfile::tempdir().unwrap();
    csv_folder::write_derived(&[], &dir.path().join("derived")).unwrap();
    for info in Derived::RELATIONS {
        let text = fs::read_to_string(
            dir.path()
                .join("derived")
                .join(format!("{}.csv", info.name)),
        )
        .unwrap();
        let names: Vec<&str> = info.columns.iter().map(|column| column.name).collect();
        assert_eq!(text, names.join(",") + "\n");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever happens to a file, reading refuses it with its place or gives facts that pass.
    #[test]
    fn damage_never_panics(
        file in any::<prop::sample::Index>(),
        edits in prop::collection::vec(
            (any::<prop::sample::Index>(), 0u8..4, prop::sample::select(b"0123456789,\"\n\r-x\x00\xff".to_vec())),
            1..4,
        ),
    ) {
        let dir = written(&loop_kernel());
        let all: Vec<&RelationInfo> = relations().collect();
        let path = dir.path().join(format!("{}.csv", all[file.index(all.len())].name));
        let mut bytes = fs::read(&path).unwrap();
        for (place, action, byte) in edits {
            let at = place.index(bytes.len().max(1));
            match action {
                0 => bytes.insert(at.min(bytes.len()), byte),
                1 if at < bytes.len() => bytes[at] = byte,
                2 if at < bytes.len() => { bytes.remove(at); }
                _ => bytes.truncate(at),
            }
        }
        fs::write(&path, bytes).unwrap();
        refused_or_sound(dir.path())?;
    }

    /// The same for rows and cells that are well formed.
    #[test]
    fn wrong_rows_never_panic(
        file in any::<prop::sample::Index>(),
        row in any::<prop::sample::Index>(),
        other in any::<prop::sample::Index>(),
        cell in any::<prop::sample::Index>(),
        value in 0u32..24,
        action in 0u8..4,
    ) {
        let dir = written(&loop_kernel());
        let all: Vec<&RelationInfo> = relations().collect();
        let path = dir.path().join(format!("{}.csv", all[file.index(all.len())].name));
        let text = fs::read_to_string(&path).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        if lines.len() > 1 {
            let at = 1 + row.index(lines.len() - 1);
            match action {
                0 => { lines.remove(at); }
                1 => lines.insert(1 + other.index(lines.len()), lines[at].clone()),
                2 => lines.swap(at, 1 + other.index(text.lines().count() - 1)),
                _ => {
                    let mut cells: Vec<String> = lines[at].split(',').map(str::to_owned).collect();
                    let index = cell.index(cells.len());
                    cells[index] = value.to_string();
                    lines[at] = cells.join(",");
                }
            }
        }
        fs::write(&path, lines.join("\n") + "\n").unwrap();
        refused_or_sound(dir.path())?;
    }

    /// Any text survives, byte for byte.
    #[test]
    fn texts_are_kept(name in any::<String>(), path in "[\"\r\n,a\0]{0,8}") {
        let mut facts = loop_kernel();
        facts.kernel[0].name = name;
        facts.file[0].path = path;
        let back = csv_folder::read(written(&facts).path()).unwrap();
        prop_assert_eq!(parts(&back), parts(&facts));
    }
}

fn refused_or_sound(dir: &Path) -> Result<(), TestCaseError> {
    match csv_folder::read(dir) {
        Ok(facts) => {
            prop_assert_eq!(check(&facts), Ok(()));
            // What was accepted can be written and is read back.
            let back = csv_folder::read(written(&facts).path());
            prop_assert_eq!(back.as_ref().map(parts), Ok(parts(&facts)));
        }
        Err(error) => {
            prop_assert!(error.path.starts_with(dir), "{}", error);
            prop_assert!(error.line.is_some(), "{}", error);
        }
    }
    Ok(())
}

#[test]
fn a_folder_is_replaced_whole_or_not_at_all() {
    let base = std::env::temp_dir().join(format!("warplog-replace-{}", std::process::id()));
    let dir = base.join("facts");
    let whole = Facts::default();
    // A file in the place of a folder below stands for a disk that is full.
    let full = |to: &Path| {
        csv_folder::write(&whole, to)?;
        csv_folder::write(&whole, &to.join("kernel.csv"))
    };
    let error = csv_folder::replace(&dir, full).expect_err("a full disk");
    assert!(error.path.starts_with(dir.join("kernel.csv")), "{error}");
    assert!(!dir.exists());
    csv_folder::replace(&dir, |to| csv_folder::write(&whole, to)).expect("is written");
    fs::write(dir.join("kernel.csv"), "as it was").expect("a file");
    csv_folder::replace(&dir, full).expect_err("a full disk");
    let text = fs::read_to_string(dir.join("kernel.csv"));
    assert_eq!(text.ok().as_deref(), Some("as it was"));
    csv_folder::replace(&dir, |to| csv_folder::write(&whole, to)).expect("is written");
    csv_folder::read(&dir).expect("facts");
    let hidden = fs::read_dir(&dir).expect("a folder").flatten();
    assert!(
        hidden
            .into_iter()
            .all(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."))
    );
    fs::remove_dir_all(&base).expect("is removed");
}
