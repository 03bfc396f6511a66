//! `make bench`: how fast the analysis is, phase by phase, printed and written as CSV.
//!
//! One process, one thread. The data set is analysed twice: file by file, as `check FILE` does it, where a kernel has an equal
//! part of what reading its file took; and kernel by kernel, as `check --kernel NAME` does it, where extraction reads the whole
//! file for each. Generated kernels show how time grows with the number of accesses. Nothing is asserted: the figures are for
//! `docs/performance.md`.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use warplog::analysis;
use warplog::engine::Analysis;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::{Depth, Pipeline};
use warplog::unit::{Unit, UnitOptions};
use warplog_facts::Facts;
use warplog_solver_bridge::{RaceAnswer, Stage};

/// What one kernel cost.
struct Cost {
    name: String,
    extract: f64,
    rules: f64,
    solve: f64,
    pairs: u64,
    discharged: u64,
    queries: u64,
    undecided: u64,
}

impl Cost {
    fn total(&self) -> f64 {
        self.extract + self.rules + self.solve
    }
}

/// A figure of a kernel.
type Figure<'a> = &'a dyn Fn(&Cost) -> f64;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .map(Path::to_owned)
        .unwrap_or_default();
    let mut out = std::io::stdout().lock();
    let mut csv = String::from(
        "part,name,extract_ms,rules_ms,solve_ms,total_ms,pairs,discharged_by_rule,queries,undecided\n",
    );

    match start_up() {
        Some(median) => writeln!(out, "start-up (`--version`, median of 21): {median:.1} ms")?,
        None => writeln!(out, "start-up: not measured, the program is not built")?,
    }

    let files = sources(&root.join("datasets"));
    let mut parts = Vec::new();
    for file in &files {
        parts.extend(whole_file(file)?);
    }
    writeln!(
        out,
        "data set, each file read once: {} kernels, median {:.2} ms, nine tenths {:.2} ms, sum {:.0} ms",
        parts.len(),
        quantile(&mut parts, 0.5),
        quantile(&mut parts, 0.9),
        parts.iter().sum::<f64>()
    )?;
    let mut costs = Vec::new();
    let mut stages = [0u64; Stage::ALL.len()];
    for file in &files {
        data_set_file(&root, file, &mut costs, &mut stages)?;
    }
    for cost in &costs {
        row(&mut csv, "dataset", cost);
    }
    summary(&mut out, "data set, a file read for each kernel", &costs)?;
    let decided: Vec<String> = Stage::ALL
        .iter()
        .zip(stages)
        .map(|(stage, count)| format!("{} {count}", stage.name()))
        .collect();
    writeln!(out, "  pairs decided by stage: {}", decided.join(", "))?;

    writeln!(
        out,
        "generated kernels, 40 barriers (extract, rules, solve, total in ms; pairs)"
    )?;
    for accesses in [375, 750, 1500, 3000, 6000] {
        let text = generated(accesses, 40);
        let cost = one(
            Path::new("generated.cu"),
            &text,
            &format!("{accesses} accesses"),
            None,
            &mut stages,
        )?;
        writeln!(
            out,
            "  {accesses:5}  {:8.1} {:8.1} {:8.1} {:8.1}  {}",
            cost.extract,
            cost.rules,
            cost.solve,
            cost.total(),
            cost.pairs
        )?;
        row(&mut csv, "generated", &cost);
    }
    writeln!(out, "peak memory: {} MB", peak_memory())?;
    let file = root.join("target/bench.csv");
    std::fs::write(&file, csv)?;
    writeln!(out, "written: {}", file.display())
}

fn row(csv: &mut String, part: &str, cost: &Cost) {
    let _ = writeln!(
        csv,
        "{part},{},{:.3},{:.3},{:.3},{:.3},{},{},{},{}",
        cost.name,
        cost.extract,
        cost.rules,
        cost.solve,
        cost.total(),
        cost.pairs,
        cost.discharged,
        cost.queries,
        cost.undecided
    );
}

fn summary(out: &mut impl std::io::Write, name: &str, costs: &[Cost]) -> std::io::Result<()> {
    let median =
        |of: &dyn Fn(&Cost) -> f64| quantile(&mut costs.iter().map(of).collect::<Vec<f64>>(), 0.5);
    let sum = |of: &dyn Fn(&Cost) -> f64| costs.iter().map(of).sum::<f64>();
    writeln!(out, "{name}: {} kernels (median ms / sum ms)", costs.len())?;
    let phases: [(&str, Figure<'_>); 4] = [
        ("extract", &|cost| cost.extract),
        ("rules", &|cost| cost.rules),
        ("solve", &|cost| cost.solve),
        ("total", &|cost| cost.total()),
    ];
    for (phase, of) in phases {
        writeln!(out, "  {phase:8} {:8.2} {:10.0}", median(of), sum(of))?;
    }
    let count = |of: &dyn Fn(&Cost) -> u64| costs.iter().map(of).sum::<u64>();
    let (pairs, discharged) = (count(&|cost| cost.pairs), count(&|cost| cost.discharged));
    writeln!(
        out,
        "  pairs {pairs}, discharged by rule {discharged} ({:.1} %), queries {}, undecided {}",
        100.0 * discharged as f64 / pairs.max(1) as f64,
        count(&|cost| cost.queries),
        count(&|cost| cost.undecided)
    )?;
    let mut slowest: Vec<&Cost> = costs.iter().collect();
    slowest.sort_by(|a, b| b.total().total_cmp(&a.total()));
    for cost in slowest.iter().take(8) {
        writeln!(out, "  slowest: {:9.1} ms  {}", cost.total(), cost.name)?;
    }
    Ok(())
}

/// The value that this share of the values is not above; 0 if there are none.
fn quantile(values: &mut [f64], share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = (values.len() as f64 * share) as usize;
    values.get(place).copied().unwrap_or(0.0)
}

/// What each kernel of a file took in milliseconds when the file is checked whole.
fn whole_file(file: &Path) -> std::io::Result<Vec<f64>> {
    let text = std::fs::read_to_string(file)?;
    let options = AnalysisOptions {
        timings: true,
        ..AnalysisOptions::default()
    };
    let report = with_unit(file, &text, &options, |unit| Analysis.check(unit, &options))?;
    let times = report.kernels.iter();
    Ok(times
        .map(|kernel| kernel.extent.micros as f64 / 1e3)
        .collect())
}

/// The `.cu` files under a folder, sorted.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cu") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

fn data_set_file(
    root: &Path,
    file: &Path,
    costs: &mut Vec<Cost>,
    stages: &mut [u64; Stage::ALL.len()],
) -> std::io::Result<()> {
    let text = std::fs::read_to_string(file)?;
    let facts = extract(file, &text, &AnalysisOptions::default())?;
    let shown = file
        .strip_prefix(root)
        .unwrap_or(file)
        .display()
        .to_string();
    for kernel in &facts.kernel {
        let name = format!("{shown}:{}", kernel.name);
        costs.push(one(file, &text, &name, Some(&kernel.name), stages)?);
    }
    Ok(())
}

fn extract(file: &Path, text: &str, options: &AnalysisOptions) -> std::io::Result<Facts> {
    with_unit(file, text, options, |unit| {
        Analysis.extract(unit, options, Depth::Facts).0.facts
    })
}

/// Does something with a file under the flags of its header.
fn with_unit<T>(
    file: &Path,
    text: &str,
    options: &AnalysisOptions,
    work: impl FnOnce(&Unit<'_>) -> T,
) -> std::io::Result<T> {
    let header = parse_header(text).map_err(|error| std::io::Error::other(error.message))?;
    let unit_options = UnitOptions::new(options, &header, file);
    let shown = file.to_string_lossy();
    let unit = Unit {
        path: file,
        shown: &shown,
        bytes: text.as_bytes(),
        options: &unit_options,
    };
    Ok(work(&unit))
}

fn one(
    file: &Path,
    text: &str,
    name: &str,
    kernel: Option<&str>,
    stages: &mut [u64; Stage::ALL.len()],
) -> std::io::Result<Cost> {
    let options = AnalysisOptions {
        kernels: kernel.map(str::to_owned).into_iter().collect(),
        ..AnalysisOptions::default()
    };
    let start = Instant::now();
    let facts = extract(file, text, &options)?;
    let extracted = start.elapsed().as_secs_f64() * 1e3;
    let (derived, decision, phases) = analysis::decide(&facts, &options);
    for outcome in &decision.launches {
        for (sum, count) in stages.iter_mut().zip(outcome.decided) {
            *sum += u64::from(count);
        }
    }
    let unknown = decision
        .races
        .iter()
        .filter(|race| matches!(race.answer, RaceAnswer::Unknown { .. }))
        .count();
    Ok(Cost {
        name: name.replace(',', ";"),
        extract: extracted,
        rules: phases.rules as f64 / 1e3,
        solve: phases.solve as f64 / 1e3,
        pairs: (derived.candidate_race.len() + derived.discarded_race.len()) as u64,
        discharged: derived.discarded_race.len() as u64,
        queries: decision
            .launches
            .iter()
            .flat_map(|launch| launch.queries)
            .map(u64::from)
            .sum(),
        undecided: unknown as u64,
    })
}

/// A kernel of so many accesses between so many barriers: each interval works on a shared and a
/// global array at changing offsets, as unrolled stencil code does.
fn generated(accesses: usize, barriers: usize) -> String {
    let mut text = String::from(
        "//--blockDim=256 --gridDim=16\n__global__ void generated(float *out, const float *in)\n{\n",
    );
    text.push_str("    __shared__ float s[8192];\n    int t = threadIdx.x;\n    int g = blockIdx.x * blockDim.x + t;\n    float x = 0.0f;\n");
    let per_interval = accesses / (barriers + 1);
    for interval in 0..=barriers {
        for access in 0..per_interval {
            let offset = 256 * (access % 30);
            let line = match access % 3 {
                0 => format!("    s[t + {offset}] = x;\n"),
                1 => format!("    x += in[g + {}];\n", interval * 4096 + access),
                _ => format!("    x += s[t + {}];\n", offset.saturating_sub(512)),
            };
            text.push_str(&line);
        }
        if interval < barriers {
            text.push_str("    __syncthreads();\n");
        }
    }
    text.push_str("    out[g] = x;\n}\n");
    text
}

/// Median time of the program answering `--version`, in milliseconds; none if it is not there.
fn start_up() -> Option<f64> {
    let program = std::env::current_exe().ok()?;
    let program = program.parent()?.join("warplog-under-test");
    let mut times: Vec<f64> = (0..21)
        .filter_map(|_| {
            let start = Instant::now();
            std::process::Command::new(&program)
                .arg("--version")
                .output()
                .ok()?;
            Some(start.elapsed().as_secs_f64() * 1e3)
        })
        .collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied()
}

/// Most memory that this process has had, in MB.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok())
        .unwrap_or(0)
        / 1024
}
