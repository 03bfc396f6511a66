//! Writes the generated page of the rules anew: `docs/rules.md`.

use std::fmt::Write as _;
use std::path::Path;

use warplog_rules::pages::RULES;

fn main() -> std::io::Result<()> {
    let mut page = String::from(
        "# Rules\n\n\
         Generated from `rules/src/`; do not edit. Numbers with R derive relations, those with D discharge pairs of accesses: a pair that one \
         of them speaks of cannot collide, and never reaches the solver. The word in brackets marks the rows of a rule in the columns \
         `rule` of the [derived relations](schema.md). `warplog rules R19` prints an entry. \
         The rules of costs, C1 to C6, stand in [What it costs](costs.md#rules).\n",
    );
    let mut files: Vec<&str> = Vec::new();
    for rule in RULES.iter() {
        if !files.contains(&rule.file.as_str()) {
            files.push(&rule.file);
        }
    }
    for file in files {
        let rules: Vec<_> = RULES.iter().filter(|rule| rule.file == file).collect();
        let Some(first) = rules.first() else {
            continue;
        };
        let module = first.module();
        let title = match file.strip_suffix("/mod").unwrap_or(file) {
            name if name.contains('/') => name.replace('/', ", "),
            name => name.to_owned(),
        };
        let _ = write!(page, "\n## {title}\n\n{}\n", module.trim());
        page.push_str("\n| | rule | from |\n|---|---|---|\n");
        for rule in rules {
            let names = match rule.names {
                [] => String::new(),
                names => format!(" [`{}`]", names.join("`, `")),
            };
            let sentence = rule.sentence.replace('|', "\\|");
            let from = rule.origin;
            let _ = writeln!(page, "| {} | {sentence}{names} | {from} |", rule.id);
        }
    }
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    std::fs::write(docs.join("rules.md"), page)
}
