//! Macro definitions: what `#define` says, read into a replacement list with its parameters resolved.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::NoteKind;
use super::engine::{COMMAND_LINE, Engine};
use super::token::{HAS_INCLUDE, Kind, LINE_START, SPACE, Token, VA_ARGS, VA_OPT, punctuator};

/// `BodyToken::parameter` of tokens that are no parameter.
pub(super) const NO_PARAMETER: u32 = u32::MAX;

/// A token of a replacement list.
#[derive(Debug, Clone, Copy)]
pub(super) struct BodyToken {
    pub token: Token,
    /// Which parameter the token names.
    pub parameter: u32,
}

/// A macro whose replacement the preprocessor computes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Builtin {
    Line,
    File,
    Counter,
    Date,
    Time,
    IncludeLevel,
}

pub(super) struct Macro {
    pub name: u32,
    pub function_like: bool,
    pub parameters: u32,
    /// The last parameter takes all further arguments.
    pub variadic: bool,
    pub body: Rc<[BodyToken]>,
    pub builtin: Option<Builtin>,
    /// The name in its `#define`: source and clean range.
    pub source: u32,
    pub start: u32,
    pub end: u32,
    /// How many of its replacements are being rescanned; it is not expanded in them.
    pub disabled: u32,
}

impl Macro {
    /// Whether this is a plain name for one literal (`#define TILE 16`, `#define TILE (16)`).
    pub fn names_a_literal(&self) -> bool {
        let literal = |token: &BodyToken| {
            matches!(
                token.token.kind,
                Kind::Number | Kind::Character | Kind::Text
            )
        };
        !self.function_like
            && match &*self.body {
                [only] => literal(only),
                [open, only, close] => {
                    open.token.is(punctuator(b"("))
                        && literal(only)
                        && close.token.is(punctuator(b")"))
                }
                _ => false,
            }
    }
}

impl Engine<'_> {
    pub fn define_builtins(&mut self) {
        let builtins = [
            ("__LINE__", Builtin::Line),
            ("__FILE__", Builtin::File),
            ("__COUNTER__", Builtin::Counter),
            ("__DATE__", Builtin::Date),
            ("__TIME__", Builtin::Time),
            ("__INCLUDE_LEVEL__", Builtin::IncludeLevel),
        ];
        for (name, builtin) in builtins {
            let name = self.names.intern(name);
            self.define(Macro {
                name,
                function_like: false,
                parameters: 0,
                variadic: false,
                body: Rc::new([]),
                builtin: Some(builtin),
                source: super::engine::COMMAND_LINE,
                start: 0,
                end: 0,
                disabled: 0,
            });
        }
    }

    pub fn define(&mut self, definition: Macro) {
        let symbol = definition.name;
        self.macros.push(definition);
        self.set_table(symbol, self.macros.len() as u32);
    }

    pub fn undefine(&mut self, symbol: u32) {
        self.set_table(symbol, 0);
    }

    fn set_table(&mut self, symbol: u32, entry: u32) {
        let index = symbol as usize;
        if index >= self.table.len() {
            self.table.resize(index + 1, 0);
        }
        self.table[index] = entry;
    }

    /// The macro that a name stands for.
    pub fn macro_named(&self, symbol: u32) -> Option<u32> {
        match self.table.get(symbol as usize) {
            Some(&entry) if entry != 0 => Some(entry - 1),
            _ => None,
        }
    }

    /// What `defined` says of a name.
    pub fn is_defined(&self, symbol: u32) -> bool {
        symbol == HAS_INCLUDE
            || self.macro_named(symbol).is_some()
            || super::condition::is_question(self.names.get(symbol))
    }

    /// Notes that a macro has a name which the program around the text puts in: it may be any name of the text.
    pub fn known_name(&mut self, hash: &Token, name: &Token) {
        // Whoever gives a value on the command line means this very name.
        if hash.source != COMMAND_LINE && self.is_unknown(self.text(name)) {
            let text = format!("`{}` is put in by the program", self.text(name));
            self.note_at(hash, NoteKind::MacroError, text);
        }
    }

    /// Carries out `#define` with the tokens that follow it on its line.
    pub fn define_directive(&mut self, hash: &Token, line: &[Token]) {
        let Some((name, rest)) = line
            .split_first()
            .filter(|(name, _)| name.kind == Kind::Name)
        else {
            self.note_at(
                hash,
                NoteKind::MacroError,
                "`#define` without a name".to_owned(),
            );
            return;
        };
        self.known_name(hash, name);
        let mut parameters: Vec<u32> = Vec::new();
        let mut variadic = false;
        let mut function_like = false;
        let mut body = rest;
        if let Some(open) = rest
            .first()
            .filter(|token| token.is(punctuator(b"(")) && !token.has(SPACE))
        {
            function_like = true;
            match read_parameters(&rest[1..]) {
                Some(read) => {
                    parameters = read.names;
                    variadic = read.variadic;
                    body = &rest[1 + read.length..];
                }
                None => {
                    let text = format!(
                        "the parameter list of macro `{}` is not understood",
                        self.text(name)
                    );
                    self.note_at(open, NoteKind::MacroError, text);
                    self.undefine(name.symbol);
                    return;
                }
            }
        }
        let by_name: FxHashMap<u32, u32> = match parameters.len() {
            0..=12 => FxHashMap::default(),
            _ => (0u32..)
                .zip(&parameters)
                .map(|(index, &symbol)| (symbol, index))
                .collect(),
        };
        let parameter_of = |token: &Token| {
            if token.kind != Kind::Name || parameters.is_empty() {
                return NO_PARAMETER;
            }
            let found = match by_name.is_empty() {
                true => parameters
                    .iter()
                    .position(|&symbol| symbol == token.symbol)
                    .map(|index| index as u32),
                false => by_name.get(&token.symbol).copied(),
            };
            found.unwrap_or(NO_PARAMETER)
        };
        let body: Vec<BodyToken> = body
            .iter()
            .map(|token| {
                let flags = token.flags & !LINE_START;
                BodyToken {
                    token: Token { flags, ..*token },
                    parameter: parameter_of(token),
                }
            })
            .collect();
        let paste = |token: Option<&BodyToken>| {
            token.is_some_and(|token| token.token.is(punctuator(b"##")))
        };
        if paste(body.first()) || paste(body.last()) {
            let text = format!("macro `{}` begins or ends with `##`", self.text(name));
            self.note_at(hash, NoteKind::MacroError, text);
        }
        self.define(Macro {
            name: name.symbol,
            function_like,
            parameters: parameters.len() as u32,
            variadic,
            body: body.into(),
            builtin: None,
            source: name.source,
            start: name.start,
            end: name.end,
            disabled: 0,
        });
    }

    /// Whether the body token at `index` opens a `__VA_OPT__(…)`; then the index after its closing parenthesis.
    pub fn va_opt_end(body: &[BodyToken], index: usize) -> Option<usize> {
        if !body[index].token.is_name(VA_OPT) || !body.get(index + 1)?.token.is(punctuator(b"(")) {
            return None;
        }
        let mut depth = 0usize;
        for (at, token) in body.iter().enumerate().skip(index + 1) {
            if token.token.is(punctuator(b"(")) {
                depth += 1;
            } else if token.token.is(punctuator(b")")) {
                depth -= 1;
                if depth == 0 {
                    return Some(at + 1);
                }
            }
        }
        None
    }
}

struct Parameters {
    names: Vec<u32>,
    variadic: bool,
    /// Tokens read, with the closing parenthesis.
    length: usize,
}

/// Reads `a, b, ...)`, `args...)` or `)`.
fn read_parameters(tokens: &[Token]) -> Option<Parameters> {
    let mut names = Vec::new();
    let mut variadic = false;
    let mut at = 0;
    if tokens.first()?.is(punctuator(b")")) {
        return Some(Parameters {
            names,
            variadic,
            length: 1,
        });
    }
    loop {
        let token = tokens.get(at)?;
        at += 1;
        if token.is(punctuator(b"...")) {
            names.push(VA_ARGS);
            variadic = true;
        } else if token.kind == Kind::Name {
            names.push(token.symbol);
            if tokens.get(at)?.is(punctuator(b"...")) {
                variadic = true;
                at += 1;
            }
        } else {
            return None;
        }
        let next = tokens.get(at)?;
        at += 1;
        if next.is(punctuator(b")")) {
            return Some(Parameters {
                names,
                variadic,
                length: at,
            });
        }
        if variadic || !next.is(punctuator(b",")) {
            return None;
        }
    }
}
