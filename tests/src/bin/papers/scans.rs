//! The part of `make papers` about Chong, Donaldson, Kelly, Ketema and Qadeer, "Barrier Invariants" (OOPSLA 2013): scans and compaction.
//!
//! Time is that of the processor in this thread, where the system tells it: other programs on the machine do not count.

use std::fmt::Write as _;
use std::time::Instant;

use warplog_tests::labels::LabelledFile;

use super::{check, find, verdict};

/// Threads of a block at which compaction is asked for by its specification alone.
const SPECIFIED: [u64; 6] = [4, 64, 1_024, 4_096, 32_768, 1 << 31];

/// Threads of a block at which scans are asked for.
const SCANNED: [u64; 4] = [8, 64, 256, 1_024];

/// Types of elements by their bits.
const ELEMENTS: [(u32, &str); 4] = [
    (8, "unsigned char"),
    (16, "unsigned short"),
    (32, "unsigned"),
    (64, "unsigned long long"),
];

/// Scans with their operators, and the kernels.
const SCANS: [(&str, &str, &str); 7] = [
    ("Blelloch", "+", "blelloch_sums_ok"),
    ("Blelloch", "max", "blelloch_largest_ok"),
    ("Blelloch", "\\|", "blelloch_bits_ok"),
    ("Brent-Kung", "+", "brent_kung_sums_ok"),
    ("Brent-Kung", "max", "brent_kung_largest_ok"),
    ("Brent-Kung", "\\|", "brent_kung_bits_ok"),
    ("Kogge-Stone", "+", "kogge_stone_sums_ok"),
];

/// What the file says the type of elements is.
const DECLARED: &str = "typedef unsigned Element;";

/// Milliseconds that this thread has run.
pub(super) fn processor() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanoseconds / 1e6)
}

/// A verdict with the milliseconds that it took.
fn timed(file: &LabelledFile, name: &str, block: u64) -> (String, f64) {
    let (start, before) = (Instant::now(), processor());
    let checked = check(file, name, Some([block, 1, 1]));
    let wall = start.elapsed().as_secs_f64() * 1e3;
    let spent = before
        .zip(processor())
        .map(|(before, after)| after - before);
    (verdict(checked.as_ref()), spent.unwrap_or(wall))
}

fn row(page: &mut String, file: &LabelledFile, name: &str, blocks: &[u64]) {
    for &block in blocks {
        let (word, time) = timed(file, name, block);
        let _ = write!(page, " {word} {time:.0} |");
    }
    page.push('\n');
}

/// The tables.
pub(super) fn tables(files: &[LabelledFile], page: &mut String) {
    let heading = |page: &mut String, first: &str, blocks: &[u64]| {
        let _ = write!(page, "\n{first}");
        for block in blocks {
            let _ = write!(page, " {block} |");
        }
        let columns = first.matches('|').count() - 1 + blocks.len();
        let _ = writeln!(page, "\n|{}", "---|".repeat(columns));
    };
    page.push_str(super::THIRD);
    page.push_str(
        ", OOPSLA 2013: scans and compaction\n\nThe paper adds barrier invariants to GPUVerify, written by hand, and uses them for three \
         prefix sums and stream compaction. Ours are asked for without any annotation but the question itself. Each cell is the verdict and \
         milliseconds of processor time. **Of the paper's figures only what follows is quoted; no copy of its tables was at hand:** \
         compaction from the specification of its scan takes 1.4 s at each number of threads; Blelloch's scan with a 32-bit sum is proved to about 8 threads in hours, with \
         an abstract operator to 64.\n\n\
         ### Compaction from the specification of a scan\n\nWhat the scan leaves is assumed to grow by the flags, and nothing else \
         (`compact_by_specification_ok`); or said in a barrier invariant of what the threads stored, which is checked and then used \
         (`compact_by_invariant_ok`). The `bad` ones say less than is needed. Columns are threads of a block.\n",
    );
    if cfg!(debug_assertions) {
        page.push_str(
            "\nThe milliseconds of this part are those of a build without optimisation.\n",
        );
    }
    heading(page, "| kernel |", &SPECIFIED);
    for name in [
        "compact_by_specification_ok",
        "compact_by_specification_bad",
        "compact_by_invariant_ok",
        "compact_by_invariant_bad",
    ] {
        if let Some(file) = find(files, name) {
            let _ = write!(page, "| `{name}` |");
            row(page, file, name, &SPECIFIED);
        }
    }
    page.push_str(
        "\n### Compaction with the scan in the kernel, no annotation\n\nEvery block of a power of two threads, and the slowest of some others.\n",
    );
    let sizes: Vec<u64> = (1..=10).map(|power| 1 << power).collect();
    heading(page, "| kernel |", &sizes);
    for name in ["compact_inline_ok", "compact_inline_bad"] {
        if let Some(file) = find(files, name) {
            let _ = write!(page, "| `{name}` |");
            row(page, file, name, &sizes);
        }
    }
    if let Some(file) = find(files, "compact_inline_ok") {
        let others: Vec<u64> = (3..1_024).filter(|size| size % 60 == 3).collect();
        let mut proved = 0;
        let mut slowest = (0.0, 0);
        for &size in &others {
            let (word, time) = timed(file, "compact_inline_ok", size);
            proved += usize::from(word == "race free");
            if time > slowest.0 {
                slowest = (time, size);
            }
        }
        let _ = writeln!(
            page,
            "\nOf {} sizes 3, 63, 123 … that are no power of two {proved} are race free; the slowest took {:.0} ms, at {} threads.",
            others.len(),
            slowest.0,
            slowest.1
        );
    }
    page.push_str(
        "\n### What scans leave\n\nThe kernel asserts of any two threads what makes its result a prefix sum (`s[t] + own <= s[u]` for t < u; for the largest and for bits \
         that neither `s[t]` nor the own number is above `s[u]`). Sums are of flags; of 8 bits they wrap from 256 threads on, and what \
         is asked is then not true. Columns are threads of a block.\n",
    );
    heading(page, "| scan | operator | bits |", &SCANNED);
    for (scan, operator, name) in SCANS {
        let Some(file) = find(files, name) else {
            continue;
        };
        for (bits, element) in ELEMENTS {
            let mut typed = file.clone();
            let declared = format!("typedef {element} Element;");
            typed.text = typed.text.replace(DECLARED, &declared);
            let _ = write!(page, "| {scan} | {operator} | {bits} |");
            row(page, &typed, name, &SCANNED);
        }
    }
    page.push_str(
        "\nThe operators are those of the program: what is not a sum, a largest number or bits is not followed, and there is no abstract operator. \
         Kogge-Stone is asked for at these sizes; for blocks of any size it is not proved.\n",
    );
}
