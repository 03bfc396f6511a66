//! The program as the command-line suite runs it: cargo builds it before the suite and tells where it is, which it does
//! for binaries of the same package only.

use std::process::ExitCode;

fn main() -> ExitCode {
    warplog::main()
}
