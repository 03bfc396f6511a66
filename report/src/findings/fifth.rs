//! A kind of cost that only tests have: this file and its line of the registry are all that there is of it. It asks about accesses to
//! global memory, as [`super::uncoalesced_access`] does, and tells lanes that want nothing.

use std::path::{Path, PathBuf};

use super::kind::{CostKind, Piece, Told};
use super::{COST_KINDS, names};
use crate::cost::Costs;
use crate::finding::Report;
use crate::measure::{Access, Action, Exactness, Found, Measure, Measured, Warp};
use crate::sarif::Folders;
use crate::{concise, csv, gitlab, html, json, junit, sample, sarif, text};

pub(super) static KIND: CostKind = CostKind {
    id: "idle-lanes",
    name: "IdleLanes",
    about: "requests to global memory",
    summary: "Lanes of a warp take no part in a request.",
    free: "all lanes take part",
    page: "# idle-lanes\n\n## What helps\n\nWork for all lanes.\n",
    asks: |measure| matches!(measure, Measure::Sectors { .. }),
    tell,
    open: Measure::unknown_address,
    pieces,
};

fn tell(measured: &Measured) -> Told {
    let idle = 32 - measured.measure.wanted().len();
    Told {
        headline: format!("{idle} idle lanes"),
        ..Told::default()
    }
}

fn pieces(measure: &Measure) -> Vec<Piece> {
    let wanted = measure.wanted().into_iter();
    vec![Piece {
        what: "array",
        number: 0,
        lanes: wanted.map(|(lane, _)| lane).collect(),
    }]
}

/// A report with a kernel of which one access was measured.
fn report() -> Report {
    let mut report = sample::report();
    let place = report.kernels.iter().flat_map(|own| &own.findings);
    let place = place.flat_map(|own| &own.locations).next();
    let place = place.expect("a location").place.clone();
    let lanes = (0..32).map(|lane| (lane < 20).then_some(4 * lane));
    let measured = Measured {
        place,
        measure: Measure::Sectors {
            access: Access {
                array: "tile".to_owned(),
                action: Action::Read,
                warp: Some(Warp {
                    block_dim: [32, 1, 1],
                    block: [0; 3],
                    number: 0,
                    iterations: Vec::new(),
                    lanes: lanes.collect(),
                    bytes: 4,
                }),
            },
            sectors: 3,
            fewest: 3,
            lines: 1,
            wanted: 80,
            sector_bytes: 32,
        },
        found: Found::Yes,
        answer: Exactness::Exact,
        condition: None,
        weight: "once".to_owned(),
        requests: Some(1),
        excess: 12,
        mend: None,
        strides: Vec::new(),
        launches: vec![0],
    };
    report.kernels[0].costs = Some(Costs::ask(vec![measured]));
    crate::id::finish(&mut report);
    report
}

#[test]
fn a_kind_is_one_file_and_one_line() {
    assert!(names().contains(&KIND.id));
    let report = report();
    let folders = Folders {
        root: PathBuf::from("/project"),
        here: PathBuf::from("/project"),
    };
    let all = [
        (
            "text",
            text::render(&report, text::options::TextOptions::default()),
        ),
        ("concise", concise::render(&report)),
        ("JSON", json::render(&report).expect("renders")),
        (
            "SARIF",
            sarif::render(&report, 0, &folders).expect("renders"),
        ),
        ("CSV", csv::render(&report).expect("renders")),
        (
            "JUnit",
            junit::render(&report, crate::verdict::FailOn::Potential),
        ),
        ("HTML", html::render(&report, None).expect("renders")),
        ("GitLab", gitlab::render(&report).expect("renders")),
    ];
    for (format, out) in all {
        assert!(out.contains("12 idle lanes"), "{format}: {out}");
        let named = [KIND.id.to_owned(), KIND.id.replace('-', "_")];
        assert!(named.iter().any(|name| out.contains(name)), "{format}");
    }
    let answers = &report.kernels[0].costs.as_ref().expect("costs").answers;
    let own = answers.iter().find(|answer| answer.rule == KIND.id);
    assert_eq!(
        own.expect("an answer").words(),
        "1 of 1 requests to global memory"
    );
}

/// The files of a folder and below.
fn sources(folder: &Path, all: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            all.push(path);
        }
    }
}

/// Nothing of the program names a kind of cost but its own file and its line: what would have to be changed for a new one is there.
#[test]
fn no_other_code_names_a_kind() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let project = own.parent().expect("the project");
    let own = own.join("src/findings");
    let mut all = Vec::new();
    for part in ["report", "cli", "costs", "database", "lsp", "mcp", "facts"] {
        sources(&project.join(part).join("src"), &mut all);
    }
    assert!(all.len() > 100, "{}", all.len());
    let mut wrong = Vec::new();
    let mut seen = 0;
    for path in all {
        if path.starts_with(&own) {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("is read");
        let product = text.split("#[cfg(test)]").next().unwrap_or_default();
        seen += 1;
        for kind in COST_KINDS {
            let file = kind.id.replace('-', "_");
            if product.contains(kind.id) || product.contains(&file) || product.contains(kind.name) {
                wrong.push((path.clone(), kind.id));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
    assert!(seen > 100, "{seen}");
}
