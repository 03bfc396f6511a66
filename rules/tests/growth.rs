//! Launches know nothing of one another: eight times as many take about eight times as long.

mod common;

use std::time::{Duration, Instant};

use common::{Builder, Stmt};
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

/// `a[t] = …; __threadfence(); if (atomicAdd(&done, 1) == 3) … a[t] …;` beside another atomic operation whose result decides what is written.
fn launch() -> Facts {
    let mut b = Builder::line(64, 4);
    let (words, data) = (b.array(Space::Global), b.array(Space::Global));
    let tile = b.array(Space::Shared);
    let (tid, zero, four, eight) = (b.tid(), b.int(0), b.int(4), b.int(8));
    let own = b.mul(tid, 4);
    let taken = b.access(AccessKind::Atomic, words, zero, 4, None);
    b.access(AccessKind::Write, data, own, 4, None);
    let fence = b.access(AccessKind::Read, data, four, 4, None);
    let at = b.facts.access[fence.index()].point;
    b.facts.fence.push(FenceRow {
        point: at,
        scope: Scope::Grid,
        sequential: true,
    });
    let drawn = b.access(AccessKind::Atomic, words, four, 4, None);
    let mut results = Vec::new();
    for access in [taken, drawn] {
        let unknown = UnknownId::from_index(b.facts.unknown.len());
        let point = b.facts.access[access.index()].point;
        b.facts.unknown.push(UnknownRow {
            unknown,
            launch: LaunchId(0),
            point: PointId(point.0 + 1),
            opaque: true,
            reason: "result of an atomic operation".into(),
            span: SpanId(0),
        });
        let payload = i128::from(unknown.0);
        let term = b.facts.terms.intern(Op::Unknown, CType::I64, payload, &[]);
        results.push(term);
    }
    let last = b.opi(Op::Eq, results[1], 3);
    let held = b.opi(Op::Eq, results[0], 0);
    b.body(&[
        Stmt::Store(tile, own, 4, results[0]),
        Stmt::Barrier(BarrierKind::Block),
        Stmt::If(
            held,
            vec![Stmt::Store(data, zero, 4, tid)],
            vec![Stmt::Store(data, eight, 4, tid)],
        ),
        Stmt::If(
            last,
            vec![Stmt::Access(AccessKind::Read, data, own, 4)],
            Vec::new(),
        ),
        Stmt::Access(AccessKind::Write, words, zero, 4),
    ]);
    b.finish()
}

/// The least of some times, and how many pairs are left open that look like a protocol.
fn time_of(launches: usize) -> (Duration, usize) {
    let mut facts = launch();
    for _ in 1..launches {
        facts.append(launch());
    }
    let runs = (0..3).map(|_| {
        let start = Instant::now();
        let derived = derive(&facts, &Options::default());
        (start.elapsed(), derived.protected.len())
    });
    runs.min().unwrap_or_default()
}

#[test]
fn time_grows_with_the_number_of_launches() {
    let (short, few) = time_of(20);
    let (long, many) = time_of(160);
    assert!(few > 0, "there are protocols to recognise");
    assert_eq!(many, 8 * few);
    let ratio = long.as_secs_f64() / short.as_secs_f64();
    // What is quadratic comes to 64.
    assert!(ratio < 24.0, "{ratio}: {short:?}, {long:?}");
}
