//! Comparison of an arbitrary block of both sides, or of an arbitrary thread of each where their launches have different shapes.

use crate::aligned;
use crate::answer::Extent;
use crate::compare;
use crate::index::Index;
use crate::launches::{Choice, Given, given, setup};
use crate::machine::{Halt, run, run_by_intervals};
use crate::memory::Memory;
use crate::node::{Id, Leaf, Node, Pool};
use crate::sides::Matching;
use crate::threads::{Matcher, Threads};
use crate::told::Told;

/// Why an arbitrary block of one side is not compared with that of the other.
pub const DIFFERENT_SHAPES: &str = "the launches have blocks or grids of different sizes";

/// Why nothing is said of blocks of some size: they take too long, or no execution with them is defined.
const TOO_LONG: &str = "a block takes too long";
const UNDEFINED: &str = "every execution is undefined";

/// Whether a reason says nothing against blocks of other sizes.
pub(crate) fn leaves_others(reason: &str) -> bool {
    reason == TOO_LONG || reason.starts_with(UNDEFINED)
}

/// Sizes of blocks that are compared where a launch leaves them open and threads meet in shared memory: every power of two that a
/// block of one axis may have.
pub const LINES: [[i128; 3]; 11] = [
    [1, 1, 1],
    [2, 1, 1],
    [4, 1, 1],
    [8, 1, 1],
    [16, 1, 1],
    [32, 1, 1],
    [64, 1, 1],
    [128, 1, 1],
    [256, 1, 1],
    [512, 1, 1],
    [1024, 1, 1],
];
/// How many of them, the smallest first, have to be shown: a warp is among them.
pub(crate) const LEAST_LINES: usize = 6;
pub(crate) const PLANES: [[i128; 3]; 4] = [[8, 8, 1], [16, 16, 1], [32, 32, 1], [32, 8, 1]];

/// Shows that the sides leave equal contents, an arbitrary block of one against that of the other, for blocks of every size that the
/// launches admit.
///
/// # Errors
/// Why that is not shown.
pub fn together(
    sides: &[Vec<Index<'_>>; 2],
    matching: &Matching,
    reassociates: bool,
    told: &mut Told,
) -> Result<(Extent, Vec<String>), String> {
    let sizes = sizes(sides)?;
    // One open thread is run sooner than all of a block.
    let assumptions = match aligned::prove(sides, matching, (reassociates, sizes), told) {
        Ok(assumptions) => assumptions,
        Err(_) => one(sides, matching, (reassociates, sizes), told)?,
    };
    Ok((Extent::Sizes(sizes), assumptions))
}

/// The same for blocks of the usual sizes, one by one, where a launch leaves the size of the block open.
///
/// # Errors
/// Why it is not shown of the first of them; `None` if the launch gives the size.
pub fn by_blocks(
    sides: &[Vec<Index<'_>>; 2],
    matching: &Matching,
    reassociates: bool,
    told: &mut Told,
) -> Result<(Extent, Vec<String>), Option<String>> {
    let sizes = sizes(sides)?;
    if let [Some(_), Some(_), Some(_), ..] = sizes {
        return Err(None);
    }
    let plane = sides
        .iter()
        .flatten()
        .any(|index| given(index)[1] != Given::Number(1));
    let candidates: &[[i128; 3]] = if plane { &PLANES } else { &LINES };
    let (mut shown, mut all, mut failed) = (Vec::new(), Vec::new(), None);
    for &block in candidates {
        if failed.is_some() && (shown.is_empty() || !plane) {
            break;
        }
        let mut sizes = sizes;
        for (size, wanted) in sizes.iter_mut().zip(block) {
            if size.is_some_and(|size| size != wanted) {
                return Err(None);
            }
            *size = Some(wanted);
        }
        match one(sides, matching, (reassociates, sizes), told) {
            Ok(assumptions) => {
                shown.push(block);
                all = assumptions;
            }
            // What is shown of smaller blocks says little if it is not seen of larger ones.
            Err(reason) if block[0] != block[1] && plane => failed = failed.or(Some(reason)),
            Err(reason) if !leaves_others(&reason) => return Err(Some(reason)),
            Err(reason) => failed = failed.or(Some(reason)),
        }
    }
    // One thread alone says little.
    let least = if plane { 1 } else { LEAST_LINES };
    match shown.len() < least {
        true => Err(failed),
        false => Ok((Extent::Blocks(shown), all)),
    }
}

/// The dimensions that one side gives.
pub(crate) fn sizes(sides: &[Vec<Index<'_>>; 2]) -> Result<[Option<i128>; 6], String> {
    let mut sizes = [None; 6];
    for index in sides.iter().flatten() {
        for (size, dimension) in sizes.iter_mut().zip(given(index)) {
            match (dimension, *size) {
                (Given::Number(value), Some(other)) if value != other => {
                    return Err(DIFFERENT_SHAPES.to_owned());
                }
                (Given::Number(value), _) => *size = Some(value),
                _ => {}
            }
        }
    }
    Ok(sizes)
}

fn one(
    sides: &[Vec<Index<'_>>; 2],
    matching: &Matching,
    (reassociates, sizes): (bool, [Option<i128>; 6]),
    seen: &mut Told,
) -> Result<Vec<String>, String> {
    *seen = Told::default();
    let mut pool = Pool::new(
        reassociates,
        [sizes[0], sizes[1], sizes[2], None, None, None],
    );
    pool.is_sane = true;
    let choice = Choice {
        sizes,
        scalars: None,
        inputs: None,
        apart: false,
    };
    let mut memories = Vec::new();
    let mut grids: Vec<[Id; 6]> = Vec::new();
    for (side, indices) in sides.iter().enumerate() {
        let mut memory = Memory::default();
        for (step, index) in indices.iter().enumerate() {
            let setup = setup(index, &mut pool, matching, (side, step), &choice)
                .map_err(|halt| told(&halt))?;
            let [x, y, z] = setup.block;
            let [u, v, w] = setup.grid;
            grids.push([x, y, z, u, v, w]);
            run(index, &mut pool, &mut memory, &setup).map_err(|halt| told(&halt))?;
        }
        memories.push(memory);
    }
    if grids.windows(2).any(|pair| pair[0] != pair[1]) {
        return Err(DIFFERENT_SHAPES.to_owned());
    }
    let [left, right] = [&memories[0], &memories[1]];
    for (number, array) in matching.arrays.iter().enumerate() {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        if array.names.iter().any(String::is_empty) {
            continue;
        }
        let own = |memory: &Memory| {
            let writes = memory.writes.iter().filter(|write| write.array == number);
            writes.cloned().collect::<Vec<_>>()
        };
        compare::same_array(&mut pool, own(left), own(right), seen).map_err(|reason| {
            let spent = match pool.is_spent() {
                true => "; simplifying conditions took too many steps",
                false => "",
            };
            format!("{}: {reason}{spent}", array.names[0])
        })?;
    }
    Ok(assumptions(&pool, matching))
}

/// That two sides leave equal contents if conditions on sizes hold.
#[derive(Debug)]
pub struct Proof {
    /// For which launches.
    pub extent: Extent,
    /// What it rests on.
    pub assumptions: Vec<String>,
    /// Conditions on sizes and arguments, all of which are needed.
    pub conditions: Vec<Id>,
    pub(crate) pool: Pool,
}

/// Most elements of a thread, side by side, whose multiples sizes may be.
const MAX_STRIDE: i128 = 32;
/// Most arguments that are tried to be such a multiple.
const MAX_ARGUMENTS: usize = 3;
/// Most times that conditions are added.
const MAX_ROUNDS: usize = 8;

/// Shows that the sides leave equal contents, thread by thread, whatever the shapes of their launches.
///
/// # Errors
/// Why that is not shown.
pub fn apart(
    sides: &[Vec<Index<'_>>; 2],
    matching: &Matching,
    reassociates: bool,
    told_of: &mut Told,
) -> Result<Proof, String> {
    let shapes = [0, 1].map(|side| shape(sides, side));
    let mut pool = Pool::new(reassociates, [None; 6]);
    pool.is_sane = true;
    for (side, shape) in shapes.iter().enumerate() {
        pool.block[3 * side..3 * side + 3].copy_from_slice(&shape[..3]);
    }
    pool.bounds_by_sums = true;
    let mut memories = Vec::new();
    let (mut follows, mut known) = (false, Vec::new());
    let mut next_shared = first_shared(matching);
    let mut threads = [Threads::default(), Threads::default()];
    for (side, indices) in sides.iter().enumerate() {
        let choice = Choice {
            sizes: shapes[side],
            scalars: None,
            inputs: None,
            apart: true,
        };
        let mut memory = Memory::default();
        let mut interval = 0;
        for (step, index) in indices.iter().enumerate() {
            let mut setup = setup(index, &mut pool, matching, (side, step), &choice)
                .map_err(|halt| told(&halt))?;
            setup.reads_outputs = true;
            follows |= threads[side].add(&mut pool, &setup)?;
            let shared = aligned::shared(index);
            if !shared.is_empty() && index.is_in_lock_step() {
                return Err(aligned::IN_LOCK_STEP.to_owned());
            }
            for row in shared {
                if let Some(bytes) = row.bytes {
                    memory.extents.insert(next_shared, i128::from(bytes));
                }
                setup.shared.insert(row.array, next_shared);
                setup.written.insert(next_shared);
                next_shared += 1;
            }
            known.append(&mut setup.known);
            let within = within(&mut pool, &threads[side]);
            pool.enter(within);
            run_by_intervals(index, &mut pool, &mut memory, &setup, &mut interval)
                .map_err(|halt| told(&halt))?;
        }
        memories.push(memory);
    }
    if !known.is_empty() {
        let known = pool.all(known);
        pool.enter(known);
    }
    let conditions = match shown(&mut pool, &threads, (matching, told_of), &memories) {
        Ok(conditions) => conditions,
        Err(reason) => {
            let found = for_multiples(&mut pool, &threads, (matching, told_of), &memories);
            found.ok_or(reason)?
        }
    };
    let mut assumptions = assumptions(&pool, matching);
    if follows {
        assumptions.push("each launch has a block, and the sizes of grids fit 32 bits".to_owned());
    }
    let extent = match shapes[0] == shapes[1] {
        true => Extent::Sizes(shapes[0]),
        false => Extent::Shapes(Box::new(shapes)),
    };
    Ok(Proof {
        extent,
        assumptions,
        conditions,
        pool,
    })
}

/// The conditions on sizes under which something is shown of threads; none if it always holds. What one try asks for is known in the
/// next; the contexts that it leaves are the caller's to forget.
///
/// # Errors
/// What is not shown under any that are found.
pub(crate) fn under_conditions(
    pool: &mut Pool,
    threads: &[Threads; 2],
    mut show: impl FnMut(&mut Matcher<'_>) -> Result<(), String>,
) -> Result<Vec<Id>, String> {
    let mut conditions: Vec<Id> = Vec::new();
    for _ in 0..=MAX_ROUNDS {
        let mut matcher = Matcher::new(pool, threads.clone());
        let shown = show(&mut matcher);
        let wanted = std::mem::take(&mut matcher.wanted);
        match shown {
            Ok(()) => {
                without_implied(pool, &mut conditions);
                return Ok(conditions);
            }
            Err(reason) if wanted.is_empty() => return Err(reason),
            Err(_) => {
                let all = pool.all(wanted.clone());
                pool.enter(all);
                conditions.extend(wanted);
            }
        }
    }
    Err("it takes too many conditions".to_owned())
}

/// The conditions under which the two are shown to leave equal contents; none if they always do.
fn shown(
    pool: &mut Pool,
    threads: &[Threads; 2],
    (matching, seen): (&Matching, &mut Told),
    memories: &[Memory],
) -> Result<Vec<Id>, String> {
    let within: Vec<Id> = threads.iter().map(|side| within(pool, side)).collect();
    let within = pool.all(within);
    let outside = pool.contexts().clone();
    pool.enter(within);
    let found = under_conditions(pool, threads, |matcher| {
        matcher.first_shared = first_shared(matching);
        for memory in memories {
            matcher.extents.extend(&memory.extents);
        }
        let shown = all_arrays(matcher, matching, memories);
        *seen = std::mem::take(&mut matcher.told);
        shown
    });
    *pool.contexts() = outside;
    found
}

/// That the coordinates of threads are less than their numbers of values.
pub(crate) fn within(pool: &mut Pool, threads: &Threads) -> Id {
    let one = pool.int(1);
    let mut parts = Vec::new();
    for &(coordinate, size) in &threads.coordinates {
        let beyond = pool.plus(size, coordinate, -1);
        let beyond = pool.plus(beyond, one, -1);
        parts.push(pool.not_negative(beyond));
    }
    pool.all(parts)
}

/// The number of the first shared array.
fn first_shared(matching: &Matching) -> u32 {
    u32::try_from(matching.arrays.len()).unwrap_or(u32::MAX)
}

/// The same if an argument is a multiple of how many elements a thread writes: it is that number times a quotient.
fn for_multiples(
    pool: &mut Pool,
    threads: &[Threads; 2],
    (matching, seen): (&Matching, &mut Told),
    memories: &[Memory],
) -> Option<Vec<Id>> {
    let mut arguments: Vec<Id> = Vec::new();
    let mut strides: Vec<i128> = Vec::new();
    for write in memories.iter().flat_map(|memory| &memory.writes) {
        let bytes = i128::from(write.ty.bytes().unwrap_or(1));
        for (monomial, factor) in pool.monomials(write.address) {
            let &[atom] = monomial.as_slice() else {
                continue;
            };
            let stride = factor.abs() / bytes.max(1);
            if matches!(pool.node(atom), Node::Leaf(Leaf::Tid(_)))
                && (2..=MAX_STRIDE).contains(&stride)
                && !strides.contains(&stride)
            {
                strides.push(stride);
            }
        }
        for part in pool.parts(&[write.guard]) {
            if matches!(pool.node(part), Node::Leaf(Leaf::Symbol(_, ty)) if ty.is_integer())
                && !arguments.contains(&part)
            {
                arguments.push(part);
            }
        }
    }
    for &stride in &strides {
        for &argument in arguments.iter().take(MAX_ARGUMENTS) {
            let by = pool.int(stride);
            let quotient = pool.quotient(argument, by).ok()?;
            let multiple = pool.times(quotient, by);
            let images = rustc_hash::FxHashMap::from_iter([(argument, multiple)]);
            let mut threads = threads.clone();
            for side in &mut threads {
                for (_, size) in &mut side.coordinates {
                    *size = pool.rebuilt(*size, &images);
                }
            }
            let mut memories = memories.to_vec();
            for write in memories.iter_mut().flat_map(|memory| &mut memory.writes) {
                let loops = write.loops.iter_mut().map(|(_, goes_on)| goes_on);
                let all = [&mut write.address, &mut write.value, &mut write.guard];
                for id in all.into_iter().chain(loops) {
                    *id = pool.rebuilt(*id, &images);
                }
            }
            let Ok(mut conditions) = shown(pool, &threads, (matching, seen), &memories) else {
                continue;
            };
            for condition in &mut conditions {
                *condition = of_argument(pool, *condition, (quotient, argument, stride));
            }
            let remainder = pool.plus(argument, multiple, -1);
            conditions.push(pool.zero(remainder));
            return Some(conditions);
        }
    }
    None
}

/// A condition with `c * (n / c)` written as n again.
fn of_argument(pool: &mut Pool, condition: Id, (quotient, argument, by): (Id, Id, i128)) -> Id {
    let Node::NotNegative(p) = *pool.node(condition) else {
        return condition;
    };
    let sum = pool.monomials(p).into_iter();
    let sum = sum.map(|(monomial, factor)| match monomial.as_slice() {
        &[atom] if atom == quotient && factor % by == 0 => (vec![argument], factor / by),
        _ => (monomial, factor),
    });
    let sum = sum.collect();
    let p = pool.poly(sum);
    pool.not_negative(p)
}

/// Leaves out what follows from the other conditions.
fn without_implied(pool: &mut Pool, conditions: &mut Vec<Id>) {
    let mut position = 0;
    while position < conditions.len() {
        let mut others = conditions.clone();
        let own = others.remove(position);
        let p = match *pool.node(own) {
            Node::NotNegative(p) => p,
            _ => own,
        };
        let mut outside = Vec::new();
        std::mem::swap(&mut outside, pool.contexts());
        let all = pool.all(others);
        pool.enter(all);
        let follows = pool.is_shown_not_negative(p);
        pool.leave();
        std::mem::swap(&mut outside, pool.contexts());
        match follows {
            true => {
                conditions.remove(position);
            }
            false => position += 1,
        }
    }
}

fn all_arrays(
    matcher: &mut Matcher<'_>,
    matching: &Matching,
    memories: &[Memory],
) -> Result<(), String> {
    for (number, array) in matching.arrays.iter().enumerate() {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        if array.names.iter().any(String::is_empty) {
            continue;
        }
        let mut both = Vec::new();
        for (side, memory) in memories.iter().enumerate() {
            let writes = memory.writes.iter().filter(|write| write.array == number);
            let writes = writes.cloned().collect();
            let found = matcher
                .handed_on(side, writes, &memory.writes)
                .and_then(|writes| matcher.without_earlier_launches(side, writes, &memory.writes));
            both.push(found.map_err(|reason| format!("{}: {reason}", array.names[0]))?);
        }
        let (right, left) = (both.pop(), both.pop());
        matcher
            .same_array(left.unwrap_or_default(), right.unwrap_or_default())
            .map_err(|reason| format!("{}: {reason}", array.names[0]))?;
    }
    Ok(())
}

/// The sizes of the launches of a side: what it leaves open is what the other side gives.
fn shape(sides: &[Vec<Index<'_>>; 2], side: usize) -> [Option<i128>; 6] {
    let mut sizes = [None; 6];
    for indices in [&sides[1 - side], &sides[side]] {
        for index in indices {
            for (size, dimension) in sizes.iter_mut().zip(given(index)) {
                match dimension {
                    Given::Number(value) => *size = Some(value),
                    Given::Term(_) => *size = None,
                    Given::Open => {}
                }
            }
        }
    }
    sizes
}

impl Proof {
    /// Whether the conditions hold for these sizes and scalars.
    pub fn holds(&mut self, choice: &Choice) -> bool {
        let mut images = rustc_hash::FxHashMap::default();
        for (at, size) in choice.sizes.iter().enumerate() {
            let axis = u8::try_from(at % 3).unwrap_or(0);
            let leaf = match at / 3 {
                0 => self.pool.leaf(Leaf::Bdim(axis)),
                _ => self.pool.leaf(Leaf::Gdim(axis)),
            };
            if let Some(size) = size {
                images.insert(leaf, self.pool.int(*size));
            }
        }
        let scalars = choice.scalars.iter().flatten().enumerate();
        let scalars: Vec<(u32, i128)> = scalars
            .map(|(number, value)| (u32::try_from(number).unwrap_or(0) * 2, *value))
            .collect();
        let mut parts = self.pool.parts(&self.conditions);
        parts.retain(|&part| matches!(self.pool.node(part), Node::Leaf(Leaf::Symbol(..))));
        for part in parts {
            if let Node::Leaf(Leaf::Symbol(number, ty)) = *self.pool.node(part)
                && let Some((_, value)) = scalars.iter().find(|(other, _)| *other == number)
            {
                images.insert(part, self.pool.int(ty.wrap(*value)));
            }
        }
        // What was known when the conditions were found is not asked for.
        while self.pool.is_in_context() {
            self.pool.leave();
        }
        let conditions = self.conditions.clone();
        conditions.into_iter().all(|condition| {
            let value = self.pool.rebuilt(condition, &images);
            self.pool.as_int(value) == Some(1)
        })
    }

    /// The conditions, for people.
    #[must_use]
    pub fn told(&self, matching: &Matching) -> Vec<String> {
        let mut told: Vec<String> = Vec::new();
        let sum = |condition: Id| match *self.pool.node(condition) {
            Node::NotNegative(p) => self.pool.monomials(p),
            _ => Vec::new(),
        };
        let is_contrary = |one: Id, other: Id| {
            let (one, other) = (sum(one), sum(other));
            let minus = other.iter().map(|(m, f)| (m.clone(), -f));
            !one.is_empty() && one == minus.collect::<Vec<_>>()
        };
        for (at, &condition) in self.conditions.iter().enumerate() {
            let text = self.condition(condition, matching);
            let others = self.conditions.iter().enumerate();
            let mut contrary = others.filter(|(_, other)| is_contrary(condition, **other));
            // p >= 0 and -p >= 0.
            match contrary.next() {
                Some((other, _)) if other < at => {}
                Some(_) => told.push(text.replace(">=", "==")),
                None => told.push(text),
            }
        }
        told
    }

    fn condition(&self, condition: Id, matching: &Matching) -> String {
        if let Node::Zero(p) = *self.pool.node(condition) {
            let sum = self.pool.monomials(p);
            let divided = sum.iter().find_map(|(monomial, factor)| {
                let &[atom] = monomial.as_slice() else {
                    return None;
                };
                match *self.pool.node(atom) {
                    Node::Div(dividend, _) => Some((dividend, factor.abs())),
                    _ => None,
                }
            });
            return match divided {
                Some((dividend, by)) => format!("{} % {by} == 0", self.term(dividend, matching)),
                None => self.term(condition, matching),
            };
        }
        let Node::NotNegative(p) = *self.pool.node(condition) else {
            return self.term(condition, matching);
        };
        let sum = self.pool.monomials(p);
        // c * (n / c) >= n is n % c == 0.
        if let [(one, f), (other, g)] = sum.as_slice() {
            for ((one, f), (other, g)) in [((one, f), (other, g)), ((other, g), (one, f))] {
                if let (&[quotient], &[number], -1) = (one.as_slice(), other.as_slice(), *g)
                    && let Node::Div(dividend, divisor) = *self.pool.node(quotient)
                    && dividend == number
                    && self.pool.as_int(divisor) == Some(*f)
                {
                    return format!("{} % {f} == 0", self.term(number, matching));
                }
            }
        }
        // n >= c * ((n + c - 1) / c) as well.
        if let [(one, f), (other, g)] = sum.as_slice() {
            for ((one, f), (other, g)) in [((one, f), (other, g)), ((other, g), (one, f))] {
                if let (&[number], &[quotient], 1) = (one.as_slice(), other.as_slice(), *f)
                    && let Node::Div(dividend, divisor) = *self.pool.node(quotient)
                    && self.pool.as_int(divisor) == Some(-*g)
                    && self.pool.monomials(dividend).as_slice()
                        == [(Vec::new(), -*g - 1), (vec![number], 1)]
                {
                    return format!("{} % {} == 0", self.term(number, matching), -*g);
                }
            }
        }
        let side = |positive: bool| -> String {
            let parts = sum.iter().filter(|(_, factor)| (*factor > 0) == positive);
            let parts: Vec<String> = parts
                .map(|(monomial, factor)| {
                    let mut atoms: Vec<String> = monomial
                        .iter()
                        .map(|&atom| self.term(atom, matching))
                        .collect();
                    if factor.abs() != 1 || atoms.is_empty() {
                        atoms.insert(0, factor.abs().to_string());
                    }
                    atoms.join(" * ")
                })
                .collect();
            match parts.is_empty() {
                true => "0".to_owned(),
                false => parts.join(" + "),
            }
        };
        format!("{} >= {}", side(true), side(false))
    }

    fn term(&self, id: Id, matching: &Matching) -> String {
        match self.pool.node(id) {
            Node::Leaf(Leaf::Symbol(number, _)) => {
                let scalar = matching.scalars.get(*number as usize / 2);
                let name = scalar.map(|scalar| {
                    let names = scalar.names.iter();
                    names.clone().find(|name| !name.is_empty()).cloned()
                });
                name.flatten().unwrap_or_else(|| self.pool.shown(id))
            }
            Node::Div(a, b) => format!(
                "(({}) / {})",
                self.term(*a, matching),
                self.term(*b, matching)
            ),
            Node::Poly(sum) => {
                let parts: Vec<String> = sum
                    .iter()
                    .map(|(monomial, factor)| {
                        let atoms: Vec<String> = monomial
                            .iter()
                            .map(|&atom| self.term(atom, matching))
                            .collect();
                        match (atoms.is_empty(), *factor) {
                            (true, factor) => factor.to_string(),
                            (false, 1) => atoms.join(" * "),
                            (false, factor) => format!("{factor} * {}", atoms.join(" * ")),
                        }
                    })
                    .collect();
                parts.join(" + ")
            }
            _ => self.pool.shown(id),
        }
    }
}

pub(crate) fn assumptions(pool: &Pool, matching: &Matching) -> Vec<String> {
    let mut assumptions = Vec::new();
    for number in &pool.not_negative {
        let scalar = matching.scalars.get(*number as usize / 2);
        let mut names = scalar.iter().flat_map(|scalar| &scalar.names);
        if let Some(name) = names.find(|name| !name.is_empty()) {
            assumptions.push(format!("{name} is not negative, as it is made unsigned"));
        }
    }
    if pool.assumed_offsets {
        assumptions.push("offsets in unsigned arithmetic do not wrap".to_owned());
    }
    if pool.assumed_within {
        assumptions.push("addresses do not leave shared arrays".to_owned());
    }
    if pool.assumed_signed {
        assumptions.push("signed arithmetic does not overflow".to_owned());
    }
    if pool.assumed {
        assumptions
            .push("sums of thread and block numbers and of iterations do not wrap".to_owned());
    }
    assumptions
}

pub(crate) fn told(halt: &Halt) -> String {
    match halt {
        Halt::Undefined(what) => format!("{UNDEFINED}: {what}"),
        Halt::NotFollowed(what) => format!("not followed: {what}"),
        Halt::TooLong => TOO_LONG.to_owned(),
    }
}
