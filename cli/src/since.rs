//! `--diff REV`: which findings are of the change since a revision.
//!
//! A finding is of the change if one of its places is on a line that the change wrote, or if the text of the revision has no such
//! finding, or has it with less certainty. For the second, the files that have findings are analysed once more where they are, with every
//! file that the change touched as it was at the revision ([`Earlier`]): flags, names and files that git does not know are those of
//! today, so that the two reports differ in the change alone. What is not of the change is suppressed, not deleted.
//!
//! Git is asked by its own program, and only for what it has: the blobs, and the lines of a difference without context. A file that was
//! renamed is compared with what it was called; one that git does not know yet, and does not ignore, is new.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, thread};

use warplog_report::text::safe;
use warplog_report::{Certainty, Finding, Place, Report, SuppressedBy, Suppression};

use crate::choices::Mends;
use crate::collect::{LARGEST_FILE, shown};
use crate::driver::{self, RunOptions};
use crate::options::AnalysisOptions;
use crate::pipeline::Pipeline;
use crate::texts::{Earlier, is_stdin};

/// The change of some files since a revision.
#[derive(Clone, Debug, Default)]
pub(crate) struct Change {
    /// The revision as it was given.
    revision: String,
    /// What the files were that changed.
    earlier: BTreeMap<PathBuf, Option<Vec<u8>>>,
    /// First and last of the lines that the change wrote, by file.
    lines: BTreeMap<PathBuf, Vec<(u32, u32)>>,
}

/// The change of the repositories that these paths are in.
///
/// # Errors
/// A path is in no repository, or its repository has no such revision; in words for the user.
pub(crate) fn change(
    revision: &str,
    paths: &[PathBuf],
    options: &AnalysisOptions,
) -> Result<Change, String> {
    let mut change = Change {
        revision: revision.to_owned(),
        ..Change::default()
    };
    let mut known: BTreeSet<PathBuf> = BTreeSet::new();
    for path in paths {
        let path = match is_stdin(path) {
            true => options.stdin.name.as_path(),
            false => path,
        };
        let folder = match path.is_dir() {
            true => path,
            false => path.parent().unwrap_or(path),
        };
        let folder = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let top = git(folder, &["rev-parse", "--show-toplevel"]).map_err(|message| {
            let name = safe(&shown(path));
            format!("--diff needs a git repository: {name}: {message}")
        })?;
        let top = PathBuf::from(String::from_utf8_lossy(&top).trim_end());
        if known.insert(top.clone()) {
            change.add(&top)?;
        }
    }
    Ok(change)
}

/// A file of the difference.
struct Changed {
    /// Where it is now, or where it was if it is gone, from the top of the repository.
    path: PathBuf,
    /// The blob that it was; none if it is new.
    blob: Option<String>,
    is_gone: bool,
    /// Where it was if it has another name now.
    was: Option<PathBuf>,
}

impl Change {
    /// Adds the change of a repository.
    fn add(&mut self, top: &Path) -> Result<(), String> {
        let wanted = format!("{}^{{commit}}", self.revision);
        let verify = [
            "rev-parse",
            "--verify",
            "--quiet",
            "--end-of-options",
            &wanted,
        ];
        let commit = git(top, &verify).map_err(|_| {
            let (revision, top) = (safe(&self.revision), safe(&shown(top)));
            format!("--diff: `{revision}` is no revision of the repository in {top}")
        })?;
        let commit = String::from_utf8_lossy(&commit).trim_end().to_owned();
        let told = |message| format!("--diff: git: {message}");
        let difference = |more: &[&str]| {
            let mut words = vec!["diff", "--no-ext-diff", "--no-textconv", "--no-color", "-M"];
            words.extend(more);
            words.extend([commit.as_str(), "--"]);
            git(top, &words).map_err(told)
        };
        let files = raw(&difference(&["--raw", "-z", "--no-abbrev"])?);
        let patch = difference(&["-p", "-U0", "--inter-hunk-context=0", "--submodule=short"])?;
        let lines = written(&patch);
        let blobs: Vec<String> = files.iter().filter_map(|file| file.blob.clone()).collect();
        let mut contents = contents(top, &blobs).map_err(told)?;
        let real = |path: &Path| Earlier::place(&top.join(path));
        for (nth, file) in files.iter().enumerate() {
            let path = real(&file.path);
            let content = file.blob.as_ref().and_then(|blob| contents.remove(blob));
            if !file.is_gone {
                let own = lines.get(nth).cloned().unwrap_or_default();
                self.lines.entry(path.clone()).or_default().extend(own);
            }
            if let (Some(was), Some(content)) = (&file.was, &content) {
                self.earlier.insert(real(was), Some(content.clone()));
            }
            // A submodule has no blob, nor has what is too large.
            if content.is_some() || file.blob.is_none() {
                self.earlier.insert(path, content);
            }
        }
        let words = ["ls-files", "-z", "--others", "--exclude-standard"];
        let others = git(top, &words).map_err(told)?;
        for name in others
            .split(|byte| *byte == 0)
            .filter(|name| !name.is_empty())
        {
            let path = real(&path_of(name));
            self.lines.insert(path.clone(), vec![(1, u32::MAX)]);
            self.earlier.insert(path, None);
        }
        Ok(())
    }

    /// Suppresses what is not of the change.
    pub(crate) fn apply<P: Pipeline>(
        &self,
        pipeline: &P,
        paths: &[PathBuf],
        options: &AnalysisOptions,
        run: RunOptions,
        report: &mut Report,
    ) {
        let mut left: BTreeSet<String> = BTreeSet::new();
        let mut places: BTreeMap<String, PathBuf> = BTreeMap::new();
        let mut is_touched = |finding: &Finding| {
            let all = finding.locations.iter();
            let mut all = all.flat_map(|one| one.calls.iter().chain([&one.place]));
            all.any(|place| self.wrote(place, &mut places))
        };
        let mut touched: BTreeSet<String> = BTreeSet::new();
        for kernel in &report.kernels {
            for finding in kernel
                .findings
                .iter()
                .filter(|one| one.suppressed.is_none())
            {
                if is_touched(finding) {
                    touched.insert(finding.fingerprint.clone());
                    continue;
                }
                let key = (kernel.file.clone(), kernel.name.clone());
                match report.inventory.shown_by.get(&key) {
                    Some(inputs) => left.extend(inputs.iter().cloned()),
                    None => drop(left.insert(kernel.file.clone())),
                }
            }
        }
        let before = match left.is_empty() || self.earlier.is_empty() {
            true => None,
            false => Some(self.before(pipeline, paths, options, run, left)),
        };
        let was: Option<BTreeMap<&str, Certainty>> = before.as_ref().map(|before| {
            let findings = before.kernels.iter().flat_map(|kernel| &kernel.findings);
            let prints = findings.map(|one| (one.fingerprint.as_str(), one.certainty));
            prints.collect()
        });
        let findings = report
            .kernels
            .iter_mut()
            .flat_map(|kernel| &mut kernel.findings);
        for finding in findings.filter(|one| one.suppressed.is_none()) {
            let known = match &was {
                // Nothing changed: nothing is new.
                None => true,
                Some(was) => was
                    .get(finding.fingerprint.as_str())
                    .is_some_and(|certainty| *certainty >= finding.certainty),
            };
            if known && !touched.contains(&finding.fingerprint) {
                finding.suppressed = Some(Suppression {
                    by: SuppressedBy::Baseline,
                    reason: format!("not of the change since {}", safe(&self.revision)),
                });
            }
        }
    }

    /// The report on some inputs as they were.
    fn before<P: Pipeline>(
        &self,
        pipeline: &P,
        paths: &[PathBuf],
        options: &AnalysisOptions,
        run: RunOptions,
        inputs: BTreeSet<String>,
    ) -> Report {
        let options = AnalysisOptions {
            earlier: Earlier::new(self.earlier.clone()),
            only: inputs.into_iter().collect(),
            mends: Mends::No,
            costs: None,
            anatomy: false,
            coverage: false,
            timings: false,
            // What is known of the files now is not known of them then.
            scan: std::sync::Arc::default(),
            ..options.clone()
        };
        let run = RunOptions {
            progress: false,
            ..run
        };
        driver::check(pipeline, paths, &options, run)
    }

    /// Whether the change wrote a line of a place.
    fn wrote(&self, place: &Place, places: &mut BTreeMap<String, PathBuf>) -> bool {
        let path = places
            .entry(place.file.clone())
            .or_insert_with(|| fs::canonicalize(&place.file).unwrap_or_default());
        let lines = self.lines.get(path);
        lines.is_some_and(|lines| {
            let meets =
                |(first, last): &(u32, u32)| place.line <= *last && place.end_line >= *first;
            lines.iter().any(meets)
        })
    }
}

/// What git writes.
fn git(folder: &Path, words: &[&str]) -> Result<Vec<u8>, String> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(words)
        .stdin(Stdio::null())
        .env("LC_ALL", "C")
        .output()
        .map_err(|error| format!("cannot run git: {}", crate::collect::reason(&error)))?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = said.lines().next().unwrap_or("it fails").trim();
    Err(safe(said.strip_prefix("fatal: ").unwrap_or(said)))
}

#[cfg(unix)]
fn path_of(name: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;

    std::ffi::OsString::from_vec(name.to_vec()).into()
}

#[cfg(not(unix))]
fn path_of(name: &[u8]) -> PathBuf {
    PathBuf::from(String::from_utf8_lossy(name).into_owned())
}

/// The files of `git diff --raw -z`: `:MODE MODE BLOB BLOB STATUS`, then a path, and one more for what was renamed or copied.
fn raw(bytes: &[u8]) -> Vec<Changed> {
    let mut words = bytes.split(|byte| *byte == 0);
    let mut files = Vec::new();
    while let Some(entry) = words.next() {
        let entry = String::from_utf8_lossy(entry);
        let fields: Vec<&str> = entry.trim_start_matches(':').split(' ').collect();
        let [mode, _, blob, _, status] = fields.as_slice() else {
            continue;
        };
        let Some(first) = words.next().map(path_of) else {
            break;
        };
        let is_file = mode.starts_with("100") || mode.starts_with("120");
        let blob = (is_file && blob.bytes().any(|digit| digit != b'0')).then(|| (*blob).to_owned());
        let second = match status.starts_with(['R', 'C']) {
            true => words.next().map(path_of),
            false => None,
        };
        files.push(match second {
            Some(path) => Changed {
                path,
                blob,
                is_gone: false,
                was: status.starts_with('R').then_some(first),
            },
            None => Changed {
                path: first,
                blob,
                is_gone: status.starts_with('D'),
                was: None,
            },
        });
    }
    files
}

/// The lines that a patch writes, file by file in the order of the patch.
fn written(patch: &[u8]) -> Vec<Vec<(u32, u32)>> {
    let mut files: Vec<Vec<(u32, u32)>> = Vec::new();
    for line in patch.split(|byte| *byte == b'\n') {
        if line.starts_with(b"diff --git ") {
            files.push(Vec::new());
        } else if line.starts_with(b"@@ -") {
            let text = String::from_utf8_lossy(line);
            let range = text
                .split(" +")
                .nth(1)
                .and_then(|rest| rest.split(' ').next());
            let (first, count) = range.map_or(("", "1"), |range| {
                range.split_once(',').unwrap_or((range, "1"))
            });
            if let (Ok(first), Ok(count @ 1..), Some(file)) =
                (first.parse::<u32>(), count.parse::<u32>(), files.last_mut())
            {
                file.push((first, first.saturating_add(count - 1)));
            }
        }
    }
    files
}

/// The contents of blobs, without those that are larger than any source.
fn contents(top: &Path, blobs: &[String]) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let told = |error: std::io::Error| crate::collect::reason(&error);
    let mut known = BTreeMap::new();
    if blobs.is_empty() {
        return Ok(known);
    }
    let mut child = Command::new("git")
        .arg("-C")
        .arg(top)
        .args(["cat-file", "--batch"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(told)?;
    let asked: String = blobs.iter().map(|blob| format!("{blob}\n")).collect();
    if let Some(mut input) = child.stdin.take() {
        // It answers while it reads.
        thread::spawn(move || input.write_all(asked.as_bytes()));
    }
    let output = child.stdout.take().ok_or("it says nothing")?;
    let mut output = BufReader::new(output);
    for blob in blobs {
        let mut head = String::new();
        output.read_line(&mut head).map_err(told)?;
        let Some(size) = head
            .split(' ')
            .nth(2)
            .and_then(|size| size.trim().parse::<u64>().ok())
        else {
            continue;
        };
        let mut content = Vec::new();
        let read = (&mut output)
            .take(size)
            .read_to_end(&mut content)
            .map_err(told)?;
        if u64::try_from(read).ok() != Some(size) {
            return Err("it ends too early".to_owned());
        }
        let mut end = [0];
        output.read_exact(&mut end).map_err(told)?;
        if size <= LARGEST_FILE {
            known.insert(blob.clone(), content);
        }
    }
    let _ = child.wait();
    Ok(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_of_a_difference_are_read() {
        let text = ":100644 100644 aa bb M\0a b.cu\0:100644 100644 cc dd R090\0old.cu\0new.cu\0\
                    :000000 100644 00 ee A\0added.cu\0:100644 000000 ff 00 D\0gone.cuh\0:160000 160000 11 22 M\0sub\0";
        let told: Vec<(String, Option<String>, bool, Option<PathBuf>)> = raw(text.as_bytes())
            .into_iter()
            .map(|file| {
                (
                    file.path.display().to_string(),
                    file.blob,
                    file.is_gone,
                    file.was,
                )
            })
            .collect();
        let blob = |name: &str| Some(name.to_owned());
        assert_eq!(
            told,
            [
                ("a b.cu".to_owned(), blob("aa"), false, None),
                (
                    "new.cu".to_owned(),
                    blob("cc"),
                    false,
                    Some(PathBuf::from("old.cu"))
                ),
                ("added.cu".to_owned(), None, false, None),
                ("gone.cuh".to_owned(), blob("ff"), true, None),
                ("sub".to_owned(), None, false, None),
            ]
        );
        assert!(raw(b"").is_empty());
    }

    #[test]
    fn the_lines_of_a_patch_are_those_that_it_writes() {
        let patch = "diff --git a/x b/x\nindex 1..2\n@@ -3 +3,2 @@ void f()\n-a\n+b\n+@@ -1 +9 @@\n@@ -9,2 +10,0 @@\n-c\n-d\n\
                     diff --git a/y b/z\nsimilarity index 100%\ndiff --git a/w b/w\n@@ -0,0 +1 @@\n+q\n\\ No newline";
        assert_eq!(
            written(patch.as_bytes()),
            [vec![(3, 4)], vec![], vec![(1, 1)]]
        );
    }
}
