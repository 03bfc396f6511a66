//! What would help, each counted again with the change made before it is told.
//!
//! A change is one of addresses: each row of a shared array longer by one element; the coordinates of a thread exchanged in the
//! access; the fields of an array of structures in arrays of their own; all that neighbouring accesses want of a lane in one. A
//! change of an array counts as help only if every access to the array is then as cheap as it can be; one of an access, if it is.

use warplog_facts::ArrayId;
use warplog_facts::words::Space;

use crate::count::{Count, Counter, Plan, Takes};
use crate::device::{WARP, WORD};
use crate::request::touched;
use crate::shape::Shape;

/// What would help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mend {
    /// What to do, in words.
    pub text: String,
    /// Turns of the fullest bank, or sectors, of the worst request then.
    pub then: u32,
    /// By how many elements the rows of the array are longer, if it is that.
    pub longer_by: Option<u64>,
}

/// A change of the program, as one of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Transform {
    /// None.
    None,
    /// Rows of so many bytes are longer by so many.
    Pad {
        /// Bytes of a row.
        row: i64,
        /// Bytes added to it.
        by: i64,
    },
    /// `threadIdx.x` and `threadIdx.y` are exchanged.
    Exchange,
    /// Objects of so many bytes are cut to fields of so many, each in an array of its own.
    Fields {
        /// Bytes of an object.
        object: i64,
        /// Bytes of a field.
        field: i64,
    },
}

/// Bytes of shared memory that a block may declare.
const SHARED: u64 = 48 * 1024;

/// Where the array of the second field begins, beyond all addresses that are counted.
const APART: i64 = 1 << 40;

impl Transform {
    /// The threads whose coordinates the addresses of lanes are computed from.
    #[must_use]
    pub fn threads(self, threads: &[Option<[i128; 3]>; WARP]) -> [Option<[i128; 3]>; WARP] {
        threads.map(|thread| thread.map(|thread| self.thread(thread)))
    }

    /// The thread whose coordinates an address is computed from.
    #[must_use]
    pub fn thread(self, [x, y, z]: [i128; 3]) -> [i128; 3] {
        match self {
            Transform::Exchange => [y, x, z],
            _ => [x, y, z],
        }
    }

    /// Where an address goes.
    #[must_use]
    pub fn address(self, address: i64) -> i64 {
        match self {
            Transform::None | Transform::Exchange => address,
            Transform::Pad { row, by } => address + address.div_euclid(row) * by,
            Transform::Fields { object, field } => {
                let within = address.rem_euclid(object);
                within / field * APART + address.div_euclid(object) * field + within % field
            }
        }
    }
}

/// What would help an access, if something was found that does.
pub(crate) fn of(counter: &mut Counter<'_>, plan: &Plan, count: &Count) -> Option<Mend> {
    let facts = counter.facts;
    let row = &facts.access[plan.access.index()];
    let array = &facts.array[row.array.index()];
    let shape = Shape {
        block: count.warp.as_ref()?.block_dim,
    };
    if array.space == Space::Shared {
        return padded(counter, row.array, shape).or_else(|| odd(plan, count));
    }
    fields(counter, plan, count, shape).or_else(|| exchanged(counter, plan, count, shape))
}

/// The worst of all accesses to an array under a change; none if one of them cannot be counted.
fn of_array(
    counter: &mut Counter<'_>,
    array: ArrayId,
    shape: Shape,
    change: Transform,
) -> Option<Takes> {
    let asked = (array, shape, change);
    if let Some(&known) = counter.changes.get(&asked) {
        return known;
    }
    let facts = counter.facts;
    let all = counter.accesses.iter().copied();
    let own: Vec<_> = all
        .filter(|access| facts.access[access.index()].array == array)
        .collect();
    let mut worst: Option<Takes> = None;
    let mut counted = true;
    for access in own {
        let Some(takes) = counter.changed(access, shape, change) else {
            counted = false;
            break;
        };
        if worst.is_none_or(|worst| takes.excess() >= worst.excess()) {
            worst = Some(takes);
        }
    }
    let worst = worst.filter(|_| counted);
    counter.changes.insert(asked, worst);
    worst
}

/// Each row longer by one element.
fn padded(counter: &mut Counter<'_>, array: ArrayId, shape: Shape) -> Option<Mend> {
    let facts = counter.facts;
    let extents: Vec<u64> = facts
        .array_extent
        .iter()
        .filter(|row| row.array == array)
        .map(|row| row.elements)
        .collect();
    let row = &facts.array[array.index()];
    let (&last, [_, ..]) = extents.split_last()? else {
        return None;
    };
    let element = i64::from(row.element_bytes);
    let bytes = i64::try_from(last).ok()?.checked_mul(element)?;
    // Elements that are smaller than a word are padded by a word of them.
    let more = if element < WORD {
        WORD / element.max(1)
    } else {
        1
    };
    let change = Transform::Pad {
        row: bytes,
        by: more * element,
    };
    let rows = row.bytes? / u64::try_from(bytes).ok().filter(|&bytes| bytes > 0)?;
    let longer_by = u64::try_from(more).ok()?;
    let added = rows * longer_by * u64::from(row.element_bytes);
    let takes = of_array(counter, array, shape, change)?;
    let fits = statically_shared(counter) + added <= SHARED;
    let words = match more {
        1 => "one element".to_owned(),
        more => format!("{more} elements"),
    };
    (fits && takes.excess() == 0).then(|| Mend {
        text: format!(
            "rows of `{}` longer by {words}: the last extent {} instead of {last}",
            row.name,
            last + longer_by
        ),
        then: 1,
        longer_by: Some(longer_by),
    })
}

/// Bytes of the shared arrays of the launch whose size is declared.
fn statically_shared(counter: &Counter<'_>) -> u64 {
    let arrays = counter.facts.array.iter();
    let own = arrays.filter(|row| row.launch == counter.launch && row.space == Space::Shared);
    own.filter_map(|row| row.bytes).sum()
}

/// An odd stride.
fn odd(plan: &Plan, count: &Count) -> Option<Mend> {
    let stride = count.warp.as_ref()?.strides.first()?;
    let told = count
        .condition
        .contains(&format!("none if `{}` is odd", stride.0));
    (told && plan.space() == Space::Shared).then(|| Mend {
        text: format!("an odd `{}`, as by one element of padding", stride.0),
        then: 1,
        longer_by: None,
    })
}

/// Fields in arrays of their own, or all of an object read at once.
fn fields(counter: &mut Counter<'_>, plan: &Plan, count: &Count, shape: Shape) -> Option<Mend> {
    let facts = counter.facts;
    let row = &facts.access[plan.access.index()];
    let lanes = &count.warp.as_ref()?.lanes;
    let starts: Vec<i64> = lanes.iter().flatten().copied().collect();
    let object = starts
        .windows(2)
        .map(|pair| pair[1] - pair[0])
        .reduce(|a, b| if a == b { a } else { 0 })?;
    let field = i64::from(row.bytes);
    // Objects of few elements, one after the other in all lanes.
    let whole = starts.len() == lanes.len();
    if !whole || field == 0 || object <= field || object % field != 0 || object > 8 * field {
        return None;
    }
    let takes = of_array(
        counter,
        row.array,
        shape,
        Transform::Fields { object, field },
    )?;
    if takes.excess() > 0 {
        return None;
    }
    let (then, _) = takes.against_fewest();
    let vector = match in_one(counter, plan, shape, object) {
        Some(sectors) => {
            format!(", or all {object} bytes of a lane in one access of {sectors} sectors")
        }
        None => String::new(),
    };
    let name = &facts.array[row.array.index()].name;
    let parts = object / field;
    Some(Mend {
        text: format!("the {parts} elements of each lane in `{name}` in {parts} arrays{vector}"),
        then,
        longer_by: None,
    })
}

/// The sectors of one access of a lane to a whole object, if that is the fewest that hold it, the object begins at a multiple of its size, and
/// what the kernel does to the array beside this access is to want the rest of the same object, in the same lanes.
fn in_one(counter: &mut Counter<'_>, plan: &Plan, shape: Shape, object: i64) -> Option<u32> {
    if !matches!(object, 8 | 16) {
        return None;
    }
    let facts = counter.facts;
    let row = &facts.access[plan.access.index()];
    let own = counter.worst(plan.access, shape)?;
    let first = own.iter().flatten().next()?.rem_euclid(object);
    let index = counter.words.polynomials.of(row.index);
    let all = counter.accesses.clone().into_iter().filter(|other| {
        let other = &facts.access[other.index()];
        other.array == row.array && other.kind == row.kind
    });
    let mut wanted = vec![false; usize::try_from(object).ok()?];
    for access in all {
        let other = &facts.access[access.index()];
        let apart = counter.words.polynomials.of(other.index).minus(&index);
        let Some(apart) = apart.as_constant().and_then(|by| i64::try_from(by).ok()) else {
            continue;
        };
        let start = first.checked_add(apart)?;
        let bytes = start..start.checked_add(other.bytes.into())?;
        let Some(part) = usize_range(&bytes).and_then(|bytes| wanted.get_mut(bytes)) else {
            continue;
        };
        let active = counter.worst(access, shape)?.map(|lane| lane.is_some());
        if active == own.map(|lane| lane.is_some()) {
            part.fill(true);
        }
    }
    // What is open of where the object begins is a multiple of its size as well.
    let is_aligned = plan.open() % i128::from(object) == 0;
    let starts = own.map(|lane| lane.map(|start| start - start.rem_euclid(object)));
    let takes = touched(counter.device, &starts, u32::try_from(object).ok()?);
    let whole = wanted.into_iter().all(|byte| byte) && is_aligned;
    (whole && takes.sectors == takes.fewest).then_some(takes.sectors)
}

fn usize_range(bytes: &std::ops::Range<i64>) -> Option<std::ops::Range<usize>> {
    Some(usize::try_from(bytes.start).ok()?..usize::try_from(bytes.end).ok()?)
}

/// The coordinates of the thread exchanged.
fn exchanged(counter: &mut Counter<'_>, plan: &Plan, count: &Count, shape: Shape) -> Option<Mend> {
    let [x, y, _] = shape.block;
    if x == 1 || y == 1 {
        return None;
    }
    let takes = counter.changed(plan.access, shape, Transform::Exchange)?;
    let (then, _) = takes.against_fewest();
    // It must be the same work: where all lanes come to want one element, it is another.
    let same = match (takes, count.takes) {
        (Takes::Global(after), Takes::Global(before)) => after.bytes == before.bytes,
        _ => false,
    };
    (same && takes.excess() == 0).then(|| Mend {
        text: "`threadIdx.x` and `threadIdx.y` exchanged in this access, through a tile in shared memory if both orders are needed"
            .to_owned(),
        then,
        longer_by: None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_longer_row_moves_what_is_behind_it() {
        let change = Transform::Pad { row: 128, by: 4 };
        assert_eq!(
            [0, 124, 128, 256].map(|at| change.address(at)),
            [0, 124, 132, 264]
        );
    }

    #[test]
    fn fields_go_to_arrays_of_their_own() {
        let change = Transform::Fields {
            object: 12,
            field: 4,
        };
        assert_eq!([0, 12, 24].map(|at| change.address(at)), [0, 4, 8]);
        assert_eq!(change.address(16), APART + 4);
        assert_eq!(Transform::Exchange.thread([1, 2, 3]), [2, 1, 3]);
    }
}
