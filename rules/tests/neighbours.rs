//! Places that guards and shapes keep apart though their offsets come close: colours of a grid, rows of a triangle. Each rule
//! where it fires, and the near miss where it must not.

mod common;

use common::{Builder, Stmt};
use warplog_facts::words::*;
use warplog_facts::*;
use warplog_rules::{Options, derive};

/// The names of the rules that discharged pairs, and whether some pair is left.
fn judged(builder: Builder) -> (Vec<String>, bool) {
    let derived = derive(&builder.finish(), &Options::default());
    let mut rules: Vec<String> = derived
        .discarded_race
        .into_iter()
        .map(|row| row.rule)
        .collect();
    rules.sort();
    rules.dedup();
    (rules, !derived.candidate_race.is_empty())
}

/// `if (x > 0 && x < w - 1 && (x + y) % 2 == colour) a[y * w + x] = a[y * w + x + 1];`; and of a diagonal neighbour, without the
/// margin, with another colour in each thread, and of columns of one colour with the neighbour above.
#[test]
fn d16_colours() {
    for case in ["beside", "diagonal", "no margin", "own colour", "columns"] {
        let mut b = Builder::new([Some(16), Some(16), Some(1)], [Some(1), Some(1), Some(1)]);
        let (a, w, colour) = (b.array(Space::Shared), b.symbol("w"), b.symbol("colour"));
        let (x, y, zero) = (b.leaf(Op::TidX), b.leaf(Op::TidY), b.int(0));
        let sum = match case {
            "columns" => x,
            _ => b.add(x, y),
        };
        let rest = b.opi(Op::Rem, sum, 2);
        let wanted = match case {
            "own colour" => b.opi(Op::Rem, x, 2),
            _ => colour,
        };
        let mut guard = b.op(Op::Eq, rest, wanted);
        if case != "no margin" {
            let last = b.opi(Op::Add, w, -1);
            for bound in [b.op(Op::Lt, zero, x), b.op(Op::Lt, x, last)] {
                guard = b.facts.terms.and(guard, bound);
            }
        }
        let above = b.opi(Op::Add, y, 1);
        let row = match case {
            "diagonal" | "columns" => above,
            _ => y,
        };
        let column = match case {
            "columns" => x,
            _ => b.opi(Op::Add, x, 1),
        };
        let place = |b: &mut Builder, row, column| {
            let row = b.op(Op::Mul, row, w);
            let sum = b.add(row, column);
            b.mul(sum, 4)
        };
        let (own, other) = (place(&mut b, y, x), place(&mut b, row, column));
        b.body(&[Stmt::If(
            guard,
            vec![
                Stmt::Access(AccessKind::Read, a, other, 4),
                Stmt::Access(AccessKind::Write, a, own, 4),
            ],
            vec![],
        )]);
        let (rules, open) = judged(b);
        let fired = rules.iter().any(|rule| rule == "different-classes");
        assert_eq!(fired, case == "beside", "{case}: {rules:?}");
        assert_eq!(open, case != "beside", "{case}: {rules:?}");
    }
}

/// `for (c = 0; c <= t; c++) l[t * (t + 1) / 2 + c] = …;`; and with a column too many, and with rows that are one shorter.
#[test]
fn d7_rows_of_a_triangle() {
    for case in ["packed", "a column more", "shorter rows", "strict"] {
        let mut b = Builder::line(64, 1);
        let s = b.array(Space::Shared);
        let (t, id) = (b.tid(), b.new_loop());
        let column = b.iter(id);
        let next = b.opi(
            Op::Add,
            t,
            if matches!(case, "packed" | "a column more") {
                1
            } else {
                -1
            },
        );
        let product = b.op(Op::Mul, t, next);
        let start = b.opi(Op::Div, product, 2);
        let sum = b.add(start, column);
        let index = b.mul(sum, 4);
        let limit = b.opi(Op::Add, t, i128::from(case == "a column more"));
        let condition = b.op(
            if case == "strict" { Op::Lt } else { Op::Le },
            column,
            limit,
        );
        b.body(&[Stmt::Loop(
            id,
            condition,
            vec![Stmt::Access(AccessKind::Write, s, index, 4)],
        )]);
        let (rules, open) = judged(b);
        let apart = matches!(case, "packed" | "strict");
        assert_eq!(open, !apart, "{case}: {rules:?}");
    }
}
