//! What the program tells of itself: pages of rules, manual pages.

use std::fmt::Write as _;
use std::io;

use clap::CommandFactory;
use warplog_report::FindingKind;
use warplog_report::findings::{COST_KINDS, KINDS, cost_kind};
use warplog_report::text::safe;
use warplog_rules::pages::{RULES, RulePage};

use crate::args::Cli;
use crate::collect::reason;
use crate::{FAILED, Streams, WRONG_USE, complain};

/// The list of rules, or the page of one.
pub(crate) fn rules(id: Option<&str>, streams: &mut Streams<'_>) -> u8 {
    let text = match id {
        None => list(streams.width),
        Some(id) => match kind_or_rule(id) {
            Some(page) if streams.terminal => fitted(&page, streams.width),
            Some(page) => page,
            None => {
                complain(streams, &no_rule(id));
                return WRONG_USE;
            }
        },
    };
    print(text.as_bytes(), streams)
}

fn no_rule(id: &str) -> String {
    let names = KINDS
        .iter()
        .map(|kind| kind.rule_id())
        .chain(COST_KINDS.iter().map(|kind| kind.id))
        .chain(RULES.iter().flat_map(|rule| rule.names).copied());
    let near = names
        .map(|name| (strsim::damerau_levenshtein(id, name), name))
        .min()
        .filter(|(distance, name)| distance * 3 <= name.len());
    let id = safe(id);
    match near {
        Some((_, name)) => format!("there is no rule `{id}`; did you mean `{name}`?"),
        None => format!("there is no rule `{id}`; `warplog rules` lists them"),
    }
}

/// All kinds and rules, a line or more each.
fn list(width: usize) -> String {
    let mut rows: Vec<(&str, String, &str)> = Vec::new();
    for kind in KINDS {
        rows.push((
            "Kinds of findings",
            kind.rule_id().to_owned(),
            kind.kind().summary,
        ));
    }
    for kind in COST_KINDS {
        rows.push(("Kinds of costs", kind.id.to_owned(), kind.summary));
    }
    for rule in RULES.iter() {
        let title = if rule.id.starts_with('R') {
            "Rules that derive relations"
        } else {
            "Rules that discharge pairs"
        };
        rows.push((title, rule.id.to_owned(), rule.sentence));
    }
    for rule in warplog_costs::pages::PAGES {
        rows.push(("Rules of costs", rule.id.to_owned(), rule.sentence));
    }
    let column = rows.iter().map(|(_, id, _)| id.len()).max().unwrap_or(0) + 4;
    let mut out = String::new();
    let mut last = "";
    for (title, id, sentence) in rows {
        if title != last {
            let gap = if last.is_empty() { "" } else { "\n" };
            let _ = writeln!(out, "{gap}{title}:");
            last = title;
        }
        let names = RULES
            .iter()
            .find(|rule| rule.id == id)
            .map(|rule| rule.names.join(", "))
            .filter(|names| !names.is_empty());
        let sentence = match names {
            Some(names) => format!("{sentence} [{names}]"),
            None => sentence.to_owned(),
        };
        let lines = warplog_report::text::wrap(&sentence, width.saturating_sub(column));
        for (nth, line) in lines.iter().enumerate() {
            let head = if nth == 0 {
                format!("  {id}")
            } else {
                String::new()
            };
            let _ = writeln!(out, "{head:column$}{line}");
        }
    }
    out.push_str("\n`warplog rules ID` shows the page of one.\n");
    out
}

fn kind_or_rule(id: &str) -> Option<String> {
    // Names by which comments allow a part of the kind have its page.
    if let Some((kind, _)) = FindingKind::named(id) {
        return Some(for_terminal(&kind.page_alone()));
    }
    if let Some(kind) = cost_kind(id) {
        return Some(for_terminal(kind.page));
    }
    let cost = warplog_costs::pages::PAGES
        .iter()
        .find(|page| page.id == id);
    if let Some(page) = cost {
        return Some(format!(
            "# {}\n\n{}\n\nFrom: {}.\n",
            page.id, page.sentence, page.origin
        ));
    }
    warplog_rules::pages::page(id).map(rule_page)
}

/// A page without what only a renderer of Markdown wants: code is indented instead of fenced.
fn for_terminal(page: &str) -> String {
    let mut out = String::new();
    let mut code = false;
    for line in page.lines() {
        if line.starts_with("```") {
            code = !code;
        } else if code && !line.is_empty() {
            let _ = writeln!(out, "    {line}");
        } else {
            let _ = writeln!(out, "{}", line.replace("*From:*", "From:"));
        }
    }
    out
}

/// Why a rule that discharges pairs holds, and kernels in which it does.
fn discharge(id: &str) -> Option<&'static str> {
    let page = include_str!("../../docs/discharge.md");
    let mut sections = page.split("\n## ").skip(1);
    let section = sections.find(|section| section.split(' ').next() == Some(id))?;
    section.split_once("\n\n").map(|(_, text)| text)
}

fn rule_page(rule: &RulePage) -> String {
    let mut out = format!("# {}", rule.id);
    for (nth, name) in rule.names.iter().enumerate() {
        let _ = write!(out, "{} `{name}`", if nth == 0 { "" } else { "," });
    }
    let _ = writeln!(out, "\n\n{}", rule.sentence);
    if let Some(example) = discharge(rule.id) {
        let _ = writeln!(out, "\n{}", for_terminal(example).trim_end());
    }
    let _ = writeln!(
        out,
        "\nIt stands in `rules/src/{}.rs`, which says:\n\n{}",
        rule.file,
        rule.module().trim()
    );
    // The section of a discharge rule tells it.
    if discharge(rule.id).is_none() {
        let _ = writeln!(out, "\nFrom: {}.", rule.origin);
    }
    let table = match rule.file.as_str() {
        "divergence" | "counted" => "discarded_divergence",
        _ => "discarded_race",
    };
    for (nth, name) in rule.names.iter().enumerate() {
        let head = if nth == 0 { "\nWhat it did:\n\n" } else { "" };
        let _ = writeln!(
            out,
            "{head}    warplog query --scan PATH \"SELECT * FROM {table} WHERE rule = '{name}'\""
        );
    }
    out
}

/// The page in lines that fit so many columns: paragraphs and items of lists are broken anew, code stays as it is.
fn fitted(page: &str, width: usize) -> String {
    let mut out = String::new();
    let mut text = String::new();
    let flush = |text: &mut String, out: &mut String| {
        let further = if text.starts_with("- ") { 2 } else { 0 };
        if text.is_empty() {
            return;
        }
        let lines = warplog_report::text::wrap(text, width.saturating_sub(further));
        for (nth, line) in lines.iter().enumerate() {
            let indent = if nth == 0 { 0 } else { further };
            let _ = writeln!(out, "{:indent$}{line}", "");
        }
        text.clear();
    };
    for line in page.lines() {
        let code = line.starts_with("    ");
        let whole = code || line.is_empty() || line.starts_with('#');
        if whole || line.starts_with("- ") {
            flush(&mut text, &mut out);
        }
        if whole {
            let _ = writeln!(out, "{line}");
        } else {
            let gap = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{gap}{}", line.trim());
        }
    }
    flush(&mut text, &mut out);
    out
}

/// The manual page of the program, or of one of its commands.
pub(crate) fn page(name: Option<&str>, streams: &mut Streams<'_>) -> u8 {
    let mut command = Cli::command();
    // The page knows one version, the short one.
    command = command.long_version(env!("CARGO_PKG_VERSION"));
    command.build();
    let usage = |command: &mut clap::Command| command.render_usage().to_string();
    let (page, usage) = match name {
        None => {
            let usage = usage(&mut command);
            (clap_mangen::Man::new(command), usage)
        }
        Some(name) => match command.find_subcommand_mut(name) {
            Some(found) => {
                let usage = usage(found);
                let page = clap_mangen::Man::new(found.clone())
                    .title(format!("warplog-{name}"))
                    .source(concat!("warplog ", env!("CARGO_PKG_VERSION")));
                (page, usage)
            }
            None => {
                let message = format!(
                    "there is no command `{}`; `warplog --help` lists them",
                    safe(name)
                );
                complain(streams, &message);
                return WRONG_USE;
            }
        },
    };
    let mut bytes = Vec::new();
    match page.render(&mut bytes) {
        Ok(()) => {
            let text = String::from_utf8_lossy(&bytes);
            let mut text = polished(&text, &usage);
            if matches!(name, None | Some("check")) {
                text.push_str(SURROUNDINGS);
            }
            print(text.as_bytes(), streams)
        }
        Err(error) => {
            complain(streams, &reason(&error));
            FAILED
        }
    }
}

/// What the flags do not tell.
const SURROUNDINGS: &str = r#".SH ENVIRONMENT
.TP
\fBNO_COLOR\fR
If it is set and not empty, nothing is coloured. Only terminals get colour anyway.
.TP
\fBWARPLOG_CACHE_DIR\fR
The folder in which results are kept; empty for none. Without it, \fI$XDG_CACHE_HOME/warplog\fR, else \fI~/.cache/warplog\fR.
.SH FILES
.TP
\fIwarplog.toml\fR
The configuration: launches, assumptions, macros, what is left out, severities, suppressions. That of a file is the nearest one from
its folder upwards.
.TP
\fIcompile_commands.json\fR
Macros and include folders, with \fB\-p\fR.
.SH EXAMPLES
.TP
\fBwarplog check src\fR
All kernels in a folder and below it.
.TP
\fBwarplog check reduce.cu \-\-block\-dim 256 \-\-grid\-dim 64\fR
One file, under one launch.
.TP
\fBwarplog check . \-\-baseline known.json \-\-output sarif=warplog.sarif\fR
Fail on new findings only, and write them for a code host.
"#;

/// The manual page with a synopsis that fits on a line, and with the exit status under a title of its own.
fn polished(page: &str, usage: &str) -> String {
    let roff = |text: &str| text.replace('\\', "\\e").replace('-', "\\-");
    let mut out = String::new();
    let mut lines = page.lines();
    let mut in_status = false;
    while let Some(line) = lines.next() {
        match line {
            ".SH SYNOPSIS" => {
                let usage = usage.strip_prefix("Usage:").unwrap_or(usage);
                let _ = writeln!(out, "{line}");
                for (nth, form) in usage.lines().enumerate() {
                    let gap = if nth == 0 { "" } else { ".br\n" };
                    let _ = writeln!(out, "{gap}{}", roff(form.trim()));
                }
                // What stood there: every flag, without values.
                lines.next();
            }
            ".SH EXTRA" => {
                in_status = true;
                let _ = writeln!(out, ".SH EXIT STATUS");
            }
            "Exit status:" if in_status => {}
            _ => {
                if line.starts_with('.') {
                    in_status = false;
                }
                if in_status && line.starts_with("If several") {
                    let _ = writeln!(out, ".PP");
                }
                let _ = writeln!(out, "{line}");
            }
        }
    }
    out
}

/// Writes to standard output and gives the exit status. A reader that has seen enough is no failure.
pub(crate) fn print(bytes: &[u8], streams: &mut Streams<'_>) -> u8 {
    let written = streams
        .out
        .write_all(bytes)
        .and_then(|()| streams.out.flush());
    match written {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            complain(streams, &format!("cannot write: {}", reason(&error)));
            FAILED
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_fit_and_code_stays() {
        let page = "# R1 `name`\n\none two three four five six\nseven\n- eight nine ten eleven twelve\n  thirteen\n\n    if (a < b) some_function(of, arguments);\n\nend\n";
        assert_eq!(
            fitted(page, 24),
            "\
# R1 `name`

one two three four five
six seven
- eight nine ten
  eleven twelve thirteen

    if (a < b) some_function(of, arguments);

end
"
        );
    }

    #[test]
    fn pages_of_discharge_rules_tell_their_origin() {
        for rule in RULES.iter().filter(|rule| rule.id.starts_with('D')) {
            let section = discharge(rule.id).expect("a section in docs/discharge.md");
            let section = section.split_whitespace().collect::<Vec<_>>().join(" ");
            let origin = format!("*From:* {}.", rule.origin);
            assert!(section.contains(&origin), "{}: {origin}", rule.id);
        }
    }
}
