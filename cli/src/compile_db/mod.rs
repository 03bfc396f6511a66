//! `compile_commands.json`: with which flags each file is compiled (<https://clang.llvm.org/docs/JSONCompilationDatabase.html>).
//!
//! Entries give a command as one text or as a list of words, relative to their directory. A file with several entries is
//! checked once for each set of flags that differs. A file without an entry gets the flags of the file nearest to it in the
//! folders that has one, as editors do it; the report says so.

pub(crate) mod flags;
pub(crate) mod words;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use warplog_report::InputError;

pub use flags::CompileFlags;

use crate::targets::Target;

/// The name of the file in its folder.
const FILE_NAME: &str = "compile_commands.json";

/// How to come by one.
const ADVICE: &str = "`cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON` or `bear -- make` writes one";

/// A compilation database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Database {
    /// The flags by file, without links; the distinct ones of a file in the order of its entries.
    files: BTreeMap<PathBuf, Vec<CompileFlags>>,
    /// The files of each target, by the folder that its objects go to: CMake's `CMakeFiles/app.dir`.
    targets: BTreeMap<PathBuf, Vec<PathBuf>>,
}

/// The flags of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup<'a> {
    /// The file has entries.
    Own(&'a [CompileFlags]),
    /// It has none, and these are of another file.
    Nearest(&'a CompileFlags),
    /// The database is empty.
    Nothing,
}

/// Reads the database at a path: the file, or the folder that holds it. What is wrong with single entries is in the list;
/// the others are good.
///
/// # Errors
/// The file cannot be read, or is no database at all.
pub fn load(path: &Path) -> Result<(Database, Vec<InputError>), InputError> {
    let file = if path.is_dir() {
        path.join(FILE_NAME)
    } else {
        path.to_owned()
    };
    let failure = |message: String| InputError {
        file: crate::collect::shown(&file),
        line: None,
        message,
    };
    let text = fs::read(&file).map_err(|error| {
        let reason = crate::collect::reason(&error);
        failure(format!(
            "cannot read the compile commands: {reason}; {ADVICE}"
        ))
    })?;
    let entries: Value = serde_json::from_slice(&text).map_err(|error| InputError {
        line: u32::try_from(error.line()).ok().filter(|line| *line > 0),
        ..failure(format!(
            "the compile commands are no JSON ({error}); {ADVICE}"
        ))
    })?;
    let Value::Array(entries) = entries else {
        return Err(failure(format!(
            "the compile commands are not a list of objects with `directory`, `file` and `command` or `arguments`; {ADVICE}"
        )));
    };
    let base = file.parent().unwrap_or(Path::new(""));
    let mut database = Database::default();
    let mut errors = Vec::new();
    for (number, entry) in (1..).zip(&entries) {
        match self::entry(entry, base) {
            Ok((source, flags)) => {
                if let Some(target) = target(entry) {
                    let files = database.targets.entry(target).or_default();
                    files.push(source.clone());
                }
                let all = database.files.entry(source).or_default();
                if !all.contains(&flags) {
                    all.push(flags);
                }
            }
            Err(what) => errors.push(failure(format!("entry {number} {what}; it is left out"))),
        }
    }
    Ok((database, errors))
}

/// The folder of the target that an entry is a part of, as its object tells: `CMakeFiles/app.dir/src/a.cu.o`.
fn target(entry: &Value) -> Option<PathBuf> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    let words: Vec<String> = match (entry.get("arguments"), text("command")) {
        (Some(Value::Array(words)), _) => {
            let words = words.iter().filter_map(Value::as_str);
            words.map(str::to_owned).collect()
        }
        (_, command) => words::split(command.unwrap_or_default()),
    };
    let named = words.iter().position(|word| word == "-o");
    let named = named.and_then(|at| words.get(at + 1)).map(String::as_str);
    let object = Path::new(text("output").or(named)?);
    let object = Path::new(text("directory").unwrap_or("")).join(object);
    let ends = |folder: &&Path| {
        folder.extension().is_some_and(|end| end == "dir")
            && folder
                .parent()
                .is_some_and(|above| above.ends_with("CMakeFiles"))
    };
    object.ancestors().find(ends).map(Path::to_owned)
}

/// One entry: its file and its flags.
fn entry(entry: &Value, base: &Path) -> Result<(PathBuf, CompileFlags), &'static str> {
    let text = |key: &str| entry.get(key).and_then(Value::as_str);
    if !entry.is_object() {
        return Err("is no object");
    }
    let source = text("file").ok_or("has no `file`")?;
    let directory = base.join(text("directory").unwrap_or(""));
    let words = match (entry.get("arguments"), text("command")) {
        (Some(Value::Array(words)), _) => words
            .iter()
            .map(|word| word.as_str().map(str::to_owned))
            .collect::<Option<Vec<_>>>()
            .ok_or("has `arguments` that are no texts")?,
        (Some(_), _) => return Err("has `arguments` that are no list"),
        (None, Some(command)) => words::split(command),
        (None, None) => return Err("has neither `command` nor `arguments`"),
    };
    let source = directory.join(source);
    let source = fs::canonicalize(&source).unwrap_or(source);
    Ok((source, flags::read(&words, &directory)))
}

impl Database {
    /// The flags for a file, given without links.
    #[must_use]
    pub fn find(&self, file: &Path) -> Lookup<'_> {
        if let Some(own) = self.files.get(file) {
            return Lookup::Own(own);
        }
        let common = |other: &Path| {
            let pairs = file.components().zip(other.components());
            pairs.take_while(|(a, b)| a == b).count()
        };
        let mut best: Option<(usize, &CompileFlags)> = None;
        for (other, flags) in &self.files {
            let common = common(other);
            if let Some(first) = flags.first()
                && best.is_none_or(|(most, _)| common > most)
            {
                best = Some((common, first));
            }
        }
        best.map_or(Lookup::Nothing, |(_, flags)| Lookup::Nearest(flags))
    }

    /// The files of each target that has several.
    pub(crate) fn targets(&self) -> impl Iterator<Item = Target> {
        let several = self.targets.values().filter(|files| files.len() > 1);
        several.map(|files| Target {
            files: files.clone(),
            told: FILE_NAME.to_owned(),
        })
    }

    /// The files, without links, that are compiled as CUDA or HIP, whatever their names.
    pub fn device_sources(&self) -> impl Iterator<Item = &Path> {
        self.files
            .iter()
            .filter(|(_, flags)| flags.iter().any(CompileFlags::makes_device_code))
            .map(|(file, _)| file.as_path())
    }
}

impl CompileFlags {
    fn makes_device_code(&self) -> bool {
        match self.language.as_deref() {
            Some(language) => matches!(language, "cu" | "cuda" | "hip"),
            None => self.device_compiler,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder(text: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["a.cu", "b.cpp", "sub/c.cu", "sub/d.cu"] {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(path, "").expect("a file");
        }
        fs::write(folder.path().join(FILE_NAME), text).expect("a file");
        folder
    }

    #[test]
    fn both_forms_several_entries_and_the_nearest_file() {
        let folder = folder(
            r#"[
            {"directory": ".", "file": "a.cu", "command": "nvcc -DA -Iinc -c a.cu"},
            {"directory": ".", "file": "a.cu", "command": "nvcc  -DA  -Iinc -c a.cu -o x.o"},
            {"directory": ".", "file": "a.cu", "command": "nvcc -DB -c a.cu"},
            {"directory": "sub", "file": "c.cu", "arguments": ["nvcc", "-DC", "-I", "../my inc"]},
            {"directory": ".", "file": "b.cpp", "arguments": ["clang++", "-x", "cuda", "b.cpp"]},
            {"directory": ".", "file": "e.cpp", "arguments": ["g++", "e.cpp"]}
            ]"#,
        );
        let (database, errors) = load(folder.path()).expect("a database");
        assert_eq!(errors, []);
        let root = fs::canonicalize(folder.path()).expect("a path");
        let Lookup::Own(own) = database.find(&root.join("a.cu")) else {
            panic!("no entry");
        };
        assert_eq!(own.len(), 2);
        let Lookup::Nearest(near) = database.find(&root.join("sub/d.cu")) else {
            panic!("an entry");
        };
        assert!(near.include_dirs[0].ends_with("sub/../my inc"));
        let device: Vec<_> = database
            .device_sources()
            .filter_map(Path::file_name)
            .collect();
        assert_eq!(device, ["a.cu", "b.cpp", "c.cu"]);
        assert_eq!(Database::default().find(&root), Lookup::Nothing);
    }

    #[test]
    fn bad_entries_are_told_and_the_others_kept() {
        let folder = folder(
            r#"[3, {"file": "a.cu"}, {"directory": "."}, {"file": "a.cu", "arguments": [1]},
            {"file": "a.cu", "arguments": "x"}, {"file": "sub/c.cu", "command": "nvcc"}]"#,
        );
        let (database, errors) = load(&folder.path().join(FILE_NAME)).expect("a database");
        assert_eq!(database.files.len(), 1);
        let told: Vec<&str> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(
            told,
            [
                "entry 1 is no object; it is left out",
                "entry 2 has neither `command` nor `arguments`; it is left out",
                "entry 3 has no `file`; it is left out",
                "entry 4 has `arguments` that are no texts; it is left out",
                "entry 5 has `arguments` that are no list; it is left out",
            ]
        );
    }

    #[test]
    fn what_is_no_database_is_refused_with_advice() {
        for (text, words) in [
            ("{", "no JSON"),
            ("{}", "not a list of objects"),
            ("", "no JSON"),
            ("[\n{\"file\": ]", "no JSON"),
        ] {
            let error = load(folder(text).path()).expect_err(text);
            assert!(error.message.contains(words), "{}", error.message);
            assert!(error.message.contains("bear -- make"), "{}", error.message);
        }
        assert_eq!(
            load(folder("[\n{\"file\": ]").path())
                .expect_err("bad")
                .line,
            Some(2)
        );
        let error = load(Path::new("no/such/folder")).expect_err("missing");
        assert!(error.message.contains("no such file"), "{}", error.message);
    }
}
