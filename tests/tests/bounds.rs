//! Every command that reads sources bounds the time and the memory of a file, says when a bound is hit, keeps what it has of the others,
//! and ends within two seconds of a signal.

use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use warplog_tests::client::{Client, Framing};
use warplog_tests::command::{Bench, Run};

const PROGRAM: &str = env!("CARGO_BIN_EXE_warplog-under-test");

/// A kernel without a race, one with a race for some sizes, and one in whose file the analysis fails in some way.
fn bench(fault: &str) -> Bench {
    let bench = Bench::new(PROGRAM);
    bench.file(
        "src/a.cu",
        "__global__ void fine(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n",
    );
    bench.file(
        "src/b.cu",
        "__global__ void open(int *a, int n) { a[blockIdx.x * n + threadIdx.x] = threadIdx.x; }\n",
    );
    bench.file(
        "src/m.cu",
        &format!("// fault: {fault}\n__global__ void lost(int *a) {{ a[0] = threadIdx.x; }}\n"),
    );
    bench
}

/// What is said of the file in each way of failing, with the flags that bring it about.
const FAULTS: [(&str, &str, &str); 4] = [
    ("loop", "--file-timeout 1", "out of time: more than 1 s"),
    (
        "memory",
        "--file-memory 300",
        "out of memory: more than 300 MiB",
    ),
    ("stack", "", "crashed: stack overflow"),
    ("abort", "", "crashed: the process ended by signal 6"),
];

/// The run fails for this file, says why and where, and nothing else.
fn tells(run: &Run, message: &str) {
    let all = format!("{}{}", run.out, run.err);
    let expected = format!("src/m.cu: {message} while showing a fault; the file is not checked");
    let concise = format!("src/m.cu: error: {message}");
    assert!(all.contains(&expected) || all.contains(&concise), "{run:?}");
}

#[test]
fn facts_of_the_other_files_are_written() {
    for (fault, flags, message) in FAULTS {
        let bench = bench(fault);
        let run = bench.run(&format!("facts src --out facts {flags}"));
        assert_eq!(run.status, 3, "{run:?}");
        tells(&run, message);
        let kernels = bench.read("facts/kernel.csv");
        assert!(kernels.contains("fine") && kernels.contains("open"));
        assert!(!kernels.contains("lost"));
    }
    // What comes from other processes is what one process makes.
    let bench = bench("nothing");
    assert_eq!(bench.run("facts src --out of_three --derived").status, 0);
    for name in ["a", "b", "m"] {
        let words = format!("facts src/{name}.cu --out of_{name} --derived");
        assert_eq!(bench.run(&words).status, 0);
    }
    for table in ["kernel.csv", "access.csv", "candidate_race.csv"] {
        let count = |folder: &str| bench.read(&format!("{folder}/{table}")).lines().count() - 1;
        assert!(count("of_three") > 0, "{table}");
        assert_eq!(
            count("of_three"),
            count("of_a") + count("of_b") + count("of_m"),
            "{table}"
        );
    }
}

#[test]
fn questions_are_answered_of_the_other_files() {
    for (fault, flags, message) in FAULTS {
        let bench = bench(fault);
        let sql = "SELECT name FROM kernel ORDER BY name";
        let mut words = vec!["query", "--scan", "src", sql];
        words.extend(flags.split_whitespace());
        let output = bench.command().args(words).output().expect("runs");
        let out = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(3));
        assert!(out.contains("fine") && out.contains("open"), "{out}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(message));

        let run = bench.run(&format!("explain fine src {flags}"));
        assert_eq!(run.status, 3, "{run:?}");
        assert!(run.out.contains("fine"), "{run:?}");
        tells(&run, message);

        let run = bench.run(&format!("triage src --list {flags}"));
        tells(&run, message);
        assert!(run.out.contains("  1  "), "{run:?}");

        let run = bench.run(&format!("costs src --format concise {flags}"));
        assert_eq!(run.status, 3, "{run:?}");
        tells(&run, message);

        let run = bench.run(&format!("gate src {flags}"));
        assert_eq!(run.status, 1, "{run:?}");
        assert!(run.out.contains(message), "{run:?}");
    }
}

#[test]
fn a_comparison_is_bounded_in_its_files_and_by_itself() {
    let copy = |name: &str| {
        format!(
            "__global__ void {name}(int *a, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = i; }}\n"
        )
    };
    for (fault, flags, message) in FAULTS {
        let bench = bench(fault);
        let run = bench.run(&format!("equal src/a.cu:fine src/m.cu:lost {flags}"));
        assert_eq!(run.status, 3, "{run:?}");
        tells(&run, message);
        // The names say what goes wrong once the two are compared.
        let name = format!("fault_{fault}");
        bench.file("l.cu", &copy(&name));
        bench.file("r.cu", &copy("other"));
        let run = bench.run(&format!("equal l.cu:{name} r.cu:other {flags}"));
        assert_eq!(run.status, 3, "{run:?}");
        let expected = format!("{message} while comparing; the two are not compared");
        assert!(run.err.contains(&expected), "{run:?}");
    }
    let bench = bench("nothing");
    bench.file("l.cu", &copy("one"));
    bench.file("r.cu", &copy("other"));
    let run = bench.run("equal l.cu:one r.cu:other --format json");
    let answer: Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!((&answer["verdict"], run.status), (&"equal".into(), 0));
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args(["-s", name, &child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(status.success());
}

#[test]
fn every_command_ends_soon_after_a_signal() {
    let bench = bench("loop");
    bench.file(
        "l.cu",
        "__global__ void fault_loop(int *a) { a[threadIdx.x] = 1; }\n",
    );
    let equal = "equal l.cu:fault_loop l.cu:fault_loop --block-dim 64 --grid-dim 1";
    for words in [
        "check src",
        "costs src",
        "facts src --out facts",
        "facts src --sqlite facts.db",
        "query --scan src SELECT/**/1",
        "query src/none WITH/**/RECURSIVE/**/c(x)/**/AS/**/(VALUES(1)/**/UNION/**/ALL/**/SELECT/**/x+1/**/FROM/**/c)/**/SELECT/**/count(*)/**/FROM/**/c",
        "explain fine src",
        "triage src",
        "gate src",
        "equal src/m.cu:lost src/a.cu:fine",
        equal,
        "lsp",
        "mcp",
    ] {
        let words = match words.contains("src/none") {
            true => {
                assert_eq!(bench.run("facts src/a.cu --sqlite a.db").status, 0);
                words.replace("src/none", "a.db")
            }
            false => words.to_owned(),
        };
        let mut child = bench
            .command()
            .args(words.split(' '))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("runs");
        sleep(Duration::from_secs(2));
        assert!(
            child.try_wait().expect("a child").is_none(),
            "{words}: it is over"
        );
        let start = Instant::now();
        signal(&child, "TERM");
        child.wait().expect("ends");
        // Two seconds, on a machine that does other things as well.
        assert!(
            start.elapsed() < Duration::from_secs(6),
            "{words}: {:?}",
            start.elapsed()
        );
    }
    // What was done by then is there.
    assert!(bench.read("facts/kernel.csv").contains("fine"));
}

#[test]
fn an_editor_is_told_of_a_bound_and_the_server_stays() {
    let bench = Bench::new(PROGRAM);
    let mut client = Client::start(
        bench.command().args(["lsp", "--file-timeout", "1"]),
        Framing::Lengths,
    );
    client.ask(
        "initialize",
        &json!({ "capabilities": {}, "processId": null }),
    );
    client.notify("initialized", &json!({}));
    let kernel = "__global__ void k(int *a) { a[0] = threadIdx.x; }\n";
    for (name, text, says) in [
        (
            "slow.cu",
            format!("// fault: loop\n{kernel}"),
            "out of time: more than 1 s",
        ),
        ("k.cu", kernel.to_owned(), "race"),
    ] {
        let uri = format!("file://{}/{name}", bench.path().display());
        let item = json!({ "uri": uri, "languageId": "cuda", "version": 1, "text": text });
        client.notify("textDocument/didOpen", &json!({ "textDocument": item }));
        client.wait(says, |message| {
            message["params"]["uri"] == uri.as_str()
                && message["params"]["diagnostics"].to_string().contains(says)
        });
    }
    client.ask("shutdown", &Value::Null);
    client.notify("exit", &Value::Null);
    assert_eq!(client.end().code(), Some(0));
}

/// The questions of `triage` are waited for by whoever is asked, and a signal comes through all the same.
#[test]
fn a_signal_ends_a_question() {
    let bench = bench("nothing");
    let mut child = bench
        .command()
        .args(["triage", "src/b.cu"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("runs");
    let mut out = child.stdout.take().expect("its output");
    std::io::Read::read_exact(&mut out, &mut [0; 8]).expect("a question");
    let start = Instant::now();
    signal(&child, "TERM");
    child.wait().expect("ends");
    assert!(start.elapsed() < Duration::from_secs(6));
}
