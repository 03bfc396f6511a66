//! The program as the command-line suite runs it: cargo builds it before the suite and tells where it is, which it does
//! for binaries of the same package only.
//!
//! It has one thing more than the program: a file with a line `// fault: NAME` fails in the way of that name once it is
//! analysed, or in a phase of that (`loop while PHASE`), so that it can be shown what a scan makes of each. No input is known that still does all of this by itself.

use std::hint::black_box;
use std::path::Path;
use std::process::ExitCode;

use warplog::engine::Analysis;
use warplog::explain::question::Question;
use warplog::options::AnalysisOptions;
use warplog::pipeline::{Depth, Export, Pipeline};
use warplog::told::{Doing, Told};
use warplog::unit::Unit;
use warplog_database::Database;
use warplog_report::equal::Comparison;
use warplog_report::{InputError, Report};

fn main() -> ExitCode {
    warplog::main_of(&Faulty(Analysis))
}

/// The analysis with faults on demand.
struct Faulty(Analysis);

impl Pipeline for Faulty {
    type Facts = <Analysis as Pipeline>::Facts;

    fn check(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> Report {
        let text = String::from_utf8_lossy(unit.bytes);
        let mut faults = text
            .lines()
            .filter_map(|line| line.strip_prefix("// fault: "));
        match faults.next() {
            // It comes to the phase of this name and stays in it.
            Some(fault) if let Some(phase) = fault.strip_prefix("loop while ") => {
                let (told, phase) = (options.told.clone(), phase.to_owned());
                let stays = move |now: Doing<'_>| {
                    told.about(now);
                    if let Doing::Phase(now) = now
                        && now.starts_with(&phase)
                    {
                        show("loop");
                    }
                };
                let options = AnalysisOptions {
                    told: Told::new(stays),
                    ..options.clone()
                };
                self.0.check(unit, &options)
            }
            Some(fault) => {
                options.told.tell("showing a fault");
                show(fault);
                self.0.check(unit, options)
            }
            None => self.0.check(unit, options),
        }
    }

    fn known(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> Option<Report> {
        self.0.known(unit, options)
    }

    fn extract(
        &self,
        unit: &Unit<'_>,
        options: &AnalysisOptions,
        depth: Depth,
    ) -> (Self::Facts, Report) {
        let text = String::from_utf8_lossy(unit.bytes);
        let mut lines = text.lines();
        if let Some(fault) = lines.find_map(|line| line.strip_prefix("// fault: ")) {
            options.told.tell("showing a fault");
            show(fault);
        }
        self.0.extract(unit, options, depth)
    }

    fn export(
        &self,
        facts: Vec<Self::Facts>,
        report: &Report,
        to: &Export,
    ) -> Result<(), InputError> {
        self.0.export(facts, report, to)
    }

    fn read(
        &self,
        folder: &Path,
        options: &AnalysisOptions,
        depth: Depth,
    ) -> Result<(Self::Facts, Report), InputError> {
        self.0.read(folder, options, depth)
    }

    fn database(&self, facts: Vec<Self::Facts>, report: &Report) -> Result<Database, InputError> {
        self.0.database(facts, report)
    }

    fn explain(
        &self,
        facts: &[Self::Facts],
        report: &Report,
        question: &Question,
    ) -> Result<String, String> {
        self.0.explain(facts, report, question)
    }

    fn equal(
        &self,
        sides: [&[Self::Facts]; 2],
        ask: &warplog::equal::ask::Ask,
    ) -> Result<Comparison, String> {
        if let Some(fault) = ask
            .sides
            .iter()
            .flat_map(|side| &side.kernels)
            .find_map(|name| name.strip_prefix("fault_"))
        {
            show(fault);
        }
        self.0.equal(sides, ask)
    }

    fn ensures(
        &self,
        facts: &[Self::Facts],
        ask: &warplog::ensures::ask::Ask,
        options: &AnalysisOptions,
    ) -> Result<Vec<warplog_report::ensures::Outcome>, String> {
        self.0.ensures(facts, ask, options)
    }

    fn solve(&self, folder: &Path, options: &AnalysisOptions) -> Report {
        self.0.solve(folder, options)
    }
}

/// Fails in the way of this name.
fn show(fault: &str) {
    match fault {
        "stack" => {
            black_box(deeper(u64::MAX));
        }
        "panic" => panic!("as asked for"),
        "abort" => std::process::abort(),
        // Uses the processor and listens to nobody.
        "loop" => loop {
            black_box(0);
        },
        // Neither uses the processor nor ends.
        "sleep" => loop {
            std::thread::park();
        },
        "memory" => {
            let mut all = Vec::new();
            loop {
                all.push(black_box(vec![1u8; 1 << 20]));
            }
        }
        // More than any address space has.
        "allocation" => {
            black_box(Vec::<u8>::with_capacity(1 << 60));
        }
        _ => {}
    }
}

/// Needs more stack than there is.
fn deeper(levels: u64) -> u64 {
    let noise = black_box([levels; 64]);
    match levels {
        0 => 0,
        _ => black_box(deeper(levels - 1)) ^ noise[63],
    }
}
