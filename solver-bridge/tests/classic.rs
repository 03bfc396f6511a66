//! The index shapes of classic kernels: each is decided, with symbolic sizes where the kernel has them.

mod common;
use common::*;
use warplog_facts::words::*;
use warplog_facts::*;

#[test]
fn global_id_is_injective_between_blocks() {
    // g[blockIdx.x * blockDim.x + threadIdx.x] = …
    let mut k = Kernel::new(SYMBOLIC_1D, SYMBOLIC_1D);
    let g = k.global("g");
    let id = k.global_id();
    let w = k.write(g, id);
    let outcome = k.in_grid(w, w);
    assert_disjoint(&outcome);
    assert!(outcome.rests_on.global_ids);
}

#[test]
fn global_id_without_the_block_races() {
    let mut k = Kernel::new(SYMBOLIC_1D, SYMBOLIC_1D);
    let g = k.global("g");
    let t = k.t();
    let w = k.write(g, t);
    let outcome = k.in_grid(w, w);
    let race = assert_exact_race(&outcome);
    assert_eq!(race.witness.grid_dim, [2, 1, 1]);
    assert_eq!(race.witness.threads[0].thread, [0, 0, 0]);
    assert_disjoint(&k.in_block(w, w));
}

#[test]
fn grid_stride_loop() {
    // for (int i = b * bd + t; i < n; i += bd * gd) g[i] = …
    let mut k = Kernel::new(SYMBOLIC_1D, SYMBOLIC_1D);
    let g = k.global("g");
    let n = k.symbol("n", CType::I32);
    let id = k.global_id();
    let (bd, gd) = (k.bdim_x(), k.gdim_x());
    let stride = k.op(Op::Mul, bd, gd);
    let stride = k.facts.terms.cast(stride, CType::I32);
    let mut w = AccessId(0);
    let index = |k: &mut Kernel, l: LoopId| {
        let iter = k.iter(l);
        let step = k.mul(iter, stride);
        k.add(id, step)
    };
    k.repeat(
        |k, l| {
            let i = index(k, l);
            k.lt(i, n)
        },
        |k, l| {
            let i = index(k, l);
            w = k.write(g, i);
        },
    );
    assert_disjoint(&k.in_grid(w, w));
    assert_disjoint(&k.in_block(w, w));
}

#[test]
fn two_dimensional_tile() {
    // s[(y + 1) * (blockDim.x + 2) + x + 1] = …
    let mut k = Kernel::new([None, None, Some(1)], dim(1));
    let s = k.shared("s");
    let (x, y) = (k.leaf_int(Op::TidX), k.leaf_int(Op::TidY));
    let bdx = k.leaf_int(Op::BdimX);
    let pitch = k.add_int(bdx, 2);
    let row = k.add_int(y, 1);
    let base = k.mul(row, pitch);
    let index = k.add(base, x);
    let index = k.add_int(index, 1);
    let w = k.write(s, index);
    assert_disjoint(&k.in_block(w, w));
    // Pitch blockDim.x − 1 is too small.
    let pitch = k.add_int(bdx, -1);
    let base = k.mul(row, pitch);
    let index = k.add(base, x);
    let w = k.write(s, index);
    assert_exact_race(&k.in_block(w, w));
}

#[test]
fn transpose_with_guards() {
    // x = b.x * bd.x + t.x; y = b.y * bd.y + t.y; if (x < w && y < h) out[y + h * x] = …
    let mut k = Kernel::new([None, None, Some(1)], [None, None, Some(1)]);
    let g = k.global("out");
    let (width, height) = (k.symbol("w", CType::I32), k.symbol("h", CType::I32));
    let coordinate = |k: &mut Kernel, b: Op, d: Op, t: Op| {
        let (b, d, t) = (k.leaf(b), k.leaf(d), k.leaf(t));
        let base = k.op(Op::Mul, b, d);
        let id = k.op(Op::Add, base, t);
        k.facts.terms.cast(id, CType::I32)
    };
    let x = coordinate(&mut k, Op::BidX, Op::BdimX, Op::TidX);
    let y = coordinate(&mut k, Op::BidY, Op::BdimY, Op::TidY);
    let (in_x, in_y) = (k.lt(x, width), k.lt(y, height));
    let mut w = AccessId(0);
    let mut unguarded = AccessId(0);
    let column = k.mul(height, x);
    let index = k.add(y, column);
    k.when(in_x, |k| {
        k.when(in_y, |k| w = k.write(g, index));
        unguarded = k.write(g, index);
    });
    assert_disjoint(&k.in_grid(w, w));
    assert_disjoint(&k.in_block(w, w));
    assert_race(&k.in_grid(unguarded, unguarded));
}

/// for (s = 1; s < blockDim.x; s *= 2) { if (t % (2 * s) == 0) s[t] += s[t + s]; barrier? }
fn reduction_zero(with_barrier: bool) -> (Kernel, LoopId, AccessId, AccessId, PointId) {
    let mut k = Kernel::new(SYMBOLIC_1D, dim(1));
    let s = k.shared("s");
    let t = k.leaf(Op::TidX);
    let bd = k.bdim_x();
    let (mut r, mut w, mut head) = (AccessId(0), AccessId(0), k.entry);
    let iter = k.facts.terms.iter_of(LoopId(0));
    let one = k.constant(1, CType::U32);
    let stride = k.facts.terms.power(Op::MulPow, CType::U32, 2, one, iter);
    let id = k.repeat(
        |k, _| k.lt(stride, bd),
        |k, _| {
            let two = k.constant(2, CType::U32);
            let double = k.mul(stride, two);
            let rest = k.op(Op::Rem, t, double);
            let zero = k.constant(0, CType::U32);
            let own = k.eq(rest, zero);
            k.when(own, |k| {
                let other = k.add(t, stride);
                r = k.read(s, other).0;
                w = k.write(s, t);
            });
            if with_barrier {
                head = k.barrier();
            }
        },
    );
    (k, id, r, w, head)
}

#[test]
fn reduction_zero_symbolic() {
    let (mut k, id, r, w, head) = reduction_zero(true);
    let mut candidate = k.candidate(r, w, PairScope::Block, head);
    candidate.first_carried = Some(id);
    candidate.second_carried = Some(id);
    assert_disjoint(&k.decide(candidate));
    // From the entry: the first iteration.
    assert_disjoint(&k.in_block(r, w));
}

#[test]
fn reduction_zero_without_barrier() {
    // The read of a later iteration meets the write of an earlier one.
    let (mut k, _, r, w, _) = reduction_zero(false);
    let outcome = k.in_block(r, w);
    let race = assert_exact_race(&outcome);
    let ordinals = [0, 1].map(|side| race.witness.threads[side].iterations[0].ordinal);
    assert!(ordinals[0] > ordinals[1], "{ordinals:?}");
}

#[test]
fn sequential_addressing_from_half_the_block() {
    // for (s = blockDim.x / 2; s > 0; s >>= 1) { if (t < s) s[t] += s[t + s]; barrier }
    let mut k = Kernel::new(SYMBOLIC_1D, dim(1));
    let s = k.shared("s");
    let t = k.leaf(Op::TidX);
    let bd = k.bdim_x();
    let two = k.constant(2, CType::U32);
    let half = k.op(Op::Div, bd, two);
    let (mut r, mut w, mut head) = (AccessId(0), AccessId(0), PointId(0));
    let id = LoopId(0);
    let iter = k.facts.terms.iter_of(id);
    let stride = k.facts.terms.power(Op::DivPow, CType::U32, 2, half, iter);
    let zero = k.constant(0, CType::U32);
    k.repeat(
        |k, _| k.lt(zero, stride),
        |k, _| {
            let active = k.lt(t, stride);
            k.when(active, |k| {
                let other = k.add(t, stride);
                r = k.read(s, other).0;
                w = k.write(s, t);
            });
            head = k.barrier();
        },
    );
    let mut candidate = k.candidate(r, w, PairScope::Block, head);
    candidate.first_carried = Some(id);
    candidate.second_carried = Some(id);
    assert_disjoint(&k.decide(candidate));
}

#[test]
fn bitonic_exchange() {
    // ixj = t ^ j; if (ixj > t) { s[t] = …; s[ixj] = …; } with j a power of two
    let mut k = Kernel::new(dim(256), dim(1));
    let s = k.shared("s");
    let t = k.leaf(Op::TidX);
    let j = k.symbol("e", CType::I32);
    let one = k.constant(1, CType::U32);
    let j = k.facts.terms.binary(Op::Shl, CType::U32, one, j);
    let other = k.op(Op::BitXor, t, j);
    let above = k.lt(t, other);
    let (mut first, mut second) = (AccessId(0), AccessId(0));
    k.when(above, |k| {
        first = k.write(s, t);
        second = k.write(s, other);
    });
    for (a, b) in [(first, first), (first, second), (second, second)] {
        assert_disjoint(&k.in_block(a, b));
    }
    // t ^ 3 is its own partner's partner, too; without the guard both write both.
    let unguarded = k.write(s, other);
    let race = k.in_block(first, unguarded);
    assert_race(&race);
}

#[test]
fn scan_exchange_with_masks() {
    // 2 * t − (t & (stride − 1)), stride a power of two: injective, and never its partner + stride
    let mut k = Kernel::new(dim(128), dim(1));
    let s = k.shared("s");
    let t = k.leaf(Op::TidX);
    let e = k.symbol("e", CType::I32);
    let one = k.constant(1, CType::U32);
    let stride = k.facts.terms.binary(Op::Shl, CType::U32, one, e);
    let low = k.sub(stride, one);
    let low = k.op(Op::BitAnd, t, low);
    let two = k.constant(2, CType::U32);
    let double = k.mul(two, t);
    let position = k.sub(double, low);
    let partner = k.add(position, stride);
    let w = k.write(s, position);
    let p = k.write(s, partner);
    assert_disjoint(&k.in_block(w, w));
    assert_disjoint(&k.in_block(w, p));
    assert_disjoint(&k.in_block(p, p));
}

#[test]
fn warps_of_a_block() {
    // s[t] and s[t ^ 16] stay in a warp; s[t ^ 32] does not
    let mut k = Kernel::new(dim(64), dim(1));
    let s = k.shared("s");
    let t = k.leaf(Op::TidX);
    let sixteen = k.constant(16, CType::U32);
    let near = k.op(Op::BitXor, t, sixteen);
    let thirty_two = k.constant(32, CType::U32);
    let far = k.op(Op::BitXor, t, thirty_two);
    let w = k.write(s, t);
    let r_near = k.read(s, near).0;
    let r_far = k.read(s, far).0;
    let entry = k.entry;
    for (access, scope, races) in [
        (r_near, PairScope::Warp, true),
        (r_near, PairScope::InterWarp, false),
        (r_far, PairScope::Warp, false),
        (r_far, PairScope::InterWarp, true),
    ] {
        let candidate = k.candidate(w, access, scope, entry);
        let outcome = k.decide(candidate);
        if races {
            assert_exact_race(&outcome);
        } else {
            assert_disjoint(&outcome);
        }
    }
}
