//! The facts of warplog: every relation and the term language, declared once.
//!
//! This crate knows nobody. The extractor fills [`Facts`], the rules turn them into [`Derived`]
//! relations, the solver bridge reads both. Everything that the rules and the solver know is in
//! the relations, so that facts written to CSV, edited or made by another tool, and read back
//! give the same verdicts.

pub mod arith;
pub mod build;
pub mod check;
pub mod column;
pub mod compared;
pub mod csv_folder;
pub mod ctype;
pub mod derived;
pub mod eval;
pub mod ids;
pub mod poly;
pub mod range;
pub mod relation;
pub mod schema;
pub mod schema_page;
pub mod show;
pub mod term;
pub mod words;

mod facts;

pub use compared::Compared;
pub use ctype::CType;
pub use derived::Derived;
pub use facts::{Facts, shift_derived};
pub use ids::*;
pub use schema::*;
pub use term::{Axis, Op, Term, TermStore};
