//! Programs that run kernels of the data set on a GPU, under NVIDIA's compute-sanitizer: hardware, a compiler and a tool that are
//! not ours. `scripts/gpu-check` compiles and runs them where there is a GPU, and writes `datasets/compute-sanitizer.csv`.
//!
//! Race-free kernels are run with two contents of the arrays; of confirmed races in shared memory (the sanitizer looks at no
//! other) and of confirmed divergent barriers the witness is run with its launch and inputs, and then as race-free kernels are:
//! a witness is small, often one warp, whose lanes the sanitizer takes to go in step.

use std::fs;
use std::io;
use std::path::Path;

use serde_json::json;
use warplog::header::parse_header;
use warplog_report::{Certainty, FindingKind, Kernel, Report, Verdict};

use crate::labels::LabelledFile;
use crate::runs::{Run, launches, macro_flags, of_witness, why_not_run};

/// The most threads of a launch.
const THREADS: u64 = 1 << 16;

/// Bytes of dynamic shared memory of launches of kernels that have some.
const DYNAMIC: u32 = 16 << 10;

/// Writes for each file with shared memory or barriers a program `NUMBER.cu`, its runs `NUMBER.plan` as `gpu.h` reads them,
/// and what is expected of all of them as `expected.json`. Returns how many runs there are.
///
/// # Errors
/// A file that cannot be written.
pub fn write(folder: &Path, files: &[LabelledFile], report: &Report) -> io::Result<usize> {
    let mut expected = Vec::new();
    let mut count = 0;
    for (number, file) in files.iter().enumerate() {
        if !is_run(file) {
            continue;
        }
        let kernels: Vec<&Kernel> = report
            .kernels
            .iter()
            .filter(|kernel| kernel.file.ends_with(&file.name))
            .collect();
        let dynamic = if file.text.contains("extern __shared__") {
            DYNAMIC
        } else {
            0
        };
        let mut plan = String::new();
        let mut runs = Vec::new();
        for (kernel_number, kernel) in kernels.iter().enumerate() {
            for (kind, run) in runs_of(kernel, file) {
                let id = runs.len();
                plan.push_str(&line(id, kernel_number, dynamic, &run));
                runs.push(json!({"kernel": kernel.name, "line": kernel.line, "kind": kind}));
            }
        }
        if runs.is_empty() {
            continue;
        }
        count += runs.len();
        let names: Vec<&str> = kernels.iter().map(|kernel| kernel.name.as_str()).collect();
        fs::write(
            folder.join(format!("{number}.cu")),
            program(&file.text, &names),
        )?;
        fs::write(folder.join(format!("{number}.plan")), plan)?;
        expected.push(json!({
            "number": number,
            "file": file.name,
            "flags": macro_flags(&file.text),
            "runs": runs,
        }));
    }
    fs::write(
        folder.join("expected.json"),
        serde_json::Value::from(expected).to_string(),
    )?;
    Ok(count)
}

/// Whether the sanitizer has something to say of a file: host code has launches of its own.
fn is_run(file: &LabelledFile) -> bool {
    let host = ["<<<", "cudaLaunch", "main("];
    let watched = ["__shared__", "__sync", "sync()", "__attribute__((shared))"];
    let in_step = parse_header(&file.text).is_ok_and(|header| header.warp_sync.is_some());
    !in_step
        && !host.iter().any(|word| file.text.contains(word))
        && watched.iter().any(|word| file.text.contains(word))
}

/// What of a kernel is run, each with what is expected.
fn runs_of(kernel: &Kernel, file: &LabelledFile) -> Vec<(&'static str, Run)> {
    let mut runs = Vec::new();
    let others = |kind| {
        let of_kernel = launches(kernel, THREADS).into_iter();
        of_kernel.map(move |run| (kind, run))
    };
    if kernel.verdict() == Verdict::RaceFree && why_not_run(kernel, &file.text).is_none() {
        runs.extend(others("race-free"));
    }
    for finding in &kernel.findings {
        let kind = match finding.kind() {
            FindingKind::DataRace if finding.shared_memory() == Some(true) => "race",
            FindingKind::BarrierDivergence => "divergence",
            _ => continue,
        };
        if finding.certainty == Certainty::Confirmed
            && let Some(run) = of_witness(finding, kernel, &file.text, THREADS)
        {
            runs.push((kind, run));
        }
    }
    if let Some((kind, _)) = runs.last().filter(|(kind, _)| *kind != "race-free") {
        runs.extend(others(*kind));
    }
    runs
}

fn line(id: usize, kernel: usize, dynamic: u32, run: &Run) -> String {
    let [bx, by, bz] = run.block;
    let [gx, gy, gz] = run.grid;
    let mut line = format!(
        "{id} {kernel} {bx} {by} {bz} {gx} {gy} {gz} {dynamic} {}",
        run.contents
    );
    for given in &run.given {
        line.push(' ');
        line.push_str(given);
    }
    line.push('\n');
    line
}

/// A text with a `main` that launches its kernels by number.
fn program(text: &str, kernels: &[&str]) -> String {
    let cases: String = kernels
        .iter()
        .enumerate()
        .map(|(number, name)| {
            format!("        case {number}: return gpu::launch({name}, dynamic);\n")
        })
        .collect();
    format!(
        "#include \"gpu.h\"\n#line 1\n{text}\nint main(int count, char **words)\n{{\n    \
         return gpu::run(count, words, [](int kernel, size_t dynamic) {{\n        switch (kernel) {{\n{cases}        \
         }}\n        return cudaErrorUnknown;\n    }});\n}}\n"
    )
}
