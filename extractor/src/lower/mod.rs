//! Lowering: symbolic evaluation of kernels over the syntax tree, to facts.
//!
//! Locals become terms, branches become guards, joins become `ite`s, loops get closed forms
//! ([`closed`]), device functions are inlined ([`call`]), launches are read from host code
//! ([`host`]). **Accuracy.** For every execution of the kernel under the launch, the facts hold an
//! access for each access that it performs, with a guard that is true and an index that is exact
//! up to the unknowns named in it; or there is an `unsupported` row.

mod aliasing;
mod anonymous;
mod asm;
mod axes;
mod bases;
mod body;
mod brought_in;
mod call;
mod choice;
mod classes;
mod closed;
mod composite;
mod constants;
mod constness;
mod contracts;
mod conversions;
mod convert;
mod course;
mod declarations;
mod decltype;
mod derived;
mod detection;
mod doubts;
mod enumerations;
mod expr;
mod flow;
mod formed;
mod function_types;
mod gotos;
mod grown;
mod heads;
mod hidden;
mod host;
mod identity;
mod inductive;
mod instance;
pub(crate) mod kernel;
mod left;
mod library;
mod lifetimes;
mod link;
mod lookup;
mod loops;
mod made;
mod members;
mod named;
mod named_types;
mod numbers;
mod objects;
mod opened;
mod order;
mod overload;
mod packs;
mod passes;
mod place;
mod places;
mod pointers;
mod qualification;
mod ranges;
mod redirect;
mod references;
mod sources;
mod special;
mod specialised;
mod stmt;
mod stored;
mod templates;
mod traits;
mod trial;
mod trips;
mod types;
mod typing;
mod under_way;
mod unit;
mod unmade;
mod value;
mod variables;
mod virtuals;
mod walk;

use std::borrow::Cow;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

pub(crate) use library::{page as library_page, rows_of_tables as library_rows};
use warplog_facts::words::*;
use warplog_facts::*;

use crate::preprocess::{NoteKind as TextNote, Place, Preprocessed};
use crate::syntax::ast::{Function, Range, Unit};
use crate::syntax::parse_as;
use crate::{GivenLaunch, Options, Step};
use doubts::Doubts;
use host::{Argument, Launch};
use passes::Pass;
use sources::Sources;
use unit::UnitIndex;

/// What an `unsupported` row says when the header asks for lock-step warps.
const LOCK_STEP: &str = "lock-step warps (--warp-sync)";

/// The facts of a parsed unit.
pub(crate) fn lower(pre: &Preprocessed, shown: &str, unit: &Unit, options: &Options) -> Facts {
    let mut facts = Facts::default();
    let mut sources = Sources::new(pre, shown);
    // The main file has an id even when nothing in it is worth a span.
    sources.file(&mut facts, 0);
    notes(pre, &mut sources, &mut facts);
    let index = index_of(pre, unit, options);
    if !options.no_annotations {
        for (file, line, text) in index.contracts.comments.faults(unit) {
            let file = sources.file(&mut facts, file);
            let path = facts.file[file.index()].path.clone();
            facts.note.push(NoteRow {
                file: Some(file),
                path,
                line,
                kind: NoteKind::Error,
                text,
            });
        }
    }
    let doubts = Doubts::of(pre, unit);
    let of_host = pre.on_host.as_deref().filter(|pre| !pre.doubts.is_empty());
    let of_host = of_host.map(|pre| {
        let unit = parse_as(&pre.text, options.preprocess.has_char8());
        (Doubts::of(pre, &unit), unit)
    });
    (options.begun)(Step::HostCode);
    let mut launches = host::launches(&index, &pre.text, &sources);
    if let Some(on_host) = &pre.on_host {
        let device = Pass {
            pre,
            unit,
            launches,
        };
        launches = passes::on_host(device, on_host, shown, options);
    }
    if let Some(program) = options.program {
        let told = link::launches(pre, unit, launches, program, options);
        launches = told.launches;
        of_program(&told.left_out, &mut facts);
    }
    let unmade = unmade::Unmade::of(pre, unit);
    let context = context(pre, unit, options);
    let copies = copies(pre, unit);
    for (&copy, &first) in &copies {
        if let Some(found) = launches.remove(&copy) {
            launches.entry(first).or_default().extend(found);
        }
    }
    for (position, function) in unit.functions.iter().enumerate() {
        if !function.quals.global || function.body.is_none() || copies.contains_key(&position) {
            continue;
        }
        if context.contains_key(&position) {
            continue;
        }
        let damage = doubts.holds(position)
            || of_host
                .as_ref()
                .is_some_and(|(doubts, unit)| doubts.holds_named(unit, &function.qualified));
        let mut found = launches.remove(&position).unwrap_or_default();
        for launch in &mut found {
            // An arbitrary launch that a use in this unit asks for has a place; one that stands for "none is here" has not,
            // and gives way where another unit shows the launches.
            if launch.source == LaunchSource::Symbolic && launch.range.is_none() {
                launch.range = Some(function.name_range);
            }
        }
        // Of a template and its specialisations, those that a launch means.
        let mut unsure: Vec<Range> = Vec::new();
        let of_all = found.len();
        found.retain(|launch| {
            if launch.source == LaunchSource::Symbolic && launch.template_args.is_empty() {
                return true;
            }
            let meant = kernel::is_meant(&index, sources.afresh(), function, launch);
            if meant.is_none() {
                unsure.extend(launch.range);
            }
            meant != Some(false)
        });
        let are_of_another = found.len() < of_all;
        let mut asked = instantiations(unit, function);
        asked.retain(|launch| {
            launch.template_args.is_empty()
                || kernel::is_meant(&index, sources.afresh(), function, launch) != Some(false)
        });
        if asked.is_empty() && found.is_empty() {
            asked.push(Launch::symbolic());
        }
        let is_any =
            |launch: &Launch| launch.source == LaunchSource::Symbolic && !launch.doubts.is_empty();
        if found.iter().all(is_any) && !are_of_another {
            for launch in asked.iter_mut().chain(&mut found) {
                launch.assumptions.extend(unmade.of_kernel(function));
            }
        }
        let given: Vec<Launch> = match (options.launch)(&function.qualified) {
            Some(given) => vec![given_launch(&given)],
            None => index.contracts.comments.launches(function),
        };
        let found = match given.as_slice() {
            // The sizes are given; which instances there are the text says.
            [first, ..] => {
                let mut launches: Vec<Launch> = Vec::new();
                for one in found.iter().chain(&asked) {
                    let name = |launch: &Launch| kernel_name(function, launch, &pre.text);
                    if !launches.iter().any(|known| name(known) == name(one)) {
                        launches.extend(given.iter().map(|given| Launch {
                            template_args: one.template_args.clone(),
                            rest_is_open: one.rest_is_open,
                            ..given.clone()
                        }));
                    }
                }
                if launches.len() > 1 {
                    launches.retain(|launch| {
                        !launch.template_args.is_empty() || function.template.is_none()
                    });
                }
                if launches.is_empty() {
                    launches.push(first.clone());
                }
                launches
            }
            [] if found.is_empty() => asked,
            [] => {
                let name = |launch: &Launch| kernel_name(function, launch, &pre.text);
                let more: Vec<Launch> = asked
                    .into_iter()
                    .filter(|one| {
                        !one.template_args.is_empty()
                            && !found.iter().any(|known| name(known) == name(one))
                    })
                    .collect();
                found.into_iter().chain(more).collect()
            }
        };
        let left_out = left_out(pre, function);
        // One kernel per distinct list of template arguments.
        let mut done: Vec<String> = Vec::new();
        for launch in &found {
            let name = kernel_name(function, launch, &pre.text);
            if done.contains(&name) {
                continue;
            }
            if !(options.wants)(&name) {
                continue;
            }
            (options.begun)(Step::Kernel(&name));
            let kernel = KernelId::from_index(facts.kernel.len());
            let span = sources.span(&mut facts, function.name_range);
            facts.kernel.push(KernelRow {
                kernel,
                name: name.clone(),
                span,
            });
            // Launches that differ in their arguments alone are one where these are open.
            let mut asked_before: BTreeSet<String> = BTreeSet::new();
            for launch in found
                .iter()
                .filter(|launch| kernel_name(function, launch, &pre.text) == name)
            {
                let is_unsure = launch.range.is_some_and(|range| unsure.contains(&range));
                let first = facts.launch.len();
                let launched = match launch.source {
                    LaunchSource::Symbolic => function,
                    _ => index.launched_with(function, launch.arguments.len()),
                };
                let is_open = options.open_arguments && launch.source == LaunchSource::Code;
                let opened = is_open.then(|| {
                    let names = launched.params.iter().map(|param| param.name.as_deref());
                    launch.opened(&names.collect::<Vec<_>>())
                });
                if let Some(opened) = &opened
                    && !asked_before.insert(opened.without_place())
                {
                    continue;
                }
                let launch = opened.as_ref().unwrap_or(launch);
                instance::lower(&index, &mut sources, &mut facts, kernel, launched, launch);
                for added in first..facts.launch.len() {
                    let launch = LaunchId::from_index(added);
                    match options.warp_sync {
                        // A thread is in step with itself.
                        None | Some(1) => {}
                        Some(32) => facts.lock_step.push(LockStepRow { launch, lanes: 32 }),
                        // Independent threads are the weaker machine: what is race-free there is race-free in lock-step.
                        Some(_) => facts.unsupported.push(UnsupportedRow {
                            launch: Some(launch),
                            span,
                            what: LOCK_STEP.to_owned(),
                            why: "only warps of 32 threads are taken to be in lock-step".to_owned(),
                            effect: Effect::Nothing,
                        }),
                    }
                    if is_unsure {
                        facts.unsupported.push(UnsupportedRow {
                            launch: Some(LaunchId::from_index(added)),
                            span,
                            what: "a kernel with specialisations".to_owned(),
                            why: "for which of them a launch is meant is not known".to_owned(),
                            effect: Effect::Control,
                        });
                    }
                    if let Some(why) = &left_out {
                        facts.unsupported.push(UnsupportedRow {
                            launch: Some(launch),
                            span,
                            what: format!("body of `{}`", function.name),
                            why: why.clone(),
                            effect: Effect::Control,
                        });
                    }
                    if damage {
                        facts.unsupported.push(UnsupportedRow {
                            launch: Some(LaunchId::from_index(added)),
                            span,
                            what: "preprocessing".to_owned(),
                            why: "parts of the file could not be preprocessed (see the notes)"
                                .to_owned(),
                            effect: Effect::Control,
                        });
                    }
                }
            }
            done.push(name);
        }
    }
    left_to_others(&context, &mut sources, &mut facts);
    unparsed(pre, unit, &mut sources, &mut facts);
    facts.compact_terms();
    facts
}

/// Says which files of the program are not followed.
fn of_program(left_out: &[(String, String)], facts: &mut Facts) {
    for (path, reason) in left_out {
        facts.note.push(NoteRow {
            file: None,
            path: path.clone(),
            line: 1,
            kind: NoteKind::Note,
            text: format!("not linked with the files beside it: {reason}"),
        });
    }
}

/// The kernels of headers whose kernels are not wanted, by their positions, with these headers.
fn context(pre: &Preprocessed, unit: &Unit, options: &Options) -> BTreeMap<usize, u32> {
    let mut known: FxHashMap<u32, bool> = FxHashMap::default();
    let mut found = BTreeMap::new();
    for (position, function) in unit.functions.iter().enumerate() {
        if !function.quals.global || function.body.is_none() {
            continue;
        }
        let name = function.name_range.bytes();
        let file = pre.map.locate(name.start, name.end).place().file;
        let is_context = *known.entry(file).or_insert_with(|| {
            // The main file and the command line are no headers.
            file > 1
                && pre
                    .files
                    .get(file as usize)
                    .is_some_and(|file| (options.is_context)(&file.path))
        });
        if is_context {
            found.insert(position, file);
        }
    }
    found
}

/// Says of each header how many of its kernels were not wanted.
fn left_to_others(context: &BTreeMap<usize, u32>, sources: &mut Sources, facts: &mut Facts) {
    let mut counts: BTreeMap<u32, usize> = BTreeMap::new();
    for &file in context.values() {
        *counts.entry(file).or_default() += 1;
    }
    for (file, count) in counts {
        let file = sources.file(facts, file);
        let path = facts.file[file.index()].path.clone();
        let kernels = match count {
            1 => "1 kernel is".to_owned(),
            _ => format!("{count} kernels are"),
        };
        facts.note.push(NoteRow {
            file: Some(file),
            path,
            line: 1,
            kind: NoteKind::Note,
            text: format!("{kernels} not checked: this header is outside of the folders that are"),
        });
    }
}

/// Why a kernel without any statement is no kernel to be called race-free: conditionals leave out what its body holds, and another
/// architecture or another macro has it.
pub(crate) fn left_out(pre: &Preprocessed, kernel: &Function) -> Option<String> {
    let body = kernel.body.as_ref()?.range;
    let text = pre.text.get(body.bytes())?;
    let is_nothing = |c: char| c.is_whitespace() || matches!(c, '{' | '}' | ';');
    if !text.chars().all(is_nothing) {
        return None;
    }
    let place = pre
        .map
        .locate(body.start as usize, body.end as usize)
        .place();
    let source = &pre.files.get(place.file as usize)?.text;
    let written = source.get(place.start as usize..place.end as usize)?;
    let is_conditional = |line: &str| {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        directive.is_some_and(|directive| directive.starts_with("if"))
    };
    written.lines().any(is_conditional).then(|| {
        match &pre.architecture {
            Some(architecture) => format!(
                "its conditionals leave nothing of it for `__CUDA_ARCH__` = {architecture} (--arch sm_90 takes another)"
            ),
            None => "its conditionals leave nothing of it".to_owned(),
        }
    })
}

/// The index of a unit, with what its contracts say.
fn index_of<'u>(pre: &Preprocessed, unit: &'u Unit, options: &Options) -> UnitIndex<'u> {
    let mut index = UnitIndex::new(unit);
    index.architecture.clone_from(&pre.architecture);
    index.no_asserts = pre.no_asserts;
    index.strict_aliasing = options.strict_aliasing;
    index.assume_in = options.assume_in.to_vec();
    index.assume_in.resize(options.assume.len(), Vec::new());
    index.contracts.ignored = options.no_annotations;
    index.contracts.modular = options.modular && !options.no_annotations;
    index.contracts.assertions_are_checked = options.check_assertions;
    if !options.no_annotations {
        index.contracts.spoken = contracts::Spoken::read(&pre.text, unit);
        index.contracts.comments = contracts::Comments::read(pre, unit, options.rules);
    }
    index
}

/// Arbitrary launches of what `template __global__ void k<float, 4>(float *);` asks for, or of the kernel as it is.
fn instantiations(unit: &Unit, kernel: &crate::syntax::ast::Function) -> Vec<Launch> {
    let explicit: Vec<Launch> = unit
        .instantiations
        .iter()
        .filter(|instance| {
            instance.name == kernel.name
                && !instance.template_args.is_empty()
                && instance.params.len() == kernel.params.len()
        })
        .map(|instance| Launch {
            template_args: instance.template_args.clone(),
            ..Launch::symbolic()
        })
        .collect();
    if explicit.is_empty() || kernel.template.is_none() {
        vec![Launch::symbolic()]
    } else {
        explicit
    }
}

/// Kernels that are there several times because their file was read several times: by the position of the copy, that of
/// the first one with the same place and the same text. What differs by a macro is no copy.
fn copies(pre: &Preprocessed, unit: &Unit) -> BTreeMap<usize, usize> {
    let mut first: FxHashMap<(Place, &str, &str), usize> = FxHashMap::default();
    let mut copies = BTreeMap::new();
    for (position, function) in unit.functions.iter().enumerate() {
        if !function.quals.global || function.body.is_none() {
            continue;
        }
        let name = function.name_range.bytes();
        let place = pre.map.locate(name.start, name.end).place();
        let text = pre.text.get(function.range.bytes()).unwrap_or("");
        match first.entry((place, &function.qualified, text)) {
            Entry::Occupied(known) => {
                copies.insert(position, *known.get());
            }
            Entry::Vacant(free) => {
                free.insert(position);
            }
        }
    }
    copies
}

fn given_launch(given: &GivenLaunch) -> Launch {
    let sizes = |dims: Option<[u64; 3]>| match dims {
        Some(dims) => dims.map(|size| Some(Argument::Constant(i128::from(size), CType::U32))),
        None => [None, None, None],
    };
    Launch {
        source: given.source,
        block: sizes(given.block_dim),
        grid: sizes(given.grid_dim),
        ..Launch::symbolic()
    }
}

/// The kernel's name with the template arguments of the launch.
fn kernel_name(function: &crate::syntax::ast::Function, launch: &Launch, text: &str) -> String {
    use crate::syntax::ast::TemplateArg;
    if launch.template_args.is_empty() {
        return function.qualified.clone();
    }
    let written = |range: Range| {
        text.get(range.bytes())
            .unwrap_or("")
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    };
    let args: Vec<String> = launch
        .template_args
        .iter()
        .map(|arg| match (host::argument_text(arg), arg) {
            (Some(text), _) => text,
            (None, TemplateArg::Type(ty)) => written(ty.range),
            (None, TemplateArg::Expr(expr)) => written(expr.range),
            (None, TemplateArg::Name(name)) => written(name.range),
        })
        .collect();
    format!("{}<{}>", function.qualified, shortened(&args.join(", ")))
}

/// The longest list of template arguments that is written out in the name of a kernel; macros may make more of a word.
const LONGEST_ARGUMENTS: usize = 1000;

/// Template arguments as they stand in a name: of a long list the beginning, and a number that tells it from others. The name is
/// in all that is said of a kernel.
fn shortened(args: &str) -> Cow<'_, str> {
    if args.len() <= LONGEST_ARGUMENTS {
        return Cow::Borrowed(args);
    }
    // FNV-1a with 128 bits.
    let number = args.bytes().fold(
        0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128,
        |hash, byte| {
            (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
        },
    );
    let beginning: String = args.chars().take(100).collect();
    Cow::Owned(format!("{beginning}… #{number:032x}"))
}

/// What preprocessing noted.
fn notes(pre: &Preprocessed, sources: &mut Sources, facts: &mut Facts) {
    // Launches that are left out are told with their kernels.
    let told = |note: &&crate::preprocess::Note| note.kind != TextNote::InactiveLaunch;
    for note in pre.notes.iter().filter(told) {
        let file = sources.file(facts, note.file);
        let (kind, text) = match note.kind {
            TextNote::MissingInclude => (
                NoteKind::MissingInclude,
                format!("header {} not found", note.text),
            ),
            TextNote::InactiveKernel => (
                NoteKind::InactiveKernel,
                format!("kernel {} is inactive", note.text),
            ),
            TextNote::UndefinedInIf => (
                NoteKind::UndefinedName,
                format!("{} is not defined; taken as 0 in #if", note.text),
            ),
            _ if note.is_cut_off() => (NoteKind::Error, note.text.clone()),
            _ => (NoteKind::Note, note.text.clone()),
        };
        let path = facts.file[file.index()].path.clone();
        facts.note.push(NoteRow {
            file: Some(file),
            path,
            line: note.line,
            kind,
            text,
        });
    }
}

/// Why what the parser could not read is not modelled.
pub(crate) const NOT_PARSED: &str = "not understood by the parser";

/// What the parser could not read outside functions; a kernel may hide in it.
fn unparsed(pre: &Preprocessed, unit: &Unit, sources: &mut Sources, facts: &mut Facts) {
    let hidden = unit.global_tokens > unit.global_tokens_in_tree();
    for problem in &unit.unparsed {
        let span = sources.span(facts, problem.range);
        facts.unsupported.push(UnsupportedRow {
            launch: None,
            span,
            what: problem.what.clone(),
            why: NOT_PARSED.to_owned(),
            effect: if hidden {
                Effect::Control
            } else {
                Effect::Nothing
            },
        });
    }
    // What is cut off leaves braces open, too.
    let is_told = pre.notes.iter().any(|note| note.is_cut_off());
    if let Some(brace) = unit.unclosed.filter(|_| !is_told) {
        let span = sources.span(facts, brace);
        let span = &facts.span[span.index()];
        let (file, line) = (span.file, span.line);
        let path = facts.file[file.index()].path.clone();
        facts.note.push(NoteRow {
            file: Some(file),
            path,
            line,
            kind: NoteKind::Error,
            text: "the text ends before this brace is closed".to_owned(),
        });
    }
    if hidden {
        let path = facts.file[0].path.clone();
        facts.note.push(NoteRow {
            file: Some(FileId(0)),
            path,
            line: 0,
            kind: NoteKind::Error,
            text: format!(
                "{} of {} mentions of __global__ were not understood",
                unit.global_tokens - unit.global_tokens_in_tree(),
                unit.global_tokens
            ),
        });
    }
}
