//! Findings as plain data and one renderer a file
