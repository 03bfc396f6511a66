//! The naive twin of the rules, on random launches and on several of them in one fact base.

use rustc_hash::FxHashSet;
use warplog_facts::words::{AccessKind, BarrierKind, Space};
use warplog_facts::*;

use super::results;
use crate::context::Context;

#[path = "../../tests/common/mod.rs"]
mod common;

use common::generate::Dice;
use common::{Builder, Stmt};

/// A launch in which values wander through computation, unknown values, memory and conditions.
fn launch(seed: u64) -> Facts {
    let mut dice = Dice::new(seed);
    let mut b = Builder::line(64, 4);
    let spaces = [Space::Shared, Space::Shared, Space::Local, Space::Global];
    let arrays = spaces.map(|space| b.array(space));
    let mut values = vec![b.tid(), b.int(1)];
    let pick = |dice: &mut Dice, values: &[TermId]| {
        let at = usize::try_from(dice.roll(values.len() as u64)).expect("few values");
        values[at]
    };
    for _ in 0..14 {
        let array = arrays[usize::try_from(dice.roll(4)).expect("four arrays")];
        let one = pick(&mut dice, &values);
        let other = pick(&mut dice, &values);
        match dice.roll(6) {
            0 => values.push(b.add(one, other)),
            1 => {
                b.body(&[Stmt::Access(AccessKind::Read, array, one, 4)]);
                let access = AccessId::from_index(b.facts.access.len() - 1);
                let load = b
                    .facts
                    .terms
                    .intern(Op::Load, CType::I64, i128::from(access.0), &[one]);
                values.push(load);
            }
            2 => {
                b.body(&[
                    Stmt::Access(AccessKind::Atomic, array, one, 4),
                    Stmt::Barrier(BarrierKind::Block),
                ]);
                let span = SpanId::from_index(b.facts.span.len());
                let place = SpanRow {
                    span,
                    ..b.facts.span[0].clone()
                };
                b.facts.span.push(place);
                b.facts.access.last_mut().expect("just made").span = span;
                values.push(unknown(&mut b, span));
            }
            3 => {
                let made = unknown(&mut b, SpanId(0));
                let unknown = b.facts.terms.get(made).unknown().expect("is one");
                let row = UnknownDependsOnRow { unknown, term: one };
                b.facts.unknown_depends_on.push(row);
                values.push(made);
            }
            4 => b.body(&[Stmt::Store(array, one, 4, other)]),
            _ => {
                let condition = b.op(Op::Lt, one, other);
                let two = b.int(2);
                let store = Stmt::Store(array, two, 4, two);
                b.body(&[Stmt::If(condition, vec![store], Vec::new())]);
            }
        }
    }
    b.finish()
}

/// An unknown value that is made at the last point.
fn unknown(b: &mut Builder, span: SpanId) -> TermId {
    let unknown = UnknownId::from_index(b.facts.unknown.len());
    let point = b.facts.point.last().expect("a point").point;
    b.facts.unknown.push(UnknownRow {
        unknown,
        launch: LaunchId(0),
        point,
        opaque: false,
        reason: "a result".into(),
        span,
    });
    let payload = i128::from(unknown.0);
    b.facts.terms.intern(Op::Unknown, CType::I64, payload, &[])
}

/// What rests on one access, by going through everything until nothing is added.
fn naive(ctx: &Context<'_>, access: AccessId) -> FxHashSet<TermId> {
    let facts = ctx.facts;
    let draw = ctx.access(access);
    let launch = ctx.launch_of(draw.point);
    let is_made = |unknown: UnknownId| {
        let row = &facts.unknown[unknown.index()];
        row.launch == launch && row.span == draw.span && row.point > draw.point
    };
    let (mut rests, mut told) = (FxHashSet::default(), FxHashSet::default());
    loop {
        let known = (rests.len(), told.len());
        for (id, term) in facts.terms.iter() {
            let itself = match term.op {
                Op::Unknown => term.unknown().is_some_and(|own| {
                    let mut depends = facts.unknown_depends_on.iter();
                    is_made(own)
                        || depends.any(|row| row.unknown == own && rests.contains(&row.term))
                }),
                Op::Load => term
                    .access()
                    .is_some_and(|read| read == access || told.contains(&ctx.storage(read))),
                _ => false,
            };
            if itself || term.args.iter().any(|arg| rests.contains(arg)) {
                rests.insert(id);
            }
        }
        for row in &facts.access {
            let mut guards = ctx.guards(row.point).iter();
            let tells = row.value.is_some_and(|value| rests.contains(&value))
                || guards.any(|(term, _)| rests.contains(term));
            let space = ctx.space(row.access);
            if row.kind == AccessKind::Write
                && tells
                && matches!(space, Space::Shared | Space::Local)
            {
                told.insert(ctx.storage(row.access));
            }
        }
        if known == (rests.len(), told.len()) {
            return rests;
        }
    }
}

fn agree(facts: &Facts) -> usize {
    let ctx = Context::new(facts);
    let all: Vec<AccessId> = facts.access.iter().map(|row| row.access).collect();
    let found = results(&ctx, &all);
    let expected: Vec<_> = all
        .iter()
        .map(|&access| (access, naive(&ctx, access)))
        .filter(|(_, rests)| !rests.is_empty())
        .collect();
    assert_eq!(found, expected);
    let through_memory = expected.iter().map(|(_, rests)| rests.len()).max();
    through_memory.unwrap_or(0)
}

#[test]
fn agrees_with_its_naive_twin() {
    let most = (0..300).map(|seed| agree(&launch(seed))).max();
    assert!(most > Some(5), "something rests on results: {most:?}");
}

#[test]
fn launches_in_one_fact_base_do_not_mix() {
    for seed in 0..40 {
        let mut together = launch(seed);
        for other in 1..4 {
            together.append(launch(seed + 1000 * other));
        }
        agree(&together);
    }
}
