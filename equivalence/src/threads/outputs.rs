//! What launches leave in an element, as a value over the element: the thread that wrote it is found by the digits of its address.
//!
//! **Accuracy.** Each assignment is looked for on its own. If the condition under which it was made to the element is not known to hold,
//! the value is a choice; what stands there if no assignment was made is what was there before, and that is used only where each
//! assignment is known to be made by the thread that was found or by none.

use rustc_hash::FxHashMap;
use warplog_facts::CType;

use super::digits::{Found, Split, Writer};
use super::{MAX_WRITES, Matcher};
use crate::compare::{self, FIRST_OF_WRITES};
use crate::folds;
use crate::memory::Write;
use crate::node::{Fold, Id, Leaf, Node};

/// Most coordinates that are split on the way to one answer.
const MAX_SPLITS: u32 = 3;
/// Names of the variables of loops in which elements are looked for.
const FIRST_OF_FOLDS: u32 = 1 << 28;
/// Names of the coordinates of another thread.
const FIRST_OF_OTHERS: u32 = 1 << 27;
/// Most cases of remainders in all.
const MAX_CASES: u32 = 2_048;
/// Most times that what a thread wrote is itself what an earlier launch left.
const MAX_ROUNDS: u32 = 12;
/// Most assignments that all threads of a block make to an array.
const MAX_OF_BLOCK: usize = 64 * MAX_WRITES;

/// What is claimed of what launches leave: two values are equal where a condition holds.
#[derive(Clone, Copy, Debug)]
pub struct Claimed {
    /// The condition.
    pub guard: Id,
    /// One value.
    pub left: Id,
    /// The other.
    pub right: Id,
}

/// Why a value was not found.
pub(super) enum Missing {
    /// It depends on the remainder of a sum by a number.
    Split(Split),
    /// In words.
    Unseen(String),
}

/// The assignments of the launches of a side to arrays, by array and launch, the last launch first.
#[derive(Default)]
pub(super) struct Outputs {
    side: usize,
    of_array: FxHashMap<u32, Vec<(u32, Vec<Write>)>>,
}

impl Matcher<'_> {
    /// Shows a claim about what launches leave.
    ///
    /// # Errors
    /// What is not shown.
    pub fn holds(&mut self, claim: Claimed, writes: &[Write]) -> Result<(), String> {
        let outputs = self.outputs(0, writes)?;
        let mut cases = MAX_CASES;
        self.is_true(claim, &outputs, MAX_SPLITS, &mut cases)
    }

    /// Assignments of a side, with what earlier launches of it left replaced by what their threads wrote.
    ///
    /// # Errors
    /// What is not found.
    pub fn without_earlier_launches(
        &mut self,
        side: usize,
        mut writes: Vec<Write>,
        all: &[Write],
    ) -> Result<Vec<Write>, String> {
        let mut values: Vec<Id> = Vec::new();
        for write in &writes {
            values.extend([write.address, write.value, write.guard]);
            values.extend(write.loops.iter().map(|(_, goes_on)| *goes_on));
        }
        if !self.is_of_outputs(&values) {
            return Ok(writes);
        }
        let outputs = self.outputs(side, all)?;
        let words = |missing: Missing| match missing {
            Missing::Split(_) => "an element whose writer is not found".to_owned(),
            Missing::Unseen(reason) => reason,
        };
        for write in &mut writes {
            let places: Vec<Id> = [write.address]
                .into_iter()
                .chain(write.loops.iter().map(|l| l.1))
                .collect();
            if self.is_of_outputs(&places) {
                return Err("an element whose place another one decides".to_owned());
            }
            write.guard = self.without_outputs(write.guard, &outputs).map_err(words)?;
            self.enter(write);
            let value = self.without_outputs(write.value, &outputs);
            self.pool.leave();
            write.value = value.map_err(words)?;
        }
        Ok(writes)
    }

    pub(super) fn outputs(&mut self, side: usize, writes: &[Write]) -> Result<Outputs, String> {
        let mut outputs = Outputs {
            side,
            ..Outputs::default()
        };
        let mut arrays: Vec<(u32, usize)> = writes
            .iter()
            .map(|write| (write.array, write.step))
            .collect();
        arrays.sort_unstable();
        arrays.dedup();
        for (array, step) in arrays.into_iter().rev() {
            let own = writes.iter().filter(|w| (w.array, w.step) == (array, step));
            let own = compare::merged(self.pool, own.cloned().collect(), FIRST_OF_WRITES);
            if own.len() > MAX_OF_BLOCK {
                return Err("the launch makes too many assignments".to_owned());
            }
            self.ordered(side, &own)?;
            let mut threads: Vec<usize> = own.iter().map(|write| write.thread).collect();
            threads.sort_unstable();
            threads.dedup();
            for thread in threads {
                let of_thread = own.iter().filter(|write| write.thread == thread);
                let of_thread: Vec<Write> = of_thread.cloned().collect();
                if of_thread.len() > MAX_WRITES {
                    return Err("a thread makes too many assignments".to_owned());
                }
                self.elements_apart(&of_thread)?;
            }
            let step = u32::try_from(step).unwrap_or(u32::MAX);
            outputs.of_array.entry(array).or_default().push((step, own));
        }
        Ok(outputs)
    }

    fn is_true(
        &mut self,
        claim: Claimed,
        outputs: &Outputs,
        splits: u32,
        cases: &mut u32,
    ) -> Result<(), String> {
        self.pool.enter(claim.guard);
        let shown = self.is_true_here(claim, outputs, splits, cases);
        self.pool.leave();
        shown
    }

    fn is_true_here(
        &mut self,
        claim: Claimed,
        outputs: &Outputs,
        splits: u32,
        cases: &mut u32,
    ) -> Result<(), String> {
        let none = FxHashMap::default();
        let guard = self.pool.rebuilt(claim.guard, &none);
        if self.pool.is_contradictory() || self.pool.as_int(guard) == Some(0) {
            return Ok(());
        }
        let mut both = Vec::new();
        for side in [claim.left, claim.right] {
            let side = self.pool.rebuilt(side, &none);
            match self.without_outputs(side, outputs) {
                Ok(value) => both.push(value),
                Err(Missing::Unseen(reason)) => return Err(reason),
                Err(Missing::Split(split)) => {
                    if splits == 0 || *cases < u32::try_from(split.by).unwrap_or(u32::MAX) {
                        return Err("an element whose writer is not found".to_owned());
                    }
                    *cases -= u32::try_from(split.by).unwrap_or(0);
                    return self.for_each_remainder(claim, outputs, split, (splits, cases));
                }
            }
        }
        let [left, right] = [both[0], both[1]];
        if compare::equal(self.pool, left, right) {
            return Ok(());
        }
        Err(format!(
            "the two are not seen to be equal: {} and {}",
            self.pool.shown(left),
            self.pool.shown(right)
        ))
    }

    fn for_each_remainder(
        &mut self,
        claim: Claimed,
        outputs: &Outputs,
        split: Split,
        (splits, cases): (u32, &mut u32),
    ) -> Result<(), String> {
        let remainders = self
            .remainders(split)
            .ok_or("an element whose writer is not found")?;
        for image in remainders {
            let image = FxHashMap::from_iter([(split.coordinate, image)]);
            // What is known of the coordinate makes the same of what it is replaced by look as if it need not be said.
            let outside = std::mem::take(self.pool.contexts());
            let claim = Claimed {
                guard: self.pool.rebuilt(claim.guard, &image),
                left: self.pool.rebuilt(claim.left, &image),
                right: self.pool.rebuilt(claim.right, &image),
            };
            *self.pool.contexts() = outside;
            self.is_true(claim, outputs, splits - 1, cases)?;
        }
        Ok(())
    }

    /// Whether a value speaks of what launches leave.
    fn is_of_outputs(&self, values: &[Id]) -> bool {
        let mut parts = self.pool.parts(values).into_iter();
        parts.any(|part| matches!(self.pool.node(part), Node::Output(..)))
    }

    fn without_outputs(&mut self, value: Id, outputs: &Outputs) -> Result<Id, Missing> {
        let mut value = value;
        for _ in 0..MAX_ROUNDS {
            let parts = self.pool.parts_outside_of_folds(&[value]);
            let mut images = FxHashMap::default();
            for part in parts {
                let image = match self.pool.node(part).clone() {
                    // What is read under a condition is there where it holds.
                    Node::Ite(condition, then, otherwise)
                        if self.is_of_outputs(&[then, otherwise]) =>
                    {
                        Some(self.choice(condition, [then, otherwise], outputs)?)
                    }
                    Node::Fold(fold, which) if self.is_of_outputs(&fold.next) => {
                        let fold = self.fold(*fold, outputs)?;
                        Some(self.pool.fold(fold, which))
                    }
                    Node::Output(array, step, ty, at) if !self.is_of_outputs(&[at]) => {
                        Some(self.output((array, step, ty), at, outputs)?)
                    }
                    _ => None,
                };
                if let Some(image) = image {
                    let is_choice = matches!(self.pool.node(part), Node::Ite(..));
                    images.insert(part, image);
                    // What stands in its branches is done with it.
                    if is_choice {
                        images.retain(|&other, _| other == part);
                        break;
                    }
                }
            }
            if images.is_empty() {
                return match self.is_of_outputs(&[value]) {
                    true => Err(Missing::Unseen(
                        "an element whose place another one decides".to_owned(),
                    )),
                    false => Ok(folds::renamed(self.pool, value)),
                };
            }
            value = self.pool.rebuilt(value, &images);
        }
        Err(Missing::Unseen(
            "elements that follow from each other".to_owned(),
        ))
    }

    fn choice(
        &mut self,
        condition: Id,
        branches: [Id; 2],
        outputs: &Outputs,
    ) -> Result<Id, Missing> {
        let condition = self.without_outputs(condition, outputs)?;
        let contrary = self.pool.not(condition);
        let mut found = Vec::new();
        for (case, branch) in [condition, contrary].into_iter().zip(branches) {
            self.pool.enter(case);
            let value = match self.pool.is_contradictory() {
                true => Ok(self.pool.int(0)),
                false => {
                    let branch = self.pool.rebuilt(branch, &FxHashMap::default());
                    self.without_outputs(branch, outputs)
                }
            };
            self.pool.leave();
            found.push(value?);
        }
        Ok(self.pool.ite(condition, found[0], found[1]))
    }

    /// A loop in which elements are read: in each iteration its condition holds.
    fn fold(&mut self, fold: Fold, outputs: &Outputs) -> Result<Fold, Missing> {
        if self.is_of_outputs(&[fold.condition]) {
            return Err(Missing::Unseen(
                "a loop whose length an element decides".to_owned(),
            ));
        }
        let mut start = Vec::new();
        for &value in &fold.start {
            start.push(self.without_outputs(value, outputs)?);
        }
        // What is known of this loop's iteration is not known of one that stands in what a thread stored.
        let fold = self.pool.named_apart(&fold, FIRST_OF_FOLDS + self.folds);
        self.folds += 1;
        self.pool.enter(fold.condition);
        let next: Result<Vec<Id>, Missing> = fold
            .next
            .into_iter()
            .map(|next| self.without_outputs(next, outputs))
            .collect();
        self.pool.leave();
        Ok(Fold {
            height: fold.height,
            condition: fold.condition,
            start,
            next: next.map_err(|missing| match missing {
                // The iteration is no coordinate outside of the loop.
                Missing::Split(_) => {
                    Missing::Unseen("an element of a loop whose writer is not found".to_owned())
                }
                unseen => unseen,
            })?,
        })
    }

    /// What the launches before one leave at a byte of an array.
    pub(super) fn output(
        &mut self,
        (array, before, ty): (u32, u32, CType),
        at: Id,
        outputs: &Outputs,
    ) -> Result<Id, Missing> {
        let mut chosen: Vec<(Id, Id)> = Vec::new();
        let steps = outputs.of_array.get(&array).map_or(&[][..], Vec::as_slice);
        for (_, writes) in steps.iter().filter(|(step, _)| *step < before) {
            let mut is_only = true;
            let mut own = Vec::new();
            let mut split = None;
            for write in writes {
                if write.combines.is_some() {
                    let reason = "what atomic operations leave in an element";
                    return Err(Missing::Unseen(reason.to_owned()));
                }
                if write.ty != ty {
                    let reason = "elements that are written as values of two types";
                    return Err(Missing::Unseen(reason.to_owned()));
                }
                if self.is_elsewhere(write, outputs.side, at) {
                    continue;
                }
                let found = match self.writer(write, outputs.side, at) {
                    Writer::Found(found) if self.goes_on_until(write) => found,
                    Writer::Split(found) => {
                        split = Some(found);
                        continue;
                    }
                    Writer::Never => continue,
                    Writer::Found(_) | Writer::None => {
                        is_only = false;
                        continue;
                    }
                };
                let (condition, value, only) = self.assignment(write, found);
                is_only &= only;
                match self.pool.as_int(condition) {
                    Some(0) => {}
                    Some(_) => return Ok(self.chosen(chosen, value)),
                    None => own.push((condition, value)),
                }
            }
            let all = self
                .pool
                .any(own.iter().map(|(condition, _)| *condition).collect());
            let contrary = self.pool.not(all);
            self.pool.enter(contrary);
            let covers = self.pool.is_contradictory();
            self.pool.leave();
            if covers && !own.is_empty() {
                let last = own.pop().map_or(at, |(_, value)| value);
                chosen.extend(own);
                return Ok(self.chosen(chosen, last));
            }
            if let Some(split) = split {
                return Err(Missing::Split(split));
            }
            if let &[(condition, _)] = own.as_slice() {
                self.ask_for(condition);
            }
            if !is_only {
                let reason = "an element that is not seen to be written";
                return Err(Missing::Unseen(reason.to_owned()));
            }
            chosen.extend(own);
        }
        let before = self.pool.input(array, ty, at);
        Ok(self.chosen(chosen, before))
    }

    /// The condition under which an assignment was made to an address, its value, and whether it was else not made.
    fn assignment(&mut self, write: &Write, found: Found) -> (Id, Id, bool) {
        let condition = self.condition(write);
        let condition = self.pool.rebuilt(condition, &found.images);
        let mut parts = found.needs;
        parts.push(condition);
        let condition = self.pool.all(parts);
        let condition = self.without_what_is_shown(condition);
        self.pool.enter(condition);
        let value = self.pool.rebuilt(write.value, &found.images);
        let never = self.pool.is_contradictory();
        self.pool.leave();
        match never {
            true => (self.pool.truth(false), value, found.is_only),
            false => (condition, value, found.is_only),
        }
    }

    fn chosen(&mut self, cases: Vec<(Id, Id)>, otherwise: Id) -> Id {
        let mut value = otherwise;
        for (condition, then) in cases.into_iter().rev() {
            value = self.pool.ite(condition, then, value);
        }
        value
    }

    /// Whether the address of an assignment and another one differ by what is no multiple of what all that is open in them is multiplied by.
    pub(super) fn is_elsewhere(&mut self, write: &Write, side: usize, at: Id) -> bool {
        // The thread that writes is another one than that which reads.
        let own = self.sides[side].coordinates.iter().map(|(id, _)| *id);
        let own = own.chain(write.loops.iter().map(|(iteration, _)| *iteration));
        let mut images = FxHashMap::default();
        for (coordinate, number) in own.collect::<Vec<Id>>().into_iter().zip(FIRST_OF_OTHERS..) {
            images.insert(coordinate, self.pool.leaf(Leaf::Bound(number)));
        }
        let address = self.pool.rebuilt(write.address, &images);
        let difference = self.pool.plus(address, at, -1);
        let (mut common, mut constant) = (0, 0);
        for (monomial, factor) in self.pool.monomials(difference) {
            match monomial.is_empty() {
                true => constant = factor,
                false => common = warplog_facts::arith::gcd(common, factor),
            }
        }
        match common {
            0 => constant != 0,
            _ => constant % common != 0,
        }
    }

    /// What a coordinate is in terms of itself for each remainder.
    pub(super) fn remainders(&mut self, split: Split) -> Option<Vec<Id>> {
        let divisor = self.pool.int(split.by);
        let quotient = self.pool.quotient(split.sum, divisor).ok()?;
        let whole = self.pool.times(quotient, divisor);
        let rest = self.pool.plus(split.sum, split.coordinate, -split.factor);
        let whole = self.pool.plus(whole, rest, -1);
        let zero = self.pool.int(0);
        let mut images = Vec::new();
        for remainder in 0..split.by {
            let remainder = self.pool.int(remainder);
            let image = self.pool.plus(whole, remainder, 1);
            images.push(self.pool.plus(zero, image, split.factor));
        }
        Some(images)
    }
}
