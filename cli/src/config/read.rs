//! From the text of `warplog.toml` to its settings, with the line of whatever is wrong.

use std::fs;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};
use warplog_report::allow::meant;
use warplog_report::findings::KINDS;
use warplog_report::{FindingKind, InputError, Severity};

use super::{
    Answer, Config, ConfigAllow, KernelLaunch, Level, PathSettings, Patterns, Settings, wrong,
};
use crate::choices::Aliasing;
use crate::collect::{reason, shown};
use crate::dims::Dims;
use crate::macros::{Macro, parse_define, parse_undefine};

/// The keys of the whole file.
const TOP: [&str; 13] = [
    "exclude",
    "assume",
    "aliasing",
    "define",
    "undefine",
    "include",
    "block-dim",
    "grid-dim",
    "severity",
    "path",
    "launch",
    "allow",
    "answer",
];
/// The keys of `[[path]]`.
const PATH: [&str; 9] = [
    "match",
    "assume",
    "aliasing",
    "define",
    "undefine",
    "include",
    "block-dim",
    "grid-dim",
    "severity",
];
/// The keys of `[[launch]]`.
const LAUNCH: [&str; 4] = ["kernel", "path", "block-dim", "grid-dim"];
/// The keys of `[[allow]]`.
const ALLOW: [&str; 5] = ["rule", "path", "kernel", "array", "because"];

/// The keys of `[[answer]]`.
const ANSWER: [&str; 6] = ["assume", "holds", "because", "date", "path", "kernel"];

/// Where in the text, and what is wrong.
type Wrong = (usize, String);

type Value<'i> = Spanned<DeValue<'i>>;

/// Reads a configuration.
pub(super) fn load(path: &Path) -> Result<Config, Vec<InputError>> {
    let unread =
        |error: &std::io::Error| vec![wrong(path, None, format!("cannot read: {}", reason(error)))];
    let text = fs::read_to_string(path).map_err(|error| unread(&error))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    let folder = fs::canonicalize(folder).map_err(|error| unread(&error))?;
    parse(&text, &shown(path), folder).map_err(|all| {
        let told = all.into_iter().map(|(offset, message)| {
            let before = text.get(..offset).unwrap_or(&text);
            let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
            wrong(path, u32::try_from(line).ok(), message)
        });
        told.collect()
    })
}

/// All keys that mean nothing are told, else the first other thing that is wrong.
fn parse(text: &str, shown: &str, folder: PathBuf) -> Result<Config, Vec<Wrong>> {
    let document = DeTable::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        vec![(offset, error.message().replace('\n', ", "))]
    })?;
    let top = document.get_ref();
    let mut unknown = keys(top, &TOP);
    for (key, known) in [
        ("path", &PATH[..]),
        ("launch", &LAUNCH),
        ("allow", &ALLOW),
        ("answer", &ANSWER),
    ] {
        let entries = top.get(key).and_then(|value| value.get_ref().as_array());
        for entry in entries.into_iter().flat_map(|entries| entries.iter()) {
            let table = entry.get_ref().as_table();
            unknown.extend(table.into_iter().flat_map(|table| keys(table, known)));
        }
    }
    unknown.sort();
    match unknown.is_empty() {
        true => understood(top, text, shown, folder).map_err(|wrong| vec![wrong]),
        false => Err(unknown),
    }
}

/// The configuration, of keys that are known.
fn understood(
    top: &DeTable<'_>,
    text: &str,
    shown: &str,
    folder: PathBuf,
) -> Result<Config, Wrong> {
    let mut config = Config {
        shown: shown.to_owned(),
        exclude: patterns(top, "exclude")?,
        all: settings(top, &folder)?,
        paths: Vec::new(),
        launches: Vec::new(),
        allows: Vec::new(),
        answers: Vec::new(),
        folder,
    };
    let line = |at: usize| {
        let before = text.get(..at).unwrap_or(text);
        let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
        u32::try_from(line).unwrap_or(u32::MAX)
    };
    for (table, at) in tables(top, "path")? {
        let patterns = patterns(table.get_ref(), "match")?;
        if patterns.empty {
            return Err((table.span().start, "`match` is missing".to_owned()));
        }
        let settings = settings(table.get_ref(), &config.folder)?;
        config.paths.push(PathSettings {
            line: line(at),
            patterns,
            settings,
        });
    }
    for (table, at) in tables(top, "launch")? {
        let inner = table.get_ref();
        let launch = KernelLaunch {
            line: line(at),
            kernel: required(inner, "kernel", at)?,
            paths: patterns(inner, "path")?,
            block_dim: dims(inner, "block-dim")?,
            grid_dim: dims(inner, "grid-dim")?,
        };
        if launch.block_dim.is_none() && launch.grid_dim.is_none() {
            return Err((at, "`block-dim` or `grid-dim` is missing".to_owned()));
        }
        config.launches.push(launch);
    }
    for (table, at) in tables(top, "allow")? {
        let inner = table.get_ref();
        let rule = required(inner, "rule", at)?;
        let because = required(inner, "because", at)?;
        if because.trim().is_empty() {
            return Err((at, "`because` gives no reason".to_owned()));
        }
        let (kind, shared_memory) = match meant(&rule) {
            Some(meant) => meant,
            None => {
                let wrong = |message| (offset(inner, "rule", at), message);
                (Some(kind(&rule).map_err(wrong)?), None)
            }
        };
        config.allows.push(ConfigAllow {
            line: line(at),
            rule,
            kind,
            shared_memory,
            paths: patterns(inner, "path")?,
            kernel: text_of(inner, "kernel")?,
            array: text_of(inner, "array")?,
            because,
        });
    }
    for (table, at) in tables(top, "answer")? {
        let answer = answer(table.get_ref(), line(at), at)?;
        config.answers.push(answer);
    }
    Ok(config)
}

/// An answer, which says what it is about, who would have to be asked again, and since when it stands.
fn answer(table: &DeTable<'_>, line: u32, at: usize) -> Result<Answer, Wrong> {
    let assume = required(table, "assume", at)?;
    let wrong = |message| (offset(table, "assume", at), message);
    warplog_extractor::check_assumption(&assume).map_err(wrong)?;
    if required(table, "because", at)?.trim().is_empty() {
        return Err((at, "`because` gives no reason".to_owned()));
    }
    required(table, "date", at)?;
    let Some(holds) = table
        .get("holds")
        .and_then(|holds| holds.get_ref().as_bool())
    else {
        let message = "`holds` is true or false: whether the condition always holds";
        return Err((offset(table, "holds", at), message.to_owned()));
    };
    let kernels = texts(table, "kernel")?;
    Ok(Answer {
        line,
        assume,
        holds,
        paths: patterns(table, "path")?,
        kernels: kernels.into_iter().map(|(name, _)| name).collect(),
    })
}

/// The settings that stand at the top and in `[[path]]`.
fn settings(table: &DeTable<'_>, folder: &Path) -> Result<Settings, Wrong> {
    let mut settings = Settings::default();
    for (text, at) in texts(table, "define")? {
        settings
            .macros
            .push(parse_define(&text).map_err(|message| (at, message))?);
    }
    for (text, at) in texts(table, "undefine")? {
        let undefine: Macro = parse_undefine(&text).map_err(|message| (at, message))?;
        settings.macros.push(undefine);
    }
    for (text, at) in texts(table, "assume")? {
        warplog_extractor::check_assumption(&text).map_err(|message| (at, message))?;
        settings.assume.push(text);
    }
    if let Some(value) = table.get("aliasing") {
        settings.aliasing = match value.get_ref().as_str() {
            Some("assumed") => Some(Aliasing::Assumed),
            Some("strict") => Some(Aliasing::Strict),
            _ => {
                let message = "`aliasing` is one of \"assumed\", \"strict\"";
                return Err((value.span().start, message.to_owned()));
            }
        };
    }
    for (text, _) in texts(table, "include")? {
        settings.include_dirs.push(folder.join(text));
    }
    settings.block_dim = dims(table, "block-dim")?;
    settings.grid_dim = dims(table, "grid-dim")?;
    if let Some(value) = table.get("severity") {
        let at = value.span().start;
        let Some(levels) = value.get_ref().as_table() else {
            return Err((
                at,
                "`severity` is a table: data-race = \"warning\"".to_owned(),
            ));
        };
        for (rule, level) in levels {
            let kind = kind(rule.get_ref()).map_err(|message| (rule.span().start, message))?;
            let word = level.get_ref().as_str().unwrap_or_default();
            let level = match word {
                "off" => Level::Off,
                "note" => Level::At(Severity::Note),
                "warning" => Level::At(Severity::Warning),
                "error" => Level::At(Severity::Error),
                _ => {
                    let message = "a severity is one of \"off\", \"note\", \"warning\", \"error\"";
                    return Err((level.span().start, message.to_owned()));
                }
            };
            settings.severity.insert(kind, level);
        }
    }
    Ok(settings)
}

/// The kind of finding that a rule id names.
pub(crate) fn kind(rule: &str) -> Result<FindingKind, String> {
    FindingKind::from_rule_id(rule).ok_or_else(|| {
        let ids: Vec<&str> = KINDS.iter().map(|kind| kind.rule_id()).collect();
        match similar(rule, &ids) {
            Some(near) => format!("there is no rule `{rule}`; did you mean `{near}`?"),
            None => format!("there is no rule `{rule}`; there are {}", ids.join(", ")),
        }
    })
}

/// The most similar of the names, if one is similar.
fn similar<'n>(name: &str, names: &[&'n str]) -> Option<&'n str> {
    let plain = name.replace('_', "-").to_ascii_lowercase();
    names
        .iter()
        .map(|other| (strsim::jaro_winkler(&plain, other), *other))
        .filter(|(likeness, _)| *likeness > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

/// The keys that mean nothing.
fn keys(table: &DeTable<'_>, known: &[&str]) -> Vec<Wrong> {
    let unknown = table
        .keys()
        .filter(|key| !known.contains(&key.get_ref().as_ref()));
    unknown
        .map(|key| {
            let name = key.get_ref();
            let hint = match similar(name, known) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known here: {}", known.join(", ")),
            };
            (key.span().start, format!("unknown key `{name}`; {hint}"))
        })
        .collect()
}

/// The entries of a list of tables, with their places.
fn tables<'t, 'i>(
    table: &'t DeTable<'i>,
    key: &str,
) -> Result<Vec<(Spanned<&'t DeTable<'i>>, usize)>, Wrong> {
    let Some(value) = table.get(key) else {
        return Ok(Vec::new());
    };
    let not_a_list = || {
        (
            value.span().start,
            format!("`{key}` is a list of tables: [[{key}]]"),
        )
    };
    let entries = value.get_ref().as_array().ok_or_else(not_a_list)?;
    let mut all = Vec::new();
    for entry in entries.iter() {
        let inner = entry.get_ref().as_table().ok_or_else(not_a_list)?;
        let first = inner.keys().map(|key| key.span().start).min();
        let at = first.unwrap_or(entry.span().start);
        all.push((Spanned::new(entry.span(), inner), at));
    }
    Ok(all)
}

/// A text or a list of texts, with their places.
fn texts(table: &DeTable<'_>, key: &str) -> Result<Vec<(String, usize)>, Wrong> {
    let Some(value) = table.get(key) else {
        return Ok(Vec::new());
    };
    let text = |value: &Value<'_>| match value.get_ref().as_str() {
        Some(text) => Ok((text.to_owned(), value.span().start)),
        None => Err((
            value.span().start,
            format!("`{key}` is a text or a list of texts"),
        )),
    };
    match value.get_ref().as_array() {
        Some(list) => list.iter().map(text).collect(),
        None => Ok(vec![text(value)?]),
    }
}

fn patterns(table: &DeTable<'_>, key: &str) -> Result<Patterns, Wrong> {
    let texts = texts(table, key)?;
    let at = texts.first().map_or(0, |(_, at)| *at);
    let all: Vec<String> = texts.into_iter().map(|(text, _)| text).collect();
    Patterns::new(&all).map_err(|message| (at, message))
}

fn text_of(table: &DeTable<'_>, key: &str) -> Result<Option<String>, Wrong> {
    match table.get(key) {
        None => Ok(None),
        Some(value) => match value.get_ref().as_str() {
            Some(text) => Ok(Some(text.to_owned())),
            None => Err((value.span().start, format!("`{key}` is a text"))),
        },
    }
}

fn required(table: &DeTable<'_>, key: &str, at: usize) -> Result<String, Wrong> {
    text_of(table, key)?.ok_or_else(|| (at, format!("`{key}` is missing")))
}

fn offset(table: &DeTable<'_>, key: &str, otherwise: usize) -> usize {
    table.get(key).map_or(otherwise, |value| value.span().start)
}

/// `64` or `[16, 16]`.
fn dims(table: &DeTable<'_>, key: &str) -> Result<Option<Dims>, Wrong> {
    let Some(value) = table.get(key) else {
        return Ok(None);
    };
    let refused = || {
        let message = format!("`{key}` is a size or a list of one to three sizes, each from 1 on");
        (value.span().start, message)
    };
    let size = |value: &Value<'_>| {
        let integer = value.get_ref().as_integer()?;
        let size = u32::from_str_radix(integer.as_str(), integer.radix()).ok()?;
        (size > 0).then_some(u64::from(size))
    };
    let sizes: Option<Vec<u64>> = match value.get_ref().as_array() {
        Some(list) => list.iter().map(size).collect(),
        None => size(value).map(|size| vec![size]),
    };
    match sizes.as_deref() {
        Some([x]) => Ok(Some([*x, 1, 1])),
        Some([x, y]) => Ok(Some([*x, *y, 1])),
        Some([x, y, z]) => Ok(Some([*x, *y, *z])),
        _ => Err(refused()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value as Json;

    fn read(text: &str) -> Result<Config, Vec<Wrong>> {
        parse(text, "warplog.toml", PathBuf::from("/r"))
    }

    /// Names of the properties of an object of the schema.
    fn properties(schema: &Json, pointer: &str) -> Vec<String> {
        let object = schema.pointer(pointer).and_then(Json::as_object);
        object.expect(pointer).keys().cloned().collect()
    }

    #[test]
    fn the_schema_has_the_keys_that_are_read() {
        let schema: Json = serde_json::from_str(super::super::JSON_SCHEMA).expect("is JSON");
        for (pointer, known) in [
            ("/properties", &TOP[..]),
            ("/properties/path/items/properties", &PATH),
            ("/properties/launch/items/properties", &LAUNCH),
            ("/properties/allow/items/properties", &ALLOW),
            ("/properties/answer/items/properties", &ANSWER),
        ] {
            let mut known: Vec<&str> = known.to_vec();
            known.sort_unstable();
            let mut names = properties(&schema, pointer);
            names.sort_unstable();
            assert_eq!(names, known, "{pointer}");
        }
        let mut rules = properties(&schema, "/$defs/severity/properties");
        rules.sort_unstable();
        let mut kinds = KINDS.map(FindingKind::rule_id);
        kinds.sort_unstable();
        assert_eq!(rules, kinds);
    }

    #[test]
    fn settings_add_up() {
        let config = read(
            "exclude = \"third_party\"\ndefine = [\"N=4\", \"D\"]\nundefine = \"X\"\ninclude = \"inc\"\nblock-dim = 64\n\
             [severity]\ndata-race = \"warning\"\n\
             [[launch]]\nkernel = \"k\"\nblock-dim = [8, 0x8]\n\
             [[allow]]\nrule = \"data-race\"\nkernel = \"k\"\nbecause = \"it is benign\"\n",
        )
        .expect("reads");
        assert_eq!(config.all.macros.len(), 3);
        assert_eq!(config.all.block_dim, Some([64, 1, 1]));
        assert_eq!(config.all.include_dirs, [PathBuf::from("/r/inc")]);
        assert_eq!(config.launches[0].block_dim, Some([8, 8, 1]));
        assert_eq!(
            (config.allows[0].line, config.allows[0].kind),
            (12, Some(FindingKind::DataRace))
        );
        assert!(config.exclude.matches(Path::new("third_party/x/y.cu")));
        assert!(!config.exclude.matches(Path::new("src/third_party/y.cu")));
    }

    #[test]
    fn what_is_wrong_is_told_with_its_place() {
        for (text, at, message) in [
            (
                "exlude = []",
                0,
                "unknown key `exlude`; did you mean `exclude`?",
            ),
            (
                "block_dim = 4",
                0,
                "unknown key `block_dim`; did you mean `block-dim`?",
            ),
            (
                "colour = 1",
                0,
                "unknown key `colour`; known here: exclude,",
            ),
            ("block-dim = 0", 12, "`block-dim` is a size"),
            ("grid-dim = [1, 2, 3, 4]", 11, "`grid-dim` is a size"),
            ("define = [\"4=N\"]", 10, "`4` is no name of a macro"),
            ("define = 4", 9, "`define` is a text or a list of texts"),
            ("exclude = \"a[\"", 10, "`a[` is no pattern"),
            (
                "[severity]\ndata-rase = \"off\"",
                11,
                "there is no rule `data-rase`; did you mean `data-race`?",
            ),
            (
                "[severity]\ndata-race = \"fatal\"",
                23,
                "a severity is one of",
            ),
            ("[[path]]\ndefine = \"A\"", 0, "`match` is missing"),
            (
                "[[launch]]\nkernel = \"k\"",
                11,
                "`block-dim` or `grid-dim` is missing",
            ),
            (
                "[[allow]]\nrule = \"data-race\"",
                10,
                "`because` is missing",
            ),
            (
                "[[allow]]\nrule = \"data-race\"\nbecause = \" \"",
                10,
                "`because` gives no reason",
            ),
            (
                "[allow]\nrule = \"data-race\"",
                0,
                "`allow` is a list of tables: [[allow]]",
            ),
            ("define = [", 10, ""),
        ] {
            let all = read(text).expect_err(text);
            let [(place, said)] = all.as_slice() else {
                panic!("{text}: {all:?}");
            };
            assert!(said.starts_with(message), "{text}: {said}");
            assert_eq!(*place, at, "{text}");
        }
    }

    #[test]
    fn all_unknown_keys_are_told() {
        let text = "colour = 1\nblock-dim = 0\n[[path]]\nmatch = \"a\"\ndefin = \"A\"\n[[allow]]\nrules = \"data-race\"\n";
        let all = read(text).expect_err("is wrong");
        let names: Vec<&str> = all
            .iter()
            .map(|(_, said)| said.split('`').nth(1).unwrap_or_default())
            .collect();
        assert_eq!(names, ["colour", "defin", "rules"]);
    }
}
