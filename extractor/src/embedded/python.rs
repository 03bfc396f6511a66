//! Texts that a Python file makes, and which of them are compiled together.
//!
//! **Values.** Literals, also side by side and joined with `+` or `sep.join([…])`; f-strings, `.format`, `%` and
//! `Template(…).substitute`; `.replace` of a literal by a value; `.strip`, `textwrap.dedent` and what else changes only white space.
//! Names are followed to their assignments: one that is assigned once has that value, one that is assigned again has, in the
//! same scope, what the last assignment before gave, if none of them stands in a branch or a loop. Integers are computed with `+ - * // %
//! << >> **`. Everything else is a hole.
//!
//! **Units.** The texts that a call of [`COMPILERS`] is given are one, those for the device before those for the host; what
//! `-D` among its options defines stands before them (module `options`). Every other string with a kernel is one as it stands, the longest that it is
//! joined to.

mod launches;
mod options;

use std::cell::{Cell, OnceCell};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::{HostLaunch, LONGEST, OpenOptions, Part, Run, is_word, names_kernel, part};
use crate::syntax::python::{self, Binding, Expr, Module};

/// Functions that compile what they are given.
const COMPILERS: &[&str] = &[
    "load_inline",
    "RawKernel",
    "RawModule",
    "SourceModule",
    "DynamicSourceModule",
    "compile",
    "compile_with_cache",
    "compile_using_nvrtc",
    "nvrtcCreateProgram",
    "Program",
    "CUSource",
    "get_cuda_kernel",
    "_compile_kernel",
];

/// Arguments that hold text for the host.
const HOST_TEXTS: &[&str] = &["cpp_sources", "cpp_source", "cpp_src"];

/// Steps that the evaluation of one file may take.
const MOST_STEPS: usize = 500_000;

/// How far names are followed.
const MOST_DEPTH: usize = 40;

/// The parts of a module.
pub(super) fn parts(text: &str) -> Vec<Part> {
    let read = texts(text);
    let parts = read.texts.iter();
    parts
        .filter_map(|unit| part(&unit.runs, unit.is_loose).map(|part| (unit, part)))
        .map(|(unit, part)| Part {
            launches: read.launches.clone(),
            open_options: unit.open_options.clone(),
            ..part
        })
        .collect()
}

/// What is read from a module.
pub(super) struct Texts {
    /// The texts of its parts.
    pub texts: Vec<Unit>,
    /// The launches that it makes.
    pub launches: Vec<HostLaunch>,
}

/// The text of a part.
pub(super) struct Unit {
    /// What it is made of.
    pub runs: Vec<Run>,
    /// Whether it is taken as it stands, though more may be compiled.
    pub is_loose: bool,
    /// Options with which it is compiled and that are not known.
    pub open_options: Option<OpenOptions>,
}

/// The texts of the parts of a module, and its launches.
pub(super) fn texts(text: &str) -> Texts {
    let module = python::read(text);
    let reader = Reader {
        text,
        module: &module,
        steps: Cell::new(MOST_STEPS),
        members: OnceCell::new(),
    };
    let mut found: Vec<Unit> = Vec::new();
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let mut add = |unit: Unit, found: &mut Vec<Unit>| {
        // Where the words stand, not where their runs begin: a string that is filled is cut at its fields.
        let words = |run: &Run| -> Vec<usize> {
            let found = run.text.match_indices("__global__");
            let place = |(at, word): (usize, &str)| cut(run, at..at + word.len()).range.start;
            found.map(place).collect()
        };
        let kernels: Vec<usize> = unit.runs.iter().flat_map(words).collect();
        let is_new = kernels.iter().any(|at| !used.contains(at));
        if let Some(known) = found.iter_mut().find(|other| other.runs == unit.runs) {
            known.open_options = known.open_options.take().or(unit.open_options);
            return;
        }
        if kernels.is_empty() || (unit.is_loose && !is_new) {
            return;
        }
        used.extend(kernels);
        found.push(unit);
    };
    for (scope, root) in &module.roots {
        reader.compiled(root, *scope, &mut |unit| add(unit, &mut found));
    }
    let mut loose: Vec<Loose> = Vec::new();
    for (number, scope) in module.scopes.iter().enumerate() {
        for binding in scope.bindings.iter().filter(|binding| binding.adds) {
            let name = Expr::Name(binding.name.clone(), binding.end..binding.end);
            loose.extend(reader.kernel_text(&name, number));
        }
    }
    for (scope, root) in &module.roots {
        reader.loose(root, *scope, &mut loose);
    }
    // The longest first: what is a part of another is not one for itself, and a template none that is filled in this file.
    loose.sort_by_key(|loose| (loose.is_template, std::cmp::Reverse(loose.runs.len())));
    for Loose { runs, .. } in loose {
        let unit = Unit {
            runs,
            is_loose: true,
            open_options: None,
        };
        add(unit, &mut found);
    }
    let start = |unit: &Unit| unit.runs.iter().map(|run| run.range.start).min();
    found.sort_by_key(start);
    let mut all = Vec::new();
    for (scope, root) in &module.roots {
        launches::collect(&reader, root, (*scope, false), &mut all);
    }
    launches::handed_on(&reader, &mut all);
    Texts {
        texts: found,
        launches: all,
    }
}

/// A text with a kernel that reaches no call which compiles it.
struct Loose {
    runs: Vec<Run>,
    /// Whether its fields are not filled in this file.
    is_template: bool,
}

/// What an expression gives.
#[derive(Clone, Debug)]
enum Value {
    Text(Vec<Run>),
    Template(Vec<Run>),
    Integer(i128),
    List(Vec<Value>),
    Dictionary(Vec<(String, Value)>),
    Unknown,
}

struct Reader<'m> {
    text: &'m str,
    module: &'m Module,
    steps: Cell<usize>,
    /// Members that kernels are bound to, by their names, with scope and value.
    members: OnceCell<BTreeMap<String, Vec<(usize, Expr)>>>,
}

impl Reader<'_> {
    /// Tells of the text of each call that compiles one.
    fn compiled(&self, expr: &Expr, scope: usize, add: &mut dyn FnMut(Unit)) {
        if let Expr::Call {
            name, arguments, ..
        } = expr
            && COMPILERS.contains(&name.as_str())
        {
            add(self.unit(name, arguments, scope));
        }
        for child in expr.children() {
            self.compiled(child, scope, add);
        }
    }

    /// The text that a call compiles.
    fn unit(&self, name: &str, arguments: &[(Option<String>, Expr)], scope: usize) -> Unit {
        let mut texts: [Vec<Vec<Run>>; 3] = Default::default();
        let mut is_loose = false;
        let options = options::of_call(self, name, arguments, scope);
        texts[0].extend(options.directives);
        for (position, (keyword, argument)) in arguments.iter().enumerate() {
            if options::are_in(name, keyword.as_deref(), position) {
                continue;
            }
            let value = self.evaluate(argument, scope, 0);
            let keyword = keyword.as_deref().unwrap_or_default();
            let mut all = Vec::new();
            let is_known = flatten(value, &mut all);
            let is_inline = name == "load_inline";
            let is_of_inline = matches!(keyword, "cuda_sources" | "cpp_sources")
                || (keyword.is_empty() && matches!(position, 1 | 2));
            is_loose |= is_inline && is_of_inline && !is_known;
            if keyword == "header_code" {
                // It stands before the text.
                is_loose |= !is_known;
                texts[0].extend(all);
            } else if HOST_TEXTS.contains(&keyword)
                || (is_inline && keyword.is_empty() && position == 1)
            {
                texts[2].extend(all);
            } else if is_inline
                && (keyword == "cuda_sources" || (keyword.is_empty() && position == 2))
            {
                texts[1].extend(all);
            } else {
                let is_source =
                    |runs: &Vec<Run>| runs.iter().any(|run| run.text.contains("__global__"));
                texts[1].extend(all.into_iter().filter(is_source));
            }
        }
        let mut unit = Vec::new();
        for runs in texts.into_iter().flatten() {
            let end = runs.last().map_or(0, |run| run.range.end);
            unit.extend(runs);
            unit.push(Run::of("\n", end..end));
        }
        Unit {
            runs: unit,
            is_loose,
            open_options: options.open,
        }
    }

    /// Collects the largest texts with kernels in an expression.
    fn loose(&self, expr: &Expr, scope: usize, found: &mut Vec<Loose>) {
        if let Some(loose) = self.kernel_text(expr, scope) {
            found.push(loose);
            return;
        }
        for child in expr.children() {
            self.loose(child, scope, found);
        }
    }

    /// The text that an expression gives, if it has a kernel and is no mere name.
    fn kernel_text(&self, expr: &Expr, scope: usize) -> Option<Loose> {
        if matches!(expr, Expr::Name(_, range) if !range.is_empty()) {
            return None;
        }
        let (runs, is_template) = match self.evaluate(expr, scope, 0) {
            Value::Text(runs) => (runs, false),
            // Another module fills its fields.
            Value::Template(runs) => {
                let given = Given::none(expr.range());
                (fill(&runs, Style::Dollar, &given), true)
            }
            _ => return None,
        };
        let text: String = runs.iter().map(|run| run.text.as_str()).collect();
        names_kernel(&text).then_some(Loose { runs, is_template })
    }

    fn evaluate(&self, expr: &Expr, scope: usize, depth: usize) -> Value {
        let Some(left) = self.steps.get().checked_sub(1) else {
            return Value::Unknown;
        };
        self.steps.set(left);
        if depth > MOST_DEPTH {
            return Value::Unknown;
        }
        match expr {
            Expr::Text(parts, _) => self.literal(parts, scope, depth),
            Expr::Integer(value, _) => Value::Integer(*value),
            Expr::Name(name, range) => self.name(name, scope, range.start, depth),
            Expr::Sum(terms, _) => self.sum(terms, scope, depth),
            Expr::Binary(operator, both, range) => {
                let [left, right] = &**both;
                let left = self.evaluate(left, scope, depth + 1);
                match left {
                    Value::Text(runs) if operator == "%" => {
                        let given = Given::of_percent(self, right, scope, depth, range);
                        Value::Text(fill(&runs, Style::Percent, &given))
                    }
                    Value::Integer(left) => match self.evaluate(right, scope, depth + 1) {
                        Value::Integer(right) => {
                            compute(operator, left, right).map_or(Value::Unknown, Value::Integer)
                        }
                        _ => Value::Unknown,
                    },
                    _ => Value::Unknown,
                }
            }
            Expr::Call { .. } => self.call(expr, scope, depth),
            Expr::List(all, _) => {
                let mut values = Vec::new();
                for one in all {
                    match (self.spread(one), self.evaluate(one, scope, depth + 1)) {
                        (Some(inner), _) => match self.evaluate(inner, scope, depth + 1) {
                            Value::List(inner) => values.extend(inner),
                            _ => values.push(Value::Unknown),
                        },
                        (None, value) => values.push(value),
                    }
                }
                Value::List(values)
            }
            Expr::Dictionary(entries, _) => {
                let value = |(key, value): &(String, Expr)| {
                    (key.clone(), self.evaluate(value, scope, depth + 1))
                };
                Value::Dictionary(entries.iter().map(value).collect())
            }
            Expr::Inner(..) | Expr::Other(..) => Value::Unknown,
        }
    }

    /// What is spread in an element or an argument, `*a` or `**a`.
    fn spread<'e>(&self, expr: &'e Expr) -> Option<&'e Expr> {
        match expr {
            Expr::Other(inner, range) => match inner.as_slice() {
                [inner] if self.text.get(range.clone())?.starts_with('*') => Some(inner),
                _ => None,
            },
            _ => None,
        }
    }

    fn literal(&self, parts: &[python::Part], scope: usize, depth: usize) -> Value {
        let mut runs = Vec::new();
        for part in parts {
            match part {
                python::Part::Text(text, range) => runs.push(Run::of(text, range.clone())),
                python::Part::Hole(expr, format, range) => {
                    let plain = matches!(format.as_str(), "" | "d");
                    let value = match plain {
                        true => self.evaluate(expr, scope, depth + 1),
                        false => Value::Unknown,
                    };
                    runs.extend(self.shown(value, expr, range));
                }
            }
        }
        Value::Text(runs)
    }

    /// A value as it is put into a text, in place of the bytes given.
    fn shown(&self, value: Value, expr: &Expr, range: &Range<usize>) -> Vec<Run> {
        match value {
            Value::Text(runs) => runs,
            Value::Integer(number) => vec![Run::of(number.to_string(), range.clone())],
            _ => vec![self.hole(expr, range)],
        }
    }

    fn hole(&self, expr: &Expr, range: &Range<usize>) -> Run {
        let written = self.text.get(expr.range().clone()).unwrap_or_default();
        // What a call gives, it need not give a second time.
        let identity = match expr {
            Expr::Name(..) => 0,
            _ => range.start.max(1),
        };
        Run {
            text: String::new(),
            range: range.clone(),
            hole: Some((written.to_owned(), identity)),
        }
    }

    fn sum(&self, terms: &[Expr], scope: usize, depth: usize) -> Value {
        let values: Vec<Value> = terms
            .iter()
            .map(|term| self.evaluate(term, scope, depth + 1))
            .collect();
        if values
            .iter()
            .all(|value| matches!(value, Value::Integer(_)))
        {
            let mut numbers = values.iter().map(|value| match value {
                Value::Integer(number) => *number,
                _ => 0,
            });
            let total = numbers.try_fold(0i128, |sum: i128, number| sum.checked_add(number));
            return total.map_or(Value::Unknown, Value::Integer);
        }
        if values.iter().any(|value| matches!(value, Value::List(_))) {
            let mut all = Vec::new();
            for value in values {
                match value {
                    Value::List(values) => all.extend(values),
                    _ => all.push(Value::Unknown),
                }
            }
            return Value::List(all);
        }
        if !values.iter().any(|value| matches!(value, Value::Text(_))) {
            return Value::Unknown;
        }
        let mut runs = Vec::new();
        for (value, term) in values.into_iter().zip(terms) {
            runs.extend(self.shown(value, term, term.range()));
        }
        self.bounded(runs)
    }

    fn name(&self, name: &str, scope: usize, at: usize, depth: usize) -> Value {
        match self.bindings(name, scope) {
            Some((number, own)) => {
                let value = self.bound(&own, number, (number == scope).then_some(at), depth);
                match value {
                    // Whoever has the object can give a member another number.
                    Value::Integer(_) if name.contains('.') => Value::Unknown,
                    value => value,
                }
            }
            None => Value::Unknown,
        }
    }

    /// The bindings of a name that is used in a scope, and the scope that has them.
    fn bindings(&self, name: &str, scope: usize) -> Option<(usize, Vec<&Binding>)> {
        let mut current = Some(scope);
        while let Some(number) = current {
            let here = &self.module.scopes[number];
            let visible = number == scope || !here.is_class || name.contains('.');
            let own: Vec<&Binding> = here
                .bindings
                .iter()
                .filter(|binding| visible && binding.name == name)
                .collect();
            if !own.is_empty() {
                // Names of the module that may be set by their text have no known value.
                let is_known = number != 0 || !self.module.names_by_text;
                return is_known.then_some((number, own));
            }
            current = here.parent;
        }
        None
    }

    /// The value of a name with these bindings; `before` is where it is used, if that is in the same scope.
    fn bound(
        &self,
        bindings: &[&Binding],
        scope: usize,
        before: Option<usize>,
        depth: usize,
    ) -> Value {
        if let [only] = bindings
            && !only.adds
        {
            return match &only.value {
                Some(value) => self.evaluate(value, scope, depth + 1),
                None => Value::Unknown,
            };
        }
        let is_plain = |binding: &&&Binding| !binding.conditional && binding.value.is_some();
        if bindings.iter().filter(is_plain).count() != bindings.len() {
            return Value::Unknown;
        }
        // Elsewhere it is not known which of several assignments came last; what is only added to is used when all of it is there.
        let replaced = bindings.iter().filter(|binding| !binding.adds).count();
        let behind = match before {
            Some(at) => at,
            None if replaced <= 1 => usize::MAX,
            None => return Value::Unknown,
        };
        let mut value = Value::Unknown;
        for binding in bindings.iter().filter(|binding| binding.end <= behind) {
            let Some(expr) = &binding.value else {
                return Value::Unknown;
            };
            let new = self.evaluate(expr, scope, depth + 1);
            value = match (binding.adds, value) {
                (false, _) => new,
                (true, Value::Text(mut runs)) => {
                    runs.extend(self.shown(new, expr, expr.range()));
                    self.bounded(runs)
                }
                (true, Value::Integer(old)) => match new {
                    Value::Integer(new) => {
                        old.checked_add(new).map_or(Value::Unknown, Value::Integer)
                    }
                    _ => Value::Unknown,
                },
                (true, Value::List(mut all)) => match new {
                    Value::List(new) => {
                        all.extend(new);
                        Value::List(all)
                    }
                    _ => Value::Unknown,
                },
                (true, _) => Value::Unknown,
            };
        }
        value
    }

    fn call(&self, expr: &Expr, scope: usize, depth: usize) -> Value {
        let Expr::Call {
            name,
            of,
            arguments,
            range,
        } = expr
        else {
            return Value::Unknown;
        };
        let first = || match arguments.first() {
            Some((None, argument)) => self.evaluate(argument, scope, depth + 1),
            _ => Value::Unknown,
        };
        let given = || Given::of_call(self, arguments, scope, depth, range);
        match name.as_str() {
            "dedent" | "cleandoc" => return first(),
            // `bytes(text, "ascii")`, `list(values)`.
            "bytes" if of.is_none() => {
                return match first() {
                    value @ Value::Text(_) => value,
                    _ => Value::Unknown,
                };
            }
            "list" | "tuple" if of.is_none() => {
                return match first() {
                    value @ Value::List(_) => value,
                    _ => Value::Unknown,
                };
            }
            "Template" => {
                return match first() {
                    Value::Text(runs) => Value::Template(runs),
                    _ => Value::Unknown,
                };
            }
            "str" | "int" => match first() {
                Value::Integer(number) if name == "str" => {
                    return Value::Text(vec![Run::of(number.to_string(), range.clone())]);
                }
                value @ (Value::Integer(_) | Value::Text(_)) => return value,
                _ => return Value::Unknown,
            },
            _ => {}
        }
        let Some(of) = of else {
            return Value::Unknown;
        };
        match (name.as_str(), self.evaluate(of, scope, depth + 1)) {
            ("format", Value::Text(runs)) => Value::Text(fill(&runs, Style::Braces, &given())),
            ("substitute" | "safe_substitute", Value::Template(runs)) => {
                Value::Text(fill(&runs, Style::Dollar, &given()))
            }
            ("strip" | "lstrip" | "rstrip", Value::Text(runs)) if arguments.is_empty() => {
                Value::Text(runs)
            }
            ("encode" | "decode" | "expandtabs", Value::Text(runs)) => Value::Text(runs),
            ("copy", value @ Value::List(_)) if arguments.is_empty() => value,
            ("split", Value::Text(runs)) if arguments.is_empty() => match runs.as_slice() {
                [run] if run.hole.is_none() => {
                    let start = run.text.as_ptr() as usize;
                    let word = |word: &str| {
                        let at = word.as_ptr() as usize - start;
                        Value::Text(vec![cut(run, at..at + word.len())])
                    };
                    Value::List(run.text.split_whitespace().map(word).collect())
                }
                _ => Value::Unknown,
            },
            ("replace", Value::Text(runs)) => self.replaced(runs, arguments, scope, depth),
            ("join", Value::Text(separator)) => match first() {
                Value::List(values) => {
                    let mut runs = Vec::new();
                    for (position, value) in values.into_iter().enumerate() {
                        if position > 0 {
                            runs.extend(separator.iter().cloned());
                        }
                        match value {
                            Value::Text(own) => runs.extend(own),
                            _ => runs.push(self.hole(expr, range)),
                        }
                    }
                    self.bounded(runs)
                }
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    /// A text, if it is not too long. Long ones count as many steps.
    fn bounded(&self, runs: Vec<Run>) -> Value {
        let length: usize = runs.iter().map(|run| run.text.len() + 1).sum();
        let left = self.steps.get().saturating_sub(length / 64);
        self.steps.set(left);
        match length <= LONGEST && left > 0 {
            true => Value::Text(runs),
            false => Value::Unknown,
        }
    }

    /// `text.replace(old, new)`.
    fn replaced(
        &self,
        runs: Vec<Run>,
        arguments: &[(Option<String>, Expr)],
        scope: usize,
        depth: usize,
    ) -> Value {
        let [(None, old), (None, new)] = arguments else {
            return Value::Unknown;
        };
        let Value::Text(old) = self.evaluate(old, scope, depth + 1) else {
            return Value::Unknown;
        };
        if old.iter().any(|run| run.hole.is_some()) {
            return Value::Unknown;
        }
        let old: String = old.into_iter().map(|run| run.text).collect();
        let whole: String = runs.iter().map(|run| run.text.as_str()).collect();
        let within: usize = runs.iter().map(|run| run.text.matches(&*old).count()).sum();
        // One that is spread over several runs, or over a hole, is none that is followed.
        if old.is_empty() || within != whole.matches(&*old).count() {
            return Value::Unknown;
        }
        let value = self.evaluate(new, scope, depth + 1);
        let mut found = Vec::new();
        for run in runs {
            if run.hole.is_some() {
                found.push(run);
                continue;
            }
            let mut at = 0;
            for (start, matched) in run.text.match_indices(&*old) {
                found.push(cut(&run, at..start));
                at = start + matched.len();
                let place = cut(&run, start..at).range;
                found.extend(match value.clone() {
                    Value::Text(own) => own
                        .into_iter()
                        .map(|own| Run {
                            range: place.clone(),
                            ..own
                        })
                        .collect(),
                    other => self.shown(other, new, &place),
                });
            }
            found.push(cut(&run, at..run.text.len()));
        }
        found.retain(|run| run.hole.is_some() || !run.text.is_empty());
        self.bounded(found)
    }
}

/// Adds the texts in a value; whether it has no other.
fn flatten(value: Value, into: &mut Vec<Vec<Run>>) -> bool {
    match value {
        Value::Text(runs) => into.push(runs),
        Value::List(values) => {
            let mut is_known = true;
            for value in values {
                is_known &= flatten(value, into);
            }
            return is_known;
        }
        _ => return false,
    }
    true
}

/// Some bytes of a run.
fn cut(run: &Run, range: Range<usize>) -> Run {
    let place = match run.text.len() == run.range.len() {
        true => run.range.start + range.start..run.range.start + range.end,
        false => run.range.clone(),
    };
    Run::of(run.text.get(range).unwrap_or_default(), place)
}

fn compute(operator: &str, left: i128, right: i128) -> Option<i128> {
    match operator {
        "-" => left.checked_sub(right),
        "*" => left.checked_mul(right),
        "//" if right != 0 => {
            let quotient = left.checked_div(right)?;
            let rounds_up = left % right != 0 && (left < 0) != (right < 0);
            Some(quotient - i128::from(rounds_up))
        }
        "%" if right > 0 => Some(left.rem_euclid(right)),
        "<<" => left.checked_mul(1i128.checked_shl(u32::try_from(right).ok()?)?),
        ">>" => left.checked_shr(u32::try_from(right).ok()?),
        "**" => left.checked_pow(u32::try_from(right).ok()?),
        "&" => Some(left & right),
        "|" => Some(left | right),
        _ => None,
    }
}

/// How fields are written in a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// `{name}`, `{0}`, `{}`.
    Braces,
    /// `%(name)d`, `%d`.
    Percent,
    /// `$name`, `${name}`.
    Dollar,
}

/// What fields are filled with.
struct Given {
    positions: Vec<Filling>,
    names: Vec<(String, Filling)>,
    /// What tells this filling from others.
    identity: usize,
}

/// A value in a field: its text; none where it is not known.
type Filling = Option<Vec<Run>>;

impl Given {
    fn of_call(
        reader: &Reader<'_>,
        arguments: &[(Option<String>, Expr)],
        scope: usize,
        depth: usize,
        range: &Range<usize>,
    ) -> Given {
        let mut given = Given::none(range);
        for (keyword, argument) in arguments {
            match (keyword, reader.evaluate(argument, scope, depth + 1)) {
                (Some(name), value) => given.names.push((name.clone(), filling(value, argument))),
                (None, Value::Dictionary(entries)) => {
                    for (name, value) in entries {
                        given.names.push((name, filling(value, argument)));
                    }
                }
                (None, value) => given.positions.push(filling(value, argument)),
            }
        }
        given
    }

    fn of_percent(
        reader: &Reader<'_>,
        right: &Expr,
        scope: usize,
        depth: usize,
        range: &Range<usize>,
    ) -> Given {
        let mut given = Given::none(range);
        match reader.evaluate(right, scope, depth + 1) {
            Value::List(values) => {
                let values = values.into_iter().map(|value| filling(value, right));
                given.positions = values.collect();
            }
            Value::Dictionary(entries) => {
                for (name, value) in entries {
                    given.names.push((name, filling(value, right)));
                }
            }
            value => given.positions.push(filling(value, right)),
        }
        given
    }

    fn none(range: &Range<usize>) -> Given {
        Given {
            positions: Vec::new(),
            names: Vec::new(),
            identity: range.start.max(1),
        }
    }

    /// The text of a field.
    fn of_field(&self, field: &str, next: &mut usize, place: Range<usize>) -> Vec<Run> {
        let position = match field {
            "" => {
                *next += 1;
                Some(*next - 1)
            }
            digits => digits.parse().ok(),
        };
        let found = match position {
            Some(position) => self.positions.get(position),
            None => {
                let mut names = self.names.iter();
                names
                    .find(|(name, _)| name == field)
                    .map(|(_, value)| value)
            }
        };
        match found {
            Some(Some(runs)) => {
                let moved = |run: &Run| Run {
                    range: place.clone(),
                    ..run.clone()
                };
                runs.iter().map(moved).collect()
            }
            _ => {
                let name = match position {
                    Some(position) => format!("{{{position}}}"),
                    None => field.to_owned(),
                };
                vec![Run {
                    text: String::new(),
                    range: place,
                    hole: Some((name, self.identity)),
                }]
            }
        }
    }
}

fn filling(value: Value, expr: &Expr) -> Filling {
    match value {
        Value::Text(runs) => Some(runs),
        Value::Integer(number) => Some(vec![Run::of(number.to_string(), expr.range().clone())]),
        _ => None,
    }
}

/// A text with its fields filled.
fn fill(runs: &[Run], style: Style, given: &Given) -> Vec<Run> {
    let mut found = Vec::new();
    let mut next = 0;
    for run in runs {
        if run.hole.is_some() {
            found.push(run.clone());
            continue;
        }
        let (mut at, mut plain) = (0, 0);
        while at < run.text.len() {
            let rest = run.text.get(at..).unwrap_or_default();
            let Some((length, field)) = field(rest, style) else {
                at += rest.chars().next().map_or(1, char::len_utf8);
                continue;
            };
            found.push(cut(run, plain..at));
            let place = cut(run, at..at + length).range;
            match field {
                Field::Literal(text) => found.push(Run::of(text, place)),
                Field::Named(name) => found.extend(given.of_field(&name, &mut next, place)),
                // What is asked of the value is not known to be its plain text.
                Field::Formatted(name) => found.push(Run {
                    text: String::new(),
                    range: place.clone(),
                    hole: Some((name, place.start.max(1))),
                }),
            }
            at += length;
            plain = at;
        }
        found.push(cut(run, plain..run.text.len()));
    }
    found.retain(|run| run.hole.is_some() || !run.text.is_empty());
    found
}

/// What stands at a mark of a format.
enum Field {
    /// The mark itself, written twice.
    Literal(&'static str),
    /// A value, by its name or position.
    Named(String),
    /// A value in a form of its own.
    Formatted(String),
}

/// The field that a text begins with, and its length.
fn field(text: &str, style: Style) -> Option<(usize, Field)> {
    match style {
        Style::Braces => {
            if text.starts_with("{{") {
                return Some((2, Field::Literal("{")));
            }
            if text.starts_with("}}") {
                return Some((2, Field::Literal("}")));
            }
            let inner = text.strip_prefix('{')?;
            let end = inner.find('}')?;
            let name = &inner[..end];
            let length = end + 2;
            let plain = name.strip_suffix(":d").unwrap_or(name);
            match plain.chars().all(is_word) {
                true => Some((length, Field::Named(plain.to_owned()))),
                false => Some((length, Field::Formatted(name.to_owned()))),
            }
        }
        Style::Percent => {
            let inner = text.strip_prefix('%')?;
            if inner.starts_with('%') {
                return Some((2, Field::Literal("%")));
            }
            let (name, rest, before) = match inner.strip_prefix('(') {
                Some(named) => {
                    let end = named.find(')')?;
                    (named[..end].to_owned(), &named[end + 1..], end + 3)
                }
                None => (String::new(), inner, 1),
            };
            match rest.chars().next()? {
                'd' | 's' | 'i' => Some((before + 1, Field::Named(name))),
                letter if letter.is_ascii_alphabetic() => {
                    Some((before + 1, Field::Formatted(text[..=before].to_owned())))
                }
                _ => None,
            }
        }
        Style::Dollar => {
            let inner = text.strip_prefix('$')?;
            if inner.starts_with('$') {
                return Some((2, Field::Literal("$")));
            }
            if let Some(braced) = inner.strip_prefix('{') {
                let end = braced.find('}')?;
                return Some((end + 3, Field::Named(braced[..end].to_owned())));
            }
            let length = inner.find(|c: char| !is_word(c)).unwrap_or(inner.len());
            (length > 0).then(|| (length + 1, Field::Named(inner[..length].to_owned())))
        }
    }
}
