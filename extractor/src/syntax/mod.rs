//! Syntax: from expanded, preprocessed CUDA C++ text to a typed tree.
//!
//! [`ast`] holds the tree. **Invariant**: tree-sitter is used in this module and nowhere else in the crate.

pub mod ast;
