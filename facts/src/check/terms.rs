//! Terms: arguments before users, arity, operand types, payloads.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::check::{Problem, TermFacts};
use crate::ctype::CType;
use crate::facts::{Facts, payload_kind};
use crate::ids::{IdKind, LaunchId, PointId, TermId};
use crate::term::{Op, Term};

/// Largest base of a closed form: that of `<<= 63`.
const MAX_BASE: i128 = 1 << 63;

/// Checks all terms; tells what each mentions.
pub(super) fn check(facts: &Facts) -> Result<TermFacts, Problem> {
    let counts = facts.id_counts().0;
    let mut known = TermFacts {
        launch: Vec::new(),
        last_load: Vec::new(),
        loops: Vec::new(),
    };
    let none = Rc::new(BTreeSet::new());
    for (id, term) in facts.terms.iter() {
        node(facts, &counts, id, term).map_err(|message| {
            let message = format!("operator `{}`: {message}", term.op);
            Problem::new("term", id.index(), message)
        })?;
        let (mut launch, mut last_load) = leaf(facts, term);
        for arg in &term.args {
            last_load = last_load.max(known.last_load[arg.index()]);
            match (launch, known.launch[arg.index()]) {
                (Some(one), Some(other)) if one != other => {
                    let message = format!(
                        "mentions what is of launch {} and what is of launch {}",
                        one.0, other.0
                    );
                    return Err(Problem::new("term", id.index(), message));
                }
                (None, other) => launch = other,
                _ => {}
            }
        }
        let mut loops = match term.loop_id() {
            Some(loop_id) => Rc::new(BTreeSet::from([(term.op, loop_id)])),
            None => Rc::clone(&none),
        };
        for arg in &term.args {
            let more = &known.loops[arg.index()];
            // Most terms mention what one of their arguments does: these share the set.
            if loops.is_empty() {
                loops = Rc::clone(more);
            } else if !more.is_subset(&loops) {
                Rc::make_mut(&mut loops).extend(more.iter().copied());
            }
        }
        known.loops.push(loops);
        known.launch.push(launch);
        known.last_load.push(last_load);
    }
    Ok(known)
}

/// The launch that the payload of a term belongs to, and the point that it reads at.
fn leaf(facts: &Facts, term: &Term) -> (Option<LaunchId>, Option<PointId>) {
    let access = term
        .access()
        .map(|access| facts.access[access.index()].point);
    let launch = term
        .symbol()
        .map(|symbol| facts.symbol[symbol.index()].launch)
        .or_else(|| {
            term.loop_id()
                .map(|loop_id| facts.loop_[loop_id.index()].launch)
        })
        .or_else(|| {
            term.unknown()
                .map(|unknown| facts.unknown[unknown.index()].launch)
        })
        .or_else(|| access.map(|point| facts.point[point.index()].launch));
    (launch, access)
}

fn node(facts: &Facts, counts: &[u32], id: TermId, term: &Term) -> Result<(), String> {
    if let Some(arity) = term.op.arity()
        && term.args.len() != arity
    {
        return Err(format!(
            "expected {arity} arguments, found {}",
            term.args.len()
        ));
    }
    if let Some(arg) = term.args.iter().find(|&&arg| arg >= id) {
        return Err(format!(
            "expected arguments before the term, found {}",
            arg.0
        ));
    }
    payload(facts, counts, term)?;
    types(facts, term)
}

fn payload(facts: &Facts, counts: &[u32], term: &Term) -> Result<(), String> {
    let value = term.payload;
    if let Some(kind) = payload_kind(term.op) {
        if value < 0 || value >= i128::from(counts[kind as usize]) {
            return Err(format!(
                "payload: `{}` has no row with id {value}",
                kind.relation()
            ));
        }
        return match kind {
            IdKind::Symbol => match term.symbol().map(|symbol| facts.symbol[symbol.index()].ty) {
                Some(ty) if ty != term.ty => Err(format!(
                    "expected type {ty} of the symbol, found {}",
                    term.ty
                )),
                _ => Ok(()),
            },
            IdKind::Access => match term
                .access()
                .map(|access| facts.access[access.index()].kind)
            {
                Some(crate::words::AccessKind::Write) => Err(format!(
                    "expected an access that reads, access {value} writes"
                )),
                _ => Ok(()),
            },
            _ => Ok(()),
        };
    }
    match term.op {
        Op::Const if term.ty.is_integer() && !term.ty.holds(value) => Err(format!(
            "expected a value of type {}, found {value}",
            term.ty
        )),
        Op::Const if !(-(1 << 63)..1 << 64).contains(&value) => Err(format!(
            "expected a bit pattern of at most 64 bits, found {value}"
        )),
        Op::MulPow | Op::DivPow if !(2..=MAX_BASE).contains(&value) => Err(format!(
            "expected a base from 2 to {MAX_BASE}, found {value}"
        )),
        Op::Const | Op::MulPow | Op::DivPow => Ok(()),
        _ if value != 0 => Err(format!("expected payload 0, found {value}")),
        _ => Ok(()),
    }
}

fn types(facts: &Facts, term: &Term) -> Result<(), String> {
    let arg = |index: usize| facts.terms.ty(term.args[index]);
    let is = |ty: CType| {
        if term.ty == ty {
            Ok(())
        } else {
            Err(format!("expected type {ty}, found {}", term.ty))
        }
    };
    let arg_is = |index: usize, ty: CType| {
        let found = arg(index);
        if found == ty {
            Ok(())
        } else {
            Err(format!(
                "expected argument {index} of type {ty}, found {found}"
            ))
        }
    };
    let integer = |what: &str, ty: CType| {
        if ty.is_integer() {
            Ok(())
        } else {
            Err(format!("expected {what} of an integer type, found {ty}"))
        }
    };
    let number = |what: &str, ty: CType| {
        if ty == CType::Bool {
            Err(format!(
                "expected {what} of an integer type other than bool"
            ))
        } else {
            integer(what, ty)
        }
    };
    match term.op {
        Op::Const | Op::Symbol | Op::Unknown | Op::Pure => Ok(()),
        Op::TidX | Op::TidY | Op::TidZ | Op::BidX | Op::BidY | Op::BidZ => is(CType::U32),
        Op::BdimX | Op::BdimY | Op::BdimZ | Op::GdimX | Op::GdimY | Op::GdimZ => is(CType::U32),
        Op::Iter | Op::Exit => is(CType::I64),
        Op::Load => arg_is(0, CType::I64),
        Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem | Op::MulHi => {
            number("a result", term.ty)?;
            arg_is(0, term.ty)?;
            arg_is(1, term.ty)
        }
        Op::BitAnd | Op::BitOr | Op::BitXor | Op::Min | Op::Max => {
            integer("a result", term.ty)?;
            arg_is(0, term.ty)?;
            arg_is(1, term.ty)
        }
        Op::Neg | Op::BitNot | Op::Brev => {
            number("a result", term.ty)?;
            arg_is(0, term.ty)
        }
        Op::Shl | Op::Shr | Op::MulPow | Op::DivPow => {
            number("a result", term.ty)?;
            arg_is(0, term.ty)?;
            integer("argument 1", arg(1))
        }
        Op::Eq | Op::Ne | Op::Lt | Op::Le => {
            is(CType::Bool)?;
            integer("argument 0", arg(0))?;
            arg_is(1, arg(0))
        }
        Op::And | Op::Or => {
            is(CType::Bool)?;
            arg_is(0, CType::Bool)?;
            arg_is(1, CType::Bool)
        }
        Op::Not => {
            is(CType::Bool)?;
            arg_is(0, CType::Bool)
        }
        Op::Ite => {
            arg_is(0, CType::Bool)?;
            arg_is(1, term.ty)?;
            arg_is(2, term.ty)
        }
        Op::Cast => Ok(()),
        Op::Other => arg_is(0, term.ty),
        Op::SameBlock => is(CType::Bool),
        Op::Fit => {
            integer("a result", term.ty)?;
            integer("argument 0", arg(0))
        }
        Op::Popc | Op::Clz | Op::Ffs => {
            number("a result", term.ty)?;
            number("argument 0", arg(0))
        }
    }
}
