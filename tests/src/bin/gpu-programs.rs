//! `gpu-programs FOLDER` writes programs that run the data set on a GPU; `scripts/gpu-check` runs them.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use warplog::driver::{self, RunOptions};
use warplog::engine::Analysis;
use warplog::options::AnalysisOptions;
use warplog_tests::labels::read_folder;
use warplog_tests::{datasets, gpu};

fn main() -> ExitCode {
    let Some(folder) = std::env::args_os().nth(1).map(PathBuf::from) else {
        let _ = io::stderr().write_all(b"gpu-programs: name a folder\n");
        return ExitCode::from(2);
    };
    match write(&folder) {
        Ok(count) => {
            let _ = io::stdout().write_all(format!("{count} runs in {folder:?}\n").as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = io::stderr().write_all(format!("gpu-programs: {error}\n").as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &PathBuf) -> Result<usize, String> {
    std::fs::create_dir_all(folder).map_err(|error| error.to_string())?;
    let files = read_folder(&datasets()).map_err(|faults| faults.to_string())?;
    let run = RunOptions {
        jobs: 0,
        progress: false,
        workers: false,
    };
    let report = driver::check(&Analysis, &[datasets()], &AnalysisOptions::default(), run);
    gpu::write(folder, &files, &report).map_err(|error| error.to_string())
}
