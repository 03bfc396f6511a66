//! What accesses cost, against a program that runs all threads and counts; and against what the kernels of `datasets/costs/` say of
//! themselves: behind an access stands `//: shared 32 in 64`, the turns of its worst request (`global`: sectors) and its requests.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use warplog::header::parse_header;
use warplog::options::{AnalysisOptions, UnitOptions};
use warplog::pipeline::{Analysis, Depth, Examined, Pipeline, Unit};
use warplog_facts::words::CostAnswer;
use warplog_facts::{AccessId, LaunchId};
use warplog_report::{Report, Verdict};
use warplog_tests::command::Bench;
use warplog_tests::counting::{COUNTED, Tally, branches, count, totals};
use warplog_tests::datasets;
use warplog_tests::gpu_costs::COUNTERS;

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

/// What is told of the only cost of a kernel: how often, and on which blocks it depends.
const OFTEN: [(&str, &str, Option<&str>); 6] = [
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
];

#[test]
fn loops_are_summed_up_and_blocks_of_any_size_told_apart() {
    let file = "often.cu";
    let text = std::fs::read_to_string(path(file)).expect("is read");
    let report = report(file, &text, Some(8));
    assert_eq!(report.kernels.len(), OFTEN.len() + 2);
    let costly = |name: &str| {
        let own = report.kernels.iter().find(|own| own.name == name);
        own.and_then(|own| own.costs.as_ref())
            .map(|costs| costs.found.len())
    };
    assert_eq!(costly("cost_rest_of_row_ok"), Some(0));
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
    let (found, _) = told(&report(file, &text, Some(8)), "divergent-branch");
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
    let file = "barriers.cu";
    let text = std::fs::read_to_string(path(file)).expect("is read");
    let (found, open) = told(&report(file, &text, Some(8)), "redundant-barrier");
    let mut wrong = String::new();
    let labels = said(&text);
    assert!(labels.len() >= 26, "{}", labels.len());
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
    assert!(wrong.is_empty(), "{wrong}");
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
