//! What writes store: two that leave the same bytes where they overlap do no harm.
//!
//! A write stores a scalar, or an object of several at once (`stored_part`). Two objects are compared scalar by scalar; bytes
//! that have no value in either (padding) are equal, and bytes that have one in but one of them are not.

use facts::eval::EvalError;
use facts::*;
use warplog_facts as facts;

use crate::formula::Node;
use crate::index::Index;
use crate::instances::ContextId;
use crate::query::Query;

/// A scalar that a write stores: bytes of the access, and their value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    start: i128,
    bytes: u32,
    pub(crate) value: TermId,
}

impl Part {
    fn end(&self) -> i128 {
        self.start + i128::from(self.bytes)
    }
}

/// The scalars that a write stores; none where they are not known.
pub(crate) fn parts(index: &Index, access: &AccessRow) -> Vec<Part> {
    match access.value {
        Some(value) => vec![Part {
            start: 0,
            bytes: access.bytes,
            value,
        }],
        None if is_untold(index, access) => Vec::new(),
        None => {
            let rows = index.stored_parts(access.access).iter();
            rows.map(|row| Part {
                start: i128::from(row.start),
                bytes: row.bytes,
                value: row.value,
            })
            .collect()
        }
    }
}

/// Whether an object is stored of which some scalar is computed in floating point, or by a long term: the formula and the replay
/// would take long over what they cannot compare.
pub(crate) fn is_untold(index: &Index, access: &AccessRow) -> bool {
    let store = &index.facts.terms;
    let mut rows = index.stored_parts(access.access).iter();
    access.value.is_none()
        && rows.any(|row| index.is_large(row.value) || is_approximate(store, row.value))
}

/// Bytes of two writes that are compared at most where their scalars do not lie on each other as wholes.
const MAX_SHIFTED: u32 = 16;

/// How two scalars that share bytes are compared.
enum Comparison {
    /// They are known to be equal there.
    Equal,
    /// As wholes, in the types that they have.
    Whole([TermId; 2]),
    /// Byte p of the one lies on byte p + shift of the other.
    Shifted([Part; 2], i128),
}

/// Both writes leave the same bytes where they overlap.
pub(crate) fn harmless<'a>(
    query: &mut Query<'a>,
    index: &'a Index<'a>,
    accesses: [&AccessRow; 2],
    contexts: [ContextId; 2],
    difference: Node,
) -> Node {
    let [first, second] = accesses.map(|access| parts(index, access));
    let sizes = accesses.map(|access| access.bytes);
    let mut cases = Vec::new();
    // Values that are not told may differ.
    if !first.is_empty() && !second.is_empty() {
        // difference = off1 − off2: byte p of the first lies on byte p + difference of the second.
        for d in 1 - i128::from(sizes[0])..i128::from(sizes[1]) {
            let Some(comparisons) = compared(index, [&first, &second], sizes, d) else {
                continue;
            };
            let here = query.encoder.f.eq_const(difference, d);
            if query.encoder.f.as_truth(here) == Some(false) {
                continue;
            }
            let mut equal = vec![here];
            for comparison in comparisons {
                equal.push(encoded(query, index, contexts, &comparison));
            }
            cases.push(query.encoder.f.and(&equal));
        }
    }
    query.encoder.f.or(&cases)
}

/// What must be equal for two objects to have the same bytes where they overlap, the first `d` bytes behind the second; none
/// where they differ or nothing is known.
fn compared(
    index: &Index,
    stored: [&[Part]; 2],
    sizes: [u32; 2],
    d: i128,
) -> Option<Vec<Comparison>> {
    // The bytes of both writes, counted from the first byte of the second.
    let (from, to) = (0.max(d), i128::from(sizes[1]).min(i128::from(sizes[0]) + d));
    let within = |start: i128, end: i128| (end.min(to) - start.max(from)).max(0);
    let mut comparisons = Vec::new();
    let mut in_both = 0;
    for one in stored[0] {
        for other in stored[1] {
            let start = (one.start + d).max(other.start);
            let shared = (one.end() + d).min(other.end()) - start;
            if shared > 0 {
                in_both += shared;
                comparisons.push(compare(index, [*one, *other], sizes, d)?);
            }
        }
    }
    let in_one = |parts: &[Part], shift: i128| -> i128 {
        let bytes = parts.iter();
        bytes
            .map(|part| within(part.start + shift, part.end() + shift))
            .sum()
    };
    let padded_alike = in_one(stored[0], d) == in_both && in_one(stored[1], 0) == in_both;
    padded_alike.then_some(comparisons)
}

fn compare(index: &Index, parts: [Part; 2], sizes: [u32; 2], d: i128) -> Option<Comparison> {
    let store = &index.facts.terms;
    let [one, other] = parts;
    let shift = one.start + d - other.start;
    let types = parts.map(|part| store.ty(part.value));
    let fills = |i: usize| types[i].bytes() == Some(parts[i].bytes);
    if let [Some(a), Some(b)] = parts.map(|part| store.as_const(part.value))
        && fills(0)
        && fills(1)
    {
        let byte = |value: i128, at: i128| value >> (8 * at) & 0xff;
        let (start, end) = (0.max(-shift), one.end() - one.start);
        let end = end.min(i128::from(other.bytes) - shift);
        return (start..end)
            .all(|p| byte(a, p) == byte(b, p + shift))
            .then_some(Comparison::Equal);
    }
    if parts.iter().any(|part| index.is_large(part.value)) {
        return None;
    }
    // Of objects only what lies on each other as wholes, and is not computed in floating point: the formula knows nothing of
    // such values, and many of them make it long.
    let is_object = (0..2).any(|i| parts[i].bytes != sizes[i]);
    if is_object && (shift != 0 || parts.iter().any(|part| is_approximate(store, part.value))) {
        return None;
    }
    let same_kind = one.bytes == other.bytes
        && (types[0] == types[1]
            || (types[0].bits() == types[1].bits() && types[0].bits() > Some(1)));
    if same_kind && shift == 0 {
        return Some(Comparison::Whole([one.value, other.value]));
    }
    let whole = (0..2).all(|i| types[i].is_integer() && fills(i));
    (whole && sizes[0] + sizes[1] <= MAX_SHIFTED).then_some(Comparison::Shifted(parts, shift))
}

/// Whether a value is the result of arithmetic in floating point, or made of one.
fn is_approximate(store: &TermStore, value: TermId) -> bool {
    store.reachable(&[value]).into_iter().any(|id| {
        let term = store.get(id);
        let computed = !term.args.is_empty() && term.op != Op::Load;
        let of_floats = |id: &TermId| !store.ty(*id).is_integer();
        computed && (!term.ty.is_integer() || term.args.iter().any(of_floats))
    })
}

fn encoded<'a>(
    query: &mut Query<'a>,
    index: &'a Index<'a>,
    contexts: [ContextId; 2],
    comparison: &Comparison,
) -> Node {
    let values = match comparison {
        Comparison::Equal => return query.encoder.f.truth(true),
        Comparison::Whole(values) => *values,
        Comparison::Shifted(parts, _) => parts.map(|part| part.value),
    };
    let types = values.map(|value| index.facts.terms.ty(value));
    let mut nodes = [0, 1].map(|side: usize| query.encoder.value(contexts[side], values[side]));
    let f = &mut query.encoder.f;
    match comparison {
        Comparison::Shifted(parts, shift) => {
            let (first, second) = (0.max(-shift), 0.max(*shift));
            let left = [(0, first), (1, second)].map(|(i, from)| i128::from(parts[i].bytes) - from);
            let bytes = left[0].min(left[1]);
            for (node, from) in nodes.iter_mut().zip([first, second]) {
                let shifted = f.floor_div(*node, 1i128 << (8 * from));
                *node = f.wrap(shifted, u32::try_from(8 * bytes).unwrap_or(64), false);
            }
        }
        // Equal bit patterns.
        _ if types[0] != types[1] => {
            for (node, ty) in nodes.iter_mut().zip(types) {
                *node = f.wrap(*node, ty.bits().unwrap_or(64), false);
            }
        }
        _ => {}
    }
    f.eq(nodes[0], nodes[1])
}

/// What a replay found that a write stores.
#[derive(Clone, Copy)]
pub(crate) struct Stored<'r> {
    pub(crate) offset: i128,
    pub(crate) bytes: u32,
    pub(crate) parts: &'r [Part],
    /// Of each part.
    pub(crate) values: &'r [Result<i128, EvalError>],
}

impl Stored<'_> {
    fn end(&self) -> i128 {
        self.offset + i128::from(self.bytes)
    }

    /// Why a value does not exist, where it does not.
    pub(crate) fn undefined(&self) -> Option<EvalError> {
        let mut errors = self.values.iter().filter_map(|value| value.err());
        errors.find(|error| !matches!(error, EvalError::NotKnown(_)))
    }

    /// The value, if it is one scalar and known.
    pub(crate) fn scalar(&self) -> Option<i128> {
        match self.values {
            [Ok(value)] => Some(*value),
            _ => None,
        }
    }

    /// A byte of memory after the write; none where it has no value.
    fn byte(&self, at: i128) -> Option<Result<i128, EvalError>> {
        let at = at - self.offset;
        let mut parts = self.parts.iter().zip(self.values);
        let (part, value) = parts.find(|(part, _)| part.start <= at && at < part.end())?;
        let shift = 8 * (at - part.start);
        Some(value.map(|value| {
            if shift < 120 {
                value >> shift & 0xff
            } else {
                0
            }
        }))
    }
}

/// Whether two writes leave different bytes where they overlap; none where that depends on values that are not known.
pub(crate) fn differ(stored: [&Stored<'_>; 2]) -> Option<bool> {
    let [one, other] = stored;
    let mut known = true;
    for at in one.offset.max(other.offset)..one.end().min(other.end()) {
        match (one.byte(at), other.byte(at)) {
            (Some(Ok(one)), Some(Ok(other))) if one == other => {}
            (None, None) => {}
            (Some(Err(_)), Some(_)) | (Some(_), Some(Err(_))) => known = false,
            _ => return Some(true),
        }
    }
    known.then_some(false)
}
