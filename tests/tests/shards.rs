//! `--shard I/N`: the parts together are the whole, each file in one of them, whoever runs them.

use std::collections::BTreeMap;
use std::process::Command;

use warplog_tests::command::Bench;

const PROGRAM: &str = env!("CARGO_BIN_EXE_warplog-under-test");
const PARTS: usize = 3;

/// Files in several folders, with a header that two of them share.
fn bench() -> Bench {
    let bench = Bench::new(PROGRAM);
    bench.file("src/shared.h", "#define AT(i) (i)\n");
    for nth in 0..12 {
        let text = format!(
            "#include \"../shared.h\"\n\
             __global__ void k{nth}(int *p, int n) {{\n\
             int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
             if (i < n) p[AT(i){}] = i;\n}}\n",
            if nth % 4 == 0 { " / 2" } else { "" }
        );
        bench.file(&format!("src/f{}/k{nth}.cu", nth % 5), &text);
    }
    bench
}

/// The rows of a table, without its heading, in some order, and how often each is there.
fn rows(bench: &Bench, folder: &str, table: &str) -> BTreeMap<String, usize> {
    let mut rows = BTreeMap::new();
    for row in bench.read(&format!("{folder}/{table}.csv")).lines().skip(1) {
        *rows.entry(row.to_owned()).or_default() += 1;
    }
    rows
}

/// The rows of all parts are those of the whole.
fn together(bench: &Bench, parts: &str) {
    for table in ["kernels", "launches", "findings", "questions"] {
        let mut all: BTreeMap<String, usize> = BTreeMap::new();
        for part in 1..=PARTS {
            for (row, count) in rows(bench, &format!("{parts}/{part}"), table) {
                *all.entry(row).or_default() += count;
            }
        }
        assert_eq!(all, rows(bench, "whole", table), "{table}");
    }
    assert_eq!(rows(bench, "whole", "kernels").len(), 12);
}

#[test]
fn parts_are_the_whole() {
    let bench = bench();
    assert_eq!(bench.run("check src --rows csv=whole").status, 1);
    for part in 1..=PARTS {
        bench.run(&format!(
            "check src --shard {part}/{PARTS} --rows csv=parts/{part}"
        ));
        let told = bench.run(&format!("check src --shard {part}/{PARTS}"));
        assert!(
            told.out.contains(&format!("part {part} of {PARTS}: "))
                || told.err.contains(&format!("part {part} of {PARTS}: ")),
            "{told:?}"
        );
    }
    together(&bench, "parts");
    // Which part a file is in follows from its name below the folder given, wherever that is.
    bench.run("check ./src/../src --shard 2/3 --rows csv=again");
    let names = |folder: &str| -> Vec<String> {
        let rows = rows(&bench, folder, "kernels");
        let file = |row: &String| {
            let at = row.find("/k").expect("a file");
            row[at..].split(',').next().unwrap_or_default().to_owned()
        };
        rows.keys().map(file).collect()
    };
    assert_eq!(names("again"), names("parts/2"));
    // A part without a file is no error.
    bench.file("one/k.cu", "__global__ void k() {}\n");
    let statuses: Vec<i32> = (1..=4)
        .map(|part| bench.run(&format!("check one --shard {part}/4")).status)
        .collect();
    assert_eq!(statuses, [0; 4]);
}

#[test]
fn gnu_parallel_makes_the_whole() {
    if Command::new("parallel").arg("--version").output().is_err() {
        eprintln!("skipped: there is no parallel (apt-get install parallel)");
        return;
    }
    let bench = bench();
    assert_eq!(bench.run("check src --rows csv=whole").status, 1);
    let line = format!("{PROGRAM} check src --no-cache --shard {{}}/{PARTS} --rows csv=parts/{{}}");
    let status = Command::new("parallel")
        .args(["--will-cite", "--jobs", "2", &line, ":::", "1", "2", "3"])
        .current_dir(bench.path())
        .output()
        .expect("runs")
        .status;
    // So many of its jobs found something.
    assert!(status.code().is_some_and(|failed| failed <= 3), "{status}");
    together(&bench, "parts");
}
