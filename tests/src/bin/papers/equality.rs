//! The part of `make papers` about Li and Gopalakrishnan, "Parameterized Verification of GPU Kernel Programs" (PUG_para, IPDPSW 2012):
//! which pairs of kernels are equal, and what refutes those that are not.
//!
//! Time is that of the processor in this thread, where the system tells it, with reading the source and without the check for races.

use std::fmt::Write as _;
use std::time::Instant;

use warplog_equivalence::answer::{Answer, Extent, Verdict};
use warplog_tests::datasets;
use warplog_tests::equal::{compare, facts};

use super::scans::processor;

/// The file of the pairs.
const FILE: &str = "pug_para.cu";
/// What the file says the type of elements is.
const DECLARED: &str = "typedef int Element;";
/// Types of elements by their bits.
const ELEMENTS: [(u32, &str); 4] = [
    (8, "signed char"),
    (16, "short"),
    (32, "int"),
    (64, "long long"),
];

/// Pairs that leave equal contents.
const EQUAL: [(&str, &str, &str); 9] = [
    (
        "Transpose, plain / tile",
        "pug_transpose_naive_ok",
        "pug_transpose_tile_ok",
    ),
    (
        "Transpose, plain / padded tile",
        "pug_transpose_naive_ok",
        "pug_transpose_padded_ok",
    ),
    (
        "Transpose, plain / tile turned when written",
        "pug_transpose_naive_ok",
        "pug_transpose_rows_ok",
    ),
    (
        "Transpose, tile / padded tile",
        "pug_transpose_tile_ok",
        "pug_transpose_padded_ok",
    ),
    (
        "Transpose, padded tile / tile turned when written",
        "pug_transpose_padded_ok",
        "pug_transpose_rows_ok",
    ),
    (
        "Reduction, modulo / strided",
        "pug_reduce_modulo_ok",
        "pug_reduce_packed_ok",
    ),
    (
        "Reduction, modulo / sum in a variable",
        "pug_reduce_modulo_ok",
        "pug_reduce_guarded_ok",
    ),
    (
        "Reduction, modulo / halves",
        "pug_reduce_modulo_ok",
        "pug_reduce_halves_ok",
    ),
    (
        "Reduction, strided / halves",
        "pug_reduce_packed_ok",
        "pug_reduce_halves_ok",
    ),
];

/// Pairs of which the second has a defect.
const DIFFERENT: [(&str, &str, &str); 9] = [
    (
        "Transpose: width and height taken for each other",
        "pug_transpose_naive_ok",
        "pug_transpose_guard_ok",
    ),
    (
        "Transpose: nothing turned within the tile",
        "pug_transpose_tile_ok",
        "pug_transpose_inner_ok",
    ),
    (
        "Transpose: the block written where it was read",
        "pug_transpose_tile_ok",
        "pug_transpose_blocks_ok",
    ),
    (
        "Transpose: rows of the result too long",
        "pug_transpose_naive_ok",
        "pug_transpose_pitch_ok",
    ),
    (
        "Reduction: the last step left out",
        "pug_reduce_modulo_ok",
        "pug_reduce_short_ok",
    ),
    (
        "Reduction: the first step left out",
        "pug_reduce_modulo_ok",
        "pug_reduce_late_ok",
    ),
    (
        "Reduction: the last thread of each step idle",
        "pug_reduce_modulo_ok",
        "pug_reduce_edge_ok",
    ),
    (
        "Reduction: each block at the first element",
        "pug_reduce_modulo_ok",
        "pug_reduce_zeroth_ok",
    ),
    (
        "Reduction: a block that is no power of two",
        "pug_reduce_any_ok",
        "pug_reduce_any_halves_ok",
    ),
];

fn asked(text: &str, sides: [&str; 2]) -> (Result<Answer, String>, f64) {
    let (start, before) = (Instant::now(), processor());
    let facts = facts(FILE, text);
    let answer = compare(&facts, &sides.map(str::to_owned), false);
    let wall = start.elapsed().as_secs_f64() * 1e3;
    let spent = before
        .zip(processor())
        .map(|(before, after)| after - before);
    (answer, spent.unwrap_or(wall))
}

fn words(answer: &Answer) -> String {
    match &answer.verdict {
        Verdict::Equal(Extent::Sizes(_) | Extent::Shapes(_)) => "equal, every size".to_owned(),
        Verdict::Equal(Extent::Blocks(_)) => "equal, each power of two".to_owned(),
        Verdict::Different(_) => "different".to_owned(),
        Verdict::Unknown(_) => "unknown".to_owned(),
    }
}

/// The tables.
pub(super) fn tables(page: &mut String) {
    let path = datasets().join("equal").join(FILE);
    let Ok(text) = std::fs::read_to_string(path) else {
        return;
    };
    page.push_str(super::FOURTH);
    page.push_str(
        ", IPDPSW 2012: equal kernels\n\nThe paper compares a kernel with its optimised version by one symbolic thread of each, and knows two programs: \
         matrix transpose and reduction. **Of its tables only what follows is quoted; no copy was at hand:** for the transpose of square blocks and all sizes, \
         32 bits, its solver runs out of time if nothing is made concrete, and takes 0.16 s with a part made concrete. Ours are asked for without \
         any number given: blocks, grids, sizes and contents are open. Milliseconds are of the processor, with reading the file of all these kernels and without the \
         check for races.\n",
    );
    if cfg!(debug_assertions) {
        page.push_str("\nThey are those of a build without optimisation.\n");
    }
    page.push_str(
        "\n### Pairs that are equal (table II)\n\nThe launch says that transposes have square blocks, and that blocks of reductions are a power of two. *Every size* is one proof for all blocks \
         that a launch can have; *each power of two* are eleven, from 1 to 1,024 threads, as the two reductions add in different orders.\n\n| pair |",
    );
    for (bits, _) in ELEMENTS {
        let _ = write!(page, " {bits} bits | ms |");
    }
    page.push_str("\n|---|---|---|---|---|---|---|---|---|\n");
    for (pair, left, right) in EQUAL {
        let _ = write!(page, "| {pair} |");
        for (_, element) in ELEMENTS {
            let typed = text.replace(DECLARED, &format!("typedef {element} Element;"));
            let (answer, time) = asked(&typed, [left, right]);
            let answer = answer.as_ref().map_or_else(Clone::clone, words);
            let _ = write!(page, " {answer} | {time:.0} |");
        }
        page.push('\n');
    }
    page.push_str(
        "\n### Pairs with a defect (table III)\n\nWhat refutes the pair is an execution of both, run again element by element.\n\n| defect of the second | answer | ms | element | launch | equal if |\n|---|---|---|---|---|---|\n",
    );
    for (defect, left, right) in DIFFERENT {
        let (answer, time) = asked(&text, [left, right]);
        let (verdict, element, launch, condition) = match &answer {
            Ok(answer) => {
                let (element, launch) = match &answer.verdict {
                    Verdict::Different(found) => {
                        let numbers = |sizes: [i128; 3]| format!("{}x{}", sizes[0], sizes[1]);
                        let launched = found.launches[1].first();
                        let launch = launched.map_or_else(String::new, |launched| {
                            format!(
                                "grid {}, block {}",
                                numbers(launched.grid),
                                numbers(launched.block)
                            )
                        });
                        let of_scalars = found.scalars.iter();
                        let scalars = of_scalars.map(|(name, value)| format!(", {name} = {value}"));
                        let values = format!(
                            "`{}[{}]`: {} and {}",
                            found.array, found.element, found.sides[0].value, found.sides[1].value
                        );
                        (values, launch + &scalars.collect::<String>())
                    }
                    _ => (String::new(), String::new()),
                };
                (
                    words(answer),
                    element,
                    launch,
                    answer.equal_if.join(" and "),
                )
            }
            Err(reason) => (reason.clone(), String::new(), String::new(), String::new()),
        };
        let _ = writeln!(
            page,
            "| {defect} | {verdict} | {time:.0} | {element} | {launch} | {condition} |"
        );
    }
}
