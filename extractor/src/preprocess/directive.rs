//! Directives: conditionals, `#include`, `#define` and the rest.
//!
//! One configuration is read. What it leaves out is skipped token by token (so that comments and literals are seen
//! as what they are), and kernels in it are noted.

use std::path::PathBuf;

use super::NoteKind;
use super::engine::{Conditional, Engine, Inclusion, Skipped};
use super::source::{Source, decode};
use super::token::{GLOBAL, Kind, LINE_START, ONCE, Token, punctuator};

const HASH: u32 = punctuator(b"#");

/// Parts of the names by which compilers and systems are told that are rarer for CUDA than Linux.
pub(super) const OTHER_SYSTEMS: [&str; 6] =
    ["WIN32", "WIN64", "_MSC_VER", "__APPLE__", "MINGW", "CYGWIN"];

/// Whether a text has a word, as a whole.
fn mentions_word(text: &str, word: &str) -> bool {
    let part = |one: Option<char>| one.is_some_and(|one| one.is_alphanumeric() || one == '_');
    let mut found = text.match_indices(word);
    found.any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let behind = text[at + word.len()..].chars().next();
        !part(before) && !part(behind)
    })
}

/// Branches of one conditional that may end in an error before one of them is taken for what is meant.
const MOST_ERRORS: u32 = 8;

/// A branch of a conditional, as found while skipping.
enum Branch {
    Else,
    End,
    /// `#elif` with its condition evaluated by the caller.
    If(Test),
}

#[derive(Clone, Copy)]
enum Test {
    Expression,
    Defined,
    NotDefined,
}

impl Engine<'_> {
    /// Carries out the directive whose `#` was just read.
    pub fn directive(&mut self, hash: Token) {
        let name = self.lex(true);
        if matches!(name.kind, Kind::LineEnd | Kind::FileEnd) {
            return;
        }
        if name.kind != Kind::Name {
            // `# 12 "file"`, left by another preprocessor.
            self.skip_line();
            return;
        }
        let directive = self.text(&name).to_owned();
        match directive.as_str() {
            "define" => {
                let line = self.line();
                self.define_directive(&hash, &line);
            }
            "undef" => {
                if let Some(&name) = self.line().first().filter(|token| token.kind == Kind::Name) {
                    self.known_name(&hash, &name);
                    self.undefine(name.symbol);
                }
            }
            "if" => self.open_conditional(&hash, Test::Expression),
            "ifdef" => self.open_conditional(&hash, Test::Defined),
            "ifndef" => self.open_conditional(&hash, Test::NotDefined),
            "elif" | "elifdef" | "elifndef" | "else" => {
                // The branch before was active, so this one and the rest are not.
                let is_else = directive == "else";
                let last = self
                    .frames
                    .last_mut()
                    .and_then(|frame| frame.conditionals.last_mut());
                let misplaced = match last {
                    Some(open) => {
                        let misplaced = open.seen_else;
                        open.seen_else |= is_else;
                        misplaced
                    }
                    None => true,
                };
                self.skip_line();
                if misplaced {
                    self.unbalanced(&hash, &directive);
                }
                if self
                    .frames
                    .last()
                    .is_some_and(|frame| !frame.conditionals.is_empty())
                {
                    self.skip_group();
                }
            }
            "endif" => {
                self.skip_line();
                let closed = self
                    .frames
                    .last_mut()
                    .and_then(|frame| frame.conditionals.pop());
                if closed.is_none() {
                    self.unbalanced(&hash, "endif");
                }
            }
            "include" | "include_next" | "import" => self.include(&hash, &directive),
            "pragma" => {
                let line = self.line();
                if line.first().is_some_and(|token| token.is_name(ONCE)) {
                    let source = self.here().0;
                    self.once.insert(source);
                }
                let macros = line
                    .first()
                    .is_some_and(|first| matches!(self.text(first), "push_macro" | "pop_macro"));
                if macros {
                    let text = format!("#pragma {}", self.spell(&line));
                    self.note_at(&hash, NoteKind::UnknownDirective, text);
                }
                if line.first().is_some_and(|first| self.text(first) == "pack") && !self.pack(&line)
                {
                    let text = format!("#pragma {}", self.spell(&line));
                    self.note_at(&hash, NoteKind::LayoutAttribute, text);
                }
            }
            "line" => {
                let line = self.line();
                self.line_directive(&hash, &line);
            }
            "warning" => {
                let line = self.line();
                let text = self.spell(&line);
                self.note_at(&hash, NoteKind::Warning, text);
            }
            "error" => {
                let line = self.line();
                let text = self.spell(&line);
                let demanded = self.demanded_by_error();
                match (self.other_branch(), demanded) {
                    (Some(taken), _) => {
                        let text = format!("{text} ({taken} is taken instead)");
                        self.note_at(&hash, NoteKind::ErrorAvoided, text);
                    }
                    (None, Some(symbol)) => {
                        self.demanded.insert(symbol);
                        let name = self.names.get(symbol);
                        let text = format!("{text} ({name} is taken as 1 in `#if`)");
                        self.note_at(&hash, NoteKind::ErrorAvoided, text);
                    }
                    (None, None) => self.note_at(&hash, NoteKind::ErrorDirective, text),
                }
            }
            "ident" | "sccs" | "assert" | "unassert" => self.skip_line(),
            _ => {
                self.skip_line();
                let shown: String = directive.chars().take(60).collect();
                self.note_at(&hash, NoteKind::UnknownDirective, format!("#{shown}"));
            }
        }
    }

    /// The code compiles where it is used, so a branch that ends in `#error` is not the one that is taken there: a macro differs,
    /// of a header that was not found or of the command line. Goes on in the other branch of the innermost conditional, if there is
    /// only one, those of other systems aside: it was left out before, or follows. Gives its condition.
    fn other_branch(&mut self) -> Option<String> {
        let frame = self.frames.last_mut()?;
        let open = frame.conditionals.last_mut()?;
        open.errors += 1;
        if open.errors > MOST_ERRORS {
            return None;
        }
        let foreign = |skipped: &Skipped| {
            OTHER_SYSTEMS
                .iter()
                .any(|name| skipped.condition.contains(name))
        };
        // Which of several is taken there is not known.
        let mut own = (0..open.skipped.len()).filter(|&at| !foreign(&open.skipped[at]));
        let place = match (own.next(), own.next(), open.skipped.len()) {
            (Some(place), None, _) => Some(place),
            (None, _, 1) => Some(0),
            (None, _, 0) => None,
            _ => return None,
        };
        if let Some(place) = place {
            let skipped = open.skipped.remove(place);
            open.taken = true;
            open.seen_else = false;
            frame.lexer.position = skipped.position;
            return Some(format!("`{}`", skipped.condition));
        }
        if open.seen_else {
            return None;
        }
        open.taken = false;
        let depth = frame.conditionals.len();
        self.skip_group();
        let frame = self.frames.last()?;
        let is_only = frame.conditionals.len() == depth
            && frame
                .conditionals
                .last()
                .is_some_and(|open| open.skipped.is_empty());
        is_only.then(|| "the branch behind it".to_owned())
    }

    /// `#ifndef X` with an `#error` and nothing else: whoever compiles the file defines `X`, with a value that nobody tells here. Conditions
    /// behind it take it as 1, as they take what is not defined as 0; a use in the text stays a name that nothing defines. Where the text read so far mentions it elsewhere it is
    /// left as it is: another branch may have been taken there.
    fn demanded_by_error(&self) -> Option<u32> {
        let frame = self.frames.last()?;
        let open = frame.conditionals.last()?;
        let symbol = open.absent?;
        let name = self.names.get(symbol).to_owned();
        let alone = frame.lexer.text[open.start as usize..frame.lexer.position].lines();
        let alone = alone.filter(|line| !line.trim().is_empty()).count() <= 2;
        let (start, own) = (open.start as usize, frame.source);
        let is_met = self.sources.iter().enumerate().any(|(at, source)| {
            let text: &str = &source.clean;
            let text = match u32::try_from(at) {
                Ok(at) if at == own => &text[..start.min(text.len())],
                _ => text,
            };
            mentions_word(text, &name)
        });
        (alone && !is_met).then_some(symbol)
    }

    fn unbalanced(&mut self, hash: &Token, directive: &str) {
        let text = format!("`#{directive}` does not belong to an open `#if`");
        self.note_at(hash, NoteKind::UnbalancedConditional, text);
    }

    fn skip_line(&mut self) {
        if let Some(frame) = self.frames.last_mut() {
            frame.lexer.skip_line();
        }
    }

    /// The rest of the directive's line.
    fn line(&mut self) -> Vec<Token> {
        let mut line = Vec::new();
        loop {
            let token = self.lex(true);
            if matches!(token.kind, Kind::LineEnd | Kind::FileEnd) {
                return line;
            }
            line.push(token);
        }
    }

    /// The tokens as text, for messages.
    fn spell(&self, tokens: &[Token]) -> String {
        let mut text = String::new();
        for token in tokens {
            if !text.is_empty() && token.has(super::token::SPACE) {
                text.push(' ');
            }
            text.push_str(self.text(token));
            if text.len() > 200 {
                return text.chars().take(200).chain(['…']).collect();
            }
        }
        text
    }

    /// Whether the condition of a branch holds; one that does not is kept, if its conditional is open.
    fn test(&mut self, hash: &Token, test: Test) -> bool {
        let line = self.line();
        let holds = self.holds(hash, test, &line);
        let tested = match (holds, test) {
            (true, Test::NotDefined) => line.first().map(|token| token.symbol),
            _ => None,
        };
        let mut frame = self.frames.last_mut();
        if let Some(open) = frame
            .as_mut()
            .and_then(|frame| frame.conditionals.last_mut())
        {
            open.absent = tested;
        }
        if !holds {
            let directive = match test {
                Test::Expression => "#if",
                Test::Defined => "#ifdef",
                Test::NotDefined => "#ifndef",
            };
            let condition = format!("{directive} {}", self.spell(&line));
            if let Some(frame) = self.frames.last_mut() {
                let position = frame.lexer.position;
                if let Some(open) = frame.conditionals.last_mut() {
                    open.skipped.push(Skipped {
                        position,
                        condition,
                    });
                }
            }
        }
        holds
    }

    /// Whether the `#ifndef` that is being read is the first line of its file, and the next one defines the name as nothing.
    fn is_include_guard(&self, symbol: u32) -> bool {
        let Some(frame) = self.frames.last() else {
            return false;
        };
        let (before, behind) = frame.lexer.text.split_at(frame.lexer.position);
        let Some(start) = before.rfind("#") else {
            return false;
        };
        let mut lines = behind.lines().map(str::trim);
        let next = lines.find(|line| !line.is_empty()).unwrap_or_default();
        let mut words = next.trim_start_matches('#').split_whitespace();
        before[..start].trim().is_empty()
            && words.next() == Some("define")
            && words.next() == Some(self.names.get(symbol))
            && words.next().is_none()
    }

    fn holds(&mut self, hash: &Token, test: Test, line: &[Token]) -> bool {
        if let Test::Expression = test {
            return self.condition(hash, line);
        }
        match line.first().filter(|token| token.kind == Kind::Name) {
            Some(name) => match self.decides(name) {
                // Nobody defines an include guard but the text that it guards.
                Err(_)
                    if matches!(test, Test::NotDefined)
                        && !self.is_unknown(self.text(name))
                        && self.is_include_guard(name.symbol) =>
                {
                    true
                }
                Ok(()) => match test {
                    Test::Defined => {
                        self.is_defined(name.symbol) || self.demanded.contains(&name.symbol)
                    }
                    // An include guard of this name is still to be read; what is a value if there is none is not.
                    _ => {
                        !self.is_defined(name.symbol)
                            && (!self.demanded.contains(&name.symbol)
                                || self.is_include_guard(name.symbol))
                    }
                },
                Err(why) => {
                    let text =
                        format!("the condition is not understood ({why}), and taken as false");
                    self.note_at(hash, NoteKind::ConditionError, text);
                    false
                }
            },
            None => {
                self.note_at(
                    hash,
                    NoteKind::ConditionError,
                    "`#ifdef` without a name, taken as false".to_owned(),
                );
                false
            }
        }
    }

    fn open_conditional(&mut self, hash: &Token, test: Test) {
        if let Some(frame) = self.frames.last_mut() {
            frame.conditionals.push(Conditional {
                start: hash.start,
                taken: false,
                seen_else: false,
                skipped: Vec::new(),
                errors: 0,
                absent: None,
            });
        }
        let active = self.test(hash, test);
        if let Some(open) = self
            .frames
            .last_mut()
            .and_then(|frame| frame.conditionals.last_mut())
        {
            open.taken = active;
        }
        if !active {
            self.skip_group();
        }
    }

    /// Skips inactive text up to and with the `#else` or `#elif` that makes the next branch active, or the `#endif`.
    fn skip_group(&mut self) {
        let mut nested = 0usize;
        let mut kernel: Option<InactiveKernel> = None;
        loop {
            if self.stopped {
                return;
            }
            let Some(frame) = self.frames.last_mut() else {
                return;
            };
            let raw = frame.lexer.next(false);
            match raw.kind {
                Kind::FileEnd => {
                    self.note_kernel(kernel.take());
                    return;
                }
                Kind::Punctuator if raw.code == HASH && raw.flags & LINE_START != 0 => {
                    let hash = Token {
                        start: raw.start as u32,
                        ..Token::marker(Kind::Punctuator, HASH)
                    };
                    let hash = Token {
                        source: frame.source,
                        end: raw.end as u32,
                        ..hash
                    };
                    if self.skipped_directive(&hash, &mut nested) {
                        self.note_kernel(kernel.take());
                        return;
                    }
                }
                Kind::Name | Kind::Punctuator => {
                    let text = &frame.lexer.text[raw.start..raw.end];
                    let is_launch = frame.lexer.text[raw.start..].starts_with("<<<");
                    if is_launch && let Some(name) = launched(&frame.lexer.text[..raw.start]) {
                        let (source, name) = (frame.source, name.to_owned());
                        self.note(source, raw.start as u32, NoteKind::InactiveLaunch, name);
                    } else if text == self.names.get(GLOBAL) {
                        let source = frame.source;
                        self.note_kernel(kernel.take());
                        kernel = Some(InactiveKernel {
                            source,
                            start: raw.start,
                            name: String::new(),
                            depth: 0,
                        });
                    } else if let Some(open) = &mut kernel
                        && open.read(raw.kind, text)
                    {
                        self.note_kernel(kernel.take());
                    }
                }
                _ => {}
            }
        }
    }

    /// A directive in skipped text; true when what follows it is active, or outside of the conditional.
    fn skipped_directive(&mut self, hash: &Token, nested: &mut usize) -> bool {
        let Some(frame) = self.frames.last_mut() else {
            return true;
        };
        let name = frame.lexer.next(true);
        let branch = match &frame.lexer.text[name.start..name.end] {
            "if" | "ifdef" | "ifndef" => {
                *nested += 1;
                None
            }
            "endif" => Some(Branch::End),
            "else" => Some(Branch::Else),
            "elif" => Some(Branch::If(Test::Expression)),
            "elifdef" => Some(Branch::If(Test::Defined)),
            "elifndef" => Some(Branch::If(Test::NotDefined)),
            _ => None,
        };
        if *nested > 0 || branch.is_none() {
            if matches!(branch, Some(Branch::End)) {
                *nested -= 1;
            }
            if name.kind != Kind::LineEnd {
                frame.lexer.skip_line();
            }
            return false;
        }
        let Some(open) = frame.conditionals.last_mut() else {
            return true;
        };
        let misplaced = open.seen_else;
        match branch {
            Some(Branch::End) => {
                frame.lexer.skip_line();
                frame.conditionals.pop();
                true
            }
            Some(Branch::Else) => {
                let active = !open.taken && !misplaced;
                open.taken = true;
                open.seen_else = true;
                frame.lexer.skip_line();
                if misplaced {
                    self.unbalanced(hash, "else");
                }
                active
            }
            Some(Branch::If(test)) if !open.taken && !misplaced => {
                let active = self.test(hash, test);
                if let Some(open) = self
                    .frames
                    .last_mut()
                    .and_then(|frame| frame.conditionals.last_mut())
                {
                    open.taken = active;
                }
                active
            }
            _ => {
                frame.lexer.skip_line();
                if misplaced {
                    self.unbalanced(hash, "elif");
                }
                false
            }
        }
    }

    fn note_kernel(&mut self, kernel: Option<InactiveKernel>) {
        if let Some(kernel) = kernel {
            self.note(
                kernel.source,
                kernel.start as u32,
                NoteKind::InactiveKernel,
                kernel.name,
            );
        }
    }

    /// `#pragma pack(push, 1)` and its kin: how far the members of the classes that follow are aligned at most. False if it is
    /// written in a way that is not understood.
    fn pack(&mut self, line: &[Token]) -> bool {
        let [_, open, inner @ .., close] = line else {
            return false;
        };
        if !open.is(punctuator(b"(")) || !close.is(punctuator(b")")) {
            return false;
        }
        let mut words: Vec<&str> = inner.iter().map(|token| self.text(token)).collect();
        words.retain(|word| *word != ",");
        let limit = match words.last() {
            Some(last) => last.parse::<u8>().ok(),
            None => Some(0),
        };
        if limit.is_some() {
            words.pop();
        }
        if limit.is_some_and(|limit| limit > 16 || limit > 0 && !limit.is_power_of_two()) {
            return false;
        }
        // A name for what is pushed is looked for by a pop: that one is not followed.
        match words.as_slice() {
            [] => self.packed = limit.unwrap_or(0),
            ["push"] => {
                self.packs.push(self.packed);
                self.packed = limit.unwrap_or(self.packed);
            }
            ["pop"] => {
                self.packed = self.packs.pop().unwrap_or(0);
                self.packed = limit.unwrap_or(self.packed);
            }
            ["show"] => {}
            _ => return false,
        }
        true
    }

    fn line_directive(&mut self, hash: &Token, line: &[Token]) {
        let expanded = self.expand_list(line);
        let number = expanded.first().filter(|token| token.kind == Kind::Number);
        let Some(number) = number.and_then(|token| self.text(token).parse::<i64>().ok()) else {
            self.note_at(
                hash,
                NoteKind::UnknownDirective,
                "`#line` without a line number".to_owned(),
            );
            return;
        };
        let source = &self.sources[hash.source as usize];
        let physical = i64::from(source.file.line(source.original(hash.start)));
        if let Some(frame) = self.frames.last_mut() {
            frame.line_shift = number.saturating_sub(physical + 1);
        }
    }

    fn include(&mut self, hash: &Token, directive: &str) {
        let written = self.frames.last_mut().and_then(|frame| {
            let (start, end, angle) = frame.lexer.header_name()?;
            Some((frame.lexer.text[start..end].to_owned(), angle))
        });
        let header = match written {
            Some(header) => {
                self.skip_line();
                Some(header)
            }
            None => {
                let line = self.line();
                let expanded = self.expand_list(&line);
                self.computed_header(&expanded)
            }
        };
        if self.stopped {
            return;
        }
        let Some((name, angle)) = header else {
            self.note_at(
                hash,
                NoteKind::MissingInclude,
                format!("`#{directive}` without a file name"),
            );
            return;
        };
        let shown: String = name.chars().take(200).collect();
        let shown = if angle {
            format!("<{shown}>")
        } else {
            format!("\"{shown}\"")
        };
        if self.collecting > 0 {
            let text = format!("{shown} inside the arguments of a macro is not followed");
            self.note_at(hash, NoteKind::IncludeLimit, text);
            return;
        }
        let found = self
            .find_header(&name, angle)
            .or_else(|| self.guess_header(&name));
        match found {
            None => {
                self.define_versions(&name);
                self.note_at(hash, NoteKind::MissingInclude, shown.clone());
                let here = self.here().0 as usize;
                let of_library = super::standins::of_library(&name, &self.sources[here].clean);
                for text in [super::standins::text_for(&name), of_library] {
                    if let Some(source) = text.and_then(|text| self.stand_in(text)) {
                        self.enter_include(hash, source, &shown);
                    }
                }
            }
            Some(path) if self.is_modelled(&name, &path) => {
                self.define_versions(&name);
                let here = self.here().0 as usize;
                let text = super::standins::of_library(&name, &self.sources[here].clean);
                if let Some(source) = text.and_then(|text| self.stand_in(text)) {
                    self.enter_include(hash, source, &shown);
                }
            }
            Some(path) => {
                if let Some(source) = self.load(hash, path, &shown) {
                    self.enter_include(hash, source, &shown);
                    if directive == "import" {
                        self.once.insert(source);
                    }
                }
            }
        }
    }

    /// The header that an `#include` with macros names.
    fn computed_header(&self, tokens: &[Token]) -> Option<(String, bool)> {
        let (first, rest) = tokens.split_first()?;
        if first.kind == Kind::Text {
            let text = self.text(first);
            return Some((text.strip_prefix('"')?.strip_suffix('"')?.to_owned(), false));
        }
        if !first.is(punctuator(b"<")) {
            return None;
        }
        let end = rest.iter().position(|token| token.is(punctuator(b">")))?;
        Some((
            rest[..end].iter().map(|token| self.text(token)).collect(),
            true,
        ))
    }

    /// Where a header is: beside the including file when quoted, then in the include folders.
    pub fn find_header(&self, name: &str, angle: bool) -> Option<PathBuf> {
        if name.is_empty() {
            return None;
        }
        let beside = (!angle)
            .then(|| {
                self.path(self.here().0)
                    .parent()
                    .map(|folder| folder.join(name))
            })
            .flatten();
        let quoted: &[PathBuf] = if angle { &[] } else { &self.config.quote_dirs };
        let folders = quoted
            .iter()
            .chain(&self.config.include_dirs)
            .chain(&self.config.system_dirs)
            .map(|folder| folder.join(name));
        beside
            .into_iter()
            .chain(folders)
            .find(|path| self.files.is_file(path))
    }

    /// Whether a header that is not included here would be found, perhaps by guessing.
    pub fn is_somewhere(&self, name: &str) -> bool {
        let guess = self.config.guesses.as_ref();
        self.find_header(name, false).is_some()
            || guess.is_some_and(|index| index.find(name, self.path(super::engine::MAIN)).is_some())
    }

    /// A header that is nowhere where it should be: the nearest one of its name below the scanned folders.
    fn guess_header(&mut self, name: &str) -> Option<PathBuf> {
        let index = self.config.guesses.as_ref()?;
        let guess = index.find(name, self.path(self.here().0))?;
        let found = guess.found.clone();
        self.guessed.push(guess);
        Some(found)
    }

    /// Reads a header, once per file; a header that cannot be read is noted.
    fn load(&mut self, hash: &Token, path: PathBuf, shown: &str) -> Option<u32> {
        let key = self.files.canonical(&path);
        if let Some(&known) = self.by_path.get(&key) {
            if known.is_none() {
                self.note_at(hash, NoteKind::UnreadableInclude, shown.to_owned());
            }
            return known;
        }
        let limit = self.config.limits.file_bytes;
        let read = self
            .files
            .read(&path, limit)
            .map_err(|error| error.to_string());
        let decoded =
            read.and_then(|bytes| decode(&path, &bytes, limit).map_err(|error| error.to_string()));
        let source = match decoded {
            Ok((text, invalid)) => {
                let source = self.sources.len() as u32;
                self.sources.push(Source::new(path, text));
                self.note_invalid(source, &invalid);
                Some(source)
            }
            Err(why) => {
                self.note_at(hash, NoteKind::UnreadableInclude, format!("{shown}: {why}"));
                None
            }
        };
        self.by_path.insert(key, source);
        source
    }

    /// The text that stands in for a header that was not found, once.
    fn stand_in(&mut self, (called, text): (String, &'static str)) -> Option<u32> {
        let path = PathBuf::from(called);
        if self.by_path.contains_key(&path) {
            return None;
        }
        let source = self.sources.len() as u32;
        self.sources
            .push(Source::new(path.clone(), text.to_owned()));
        self.by_path.insert(path, Some(source));
        Some(source)
    }

    fn enter_include(&mut self, hash: &Token, source: u32, shown: &str) {
        if self.once.contains(&source) {
            return;
        }
        let limits = &self.config.limits;
        let entry = &self.sources[source as usize];
        let why = if self.frames.len() >= limits.include_depth {
            "the files include each other too deeply"
        } else if self.inclusions_left == 0 || entry.entered >= limits.same_file {
            "too many inclusions"
        } else if entry.clean.len() > self.input_left {
            "the included files are too long together"
        } else {
            ""
        };
        if !why.is_empty() {
            self.note_at(
                hash,
                NoteKind::IncludeLimit,
                format!("{shown} is not followed: {why}"),
            );
            return;
        }
        self.inclusions_left -= 1;
        let parent = self.frames.last().map_or(0, |frame| frame.inclusion);
        let end = self
            .frames
            .last()
            .map_or(hash.end, |frame| frame.lexer.position as u32);
        let (start, end) = self.sources[hash.source as usize].original_range(hash.start, end);
        let inclusion = self.inclusions.len() as u32;
        self.inclusions.push(Inclusion {
            file: source,
            parent,
            start,
            end,
        });
        self.enter(source, inclusion);
    }
}

/// The name of what is launched by brackets behind a text: `scan`, `n::scan` and `scan<float, 4>` give `scan`.
fn launched(before: &str) -> Option<&str> {
    let mut before = before.trim_end();
    if before.ends_with('>') {
        let mut depth = 0_usize;
        let open = before
            .char_indices()
            .rev()
            .take(MOST_ARGUMENTS)
            .find(|(_, c)| {
                match c {
                    '>' => depth += 1,
                    '<' => depth -= 1,
                    _ => {}
                }
                depth == 0
            });
        before = before.get(..open?.0)?.trim_end();
    }
    let begin = before
        .char_indices()
        .rev()
        .take_while(|(_, c)| c.is_alphanumeric() || *c == '_')
        .last()?;
    before.get(begin.0..)
}

/// The longest list of template arguments that is looked back over for the name before it.
const MOST_ARGUMENTS: usize = 500;

/// A `__global__` in skipped text, until its function's name is known.
struct InactiveKernel {
    source: u32,
    start: usize,
    /// The last name read; the function's when a `(` follows.
    name: String,
    /// Open parentheses of an attribute such as `__launch_bounds__(…)`.
    depth: usize,
}

impl InactiveKernel {
    /// Takes one more token; true when the name is settled.
    fn read(&mut self, kind: Kind, text: &str) -> bool {
        if kind == Kind::Name {
            if self.depth == 0 {
                text.clone_into(&mut self.name);
            }
            return false;
        }
        match text {
            "(" if self.depth > 0 || self.name.starts_with("__") => self.depth += 1,
            ")" if self.depth > 0 => self.depth -= 1,
            "(" => return true,
            ";" | "{" | "}" => {
                self.name.clear();
                return true;
            }
            _ => {}
        }
        false
    }
}
