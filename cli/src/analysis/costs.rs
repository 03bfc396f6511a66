//! What a kernel costs, as a report tells it; and which barriers are redundant, proved by rules and solver without them.
//!
//! **Redundant.** A barrier of the block is left out of the facts, and rules and solver are asked again about its launch. Only if the
//! launch was decided without a finding before, and is decided without one again, is the barrier told. All launches of the kernel
//! must agree. A kernel with many barriers is asked about the first [`BARRIERS`] of them; the others are said to be open.

use std::collections::{BTreeMap, BTreeSet};

use warplog_costs::device::Device;
use warplog_costs::rules::join;
use warplog_costs::{Count, Counted, Takes};
use warplog_facts::show::Show;
use warplog_facts::words::{AccessKind, BarrierKind, CostAnswer, PointKind};
use warplog_facts::{BarrierId, Derived, Facts, KernelId, LaunchId, SpanId};
use warplog_report as report;
use warplog_report::costs::{Answer, COST_KINDS, Cost, Costs, Warp};
use warplog_report::{Outcome, Report, Verdict};
use warplog_solver_bridge::{DivergenceAnswer, RaceAnswer};

use super::places::Places;
use super::{SESSION, derive, solver_options};
use crate::options::AnalysisOptions;

/// Most barriers of a file that are tried.
const BARRIERS: usize = 12;

/// What all counts rest on.
const ASSUMED: [&str; 3] = [
    "allocations begin at multiples of 256 bytes, shared arrays at multiples of 128",
    "index arithmetic does not wrap",
    "lanes of a warp that come to an access in equal iterations are together there",
];

/// Counts, gives the relations their rows, and adds what was found to the kernels of the report; barriers, which take the solver
/// again, only if they are wanted.
pub(crate) fn add(
    facts: &Facts,
    derived: &mut Derived,
    report: &mut Report,
    (options, with_barriers): (&AnalysisOptions, bool),
) {
    let Some(capability) = options.costs else {
        return;
    };
    let counting = warplog_costs::Options {
        device: Device::of_capability(capability),
    };
    let counted = warplog_costs::costs(facts, derived, &counting);
    let places = Places::new(facts);
    let show = Show::new(facts);
    let teller = Teller {
        facts,
        counted: &counted,
        places: &places,
        show: &show,
    };
    let kernels = facts.kernel.iter().filter(|row| options.wants(&row.name));
    let mut tried = 0;
    for (row, kernel) in kernels.zip(&mut report.kernels) {
        let mut costs = teller.of_kernel(row.kernel);
        if with_barriers {
            let redundant = barriers(facts, row.kernel, kernel, &mut tried, options);
            teller.barriers(redundant, kernel, &mut costs);
        }
        costs.sort();
        kernel.costs = Some(costs);
    }
    report.sources.extend(places.sources());
}

/// Only the rows of the relations.
pub(crate) fn rows(facts: &Facts, derived: &mut Derived, options: &AnalysisOptions) {
    if let Some(capability) = options.costs {
        let device = Device::of_capability(capability);
        warplog_costs::costs(facts, derived, &warplog_costs::Options { device });
    }
}

/// What was found out of a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tried {
    Redundant,
    Needed,
    Open,
}

/// The barriers of the block in a kernel by their places, with what was found out of each.
fn barriers(
    facts: &Facts,
    kernel: KernelId,
    told: &report::Kernel,
    tried: &mut usize,
    options: &AnalysisOptions,
) -> BTreeMap<SpanId, Tried> {
    let mut found: BTreeMap<SpanId, Tried> = BTreeMap::new();
    let proved = told.verdict() == Verdict::RaceFree
        && told
            .launches
            .iter()
            .all(|launch| launch.outcome == Outcome::Complete);
    for row in &facts.barrier {
        let launch = facts.point[row.point.index()].launch;
        // One that counts or votes is there for its value as well.
        let plain = matches!(row.operation.as_str(), "__syncthreads" | "sync");
        if row.kind != BarrierKind::Block || !plain || facts.launch[launch.index()].kernel != kernel
        {
            continue;
        }
        // Lanes in lock-step meet where the barrier was, which would order them.
        let in_step = facts.lock_step.iter().any(|row| row.launch == launch);
        let of_launch = if !proved || in_step {
            Tried::Open
        } else if *tried < BARRIERS {
            *tried += 1;
            without(facts, row.barrier, launch, options)
        } else {
            Tried::Open
        };
        // A barrier that stands in an inlined function has a row for each call, and is needed if one of them is.
        let known = found.entry(row.span).or_insert(of_launch);
        *known = match (*known, of_launch) {
            (Tried::Needed, _) | (_, Tried::Needed) => Tried::Needed,
            (Tried::Open, _) | (_, Tried::Open) => Tried::Open,
            _ => Tried::Redundant,
        };
    }
    // Several rows of one place are removed together.
    let rows = |span: SpanId| facts.barrier.iter().filter(move |row| row.span == span);
    for (&span, state) in &mut found {
        let launches: BTreeSet<LaunchId> = rows(span)
            .map(|row| facts.point[row.point.index()].launch)
            .collect();
        if *state == Tried::Redundant && rows(span).count() > launches.len() {
            *state = Tried::Open;
        }
    }
    found
}

/// Facts in which a barrier orders nothing.
fn without_barrier(facts: &Facts, barrier: BarrierId) -> Facts {
    let mut less = facts.clone();
    let point = less.barrier[barrier.index()].point;
    // Ids of barriers are dense: the row stays, as one at which lanes of the warp meet without any order.
    less.barrier[barrier.index()].kind = BarrierKind::Meet;
    less.point[point.index()].kind = PointKind::Meet;
    less
}

/// Whether a launch is race-free without a barrier.
fn without(
    facts: &Facts,
    barrier: BarrierId,
    launch: LaunchId,
    options: &AnalysisOptions,
) -> Tried {
    let less = without_barrier(facts, barrier);
    let mut derived = derive(&less, options);
    derived.candidate_race.retain(|row| row.launch == launch);
    derived
        .candidate_divergence
        .retain(|row| row.launch == launch && row.barrier != barrier);
    let solver = solver_options(options);
    let decision = SESSION.with_borrow_mut(|session| session.decide(&less, &derived, &solver));
    let mut open = false;
    for race in &decision.races {
        match race.answer {
            RaceAnswer::Race(_) => return Tried::Needed,
            RaceAnswer::Unknown { .. } => open = true,
            _ => {}
        }
    }
    for divergence in &decision.divergences {
        match divergence.answer {
            DivergenceAnswer::Diverges(_) => return Tried::Needed,
            DivergenceAnswer::Unknown { .. } => open = true,
            DivergenceAnswer::Uniform { .. } => {}
        }
    }
    if open || !decision.unsatisfiable.is_empty() {
        Tried::Open
    } else {
        Tried::Redundant
    }
}

/// Puts counts into the words of a report.
struct Teller<'a> {
    facts: &'a Facts,
    counted: &'a Counted,
    places: &'a Places<'a>,
    show: &'a Show<'a>,
}

impl Teller<'_> {
    /// Whether a launch is of a kernel, and which of its launches.
    fn launch_of(&self, kernel: KernelId, launch: LaunchId) -> Option<usize> {
        let mut own = self.facts.launch.iter().filter(|row| row.kernel == kernel);
        own.position(|row| row.launch == launch)
    }

    fn of_kernel(&self, kernel: KernelId) -> Costs {
        let facts = self.facts;
        let mut costs = Costs {
            answers: COST_KINDS
                .into_iter()
                .map(|kind| Answer {
                    rule: kind.id.to_owned(),
                    asked: 0,
                    found: 0,
                    cannot_tell: Vec::new(),
                })
                .collect(),
            assumptions: ASSUMED.map(str::to_owned).to_vec(),
            ..Costs::default()
        };
        let joined = join(self.counted);
        let mut asked: [BTreeSet<SpanId>; 3] = Default::default();
        let mut open: [BTreeSet<(u32, String)>; 3] = Default::default();
        for count in &self.counted.counts {
            let Some(index) = self.launch_of(kernel, count.launch) else {
                continue;
            };
            let (nth, found) = match count.takes {
                Takes::Shared(_) => (0, joined.conflicts.binary_search(&count.access).is_ok()),
                Takes::Global(_) => (1, joined.uncoalesced.binary_search(&count.access).is_ok()),
            };
            let row = &facts.access[count.access.index()];
            asked[nth].insert(row.span);
            if joined.cannot_tell.binary_search(&count.access).is_ok() {
                let line = facts.span[row.span.index()].line;
                let name = &facts.array[row.array.index()].name;
                let why = format!("where in `{name}` a lane goes is not known");
                open[nth].insert((line, why));
            }
            if found {
                costs.add(self.access(count, index));
            }
        }
        for branch in &self.counted.branches {
            let Some(index) = self.launch_of(kernel, branch.launch) else {
                continue;
            };
            let span = facts.point[branch.point.index()].span;
            asked[2].insert(span);
            if branch.answer == CostAnswer::CannotTell {
                let line = facts.span[span.index()].line;
                let condition = self.show.term(branch.term);
                open[2].insert((line, format!("`{condition}` is open")));
            }
            let told = joined.divergent.binary_search(&(branch.point, branch.term));
            if told.is_ok() {
                costs.add(self.branch(branch, index));
            }
        }
        for (nth, (asked, open)) in asked.into_iter().zip(open).enumerate() {
            let rule = &costs.answers[nth].rule;
            let found = costs.found.iter().filter(|cost| cost.rule == *rule);
            let found = u64::try_from(found.count()).unwrap_or(u64::MAX);
            costs.answers[nth].found = found;
            costs.answers[nth].asked = u64::try_from(asked.len()).unwrap_or(u64::MAX);
            costs.answers[nth].cannot_tell = open.into_iter().collect();
        }
        costs
    }

    fn access(&self, count: &Count, launch: usize) -> Cost {
        let facts = self.facts;
        let row = &facts.access[count.access.index()];
        let array = &facts.array[row.array.index()];
        let what = match row.kind {
            AccessKind::Read => "read",
            AccessKind::Write => "write",
            AccessKind::Atomic => "atomic operation",
        };
        let (rule, headline, degree, fewest, used) = match count.takes {
            Takes::Shared(turns) => (
                "bank-conflict",
                format!(
                    "{}-way bank conflict by the {what} of `{}`",
                    turns.degree, array.name
                ),
                turns.degree,
                1,
                None,
            ),
            Takes::Global(touched) => {
                let sector = 32;
                let fetched = touched.sectors * sector;
                let share = u64::from(touched.bytes) * 100 / u64::from(fetched.max(1));
                (
                    "uncoalesced-access",
                    format!(
                        "uncoalesced {what} of `{}`: {} sectors a request where {} would do, {share} % of the bytes used",
                        array.name, touched.sectors, touched.fewest
                    ),
                    touched.sectors,
                    touched.fewest,
                    Some((touched.bytes, fetched)),
                )
            }
        };
        let unit = match (count.takes, count.mend.as_ref().map(|mend| mend.then)) {
            (Takes::Shared(_), _) => "then none".to_owned(),
            (_, then) => format!("then {} sectors", then.unwrap_or(fewest)),
        };
        Cost {
            id: String::new(),
            rule: rule.to_owned(),
            place: self.places.place(row.span),
            array: Some(array.name.clone()),
            headline,
            degree: degree.into(),
            fewest: fewest.into(),
            answer: count.answer.name().to_owned(),
            condition: (!count.condition.is_empty()).then(|| count.condition.clone()),
            weight: count.weight.text.clone(),
            requests: count.weight.requests,
            excess: count
                .excess
                .max(u64::from(count.takes.excess()).saturating_mul(estimate(count))),
            used,
            hint: count
                .mend
                .as_ref()
                .map(|mend| format!("{}; {unit}", mend.text)),
            notes: Vec::new(),
            warp: count.warp.as_ref().map(|warp| Warp {
                block_dim: warp.block_dim.map(|size| u64::try_from(size).unwrap_or(0)),
                block: warp.block.map(|at| u64::try_from(at).unwrap_or(0)),
                number: warp.warp,
                iterations: warp
                    .iterations
                    .iter()
                    .map(|&(line, at)| (line, i64::try_from(at).unwrap_or(i64::MAX)))
                    .collect(),
                lanes: warp.lanes.clone(),
                bytes: row.bytes,
            }),
            launches: vec![launch],
        }
    }

    fn branch(&self, branch: &warplog_costs::Branch, launch: usize) -> Cost {
        let facts = self.facts;
        let span = facts.point[branch.point.index()].span;
        let condition = self.show.term(branch.term);
        let share = format!("{} of {} warps", branch.divergent, branch.arriving);
        let serialised = branch.serialised.len();
        let effect = match serialised {
            0 => format!("lanes are idle in {}", counted(branch.idle.len())),
            _ => format!("{} one side after the other", counted(serialised)),
        };
        let wasted = if serialised == 0 {
            branch.idle.len()
        } else {
            serialised
        };
        let wasted = u64::try_from(wasted).unwrap_or(u64::MAX);
        Cost {
            id: String::new(),
            rule: "divergent-branch".to_owned(),
            place: self.places.place(span),
            array: None,
            headline: format!("lanes of a warp differ on `{condition}` in {share}: {effect}"),
            degree: branch.divergent,
            fewest: branch.arriving,
            answer: branch.answer.name().to_owned(),
            condition: None,
            weight: branch.weight.text.clone(),
            requests: branch.weight.requests,
            excess: branch.divergent.saturating_mul(wasted),
            used: None,
            hint: None,
            notes: Vec::new(),
            warp: None,
            launches: vec![launch],
        }
    }

    /// What was found out of barriers.
    fn barriers(&self, tried: BTreeMap<SpanId, Tried>, told: &report::Kernel, costs: &mut Costs) {
        let facts = self.facts;
        let Some(nth) = costs
            .answers
            .iter()
            .position(|answer| answer.rule == "redundant-barrier")
        else {
            return;
        };
        costs.answers[nth].asked = u64::try_from(tried.len()).unwrap_or(u64::MAX);
        for (span, state) in tried {
            let line = facts.span[span.index()].line;
            match state {
                Tried::Needed => {}
                Tried::Open => {
                    let why = match told.verdict() {
                        Verdict::RaceFree => "not shown to be redundant",
                        _ => "the kernel is not proved race-free",
                    };
                    costs.answers[nth].cannot_tell.push((line, why.to_owned()));
                }
                Tried::Redundant => {
                    costs.answers[nth].found += 1;
                    costs.add(Cost {
                        id: String::new(),
                        rule: "redundant-barrier".to_owned(),
                        place: self.places.place(span),
                        array: None,
                        headline: "redundant barrier: the kernel is race-free without it"
                            .to_owned(),
                        degree: 0,
                        fewest: 0,
                        answer: CostAnswer::Exact.name().to_owned(),
                        condition: None,
                        weight: String::new(),
                        requests: None,
                        excess: 0,
                        used: None,
                        hint: Some("remove it, if it is there for order alone".to_owned()),
                        notes: vec!["proved by analysis without it".to_owned()],
                        warp: None,
                        launches: (0..told.launches.len()).collect(),
                    });
                }
            }
        }
    }
}

/// How often, for sorting.
fn estimate(count: &Count) -> u64 {
    count.weight.estimate
}

fn counted(accesses: usize) -> String {
    match accesses {
        1 => "1 access".to_owned(),
        more => format!("{more} accesses"),
    }
}
