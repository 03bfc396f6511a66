//! `check --watch` on files that change, and the hint for who forgets `check`.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use warplog_tests::command::Bench;

const PROGRAM: &str = env!("CARGO_BIN_EXE_warplog-under-test");
const PATIENCE: Duration = Duration::from_secs(120);

fn kernel(name: &str, barrier: &str) -> String {
    format!(
        "//--blockDim=64 --gridDim=1\n#include \"sync.cuh\"\n__global__ void {name}(int *v) {{\n  __shared__ int s[64];\n  int t = threadIdx.x;\n  s[t] = v[t];\n  {barrier}\n  v[t] = s[63 - t];\n}}\n"
    )
}

/// A program that stays, and what it says line by line.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Watching {
    fn start(bench: &Bench, words: &[&str]) -> Self {
        let mut child = bench
            .command()
            .args(["check", "--watch", "--format", "concise"])
            .args(words)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        let (say, lines) = channel();
        let streams: [Box<dyn std::io::Read + Send>; 2] = [
            Box::new(child.stdout.take().expect("its output")),
            Box::new(child.stderr.take().expect("its errors")),
        ];
        for stream in streams {
            let say = say.clone();
            thread::spawn(move || {
                for line in BufReader::new(stream).lines().map_while(Result::ok) {
                    if say.send(line).is_err() {
                        return;
                    }
                }
            });
        }
        Watching { child, lines }
    }

    /// Waits for a line with these words.
    fn wait(&self, words: &str) -> String {
        let mut said = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) if line.contains(words) => return line,
                Ok(line) => said.push(line),
                Err(error) => panic!("`{words}` does not come ({error}): {said:#?}"),
            }
        }
    }
}

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn what_changes_is_checked_again() {
    let bench = Bench::new(PROGRAM);
    bench.file("src/sync.cuh", "#define SYNC __syncthreads();\n");
    bench.file("src/k.cu", &kernel("first", ""));
    let mut watching = Watching::start(&bench, &["src"]);
    watching.wait("data race in `first`");
    // A new file, one that is changed by many writes, and one that others include.
    bench.file("src/new.cu", &kernel("second", ""));
    watching.wait("data race in `second`");
    for _ in 0..5 {
        bench.file("src/k.cu", &kernel("third", "SYNC"));
        bench.file("src/new.cu", &kernel("second", "SYNC"));
    }
    watching.wait("changed: src/");
    bench.file("src/sync.cuh", "#define SYNC\n");
    watching.wait("data race in `third`");
    // What is none of its files is not looked at: nothing follows but the end.
    bench.file("src/notes.txt", "x");
    let status = Command::new("kill")
        .args(["-s", "INT", &watching.child.id().to_string()])
        .status()
        .expect("kill runs");
    assert!(status.success());
    assert_eq!(watching.child.wait().expect("ends").code(), Some(130));
    let rest: Vec<String> = watching.lines.iter().collect();
    assert!(
        !rest.iter().any(|line| line.contains("notes.txt")),
        "{rest:#?}"
    );
}

#[test]
fn a_change_ends_the_check_that_is_made() {
    let bench = Bench::new(PROGRAM);
    // This one never ends by itself.
    bench.file("k.cu", &format!("// fault: loop\n{}", kernel("slow", "")));
    bench.file("sync.cuh", "");
    let watching = Watching::start(&bench, &["k.cu", "--file-timeout", "0"]);
    thread::sleep(Duration::from_millis(1500));
    bench.file("k.cu", &kernel("quick", ""));
    watching.wait("data race in `quick`");
}

#[test]
fn what_cannot_be_watched_is_told() {
    let bench = Bench::new(PROGRAM);
    let run = bench.run("check --watch -");
    assert_eq!(
        (run.status, run.err.as_str()),
        (2, "error: --watch: standard input cannot be watched\n")
    );
    let run = bench.run("check --watch no/such.cu");
    assert_eq!(run.status, 3, "{}", run.err);
}

#[test]
fn who_forgets_the_command_is_told() {
    let bench = Bench::new(PROGRAM);
    bench.file("folder/k.cu", "");
    for name in ["folder", "folder/k.cu", "gone.cu"] {
        let run = bench.words(&[name]);
        let says = format!("error: `{name}` is no command; `warplog check {name}` checks it\n");
        assert_eq!((run.status, run.err), (2, says));
    }
    let run = bench.run("chekc");
    assert!(run.err.contains("check"), "{}", run.err);
}
