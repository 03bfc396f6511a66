//! What the first process and its workers tell each other, and how it goes through a pipe.
//!
//! A message is its length in eight bytes, the lowest first, and then so many bytes in the format of postcard. Paths go as
//! the bytes that they are, as far as they may be no text; a task whose options cannot be told is analysed without a worker.

use std::ffi::OsString;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use warplog_extractor::preprocess::HeaderIndex;
use warplog_report::Report;
use warplog_report::ensures::Outcome;
use warplog_report::equal::Comparison;

use crate::choices::{Aliasing, Mends, Scopes};
use crate::ensures::ask as ensures;
use crate::equal::ask::Ask;
use crate::options::AnalysisOptions;
use crate::pipeline::Depth;
use crate::scan::Scan;
use crate::store::Cache;
use crate::texts::Earlier;
use crate::unit::{Unit, UnitOptions};

/// What is asked of a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// To analyse a file.
    Analyse(Box<Task>),
    /// To extract the facts of a file, with what follows from them down to this depth.
    Extract(Box<Task>, Depth),
    /// To solve a folder of facts, of these kernels.
    Solve(Vec<u8>, Vec<String>),
    /// To read a folder of facts, with what follows from them down to this depth.
    Read(Vec<u8>, Depth),
    /// To compare two sides, of which these are the facts.
    Compare([Vec<u8>; 2], Box<Ask>),
    /// To prove post-conditions behind launches, of which these are the facts.
    Ensure(Vec<u8>, Box<ensures::Ask>),
    /// To come to an end with the file in work.
    Stop,
}

/// What a worker says.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// What it does now: a phrase that follows `while`.
    Phase(String),
    /// What was asked for.
    Done(Box<Answer>),
    /// A panic, in words.
    Failed(String),
}

/// What comes of a request.
#[derive(Debug, Serialize, Deserialize)]
pub(super) enum Answer {
    /// The report on a file.
    Report(Report),
    /// The facts of a file, and the report on them.
    Facts(Vec<u8>, Report),
    /// The comparison of two sides, or why they cannot be compared.
    Compared(Box<Result<Comparison, String>>),
    /// What is found of post-conditions, or what is wrong with them.
    Ensured(Result<Vec<Outcome>, String>),
}

/// A file to analyse.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Task {
    path: Vec<u8>,
    pub shown: String,
    pub bytes: Vec<u8>,
    pub options: UnitOptions,
    /// Kernels to analyse; all if empty.
    pub kernels: Vec<String>,
    /// How far changes of the source are looked for.
    pub mends: Mends,
}

impl Task {
    pub(super) fn of(unit: &Unit<'_>, options: &AnalysisOptions) -> Self {
        Task {
            path: bytes_of(unit.path),
            shown: unit.shown.to_owned(),
            bytes: unit.bytes.to_vec(),
            options: unit.options.clone(),
            kernels: options.kernels.clone(),
            mends: options.mends,
        }
    }

    pub(super) fn path(&self) -> PathBuf {
        path_of(self.path.clone())
    }

    /// The unit, whose path is given apart.
    pub(super) fn unit<'a>(&'a self, path: &'a Path) -> Unit<'a> {
        Unit {
            path,
            shown: &self.shown,
            bytes: &self.bytes,
            options: &self.options,
        }
    }
}

/// What holds for all files of a run.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Setup {
    /// Threads for the analysis of one file.
    pub threads: usize,
    alone: bool,
    scopes: Scopes,
    report_benign: bool,
    no_annotations: bool,
    preconditions: bool,
    paranoid: bool,
    modular: bool,
    check_assertions: bool,
    open_arguments: bool,
    aliasing: Option<Aliasing>,
    effort: u32,
    costs: Option<u32>,
    query_timeout: Duration,
    timings: bool,
    keep_smt: bool,
    anatomy: bool,
    /// Its folder, and what tells the program from others.
    cache: Option<(Vec<u8>, [u8; 32])>,
    /// Names of inputs, by path.
    inputs: Vec<(Vec<u8>, String)>,
    /// Folders given, without links and as given.
    roots: Vec<(Vec<u8>, Vec<u8>)>,
    /// Headers that may be guessed.
    headers: Vec<Vec<u8>>,
    headers_hash: [u8; 32],
    /// Files as they were.
    earlier: Vec<(Vec<u8>, Option<Vec<u8>>)>,
}

impl Setup {
    pub(super) fn new(options: &AnalysisOptions, jobs: usize) -> Self {
        // Every option is here, so that a new one is not forgotten. Sizes, macros, folders and flags are in those of the unit;
        // what may differ between two tasks is in these; what only the first process does is left to it.
        let AnalysisOptions {
            block_dim: _,
            grid_dim: _,
            warp_sync: _,
            link: _,
            macros: _,
            architectures: _,
            include_dirs: _,
            scopes,
            report_benign,
            kernels: _,
            no_annotations,
            assume: _,
            preconditions,
            paranoid,
            mends: _,
            modular,
            check_assertions,
            open_arguments,
            aliasing,
            effort,
            costs,
            query_timeout,
            alone,
            timings,
            coverage: _,
            anatomy,
            compile_commands: _,
            config: _,
            cache,
            keep_smt,
            only: _,
            shard: _,
            bounds: _,
            stop: _,
            told: _,
            stdin: _,
            scan,
            earlier,
        } = options;
        let (inputs, roots) = scan.names();
        Setup {
            threads: if *alone { jobs } else { 1 },
            alone: *alone,
            scopes: *scopes,
            report_benign: *report_benign,
            no_annotations: *no_annotations,
            preconditions: *preconditions,
            paranoid: *paranoid,
            modular: *modular,
            check_assertions: *check_assertions,
            open_arguments: *open_arguments,
            aliasing: *aliasing,
            effort: *effort,
            costs: *costs,
            query_timeout: *query_timeout,
            timings: *timings,
            keep_smt: *keep_smt,
            anatomy: *anatomy,
            cache: cache.as_ref().map(|cache| {
                let (folder, program) = cache.parts();
                (bytes_of(folder), program)
            }),
            inputs: inputs
                .iter()
                .map(|(path, name)| (bytes_of(path), name.clone()))
                .collect(),
            roots: roots
                .iter()
                .map(|(real, given)| (bytes_of(real), bytes_of(given)))
                .collect(),
            headers: scan
                .headers
                .iter()
                .flat_map(|headers| headers.paths())
                .map(bytes_of)
                .collect(),
            headers_hash: scan.headers_hash,
            earlier: earlier
                .files()
                .iter()
                .map(|(path, content)| (bytes_of(path), content.clone()))
                .collect(),
        }
    }

    /// The options as a worker has them.
    pub(super) fn options(self) -> AnalysisOptions {
        let inputs = self.inputs.into_iter();
        let inputs = inputs.map(|(path, name)| (path_of(path), name));
        let roots = self.roots.into_iter();
        let roots = roots.map(|(real, given)| (path_of(real), path_of(given)));
        let mut headers = HeaderIndex::default();
        for path in self.headers {
            headers.add(&path_of(path));
        }
        let mut scan = Scan::named(inputs.collect(), roots.collect());
        scan.headers = (!headers.is_empty()).then(|| Arc::new(headers));
        scan.headers_hash = self.headers_hash;
        let earlier = self.earlier.into_iter();
        let earlier = earlier.map(|(path, content)| (path_of(path), content));
        let cache = self.cache;
        let cache = cache.map(|(folder, program)| Cache::of(path_of(folder), program));
        AnalysisOptions {
            alone: self.alone,
            scopes: self.scopes,
            report_benign: self.report_benign,
            no_annotations: self.no_annotations,
            preconditions: self.preconditions,
            paranoid: self.paranoid,
            modular: self.modular,
            check_assertions: self.check_assertions,
            open_arguments: self.open_arguments,
            aliasing: self.aliasing,
            effort: self.effort,
            costs: self.costs,
            query_timeout: self.query_timeout,
            timings: self.timings,
            keep_smt: self.keep_smt,
            anatomy: self.anatomy,
            cache: cache.map(Arc::new),
            scan: Arc::new(scan),
            earlier: Earlier::new(earlier.collect()),
            ..AnalysisOptions::default()
        }
    }
}

pub(super) fn bytes_of(path: &Path) -> Vec<u8> {
    path.as_os_str().as_encoded_bytes().to_vec()
}

#[cfg(unix)]
pub(super) fn path_of(bytes: Vec<u8>) -> PathBuf {
    use std::os::unix::ffi::OsStringExt;

    OsString::from_vec(bytes).into()
}

#[cfg(not(unix))]
pub(super) fn path_of(bytes: Vec<u8>) -> PathBuf {
    OsString::from(String::from_utf8_lossy(&bytes).into_owned()).into()
}

/// The bytes of a message; none if a path in it is no text.
pub(super) fn encoded(message: &impl Serialize) -> Option<Vec<u8>> {
    postcard::to_stdvec(message).ok()
}

/// What these bytes were made from; none if they are cut or of something else.
pub(super) fn decoded<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::from_bytes(bytes).ok()
}

/// Writes a message.
pub(super) fn send(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    let length = u64::try_from(bytes.len()).map_err(io::Error::other)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(bytes)?;
    to.flush()
}

/// Reads a message; none at the end.
pub(super) fn receive<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 8];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        read => read?,
    }
    let length = u64::from_le_bytes(length);
    let mut bytes = Vec::new();
    from.take(length).read_to_end(&mut bytes)?;
    if u64::try_from(bytes.len()).ok() != Some(length) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    postcard::from_bytes(&bytes)
        .map(Some)
        .map_err(io::Error::other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::header::Header;

    #[test]
    fn messages_come_through_a_pipe_as_they_were() {
        let options = UnitOptions::new(
            &AnalysisOptions::default(),
            &Header::default(),
            Path::new("a/k.cu"),
        );
        let unit = Unit {
            path: Path::new("a/k.cu"),
            shown: "k.cu",
            bytes: b"\xff\0",
            options: &options,
        };
        let asked = AnalysisOptions {
            kernels: vec!["k".to_owned()],
            ..AnalysisOptions::default()
        };
        let mut pipe = Vec::new();
        for request in [
            Request::Analyse(Box::new(Task::of(&unit, &asked))),
            Request::Stop,
        ] {
            send(&mut pipe, &encoded(&request).expect("bytes")).expect("is written");
        }
        let mut from = pipe.as_slice();
        let Ok(Some(Request::Analyse(task))) = receive(&mut from) else {
            panic!("no task");
        };
        assert_eq!(task.path(), unit.path);
        assert_eq!(
            (task.shown.as_str(), task.bytes.as_slice()),
            ("k.cu", unit.bytes)
        );
        assert_eq!(task.options, options);
        assert_eq!(task.kernels, ["k"]);
        assert!(matches!(receive(&mut from), Ok(Some(Request::Stop))));
        assert!(matches!(receive::<Request>(&mut from), Ok(None)));
        // What is cut is no message.
        let mut cut = &pipe[..pipe.len() - 1];
        assert!(matches!(receive::<Request>(&mut cut), Ok(Some(_))));
        assert!(receive::<Request>(&mut cut).is_err());
    }

    #[cfg(unix)]
    #[test]
    fn paths_need_not_be_text() {
        let path = path_of(b"a/\xff.cuh".to_vec());
        let mut headers = HeaderIndex::default();
        headers.add(&path_of(b"\xff/h.cuh".to_vec()));
        let mut scan = Scan::named([(path.clone(), "x".to_owned())].into(), Vec::new());
        scan.headers = Some(Arc::new(headers));
        let options = AnalysisOptions {
            effort: 3,
            scan: Arc::new(scan),
            ..AnalysisOptions::default()
        };
        let setup = encoded(&Setup::new(&options, 4)).expect("bytes");
        let setup: Setup = postcard::from_bytes(&setup).expect("a setup");
        assert_eq!(setup.threads, 1);
        let told = setup.options();
        assert_eq!(told.effort, 3);
        assert_eq!(
            told.scan.names().0.get(&path).map(String::as_str),
            Some("x")
        );
        assert_eq!(told.scan.headers, options.scan.headers);
    }
}
