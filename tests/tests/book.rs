//! The pages of the book that show kernels and command lines: what they say is what the program does.

use std::fs;

use serde_json::Value as Json;
use warplog_tests::command::Bench;
use warplog_tests::project;

/// The blocks of a page whose fence has this info string.
fn blocks(page: &str, info: &str) -> Vec<String> {
    let fence = format!("```{info}\n");
    page.split(&fence)
        .skip(1)
        .filter_map(|rest| rest.split("\n```").next())
        .map(|text| format!("{text}\n"))
        .collect()
}

#[test]
fn kernels_of_the_finding_pages_are_what_they_say() {
    let mut seen = 0;
    for entry in fs::read_dir(project().join("docs/findings")).expect("the pages") {
        let path = entry.expect("an entry").path();
        let page = fs::read_to_string(&path).expect("a page");
        let rule = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .expect("a name");
        for (info, verdict) in [("cuda,bad", false), ("cuda,good", true)] {
            for text in blocks(&page, info) {
                let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
                bench.file("k.cu", &text);
                let run = bench.run("check k.cu --format json");
                let report: Json = serde_json::from_str(&run.out).expect("is JSON");
                let kernels = report["kernels"].as_array().expect("kernels");
                assert_eq!(kernels.len(), 1, "{rule}");
                if verdict {
                    assert_eq!(kernels[0]["verdict"], "race_free", "{rule}\n{text}");
                    assert_eq!(run.status, 0);
                } else {
                    let findings = kernels[0]["findings"].as_array().expect("findings");
                    let kinds: Vec<_> = findings.iter().map(|finding| &finding["kind"]).collect();
                    assert_eq!(kinds, [&rule.replace('-', "_")], "{text}");
                    assert_eq!(run.status, 1);
                }
                seen += 1;
            }
        }
    }
    assert!(seen >= 4, "{seen} kernels");
}
