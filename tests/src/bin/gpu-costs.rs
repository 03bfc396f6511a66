//! `gpu-costs write FOLDER` writes programs that run the kernels of `datasets/costs/` on a GPU; `scripts/gpu-costs` runs them.
//! `gpu-costs table COUNTERS` puts what is counted here beside the counters that it wrote, into `datasets/costs.csv`.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use warplog_tests::{datasets, gpu_costs};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["write", folder] => write(Path::new(folder)),
        ["table", counters] => table(Path::new(counters)),
        _ => Err("say `write FOLDER` or `table COUNTERS`".to_owned()),
    };
    match done {
        Ok(said) => {
            let _ = io::stdout().write_all(said.as_bytes());
            ExitCode::SUCCESS
        }
        Err(error) => {
            let _ = io::stderr().write_all(format!("gpu-costs: {error}\n").as_bytes());
            ExitCode::FAILURE
        }
    }
}

fn write(folder: &Path) -> Result<String, String> {
    let count = gpu_costs::write(folder).map_err(|error| error.to_string())?;
    Ok(format!("{count} kernels in {}\n", folder.display()))
}

fn table(counters: &Path) -> Result<String, String> {
    let text = std::fs::read_to_string(counters).map_err(|error| error.to_string())?;
    let table = gpu_costs::table(&gpu_costs::counters(&text)?)?;
    let path = datasets().join("costs.csv");
    std::fs::write(&path, &table).map_err(|error| error.to_string())?;
    Ok(format!(
        "{} rows\n",
        table.lines().count().saturating_sub(1)
    ))
}
