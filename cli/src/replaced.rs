//! What is written must not take the place of what is read, nor of something else that is written.
//!
//! Files are told apart by device and number where they exist, so that another spelling or a link hides nothing; where they do
//! not exist yet, by the folder without links and their name. What is no file (a device, a pipe) takes any number of reports.
//!
//! Sources, configuration and baseline are looked at before anything is analysed. Which headers a run reads is known when it is
//! through: they are looked at before anything is written.

use std::fs;
use std::path::{Path, PathBuf};

use warplog_report::{Report, text};

use crate::args::OutputArgs;
use crate::choices::Choice;
use crate::collect::{collect, shown};
use crate::config::Configs;
use crate::options::AnalysisOptions;
use crate::texts::is_stdin;

/// What tells one file from another.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Mark {
    /// Device and number.
    #[cfg(unix)]
    Number(u64, u64),
    /// The path without links.
    Place(PathBuf),
}

/// Something that the run writes.
struct Written<'a> {
    what: &'static str,
    path: &'a Path,
    mark: Mark,
    exists: bool,
}

impl<'a> Written<'a> {
    fn new(what: &'static str, path: &'a Path) -> Option<Self> {
        let known = fs::metadata(path);
        if known.as_ref().is_ok_and(|known| !known.is_file()) {
            return None;
        }
        Some(Written {
            what,
            path,
            mark: mark(path),
            exists: known.is_ok(),
        })
    }
}

#[cfg(unix)]
fn mark(path: &Path) -> Mark {
    use std::os::unix::fs::MetadataExt;
    match fs::metadata(path) {
        Ok(known) => Mark::Number(known.dev(), known.ino()),
        Err(_) => Mark::Place(place(path)),
    }
}

#[cfg(not(unix))]
fn mark(path: &Path) -> Mark {
    Mark::Place(place(path))
}

/// The path without links, as far as it exists.
fn place(path: &Path) -> PathBuf {
    if let Ok(real) = fs::canonicalize(path) {
        return real;
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    match (fs::canonicalize(folder), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

/// The reports and the baseline that are written.
fn written(output: &OutputArgs) -> Vec<Written<'_>> {
    let reports = output.output.iter().filter(|file| !is_stdin(&file.path));
    let reports = reports.filter_map(|file| Written::new("report", &file.path));
    let baseline = output.write_baseline.iter();
    let baseline = baseline.filter_map(|path| Written::new("baseline", path));
    reports.chain(baseline).collect()
}

/// Why the reports and baselines asked for would take each other's place.
pub(crate) fn each_other(output: &OutputArgs) -> Option<String> {
    let written = written(output);
    for (nth, one) in written.iter().enumerate() {
        let Some(other) = written[..nth].iter().find(|other| other.mark == one.mark) else {
            continue;
        };
        let name = text::safe(&shown(one.path));
        return Some(if one.what == other.what {
            format!("two reports are to be written to `{name}`: give each a file of its own")
        } else {
            format!(
                "a report and the baseline are to be written to `{name}`: give each a file of its own"
            )
        });
    }
    let baseline = output.baseline.as_deref()?;
    taken(
        &written,
        [("the baseline that this run compares with", baseline)],
    )
}

/// Why what is written would take the place of a source, a configuration or the compile commands.
pub(crate) fn sources(
    output: &OutputArgs,
    paths: &[PathBuf],
    options: &AnalysisOptions,
) -> Option<String> {
    let written: Vec<_> = written(output)
        .into_iter()
        .filter(|file| file.exists)
        .collect();
    // Most runs write to new files, or to none.
    if written.is_empty() {
        return None;
    }
    let found = collect(paths);
    let inputs = found.inputs.iter().map(|input| ("an input", &*input.path));
    let headers = found.headers.iter();
    let headers = headers.map(|input| ("a header of the input", &*input.path));
    if let Some(message) = taken(&written, inputs.chain(headers)) {
        return Some(message);
    }
    let configs = Configs::new(options.config.clone());
    for path in found.inputs.iter().map(|input| &input.path).chain(paths) {
        // What is wrong with it is told when it is used.
        let _ = configs.of(path);
    }
    let read = configs.all();
    let mut others: Vec<(&str, PathBuf)> = read
        .iter()
        .map(|config| ("the configuration", PathBuf::from(&config.shown)))
        .collect();
    if let Choice::Given(path) = &options.config {
        others.push(("the configuration", path.clone()));
    }
    if let Some(path) = &options.compile_commands {
        others.push(("a file of compile commands", path.clone()));
        others.push((
            "a file of compile commands",
            path.join("compile_commands.json"),
        ));
    }
    taken(&written, others.iter().map(|(what, path)| (*what, &**path)))
}

/// Why what is written would take the place of a file in the folder of facts that is read.
pub(crate) fn folder(output: &OutputArgs, folder: &Path) -> Option<String> {
    let entries: Vec<PathBuf> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .collect();
    taken(
        &written(output),
        entries
            .iter()
            .map(|path| ("a file of the facts", path.as_path())),
    )
}

/// Why what is written would take the place of a header that the run has read.
pub(crate) fn headers(output: &OutputArgs, report: &Report) -> Option<String> {
    let headers = report.inventory.headers.iter();
    taken(
        &written(output),
        headers.map(|header| ("a header that an input includes", Path::new(header))),
    )
}

fn taken<'p>(
    written: &[Written<'_>],
    read: impl IntoIterator<Item = (&'p str, &'p Path)>,
) -> Option<String> {
    if !written.iter().any(|file| file.exists) {
        return None;
    }
    read.into_iter().find_map(|(role, path)| {
        let own = fs::metadata(path).is_ok_and(|known| known.is_file());
        let own = own.then(|| mark(path))?;
        let file = written.iter().find(|file| file.mark == own)?;
        Some(format!(
            "`{}` is {role}: the {} would take its place",
            text::safe(&shown(file.path)),
            file.what
        ))
    })
}
