//! The analysis of a unit from its text to its report: [`Analysis`], the pipeline that the program runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Instant;

use warplog_database::{Answer, Database, DatabaseError};
use warplog_extractor::Summary;
use warplog_extractor::preprocess::RealFiles;
use warplog_facts::{Derived, Facts, IdKind, csv_folder, shift_derived};
use warplog_report::allow::allows;
use warplog_report::equal::Comparison;
use warplog_report::suppression::Allow;
use warplog_report::{FileTimings, GuessedAs, InputError, Inventory, Kernel, Report};

use crate::analysis::derivation::derive;
use crate::cache::{Anatomies, RecordingFiles};
use crate::explain::question::Question;
use crate::extraction::extract;
use crate::naming::base_name;
use crate::options::AnalysisOptions;
use crate::pipeline::{Depth, Examined, Export, Pipeline};
use crate::store::Cache;
use crate::unit::Unit;
use crate::{analysis, collect, ensures, equal, explain, mends, output};

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
                mends::costs::add(&mut report, unit, options, &summary.headers);
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

    fn equal(
        &self,
        sides: [&[Self::Facts]; 2],
        ask: &crate::equal::ask::Ask,
    ) -> Result<Comparison, String> {
        let [left, right] = sides
            .map(|side| -> Vec<&Facts> { side.iter().map(|examined| &examined.facts).collect() });
        equal::of_facts([&left, &right], ask)
    }

    fn ensures(
        &self,
        facts: &[Self::Facts],
        ask: &crate::ensures::ask::Ask,
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
            let derived = derive(&facts, options);
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
            let mut derived = derive(&facts, options);
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
pub(crate) struct Joined {
    pub(crate) facts: Facts,
    pub(crate) derived: Vec<Derived>,
    pub(crate) answers: Vec<Answer>,
}

impl Joined {
    pub(crate) fn new(all: Vec<Examined>) -> Self {
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

    pub(crate) fn database(&self, report: &Report) -> Result<Database, DatabaseError> {
        let mut database = Database::new()?;
        database.add_facts(&self.facts)?;
        database.add_derived(&self.derived)?;
        database.add_report(report, &self.answers)?;
        database.add_views()?;
        Ok(database)
    }
}

/// Adds to the kernels of a file, in equal parts, the time that was spent on all of them together.
pub(crate) fn share(kernels: &mut [Kernel], micros: u64) {
    let count = u64::try_from(kernels.len()).unwrap_or(u64::MAX);
    for kernel in kernels {
        kernel.extent.micros += micros / count.max(1);
    }
}

/// The comments of a unit that suppress findings.
pub(crate) fn comments(
    summary: &Summary,
    unit: &Unit<'_>,
    options: &AnalysisOptions,
) -> Vec<Allow> {
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
pub(crate) fn inventory(summary: Summary, unit: &Unit<'_>, options: &AnalysisOptions) -> Inventory {
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
