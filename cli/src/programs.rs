//! Which files of a run make a program: `kernels.cu` with the wrapper that `main.cpp` calls.
//!
//! **Rules.** Files of one target, which compile commands, a `CMakeLists.txt` or a makefile lists ([`targets`]), are of one program where one of
//! them writes a name that another defines outside of all functions, and does not define it itself: a function that it calls, a class
//! whose constructor or operator the other defines, a variable behind `extern`. So are files of one folder of which no target has
//! both. A folder of several `main` is several programs, which share the files without one. With `--link all` all files of the run are
//! one, with `--link never` each is one. Headers, and sources that others include, come with the files that include them.
//!
//! **Accuracy.** Only words are looked at here, without macros: a file too many costs time, as what names mean is decided when the
//! files are read ([`warplog_extractor::Program`]), and one too few leaves the other files as they are without it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use warplog_extractor::preprocess::is_system_header;

use crate::choices::Link;
use crate::collect::{Collection, Input};
use crate::compile_db::Database;
use crate::unit::{Companion, Group, Programs, UnitOptions};
use crate::{makefile, targets};

/// Most files of a program that are read together.
const MOST_FILES: usize = 64;

/// The programs among the files of a run, and a remark on each that is too large.
pub(crate) fn programs(
    collection: &Collection,
    parts: &BTreeSet<PathBuf>,
    link: Link,
    database: Option<&Database>,
    options_of: &dyn Fn(&Input) -> Option<UnitOptions>,
) -> (Programs, Vec<String>) {
    if link == Link::Never {
        return (Programs::new(), Vec::new());
    }
    let kernels: BTreeSet<&Path> = collection
        .inputs
        .iter()
        .chain(&collection.others)
        .map(|input| input.path.as_path())
        .collect();
    let mut files: Vec<&Input> = collection
        .inputs
        .iter()
        .chain(&collection.others)
        .chain(&collection.hosts)
        .filter(|input| !is_header(&input.path) && !parts.contains(&input.path))
        .filter(|input| input.text.is_none() && !is_foreign(&input.path))
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let headers = collection
        .headers
        .iter()
        .filter_map(|input| input.read().ok());
    let sources = files.iter().filter_map(|input| input.read().ok());
    let announced: BTreeSet<String> = headers
        .chain(sources)
        .flat_map(|text| announced(&text))
        .collect();
    let groups = match link {
        Link::All => vec![(
            (0..files.len()).collect::<Vec<_>>(),
            "as `--link` says".to_owned(),
        )],
        _ => connected(&files, &announced, database),
    };
    let (mut found, mut notes) = (Programs::new(), Vec::new());
    for (members, how) in groups {
        let holds_kernel = members
            .iter()
            .any(|&member| kernels.contains(files[member].path.as_path()));
        if members.len() < 2 || !holds_kernel {
            continue;
        }
        if members.len() > MOST_FILES {
            notes.push(format!(
                "{} files from `{}` on refer to each other, which are too many to be linked: each is read by itself",
                members.len(),
                files[members[0]].shown
            ));
            continue;
        }
        let companions: Vec<Companion> = members
            .iter()
            .filter_map(|&member| {
                let input = files[member];
                Some(Companion {
                    path: input.path.clone(),
                    shown: input.shown.clone(),
                    options: options_of(input)?,
                    is_used_elsewhere: false,
                })
            })
            .collect();
        let group = Arc::new(Group {
            files: companions,
            how,
        });
        for companion in &group.files {
            found.insert(companion.path.clone(), Arc::clone(&group));
        }
    }
    (used_elsewhere(&files, found, &announced), notes)
}

/// The programs, told which of their files others of the run refer to.
fn used_elsewhere(files: &[&Input], programs: Programs, announced: &BTreeSet<String>) -> Programs {
    if programs.is_empty() {
        return programs;
    }
    let words: Vec<Option<Words>> = files
        .iter()
        .map(|file| Some(Words::of(&file.read().ok()?, announced)))
        .collect();
    let positions: BTreeMap<&Path, usize> = files
        .iter()
        .enumerate()
        .map(|(position, file)| (file.path.as_path(), position))
        .collect();
    // Of each name that a program defines, the files that only write it.
    let mut users: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for path in programs.keys() {
        if let Some(words) = positions
            .get(path.as_path())
            .and_then(|&at| words[at].as_ref())
        {
            users.extend(words.defined.iter().map(|name| (name.as_str(), Vec::new())));
        }
    }
    for (position, words) in words.iter().enumerate() {
        let Some(words) = words else { continue };
        let foreign = words.written.difference(&words.defined);
        for name in foreign {
            if let Some(users) = users.get_mut(name.as_str()) {
                users.push(position);
            }
        }
    }
    let is_used = |group: &Group, path: &Path| {
        let own = positions.get(path).and_then(|&at| words[at].as_ref());
        let names = own.into_iter().flat_map(|words| &words.defined);
        names
            .filter_map(|name| users.get(name.as_str()))
            .any(|users| {
                users.iter().any(|&user| {
                    let user = &files[user].path;
                    group.files.iter().all(|file| file.path != *user)
                })
            })
    };
    let mut told: BTreeMap<PathBuf, Arc<Group>> = BTreeMap::new();
    let mut found = Programs::new();
    for (path, group) in &programs {
        let Some(first) = group.files.first() else {
            continue;
        };
        let known = told.entry(first.path.clone()).or_insert_with(|| {
            let mut group = Group::clone(group);
            let used: Vec<bool> = group
                .files
                .iter()
                .map(|file| is_used(&group, &file.path))
                .collect();
            for (file, used) in group.files.iter_mut().zip(used) {
                file.is_used_elsewhere = used;
            }
            Arc::new(group)
        });
        found.insert(path.clone(), Arc::clone(known));
    }
    found
}

/// One line on each program: how many files, and what puts them together.
pub(crate) fn notes(programs: &Programs) -> Vec<String> {
    let mut told: BTreeSet<&Path> = BTreeSet::new();
    let mut notes = Vec::new();
    for group in programs.values() {
        let Some(first) = group.files.first() else {
            continue;
        };
        if told.insert(&first.path) {
            let names: Vec<String> = group
                .files
                .iter()
                .take(3)
                .map(|file| format!("`{}`", file.shown))
                .collect();
            let more = match group.files.len() - names.len() {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            notes.push(format!(
                "program: {} files, linked {}: {}{more}",
                group.files.len(),
                group.how,
                names.join(", ")
            ));
        }
    }
    notes
}

/// The sets of files that refer to each other, with what puts them together.
fn connected(
    files: &[&Input],
    announced: &BTreeSet<String>,
    database: Option<&Database>,
) -> Vec<(Vec<usize>, String)> {
    let mut folders: BTreeMap<PathBuf, Vec<usize>> = BTreeMap::new();
    let mut real: Vec<PathBuf> = Vec::new();
    for (position, file) in files.iter().enumerate() {
        let path = fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone());
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        folders.entry(folder).or_default().push(position);
        real.push(path);
    }
    let mut lists = targets::of_folders(folders.keys());
    match database {
        Some(database) => lists.extend(database.targets()),
        None => lists.extend(makefile::targets(folders.keys(), &real)),
    }
    let mut sets: Vec<(Vec<usize>, Option<String>)> = Vec::new();
    let positions: BTreeMap<&Path, usize> = real
        .iter()
        .enumerate()
        .map(|(position, path)| (path.as_path(), position))
        .collect();
    for list in &lists {
        let members: Vec<usize> = list
            .files
            .iter()
            .filter_map(|file| positions.get(file.as_path()).copied())
            .collect();
        sets.push((members, Some(list.told.clone())));
    }
    sets.extend(folders.into_values().map(|members| (members, None)));
    let needed: BTreeSet<usize> = sets
        .iter()
        .filter(|(members, _)| members.len() > 1)
        .flat_map(|(members, _)| members.iter().copied())
        .collect();
    let words: BTreeMap<usize, Words> = needed
        .iter()
        .filter_map(|&position| {
            Some((
                position,
                Words::of(&files[position].read().ok()?, announced),
            ))
        })
        .collect();
    let in_lists: BTreeSet<usize> = sets
        .iter()
        .filter(|(members, told)| told.is_some() && members.len() > 1)
        .flat_map(|(members, _)| members.iter().copied())
        .collect();
    let mut leader: Vec<usize> = (0..files.len()).collect();
    let mut listed: BTreeMap<usize, String> = BTreeMap::new();
    for (members, told) in &sets {
        for (at, one) in members.iter().enumerate() {
            for other in &members[at + 1..] {
                let (Some(left), Some(right)) = (words.get(one), words.get(other)) else {
                    continue;
                };
                // Of these the targets tell.
                if told.is_none() && in_lists.contains(one) && in_lists.contains(other) {
                    continue;
                }
                if left.needs(right) || right.needs(left) {
                    let (a, b) = (root(&leader, *one), root(&leader, *other));
                    let (low, high) = (a.min(b), a.max(b));
                    leader[high] = low;
                    if let Some(told) = told {
                        listed.entry(*one).or_insert_with(|| told.clone());
                    }
                }
            }
        }
    }
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for position in 0..files.len() {
        let first = root(&leader, position);
        groups.entry(first).or_default().push(position);
    }
    let how = |members: &Vec<usize>| {
        let told = members.iter().find_map(|member| listed.get(member));
        match told {
            Some(list) => format!("by `{list}`"),
            None => "as files of one folder".to_owned(),
        }
    };
    groups
        .into_values()
        .map(|members| {
            let how = how(&members);
            (members, how)
        })
        .collect()
}

fn root(leader: &[usize], mut position: usize) -> usize {
    while leader[position] != position {
        position = leader[position];
    }
    position
}

/// The names that a file writes, and those that it defines for others.
#[derive(Debug, Default)]
struct Words {
    /// Those of what may be functions, and those that are used without a call.
    written: BTreeSet<String>,
    defined: BTreeSet<String>,
    /// Functions that it declares without a body, and variables behind `extern`.
    declared: BTreeSet<String>,
    /// It includes a header of the project, which may declare more.
    has_header: bool,
}

impl Words {
    /// Whether another file defines what this one only names.
    fn needs(&self, other: &Words) -> bool {
        let mut names = other.defined.iter();
        names.any(|name| {
            self.written.contains(name)
                && !self.defined.contains(name)
                && (self.has_header || self.declared.contains(name))
        })
    }

    /// Of a text; `announced` are the names that headers and other files say are used without a call.
    fn of(text: &[u8], announced: &BTreeSet<String>) -> Words {
        let text = String::from_utf8_lossy(text);
        let tokens = tokens(&text);
        let mut words = Words {
            has_header: text.lines().any(includes_header),
            ..Words::default()
        };
        for (at, token) in tokens.iter().enumerate() {
            let behind = tokens.get(at + 1).copied().unwrap_or_default();
            if is_name(token) && (matches!(behind, "(" | "<") || announced.contains(*token)) {
                words.written.insert((*token).to_owned());
            }
        }
        // Braces of namespaces and of `extern "C"` do not count.
        let mut open: Vec<bool> = Vec::new();
        let (mut start, mut at) = (0, 0);
        let mut round = 0_usize;
        while at < tokens.len() {
            let is_outside = open.iter().all(|holds| *holds);
            match tokens[at] {
                "(" => round += 1,
                ")" => round = round.saturating_sub(1),
                "{" => {
                    let head = &tokens[start..at];
                    let holds = is_outside
                        && (head.contains(&"namespace") || head.ends_with(&["extern", "\""]));
                    if is_outside && !holds {
                        words.define(head);
                    }
                    open.push(holds);
                    if holds {
                        start = at + 1;
                    }
                }
                "}" => {
                    open.pop();
                    if open.iter().all(|holds| *holds) {
                        start = at + 1;
                    }
                }
                ";" if is_outside && round == 0 => {
                    let head = &tokens[start..at];
                    match head.contains(&"(") {
                        true => words.declared.extend(function_of(head)),
                        // `extern int blocks;`
                        false if head.first() == Some(&"extern") => {
                            let names = head.iter().filter(|token| is_name(token));
                            words.declared.extend(names.map(|name| (*name).to_owned()));
                        }
                        false => words.define(head),
                    }
                    start = at + 1;
                }
                _ => {}
            }
            at += 1;
        }
        words.defined.remove("main");
        words
    }

    /// What a declaration defines: the function before its parameters, or variables.
    fn define(&mut self, head: &[&str]) {
        let first = head.first().copied().unwrap_or_default();
        let has_parameters = head.contains(&"(");
        if matches!(first, "using" | "typedef")
            || (first == "extern" && !has_parameters)
            || head.contains(&"static")
        {
            return;
        }
        if has_parameters {
            self.defined.extend(function_of(head));
            self.defined.extend(made_by(head));
            return;
        }
        if matches!(
            first,
            "struct" | "class" | "enum" | "union" | "template" | "namespace"
        ) {
            return;
        }
        // What stands between `=` and the next comma outside of brackets is a value.
        let (mut is_value, mut depth) = (false, 0_usize);
        for (at, token) in head.iter().enumerate().skip(1) {
            match *token {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                "," if depth == 0 => is_value = false,
                _ => {}
            }
            let behind = head.get(at + 1).copied().unwrap_or(";");
            if !is_value && depth == 0 && is_name(token) && matches!(behind, "=" | "[" | "," | ";")
            {
                self.defined.insert((*token).to_owned());
            }
            is_value |= *token == "=";
        }
    }
}

/// The class whose operator a declaration defines: it is called where only the class is written.
fn made_by(head: &[&str]) -> Option<String> {
    let operator = head.iter().position(|token| *token == "operator")?;
    match head.get(..operator)? {
        [.., class, ":", ":"] if is_name(class) => Some((*class).to_owned()),
        _ => None,
    }
}

/// The function whose declaration begins so: the name before its parameters.
fn function_of(head: &[&str]) -> Option<String> {
    let mut named = head.windows(2).filter(|pair| pair[1] == "(");
    let named = named.find(|pair| is_name(pair[0]) && !SPECIFIERS.contains(&pair[0]));
    Some(named?[0].to_owned())
}

/// Whether a line includes a header of the project.
fn includes_header(line: &str) -> bool {
    let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
    let Some(rest) = rest.and_then(|rest| rest.strip_prefix("include")) else {
        return false;
    };
    let rest = rest.trim_start();
    let angled = rest.strip_prefix('<').and_then(|rest| rest.split_once('>'));
    rest.starts_with('"') || angled.is_some_and(|(name, _)| !is_system_header(name))
}

/// Names that are used without a call: classes with functions that are called where only the class is written, defined outside of it,
/// as `Rows::Rows` and `Rows::operator=`; and variables that are announced: the names behind `extern`, up to the end of the declaration.
fn announced(text: &[u8]) -> BTreeSet<String> {
    let word = b"extern";
    let text = String::from_utf8_lossy(text);
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("::") {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let before = text[..at].trim_end();
        let begin = before.rfind(|c| !is_part(c)).map_or(0, |at| at + 1);
        let class = before.get(begin..).unwrap_or("");
        let behind = text[at + 2..].trim_start();
        let end = behind.find(|c| !is_part(c)).unwrap_or(behind.len());
        let is_special = behind.starts_with('~') || &behind[..end] == "operator";
        if is_name(class) && (is_special || &behind[..end] == class) {
            found.insert(class.to_owned());
        }
    }
    if !text
        .as_bytes()
        .windows(word.len())
        .any(|window| window == word)
    {
        return found;
    }
    let tokens = tokens(&text);
    for (at, token) in tokens.iter().enumerate() {
        if *token != "extern" {
            continue;
        }
        let rest = tokens[at..]
            .iter()
            .take_while(|token| !matches!(**token, ";" | "{" | "("));
        let rest: Vec<&&str> = rest.collect();
        // Shared memory whose size the launch gives is of the kernel, whatever its name.
        if tokens.get(at + rest.len()) == Some(&";") && !rest.contains(&&"__shared__") {
            let names = rest.iter().filter(|token| is_name(token));
            found.extend(names.map(|name| (**name).to_string()));
        }
    }
    found
}

/// Words before `(` that name no function.
const SPECIFIERS: [&str; 6] = [
    "__attribute__",
    "__launch_bounds__",
    "__align__",
    "alignas",
    "decltype",
    "__declspec",
];

fn is_name(token: &str) -> bool {
    token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// Names, numbers and single characters of a text, without comments, literals and directives; a literal is `"`.
fn tokens(text: &str) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    let mut begins_line = true;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match bytes[at] {
            b'\n' => {
                begins_line = true;
                at += 1;
                continue;
            }
            byte if byte.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                at += rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                let end = rest[2..].windows(2).position(|pair| pair == b"*/");
                at += end.map_or(rest.len(), |end| end + 4);
                continue;
            }
            b'#' if begins_line => {
                // To the end of the line, and of those that it goes on in.
                let mut before = b' ';
                for byte in rest {
                    if *byte == b'\n' && before != b'\\' {
                        break;
                    }
                    before = *byte;
                    at += 1;
                }
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote && bytes[at] != b'\n' {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                found.push("\"");
            }
            byte if byte.is_ascii_alphanumeric() || byte == b'_' => {
                let length = rest
                    .iter()
                    .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
                    .count();
                found.push(&text[at..at + length]);
                at += length;
            }
            byte if byte.is_ascii() => {
                found.push(&text[at..at + 1]);
                at += 1;
            }
            _ => at += 1,
        }
        begins_line = false;
    }
    found
}

/// Whether a file is no C++, but may hold some in its strings.
fn is_foreign(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension == "py" || extension == "ipynb")
}

fn is_header(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "cuh")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_file_defines_for_others_is_told_by_its_words() {
        let words = Words::of(
            b"#include \"k.h\"\n#define f(x) \\\n  g(x)\n// h();\n\
              __constant__ float c[8];\nint n = 5, m;\nstatic int own(int a) { return a; }\n\
              extern \"C\" void run(float *p) { int local = 3; own(local); }\n\
              namespace a { void in_a() { } }\n\
              __global__ void __launch_bounds__(256) k(int *p) { }\ntypedef void (*F)(int);\n\
              void S::method(int) { }\nint announced(int);\nextern int other;\nstruct T { int x; };\n\
              int main() { announced(1); return other; }\n",
            &BTreeSet::from(["other".to_owned()]),
        );
        let defined: Vec<&str> = words.defined.iter().map(String::as_str).collect();
        assert_eq!(defined, ["c", "in_a", "k", "m", "method", "n", "run"]);
        assert!(words.written.contains("announced") && words.written.contains("other"));
        assert!(!words.written.contains("h") && !words.written.contains("local"));
    }

    #[test]
    fn variables_are_announced_behind_extern() {
        let text =
            b"extern int n, *p;\nextern \"C\" { void f(int q); }\nextern \"C\" int g(int r);\n";
        let found: Vec<String> = announced(text).into_iter().collect();
        assert_eq!(found, ["extern", "int", "n", "p"]);
        let text = b"extern __shared__ float first[];\nextern __constant__ int m;\n";
        let found: Vec<String> = announced(text).into_iter().collect();
        assert_eq!(found, ["__constant__", "extern", "int", "m"]);
        let text = b"Rows::Rows(int n) : n(n) {}\nm::Grid &m::Grid::operator=(int) {}\nS::~S() {}\nstd::sort(a);\n";
        let found: Vec<String> = announced(text).into_iter().collect();
        assert_eq!(found, ["Grid", "Rows", "S"]);
    }
}
