//! Input that no compiler takes: a clear message with its place, the other files still analysed, never a panic, and never
//! `race_free` for a kernel of which something was lost.
//!
//! Everything goes through the program as a process. Beside each bad file lies a good one with a race, which has to be found.

use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;
use warplog::engine::Analysis;
use warplog::options::AnalysisOptions;
use warplog::pipeline::{Depth, Examined, Pipeline};
use warplog::unit::{Unit, UnitOptions};
use warplog_solver_bridge::{DivergenceAnswer, RaceAnswer, Session};

/// A kernel whose race is at the third line.
const GOOD: &str = "__global__ void good(int *g)\n{\n    g[0] = threadIdx.x;\n}\n";

/// The same under another name.
fn racy(name: &str) -> String {
    GOOD.replace("good", name)
}

/// What a run gave.
struct Outcome {
    status: i32,
    report: Value,
    stderr: String,
}

impl Outcome {
    /// The verdicts on kernels of this name.
    fn verdicts(&self, name: &str) -> Vec<&str> {
        let kernels = self.report["kernels"].as_array().expect("kernels");
        kernels
            .iter()
            .filter(|kernel| kernel["name"] == name)
            .map(|kernel| kernel["verdict"].as_str().expect("a verdict"))
            .collect()
    }

    /// The lines of the findings in kernels of this name, each once.
    fn lines(&self, name: &str) -> Vec<u64> {
        let kernels = self.report["kernels"].as_array().expect("kernels");
        let mut lines: Vec<u64> = kernels
            .iter()
            .filter(|kernel| kernel["name"] == name)
            .flat_map(|kernel| kernel["findings"].as_array().expect("findings"))
            .flat_map(|finding| finding["locations"].as_array().expect("locations"))
            .map(|location| location["line"].as_u64().expect("a line"))
            .collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Errors and what was not understood, as `file:line: text`.
    fn complaints(&self) -> Vec<String> {
        let of = |key: &str, text: &str| -> Vec<String> {
            let entries = self.report[key].as_array().expect("an array");
            entries
                .iter()
                .map(|entry| {
                    let text = entry[text].as_str().expect("a text");
                    let file = entry["file"].as_str().expect("a file");
                    format!("{file}:{}: {text}", entry["line"])
                })
                .collect()
        };
        let mut all = of("errors", "message");
        all.extend(of("unsupported", "what"));
        all
    }

    #[track_caller]
    fn complains(&self, wanted: &str) {
        let complaints = self.complaints();
        assert!(
            complaints
                .iter()
                .any(|complaint| complaint.contains(wanted)),
            "no `{wanted}` in {complaints:#?}"
        );
    }
}

/// Runs `check` on a folder, from inside of it, and reads the JSON.
#[track_caller]
fn check_folder(folder: &Path, arguments: &[&str]) -> Outcome {
    let output = Command::new(env!("CARGO_BIN_EXE_warplog-under-test"))
        .current_dir(folder)
        .args(["check", ".", "--format", "json"])
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .expect("runs");
    let stderr = String::from_utf8(output.stderr).expect("UTF-8");
    let stdout = String::from_utf8(output.stdout).expect("UTF-8");
    for text in [&stderr, &stdout] {
        assert!(!text.contains("panicked"), "{text}");
        assert!(!text.contains("internal error"), "{text}");
    }
    Outcome {
        status: output.status.code().expect("ended by itself"),
        report: serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stderr}")),
        stderr,
    }
}

/// Runs `check` on a folder with the good file and these; the race of the good one is found whatever the others hold.
#[track_caller]
fn check(files: &[(&str, &[u8])]) -> Outcome {
    let folder = folder(files);
    let outcome = check_folder(folder.path(), &[]);
    assert_eq!(outcome.verdicts("good"), ["racy"]);
    assert_eq!(outcome.lines("good"), [3]);
    outcome
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("good.cu"), GOOD).expect("a file");
    for (name, bytes) in files {
        fs::write(folder.path().join(name), bytes).expect("a file");
    }
    folder
}

/// A kernel in a file of its own is `unknown`, with a complaint at a line; the run does not fail for it.
#[track_caller]
fn unknown(text: &str, complaint: &str) {
    let outcome = check(&[("bad.cu", text.as_bytes())]);
    assert_eq!(outcome.verdicts("bad"), ["unknown"]);
    outcome.complains(complaint);
    assert_eq!(outcome.status, 1, "only the race of the good file counts");
}

#[test]
fn an_empty_file() {
    let outcome = check(&[("empty.cu", b"")]);
    assert_eq!(outcome.status, 1);
    assert_eq!(outcome.complaints(), [""; 0]);
}

#[test]
fn a_folder_without_kernels_says_so() {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in [("empty.cu", ""), ("host.cu", "int main() { return 0; }\n")] {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let outcome = check_folder(folder.path(), &[]);
    assert_eq!(outcome.status, 3);
    assert_eq!(
        outcome.stderr,
        "note: no kernels in `.`\nerror: no kernel was checked\n"
    );
}

#[test]
fn a_binary_file() {
    let outcome = check(&[(
        "bad.cu",
        b"__global__ void bad(int *g)\n{\n g[0] = \0 1;\n}\n",
    )]);
    assert_eq!(outcome.status, 3);
    assert_eq!(outcome.verdicts("bad"), [""; 0]);
    assert_eq!(
        outcome.complaints(),
        ["bad.cu:3: a zero byte at offset 38: this is no source text"]
    );
}

#[test]
fn a_file_in_utf_16() {
    let bytes: Vec<u8> = [0xfeff]
        .into_iter()
        .chain(GOOD.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let outcome = check(&[("bad.cu", &bytes)]);
    assert_eq!(outcome.status, 3);
    assert_eq!(
        outcome.complaints(),
        ["bad.cu:1: the file is UTF-16; convert it to UTF-8"]
    );
}

/// In a comment nothing is lost; in code the kernel is not understood.
#[test]
fn bytes_that_are_not_utf_8() {
    let mut comment = b"// caf\xe9 \xff\xfe\n".to_vec();
    comment.extend(racy("comment").bytes());
    let code =
        b"__global__ void code(int *g)\n{\n    int \xe9 = threadIdx.x;\n    g[\xe9] = 1;\n}\n";
    let outcome = check(&[("comment.cu", &comment), ("code.cu", code)]);
    assert_eq!(outcome.verdicts("comment"), ["racy"]);
    assert_eq!(outcome.lines("comment"), [4]);
    assert_eq!(outcome.verdicts("code"), ["unknown"]);
    outcome.complains("code.cu:3: ");
    for file in ["comment.cu:1", "code.cu:3"] {
        let note = format!("note: {file}: bytes that are not UTF-8\n");
        assert!(outcome.stderr.contains(&note), "{}", outcome.stderr);
    }
}

#[test]
fn line_ends_of_windows_and_old_macs() {
    let windows = racy("windows").replace('\n', "\r\n");
    let mac = racy("mac").replace('\n', "\r");
    let spliced = racy("spliced").replace("g[0] =", "g[0\\\r\n] =");
    let outcome = check(&[
        ("windows.cu", windows.as_bytes()),
        ("mac.cu", mac.as_bytes()),
        ("spliced.cu", spliced.as_bytes()),
    ]);
    assert_eq!(outcome.status, 1);
    for name in ["windows", "mac", "spliced"] {
        assert_eq!(outcome.verdicts(name), ["racy"], "{name}");
        assert_eq!(outcome.lines(name), [3], "{name}");
    }
    // Nothing but the names differs.
    let kernels = outcome.report["kernels"].as_array().expect("kernels");
    let same = |kernel: &Value| {
        let text = kernel["findings"][0]["locations"].to_string();
        let file = kernel["file"].as_str().expect("a file");
        text.replace(file, "FILE")
    };
    let of = |name: &str| kernels.iter().find(|kernel| kernel["name"] == name);
    assert_eq!(of("windows").map(same), of("good").map(same));
}

/// The line ends of the header matter as well.
#[test]
fn a_header_with_line_ends_of_windows() {
    let text = format!(
        "//--blockDim=1 --gridDim=1\r\n{}",
        racy("one").replace('\n', "\r\n")
    );
    let outcome = check(&[("one.cu", text.as_bytes())]);
    assert_eq!(outcome.verdicts("one"), ["race_free"]);
}

#[test]
fn braces_that_do_not_balance() {
    let missing = "__global__ void bad(int *g)\n{\n    if (g[1]) {\n    g[threadIdx.x] = 1;\n}\n";
    let outcome = check(&[("bad.cu", missing.as_bytes())]);
    assert_eq!(outcome.verdicts("bad"), ["unknown"]);
    outcome.complains("bad.cu:2: a body without its closing brace");
    // The file may be cut off.
    assert_eq!(outcome.status, 3);
    // The kernels behind it are read all the same.
    let outcome = check(&[("bad.cu", format!("{missing}{}", racy("behind")).as_bytes())]);
    assert_eq!(outcome.verdicts("bad"), ["unknown"]);
    assert_eq!(outcome.verdicts("behind"), ["racy"]);
    assert_eq!(outcome.lines("behind"), [8]);

    let extra =
        "__global__ void bad(int *g)\n{\n    g[threadIdx.x] = 1; }\n    g[0] = threadIdx.x;\n}\n";
    let outcome = check(&[("bad.cu", format!("{extra}{}", racy("behind")).as_bytes())]);
    assert_eq!(outcome.verdicts("bad"), ["unknown"]);
    outcome.complains("bad.cu:5: an unbalanced `}`");
    assert_eq!(outcome.lines("behind"), [8]);

    unknown(
        "__global__ void bad(int *g)\n{\n    g[threadIdx.x = 1;\n}\n",
        "bad.cu:3: expected `]`",
    );
}

#[test]
fn lines_of_a_megabyte() {
    let long = "x".repeat(1 << 20);
    let comment = format!("// {long}\n{}", racy("comment"));
    let string = format!("const char *s = \"{long}\";\n{}", racy("string"));
    let name = format!("int {long};\n{}", racy("name"));
    let outcome = check(&[
        ("comment.cu", comment.as_bytes()),
        ("string.cu", string.as_bytes()),
        ("name.cu", name.as_bytes()),
    ]);
    for name in ["comment", "string", "name"] {
        assert_eq!(outcome.verdicts(name), ["racy"], "{name}");
        assert_eq!(outcome.lines(name), [4], "{name}");
    }
    assert_eq!(outcome.status, 1);
}

#[test]
fn a_sum_of_a_megabyte() {
    let sum = "+1".repeat(1 << 19);
    unknown(
        &format!("__global__ void bad(int *g)\n{{\n    g[threadIdx.x] = 1{sum};\n}}\n"),
        "bad.cu:3: nesting too deep",
    );
}

#[test]
fn a_body_on_one_long_line() {
    let body = "g[threadIdx.x] = 1; ".repeat(2_000);
    let text = format!("__global__ void long_line(int *g) {{ {body}g[0] = threadIdx.x; }}\n");
    let outcome = check(&[("long.cu", text.as_bytes())]);
    assert_eq!(outcome.verdicts("long_line"), ["racy"]);
    assert_eq!(outcome.lines("long_line"), [1]);
}

#[test]
fn ten_thousand_parentheses_and_blocks() {
    let depth = 10_000;
    let nested = |open: &str, inner: &str, close: &str| {
        let (open, close) = (open.repeat(depth), close.repeat(depth));
        format!("__global__ void bad(int *g)\n{{\n    {open}{inner}{close}\n}}\n")
    };
    let too_deep = "bad.cu:3: nesting too deep";
    let index = nested("(", "threadIdx.x", ")").replace("    (", "    g[0] = (") + ";";
    unknown(&index.replace(")\n}", ");\n}"), too_deep);
    unknown(&nested("{", "g[0] = threadIdx.x;", "}"), too_deep);
    unknown(&nested("if (g[0]) ", "g[0] = threadIdx.x;", ""), too_deep);
    unknown(&nested("for (;;) ", "g[0] = threadIdx.x;", ""), too_deep);
    unknown(&nested("g[0] ? 1 : ", "2;", ""), too_deep);
    unknown(&nested("- ", "g[0];", ""), too_deep);
}

#[test]
fn files_that_include_themselves() {
    let to_each_other = format!("#include \"a.h\"\n{}", racy("bad"));
    let outcome = check(&[
        ("bad.cu", to_each_other.as_bytes()),
        ("a.h", b"#include \"b.h\"\n"),
        ("b.h", b"#include \"a.h\"\n"),
        (
            "self.cu",
            format!("#include \"self.cu\"\n{}", racy("again")).as_bytes(),
        ),
    ]);
    assert_eq!(outcome.verdicts("bad"), ["racy"]);
    assert_eq!(outcome.lines("bad"), [4]);
    assert!(
        outcome
            .verdicts("again")
            .iter()
            .all(|verdict| *verdict == "racy")
    );
    for file in ["b.h:1: \"a.h\"", "self.cu:1: \"self.cu\""] {
        let note = format!("{file} is not followed: the files include each other too deeply");
        let other = note.replace("b.h:1: \"a.h\"", "a.h:1: \"b.h\"");
        assert!(
            outcome.stderr.contains(&note) || outcome.stderr.contains(&other),
            "{}",
            outcome.stderr
        );
    }
}

/// What a missing file may have held is not known, so what rests on it is not either.
#[test]
fn a_file_that_is_not_there_to_include() {
    let text = "#include \"gone.h\"\n__global__ void bad(int *g)\n{\n    g[threadIdx.x * LANES] = 1;\n    use(g);\n}\n";
    let outcome = check(&[("bad.cu", text.as_bytes())]);
    assert_ne!(outcome.verdicts("bad"), ["race_free"]);
    for note in [
        "bad.cu:1: header \"gone.h\" not found (-I or -p says where it is)",
        "bad.cu:4: nothing defines LANES; -D LANES=VALUE does",
    ] {
        assert!(outcome.stderr.contains(note), "{}", outcome.stderr);
    }
    outcome.complains("bad.cu:5: call of `use`");
}

#[test]
fn macros_that_name_each_other() {
    let text = "#define A B\n#define B A\n#define F(x) F(x + 1)\n__global__ void bad(int *g)\n{\n    g[A] = F(1);\n}\n";
    unknown(text, "bad.cu:6: call of `F`");
    let object = text.replace("F(1)", "threadIdx.x");
    let outcome = check(&[("bad.cu", object.as_bytes())]);
    assert_ne!(outcome.verdicts("bad"), ["race_free"]);
}

#[test]
fn macros_that_explode() {
    let mut text = "#define X0 1 + 1\n".to_owned();
    for level in 1..40 {
        let _ = writeln!(text, "#define X{level} X{0} + X{0}", level - 1);
    }
    text.push_str("__global__ void bad(int *g)\n{\n    g[threadIdx.x] = X39;\n}\n");
    let outcome = check(&[("bad.cu", text.as_bytes())]);
    assert_eq!(outcome.verdicts("bad"), ["unknown"]);
    assert!(
        outcome
            .stderr
            .contains("error: bad.cu:43: the macros expand to too much text"),
        "{}",
        outcome.stderr
    );
}

#[test]
fn calls_that_multiply() {
    let mut text = "__device__ int f0(int x) { return x; }\n".to_owned();
    for level in 1..36 {
        let below = level - 1;
        let _ = writeln!(
            text,
            "__device__ int f{level}(int x) {{ return f{below}(f{below}(x) + 1); }}"
        );
    }
    text.push_str("__global__ void bad(int *g)\n{\n    g[f35(threadIdx.x) & 7] = 1;\n}\n");
    text.push_str("__global__ void few(int *g)\n{\n    g[f3(threadIdx.x)] = 1;\n}\n");
    let outcome = check(&[("bad.cu", text.as_bytes())]);
    assert_eq!(outcome.verdicts("bad"), ["unknown"]);
    outcome.complains("bad.cu:37: kernel");
    assert_eq!(outcome.verdicts("few"), ["race_free"]);
}

#[test]
fn device_functions_that_call_themselves() {
    let itself = "__device__ int down(int *g, int n)\n{\n    g[n] = 1;\n    return n ? down(g, n - 1) : 0;\n}\n\
                  __global__ void bad(int *g) { down(g, threadIdx.x); }\n";
    unknown(itself, "bad.cu:4: call of `down`");
    let each_other = "__device__ void ping(int *g);\n__device__ void pong(int *g) { ping(g); }\n\
                      __device__ void ping(int *g) { pong(g); }\n__global__ void bad(int *g) { ping(g); }\n";
    unknown(each_other, "call of `ping`");
}

#[test]
fn a_header_line_that_means_nothing() {
    let text = format!("//--blockDim=none\n{}", racy("bad"));
    let outcome = check(&[("bad.cu", text.as_bytes())]);
    assert_eq!(outcome.status, 3);
    assert_eq!(outcome.verdicts("bad"), [""; 0]);
    outcome.complains("bad.cu:1: `--blockDim=none` in the header: `none` is not a positive");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = folder(&[("locked.cu", GOOD.as_bytes())]);
    let locked = folder.path().join("locked.cu");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).expect("permissions");
    symlink("dangling.cu", folder.path().join("dangling.cu")).expect("a link");
    symlink("nowhere", folder.path().join("gone.cu")).expect("a link");
    let made = Command::new("mkfifo")
        .arg(folder.path().join("pipe.cu"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    let outcome = check_folder(folder.path(), &[]);
    assert_eq!(outcome.status, 3);
    outcome.complains("dangling.cu:null: cannot read: too many levels of symbolic links");
    outcome.complains("gone.cu:null: cannot read: no such file or directory");
    outcome.complains("pipe.cu:null: not a regular file");
    // The superuser reads everything.
    if fs::read(&locked).is_err() {
        outcome.complains("locked.cu:null: cannot read the file: permission denied");
        assert_eq!(outcome.verdicts("good"), ["racy"]);
    } else {
        assert_eq!(outcome.verdicts("good"), ["racy", "racy"]);
    }
}

/// Each file once, under its own name, however many ways lead to it.
#[test]
fn loops_of_links() {
    let folder = folder(&[]);
    let deep = folder.path().join("a/b");
    fs::create_dir_all(&deep).expect("folders");
    fs::write(deep.join("deep.cu"), racy("deep")).expect("a file");
    symlink("../..", deep.join("up")).expect("a link");
    symlink(".", deep.join("here")).expect("a link");
    symlink("../good.cu", folder.path().join("a/again.cu")).expect("a link");
    let outcome = check_folder(folder.path(), &[]);
    assert_eq!(outcome.status, 1);
    assert_eq!(outcome.verdicts("good"), ["racy"]);
    assert_eq!(outcome.verdicts("deep"), ["racy"]);
    let files: Vec<&str> = outcome.report["kernels"]
        .as_array()
        .expect("kernels")
        .iter()
        .map(|kernel| kernel["file"].as_str().expect("a file"))
        .collect();
    assert_eq!(files, ["a/b/deep.cu", "good.cu"]);
}

/// A kernel that is cut off anywhere is never race-free, and never gone without a word.
#[test]
fn a_kernel_cut_off_anywhere() {
    let text = "__device__ int half(int v) { return v / 2; }\n\
                __global__ void cut(int *g, int n)\n{\n    __shared__ int s[64];\n    if (n > 1) { s[threadIdx.x] = 1; }\n    \
                else { s[0] = 2; }\n    g[half(threadIdx.x)] = s[63 - threadIdx.x]; /* that is all */\n}\n";
    let begin = text.find("cut(").expect("a kernel");
    let end = text.rfind('}').expect("an end");
    let folder = tempfile::tempdir().expect("a folder");
    for at in begin..=end {
        fs::write(folder.path().join(format!("k{at:04}.cu")), &text[..at]).expect("a file");
    }
    let outcome = check_folder(folder.path(), &[]);
    let verdicts = outcome.verdicts("cut");
    assert!(
        verdicts.len() >= end - text.find('{').expect("a body") - 100,
        "{}",
        verdicts.len()
    );
    for kernel in outcome.report["kernels"].as_array().expect("kernels") {
        assert_ne!(kernel["verdict"], "race_free", "{kernel:#}");
    }
    for at in begin..=end {
        let file = format!("k{at:04}.cu");
        let told = outcome
            .complaints()
            .iter()
            .chain(std::slice::from_ref(&outcome.stderr))
            .any(|complaint| complaint.contains(&file));
        assert!(told, "nothing is said of {:?}", &text[..at]);
    }
}

/// A query that runs into the wall-clock limit leaves its kernel unknown, and says so.
#[test]
fn a_solver_without_time() {
    // No model to be found by search, and no proof without products.
    let hard = "__global__ void hard(int *g, int a)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    \
                g[i * i + (i / 2) * a * a] = i;\n}\n";
    let folder = folder(&[("hard.cu", hard.as_bytes())]);
    let outcome = check_folder(folder.path(), &["--timeout", "1"]);
    assert!(outcome.status == 0 || outcome.status == 1);
    let kernels = outcome.report["kernels"].as_array().expect("kernels");
    let undecided = |kernel: &&Value| kernel["stats"]["undecided"].as_u64() > Some(0);
    assert!(
        kernels.iter().any(|kernel| undecided(&kernel)),
        "1 ms was enough for everything"
    );
    for kernel in kernels.iter().filter(undecided) {
        assert_ne!(kernel["verdict"], "race_free", "{kernel:#}");
    }
}

/// A solver that dies at every question proves nothing, and the next question finds a new one.
#[test]
fn a_solver_that_dies() {
    let text = "__global__ void bad(int *g, int n, int m)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    \
                if (i * 3 + n != m) g[(i * n) % 7] = i;\n    if (g[i] > n) __syncthreads();\n}\n";
    let options = AnalysisOptions::default();
    let unit = Unit {
        path: Path::new("bad.cu"),
        shown: "bad.cu",
        bytes: text.as_bytes(),
        options: &UnitOptions::new(
            &options,
            &warplog::header::Header::default(),
            Path::new("bad.cu"),
        ),
    };
    let (Examined { facts, .. }, report) = Analysis.extract(&unit, &options, Depth::Facts);
    assert_eq!(report.errors, []);
    let derived = warplog_rules::derive(&facts, &warplog_rules::Options::default());
    assert!(!derived.candidate_race.is_empty() && !derived.candidate_divergence.is_empty());
    let well = warplog_solver_bridge::Options::default();
    let dying = warplog_solver_bridge::Options {
        sabotage: true,
        ..well.clone()
    };
    let mut session = Session::new();
    let before = session.decide(&facts, &derived, &well);
    let died = session.decide(&facts, &derived, &dying);
    for race in &died.races {
        match &race.answer {
            RaceAnswer::Unknown { reason } => {
                assert!(reason.contains("the solver failed"), "{reason}")
            }
            RaceAnswer::Race(_) | RaceAnswer::Covered => panic!("a race without a model"),
            RaceAnswer::Disjoint { stage } => assert_eq!(stage.name(), "bounds"),
        }
    }
    assert!(
        died.races
            .iter()
            .any(|race| matches!(race.answer, RaceAnswer::Unknown { .. }))
    );
    for divergence in &died.divergences {
        assert!(!matches!(divergence.answer, DivergenceAnswer::Diverges(_)));
    }
    let after = session.decide(&facts, &derived, &well);
    let kinds = |decision: &warplog_solver_bridge::Decision| -> Vec<_> {
        let races = decision.races.iter();
        races
            .map(|race| std::mem::discriminant(&race.answer))
            .collect()
    };
    assert_eq!(kinds(&after), kinds(&before));
    assert!(
        after
            .races
            .iter()
            .any(|race| matches!(race.answer, RaceAnswer::Race(_)))
    );
}
