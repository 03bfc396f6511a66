//! Patterns of real kernels with random numbers in them: reductions, scans, double buffers, tiles, transposes, histograms, grid
//! strides, indices taken apart and put together, searches that are left as soon as they find, positions that some threads
//! move by a flag, places that belong to who marks them first, rows that an inner loop fills, rings of buffers
//! (`rings.rs`). Some choices of the numbers are right, others race.

use super::build::*;
use super::grow::Grower;
use super::rings::ring;
use super::tree::*;

/// One of the patterns.
pub fn pattern(grower: &mut Grower<'_>) -> Vec<Stmt> {
    match grower.dice.roll(15) {
        0 => reduction(grower, true),
        1 => reduction(grower, false),
        2 => double_buffer(grower),
        3 => tiles(grower),
        4 => transpose(grower),
        5 => histogram(grower),
        6 => grid_stride(grower),
        7 => sweep(grower),
        8 => digits(grower),
        9 => search(grower),
        10 => walk(grower),
        11 => claims(grower),
        12 => rows(grower),
        13 => ring(grower),
        _ => bitonic(grower),
    }
}

pub(super) fn counter(grower: &mut Grower<'_>, stem: &str) -> Var {
    let ty = grower.dice.pick(&[Ty::I32, Ty::I32, Ty::U32]);
    grower.program.var(stem, ty)
}

pub(super) fn repeat(
    var: Var,
    start: Expr,
    condition: Expr,
    step: (Bin, Expr),
    body: Vec<Stmt>,
) -> Stmt {
    Stmt::Loop(Loop {
        form: Form::For,
        var,
        declares: true,
        start,
        condition,
        step: step.0,
        amount: step.1,
        body,
    })
}

/// A shared array with room for this many elements for each thread.
pub(super) fn shared(grower: &mut Grower<'_>, times: i64, more: i64) -> Array {
    let extent = grower.threads * times + more;
    grower.array(Space::Shared, Ty::I32, &[extent])
}

/// The number of threads of a block, as a number or as `blockDim.x`.
fn size(grower: &mut Grower<'_>) -> Expr {
    let flat = grower.program.launch.block[1] == 1;
    if flat && grower.dice.chance(60) {
        block_dim(0)
    } else {
        int(grower.threads)
    }
}

/// `if (t < d) s[t] += s[t + d];` for halves, or `t % (2 * d) == 0` for doubles.
fn reduction(grower: &mut Grower<'_>, halves: bool) -> Vec<Stmt> {
    let s = shared(grower, 1, 0);
    let lin = grower.lin.clone();
    let d = counter(grower, "d");
    let filled = grower.expr(1);
    let mut out = vec![store(s, lin.clone(), filled), Stmt::Barrier];
    let all = size(grower);
    let threads = grower.threads;
    let place = add(lin.clone(), var(d));
    let sum = Stmt::Store(s, vec![lin.clone()], Some(Bin::Add), load(s, place.clone()));
    let inside = less(place, int(threads));
    let (start, condition, step, guard) = if halves {
        let start = match grower.dice.roll(3) {
            0 => int(threads / 2),
            1 => bin(Bin::Shr, all, int(1)),
            _ => bin(Bin::Div, all, int(2)),
        };
        let step = grower.dice.pick(&[Bin::Div, Bin::Shr]);
        let amount = int(if step == Bin::Div { 2 } else { 1 });
        let strict = grower.dice.chance(85);
        let guard = bin(if strict { Bin::Lt } else { Bin::Le }, lin, var(d));
        (start, bin(Bin::Gt, var(d), int(0)), (step, amount), guard)
    } else {
        let start = int(grower.dice.pick(&[1, 1, 1, 2, 3]));
        let period = mul(int(grower.dice.pick(&[2, 2, 2, 1, 3])), var(d));
        let guard = bin(Bin::Eq, bin(Bin::Rem, lin, period), int(0));
        let step = grower.dice.pick(&[Bin::Mul, Bin::Shl]);
        let amount = int(if step == Bin::Mul { 2 } else { 1 });
        (start, less(var(d), all), (step, amount), guard)
    };
    let guard = bin(Bin::Both, guard, inside);
    let body = vec![when(guard, vec![sum]), Stmt::Barrier];
    out.push(repeat(d, start, condition, step, body));
    out
}

/// Reads one half of a buffer, writes the other, and changes them over.
fn double_buffer(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let threads = grower.threads;
    let s = shared(grower, 2, 0);
    let lin = grower.lin.clone();
    let (p, i) = (counter(grower, "p"), counter(grower, "i"));
    let rounds = int(grower.dice.pick(&[2, 3, 4]));
    let half = |which: Expr| mul(which, int(threads));
    let other = bin(Bin::Rem, add(lin.clone(), int(1)), int(threads));
    let read = load(s, add(half(sub(int(1), var(p))), other));
    let write = store(s, add(half(var(p)), lin.clone()), read);
    let flip = match grower.dice.roll(3) {
        0 => Stmt::Set(p, Some(Bin::Xor), int(1)),
        1 => Stmt::Set(p, None, sub(int(1), var(p))),
        _ => Stmt::Set(p, None, bin(Bin::Rem, add(var(p), int(1)), int(2))),
    };
    let start = grower.dice.pick(&[0, 0, 1]);
    let mut body = vec![write];
    if grower.dice.chance(90) {
        body.push(flip);
    }
    body.push(Stmt::Barrier);
    vec![
        Stmt::Let(p, int(start)),
        store(s, add(half(sub(int(1), var(p))), lin), int(7)),
        Stmt::Barrier,
        repeat(i, int(0), less(var(i), rounds), (Bin::Add, int(1)), body),
    ]
}

/// Loads a tile together, uses all of it, and goes on to the next.
fn tiles(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let threads = grower.threads;
    let s = shared(grower, 1, 0);
    let g = grower.array(Space::Global, Ty::I32, &[]);
    let out = grower.array(Space::Global, Ty::I32, &[]);
    let lin = grower.lin.clone();
    let (tile, j) = (counter(grower, "tile"), counter(grower, "j"));
    let sum = grower.program.var("sum", Ty::I32);
    let count = int(grower.dice.pick(&[1, 2, 3]));
    let from = add(mul(var(tile), int(threads)), lin.clone());
    let mut body = vec![store(s, lin, load(g, from))];
    if grower.dice.chance(90) {
        body.push(Stmt::Barrier);
    }
    body.push(repeat(
        j,
        int(0),
        less(var(j), int(threads)),
        (Bin::Add, int(1)),
        vec![Stmt::Set(sum, Some(Bin::Xor), load(s, var(j)))],
    ));
    if grower.dice.chance(80) {
        body.push(Stmt::Barrier);
    }
    let gid = grower.gid.clone();
    vec![
        Stmt::Let(sum, int(0)),
        repeat(
            tile,
            int(0),
            less(var(tile), count),
            (Bin::Add, int(1)),
            body,
        ),
        store(out, gid, var(sum)),
    ]
}

/// Writes rows, reads columns.
fn transpose(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let [x, y, _] = grower.program.launch.block.map(i64::from);
    let side = x.max(y);
    let pad = grower.dice.pick(&[0, 1]);
    let s = grower.array(Space::Shared, Ty::I32, &[side, side + pad]);
    let g = grower.array(Space::Global, Ty::I32, &[]);
    let gid = grower.gid.clone();
    let mut out = vec![Stmt::Store(
        s,
        vec![thread(1), thread(0)],
        None,
        load(g, gid.clone()),
    )];
    if grower.dice.chance(80) {
        out.push(Stmt::Barrier);
    }
    let result = grower.array(Space::Global, Ty::I32, &[]);
    let across = Expr::Load(s, vec![thread(0), thread(1)]);
    out.push(store(result, gid, across));
    out
}

/// Counts with atomics between two phases of plain accesses.
fn histogram(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let s = shared(grower, 1, 0);
    let g = grower.array(Space::Global, Ty::I32, &[]);
    let result = grower.array(Space::Global, Ty::I32, &[]);
    let (lin, gid) = (grower.lin.clone(), grower.gid.clone());
    let threads = Expr::Int(grower.threads, Ty::U32);
    let bin_ = bin(Bin::Rem, load(g, gid), threads);
    let count = Stmt::Atomic(AtomicOp::Add, s, vec![bin_], int(1), None);
    let mut out = vec![store(s, lin.clone(), int(0))];
    if grower.dice.chance(85) {
        out.push(Stmt::Barrier);
    }
    out.push(count);
    if grower.dice.chance(85) {
        out.push(Stmt::Barrier);
    }
    let add_up = load(s, lin.clone());
    out.push(if grower.dice.chance(80) {
        Stmt::Atomic(AtomicOp::Add, result, vec![lin], add_up, None)
    } else {
        store(result, lin, add_up)
    });
    out
}

/// Writes to the places that the thread marks first by an atomic exchange.
fn claims(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let is_shared = grower.dice.chance(50);
    let mark = if is_shared {
        shared(grower, 1, 0)
    } else {
        grower.array(Space::Global, Ty::I32, &[])
    };
    let g = grower.array(Space::Global, Ty::I32, &[]);
    let result = grower.array(Space::Global, Ty::I32, &[]);
    let (lin, gid) = (grower.lin.clone(), grower.gid.clone());
    let threads = Expr::Int(grower.threads, Ty::U32);
    let mut out = Vec::new();
    if is_shared {
        out.push(store(mark, lin.clone(), int(0)));
        if grower.dice.chance(90) {
            out.push(Stmt::Barrier);
        }
    }
    let place = match grower.dice.roll(3) {
        0 => bin(Bin::Rem, load(g, gid.clone()), threads),
        1 => bin(Bin::Div, lin.clone(), int(2)),
        _ => bin(Bin::Rem, lin.clone(), int(3)),
    };
    let value = match grower.dice.roll(5) {
        0 | 1 => int(1),
        2 => int(2),
        3 => lin.clone(),
        _ => add(lin.clone(), int(1)),
    };
    let op = grower
        .dice
        .pick(&[AtomicOp::Claim, AtomicOp::Claim, AtomicOp::Exch]);
    let old = grower.program.var("old", Ty::I32);
    out.push(Stmt::Atomic(
        op,
        mark,
        vec![place.clone()],
        value,
        Some(old),
    ));
    let won = match grower.dice.roll(6) {
        0 => bin(Bin::Ne, Expr::Var(old), int(1)),
        1 => bin(Bin::Le, Expr::Var(old), int(1)),
        _ => bin(Bin::Eq, Expr::Var(old), int(0)),
    };
    // Of a shared mark, each block has its own.
    let own = match is_shared && grower.dice.chance(80) {
        true => add(mul(block(0), int(grower.threads)), place.clone()),
        false => place.clone(),
    };
    out.push(when(won, vec![store(result, own, gid)]));
    if grower.dice.chance(25) {
        if is_shared && grower.dice.chance(50) {
            out.push(Stmt::Barrier);
        }
        out.push(Stmt::Atomic(
            AtomicOp::Exch,
            mark,
            vec![place],
            int(0),
            None,
        ));
    }
    out
}

/// `for (i = gid; i < n; i += stride) g[i] = …`
fn grid_stride(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let g = grower.array(Space::Global, Ty::I32, &[]);
    let [x, y, z] = grower.program.launch.grid.map(i64::from);
    let i = counter(grower, "i");
    let all = grower.threads * x * y * z;
    let flat = grower.program.launch.block[1] == 1 && grower.program.launch.grid[1] == 1;
    let stride = match grower.dice.roll(5) {
        0 | 1 if flat => mul(grid_dim(0), block_dim(0)),
        2 => int(all + 1),
        3 => int(grower.threads),
        _ => int(all),
    };
    let bound = match grower.program.scalars.first() {
        Some(n) => var(*n),
        None => int(2 * all + 1),
    };
    let gid = grower.gid.clone();
    let value = grower.expr(1);
    let value = bin(Bin::Xor, value, var(i));
    let op = if grower.dice.chance(50) {
        Some(Bin::Add)
    } else {
        None
    };
    vec![repeat(
        i,
        gid,
        less(var(i), bound),
        (Bin::Add, stride),
        vec![Stmt::Store(g, vec![var(i)], op, value)],
    )]
}

/// The up-sweep of a scan, with two variables that go opposite ways.
fn sweep(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let threads = grower.threads;
    let s = shared(grower, 2, 0);
    let lin = grower.lin.clone();
    let (d, offset) = (counter(grower, "d"), counter(grower, "offset"));
    let place = |which: i64| {
        let first = add(mul(int(2), lin.clone()), int(which));
        sub(mul(var(offset), first), int(1))
    };
    let sum = Stmt::Store(s, vec![place(2)], Some(Bin::Add), load(s, place(1)));
    let guarded = when(less(lin.clone(), var(d)), vec![sum]);
    let scale = Stmt::Set(offset, Some(Bin::Mul), int(grower.dice.pick(&[2, 2, 2, 1])));
    let step = grower.dice.pick(&[Bin::Div, Bin::Shr]);
    let amount = int(if step == Bin::Div { 2 } else { 1 });
    let mut body = vec![Stmt::Barrier, guarded, scale];
    if grower.dice.chance(15) {
        body.remove(0);
    }
    vec![
        Stmt::Let(offset, int(1)),
        store(s, lin.clone(), int(1)),
        store(s, add(lin, int(threads)), int(2)),
        repeat(
            d,
            int(threads),
            bin(Bin::Gt, var(d), int(0)),
            (step, amount),
            body,
        ),
    ]
}

/// Exchanges elements whose numbers differ in one bit.
fn bitonic(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let threads = grower.threads;
    let s = shared(grower, 1, 0);
    let lin = grower.lin.clone();
    let (j, other) = (counter(grower, "j"), counter(grower, "other"));
    let low = grower.program.var("low", Ty::I32);
    let exchange = vec![
        Stmt::Let(low, load(s, lin.clone())),
        store(s, lin.clone(), load(s, var(other))),
        store(s, var(other), var(low)),
    ];
    let inside = less(var(other), int(threads));
    let ordered = bin(
        grower.dice.pick(&[Bin::Gt, Bin::Gt, Bin::Ge]),
        var(other),
        lin.clone(),
    );
    let mut body = vec![
        Stmt::Let(other, bin(Bin::Xor, lin.clone(), var(j))),
        when(bin(Bin::Both, ordered, inside), exchange),
    ];
    if grower.dice.chance(85) {
        body.push(Stmt::Barrier);
    }
    let start = int(grower.dice.pick(&[1, 2, 4]));
    vec![
        store(s, lin, int(3)),
        Stmt::Barrier,
        repeat(
            j,
            start,
            bin(Bin::Gt, var(j), int(0)),
            (Bin::Shr, int(1)),
            body,
        ),
    ]
}

/// Takes an index apart into three digits and puts these together in another order, by sizes that are numbers or arguments.
fn digits(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let g = grower.array(Space::Global, Ty::I32, &[]);
    let scalar = grower.program.scalars.first().copied();
    let size = |grower: &mut Grower<'_>| match scalar {
        Some(n) if grower.dice.chance(60) => var(n),
        _ => int(grower.dice.pick(&[2, 3, 4])),
    };
    let (w, h, d) = (size(grower), size(grower), size(grower));
    let names = ["x", "low", "middle", "high"];
    let [x, low, middle, high] = names.map(|name| counter(grower, name));
    let divide = |a: Expr, b: Expr| bin(Bin::Div, a, b);
    let plane = mul(w.clone(), h.clone());
    let above = match grower.dice.roll(2) {
        0 => divide(var(x), plane.clone()),
        _ => divide(divide(var(x), w.clone()), h.clone()),
    };
    let row = match grower.dice.roll(2) {
        0 => bin(Bin::Rem, divide(var(x), w.clone()), h.clone()),
        _ => divide(bin(Bin::Rem, var(x), plane.clone()), w.clone()),
    };
    // Which digit is where, the first below; mostly with the strides that go with it.
    let parts = [(low, w.clone()), (middle, h.clone()), (high, d.clone())];
    let orders = [
        [0, 1, 2],
        [1, 0, 2],
        [0, 2, 1],
        [2, 1, 0],
        [2, 0, 1],
        [1, 1, 2],
    ];
    let order = grower.dice.pick(&orders);
    let [(first, below), (second, between), (third, _)] = order.map(|at| parts[at].clone());
    let between = if grower.dice.chance(85) {
        between
    } else {
        w.clone()
    };
    let stride = mul(below.clone(), between);
    let index = add(
        mul(var(third), stride),
        add(mul(var(second), below), var(first)),
    );
    let from = match grower.dice.roll(3) {
        0 => grower.lin.clone(),
        _ => grower.gid.clone(),
    };
    let body = vec![
        Stmt::Let(low, bin(Bin::Rem, var(x), w)),
        Stmt::Let(middle, row),
        Stmt::Let(high, above),
        store(g, index, var(x)),
    ];
    let mut out = vec![Stmt::Let(x, from)];
    if grower.dice.chance(75) {
        out.push(when(less(var(x), mul(plane, d)), body));
    } else {
        out.extend(body);
    }
    out
}

/// Each round writes a place, then looks for the next one in a loop that is left where it is found.
fn search(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let threads = grower.threads;
    let lin = grower.lin.clone();
    let array = match grower.dice.roll(2) {
        0 => shared(grower, 4, 0),
        _ => grower.array(Space::Global, Ty::I32, &[]),
    };
    let (w, i) = (counter(grower, "w"), counter(grower, "i"));
    let place = grower.program.var("place", Ty::I32);
    let found = grower.program.var("found", Ty::I32);
    let rounds = int(grower.dice.pick(&[1, 2, 3]));
    let steps = int(grower.dice.pick(&[1, 2, 4]));
    let next = match grower.dice.roll(6) {
        0 => int(0),
        1 => lin.clone(),
        2 => sub(int(threads - 1), lin.clone()),
        3 => add(lin.clone(), int(threads)),
        4 => add(mul(var(i), int(threads)), lin.clone()),
        _ => bin(Bin::Div, lin.clone(), int(2)),
    };
    let here = match grower.dice.roll(4) {
        0 => bin(Bin::Eq, var(i), var(w)),
        1 => bin(
            Bin::Eq,
            bin(Bin::Rem, add(lin.clone(), var(i)), int(3)),
            int(0),
        ),
        2 => less(var(w), var(i)),
        _ => bin(Bin::Eq, var(i), int(5)),
    };
    // Sometimes another variable is set, which no index needs.
    let set = if grower.dice.chance(75) { place } else { found };
    let way = match grower.dice.roll(5) {
        0 => Stmt::Continue,
        1 => Stmt::Return,
        _ => Stmt::Break,
    };
    let leave = when(here, vec![Stmt::Set(set, None, next), way]);
    let inner = repeat(
        i,
        int(0),
        less(var(i), steps),
        (Bin::Add, int(1)),
        vec![leave],
    );
    let value = add(var(w), lin.clone());
    let mut body = vec![store(array, var(place), value), inner];
    if grower.dice.chance(20) {
        body.reverse();
    }
    let start = match grower.dice.roll(4) {
        0 => add(lin, int(threads)),
        _ => lin,
    };
    vec![
        Stmt::Let(place, start),
        Stmt::Let(found, int(0)),
        repeat(w, int(0), less(var(w), rounds), (Bin::Add, int(1)), body),
    ]
}

/// A position that some threads move in each round, by a flag that is a number and stays, or not.
fn walk(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let threads = grower.threads;
    let lin = grower.lin.clone();
    let array = match grower.dice.roll(2) {
        0 => shared(grower, 6, 0),
        _ => grower.array(Space::Global, Ty::I32, &[]),
    };
    let ty = grower.dice.pick(&[Ty::I32, Ty::I32, Ty::U32]);
    let flag = grower.program.var("flag", ty);
    let (at, before) = (counter(grower, "at"), counter(grower, "before"));
    let k = counter(grower, "k");
    let chosen = match grower.dice.roll(3) {
        0 => less(lin.clone(), int(threads / 2)),
        1 => bin(
            Bin::Eq,
            bin(Bin::Rem, lin.clone(), int(2)),
            int(grower.dice.pick(&[0, 1])),
        ),
        _ => match grower.program.scalars.first() {
            Some(n) => less(lin.clone(), var(*n)),
            None => less(int(1), lin.clone()),
        },
    };
    let set = match grower.dice.roll(3) {
        0 => {
            let [a, b] = [0, 1].map(|_| int(grower.dice.pick(&[0, 1, 2, 3])));
            Expr::Cond(Box::new(chosen), Box::new(a), Box::new(b))
        }
        _ => chosen,
    };
    let test = |grower: &mut Grower<'_>| match grower.dice.roll(6) {
        0 => Expr::Un(Un::Not, Box::new(var(flag))),
        1 => bin(Bin::Eq, var(flag), int(1)),
        2 => less(int(0), var(flag)),
        3 => less(var(flag), int(2)),
        _ => var(flag),
    };
    let step = grower
        .dice
        .pick(&[threads, threads, threads / 2, 1, 2 * threads]);
    let moved = |by: i64| Stmt::Set(at, Some(Bin::Add), int(by));
    let mut then = vec![moved(step)];
    if grower.dice.chance(40) {
        then.insert(0, Stmt::Set(before, None, var(at)));
    }
    let els = match grower.dice.roll(4) {
        0 => vec![moved(threads)],
        1 => vec![Stmt::Set(before, None, add(var(at), int(1)))],
        _ => Vec::new(),
    };
    let condition = test(grower);
    let mut body = vec![Stmt::If(condition, then, els)];
    if grower.dice.chance(30) {
        body.push(Stmt::Barrier);
    }
    let place = grower.dice.pick(&[at, at, before]);
    let write = store(array, var(place), add(var(k), lin.clone()));
    body.push(if grower.dice.chance(60) {
        when(test(grower), vec![write])
    } else {
        write
    });
    if grower.dice.chance(15) {
        let round = bin(Bin::Eq, var(k), int(1));
        body.push(when(round, vec![Stmt::Set(flag, None, int(0))]));
    }
    if grower.dice.chance(20) {
        body.rotate_left(1);
    }
    let rounds = int(grower.dice.pick(&[1, 2, 3]));
    vec![
        Stmt::Let(flag, set),
        Stmt::Let(at, lin.clone()),
        Stmt::Let(before, lin),
        repeat(k, int(0), less(var(k), rounds), (Bin::Add, int(1)), body),
    ]
}

/// A place for each round of two or three nested loops, from a start of the thread's own; the innermost moves on from place to place.
fn rows(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let g = grower.array(Space::Global, Ty::I32, &[]);
    let scalars = grower.program.scalars.clone();
    let size = |grower: &mut Grower<'_>, at: usize| match scalars.get(at).or(scalars.first()) {
        Some(&n) if grower.dice.chance(70) => var(n),
        _ => int(grower.dice.pick(&[0, 1, 2, 3])),
    };
    let columns = size(grower, 0);
    let rows = match grower.dice.roll(3) {
        0 => size(grower, 1),
        _ => int(grower.dice.pick(&[1, 2, 3])),
    };
    let (at, i, j) = (
        counter(grower, "at"),
        counter(grower, "i"),
        counter(grower, "j"),
    );
    let own = match grower.dice.roll(3) {
        0 => grower.gid.clone(),
        _ => grower.lin.clone(),
    };
    let stride = grower.dice.pick(&[1, 1, 1, 2, 3]);
    // As many rounds as the inner loop has, mostly.
    let rounds = match stride {
        1 => columns.clone(),
        _ => bin(Bin::Div, add(columns.clone(), int(stride - 1)), int(stride)),
    };
    let threads = int(grower.threads);
    // Each thread has its places beside one another, or every so many.
    let (start, step) = match grower.dice.roll(4) {
        0 => (own.clone(), threads),
        1 => (mul(own.clone(), rounds), int(1)),
        _ => {
            let extent = match grower.dice.roll(5) {
                0 => add(mul(rows.clone(), rounds), int(1)),
                1 => mul(rows.clone(), columns.clone()),
                _ => mul(rows.clone(), rounds),
            };
            (mul(own.clone(), extent), int(1))
        }
    };
    let step = match grower.dice.roll(8) {
        0 => columns.clone(),
        1 => int(2),
        _ => step,
    };
    let mut inner = vec![
        store(g, var(at), own.clone()),
        Stmt::Set(at, Some(Bin::Add), step),
    ];
    match grower.dice.roll(12) {
        0 => inner.reverse(),
        1 => inner.insert(1, when(bin(Bin::Eq, var(j), int(1)), vec![Stmt::Break])),
        2 => inner.insert(1, when(bin(Bin::Eq, var(j), int(1)), vec![Stmt::Continue])),
        3 => {
            let odd = bin(Bin::Eq, var(i), int(1));
            inner.push(when(odd, vec![Stmt::Set(at, Some(Bin::Add), int(1))]));
        }
        _ => {}
    }
    let bound = match grower.dice.roll(8) {
        0 => add(columns.clone(), var(i)),
        1 => var(i),
        _ => columns.clone(),
    };
    let by = int(stride);
    let closed = grower.dice.chance(10);
    let inner = match grower.dice.roll(4) {
        0 => {
            let down = if closed { Bin::Ge } else { Bin::Gt };
            repeat(j, bound, bin(down, var(j), int(0)), (Bin::Sub, by), inner)
        }
        _ => {
            let up = if closed { Bin::Le } else { Bin::Lt };
            let from = int(grower.dice.pick(&[0, 0, 0, 0, 1]));
            repeat(j, from, bin(up, var(j), bound), (Bin::Add, by), inner)
        }
    };
    let mut body = vec![inner];
    match grower.dice.roll(8) {
        0 => body.push(Stmt::Set(at, Some(Bin::Add), int(1))),
        1 => body.push(store(g, var(at), own.clone())),
        2 => body.insert(0, Stmt::Set(at, Some(Bin::Sub), int(1))),
        _ => {}
    }
    let mut outer = repeat(i, int(0), less(var(i), rows), (Bin::Add, int(1)), body);
    if grower.dice.chance(20) {
        let k = counter(grower, "k");
        let twice = less(var(k), int(grower.dice.pick(&[1, 2])));
        outer = repeat(k, int(0), twice, (Bin::Add, int(1)), vec![outer]);
    }
    let mut out = vec![Stmt::Let(at, start), outer];
    if grower.dice.chance(20) {
        out.push(store(g, var(at), own));
    }
    out
}
