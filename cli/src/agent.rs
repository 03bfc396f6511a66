//! `warplog mcp`: what the commands do, as tools that an agent calls.
//!
//! A call becomes the command line that asks for the same, and the answer is what that command writes as JSON, with the same schema. A
//! source may be a path or a text; a text is what `-` stands for. Nothing of a call is read as a flag: values stand behind the names of
//! flags that are known here, and paths behind `--`.

use std::io::Write as _;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};
use warplog_mcp::{Arguments, Offer};
use warplog_solver_bridge::Stop;

use crate::pipeline::Pipeline;
use crate::told::{Doing, Told};
use crate::{FAILED, Streams, complain, run};

/// For a model that is to use the tools.
const INSTRUCTIONS: &str = "\
warplog proves CUDA kernels free of data races and barrier divergence for any number of threads, or names two threads that collide. \
Use `check` on every kernel that you write or change: `race_free` is a proof under the listed assumptions, `racy` has a witness, \
`unknown` is no proof. `explain` tells why, `equal` compares a rewritten kernel with its original, `costs` counts bank conflicts, \
uncoalesced accesses, divergent branches and redundant barriers.";

/// Flags that a call may give, by the names of the arguments.
const FLAGS: [(&str, &str, &str); 8] = [
    ("block_dim", "--block-dim", "block size, `256` or `16,16`"),
    ("grid_dim", "--grid-dim", "grid size, `64` or `8,8`"),
    ("defines", "-D", "macros, `N=4`"),
    ("include_dirs", "-I", "folders of included files"),
    (
        "assume",
        "--assume",
        "conditions that always hold, `n % 4 == 0`",
    ),
    (
        "kernels",
        "--kernel",
        "names of the kernels to look at; all if left out",
    ),
    (
        "effort",
        "--effort",
        "how many times as long to search, 1 to 1000",
    ),
    (
        "compile_commands",
        "-p",
        "compile_commands.json, or its folder",
    ),
];

/// Serves the agent at standard input and output, and gives the exit status.
pub(crate) fn serve<P: Pipeline>(pipeline: &P, streams: &mut Streams<'_>) -> u8 {
    let about = (INSTRUCTIONS, env!("CARGO_PKG_VERSION"));
    let workers = streams.workers;
    let cache = streams.cache.clone();
    let served = warplog_mcp::serve(about, offers(), |name, arguments, client| {
        let stop = Stop::new(client.cancelled());
        let said = client.clone();
        // Files are done side by side: the last phase of any of them stands behind the count of those that are through.
        let files = Mutex::new((0, String::new()));
        let told = Told::new(move |doing: Doing<'_>| {
            let mut files = files.lock().unwrap_or_else(PoisonError::into_inner);
            match doing {
                Doing::Phase(phase) => said.say(&format!("{}{phase}", files.1)),
                // Two threads may tell their counts in either order.
                Doing::Files(done, all) if done > files.0 => {
                    let text = format!("{done} of {all} files are analysed");
                    said.say(&text);
                    *files = (done, format!("{text}; "));
                }
                Doing::Files(..) => {}
            }
        });
        let run = (workers, cache.clone(), &stop, told);
        call(pipeline, name, arguments, run)
    });
    match served {
        Ok(()) => 0,
        Err(error) => {
            complain(streams, &error.to_string());
            FAILED
        }
    }
}

/// The tools.
fn offers() -> Vec<Offer> {
    let source = |what: &str| {
        let mut properties = Map::new();
        properties.insert(
            "source".to_owned(),
            json!({ "type": "string", "description": format!("CUDA source text of {what}; or give `path`") }),
        );
        properties.insert(
            "path".to_owned(),
            json!({ "type": "string", "description": "file or folder on this machine" }),
        );
        properties
    };
    let with_flags = |mut properties: Map<String, Value>| {
        for (name, flag, what) in FLAGS {
            let text = json!({ "type": "string" });
            let schema = match flag {
                "--effort" => json!({ "type": "integer", "minimum": 1, "maximum": 1000 }),
                "--block-dim" | "--grid-dim" | "-p" => text,
                _ => json!({ "type": "array", "items": text }),
            };
            let mut schema = schema;
            schema["description"] = json!(what);
            properties.insert(name.to_owned(), schema);
        }
        properties
    };
    let object = |properties: Map<String, Value>, required: &[&str]| {
        let schema = json!({
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        });
        match schema {
            Value::Object(schema) => schema,
            _ => Map::new(),
        }
    };
    let mut explained = with_flags(source("the kernels"));
    explained.insert(
        "what".to_owned(),
        json!({ "type": "string", "description": "id of a finding or a pair, name of a kernel, or FILE:LINE" }),
    );
    let side = json!({
        "type": "object",
        "properties": {
            "source": { "type": "string" },
            "path": { "type": "string" },
            "kernel": { "type": "string", "description": "name of the kernel, or A,B for a sequence of launches" },
        },
        "required": ["kernel"],
        "additionalProperties": false,
    });
    let mut equal = with_flags(Map::new());
    // Which kernels are compared is said by the sides.
    for other in ["kernels", "effort"] {
        equal.remove(other);
    }
    equal.insert("left".to_owned(), side.clone());
    equal.insert("right".to_owned(), side);
    equal.insert(
        "map".to_owned(),
        json!({ "type": "array", "items": { "type": "string" }, "description": "parameters that are the same, LEFT=RIGHT" }),
    );
    equal.insert(
        "reassociated".to_owned(),
        json!({ "type": "boolean", "description": "whether floating-point sums may be made in another order" }),
    );
    vec![
        Offer {
            name: "check",
            description: "Check CUDA kernels for data races and barrier divergence. Gives the report of `warplog check --format json`: a verdict for each kernel, findings with the two threads that collide and a checked mend where one is known, and questions that would settle the rest.",
            arguments: object(with_flags(source("one file")), &[]),
        },
        Offer {
            name: "explain",
            description: "Tell why something was found or proved: the facts, the numbered rules, the solver's answer. `what` is the id of a finding, the name of a kernel, or FILE:LINE; the file of a source text is `kernel.cu`.",
            arguments: object(explained, &["what"]),
        },
        Offer {
            name: "equal",
            description: "Tell whether two kernels leave equal contents for every size of block and grid, every argument and all contents. Gives equal, different with a counterexample, or unknown.",
            arguments: object(equal, &["left", "right"]),
        },
        Offer {
            name: "costs",
            description: "Check kernels and count what their accesses, branches and barriers cost: bank conflicts, uncoalesced accesses, divergent branches, redundant barriers.",
            arguments: object(with_flags(source("one file")), &[]),
        },
    ]
}

/// The name that a text has in reports.
const TEXT: &str = "kernel.cu";

/// What a call asks for: a command line and what it reads.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    words: Vec<String>,
    input: Option<String>,
    /// Texts that have to be files, by their names.
    files: Vec<(String, String)>,
}

/// Answers a call.
fn call<P: Pipeline>(
    pipeline: &P,
    name: &str,
    arguments: &Arguments,
    (workers, cache, stop, told): (bool, Option<PathBuf>, &Stop, Told),
) -> Result<Value, String> {
    let mut asked = asked(name, arguments)?;
    let folder = Folder::of(&asked.files)?;
    if let Some(folder) = &folder {
        let place = folder.0.to_string_lossy().into_owned();
        for word in &mut asked.words {
            *word = word.replace(PLACE, &place);
        }
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let input = asked.input.unwrap_or_default();
    let status = run(
        pipeline,
        asked.words,
        &mut Streams {
            input: &mut input.as_bytes(),
            out: &mut out,
            err: &mut err,
            terminal: false,
            color: false,
            width: crate::WIDTH,
            progress: false,
            told,
            cache,
            workers,
            interruption: &|| stop.clone(),
        },
    );
    drop(folder);
    let text = String::from_utf8_lossy(&out);
    if out.is_empty() {
        return Err(String::from_utf8_lossy(&err).trim().to_owned());
    }
    match name {
        "explain" if status == 0 => Ok(json!({ "explanation": text })),
        "explain" => Err(String::from_utf8_lossy(&err).trim().to_owned()),
        _ => serde_json::from_str(&text).map_err(|error| error.to_string()),
    }
}

/// What stands for the folder of texts that have to be files.
const PLACE: &str = "\u{0}";

/// The command line of a call.
fn asked(name: &str, arguments: &Arguments) -> Result<Asked, String> {
    let mut asked = Asked::default();
    let mut word = |text: &str| asked.words.push(text.to_owned());
    word("warplog");
    word(match name {
        "costs" => "check",
        other => other,
    });
    if name != "explain" {
        word("--format=json");
    }
    if name == "costs" {
        word("--costs");
    }
    let mut known = vec!["source", "path"];
    match name {
        "equal" => known = vec!["left", "right", "map", "reassociated"],
        "explain" => known.push("what"),
        _ => {}
    }
    for (argument, value) in arguments {
        if let Some((_, flag, _)) = FLAGS.iter().find(|(name, ..)| name == argument) {
            for value in values(argument, value)? {
                // Joined, so that the value is one whatever it begins with.
                match flag.strip_prefix("--") {
                    Some(_) => word(&format!("{flag}={value}")),
                    None => word(&format!("{flag}{value}")),
                }
            }
        } else if !known.contains(&argument.as_str()) {
            return Err(format!("`{argument}` is no argument of `{name}`"));
        }
    }
    if name == "equal" {
        if arguments.get("reassociated") == Some(&Value::Bool(true)) {
            word("--float=reassociated");
        }
        for pair in arguments
            .get("map")
            .map(|map| values("map", map))
            .transpose()?
            .unwrap_or_default()
        {
            word(&format!("--map={pair}"));
        }
        word("--");
        for side in ["left", "right"] {
            let of = arguments.get(side).and_then(Value::as_object);
            let of = of.ok_or_else(|| {
                format!("`{side}` is an object with `source` or `path`, and `kernel`")
            })?;
            let kernel = text(of, "kernel")?.ok_or_else(|| format!("`{side}` needs `kernel`"))?;
            let file = match source(of)? {
                Source::Path(path) => path,
                Source::Text(source) => {
                    let name = format!("{side}.cu");
                    let file = format!("{PLACE}/{name}");
                    asked.files.push((name, source));
                    file
                }
            };
            asked.words.push(format!("{file}:{kernel}"));
        }
        return Ok(asked);
    }
    let source = source(arguments)?;
    if matches!(source, Source::Text(_)) {
        word(&format!("--stdin-name={TEXT}"));
    }
    word("--");
    if name == "explain" {
        let what = text(arguments, "what")?;
        word(&what.ok_or("`what` is missing: an id, a kernel, or FILE:LINE")?);
    }
    match source {
        Source::Path(path) => word(&path),
        Source::Text(source) => {
            word("-");
            asked.input = Some(source);
        }
    }
    Ok(asked)
}

enum Source {
    Path(String),
    Text(String),
}

fn source(of: &Arguments) -> Result<Source, String> {
    match (text(of, "source")?, text(of, "path")?) {
        (Some(source), None) => Ok(Source::Text(source)),
        // A path that is `-` would be standard input, which is the protocol's.
        (None, Some(path)) if path == "-" => Ok(Source::Path("./-".to_owned())),
        (None, Some(path)) => Ok(Source::Path(path)),
        _ => Err("either `source` or `path` is wanted".to_owned()),
    }
}

fn text(of: &Arguments, name: &str) -> Result<Option<String>, String> {
    match of.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if !text.contains('\0') || name == "source" => {
            Ok(Some(text.clone()))
        }
        Some(_) => Err(format!("`{name}` is a text")),
    }
}

/// The values of an argument that may be one or several.
fn values(name: &str, value: &Value) -> Result<Vec<String>, String> {
    let one = |value: &Value| match value {
        Value::String(text) if !text.contains('\0') => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(format!("`{name}` is a text, or a list of texts")),
    };
    match value {
        Value::Array(all) => all.iter().map(one).collect(),
        other => Ok(vec![one(other)?]),
    }
}

/// A folder with texts as files, which is removed when it is not needed any more.
struct Folder(PathBuf);

impl Folder {
    fn of(files: &[(String, String)]) -> Result<Option<Self>, String> {
        use std::sync::atomic::{AtomicU64, Ordering};

        static COUNT: AtomicU64 = AtomicU64::new(0);
        if files.is_empty() {
            return Ok(None);
        }
        let nth = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("warplog-mcp-{}-{nth}", std::process::id());
        let folder = Folder(std::env::temp_dir().join(name));
        let told = |error: std::io::Error| crate::collect::reason(&error);
        // One that is there already is somebody else's.
        std::fs::create_dir(&folder.0).map_err(told)?;
        for (name, text) in files {
            let mut file = std::fs::File::create(folder.0.join(name)).map_err(told)?;
            file.write_all(text.as_bytes()).map_err(told)?;
        }
        Ok(Some(folder))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(name: &str, arguments: &Value) -> Result<Vec<String>, String> {
        let arguments = arguments.as_object().expect("an object");
        asked(name, arguments).map(|asked| asked.words)
    }

    #[test]
    fn values_are_never_flags() {
        let all = json!({
            "path": "--fix", "kernels": ["--fix"], "defines": ["N=--fix"], "effort": 3, "block_dim": "64",
        });
        let words = words("check", &all).expect("is asked");
        let (flags, paths) =
            words.split_at(words.iter().position(|word| word == "--").expect("--"));
        assert_eq!(paths, ["--", "--fix"]);
        let mut flags = flags[2..].to_vec();
        flags.sort();
        assert_eq!(
            flags,
            [
                "--block-dim=64",
                "--effort=3",
                "--format=json",
                "--kernel=--fix",
                "-DN=--fix"
            ]
        );
        assert!(!flags.contains(&"--fix".to_owned()));
        assert!(crate::args::Cli::read(&words).is_ok(), "{words:?}");
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (name, arguments, message) in [
            ("check", json!({}), "either `source` or `path` is wanted"),
            (
                "check",
                json!({ "source": "", "path": "k.cu" }),
                "either `source` or `path` is wanted",
            ),
            ("check", json!({ "source": 3 }), "`source` is a text"),
            (
                "check",
                json!({ "path": "k.cu", "fix": true }),
                "`fix` is no argument of `check`",
            ),
            (
                "check",
                json!({ "path": "k.cu", "kernels": [{}] }),
                "`kernels` is a text, or a list of texts",
            ),
            (
                "explain",
                json!({ "path": "k.cu" }),
                "`what` is missing: an id, a kernel, or FILE:LINE",
            ),
            (
                "equal",
                json!({ "left": { "path": "a.cu" } }),
                "`left` needs `kernel`",
            ),
            (
                "equal",
                json!({}),
                "`left` is an object with `source` or `path`, and `kernel`",
            ),
        ] {
            assert_eq!(words(name, &arguments), Err(message.to_owned()));
        }
    }

    #[test]
    fn every_argument_that_is_offered_is_understood() {
        for offer in offers() {
            let properties = offer.arguments["properties"]
                .as_object()
                .expect("an object");
            let mut all = Map::new();
            for name in properties.keys().filter(|name| *name != "path") {
                let side = json!({ "path": "a.cu", "kernel": "k" });
                let value = match name.as_str() {
                    "left" | "right" => side,
                    "reassociated" => json!(true),
                    "map" => json!(["a=b"]),
                    "effort" => json!(2),
                    "assume" => json!(["n > 0"]),
                    "block_dim" | "grid_dim" => json!("8"),
                    _ => json!("x"),
                };
                all.insert(name.clone(), value);
            }
            let words = words(offer.name, &Value::Object(all)).expect(offer.name);
            if let Err(error) = crate::args::Cli::read(&words) {
                panic!("{words:?}: {error}");
            }
        }
    }
}
