//! Pairs that a rule discharged, put to the solver as if none had been: it must not find a race in any.
//!
//! The rules argue by strides, ranges and guards, the solver bridge by a formula that is built from the facts in another way, and
//! its models are replayed from the kernel's entry. A race that replays in a discharged pair is a fault of the rule.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;

use warplog::engine::Analysis;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::{Depth, Pipeline};
use warplog::unit::{Unit, UnitOptions};
use warplog_facts::Derived;
use warplog_facts::words::LockStep;
use warplog_solver_bridge::{Options, RaceAnswer, decide};

use super::grow::grow;
use super::print::print;
use super::suite::on_all_cores;

/// What the solver says of the pairs of a rule.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// No two threads collide.
    pub disjoint: usize,
    /// Not decided.
    pub open: usize,
}

/// What the solver says of discharged pairs.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    /// By rule.
    pub rules: BTreeMap<String, Count>,
    /// Pairs with a race, in words.
    pub contradicted: Vec<String>,
}

impl fmt::Display for Agreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<24} {:>9} {:>6}", "pairs of rule", "disjoint", "open")?;
        for (rule, count) in &self.rules {
            writeln!(f, "{rule:<24} {:>9} {:>6}", count.disjoint, count.open)?;
        }
        for told in &self.contradicted {
            writeln!(f, "\ncontradicted: {told}")?;
        }
        Ok(())
    }
}

/// Asks the solver about what the rules discharged in the kernels of seeds.
#[must_use]
pub fn rules_and_solver(seeds: Range<u64>) -> Agreement {
    let asked = on_all_cores(seeds, &|seed| of_text(&print(&grow(seed))));
    let mut agreement = Agreement::default();
    for one in asked {
        for (rule, count) in one.rules {
            let sum = agreement.rules.entry(rule).or_default();
            sum.disjoint += count.disjoint;
            sum.open += count.open;
        }
        agreement.contradicted.extend(one.contradicted);
    }
    agreement
}

/// Asks the solver about what the rules discharged in the kernels of a source.
#[must_use]
pub fn of_text(text: &str) -> Agreement {
    let mut agreement = Agreement::default();
    let path = Path::new("random.cu");
    let Ok(header) = parse_header(text) else {
        return agreement;
    };
    let options = AnalysisOptions::default();
    let unit = Unit {
        path,
        shown: "random.cu",
        bytes: text.as_bytes(),
        options: &UnitOptions::new(&options, &header, path),
    };
    let (examined, _) = Analysis.extract(&unit, &options, Depth::Derived);
    let (facts, derived) = (examined.facts, examined.derived.unwrap_or_default());
    let discarded = derived.discarded_race.clone();
    let candidate_race = discarded
        .iter()
        .map(|row| row.as_candidate(LockStep::Apart));
    let derived = Derived {
        candidate_race: candidate_race.collect(),
        candidate_divergence: Vec::new(),
        ..derived
    };
    let budget = Options {
        every_pair: true,
        ..Options::default()
    };
    let decision = decide(&facts, &derived, &budget);
    for (row, outcome) in discarded.iter().zip(&decision.races) {
        // The solver is not told of it.
        if row.rule == "lock-step" {
            continue;
        }
        let count = agreement.rules.entry(row.rule.clone()).or_default();
        match &outcome.answer {
            RaceAnswer::Disjoint { .. } => count.disjoint += 1,
            RaceAnswer::Race(race) if race.exact => {
                let accesses = [row.first, row.second].map(|id| &facts.access[id.index()]);
                let lines = accesses.map(|access| facts.span[access.span.index()].line);
                let told = format!(
                    "{} at lines {lines:?}: {:?}\n{text}",
                    row.rule, race.witness
                );
                agreement.contradicted.push(told);
            }
            _ => count.open += 1,
        }
    }
    agreement
}
