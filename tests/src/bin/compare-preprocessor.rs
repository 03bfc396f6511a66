//! Compares our preprocessor with another one on files and folders: `compare-preprocessor [-I FOLDER]… PATH…`.
//!
//! Prints each file whose tokens differ, and a line of figures for each preprocessor. The exit status is 1 when one did. With
//! `--record`, the tokens that the first preprocessor gives are written beside each file, as `.tokens`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use warplog_tests::expansion::{Other, compare, lines, theirs};
use warplog_tests::sources;

fn main() -> std::io::Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let (mut folders, mut paths, mut record) = (Vec::new(), Vec::new(), false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--record" => record = true,
            "-I" => folders.extend(arguments.next().map(PathBuf::from)),
            _ => paths.extend(sources(Path::new(&argument))),
        }
    }
    paths.sort();
    let others = Other::installed();
    if others.is_empty() || paths.is_empty() {
        writeln!(
            out,
            "compare-preprocessor: neither clang nor g++ is installed, or no files are given"
        )?;
        return Ok(ExitCode::from(2));
    }
    if record {
        for path in &paths {
            std::fs::write(
                path.with_extension("tokens"),
                lines(&theirs(path, &folders, &others[0])?),
            )?;
        }
    }
    let mut differ = false;
    for other in &others {
        let (mut tokens, mut lines, mut differing, mut damaged, mut unread) = (0, 0, 0, 0, 0);
        for path in &paths {
            match compare(path, &folders, other) {
                Ok(compared) => {
                    tokens += compared.tokens;
                    lines += compared.line_numbers;
                    if let Some((ours, theirs)) = compared.difference {
                        differing += 1;
                        damaged += usize::from(compared.damage);
                        let told = if compared.damage {
                            " (and we say so)"
                        } else {
                            ""
                        };
                        writeln!(
                            out,
                            "{}{told}\n  ours:   {ours}\n  theirs: {theirs}",
                            path.display()
                        )?;
                    }
                }
                Err(error) => {
                    unread += 1;
                    writeln!(out, "{}: {error}", path.display())?;
                }
            }
        }
        differ |= differing > 0;
        writeln!(
            out,
            "{}: {} files ({unread} unreadable), {tokens} tokens, {lines} numbers of lines differ, {differing} files differ otherwise, {damaged} of them noted as damaged",
            other.version,
            paths.len(),
        )?;
    }
    Ok(ExitCode::from(u8::from(differ)))
}
