//! From CUDA source text to relational facts
