//! The post-conditions of `datasets/ensures/`: those at kernels hold, `//= fails KERNELS CONDITION` in a file does not, and `//= holds
//! KERNELS CONDITION` does behind a sequence of launches.

use std::fs;
use std::path::PathBuf;

use warplog::engine::Analysis;
use warplog::ensures::ask::Ask;
use warplog::header::parse_header;
use warplog::naming::Named;
use warplog::options::AnalysisOptions;
use warplog::pipeline::{Depth, Examined, Pipeline};
use warplog::unit::{Unit, UnitOptions};
use warplog_report::ensures::Outcome;

use crate::datasets;

/// A post-condition with what is expected.
#[derive(Clone, Debug)]
pub struct Said {
    /// The file.
    pub file: String,
    /// The kernels that are launched.
    pub kernels: String,
    /// The post-condition.
    pub text: String,
    /// Whether it holds.
    pub holds: bool,
}

/// Sources with what is said of them.
///
/// # Panics
/// A file cannot be read, or a line of it not be understood.
#[must_use]
pub fn files() -> Vec<(String, String, Vec<Said>)> {
    let folder = datasets().join("ensures");
    let entries = fs::read_dir(&folder).expect("the folder of post-conditions");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).expect("a file of post-conditions");
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let said = said(&name, &text);
        (name.into_owned(), text, said)
    };
    paths.into_iter().map(read).collect()
}

fn said(file: &str, text: &str) -> Vec<Said> {
    let mut all = Vec::new();
    let mut waiting: Vec<String> = Vec::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("//= ") {
            let mut words = rest.splitn(3, ' ');
            let (word, kernels, text) = (words.next(), words.next(), words.next());
            let (Some(word @ ("holds" | "fails")), Some(kernels), Some(text)) =
                (word, kernels, text)
            else {
                panic!("{file}: {line}");
            };
            all.push(Said {
                file: file.to_owned(),
                kernels: kernels.to_owned(),
                text: text.to_owned(),
                holds: word == "holds",
            });
        } else if let Some(text) = line.strip_prefix("// warplog: ensures ") {
            waiting.push(text.to_owned());
        } else if let Some(rest) = line.strip_prefix("__global__ void ") {
            let kernel = rest.split('(').next().unwrap_or(rest);
            all.extend(waiting.drain(..).map(|text| Said {
                file: file.to_owned(),
                kernels: kernel.to_owned(),
                text,
                holds: true,
            }));
        }
    }
    all
}

/// The facts of a source.
///
/// # Panics
/// Its header cannot be read.
#[must_use]
pub fn examined(name: &str, text: &str) -> Vec<Examined> {
    let options = AnalysisOptions {
        open_arguments: true,
        ..AnalysisOptions::default()
    };
    let header = parse_header(text).expect("a header");
    let path = datasets().join("ensures").join(name);
    let unit_options = UnitOptions::new(&options, &header, &path);
    let unit = Unit {
        path: &path,
        shown: name,
        bytes: text.as_bytes(),
        options: &unit_options,
    };
    vec![Analysis.extract(&unit, &options, Depth::Facts).0]
}

/// What is found of a post-condition behind launches of kernels of one source.
///
/// # Errors
/// What is wrong with it.
///
/// # Panics
/// There is no answer.
pub fn ask(
    examined: &[Examined],
    kernels: &str,
    text: &str,
    reassociates: bool,
) -> Result<Outcome, String> {
    let ask = Ask {
        side: Named {
            path: PathBuf::from("ensures.cu"),
            kernels: kernels.split(',').map(str::to_owned).collect(),
        },
        texts: vec![text.to_owned()],
        reassociates,
        is_refused: false,
    };
    let outcomes = Analysis.ensures(examined, &ask, &AnalysisOptions::default())?;
    let mut own = outcomes.into_iter().filter(|outcome| outcome.text == text);
    Ok(own.next().expect("an answer"))
}
