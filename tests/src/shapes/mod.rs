//! Random programs in the shapes of C++, host code included: what the analyser says against what their run shows.
//!
//! A program ([`program`]) has one kernel whose accesses and barriers are written through classes, references, closures,
//! destructors, jumps and templates (`device.rs`), and a `main` that brings two pointers to its launch in one of many ways
//! (`host.rs`). Sizes, arguments and allocations are those of `main`, so that its run is the only one. It is compiled as C++ and run
//! with fibers ordered by vector clocks (`tests/simt/fibers.cpp`), with two contents of the memory.
//!
//! - What is called race-free may show neither race nor divergence, unless an assumption that is printed names a pair of arguments
//!   and says that the host code was not followed.
//! - What is a confirmed race must race, with one of the contents.
//! - `unknown`, conditional and potential answers are counted, not judged.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use warplog::engine::Analysis;
use warplog::guard::guarded;
use warplog::options::AnalysisOptions;
use warplog::pipeline::Pipeline;
use warplog::unit::{Unit, UnitOptions};
use warplog_report::{Certainty, FindingKind, Kernel, Verdict};

use crate::random::suite::on_all_cores;
use crate::sanitizer::{Compiler, Ran};

mod device;
mod host;
mod launches;
mod shape;
mod ways;

pub use launches::launches_as_calls;

/// Programs that are compiled together.
const TOGETHER: u64 = 100;

/// Contents of the memory that each program is run with.
const CONTENTS: [u32; 3] = [0, 1, 7];

/// The text of the program of a seed.
#[must_use]
pub fn program(seed: u64) -> String {
    let mut writer = device::Writer::new(seed);
    let body = writer.body();
    let (text, lie) = host::program(&mut writer, &body);
    format!(
        "// seed {seed}, pointers {lie:?}\n#include <algorithm>\n#include <array>\n#include <cstring>\n#include <functional>\n#include <map>\n#include <memory>\n#include <optional>\n#include <string>\n#include <tuple>\n#include <type_traits>\n#include <utility>\n#include <vector>\n{text}"
    )
}

/// What answers and runs came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Programs run.
    pub programs: u64,
    /// How many had which answer and showed what.
    pub answers: BTreeMap<(String, &'static str), u64>,
    /// Programs that were not judged, by reason.
    pub left_out: BTreeMap<String, u64>,
    /// What contradicts an answer, with the program.
    pub faults: Vec<String>,
}

/// Judges the programs of seeds.
#[must_use]
pub fn judge_programs(compiler: &Compiler, seeds: Range<u64>) -> Tally {
    let groups = (seeds.end - seeds.start).div_ceil(TOGETHER);
    let tallies = on_all_cores(0..groups, &|group| {
        let first = seeds.start + group * TOGETHER;
        judge_group(compiler, first..seeds.end.min(first + TOGETHER))
    });
    let mut all = Tally::default();
    for tally in tallies {
        all.programs += tally.programs;
        for (key, count) in tally.answers {
            *all.answers.entry(key).or_default() += count;
        }
        for (key, count) in tally.left_out {
            *all.left_out.entry(key).or_default() += count;
        }
        all.faults.extend(tally.faults);
    }
    all
}

fn judge_group(compiler: &Compiler, seeds: Range<u64>) -> Tally {
    let mut tally = Tally::default();
    let texts: Vec<String> = seeds.clone().map(program).collect();
    let mut whole = String::from("#include \"host.h\"\n");
    let mut cases = String::new();
    for (number, text) in texts.iter().enumerate() {
        let body: String = text
            .lines()
            .filter(|line| !line.starts_with("#include"))
            .map(|line| format!("{line}\n"))
            .collect();
        let body = launches_as_calls(&body).replace("int main()", "int run()");
        whole += &format!("namespace program{number} {{\n{body}}}\n");
        cases += &format!("    case {number}: program{number}::run(); break;\n");
    }
    whole += &format!(
        "int main(int count, char **words) {{\n    switch (simt::setup(count, words)) {{\n{cases}    }}\n    simt::finish();\n}}\n"
    );
    let built = match compiler.build(&format!("shapes{}", seeds.start), &whole, &[]) {
        Ok(built) => built,
        Err(reason) => {
            tally.faults.push(format!(
                "the programs of {seeds:?} do not compile: {reason}"
            ));
            return tally;
        }
    };
    for (number, (seed, text)) in seeds.zip(&texts).enumerate() {
        tally.programs += 1;
        let ran: Vec<Ran> = CONTENTS
            .iter()
            .map(|&contents| compiler.run_program(&built, number, contents))
            .collect();
        judge(&mut tally, seed, text, &ran);
    }
    let _ = std::fs::remove_file(built);
    tally
}

fn judge(tally: &mut Tally, seed: u64, text: &str, ran: &[Ran]) {
    let kernel = match analyse(text) {
        Ok(kernel) => kernel,
        Err(reason) => {
            tally.faults.push(format!("seed {seed}: {reason}\n{text}"));
            return;
        }
    };
    if ran.contains(&Ran::Broken) {
        *tally
            .left_out
            .entry("run does not end well".to_owned())
            .or_default() += 1;
        return;
    }
    let races = ran.contains(&Ran::Race);
    let diverges = ran.contains(&Ran::Divergence);
    let shown = if races {
        "race"
    } else if diverges {
        "divergence"
    } else {
        "nothing"
    };
    let verdict = kernel.verdict();
    let confirmed = kernel.findings.iter().any(|finding| {
        finding.kind() == FindingKind::DataRace && finding.certainty == Certainty::Confirmed
    });
    let named = names_what_was_not_followed(&kernel);
    let said = match (verdict, confirmed) {
        (Verdict::RaceFree, _) if named => "race_free, host code not followed".to_owned(),
        (Verdict::Racy, true) => "confirmed racy".to_owned(),
        _ => verdict.as_str().to_owned(),
    };
    *tally.answers.entry((said, shown)).or_default() += 1;
    if verdict == Verdict::RaceFree && (races || diverges) && !named {
        tally.faults.push(format!(
            "seed {seed} is race-free, and shows {shown}\n{text}"
        ));
    }
    if confirmed && !races {
        tally.faults.push(format!(
            "seed {seed} is confirmed, and shows {shown}\n{text}"
        ));
    }
}

/// Whether an assumption that is printed names arguments and says that the host code that sets them was not followed.
fn names_what_was_not_followed(kernel: &Kernel) -> bool {
    let mut assumptions = kernel
        .launches
        .iter()
        .flat_map(|launch| &launch.assumptions);
    assumptions.any(|text| text.contains("not followed"))
}

/// What the analyser says of the one kernel of a program.
fn analyse(text: &str) -> Result<Kernel, String> {
    let path = Path::new("shapes.cu");
    let options = AnalysisOptions {
        preconditions: false,
        ..AnalysisOptions::default()
    };
    let unit = Unit {
        path,
        shown: "shapes.cu",
        bytes: text.as_bytes(),
        options: &UnitOptions::new(&options, &warplog::header::Header::default(), path),
    };
    let mut report = guarded(|| Analysis.check(&unit, &options))?;
    if let Some(error) = report.errors.first() {
        return Err(error.message.clone());
    }
    match (report.kernels.pop(), report.kernels.is_empty()) {
        (Some(kernel), true) => Ok(kernel),
        _ => Err("not one kernel".to_owned()),
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} programs in shapes of C++, {} contradictions",
            self.programs,
            self.faults.len()
        )?;
        for ((said, shown), count) in &self.answers {
            writeln!(f, "  {count:7}  {said:34} runs show {shown}")?;
        }
        for (reason, count) in &self.left_out {
            writeln!(f, "  {count:7} left out: {reason}")?;
        }
        for fault in &self.faults {
            writeln!(f, "\n{fault}")?;
        }
        Ok(())
    }
}
