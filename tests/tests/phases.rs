//! Random kernels whose warps wait for phases of barriers, against runs of them with vector clocks.
//!
//! One warp fills stages of a ring, one or two others read them; each waits, accesses and arrives in a loop of any number of rounds, at
//! objects (`mbarrier`) or named barriers, right or wrong by one: an offset, a parity, a count, a wait that is missing, an order that is
//! turned round. Of some the stages are filled by bulk copies that one lane issues: then the lane expects bytes where it arrives, and each copy is a
//! warp of its own from where it is issued on, which writes a stage at some time and tells its bytes to the object. A run takes the warps in an order of dice. Each has a clock, an arrival adds it to that of the phase, a wait takes
//! over those of all phases that have ended: two accesses of one stage race if neither clock knows of the other.
//!
//! **What must hold**: no kernel of which some run races is called race-free, none of which none does is called racy for certain, and
//! most of those that are right are called race-free. No wait is called endless for certain where no run hangs, none of a kernel that is right, and one of most kernels
//! that hang in every run.

use std::fmt::Write as _;
use std::fs;

use warplog::driver::{self, RunOptions};
use warplog::engine::Analysis;
use warplog::options::AnalysisOptions;
use warplog_report::{Certainty, FindingKind, Outcome, Verdict};

/// Kernels of a file, and the seeds of the files.
const KERNELS: usize = 40;
const SEEDS: [u64; 4] = [1, 2, 3, 4];

/// Bytes of a stage.
const BYTES: i64 = 128;

/// Rounds of the loops in a run, and runs of a kernel.
const ROUNDS: i64 = 7;
const RUNS: usize = 200;

/// One of the two rings of barriers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ring {
    Full,
    Empty,
}

/// What a warp does in round k.
#[derive(Clone, Copy)]
enum Step {
    /// It waits for a phase of object k + by, of the parity of its round plus this.
    Wait(Ring, i64, i64),
    Arrive(Ring, i64),
    /// It arrives, and expects so many bytes.
    Expect(i64, i64),
    /// It issues a copy to stage k + by, which tells its bytes to full object k + by.
    Copy(i64, i64),
    /// It reads, or writes, stage k + by.
    Access(bool, i64),
    /// A step only from this round on.
    From(i64, Ring, i64, i64),
}

struct Kernel {
    stages: i64,
    is_named: bool,
    /// Whether one lane fills the stages by copies.
    is_copied: bool,
    readers: i64,
    /// How many warps end a phase, of the full ones and of the empty ones.
    counts: [i64; 2],
    /// Whether the readers arrive at all empty ones before they begin.
    begins_empty: bool,
    /// What the writer does, and each reader.
    bodies: [Vec<Step>; 2],
    is_right: bool,
}

/// Numbers that look random: a xorshift.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % count as u64) as usize
    }

    fn kernel(&mut self) -> Kernel {
        let stages = [1, 2, 3, 4][self.below(4)];
        let is_named = self.below(3) == 0;
        let readers = 1 + self.below(2) as i64;
        let is_copied = !is_named && self.below(2) == 0;
        let begins_empty = is_named || self.below(3) == 0;
        let to_full = if is_named { 1 + readers } else { 1 };
        let to_empty = if is_named { 1 + readers } else { readers };
        // A wait that is for the phase before lets the first round through.
        let early = i64::from(!begins_empty);
        let mut kernel = Kernel {
            stages,
            is_named,
            is_copied,
            readers,
            counts: [to_full, to_empty],
            begins_empty,
            bodies: [
                vec![
                    Step::Wait(Ring::Empty, 0, early),
                    Step::Access(true, 0),
                    Step::Arrive(Ring::Full, 0),
                ],
                vec![
                    Step::Wait(Ring::Full, 0, 0),
                    Step::Access(false, 0),
                    Step::Arrive(Ring::Empty, 0),
                ],
            ],
            is_right: true,
        };
        if is_copied {
            let (expect, copy) = (Step::Expect(0, BYTES), Step::Copy(0, 0));
            let both = [[expect, copy], [copy, expect]][self.below(2)];
            kernel.bodies[0] = vec![Step::Wait(Ring::Empty, 0, early), both[0], both[1]];
        }
        if self.below(3) > 0 {
            kernel.is_right = false;
            self.spoil(&mut kernel);
        }
        kernel
    }

    fn spoil(&mut self, kernel: &mut Kernel) {
        let side = self.below(2);
        let at = self.below(3);
        let by = [1, kernel.stages - 1, kernel.stages][self.below(3)];
        match self.below(7) {
            0 => {
                kernel.bodies[side].remove(at);
            }
            1 => kernel.bodies[side].swap(at, (at + 1) % 3),
            2 => {
                let count = &mut kernel.counts[side];
                *count = (*count + [1, -1][self.below(2)]).max(1);
            }
            3 => kernel.begins_empty = !kernel.begins_empty,
            4 => {
                let step = kernel.bodies[side][at];
                kernel.bodies[side][at] = match step {
                    Step::Wait(ring, _, parity) => Step::Wait(ring, by, parity),
                    Step::Arrive(ring, _) => Step::Arrive(ring, by),
                    Step::Access(writes, _) => Step::Access(writes, by),
                    Step::Expect(_, bytes) if self.below(2) == 0 => Step::Expect(by, bytes),
                    Step::Expect(..) => Step::Expect(0, BYTES / 2),
                    Step::Copy(..) if self.below(2) == 0 => Step::Copy(by, 0),
                    Step::Copy(..) => Step::Copy(0, by),
                    other => other,
                };
            }
            5 => {
                if let Step::Wait(ring, by, parity) = kernel.bodies[side][0] {
                    let from = [1, kernel.stages][self.below(2)];
                    kernel.bodies[side][0] = Step::From(from, ring, by, parity);
                }
            }
            _ => {
                if let Step::Wait(ring, by, parity) = kernel.bodies[side][0] {
                    kernel.bodies[side][0] = Step::Wait(ring, by, parity + 1);
                }
            }
        }
    }
}

impl Kernel {
    /// The kernel as CUDA.
    fn text(&self, number: usize) -> String {
        let (stages, threads) = (self.stages, 32 * (1 + self.readers));
        let mut out = format!(
            "__global__ void k{number}(const int *in, int *out, int n) {{\n\
             __shared__ int s[{stages}][32];\n__shared__ uint64_t full[{stages}], empty[{stages}];\n\
             int t = threadIdx.x, lane = t % 32, sum = 0;\n"
        );
        let mut counts = self.counts.map(|count| 32 * count);
        if self.is_copied {
            counts[0] = self.counts[0];
        }
        if !self.is_named {
            let _ = writeln!(
                out,
                "if (t == 0) for (int i = 0; i < {stages}; i++) {{ init(&full[i], {}); init(&empty[i], {}); }}\n__syncthreads();",
                counts[0], counts[1]
            );
        }
        let fills = if self.is_copied {
            "if (t == 0)"
        } else {
            "if (t < 32)"
        };
        for (body, condition) in self.bodies.iter().zip([fills, "else if (t >= 32)"]) {
            let _ = writeln!(out, "{condition} {{");
            if self.begins_empty && condition != fills {
                let arrive = self.step_text(Step::Arrive(Ring::Empty, 0));
                let _ = writeln!(out, "for (int k = 0; k < {stages}; k++) {arrive}");
            }
            let _ = writeln!(out, "for (int k = 0; k < n; k++) {{");
            for &step in body {
                let _ = writeln!(out, "{}", self.step_text(step));
            }
            let _ = writeln!(out, "}}\n}}");
        }
        let _ = writeln!(out, "out[blockIdx.x * {threads} + t] = sum;\n}}");
        out
    }

    fn step_text(&self, step: Step) -> String {
        let stages = self.stages;
        let object = |ring, by| {
            let at = format!("(k + {by}) % {stages}");
            match (self.is_named, ring) {
                (true, Ring::Full) => format!("1 + {at}, {}", 32 * self.counts[0]),
                (true, Ring::Empty) => format!("8 + {at}, {}", 32 * self.counts[1]),
                (false, Ring::Full) => format!("&full[{at}]"),
                (false, Ring::Empty) => format!("&empty[{at}]"),
            }
        };
        match step {
            Step::Wait(ring, by, _) if self.is_named => format!("meet({});", object(ring, by)),
            Step::Wait(ring, by, parity) => {
                let parity = format!("((k + {by}) / {stages} + {parity}) & 1");
                format!("wait({}, {parity});", object(ring, by))
            }
            Step::Arrive(ring, by) if self.is_named => format!("come({});", object(ring, by)),
            Step::Arrive(ring, by) => format!("arrive({});", object(ring, by)),
            Step::Expect(by, bytes) => {
                format!("expect({}, {bytes});", object(Ring::Full, by))
            }
            Step::Copy(by, at) => format!(
                "copy(s[(k + {by}) % {stages}], in + k * 32, {});",
                object(Ring::Full, at)
            ),
            Step::Access(true, by) => format!("s[(k + {by}) % {stages}][lane] = in[k * 32 + t];"),
            Step::Access(false, by) => format!("sum += s[(k + {by}) % {stages}][31 - lane];"),
            Step::From(from, ring, by, parity) => {
                let wait = self.step_text(Step::Wait(ring, by, parity));
                format!("if (k >= {from}) {wait}")
            }
        }
    }

    /// What a warp does, with its rounds.
    fn steps(&self, warp: usize) -> Vec<(i64, Step)> {
        let mut steps = Vec::new();
        if warp > 0 && self.begins_empty {
            steps.extend((0..self.stages).map(|k| (k, Step::Arrive(Ring::Empty, 0))));
        }
        for k in 0..ROUNDS {
            for &step in &self.bodies[warp.min(1)] {
                match step {
                    Step::From(from, ..) if k < from => {}
                    Step::From(_, ring, by, parity) => {
                        steps.push((k, Step::Wait(ring, by, parity)));
                    }
                    step => steps.push((k, step)),
                }
            }
        }
        steps
    }

    /// A run in an order of dice: whether it races, and whether it hangs.
    fn run(&self, dice: &mut Dice) -> (bool, bool) {
        let mut races = false;
        let warps = 1 + self.readers as usize;
        // Each copy has a clock.
        let all = warps + 2 * ROUNDS as usize;
        // Stage, object and clock of those that are under way.
        let mut under_way: Vec<(i64, usize, Vec<i64>)> = Vec::new();
        let mut issued = warps;
        let steps: Vec<Vec<(i64, Step)>> = (0..warps).map(|warp| self.steps(warp)).collect();
        let mut next = vec![0; warps];
        // The phase of a named barrier that a warp has arrived at and waits for.
        let mut met: Vec<Option<i64>> = vec![None; warps];
        let mut clocks = vec![vec![0i64; all]; warps];
        let mut objects = vec![Object::new(all); 2 * self.stages as usize];
        // Stage, whether written, warp, its time.
        let mut accesses: Vec<(i64, bool, usize, i64)> = Vec::new();
        let mut idle = 0;
        // Some runs let one warp go on for long.
        let mut warp = dice.below(warps);
        while idle < 100 {
            if dice.below(4) == 0 {
                warp = dice.below(warps);
            }
            if !under_way.is_empty() && dice.below(5) == 0 {
                let (stage, object, mut clock) = under_way.remove(dice.below(under_way.len()));
                let meets = |&(other_stage, _, other, time): &(i64, bool, usize, i64)| {
                    other_stage == stage && clock[other] < time
                };
                races |= accesses.iter().any(meets);
                clock[issued] += 1;
                accesses.push((stage, true, issued, clock[issued]));
                issued += 1;
                objects[object].brings(BYTES, &clock, self.counts[0]);
                idle = 0;
                continue;
            }
            idle += 1;
            let Some(&(k, step)) = steps[warp].get(next[warp]) else {
                warp = dice.below(warps);
                continue;
            };
            let place = |ring, by: i64| {
                let base = if ring == Ring::Full { 0 } else { self.stages };
                (base + (k + by) % self.stages) as usize
            };
            let count = |ring| self.counts[usize::from(ring == Ring::Empty)];
            match step {
                Step::Access(writes, by) => {
                    let stage = (k + by) % self.stages;
                    let known = &clocks[warp];
                    races |= accesses.iter().any(|&(other_stage, wrote, other, time)| {
                        other != warp
                            && other_stage == stage
                            && (writes || wrote)
                            && known[other] < time
                    });
                    clocks[warp][warp] += 1;
                    accesses.push((stage, writes, warp, clocks[warp][warp]));
                }
                Step::Arrive(ring, by) => {
                    objects[place(ring, by)].arrive(&clocks[warp], count(ring));
                    clocks[warp][warp] += 1;
                }
                Step::Wait(ring, by, parity) => {
                    let object = &mut objects[place(ring, by)];
                    if self.is_named && met[warp].is_none() {
                        met[warp] = Some(object.ended);
                        object.arrive(&clocks[warp], count(ring));
                        clocks[warp][warp] += 1;
                    }
                    let has_ended = match met[warp] {
                        Some(phase) => object.ended > phase,
                        // The phase before the current one has this parity.
                        None => (object.ended + 1) % 2 == ((k + by) / self.stages + parity) % 2,
                    };
                    if !has_ended {
                        warp = dice.below(warps);
                        continue;
                    }
                    met[warp] = None;
                    join(&mut clocks[warp], &object.known);
                }
                Step::Expect(by, bytes) => {
                    let object = &mut objects[place(Ring::Full, by)];
                    object.missing += bytes;
                    object.arrive(&clocks[warp], count(Ring::Full));
                    clocks[warp][warp] += 1;
                }
                Step::Copy(by, at) => {
                    let stage = (k + by) % self.stages;
                    let object = place(Ring::Full, at);
                    under_way.push((stage, object, clocks[warp].clone()));
                    clocks[warp][warp] += 1;
                }
                Step::From(..) => {}
            }
            next[warp] += 1;
            idle = 0;
        }
        let hangs = (0..warps).any(|warp| next[warp] < steps[warp].len());
        (races, hangs)
    }
}

/// A barrier in a run.
#[derive(Clone)]
struct Object {
    ended: i64,
    arrived: i64,
    /// Bytes that are expected and have not come.
    missing: i64,
    /// Clocks of those that have arrived in the current phase, and in all before.
    open: Vec<i64>,
    known: Vec<i64>,
}

impl Object {
    fn new(warps: usize) -> Object {
        Object {
            ended: 0,
            arrived: 0,
            missing: 0,
            open: vec![0; warps],
            known: vec![0; warps],
        }
    }

    fn arrive(&mut self, clock: &[i64], count: i64) {
        join(&mut self.open, clock);
        self.arrived += 1;
        self.ends(count);
    }

    /// A copy has been made.
    fn brings(&mut self, bytes: i64, clock: &[i64], count: i64) {
        join(&mut self.open, clock);
        self.missing -= bytes;
        self.ends(count);
    }

    fn ends(&mut self, count: i64) {
        if self.arrived == count && self.missing == 0 {
            self.arrived = 0;
            self.ended += 1;
            let open = self.open.clone();
            join(&mut self.known, &open);
        }
    }
}

fn join(clock: &mut [i64], other: &[i64]) {
    for (own, other) in clock.iter_mut().zip(other) {
        *own = (*own).max(*other);
    }
}

const STEPS: &str = r#"#include <stdint.h>
__device__ inline void init(uint64_t *bar, int count) {
    asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"((uint32_t)__cvta_generic_to_shared(bar)), "r"(count));
}
__device__ inline void arrive(uint64_t *bar) {
    asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"((uint32_t)__cvta_generic_to_shared(bar)) : "memory");
}
__device__ inline void wait(uint64_t *bar, int parity) {
    asm volatile("{ .reg .pred p; W: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra W; }"
                 ::"r"((uint32_t)__cvta_generic_to_shared(bar)), "r"(parity) : "memory");
}
__device__ inline void expect(uint64_t *bar, int bytes) {
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"((uint32_t)__cvta_generic_to_shared(bar)), "r"(bytes) : "memory");
}
__device__ inline void copy(void *to, const void *from, uint64_t *bar) {
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];"
                 ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from), "r"((uint32_t)__cvta_generic_to_shared(bar)) : "memory");
}
__device__ inline void come(int id, int count) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(count) : "memory"); }
__device__ inline void meet(int id, int count) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(count) : "memory"); }
"#;

#[test]
fn phases_agree_with_runs() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut wrong = Vec::new();
    // Racy ones, right ones, and right ones that are called race-free.
    let mut counted = [0, 0, 0];
    // Those that hang in all runs, and those of them of which it is told.
    let mut hanging = [0, 0];
    for seed in SEEDS {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let kernels: Vec<Kernel> = (0..KERNELS).map(|_| dice.kernel()).collect();
        let mut text = STEPS.to_owned();
        let mut host = "void go(const int *in, int *out, int n) {\n".to_owned();
        for (number, kernel) in kernels.iter().enumerate() {
            text.push_str(&kernel.text(number));
            let threads = 32 * (1 + kernel.readers);
            let _ = writeln!(host, "k{number}<<<2, {threads}>>>(in, out, n);");
        }
        let path = folder.path().join(format!("phases{seed}.cu"));
        fs::write(&path, format!("{text}{host}}}\n")).expect("is written");
        let run = RunOptions {
            jobs: 0,
            progress: false,
            workers: false,
        };
        let report = driver::check(&Analysis, &[path], &AnalysisOptions::default(), run);
        assert_eq!(report.kernels.len(), kernels.len());
        for told in &report.kernels {
            let number: usize = told.name[1..].parse().expect("a number");
            let kernel = &kernels[number];
            let runs: Vec<(bool, bool)> = (0..RUNS).map(|_| kernel.run(&mut dice)).collect();
            let is_racy = runs.iter().any(|(races, _)| *races);
            let hangs = runs.iter().all(|(_, hangs)| *hangs);
            let may_hang = runs.iter().any(|(_, hangs)| *hangs);
            let waits = told
                .findings
                .iter()
                .filter(|finding| finding.kind() == FindingKind::EndlessWait);
            let waits: Vec<Certainty> = waits.map(|finding| finding.certainty).collect();
            hanging[0] += usize::from(hangs);
            hanging[1] += usize::from(hangs && !waits.is_empty());
            if kernel.is_right && !waits.is_empty()
                || waits.contains(&Certainty::Confirmed) && !may_hang
            {
                wrong.push(format!(
                    "{:?} though it need not hang:\n{}",
                    waits,
                    kernel.text(number)
                ));
            }
            // What is told of a wait says nothing of races.
            let mut races = told.findings.iter();
            let is_free = told.verdict() == Verdict::RaceFree
                || !waits.is_empty()
                    && told
                        .launches
                        .iter()
                        .all(|launch| launch.outcome == Outcome::Complete)
                    && !races.any(|finding| finding.kind() == FindingKind::DataRace);
            assert!(!(kernel.is_right && is_racy), "{}", kernel.text(number));
            counted[0] += usize::from(is_racy);
            counted[1] += usize::from(kernel.is_right);
            counted[2] += usize::from(kernel.is_right && is_free);
            let sure = told.findings.iter().any(|finding| {
                finding.kind() == FindingKind::DataRace && finding.certainty == Certainty::Confirmed
            });
            if is_racy && is_free || !is_racy && sure {
                let verdict = told.verdict().as_str();
                let text = kernel.text(number);
                wrong.push(format!(
                    "seed {seed}, races: {is_racy}, told {verdict}:\n{text}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let [racy, right, free] = counted;
    assert!(
        hanging[0] > 20 && hanging[1] * 2 > hanging[0],
        "{hanging:?}"
    );
    assert!(
        racy > 30 && right > 20 && free * 4 >= right * 3,
        "{counted:?}"
    );
}
