//! What accesses cost, against a program that runs all threads and counts; and against what the kernels of `datasets/costs/` say of
//! themselves: behind an access stands `//: shared 32 in 64`, the turns of its worst request (`global`: sectors) and its requests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use warplog::engine::Analysis;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::{Depth, Examined, Pipeline};
use warplog::unit::{Unit, UnitOptions};
use warplog_facts::words::CostAnswer;
use warplog_facts::{AccessId, LaunchId};
use warplog_report::cost::Cost;
use warplog_report::measure::{Action, Exactness, Measure};
use warplog_report::{Report, Verdict};
use warplog_tests::command::Bench;
use warplog_tests::counting::{COUNTED, Tally, Wanted, branches, count, sectors, totals, turns};
use warplog_tests::datasets;
use warplog_tests::gpu_costs::COUNTERS;

fn path(file: &str) -> PathBuf {
    datasets().join("costs").join(file)
}

fn examined(file: &str, text: &str) -> Examined {
    let options = AnalysisOptions {
        costs: Some(80),
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
    assert!(compared >= 106, "{compared}");
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

/// What is told of the only cost of a kernel: how often, and on which blocks it depends.
const OFTEN: [(&str, &str, Option<&str>); 10] = [
    (
        "cost_below_diagonal_bad",
        "at most (n·n - n)/2 iterations × blockDim.x/32 warps × gridDim.x blocks",
        None,
    ),
    (
        "cost_above_diagonal_bad",
        "at most (n + n·n)/2 iterations × blockDim.x/32 warps × gridDim.x blocks",
        None,
    ),
    (
        "cost_corner_bad",
        "at most (n·n·n - n)/6 iterations × blockDim.x/32 warps × gridDim.x blocks",
        None,
    ),
    (
        "cost_other_bound_bad",
        "at most blockDim.x/32 warps × gridDim.x blocks, each iteration",
        None,
    ),
    (
        "cost_any_block_bad",
        "at most blockDim.x/32 warps × gridDim.x blocks",
        Some(
            "8 if `blockDim.x % 32 == 0`, 4 in blocks of 16 threads, 9 where it is neither a multiple nor a divisor of 32",
        ),
    ),
    (
        "cost_any_block_shared_bad",
        "at most blockDim.x/32 warps × gridDim.x blocks",
        Some("2-way if `blockDim.x % 32 == 0`, none in blocks of 16 threads"),
    ),
    (
        "cost_doubled_bad",
        "at most log2(n) iterations × blockDim.x/32 warps × gridDim.x blocks",
        None,
    ),
    (
        "cost_halved_bad",
        "at most (log2(blockDim.x / 2) + 1) iterations × blockDim.x/32 warps × gridDim.x blocks",
        None,
    ),
    (
        "cost_tile_of_eight_bad",
        "at most blockDim.x·blockDim.y/32 warps × 1 block",
        Some("in blocks of 8 × 8 threads"),
    ),
    (
        "cost_short_rows_bad",
        "at most blockDim.x·blockDim.y/32 warps × 1 block",
        Some(
            "none if `blockDim.x % 32 == 0`, 2-way if `blockDim.x == 16`, 4-way if `blockDim.x == 8`, 8-way if `blockDim.x == 4`, 16-way if `blockDim.x == 2`",
        ),
    ),
];

#[test]
fn loops_are_summed_up_and_blocks_of_any_size_told_apart() {
    let file = "often.cu";
    let text = std::fs::read_to_string(path(file)).expect("is read");
    let report = report(file, &text, Some(80));
    assert_eq!(report.kernels.len(), OFTEN.len() + 2);
    let costly = |name: &str| {
        let own = report.kernels.iter().find(|own| own.name == name);
        own.and_then(|own| own.costs.as_ref())
            .map(|costs| costs.found.len())
    };
    assert_eq!(costly("cost_rest_of_row_ok"), Some(0));
    // Not of rows that nobody launches: the headline is that of eight threads a row.
    let degree = |name: &str| {
        let own = report.kernels.iter().find(|own| own.name == name);
        let costs = own.and_then(|own| own.costs.as_ref());
        costs.map(|costs| costs.found[0].measure.degree())
    };
    assert_eq!(degree("cost_short_rows_bad"), Some(4));
    assert_eq!(degree("cost_tile_of_eight_bad"), Some(4));
    assert_eq!(costly("cost_longer_rest_bad"), Some(1));
    for (kernel, often, condition) in OFTEN {
        let own = report.kernels.iter().find(|own| own.name == kernel);
        let costs = own.and_then(|own| own.costs.as_ref()).expect(kernel);
        assert!(!costs.found.is_empty(), "{kernel}");
        for cost in &costs.found {
            assert_eq!(cost.weight, often, "{kernel}");
            let told = cost.condition.as_deref();
            assert!(
                condition.is_none_or(|own| told == Some(own)),
                "{kernel}: {told:?}"
            );
        }
        assert!(
            costs
                .assumptions
                .iter()
                .any(|text| text.contains("multiples of 32")),
            "{kernel}"
        );
    }
}

/// What stands behind `//: ` in each line of a file.
fn said(text: &str) -> BTreeMap<u32, &str> {
    (1..)
        .zip(text.lines())
        .filter_map(|(number, line)| Some((number, line.split_once("//: ")?.1)))
        .collect()
}

/// The report on a file, with costs if they are counted for a device.
fn report(file: &str, text: &str, costs: Option<u32>) -> Report {
    let options = AnalysisOptions {
        costs,
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
    Analysis.check(&unit, &options)
}

/// Lines of what was found of a kind, and of what could not be told.
fn told(report: &Report, rule: &str) -> (BTreeSet<u32>, BTreeSet<u32>) {
    let (mut found, mut open) = (BTreeSet::new(), BTreeSet::new());
    for costs in report
        .kernels
        .iter()
        .filter_map(|kernel| kernel.costs.as_ref())
    {
        let own = costs.found.iter().filter(|cost| cost.rule == rule);
        found.extend(own.map(|cost| cost.place.line));
        let answers = costs.answers.iter().filter(|answer| answer.rule == rule);
        open.extend(
            answers
                .flat_map(|answer| &answer.cannot_tell)
                .map(|(line, _)| *line),
        );
    }
    (found, open)
}

#[test]
fn branches_differ_where_running_all_threads_says_so() {
    let (file, block, grid) = ("branches.cu", [64, 1, 1], [2, 1, 1]);
    let text = std::fs::read_to_string(path(file)).expect("is read");
    let run = branches(&text, block, grid).expect("is understood");
    let Examined { facts, derived, .. } = examined(file, &text);
    let mut analysed: BTreeMap<u32, (u64, u64)> = BTreeMap::new();
    for row in &derived.expect("derived relations").divergent_at {
        let span = facts.point[row.point.index()].span;
        assert_eq!(row.answer, CostAnswer::Exact);
        analysed.insert(facts.span[span.index()].line, (row.divergent, row.warps));
    }
    let report = report(file, &text, Some(80));
    let (found, _) = told(&report, "divergent-branch");
    // Each is shown by a warp whose lanes go both ways, and says where the accesses of both sides stand.
    let costs = report
        .kernels
        .iter()
        .filter_map(|kernel| kernel.costs.as_ref());
    let divergent = costs
        .flat_map(|costs| &costs.found)
        .filter(|cost| cost.rule == "divergent-branch");
    for cost in divergent {
        let split = cost.measure.split().expect("a warp");
        let both = [true, false].map(|value| split.with(value).len());
        assert!(both.iter().all(|lanes| *lanes > 0), "{cost:?}");
        assert!(cost.headline.contains(" %): "), "{cost:?}");
        assert!(
            cost.notes[0].starts_with("accesses where it holds: "),
            "{cost:?}"
        );
        assert!(cost.notes[1].starts_with("in warp "), "{cost:?}");
    }
    let mut wrong = String::new();
    let labels = said(&text);
    assert_eq!(labels.len(), run.len(), "a branch has no label");
    for (line, (differ, all)) in run {
        let costs = if found.contains(&line) { ", told" } else { "" };
        let label = format!("differ {differ} of {all}{costs}");
        if labels.get(&line) != Some(&label.as_str()) {
            let _ = writeln!(wrong, "{file}:{line}: //: {label}");
        }
        // Of a branch on the block nothing is asked.
        let own = analysed.get(&line).copied().unwrap_or((0, all));
        if own != (differ, all) {
            let _ = writeln!(wrong, "{file}:{line}: analysed {own:?}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn barriers_are_redundant_where_the_kernel_without_them_is_race_free() {
    let mut wrong = String::new();
    for (file, least) in [("barriers.cu", 26), ("flags.cu", 6)] {
        barriers_of(file, least, &mut wrong);
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Compares what is said of the barriers of a file with their labels, of which there are so many, and with the kernel without each.
fn barriers_of(file: &str, least: usize, wrong: &mut String) {
    let text = std::fs::read_to_string(path(file)).expect("is read");
    let (found, open) = told(&report(file, &text, Some(80)), "redundant-barrier");
    let labels = said(&text);
    assert!(labels.len() >= least, "{}", labels.len());
    for (&line, &label) in &labels {
        let state = match (found.contains(&line), open.contains(&line)) {
            (true, _) => "redundant",
            (false, true) => "open",
            (false, false) => "needed",
        };
        if label != state {
            let _ = writeln!(wrong, "{file}:{line}: //: {state}");
        }
        if label == "open" {
            continue;
        }
        // The barrier is taken out of the text.
        let without: String = (1..)
            .zip(text.lines())
            .map(|(number, own)| match number == line {
                true => "\n".to_owned(),
                false => format!("{own}\n"),
            })
            .collect();
        let again = report(file, &without, None);
        let kernel = again
            .kernels
            .iter()
            .rfind(|kernel| kernel.line < line)
            .expect("the kernel around it");
        let is_free = kernel.verdict() == Verdict::RaceFree;
        if is_free != (label == "redundant") {
            let verdict = kernel.verdict().as_str();
            let _ = writeln!(wrong, "{file}:{line}: {verdict} without the barrier");
        }
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

/// What is counted here is what the counters of a GPU showed, in the table that `scripts/gpu-costs` led to, but for what is explained there.
#[test]
fn a_gpu_counted_the_same() {
    let mut table = csv::Reader::from_path(datasets().join("costs.csv")).expect("the table");
    let mut ours = BTreeMap::new();
    for (file, block, grid) in COUNTED {
        let text = std::fs::read_to_string(path(file)).expect("is read");
        ours.extend(totals(&text, block, grid).expect("is understood"));
    }
    let (mut kernels, mut wrong, mut explained) = (BTreeSet::new(), String::new(), 0);
    for row in table.records() {
        let row = row.expect("a row");
        kernels.insert(row[0].to_owned());
        let counter = COUNTERS.iter().find(|(_, column, _)| *column == &row[2]);
        let (_, _, count) = counter.expect("a counter");
        let now = count(&ours[&row[0]]).to_string();
        explained += u32::from(!row[5].is_empty());
        if now != row[3] || (row[3] != row[4]) == row[5].is_empty() {
            let _ = writeln!(wrong, "{row:?}: now {now}");
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(
        kernels.len() >= 90 && explained <= 6,
        "{}, {explained}",
        kernels.len()
    );
}

/// A column of a tile is read, which conflicts, and a row of it by another thread than wrote it.
const COLUMN: &str = "\
//--blockDim=[32,32] --gridDim=1
__global__ void column_bad(float *out, const float *in) {
    __shared__ float s[32][32];
    s[threadIdx.y][threadIdx.x] = in[32 * threadIdx.y + threadIdx.x];
    __syncthreads();
    out[32 * threadIdx.y + threadIdx.x] = s[threadIdx.x][threadIdx.y];
}
";

fn bench(files: &[(&str, &str)]) -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    for (name, text) in files {
        bench.file(name, text);
    }
    bench
}

#[test]
fn every_format_has_the_costs() {
    let bench = bench(&[("k.cu", COLUMN)]);
    let what = "32-way bank conflict by the read of `s`, 32 times; helps: rows of `s` longer by one element";
    for format in ["text", "concise", "json", "sarif", "csv", "junit", "html"] {
        let run = bench.run(&format!("check k.cu --costs --format {format}"));
        let shown = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(shown.contains(what), "{format}: {run:?}");
        assert!(
            shown.contains("bank-conflict") || shown.contains("bank_conflict"),
            "{format}"
        );
        let run = bench.run(&format!("check k.cu --format {format}"));
        assert!(!run.out.contains("32-way"), "{format}: {run:?}");
    }
    let page = bench.run("check k.cu --costs --format html").out;
    // The picture has 32 words of one lane each in the first bank, and none in the others.
    let lanes: Vec<String> = (0..32).map(|lane| format!("[{lane}]")).collect();
    let bank = format!("\"banks\":[[{}],[]", lanes.join(","));
    assert!(page.contains(&bank), "{page}");
}

#[test]
fn costs_are_suppressed_like_findings() {
    let reason = "allow bank-conflict because it is read once";
    let line = "s[threadIdx.x][threadIdx.y];";
    let text = COLUMN.replace(line, &format!("{line} // warplog: {reason}"));
    let commented = bench(&[("k.cu", &text)]);
    let run = commented.run("check k.cu --costs --format concise");
    assert!(run.out.contains("note[bank-conflict]"), "{run:?}");
    assert!(
        run.out.contains("; suppressed: it is read once ["),
        "{run:?}"
    );
    for options in ["", "--costs"] {
        let run = commented.run(&format!("check k.cu {options}"));
        assert!(!run.out.contains("suppresses nothing"), "{run:?}");
    }
    let other = text.replace("bank-conflict", "uncoalesced-access");
    let run = bench(&[("k.cu", &other)]).run("check k.cu --costs");
    assert!(run.out.contains("suppresses nothing"), "{run:?}");
    let entry =
        "[[allow]]\nrule = \"bank-conflict\"\narray = \"s\"\nbecause = \"it is read once\"\n";
    let configured = bench(&[("k.cu", COLUMN), ("warplog.toml", entry)]);
    let run = configured.run("check k.cu --costs --format concise");
    assert!(
        run.out.contains("; suppressed: it is read once ["),
        "{run:?}"
    );
}

#[test]
fn barriers_and_costs_are_explained() {
    let bench = bench(&[("k.cu", COLUMN)]);
    let run = bench.run("explain k.cu:5");
    assert!(run.out.contains("  orders "), "{run:?}");
    assert!(run.out.contains("the write"), "{run:?}");
    let report = bench.run("check k.cu --costs --format concise").out;
    let id = report.rsplit(['[', ']']).nth(1).expect("an id");
    let page = bench.run(&format!("explain {id} k.cu"));
    assert!(
        page.out.contains("  bank      0: lanes 0, 1, 2,"),
        "{page:?}"
    );
    assert!(bench.run(&format!("explain {id} k.cu --smt")).status != 0);
}

/// The warp that shows a divergent branch, its two sides and where their accesses stand, in the explanation, in JSON and on the page.
#[test]
fn divergence_is_shown_by_a_warp() {
    let text = "//--blockDim=64 --gridDim=1\n__global__ void k(int *a, int *b) {\n  if (threadIdx.x >= 40) a[threadIdx.x] = 1;\n  else b[threadIdx.x] = 2;\n}\n";
    let bench = bench(&[("k.cu", text)]);
    let run = bench.run("check k.cu --costs --format concise");
    let what = "lanes of a warp differ on `threadIdx.x >= 40` in 1 of 2 warps (50 %): 2 accesses one side after the other";
    assert!(run.out.contains(what), "{run:?}");
    let id = run.out.rsplit(['[', ']']).nth(1).expect("an id");
    let page = bench.run(&format!("explain {id} k.cu")).out;
    for line in [
        "  note      accesses where it holds: in line 3; where it does not: in line 4",
        "  note      in warp 1 of block (0, 0, 0) it holds in lanes 8–31, and not in lanes 0–7",
        "  warp      1 of block (0, 0, 0), blockDim = (64, 1, 1)",
        "  side      1: lanes 8, 9,",
        "  side      2: lanes 0, 1, 2, 3, 4, 5, 6, 7\n",
    ] {
        assert!(page.contains(line), "{line}: {page}");
    }
    let json = bench.run("check k.cu --costs --format json").out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let split = &json["kernels"][0]["costs"]["findings"][0]["split"];
    assert_eq!(split["warp"], 1);
    assert_eq!(split["lanes"][7], false);
    assert_eq!(split["lanes"][8], true);
    let html = bench.run("check k.cu --costs --format html").out;
    assert!(
        html.contains("warp 1 of block (0, 0, 0), blockDim = (64, 1, 1)"),
        "{html}"
    );
}

/// Nothing to ask about, nothing found and nothing known are three answers, and each is told apart in words and in JSON.
#[test]
fn the_three_answers_are_told_apart() {
    let text = "//--blockDim=64 --gridDim=1\n__global__ void none(int *a) { a[threadIdx.x] = 1; }\n\
                __global__ void free_of_conflicts(int *a) { __shared__ int s[64]; s[threadIdx.x] = 1; a[threadIdx.x] = s[threadIdx.x]; }\n\
                __global__ void open(int *a, const int *at) { __shared__ int s[64]; s[threadIdx.x] = 1; __syncthreads(); a[threadIdx.x] = s[at[threadIdx.x] & 63]; }\n";
    let bench = bench(&[("k.cu", text)]);
    let run = bench.run("check k.cu --costs");
    let shown = run.out.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in [
        "costs: no accesses to shared memory;",
        "costs: 2 accesses to shared memory, conflict-free;",
        "costs: cannot tell of 1 (line 4: where in `s` a lane goes is not known);",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    let json = bench.run("check k.cu --costs --format json").out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let answers =
        [0, 1, 2].map(|nth: usize| json["kernels"][nth]["costs"]["answers"][0]["answer"].clone());
    assert_eq!(answers, ["none", "free", "cannot_tell"]);
}

/// A device of capability 2.x fetches lines, and says so.
#[test]
fn devices_have_their_own_words() {
    let text = "//--blockDim=32 --gridDim=1\n__global__ void k(float *out, const float *in) { out[threadIdx.x] = in[32 * threadIdx.x]; }\n";
    let bench = bench(&[("k.cu", text)]);
    for (capability, words) in [
        (
            "8.0",
            "32 sectors a request where 4 would do, 12 % of the bytes used",
        ),
        (
            "2.0",
            "32 lines a request where 1 would do, 3 % of the bytes used",
        ),
    ] {
        let run = bench.run(&format!(
            "check k.cu --costs --compute-capability {capability} --format concise"
        ));
        assert!(run.out.contains(words), "{run:?}");
    }
}

/// What helps the dearest access of a kernel of `mends.cu`, in words; its twin has it.
const HELPS: [(&str, &str); 9] = [
    (
        "cost_mend_column",
        "rows of `tile` longer by one element: the last extent 33 instead of 32; then none",
    ),
    (
        "cost_mend_short_column",
        "rows of `tile` longer by 2 elements: the last extent 66 instead of 64; then none",
    ),
    (
        "cost_mend_rows",
        "`threadIdx.x` and `threadIdx.y` exchanged in this access, through a tile in shared memory if both orders are needed; then 4 sectors",
    ),
    (
        "cost_mend_transpose",
        "`threadIdx.x` and `threadIdx.y` exchanged in this access, through a tile in shared memory if both orders are needed; then 4 sectors",
    ),
    (
        "cost_mend_pairs",
        "the 2 elements of each lane in `in` in 2 arrays, or all 8 bytes of a lane in one access of 8 sectors; then 4 sectors",
    ),
    (
        "cost_mend_quads",
        "the 4 elements of each lane in `in` in 4 arrays, or all 16 bytes of a lane in one access of 16 sectors; then 4 sectors",
    ),
    // Not all that one access would fetch is wanted.
    (
        "cost_mend_first",
        "the 2 elements of each lane in `in` in 2 arrays; then 4 sectors",
    ),
    (
        "cost_mend_between",
        "the 4 elements of each lane in `in` in 4 arrays; then 4 sectors",
    ),
    (
        "cost_mend_structures",
        "the 3 elements of each lane in `in` in 3 arrays; then 4 sectors",
    ),
];

/// Each kind of help was made in the source of a twin, which runs without any cost: so says the analysis, and the program that runs all
/// threads agrees with it on every access of both.
#[test]
fn what_helps_leaves_nothing_to_find() {
    let file = "mends.cu";
    let text = std::fs::read_to_string(path(file)).expect("is read");
    let report = report(file, &text, Some(80));
    let costs = |name: String| {
        let own = report.kernels.iter().find(|own| own.name == name);
        own.and_then(|own| own.costs.as_ref())
            .expect("costs")
            .clone()
    };
    assert_eq!(report.kernels.len(), 2 * HELPS.len());
    for (kernel, words) in HELPS {
        let bad = costs(format!("{kernel}_bad"));
        let hints: Vec<_> = bad.found.iter().map(|cost| cost.hint.as_deref()).collect();
        assert!(!hints.is_empty(), "{kernel}");
        assert!(
            hints.iter().all(|own| *own == Some(words)),
            "{kernel}: {hints:?}"
        );
        let ok = costs(format!("{kernel}_ok"));
        assert!(ok.found.is_empty(), "{kernel}: {:?}", ok.found);
        assert!(
            ok.answers.iter().all(|own| own.cannot_tell.is_empty()),
            "{kernel}"
        );
    }
}

/// Padding and barriers that are not needed are changes of one place, which `--fix` makes once they were analysed.
#[test]
fn costs_are_mended_in_the_source() {
    let twice = "    __syncthreads();\n    __syncthreads();\n";
    let text = COLUMN.replace("    __syncthreads();\n", twice);
    let bench = bench(&[("k.cu", &text)]);
    let run = bench.run("check k.cu --costs --format concise");
    assert!(run.out.contains("`--fix` makes that change"), "{run:?}");
    assert_eq!(bench.read("k.cu"), text);
    let run = bench.run("check k.cu --costs --fix --format concise");
    assert!(
        !run.out.contains("bank-conflict") && !run.out.contains("redundant-barrier"),
        "{run:?}"
    );
    let mended = bench.read("k.cu");
    let expected = text
        .replace(twice, "    __syncthreads();\n")
        .replace("s[32][32]", "s[32][32 + 1]");
    assert_eq!(mended, expected);
    let run = bench.run("check k.cu --costs --fix");
    assert!(!run.err.contains("changed"), "{run:?}");
    // Without costs nothing is found, and nothing is changed for them.
    let other = self::bench(&[("k.cu", &text)]);
    other.run("check k.cu --fix");
    assert_eq!(other.read("k.cu"), text);
}

/// An array that is read by another name, as another type or by its address is not padded: its elements would be others.
#[test]
fn what_would_change_the_meaning_is_left_alone() {
    let read = "s[threadIdx.x][threadIdx.y]";
    for other in [
        "s[0][32 * threadIdx.x + threadIdx.y] + *s[0]",
        "(&s[0][0])[32 * threadIdx.x + threadIdx.y]",
        "s[threadIdx.x][threadIdx.y] + sizeof(s[0])",
    ] {
        let text = COLUMN.replace(read, other);
        let bench = bench(&[("k.cu", &text)]);
        let run = bench.run("check k.cu --costs --fix --format concise");
        assert!(run.out.contains("bank-conflict"), "{other}: {run:?}");
        assert_eq!(bench.read("k.cu"), text, "{other}");
    }
    let first = "__device__ float at(float &f, int k) { return (&f)[k]; }\n__device__ float atomicSecond(float *f) { return f[32]; }\n";
    for other in [
        "s[0][32 * threadIdx.x + threadIdx.y]",
        "(&(s[0][0]))[32 * threadIdx.x + threadIdx.y]",
        "at(s[threadIdx.x][0], threadIdx.y)",
        "atomicSecond(&s[threadIdx.x][threadIdx.y]) + s[threadIdx.x][threadIdx.y]",
        "((const float2 &)s[threadIdx.x][threadIdx.y & ~1]).x",
        "at(static_cast<float &>(s[threadIdx.x][0]), threadIdx.y)",
    ] {
        let text = format!("{first}{}", COLUMN.replace(read, other));
        let bench = bench(&[("k.cu", &text)]);
        bench.run("check k.cu --costs --fix --format concise");
        assert_eq!(bench.read("k.cu"), text, "{other}");
    }
    let referred = COLUMN.replace(
        "    out[32",
        "    float &f = s[threadIdx.x][0];\n    out[32",
    );
    let referred = referred.replace(read, "(&f)[threadIdx.y]");
    let bench = self::bench(&[("k.cu", &referred)]);
    bench.run("check k.cu --costs --fix");
    assert_eq!(bench.read("k.cu"), referred);
    let named = format!("#define ROW s[0]\n{COLUMN}");
    let bench = self::bench(&[("k.cu", &named)]);
    bench.run("check k.cu --costs --fix");
    assert_eq!(bench.read("k.cu"), named);
}

/// Nothing is found in a kernel whose name says that it is free of conflicts and coalesced, and something in each of the others; there are
/// at least eighty, of which at least sixty are counted by running all threads.
#[test]
fn what_is_free_has_no_finding() {
    let counted = COUNTED.map(|(file, ..)| file);
    let (mut wrong, mut kernels, mut run) = (String::new(), 0, 0);
    let mut shown = Vec::new();
    for file in counted
        .into_iter()
        .chain(["symbolic.cu", "often.cu", "leaders.cu"])
    {
        let text = std::fs::read_to_string(path(file)).expect("is read");
        for kernel in report(file, &text, Some(80)).kernels {
            kernels += 1;
            run += usize::from(counted.contains(&file));
            let costs = kernel.costs.as_ref().expect("costs");
            let of_accesses = |rule: &str| matches!(rule, "bank-conflict" | "uncoalesced-access");
            let found = costs.found.iter().any(|cost| of_accesses(&cost.rule));
            for cost in costs.found.iter().filter(|cost| of_accesses(&cost.rule)) {
                shown.extend(counted_again(&kernel.name, cost, &mut wrong));
            }
            if found != kernel.name.ends_with("_bad") {
                let _ = writeln!(wrong, "{file}: {}: {:?}", kernel.name, costs.found);
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert!(kernels >= 80 && run >= 60, "{kernels}, {run}");
    assert!(shown.len() >= 80, "{}", shown.len());
    let exact = shown.iter().filter(|exact| **exact).count();
    assert!(exact >= 60, "{exact}");
}

/// Counts the request of the warp that a cost is shown by, from the addresses that are told of its lanes, by other code than the analysis has:
/// it must have what is told, or more where the rest of its address may lie better than at the begin of a sector. Gives whether it is
/// said to be exact; none where no warp is told.
fn counted_again(kernel: &str, cost: &Cost, wrong: &mut String) -> Option<bool> {
    let Some(warp) = cost.measure.warp() else {
        let _ = writeln!(wrong, "{kernel}: no warp shows {}", cost.headline);
        return None;
    };
    // Banks and sectors repeat with each line of 128 bytes.
    let least = warp.lanes.iter().flatten().min().copied().unwrap_or(0);
    let by = least.div_euclid(128) * 128;
    let lanes = warp.lanes.iter().enumerate();
    let wanted: Wanted = lanes
        .filter_map(|(lane, first)| Some((lane, ((*first)? - by, warp.bytes.into()))))
        .collect();
    let again: u64 = match cost.measure {
        Measure::Turns { ref access, .. } => {
            let atomic = access.action == Action::Atomic;
            turns(&wanted, atomic).into_iter().max().unwrap_or(0).into()
        }
        _ => sectors(&wanted).into(),
    };
    let (degree, is_exact) = (cost.measure.degree(), cost.answer == Exactness::Exact);
    if again < degree || (is_exact && again != degree) {
        let _ = writeln!(wrong, "{kernel}: {again}: {}", cost.headline);
    }
    Some(is_exact)
}

/// Turns of the worst request of a kernel in which conditions let in one lane, or those that have something equal.
const LEADERS: [(&str, u64); 6] = [
    ("cost_each_lane_bad", 32),
    ("cost_first_four_of_group_bad", 32),
    ("cost_first_of_label_bad", 32),
    ("cost_lowest_pair_bad", 2),
    ("cost_named_eight_bad", 8),
    ("cost_all_but_one_bad", 32),
];

/// Of the lanes that are together one adds for all of them, which is no conflict; lanes that have equal what a warp shares come at once.
#[test]
fn lanes_that_are_let_in_one_at_a_time_do_not_conflict() {
    let file = "leaders.cu";
    let text = std::fs::read_to_string(path(file)).expect("is read");
    let report = report(file, &text, Some(80));
    let mut found = BTreeMap::new();
    for kernel in &report.kernels {
        assert_eq!(kernel.verdict(), Verdict::RaceFree, "{}", kernel.name);
        let costs = kernel.costs.as_ref().expect("costs");
        let own = costs.found.iter();
        let own = own.filter(|cost| cost.rule == "bank-conflict");
        if let Some(most) = own.map(|cost| cost.measure.degree()).max() {
            found.insert(kernel.name.as_str(), most);
        }
    }
    assert_eq!(found, BTreeMap::from(LEADERS));
}

/// In SARIF a cost is a result of level *note*, by a rule of its own.
#[test]
fn costs_are_notes_in_sarif() {
    let bench = bench(&[("k.cu", COLUMN)]);
    let run = bench.run("check k.cu --costs --format sarif");
    assert_eq!(run.status, 0, "{run:?}");
    let sarif: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    let rules = &sarif["runs"][0]["tool"]["driver"]["rules"];
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let told: Vec<_> = results
        .iter()
        .map(|result| {
            let nth = result["ruleIndex"].as_u64().expect("a rule");
            let nth = usize::try_from(nth).expect("a number");
            assert_eq!(rules[nth]["id"], result["ruleId"]);
            assert_eq!(rules[nth]["defaultConfiguration"]["level"], "note");
            (
                result["ruleId"].as_str().expect("an id"),
                result["level"].as_str().expect("a level"),
            )
        })
        .collect();
    assert_eq!(told, [("bank-conflict", "note")]);
}

/// Costs and the relations that they are found by are tables.
#[test]
fn costs_are_asked_for_in_sql() {
    let text = format!(
        "{COLUMN}__global__ void turns_bad(float *a, float *b) {{ if (threadIdx.x % 2 == 0) a[threadIdx.x] = 1; else b[threadIdx.x] = 2; }}\n"
    );
    let bench = bench(&[("k.cu", &text)]);
    for (sql, rows) in [
        (
            "SELECT rule, kernel, array, degree, fewest, answer, requests FROM cost WHERE rule = 'bank-conflict'",
            "rule,kernel,array,degree,fewest,answer,requests\nbank-conflict,column_bad,s,32,1,exact,32\n",
        ),
        (
            "SELECT rule, degree, fewest FROM cost WHERE rule = 'divergent-branch'",
            "rule,degree,fewest\ndivergent-branch,32,32\n",
        ),
        (
            "SELECT answer, degree, requests FROM conflict_degree ORDER BY degree",
            "answer,degree,requests\nexact,1,32\nexact,32,32\n",
        ),
        (
            "SELECT DISTINCT sectors, fewest, lines, bytes FROM request_sectors WHERE sectors = fewest",
            "sectors,fewest,lines,bytes\n4,4,1,128\n",
        ),
        (
            "SELECT answer, divergent, warps, serialised FROM divergent_at",
            "answer,divergent,warps,serialised\nexact,32,32,2\n",
        ),
    ] {
        let run = bench.words(&["query", "--format", "csv", "--scan", "k.cu", sql]);
        assert_eq!(run.out, rows, "{sql}: {run:?}");
    }
}

/// A size that host code computes in a way that is not followed has the name that is written at the launch.
#[test]
fn conditions_name_what_is_passed() {
    let text = "struct M { int stride() const; float *data() const; };\n\
                __global__ void k(const float *in, int width, int n, float *out) { int r = blockIdx.x * blockDim.x + threadIdx.x; if (r < n) out[r] = in[r * width]; }\n\
                void host(const M &in, const M &out, int n) { k<<<n / 1024, 1024>>>(in.data(), in.stride(), n, out.data()); }\n";
    let bench = bench(&[("k.cu", text)]);
    let run = bench.run("check k.cu --costs --format concise");
    let words = "(32 if `in.stride() >= 8`, 4 if `in.stride() == 1`)";
    assert!(run.out.contains(words), "{run:?}");
}

/// A barrier that is redundant in one reading of a text, or that stands before a flag, stays where it is; one that is redundant whatever
/// is defined is taken out.
#[test]
fn barriers_stay_that_another_reading_needs() {
    let kernel = |select: &str| {
        format!(
            "// warplog: launch block=64 grid=4
__global__ void k(int *o, const int *x) {{
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = x[t];
{select}    __syncthreads();
    o[blockIdx.x * 64 + t] = s[j];
}}
"
        )
    };
    let by = |condition: &str| {
        format!("{condition}\n    const int j = 63 - t;\n#else\n    const int j = t;\n#endif\n")
    };
    let in_kernel = kernel(&by("#ifdef REVERSED"));
    let by_architecture = kernel(&by("#if __CUDA_ARCH__ >= 800"));
    let plain = kernel("    const int j = t;\n");
    let outside = "#ifdef REVERSED\n#define AT(t) (63 - t)\n#else\n#define AT(t) t\n#endif\n";
    let by_macro = format!("{outside}{}", kernel("    const int j = AT(t);\n"));
    let in_code = kernel("    int j = t;\n    if (__CUDA_ARCH__ >= 800) j = 63 - t;\n");
    let header = kernel("    const int j = AT(t);\n");
    let header = format!("#include \"at.h\"\n{header}");
    let flag = plain.replace("int *o,", "int *o, volatile int *flag,").replace(
        "    o[blockIdx.x * 64 + t] = s[j];\n",
        "    o[blockIdx.x * 64 + t] = s[j];\n    __syncthreads();\n    if (t == 0) flag[blockIdx.x] = 1;\n",
    );
    let exchanged = flag
        .replace("volatile ", "")
        .replace("flag[blockIdx.x] = 1", "atomicExch(&flag[blockIdx.x], 1)")
        .replace("    const int j = t;\n", "    const int j = 63 - t;\n");
    for (what, text, options) in [
        ("an arm of the kernel", &in_kernel, ""),
        ("an arm for other architectures", &by_architecture, ""),
        (
            "one of two architectures",
            &by_architecture,
            "--arch sm_70,sm_80",
        ),
        (
            "the same the other way round",
            &by_architecture,
            "--arch sm_80,sm_70",
        ),
        ("a macro", &by_macro, ""),
        (
            "the architecture in an expression",
            &in_code,
            "--arch sm_70",
        ),
        ("a header", &header, ""),
        ("a volatile flag", &flag, ""),
        ("an atomic flag", &exchanged, ""),
    ] {
        let bench = bench(&[("k.cu", text), ("at.h", outside)]);
        let run = bench.run(&format!("check k.cu --costs --fix {options}"));
        assert_eq!(bench.read("k.cu"), *text, "{what}: {run:?}");
        let again = bench.run(&format!("check k.cu {options}"));
        assert_eq!(again.status, 0, "{what}: {again:?}");
    }
    let commands = |flags: [&str; 2]| {
        let entry = |at: usize| {
            format!(
                r#"{{"directory": ".", "file": "k.cu", "command": "nvcc {} -c k.cu -o {at}.o"}}"#,
                flags[at]
            )
        };
        format!("[{}, {}]", entry(0), entry(1))
    };
    let default = "#ifndef AT_\n#define AT_(t) t\n#endif\n";
    let guarded = kernel("    const int j = AT_(t);\n");
    let guarded = format!("{default}{guarded}");
    for (flags, is_made) in [
        (["", "\\\"-DAT_(t)=63-t\\\""], false),
        (["\\\"-DAT_(t)=63-t\\\"", ""], false),
        (["", "-DNDEBUG"], true),
    ] {
        let bench = bench(&[
            ("k.cu", &guarded),
            ("compile_commands.json", &commands(flags)),
        ]);
        let run = bench.run("check k.cu --costs --fix -p .");
        let is_left = bench.read("k.cu") == guarded;
        assert_eq!(is_left, !is_made, "{flags:?}: {run:?}");
        let again = bench.run("check k.cu -p .");
        assert_eq!(again.status, 0, "{flags:?}: {again:?}");
    }
    let bench = bench(&[("k.cu", &plain)]);
    bench.run("check k.cu --costs --fix --arch sm_70,sm_80");
    assert!(!bench.read("k.cu").contains("__syncthreads"));
}
