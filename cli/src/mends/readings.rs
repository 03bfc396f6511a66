//! Whether a text has one reading: a change that was analysed in one configuration is made in the text of all.
//!
//! **Contract.** A place of a text has one reading if no conditional of the preprocessor stands in the function around it, nor
//! outside of all functions, nor in one that runs on the device. Left out of account are guards of headers, names that get a value where they have
//! none (`#ifndef N`, `#define N 64`, `#endif`), what asks for C++, and conditionals in functions of the host and in other kernels: what they hold is no part of a kernel.
//! This is a matter of the text, not of what was read: an arm that is there with another macro counts like one that is there now.

use std::ops::Range;

/// Whether what stands in the function with this body is the same in every configuration. Without a body: what a header has for others.
pub(super) fn is_one(text: &str, body: Option<&Range<usize>>) -> bool {
    let clean = without_comments(text);
    let inert = inert(&clean, body);
    let conditionals = conditionals(&clean);
    let guard = guard(&clean, &conditionals);
    conditionals.iter().enumerate().all(|(at, conditional)| {
        Some(at) == guard
            || conditional.is_default(&clean)
            || conditional.asks_for_cpp(&clean)
            || inert.iter().any(|range| range.contains(&conditional.start))
    })
}

/// Whether a text has objects that are `volatile`, by which threads tell each other something. Statements of assembly are none.
pub(super) fn has_volatile_objects(text: &str) -> bool {
    let clean = without_comments(text);
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    clean.match_indices("volatile").any(|(at, word)| {
        let (before, behind) = (&clean[..at], &clean[at + word.len()..]);
        let is_word = !before.ends_with(is_part) && !behind.starts_with(is_part);
        let last = before.trim_end();
        let is_assembly = ["asm", "__asm__", "__asm"]
            .iter()
            .any(|word| last.ends_with(word));
        is_word && !is_assembly
    })
}

/// `#if` to `#endif`, with what stands in between.
struct Conditional {
    start: usize,
    end: usize,
    /// The whole first line.
    head: Range<usize>,
    /// Where its last line begins.
    last: usize,
    has_else: bool,
}

impl Conditional {
    fn condition<'t>(&self, text: &'t str) -> &'t str {
        text[self.head.clone()].trim_start_matches([' ', '\t', '#'])
    }

    /// Whether it gives a name a value that has none.
    fn is_default(&self, text: &str) -> bool {
        let mut words = self.condition(text).split_whitespace();
        let name = match (words.next(), words.next()) {
            (Some("ifndef"), Some(name)) => name,
            _ => return false,
        };
        let inside = text[self.head.end..self.last].trim();
        let defines = inside.strip_prefix('#').map(str::trim_start);
        let defined = defines.and_then(|line| line.strip_prefix("define"));
        let is_own = defined.is_some_and(|rest| {
            rest.split([' ', '\t', '(', '\n'])
                .find(|word| !word.is_empty())
                == Some(name)
        });
        is_own && !self.has_else && inside.lines().count() == 1
    }

    fn asks_for_cpp(&self, text: &str) -> bool {
        let condition = self.condition(text);
        !self.has_else
            && ["ifdef __cplusplus", "if defined(__cplusplus)"].contains(&condition.trim())
    }
}

/// The conditionals of a text, each before those in it.
fn conditionals(text: &str) -> Vec<Conditional> {
    let mut all: Vec<Conditional> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let range = at..at + line.len();
        at = range.end;
        let Some(directive) = line.trim_start().strip_prefix('#').map(str::trim_start) else {
            continue;
        };
        if directive.starts_with("if") {
            open.push(all.len());
            all.push(Conditional {
                start: range.start,
                end: text.len(),
                head: range,
                last: text.len(),
                has_else: false,
            });
        } else if directive.starts_with("el") {
            if let Some(&last) = open.last() {
                all[last].has_else = true;
            }
        } else if directive.starts_with("endif")
            && let Some(last) = open.pop()
        {
            (all[last].last, all[last].end) = (range.start, range.end);
        }
    }
    all
}

/// The conditional that is the guard of a header: nothing stands outside of it.
fn guard(text: &str, conditionals: &[Conditional]) -> Option<usize> {
    let first = conditionals.first()?;
    let is_guard = first.condition(text).starts_with("ifndef") && !first.has_else;
    let alone = |rest: &str| {
        rest.lines()
            .all(|line| line.trim().is_empty() || line.trim_start().starts_with("#pragma once"))
    };
    (is_guard && alone(&text[..first.start]) && alone(&text[first.end..])).then_some(0)
}

/// The bodies of functions that are no part of the kernel: those of the host and of other kernels.
fn inert(text: &str, own: Option<&Range<usize>>) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let bytes = text.as_bytes();
    // Where the head of the next definition begins; braces that are only scopes of names.
    let (mut head, mut at) = (0, 0);
    let mut directive = false;
    while at < bytes.len() {
        match bytes[at] {
            b'\n' => directive = false,
            b'#' => {
                directive = true;
                head = text[at..].find('\n').map_or(bytes.len(), |end| at + end);
            }
            _ if directive => {}
            b';' | b'}' => head = at + 1,
            b'{' => {
                let words = &text[head..at];
                let names = words.contains("namespace") || words.contains("extern");
                if names && !words.contains('(') {
                    head = at + 1;
                } else {
                    let end = closing(bytes, at);
                    let is_own = own.is_some_and(|body| body.start < end && at < body.end);
                    let is_function = words.contains('(');
                    let runs_there = words.contains("__device__") || words.contains("__host__");
                    let is_template = words.contains("constexpr");
                    if is_function && !runs_there && !is_template && !is_own {
                        found.push(at..end);
                    }
                    at = end;
                    head = end;
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    found
}

/// Behind the brace that closes one.
fn closing(bytes: &[u8], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, byte) in bytes.iter().enumerate().skip(open) {
        match byte {
            b'{' => depth += 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    bytes.len()
}

/// The text with spaces where comments and literals stand, of the same length.
fn without_comments(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let end = if rest.starts_with(b"//") {
            rest.iter()
                .position(|byte| *byte == b'\n')
                .unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            let end = rest[2..].windows(2).position(|pair| pair == b"*/");
            end.map_or(rest.len(), |end| end + 4)
        } else if rest[0] == b'"' || rest[0] == b'\'' {
            literal(rest)
        } else {
            at += 1;
            continue;
        };
        for byte in &mut out[at..at + end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at += end;
    }
    String::from_utf8(out).unwrap_or_default()
}

/// How many bytes a literal has; one that is not closed in its line is none.
fn literal(rest: &[u8]) -> usize {
    let mut at = 1;
    while at < rest.len() && rest[at] != b'\n' {
        match rest[at] {
            b'\\' => at += 1,
            byte if byte == rest[0] => return at + 1,
            _ => {}
        }
        at += 1;
    }
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_kernel(text: &str) -> bool {
        let at = text.find("void k(").expect("a kernel");
        let open = at + text[at..].find('{').expect("a body");
        is_one(text, Some(&(open..closing(text.as_bytes(), open))))
    }

    #[test]
    fn what_a_kernel_is_made_of_has_one_reading() {
        let one = [
            "__global__ void k(int *p) { p[0] = 1; }",
            "#ifndef N\n#define N 4\n#endif\n__global__ void k(int *p) { p[0] = N; }",
            "__global__ void k(int *p) { p[0] = 1; }\nint main() {\n#ifdef LOUD\nputs(\"{\");\n#endif\n}",
            "__global__ void j(int *p) {\n#ifdef A\np[0] = 2;\n#endif\n}\n__global__ void k(int *p) { p[0] = 1; }",
            "#ifndef K_H\n#define K_H\n__global__ void k(int *p) { p[0] = 1; }\n#endif\n",
            "// #if 0\n__global__ void k(int *p) { p[0] = 1; }",
        ];
        for text in one {
            assert!(of_kernel(text), "{text}");
        }
    }

    #[test]
    fn assembly_is_no_object() {
        for (text, expected) in [
            ("void k(volatile int *flag);", true),
            ("__shared__ float volatile s[4];", true),
            ("asm volatile(\"bar.sync 0;\");", false),
            ("// volatile\nint nonvolatile;", false),
        ] {
            assert_eq!(has_volatile_objects(text), expected, "{text}");
        }
    }

    #[test]
    fn what_may_be_another_text_has_several() {
        let several = [
            "__global__ void k(int *p) {\n#if __CUDA_ARCH__ >= 800\np[0] = 1;\n#endif\n}",
            "#ifdef FAST\n#define AT(i) i\n#else\n#define AT(i) (7 - i)\n#endif\n__global__ void k(int *p) { p[AT(0)] = 1; }",
            "__device__ int at(int i) {\n#ifdef FAST\nreturn i;\n#endif\nreturn 7 - i;\n}\n__global__ void k(int *p) { p[at(0)] = 1; }",
            "namespace a {\n#ifdef FAST\nconst int n = 1;\n#else\nconst int n = 2;\n#endif\n}\n__global__ void k(int *p) { p[a::n] = 1; }",
            "#ifndef N\n#define N 4\n#define M 5\n#endif\n__global__ void k(int *p) { p[0] = N; }",
            "struct S {\n#ifdef A\nint a;\n#endif\nint at() { return 1; }\n};\n__global__ void k(int *p) { p[0] = 1; }",
        ];
        for text in several {
            assert!(!of_kernel(text), "{text}");
        }
    }
}
