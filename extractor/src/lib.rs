//! From CUDA source text to relational facts

pub mod syntax;
pub mod preprocess;
