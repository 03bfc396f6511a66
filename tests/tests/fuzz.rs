//! No text makes the analysis panic, and nothing it reports lies outside of the file: random bytes, random words of CUDA, and
//! kernels of the data set with a few words changed.
//!
//! The texts come from a generator with fixed seeds, so a failure repeats; what failed once belongs into `fuzz/corpus`, whose
//! cases the fuzz target found (`make fuzz`).

use std::fmt::Write as _;
use std::fs;
use std::time::{Duration, Instant};

use warplog::driver::{self, RunOptions};
use warplog::engine::Analysis;
use warplog::options::AnalysisOptions;
use warplog_report::{FindingKind, Place, Report, json, text};
use warplog_tests::labels::read_folder;
use warplog_tests::soup::{self, Random, WORDS};
use warplog_tests::{datasets, project, reading};

/// Analyses the texts, each as a file, and holds every place of the report against them.
fn survive(texts: &[Vec<u8>]) -> Report {
    let folder = tempfile::tempdir().expect("a folder");
    for (index, text) in texts.iter().enumerate() {
        fs::write(folder.path().join(format!("{index:05}.cu")), text).expect("a file");
    }
    let options = AnalysisOptions {
        query_timeout: Duration::from_millis(50),
        ..AnalysisOptions::default()
    };
    let run = RunOptions {
        jobs: 0,
        progress: false,
        workers: false,
    };
    let report = driver::check(&Analysis, &[folder.path().to_owned()], &options, run);
    assert_eq!(report.files, texts.len());
    let of = |file: &str| -> &[u8] {
        let stem = file
            .rsplit('/')
            .next()
            .and_then(|name| name.strip_suffix(".cu"));
        let index: usize = stem
            .and_then(|stem| stem.parse().ok())
            .unwrap_or_else(|| panic!("file {file}"));
        &texts[index]
    };
    // Without a file an error is one of the run: that no kernel was checked.
    for error in report.errors.iter().filter(|error| !error.file.is_empty()) {
        let text = String::from_utf8_lossy(of(&error.file));
        assert!(
            !error.message.contains("internal error"),
            "{}:\n{text}",
            error.message
        );
        assert!(
            inside(of(&error.file), error.line.unwrap_or(1), 1),
            "{error:?}:\n{text}"
        );
    }
    for row in &report.unsupported {
        let bytes = of(&row.file);
        assert!(
            inside(bytes, row.line, 1),
            "{row:?}:\n{}",
            String::from_utf8_lossy(bytes)
        );
    }
    let within = |place: &Place, what: &str| {
        let bytes = of(&place.file);
        let good = inside(bytes, place.line, place.column)
            && inside(bytes, place.end_line, place.end_column)
            && (place.line, place.column) <= (place.end_line, place.end_column);
        assert!(
            good,
            "{what} at {place:?}:\n{}",
            String::from_utf8_lossy(bytes)
        );
    };
    for kernel in &report.kernels {
        let bytes = of(&kernel.file);
        assert!(
            inside(bytes, kernel.line, 1),
            "{kernel:?}:\n{}",
            String::from_utf8_lossy(bytes)
        );
        for place in kernel
            .launches
            .iter()
            .filter_map(|launch| launch.place.as_ref())
        {
            within(place, "launch");
        }
        for finding in &kernel.findings {
            let races = finding.kind() == FindingKind::DataRace;
            assert!(
                finding.locations.len() >= if races { 2 } else { 1 },
                "{finding:?}"
            );
            for location in &finding.locations {
                within(&location.place, "finding");
            }
        }
    }
    // Both renderers cope with whatever it is.
    json::render(&report).expect("renders");
    let options = warplog_report::text::options::TextOptions {
        color: true,
        width: 80,
        fit: true,
        ..warplog_report::text::options::TextOptions::default()
    };
    assert!(!text::render(&report, options).is_empty());
    report
}

/// Whether a text has this line, and this column in it or just behind it.
fn inside(bytes: &[u8], line: u32, column: u32) -> bool {
    let text = String::from_utf8_lossy(bytes)
        .replace("\r\n", "\n")
        .replace('\r', "\n");
    let Some(index) = line
        .checked_sub(1)
        .and_then(|line| usize::try_from(line).ok())
    else {
        return false;
    };
    let Some(line) = text.split('\n').nth(index) else {
        return false;
    };
    // The line end counts, as do both characters of one of Windows.
    let width = line.chars().count() + 3;
    column >= 1 && usize::try_from(column).is_ok_and(|column| column <= width)
}

/// Reads the bytes to facts, which must be sound; how many kernels are among them.
fn sound(name: &str, bytes: &[u8]) -> usize {
    match reading::read(bytes) {
        Ok(facts) => facts.map_or(0, |facts| facts.kernel.len()),
        Err(problem) => panic!("{name}: {problem}\n{}", String::from_utf8_lossy(bytes)),
    }
}

/// The cases of the fuzz target: what once failed or was suspected, by name, and few that reach all that it ever reached.
fn kept() -> Vec<(String, Vec<u8>)> {
    let folder = fs::read_dir(project().join("fuzz/corpus")).expect("the corpus");
    let mut kept: Vec<(String, Vec<u8>)> = folder
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            (name, fs::read(path).expect("a case"))
        })
        .collect();
    kept.sort();
    kept
}

/// They are read to sound facts, one after the other, within a bound that leaves room for a slow machine.
#[test]
fn kept_cases_are_read_soundly_and_soon() {
    let kept = kept();
    assert!(kept.len() >= 100, "{}", kept.len());
    let mut kernels = 0;
    for (name, bytes) in &kept {
        let start = Instant::now();
        kernels += sound(name, bytes);
        let taken = start.elapsed();
        assert!(taken < Duration::from_secs(60), "{name} took {taken:?}");
    }
    assert!(kernels >= 50, "{kernels}");
}

/// They survive the whole program too.
#[test]
fn kept_cases_are_analysed() {
    let texts: Vec<Vec<u8>> = kept().into_iter().map(|(_, bytes)| bytes).collect();
    let report = survive(&texts);
    assert!(report.kernels.len() >= 50, "{}", report.kernels.len());
}

#[test]
fn random_bytes() {
    let mut random = Random::new(0x9e37_79b9_7f4a_7c15);
    let texts: Vec<Vec<u8>> = (0..300)
        .map(|_| {
            let length = random.below(400);
            // Half of them without zero bytes, which would end the reading at once.
            let low = random.below(2) * 9;
            (0..length)
                .map(|_| u8::try_from(low + random.below(256 - low)).unwrap_or(9))
                .collect()
        })
        .collect();
    survive(&texts);
    for text in &texts {
        sound("random bytes", text);
    }
}

/// Words at random, in the body of a kernel and anywhere.
#[test]
fn random_words() {
    let mut random = Random::new(0x2545_f491_4f6c_dd1d);
    let texts: Vec<Vec<u8>> = (0..600)
        .map(|index| {
            let mut text = String::new();
            if index % 3 > 0 {
                text.push_str("__global__ void k(int *g, int n)\n{\n__shared__ int s[64]; int i = threadIdx.x;\n");
            }
            for _ in 0..random.below(60) {
                let _ = write!(text, "{} ", random.pick(WORDS));
            }
            if index % 3 > 1 {
                text.push_str("\n}\n");
            }
            text.into_bytes()
        })
        .collect();
    let report = survive(&texts);
    for text in &texts {
        sound("random words", text);
    }
    assert!(report.kernels.len() >= 300, "{}", report.kernels.len());
}

/// Kernels of the data set with words left out, doubled, exchanged or replaced.
#[test]
fn changed_kernels() {
    let files = read_folder(&datasets()).expect("labels");
    let mut random = Random::new(0xd1b5_4a32_d192_ed03);
    let texts: Vec<Vec<u8>> = (0..250)
        .map(|_| {
            // One kernel with what stands before the first one: enough for most, and quick.
            let file = random.pick(&files);
            let kernel = random.pick(&file.labels.kernels);
            let first = file.labels.kernels[0].line;
            let text: Vec<&str> = (1..)
                .zip(file.text.lines())
                .filter(|(line, _)| *line < first || (kernel.line..=kernel.end).contains(line))
                .map(|(_, line)| line)
                .collect();
            let mut pieces = soup::pieces(&text.join("\n"));
            for _ in 0..=random.below(4) {
                soup::edit(&mut pieces, &mut random);
            }
            pieces.concat().into_bytes()
        })
        .collect();
    let report = survive(&texts);
    assert!(report.kernels.len() >= 100, "{}", report.kernels.len());
}
