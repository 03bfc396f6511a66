//! The driver and the program over an injected pipeline.

use std::fs;
use std::io::{self, Write};
use std::time::Duration;

use warplog_report::{Dim, Kernel, Launch, LaunchSource, Outcome, Stats};
use warplog_solver_bridge::Stop;

use super::*;
use crate::told::Told;
use crate::{Streams, run};

/// A pipeline that takes its kernels from lines `kernel NAME race_free|unknown|contradictory`, and panics, fails or
/// sleeps where a line says so.
struct Fake;

impl Fake {
    fn read(unit: &Unit<'_>, options: &AnalysisOptions) -> Report {
        let mut report = Report::default();
        let text = String::from_utf8_lossy(unit.bytes);
        for (line, content) in (1u32..).zip(text.lines()) {
            let words: Vec<&str> = content.split_whitespace().collect();
            match words.as_slice() {
                ["kernel", name, verdict] => {
                    report.kernels.push(kernel(unit, name, line, verdict));
                }
                ["interrupt"] => options.stop.request(),
                ["panic"] => panic!("cannot cope with {}", unit.shown),
                ["recurse", depth] => {
                    let depth = depth.parse().expect("a number");
                    assert_eq!(recurse(depth), depth);
                }
                ["sleep", millis] => {
                    std::thread::sleep(Duration::from_millis(millis.parse().expect("a number")));
                }
                _ => {}
            }
        }
        report.timings.push(warplog_report::FileTimings {
            file: unit.shown.to_owned(),
            phases: vec![("extract".to_owned(), 1)],
        });
        if let Some(launch) = &unit.options.launch {
            report.notes.push(Note {
                place: None,
                text: format!("{}: {:?}", unit.shown, launch.block_dim),
            });
        }
        assert!(options.query_timeout > Duration::ZERO);
        report
    }
}

fn kernel(unit: &Unit<'_>, name: &str, line: u32, verdict: &str) -> Kernel {
    let dim = || [Dim::Known(64), Dim::Known(1), Dim::Known(1)];
    Kernel {
        name: name.to_owned(),
        file: unit.shown.to_owned(),
        line,
        launches: vec![Launch {
            source: LaunchSource::Symbolic,
            place: None,
            block: dim(),
            grid: dim(),
            arguments: Vec::new(),
            assumptions: Vec::new(),
            outcome: match verdict {
                "race_free" => Outcome::Complete,
                "contradictory" => Outcome::Contradictory(Vec::new()),
                _ => Outcome::Undecided(Vec::new()),
            },
        }],
        findings: Vec::new(),
        stats: Stats::default(),
        notes: Vec::new(),
        extent: warplog_report::Extent::default(),
        anatomies: Vec::new(),
        costs: None,
    }
}

/// Uses about a hundred bytes of stack a level at the least.
fn recurse(depth: u64) -> u64 {
    let noise = std::hint::black_box([depth; 8]);
    if depth == 0 {
        0
    } else {
        std::hint::black_box(recurse(depth - 1)) + 1 + noise[7] - noise[0]
    }
}

impl Pipeline for Fake {
    type Facts = String;

    fn check(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> Report {
        Fake::read(unit, options)
    }

    fn extract(
        &self,
        unit: &Unit<'_>,
        options: &AnalysisOptions,
        _depth: Depth,
    ) -> (String, Report) {
        Fake::read(unit, options);
        (format!("{}\n", unit.shown), Report::default())
    }

    fn export(&self, facts: Vec<String>, _report: &Report, to: &Export) -> Result<(), InputError> {
        let folder = to.folder.as_deref().expect("a folder");
        fs::write(folder, facts.concat())
            .map_err(|error| failure(&folder.to_string_lossy(), error.to_string()))
    }

    fn read(
        &self,
        folder: &Path,
        _options: &AnalysisOptions,
        _depth: Depth,
    ) -> Result<(String, Report), InputError> {
        fs::read_to_string(folder)
            .map(|text| (text, Report::default()))
            .map_err(|error| failure("", error.to_string()))
    }

    fn database(&self, _facts: Vec<String>, _report: &Report) -> Result<Database, InputError> {
        Database::new().map_err(|error| failure("", error.to_string()))
    }

    fn explain(
        &self,
        facts: &[String],
        _report: &Report,
        question: &Question,
    ) -> Result<String, String> {
        Ok(format!("{question:?} of {facts:?}"))
    }

    fn solve(&self, folder: &Path, _options: &AnalysisOptions) -> Report {
        match fs::read(folder) {
            Ok(_) => Report::default(),
            Err(error) => from_errors(vec![failure("", error.to_string())]),
        }
    }
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    folder
}

/// Runs the program; the folder's name is taken out of the output.
fn program(folder: &tempfile::TempDir, line: &str) -> (u8, String, String) {
    let root = folder.path().display().to_string();
    let arguments: Vec<String> = line
        .split_whitespace()
        .map(|word| word.replace('@', &root))
        .collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let mut streams = Streams {
        interruption: &Stop::default,
        workers: false,
        input: &mut std::io::empty(),
        terminal: false,
        cache: None,
        out: &mut out,
        err: &mut err,
        color: false,
        width: 100,
        progress: false,
        told: Told::default(),
    };
    let status = run(&Fake, arguments, &mut streams);
    let text = |bytes: Vec<u8>| {
        String::from_utf8(bytes)
            .expect("text")
            .replace(&format!("{root}/"), "")
            .replace(&root, "@")
    };
    (status, text(out), text(err))
}

#[test]
fn a_panic_costs_only_its_file() {
    let folder = folder(&[
        ("a.cu", "kernel first race_free\n"),
        ("b.cu", "kernel lost race_free\npanic\n"),
        ("c.cu", "kernel last unknown\n"),
    ]);
    let (status, out, err) = program(&folder, "warplog check @");
    assert_eq!(status, 3);
    assert!(out.contains("race_free  a.cu:1 first"), "{out}");
    assert!(out.contains("unknown  c.cu:1 last"), "{out}");
    assert!(!out.contains("lost"), "{out}");
    assert!(out.contains("error: b.cu: internal error at "), "{out}");
    assert!(
        out.contains("cannot cope with b.cu; please report this"),
        "{out}"
    );
    assert_eq!(err, "");
}

#[test]
fn output_is_the_same_for_any_number_of_jobs() {
    let files: Vec<(String, String)> = (0..24)
        .map(|n| {
            let sleep = (24 - n) * 2;
            let panic = if n % 7 == 3 { "panic\n" } else { "" };
            (
                format!("f{n:02}.cu"),
                format!(
                    "//--blockDim={}\nsleep {sleep}\nkernel k{n} unknown\n{panic}",
                    n + 1
                ),
            )
        })
        .collect();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let folder = folder(&files);
    for format in ["text", "json"] {
        let one = program(
            &folder,
            &format!("warplog check @ --show all --format {format} --jobs 1"),
        );
        assert_eq!(one.0, 3);
        assert!(one.1.contains("k23"));
        for jobs in [2, 3, 8, 40] {
            let line = format!("warplog check @ --show all --format {format} -j {jobs}");
            assert_eq!(program(&folder, &line), one, "{jobs} jobs");
        }
    }
}

#[test]
fn files_have_a_large_stack() {
    let folder = folder(&[("deep.cu", "recurse 150000\nkernel k race_free\n")]);
    let (status, out, _) = program(&folder, "warplog check @");
    assert_eq!(status, 0, "{out}");
}

#[test]
fn the_header_reaches_the_analysis_and_flags_override_it() {
    let folder = folder(&[("a.cu", "//--blockDim=32 --no-inline\nkernel k race_free\n")]);
    let (status, out, _) = program(&folder, "warplog check @");
    assert_eq!(status, 0);
    assert!(out.contains("note: a.cu: Some([32, 1, 1])"), "{out}");
    assert!(
        out.contains("note: a.cu:1: header option `--no-inline` ignored"),
        "{out}"
    );
    let (_, out, _) = program(&folder, "warplog check @ --block-dim 8,8");
    assert!(out.contains("note: a.cu: Some([8, 8, 1])"), "{out}");
}

#[test]
fn a_wrong_header_is_an_error_at_its_line() {
    let folder = folder(&[
        ("a.cu", "// x\n//--blockDim=many\nkernel k race_free\n"),
        ("b.cu", "kernel k race_free\n"),
    ]);
    let (status, out, _) = program(&folder, "warplog check @");
    assert_eq!(status, 3);
    assert!(
        out.contains("error: a.cu:2: `--blockDim=many` in the header: "),
        "{out}"
    );
    assert!(out.contains("race_free  b.cu:1 k"), "{out}");
    assert!(!out.contains("a.cu:3"), "{out}");
}

#[test]
fn the_status_follows_fail_on_and_contradictions() {
    let folder = folder(&[
        ("a.cu", "kernel k unknown\n"),
        ("b.cu", "kernel k contradictory\n"),
    ]);
    assert_eq!(program(&folder, "warplog check @/a.cu").0, 0);
    assert_eq!(
        program(&folder, "warplog check @/a.cu --fail-on unknown").0,
        1
    );
    assert_eq!(program(&folder, "warplog check @/b.cu").0, 3);
    assert_eq!(program(&folder, "warplog check @ --fail-on unknown").0, 3);
    assert_eq!(program(&folder, "warplog check @/gone.cu --jobs 0").0, 2);
}

#[test]
fn kernels_are_chosen_by_name() {
    let folder = folder(&[(
        "a.cu",
        "kernel f<1> race_free\nkernel f<2> unknown\nkernel g unknown\n",
    )]);
    let (status, out, _) = program(&folder, "warplog check @ --kernel f");
    assert_eq!(status, 0);
    assert!(
        out.contains("2 kernels in 1 file: 1 unknown, 1 race_free"),
        "{out}"
    );
    let (status, out, _) = program(&folder, "warplog check @ --kernel f<1> --kernel h");
    assert_eq!(status, 3);
    assert!(out.contains("1 kernel in 1 file: 1 race_free"), "{out}");
    assert!(out.contains("error: no kernel is named `h`"), "{out}");
}

#[test]
fn inputs_without_kernels_are_said() {
    let folder = folder(&[("a.cu", "int x;\n"), ("b.cu", "panic\n")]);
    let (status, out, _) = program(&folder, "warplog check @/a.cu");
    assert_eq!(status, 3);
    assert!(out.contains("note: no kernels in `a.cu`"), "{out}");
    assert!(out.contains("error: no kernel was checked"), "{out}");
    // What failed may well have had kernels.
    let (_, out, _) = program(&folder, "warplog check @");
    assert!(!out.contains("no kernels in"), "{out}");
}

#[test]
fn json_leaves_remarks_to_standard_error() {
    let folder = folder(&[("a.cu", "")]);
    let (status, out, err) = program(&folder, "warplog check @ @/gone.cu --format json");
    assert_eq!(status, 3);
    assert!(out.starts_with("{\n  \"schema\": \"warplog/2\""), "{out}");
    assert_eq!(
        err,
        "note: no kernels in `@`\nerror: gone.cu: cannot read: no such file or directory\n"
    );
}

#[test]
fn times_only_when_asked() {
    let folder = folder(&[("a.cu", "kernel k race_free\n")]);
    for format in ["text", "json"] {
        let line = format!("warplog check @ --format {format}");
        assert!(!program(&folder, &line).1.contains("extract"));
        assert!(
            program(&folder, &format!("{line} --timings"))
                .1
                .contains("extract")
        );
    }
}

#[test]
fn facts_are_written_in_the_order_of_paths() {
    let folder = folder(&[("b.cu", ""), ("a.cu", "sleep 20"), ("c.cu", "panic")]);
    let (status, out, err) = program(&folder, "warplog facts @ --out @/facts --jobs 3");
    assert_eq!(status, 3);
    assert_eq!(out, "");
    assert!(err.starts_with("error: c.cu: internal error"), "{err}");
    let written = fs::read_to_string(folder.path().join("facts")).expect("facts");
    let root = folder.path().display();
    assert_eq!(written, format!("{root}/a.cu\n{root}/b.cu\n"));
    assert_eq!(program(&folder, "warplog solve @/facts").0, 0);
    assert_eq!(program(&folder, "warplog solve @/nothing").0, 3);
    assert_eq!(
        program(&folder, "warplog facts @/a.cu --out @/no/where").0,
        3
    );
}

/// A stream whose reader is gone, or whose disk is full.
struct Broken(io::ErrorKind);

impl Write for Broken {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(self.0.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_pipe_is_no_error_and_a_full_disk_is_one() {
    let folder = folder(&[("a.cu", "kernel k unknown\n")]);
    let path = folder.path().join("a.cu").display().to_string();
    for (kind, expected) in [
        (io::ErrorKind::BrokenPipe, 1),
        (io::ErrorKind::StorageFull, 3),
    ] {
        let mut err = Vec::new();
        let mut streams = Streams {
            interruption: &Stop::default,
            workers: false,
            input: &mut std::io::empty(),
            terminal: false,
            cache: None,
            out: &mut Broken(kind),
            err: &mut err,
            color: false,
            width: 100,
            progress: false,
            told: Told::default(),
        };
        let arguments = ["warplog", "check", &path, "--fail-on", "unknown"];
        assert_eq!(run(&Fake, arguments, &mut streams), expected);
        assert_eq!(err.is_empty(), kind == io::ErrorKind::BrokenPipe);
    }
}

#[test]
fn leading_comments_end_at_the_first_other_line() {
    assert_eq!(leading_comments(b""), "");
    assert_eq!(
        leading_comments(b"//a\r\n\n // b\nint x;\n//c\n"),
        "//a\r\n\n // b\n"
    );
    assert_eq!(leading_comments(b"\xef\xbb\xbf//a\n\xff"), "\u{feff}//a\n");
    assert_eq!(leading_comments(b"//\xff"), "//\u{fffd}");
}

#[test]
fn what_was_found_before_an_interruption_is_told_in_every_format() {
    let folder = folder(&[
        ("a.cu", "kernel first race_free\n"),
        ("b.cu", "kernel cut unknown\ninterrupt\n"),
        ("c.cu", "kernel never race_free\n"),
        ("d.cu", "kernel never race_free\n"),
        (
            "known.json",
            "{\"schema\": \"warplog-baseline/1\", \"findings\": [{\"fingerprint\": \"gone\"}]}",
        ),
    ]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    let (status, out, err) = program(
        &folder,
        "warplog check @/a.cu @/b.cu @/c.cu @/d.cu -j 1 --baseline @/known.json -o concise=@/o.txt -o json=@/o.json -o \
         sarif=@/o.sarif -o junit=@/o.xml -o csv=@/o.csv -o sqlite=@/o.db",
    );
    assert_eq!((status, err.as_str()), (130, ""));
    assert!(out.contains("race_free  a.cu:1 first"), "{out}");
    assert!(out.contains("unknown  b.cu:1 cut"), "{out}");
    assert!(
        !out.contains("never") && !out.contains("no longer found"),
        "{out}"
    );
    assert!(
        out.contains("error: interrupted: 1 of 4 files analysed to the end\n"),
        "{out}"
    );
    assert!(out.ends_with("2 kernels so far: 1 unknown, 1 race_free; 0 findings; 1 error; incomplete: 1 of 4 files\n"), "{out}");
    assert!(read("o.txt").ends_with("error: interrupted: 1 of 4 files analysed to the end\n"));
    let json: serde_json::Value = serde_json::from_str(&read("o.json")).expect("JSON");
    assert_eq!(
        json["incomplete"],
        serde_json::json!({"files_done": 1, "files": 4})
    );
    let sarif: serde_json::Value = serde_json::from_str(&read("o.sarif")).expect("JSON");
    let invocation = &sarif["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    assert_eq!(invocation["exitCode"], 130);
    assert!(read("o.xml").contains("interrupted: 1 of 4 files analysed to the end"));
    assert!(
        read("o.csv").contains("\n,,incomplete,,error,"),
        "{}",
        read("o.csv")
    );
    let database = Database::open(&folder.path().join("o.db")).expect("a database");
    let rows = database.query("SELECT value FROM warplog WHERE key = 'incomplete'");
    assert!(format!("{:?}", rows.expect("rows").rows).contains("1 of 4 files"));
    // A baseline of a part would make the rest new.
    let (status, out, _) = program(
        &folder,
        "warplog check @/a.cu @/b.cu @/c.cu -j 1 --kernel never --write-baseline @/new.json",
    );
    assert_eq!(status, 130);
    assert!(
        out.contains("error: new.json: the run was interrupted: the baseline stays as it was"),
        "{out}"
    );
    assert!(!out.contains("no kernel is named"), "{out}");
    assert!(!folder.path().join("new.json").exists());
}
