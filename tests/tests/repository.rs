//! Whole repositories: kernels in headers, headers that must be found, compile commands, and what a run covers.
//!
//! Each test writes a small repository and reads the JSON of `warplog check` on it.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

fn repository(files: &[(&str, &str)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
        fs::write(path, text).expect("a file");
    }
    folder
}

/// Status, standard output and standard error of the program, run in the repository.
fn run(folder: &Path, line: &str) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_warplog-under-test"))
        .current_dir(folder)
        .args(line.split_whitespace())
        .stdin(Stdio::null())
        .output()
        .expect("runs");
    (
        output.status.code().expect("a status"),
        String::from_utf8(output.stdout).expect("UTF-8"),
        String::from_utf8(output.stderr).expect("UTF-8"),
    )
}

fn report(folder: &TempDir, line: &str) -> Value {
    let (_, out, err) = run(folder.path(), &format!("check {line} --format json"));
    serde_json::from_str(&out).unwrap_or_else(|error| panic!("{error}: {out}{err}"))
}

/// `file:line name verdict launches` of each kernel.
fn kernels(report: &Value) -> Vec<String> {
    let kernels = report["kernels"].as_array().expect("kernels");
    kernels
        .iter()
        .map(|kernel| {
            let launches: Vec<&str> = kernel["launches"]
                .as_array()
                .expect("launches")
                .iter()
                .filter_map(|launch| launch["source"].as_str())
                .collect();
            format!(
                "{}:{} {} {} {}",
                kernel["file"].as_str().expect("a file"),
                kernel["line"],
                kernel["name"].as_str().expect("a name"),
                kernel["verdict"].as_str().expect("a verdict"),
                launches.join("+")
            )
        })
        .collect()
}

/// Racy for blocks of more than 32 threads, race-free for one of 32 and its one element each.
const SHIFT: &str = "\
#pragma once
__global__ void shift(int *out)
{
    __shared__ int tile[WIDTH];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = tile[threadIdx.x % WIDTH];
}
";

#[test]
fn a_kernel_in_a_header_is_one_kernel_with_the_launches_of_all_units() {
    let folder = repository(&[
        ("common/shift.cuh", SHIFT),
        (
            "a/a.cu",
            "#define WIDTH 64\n#include \"../common/shift.cuh\"\nvoid a(int *p) { shift<<<4, 64>>>(p); }\n",
        ),
        (
            "b/b.cu",
            "#define WIDTH 64\n#include \"../common/shift.cuh\"\nvoid b(int *p) { shift<<<2, 32>>>(p); }\n",
        ),
        (
            "c/c.cu",
            "#define WIDTH 64\n#include \"../common/shift.cuh\"\n",
        ),
    ]);
    let one = report(&folder, ". --jobs 1");
    assert_eq!(
        kernels(&one),
        ["common/shift.cuh:2 shift race_free code+code"]
    );
    assert_eq!(one["errors"], serde_json::json!([]));
    for jobs in [2, 3, 8] {
        assert_eq!(
            report(&folder, &format!(". --jobs {jobs}")),
            one,
            "{jobs} jobs"
        );
    }
    // The same from facts, in which every unit has its own copy.
    let (status, _, err) = run(folder.path(), "facts . --out facts");
    assert_eq!(status, 0, "{err}");
    let (_, out, _) = run(folder.path(), "solve facts --format json");
    let solved: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(solved, one);
}

#[test]
fn a_source_that_others_include_is_read_as_part_of_them() {
    let part = "__global__ void k(Pair *p) { p[threadIdx.x].first = threadIdx.x; }\n";
    let unit = "struct Pair { int first, second; };\n#include \"k.cu\"\nvoid f(Pair *p) { k<<<1, 64>>>(p); }\n";
    let folder = repository(&[("k.cu", part), ("unit.cu", unit)]);
    let one = report(&folder, ".");
    assert_eq!(kernels(&one), ["k.cu:1 k race_free code"]);
    // Named, it is what was asked for.
    let named = report(&folder, "k.cu");
    assert_eq!(kernels(&named), ["k.cu:1 k unknown symbolic"]);
}

#[test]
fn findings_of_several_units_are_one() {
    let kernel = "__global__ void k(int *p) { p[0] = threadIdx.x; }\n";
    let unit = "#include \"k.h\"\nvoid f(int *p) { k<<<1, 64>>>(p); }\n";
    let folder = repository(&[("k.h", kernel), ("a.cu", unit), ("b.cu", unit)]);
    let report = report(&folder, ".");
    assert_eq!(kernels(&report), ["k.h:1 k racy code+code"]);
    let findings = report["kernels"][0]["findings"]
        .as_array()
        .expect("findings");
    let mut places: Vec<String> = findings
        .iter()
        .map(|finding| format!("{}{}", finding["scope"], finding["locations"]))
        .collect();
    let all = places.len();
    assert!(all > 0);
    places.sort();
    places.dedup();
    assert_eq!(places.len(), all);
}

#[test]
fn headers_with_kernels_are_read_by_themselves_when_nobody_includes_them() {
    let kernel = "__global__ void k(int *p) { p[threadIdx.x] = 1; }\n";
    let folder = repository(&[
        ("alone.cuh", kernel),
        ("alone.h", kernel),
        ("host.h", "int f(int);\n"),
        ("used.h", kernel),
        ("a.cu", "#include \"used.h\"\n"),
        // A kernel that its only unit leaves out is read where it is active.
        (
            "part.cuh",
            "#ifndef LESS\n__global__ void part(int *p) { p[threadIdx.x] = 1; }\n#endif\n",
        ),
        ("b.cu", "#define LESS\n#include \"part.cuh\"\n"),
    ]);
    let report = report(&folder, ". --block-dim 32 --grid-dim 1 --coverage");
    assert_eq!(
        kernels(&report),
        [
            "alone.cuh:1 k race_free flag",
            "alone.h:1 k race_free flag",
            "part.cuh:2 part race_free flag",
            "used.h:1 k race_free flag",
        ]
    );
    assert_eq!(
        report["coverage"]["inactive_kernels"],
        serde_json::json!([])
    );
    assert_eq!(report["coverage"]["files"], 5);
}

#[test]
fn a_file_that_includes_itself_has_its_kernel_once() {
    let folder = repository(&[(
        "self.cu",
        "#include \"self.cu\"\n__global__ void k(int *p) { p[threadIdx.x] = 1; }\nvoid f(int *p) { k<<<1, 32>>>(p); }\n",
    )]);
    let report = report(&folder, ".");
    let kernels = report["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.len(), 1);
    assert_eq!(
        kernels[0]["launches"].as_array().expect("launches").len(),
        1
    );
}

#[test]
fn folders_of_headers_are_guessed_and_told() {
    let folder = repository(&[
        ("common/inc/size.h", "#define WIDTH 32\n"),
        ("far/inc/size.h", "#define WIDTH 0\n"),
        ("common/math.h", "#error not this one\n"),
        (
            "common/src/k.cu",
            "#include <math.h>\n#include \"size.h\"\n__global__ void k(int *p) { if (threadIdx.x < WIDTH) p[threadIdx.x % WIDTH] = 1; }\nvoid f(int *p) { k<<<1, 32>>>(p); }\n",
        ),
    ]);
    let (_, out, err) = run(folder.path(), "check . --coverage --format json");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(kernels(&report), ["common/src/k.cu:3 k race_free code"]);
    assert_eq!(
        report["coverage"]["guessed_headers"],
        serde_json::json!([{"file": "common/inc/size.h", "ambiguous": true}])
    );
    assert_eq!(
        err,
        "note: include folder `common/inc` guessed for size.h; other folders have files of such names too (-I or -p settles it)\n"
    );
    // The same file by itself: nothing is scanned, so nothing is guessed.
    let (_, out, _) = run(
        folder.path(),
        "check common/src/k.cu --coverage --format json",
    );
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        report["coverage"]["missing_headers"],
        serde_json::json!({"own": [{"name": "size.h", "files": 1}], "system": [{"name": "math.h", "files": 1}]})
    );
    // A folder that is given wins over a guess.
    let (_, out, err) = run(folder.path(), "check . -I far/inc --format json");
    assert!(!err.contains("guessed"), "{err}");
    assert!(!out.contains("\"racy\""), "{out}");
}

#[test]
fn makefiles_are_asked_for_macros_and_told() {
    let folder = repository(&[
        (
            "a/Makefile",
            "FLAGS = -Iinc\nDEBUG = no\nifeq ($(DEBUG),yes)\nFLAGS += -DSTRIDE=2\nelse\nFLAGS += -DSTRIDE=1 -arch=sm_60\nendif\n\
            prog: k.o\n\tnvcc $(FLAGS) $^ -o $@\n%.o: %.cu\n\tnvcc $(FLAGS) -c $<\n",
        ),
        ("a/src/k.cu", STRIDED),
        ("a/inc/width.h", "#define WIDTH 0\n"),
        ("b/k.cu", STRIDED),
        (
            "b/width.h",
            "#define WIDTH 0\n#ifndef STRIDE\n#define STRIDE 2\n#endif\n",
        ),
    ]);
    let checked = |arguments: &str| {
        let line = format!("check {arguments} --block-dim 64 --grid-dim 1 --format json");
        let (_, out, err) = run(folder.path(), &line);
        let report: Value = serde_json::from_str(&out).expect("JSON");
        (kernels(&report), err)
    };
    let (all, err) = checked(".");
    assert_eq!(
        all,
        ["a/src/k.cu:2 k race_free flag", "b/k.cu:2 k racy flag"]
    );
    assert_eq!(
        err,
        "note: flags guessed from `a/Makefile`: -DSTRIDE -Ia/inc (-D, -U or -p settles it)\n"
    );
    // The command line has the last word, and a file that is named has no folder that is searched.
    let (all, _) = checked("a -D STRIDE=2");
    assert_eq!(all, ["a/src/k.cu:2 k racy flag"]);
    let (_, err) = checked("a/src/k.cu -I a/inc");
    assert!(!err.contains("guessed"), "{err}");
}

/// Race-free only if `STRIDE` is 1, which the flags say.
const STRIDED: &str = "#include \"width.h\"\n__global__ void k(int *p) { p[threadIdx.x / STRIDE + WIDTH] = threadIdx.x; }\n";

#[test]
fn compile_commands_give_macros_and_folders() {
    let folder = repository(&[
        ("src/k.cu", STRIDED),
        ("src/other.cu", STRIDED),
        ("src/host.cpp", "int main() {}\n"),
        ("src/device.cpp", STRIDED),
        ("inc dir/width.h", "#define WIDTH 0\n"),
        ("build/flags.rsp", "-DSTRIDE=1 -I'../inc dir'"),
        (
            "build/compile_commands.json",
            r#"[
            {"directory": "build", "file": "../src/k.cu", "command": "nvcc @flags.rsp -gencode arch=compute_80,code=sm_80 -dc ../src/k.cu"},
            {"directory": ".", "file": "../src/host.cpp", "command": "g++ -c ../src/host.cpp"},
            {"directory": ".", "file": "../src/device.cpp", "arguments": ["nvcc", "-x", "cu", "-D", "STRIDE=2", "-isystem", "../inc dir", "../src/device.cpp"]}
            ]"#,
        ),
    ]);
    // `directory` of the first entry is meant from where the database is; both spellings must lead to the response file.
    let text = fs::read_to_string(folder.path().join("build/compile_commands.json")).expect("read");
    let root = folder.path().join("build").display().to_string();
    let text = text.replace(
        "\"directory\": \"build\"",
        &format!("\"directory\": \"{root}\""),
    );
    fs::write(folder.path().join("build/compile_commands.json"), text).expect("written");

    let (_, out, err) = run(
        folder.path(),
        "check src -p build --block-dim 64 --grid-dim 1 --format json --coverage",
    );
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        kernels(&report),
        [
            "src/device.cpp:2 k racy flag",
            "src/k.cu:2 k race_free flag",
            // By the flags of the file next to it: the first in the order of paths among the nearest.
            "src/other.cu:2 k racy flag",
        ]
    );
    assert_eq!(report["errors"], serde_json::json!([]));
    assert!(
        err.contains("note: `src/other.cu` not in the compile commands"),
        "{err}"
    );
    assert_eq!(
        report["coverage"]["missing_headers"]["own"],
        serde_json::json!([])
    );
}

#[test]
fn the_architecture_decides_what_is_active_and_several_commands_are_all_read() {
    let folder = repository(&[
        (
            "k.cu",
            "#if __CUDA_ARCH__ >= 800\n__global__ void young(int *p) { p[threadIdx.x] = 1; }\n#else\n__global__ void old(int *p) { p[threadIdx.x] = 1; }\n#endif\n",
        ),
        (
            "compile_commands.json",
            r#"[
            {"directory": ".", "file": "k.cu", "command": "nvcc -arch=sm_90 -c k.cu"},
            {"directory": ".", "file": "k.cu", "command": "nvcc -arch=sm_70 -c k.cu"},
            {"directory": ".", "file": "k.cu", "command": "nvcc  -arch=sm_70 -c k.cu -o twice.o"}
            ]"#,
        ),
    ]);
    let names = |report: &Value| -> Vec<String> {
        let kernels = report["kernels"].as_array().expect("kernels").iter();
        kernels
            .map(|kernel| kernel["name"].as_str().expect("a name").to_owned())
            .collect()
    };
    let both = report(&folder, ". -p compile_commands.json --coverage");
    assert_eq!(names(&both), ["young", "old"]);
    assert_eq!(both["coverage"]["inactive_kernels"], serde_json::json!([]));
    assert_eq!(both["coverage"]["files"], 1);
    let plain = report(&folder, ". --coverage");
    assert_eq!(names(&plain), ["old"]);
    assert_eq!(
        plain["coverage"]["inactive_kernels"],
        serde_json::json!([{"file": "k.cu", "line": 2, "name": "young"}])
    );
}

#[test]
fn a_wrong_database_is_an_error_with_advice() {
    let folder = repository(&[
        ("a.cu", "__global__ void k(int *p) {}\n"),
        ("bad/compile_commands.json", "[\n{\"file\": }]"),
        ("object/compile_commands.json", "{}"),
        ("part/compile_commands.json", "[{\"directory\": \".\"}]"),
    ]);
    for (where_, words) in [
        (
            "bad",
            "bad/compile_commands.json:2: the compile commands are no JSON",
        ),
        (
            "object",
            "not a list of objects with `directory`, `file` and",
        ),
        (
            "gone",
            "gone: cannot read the compile commands: no such file or directory; `cmake",
        ),
    ] {
        let (status, out, _) = run(folder.path(), &format!("check a.cu -p {where_}"));
        assert_eq!(status, 3, "{out}");
        assert!(out.contains(words), "{out}");
    }
    // One entry that means nothing does not keep the kernels from being checked.
    let (status, out, _) = run(folder.path(), "check a.cu -p part");
    assert_eq!(status, 3, "{out}");
    assert!(
        out.contains("entry 1 has no `file`; it is left out"),
        "{out}"
    );
    assert!(out.contains("a.cu:1 k"), "{out}");
}

#[test]
fn hip_sources_are_read() {
    let folder = repository(&[(
        "k.hip",
        "#include <hip/hip_runtime.h>\n#ifdef __HIPCC__\n__global__ void k(int *p) { p[threadIdx.x] = 1; }\n#endif\n\
         void f(int *p) { hipLaunchKernelGGL(k, dim3(1), dim3(32), 0, 0, p); }\n\
         template <typename T> __global__ void t(T *p) { p[threadIdx.x] = 1; }\n\
         void g(int *p) { hipLaunchKernelGGL(HIP_KERNEL_NAME(t<int>), 1, 32, 0, 0, p); }\n",
    )]);
    assert_eq!(
        kernels(&report(&folder, ".")),
        ["k.hip:3 k race_free code", "k.hip:6 t<int> race_free code"]
    );
}

#[test]
fn coverage_counts_what_is_modelled_and_bound() {
    let folder = repository(&[(
        "a.cu",
        "#if USE_IT\n#endif\n\
         __global__ void good(int *p) { p[threadIdx.x] = 1; }\n\
         __device__ void unknown_body(int *p);\n\
         __global__ void calls(int *p) { unknown_body(p); }\n\
         __global__ void unlaunched(int *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n\
         void f(int *p) { good<<<1, 64>>>(p); calls<<<1, 64>>>(p); }\n",
    )]);
    let coverage = report(&folder, ". --coverage")["coverage"].clone();
    assert_eq!(coverage["kernels"], 3);
    assert_eq!(coverage["modelled"], 2);
    assert_eq!(coverage["decided"], 2);
    assert_eq!(coverage["launched"], 2);
    assert_eq!(coverage["bound"], 2);
    assert_eq!(coverage["verdicts"]["unknown"], 1);
    assert_eq!(
        coverage["undefined_names"],
        serde_json::json!([{"name": "USE_IT", "files": 1}])
    );
    let reason = &coverage["reasons"][0];
    assert_eq!(reason["kernels"], 1);
    assert_eq!(reason["kind"], "not_modelled");
    assert!(
        reason["reason"]
            .as_str()
            .is_some_and(|text| text.contains("`unknown_body`")),
        "{reason}"
    );
    assert!(coverage.get("microseconds").is_none());
    let timed = report(&folder, ". --coverage --timings");
    assert!(
        timed["coverage"]["microseconds"]["total"]
            .as_u64()
            .is_some_and(|time| time > 0)
    );

    let (_, text, _) = run(folder.path(), "check . --coverage");
    assert!(text.contains("\ncoverage\n"), "{text}");
    assert!(
        text.contains("  modelled                2 of 3 (66.6 %)\n"),
        "{text}"
    );
    assert!(!text.contains("time, median"), "{text}");
    let (_, text, _) = run(folder.path(), "check .");
    assert!(!text.contains("coverage"), "{text}");
}

#[test]
fn kernels_of_headers_outside_of_the_folders_are_not_checked() {
    let folder = repository(&[
        (
            "app/k.cu",
            "#include \"../third/x.cuh\"\n__global__ void own(int *a) { put(a, threadIdx.x + blockIdx.x * blockDim.x); }\n",
        ),
        (
            "third/x.cuh",
            "#pragma once\n__device__ inline void put(int *a, int i) { a[i] = i; }\n\
             __global__ void theirs(int *a) { a[0] = threadIdx.x; }\n\
             template<class T> __global__ void more(T *a) { a[0] = threadIdx.x; }\n",
        ),
        ("empty/k.cu", "#include \"../third/x.cuh\"\n"),
    ]);
    let names = |line: &str| -> Vec<String> {
        let report = report(&folder, line);
        let kernels = report["kernels"].as_array().expect("kernels");
        let names = kernels.iter().filter_map(|kernel| kernel["name"].as_str());
        names.map(str::to_owned).collect()
    };
    // What the kernels of the folder make of the header counts; its own kernels are said to be left out.
    assert_eq!(names("app"), ["own"]);
    let (status, _, err) = run(folder.path(), "check app --format concise");
    assert_eq!(status, 0, "{err}");
    let note =
        "third/x.cuh:1: 2 kernels are not checked: this header is outside of the folders that are";
    assert!(err.contains(note), "{err}");
    // Who asks for the folder, the file or the kernel gets them.
    for line in ["app third", "app/k.cu", "."] {
        let names = names(line);
        assert!(
            names.iter().any(|name| name == "theirs"),
            "{line}: {names:?}"
        );
    }
    assert_eq!(names("app --kernel theirs"), ["theirs"]);
    // A scan of nothing else has checked nothing.
    let (status, ..) = run(folder.path(), "check empty");
    assert_eq!(status, 3);
}
