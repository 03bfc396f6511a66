//! The Z3 that was linked is the one of `make setup`: it loads without an environment, it solves, and it is new enough.
//!
//! Without the build script the linker silently takes the Z3 of Debian 12, whose version (4.8.12) fails here.

use z3::{SatResult, Solver, ast::Int};

/// The oldest Z3 that z3-sys 0.14 binds.
const MINIMUM: [u32; 3] = [4, 13, 3];

/// The first three numbers of Z3's own version string (`Z3 5.3.3.0 …` or `5.3.3.0 …`).
fn linked_version() -> [u32; 3] {
    let text = z3::full_version();
    let dotted = text
        .split_whitespace()
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()))
        .expect("a version number in Z3's version string");
    let mut numbers = dotted
        .split('.')
        .map(|number| number.parse().expect("a decimal number"));
    [(); 3].map(|()| numbers.next().expect("at least three numbers"))
}

#[test]
fn linked_z3_is_new_enough() {
    let version = linked_version();
    assert!(
        version >= MINIMUM,
        "Z3 {version:?} is older than {MINIMUM:?}"
    );
}

#[test]
fn linked_z3_solves() {
    let solver = Solver::new();
    let tid = Int::new_const("tid");
    solver.assert(tid.ge(0));
    assert_eq!(solver.check(), SatResult::Sat);
    solver.assert(tid.lt(0));
    assert_eq!(solver.check(), SatResult::Unsat);
}
