//! Sources that are parts of others: `#include "kernels.cu"` in `main.cu`.
//!
//! Such a file is often no program by itself: the classes and macros that it uses stand in the file that includes it. So a
//! `.cu` file that was found in a folder and that another file there includes waits, like a header, for the sources that
//! may enter it; it is analysed by itself if none has read it completely. One that has a `main` of its own, a header with
//! options, or an entry in the compile commands is a program however often it is included.
//!
//! **Accuracy.** Only the text of directives is looked at, neither conditionals nor macros. Too many files waiting costs
//! nothing but order; one that does not wait is analysed in each way that it is read.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::collect::{Collection, Input};
use crate::compile_db::Lookup;
use crate::header::{Header, leading_comments, parse_header};
use crate::scan::Scan;

/// The inputs that wait, by their paths.
pub(crate) fn fragments(collection: &Collection, scan: &Scan) -> BTreeSet<PathBuf> {
    let mut included: BTreeSet<PathBuf> = BTreeSet::new();
    for input in collection.inputs.iter().chain(&collection.headers) {
        let Ok(bytes) = input.read() else {
            continue;
        };
        let own = fs::canonicalize(&input.path).ok();
        for name in includes(&bytes) {
            let folder = input.path.parent().unwrap_or(Path::new("."));
            if let Ok(real) = fs::canonicalize(folder.join(&name))
                && Some(&real) != own.as_ref()
            {
                included.insert(real);
            }
        }
    }
    collection
        .inputs
        .iter()
        .filter(|input| !input.named && waits(input, &included, scan))
        .map(|input| input.path.clone())
        .collect()
}

/// Whether a source is only a part of those that include it.
fn waits(input: &Input, included: &BTreeSet<PathBuf>, scan: &Scan) -> bool {
    let Ok(real) = fs::canonicalize(&input.path) else {
        return false;
    };
    let of_its_own = || {
        let commands = scan.database.as_ref();
        commands.is_some_and(|database| matches!(database.find(&real), Lookup::Own(_)))
    };
    included.contains(&real)
        && !of_its_own()
        && input.read().is_ok_and(|bytes| {
            !has_main(&bytes)
                && parse_header(&leading_comments(&bytes))
                    .is_ok_and(|header| header == Header::default())
        })
}

/// The names in `#include "…"`.
fn includes(bytes: &[u8]) -> Vec<String> {
    let mut names = Vec::new();
    for line in bytes.split(|byte| *byte == b'\n') {
        let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
            continue;
        };
        let Some(rest) = rest.trim_ascii_start().strip_prefix(b"include") else {
            continue;
        };
        let Some(rest) = rest.trim_ascii_start().strip_prefix(b"\"") else {
            continue;
        };
        if let Some(end) = rest.iter().position(|byte| *byte == b'"')
            && let Ok(name) = std::str::from_utf8(&rest[..end])
        {
            names.push(name.to_owned());
        }
    }
    names
}

/// Whether the word `main` stands before a parenthesis.
fn has_main(bytes: &[u8]) -> bool {
    let word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    bytes.windows(4).enumerate().any(|(at, window)| {
        window == b"main"
            && !at
                .checked_sub(1)
                .and_then(|before| bytes.get(before))
                .copied()
                .is_some_and(word)
            && bytes
                .get(at + 4..)
                .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"("))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collect::collect;

    #[test]
    fn a_source_waits_for_those_that_include_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let root = fs::canonicalize(folder.path()).expect("a path");
        for (name, text) in [
            (
                "main.cu",
                "# include \"part.cu\"\n#include \"sub/../other.cu\"\nint main() {}\n",
            ),
            ("part.cu", "int mainly(int);\n"),
            ("other.cu", "int main (void);\n"),
            ("options.cu", "//--blockDim=64\n"),
            ("self.cu", "#include \"self.cu\"\n"),
            ("alone.cu", "\n"),
            (
                "text.h",
                "#include \"options.cu\"\n#include \"given.cu\"\n#include <alone.cu>\n",
            ),
            ("given.cu", "\n"),
        ] {
            fs::write(root.join(name), text).expect("a file");
        }
        let collection = collect(&[root.clone(), root.join("given.cu")]);
        let waiting = fragments(&collection, &Scan::default());
        assert_eq!(waiting, BTreeSet::from([root.join("part.cu")]));
    }
}
