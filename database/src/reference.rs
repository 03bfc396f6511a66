//! The page of the tables that are no relations: findings and views, from their declarations, so that it cannot fall behind.

use std::fmt::Write as _;

use crate::{Group, tables};

/// The page, in Markdown.
#[must_use]
pub fn reference() -> String {
    let mut out = "# Tables of findings, and views\n\n\
        <!-- Generated from the declarations in database/src by `make generate`. Do not edit. -->\n\n\
        What `warplog query` knows besides the relations of [schema.md](schema.md). The tables of findings are in every database, \
        also in that of\n\
        `warplog check --format sqlite`; the views need the facts too (`warplog facts --sqlite`, `--scan`).\n"
        .to_owned();
    for (group, title) in [
        (Group::Findings, "Verdicts and findings"),
        (Group::Views, "Views"),
    ] {
        let _ = write!(out, "\n## {title}\n");
        for table in tables().iter().filter(|table| table.group == group) {
            let _ = write!(
                out,
                "\n### {}\n\n{}\n\n| column | meaning |\n|---|---|\n",
                table.name, table.doc
            );
            for column in &table.columns {
                let ty = match column.ty {
                    "" | "text" => String::new(),
                    ty => format!(" (`{ty}`)"),
                };
                let _ = writeln!(out, "| `{}`{ty} | {} |", column.name, column.doc);
            }
        }
    }
    out
}
