//! Macro expansion: the C standard's rules (6.10.3), with a macro disabled while its replacement is rescanned and a
//! name met while its macro is disabled painted for good (GCC's reading of the unspecified cases).
//!
//! Also GNU's `, ## __VA_ARGS__` and named variadics, and C++20's `__VA_OPT__`.

use std::ops::Range;
use std::rc::Rc;

use super::NoteKind;
use super::engine::{Engine, Expansion};
use super::lexer::Lexer;
use super::macros::{BodyToken, Builtin, NO_PARAMETER};
use super::token::{DEFINED, Kind, LINE_START, PAINTED, SCRATCH, SPACE, Token, punctuator};

const OPEN: u32 = punctuator(b"(");
const CLOSE: u32 = punctuator(b")");
const COMMA: u32 = punctuator(b",");
const HASH: u32 = punctuator(b"#");
const PASTE: u32 = punctuator(b"##");

/// The arguments of one call.
struct Arguments {
    tokens: Vec<Token>,
    ranges: Vec<Range<usize>>,
    /// The arguments expanded, as far as they were needed.
    expanded: Vec<Option<Rc<[Token]>>>,
}

impl Arguments {
    fn raw(&self, parameter: u32) -> &[Token] {
        self.ranges
            .get(parameter as usize)
            .map_or(&[], |range| &self.tokens[range.clone()])
    }
}

/// A replacement list under construction.
struct Replacement {
    tokens: Vec<Token>,
    /// The next token is the right operand of `##`.
    paste: bool,
    /// The expansion that makes it.
    expansion: u32,
}

impl Engine<'_> {
    /// The next token after macro expansion; `None` when everything must end.
    pub fn next_expanded(&mut self) -> Option<Token> {
        loop {
            if self.stopped || self.frames.is_empty() {
                return None;
            }
            let token = self.next_token();
            if token.kind != Kind::Name || token.has(PAINTED) {
                return Some(token);
            }
            if self.in_condition && token.symbol == DEFINED {
                self.paint_operand();
                return Some(token);
            }
            let Some(definition) = self.macro_named(token.symbol) else {
                return Some(token);
            };
            if let Some(kept) = self.expand(token, definition) {
                return Some(kept);
            }
        }
    }

    /// Expands a list of tokens by itself: nothing after it can become part of a call.
    pub fn expand_list(&mut self, tokens: &[Token]) -> Vec<Token> {
        let mut expanded = Vec::new();
        if !self.spend(tokens.len() + 1) {
            return expanded;
        }
        self.pending.push(Token::marker(Kind::Barrier, 0));
        self.pending.extend(tokens.iter().rev());
        self.depth += 1;
        while let Some(token) = self.next_expanded() {
            if token.kind == Kind::Barrier {
                self.pending.pop();
                break;
            }
            expanded.push(token);
        }
        self.depth -= 1;
        expanded
    }

    /// The next unexpanded token; a barrier is returned and stays.
    fn next_token(&mut self) -> Token {
        while let Some(&token) = self.pending.last() {
            match token.kind {
                Kind::MacroEnd => self.end_macro(),
                Kind::Barrier => return token,
                _ => {
                    self.pending.pop();
                    return token;
                }
            }
        }
        self.within = 0;
        self.next_source()
    }

    fn end_macro(&mut self) {
        if let Some(marker) = self.pending.pop() {
            let definition = &mut self.macros[marker.symbol as usize];
            definition.disabled = definition.disabled.saturating_sub(1);
        }
    }

    /// In `#if`: keeps the operand of `defined` from being expanded.
    fn paint_operand(&mut self) {
        let mut parenthesis = false;
        for token in self.pending.iter_mut().rev() {
            match token.kind {
                Kind::MacroEnd => {}
                Kind::Name => {
                    token.flags |= PAINTED;
                    return;
                }
                _ if token.is(OPEN) && !parenthesis => parenthesis = true,
                _ => return,
            }
        }
    }

    /// Replaces a macro name; gives the token back when it stays as it is.
    fn expand(&mut self, mut name: Token, index: u32) -> Option<Token> {
        let definition = &self.macros[index as usize];
        if definition.disabled > 0 {
            name.flags |= PAINTED;
            return Some(name);
        }
        if let Some(builtin) = definition.builtin {
            return self.builtin(name, index, builtin);
        }
        if !definition.function_like {
            let expansion = self.begin(&name, index, None);
            let body = Rc::clone(&self.macros[index as usize].body);
            let replacement = self.substitute(&body, false, &mut None, expansion);
            self.push_replacement(replacement, &name, index);
            return None;
        }
        if !self.parenthesis_follows() {
            return Some(name);
        }
        if self.depth >= self.config.limits.macro_depth {
            let text = format!(
                "the call of macro `{}` is nested too deeply to be expanded",
                self.text(&name)
            );
            // One note for the outermost call, not one for each of its parts.
            let (source, start) = self.here();
            self.note(source, start, NoteKind::MacroError, text);
            name.flags |= PAINTED;
            return Some(name);
        }
        let (mut arguments, close) = match self.collect(&name, index) {
            Ok(collected) => collected,
            Err(tokens) => {
                name.flags |= PAINTED;
                self.pending.extend(tokens.iter().rev());
                return Some(name);
            }
        };
        let expansion = self.begin(&name, index, Some(&close));
        let body = Rc::clone(&self.macros[index as usize].body);
        let variadic = self.macros[index as usize].variadic;
        let replacement = self.substitute(&body, variadic, &mut Some(&mut arguments), expansion);
        self.push_replacement(replacement, &name, index);
        None
    }

    /// Records an expansion. Its place is the outermost call in a file; a call whose name comes from a replacement
    /// list but whose arguments stand in the file lengthens that place.
    fn begin(&mut self, name: &Token, definition: u32, close: Option<&Token>) -> u32 {
        // Expansions are remembered to the end: each is paid for by its size.
        self.spend(8);
        let number = self.expansions.len() as u32;
        let inclusion = self.frames.last().map_or(0, |frame| frame.inclusion);
        let end_of = |engine: &Self, source: u32| {
            let close = close.filter(|close| close.expansion == 0 && close.source == source)?;
            Some(
                engine.sources[source as usize]
                    .original_range(close.start, close.end)
                    .1,
            )
        };
        if name.expansion != 0 {
            let root = self.expansions[name.expansion as usize].root;
            let file = self.inclusions[self.expansions[root as usize].inclusion as usize].file;
            if let Some(end) = end_of(self, file) {
                let place = &mut self.expansions[root as usize];
                place.end = place.end.max(end);
            }
            if self.depth == 0 && self.within == 0 {
                self.within = root;
            }
            self.expansions.push(Expansion {
                definition,
                root,
                start: 0,
                end: 0,
                inclusion,
            });
            return number;
        }
        let (start, mut end) = match self.sources.get(name.source as usize) {
            Some(source) => source.original_range(name.start, name.end),
            None => (0, 0),
        };
        if let Some(close) = end_of(self, name.source) {
            end = end.max(close);
        }
        self.expansions.push(Expansion {
            definition,
            root: number,
            start,
            end,
            inclusion,
        });
        if self.depth == 0 && self.within == 0 {
            self.within = number;
        }
        number
    }

    /// Puts a replacement on the stack to be rescanned.
    fn push_replacement(&mut self, mut replacement: Vec<Token>, name: &Token, index: u32) {
        if self.stopped {
            return;
        }
        replacement.retain(|token| token.kind != Kind::Placemarker);
        if let Some(first) = replacement.first_mut() {
            first.flags =
                (first.flags & !(SPACE | LINE_START)) | (name.flags & (SPACE | LINE_START));
        }
        self.macros[index as usize].disabled += 1;
        self.pending.push(Token::marker(Kind::MacroEnd, index));
        self.pending.extend(replacement.iter().rev());
    }

    /// Whether the next token is `(`. Replacements that end here are left behind; no other token is consumed.
    fn parenthesis_follows(&mut self) -> bool {
        while let Some(&token) = self.pending.last() {
            match token.kind {
                Kind::MacroEnd => self.end_macro(),
                Kind::Barrier => return false,
                _ => return token.is(OPEN),
            }
        }
        match self.frames.last() {
            // A directive is not carried out here: only arguments may hold one.
            Some(frame) => frame.lexer.clone().next(false).code == OPEN,
            None => false,
        }
    }

    /// Collects the arguments of a call whose `(` comes next. On failure gives back what was read.
    fn collect(&mut self, name: &Token, index: u32) -> Result<(Arguments, Token), Vec<Token>> {
        let definition = &self.macros[index as usize];
        let (parameters, variadic) = (definition.parameters as usize, definition.variadic);
        self.collecting += 1;
        let collected = self.collect_tokens(name, parameters, variadic);
        self.collecting -= 1;
        collected
    }

    fn collect_tokens(
        &mut self,
        name: &Token,
        parameters: usize,
        variadic: bool,
    ) -> Result<(Arguments, Token), Vec<Token>> {
        let open = self.next_token();
        let mut tokens = vec![open];
        let mut ranges = Vec::new();
        let mut start = 1;
        let mut depth = 0usize;
        let close = loop {
            let mut token = self.next_token();
            if matches!(token.kind, Kind::FileEnd | Kind::Barrier) || self.stopped {
                let text = format!(
                    "the call of macro `{}` has no closing parenthesis",
                    self.text(name)
                );
                self.note_at(name, NoteKind::MacroError, text);
                // Every name in it is painted: expanding them could fail in the same way, once per name.
                for token in &mut tokens {
                    token.flags |= PAINTED;
                }
                return Err(tokens);
            }
            if !self.spend(1) {
                return Err(Vec::new());
            }
            if token.is(OPEN) {
                depth += 1;
            } else if token.is(CLOSE) {
                if depth == 0 {
                    break token;
                }
                depth -= 1;
            } else if token.is(COMMA) && depth == 0 && !(variadic && ranges.len() + 1 >= parameters)
            {
                ranges.push(start..tokens.len());
                start = tokens.len() + 1;
            } else if token.kind == Kind::Name
                && let Some(other) = self.macro_named(token.symbol)
                && self.macros[other as usize].disabled > 0
            {
                token.flags |= PAINTED;
            }
            if token.has(LINE_START) {
                token.flags = (token.flags & !LINE_START) | SPACE;
            }
            tokens.push(token);
        };
        ranges.push(start..tokens.len());
        let given = ranges.len();
        let empty = given == 1 && ranges[0].is_empty();
        let fits = given == parameters
            || (parameters == 0 && empty)
            || (variadic && given + 1 == parameters);
        if !fits {
            let name_text = self.text(name);
            let text = format!("macro `{name_text}` takes {parameters} arguments, not {given}");
            self.note_at(name, NoteKind::MacroError, text);
            tokens.push(close);
            return Err(tokens);
        }
        Ok((
            Arguments {
                tokens,
                ranges,
                expanded: vec![None; parameters],
            },
            close,
        ))
    }

    fn expanded_argument(&mut self, arguments: &mut Arguments, parameter: u32) -> Rc<[Token]> {
        let index = parameter as usize;
        if let Some(Some(expanded)) = arguments.expanded.get(index) {
            return Rc::clone(expanded);
        }
        let expanded: Rc<[Token]> = self.expand_list(arguments.raw(parameter)).into();
        if let Some(slot) = arguments.expanded.get_mut(index) {
            *slot = Some(Rc::clone(&expanded));
        }
        expanded
    }

    /// The replacement list with arguments put in, `#` and `##` carried out.
    fn substitute(
        &mut self,
        body: &[BodyToken],
        variadic: bool,
        arguments: &mut Option<&mut Arguments>,
        expansion: u32,
    ) -> Vec<Token> {
        let mut replacement = Replacement {
            tokens: Vec::with_capacity(body.len()),
            paste: false,
            expansion,
        };
        self.substitute_into(&mut replacement, body, variadic, arguments, expansion);
        replacement.tokens
    }

    fn substitute_into(
        &mut self,
        replacement: &mut Replacement,
        body: &[BodyToken],
        variadic: bool,
        arguments: &mut Option<&mut Arguments>,
        expansion: u32,
    ) {
        let mut at = 0;
        while let Some(&BodyToken { token, parameter }) = body.get(at) {
            if !self.spend(1) {
                return;
            }
            let token = Token { expansion, ..token };
            if token.is(PASTE) && at > 0 && at + 1 < body.len() {
                replacement.paste = true;
                at += 1;
                continue;
            }
            let Some(arguments) = arguments.as_deref_mut() else {
                self.append(replacement, &[token]);
                at += 1;
                continue;
            };
            let next = body.get(at + 1);
            if token.is(HASH)
                && let Some(operand) = next.filter(|next| next.parameter != NO_PARAMETER)
            {
                if let Some(text) = self.stringize(arguments.raw(operand.parameter), &token) {
                    self.append(replacement, &[text]);
                }
                at += 2;
                continue;
            }
            if variadic && let Some(end) = Self::va_opt_end(body, at) {
                let last = arguments.expanded.len() as u32 - 1;
                if self.expanded_argument(arguments, last).is_empty() {
                    self.append(
                        replacement,
                        &[Token {
                            kind: Kind::Placemarker,
                            ..token
                        }],
                    );
                } else {
                    self.substitute_into(
                        replacement,
                        &body[at + 2..end - 1],
                        false,
                        &mut Some(arguments),
                        expansion,
                    );
                }
                at = end;
                continue;
            }
            if parameter == NO_PARAMETER {
                self.append(replacement, &[token]);
                at += 1;
                continue;
            }
            let rest = variadic && parameter as usize + 1 == arguments.expanded.len();
            let after_comma =
                replacement.paste && replacement.tokens.last().is_some_and(|last| last.is(COMMA));
            if rest && after_comma {
                // GNU: `, ## __VA_ARGS__` drops the comma when there is nothing to follow it.
                replacement.paste = false;
                if arguments.raw(parameter).is_empty() {
                    replacement.tokens.pop();
                } else {
                    let expanded = self.expanded_argument(arguments, parameter);
                    self.append_argument(replacement, &expanded, &token);
                }
            } else if replacement.paste || next.is_some_and(|next| next.token.is(PASTE)) {
                let raw = arguments.raw(parameter).to_vec();
                self.append_argument(replacement, &raw, &token);
            } else {
                let expanded = self.expanded_argument(arguments, parameter);
                self.append_argument(replacement, &expanded, &token);
            }
            at += 1;
        }
    }

    /// Appends an argument; it takes the white space of its parameter.
    fn append_argument(
        &mut self,
        replacement: &mut Replacement,
        argument: &[Token],
        parameter: &Token,
    ) {
        if argument.is_empty() {
            self.append(
                replacement,
                &[Token {
                    kind: Kind::Placemarker,
                    ..*parameter
                }],
            );
            return;
        }
        let first = replacement.tokens.len();
        let pasted = replacement.paste;
        self.append(replacement, argument);
        if !pasted && let Some(token) = replacement.tokens.get_mut(first) {
            token.flags = (token.flags & !(SPACE | LINE_START)) | (parameter.flags & SPACE);
        }
    }

    /// Appends tokens, the first of them pasted to the last one when `##` came before.
    fn append(&mut self, replacement: &mut Replacement, mut tokens: &[Token]) {
        if !self.spend(tokens.len()) {
            return;
        }
        if std::mem::take(&mut replacement.paste)
            && let Some((&right, rest)) = tokens.split_first()
            && let Some(left) = replacement.tokens.pop()
        {
            tokens = rest;
            if left.kind == Kind::Placemarker {
                replacement.tokens.push(Token {
                    flags: left.flags & SPACE | right.flags & !SPACE,
                    ..right
                });
            } else if right.kind == Kind::Placemarker {
                replacement.tokens.push(left);
            } else {
                match self.paste(&left, &right, replacement.expansion) {
                    Some(pasted) => replacement.tokens.push(pasted),
                    None => replacement.tokens.extend([left, right]),
                }
            }
        }
        replacement.tokens.extend_from_slice(tokens);
    }

    fn paste(&mut self, left: &Token, right: &Token, expansion: u32) -> Option<Token> {
        if left.len() + right.len() > self.config.limits.output_bytes {
            self.stop("the macros make too much text");
            return None;
        }
        let text = format!("{}{}", self.text(left), self.text(right));
        if !self.spend(text.len() / 4) {
            return None;
        }
        let mut lexer = Lexer::new(text.as_str().into());
        let raw = lexer.next(true);
        if raw.start != 0
            || raw.end != text.len()
            || matches!(raw.kind, Kind::FileEnd | Kind::LineEnd)
        {
            let shown: String = text.chars().take(60).collect();
            self.note_at(
                left,
                NoteKind::BadPaste,
                format!("`##` gives `{shown}`, which is not one token"),
            );
            return None;
        }
        let like = Token {
            flags: left.flags & (SPACE | LINE_START),
            expansion,
            ..*left
        };
        let mut pasted = self.make(raw.kind, &text, &like)?;
        if raw.kind == Kind::Punctuator {
            pasted.symbol = raw.code;
        }
        if raw.kind == Kind::Name
            && let Some(other) = self.macro_named(pasted.symbol)
            && self.macros[other as usize].disabled > 0
        {
            pasted.flags |= PAINTED;
        }
        Some(pasted)
    }

    /// `#parameter`: the argument's spelling as a string literal.
    fn stringize(&mut self, argument: &[Token], hash: &Token) -> Option<Token> {
        let bytes: usize = argument.iter().map(|token| token.len() + 1).sum();
        if bytes > self.config.limits.output_bytes || !self.spend(bytes / 4) {
            self.stop("the macros make too much text");
            return None;
        }
        let mut text = String::with_capacity(bytes + 2);
        text.push('"');
        for (index, token) in argument.iter().enumerate() {
            if index > 0 && token.flags & (SPACE | LINE_START) != 0 {
                text.push(' ');
            }
            let literal = matches!(token.kind, Kind::Text | Kind::Character);
            for character in self.text(token).chars() {
                match character {
                    '"' | '\\' if literal => text.extend(['\\', character]),
                    '\n' | '\r' => text.push_str("\\n"),
                    _ => text.push(character),
                }
            }
        }
        // `#` of a lone backslash would take the closing quote with it: the last one is dropped, as GCC and Clang do.
        let backslashes = text.bytes().rev().take_while(|&byte| byte == b'\\').count();
        if backslashes % 2 == 1 {
            text.pop();
        }
        text.push('"');
        self.make(Kind::Text, &text, hash)
    }

    /// Replaces a built-in macro.
    fn builtin(&mut self, name: Token, index: u32, builtin: Builtin) -> Option<Token> {
        let expansion = self.begin(&name, index, None);
        let root = self.expansions[expansion as usize].root;
        let place = self.expansions[root as usize];
        let (kind, text) = match builtin {
            Builtin::Line => {
                let file = self.inclusions[place.inclusion as usize].file;
                let shift = self.frames.last().map_or(0, |frame| frame.line_shift);
                let line = i64::from(self.sources[file as usize].file.line(place.start));
                (Kind::Number, line.saturating_add(shift).max(0).to_string())
            }
            Builtin::File => {
                let path = self.path(self.here().0).display().to_string();
                (
                    Kind::Text,
                    format!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\"")),
                )
            }
            Builtin::Counter => {
                self.counter += 1;
                (Kind::Number, (self.counter - 1).to_string())
            }
            // Fixed, so that the same input always gives the same output.
            Builtin::Date => (Kind::Text, "\"Jan  1 1970\"".to_owned()),
            Builtin::Time => (Kind::Text, "\"00:00:00\"".to_owned()),
            Builtin::IncludeLevel => (
                Kind::Number,
                self.frames.len().saturating_sub(1).to_string(),
            ),
        };
        let like = Token {
            expansion,
            flags: name.flags & (SPACE | LINE_START),
            source: SCRATCH,
            ..name
        };
        self.make(kind, &text, &like)
    }
}
