//! Reads the snippets of `tests/values/`.
//!
//! Snippets are separated by empty lines. In a snippet, lines that begin with `>` are statements of a function, the one that
//! begins with `=` is the expression, all others are at the level of the file. Without an expression the statements are those of
//! a host function `void h(int *g)` that launches `__global__ void k(int *g, long n)`. `// alone` gives it a translation unit
//! of its own, `// open: why` says that a fault is known, `// device` and `// host` that it stands only there; `HD` stands for
//! `__host__ __device__`, `$` for the qualified namespace that the snippet is put into.

use std::fmt;
use std::fs;
use std::io;
use std::path::Path;

use crate::project;

/// A small program with a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Snippet {
    /// The file that it is from, without ending.
    pub file: String,
    /// Its first line there, or its number.
    pub line: usize,
    /// Declarations.
    pub prelude: String,
    /// Statements.
    pub body: String,
    /// The expression; none for host code that launches.
    pub value: Option<String>,
    /// It wants a translation unit of its own.
    pub alone: bool,
    /// It has no place in host code.
    pub device: bool,
    /// It has no place in a kernel.
    pub host: bool,
    /// It stands in kernels alone, not in functions that they call.
    pub kernel_only: bool,
    /// Why a fault is known and left open.
    pub open: Option<String>,
}

impl Snippet {
    /// The construct that it belongs to.
    #[must_use]
    pub fn group(&self) -> &str {
        &self.file
    }

    /// File and line.
    #[must_use]
    pub fn place(&self) -> String {
        format!("{}:{}", self.file, self.line)
    }
}

impl fmt::Display for Snippet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.prelude)?;
        for line in self.body.lines() {
            writeln!(f, ">{line}")?;
        }
        match &self.value {
            Some(value) => writeln!(f, "= {value}"),
            None => Ok(()),
        }
    }
}

/// The snippets of all files of a folder of the project, by file.
///
/// # Errors
/// A file that cannot be read.
pub fn read_snippets(folder: &str) -> io::Result<Vec<Snippet>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(project().join(folder))? {
        paths.push(entry?.path());
    }
    paths.sort();
    let mut snippets = Vec::new();
    for path in paths {
        let text = fs::read_to_string(&path)?;
        let stem = path.file_stem().map(Path::new).unwrap_or(&path);
        read(&stem.display().to_string(), &text, &mut snippets);
    }
    Ok(snippets)
}

fn read(file: &str, text: &str, snippets: &mut Vec<Snippet>) {
    let mut snippet = Snippet::default();
    for (number, line) in text.lines().chain([""]).enumerate() {
        if line.trim().is_empty() {
            if snippet.body.is_empty() && snippet.value.is_none() {
                // A comment between the snippets.
                snippet = Snippet::default();
            } else {
                snippets.push(std::mem::take(&mut snippet));
            }
            continue;
        }
        if snippet.line == 0 {
            snippet.line = number + 1;
            snippet.file = file.to_owned();
        }
        if let Some(statement) = line.strip_prefix('>') {
            snippet.body.push_str(statement);
            snippet.body.push('\n');
        } else if let Some(value) = line.strip_prefix("= ") {
            snippet.value = Some(value.to_owned());
        } else if let Some(why) = line.strip_prefix("// open: ") {
            snippet.open = Some(why.to_owned());
        } else if line == "// alone" {
            snippet.alone = true;
        } else if line == "// device" {
            snippet.device = true;
        } else if line == "// host" {
            snippet.host = true;
        } else if !line.starts_with("//") {
            snippet.prelude.push_str(line);
            snippet.prelude.push('\n');
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_snippet_is_prelude_statements_and_value() {
        let text = "// a comment\n\nstruct S { int a; };\n> S s{1};\n> s.a++;\n= s.a\n\n// open: why\n= 1\n";
        let mut snippets = Vec::new();
        read("f", text, &mut snippets);
        let [first, second] = snippets.as_slice() else {
            panic!("{snippets:?}");
        };
        assert_eq!(first.place(), "f:3");
        assert_eq!(first.prelude, "struct S { int a; };\n");
        assert_eq!(first.body, " S s{1};\n s.a++;\n");
        assert_eq!(first.value.as_deref(), Some("s.a"));
        assert_eq!(second.open.as_deref(), Some("why"));
        assert_eq!(second.value.as_deref(), Some("1"));
    }
}
