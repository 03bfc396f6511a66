//! Whole-program suites of warplog
