//! The rules by which threads of a barrier's group agree (R23, R36, R38 to R41), against the solver: what a rule discharges is
//! put to Z3 all the same, on random conditions about threads, lanes and warps, in blocks of many shapes.
//!
//! The near misses are among the kernels: conditions that split warps, masks that name other lanes than those that come, rows
//! that are no multiple of a warp. The solver finds those; if it found none, the comparison would mean nothing.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use warplog::engine::Analysis;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::{Depth, Examined, Pipeline};
use warplog::unit::{Unit, UnitOptions};
use warplog_facts::derived::{CandidateDivergenceRow, Derived};
use warplog_facts::words::GuardCause;
use warplog_facts::{Facts, derived::DiscardedDivergenceRow};
use warplog_solver_bridge::{DivergenceAnswer, Options, Session};
use warplog_tests::random::dice::Dice;

/// Kernels in one file.
const KERNELS: usize = 20;
/// Files.
const FILES: u64 = 14;

/// Blocks; a last extent of 0 stands for a launch that is not known.
const BLOCKS: [[u32; 3]; 10] = [
    [64, 1, 1],
    [128, 1, 1],
    [96, 1, 1],
    [48, 1, 1],
    [32, 4, 1],
    [16, 8, 1],
    [64, 2, 2],
    [10, 7, 1],
    [256, 1, 1],
    [0, 1, 1],
];

/// A number made of the thread's indices.
fn number(dice: &mut Dice, flat: bool) -> String {
    let forms = [
        "t",
        "lane",
        "warp",
        "(t >> 5)",
        "(t / 32)",
        "(t / 16)",
        "(t & 31)",
        "(t % 32)",
        "(t % 8)",
        "(lane / 8)",
        "(t & ~31)",
        "n",
        "(int)threadIdx.y",
        "(t ^ 1)",
        "rank",
    ];
    let form = dice.pick(&forms);
    match form {
        "(int)threadIdx.y" | "rank" if flat => "t".to_owned(),
        form => form.to_owned(),
    }
}

/// A condition on the thread, of one or two comparisons.
fn condition(dice: &mut Dice, flat: bool) -> String {
    let mut one = || {
        let number = number(dice, flat);
        let value = dice.pick(&[0, 1, 2, 4, 8, 16, 24, 31, 32, 33, 64, 96]);
        match dice.pick(&[0, 1, 2, 3, 4, 5]) {
            0 => format!("{number} < {value}"),
            1 => format!("{number} >= {value}"),
            2 => format!("{number} == {value}"),
            3 => format!("({number} & {value}) == 0"),
            4 => format!("{value} <= {number}"),
            _ => format!("{number} != {value}"),
        }
    };
    let first = one();
    let second = one();
    match dice.pick(&[0, 0, 0, 1, 2]) {
        0 => first,
        1 => format!("({first}) && ({second})"),
        _ => format!("({first}) || ({second})"),
    }
}

/// A condition that fits a barrier for some lanes, and that barrier; now and then they do not fit.
fn masked(dice: &mut Dice) -> (String, String) {
    let pairs = [
        ("lane < 16", "0x0000ffff"),
        ("lane >= 16", "0xffff0000"),
        ("lane % 2 == 0", "0x55555555"),
        ("lane < 4", "0xf"),
        ("lane != 31", "0x7fffffff"),
        ("lane >= 8 && lane < 24", "0x00ffff00"),
    ];
    let (condition, mask) = dice.pick(&pairs);
    let mask = if dice.chance(25) {
        dice.pick(&pairs).1
    } else {
        mask
    };
    let operation = match dice.pick(&[0, 1, 2]) {
        0 => format!("__syncwarp({mask});"),
        1 => format!("x += __shfl_down_sync({mask}, x, 1);"),
        _ => format!("x += __any_sync({mask}, x);"),
    };
    (condition.to_owned(), operation)
}

/// Statements in which the group of a barrier and the condition before it are told by the same number or vote, or nearly so.
fn of_the_group(dice: &mut Dice) -> String {
    let value = dice.pick(&[1, 2, 3]);
    let tile = dice.pick(&[2, 4, 8, 16, 64]);
    let smaller = if dice.chance(25) { 2 } else { tile };
    match dice.pick(&[0, 1]) {
        0 => format!(
            "auto tile = cg::tiled_partition<{tile}>(cg::this_thread_block());\n    \
             if (cg::tiled_partition<{smaller}>(cg::this_thread_block()).meta_group_rank() % {value} == n) tile.sync();"
        ),
        _ => {
            let other = if dice.chance(25) { "n + 1" } else { "n" };
            format!(
                "unsigned mask = __ballot_sync(0xffffffff, lane < n);\n    if (lane < {other}) __syncwarp(mask);"
            )
        }
    }
}

fn barrier(dice: &mut Dice) -> String {
    let tile = dice.pick(&[2, 4, 8, 16, 32, 64]);
    match dice.pick(&[0, 0, 1, 1, 1, 2, 3]) {
        0 => "__syncthreads();".to_owned(),
        1 => "__syncwarp();".to_owned(),
        2 => format!("cg::tiled_partition<{tile}>(cg::this_thread_block()).sync();"),
        _ => "x += __shfl_xor_sync(0xffffffff, x, 1);".to_owned(),
    }
}

fn kernel(text: &mut String, dice: &mut Dice, position: usize, flat: bool) {
    let rank = if flat {
        "t"
    } else {
        "t + (int)blockDim.x * ((int)threadIdx.y + (int)blockDim.y * (int)threadIdx.z)"
    };
    let _ = writeln!(
        text,
        "__global__ void k{position}(int *out, int n)\n{{\n    int t = threadIdx.x, x = t;\n    int rank = {rank};\n    \
         int lane = rank & 31, warp = rank / 32;"
    );
    let mut depth = 0;
    if dice.chance(25) {
        let bound = dice.pick(&["warp", "n", "t / 32 + 1", "lane", "4"]);
        let _ = writeln!(text, "    for (int i = 0; i < {bound}; i++) {{");
        depth += 1;
        if dice.chance(30) {
            let leaving = dice.pick(&["break", "continue"]);
            let _ = writeln!(text, "    if ({}) {leaving};", condition(dice, flat));
        }
    }
    for _ in 0..dice.pick(&[0, 1, 1, 2]) {
        let _ = writeln!(text, "    if ({}) {{", condition(dice, flat));
        depth += 1;
    }
    if depth == 0 && dice.chance(40) {
        let _ = writeln!(text, "    {}", of_the_group(dice));
    } else if dice.chance(40) {
        let (condition, operation) = masked(dice);
        let _ = writeln!(text, "    if ({condition}) {operation}");
    } else {
        let _ = writeln!(text, "    {}", barrier(dice));
    }
    let closing = "}".repeat(depth);
    let _ = writeln!(text, "    {closing}\n    out[rank] = x;\n}}\n");
}

fn text(seed: u64) -> String {
    let mut dice = Dice::new(seed);
    let [x, y, z] = dice.pick(&BLOCKS);
    let mut text = String::new();
    if x > 0 {
        let _ = writeln!(text, "//--blockDim=[{x},{y},{z}] --gridDim=2");
    }
    text.push_str("#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n\n");
    for position in 0..KERNELS {
        kernel(&mut text, &mut dice, position, y == 1 && z == 1);
    }
    text
}

fn derived(text: &str) -> (Facts, Derived) {
    let options = AnalysisOptions::default();
    let path = Path::new("agreement.cu");
    let header = parse_header(text).expect("a header");
    let unit = Unit {
        path,
        shown: "agreement.cu",
        bytes: text.as_bytes(),
        options: &UnitOptions::new(&options, &header, path),
    };
    let (Examined { facts, .. }, report) = Analysis.extract(&unit, &options, Depth::Facts);
    assert_eq!(report.errors, []);
    assert_eq!(report.unsupported, [], "{text}");
    let derived = warplog_rules::derive(&facts, &warplog_rules::Options::default());
    (facts, derived)
}

/// The questions that a row saves.
fn questions(facts: &Facts, row: &DiscardedDivergenceRow) -> Vec<CandidateDivergenceRow> {
    let question = |position| CandidateDivergenceRow {
        launch: row.launch,
        barrier: row.barrier,
        cause: row.cause,
        cause_point: row.cause_point,
        position,
    };
    let point = facts.barrier[row.barrier.index()].point;
    let conjuncts = facts.guard_at.iter().filter(|guard| {
        let here = (guard.point, guard.cause, guard.cause_point);
        here == (point, row.cause, row.cause_point) && Some(guard.term) == row.evidence
    });
    let mut questions: Vec<CandidateDivergenceRow> = conjuncts
        .map(|guard| question(Some(guard.position)))
        .collect();
    if questions.is_empty() && row.cause != GuardCause::Loop {
        questions.push(question(None));
    }
    questions
}

#[test]
fn the_solver_agrees_with_what_rules_discharge() {
    let mut rules: BTreeMap<String, usize> = BTreeMap::new();
    let (mut proved, mut undecided, mut diverging) = (0, 0, 0);
    let mut session = Session::new();
    for seed in 0..FILES {
        let text = text(seed.wrapping_mul(7919) + 3);
        let (facts, mut derived) = derived(&text);
        derived.candidate_race.clear();
        let options = Options::default();
        let open = session.decide(&facts, &derived, &options).divergences;
        let diverges = |answer: &DivergenceAnswer| matches!(answer, DivergenceAnswer::Diverges(_));
        diverging += open
            .iter()
            .filter(|outcome| diverges(&outcome.answer))
            .count();
        for row in &derived.discarded_divergence {
            *rules.entry(row.rule.clone()).or_default() += 1;
        }
        let discarded = std::mem::take(&mut derived.discarded_divergence);
        let asked = discarded.iter().flat_map(|row| questions(&facts, row));
        derived.candidate_divergence = asked.collect();
        derived.candidate_divergence.sort_unstable();
        derived.candidate_divergence.dedup();
        for outcome in session.decide(&facts, &derived, &options).divergences {
            match &outcome.answer {
                DivergenceAnswer::Uniform { .. } => proved += 1,
                DivergenceAnswer::Unknown { .. } => undecided += 1,
                DivergenceAnswer::Diverges(_) => {
                    let span = facts.barrier[outcome.candidate.barrier.index()].span;
                    let line = facts.span[span.index()].line;
                    panic!("seed {seed}, line {line}: {:?}\n{text}", outcome.candidate);
                }
            }
        }
    }
    let told = format!("{rules:?}; {proved} proved, {undecided} undecided, {diverging} diverge");
    for (rule, least) in [
        ("tid-independent-condition", 40),
        ("counted-group", 40),
        ("counted-members", 10),
        ("of-the-group-number", 3),
        ("named-threads", 5),
    ] {
        let count = rules.get(rule).copied().unwrap_or(0);
        assert!(count >= least, "{rule}: {told}");
    }
    assert!(proved > 100 && diverging > 50, "{told}");
    assert!(undecided * 20 < proved, "{told}");
}
