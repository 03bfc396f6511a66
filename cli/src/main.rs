//! The command line of warplog.
fn main() {}
