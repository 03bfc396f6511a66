//! Programs of several files: what one file knows of another, and what it must not take for known.
//!
//! Each folder of `programs/` is a program, or several that share files; its kernels are labelled as those of the data set are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use warplog::choices::Link;
use warplog::driver::{RunOptions, check};
use warplog::engine::Analysis;
use warplog::options::AnalysisOptions;
use warplog_report::{Certainty, Report};
use warplog_tests::labels;

const RUN: RunOptions = RunOptions {
    jobs: 1,
    progress: false,
    workers: false,
};

fn folder() -> PathBuf {
    warplog_tests::project().join("tests/programs")
}

fn checked(path: &Path, link: Link) -> Report {
    let options = AnalysisOptions {
        link,
        ..AnalysisOptions::default()
    };
    let report = check(&Analysis, &[path.to_owned()], &options, RUN);
    assert!(report.errors.is_empty(), "{:?}", report.errors);
    report
}

/// The verdict of each kernel, by its name without template arguments: the worst.
fn verdicts(report: &Report) -> BTreeMap<String, &'static str> {
    let mut found: BTreeMap<String, _> = BTreeMap::new();
    for kernel in &report.kernels {
        let name = kernel.name.split('<').next().unwrap_or_default();
        let verdict = kernel.verdict();
        let worst = found.entry(name.to_owned()).or_insert(verdict);
        *worst = verdict.max(*worst);
    }
    let words = found.into_iter();
    words
        .map(|(name, verdict)| (name, verdict.as_str()))
        .collect()
}

/// The same by its file and its name: `kernels.cu: fold`.
fn verdicts_of_files(report: &Report) -> BTreeMap<String, &'static str> {
    let mut found = BTreeMap::new();
    let files: BTreeSet<&str> = report.kernels.iter().map(|one| one.file.as_str()).collect();
    for file in files {
        let mut part = Report::default();
        let own = report.kernels.iter().filter(|one| one.file == file);
        part.kernels.extend(own.cloned());
        let file = file.rsplit('/').next().unwrap_or(file);
        let words = verdicts(&part).into_iter();
        found.extend(words.map(|(name, verdict)| (format!("{file}: {name}"), verdict)));
    }
    found
}

/// The labels of the kernels in a folder, by file and name: what is true of each, and whether something else is known to be said.
fn labelled(folder: &Path) -> BTreeMap<String, (&'static str, bool)> {
    let mut all = BTreeMap::new();
    let entries = fs::read_dir(folder).expect("a folder");
    for entry in entries.flatten() {
        let text = fs::read_to_string(entry.path()).expect("is read");
        let file = entry.file_name().to_string_lossy().into_owned();
        if text.contains("//~ ") {
            let labels = labels::read(&text).expect("labels");
            for kernel in labels.kernels {
                let name = kernel.name.rsplit("::").next().unwrap_or_default();
                all.insert(
                    format!("{file}: {name}"),
                    (kernel.truth.verdict(), kernel.wrong),
                );
            }
        }
    }
    all
}

fn programs() -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("a folder");
    let mut all: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    all.sort();
    all
}

#[test]
fn programs_have_the_verdicts_of_their_labels() {
    let mut wrong = Vec::new();
    let all = programs();
    assert!(all.len() >= 70, "{} programs", all.len());
    for program in all {
        let report = checked(&program, Link::Programs);
        let (found, wanted) = (verdicts_of_files(&report), labelled(&program));
        assert!(!wanted.is_empty(), "{}", program.display());
        let fits = |(name, (truth, wrong)): (&String, &(&str, bool))| {
            found
                .get(name)
                .is_some_and(|verdict| (verdict == truth) != *wrong)
        };
        if found.len() != wanted.len() || !wanted.iter().all(fits) {
            let notes: Vec<&str> = report.notes.iter().map(|note| note.text.as_str()).collect();
            wrong.push(format!(
                "{}: {found:?}, not {wanted:?} {notes:#?}",
                program.display()
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_the_program_shows_is_confirmed_and_needs_no_assumption() {
    for name in [
        "alias_bad",
        "width_bad",
        "launch_bad",
        "c_bad",
        "method_bad",
    ] {
        let report = checked(&folder().join(name), Link::Programs);
        let sure = report.kernels.iter().any(|kernel| {
            let findings = &mut kernel.findings.iter();
            findings.any(|finding| finding.certainty == Certainty::Confirmed)
        });
        assert!(sure, "{name}");
    }
    for name in ["alias", "width"] {
        let report = checked(&folder().join(name), Link::Programs);
        let text = format!("{:?}", report.kernels);
        assert!(!text.contains("is called from"), "{name}: {text}");
        assert!(!text.contains("do not overlap"), "{name}: {text}");
    }
}

#[test]
fn a_program_is_told_and_can_be_taken_apart() {
    let path = folder().join("alias_bad");
    let told = |report: &Report| {
        let notes = report.notes.iter().map(|note| note.text.clone());
        notes
            .filter(|text| text.starts_with("program: "))
            .collect::<Vec<_>>()
    };
    let linked = checked(&path, Link::Programs);
    assert_eq!(told(&linked).len(), 1);
    assert!(
        told(&linked)[0].starts_with("program: 2 files, linked as files of one folder"),
        "{:?}",
        told(&linked)
    );
    let apart = checked(&path, Link::Never);
    assert!(told(&apart).is_empty());
    assert_eq!(verdicts(&linked)["shift"], "racy");
    assert_eq!(verdicts(&apart)["shift"], "race_free");
    // The place of the launch is in the file that is lowered, its arguments come from the other.
    let kernel = &linked.kernels[0];
    assert_eq!(kernel.launches.len(), 1, "{:?}", kernel.launches);
}

#[test]
fn a_launch_of_another_file_is_shown_where_it_stands() {
    let report = checked(&folder().join("launch_bad"), Link::Programs);
    let kernel = &report.kernels[0];
    assert!(kernel.file.ends_with("kernels.cu"));
    let place = kernel.launches[0].place.as_ref().expect("a place");
    assert!(place.file.ends_with("launch_bad/main.cu"), "{place:?}");
    assert_eq!(place.line, 6);
}

#[test]
fn all_jobs_and_orders_give_one_report() {
    let all = programs();
    let path = &all[0].parent().expect("a folder").to_owned();
    let options = AnalysisOptions::default();
    let text = |jobs| {
        let report = check(
            &Analysis,
            std::slice::from_ref(path),
            &options,
            RunOptions { jobs, ..RUN },
        );
        let kernels = report.kernels.iter().map(|kernel| {
            let findings = kernel.findings.iter();
            let findings: Vec<_> = findings
                .map(|finding| (&finding.locations, &finding.certainty, &finding.witness))
                .collect();
            format!("{} {:?} {findings:?}\n", kernel.name, kernel.launches)
        });
        format!("{} {:?}", kernels.collect::<String>(), report.notes)
    };
    assert_eq!(text(1), text(3));
}

/// Kernels whose host code is followed in files of their own, read with that of many others: none of their races is lost.
#[test]
fn linking_files_loses_no_race() {
    let sources = warplog_tests::sources(&warplog_tests::datasets().join("soundness"));
    let of_host = |path: &PathBuf| {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        name.starts_with("extra_host_") || name.starts_with("extra_bound_")
    };
    let paths: Vec<PathBuf> = sources.into_iter().filter(of_host).collect();
    let options = AnalysisOptions {
        link: Link::All,
        ..AnalysisOptions::default()
    };
    let report = check(&Analysis, &paths, &options, RUN);
    assert!(report.errors.is_empty(), "{:?}", report.errors);
    let is_linked = |text: &str| text.starts_with("program: ") && text.contains(" files");
    assert!(report.notes.iter().any(|note| is_linked(&note.text)));
    let found = verdicts(&report);
    let (mut races, mut lost) = (0, Vec::new());
    for path in &paths {
        let text = fs::read_to_string(path).expect("is read");
        for kernel in labels::read(&text).expect("labels").kernels {
            if kernel.truth.verdict() == "racy" && !kernel.wrong {
                races += 1;
                if found.get(&kernel.name) != Some(&"racy") {
                    lost.push(format!("{}: {:?}", kernel.name, found.get(&kernel.name)));
                }
            }
        }
    }
    assert!(races >= 150, "{races} races");
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

/// What puts files of two folders together.
#[test]
fn targets_are_programs() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
    };
    write(
        "kernels/shift.cu",
        "#include \"../shift.h\"\n__global__ void shift(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x + 1]; }\n\
         void move(int *to, const int *from) { shift<<<1, 64>>>(to, from); }\n",
    );
    write("shift.h", "void move(int *to, const int *from);\n");
    write(
        "app/main.cpp",
        "#include \"../shift.h\"\nint main() {\n  int *a;\n  cudaMalloc(&a, 4096);\n  move(a, a);\n}\n",
    );
    let told = |link| {
        let report = checked(folder.path(), link);
        let how = report
            .notes
            .iter()
            .find_map(|note| note.text.strip_prefix("program: "));
        (
            verdicts(&report)["shift"],
            how.unwrap_or_default().to_owned(),
        )
    };
    assert_eq!(told(Link::Programs), ("race_free", String::new()));
    write(
        "Makefile",
        "app: kernels/shift.o app/main.o\n\tnvcc -o $@ $^\n%.o: %.cu\n\tnvcc -c $< -o $@\n",
    );
    let (verdict, how) = told(Link::Programs);
    assert_eq!(verdict, "racy");
    assert!(
        how.starts_with("2 files, linked by `") && how.contains("/Makefile`"),
        "{how}"
    );
    assert_eq!(told(Link::Never).0, "race_free");
    fs::remove_file(folder.path().join("Makefile")).expect("no file");
    write(
        "CMakeLists.txt",
        "add_library(kernels kernels/shift.cu)\nadd_executable(app app/main.cpp)\ntarget_link_libraries(app kernels)\n",
    );
    assert_eq!(told(Link::Programs).0, "racy");
}

#[test]
fn launches_that_are_left_out_are_told_from_those_that_are_not_there() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.cu");
    let kernel = |name: &str| format!("__global__ void {name}(int *p) {{ p[threadIdx.x] = 1; }}\n");
    let text = format!(
        "{}{}{}#ifdef WIDE\nvoid f(int *p) {{ wide<<<1, 64>>>(p); }}\n#endif\nvoid g(int *p) {{ if (0) off<<<1, 64>>>(p); }}\n",
        kernel("wide"),
        kernel("off"),
        kernel("lone")
    );
    fs::write(&path, text).expect("a file");
    let report = checked(&path, Link::Programs);
    let said = |name: &str| {
        let kernel = report.kernels.iter().find(|kernel| kernel.name == name);
        format!("{:?}", kernel.expect("a kernel").launches)
    };
    assert!(said("wide").contains("its launch in line 5 is left out by a conditional"));
    assert!(said("off").contains("its launch in line 7 is never reached"));
    assert!(!said("lone").contains("its launch"));
}

/// A program of one file as three: two that define its functions in turn, and a header that declares them and holds the rest.
fn split(text: &str) -> Option<[String; 3]> {
    let unit = warplog_extractor::syntax::parse(text);
    if text.contains('#') || !unit.unparsed.is_empty() {
        return None;
    }
    let mut header = String::from("#pragma once\n");
    let include = "#include \"part.h\"\n";
    let mut files = [include.to_owned(), include.to_owned()];
    let mut behind = 0;
    let mut moved = 0;
    for function in &unit.functions {
        let Some(body) = &function.body else { continue };
        let is_free = function.owner.is_none() && !function.name.starts_with("operator");
        let stays = function.quals.is_static
            || function.quals.inline
            || function.quals.device
            || function.quals.friend
            || function.quals.constexpr
            || function.template.is_some()
            || !is_free
            || matches!(
                function.ret.kind,
                warplog_extractor::syntax::ast::TypeKind::Auto
            )
            || function.params.iter().any(|param| param.default.is_some())
            || function.range.start < behind;
        if stays {
            continue;
        }
        header.push_str(text.get(behind as usize..function.range.start as usize)?);
        let head = text.get(function.range.start as usize..body.range.start as usize)?;
        header.push_str(head.trim_end());
        header.push(';');
        behind = function.range.end;
        let file = &mut files[moved % 2];
        file.push_str(text.get(function.range.bytes())?);
        file.push('\n');
        moved += 1;
    }
    header.push_str(text.get(behind as usize..)?);
    // Variables that one file would define twice.
    let own = unit.globals.iter().any(|global| {
        !global.name.contains("::") && !global.ty.is_const && !global.storage.constexpr
    });
    let [first, second] = files;
    (moved > 2 && !own).then_some([header, first, second])
}

#[test]
fn a_program_taken_apart_has_the_verdicts_of_one_file() {
    let mut differ = Vec::new();
    let (mut programs, mut kernels) = (0, 0);
    for folder in ["soundness", "constructs"] {
        for path in warplog_tests::sources(&warplog_tests::datasets().join(folder)) {
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned());
            let name = name.unwrap_or_default();
            let of_host = [
                "extra_host_",
                "extra_launch_",
                "launch_",
                "host_",
                "same_allocation",
            ];
            // In parts, a body sees all that the header declares, also what one file declares behind it.
            let tells_order = name.contains("declared_later");
            if tells_order || !of_host.iter().any(|begin| name.starts_with(begin)) {
                continue;
            }
            let text = fs::read_to_string(&path).expect("is read");
            let Some([header, first, second]) = split(&text) else {
                continue;
            };
            let folder = tempfile::tempdir().expect("a folder");
            let place = |name: &str| folder.path().join(name);
            fs::write(place("one.cu"), &text).expect("a file");
            let one = verdicts(&checked(&place("one.cu"), Link::Never));
            fs::remove_file(place("one.cu")).expect("no file");
            fs::write(place("part.h"), header).expect("a file");
            fs::write(place("a.cu"), first).expect("a file");
            fs::write(place("b.cu"), second).expect("a file");
            let report = checked(folder.path(), Link::All);
            let several = verdicts(&report);
            programs += 1;
            kernels += one.len();
            // A function that is an argument of a class template is followed in one file only (docs/limitations.md).
            let followed = |kernel: &&String| !kernel.starts_with("class_function");
            for (kernel, verdict) in one.iter().filter(|(kernel, _)| followed(kernel)) {
                if several.get(kernel) != Some(verdict) {
                    let other = several.get(kernel);
                    differ.push(format!("{name} {kernel}: {verdict}, in parts {other:?}"));
                }
            }
            let notes: Vec<&str> = report.notes.iter().map(|note| note.text.as_str()).collect();
            if notes.iter().any(|text| text.contains("not linked")) {
                differ.push(format!("{name}: {notes:?}"));
            }
        }
    }
    let told = format!("{programs} programs, {kernels} kernels\n");
    let _ = std::io::stderr().write_all(told.as_bytes());
    assert!(programs >= 10, "{programs} programs");
    assert!(differ.is_empty(), "{}", differ.join("\n"));
}
