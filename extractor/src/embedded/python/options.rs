//! Options of the compiler that a call is given: what they define, and whether all of them are known.
//!
//! `-D`, `-U` and their long names become directives in front of the text. Options that name no macro change no verdict. What is not
//! followed may define any name of the text: values that are not known, headers that are read before the text, files of options, what
//! is passed on to another compiler.
//!
//! **Accuracy.** Followed are values as everywhere in a module, and lists under names. A list can be changed by whoever has it: one whose name stands in any other place
//! than where options are read, added to or printed is not known, and neither is a member of an object.

use std::collections::BTreeSet;

use super::super::OpenOptions;
use super::{MOST_DEPTH, Reader, Run, Value};
use crate::syntax::python::{Expr, SPREAD_DICTIONARY, SPREAD_LIST};

/// Arguments that hold options, by name.
const NAMES: &[&str] = &[
    "options",
    "extra_cuda_cflags",
    "compile_options",
    "nvcc_options",
];

/// Options that make directives elsewhere than in the text, or read more options.
const ELSEWHERE: &[&str] = &[
    "-include",
    "--include",
    "--pre-include",
    "-imacros",
    "-optf",
    "--options-file",
    "@",
];

/// Options whose value is for another compiler.
const PASSED_ON: &[&str] = &[
    "-Xcompiler",
    "--compiler-options",
    "-Xcudafe",
    "-Xnvcc",
    "-Wp,",
    "-Xpreprocessor",
];

/// Functions that may have a list without changing it.
const READING: &[&str] = &[
    "debug", "extend", "format", "info", "join", "len", "list", "print", "repr", "set", "sorted",
    "str", "tuple", "warning",
];

/// Methods of a list that leave it as it is; those that change it are statements, which bind its name anew.
const OF_LISTS: &[&str] = &["copy", "count", "index"];

/// What a call of a class of options says of macros.
const MACROS: &[&str] = &["define_macro", "pre_include", "undefine_macro"];

/// The options of a call.
#[derive(Default)]
pub(super) struct Options {
    /// What they define, as lines of the text.
    pub directives: Vec<Vec<Run>>,
    /// The first of them that is not known.
    pub open: Option<OpenOptions>,
}

/// Whether an argument of a function that compiles holds options.
pub(super) fn are_in(function: &str, keyword: Option<&str>, position: usize) -> bool {
    if let Some(keyword) = keyword {
        return NAMES.contains(&keyword);
    }
    match function {
        "load_inline" => matches!(position, 5 | 6),
        "RawKernel"
        | "RawModule"
        | "SourceModule"
        | "DynamicSourceModule"
        | "compile"
        | "Program"
        | "nvrtcCompileProgram" => position == 2,
        "compile_with_cache" | "compile_using_nvrtc" => position == 1,
        _ => false,
    }
}

/// The options of a call of a function that compiles.
pub(super) fn of_call(
    reader: &Reader<'_>,
    function: &str,
    arguments: &[(Option<String>, Expr)],
    scope: usize,
) -> Options {
    let mut collector = Collector {
        reader,
        function,
        found: Options::default(),
    };
    collector.arguments(arguments, scope);
    // The program is an object here, and is compiled by another call.
    let later = match function {
        "nvrtcCreateProgram" => Some("nvrtcCompileProgram"),
        "Program" => Some("compile"),
        _ => None,
    };
    if let Some(later) = later {
        collector.later(later, arguments);
    }
    collector.found
}

/// The arguments of a call, and its scope.
type Given<'e> = (&'e [(Option<String>, Expr)], usize);

struct Collector<'r, 'm> {
    reader: &'r Reader<'m>,
    function: &'r str,
    found: Options,
}

impl Collector<'_, '_> {
    fn arguments(&mut self, arguments: &[(Option<String>, Expr)], scope: usize) {
        for (position, (keyword, argument)) in arguments.iter().enumerate() {
            match keyword.as_deref() {
                Some(SPREAD_DICTIONARY | SPREAD_LIST) => self.unknown(argument),
                keyword if are_in(self.function, keyword, position) => {
                    self.options(argument, scope);
                }
                _ => {}
            }
        }
    }

    /// Options that calls of another function give, which must be equal if there are several.
    fn later(&mut self, function: &str, arguments: &[(Option<String>, Expr)]) {
        let mut calls = Vec::new();
        for (scope, root) in &self.reader.module.roots {
            self.calls_of(function, root, *scope, &mut calls);
        }
        let mut all: Vec<Options> = Vec::new();
        for (given, scope) in &calls {
            let mut collector = Collector {
                reader: self.reader,
                function,
                found: Options::default(),
            };
            match (function, *given) {
                ("compile", [(None, options), ..]) => collector.options(options, *scope),
                _ => collector.arguments(given, *scope),
            }
            all.push(collector.found);
        }
        let texts = |options: &Options| -> Vec<String> {
            let line = |runs: &Vec<Run>| runs.iter().map(|run| run.text.as_str()).collect();
            options.directives.iter().map(line).collect()
        };
        let agree = all
            .windows(2)
            .all(|pair| texts(&pair[0]) == texts(&pair[1]));
        // Where there is no such call, options are none of this file's.
        let is_missing = all.is_empty() && function == "nvrtcCompileProgram";
        if (!agree || is_missing)
            && let Some((_, source)) = arguments.first()
        {
            self.unknown(source);
        }
        for one in all {
            self.found.open = self.found.open.take().or(one.open);
            if self.found.directives.is_empty() {
                self.found.directives = one.directives;
            }
        }
    }

    /// The calls of a function in an expression: their arguments and scopes. A method is one of a program that was made from a text.
    fn calls_of<'e>(
        &self,
        function: &str,
        expr: &'e Expr,
        scope: usize,
        found: &mut Vec<Given<'e>>,
    ) {
        let is_program = |of: &Expr| match of {
            Expr::Name(name, _) => {
                let bindings = self.reader.bindings(name, scope);
                let mut bindings = bindings.into_iter().flat_map(|(_, bindings)| bindings);
                bindings.any(|one| {
                    one.value
                        .as_ref()
                        .is_some_and(|value| is_call(value, "Program"))
                })
            }
            other => is_call(other, "Program"),
        };
        if let Expr::Call {
            name,
            of,
            arguments,
            ..
        } = expr
            && name == function
            && (function != "compile" || of.as_deref().is_some_and(is_program))
        {
            found.push((arguments, scope));
        }
        for child in expr.children() {
            self.calls_of(function, child, scope, found);
        }
    }

    /// What an object of options says, if it is made where it is given or under a name that is bound once.
    fn object<'e>(&self, expr: &'e Expr, scope: usize) -> Option<&'e [(Option<String>, Expr)]>
    where
        Self: 'e,
    {
        let made = match expr {
            Expr::Name(name, _) => {
                let scopes = self.reader.module.scopes.iter();
                let member = format!("{name}.");
                let mut bindings = scopes.flat_map(|scope| &scope.bindings);
                if bindings.any(|one| one.name.starts_with(&member)) {
                    return None;
                }
                match self.reader.bindings(name, scope)?.1.as_slice() {
                    [only] => only.value.as_ref()?,
                    _ => return None,
                }
            }
            made => made,
        };
        match made {
            Expr::Call { arguments, .. } if is_call(made, "ProgramOptions") => Some(arguments),
            _ => None,
        }
    }

    /// Notes that what an expression gives is not known.
    fn unknown(&mut self, expr: &Expr) {
        let range = expr.range();
        let written = self.reader.text.get(range.clone()).unwrap_or_default();
        self.found.open.get_or_insert_with(|| OpenOptions {
            written: written.split_whitespace().collect::<Vec<_>>().join(" "),
            start: range.start,
        });
    }

    fn options(&mut self, expr: &Expr, scope: usize) {
        let written = self.reader.text.get(expr.range().clone());
        if written == Some("None") {
            return;
        }
        if let Some(arguments) = self.object(expr, scope) {
            let speaks = |(keyword, _): &(Option<String>, Expr)| match keyword.as_deref() {
                None | Some(SPREAD_LIST | SPREAD_DICTIONARY) => true,
                Some(keyword) => MACROS.contains(&keyword),
            };
            if arguments.iter().any(speaks) {
                self.unknown(expr);
            }
            return;
        }
        let value = self.reader.evaluate(expr, scope, 0);
        let mut texts = Vec::new();
        if !flatten(value, &mut texts) || self.may_change(expr, scope) {
            self.unknown(expr);
        }
        if !self.directives(&texts) {
            self.unknown(expr);
        }
    }

    /// Whether somebody else may change what an expression gives: a list under a name that is not only read.
    fn may_change(&self, expr: &Expr, scope: usize) -> bool {
        let mut names = BTreeSet::new();
        if !self.mentioned(expr, scope, &mut names, 0) {
            return true;
        }
        let lists: Vec<&String> = names
            .iter()
            .filter(|(_, is_list)| *is_list)
            .map(|(name, _)| name)
            .collect();
        let module = self.reader.module;
        let is_shared = |name: &String| {
            let bindings = module.scopes.iter().flat_map(|scope| &scope.bindings);
            let own = bindings.filter(|one| one.name == *name && one.adds);
            let uses = Uses {
                text: self.reader.text,
                name,
                changes: own.map(|one| one.end).collect(),
            };
            let mut roots = module.roots.iter();
            name.contains('.') || roots.any(|(_, root)| uses.hand_on(root, true))
        };
        lists.into_iter().any(is_shared)
    }

    /// The names that an expression takes values from, and whether each is of a list; false if there is no end of it.
    fn mentioned(
        &self,
        expr: &Expr,
        scope: usize,
        names: &mut BTreeSet<(String, bool)>,
        depth: usize,
    ) -> bool {
        if depth > MOST_DEPTH {
            return false;
        }
        if let Expr::Name(name, _) = expr {
            let is_list = matches!(self.reader.evaluate(expr, scope, 0), Value::List(_));
            if names.insert((name.clone(), is_list))
                && let Some((number, bindings)) = self.reader.bindings(name, scope)
            {
                let values = bindings.iter().filter_map(|one| one.value.as_ref());
                for value in values {
                    if !self.mentioned(value, number, names, depth + 1) {
                        return false;
                    }
                }
            }
        }
        expr.children()
            .into_iter()
            .all(|child| self.mentioned(child, scope, names, depth + 1))
    }

    /// Makes directives of options; false if one of them is not understood.
    fn directives(&mut self, options: &[Vec<Run>]) -> bool {
        let mut words: Vec<Option<Vec<Run>>> = Vec::new();
        for runs in options {
            match self.function {
                // Its options are words of a command in a shell.
                "load_inline" => words.extend(shell_words(runs)),
                _ => words.push(Some(runs.clone())),
            }
        }
        let mut is_known = true;
        let mut before: Option<&str> = None;
        for word in words {
            let Some(runs) = word else {
                is_known = false;
                continue;
            };
            let (head, rest) = split(&runs);
            if let Some(option) = before.take() {
                match directive(option, &head, rest, &runs) {
                    Some(made) => self.found.directives.push(made),
                    None => is_known = false,
                }
                continue;
            }
            match of_word(&head, rest) {
                Word::Plain => {}
                Word::Before(option) => before = Some(option),
                Word::Macro(option, from) => match directive(option, &head[from..], rest, &runs) {
                    Some(made) => self.found.directives.push(made),
                    None => is_known = false,
                },
                Word::Unknown => is_known = false,
            }
        }
        is_known && before.is_none()
    }
}

/// What an option is.
enum Word {
    /// One that defines nothing.
    Plain,
    /// One whose value is the next word.
    Before(&'static str),
    /// One that defines, or takes back, what stands in it from a byte on.
    Macro(&'static str, usize),
    Unknown,
}

fn of_word(head: &str, rest: &[Run]) -> Word {
    let is_quoted = head.contains(['"', '\'']);
    if is_quoted && ["-D", "-U", "include"].iter().any(|one| head.contains(one)) {
        return Word::Unknown;
    }
    let begins = |names: &[&str]| names.iter().any(|name| head.starts_with(name));
    if head.is_empty() {
        // An empty word, or one that begins with what nobody knows.
        return match rest.is_empty() {
            true => Word::Plain,
            false => Word::Unknown,
        };
    }
    if begins(ELSEWHERE) {
        return Word::Unknown;
    }
    if begins(PASSED_ON) {
        // What is said of macros in the same word; a value that stands for itself is looked at as an option of its own.
        let speaks = ["-D", "-U", "-include", "-imacros", "\"", "'"];
        let is_known = rest.is_empty() && !speaks.iter().any(|one| head.contains(one));
        return match is_known {
            true => Word::Plain,
            false => Word::Unknown,
        };
    }
    for (name, option) in [
        ("--define-macro", "-D"),
        ("--undefine-macro", "-U"),
        ("-D", "-D"),
        ("/D", "-D"),
        ("-U", "-U"),
    ] {
        let Some(value) = head.strip_prefix(name) else {
            continue;
        };
        if value.is_empty() && rest.is_empty() {
            return Word::Before(option);
        }
        let equals = usize::from(name.starts_with("--") && value.starts_with('='));
        return Word::Macro(option, name.len() + equals);
    }
    // The name of an option is not whole where what follows it is not known, unless its value does.
    match rest.is_empty()
        || head.contains(['=', ' '])
        || head.starts_with("-I")
        || head.starts_with("-O")
    {
        true => Word::Plain,
        false => Word::Unknown,
    }
}

/// The line of a text that does what `-D` or `-U` does with a macro.
fn directive(option: &str, head: &str, rest: &[Run], whole: &[Run]) -> Option<Vec<Run>> {
    let place = whole.first()?.range.clone();
    // What quotes and further options in one word mean hangs on who takes it apart.
    if head.contains(['\n', '\r', '"', '\'', '\\']) || head.contains(" -") {
        return None;
    }
    let head = head.trim();
    let is_name = |name: &str| {
        let plain = name.split('(').next().unwrap_or_default();
        let mut letters = plain.chars();
        letters
            .next()
            .is_some_and(|first| first == '_' || first.is_alphabetic())
            && letters.all(super::is_word)
    };
    let line = match (option, head.split_once('=')) {
        ("-D", Some((name, value))) if is_name(name) => format!("#define {name} {value}"),
        ("-D", None) if rest.is_empty() && is_name(head) => format!("#define {head} 1"),
        ("-U", None) if rest.is_empty() && is_name(head) => format!("#undef {head}"),
        _ => return None,
    };
    Some([&[Run::of(line, place)], rest].concat())
}

/// The text of runs up to the first hole, and what follows.
fn split(runs: &[Run]) -> (String, &[Run]) {
    let end = runs.iter().position(|run| run.hole.is_some());
    let (known, rest) = runs.split_at(end.unwrap_or(runs.len()));
    (known.iter().map(|run| run.text.as_str()).collect(), rest)
}

/// The words of an option as a shell takes it apart; none for what is not followed.
fn shell_words(runs: &[Run]) -> Vec<Option<Vec<Run>>> {
    let (head, rest) = split(runs);
    if !rest.is_empty() || !head.contains(char::is_whitespace) {
        return vec![Some(runs.to_vec())];
    }
    if head.contains(['"', '\'', '\\', '$', '`']) {
        return vec![None];
    }
    let place = runs.first().map_or(0..0, |run| run.range.clone());
    head.split_whitespace()
        .map(|word| Some(vec![Run::of(word, place.clone())]))
        .collect()
}

/// Adds the texts in a value; whether it has no other.
fn flatten(value: Value, into: &mut Vec<Vec<Run>>) -> bool {
    super::flatten(value, into)
}

/// Whether an expression is a call of a function.
fn is_call(expr: &Expr, function: &str) -> bool {
    matches!(expr, Expr::Call { name, .. } if name == function)
}

/// How a list under a name is used.
struct Uses<'u> {
    text: &'u str,
    name: &'u str,
    /// Where the statements end that add to it.
    changes: BTreeSet<usize>,
}

impl Uses<'_> {
    /// Whether an expression hands it to something that may change it. `is_root` where nothing stands around the expression.
    fn hand_on(&self, expr: &Expr, is_root: bool) -> bool {
        let is_it = |expr: &Expr| matches!(expr, Expr::Name(other, _) if other == self.name);
        let below = || {
            expr.children()
                .into_iter()
                .any(|child| self.hand_on(child, false))
        };
        match expr {
            // A second name for it, or what a function returns.
            Expr::Name(..) => is_root && is_it(expr),
            Expr::Call {
                name: function,
                of,
                arguments,
                range,
            } => {
                let is_method = of.as_deref().is_some_and(is_it);
                let is_known = match function.as_str() {
                    "append" | "extend" => is_root && self.changes.contains(&range.end),
                    other => OF_LISTS.contains(&other),
                };
                if is_method && !is_known {
                    return true;
                }
                let reads = READING.contains(&function.as_str())
                    || super::COMPILERS.contains(&function.as_str())
                    || function == "nvrtcCompileProgram";
                let mut given = arguments.iter().map(|(_, argument)| argument);
                (!reads && given.any(is_it)) || below()
            }
            Expr::Other(all, range) => {
                // Its elements are read.
                let written = self.text.get(range.clone()).unwrap_or_default();
                let is_spread = written.starts_with('*');
                (!is_spread && all.iter().any(is_it)) || below()
            }
            Expr::List(all, _) | Expr::Inner(all, _) => all.iter().any(is_it) || below(),
            Expr::Dictionary(entries, _) => {
                let mut values = entries.iter().map(|(_, value)| value);
                values.any(is_it) || below()
            }
            Expr::Sum(..) | Expr::Binary(..) | Expr::Text(..) | Expr::Integer(..) => below(),
        }
    }
}
