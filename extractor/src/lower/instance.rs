//! Kernels with template types that nothing tells: no launch of the unit and no instantiation says
//! what `T` is.
//!
//! **Contract.** Such a type is opaque and 4 bytes wide. Where that leaves something in the kernel
//! that is not understood (an overload, a specialisation), the kernel is taken as its instance with
//! an arithmetic type instead, if nothing is left over there. Where the program chooses another
//! function for `float` than for `int`, one instance does not speak for the other: there is a launch
//! for each way through the text. Either is an assumption that the launch lists.

use warplog_facts::words::{Effect, PointKind};
use warplog_facts::*;

use super::host::Launch;
use super::kernel;
use super::sources::Sources;
use super::unit::UnitIndex;
use crate::syntax::ast::*;

/// What may stand for a type, in the order of trial: integers, then floats. What is understood for one of a kind must be
/// understood for the other.
const STAND_INS: [[CType; 2]; 2] = [[CType::I32, CType::U32], [CType::F32, CType::F64]];

/// Adds the facts of a kernel under a launch.
pub(crate) fn lower<'u>(
    index: &'u UnitIndex<'u>,
    sources: &mut Sources<'u>,
    facts: &mut Facts,
    kernel: KernelId,
    function: &'u Function,
    launch: &Launch,
) {
    if !may_be_unbound(function, launch)
        || !kernel::has_stand_in(index, sources.afresh(), function, launch)
    {
        kernel::lower(index, sources, facts, kernel, function, launch);
        return;
    }
    let before = (facts.clone(), sources.clone());
    let unbound = kernel::lower(index, sources, facts, kernel, function, launch);
    let first = before.0.unsupported.len();
    if !unbound || !hides(facts, first) {
        return;
    }
    // One type for each way through the text.
    let mut chosen: Vec<(CType, Vec<Place>)> = Vec::new();
    for kind in STAND_INS {
        let mut understood = 0;
        for stand_in in kind {
            let (mut tried, mut places) = before.clone();
            let launch = taken_as(launch, stand_in);
            kernel::lower(index, &mut places, &mut tried, kernel, function, &launch);
            if hides(&tried, first) {
                continue;
            }
            understood += 1;
            let way = way(&tried, before.0.point.len());
            if chosen.iter().all(|(_, known)| *known != way) {
                chosen.push((stand_in, way));
            }
        }
        // The program tells numbers of one kind apart, and not all of them are understood.
        if understood != 0 && understood != kind.len() {
            return;
        }
    }
    if chosen.is_empty() {
        return;
    }
    (*facts, *sources) = before;
    for (stand_in, _) in chosen {
        let launch = taken_as(launch, stand_in);
        kernel::lower(index, sources, facts, kernel, function, &launch);
    }
}

fn taken_as(launch: &Launch, stand_in: CType) -> Launch {
    Launch {
        stand_in: Some(stand_in),
        ..launch.clone()
    }
}

/// A point's kind, file, line, column and end.
type Place = (PointKind, FileId, u32, u32, u32);

/// Where the points that were added stand in the text.
fn way(facts: &Facts, first: usize) -> Vec<Place> {
    let points = facts.point.iter().skip(first);
    points
        .map(|row| {
            let span = &facts.span[row.span.index()];
            (row.kind, span.file, span.line, span.column, span.end)
        })
        .collect()
}

/// Whether what was added leaves something that may hide an access or a barrier.
fn hides(facts: &Facts, first: usize) -> bool {
    facts
        .unsupported
        .iter()
        .skip(first)
        .any(|row| row.effect != Effect::Nothing)
}

/// Whether the text alone does not tell that all template types are known.
fn may_be_unbound(function: &Function, launch: &Launch) -> bool {
    let parameters = function.template.as_deref().unwrap_or(&[]);
    parameters
        .iter()
        .enumerate()
        .any(|(position, parameter)| match &parameter.kind {
            TemplateParamKind::Type { default } => match launch.template_args.get(position) {
                Some(TemplateArg::Type(ty)) => matches!(ty.kind, TypeKind::Named(_)),
                Some(_) => true,
                None => default.is_none() || launch.rest_is_open,
            },
            _ => false,
        })
}
