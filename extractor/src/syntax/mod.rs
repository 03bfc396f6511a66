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
//! known wrong shapes excepted ([`agree`]); where they do not, the function has a parse error and is not trusted.

mod agree;
pub mod ast;
mod dump;
mod expr;
mod items;
mod lex;
mod literal;
mod parser;
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

/// Reads expanded text. Never fails and never panics: what is not understood is in the unit as such.
pub fn parse(text: &str) -> Unit {
    if text.len() > MAX_TEXT {
        let range = Range::new(0, 0);
        let what = "a text of more than 1 GiB".to_owned();
        return Unit {
            unparsed: vec![Problem { range, what }],
            ..Unit::default()
        };
    }
    let tokens = lex::tokens(text);
    let mut parser = Parser::new(text, &tokens);
    for name in LIBRARY_VALUES {
        parser.declare_global(name, NameKind::VALUE);
    }
    parser.unit_items();
    let mut unit = parser.unit;
    let is_global = |token: &&lex::Token| &text[token.range.bytes()] == "__global__";
    unit.global_tokens = tokens.iter().filter(is_global).count() as u32;
    agree::check(text, &mut unit);
    unit
}
