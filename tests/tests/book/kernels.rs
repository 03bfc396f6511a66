//! The pages of the kinds of findings: the bad kernel has that finding and no other, the good one is free of races.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use warplog_report::FindingKind;
use warplog_report::findings::KINDS;
use warplog_tests::command::Bench;

use crate::pages::Page;

#[test]
fn kernels_of_the_finding_pages_are_what_they_say() {
    for kind in KINDS {
        let rule = kind.rule_id();
        let page = Page::read(&format!("docs/findings/{rule}.md"));
        let mut seen = BTreeSet::new();
        for block in page.blocks() {
            if block.language() != "cuda" {
                continue;
            }
            let text = block.text.as_str();
            let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
            bench.file("k.cu", text);
            let run = bench.run("check k.cu --format json --fail-on potential");
            let report: Json = serde_json::from_str(&run.out).expect("is JSON");
            let kernels = report["kernels"].as_array().expect("kernels");
            assert_eq!(kernels.len(), 1, "{rule}");
            match block.info.as_str() {
                "cuda,good" => {
                    assert_eq!(kernels[0]["verdict"], "race_free", "{rule}\n{text}");
                    assert_eq!(run.status, 0);
                }
                "cuda,bad" => {
                    let findings = kernels[0]["findings"].as_array().expect("findings");
                    let kinds: BTreeSet<_> = findings
                        .iter()
                        .filter_map(|finding| finding["kind"].as_str())
                        .collect();
                    assert_eq!(kinds, BTreeSet::from([kind.as_str()]), "{text}");
                    assert_eq!(run.status, 1);
                }
                other => panic!("{rule}: neither bad nor good: {other}"),
            }
            seen.insert(block.info);
        }
        // A mask by itself is no finding yet, which its page says.
        if kind == FindingKind::InvalidMask && page.text.contains("reports\nno invalid mask") {
            continue;
        }
        assert_eq!(seen.len(), 2, "{rule}: a bad and a good kernel");
    }
}
