//! Kernels with template types that nothing tells: no launch of the unit and no instantiation says
//! what `T` is.
//!
//! **Contract.** Such a type is opaque and 4 bytes wide. Where that leaves something in the kernel
//! that is not understood (an overload, a specialisation), the kernel is taken as its instance with
//! an arithmetic type instead, if nothing is left over there. Either is an assumption that the
//! launch lists: other instances are not spoken for.

use warplog_facts::words::Effect;
use warplog_facts::*;

use super::host::Launch;
use super::kernel;
use super::sources::Sources;
use super::unit::UnitIndex;
use crate::syntax::ast::*;

/// What may stand for a type, in the order of trial. Whatever can be done with a number can be done
/// with the first.
const STAND_INS: [CType; 2] = [CType::I32, CType::F32];

/// Adds the facts of a kernel under a launch.
pub(crate) fn lower<'u>(
    index: &'u UnitIndex<'u>,
    sources: &mut Sources<'u>,
    facts: &mut Facts,
    kernel: KernelId,
    function: &'u Function,
    launch: &Launch,
) {
    if !may_be_unbound(function, launch) {
        kernel::lower(index, sources, facts, kernel, function, launch);
        return;
    }
    let before = (facts.clone(), sources.clone());
    let unbound = kernel::lower(index, sources, facts, kernel, function, launch);
    let first = before.0.unsupported.len();
    if !unbound || !hides(facts, first) {
        return;
    }
    for stand_in in STAND_INS {
        let (mut tried, mut places) = before.clone();
        let launch = Launch {
            stand_in: Some(stand_in),
            ..launch.clone()
        };
        kernel::lower(index, &mut places, &mut tried, kernel, function, &launch);
        if !hides(&tried, first) {
            *facts = tried;
            *sources = places;
            return;
        }
    }
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
                None => default.is_none(),
            },
            _ => false,
        })
}
