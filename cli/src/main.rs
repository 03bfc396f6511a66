//! The command line of warplog; all of it is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    warplog::main()
}
