//! The page that lists the library functions, written from the tables.

use std::fmt::Write as _;

use super::{FAMILIES, Family, Meaning, Row};

const HEAD: &str = "\
# The library functions of warplog

<!-- Generated from the tables in extractor/src/lower/library by `make generate`. Do not edit. -->

What a kernel calls that has no body in the file is looked up here; what is not here either is a call
of an unknown function, and the kernel's verdict is `unknown` unless that cannot matter. A function of
the file wins over one of the same name here, as in C++.

`{a,b}` in a name stands for both spellings. *Pure*: equal arguments give an equal result, and no
memory is touched. *Any value*: another thread, a clock or a state decides. *By meaning*: a term, an
access, a barrier, as the manual says.
";

/// The page.
pub(crate) fn page() -> String {
    let mut page = HEAD.to_owned();
    for family in FAMILIES {
        section(&mut page, family);
    }
    page
}

fn section(page: &mut String, family: &Family) {
    let _ = write!(
        page,
        "\n## {}\n\nSource: {}.",
        family.subject, family.source
    );
    if !family.namespaces.is_empty() {
        let names: Vec<String> = family
            .namespaces
            .iter()
            .map(|name| format!("`{name}`"))
            .collect();
        let also = if family.global { "also " } else { "" };
        let _ = write!(page, " Found {also}in {}.", names.join(", "));
    }
    page.push_str("\n\n| functions | arguments | meaning |\n|---|---|---|\n");
    for row in family.rows {
        let names: Vec<String> = row
            .names
            .split_whitespace()
            .map(|name| format!("`{name}`"))
            .collect();
        let (names, count, meaning) = (names.join(" "), count(row), meaning(row));
        let _ = writeln!(page, "| {names} | {count} | {meaning} |");
    }
}

fn count(row: &Row) -> String {
    let (least, most) = row.args;
    if least == most {
        least.to_string()
    } else {
        format!("{least}–{most}")
    }
}

fn meaning(row: &Row) -> String {
    match row.meaning {
        Meaning::Pure(_) => "pure".to_owned(),
        Meaning::Fresh(_) => "any value".to_owned(),
        Meaning::Stores(..) => "pure, with results stored through pointers".to_owned(),
        Meaning::By(_) => "by meaning".to_owned(),
        Meaning::Refused(why, _) => format!("reported: {why}"),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_in_docs_follows_the_tables() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/library.md");
        let written = std::fs::read_to_string(path).expect("docs/library.md");
        assert!(written == super::page(), "run `make generate`");
    }
}
