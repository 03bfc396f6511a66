//! Random kernels against brute force.
//!
//! [`grow`] makes a kernel from a seed as a tree of our own ([`tree`]); [`print`] writes it as CUDA for the analyser, [`run`]
//! runs it by all threads of a small launch, and [`judge`] compares what the two say. [`shrink`] makes a disagreement small.

pub mod arith;
pub mod build;
pub mod changed;
pub mod claims;
pub mod counts;
pub mod dice;
pub mod equal;
pub mod grow;
pub mod judge;
pub mod lanes;
pub mod launches;
pub mod mutate;
pub mod patterns;
pub mod print;
pub mod rewrite;
pub mod rings;
pub mod rules;
pub mod run;
pub mod shrink;
mod step;
pub mod suite;
mod terms;
pub mod tree;
