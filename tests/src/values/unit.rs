//! The translation units that the analyser gets: for each snippet a kernel that races and one that does nothing.

use std::collections::BTreeMap;
use std::fmt;

use super::compiler::Value;
use super::read::Snippet;

/// What a snippet may use of the library.
pub const INCLUDES: &str = "#include <array>\n#include <climits>\n#include <cstddef>\n#include <cstdint>\n#include <cstring>\n\
                            #include <functional>\n#include <initializer_list>\n#include <iterator>\n#include <limits>\n#include <memory>\n#include <new>\n\
                            #include <tuple>\n#include <type_traits>\n#include <unistd.h>\n#include <utility>\n#include <vector>\n";

/// Where an expression stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Where {
    /// In the kernel.
    Kernel,
    /// In a function that the kernel calls.
    Called,
    /// In host code that launches the kernel with the value.
    Host,
    /// It is the launch that host code makes.
    Launch,
}

impl fmt::Display for Where {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Where::Kernel => "in a kernel",
            Where::Called => "in a called function",
            Where::Host => "in host code",
            Where::Launch => "as a launch",
        })
    }
}

/// The two kernels of a snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// All threads write different values to one element.
    Racy,
    /// No thread writes.
    Free,
}

/// A translation unit.
#[derive(Clone, Debug)]
pub struct Text {
    /// Where the expressions stand.
    pub at: Where,
    /// The source.
    pub text: String,
    /// Snippets by number, with the kernel that is here.
    pub kernels: Vec<(usize, Side)>,
}

impl Text {
    /// The name of a kernel.
    pub fn kernel(&self, number: usize, side: Side) -> String {
        match (self.at, side) {
            (Where::Launch, _) => format!("k{number}"),
            (_, Side::Racy) => format!("racy{number}"),
            (_, Side::Free) => format!("free{number}"),
        }
    }
}

/// The most snippets of a unit.
const SNIPPETS: usize = 25;

/// A prelude and a function in the namespace of their snippet; its macros end with it.
pub fn namespaced(number: usize, prelude: &str, function: &str) -> String {
    let mut ends = String::new();
    for line in prelude.lines() {
        if let Some(rest) = line.strip_prefix("#define ") {
            let name: String = rest
                .chars()
                .take_while(|c| c.is_ascii_alphanumeric() || *c == '_')
                .collect();
            ends.push_str(&format!("#undef {name}\n"));
        }
    }
    let within = format!("{prelude}{function}").replace('$', &format!("::s{number}"));
    format!("namespace s{number} {{\n{within}}}\n{ends}")
}

/// A snippet with its number and value.
pub type Numbered<'s> = (usize, &'s Snippet, &'s Value);

/// The units for snippets.
pub fn texts(snippets: &[Numbered<'_>]) -> Vec<Text> {
    let mut groups: BTreeMap<(&str, usize), Vec<&Numbered<'_>>> = BTreeMap::new();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for one in snippets {
        let (number, snippet, _) = one;
        let count = counts.entry(snippet.group()).or_default();
        let part = if snippet.alone {
            usize::MAX - number
        } else {
            *count += 1;
            *count / SNIPPETS
        };
        groups.entry((snippet.group(), part)).or_default().push(one);
    }
    let mut texts = Vec::new();
    for group in groups.into_values() {
        for at in [Where::Kernel, Where::Called, Where::Host] {
            let mut text = Text {
                at,
                text: start(at),
                kernels: Vec::new(),
            };
            for (number, snippet, value) in &group {
                let not = match at {
                    Where::Host => snippet.device,
                    Where::Called => snippet.host || snippet.kernel_only,
                    Where::Kernel | Where::Launch => snippet.host,
                };
                if let (Value::Is(value), Some(expression), false) = (value, &snippet.value, not) {
                    text.text.push_str(&expression_kernels(
                        at, *number, snippet, expression, *value,
                    ));
                    text.kernels.push((*number, Side::Racy));
                    text.kernels.push((*number, Side::Free));
                }
            }
            texts.push(text);
        }
        for side in [Side::Racy, Side::Free] {
            let mut text = Text {
                at: Where::Launch,
                text: start(Where::Launch),
                kernels: Vec::new(),
            };
            for (number, snippet, value) in &group {
                if let Value::Launches(launches) = value {
                    text.text
                        .push_str(&launched(*number, snippet, launches, side));
                    text.kernels.push((*number, side));
                }
            }
            texts.push(text);
        }
    }
    texts.retain(|text| !text.kernels.is_empty());
    texts
}

fn start(at: Where) -> String {
    let header = match at {
        Where::Kernel | Where::Called => "//--blockDim=64 --gridDim=1\n",
        Where::Host | Where::Launch => "",
    };
    format!("{header}{INCLUDES}#define HD __host__ __device__\n")
}

/// A number of 64 bits as C++ writes it.
fn literal(value: i64) -> String {
    if value == i64::MIN {
        "(-9223372036854775807LL - 1)".to_owned()
    } else {
        format!("{value}LL")
    }
}

fn expression_kernels(
    at: Where,
    number: usize,
    snippet: &Snippet,
    expression: &str,
    value: i64,
) -> String {
    let value = literal(value);
    let body = &snippet.body;
    let sides = [("racy", "=="), ("free", "!=")];
    let mut out = String::new();
    match at {
        Where::Kernel => {
            for (name, compare) in sides {
                out.push_str(&format!(
                    "__global__ void {name}{number}(int *the_array)\n{{\n{body}if ((long long)({expression}) {compare} {value}) \
                     the_array[0] = threadIdx.x;\n}}\n"
                ));
            }
        }
        Where::Called => {
            out.push_str(&format!(
                "HD long long value()\n{{\n{body}return (long long)({expression});\n}}\n"
            ));
            for (name, compare) in sides {
                out.push_str(&format!(
                    "__global__ void {name}{number}(int *the_array)\n{{\nif (value() {compare} {value}) the_array[0] = threadIdx.x;\n}}\n"
                ));
            }
        }
        Where::Host | Where::Launch => {
            for (name, compare) in sides {
                out.push_str(&format!(
                    "__global__ void {name}{number}(int *the_array, long long v)\n{{\nif (v {compare} {value}) the_array[0] = threadIdx.x;\n}}\n"
                ));
            }
            out.push_str(&format!(
                "void launch(int *the_array)\n{{\n{body}long long the_value = (long long)({expression});\n\
                 racy{number}<<<1, 64>>>(the_array, the_value);\nfree{number}<<<1, 64>>>(the_array, the_value);\n}}\n"
            ));
        }
    }
    namespaced(number, &snippet.prelude, &out)
}

/// A kernel that races at one of the launches that happen, or at all others.
fn launched(number: usize, snippet: &Snippet, launches: &[(i64, i64)], side: Side) -> String {
    let those: Vec<String> = launches
        .iter()
        .map(|(block, n)| {
            format!(
                "(blockDim.x * blockDim.y * blockDim.z == {block} && n == {})",
                literal(*n)
            )
        })
        .collect();
    let condition = match (side, those.first()) {
        (Side::Racy, first) => first.cloned().unwrap_or_default(),
        (Side::Free, _) => format!("!({})", those.join(" || ")),
    };
    // The name of the kernel in the snippet is `k`, or `k` of a template's arguments.
    let kernel = format!(
        "__global__ void k{number}(int *g, long n)\n{{\nif ({condition}) g[0] = threadIdx.x;\n}}\n"
    );
    let name = format!("k{number}");
    let prelude = renamed(&snippet.prelude, &name);
    let body = renamed(&snippet.body, &name);
    let function = format!("void h(int *g)\n{{\n{body}}}\n");
    namespaced(number, &format!("{kernel}{prelude}"), &function)
}

/// The text with the word `k` replaced.
fn renamed(text: &str, name: &str) -> String {
    let mut out = String::new();
    let mut word = String::new();
    for c in text.chars().chain([' ']) {
        if c.is_ascii_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        out.push_str(if word == "k" { name } else { &word });
        word.clear();
        out.push(c);
    }
    out.pop();
    out
}
