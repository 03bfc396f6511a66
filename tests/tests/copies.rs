//! Random kernels with asynchronous copies, against brute force on the generator's own tree.
//!
//! A kernel of one block copies to places of a shared array, ends groups, waits for all but the last so many, meets at barriers, reads
//! and writes; in loops and under conditions. Two in three are rings of stages, right or wrong by one. What its threads do is
//! listed step by step: an access happens between the barriers where it stands, a copy in any interval from its call to the wait that
//! covers it, or the end. Two accesses of two threads to one place race if such spans meet, and a thread races with its own copy if it
//! touches the place before that wait. No two copies or writes of different threads store one value.
//!
//! **What must hold**: no kernel that races is called race-free, and none that does not is called racy for certain.

use std::fmt::Write as _;
use std::fs;

use warplog::driver::{self, RunOptions};
use warplog::engine::Analysis;
use warplog::options::AnalysisOptions;
use warplog_report::{Certainty, Verdict};

/// Kernels of each kind in a file, and the seeds of the files.
const KERNELS: usize = 12;
const SEEDS: [u64; 3] = [1, 2, 3];

/// Threads of the block.
const THREADS: i64 = 4;

/// What the parameter `n` is.
const N: i64 = 3;

/// A statement.
enum Step {
    Copy(Place),
    Read(Place),
    Write(Place),
    Commit,
    Wait(usize),
    Barrier,
    /// So many rounds.
    For(i64, Vec<Step>),
    If(Condition, Vec<Step>, Vec<Step>),
}

/// `s[(k + stage) % stages * 4 + lane]`, with the number of the round of the innermost loop.
#[derive(Clone, Copy)]
struct Place {
    /// Whether the round counts, and from where.
    of_round: bool,
    stage: i64,
    stages: i64,
    lane: Lane,
}

#[derive(Clone, Copy)]
enum Lane {
    Own,
    Next(i64),
    Mirrored,
}

#[derive(Clone, Copy)]
enum Condition {
    /// `k + ahead < end`
    Before(i64, i64),
    /// `t < limit`
    Thread(i64),
}

impl Place {
    fn text(self, depth: usize) -> String {
        let stage = match self.of_round && depth > 0 {
            true => format!("((k{} + {}) % {})", depth - 1, self.stage, self.stages),
            false => (self.stage % self.stages).to_string(),
        };
        let lane = match self.lane {
            Lane::Own => "t".to_owned(),
            Lane::Next(by) => format!("(t + {by}) % {THREADS}"),
            Lane::Mirrored => format!("{} - t", THREADS - 1),
        };
        format!("s[{stage} * {THREADS} + {lane}]")
    }

    fn value(self, thread: i64, rounds: &[i64]) -> i64 {
        let round = rounds.last().filter(|_| self.of_round).copied();
        let stage = (round.unwrap_or(0) + self.stage) % self.stages;
        let lane = match self.lane {
            Lane::Own => thread,
            Lane::Next(by) => (thread + by) % THREADS,
            Lane::Mirrored => THREADS - 1 - thread,
        };
        stage * THREADS + lane
    }
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

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn of(&mut self, numbers: &[i64]) -> i64 {
        numbers[self.below(numbers.len())]
    }

    fn lane(&mut self) -> Lane {
        match self.below(3) {
            0 => Lane::Own,
            1 => Lane::Next(self.of(&[1, 2, 3])),
            _ => Lane::Mirrored,
        }
    }

    fn place(&mut self, in_loop: bool) -> Place {
        Place {
            of_round: in_loop && !self.one_in(3),
            stage: self.of(&[0, 1, 2]),
            stages: self.of(&[2, 3]),
            lane: self.lane(),
        }
    }

    /// Statements without a plan.
    fn any(&mut self, depth: usize, diverged: bool) -> Vec<Step> {
        let mut steps = Vec::new();
        for _ in 0..2 + self.below(4) {
            steps.push(match self.below(12) {
                0 | 1 => Step::Copy(self.place(depth > 0)),
                2 | 3 => Step::Commit,
                4 | 5 => Step::Wait(self.below(3)),
                6 | 7 if !diverged => Step::Barrier,
                8 => Step::Read(self.place(depth > 0)),
                9 => Step::Write(self.place(depth > 0)),
                10 if depth < 2 && !diverged => {
                    Step::For(self.of(&[1, 2, 3, 4]), self.any(depth + 1, diverged))
                }
                11 if depth < 3 => {
                    let of_round = depth > 0 && self.one_in(2);
                    let condition = match of_round {
                        true => Condition::Before(self.of(&[0, 1]), N),
                        false => Condition::Thread(self.of(&[1, 2])),
                    };
                    let then = self.any(depth.max(2), diverged || !of_round);
                    Step::If(condition, then, Vec::new())
                }
                _ => Step::Commit,
            });
        }
        steps
    }

    /// A ring of stages, with the copies some rounds ahead.
    fn ring(&mut self) -> Vec<Step> {
        let stages = self.of(&[1, 2, 2, 3, 3]);
        let ahead = self.below(stages as usize + 1) as i64;
        let own = |of_round, stage| Place {
            of_round,
            stage,
            stages,
            lane: Lane::Own,
        };
        let mut steps = Vec::new();
        for stage in 0..ahead {
            steps.extend([Step::Copy(own(false, stage)), Step::Commit]);
        }
        let rounds = self.of(&[N, N, 4]);
        let fill = Step::Copy(own(true, ahead));
        let left = (ahead - self.of(&[0, 0, 0, 1, 1, 2])).max(0) as usize;
        let wait = Step::Wait(left);
        let mut copy = match self.below(4) {
            0 => vec![
                Step::If(Condition::Before(ahead, rounds), vec![fill], Vec::new()),
                Step::Commit,
            ],
            1 => vec![Step::If(
                Condition::Before(ahead, rounds),
                vec![fill, Step::Commit, Step::Wait(self.below(3))],
                vec![Step::Wait(self.below(2))],
            )],
            _ => vec![fill, Step::Commit],
        };
        let mut body = Vec::new();
        let waits_first = self.one_in(2);
        if !waits_first {
            body.append(&mut copy);
        }
        if self.one_in(3) {
            body.push(Step::Barrier);
        }
        body.push(wait);
        if !self.one_in(5) {
            body.push(Step::Barrier);
        }
        body.append(&mut copy);
        body.push(Step::Read(Place {
            stage: self.of(&[0, 0, 0, 1]),
            lane: self.lane(),
            ..own(true, 0)
        }));
        if !self.one_in(3) {
            body.push(Step::Barrier);
        }
        steps.push(Step::For(rounds, body));
        if self.one_in(2) {
            steps.extend([Step::Wait(0), Step::Barrier]);
            steps.push(Step::Read(Place {
                lane: Lane::Mirrored,
                ..own(false, 0)
            }));
        }
        steps
    }
}

/// The statements as CUDA; `stores` counts what stores something.
fn write(out: &mut String, steps: &[Step], depth: usize, stores: &mut usize) {
    for step in steps {
        let _ = match step {
            Step::Copy(place) => {
                *stores += 100;
                let place = place.text(depth);
                writeln!(
                    out,
                    "__pipeline_memcpy_async(&{place}, &in[{stores} + t], 4);"
                )
            }
            Step::Write(place) => {
                *stores += 100;
                writeln!(out, "{} = in[{stores} + t];", place.text(depth))
            }
            Step::Read(place) => writeln!(out, "v += {};", place.text(depth)),
            Step::Commit => writeln!(out, "__pipeline_commit();"),
            Step::Wait(left) => writeln!(out, "__pipeline_wait_prior({left});"),
            Step::Barrier => writeln!(out, "__syncthreads();"),
            Step::For(rounds, body) => {
                let end = if *rounds == N {
                    "n".to_owned()
                } else {
                    rounds.to_string()
                };
                let k = format!("k{depth}");
                let _ = writeln!(out, "for (int {k} = 0; {k} < {end}; {k}++) {{");
                write(out, body, depth + 1, stores);
                writeln!(out, "}}")
            }
            Step::If(condition, then, otherwise) => {
                let _ = match condition {
                    Condition::Before(ahead, end) if depth > 0 => {
                        let end = if *end == N {
                            "n".to_owned()
                        } else {
                            end.to_string()
                        };
                        writeln!(out, "if (k{} + {ahead} < {end}) {{", depth - 1)
                    }
                    Condition::Before(..) => writeln!(out, "if (n > 0) {{"),
                    Condition::Thread(limit) => writeln!(out, "if (t < {limit}) {{"),
                };
                write(out, then, depth, stores);
                let _ = writeln!(out, "}} else {{");
                write(out, otherwise, depth, stores);
                writeln!(out, "}}")
            }
        };
    }
}

/// What one thread does, in order.
enum Event {
    Access { at: i64, stores: bool, copies: bool },
    Commit,
    Wait(usize),
    Barrier,
}

fn run(steps: &[Step], thread: i64, rounds: &mut Vec<i64>, events: &mut Vec<Event>) {
    for step in steps {
        let access = |place: &Place, stores, copies| Event::Access {
            at: place.value(thread, rounds),
            stores,
            copies,
        };
        match step {
            Step::Copy(place) => events.push(access(place, true, true)),
            Step::Write(place) => events.push(access(place, true, false)),
            Step::Read(place) => events.push(access(place, false, false)),
            Step::Commit => events.push(Event::Commit),
            Step::Wait(left) => events.push(Event::Wait(*left)),
            Step::Barrier => events.push(Event::Barrier),
            Step::For(count, body) => {
                for round in 0..*count {
                    rounds.push(round);
                    run(body, thread, rounds, events);
                    rounds.pop();
                }
            }
            Step::If(condition, then, otherwise) => {
                let holds = match (condition, rounds.last()) {
                    (Condition::Before(ahead, end), Some(round)) => round + ahead < *end,
                    (Condition::Before(..), None) => true,
                    (Condition::Thread(limit), _) => thread < *limit,
                };
                run(if holds { then } else { otherwise }, thread, rounds, events);
            }
        }
    }
}

/// An access with the steps of its thread and the intervals between barriers in which it may happen.
#[derive(Clone, Copy)]
struct Span {
    at: i64,
    stores: bool,
    copies: bool,
    steps: [usize; 2],
    intervals: [usize; 2],
}

fn spans(events: &[Event]) -> Vec<Span> {
    let mut found: Vec<Span> = Vec::new();
    // Copies that nobody has waited for, with the group that they are in.
    let mut open: Vec<(usize, Option<usize>)> = Vec::new();
    let (mut interval, mut groups) = (0, 0);
    for (step, event) in events.iter().enumerate() {
        match *event {
            Event::Access { at, stores, copies } => {
                let end = |now| if copies { usize::MAX } else { now };
                if copies {
                    open.push((found.len(), None));
                }
                found.push(Span {
                    at,
                    stores,
                    copies,
                    steps: [step, end(step)],
                    intervals: [interval, end(interval)],
                });
            }
            Event::Commit => {
                for (_, group) in &mut open {
                    group.get_or_insert(groups);
                }
                groups += 1;
            }
            Event::Wait(left) => open.retain(|&(copy, group)| {
                let waits = group.is_some_and(|group| group + left < groups);
                if waits {
                    found[copy].steps[1] = step;
                    found[copy].intervals[1] = interval;
                }
                !waits
            }),
            Event::Barrier => interval += 1,
        }
    }
    found
}

fn races(steps: &[Step]) -> bool {
    let of_threads: Vec<Vec<Span>> = (0..THREADS)
        .map(|thread| {
            let mut events = Vec::new();
            run(steps, thread, &mut Vec::new(), &mut events);
            spans(&events)
        })
        .collect();
    let meet = |one: [usize; 2], other: [usize; 2]| one[0] <= other[1] && other[0] <= one[1];
    for (thread, own) in of_threads.iter().enumerate() {
        for (nth, first) in own.iter().enumerate() {
            let mut later = own[nth + 1..].iter();
            if first.copies
                && later.any(|next| next.at == first.at && next.steps[0] < first.steps[1])
            {
                return true;
            }
            let mut others = of_threads[thread + 1..].iter().flatten();
            if others.any(|other| {
                other.at == first.at
                    && (first.stores || other.stores)
                    && meet(first.intervals, other.intervals)
            }) {
                return true;
            }
        }
    }
    false
}

#[test]
fn copies_agree_with_brute_force() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut counted = [0, 0];
    let mut wrong = Vec::new();
    for seed in SEEDS {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut kernels = Vec::new();
        for _ in 0..KERNELS {
            kernels.extend([dice.any(0, false), dice.ring(), dice.ring()]);
        }
        let mut text = "#include <cuda_pipeline.h>\n".to_owned();
        let mut host = "void go(const int *in, int *out) {\n".to_owned();
        for (number, kernel) in kernels.iter().enumerate() {
            let _ = writeln!(
                text,
                "__global__ void k{number}(const int *in, int *out, int n) {{"
            );
            let _ = writeln!(text, "__shared__ int s[12];\nint t = threadIdx.x, v = 0;");
            write(&mut text, kernel, 0, &mut 0);
            let _ = writeln!(text, "out[t] = v;\n}}");
            let _ = writeln!(host, "k{number}<<<1, {THREADS}>>>(in, out, {N});");
        }
        let path = folder.path().join(format!("copies{seed}.cu"));
        fs::write(&path, format!("{text}{host}}}\n")).expect("is written");
        let run = RunOptions {
            jobs: 0,
            progress: false,
            workers: false,
        };
        let report = driver::check(&Analysis, &[path], &AnalysisOptions::default(), run);
        assert_eq!(report.kernels.len(), kernels.len());
        for kernel in &report.kernels {
            let number: usize = kernel.name[1..].parse().expect("a number");
            let is_racy = races(&kernels[number]);
            counted[usize::from(is_racy)] += 1;
            let sure = kernel.certainty() == Some(Certainty::Confirmed);
            if is_racy && kernel.verdict() == Verdict::RaceFree || !is_racy && sure {
                let verdict = kernel.verdict().as_str();
                let mut text = String::new();
                write(&mut text, &kernels[number], 0, &mut 0);
                wrong.push(format!(
                    "seed {seed}, races: {is_racy}, told {verdict}:\n{text}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(counted[0] > 20 && counted[1] > 20, "{counted:?}");
}
