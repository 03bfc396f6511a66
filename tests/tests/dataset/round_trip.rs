//! The facts are the interface: written as CSV and read back they are equal, and give the same report.

use std::fs;

use warplog::collect::collect;
use warplog::driver::{self, RunOptions};
use warplog::engine::Analysis;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::{Depth, Examined, Export, Pipeline};
use warplog::unit::{Unit, UnitOptions};
use warplog_facts::{Facts, csv_folder};
use warplog_tests::datasets;

use crate::{CHECKED, FILES, difference, rendered};

/// One folder with the facts of the whole data set, solved by one thread, against the source checked by four.
#[test]
fn facts_give_the_report_of_the_source() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = AnalysisOptions::default();
    let run = RunOptions {
        jobs: 1,
        progress: false,
        workers: false,
    };
    let to = Export {
        folder: Some(folder.path().to_owned()),
        ..Export::default()
    };
    let written = driver::facts(&Analysis, &[datasets()], &to, &options, run);
    assert_eq!(written.errors, []);
    let solved = driver::solve(&Analysis, folder.path(), &options, run);
    // Which files were followed together, and for which architecture they were read, is told where sources are read.
    let mut checked = CHECKED.clone();
    checked.notes.retain(|note| {
        let of_sources = note.text.starts_with("program: ") || note.text.contains("__CUDA_ARCH__");
        !of_sources || solved.notes.contains(note)
    });
    let pairs = rendered(&solved).into_iter().zip(rendered(&checked));
    for (what, (solved, checked)) in ["JSON", "text"].into_iter().zip(pairs) {
        assert!(
            solved == checked,
            "{what} differs (from facts / from source):\n{}",
            difference(&solved, &checked)
        );
    }
}

#[test]
fn facts_are_equal_after_reading() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = AnalysisOptions::default();
    for input in collect(&[datasets()]).inputs {
        let bytes = fs::read(&input.path).expect("a file");
        let header = parse_header(&String::from_utf8_lossy(&bytes)).expect("a header");
        let unit = Unit {
            path: &input.path,
            shown: &input.shown,
            bytes: &bytes,
            options: &UnitOptions::new(&options, &header, &input.path),
        };
        let (Examined { facts, .. }, report) = Analysis.extract(&unit, &options, Depth::Facts);
        assert_eq!(report.errors, []);
        assert!(!facts.kernel.is_empty(), "{}", input.shown);
        csv_folder::write(&facts, folder.path()).expect("written");
        let read = csv_folder::read(folder.path())
            .unwrap_or_else(|error| panic!("{}: {error}", input.shown));
        assert!(
            printed(&read) == printed(&facts),
            "{}: the facts differ after reading",
            input.shown
        );
    }
    assert!(FILES.len() > 80);
}

/// All rows and terms, ids included.
fn printed(facts: &Facts) -> String {
    let terms = csv_folder::term_relations(&facts.terms);
    format!("{:?} {terms:?}", facts.relations)
}
