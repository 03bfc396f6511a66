//! Mends that are checked: changes of the source after which a kernel was analysed again and is race-free.
//!
//! For each kernel with a confirmed or a conditional finding, changes that may help ([`candidates`]) are made to the text of the file,
//! and the kernel is extracted and decided once more with all its launches. The first that leaves neither a race nor a divergence
//! nor a question is the mend of all its findings. Where no single change does, the one that leaves the fewest findings is kept and
//! the search goes on from there; of several changes those that are not needed are taken back.
//!
//! **Contract.** A kernel has a mend only if its changed text has the verdict `race_free` under the launches, the assumptions and the
//! options of the run, for every instance of the kernel that had a finding; instances without stay as they were. A change outside of the
//! kernel's own definition is one of the input file itself, not of a header, and then no other kernel of the unit is worse than before.
//! How many changes are tried is bounded by counts, never by time ([`Bounds`]): a run gives the same mends on any machine.

mod candidates;
mod changes;
pub(crate) mod costs;
pub(crate) mod fix;
mod readings;
pub(crate) mod statements;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::{fs, io};

use warplog_extractor::embedded::{Host, Part, parts};
use warplog_extractor::preprocess::{FileSystem, RealFiles};
use warplog_facts::Facts;
use warplog_report::groups::groups;
use warplog_report::mend::Mend;
use warplog_report::{Certainty, Finding, Harm, Kernel, Place, Report, Verdict};

use crate::analysis::{self, Extent};
use crate::choices::Mends;
use crate::extraction::extract;
use crate::naming::base_name;
use crate::options::AnalysisOptions;
use crate::unit::Unit;
use changes::Changes;
use statements::Statements;

/// What the search for the mend of a kernel may take.
#[derive(Clone, Copy, Debug)]
struct Bounds {
    /// Changed texts that are analysed for a kernel.
    tries: usize,
    /// Those of a file.
    of_file: usize,
    /// Changes that are put together.
    rounds: usize,
    /// Accesses of a kernel above which none is tried.
    accesses: u64,
    /// Bytes of source that may be read again for them, headers included: each of them costs that.
    bytes: usize,
}

impl Mends {
    fn bounds(self) -> Bounds {
        match self {
            Mends::No => Bounds {
                tries: 0,
                of_file: 0,
                rounds: 0,
                accesses: 0,
                bytes: 0,
            },
            Mends::Few => Bounds {
                tries: 4,
                of_file: 8,
                rounds: 1,
                accesses: 60,
                bytes: 100_000,
            },
            Mends::Many => Bounds {
                tries: 24,
                of_file: 96,
                rounds: 5,
                accesses: 600,
                bytes: 1_000_000,
            },
        }
    }
}

/// Gives the findings of a unit their mends. `headers` are the files that it entered.
pub(crate) fn add(
    report: &mut Report,
    unit: &Unit<'_>,
    options: &AnalysisOptions,
    headers: &[PathBuf],
) {
    let bounds = options.mends.bounds();
    let wanted = |kernel: &Kernel| {
        kernel.findings.iter().any(is_certain) && kernel.stats.accesses <= bounds.accesses
    };
    if bounds.tries == 0 || !report.kernels.iter().any(wanted) {
        return;
    }
    let Some(subject) = Subject::new(report, unit, options, headers) else {
        return;
    };
    let size = |path: &PathBuf| fs::metadata(path).map_or(0, |data| data.len());
    let of_headers: u64 = headers.iter().map(size).sum();
    let size = unit.bytes.len() + usize::try_from(of_headers).unwrap_or(usize::MAX / 2);
    let mut left = bounds.of_file.min(bounds.bytes / size.max(1));
    if left == 0 {
        return;
    }
    let statements = statements_of(&subject.texts);
    let mut done: BTreeMap<(String, u32), Option<Mend>> = BTreeMap::new();
    for kernel in report.kernels.iter().filter(|kernel| wanted(kernel)) {
        let definition = (kernel.file.clone(), kernel.line);
        if done.contains_key(&definition) {
            continue;
        }
        let mut search = Search {
            subject: &subject,
            statements: &statements,
            body: body_of(&statements, kernel),
            kernel,
            before: &report.kernels,
            tries: bounds.tries.min(left),
            rounds: bounds.rounds,
        };
        let given = search.tries;
        let mend = search.run();
        left -= given - search.tries;
        done.insert(definition, mend);
    }
    for kernel in &mut report.kernels {
        let mend = done.get(&(kernel.file.clone(), kernel.line));
        if let Some(Some(mend)) = mend {
            for finding in &mut kernel.findings {
                finding.mend = Some(mend.clone());
            }
        }
    }
}

/// Whether a finding is one that is mended.
fn is_certain(finding: &Finding) -> bool {
    finding.certainty >= Certainty::Conditional && finding.harm == Harm::Possible
}

/// A unit with the texts that may be changed.
struct Subject<'a> {
    unit: &'a Unit<'a>,
    options: AnalysisOptions,
    /// Whether kernels were left out, which a change of a function could harm.
    is_part: bool,
    /// By their names in reports; of a file whose strings are CUDA, only these.
    texts: BTreeMap<String, String>,
    /// The whole text of the unit's file.
    own: String,
    /// Where the files are, without links.
    paths: BTreeMap<String, PathBuf>,
}

impl<'a> Subject<'a> {
    fn new(
        report: &Report,
        unit: &'a Unit<'a>,
        options: &AnalysisOptions,
        headers: &[PathBuf],
    ) -> Option<Self> {
        let own = std::str::from_utf8(unit.bytes).ok()?;
        let visible = match unit.options.part {
            Some((number, _)) => visible(unit, number)?,
            None => own.to_owned(),
        };
        let mut subject = Subject {
            unit,
            options: AnalysisOptions {
                preconditions: false,
                costs: None,
                timings: false,
                anatomy: false,
                cache: None,
                keep_smt: false,
                ..options.clone()
            },
            is_part: !options.kernels.is_empty(),
            texts: BTreeMap::from([(unit.shown.to_owned(), visible)]),
            own: own.to_owned(),
            paths: BTreeMap::new(),
        };
        let kernels = report.kernels.iter();
        let named: BTreeSet<&str> = kernels
            .filter(|kernel| kernel.findings.iter().any(is_certain))
            .map(|kernel| kernel.file.as_str())
            .collect();
        for header in headers {
            let name = options.scan.name(header);
            if named.contains(name.as_str())
                && let Ok(text) = fs::read_to_string(header)
            {
                subject.texts.insert(name.clone(), text);
                subject.paths.insert(name, RealFiles.canonical(header));
            }
        }
        Some(subject)
    }

    /// The report on the unit with some changes made; none if the text is not analysed.
    fn with(&self, changes: &Changes, kernels: Vec<String>, extent: Extent) -> Option<Report> {
        let (facts, options) = self.facts_with(changes, kernels)?;
        let (mut derived, mut report) = analysis::tried(&facts, &options, extent);
        analysis::costs::add(&facts, &mut derived, &mut report, (&options, false));
        report.errors.is_empty().then_some(report)
    }

    /// The facts of the unit with some changes made, and with what options they were taken; none if the text is not read.
    fn facts_with(
        &self,
        changes: &Changes,
        kernels: Vec<String>,
    ) -> Option<(Facts, AnalysisOptions)> {
        let mut files = ChangedFiles::default();
        let mut bytes = None;
        let changed: BTreeSet<&str> = changes.all().iter().map(|one| one.file.as_str()).collect();
        for name in changed {
            let before = match name == self.unit.shown {
                true => &self.own,
                false => self.texts.get(name)?,
            };
            let text = changes.applied(name, before)?.into_bytes();
            match self.paths.get(name) {
                Some(path) => {
                    files.0.insert(path.clone(), text);
                }
                None => bytes = Some(text),
            }
        }
        let unit = Unit {
            bytes: bytes.as_deref().unwrap_or(self.unit.bytes),
            ..*self.unit
        };
        let options = AnalysisOptions {
            kernels,
            ..self.options.clone()
        };
        let (facts, _) = extract(&unit, &options, &files).ok()?;
        Some((facts, options))
    }
}

/// The text of a part of a file, the rest blanked out; none if other parts share some of it, which a change could harm.
fn visible(unit: &Unit<'_>, number: usize) -> Option<String> {
    let all = parts(Host::of(unit.path), unit.bytes);
    let own = all.get(number)?;
    let shares = |other: &Part| {
        let mut pairs = own
            .pieces
            .iter()
            .flat_map(|one| other.pieces.iter().map(move |two| (one, two)));
        pairs.any(|(one, two)| one.start < two.end && two.start < one.end)
    };
    // A change for one launch may be wrong for another.
    if own.rounds() > 1 {
        return None;
    }
    let mut others = all.iter().enumerate().filter(|(other, _)| *other != number);
    if others.any(|(_, other)| shares(other)) {
        return None;
    }
    String::from_utf8(own.visible(unit.bytes)).ok()
}

/// The files of this machine, some with another content.
#[derive(Debug, Default)]
struct ChangedFiles(BTreeMap<PathBuf, Vec<u8>>);

impl FileSystem for ChangedFiles {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        match self.0.get(&RealFiles.canonical(path)) {
            Some(bytes) => Ok(bytes[..bytes.len().min(limit + 1)].to_vec()),
            None => RealFiles.read(path, limit),
        }
    }

    fn is_file(&self, path: &Path) -> bool {
        RealFiles.is_file(path)
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        RealFiles.canonical(path)
    }
}

/// The search for the mend of one kernel.
struct Search<'a> {
    subject: &'a Subject<'a>,
    /// The statements of the texts as they stand: a file of thousands of kernels is cut into them once.
    statements: &'a BTreeMap<String, Statements<'a>>,
    /// The file of the kernel and its body there, as they stand.
    body: Option<(String, Range<usize>)>,
    kernel: &'a Kernel,
    before: &'a [Kernel],
    tries: usize,
    rounds: usize,
}

/// What a change came to.
struct Tried {
    /// Findings and open questions that are left.
    left: u64,
    /// The kernel's instances in the changed text.
    kernels: Vec<Kernel>,
}

impl Search<'_> {
    fn run(&mut self) -> Option<Mend> {
        // To look for changes that nobody tries takes a reading of the whole text, for each kernel of the file.
        if self.tries == 0 {
            return None;
        }
        let mut made = Changes::default();
        let mut kernel = self.kernel.clone();
        let mut fewest = weight(std::slice::from_ref(&kernel));
        for round in 0..self.rounds {
            let is_last = round + 1 >= self.rounds;
            let mut best: Option<(Changes, Tried)> = None;
            for changes in self.candidates(&kernel, &made) {
                if self.tries == 0 {
                    return None;
                }
                let Some(tried) = self.tried(&changes, is_last) else {
                    continue;
                };
                if tried.left == 0 {
                    let needed = self.needed(changes);
                    let in_kernel = self.are_own(&needed);
                    return needed.mend(&self.subject.texts, in_kernel);
                }
                let known = best.as_ref().map_or(fewest, |(_, known)| known.left);
                if tried.left < known && !is_last {
                    best = Some((changes, tried));
                }
            }
            let (changes, tried) = best?;
            fewest = tried.left;
            // What the findings that are left hang on tells which of them the next changes are for.
            let tried = self.found(&changes, Extent::Whole)?;
            kernel = tried
                .kernels
                .into_iter()
                .max_by_key(|kernel| kernel.findings.len())?;
            made = changes;
        }
        None
    }

    /// Changes of the original text that may mend what is found of the text with the changes made.
    fn candidates(&self, kernel: &Kernel, made: &Changes) -> Vec<Changes> {
        if made.all().is_empty() {
            return self.candidates_in(self.statements, kernel, made);
        }
        let texts = self.subject.texts.iter();
        let texts: Option<BTreeMap<String, String>> = texts
            .map(|(file, text)| Some((file.clone(), made.applied(file, text)?)))
            .collect();
        texts.map_or_else(Vec::new, |texts| {
            self.candidates_in(&statements_of(&texts), kernel, made)
        })
    }

    /// The same, of the texts with the changes made.
    fn candidates_in(
        &self,
        statements: &BTreeMap<String, Statements<'_>>,
        kernel: &Kernel,
        made: &Changes,
    ) -> Vec<Changes> {
        let own = body_of(statements, kernel);
        let is_in_kernel = |place: &Place| {
            let range = statements
                .get(&place.file)
                .and_then(|text| text.bytes(place));
            match (&own, range) {
                (Some((file, own)), Some(range)) => {
                    *file == place.file && own.start <= range.start && range.end <= own.end
                }
                _ => false,
            }
        };
        let mut all: Vec<Changes> = Vec::new();
        let groups = groups(kernel);
        for group in &groups {
            let findings: Vec<&Finding> = group.findings().filter(|one| is_certain(one)).collect();
            let Some(lead) = findings.first() else {
                continue;
            };
            let mut own: Vec<Changes> = candidates::of(lead, statements, &is_in_kernel)
                .into_iter()
                .filter_map(|one| made.and(&one))
                .collect();
            if findings.len() > 2
                && let Some(together) = candidates::of_all(&findings, statements)
                && let Some(together) = made.and(&together)
            {
                own.insert(own.len().min(1), together);
            }
            all.extend(own);
        }
        all.retain(|changes| self.may_change(changes));
        all
    }

    /// Whether what other units see of the changed files cannot be harmed.
    fn may_change(&self, changes: &Changes) -> bool {
        changes.all().iter().all(|change| {
            self.is_own(change) || (change.file == self.subject.unit.shown && !self.subject.is_part)
        })
    }

    /// Whether a change lies within the kernel's definition.
    fn is_own(&self, change: &changes::Change) -> bool {
        let body = self.body.as_ref();
        body.is_some_and(|(file, own)| {
            *file == change.file && own.start <= change.start && change.end <= own.end
        })
    }

    /// What the unit is with the changes: none if it cannot be told, or if something else is worse. Where nothing is built on a text
    /// that is not race-free, what is left in it is not counted.
    fn tried(&mut self, changes: &Changes, is_last: bool) -> Option<Tried> {
        self.tries = self.tries.checked_sub(1)?;
        let name = base_name(&self.kernel.name);
        let mut others = self.before.iter();
        let elsewhere =
            |other: &Kernel| other.file != self.kernel.file && base_name(&other.name) == name;
        let first_will_do = is_last && self.are_own(changes) && !others.any(elsewhere);
        match first_will_do {
            true => self.found(changes, Extent::First),
            false => self.found(changes, Extent::Findings),
        }
    }

    /// Whether all changes lie within the kernel's definition.
    fn are_own(&self, changes: &Changes) -> bool {
        changes.all().iter().all(|change| self.is_own(change))
    }

    /// The same, to that extent.
    fn found(&self, changes: &Changes, extent: Extent) -> Option<Tried> {
        let kernels = match self.are_own(changes) {
            true => vec![base_name(&self.kernel.name).to_owned()],
            false => Vec::new(),
        };
        let report = self.subject.with(changes, kernels, extent)?;
        let name = base_name(&self.kernel.name);
        let (own, others): (Vec<Kernel>, Vec<Kernel>) = report
            .kernels
            .into_iter()
            .partition(|kernel| kernel.file == self.kernel.file && base_name(&kernel.name) == name);
        let before = |kernel: &Kernel| {
            let mut known = self.before.iter();
            known.find(|known| known.name == kernel.name && known.file == kernel.file)
        };
        let worse = |kernel: &Kernel| match before(kernel) {
            None => true,
            Some(known) => {
                weight(std::slice::from_ref(kernel)) > weight(std::slice::from_ref(known))
                    || (known.verdict() == Verdict::RaceFree
                        && kernel.verdict() != Verdict::RaceFree)
            }
        };
        if others.iter().any(worse) {
            return None;
        }
        let instances: Vec<&Kernel> = own
            .iter()
            .filter(|kernel| before(kernel).is_some())
            .collect();
        let expected = self.before.iter().filter(|known| {
            known.file == self.kernel.file
                && base_name(&known.name) == name
                && !known.findings.is_empty()
        });
        let mut expected = expected.map(|known| known.name.as_str());
        if !expected.all(|name| instances.iter().any(|kernel| kernel.name == name))
            || own.iter().any(|kernel| before(kernel).is_none())
        {
            return None;
        }
        let unmended = |kernel: &&Kernel| {
            let was_clean = before(kernel).is_some_and(|known| known.findings.is_empty());
            match was_clean {
                true => worse(kernel),
                false => kernel.verdict() != Verdict::RaceFree,
            }
        };
        let left = match own.iter().any(|kernel| unmended(&kernel)) {
            true => weight(&own).max(1),
            false => 0,
        };
        Some(Tried { left, kernels: own })
    }

    /// The changes without those that are not needed.
    fn needed(&mut self, changes: Changes) -> Changes {
        let mut needed = changes;
        let mut nth = 0;
        while nth < needed.all().len() && needed.all().len() > 1 && self.tries > 0 {
            let fewer = needed.without(nth);
            match self.tried(&fewer, true) {
                Some(tried) if tried.left == 0 => needed = fewer,
                _ => nth += 1,
            }
        }
        needed
    }
}

/// How much is found of some kernels, and how much of them is open.
fn weight(kernels: &[Kernel]) -> u64 {
    let one = |kernel: &Kernel| {
        let findings: u64 = kernel
            .findings
            .iter()
            .map(|one| u64::from(one.instances))
            .sum();
        findings + kernel.stats.undecided
    };
    kernels.iter().map(one).sum()
}

/// The statements of some texts.
fn statements_of(texts: &BTreeMap<String, String>) -> BTreeMap<String, Statements<'_>> {
    let texts = texts.iter();
    texts
        .map(|(file, text)| (file.clone(), Statements::of(text)))
        .collect()
}

/// The file of a kernel, and the bytes of its body in it, braces included.
fn body_of(
    texts: &BTreeMap<String, Statements<'_>>,
    kernel: &Kernel,
) -> Option<(String, Range<usize>)> {
    let text = texts.get(&kernel.file)?;
    let line = Place {
        file: kernel.file.clone(),
        line: kernel.line,
        column: 1,
        end_line: kernel.line,
        end_column: 1,
    };
    let start = text.bytes(&line)?.start;
    let own = text.function_body(start, base_name(&kernel.name))?;
    Some((kernel.file.clone(), own))
}
