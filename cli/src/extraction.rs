//! From the text of a unit to its facts: macros, folders and the files of its program are what the options say.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use warplog_extractor::preprocess::{Config, Define, FileSystem, PreprocessError};
use warplog_extractor::{GivenLaunch, Program, ProgramFile, Step, Summary};
use warplog_facts::words::{LaunchSource, NoteKind};
use warplog_facts::{AssumptionRow, Facts, FileId, LaunchId, NoteRow};
use warplog_report::InputError;

use crate::choices::Aliasing;
use crate::collect;
use crate::macros::Macro;
use crate::options::AnalysisOptions;
use crate::store::content_hash;
use crate::unit::{Unit, UnitOptions};

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
        open_arguments: options.open_arguments,
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
pub(crate) fn tell_of_ends(facts: &mut Facts) {
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
pub(crate) fn rename(facts: &mut Facts, options: &AnalysisOptions) {
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
