//! Our preprocessor beside another one: the same text, the same macros and the same files for both, then token by token.
//!
//! The other one is `clang -E` or `g++ -E`, whichever is installed. Headers that neither has are made empty for both, in a
//! folder of their own: so no header of the system takes part, and `__has_include` answers the same.
//!
//! **What is compared.** The spelling of every token, by a tokeniser of this module. Left out: `#pragma` lines, which the other
//! one keeps, with `_Pragma`, which is kept as it is here. Our rewrites for the parser are off.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

use warplog_extractor::preprocess::{Config, Define, NoteKind, preprocess};

/// Another preprocessor.
#[derive(Clone, Debug)]
pub struct Other {
    /// The program.
    pub program: &'static str,
    /// What it says of its version.
    pub version: String,
}

impl Other {
    /// The preprocessors of this machine, of those that are known here.
    pub fn installed() -> Vec<Other> {
        ["clang", "g++"]
            .into_iter()
            .filter_map(Other::named)
            .collect()
    }

    /// One by its name, if it is installed and can do C++.
    pub fn named(program: &'static str) -> Option<Other> {
        let version = Command::new(program).arg("--version").output().ok()?;
        let other = Other {
            program,
            version: String::from_utf8_lossy(&version.stdout)
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned(),
        };
        let folder = tempfile::tempdir().ok()?;
        let file = folder.path().join("works.cu");
        fs::write(&file, "works").ok()?;
        let tokens = other.expand(&file, &[], &Config::default()).ok()?;
        (tokens == ["works"]).then_some(other)
    }

    /// The tokens of a file after preprocessing with the macros of `config`.
    ///
    /// # Errors
    /// When the program cannot be run.
    pub fn expand(
        &self,
        file: &Path,
        folders: &[PathBuf],
        config: &Config,
    ) -> io::Result<Vec<String>> {
        let mut prelude = tempfile::NamedTempFile::new()?;
        prelude.write_all(config.command_line().as_bytes())?;
        let mut command = Command::new(self.program);
        command.args(["-E", "-P", "-w", "-undef", "-nostdinc", "-x", "c++"]);
        command.arg(if self.program == "clang" {
            "-std=c++20"
        } else {
            "-std=gnu++20"
        });
        if self.program == "clang" {
            // An `#include` in a branch that only clang takes shall not end the reading.
            command.args(["-ferror-limit=0"]);
        }
        for folder in folders {
            command.arg("-I").arg(folder);
        }
        command.arg("-include").arg(prelude.path()).arg(file);
        // Errors do not matter: the text goes on after them.
        let output = command
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let lines = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("#pragma"));
        Ok(tokens(&lines.collect::<Vec<_>>().join("\n")))
    }
}

/// What became of a file.
#[derive(Debug)]
pub struct Comparison {
    /// How many tokens we give.
    pub tokens: usize,
    /// How many numbers differ that clang made of `__LINE__` in a call over several lines: it takes the line where the call ends,
    /// as the standard leaves open, where GCC and we take the one where it begins.
    pub line_numbers: usize,
    /// The first other difference, ours and theirs with some tokens around it.
    pub difference: Option<(String, String)>,
    /// Whether we say ourselves that the text may not be what a compiler sees.
    pub damage: bool,
}

/// Our reading of a file.
#[derive(Debug)]
pub struct Ours {
    /// Its tokens.
    pub tokens: Vec<String>,
    /// Whether we say ourselves that the text may not be what a compiler sees.
    pub damage: bool,
    config: Config,
    /// Holds the headers that were missing.
    _empty: tempfile::TempDir,
}

/// Preprocesses the file as we do, with headers from the folders and with empty ones where there is none.
///
/// # Errors
/// When a file cannot be read or written, or is no text.
pub fn ours(file: &Path, folders: &[PathBuf]) -> io::Result<Ours> {
    let bytes = fs::read(file)?;
    let empty = tempfile::tempdir()?;
    let mut include_dirs = folders.to_vec();
    // Deep enough for headers that are wanted some folders up.
    let deep = empty.path().join("1/2/3/4/5/6/7/8");
    fs::create_dir_all(&deep)?;
    include_dirs.push(deep.clone());
    let config = Config {
        include_dirs,
        rewrites: false,
        defines: demanded(&bytes),
        ..Config::default()
    };
    loop {
        let read = preprocess(file, &bytes, &config).map_err(io::Error::other)?;
        let mut more = false;
        for note in read
            .notes
            .iter()
            .filter(|note| note.kind == NoteKind::MissingInclude)
        {
            let name = note.text.trim_matches(['<', '>', '"']);
            let ups = name.split('/').filter(|part| *part == "..").count();
            let path = deep.join(name);
            if note.text.starts_with(['<', '"'])
                && !name.starts_with('/')
                && ups <= 8
                && !path.exists()
            {
                fs::create_dir_all(path.parent().unwrap_or(&deep))?;
                fs::write(path, "")?;
                more = true;
            }
        }
        if !more {
            let tokens = without_pragmas(tokens(&read.text));
            let damage = read.notes.iter().any(|note| note.kind.is_damage());
            return Ok(Ours {
                tokens,
                damage,
                config,
                _empty: empty,
            });
        }
    }
}

/// The macros that the text demands by `#ifndef` with an `#error` in the next line: a build gives them, here as 1.
fn demanded(bytes: &[u8]) -> Vec<Define> {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines
        .windows(2)
        .filter(|pair| pair[1].starts_with("#error"))
        .filter_map(|pair| pair[0].strip_prefix("#ifndef "))
        .map(|name| Define::parse(name.trim()))
        .collect()
}

/// Preprocesses the file both ways.
///
/// # Errors
/// When a file cannot be read or written, or is no text.
pub fn compare(file: &Path, folders: &[PathBuf], other: &Other) -> io::Result<Comparison> {
    let Ours {
        tokens: ours,
        damage,
        config,
        _empty,
    } = ours(file, folders)?;
    let mut theirs = other.expand(file, &config.include_dirs, &config)?;
    let mut line_numbers = 0;
    if other.program == "clang" {
        let number = |token: &str| token.parse::<u32>().ok();
        for (ours, theirs) in ours.iter().zip(&mut theirs) {
            if number(theirs).is_some_and(|end| number(ours).is_some_and(|start| start < end)) {
                theirs.clone_from(ours);
                line_numbers += 1;
            }
        }
    }
    let difference = difference(&ours, &theirs);
    Ok(Comparison {
        tokens: ours.len(),
        line_numbers,
        difference,
        damage,
    })
}

/// What the other preprocessor makes of the file.
///
/// # Errors
/// When a file cannot be read or written, or is no text, or the program cannot be run.
pub fn theirs(file: &Path, folders: &[PathBuf], other: &Other) -> io::Result<Vec<String>> {
    let ours = ours(file, folders)?;
    other.expand(file, &ours.config.include_dirs, &ours.config)
}

/// Tokens as a text to keep and to read: a line ends behind each `;`.
pub fn lines(tokens: &[String]) -> String {
    let mut text = String::new();
    for token in tokens {
        text.push_str(token);
        text.push(if token == ";" { '\n' } else { ' ' });
    }
    text.push('\n');
    text
}

/// The first place where two token lists differ, with some tokens before and after it.
fn difference(ours: &[String], theirs: &[String]) -> Option<(String, String)> {
    let same = ours.iter().zip(theirs).take_while(|(a, b)| a == b).count();
    if same == ours.len() && same == theirs.len() {
        return None;
    }
    let around = |tokens: &[String]| {
        let part: Vec<&str> = tokens
            .iter()
            .skip(same.saturating_sub(6))
            .take(18)
            .map(String::as_str)
            .collect();
        part.join(" ").chars().take(300).collect::<String>()
    };
    Some((around(ours), around(theirs)))
}

/// Drops `_Pragma("…")`.
fn without_pragmas(tokens: Vec<String>) -> Vec<String> {
    let mut kept = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let called = token == "_Pragma" && tokens.get(at + 1).is_some_and(|next| next == "(");
        if called && tokens.get(at + 3).is_some_and(|close| close == ")") {
            at += 4;
        } else {
            kept.push(token.clone());
            at += 1;
        }
    }
    kept
}

/// The punctuators of C++ and CUDA of more than one character, longer ones first.
const PUNCTUATORS: [&str; 30] = [
    "<<<", ">>>", "<<=", ">>=", "...", "->*", "<=>", "<<", ">>", "<=", ">=", "->", "--", "-=",
    "++", "+=", "&&", "&=", "||", "|=", "##", "::", ".*", "==", "!=", "*=", "/=", "%=", "^=", "<:",
];

/// The tokens of preprocessed text: there are no comments in it, and no lines to join.
pub fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = token_length(rest, first).max(first.len_utf8());
        tokens.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    tokens
}

fn token_length(rest: &str, first: char) -> usize {
    let word = |text: &str| {
        text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$' || !c.is_ascii()))
            .unwrap_or(text.len())
    };
    if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit())
    {
        return number_length(rest);
    }
    let name = word(rest);
    let after = &rest[name..];
    let raw = matches!(&rest[..name], "R" | "LR" | "uR" | "UR" | "u8R") && after.starts_with('"');
    if raw
        && let Some(open) = after.find('(')
        && let end = format!("){}\"", &after[1..open])
        && let Some(close) = after.find(&end)
    {
        return name + close + end.len();
    }
    if matches!(
        &rest[..name],
        "" | "L" | "u" | "U" | "u8" | "R" | "LR" | "uR" | "UR" | "u8R"
    ) && let Some(quote @ ('"' | '\'')) = after.chars().next()
    {
        let mut escaped = false;
        for (at, character) in after.char_indices().skip(1) {
            match character {
                '\n' => return name + at,
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                _ if character == quote => return name + at + 1,
                _ => {}
            }
        }
        return rest.len();
    }
    if name > 0 {
        return name;
    }
    PUNCTUATORS
        .iter()
        .find(|known| rest.starts_with(**known))
        .map_or(0, |known| known.len())
}

fn number_length(rest: &str) -> usize {
    let mut previous = ' ';
    for (at, character) in rest.char_indices() {
        let sign = matches!(character, '+' | '-') && matches!(previous, 'e' | 'E' | 'p' | 'P');
        let separator = character == '\''
            && rest[at + 1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        if !(character.is_ascii_alphanumeric()
            || matches!(character, '.' | '_')
            || sign
            || separator)
        {
            return at;
        }
        previous = character;
    }
    rest.len()
}
