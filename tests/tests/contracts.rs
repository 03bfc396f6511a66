//! Annotations that mean nothing where they stand are errors with their position, and the rest of the file is analysed;
//! annotations that are left out with `--no-annotations` do nothing; facts hold all that contracts say.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The report on a file, and the exit status.
fn check(text: &str, flags: &[&str]) -> (Value, i32) {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("k.cu"), text).expect("a file");
    run(
        &folder,
        &[&["check", "k.cu", "--format", "json"], flags].concat(),
    )
}

fn run(folder: &TempDir, line: &[&str]) -> (Value, i32) {
    let output = Command::new(env!("CARGO_BIN_EXE_warplog-under-test"))
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .args(line)
        .output()
        .expect("runs");
    let report = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    (report, output.status.code().expect("a status"))
}

fn verdict(report: &Value, kernel: &str) -> String {
    let kernels = report["kernels"].as_array().expect("kernels");
    let found = kernels.iter().find(|entry| entry["name"] == kernel);
    found.expect("the kernel")["verdict"]
        .as_str()
        .expect("a verdict")
        .to_owned()
}

/// The errors of a file whose kernel holds these lines: `line: message`. A racy kernel behind it is found all the same.
fn errors(before: &str, body: &str) -> Vec<String> {
    let text = format!(
        "//--blockDim=64 --gridDim=1\n{before}\n__global__ void k(int *p, int n)\n{{\n{body}\n}}\n\
         __global__ void racy(int *p)\n{{\n    p[0] = threadIdx.x;\n}}\n"
    );
    let (report, status) = check(&text, &[]);
    assert_eq!(verdict(&report, "racy"), "racy", "{body}");
    let errors: Vec<String> = report["errors"]
        .as_array()
        .expect("errors")
        .iter()
        .map(|error| {
            assert_eq!(error["file"], "k.cu");
            format!(
                "{}: {}",
                error["line"],
                error["message"].as_str().expect("a message")
            )
        })
        .collect();
    assert_eq!(status, if errors.is_empty() { 1 } else { 3 }, "{body}");
    errors
}

/// Each misuse with its message: what stands in the kernel from line 5 on, and what is told of it.
const MISUSES: &[(&str, &str)] = &[
    (
        "__assert(n++ > 0);",
        "5: column 10: an annotation must not have a side effect",
    ),
    (
        "__requires((n = 4) > 0);",
        "5: column 13: an annotation must not have a side effect",
    ),
    (
        "__assume(atomicAdd(p, 1) > 0);",
        "5: column 10: an annotation must not have a side effect",
    ),
    (
        "for (int i = 0; __invariant(n-- > 0), i < 4; i++) { }",
        "5: column 29: an annotation must not have a side effect",
    ),
    (
        "__asert(n > 0);",
        "5: column 1: no annotation is called `__asert`: did you mean `__assert`?",
    ),
    (
        "__invarient(n > 0);",
        "5: column 1: no annotation is called `__invarient`: did you mean `__invariant`?",
    ),
    (
        "__invariant(n > 0);",
        "5: column 1: `__invariant` means nothing here: it stands before a loop's condition, `for (…; __invariant(e), c; …)`, or at the head of its body",
    ),
    (
        "for (int i = 0; i < 4; i++) { int j = i; __invariant(j < 4); }",
        "5: column 42: `__invariant` means nothing here: it stands before a loop's condition, `for (…; __invariant(e), c; …)`, or at the head of its body",
    ),
    (
        "int i = 0; do { i++; } while (__invariant(i > 0), i < 4);",
        "5: column 31: `__invariant` means nothing here: it stands before a loop's condition, `for (…; __invariant(e), c; …)`, or at the head of its body",
    ),
    (
        "if (n > 0) __requires(n > 1);",
        "5: column 12: `__requires` means nothing here: it stands at the head of a function",
    ),
    (
        "for (int i = 0; i < 4; i++) __ensures(n > 1);",
        "5: column 29: `__ensures` means nothing here: it stands at the head of a function",
    ),
    (
        "if (n > 0) __function_wide_invariant(n > 1);",
        "5: column 12: `__function_wide_invariant` means nothing here: it stands at the head of a function",
    ),
    (
        "__axiom(n > 0);",
        "5: column 1: `__axiom` means nothing in a function: it stands at file scope",
    ),
    (
        "int x = __enabled();",
        "5: column 9: `__enabled` means nothing outside of annotations",
    ),
    (
        "int x = __other_int(n);",
        "5: column 9: `__other_int` means nothing outside of annotations",
    ),
    (
        "if (__read(p)) n = 1;",
        "5: column 5: `__read` means nothing outside of annotations",
    ),
    (
        "__assert(__old_int(n) == n);",
        "5: column 10: `__old_int` means nothing outside of `__ensures`",
    ),
    (
        "__assert(__return_val_int > 0);",
        "5: column 10: `__return_val_int` means nothing outside of `__ensures` of a function that returns a value",
    ),
    (
        "__assert(__implies(n > 0, __requires(n > 0)));",
        "5: column 27: `__requires` means nothing inside an annotation",
    ),
    (
        "__requires_fresh_array(n);",
        "5: column 24: `__requires_fresh_array` takes a pointer",
    ),
    (
        "__distinct(n);",
        "5: column 12: `__distinct` takes an array",
    ),
    (
        "__assert(__ptr_offset_bytes(n) == 0);",
        "5: column 29: `__ptr_offset_bytes` takes a pointer",
    ),
    (
        "__assert(__write(n));",
        "5: column 18: what is accessed is an array: it takes a pointer",
    ),
    (
        "int own[4]; __assert(__no_read(own));",
        "5: column 32: `own` belongs to the thread alone: it takes an array that threads share",
    ),
    (
        "__assert(__implies(n > 0));",
        "5: column 10: `__implies` takes 2 arguments, not 1",
    ),
    (
        "__assert(__ite(n > 0, n) > 0);",
        "5: column 10: `__ite` takes 3 arguments, not 2",
    ),
    (
        "__assert(__all(n > 0, n < 9));",
        "5: column 10: `__all` takes 1 argument, not 2",
    ),
    (
        "__assert(__write_implies(p));",
        "5: column 10: `__write_implies` takes 2 arguments, not 1",
    ),
    (
        "__assert(n > 0, n < 9);",
        "5: column 1: `__assert` takes 1 argument, not 2",
    ),
    (
        "__requires();",
        "5: column 1: `__requires` takes 1 argument, not 0",
    ),
    (
        "__barrier_invariant_2(n > 0, 1);",
        "5: column 1: `__barrier_invariant_2` takes a condition and 2 threads, not 1",
    ),
    (
        "__barrier_invariant_1(n > 0, 1);",
        "5: column 1: a barrier invariant means nothing here: a barrier of the block stands behind it, with nothing between",
    ),
    (
        "__barrier_invariant_1(n > 0, 1); p[0] = 1; __syncthreads();",
        "5: column 1: a barrier invariant means nothing here: a barrier of the block stands behind it, with nothing between",
    ),
    (
        "__barrier_invariant_1(__other_int(threadIdx.x) >= 0, 1); __syncthreads();",
        "5: column 23: an invariant of one thread speaks of another: `__barrier_invariant_binary_1` is of two",
    ),
    (
        "p[0] = 1; __barrier_invariant_1(p[0] > 0, 1); __syncthreads();",
        "5: column 33: a barrier invariant is about shared memory of the block, and the kernel changes `p`, which is none",
    ),
    (
        "int x = p[threadIdx.x]; __barrier_invariant_1(x > 0, 1); __syncthreads();",
        "5: column 54: it cannot be said of this thread: it speaks of what the thread itself has read before; read it in the invariant",
    ),
    (
        "__assert(unheard_of(n) > 0);",
        "5: column 10: call of `unheard_of`: its body is not known: it may touch any array and wait at a barrier",
    ),
    (
        "__syncthreads(); __assert(__syncthreads_count(n) > 0);",
        "5: column 27: an annotation must not have a side effect",
    ),
    (
        "// warplog: distint p",
        "5: no comment annotation is called `distint`; there are distinct, sorted, strictly_increasing, offsets, permutation, bounded, launch, ensures, allow",
    ),
    (
        "// warplog: distinct",
        "5: `distinct` takes the names of arrays: `distinct idx`",
    ),
    (
        "// warplog: distinct q",
        "3: column 17: `distinct q`: the kernel has no array parameter `q`",
    ),
    (
        "// warplog: launch blok=4",
        "5: `launch` takes sizes: `launch block=256 grid=(n+255)/256`",
    ),
    (
        "// warplog: allow data-race",
        "5: `allow data-race` needs a reason: `allow data-race because …`",
    ),
    (
        "// warplog: allow date-race because it is benign",
        "5: no rule is called `date-race`; did you mean `data-race`?",
    ),
];

#[test]
fn misuse_is_told_with_its_place() {
    let mut wrong = Vec::new();
    for (body, expected) in MISUSES {
        let told = errors("", body);
        if told != [*expected] {
            wrong.push(format!("{body}\n  {told:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let device = "// warplog: distinct p\n__device__ void f(int *p) { }";
    assert_eq!(
        errors(device, ""),
        ["2: this comment is about kernels, and stands at another function"]
    );
    assert_eq!(
        errors("// warplog: distinct p\nint x;", ""),
        ["2: this comment stands in no function and before none"]
    );
    assert_eq!(
        errors(
            "// warplog: distinct p // warplog: launch blok=4\nint x;",
            ""
        )
        .len(),
        2
    );
}

#[test]
fn right_uses_are_no_errors() {
    for body in [
        "__requires(n > 0); __assert(n >= 1);",
        "if (n <= 0) return; __requires(n > 0);",
        "for (int i = 0; __invariant(i >= 0), i < n; i++) { }",
        "for (int i = 0; i < n; i++) { __invariant(i >= 0); __assert(i < n); }",
        "__barrier_invariant_1(n > 0, 1); __syncthreads();",
        "__barrier_invariant_binary_1(n > 0, 1, 2); __syncthreads();",
        "// warplog: distinct p",
        "// warplog: distinct p // warplog: allow data-race because it is benign",
        "// warplog: allow data-race because\n// it is benign",
        "// warplog: allow shared-memory-race because it is benign",
        "int v = __all(n > 0); __assert(__all(n == n));",
    ] {
        assert_eq!(errors("", body), [""; 0], "{body}");
    }
}

/// A first line that cannot be read is told with its line; no kernel is checked under a launch that nobody meant.
#[test]
fn a_malformed_header_beside_annotations() {
    for (line, expected) in [
        (
            "//--gridDim=",
            "`--gridDim=` in the header: `` is not a positive 32-bit number",
        ),
        (
            "//--blockDim=64,",
            "`--blockDim=64,` in the header: `` is not a positive 32-bit number",
        ),
        ("//--blockDim", "`--blockDim` in the header has no value"),
    ] {
        let text = format!(
            "//pass\n{line}\n__axiom(gridDim.x == 1);\n__global__ void k(int *p)\n{{\n    __assert(p != 0);\n    p[0] = threadIdx.x;\n}}\n"
        );
        let (report, status) = check(&text, &[]);
        assert_eq!(status, 3, "{line}");
        let error = &report["errors"][0];
        assert_eq!(
            (&error["line"], &error["message"]),
            (&2.into(), &expected.into())
        );
        assert_eq!(report["kernels"], Value::Array(Vec::new()));
    }
}

/// A kernel with a side effect in an annotation is not called race-free: what the program does is not known.
#[test]
fn a_side_effect_in_an_annotation_leaves_the_kernel_undecided() {
    let text = "//--blockDim=64 --gridDim=1\n__global__ void k(int *p, int n)\n{\n    __assert(n++ > 0);\n    p[threadIdx.x] = n;\n}\n";
    let (report, status) = check(text, &[]);
    assert_eq!((verdict(&report, "k").as_str(), status), ("unknown", 3));
}

#[test]
fn annotations_are_left_out_when_asked_for() {
    let text = "\
//--blockDim=64 --gridDim=1
__axiom(gridDim.x == 1);
__device__ int f(int x) { __requires(x > 5); __ensures(__return_val_int > x); return x; }
__global__ void k(int *p, int n)
{
    // warplog: distinct p
    // warplog: distint
    __requires(n > 0);
    __assert(n > 7);
    for (int i = 0; __invariant(i > 3), i < n; i++) { __invariant(i > 9); }
    __invariant(n);
    __assume(n == 3);
    p[threadIdx.x * n] = f(threadIdx.x);
}
";
    let (report, status) = check(text, &["--no-annotations", "--fail-on", "conditional"]);
    assert_eq!(report["errors"], Value::Array(Vec::new()));
    assert_eq!((verdict(&report, "k").as_str(), status), ("racy", 1));
    let findings = &report["kernels"][0]["findings"];
    let kinds = findings.as_array().expect("findings").iter();
    assert!(kinds.clone().all(|finding| finding["kind"] == "data_race"));
    let (report, status) = check(text, &[]);
    assert_eq!(
        (verdict(&report, "k").as_str(), status),
        ("assertion_failed", 3)
    );
}

/// A violated assertion shows one thread, and the value that matters; one about two threads shows both.
#[test]
fn witnesses_of_assertions() {
    let text = "//--blockDim=64 --gridDim=1\n__global__ void k(int n)\n{\n    int t = threadIdx.x;\n    __assert(t + n != 70);\n    __assert(__distinct_int(t / 2));\n}\n";
    let (report, _) = check(text, &[]);
    let findings = report["kernels"][0]["findings"]
        .as_array()
        .expect("findings");
    let [one, two] = findings.as_slice() else {
        panic!("{findings:#?}")
    };
    for finding in findings {
        assert_eq!(finding["kind"], "assertion_failed");
        assert_eq!(finding["certainty"], "confirmed");
        assert_eq!(finding["locations"][0]["role"], "assertion");
    }
    let threads = |finding: &Value| -> Vec<u64> {
        let threads = finding["witness"]["threads"].as_array().expect("threads");
        let x = |thread: &Value| thread["thread"][0].as_u64().expect("a number");
        threads.iter().map(x).collect()
    };
    let [thread] = threads(one)[..] else {
        panic!("{one:#?}")
    };
    let n = one["witness"]["values"]["n"].as_u64().expect("a value");
    assert_eq!(thread + n, 70);
    let [first, second] = threads(two)[..] else {
        panic!("{two:#?}")
    };
    assert!(first != second && first / 2 == second / 2);
}

/// Which half of an invariant fails is said.
#[test]
fn wrong_invariants_say_what_fails() {
    let text = |start: &str, step: &str| {
        format!(
            "//--blockDim=64 --gridDim=1\n__global__ void k(int n)\n{{\n    int i = {start};\n    \
             while (__invariant(i >= 2), i < n) i = {step};\n}}\n"
        )
    };
    let said = |start: &str, step: &str| -> Vec<String> {
        let (report, _) = check(&text(start, step), &[]);
        let findings = report["kernels"][0]["findings"]
            .as_array()
            .expect("findings");
        let notes = |finding: &Value| finding["reasons"][0].as_str().unwrap_or("").to_owned();
        findings.iter().map(notes).collect()
    };
    assert_eq!(said("2", "3 * i"), [""; 0]);
    assert_eq!(
        said("1", "3 * i"),
        ["the invariant does not hold when the loop is entered"]
    );
    assert_eq!(
        said("4", "i - 3"),
        ["the invariant is not preserved by an iteration"]
    );
    // What every iteration keeps anyhow (i <= n - 5) is known where the step is judged.
    assert_eq!(said("n - 5", "i - 3").len(), 2);
}

/// Facts that call something an invariant without saying when it must hold are refused.
#[test]
fn invariants_without_assertions_are_refused() {
    let text = "//--blockDim=64 --gridDim=1\n__global__ void k(int *p, int n)\n{\n    \
                for (int i = 0; __invariant(i < 0), i < n; i++) p[i] = threadIdx.x;\n}\n";
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("k.cu"), text).expect("a file");
    run(&folder, &["facts", "k.cu", "--out", "facts"]);
    let (report, _) = run(&folder, &["solve", "facts", "--format", "json"]);
    assert_eq!(verdict(&report, "k"), "racy");
    let path = folder.path().join("facts/assert.csv");
    let rows = fs::read_to_string(&path).expect("assertions");
    let (header, _) = rows.split_once('\n').expect("a header");
    fs::write(&path, format!("{header}\n")).expect("written");
    let (report, status) = run(&folder, &["solve", "facts", "--format", "json"]);
    assert_eq!(status, 3);
    let message = report["errors"][0]["message"].as_str().expect("a message");
    assert!(message.contains("entry"), "{message}");
}

/// With `--modular` a function is checked once for all arguments, and calls know no more of it than its contract says.
#[test]
fn functions_are_used_by_their_contracts() {
    let text = |contract: &str, body: &str, kernel: &str| {
        format!(
            "//--blockDim=64 --gridDim=1\n__device__ int f(int x)\n{{\n{contract}\n{body}\n}}\n\
             __global__ void k(int *out, int n)\n{{\n    int t = threadIdx.x;\n{kernel}\n}}\n"
        )
    };
    let both = |contract: &str, body: &str, kernel: &str| -> (String, String) {
        let text = text(contract, body, kernel);
        let of = |flags: &[&str]| verdict(&check(&text, flags).0, "k");
        (of(&[]), of(&["--modular"]))
    };
    let says = |one: &str, other: &str| (one.to_owned(), other.to_owned());
    let own = "__requires(x >= 0); __ensures(__return_val_int == x);";
    // The contract is enough.
    assert_eq!(
        both(own, "return x;", "out[f(t)] = t;"),
        says("race_free", "race_free")
    );
    // It says less than the body.
    let less = "__requires(x >= 0); __ensures(__return_val_int >= x);";
    assert_eq!(
        both(less, "return x;", "out[f(t)] = t;"),
        says("race_free", "racy")
    );
    // It is wrong for arguments that the kernel does not pass.
    let wrong = "__ensures(__return_val_int >= 0);";
    assert_eq!(
        both(wrong, "return x;", "out[t] = f(t);"),
        says("race_free", "assertion_failed")
    );
    // A promise that is not kept, or whose condition is not met, hides no race.
    assert_eq!(
        both(own, "return x / 2;", "out[f(t)] = t;"),
        says("racy", "racy")
    );
    let narrow = "__requires(x > 5); __ensures(__return_val_int == x && x > 5);";
    assert_eq!(
        both(narrow, "return x;", "if (f(t) < 2) out[0] = t;"),
        says("racy", "racy")
    );
    // Requirements that nothing meets are no way to promise anything.
    let never = "__requires(x > 5 && x < 3); __ensures(__return_val_int == 7);";
    assert_eq!(
        both(never, "return x;", "if (n > 9) out[1] = f(n); out[0] = t;").1,
        "error"
    );
    // What depends on the thread, too, is not the same for equal arguments.
    let bounded = "__ensures(__return_val_int < 64);";
    assert_eq!(
        both(
            bounded,
            "return threadIdx.x & 31;",
            "if (f(n) == 3) out[0] = t;"
        ),
        says("racy", "racy")
    );
    // Functions that change their parameters or touch memory are inlined.
    let next = "__ensures(__return_val_int > x);";
    assert_eq!(
        both(
            next,
            "x = x & 7; return x + 1;",
            "out[f(t & 7) + 8 * t] = t;"
        ),
        says("race_free", "race_free")
    );
    let shared = "__requires(x >= 0); __ensures(__return_val_int == x);";
    let body = "__shared__ int s[1]; s[0] = x; return x;";
    assert_eq!(both(shared, body, "out[t] = f(t);"), says("racy", "racy"));
}
