//! The schema for readers: a Markdown page, and declarations for other Datalog engines.
//!
//! Both are generated from the declarations of the relations, operators, types and words, so that
//! they cannot fall behind. They are committed as `docs/schema.md` and `docs/facts.dl`
//! (`make generate`), and go with every folder of facts.

use std::collections::BTreeSet;
use std::fmt::Write;

use crate::compared::Compared;
use crate::csv_folder::VERSION;
use crate::ctype::CType;
use crate::derived::Derived;
use crate::relation::{ColumnInfo, RelationInfo};
use crate::schema::{Relations, TermRelations};
use crate::term::Op;
use crate::words::*;

/// A vocabulary: its name, and each word with its meaning.
pub type Vocabulary = (&'static str, &'static [(&'static str, &'static str)]);

/// All vocabularies, in the order of their declaration.
pub fn vocabularies() -> Vec<Vocabulary> {
    fn of<W: Words>() -> Vocabulary {
        (W::NAME, W::WORDS)
    }
    vec![
        of::<LaunchSource>(),
        of::<Dimension>(),
        of::<SymbolKind>(),
        of::<Space>(),
        of::<PointKind>(),
        of::<GuardCause>(),
        of::<AccessKind>(),
        of::<AssertKind>(),
        of::<Scope>(),
        of::<BarrierKind>(),
        of::<PhaseStep>(),
        of::<Effect>(),
        of::<NoteKind>(),
        of::<PairScope>(),
        of::<Protocol>(),
        of::<Holder>(),
        of::<TicketSide>(),
        of::<LockStep>(),
        of::<Source>(),
        of::<Place>(),
        of::<CostAnswer>(),
    ]
}

/// The parts of a relation's doc comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelationDoc {
    /// Predicate form, `access_at(access, point)`.
    pub predicate: String,
    /// When it holds.
    pub meaning: String,
    /// A CUDA line that yields it.
    pub yields: String,
    /// One that does not.
    pub does_not: String,
}

/// Takes a relation's doc comment apart; `None` when a part is missing or empty.
pub fn relation_doc(info: &RelationInfo) -> Option<RelationDoc> {
    let text = info.doc.split_whitespace().collect::<Vec<_>>().join(" ");
    let (head, examples) = text.split_once(" Yields: ")?;
    let (yields, does_not) = examples.split_once(" Does not: ")?;
    let (predicate, meaning) = head.strip_prefix('`')?.split_once("`: ")?;
    let doc = RelationDoc {
        predicate: predicate.to_owned(),
        meaning: sentence(meaning),
        yields: yields.trim_end_matches('.').to_owned(),
        does_not: does_not.trim_end_matches('.').to_owned(),
    };
    let complete = [&doc.predicate, &doc.meaning, &doc.yields, &doc.does_not]
        .iter()
        .all(|part| !part.is_empty());
    complete.then_some(doc)
}

fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        Some(first) => first.to_uppercase().chain(chars).collect(),
        None => String::new(),
    }
}

/// The schema page, in Markdown.
pub fn page() -> String {
    let mut page = format!(
        "# The facts of warplog\n\n\
         <!-- Generated from the declarations in facts/src by `make generate`. Do not edit. -->\n\n\
         Everything that the rules and the solver know of a kernel is in these relations.\n\
         `warplog facts PATH… --out DIR` writes them into a folder, `warplog solve DIR` gives the\n\
         verdicts from such a folder: the same as from the source.\n\n\
         **Files.** Each relation is a file `<relation>.csv` in UTF-8: a line of column names, then one\n\
         row a line; cells with a comma, quote or line end are quoted, a quote in them is doubled\n\
         (RFC 4180). An empty cell of an optional type (`?`) means that there is no value. `version.csv`\n\
         holds the version of the format, {VERSION}; `facts.dl` declares the relations for Soufflé.\n\n\
         **Ids.** The rows of a relation with an id of its own have the ids 0, 1, 2 … in order. A row is\n\
         refused when it refers to an id that has no row, when its key is that of an earlier row, or when\n\
         what it says cannot be: the message tells file and line.\n\n"
    );
    let sections: [(&str, &str, &[RelationInfo]); 4] = [
        (
            "Facts",
            "What is read from the source.",
            Relations::RELATIONS,
        ),
        (
            "Terms",
            "All index expressions, guards, loop conditions and stored values: a graph of typed operators \
             whose arguments have smaller ids than the term itself.",
            TermRelations::RELATIONS,
        ),
        (
            "Derived relations",
            "What the rules conclude; they are not read back.",
            Derived::RELATIONS,
        ),
        (
            "Relations of a comparison",
            "What `warplog equal --facts` writes: why two kernels are equal, or where they are not seen to be.",
            Compared::RELATIONS,
        ),
    ];
    for (title, about, relations) in sections {
        section(&mut page, title, about, relations);
        if title == "Terms" {
            operators(&mut page);
            types(&mut page);
        }
    }
    words(&mut page);
    page
}

/// Writing to a `String` cannot fail.
macro_rules! line {
    ($page:expr) => { $page.push('\n') };
    ($page:expr, $($arg:tt)*) => {{ let _ = writeln!($page, $($arg)*); }};
}

fn section(page: &mut String, title: &str, about: &str, relations: &[RelationInfo]) {
    line!(page, "## {title}\n\n{about}\n");
    for info in relations {
        line!(page, "### {}\n", info.name);
        match relation_doc(info) {
            Some(doc) => {
                line!(page, "`{}`  ", doc.predicate);
                line!(page, "{}\n", doc.meaning);
                line!(page, "- Yields it: {}", doc.yields);
                line!(page, "- Does not: {}", doc.does_not);
            }
            None => line!(page, "{}", info.doc.trim()),
        }
        let names: Vec<String> = info.columns[..info.key]
            .iter()
            .map(|column| format!("`{}`", column.name))
            .collect();
        match (info.dense, info.key) {
            (true, _) => line!(page, "- Key: {}, the number of the row\n", names.join(", ")),
            (false, 0) => line!(page, "- Key: none, a set of rows\n"),
            (false, _) => line!(page, "- Key: {}\n", names.join(", ")),
        }
        line!(
            page,
            "| column | type | refers to | meaning |\n|---|---|---|---|"
        );
        for (index, column) in info.columns.iter().enumerate() {
            let refers = match column.refers {
                Some(kind) if !(info.dense && index == 0) => {
                    format!("[{0}](#{0})", kind.relation())
                }
                _ => String::new(),
            };
            line!(
                page,
                "| `{}` | {} | {refers} | {} |",
                column.name,
                column.ty,
                cell(column.doc)
            );
        }
        line!(page);
    }
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn operators(page: &mut String) {
    line!(
        page,
        "### Operators\n\n| operator | arguments | meaning |\n|---|---|---|"
    );
    for &op in Op::ALL {
        let arity = op
            .arity()
            .map_or("any".to_owned(), |arity| arity.to_string());
        line!(page, "| `{op}` | {arity} | {} |", cell(op.doc()));
    }
    line!(page);
}

/// What a C type is, as the schema page says it.
pub fn type_doc(ty: CType) -> &'static str {
    match ty {
        CType::Bool => "`bool`, and the result of comparisons and logical operators: 0 or 1",
        CType::I8 => "`signed char`, `int8_t`, `char`",
        CType::U8 => "`unsigned char`, `uint8_t`",
        CType::I16 => "`short`",
        CType::U16 => "`unsigned short`",
        CType::I32 => "`int`",
        CType::U32 => "`unsigned int`",
        CType::I64 => "`long`, `long long`, `ptrdiff_t`",
        CType::U64 => "`unsigned long`, `size_t`",
        CType::F32 => "`float`: an opaque value, compared by uninterpreted functions only",
        CType::F64 => "`double`: opaque likewise",
        CType::Opaque => "anything else (half types, structures, pointers as values): opaque",
    }
}

fn types(page: &mut String) {
    line!(
        page,
        "### C types\n\n| type | bits | arithmetic | meaning |\n|---|---|---|---|"
    );
    for ty in CType::ALL {
        let bits = ty.bits().map_or("none".to_owned(), |bits| bits.to_string());
        let arithmetic = match ty {
            _ if ty.is_signed() => "must not overflow",
            _ if ty.is_unsigned() => "wraps",
            _ => "none",
        };
        line!(
            page,
            "| `{ty}` | {bits} | {arithmetic} | {} |",
            cell(type_doc(ty))
        );
    }
    line!(page);
}

fn words(page: &mut String) {
    line!(
        page,
        "## Words\n\nWhat may stand in columns of these types.\n"
    );
    for (name, words) in vocabularies() {
        line!(page, "### {name}\n\n| word | meaning |\n|---|---|");
        for (word, meaning) in words {
            line!(page, "| `{word}` | {} |", cell(meaning.trim()));
        }
        line!(page);
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
}

/// The declarations of the input relations for Soufflé: `souffle -F DIR` with a program that
/// includes them reads a folder of facts as it stands.
pub fn declarations() -> String {
    let mut text = String::from(
        "// Declarations of warplog's facts for Soufflé 2.1 or later; generated, do not edit.\n\
         // Usage: `.include \"facts.dl\"` in a program that is run with the folder as fact directory (-F).\n\
         //\n\
         // An optional value is a symbol: \"\" when there is none, else convert it with to_unsigned.\n\
         // A term's payload is a symbol, because it may exceed 64 bits. Soufflé reads line by line: it\n\
         // refuses a text with a line end in it (an argument written over several lines).\n\
         // Sizes may exceed 32 bits: a Soufflé built with 64-bit numbers reads them all.\n\n",
    );
    let inputs = || Relations::RELATIONS.iter().chain(TermRelations::RELATIONS);
    let types: BTreeSet<(String, &str)> = inputs()
        .flat_map(|info| info.columns)
        .filter_map(declared_type)
        .collect();
    for (name, base) in types {
        line!(text, ".type {name} <: {base}");
    }
    for info in inputs() {
        let columns: Vec<String> = info
            .columns
            .iter()
            .map(|column| format!("{}: {}", column.name, type_name(column)))
            .collect();
        line!(text);
        if let Some(doc) = relation_doc(info) {
            line!(text, "// {}", doc.meaning);
        }
        line!(text, ".decl {}({})", info.name, columns.join(", "));
        line!(
            text,
            ".input {0}(IO=file, filename=\"{0}.csv\", delimiter=\",\", rfc4180=true, headers=true)",
            info.name
        );
    }
    text
}

/// The type of a column in the declaration file.
fn type_name(column: &ColumnInfo) -> String {
    match declared_type(column) {
        Some((name, _)) => name,
        None => primitive(column).to_owned(),
    }
}

fn primitive(column: &ColumnInfo) -> &'static str {
    if column.text { "symbol" } else { "unsigned" }
}

/// The type that must be declared for a column, with its base: ids and words.
fn declared_type(column: &ColumnInfo) -> Option<(String, &'static str)> {
    let name = column.ty.trim_end_matches('?');
    let named = name.starts_with(|first: char| first.is_ascii_uppercase());
    let optional = if column.ty.ends_with('?') {
        "Optional"
    } else {
        ""
    };
    named.then(|| (format!("{optional}{name}"), primitive(column)))
}
