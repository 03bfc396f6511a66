//! Truth values without a closed form that are the same, or each other's contrary, in every iteration.
//!
//! `if (c[i]) swap(from, to);` makes pointers lead now here, now there. Each of them is told by truth values, one for each place
//! (`redirect.rs`), of which none is known; but `from` leads to the one array exactly where `to` leads to the other. All such
//! values are one unknown or its contrary.
//!
//! **Algorithm.** Each value whose start is known is guessed to follow the first of them, as it is or reversed, by their starts.
//! A guess is dropped unless the two ends are so related, too, for all truth values of what decides them, taken that all guesses
//! held at the head; until none has to be dropped. What remains holds by induction.

use rustc_hash::FxHashMap;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::trial::Plan;

/// Most conditions that decide the ends, and steps through them.
const MAX_ATOMS: usize = 6;
const MAX_STEPS: usize = 400;

/// That a slot is another one in every iteration, or the contrary of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Follows {
    pub leader: usize,
    pub contrary: bool,
}

impl Lowerer<'_, '_> {
    /// By slot, which other it follows.
    pub(crate) fn followers(&self, plan: &Plan, forms: &[Option<TermId>]) -> Vec<Option<Follows>> {
        let terms = &self.facts.terms;
        let mut follows: Vec<Option<Follows>> = vec![None; plan.slots.len()];
        if plan.lost {
            return follows;
        }
        let start = |index: usize| {
            let slot = plan.slots[index];
            let open = forms[index].is_none() && terms.ty(slot.phi) == CType::Bool;
            terms.as_const(slot.start).filter(|_| open)
        };
        let mut told = (0..plan.slots.len()).filter_map(|index| Some((index, start(index)?)));
        let Some((leader, first)) = told.next() else {
            return follows;
        };
        for (index, other) in told {
            let contrary = (first != 0) != (other != 0);
            follows[index] = Some(Follows { leader, contrary });
        }
        while follows.iter().any(Option::is_some) {
            let mut kept = follows.clone();
            for (index, one) in kept.iter_mut().enumerate() {
                if let Some(Follows { contrary, .. }) = *one
                    && !keeps(terms, plan, leader, index, contrary, &follows)
                {
                    *one = None;
                }
            }
            if kept == follows {
                break;
            }
            follows = kept;
        }
        follows
    }
}

/// Whether two ends are the same, or each other's contrary, whatever decides them.
fn keeps(
    terms: &TermStore,
    plan: &Plan,
    leader: usize,
    index: usize,
    contrary: bool,
    follows: &[Option<Follows>],
) -> bool {
    let mut table = Table {
        terms,
        heads: FxHashMap::default(),
        atoms: Vec::new(),
        row: 0,
        steps: 0,
    };
    for (slot, one) in plan.slots.iter().zip(follows) {
        if let Some(one) = one {
            let of = plan.slots[one.leader].phi;
            table.heads.insert(slot.phi, (of, one.contrary));
        }
    }
    let ends = [plan.slots[leader].end, plan.slots[index].end];
    // The atoms are met in the first rows; a row more for each of them.
    loop {
        table.steps = 0;
        let values = ends.map(|end| table.value(end));
        let [Some(one), Some(other)] = values else {
            return false;
        };
        if (one != other) != contrary {
            return false;
        }
        table.row += 1;
        if table.row >> table.atoms.len() != 0 {
            return true;
        }
    }
}

/// A table of truth, of which one row is looked at.
struct Table<'t> {
    terms: &'t TermStore,
    /// What follows the value at the head of another slot, and whether as its contrary.
    heads: FxHashMap<TermId, (TermId, bool)>,
    atoms: Vec<TermId>,
    row: usize,
    steps: usize,
}

impl Table<'_> {
    fn value(&mut self, id: TermId) -> Option<bool> {
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return None;
        }
        if let Some(value) = self.terms.as_const(id) {
            return Some(value != 0);
        }
        if let Some(&(of, contrary)) = self.heads.get(&id) {
            return Some(self.atom(of)? != contrary);
        }
        let term = self.terms.get(id);
        match (term.op, term.args.as_slice()) {
            (Op::Not, &[arg]) => Some(!self.value(arg)?),
            (Op::And, &[left, right]) => {
                let values = (self.value(left)?, self.value(right)?);
                Some(values.0 && values.1)
            }
            (Op::Or, &[left, right]) => {
                let values = (self.value(left)?, self.value(right)?);
                Some(values.0 || values.1)
            }
            (Op::Ite, &[condition, then, otherwise]) => {
                let condition = self.value(condition)?;
                let values = (self.value(then)?, self.value(otherwise)?);
                Some(if condition { values.0 } else { values.1 })
            }
            _ if term.ty == CType::Bool => self.atom(id),
            _ => None,
        }
    }

    fn atom(&mut self, id: TermId) -> Option<bool> {
        let number = match self.atoms.iter().position(|&atom| atom == id) {
            Some(number) => number,
            None if self.atoms.len() == MAX_ATOMS => return None,
            None => {
                self.atoms.push(id);
                self.atoms.len() - 1
            }
        };
        Some(self.row >> number & 1 != 0)
    }
}
