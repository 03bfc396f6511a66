//! Records how clang groups the expressions of the data set and of `tests/trees/hard.cu`, for the test `trees`
//! (`make record-trees`). With paths, the files there are compared and nothing is written.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::PathBuf;

use warplog_tests::trees::{self, clang};
use warplog_tests::{expanded, project, sources};

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    let folder = project().join("tests/trees");
    let (mut ours, mut recorded, mut expressions) = (0, 0, 0);
    let (mut unread, mut fewer, mut differing) = (0, 0, 0);
    let mut text = String::new();
    let paths: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let files = if paths.is_empty() {
        trees::recorded_sources()
    } else {
        paths.iter().flat_map(|path| sources(path)).collect()
    };
    for file in files {
        let shown = file
            .strip_prefix(project())
            .unwrap_or(&file)
            .display()
            .to_string();
        let (expanded, unit) = expanded(&file)?;
        let wanted: BTreeMap<usize, trees::Function> = trees::functions(&expanded, &unit)
            .into_iter()
            .map(|function| (function.at, function))
            .collect();
        let (theirs, wrong) = clang::functions(&expanded, &folder.join("declarations.h"))?;
        ours += wanted.len();
        unread += wrong;
        for function in theirs {
            let Some(own) = wanted
                .get(&function.at)
                .filter(|own| own.text == function.text)
            else {
                continue;
            };
            recorded += 1;
            expressions += function.expressions.len();
            if own.expressions != function.expressions {
                // A statement with a name of an unknown type may be left out without an error.
                let mut rest = own.expressions.iter();
                if function
                    .expressions
                    .iter()
                    .all(|their| rest.any(|own| own == their))
                {
                    fewer += 1;
                    continue;
                }
                differing += 1;
                writeln!(out, "{shown}: {} differs", own.name)?;
                let pairs = own.expressions.iter().zip(&function.expressions);
                for (own, their) in pairs.filter(|(own, their)| own != their).take(3) {
                    writeln!(out, "  ours:  {own}\n  clang: {their}")?;
                }
            }
            let _ = writeln!(text, "{shown} {} {:016x}", own.name, function.text);
            for expression in function.expressions {
                let _ = writeln!(text, "  {expression}");
            }
        }
    }
    if paths.is_empty() {
        std::fs::write(folder.join("recorded.txt"), text)?;
    }
    writeln!(
        out,
        "{recorded} of {ours} functions compared, {expressions} expressions: {differing} functions differ; \
         of the others, clang found an error in {unread} and left out a statement in {fewer}"
    )
}
