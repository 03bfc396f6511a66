//! The command line of warplog.

use std::env;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use warplog::Streams;
use warplog::pipeline::Analysis;

/// Columns where nothing says how many there are.
const WIDTH: usize = 140;

fn main() -> ExitCode {
    let terminal = io::stdout().is_terminal();
    let no_color = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
    let width = match terminal_size::terminal_size() {
        Some((width, _)) if terminal => usize::from(width.0).max(60),
        _ => WIDTH,
    };
    let mut streams = Streams {
        out: &mut io::stdout().lock(),
        err: &mut io::stderr(),
        color: terminal && !no_color && !dumb,
        width,
        progress: io::stderr().is_terminal() && !dumb,
    };
    ExitCode::from(warplog::run(&Analysis, env::args_os(), &mut streams))
}
