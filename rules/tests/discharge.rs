//! Each discharge rule where it fires, and the near miss where it must not.

mod common;

use common::{Builder, Stmt};
use warplog_facts::derived::CandidateRaceRow;
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

const READ: AccessKind = AccessKind::Read;
const WRITE: AccessKind = AccessKind::Write;
const SYNC: Stmt = Stmt::Barrier(BarrierKind::Block);

/// The candidates and the names of the rules that discharged the rest.
fn judged(builder: Builder) -> (Vec<CandidateRaceRow>, Vec<String>) {
    let derived = derive(&builder.finish(), &Options::default());
    let mut rules: Vec<String> = derived
        .discarded_race
        .into_iter()
        .map(|row| row.rule)
        .collect();
    rules.sort();
    rules.dedup();
    (derived.candidate_race, rules)
}

fn all_discharged(builder: Builder, rules: &[&str]) {
    let (open, found) = judged(builder);
    assert_eq!(open, [], "open pairs; discharged by {found:?}");
    assert_eq!(found, rules);
}

fn stays_open(builder: Builder) {
    let (open, rules) = judged(builder);
    assert!(!open.is_empty(), "all discharged by {rules:?}");
}

/// `s[t] = …` with elements of the given size and an access of the given width.
fn own_element(stride: i128, bytes: u32) -> Builder {
    let mut b = Builder::line(64, 1);
    let s = b.array(Space::Shared);
    let t = b.tid();
    let index = b.mul(t, stride);
    b.body(&[Stmt::Access(WRITE, s, index, bytes)]);
    b
}

#[test]
fn d7_each_thread_its_own_element() {
    all_discharged(own_element(4, 4), &["same-injective-index"]);
    // memcpy(&s[t], &v, 8) on int s: wider than the element.
    stays_open(own_element(4, 8));
    all_discharged(own_element(-4, 4), &["same-injective-index"]);
}

#[test]
fn d7_needs_the_whole_thread_identity() {
    for (with_y, extent) in [(false, 8), (true, 8), (true, 7)] {
        let mut b = Builder::new([Some(8), Some(8), Some(1)], [Some(1), Some(1), Some(1)]);
        let s = b.array(Space::Shared);
        let (x, y) = (b.leaf(Op::TidX), b.leaf(Op::TidY));
        let mut index = b.mul(x, 4);
        if with_y {
            let row = b.mul(y, 4 * extent);
            index = b.add(index, row);
        }
        b.body(&[Stmt::Access(WRITE, s, index, 4)]);
        if with_y && extent >= 8 {
            all_discharged(b, &["same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// `s[(y * bdx + x)]` with a symbolic block, and with a row that is too short.
#[test]
fn d7_symbolic_rows() {
    for short in [false, true] {
        let mut b = Builder::new([None, None, Some(1)], [Some(1), Some(1), Some(1)]);
        let s = b.array(Space::Shared);
        let (x, y, mut row) = (b.leaf(Op::TidX), b.leaf(Op::TidY), b.leaf(Op::BdimX));
        if short {
            row = b.opi(Op::Sub, row, 1);
        }
        let base = b.op(Op::Mul, y, row);
        let sum = b.add(base, x);
        let index = b.mul(sum, 4);
        b.body(&[Stmt::Access(WRITE, s, index, 4)]);
        if short {
            stays_open(b);
        } else {
            all_discharged(b, &["same-injective-index"]);
        }
    }
}

/// `g[(b * bdx + t) * 4 + j]`, j below 4 and below 5.
#[test]
fn d7_between_blocks_with_a_private_row() {
    for columns in [4, 5] {
        let mut b = Builder::new([None, Some(1), Some(1)], [None, Some(1), Some(1)]);
        let g = b.array(Space::Global);
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.opi(Op::Lt, iter, columns);
        let global = b.global_id();
        let row = b.mul(global, 16);
        let column = b.mul(iter, 4);
        let index = b.add(row, column);
        b.body(&[Stmt::Loop(
            id,
            condition,
            vec![Stmt::Access(WRITE, g, index, 4)],
        )]);
        if columns == 4 {
            all_discharged(b, &["same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// `for (k = b * bdx + t; k < n; k += gdx * bdx) g[k] = …;`
#[test]
fn d7_grid_stride_loop() {
    for whole in [true, false] {
        let mut b = Builder::new([None, Some(1), Some(1)], [None, Some(1), Some(1)]);
        let g = b.array(Space::Global);
        let n = b.symbol("n");
        let id = b.new_loop();
        let iter = b.iter(id);
        let (bdx, gdx) = (b.leaf(Op::BdimX), b.leaf(Op::GdimX));
        let step = if whole { b.op(Op::Mul, bdx, gdx) } else { bdx };
        let far = b.op(Op::Mul, step, iter);
        let global = b.global_id();
        let k = b.add(global, far);
        let condition = b.op(Op::Lt, k, n);
        let index = b.mul(k, 4);
        b.body(&[Stmt::Loop(
            id,
            condition,
            vec![Stmt::Access(WRITE, g, index, 4)],
        )]);
        if whole {
            all_discharged(b, &["same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// `if (col < w) g[row * w + col] = …;` with 2-D blocks and grids; and without the guard.
#[test]
fn d7_rows_bounded_by_a_guard() {
    for guarded in [true, false] {
        let mut b = Builder::new([None, None, Some(1)], [None, None, Some(1)]);
        let g = b.array(Space::Global);
        let w = b.symbol("w");
        let mut global = |tid, bid, bdim| {
            let (t, k, d) = (b.leaf(tid), b.leaf(bid), b.leaf(bdim));
            let base = b.op(Op::Mul, k, d);
            b.add(base, t)
        };
        let col = global(Op::TidX, Op::BidX, Op::BdimX);
        let row = global(Op::TidY, Op::BidY, Op::BdimY);
        let condition = b.op(Op::Lt, col, w);
        let far = b.op(Op::Mul, row, w);
        let sum = b.add(far, col);
        let index = b.mul(sum, 4);
        let access = Stmt::Access(WRITE, g, index, 4);
        if guarded {
            b.body(&[Stmt::If(condition, vec![access], vec![])]);
            all_discharged(b, &["same-injective-index"]);
        } else {
            b.body(&[access]);
            stays_open(b);
        }
    }
}

/// `s[t / 32 * 40 + t % 32] = …;` and with rows that overlap.
#[test]
fn d7_warp_and_lane() {
    for pitch in [40, 31] {
        let mut b = Builder::line(128, 1);
        let s = b.array(Space::Shared);
        let t = b.tid();
        let (warp, lane) = (b.opi(Op::Div, t, 32), b.opi(Op::Rem, t, 32));
        let row = b.mul(warp, 4 * pitch);
        let column = b.mul(lane, 4);
        let index = b.add(row, column);
        b.body(&[Stmt::Access(WRITE, s, index, 4)]);
        if pitch == 40 {
            all_discharged(b, &["same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// `for (i…) s[t + i] = t;`: injective in an iteration, not across.
#[test]
fn d7_not_across_iterations() {
    for barrier in [false, true] {
        let mut b = Builder::line(64, 1);
        let s = b.array(Space::Shared);
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.opi(Op::Lt, iter, 4);
        let t = b.tid();
        let sum = b.add(t, iter);
        let index = b.mul(sum, 4);
        let mut body = vec![Stmt::Access(WRITE, s, index, 4)];
        body.extend(barrier.then_some(SYNC));
        b.body(&[Stmt::Loop(id, condition, body)]);
        if barrier {
            all_discharged(b, &["same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// A barrier that is not on every path: iterations two apart meet.
#[test]
fn d7_not_round_a_conditional_barrier() {
    let mut b = Builder::line(64, 1);
    let s = b.array(Space::Shared);
    let id = b.new_loop();
    let iter = b.iter(id);
    let condition = b.opi(Op::Lt, iter, 10);
    let half = b.opi(Op::Div, iter, 2);
    let t = b.tid();
    let sum = b.add(t, half);
    let index = b.mul(sum, 4);
    let rem = b.opi(Op::Rem, iter, 4);
    let last = b.opi(Op::Eq, rem, 3);
    b.body(&[Stmt::Loop(
        id,
        condition,
        vec![
            Stmt::Access(WRITE, s, index, 4),
            Stmt::If(last, vec![SYNC], vec![]),
        ],
    )]);
    stays_open(b);
}

#[test]
fn d5_even_and_odd_elements() {
    for (width, offset) in [(4, 4), (4, 2), (8, 4)] {
        let mut b = Builder::line(64, 1);
        let (s, n) = (b.array(Space::Shared), b.symbol("n"));
        let even = b.mul(n, 8);
        let t = b.tid();
        let odd = b.mul(t, 8);
        let odd = b.opi(Op::Add, odd, offset);
        b.body(&[
            Stmt::Access(READ, s, even, 4),
            Stmt::Access(READ, s, odd, 4),
            SYNC,
            Stmt::Access(READ, s, even, 4),
            Stmt::Access(WRITE, s, odd, width),
        ]);
        let (open, rules) = judged(b);
        assert_eq!(open.is_empty(), (width, offset) == (4, 4), "{rules:?}");
        assert_eq!(
            rules.contains(&"separated-residues".to_owned()),
            (width, offset) == (4, 4)
        );
    }
}

/// `if (t < k) s[t] += s[t + k];` with k halved each round and a barrier: all by rule; without the
/// barrier, or with `<=`, not.
#[test]
fn d6_tree_reduction() {
    for (op, barrier) in [(Op::Lt, true), (Op::Le, true), (Op::Lt, false)] {
        let mut b = Builder::new([None, Some(1), Some(1)], [None, Some(1), Some(1)]);
        let s = b.array(Space::Shared);
        let id = b.new_loop();
        let iter = b.iter(id);
        let extent = b.leaf(Op::BdimX);
        let half = b.opi(Op::Div, extent, 2);
        let k = b.facts.terms.power(Op::DivPow, CType::I64, 2, half, iter);
        let condition = b.opi(Op::Lt, k, 1);
        let condition = b.facts.terms.not(condition);
        let t = b.tid();
        let guard = b.op(op, t, k);
        let (own, sum) = (b.mul(t, 4), b.add(t, k));
        let other = b.mul(sum, 4);
        let step = vec![
            Stmt::Access(READ, s, other, 4),
            Stmt::Access(READ, s, own, 4),
            Stmt::Access(WRITE, s, own, 4),
        ];
        let mut body = vec![Stmt::If(guard, step, vec![])];
        body.extend(barrier.then_some(SYNC));
        b.body(&[
            Stmt::Access(WRITE, s, own, 4),
            SYNC,
            Stmt::Loop(id, condition, body),
        ]);
        if (op, barrier) == (Op::Lt, true) {
            all_discharged(b, &["disjoint-ranges", "same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// `s[t] = s[t + bdx];` with a symbolic block.
#[test]
fn d6_the_other_half() {
    for short in [0, 1] {
        let mut b = Builder::new([None, Some(1), Some(1)], [Some(1), Some(1), Some(1)]);
        let s = b.array(Space::Shared);
        let (t, extent) = (b.tid(), b.leaf(Op::BdimX));
        let extent = b.opi(Op::Sub, extent, short);
        let sum = b.add(t, extent);
        let (own, other) = (b.mul(t, 4), b.mul(sum, 4));
        b.body(&[
            Stmt::Access(READ, s, other, 4),
            Stmt::Access(WRITE, s, own, 4),
        ]);
        if short == 0 {
            all_discharged(b, &["disjoint-ranges", "same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

#[test]
fn d8_one_thread_within_a_block_not_between_blocks() {
    let mut b = Builder::line(64, 2);
    let (g, zero) = (b.array(Space::Global), b.int(0));
    let t = b.tid();
    let first = b.opi(Op::Eq, t, 0);
    b.body(&[Stmt::If(
        first,
        vec![Stmt::Access(WRITE, g, zero, 4)],
        vec![],
    )]);
    let (open, rules) = judged(b);
    assert_eq!(rules, ["one-thread-only"]);
    let scopes: Vec<PairScope> = open.iter().map(|row| row.scope).collect();
    assert_eq!(scopes, [PairScope::Grid]);
}

#[test]
fn d8_a_shared_thread_number() {
    let mut b = Builder::line(64, 1);
    let (s, zero, n) = (b.array(Space::Shared), b.int(0), b.symbol("n"));
    let t = b.tid();
    let chosen = b.op(Op::Eq, t, n);
    b.body(&[Stmt::If(
        chosen,
        vec![Stmt::Access(WRITE, s, zero, 4)],
        vec![],
    )]);
    all_discharged(b, &["one-thread-only"]);
}

/// `for (i…) if (t == i) s[0] = t;`: pins another thread in the next iteration.
#[test]
fn d8_not_across_iterations() {
    let mut b = Builder::line(64, 1);
    let (s, zero) = (b.array(Space::Shared), b.int(0));
    let id = b.new_loop();
    let iter = b.iter(id);
    let condition = b.opi(Op::Lt, iter, 64);
    let t = b.tid();
    let chosen = b.op(Op::Eq, t, iter);
    let write = Stmt::If(chosen, vec![Stmt::Access(WRITE, s, zero, 4)], vec![]);
    b.body(&[Stmt::Loop(id, condition, vec![write])]);
    stays_open(b);
}

/// 8 by 8: `if (threadIdx.x == 0)` is a column of threads.
#[test]
fn d8_needs_every_axis() {
    let mut b = Builder::new([Some(8), Some(8), Some(1)], [Some(1), Some(1), Some(1)]);
    let (s, zero) = (b.array(Space::Shared), b.int(0));
    let t = b.tid();
    let first = b.opi(Op::Eq, t, 0);
    b.body(&[Stmt::If(
        first,
        vec![Stmt::Access(WRITE, s, zero, 4)],
        vec![],
    )]);
    stays_open(b);
}

/// `if (i & 1) s[t] = i; else x = s[63 - t];` in a loop: contradictory only in one iteration.
#[test]
fn d3_only_in_one_iteration() {
    for barrier in [false, true] {
        let mut b = Builder::line(64, 1);
        let s = b.array(Space::Shared);
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.opi(Op::Lt, iter, 2);
        let odd = b.opi(Op::Rem, iter, 2);
        let odd = b.facts.terms.as_bool(odd);
        let t = b.tid();
        let own = b.mul(t, 4);
        let last = b.int(252);
        let other = b.op(Op::Sub, last, own);
        let mut body = vec![Stmt::If(
            odd,
            vec![Stmt::Access(WRITE, s, own, 4)],
            vec![Stmt::Access(READ, s, other, 4)],
        )];
        body.extend(barrier.then_some(SYNC));
        b.body(&[Stmt::Loop(id, condition, body)]);
        if barrier {
            all_discharged(b, &["contradictory-guards", "same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// A condition on the thread is no contradiction: two threads take two arms.
#[test]
fn d3_only_for_shared_conditions() {
    let mut b = Builder::line(64, 1);
    let (s, zero) = (b.array(Space::Shared), b.int(0));
    let t = b.tid();
    let first = b.opi(Op::Lt, t, 1);
    b.body(&[Stmt::If(
        first,
        vec![Stmt::Access(WRITE, s, zero, 4)],
        vec![Stmt::Access(READ, s, zero, 4)],
    )]);
    stays_open(b);
}

#[test]
fn d4_the_same_value() {
    for case in 0..3 {
        let mut b = Builder::line(64, 1);
        let (s, zero, one) = (b.array(Space::Shared), b.int(0), b.int(1));
        let t = b.tid();
        let value = if case == 1 { t } else { one };
        let index = if case == 2 { b.mul(t, 1) } else { zero };
        b.body(&[Stmt::Store(s, index, 4, value)]);
        if case == 0 {
            all_discharged(b, &["same-value"]);
        } else {
            // The thread's own value; the same value in overlapping words.
            stays_open(b);
        }
    }
}

/// A constant written by all hides nothing else: `s[0] = 1;` beside `s[t] = t`.
#[test]
fn d4_is_for_one_pair() {
    let mut b = Builder::line(64, 1);
    let (s, zero, one) = (b.array(Space::Shared), b.int(0), b.int(1));
    let t = b.tid();
    let own = b.mul(t, 4);
    b.body(&[Stmt::Store(s, zero, 4, one), Stmt::Store(s, own, 4, t)]);
    let (open, _) = judged(b);
    assert_eq!(open.len(), 1);
    assert_ne!(open[0].first, open[0].second);
}

#[test]
fn d2_atomics() {
    for case in 0..3 {
        let mut b = Builder::line(64, 2);
        let (g, zero, two) = (b.array(Space::Global), b.int(0), b.int(2));
        let atomic = |index, bytes| Stmt::Access(AccessKind::Atomic, g, index, bytes);
        let second = match case {
            0 => atomic(zero, 4),
            1 => atomic(two, 4),
            _ => Stmt::Access(WRITE, g, zero, 4),
        };
        b.body(&[atomic(zero, 4), second]);
        if case == 0 {
            all_discharged(b, &["atomic-with-atomic"]);
        } else {
            stays_open(b);
        }
    }
}

#[test]
fn d2_needs_the_scope_of_the_other_thread() {
    let mut b = Builder::line(64, 2);
    let (g, zero) = (b.array(Space::Global), b.int(0));
    b.body(&[Stmt::Access(AccessKind::Atomic, g, zero, 4)]);
    b.facts.access[0].scope = Scope::Block;
    let (open, rules) = judged(b);
    assert_eq!(rules, ["atomic-with-atomic"]);
    assert!(open.iter().all(|row| row.scope == PairScope::Grid) && open.len() == 1);
}

#[test]
fn d1_no_two_threads() {
    let mut b = Builder::line(1, 1);
    let (g, zero) = (b.array(Space::Global), b.int(0));
    b.body(&[Stmt::Access(WRITE, g, zero, 4)]);
    all_discharged(b, &["single-block", "single-thread"]);
}

/// `s[t] = …; __syncwarp(); x = s[t ^ 1]`: between lanes of a warp the barrier counts, between
/// warps it does not.
#[test]
fn warp_barriers_separate_lanes_only() {
    let mut b = Builder::line(64, 1);
    let s = b.array(Space::Shared);
    let t = b.tid();
    let own = b.mul(t, 4);
    let partner = b.opi(Op::BitXor, t, 32);
    let other = b.mul(partner, 4);
    b.body(&[
        Stmt::Access(WRITE, s, own, 4),
        Stmt::Barrier(BarrierKind::Warp),
        Stmt::Access(READ, s, other, 4),
    ]);
    let (open, _) = judged(b);
    assert!(open.iter().all(|row| row.scope == PairScope::InterWarp) && open.len() == 1);
}

/// A single warp: nothing between warps.
#[test]
fn d1_single_warp() {
    let mut b = Builder::line(32, 1);
    let (s, zero) = (b.array(Space::Shared), b.int(0));
    b.body(&[
        Stmt::Access(WRITE, s, zero, 4),
        Stmt::Barrier(BarrierKind::Warp),
    ]);
    let (open, rules) = judged(b);
    assert_eq!(rules, ["single-warp"]);
    assert!(open.iter().all(|row| row.scope == PairScope::Warp));
}

/// Blocks are in different iterations: `for (i…) { if (!t) g[b + i] = b; __syncthreads(); }`.
#[test]
fn nothing_aligns_between_blocks() {
    let mut b = Builder::line(64, 2);
    let g = b.array(Space::Global);
    let id = b.new_loop();
    let iter = b.iter(id);
    let condition = b.opi(Op::Lt, iter, 4);
    let (t, block) = (b.tid(), b.bid());
    let first = b.opi(Op::Eq, t, 0);
    let sum = b.add(block, iter);
    let index = b.mul(sum, 4);
    b.body(&[Stmt::Loop(
        id,
        condition,
        vec![
            Stmt::If(first, vec![Stmt::Access(WRITE, g, index, 4)], vec![]),
            SYNC,
        ],
    )]);
    let (open, _) = judged(b);
    assert!(!open.is_empty() && open.iter().all(|row| row.scope == PairScope::Grid));
}

/// A load that is equal within a block is not equal between blocks.
#[test]
fn a_shared_variable_differs_between_blocks() {
    let mut b = Builder::line(64, 2);
    let (o, g, zero) = (b.array(Space::Shared), b.array(Space::Global), b.int(0));
    let (t, block) = (b.tid(), b.bid());
    let first = b.opi(Op::Eq, t, 0);
    let store = Stmt::If(first, vec![Stmt::Store(o, zero, 4, block)], vec![]);
    b.body(&[store, SYNC, Stmt::Access(READ, o, zero, 4)]);
    let load = b.facts.terms.load(AccessId(1), zero, CType::I64);
    let difference = b.op(Op::Sub, block, load);
    let index = b.mul(difference, 4);
    b.body(&[Stmt::If(
        first,
        vec![Stmt::Access(WRITE, g, index, 4)],
        vec![],
    )]);
    let (open, rules) = judged(b);
    assert!(
        open.iter().all(|row| row.scope == PairScope::Grid) && open.len() == 1,
        "{rules:?}"
    );
}

/// Unsigned wrap: `if (t - 1u > 30u) s[0] = t;` holds for t = 0 and for t = 32.
#[test]
fn wrapping_terms_are_no_ranges() {
    let mut b = Builder::line(33, 1);
    let (s, zero) = (b.array(Space::Shared), b.int(0));
    let leaf = b.facts.terms.builtin(Op::TidX);
    let (one, thirty) = (
        b.facts.terms.constant(1, CType::U32),
        b.facts.terms.constant(30, CType::U32),
    );
    let less = b.facts.terms.binary(Op::Sub, CType::U32, leaf, one);
    let guard = b.facts.terms.binary(Op::Lt, CType::Bool, thirty, less);
    b.body(&[Stmt::If(
        guard,
        vec![Stmt::Access(WRITE, s, zero, 4)],
        vec![],
    )]);
    stays_open(b);
}

/// An exited thread's accesses race with later ones.
#[test]
fn an_early_exit_reaches_later_intervals() {
    for uniform in [false, true] {
        let mut b = Builder::line(64, 1);
        let s = b.array(Space::Shared);
        let n = b.symbol("n");
        let t = b.tid();
        let own = b.mul(t, 4);
        let last = b.int(252);
        let other = b.op(Op::Sub, last, own);
        let subject = if uniform { n } else { t };
        let condition = b.opi(Op::Lt, subject, 8);
        b.body(&[
            Stmt::Access(WRITE, s, own, 4),
            Stmt::Return(condition),
            SYNC,
            Stmt::Access(READ, s, other, 4),
        ]);
        if uniform {
            all_discharged(b, &["same-injective-index"]);
        } else {
            let (open, _) = judged(b);
            assert_eq!(open.len(), 1);
            assert!(open[0].exit.is_some() && open[0].first == AccessId(0));
        }
    }
}

/// Options leave out the pairs that are not asked for.
#[test]
fn options_choose_the_scopes() {
    for (intra, inter) in [(true, false), (false, true), (false, false)] {
        let mut b = Builder::line(64, 2);
        let (g, zero) = (b.array(Space::Global), b.int(0));
        b.body(&[Stmt::Access(WRITE, g, zero, 4)]);
        let options = Options {
            only_intra_block: intra,
            only_inter_block: inter,
            report_benign: false,
        };
        let derived = derive(&b.finish(), &options);
        let scopes: Vec<PairScope> = derived.candidate_race.iter().map(|row| row.scope).collect();
        let expected = [(!inter, PairScope::Block), (!intra, PairScope::Grid)];
        let expected: Vec<PairScope> = expected
            .into_iter()
            .filter(|row| row.0)
            .map(|row| row.1)
            .collect();
        assert_eq!(scopes, expected);
    }
}

/// Equal accesses are grouped, and the group still stands against itself.
#[test]
fn equal_writes_race_with_themselves() {
    let mut b = Builder::line(64, 1);
    let (s, zero) = (b.array(Space::Shared), b.int(0));
    let write = Stmt::Access(WRITE, s, zero, 4);
    b.body(&[write.clone(), write.clone(), SYNC, write]);
    let derived = derive(&b.finish(), &Options::default());
    let same: Vec<(u32, u32)> = derived
        .same_access
        .iter()
        .map(|row| (row.access.0, row.representative.0))
        .collect();
    assert_eq!(same, [(1, 0)]);
    let pairs: Vec<(u32, u32)> = derived
        .candidate_race
        .iter()
        .map(|row| (row.first.0, row.second.0))
        .collect();
    assert_eq!(pairs, [(0, 0), (2, 2)]);
}

/// `for (i = 0; i < n; i++) { s[t] = …; __syncthreads(); } x = s[63 - t];`: the write of an iteration that the reader's loop did not have; with a bound of the thread's own
/// there is no such contradiction.
#[test]
fn d9_after_the_loop() {
    for own in [false, true] {
        let mut b = Builder::line(64, 1);
        let (s, last, n) = (b.array(Space::Shared), b.int(252), b.symbol("n"));
        let id = b.new_loop();
        let iter = b.iter(id);
        let t = b.tid();
        let condition = b.op(Op::Lt, iter, if own { t } else { n });
        let index = b.mul(t, 4);
        let write = Stmt::Access(WRITE, s, index, 4);
        let other = b.op(Op::Sub, last, index);
        b.body(&[
            Stmt::Loop(id, condition, vec![write, SYNC]),
            Stmt::Access(READ, s, other, 4),
        ]);
        if own {
            stays_open(b);
        } else {
            all_discharged(b, &["same-injective-index", "same-trip-count"]);
        }
    }
}

/// A loop that is also left by `break`: on one path if all threads take it, otherwise one thread may
/// be behind the loop while another writes in it.
#[test]
fn d11_a_loop_with_a_break() {
    for uniform in [true, false] {
        let mut b = Builder::line(64, 1);
        let (s, last, n) = (b.array(Space::Shared), b.int(252), b.symbol("n"));
        let m = b.symbol("m");
        let id = b.new_loop();
        let iter = b.iter(id);
        let t = b.tid();
        let condition = b.op(Op::Lt, iter, n);
        let leaves = b.op(Op::Eq, iter, if uniform { m } else { t });
        let index = b.mul(t, 4);
        let other = b.op(Op::Sub, last, index);
        b.body(&[
            Stmt::Loop(
                id,
                condition,
                vec![Stmt::Break(leaves), Stmt::Access(WRITE, s, index, 4), SYNC],
            ),
            Stmt::Access(READ, s, other, 4),
        ]);
        if uniform {
            all_discharged(b, &["not-on-one-path", "same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// Bitonic exchange, `if (t < (t ^ j)) { x = s[t]; s[t ^ j] = x; }`; without the guard both of a
/// pair exchange.
#[test]
fn d10_partners_of_one_exchange() {
    for guarded in [true, false] {
        let mut b = Builder::line(64, 1);
        let (s, j) = (b.array(Space::Shared), b.symbol("j"));
        let t = b.tid();
        let partner = b.op(Op::BitXor, t, j);
        let (own, other) = (b.mul(t, 4), b.mul(partner, 4));
        let guard = b.op(Op::Lt, t, partner);
        let exchange = vec![
            Stmt::Access(READ, s, own, 4),
            Stmt::Access(WRITE, s, other, 4),
        ];
        if guarded {
            b.body(&[Stmt::If(guard, exchange, vec![])]);
            all_discharged(b, &["exchanged-partners", "same-injective-index"]);
        } else {
            b.body(&exchange);
            stays_open(b);
        }
    }
}

/// `for (k…) for (j…) { s[t ^ k] = …; __syncthreads(); }`: one thread cannot be in the next round of k
/// while the other is in the inner loop of this one. With an inner bound of the thread's own it can.
#[test]
fn uniform_nested_loops_are_in_step() {
    for own in [false, true] {
        let mut b = Builder::line(64, 1);
        let (s, n) = (b.array(Space::Shared), b.symbol("n"));
        let (outer, inner) = (b.new_loop(), b.new_loop());
        let (k, j, t) = (b.iter(outer), b.iter(inner), b.tid());
        let rounds = b.opi(Op::Lt, k, 5);
        let steps = b.op(Op::Lt, j, if own { t } else { n });
        let sum = b.add(t, k);
        let index = b.mul(sum, 4);
        b.body(&[Stmt::Loop(
            outer,
            rounds,
            vec![Stmt::Loop(
                inner,
                steps,
                vec![Stmt::Access(WRITE, s, index, 4), SYNC],
            )],
        )]);
        if own {
            stays_open(b);
        } else {
            all_discharged(b, &["same-injective-index"]);
        }
    }
}

/// `if (t < 32) { s[t] = …; __syncwarp(); x = s[t ^ 1]; }`: only one warp; with 48 threads two.
#[test]
fn d12_one_warp() {
    for threads in [32, 48] {
        let mut b = Builder::line(128, 1);
        let (s, zero) = (b.array(Space::Shared), b.int(0));
        let t = b.tid();
        let guard = b.opi(Op::Lt, t, threads);
        b.body(&[Stmt::If(
            guard,
            vec![
                Stmt::Access(WRITE, s, zero, 4),
                Stmt::Barrier(BarrierKind::Warp),
            ],
            vec![],
        )]);
        let (open, rules) = judged(b);
        let scopes: Vec<PairScope> = open.iter().map(|row| row.scope).collect();
        if threads == 32 {
            assert_eq!(scopes, [PairScope::Warp]);
            assert_eq!(rules, ["one-warp-only"]);
        } else {
            assert_eq!(scopes, [PairScope::Warp, PairScope::InterWarp]);
        }
    }
}

/// `s[(t + i) & 63] = …` in a block of 64, and of 65.
#[test]
fn d7_rotation() {
    for threads in [64, 65] {
        let mut b = Builder::line(threads, 1);
        let (s, i) = (b.array(Space::Shared), b.symbol("i"));
        let low = b.opi(Op::BitAnd, i, 1023);
        let t = b.tid();
        let sum = b.add(t, low);
        let rest = b.opi(Op::BitAnd, sum, 63);
        let index = b.mul(rest, 4);
        b.body(&[Stmt::Access(WRITE, s, index, 4)]);
        if threads == 64 {
            all_discharged(b, &["same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// `if (t % 2 == 0) { x = s[t + 1]; s[t] = x; }`; and with neighbours two apart.
#[test]
fn d5_residues_by_guard() {
    for distance in [1, 2] {
        let mut b = Builder::line(64, 1);
        let s = b.array(Space::Shared);
        let t = b.tid();
        let rem = b.opi(Op::Rem, t, 2);
        let even = b.opi(Op::Eq, rem, 0);
        let sum = b.opi(Op::Add, t, distance);
        let (own, next) = (b.mul(t, 4), b.mul(sum, 4));
        b.body(&[Stmt::If(
            even,
            vec![
                Stmt::Access(READ, s, next, 4),
                Stmt::Access(WRITE, s, own, 4),
            ],
            vec![],
        )]);
        if distance == 1 {
            all_discharged(b, &["same-injective-index", "separated-residues"]);
        } else {
            stays_open(b);
        }
    }
}

/// `x = s[p * 64 + 63 - t]; s[(1 - p) * 64 + t] = x; __syncthreads(); p = 1 - p;`; and with halves
/// that overlap.
#[test]
fn d6_double_buffer() {
    for half in [64, 62] {
        let mut b = Builder::line(64, 1);
        let (s, n) = (b.array(Space::Shared), b.symbol("n"));
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.op(Op::Lt, iter, n);
        let p = b.opi(Op::BitAnd, iter, 1);
        let (one, last) = (b.int(1), b.int(63));
        let t = b.tid();
        let q = b.op(Op::Sub, one, p);
        let (mirror, from, to) = (b.op(Op::Sub, last, t), b.mul(p, half), b.mul(q, half));
        let (from, to) = (b.add(from, mirror), b.add(to, t));
        let (from, to) = (b.mul(from, 4), b.mul(to, 4));
        b.body(&[Stmt::Loop(
            id,
            condition,
            vec![
                Stmt::Access(READ, s, from, 4),
                Stmt::Access(WRITE, s, to, 4),
                SYNC,
            ],
        )]);
        if half == 64 {
            all_discharged(b, &["disjoint-ranges", "same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// `for (k = 1; k < n; k *= 2) if (2 * k * t < n) s[2 * k * t] += s[2 * k * t + k];` with barriers.
#[test]
fn d7_strides_that_are_powers() {
    for start in [1, 0] {
        let mut b = Builder::new([None, Some(1), Some(1)], [Some(1), Some(1), Some(1)]);
        let s = b.array(Space::Shared);
        let id = b.new_loop();
        let iter = b.iter(id);
        let (t, extent, start_term) = (b.tid(), b.leaf(Op::BdimX), b.int(start));
        let k = b
            .facts
            .terms
            .power(Op::MulPow, CType::I64, 2, start_term, iter);
        let condition = b.op(Op::Lt, k, extent);
        let product = b.op(Op::Mul, k, t);
        let own = b.mul(product, 2);
        let next = b.add(own, k);
        let guard = b.op(Op::Lt, own, extent);
        let (own, next) = (b.mul(own, 4), b.mul(next, 4));
        let step = vec![
            Stmt::Access(READ, s, next, 4),
            Stmt::Access(READ, s, own, 4),
            Stmt::Access(WRITE, s, own, 4),
        ];
        b.body(&[Stmt::Loop(
            id,
            condition,
            vec![Stmt::If(guard, step, vec![]), SYNC],
        )]);
        if start == 1 {
            all_discharged(b, &["factored-residues", "same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// The halo of a tile: `s[y + 1][x + 1] = …; if (x == 15) s[y + 1][17] = …;`; and in column 16.
#[test]
fn d6_halo_columns() {
    for column in [17, 16] {
        let mut b = Builder::new([Some(16), Some(16), Some(1)], [Some(1), Some(1), Some(1)]);
        let s = b.array(Space::Shared);
        let (x, y) = (b.leaf(Op::TidX), b.leaf(Op::TidY));
        let row = b.mul(y, 72);
        let cell = b.mul(x, 4);
        let cell = b.add(row, cell);
        let inner = b.opi(Op::Add, cell, 4);
        let edge = b.opi(Op::Add, row, 4 * column);
        let last = b.opi(Op::Eq, x, if column == 17 { 15 } else { 0 });
        b.body(&[
            Stmt::Access(WRITE, s, inner, 4),
            Stmt::If(last, vec![Stmt::Access(WRITE, s, edge, 4)], vec![]),
        ]);
        if column == 17 {
            all_discharged(b, &["disjoint-ranges", "same-injective-index"]);
        } else {
            stays_open(b);
        }
    }
}

/// `s[o * (2 * t + 2) - 1] += s[o * (2 * t + 1) - 1];` with o = 1, 2, 4 … in a loop; with a factor that may be 0, with one
/// of the thread, and with elements whose distance is no multiple of the factor.
#[test]
fn d14_a_shared_factor() {
    for case in ["shared", "may be 0", "of the thread", "beside it", "wide"] {
        let mut b = Builder::new([None, Some(1), Some(1)], [Some(1), Some(1), Some(1)]);
        let (s, n) = (b.array(Space::Shared), b.symbol("n"));
        let id = b.new_loop();
        let iter = b.iter(id);
        let condition = b.op(Op::Lt, iter, n);
        let t = b.tid();
        let one = b.int(1);
        let start = match case {
            "may be 0" => b.int(0),
            "of the thread" => b.opi(Op::Add, t, 1),
            _ => one,
        };
        let factor = b.facts.terms.power(Op::MulPow, CType::I64, 2, start, iter);
        let twice = b.mul(t, 2);
        let odd = b.opi(Op::Add, twice, 1);
        let even = b.opi(Op::Add, twice, 2);
        let (odd, even) = (b.op(Op::Mul, factor, odd), b.op(Op::Mul, factor, even));
        let even = match case {
            "beside it" => b.opi(Op::Add, even, 1),
            _ => even,
        };
        let (odd, even) = (b.mul(odd, 4), b.mul(even, 4));
        let bytes = if case == "wide" { 8 } else { 4 };
        b.body(&[Stmt::Loop(
            id,
            condition,
            vec![
                Stmt::Access(READ, s, odd, bytes),
                Stmt::Access(WRITE, s, even, bytes),
                SYNC,
            ],
        )]);
        let (open, rules) = judged(b);
        let fired = rules.iter().any(|rule| rule == "factored-residues");
        assert_eq!(fired, case == "shared", "{case}: {rules:?}");
        assert_eq!(open.is_empty(), case == "shared", "{case}: {open:?}");
    }
}

/// `x = b.x * (16 - 2 * h) + t.x, y = …; if (t.x >= h && t.x < 16 - h && … && x < pitch) g[y * pitch + x] = …;`: tiles whose edges
/// are not written; and with edges that are, with a row that is too short, and with tiles one closer to each other.
#[test]
fn d7_tiles_within_their_edges() {
    for case in ["edges", "no lower edge", "short row", "closer", "no pitch"] {
        let mut b = Builder::new([Some(16), Some(16), Some(1)], [Some(4), Some(4), Some(1)]);
        let (g, h, pitch) = (b.array(Space::Global), b.symbol("h"), b.symbol("pitch"));
        let (zero, eight) = (b.int(0), b.int(8));
        let twice = b.mul(h, -2);
        let inner = b.opi(Op::Add, twice, if case == "closer" { 15 } else { 16 });
        let high = {
            let minus = b.mul(h, -1);
            b.opi(Op::Add, minus, 16)
        };
        let mut guards = vec![b.op(Op::Le, zero, h), b.op(Op::Lt, h, eight)];
        let mut at = Vec::new();
        for (tid, bid) in [(Op::TidX, Op::BidX), (Op::TidY, Op::BidY)] {
            let (tid, bid) = (b.leaf(tid), b.leaf(bid));
            let start = b.op(Op::Mul, bid, inner);
            at.push(b.add(start, tid));
            if case != "no lower edge" {
                guards.push(b.op(Op::Le, h, tid));
            }
            guards.push(b.op(Op::Lt, tid, high));
        }
        let limit = b.opi(Op::Add, pitch, i128::from(case == "short row"));
        if case != "no pitch" {
            guards.push(b.op(Op::Lt, at[0], limit));
        }
        let row = b.op(Op::Mul, at[1], pitch);
        let sum = b.add(row, at[0]);
        let index = b.mul(sum, 4);
        let guard = guards
            .into_iter()
            .reduce(|one, other| b.facts.terms.and(one, other))
            .expect("guards");
        let write = Stmt::Access(WRITE, g, index, 4);
        b.body(&[Stmt::If(guard, vec![write], vec![])]);
        let (open, _) = judged(b);
        let between_blocks = open.iter().any(|row| row.scope == PairScope::Grid);
        assert_eq!(between_blocks, case != "edges", "{case}");
    }
}
