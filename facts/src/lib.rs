//! The schema of warplog: every relation and the term language, declared once
