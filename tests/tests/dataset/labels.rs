//! What the tool says of each kernel, against its label; and the pages that list the kernels, against the source.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use warplog_report::{Certainty, Kernel, Role};
use warplog_tests::labels::{LabelledFile, LabelledKernel};
use warplog_tests::{datasets, project};

use crate::{CHECKED, FILES, base, instances, none, short};

/// All labelled kernels with their files.
fn all() -> impl Iterator<Item = (&'static LabelledFile, &'static LabelledKernel)> {
    let kernels =
        |file: &'static LabelledFile| file.labels.kernels.iter().map(move |kernel| (file, kernel));
    FILES.iter().flat_map(kernels)
}

#[test]
fn verdicts_equal_labels() {
    let limitations = limitations();
    let mut wrong = Vec::new();
    for (file, kernel) in all() {
        let instances = instances(&CHECKED, &file.name, &kernel.name);
        if instances.is_empty() {
            wrong.push(format!("{}: {} is not reported", file.name, kernel.name));
        }
        for instance in instances {
            let verdict = instance.verdict().as_str();
            let place = format!("{}:{}: {}", file.name, instance.line, instance.name);
            let label = &kernel.label;
            if !kernel.wrong {
                if verdict != kernel.truth.verdict() {
                    wrong.push(format!("{place}: {label}, and the tool says {verdict}"));
                }
            } else if verdict == kernel.truth.verdict() {
                wrong.push(format!(
                    "{place}: the tool is right now, so {label} is out of date"
                ));
            } else if let Some(row) = limitations.get(&kernel.name)
                && row.verdict != verdict
            {
                let listed = &row.verdict;
                wrong.push(format!(
                    "{place}: the tool says {verdict}, docs/limitations.md {listed}"
                ));
            }
        }
    }
    none("wrong verdicts", &wrong);
}

/// How sure the surest finding is, where the label says it; and nothing that is race-free is confirmed.
#[test]
fn certainties_equal_labels() {
    let mut wrong = Vec::new();
    let mut said = BTreeSet::new();
    for (file, kernel) in all() {
        for instance in instances(&CHECKED, &file.name, &kernel.name) {
            let place = format!("{}:{}: {}", file.name, instance.line, instance.name);
            let certainty = instance.certainty().map(Certainty::as_str);
            if let Some(label) = &kernel.certainty {
                said.insert(label.as_str());
                if certainty != Some(label) {
                    wrong.push(format!("{place}: {label}, and the tool says {certainty:?}"));
                }
            }
            let is_free = kernel.truth.verdict() == "race_free";
            if is_free && kernel.certainty.is_none() && certainty == Some("confirmed") {
                wrong.push(format!("{place}: race-free, and a finding is confirmed"));
            }
        }
    }
    assert_eq!(said.len(), 3, "{said:?}");
    none("wrong certainties", &wrong);
}

#[test]
fn every_reported_kernel_is_labelled() {
    let labelled: BTreeSet<(&str, &str)> = all()
        .map(|(file, kernel)| (file.name.as_str(), kernel.name.as_str()))
        .collect();
    assert_eq!(labelled.len(), all().count(), "two kernels of one name");
    let unlabelled: Vec<String> = CHECKED
        .kernels
        .iter()
        .filter(|kernel| !labelled.contains(&(short(&kernel.file).as_str(), base(&kernel.name))))
        .map(|kernel| format!("{}:{}: {}", kernel.file, kernel.line, kernel.name))
        .collect();
    none("kernels without a label", &unlabelled);
}

/// The worst answer of all.
#[test]
fn no_defect_is_called_race_free() {
    let unsound: Vec<String> = all()
        .filter(|(_, kernel)| kernel.truth.is_defect() && !kernel.assumed)
        .flat_map(|(file, kernel)| instances(&CHECKED, &file.name, &kernel.name))
        .filter(|instance| instance.verdict().as_str() == "race_free")
        .map(|instance| format!("`{}`", base(&instance.name)))
        .collect();
    none("defects called race-free", &unsound);
}

/// What a proof rests on that the file breaks is written down: the arrays, the launch, and that host code was not followed.
#[test]
fn assumptions_that_a_file_breaks_are_named() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for (file, kernel) in all().filter(|(_, kernel)| kernel.assumed) {
        for instance in instances(&CHECKED, &file.name, &kernel.name) {
            count += 1;
            let mut assumptions = instance.launches.iter().flat_map(|one| &one.assumptions);
            let is_named = assumptions.any(|text| {
                (text.contains("` do not overlap ") || text.contains("` overlaps none of `"))
                    && text.contains("not followed")
            });
            if instance.verdict().as_str() != "race_free" || !is_named {
                wrong.push(format!("{}: {}", file.name, instance.name));
            }
        }
    }
    assert!(count >= 5, "{count}");
    none("proofs without the assumption that the file breaks", &wrong);
}

/// The kernels with the tag `[porting]` say that they race between diverged arms, and those with `[warp]` do not.
#[test]
fn races_between_diverged_arms_are_porting_races() {
    let mut wrong = Vec::new();
    let mut counted = [0, 0];
    for file in FILES.iter().filter(|file| file.name.starts_with("warps/")) {
        let text = fs::read_to_string(datasets().join(&file.name)).expect("is read");
        let lines: Vec<&str> = text.lines().collect();
        for kernel in &file.labels.kernels {
            let above = lines[..kernel.line as usize - 1].iter().rev();
            let mut comments = above.take_while(|line| line.starts_with("//"));
            let tag = |tag: &str| comments.clone().any(|line| line.contains(tag));
            let porting = match (tag("[porting]"), tag("[warp]")) {
                (true, _) => true,
                (_, true) if comments.any(|line| line.contains("//~ race")) => false,
                _ => continue,
            };
            counted[usize::from(porting)] += 1;
            for instance in instances(&CHECKED, &file.name, &kernel.name) {
                let told = instance.findings.iter().any(|finding| {
                    let mut notes = finding.notes.iter();
                    finding.certainty == Certainty::Confirmed
                        && notes.any(|note| note.starts_with("porting race: "))
                });
                if told != porting {
                    let listed = if porting { "none" } else { "one" };
                    wrong.push(format!("{}: {}: {listed}", file.name, instance.name));
                }
            }
        }
    }
    assert!(counted.iter().all(|&count| count >= 5), "{counted:?}");
    none("wrong notes on porting races", &wrong);
}

#[test]
fn inputs_are_read_without_errors() {
    assert_eq!(CHECKED.errors, []);
    assert_eq!(CHECKED.files, FILES.len());
}

/// Every marked line is found, and what is certain is found nowhere else.
///
/// A mark in a helper is for the kernels that call it, so one of those of the file has to show there. Of a divergent
/// barrier the barrier is marked; the condition beside it is not asked about.
#[test]
fn findings_show_at_the_marked_lines() {
    let mut wrong = Vec::new();
    for file in FILES.iter() {
        let mut helpers: BTreeSet<u32> = file.labels.helpers.iter().copied().collect();
        let right = |kernel: &&LabelledKernel| kernel.truth.is_defect() && !kernel.wrong;
        for kernel in file.labels.kernels.iter().filter(right) {
            let marked =
                |line: u32| kernel.here.contains(&line) || file.labels.helpers.contains(&line);
            if kernel.here.is_empty() && file.labels.helpers.is_empty() {
                wrong.push(format!("{}: {} marks no line", file.name, kernel.name));
            }
            for instance in instances(&CHECKED, &file.name, &kernel.name) {
                let place = format!("{}: {}", file.name, instance.name);
                let found = lines(instance, |_| true);
                helpers.retain(|line| !found.contains(line));
                let missed: Vec<_> = kernel
                    .here
                    .iter()
                    .filter(|line| !found.contains(line))
                    .collect();
                if !missed.is_empty() {
                    wrong.push(format!(
                        "{place}: marked at {missed:?}, found at {found:?} only"
                    ));
                }
                if !found.iter().any(|&line| marked(line)) {
                    wrong.push(format!(
                        "{place}: found at {found:?}, where nothing is marked"
                    ));
                }
                let mut sure = lines(instance, |certainty| certainty == Certainty::Confirmed);
                sure.retain(|&line| !marked(line));
                if !sure.is_empty() {
                    wrong.push(format!("{place}: found at {sure:?}, which are not marked"));
                }
            }
        }
        if !helpers.is_empty() {
            wrong.push(format!(
                "{}: marked at {helpers:?}, found in no kernel",
                file.name
            ));
        }
    }
    none("findings at other lines", &wrong);
}

/// The lines of the accesses and barriers in the findings of a kernel that are this certain.
pub(crate) fn lines(kernel: &Kernel, wanted: impl Fn(Certainty) -> bool) -> BTreeSet<u32> {
    kernel
        .findings
        .iter()
        .filter(|finding| wanted(finding.certainty))
        .flat_map(|finding| &finding.locations)
        .filter(|location| location.role != Role::Condition)
        // What stands for a header that is missing has no lines of the file.
        .filter(|location| !location.place.file.starts_with('<'))
        .map(|location| location.place.line)
        .collect()
}

#[test]
fn the_manifest_lists_the_kernels() {
    let path = datasets().join("manifest.csv");
    let mut reader = csv::Reader::from_path(&path).expect("a manifest");
    let header: Vec<String> = reader
        .headers()
        .expect("a header")
        .iter()
        .map(str::to_owned)
        .collect();
    let columns = [
        "kernel",
        "file",
        "label",
        "launch",
        "constructs",
        "shape",
        "source",
    ];
    assert_eq!(header, columns);
    let mut listed = BTreeMap::new();
    let mut faults = Vec::new();
    for row in reader.records() {
        let row = row.expect("a row");
        if row
            .iter()
            .any(|cell| cell.trim() != cell || cell.is_empty())
        {
            faults.push(format!("an empty or blank-padded cell: {row:?}"));
        }
        let key = (row[1].to_owned(), row[0].to_owned());
        let value = [row[2].to_owned(), row[3].to_owned()];
        if listed.insert(key, value).is_some() {
            faults.push(format!("listed twice: {row:?}"));
        }
    }
    for (file, kernel) in all() {
        let key = (file.name.clone(), kernel.name.clone());
        let Some([label, launch]) = listed.remove(&key) else {
            faults.push(format!("not listed: {} in {}", kernel.name, file.name));
            continue;
        };
        if label != kernel.label {
            let labelled = &kernel.label;
            faults.push(format!(
                "{}: {label} in the manifest, {labelled} in the source",
                kernel.name
            ));
        }
        let expected = launch_of(file, kernel);
        if launch != expected {
            faults.push(format!(
                "{}: launch {launch} in the manifest, {expected} in the source",
                kernel.name
            ));
        }
    }
    faults.extend(
        listed
            .keys()
            .map(|key| format!("listed, but not there: {key:?}")),
    );
    none("faults in the manifest", &faults);
}

/// What the manifest says of the launch of a kernel: the header, `host` for a launch in the file, else `symbolic`.
fn launch_of(file: &LabelledFile, kernel: &LabelledKernel) -> String {
    if let Some(header) = file.header() {
        return header.trim().to_owned();
    }
    let text: String = file.text.split_whitespace().collect();
    let launched = text.match_indices(&kernel.name).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let rest = &text[at + kernel.name.len()..];
        !before.is_some_and(|character| character.is_alphanumeric() || character == '_')
            && (rest.starts_with("<<<")
                || (rest.starts_with('<')
                    && rest.contains("><<<")
                    && rest.find("><<<") < rest.find(['{', ';'])))
    });
    if launched { "host" } else { "symbolic" }.to_owned()
}

/// A row of the page of limitations.
struct Limitation {
    file: String,
    label: String,
    verdict: String,
}

/// The kernels that `docs/limitations.md` lists: its table rows `| kernel | file | label | verdict | why |`.
fn limitations() -> BTreeMap<String, Limitation> {
    let path = project().join("docs/limitations.md");
    let page = fs::read_to_string(&path).expect("docs/limitations.md");
    let mut rows = BTreeMap::new();
    for line in page.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = line
            .trim_matches('|')
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect();
        let [kernel, file, label, verdict, why] = cells[..] else {
            panic!("docs/limitations.md: not five cells: {line}");
        };
        assert!(why.len() > 10, "docs/limitations.md: no reason: {line}");
        let row = Limitation {
            file: file.to_owned(),
            label: label.to_owned(),
            verdict: verdict.to_owned(),
        };
        assert!(
            rows.insert(kernel.to_owned(), row).is_none(),
            "docs/limitations.md lists {kernel} twice"
        );
    }
    rows
}

#[test]
fn limitations_list_every_wrong_answer() {
    let mut listed = limitations();
    let mut faults = Vec::new();
    for (file, kernel) in all().filter(|(_, kernel)| kernel.wrong) {
        match listed.remove(&kernel.name) {
            None => faults.push(format!(
                "not listed: {} ({}, {})",
                kernel.name, file.name, kernel.label
            )),
            Some(row) if row.file != file.name || row.label != kernel.label => {
                faults.push(format!(
                    "{}: {} with {} on the page, {} with {} in the source",
                    kernel.name, row.file, row.label, file.name, kernel.label
                ))
            }
            Some(_) => {}
        }
    }
    faults.extend(
        listed
            .keys()
            .map(|kernel| format!("listed, but not labelled fp_ or fn_: {kernel}")),
    );
    none("faults in docs/limitations.md", &faults);
}
