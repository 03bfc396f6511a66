//! `make papers`: the tables of four papers beside ours, written to `docs/papers.md`; with the word `equality` behind it the last part
//! alone, with `barrier-invariants` the last two, with `costs` that of bank conflicts and uncoalesced accesses alone, and the others
//! stay as they are.
//!
//! The kernels are our own, written after what the papers tell of theirs (`datasets/papers/`); the papers' figures are those that
//! they print. What cannot be compared is said in the page. Each kernel is checked alone, in this process, by one
//! thread; seconds are those of this machine.

#[path = "papers/equality.rs"]
mod equality;
#[path = "papers/scans.rs"]
mod scans;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use warplog::dims::Dims;
use warplog::engine::Analysis;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::{Depth, Pipeline};
use warplog::unit::{Unit, UnitOptions};
use warplog_facts::Facts;
use warplog_report::cost::Answer;
use warplog_report::{FindingKind, Kernel};
use warplog_solver_bridge::{Options, RaceAnswer, decide};
use warplog_tests::labels::{LabelledFile, read_folder};
use warplog_tests::{datasets, project};

/// A kernel as it was checked.
struct Checked {
    kernel: Kernel,
    facts: Facts,
    seconds: f64,
}

/// Programs of Sarkar et al.: name, our clean kernels, files of theirs, and the paper's seeded races and divergent barriers.
type Program = (
    &'static str,
    &'static [&'static str],
    Option<(u32, u32)>,
    &'static str,
);

const PROGRAMS: [Program; 10] = [
    ("CG", &["icsoft_cg_ok", "icsoft_cg_sparse_ok"], None, ""),
    ("BCM", &["icsoft_bcm_ok"], None, ""),
    (
        "MIN_MAX",
        &["icsoft_minmax_ok"],
        Some((3, 1)),
        "icsoft_minmax",
    ),
    ("LUP", &["icsoft_lup_ok"], Some((5, 3)), "icsoft_lup"),
    ("K-Means", &["icsoft_kmeans_ok"], None, ""),
    ("HC", &["icsoft_heat_ok"], Some((6, 5)), "icsoft_hc"),
    ("DCT", &["icsoft_dct_ok"], Some((2, 2)), "icsoft_dct"),
    ("LRU", &["icsoft_lru_ok"], None, ""),
    (
        "FFT",
        &["icsoft_fft_ok", "icsoft_fft_reversal_ok"],
        None,
        "",
    ),
    ("UA", &["icsoft_ua_ok"], Some((5, 4)), "icsoft_ua"),
];

/// Threads of a block in the tables of Li et al. that a kernel of ours can be checked at.
const COUNTS: [u64; 6] = [32, 64, 128, 256, 512, 1024];

/// What the part of the third paper begins with.
const THIRD: &str = "\n## Chong et al.";
/// What the part of the fourth begins with.
const FOURTH: &str = "\n## Li and Gopalakrishnan (PUG_para)";

/// What the part of costs begins with, and the one behind it.
const COSTS: [&str; 2] = ["\n### Bank conflicts", "\n### Flows"];

fn main() -> std::io::Result<()> {
    let files = read_folder(&datasets().join("papers")).map_err(std::io::Error::other)?;
    let path = project().join("docs/papers.md");
    let is_only = |part: &str| std::env::args().any(|arg| arg == part);
    if is_only("costs") {
        let page = std::fs::read_to_string(&path)?;
        let [begin, end] = COSTS.map(|part| page.find(part).unwrap_or(page.len()));
        let mut made = page[..begin].to_owned();
        costs(&files, &mut made);
        made.push_str(&page[end..]);
        return std::fs::write(path, made);
    }
    let kept = match (is_only("equality"), is_only("barrier-invariants")) {
        (true, _) => Some(FOURTH),
        (false, true) => Some(THIRD),
        (false, false) => None,
    };
    let mut page = if let Some(from) = kept {
        let page = std::fs::read_to_string(&path)?;
        let end = page.find(from).unwrap_or(page.len());
        page[..end].to_owned()
    } else {
        let mut page = String::from(
            "# Four papers' tables beside ours\n\nWritten by `make papers`. The kernels are our own, written after what the papers tell of \
             theirs; neither their sources nor their inputs were used, so seconds and sizes are not of the same programs, nor \
             of the same machine. What can be compared is which errors are found, and up to which number of threads.\n",
        );
        programs(&files, &mut page);
        threads(&files, &mut page);
        costs(&files, &mut page);
        flows(&files, &mut page);
        page
    };
    if kept != Some(FOURTH) {
        scans::tables(&files, &mut page);
    }
    equality::tables(&mut page);
    std::fs::write(path, page)
}

/// The file and name of a kernel.
fn find<'f>(files: &'f [LabelledFile], name: &str) -> Option<&'f LabelledFile> {
    files
        .iter()
        .find(|file| file.labels.kernels.iter().any(|kernel| kernel.name == name))
}

/// Checks one kernel of a file; with a block size, or as the file says.
fn check(file: &LabelledFile, name: &str, block: Option<Dims>) -> Option<Checked> {
    let options = AnalysisOptions {
        kernels: vec![name.to_owned()],
        block_dim: block,
        preconditions: false,
        ..AnalysisOptions::default()
    };
    let header = parse_header(&file.text).ok()?;
    let path: PathBuf = file.path.clone();
    let unit_options = UnitOptions::new(&options, &header, &path);
    let unit = Unit {
        path: &path,
        shown: &file.name,
        bytes: file.text.as_bytes(),
        options: &unit_options,
    };
    let start = Instant::now();
    let (examined, report) = Analysis.extract(&unit, &options, Depth::Findings);
    let seconds = start.elapsed().as_secs_f64();
    let kernel = report.kernels.into_iter().next()?;
    Some(Checked {
        kernel,
        facts: examined.facts,
        seconds,
    })
}

fn verdict(checked: Option<&Checked>) -> String {
    checked.map_or_else(
        || "–".to_owned(),
        |checked| checked.kernel.verdict().as_str().replace('_', " "),
    )
}

fn seconds(value: f64) -> String {
    if value < 0.001 {
        "< 0.001".to_owned()
    } else {
        format!("{value:.3}")
    }
}

/// Ten programs, clean and with all their seeds.
fn programs(files: &[LabelledFile], page: &mut String) {
    page.push_str(
        "\n## Sarkar et al., ICSOFT 2018: ten programs, errors of four types\n\nA seeded error is a barrier that was removed (so that a \
         read follows a write, a write a read, or a write a write, with nothing between) or a branch with a barrier that is taken \
         for equal in all threads (\"false data locality\"). As in the paper, a kernel holds all its seeds at once and they are \
         looked for in one run. Of five of the ten programs the paper tells how many it seeded (its table 2; table 4 swaps the columns); of \
         the other five ours have single seeds in files of their own, which the tests check.\n\n| program | clean: verdict | seconds | paper: \
         races seeded / found by us | paper: divergent barriers seeded / found by us | seconds | alarms at other lines |\n|---|---|---|---|---|---|---|\n",
    );
    let mut sums = [0_usize; 4];
    for (program, clean, seeded, stem) in PROGRAMS {
        let mut words = BTreeSet::new();
        let mut time = 0.0;
        for name in clean {
            let checked = find(files, name).and_then(|file| check(file, name, None));
            words.insert(verdict(checked.as_ref()));
            time += checked.map_or(0.0, |checked| checked.seconds);
        }
        let words: Vec<String> = words.into_iter().collect();
        let _ = write!(
            page,
            "| {program} | {} | {} | ",
            words.join(", "),
            seconds(time)
        );
        let Some((races, divergences)) = seeded else {
            page.push_str("not told | not told | | |\n");
            continue;
        };
        let (found, one, other) = seeds(files, &format!("{stem}_races_bad"), FindingKind::DataRace);
        let (too, two, others) = seeds(
            files,
            &format!("{stem}_divergent_bad"),
            FindingKind::BarrierDivergence,
        );
        let _ = writeln!(
            page,
            "{races} / {found} | {divergences} / {too} | {} | {} |",
            seconds(one + two),
            other + others
        );
        for (sum, more) in sums
            .iter_mut()
            .zip([races as usize, found, divergences as usize, too])
        {
            *sum += more;
        }
    }
    let [races, found, divergences, too] = sums;
    let _ = writeln!(
        page,
        "| all | | | {races} / {found} | {divergences} / {too} | | |\n\nThe paper reports 0.003–2.3 s for races and 0.001–2.0 s for \
         divergence of a whole program of 30–1,234 lines and 2–172 kernels; our programs are smaller, their kernels being those parts that the \
         seeds are about. An alarm at another line is one that follows from a seed: a value that is written or read in a race is used \
         further on."
    );
}

/// How many seeds of a kernel are told, in how many seconds, and at how many lines without a seed something is.
fn seeds(files: &[LabelledFile], name: &str, kind: FindingKind) -> (usize, f64, usize) {
    let Some((file, checked)) =
        find(files, name).and_then(|file| Some((file, check(file, name, None)?)))
    else {
        return (0, 0.0, 0);
    };
    let lines: Vec<&str> = file.text.lines().collect();
    let seeds_at = |line: u32| -> Vec<&str> {
        let text = usize::try_from(line)
            .ok()
            .and_then(|line| lines.get(line.checked_sub(1)?))
            .copied()
            .unwrap_or("");
        text.split("seed ")
            .skip(1)
            .filter_map(|rest| rest.split([' ', '*']).next())
            .collect()
    };
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut elsewhere: BTreeSet<u32> = BTreeSet::new();
    for finding in checked
        .kernel
        .findings
        .iter()
        .filter(|finding| finding.kind() == kind)
    {
        let wanted: Vec<Vec<&str>> = finding
            .locations
            .iter()
            .filter(|location| location.role != warplog_report::Role::Condition)
            .map(|location| seeds_at(location.place.line))
            .collect();
        // A seed is told by a finding all of whose places belong to it.
        let common: Vec<&str> = wanted
            .first()
            .into_iter()
            .flatten()
            .filter(|seed| wanted.iter().all(|seeds| seeds.contains(seed)))
            .copied()
            .collect();
        if common.is_empty() {
            elsewhere.extend(finding.locations.iter().map(|location| location.place.line));
        }
        told.extend(common);
    }
    elsewhere.retain(|line| seeds_at(*line).is_empty());
    (told.len(), checked.seconds, elsewhere.len())
}

/// What a formula and its counter-model are like.
struct Question {
    flows: u32,
    conjuncts: usize,
    model: String,
    queries: u64,
}

fn question(checked: &Checked) -> Question {
    let derived =
        warplog::analysis::derivation::derive(&checked.facts, &AnalysisOptions::default());
    let flows = derived
        .flow_of
        .iter()
        .map(|row| row.flow + 1)
        .max()
        .unwrap_or(1);
    let options = Options {
        keep_smt: true,
        ..Options::default()
    };
    let decision = decide(&checked.facts, &derived, &options);
    let texts = decision.races.iter().filter_map(|race| race.smt.as_ref());
    let conjuncts = texts
        .map(|text| text.matches("(assert").count())
        .max()
        .unwrap_or(0);
    let models = decision.races.iter().filter_map(|race| match &race.answer {
        RaceAnswer::Race(race) => Some(&race.witness),
        _ => None,
    });
    let model = models
        .map(|witness| {
            let product = |sizes: [i128; 3]| sizes.iter().product::<i128>();
            (product(witness.grid_dim), product(witness.block_dim))
        })
        .min()
        .map_or_else(
            || "–".to_owned(),
            |(grid, block)| format!("{grid} × {block}"),
        );
    Question {
        flows,
        conjuncts,
        model,
        queries: checked.kernel.stats.queries,
    }
}

/// The kernels of the SDKs, at thread counts and for any.
fn threads(files: &[LabelledFile], page: &mut String) {
    page.push_str(
        "\n## Li et al. (GKLEE_p), SC 2012: kernels of the SDKs 2.0 and 4.0\n\nGKLEE_p runs a kernel for a given number of threads (32–2,048 for the \
         seventeen kernels of SDK 2.0, up to 16,384 for the twelve of SDK 4.0) with two symbolic threads for each parametric flow, and ends after \
         seconds where its predecessor GKLEE took minutes or ran out of time: its largest gain is matrix multiplication at 2,048 threads, \
         3.4 s after 362 s. Ours are proved once for any number of threads; \
         the columns with a number are the same kernels at that size of the block, for comparison. `–` stands where a kernel needs a block of its \
         own shape. Counter-models are blocks × threads; conjuncts are those of the largest formula that was asked, after normalisation (0: no question \
         was needed); questions are those put to Z3.\n\n| kernel | any number: verdict | seconds | ",
    );
    for count in COUNTS {
        let _ = write!(page, "{count} | ");
    }
    page.push_str("flows | conjuncts | counter-model | questions |\n|---|---|---|");
    page.push_str(&"---|".repeat(COUNTS.len() + 4));
    page.push('\n');
    let mut verdicts: BTreeMap<String, usize> = BTreeMap::new();
    let of_tables = files
        .iter()
        .filter(|file| file.name.starts_with("gklee_p_sdk"));
    for file in of_tables {
        for labelled in &file.labels.kernels {
            let name = &labelled.name;
            let Some(checked) = check(file, name, None) else {
                continue;
            };
            let word = verdict(Some(&checked));
            let _ = write!(
                page,
                "| `{name}` | {word} | {} | ",
                seconds(checked.seconds)
            );
            *verdicts.entry(word).or_default() += 1;
            let shaped = file.text.lines().any(|line| {
                let start = labelled.line as usize;
                let inside = file
                    .text
                    .lines()
                    .skip(start)
                    .take_while(|line| *line != "}");
                line.contains("__requires(blockDim.x ==")
                    && inside.into_iter().any(|own| own == line)
            });
            for count in COUNTS {
                let checked = (!shaped)
                    .then(|| check(file, name, Some([count, 1, 1])))
                    .flatten()
                    .filter(|checked| checked.kernel.verdict().as_str() != "error");
                match checked {
                    Some(checked) => {
                        let _ = write!(
                            page,
                            "{} {} | ",
                            verdict(Some(&checked)),
                            seconds(checked.seconds)
                        );
                    }
                    None => page.push_str("– | "),
                }
            }
            let Question {
                flows,
                conjuncts,
                model,
                queries,
            } = question(&checked);
            let _ = writeln!(page, "{flows} | {conjuncts} | {model} | {queries} |");
        }
    }
    let verdicts: Vec<String> = verdicts
        .into_iter()
        .map(|(verdict, count)| format!("{count} {verdict}"))
        .collect();
    let _ = writeln!(
        page,
        "\n{} for any number of threads. The one that races is the reduction whose last warp relies on lock-step; GKLEE_p, of \
         2012, took warps to be in lock-step and did not report it.",
        verdicts.join(", ")
    );
}

/// Bank conflicts and uncoalesced accesses of the kernels of the SDKs, for the devices of the paper and one of today.
fn costs(files: &[LabelledFile], page: &mut String) {
    page.push_str(
        "\n### Bank conflicts and uncoalesced accesses\n\nThe paper's tables have a column for bank conflicts (BC) and one for memory coalescing (MC) \
         of devices of compute capability 1.x and 2.x. **The paper's figures are not quoted here: no copy of its tables was at hand when this page was \
         written, and none is made up.** Of the paper, the slides of its talk and the thesis that retells it, searches gave first pages and abstracts only, \
         so that no disagreement can be told. All columns are ours alone, of our own kernels: the worst request of any access to shared memory (turns of \
         the fullest bank) and to global memory (sectors or lines against the fewest that would do), for blocks of any size where the kernel allows \
         any. What counts is what the CUDA guides say of these devices: half a warp and 16 banks in 1.x, a warp and 32 banks since; global memory is fetched for half \
         a warp together if its lanes are in order in one segment and by the lane if not (1.0), by sectors of 32 bytes for half a warp (1.3), by lines of 128 \
         bytes (2.x), by sectors for a warp (8.x). A number may hold on a condition, which `warplog check --costs` tells; *some cannot be told* stands where addresses come from memory.\n\n\
         | kernel | BC, 1.x | BC, 2.x | BC, 8.x | MC, 1.0 | MC, 1.3 | MC, 2.x | MC, 8.x |\n|---|---|---|---|---|---|---|---|\n",
    );
    let of_tables = files
        .iter()
        .filter(|file| file.name.starts_with("gklee_p_sdk"));
    for file in of_tables {
        for labelled in &file.labels.kernels {
            let name = &labelled.name;
            let mut cells = [const { Vec::new() }; 2];
            for capability in [10, 13, 20, 80] {
                let Some(kernel) = costs_of(file, name, capability) else {
                    continue;
                };
                for (nth, rule) in ["bank-conflict", "uncoalesced-access"].iter().enumerate() {
                    // Banks are the same in all devices of 1.x.
                    if capability != 10 || *rule == "uncoalesced-access" {
                        cells[nth].push(cost_words(&kernel, rule));
                    }
                }
            }
            let _ = writeln!(page, "| `{name}` | {} |", cells.concat().join(" | "));
        }
    }
    page.push_str(
        "\nA reduction with strided indices (`sdk2_reduce1_ok`) has conflicts; one whose threads in between are idle (`sdk2_reduce0_ok`), or \
         whose indices follow each other, has none. Of the four transpositions the one without a tile writes uncoalesced; a tile with rows of 16 has \
         its columns in one or two banks; rows of 17, by the diagonal or not, are free of conflicts for the half-warps of 1.x, and 2-way for whole \
         warps, which span two rows of 16 threads. What is left of MC in those with a tile are widths that are no multiple of 16, whose rows begin \
         anywhere.\n",
    );
}

/// A kernel with what it costs on a device.
fn costs_of(file: &LabelledFile, name: &str, capability: u32) -> Option<Kernel> {
    let options = AnalysisOptions {
        kernels: vec![name.to_owned()],
        preconditions: false,
        costs: Some(capability),
        ..AnalysisOptions::default()
    };
    let header = parse_header(&file.text).ok()?;
    let path: PathBuf = file.path.clone();
    let unit_options = UnitOptions::new(&options, &header, &path);
    let unit = Unit {
        path: &path,
        shown: &file.name,
        bytes: file.text.as_bytes(),
        options: &unit_options,
    };
    let (_, report) = Analysis.extract(&unit, &options, Depth::Findings);
    report.kernels.into_iter().next()
}

/// What is said of one kind of cost in a kernel: the worst, or which of the three answers that are none.
fn cost_words(kernel: &Kernel, rule: &str) -> String {
    let Some(costs) = &kernel.costs else {
        return "–".to_owned();
    };
    let worst = costs
        .found
        .iter()
        .filter(|cost| cost.rule == rule)
        .max_by_key(|cost| cost.measure.degree());
    let answer = costs.answers.iter().find(|answer| answer.rule == rule);
    let open = answer.is_some_and(|answer| !answer.cannot_tell.is_empty());
    let words = match (worst, answer.map(Answer::word)) {
        (Some(cost), _) if rule == "bank-conflict" => format!("{}-way", cost.measure.degree()),
        (Some(cost), _) => format!("{} for {}", cost.measure.degree(), cost.measure.fewest()),
        (None, Some("none")) => "nothing to ask".to_owned(),
        (None, Some("cannot_tell")) => return "some cannot be told".to_owned(),
        (None, _) => "free".to_owned(),
    };
    if open {
        return format!("{words}, some cannot be told");
    }
    words
}

/// The motivating kernel and its kin.
fn flows(files: &[LabelledFile], page: &mut String) {
    page.push_str(
        "\n### Flows\n\nThe motivating kernel of the paper has four flows and two races, at 2,048 threads: one between the classes \
         that meet at threads 1,023 and 1,024, one between odd and even neighbours in the two arms of a branch, the \"porting race\". Those named `lockstep` are checked \
         with `--warp-sync=32`, as the paper took warps to be.\n\n| kernel | \
         verdict | flows | races told | seconds |\n|---|---|---|---|---|\n",
    );
    for file in files {
        if !matches!(
            file.name.as_str(),
            "gklee_p_flows.cu" | "gklee_p_conditions.cu" | "gklee_p_lockstep.cu"
        ) {
            continue;
        }
        for labelled in &file.labels.kernels {
            let Some(checked) = check(file, &labelled.name, None) else {
                continue;
            };
            let races = checked
                .kernel
                .findings
                .iter()
                .filter(|finding| finding.kind() == FindingKind::DataRace)
                .count();
            let flows = question(&checked).flows;
            let _ = writeln!(
                page,
                "| `{}` | {} | {flows} | {races} | {} |",
                labelled.name,
                verdict(Some(&checked)),
                seconds(checked.seconds)
            );
        }
    }
    page.push_str(
        "\nFlow 0, taken by all threads, is counted. The paper's classes are of whole paths, ours of accesses: a kernel whose branches nest has \
         no more of ours than it has places.\n",
    );
}
