//! The program as a process, for the suites of the command line.
//!
//! Each suite has a folder of its own; `@` in a command line stands for it and is put back into the output.

use std::fs;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tempfile::TempDir;

/// A folder, and the program to run in it.
pub struct Bench {
    program: PathBuf,
    folder: TempDir,
}

/// What a run gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Exit status.
    pub status: i32,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

impl Bench {
    /// A new folder for this program.
    ///
    /// # Panics
    /// Without a folder there is nothing to test.
    #[must_use]
    pub fn new(program: &str) -> Self {
        Bench {
            program: PathBuf::from(program),
            folder: tempfile::tempdir().expect("a folder"),
        }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Writes a file, and the folders that lead to it.
    ///
    /// # Panics
    /// When that fails.
    pub fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).expect("folders");
        }
        fs::write(&path, text).expect("a file");
        path
    }

    /// The text of a file.
    ///
    /// # Panics
    /// When it is not there, or no text.
    #[must_use]
    pub fn read(&self, name: &str) -> String {
        let path = self.folder.path().join(name);
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The program, in the folder, away from whatever terminal and settings the suite runs under.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command
            .current_dir(self.folder.path())
            .stdin(Stdio::null())
            .env_remove("COLUMNS")
            .env_remove("NO_COLOR")
            // What is known from other runs would hide what this one does.
            .env("WARPLOG_CACHE_DIR", "")
            // A page is the same to the byte whenever it is made.
            .env("SOURCE_DATE_EPOCH", "0")
            .env("CLICOLOR_FORCE", "1");
        command
    }

    /// Runs a command line; words are separated by spaces.
    ///
    /// # Panics
    /// When the program cannot be run, is killed, or writes no text.
    pub fn run(&self, line: &str) -> Run {
        let words: Vec<&str> = line.split_whitespace().collect();
        self.words(&words)
    }

    /// Runs the program with these arguments.
    ///
    /// # Panics
    /// As [`Bench::run`].
    pub fn words(&self, words: &[&str]) -> Run {
        self.with_input(words, "")
    }

    /// The same with something to read on standard input.
    ///
    /// # Panics
    /// As [`Bench::run`].
    pub fn with_input(&self, words: &[&str], input: &str) -> Run {
        let root = self.folder.path().display().to_string();
        let arguments = words.iter().map(|word| word.replace('@', &root));
        let mut command = self.command();
        command.args(arguments);
        if !input.is_empty() {
            let mut file = tempfile::tempfile().expect("a file");
            file.write_all(input.as_bytes()).expect("writes");
            file.rewind().expect("is a file");
            command.stdin(file);
        }
        let output = command.output().expect("runs");
        let name = self.program.file_name().unwrap_or_default();
        let name = name.to_string_lossy();
        let text = |bytes: Vec<u8>| {
            let text = String::from_utf8(bytes).expect("UTF-8");
            assert!(!text.contains('\u{1b}'), "colour without a terminal");
            let text = text.replace(&format!("{root}/"), "").replace(&root, "@");
            text.replace(name.as_ref(), "warplog")
        };
        Run {
            status: output.status.code().expect("a status"),
            out: text(output.stdout),
            err: text(output.stderr),
        }
    }
}

impl Run {
    /// Status, output and errors in one text, to compare with a snapshot.
    #[must_use]
    pub fn shown(&self) -> String {
        let mut all = format!("status {}\n", self.status);
        for (name, text) in [("stdout", &self.out), ("stderr", &self.err)] {
            if !text.is_empty() {
                all.push_str(&format!("--- {name}\n{text}"));
            }
        }
        all
    }
}

/// The first of some programs with which a tool of the tests can be made.
///
/// # Errors
/// Why none of them does.
pub(crate) fn first_that_works<T>(
    programs: &[&'static str],
    with: impl Fn(&'static str) -> Result<T, String>,
) -> Result<T, String> {
    let mut reasons = Vec::new();
    for program in programs {
        match with(program) {
            Ok(tool) => return Ok(tool),
            Err(reason) => reasons.push(format!("{program}: {reason}")),
        }
    }
    Err(reasons.join("; "))
}
