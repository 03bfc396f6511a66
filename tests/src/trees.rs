//! How the expressions of functions are grouped: our trees and clang's, written in the same way.
//!
//! Both read the same text, the expanded one, so that their functions are matched by the places of their names. For each
//! function there is one line for every expression that is no part of another and is no single name or literal, in the order of
//! the text: an operator with its operands, fully parenthesised, as `(= ([] a i) (+ b 1))`.
//!
//! **What is compared.** Operators, calls, casts, members, subscripts, launches and lists, the spelling of names (last component,
//! without template arguments) and the value of integers. **What is not.** Types, other literals, array sizes, the initialisers
//! of members before the body of a constructor; the expressions of lambdas and of `({ })` are lines of their own.

pub mod clang;
mod ours;

use std::path::PathBuf;

pub use ours::functions;

/// A function, by the place of its name in the expanded text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Offset of the name.
    pub at: usize,
    /// A number made of its text, from the name to the end of its body.
    pub text: u64,
    /// Its expressions.
    pub expressions: Vec<String>,
}

/// The files whose trees are recorded: the data set, and expressions that are hard to group.
pub fn recorded_sources() -> Vec<PathBuf> {
    let mut files = crate::sources(&crate::datasets());
    files.push(crate::project().join("tests/trees/hard.cu"));
    files
}

/// Writes an operator with its operands.
fn group(operator: &str, operands: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("({operator}");
    for operand in operands {
        text.push(' ');
        text.push_str(&operand);
    }
    text.push(')');
    text
}

/// Adds an expression unless it is a single name or literal.
fn add(expressions: &mut Vec<String>, expression: String) {
    if expression.starts_with('(') {
        expressions.push(expression);
    }
}

/// The hash of Fowler, Noll and Vo, version 1a: the same everywhere and always.
fn hash(text: &str) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
    text.as_bytes().iter().fold(0xcbf2_9ce4_8422_2325, step)
}
