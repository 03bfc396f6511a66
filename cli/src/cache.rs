//! The result cache: what the analysis of a file gave, for as long as nothing that it depends on changes.
//!
//! **Key.** An entry is found by a hash over the program (version, executable, version of Z3), the file (name and content)
//! and everything that the command line, the header of the file, the configuration and the compile commands ask of its
//! analysis. **Proof.** The entry itself lists every file that was looked for while the source was read, with the
//! hash of its content or that it was not there, and the names that reports give to headers; it is used only if all of that still holds. So a
//! header that changes, disappears or newly hides another makes the entry worthless, and the file is analysed anew.
//!
//! **Anatomy.** What only the page shows ([`warplog_report::anatomy`]) stands behind the report in its entry, once a page was asked
//! for: the entry serves all formats, and a page that finds none of it needs the facts and the rules again, but no solver.
//!
//! **Damage.** An entry begins with the hash of its content; one that is cut, changed or of another format is taken for absent
//! and overwritten. Entries are written beside their place and renamed: readers see whole entries, also when several
//! programs run or one is interrupted. A cache that cannot be read or written costs time and nothing else.
//!
//! **Invariant**: what depended on wall time (a query that hit the safety net), ended in an error or was interrupted is not kept.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;
use std::{fs, io};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use warplog_extractor::preprocess::{FileSystem, RealFiles};
use warplog_report::Report;
use warplog_report::anatomy::Anatomy;

use crate::options::AnalysisOptions;
use crate::store::{Cache, Hash, content_hash};
use crate::texts::Earlier;
use crate::unit::Unit;

/// Grows when entries of an older program could be misread.
const FORMAT: &str = "warplog-cache/3";

/// Entries of one of the 256 folders, above which the oldest half is removed.
const CROWD: usize = 512;

/// What was found where a file was looked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
enum Probe {
    /// No file.
    Absent,
    /// A file, which was not read.
    Present,
    /// A file with this content.
    Read(Hash),
}

/// The anatomies of the kernels of a unit, in their order.
pub type Anatomies = Vec<Vec<Anatomy>>;

/// An entry but for its report: read first, as it may not hold.
#[derive(Serialize, Deserialize)]
struct Proof {
    probes: BTreeMap<PathBuf, Probe>,
    names: BTreeMap<PathBuf, String>,
}

impl Cache {
    /// The cache in a folder, which need not exist.
    #[must_use]
    pub fn new(folder: PathBuf) -> Self {
        let mut program = Sha256::new();
        program.update(FORMAT);
        program.update(env!("CARGO_PKG_VERSION"));
        program.update(warplog_solver_bridge::z3_version());
        // A program that was built anew may judge otherwise under the same version.
        if let Ok(data) = std::env::current_exe().and_then(fs::metadata) {
            program.update(data.len().to_le_bytes());
            let changed = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            if let Ok(since) = changed.duration_since(SystemTime::UNIX_EPOCH) {
                program.update(since.as_nanos().to_le_bytes());
            }
        }
        Cache {
            folder,
            program: program.finalize().into(),
        }
    }

    /// The cache in a folder, for a program that [`Cache::parts`] told.
    #[must_use]
    pub fn of(folder: PathBuf, program: [u8; 32]) -> Self {
        Cache { folder, program }
    }

    /// Its folder, and what tells the program from others.
    #[must_use]
    pub fn parts(&self) -> (&Path, [u8; 32]) {
        (&self.folder, self.program)
    }

    /// The report on a unit, if it is known and nothing has changed; and the anatomies of its kernels, which it does not hold
    /// itself, if a page is asked for and they are known too.
    #[must_use]
    pub fn find(
        &self,
        unit: &Unit<'_>,
        options: &AnalysisOptions,
    ) -> Option<(Report, Option<Anatomies>)> {
        let bytes = fs::read(self.place(&self.key(unit, options))).ok()?;
        let (hash, content) = bytes.split_at_checked(32)?;
        if Sha256::digest(content).as_slice() != hash {
            return None;
        }
        let (proof, rest) = postcard::take_from_bytes::<Proof>(content).ok()?;
        let holds = proof.probes.iter().all(|(path, probe)| match probe {
            Probe::Absent => !RealFiles.is_file(path),
            Probe::Present => RealFiles.is_file(path),
            Probe::Read(hash) => options.scan.content(path).as_ref() == Some(hash),
        });
        let named = || {
            let names = &mut proof.names.iter();
            names.all(|(path, name)| options.scan.name(path) == *name)
        };
        if !(holds && named()) {
            return None;
        }
        let (report, rest) = postcard::take_from_bytes::<Report>(rest).ok()?;
        let anatomies = match options.anatomy {
            true => postcard::from_bytes::<Option<Anatomies>>(rest).ok()?,
            false => None,
        };
        Some((report, anatomies))
    }

    /// Keeps the report on a unit, if it may be kept, with the anatomies of its kernels if they were asked for.
    pub fn keep(
        &self,
        unit: &Unit<'_>,
        options: &AnalysisOptions,
        files: &RecordingFiles,
        report: &Report,
        anatomies: Option<&Anatomies>,
    ) {
        if !report.errors.is_empty() || options.stop.is_requested() {
            return;
        }
        let probes = files.probes.borrow().clone();
        let names = probes
            .iter()
            .filter(|(_, probe)| **probe != Probe::Absent)
            .map(|(path, _)| (path.clone(), options.scan.name(path)))
            .collect();
        let proof = Proof { probes, names };
        let parts = (
            postcard::to_stdvec(&proof),
            postcard::to_stdvec(report),
            postcard::to_stdvec(&anatomies),
        );
        let (Ok(mut content), Ok(rest), Ok(anatomies)) = parts else {
            return;
        };
        // The words of the safety net, wherever they stand.
        let net = warplog_solver_bridge::WALL_CLOCK.as_bytes();
        if rest.windows(net.len()).any(|window| window == net) {
            return;
        }
        content.extend(rest);
        content.extend(anatomies);
        let mut bytes = Sha256::digest(&content).to_vec();
        bytes.extend(content);
        let place = self.place(&self.key(unit, options));
        // Not to be kept is no error.
        let _ = write(&place, &bytes);
    }

    fn key(&self, unit: &Unit<'_>, options: &AnalysisOptions) -> String {
        let mut hash = Sha256::new();
        let mut part = |bytes: &[u8]| {
            hash.update(u64::try_from(bytes.len()).unwrap_or(u64::MAX).to_le_bytes());
            hash.update(bytes);
        };
        part(&self.program);
        part(unit.path.as_os_str().as_encoded_bytes());
        part(unit.shown.as_bytes());
        part(unit.bytes);
        part(format!("{:?}", unit.options).as_bytes());
        // Every option is here, so that a new one is not forgotten. Sizes, macros, folders and flags are in those of the unit.
        let AnalysisOptions {
            block_dim: _,
            grid_dim: _,
            warp_sync: _,
            // What is followed with a unit is in its options.
            link: _,
            macros: _,
            architectures: _,
            include_dirs: _,
            scopes,
            report_benign,
            kernels,
            effort,
            query_timeout,
            no_annotations,
            assume,
            preconditions,
            paranoid,
            mends,
            modular,
            aliasing,
            check_assertions,
            open_arguments,
            alone,
            costs,
            timings: _,
            coverage: _,
            anatomy: _,
            compile_commands: _,
            config: _,
            cache: _,
            keep_smt: _,
            only: _,
            shard: _,
            bounds: _,
            stop: _,
            told: _,
            stdin: _,
            scan: _,
            // Nothing is kept of files that are read as they were.
            earlier: _,
        } = options;
        let asked = (
            scopes,
            report_benign,
            kernels,
            effort,
            query_timeout,
            no_annotations,
            assume,
            preconditions,
            // A file that is given alone may take more steps.
            (paranoid, check_assertions, open_arguments, alone, mends),
            modular,
            aliasing,
            costs,
        );
        part(format!("{asked:?}").as_bytes());
        part(&options.scan.headers_hash);
        // Which headers are outside of them.
        let roots = options.scan.names().1.iter().map(|(real, _)| real);
        part(format!("{:?}", roots.collect::<Vec<_>>()).as_bytes());
        hex(&hash.finalize())
    }

    fn place(&self, key: &str) -> PathBuf {
        let (shard, rest) = key.split_at(2);
        self.folder.join(shard).join(rest)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Puts an entry in its place, and makes room if its folder is crowded.
fn write(place: &Path, bytes: &[u8]) -> io::Result<()> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let folder = place.parent().ok_or(io::ErrorKind::InvalidInput)?;
    fs::create_dir_all(folder)?;
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let temporary = folder.join(format!("tmp-{}-{count}", std::process::id()));
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, place));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written?;
    let entries = fs::read_dir(folder)?.flatten();
    let mut by_age: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    if by_age.len() > CROWD {
        by_age.sort();
        for (_, old) in by_age.iter().take(CROWD / 2) {
            let _ = fs::remove_file(old);
        }
    }
    Ok(())
}

/// The files of this machine, with a record of what was looked for.
#[derive(Debug, Default)]
pub struct RecordingFiles {
    probes: RefCell<BTreeMap<PathBuf, Probe>>,
    earlier: Earlier,
}

impl RecordingFiles {
    /// The files as these options have them.
    #[must_use]
    pub fn of(options: &AnalysisOptions) -> Self {
        RecordingFiles {
            earlier: options.earlier.clone(),
            ..RecordingFiles::default()
        }
    }
}

impl FileSystem for RecordingFiles {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        let read = match self.earlier.of(path) {
            Some(Some(bytes)) => Ok(bytes[..bytes.len().min(limit.saturating_add(1))].to_vec()),
            Some(None) => Err(io::ErrorKind::NotFound.into()),
            None => RealFiles.read(path, limit),
        };
        let probe = match &read {
            Ok(bytes) => Probe::Read(content_hash(bytes)),
            Err(_) => Probe::Absent,
        };
        self.probes.borrow_mut().insert(path.to_owned(), probe);
        read
    }

    fn is_file(&self, path: &Path) -> bool {
        let is_file = match self.earlier.of(path) {
            Some(content) => content.is_some(),
            None => RealFiles.is_file(path),
        };
        let probe = if is_file {
            Probe::Present
        } else {
            Probe::Absent
        };
        self.probes
            .borrow_mut()
            .entry(path.to_owned())
            .or_insert(probe);
        is_file
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        RealFiles.canonical(path)
    }

    fn rests_on(&self, path: &Path, is_read: bool) {
        let known = self.probes.borrow().get(path).cloned();
        match (is_read, known) {
            (true, Some(Probe::Read(_) | Probe::Absent)) | (false, Some(_)) => {}
            (true, _) => drop(self.read(path, usize::MAX - 1)),
            (false, None) => {
                self.is_file(path);
            }
        }
    }
}
