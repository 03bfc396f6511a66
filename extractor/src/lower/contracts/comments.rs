//! `// warplog: …` comments: what the annotation language has no word for.
//!
//! - `// warplog: distinct idx`: the elements of `idx` are pairwise different when the kernel begins;
//! - `// warplog: launch block=256 grid=(n+255)/256`: how the kernel is launched;
//! - `// warplog: ensures for i: i < n => out[i] == 2 * old(in[i])`: what holds of every element behind the launch;
//! - `// warplog: allow shared-memory-race because …`: a finding that is accepted, with the reason; several rules have commas
//!   between them.
//!
//! `/* warplog: … */` says the same, and so do other cases of the letters. The colon may be missing where the rest leaves no doubt: prose
//! may begin with the name. A line may have several comments. The reason of `allow` may stand below, as `report/src/allow.rs` reads it.
//!
//! A comment belongs to the function that it stands in, or else to the next one if nothing but comments and the head of
//! the function stand between. It is read from the text as it is in the file: expansion knows no comments.

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::Lowerer;
use super::super::host::{Argument, Known, Launch};
use super::super::types;
use super::properties::{Grounds, Property, named};
use crate::preprocess::{Preprocessed, SourceFile};
use crate::syntax::ast::*;

/// The comments of a unit.
#[derive(Debug, Default)]
pub(crate) struct Comments(Vec<Comment>);

/// One comment.
#[derive(Debug)]
struct Comment {
    /// Index of the file, and line from 1.
    file: u32,
    line: u32,
    /// The function that it is about, by its range.
    function: Option<Range>,
    said: Result<Said, String>,
}

/// What a comment says.
#[derive(Clone, Debug, PartialEq)]
enum Said {
    /// A property of arrays, as it is written, with their names.
    Property(String, Property, Vec<String>),
    Launch {
        block: Vec<Formula>,
        grid: Vec<Formula>,
    },
    /// A post-condition, as it is written.
    Ensures(String),
    Allow,
}

/// A size.
#[derive(Clone, Debug, PartialEq)]
enum Formula {
    Number(i128),
    Name(String),
    Binary(BinaryOp, Box<Formula>, Box<Formula>),
}

/// What can be allowed: the names of rules that findings and costs belong to, as the caller gives them.
type Rules<'r> = &'r [&'r str];

/// What a comment begins with, in any case.
const NAME: &str = "warplog";

/// The function at a place of the files.
struct Placed {
    file: u32,
    first: u32,
    last: u32,
    range: Range,
}

impl Comments {
    /// The comments in the files of a unit.
    pub(crate) fn read(pre: &Preprocessed, unit: &Unit, rules: Rules<'_>) -> Self {
        let mut comments = Vec::new();
        let mut placed: Option<Vec<Placed>> = None;
        for (index, file) in pre.files.iter().enumerate() {
            // The second file is what the command line defines.
            if index == 1 || !names_us(&file.text) {
                continue;
            }
            let placed = placed.get_or_insert_with(|| places(pre, unit));
            let index = u32::try_from(index).unwrap_or(u32::MAX);
            for line in 1..=file.line_count() {
                for text in here(file.line_text(line), rules) {
                    // A reason that stands below is one: what it says matters to reports only.
                    let below = text.trim_end().ends_with("because")
                        && line < file.line_count()
                        && goes_on(file.line_text(line), file.line_text(line + 1), rules);
                    comments.push(Comment {
                        file: index,
                        line,
                        function: function_at(placed, file, index, line),
                        said: match below {
                            true => said(&format!("{text} …"), rules),
                            false => said(text, rules),
                        },
                    });
                }
            }
        }
        Comments(comments)
    }

    /// The launches that comments give a kernel.
    pub(crate) fn launches(&self, kernel: &Function) -> Vec<Launch> {
        let mut launches = Vec::new();
        for comment in &self.0 {
            if let (Some(range), Ok(Said::Launch { block, grid })) =
                (comment.function, &comment.said)
                && range == kernel.range
            {
                let sizes = |given: &[Formula]| {
                    std::array::from_fn(|axis| match given.get(axis) {
                        Some(formula) => Some(argument(formula, kernel)),
                        None if given.is_empty() => None,
                        None => Some(Argument::Constant(1, CType::U32)),
                    })
                };
                launches.push(Launch {
                    source: LaunchSource::Comment,
                    block: sizes(block),
                    grid: sizes(grid),
                    ..Launch::symbolic()
                });
            }
        }
        launches
    }

    /// What is wrong with comments, with file and line.
    pub(crate) fn faults(&self, unit: &Unit) -> Vec<(u32, u32, String)> {
        let mut faults = Vec::new();
        for comment in &self.0 {
            let text = match (&comment.said, comment.function) {
                (Err(text), _) => text.clone(),
                (Ok(_), None) => "this comment stands in no function and before none".to_owned(),
                (Ok(Said::Allow), _) => continue,
                (Ok(_), Some(range)) => {
                    let is_kernel = |function: &&Function| function.range == range;
                    match unit.functions.iter().find(is_kernel) {
                        Some(function) if function.quals.global => {
                            match comment.foreign_name(function) {
                                Some(name) => {
                                    format!("`launch`: the kernel has no parameter `{name}`")
                                }
                                None => continue,
                            }
                        }
                        _ => "this comment is about kernels, and stands at another function"
                            .to_owned(),
                    }
                }
            };
            faults.push((comment.file, comment.line, text));
        }
        faults
    }
}

impl Comment {
    /// A name in the sizes of a launch that is no parameter of the kernel.
    fn foreign_name(&self, kernel: &Function) -> Option<&str> {
        let Ok(Said::Launch { block, grid }) = &self.said else {
            return None;
        };
        let mut names = block.iter().chain(grid).flat_map(Formula::names);
        names.find(|name| {
            let mut params = kernel.params.iter();
            !params.any(|param| param.name.as_deref() == Some(*name))
        })
    }
}

impl Formula {
    /// The names in it.
    fn names(&self) -> Vec<&str> {
        match self {
            Formula::Number(_) => Vec::new(),
            Formula::Name(name) => vec![name],
            Formula::Binary(_, left, right) => {
                let mut names = left.names();
                names.extend(right.names());
                names
            }
        }
    }
}

impl Lowerer<'_, '_> {
    /// What comments say of the memory of a kernel.
    pub(super) fn comments_at(&mut self, kernel: &Function) {
        let mut all: Vec<(String, Property, String)> = Vec::new();
        for comment in &self.index.contracts.comments.0 {
            if let (Some(range), Ok(Said::Property(word, property, arrays))) =
                (comment.function, &comment.said)
                && range == kernel.range
            {
                let of_array = |array: &String| (word.clone(), *property, array.clone());
                all.extend(arrays.iter().map(of_array));
            }
        }
        self.post_conditions_at(kernel);
        for (word, property, name) in all {
            let launch = self.launch;
            let found =
                self.facts.array.iter().find(|row| {
                    row.launch == launch && row.space != Space::Local && row.name == name
                });
            let Some(array) = found.map(|row| row.array) else {
                let text = format!("`{word} {name}`: the kernel has no array parameter `{name}`");
                self.contract_error(kernel.name_range, &text);
                continue;
            };
            self.say(array, property, &Grounds::at(kernel.name_range));
        }
    }
}

impl Lowerer<'_, '_> {
    /// What comments say of what the kernel leaves.
    fn post_conditions_at(&mut self, kernel: &Function) {
        let comments = self.index.contracts.comments.0.iter();
        let texts: Vec<String> = comments
            .filter_map(|comment| match (comment.function, &comment.said) {
                (Some(range), Ok(Said::Ensures(text))) if range == kernel.range => {
                    Some(text.clone())
                }
                _ => None,
            })
            .collect();
        for text in texts {
            let (launch, span) = (self.launch, self.span(kernel.name_range));
            self.facts
                .post_condition
                .push(PostConditionRow { launch, text, span });
        }
    }
}

/// The functions with bodies, by their places.
fn places(pre: &Preprocessed, unit: &Unit) -> Vec<Placed> {
    let functions = unit.functions.iter();
    functions
        .filter(|function| function.body.is_some() && function.range.end > function.range.start)
        .filter_map(|function| {
            let range = function.range;
            let start = pre.map.locate(range.start as usize, range.end as usize);
            let end = pre.map.locate(range.end as usize - 1, range.end as usize);
            let file = pre.files.get(start.file as usize)?;
            (start.file == end.file).then(|| Placed {
                file: start.file,
                first: file.line(start.start),
                last: file.line(end.start),
                range,
            })
        })
        .collect()
}

/// The innermost function around a line, or the one that begins behind it.
fn function_at(placed: &[Placed], file: &SourceFile, index: u32, line: u32) -> Option<Range> {
    let here = || placed.iter().filter(|one| one.file == index);
    let around = here().filter(|one| one.first <= line && line <= one.last);
    if let Some(one) = around.min_by_key(|one| one.last - one.first) {
        return Some(one.range);
    }
    let next = here()
        .filter(|one| one.first > line)
        .min_by_key(|one| one.first)?;
    let between = (line + 1..next.first).all(|line| {
        let text = file.line_text(line).trim();
        let code = text.split("//").next().unwrap_or("");
        !code.contains([';', '}', '{'])
    });
    between.then_some(next.range)
}

/// Whether our name stands somewhere.
fn names_us(text: &str) -> bool {
    let mut windows = text.as_bytes().windows(NAME.len());
    windows.any(|window| window.eq_ignore_ascii_case(NAME.as_bytes()))
}

/// What stands behind our name in the comments of the line.
fn here<'t>(line: &'t str, rules: Rules<'_>) -> Vec<&'t str> {
    let mut found = Vec::new();
    let mut rest = line;
    loop {
        let starts = [rest.find("//"), rest.find("/*")];
        let Some(at) = starts.into_iter().flatten().min() else {
            return found;
        };
        let (before, comment) = rest.split_at(at);
        // In a literal it is no comment.
        if before.contains('"') {
            return found;
        }
        let (opening, inside) = comment.split_at(2);
        let (own, behind) = if opening == "//" {
            // A second one of ours may stand in it.
            let next = inside.match_indices("//").map(|(at, _)| at);
            let mut next = next.filter(|&at| {
                inside
                    .get(at + 2..)
                    .and_then(|own| marked(own, rules))
                    .is_some()
            });
            inside.split_at(next.next().unwrap_or(inside.len()))
        } else {
            inside.split_once("*/").unwrap_or((inside, ""))
        };
        found.extend(marked(own, rules));
        rest = behind;
    }
}

/// Whether the comment at the end of a line goes on in the next.
fn goes_on(line: &str, next: &str, rules: Rules<'_>) -> bool {
    let open = |from: Option<usize>| from.is_some_and(|at| !line[at..].contains("*/"));
    if open(line.rfind("/*")) {
        return !next.trim_start_matches([' ', '\t', '*', '/']).is_empty();
    }
    next.trim_start().strip_prefix("//").is_some_and(|inside| {
        let text = inside.trim();
        let indented = inside.starts_with("   ") && !text.is_empty();
        (indented || text.starts_with(char::is_lowercase)) && marked(inside, rules).is_none()
    })
}

/// What stands behind our name, if a comment begins with it and means to say something to us.
fn marked<'t>(comment: &'t str, rules: Rules<'_>) -> Option<&'t str> {
    let comment = comment.trim();
    let name = comment.get(..NAME.len())?;
    let rest = comment.get(NAME.len()..)?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    let text = rest.trim_start();
    match text.strip_prefix(':') {
        Some(text) => Some(text.trim()),
        None => (text.len() < rest.len() && is_meant(text, rules)).then_some(text),
    }
}

/// Whether a text without the colon is no prose.
fn is_meant(text: &str, rules: Rules<'_>) -> bool {
    let mut words = text.split_whitespace();
    match words.next() {
        Some("allow") => words
            .next()
            .is_some_and(|rule| near(rule.trim_end_matches(','), rules).is_some()),
        Some("launch") => said(text, rules).is_ok(),
        _ => false,
    }
}

/// The rule of this name, or the one that must be meant.
fn near<'r>(name: &str, rules: Rules<'r>) -> Option<&'r str> {
    let all = rules
        .iter()
        .map(|rule| (strsim::damerau_levenshtein(name, rule), *rule));
    all.min()
        .filter(|(distance, rule)| distance * 3 <= rule.len())
        .map(|(_, rule)| rule)
}

fn said(text: &str, rules: Rules<'_>) -> Result<Said, String> {
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let rest = rest.trim();
    // `bounded(0, 15) key`
    if let Some(inside) = text.strip_prefix("bounded") {
        let wrong = || "`bounded` takes two numbers and the names of arrays: `bounded(0, 15) key`";
        let (bounds, arrays) = inside
            .trim_start()
            .strip_prefix('(')
            .and_then(|inside| inside.split_once(')'))
            .ok_or_else(wrong)?;
        let (least, most) = bounds.split_once(',').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<i128>().map_err(|_| wrong());
        let property = Property::Bounded(number(least)?, number(most)?);
        let word = format!("bounded({bounds})");
        return Ok(Said::Property(
            word,
            property,
            names(arrays).ok_or_else(wrong)?,
        ));
    }
    match word {
        _ if named(word).is_some() => {
            let property = named(word).unwrap_or(Property::Distinct);
            let wrong = || format!("`{word}` takes the names of arrays: `{word} idx`");
            let arrays = names(rest).ok_or_else(wrong)?;
            Ok(Said::Property(word.to_owned(), property, arrays))
        }
        "launch" => launch(rest),
        "allow" => allow(rest, rules),
        "ensures" if rest.is_empty() => {
            Err("`ensures` takes a condition: `ensures for i: i < n => a[i] == 0`".to_owned())
        }
        "ensures" => Ok(Said::Ensures(rest.to_owned())),
        _ => Err(format!(
            "no comment annotation is called `{word}`; there are distinct, sorted, strictly_increasing, offsets, permutation, bounded, launch, ensures, allow"
        )),
    }
}

/// The names of arrays, if there is one and all are names.
fn names(text: &str) -> Option<Vec<String>> {
    let names: Vec<String> = text
        .split([',', ' ', '\t'])
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect();
    let is_name = |name: &String| {
        !name.starts_with(|c: char| c.is_ascii_digit())
            && name
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'))
    };
    (!names.is_empty() && names.iter().all(is_name)).then_some(names)
}

/// `RULE because REASON`, with several rules between commas.
fn allow(text: &str, known: Rules<'_>) -> Result<Said, String> {
    let (rules, reason) = text.split_once("because").unwrap_or((text, ""));
    for rule in rules.split(',').map(str::trim) {
        // Without the word between, what follows the rule may be the reason.
        let rule = match rule.split_once(char::is_whitespace) {
            Some((first, _)) if known.contains(&first) => {
                return Err(format!(
                    "`allow {first}` needs a reason: `allow {first} because …`"
                ));
            }
            _ => rule,
        };
        if !known.contains(&rule) {
            return Err(match near(rule, known) {
                Some(near) => format!("no rule is called `{rule}`; did you mean `{near}`?"),
                None => format!("no rule is called `{rule}`; there are {}", known.join(", ")),
            });
        }
    }
    if reason.trim().is_empty() {
        let rules = rules.trim();
        return Err(format!(
            "`allow {rules}` needs a reason: `allow {rules} because …`"
        ));
    }
    Ok(Said::Allow)
}

fn launch(text: &str) -> Result<Said, String> {
    let wrong = || "`launch` takes sizes: `launch block=256 grid=(n+255)/256`".to_owned();
    let mut parts: Vec<(&str, String)> = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (key, after) = rest.split_once('=').ok_or_else(wrong)?;
        let key = key.trim();
        if !matches!(key, "block" | "grid") || parts.iter().any(|(known, _)| *known == key) {
            return Err(wrong());
        }
        // Up to the next key.
        let end = ["block", "grid"]
            .iter()
            .filter_map(|next| {
                after.match_indices(next).map(|(at, _)| at).find(|&at| {
                    let behind = after.get(at + next.len()..).unwrap_or("");
                    behind.trim_start().starts_with('=')
                        && after
                            .get(..at)
                            .is_some_and(|text| text.ends_with([' ', '\t']))
                })
            })
            .min()
            .unwrap_or(after.len());
        let (value, next) = after.split_at(end);
        parts.push((key, value.trim().to_owned()));
        rest = next.trim();
    }
    let sizes = |key: &str| -> Result<Vec<Formula>, String> {
        match parts.iter().find(|(known, _)| *known == key) {
            Some((_, value)) => formulas(value).ok_or_else(wrong),
            None => Ok(Vec::new()),
        }
    };
    let (block, grid) = (sizes("block")?, sizes("grid")?);
    if parts.is_empty() {
        return Err(wrong());
    }
    Ok(Said::Launch { block, grid })
}

/// One to three sizes, `256`, `16,16`, `[n/16, 4]`.
fn formulas(text: &str) -> Option<Vec<Formula>> {
    let text = text.trim();
    let inner = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'));
    let mut reader = Reader {
        text: inner.unwrap_or(text),
        depth: 0,
    };
    let mut sizes = vec![reader.sum()?];
    while reader.eat(',') {
        sizes.push(reader.sum()?);
    }
    (reader.text.trim().is_empty() && sizes.len() <= 3).then_some(sizes)
}

/// Reads formulas of numbers, names, `+ - * / %` and parentheses.
struct Reader<'t> {
    text: &'t str,
    depth: u32,
}

impl Reader<'_> {
    fn eat(&mut self, what: char) -> bool {
        self.text = self.text.trim_start();
        match self.text.strip_prefix(what) {
            Some(rest) => {
                self.text = rest;
                true
            }
            None => false,
        }
    }

    fn operator(&mut self, choices: &[(char, BinaryOp)]) -> Option<BinaryOp> {
        let found = choices.iter().find(|(sign, _)| self.eat(*sign));
        found.map(|(_, op)| *op)
    }

    fn sum(&mut self) -> Option<Formula> {
        let mut left = self.product()?;
        while let Some(op) = self.operator(&[('+', BinaryOp::Add), ('-', BinaryOp::Sub)]) {
            let right = self.product()?;
            left = Formula::Binary(op, Box::new(left), Box::new(right));
        }
        Some(left)
    }

    fn product(&mut self) -> Option<Formula> {
        let mut left = self.factor()?;
        let signs = [
            ('*', BinaryOp::Mul),
            ('/', BinaryOp::Div),
            ('%', BinaryOp::Rem),
        ];
        while let Some(op) = self.operator(&signs) {
            let right = self.factor()?;
            left = Formula::Binary(op, Box::new(left), Box::new(right));
        }
        Some(left)
    }

    fn factor(&mut self) -> Option<Formula> {
        if self.eat('(') {
            self.depth += 1;
            let inner = (self.depth < 32).then(|| self.sum()).flatten()?;
            self.depth -= 1;
            return self.eat(')').then_some(inner);
        }
        let end = self
            .text
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(self.text.len());
        let (word, rest) = self.text.split_at(end);
        self.text = rest;
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
            return digits
                .parse::<u32>()
                .ok()
                .map(|value| Formula::Number(value.into()));
        }
        (!word.is_empty()).then(|| Formula::Name(word.to_owned()))
    }
}

/// A size as a host value: names are parameters of the kernel, or unknown.
fn argument(formula: &Formula, kernel: &Function) -> Argument {
    match formula {
        Formula::Number(value) => Argument::Constant(*value, CType::I32),
        Formula::Name(name) => {
            let param = kernel
                .params
                .iter()
                .find(|param| param.name.as_ref() == Some(name));
            match param.and_then(|param| param.ty.scalar()) {
                Some(scalar) => {
                    Argument::Symbol(Known::Input, name.clone(), types::scalar(scalar).ctype())
                }
                None => Argument::Unknown(name.clone()),
            }
        }
        Formula::Binary(op, left, right) => Argument::Binary(
            *op,
            Box::new(argument(left, kernel)),
            Box::new(argument(right, kernel)),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules<'static> = &[
        "data-race",
        "shared-memory-race",
        "barrier-divergence",
        "invalid-mask",
    ];

    fn said(text: &str) -> Result<Said, String> {
        super::said(text, RULES)
    }

    fn here(line: &str) -> Vec<&str> {
        super::here(line, RULES)
    }

    fn goes_on(line: &str, next: &str) -> bool {
        super::goes_on(line, next, RULES)
    }

    #[test]
    fn sizes() {
        let number = Formula::Number;
        assert_eq!(formulas("256"), Some(vec![number(256)]));
        assert_eq!(formulas("[16, 16u]"), Some(vec![number(16), number(16)]));
        let name = Formula::Name("n".to_owned());
        let sum = Formula::Binary(BinaryOp::Add, Box::new(name), Box::new(number(255)));
        let quotient = Formula::Binary(BinaryOp::Div, Box::new(sum), Box::new(number(256)));
        assert_eq!(formulas("(n+255) / 256"), Some(vec![quotient]));
        for wrong in ["", "4,", "1,2,3,4", "(n", "n +", "n n", "-1", "[4"] {
            assert_eq!(formulas(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn forms() {
        let distinct = |names: &[&str]| {
            let names = names.iter().map(|&name| name.to_owned()).collect();
            Ok(Said::Property(
                "distinct".to_owned(),
                Property::Distinct,
                names,
            ))
        };
        assert_eq!(said("distinct idx"), distinct(&["idx"]));
        assert_eq!(said("distinct a, p.b"), distinct(&["a", "p.b"]));
        assert!(
            matches!(said("launch block=64 grid=[n, 2]"), Ok(Said::Launch { block, grid })
            if block.len() == 1 && grid.len() == 2)
        );
        assert_eq!(
            said("allow shared-memory-race because it is benign"),
            Ok(Said::Allow)
        );
        assert_eq!(
            said("allow data-race, invalid-mask because both are benign"),
            Ok(Said::Allow)
        );
        for wrong in [
            "",
            "distint idx",
            "distinct",
            "distinct 4",
            "launch",
            "launch blok=4",
            "launch block=4 block=4",
            "launch block=",
            "allow",
            "allow shared-race because x",
            "allow data-race",
            "allow data-race because",
            "allow data-race barrier-divergence because x",
            "allow data-race, because x",
            "allow data-race, shared-race because x",
        ] {
            assert!(said(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_comments_are_read() {
        assert_eq!(here("  // warplog: distinct a"), ["distinct a"]);
        assert_eq!(here("x(); //warplog: allow x"), ["allow x"]);
        for line in [
            "// WARPLOG: allow data-race because x",
            "// warplog : allow data-race because x",
            "// warplog allow data-race because x",
            "/* warplog: allow data-race because x */",
            "x(); /* first */ /* Warplog: allow data-race because x */ y();",
            "x(); /* first */ // warplog: allow data-race because x",
        ] {
            assert_eq!(here(line), ["allow data-race because x"], "{line}");
        }
        assert_eq!(
            here("// warplog allow data-rase because x"),
            ["allow data-rase because x"]
        );
        for prose in [
            "// warplog allows this",
            "// warplog allow us to say: prose",
            "// warplog distinct values",
            "// see warplog: no",
            "x = \"// warplog: allow\";",
            "/* a",
        ] {
            assert_eq!(here(prose), [""; 0], "{prose}");
        }
        assert_eq!(here("puts(\"// warplog: x\");"), [""; 0]);
        assert_eq!(here("// see warplog: x"), [""; 0]);
        for line in [
            "// warplog: distinct a // warplog: launch block=4",
            "/* warplog: distinct a */ // warplog: launch block=4",
            "/* warplog: distinct a */ x(); /* warplog: launch block=4 */",
        ] {
            assert_eq!(here(line), ["distinct a", "launch block=4"], "{line}");
        }
    }

    #[test]
    fn a_reason_may_stand_below() {
        let allow = "// warplog: allow data-race because";
        assert!(goes_on(allow, "  // it is benign"));
        assert!(goes_on(allow, "//    It is benign"));
        assert!(goes_on(
            "/* warplog: allow data-race because",
            " * it is benign */"
        ));
        for next in ["", "x();", "// Adds.", "//", "// warplog: distinct p"] {
            assert!(!goes_on(allow, next), "{next}");
        }
        assert!(!goes_on("/* warplog: allow data-race because", " */"));
    }
}
