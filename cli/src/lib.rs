//! The command line of warplog as a library, for the binary and for the suites.
//!
//! [`run`] is the whole program: arguments in, text out, exit status back. The analysis lies behind [`pipeline`].

mod agent;
pub mod analysis;
pub mod args;
mod baseline;
pub mod cache;
pub mod choices;
pub mod collect;
pub mod compile_db;
mod completions;
pub mod config;
pub mod dims;
pub mod driver;
mod editor;
pub mod engine;
pub mod ensures;
pub mod equal;
pub mod explain;
mod extraction;
mod fragments;
pub mod gate;
pub mod guard;
pub mod header;
mod identity;
mod isolation;
mod last;
pub mod macros;
mod made;
pub mod makefile;
mod manual;
pub mod mends;
pub mod naming;
pub mod options;
pub mod output;
pub mod pipeline;
mod policy;
pub mod programs;
mod progress;
mod query;
mod replaced;
pub mod scan;
mod signals;
mod since;
pub mod store;
mod targets;
pub mod texts;
mod threads;
pub mod told;
mod triage;
pub mod unit;
mod watch;

use std::env;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use warplog_database::Database;
use warplog_report::{InputError, Report, text};
use warplog_solver_bridge::Stop;

use args::{Cli, Command, OutputArgs};
use driver::RunOptions;
use engine::Analysis;
use last::Last;
use options::AnalysisOptions;
use pipeline::Pipeline;
use store::Cache;
use texts::is_stdin;
use told::Told;

/// Wrong use of the command line.
pub const WRONG_USE: u8 = 2;
/// Some input could not be read or analysed, or the output could not be written.
pub const FAILED: u8 = 3;

/// The run was interrupted: what was found so far is written, and marked as incomplete.
pub const INTERRUPTED: u8 = 130;

/// Columns where nothing says how many there are.
const WIDTH: usize = 140;

/// Columns below which nothing is made to fit: words are longer.
const NARROW: usize = 36;

/// What the program writes to.
pub struct Streams<'a> {
    /// Standard input.
    pub input: &'a mut dyn Read,
    /// Standard output.
    pub out: &'a mut dyn Write,
    /// Standard error.
    pub err: &'a mut dyn Write,
    /// Whether standard output is a terminal.
    pub terminal: bool,
    /// Whether to colour standard output.
    pub color: bool,
    /// Columns of standard output.
    pub width: usize,
    /// Whether to show progress on standard error.
    pub progress: bool,
    /// Who is told what is being done to the files.
    pub told: Told,
    /// The folder in which results are kept, if they are.
    pub cache: Option<PathBuf>,
    /// Whether files are analysed by processes that execute this program once more, see [`main_of`].
    pub workers: bool,
    /// What an interruption sets, for commands that then write what they have; whoever gives it says how it comes to be set.
    pub interruption: &'a dyn Fn() -> Stop,
}

/// The program: arguments and streams of this process, the real analysis.
#[must_use]
pub fn main() -> ExitCode {
    main_of(&Analysis)
}

/// The same with another analysis. It executes itself once more for the analysis of files: `main` of the program has to do
/// this and nothing else.
#[must_use]
pub fn main_of<P: Pipeline>(pipeline: &P) -> ExitCode {
    let mut arguments = env::args_os().skip(1);
    if arguments
        .next()
        .is_some_and(|first| first == isolation::WORKER)
    {
        return ExitCode::from(isolation::serve(pipeline));
    }
    let terminal = io::stdout().is_terminal();
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    let width = match terminal_size::terminal_size_of(io::stdout()) {
        Some((width, _)) => usize::from(width.0).max(NARROW),
        None => WIDTH,
    };
    let mut streams = Streams {
        // Not locked: a server reads and writes from several threads.
        input: &mut io::stdin(),
        out: &mut io::stdout(),
        err: &mut io::stderr(),
        terminal,
        color: terminal && !no_color && !dumb,
        width,
        progress: io::stderr().is_terminal() && !dumb,
        told: Told::default(),
        cache: cache_folder(),
        workers: true,
        interruption: &signals::stop_on_signals,
    };
    ExitCode::from(run(pipeline, env::args_os(), &mut streams))
}

/// Where results are kept: what `WARPLOG_CACHE_DIR` says, nowhere if it says nothing, else in the folder that the system has for caches.
fn cache_folder() -> Option<PathBuf> {
    if let Some(folder) = env::var_os("WARPLOG_CACHE_DIR") {
        return (!folder.is_empty()).then(|| PathBuf::from(folder));
    }
    let given = |name: &str| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let caches =
        given("XDG_CACHE_HOME").or_else(|| given("HOME").map(|home| home.join(".cache")))?;
    Some(caches.join("warplog"))
}

/// Runs the program with these arguments, its own name first, and gives its exit status.
pub fn run<P, I, T>(pipeline: &P, arguments: I, streams: &mut Streams<'_>) -> u8
where
    P: Pipeline,
    I: IntoIterator<Item = T>,
    T: Into<OsString> + Clone,
{
    let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
    let (cli, macros) = match Cli::read(&arguments) {
        Ok(read) => read,
        Err(error) => return usage(&error, &arguments, streams),
    };
    let mut options = AnalysisOptions {
        told: streams.told.clone(),
        ..AnalysisOptions::default()
    };
    let run = |jobs: &args::JobsArgs, streams: &Streams<'_>| RunOptions {
        jobs: jobs.jobs.map_or(0, std::num::NonZeroUsize::get),
        progress: streams.progress,
        workers: streams.workers,
    };
    if let Command::Check(args::CheckArgs { output, .. })
    | Command::Costs(args::CheckArgs { output, .. })
    | Command::Solve(args::SolveArgs { output, .. }) = &cli.command
        && let Some(message) = output::refusal(output, streams)
    {
        complain(streams, &message);
        return WRONG_USE;
    }
    if let Some(message) = unwritable(&cli.command) {
        complain(streams, &message);
        return FAILED;
    }
    let named = match &cli.command {
        Command::Check(args) | Command::Costs(args) => Some((&args.source, &args.paths)),
        Command::Facts(args) => Some((&args.source, &args.paths)),
        Command::Query(args) => Some((&args.source, &args.scan)),
        Command::Gate(args) => Some((&args.source, &args.paths)),
        Command::Equal(args) => Some((&args.source, &NO_PATHS)),
        Command::Ensures(args) => Some((&args.source, &NO_PATHS)),
        Command::Explain(args) => Some((&args.source, &args.paths)),
        Command::Triage(args) => Some((&args.source, &args.paths)),
        _ => None,
    };
    if let Some((source, paths)) = named
        && source.stdin_name.is_some()
        && !paths.iter().any(|path| is_stdin(path))
    {
        complain(
            streams,
            "--stdin-name names what `-` stands for, and no path is `-`",
        );
        return WRONG_USE;
    }
    let only_costs = matches!(cli.command, Command::Costs(_));
    match cli.command {
        Command::Check(args) | Command::Costs(args) => {
            args.source.apply(&mut options, macros);
            args.search.apply(&mut options);
            args.costs.apply(only_costs, &mut options);
            if let Some(message) = replaced::sources(&args.output, &args.paths, &options) {
                complain(streams, &message);
                return WRONG_USE;
            }
            options.timings = args.output.timings;
            options.anatomy = args.output.wants(args::Format::Html);
            options.coverage = args.coverage;
            options.mends = args.mends();
            options.bounds = args.bounds.get();
            options.shard = args.shard;
            let folder = streams.cache.clone().filter(|_| !args.no_cache);
            options.cache = folder.map(|folder| Arc::new(Cache::new(folder)));
            read_stdin(&args.paths, &mut options, streams);
            if args.watch {
                options.stop = (streams.interruption)();
                let mut run = run(&args.jobs, streams);
                run.progress = false;
                return watch::run(pipeline, &args, &options, run, &arguments, streams);
            }
            let change = match &args.diff {
                Some(revision) => match since::change(revision, &args.paths, &options) {
                    Ok(change) => Some(change),
                    Err(message) => {
                        complain(streams, &message);
                        return WRONG_USE;
                    }
                },
                None => None,
            };
            options.stop = (streams.interruption)();
            let mut run = run(&args.jobs, streams);
            run.progress &= !args.output.quiet;
            let mut report = driver::check(pipeline, &args.paths, &options, run);
            if let Some(change) = change {
                change.apply(pipeline, &args.paths, &options, run, &mut report);
            }
            if args.fix {
                report = fixed(pipeline, &args.paths, &options, run, report, streams);
            }
            let words = arguments
                .iter()
                .map(|word| word.to_str().map(str::to_owned));
            // What was read from standard input is not there any more.
            if let Some(folder) = streams.cache.as_ref().filter(|_| !args.no_cache)
                && options.stdin.text.is_none()
                && let Some(words) = words.collect()
            {
                Last::of(&report, words).keep(folder);
            }
            conclude(report, &args.output, &options, run, &arguments, streams)
        }
        Command::Solve(args) => {
            args.search.apply(&mut options);
            args.costs.apply(false, &mut options);
            if let Some(message) = replaced::folder(&args.output, &args.folder) {
                complain(streams, &message);
                return WRONG_USE;
            }
            options.timings = args.output.timings;
            options.anatomy = args.output.wants(args::Format::Html);
            options.bounds = args.bounds.get();
            options.stop = (streams.interruption)();
            let run = run(&args.jobs, streams);
            let report = driver::solve(pipeline, &args.folder, &options, run);
            conclude(report, &args.output, &options, run, &arguments, streams)
        }
        Command::Facts(args) => {
            args.source.apply(&mut options, macros);
            // What follows from facts is exported with them, if it is asked for.
            let derives = args.derived || args.sqlite.is_some();
            options.costs = derives.then_some(args::CAPABILITY);
            let database = args.sqlite.as_deref().and_then(foreign);
            if let Some(message) = database.or_else(|| args.out.as_deref().and_then(foreign_folder))
            {
                complain(streams, &message);
                return WRONG_USE;
            }
            read_stdin(&args.paths, &mut options, streams);
            options.bounds = args.bounds.get();
            options.stop = (streams.interruption)();
            let run = run(&args.jobs, streams);
            let to = crate::pipeline::Export {
                folder: args.out,
                derived: args.derived,
                sqlite: args.sqlite,
            };
            let report = driver::facts(pipeline, &args.paths, &to, &options, run);
            remark(&report, streams);
            if report.errors.is_empty() {
                0
            } else {
                failed(&report)
            }
        }
        Command::Equal(args) => {
            args.source.apply(&mut options, macros);
            options.bounds = args.bounds.get();
            options.stop = (streams.interruption)();
            let run = run(&args.jobs, streams);
            equal::command(pipeline, &args, &options, run, streams)
        }
        Command::Ensures(args) => {
            args.source.apply(&mut options, macros);
            options.bounds = args.bounds.get();
            options.stop = (streams.interruption)();
            let run = run(&args.jobs, streams);
            ensures::command(pipeline, &args, &options, run, streams)
        }
        Command::Gate(args) => {
            args.source.apply(&mut options, macros);
            args.search.apply(&mut options);
            read_stdin(&args.paths, &mut options, streams);
            options.stop = (streams.interruption)();
            let mut run = run(&args.jobs, streams);
            run.progress = false;
            gate::command(pipeline, &args, options, run, streams)
        }
        Command::Query(args) => {
            args.source.apply(&mut options, macros);
            options.costs = asks_for_costs(&args.words).then_some(args::CAPABILITY);
            args.search.apply(&mut options);
            read_stdin(&args.scan, &mut options, streams);
            options.bounds = args.bounds.get();
            options.stop = (streams.interruption)();
            let run = run(&args.jobs, streams);
            query::run(pipeline, &args, &options, run, streams)
        }
        Command::Triage(args) => {
            args.source.apply(&mut options, macros);
            options.bounds = args.bounds.get();
            args.search.apply(&mut options);
            options.cache = streams
                .cache
                .clone()
                .map(|folder| Arc::new(Cache::new(folder)));
            options.stop = (streams.interruption)();
            let mut run = run(&args.jobs, streams);
            run.progress = false;
            triage::run(pipeline, &args, &options, run, streams)
        }
        Command::Explain(args) => {
            let run = run(&args.jobs, streams);
            explain::run(pipeline, &args, macros, run, streams)
        }
        Command::Lsp(args) => {
            args.source.apply(&mut options, macros);
            options.bounds = args.bounds.get();
            args.search.apply(&mut options);
            let run = run(&args.jobs, streams);
            editor::serve(pipeline, &options, run, streams)
        }
        Command::Mcp => agent::serve(pipeline, streams),
        Command::Rules(args) => manual::rules(args.id.as_deref(), streams),
        Command::Completions(args) => completions::completions(args.shell, streams),
        Command::Man(args) => manual::page(args.command.as_deref(), streams),
    }
}

/// Of a command whose files are no list.
static NO_PATHS: Vec<PathBuf> = Vec::new();

/// Rounds of changes that one run makes.
const ROUNDS: usize = 8;

/// Makes the changes that the report has proved, and those that the next report proves; gives the report on what is left.
fn fixed<P: Pipeline>(
    pipeline: &P,
    paths: &[PathBuf],
    options: &AnalysisOptions,
    run: RunOptions,
    report: Report,
    streams: &mut Streams<'_>,
) -> Report {
    let mut report = report;
    for _ in 0..ROUNDS {
        let fixed = mends::fix::make(&report);
        for message in &fixed.refused {
            complain(streams, &text::safe(message));
        }
        if fixed.files.is_empty() {
            break;
        }
        for file in &fixed.files {
            let _ = writeln!(streams.err, "changed: {}", text::safe(file));
        }
        // What is known of the files is not known any more.
        let options = AnalysisOptions {
            scan: Arc::default(),
            ..options.clone()
        };
        report = driver::check(pipeline, paths, &options, run);
    }
    report
}

/// Why what a command is to write could not be written, if so.
fn unwritable(command: &Command) -> Option<String> {
    match command {
        Command::Check(args::CheckArgs { output, .. })
        | Command::Costs(args::CheckArgs { output, .. })
        | Command::Solve(args::SolveArgs { output, .. }) => output::unwritable(output),
        Command::Facts(args) => {
            let path = args.sqlite.as_deref()?;
            output::refused(path, "database")
        }
        _ => None,
    }
}

/// Why a file must not be replaced by a database: it holds something that is none of ours.
fn foreign(path: &Path) -> Option<String> {
    let known = std::fs::metadata(path).ok()?;
    if !known.is_file() || known.len() == 0 || Database::is_ours(path) {
        return None;
    }
    Some(format!(
        "{}: the file is there and is no database of warplog: it stays as it is",
        text::safe(&collect::shown(path))
    ))
}

/// Why facts must not be written to a folder: they would replace a file that is none of theirs.
fn foreign_folder(folder: &Path) -> Option<String> {
    let file = warplog_facts::csv_folder::foreign(folder)?;
    Some(format!(
        "{}: the file is there and the folder holds no facts: it stays as it is",
        text::safe(&collect::shown(&file))
    ))
}

/// Reads standard input if a path means it.
fn read_stdin(paths: &[PathBuf], options: &mut AnalysisOptions, streams: &mut Streams<'_>) {
    if paths.iter().any(|path| is_stdin(path)) {
        let text = collect::read_from(&mut streams.input);
        options.stdin.text = Some(text.map(Arc::from));
    }
}

/// Compares with the baseline, or writes it, and writes the report.
fn conclude(
    mut report: Report,
    output: &OutputArgs,
    options: &AnalysisOptions,
    run: RunOptions,
    arguments: &[OsString],
    streams: &mut Streams<'_>,
) -> u8 {
    if let Some(message) = replaced::headers(output, &report) {
        complain(streams, &message);
        return WRONG_USE;
    }
    let _ends = signals::EndsSoon::after(&options.stop);
    let done = match (&output.baseline, &output.write_baseline) {
        (Some(path), _) => {
            baseline::compare(path, &mut report, options).map_err(|message| (path, message))
        }
        (None, Some(path)) => baseline::write(path, &mut report).map_err(|message| (path, message)),
        (None, None) => Ok(()),
    };
    if let Err((path, message)) = done {
        report.errors.push(InputError {
            file: collect::shown(path),
            line: None,
            message,
        });
    }
    let made = output
        .wants(args::Format::Html)
        .then(|| made::of(arguments));
    output::print(&report, output, (run.jobs, made.flatten()), streams)
}

/// The exit status where a report has errors.
fn failed(report: &Report) -> u8 {
    match report.incomplete {
        Some(_) => INTERRUPTED,
        None => FAILED,
    }
}

/// Prints notes of a report to standard error.
fn notes(report: &Report, streams: &mut Streams<'_>) {
    for note in &report.notes {
        let line = format!("note: {}\n", text::safe(&note.text));
        let _ = streams.err.write_all(line.as_bytes());
    }
}

/// Prints notes and errors of a report to standard error, for formats and commands that do not show them.
fn remark(report: &Report, streams: &mut Streams<'_>) {
    notes(report, streams);
    errors(report, streams);
}

/// Prints errors of a report to standard error.
fn errors(report: &Report, streams: &mut Streams<'_>) {
    for error in &report.errors {
        let place = match (error.file.as_str(), error.line) {
            ("", _) => String::new(),
            (file, None) => format!("{}: ", text::safe(file)),
            (file, Some(line)) => format!("{}:{line}: ", text::safe(file)),
        };
        complain(streams, &format!("{place}{}", text::safe(&error.message)));
    }
}

/// Prints an error of our own. If standard error is gone there is nobody to tell.
fn complain(streams: &mut Streams<'_>, message: &str) {
    let _ = writeln!(streams.err, "error: {message}");
}

/// Prints help, the version, or why the arguments are wrong.
fn usage(error: &clap::Error, arguments: &[OsString], streams: &mut Streams<'_>) -> u8 {
    let wrong = error.use_stderr();
    if error.kind() == clap::error::ErrorKind::InvalidSubcommand
        && let Some(path) = arguments.get(1).map(Path::new)
        && (path.exists() || path.extension().is_some())
    {
        let path = text::safe(&collect::shown(path));
        let message = format!("`{path}` is no command; `warplog check {path}` checks it");
        complain(streams, &message);
        return WRONG_USE;
    }
    let rendered = error.render();
    let text = if streams.color {
        rendered.ansi().to_string()
    } else {
        rendered.to_string()
    };
    if wrong {
        let _ = streams.err.write_all(text.as_bytes());
        return WRONG_USE;
    }
    manual::print(text.as_bytes(), streams)
}
/// Whether a question names a table of costs: counting them takes longer than all else.
fn asks_for_costs(words: &[String]) -> bool {
    let tables = ["conflict_degree", "request_sectors", "divergent_at", "cost"];
    words.iter().any(|word| {
        tables
            .iter()
            .any(|table| word.to_lowercase().contains(table))
    })
}
