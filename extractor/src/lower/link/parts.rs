//! The declarations of an expanded text, one after the other, without reading what they mean.
//!
//! **Algorithm.** Tokens are walked with a count of brackets. `namespace n {` and `extern "C" {` hold declarations; any other
//! declaration ends at its semicolon, or with the body of a function.

use crate::preprocess::Preprocessed;
use crate::preprocess::joined::TextToken;

/// A declaration at namespace scope.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Positions of its tokens.
    pub tokens: std::ops::Range<usize>,
    /// The namespaces around it, each followed by `::`.
    pub scope: String,
    /// It stands in an unnamed namespace.
    pub unnamed: bool,
}

/// What holds declarations.
enum Holder {
    Namespace(String),
    Unnamed,
    Linkage,
}

/// The declarations of a text whose tokens are given.
pub(super) fn parts(pre: &Preprocessed, tokens: &[TextToken]) -> Vec<Part> {
    let word = |at: usize| word(pre, tokens, at);
    let mut found = Vec::new();
    let mut holders: Vec<Holder> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match word(at) {
            "}" => {
                holders.pop();
                at += 1;
                continue;
            }
            ";" => {
                at += 1;
                continue;
            }
            _ => {}
        }
        if let Some((held, behind)) = holder(&word, at) {
            holders.extend(held);
            at = behind;
            continue;
        }
        let end = end_of(&word, at, tokens.len());
        let mut scope = String::new();
        for holder in &holders {
            if let Holder::Namespace(name) = holder {
                scope.push_str(name);
                scope.push_str("::");
            }
        }
        found.push(Part {
            tokens: at..end,
            scope,
            unnamed: holders
                .iter()
                .any(|holder| matches!(holder, Holder::Unnamed)),
        });
        at = end;
    }
    found
}

/// A token as it is written; empty behind the end.
pub(super) fn word<'p>(pre: &'p Preprocessed, tokens: &[TextToken], at: usize) -> &'p str {
    let token = tokens.get(at);
    token.map_or("", |token| {
        let range = token.start as usize..token.end as usize;
        pre.text.get(range).unwrap_or("")
    })
}

/// Whether a token is a name or a keyword.
pub(super) fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_alphabetic() || c == '_' || c == '$')
}

/// What begins here and holds declarations, one entry a namespace, and where its first declaration is.
fn holder<'p>(word: &impl Fn(usize) -> &'p str, at: usize) -> Option<(Vec<Holder>, usize)> {
    let mut next = at;
    if word(next) == "inline" {
        next += 1;
    }
    if word(at) == "extern" && word(at + 1).starts_with('"') && word(at + 2) == "{" {
        return Some((vec![Holder::Linkage], at + 3));
    }
    if word(next) != "namespace" {
        return None;
    }
    next += 1;
    let mut names: Vec<Holder> = Vec::new();
    loop {
        match word(next) {
            "{" => break,
            "::" | "inline" => {}
            name if is_name(name) => names.push(Holder::Namespace(name.to_owned())),
            // An attribute, or another name for a namespace.
            _ => return None,
        }
        next += 1;
    }
    // One brace closes all of `namespace a::b {`.
    let path: Vec<String> = names
        .into_iter()
        .filter_map(|holder| match holder {
            Holder::Namespace(name) => Some(name),
            _ => None,
        })
        .collect();
    let holder = match path.is_empty() {
        true => Holder::Unnamed,
        false => Holder::Namespace(path.join("::")),
    };
    Some((vec![holder], next + 1))
}

/// Where the declaration ends that begins here.
fn end_of<'p>(word: &impl Fn(usize) -> &'p str, begin: usize, length: usize) -> usize {
    let mut at = behind_template(word, begin);
    let (mut depth, mut has_class, mut has_parameters, mut has_value) =
        (0_usize, false, false, false);
    while at < length {
        match word(at) {
            "(" | "[" => {
                has_parameters |= depth == 0 && word(at) == "(";
                depth += 1;
            }
            ")" | "]" => depth = depth.saturating_sub(1),
            "{" if depth == 0 => {
                let before = word(at.saturating_sub(1));
                let of_class =
                    has_class && !matches!(before, ")" | "const" | "noexcept" | "override");
                let is_body = has_parameters && !of_class && !has_value;
                let close = closing(word, at, length);
                let next = word(close + 1);
                if is_body && !matches!(next, "{" | ",") {
                    let end = match next {
                        ";" => close + 2,
                        _ => close + 1,
                    };
                    // A text that is cut off closes nothing.
                    return end.min(length);
                }
                at = close;
            }
            "{" => at = closing(word, at, length),
            // The end of what is around it: something was not understood.
            "}" if depth == 0 => return at.max(begin + 1),
            ";" if depth == 0 => return at + 1,
            "=" if depth == 0 => has_value = true,
            "struct" | "class" | "union" | "enum" if depth == 0 => has_class = true,
            _ => {}
        }
        at += 1;
    }
    length
}

/// Where the declaration begins whose `template <…>` is here.
fn behind_template<'p>(word: &impl Fn(usize) -> &'p str, begin: usize) -> usize {
    let mut at = begin;
    while word(at) == "template" && word(at + 1) == "<" {
        let (mut open, mut round) = (0_i32, 0_i32);
        at += 1;
        loop {
            match word(at) {
                "" => return at,
                "(" => round += 1,
                ")" => round -= 1,
                "<" if round == 0 => open += 1,
                ">" if round == 0 => open -= 1,
                ">>" if round == 0 => open -= 2,
                _ => {}
            }
            at += 1;
            if open <= 0 {
                break;
            }
        }
    }
    at
}

/// The brace that closes the one here.
fn closing<'p>(word: &impl Fn(usize) -> &'p str, open: usize, length: usize) -> usize {
    let mut depth = 0_usize;
    for at in open..length {
        match word(at) {
            "{" => depth += 1,
            "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::preprocess::{Config, MemoryFiles, preprocess_with};
    use std::path::Path;

    #[test]
    fn declarations_end_where_they_end() {
        let text = "struct S { int a; void f() { } } s;\n\
             enum { A, B };\n\
             template <class T, int N = (4 > 2)> T f(T a) { if (a) { return a; } return a; }\n\
             namespace n { namespace { static int x = 4; } int y[] = {1, 2}; }\n\
             extern \"C\" { void g(int); }\n\
             S::S() : a(1), b{2} { }\n\
             typedef struct { int q; } Q;\n\
             int v{3};\n\
             extern \"C\" void h() { auto l = [](int a) { return a; }; l(1); }\n";
        let pre = preprocess_with(
            Path::new("a.cu"),
            text.as_bytes(),
            &Config::default(),
            &MemoryFiles::default(),
        )
        .expect("text");
        let tokens = pre.tokens();
        let shown: Vec<String> = parts(&pre, &tokens)
            .iter()
            .map(|part| {
                let words: Vec<&str> = part
                    .tokens
                    .clone()
                    .take(4)
                    .map(|at| word(&pre, &tokens, at))
                    .collect();
                let last = word(&pre, &tokens, part.tokens.end - 1);
                format!("{}{} … {last}", part.scope, words.join(" "))
            })
            .collect();
        assert_eq!(
            shown,
            [
                "struct S { int … ;",
                "enum { A , … ;",
                "template < class T … }",
                "n::static int x = … ;",
                "n::int y [ ] … ;",
                "void g ( int … ;",
                "S :: S ( … }",
                "typedef struct { int … ;",
                "int v { 3 … ;",
                "extern \"C\" void h … }",
            ]
        );
    }
}
