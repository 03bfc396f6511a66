//! Every flag of every command: what it changes, and the exit status. A flag of a help text that no row has is an error.

use std::collections::BTreeSet;
use std::fs;

use warplog_tests::command::{Bench, Run};

/// A command line, its status, and what its output says; a word that begins with `!` must not stand there.
type Row = (&'static str, i32, &'static [&'static str]);

const FILES: &[(&str, &str)] = &[
    (
        "halves.cu",
        "__global__ void halves(int *a) { a[threadIdx.x / 2] = threadIdx.x; }\n",
    ),
    (
        "wide.cu",
        "__global__ void wide(int *a) { a[threadIdx.x % 32] = threadIdx.x; }\n",
    ),
    (
        "blocks.cu",
        "__global__ void blocks(int *a) { a[threadIdx.x] = blockIdx.x; }\n",
    ),
    (
        "lanes.cu",
        "__global__ void lanes(int *a) { __shared__ int s[32]; int t = threadIdx.x; s[t] = t; a[t] = s[31 - t]; }\n",
    ),
    (
        "said.cu",
        "__global__ void said(int *a, int n) { __requires(n == 64); a[threadIdx.x % n] = threadIdx.x; }\n",
    ),
    (
        "called.cu",
        "__device__ int twice(int x) { __requires(x >= 0); __ensures(__return_val_int >= x); return x; }\n\
         __global__ void calls(int *a) { a[twice(threadIdx.x)] = threadIdx.x; }\n",
    ),
    (
        "same.cu",
        "__global__ void same(int *a, int *b) { *a = 1; b[threadIdx.x / 2] = threadIdx.x / 2; }\n",
    ),
    (
        "two.cu",
        "__global__ void first(int *a) { a[0] = threadIdx.x; }\n__global__ void second(int *a) { a[threadIdx.x] = 1; }\n",
    ),
    (
        "asked.cu",
        "__global__ void asked(int *a) { a[threadIdx.x % WIDTH] = threadIdx.x; }\n",
    ),
    (
        "open.cu",
        "__device__ void f(int *);\n__global__ void open(int *a) { f(a); }\n",
    ),
    (
        "asserts.cu",
        "__global__ void asserts(int *a, int n) { assert(n != 7); a[threadIdx.x] = n; }\n",
    ),
    (
        "young.cu",
        "#if __CUDA_ARCH__ >= 900\n#define EACH 2\n#else\n#define EACH 1\n#endif\n\
         __global__ void young(int *a) { a[threadIdx.x / EACH] = threadIdx.x; }\n",
    ),
    ("settings.toml", "assume = [\"blockDim.x <= 32\"]\n"),
];

/// Of all commands that read sources.
const SOURCE: &[(&str, &[&str], Source)] = &[
    (
        "young.cu --block-dim 32 --grid-dim 1 --arch sm_90",
        &["--arch"],
        Source::Racy,
    ),
    (
        "young.cu --block-dim 32 --grid-dim 1 --arch compute_80",
        &["--arch"],
        Source::RaceFree,
    ),
    (
        "wide.cu --block-dim 32 --grid-dim 1 --file-timeout 60 --file-memory 4000",
        &["--file-timeout", "--file-memory"],
        Source::RaceFree,
    ),
    (
        "wide.cu --block-dim 32 --grid-dim 1",
        &["--block-dim", "--grid-dim"],
        Source::RaceFree,
    ),
    (
        "lanes.cu --block-dim 32 --grid-dim 1 --warp-sync 32",
        &["--warp-sync"],
        Source::RaceFree,
    ),
    (
        "asked.cu --block-dim 32 --grid-dim 1 -p build",
        &[],
        Source::RaceFree,
    ),
    (
        "said.cu --block-dim 64 --grid-dim 1 --no-annotations",
        &["--no-annotations"],
        Source::Racy,
    ),
    (
        "wide.cu --grid-dim 1 --assume blockDim.x<=32",
        &["--assume"],
        Source::RaceFree,
    ),
    (
        "wide.cu --block-dim 32 --grid-dim 1 --aliasing strict",
        &["--aliasing"],
        Source::RaceFree,
    ),
    (
        "called.cu --grid-dim 1 --modular",
        &["--modular"],
        Source::Racy,
    ),
    // A file that is given alone has nothing to be linked with; tests/programs.rs has programs.
    (
        "wide.cu --grid-dim 1 --link never",
        &["--link"],
        Source::Racy,
    ),
    (
        "wide.cu --grid-dim 1 --config settings.toml",
        &["--config"],
        Source::RaceFree,
    ),
    (
        "configured/wide.cu --grid-dim 1 --no-config",
        &["--no-config"],
        Source::Racy,
    ),
    (
        "wide.cu --block-dim 32 --grid-dim 1 -j 1",
        &["--jobs"],
        Source::RaceFree,
    ),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    RaceFree,
    Racy,
}

fn bench() -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    for (name, text) in FILES {
        bench.file(name, text);
    }
    bench.file("configured/wide.cu", FILES[1].1);
    let (_, settings) = FILES[FILES.len() - 1];
    bench.file("configured/warplog.toml", settings);
    let root = bench.path().display();
    bench.file(
        "build/compile_commands.json",
        &format!(
            "[{{\"directory\": \"{root}\", \"file\": \"asked.cu\", \"command\": \"nvcc -DWIDTH=32 -c asked.cu\"}}]"
        ),
    );
    bench
}

fn assert_row(bench: &Bench, (line, status, words): Row) {
    let run = bench.run(line);
    let Run { out, err, .. } = &run;
    let all = format!("{out}{err}");
    assert_eq!(run.status, status, "{line}\n{all}");
    for word in words {
        match word.strip_prefix('!') {
            Some(absent) => assert!(!all.contains(absent), "{line}: {absent}\n{all}"),
            None => assert!(all.contains(word), "{line}: {word}\n{all}"),
        }
    }
}

/// The long flags of a command, by its help text.
fn flags_of(bench: &Bench, command: &str) -> BTreeSet<String> {
    let help = bench.run(&format!("{command} --help")).out;
    let mut flags = BTreeSet::new();
    for line in help.lines() {
        let line = line.trim_start();
        let long = match line.split_once(", --") {
            Some((short, long)) if short.len() == 2 && short.starts_with('-') => long,
            _ => match line.strip_prefix("--") {
                Some(long) => long,
                None => continue,
            },
        };
        let name: String = long
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '-')
            .collect();
        // A sentence may begin with a flag.
        let rest = &long[name.len()..];
        if rest.is_empty() || rest.starts_with(" <") || rest.starts_with("  ") {
            flags.insert(format!("--{name}"));
        }
    }
    assert!(flags.remove("--help"), "{help}");
    flags
}

/// Runs rows, and asserts that they have all flags of their command.
fn assert_rows(bench: &Bench, command: &str, rows: &[Row], others: &[&str]) {
    let mut left = flags_of(bench, command);
    for &(line, status, words) in rows {
        assert_row(bench, (line, status, words));
        for word in line.split_whitespace() {
            left.remove(match word {
                "-j" => "--jobs",
                "-o" => "--output",
                word => word,
            });
        }
    }
    for flag in others {
        left.remove(*flag);
    }
    assert!(left.is_empty(), "no row of `{command}` has {left:?}");
}

/// What reads sources takes the same flags everywhere, and they mean the same.
fn assert_source_flags(
    bench: &Bench,
    line_of: &dyn Fn(&str) -> String,
    shows: &dyn Fn(&Run) -> Source,
) -> Vec<&'static str> {
    let mut flags = vec!["--stdin-name"];
    for (arguments, of, expected) in SOURCE {
        let line = line_of(arguments);
        let run = bench.run(&line);
        assert!(shows(&run) == *expected, "{line}\n{}", run.shown());
        flags.extend(*of);
    }
    flags
}

#[test]
fn flags_of_check() {
    let bench = bench();
    bench.file(
        "unordered.cu",
        "//--blockDim=64 --gridDim=4\n__global__ void turn(int *out) {\n    __shared__ int s[64];\n    s[threadIdx.x] = 1 + threadIdx.x;\n    out[64 * blockIdx.x + threadIdx.x] = s[63 - threadIdx.x];\n}\n",
    );
    let shared = assert_source_flags(
        &bench,
        &|arguments| format!("check {arguments} --fail-on potential"),
        &|run| match run.status {
            0 => Source::RaceFree,
            _ => Source::Racy,
        },
    );
    let rows: &[Row] = &[
        (
            "check - --stdin-name shown.cu",
            3,
            &["no kernels in `shown.cu`"],
        ),
        (
            "check wide.cu --grid-dim 1",
            0,
            &["conditional data race", "race-free if `blockDim.x <= 32`"],
        ),
        (
            "check wide.cu --grid-dim 1 --fail-on conditional",
            1,
            &["conditional data race"],
        ),
        (
            "check wide.cu --grid-dim 1 --paranoid",
            1,
            &["confirmed data race"],
        ),
        (
            "check halves.cu --grid-dim 1 --costs --compute-capability 8.0 --format json",
            1,
            &["\"costs\""],
        ),
        ("check asserts.cu --grid-dim 1", 0, &["race_free"]),
        (
            "check wide.cu --grid-dim 1 --diff",
            2,
            &["a value is required for '--diff <REV>'"],
        ),
        ("check - --watch", 2, &["standard input cannot be watched"]),
        (
            "check halves.cu --rows csv=rows-of-check",
            1,
            &["confirmed data race"],
        ),
        (
            "check halves.cu --rows lines=rows-of-check",
            2,
            &["invalid value 'lines=rows-of-check' for '--rows <FORMAT=DIR>'"],
        ),
        ("check halves.cu --shard 1/1", 1, &["confirmed data race"]),
        (
            "check halves.cu --shard 3/2",
            2,
            &["invalid value '3/2' for '--shard <I/N>'"],
        ),
        (
            "check asserts.cu --grid-dim 1 --check-assertions",
            1,
            &["confirmed assertion failure"],
        ),
        (
            "check halves.cu --arch gfx90a",
            2,
            &["not an architecture such as sm_90"],
        ),
        (
            "check halves.cu --grid-dim 1 --no-preconditions",
            1,
            &["confirmed data race", "!race-free if"],
        ),
        (
            "check two.cu --kernel second --grid-dim 1",
            0,
            &["second", "!first"],
        ),
        ("check blocks.cu", 1, &["different blocks"]),
        (
            "check blocks.cu --only-intra-block",
            0,
            &["blocks do not interfere"],
        ),
        (
            "check halves.cu --only-inter-block --grid-dim 1",
            0,
            &["race_free"],
        ),
        (
            "check same.cu --grid-dim 1",
            0,
            &[
                "race_free",
                "note: same.cu:1: benign: threads of a block write 1 to `a[0]`, which leaves the same bytes",
                "benign: threads of a block write 0 to `b[0]`",
            ],
        ),
        (
            "check same.cu --grid-dim 1 --format json",
            0,
            &["\"notes\"", "benign: threads of a block write 1 to `a[0]`"],
        ),
        (
            "check same.cu --grid-dim 1 --report-benign",
            1,
            &[
                "confirmed data race in `same`: two writes of `a`",
                "confirmed data race in `same`: two writes of `b`",
                "both write the same value, which is no race by itself",
                "!benign: threads",
            ],
        ),
        (
            "check halves.cu --report-benign",
            1,
            &["confirmed data race", "!both write the same value"],
        ),
        ("check halves.cu --effort 2", 1, &["confirmed data race"]),
        (
            "check halves.cu --effort none",
            2,
            &["invalid value 'none' for '--effort <N>'"],
        ),
        (
            "check halves.cu --file-timeout 0 --file-memory 0",
            1,
            &["confirmed data race"],
        ),
        (
            "check halves.cu --file-memory much",
            2,
            &["invalid value 'much' for '--file-memory <MIB>'"],
        ),
        (
            "check halves.cu --timeout 5000",
            1,
            &["confirmed data race"],
        ),
        (
            "check halves.cu --timeout soon",
            2,
            &["invalid value 'soon' for '--timeout <MS>'"],
        ),
        (
            "check halves.cu --format concise",
            1,
            &["halves.cu:1:34: error[data-race]"],
        ),
        (
            "check halves.cu -o csv=found.csv --grid-dim 1",
            1,
            &["1 racy"],
        ),
        ("check open.cu", 0, &["1 unknown"]),
        ("check open.cu --fail-on unknown", 1, &["1 unknown"]),
        (
            "check halves.cu --write-baseline known.json",
            0,
            &["known.json"],
        ),
        ("check halves.cu --baseline known.json", 0, &["known"]),
        (
            "check halves.cu two.cu --baseline known.json",
            1,
            &["`first`"],
        ),
        (
            "check halves.cu --timings --format json",
            1,
            &["\"microseconds\""],
        ),
        (
            "check halves.cu --coverage",
            1,
            &["launched kernels bound  0 of 0"],
        ),
        ("check halves.cu --no-cache", 1, &["1 racy"]),
        (
            "check unordered.cu --no-mends",
            1,
            &["help (not proved)", "!was checked"],
        ),
        ("check unordered.cu --fix", 0, &["race_free"]),
        (
            "check halves.cu --verbose",
            1,
            &[
                "racy  halves.cu:1 halves",
                "note: confirmed: nothing was abstracted",
            ],
        ),
        (
            "check halves.cu --quiet",
            1,
            &["error[data-race]", "!1 racy"],
        ),
        ("check same.cu --grid-dim 1 -q", 0, &["!race_free"]),
        ("check halves.cu --color never", 1, &["1 racy"]),
        (
            "check open.cu --show unknown",
            0,
            &["unknown  open.cu:", "    undecided: "],
        ),
        (
            "check open.cu --show everything",
            2,
            &["invalid value 'everything' for '--show <KIND>'"],
        ),
    ];
    assert_rows(&bench, "check", rows, &shared);
    assert!(bench.read("found.csv").contains("halves"));
    // Where nobody asked for colour, there is none: the bench sees to it.
    let mut command = bench.command();
    command.args(["check", "halves.cu", "--color", "always"]);
    let coloured = command.output().expect("runs").stdout;
    assert!(coloured.windows(2).any(|bytes| bytes == b"\x1b["));
}

#[test]
fn flags_of_facts() {
    let bench = bench();
    // What is written is decided as the sources are.
    let shared = assert_source_flags(
        &bench,
        &|arguments| format!("facts --out written {arguments}"),
        &|run| {
            assert_eq!(run.status, 0, "{}", run.shown());
            let status = bench.run("solve written --fail-on potential").status;
            fs::remove_dir_all(bench.path().join("written")).expect("was written");
            match status {
                0 => Source::RaceFree,
                _ => Source::Racy,
            }
        },
    );
    let rows: &[Row] = &[
        ("facts halves.cu --out plain", 0, &[]),
        (
            "facts asserts.cu --grid-dim 1 --check-assertions --out asserts",
            0,
            &[],
        ),
        ("solve asserts", 1, &["confirmed assertion failure"]),
        ("facts halves.cu --out more --derived", 0, &[]),
        ("facts halves.cu --sqlite facts.sqlite", 0, &[]),
    ];
    assert_rows(&bench, "facts", rows, &shared);
    typed(
        &bench,
        &["facts", "-", "--stdin-name", "shown.cu", "--out", "typed"],
    );
    assert!(bench.read("typed/file.csv").contains("shown.cu"));
    assert!(!bench.path().join("plain/candidate_race.csv").exists());
    assert!(bench.read("more/candidate_race.csv").lines().count() > 1);
    let database = fs::read(bench.path().join("facts.sqlite")).expect("a database");
    assert!(database.starts_with(b"SQLite format 3"));
}

#[test]
fn flags_of_solve() {
    let bench = bench();
    for (folder, arguments) in [
        ("halves", "halves.cu"),
        ("wide", "wide.cu --grid-dim 1"),
        ("blocks", "blocks.cu"),
        ("two", "two.cu --grid-dim 1"),
        ("open", "open.cu"),
        ("same", "same.cu --grid-dim 1"),
    ] {
        assert_row(
            &bench,
            (
                &format!("facts {arguments} --out {folder}").leak()[..],
                0,
                &[],
            ),
        );
    }
    let rows: &[Row] = &[
        ("solve wide", 0, &["race-free if `blockDim.x <= 32`"]),
        (
            "solve halves --file-timeout 60 --file-memory 4000",
            1,
            &["confirmed data race"],
        ),
        (
            "solve halves --costs --compute-capability 8.0 --format json",
            1,
            &["\"costs\""],
        ),
        ("solve wide --paranoid", 1, &["confirmed data race"]),
        ("solve halves --no-preconditions", 1, &["!race-free if"]),
        ("solve two --kernel second", 0, &["second", "!first"]),
        ("solve blocks --only-intra-block", 0, &["race_free"]),
        ("solve halves --rows csv=rows-of-solve", 1, &["1 racy"]),
        ("solve same", 0, &["benign: threads of a block"]),
        ("solve same --report-benign", 1, &["confirmed data race"]),
        ("solve blocks --only-inter-block", 1, &["different blocks"]),
        ("solve halves --effort 2", 1, &["confirmed data race"]),
        ("solve halves --timeout 5000", 1, &["confirmed data race"]),
        ("solve halves --format json", 1, &["\"schema\""]),
        ("solve halves -o csv=found.csv", 1, &["1 racy"]),
        ("solve open --fail-on unknown", 1, &["1 unknown"]),
        (
            "solve halves --write-baseline known.json",
            0,
            &["known.json"],
        ),
        ("solve halves --baseline known.json", 0, &["known"]),
        (
            "solve halves --timings --format json",
            1,
            &["\"microseconds\""],
        ),
        ("solve halves -j 1", 1, &["1 racy"]),
        (
            "solve halves --verbose",
            1,
            &["note: confirmed: nothing was abstracted"],
        ),
        ("solve halves --quiet", 1, &["!1 racy"]),
        ("solve halves --color never", 1, &["1 racy"]),
        ("solve open --show unknown", 0, &["    undecided: "]),
    ];
    assert_rows(&bench, "solve", rows, &[]);
    assert!(bench.read("found.csv").contains("halves"));
}

/// What the program says when a source comes from standard input.
fn typed(bench: &Bench, words: &[&str]) -> String {
    let source = fs::File::open(bench.path().join("halves.cu")).expect("a file");
    let output = bench
        .command()
        .args(words)
        .stdin(source)
        .output()
        .expect("runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text + &String::from_utf8(output.stderr).expect("UTF-8")
}

const VERDICT: &str = "SELECT verdict FROM verdict";

#[test]
fn flags_of_query() {
    let bench = bench();
    let ask = |arguments: &str| {
        let mut words: Vec<&str> = vec!["query", "--scan"];
        words.extend(arguments.split_whitespace());
        words.push(VERDICT);
        bench.words(&words)
    };
    let mut flags = vec!["--stdin-name", "--format", "--scan"];
    for (arguments, of, expected) in SOURCE {
        let run = ask(arguments);
        assert_eq!(run.status, 0, "{arguments}\n{}", run.shown());
        let racy = run.out.contains("racy");
        assert!(
            racy == (*expected == Source::Racy),
            "{arguments}\n{}",
            run.shown()
        );
        flags.extend(*of);
    }
    for (arguments, flag, shown) in [
        (
            "two.cu --kernel second --grid-dim 1",
            "--kernel",
            "race_free",
        ),
        (
            "blocks.cu --only-intra-block",
            "--only-intra-block",
            "race_free",
        ),
        (
            "halves.cu --only-inter-block --grid-dim 1",
            "--only-inter-block",
            "race_free",
        ),
        ("halves.cu --effort 2", "--effort", "racy"),
        (
            "same.cu --grid-dim 1 --report-benign",
            "--report-benign",
            "racy",
        ),
        ("halves.cu --timeout 5000", "--timeout", "racy"),
        ("halves.cu --no-preconditions", "--no-preconditions", "racy"),
        (
            "asserts.cu --grid-dim 1 --check-assertions",
            "--check-assertions",
            "assertion_failed",
        ),
        ("wide.cu --grid-dim 1 --paranoid", "--paranoid", "racy"),
        ("halves.cu --format csv", "--format", "verdict\nracy\n"),
    ] {
        let run = ask(arguments);
        assert_eq!(run.status, 0, "{arguments}\n{}", run.shown());
        assert!(run.out.contains(shown), "{arguments}\n{}", run.shown());
        flags.push(flag);
    }
    let text = typed(
        &bench,
        &[
            "query",
            "--scan",
            "-",
            "--stdin-name",
            "shown.cu",
            "SELECT path FROM file",
        ],
    );
    assert!(text.contains("shown.cu"), "{text}");
    let rows: &[Row] = &[
        ("query --list", 0, &["access", "candidate_race"]),
        ("query --describe access", 0, &["point", "kind"]),
    ];
    assert_rows(&bench, "query", rows, &flags);
}

#[test]
fn flags_of_explain() {
    let bench = bench();
    let mut flags = vec!["--stdin-name"];
    for (arguments, of, expected) in SOURCE {
        let (file, rest) = arguments.split_once(' ').unwrap_or((arguments, ""));
        let text = bench.read(file);
        let line = 1 + text
            .lines()
            .position(|line| line.contains("__global__"))
            .unwrap_or(0);
        let run = bench.run(&format!("explain {file}:{line} {file} {rest}"));
        assert_eq!(run.status, 0, "{arguments}\n{}", run.shown());
        let racy =
            run.out.contains("a race: trying small launches") || run.out.contains("-> finding");
        assert!(
            racy == (*expected == Source::Racy),
            "{arguments}\n{}",
            run.shown()
        );
        flags.extend(*of);
    }
    let text = typed(
        &bench,
        &["explain", "shown.cu:1", "-", "--stdin-name", "shown.cu"],
    );
    assert!(text.starts_with("shown.cu:1: __global__"), "{text}");
    let rows: &[Row] = &[
        ("explain 4e98f2adcf0e halves.cu --smt", 0, &["(check-sat)"]),
        (
            "explain two.cu:1 two.cu --kernel second",
            2,
            &["no access and no barrier of a kernel is known"],
        ),
        (
            "explain blocks.cu:1 blocks.cu --only-intra-block",
            0,
            &["!a race"],
        ),
        (
            "explain halves.cu:1 halves.cu --only-inter-block --grid-dim 1",
            0,
            &["!a race"],
        ),
        (
            "explain asserts.cu:1 asserts.cu --grid-dim 1 --check-assertions",
            0,
            &["assert"],
        ),
        (
            "explain wide.cu:1 wide.cu --grid-dim 1 --paranoid",
            0,
            &["a race"],
        ),
        (
            "explain same.cu:1 same.cu --grid-dim 1",
            0,
            &["!a race, as the solver finds"],
        ),
        (
            "explain same.cu:1 same.cu --grid-dim 1 --report-benign",
            0,
            &["a race: trying small launches"],
        ),
        (
            "explain halves.cu:1 halves.cu --effort 2",
            0,
            &["a race: trying small launches"],
        ),
        (
            "explain halves.cu:1 halves.cu --timeout 5000",
            0,
            &["a race: trying small launches"],
        ),
        (
            "explain halves.cu:1 halves.cu --no-preconditions",
            0,
            &["a race: trying small launches"],
        ),
    ];
    assert_rows(&bench, "explain", rows, &flags);
}

#[test]
fn flags_of_equal() {
    let bench = bench();
    let line_of = |arguments: &str| {
        let (file, rest) = arguments.split_once(' ').unwrap_or((arguments, ""));
        let text = bench.read(file);
        let kernel = text.split("__global__ void ").nth(1).unwrap_or_default();
        let kernel = kernel.split('(').next().unwrap_or_default();
        format!("equal {file}:{kernel} {file}:{kernel} {rest}")
    };
    let shows = |run: &Run| match run.out.contains("has a race") {
        true => Source::Racy,
        false => Source::RaceFree,
    };
    let mut flags = assert_source_flags(&bench, &line_of, &shows);
    flags.extend(["-D", "-U", "-I"]);
    bench.file(
        "pairs.cu",
        "__global__ void one(int *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = 2 * n; }\n\
         __global__ void two(int *b, int n) { if (n > threadIdx.x) b[threadIdx.x] = n + n; }\n\
         __global__ void three(int *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = n + 1; }\n\
         __global__ void four(int *a, int n, int m) { if (threadIdx.x < n) a[threadIdx.x] = m; }\n\
         __global__ void five(float *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = n; }\n\
         __global__ void left(float *a) { a[threadIdx.x] = a[threadIdx.x] + 1.0f + 2.0f; }\n\
         __global__ void right(float *a) { a[threadIdx.x] = a[threadIdx.x] + 3.0f; }\n\
         __global__ void wide(double *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = n; }\n",
    );
    let rows: &[Row] = &[
        (
            "equal pairs.cu:one pairs.cu:two --grid-dim 1",
            0,
            &["equal ", "a is taken to be b", "blocks of every size"],
        ),
        (
            "equal pairs.cu:one pairs.cu:two --grid-dim 1 --map a=b --format json",
            0,
            &["\"verdict\": \"equal\"", "\"schema\": \"warplog-equal/1\""],
        ),
        (
            "equal pairs.cu:one pairs.cu:three --grid-dim 1 --format text",
            1,
            &["different ", "written last by thread", "pairs.cu:3"],
        ),
        (
            "equal pairs.cu:one pairs.cu:two --grid-dim 1 --facts why",
            0,
            &["equal "],
        ),
        (
            "equal pairs.cu:one pairs.cu:three --grid-dim 1 --format html",
            1,
            &["<!doctype html>", "<mark>"],
        ),
        (
            "equal pairs.cu:left pairs.cu:right --grid-dim 1 --float exact",
            1,
            &["different "],
        ),
        (
            "equal pairs.cu:left pairs.cu:right --grid-dim 1 --float reassociated",
            0,
            &["equal up to rounding"],
        ),
        (
            "equal pairs.cu:one pairs.cu:four --grid-dim 1",
            4,
            &["m is a value of one side only"],
        ),
        (
            "equal pairs.cu:five pairs.cu:wide --grid-dim 1",
            2,
            &["not of one type"],
        ),
        (
            "equal pairs.cu:one pairs.cu:none",
            2,
            &["no kernel", "none"],
        ),
        (
            "equal pairs.cu:one pairs.cu:two --map x=b --grid-dim 1",
            2,
            &["the left side has no parameter x"],
        ),
        ("equal pairs.cu:one pairs.cu", 2, &["expected FILE:KERNEL"]),
        (
            "equal halves.cu:halves halves.cu:halves --grid-dim 1 --assume-race-free",
            4,
            &["has a race"],
        ),
        (
            "equal pairs.cu:one pairs.cu:two --grid-dim 1 --check-assertions",
            0,
            &["equal "],
        ),
        (
            "equal pairs.cu:one pairs.cu:two --stdin-name shown.cu",
            2,
            &["no path is `-`"],
        ),
    ];
    assert_rows(&bench, "equal", rows, &flags);
    let matched = bench.read("why/matched.csv");
    assert_eq!(matched.lines().next(), Some("write,by"));
}

#[test]
fn flags_of_ensures() {
    let bench = bench();
    let line_of = |arguments: &str| {
        let (file, rest) = arguments.split_once(' ').unwrap_or((arguments, ""));
        let text = bench.read(file);
        let kernel = text.split("__global__ void ").nth(1).unwrap_or_default();
        let kernel = kernel.split('(').next().unwrap_or_default();
        format!("ensures {file}:{kernel} --that 0==0 {rest}")
    };
    let shows = |run: &Run| match run.out.contains("has a race") {
        true => Source::Racy,
        false => Source::RaceFree,
    };
    let mut flags = assert_source_flags(&bench, &line_of, &shows);
    flags.extend(["-D", "-U", "-I"]);
    bench.file(
        "sums.cu",
        "__global__ void three(float *a) { a[threadIdx.x] = a[threadIdx.x] + 1.0f + 2.0f; }\n",
    );
    let rows: &[Row] = &[
        (
            "ensures sums.cu:three --grid-dim 1 --block-dim 64 --that a[0]==old(a[0])+3.0f --float exact",
            1,
            &["fails ", "was written last by thread"],
        ),
        (
            "ensures sums.cu:three --grid-dim 1 --block-dim 64 --that a[0]==old(a[0])+3.0f --float reassociated --format text",
            0,
            &["holds ", "up to rounding"],
        ),
        (
            "ensures sums.cu:three --grid-dim 1 --that a[0]==old(a[0])+3.0f --float reassociated --format json",
            0,
            &[
                "\"schema\": \"warplog-ensures/1\"",
                "\"verdict\": \"holds\"",
            ],
        ),
        (
            "ensures sums.cu:three --grid-dim 1 --that a[0]==0 --assume-race-free",
            1,
            &["fails "],
        ),
        ("ensures sums.cu", 2, &["expected FILE:KERNEL"]),
        (
            "ensures sums.cu:three --grid-dim 1 --that 0==0 --jobs 1 --check-assertions",
            0,
            &["holds "],
        ),
    ];
    assert_rows(&bench, "ensures", rows, &flags);
}

#[test]
fn commands_without_flags() {
    let bench = bench();
    assert_rows(
        &bench,
        "rules",
        &[
            ("rules D7", 0, &["same-injective-index"]),
            ("rules D99", 2, &["D99"]),
        ],
        &[],
    );
    let shells: &[Row] = &[
        ("completions bash", 0, &["_warplog"]),
        ("completions none", 2, &["invalid value 'none'"]),
    ];
    assert_rows(&bench, "completions", shells, &[]);
    assert_rows(
        &bench,
        "man",
        &[
            ("man check", 0, &["warplog-check"]),
            ("man none", 2, &["none"]),
        ],
        &[],
    );
}
