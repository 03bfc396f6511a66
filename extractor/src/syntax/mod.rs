//! Syntax: from expanded, preprocessed CUDA C++ text to a typed tree.
//!
//! [`ast`] holds the tree, [`parse`] builds it, [`dump`] shows it. **Invariant**: tree-sitter is used in this module and
//! nowhere else in the crate.
//!
//! **Two readings.** Most of C++ can be grouped only by who knows which names are types, templates and values. A grammar
//! without names, as tree-sitter's is, gives wrong trees without an error: `(n) + m * d` becomes a cast of `+m`,
//! `i < n && j > (m)` a call, `float m(a);` a prototype. So the tree is built by our own reader over the tokens, which keeps
//! the names in scope and refuses where they do not decide; and tree-sitter reads the same text independently. Where
//! tree-sitter finds no error in a function, both must agree on its statements and on its places of access, those of the
//! known wrong shapes excepted (module `agree`); where they do not, the function has a parse error and is not trusted.

mod agree;
pub mod ast;
mod classes;
mod concepts;
mod declarator;
pub(crate) mod dump;
mod expr;
mod items;
mod lex;
mod literal;
mod local;
mod packs;
mod parser;
mod primary;
pub(crate) mod python;
mod scalars;
mod stmt;
mod types;

pub use dump::{dump, dump_expr, dump_stmt, dump_type};

use ast::{Problem, Range, Unit};
use parser::{NameKind, Parser};

/// The longest text that is read: offsets are 32 bits wide.
const MAX_TEXT: usize = 1 << 30;

/// Names that CUDA and the C library declare as values in every unit.
const LIBRARY_VALUES: [&str; 10] = [
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "warpSize",
    "stdout",
    "stderr",
    "stdin",
    "errno",
    "RAND_MAX",
];

/// Stack of the thread that reads a text: enough for [`ast::MAX_DEPTH`] levels in an unoptimised build.
const STACK: usize = 64 << 20;

/// Reads expanded text. Never fails and never panics: what is not understood is in the unit as such.
///
/// The work is done in a thread of its own, so that the caller's stack does not matter.
///
/// The text is taken to be C++17, as `nvcc` does; see [`parse_as`].
pub fn parse(text: &str) -> Unit {
    parse_as(text, false)
}

/// The same; since C++20 (`has_char8`) `u8'a'` is a `char8_t`.
pub fn parse_as(text: &str, has_char8: bool) -> Unit {
    if text.len() > MAX_TEXT {
        return nothing(text, "a text of more than 1 GiB");
    }
    let unit = std::thread::scope(|scope| {
        let reader = std::thread::Builder::new().stack_size(STACK);
        Some(
            reader
                .spawn_scoped(scope, || read(text, has_char8))
                .ok()?
                .join(),
        )
    });
    match unit {
        Some(Ok(unit)) => unit,
        Some(Err(_)) => nothing(text, "a text on which the reader broke down"),
        None => nothing(text, "a text for which no thread could be started"),
    }
}

/// A unit of which nothing was read.
fn nothing(text: &str, what: &str) -> Unit {
    let end = u32::try_from(text.len()).unwrap_or(u32::MAX);
    let global_tokens = text.matches("__global__").count() as u32;
    let unparsed = vec![Problem {
        range: Range::new(0, end),
        what: what.to_owned(),
    }];
    Unit {
        unparsed,
        global_tokens,
        ..Unit::default()
    }
}

fn read(text: &str, has_char8: bool) -> Unit {
    let tokens = lex::tokens(text);
    let mut parser = Parser::new(text, &tokens);
    parser.has_char8 = has_char8;
    for name in LIBRARY_VALUES {
        parser.declare_global(name, NameKind::VALUE);
    }
    parser.unit_items();
    let gave_up = parser.gave_up;
    let mut unit = parser.unit;
    let is_global = |token: &&lex::Token| &text[token.range.bytes()] == "__global__";
    unit.global_tokens = tokens.iter().filter(is_global).count() as u32;
    unit.unclosed = unclosed(text, &tokens);
    agree::check(text, &mut unit, gave_up);
    unit
}

/// The first brace that is open at the end.
fn unclosed(text: &str, tokens: &[lex::Token]) -> Option<ast::Range> {
    let mut open: Vec<ast::Range> = Vec::new();
    for token in tokens {
        match &text[token.range.bytes()] {
            "{" => open.push(token.range),
            "}" => {
                open.pop();
            }
            _ => {}
        }
    }
    open.first().copied()
}
