//! Time of `derive` on generated kernels: accesses and barriers grow, in one interval structure and
//! in a loop. Run with `cargo run --release -p warplog-rules --example scale`.

#[path = "../tests/common/mod.rs"]
mod common;

use std::io::Write as _;
use std::time::Instant;

use common::{Builder, Stmt};
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

/// `accesses` accesses to four arrays, cut by `barriers` barriers; with `spread`, each at an offset
/// of its own, so that none are equal.
fn kernel(accesses: usize, barriers: usize, spread: bool, looped: bool) -> Facts {
    let mut b = Builder::new([None, Some(1), Some(1)], [None, Some(1), Some(1)]);
    let arrays = [
        b.array(Space::Shared),
        b.array(Space::Shared),
        b.array(Space::Global),
        b.array(Space::Global),
    ];
    let t = b.tid();
    let global = b.global_id();
    let mut body = Vec::new();
    for n in 0..accesses {
        if n % (accesses / barriers.max(1)).max(1) == 0 {
            body.push(Stmt::Barrier(BarrierKind::Block));
        }
        let base = if n % 4 < 2 { t } else { global };
        let scaled = b.mul(base, 4 * 4096);
        let shift = if spread { n / 4 } else { n % 7 };
        let index = b.opi(Op::Add, scaled, 4 * shift as i128);
        let kind = if n % 3 == 0 {
            AccessKind::Write
        } else {
            AccessKind::Read
        };
        body.push(Stmt::Access(kind, arrays[n % 4], index, 4));
    }
    if looped {
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.opi(Op::Lt, iter, 100);
        body = vec![Stmt::Loop(id, condition, body)];
    }
    b.body(&body);
    b.finish()
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout();
    writeln!(
        out,
        "accesses,barriers,spread,looped,pairs,open,milliseconds"
    )?;
    for (accesses, barriers) in [(30, 2), (300, 10), (1000, 40), (3000, 40), (10000, 40)] {
        for (spread, looped) in [(false, false), (false, true), (true, false), (true, true)] {
            if spread && accesses > 3000 {
                continue;
            }
            let facts = kernel(accesses, barriers, spread, looped);
            let mut best = f64::MAX;
            let (mut pairs, mut open) = (0, 0);
            for _ in 0..3 {
                let start = Instant::now();
                let derived = derive(&facts, &Options::default());
                best = best.min(start.elapsed().as_secs_f64() * 1000.0);
                open = derived.candidate_race.len();
                pairs = open + derived.discarded_race.len();
            }
            writeln!(
                out,
                "{accesses},{barriers},{spread},{looped},{pairs},{open},{best:.2}"
            )?;
        }
    }
    // Many kernels in one fact set.
    for kernels in [100, 1000] {
        let mut all = Facts::default();
        for _ in 0..kernels {
            all.append(kernel(30, 2, true, false));
        }
        let start = Instant::now();
        let derived = derive(&all, &Options::default());
        let time = start.elapsed().as_secs_f64() * 1000.0;
        let open = derived.candidate_race.len();
        writeln!(
            out,
            "{kernels} kernels of 30 accesses,2,true,false,{},{open},{time:.2}",
            open + derived.discarded_race.len()
        )?;
    }
    Ok(())
}
