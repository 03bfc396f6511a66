//! Rules and solver, as the options say.

use warplog_facts::{Derived, Facts};

use crate::choices::Scopes;
use crate::options::AnalysisOptions;

/// What the rules derive from a fact set.
pub fn derive(facts: &Facts, options: &AnalysisOptions) -> Derived {
    let mut derived = rules(facts, options);
    warplog_contents::add(facts, &mut derived);
    derived
}

/// What they derive but for what shared memory holds.
pub(super) fn rules(facts: &Facts, options: &AnalysisOptions) -> Derived {
    let rules = warplog_rules::Options {
        only_intra_block: options.scopes == Scopes::IntraBlock,
        only_inter_block: options.scopes == Scopes::InterBlock,
        report_benign: options.report_benign,
    };
    warplog_rules::derive(facts, &rules)
}

/// Steps for a file that is given alone: about ten seconds.
const ALONE: u64 = 4_000_000;

pub(super) fn solver_options(options: &AnalysisOptions) -> warplog_solver_bridge::Options {
    warplog_solver_bridge::Options {
        timeout: options.query_timeout,
        report_benign: options.report_benign,
        threads: if options.alone {
            rayon::current_num_threads()
        } else {
            1
        },
        least_run_steps: if options.alone { ALONE } else { 0 },
        ..warplog_solver_bridge::Options::default()
    }
    .with_effort(options.effort)
}
