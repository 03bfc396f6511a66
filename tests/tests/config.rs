//! `warplog.toml`, suppression by comment and by configuration, and the baseline.

use expect_test::expect;
use serde_json::Value as Json;
use warplog_tests::command::{Bench, Run};

/// A race that depends on the size of the block: with one warp's half there is none.
const KERNEL: &str = "\
__global__ void shift(int *out, const int *in) {
    __shared__ int tile[64];
    int t = threadIdx.x;
    tile[t] = in[t];
    out[t] = tile[(t + 1) % blockDim.x];
}
";

fn bench(files: &[(&str, &str)]) -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    for (name, text) in files {
        bench.file(name, text);
    }
    bench
}

/// Verdicts by file, from JSON.
fn verdicts(run: &Run) -> Vec<(String, String)> {
    let report: Json =
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let kernels = report["kernels"].as_array().expect("kernels");
    let text = |value: &Json| value.as_str().unwrap_or_default().to_owned();
    kernels
        .iter()
        .map(|kernel| (text(&kernel["file"]), text(&kernel["verdict"])))
        .collect()
}

/// Block sizes by file.
fn blocks(run: &Run) -> Vec<(String, Json)> {
    let report: Json =
        serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let kernels = report["kernels"].as_array().expect("kernels");
    kernels
        .iter()
        .map(|kernel| {
            let file = kernel["file"].as_str().unwrap_or_default().to_owned();
            (file, kernel["launches"][0]["block"].clone())
        })
        .collect()
}

#[test]
fn the_nearest_configuration_upwards_counts() {
    let bench = bench(&[
        ("warplog.toml", "block-dim = 64\ngrid-dim = 1\n"),
        ("a/one.cu", KERNEL),
        ("a/b/warplog.toml", "block-dim = [1]\ngrid-dim = [1]\n"),
        ("a/b/two.cu", KERNEL),
        (
            "a/head.cu",
            &format!("//--blockDim=2 --gridDim=1\n{KERNEL}"),
        ),
    ]);
    let run = bench.run("check a --format json");
    let size = |x: u64| serde_json::json!([x, 1, 1]);
    assert_eq!(
        blocks(&run),
        [
            ("a/b/two.cu".to_owned(), size(1)),
            ("a/head.cu".to_owned(), size(2)),
            ("a/one.cu".to_owned(), size(64)),
        ]
    );
    assert_eq!(verdicts(&run)[0].1, "race_free");
    let run = bench.run("check a --format json --block-dim 4");
    assert!(blocks(&run).iter().all(|(_, block)| *block == size(4)));
    let run = bench.run("check a --format json --config a/b/warplog.toml");
    assert_eq!(blocks(&run)[2].1, size(1));
    let run = bench.run("check a/one.cu --format json --no-config");
    assert_eq!(blocks(&run)[0].1[0], "blockDim.x");
    let run = bench.run("check a --config a/b/warplog.toml --no-config");
    assert_eq!(run.status, 2);
    let run = bench.run("check a --config gone.toml");
    expect![[r#"
        status 3
        --- stdout
        error: gone.toml: cannot read: no such file or directory

        0 kernels in 0 files; 0 findings; 1 error
    "#]]
    .assert_eq(&run.shown());
}

#[test]
fn paths_have_settings_of_their_own() {
    let kernel = "#include \"size.h\"\n__global__ void k(int *p) { if (threadIdx.x < SIZE) p[threadIdx.x % N] = threadIdx.x; }\n";
    let bench = bench(&[
        (
            "warplog.toml",
            "grid-dim = 1\nblock-dim = 64\ndefine = \"N=64\"\ninclude = \"inc\"\nexclude = [\"third\", \"**/*_gen.cu\"]\n\
             [[path]]\nmatch = \"legacy/**\"\ndefine = [\"N=32\"]\n\
             [path.severity]\ndata-race = \"note\"\n\
             [[launch]]\nkernel = \"k\"\npath = \"legacy/small.cu\"\nblock-dim = 16\n",
        ),
        ("inc/size.h", "#define SIZE 64\n"),
        ("new.cu", kernel),
        ("legacy/old.cu", kernel),
        ("legacy/small.cu", kernel),
        ("third/x.cu", "this is not read\n"),
        ("src/a_gen.cu", "nor this\n"),
    ]);
    let run = bench.run("check . --format json");
    let pair = |file: &str, verdict: &str| (file.to_owned(), verdict.to_owned());
    assert_eq!(
        verdicts(&run),
        [
            pair("legacy/old.cu", "racy"),
            pair("legacy/small.cu", "race_free"),
            pair("new.cu", "race_free")
        ]
    );
    // A note fails nothing, unless everything does.
    assert_eq!(run.status, 0);
    assert_eq!(bench.run("check . --fail-on unknown").status, 1);
    let lines = bench.run("check . --format concise");
    assert!(
        lines
            .out
            .starts_with("legacy/old.cu:2:53: note[data-race]: "),
        "{}",
        lines.out
    );
    // A file that is named is checked even if its folder is excluded.
    let run = bench.run("check third/x.cu");
    assert!(
        run.out.contains("no kernels in `third/x.cu`"),
        "{}",
        run.out
    );
    // Facts are extracted under the same settings.
    assert_eq!(bench.run("facts . --out f").status, 0);
    let solved = bench.run("solve f --format json");
    assert_eq!(verdicts(&solved).len(), 3);
}

#[test]
fn a_wrong_configuration_stops_the_run() {
    let bench = bench(&[
        ("k.cu", KERNEL),
        ("warplog.toml", "define = \"A\"\nexlude = [\"x\"]\n"),
    ]);
    expect![[r#"
        status 3
        --- stdout
        error: warplog.toml:2: unknown key `exlude`; did you mean `exclude`?

        0 kernels in 0 files; 0 findings; 1 error
    "#]]
    .assert_eq(&bench.run("check k.cu").shown());
    expect![[r#"
        status 3
        --- stderr
        error: warplog.toml:2: unknown key `exlude`; did you mean `exclude`?
    "#]]
    .assert_eq(&bench.run("facts k.cu --out f").shown());
    bench.file("warplog.toml", "[severity\n");
    expect![[r#"
        status 3
        --- stdout
        error: warplog.toml:1: unclosed table, expected `]`

        0 kernels in 0 files; 0 findings; 1 error
    "#]]
    .assert_eq(&bench.run("check k.cu").shown());
    assert_eq!(bench.run("check k.cu --no-config").status, 1);
}

/// What is wrong with a configuration keeps the files below it out, and no others; all keys that mean nothing are told.
#[test]
fn a_wrong_configuration_of_a_folder_lets_the_others_be_checked() {
    let bench = bench(&[
        ("k.cu", KERNEL),
        ("sub/a.cu", KERNEL),
        ("sub/deep/b.cu", KERNEL),
        ("sub/own/c.cu", KERNEL),
        ("sub/own/warplog.toml", "define = \"A\"\n"),
        (
            "sub/warplog.toml",
            "exlude = \"x\"\n[[launch]]\nkernal = \"k\"\n",
        ),
    ]);
    let run = bench.run("check . --format concise");
    assert_eq!(run.status, 3);
    let found: Vec<&str> = run
        .out
        .lines()
        .filter(|line| line.contains("[data-race]"))
        .filter_map(|line| line.split(':').next())
        .collect();
    assert_eq!(found, ["k.cu", "sub/own/c.cu"]);
    let wrong: Vec<&str> = run
        .out
        .lines()
        .filter(|line| line.starts_with("sub/warplog.toml"))
        .collect();
    assert_eq!(
        wrong,
        [
            "sub/warplog.toml:1: error: unknown key `exlude`; did you mean `exclude`?",
            "sub/warplog.toml:3: error: unknown key `kernal`; did you mean `kernel`?",
        ]
    );
    assert!(
        run.err.contains(
            "note: `sub/warplog.toml` is wrong: 2 files that it is about are not analysed\n"
        ),
        "{}",
        run.err
    );
    // With nothing else to check, that is all there is.
    let run = bench.run("check sub/a.cu");
    assert_eq!(run.status, 3);
    assert_eq!(run.out.matches("unknown key").count(), 2, "{}", run.out);
}

#[test]
fn launches_say_where_they_come_from() {
    let bench = bench(&[
        (
            "k.cu",
            "__global__ void k(int *p) {\n    p[threadIdx.x] = 1;\n}\n",
        ),
        (
            "c.cu",
            "// warplog: launch block=64 grid=1\n__global__ void c(int *p) {\n    p[threadIdx.x] = 1;\n}\n",
        ),
        (
            "h.cu",
            "//--blockDim=64 --gridDim=1\n__global__ void h(int *p) {\n    p[threadIdx.x] = 1;\n}\n",
        ),
        (
            "warplog.toml",
            "[[launch]]\nkernel = \"k\"\nblock-dim = 32\ngrid-dim = 1\n",
        ),
    ]);
    let sources = |flags: &str| -> Vec<String> {
        let run = bench.run(&format!("check . --format json {flags}"));
        let document: Json = serde_json::from_str(&run.out).expect("is JSON");
        let kernels = document["kernels"].as_array().expect("kernels");
        kernels
            .iter()
            .map(|kernel| {
                kernel["launches"][0]["source"]
                    .as_str()
                    .expect("a word")
                    .to_owned()
            })
            .collect()
    };
    assert_eq!(sources(""), ["comment", "header", "configuration"]);
    assert_eq!(sources("--no-config"), ["comment", "header", "symbolic"]);
    assert_eq!(sources("--block-dim 64"), ["flag", "flag", "flag"]);
    let text = bench.run("check .").out;
    for words in [
        "c  (launch <<<1, 64>>> from a comment)",
        "h  (launch <<<1, 64>>> from header)",
        "k  (launch <<<1, 32>>> from the configuration)",
    ] {
        assert!(text.contains(words), "{text}");
    }
    // The configuration comes before the comment.
    bench.file("warplog.toml", "block-dim = 32\ngrid-dim = 1\n");
    assert_eq!(sources(""), ["configuration", "header", "configuration"]);
}

#[test]
fn include_folders_that_are_not_there_are_told() {
    let bench = bench(&[
        ("k.cu", KERNEL),
        ("inc/h.cuh", ""),
        ("warplog.toml", "include = [\"inc\", \"gone\"]\n"),
    ]);
    let run = bench.run("check k.cu -I inc -I no/such");
    let notes: Vec<&str> = run
        .out
        .lines()
        .filter(|line| line.starts_with("note: "))
        .collect();
    assert_eq!(
        notes,
        [
            "note: include folder `gone` of warplog.toml is not there",
            "note: include folder `no/such` of -I is not there",
        ]
    );
}

#[test]
fn comments_suppress_and_unused_ones_are_told() {
    let bench = bench(&[(
        "k.cu",
        "\
//--blockDim=64 --gridDim=1
__global__ void one(int *p) {
    p[0] = threadIdx.x; // warplog: allow data-race because any of them will do
}
// warplog: allow data-race because the caller
// launches a single thread
__global__ void two(
    int *p) {
    p[0] = threadIdx.x;
}
__global__ void three(int *p) {
    // warplog: allow barrier-divergence because it is not there
    p[0] = threadIdx.x;
}
",
    )]);
    expect![[r#"
        status 0
        --- stdout
        suppressed: 1 finding: any of them will do

        1 kernel in 1 file: 1 racy; 1 finding (1 confirmed, 0 conditional, 0 potential), 1 of them suppressed
    "#]].assert_eq(&bench.run("check k.cu --kernel one").shown());
    let run = bench.run("check k.cu");
    assert_eq!(run.status, 1);
    let notes: Vec<&str> = run
        .out
        .lines()
        .filter(|line| line.starts_with("note: "))
        .collect();
    assert_eq!(
        notes,
        ["note: k.cu:12: this `allow barrier-divergence` suppresses nothing",]
    );
    let report: Json =
        serde_json::from_str(&bench.run("check k.cu --format json").out).expect("is JSON");
    let reasons: Vec<&Json> = report["kernels"]
        .as_array()
        .expect("kernels")
        .iter()
        .map(|kernel| &kernel["findings"][0]["suppressed"])
        .collect();
    assert_eq!(reasons[0], "any of them will do");
    assert_eq!(reasons[1], "the caller launches a single thread");
    assert_eq!(reasons[2], &Json::Null);
    // The verdict stays.
    assert_eq!(report["kernels"][0]["verdict"], "racy");
}

#[test]
fn a_comment_that_is_not_understood_is_an_error() {
    let bench = bench(&[(
        "k.cu",
        "\
//--blockDim=64 --gridDim=1
__global__ void k(int *p) {
    p[1] = threadIdx.x; // warplog: allow data-race
    p[2] = threadIdx.x; // warplog: allow data-rase because of a slip
}
",
    )]);
    let run = bench.run("check k.cu");
    assert_eq!(run.status, 3);
    assert!(
        run.out
            .contains("error: k.cu:3: `allow data-race` needs a reason"),
        "{}",
        run.out
    );
    assert!(
        run.out
            .contains("error: k.cu:4: no rule is called `data-rase`"),
        "{}",
        run.out
    );
    assert!(run.out.contains("did you mean `data-race`?"), "{}", run.out);
    assert!(!run.out.contains("suppressed:"), "{}", run.out);
    let run = bench.run("check k.cu --no-annotations");
    assert_eq!(run.status, 1);
}

#[test]
fn a_comment_may_be_written_in_several_ways() {
    let check = |comment: &str| {
        let line = format!("    p[0] = threadIdx.x; {comment}\n");
        let kernel =
            format!("//--blockDim=64 --gridDim=1\n__global__ void k(int *p) {{\n{line}}}\n");
        bench(&[("k.cu", &kernel)]).run("check k.cu")
    };
    for comment in [
        "// warplog: allow data-race because any will do",
        "// WARPLOG: allow data-race because any will do",
        "// warplog allow data-race because any will do",
        "/* warplog: allow data-race because any will do */",
    ] {
        let run = check(comment);
        assert_eq!(run.status, 0, "{comment}: {}", run.out);
        assert!(
            run.out.contains("suppressed: 1 finding: any will do"),
            "{}",
            run.out
        );
        assert!(run.out.contains(": any will do\n"), "{}", run.out);
    }
    // What is meant and wrong is told; prose is left alone.
    for (comment, told) in [
        ("// warplog allow data-race", "needs a reason"),
        (
            "/* warplog: allow data-rase because x */",
            "did you mean `data-race`?",
        ),
        (
            "// Warplog allow data-rase because x",
            "did you mean `data-race`?",
        ),
    ] {
        let run = check(comment);
        assert_eq!(run.status, 3, "{comment}: {}", run.out);
        assert!(run.out.contains(told), "{comment}: {}", run.out);
    }
    for prose in ["// warplog allows this", "// warplog allow us to say more"] {
        let run = check(prose);
        assert_eq!(run.status, 1, "{prose}: {}", run.out);
        assert!(!run.out.contains("error: "), "{prose}: {}", run.out);
    }
}

#[test]
fn comments_in_headers_count_for_all_that_include_them() {
    let bench = bench(&[
        (
            "k.cuh",
            "__global__ void k(int *p) {\n    // warplog: allow data-race because it is a flag\n    p[0] = threadIdx.x;\n}\n",
        ),
        ("a.cu", "//--blockDim=64 --gridDim=1\n#include \"k.cuh\"\n"),
        ("b.cu", "//--blockDim=32 --gridDim=1\n#include \"k.cuh\"\n"),
    ]);
    let run = bench.run("check .");
    assert_eq!(run.status, 0, "{}", run.out);
    assert!(!run.out.contains("suppresses nothing"), "{}", run.out);
}

#[test]
fn the_configuration_suppresses_and_says_what_it_does_not() {
    let bench = bench(&[
        (
            "src/k.cu",
            &format!("//--blockDim=64 --gridDim=1\n{KERNEL}"),
        ),
        (
            "warplog.toml",
            "[[allow]]\nrule = \"data-race\"\nkernel = \"shift\"\narray = \"tile\"\npath = \"src\"\nbecause = \"the tile is padded\"\n\n\
             [[allow]]\nrule = \"barrier-divergence\"\nbecause = \"never seen\"\n",
        ),
    ]);
    expect![[r#"
        status 0
        --- stdout
        suppressed: 1 finding: the tile is padded

        assumes: array parameters do not alias

        note: warplog.toml:9: this [[allow]] of barrier-divergence suppresses nothing

        1 kernel in 1 file: 1 racy; 1 finding (1 confirmed, 0 conditional, 0 potential), 1 of them suppressed
    "#]].assert_eq(&bench.run("check .").shown());
    bench.file("warplog.toml", "[severity]\ndata-race = \"off\"\n");
    let run = bench.run("check .");
    assert_eq!(run.status, 0);
    let words: Vec<&str> = run.out.split_whitespace().collect();
    let words = words.join(" ");
    assert!(
        words.contains("data-race is off in warplog.toml"),
        "{words}"
    );
    bench.file("warplog.toml", "[severity]\ndata-race = \"warning\"\n");
    assert_eq!(bench.run("check . --fail-on conditional").status, 1);
    assert_eq!(bench.run("check . --fail-on confirmed").status, 0);
}

#[test]
fn a_baseline_lets_only_new_findings_fail() {
    let text = format!("//--blockDim=64 --gridDim=1\n{KERNEL}");
    let bench = bench(&[("k.cu", &text)]);
    assert_eq!(bench.run("check k.cu").status, 1);
    let written = bench.run("check k.cu --write-baseline known.json");
    assert_eq!(written.status, 0, "{}", written.out);
    let baseline: Json = serde_json::from_str(&bench.read("known.json")).expect("is JSON");
    assert_eq!(baseline["schema"], "warplog-baseline/1");
    assert_eq!(baseline["findings"].as_array().map(Vec::len), Some(1));
    expect![[r#"
        status 0
        --- stdout
        suppressed: 1 finding: in the baseline known.json

        assumes: array parameters do not alias

        1 kernel in 1 file: 1 racy; 1 finding (1 confirmed, 0 conditional, 0 potential), 1 of them suppressed
    "#]].assert_eq(&bench.run("check k.cu --baseline known.json").shown());
    // Moved and indented, it is still known; one more of them is new.
    let moved = text
        .replace("__global__", "// moved\n\n__global__")
        .replace("    tile[t] =", "        tile[t] =");
    bench.file("k.cu", &moved);
    assert_eq!(bench.run("check k.cu --baseline known.json").status, 0);
    bench.file(
        "k.cu",
        &moved.replace("int t =", "tile[0] = threadIdx.x;\n    int t ="),
    );
    let run = bench.run("check k.cu --baseline known.json");
    assert_eq!(run.status, 1);
    assert!(run.out.contains("error[data-race]"), "{}", run.out);
    // What is gone is told.
    bench.file(
        "k.cu",
        "//--blockDim=64 --gridDim=1\n__global__ void shift(int *out) { out[threadIdx.x] = 1; }\n",
    );
    let run = bench.run("check k.cu --baseline known.json");
    assert_eq!(run.status, 0);
    assert!(
        run.out.contains(
            "note: 1 finding of the baseline known.json no longer found: write it anew\n"
        ),
        "{}",
        run.out
    );
    for (name, text) in [
        ("bad.json", "[]"),
        ("worse.json", "{"),
        ("other.json", "{\"schema\": \"x\"}"),
    ] {
        bench.file(name, text);
        let run = bench.run(&format!("check k.cu --baseline {name}"));
        assert_eq!(run.status, 3, "{name}");
        assert!(
            run.out
                .contains(&format!("error: {name}: not a baseline: ")),
            "{}",
            run.out
        );
    }
    assert_eq!(bench.run("check k.cu --baseline gone.json").status, 3);
    assert_eq!(bench.run("check k.cu --write-baseline no/such").status, 3);
}

#[test]
fn the_schema_accepts_what_is_read_and_nothing_else() {
    let schema: Json = serde_json::from_str(warplog::config::JSON_SCHEMA).expect("is JSON");
    jsonschema::meta::validate(&schema).expect("is a schema");
    let validator = jsonschema::validator_for(&schema).expect("compiles");
    let good = serde_json::json!({
        "exclude": "third_party",
        "define": ["N=4"],
        "block-dim": [16, 16],
        "severity": {"data-race": "warning"},
        "path": [{"match": ["a", "b"], "grid-dim": 4, "severity": {"invalid-mask": "off"}}],
        "launch": [{"kernel": "k", "block-dim": 64}],
        "allow": [{"rule": "data-race", "because": "of this", "array": "a"}],
    });
    assert!(validator.is_valid(&good));
    for bad in [
        serde_json::json!({"exlude": []}),
        serde_json::json!({"block-dim": 0}),
        serde_json::json!({"severity": {"data-race": "fatal"}}),
        serde_json::json!({"path": [{"define": "A"}]}),
        serde_json::json!({"launch": [{"kernel": "k"}]}),
        serde_json::json!({"allow": [{"rule": "data-race", "because": " "}]}),
    ] {
        assert!(!validator.is_valid(&bad), "{bad}");
    }
}

#[test]
fn assumptions_of_the_configuration_are_those_of_the_flag() {
    let bench = bench(&[
        (
            "k.cu",
            "__global__ void stride(int *a, int n) { int t = threadIdx.x; a[t * n] = t; }\n",
        ),
        (
            "sub/k.cu",
            "__global__ void below(int *a, int n) { int t = threadIdx.x; a[t * n] = t; }\n",
        ),
        (
            "warplog.toml",
            "[[path]]\nmatch = \"sub\"\nassume = \"n > 0\"\n",
        ),
    ]);
    let line = "check . --only-intra-block --format json";
    let verdict = |run: &Run, file: &str| {
        let all = verdicts(run);
        all.into_iter()
            .find(|(name, _)| name == file)
            .expect("a kernel")
            .1
    };
    let run = bench.run(line);
    assert_eq!(verdict(&run, "k.cu"), "racy");
    assert_eq!(verdict(&run, "sub/k.cu"), "race_free");
    bench.file("warplog.toml", "assume = [\"n > 0\", \"n < 1000\"]\n");
    let run = bench.run(line);
    assert_eq!(verdict(&run, "k.cu"), "race_free");
    assert!(
        run.out.contains("n < 1000"),
        "the report says what is assumed: {}",
        run.out
    );
    let flags = bench.words(&[
        "check",
        ".",
        "--only-intra-block",
        "--format",
        "json",
        "--no-config",
        "--assume",
        "n > 0",
        "--assume",
        "n < 1000",
    ]);
    assert_eq!(run, flags);
    bench.file("warplog.toml", "assume = \"n >\"\n");
    let wrong = bench.run(line);
    assert_eq!(wrong.status, 3);
    assert!(
        wrong.err.starts_with("error: warplog.toml:1: "),
        "{}",
        wrong.err
    );
}

#[test]
fn entries_that_name_nothing_are_told() {
    let guarded = "//--blockDim=64 --gridDim=1\n__global__ void guarded(int *o, int n) { if (n > 3) o[threadIdx.x] = n; }\n";
    let bench = bench(&[
        ("src/k.cu", guarded),
        ("more/l.cu", KERNEL),
        (
            "warplog.toml",
            "assume = [\"n <= 5\", \"missing > 3\"]\n\n\
             [[path]]\nmatch = \"src\"\ndefine = \"A\"\n\n\
             [[path]]\nmatch = \"old/**\"\ndefine = \"A\"\n\n\
             [[launch]]\nkernel = \"shift\"\nblock-dim = 32\n\n\
             [[launch]]\nkernel = \"shift\"\npath = \"src\"\nblock-dim = 64\n\n\
             [[launch]]\nkernel = \"shfit\"\nblock-dim = 64\n",
        ),
    ]);
    let notes = |run: &Run| -> Vec<String> {
        let lines = run.out.lines().filter(|line| line.starts_with("note: "));
        lines.map(str::to_owned).collect()
    };
    let of_configuration = [
        "note: warplog.toml: the assumption `missing > 3` is about no kernel",
        "note: warplog.toml:8: this [[path]] is about no file",
        "note: warplog.toml:16: this [[launch]] of `shift` is about no kernel",
        "note: warplog.toml:21: this [[launch]] of `shfit` is about no kernel",
    ];
    assert_eq!(notes(&bench.run("check .")), of_configuration);
    // A part of the files says nothing of the others.
    assert_eq!(notes(&bench.run("check src")), [""; 0]);
    assert_eq!(notes(&bench.run("check . --kernel guarded")), [""; 0]);
    // What the command line assumes was meant for what it names.
    let told = notes(&bench.run("check src --assume n<=4 --assume n>m"));
    assert_eq!(told, ["note: the assumption `n>m` is about no kernel"]);
}

#[test]
fn a_path_of_which_nothing_is_left_is_told() {
    let bench = bench(&[
        ("warplog.toml", "exclude = [\"src\"]\n"),
        (
            "src/a.cu",
            "__global__ void a(int *p) { p[threadIdx.x] = 1; }\n",
        ),
        (
            "src/b.cu",
            "__global__ void b(int *p) { p[threadIdx.x] = 1; }\n",
        ),
    ]);
    let run = bench.run("check src");
    assert_eq!(run.status, 3);
    assert_eq!(
        run.out,
        "note: `exclude` in warplog.toml leaves out all 2 files of `src`: a file that is named itself is checked\n\
         error: no kernel was checked\n\n\
         0 kernels in 0 files; 0 findings; 1 error\n"
    );
    let run = bench.run("check src src/a.cu");
    assert!(!run.out.contains("leaves out"), "{}", run.out);
}

#[test]
fn an_entry_may_name_the_memory() {
    for (rule, status) in [
        ("shared-memory-race", 0),
        ("global-memory-race", 1),
        ("data-race", 0),
    ] {
        let toml = format!("[[allow]]\nrule = \"{rule}\"\nbecause = \"it is benign\"\n");
        let bench = bench(&[
            ("warplog.toml", &toml),
            (
                "k.cu",
                "//--blockDim=64 --gridDim=1\n__global__ void k() { __shared__ int s; s = threadIdx.x; }\n",
            ),
        ]);
        assert_eq!(bench.run("check k.cu").status, status, "{rule}");
    }
}

/// Two pointers of an object that other code fills: that they are two is assumed by name, or the kernel is undecided.
#[test]
fn strict_aliasing_leaves_open_what_is_assumed_by_name() {
    let source = "struct Rows { int *to, *from; };\n\
                  __global__ void copy(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x ^ 1]; }\n\
                  void run(Rows *rows) { copy<<<1, 64>>>(rows->to, rows->from); }\n";
    let bench = bench(&[
        ("k.cu", source),
        ("strict/k.cu", source),
        ("strict/warplog.toml", "aliasing = \"strict\"\n"),
        ("wrong/k.cu", source),
        ("wrong/warplog.toml", "aliasing = \"loose\"\n"),
    ]);
    let said = |line: &str| bench.run(line).out;
    let named = "`to` and `from` do not overlap at the launch in line 3";
    for line in ["check k.cu", "check strict/k.cu --aliasing assumed"] {
        let out = said(line);
        assert!(out.contains("race_free") && out.contains(named), "{out}");
    }
    for line in ["check k.cu --aliasing strict", "check strict/k.cu"] {
        let out = said(line);
        assert!(out.contains("unknown") && !out.contains(named), "{out}");
        assert!(out.contains("they may be the same allocation"), "{out}");
    }
    let out = said("check wrong/k.cu");
    assert!(out.contains("`aliasing` is one of"), "{out}");
}
