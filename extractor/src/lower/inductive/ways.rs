//! The ways through the body of a loop: for each, the value that it gives a variable and what holds on it.
//!
//! The value of a variable at the end of an iteration has an `ite` for every place at which ways meet. A way takes one arm
//! of each, and its conditions hold on it.

use warplog_facts::*;

/// Most ways that are told apart, and conditions of one.
const MAX_WAYS: usize = 24;
const MAX_CONJUNCTS: usize = 64;

/// One way.
#[derive(Clone, Debug)]
pub(super) struct Way {
    /// Conditions with their values, in parts.
    pub conjuncts: Vec<(TermId, bool)>,
    /// Terms that are all the value at its end; the last is no `ite`.
    pub values: Vec<TermId>,
}

/// The ways to the value `end` on which `stays` holds; none if there are too many.
pub(super) fn ways(terms: &TermStore, end: TermId, stays: &[(TermId, bool)]) -> Vec<Way> {
    let mut found = Vec::new();
    let mut open = vec![Way {
        conjuncts: stays.to_vec(),
        values: vec![end],
    }];
    while let Some(mut way) = open.pop() {
        way.conjuncts = parts(terms, &way.conjuncts);
        let term = way.values.last().map(|&value| terms.get(value));
        let Some((Op::Ite, &[condition, then, otherwise])) =
            term.map(|term| (term.op, term.args.as_slice()))
        else {
            found.push(way);
            continue;
        };
        let known = truth(terms, &way.conjuncts, condition, 0);
        for (polarity, value) in [(false, otherwise), (true, then)] {
            if known != Some(!polarity) {
                let mut arm = way.clone();
                arm.conjuncts.push((condition, polarity));
                arm.values.push(value);
                open.push(arm);
            }
        }
        if found.len() + open.len() > MAX_WAYS {
            return Vec::new();
        }
    }
    found
}

/// The conjuncts and what follows from them by taking them apart: of `!(a && b)` where a holds, that b does not.
fn parts(terms: &TermStore, conjuncts: &[(TermId, bool)]) -> Vec<(TermId, bool)> {
    let mut known: Vec<(TermId, bool)> = Vec::new();
    let mut open: Vec<(TermId, bool)> = conjuncts.iter().rev().copied().collect();
    loop {
        while let Some((id, polarity)) = open.pop() {
            if known.contains(&(id, polarity)) || known.len() >= MAX_CONJUNCTS {
                continue;
            }
            known.push((id, polarity));
            let term = terms.get(id);
            match (term.op, polarity, term.args.as_slice()) {
                (Op::Not, _, &[arg]) => open.push((arg, !polarity)),
                (Op::And, true, &[left, right]) | (Op::Or, false, &[left, right]) => {
                    open.extend([(right, polarity), (left, polarity)]);
                }
                _ => {}
            }
        }
        for &(id, polarity) in &known {
            let term = terms.get(id);
            let (Op::And | Op::Or, &[left, right]) = (term.op, term.args.as_slice()) else {
                continue;
            };
            // One of the sides decides; the other does not where it is known not to.
            let neutral = term.op == Op::And;
            if polarity == neutral {
                continue;
            }
            for (one, other) in [(left, right), (right, left)] {
                let decided = truth(terms, &known, one, 0) == Some(neutral);
                if decided && !known.contains(&(other, polarity)) {
                    open.push((other, polarity));
                }
            }
        }
        if open.is_empty() || known.len() >= MAX_CONJUNCTS {
            return known;
        }
    }
}

/// The value that the conjuncts give a condition.
fn truth(terms: &TermStore, known: &[(TermId, bool)], id: TermId, depth: u32) -> Option<bool> {
    if let Some(&(_, value)) = known.iter().find(|(term, _)| *term == id) {
        return Some(value);
    }
    if depth > 8 {
        return None;
    }
    let term = terms.get(id);
    let of = |arg: TermId| truth(terms, known, arg, depth + 1);
    match (term.op, term.args.as_slice()) {
        (Op::Const, _) => Some(term.payload != 0),
        (Op::Not, &[arg]) => of(arg).map(|value| !value),
        (Op::And | Op::Or, &[left, right]) => {
            let decides = term.op == Op::Or;
            match (of(left), of(right)) {
                (Some(value), _) | (_, Some(value)) if value == decides => Some(decides),
                (Some(_), Some(_)) => Some(!decides),
                _ => None,
            }
        }
        _ => None,
    }
}
