//! Text output as committed, and what must hold of it for any input.

use super::*;
use crate::findings::Defect;
use crate::meeting::Role;
use crate::place::Place;
use crate::sample;
use crate::text::options::Shows;

fn plain(report: &Report) -> String {
    render(report, TextOptions::default())
}

#[test]
fn every_verdict_as_committed() {
    expect_test::expect_file!["../../tests-expected/every-verdict.txt"]
        .assert_eq(&plain(&sample::report()));
}

#[test]
fn colour_only_when_asked() {
    let report = sample::report();
    assert!(!plain(&report).contains('\u{1b}'));
    let coloured = render(
        &report,
        TextOptions {
            color: true,
            ..TextOptions::default()
        },
    );
    assert!(coloured.contains("\u{1b}[1;32mrace_free\u{1b}[0m"));
}

#[test]
fn an_empty_report_is_one_line() {
    assert_eq!(
        plain(&Report::default()),
        "0 kernels in 0 files; 0 findings\n"
    );
}

#[test]
fn times_are_shown_when_there_are_some() {
    let mut report = Report::default();
    report.timings.push(crate::finding::FileTimings {
        file: "a.cu".to_owned(),
        phases: vec![("extract".to_owned(), 1_250), ("solve".to_owned(), 7)],
    });
    assert!(plain(&report).contains("time  a.cu  extract 1.250 ms, solve 0.007 ms\n"));
}

#[test]
fn missing_source_lines_leave_the_places() {
    let mut report = sample::report();
    report.sources.clear();
    let text = plain(&report);
    assert!(text.contains("kernels/shift.cu:5:3"), "{text}");
    assert!(text.contains("(1) write by thread (32,0,0)"), "{text}");
    assert!(text.contains("(2) read by thread (31,0,0)"), "{text}");
}

#[test]
fn a_missing_line_between_is_not_shown_as_empty() {
    let mut report = sample::report();
    report.kernels.retain(|kernel| kernel.name == "shift");
    report
        .sources
        .remove(&("kernels/shift.cu".to_owned(), 6))
        .expect("was there");
    let text = plain(&report);
    assert!(text.contains("6 |   …") || text.contains("6 | …"), "{text}");
}

#[test]
fn hostile_text_does_not_reach_the_terminal() {
    let evil = "x\u{1b}[2J\u{7}\r\n\u{9b}31m\u{202e}\0";
    let mut report = sample::report();
    for kernel in &mut report.kernels {
        kernel.name.push_str(evil);
        kernel.file.push_str(evil);
        for note in &mut kernel.notes {
            note.text.push_str(evil);
        }
        for launch in &mut kernel.launches {
            launch.assumptions.push(evil.to_owned());
        }
        for finding in &mut kernel.findings {
            if let Defect::DataRace(race) = &mut finding.defect {
                race.array = evil.to_owned();
            }
            finding.hint = Some(evil.to_owned());
            finding.notes.push(evil.to_owned());
            finding.reasons.push(evil.to_owned());
            for location in &mut finding.locations {
                location.macro_name = Some(evil.to_owned());
            }
        }
    }
    for line in report.sources.values_mut() {
        line.push_str(evil);
    }
    for error in &mut report.errors {
        error.message.push_str(evil);
    }
    for entry in &mut report.unsupported {
        entry.what.push_str(evil);
    }
    let text = plain(&report);
    let bad = |character: &char| {
        (character.is_control() && *character != '\n') || *character == '\u{202e}'
    };
    assert_eq!(text.chars().find(bad), None);
    // No line of ours begins with what came behind the line end in the name.
    assert!(!text.lines().any(|line| line.starts_with("\u{fffd}31m")));
}

#[test]
fn launches_with_the_same_reasons_tell_them_once() {
    let mut report = sample::report();
    let kernel = &mut report.kernels[3];
    let undecided = kernel.launches[1].clone();
    kernel.launches.push(undecided);
    let text = verbose(&report);
    let reason = "the solver ran out of its budget";
    assert_eq!(text.matches(reason).count(), 1, "{text}");
    assert!(
        text.contains("\n        undecided: 2 reasons as above\n"),
        "{text}"
    );
}

fn verbose(report: &Report) -> String {
    let options = TextOptions {
        detail: Detail::Verbose,
        ..TextOptions::default()
    };
    render(report, options)
}

#[test]
fn all_detail_as_committed() {
    expect_test::expect_file!["../../tests-expected/all-detail.txt"]
        .assert_eq(&verbose(&sample::report()));
}

#[test]
fn quiet_is_findings_and_errors() {
    let options = TextOptions {
        detail: Detail::Quiet,
        ..TextOptions::default()
    };
    let text = render(&sample::report(), options);
    assert!(text.starts_with("error[data-race]: confirmed"), "{text}");
    assert!(
        text.contains("error: gone.cu: cannot read the file"),
        "{text}"
    );
    for not_told in [
        "race_free ",
        "unknown ",
        "potential: ",
        "note: no kernels",
        " kernels in ",
    ] {
        assert!(!text.contains(not_told), "{not_told}: {text}");
    }
    let mut clean = sample::report();
    clean.kernels.retain(|kernel| kernel.findings.is_empty());
    clean.errors.clear();
    assert_eq!(render(&clean, options), "");
}

#[test]
fn what_is_counted_is_shown_when_asked() {
    let report = sample::report();
    let shown = |shows: Shows| {
        let options = TextOptions {
            shows,
            ..TextOptions::default()
        };
        render(&report, options)
    };
    let nothing = Shows::default();
    let potential = "potential data race in `shift`";
    assert!(!shown(nothing).contains(potential));
    assert!(
        shown(Shows {
            potential: true,
            ..nothing
        })
        .contains(potential)
    );
    let reason = "undecided: body of `f` is unknown";
    assert!(!shown(nothing).contains(reason));
    assert!(
        shown(Shows {
            unknown: true,
            ..nothing
        })
        .contains(reason)
    );
    let hidden = "invalid mask in `diverges`";
    assert!(!shown(nothing).contains(hidden));
    assert!(
        shown(Shows {
            suppressed: true,
            ..nothing
        })
        .contains(hidden)
    );
    let mut many = sample::report();
    let proved = many
        .kernels
        .iter()
        .find(|kernel| kernel.name == "shift_ok")
        .cloned()
        .expect("is there");
    many.kernels = (1..=9)
        .map(|line| crate::finding::Kernel {
            line,
            ..proved.clone()
        })
        .collect();
    many.errors.clear();
    many.notes.clear();
    many.unsupported.clear();
    let text = plain(&many);
    assert!(
        text.contains("race_free  9 kernels (`--show race-free` lists them)\n"),
        "{text}"
    );
    assert_eq!(text.lines().count(), 4, "{text}");
    let options = TextOptions {
        shows: Shows {
            race_free: true,
            ..nothing
        },
        ..TextOptions::default()
    };
    assert_eq!(
        render(&many, options)
            .matches("race_free  kernels/shift.cu:")
            .count(),
        9
    );
}

#[test]
fn undecided_instances_of_a_template_stand_in_one_line() {
    let mut report = sample::report();
    let unknown = report
        .kernels
        .iter()
        .find(|kernel| kernel.verdict() == crate::Verdict::Unknown)
        .cloned()
        .expect("is there");
    let instance = |number: u32, line: u32| crate::finding::Kernel {
        name: format!("tile<{number}>"),
        line,
        ..unknown.clone()
    };
    // 25 places, and thirty more instances at the first of them.
    let places = (1..=25).map(|line| instance(line, line));
    let others = (101..=130).map(|number| instance(number, 1));
    report.kernels = places.chain(others).collect();
    let text = plain(&report);
    assert!(text.contains(" tile<1> and 30 more instances: "), "{text}");
    assert!(text.contains(" tile<20>: "), "{text}");
    assert!(!text.contains(" tile<21>"), "{text}");
    assert!(
        text.contains("unknown  5 more kernels (`--show unknown` lists them)\n"),
        "{text}"
    );
}

#[test]
fn no_term_is_longer_than_a_page_has_room_for() {
    let long = format!("(unsigned)({} + 255) / 256", "x".repeat(400));
    let mut report = sample::report();
    for kernel in &mut report.kernels {
        for launch in &mut kernel.launches {
            launch.grid[0] = crate::finding::Dim::Symbolic(long.clone());
            launch.block[0] = crate::finding::Dim::Symbolic(long.clone());
            launch.assumptions.push(format!("`{long}` is something"));
        }
        for finding in &mut kernel.findings {
            finding.notes.push(format!("`{long}` is long"));
            finding
                .reasons
                .push(format!("value of `{long}`, which host code computes"));
            if let Some(witness) = &mut finding.witness {
                witness.element = Some(long.clone());
                witness
                    .values
                    .insert(long.clone(), crate::finding::Value::Int(1));
            }
        }
    }
    let longest_run = |text: &str| text.split(|c| c != 'x').map(str::len).max();
    let options = TextOptions {
        shows: Shows {
            potential: true,
            ..Shows::default()
        },
        ..TextOptions::default()
    };
    assert!(longest_run(&render(&report, options)) < Some(60));
    assert!(longest_run(&verbose(&report)) > Some(200));
}

#[test]
fn long_lines_are_cut() {
    let mut report = sample::report();
    for line in report.sources.values_mut() {
        line.push_str(&"/".repeat(1_000_000));
    }
    for kernel in &mut report.kernels {
        kernel.name = "k".repeat(100_000);
    }
    let text = plain(&report);
    let longest = text.lines().map(|line| line.chars().count()).max();
    assert!(longest < Some(800), "{longest:?}");
}

#[test]
fn places_outside_the_line_do_not_panic() {
    let mut report = sample::report();
    let odd = |line, column, end_line, end_column| Place {
        file: "kernels/shift.cu".to_owned(),
        line,
        column,
        end_line,
        end_column,
    };
    for place in [
        odd(0, 0, 0, 0),
        odd(5, 0, 5, 0),
        odd(5, 9_999, 5, 9_999),
        odd(5, 4, 2, 1),
        odd(5, 4, 900, 1),
        odd(u32::MAX, u32::MAX, u32::MAX, u32::MAX),
        odd(13, 2, 14, 1),
    ] {
        let kernel = report
            .kernels
            .iter_mut()
            .find(|kernel| kernel.name == "shift")
            .expect("the racy sample");
        for location in &mut kernel.findings[0].locations {
            if location.role == Role::Second {
                location.place = place.clone();
            }
        }
        let text = plain(&report);
        assert!(text.contains("(2) read"), "{place:?}\n{text}");
    }
}

proptest::proptest! {
    /// Places and lines that do not belong together, as facts made by another tool may have them.
    #[test]
    fn no_places_and_lines_make_it_panic(
        places in proptest::collection::vec((0u32..16, 0u32..300, 0u32..16, 0u32..300), 2),
        lines in proptest::collection::vec("(\\PC|\t|\u{7}|\u{301}|\r){0,200}", 0..14),
        width in 0usize..200,
        fit in proptest::bool::ANY,
    ) {
        let mut report = sample::report();
        report.kernels.retain(|kernel| kernel.name == "shift");
        report.sources = (1u32..)
            .zip(lines)
            .map(|(line, text)| (("kernels/shift.cu".to_owned(), line), text))
            .collect();
        for finding in &mut report.kernels[0].findings {
            for (location, place) in finding.locations.iter_mut().zip(&places) {
                let (line, column, end_line, end_column) = *place;
                location.place = Place { line, column, end_line, end_column, ..location.place.clone() };
            }
        }
        let text = render(&report, TextOptions { width, fit, ..TextOptions::default() });
        // Where lines are cut to the width, a label may be cut as well.
        proptest::prop_assert!(fit || text.contains("(1) write"), "{text}");
        proptest::prop_assert!(!text.chars().any(|c| c.is_control() && c != '\n'));
    }
}

#[test]
fn of_many_conditional_causes_a_line_is_shown_of_each() {
    let causes = |count: u32| {
        let kernels = (0..count).map(|nth| {
            let mut finding = sample::race();
            for location in &mut finding.locations {
                location.place.line = 10 * nth + 5;
            }
            finding.severity = None;
            if nth > 0 {
                finding.certainty = crate::judgement::Certainty::Conditional;
                finding.race_free_if = (nth > 1).then(|| format!("n >= {nth}"));
                finding.hinges_on = vec!["n".to_owned()];
            }
            crate::finding::Kernel {
                name: format!("k{nth}"),
                line: 10 * nth + 1,
                findings: vec![finding],
                ..sample::race_free_kernel()
            }
        });
        let mut report = Report {
            kernels: kernels.collect(),
            ..Report::default()
        };
        crate::id::finish(&mut report);
        report
    };
    let blocks = |text: &str| text.matches("[data-race]: ").count();
    assert_eq!(blocks(&plain(&causes(3))), 3);
    let text = plain(&causes(5));
    assert_eq!(blocks(&text), 1, "{text}");
    assert!(
        text.contains("conditional: 4 causes more (`--show conditional` shows them in full)\n"),
        "{text}"
    );
    assert!(text.contains("; hinges on n\n"), "{text}");
    assert!(text.contains("; race-free if `n >= 4`\n"), "{text}");
    let options = TextOptions {
        shows: Shows {
            conditional: true,
            ..Shows::default()
        },
        ..TextOptions::default()
    };
    assert_eq!(blocks(&render(&causes(5), options)), 5);
    assert_eq!(plain(&causes(20)).matches(" [").count(), 9);
}
