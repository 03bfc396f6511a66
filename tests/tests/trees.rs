//! Our trees group expressions as clang's do.
//!
//! What clang finds is recorded in `tests/trees/recorded.txt`, by file and by the text of each function, so that this test needs
//! no clang, and a function that was changed since is not compared. `make record-trees` writes the record.

use std::collections::BTreeMap;
use std::fs;

use warplog_tests::trees::{functions, recorded_sources};
use warplog_tests::{expanded, project};

/// Expressions by file and by the number that stands for the text of a function.
type Record = BTreeMap<(String, String), Vec<String>>;

fn record() -> Record {
    let text = fs::read_to_string(project().join("tests/trees/recorded.txt")).expect("the record");
    let mut record = Record::new();
    let mut last = (String::new(), String::new());
    for line in text.lines() {
        if let Some(expression) = line.strip_prefix("  ") {
            record
                .get_mut(&last)
                .expect("a function")
                .push(expression.to_owned());
            continue;
        }
        let mut words = line.split(' ');
        let (Some(file), Some(number)) = (words.next(), words.next_back()) else {
            panic!("{line}");
        };
        last = (file.to_owned(), number.to_owned());
        record.insert(last.clone(), Vec::new());
    }
    record
}

#[test]
fn expressions_are_grouped_as_clang_groups_them() {
    let record = record();
    let (mut all, mut compared, mut expressions) = (0, 0, 0);
    for file in recorded_sources() {
        let (text, unit) = expanded(&file).expect("a text");
        let shown = file.strip_prefix(project()).expect("a file of the project");
        let shown = shown.display().to_string();
        let hard = shown.ends_with("hard.cu");
        let understood = functions(&text, &unit);
        for function in &understood {
            all += 1;
            let number = format!("{:016x}", function.text);
            let Some(theirs) = record.get(&(shown.clone(), number)) else {
                assert!(
                    !hard,
                    "{} is not in the record: make record-trees",
                    function.name
                );
                continue;
            };
            compared += 1;
            expressions += theirs.len();
            assert_eq!(&function.expressions, theirs, "{shown}: {}", function.name);
        }
        assert!(
            !hard
                || unit
                    .functions
                    .iter()
                    .all(|function| function.parse_errors.is_empty())
        );
    }
    // The others are programs of the host with headers that clang is not given, in which it finds errors.
    assert!(
        compared * 20 >= all * 17,
        "only {compared} of {all} functions are in the record: make record-trees"
    );
    assert!(expressions > 6_000, "{expressions}");
}
