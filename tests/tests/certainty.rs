//! How sure a finding is, what it hangs on, and whether it does harm.

use std::collections::BTreeMap;
use std::path::Path;

use warplog::engine::Analysis;
use warplog::header::Header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::Pipeline;
use warplog::unit::{Unit, UnitOptions};
use warplog_report::{Certainty, Finding, Harm, Kernel, Verdict};

fn check(text: &str, options: &AnalysisOptions) -> Kernel {
    let mut kernels = check_all(text, options);
    assert_eq!(kernels.len(), 1, "{text}");
    kernels.remove(0)
}

fn check_all(text: &str, options: &AnalysisOptions) -> Vec<Kernel> {
    let path = Path::new("k.cu");
    let unit = Unit {
        path,
        shown: "k.cu",
        bytes: text.as_bytes(),
        options: &UnitOptions::new(options, &Header::default(), path),
    };
    Analysis.check(&unit, options).kernels
}

fn surest(kernel: &Kernel) -> &Finding {
    let findings = kernel.findings.iter();
    findings
        .max_by_key(|finding| finding.certainty)
        .expect("a finding")
}

/// A kernel of the data set and of what comes before it nothing.
fn of_data_set(name: &str) -> String {
    let path = warplog_tests::datasets().join("soundness/certainty.cu");
    let text = std::fs::read_to_string(path).expect("is read");
    let kernels = text.split("__global__ ").skip(1);
    let mut found = kernels.filter(|kernel| kernel.starts_with(&format!("void {name}(")));
    let kernel = found.next().expect("a kernel of that name");
    let (body, _) = kernel.split_once("\n}\n").expect("its end");
    format!("__global__ {body}\n}}\n")
}

#[test]
fn a_conditional_finding_asks_a_question() {
    for (name, question) in [
        ("pitch_below_width_bad", "race-free if `used <= stride`"),
        ("stride_bad", "race-free if `step >= (int)blockDim.x`"),
        ("bins_bad", "race-free if `__distinct(keys)`"),
        (
            "then_meets_bad",
            "no divergence if `n >= (int)(blockDim.x * gridDim.x)`",
        ),
    ] {
        let text = of_data_set(name);
        let kernel = check(&text, &AnalysisOptions::default());
        let finding = surest(&kernel);
        assert_eq!(finding.certainty, Certainty::Conditional, "{name}");
        assert_eq!(finding.question().as_deref(), Some(question), "{name}");
        assert!(!finding.hinges_on.is_empty(), "{name}");
        // What the question asks settles the kernel.
        let assume = finding.race_free_if.clone().into_iter();
        let sane = finding.assumptions.iter();
        let sane =
            sane.filter_map(|text| Some(text.strip_prefix('`')?.strip_suffix('`')?.to_owned()));
        let options = AnalysisOptions {
            assume: assume.chain(sane).collect(),
            ..AnalysisOptions::default()
        };
        assert_eq!(
            check(&text, &options).verdict(),
            Verdict::RaceFree,
            "{name}"
        );
    }
}

/// Values that no sane caller passes confirm nothing, unless it is said that callers are not sane.
#[test]
fn sane_callers_are_the_default() {
    let text = of_data_set("stride_bad");
    let paranoid = AnalysisOptions {
        paranoid: true,
        ..AnalysisOptions::default()
    };
    let kernel = check(&text, &paranoid);
    assert_eq!(surest(&kernel).certainty, Certainty::Confirmed);
}

/// What rests on a condition that the program itself meets or breaks is no question.
#[test]
fn launches_of_the_program_leave_nothing_open() {
    let launched = |stride: u32| {
        format!(
            "{}
             int main() {{
                 int *image;
                 cudaMalloc(&image, 4096 * sizeof(int));
                 pitch_below_width_bad<<<8, 64>>>(image, {stride}, 48);
             }}",
            of_data_set("pitch_below_width_bad")
        )
    };
    let kernel = check(&launched(40), &AnalysisOptions::default());
    assert_eq!(surest(&kernel).certainty, Certainty::Confirmed);
    let kernel = check(&launched(48), &AnalysisOptions::default());
    assert_eq!(kernel.verdict(), Verdict::RaceFree);
}

/// A condition rules out all that its finding stands for: the two places in all intervals, and through all calls.
#[test]
fn conditions_hold_for_all_that_a_finding_stands_for() {
    let path = warplog_tests::datasets().join("soundness/certainty_merged.cu");
    let text = std::fs::read_to_string(path).expect("is read");
    let found = |options: &AnalysisOptions| {
        let kernels = check_all(&text, options).into_iter();
        let by_name = kernels.map(|kernel| (kernel.name.clone(), kernel));
        by_name.collect::<BTreeMap<_, _>>()
    };
    let kernels = found(&AnalysisOptions::default());
    let mut asked = 0;
    for (name, kernel) in &kernels {
        for finding in &kernel.findings {
            let Some(condition) = finding.race_free_if.clone() else {
                continue;
            };
            asked += 1;
            let sane = finding.assumptions.iter();
            let sane =
                sane.filter_map(|text| Some(text.strip_prefix('`')?.strip_suffix('`')?.to_owned()));
            let options = AnalysisOptions {
                assume: [condition.clone()].into_iter().chain(sane).collect(),
                ..AnalysisOptions::default()
            };
            let again = &found(&options)[name].findings;
            let mut left = again
                .iter()
                .filter(|one| one.locations == finding.locations);
            assert!(left.next().is_none(), "{name}: `{condition}`");
        }
    }
    assert!(asked > 0, "no condition is told");
    let worst = kernels["look_then_keep_bad"].findings.iter();
    assert_eq!(
        worst.map(|finding| finding.harm).min(),
        Some(Harm::Possible)
    );
}

#[test]
fn harm_is_told_from_the_flow_of_values() {
    for (name, harm) in [
        ("test_before_or_bad", Harm::ByDesign),
        ("test_before_or_and_store_bad", Harm::Possible),
        ("stop_when_found_bad", Harm::ByDesign),
        ("published_bad", Harm::Possible),
        ("relax_bad", Harm::ByDesign),
        ("relax_by_store_bad", Harm::Possible),
        ("largest_by_exchange_bad", Harm::Possible),
        ("count_to_five_bad", Harm::Possible),
        ("largest_by_sum_bad", Harm::Possible),
        ("largest_by_compare_bad", Harm::ByDesign),
        ("hits_bad", Harm::Possible),
    ] {
        let kernel = check(&of_data_set(name), &AnalysisOptions::default());
        let worst = kernel.findings.iter().map(|finding| finding.harm).min();
        assert_eq!(worst, Some(harm), "{name}");
        assert_eq!(kernel.verdict(), Verdict::Racy, "{name}: it is not hidden");
    }
}

/// What a kernel asserts of its arguments is its caller's duty; a launch that breaks it is found, and so is any with
/// `--check-assertions`.
#[test]
fn assertions_about_arguments_are_assumed() {
    let kernel = "__global__ void quads(int *out, int n)
         {
             assert(n % 4 == 0);
             if (threadIdx.x < n) out[blockIdx.x * blockDim.x + threadIdx.x] = n;
         }\n";
    let open = check(kernel, &AnalysisOptions::default());
    assert_eq!(open.verdict(), Verdict::RaceFree);
    assert!(
        open.assumptions().contains(&"n % 4 == 0"),
        "{:?}",
        open.assumptions()
    );
    let launched = format!("{kernel} void run(int *out) {{ quads<<<2, 64>>>(out, 10); }}");
    let broken = check(&launched, &AnalysisOptions::default());
    assert_eq!(broken.verdict(), Verdict::AssertionFailed);
    assert_eq!(surest(&broken).certainty, Certainty::Confirmed);
    let checked = AnalysisOptions {
        check_assertions: true,
        ..AnalysisOptions::default()
    };
    assert_eq!(check(kernel, &checked).verdict(), Verdict::AssertionFailed);
    // What it asserts of a thread is asked as ever.
    let of_thread = kernel.replace("n % 4 == 0", "threadIdx.x < n");
    let kernel = check(&of_thread, &AnalysisOptions::default());
    assert_eq!(kernel.verdict(), Verdict::AssertionFailed);
}

/// A transpose of tiles, as its block is meant to be: 32 by 8 threads.
const TILES: &str = "__global__ void turn(int *out)
{
    __shared__ int tile[32][33];
    for (int row = 0; row < 32; row += 8)
        tile[threadIdx.y + row][threadIdx.x] = threadIdx.x + row;
    __syncthreads();
    for (int row = 0; row < 32; row += 8)
        out[(threadIdx.y + row) * 32 + threadIdx.x] = tile[threadIdx.x][threadIdx.y + row];
}
";

/// Blocks larger than the tile are no blocks of a sane caller, as far as numbers of the code bound them.
#[test]
fn a_tile_bounds_the_block() {
    let kernel = check(TILES, &AnalysisOptions::default());
    let finding = surest(&kernel);
    assert_eq!(finding.certainty, Certainty::Conditional);
    let question = finding.race_free_if.as_deref().expect("a condition");
    assert!(question.contains("blockDim.x <= 3"), "{question}");
    assert!(question.contains("blockDim.y <= 8"), "{question}");
    // Two threads at one place in every such block.
    let wrong = TILES.replace("[threadIdx.x] =", "[threadIdx.x / 2] =");
    let kernel = check(&wrong, &AnalysisOptions::default());
    assert_eq!(surest(&kernel).certainty, Certainty::Confirmed);
}

/// What stands only in code that never runs is no launch of the program: nothing is confirmed of it.
#[test]
fn a_launch_that_never_runs_confirms_nothing() {
    let host = |condition: &str| {
        format!("{TILES}void run(int *out) {{ if ({condition}) turn<<<1, dim3(32, 16)>>>(out); }}")
    };
    let never = check(&host("0"), &AnalysisOptions::default());
    let finding = surest(&never);
    assert_eq!(finding.certainty, Certainty::Potential);
    let reasons = finding.reasons.join("; ");
    assert!(
        reasons.contains("does not come to its launch in `run`"),
        "{reasons}"
    );
    let always = check(&host("1"), &AnalysisOptions::default());
    assert_eq!(surest(&always).certainty, Certainty::Confirmed);
}

/// A kernel with the condition that rules its findings out.
fn ruled_out_by(text: &str, question: &str) {
    let kernel = check(text, &AnalysisOptions::default());
    let finding = surest(&kernel);
    assert_eq!(finding.certainty, Certainty::Conditional, "{text}");
    assert_eq!(finding.race_free_if.as_deref(), Some(question), "{text}");
    let options = AnalysisOptions {
        assume: vec![question.to_owned()],
        ..AnalysisOptions::default()
    };
    let assumed = check(text, &options);
    assert_eq!(assumed.verdict(), Verdict::RaceFree, "{text}");
}

/// Relations under which places are apart by their digits: a solver or the rules prove them, and what is told is enough by itself.
#[test]
fn digits_of_places_are_asked_for() {
    let path = warplog_tests::datasets().join("soundness/certainty_digits.cu");
    let text = std::fs::read_to_string(path).expect("is read");
    let of = |name: &str| {
        let mut kernels = text.split("__global__ ").skip(1);
        let kernel = kernels.find(|kernel| kernel.starts_with(&format!("void {name}(")));
        let (body, _) = kernel
            .and_then(|it| it.split_once("\n}\n"))
            .expect("a kernel");
        format!("__global__ {body}\n}}\n")
    };
    let in_bytes = of("rows_in_bytes_bad");
    for text in [&in_bytes, &of("slices_in_bytes_bad")] {
        let kernel = check(text, &AnalysisOptions::default());
        let question = Some("4 * width <= pitch");
        let mut findings = kernel.findings.iter();
        let told = findings.find(|finding| finding.race_free_if.as_deref() == question);
        assert_eq!(
            told.expect("the question").certainty,
            Certainty::Conditional
        );
        let options = AnalysisOptions {
            assume: question.map(str::to_owned).into_iter().collect(),
            ..AnalysisOptions::default()
        };
        assert_eq!(check(text, &options).verdict(), Verdict::RaceFree);
    }
    // As many bytes as there are columns are not enough, and where columns share an element, no width is.
    let weaker = AnalysisOptions {
        assume: vec!["width <= pitch".to_owned()],
        ..AnalysisOptions::default()
    };
    assert_eq!(check(&in_bytes, &weaker).verdict(), Verdict::Racy);
    let shared = check(&of("columns_halved_bad"), &AnalysisOptions::default());
    assert_eq!(surest(&shared).certainty, Certainty::Confirmed);
}

/// Writes an image whose width another file computes.
const ROWS: &str = "int width_of(int file);\n\
    __global__ void paint(int *image, int wide) {\n\
    \x20   int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;\n\
    \x20   image[y * wide + x] = x + 100 * y;\n}\n\
    void show(int *image, int file) {\n\
    \x20   int wide = width_of(file);\n\
    \x20   paint<<<dim3(4, 4), dim3(16, 16)>>>(image, wide);\n}\n";

/// What host code computes in a way that is not followed is asked like what a caller passes.
#[test]
fn values_of_host_code_are_asked_for() {
    let kernel = check(ROWS, &AnalysisOptions::default());
    let questions: Vec<&str> = kernel
        .findings
        .iter()
        .filter_map(|finding| finding.race_free_if.as_deref())
        .collect();
    assert_eq!(questions, ["wide >= 32", "wide >= 64"]);
    assert_eq!(surest(&kernel).certainty, Certainty::Conditional);
    // Where no condition rules a race out, it hangs on what was not followed.
    let wrong = ROWS.replace("image[y * wide + x]", "image[y * wide + x / 2]");
    let kernel = check(&wrong, &AnalysisOptions::default());
    let open = kernel
        .findings
        .iter()
        .find(|finding| finding.race_free_if.is_none());
    let open = open.expect("one that no condition rules out");
    assert_eq!(open.certainty, Certainty::Conditional);
    assert!(open.hinges_on.iter().any(|name| name == "wide"), "{open:?}");
    let options = AnalysisOptions {
        assume: vec!["wide >= 64".to_owned()],
        ..AnalysisOptions::default()
    };
    assert_eq!(check(&wrong, &options).verdict(), Verdict::Racy);
}

/// A size of the block that host code passes on is spoken of by the name that the kernel has for it.
#[test]
fn sizes_of_launches_are_spoken_of_as_such() {
    for threads in ["threads", "chosen_for(threads)"] {
        let text = format!(
            "int chosen_for(int n);\n\
             __global__ void number(int *out) {{\n\
             \x20   out[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;\n}}\n\
             void run(int *out, int threads) {{ number<<<4, {threads}>>>(out); }}\n"
        );
        ruled_out_by(&text, "blockDim.x <= 64");
    }
}

/// A name that only host code has can be answered for, too; where the kernel has another value of that name, that one is meant.
#[test]
fn values_that_only_host_code_names_can_be_assumed() {
    let text = |parameter: &str, argument: &str| {
        format!(
            "__global__ void number(int *out{parameter}) {{\n\
             \x20   out[(blockIdx.x * blockDim.x + threadIdx.x) % 256] = blockIdx.x;\n}}\n\
             void run(int *out, int items) {{ number<<<(items + 63) / 64, 64>>>(out{argument}); }}\n"
        )
    };
    let options = AnalysisOptions {
        assume: vec!["items <= 256".to_owned()],
        ..AnalysisOptions::default()
    };
    let own = check(&text("", ""), &options);
    assert_eq!(own.verdict(), Verdict::RaceFree);
    let other = check(&text(", int items", ", items / 2"), &options);
    assert_eq!(other.verdict(), Verdict::Racy);
}

/// Rows of a block of two dimensions are as long as the code says by the number that it multiplies by.
#[test]
fn rows_of_a_block_are_bounded_by_the_code() {
    const GATHER: &str = "__global__ void gather(float *out, const float *in) {\n\
        \x20   __shared__ float part[2048];\n\
        \x20   int x = threadIdx.x, y = threadIdx.y;\n\
        \x20   for (int i = 0; i < 8; i++) part[128 * y + 16 * i + x] = in[128 * blockIdx.x + 16 * i + x] + y;\n\
        \x20   __syncthreads();\n\
        \x20   if (x == 0 && y == 0) out[blockIdx.x] = part[0];\n}\n";
    ruled_out_by(GATHER, "blockDim.x <= 16");
    // A row too short by one is the code's fault.
    let wrong = GATHER.replace("16 * i + x] = in", "15 * i + x] = in");
    let kernel = check(&wrong, &AnalysisOptions::default());
    assert_ne!(kernel.verdict(), Verdict::RaceFree);
    assert_eq!(surest(&kernel).certainty, Certainty::Confirmed);
}

/// Work for a single warp is no condition on a kernel that is made for many blocks: the barrier is missing for every other.
#[test]
fn work_for_one_warp_settles_nothing() {
    const TILES_OF_ALL: &str = "__global__ void nearest(float *best, const float *at, int n) {\n\
        \x20   __shared__ float tile[128];\n\
        \x20   int i = blockIdx.x * blockDim.x + threadIdx.x;\n\
        \x20   float least = 1e30f;\n\
        \x20   for (int base = 0; base < n; base += 128) {\n\
        \x20       if (base + threadIdx.x < n) tile[threadIdx.x] = at[base + threadIdx.x];\n\
        \x20       __syncthreads();\n\
        \x20       for (int j = 0; j < 128 && base + j < n; j++) least = fminf(least, tile[j] - i);\n\
        \x20   }\n\
        \x20   best[i] = least;\n}\n\
        void run(float *best, const float *at, int n) { nearest<<<(n + 127) / 128, 128>>>(best, at, n); }\n";
    let kernel = check(TILES_OF_ALL, &AnalysisOptions::default());
    assert_eq!(surest(&kernel).certainty, Certainty::Confirmed);
}

/// Two relations at once, where neither is enough.
#[test]
fn places_of_three_dimensions_want_rows_and_planes() {
    let of = |index: &str| {
        format!(
            "__global__ void number(int *out, int width, int height) {{\n\
             \x20   out[{index}] = threadIdx.x + 2 * threadIdx.y + 3 * threadIdx.z;\n}}\n"
        )
    };
    ruled_out_by(
        &of("(threadIdx.z * height + threadIdx.y) * width + threadIdx.x"),
        "width >= (int)blockDim.x && height >= (int)blockDim.y",
    );
    ruled_out_by(
        &of("threadIdx.z * height + threadIdx.y * width + threadIdx.x"),
        "width >= (int)blockDim.x && width * (int)blockDim.y <= height",
    );
    // However wide the rows are.
    let shared = check(
        &of("(threadIdx.z * height + threadIdx.y) * width + threadIdx.x / 2"),
        &AnalysisOptions::default(),
    );
    assert_eq!(surest(&shared).certainty, Certainty::Confirmed);
}

/// What a kernel receives of a number of the host is spoken of by the kernel's name for it.
#[test]
fn what_a_kernel_receives_is_spoken_of_by_its_name() {
    let text = "struct Vector { size_t size_; float *data_; size_t size() const { return size_; } float *data() { return data_; } };\n\
         __global__ void add(float *sums, const float *in, int first, int last, int many) {\n\
         \x20   int i = blockIdx.x * 128 + threadIdx.x + first;\n\
         \x20   if (i < last) { sums[i] += in[i]; sums[i + many] += in[i]; }\n}\n\
         void run(Vector &sums, Vector &in, int first, int last) {\n\
         \x20   add<<<(last - first + 127) / 128, 128>>>(sums.data(), in.data(), first, last, in.size());\n}\n";
    let kernel = check(text, &AnalysisOptions::default());
    let finding = surest(&kernel);
    assert_eq!(finding.certainty, Certainty::Conditional);
    assert_eq!(finding.race_free_if.as_deref(), Some("last <= many"));
}

/// A size in constant memory is the caller's.
#[test]
fn constant_memory_is_an_input() {
    let text = "__constant__ int pitch;\n\
        __global__ void number(int *out) {\n\
        \x20   int y = blockIdx.y;\n\
        \x20   out[y * pitch + threadIdx.x] = threadIdx.x + 2 * y;\n}\n";
    let kernel = check(text, &AnalysisOptions::default());
    let finding = surest(&kernel);
    assert_eq!(finding.certainty, Certainty::Conditional);
    let hinges = finding.hinges_on.join(" ");
    assert!(hinges.contains("pitch[]") || finding.race_free_if.is_some());
}

/// A reader is shown threads of a launch that somebody makes.
#[test]
fn witnesses_are_of_usual_sizes() {
    let text = "__global__ void count(int *bins) {\n\
        \x20   int i = (blockIdx.x * blockDim.x + threadIdx.x) % 100;\n\
        \x20   bins[i] = bins[i] + 1;\n}\n";
    let kernel = check(text, &AnalysisOptions::default());
    let finding = surest(&kernel);
    assert_eq!(finding.certainty, Certainty::Confirmed);
    let witness = finding.witness.as_ref().expect("a witness");
    assert!(witness.grid_dim[0] <= 65_535, "{witness:?}");
}

/// Host code of more steps than are followed, around launches that are found at its begin.
const LONG_WAY: &str = "
struct Tally { int up, down, best; };
void settle(Tally &t, float *x, int n) {
  for (int a = 0; a < n; a++)
    for (int b = a; b > 0; b--)
      for (int c = 0; c < b; c += 2) {
        if (c % 5 == 1) t.up += c; else t.down -= c;
        t.best = t.best < c ? t.up * t.down : t.best + 1;
      }
  of_blocks<<<n / 64 + 1, 64>>>(x, n);
}
void once(Tally &t, float *x, int n) { settle(t, x, n); settle(t, x, n + t.up); settle(t, x, t.down); }
void twice(Tally &t, float *x, int n) { once(t, x, n); once(t, x, n + t.up); once(t, x, t.down); once(t, x, t.best); }
void often(Tally &t, float *x, int n) { twice(t, x, n); twice(t, x, n + t.up); twice(t, x, t.down); twice(t, x, t.best); }
void always(Tally &t, float *x, int n) { often(t, x, n); often(t, x, n + t.up); often(t, x, t.down); often(t, x, t.best); }
void for_ever(Tally &t, float *x, int n) { always(t, x, n); always(t, x, n + t.up); always(t, x, t.down); always(t, x, t.best); }
void first(Tally &t, float *x, int n) { for_ever(t, x, n); for_ever(t, x, n + t.up); for_ever(t, x, t.down); for_ever(t, x, t.best); }
";

#[test]
fn host_code_that_is_not_followed_to_its_end_confirms_nothing_of_its_own() {
    // Race-free at each launch of the program, and not with blocks of another size: that is potential, and says why.
    let apart = "__global__ void of_blocks(float *x, int n) { int i = 64 * blockIdx.x + threadIdx.x; if (i < n) x[i] += 1; }";
    let kernel = check(&format!("{apart}{LONG_WAY}"), &AnalysisOptions::default());
    assert!(!kernel.findings.is_empty(), "all of it was followed");
    for finding in &kernel.findings {
        assert_eq!(finding.certainty, Certainty::Potential, "{finding:?}");
        let reasons = finding.reasons.join("; ");
        assert!(
            reasons.contains("host code was not followed to its end"),
            "{reasons}"
        );
    }
    // What is wrong at each launch is confirmed for those that were found, whatever else is not followed.
    let shared = "__global__ void of_blocks(float *x, int n) { int i = 32 * blockIdx.x + threadIdx.x; if (i < n) x[i] += 1; }";
    let kernel = check(&format!("{shared}{LONG_WAY}"), &AnalysisOptions::default());
    assert_eq!(surest(&kernel).certainty, Certainty::Confirmed);
}
