//! What would make a racy kernel race-free: conditions on its sizes and parameters, from a small grammar.
//!
//! Of a kernel that has races or divergent barriers and is checked for arbitrary sizes or parameters, these are tried, weaker
//! ones first: `n <= blockDim.x * gridDim.x` and its kin for each integer that the races depend on, multiples of 32 and powers of two, equal
//! sizes, `distinct idx` for an array that an index is read from, one block, one size of the block. They are written as
//! `--assume` reads them, and mean there what they mean here: the terms are those of C.

use std::vec::IntoIter;

use warplog_facts::derived::CandidateRaceRow;
use warplog_facts::words::{Dimension, Effect, Space};
use warplog_facts::{
    AccessId, CType, Facts, KernelId, LaunchAssumeRow, LaunchDimensionRow, LaunchId, Op, PointId,
    SymbolId, TermId, TermStore,
};
use warplog_solver_bridge::{Ask, Condition, DivergenceAnswer, RaceAnswer};

use super::rows::{OfLaunch, Rows};
use crate::options::AnalysisOptions;

/// Most symbols, arrays and constants of a launch that are spoken of.
const MAX_SYMBOLS: usize = 4;
const MAX_ARRAYS: usize = 2;
const MAX_CONSTANTS: usize = 6;
/// Threads of a warp.
const WARP: i128 = 32;
/// Open candidates beyond which nothing is tried.
const MAX_OPEN: usize = 40;

/// The questions about the launches of a fact set, with the conditions in words. Their terms are added to the facts.
pub(super) fn questions(
    facts: &mut Facts,
    rows: &Rows<'_>,
    wants: &dyn Fn(KernelId) -> bool,
) -> Vec<(Ask, Vec<String>)> {
    let mut questions = Vec::new();
    for position in 0..facts.launch.len() {
        let row = &facts.launch[position];
        let (launch, kernel) = (row.launch, row.kernel);
        let own = rows.of(launch);
        let mut unsupported = own.unsupported.iter();
        let is_open = unsupported.any(|row| row.effect != Effect::Nothing);
        let points = points(facts, own);
        if is_open || points.is_empty() || points.len() > MAX_OPEN || !wants(kernel) {
            continue;
        }
        let Conditions { all, narrow, slow } = conditions(facts, rows, launch, &points);
        let (words, conditions): (Vec<String>, Vec<Condition>) = all.into_iter().unzip();
        if !conditions.is_empty() {
            let ask = Ask {
                launch,
                conditions,
                narrow,
                slow,
                by_rule: Vec::new(),
            };
            questions.push((ask, words));
        }
    }
    questions
}

/// Where an index is masked by one less than a number, asks the rules whether that number's being a power of two settles the launch
/// (D19); bits of numbers of any size are too hard for a solver. Launches know nothing of one another, so that the rules are asked
/// about one condition of each at a time.
pub(super) fn settle_by_rule(
    (facts, rows): (&Facts, &Rows<'_>),
    options: &AnalysisOptions,
    asks: &mut [Ask],
) {
    let mut untried: Vec<(&mut Ask, IntoIter<usize>)> = asks
        .iter_mut()
        .map(|ask| {
            let places = powers_of_masks((facts, rows), ask).into_iter();
            (ask, places)
        })
        .collect();
    loop {
        untried.retain(|(_, places)| places.len() > 0);
        if untried.is_empty() {
            return;
        }
        let mut supposed = facts.clone();
        let mut tried: Vec<(&mut Ask, usize)> = Vec::new();
        for (ask, places) in &mut untried {
            let Some(place) = places.next() else {
                continue;
            };
            if let Condition::Holds(term) = ask.conditions[place] {
                supposed.launch_assume.push(LaunchAssumeRow {
                    launch: ask.launch,
                    term,
                    by_host: false,
                });
                tried.push((ask, place));
            }
        }
        let derived = crate::analysis::derivation::derive(&supposed, options);
        for (ask, place) in tried {
            let launch = ask.launch;
            let races = derived
                .candidate_race
                .iter()
                .any(|row| row.launch == launch);
            let divergences = derived
                .candidate_divergence
                .iter()
                .any(|row| row.launch == launch);
            if !races && !divergences {
                ask.by_rule.push(place);
            }
        }
    }
}

/// The places of the conditions that a number is a power of two, where an index of the launch is masked by one less than a number.
fn powers_of_masks((facts, rows): (&Facts, &Rows<'_>), ask: &Ask) -> Vec<usize> {
    let indices = rows.of(ask.launch).accesses.iter().map(|row| row.index);
    let indices: Vec<TermId> = indices.collect();
    let terms = facts.terms.reachable(&indices);
    let is_masked = terms.iter().any(|&id| {
        let term = facts.terms.get(id);
        let mask = |&arg: &TermId| facts.terms.one_less(arg).is_some();
        term.op == Op::BitAnd && term.args.iter().any(mask)
    });
    if !is_masked {
        return Vec::new();
    }
    let is_power = |term: TermId| {
        let args = &facts.terms.get(term).args;
        args.iter()
            .any(|&arg| facts.terms.without_lowest_bit(arg).is_some())
    };
    let of_power =
        |&place: &usize| matches!(ask.conditions[place], Condition::Holds(term) if is_power(term));
    ask.slow.iter().copied().filter(of_power).collect()
}

/// The points of what was found and not discharged; empty if nothing was found.
fn points(facts: &Facts, own: &OfLaunch<'_>) -> Vec<PointId> {
    let mut found = false;
    let mut points = Vec::new();
    let of = |access: AccessId| facts.access[access.index()].point;
    for (_, outcome) in &own.races {
        let CandidateRaceRow { first, second, .. } = outcome.candidate;
        if !matches!(outcome.answer, RaceAnswer::Disjoint { .. }) {
            found |= matches!(outcome.answer, RaceAnswer::Race(_));
            points.extend([of(first), of(second)]);
        }
    }
    for (_, outcome) in &own.divergences {
        if !matches!(outcome.answer, DivergenceAnswer::Uniform { .. }) {
            found |= matches!(outcome.answer, DivergenceAnswer::Diverges(_));
            let barrier = outcome.candidate.barrier;
            points.push(facts.barrier[barrier.index()].point);
        }
    }
    points.sort_unstable();
    points.dedup();
    if found { points } else { Vec::new() }
}

/// A value that conditions speak of: its text, its term.
#[derive(Clone, Debug)]
pub(super) struct Size {
    pub text: String,
    pub term: TermId,
}

/// A condition in words.
pub(super) type Worded = (String, Condition);

/// The conditions on a launch, best first.
struct Conditions {
    all: Vec<Worded>,
    /// See [`Ask`].
    narrow: usize,
    slow: Vec<usize>,
}

fn conditions(
    facts: &mut Facts,
    rows: &Rows<'_>,
    launch: LaunchId,
    points: &[PointId],
) -> Conditions {
    let own = rows.of(launch);
    let accesses = own.accesses.iter();
    let accesses = accesses.filter(|row| points.contains(&row.point));
    let mut roots: Vec<TermId> = accesses.map(|row| row.index).collect();
    let guards = points.iter().flat_map(|&point| rows.guards(point));
    roots.extend(guards.map(|row| row.term));
    let reachable = facts.terms.reachable(&roots);
    let dimension = |dimension: Dimension, text: &str| {
        let mut rows = own.dimensions.iter();
        let row = rows.find(|row| row.dimension == dimension)?;
        let term = facts.terms.get(row.term);
        let is_leaf = term.args.is_empty() && !matches!(term.op, Op::Const | Op::Symbol);
        is_leaf.then(|| Size {
            text: text.to_owned(),
            term: row.term,
        })
    };
    let block = dimension(Dimension::BlockX, "blockDim.x");
    let block_y = dimension(Dimension::BlockY, "blockDim.y");
    let grid = dimension(Dimension::GridX, "gridDim.x");
    let grid_y = dimension(Dimension::GridY, "gridDim.y");
    let mut symbols: Vec<Size> = Vec::new();
    let mut constants: Vec<i128> = Vec::new();
    let mut arrays: Vec<(String, Condition)> = Vec::new();
    for &id in &reachable {
        let term = facts.terms.get(id);
        if let Some(symbol) = term.symbol()
            && symbols.len() < MAX_SYMBOLS
            && term.ty.bits() >= Some(32)
        {
            let mut arguments = own.arguments.iter();
            let argument = arguments.find(|row| row.term == Some(id));
            let of_symbol = &facts.symbol[symbol.index()].name;
            let name = argument.map_or(of_symbol, |argument| &argument.name);
            let plain = name
                .chars()
                .all(|letter| letter.is_alphanumeric() || letter == '_');
            let is_named = is_parameter(facts, symbol) || argument.is_some();
            if plain && is_named {
                symbols.push(Size {
                    text: name.clone(),
                    term: id,
                });
            }
        }
        if let Some(value) = facts.terms.as_const(id)
            && (2..=1024).contains(&value)
            && !constants.contains(&value)
        {
            constants.push(value);
        }
        if let Some(access) = term.access()
            && let Some(array) = index_array(facts, rows, access)
            && arrays.len() < MAX_ARRAYS
            && !arrays.contains(&array)
        {
            arrays.push(array);
        }
    }
    for row in &own.arrays {
        if row.space == Space::Shared
            && let Some(bytes) = row.bytes
        {
            let elements = i128::from(bytes / u64::from(row.element_bytes.max(1)));
            if (2..=1024).contains(&elements) && !constants.contains(&elements) {
                constants.push(elements);
            }
        }
    }
    // The threads of a warp need no barrier of the block.
    if !constants.contains(&WARP) {
        constants.push(WARP);
    }
    constants.sort_unstable_by(|a, b| b.cmp(a));
    constants.truncate(MAX_CONSTANTS);

    let sorted: Vec<Worded> = arrays.iter().filter_map(|one| in_order(own, one)).collect();
    let terms = &mut facts.terms;
    let mut all: Vec<Worded> = Vec::new();
    let product = match (&block, &grid) {
        (Some(block), Some(grid)) => Some(Size {
            text: "blockDim.x * gridDim.x".to_owned(),
            term: terms.binary(Op::Mul, CType::U32, block.term, grid.term),
        }),
        _ => None,
    };
    let limits: Vec<Size> = product.iter().chain(&block).cloned().collect();
    // `w >= blockDim.x` says less than `w >= blockDim.x * gridDim.x`, and `n <= blockDim.x` more.
    for (position, symbol) in symbols.iter().enumerate() {
        for other in &symbols[position + 1..] {
            all.push(compare(terms, Op::Le, symbol, other, "<="));
            all.push(compare(terms, Op::Le, other, symbol, "<="));
        }
    }
    for symbol in &symbols {
        for (most, least) in limits.iter().zip(limits.iter().rev()) {
            all.push(compare(terms, Op::Le, symbol, most, "<="));
            all.push(at_least(terms, symbol, least));
        }
    }
    let mut slow: Vec<Condition> = Vec::new();
    for size in block.iter().chain(&symbols) {
        for one in [multiple(terms, size, WARP), power_of_two(terms, size)] {
            slow.push(one.1);
            all.push(one);
        }
    }
    if let Some(block) = &block {
        for symbol in &symbols {
            let term = {
                let (left, right) = usual(terms, symbol.term, block.term);
                let ty = terms.ty(left);
                let rest = terms.binary(Op::Rem, ty, left, right);
                let zero = terms.constant(0, ty);
                terms.binary(Op::Eq, CType::Bool, rest, zero)
            };
            let text = format!("{} % {} == 0", symbol.text, block.text);
            all.push((text, Condition::Holds(term)));
        }
        if let Some(block_y) = &block_y {
            all.push(compare(terms, Op::Le, block, block_y, "<="));
            all.push(compare(terms, Op::Le, block_y, block, "<="));
            all.push(compare(terms, Op::Eq, block, block_y, "=="));
        }
    }
    for (position, symbol) in symbols.iter().enumerate() {
        for other in symbols[position + 1..].iter().chain(&limits) {
            all.push(compare(terms, Op::Eq, symbol, other, "=="));
        }
    }
    all.extend(arrays);
    all.extend(sorted);
    let bounds = block
        .iter()
        .flat_map(|block| constants.iter().map(move |&most| (block, most)));
    for (block, most) in bounds.clone().filter(|&(_, most)| most > WARP) {
        all.push(with_constant(terms, Op::Le, block, most, "<="));
    }
    let wide = all.len();
    for (block, most) in bounds.filter(|&(_, most)| most <= WARP) {
        all.push(with_constant(terms, Op::Le, block, most, "<="));
    }
    if let Some(grid) = &grid {
        let one = with_constant(terms, Op::Eq, grid, 1, "==");
        match &grid_y {
            Some(grid_y) => {
                let other = with_constant(terms, Op::Eq, grid_y, 1, "==");
                let together = both(terms, &one, &other);
                all.push(one);
                all.extend(together);
            }
            None => all.push(one),
        }
    }
    if let Some(block) = &block {
        for &constant in &constants {
            all.push(with_constant(terms, Op::Eq, block, constant, "=="));
        }
    }
    let decided = |(_, condition): &Worded| match condition {
        Condition::Holds(term) => terms.as_const(*term).is_some(),
        Condition::Distinct(_) | Condition::Sorted(_) => false,
    };
    let behind = all.split_off(wide);
    all.retain(|worded| !decided(worded));
    let narrow = all.len();
    all.extend(behind.into_iter().filter(|worded| !decided(worded)));
    let places = all.iter().enumerate();
    let slow = places
        .filter(|(_, (_, condition))| slow.contains(condition))
        .map(|(place, _)| place)
        .collect();
    Conditions { all, narrow, slow }
}

fn is_parameter(facts: &Facts, symbol: SymbolId) -> bool {
    use warplog_facts::words::SymbolKind;
    facts.symbol[symbol.index()].kind == SymbolKind::Parameter
}

/// The array that an index is read from, if nothing ever writes it.
pub(super) fn index_array(facts: &Facts, rows: &Rows<'_>, access: AccessId) -> Option<Worded> {
    let stable = rows.is_stable(access);
    let array = facts.access[access.index()].array;
    let row = &facts.array[array.index()];
    // Of a narrow type only few elements can be different: of a launch of known size they are counted (`few_values.rs`).
    let is_known = |row: &&LaunchDimensionRow| facts.terms.as_const(row.term).is_some();
    let mut dimensions = rows.of(row.launch).dimensions.iter();
    if row.element_bytes < 4 && !dimensions.all(is_known) {
        return None;
    }
    let plain = row
        .name
        .chars()
        .all(|letter| letter.is_alphanumeric() || letter == '_');
    (stable && plain && row.space == Space::Global).then(|| {
        (
            format!("__distinct({})", row.name),
            Condition::Distinct(array),
        )
    })
}

/// The same array in order, in place of different elements, if it is read at several places: `begin[r]` and `begin[r + 1]`.
fn in_order(own: &OfLaunch<'_>, (text, condition): &Worded) -> Option<Worded> {
    let Condition::Distinct(array) = *condition else {
        return None;
    };
    let of_array = own.accesses.iter().filter(|row| row.array == array);
    let mut places: Vec<TermId> = of_array.map(|row| row.index).collect();
    places.sort_unstable();
    places.dedup();
    if places.len() < 2 {
        return None;
    }
    let name = text.strip_prefix("__distinct")?;
    Some((format!("__sorted{name}"), Condition::Sorted(array)))
}

/// The operands of a comparison after C's usual conversions.
pub(super) fn usual(terms: &mut TermStore, left: TermId, right: TermId) -> (TermId, TermId) {
    let (one, other) = (terms.ty(left), terms.ty(right));
    let wide = one.bits().max(other.bits()) > Some(32);
    let unsigned = |ty: CType| ty.is_unsigned() && (!wide || ty.bits() > Some(32));
    let ty = match (wide, unsigned(one) || unsigned(other)) {
        (false, false) => CType::I32,
        (false, true) => CType::U32,
        (true, false) => CType::I64,
        (true, true) => CType::U64,
    };
    (terms.cast(left, ty), terms.cast(right, ty))
}

pub(super) fn compare(
    terms: &mut TermStore,
    op: Op,
    left: &Size,
    right: &Size,
    word: &str,
) -> Worded {
    let (a, b) = usual(terms, left.term, right.term);
    let term = terms.binary(op, CType::Bool, a, b);
    let text = format!("{} {word} {}", left.text, right.text);
    (text, Condition::Holds(term))
}

/// `w >= blockDim.x`; of a signed number without the conversion that makes −1 the largest.
pub(super) fn at_least(terms: &mut TermStore, symbol: &Size, limit: &Size) -> Worded {
    let ty = terms.ty(symbol.term);
    let signed = ty.is_signed();
    let bound = if signed {
        terms.cast(limit.term, ty)
    } else {
        limit.term
    };
    let (a, b) = usual(terms, bound, symbol.term);
    let term = terms.binary(Op::Le, CType::Bool, a, b);
    let text = match (signed, limit.text.contains('*')) {
        (false, _) => format!("{} >= {}", symbol.text, limit.text),
        (true, false) if ty.bits() == Some(32) => {
            format!("{} >= (int){}", symbol.text, limit.text)
        }
        (true, _) if ty.bits() == Some(32) => format!("{} >= (int)({})", symbol.text, limit.text),
        (true, _) => format!("{} >= (long)({})", symbol.text, limit.text),
    };
    (text, Condition::Holds(term))
}

pub(super) fn with_constant(
    terms: &mut TermStore,
    op: Op,
    size: &Size,
    value: i128,
    word: &str,
) -> Worded {
    let ty = terms.ty(size.term);
    let constant = terms.constant(value, ty);
    let term = terms.binary(op, CType::Bool, size.term, constant);
    let text = format!("{} {word} {value}", size.text);
    (text, Condition::Holds(term))
}

pub(super) fn multiple(terms: &mut TermStore, size: &Size, of: i128) -> Worded {
    let ty = terms.ty(size.term);
    let divisor = terms.constant(of, ty);
    let rest = terms.binary(Op::Rem, ty, size.term, divisor);
    let zero = terms.constant(0, ty);
    let term = terms.binary(Op::Eq, CType::Bool, rest, zero);
    let text = format!("{} % {of} == 0", size.text);
    (text, Condition::Holds(term))
}

pub(super) fn power_of_two(terms: &mut TermStore, size: &Size) -> Worded {
    let ty = terms.ty(size.term);
    let one = terms.constant(1, ty);
    let less = terms.binary(Op::Sub, ty, size.term, one);
    let both = terms.binary(Op::BitAnd, ty, size.term, less);
    let zero = terms.constant(0, ty);
    let term = terms.binary(Op::Eq, CType::Bool, both, zero);
    let text = format!("__is_pow2({})", size.text);
    (text, Condition::Holds(term))
}

pub(super) fn both(terms: &mut TermStore, one: &Worded, other: &Worded) -> Option<Worded> {
    let (Condition::Holds(a), Condition::Holds(b)) = (one.1, other.1) else {
        return None;
    };
    let term = terms.and(a, b);
    let text = format!("{} && {}", one.0, other.0);
    Some((text, Condition::Holds(term)))
}
