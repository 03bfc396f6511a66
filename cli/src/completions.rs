//! Completions of the shells.
//!
//! They are those that `clap_complete` makes of the flags, mended where it knows too little: bash offers files where a command or a
//! flag takes them, by itself, so that names with spaces in them are quoted and folders end in a slash; behind `--output FORMAT=` come
//! the files; where a number or a name of the program is wanted, no shell offers files; fish is told what words may be, not only
//! what flags may.

use std::fmt::Write as _;

use clap::builder::PossibleValuesParser;
use clap::{CommandFactory, ValueEnum, ValueHint};
use clap_complete::Shell;
use warplog_report::findings::KINDS;
use warplog_rules::pages::RULES;

use crate::Streams;
use crate::args::{Cli, Format};
use crate::manual::print;

/// Writes the completions of a shell.
pub(crate) fn completions(shell: Shell, streams: &mut Streams<'_>) -> u8 {
    let mut bytes = Vec::new();
    clap_complete::generate(shell, &mut with_values(), "warplog", &mut bytes);
    let text = String::from_utf8_lossy(&bytes);
    let text = match shell {
        Shell::Bash => bash(&text),
        Shell::Zsh => zsh(&text),
        Shell::Fish => fish(&text),
        _ => text.into_owned(),
    };
    print(text.as_bytes(), streams)
}

/// The commands whose words are files.
const OF_FILES: [&str; 6] = ["check", "facts", "solve", "query", "triage", "explain"];

/// The flags whose value is a file or a folder, as they are written.
fn flags_of_files() -> Vec<String> {
    let command = Cli::command();
    let flags = command.get_subcommands().flat_map(clap::Command::get_opts);
    let is_file = |arg: &&clap::Arg| {
        let names = arg.get_value_names().unwrap_or_default();
        names
            .iter()
            .any(|name| matches!(name.as_str(), "FILE" | "DIR" | "PATH"))
    };
    let written = |arg: &clap::Arg| {
        let long = arg.get_long().map(|name| format!("--{name}"));
        let short = arg.get_short().map(|name| format!("-{name}"));
        [long, short].into_iter().flatten()
    };
    flags.filter(is_file).flat_map(written).collect()
}

/// Bash cuts words at `=`: the value of `--format=js` is `js`, and its flag the word before the `=`.
const CUT_AT_EQUALS: &str = "    prev=\"$3\"
    if [[ ${cur} == = ]]; then
        cur=\"\"
    elif [[ ${prev} == = && ${COMP_CWORD} -ge 2 ]]; then
        prev=\"${COMP_WORDS[COMP_CWORD-2]}\"
    fi
";

/// Nothing is offered, not even files.
const NOTHING: &str = "COMPREPLY=()
                    if [[ \"${BASH_VERSINFO[0]}\" -ge 4 ]]; then
                        compopt +o default +o bashdefault
                    fi";

/// Flags are offered where a dash stands. Else nothing is, so that bash offers files; where a value is none, not even these.
fn bash(script: &str) -> String {
    let files = flags_of_files();
    let mut out = String::with_capacity(script.len());
    let mut flag = "";
    for line in script.lines() {
        let text = line.trim_start();
        if let Some(label) = text.strip_suffix(')').filter(|text| text.starts_with('-')) {
            flag = label;
        }
        let indent = &line[..line.len() - text.len()];
        let line = match text {
            "COMPREPLY=($(compgen -f \"${cur}\"))" if files.iter().any(|file| file == flag) => {
                format!("{indent}COMPREPLY=()")
            }
            "COMPREPLY=($(compgen -f \"${cur}\"))" => format!("{indent}{NOTHING}"),
            "prev=\"$3\"" => CUT_AT_EQUALS.trim_end().to_owned(),
            _ => line.to_owned(),
        };
        out.push_str(&line);
        out.push('\n');
    }
    for command in OF_FILES {
        let head = format!("\n        warplog__subcmd__{command})\n");
        let Some(from) = out.find(&head) else {
            continue;
        };
        let Some(length) = out[from..].find("\n            return 0\n            ;;") else {
            continue;
        };
        let part = &out[from..from + length];
        let part = part.replacen(" || ${COMP_CWORD} -eq 2 ]]", " ]]", 1);
        let offers = "COMPREPLY=( $(compgen -W \"${opts}\" -- \"${cur}\") )";
        let part = match part.strip_suffix(offers) {
            Some(before) => format!("{before}COMPREPLY=()"),
            None => part,
        };
        out.replace_range(from..from + length, &part);
    }
    out
}

/// The formats, each with `=` behind it, and what they are.
fn formats() -> Vec<(String, String)> {
    let all = Format::value_variants().iter();
    let all = all.filter_map(ValueEnum::to_possible_value);
    all.map(|value| {
        let help = value.get_help().map(ToString::to_string);
        (value.get_name().to_owned(), help.unwrap_or_default())
    })
    .collect()
}

/// `--output` is completed by a function: a format, and behind `=` a file. What zsh does where nothing is known, it offers commands
/// for the first of several words, and files for everything else: words are files, and values of flags nothing.
fn zsh(script: &str) -> String {
    let mut out = String::new();
    let script: String = script.lines().map(zsh_line).collect();
    let mut rest = script.as_str();
    let from = ":FORMAT=FILE:((";
    while let Some((before, after)) = rest.split_once(from) {
        let Some((_, behind)) = after.split_once("))'") else {
            break;
        };
        out.push_str(before);
        out.push_str(":FORMAT=FILE:_warplog_output'");
        rest = behind;
    }
    let end = "if [ \"$funcstack[1]\" = \"_warplog\" ]; then";
    let (before, last) = rest.split_at(rest.find(end).unwrap_or(rest.len()));
    out.push_str(before);
    out.push_str("_warplog_output() {\n    if compset -P '*='; then\n        _files\n        return\n    fi\n    local -a formats\n    formats=(\n");
    for (name, help) in formats() {
        let _ = writeln!(out, "        '{name}:{help}'");
    }
    out.push_str("    )\n    _describe 'format' formats -S '='\n}\n\n");
    out.push_str(last);
    out
}

/// A line of the script for zsh, with its end.
fn zsh_line(line: &str) -> String {
    const ANYTHING: &str = ":_default' \\";
    match line.strip_suffix(ANYTHING) {
        Some(word) if word.starts_with("':") || word.starts_with("'*::") => {
            format!("{word}:_files' \\\n")
        }
        Some(flag) => format!("{flag}: ' \\\n"),
        None => format!("{line}\n"),
    }
}

/// As for zsh; and the values of words, of which `clap_complete` tells fish nothing.
fn fish(script: &str) -> String {
    let mut out =
        String::from("# The formats, and behind `=` the files.\nfunction __fish_warplog_output\n");
    // Of a name with spaces, the word as it is typed has backslashes.
    out.push_str("    set -l typed (commandline -ct | string unescape; or commandline -ct)\n");
    out.push_str("    set -l word (string replace -r '^(--output=|-o)' '' -- $typed)\n");
    out.push_str("    set -l parts (string split -m 1 = -- $word)\n");
    out.push_str("    if set -q parts[2]\n        for file in (__fish_complete_path $parts[2])\n            echo \"$parts[1]=$file\"\n        end\n        return\n    end\n");
    for (name, help) in formats() {
        let _ = writeln!(out, "    printf '%s\\t%s\\n' {name}= '{help}'");
    }
    out.push_str("end\n\n");
    let script: String = script
        .lines()
        .map(|line| match line.strip_suffix(" -r") {
            Some(flag) => format!("{flag} -r -f\n"),
            None => format!("{line}\n"),
        })
        .collect();
    let mut rest = script.as_str();
    while let Some((before, after)) = rest.split_once("-r -f -a \"text=\\t") {
        let Some((_, behind)) = after.split_once("'\"\n") else {
            break;
        };
        out.push_str(before);
        out.push_str("-r -f -a \"(__fish_warplog_output)\"\n");
        rest = behind;
    }
    out.push_str(rest);
    for command in with_values().get_subcommands() {
        for word in command.get_positionals() {
            let values = word.get_possible_values();
            if values.is_empty() {
                continue;
            }
            let names: Vec<&str> = values.iter().map(|value| value.get_name()).collect();
            let _ = writeln!(
                out,
                "complete -c warplog -n \"__fish_warplog_using_subcommand {}\" -f -a \"{}\"",
                command.get_name(),
                names.join(" ")
            );
        }
    }
    out
}

/// The command line with the values that its words may have, for completions: when arguments are read, what is wrong with them is
/// told in better words than that they are none of these.
fn with_values() -> clap::Command {
    let kinds = KINDS.iter().map(|kind| kind.rule_id());
    let rules = RULES.iter().flat_map(|rule| {
        let names = rule.names.iter().copied();
        std::iter::once(rule.id).chain(names)
    });
    let mut rules: Vec<&'static str> = kinds.chain(rules).collect();
    rules.sort_unstable();
    rules.dedup();
    let tables: Vec<&'static str> = warplog_database::tables()
        .into_iter()
        .map(|table| table.name)
        .collect();
    let of = |values: Vec<&'static str>| {
        move |arg: clap::Arg| arg.value_parser(PossibleValuesParser::new(values))
    };
    // What is put behind `=` comes without a space before it.
    let open =
        |command: clap::Command| command.mut_arg("output", |arg| arg.value_hint(ValueHint::Other));
    Cli::command()
        .mut_subcommand("check", open)
        .mut_subcommand("solve", open)
        .mut_subcommand("rules", |command| command.mut_arg("id", of(rules)))
        .mut_subcommand("query", |command| command.mut_arg("describe", of(tables)))
        .mut_subcommand("man", |command| {
            command.mut_arg("command", of(COMMANDS.to_vec()))
        })
}

/// The commands, as completions name them.
const COMMANDS: [&str; 15] = [
    "check",
    "costs",
    "equal",
    "ensures",
    "gate",
    "facts",
    "solve",
    "query",
    "triage",
    "explain",
    "lsp",
    "mcp",
    "rules",
    "completions",
    "man",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completions_know_the_values() {
        let command = Cli::command();
        let names: Vec<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .collect();
        assert_eq!(names, COMMANDS);
        for shell in [Shell::Bash, Shell::Zsh, Shell::Fish] {
            let mut bytes = Vec::new();
            clap_complete::generate(shell, &mut with_values(), "warplog", &mut bytes);
            let mut text = String::from_utf8(bytes).expect("UTF-8");
            if shell == Shell::Fish {
                text = fish(&text);
            }
            for value in [
                "invalid-mask",
                "same-injective-index",
                "pair_place",
                "completions",
            ] {
                assert!(text.contains(value), "{shell}: {value}");
            }
        }
    }
}
