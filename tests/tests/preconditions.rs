//! What would make a kernel race-free: told with the alarm, and read back by `--assume`.

use std::path::Path;

use warplog::engine::Analysis;
use warplog::header::Header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::Pipeline;
use warplog::unit::{Unit, UnitOptions};
use warplog_report::{Kernel, json};
use warplog_tests::project;

fn check(text: &str, options: &AnalysisOptions) -> Vec<Kernel> {
    let path = Path::new("k.cu");
    let unit = Unit {
        path,
        shown: "k.cu",
        bytes: text.as_bytes(),
        options: &UnitOptions::new(options, &Header::default(), path),
    };
    Analysis.check(&unit, options).kernels
}

fn assuming(assume: &[&str]) -> AnalysisOptions {
    AnalysisOptions {
        assume: assume.iter().map(|&text| text.to_owned()).collect(),
        ..AnalysisOptions::default()
    }
}

/// The conditions that the findings of a kernel name, each once.
fn told(kernel: &Kernel) -> Vec<Option<String>> {
    let mut told: Vec<Option<String>> = kernel
        .findings
        .iter()
        .map(|finding| finding.race_free_if.clone())
        .collect();
    told.dedup();
    told
}

/// Kernels, each with the conditions that are told of it, the first of which rules out all that is found.
const CASES: [(&str, &str); 18] = [
    (
        "__global__ void own_block(int *g) { g[threadIdx.x] = blockIdx.x; }",
        "gridDim.x == 1",
    ),
    (
        "__global__ void pitch(int *g, int w, int h)
         {
             int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
             if (y < h) g[y * w + x] = x + y;
         }",
        "w >= (int)(blockDim.x * gridDim.x)",
    ),
    (
        "__global__ void folded(int *g)
         {
             __shared__ int s[64];
             s[threadIdx.x % 64] = threadIdx.x;
             __syncthreads();
             g[blockIdx.x * blockDim.x + threadIdx.x] = s[0];
         }",
        "blockDim.x <= 64",
    ),
    (
        "__global__ void scattered(const int *idx, int *g, int n)
         {
             int i = blockIdx.x * blockDim.x + threadIdx.x;
             if (i < n) g[idx[i]] = i;
         }",
        "__distinct(idx)",
    ),
    (
        "__global__ void two_pitches(int *g, int w, int pitch)
         {
             int x = threadIdx.x, y = blockIdx.x;
             if (x < w) g[y * pitch + x] = y;
         }",
        "w <= pitch",
    ),
    (
        "__global__ void square(int *g)
         {
             int x = threadIdx.x, y = threadIdx.y;
             g[(blockIdx.x * blockDim.y + y) * blockDim.y + x] = x;
         }",
        "blockDim.x <= blockDim.y",
    ),
    (
        "__global__ void whole(int *g, int n)
         {
             __shared__ int s[1024];
             int i = blockIdx.x * blockDim.x + threadIdx.x;
             if (i < n) {
                 s[threadIdx.x] = g[i];
                 __syncthreads();
                 g[i] = s[0];
             }
         }",
        "n >= (int)(blockDim.x * gridDim.x)",
    ),
    (
        "__global__ void neighbours(int *g)
         {
             __shared__ int s[1024];
             s[threadIdx.x] = g[blockIdx.x * blockDim.x + threadIdx.x];
             for (unsigned d = blockDim.x / 2; d > 0; d /= 2) {
                 __syncthreads();
                 if (threadIdx.x < d) s[threadIdx.x] += s[blockDim.x / 2 == d ? threadIdx.x + d : threadIdx.x + d];
             }
             if (threadIdx.x == 0) g[0] = s[0];
         }",
        "gridDim.x == 1",
    ),
    (
        "__global__ void leaders(int *g)
         {
             int i = blockIdx.x * blockDim.x + threadIdx.x;
             if (threadIdx.x % 32 == 0) g[i / 32] = i;
         }",
        "blockDim.x % 32 == 0",
    ),
    (
        "__global__ void lanes(int *g)
         {
             int i = blockIdx.x * blockDim.x + threadIdx.x;
             g[i / 32 * 32 + (threadIdx.x & 31)] = i;
         }",
        "blockDim.x % 32 == 0",
    ),
    (
        "__global__ void masked(int *g)
         {
             __shared__ int s[1024];
             s[threadIdx.x & (blockDim.x - 1)] = threadIdx.x;
             __syncthreads();
             g[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
         }",
        "__is_pow2(blockDim.x)",
    ),
    (
        "__global__ void one_warp(int *g)
         {
             __shared__ int s[1024];
             s[threadIdx.x] = threadIdx.x;
             __syncwarp();
             g[blockIdx.x * blockDim.x + threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
         }",
        "blockDim.x <= 32",
    ),
    (
        "__global__ void special_size(int *g)
         {
             __shared__ int s[1024];
             int t = threadIdx.x;
             s[t] = t;
             __syncthreads();
             int v = s[(t + 1) % 128];
             if (blockDim.x != 128) s[t] = v;
             g[blockIdx.x * blockDim.x + t] = v;
         }",
        "blockDim.x == 128",
    ),
    (
        "__global__ void once_round(int *g, int n)
         {
             unsigned all = blockDim.x * gridDim.x;
             for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += all) g[i < all ? i : i - 1] = i;
         }",
        "n <= blockDim.x * gridDim.x",
    ),
    (
        "__global__ void shifted(int *g, int n, int m)
         {
             int i = blockIdx.x * blockDim.x + threadIdx.x;
             int v = g[i + n];
             g[i + m] = v;
         }",
        "n == m",
    ),
    (
        "__global__ void turned(int *g)
         {
             int x = threadIdx.x, y = threadIdx.y;
             int v = g[y * blockDim.x + x];
             g[y * blockDim.y + x] = v;
         }",
        // Two writes are apart under less than a read and a write are.
        "blockDim.x == blockDim.y; blockDim.x <= blockDim.y",
    ),
    (
        "__global__ void butterfly(int *g, int stride)
         {
             int t = threadIdx.x;
             int low = t & (stride - 1);
             int first = ((t - low) << 2) + low;
             for (int k = 0; k < 4; k++) g[first + k * stride] = t;
         }",
        "__is_pow2(stride)",
    ),
    (
        "__global__ void long_rows(int *g, int w)
         {
             g[(long long)blockIdx.x * w + threadIdx.x] = threadIdx.x + blockIdx.x;
         }",
        "w >= (int)blockDim.x",
    ),
];

#[test]
fn a_condition_is_told_and_holds_as_an_assumption() {
    let mut wrong = Vec::new();
    for (text, expected) in CASES {
        let kernels = check(text, &AnalysisOptions::default());
        let [kernel] = kernels.as_slice() else {
            panic!("one kernel: {text}");
        };
        let conditions = expected.split("; ").map(str::to_owned).map(Some);
        if told(kernel) != conditions.collect::<Vec<_>>() {
            wrong.push(format!("{}: {:?}", kernel.name, told(kernel)));
        }
        let expected = expected.split("; ").next().unwrap_or_default();
        let assumed = check(text, &assuming(&[expected]));
        let verdict = assumed[0].verdict().as_str();
        if verdict != "race_free" {
            wrong.push(format!("{}: {verdict} under `{expected}`", kernel.name));
        }
        let listed = assumed[0]
            .assumptions()
            .iter()
            .any(|text| text.contains(expected) || text.contains("pairwise different"));
        if !listed {
            wrong.push(format!("{}: `{expected}` is not listed", kernel.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Where no size can help, nothing is told; nor where the search is switched off.
#[test]
fn nothing_is_told_where_nothing_helps() {
    let hopeless = "__global__ void one_place(int *g) { g[0] = threadIdx.x + blockIdx.x * 7; }";
    let one = &check(hopeless, &AnalysisOptions::default())[0];
    assert_eq!(one.verdict().as_str(), "racy");
    assert_eq!(told(one), [None]);
    let off = AnalysisOptions {
        preconditions: false,
        ..AnalysisOptions::default()
    };
    assert_eq!(told(&check(CASES[0].0, &off)[0]), [None]);
    // With all sizes given there is nothing to choose.
    let given = AnalysisOptions {
        block_dim: Some([64, 1, 1]),
        grid_dim: Some([4, 1, 1]),
        ..AnalysisOptions::default()
    };
    assert_eq!(told(&check(CASES[0].0, &given)[0]), [None]);
}

/// Of kernels that lack a name an assumption says nothing; those that contradict each other are an error.
#[test]
fn assumptions_of_other_kernels_and_contradictions() {
    let text = "__global__ void a(int *g, int n) { if (n > 3) g[blockIdx.x * blockDim.x + threadIdx.x] = n; }
                __global__ void b(int *g) { g[blockIdx.x * blockDim.x + threadIdx.x] = 1; }";
    let verdicts = |assume: &[&str]| -> Vec<String> {
        let kernels = check(text, &assuming(assume));
        let words = kernels.iter().map(|kernel| kernel.verdict().as_str());
        words.map(str::to_owned).collect()
    };
    assert_eq!(verdicts(&["n < 9"]), ["race_free", "race_free"]);
    assert_eq!(verdicts(&["n < 9", "n > 9"]), ["error", "race_free"]);
    assert_eq!(
        verdicts(&["blockDim.x == 7", "blockDim.x % 2 == 0"]),
        ["error", "error"]
    );
    let listed = check(text, &assuming(&["n < 9"]));
    let of = |kernel: &Kernel| {
        kernel
            .assumptions()
            .iter()
            .any(|text| text.contains("n < 9"))
    };
    assert!(of(&listed[0]) && !of(&listed[1]));
}

/// A careless reading of an assumption would let it excuse more than it says.
#[test]
fn an_assumption_excuses_no_more_than_it_says() {
    let text = "__global__ void k(int *g, int w, int n)
                {
                    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
                    g[y * w + x] = x + y;
                }";
    for assumption in [
        "n >= (int)(blockDim.x * gridDim.x)",
        "w >= (int)blockDim.x",
        "w != 0",
    ] {
        let kernel = &check(text, &assuming(&[assumption]))[0];
        assert_eq!(kernel.verdict().as_str(), "racy", "{assumption}");
    }
    // Compared as unsigned numbers, a negative width is large.
    let kernel = &check(text, &assuming(&["w >= blockDim.x * gridDim.x"]))[0];
    assert_eq!(kernel.verdict().as_str(), "racy");
}

#[test]
fn the_condition_is_in_the_json_and_its_schema() {
    use warplog::driver::{RunOptions, check as check_files};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    std::fs::write(&path, CASES[0].0).expect("a file");
    let run = RunOptions {
        jobs: 1,
        progress: false,
        workers: false,
    };
    let report = check_files(&Analysis, &[path], &AnalysisOptions::default(), run);
    let text = json::render(&report).expect("renders");
    assert!(
        text.contains("\"race_free_if\": \"gridDim.x == 1\"")
            || text.contains("\"race_free_if\":\"gridDim.x == 1\""),
        "{text}"
    );
    let schema = std::fs::read_to_string(project().join("report/schema/warplog-2.schema.json"));
    let schema: serde_json::Value = serde_json::from_str(&schema.expect("a schema")).expect("JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(validator.is_valid(&value));
}
