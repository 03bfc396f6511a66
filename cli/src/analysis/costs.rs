//! What a kernel costs, as a report tells it. Which barriers are redundant, [`super::barriers`] finds out.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use warplog_costs::device::Device;
use warplog_costs::rules::{Joined, join};
use warplog_costs::{Count, Counted, Takes};
use warplog_facts::show::Show;
use warplog_facts::words::{AccessKind, CostAnswer};
use warplog_facts::{Derived, Facts, KernelId, LaunchId, SpanId};
use warplog_report as report;
use warplog_report::costs::{Answer, COST_KINDS, Cost, Costs, Warp};
use warplog_report::{Report, Verdict};

use super::barriers::{self, Tried};
use super::places::Places;
use crate::options::AnalysisOptions;

/// What all counts rest on.
const ASSUMED: [&str; 3] = [
    "allocations begin at multiples of 256 bytes, shared arrays at multiples of 128",
    "index arithmetic does not wrap",
    "lanes of a warp that come to an access in equal iterations are together there",
];

/// Counts, gives the relations their rows, and adds what was found to the kernels of the report; barriers, which take the solver
/// again, only if they are wanted. Returns the microseconds of counting, and of trying barriers.
pub(crate) fn add(
    facts: &Facts,
    derived: &mut Derived,
    report: &mut Report,
    (options, with_barriers): (&AnalysisOptions, bool),
) -> [u64; 2] {
    let Some(capability) = options.costs else {
        return [0; 2];
    };
    let start = Instant::now();
    let counting = warplog_costs::Options {
        device: Device::of_capability(capability),
    };
    let counted = warplog_costs::costs(facts, derived, &counting);
    let counted_at = Instant::now();
    let kernels: Vec<KernelId> = facts
        .kernel
        .iter()
        .filter(|row| options.wants(&row.name))
        .map(|row| row.kernel)
        .collect();
    let mut tried = match with_barriers {
        true => barriers::tried(facts, derived, (&kernels, &report.kernels), options),
        false => BTreeMap::new(),
    };
    let tried_at = Instant::now();
    let places = Places::new(facts);
    let show = Show::new(facts);
    let teller = Teller {
        facts,
        counted: &counted,
        places: &places,
        show: &show,
        joined: join(&counted),
        launches: launches(facts),
        device: counting.device,
    };
    for (&id, kernel) in kernels.iter().zip(&mut report.kernels) {
        let mut costs = teller.of_kernel(id);
        if with_barriers {
            let own = tried.remove(&id).unwrap_or_default();
            teller.barriers(own, kernel, &mut costs);
        }
        costs.sort();
        kernel.costs = Some(costs);
    }
    report.sources.extend(places.sources());
    let micros =
        |duration: std::time::Duration| u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    [
        micros(counted_at - start) + micros(tried_at.elapsed()),
        micros(tried_at - counted_at),
    ]
}

/// The kernel of each launch, and which of its launches it is.
fn launches(facts: &Facts) -> Vec<(KernelId, usize)> {
    let mut count: BTreeMap<KernelId, usize> = BTreeMap::new();
    let own = facts.launch.iter().map(|row| {
        let nth = count.entry(row.kernel).or_default();
        *nth += 1;
        (row.kernel, *nth - 1)
    });
    own.collect()
}

/// Only the rows of the relations.
pub(crate) fn rows(facts: &Facts, derived: &mut Derived, options: &AnalysisOptions) {
    if let Some(capability) = options.costs {
        let device = Device::of_capability(capability);
        warplog_costs::costs(facts, derived, &warplog_costs::Options { device });
    }
}

/// Puts counts into the words of a report.
struct Teller<'a> {
    facts: &'a Facts,
    counted: &'a Counted,
    places: &'a Places<'a>,
    show: &'a Show<'a>,
    joined: Joined,
    launches: Vec<(KernelId, usize)>,
    device: Device,
}

impl Teller<'_> {
    /// Whether a launch is of a kernel, and which of its launches.
    fn launch_of(&self, kernel: KernelId, launch: LaunchId) -> Option<usize> {
        let (of, nth) = self.launches[launch.index()];
        (of == kernel).then_some(nth)
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
        let joined = &self.joined;
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

    /// What global memory is fetched in.
    fn pieces(&self) -> &'static str {
        match self.device.sector {
            128 => "lines",
            _ => "sectors",
        }
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
                let sector = u32::try_from(self.device.sector).unwrap_or(32);
                let fetched = touched.sectors * sector;
                let share = u64::from(touched.bytes) * 100 / u64::from(fetched.max(1));
                (
                    "uncoalesced-access",
                    format!(
                        "uncoalesced {what} of `{}`: {} {} a request where {} would do, {share} % of the bytes used",
                        array.name,
                        touched.sectors,
                        self.pieces(),
                        touched.fewest
                    ),
                    touched.sectors,
                    touched.fewest,
                    Some((touched.bytes, fetched)),
                )
            }
        };
        let unit = match (count.takes, count.mend.as_ref().map(|mend| mend.then)) {
            (Takes::Shared(_), _) => "then none".to_owned(),
            (_, then) => format!("then {} {}", then.unwrap_or(fewest), self.pieces()),
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
            notes: remarks(count, row.kind),
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
            suppressed: None,
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
            suppressed: None,
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
                        suppressed: None,
                    });
                }
            }
        }
    }
}

/// The values of open strides with which a warp was shown, and what a device may do better.
fn remarks(count: &Count, kind: AccessKind) -> Vec<String> {
    let warp = count.warp.iter();
    let strides = warp.flat_map(|warp| &warp.strides);
    let mut remarks: Vec<String> = strides
        .map(|(name, value)| format!("counted with `{name}` = {value}"))
        .collect();
    if kind == AccessKind::Atomic && matches!(count.takes, Takes::Shared(_)) {
        remarks.push("a device may combine lanes that change one word".to_owned());
    }
    remarks
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
