//! What accesses cost, against a program that runs all threads and counts; and against what the kernels of `datasets/costs/` say of
//! themselves: behind an access stands `//: shared 32 in 64`, the turns of its worst request (`global`: sectors) and its requests.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use warplog::header::parse_header;
use warplog::options::{AnalysisOptions, UnitOptions};
use warplog::pipeline::{Analysis, Depth, Examined, Pipeline, Unit};
use warplog_facts::words::CostAnswer;
use warplog_facts::{AccessId, LaunchId};
use warplog_tests::counting::{COUNTED, Tally, count};
use warplog_tests::datasets;

fn path(file: &str) -> PathBuf {
    datasets().join("costs").join(file)
}

fn examined(file: &str, text: &str) -> Examined {
    let options = AnalysisOptions {
        costs: Some(8),
        preconditions: false,
        ..AnalysisOptions::default()
    };
    let header = parse_header(text).expect("a header");
    let path = path(file);
    let unit_options = UnitOptions::new(&options, &header, &path);
    let unit = Unit {
        path: &path,
        shown: file,
        bytes: text.as_bytes(),
        options: &unit_options,
    };
    Analysis.extract(&unit, &options, Depth::Derived).0
}

/// What the analysis counts, by kernel; none for what it does not call exact.
fn analysed(file: &str, text: &str) -> BTreeMap<String, Option<Vec<Tally>>> {
    let Examined { facts, derived, .. } = examined(file, text);
    let derived = derived.expect("derived relations");
    let place = |access: AccessId| {
        let row = &facts.access[access.index()];
        let launch: LaunchId = facts.point[row.point.index()].launch;
        let kernel = facts.launch[launch.index()].kernel;
        let name = facts.kernel[kernel.index()].name.clone();
        (name, facts.span[row.span.index()].line)
    };
    let mut all: BTreeMap<String, Option<Vec<Tally>>> = facts
        .kernel
        .iter()
        .map(|row| (row.name.clone(), Some(Vec::new())))
        .collect();
    let mut add = |access, answer, shared, worst, requests: Option<u64>| {
        let (name, line) = place(access);
        let own = all.entry(name).or_default();
        match (own.as_mut(), requests, answer) {
            (Some(tallies), Some(requests), CostAnswer::Exact) => tallies.push(Tally {
                line,
                shared,
                worst,
                requests,
            }),
            _ => *own = None,
        }
    };
    for row in &derived.conflict_degree {
        add(row.access, row.answer, true, row.degree, row.requests);
    }
    for row in &derived.request_sectors {
        add(row.access, row.answer, false, row.sectors, row.requests);
    }
    for tallies in all.values_mut().flatten() {
        tallies.sort();
    }
    all
}

#[test]
fn the_analysis_counts_what_running_all_threads_does() {
    let mut wrong = String::new();
    let mut compared = 0;
    for (file, block, grid) in COUNTED {
        let text = std::fs::read_to_string(path(file)).expect("is read");
        let run = count(&text, block, grid).expect("is understood");
        let analysed = analysed(file, &text);
        assert_eq!(run.len(), analysed.len(), "{file}");
        for (kernel, tallies) in run {
            compared += 1;
            let found = &analysed[&kernel];
            if found.as_ref() != Some(&tallies) {
                let _ = writeln!(wrong, "{kernel}: run {tallies:?}\n    analysed {found:?}");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(compared >= 80, "{compared}");
}

/// What stands behind an access.
fn label(tallies: &[&Tally]) -> String {
    let words: Vec<String> = tallies
        .iter()
        .map(|tally| {
            let memory = if tally.shared { "shared" } else { "global" };
            format!("{memory} {} in {}", tally.worst, tally.requests)
        })
        .collect();
    words.join(", ")
}

#[test]
fn the_kernels_say_what_they_cost() {
    let mut wrong = String::new();
    for (file, block, grid) in COUNTED {
        let text = std::fs::read_to_string(path(file)).expect("is read");
        let run = count(&text, block, grid).expect("is understood");
        for (number, line) in (1_u32..).zip(text.lines()) {
            let own: Vec<&Tally> = run
                .values()
                .flatten()
                .filter(|tally| tally.line == number)
                .collect();
            let said = line.split_once("//: ").map_or("", |(_, said)| said);
            if said != label(&own) {
                let _ = writeln!(wrong, "{file}:{number}: //: {}", label(&own));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// What is said of accesses to shared memory whose stride is open: kernel, answer, degree, condition.
const OPEN: [(&str, CostAnswer, u32, &str); 7] = [
    (
        "cost_open_width_bad",
        CostAnswer::Conditional,
        32,
        "32-way if `width % 32 == 0`, 16-way if `width % 16 == 0`, 8-way if `width % 8 == 0`, 4-way if `width % 4 == 0`, \
         2-way if `width % 2 == 0`, none if `width` is odd",
    ),
    ("cost_odd_width_ok", CostAnswer::Exact, 1, ""),
    (
        "cost_even_width_bad",
        CostAnswer::Conditional,
        32,
        "32-way if `half % 16 == 0`, 16-way if `half % 8 == 0`, 8-way if `half % 4 == 0`, 4-way if `half % 2 == 0`, \
         2-way if `half` is odd",
    ),
    ("cost_open_row_ok", CostAnswer::Exact, 1, ""),
    ("cost_from_memory_ok", CostAnswer::CannotTell, 32, ""),
    ("cost_row_from_memory_ok", CostAnswer::Exact, 1, ""),
    (
        "cost_open_block_bad",
        CostAnswer::Conditional,
        32,
        "32-way if `blockDim.x % 32 == 0`, 16-way if `blockDim.x % 16 == 0`, 8-way if `blockDim.x % 8 == 0`, \
         4-way if `blockDim.x % 4 == 0`, 2-way if `blockDim.x % 2 == 0`, none if `blockDim.x` is odd",
    ),
];

#[test]
fn open_strides_give_conditions() {
    let file = "symbolic.cu";
    let text = std::fs::read_to_string(path(file)).expect("is read");
    let Examined { facts, derived, .. } = examined(file, &text);
    let rows = derived.expect("derived relations").conflict_degree;
    for (kernel, answer, degree, condition) in OPEN {
        let own: Vec<_> = rows
            .iter()
            .filter(|row| {
                let point = facts.access[row.access.index()].point;
                let launch = facts.point[point.index()].launch;
                let of = facts.launch[launch.index()].kernel;
                facts.kernel[of.index()].name == kernel
            })
            .map(|row| (row.answer, row.degree, row.condition.as_str()))
            .collect();
        assert_eq!(own, [(answer, degree, condition)], "{kernel}");
    }
}

/// The counter does count: a kernel with a known conflict, and one that it must refuse.
#[test]
fn the_counter_counts() {
    let text = "__global__ void k(float *out) { __shared__ float s[64]; out[threadIdx.x] = s[2 * threadIdx.x]; }";
    let found = count(text, [32, 1, 1], [1, 1, 1]).expect("is understood");
    let words = label(&found["k"].iter().collect::<Vec<_>>());
    assert_eq!(words, "global 4 in 1, shared 2 in 1");
    let unknown = "__global__ void k(float *out) { while (1) out[0] = 1; }";
    assert!(count(unknown, [32, 1, 1], [1, 1, 1]).is_err());
}
