//! The analyser's verdict on a random kernel against brute force.
//!
//! - The verdict `race_free`, or one of divergence with everything decided: no run may show a race; none may show a divergence
//!   that is not told.
//! - A confirmed race: the two threads of its witness must race in a run with the launch and the values of the witness; a
//!   confirmed divergence: the run must diverge.
//! - `unknown` and potential findings are no faults; they are counted.

use std::collections::BTreeMap;
use std::path::Path;

use warplog::engine::Analysis;
use warplog::guard::guarded;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::Pipeline;
use warplog::unit::{Unit, UnitOptions};
use warplog_report::{
    Certainty, Dim, Finding, FindingKind, Kernel, Outcome, Value, Verdict, Witness,
};

use super::dice::Dice;
use super::print::print;
use super::run::{Divergence, Setting, ThreadId, run};
use super::tree::*;

/// How verdict and truth disagree, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fault {
    /// A race happens that is not told, though all is decided.
    MissedRace,
    /// A divergence happens that is not told, though all is decided.
    MissedDivergence,
    /// A confirmed race does not happen with its own witness.
    FalseRace,
    /// A confirmed divergence does not happen with its own witness.
    FalseDivergence,
    /// The analysis failed: it panicked, or took the text for wrong.
    Failed,
}

/// What verdict and runs came to.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// What the analyser said.
    pub verdict: Verdict,
    /// The certainty of its strongest finding.
    pub certainty: Option<Certainty>,
    /// A disagreement, with what it consists of.
    pub fault: Option<(Fault, String)>,
    /// Whether a run showed a race.
    pub races: bool,
    /// Whether a run showed a divergence.
    pub diverges: bool,
    /// Runs that said something.
    pub runs: usize,
    /// Confirmed findings whose witness was run.
    pub replayed: usize,
}

/// Analyses a text with one kernel.
///
/// # Errors
/// A panic, or anything but one kernel read without errors.
pub fn analyse(text: &str) -> Result<Kernel, String> {
    let path = Path::new("random.cu");
    let header = parse_header(text).map_err(|error| error.message)?;
    // What would make it race-free changes no verdict.
    let options = AnalysisOptions {
        preconditions: false,
        ..AnalysisOptions::default()
    };
    let unit = Unit {
        path,
        shown: "random.cu",
        bytes: text.as_bytes(),
        options: &UnitOptions::new(&options, &header, path),
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

/// What the runs of a program show, whoever asks.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// A race, in words.
    pub race: Option<String>,
    /// A divergence, in words.
    pub divergence: Option<String>,
    /// A race in a run that diverges as well, in words: to be told is one of the two.
    pub either: Option<String>,
    /// Runs that said something.
    pub runs: usize,
}

impl Truth {
    /// What happens though it is not told, worst first, where these kinds of findings are.
    #[must_use]
    pub fn missed(&self, race: bool, divergence: bool) -> Option<(Fault, String)> {
        let missed = |fault: Fault, what: &Option<String>, told: bool| {
            what.clone().filter(|_| !told).map(|what| (fault, what))
        };
        missed(Fault::MissedRace, &self.race, race)
            .or(missed(Fault::MissedRace, &self.either, race || divergence))
            .or(missed(
                Fault::MissedDivergence,
                &self.divergence,
                divergence,
            ))
    }
}

/// Whether the verdict rests on unsigned products that do not wrap.
#[must_use]
pub fn assumes_no_wrap(kernel: &Kernel) -> bool {
    let mut assumptions = kernel
        .launches
        .iter()
        .flat_map(|launch| &launch.assumptions);
    assumptions.any(|text| text.contains("do not wrap in 32 bits"))
}

/// Runs a program at several launches, arguments and contents. `known` are the sizes that a symbolic launch leaves no choice; an
/// argument is none with which unsigned products wrap where the analysis `assumes` that they do not.
#[must_use]
pub fn truth(program: &Program, known: [Option<u32>; 6], assumes: bool) -> Truth {
    let mut truth = Truth::default();
    for setting in settings(program, known, assumes) {
        let Ok(trace) = run(program, &setting) else {
            continue;
        };
        truth.runs += 1;
        let with = || shown(program, &setting);
        let race = trace.race(None);
        let slot = if trace.divergences.is_empty() {
            &mut truth.race
        } else {
            &mut truth.either
        };
        if let Some(race) = race
            && slot.is_none()
        {
            let [a, b] = race.arrays.map(|array| &program.arrays[array].name);
            let told = format!(
                "{:?} of {a} by {:?} and {:?} of {b} by {:?}, {}",
                race.kinds[0],
                race.threads[0],
                race.kinds[1],
                race.threads[1],
                with()
            );
            *slot = Some(told);
        }
        // Behind a race anything may happen.
        if race.is_none() && truth.divergence.is_none() {
            truth.divergence = trace.divergences.first().map(|(kind, block, interval)| {
                format!("{kind:?} in block {block}, interval {interval}, {}", with())
            });
        }
        if truth.race.is_some() && truth.divergence.is_some() {
            break;
        }
    }
    truth
}

fn shown(program: &Program, setting: &Setting) -> String {
    let arguments: Vec<String> = setting
        .arguments
        .iter()
        .map(|(var, value)| format!("{} = {value}", program.vars[*var].name))
        .collect();
    format!(
        "blockDim {:?}, gridDim {:?}, contents {}, {}",
        setting.block,
        setting.grid,
        setting.contents,
        arguments.join(", ")
    )
}

/// The launches, arguments and contents that are tried.
#[must_use]
pub fn settings(program: &Program, known: [Option<u32>; 6], assumes: bool) -> Vec<Setting> {
    let mut dice = Dice::new(program.vars.len() as u64);
    let mut loads = false;
    let mut copy = program.clone();
    copy.exprs_mut(&mut |expr| loads |= matches!(expr, Expr::Load(..)));
    let mut launches = vec![program.launch];
    if program.symbolic {
        for block in [[6, 1, 1], [4, 3, 1], [33, 2, 1]] {
            let grid = [2, 1 + u32::from(block[0] == 4), 1];
            launches.push(Launch { block, grid });
        }
    }
    let mut settings = Vec::new();
    for launch in launches {
        let mut sizes = [launch.block, launch.grid].concat();
        for (size, known) in sizes.iter_mut().zip(known) {
            *size = known.unwrap_or(*size);
        }
        let count = match (program.scalars.is_empty(), loads) {
            (true, false) => 1,
            (true, true) => 2,
            (false, _) => 7,
        };
        for number in 0..count {
            let arguments = program.scalars.iter().map(|var| {
                let usual = [4, 1, 2, 3, 8, 5, 0, 16, 7, 32, 64, 100, -1];
                let value = match number {
                    0..3 => usual[number],
                    _ => dice.pick(&usual),
                };
                let wraps = assumes && value < 0;
                (*var, if wraps { 9 } else { value })
            });
            settings.push(Setting {
                block: [sizes[0], sizes[1], sizes[2]],
                grid: [sizes[3], sizes[4], sizes[5]],
                arguments: arguments.collect(),
                contents: if loads { number as u64 } else { 0 },
                elements: BTreeMap::new(),
            });
        }
    }
    settings
}

/// Judges a program.
#[must_use]
pub fn judge(program: &Program) -> Judgement {
    let kernel = match analyse(&print(program)) {
        Ok(kernel) => kernel,
        Err(message) => {
            return Judgement {
                verdict: Verdict::Error,
                certainty: None,
                fault: Some((Fault::Failed, message)),
                races: false,
                diverges: false,
                runs: 0,
                replayed: 0,
            };
        }
    };
    let truth = truth(program, known(&kernel), assumes_no_wrap(&kernel));
    let verdict = kernel.verdict();
    let mut judgement = Judgement {
        verdict,
        certainty: kernel.certainty(),
        fault: None,
        races: truth.race.is_some() || truth.either.is_some(),
        diverges: truth.divergence.is_some(),
        runs: truth.runs,
        replayed: 0,
    };
    let complete = kernel.stats.undecided == 0
        && !kernel.launches.is_empty()
        && kernel
            .launches
            .iter()
            .all(|launch| launch.outcome == Outcome::Complete);
    let told = |kind: FindingKind| kernel.findings.iter().any(|finding| finding.kind() == kind);
    let mut faults: Vec<(Fault, String)> = Vec::new();
    if verdict == Verdict::Error {
        faults.push((
            Fault::Failed,
            "the launch is called contradictory".to_owned(),
        ));
    }
    if complete {
        let (race, divergence) = (FindingKind::DataRace, FindingKind::BarrierDivergence);
        let diverges = told(divergence) || told(FindingKind::InvalidMask);
        faults.extend(truth.missed(told(race), diverges));
    }
    for finding in &kernel.findings {
        if finding.certainty == Certainty::Confirmed
            && let Some(replayed) = replay(program, finding)
        {
            judgement.replayed += 1;
            faults.extend(replayed.err());
        }
    }
    judgement.fault = faults.into_iter().min();
    judgement
}

/// The sizes of the launch that is analysed, as far as they are numbers.
#[must_use]
pub fn known(kernel: &Kernel) -> [Option<u32>; 6] {
    let mut known = [None; 6];
    if let Some(launch) = kernel.launches.first() {
        for (known, dim) in known
            .iter_mut()
            .zip(launch.block.iter().chain(&launch.grid))
        {
            if let Dim::Known(size) = dim {
                *known = u32::try_from(*size).ok();
            }
        }
    }
    known
}

/// The most threads of a witness that are run.
const THREADS: u64 = 1024;

/// Runs the witness of a confirmed finding; `None` if it cannot be run.
fn replay(program: &Program, finding: &Finding) -> Option<Result<(), (Fault, String)>> {
    let fault = match finding.kind() {
        FindingKind::DataRace => Fault::FalseRace,
        FindingKind::BarrierDivergence | FindingKind::InvalidMask => Fault::FalseDivergence,
        FindingKind::AssertionFailed
        | FindingKind::MissingProxyFence
        | FindingKind::EndlessWait => return None,
    };
    let Some(witness) = &finding.witness else {
        return Some(Err((fault, "confirmed without a witness".to_owned())));
    };
    let threads: u64 = witness.block_dim.iter().chain(&witness.grid_dim).product();
    if threads > THREADS {
        return None;
    }
    let mut ran = false;
    for contents in [0, 1, 2] {
        let setting = of_witness(program, witness, contents)?;
        let Ok(trace) = run(program, &setting) else {
            continue;
        };
        let shows = match finding.kind() {
            FindingKind::DataRace => {
                let between = pair(witness)?;
                let race = trace.race(Some(between)).is_some();
                // What happens behind a divergent barrier is anyone's guess.
                if !race && trace.diverges(Divergence::Instances) {
                    continue;
                }
                race
            }
            _ => !trace.divergences.is_empty(),
        };
        ran = true;
        if shows {
            return Some(Ok(()));
        }
    }
    ran.then(|| {
        let text = format!("{:?} does not happen with {witness:?}", finding.kind());
        Err((fault, text))
    })
}

fn pair(witness: &Witness) -> Option<[ThreadId; 2]> {
    let id = |thread: &warplog_report::Thread| {
        let linear =
            |[x, y, z]: [u64; 3], [dx, dy, _]: [u64; 3]| u32::try_from(x + dx * (y + dy * z)).ok();
        Some((
            linear(thread.block, witness.grid_dim)?,
            linear(thread.thread, witness.block_dim)?,
        ))
    };
    let [first, second] = witness.threads.as_slice() else {
        return None;
    };
    Some([id(first)?, id(second)?])
}

fn of_witness(program: &Program, witness: &Witness, contents: u64) -> Option<Setting> {
    let small = |sizes: [u64; 3]| -> Option<[u32; 3]> {
        let [x, y, z] = sizes.map(u32::try_from);
        Some([x.ok()?, y.ok()?, z.ok()?])
    };
    let mut setting = Setting {
        block: small(witness.block_dim)?,
        grid: small(witness.grid_dim)?,
        contents,
        ..Setting::default()
    };
    for (name, value) in &witness.values {
        let Value::Int(value) = value else {
            continue;
        };
        let scalar = |var: &&Var| program.vars[**var].name == *name;
        if let Some(var) = program.scalars.iter().find(scalar) {
            setting.arguments.insert(*var, *value);
        } else if let Some((array, element)) = element(program, name) {
            setting.elements.insert((array, element), *value);
        }
    }
    Some(setting)
}

/// `s[3]` or `s[1][2]` as the array and the number of its element.
fn element(program: &Program, name: &str) -> Option<(Array, i64)> {
    let (name, rest) = name.split_once('[')?;
    let array = program.arrays.iter().position(|array| array.name == name)?;
    let extents = &program.arrays[array].extents;
    let mut element = 0;
    for (axis, index) in rest.strip_suffix(']')?.split("][").enumerate() {
        let extent = extents.get(axis).copied().unwrap_or(1);
        element = element * extent + index.parse::<i64>().ok()?;
    }
    Some((array, element))
}
