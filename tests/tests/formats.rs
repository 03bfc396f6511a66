//! Every format of the report, from the program itself: what is printed, what is written to files, and the exit status.

use std::fs;
use std::process::Stdio;

use expect_test::expect;
use serde_json::Value as Json;
use warplog_tests::command::Bench;

const KERNELS: &str = "\
//--blockDim=64 --gridDim=1
__global__ void shift_bad(int *out, const int *in) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    out[t] = tile[(t + 1) % 64];
}

__global__ void copy_ok(int *out, const int *in) {
    out[threadIdx.x] = in[threadIdx.x];
}

__global__ void clear_bad(int *data, int n) {
    int t = threadIdx.x;
    if (t < n) {
        data[t] = 0;
        __syncthreads();
    }
}
";

fn bench() -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("k.cu", KERNELS);
    bench
}

#[test]
fn concise_is_a_line_a_finding() {
    expect![[r#"
        status 1
        --- stdout
        k.cu:5:5: error[data-race]: confirmed data race in `shift_bad`: write and read of `tile` by threads of different warps of a block, other access in line 6 [727d5d892626]
        k.cu:17:9: warning[barrier-divergence]: potential barrier divergence in `clear_bad`: only some of the threads reach this barrier, condition in line 15 [481a7a95874f]
    "#]].assert_eq(&bench().run("check k.cu --format concise").shown());
    let clean = bench();
    clean.file(
        "k.cu",
        "__global__ void f(int *p) { p[threadIdx.x] = 1; }\n",
    );
    expect![[r#"
        status 0
    "#]]
    .assert_eq(
        &clean
            .run("check k.cu --format concise --block-dim 64 --grid-dim 1")
            .shown(),
    );
}

#[test]
fn csv_has_a_row_a_finding() {
    let run = bench().run("check k.cu --format csv");
    assert_eq!(run.status, 1);
    let mut reader = csv::Reader::from_reader(run.out.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().map(|row| row.expect("a row")).collect();
    let cells: Vec<[&str; 4]> = rows
        .iter()
        .map(|row| [&row[2], &row[5], &row[12], &row[17]])
        .collect();
    assert_eq!(
        cells,
        [
            ["data_race", "shift_bad", "5", "6"],
            ["barrier_divergence", "clear_bad", "17", "15"]
        ]
    );
}

#[test]
fn sarif_follows_the_published_schema() {
    let run = bench().run("check k.cu --format sarif");
    assert_eq!(run.status, 1);
    let document: Json = serde_json::from_str(&run.out).expect("is JSON");
    let schema = include_str!("../../report/tests-schemas/sarif-schema-2.1.0.json");
    let schema: Json = serde_json::from_str(schema).expect("is JSON");
    let validator = jsonschema::validator_for(&schema).expect("compiles");
    let complaints: Vec<String> = validator
        .iter_errors(&document)
        .map(|e| e.to_string())
        .collect();
    assert_eq!(complaints, Vec::<String>::new());
    let results = document["runs"][0]["results"].as_array().expect("results");
    let rules: Vec<_> = results.iter().map(|result| &result["ruleId"]).collect();
    assert_eq!(rules, ["data-race", "barrier-divergence"]);
    assert_eq!(document["runs"][0]["invocations"][0]["exitCode"], 1);
}

#[test]
fn fingerprints_survive_lines_above() {
    let prints = |text: &str| -> Vec<Json> {
        let bench = bench();
        bench.file("k.cu", text);
        let run = bench.run("check k.cu --format sarif");
        let document: Json = serde_json::from_str(&run.out).expect("is JSON");
        let results = document["runs"][0]["results"].as_array().expect("results");
        results
            .iter()
            .map(|result| result["partialFingerprints"].clone())
            .collect()
    };
    let before = prints(KERNELS);
    let (header, rest) = KERNELS.split_once('\n').expect("lines");
    assert_eq!(prints(&format!("{header}\n// one more\n\n{rest}")), before);
    assert_ne!(
        prints(&KERNELS.replace("tile[t] = in[t]", "tile[t] = -in[t]")),
        before
    );
}

#[test]
fn junit_has_a_case_a_kernel() {
    let run = bench().run("check k.cu --format junit --fail-on potential");
    assert_eq!(run.status, 1);
    let head: Vec<&str> = run.out.lines().take(4).collect();
    assert_eq!(
        head,
        [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
            "<testsuites name=\"warplog\" tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\">",
            "  <testsuite name=\"k.cu\" tests=\"3\" failures=\"2\" errors=\"0\" skipped=\"0\">",
            "    <testcase classname=\"k.cu\" name=\"shift_bad\" file=\"k.cu\" line=\"2\">",
        ]
    );
}

/// The report inside of a page.
fn page_data(page: &str) -> Json {
    let (_, rest) = page
        .split_once("id=\"data\">")
        .expect("the data of the page");
    let (data, _) = rest.split_once("</script>").expect("an end");
    serde_json::from_str(data).expect("is JSON")
}

#[test]
fn html_shows_source_intervals_and_flows() {
    let bench = bench();
    let run = bench.run("check k.cu --format html");
    assert_eq!(run.status, 1);
    let data = page_data(&run.out);
    let file = &data["sources"][0];
    assert_eq!(file[0], "k.cu");
    let kernel = &data["kernels"][2];
    assert_eq!(kernel["name"], "clear_bad");
    let structure = &kernel["structures"][0];
    assert_eq!(structure["pieces"], serde_json::json!([[0, 13, 19]]));
    let bounds = structure["bounds"].as_array().expect("bounds");
    let lines: Vec<_> = bounds
        .iter()
        .map(|bound| (bound["kind"].as_str(), bound["line"].as_u64()))
        .collect();
    assert_eq!(
        lines,
        [
            (Some("start"), Some(13)),
            (Some("barrier"), Some(17)),
            (Some("end"), Some(19))
        ]
    );
    // From the start: to the barrier, and past it to the end. From the barrier: to the end.
    let intervals = structure["intervals"].as_array().expect("intervals");
    let of = |nth: usize| {
        (
            intervals[nth]["stretches"].clone(),
            intervals[nth]["tails"].clone(),
        )
    };
    assert_eq!(
        of(0),
        (
            serde_json::json!([[0, 13, 19, false]]),
            serde_json::json!([[1, false], [2, false]])
        )
    );
    assert_eq!(
        of(1),
        (
            serde_json::json!([[0, 17, 19, false]]),
            serde_json::json!([[2, false]])
        )
    );
    let flows = structure["flows"].as_array().expect("flows");
    assert_eq!(flows.len(), 2);
    assert_eq!(flows[1]["condition"], "threadIdx.x < n");
    assert_eq!(
        flows[1]["accesses"],
        serde_json::json!([[16, "write", "data", 1]])
    );
    // The whole kernel is there, the lines that no finding names too.
    let text = &file[1][0][1];
    assert!(
        text.as_array()
            .expect("lines")
            .iter()
            .any(|line| line == "    int t = threadIdx.x;")
    );
}

#[test]
fn the_flows_of_a_page_count_each_access() {
    let bench = bench();
    bench.file(
        "k.cu",
        "//--blockDim=64 --gridDim=1\n__global__ void twice(int *out) {\n    __shared__ int s[64];\n    s[threadIdx.x] = 1;\n    \
         __syncthreads();\n    out[threadIdx.x] = s[threadIdx.x] + s[63 - threadIdx.x];\n}\n",
    );
    let data = page_data(&bench.run("check k.cu --format html").out);
    let kernel = &data["kernels"][0];
    let flows = kernel["structures"][0]["flows"].as_array().expect("flows");
    let accesses = flows.iter().filter_map(|flow| flow["accesses"].as_array());
    let counts = accesses.flatten().filter_map(|access| access[3].as_u64());
    assert_eq!(counts.sum::<u64>(), 4);
    assert_eq!(kernel["stats"]["accesses"], 4);
}

#[test]
fn a_kept_result_without_intervals_does_not_do_for_a_page() {
    let bench = bench();
    let cached = |arguments: &str| {
        let mut command = bench.command();
        command.env("WARPLOG_CACHE_DIR", bench.path().join("cache"));
        command.args(arguments.split(' '));
        String::from_utf8(command.output().expect("runs").stdout).expect("is UTF-8")
    };
    let text = cached("check k.cu");
    let page = cached("check k.cu --format html");
    assert_eq!(page, bench.run("check k.cu --format html").out);
    assert_eq!(page, cached("check k.cu --format html"));
    assert_eq!(text, cached("check k.cu"));
}

#[test]
fn sqlite_is_a_database() {
    let bench = bench();
    let output = bench
        .command()
        .args(["check", "k.cu", "--format", "sqlite"])
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.starts_with(b"SQLite format 3\0"));
}

#[test]
fn several_formats_at_once() {
    let bench = bench();
    let run = bench.run(
        "check k.cu --output json=r.json -o sarif=r.sarif -o csv=r.csv -o text=r.txt -o sqlite=r.db -o junit=r.xml -o concise=r.lines -o html=r.html",
    );
    assert_eq!(run.status, 1);
    assert_eq!(run, bench.run("check k.cu"));
    for (format, file) in [
        ("json", "r.json"),
        ("sarif", "r.sarif"),
        ("csv", "r.csv"),
        ("text", "r.txt"),
        ("junit", "r.xml"),
        ("concise", "r.lines"),
        ("html", "r.html"),
    ] {
        let alone = bench.run(&format!("check k.cu --format {format}"));
        // Runs are shown without the name of the folder.
        let root = format!("{}/", bench.path().display());
        assert_eq!(alone.out, bench.read(file).replace(&root, ""), "{format}");
    }
    let database = fs::read(bench.path().join("r.db")).expect("reads");
    assert!(database.starts_with(b"SQLite format 3\0"));
    let left: Vec<_> = fs::read_dir(bench.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .filter(|name| name.to_string_lossy().contains("tmp"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_file_that_cannot_be_written_is_status_3() {
    let bench = bench();
    expect![[r#"
        status 3
        --- stderr
        error: no/such/r.json: cannot write the report: no such file or directory
    "#]]
    .assert_eq(
        &bench
            .run("check k.cu --format concise -o json=no/such/r.json")
            .shown(),
    );
}

#[test]
fn wrong_outputs_are_wrong_use() {
    let bench = bench();
    for (given, message) in [
        ("json", "expected FORMAT=FILE"),
        (
            "yaml=x",
            "`yaml` is none of text, concise, json, sarif, junit",
        ),
        ("json=", "the name of the file is missing"),
    ] {
        let run = bench.words(&["check", "k.cu", "--output", given]);
        assert_eq!(run.status, 2);
        assert!(run.err.contains(message), "{}", run.err);
    }
}

#[test]
fn formats_of_solve_are_those_of_check() {
    let bench = bench();
    assert_eq!(bench.run("facts k.cu --out f").status, 0);
    for format in ["text", "concise", "json", "sarif", "junit", "csv", "html"] {
        // A folder of facts has no source that could be changed.
        let check = bench.run(&format!("check k.cu --no-mends --format {format}"));
        let solve = bench.run(&format!("solve f --format {format}"));
        assert_eq!(check, solve, "{format}");
    }
}

#[test]
fn bytes_are_the_same_every_time_and_for_any_jobs() {
    let bench = bench();
    for name in ["a", "b", "c", "d"] {
        bench.file(&format!("{name}.cu"), KERNELS);
    }
    for format in ["concise", "sarif", "junit", "csv", "html", "sqlite"] {
        let out = |jobs: &str| {
            let mut command = bench.command();
            command.args(["check", ".", "--format", format, "--jobs", jobs]);
            command
                .stdout(Stdio::piped())
                .output()
                .expect("runs")
                .stdout
        };
        let one = out("1");
        assert!(!one.is_empty());
        assert!(one == out("3"), "{format}");
    }
}

#[test]
fn what_is_read_is_not_written_over() {
    let bench = bench();
    bench.file("src/k.cu", &format!("#include \"h.h\"\n{KERNELS}"));
    bench.file("src/h.h", "#define N 3\n");
    bench.file("warplog.toml", "exclude = [\"gone\"]\n");
    bench.file("facts/a.txt", "mine\n");
    assert_eq!(bench.run("check k.cu --write-baseline b.json").status, 0);
    assert_eq!(bench.run("facts k.cu --out f").status, 0);
    std::os::unix::fs::symlink("k.cu", bench.path().join("link")).expect("a link");
    std::os::unix::fs::symlink("o.x", bench.path().join("other")).expect("a link");
    bench.file("o.x", "");
    let names = [
        "k.cu",
        "src/k.cu",
        "src/h.h",
        "warplog.toml",
        "b.json",
        "f/kernel.csv",
        "o.x",
    ];
    let before: Vec<String> = names.iter().map(|name| bench.read(name)).collect();
    for (line, said) in [
        (
            "check k.cu -o text=./k.cu",
            "`k.cu` is an input: the report would take its place",
        ),
        (
            "check k.cu -o text=link",
            "`link` is an input: the report would take its place",
        ),
        (
            "check src -o json=src/k.cu",
            "`src/k.cu` is an input: the report would take its place",
        ),
        (
            "check src/k.cu -o json=src/h.h",
            "`src/h.h` is a header that an input includes: the report would take its place",
        ),
        (
            "check k.cu -o json=warplog.toml",
            "`warplog.toml` is the configuration: the report would take its place",
        ),
        (
            "check src --config warplog.toml -o json=warplog.toml",
            "`warplog.toml` is the configuration: the report would take its place",
        ),
        (
            "check k.cu --write-baseline k.cu",
            "`k.cu` is an input: the baseline would take its place",
        ),
        (
            "check k.cu --baseline b.json -o json=b.json",
            "`b.json` is the baseline that this run compares with: the report would take its place",
        ),
        (
            "check k.cu --write-baseline n.x -o json=./n.x",
            "a report and the baseline are to be written to `n.x`: give each a file of its own",
        ),
        (
            "check k.cu -o sarif=o.x -o json=other",
            "two reports are to be written to `other`: give each a file of its own",
        ),
        (
            "solve f -o json=f/kernel.csv",
            "`f/kernel.csv` is a file of the facts: the report would take its place",
        ),
    ] {
        let run = bench.run(line);
        assert_eq!(run.status, 2, "{line}: {}", run.err);
        assert_eq!(run.err, format!("error: {said}\n"), "{line}");
        assert_eq!(run.out, "", "{line}");
    }
    let after: Vec<String> = names.iter().map(|name| bench.read(name)).collect();
    assert_eq!(before, after);
    assert!(!bench.path().join("n.x").exists());
    // What is neither read nor written otherwise is replaced as ever.
    assert_eq!(
        bench
            .run("check k.cu -o json=o.x -o sarif=/dev/null -o csv=/dev/null")
            .status,
        1
    );
    assert!(bench.read("o.x").starts_with('{'));
}

#[test]
fn suppressed_findings_are_in_every_format() {
    let bench = bench();
    bench.file(
        "k.cu",
        "//--blockDim=64 --gridDim=1\n\
         __global__ void any(int *p) {\n\
         p[0] = threadIdx.x; // warplog: allow data-race because any of them will do\n\
         }\n",
    );
    for format in ["text", "concise", "json", "sarif", "junit", "csv", "html"] {
        let run = bench.run(&format!("check k.cu --format {format}"));
        assert_eq!(run.status, 0, "{format}");
        assert!(
            run.out.contains("any of them will do"),
            "{format}: {}",
            run.out
        );
    }
    expect![[r#"
        status 0
        --- stdout
        k.cu:3:1: note[data-race]: confirmed data race in `any`: two writes of `p` by threads of the same warp; suppressed: any of them will do [3336447a59d3]
    "#]].assert_eq(&bench.run("check k.cu --format concise").shown());
    let junit = bench.run("check k.cu --format junit").out;
    assert!(junit.contains("failures=\"0\""), "{junit}");
    assert!(
        junit.contains("      <system-out>confirmed data race in `any`"),
        "{junit}"
    );
}

#[test]
fn every_format_says_why_a_kernel_is_open() {
    let bench = bench();
    bench.file(
        "k.cu",
        "//--blockDim=64 --gridDim=1\n\
         void elsewhere(int *p);\n\
         __global__ void calls(int *p) { elsewhere(p); }\n\
         __global__ void never(int *p, int n) { __requires(n > 4); __requires(n < 2); p[threadIdx.x] = n; }\n",
    );
    for format in ["text", "concise", "json", "sarif", "junit", "csv", "html"] {
        let run = bench.run(&format!("check k.cu --format {format}"));
        assert_eq!(run.status, 3, "{format}");
        assert!(
            run.out.contains("its body is not known"),
            "{format}: {}",
            run.out
        );
        assert!(run.out.contains("contradict"), "{format}: {}", run.out);
    }
    let json: Json =
        serde_json::from_str(&bench.run("check k.cu --format json").out).expect("JSON");
    let reason = json["kernels"][0]["launches"][0]["reasons"][0].as_str();
    assert!(reason.is_some_and(|reason| reason.starts_with("k.cu:3: call of `elsewhere`")));
    expect!["`never` cannot be checked: the launch and its assumptions contradict each other"]
        .assert_eq(json["errors"][0]["message"].as_str().unwrap_or_default());
    assert_eq!(json["errors"][0]["line"], 4);
    let rows = bench.words(&[
        "query",
        "--scan",
        "k.cu",
        "--format",
        "csv",
        "SELECT kernel, position, place_line, reason FROM verdict_reason ORDER BY kernel",
    ]);
    expect![[r#"
        kernel,position,place_line,reason
        calls,0,3,call of `elsewhere`: its body is not known: it may touch any array and wait at a barrier
        never,0,,the launch and its assumptions contradict each other
    "#]].assert_eq(&rows.out);
}

#[test]
fn an_error_is_told_once() {
    let bench = bench();
    for format in ["text", "concise"] {
        let run = bench.run(&format!("check nofile.cu --format {format}"));
        assert_eq!(run.status, 3);
        let both = format!("{}{}", run.out, run.err);
        assert_eq!(both.matches("nofile.cu").count(), 1, "{both}");
    }
}

#[test]
fn standard_output_takes_one_report() {
    let bench = bench();
    let run = bench.run("check k.cu --format text -o json=-");
    assert_eq!((run.status, run.out.as_str()), (2, ""));
    assert!(
        run.err
            .starts_with("error: standard output takes one report"),
        "{}",
        run.err
    );
    assert!(bench.run("check k.cu -o json=-").out.starts_with('{'));
}

#[test]
fn what_cannot_be_written_is_told_before_the_scan() {
    let bench = bench();
    std::os::unix::fs::symlink("gone/file", bench.path().join("lost")).expect("a link");
    for (flags, what) in [
        (
            "check k.cu --write-baseline no/such/b.json",
            "no/such/b.json: cannot write the baseline",
        ),
        (
            "check k.cu -o sarif=fine.sarif -o json=no/such/r.json",
            "no/such/r.json: cannot write the report",
        ),
        ("check k.cu -o json=.", ".: cannot write the report"),
        ("check k.cu -o json=lost", "lost: cannot write the report"),
        (
            "facts k.cu --sqlite no/such/f.db",
            "no/such/f.db: cannot write the database",
        ),
    ] {
        let run = bench.run(flags);
        assert_eq!((run.status, run.out.as_str()), (3, ""), "{flags}");
        assert!(
            run.err.starts_with(&format!("error: {what}: ")),
            "{flags}: {}",
            run.err
        );
    }
    assert!(!bench.path().join("fine.sarif").exists());
}

#[test]
fn a_link_to_nothing_leads_to_the_report() {
    let bench = bench();
    std::os::unix::fs::symlink("real.json", bench.path().join("link.json")).expect("a link");
    assert_eq!(bench.run("check k.cu -o json=link.json").status, 1);
    assert!(bench.read("real.json").starts_with("{\n"));
    let link = fs::symlink_metadata(bench.path().join("link.json")).expect("is there");
    assert!(link.is_symlink());
}

#[test]
fn sarif_names_files_from_the_root_of_the_project() {
    let bench = bench();
    fs::create_dir(bench.path().join(".git")).expect("a folder");
    bench.file("src/k.cu", KERNELS);
    fs::create_dir(bench.path().join("build")).expect("a folder");
    let uri = |here: &str, path: &str| {
        let output = bench
            .command()
            .current_dir(bench.path().join(here))
            .args(["check", path, "--format", "sarif"])
            .output()
            .expect("runs");
        let document: Json = serde_json::from_slice(&output.stdout).expect("is JSON");
        let result = &document["runs"][0]["results"][0];
        let file = &result["locations"][0]["physicalLocation"]["artifactLocation"];
        assert_eq!(file["uriBaseId"], "%SRCROOT%");
        file["uri"].as_str().expect("a name").to_owned()
    };
    let whole = bench.path().join("src/k.cu");
    for (here, path) in [
        (".", "src"),
        ("src", "k.cu"),
        ("build", "../src/k.cu"),
        ("build", whole.to_str().expect("a path")),
    ] {
        assert_eq!(uri(here, path), "src/k.cu", "{here} {path}");
    }
}

#[test]
fn values_are_told_in_the_order_of_numbers() {
    let bench = bench();
    bench.file(
        "k.cu",
        "//--blockDim=256 --gridDim=1\n\
         __global__ void last(int *out, const int *at) {\n\
         if (threadIdx.x > 8 && threadIdx.x < 11) out[at[threadIdx.x]] = threadIdx.x;\n\
         }\n",
    );
    let text = bench.run("check k.cu --show potential").out;
    assert!(text.contains("with at[9] = 0, at[10] = 0\n"), "{text}");
}
