//! Files and command lines in the pages: what a page prints below a command is what the command prints.
//!
//! A block `cuda file=sum.cu` (of any language) is a file, in the folder of its page. A block `console` is a session in that folder:
//! lines that begin with `$ ` are run by a shell that knows `warplog`, and what follows must be what is printed, standard output
//! before standard error. A line `…` stands for any number of lines. A block `sh` is not run, but its flags must exist.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use warplog_tests::command::Bench;
use warplog_tests::project;

use crate::pages::{self, Page};

/// Whether what is printed is what stands in the page.
fn fits(printed: &[&str], expected: &[&str]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((&"…", rest)) => (0..=printed.len()).any(|skip| fits(&printed[skip..], rest)),
        Some((line, rest)) => printed
            .split_first()
            .is_some_and(|(first, others)| first == line && fits(others, rest)),
    }
}

/// A folder in which `warplog` is the program under test.
fn folder() -> Bench {
    let program = env!("CARGO_BIN_EXE_warplog-under-test");
    let bench = Bench::new(program);
    let bin = bench.path().join(".bin");
    fs::create_dir(&bin).expect("a folder");
    symlink(program, bin.join("warplog")).expect("a link");
    symlink(project().join("examples"), bench.path().join("examples")).expect("a link");
    bench
}

/// What a shell prints for a command.
pub fn shell(bench: &Bench, command: &str) -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    let bin = bench.path().join(".bin");
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(bench.path())
        .env("PATH", format!("{}:{path}", bin.display()))
        .env("WARPLOG_CACHE_DIR", "")
        .env_remove("COLUMNS")
        .env_remove("CLICOLOR_FORCE")
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("is UTF-8");
    text(output.stdout) + &text(output.stderr)
}

/// A session of a page run again: how it looks now, and whether that is as it was.
fn session(bench: &Bench, text: &str) -> (String, bool) {
    let mut now = String::new();
    let mut same = true;
    let mut parts = text.split("$ ");
    assert_eq!(parts.next(), Some(""), "a session begins with a command");
    let mut rest = text;
    while let Some(after) = rest.strip_prefix("$ ") {
        let (command, output) = after.split_once('\n').expect("a line");
        let end = output.find("\n$ ").map_or(output.len(), |at| at + 1);
        let (expected, more) = if output.starts_with("$ ") {
            ("", output)
        } else {
            output.split_at(end)
        };
        let printed = shell(bench, command);
        // A page has an empty line between two commands for the eye.
        let lines: Vec<&str> = printed.trim_end().lines().collect();
        let wanted: Vec<&str> = expected.trim_end().lines().collect();
        now.push_str(&format!("$ {command}\n"));
        if fits(&lines, &wanted) {
            now.push_str(expected);
        } else {
            same = false;
            now.push_str(printed.trim_end());
            now.push('\n');
            if more.starts_with("$ ") && expected.ends_with("\n\n") {
                now.push('\n');
            }
        }
        rest = more;
    }
    (now, same)
}

#[test]
fn sessions_print_what_stands_in_the_pages() {
    let mut seen = 0;
    let mut wrong = Vec::new();
    for page in pages::all() {
        let bench = folder();
        let mut text = page.text.clone();
        for block in page.blocks() {
            if let Some(file) = block.file() {
                bench.file(file, &block.text);
            } else if block.language() == "console" {
                seen += 1;
                let (now, same) = session(&bench, &block.text);
                if !same {
                    wrong.push(format!("{}:{}:\n{now}", page.name, block.line));
                    let fence = |inside: &str| format!("```{}\n{inside}```\n", block.info);
                    text = text.replace(&fence(&block.text), &fence(&now));
                }
            }
        }
        if text != page.text && std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(page.path(), text).expect("writes");
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen >= 9, "{seen} sessions");
}

/// The words of a command line that begin with dashes, without values.
pub fn flags(line: &str) -> Vec<String> {
    line.split_whitespace()
        .filter(|word| word.starts_with('-') && word.len() > 1)
        .map(|word| word.split('=').next().unwrap_or(word).to_owned())
        .collect()
}

/// The texts of help, by subcommand.
pub fn helps() -> BTreeMap<String, String> {
    let bench = folder();
    let mut helps = BTreeMap::new();
    for name in [
        "check",
        "facts",
        "solve",
        "query",
        "rules",
        "completions",
        "man",
        "explain",
        "triage",
        "costs",
        "equal",
        "ensures",
        "gate",
        "lsp",
        "mcp",
    ] {
        let help = shell(&bench, &format!("warplog {name} --help"));
        if !help.contains("unrecognized subcommand") {
            helps.insert(name.to_owned(), help);
        }
    }
    helps
}

/// What is wrong with a command line of warplog; nothing if its subcommand and flags exist.
pub fn complaint(helps: &BTreeMap<String, String>, line: &str) -> Option<String> {
    let after = line.split("warplog ").nth(1)?;
    // What is behind is another command, or a remark.
    let own = after.split([';', '|', '#']).next().unwrap_or(after);
    let name = own.split_whitespace().next()?;
    if name.starts_with('-') {
        return None;
    }
    let Some(help) = helps.get(name) else {
        return Some(format!("no such command: {line}"));
    };
    let known: Vec<&str> = help
        .split(|character: char| character.is_whitespace() || character == ',')
        .map(|word| word.split(['=', '[', '<']).next().unwrap_or(word))
        .collect();
    // What stands between quotes is for others.
    let plain: String = own.split('"').step_by(2).collect::<Vec<_>>().join("X");
    let missing = flags(&plain)
        .into_iter()
        .find(|flag| !known.contains(&flag.as_str()) && !known.contains(&&flag[..2]));
    missing.map(|flag| format!("no flag `{flag}`: {line}"))
}

#[test]
fn commands_and_flags_of_the_pages_exist() {
    let helps = helps();
    let mut wrong = Vec::new();
    let mut seen = 0;
    for Page { name, text } in pages::all() {
        let page = Page { name, text };
        for block in page.blocks() {
            if !["sh", "console", "yaml"].contains(&block.language()) {
                continue;
            }
            for line in block.text.lines().filter(|line| line.contains("warplog ")) {
                let line = line.trim_start_matches("$ ").trim();
                if line.starts_with("warplog ") || line.contains("/warplog ") {
                    seen += 1;
                    wrong
                        .extend(complaint(&helps, line).map(|why| format!("{}: {why}", page.name)));
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert!(seen > 20, "{seen} commands");
    assert!(complaint(&helps, "warplog check --no-such x").is_some());
    assert!(complaint(&helps, "warplog wrong x").is_some());
    assert!(complaint(&helps, "warplog check x --jobs 2 -o sarif=f").is_none());
}
