//! Guessing how a file is compiled when nobody says: the compile line of the nearest makefile.
//!
//! Many programs do not compile, or are other programs, without a macro that their makefile gives. For a source found in a
//! folder, the `GNUmakefile`, `makefile` or `Makefile` of its folder, or of the nearest one above it up to the folder
//! given, is read for the first line that compiles this file, or files like it; macros and include folders are taken from
//! that line. Architecture and standard are not: which parts of a kernel `__CUDA_ARCH__` chooses is for the user to say.
//! The report lists what was taken, and from where. Headers and command line override it, `-p` replaces it.

mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use warplog_report::Note;

use crate::collect::{Input, is_source, read};
use crate::compile_db::flags::CompileFlags;
use crate::compile_db::{flags, words};
use crate::macros::Macro;
use crate::scan::Scan;
use crate::targets::Target;
use crate::unit::Guessed;
use text::{Makefile, Rule, UNKNOWN, parse};

/// The names that make looks for, in its order.
const NAMES: [&str; 3] = ["GNUmakefile", "makefile", "Makefile"];

/// The flags of the inputs that were found in folders, as far as makefiles say any, and a note for each makefile that does.
pub fn guess(inputs: &[Input], paths: &[PathBuf], scan: &Scan) -> (Guessed, Vec<Note>) {
    let mut known: BTreeMap<PathBuf, Option<(PathBuf, Makefile)>> = BTreeMap::new();
    let mut guessed = Guessed::new();
    let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for input in inputs.iter().filter(|input| !input.named) {
        let Some(root) = paths.get(input.root) else {
            continue;
        };
        let mut folder = input.path.parent();
        while let Some(here) = folder.filter(|here| here.starts_with(root)) {
            let makefile = known.entry(here.to_owned()).or_insert_with(|| load(here));
            if let Some((place, makefile)) = makefile
                && let Some(line) = compile_line(makefile, &input.path)
            {
                let flags = reading(&line, here);
                if flags != CompileFlags::default() {
                    let all = said.entry(scan.name(place)).or_default();
                    for word in told(&flags, scan) {
                        if !all.contains(&word) {
                            all.push(word);
                        }
                    }
                    guessed.insert(input.path.clone(), Arc::new(flags));
                }
                break;
            }
            folder = here.parent();
        }
    }
    let notes = said.into_iter().filter(|(_, words)| !words.is_empty());
    let note = |(place, words): (String, Vec<String>)| Note {
        place: None,
        text: format!(
            "flags guessed from `{place}`: {} (-D, -U or -p settles it)",
            words.join(" ")
        ),
    };
    (guessed, notes.map(note).collect())
}

/// The makefile of a folder, if it has one.
fn load(folder: &Path) -> Option<(PathBuf, Makefile)> {
    let place = NAMES
        .iter()
        .map(|name| folder.join(name))
        .find(|place| place.is_file())?;
    let bytes = read(&place).ok()?;
    Some((place, parse(&String::from_utf8_lossy(&bytes), folder)))
}

/// How many folders above a source are looked into for the makefile that links it.
const LEVELS: usize = 3;

/// The files of each program and library that makefiles in these folders, or in those above them, put together: the sources of a rule
/// of several, among the files given without links, and those of the objects that it needs.
pub(crate) fn targets<'f>(
    folders: impl Iterator<Item = &'f PathBuf>,
    files: &[PathBuf],
) -> Vec<Target> {
    let mut by_stem: BTreeMap<&str, Vec<&PathBuf>> = BTreeMap::new();
    for file in files {
        if let Some(stem) = file.file_stem().and_then(|stem| stem.to_str()) {
            by_stem.entry(stem).or_default().push(file);
        }
    }
    let known: BTreeSet<&PathBuf> = files.iter().collect();
    let mut seen: BTreeSet<PathBuf> = BTreeSet::new();
    let mut found = Vec::new();
    for above in folders.flat_map(|folder| folder.ancestors().take(LEVELS)) {
        if !seen.insert(above.to_owned()) {
            continue;
        }
        let Some((_, makefile)) = load(above) else {
            continue;
        };
        let told = above
            .file_name()
            .map_or(String::new(), |name| format!("{}/", name.to_string_lossy()));
        for rule in &makefile.rules {
            let commands = rule.commands.iter().map(|command| makefile.expand(command));
            let commands: Vec<String> = commands.collect();
            let words = commands
                .iter()
                .flat_map(|command| command.split_whitespace());
            let words = rule.needs.split_whitespace().chain(words);
            let sources: BTreeSet<PathBuf> = words
                .filter(|word| !word.contains(['%', '$', UNKNOWN]) && !word.starts_with('-'))
                .flat_map(|word| sources_of(word, above, &known, &by_stem))
                .collect();
            if sources.len() > 1 {
                found.push(Target {
                    files: sources.into_iter().collect(),
                    told: format!("{told}Makefile"),
                });
            }
        }
    }
    found
}

/// The sources that a word of a rule means: itself, or those below the makefile that an object of this name is made of.
fn sources_of(
    word: &str,
    folder: &Path,
    known: &BTreeSet<&PathBuf>,
    by_stem: &BTreeMap<&str, Vec<&PathBuf>>,
) -> Vec<PathBuf> {
    let path = folder.join(word);
    if let Ok(path) = fs::canonicalize(&path)
        && known.contains(&path)
    {
        return vec![path];
    }
    let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
        return Vec::new();
    };
    let Some(stem) = name
        .strip_suffix(".o")
        .or_else(|| name.strip_suffix(".obj"))
    else {
        return Vec::new();
    };
    // `a.o`, and `a.cu.o`.
    let stem = Path::new(stem);
    let stem = match is_source(stem) {
        true => stem.file_stem(),
        false => Some(stem.as_os_str()),
    };
    let named = stem
        .and_then(|stem| stem.to_str())
        .and_then(|stem| by_stem.get(stem));
    let below = named
        .into_iter()
        .flatten()
        .filter(|file| file.starts_with(folder));
    below.map(|file| (*file).clone()).collect()
}

/// How well a command fits a source; less is better.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fit {
    /// It names the file, or its rule does.
    Named,
    /// Its rule is for files with this ending.
    Ending,
    /// It calls a compiler for devices.
    Device,
}

/// The command that compiles a source: the first of those that fit best.
fn compile_line(makefile: &Makefile, source: &Path) -> Option<Vec<String>> {
    let name = source.file_name()?.to_str()?;
    let ending = source.extension()?.to_str()?;
    let mut best: Option<(Fit, Vec<String>)> = None;
    for rule in &makefile.rules {
        for command in &rule.commands {
            for part in makefile.expand(command).split(['\n', ';']) {
                let part = part.rsplit("&&").next().unwrap_or(part);
                let line = words::split(part.trim_start_matches(['@', '-', '+', ' ']));
                let Some(fit) = fit(rule, &line, name, ending) else {
                    continue;
                };
                if best.as_ref().is_none_or(|(known, _)| fit < *known) {
                    best = Some((fit, line));
                }
            }
        }
    }
    best.map(|(_, line)| line)
}

fn fit(rule: &Rule, line: &[String], name: &str, ending: &str) -> Option<Fit> {
    let program = line.first()?;
    let program = Path::new(program).file_name()?.to_str()?;
    let device = ["nvcc", "hipcc", "clang"]
        .iter()
        .any(|compiler| program.contains(compiler));
    let host = [
        "cc", "c++", "g++", "gcc", "mpicxx", "mpic++", "mpicc", "CC", "icpx",
    ]
    .iter()
    .any(|compiler| program == *compiler || program.starts_with(&format!("{compiler}-")));
    if !device && !host {
        return None;
    }
    let is_file = |word: &str| Path::new(word).file_name().and_then(|n| n.to_str()) == Some(name);
    let words = || {
        line.iter()
            .map(String::as_str)
            .chain(rule.needs.split_whitespace())
    };
    if words().any(is_file) {
        return Some(Fit::Named);
    }
    // `%.o: %.cu` and the older `.cu.o:`.
    let of_ending = |word: &str| word.contains('%') && word.ends_with(&format!(".{ending}"));
    let suffix_rule = rule.targets.trim().starts_with(&format!(".{ending}."));
    if words().any(of_ending) || suffix_rule {
        return Some(Fit::Ending);
    }
    device.then_some(Fit::Device)
}

/// What of a command is used.
fn reading(line: &[String], folder: &Path) -> CompileFlags {
    let whole: Vec<String> = line
        .iter()
        .filter(|word| !word.contains(UNKNOWN))
        .cloned()
        .collect();
    let read = flags::read(&whole, folder);
    let exists = |dir: &PathBuf| fs::metadata(dir).is_ok_and(|data| data.is_dir());
    CompileFlags {
        macros: read.macros,
        quote_dirs: read.quote_dirs.into_iter().filter(exists).collect(),
        include_dirs: read.include_dirs.into_iter().filter(exists).collect(),
        system_dirs: read.system_dirs.into_iter().filter(exists).collect(),
        forced_includes: read.forced_includes,
        ..CompileFlags::default()
    }
}

/// The flags as one would write them, include folders under their names in reports.
fn told(flags: &CompileFlags, scan: &Scan) -> Vec<String> {
    let macros = flags.macros.iter().map(|change| match change {
        Macro::Define { name, value } if value == "1" => format!("-D{name}"),
        Macro::Define { name, value } => format!("-D{name}={value}"),
        Macro::Undefine { name } => format!("-U{name}"),
    });
    let folders = flags
        .quote_dirs
        .iter()
        .chain(&flags.include_dirs)
        .chain(&flags.system_dirs)
        .map(|folder| format!("-I{}", scan.name(folder)));
    let forced = flags
        .forced_includes
        .iter()
        .map(|name| format!("-include {name}"));
    macros.chain(folders).chain(forced).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(makefile: &str, source: &str) -> Option<String> {
        let makefile = parse(makefile, Path::new("."));
        compile_line(&makefile, Path::new(source)).map(|words| words.join(" "))
    }

    #[test]
    fn the_line_of_the_file_comes_before_that_of_its_ending() {
        let text = "CFLAGS = -DALL\nprog: a.o b.o\n\tnvcc $(CFLAGS) $^ -o $@\n%.o: %.cu\n\tnvcc $(CFLAGS) -DKIND -c $<\n\
            b.o: b.cu\n\t@echo b\n\tnvcc -DB -c $< -o $@\n.cpp.o:\n\tg++ -DHOST -c $<\nrun:\n\t./prog -DX\n";
        assert_eq!(
            line(text, "s/a.cu").as_deref(),
            Some("nvcc -DALL -DKIND -c")
        );
        assert_eq!(line(text, "s/b.cu").as_deref(), Some("nvcc -DB -c -o"));
        assert_eq!(line(text, "c.cpp").as_deref(), Some("g++ -DHOST -c"));
        assert_eq!(line(text, "h.cuh").as_deref(), Some("nvcc -DALL -o"));
        assert_eq!(
            line("run:\n\t./prog -DX\ntest:\n\techo nvcc\n", "a.cu"),
            None
        );
    }

    #[test]
    fn of_a_line_macros_and_folders_are_used() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("inc")).expect("a folder");
        let words: Vec<String> =
            words::split("nvcc -DA=2 -Iinc -I../gone -arch=sm_60 -std=c++14 -DB=\u{1} -c x.cu");
        let flags = reading(&words, folder.path());
        let two = Macro::Define {
            name: "A".to_owned(),
            value: "2".to_owned(),
        };
        assert_eq!(
            flags,
            CompileFlags {
                macros: vec![two],
                include_dirs: vec![folder.path().join("inc")],
                ..CompileFlags::default()
            }
        );
    }
}
