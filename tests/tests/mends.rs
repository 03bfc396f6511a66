//! Mends that are checked: what is shown as a change leaves a kernel race-free, means the same for one thread alone, harms no other
//! kernel, and is made by `--fix` once.

use serde_json::Value as Json;
use warplog_tests::command::{Bench, Run};

fn bench(files: &[(&str, &str)]) -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    for (name, text) in files {
        bench.file(name, text);
    }
    bench
}

fn report(run: &Run) -> Json {
    serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// The verdicts of a file, in the order of its kernels.
fn verdicts(bench: &Bench, file: &str) -> Vec<String> {
    let report = report(&bench.run(&format!("check {file} --format json --no-mends")));
    let kernels = report["kernels"].as_array().expect("kernels").clone();
    kernels
        .iter()
        .map(|kernel| kernel["verdict"].as_str().unwrap_or_default().to_owned())
        .collect()
}

/// The text after `--fix`, with the verdicts that it has then.
fn fixed(text: &str) -> (String, Vec<String>) {
    let bench = bench(&[("k.cu", text)]);
    bench.run("check k.cu --fix");
    let once = bench.read("k.cu");
    bench.run("check k.cu --fix");
    assert_eq!(bench.read("k.cu"), once, "a second run changes something");
    (once, verdicts(&bench, "k.cu"))
}

const HEADER: &str = "//--blockDim=64 --gridDim=4\n";

#[test]
fn a_missing_barrier_is_put_where_it_is_missing() {
    let text = format!(
        "{HEADER}__global__ void k(float *out, const float *in) {{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    out[64 * blockIdx.x + t] = s[63 - t];
}}
"
    );
    let (after, verdicts) = fixed(&text);
    assert_eq!(verdicts, ["race_free"]);
    let expected = text.replace("    out[", "    __syncthreads();\n    out[");
    assert_eq!(after, expected);
}

#[test]
fn the_end_of_a_loop_gets_its_barrier() {
    let text = format!(
        "{HEADER}__global__ void k(float *out, const float *in) {{
    __shared__ float s[64];
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < 8; i++) {{
        s[t] = in[i * 64 + t];
        __syncthreads();
        sum += s[63 - t];
    }}
    out[64 * blockIdx.x + t] = sum;
}}
"
    );
    let (after, verdicts) = fixed(&text);
    assert_eq!(verdicts, ["race_free"]);
    assert_eq!(
        after,
        text.replace("s[63 - t];\n", "s[63 - t];\n        __syncthreads();\n")
    );
}

#[test]
fn a_scan_reads_before_it_writes() {
    let text = format!(
        "{HEADER}__global__ void k(float *out, const float *in) {{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int o = 1; o < 64; o *= 2) {{
        if (t >= o) s[t] += s[t - o];
        __syncthreads();
    }}
    out[64 * blockIdx.x + t] = s[t];
}}
"
    );
    let (after, verdicts) = fixed(&text);
    assert_eq!(verdicts, ["race_free"]);
    assert!(
        after.contains("if (t >= o) kept = s[t] + (s[t - o]);\n        __syncthreads();\n"),
        "{after}"
    );
}

#[test]
fn a_counter_becomes_atomic_only_where_there_is_such_an_operation() {
    let count = |ty: &str| {
        format!(
            "__global__ void k({ty} *n) {{\n    n[0] += 1;\n}}\nvoid run({ty} *n) {{ k<<<4, 64>>>(n); }}\n"
        )
    };
    let (after, verdicts) = fixed(&count("int"));
    assert_eq!(verdicts, ["race_free"]);
    assert!(after.contains("atomicAdd(&n[0], 1);"), "{after}");
    for other in ["short", "char", "long long"] {
        let (after, _) = fixed(&count(other));
        assert_eq!(after, count(other), "{other} has no such operation");
    }
}

#[test]
fn a_barrier_comes_between_two_calls() {
    let text = format!(
        "{HEADER}__device__ float reversed(float *s, float x) {{
    int t = threadIdx.x;
    s[t] = x;
    __syncthreads();
    return s[63 - t];
}}
__global__ void k(float *out) {{
    __shared__ float s[64];
    float a = reversed(s, 1.0f);
    float b = reversed(s, a);
    out[64 * blockIdx.x + threadIdx.x] = b;
}}
"
    );
    let bench = bench(&[("k.cu", &text)]);
    let run = bench.run("check k.cu --no-mends");
    assert!(
        run.out.contains("missing between line 10 and line 11"),
        "{run:?}"
    );
    assert!(run.out.contains("through the call at line 11"), "{run:?}");
    let (after, verdicts) = fixed(&text);
    assert_eq!(verdicts, ["race_free"]);
    assert_eq!(
        after,
        text.replace("    float b", "    __syncthreads();\n    float b")
    );
}

/// What must not be offered: a barrier under a condition without braces, one that some threads do not reach, a store that is left to a
/// thread that may not come there.
#[test]
fn what_changes_the_meaning_is_no_mend() {
    let kept = [
        // The thread that would be left does not come to the store.
        "__global__ void k(int *out, const int *in) {\n    int t = threadIdx.x;\n    if (t > 0) out[blockIdx.x] = in[t];\n}\n",
        "__global__ void k(int *out, const int *in) {\n    int t = threadIdx.x;\n    if (t == 0) return;\n    out[blockIdx.x] = in[t];\n}\n",
        // Each thread stores what is its own.
        "__global__ void k(int *out, const int *to) {\n    out[to[threadIdx.x]] = threadIdx.x;\n}\n",
        // A barrier in the branch would be reached by some threads only, and nothing can be moved.
        "__global__ void k(int *out, const int *in, int n) {\n    int i = 64 * blockIdx.x + threadIdx.x;\n    if (i < n) out[in[i]] = i;\n}\n",
    ];
    for text in kept {
        let text = format!("{HEADER}{text}");
        let (after, _) = fixed(&text);
        assert_eq!(after, text);
    }
}

#[test]
fn a_function_of_a_header_stays_as_it_is() {
    let header = "__device__ inline float last(float *s, float x) {\n    int t = threadIdx.x;\n    s[t] = x;\n    return s[63 - t];\n}\n";
    let text = "#include \"f.cuh\"\n__global__ void k(float *out) {\n    __shared__ float s[64];\n    out[64 * blockIdx.x + threadIdx.x] = last(s, 1.0f * threadIdx.x);\n}\nvoid run(float *out) { k<<<4, 64>>>(out); }\n";
    let bench = bench(&[("f.cuh", header), ("k.cu", text)]);
    bench.run("check k.cu --fix");
    assert_eq!(bench.read("f.cuh"), header);
    assert_eq!(bench.read("k.cu"), text);
}

#[test]
fn no_kernel_is_harmed_by_what_mends_another() {
    // The function is mended by a barrier; the second kernel calls it from a branch, where that barrier would diverge.
    let text = format!(
        "{HEADER}__device__ float turned(float *s, float x) {{
    int t = threadIdx.x;
    s[t] = x;
    return s[63 - t];
}}
__global__ void all(float *out) {{
    __shared__ float s[64];
    out[64 * blockIdx.x + threadIdx.x] = turned(s, 1.0f * threadIdx.x);
}}
__global__ void some(float *out) {{
    __shared__ float s[64];
    if (threadIdx.x == 0) out[64 * blockIdx.x] = turned(s, 1.0f);
}}
"
    );
    let (after, _) = fixed(&text);
    assert_eq!(after, text);
}

#[test]
fn every_format_has_the_change() {
    let text = format!(
        "{HEADER}__global__ void k(float *out, const float *in) {{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = in[t];
    out[64 * blockIdx.x + t] = s[63 - t];
}}
"
    );
    let bench = bench(&[("k.cu", &text)]);
    let json = report(&bench.run("check k.cu --format json"));
    let mend = &json["kernels"][0]["findings"][0]["mend"];
    assert_eq!(mend["edits"][0]["text"], "    __syncthreads();\n");
    let diff = mend["diff"].as_str().unwrap_or_default();
    assert!(
        diff.starts_with("--- a/k.cu\n+++ b/k.cu\n@@ -5,2 +5,3 @@\n"),
        "{diff}"
    );
    let sarif = report(&bench.run("check k.cu --format sarif"));
    let fix = &sarif["runs"][0]["results"][0]["fixes"][0]["artifactChanges"][0];
    assert_eq!(
        fix["replacements"][0]["insertedContent"]["text"],
        "    __syncthreads();\n"
    );
    assert_eq!(fix["artifactLocation"]["uri"], "k.cu");
    let html = bench.run("check k.cu --format html");
    assert!(html.out.contains("+    __syncthreads();"));
    let none = report(&bench.run("check k.cu --format json --no-mends"));
    assert_eq!(none["kernels"][0]["findings"][0].get("mend"), None);
}

/// The bodies of the kernels of a file, without comments and white space.
fn bodies(text: &str) -> Vec<(String, String)> {
    let lines = text
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default());
    let text: String = lines.collect::<Vec<_>>().join("\n");
    let mut bodies = Vec::new();
    for (at, word) in text.match_indices("__global__") {
        let head = &text[at + word.len()..];
        let (Some(open), Some(parameters)) = (head.find('{'), head.find('(')) else {
            continue;
        };
        let name = head[..parameters]
            .trim()
            .rsplit([' ', '\n', '*'])
            .next()
            .unwrap_or_default();
        let mut depth = 0;
        let end = head[open..].find(|c| {
            depth += i32::from(c == '{') - i32::from(c == '}');
            depth == 0
        });
        let body = &head[parameters..open + end.unwrap_or_default()];
        let plain: String = body.chars().filter(|c| !c.is_whitespace()).collect();
        bodies.push((name.to_owned(), plain));
    }
    bodies
}

/// A body without its barriers.
fn without_barriers(body: &str) -> String {
    let is_barrier = |statement: &&str| {
        let plain = statement.trim_start_matches(['{', '}']);
        !(plain == "__syncthreads()"
            || plain.starts_with("__syncwarp(")
            || plain.ends_with(".sync()"))
    };
    let kept: Vec<String> = body
        .split(';')
        .map(|one| match is_barrier(&one) {
            true => format!("{one};"),
            false => one.chars().take_while(|c| matches!(c, '{' | '}')).collect(),
        })
        .collect();
    kept.concat()
}

/// Of the racy kernels of the data set whose race-free twin has more barriers and is else the same, so many in a hundred have a mend.
const SHARE: usize = 90;

#[test]
fn twins_that_differ_by_a_barrier_are_mended() {
    let root = warplog_tests::datasets();
    let (mut asked, mut mended, mut missed) = (0, 0, Vec::new());
    for folder in ["barriers", "pairs", "warps"] {
        for file in warplog_tests::sources(&root.join(folder)) {
            let text = std::fs::read_to_string(&file).expect("is read");
            let all = bodies(&text);
            let has_twin = |name: &str, body: &str| {
                all.iter().any(|(other, twin)| {
                    other.ends_with("_ok")
                        && twin.len() > body.len()
                        && without_barriers(twin) == without_barriers(body)
                        && !name.starts_with("fn_")
                })
            };
            let wanted: Vec<&String> = all
                .iter()
                .filter(|(name, body)| name.ends_with("_bad") && has_twin(name, body))
                .map(|(name, _)| name)
                .collect();
            if wanted.is_empty() || text.contains("#include \"") {
                continue;
            }
            let bench = bench(&[("k.cu", &text)]);
            let before = report(&bench.run("check k.cu --format json --fail-on unknown"));
            bench.run("check k.cu --fix");
            let after = report(&bench.run("check k.cu --format json --no-mends"));
            let kernels = |report: &Json| report["kernels"].as_array().cloned().unwrap_or_default();
            for kernel in kernels(&before) {
                let findings = kernel["findings"].as_array().cloned().unwrap_or_default();
                let counts = |finding: &Json| {
                    finding["certainty"] != "potential" && finding["kind"] != "assertion_failed"
                };
                let has_mend = findings.iter().any(|finding| finding.get("mend").is_some());
                let name = kernel["name"].as_str().unwrap_or_default();
                if has_mend {
                    let left = kernels(&after)
                        .into_iter()
                        .find(|other| other["name"] == kernel["name"]);
                    let verdict = left.map(|left| left["verdict"].clone());
                    assert_eq!(
                        verdict,
                        Some(Json::from("race_free")),
                        "{name} of {}",
                        file.display()
                    );
                }
                let base = name.split('<').next().unwrap_or_default();
                if findings.iter().any(counts) && wanted.iter().any(|wanted| *wanted == base) {
                    asked += 1;
                    mended += usize::from(has_mend);
                    if !has_mend {
                        missed.push(name.to_owned());
                    }
                }
            }
        }
    }
    assert!(asked >= 20, "{asked}");
    assert!(
        100 * mended >= SHARE * asked,
        "{mended} of {asked}: {missed:?}"
    );
}
