//! From CUDA source text to relational facts.
//!
//! [`preprocess`] expands macros and keeps the way back to the files; [`syntax`] reads the
//! expanded text; lowering evaluates the kernels symbolically. Extraction never fails: what is not
//! understood is in the facts as `unsupported`, and an input that is no text is an error of its own.

mod assume;
pub mod embedded;
mod lower;
pub mod preprocess;
mod summary;
pub mod syntax;

pub use summary::{InactiveKernel, MissingHeader, Summary};

use std::path::Path;

use warplog_facts::words::{LaunchSource, NoteKind};
use warplog_facts::{
    AssumptionRow, Facts, FileId, LaunchDoubtRow, LaunchId, NoteRow, SpanId, SpanRow,
};

/// How to extract.
pub struct Options<'a> {
    /// Macros and include folders.
    pub preprocess: preprocess::Config,
    /// The launch of a kernel, by name, that overrides those in the code.
    pub launch: &'a dyn Fn(&str) -> Option<GivenLaunch>,
    /// Lanes that the header says run in lock-step.
    pub warp_sync: Option<u32>,
    /// Leave annotations out.
    pub no_annotations: bool,
    /// What is assumed of kernels besides what the file says: expressions, see [`check_assumption`].
    pub assume: &'a [String],
    /// By the number of the assumption, the kernels that it is made of, without template arguments; all where it names none, or has no
    /// entry.
    pub assume_in: &'a [Vec<String>],
    /// Names of rules that a comment may allow.
    pub rules: &'a [&'a str],
    /// Use functions with contracts by these, where that is possible.
    pub modular: bool,
    /// Leave a kernel undecided whose arguments may be one allocation, rather than assume that they are not.
    pub strict_aliasing: bool,
    /// Ask of what a kernel asserts about its arguments and its launch whether it holds, too, instead of taking it as the caller's duty.
    pub check_assertions: bool,
    /// Leave the arguments of launches open: no parameter has the value that host code passes.
    pub open_arguments: bool,
    /// Where included files come from.
    pub files: &'a dyn preprocess::FileSystem,
    /// The part of the file that is the unit, by its number among [`embedded::parts`], and which of the launches of its kernels that the
    /// file makes is looked at; none if the unit is the file itself.
    pub part: Option<(usize, usize)>,
    /// Which kernels are wanted, by name.
    pub wants: &'a dyn Fn(&str) -> bool,
    /// Whether a header is only there for what others make of it: its kernels are not wanted.
    pub is_context: &'a dyn Fn(&Path) -> bool,
    /// The program that the file is a part of, if others of its files are to be followed.
    pub program: Option<&'a Program>,
    /// Told of each step before it is done, for who waits.
    pub begun: &'a dyn Fn(Step<'_>),
}

/// Files whose host code is followed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What tells it from all other programs, and from itself at another time.
    pub id: String,
    /// All its files, in order.
    pub files: Vec<ProgramFile>,
    /// No other file that is known of names what these define.
    pub is_whole: bool,
}

/// A file of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProgramFile {
    /// Where it is.
    pub path: std::path::PathBuf,
    /// Its name in reports.
    pub shown: String,
    /// Its macros and include folders.
    pub preprocess: preprocess::Config,
    /// Whether it is C, where functions have no overloads.
    pub is_c: bool,
}

/// A step of extraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// Macros are expanded.
    Preprocess,
    /// The text is parsed.
    Parse,
    /// Host code is run symbolically, for launches.
    HostCode,
    /// A kernel of this name is lowered.
    Kernel(&'a str),
}

/// A launch from flags, from the header of the file, or from the configuration.
#[derive(Clone, Copy, Debug)]
pub struct GivenLaunch {
    /// Which of them.
    pub source: LaunchSource,
    /// blockDim, when given.
    pub block_dim: Option<[u64; 3]>,
    /// gridDim, when given.
    pub grid_dim: Option<[u64; 3]>,
}

/// The facts of a file, whose bytes may be anything. Included files are looked up from the folder
/// of `path`; `shown` is its name in reports.
///
/// # Errors
/// When the bytes are no text.
pub fn extract(
    path: &Path,
    shown: &str,
    bytes: &[u8],
    options: &Options<'_>,
) -> Result<Facts, preprocess::PreprocessError> {
    extract_with_summary(path, shown, bytes, options).map(|(facts, _)| facts)
}

/// The facts of a file, and what the unit is made of.
///
/// # Errors
/// When the bytes are no text.
pub fn extract_with_summary(
    path: &Path,
    shown: &str,
    bytes: &[u8],
    options: &Options<'_>,
) -> Result<(Facts, Summary), preprocess::PreprocessError> {
    (options.begun)(Step::Preprocess);
    let part = options.part.map(|(number, _)| {
        let mut parts = embedded::parts(embedded::Host::of(path), bytes);
        match number < parts.len() {
            true => parts.swap_remove(number),
            false => embedded::Part::default(),
        }
    });
    let visible = part.as_ref().map(|part| part.visible(bytes));
    let own = visible.as_deref().unwrap_or(bytes);
    let text = assume::append(own, options.assume);
    let pre = match &part {
        Some(part) => {
            let config = assume::with_pieces(&options.preprocess, part, own, &text);
            preprocess::preprocess_with(path, &text, &config, options.files)?
        }
        None => preprocess::preprocess_with(path, &text, &options.preprocess, options.files)?,
    };
    (options.begun)(Step::Parse);
    let unit = syntax::parse_as(&pre.text, options.preprocess.has_char8());
    let (Some(part), Some((_, round)), Some(file)) = (&part, options.part, pre.files.first())
    else {
        let summary = summary::summary(&pre, &unit);
        return Ok((lower(&pre, shown, &unit, options), summary));
    };
    let launch = |kernel: &str| {
        (options.launch)(kernel).or_else(|| {
            part.launch_in(kernel, round).map(|launch| GivenLaunch {
                source: LaunchSource::Code,
                block_dim: launch.block,
                grid_dim: launch.grid,
            })
        })
    };
    let options = Options {
        launch: &launch,
        preprocess: options.preprocess.clone(),
        ..*options
    };
    let mut facts = lower(&pre, shown, &unit, &options);
    tell(part, file, &mut facts);
    launched(part, round, file, &mut facts);
    Ok((facts, summary::summary(&pre, &unit)))
}

/// Tells of a part what its launches take for granted.
fn tell(part: &embedded::Part, file: &preprocess::SourceFile, facts: &mut Facts) {
    let [left_out, stands, loose, open] = embedded::UNKNOWN_TEXTS;
    let line = |start: usize| file.line(u32::try_from(start).unwrap_or(u32::MAX));
    let of_hole = |hole: &embedded::Hole| {
        let (written, line) = (&hole.written, line(hole.start));
        match hole.name.is_empty() {
            true => format!("the text of `{written}` in line {line}, {left_out}"),
            false => format!("`{written}` in line {line} {stands}"),
        }
    };
    let mut texts: Vec<String> = part.holes.iter().map(of_hole).collect();
    if part.is_loose
        && let Some(piece) = part.pieces.first()
    {
        let line = file.line(piece.start);
        texts.push(format!("the string in line {line} {loose}"));
    }
    if let Some(options) = &part.open_options {
        let (written, line) = (&options.written, line(options.start));
        texts.push(format!(
            "the options of the compiler `{written}` in line {line}, {open}"
        ));
    }
    if let (Some(cell), Some(piece)) = (part.cell, part.pieces.first()) {
        let input = facts.file.iter().position(|row| row.is_input);
        let path = input.map_or_else(String::new, |input| facts.file[input].path.clone());
        facts.note.push(NoteRow {
            file: input.map(FileId::from_index),
            path,
            line: line(piece.start as usize),
            kind: NoteKind::Note,
            text: format!("this is cell {cell}"),
        });
    }
    let launches: Vec<LaunchId> = facts.launch.iter().map(|row| row.launch).collect();
    for launch in launches {
        for text in &texts {
            facts.assumption.push(AssumptionRow {
                launch,
                text: text.clone(),
            });
        }
    }
}

/// Gives launches that the program around a part makes their places, and says of others that it makes some that are not known.
fn launched(part: &embedded::Part, round: usize, file: &preprocess::SourceFile, facts: &mut Facts) {
    let names: Vec<String> = facts.kernel.iter().map(|row| row.name.clone()).collect();
    let input = facts.file.iter().position(|row| row.is_input);
    let mut launches = std::mem::take(&mut facts.launch);
    for row in &mut launches {
        let Some(kernel) = names.get(row.kernel.index()) else {
            continue;
        };
        match (row.source, part.launch_in(kernel, round)) {
            (LaunchSource::Code, Some(launch)) if row.span.is_none() => {
                row.span = input.map(|input| span_of(&launch.range, input, file, facts));
            }
            (LaunchSource::Symbolic, None) => {
                if let Some(launch) = part.unread_launch(kernel) {
                    let line = file.line(u32::try_from(launch.range.start).unwrap_or(u32::MAX));
                    facts.launch_doubt.push(LaunchDoubtRow {
                        launch: row.launch,
                        reason: format!(
                            "the launch in line {line}, whose sizes or whose kernel are not known"
                        ),
                    });
                }
            }
            _ => {}
        }
    }
    facts.launch = launches;
}

/// A new span for some bytes of the input.
fn span_of(
    range: &std::ops::Range<usize>,
    input: usize,
    file: &preprocess::SourceFile,
    facts: &mut Facts,
) -> SpanId {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let (start, end) = (offset(range.start), offset(range.end));
    let ((line, column), (end_line, end_column)) = (file.line_column(start), file.line_column(end));
    let span = SpanId::from_index(facts.span.len());
    facts.span.push(SpanRow {
        span,
        file: FileId::from_index(input),
        start,
        end,
        line,
        column,
        end_line,
        end_column,
        macro_name: String::new(),
    });
    span
}

/// The facts of a unit that has been preprocessed and read: the last step of [`extract`], for who looks at each.
pub fn lower(
    pre: &preprocess::Preprocessed,
    shown: &str,
    unit: &syntax::ast::Unit,
    options: &Options<'_>,
) -> Facts {
    lower::lower(pre, shown, unit, options)
}

pub use assume::check as check_assumption;
pub use lower::kernel::code_for;

/// A row of the tables of library functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryRow {
    /// What the functions of its table are about.
    pub subject: &'static str,
    /// The names, each spelled out.
    pub names: Vec<String>,
}

/// All rows of the tables of library functions.
pub fn library_rows() -> Vec<LibraryRow> {
    lower::library_rows()
}

/// The page that lists the library functions with their meaning, `docs/library.md`.
pub fn library_page() -> String {
    lower::library_page()
}
