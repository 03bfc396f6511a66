//! `warplog query` and the exports it reads: what is printed, the exit status, and every query of the cookbook.

use std::fs;

use expect_test::expect;
use warplog_tests::command::Bench;
use warplog_tests::{datasets, project};

const KERNELS: &str = "\
//--blockDim=64 --gridDim=2
__global__ void shift_bad(int *out, const int *in) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    if (t < 32) tile[t] += 1;
    out[64 * blockIdx.x + t] = tile[(t + 1) % 64];
}

__global__ void copy_ok(int *out, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}
";

fn bench() -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("k.cu", KERNELS);
    bench
}

#[test]
fn a_scan_a_folder_and_a_database_answer_alike() {
    let bench = bench();
    bench.file(
        "l.cu",
        &KERNELS
            .replace("shift_bad", "other_bad")
            .replace("copy_ok", "third_ok"),
    );
    assert_eq!(bench.run("facts . --out f --sqlite d.db").status, 0);
    for sql in [
        "SELECT * FROM access_place",
        "SELECT * FROM pair_place",
        "SELECT * FROM discarded_race",
        "SELECT * FROM verdict",
        "SELECT * FROM finding",
        "SELECT * FROM answer",
        "SELECT a.*, t.op FROM access a JOIN term t ON t.term = a.\"index\"",
    ] {
        let scan = bench.words(&["query", "--scan", ".", sql]);
        assert_eq!(scan.status, 0, "{sql}: {}", scan.err);
        assert!(!scan.out.contains("\n0 rows"), "{sql}");
        assert_eq!(scan, bench.words(&["query", "f", sql]), "{sql}");
        assert_eq!(scan, bench.words(&["query", "d.db", sql]), "{sql}");
        assert_eq!(
            scan,
            bench.words(&["query", "--scan", "k.cu", "--scan", "l.cu", sql]),
            "{sql}"
        );
    }
}

#[test]
fn rows_in_every_format() {
    let bench = bench();
    let ask = |format: &str| {
        let sql = "SELECT kernel, verdict, certainty, accesses FROM verdict ORDER BY kernel";
        bench
            .words(&["query", "--scan", "k.cu", sql, "--format", format])
            .shown()
    };
    expect![[r#"
        status 0
        --- stdout
        kernel     verdict    certainty  accesses
        ---------  ---------  ---------  --------
        copy_ok    race_free  -                 2
        shift_bad  racy       confirmed         6
        2 rows
    "#]]
    .assert_eq(&ask("table"));
    expect![[r#"
        status 0
        --- stdout
        kernel,verdict,certainty,accesses
        copy_ok,race_free,,2
        shift_bad,racy,confirmed,6
    "#]]
    .assert_eq(&ask("csv"));
    expect![[r#"
        status 0
        --- stdout
        [
          {"kernel": "copy_ok", "verdict": "race_free", "certainty": null, "accesses": 2},
          {"kernel": "shift_bad", "verdict": "racy", "certainty": "confirmed", "accesses": 6}
        ]
    "#]]
    .assert_eq(&ask("json"));
    let none = bench.words(&[
        "query",
        "--scan",
        "k.cu",
        "--format",
        "json",
        "SELECT * FROM fence",
    ]);
    assert_eq!((none.status, none.out.as_str()), (0, "[]\n"));
}

#[test]
fn tables_are_listed_and_described() {
    let bench = bench();
    let list = bench.run("query --list");
    assert_eq!(list.status, 0);
    for table in ["access", "candidate_race", "finding", "pair_place"] {
        assert!(list.out.contains(&format!("\n  {table} ")), "{table}");
    }
    expect![[r#"
        status 0
        --- stdout
        flow_of

          The parametric flow of the access: the class of threads that take the same tid-dependent branches. Flows are numbered per launch.
          Predicate: flow_of(access, flow)
          Yields it: `if (t < n) a[t] = 1; else b[t] = 2;` two flows
          Does not: `if (n) a[t] = 1;` a flow of its own

          access  AccessId -> access  Access.
          flow    u32                 Flow, from 0 within its launch: 0 is taken by all threads.
    "#]].assert_eq(&bench.run("query --describe flow_of").shown());
    expect![[r#"
        status 0
        --- stdout
        access_at

          An access and the point of the control flow at which it is; `access` has the rest of it.

          access    The access, a row of `access`
          point     The point of the control flow, a row of `point`: `guard_at` has the conditions under which it is executed, `loop_at` the loops round it
    "#]]
    .assert_eq(&bench.run("query --describe access_at").shown());
    let rows = |sql: &str| {
        bench
            .words(&["query", "--format", "csv", "--scan", "k.cu", sql])
            .out
    };
    assert_eq!(
        rows("SELECT access, point FROM access_at ORDER BY access"),
        rows("SELECT access, point FROM access ORDER BY access")
    );
    expect![[r#"
        status 2
        --- stderr
        error: there is no table `acess`; did you mean `access`?
    "#]]
    .assert_eq(&bench.run("query --describe acess").shown());
}

#[test]
fn wrong_questions_are_wrong_use() {
    let bench = bench();
    let ask = |sql: &str| bench.words(&["query", "--scan", "k.cu", sql]).shown();
    expect![[r#"
        status 2
        --- stderr
        error: there is no table `finding_locaton`; did you mean `finding_location`?
    "#]]
    .assert_eq(&ask("SELECT * FROM finding_locaton"));
    expect![[r#"
        status 2
        --- stderr
        error: near "nothing": syntax error
    "#]]
    .assert_eq(&ask("SELECT nothing FROM finding"));
    expect![[r#"
        status 2
        --- stderr
        error: near "SELEC": syntax error
    "#]]
    .assert_eq(&ask("SELEC 1"));
    expect![[r#"
        status 2
        --- stderr
        error: only statements that read are taken: SELECT, WITH, VALUES, EXPLAIN
    "#]]
    .assert_eq(&ask("DELETE FROM access"));
    expect![[r#"
        status 2
        --- stderr
        error: more than one statement
    "#]]
    .assert_eq(&ask("SELECT 1; SELECT 2"));
    expect![[r#"
        status 2
        --- stderr
        error: what to ask is missing: `warplog query SOURCE SQL`; `--list` shows the tables
    "#]]
    .assert_eq(&bench.run("query").shown());
    expect![[r#"
        status 2
        --- stderr
        error: what to ask is missing: `warplog query SOURCE SQL`, or `--scan PATH SQL`
    "#]]
    .assert_eq(&bench.run("query one").shown());
    expect![[r#"
        status 2
        --- stderr
        error: with --scan only the SQL is to be given, not a source
    "#]]
    .assert_eq(
        &bench
            .words(&["query", "--scan", "k.cu", "f", "SELECT 1"])
            .shown(),
    );
}

/// Flags that say nothing of what is asked are refused, and so is a kernel that is not there.
#[test]
fn flags_without_meaning_are_told() {
    let bench = bench();
    assert_eq!(bench.run("facts k.cu --out f --sqlite f.db").status, 0);
    let sql = "SELECT name FROM kernel";
    for (flag, value) in [("--block-dim", "64"), ("-D", "N"), ("--assume", "n>0")] {
        for source in ["f", "f.db"] {
            let run = bench.words(&["query", source, sql, flag, value]);
            assert_eq!((run.status, run.out.as_str()), (2, ""), "{flag} {source}");
            let said = format!("error: {flag} says nothing of {source}, ");
            assert!(run.err.starts_with(&said), "{}", run.err);
        }
        let scan = bench.words(&["query", "--scan", "k.cu", sql, flag, value]);
        assert_eq!(scan.status, 0, "{}", scan.err);
    }
    let run = bench.words(&["query", "f.db", sql, "--kernel", "shift_bad"]);
    assert_eq!(run.status, 2, "{}", run.err);
    for source in [&["f"][..], &["--scan", "k.cu"]] {
        for (kernel, status) in [("shift_bad", 0), ("nope", 3)] {
            let mut words = vec!["query"];
            words.extend(source);
            words.extend([sql, "--kernel", kernel]);
            let run = bench.words(&words);
            assert_eq!(run.status, status, "{source:?} {}", run.err);
            let told = run.err == "error: no kernel is named `nope`\n";
            assert_eq!(told, status == 3, "{}", run.err);
        }
    }
}

#[test]
fn what_cannot_be_read_is_status_3() {
    let bench = bench();
    bench.file(
        "no.db",
        "this is no database, but it is long enough to be taken for one by its size alone",
    );
    expect![[r#"
        status 3
        --- stderr
        error: gone/version.csv: reading failed: no such file or folder
    "#]]
    .assert_eq(&bench.words(&["query", "gone", "SELECT 1"]).shown());
    expect![[r#"
        status 3
        --- stderr
        error: no.db: this is no SQLite database
    "#]]
    .assert_eq(&bench.words(&["query", "no.db", "SELECT 1"]).shown());
    expect![[r#"
        status 3
        --- stderr
        error: k.cu: this is no SQLite database; `--scan k.cu` analyses it
    "#]]
    .assert_eq(&bench.words(&["query", "k.cu", "SELECT 1"]).shown());
    // What could be read is answered, and the rest told.
    let run = bench.words(&[
        "query",
        "--scan",
        "k.cu",
        "--scan",
        "gone.cu",
        "SELECT count(*) AS n FROM kernel",
    ]);
    expect![[r#"
        status 3
        --- stdout
        n
        -
        2
        1 row
        --- stderr
        error: gone.cu: cannot read: no such file or directory
    "#]]
    .assert_eq(&run.shown());
}

#[test]
fn derived_relations_are_exported_as_csv() {
    let bench = bench();
    assert_eq!(bench.run("facts k.cu --out plain").status, 0);
    assert_eq!(bench.run("facts k.cu --out f --derived").status, 0);
    let header = bench.read("f/flow_of.csv");
    assert!(header.starts_with("access,flow\n0,0\n"), "{header}");
    assert!(
        bench
            .read("f/discarded_race.csv")
            .contains(",same-injective-index,")
    );
    assert!(!bench.path().join("plain/flow_of.csv").exists());
    // They do not get in the way of reading the facts back.
    assert_eq!(bench.run("solve f"), bench.run("solve plain"));
    let run = bench.run("facts k.cu --derived");
    assert_eq!(run.status, 2);
}

#[test]
fn facts_need_a_place_to_go() {
    let bench = bench();
    expect![[r#"
        status 3
        --- stderr
        error: no/such/d.db: cannot write the database: no such file or directory
    "#]]
    .assert_eq(&bench.run("facts k.cu --sqlite no/such/d.db").shown());
    assert_eq!(bench.run("facts gone.cu --sqlite d.db").status, 3);
}

/// Each block of SQL on the page.
fn cookbook() -> Vec<String> {
    let page = fs::read_to_string(project().join("docs/queries.md")).expect("the page");
    page.split("```sql\n")
        .skip(1)
        .filter_map(|rest| rest.split("```").next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_query_of_the_cookbook_gives_rows() {
    let bench = bench();
    let classics = datasets().join("classics");
    let mut command = bench.command();
    command.arg("facts").args(["--sqlite", "d.db"]);
    let chosen = [
        "bitonic_sort.cu",
        "last_block.cu",
        "reduction2_sequential.cu",
        "reduction4_last_warp.cu",
        "matmul_tiled.cu",
        "matmul_host.cu",
        "histogram_atomic.cu",
        "bfs_frontier.cu",
        "transpose.cu",
    ];
    for name in chosen {
        command.arg(classics.join(name));
    }
    command.arg(datasets().join("traps/real_divergent_barriers.cu"));
    let output = command.output().expect("runs");
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let queries = cookbook();
    assert!(queries.len() >= 15, "{}", queries.len());
    for sql in &queries {
        let run = bench.words(&["query", "d.db", sql]);
        assert_eq!(run.status, 0, "{sql}\n{}", run.err);
        let rows = run.out.lines().last().unwrap_or_default();
        assert!(rows != "0 rows", "{sql}");
    }
}

#[test]
fn derived_relations_of_an_earlier_run_do_not_stay() {
    let bench = bench();
    assert_eq!(bench.run("facts k.cu --out f --derived").status, 0);
    assert!(bench.path().join("f/discarded_race.csv").exists());
    bench.file("f/mine.txt", "mine\n");
    assert_eq!(bench.run("facts k.cu --out f").status, 0);
    assert!(!bench.path().join("f/discarded_race.csv").exists());
    assert!(bench.path().join("f/kernel.csv").exists());
    assert_eq!(bench.read("f/mine.txt"), "mine\n");
}

#[test]
fn a_folder_that_holds_something_else_stays_as_it_is() {
    let bench = bench();
    for name in ["schema.md", "file.csv", "candidate_race.csv", "version.csv"] {
        let file = format!("{name}.d/{name}");
        bench.file(&file, "mine\n");
        let run = bench.run(&format!("facts k.cu --out {name}.d"));
        assert_eq!(
            (run.status, run.err),
            (
                2,
                format!(
                    "error: {file}: the file is there and the folder holds no facts: it stays as it is\n"
                )
            )
        );
        assert_eq!(bench.read(&file), "mine\n");
        assert_eq!(
            fs::read_dir(bench.path().join(format!("{name}.d")))
                .expect("a folder")
                .count(),
            1
        );
    }
    bench.file("empty/notes.txt", "mine\n");
    assert_eq!(bench.run("facts k.cu --out empty").status, 0);
}

#[test]
fn a_misspelt_column_is_no_text() {
    let bench = bench();
    let run = bench.words(&[
        "query",
        "--scan",
        "k.cu",
        "SELECT count(*) FROM access WHERE \"nosuch\" = 3",
    ]);
    assert_eq!(run.status, 2, "{}", run.out);
    assert!(
        run.err.contains("no such column: \"nosuch\""),
        "{}",
        run.err
    );
    // One of the tables that are asked is told.
    for (question, column) in [
        ("SELECT rul FROM pair", "rule"),
        ("SELECT p.scop FROM pair AS p", "scope"),
        ("SELECT \"acess\" FROM access", "access"),
    ] {
        let run = bench.words(&["query", "--scan", "k.cu", question]);
        let advice = format!("; did you mean `{column}`?\n");
        assert_eq!(run.status, 2, "{}", run.out);
        assert!(run.err.ends_with(&advice), "{}", run.err);
    }
}

#[test]
fn a_database_of_findings_says_that_it_has_no_facts() {
    let bench = bench();
    assert_eq!(bench.run("check k.cu -o sqlite=found.db").status, 1);
    let run = bench.words(&["query", "found.db", "SELECT count(*) FROM access"]);
    assert_eq!(
        (run.status, run.err.as_str()),
        (
            2,
            "error: found.db holds findings only, and no table `access`: `warplog facts --sqlite` writes one with the facts too\n"
        )
    );
    assert_eq!(
        bench
            .words(&["query", "found.db", "SELECT count(*) FROM finding"])
            .status,
        0
    );
}
