//! The seam between the command line and the analysis.
//!
//! Everything about files, threads, panics, order, rendering and exit status is done on this side of it, for any
//! [`Pipeline`]; the tests put their own behind it. [`Analysis`] is the real one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use warplog_database::{Answer, Database, DatabaseError};
use warplog_extractor::preprocess::{Config, Define, FileSystem, PreprocessError, RealFiles};
use warplog_extractor::{GivenLaunch, Program, ProgramFile, Step, Summary};
use warplog_facts::words::{LaunchSource, NoteKind};
use warplog_facts::{
    AssumptionRow, Derived, Facts, FileId, IdKind, LaunchId, NoteRow, csv_folder, shift_derived,
};
use warplog_report::allow::{Allow, allows};
use warplog_report::equal::Comparison;
use warplog_report::{FileTimings, GuessedAs, InputError, Inventory, Kernel, Report};
use warplog_solver_bridge::Decision;

use crate::cache::{Anatomies, Cache, RecordingFiles, content_hash};
use crate::explain::{self, Question};
use crate::options::{Aliasing, AnalysisOptions, Macro, UnitOptions};
use crate::{analysis, collect, ensures, equal, mends, output};

/// A file to analyse, with its options.
#[derive(Clone, Copy, Debug)]
pub struct Unit<'a> {
    /// Where it is; includes are looked up from its folder.
    pub path: &'a Path,
    /// Its name in reports and facts.
    pub shown: &'a str,
    /// Its contents, which may be anything.
    pub bytes: &'a [u8],
    /// Header and flags for this file.
    pub options: &'a UnitOptions,
}

/// How much is to follow from facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Depth {
    /// Nothing.
    Facts,
    /// What the rules derive.
    Derived,
    /// The solver's answers, and the findings too.
    Findings,
}

/// Facts and what follows from them.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Examined {
    /// The facts.
    pub facts: Facts,
    /// What the rules derived from them, if it was asked for.
    pub derived: Option<Derived>,
    /// What the solver answered, with models and formulas, if it was asked.
    pub decision: Option<Decision>,
}

/// Where facts are written to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Export {
    /// A folder for CSV.
    pub folder: Option<PathBuf>,
    /// Whether the folder gets the derived relations too.
    pub derived: bool,
    /// A file for a database, with derived relations and findings.
    pub sqlite: Option<PathBuf>,
}

/// The analysis, as the command line uses it. Its methods are called from several threads at once, in a thread pool of
/// `--jobs` threads with large stacks, which rayon inside of them uses too.
pub trait Pipeline: Sync {
    /// The facts of one or more files, with what follows from them as far as it was asked for. They may come from another process.
    type Facts: Send + Serialize + DeserializeOwned;

    /// Analyses a file: its kernels, with the source lines that their findings name. Neither order nor ids nor the
    /// number of files need be set.
    fn check(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> Report;

    /// The report on a file that [`Pipeline::check`] would give, if it is known from an earlier run.
    fn known(&self, _unit: &Unit<'_>, _options: &AnalysisOptions) -> Option<Report> {
        None
    }

    /// Extracts the facts of a file and what follows from them; the report holds errors and notes, and the kernels if
    /// findings were asked for.
    fn extract(
        &self,
        unit: &Unit<'_>,
        options: &AnalysisOptions,
        depth: Depth,
    ) -> (Self::Facts, Report);

    /// Writes the facts of all files, given in the order of their paths, and the report on them.
    ///
    /// # Errors
    /// What could not be written.
    fn export(
        &self,
        facts: Vec<Self::Facts>,
        report: &Report,
        to: &Export,
    ) -> Result<(), InputError>;

    /// Reads a folder of facts, and does as [`Pipeline::extract`] does for a file.
    ///
    /// # Errors
    /// Where it is damaged.
    fn read(
        &self,
        folder: &Path,
        options: &AnalysisOptions,
        depth: Depth,
    ) -> Result<(Self::Facts, Report), InputError>;

    /// The database of the facts of all files, given in the order of their paths, with what was derived from them, and the
    /// report on them.
    ///
    /// # Errors
    /// Memory ran out.
    fn database(&self, facts: Vec<Self::Facts>, report: &Report) -> Result<Database, InputError>;

    /// Answers a question about what was extracted to the depth of findings.
    ///
    /// # Errors
    /// What was asked for is not there, in words.
    fn explain(
        &self,
        facts: &[Self::Facts],
        report: &Report,
        question: &Question,
    ) -> Result<String, String>;

    /// Whether two sides leave equal contents: the comparison completed.
    ///
    /// # Errors
    /// What cannot be compared, in words.
    fn equal(&self, _sides: [&[Self::Facts]; 2], _ask: &equal::Ask) -> Result<Comparison, String> {
        Err("nothing can be compared here".to_owned())
    }

    /// Whether post-conditions hold.
    ///
    /// # Errors
    /// What is wrong with one of them, in words.
    fn ensures(
        &self,
        _facts: &[Self::Facts],
        _ask: &ensures::Ask,
        _options: &AnalysisOptions,
    ) -> Result<Vec<warplog_report::ensures::Outcome>, String> {
        Err("nothing can be ensured here".to_owned())
    }

    /// Analyses a folder of facts. A damaged folder is an error in the report. The number of files is to be set.
    fn solve(&self, folder: &Path, options: &AnalysisOptions) -> Report;
}

/// The analysis of warplog.
#[derive(Clone, Copy, Debug, Default)]
pub struct Analysis;

impl Pipeline for Analysis {
    type Facts = Examined;

    fn check(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> Report {
        let start = Instant::now();
        let cache = kept_in(options);
        if let Some(cache) = cache
            && let Some((report, known)) = cache.find(unit, options)
            && let Some(report) = with_anatomies(report, known, unit, options, cache)
        {
            return report;
        }
        let files = RecordingFiles::of(options);
        match extract(unit, options, &files) {
            Ok((facts, summary)) => {
                let extracted = start.elapsed();
                let (mut derived, decision, phases) = analysis::decide(&facts, options);
                let (mut report, phases) =
                    analysis::report_of(&facts, &derived, &decision, phases, options);
                let costs =
                    analysis::costs::add(&facts, &mut derived, &mut report, (options, true));
                for kernel in &mut report.kernels {
                    kernel.extent.launched = summary.launched.contains(base_name(&kernel.name));
                }
                report.allows = comments(&summary, unit, options);
                mends::add(&mut report, unit, options, &summary.headers);
                mends::costs::add(&mut report, unit, options);
                report.inventory = inventory(summary, unit, options);
                if options.timings {
                    let extract = u64::try_from(extracted.as_micros()).unwrap_or(u64::MAX);
                    share(&mut report.kernels, extract.saturating_add(phases.rules));
                    let mut all = vec![
                        ("extract".to_owned(), extract),
                        ("rules".to_owned(), phases.rules),
                        ("solve".to_owned(), phases.solve),
                    ];
                    if options.costs.is_some() {
                        all.push(("costs".to_owned(), costs[0]));
                        all.push(("barriers".to_owned(), costs[1]));
                    }
                    report.timings.push(FileTimings {
                        file: unit.shown.to_owned(),
                        phases: all,
                    });
                }
                let anatomies = options
                    .anatomy
                    .then(|| analysis::anatomies(&facts, &derived, options));
                if let Some(cache) = cache {
                    cache.keep(unit, options, &files, &report, anatomies.as_ref());
                }
                if let Some(anatomies) = anatomies {
                    attach(&mut report, anatomies);
                }
                report
            }
            Err(error) => from_error(error),
        }
    }

    fn known(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> Option<Report> {
        match kept_in(options)?.find(unit, options)? {
            (mut report, Some(anatomies)) if anatomies.len() == report.kernels.len() => {
                attach(&mut report, anatomies);
                Some(report)
            }
            (report, None) if !options.anatomy => Some(report),
            _ => None,
        }
    }

    fn extract(
        &self,
        unit: &Unit<'_>,
        options: &AnalysisOptions,
        depth: Depth,
    ) -> (Self::Facts, Report) {
        match extract(unit, options, &RealFiles) {
            Ok((facts, summary)) => {
                let (examined, mut report) = examine(facts, options, depth);
                report.inventory = inventory(summary, unit, options);
                (examined, report)
            }
            Err(error) => (Examined::default(), from_error(error)),
        }
    }

    fn export(
        &self,
        facts: Vec<Self::Facts>,
        report: &Report,
        to: &Export,
    ) -> Result<(), InputError> {
        let joined = Joined::new(facts);
        if let Some(folder) = &to.folder {
            csv_folder::replace(folder, |folder| {
                csv_folder::write(&joined.facts, folder)?;
                if to.derived {
                    csv_folder::write_derived(&joined.derived, folder)?;
                }
                Ok(())
            })
            .map_err(folder_error)?;
        }
        if let Some(path) = &to.sqlite {
            let failed = |message: String| InputError {
                file: path.to_string_lossy().into_owned(),
                line: None,
                message,
            };
            let mut database = joined
                .database(report)
                .map_err(|error| failed(error.to_string()))?;
            let bytes = database
                .bytes()
                .map_err(|error| failed(error.to_string()))?;
            output::write(path, &bytes).map_err(|error| {
                failed(format!(
                    "cannot write the database: {}",
                    collect::reason(&error)
                ))
            })?;
        }
        Ok(())
    }

    fn read(
        &self,
        folder: &Path,
        options: &AnalysisOptions,
        depth: Depth,
    ) -> Result<(Self::Facts, Report), InputError> {
        let facts = csv_folder::read(folder).map_err(folder_error)?;
        Ok(examine(facts, options, depth))
    }

    fn database(&self, facts: Vec<Self::Facts>, report: &Report) -> Result<Database, InputError> {
        Joined::new(facts)
            .database(report)
            .map_err(|error| InputError {
                file: String::new(),
                line: None,
                message: error.to_string(),
            })
    }

    fn explain(
        &self,
        facts: &[Self::Facts],
        report: &Report,
        question: &Question,
    ) -> Result<String, String> {
        explain::answer(facts, report, question)
    }

    fn equal(&self, sides: [&[Self::Facts]; 2], ask: &equal::Ask) -> Result<Comparison, String> {
        let [left, right] = sides
            .map(|side| -> Vec<&Facts> { side.iter().map(|examined| &examined.facts).collect() });
        equal::of_facts([&left, &right], ask)
    }

    fn ensures(
        &self,
        facts: &[Self::Facts],
        ask: &ensures::Ask,
        options: &AnalysisOptions,
    ) -> Result<Vec<warplog_report::ensures::Outcome>, String> {
        let facts: Vec<&Facts> = facts.iter().map(|examined| &examined.facts).collect();
        ensures::of_facts(self, &facts, ask, &|of| of.facts, options)
    }

    fn solve(&self, folder: &Path, options: &AnalysisOptions) -> Report {
        let start = Instant::now();
        match csv_folder::read(folder) {
            Ok(facts) => {
                let read = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
                let (mut derived, decision, phases) = analysis::decide(&facts, options);
                let (mut report, phases) =
                    analysis::report_of(&facts, &derived, &decision, phases, options);
                analysis::costs::add(&facts, &mut derived, &mut report, (options, true));
                if options.anatomy {
                    attach(&mut report, analysis::anatomies(&facts, &derived, options));
                }
                if options.timings {
                    share(&mut report.kernels, read.saturating_add(phases.rules));
                    report.timings.push(FileTimings {
                        file: folder.display().to_string(),
                        phases: vec![
                            ("read".to_owned(), read),
                            ("rules".to_owned(), phases.rules),
                            ("solve".to_owned(), phases.solve),
                        ],
                    });
                }
                // A file is an input once, with however many sets of flags it was read.
                let inputs: BTreeSet<&str> = facts
                    .file
                    .iter()
                    .filter(|file| file.is_input)
                    .map(|file| file.path.as_str())
                    .collect();
                report.files = inputs.len();
                report.inventory.inputs = inputs.into_iter().map(str::to_owned).collect();
                report
            }
            Err(error) => from_error(folder_error(error)),
        }
    }
}

/// The cache in which results are looked for. Times are those of this run, and what files were at another time is not kept.
fn kept_in(options: &AnalysisOptions) -> Option<&Cache> {
    let cache = options.cache.as_deref();
    cache.filter(|_| !options.timings && options.earlier.is_empty())
}

/// A report from the cache with the anatomies of its kernels, if a page is asked for: the known ones, else those that facts and
/// rules give once more, which are then kept. None if they do not fit.
fn with_anatomies(
    mut report: Report,
    known: Option<Anatomies>,
    unit: &Unit<'_>,
    options: &AnalysisOptions,
    cache: &Cache,
) -> Option<Report> {
    if !options.anatomy {
        return Some(report);
    }
    let anatomies = match known {
        Some(known) => known,
        None => {
            let files = RecordingFiles::default();
            let (facts, _) = extract(unit, options, &files).ok()?;
            let derived = analysis::derive(&facts, options);
            let anatomies = analysis::anatomies(&facts, &derived, options);
            cache.keep(unit, options, &files, &report, Some(&anatomies));
            anatomies
        }
    };
    if anatomies.len() != report.kernels.len() {
        return None;
    }
    attach(&mut report, anatomies);
    Some(report)
}

/// Gives the kernels of a unit their anatomies.
fn attach(report: &mut Report, anatomies: Anatomies) {
    for (kernel, anatomies) in report.kernels.iter_mut().zip(anatomies) {
        kernel.anatomies = anatomies;
    }
}

/// What follows from facts, as far as it is asked for.
fn examine(facts: Facts, options: &AnalysisOptions, depth: Depth) -> (Examined, Report) {
    let mut report = Report::default();
    let mut examined = Examined::default();
    match depth {
        Depth::Facts => analysis::notes(&facts, &mut report),
        Depth::Derived => {
            analysis::notes(&facts, &mut report);
            let mut derived = analysis::derive(&facts, options);
            analysis::costs::rows(&facts, &mut derived, options);
            examined.derived = Some(derived);
        }
        Depth::Findings => {
            let (mut derived, decision, phases) = analysis::decide(&facts, options);
            (report, _) = analysis::report_of(&facts, &derived, &decision, phases, options);
            analysis::costs::add(&facts, &mut derived, &mut report, (options, false));
            examined.decision = Some(decision);
            examined.derived = Some(derived);
        }
    }
    examined.facts = facts;
    (examined, report)
}

/// The facts of many files as one set, with all that was derived under the ids of that set.
struct Joined {
    facts: Facts,
    derived: Vec<Derived>,
    answers: Vec<Answer>,
}

impl Joined {
    fn new(all: Vec<Examined>) -> Self {
        let mut joined = Joined {
            facts: Facts::default(),
            derived: Vec::new(),
            answers: Vec::new(),
        };
        let (mut races, mut divergences) = (0, 0);
        for one in all {
            let offsets = joined.facts.id_counts();
            joined.facts.append(one.facts);
            let Some(mut derived) = one.derived else {
                continue;
            };
            let answers = one.decision.as_ref().map(analysis::answers);
            for mut answer in answers.unwrap_or_default() {
                answer.candidate += if answer.race { races } else { divergences };
                answer.launch.0 += offsets.0[IdKind::Launch as usize];
                joined.answers.push(answer);
            }
            races += derived.candidate_race.len();
            divergences += derived.candidate_divergence.len();
            shift_derived(&mut derived, &offsets);
            joined.derived.push(derived);
        }
        joined
    }

    fn database(&self, report: &Report) -> Result<Database, DatabaseError> {
        let mut database = Database::new()?;
        database.add_facts(&self.facts)?;
        database.add_derived(&self.derived)?;
        database.add_report(report, &self.answers)?;
        database.add_views()?;
        Ok(database)
    }
}

/// A kernel's name without namespaces and template arguments.
pub(crate) fn base_name(name: &str) -> &str {
    let name = name.split('<').next().unwrap_or(name);
    name.rsplit("::").next().unwrap_or(name)
}

/// Adds to the kernels of a file, in equal parts, the time that was spent on all of them together.
fn share(kernels: &mut [Kernel], micros: u64) {
    let count = u64::try_from(kernels.len()).unwrap_or(u64::MAX);
    for kernel in kernels {
        kernel.extent.micros += micros / count.max(1);
    }
}

/// The comments of a unit that suppress findings.
fn comments(summary: &Summary, unit: &Unit<'_>, options: &AnalysisOptions) -> Vec<Allow> {
    if options.no_annotations {
        return Vec::new();
    }
    let mut all = allows(unit.shown, unit.bytes);
    for header in &summary.headers {
        all.extend(options.scan.allows(header));
    }
    all
}

/// What a unit is made of, under the names of reports.
fn inventory(summary: Summary, unit: &Unit<'_>, options: &AnalysisOptions) -> Inventory {
    let name = |path: &Path| options.scan.name(path);
    let file = || BTreeSet::from([unit.shown.to_owned()]);
    let mut guessed: BTreeMap<String, BTreeSet<GuessedAs>> = BTreeMap::new();
    for guess in summary.guesses {
        guessed
            .entry(name(&guess.found))
            .or_default()
            .insert(GuessedAs {
                wanted: guess.wanted,
                candidates: guess.candidates,
            });
    }
    Inventory {
        headers: summary.headers.iter().map(|path| name(path)).collect(),
        missing: summary
            .missing
            .into_iter()
            .map(|header| ((header.name, header.system), file()))
            .collect(),
        guessed,
        undefined: summary
            .undefined
            .into_iter()
            .map(|name| (name, file()))
            .collect(),
        shown_by: BTreeMap::new(),
        inputs: BTreeSet::new(),
        inactive: summary
            .inactive
            .into_iter()
            .map(|kernel| {
                let file = kernel
                    .file
                    .map_or_else(|| unit.shown.to_owned(), |path| name(&path));
                (file, kernel.line, kernel.name)
            })
            .collect(),
    }
}

/// Macros and include folders of a file; as CUDA or as what the host's compiler alone sees.
fn macros_of(of: &UnitOptions, options: &AnalysisOptions, is_cuda: bool) -> Config {
    let flags = &of.flags;
    let mut preprocess = Config::default();
    let mut predefine = |name: &str, value: String| {
        preprocess.predefined.retain(|define| define.name != name);
        preprocess.predefined.push(Define {
            name: name.to_owned(),
            value: Some(value),
        });
    };
    if let Some(arch) = flags.arch {
        predefine(ARCHITECTURE, arch.to_string());
    }
    if let Some(standard) = &flags.standard {
        predefine("__cplusplus", standard.to_string());
    }
    if of.hip {
        // HIP on NVIDIA's hardware: warps have 32 lanes, as everywhere in the analysis.
        for name in [
            "__HIPCC__",
            "__HIP__",
            "__HIP_PLATFORM_NVIDIA__",
            "__HIP_PLATFORM_NVCC__",
        ] {
            predefine(name, "1".to_owned());
        }
    }
    for change in &of.macros {
        match change {
            Macro::Define { name, value } => {
                preprocess.undefines.retain(|undefined| undefined != name);
                preprocess.defines.push(Define {
                    name: name.clone(),
                    value: Some(value.clone()),
                });
            }
            Macro::Undefine { name } => preprocess.undefines.push(name.clone()),
        }
    }
    preprocess.include_dirs.clone_from(&of.include_dirs);
    preprocess
        .include_dirs
        .extend(flags.include_dirs.iter().cloned());
    preprocess.quote_dirs.clone_from(&flags.quote_dirs);
    preprocess.system_dirs.clone_from(&flags.system_dirs);
    preprocess
        .forced_includes
        .clone_from(&flags.forced_includes);
    if of.guess_headers {
        preprocess.guesses.clone_from(&options.scan.headers);
    }
    if !is_cuda {
        let of_cuda = |name: &str| name.starts_with("__CUDA") || name == "__NVCC__";
        preprocess
            .predefined
            .retain(|define| !of_cuda(&define.name));
    }
    preprocess
}

/// The program of a unit, if other files are followed with it.
fn program_of(unit: &Unit<'_>, options: &AnalysisOptions) -> Option<Program> {
    if unit.options.program.is_empty() || unit.options.part.is_some() {
        return None;
    }
    let files = unit.options.program.iter().map(|companion| {
        let is_c = collect::is_c(&companion.path);
        let read = || collect::read(&companion.path);
        let is_cuda = collect::is_source(&companion.path)
            || (!is_c && read().is_ok_and(|text| collect::names_kernel(&text)));
        let mut preprocess = macros_of(&companion.options, options, is_cuda);
        if is_c {
            preprocess
                .predefined
                .retain(|define| define.name != "__cplusplus");
        }
        ProgramFile {
            path: companion.path.clone(),
            shown: companion.shown.clone(),
            preprocess,
            is_c,
        }
    });
    let files: Vec<ProgramFile> = files.collect();
    let macros: Vec<(&PathBuf, &Config)> = files
        .iter()
        .map(|file| (&file.path, &file.preprocess))
        .collect();
    let hash = content_hash(format!("{macros:?}").as_bytes());
    Some(Program {
        is_whole: unit
            .options
            .program
            .iter()
            .all(|one| !one.is_used_elsewhere),
        id: format!("{} {hash:?}", options.scan.run.0),
        files,
    })
}

/// The architecture by which a file is read that leaves out a kernel or has an error for the one that is taken where none is given.
const NEWER: u32 = 900;

/// The facts of a file under its header and flags, and what it is made of. Where nobody says which architecture is meant, and
/// conditionals leave nothing of a kernel, or an `#error`, for that which is taken, the file is read for a newer one.
pub(crate) fn extract(
    unit: &Unit<'_>,
    options: &AnalysisOptions,
    files: &dyn FileSystem,
) -> Result<(Facts, Summary), InputError> {
    let first = extract_as_told(unit, options, files)?;
    let told =
        unit.options.flags.arch.is_some() || unit.options.macros.iter().any(names_architecture);
    if told || first.1.misfit() == 0 {
        return Ok(first);
    }
    let mut newer = unit.options.clone();
    newer.flags.arch = Some(NEWER);
    let again = Unit {
        options: &newer,
        ..*unit
    };
    let mut second = extract_as_told(&again, options, files)?;
    if second.1.misfit() >= first.1.misfit() {
        return Ok(first);
    }
    let (facts, _) = &mut second;
    let input = facts.file.iter().position(|row| row.is_input);
    let left_out: Vec<String> = first
        .1
        .emptied
        .iter()
        .map(|one| format!("`{one}`"))
        .collect();
    let why = match left_out.as_slice() {
        [] => "an #error stands".to_owned(),
        names => format!("nothing is left of {}", names.join(", ")),
    };
    facts.note.push(NoteRow {
        file: input.map(FileId::from_index),
        path: unit.shown.to_owned(),
        line: 1,
        kind: NoteKind::Note,
        text: format!(
            "read for {ARCHITECTURE} = {NEWER}: {why} for the one that is taken where none is given (--arch gives one)"
        ),
    });
    Ok(second)
}

const ARCHITECTURE: &str = "__CUDA_ARCH__";

fn names_architecture(one: &Macro) -> bool {
    let (Macro::Define { name, .. } | Macro::Undefine { name }) = one;
    name == ARCHITECTURE
}

/// The facts of a file for one architecture.
fn extract_as_told(
    unit: &Unit<'_>,
    options: &AnalysisOptions,
    files: &dyn FileSystem,
) -> Result<(Facts, Summary), InputError> {
    let preprocess = macros_of(unit.options, options, true);
    let program = program_of(unit, options);
    let launch = |kernel: &str| {
        unit.options.launch_of(kernel).map(|launch| GivenLaunch {
            source: match launch.source {
                warplog_report::LaunchSource::Flag => LaunchSource::Flag,
                warplog_report::LaunchSource::Configuration => LaunchSource::Configuration,
                _ => LaunchSource::Header,
            },
            block_dim: launch.block_dim,
            grid_dim: launch.grid_dim,
        })
    };
    let wants = |name: &str| options.wants(name);
    // Who names a kernel wants it, wherever it stands.
    let is_context =
        |header: &Path| options.kernels.is_empty() && options.scan.is_context(unit.path, header);
    let begun = |step: Step<'_>| match step {
        Step::Preprocess => options.told.tell("preprocessing"),
        Step::Parse => options.told.tell("parsing"),
        Step::HostCode => options.told.tell("following the host code"),
        Step::Kernel(name) => options.told.tell(&format!("reading kernel `{name}`")),
    };
    let rules = warplog_report::findings::names();
    let extractor = warplog_extractor::Options {
        preprocess,
        launch: &launch,
        files,
        warp_sync: unit.options.warp_sync,
        no_annotations: options.no_annotations,
        assume: &unit.options.assume,
        assume_in: &unit.options.assume_in,
        rules: &rules,
        modular: options.modular,
        strict_aliasing: unit.options.aliasing == Some(Aliasing::Strict),
        check_assertions: options.check_assertions,
        part: unit.options.part,
        wants: &wants,
        is_context: &is_context,
        program: program.as_ref(),
        begun: &begun,
    };
    let extracted =
        warplog_extractor::extract_with_summary(unit.path, unit.shown, unit.bytes, &extractor);
    let extracted = extracted.map(|(mut facts, summary)| {
        rename(&mut facts, options);
        if options.no_annotations {
            tell_of_ends(&mut facts);
        }
        (facts, summary)
    });
    extracted.map_err(|error| {
        let file = unit.shown.to_owned();
        match error {
            PreprocessError::Binary { line, offset, .. } => InputError {
                file,
                line: u32::try_from(line).ok(),
                message: format!("a zero byte at offset {offset}: this is no source text"),
            },
            PreprocessError::Utf16 { .. } => InputError {
                file,
                line: Some(1),
                message: "the file is UTF-16; convert it to UTF-8".to_owned(),
            },
            PreprocessError::TooLarge { bytes, limit, .. } => InputError {
                file,
                line: None,
                message: format!("{bytes} bytes are too many (at most {limit})"),
            },
        }
    })
}

/// What is assumed of launches in which a thread may trap, for who does not trust the text.
pub(crate) const NO_TRAP: &str = "no thread traps, aborts or gets to what is called unreachable";

/// Says of each launch in which a thread may end it that executions in which one does are left out.
fn tell_of_ends(facts: &mut Facts) {
    let ends = facts.assume.iter().filter(|row| row.ends);
    let launches: BTreeSet<LaunchId> = ends
        .filter_map(|row| facts.point.get(row.point.index()))
        .map(|point| point.launch)
        .collect();
    facts
        .assumption
        .extend(launches.into_iter().map(|launch| AssumptionRow {
            launch,
            text: NO_TRAP.to_owned(),
        }));
}

/// Gives each header the name that it has in all units.
fn rename(facts: &mut Facts, options: &AnalysisOptions) {
    for file in facts.file.iter_mut().filter(|file| !file.is_input) {
        file.path = options.scan.name(Path::new(&file.path));
    }
    let paths: Vec<String> = facts.file.iter().map(|file| file.path.clone()).collect();
    for note in &mut facts.note {
        if let Some(file) = note.file {
            note.path.clone_from(&paths[file.index()]);
        }
    }
}

fn folder_error(error: csv_folder::FolderError) -> InputError {
    InputError {
        file: error.path.to_string_lossy().into_owned(),
        line: error.line,
        // Without the number that the system gives the error.
        message: match error.message.split_once(" (os error") {
            Some((words, _)) => words.to_owned(),
            None => error.message,
        },
    }
}

fn from_error(error: InputError) -> Report {
    Report {
        errors: vec![error],
        ..Report::default()
    }
}
