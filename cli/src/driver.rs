//! Runs a pipeline over many files: worker threads, panics, headers, progress, and one report in one order.
//!
//! Files are analysed by rayon in any order; what they gave is put together in the order of their paths, so that the
//! report does not depend on the number of threads.
//!
//! Headers come second, and so do sources that others include: one that was found in a folder, and that some source has
//! entered and read completely, is not analysed by itself. Which ones those are follows from what the sources entered, not from when they were done.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;
use warplog_database::Database;
use warplog_extractor::code_for;
use warplog_extractor::embedded::{Host, Part, parts};
use warplog_extractor::preprocess::HeaderIndex;
use warplog_report::ensures::Outcome;
use warplog_report::equal::Comparison;
use warplog_report::id::finish;
use warplog_report::merge::merge_kernels;
use warplog_report::{Incomplete, InputError, Inventory, Note, Report};

use crate::choices::Mends;
use crate::collect::{Collection, Input, collect, shown};
use crate::compile_db::{self, Database as CompileCommands, Lookup};
use crate::config::{self, Configs};
use crate::ensures::ask as ensures;
use crate::equal::ask::Ask;
use crate::explain::question::Question;
use crate::fragments::fragments;
use crate::guard::guarded;
use crate::header::{Header, leading_comments, parse_header};
use crate::isolation::{Ended, Isolation};
use crate::naming::names;
use crate::options::AnalysisOptions;
use crate::pipeline::{Depth, Export, Pipeline};
use crate::progress::Progress;
use crate::scan::Scan;
use crate::signals::EndsSoon;
use crate::store::content_hash;
use crate::texts::is_stdin;
use crate::threads::workers;
use crate::unit::{Unit, UnitOptions};
use crate::{FAILED, INTERRUPTED, WRONG_USE, identity, makefile, policy, programs};

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RunOptions {
    /// Number of threads; 0 for as many as there are processors.
    pub jobs: usize,
    /// Whether to show a progress bar on standard error.
    pub progress: bool,
    /// Whether files are checked in processes of their own.
    pub workers: bool,
}

/// Analyses files and folders.
pub fn check<P: Pipeline>(
    pipeline: &P,
    paths: &[PathBuf],
    options: &AnalysisOptions,
    run: RunOptions,
) -> Report {
    check_with(pipeline, paths, options, run, &Workers::default())
}

/// Processes that analyse files, for runs that follow each other: those of a run that knew as much of all files can be used again.
#[derive(Default)]
pub struct Workers(Mutex<Vec<Arc<Isolation>>>);

/// Runs whose processes are kept: as many files as somebody has open side by side.
const KEPT_RUNS: usize = 4;

impl Workers {
    /// Those for these options; none if the system does not tell where the program is.
    pub(crate) fn of(&self, options: &AnalysisOptions, run: RunOptions) -> Option<Arc<Isolation>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let fitting = known.iter().position(|one| one.fits(options, run.jobs));
        let isolation = match fitting {
            Some(at) => known.remove(at),
            None => Arc::new(Isolation::new(options, run.jobs)?),
        };
        known.insert(0, Arc::clone(&isolation));
        known.truncate(KEPT_RUNS);
        Some(isolation)
    }
}

/// The same as [`check`], with processes that stay for the next run.
pub fn check_with<P: Pipeline>(
    pipeline: &P,
    paths: &[PathBuf],
    options: &AnalysisOptions,
    run: RunOptions,
    workers: &Workers,
) -> Report {
    let prepared = match prepare(paths, options) {
        Ok(prepared) => prepared,
        Err(errors) => return complete(from_errors(errors), options),
    };
    let options = &prepared.options;
    let isolation = match run.workers {
        true => workers.of(options, run),
        false => None,
    };
    let analyse = |unit: &Unit<'_>| {
        let elsewhere = || {
            let isolation = isolation.as_ref()?;
            pipeline
                .known(unit, options)
                .or_else(|| isolation.check(unit, options))
        };
        let report = elsewhere().unwrap_or_else(|| pipeline.check(unit, options));
        (Vec::<()>::new(), report)
    };
    let (units, mut report) = all_units(&prepared, run, analyse);
    if report.incomplete.is_none() {
        report.notes.extend(without_kernels(paths, &units, options));
        missing_kernels(&mut report, options);
        // A part may have no file at all.
        if options.shard.is_none() {
            nothing_checked(&mut report);
        }
    }
    let mut report = complete(report, options);
    let inputs = &prepared.collection.inputs;
    let seen = policy::Seen {
        inputs: paths,
        files: inputs.iter().map(|input| input.path.clone()).collect(),
    };
    policy::apply(&mut report, &seen, options);
    finish(&mut report);
    report
}

/// Extracts the facts of files and folders and writes them.
pub fn facts<P: Pipeline>(
    pipeline: &P,
    paths: &[PathBuf],
    to: &Export,
    options: &AnalysisOptions,
    run: RunOptions,
) -> Report {
    let depth = match (&to.sqlite, to.derived) {
        (Some(_), _) => Depth::Findings,
        (None, true) => Depth::Derived,
        (None, false) => Depth::Facts,
    };
    let (facts, report) = match extracted(pipeline, paths, options, run, depth) {
        Ok(extracted) => extracted,
        Err(errors) => return complete(from_errors(errors), options),
    };
    let mut report = complete(report, options);
    let _ends = EndsSoon::after(&options.stop);
    match guarded(|| pipeline.export(facts, &report, to)) {
        Ok(Ok(())) => {}
        Ok(Err(error)) => report.errors.push(error),
        Err(message) => {
            let place = to.folder.as_ref().or(to.sqlite.as_ref());
            let place = place.map(|path| shown(path)).unwrap_or_default();
            report.errors.push(failure(&place, message));
        }
    }
    report
}

/// The facts of files and folders, one entry a unit.
fn extracted<P: Pipeline>(
    pipeline: &P,
    paths: &[PathBuf],
    options: &AnalysisOptions,
    run: RunOptions,
    depth: Depth,
) -> Result<(Vec<P::Facts>, Report), Vec<InputError>> {
    let prepared = prepare(paths, options)?;
    let options = &prepared.options;
    let isolation = match run.workers {
        true => Isolation::new(options, run.jobs),
        false => None,
    };
    let extract = |unit: &Unit<'_>| {
        let elsewhere = isolation
            .as_ref()
            .and_then(|isolation| isolation.extract(unit, options, depth));
        let (facts, report) = elsewhere.unwrap_or_else(|| {
            let (facts, report) = pipeline.extract(unit, options, depth);
            (Some(facts), report)
        });
        (facts.into_iter().collect(), report)
    };
    let (units, report) = all_units(&prepared, run, extract);
    let facts = units.into_iter().flat_map(|unit| unit.result).collect();
    Ok((facts, report))
}

/// The facts of files with all that follows from them, and the report on these.
///
/// # Errors
/// What could not be read.
pub(crate) fn extracted_of<P: Pipeline>(
    pipeline: &P,
    paths: &[PathBuf],
    options: &AnalysisOptions,
    run: RunOptions,
) -> Result<(Vec<P::Facts>, Report), Vec<InputError>> {
    extracted(pipeline, paths, options, run, Depth::Findings)
}

/// Compares what two sides gave.
///
/// # Errors
/// Why there is no answer, with the exit status.
pub(crate) fn compared<P: Pipeline>(
    pipeline: &P,
    sides: [&Vec<P::Facts>; 2],
    ask: &Ask,
    options: &AnalysisOptions,
    run: RunOptions,
) -> Result<Comparison, (u8, String)> {
    let sides = sides.map(Vec::as_slice);
    let isolation = match run.workers {
        true => Isolation::new(options, run.jobs),
        false => None,
    };
    let elsewhere = isolation.and_then(|isolation| isolation.compare(sides, ask, options));
    ended(elsewhere, || pipeline.equal(sides, ask))
}

/// Looks at post-conditions behind launches with these facts.
///
/// # Errors
/// Why there is no answer, with the exit status.
pub(crate) fn ensured<P: Pipeline>(
    pipeline: &P,
    facts: &[P::Facts],
    ask: &ensures::Ask,
    options: &AnalysisOptions,
    run: RunOptions,
) -> Result<Vec<Outcome>, (u8, String)> {
    let isolation = match run.workers {
        true => Isolation::new(options, run.jobs),
        false => None,
    };
    let elsewhere = isolation.and_then(|isolation| isolation.ensure(facts, ask, options));
    ended(elsewhere, || pipeline.ensures(facts, ask, options))
}

/// What came of a question that a worker was asked, or of the question here if none was.
fn ended<T>(
    elsewhere: Option<Ended<T>>,
    here: impl FnOnce() -> Result<T, String>,
) -> Result<T, (u8, String)> {
    match elsewhere {
        Some(Ended::Done(done)) => (*done).map_err(|message| (WRONG_USE, message)),
        Some(Ended::Lost(message)) => Err((FAILED, message)),
        Some(Ended::Interrupted) => Err((INTERRUPTED, "interrupted".to_owned())),
        None => guarded(here)
            .map_err(|message| (FAILED, message))?
            .map_err(|message| (WRONG_USE, message)),
    }
}

/// What a query is asked of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuerySource {
    /// A folder of facts.
    Folder(PathBuf),
    /// Files and folders of source.
    Sources(Vec<PathBuf>),
}

/// The database to ask, with all down to `depth`, and the report on what it was made from.
pub fn database<P: Pipeline>(
    pipeline: &P,
    source: &QuerySource,
    options: &AnalysisOptions,
    run: RunOptions,
    depth: Depth,
) -> (Option<Database>, Report) {
    let gathered = match source {
        QuerySource::Folder(folder) => read(pipeline, folder, options, run, depth),
        QuerySource::Sources(paths) => extracted(pipeline, paths, options, run, depth),
    };
    let (facts, report) = match gathered {
        Ok(gathered) => gathered,
        Err(errors) => return (None, complete(from_errors(errors), options)),
    };
    let mut report = complete(report, options);
    let _ends = EndsSoon::after(&options.stop);
    let error = match guarded(|| pipeline.database(facts, &report)) {
        Ok(Ok(database)) => {
            if !options.kernels.is_empty() {
                report.errors.extend(missing(&database.kernels(), options));
            }
            return (Some(database), report);
        }
        Ok(Err(error)) => error,
        Err(message) => failure("", message),
    };
    report.errors.push(error);
    (None, report)
}

/// The facts of a folder, and the report on them.
fn read<P: Pipeline>(
    pipeline: &P,
    folder: &Path,
    options: &AnalysisOptions,
    run: RunOptions,
    depth: Depth,
) -> Result<(Vec<P::Facts>, Report), Vec<InputError>> {
    let isolation = match run.workers {
        true => Isolation::new(options, run.jobs),
        false => None,
    };
    match isolation.and_then(|isolation| isolation.read(folder, options, depth)) {
        Some((Some(facts), report)) => Ok((vec![facts], report)),
        Some((None, report)) => Err(report.errors),
        None => workers(run.jobs)
            .and_then(|pool| pool.install(|| guarded(|| pipeline.read(folder, options, depth))))
            .map_err(|message| failure(&shown(folder), message))
            .and_then(|read| read)
            .map(|(facts, report)| (vec![facts], report))
            .map_err(|error| vec![error]),
    }
}

/// Answers a question about files and folders.
pub fn explain<P: Pipeline>(
    pipeline: &P,
    paths: &[PathBuf],
    question: &Question,
    options: &AnalysisOptions,
    run: RunOptions,
) -> (Result<String, String>, Report) {
    match extracted(pipeline, paths, options, run, Depth::Findings) {
        Ok((facts, report)) => {
            let report = complete(report, options);
            let _ends = EndsSoon::after(&options.stop);
            let answer = guarded(|| pipeline.explain(&facts, &report, question));
            (answer.and_then(|answer| answer), report)
        }
        Err(errors) => {
            let message = errors.first().map(|error| error.message.clone());
            let message = message.unwrap_or_default();
            (Err(message), complete(from_errors(errors), options))
        }
    }
}

/// Analyses a folder of facts.
pub fn solve<P: Pipeline>(
    pipeline: &P,
    folder: &Path,
    options: &AnalysisOptions,
    run: RunOptions,
) -> Report {
    let isolation = match run.workers {
        true => Isolation::new(options, run.jobs),
        false => None,
    };
    let elsewhere = isolation.and_then(|isolation| isolation.solve(folder, options));
    let solved = elsewhere.map_or_else(
        || {
            workers(run.jobs)
                .and_then(|pool| pool.install(|| guarded(|| pipeline.solve(folder, options))))
        },
        Ok,
    );
    let mut report = solved.unwrap_or_else(|message| Report {
        errors: vec![failure(&shown(folder), message)],
        ..Report::default()
    });
    missing_kernels(&mut report, options);
    complete(report, options)
}

/// What is found out before the first file is analysed.
struct Prepared {
    collection: Collection,
    options: AnalysisOptions,
    /// Sources that others include.
    fragments: BTreeSet<PathBuf>,
    /// Remarks on the compile commands.
    notes: Vec<Note>,
    errors: Vec<InputError>,
}

/// How the only file of these paths is read, and the options with what is known of it; none if there is no such file.
pub(crate) fn unit_of(
    paths: &[PathBuf],
    options: &AnalysisOptions,
) -> Option<(UnitOptions, AnalysisOptions)> {
    let prepared = prepare(paths, options).ok()?;
    let input = prepared.collection.inputs.first()?;
    let bytes = input.read().ok()?;
    let header = parse_header(&leading_comments(&bytes)).ok()?;
    let own = configurations(input, &prepared.options, &header);
    Some((own.into_iter().next()?, prepared.options))
}

/// Finds the files, their names, the headers that may be guessed, and the compile commands.
fn prepare(paths: &[PathBuf], options: &AnalysisOptions) -> Result<Prepared, Vec<InputError>> {
    let mut collection = collect(paths);
    collection.add_stdin(paths, &options.stdin);
    collection.as_they_were(&options.earlier);
    let (mut notes, mut errors) = (Vec::new(), Vec::new());
    let mut database = None;
    if let Some(path) = &options.compile_commands {
        let (read, wrong) = compile_db::load(path).map_err(|error| vec![error])?;
        errors = wrong;
        collection.add_sources(paths, read.device_sources());
        let is_known = |other: &Input| {
            collection
                .inputs
                .iter()
                .any(|input| input.path == other.path)
        };
        let others = std::mem::take(&mut collection.others);
        collection.others = others
            .into_iter()
            .filter(|other| !is_known(other))
            .collect();
        notes = without_entry(&read, &collection.inputs);
        database = Some(Arc::new(read));
    }
    let configs = Configs::new(options.config.clone());
    let (wrong, told) = without_settings(paths, &configs, &mut collection);
    if collection.inputs.is_empty() && !wrong.is_empty() {
        return Err(wrong);
    }
    errors.extend(wrong);
    notes.extend(told);
    let excluded = |input: &Input| {
        let config = configs.of(&input.path).ok().flatten();
        !input.named && config.is_some_and(|config| config.excludes(&input.path))
    };
    let before: Vec<usize> = collection.inputs.iter().map(|input| input.root).collect();
    for inputs in [
        &mut collection.inputs,
        &mut collection.headers,
        &mut collection.others,
        &mut collection.hosts,
    ] {
        inputs.retain(|input| !excluded(input));
    }
    notes.extend(nothing_left(paths, &before, &collection.inputs));
    notes.extend(missing_folders(options, &configs));
    let mut scan = Scan::new(paths, &collection.inputs);
    scan.configs = configs;
    scan.database = database;
    if scan.database.is_none() {
        let sources: Vec<Input> = collection
            .inputs
            .iter()
            .chain(&collection.headers)
            .cloned()
            .collect();
        let (guessed, told) = makefile::guess(&sources, paths, &scan);
        scan.makefiles = guessed;
        notes.extend(told);
    }
    let mut headers = HeaderIndex::default();
    for input in collection.inputs.iter().chain(&collection.headers) {
        if !input.named {
            headers.add(&input.path);
        }
    }
    scan.headers_hash = content_hash(format!("{headers:?}").as_bytes());
    scan.headers = (!headers.is_empty()).then(|| Arc::new(headers));
    let fragments = fragments(&collection, &scan);
    let database = scan.database.as_deref();
    let (programs, told) =
        programs::programs(&collection, &fragments, options.link, database, &|input| {
            first_options(input, options, &scan)
        });
    notes.extend(
        told.into_iter()
            .chain(programs::notes(&programs))
            .map(|text| Note { place: None, text }),
    );
    scan.programs = programs;
    let asked = |input: &Input| options.only.contains(&input.shown);
    if collection.inputs.iter().any(asked) {
        collection.inputs.retain(asked);
        collection.headers.retain(asked);
        collection.others.retain(asked);
    }
    if let Some(shard) = options.shard {
        let before = collection.inputs.len() + collection.others.len();
        let own = |input: &Input| shard.holds(&name_below(input, paths));
        collection.inputs.retain(own);
        collection.headers.retain(own);
        collection.others.retain(own);
        let kept = collection.inputs.len() + collection.others.len();
        notes.push(Note {
            place: None,
            text: format!(
                "part {} of {}: {kept} of {before} files",
                shard.number, shard.count
            ),
        });
    }
    let alone = collection.inputs.len() == 1;
    let options = AnalysisOptions {
        alone,
        mends: match options.mends {
            Mends::Few if alone => Mends::Many,
            mends => mends,
        },
        scan: Arc::new(scan),
        ..options.clone()
    };
    Ok(Prepared {
        collection,
        options,
        fragments,
        notes,
        errors,
    })
}

/// The name of an input from the folder given on, which is the same wherever that folder is.
fn name_below(input: &Input, paths: &[PathBuf]) -> String {
    let root = paths.get(input.root);
    let below = root.and_then(|root| input.path.strip_prefix(root).ok());
    match below {
        Some(below) if !below.as_os_str().is_empty() => below.to_string_lossy().into_owned(),
        _ => {
            let name = input.path.file_name().unwrap_or(input.path.as_os_str());
            name.to_string_lossy().into_owned()
        }
    }
}

/// A note for each folder that headers are to be looked for in and that is not there.
fn missing_folders(options: &AnalysisOptions, configs: &Configs) -> Vec<Note> {
    let of_flags = options.include_dirs.iter().map(|folder| (folder, "-I"));
    let configs = configs.all();
    let of_configs = configs.iter().flat_map(|config| {
        let folders = config.include_dirs();
        folders.map(|folder| (folder, config.shown.as_str()))
    });
    let mut told: BTreeSet<(&PathBuf, &str)> = BTreeSet::new();
    of_flags
        .chain(of_configs)
        .filter(|(folder, _)| !folder.is_dir())
        .filter(|missing| told.insert(*missing))
        .map(|(folder, whose)| Note {
            place: None,
            text: format!("include folder `{}` of {whose} is not there", shown(folder)),
        })
        .collect()
}

/// Takes the files out whose configuration is wrong: what is wrong, and a note for each configuration that says how many files.
fn without_settings(
    paths: &[PathBuf],
    configs: &Configs,
    collection: &mut Collection,
) -> (Vec<InputError>, Vec<Note>) {
    let mut wrong: BTreeMap<String, (Vec<InputError>, usize)> = BTreeMap::new();
    let mut is_right = |path: &Path, files: usize| match configs.of(path) {
        Ok(_) => true,
        Err(errors) => {
            let name = errors.first().map(|error| error.file.clone());
            let entry = wrong.entry(name.unwrap_or_default()).or_default();
            entry.0 = errors;
            entry.1 += files;
            false
        }
    };
    for path in paths {
        is_right(path, 0);
    }
    collection.inputs.retain(|input| is_right(&input.path, 1));
    collection.headers.retain(|input| is_right(&input.path, 0));
    collection.others.retain(|input| is_right(&input.path, 1));
    let note = |(name, (_, files)): (&String, &(Vec<InputError>, usize))| Note {
        place: None,
        text: match files {
            1 => format!("`{name}` is wrong: a file that it is about is not analysed"),
            files => format!("`{name}` is wrong: {files} files that it is about are not analysed"),
        },
    };
    let some = |(_, (_, files)): &(&String, &(Vec<InputError>, usize))| *files > 0;
    let notes = wrong.iter().filter(some).map(note).collect();
    let errors = wrong.into_values().flat_map(|(errors, _)| errors);
    (errors.collect(), notes)
}

/// A note for each path given of which the configuration leaves out all files; `before` has the paths that files came from.
fn nothing_left(paths: &[PathBuf], before: &[usize], kept: &[Input]) -> Vec<Note> {
    let mut notes = Vec::new();
    for (root, path) in paths.iter().enumerate() {
        let files = before.iter().filter(|of| **of == root).count();
        if files == 0 || kept.iter().any(|input| input.root == root) {
            continue;
        }
        let files = match files {
            1 => "its only file".to_owned(),
            files => format!("all {files} files"),
        };
        notes.push(Note {
            place: None,
            text: format!(
                "`exclude` in {} leaves out {files} of `{}`: a file that is named itself is checked",
                config::NAME,
                shown(path)
            ),
        });
    }
    notes
}

/// A note if sources are not in the compile commands.
fn without_entry(database: &CompileCommands, inputs: &[Input]) -> Vec<Note> {
    let mut without = inputs.iter().filter(|input| {
        !is_header(&input.path)
            && fs::canonicalize(&input.path)
                .is_ok_and(|real| !matches!(database.find(&real), Lookup::Own(_)))
    });
    let Some(first) = without.next() else {
        return Vec::new();
    };
    let more = match without.count() {
        0 => String::new(),
        1 => " and one other file".to_owned(),
        more => format!(" and {more} other files"),
    };
    let text = format!(
        "`{}`{more} not in the compile commands: read with the flags of the nearest file that is",
        first.shown
    );
    vec![Note { place: None, text }]
}

/// Whether a source found in a folder waits for those that may include it.
fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "cuh")
}

/// What a file gave.
struct Done<T> {
    root: usize,
    kernels: usize,
    failed: bool,
    /// The headers that it entered and read completely.
    headers: BTreeSet<String>,
    result: Vec<T>,
}

/// Calls the function for every source, and for every header with kernels that no source shows.
fn all_units<T: Send>(
    prepared: &Prepared,
    run: RunOptions,
    function: impl Fn(&Unit<'_>) -> (Vec<T>, Report) + Sync,
) -> (Vec<Done<T>>, Report) {
    let Prepared {
        collection,
        options,
        fragments,
        ..
    } = prepared;
    let (waiting, first): (Vec<Input>, Vec<Input>) =
        collection.inputs.iter().cloned().partition(|input| {
            fragments.contains(&input.path) || (is_header(&input.path) && !input.named)
        });
    let progress = Progress::new(run.progress, options.stop.clone());
    let (mut units, mut report) = for_each_unit(&first, options, run, &progress, &function);
    let shown: BTreeSet<&str> = units
        .iter()
        .flat_map(|unit| unit.headers.iter().map(String::as_str))
        .collect();
    let holds_kernel = |input: &&Input| {
        input.read().is_ok_and(|bytes| {
            let word = b"__global__";
            bytes.windows(word.len()).any(|window| window == word)
        })
    };
    let mut second: Vec<Input> = waiting
        .iter()
        .chain(collection.headers.iter().filter(holds_kernel))
        .chain(&collection.others)
        .filter(|input| !shown.contains(options.scan.name(&input.path).as_str()))
        .cloned()
        .collect();
    second.sort_by(|a, b| a.path.cmp(&b.path));
    let covered: Vec<String> = waiting
        .iter()
        .filter(|input| shown.contains(options.scan.name(&input.path).as_str()))
        .map(|input| input.shown.clone())
        .collect();
    let (more, rest) = for_each_unit(&second, options, run, &progress, &function);
    units.extend(more);
    absorb(&mut report, rest);
    report.inventory.inputs.extend(covered);
    let done = progress.done();
    // Which headers are to be analysed by themselves is known when all sources are through.
    let files = match done < first.len() {
        true => first.len(),
        false => first.len() + second.len(),
    };
    if done < files {
        report.incomplete = Some(Incomplete { done, files });
        let of = if files == 1 { "file" } else { "files" };
        let more = match options.cache {
            Some(_) => "; the same command goes on from there",
            None => "",
        };
        let message = format!("interrupted: {done} of {files} {of} analysed to the end{more}");
        report.errors.push(failure("", message));
    }
    report.errors.extend(collection.errors.iter().cloned());
    report.errors.extend(prepared.errors.iter().cloned());
    report.notes.extend(collection.notes.iter().cloned());
    report.notes.extend(prepared.notes.iter().cloned());
    report.notes.extend(guesses(&report.inventory));
    (units, report)
}

/// Names of guessed headers that one note lists.
const GUESSES_SHOWN: usize = 4;

/// A note for each folder in which headers were found by guessing.
fn guesses(inventory: &Inventory) -> Vec<Note> {
    let mut folders: BTreeMap<&str, (Vec<&str>, bool)> = BTreeMap::new();
    for (header, names) in &inventory.guessed {
        let (folder, name) = header.rsplit_once('/').unwrap_or((".", header));
        let entry = folders.entry(folder).or_default();
        entry.0.push(name);
        entry.1 |= names.iter().any(|name| name.candidates > 1);
    }
    let note = |(folder, (names, ambiguous)): (&str, (Vec<&str>, bool))| {
        let shown = names.len().min(GUESSES_SHOWN);
        let more = match names.len() - shown {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let several = if ambiguous {
            "; other folders have files of such names too"
        } else {
            ""
        };
        Note {
            place: None,
            text: format!(
                "include folder `{folder}` guessed for {}{more}{several} (-I or -p settles it)",
                names[..shown].join(", ")
            ),
        }
    };
    folders.into_iter().map(note).collect()
}

/// Calls the function for every file on the worker threads. Reports are put together in the order of the files. Files that were
/// not begun when the run was interrupted are left out.
fn for_each_unit<T: Send>(
    inputs: &[Input],
    options: &AnalysisOptions,
    run: RunOptions,
    progress: &Progress,
    function: &(impl Fn(&Unit<'_>) -> (Vec<T>, Report) + Sync),
) -> (Vec<Done<T>>, Report) {
    progress.expect(inputs.len());
    let one = |input: &Input| {
        if !progress.goes_on() {
            return None;
        }
        let (result, report) = unit(input, options, function)
            .unwrap_or_else(|error| (Vec::new(), from_errors(vec![error])));
        let kernels = report.kernels.iter();
        let findings = kernels.map(|kernel| kernel.findings.len()).sum();
        let whole = progress.through(report.kernels.len(), findings);
        progress.say_to(&options.told);
        Some((result, report, whole))
    };
    let done: Vec<Option<(Vec<T>, Report, bool)>> = match workers(run.jobs) {
        Ok(pool) => pool.install(|| inputs.par_iter().with_max_len(1).map(one).collect()),
        // The system has no threads to give: this one will do.
        Err(_) => inputs.iter().map(one).collect(),
    };
    let mut all = Report::default();
    let mut units = Vec::with_capacity(done.len());
    for (input, done) in inputs.iter().zip(done) {
        let Some((result, report, whole)) = done else {
            continue;
        };
        all.files += usize::from(whole);
        if whole && report.errors.is_empty() {
            all.inventory.inputs.insert(input.shown.clone());
        }
        let foreign = report
            .kernels
            .iter()
            .filter(|kernel| kernel.file != input.shown);
        for kernel in foreign {
            let key = (kernel.file.clone(), kernel.name.clone());
            let inputs = all.inventory.shown_by.entry(key).or_default();
            inputs.insert(input.shown.clone());
        }
        units.push(Done {
            root: input.root,
            kernels: report.kernels.len(),
            failed: !report.errors.is_empty(),
            headers: read_completely(&report.inventory),
            result,
        });
        absorb(&mut all, report);
    }
    (units, all)
}

/// The headers of which a unit has left out no kernel.
fn read_completely(inventory: &Inventory) -> BTreeSet<String> {
    let left_out = |header: &&String| {
        inventory
            .inactive
            .iter()
            .any(|(file, _, _)| file == header.as_str())
    };
    let headers = inventory.headers.iter();
    headers
        .filter(|header| !left_out(header))
        .cloned()
        .collect()
}

/// Reads a file and its header and calls the function for it, once for each set of flags that it is compiled with.
fn unit<T>(
    input: &Input,
    options: &AnalysisOptions,
    function: &(impl Fn(&Unit<'_>) -> (Vec<T>, Report) + Sync),
) -> Result<(Vec<T>, Report), InputError> {
    let bytes = input
        .read()
        .map_err(|message| failure(&input.shown, message))?;
    let header = parse_header(&leading_comments(&bytes)).map_err(|error| InputError {
        file: input.shown.clone(),
        line: Some(error.line),
        message: error.message,
    })?;
    let (mut result, mut report) = (Vec::new(), Report::default());
    let host = Host::of(&input.path);
    let mut all = Vec::new();
    if !host.is_foreign() {
        all = configurations(input, options, &header);
    }
    for (number, part) in parts(host, &bytes).iter().enumerate() {
        let header = header_of(part, &bytes, &input.shown)?;
        for unit_options in configurations(input, options, &header) {
            let rounds = (0..part.rounds()).map(|round| UnitOptions {
                part: Some((number, round)),
                ..unit_options.clone()
            });
            all.extend(rounds);
        }
    }
    for unit_options in all {
        let unit = Unit {
            path: &input.path,
            shown: &input.shown,
            bytes: &bytes,
            options: &unit_options,
        };
        match guarded(|| function(&unit)) {
            Ok((of_unit, one)) => {
                result.extend(of_unit);
                absorb(&mut report, one);
            }
            Err(message) => report.errors.push(failure(&input.shown, message)),
        }
    }
    for (line, option) in &header.ignored {
        report.notes.push(Note {
            place: None,
            text: format!("{}:{line}: header option `{option}` ignored", input.shown),
        });
    }
    Ok((result, report))
}

/// The header of a part of a file, whose lines are those of the file.
fn header_of(part: &Part, bytes: &[u8], shown: &str) -> Result<Header, InputError> {
    let mut header =
        parse_header(&leading_comments(part.text().as_bytes())).map_err(|error| InputError {
            file: shown.to_owned(),
            line: Some(part.line(error.line, bytes)),
            message: error.message,
        })?;
    header.launch_line = header.launch_line.map(|line| part.line(line, bytes));
    Ok(header)
}

/// The options of a file, one for each distinct set of flags that the compile commands give it.
fn configurations(input: &Input, options: &AnalysisOptions, header: &Header) -> Vec<UnitOptions> {
    let mut all = separate(input, options, &options.scan, header);
    if let Some(group) = options.scan.programs.get(&input.path) {
        for one in &mut all {
            let mut program = group.files.clone();
            for companion in &mut program {
                if companion.path == input.path {
                    companion.options = one.clone();
                }
            }
            one.program = program;
        }
    }
    all
}

/// The options with which a file takes part in its program: the first that it is compiled with.
fn first_options(input: &Input, options: &AnalysisOptions, scan: &Scan) -> Option<UnitOptions> {
    let header = parse_header(&leading_comments(&input.read().ok()?)).ok()?;
    separate(input, options, scan, &header).into_iter().next()
}

/// The options of a file by itself.
fn separate(
    input: &Input,
    options: &AnalysisOptions,
    scan: &Scan,
    header: &Header,
) -> Vec<UnitOptions> {
    let all = by_flags(input, options, scan, header);
    if options.architectures.is_empty() {
        return all;
    }
    let of_each = |one: UnitOptions| {
        let architectures = options.architectures.iter();
        architectures.map(move |&arch| {
            let mut one = one.clone();
            one.flags.arch = Some(arch);
            one
        })
    };
    let mut separate: Vec<UnitOptions> = Vec::new();
    for one in all.into_iter().flat_map(of_each) {
        // The compile commands may tell them apart by nothing but the architecture.
        if !separate.contains(&one) {
            separate.push(one);
        }
    }
    separate
}

/// The options of a file by itself, as the compile commands have them.
fn by_flags(
    input: &Input,
    options: &AnalysisOptions,
    scan: &Scan,
    header: &Header,
) -> Vec<UnitOptions> {
    let mut plain = UnitOptions::new(options, header, &input.path);
    if let Ok(Some(config)) = scan.configs.of(&input.path) {
        plain = plain.with_config(&config, &input.path);
    }
    let Some(database) = &scan.database else {
        return vec![match scan.makefiles.get(&input.path) {
            Some(flags) => plain.with_flags(flags, false),
            None => plain,
        }];
    };
    let Ok(real) = fs::canonicalize(&input.path) else {
        return vec![plain];
    };
    match database.find(&real) {
        Lookup::Own(all) => all
            .iter()
            .map(|flags| plain.clone().with_flags(flags, true))
            .collect(),
        Lookup::Nearest(flags) => vec![plain.with_flags(flags, false)],
        Lookup::Nothing => vec![plain],
    }
}

/// Adds one report to another.
fn absorb(all: &mut Report, one: Report) {
    all.files += one.files;
    all.kernels.extend(one.kernels);
    all.unsupported.extend(one.unsupported);
    all.errors.extend(one.errors);
    all.notes.extend(one.notes);
    all.sources.extend(one.sources);
    all.timings.extend(one.timings);
    all.allows.extend(one.allows);
    all.inventory.absorb(one.inventory);
}

/// A note for each path given whose files, all of them analysed, have no kernel.
fn without_kernels<T>(
    paths: &[PathBuf],
    units: &[Done<T>],
    options: &AnalysisOptions,
) -> Vec<Note> {
    if !options.kernels.is_empty() {
        return Vec::new();
    }
    let mut notes = Vec::new();
    for (root, path) in paths.iter().enumerate() {
        let mut of_root = units.iter().filter(|unit| unit.root == root).peekable();
        if of_root.peek().is_some() && of_root.all(|unit| unit.kernels == 0 && !unit.failed) {
            let path = match is_stdin(path) {
                true => &options.stdin.name,
                false => path,
            };
            notes.push(Note {
                place: None,
                text: format!("no kernels in `{}`", shown(path)),
            });
        }
    }
    notes
}

/// An error where no kernel was checked and nothing says why yet: that must not pass for a clean result.
fn nothing_checked(report: &mut Report) {
    if report.kernels.is_empty() && report.errors.is_empty() {
        report
            .errors
            .push(failure("", "no kernel was checked".to_owned()));
    }
}

/// An error for each `--kernel` that names none: a name with a slip in it must not pass for a clean result.
fn missing_kernels(report: &mut Report, options: &AnalysisOptions) {
    let kernels = report.kernels.iter().map(|kernel| kernel.name.clone());
    let kernels: Vec<String> = kernels.collect();
    report.errors.extend(missing(&kernels, options));
}

/// An error for each `--kernel` that names none of these.
fn missing(kernels: &[String], options: &AnalysisOptions) -> Vec<InputError> {
    let none = |name: &&String| !kernels.iter().any(|kernel| names(name, kernel));
    options
        .kernels
        .iter()
        .filter(none)
        .map(|name| failure("", format!("no kernel is named `{name}`")))
        .collect()
}

/// Says of a finding for which of several architectures it was found, where that is not all of them.
fn tell_architectures(report: &mut Report, architectures: &[u32]) {
    for kernel in &mut report.kernels {
        let launches = &kernel.launches;
        let is_for = |launch: usize, arch: u32| {
            let text = code_for(&arch.to_string());
            let launch = launches.get(launch);
            launch.is_some_and(|launch| launch.assumptions.contains(&text))
        };
        for finding in &mut kernel.findings {
            let (found, not): (Vec<u32>, Vec<u32>) = architectures
                .iter()
                .filter(|&&arch| (0..launches.len()).any(|launch| is_for(launch, arch)))
                .partition(|&&arch| finding.launches.iter().any(|&one| is_for(one, arch)));
            if !found.is_empty() && !not.is_empty() {
                let list = |all: &[u32]| {
                    let all: Vec<String> = all.iter().map(u32::to_string).collect();
                    all.join(", ")
                };
                finding.notes.push(format!(
                    "found for __CUDA_ARCH__ = {}, not for {}",
                    list(&found),
                    list(&not)
                ));
            }
        }
    }
}

/// Order, identity, and nothing that was not asked for.
fn complete(mut report: Report, options: &AnalysisOptions) -> Report {
    report.kernels.retain(|kernel| options.wants(&kernel.name));
    report.kernels = merge_kernels(report.kernels);
    tell_architectures(&mut report, &options.architectures);
    report.show_coverage = options.coverage;
    if !options.timings {
        report.timings.clear();
    }
    identity::settle(&mut report);
    finish(&mut report);
    report
}

fn failure(file: &str, message: String) -> InputError {
    InputError {
        file: file.to_owned(),
        line: None,
        message,
    }
}

fn from_errors(errors: Vec<InputError>) -> Report {
    Report {
        errors,
        ..Report::default()
    }
}

#[cfg(test)]
mod tests;
