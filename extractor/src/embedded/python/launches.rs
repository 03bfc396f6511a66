//! Launches that Python makes of the kernels in its strings.
//!
//! Read are `kernel(…, block=…, grid=…)` as PyCUDA has it, without `grid` one block; `kernel(grid, block, arguments)` as CuPy has
//! it; `prepared_call(grid, block, …)`. What is called is a name, or a member, that is bound to `RawKernel(text, "name")` or
//! `module.get_function("name")`, or such an expression itself.
//!
//! **Accuracy.** A size that is not a tuple of known integers is not known, and neither is a kernel that is chosen by another way: such a
//! launch says that there is one, and nothing of it.

use super::super::HostLaunch;
use super::{Reader, Value};
use crate::syntax::python::Expr;

/// Collects the launches in an expression.
pub(super) fn collect(reader: &Reader<'_>, expr: &Expr, scope: usize, found: &mut Vec<HostLaunch>) {
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
        let position = |number: usize| match arguments.get(number) {
            Some((None, argument)) => Some(argument),
            _ => None,
        };
        let sizes = |expr: Option<&Expr>| sizes(reader, expr?, scope);
        let is_prepared = name.starts_with("prepared_") && name.ends_with("call");
        let kernels = match (is_prepared, of) {
            (true, Some(of)) => kernels(reader, of, scope),
            (true, None) => Vec::new(),
            (false, _) => kernels(reader, &callee(expr), scope),
        };
        let (block, grid) = if keyword("block").is_some() {
            let grid = match keyword("grid") {
                None => Some([1, 1, 1]),
                given => sizes(given),
            };
            (sizes(keyword("block")), grid)
        } else if is_prepared || (!kernels.is_empty() && arguments.len() >= 2) {
            (sizes(position(1)), sizes(position(0)))
        } else {
            for child in expr.children() {
                collect(reader, child, scope, found);
            }
            return;
        };
        let launch = |kernel: Option<String>| HostLaunch {
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
        collect(reader, child, scope, found);
    }
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
            Some(_) => Expr::Other(Vec::new(), range.clone()),
        },
        other => other.clone(),
    }
}

/// The kernels that an expression may be, each by its name if that is known; nothing if it is no kernel that is made here.
fn kernels(reader: &Reader<'_>, expr: &Expr, scope: usize) -> Vec<Option<String>> {
    match expr {
        Expr::Call {
            name, arguments, ..
        } if matches!(name.as_str(), "RawKernel" | "get_function") => {
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
                return Vec::new();
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
