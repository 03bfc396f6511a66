//! Reports of every verdict, for the tests of the renderers.

use std::collections::BTreeMap;

use crate::finding::*;
use crate::findings::assertion_failed::AssertionFailed;
use crate::findings::barrier_divergence::BarrierDivergence;
use crate::findings::data_race::{Between, DataRace};
use crate::findings::endless_wait::EndlessWait;
use crate::findings::invalid_mask::InvalidMask;
use crate::findings::missing_proxy_fence::MissingProxyFence;
use crate::findings::{Defect, FindingKind};
use crate::judgement::{Certainty, Harm};
use crate::lines::LineIndex;
use crate::meeting::{AccessKind, Boundary, Interval, Role, Scope};
use crate::place::{Note, Place};
use crate::suppression::{SuppressedBy, Suppression};

/// The file of the samples.
const FILE: &str = "kernels/shift.cu";

const SOURCE: &str = "\
//--blockDim=64 --gridDim=4
__global__ void shift(int *out, const int *idx, int n) {
  __shared__ int tile[64];
  int tid = threadIdx.x;
  tile[tid] = n;
  // the barrier is missing here
  int next = tile[(tid + 1) % 64];
  if (tid < n) {
    __syncthreads();
  }
  out[idx[tid]] = next;
  assert(next > 0);
}
";

/// The place of a piece of the source.
fn place(needle: &str) -> Place {
    let start = SOURCE.find(needle).unwrap_or_else(|| panic!("{needle}"));
    LineIndex::new(SOURCE.as_bytes()).place(FILE, start..start + needle.len())
}

fn location(needle: &str, role: Role) -> Location {
    Location {
        place: place(needle),
        role,
        macro_name: None,
        calls: Vec::new(),
    }
}

fn thread(block: u64, thread: u64) -> Thread {
    Thread {
        block: [block, 0, 0],
        thread: [thread, 0, 0],
    }
}

pub(crate) fn launch() -> Launch {
    Launch {
        source: LaunchSource::Header,
        place: None,
        block: [Dim::Known(64), Dim::Known(1), Dim::Known(1)],
        grid: [Dim::Known(4), Dim::Known(1), Dim::Known(1)],
        arguments: Vec::new(),
        assumptions: vec!["array parameters do not alias".to_owned()],
        outcome: Outcome::Complete,
    }
}

pub(crate) fn symbolic_launch() -> Launch {
    Launch {
        source: LaunchSource::Symbolic,
        block: [
            Dim::Symbolic("blockDim.x".to_owned()),
            Dim::Known(1),
            Dim::Known(1),
        ],
        grid: [
            Dim::Symbolic("gridDim.x".to_owned()),
            Dim::Known(1),
            Dim::Known(1),
        ],
        assumptions: vec![
            "array parameters do not alias".to_owned(),
            "blockDim.y = blockDim.z = 1".to_owned(),
        ],
        ..launch()
    }
}

fn code_launch() -> Launch {
    Launch {
        source: LaunchSource::Code,
        place: Some(Place {
            file: "host/main.cu".to_owned(),
            line: 40,
            column: 3,
            end_line: 40,
            end_column: 30,
        }),
        grid: [
            Dim::Symbolic("(n + 63) / 64".to_owned()),
            Dim::Known(1),
            Dim::Known(1),
        ],
        block: [Dim::Known(16), Dim::Known(4), Dim::Known(1)],
        arguments: vec![
            ("n".to_owned(), Value::Int(1024)),
            ("out".to_owned(), Value::Text("d_out".to_owned())),
        ],
        ..launch()
    }
}

/// A confirmed race.
pub(crate) fn race() -> Finding {
    Finding {
        id: String::new(),
        defect: Defect::DataRace(DataRace {
            accesses: [AccessKind::Write, AccessKind::Read],
            array: "tile".to_owned(),
            shared_memory: true,
            between: Between::Threads {
                scope: Scope::InterWarp,
                interval: Interval {
                    from: vec![Boundary::Start],
                    to: vec![
                        Boundary::Barrier {
                            what: "__syncthreads()".to_owned(),
                            place: place("__syncthreads()"),
                        },
                        Boundary::End,
                    ],
                    carried: false,
                },
            },
        }),
        certainty: Certainty::Confirmed,
        harm: Harm::Possible,
        locations: vec![
            location("tile[tid]", Role::First),
            location("tile[(tid + 1) % 64]", Role::Second),
        ],
        witness: Some(Witness {
            block_dim: [64, 1, 1],
            grid_dim: [4, 1, 1],
            threads: vec![thread(0, 32), thread(0, 31)],
            element: Some("tile[32]".to_owned()),
            values: BTreeMap::from([("n".to_owned(), Value::Int(0))]),
            iterations: BTreeMap::new(),
            loops: Vec::new(),
            touched: vec![
                Touched {
                    first: 128,
                    bytes: 4,
                };
                2
            ],
        }),
        reasons: Vec::new(),
        assumptions: Vec::new(),
        hint: Some("a `__syncthreads()` between the two accesses would order them".to_owned()),
        race_free_if: None,
        hinges_on: Vec::new(),
        mend: None,
        notes: Vec::new(),
        launches: vec![0],
        instances: 1,
        suppressed: None,
        severity: None,
        fingerprint: String::new(),
    }
}

/// A defect of a kind.
pub(crate) fn defect(kind: FindingKind) -> Defect {
    match kind {
        FindingKind::DataRace => race().defect,
        FindingKind::BarrierDivergence => Defect::BarrierDivergence(BarrierDivergence),
        FindingKind::InvalidMask => Defect::InvalidMask(InvalidMask),
        FindingKind::AssertionFailed => Defect::AssertionFailed(AssertionFailed),
        FindingKind::MissingProxyFence => Defect::MissingProxyFence(MissingProxyFence {
            copy: AccessKind::Read,
            memory: "s".to_owned(),
        }),
        FindingKind::EndlessWait => Defect::EndlessWait(EndlessWait {
            barrier: "full".to_owned(),
        }),
    }
}

/// What a race of a test consists of.
pub(crate) fn race_of(finding: &mut Finding) -> &mut DataRace {
    match &mut finding.defect {
        Defect::DataRace(race) => race,
        other => panic!("{other:?} is no race"),
    }
}

/// Lets the threads of a race lie in another way.
pub(crate) fn lies(finding: &mut Finding, other: Scope) {
    if let Between::Threads { scope, .. } = &mut race_of(finding).between {
        *scope = other;
    }
}

/// A race for some sizes only.
fn conditional() -> Finding {
    Finding {
        certainty: Certainty::Conditional,
        locations: vec![
            location("tile[tid]", Role::First),
            location("out[idx[tid]]", Role::Second),
        ],
        race_free_if: Some("n <= 64".to_owned()),
        hinges_on: vec!["n".to_owned()],
        mend: None,
        ..race()
    }
}

/// A potential race between blocks at one place.
fn potential() -> Finding {
    Finding {
        certainty: Certainty::Potential,
        defect: Defect::DataRace(DataRace {
            accesses: [AccessKind::Write, AccessKind::Write],
            array: "out".to_owned(),
            shared_memory: true,
            between: Between::Threads {
                scope: Scope::InterBlock,
                interval: Interval {
                    carried: true,
                    ..Interval::default()
                },
            },
        }),
        locations: vec![
            location("out[idx[tid]]", Role::First),
            location("out[idx[tid]]", Role::Second),
        ],
        witness: Some(Witness {
            block_dim: [64, 1, 1],
            grid_dim: [4, 1, 1],
            threads: vec![thread(0, 0), thread(1, 0)],
            element: Some("out[7]".to_owned()),
            values: BTreeMap::from([("idx[0]".to_owned(), Value::Int(7))]),
            iterations: BTreeMap::from([("k (line 8)".to_owned(), vec![Some(1), Some(2)])]),
            loops: vec![LoopState {
                line: 8,
                at: vec![
                    Some(Iteration {
                        ordinal: 1,
                        variables: vec![("k".to_owned(), 3)],
                    }),
                    Some(Iteration {
                        ordinal: 2,
                        variables: vec![("k".to_owned(), 5)],
                    }),
                ],
            }],
            touched: Vec::new(),
        }),
        reasons: vec![
            "index read from `idx` at line 11".to_owned(),
            "contents of an input array".to_owned(),
        ],
        assumptions: vec!["global thread ids do not wrap".to_owned()],
        hint: Some("`distinct idx` would exclude it".to_owned()),
        race_free_if: None,
        notes: vec!["the values written may differ".to_owned()],
        instances: 3,
        ..race()
    }
}

fn divergence() -> Finding {
    Finding {
        defect: Defect::BarrierDivergence(BarrierDivergence),
        locations: vec![
            location("__syncthreads()", Role::Barrier),
            location("tid < n", Role::Condition),
        ],
        witness: Some(Witness {
            block_dim: [64, 1, 1],
            grid_dim: [4, 1, 1],
            threads: vec![thread(0, 0), thread(0, 1)],
            element: None,
            values: BTreeMap::from([("n".to_owned(), Value::Int(1))]),
            iterations: BTreeMap::new(),
            loops: Vec::new(),
            touched: Vec::new(),
        }),
        hint: None,
        race_free_if: None,
        ..race()
    }
}

fn kernel(name: &str, line: u32) -> Kernel {
    Kernel {
        name: name.to_owned(),
        file: FILE.to_owned(),
        line,
        launches: vec![launch()],
        findings: Vec::new(),
        stats: Stats {
            accesses: 4,
            pairs: 6,
            discharged_by_rule: 5,
            queries: 1,
            undecided: 0,
        },
        notes: Vec::new(),
        extent: Extent::default(),
        anatomies: Vec::new(),
        costs: None,
    }
}

/// A kernel without findings.
pub(crate) fn race_free_kernel() -> Kernel {
    kernel("shift_ok", 2)
}

/// A kernel with a confirmed race, a conditional one, a potential one and a divergent barrier.
pub(crate) fn racy_kernel() -> Kernel {
    Kernel {
        findings: vec![race(), conditional(), potential(), divergence()],
        ..kernel("shift", 2)
    }
}

/// A report with every verdict, kind, launch source and sort of remark.
pub(crate) fn report() -> Report {
    let note = |needle: Option<&str>, text: &str| Note {
        place: needle.map(place),
        text: text.to_owned(),
    };
    let mut sources = Sources::new();
    let index = LineIndex::new(SOURCE.as_bytes());
    for line in 1..=13 {
        let place = Place {
            line,
            ..place("tile[tid]")
        };
        index.collect(&mut sources, &place, 0);
    }
    let assertion = Finding {
        defect: Defect::AssertionFailed(AssertionFailed),
        locations: vec![location("assert(next > 0)", Role::Assertion)],
        witness: potential().witness.map(|witness| Witness {
            threads: vec![thread(1, 0)],
            element: None,
            ..witness
        }),
        hint: None,
        race_free_if: None,
        ..potential()
    };
    let mask = Finding {
        defect: Defect::InvalidMask(InvalidMask),
        witness: None,
        certainty: Certainty::Potential,
        suppressed: Some(Suppression {
            by: SuppressedBy::Comment,
            reason: "known to be harmless".to_owned(),
        }),
        ..divergence()
    };
    let mut report = Report {
        kernels: vec![
            racy_kernel(),
            race_free_kernel(),
            Kernel {
                launches: vec![symbolic_launch()],
                stats: Stats::default(),
                notes: vec![note(Some("next > 0"), "no thread reaches this access")],
                ..kernel("nothing_shared", 20)
            },
            Kernel {
                launches: vec![
                    code_launch(),
                    Launch {
                        source: LaunchSource::Flag,
                        outcome: Outcome::Undecided(vec![
                            note(Some("tile[tid]"), "the solver ran out of its budget"),
                            note(None, "body of `f` is unknown"),
                        ]),
                        ..launch()
                    },
                ],
                ..kernel("undecided<256, float>", 30)
            },
            Kernel {
                launches: vec![Launch {
                    outcome: Outcome::Contradictory(vec![note(
                        None,
                        "the launch says blockDim.x = 64, `__requires` says blockDim.x = 32",
                    )]),
                    ..launch()
                }],
                ..kernel("contradictory", 40)
            },
            Kernel {
                findings: vec![divergence(), mask],
                ..kernel("diverges", 50)
            },
            Kernel {
                findings: vec![assertion],
                ..kernel("asserts", 60)
            },
        ],
        unsupported: [7, 9, 11, 12, 13, 15, 18, 7]
            .into_iter()
            .map(|line| Unsupported {
                file: FILE.to_owned(),
                line,
                what: "inline assembly".to_owned(),
                why: "it may access any memory".to_owned(),
            })
            .collect(),
        errors: vec![
            InputError {
                file: "gone.cu".to_owned(),
                line: None,
                message: "cannot read the file: permission denied".to_owned(),
            },
            InputError {
                file: "facts/access.csv".to_owned(),
                line: Some(3),
                message: "column `array` names no array".to_owned(),
            },
            InputError {
                file: String::new(),
                line: None,
                message: "the solver died".to_owned(),
            },
        ],
        notes: vec![note(None, "no kernels in `empty.cu`")],
        sources,
        files: 2,
        timings: Vec::new(),
        ..Report::default()
    };
    crate::id::finish(&mut report);
    report
}
