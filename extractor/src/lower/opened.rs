//! Launches with the arguments left open: what a kernel does for any arguments, in the sizes that host code launches it with.
//!
//! **Contract.** A parameter has no value that host code passes, and no two share memory for what host code passes. A number that is a
//! size of the launch, or decides whether it is made, and is passed as it is, is the parameter that it is passed for: the grid
//! of `k<<<(m + 255) / 256, 256>>>(p, m)` follows from the second parameter of `k`, whatever its name is there.

use std::collections::{BTreeMap, BTreeSet};

use super::host::{Argument, Launch, LaunchArgument};
use warplog_facts::CType;

impl Launch {
    /// The launch with its arguments left open, of a kernel with parameters of these names.
    pub(super) fn opened(&self, parameters: &[Option<&str>]) -> Launch {
        let mut names = BTreeMap::new();
        let mut narrower = Vec::new();
        for (argument, name) in self.arguments.iter().zip(parameters) {
            if let Some(name) = name {
                link(&argument.value, name, &mut names, &mut narrower);
            }
        }
        let linked: BTreeSet<String> = names.keys().cloned().collect();
        let sizes = || self.block.iter().chain(&self.grid).flatten();
        let mut of_sizes = BTreeSet::new();
        sizes().for_each(|size| symbols(size, &mut of_sizes));
        let is_told = |condition: &&Argument| {
            let mut own = BTreeSet::new();
            symbols(condition, &mut own);
            let mut own = own.iter();
            own.all(|name| linked.contains(name) || of_sizes.contains(name))
        };
        let conditions: Vec<&Argument> = self.conditions.iter().filter(is_told).collect();
        let mut mentioned = of_sizes.clone();
        for condition in &conditions {
            symbols(condition, &mut mentioned);
        }
        // Another number of the host that is called like a parameter is none.
        for name in &mentioned {
            let is_taken = parameters.contains(&Some(name.as_str()))
                || names.values().any(|taken: &String| taken == name);
            if !linked.contains(name) && is_taken {
                names.insert(name.clone(), format!("{name} (host)"));
            }
        }
        let renamed = |argument: &Argument| renamed(argument, &names);
        let mut opened = self.clone();
        opened.block = self.block.each_ref().map(|size| size.as_ref().map(renamed));
        opened.grid = self.grid.each_ref().map(|size| size.as_ref().map(renamed));
        opened.conditions = conditions.into_iter().map(renamed).collect();
        opened.arguments = self.arguments.iter().map(without_value).collect();
        opened.is_open = true;
        opened.overlaps.clear();
        opened.contents.clear();
        for (name, symbol, ty) in narrower {
            if mentioned.contains(&symbol) {
                opened.assumptions.push(format!(
                    "`{name}` is a value of `{}`, as the launch passes one",
                    ty.name()
                ));
            }
        }
        opened
    }

    /// What the launch is, but for where it stands and what its arguments are called.
    pub(super) fn without_place(&self) -> String {
        let mut launch = self.clone();
        launch.range = None;
        launch.elsewhere = None;
        launch.arguments = Vec::new();
        format!("{launch:?}")
    }
}

/// An argument of which nothing is known but its shape.
fn without_value(argument: &LaunchArgument) -> LaunchArgument {
    let value = match &argument.value {
        Argument::Closure(closure, _) => Argument::Closure(std::rc::Rc::clone(closure), Vec::new()),
        _ => Argument::Unknown(String::new()),
    };
    LaunchArgument {
        text: argument.text.clone(),
        value,
    }
}

/// Numbers of the host that are passed as they are, by the names of the parameters; the first one of several counts. Of those that a
/// wider parameter takes the type is told.
fn link(
    argument: &Argument,
    name: &str,
    names: &mut BTreeMap<String, String>,
    narrower: &mut Vec<(String, String, CType)>,
) {
    match argument {
        Argument::Symbol(_, symbol, _) => {
            names
                .entry(symbol.clone())
                .or_insert_with(|| name.to_owned());
        }
        Argument::Cast(to, inner) => {
            let Argument::Symbol(_, symbol, from) = inner.as_ref() else {
                return;
            };
            let is_number = to.is_integer() && from.is_integer();
            if !is_number || to.bytes() < from.bytes() || names.contains_key(symbol) {
                return;
            }
            names.insert(symbol.clone(), name.to_owned());
            if to.bytes() > from.bytes() {
                narrower.push((name.to_owned(), symbol.clone(), *from));
            }
        }
        Argument::Record(members) | Argument::Closure(_, members) => {
            for (field, member) in members {
                link(member, &format!("{name}.{field}"), names, narrower);
            }
        }
        _ => {}
    }
}

/// The names of the numbers in a value.
fn symbols(argument: &Argument, found: &mut BTreeSet<String>) {
    match argument {
        Argument::Constant(..) | Argument::Unknown(_) => {}
        Argument::Symbol(_, name, _) => {
            found.insert(name.clone());
        }
        Argument::Binary(_, left, right) => {
            symbols(left, found);
            symbols(right, found);
        }
        Argument::Cast(_, inner) => symbols(inner, found),
        Argument::Select(condition, then, otherwise) => {
            for part in [condition, then, otherwise] {
                symbols(part, found);
            }
        }
        Argument::Pointer { bytes, .. } => {
            if let Some(bytes) = bytes {
                symbols(bytes, found);
            }
        }
        Argument::Record(members) | Argument::Closure(_, members) => {
            for (_, member) in members {
                symbols(member, found);
            }
        }
    }
}

/// The same value over numbers of other names.
fn renamed(argument: &Argument, names: &BTreeMap<String, String>) -> Argument {
    let boxed = |inner: &Argument| Box::new(renamed(inner, names));
    match argument {
        Argument::Symbol(known, name, ty) => {
            let name = names.get(name).unwrap_or(name).clone();
            Argument::Symbol(*known, name, *ty)
        }
        Argument::Binary(op, left, right) => Argument::Binary(*op, boxed(left), boxed(right)),
        Argument::Cast(ty, inner) => Argument::Cast(*ty, boxed(inner)),
        Argument::Select(condition, then, otherwise) => {
            Argument::Select(boxed(condition), boxed(then), boxed(otherwise))
        }
        other => other.clone(),
    }
}
