//! Facts as a folder of CSV files: written, and read back strictly.
//!
//! **Writing.** One file `<relation>.csv` for each relation, the terms as `term` and `term_arg`;
//! a header line of column names, then one row a line (RFC 4180, `\n` line ends; a cell with a
//! quote, comma or line end is quoted). The schema page (`schema.md`) and the declarations for
//! other Datalog engines (`facts.dl`) go with it.
//!
//! **Reading.** Facts may be edited by hand or made by another tool, so nothing is taken on
//! trust: any deviation is refused with file and line, and what is accepted satisfies
//! [`crate::check`]. Facts that are written and read back are equal, ids included.
//! Files of other names in the folder are left alone.

mod records;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use smallvec::SmallVec;

use crate::check::{self, Problem};
use crate::derived::Derived;
use crate::facts::Facts;
use crate::relation::{Row, Visit, VisitMut};
use crate::schema::{Relations, TermArgRow, TermRelations, TermRow};
use crate::schema_page;
use crate::term::{Term, TermStore};
use records::Records;

/// Version of the folder's format: changes with every change of the schema that an older reader
/// would not understand.
pub const VERSION: u32 = 1;

/// Name of the file that holds the version.
const VERSION_FILE: &str = "version.csv";

/// Name of the page that describes the relations.
const SCHEMA_FILE: &str = "schema.md";

/// Name of the file that declares the relations for other engines.
const DECLARATIONS_FILE: &str = "facts.dl";

/// Why a folder of facts could not be written or read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{}: {message}", path.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct FolderError {
    /// File, or the folder itself.
    pub path: PathBuf,
    /// Line from 1, when it is about one.
    pub line: Option<u32>,
    /// What was expected, and what was found.
    pub message: String,
}

impl FolderError {
    fn io(path: &Path, doing: &str, error: &std::io::Error) -> Self {
        let message = match error.kind() {
            std::io::ErrorKind::NotFound => format!("{doing} failed: no such file or folder"),
            _ => format!("{doing} failed: {error}"),
        };
        FolderError {
            path: path.to_owned(),
            line: None,
            message,
        }
    }
}

/// The first file of a folder that facts would replace, or derived relations, though no facts were written there before: it
/// holds something else.
#[must_use]
pub fn foreign(dir: &Path) -> Option<PathBuf> {
    if is_ours(dir) {
        return None;
    }
    let fixed = [VERSION_FILE, SCHEMA_FILE, DECLARATIONS_FILE];
    let relations = [
        Relations::RELATIONS,
        TermRelations::RELATIONS,
        Derived::RELATIONS,
    ];
    let names = relations
        .into_iter()
        .flatten()
        .map(|relation| file_name(relation.name));
    fixed
        .into_iter()
        .map(str::to_owned)
        .chain(names)
        .map(|name| dir.join(name))
        .find(|path| path.symlink_metadata().is_ok())
}

/// Whether facts of some version are in the folder.
fn is_ours(dir: &Path) -> bool {
    fs::read_to_string(dir.join(VERSION_FILE)).is_ok_and(|text| {
        let mut lines = text.trim_start_matches('\u{feff}').lines();
        lines.next() == Some("version") && lines.next().is_some_and(|n| n.parse::<u32>().is_ok())
    })
}

/// Removes derived relations from a folder of facts: those of facts that were there before say nothing of these.
///
/// # Errors
/// A file cannot be removed.
pub fn remove_derived(dir: &Path) -> Result<(), FolderError> {
    for relation in Derived::RELATIONS {
        let path = dir.join(file_name(relation.name));
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                return Err(FolderError::io(&path, "removing", &error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Lets files be written into a folder that is not seen, and moves them to their places when all of them are there: a disk that is full leaves
/// what stood in the folder before, or nothing. Derived relations of before are removed.
///
/// # Errors
/// Those of writing, with the places that the files were to have.
pub fn replace(
    dir: &Path,
    fill: impl FnOnce(&Path) -> Result<(), FolderError>,
) -> Result<(), FolderError> {
    let is_new = !dir.exists();
    fs::create_dir_all(dir).map_err(|error| FolderError::io(dir, "making the folder", &error))?;
    let hidden = dir.join(format!(".warplog-{}.tmp", std::process::id()));
    let placed = fill(&hidden)
        .map_err(|mut error| {
            if let Ok(name) = error.path.strip_prefix(&hidden) {
                error.path = dir.join(name);
            }
            error
        })
        .and_then(|()| {
            remove_derived(dir)?;
            let cannot = |error: &std::io::Error| FolderError::io(dir, "writing", error);
            for entry in fs::read_dir(&hidden).map_err(|error| cannot(&error))? {
                let entry = entry.map_err(|error| cannot(&error))?;
                let place = dir.join(entry.file_name());
                fs::rename(entry.path(), &place)
                    .map_err(|error| FolderError::io(&place, "writing", &error))?;
            }
            Ok(())
        });
    // What is left of it is nobody's.
    let _ = fs::remove_dir_all(&hidden);
    if placed.is_err() && is_new {
        // Unless something else stands in it by now.
        let _ = fs::remove_dir(dir);
    }
    placed
}

/// Writes facts into a folder, which is made if it does not exist; files of its names in it are
/// replaced.
pub fn write(facts: &Facts, dir: &Path) -> Result<(), FolderError> {
    fs::create_dir_all(dir).map_err(|error| FolderError::io(dir, "making the folder", &error))?;
    let mut save = Save { dir };
    save.file(VERSION_FILE, format!("version\n{VERSION}\n").as_bytes())?;
    save.file(SCHEMA_FILE, schema_page::page().as_bytes())?;
    save.file(DECLARATIONS_FILE, schema_page::declarations().as_bytes())?;
    facts.relations.visit(&mut save)?;
    term_relations(&facts.terms).visit(&mut save)
}

/// Writes derived relations into a folder: one CSV file each, as for facts. The parts, whose ids are those of one fact set,
/// follow each other.
pub fn write_derived(parts: &[Derived], dir: &Path) -> Result<(), FolderError> {
    fs::create_dir_all(dir).map_err(|error| FolderError::io(dir, "making the folder", &error))?;
    let mut all = Derived::default();
    for part in parts {
        all.append(part.clone());
    }
    all.visit(&mut Save { dir })
}

/// The terms as relations.
pub fn term_relations(terms: &TermStore) -> TermRelations {
    let mut relations = TermRelations::default();
    for (id, term) in terms.iter() {
        relations.term.push(TermRow {
            term: id,
            op: term.op,
            ty: term.ty,
            payload: term.payload,
        });
        for (&arg, position) in term.args.iter().zip(0u32..) {
            relations.term_arg.push(TermArgRow {
                term: id,
                position,
                arg,
            });
        }
    }
    relations
}

struct Save<'d> {
    dir: &'d Path,
}

impl Save<'_> {
    fn file(&self, name: &str, bytes: &[u8]) -> Result<(), FolderError> {
        let path = self.dir.join(name);
        fs::write(&path, bytes).map_err(|error| FolderError::io(&path, "writing", &error))
    }
}

impl Visit for Save<'_> {
    type Error = FolderError;
    fn visit<R: Row>(&mut self, rows: &[R]) -> Result<(), FolderError> {
        let name = file_name(R::INFO.name);
        let path = self.dir.join(&name);
        let failed = |message: String| FolderError {
            path: path.clone(),
            line: None,
            message,
        };
        let mut writer = csv::Writer::from_writer(Vec::new());
        let header = R::INFO.columns.iter().map(|column| column.name);
        writer
            .write_record(header)
            .map_err(|error| failed(error.to_string()))?;
        for row in rows {
            writer
                .write_record(row.write())
                .map_err(|error| failed(error.to_string()))?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| failed(error.to_string()))?;
        self.file(&name, &bytes)
    }
}

fn file_name(relation: &str) -> String {
    format!("{relation}.csv")
}

/// Reads facts from a folder.
pub fn read(dir: &Path) -> Result<Facts, FolderError> {
    let mut load = Load {
        dir,
        lines: BTreeMap::new(),
    };
    load.version()?;
    let mut facts = Facts::default();
    facts.relations.visit_mut(&mut load)?;
    let mut terms = TermRelations::default();
    terms.visit_mut(&mut load)?;
    facts.terms = term_store(&terms).map_err(|problem| load.at(problem))?;
    check::check(&facts).map_err(|problem| load.at(problem))?;
    Ok(facts)
}

struct Load<'d> {
    dir: &'d Path,
    /// The line of each row of the relations read so far.
    lines: BTreeMap<&'static str, Vec<u32>>,
}

impl Load<'_> {
    fn text(&self, name: &str) -> Result<String, FolderError> {
        let path = self.dir.join(name);
        let bytes = fs::read(&path).map_err(|error| FolderError::io(&path, "reading", &error))?;
        String::from_utf8(bytes).map_err(|error| {
            let valid = error.utf8_error().valid_up_to();
            let before = error.as_bytes()[..valid]
                .iter()
                .filter(|&&byte| byte == b'\n')
                .count();
            FolderError {
                path,
                line: Some(u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1)),
                message: "expected UTF-8 text".to_owned(),
            }
        })
    }

    fn version(&self) -> Result<(), FolderError> {
        let text = self.text(VERSION_FILE)?;
        let path = self.dir.join(VERSION_FILE);
        let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
        let (line, message) = match lines.as_slice() {
            ["version", version] if *version == VERSION.to_string() => return Ok(()),
            ["version", version, ..] => {
                let shown = crate::column::shown(version);
                (
                    2,
                    format!("expected version {VERSION} and nothing after it, found `{shown}`"),
                )
            }
            ["version"] => (2, format!("expected version {VERSION}")),
            _ => (1, "expected a column `version`".to_owned()),
        };
        Err(FolderError {
            path,
            line: Some(line),
            message,
        })
    }

    /// A problem of the facts as one of the folder.
    fn at(&self, problem: Problem) -> FolderError {
        FolderError {
            path: self.dir.join(file_name(problem.relation)),
            line: self
                .lines
                .get(problem.relation)
                .and_then(|lines| lines.get(problem.row))
                .copied(),
            message: problem.message,
        }
    }
}

impl VisitMut for Load<'_> {
    type Error = FolderError;
    fn visit<R: Row>(&mut self, rows: &mut Vec<R>) -> Result<(), FolderError> {
        let info = R::INFO;
        let name = file_name(info.name);
        let text = self.text(&name)?;
        let path = self.dir.join(&name);
        let refuse = |(line, message): (u32, String)| FolderError {
            path: path.clone(),
            line: Some(line),
            message,
        };
        let mut lines = Vec::new();
        let mut records = Records::new(&text);
        let mut cells = Vec::new();
        if records.next(&mut cells).map_err(refuse)?.is_none() {
            return Err(refuse((1, "expected a line of column names".to_owned())));
        }
        // A line without anything has no cell.
        if let [cell] = cells.as_slice()
            && cell.is_empty()
        {
            cells.clear();
        }
        for (index, column) in info.columns.iter().enumerate() {
            match cells.get(index) {
                Some(cell) if cell.as_ref() == column.name => {}
                Some(cell) => {
                    let (expected, found) = (column.name, crate::column::shown(cell));
                    return Err(refuse((
                        1,
                        format!("expected column `{expected}`, found `{found}`"),
                    )));
                }
                None => return Err(refuse((1, format!("column `{}` is missing", column.name)))),
            }
        }
        if let Some(extra) = cells.get(info.columns.len()) {
            return Err(refuse((
                1,
                format!("unexpected column `{}`", crate::column::shown(extra)),
            )));
        }
        while let Some(line) = records.next(&mut cells).map_err(refuse)? {
            if cells.len() != info.columns.len() {
                let (expected, found) = (info.columns.len(), cells.len());
                return Err(refuse((
                    line,
                    format!("expected {expected} cells, found {found}"),
                )));
            }
            let texts: SmallVec<[&str; 12]> = cells.iter().map(|cell| cell.as_ref()).collect();
            let row = R::read(&texts).map_err(|(index, message)| {
                let column = info.columns.get(index).map_or("", |column| column.name);
                refuse((line, format!("column `{column}`: {message}")))
            })?;
            rows.push(row);
            lines.push(line);
        }
        self.lines.insert(info.name, lines);
        Ok(())
    }
}

/// The store of terms that stand as relations, with their ids.
fn term_store(relations: &TermRelations) -> Result<TermStore, Problem> {
    check::rows(&relations.term, &[])?;
    let problem = |row: usize, message: String| Problem {
        relation: "term_arg",
        row,
        message,
    };
    let mut args: Vec<SmallVec<[(u32, usize); 3]>> = vec![SmallVec::new(); relations.term.len()];
    for (row, arg) in relations.term_arg.iter().enumerate() {
        match args.get_mut(arg.term.index()) {
            Some(of_term) => of_term.push((arg.position, row)),
            None => {
                return Err(problem(
                    row,
                    format!("column `term`: `term` has no row with id {}", arg.term.0),
                ));
            }
        }
    }
    let mut store = TermStore::default();
    for (node, of_term) in relations.term.iter().zip(&mut args) {
        of_term.sort_unstable();
        for (&(position, row), expected) in of_term.iter().zip(0u32..) {
            if position != expected {
                let message = format!(
                    "expected position {expected} of term {}, found {position}",
                    node.term.0
                );
                return Err(problem(row, message));
            }
            let arg = relations.term_arg[row].arg;
            if arg >= node.term {
                let message = format!(
                    "expected an argument before term {}, found {}",
                    node.term.0, arg.0
                );
                return Err(problem(row, message));
            }
        }
        store.push(Term {
            op: node.op,
            ty: node.ty,
            payload: node.payload,
            args: of_term
                .iter()
                .map(|&(_, row)| relations.term_arg[row].arg)
                .collect(),
        });
    }
    Ok(store)
}
