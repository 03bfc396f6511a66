//! Buffers that are used in turn, by a counter that begins again: a kind of random kernel. Most begin again where they should, with a
//! barrier where one is needed; some do not, or begin behind the end.

use super::build::*;
use super::grow::Grower;
use super::patterns::{counter, repeat, shared};
use super::tree::*;

/// Fills a buffer, goes on to the next, and reads what another thread has filled.
pub fn ring(grower: &mut Grower<'_>) -> Vec<Stmt> {
    let threads = grower.threads;
    let buffers = grower.dice.pick(&[2, 2, 3, 3, 4, 1]);
    // Room for a counter that goes on behind the end.
    let rounds = grower.dice.pick(&[2, 3, 4, 5]);
    let s = shared(grower, buffers + rounds + 2, 0);
    let out = grower.array(Space::Global, Ty::I32, &[]);
    let lin = grower.lin.clone();
    let (p, i) = (counter(grower, "p"), counter(grower, "i"));
    let at = |which: Expr, place: Expr| add(mul(which, int(threads)), place);
    let other = match grower.dice.roll(3) {
        0 => sub(int(threads - 1), lin.clone()),
        _ => bin(Bin::Rem, add(lin.clone(), int(1)), int(threads)),
    };
    let own = grower.gid.clone();
    let place = match grower.dice.roll(3) {
        // Another place in every round: what is left of a round before is another thread's.
        0 => bin(Bin::Rem, add(lin.clone(), var(i)), int(threads)),
        _ => lin.clone(),
    };
    let fill = store(s, at(var(p), place), add(var(i), own.clone()));
    let read = load(s, at(var(p), other.clone()));
    let read = match grower.dice.roll(3) {
        0 => load(
            s,
            at(bin(Bin::Rem, add(var(p), int(1)), int(buffers)), other),
        ),
        _ => read,
    };
    let read = Stmt::Store(out, vec![own], Some(Bin::Xor), read);
    let barrier = match grower.dice.roll(6) {
        0 => None,
        1 => {
            let period = grower.dice.pick(&[buffers, buffers, buffers + 1, 2]);
            let last = bin(Bin::Rem, var(i), int(period));
            let last = bin(Bin::Eq, last, int(period - 1));
            Some(when(last, vec![Stmt::Barrier]))
        }
        _ => Some(Stmt::Barrier),
    };
    let mut body = vec![fill];
    body.extend(barrier);
    if grower.dice.chance(80) {
        body.push(read);
    }
    let turn = turn(grower, p, buffers);
    if grower.dice.chance(20) {
        body.splice(0..0, turn);
    } else {
        body.extend(turn);
    }
    let start = match grower.dice.roll(8) {
        0 => int(buffers),
        1 => int(buffers - 1),
        2 => bin(Bin::Rem, block(0), int(buffers)),
        3 => bin(Bin::Rem, lin, int(buffers)),
        _ => int(0),
    };
    vec![
        Stmt::Let(p, start),
        repeat(
            i,
            int(0),
            less(var(i), int(rounds)),
            (Bin::Add, int(1)),
            body,
        ),
    ]
}

/// The counter goes on, and begins again.
fn turn(grower: &mut Grower<'_>, p: Var, buffers: i64) -> Vec<Stmt> {
    let next = add(var(p), int(1));
    let step = Stmt::Set(p, Some(Bin::Add), int(1));
    let again = |condition: Expr| when(condition, vec![Stmt::Set(p, None, int(0))]);
    let chosen = |condition: Expr, then: Expr, els: Expr| {
        let value = Expr::Cond(Box::new(condition), Box::new(then), Box::new(els));
        vec![Stmt::Set(p, None, value)]
    };
    match grower.dice.roll(9) {
        0 => vec![step, again(bin(Bin::Ge, var(p), int(buffers)))],
        1 => vec![step, again(bin(Bin::Gt, var(p), int(buffers - 1)))],
        2 => chosen(bin(Bin::Eq, var(p), int(buffers - 1)), int(0), next),
        3 => chosen(less(var(p), int(buffers - 1)), next, int(0)),
        4 => chosen(bin(Bin::Ne, next.clone(), int(buffers)), next, int(0)),
        5 => vec![Stmt::Set(p, None, bin(Bin::Rem, next, int(buffers)))],
        // One too many, or one too few.
        6 => vec![step, again(bin(Bin::Gt, var(p), int(buffers)))],
        _ => vec![step, again(bin(Bin::Eq, var(p), int(buffers)))],
    }
}
