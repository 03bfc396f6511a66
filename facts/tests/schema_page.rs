//! The schema is documented in full, and its pages are those of the declarations.

use std::collections::BTreeSet;
use std::path::Path;

use warplog_facts::relation::RelationInfo;
use warplog_facts::schema::TermRelations;
use warplog_facts::schema_page::{declarations, page, relation_doc, type_doc, vocabularies};
use warplog_facts::{CType, Derived, Op, Relations};

fn all() -> impl Iterator<Item = &'static RelationInfo> {
    Relations::RELATIONS
        .iter()
        .chain(TermRelations::RELATIONS)
        .chain(Derived::RELATIONS)
}

#[test]
fn every_relation_says_what_it_means_and_what_yields_it() {
    for info in all() {
        assert!(
            info.doc.contains("Yields:") && info.doc.contains("Does not:"),
            "{}: {}",
            info.name,
            info.doc
        );
        let doc = relation_doc(info).unwrap_or_else(|| panic!("{}: {}", info.name, info.doc));
        assert!(
            doc.predicate.starts_with(&format!("{}(", info.name)),
            "{}: the predicate is {}",
            info.name,
            doc.predicate
        );
        for example in [doc.yields, doc.does_not] {
            assert!(
                example.chars().any(char::is_alphanumeric),
                "{}: {example}",
                info.name
            );
        }
    }
}

#[test]
fn every_column_word_operator_and_type_has_a_doc() {
    for info in all() {
        for column in info.columns {
            assert!(
                !column.doc.trim().is_empty(),
                "{}.{}",
                info.name,
                column.name
            );
        }
    }
    for &op in Op::ALL {
        assert!(!op.doc().is_empty() && !op.name().is_empty(), "{op:?}");
    }
    for ty in CType::ALL {
        assert!(!type_doc(ty).is_empty());
    }
    for (name, words) in vocabularies() {
        for (word, meaning) in words {
            assert!(
                !word.is_empty() && !meaning.trim().is_empty(),
                "{name} {word}"
            );
        }
    }
}

#[test]
fn every_type_of_a_column_is_explained() {
    let known: BTreeSet<&str> = vocabularies()
        .into_iter()
        .map(|(name, _)| name)
        .chain(["u32", "u64", "integer", "bool", "text", "Op", "CType"])
        .collect();
    let mut used = BTreeSet::new();
    for column in all().flat_map(|info| info.columns) {
        let name = column.ty.trim_end_matches('?');
        used.insert(name);
        assert!(column.refers.is_some() || known.contains(name), "{name}");
    }
    for (name, _) in vocabularies() {
        assert!(used.contains(name), "no column holds {name}");
    }
}

#[test]
fn names_are_unique_and_keys_lead() {
    let mut names = BTreeSet::new();
    for info in all() {
        assert!(names.insert(info.name), "{}", info.name);
        assert!(info.key <= info.columns.len());
        let columns: BTreeSet<&str> = info.columns.iter().map(|column| column.name).collect();
        assert_eq!(columns.len(), info.columns.len(), "{}", info.name);
        if info.dense {
            assert_eq!(
                info.columns[0].refers.map(|kind| kind.relation()),
                Some(info.name)
            );
        }
    }
}

/// Words that Soufflé's scanner takes for its own.
const RESERVED: &[&str] = &[
    "autoinc",
    "band",
    "bor",
    "bxor",
    "bnot",
    "bshl",
    "bshr",
    "bshru",
    "land",
    "lor",
    "lxor",
    "lnot",
    "match",
    "mean",
    "cat",
    "ord",
    "fold",
    "range",
    "strlen",
    "substr",
    "stateful",
    "contains",
    "output",
    "input",
    "overridable",
    "printsize",
    "eqrel",
    "inline",
    "no_inline",
    "magic",
    "no_magic",
    "brie",
    "btree",
    "btree_delete",
    "min",
    "max",
    "as",
    "nil",
    "_",
    "count",
    "sum",
    "true",
    "false",
    "to_float",
    "to_number",
    "to_string",
    "to_unsigned",
];

#[test]
fn other_engines_can_read_the_declarations() {
    let text = declarations();
    for info in Relations::RELATIONS.iter().chain(TermRelations::RELATIONS) {
        let decl = format!(".decl {}(", info.name);
        assert_eq!(text.matches(&decl).count(), 1, "{decl}");
        assert_eq!(
            text.matches(&format!("filename=\"{}.csv\"", info.name))
                .count(),
            1
        );
        for name in info
            .columns
            .iter()
            .map(|column| column.name)
            .chain([info.name])
        {
            assert!(!RESERVED.contains(&name), "{name}");
            assert!(
                name.len() > 1 && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_'),
                "{name}"
            );
        }
    }
    // Every type that a declaration uses is declared once, or built in.
    let declared: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix(".type ")?.split(' ').next())
        .collect();
    assert_eq!(
        declared.len(),
        declared.iter().collect::<BTreeSet<_>>().len()
    );
    for line in text.lines().filter_map(|line| line.strip_prefix(".decl ")) {
        for ty in line
            .split(": ")
            .skip(1)
            .map(|rest| rest.split([',', ')']).next().unwrap_or(""))
        {
            assert!(
                declared.contains(&ty) || ["unsigned", "symbol"].contains(&ty),
                "{ty} in {line}"
            );
        }
    }
}

#[test]
fn committed_pages_are_those_of_the_declarations() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
    for (name, text) in [("schema.md", page()), ("facts.dl", declarations())] {
        let committed = std::fs::read_to_string(docs.join(name)).unwrap_or_default();
        assert!(
            committed == text,
            "docs/{name} is out of date: run `make generate`"
        );
    }
}
