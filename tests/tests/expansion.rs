//! Our preprocessor agrees with two others, token by token.
//!
//! What `clang` gives for the texts of `tests/expansion`, which are made to be hard, is recorded beside them, so that a
//! compiler is needed only to check the record and to read the data set. `make record-expansion` writes it.

use std::fs;
use std::path::{Path, PathBuf};

use warplog_tests::expansion::{Other, compare, lines, ours, theirs};
use warplog_tests::{datasets, project, sources};

fn hard_texts() -> Vec<PathBuf> {
    sources(&project().join("tests/expansion"))
}

#[test]
fn hard_texts_give_the_recorded_tokens() {
    let files = hard_texts();
    assert!(files.len() >= 9, "{files:?}");
    for file in files {
        let recorded = fs::read_to_string(file.with_extension("tokens")).expect("the record");
        let read = ours(&file, &[]).expect("a text");
        similar(&lines(&read.tokens), &recorded, &file);
        assert!(!read.damage, "{}", file.display());
    }
}

/// Every preprocessor that is installed gives what is recorded, and what we give for the data set.
#[test]
fn other_preprocessors_agree() {
    let others = Other::installed();
    if others.is_empty() {
        eprintln!("neither clang nor g++ is installed: only the recorded tokens are compared");
    }
    for other in others {
        for file in hard_texts() {
            let recorded = fs::read_to_string(file.with_extension("tokens")).expect("the record");
            similar(
                &lines(&theirs(&file, &[], &other).expect("it runs")),
                &recorded,
                &file,
            );
        }
        let files = sources(&datasets());
        assert!(files.len() > 200, "{}", files.len());
        // Which headers there are is a matter of the machine: the others run without their own.
        let asks_for_headers = |file: &PathBuf| {
            fs::read_to_string(file).is_ok_and(|text| text.contains("__has_include"))
        };
        for file in files.into_iter().filter(|file| !asks_for_headers(file)) {
            let compared = compare(&file, &[], &other).expect("a text");
            assert!(compared.tokens > 0, "{}", file.display());
            assert_eq!(
                compared.difference,
                None,
                "{}: {}",
                other.version,
                file.display()
            );
        }
    }
}

/// Equal texts; the first line that differs is shown.
fn similar(left: &str, right: &str, file: &Path) {
    for (number, (left, right)) in left.lines().zip(right.lines()).enumerate() {
        assert_eq!(left, right, "{}, line {}", file.display(), number + 1);
    }
    assert_eq!(
        left.lines().count(),
        right.lines().count(),
        "{}",
        file.display()
    );
}
