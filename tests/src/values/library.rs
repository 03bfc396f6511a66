//! The functions of the analyser's library as snippets: what each gives for edge values of the types of its arguments, and the
//! type of that.
//!
//! `tests/library/values.txt` lists the functions by signature. Those of CUDA have no meaning to a compiler on the host: it gets
//! `tests/library/reference.h`, written from the manual, which the analyser does not see.
//!
//! An `exact` function is asked for a number made of its results for all edge values, which must be told as it is. Of `opaque`
//! ones, several are asked for the sizes of what they give in one expression, which must be told as well, for the types of it, and for
//! a number like that, of which nothing false may be said.

use super::read::Snippet;

/// A snippet about functions of the library.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The snippet; its file is the question.
    pub snippet: Snippet,
    /// The functions, as they are called.
    pub names: Vec<String>,
    /// Whether both of its kernels must be told for what they are.
    pub exact: bool,
}

/// A list of functions of one signature.
struct Line {
    kind: String,
    result: String,
    names: Vec<String>,
    params: Vec<String>,
    types: Vec<String>,
    values: Vec<String>,
}

const INTEGERS: [&str; 8] = [
    "schar",
    "uchar",
    "short",
    "ushort",
    "int",
    "uint",
    "longlong",
    "ulonglong",
];

/// How many functions share an expression.
const PACK: usize = 8;

/// All questions of a list of signatures.
///
/// # Panics
/// When a line is none.
#[must_use]
pub fn library_snippets(text: &str) -> Vec<Asked> {
    let mut all = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with("//") {
            continue;
        }
        let number = number + 1;
        match line.strip_prefix("members ") {
            Some(rest) => members(rest, number, &mut all),
            None => {
                let line = read(line).unwrap_or_else(|| panic!("values.txt:{number}: {line}"));
                questions(&line, number, &mut all);
            }
        }
    }
    all
}

/// `a{b,c}d` as `abd` and `acd`.
#[must_use]
pub fn spellings(pattern: &str) -> Vec<String> {
    let Some((head, rest)) = pattern.split_once('{') else {
        return vec![pattern.to_owned()];
    };
    let Some((choices, tail)) = rest.split_once('}') else {
        return vec![pattern.to_owned()];
    };
    let tails = spellings(tail);
    let mut all = Vec::new();
    for choice in choices.split(',') {
        all.extend(tails.iter().map(|tail| format!("{head}{choice}{tail}")));
    }
    all
}

fn read(line: &str) -> Option<Line> {
    let (line, values) = match line.split_once('|') {
        Some((line, values)) => (line, values.split_whitespace().map(str::to_owned).collect()),
        None => (line, Vec::new()),
    };
    let (signature, rest) = line.rsplit_once(')')?;
    let (head, params) = signature.rsplit_once('(')?;
    let mut words = head.split_whitespace();
    let (kind, result) = (words.next()?.to_owned(), words.next()?.to_owned());
    let params = params.split(',').map(str::trim);
    let params = params.filter(|param| !param.is_empty());
    let types = rest.trim().trim_start_matches(':').split_whitespace();
    let types = types.flat_map(|word| match word {
        "any" => INTEGERS.to_vec(),
        word => vec![word],
    });
    Some(Line {
        kind,
        result,
        names: words.flat_map(spellings).collect(),
        params: params.map(str::to_owned).collect(),
        types: types.map(str::to_owned).collect(),
        values,
    })
}

/// A type as C++ writes it.
fn cpp(ty: &str) -> &str {
    match ty {
        "schar" => "signed char",
        "uchar" => "unsigned char",
        "ushort" => "unsigned short",
        "uint" => "unsigned int",
        "ulong" => "unsigned long",
        "longlong" => "long long",
        "ulonglong" => "unsigned long long",
        ty => ty,
    }
}

/// The smallest, the largest and some values between.
fn edges(ty: &str) -> Vec<&'static str> {
    match ty {
        "bool" => vec!["0", "1"],
        "schar" => vec!["-128", "-1", "0", "1", "90", "127"],
        "uchar" => vec!["0", "1", "90", "128", "255"],
        "short" => vec!["-32768", "-1", "0", "1", "300", "32767"],
        "ushort" => vec!["0", "1", "300", "32768", "65535"],
        "int" => vec![
            "(-2147483647 - 1)",
            "-1",
            "0",
            "1",
            "0x12345678",
            "2147483647",
        ],
        "uint" => vec!["0u", "1u", "0x12345678u", "0x80000000u", "0xffffffffu"],
        "long" | "longlong" => vec![
            "(-9223372036854775807LL - 1)",
            "-1",
            "0",
            "1",
            "0x123456789abcdefLL",
            "9223372036854775807LL",
        ],
        "ulong" | "ulonglong" => vec![
            "0",
            "1",
            "0x123456789abcdefULL",
            "0x8000000000000000ULL",
            "0xffffffffffffffffULL",
        ],
        _ => vec!["0.25f", "0.5f", "1.0f"],
    }
}

fn is_number(ty: &str) -> bool {
    INTEGERS.contains(&ty) || matches!(ty, "bool" | "long" | "ulong" | "float" | "double")
}

fn is_integer(ty: &str) -> bool {
    is_number(ty) && !matches!(ty, "float" | "double")
}

/// The arguments of calls: for each its values, with the type that they have.
fn calls(line: &Line, ty: Option<&str>) -> Vec<Vec<String>> {
    let types: Vec<&str> = line
        .params
        .iter()
        .filter(|param| !param.ends_with('*'))
        .map(|param| match (param.trim_end_matches('&'), ty) {
            ("T", Some(ty)) => ty,
            (param, Some(ty)) if is_integer(param) && is_integer(ty) && line.kind == "exact" => ty,
            (param, _) => param,
        })
        .collect();
    let lists: Vec<Vec<String>> = types
        .iter()
        .map(|&ty| {
            let values: Vec<&str> = match line.values.as_slice() {
                [] => edges(ty),
                values => values.iter().map(String::as_str).collect(),
            };
            let unsigned = ty.starts_with('u');
            // `UINT8_C(1)` takes a literal.
            let literal = line.names.iter().all(|name| name.ends_with("_C"));
            values
                .into_iter()
                .filter(|value| !(unsigned && value.starts_with('-')))
                .map(|value| match literal {
                    true => value.to_owned(),
                    false => format!("({})({value})", cpp(ty)),
                })
                .collect()
        })
        .collect();
    let bounded = line.names.iter().any(|name| name.ends_with("clamp"));
    match lists.as_slice() {
        [] => vec![Vec::new()],
        [one] => one.iter().map(|value| vec![value.clone()]).collect(),
        [values, low, high] if bounded => values
            .iter()
            .map(|value| vec![value.clone(), low[0].clone(), high[high.len() - 1].clone()])
            .collect(),
        [first, second, rest @ ..] => {
            let mut all = Vec::new();
            for (i, one) in first.iter().enumerate() {
                for (j, other) in second.iter().enumerate() {
                    let mut args = vec![one.clone(), other.clone()];
                    args.extend(
                        rest.iter()
                            .map(|list| list[(i + 2 * j) % list.len()].clone()),
                    );
                    all.push(args);
                }
            }
            all
        }
    }
}

/// Statements that make a number of the results of calls.
fn mixed(line: &Line, name: &str, ty: Option<&str>) -> String {
    let pointers: Vec<&String> = line
        .params
        .iter()
        .filter(|param| param.ends_with('*'))
        .collect();
    let mut body = String::new();
    for args in calls(line, ty) {
        let mut args = args;
        let mut behind = String::new();
        body.push_str("{ ");
        if line
            .params
            .first()
            .is_some_and(|param| param.ends_with('&'))
        {
            let of = cpp(ty.unwrap_or("int"));
            body.push_str(&format!("{of} object = {}; ", args[0]));
            args[0] = "object".to_owned();
            behind.push_str("h = h * 31 + (unsigned long long)object; ");
        }
        for (at, pointer) in pointers.iter().enumerate() {
            let of = cpp(pointer.trim_end_matches('*'));
            body.push_str(&format!("{of} stored{at} = 0; "));
            args.push(format!("&stored{at}"));
            behind.push_str(&format!("h = h * 31 + (unsigned long long)stored{at}; "));
        }
        body.push_str(&format!(
            "h = h * 31 + (unsigned long long){name}({}); {behind}}}\n",
            args.join(", ")
        ));
    }
    format!("unsigned long long h = 7;\n{body}")
}

/// A call with variables as arguments, and what declares these.
fn unevaluated(line: &Line, name: &str, ty: Option<&str>) -> (String, String) {
    let mut declared = String::new();
    let mut args = Vec::new();
    for (at, param) in line.params.iter().enumerate() {
        if line.names.iter().all(|name| name.ends_with("_C")) {
            args.push("1".to_owned());
            continue;
        }
        let param = match (param.trim_end_matches('&'), ty) {
            ("T", Some(ty)) => ty,
            (param, _) => param,
        };
        let of = cpp(param.trim_end_matches('*'));
        declared.push_str(&format!("{of} a{at};\n"));
        args.push(match param.ends_with('*') {
            true => format!("&a{at}"),
            false => format!("a{at}"),
        });
    }
    (declared, format!("{name}({})", args.join(", ")))
}

fn snippet(question: &str, number: usize, body: String, value: String) -> Snippet {
    Snippet {
        file: question.to_owned(),
        line: number,
        body,
        value: Some(value),
        device: true,
        kernel_only: true,
        ..Snippet::default()
    }
}

fn questions(line: &Line, number: usize, all: &mut Vec<Asked>) {
    let types: Vec<Option<&str>> = match line.types.as_slice() {
        [] => vec![None],
        types => types.iter().map(|ty| Some(ty.as_str())).collect(),
    };
    let is_template = line.params.iter().any(|param| param.starts_with('T'));
    let exact = line.kind == "exact";
    for (position, &ty) in types.iter().enumerate() {
        let result = match (line.result.as_str(), ty) {
            ("T", Some(ty)) => ty,
            (result, _) => result,
        };
        for pack in line.names.chunks(PACK) {
            let names = pack.to_vec();
            let ask = |snippet, exact| Asked {
                snippet,
                names: names.clone(),
                exact,
            };
            let numbers =
                |param: &String| param.starts_with('T') || is_number(param.trim_end_matches('*'));
            if (is_integer(result) || result == "auto") && line.params.iter().all(numbers) {
                let mut bodies: Vec<(String, String)> = Vec::new();
                for name in pack {
                    bodies.push((mixed(line, name, ty), "h".to_owned()));
                }
                if exact {
                    for (body, value) in bodies {
                        all.push(ask(snippet("values", number, body, value), true));
                    }
                } else if let [(first, _), ..] = bodies.as_slice() {
                    // Of one of them: nothing is told of any.
                    all.push(ask(
                        snippet("numbers", number, first.clone(), "h".to_owned()),
                        false,
                    ));
                }
            }
            if position > 0 && !is_template || result == "auto" {
                continue;
            }
            let (declared, _) = unevaluated(line, "f", ty);
            let calls = pack.iter().map(|name| unevaluated(line, name, ty).1);
            let calls: Vec<String> = calls.collect();
            let sizes: Vec<String> = calls
                .iter()
                .enumerate()
                .map(|(at, call)| format!("((long long)sizeof({call}) << {})", 6 * at))
                .collect();
            let told = is_integer(result) || !line.result.contains("half");
            let body = declared.clone();
            all.push(ask(snippet("sizes", number, body, sizes.join(" + ")), told));
            // `min(short, short)` of CUDA is an `int`, `min(unsigned, unsigned)` none.
            let own = match (line.names[0].as_str(), ty) {
                ("min" | "max" | "abs", _) => continue,
                _ => cpp(result),
            };
            let same: Vec<String> = calls
                .iter()
                .enumerate()
                .map(|(at, call)| {
                    format!("((long long)std::is_same<std::decay<decltype({call})>::type, {own}>::value << {at})")
                })
                .collect();
            all.push(ask(
                snippet("types", number, declared, same.join(" + ")),
                false,
            ));
        }
    }
}

/// `make_int3` and its kin: what their members become.
fn members(rest: &str, number: usize, all: &mut Vec<Asked>) {
    let mut words = rest.split_whitespace();
    let count: usize = words.next().and_then(|word| word.parse().ok()).unwrap_or(1);
    const VALUES: [&str; 4] = ["300", "-1", "70000", "-129"];
    const SMALL: [&str; 4] = ["3", "5", "7", "9"];
    for name in words.flat_map(spellings) {
        let floats = ["float", "double", "Complex"]
            .iter()
            .any(|word| name.contains(word));
        let values = if floats { SMALL } else { VALUES };
        let args = values[..count].join(", ");
        let body = format!("auto made = {name}({args});\n");
        let members = ["x", "y", "z", "w"];
        let mixed: Vec<String> = (0..count)
            .map(|at| format!("((long long)made.{} << {})", members[at], 3 * at))
            .collect();
        let names = vec![name];
        all.push(Asked {
            snippet: snippet("sizes", number, body.clone(), "sizeof(made)".to_owned()),
            names: names.clone(),
            exact: true,
        });
        let mixed = mixed
            .join(" ^ ")
            .replace("<< 0", "* 1")
            .replace("<< 3", "* 8");
        let mixed = mixed.replace("<< 6", "* 64").replace("<< 9", "* 512");
        all.push(Asked {
            snippet: snippet("values", number, body, mixed),
            names,
            exact: !floats,
        });
    }
}
