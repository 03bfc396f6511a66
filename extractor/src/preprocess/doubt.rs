//! What may depend on a condition that was not decided as a compiler would decide it.
//!
//! An active `#error` says that the program is compiled with other macros than ours; of an `#if` that is not understood the
//! value is not known. Both say something about one conditional, not about the whole file: what else of the text could be
//! other than it is here?
//!
//! **Algorithm.** Over the text of all files that were read, whichever branches are active, to a fixed point:
//!
//! 1. The conditional that holds the `#error`, or that is not understood, is in doubt: all its branches.
//! 2. With an `#error`, the names in the conditions of that conditional may be macros with other values, and those of the
//!    conditionals around it, save for include guards and what the compiler itself defines.
//! 3. A conditional that mentions such a name is in doubt. A macro that is defined or undefined in a conditional in doubt, or
//!    whose replacement mentions such a name, is such a name. A file that is included from a conditional in doubt is in doubt.
//! 4. A use of such a name outside of directives is in doubt.
//!
//! What is in doubt is given as ranges of the expanded text (empty ones, where text may be missing), with the names that text
//! in doubt may declare, so that whoever knows the declarations can tell which depend on it.
//!
//! **Accuracy contract.** Whatever values the names of rule 2 have, and whichever branch of a conditional that is not understood
//! is active: text of the program that differs from ours lies in these ranges, or declares one of the names; or it is said that
//! it may be anywhere (`wild`). Names are taken for declared generously. Text of headers that were not found is not considered,
//! here as elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::directive::OTHER_SYSTEMS;
use super::engine::{COMMAND_LINE, Engine};
use super::lexer::{Lexer, RawToken};
use super::locate::LocationMap;
use super::token::{Kind, LINE_START, punctuator};
use super::{NoteKind, is_system_header};

const HASH: u32 = punctuator(b"#");
const OPEN: u32 = punctuator(b"(");
const CLOSE: u32 = punctuator(b")");
const OPEN_BRACE: u32 = punctuator(b"{");
const CLOSE_BRACE: u32 = punctuator(b"}");

/// Rounds to a fixed point before everything is taken to be in doubt.
const MOST_ROUNDS: usize = 100;

/// Names that the compiler defines whatever the program is compiled for.
const CERTAIN: [&str; 8] = [
    "defined",
    "__CUDACC__",
    "__NVCC__",
    "__cplusplus",
    "__linux__",
    "__unix__",
    "__x86_64__",
    "__LP64__",
];

/// Text that may be other than it is here.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Doubt {
    /// Where it is in the expanded text; empty ranges are places where text may be missing.
    pub ranges: Vec<(u32, u32)>,
    /// Names that it may declare.
    pub names: BTreeSet<String>,
    /// It may change the meaning of what stands outside it.
    pub wild: bool,
    /// It is a use of a macro that stands for nothing here; elsewhere it may be a call of a function, with these names in its
    /// arguments.
    pub is_call: bool,
    /// It may be a part of the declaration in front of it or behind it.
    open: bool,
}

impl Doubt {
    /// About all of the text.
    pub(super) fn anywhere() -> Doubt {
        Doubt {
            wild: true,
            ..Doubt::default()
        }
    }
}

/// A conditional, from its `#if` to behind its `#endif`.
struct Group {
    start: usize,
    end: usize,
    /// Where its branches end.
    turns: Vec<usize>,
    /// Words of all its conditions.
    words: Vec<String>,
    /// `#ifndef NAME` and `#define NAME`, with all else inside.
    is_guard: bool,
}

struct Define {
    name: String,
    at: usize,
    words: Vec<String>,
    /// Its replacement is empty.
    is_blank: bool,
}

/// A file as it is written.
#[derive(Default)]
struct Scan {
    groups: Vec<Group>,
    defines: Vec<Define>,
    /// Header names with their places; `None` for what macros compute.
    includes: Vec<(Option<String>, usize)>,
    /// Places of directives that change how all that follows is read.
    pragmas: Vec<usize>,
    /// What is no directive.
    tokens: Vec<RawToken>,
    text: Arc<str>,
}

/// A part of a file that is in doubt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part {
    file: usize,
    start: usize,
    end: usize,
}

impl Scan {
    fn new(text: Arc<str>) -> Scan {
        let mut scan = Scan {
            text: Arc::clone(&text),
            ..Scan::default()
        };
        let mut lexer = Lexer::new(text);
        let mut open: Vec<usize> = Vec::new();
        // The name of `#ifndef NAME`, while nothing but `#define NAME` may follow for it to be a guard.
        let mut guard: Option<(usize, String)> = None;
        loop {
            let token = lexer.next(false);
            if token.kind == Kind::FileEnd {
                break;
            }
            if token.code != HASH || token.flags & LINE_START == 0 {
                guard = None;
                scan.tokens.push(token);
                continue;
            }
            let name = lexer.next(true);
            let directive = scan.text[name.start..name.end].to_owned();
            if directive == "include" {
                let header = lexer.header_name();
                let header = header.map(|(start, end, _)| scan.text[start..end].to_owned());
                scan.includes.push((header, token.start));
                lexer.skip_line();
                continue;
            }
            let mut line = Vec::new();
            let mut rest = name;
            while !matches!(rest.kind, Kind::LineEnd | Kind::FileEnd) {
                rest = lexer.next(true);
                line.push(rest);
            }
            line.pop();
            let names = line.iter().filter(|token| token.kind == Kind::Name);
            let mut words: Vec<String> = names.map(|token| scan.word(token).to_owned()).collect();
            match directive.as_str() {
                "if" | "ifdef" | "ifndef" => {
                    let asks_absence =
                        directive == "ifndef" || directive == "if" && words.len() == 2;
                    guard = match (&scan.tokens[..], words.last()) {
                        ([], Some(name)) if asks_absence => Some((scan.groups.len(), name.clone())),
                        _ => None,
                    };
                    open.push(scan.groups.len());
                    scan.groups.push(Group {
                        start: token.start,
                        end: scan.text.len(),
                        turns: Vec::new(),
                        words,
                        is_guard: false,
                    });
                }
                "elif" | "elifdef" | "elifndef" | "else" => {
                    if let Some(&group) = open.last() {
                        scan.groups[group].words.extend(words);
                        scan.groups[group].turns.push(token.start);
                    }
                }
                "endif" => {
                    if let Some(group) = open.pop() {
                        scan.groups[group].turns.push(token.start);
                        scan.groups[group].end = rest.start;
                    }
                }
                "define" | "undef" if !words.is_empty() => {
                    let name = words.remove(0);
                    if let Some((group, guard)) = guard.take() {
                        scan.groups[group].is_guard = guard == name;
                    }
                    scan.defines.push(Define {
                        name,
                        at: token.start,
                        words,
                        is_blank: directive == "define" && is_blank(&line),
                    });
                }
                "pragma"
                    if words
                        .iter()
                        .any(|word| word.ends_with("macro") || word == "pack") =>
                {
                    scan.pragmas.push(token.start);
                }
                _ => {}
            }
        }
        scan
    }

    fn word(&self, token: &RawToken) -> &str {
        &self.text[token.start..token.end]
    }
}

/// Whether nothing follows the name in a `#define`, and its parameters.
fn is_blank(line: &[RawToken]) -> bool {
    match line {
        [_] => true,
        [name, open, ..] if open.code == OPEN && open.start == name.end => {
            line.last().is_some_and(|last| last.code == CLOSE)
                && partner(line, 1, OPEN, CLOSE) == Some(line.len() - 1)
        }
        _ => false,
    }
}

/// What is in doubt because of the notes.
pub(super) fn find(engine: &Engine<'_>, notes: &[super::Note], map: &LocationMap) -> Vec<Doubt> {
    let caused = |kind| matches!(kind, NoteKind::ErrorDirective | NoteKind::ConditionError);
    let mut damage = notes.iter().filter(|note| note.kind.is_damage()).peekable();
    if damage.peek().is_none() {
        return Vec::new();
    }
    let anywhere = || vec![Doubt::anywhere()];
    // What else is damaged is not confined; and of too many notes not all are kept.
    if !damage.all(|note| caused(note.kind)) || notes.len() >= engine.config.limits.notes {
        return anywhere();
    }
    let scans: Vec<Scan> = engine
        .sources
        .iter()
        .enumerate()
        .map(|(file, source)| match file as u32 {
            COMMAND_LINE => Scan::default(),
            _ => Scan::new(Arc::clone(&source.clean)),
        })
        .collect();
    let mut parts: BTreeSet<Part> = BTreeSet::new();
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for note in notes.iter().filter(|note| caused(note.kind)) {
        let file = note.file as usize;
        let original = |offset: usize| engine.sources[file].original(offset as u32);
        let mut around: Vec<&Group> = scans[file]
            .groups
            .iter()
            .filter(|group| {
                original(group.start) <= note.offset && note.offset < original(group.end)
            })
            .collect();
        // The innermost begins last.
        let Some(innermost) = around.pop() else {
            return anywhere();
        };
        parts.insert(Part {
            file,
            start: innermost.start,
            end: innermost.end,
        });
        if note.kind == NoteKind::ConditionError {
            continue;
        }
        let uncertain = |word: &&String| !CERTAIN.contains(&word.as_str());
        names.extend(innermost.words.iter().filter(uncertain).map(String::as_str));
        let outer = around.iter().filter(|group| !group.is_guard);
        let foreign = |word: &&String| {
            let predefined = &engine.config.predefined;
            predefined.iter().any(|define| define.name == **word)
                || OTHER_SYSTEMS.iter().any(|name| word.contains(name))
        };
        let words = outer.flat_map(|group| &group.words).filter(uncertain);
        names.extend(words.filter(|word| !foreign(word)).map(String::as_str));
    }
    if !grow(engine, map, &scans, &mut parts, &mut names) {
        return anywhere();
    }
    let mut doubts: Vec<(Part, Doubt)> = Vec::new();
    for part in &parts {
        let doubt = declared(engine, map, &scans[part.file], part);
        doubts.push((*part, doubt));
    }
    let mut blank: BTreeMap<&str, bool> = BTreeMap::new();
    for define in scans.iter().flat_map(|scan| &scan.defines) {
        *blank.entry(&define.name).or_insert(true) &= define.is_blank;
    }
    for (file, scan) in scans.iter().enumerate() {
        uses(file, scan, (&names, &blank), &mut doubts);
    }
    place(engine, map, doubts)
}

/// Rule 3, to a fixed point; false if that takes too long.
fn grow<'s>(
    engine: &Engine<'_>,
    map: &LocationMap,
    scans: &'s [Scan],
    parts: &mut BTreeSet<Part>,
    names: &mut BTreeSet<&'s str>,
) -> bool {
    for _ in 0..MOST_ROUNDS {
        let before = (parts.len(), names.len());
        for (file, scan) in scans.iter().enumerate() {
            let mentions = |words: &[String], names: &BTreeSet<&str>| {
                words.iter().any(|word| names.contains(word.as_str()))
            };
            for group in &scan.groups {
                if mentions(&group.words, names) {
                    parts.insert(Part {
                        file,
                        start: group.start,
                        end: group.end,
                    });
                }
            }
            for define in &scan.defines {
                if !names.contains(define.name.as_str())
                    && (mentions(&define.words, names) || holds(parts, file, define.at))
                {
                    names.insert(&define.name);
                }
            }
        }
        for inclusion in map.inclusions() {
            let parent = map.inclusions()[inclusion.parent as usize].file as usize;
            let source = &engine.sources[parent];
            let inside = parts.iter().any(|part| {
                part.file == parent
                    && source.original(part.start as u32) <= inclusion.start
                    && inclusion.end <= source.original(part.end as u32)
            });
            if inside && inclusion.file as usize != parent {
                parts.insert(Part {
                    file: inclusion.file as usize,
                    start: 0,
                    end: scans[inclusion.file as usize].text.len(),
                });
            }
        }
        if before == (parts.len(), names.len()) {
            return true;
        }
    }
    false
}

fn holds(parts: &BTreeSet<Part>, file: usize, at: usize) -> bool {
    parts
        .iter()
        .any(|part| part.file == file && part.start <= at && at < part.end)
}

/// What the text of a part may declare, in whichever branch.
fn declared(engine: &Engine<'_>, map: &LocationMap, scan: &Scan, part: &Part) -> Doubt {
    let mut doubt = Doubt::default();
    let inside = |at: usize| part.start <= at && at < part.end;
    // Headers that would be read in another branch. Those that were read are in doubt themselves; those of the system have a
    // built-in model.
    let source = &engine.sources[part.file];
    let was_read = |at: usize| {
        let at = source.original(at as u32);
        let mut inclusions = map.inclusions().iter();
        inclusions.any(|inclusion| {
            inclusion.start == at
                && map.inclusions()[inclusion.parent as usize].file as usize == part.file
        })
    };
    for (header, at) in &scan.includes {
        if inside(*at) && !was_read(*at) {
            doubt.wild |= match header {
                Some(name) => !is_system_header(name) && engine.is_somewhere(name),
                None => true,
            };
        }
    }
    doubt.wild |= scan.pragmas.iter().any(|&at| inside(at));
    let first = scan
        .tokens
        .partition_point(|token| token.start < part.start);
    let behind = scan.tokens.partition_point(|token| token.start < part.end);
    let tokens = &scan.tokens[first..behind];
    let word = |at: usize| tokens.get(at).map_or("", |token| scan.word(token));
    let mut braces = 0i64;
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        if token.code == OPEN_BRACE {
            braces += 1;
        } else if token.code == CLOSE_BRACE {
            braces -= 1;
            doubt.wild |= braces < 0;
        }
        let (previous, next) = (at.checked_sub(1).map_or("", word), word(at + 1));
        match word(at) {
            "operator" => doubt.wild = true,
            "namespace" if previous == "using" => doubt.wild = true,
            "template" if next == "<" => {
                at = behind_angles(&tokens[at + 1..]).map_or(at + 1, |length| at + 1 + length);
                continue;
            }
            name if token.kind == Kind::Name && !is_keyword(name) => {
                let of_class = matches!(
                    previous,
                    "struct" | "class" | "union" | "enum" | "namespace" | "concept" | "using"
                );
                let ends = matches!(next, "" | ";" | "," | "=" | "[" | "{" | ":" | ")" | "(");
                if of_class || ends {
                    doubt.names.insert(name.to_owned());
                }
                let of_type = tokens[..at].last().is_some_and(|before| {
                    before.kind == Kind::Name && previous != "return"
                        || matches!(previous, "*" | "&" | "&&" | ">" | "::" | "~")
                });
                if next == "(" && of_type {
                    let close = partner(tokens, at + 1, OPEN, CLOSE).unwrap_or(at + 1);
                    at = behind_body(scan, tokens, close + 1);
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    doubt.wild |= braces != 0;
    doubt.open = is_open(scan, part);
    doubt
}

/// Whether some branch of a part ends in the middle of a declaration or statement.
fn is_open(scan: &Scan, part: &Part) -> bool {
    let group = scan
        .groups
        .iter()
        .find(|group| (group.start, group.end) == (part.start, part.end));
    let Some(group) = group else {
        return false;
    };
    let mut start = group.start;
    group.turns.iter().any(|&turn| {
        let behind = scan.tokens.partition_point(|token| token.start < turn);
        let last = scan.tokens[..behind]
            .last()
            .filter(|last| last.start > start);
        start = turn;
        last.is_some_and(|last| !matches!(scan.word(last), ";" | "}"))
    })
}

/// Behind the body of a function whose parameters end before `at`; `at` itself if it has none.
fn behind_body(scan: &Scan, tokens: &[RawToken], at: usize) -> usize {
    let mut inner = at;
    while let Some(token) = tokens.get(inner) {
        match scan.word(token) {
            "{" => {
                return partner(tokens, inner, OPEN_BRACE, CLOSE_BRACE)
                    .map_or(inner, |close| close + 1);
            }
            ";" | "}" | "," | "=" | ")" => return at,
            _ => inner += 1,
        }
    }
    at
}

/// The token that closes the bracket at `at`.
fn partner(tokens: &[RawToken], at: usize, open: u32, close: u32) -> Option<usize> {
    let mut depth = 0usize;
    for (inner, token) in tokens.iter().enumerate().skip(at) {
        if token.code == open {
            depth += 1;
        } else if token.code == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(inner);
            }
        }
    }
    None
}

/// How many tokens the parameters of a template are, from its `<` on.
fn behind_angles(tokens: &[RawToken]) -> Option<usize> {
    let mut depth = 0usize;
    for (at, token) in tokens.iter().enumerate() {
        if token.code == punctuator(b"<") {
            depth += 1;
        } else if token.code == punctuator(b">") {
            depth = depth.checked_sub(1)?;
        } else if token.code == punctuator(b">>") {
            depth = depth.checked_sub(2)?;
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "bool"
            | "char"
            | "short"
            | "int"
            | "long"
            | "float"
            | "double"
            | "signed"
            | "unsigned"
            | "auto"
            | "const"
            | "static"
            | "inline"
            | "extern"
            | "constexpr"
            | "volatile"
            | "typedef"
            | "typename"
            | "struct"
            | "class"
            | "union"
            | "enum"
            | "public"
            | "private"
            | "protected"
            | "default"
            | "return"
            | "if"
            | "else"
            | "for"
            | "while"
            | "do"
            | "switch"
            | "case"
            | "break"
            | "continue"
            | "sizeof"
            | "this"
            | "true"
            | "false"
            | "nullptr"
            | "NULL"
            | "override"
            | "final"
            | "noexcept"
            | "__global__"
            | "__device__"
            | "__host__"
            | "__shared__"
            | "__constant__"
            | "__forceinline__"
            | "__inline__"
            | "__restrict__"
            | "__attribute__"
            | "static_assert"
            | "delete"
            | "new"
            | "throw"
            | "using"
            | "namespace"
            | "template"
    )
}

/// Rule 4: uses of names in doubt, each with what is passed to it.
fn uses(
    file: usize,
    scan: &Scan,
    (names, blank): (&BTreeSet<&str>, &BTreeMap<&str, bool>),
    doubts: &mut Vec<(Part, Doubt)>,
) {
    for (at, token) in scan.tokens.iter().enumerate() {
        if token.kind != Kind::Name || !names.contains(scan.word(token)) {
            continue;
        }
        let mut doubt = Doubt {
            open: true,
            ..Doubt::default()
        };
        if let Some(next) = scan.tokens.get(at + 1)
            && next.code == OPEN
            && let Some(close) = partner(&scan.tokens, at + 1, OPEN, CLOSE)
        {
            let arguments = scan.tokens[at + 1..close].iter();
            let words = arguments.filter(|token| token.kind == Kind::Name);
            let words = words.map(|token| scan.word(token));
            let words = words.filter(|word| !is_keyword(word));
            doubt.names.extend(words.map(str::to_owned));
            // `MARK("copy");`
            let previous = at
                .checked_sub(1)
                .map_or("", |before| scan.word(&scan.tokens[before]));
            let next = scan
                .tokens
                .get(close + 1)
                .map_or("", |next| scan.word(next));
            let is_statement = next == ";" && matches!(previous, ";" | "{" | "}" | ")" | "else");
            doubt.is_call = is_statement && blank.get(scan.word(token)) == Some(&true);
        }
        let part = Part {
            file,
            start: token.start,
            end: token.end,
        };
        doubts.push((part, doubt));
    }
}

/// Finds the parts in the expanded text.
fn place(engine: &Engine<'_>, map: &LocationMap, parts: Vec<(Part, Doubt)>) -> Vec<Doubt> {
    let mut by_file: BTreeMap<usize, Vec<(u32, u32, usize)>> = BTreeMap::new();
    let mut doubts = Vec::with_capacity(parts.len());
    for (part, doubt) in parts {
        let source = &engine.sources[part.file];
        let (start, end) = source.original_range(part.start as u32, part.end as u32);
        let of_file = by_file.entry(part.file).or_default();
        of_file.push((start, end, doubts.len()));
        doubts.push(doubt);
    }
    map.meet(&by_file, |position, (start, end)| {
        let doubt = &mut doubts[position];
        // The last byte of the token before it, and the first of the one behind it.
        let range = match doubt.open {
            true => (start.saturating_sub(2), end + 1),
            false => (start, end),
        };
        doubt.ranges.push(range);
    });
    doubts
}
