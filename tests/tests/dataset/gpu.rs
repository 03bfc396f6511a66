//! The table that `scripts/gpu-check` wrote on a GPU, against the labels of today.

use std::collections::BTreeMap;

use warplog_tests::datasets;
use warplog_tests::labels::Truth;

use crate::FILES;

/// A row of `datasets/compute-sanitizer.csv`.
struct Row {
    kernel: String,
    file: String,
    warplog: String,
    reports: bool,
    quiet: bool,
    remark: String,
}

fn rows() -> Vec<Row> {
    let path = datasets().join("compute-sanitizer.csv");
    let mut table = csv::Reader::from_path(path).expect("the table");
    let rows = table.records().map(|record| {
        let record = record.expect("a row");
        let tools = [&record[4], &record[5]];
        Row {
            // An instance of a template is labelled by the template's name.
            kernel: record[0].split('<').next().unwrap_or("").to_owned(),
            file: record[1].to_owned(),
            warplog: record[2].to_owned(),
            reports: tools.contains(&"reports"),
            quiet: tools == ["quiet", "quiet"],
            remark: record[6].to_owned(),
        }
    });
    rows.collect()
}

#[test]
fn what_a_gpu_showed_agrees_with_the_labels() {
    let mut truths = BTreeMap::new();
    for file in FILES.iter() {
        for kernel in &file.labels.kernels {
            truths.insert((file.name.as_str(), kernel.name.as_str()), kernel.truth);
        }
    }
    let mut quiet = 0;
    let mut reported = 0;
    for row in rows() {
        let name = row.kernel.rsplit("::").next().unwrap_or(&row.kernel);
        let place = format!("{}: {}", row.file, row.kernel);
        let truth = truths
            .get(&(row.file.as_str(), name))
            .unwrap_or_else(|| panic!("{place} is in no file"));
        let agrees = match row.warplog.as_str() {
            "race-free" => !matches!(truth, Truth::Race | Truth::Divergence),
            "race" => *truth == Truth::Race,
            "divergence" => matches!(truth, Truth::Race | Truth::Divergence),
            other => panic!("{place}: {other}"),
        };
        assert!(agrees, "{place} is labelled {truth:?}");
        if row.warplog == "race-free" {
            assert!(!row.reports || !row.remark.is_empty(), "{place}");
            quiet += usize::from(row.quiet);
        } else {
            reported += usize::from(row.reports);
        }
    }
    assert!(quiet > 700 && reported > 150, "{quiet}, {reported}");
}
