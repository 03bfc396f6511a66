//! The preprocessor's state, its budget, and the loop that turns source tokens into expanded ones.
//!
//! Tokens come from a stack of included files and, before those, from one stack of pending tokens (replacement lists
//! being rescanned, last token first). Nothing here recurses over the input except the expansion of nested macro
//! arguments and of `#if` operands, and both have a depth limit. Every token that is moved is paid for from a budget,
//! so the work is bounded for any input; when the budget is spent the output ends there, with a note.

use std::path::{Path, PathBuf};

use rustc_hash::{FxHashMap, FxHashSet};

use super::guess::Guess;
use super::lexer::Lexer;
use super::macros::Macro;
use super::source::{FileSystem, Source};
use super::token::{Kind, LINE_START, Names, SCRATCH, Token, UNTERMINATED};
use super::{Config, Note, NoteKind};

/// Index of the main file.
pub(super) const MAIN: u32 = 0;
/// Index of the made-up file that holds predefined macros and those of the command line.
pub(super) const COMMAND_LINE: u32 = 1;

/// One time that a file was entered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Inclusion {
    pub file: u32,
    /// The inclusion that holds the `#include`; its own index for a file that was not included.
    pub parent: u32,
    /// The `#include` line, from `#` on, in the parent's file.
    pub start: u32,
    pub end: u32,
}

/// One replacement of a macro.
#[derive(Debug, Clone, Copy)]
pub(super) struct Expansion {
    pub definition: u32,
    /// The expansion whose name stands in a file; itself when its own name does.
    pub root: u32,
    /// For a root: the name and the arguments in the original file of `inclusion`.
    pub start: u32,
    pub end: u32,
    pub inclusion: u32,
}

/// A token of the expanded text.
#[derive(Debug, Clone, Copy)]
pub(super) struct OutToken {
    pub token: Token,
    /// The file entry that was being read.
    pub inclusion: u32,
    /// The expansion that was being rescanned when the token came out; 0 for none.
    pub within: u32,
    /// A spelling that stands in for the token's own (an index in the shims' table); 0 for none.
    pub respelled: u8,
    /// The alignment in bytes to which a `#pragma pack` limits the members of classes here; 0 for none.
    pub packed: u8,
}

/// An open `#if`.
pub(super) struct Conditional {
    pub start: u32,
    /// Some branch has been active.
    pub taken: bool,
    pub seen_else: bool,
    /// Branches whose conditions did not hold.
    pub skipped: Vec<Skipped>,
    /// How often a branch turned out to end in an error.
    pub errors: u32,
    /// The name of an `#ifndef` whose first branch is the one that is read.
    pub absent: Option<u32>,
}

/// A branch that was left out: where its text begins, and its condition as it is written.
pub(super) struct Skipped {
    pub position: usize,
    pub condition: String,
}

/// A file being read.
pub(super) struct Frame {
    pub lexer: Lexer,
    pub source: u32,
    pub inclusion: u32,
    pub conditionals: Vec<Conditional>,
    /// `#line`: what to add to physical line numbers.
    pub line_shift: i64,
}

pub(super) struct Engine<'a> {
    pub config: &'a Config,
    pub files: &'a dyn FileSystem,
    pub sources: Vec<Source>,
    pub by_path: FxHashMap<PathBuf, Option<u32>>,
    pub once: FxHashSet<u32>,
    pub scratch: String,
    pub names: Names,
    pub macros: Vec<Macro>,
    /// By symbol: index in `macros` plus one, or 0.
    pub table: Vec<u32>,
    pub frames: Vec<Frame>,
    pub inclusions: Vec<Inclusion>,
    pub expansions: Vec<Expansion>,
    pub pending: Vec<Token>,
    /// How many macro arguments, one in the other, are being expanded.
    pub depth: usize,
    /// How many calls are having their arguments collected.
    pub collecting: usize,
    pub within: u32,
    pub in_condition: bool,
    pub counter: u32,
    pub output: Vec<OutToken>,
    /// What the last `#pragma pack` asked for, and what was pushed before.
    pub packed: u8,
    pub packs: Vec<u8>,
    output_bytes: usize,
    /// Tokens of the output that stand in a replacement list.
    macro_tokens: usize,
    work_left: usize,
    pub input_left: usize,
    pub inclusions_left: usize,
    pub stopped: bool,
    notes: Vec<Note>,
    noted: FxHashSet<(u32, u32, NoteKind)>,
    /// Headers found by guessing.
    pub guessed: Vec<Guess>,
    /// Names that an `#error` says to be defined by whoever compiles the file.
    pub demanded: FxHashSet<u32>,
}

impl<'a> Engine<'a> {
    pub fn new(
        config: &'a Config,
        files: &'a dyn FileSystem,
        main: Source,
        command_line: Source,
    ) -> Engine<'a> {
        let mut by_path = FxHashMap::default();
        by_path.insert(files.canonical(&main.file.path), Some(MAIN));
        let none = Expansion {
            definition: 0,
            root: 0,
            start: 0,
            end: 0,
            inclusion: 0,
        };
        let mut engine = Engine {
            config,
            files,
            sources: vec![main, command_line],
            by_path,
            once: FxHashSet::default(),
            scratch: String::new(),
            names: Names::new(),
            macros: Vec::new(),
            table: Vec::new(),
            frames: Vec::new(),
            inclusions: vec![
                Inclusion {
                    file: MAIN,
                    parent: 0,
                    start: 0,
                    end: 0,
                },
                Inclusion {
                    file: COMMAND_LINE,
                    parent: 1,
                    start: 0,
                    end: 0,
                },
            ],
            expansions: vec![none],
            pending: Vec::new(),
            depth: 0,
            collecting: 0,
            within: 0,
            in_condition: false,
            counter: 0,
            output: Vec::new(),
            packed: 0,
            packs: Vec::new(),
            output_bytes: 0,
            macro_tokens: 0,
            work_left: config.limits.work,
            input_left: config.limits.input_bytes,
            inclusions_left: config.limits.inclusions,
            stopped: false,
            notes: Vec::new(),
            noted: FxHashSet::default(),
            guessed: Vec::new(),
            demanded: FxHashSet::default(),
        };
        engine.define_builtins();
        engine
    }

    /// Reads a file to its end, and all that it includes.
    pub fn run(&mut self, source: u32, inclusion: u32) {
        self.enter(source, inclusion);
        while let Some(token) = self.next_expanded() {
            match token.kind {
                Kind::FileEnd => self.leave(),
                Kind::Barrier | Kind::MacroEnd | Kind::Placemarker | Kind::LineEnd => {}
                _ => self.emit(token),
            }
        }
        while !self.frames.is_empty() {
            self.leave();
        }
    }

    pub fn enter(&mut self, source: u32, inclusion: u32) {
        self.sources[source as usize].entered += 1;
        let text = self.sources[source as usize].clean.clone();
        self.input_left = self.input_left.saturating_sub(text.len());
        self.frames.push(Frame {
            lexer: Lexer::new(text),
            source,
            inclusion,
            conditionals: Vec::new(),
            line_shift: 0,
        });
    }

    /// Closes the innermost file: what is still open in it is noted.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if let Some(start) = frame.lexer.open_comment {
            self.note(
                frame.source,
                start as u32,
                NoteKind::Unterminated,
                super::OPEN_COMMENT.to_owned(),
            );
        }
        if self.stopped {
            return;
        }
        for open in &frame.conditionals {
            let text = super::OPEN_CONDITIONAL.to_owned();
            self.note(
                frame.source,
                open.start,
                NoteKind::UnbalancedConditional,
                text,
            );
        }
    }

    fn emit(&mut self, token: Token) {
        self.output_bytes += token.len() + 1;
        if self.output.len() >= self.config.limits.output_tokens
            || self.output_bytes > self.config.limits.output_bytes
        {
            self.stop("the expanded text is too long");
            return;
        }
        if token.has(UNTERMINATED) && token.source != SCRATCH {
            let what = if token.kind == Kind::Text {
                "string"
            } else {
                "character"
            };
            let text = format!("{what} literal without its closing quote");
            self.note(token.source, token.start, NoteKind::Unterminated, text);
        }
        if token.expansion != 0 {
            self.macro_tokens += 1;
            if self.macro_tokens > self.config.limits.macro_tokens {
                self.stop("the macros expand to too much text");
                return;
            }
        }
        let inclusion = self.frames.last().map_or(0, |frame| frame.inclusion);
        self.output.push(OutToken {
            token,
            inclusion,
            within: self.within,
            respelled: 0,
            packed: self.packed,
        });
    }

    /// Pays for `units` of work; false when nothing is left and everything must end.
    pub fn spend(&mut self, units: usize) -> bool {
        if self.stopped {
            return false;
        }
        match self.work_left.checked_sub(units) {
            Some(left) => self.work_left = left,
            None => self.stop("the macros expand to too much text"),
        }
        !self.stopped
    }

    pub fn stop(&mut self, why: &str) {
        if !self.stopped {
            self.stopped = true;
            self.pending.clear();
            let (source, start) = self.here();
            self.note(
                source,
                start,
                NoteKind::Truncated,
                format!("{why}: the file is read up to here only"),
            );
        }
    }

    /// Where reading stands: source and clean offset.
    pub fn here(&self) -> (u32, u32) {
        self.frames.last().map_or((MAIN, 0), |frame| {
            (frame.source, frame.lexer.position as u32)
        })
    }

    /// The next token of the innermost file, its name interned.
    pub fn lex(&mut self, in_directive: bool) -> Token {
        let Some(frame) = self.frames.last_mut() else {
            return Token::marker(Kind::FileEnd, 0);
        };
        let raw = frame.lexer.next(in_directive);
        let symbol = match raw.kind {
            Kind::Name => self.names.intern(&frame.lexer.text[raw.start..raw.end]),
            _ => raw.code,
        };
        Token {
            kind: raw.kind,
            flags: raw.flags,
            source: frame.source,
            start: raw.start as u32,
            end: raw.end as u32,
            symbol,
            expansion: 0,
        }
    }

    /// The next token of the source after carrying out directives; `FileEnd` at the end of each file.
    pub fn next_source(&mut self) -> Token {
        loop {
            if self.stopped {
                return Token::marker(Kind::FileEnd, 0);
            }
            let token = self.lex(false);
            if token.is(super::token::punctuator(b"#")) && token.has(LINE_START) {
                self.directive(token);
                continue;
            }
            return token;
        }
    }

    pub fn text(&self, token: &Token) -> &str {
        let text = match token.source {
            SCRATCH => &self.scratch,
            source => &*self.sources[source as usize].clean,
        };
        text.get(token.start as usize..token.end as usize)
            .unwrap_or("")
    }

    /// A token of the given text, made by the expansion of a macro. `None` when the budget for such text is spent.
    pub fn make(&mut self, kind: Kind, text: &str, like: &Token) -> Option<Token> {
        if !self.spend(1 + text.len() / 8) {
            return None;
        }
        if self.scratch.len() + text.len() > self.config.limits.output_bytes {
            self.stop("the macros make too much text");
            return None;
        }
        let start = self.scratch.len() as u32;
        self.scratch.push_str(text);
        let symbol = if kind == Kind::Name {
            self.names.intern(text)
        } else {
            0
        };
        Some(Token {
            kind,
            source: SCRATCH,
            start,
            end: self.scratch.len() as u32,
            symbol,
            ..*like
        })
    }

    /// Records a note at a place of the clean text, once per place and kind.
    pub fn note(&mut self, source: u32, start: u32, kind: NoteKind, text: String) {
        if !self.noted.insert((source, start, kind)) {
            return;
        }
        // However many there are, that something is damaged must not be lost.
        let damaged = self.notes.iter().any(|note| note.kind.is_damage());
        if self.notes.len() >= self.config.limits.notes
            && kind != NoteKind::Truncated
            && (damaged || !kind.is_damage())
        {
            return;
        }
        let source_text = &self.sources[source as usize];
        let offset = source_text.original(start);
        let line = source_text.file.line(offset);
        self.notes.push(Note {
            file: source,
            line,
            offset,
            kind,
            text,
        });
    }

    /// Notes each run of bytes that are not UTF-8 (`at`: offsets in the file).
    pub fn note_invalid(&mut self, source: u32, at: &[u32]) {
        for &offset in at {
            let line = self.sources[source as usize].file.line(offset);
            if self.notes.len() >= self.config.limits.notes {
                return;
            }
            let text = "bytes that are not UTF-8".to_owned();
            self.notes.push(Note {
                file: source,
                line,
                offset,
                kind: NoteKind::InvalidUtf8,
                text,
            });
        }
    }

    /// A note at a token; for one that a macro made, where that macro was called.
    pub fn note_at(&mut self, token: &Token, kind: NoteKind, text: String) {
        if token.source != SCRATCH && token.expansion == 0 {
            self.note(token.source, token.start, kind, text);
            return;
        }
        let (source, start) = self.here();
        self.note(source, start, kind, text);
    }

    pub fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes)
    }

    pub fn path(&self, source: u32) -> &Path {
        &self.sources[source as usize].file.path
    }
}
