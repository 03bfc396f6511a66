//! Preprocessing tokens, and the table of names.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// What a token is. Spelling lives in the text of its source (or in the scratch text).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A name; `symbol` is its index in [`Names`].
    Name,
    /// A preprocessing number.
    Number,
    /// A string literal, also a raw one.
    Text,
    /// A character literal.
    Character,
    /// A punctuator; `symbol` is its bytes, packed by [`punctuator`].
    Punctuator,
    /// A byte that begins no token.
    Other,
    /// The end of the line, seen only inside directives.
    LineEnd,
    /// The end of the file.
    FileEnd,
    /// An empty operand of `##`.
    Placemarker,
    /// On the stack of pending tokens: the replacement of macro `symbol` ends here.
    MacroEnd,
    /// On the stack of pending tokens: nothing below belongs to the list being expanded.
    Barrier,
}

/// White space came before the token, on the same line.
pub(super) const SPACE: u8 = 1;
/// The token is the first of its line.
pub(super) const LINE_START: u8 = 2;
/// A macro name that must never again be expanded.
pub(super) const PAINTED: u8 = 4;
/// A literal without its closing quote.
pub(super) const UNTERMINATED: u8 = 8;

/// `Token::source` of tokens that were made by `#`, `##` and built-in macros.
pub(super) const SCRATCH: u32 = u32::MAX;

/// One token. `start` and `end` are offsets in the clean text of `source`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub kind: Kind,
    pub flags: u8,
    pub source: u32,
    pub start: u32,
    pub end: u32,
    pub symbol: u32,
    /// The macro expansion whose replacement list holds the token; 0 for a token of the source itself.
    pub expansion: u32,
}

impl Token {
    /// A marker on the stack of pending tokens.
    pub fn marker(kind: Kind, symbol: u32) -> Token {
        Token {
            kind,
            flags: 0,
            source: SCRATCH,
            start: 0,
            end: 0,
            symbol,
            expansion: 0,
        }
    }

    pub fn is(&self, code: u32) -> bool {
        self.kind == Kind::Punctuator && self.symbol == code
    }

    pub fn is_name(&self, symbol: u32) -> bool {
        self.kind == Kind::Name && self.symbol == symbol
    }

    pub fn has(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    pub fn len(&self) -> usize {
        (self.end - self.start) as usize
    }
}

/// A punctuator of up to four bytes as a number.
pub(super) const fn punctuator(bytes: &[u8]) -> u32 {
    let mut code = 0;
    let mut at = 0;
    while at < bytes.len() {
        code = code << 8 | bytes[at] as u32;
        at += 1;
    }
    code
}

/// Interned names: equal names have equal symbols. The first ones are [`WELL_KNOWN`].
pub(super) struct Names {
    symbols: FxHashMap<Rc<str>, u32>,
    names: Vec<Rc<str>>,
}

macro_rules! well_known {
    ($($constant:ident = $name:literal,)*) => {
        const WELL_KNOWN: &[&str] = &[$($name),*];
        well_known!(@number 0u32; $($constant)*);
    };
    (@number $next:expr; $first:ident $($rest:ident)*) => {
        pub(super) const $first: u32 = $next;
        well_known!(@number $next + 1; $($rest)*);
    };
    (@number $next:expr;) => {};
}

well_known! {
    DEFINED = "defined",
    VA_ARGS = "__VA_ARGS__",
    VA_OPT = "__VA_OPT__",
    HAS_INCLUDE = "__has_include",
    TRUE = "true",
    FALSE = "false",
    GLOBAL = "__global__",
    ONCE = "once",
}

impl Names {
    pub fn new() -> Names {
        let mut names = Names {
            symbols: FxHashMap::default(),
            names: Vec::new(),
        };
        for name in WELL_KNOWN {
            names.intern(name);
        }
        names
    }

    pub fn intern(&mut self, name: &str) -> u32 {
        if let Some(&symbol) = self.symbols.get(name) {
            return symbol;
        }
        let symbol = self.names.len() as u32;
        let name: Rc<str> = name.into();
        self.names.push(Rc::clone(&name));
        self.symbols.insert(name, symbol);
        symbol
    }

    pub fn get(&self, symbol: u32) -> &str {
        self.names.get(symbol as usize).map_or("", |name| name)
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }
}
