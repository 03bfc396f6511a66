//! From the paths on the command line to the files to analyse.
//!
//! A path that is a folder means its `.cu`, `.cuh` and `.hip` files, below it too, without hidden files and folders. Other
//! headers are noted as well: those that hold kernels which no source shows are analysed by themselves; so are C++ sources
//! (`.cpp`, `.cc`, `.cxx`) that hold the word `__global__` outside of comments and literals, and Python (`.py`, `.ipynb`) and C++ with
//! kernels in strings. Anything else
//! that exists is a file, whatever its name. Each file is taken once, under the name of the first path that leads to it without a
//! symbolic link where there is one: links are followed last and each real folder is entered once, so that loops of links end.
//! Order: by path. What cannot be read becomes an error of the report; the rest is still analysed.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ffi::OsStr;
use std::fs::{self, FileType};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use warplog_extractor::embedded::{Host, parts};
use warplog_report::{InputError, Note};

use crate::texts::{Earlier, Stdin, is_stdin};

/// Larger files are refused: no CUDA source has this size, and reading takes a second or more for each of these million bytes.
pub const LARGEST_FILE: u64 = 16 << 20;

/// Why a pipe, a device or a socket is refused.
const IRREGULAR: &str = "not a regular file";

/// A file to analyse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Where it is.
    pub path: PathBuf,
    /// Its name in reports.
    pub shown: String,
    /// Which of the paths given it comes from, as an index.
    pub root: usize,
    /// Whether it was named itself, and not found in a folder.
    pub named: bool,
    /// Its text if that is not to be read from the path: standard input.
    pub text: Option<Arc<[u8]>>,
}

impl Input {
    /// The text of the file.
    ///
    /// # Errors
    /// As [`read`].
    pub fn read(&self) -> Result<Cow<'_, [u8]>, String> {
        match &self.text {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => read(&self.path).map(Cow::Owned),
        }
    }
}

/// The files, sorted, and what was in the way.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Collection {
    /// The files by path.
    pub inputs: Vec<Input>,
    /// Headers in the folders that are no inputs by their names, by path.
    pub headers: Vec<Input>,
    /// C++ sources and Python in the folders that define kernels, for all that their words tell, by path.
    pub others: Vec<Input>,
    /// C and C++ sources in the folders without kernels: host code of programs whose kernels stand in other files, by path.
    pub hosts: Vec<Input>,
    /// Paths that could not be read.
    pub errors: Vec<InputError>,
    /// Folders without source, links that lead nowhere.
    pub notes: Vec<Note>,
}

/// Finds the files that the paths mean.
#[must_use]
pub fn collect(paths: &[PathBuf]) -> Collection {
    let mut walk = Walk::default();
    for (root, path) in paths.iter().enumerate() {
        if is_stdin(path) {
            continue;
        }
        match fs::metadata(path) {
            Ok(metadata) if metadata.is_dir() => walk.folder(path, root),
            Ok(metadata) if metadata.is_file() => walk.file(path, root, true),
            // A pipe or a device may never end, nor even begin.
            Ok(_) => walk.error(path, root, format!("{IRREGULAR}; `-` reads standard input")),
            Err(error) => walk.fail(path, root, &error),
        }
    }
    walk.links();
    walk.others.retain(|real, _| !walk.files.contains_key(real));
    let (others, mut hosts): (BTreeMap<_, _>, BTreeMap<_, _>) =
        walk.others.into_iter().partition(|(real, input)| {
            !is_c(&input.path) && input.read().is_ok_and(|text| holds_kernel(real, &text))
        });
    hosts.retain(|real, _| !Host::of(real).is_foreign());
    walk.others = others;
    let of_others = walk.others.values().map(|input| input.root);
    walk.roots_with_source.extend(of_others);
    let found = &mut walk.collection;
    for (root, path) in paths.iter().enumerate() {
        if walk.roots_with_source.contains(&root) || !path.is_dir() {
            continue;
        }
        found.notes.push(Note {
            place: None,
            text: format!("no .cu, .cuh or .hip files in `{}`", shown(path)),
        });
    }
    let (files, mut headers) = (walk.files, walk.headers);
    headers.retain(|real, _| !files.contains_key(real));
    found.inputs = files.into_values().collect();
    found.inputs.sort_by(|a, b| a.path.cmp(&b.path));
    found.others = walk.others.into_values().collect();
    found.others.sort_by(|a, b| a.path.cmp(&b.path));
    found.hosts = hosts.into_values().collect();
    found.hosts.sort_by(|a, b| a.path.cmp(&b.path));
    found.headers = headers.into_values().collect();
    found.headers.sort_by(|a, b| a.path.cmp(&b.path));
    walk.collection
}

impl Collection {
    /// Adds standard input if a path means it.
    pub fn add_stdin(&mut self, paths: &[PathBuf], stdin: &Stdin) {
        let Some(root) = paths.iter().position(|path| is_stdin(path)) else {
            return;
        };
        let shown = shown(&stdin.name);
        match &stdin.text {
            Some(Ok(text)) => {
                self.inputs.push(Input {
                    path: stdin.name.clone(),
                    shown,
                    root,
                    named: true,
                    text: Some(Arc::clone(text)),
                });
                self.inputs.sort_by(|a, b| a.path.cmp(&b.path));
            }
            Some(Err(message)) => self.errors.push(InputError {
                file: shown,
                line: None,
                message: message.clone(),
            }),
            None => {}
        }
    }

    /// Gives the inputs the texts that they had, without those that were not there.
    pub fn as_they_were(&mut self, earlier: &Earlier) {
        if earlier.is_empty() {
            return;
        }
        for inputs in [&mut self.inputs, &mut self.headers, &mut self.others] {
            inputs.retain_mut(|input| match earlier.of(&input.path) {
                Some(Some(text)) => {
                    input.text = Some(Arc::from(text));
                    true
                }
                Some(None) => false,
                None => true,
            });
        }
    }

    /// Adds sources that are known by another way than their names, given without links, as far as they lie in a folder of
    /// the paths.
    pub fn add_sources<'a>(&mut self, paths: &[PathBuf], sources: impl Iterator<Item = &'a Path>) {
        let mut known: BTreeSet<PathBuf> = self
            .inputs
            .iter()
            .filter_map(|input| fs::canonicalize(&input.path).ok())
            .collect();
        let roots: Vec<(usize, &PathBuf, PathBuf)> = paths
            .iter()
            .enumerate()
            .filter_map(|(root, path)| Some((root, path, fs::canonicalize(path).ok()?)))
            .collect();
        for source in sources {
            let below = roots.iter().find_map(|(root, path, real)| {
                Some((*root, path, source.strip_prefix(real).ok()?))
            });
            if let Some((root, path, rest)) = below
                && source.is_file()
                && known.insert(source.to_owned())
            {
                self.inputs.push(input(&path.join(rest), root, false));
            }
        }
        self.inputs.sort_by(|a, b| a.path.cmp(&b.path));
    }
}

/// Reads a file, up to [`LARGEST_FILE`].
///
/// # Errors
/// Why it cannot be read, in words for the user.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let cannot = |error: io::Error| format!("cannot read the file: {}", reason(&error));
    if !fs::metadata(path).map_err(cannot)?.is_file() {
        return Err(IRREGULAR.to_owned());
    }
    read_from(fs::File::open(path).map_err(cannot)?)
}

/// Reads what a file or standard input gives, up to [`LARGEST_FILE`].
///
/// # Errors
/// Why it cannot be read, in words for the user.
pub fn read_from(file: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| format!("cannot read the file: {}", reason(&error)))?;
    if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > LARGEST_FILE {
        return Err(format!(
            "the file is larger than {} MiB",
            LARGEST_FILE >> 20
        ));
    }
    Ok(bytes)
}

/// The system's words for an error, without its number.
pub(crate) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text);
    let mut characters = text.chars();
    match characters.next() {
        Some(first) => first.to_lowercase().chain(characters).collect(),
        None => "unknown reason".to_owned(),
    }
}

/// A path as reports show it: without `./` in front.
pub(crate) fn shown(path: &Path) -> String {
    let short = path.strip_prefix(".").unwrap_or(path);
    let short = if short.as_os_str().is_empty() {
        path
    } else {
        short
    };
    short.to_string_lossy().into_owned()
}

/// What has been seen so far.
#[derive(Default)]
struct Walk {
    collection: Collection,
    /// Files by the path that is theirs without links.
    files: BTreeMap<PathBuf, Input>,
    /// The same for headers.
    headers: BTreeMap<PathBuf, Input>,
    /// The same for C++ sources.
    others: BTreeMap<PathBuf, Input>,
    /// Folders entered, without links.
    folders: BTreeSet<PathBuf>,
    /// Links left for later, with the path they come from.
    links: VecDeque<(PathBuf, usize)>,
    /// Paths given that led to source, though another one may have had it first, or to an error.
    roots_with_source: BTreeSet<usize>,
}

impl Walk {
    /// Adds a file.
    fn file(&mut self, path: &Path, root: usize, named: bool) {
        self.roots_with_source.insert(root);
        match fs::canonicalize(path) {
            Ok(real) => {
                self.files
                    .entry(real)
                    .and_modify(|known| known.named |= named)
                    .or_insert_with(|| input(path, root, named));
            }
            Err(error) => self.fail(path, root, &error),
        }
    }

    /// Adds a header. One that leads nowhere is missed where it is included.
    fn header(&mut self, path: &Path, root: usize) {
        if let Ok(real) = fs::canonicalize(path) {
            self.headers
                .entry(real)
                .or_insert_with(|| input(path, root, false));
        }
    }

    /// Adds a C or C++ source.
    fn other(&mut self, path: &Path, root: usize) {
        if let Ok(real) = fs::canonicalize(path) {
            self.others
                .entry(real)
                .or_insert_with(|| input(path, root, false));
        }
    }

    /// Adds what is in a folder, links excepted. The folders below are kept in a list, not on the stack.
    fn folder(&mut self, path: &Path, root: usize) {
        let mut open = vec![path.to_owned()];
        while let Some(folder) = open.pop() {
            let entries = fs::canonicalize(&folder).and_then(|real| {
                if self.folders.insert(real) {
                    entries(&folder).map(Some)
                } else {
                    Ok(None)
                }
            });
            match entries {
                Ok(Some(entries)) => {
                    for (entry, kind) in entries {
                        self.entry(entry, kind, root, &mut open);
                    }
                }
                Ok(None) => {
                    // Seen from another path: its source counts as found.
                    self.roots_with_source.insert(root);
                }
                Err(error) => self.fail(&folder, root, &error),
            }
        }
    }

    fn entry(&mut self, path: PathBuf, kind: FileType, root: usize, open: &mut Vec<PathBuf>) {
        if kind.is_symlink() {
            self.links.push_back((path, root));
        } else if kind.is_dir() {
            open.push(path);
        } else if is_source(&path) {
            if kind.is_file() {
                self.file(&path, root, false);
            } else {
                self.error(&path, root, IRREGULAR.to_owned());
            }
        } else if is_header(&path) && kind.is_file() {
            self.header(&path, root);
        } else if is_other(&path) && kind.is_file() {
            self.other(&path, root);
        }
    }

    /// Follows the links, those found on the way included.
    fn links(&mut self) {
        while let Some((path, root)) = self.links.pop_front() {
            match fs::metadata(&path) {
                Ok(metadata) if metadata.is_dir() => self.folder(&path, root),
                Ok(metadata) if is_source(&path) && metadata.is_file() => {
                    self.file(&path, root, false);
                }
                Ok(metadata) if is_header(&path) && metadata.is_file() => self.header(&path, root),
                Ok(metadata) if is_other(&path) && metadata.is_file() => self.other(&path, root),
                Ok(_) if is_source(&path) => {
                    self.error(&path, root, IRREGULAR.to_owned());
                }
                Ok(_) => {}
                Err(error) if is_source(&path) => self.fail(&path, root, &error),
                Err(error) => self.collection.notes.push(Note {
                    place: None,
                    text: format!("link `{}` not followed: {}", shown(&path), reason(&error)),
                }),
            }
        }
    }

    fn fail(&mut self, path: &Path, root: usize, error: &io::Error) {
        self.error(path, root, format!("cannot read: {}", reason(error)));
    }

    fn error(&mut self, path: &Path, root: usize, message: String) {
        self.roots_with_source.insert(root);
        self.collection.errors.push(InputError {
            file: shown(path),
            line: None,
            message,
        });
    }
}

/// The entries of a folder that are not hidden, sorted by name.
fn entries(folder: &Path) -> io::Result<Vec<(PathBuf, FileType)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        found.push((entry.path(), entry.file_type()?));
    }
    found.sort_by(|(a, _), (b, _)| a.cmp(b));
    Ok(found)
}

fn input(path: &Path, root: usize, named: bool) -> Input {
    Input {
        path: path.to_owned(),
        shown: shown(path),
        root,
        named,
        text: None,
    }
}

/// Whether the name is that of a header, or of text that is included like one.
fn is_header(path: &Path) -> bool {
    path.extension()
        .and_then(OsStr::to_str)
        .is_some_and(|extension| {
            matches!(
                extension,
                "h" | "hh" | "hpp" | "hxx" | "inl" | "inc" | "ipp" | "tpp"
            )
        })
}

/// Whether the name is that of C source.
pub(crate) fn is_c(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "c")
}

/// Whether the name is that of C or C++ source, which a compiler may be told to take for CUDA, or of a file whose strings may be CUDA.
fn is_other(path: &Path) -> bool {
    path.extension()
        .and_then(OsStr::to_str)
        .is_some_and(|extension| {
            matches!(
                extension,
                "cpp" | "cc" | "cxx" | "c++" | "C" | "c" | "py" | "ipynb"
            )
        })
}

/// Whether such a file defines kernels, itself or in its strings.
fn holds_kernel(path: &Path, text: &[u8]) -> bool {
    let host = Host::of(path);
    (!host.is_foreign() && names_kernel(text)) || !parts(host, text).is_empty()
}

/// Whether the word `__global__` stands in a text outside of comments, literals and `#define`.
pub(crate) fn names_kernel(text: &[u8]) -> bool {
    const WORD: &[u8] = b"__global__";
    let is_name =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    if !text.windows(WORD.len()).any(|window| window == WORD) {
        return false;
    }
    let mut at = 0;
    while let Some(&byte) = text.get(at) {
        let rest = &text[at..];
        let end_of = |end: &[u8]| {
            let found = rest
                .windows(end.len())
                .skip(1)
                .position(|window| window == end);
            found.map_or(rest.len(), |position| position + 1 + end.len())
        };
        let raw = rest.strip_prefix(b"R\"").and_then(|raw| {
            let open = raw.iter().take(17).position(|byte| *byte == b'(')?;
            Some([b")", &raw[..open], b"\""].concat())
        });
        at += match (byte, raw) {
            (_, Some(end)) if !is_name(at.checked_sub(1).and_then(|before| text.get(before))) => {
                end_of(&end)
            }
            (b'/', _) if rest.starts_with(b"//") => end_of(b"\n"),
            (b'/', _) if rest.starts_with(b"/*") => end_of(b"*/"),
            (b'#', _) if rest[1..].trim_ascii_start().starts_with(b"define") => end_of(b"\n"),
            (b'"' | b'\'', _) => literal(rest),
            (b'_', _) if rest.starts_with(WORD) => {
                let before = at.checked_sub(1).and_then(|before| text.get(before));
                if !is_name(before) && !is_name(rest.get(WORD.len())) {
                    return true;
                }
                WORD.len()
            }
            _ => 1,
        };
    }
    false
}

/// The length of a literal, which ends with its line at the latest. An apostrophe within a number is taken for one, too.
fn literal(text: &[u8]) -> usize {
    let mut at = 1;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\\' => at += 2,
            b'\n' => return at,
            _ if byte == text[0] => return at + 1,
            _ => at += 1,
        }
    }
    at
}

/// Whether the name is that of CUDA source.
pub(crate) fn is_source(path: &Path) -> bool {
    path.extension()
        .and_then(OsStr::to_str)
        .is_some_and(|extension| matches!(extension, "cu" | "cuh" | "hip"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    fn folder(files: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for file in files {
            let path = folder.path().join(file);
            fs::create_dir_all(path.parent().expect("a parent")).expect("folders");
            fs::write(path, file).expect("a file");
        }
        folder
    }

    /// Files, errors and notes, relative to the folder.
    fn found(
        folder: &tempfile::TempDir,
        paths: &[&str],
    ) -> (Vec<String>, Vec<String>, Vec<String>) {
        let root = fs::canonicalize(folder.path()).expect("a path");
        let paths: Vec<PathBuf> = paths.iter().map(|path| root.join(path)).collect();
        let collection = collect(&paths);
        let short = |text: &str| text.replace(&format!("{}/", root.display()), "");
        (
            collection
                .inputs
                .iter()
                .map(|input| short(&input.shown))
                .collect(),
            collection
                .errors
                .iter()
                .map(|error| short(&format!("{}: {}", error.file, error.message)))
                .collect(),
            collection
                .notes
                .iter()
                .map(|note| short(&note.text))
                .collect(),
        )
    }

    #[test]
    fn folders_give_their_source_sorted() {
        let folder = folder(&[
            "b.cu",
            "a/z.cuh",
            "a/y.cpp",
            "a.cu",
            ".git/x.cu",
            "a/.x.cu",
            "c/n.txt",
        ]);
        let (files, errors, notes) = found(&folder, &[""]);
        assert_eq!(files, ["a/z.cuh", "a.cu", "b.cu"]);
        assert!(errors.is_empty() && notes.is_empty());
    }

    #[test]
    fn words_of_kernels_are_found_where_they_count() {
        for text in [
            "__global__ void k();",
            "/* a */ extern \"C\" __global__\nvoid k();",
            "char c = '\"'; __global__ void k();",
            "auto s = R\"x(__global__)\")x\"; __global__ void k();",
            "// a\n__global__ void k();",
            "int thousand = 1'000;\n__global__ void k();",
        ] {
            assert!(names_kernel(text.as_bytes()), "{text}");
        }
        for text in [
            "int x;",
            "// __global__ void k();",
            "/* __global__ void k(); */",
            "auto s = \"\\\"__global__\";",
            "auto s = R\"x(a)\" __global__)x\";",
            "#define __global__",
            "# define K __global__ void k()",
            "int my__global__x;",
        ] {
            assert!(!names_kernel(text.as_bytes()), "{text}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text);
        write("a.cpp", "__global__ void k();").expect("a file");
        write("b.cpp", "void k();").expect("a file");
        let collection = collect(&[folder.path().to_owned()]);
        assert_eq!(collection.others.len(), 1);
        assert!(collection.notes.is_empty(), "{:?}", collection.notes);
    }

    #[test]
    fn a_file_is_taken_once_and_may_have_any_name() {
        let folder = folder(&["a/k.cu", "a/y.cpp", ".h/x.cu"]);
        let (files, errors, notes) = found(
            &folder,
            &["a/y.cpp", "a", "a/k.cu", "a/../a/k.cu", "a", ".h"],
        );
        assert_eq!(files, [".h/x.cu", "a/k.cu", "a/y.cpp"]);
        assert!(errors.is_empty(), "{errors:?}");
        assert!(notes.is_empty(), "{notes:?}");
    }

    #[test]
    fn loops_of_links_end_and_real_names_win() {
        let folder = folder(&["z/k.cu"]);
        let root = folder.path();
        symlink("..", root.join("z/up")).expect("a link");
        symlink("z", root.join("a")).expect("a link");
        symlink("z/k.cu", root.join("again.cu")).expect("a link");
        symlink("loop.cu", root.join("loop.cu")).expect("a link");
        symlink("nowhere", root.join("dangling")).expect("a link");
        let (files, errors, notes) = found(&folder, &[""]);
        assert_eq!(files, ["z/k.cu"]);
        assert_eq!(errors.len(), 1);
        assert!(
            errors[0].starts_with("loop.cu: cannot read: "),
            "{errors:?}"
        );
        assert_eq!(notes.len(), 1);
        assert!(
            notes[0].starts_with("link `dangling` not followed: "),
            "{notes:?}"
        );
    }

    #[test]
    fn a_link_to_elsewhere_is_followed() {
        let elsewhere = folder(&["deep/k.cu"]);
        let folder = folder(&["a.cu"]);
        symlink(elsewhere.path(), folder.path().join("link")).expect("a link");
        let (files, _, _) = found(&folder, &[""]);
        assert_eq!(files, ["a.cu", "link/deep/k.cu"]);
    }

    #[test]
    fn what_is_missing_or_empty_is_said() {
        let folder = folder(&["a.cu", "empty/readme.txt"]);
        let (files, errors, notes) = found(&folder, &["a.cu", "gone.cu", "a.cu/b.cu", "empty"]);
        assert_eq!(files, ["a.cu"]);
        assert_eq!(
            errors,
            [
                "gone.cu: cannot read: no such file or directory",
                "a.cu/b.cu: cannot read: not a directory"
            ]
        );
        assert_eq!(notes, ["no .cu, .cuh or .hip files in `empty`"]);
    }

    #[test]
    fn a_pipe_in_a_folder_is_not_waited_for() {
        let folder = folder(&["a.cu"]);
        let socket = std::os::unix::net::UnixListener::bind(folder.path().join("s.cu"));
        assert!(socket.is_ok());
        let (files, errors, _) = found(&folder, &[""]);
        assert_eq!(files, ["a.cu"]);
        assert_eq!(errors, ["s.cu: not a regular file"]);
    }

    #[test]
    fn deep_folders_do_not_need_the_stack() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut path = folder.path().to_owned();
        for _ in 0..200 {
            path.push("d");
        }
        fs::create_dir_all(&path).expect("folders");
        fs::write(path.join("k.cu"), "").expect("a file");
        assert_eq!(collect(&[folder.path().to_owned()]).inputs.len(), 1);
    }

    #[test]
    fn endless_files_are_refused() {
        assert_eq!(read(Path::new("/dev/zero")), Err(IRREGULAR.to_owned()));
        let error = read_from(io::repeat(0)).expect_err("too large");
        assert_eq!(error, "the file is larger than 16 MiB");
        assert!(read(Path::new("/nowhere/x.cu")).is_err());
    }

    #[test]
    fn names_lose_their_dot() {
        assert_eq!(shown(Path::new("./a/b.cu")), "a/b.cu");
        assert_eq!(shown(Path::new(".")), ".");
        assert_eq!(shown(Path::new("../a.cu")), "../a.cu");
    }
}
