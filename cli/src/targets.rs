//! The files of the targets that a `CMakeLists.txt` builds.
//!
//! **Read**: `add_executable`, `add_library`, `cuda_add_executable`, `cuda_add_library` and `target_sources`, with names of files, and
//! `target_link_libraries`, whose libraries' files come with the target; variables of `set` and `list(APPEND …)`, and the patterns of `file(GLOB …)` within one folder. What a condition leaves out is not
//! known: all is taken. Of anything else nothing is taken: a file that is missed here is still found in its folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// How many folders above a source are looked into for the list that names it.
const LEVELS: usize = 3;

/// The files of a target, and the list that names them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub files: Vec<PathBuf>,
    pub told: String,
}

/// The targets of the lists in these folders and in those above them.
pub(crate) fn of_folders<'f>(folders: impl Iterator<Item = &'f PathBuf>) -> Vec<Target> {
    let mut lists: BTreeMap<PathBuf, Vec<Listed>> = BTreeMap::new();
    for folder in folders {
        for above in folder.ancestors().take(LEVELS) {
            let list = above.join("CMakeLists.txt");
            if lists.contains_key(&list) {
                continue;
            }
            let read = match fs::read_to_string(&list) {
                Ok(text) => targets(&text, above),
                Err(_) => Vec::new(),
            };
            lists.insert(list, read);
        }
    }
    with_libraries(lists.into_values().flatten().collect())
}

/// A target by its name, with the names of what it is linked with.
struct Listed {
    name: String,
    target: Target,
    libraries: Vec<String>,
}

/// The targets of several files, with those of the libraries that they are linked with.
fn with_libraries(listed: Vec<Listed>) -> Vec<Target> {
    let mut by_name: BTreeMap<&str, Vec<&Listed>> = BTreeMap::new();
    for one in &listed {
        by_name.entry(&one.name).or_default().push(one);
    }
    let mut found = Vec::new();
    for one in &listed {
        let mut files: Vec<PathBuf> = Vec::new();
        let mut met: BTreeSet<&str> = BTreeSet::from([one.name.as_str()]);
        let mut work: Vec<&Listed> = vec![one];
        while let Some(next) = work.pop() {
            for file in &next.target.files {
                if !files.contains(file) {
                    files.push(file.clone());
                }
            }
            for library in &next.libraries {
                // Of several of one name it is not known which is meant.
                if met.insert(library)
                    && let Some([only]) = by_name.get(library.as_str()).map(Vec::as_slice)
                {
                    work.push(only);
                }
            }
        }
        if files.len() > 1 {
            let told = one.target.told.clone();
            found.push(Target { files, told });
        }
    }
    found
}

/// The targets of a list that stands in a folder.
fn targets(text: &str, folder: &Path) -> Vec<Listed> {
    let mut variables: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut found: BTreeMap<String, Vec<PathBuf>> = BTreeMap::new();
    let mut libraries: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (command, arguments) in commands(text) {
        let mut words: Vec<String> = Vec::new();
        for argument in arguments {
            words.extend(expanded(&argument, &variables, folder));
        }
        match command.as_str() {
            "set" => {
                if let Some((name, values)) = words.split_first() {
                    variables.insert(name.clone(), values.to_vec());
                }
            }
            "list" => {
                if let [append, name, values @ ..] = words.as_slice()
                    && append == "APPEND"
                {
                    let known = variables.entry(name.clone()).or_default();
                    known.extend(values.iter().cloned());
                }
            }
            "file" => {
                if let [glob, name, patterns @ ..] = words.as_slice()
                    && matches!(glob.as_str(), "GLOB" | "GLOB_RECURSE")
                {
                    let files = patterns
                        .iter()
                        .flat_map(|pattern| matching(pattern, folder));
                    variables.insert(name.clone(), files.collect());
                }
            }
            "add_executable"
            | "add_library"
            | "cuda_add_executable"
            | "cuda_add_library"
            | "target_sources" => {
                if let Some((name, sources)) = words.split_first() {
                    let files = sources
                        .iter()
                        .filter_map(|source| fs::canonicalize(folder.join(source)).ok())
                        .filter(|path| path.is_file());
                    found.entry(name.clone()).or_default().extend(files);
                }
            }
            "target_link_libraries" | "cuda_link_libraries" => {
                if let Some((name, linked)) = words.split_first() {
                    let known = libraries.entry(name.clone()).or_default();
                    known.extend(linked.iter().cloned());
                }
            }
            _ => {}
        }
    }
    let told = match folder.file_name() {
        Some(name) => format!("{}/CMakeLists.txt", name.to_string_lossy()),
        None => "CMakeLists.txt".to_owned(),
    };
    let all = found.into_iter().map(|(name, files)| Listed {
        libraries: libraries.remove(&name).unwrap_or_default(),
        name,
        target: Target {
            files,
            told: told.clone(),
        },
    });
    all.collect()
}

/// The commands of a list, in lower case, with their arguments.
fn commands(text: &str) -> Vec<(String, Vec<String>)> {
    let code: Vec<&str> = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""))
        .collect();
    let code = code.join("\n");
    let mut found = Vec::new();
    let mut rest = code.as_str();
    while let Some(open) = rest.find('(') {
        let name = rest[..open].trim_end();
        let begin = name
            .rfind(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))
            .map_or(0, |at| at + 1);
        let mut depth = 0_usize;
        let close = rest[open..].char_indices().find(|(_, c)| {
            match c {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some((length, _)) = close else { break };
        let inside = &rest[open + 1..open + length];
        let words = inside
            .split(|c: char| c.is_whitespace() || c == ';' || c == '"')
            .filter(|word| !word.is_empty());
        found.push((
            name[begin..].to_ascii_lowercase(),
            words.map(str::to_owned).collect(),
        ));
        rest = &rest[open + length + 1..];
    }
    found
}

/// An argument with its variables replaced, as a list.
fn expanded(
    argument: &str,
    variables: &BTreeMap<String, Vec<String>>,
    folder: &Path,
) -> Vec<String> {
    let Some((before, rest)) = argument.split_once("${") else {
        return vec![argument.to_owned()];
    };
    let Some((name, after)) = rest.split_once('}') else {
        return Vec::new();
    };
    let here = || vec![folder.to_string_lossy().into_owned()];
    let values = match name {
        "CMAKE_CURRENT_SOURCE_DIR"
        | "CMAKE_CURRENT_LIST_DIR"
        | "CMAKE_SOURCE_DIR"
        | "PROJECT_SOURCE_DIR" => here(),
        _ => variables.get(name).cloned().unwrap_or_default(),
    };
    let tails = match after.contains("${") {
        true => expanded(after, variables, folder),
        false => vec![after.to_owned()],
    };
    let mut all = Vec::new();
    for value in values {
        all.extend(tails.iter().map(|tail| format!("{before}{value}{tail}")));
    }
    all
}

/// The files of one folder that a pattern with `*` in its last component means.
fn matching(pattern: &str, folder: &Path) -> Vec<String> {
    let path = folder.join(pattern);
    let (Some(parent), Some(name)) = (path.parent(), path.file_name()) else {
        return Vec::new();
    };
    let name = name.to_string_lossy();
    let Some((before, after)) = name.split_once('*') else {
        return vec![path.to_string_lossy().into_owned()];
    };
    let Ok(entries) = fs::read_dir(parent) else {
        return Vec::new();
    };
    let mut found: Vec<String> = entries
        .flatten()
        .filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.len() >= before.len() + after.len()
                && name.starts_with(before)
                && name.ends_with(after)
        })
        .map(|entry| entry.path().to_string_lossy().into_owned())
        .collect();
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_read() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["main.cpp", "a.cu", "src/b.cu", "src/c.cu", "src/d.txt"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(path, "").expect("a file");
        }
        let real = fs::canonicalize(folder.path()).expect("a path");
        let text = "# add_executable(no main.cpp a.cu)\nset(MORE a.cu)\n\
            file(GLOB KERNELS ${CMAKE_CURRENT_SOURCE_DIR}/src/*.cu)\n\
            list(APPEND MORE ${KERNELS})\n\
            if(WITH_CUDA)\n  CUDA_ADD_EXECUTABLE(app main.cpp ${MORE} gone.cu)\nendif()\n\
            add_library(lib STATIC a.cu)\ntarget_sources(lib PRIVATE \"src/b.cu\")\n\
            add_executable(tool src/c.cu)\ntarget_link_libraries(tool PRIVATE lib m)\n";
        let shown: Vec<Vec<String>> = with_libraries(targets(text, &real))
            .iter()
            .map(|target| {
                let files = target.files.iter();
                files
                    .map(|file| {
                        let file = file.strip_prefix(&real).expect("inside");
                        file.to_string_lossy().into_owned()
                    })
                    .collect()
            })
            .collect();
        assert_eq!(
            shown,
            [
                vec!["main.cpp", "a.cu", "src/b.cu", "src/c.cu"],
                vec!["a.cu", "src/b.cu"],
                vec!["src/c.cu", "a.cu", "src/b.cu"]
            ]
        );
    }
}
