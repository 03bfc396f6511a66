//! Barriers about which two threads disagree, and those about which they cannot.

mod common;
use common::*;
use warplog_facts::derived::*;
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_solver_bridge::*;

fn assert_uniform(outcome: &DivergenceOutcome) {
    assert!(
        matches!(outcome.answer, DivergenceAnswer::Uniform { .. }),
        "{outcome:#?}"
    );
}

fn assert_diverges(outcome: &DivergenceOutcome) -> &Divergence {
    match &outcome.answer {
        DivergenceAnswer::Diverges(found) => found,
        other => panic!("expected divergence, found {other:#?}"),
    }
}

#[test]
fn barrier_under_a_thread_condition() {
    // if (t < n) __syncthreads();
    let mut k = Kernel::new(dim(64), dim(1));
    let (t, n) = (k.t(), k.symbol("n", CType::I32));
    let inside = k.lt(t, n);
    let mut barrier = PointId(0);
    k.when(inside, |k| barrier = k.barrier());
    let outcome = k.diverges(barrier, Some(0));
    let found = assert_diverges(&outcome);
    assert!(found.exact && !found.exits_early);
    let n = found.witness.values[0].1;
    assert!(found.witness.threads[0].thread[0] < n && found.witness.threads[1].thread[0] >= n);
    // With n ≥ 64 all agree.
    let launch = k.launch;
    let limit = k.int(64);
    let n = k.facts.terms.symbol(SymbolId(0), CType::I32);
    let enough = k.le(limit, n);
    k.facts.launch_assume.push(LaunchAssumeRow {
        launch,
        term: enough,
        by_host: false,
    });
    assert_uniform(&k.diverges(barrier, Some(0)));
}

#[test]
fn barrier_after_an_early_return() {
    // if (t >= n) return; … __syncthreads();
    let mut k = Kernel::new(dim(64), dim(1));
    let (t, n) = (k.t(), k.symbol("n", CType::I32));
    let outside = k.le(n, t);
    k.leave_if(outside);
    let barrier = k.barrier();
    let outcome = k.diverges(barrier, Some(0));
    let found = assert_diverges(&outcome);
    assert!(found.exact && found.exits_early);
}

#[test]
fn trip_count_of_the_thread() {
    // for (i = 0; i < t; i++) __syncthreads();
    let mut k = Kernel::new(dim(64), dim(1));
    let (t, n) = (k.t(), k.symbol("n", CType::I32));
    let mut barrier = PointId(0);
    k.count(0, t, 1, |k, _| barrier = k.barrier());
    assert!(assert_diverges(&k.diverges(barrier, Some(0))).exact);
    // for (i = 0; i < n; i++): the same for all.
    k.count(0, n, 1, |k, _| barrier = k.barrier());
    assert_uniform(&k.diverges(barrier, Some(0)));
}

#[test]
fn leaving_in_an_earlier_iteration() {
    // for (i = 0; i < n; i++) { __syncthreads(); if (t == i) break; }
    let mut k = Kernel::new(dim(64), dim(1));
    let (t, n) = (k.t(), k.symbol("n", CType::I32));
    let (mut barrier, mut leaving) = (PointId(0), PointId(0));
    k.count(0, n, 1, |k, i| {
        barrier = k.barrier();
        let own = k.eq(t, i);
        leaving = k.break_if(own);
    });
    let id = BarrierId(0);
    let outcome = k.diverges_at(id, GuardCause::Break, leaving, None);
    let found = assert_diverges(&outcome);
    assert!(found.exact);
    assert_eq!(found.witness.threads[1].thread[0], 0);
    // A break that no thread takes.
    let mut k = Kernel::new(dim(64), dim(1));
    let t = k.t();
    let end = k.int(4);
    k.count(0, end, 1, |k, i| {
        k.barrier();
        let far = k.add_int(t, 10);
        let never = k.eq(far, i);
        leaving = k.break_if(never);
    });
    assert_uniform(&k.diverges_at(id, GuardCause::Break, leaving, None));
}

#[test]
fn data_decides() {
    // if (q[0]) barrier is uniform when q is stable; if (q[t]) is not.
    let mut k = Kernel::new(dim(64), dim(1));
    let q = k.global("q");
    let (zero, t) = (k.int(0), k.t());
    let (read, value) = k.read(q, zero);
    k.derived.stable_load.push(StableLoadRow {
        access: read,
        scope: Scope::Grid,
    });
    let (own_read, own) = k.read(q, t);
    k.derived.stable_load.push(StableLoadRow {
        access: own_read,
        scope: Scope::Grid,
    });
    let (given, own_given) = (k.facts.terms.as_bool(value), k.facts.terms.as_bool(own));
    let (mut common, mut each) = (PointId(0), PointId(0));
    k.when(given, |k| common = k.barrier());
    k.when(own_given, |k| each = k.barrier());
    assert_uniform(&k.diverges(common, Some(0)));
    let outcome = k.diverges(each, Some(0));
    let found = assert_diverges(&outcome);
    assert!(!found.exact);
    assert_eq!(found.abstractions[0].text, "value read from q");
}

#[test]
fn warp_barrier_asks_for_lanes_of_its_mask() {
    // if (t < 16) __syncwarp(0xffff); lanes 16… are not named
    let mut k = Kernel::new(dim(64), dim(1));
    let (t, sixteen) = (k.leaf(Op::TidX), k.constant(16, CType::U32));
    let low = k.lt(t, sixteen);
    let mask = k.constant(0xffff, CType::U32);
    let all = k.constant(0xffff_ffff, CType::U32);
    let (mut named, mut whole) = (PointId(0), PointId(0));
    k.when(low, |k| named = k.barrier_of(BarrierKind::Warp, Some(mask)));
    k.when(low, |k| whole = k.barrier_of(BarrierKind::Warp, Some(all)));
    assert_uniform(&k.diverges(named, Some(0)));
    assert_diverges(&k.diverges(whole, Some(0)));
}
