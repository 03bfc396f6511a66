//! Source files as read: decoding, line index, line splices, and where included files come from.
//!
//! All offsets that leave the preprocessor are byte offsets in the bytes of the file as given. So the text keeps its
//! byte-order mark and its `\r\n`, and a byte that is not UTF-8 is replaced by one ASCII byte (`SUBSTITUTE`), never
//! by a longer sequence. The lexer reads a second form without backslash-newlines; [`Source::original`] maps back.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::PreprocessError;

/// Stands for one byte that is not part of valid UTF-8 (ASCII 26, "substitute"). No C++ token contains it, so in code
/// it makes the parser report an error there; in comments and strings it is harmless.
pub const SUBSTITUTE: char = '\u{1a}';

/// One file that took part in a translation unit.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// The path by which it was opened.
    pub path: PathBuf,
    /// Its text, byte for byte as in the file, save for bytes that are not UTF-8 (each replaced by [`SUBSTITUTE`]).
    pub text: Arc<str>,
    line_starts: Vec<u32>,
    /// Characters before each multiple of [`STRIDE`], so that columns on megabyte lines cost no scan of the line.
    characters: Vec<u32>,
}

/// Bytes between two entries of [`SourceFile::characters`].
const STRIDE: usize = 1024;

/// How many characters begin in the bytes (continuation bytes of UTF-8 do not count).
fn count_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

impl SourceFile {
    /// Indexes the lines of `text`. Lines end at `\n`, `\r\n` or a lone `\r`.
    pub fn new(path: PathBuf, text: Arc<str>) -> SourceFile {
        let bytes = text.as_bytes();
        let mut line_starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            if byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')) {
                line_starts.push(at as u32 + 1);
            }
        }
        let mut characters = Vec::with_capacity(bytes.len() / STRIDE + 1);
        let mut before = 0;
        for chunk in bytes.chunks(STRIDE) {
            characters.push(before as u32);
            before += count_characters(chunk);
        }
        // One more for the end of a text that fills its last stride.
        characters.push(before as u32);
        SourceFile {
            path,
            text,
            line_starts,
            characters,
        }
    }

    /// The 1-based line that holds the byte at `offset` (the last line for offsets past the end).
    pub fn line(&self, offset: u32) -> u32 {
        self.line_starts.partition_point(|&start| start <= offset) as u32
    }

    /// The 1-based line and the 1-based column of the byte at `offset`. Columns count characters (Unicode scalar
    /// values), and a byte-order mark at the start of the file does not count.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let offset = (offset as usize).min(self.text.len());
        let line = self.line(offset as u32);
        let start = self.line_starts[line as usize - 1] as usize;
        let characters = self.characters_before(offset) - self.characters_before(start);
        let mark = usize::from(start == 0 && self.text.starts_with('\u{feff}') && offset >= 3);
        (line, (characters - mark) as u32 + 1)
    }

    /// How many characters begin before a byte of the text, in constant time.
    fn characters_before(&self, offset: usize) -> usize {
        let stride = offset / STRIDE;
        let rest = &self.text.as_bytes()[stride * STRIDE..offset];
        self.characters[stride] as usize + count_characters(rest)
    }

    /// How many lines the file has (at least 1).
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }

    /// The text of a 1-based line without its line end; empty for a line that does not exist.
    pub fn line_text(&self, line: u32) -> &str {
        let index = line as usize;
        if index == 0 || index > self.line_starts.len() {
            return "";
        }
        let start = self.line_starts[index - 1] as usize;
        let end = self
            .line_starts
            .get(index)
            .map_or(self.text.len(), |&next| next as usize);
        let text = self.text[start..end].trim_end_matches(['\r', '\n']);
        if start == 0 {
            text.trim_start_matches('\u{feff}')
        } else {
            text
        }
    }
}

/// A piece of a unit whose text is put together from parts of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Piece {
    /// Its characters.
    pub text: String,
    /// The first byte of the file that they are written as. They stand for themselves if there are as many bytes as they have.
    pub start: u32,
    /// The byte behind them.
    pub end: u32,
}

/// A file as the lexer sees it: without backslash-newlines, and only the pieces of it that are the unit, if it is not all.
pub(super) struct Source {
    pub file: SourceFile,
    pub clean: Arc<str>,
    /// (offset in `clean` at which something was removed, bytes removed up to there), ascending.
    splices: Vec<(u32, u32)>,
    /// The pieces, with where each begins in the text that they make; none if that is the text of the file.
    pieces: Vec<(u32, Piece)>,
    /// How often the file has been entered.
    pub entered: u32,
}

impl Source {
    pub fn new(path: PathBuf, text: String) -> Source {
        let text: Arc<str> = text.into();
        let (clean, splices) = splice_lines(&text);
        let clean = clean.map_or_else(|| Arc::clone(&text), Arc::from);
        Source {
            file: SourceFile::new(path, text),
            clean,
            splices,
            pieces: Vec::new(),
            entered: 0,
        }
    }

    /// A file of which only these pieces are read, in their order.
    pub fn of_pieces(path: PathBuf, text: String, pieces: &[Piece]) -> Source {
        let mut joined = String::new();
        let mut placed = Vec::with_capacity(pieces.len());
        for piece in pieces {
            placed.push((joined.len() as u32, piece.clone()));
            joined.push_str(&piece.text);
        }
        let (clean, splices) = splice_lines(&joined);
        Source {
            file: SourceFile::new(path, text.into()),
            clean: clean.unwrap_or(joined).into(),
            splices,
            pieces: placed,
            entered: 0,
        }
    }

    /// Whether later text always stands later in the file.
    pub fn is_in_order(&self) -> bool {
        let follows = |pair: &[(u32, Piece)]| pair[0].1.end <= pair[1].1.start;
        self.pieces.windows(2).all(follows)
    }

    /// The offset in the file of the byte at `offset` of the clean text.
    pub fn original(&self, offset: u32) -> u32 {
        self.written(offset).0
    }

    /// The bytes of the file that the byte at `offset` of the clean text is written as.
    fn written(&self, offset: u32) -> (u32, u32) {
        let before = self.splices.partition_point(|&(at, _)| at <= offset);
        let removed = match before {
            0 => 0,
            before => self.splices[before - 1].1,
        };
        let offset = offset + removed;
        let before = self.pieces.partition_point(|&(at, _)| at <= offset);
        let Some((at, piece)) = before.checked_sub(1).map(|index| &self.pieces[index]) else {
            return (offset, offset + 1);
        };
        let length = piece.text.len() as u32;
        if offset - at >= length {
            return (piece.end, piece.end);
        }
        match piece.end - piece.start == length {
            true => (piece.start + offset - at, piece.start + offset - at + 1),
            false => (piece.start, piece.end),
        }
    }

    /// The range in the file of a range of the clean text.
    pub fn original_range(&self, start: u32, end: u32) -> (u32, u32) {
        let first = self.original(start);
        if end <= start {
            return (first, first);
        }
        // Pieces may stand in another order than in the file.
        (first, self.written(end - 1).1.max(first))
    }
}

/// Removes each backslash that ends a line, with the line end (white space between them is allowed, as in GCC).
fn splice_lines(text: &str) -> (Option<String>, Vec<(u32, u32)>) {
    let bytes = text.as_bytes();
    let mut clean: Option<String> = None;
    let mut splices = Vec::new();
    let mut copied = 0;
    let mut removed = 0;
    let mut at = 0;
    while let Some(found) = bytes[at..].iter().position(|&byte| byte == b'\\') {
        let backslash = at + found;
        let mut end = backslash + 1;
        while matches!(bytes.get(end), Some(b' ' | b'\t' | 0x0b | 0x0c)) {
            end += 1;
        }
        let next = match (bytes.get(end), bytes.get(end + 1)) {
            (Some(b'\r'), Some(b'\n')) => end + 2,
            (Some(b'\r' | b'\n'), _) => end + 1,
            _ => {
                at = end;
                continue;
            }
        };
        let clean = clean.get_or_insert_with(String::new);
        clean.push_str(&text[copied..backslash]);
        removed += (next - backslash) as u32;
        splices.push((clean.len() as u32, removed));
        copied = next;
        at = next;
    }
    if let Some(clean) = &mut clean {
        clean.push_str(&text[copied..]);
    }
    (clean, splices)
}

/// Turns bytes into text of the same length; also says where bytes were not UTF-8 (first offset of each run).
pub(super) fn decode(
    path: &Path,
    bytes: &[u8],
    limit: usize,
) -> Result<(String, Vec<u32>), PreprocessError> {
    if bytes.len() > limit {
        return Err(PreprocessError::TooLarge {
            path: path.to_owned(),
            bytes: bytes.len(),
            limit,
        });
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(PreprocessError::Utf16 {
            path: path.to_owned(),
        });
    }
    if let Some(offset) = bytes.iter().position(|&byte| byte == 0) {
        let line = 1 + bytes[..offset]
            .iter()
            .filter(|&&byte| byte == b'\n')
            .count();
        return Err(PreprocessError::Binary {
            path: path.to_owned(),
            line,
            offset,
        });
    }
    let mut text = String::with_capacity(bytes.len());
    let mut invalid: Vec<u32> = Vec::new();
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            if chunk.valid().is_empty() && !invalid.is_empty() {
                // Still the same run of bad bytes.
            } else {
                invalid.push(text.len() as u32);
            }
            for _ in chunk.invalid() {
                text.push(SUBSTITUTE);
            }
        }
    }
    Ok((text, invalid))
}

/// Where included files come from.
pub trait FileSystem {
    /// The bytes of a file, at most `limit + 1` of them.
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>>;
    /// Whether `path` is an ordinary file (not a folder, a pipe or a device).
    fn is_file(&self, path: &Path) -> bool;
    /// A name that is the same for all paths to the same file.
    fn canonical(&self, path: &Path) -> PathBuf;
    /// What was found out before rests on this file: that it is there or not, and what it holds if it was read.
    fn rests_on(&self, _path: &Path, _is_read: bool) {}
}

/// The files of this machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealFiles;

impl FileSystem for RealFiles {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        std::fs::File::open(path)?
            .take(limit as u64 + 1)
            .read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn is_file(&self, path: &Path) -> bool {
        std::fs::metadata(path).is_ok_and(|data| data.is_file())
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| normalise(path))
    }
}

/// Files held in memory, for tests and for text that comes from elsewhere.
#[derive(Debug, Clone, Default)]
pub struct MemoryFiles {
    files: BTreeMap<PathBuf, Vec<u8>>,
}

impl MemoryFiles {
    /// Adds a file, or replaces it.
    pub fn add(&mut self, path: impl AsRef<Path>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(normalise(path.as_ref()), bytes.into());
    }
}

impl FileSystem for MemoryFiles {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        let bytes = self
            .files
            .get(&normalise(path))
            .ok_or(io::ErrorKind::NotFound)?;
        Ok(bytes[..bytes.len().min(limit + 1)].to_vec())
    }

    fn is_file(&self, path: &Path) -> bool {
        self.files.contains_key(&normalise(path))
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        normalise(path)
    }
}

/// Removes `.` and resolves `name/..` by name alone.
pub(super) fn normalise(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(normal.components().next_back(), Some(Component::Normal(_))) =>
            {
                normal.pop();
            }
            other => normal.push(other),
        }
    }
    normal
}
