//! An address as numbers in mixed radix, and the digits of a given address: who writes it.
//!
//! **Algorithm.** What is multiplied by the same parameters is one number; its digits are coordinates, each with a weight that is the
//! weight of the one before times the number of its values. The digits of an address are its remainders by these numbers, the last
//! one what is left. An address without multiples of a width that the number of a row is multiplied by is divided by it first.
//!
//! **Accuracy.** A writer that is found writes the address if the conditions that are given with it hold, whichever way it was found.

use rustc_hash::FxHashMap;
use warplog_facts::arith::gcd;

use super::{Matcher, is_coordinate};
use crate::memory::Write;
use crate::node::{Id, Leaf, Node, Pool};

/// What is known of the writer of an address.
pub(super) enum Writer {
    /// Its coordinates, and what must hold for it to be there.
    Found(Found),
    /// It depends on the remainder of a sum by a number; the coordinate has the factor 1 or -1 in it.
    Split(Split),
    /// There is none.
    Never,
    /// None is found.
    None,
}

/// A thread that writes an address.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Its coordinates.
    pub(super) images: FxHashMap<Id, Id>,
    /// What must hold for it to be there.
    pub(super) needs: Vec<Id>,
    /// Whether no thread makes this assignment to the address where that or the condition of the assignment does not hold.
    pub(super) is_only: bool,
}

/// A sum of coordinates whose remainders are looked at one by one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    pub(super) sum: Id,
    pub(super) coordinate: Id,
    /// 1 or -1.
    pub(super) factor: i128,
    pub(super) by: i128,
}

/// One number in mixed radix.
struct Number {
    /// What all its digits are multiplied by.
    parameters: Vec<Id>,
    /// Coordinates and their weights.
    digits: Vec<(Id, Id)>,
    /// What is added.
    constant: Id,
}

/// A digit of such a number.
#[derive(Clone, Copy, Debug)]
struct Digit {
    coordinate: Id,
    weight: Id,
    /// How many values it has before the next digit; none for the last.
    radix: Option<Id>,
}

impl Matcher<'_> {
    /// The thread of a side that makes this assignment to an address, in this iteration.
    pub(super) fn writer(&mut self, write: &Write, side: usize, target: Id) -> Writer {
        let coordinates = self.coordinates(write, side);
        // A size like `(n + 255) / 256` is that of the type only where n is known not to be negative.
        let none = FxHashMap::default();
        self.sizes.clear();
        for (coordinate, size) in self.given.clone() {
            let size = self.pool.rebuilt(size, &none);
            self.sizes.insert(coordinate, size);
        }
        let address = self.pool.rebuilt(write.address, &none);
        // What sizes are made of is the weight of a digit, or a parameter like any other.
        let launch = self.atoms_of_sizes();
        let sizes_alone: Vec<Id> = launch
            .iter()
            .copied()
            .filter(|&atom| {
                matches!(
                    self.pool.node(atom),
                    Node::Leaf(Leaf::Bdim(_) | Leaf::Gdim(_))
                )
            })
            .collect();
        let given = self.sizes.clone();
        let mut found = self.writer_by(write, &coordinates, (address, target), &launch);
        if matches!(found, Writer::None) && sizes_alone.len() < launch.len() {
            self.sizes = given;
            found = self.writer_by(write, &coordinates, (address, target), &sizes_alone);
        }
        found
    }

    fn writer_by(
        &mut self,
        write: &Write,
        coordinates: &[Id],
        (address, target): (Id, Id),
        launch: &[Id],
    ) -> Writer {
        let Some(numbers) = self.numbers(address, coordinates, launch) else {
            return Writer::None;
        };
        let mut images = FxHashMap::default();
        let mut needs = Vec::new();
        let parts = self.along(&numbers, target);
        let Some(parts) = self.divided(&numbers, parts) else {
            return Writer::None;
        };
        let mut is_only = numbers.len() == 1;
        for (number, part) in numbers.iter().zip(parts) {
            match self.digits(number, part, &mut images, &mut needs) {
                Writer::Found(found) => is_only &= found.is_only,
                other => return other,
            }
        }
        // What the address does not depend on is what the condition says, or the first.
        for &coordinate in coordinates {
            if images.contains_key(&coordinate) {
                continue;
            }
            let value = self.demanded(write, coordinate);
            is_only &= value.is_some();
            let value = value.unwrap_or_else(|| self.pool.int(0));
            let value = self.pool.rebuilt(value, &images);
            images.insert(coordinate, value);
            if self.pool.as_int(value) != Some(0)
                && let Some(&size) = self.sizes.get(&coordinate)
            {
                let one = self.pool.int(1);
                let beyond = self.pool.plus(size, value, -1);
                let beyond = self.pool.plus(beyond, one, -1);
                needs.push(self.pool.not_negative(value));
                needs.push(self.pool.not_negative(beyond));
            }
        }
        Writer::Found(Found {
            images,
            needs,
            is_only,
        })
    }

    /// The number that a condition wants of a coordinate.
    fn demanded(&mut self, write: &Write, coordinate: Id) -> Option<Id> {
        let parts = match self.pool.node(write.guard).clone() {
            Node::And(parts) => parts,
            _ => vec![write.guard],
        };
        for part in parts {
            let Node::Zero(p) = *self.pool.node(part) else {
                continue;
            };
            let sum = self.pool.monomials(p);
            let own = sum.iter().find(|(m, _)| m.as_slice() == [coordinate]);
            let Some(&(_, factor @ (1 | -1))) = own else {
                continue;
            };
            // f c + rest = 0
            let alone = self.pool.poly(vec![(vec![coordinate], factor)]);
            let rest = self.pool.plus(p, alone, -1);
            if !self.pool.parts(&[rest]).contains(&coordinate) {
                let zero = self.pool.int(0);
                return Some(self.pool.plus(zero, rest, -factor));
            }
        }
        None
    }

    /// An address as numbers of these coordinates.
    fn numbers(&mut self, address: Id, coordinates: &[Id], launch: &[Id]) -> Option<Vec<Number>> {
        let mut numbers: Vec<Number> = Vec::new();
        let mut alone = Vec::new();
        for (monomial, factor) in self.pool.monomials(address) {
            let (own, others): (Vec<Id>, Vec<Id>) =
                monomial.iter().partition(|atom| coordinates.contains(atom));
            if self
                .pool
                .parts(&others)
                .iter()
                .any(|part| coordinates.contains(part))
                || own.len() > 1
            {
                return None;
            }
            let Some(&coordinate) = own.first() else {
                alone.push((monomial, factor));
                continue;
            };
            let (weights, parameters): (Vec<Id>, Vec<Id>) =
                others.into_iter().partition(|atom| launch.contains(atom));
            let weight = self.pool.poly(vec![(weights, factor)]);
            let at = numbers
                .iter()
                .position(|number| number.parameters == parameters);
            let at = at.unwrap_or_else(|| {
                numbers.push(Number {
                    parameters,
                    digits: Vec::new(),
                    constant: self.pool.int(0),
                });
                numbers.len() - 1
            });
            let digits = &mut numbers[at].digits;
            match digits.iter_mut().find(|(other, _)| *other == coordinate) {
                // A row of `blockDim.x + 1` elements.
                Some((_, before)) => *before = self.pool.plus(*before, weight, 1),
                None => digits.push((coordinate, weight)),
            }
        }
        if numbers.iter().all(|number| !number.parameters.is_empty()) {
            numbers.push(Number {
                parameters: Vec::new(),
                digits: Vec::new(),
                constant: self.pool.int(0),
            });
        }
        // The number with most parameters comes first: a part of the address belongs to it if it has them all.
        numbers.sort_by_key(|number| std::cmp::Reverse(number.parameters.len()));
        // What no coordinate is multiplied by is taken apart as an address is.
        let alone = self.pool.poly(alone);
        let constants = self.along(&numbers, alone);
        for (number, constant) in numbers.iter_mut().zip(constants) {
            number.constant = constant;
        }
        Some(numbers)
    }

    /// The atoms that sizes of blocks and grids are made of.
    fn atoms_of_sizes(&self) -> Vec<Id> {
        let mut atoms: Vec<Id> = self
            .sizes
            .values()
            .flat_map(|&size| self.pool.monomials(size))
            .flat_map(|(monomial, _)| monomial)
            .collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    /// The parts of an address that are multiples of the parameters of each number, divided by them.
    fn along(&mut self, numbers: &[Number], target: Id) -> Vec<Id> {
        let mut parts: Vec<Id> = numbers.iter().map(|_| self.pool.int(0)).collect();
        for (monomial, factor) in self.pool.monomials(target) {
            let mut place = None;
            for (at, number) in numbers.iter().enumerate() {
                let mut rest = monomial.clone();
                let divides = number.parameters.iter().all(|parameter| {
                    let found = rest.iter().position(|atom| atom == parameter);
                    found.map(|found| rest.remove(found)).is_some()
                });
                if divides {
                    place = Some((at, rest));
                    break;
                }
            }
            let (at, rest) = place.unwrap_or((numbers.len().saturating_sub(1), monomial));
            if at < parts.len() {
                let part = self.pool.poly(vec![(rest, factor)]);
                parts[at] = self.pool.plus(parts[at], part, 1);
            }
        }
        parts
    }

    /// Where an address has no multiples of the one parameter that the first of two numbers is multiplied by, as `i` has none of
    /// the width: the quotient and the remainder of what it is.
    fn divided(&mut self, numbers: &[Number], mut parts: Vec<Id>) -> Option<Vec<Id>> {
        let [of_rows, within] = numbers else {
            return Some(parts);
        };
        let (&[row], []) = (of_rows.parameters.as_slice(), within.parameters.as_slice()) else {
            return Some(parts);
        };
        let units = [of_rows, within].map(|number| {
            let weights = number
                .digits
                .iter()
                .filter_map(|(_, w)| self.pool.as_int(*w));
            weights.min().unwrap_or(0)
        });
        let [unit, other] = units;
        let sum = self.pool.monomials(parts[1]);
        if self.pool.as_int(parts[0]) != Some(0)
            || unit < 1
            || unit != other
            || sum.iter().any(|(_, factor)| factor % unit != 0)
        {
            return Some(parts);
        }
        let sum = sum.into_iter().map(|(m, f)| (m, f / unit)).collect();
        let whole = self.pool.poly(sum);
        if self.pool.interval(row).0 < 1 {
            let one = self.pool.int(1);
            let positive = self.pool.plus(row, one, -1);
            let positive = self.pool.not_negative(positive);
            if self.is_of_sizes(row) && !self.wanted.contains(&positive) {
                self.wanted.push(positive);
            }
            return None;
        }
        if !self.pool.is_shown_not_negative(whole) {
            return None;
        }
        let quotient = self.pool.quotient(whole, row).ok()?;
        let all = self.pool.times(quotient, row);
        let rest = self.pool.plus(whole, all, -1);
        let unit = self.pool.int(unit);
        parts[0] = self.pool.times(quotient, unit);
        parts[1] = self.pool.times(rest, unit);
        Some(parts)
    }

    /// The digits of a number that has this value.
    fn digits(
        &mut self,
        number: &Number,
        value: Id,
        images: &mut FxHashMap<Id, Id>,
        needs: &mut Vec<Id>,
    ) -> Writer {
        let (zero, one) = (self.pool.int(0), self.pool.int(1));
        let falls = number.digits.iter().all(|(_, weight)| {
            let sum = self.pool.monomials(*weight);
            sum.iter().all(|(_, factor)| *factor < 0)
        });
        let (mut rest, mut digits) = (
            self.pool.plus(value, number.constant, -1),
            number.digits.clone(),
        );
        // `n - 1 - i` is a number as `i` is.
        if falls && !digits.is_empty() {
            rest = self.pool.plus(zero, rest, -1);
            for (_, weight) in &mut digits {
                *weight = self.pool.plus(zero, *weight, -1);
            }
        }
        // `n * j + n - 1 - i` of i less than n is `n * j + k`, with k for `n - 1 - i`.
        let mut turned: Vec<(Id, Id)> = Vec::new();
        for (coordinate, weight) in &mut digits {
            let sum = self.pool.monomials(*weight);
            let size = self.sizes.get(coordinate).copied();
            if let (true, Some(size)) = (sum.iter().all(|(_, factor)| *factor < 0), size) {
                let last = self.pool.plus(size, one, -1);
                let most = self.pool.times(*weight, last);
                rest = self.pool.plus(rest, most, -1);
                *weight = self.pool.plus(zero, *weight, -1);
                turned.push((*coordinate, last));
            }
        }
        let Some(chain) = self.chain(&digits) else {
            return Writer::None;
        };
        let Some(&Digit { weight: first, .. }) = chain.first() else {
            let zero = self.pool.zero(rest);
            return match self.pool.as_int(zero) {
                Some(0) => Writer::Never,
                Some(_) => seen(true),
                None => {
                    needs.push(zero);
                    seen(true)
                }
            };
        };
        let Some(unit) = self.pool.as_int(first).filter(|unit| *unit > 0) else {
            return Writer::None;
        };
        // In units of the first digit.
        let sum = self.pool.monomials(rest);
        if sum.iter().any(|(_, factor)| factor % unit != 0) {
            let sum = self.pool.monomials(value);
            return self.split(&sum, unit);
        }
        let sum = sum.into_iter().map(|(m, f)| (m, f / unit)).collect();
        let whole = self.pool.poly(sum);
        if !self.pool.is_shown_not_negative(whole) {
            return Writer::None;
        }
        let mut left = whole;
        let (mut is_only, mut exact) = (true, true);
        for digit in &chain {
            let &Digit {
                coordinate,
                weight,
                radix,
            } = digit;
            let size = self.sizes.get(&coordinate).copied();
            let Some(radix) = radix else {
                images.insert(coordinate, left);
                // The last digit is one of its values if the number is less than all digits can say.
                if let Some(size) = size {
                    let own = self.pool.plus(size, left, -1);
                    let own = self.pool.plus(own, one, -1);
                    let all = self.pool.times(weight, size);
                    let beyond = match self.exactly(all, unit) {
                        // The digits before it are all there are.
                        Some(all) if exact && !self.pool.is_shown_not_negative(own) => {
                            let beyond = self.pool.plus(all, whole, -1);
                            self.pool.plus(beyond, one, -1)
                        }
                        _ => own,
                    };
                    needs.push(self.pool.not_negative(beyond));
                    if !is_only {
                        needs.push(self.pool.not_negative(left));
                    }
                }
                break;
            };
            let Some((quotient, is_digit)) = self.quotient(left, radix) else {
                return Writer::None;
            };
            let rounded = self.pool.times(quotient, radix);
            let value = self.pool.plus(left, rounded, -1);
            images.insert(coordinate, value);
            // Where a row is longer than it has threads, or a quotient is not known to be one, the digit may be none of its values.
            exact &= is_digit && size == Some(radix);
            if !is_digit {
                is_only = false;
                needs.push(self.pool.not_negative(value));
            }
            if size != Some(radix) || !is_digit {
                let beyond = self.pool.plus(size.unwrap_or(radix), value, -1);
                let beyond = self.pool.plus(beyond, one, -1);
                needs.push(self.pool.not_negative(beyond));
            }
            left = quotient;
        }
        for (coordinate, last) in turned {
            if let Some(image) = images.get(&coordinate).copied() {
                images.insert(coordinate, self.pool.plus(last, image, -1));
            }
        }
        // How often a loop inside of others goes round is not known before.
        let inner = chain.split_last().map_or(&[][..], |(_, inner)| inner);
        let is_loop = |pool: &Pool, id: Id| matches!(pool.node(id), Node::Leaf(Leaf::Bound(_)));
        seen(
            is_only
                && !inner
                    .iter()
                    .any(|digit| is_loop(self.pool, digit.coordinate)),
        )
    }

    /// Whether a value is known to be a digit of a number with this radix.
    fn is_digit(&mut self, value: Id, radix: Id) -> bool {
        if self.sizes.get(&value) == Some(&radix) {
            return true;
        }
        let one = self.pool.int(1);
        let beyond = self.pool.plus(radix, value, -1);
        let beyond = self.pool.plus(beyond, one, -1);
        self.pool.is_shown_not_negative(value) && self.pool.is_shown_not_negative(beyond)
    }

    /// The quotient of a sum all of whose parts are multiples of a number.
    fn exactly(&mut self, sum: Id, by: i128) -> Option<Id> {
        let parts = self.pool.monomials(sum);
        if parts.iter().any(|(_, factor)| factor % by != 0) {
            return None;
        }
        let parts = parts.into_iter().map(|(m, f)| (m, f / by)).collect();
        Some(self.pool.poly(parts))
    }

    /// The sum whose remainder decides whether it is a multiple of a number.
    fn split(&mut self, sum: &[(Vec<Id>, i128)], unit: i128) -> Writer {
        let common = sum.iter().fold(unit, |all, (_, factor)| gcd(all, *factor));
        let by = unit / common;
        let sum: Vec<(Vec<Id>, i128)> = sum
            .iter()
            .map(|(monomial, factor)| (monomial.clone(), factor / common))
            .collect();
        let coordinate = sum.iter().find_map(|(monomial, factor)| {
            let &[atom] = monomial.as_slice() else {
                return None;
            };
            match self.pool.node(atom) {
                Node::Leaf(leaf) if factor.abs() == 1 && is_coordinate(*leaf) => {
                    Some((atom, *factor))
                }
                _ => None,
            }
        });
        let Some((coordinate, factor)) =
            coordinate.filter(|_| (2..=self.most_remainders).contains(&by))
        else {
            return Writer::None;
        };
        let sum = self.pool.poly(sum);
        let rest = self.pool.plus(sum, coordinate, -factor);
        let is_alone = !self.pool.parts(&[rest]).contains(&coordinate);
        match is_alone && self.pool.is_shown_not_negative(sum) {
            true => Writer::Split(Split {
                sum,
                coordinate,
                factor,
                by,
            }),
            false => Writer::None,
        }
    }

    /// Digits in the order of their weights, each a multiple of the one before: its product with the size of that one, or more.
    fn chain(&mut self, digits: &[(Id, Id)]) -> Option<Vec<Digit>> {
        let mut left = digits.to_vec();
        let mut chain: Vec<Digit> = Vec::new();
        while !left.is_empty() {
            let at = match chain.last() {
                None => {
                    let numbers = left.iter().enumerate();
                    let numbers =
                        numbers.filter_map(|(at, (_, w))| Some((self.pool.as_int(*w)?, at)));
                    numbers.min()?.1
                }
                Some(&Digit {
                    coordinate, weight, ..
                }) => {
                    let size = match self.sizes.get(&coordinate) {
                        Some(&size) => size,
                        None => self.size_before(weight, &left)?,
                    };
                    self.sizes.insert(coordinate, size);
                    let next = self.pool.times(weight, size);
                    let exact = left.iter().position(|(_, weight)| *weight == next);
                    let (at, radix) = match exact {
                        Some(at) => (at, size),
                        None => self.longer_row(weight, size, &left)?,
                    };
                    if let Some(last) = chain.last_mut() {
                        last.radix = Some(radix);
                    }
                    at
                }
            };
            let (coordinate, weight) = left.remove(at);
            chain.push(Digit {
                coordinate,
                weight,
                radix: None,
            });
        }
        Some(chain)
    }

    /// The digit whose weight is that of another one times more than this has values, and that number.
    fn longer_row(&mut self, weight: Id, size: Id, left: &[(Id, Id)]) -> Option<(usize, Id)> {
        let weight = self.pool.as_int(weight)?;
        for (at, &(_, next)) in left.iter().enumerate() {
            let Some(radix) = self.exactly(next, weight) else {
                continue;
            };
            let more = self.pool.plus(radix, size, -1);
            if self.pool.interval(radix).0 >= 1 && self.pool.is_shown_not_negative(more) {
                return Some((at, radix));
            }
        }
        None
    }

    /// How many iterations of a loop there are before the next digit; if there are more, other addresses are not found.
    fn size_before(&mut self, weight: Id, left: &[(Id, Id)]) -> Option<Id> {
        let weight = self.pool.as_int(weight)?;
        let next = left
            .iter()
            .filter_map(|(_, weight)| self.pool.as_int(*weight));
        let next = next.min().filter(|next| next % weight == 0)?;
        Some(self.pool.int(next / weight))
    }

    /// The quotient of a value that is not negative, and whether it is known to be that; a coordinate by the number of its values is 0.
    fn quotient(&mut self, value: Id, size: Id) -> Option<(Id, bool)> {
        if self.pool.as_int(size).is_some() {
            return Some((self.pool.quotient(value, size).ok()?, true));
        }
        let divisor = self.pool.monomials(size);
        let (first, factor) = divisor
            .iter()
            .max_by_key(|(monomial, _)| monomial.len())
            .cloned()?;
        // A grid of `2 * n` blocks.
        if factor < 1 || factor > 1 && divisor.len() > 1 {
            return None;
        }
        let mut whole = Vec::new();
        for (monomial, times) in self.pool.monomials(value) {
            let mut left = monomial.clone();
            let divides = first.iter().all(|atom| {
                let found = left.iter().position(|other| other == atom);
                found.map(|found| left.remove(found)).is_some()
            });
            if divides && times % factor == 0 {
                whole.push((left, times / factor));
            }
        }
        let whole = self.pool.poly(whole);
        let product = self.pool.times(whole, size);
        let rest = self.pool.plus(value, product, -1);
        if self.is_digit(rest, size) {
            return Some((whole, true));
        }
        // `n j + n - 1 - i` is n times j and more, not n times j + 1 and less.
        let more = self.pool.plus(rest, size, 1);
        if self.is_digit(more, size) {
            let one = self.pool.int(1);
            return Some((self.pool.plus(whole, one, -1), true));
        }
        if divisor.len() > 1 {
            return Some((whole, false));
        }
        if !self.pool.is_shown_not_negative(rest) || !self.pool.is_shown_not_negative(whole) {
            return None;
        }
        let part = self.pool.quotient(rest, size).ok()?;
        Some((self.pool.plus(whole, part, 1), true))
    }
}

/// The digits of a number were found.
fn seen(is_only: bool) -> Writer {
    Writer::Found(Found {
        is_only,
        ..Found::default()
    })
}
