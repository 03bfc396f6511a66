//! Tokens of the expanded text.
//!
//! The lexer never fails: a byte that begins no token is a [`Kind::Bad`] token, an unterminated literal or comment ends
//! with the text. Comments, white space, `#pragma` lines and line markers are skipped; any other directive that is left in
//! expanded text is one [`Kind::Directive`] token, which no construct accepts. `>` is always a token of its own (`>>` and
//! `>=` are put together by the expression reader), so that `f<g<4>>(x)` needs no splitting.
//!
//! **Invariant**: tokens are in text order, disjoint, inside the text, and on character boundaries.

use super::ast::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// Identifier or keyword.
    Ident,
    /// Number, with suffix.
    Number,
    /// Character literal, with prefix and suffix.
    Char,
    /// String literal, with prefix and suffix.
    Str,
    /// Operator or punctuation.
    Punct,
    /// A preprocessor directive that should not be here.
    Directive,
    /// Anything else.
    Bad,
}

/// Kinds of word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// A name.
    Name,
    /// A word that stands before or among the type words of a declaration.
    Specifier,
    /// A word of the built-in types.
    Builtin,
    /// Any other reserved word; and what is no identifier token.
    Other,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub kind: Kind,
    /// What kind of word an identifier token is.
    pub word: Word,
    pub range: Range,
    /// For an opening bracket the index of its partner, for a closing one likewise; [`NO_MATCH`] otherwise.
    pub partner: u32,
}

/// The partner of a token that has none.
pub(super) const NO_MATCH: u32 = u32::MAX;

/// Splits `text`, which is shorter than 4 GiB, into tokens with their bracket partners.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        at: 0,
        line_start: true,
    };
    let mut tokens = Vec::with_capacity(text.len() / 4);
    while let Some((kind, start)) = lexer.next() {
        let range = Range::new(start as u32, lexer.at as u32);
        let word = match kind {
            Kind::Ident => classify(&text[range.bytes()]),
            _ => Word::Other,
        };
        tokens.push(Token {
            kind,
            word,
            range,
            partner: NO_MATCH,
        });
    }
    pair_brackets(text.as_bytes(), &mut tokens);
    tokens
}

/// Pairs brackets. A closing bracket that does not fit the innermost open one closes the nearest open one of its kind
/// inside the current braces, so that a stray parenthesis cannot unbalance the braces around it. Linear: what is searched
/// over is popped.
fn pair_brackets(bytes: &[u8], tokens: &mut [Token]) {
    let mut open: Vec<(u8, usize)> = Vec::new();
    // How many `(` and `[` are open in each open brace, the outermost level being the text.
    let mut levels: Vec<[usize; 2]> = vec![[0, 0]];
    for index in 0..tokens.len() {
        let token = tokens[index];
        if token.kind != Kind::Punct || token.range.end - token.range.start != 1 {
            continue;
        }
        let byte = bytes[token.range.start as usize];
        let wanted = match byte {
            b'(' | b'[' => {
                open.push((byte, index));
                if let Some(level) = levels.last_mut() {
                    level[usize::from(byte == b'[')] += 1;
                }
                continue;
            }
            b'{' => {
                open.push((byte, index));
                levels.push([0, 0]);
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => continue,
        };
        let present = match wanted {
            b'{' => levels.len() > 1,
            _ => levels
                .last()
                .is_some_and(|level| level[usize::from(wanted == b'[')] > 0),
        };
        if !present {
            continue;
        }
        if wanted == b'{' {
            levels.pop();
        }
        while let Some((bracket, partner)) = open.pop() {
            if wanted != b'{'
                && let Some(level) = levels.last_mut()
            {
                level[usize::from(bracket == b'[')] -= 1;
            }
            if bracket == wanted {
                tokens[index].partner = partner as u32;
                tokens[partner].partner = index as u32;
                break;
            }
        }
    }
}

/// The kind of an identifier token.
fn classify(word: &str) -> Word {
    if is_specifier(word) {
        Word::Specifier
    } else if is_builtin_type(word) {
        Word::Builtin
    } else if is_reserved(word) {
        Word::Other
    } else {
        Word::Name
    }
}

fn is_reserved(word: &str) -> bool {
    matches!(
        word,
        "if" | "else"
            | "for"
            | "while"
            | "do"
            | "switch"
            | "case"
            | "default"
            | "break"
            | "continue"
            | "return"
            | "goto"
            | "sizeof"
            | "alignof"
            | "_Alignof"
            | "__alignof__"
            | "__alignof"
            | "new"
            | "delete"
            | "throw"
            | "try"
            | "catch"
            | "true"
            | "false"
            | "nullptr"
            | "this"
            | "operator"
            | "template"
            | "typename"
            | "namespace"
            | "using"
            | "struct"
            | "class"
            | "union"
            | "enum"
            | "static_cast"
            | "reinterpret_cast"
            | "const_cast"
            | "dynamic_cast"
            | "typeid"
            | "decltype"
            | "typeof"
            | "__typeof__"
            | "__typeof"
            | "asm"
            | "__asm__"
            | "__asm"
            | "public"
            | "private"
            | "protected"
            | "static_assert"
            | "_Static_assert"
            | "noexcept"
            | "co_await"
            | "co_return"
            | "co_yield"
            | "concept"
            | "requires"
            | "export"
            | "and"
            | "or"
            | "not"
            | "xor"
            | "bitand"
            | "bitor"
            | "compl"
            | "not_eq"
            | "and_eq"
            | "or_eq"
            | "xor_eq"
    )
}

/// Words that stand before or among the type words of a declaration.
fn is_specifier(word: &str) -> bool {
    matches!(
        word,
        "const"
            | "volatile"
            | "__const"
            | "__const__"
            | "__volatile__"
            | "__volatile"
            | "static"
            | "extern"
            | "register"
            | "thread_local"
            | "__thread"
            | "mutable"
            | "inline"
            | "__inline__"
            | "__inline"
            | "__forceinline__"
            | "__forceinline"
            | "__noinline__"
            | "virtual"
            | "explicit"
            | "friend"
            | "constexpr"
            | "consteval"
            | "constinit"
            | "typedef"
            | "__shared__"
            | "__constant__"
            | "__device__"
            | "__managed__"
            | "__global__"
            | "__host__"
            | "__grid_constant__"
            | "__extension__"
            | "__restrict__"
            | "__restrict"
            | "restrict"
            | "__launch_bounds__"
            | "__cluster_dims__"
            | "__maxnreg__"
            | "__block_size__"
            | "__attribute__"
            | "__attribute"
            | "__align__"
            | "alignas"
            | "_Alignas"
            | "__declspec"
            | "_Noreturn"
    )
}

/// Words of the built-in types.
fn is_builtin_type(word: &str) -> bool {
    matches!(
        word,
        "void"
            | "bool"
            | "_Bool"
            | "char"
            | "short"
            | "int"
            | "long"
            | "signed"
            | "__signed__"
            | "unsigned"
            | "float"
            | "double"
            | "wchar_t"
            | "char8_t"
            | "char16_t"
            | "char32_t"
            | "__int128"
            | "__int128_t"
            | "__uint128_t"
            | "auto"
            | "__auto_type"
    )
}

struct Lexer<'a> {
    bytes: &'a [u8],
    at: usize,
    line_start: bool,
}

impl Lexer<'_> {
    fn peek(&self, offset: usize) -> u8 {
        self.bytes.get(self.at + offset).copied().unwrap_or(0)
    }

    /// The next token's kind and start; `self.at` is its end.
    fn next(&mut self) -> Option<(Kind, usize)> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            match byte {
                b'\n' => {
                    self.line_start = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if matches!(self.peek(1), b'\n' | b'\r') => self.at += 2,
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.skip_comment(),
                b'#' if self.line_start => {
                    let start = self.at;
                    self.at += 1;
                    while matches!(self.peek(0), b' ' | b'\t') {
                        self.at += 1;
                    }
                    let word = &self.bytes[self.at..];
                    let harmless = word.starts_with(b"pragma")
                        || word.starts_with(b"line")
                        || word.starts_with(b"ident")
                        || word.first().is_none_or(|byte| {
                            byte.is_ascii_digit() || matches!(byte, b'\n' | b'\r')
                        });
                    self.skip_line();
                    if !harmless {
                        return Some((Kind::Directive, start));
                    }
                }
                _ => break,
            }
        }
        self.line_start = false;
        let start = self.at;
        let kind = self.token();
        Some((kind, start))
    }

    /// To the end of the line, over backslash-newline.
    fn skip_line(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'\n' {
                return;
            }
            self.at += 1;
            if byte == b'\\' {
                if self.peek(0) == b'\r' {
                    self.at += 1;
                }
                if self.peek(0) == b'\n' {
                    self.at += 1;
                }
            }
        }
    }

    fn skip_comment(&mut self) {
        self.at += 2;
        while self.at < self.bytes.len() {
            if self.bytes[self.at] == b'*' && self.peek(1) == b'/' {
                self.at += 2;
                return;
            }
            self.at += 1;
        }
    }

    fn token(&mut self) -> Kind {
        let byte = self.peek(0);
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | b'$' | 0x80.. => {
                while matches!(self.peek(0), b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80..)
                {
                    self.at += 1;
                }
                // A literal prefix was read as an identifier up to the quote.
                self.at_literal_after_prefix().unwrap_or(Kind::Ident)
            }
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' => self.quoted(b'"', Kind::Str),
            b'\'' => self.quoted(b'\'', Kind::Char),
            _ => self.punct(),
        }
    }

    fn at_literal_after_prefix(&mut self) -> Option<Kind> {
        let quote = self.peek(0);
        if quote != b'"' && quote != b'\'' {
            return None;
        }
        let mut start = self.at;
        while start > 0
            && matches!(self.bytes[start - 1], b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'$' | 0x80..)
        {
            start -= 1;
        }
        match &self.bytes[start..self.at] {
            b"L" | b"u" | b"U" | b"u8" if quote == b'\'' => Some(self.quoted(b'\'', Kind::Char)),
            b"L" | b"u" | b"U" | b"u8" => Some(self.quoted(b'"', Kind::Str)),
            b"R" | b"LR" | b"uR" | b"UR" | b"u8R" if quote == b'"' => Some(self.raw_string()),
            _ => None,
        }
    }

    fn raw_string(&mut self) -> Kind {
        let delimiter_start = self.at + 1;
        let mut open = delimiter_start;
        while open < self.bytes.len() && open - delimiter_start <= 16 && self.bytes[open] != b'(' {
            open += 1;
        }
        if self.bytes.get(open) != Some(&b'(') {
            return self.quoted(b'"', Kind::Str);
        }
        let delimiter = &self.bytes[delimiter_start..open];
        let mut at = open + 1;
        while at < self.bytes.len() {
            let rest = &self.bytes[at..];
            if rest[0] == b')'
                && rest[1..].starts_with(delimiter)
                && rest.get(1 + delimiter.len()) == Some(&b'"')
            {
                self.at = at + delimiter.len() + 2;
                return Kind::Str;
            }
            at += 1;
        }
        self.at = self.bytes.len();
        Kind::Bad
    }

    /// A quoted literal; one that its line does not end is [`Kind::Bad`].
    fn quoted(&mut self, quote: u8, kind: Kind) -> Kind {
        self.at += 1;
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\\' if self.at + 1 < self.bytes.len() => {
                    self.at += 2;
                    // Stay on a character boundary.
                    while matches!(self.peek(0), 0x80..=0xbf) {
                        self.at += 1;
                    }
                }
                b'\n' => return Kind::Bad,
                _ => {
                    self.at += 1;
                    if byte == quote {
                        return kind;
                    }
                }
            }
        }
        Kind::Bad
    }

    /// A preprocessing number: letters, digits, dots, digit separators and signed exponents.
    fn number(&mut self) -> Kind {
        let hex = self.peek(0) == b'0' && matches!(self.peek(1), b'x' | b'X');
        loop {
            match self.peek(0) {
                b'e' | b'E' if !hex && matches!(self.peek(1), b'+' | b'-') => self.at += 2,
                b'p' | b'P' if hex && matches!(self.peek(1), b'+' | b'-') => self.at += 2,
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' => self.at += 1,
                b'\'' if self.peek(1).is_ascii_alphanumeric() => self.at += 2,
                _ => return Kind::Number,
            }
        }
    }

    fn punct(&mut self) -> Kind {
        const LONG: [&[u8]; 23] = [
            b"<<<", b"<<=", b"...", b"->*", b"<=>", b"<<", b"<=", b"->", b"++", b"--", b"==",
            b"!=", b"&&", b"||", b"+=", b"-=", b"*=", b"/=", b"%=", b"&=", b"|=", b"^=", b"::",
        ];
        let rest = &self.bytes[self.at..];
        if let Some(long) = LONG.iter().find(|long| rest.starts_with(long)) {
            self.at += long.len();
            return Kind::Punct;
        }
        self.at += 1;
        if b"(){}[]<>;:,.?~!+-*/%^&|=".contains(&rest[0]) {
            Kind::Punct
        } else {
            Kind::Bad
        }
    }
}
