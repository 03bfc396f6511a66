//! CUDA in the strings of Python, of notebooks and of C++: the verdicts, and their places in the file itself, in every format.

use serde_json::Value as Json;
use warplog_tests::command::Bench;

fn bench(files: &[(&str, &str)]) -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    for (name, text) in files {
        bench.file(name, text);
    }
    bench
}

fn report(bench: &Bench, line: &str) -> Json {
    let run = bench.run(&format!("check {line} --format json --no-cache"));
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// Verdict and line of each kernel, by name.
fn kernels(report: &Json) -> Vec<(String, String, u64)> {
    let kernels = report["kernels"].as_array().expect("kernels");
    let mut found: Vec<(String, String, u64)> = kernels
        .iter()
        .map(|kernel| {
            let text = |key: &str| kernel[key].as_str().unwrap_or_default().to_owned();
            let line = kernel["line"].as_u64().expect("a line");
            (text("name"), text("verdict"), line)
        })
        .collect();
    found.sort();
    found
}

/// The kernels that comments in the text promise, `__global__ void NAME(… // VERDICT`, with their lines.
fn promised(text: &str) -> Vec<(String, String, u64)> {
    let mut found = Vec::new();
    for (line, number) in text.lines().zip(1..) {
        let Some((_, rest)) = line.split_once("__global__ void ") else {
            continue;
        };
        let (Some((name, _)), Some((_, verdict))) = (rest.split_once('('), rest.split_once("//"))
        else {
            continue;
        };
        let verdict = verdict.trim().trim_end_matches("\\n'").trim();
        found.push((name.to_owned(), verdict.to_owned(), number));
    }
    found.sort();
    found
}

/// Files with what their comments promise.
fn holds(name: &str) {
    let path = warplog_tests::project().join("tests/embedded").join(name);
    let text = std::fs::read_to_string(&path).expect("a file");
    let bench = bench(&[(name, &text)]);
    let expected = promised(&text);
    assert!(!expected.is_empty(), "{name} promises nothing");
    assert_eq!(kernels(&report(&bench, name)), expected, "{name}");
    // In a folder it is found by what it holds.
    assert_eq!(kernels(&report(&bench, "@")), expected, "{name}");
}

#[test]
fn extensions_of_pytorch() {
    holds("extension.py");
}

#[test]
fn kernels_of_cupy_and_pycuda() {
    holds("raw_kernels.py");
}

#[test]
fn texts_with_unknown_parts() {
    holds("holes.py");
}

/// Options that are given through names define what they say; of those that are not known every verdict tells.
#[test]
fn options_of_the_compiler() {
    holds("options.py");
    let path = warplog_tests::project().join("tests/embedded/options.py");
    let text = std::fs::read_to_string(&path).expect("a file");
    let bench = bench(&[("options.py", &text)]);
    let all = report(&bench, "options.py");
    let of = |name: &str| {
        let kernels = all["kernels"].as_array().expect("kernels");
        let kernel = kernels.iter().find(|kernel| kernel["name"] == name);
        kernel.expect("the kernel").to_string()
    };
    let told = "which are not known, define nothing that is used";
    assert!(of("beside").contains(told), "{}", of("beside"));
    assert!(!of("plain").contains(told), "{}", of("plain"));
    let asked = bench.run("check options.py --no-cache -v").out;
    let why = "options of the compiler that are not known may define `BROKEN`";
    assert!(asked.contains(why), "{asked}");
}

/// What a file of strings says is what the strings say as files.
#[test]
fn a_file_is_answered_like_its_strings() {
    let path = warplog_tests::project().join("tests/embedded/extension.py");
    let text = std::fs::read_to_string(path).expect("a file");
    let bench = bench(&[("extension.py", &text)]);
    let of_file = kernels(&report(&bench, "extension.py"));
    let host = warplog_extractor::embedded::Host::Python;
    let mut of_strings = Vec::new();
    for (number, part) in warplog_extractor::embedded::parts(host, text.as_bytes())
        .iter()
        .enumerate()
    {
        let name = format!("string{number}.cu");
        bench.file(&name, &part.text());
        of_strings.extend(kernels(&report(&bench, &name)));
    }
    let plain = |all: &[(String, String, u64)]| -> Vec<(String, String)> {
        let mut plain: Vec<(String, String)> = all
            .iter()
            .map(|(name, verdict, _)| (name.clone(), verdict.clone()))
            .collect();
        plain.sort();
        plain
    };
    assert_eq!(plain(&of_file), plain(&of_strings));
}

const RACY: &str = "import cupy
k = cupy.RawKernel(r'''
extern \"C\" __global__ void k(float *out, const float *in) {
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    out[64 * blockIdx.x + t] = s[63 - t];
}
''', 'k')  # launched elsewhere
";

#[test]
fn places_are_those_of_the_file_in_every_format() {
    let bench = bench(&[("model.py", RACY)]);
    let words = "check model.py --block-dim 64 --no-cache --format";
    let sarif: Json =
        serde_json::from_str(&bench.run(&format!("{words} sarif")).out).expect("JSON");
    let place = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "model.py");
    assert_eq!(place["region"]["startLine"], 6);
    assert_eq!(place["region"]["startColumn"], 5);
    let concise = bench.run(&format!("{words} concise")).out;
    assert!(concise.starts_with("model.py:6:5:"), "{concise}");
    let text = bench.run(&format!("{words} text")).out;
    assert!(text.contains("6 |     s[t] = in[t];"), "{text}");
}

#[test]
fn comments_of_python_suppress() {
    let allowed = RACY.replace(
        "k = cupy",
        "# warplog: allow data-race because it is a sample\nk = cupy",
    );
    let bench = bench(&[("model.py", &allowed)]);
    let run = bench.run("check model.py --block-dim 64 --no-cache --fail-on confirmed");
    assert_eq!(run.status, 0, "{run:?}");
    assert!(run.out.contains("suppressed"), "{run:?}");
}

#[test]
fn a_baseline_and_kept_results_hold_for_strings() {
    let bench = bench(&[("model.py", RACY)]);
    let words = "check model.py --block-dim 64 --fail-on potential";
    assert_eq!(
        bench
            .run(&format!("{words} --write-baseline known.json"))
            .status,
        0
    );
    assert_eq!(
        bench.run(&format!("{words} --baseline known.json")).status,
        0
    );
    // Lines move when something is written above.
    bench.file("model.py", &format!("import os\n\n{RACY}"));
    assert_eq!(
        bench.run(&format!("{words} --baseline known.json")).status,
        0
    );
    assert_eq!(bench.run(words).status, 1);
    assert_eq!(bench.run(words).status, 1);
}

#[test]
fn a_mend_is_made_in_the_string() {
    let bench = bench(&[("model.py", RACY)]);
    bench.run("check model.py --block-dim 64 --fix");
    let expected = RACY.replace("    out[", "    __syncthreads();\n    out[");
    assert_eq!(bench.read("model.py"), expected);
}

/// Text that two units share is not changed: a change could harm the other.
#[test]
fn shared_text_is_not_mended() {
    let shared = "BODY = '''
__global__ void k(float *out, const float *in) {
    __shared__ float s[64];
    s[threadIdx.x] = in[threadIdx.x];
    out[threadIdx.x] = s[63 - threadIdx.x];
}
'''
a = RawModule(code='#define A 1\\n' + BODY)
b = RawModule(code='#define B 1\\n' + BODY)
";
    let bench = bench(&[("model.py", shared)]);
    bench.run("check model.py --block-dim 64 --fix");
    assert_eq!(bench.read("model.py"), shared);
}

#[test]
fn a_launch_can_stand_in_the_string() {
    let text = "k = RawKernel('''//--blockDim=32 --gridDim=1
__global__ void k(int *p) {
    if (threadIdx.x < 32) p[threadIdx.x % 32] = threadIdx.x;
}''', 'k')
";
    let bench = bench(&[("model.py", text)]);
    let all = report(&bench, "model.py");
    assert_eq!(kernels(&all), [("k".to_owned(), "race_free".to_owned(), 2)]);
    assert_eq!(all["kernels"][0]["launches"][0]["source"], "header");
}

#[test]
fn cells_of_notebooks_and_raw_strings_of_cpp() {
    let notebook = r#"{"cells": [
 {"cell_type": "code", "metadata": {}, "source": [
  "%%cu\n",
  "__global__ void cell(int *p) {\n",
  "  p[0] = threadIdx.x; // \"all\"\n",
  "}"
 ]},
 {"cell_type": "code", "metadata": {}, "source": ["m = SourceModule('''\n", "__global__ void string(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n", "''')"]}
], "metadata": {}, "nbformat": 4}
"#;
    let jit = "const char *plain = \"__global__ void no(int *p) {}\";
const char *text = R\"cuda(
__global__ void jitted(int *p) { p[threadIdx.x / 2] = threadIdx.x; }
)cuda\";
";
    let bench = bench(&[("a.ipynb", notebook), ("jit.cpp", jit)]);
    let text = bench.run("check a.ipynb --no-cache").out;
    assert!(text.contains("a.ipynb:3: this is cell 1"), "{text}");
    let found = kernels(&report(&bench, "@"));
    let expected = [
        ("cell", "racy", 4),
        ("jitted", "racy", 3),
        ("string", "race_free", 8),
    ];
    let expected =
        expected.map(|(name, verdict, line)| (name.to_owned(), verdict.to_owned(), line));
    assert_eq!(found, expected);
}

#[test]
fn python_without_kernels_is_left_out() {
    let bench = bench(&[
        ("none.py", "assert '__global__' in text\n"),
        ("k.cu", "__global__ void k() {}\n"),
    ]);
    let run = bench.run("check @ --no-cache");
    assert!(run.out.contains("1 kernel in 1 file"), "{run:?}");
    // Who names it is told.
    assert_eq!(bench.run("check none.py --no-cache").status, 3);
}

/// The launches that Python makes are those that are checked; of one whose size is not known nothing is confirmed.
#[test]
fn launches_of_python() {
    let text = "import pycuda.autoinit
from pycuda.compiler import SourceModule

SIZE = 4
module = SourceModule('''
__global__ void doubled(float *a) {
    int i = threadIdx.x + threadIdx.y * 4;
    a[i] *= 2;
}
__global__ void halved(float *a) {
    int i = threadIdx.x + threadIdx.y * 4;
    a[i] /= 2;
}
__global__ void tripled(float *a) {
    int i = threadIdx.x + threadIdx.y * 4;
    a[i] *= 3;
}
''')
doubled = module.get_function('doubled')
doubled(a, block=(SIZE, SIZE, 1))
halved = module.get_function('halved')
halved(a, block=(SIZE, SIZE, 1))
halved(a, block=(2 * SIZE, SIZE, 1))
module.get_function('tripled')(a, block=(columns, rows, 1))
";
    let bench = bench(&[("model.py", text)]);
    let all = report(&bench, "model.py");
    let of = |name: &str| {
        let kernels = all["kernels"].as_array().expect("kernels");
        let kernel = kernels.iter().find(|kernel| kernel["name"] == name);
        kernel.expect("the kernel").clone()
    };
    let doubled = of("doubled");
    assert_eq!(doubled["verdict"], "race_free");
    assert_eq!(doubled["launches"][0]["source"], "code");
    let text = bench.run("check model.py --no-cache -v").out;
    assert!(text.contains("<<<1, (4,4)>>> at model.py:20"), "{text}");
    let halved = of("halved");
    assert_eq!(halved["launches"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        (&halved["verdict"], &halved["certainty"]),
        (&"racy".into(), &"confirmed".into())
    );
    let tripled = of("tripled");
    assert_eq!(
        (&tripled["verdict"], &tripled["certainty"]),
        (&"racy".into(), &"potential".into())
    );
    // The command line is asked first.
    let flags = report(&bench, "model.py --block-dim 16");
    assert_eq!(flags["kernels"][0]["launches"][0]["source"], "flag");
}
