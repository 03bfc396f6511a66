//! What arrays hold in a run.

use rustc_hash::FxHashMap;
use warplog_facts::{AccessId, CType, Op};

use crate::node::{Id, Node, Pool, range_of};

/// Which thread did it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Who {
    /// `blockIdx`.
    pub block: [i128; 3],
    /// `threadIdx`.
    pub thread: [i128; 3],
}

/// A scalar in memory.
#[derive(Clone, Copy, Debug)]
pub struct Cell {
    /// Its type.
    pub ty: CType,
    /// Its value.
    pub value: Id,
    /// Who wrote it last, by which access of which launch of the sequence.
    pub writer: (Who, AccessId, usize),
}

/// An assignment to global memory where addresses or conditions are open.
#[derive(Clone, Debug)]
pub struct Write {
    /// The array.
    pub array: u32,
    /// Its first byte.
    pub address: Id,
    /// Type of what is stored.
    pub ty: CType,
    /// The value.
    pub value: Id,
    /// When it is stored.
    pub guard: Id,
    /// The open loops around it: the iteration, and whether the loop goes on in it.
    pub loops: Vec<(Id, Id)>,
    /// The number of the thread in the block.
    pub thread: usize,
    /// How many barriers it has passed.
    pub epoch: u32,
    /// The access.
    pub access: AccessId,
    /// Which launch of the sequence.
    pub step: usize,
    /// By what it is combined with what stands there, atomically; none for an assignment.
    pub combines: Option<Op>,
}

/// Global memory through a sequence of launches.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    /// With numbers.
    pub cells: FxHashMap<(u32, i128), Cell>,
    /// With terms.
    pub writes: Vec<Write>,
    /// The type by which each array is accessed.
    pub types: FxHashMap<u32, CType>,
    /// How many bytes shared arrays have that are followed by number, as far as that is known.
    pub extents: FxHashMap<u32, i128>,
    /// With numbers: by what each launch combined values into elements.
    pub combined: FxHashMap<(usize, u32, i128), Op>,
    /// How many points the threads of all blocks and launches came to.
    pub visits: u64,
}

impl Memory {
    /// Notes the type of an access; `false` if the array was accessed as one of another size or kind before.
    pub fn agrees(&mut self, array: u32, ty: CType) -> bool {
        let known = *self.types.entry(array).or_insert(ty);
        known.bytes() == ty.bytes() && known.is_integer() == ty.is_integer() && ty.bytes().is_some()
    }
}

/// What arrays hold before a run with numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// Different for each run.
    pub seed: u64,
    /// Floats are small integers.
    pub whole: bool,
}

impl Inputs {
    /// The element at a byte of an array. Where an array is seen as elements of several types, these are made of the bytes of one.
    pub fn at(self, pool: &mut Pool, array: u32, ty: CType, at: i128) -> Id {
        let Some(&stored) = pool.views.get(&array).filter(|stored| **stored != ty) else {
            return self.of_type(pool, array, ty, at);
        };
        let size = i128::from(stored.bytes().unwrap_or(1));
        let mut bytes = Vec::new();
        for byte in at..at + i128::from(ty.bytes().unwrap_or(1)) {
            let first = byte.div_euclid(size) * size;
            let element = self.of_type(pool, array, stored, first);
            let own = bytes_of(pool, element, stored).unwrap_or_default();
            let place = usize::try_from(byte - first).unwrap_or(0);
            bytes.push(own.get(place).copied().unwrap_or(0));
        }
        of_bytes(pool, &bytes, ty)
    }

    /// The element at a byte of an array that is seen as elements of this type alone.
    fn of_type(self, pool: &mut Pool, array: u32, ty: CType, at: i128) -> Id {
        let mut state = self.seed ^ (u64::from(array) << 48) ^ (at as u64).wrapping_mul(0x9e37);
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let (one, two) = (next(), next());
        if ty.is_integer() {
            let (low, high) = range_of(ty);
            let value = match self.seed % 3 {
                0 | 1 => i128::from(one % 8),
                _ => i128::from(one % 2001) - 1000,
            };
            return pool.int(value.clamp(low, high));
        }
        let value = match self.whole {
            true => (one % 17) as f64 - 8.0,
            false => ((one % 4001) as f64 - 2000.0) / 1000.0 + (two % 1009) as f64 / 65_537.0,
        };
        let bits = crate::float::bits_of(ty, value).unwrap_or(0);
        match pool.reassociates {
            true => pool.ring_constant(ty, bits),
            false => pool.float(ty, bits),
        }
    }
}

/// The bytes of a number of a type, the lowest first; none if it is no number.
pub fn bytes_of(pool: &Pool, id: Id, ty: CType) -> Option<Vec<u8>> {
    let bits = match *pool.node(id) {
        Node::Int(value) if ty.is_integer() => value,
        // Whole numbers are integers where floats are those of the reals.
        Node::Int(value) => crate::float::bits_of(ty, value as f64)?,
        Node::Float(_, bits) => bits,
        _ => return None,
    };
    let count = usize::try_from(ty.bytes()?).ok()?;
    Some(bits.to_le_bytes()[..count.min(16)].to_vec())
}

/// The number of a type that has these bytes.
fn of_bytes(pool: &mut Pool, bytes: &[u8], ty: CType) -> Id {
    let mut bits = 0_i128;
    for byte in bytes.iter().rev() {
        bits = bits << 8 | i128::from(*byte);
    }
    match (ty.is_integer(), pool.reassociates) {
        (true, _) => pool.int(ty.wrap(bits)),
        (false, true) => pool.ring_constant(ty, bits),
        (false, false) => pool.float(ty, bits),
    }
}

/// The number of bytes by which two addresses differ, if that is one number.
pub fn distance(pool: &mut Pool, a: Id, b: Id) -> Option<i128> {
    let difference = pool.plus(a, b, -1);
    match *pool.node(difference) {
        Node::Int(value) => Some(value),
        _ => None,
    }
}
