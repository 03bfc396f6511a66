//! Launches that Python makes of the kernels in its strings.
//!
//! Read are `kernel(…, block=…, grid=…)` as PyCUDA has it, without `grid` one block; `kernel(grid, block, arguments)` as CuPy has
//! it; `prepared_call(grid, block, …)`. What is called is a name, or a member, that is bound to `RawKernel(text, "name")` or
//! `module.get_function("name")`, or such an expression itself.
//!
//! A kernel that is used in another way than being called, as an argument, in a list, under a second name, is handed to code that
//! is not followed: it may be launched there with any sizes. So may all kernels of the file where a module that was compiled is handed on, or where
//! the name of a kernel is not known, or values are found by the text of their names (`globals()[name]`).
//!
//! **Accuracy.** A size that is not a tuple of known integers, or that may stand in `*arguments` or `**names`, is not known, and neither is a kernel that is chosen by another way: such a
//! launch says that there is one, and nothing of it. In a `lambda` or a comprehension, which have names of their own and may be evaluated
//! later, names have no known values. What other files do with the kernels of this one is not looked at.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::super::HostLaunch;
use super::{Reader, Value};
use crate::syntax::python::{Expr, SPREAD_DICTIONARY, SPREAD_LIST};

/// What is asked of a kernel, or done with it, that launches nothing: methods and members.
const HARMLESS: &[&str] = &[
    "attributes",
    "binary_version",
    "cache_mode_ca",
    "code",
    "compile",
    "const_size_bytes",
    "get_attribute",
    "local_size_bytes",
    "max_dynamic_shared_size_bytes",
    "max_threads_per_block",
    "name",
    "num_regs",
    "options",
    "preferred_shared_memory_carveout",
    "prepare",
    "ptx_version",
    "set_attribute",
    "set_block_shape",
    "set_cache_config",
    "set_shared_size",
    "shared_size_bytes",
];

/// What gives a module whose kernels are launched from Python.
const MODULES: &[&str] = &["DynamicSourceModule", "RawModule", "SourceModule"];

/// What is asked of a module that hands no kernel on.
const OF_MODULE: &[&str] = &[
    "compile",
    "get_function",
    "get_global",
    "get_surfref",
    "get_texref",
];

/// Collects the launches in an expression of a scope; whether it is in an inner one, which may be evaluated later.
pub(super) fn collect(
    reader: &Reader<'_>,
    expr: &Expr,
    (scope, is_inner): (usize, bool),
    found: &mut Vec<HostLaunch>,
) {
    let inside = (scope, is_inner || matches!(expr, Expr::Inner(..)));
    if let Expr::Call {
        name,
        of,
        arguments,
        range,
    } = expr
    {
        let keyword = |wanted: &str| {
            let mut named = arguments.iter();
            named
                .find(|(name, _)| name.as_deref() == Some(wanted))
                .map(|(_, argument)| argument)
        };
        let spreads = |wanted: &str| {
            let mut names = arguments.iter();
            names.any(|(name, _)| name.as_deref() == Some(wanted))
        };
        let position = |number: usize| match arguments.get(number) {
            Some((None, argument)) if !spreads(SPREAD_LIST) => Some(argument),
            _ => None,
        };
        let sizes = |expr: Option<&Expr>| {
            let expr = expr.filter(|expr| !is_inner || !has_names(expr))?;
            sizes(reader, expr, scope)
        };
        let is_prepared = is_prepared(name);
        let kernels = match (is_prepared, of) {
            (true, Some(of)) => kernels(reader, of, scope),
            (true, None) => Vec::new(),
            (false, _) => kernels(reader, &callee(expr), scope),
        };
        let (block, grid) = if keyword("block").is_some() {
            let grid = match keyword("grid") {
                None if spreads(SPREAD_DICTIONARY) => None,
                None => Some([1, 1, 1]),
                given => sizes(given),
            };
            (sizes(keyword("block")), grid)
        } else if is_prepared || (!kernels.is_empty() && !spreads(SPREAD_DICTIONARY)) {
            (sizes(position(1)), sizes(position(0)))
        } else if !kernels.is_empty() {
            // The sizes may stand in what is spread.
            (None, None)
        } else {
            for child in expr.children() {
                collect(reader, child, inside, found);
            }
            return;
        };
        let launch = |kernel: Option<String>| HostLaunch {
            is_any: kernel.is_none() && !kernels.is_empty(),
            kernel,
            block,
            grid,
            range: range.clone(),
        };
        match kernels.as_slice() {
            [only] => found.push(launch(only.clone())),
            // One of several: nothing is known of each.
            [] => found.push(HostLaunch {
                block: None,
                ..launch(None)
            }),
            several => found.extend(several.iter().map(|kernel| HostLaunch {
                block: None,
                ..launch(kernel.clone())
            })),
        }
    }
    for child in expr.children() {
        collect(reader, child, inside, found);
    }
}

fn has_names(expr: &Expr) -> bool {
    matches!(expr, Expr::Name(..)) || expr.children().into_iter().any(has_names)
}

/// Adds a launch of which nothing is known for each kernel that is handed to code that is not followed.
pub(super) fn handed_on(reader: &Reader<'_>, found: &mut Vec<HostLaunch>) {
    let bindings = reader
        .module
        .scopes
        .iter()
        .flat_map(|scope| &scope.bindings);
    let values = bindings.filter_map(|binding| binding.value.as_ref());
    let calls = values.filter(|value| matches!(value, Expr::Call { .. }));
    let mut uses = Uses {
        reader,
        bound: calls.map(|value| place(value.range())).collect(),
        found,
    };
    for (scope, root) in &reader.module.roots {
        uses.look(root, *scope);
    }
    // Whoever finds values by the text of their names may find any kernel.
    if let Some(range) = &reader.module.found_by_text {
        uses.hand_on(vec![None], range);
    }
}

fn place(range: &Range<usize>) -> (usize, usize) {
    (range.start, range.end)
}

/// A name in front of a dot, and the one behind it.
fn member(name: &str) -> Option<(&str, &str)> {
    name.rsplit_once('.')
}

/// Uses of kernels and modules.
struct Uses<'r, 'm, 'f> {
    reader: &'r Reader<'m>,
    /// The calls whose results get a name.
    bound: BTreeSet<(usize, usize)>,
    found: &'f mut Vec<HostLaunch>,
}

impl Uses<'_, '_, '_> {
    fn hand_on(&mut self, kernels: Vec<Option<String>>, range: &Range<usize>) {
        for kernel in kernels {
            self.found.push(HostLaunch {
                is_any: kernel.is_none(),
                kernel,
                block: None,
                grid: None,
                range: range.clone(),
            });
        }
    }

    /// Looks at what is done with a value: nothing that is seen.
    fn look(&mut self, expr: &Expr, scope: usize) {
        match expr {
            Expr::Name(name, range) => self.named(name, range, scope),
            Expr::Call { range, .. } => {
                let makes = kernels(self.reader, expr, scope);
                if !self.bound.contains(&place(range)) {
                    self.hand_on(makes, range);
                }
                self.parts_of_call(expr, scope);
            }
            _ => {
                for child in expr.children() {
                    self.look(child, scope);
                }
            }
        }
    }

    fn named(&mut self, name: &str, range: &Range<usize>, scope: usize) {
        let own = kernels(
            self.reader,
            &Expr::Name(name.to_owned(), range.clone()),
            scope,
        );
        if !own.is_empty() {
            return self.hand_on(own, range);
        }
        if self.is_module(name, scope) {
            return self.hand_on(vec![None], range);
        }
        if let Some((of, last)) = member(name) {
            let of_kernel = kernels(
                self.reader,
                &Expr::Name(of.to_owned(), range.clone()),
                scope,
            );
            if !of_kernel.is_empty() && !HARMLESS.contains(&last) {
                self.hand_on(of_kernel, range);
            } else if self.is_module(of, scope) && !OF_MODULE.contains(&last) {
                self.hand_on(vec![None], range);
            }
        }
    }

    /// Looks at a call: what is called, or asked of a kernel or a module, is seen, and what it is given is not.
    fn parts_of_call(&mut self, call: &Expr, scope: usize) {
        let Expr::Call {
            name,
            of,
            arguments,
            ..
        } = call
        else {
            return;
        };
        match of.as_deref() {
            None => {}
            Some(made @ Expr::Call { .. }) => {
                let makes = !kernels(self.reader, made, scope).is_empty();
                let is_seen =
                    name.is_empty() || is_prepared(name) || HARMLESS.contains(&name.as_str());
                match makes && is_seen {
                    true => self.parts_of_call(made, scope),
                    false => self.look(made, scope),
                }
            }
            Some(Expr::Name(of, range)) => {
                let of_kernel = kernels(self.reader, &Expr::Name(of.clone(), range.clone()), scope);
                let is_seen = match of_kernel.is_empty() {
                    false => is_prepared(name) || HARMLESS.contains(&name.as_str()),
                    true => OF_MODULE.contains(&name.as_str()),
                };
                if !is_seen {
                    self.named(of, range, scope);
                }
            }
            Some(of) => self.look(of, scope),
        }
        for (_, argument) in arguments {
            self.look(argument, scope);
        }
    }

    /// Whether a name is bound to a module that was compiled here.
    fn is_module(&self, name: &str, scope: usize) -> bool {
        let Some((_, bindings)) = self.reader.bindings(name, scope) else {
            return false;
        };
        bindings.iter().any(|binding| {
            matches!(&binding.value, Some(Expr::Call { name, .. }) if MODULES.contains(&name.as_str()))
        })
    }
}

fn is_prepared(name: &str) -> bool {
    name.starts_with("prepared_") && name.ends_with("call")
}

/// What a call calls, as an expression.
fn callee(call: &Expr) -> Expr {
    match call {
        Expr::Call {
            name, of: Some(of), ..
        } if name.is_empty() => (**of).clone(),
        Expr::Call {
            name, of, range, ..
        } => match of.as_deref() {
            None => Expr::Name(name.clone(), range.clone()),
            Some(Expr::Name(of, _)) => Expr::Name(format!("{of}.{name}"), range.clone()),
            // Of what another expression gives, the member counts.
            Some(_) => Expr::Name(format!("?.{name}"), range.clone()),
        },
        other => other.clone(),
    }
}

/// The kernels that an expression may be, each by its name if that is known; nothing if it is no kernel that is made here.
fn kernels(reader: &Reader<'_>, expr: &Expr, scope: usize) -> Vec<Option<String>> {
    match expr {
        Expr::Call {
            name, arguments, ..
        } if makes_kernel(name) => {
            let number = usize::from(name == "RawKernel");
            let argument = arguments
                .iter()
                .find(|(keyword, _)| keyword.as_deref() == Some("name"))
                .or_else(|| {
                    arguments
                        .get(number)
                        .filter(|(keyword, _)| keyword.is_none())
                });
            let value = argument.map(|(_, argument)| reader.evaluate(argument, scope, 0));
            vec![match value {
                Some(Value::Text(runs)) if runs.iter().all(|run| run.hole.is_none()) => {
                    Some(runs.into_iter().map(|run| run.text).collect())
                }
                _ => None,
            }]
        }
        Expr::Name(name, range) => {
            let Some((scope, bindings)) = reader.bindings(name, scope) else {
                return of_member(reader, name);
            };
            let is_call = |expr: &Expr| matches!(expr, Expr::Call { .. });
            // The last one before the use, where all are in a row; else any of them.
            let in_row = bindings
                .iter()
                .all(|binding| !binding.conditional && !binding.adds);
            let last = bindings
                .iter()
                .rev()
                .find(|binding| binding.end <= range.start);
            let all = match (in_row, last) {
                (true, Some(last)) => vec![*last],
                _ => bindings,
            };
            all.into_iter()
                .filter_map(|binding| binding.value.as_ref())
                .filter(|value| is_call(value))
                .flat_map(|value| kernels(reader, value, scope))
                .collect()
        }
        _ => Vec::new(),
    }
}

fn makes_kernel(name: &str) -> bool {
    matches!(name, "RawKernel" | "get_function")
}

/// The kernels that a member of this name may be, whatever object has it.
fn of_member(reader: &Reader<'_>, name: &str) -> Vec<Option<String>> {
    let Some((_, last)) = member(name) else {
        return Vec::new();
    };
    let members = reader.members.get_or_init(|| {
        let mut all: BTreeMap<String, Vec<(usize, Expr)>> = BTreeMap::new();
        for (scope, own) in reader.module.scopes.iter().enumerate() {
            for binding in &own.bindings {
                let makes =
                    |value: &&Expr| matches!(value, Expr::Call { name, .. } if makes_kernel(name));
                let value = binding.value.as_ref().filter(makes);
                if let (Some((_, last)), Some(value)) = (member(&binding.name), value) {
                    let all = all.entry(last.to_owned()).or_default();
                    all.push((scope, value.clone()));
                }
            }
        }
        all
    });
    let made = members.get(last).into_iter().flatten();
    made.flat_map(|(scope, value)| kernels(reader, value, *scope))
        .collect()
}

/// One to three integers.
fn sizes(reader: &Reader<'_>, expr: &Expr, scope: usize) -> Option<[u64; 3]> {
    let number = |value: &Value| match value {
        Value::Integer(number) => u64::try_from(*number).ok().filter(|number| *number > 0),
        _ => None,
    };
    let mut found = [1; 3];
    match reader.evaluate(expr, scope, 0) {
        Value::List(values) if (1..=3).contains(&values.len()) => {
            for (axis, value) in values.iter().enumerate() {
                found[axis] = number(value)?;
            }
        }
        value => found[0] = number(&value)?,
    }
    Some(found)
}
