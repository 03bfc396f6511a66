//! The preprocessor: from a CUDA source file to expanded text and a map back to the files.
//!
//! Our own, because the input is hostile (files and macros that include themselves, ten thousand parentheses,
//! megabyte lines) and because every byte of the result must lead back to the outermost place in the user's files.
//!
//! **Algorithm.** Lexing after line splicing; macro expansion after the C standard (6.10.3) with C++20's
//! `__VA_OPT__` and GNU's comma; one configuration of the conditionals. Then small rewrites that keep
//! `tree-sitter-cuda` from misreading the text (`shims`).
//!
//! **Contract.** For any bytes: no panic, no recursion deeper than [`Limits`] say, work bounded by [`Limits`], every
//! [`Location`] inside its file, and the same result each time. What could not be read as a compiler would is noted;
//! [`NoteKind::is_damage`] tells the notes after which the text may not be what a compiler sees, so that kernels of
//! this file must not be called race-free without regard to them.
//!
//! **Not done.** Trigraphs, digraphs, `#embed`, `#include_next` (taken as `#include`). Of `__has_builtin`, `__has_attribute`
//! and `__has_cpp_attribute` the usual operands are answered as GCC 12 does, others with 0. Splices inside raw strings are
//! not reverted.

use std::path::{Path, PathBuf};
use std::sync::Arc;

mod condition;
mod directive;
mod doubt;
mod engine;
mod expand;
mod guess;
pub(crate) mod joined;
mod launches;
mod lexer;
mod library;
mod locate;
mod macros;
mod shims;
mod source;
mod standins;
mod token;

#[cfg(test)]
mod tests;

pub use doubt::Doubt;
pub use guess::{Guess, HeaderIndex, is_system_header};
pub use locate::{Location, LocationMap, Place};
pub use source::{FileSystem, MemoryFiles, Piece, RealFiles, SUBSTITUTE, SourceFile};
pub use standins::is_stand_in;

use engine::{COMMAND_LINE, Engine, MAIN};
use source::{Source, decode};

/// A macro given from outside (`-D`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Define {
    /// Its name, or `NAME(parameters)`.
    pub name: String,
    /// Its replacement; 1 when absent.
    pub value: Option<String>,
}

impl Config {
    /// What a macro of the compiler or the command line stands for.
    fn value_of(&self, name: &str) -> Option<String> {
        let mut defines = self
            .defines
            .iter()
            .rev()
            .chain(self.predefined.iter().rev());
        let found = defines.find(|define| define.name == name)?;
        Some(found.value.clone().unwrap_or_else(|| "1".to_owned()))
    }

    /// The same without a macro of the compiler or the command line.
    fn without(&self, name: &str) -> Config {
        let mut config = self.clone();
        config.predefined.retain(|define| define.name != name);
        config.defines.retain(|define| define.name != name);
        config
    }
}

impl Define {
    /// Reads `NAME` or `NAME=value`, as after `-D`.
    pub fn parse(argument: &str) -> Define {
        match argument.split_once('=') {
            Some((name, value)) => Define {
                name: name.to_owned(),
                value: Some(value.to_owned()),
            },
            None => Define {
                name: argument.to_owned(),
                value: None,
            },
        }
    }
}

/// What bounds the preprocessor's work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of one file.
    pub file_bytes: usize,
    /// Bytes of all files read, each as often as it is included.
    pub input_bytes: usize,
    /// Files open at a time.
    pub include_depth: usize,
    /// Inclusions in all.
    pub inclusions: usize,
    /// Inclusions of one file.
    pub same_file: u32,
    /// Macro arguments that are expanded one in the other.
    pub macro_depth: usize,
    /// Tokens moved by macro expansion.
    pub work: usize,
    /// Tokens of the expanded text.
    pub output_tokens: usize,
    /// Tokens of the expanded text that stand in the replacement list of a macro. What comes behind the preprocessor
    /// costs some microseconds a token, and only macros make much text from little.
    pub macro_tokens: usize,
    /// Bytes of the expanded text, and of the text made by macros.
    pub output_bytes: usize,
    /// Notes kept.
    pub notes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            file_bytes: 64 << 20,
            input_bytes: 256 << 20,
            include_depth: 100,
            inclusions: 20_000,
            same_file: 2_000,
            macro_depth: 200,
            work: 4_000_000,
            output_tokens: 6_000_000,
            macro_tokens: 450_000,
            output_bytes: 128 << 20,
            notes: 2_000,
        }
    }
}

/// How to preprocess.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// Macros that the compiler would define ([`Config::default`] has those of `nvcc` for `sm_70`).
    pub predefined: Vec<Define>,
    /// `-D`, after the predefined ones.
    pub defines: Vec<Define>,
    /// `-U`, after `-D`.
    pub undefines: Vec<String>,
    /// `-iquote`, in order: for headers in quotes, before the others.
    pub quote_dirs: Vec<PathBuf>,
    /// `-I`, in order.
    pub include_dirs: Vec<PathBuf>,
    /// `-isystem`, in order: after the others.
    pub system_dirs: Vec<PathBuf>,
    /// `-include`: headers that are read before the file, as written in quotes.
    pub forced_includes: Vec<String>,
    /// Where headers are looked for that are nowhere else.
    pub guesses: Option<Arc<HeaderIndex>>,
    /// The pieces of the main file that are the unit, if it is not all of it.
    pub pieces: Option<Arc<[Piece]>>,
    /// Names in them that stand for texts nobody knows, which may be parts of other names: what asks for one is not decided.
    pub holes: Arc<[String]>,
    /// Whether there are more options that are not known: what asks in the main file for a name that nothing defines is not decided.
    pub has_open_options: bool,
    /// Whether the expanded tokens are rewritten for the parser (`shims`). Off, the text is what any preprocessor makes of it,
    /// to be compared with another's.
    pub rewrites: bool,
    /// What bounds the work.
    pub limits: Limits,
}

impl Config {
    /// Whether `u8'a'` is a `char8_t`: since C++20.
    #[must_use]
    pub fn has_char8(&self) -> bool {
        let defines = self.defines.iter().chain(&self.predefined);
        let standard = defines
            .filter(|define| define.name == "__cplusplus")
            .find_map(|define| define.value.as_deref()?.trim_end_matches('L').parse().ok());
        standard.is_some_and(|standard: u32| standard >= 202_002)
    }
}

impl Default for Config {
    /// `nvcc` with GCC compiling device code for `sm_70` on 64-bit Linux. `CUDART_VERSION` and the limits of the integer types
    /// are there because `nvcc` includes `cuda_runtime.h` (and with it `limits.h`) in every file.
    fn default() -> Config {
        let predefined = [
            ("__CUDACC__", "1"),
            ("__SIZEOF_INT128__", "16"),
            ("__NVCC__", "1"),
            ("__CUDA_ARCH__", "700"),
            ("__cplusplus", "201703L"),
            ("__CUDACC_VER_MAJOR__", "12"),
            ("__CUDACC_VER_MINOR__", "4"),
            ("CUDART_VERSION", "12040"),
            ("CUDA_VERSION", "12040"),
            // As CUDA's `crt/host_defines.h` has it; nothing below asks for features that only one architecture has.
            (
                "__CUDA_ARCH_HAS_FEATURE__(feature)",
                "__CUDA_ARCH_FEAT_##feature",
            ),
            ("__CUDA_HAS_ARCH_FAMILY_SPECIFIC(number)", "0"),
            ("__GNUC__", "12"),
            ("__GNUC_MINOR__", "2"),
            ("__linux__", "1"),
            ("__unix__", "1"),
            ("__x86_64__", "1"),
            ("__LP64__", "1"),
            ("CHAR_BIT", "8"),
            ("SCHAR_MAX", "127"),
            ("SCHAR_MIN", "(-128)"),
            ("UCHAR_MAX", "255"),
            ("SHRT_MAX", "32767"),
            ("SHRT_MIN", "(-32767-1)"),
            ("USHRT_MAX", "65535"),
            ("INT_MAX", "2147483647"),
            ("INT_MIN", "(-2147483647-1)"),
            ("UINT_MAX", "4294967295U"),
            ("LLONG_MAX", "9223372036854775807LL"),
            ("LLONG_MIN", "(-9223372036854775807LL-1)"),
            ("ULLONG_MAX", "18446744073709551615ULL"),
            // HIP's way to launch, as its header has it.
            ("HIP_KERNEL_NAME(...)", "__VA_ARGS__"),
            (
                "hipLaunchKernelGGL(kernel, grid, block, shared, stream, ...)",
                "kernel<<<grid, block, shared, stream>>>(__VA_ARGS__)",
            ),
            // Heads of functions in extensions of PyTorch; those in its headers declare more beside them.
            (
                "PYBIND11_MODULE(name, module, ...)",
                "static void pybind11_init_##name(::pybind11::module_ &module)",
            ),
            (
                "TORCH_LIBRARY(name, library)",
                "static void torch_library_##name(::torch::Library &library)",
            ),
            (
                "TORCH_LIBRARY_FRAGMENT(name, library)",
                "static void torch_library_fragment_##name(::torch::Library &library)",
            ),
            (
                "TORCH_LIBRARY_IMPL(name, key, library)",
                "static void torch_library_##name##_##key(::torch::Library &library)",
            ),
        ];
        let define = |(name, value): (&str, &str)| Define {
            name: name.to_owned(),
            value: Some(value.to_owned()),
        };
        Config {
            predefined: predefined.into_iter().map(define).collect(),
            defines: Vec::new(),
            undefines: Vec::new(),
            quote_dirs: Vec::new(),
            include_dirs: Vec::new(),
            system_dirs: Vec::new(),
            forced_includes: Vec::new(),
            guesses: None,
            pieces: None,
            holes: Arc::default(),
            has_open_options: false,
            rewrites: true,
            limits: Limits::default(),
        }
    }
}

impl Config {
    /// The macros and forced includes as a file of directives, read before every file.
    pub fn command_line(&self) -> String {
        let mut text = String::new();
        let one_line = |text: &str| text.replace(['\n', '\r', '\0'], " ");
        for define in self.predefined.iter().chain(&self.defines) {
            let value = define.value.as_deref().unwrap_or("1");
            text.push_str(&format!(
                "#define {} {}\n",
                one_line(&define.name),
                one_line(value)
            ));
        }
        for name in &self.undefines {
            text.push_str(&format!("#undef {}\n", one_line(name)));
        }
        for name in &self.forced_includes {
            text.push_str(&format!("#include \"{}\"\n", one_line(name)));
        }
        text
    }
}

/// What a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteKind {
    /// A header that was not found, as written (`<math.h>`, `"util.h"`). It was skipped.
    MissingInclude,
    /// A header that exists and could not be read, or is no text.
    UnreadableInclude,
    /// An inclusion that was not followed, because there were too many.
    IncludeLimit,
    /// A name that nothing defines and whose value an active `#if` consulted.
    UndefinedInIf,
    /// A condition that was not understood, and taken as false.
    ConditionError,
    /// The name of a kernel (perhaps empty) in text that the conditionals leave out.
    InactiveKernel,
    /// The name of what is launched in text that the conditionals leave out.
    InactiveLaunch,
    /// `#else`, `#elif` or `#endif` without `#if`, or an `#if` without its `#endif`.
    UnbalancedConditional,
    /// A definition or a call that was not understood; the call stays as it is.
    MacroError,
    /// `##` that gives no token: its operands stay separate.
    BadPaste,
    /// The text of an active `#error`.
    ErrorDirective,
    /// The text of an `#error` that would be active; another branch of its conditional was taken.
    ErrorAvoided,
    /// The text of an active `#warning`.
    Warning,
    /// A directive that is not known.
    UnknownDirective,
    /// A comment or literal that is not closed.
    Unterminated,
    /// Bytes that are not UTF-8, replaced by [`SUBSTITUTE`].
    InvalidUtf8,
    /// A dropped attribute or a `#pragma pack` that may change the layout of a structure.
    LayoutAttribute,
    /// The output ends early: a limit was reached.
    Truncated,
}

impl Note {
    /// Whether the text ends before what it began does: a comment, a conditional, or everything, at a limit. What kernels stand behind
    /// it is not known.
    pub fn is_cut_off(&self) -> bool {
        match self.kind {
            NoteKind::Truncated => true,
            NoteKind::Unterminated => self.text == OPEN_COMMENT,
            NoteKind::UnbalancedConditional => self.text == OPEN_CONDITIONAL,
            _ => false,
        }
    }
}

/// Said of a comment that the end of the file closes.
pub(crate) const OPEN_COMMENT: &str = "comment `/*` without its `*/`";

/// Said of a conditional that the end of the file closes.
pub(crate) const OPEN_CONDITIONAL: &str = "`#if` without its `#endif`";

impl NoteKind {
    /// Whether the expanded text may differ from what a compiler would see, other than by missing headers, so that
    /// parts of kernels or whole kernels may be missing from it, or mean something else.
    pub fn is_damage(self) -> bool {
        match self {
            NoteKind::UnreadableInclude
            | NoteKind::IncludeLimit
            | NoteKind::ConditionError
            | NoteKind::UnbalancedConditional
            | NoteKind::MacroError
            | NoteKind::BadPaste
            | NoteKind::UnknownDirective
            | NoteKind::Unterminated
            | NoteKind::ErrorDirective
            | NoteKind::LayoutAttribute
            | NoteKind::Truncated => true,
            NoteKind::MissingInclude
            | NoteKind::UndefinedInIf
            | NoteKind::InactiveKernel
            | NoteKind::InactiveLaunch
            | NoteKind::ErrorAvoided
            | NoteKind::Warning
            | NoteKind::InvalidUtf8 => false,
        }
    }
}

/// Something that the user should know about the input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// Index in [`Preprocessed::files`].
    pub file: u32,
    /// 1-based line.
    pub line: u32,
    /// Byte offset in the file.
    pub offset: u32,
    /// What it is about.
    pub kind: NoteKind,
    /// The name, header or message.
    pub text: String,
}

/// A translation unit after preprocessing.
#[derive(Debug, Clone)]
pub struct Preprocessed {
    /// The expanded text: tokens with at most one space or line end between them.
    pub text: String,
    /// 0 is the main file, 1 holds the macros of the command line, headers follow in the order of their first use.
    pub files: Vec<SourceFile>,
    /// From bytes of `text` to the files.
    pub map: LocationMap,
    /// In the order of file and offset.
    pub notes: Vec<Note>,
    /// Text that may be other than it is here, as some notes say ([`NoteKind::is_damage`]).
    pub doubts: Vec<Doubt>,
    /// Headers found by [`Config::guesses`], each as often as it was included.
    pub guesses: Vec<Guess>,
    /// The value of `__CUDA_ARCH__`, if code may differ by it (and not only by whether there is one).
    pub architecture: Option<String>,
    /// `NDEBUG` is defined somewhere: `assert` may do nothing.
    pub no_asserts: bool,
    /// What is compiled for the host, where `__CUDA_ARCH__` is not defined, if that is another text.
    pub on_host: Option<Box<Preprocessed>>,
}

/// Why a file cannot be preprocessed at all.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum PreprocessError {
    /// It holds a zero byte.
    #[error("{}:{line}: a zero byte at offset {offset}: this is no source text", path.display())]
    Binary {
        /// The file.
        path: PathBuf,
        /// 1-based line of the byte.
        line: usize,
        /// Its offset.
        offset: usize,
    },
    /// It begins with the byte-order mark of UTF-16.
    #[error("{}:1: the file is UTF-16; convert it to UTF-8", path.display())]
    Utf16 {
        /// The file.
        path: PathBuf,
    },
    /// It is too long.
    #[error("{}: {bytes} bytes are too many (at most {limit})", path.display())]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Its length.
        bytes: usize,
        /// The longest that is read.
        limit: usize,
    },
}

/// Preprocesses a file whose bytes are `text`; headers are read from this machine.
pub fn preprocess(
    path: &Path,
    text: &[u8],
    config: &Config,
) -> Result<Preprocessed, PreprocessError> {
    preprocess_with(path, text, config, &RealFiles)
}

/// The same, with headers from `files`.
pub fn preprocess_with(
    path: &Path,
    text: &[u8],
    config: &Config,
    files: &dyn FileSystem,
) -> Result<Preprocessed, PreprocessError> {
    let mut pre = pass(path, text, config, files)?;
    let asks = |file: &SourceFile| mentions_architecture(&file.text).next().is_some();
    if config.value_of(ARCHITECTURE).is_some() && written(&pre.files).any(asks) {
        let on_host = pass(path, text, &config.without(ARCHITECTURE), files)?;
        pre.on_host = (on_host.text != pre.text).then(|| Box::new(on_host));
    }
    Ok(pre)
}

/// What is compiled with these macros.
fn pass(
    path: &Path,
    text: &[u8],
    config: &Config,
    files: &dyn FileSystem,
) -> Result<Preprocessed, PreprocessError> {
    let (text, invalid) = decode(path, text, config.limits.file_bytes)?;
    let main = match &config.pieces {
        Some(pieces) => Source::of_pieces(path.to_owned(), text, pieces),
        None => Source::new(path.to_owned(), text),
    };
    let in_order = main.is_in_order();
    let command_line = Source::new(PathBuf::from("<command line>"), config.command_line());
    let mut engine = Engine::new(config, files, main, command_line);
    engine.note_invalid(MAIN, &invalid);
    engine.run(COMMAND_LINE, 1);
    engine.take_versions();
    engine.run(MAIN, 0);
    if config.rewrites {
        shims::apply(&mut engine);
    }
    let (text, map) = locate::write(&mut engine);
    let notes = finish_notes(&mut engine, &map);
    let mut doubts = doubt::find(&engine, &notes, &map);
    // What is doubtful is found by its place in the file.
    if !in_order && !doubts.is_empty() {
        doubts = vec![Doubt::anywhere()];
    }
    let guesses = std::mem::take(&mut engine.guessed);
    let files: Vec<SourceFile> = engine
        .sources
        .into_iter()
        .map(|source| source.file)
        .collect();
    let architecture = written(&files)
        .any(|file| differs_by_architecture(&file.text))
        .then(|| config.value_of(ARCHITECTURE))
        .flatten();
    let no_asserts = config.value_of("NDEBUG").is_some()
        || files.iter().any(|file| defines(&file.text, "NDEBUG"));
    Ok(Preprocessed {
        text,
        files,
        map,
        notes,
        doubts,
        guesses,
        architecture,
        no_asserts,
        on_host: None,
    })
}

/// The files that somebody wrote: all but the second, which holds the macros of the command line.
fn written(files: &[SourceFile]) -> impl Iterator<Item = &SourceFile> {
    let positions = files.iter().enumerate();
    positions.filter_map(|(position, file)| (position != 1).then_some(file))
}

/// Whether a text has a line `#define NAME`.
pub(crate) fn defines(text: &str, name: &str) -> bool {
    text.contains(name)
        && text.lines().any(|line| {
            let rest = line.trim_start().strip_prefix('#').map(str::trim_start);
            let rest = rest.and_then(|rest| rest.strip_prefix("define"));
            rest.is_some_and(|rest| rest.split_whitespace().next() == Some(name))
        })
}

const ARCHITECTURE: &str = "__CUDA_ARCH__";

/// Where a text names `__CUDA_ARCH__`.
fn mentions_architecture(text: &str) -> impl Iterator<Item = usize> {
    text.match_indices(ARCHITECTURE)
        .filter(|(at, name)| {
            let rest = &text[at + name.len()..];
            !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_')
        })
        .map(|(at, _)| at)
}

/// Whether a text asks for the value of `__CUDA_ARCH__`; to ask whether it is defined tells device code from host code.
fn differs_by_architecture(text: &str) -> bool {
    mentions_architecture(text).any(|at| {
        let before = text[..at].trim_end_matches([' ', '\t', '(']);
        let tests = ["defined", "ifdef", "ifndef"];
        !tests.iter().any(|test| before.ends_with(test))
    })
}

/// Sorts the notes, without kernels and launches that are inactive in one inclusion of a file and active in another.
fn finish_notes(engine: &mut Engine<'_>, map: &LocationMap) -> Vec<Note> {
    let mut notes = engine.take_notes();
    let is_inactive = |note: &&Note| {
        matches!(
            note.kind,
            NoteKind::InactiveKernel | NoteKind::InactiveLaunch
        )
    };
    let mut inactive: Vec<(u32, u32)> = notes
        .iter()
        .filter(is_inactive)
        .map(|note| (note.file, note.offset))
        .collect();
    if !inactive.is_empty() {
        inactive.sort_unstable();
        let mut active: Vec<(u32, u32)> = map
            .own_places()
            .map(|place| (place.file, place.start))
            .filter(|place| inactive.binary_search(place).is_ok())
            .collect();
        active.sort_unstable();
        notes.retain(|note| {
            !is_inactive(&note) || active.binary_search(&(note.file, note.offset)).is_err()
        });
    }
    notes.sort_by(|a, b| {
        (a.file, a.offset, a.kind, &a.text).cmp(&(b.file, b.offset, b.kind, &b.text))
    });
    notes
}
