//! From candidates to formulas, staged solving, and models to replayed witnesses
