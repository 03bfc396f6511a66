//! Labels of kernels, as they stand in the source.
//!
//! The line `//~ LABEL` above a kernel (above its template line, if it has one) says what is true of it:
//! `race-free`, `race`, `divergence`, `assertion` (one that can fail, and neither), `unknown` (no verdict is right, the kernel rests on something that the analysis cannot
//! see) or `error` (launch and assumptions contradict each other). Where the tool is known to be wrong the label begins with
//! `fp_` (an alarm, or no answer, on a kernel that is race-free) or `fn_` (no alarm, or another one, on a kernel that has the
//! defect). `assumed_race` is a race by arrays that host code of the file makes one where it is not followed: the tool proves the
//! kernel race-free under an assumption that names the arrays and says so.
//! A second word, `confirmed`, `conditional` or `potential`, says how sure the tool is of its surest finding, where that says
//! something. `//~ here` behind a line says that the defect shows there.
//!
//! Reading is strict: a kernel without a label, a label without a kernel, a word that is no label and a `here` in a kernel
//! without defect are errors, because each could switch a check off unseen.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What a label begins with whose kernel is race-free under an assumption that the file breaks.
const ASSUMED: &str = "assumed_";

/// What is true of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Truth {
    /// No race and no divergent barrier.
    RaceFree,
    /// A data race.
    Race,
    /// A divergent barrier, and no race but behind it, where anything may happen.
    Divergence,
    /// An assertion or invariant that does not hold, and neither race nor divergent barrier.
    Assertion,
    /// Nothing can be said.
    Unknown,
    /// The launch and its assumptions contradict each other.
    Error,
}

impl Truth {
    /// All of them, with their words in labels and their verdicts in reports.
    pub const ALL: [(Truth, &'static str, &'static str); 6] = [
        (Truth::RaceFree, "race-free", "race_free"),
        (Truth::Race, "race", "racy"),
        (Truth::Divergence, "divergence", "barrier_divergence"),
        (Truth::Assertion, "assertion", "assertion_failed"),
        (Truth::Unknown, "unknown", "unknown"),
        (Truth::Error, "error", "error"),
    ];

    /// The verdict that says so.
    #[must_use]
    pub fn verdict(self) -> &'static str {
        Truth::ALL
            .iter()
            .find(|(truth, _, _)| *truth == self)
            .map_or("", |(_, _, verdict)| verdict)
    }

    /// Whether there is something to find at a line.
    #[must_use]
    pub fn is_defect(self) -> bool {
        matches!(self, Truth::Race | Truth::Divergence | Truth::Assertion)
    }
}

/// A labelled kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledKernel {
    /// Its name, without template arguments.
    pub name: String,
    /// Line of its `__global__`.
    pub line: u32,
    /// Last line of its body.
    pub end: u32,
    /// What is true of it.
    pub truth: Truth,
    /// Whether the tool is known to say something else.
    pub wrong: bool,
    /// Whether it says so under an assumption that the file breaks, and that names the arrays and what was not followed.
    pub assumed: bool,
    /// The label as written, `fp_race-free`, without the certainty.
    pub label: String,
    /// How sure the tool is of its surest finding, if that is said.
    pub certainty: Option<String>,
    /// Lines of the kernel where the defect shows.
    pub here: Vec<u32>,
}

/// What a text says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels {
    /// Its kernels, in order.
    pub kernels: Vec<LabelledKernel>,
    /// Lines outside all kernels, in helpers, where the defect of some kernel shows.
    pub helpers: Vec<u32>,
}

/// A file of labelled kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelledFile {
    /// Its path from the folder of the data set, with `/`.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its text.
    pub text: String,
    /// What it says.
    pub labels: Labels,
}

impl LabelledFile {
    /// The header line that gives the launch, without the slashes.
    #[must_use]
    pub fn header(&self) -> Option<&str> {
        let first = self.text.lines().next()?;
        first
            .strip_prefix("//")
            .filter(|rest| rest.starts_with("--"))
    }
}

/// Reads all labelled files below a folder, sorted by name.
///
/// # Errors
/// What cannot be read, and every fault in a label, one a line.
pub fn read_folder(folder: &Path) -> Result<Vec<LabelledFile>, String> {
    let mut paths = Vec::new();
    find_sources(folder, &mut paths).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut files = Vec::new();
    let mut faults = Vec::new();
    for path in paths {
        let name = path
            .strip_prefix(folder)
            .unwrap_or(&path)
            .to_string_lossy()
            .replace('\\', "/");
        let text =
            fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        match read(&text) {
            Ok(labels) => files.push(LabelledFile {
                name,
                path,
                text,
                labels,
            }),
            Err(found) => faults.extend(found.into_iter().map(|fault| format!("{name}:{fault}"))),
        }
    }
    if !faults.is_empty() {
        return Err(faults.join("\n"));
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

fn find_sources(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_sources(&path, found)?;
        } else if path
            .extension()
            .is_some_and(|end| end == "cu" || end == "cuh")
        {
            found.push(path);
        }
    }
    Ok(())
}

/// Reads the labels of a source text.
///
/// # Errors
/// The faults, each with its line in front.
pub fn read(text: &str) -> Result<Labels, Vec<String>> {
    let lines: Vec<&str> = text.lines().collect();
    let code: Vec<&str> = lines
        .iter()
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect();
    let mut reader = Reader::default();
    let mut line = 0;
    while line < lines.len() {
        reader.mark(lines[line], number(line));
        if code[line].contains("__global__") {
            let head = code[line..].join("\n");
            if is_definition(&head) {
                let end = line + body_lines(&head);
                reader.kernel(&head, &lines, line, end);
                line = end;
            }
        }
        line += 1;
    }
    reader.finish()
}

/// The number of a line from its index.
fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

#[derive(Default)]
struct Reader {
    labels: Labels,
    /// The label that waits for its kernel.
    pending: Option<(u32, String)>,
    faults: Vec<String>,
}

impl Reader {
    /// Reads the mark of a line outside kernels, if it has one.
    fn mark(&mut self, line: &str, number: u32) {
        let Some((before, mark)) = line.split_once("//~") else {
            return;
        };
        let word = mark.trim();
        if !before.trim().is_empty() {
            if word == "here" {
                self.labels.helpers.push(number);
            } else {
                self.fault(number, &format!("`{word}` behind code is no mark"));
            }
        } else if let Some((before, _)) = self.pending.replace((number, word.to_owned())) {
            self.fault(before, "a label without a kernel");
        }
    }

    /// Reads the kernel from its first to its last line.
    fn kernel(&mut self, head: &str, lines: &[&str], first: usize, last: usize) {
        let at = number(first);
        let mut here = Vec::new();
        for (index, line) in lines.iter().enumerate().take(last + 1).skip(first) {
            match line
                .split_once("//~")
                .map(|(before, mark)| (before.trim(), mark.trim()))
            {
                None => {}
                Some((before, "here")) if !before.is_empty() => here.push(number(index)),
                // A mark in front of the body has been read as the label.
                Some(_) if index == first => {}
                Some((_, mark)) => self.fault(number(index), &format!("`{mark}` in a kernel")),
            }
        }
        let Some((_, label)) = self.pending.take() else {
            self.fault(at, "a kernel without a label");
            return;
        };
        let Some(name) = name(head) else {
            self.fault(at, "a kernel without a name");
            return;
        };
        let (label, certainty) = match label.split_once(' ') {
            Some((label, certainty)) => (label.to_owned(), Some(certainty.to_owned())),
            None => (label, None),
        };
        if let Some(word) = &certainty
            && !["confirmed", "conditional", "potential"].contains(&word.as_str())
        {
            self.fault(at, &format!("`{word}` is no certainty"));
        }
        let (prefix, word) = ["fp_", "fn_", ASSUMED]
            .into_iter()
            .find_map(|prefix| Some((prefix, label.strip_prefix(prefix)?)))
            .unwrap_or(("", &label));
        let Some((truth, _, _)) = Truth::ALL.iter().find(|(_, known, _)| *known == word) else {
            self.fault(at, &format!("`{label}` is no label"));
            return;
        };
        match (prefix, truth.is_defect()) {
            ("fp_", true) => self.fault(at, "a false alarm on a kernel with a defect"),
            ("fn_", false) => self.fault(at, "a missed defect of a kernel without one"),
            (ASSUMED, _) if *truth != Truth::Race => self.fault(at, "only races are by alias"),
            (_, false) if !here.is_empty() => self.fault(at, "`here` in a kernel without defect"),
            ("", false) if certainty.is_some() => {
                self.fault(at, "the certainty of a finding in a kernel without one");
            }
            _ => {}
        }
        self.labels.kernels.push(LabelledKernel {
            name,
            line: at,
            end: number(last),
            truth: *truth,
            wrong: !prefix.is_empty(),
            assumed: prefix == ASSUMED,
            label,
            certainty,
            here,
        });
    }

    fn fault(&mut self, line: u32, what: &str) {
        self.faults.push(format!("{line}: {what}"));
    }

    fn finish(mut self) -> Result<Labels, Vec<String>> {
        if let Some((line, _)) = self.pending.take() {
            self.fault(line, "a label without a kernel");
        }
        let defect = self
            .labels
            .kernels
            .iter()
            .any(|kernel| kernel.truth.is_defect());
        if let Some(&line) = self.labels.helpers.first()
            && !defect
        {
            self.fault(line, "`here` in a file without defect");
        }
        if self.faults.is_empty() {
            Ok(self.labels)
        } else {
            Err(self.faults)
        }
    }
}

/// Whether the text from `__global__` on is a kernel with a body, not a declaration.
fn is_definition(head: &str) -> bool {
    head.find(['{', ';'])
        .is_some_and(|at| head[at..].starts_with('{'))
}

/// The number of line ends up to the closing brace of the first block.
fn body_lines(head: &str) -> usize {
    let mut depth = 0_usize;
    let mut lines = 0;
    for character in head.chars() {
        match character {
            '\n' => lines += 1,
            '{' => depth += 1,
            '}' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            _ => {}
        }
    }
    lines
}

/// The name of a kernel from the text that begins with the line of `__global__`: the word before the parameters, bounds of the
/// launch and sizes of clusters skipped.
fn name(head: &str) -> Option<String> {
    let (_, rest) = head.split_once("__global__")?;
    let mut rest = rest.to_owned();
    for attribute in ["__launch_bounds__", "__cluster_dims__"] {
        while let Some(at) = rest.find(attribute) {
            let close = rest[at..].find(')')?;
            rest.replace_range(at..=at + close, "");
        }
    }
    let (before, _) = rest.split_once('(')?;
    let is_word = |character: char| character.is_alphanumeric() || character == '_';
    let name: String = before
        .trim_end()
        .chars()
        .rev()
        .take_while(|character| is_word(*character))
        .collect();
    (!name.is_empty()).then(|| name.chars().rev().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "\
//--blockDim=64 --gridDim=1
// Two kernels.
__device__ void put(int *p) { p[0] = 1; } //~ here

//~ race-free
template <int N>
__global__ void __launch_bounds__(64) one_ok(int *g) // no `__global__` { here
{
    if (N > 1) { g[threadIdx.x] = 1; }
}

__global__ void declared(int *g);

//~ fn_race
__global__ void two_bad(int *g)
{
    g[0] = threadIdx.x; //~ here
    put(g);
}
";

    #[test]
    fn labels_names_and_lines() {
        let Labels { kernels, helpers } = read(FILE).expect("labels");
        let told: Vec<_> = kernels
            .iter()
            .map(|kernel| {
                let LabelledKernel {
                    name, line, end, ..
                } = kernel;
                (name.as_str(), *line, *end, kernel.truth, kernel.wrong)
            })
            .collect();
        assert_eq!(
            told,
            [
                ("one_ok", 7, 10, Truth::RaceFree, false),
                ("two_bad", 15, 19, Truth::Race, true),
            ]
        );
        assert!(kernels[0].here.is_empty());
        assert_eq!(kernels[1].here, [17]);
        assert_eq!(helpers, [3]);
    }

    #[test]
    fn faults_are_told() {
        let kernel = "__global__ void k(int *g)\n{\n    g[0] = 1; //~ here\n}\n";
        for (text, fault) in [
            (kernel.to_owned(), "1: a kernel without a label"),
            (format!("//~ racy\n{kernel}"), "2: `racy` is no label"),
            (
                format!("//~ race-free\n{kernel}"),
                "2: `here` in a kernel without defect",
            ),
            (
                format!("//~ fp_race\n{kernel}"),
                "2: a false alarm on a kernel with a defect",
            ),
            (
                "//~ fn_race-free\n__global__ void k() {}\n".to_owned(),
                "2: a missed defect of a kernel without one",
            ),
            (
                format!("//~ race\n//~ race\n{kernel}"),
                "1: a label without a kernel",
            ),
            (
                format!("//~ race\n{kernel}//~ race\n"),
                "6: a label without a kernel",
            ),
            (
                "int f(); //~ hear\n".to_owned(),
                "1: `hear` behind code is no mark",
            ),
            (
                "//~ race\n__global__ void k()\n{\n    f(); //~ hear\n}\n".to_owned(),
                "4: `hear` in a kernel",
            ),
            (
                "int f(); //~ here\n".to_owned(),
                "1: `here` in a file without defect",
            ),
        ] {
            assert_eq!(read(&text), Err(vec![fault.to_owned()]), "{text}");
        }
    }
}
