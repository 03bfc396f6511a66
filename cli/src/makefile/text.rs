//! The lines of a makefile and the meaning of what stands in them: variables, conditionals, rules (GNU make's manual,
//! chapters 3 to 8, as far as compile lines are made of it).
//!
//! **Accuracy.** What is not followed (`$(shell …)`, pattern-specific variables, `define`) leaves a mark in the words that
//! it would give; such words are not used. A condition with a mark in it has neither of its arms.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::path::Path;

use crate::collect::read;

/// Stands in a text for what is not known. No makefile holds it: control characters are dropped while reading.
pub(super) const UNKNOWN: char = '\u{1}';

/// Variables in variables.
const MOST_NESTED: usize = 24;

/// Variables that one text may lead to.
const MOST_REFERENCES: usize = 10_000;

/// Longer values are cut off and count as unknown: variables that double each other would fill the memory.
const LONGEST: usize = 1 << 16;

/// Makefiles that include others.
const MOST_INCLUDED: usize = 4;

/// A rule with its commands, not yet expanded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rule {
    /// The text before the colon, expanded.
    pub targets: String,
    /// The text behind it, expanded.
    pub needs: String,
    /// Its commands.
    pub commands: Vec<String>,
}

/// What a makefile says.
#[derive(Clone, Debug, Default)]
pub(super) struct Makefile {
    variables: BTreeMap<String, String>,
    /// What is left of [`MOST_REFERENCES`] for the text that is being expanded.
    left: Cell<usize>,
    /// The rules in their order.
    pub rules: Vec<Rule>,
}

/// An open conditional.
struct Condition {
    /// Whether the arm that is being read is live.
    live: bool,
    /// Whether an arm was live, or could have been.
    taken: bool,
}

/// Reads the makefile with this text, in this folder.
pub(super) fn parse(text: &str, folder: &Path) -> Makefile {
    let mut makefile = Makefile::default();
    makefile.read(text, folder, 0);
    makefile
}

impl Makefile {
    fn read(&mut self, text: &str, folder: &Path, depth: usize) {
        let mut conditions: Vec<Condition> = Vec::new();
        let mut in_rule = false;
        let mut in_define = false;
        for line in logical_lines(text) {
            let command = line.starts_with('\t');
            let plain = strip_comment(&line);
            let words = plain.trim();
            let (first, rest) = words.split_once(char::is_whitespace).unwrap_or((words, ""));
            if in_define {
                in_define = first != "endef";
                continue;
            }
            if self.conditional(first, rest, &mut conditions) {
                continue;
            }
            if conditions.iter().any(|condition| !condition.live) {
                continue;
            }
            if command && in_rule {
                if let Some(rule) = self.rules.last_mut() {
                    rule.commands.push(line.trim().to_owned());
                }
                continue;
            }
            if words.is_empty() {
                continue;
            }
            match first {
                "define" => in_define = true,
                "include" | "-include" | "sinclude" => {
                    let names = self.expand(rest);
                    for name in names.split_whitespace() {
                        let path = folder.join(name);
                        if depth < MOST_INCLUDED
                            && path.is_file()
                            && let Ok(bytes) = read(&path)
                        {
                            self.read(&String::from_utf8_lossy(&bytes), folder, depth + 1);
                        }
                    }
                }
                _ if self.assignment(words) => {}
                _ => in_rule = self.rule(words) || in_rule,
            }
        }
    }

    /// Whether the line is one of a conditional.
    fn conditional(&self, first: &str, rest: &str, open: &mut Vec<Condition>) -> bool {
        match first {
            "ifeq" | "ifneq" | "ifdef" | "ifndef" => {
                let holds = self.holds(first, rest);
                open.push(Condition {
                    live: holds == Some(true),
                    taken: holds != Some(false),
                });
                true
            }
            "else" => {
                if let Some(condition) = open.last_mut() {
                    let (word, rest) = rest
                        .trim()
                        .split_once(char::is_whitespace)
                        .unwrap_or((rest.trim(), ""));
                    let holds = match word {
                        "ifeq" | "ifneq" | "ifdef" | "ifndef" => self.holds(word, rest),
                        _ => Some(true),
                    };
                    condition.live = !condition.taken && holds == Some(true);
                    condition.taken |= holds != Some(false);
                }
                true
            }
            "endif" => {
                open.pop();
                true
            }
            _ => false,
        }
    }

    /// Whether a condition holds; none if it is not known.
    fn holds(&self, word: &str, rest: &str) -> Option<bool> {
        let rest = rest.trim();
        let equal = match word {
            "ifdef" | "ifndef" => {
                let name = self.expand(rest);
                if name.contains(UNKNOWN) {
                    return None;
                }
                self.variables
                    .get(name.trim())
                    .is_some_and(|value| !value.is_empty())
            }
            _ => {
                let (a, b) = if let Some(inner) = rest.strip_prefix('(') {
                    let inner = inner.strip_suffix(')')?;
                    let comma = top_level(inner, ',')?;
                    (inner[..comma].trim(), inner[comma + 1..].trim())
                } else {
                    let quote = rest.chars().next().filter(|c| matches!(c, '"' | '\''))?;
                    let (a, after) = rest[1..].split_once(quote)?;
                    let after = after.trim_start();
                    let quote = after.chars().next().filter(|c| matches!(c, '"' | '\''))?;
                    let (b, _) = after[1..].split_once(quote)?;
                    (a, b)
                };
                let (a, b) = (self.expand(a), self.expand(b));
                if a.contains(UNKNOWN) || b.contains(UNKNOWN) {
                    return None;
                }
                a == b
            }
        };
        Some(equal != word.starts_with("ifn"))
    }

    /// Whether the line gives a variable its value.
    fn assignment(&mut self, line: &str) -> bool {
        let mut line = line;
        while let Some(rest) = ["export", "override", "private", "unexport"]
            .iter()
            .find_map(|word| line.strip_prefix(word))
            .filter(|rest| rest.starts_with(char::is_whitespace))
        {
            line = rest.trim_start();
        }
        let Some(equals) = top_level(line, '=') else {
            return false;
        };
        let value = line[equals + 1..].trim_start();
        let before = &line[..equals];
        let (name, operator) = ["::", ":", "?", "+", "!"]
            .iter()
            .find_map(|operator| Some((before.strip_suffix(operator)?, *operator)))
            .unwrap_or((before, ""));
        let name = self.expand(name.trim());
        // `debug: CFLAGS += -g` is for one target, and is not followed.
        if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c == ':' || c == UNKNOWN)
        {
            return name.contains(':') || name.contains(UNKNOWN);
        }
        let value = match operator {
            "::" | ":" => self.expand(value),
            "!" => UNKNOWN.to_string(),
            "?" if self.variables.contains_key(&name) => return true,
            "+" => match self.variables.get(&name) {
                Some(old) if old.len() + value.len() < LONGEST => format!("{old} {value}"),
                Some(_) => UNKNOWN.to_string(),
                None => value.to_owned(),
            },
            _ => value.to_owned(),
        };
        self.variables.insert(name, value);
        true
    }

    /// Whether the line begins a rule.
    fn rule(&mut self, line: &str) -> bool {
        let Some(colon) = top_level(line, ':') else {
            return false;
        };
        let (needs, command) = match top_level(&line[colon + 1..], ';') {
            Some(at) => {
                let rest = &line[colon + 1..];
                (&rest[..at], Some(rest[at + 1..].trim().to_owned()))
            }
            None => (&line[colon + 1..], None),
        };
        let rule = Rule {
            targets: self.expand(&line[..colon]),
            needs: self.expand(needs.trim_start_matches(':')),
            commands: command.into_iter().collect(),
        };
        self.rules.push(rule);
        true
    }

    /// The text with its variables replaced, as they are at the end of what was read so far.
    pub(super) fn expand(&self, text: &str) -> String {
        self.left.set(MOST_REFERENCES);
        self.expand_to(text, 0)
    }

    fn expand_to(&self, text: &str, depth: usize) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(dollar) = rest.find('$') {
            out.push_str(&rest[..dollar]);
            rest = &rest[dollar + 1..];
            let left = self.left.get();
            if out.len() > LONGEST || depth >= MOST_NESTED || left == 0 {
                return UNKNOWN.to_string();
            }
            self.left.set(left - 1);
            let Some(next) = rest.chars().next() else {
                break;
            };
            match next {
                '$' => {
                    out.push('$');
                    rest = &rest[1..];
                }
                '(' | '{' => {
                    let close = if next == '(' { ')' } else { '}' };
                    let Some(end) = closing(rest, next, close) else {
                        out.push(UNKNOWN);
                        return out;
                    };
                    out.push_str(&self.reference(&rest[1..end], depth + 1));
                    rest = &rest[end + 1..];
                }
                // `$@`, `$<`: files of the rule, none of which is a flag.
                '@' | '<' | '^' | '+' | '?' | '*' | '%' => rest = &rest[1..],
                other => {
                    let (name, after) = rest.split_at(other.len_utf8());
                    out.push_str(&self.variable(name, depth + 1));
                    rest = after;
                }
            }
        }
        out.push_str(rest);
        if out.len() > LONGEST {
            return UNKNOWN.to_string();
        }
        out
    }

    fn variable(&self, name: &str, depth: usize) -> String {
        match self.variables.get(name) {
            Some(value) => self.expand_to(value, depth),
            None => match name {
                "CC" => "cc".to_owned(),
                "CXX" => "g++".to_owned(),
                // What nothing sets is empty, unless the environment has it.
                _ => String::new(),
            },
        }
    }

    /// What stands between the brackets: a name, `name:.a=.b`, or a function.
    fn reference(&self, inner: &str, depth: usize) -> String {
        let (word, rest) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        if !rest.is_empty()
            && let Some(value) = self.function(word, rest, depth)
        {
            return value;
        }
        let name = self.expand_to(inner, depth);
        if let Some((name, change)) = name.split_once(':')
            && let Some((from, to)) = change.split_once('=')
        {
            return each_word(&self.variable(name.trim(), depth), |word| {
                substituted(word, from, to)
            });
        }
        // The folder or the name of a file of the rule.
        if matches!(
            name.as_str(),
            "@D" | "@F" | "<D" | "<F" | "^D" | "^F" | "*D" | "*F"
        ) {
            return String::new();
        }
        self.variable(name.trim(), depth)
    }

    fn function(&self, word: &str, rest: &str, depth: usize) -> Option<String> {
        let arguments = |most: usize| -> Vec<String> {
            let mut arguments = Vec::new();
            let mut rest = rest;
            while arguments.len() + 1 < most
                && let Some(comma) = top_level(rest, ',')
            {
                arguments.push(self.expand_to(&rest[..comma], depth));
                rest = &rest[comma + 1..];
            }
            arguments.push(self.expand_to(rest, depth));
            arguments
        };
        let value = match (word, arguments(3).as_slice()) {
            ("subst", [from, to, text]) => text.replace(from.trim_start(), to),
            ("patsubst", [from, to, text]) => {
                each_word(text, |word| substituted(word, from.trim(), to.trim()))
            }
            ("addprefix", [prefix, text]) => {
                each_word(text, |word| format!("{}{word}", prefix.trim()))
            }
            ("addsuffix", [suffix, text]) => {
                each_word(text, |word| format!("{word}{}", suffix.trim()))
            }
            ("strip", [text]) => each_word(text, str::to_owned),
            ("findstring", [part, text]) => {
                if text.contains(part.trim_start()) {
                    part.trim_start().to_owned()
                } else {
                    String::new()
                }
            }
            ("filter", [patterns, text]) => {
                let keep = |word: &&str| patterns.split_whitespace().any(|p| fits(word, p));
                text.split_whitespace()
                    .filter(keep)
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            ("filter-out", [patterns, text]) => {
                let keep = |word: &&str| !patterns.split_whitespace().any(|p| fits(word, p));
                text.split_whitespace()
                    .filter(keep)
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            ("if", [condition, then]) if !condition.contains(UNKNOWN) => {
                if condition.trim().is_empty() {
                    String::new()
                } else {
                    then.clone()
                }
            }
            ("if", [condition, then, other]) if !condition.contains(UNKNOWN) => {
                let chosen = if condition.trim().is_empty() {
                    other
                } else {
                    then
                };
                chosen.clone()
            }
            (
                "subst" | "patsubst" | "addprefix" | "addsuffix" | "strip" | "findstring"
                | "filter" | "filter-out" | "if" | "shell" | "wildcard" | "foreach" | "call"
                | "eval" | "or" | "and" | "sort" | "dir" | "notdir" | "basename" | "suffix"
                | "join" | "word" | "words" | "wordlist" | "firstword" | "lastword" | "realpath"
                | "abspath" | "value" | "origin" | "flavor" | "error" | "warning" | "info" | "file"
                | "let" | "intcmp" | "guile",
                _,
            ) => UNKNOWN.to_string(),
            _ => return None,
        };
        let unknown =
            word == "findstring" && arguments(3).iter().any(|text| text.contains(UNKNOWN));
        Some(if unknown { UNKNOWN.to_string() } else { value })
    }
}

fn each_word(text: &str, change: impl Fn(&str) -> String) -> String {
    let words: Vec<String> = text.split_whitespace().map(change).collect();
    words.join(" ")
}

/// Whether a word is what a pattern with at most one `%` says.
fn fits(word: &str, pattern: &str) -> bool {
    match pattern.split_once('%') {
        Some((before, after)) => {
            word.len() >= before.len() + after.len()
                && word.starts_with(before)
                && word.ends_with(after)
        }
        None => word == pattern,
    }
}

/// `a.o` of `a.cu` for `.cu` and `.o`, or for `%.cu` and `%.o`.
fn substituted(word: &str, from: &str, to: &str) -> String {
    if let Some((before, after)) = from.split_once('%') {
        let stem = word
            .strip_prefix(before)
            .and_then(|rest| rest.strip_suffix(after));
        return match stem {
            Some(stem) => to.replacen('%', stem, 1),
            None => word.to_owned(),
        };
    }
    match word.strip_suffix(from) {
        Some(stem) => format!("{stem}{to}"),
        None => word.to_owned(),
    }
}

/// The lines, those joined that end in a backslash.
fn logical_lines(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for part in text.lines() {
        let part = part.strip_suffix('\r').unwrap_or(part);
        let part = if line.is_empty() {
            part
        } else {
            part.trim_start()
        };
        let clean = part.chars().filter(|c| *c == '\t' || !c.is_control());
        line.extend(clean);
        if line.ends_with('\\') && !line.ends_with("\\\\") {
            line.pop();
            line.push(' ');
        } else {
            lines.push(std::mem::take(&mut line));
        }
    }
    lines.push(line);
    lines
}

/// The line up to its comment.
fn strip_comment(line: &str) -> String {
    let mut out = String::new();
    let mut characters = line.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' if characters.peek() == Some(&'#') => {
                characters.next();
                out.push('#');
            }
            '#' => break,
            other => out.push(other),
        }
    }
    out
}

/// The place of a character outside of `$(…)` and `${…}`.
fn top_level(text: &str, wanted: char) -> Option<usize> {
    let mut depth = 0usize;
    let mut dollar = false;
    for (at, character) in text.char_indices() {
        match character {
            '(' | '{' if depth > 0 || dollar => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            _ if character == wanted && depth == 0 => return Some(at),
            _ => {}
        }
        dollar = character == '$';
    }
    None
}

/// The place of the bracket that closes the one at the beginning.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0usize;
    for (at, character) in text.char_indices() {
        if character == open {
            depth += 1;
        } else if character == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, wanted: &str) -> String {
        parse(text, Path::new("."))
            .expand(wanted)
            .replace(UNKNOWN, "?")
    }

    #[test]
    fn variables_and_their_kinds() {
        let text = "A = $(B) x\nB := 1\nC := $(A)\nB = 2\nD ?= 3\nD ?= 4\nE += e\nE += $(B)\nexport F = \\\n  f \\\n  g # h\n";
        assert_eq!(
            value(text, "$(A)|$C|$(D)|${E}|$F|$$|$(G)|$@"),
            "2 x|1 x|3|e 2|f  g|$||"
        );
        assert!(value("A = $(A) $(A)\n", "$(A)").contains('?'));
    }

    #[test]
    fn functions() {
        for (text, expected) in [
            ("$(S:.cu=.o) $(S:%.cu=o/%.o)", "a.o b.o o/a.o o/b.o"),
            ("$(subst _, ,sm_60)$(patsubst %.cu,%,$(S))", "sm 60a b"),
            ("$(addprefix -I,x y)$(addsuffix /i,z)", "-Ix -Iyz/i"),
            ("-DA=$(shell nproc)$(wildcard *.cu)", "-DA=??"),
            ("$(if $(S),yes,no)$(if ,yes,no)", "yesno"),
            ("$(filter a.%,$(S))$(filter-out a.%,$(S))", "a.cub.cu"),
            ("$(findstring b,$(S))$(findstring q,$(S))", "b"),
        ] {
            assert_eq!(value("S = a.cu b.cu\n", text), expected, "{text}");
        }
    }

    #[test]
    fn conditionals() {
        let text = "D = no\nifeq ($(D),yes)\nA += 1\nelse ifeq \"$(D)\" 'no'\nA += 2\nelse\nA += 3\nendif\n\
            ifneq ($(D),)\nA += 4\nifdef X\nA += 5\nelse\nA += 6\nendif\nendif\nifndef D\nA += 7\nendif\n\
            ifeq ($(shell x),y)\nA += 8\nelse\nA += 9\nendif\n";
        assert_eq!(value(text, "$(A)"), "2 4 6");
    }

    #[test]
    fn rules_and_their_commands() {
        let makefile = parse(
            "O = x\n%.o: %.cu a.h\n\t$(CC) -c $<\nifdef Q\n\tlost\nendif\n\nclean: ; rm $(O)\n$(O): CFLAGS += -g\n",
            Path::new("."),
        );
        let rules: Vec<_> = makefile
            .rules
            .iter()
            .map(|rule| {
                (
                    rule.targets.as_str(),
                    rule.needs.trim(),
                    rule.commands.join("|"),
                )
            })
            .collect();
        assert_eq!(
            rules,
            [
                ("%.o", "%.cu a.h", "$(CC) -c $<".to_owned()),
                ("clean", "", "rm $(O)".to_owned())
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "((A|B|\\$|\\(|\\)|\\{|=|:|,|\\+|ifeq |else|endif|\n|\t|\\\\|#| |é|subst |if ){0,12}\n){0,8}") {
            let makefile = parse(&text, Path::new("/nonexistent"));
            let _ = makefile.expand("$(A) $(B) ${A:a=b}");
        }
    }
}
