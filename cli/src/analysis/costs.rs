//! What a kernel costs, as a report tells it: what was counted becomes plain data, and the kinds of costs say what it means
//! ([`warplog_report::findings`]). Which barriers are redundant, [`super::barriers`] finds out.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use warplog_costs::device::Device;
use warplog_costs::rules::{Joined, join};
use warplog_costs::{Branch, Count, Counted, Takes};
use warplog_facts::show::Show;
use warplog_facts::words::{AccessKind, CostAnswer};
use warplog_facts::{AccessId, Derived, Facts, KernelId, LaunchId, SpanId};
use warplog_report as report;
use warplog_report::cost::Costs;
use warplog_report::measure::{
    Access, Action, Exactness, Found, Measure, Measured, Mended, Split, Warp,
};
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

/// What they rest on besides where the size of a block is open.
const ROWS: &str = "rows of threads whose length is open are multiples of 32, unless other lengths are told: others may touch a sector more; of rows of fewer than 8 threads only conditions tell";

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
    let measures = Measures {
        facts,
        counted: &counted,
        places: &places,
        show: &show,
        joined: join(&counted),
        launches: launches(facts),
        device: counting.device,
    };
    for (&id, kernel) in kernels.iter().zip(&mut report.kernels) {
        let mut all = measures.of_kernel(id);
        if with_barriers {
            let own = tried.remove(&id).unwrap_or_default();
            all.extend(measures.of_barriers(own, kernel));
        }
        let mut costs = Costs::ask(all);
        costs.assumptions = ASSUMED.map(str::to_owned).to_vec();
        let is_open = |launch: &report::Launch| matches!(launch.block[0], report::Dim::Symbolic(_));
        if kernel.launches.iter().any(is_open) {
            costs.assumptions.push(ROWS.to_owned());
        }
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

/// What was counted, as plain data with places and words.
struct Measures<'a> {
    facts: &'a Facts,
    counted: &'a Counted,
    places: &'a Places<'a>,
    show: &'a Show<'a>,
    joined: Joined,
    launches: Vec<(KernelId, usize)>,
    device: Device,
}

impl Measures<'_> {
    /// Whether a launch is of a kernel, and which of its launches.
    fn launch_of(&self, kernel: KernelId, launch: LaunchId) -> Option<usize> {
        let (of, nth) = self.launches[launch.index()];
        (of == kernel).then_some(nth)
    }

    /// The accesses and branches of a kernel.
    fn of_kernel(&self, kernel: KernelId) -> Vec<Measured> {
        let accesses = self.counted.counts.iter().filter_map(|count| {
            let launch = self.launch_of(kernel, count.launch)?;
            Some(self.access(count, launch))
        });
        let branches = self.counted.branches.iter().filter_map(|branch| {
            let launch = self.launch_of(kernel, branch.launch)?;
            Some(self.branch(branch, launch))
        });
        accesses.chain(branches).collect()
    }

    fn access(&self, count: &Count, launch: usize) -> Measured {
        let facts = self.facts;
        let row = &facts.access[count.access.index()];
        let access = Access {
            array: facts.array[row.array.index()].name.clone(),
            action: match row.kind {
                AccessKind::Read => Action::Read,
                AccessKind::Write => Action::Write,
                AccessKind::Atomic => Action::Atomic,
            },
            warp: count.warp.as_ref().map(|warp| shown(warp, row.bytes)),
        };
        // Where the rest of its address is open, what it takes at least is told: a warp has that for sure.
        let (measure, costly) = match count.at_least {
            Takes::Shared(turns) => (
                Measure::Turns {
                    access,
                    turns: turns.degree,
                },
                &self.joined.conflicts,
            ),
            Takes::Global(touched) => (
                Measure::Sectors {
                    access,
                    sectors: touched.sectors,
                    fewest: touched.fewest,
                    lines: touched.lines,
                    wanted: touched.bytes,
                    sector_bytes: u32::try_from(self.device.sector).unwrap_or(32),
                },
                &self.joined.uncoalesced,
            ),
        };
        let of = |list: &[_]| list.binary_search(&count.access).is_ok();
        let each = u64::from(count.at_least.excess());
        Measured {
            place: self.places.place(row.span),
            measure,
            found: found(of(costly), of(&self.joined.cannot_tell)),
            answer: exactness(count.answer),
            condition: (!count.condition.is_empty()).then(|| count.condition.clone()),
            weight: count.weight.text.clone(),
            requests: count.weight.requests,
            excess: count.excess.max(each.saturating_mul(count.weight.estimate)),
            mend: count.mend.as_ref().map(|mend| Mended {
                text: mend.text.clone(),
                then: mend.then.into(),
                longer_by: mend.longer_by,
            }),
            strides: count
                .warp
                .as_ref()
                .map_or_else(Vec::new, |warp| warp.strides.clone()),
            launches: vec![launch],
        }
    }

    fn branch(&self, branch: &Branch, launch: usize) -> Measured {
        let span = self.facts.point[branch.point.index()].span;
        let number = |of: usize| u64::try_from(of).unwrap_or(u64::MAX);
        let (serialised, idle) = (number(branch.serialised()), number(branch.idle()));
        let wasted = if serialised == 0 { idle } else { serialised };
        let place = (branch.point, branch.term);
        let costly = self.joined.divergent.binary_search(&place).is_ok();
        Measured {
            place: self.places.place(span),
            measure: Measure::Warps {
                condition: self.show.term(branch.term),
                divergent: branch.divergent,
                arriving: branch.arriving,
                serialised,
                idle,
                lines: [0, 1].map(|side: usize| self.lines(&branch.sides[side])),
                split: branch.split.as_ref().map(split),
            },
            found: found(costly, branch.answer == CostAnswer::CannotTell),
            answer: exactness(branch.answer),
            condition: None,
            weight: branch.weight.text.clone(),
            requests: branch.weight.requests,
            excess: branch.divergent.saturating_mul(wasted),
            mend: None,
            strides: Vec::new(),
            launches: vec![launch],
        }
    }

    /// The lines of accesses, each once.
    fn lines(&self, accesses: &[AccessId]) -> Vec<u32> {
        let facts = self.facts;
        let lines = accesses.iter().map(|access| {
            let span = facts.access[access.index()].span;
            facts.span[span.index()].line
        });
        let lines: BTreeSet<u32> = lines.collect();
        lines.into_iter().collect()
    }

    /// What was found out of barriers.
    fn of_barriers(&self, tried: BTreeMap<SpanId, Tried>, told: &report::Kernel) -> Vec<Measured> {
        let all = tried.into_iter().map(|(span, state)| Measured {
            place: self.places.place(span),
            measure: Measure::Barrier {
                race_free: told.verdict() == Verdict::RaceFree,
            },
            found: match state {
                Tried::Redundant => Found::Yes,
                Tried::Needed => Found::No,
                Tried::Open => Found::CannotTell,
            },
            answer: Exactness::Exact,
            condition: None,
            weight: String::new(),
            requests: None,
            excess: 0,
            mend: None,
            strides: Vec::new(),
            launches: (0..told.launches.len()).collect(),
        });
        all.collect()
    }
}

fn found(costly: bool, open: bool) -> Found {
    match (costly, open) {
        (true, _) => Found::Yes,
        (false, true) => Found::CannotTell,
        (false, false) => Found::No,
    }
}

fn exactness(answer: CostAnswer) -> Exactness {
    match answer {
        CostAnswer::Exact => Exactness::Exact,
        CostAnswer::Conditional => Exactness::Conditional,
        CostAnswer::Shown => Exactness::Shown,
        CostAnswer::CannotTell => Exactness::CannotTell,
    }
}

fn split(split: &warplog_costs::Split) -> Split {
    let natural = |number: i128| u64::try_from(number).unwrap_or(0);
    Split {
        block_dim: split.block_dim.map(|size| natural(size.into())),
        block: split.block.map(natural),
        number: split.warp,
        lanes: split.lanes.clone(),
    }
}

fn shown(warp: &warplog_costs::Warp, bytes: u32) -> Warp {
    let natural = |number: i128| u64::try_from(number).unwrap_or(0);
    Warp {
        block_dim: warp.block_dim.map(|size| natural(size.into())),
        block: warp.block.map(natural),
        number: warp.warp,
        iterations: warp
            .iterations
            .iter()
            .map(|&(line, at)| (line, i64::try_from(at).unwrap_or(i64::MAX)))
            .collect(),
        lanes: warp.lanes.clone(),
        bytes,
    }
}
