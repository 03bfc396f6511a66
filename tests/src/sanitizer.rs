//! Kernels of the data set as C++ under ThreadSanitizer: a compiler that is not ours, real threads, and an order of accesses that
//! nobody here has computed.
//!
//! A file is compiled with the system's compiler against `tests/simt/simt.h`: each CUDA thread is a thread of the system, the
//! barriers are real and told to the sanitizer, blocks are not ordered. Kernels that the analyser calls race-free are run with two
//! contents of the arrays: no race may be reported. The witness of each confirmed race is run with its launch and inputs, and
//! with all threads but its two unwatched: a race must be reported.
//!
//! The same programs run with fibers in place of threads ([`Runtime::Fibers`], `tests/simt/fibers.cpp`): there the order is computed
//! exactly, by vector clocks of barriers, so that a race is seen in every run whose control flow comes to both accesses.
//!
//! What is not run is counted with the reason: host code, constructs of CUDA that the header lacks, annotations (they restrict
//! inputs), fences, more threads than can be started. Of two plain writes the runtime looks whether they leave different bytes.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;
use warplog::header::parse_header;
use warplog_report::{Certainty, FindingKind, Kernel, Report, Verdict};

use crate::command::first_that_works;
use crate::labels::LabelledFile;
use crate::project;
use crate::random::suite::on_all_cores;
use crate::runs::{Run, body, launches, macro_flags, of_witness, why_not_run};

/// What runs the threads of a kernel and watches their accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Runtime {
    /// Threads of the system under ThreadSanitizer.
    Threads,
    /// Fibers of one thread, ordered by vector clocks of barriers.
    Fibers,
}

/// A compiler that has the sanitizer.
#[derive(Debug)]
pub struct Compiler {
    program: &'static str,
    folder: TempDir,
    runtime: Runtime,
}

/// The exit status by which the runtime says that there was a race.
const RACE: i32 = 66;

/// The exit status by which it says that two writes seem to leave different bytes; a thread that was stopped at its write looks so, too.
const DIFFERENT: i32 = 67;

/// The exit statuses by which the runtime with fibers says that a barrier diverged, and that there was a race as well.
const DIVERGED: i32 = 69;
const RACE_AND_DIVERGED: i32 = 70;

/// How often a run is repeated at most where a stopped thread may be the reason.
const REPEATED: usize = 5;

/// The most threads of a launch.
const THREADS: u64 = 1024;

impl Compiler {
    /// A compiler of this system that tells a racy kernel from a race-free one.
    ///
    /// # Errors
    /// Why there is none.
    pub fn find(runtime: Runtime) -> Result<Compiler, String> {
        // The sanitizer of older clang forgets accesses of many threads.
        first_that_works(&["g++", "clang++"], |program| {
            Compiler::with(program, runtime)
        })
    }

    fn with(program: &'static str, runtime: Runtime) -> Result<Compiler, String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let compiler = Compiler {
            program,
            folder,
            runtime,
        };
        let runtime = simt().join(match runtime {
            Runtime::Threads => "runtime.cpp",
            Runtime::Fibers => "fibers.cpp",
        });
        let out = compiler.path("runtime.o");
        let mut command = Command::new(program);
        command
            .args(["-std=c++17", "-O1", "-c", "-o"])
            .arg(out)
            .arg(runtime);
        finish(&mut command)?;
        let kernel = "__global__ void k(int *g, bool b) { __shared__ int s[64]; int t = threadIdx.x; s[t] = t; \
                      if (b) __syncthreads(); g[blockIdx.x * 64 + t] = s[63 - t]; }";
        let program = compiler.compile("probe", kernel, &[], &["k".to_owned()])?;
        let setting = |barrier: i128| Run {
            block: [64, 1, 1],
            grid: [2, 1, 1],
            watched: None,
            contents: 0,
            given: vec![format!("1={barrier}")],
        };
        let ran = |barrier| Ran::of(run_once(&program, 0, &setting(barrier)));
        match (ran(1), ran(0)) {
            (Ran::Quiet, Ran::Race) => Ok(compiler),
            other => Err(format!("a race and none are not told apart: {other:?}")),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Compiles a text with a `main` that launches one of the kernels.
    fn compile(
        &self,
        name: &str,
        text: &str,
        flags: &[String],
        kernels: &[String],
    ) -> Result<PathBuf, String> {
        let cases: String = kernels
            .iter()
            .enumerate()
            .map(|(number, kernel)| format!("    case {number}: simt::launch({kernel}); break;\n"))
            .collect();
        let whole = format!(
            "#include \"simt.h\"\n{}\nint main(int count, char **words)\n{{\n    \
             switch (simt::setup(count, words)) {{\n{cases}    }}\n    simt::finish();\n}}\n",
            without_dynamic(text)
        );
        self.build(name, &whole, flags)
    }

    /// Builds a program from its whole text; its accesses are announced, and watched by the runtime.
    ///
    /// # Errors
    /// What the compiler complains of first.
    pub(crate) fn build(
        &self,
        name: &str,
        text: &str,
        flags: &[String],
    ) -> Result<PathBuf, String> {
        let source = self.path(&format!("{name}.cpp"));
        fs::write(&source, text).map_err(|error| error.to_string())?;
        let object = self.path(&format!("{name}.o"));
        let mut command = Command::new(self.program);
        command
            .args(["-w", "-std=c++17", "-O0", "-fsanitize=thread", "-c", "-I"])
            .arg(simt())
            .args(flags)
            .arg(&source)
            .arg("-o")
            .arg(&object);
        finish(&mut command)?;
        let out = self.path(name);
        let mut command = Command::new(self.program);
        if self.runtime == Runtime::Threads {
            command.args(["-fsanitize=thread", "-pthread"]);
        }
        command
            .arg(&object)
            .arg(self.path("runtime.o"))
            .arg("-o")
            .arg(&out);
        finish(&mut command)?;
        let _ = fs::remove_file(object);
        let _ = fs::remove_file(source);
        Ok(out)
    }
}

impl Compiler {
    /// Runs a program that sets its own launches, with these contents of its memory.
    pub(crate) fn run_program(&self, program: &Path, number: usize, contents: u32) -> Ran {
        let run = Run {
            block: [1, 1, 1],
            grid: [1, 1, 1],
            watched: None,
            contents,
            given: Vec::new(),
        };
        Ran::of(run_once(program, number, &run))
    }
}

fn simt() -> PathBuf {
    project().join("tests/simt")
}

/// Runs a compiler; the first line of what it complains of.
fn finish(command: &mut Command) -> Result<(), String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|error| error.to_string())?;
    if output.status.success() {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let error = text.lines().find(|line| line.contains("error"));
    Err(error
        .or(text.lines().next())
        .unwrap_or("no message")
        .to_owned())
}

/// `extern __shared__ T a[], b[];` as pointers to the dynamic memory of the block.
fn without_dynamic(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("extern __shared__") {
        out.push_str(before);
        let Some((declared, behind)) = after.split_once(';') else {
            out.push_str("extern __shared__");
            rest = after;
            continue;
        };
        let declared = declared.trim().trim_start_matches("volatile ");
        let mut ty = "";
        for (number, declarator) in declared.split(',').enumerate() {
            let declarator = declarator.trim();
            let name = match declarator.rsplit_once(' ').filter(|_| number == 0) {
                Some((before, name)) => {
                    ty = before;
                    name
                }
                None => declarator,
            };
            let name = name.split('[').next().unwrap_or(name);
            out.push_str(&format!(
                " static {ty} *{name} = ({ty} *)simt::dynamic_memory;"
            ));
        }
        rest = behind;
    }
    out.push_str(rest);
    out
}

/// What a run came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ran {
    Quiet,
    Race,
    /// A barrier diverged, and there was no race.
    Divergence,
    /// It crashed, or took too long.
    Broken,
}

/// Runs a kernel that is race-free: a race of writes counts when it shows each time.
fn run_race_free(program: &Path, kernel: usize, run: &Run) -> Ran {
    for _ in 1..REPEATED {
        match run_once(program, kernel, run) {
            Some(DIFFERENT) => {}
            status => return Ran::of(status),
        }
    }
    Ran::of(run_once(program, kernel, run))
}

/// The exit status of a run.
fn run_once(program: &Path, kernel: usize, run: &Run) -> Option<i32> {
    let sizes = run.block.iter().chain(&run.grid).map(u64::to_string);
    let watched = match run.watched {
        Some([a, b]) => [a.0, a.1, b.0, b.1].map(|number| number.to_string()),
        None => ["-1", "-1", "-1", "-1"].map(str::to_owned),
    };
    // The sanitizer wants its addresses where they are without randomisation.
    let status = Command::new("setarch")
        .arg("-R")
        .arg(program)
        .arg(kernel.to_string())
        .args(sizes)
        .arg(run.contents.to_string())
        .args(watched)
        .args(&run.given)
        .env(
            "TSAN_OPTIONS",
            "exitcode=0 halt_on_error=0 suppress_equal_stacks=0 suppress_equal_addresses=0 symbolize=0 handle_segv=0 \
             handle_sigbus=0 handle_sigfpe=0 history_size=4 atexit_sleep_ms=0",
        )
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.ok()?.code()
}

impl Ran {
    /// What an exit status means; `None`: a signal ended the program.
    fn of(status: Option<i32>) -> Ran {
        match status {
            Some(0) => Ran::Quiet,
            Some(RACE | DIFFERENT | RACE_AND_DIVERGED) => Ran::Race,
            Some(DIVERGED) => Ran::Divergence,
            _ => Ran::Broken,
        }
    }
}

/// What the sanitizer says of the data set.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Who watched.
    pub watched_by: &'static str,
    /// Files compiled.
    pub files: usize,
    /// Race-free kernels that were run, and how often.
    pub race_free: usize,
    /// Runs of them.
    pub runs: usize,
    /// Confirmed races that were reproduced.
    pub reproduced: usize,
    /// What was not run, by reason.
    pub left_out: BTreeMap<String, usize>,
    /// What contradicts a verdict.
    pub faults: Vec<String>,
}

/// Runs the kernels of files of the data set against the report on them.
#[must_use]
pub fn compare(compiler: &Compiler, files: &[&LabelledFile], report: &Report) -> Tally {
    let count = u64::try_from(files.len()).unwrap_or(0);
    let tallies = on_all_cores(0..count, &|number| {
        let number = usize::try_from(number).unwrap_or(0);
        one_file(compiler, number, files[number], report)
    });
    let mut all = Tally {
        watched_by: match compiler.runtime {
            Runtime::Threads => "thread sanitizer",
            Runtime::Fibers => "fibers",
        },
        ..Tally::default()
    };
    for tally in tallies {
        all.files += tally.files;
        all.race_free += tally.race_free;
        all.runs += tally.runs;
        all.reproduced += tally.reproduced;
        for (reason, count) in tally.left_out {
            *all.left_out.entry(reason).or_default() += count;
        }
        all.faults.extend(tally.faults);
    }
    all
}

fn one_file(compiler: &Compiler, number: usize, file: &LabelledFile, report: &Report) -> Tally {
    let mut tally = Tally::default();
    let kernels: Vec<&Kernel> = report
        .kernels
        .iter()
        .filter(|kernel| Path::new(&kernel.file) == file.path || kernel.file.ends_with(&file.name))
        .collect();
    let mut leave_out = |reason: &str, count: usize| {
        *tally.left_out.entry(reason.to_owned()).or_default() += count;
    };
    let header = parse_header(&file.text).unwrap_or_default();
    if file.text.contains("<<<") || file.text.contains("cudaLaunch") {
        leave_out("host code", kernels.len());
        return tally;
    }
    // The compiler ignores the attribute, so that the array is of each thread.
    if file.text.contains("__attribute__((shared))") {
        leave_out("not in the header", kernels.len());
        return tally;
    }
    if header.warp_sync.is_some() {
        leave_out("lock-step", kernels.len());
        return tally;
    }
    let flags = macro_flags(&file.text);
    let names: Vec<String> = kernels.iter().map(|kernel| kernel.name.clone()).collect();
    let program = match compiler.compile(&format!("file{number}"), &file.text, &flags, &names) {
        Ok(program) => program,
        Err(_) => {
            leave_out("not in the header", kernels.len());
            return tally;
        }
    };
    tally.files += 1;
    for (number, kernel) in kernels.iter().enumerate() {
        one_kernel(&program, number, kernel, file, &mut tally);
    }
    let _ = fs::remove_file(program);
    tally
}

fn one_kernel(
    program: &Path,
    number: usize,
    kernel: &Kernel,
    file: &LabelledFile,
    tally: &mut Tally,
) {
    let mut left_out: Vec<&str> = Vec::new();
    let place = format!("{}:{}: {}", file.name, kernel.line, kernel.name);
    if kernel.verdict() == Verdict::RaceFree {
        if let Some(reason) = why_not_run(kernel, &file.text) {
            left_out.push(reason);
        } else {
            let mut ran = false;
            for run_as in launches(kernel, THREADS) {
                match run_race_free(program, number, &run_as) {
                    Ran::Quiet => {
                        ran = true;
                        tally.runs += 1;
                    }
                    Ran::Race => tally
                        .faults
                        .push(format!("{place} is race-free, and races with {run_as:?}")),
                    Ran::Divergence => tally.faults.push(format!(
                        "{place} has no divergent barrier, and diverges with {run_as:?}"
                    )),
                    Ran::Broken => left_out.push("run does not end well"),
                }
            }
            tally.race_free += usize::from(ran);
        }
    }
    for finding in &kernel.findings {
        if finding.kind() != FindingKind::DataRace || finding.certainty != Certainty::Confirmed {
            continue;
        }
        // Of an access that is not aligned the sanitizer sees the bytes of its first word only.
        if body(&file.text, kernel.line).contains("// Misaligned") {
            left_out.push("misaligned accesses");
            continue;
        }
        let Some(run_as) = of_witness(finding, kernel, &file.text, THREADS) else {
            left_out.push("witness with many threads");
            continue;
        };
        // Which of two accesses comes first is up to the system; the sanitizer may have forgotten the first, for one that
        // the thread's own write to the same place came behind its read. Then other contents make the writes differ.
        let mut results = Vec::new();
        for contents in [0, 0, 0, 1, 0, 1, 0, 1] {
            let run_as = Run {
                contents,
                ..run_as.clone()
            };
            let ran = Ran::of(run_once(program, number, &run_as));
            results.push(ran);
            if ran == Ran::Race {
                break;
            }
        }
        if results.contains(&Ran::Race) {
            tally.reproduced += 1;
        } else if results.contains(&Ran::Quiet) || results.contains(&Ran::Divergence) {
            tally.faults.push(format!(
                "{place}: the confirmed race is not seen with {run_as:?}"
            ));
        } else {
            left_out.push("run does not end well");
        }
    }
    for reason in left_out {
        *tally.left_out.entry(reason.to_owned()).or_default() += 1;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} files; {} race-free kernels stay quiet in {} runs, {} confirmed races are reproduced, {} contradictions",
            self.watched_by,
            self.files,
            self.race_free,
            self.runs,
            self.reproduced,
            self.faults.len()
        )?;
        for (reason, count) in &self.left_out {
            writeln!(f, "  {count:5} left out: {reason}")?;
        }
        for fault in &self.faults {
            writeln!(f, "\n{fault}")?;
        }
        Ok(())
    }
}
