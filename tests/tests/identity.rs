//! Ids and baselines: they follow what stands in the source, not where it stands nor how its path is spelled.

use std::collections::BTreeSet;

use warplog_tests::command::{Bench, Run};

const RACY: &str = "\
//--blockDim=64 --gridDim=1
__global__ void NAME(int *p) {
    p[0] = threadIdx.x;
}
";

/// A project with two racy files in a folder.
fn bench() -> Bench {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file("src/k/a.cu", &RACY.replace("NAME", "first"));
    bench.file("src/k/b.cu", &RACY.replace("NAME", "second"));
    bench
}

/// The ids in the lines of concise output.
fn ids(run: &Run) -> BTreeSet<String> {
    let last = |line: &str| {
        let id = line.strip_suffix(']')?.rsplit('[').next()?;
        Some(id.to_owned())
    };
    let ids: BTreeSet<String> = run.out.lines().filter_map(last).collect();
    assert!(!ids.is_empty(), "{}", run.shown());
    ids
}

/// The program in a folder of the bench.
fn within(bench: &Bench, folder: &str, line: &str) -> Run {
    let output = bench
        .command()
        .current_dir(bench.path().join(folder))
        .args(line.split_whitespace())
        .output()
        .expect("runs");
    Run {
        status: output.status.code().expect("a status"),
        out: String::from_utf8(output.stdout).expect("UTF-8"),
        err: String::from_utf8(output.stderr).expect("UTF-8"),
    }
}

#[test]
fn the_id_is_in_the_text_stays_when_lines_move_and_is_explained() {
    let bench = bench();
    let before = ids(&bench.run("check src/k/a.cu --format concise"));
    let id = before.iter().next().expect("an id").clone();
    let text = bench.run("check src/k/a.cu");
    let headline = format!("two writes of `p` by threads of the same warp [{id}]\n");
    assert!(text.out.contains(&headline), "{}", text.out);

    let moved = RACY
        .replace("NAME", "first")
        .replace("__global__", "// one\n\n// two\n__global__");
    bench.file("src/k/a.cu", &moved);
    assert_eq!(ids(&bench.run("check src/k/a.cu --format concise")), before);
    let page = bench.run(&format!("explain {id} src/k/a.cu"));
    assert_eq!(page.status, 0, "{}", page.err);
    assert!(page.out.contains("src/k/a.cu:6"), "{}", page.out);

    bench.file("src/k/a.cu", &moved.replace("p[0] =", "p[1] ="));
    assert_ne!(ids(&bench.run("check src/k/a.cu --format concise")), before);
}

#[test]
fn a_path_may_be_spelled_in_any_way() {
    for root in ["", "warplog.toml", ".git"] {
        let bench = bench();
        if !root.is_empty() {
            bench.file(root, "");
        }
        let plain = ids(&bench.run("check src/k/b.cu --format concise"));
        for spelled in [
            "@/src/k/b.cu",
            "src/k/../k/b.cu",
            "./src//k/b.cu",
            "src/k --kernel second",
        ] {
            let run = bench.run(&format!("check {spelled} --format concise"));
            assert_eq!(ids(&run), plain, "{root} {spelled}");
        }
        let inside = ids(&within(&bench, "src", "check k/b.cu --format concise"));
        assert_eq!(inside == plain, !root.is_empty(), "{root}");
        let tag = plain.iter().next().expect("an id");
        if !root.is_empty() {
            let page = within(&bench, "src/k", &format!("explain {tag} ../k/b.cu"));
            assert_eq!(page.status, 0, "{}", page.err);
        }
        // A line may be spelled otherwise than the scan did.
        let kept = |line: &str| {
            let words = line.replace('@', &bench.path().display().to_string());
            let mut command = bench.command();
            command.env("WARPLOG_CACHE_DIR", bench.path().join("cache"));
            command
                .args(words.split_whitespace())
                .output()
                .expect("runs")
        };
        assert_eq!(kept("check src").status.code(), Some(1));
        for line in ["explain @/src/k/b.cu:3", "explain src/k/../k/b.cu:3"] {
            let output = kept(line);
            let page = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(page.contains("write of global"), "{line}: {output:?}");
        }
    }
}

#[test]
fn a_baseline_serves_from_any_folder_of_the_project() {
    let bench = bench();
    bench.file("warplog.toml", "");
    let written = bench.run("check src --write-baseline base.json --format concise");
    assert_eq!(written.status, 0, "{}", written.err);
    let text = bench.read("base.json");
    assert!(text.contains("\"file\":\"src/k/a.cu\""), "{text}");
    for (folder, line) in [
        ("", "check src --baseline base.json"),
        ("src", "check k --baseline ../base.json"),
        ("src/k", "check ../../src/k/a.cu --baseline ../../base.json"),
    ] {
        let run = within(&bench, folder, line);
        assert_eq!(run.status, 0, "{line}: {}", run.out);
        assert!(!run.out.contains("note:"), "{line}: {}", run.out);
    }
}

#[test]
fn only_what_was_looked_at_is_no_longer_found() {
    let bench = bench();
    assert_eq!(bench.run("check src --write-baseline base.json").status, 0);
    let gone = |line: &str| {
        let run = bench.run(&format!(
            "check {line} --baseline base.json --format concise"
        ));
        assert_eq!(run.status, 0, "{line}: {}", run.shown());
        let note = run.err.lines().find(|line| line.starts_with("note: "));
        note.unwrap_or_default().to_owned()
    };
    let one = "note: 1 finding of the baseline base.json no longer found: write it anew";
    assert_eq!(gone("src/k/b.cu"), "");
    assert_eq!(gone("src --kernel second"), "");
    assert_eq!(gone("src --only-inter-block"), "");
    // What is mended is gone where it was looked for, and so is what was in a file that is not there any more.
    bench.file(
        "src/k/a.cu",
        &RACY
            .replace("NAME", "first")
            .replace("p[0]", "p[threadIdx.x]"),
    );
    assert_eq!(gone("src/k/b.cu"), "");
    assert_eq!(gone("src --kernel second"), "");
    assert_eq!(gone("src"), one);
    assert_eq!(gone("src/k/a.cu"), one);
    std::fs::remove_file(bench.path().join("src/k/a.cu")).expect("removes");
    assert_eq!(gone("src"), one);
}

/// The help below the first finding of a kernel, in one line.
fn help(bench: &Bench, kernel: &str) -> String {
    let run = bench.run(&format!(
        "check h.cu --kernel {kernel} --no-preconditions --no-mends"
    ));
    let (_, rest) = run
        .out
        .split_once("= help (not proved): ")
        .unwrap_or_else(|| panic!("{}", run.out));
    let lines: Vec<&str> = rest
        .lines()
        .enumerate()
        .take_while(|(nth, line)| *nth == 0 || line.starts_with("     "))
        .map(|(_, line)| line.trim())
        .collect();
    lines.join(" ")
}

#[test]
fn help_names_what_mends_the_widest_of_the_findings() {
    let bench = bench();
    bench.file(
        "h.cu",
        "\
__global__ void update(int *h, const int *d) {
    h[d[blockIdx.x * blockDim.x + threadIdx.x]]++;
}
__global__ void bits(int *h, const int *d) {
    __shared__ int s[32];
    s[d[threadIdx.x] % 32] |= 1;
    h[threadIdx.x] = 0;
}
__global__ void any_size(int *h) {
    __shared__ int s[2048];
    s[threadIdx.x] = 1;
    h[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x + 1];
}
__global__ void __launch_bounds__(32) one_warp(int *h) {
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    h[blockIdx.x * 32 + threadIdx.x] = s[threadIdx.x + 1];
}
__global__ void blocks(int *h) {
    if (threadIdx.x == 0) h[0] = blockIdx.x;
}
__global__ void first_warp(int *h) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 32) {
        s[t] = t;
        h[t] = s[31 - t];
    }
}
__global__ void some_threads(int *h) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (t < 40) {
        s[t] = t;
        h[t] = s[39 - t];
    }
}
__global__ void first_row(int *h) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (threadIdx.y == 0 && t < 32) {
        s[t] = t;
        h[t] = s[31 - t];
    }
}
__global__ void second_row(int *h) {
    __shared__ int s[64];
    int t = threadIdx.x;
    if (threadIdx.y == 1 && t < 32) {
        s[t] = t;
        h[t] = s[31 - t];
    }
}
__global__ void one_line(int *h) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    if (t < 63) s[t] += s[t + 1];
    h[t] = 0;
}
int main() {
    int *h;
    cudaMalloc(&h, 4096);
    one_warp<<<4, 32>>>(h);
    one_line<<<1, 64>>>(h);
    first_warp<<<1, 64>>>(h);
    some_threads<<<1, 64>>>(h);
    first_row<<<1, dim3(64, 2)>>>(h);
    second_row<<<1, dim3(48, 2)>>>(h);
}
",
    );
    let told = help(&bench, "update");
    assert!(
        told.contains("(`atomicAdd`)") && told.contains("blocks of one launch"),
        "{told}"
    );
    let told = help(&bench, "bits");
    assert!(
        told.contains("(`atomicOr`)") && !told.contains("sync"),
        "{told}"
    );
    let told = help(&bench, "any_size");
    assert!(
        told.contains("`__syncthreads()`") && !told.contains("__syncwarp"),
        "{told}"
    );
    let told = help(&bench, "one_warp");
    assert!(
        told.contains("`__syncwarp()` or `__syncthreads()`"),
        "{told}"
    );
    for name in ["first_warp", "first_row"] {
        let told = help(&bench, name);
        assert!(
            told.contains(": `__syncwarp()`, where") && !told.contains("__syncthreads"),
            "{told}"
        );
    }
    // Threads of two warps, and warps that run across rows.
    for name in ["some_threads", "second_row"] {
        let told = help(&bench, name);
        assert!(
            told.contains("`__syncthreads()`") && !told.contains("__syncwarp"),
            "{told}"
        );
    }
    let told = help(&bench, "blocks");
    assert!(
        told.contains("give each block") && !told.contains("sync"),
        "{told}"
    );
    let told = help(&bench, "one_line");
    assert!(
        told.contains("`__syncthreads()` between the two") && told.contains("into a variable"),
        "{told}"
    );
}

#[test]
fn arithmetic_may_keep_a_race_in_one_warp() {
    let bench = Bench::new(env!("CARGO_BIN_EXE_warplog-under-test"));
    bench.file(
        "h.cu",
        "\
__global__ void partner(int *h) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    h[t] = s[t ^ 1];
}
__global__ void first_lane(int *h) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = t;
    h[t] = s[t & ~31];
}
__global__ void any_size(int *h) {
    __shared__ int s[1024];
    unsigned t = threadIdx.x;
    s[t] = t;
    h[t] = s[t / 32 * 32 + (t + 1) % 32];
}
__global__ void rows(int *h) {
    __shared__ int s[64];
    int t = threadIdx.y * 8 + threadIdx.x;
    s[t] = t;
    h[t] = s[t ^ 31];
}
__global__ void next_warp(int *h) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    h[t] = s[t ^ 32];
}
__global__ void neighbour(int *h) {
    __shared__ int s[256];
    int t = threadIdx.x;
    s[t] = t;
    h[t] = s[(t + 1) & 255];
}
__global__ void given(int *h, int k) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = t;
    h[t] = s[(t ^ k) & 63];
}
__global__ void wide_rows(int *h) {
    __shared__ int s[96];
    int t = threadIdx.y * 48 + threadIdx.x;
    s[t] = t;
    h[t] = s[threadIdx.y * 48 + 47 - threadIdx.x];
}
__global__ void bytes(int *h) {
    __shared__ short s[128];
    int t = threadIdx.x;
    s[2 * t + 1] = t;
    h[t] = *(int *)(s + 2 * (t ^ 1)) + *(int *)(s + 2 * ((t + 32) & 63));
}
int main() {
    int *h;
    cudaMalloc(&h, 4096);
    partner<<<1, 64>>>(h);
    first_lane<<<1, 256>>>(h);
    rows<<<1, dim3(8, 8)>>>(h);
    next_warp<<<1, 64>>>(h);
    neighbour<<<1, 256>>>(h);
    given<<<1, 64>>>(h, atoi(\"3\"));
    wide_rows<<<1, dim3(48, 2)>>>(h);
    bytes<<<1, 64>>>(h);
}
",
    );
    for name in ["partner", "first_lane", "any_size", "rows"] {
        let told = help(&bench, name);
        assert!(
            told.contains("`__syncwarp()` or `__syncthreads()`"),
            "{name}: {told}"
        );
    }
    // A barrier of the warp would leave threads of two warps unordered.
    for name in ["next_warp", "neighbour", "given", "wide_rows", "bytes"] {
        let told = help(&bench, name);
        assert!(
            told.contains("`__syncthreads()`") && !told.contains("__syncwarp"),
            "{name}: {told}"
        );
    }
}
