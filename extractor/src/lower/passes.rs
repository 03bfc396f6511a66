//! Host code that is another text for the host: `#ifdef __CUDA_ARCH__`.
//!
//! A file is compiled twice, once for the device, where `__CUDA_ARCH__` is defined, and once for the host, where it is not.
//! Kernels are those of the first text, what launches them is that of the second. The host code of both is run; of each
//! launch the second tells the sizes and arguments, the first the place and the types of its instance.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::host::{self, Argument, Launch};
use super::sources::Sources;
use super::{index_of, kernel_name};
use crate::Options;
use crate::preprocess::Preprocessed;
use crate::syntax::ast::{Function, Unit};
use crate::syntax::parse_as;

/// A text, what it holds, and the launches that its host code makes, by the position of the kernel.
pub(super) struct Pass<'p> {
    pub pre: &'p Preprocessed,
    pub unit: &'p Unit,
    pub launches: BTreeMap<usize, Vec<Launch>>,
}

/// The launches of the kernels of the device's text as the host's text makes them. Where one cannot be told to be the other's,
/// the kernel has arbitrary launches.
pub(super) fn on_host(
    device: Pass<'_>,
    pre: &Preprocessed,
    shown: &str,
    options: &Options,
) -> BTreeMap<usize, Vec<Launch>> {
    let unit = parse_as(&pre.text, options.preprocess.has_char8());
    let index = index_of(pre, &unit, options);
    let mut there = host::launches(&index, &pre.text, &Sources::new(pre, shown));
    let positions: FxHashMap<(&str, usize), usize> = kernels(&unit)
        .map(|(position, key)| (key, position))
        .collect();
    let mut launches = BTreeMap::new();
    for (position, key) in kernels(device.unit) {
        let kernel = &device.unit.functions[position];
        let here = device
            .launches
            .get(&position)
            .map_or(&[][..], Vec::as_slice);
        let found = positions
            .get(&key)
            .and_then(|&other| Some((&unit.functions[other], there.remove(&other)?)));
        let own: Vec<Launch> = match found {
            Some((twin, found)) if names(kernel, here, device.pre) == names(twin, &found, pre) => {
                let pairs = found.into_iter().zip(here);
                pairs.map(|(found, here)| located(found, here)).collect()
            }
            // There is one instance only, wherever it is launched.
            Some((_, found)) if kernel.template.is_none() => {
                let anywhere = Launch {
                    range: Some(kernel.name_range),
                    ..Launch::symbolic()
                };
                let places = here.iter().chain(std::iter::repeat(&anywhere));
                let pairs = found.into_iter().zip(places);
                pairs.map(|(found, place)| located(found, place)).collect()
            }
            // Types and values of template arguments are told by the text that they stand in.
            Some(_) => vec![Launch {
                range: Some(kernel.name_range),
                rest_is_open: true,
                ..Launch::symbolic()
            }],
            None => here.iter().map(arbitrary).collect(),
        };
        if !own.is_empty() {
            launches.insert(position, own);
        }
    }
    launches
}

fn names(kernel: &Function, launches: &[Launch], pre: &Preprocessed) -> Vec<String> {
    let name = |launch| kernel_name(kernel, launch, &pre.text);
    launches.iter().map(name).collect()
}

/// A launch of the host's text, with the place and the types of one of the device's.
fn located(found: Launch, place: &Launch) -> Launch {
    let mut arguments = found.arguments;
    for argument in &mut arguments {
        // The lambda of the host's text is not the one that runs.
        if matches!(argument.value, Argument::Closure(..)) {
            argument.value = Argument::Unknown(argument.text.clone());
        }
    }
    Launch {
        range: place.range,
        template_args: place.template_args.clone(),
        arguments,
        ..found
    }
}

/// Any launch of the same instance at the same place.
fn arbitrary(launch: &Launch) -> Launch {
    Launch {
        range: launch.range,
        template_args: launch.template_args.clone(),
        rest_is_open: launch.rest_is_open,
        stand_in: launch.stand_in,
        ..Launch::symbolic()
    }
}

/// The kernels of a unit: their positions, with their names and which of that name they are.
fn kernels(unit: &Unit) -> impl Iterator<Item = (usize, (&str, usize))> {
    let mut seen: FxHashMap<&str, usize> = FxHashMap::default();
    let functions = unit.functions.iter().enumerate();
    functions
        .filter(|(_, function)| function.quals.global && function.body.is_some())
        .map(move |(position, function)| {
            let name = function.qualified.as_str();
            let count = seen.entry(name).or_default();
            *count += 1;
            (position, (name, *count))
        })
}
