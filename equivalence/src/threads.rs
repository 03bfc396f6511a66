//! Matching of threads whose launches have different shapes: which thread of the other side writes an element.
//!
//! **Algorithm.** An address of one side is a sum over the numbers of the thread, of its block and of the iterations of the loops
//! around it, its *coordinates*. What is multiplied by the same parameters is one *number in mixed radix*: `threadIdx.x + 256 *
//! blockIdx.x + 256 * gridDim.x * k` has three digits. So the thread that writes a given address is found digit by digit, by
//! quotients and remainders; the element of the other side is its own address, an expression over its own coordinates. Where digits
//! of one side are narrower than those of the other (four elements a thread against one), the coordinate is split into a quotient
//! and each of its remainders. Each assignment of one side must be one of the other, with the same value, and vice versa.
//!
//! **Conditions.** If the grid of the other side is not shown to come to an element, or a guard of the other side not to hold, the
//! condition on sizes under which it does is told, and the comparison is made again under it.
//!
//! **Source.** The monotone maps of PUG_para (IPDPSW 2012) match threads of equal launches; digits are those of the rules on offsets.
//!
//! **Accuracy.** One thread stands for all, so that nothing goes through shared memory. An element that several assignments of one
//! thread may be to is left open, as is one that is written before and after a barrier; two threads that write one element are a
//! race, which was excluded before. That threads are found one way and not another decides nothing wrongly: an element that no
//! thread is found for leaves the answer open.

use rustc_hash::FxHashMap;

use crate::compare::{self, FIRST_OF_WRITES};
use crate::folds;
use crate::machine::Setup;
use crate::memory::Write;
use crate::node::{Id, Leaf, Node, Pool};
use crate::told::{Candidate, Told};

mod combined;
mod digits;
mod outputs;

use digits::{Split, Writer};
pub use outputs::Claimed;

/// Most assignments of a thread to an array.
const MAX_WRITES: usize = 64;
/// Most remainders that a coordinate is split into.
const MAX_REMAINDERS: i128 = 32;
/// The numbers that coordinates are multiples by.
const FIRST_OF_MULTIPLES: u32 = 1 << 26;
/// The same where all threads of a block are looked at.
pub const REMAINDERS_OF_BLOCK: i128 = 1_024;
/// Most coordinates that are split on the way to one answer.
const MAX_SPLITS: u32 = 2;

/// The threads of a side.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    /// `threadIdx` and `blockIdx` where they are open, each with its number of values.
    pub coordinates: Vec<(Id, Id)>,
}

impl Threads {
    /// Adds the threads of a launch, whose numbers are open; `true` if sizes follow from arguments.
    ///
    /// # Errors
    /// They are not those of an earlier launch.
    pub fn add(&mut self, pool: &mut Pool, setup: &Setup) -> Result<bool, String> {
        let mut follows = false;
        let numbers = setup.threads[0].iter().zip(&setup.block);
        let numbers = numbers.chain(setup.of_grid.iter().zip(&setup.grid));
        for (&coordinate, &size) in numbers {
            if !matches!(pool.node(coordinate), Node::Leaf(_)) {
                continue;
            }
            let size = without_wrapping(pool, size);
            follows |= !matches!(pool.node(size), Node::Int(_) | Node::Leaf(_));
            let mut known = self.coordinates.iter();
            match known.find(|(other, _)| *other == coordinate) {
                Some((_, other)) if *other != size => {
                    return Err("launches of one side have different shapes".to_owned());
                }
                Some(_) => {}
                None => self.coordinates.push((coordinate, size)),
            }
        }
        Ok(follows)
    }
}

/// The size of a grid, as in `(n + 255) / 256`, that does not wrap.
fn without_wrapping(pool: &mut Pool, size: Id) -> Id {
    match *pool.node(size) {
        Node::Mod(32, inner) => inner,
        Node::Div(dividend, divisor) => match *pool.node(dividend) {
            Node::Mod(32, inner) => pool.quotient(inner, divisor).unwrap_or(size),
            _ => size,
        },
        _ => size,
    }
}

/// The comparison of two sides.
pub struct Matcher<'p> {
    pool: &'p mut Pool,
    /// How many values each coordinate has, of both sides, as far as is known at the moment.
    sizes: FxHashMap<Id, Id>,
    /// The same as the launches give them.
    given: Vec<(Id, Id)>,
    sides: [Threads; 2],
    /// Most remainders that a coordinate is split into.
    pub most_remainders: i128,
    /// Conditions on sizes under which more would be shown.
    pub wanted: Vec<Id>,
    /// Arrays from this number on are shared: the block that writes them is that which reads them.
    pub first_shared: u32,
    /// How many bytes they have, as far as that is known.
    pub extents: FxHashMap<u32, i128>,
    /// How many loops were gone through in which elements are looked for.
    folds: u32,
    /// What is seen of assignments.
    pub told: Told,
    /// Where those of each side begin in it.
    places: [Option<usize>; 2],
}

impl<'p> Matcher<'p> {
    /// The comparison of these threads; it is known that coordinates are less than their number of values.
    pub fn new(pool: &'p mut Pool, sides: [Threads; 2]) -> Self {
        let sizes = sides.iter().flat_map(|side| &side.coordinates);
        let given: Vec<(Id, Id)> = sizes.copied().collect();
        Matcher {
            pool,
            sizes: given.iter().copied().collect(),
            given,
            sides,
            most_remainders: MAX_REMAINDERS,
            wanted: Vec::new(),
            first_shared: u32::MAX,
            extents: FxHashMap::default(),
            folds: 0,
            told: Told::default(),
            places: [None; 2],
        }
    }

    /// Shows that two lists of assignments to one array leave the same contents.
    ///
    /// # Errors
    /// What is not shown.
    pub fn same_array(&mut self, left: Vec<Write>, right: Vec<Write>) -> Result<(), String> {
        let writes = [
            compare::merged(self.pool, left, FIRST_OF_WRITES),
            compare::merged(self.pool, right, FIRST_OF_WRITES + 64),
        ];
        if compare::operation([&writes[0], &writes[1]])?.is_some() {
            return self.same_combined(writes);
        }
        if writes.iter().any(|side| side.len() > MAX_WRITES) {
            return Err("a thread makes too many assignments".to_owned());
        }
        for write in writes.iter().flatten() {
            let mut places = vec![write.address, write.guard];
            places.extend(write.loops.iter().map(|(_, goes_on)| *goes_on));
            if !compare::is_of_run(self.pool, &places) {
                return Err("a place or a condition that a loop carries along".to_owned());
            }
        }
        for (side, own) in writes.iter().enumerate() {
            self.ordered(side, own)?;
            self.elements_apart(own)?;
        }
        self.places = [0, 1].map(|side| self.told.add(self.pool, side, &writes[side]));
        self.match_both(&writes)
    }

    /// Shows that each assignment of one side is one of the other, and vice versa.
    fn match_both(&mut self, writes: &[Vec<Write>; 2]) -> Result<(), String> {
        for (wanted, by) in [(0, 1), (1, 0)] {
            for (place, write) in writes[wanted].iter().enumerate() {
                self.enter(write);
                let (images, follows) = self.multiples(write);
                let entered = !images.is_empty();
                if entered {
                    self.pool.enter(follows);
                }
                let shown = self.is_written((write, place), &images, (&writes[by], by), MAX_SPLITS);
                if entered {
                    self.pool.leave();
                }
                self.pool.leave();
                shown?;
                if let Some(first) = self.places[wanted] {
                    self.told.covered.push(first + place);
                }
            }
        }
        Ok(())
    }

    /// Whether the order of assignments of different threads of a side cannot matter: two with a barrier or a launch between are to
    /// different elements whichever threads make them, or are made by one thread.
    fn ordered(&mut self, side: usize, writes: &[Write]) -> Result<(), String> {
        if compare::ordered(self.pool, writes).is_ok() {
            return Ok(());
        }
        if writes.len() > MAX_WRITES {
            return Err(compare::BEFORE_AND_AFTER.to_owned());
        }
        for (position, write) in writes.iter().enumerate() {
            for before in &writes[..position] {
                if (before.epoch, before.step) == (write.epoch, write.step)
                    || self.is_elsewhere(before, side, write.address)
                {
                    continue;
                }
                let one_thread = before.address == write.address
                    && before.thread == write.thread
                    && before.loops.is_empty()
                    && write.loops.is_empty()
                    && self.are_of_one_thread([before, write], side);
                if !one_thread {
                    return Err(compare::BEFORE_AND_AFTER.to_owned());
                }
            }
        }
        Ok(())
    }

    /// Whether the address that two assignments have tells the thread that makes them, the same one for both.
    fn are_of_one_thread(&mut self, writes: [&Write; 2], side: usize) -> bool {
        let Writer::Found(found) = self.writer(writes[0], side, writes[0].address) else {
            return false;
        };
        found.is_only
            && writes.into_iter().all(|write| {
                self.enter(write);
                let own = self.is_own(write, side, &found.images);
                self.pool.leave();
                own
            })
    }

    /// Whether no other thread makes an assignment to its address, nor the same one in another iteration of the loops around it: the
    /// digits of the address are the coordinates.
    fn is_made_once(&mut self, write: &Write, side: usize) -> bool {
        self.enter(write);
        let found = self.writer(write, side, write.address);
        let once = match found {
            Writer::Found(found) => found.is_only && self.is_own(write, side, &found.images),
            _ => false,
        };
        self.pool.leave();
        once
    }

    /// Whether coordinates that were found are those of the thread that makes an assignment.
    fn is_own(&mut self, write: &Write, side: usize, images: &FxHashMap<Id, Id>) -> bool {
        let own = self.coordinates(write, side);
        own.into_iter().all(|coordinate| {
            let image = images.get(&coordinate).copied();
            image.is_some_and(|image| compare::equal(self.pool, image, coordinate))
        })
    }

    /// What tells the assignments that a side makes at one place apart: thread and block, and the iterations of the loops around it.
    /// Shared memory is that of the block.
    fn coordinates(&self, write: &Write, side: usize) -> Vec<Id> {
        let mut coordinates: Vec<Id> = self.sides[side].coordinates.iter().map(|c| c.0).collect();
        if write.array >= self.first_shared {
            coordinates.retain(|&id| !matches!(self.pool.node(id), Node::Leaf(Leaf::Bid(_))));
        }
        coordinates.extend(write.loops.iter().map(|(iteration, _)| *iteration));
        coordinates
    }

    /// Notes an assignment of the other side that may be the same one.
    fn tell(
        &mut self,
        (wanted, by): (usize, usize),
        side: usize,
        found: &FxHashMap<Id, Id>,
        condition: Id,
        is_same: bool,
    ) {
        let (Some(first), Some(other)) = (self.places[1 - side], self.places[side]) else {
            return;
        };
        let mut thread: Vec<(Id, Id)> = found.iter().map(|(&id, &image)| (id, image)).collect();
        thread.sort_unstable();
        let thread: Vec<String> = thread
            .into_iter()
            .map(|(id, image)| format!("{} = {}", self.pool.shown(id), self.pool.shown(image)))
            .collect();
        self.told.candidates.push(Candidate {
            pair: (first + wanted, other + by),
            thread: thread.join(", "),
            condition: self.pool.shown(condition),
            is_same,
        });
    }

    /// Coordinates that are multiples of a number where an assignment is made, as `c % m == 0` says: each as m times another number,
    /// and what follows for that.
    fn multiples(&mut self, write: &Write) -> (FxHashMap<Id, Id>, Id) {
        let (mut images, mut follows) = (FxHashMap::default(), Vec::new());
        let condition = self.condition(write);
        let parts = match self.pool.node(condition).clone() {
            Node::And(parts) => parts,
            _ => vec![condition],
        };
        for part in parts {
            let Node::Zero(p) = *self.pool.node(part) else {
                continue;
            };
            let found = self.pool.parts(&[p]).into_iter().find_map(|part| {
                let Node::Div(coordinate, by) = *self.pool.node(part) else {
                    return None;
                };
                let whole = self.pool.times(part, by);
                let rest = self.pool.plus(coordinate, whole, -1);
                let contrary = self.pool.plus(whole, coordinate, -1);
                [rest, contrary].contains(&p).then_some((coordinate, by))
            });
            let Some((coordinate, by)) = found else {
                continue;
            };
            let number = self.pool.leaf(Leaf::Bound(
                FIRST_OF_MULTIPLES + u32::try_from(images.len()).unwrap_or(0),
            ));
            let size = self.given.iter().find(|(given, _)| *given == coordinate);
            let Some(&(_, size)) = size.filter(|_| !images.contains_key(&coordinate)) else {
                continue;
            };
            let one = self.pool.int(1);
            if self.pool.parts(&[by]).contains(&coordinate) || self.pool.interval(by).0 < 1 {
                continue;
            }
            let multiple = self.pool.times(by, number);
            images.insert(coordinate, multiple);
            let beyond = self.pool.plus(size, multiple, -1);
            let beyond = self.pool.plus(beyond, one, -1);
            follows.push(self.pool.not_negative(beyond));
            let more = self.pool.plus(multiple, number, -1);
            follows.push(self.pool.not_negative(more));
        }
        if !images.is_empty() {
            // What is known of the coordinates is known of the multiples.
            follows.push(self.pool.rebuilt(condition, &images));
        }
        (images, self.pool.all(follows))
    }

    /// The condition under which an assignment is made.
    fn condition(&mut self, write: &Write) -> Id {
        let mut parts = vec![write.guard];
        parts.extend(write.loops.iter().map(|(_, goes_on)| *goes_on));
        self.pool.all(parts)
    }

    fn enter(&mut self, write: &Write) {
        let condition = self.condition(write);
        let condition = self.pool.rebuilt(condition, &FxHashMap::default());
        self.pool.enter(condition);
    }

    /// Whether every two assignments of one thread are to different elements.
    fn elements_apart(&mut self, writes: &[Write]) -> Result<(), String> {
        for (position, write) in writes.iter().enumerate() {
            let bytes = i128::from(write.ty.bytes().unwrap_or(8));
            self.enter(write);
            let apart = self.iterations_apart(write, bytes);
            self.pool.leave();
            if !apart {
                return Err("iterations of a thread that may write one element".to_owned());
            }
            for other in &writes[..position] {
                let size = i128::from(other.ty.bytes().unwrap_or(8)).max(bytes);
                let difference = self.pool.plus(write.address, other.address, -1);
                let closed = write.loops.is_empty() && other.loops.is_empty();
                if closed
                    && self
                        .pool
                        .as_int(difference)
                        .is_some_and(|by| by.abs() >= size)
                {
                    continue;
                }
                let renamed = self.in_other_iterations(other);
                let conditions = [self.condition(write), self.condition(&renamed)];
                let both = self.pool.all(conditions.to_vec());
                self.pool.enter(both);
                let apart = self.pool.is_contradictory()
                    || self.are_apart(write.address, renamed.address, size);
                self.pool.leave();
                if !apart {
                    return Err("elements that one thread writes may be the same".to_owned());
                }
            }
        }
        Ok(())
    }

    fn are_apart(&mut self, one: Id, other: Id, bytes: i128) -> bool {
        [(one, other), (other, one)].into_iter().any(|(a, b)| {
            let difference = self.pool.plus(a, b, -1);
            let size = self.pool.int(bytes);
            let beyond = self.pool.plus(difference, size, -1);
            self.pool.is_shown_not_negative(beyond)
        })
    }

    /// An assignment with iterations of other names.
    fn in_other_iterations(&mut self, write: &Write) -> Write {
        let mut images = FxHashMap::default();
        for (depth, (iteration, _)) in write.loops.iter().enumerate() {
            let depth = u32::try_from(depth).unwrap_or(0);
            let other = self.pool.leaf(Leaf::Bound(FIRST_OF_WRITES + 128 + depth));
            images.insert(*iteration, other);
        }
        let mut renamed = write.clone();
        for id in [&mut renamed.address, &mut renamed.value, &mut renamed.guard] {
            *id = self.pool.rebuilt(*id, &images);
        }
        for (iteration, condition) in &mut renamed.loops {
            *condition = self.pool.rebuilt(*condition, &images);
            *iteration = images[iteration];
        }
        renamed
    }

    /// Whether a thread comes to another element in each iteration of the loops around an assignment.
    fn iterations_apart(&mut self, write: &Write, bytes: i128) -> bool {
        let mut steps = Vec::new();
        for (iteration, _) in &write.loops {
            let (zero, one) = (self.pool.int(0), self.pool.int(1));
            let mut at = |value: Id| {
                let images = FxHashMap::from_iter([(*iteration, value)]);
                self.pool.rebuilt(write.address, &images)
            };
            let (first, second) = (at(zero), at(one));
            let step = self.pool.plus(second, first, -1);
            let moved = self.pool.times(step, *iteration);
            if self.pool.plus(first, moved, 1) != write.address {
                return false;
            }
            steps.push((*iteration, step));
        }
        let size = self.pool.int(bytes);
        match steps.as_slice() {
            [] => true,
            &[(_, step)] => {
                let beyond = self.pool.plus(step, size, -1);
                self.pool.is_shown_not_negative(beyond)
            }
            // What the inner loop covers is less than a step of the outer one, or the other way round.
            &[one, other] => {
                [(one, other), (other, one)]
                    .into_iter()
                    .any(|((_, step), (iteration, inner))| {
                        let covered = self.pool.times(inner, iteration);
                        let rest = self.pool.plus(step, covered, -1);
                        let rest = self.pool.plus(rest, size, -1);
                        let of_inner = self.pool.plus(inner, size, -1);
                        self.pool.is_shown_not_negative(rest)
                            && self.pool.is_shown_not_negative(of_inner)
                    })
            }
            _ => false,
        }
    }

    /// Whether an assignment, under what is known, is one of the other side. `images` are what its coordinates were split into.
    fn is_written(
        &mut self,
        (write, place): (&Write, usize),
        images: &FxHashMap<Id, Id>,
        (by, side): (&[Write], usize),
        splits: u32,
    ) -> Result<(), String> {
        if self.pool.is_contradictory() {
            return Ok(());
        }
        let address = self.pool.rebuilt(write.address, images);
        let value = self.pool.rebuilt(write.value, images);
        let mut covered = Vec::new();
        let mut split = None;
        let mut reason = "an element that only one of the two is seen to write".to_owned();
        for (at, other) in by.iter().enumerate() {
            if other.ty != write.ty {
                return Err("elements that are written as values of two types".to_owned());
            }
            let (found, needs) = match self.writer(other, side, address) {
                Writer::Found(found) => (found.images, found.needs),
                Writer::Split(found) => {
                    split = Some(found);
                    continue;
                }
                Writer::None | Writer::Never => continue,
            };
            if !self.goes_on_until(other) {
                continue;
            }
            let condition = self.condition(other);
            let condition = self.pool.rebuilt(condition, &found);
            let mut parts = needs;
            parts.push(condition);
            let condition = self.pool.all(parts);
            let condition = self.without_what_is_shown(condition);
            self.pool.enter(condition);
            let given = self.pool.rebuilt(other.value, &found);
            let same = self.pool.is_contradictory() || compare::equal(self.pool, given, value);
            self.pool.leave();
            self.tell((place, at), side, &found, condition, same);
            if !same {
                reason = format!(
                    "the two are not seen to have equal values: {} and {}",
                    self.pool.shown(value),
                    self.pool.shown(given)
                );
                continue;
            }
            if self.pool.as_int(condition) == Some(1) {
                return Ok(());
            }
            covered.push(condition);
        }
        if let (Some(split), true) = (split, splits > 0) {
            return self.by_remainders((write, place), images, (by, side), split, splits);
        }
        let all = self.pool.any(covered.clone());
        let contrary = self.pool.not(all);
        self.pool.enter(contrary);
        let none = self.pool.is_contradictory();
        self.pool.leave();
        if none && !covered.is_empty() {
            return Ok(());
        }
        // Of several, none is known to be the weakest.
        if let &[condition] = covered.as_slice() {
            self.ask_for(condition);
        }
        Err(reason)
    }

    /// The same for each remainder r of a sum by a number m: its coordinate is m q + r less the rest of the sum.
    fn by_remainders(
        &mut self,
        (write, place): (&Write, usize),
        images: &FxHashMap<Id, Id>,
        (by, side): (&[Write], usize),
        split: Split,
        splits: u32,
    ) -> Result<(), String> {
        let remainders = self
            .remainders(split)
            .ok_or("an element whose writer is not found")?;
        let condition = self.condition(write);
        for image in remainders {
            let own = FxHashMap::from_iter([(split.coordinate, image)]);
            // What was split before is made of the coordinates as well.
            let mut all: FxHashMap<Id, Id> = FxHashMap::default();
            // Each is replaced by itself.
            #[allow(clippy::iter_over_hash_type)]
            for (&before, &was) in images {
                let image = self.pool.rebuilt(was, &own);
                all.insert(before, image);
            }
            all.insert(split.coordinate, image);
            let condition = self.pool.rebuilt(condition, &all);
            self.pool.enter(condition);
            let shown = self.is_written((write, place), &all, (by, side), splits - 1);
            self.pool.leave();
            shown?;
        }
        Ok(())
    }

    /// Whether the loops around an assignment go on in all iterations before one in which they do.
    fn goes_on_until(&mut self, write: &Write) -> bool {
        write
            .loops
            .iter()
            .all(|(iteration, goes_on)| folds::is_monotone(self.pool, *goes_on, *iteration))
    }

    /// The parts of a condition that do not follow from what is known.
    fn without_what_is_shown(&mut self, condition: Id) -> Id {
        let parts = match self.pool.node(condition).clone() {
            Node::And(parts) => parts,
            _ => vec![condition],
        };
        let mut left = Vec::new();
        for part in parts {
            let shown = match *self.pool.node(part) {
                Node::NotNegative(p) => self.pool.is_shown_not_negative(p),
                _ => {
                    let truth = self.pool.truth(true);
                    compare::equal(self.pool, part, truth)
                }
            };
            if !shown {
                left.push(part);
            }
        }
        self.pool.all(left)
    }

    // Conditions on sizes.

    /// Notes the weakest conditions on sizes that are seen to make a condition on coordinates true.
    fn ask_for(&mut self, condition: Id) {
        let parts = match self.pool.node(condition).clone() {
            Node::And(parts) => parts,
            _ => vec![condition],
        };
        let mut known = self.pool.known_not_negative();
        known.sort_unstable();
        for part in parts {
            let Node::NotNegative(p) = *self.pool.node(part) else {
                return;
            };
            // p >= 0 follows from q >= 0 and p - q >= 0, which is about sizes.
            let mut of_known = None;
            for &q in &known {
                // p >= 0 is m p + m - 1 >= 0, and q >= 0 is k q >= 0.
                let scale = self.scale(p, q);
                let slack = self.pool.int(scale - 1);
                let scaled = self.pool.plus(slack, p, scale);
                let times = self.scale(q, scaled);
                let rest = self.pool.plus(scaled, q, -times);
                if self.is_of_sizes(rest) {
                    of_known = Some(rest);
                    break;
                }
            }
            let found = match of_known {
                Some(rest) => Some(rest),
                None => self.least(p).filter(|&least| self.is_of_sizes(least)),
            };
            let Some(found) = found else { return };
            let condition = self.pool.not_negative(found);
            if self.pool.as_int(condition).is_none() && !self.wanted.contains(&condition) {
                self.wanted.push(condition);
            }
        }
    }

    /// How many times a product of coordinates is in q that is in p.
    fn scale(&self, p: Id, q: Id) -> i128 {
        let sums = [self.pool.monomials(p), self.pool.monomials(q)];
        for (monomial, factor) in &sums[0] {
            if monomial.iter().all(|&atom| self.is_of_sizes(atom)) {
                continue;
            }
            let other = sums[1].iter().find(|(other, _)| other == monomial);
            if let Some((_, other)) = other
                && other % factor == 0
                && other / factor > 1
            {
                return other / factor;
            }
        }
        1
    }

    /// Whether a value is made of sizes and arguments alone.
    fn is_of_sizes(&self, value: Id) -> bool {
        self.pool
            .parts(&[value])
            .into_iter()
            .all(|part| match self.pool.node(part) {
                Node::Leaf(leaf) => {
                    matches!(leaf, Leaf::Bdim(_) | Leaf::Gdim(_) | Leaf::Symbol(..))
                }
                Node::Int(_) | Node::Poly(_) | Node::Div(..) => true,
                _ => false,
            })
    }

    /// The least that a sum of coordinates can be.
    fn least(&mut self, p: Id) -> Option<Id> {
        let mut images = FxHashMap::default();
        for (monomial, factor) in self.pool.monomials(p) {
            for &atom in &monomial {
                let Node::Leaf(leaf) = *self.pool.node(atom) else {
                    continue;
                };
                if !is_coordinate(leaf) {
                    continue;
                }
                let image = match factor > 0 {
                    true => self.pool.int(0),
                    false => {
                        let size = *self.sizes.get(&atom)?;
                        let one = self.pool.int(1);
                        self.pool.plus(size, one, -1)
                    }
                };
                if images
                    .insert(atom, image)
                    .is_some_and(|other| other != image)
                {
                    return None;
                }
            }
        }
        Some(self.pool.rebuilt(p, &images))
    }
}

fn is_coordinate(leaf: Leaf) -> bool {
    matches!(leaf, Leaf::Tid(_) | Leaf::Bid(_) | Leaf::Bound(_))
}
