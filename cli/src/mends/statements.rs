//! Where statements begin and end in a source text as it stands in its file, without macros being expanded.
//!
//! An edit is written into that text, so the places for edits are found in it. One pass cuts the text into words and signs (comments,
//! literals and directives are passed over) and matches brackets; a `{` opens a block of code where what stands before it can only open
//! one (a parameter list or condition, `else`, `do`, another statement). **Contract.** A [`Boundary`] is a place in a block of code
//! between two whole statements: nothing is inserted behind a condition without braces, before an `else`, or between `}` and the
//! `while` of a `do`. What cannot be told has no boundary. That an edit does what it should is not decided here: the edited text is
//! analysed.

use std::ops::Range;

use warplog_report::Place;

use super::changes;

/// A piece of the text that is neither white space, comment nor directive.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Token {
    /// Its bytes.
    span: Range<usize>,
    /// The token that closes the bracket that it opens, or opens that which it closes.
    partner: Option<usize>,
    /// The innermost bracket around it, by its opening token.
    around: Option<usize>,
    /// Whether it opens a block of code.
    opens_code: bool,
}

/// A text with its statements.
#[derive(Clone, Debug)]
pub(crate) struct Statements<'a> {
    text: &'a str,
    /// The first byte of each line.
    lines: Vec<usize>,
    tokens: Vec<Token>,
}

/// A place between two statements of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Boundary {
    /// Blocks of code around it.
    pub depth: usize,
    /// Byte of the text: where the statement behind it begins, or the closing brace stands.
    pub at: usize,
}

/// A simple statement, with what hangs it on conditions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// With the conditions and loops before it that have no braces.
    pub whole: Range<usize>,
    /// Alone, its `;` included.
    pub own: Range<usize>,
    /// Whether the innermost of what it hangs on without braces is a loop.
    pub in_bare_loop: bool,
}

/// A loop with what its body is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Body {
    /// The bytes between its braces.
    pub inside: Range<usize>,
    /// Whether it belongs to `for`, `while` or `do`, not to `if` or a block of its own.
    pub is_loop: bool,
    /// The condition of an `if`, without its parentheses, if it belongs to one that has no `else`.
    pub plain_if: Option<Range<usize>>,
    /// Where the statement begins that the block is the body of.
    pub head: usize,
    /// Whether it is the body of a function.
    pub is_function: bool,
}

impl<'a> Statements<'a> {
    /// The statements of a text.
    pub(crate) fn of(text: &'a str) -> Self {
        let mut statements = Statements {
            text,
            lines: changes::line_starts(text),
            tokens: spans(text)
                .into_iter()
                .map(|span| Token {
                    span,
                    partner: None,
                    around: None,
                    opens_code: false,
                })
                .collect(),
        };
        statements.match_brackets();
        statements
    }

    pub(super) fn text(&self) -> &'a str {
        self.text
    }

    /// The bytes of a place of the text.
    pub(super) fn bytes(&self, place: &Place) -> Option<Range<usize>> {
        changes::bytes_by_lines((self.text, &self.lines), place)
    }

    fn word(&self, token: usize) -> &'a str {
        self.tokens
            .get(token)
            .map_or("", |token| &self.text[token.span.clone()])
    }

    fn match_brackets(&mut self) {
        let mut open: Vec<usize> = Vec::new();
        for nth in 0..self.tokens.len() {
            let word = self.word(nth);
            if matches!(word, ")" | "]" | "}") {
                let opens = match word {
                    ")" => "(",
                    "]" => "[",
                    _ => "{",
                };
                // A bracket that nothing closes, as in the arm of an `#if` that is not taken, ends where an outer one does.
                if let Some(at) = open.iter().rposition(|&other| self.word(other) == opens) {
                    let partner = open[at];
                    open.truncate(at);
                    self.tokens[nth].partner = Some(partner);
                    self.tokens[partner].partner = Some(nth);
                }
            }
            self.tokens[nth].around = open.last().copied();
            if matches!(word, "(" | "[" | "{") {
                self.tokens[nth].opens_code = word == "{" && self.may_open_code(nth);
                open.push(nth);
            }
        }
    }

    /// Whether the brace is preceded by what only code follows.
    fn may_open_code(&self, brace: usize) -> bool {
        let Some(before) = brace.checked_sub(1) else {
            return false;
        };
        let inside_code = self.tokens[brace]
            .around
            .is_some_and(|around| self.tokens[around].opens_code);
        match self.word(before) {
            ")" | "else" | "do" | "const" | "noexcept" | "override" | "final" => true,
            "{" | ";" | "}" | ":" => inside_code,
            _ => false,
        }
    }

    /// The first token that does not end before the byte.
    fn token_at(&self, byte: usize) -> usize {
        self.tokens.partition_point(|token| token.span.end <= byte)
    }

    /// The innermost blocks of code around a byte, the innermost first, by their opening braces.
    fn blocks_around(&self, byte: usize) -> Vec<usize> {
        let mut blocks = Vec::new();
        let mut around = match self.tokens.get(self.token_at(byte)) {
            Some(token) => token.around,
            None => None,
        };
        while let Some(open) = around {
            if self.tokens[open].opens_code {
                blocks.push(open);
            }
            around = self.tokens[open].around;
        }
        blocks
    }

    /// All boundaries within these bytes.
    pub(crate) fn boundaries(&self, bytes: &Range<usize>) -> Vec<Boundary> {
        let first = self.token_at(bytes.start);
        let mut found = Vec::new();
        for nth in first..self.tokens.len() {
            let token = &self.tokens[nth];
            if token.span.start > bytes.end {
                break;
            }
            // A closing brace stands in the block that it closes.
            let block = match self.word(nth) {
                "}" => token.partner,
                _ => token.around,
            };
            let inside = block.is_some_and(|open| self.tokens[open].opens_code);
            if inside && token.span.start >= bytes.start && self.begins_statement(nth) {
                found.push(Boundary {
                    depth: self.blocks_around(token.span.start).len(),
                    at: token.span.start,
                });
            }
        }
        found
    }

    /// Whether a statement, or nothing more of its block, stands at the token, and a whole one before it.
    fn begins_statement(&self, token: usize) -> bool {
        let Some(before) = token.checked_sub(1) else {
            return false;
        };
        if matches!(self.word(token), "else" | "case" | "default" | ";") {
            return false;
        }
        match self.word(before) {
            ";" => true,
            "{" => self.tokens[before].opens_code,
            "}" => {
                let Some(open) = self.tokens[before].partner else {
                    return false;
                };
                let behind_do = open > 0 && self.word(open - 1) == "do";
                self.tokens[open].opens_code && !(behind_do && self.word(token) == "while")
            }
            _ => false,
        }
    }

    /// The simple statement that these bytes are part of; none if they are part of a condition, or of no code.
    pub(crate) fn statement(&self, bytes: &Range<usize>) -> Option<Statement> {
        let token = self.token_at(bytes.start);
        let block = *self.blocks_around(bytes.start).first()?;
        // Down to the level of the block.
        let mut at = token;
        while self.tokens.get(at)?.around != Some(block) {
            at = self.tokens.get(at)?.around?;
        }
        let mut first = at;
        while !self.begins_statement(first) && !self.is_label_end(first) {
            first = first.checked_sub(1)?;
            while self.tokens[first].around != Some(block) {
                first = self.tokens[first].around.filter(|&open| open > block)?;
            }
            // A closing bracket is part of the statement with all that it closes.
            if let (")" | "]" | "}", Some(open)) = (self.word(first), self.tokens[first].partner) {
                first = open;
            }
        }
        let whole_start = first;
        let mut own = first;
        let mut in_bare_loop = false;
        while let Some((next, is_loop)) = self.past_header(own) {
            if at < next {
                return None;
            }
            own = next;
            in_bare_loop = is_loop;
        }
        if self.word(own) == "{" || self.past_header(own).is_some() {
            return None;
        }
        let mut end = at.max(own);
        while self.word(end) != ";" {
            end = match (self.word(end), self.tokens.get(end)?.partner) {
                ("(" | "[" | "{", Some(close)) => close + 1,
                ("}", _) => return None,
                _ => end + 1,
            };
        }
        let start = |token: usize| self.tokens[token].span.start;
        let end = self.tokens[end].span.end;
        (start(own) <= bytes.start && bytes.end <= end).then(|| Statement {
            whole: start(whole_start)..end,
            own: start(own)..end,
            in_bare_loop,
        })
    }

    /// Whether the token before it ends a label.
    fn is_label_end(&self, token: usize) -> bool {
        let word = |back: usize| token.checked_sub(back).map_or("", |at| self.word(at));
        word(1) == ":" && (word(2) == "default" || word(3) == "case")
    }

    /// Behind `if (…)`, `else`, `for (…)`, `while (…)` or `do`, and whether that is a loop.
    fn past_header(&self, token: usize) -> Option<(usize, bool)> {
        let behind = |open: usize| {
            let close = (self.word(open) == "(").then(|| self.tokens[open].partner)??;
            Some(close + 1)
        };
        match self.word(token) {
            "else" => Some((token + 1, false)),
            "do" => Some((token + 1, true)),
            "if" if self.word(token + 1) == "constexpr" => Some((behind(token + 2)?, false)),
            "if" => Some((behind(token + 1)?, false)),
            "for" | "while" => Some((behind(token + 1)?, true)),
            _ => None,
        }
    }

    /// The blocks of code around a byte, the innermost first.
    pub(super) fn bodies(&self, byte: usize) -> Vec<Body> {
        let blocks = self.blocks_around(byte);
        let outermost = blocks.len().saturating_sub(1);
        let body = |(nth, open): (usize, usize)| {
            let close = self.tokens[open].partner?;
            let (head, word) = self.head_of(open);
            let ends_in_else = self.word(close + 1) == "else";
            let plain = word == "if" && !ends_in_else && self.word(head) == "if";
            let condition = plain.then(|| {
                let open = head + 1;
                let close = self.tokens[open].partner?;
                Some(self.tokens[open].span.end..self.tokens[close].span.start)
            });
            Some(Body {
                inside: self.tokens[open].span.end..self.tokens[close].span.start,
                is_loop: matches!(word, "for" | "while" | "do"),
                plain_if: condition.flatten(),
                head: self.tokens[head].span.start,
                is_function: nth == outermost,
            })
        };
        blocks.into_iter().enumerate().filter_map(body).collect()
    }

    /// The body of the function of this name whose name stands behind the byte, braces included.
    pub(super) fn function_body(&self, from: usize, name: &str) -> Option<Range<usize>> {
        let first = self.token_at(from);
        let named = (first..self.tokens.len()).find(|&nth| self.word(nth) == name)?;
        let parameters = named + 1;
        if self.word(parameters) != "(" {
            return None;
        }
        let open = self.tokens[parameters].partner? + 1;
        let close = self
            .tokens
            .get(open)
            .filter(|token| token.opens_code)?
            .partner?;
        Some(self.tokens[open].span.start..self.tokens[close].span.end)
    }

    /// Where the statement begins whose body opens here, and the word that the body belongs to.
    fn head_of(&self, open: usize) -> (usize, &'a str) {
        let Some(before) = open.checked_sub(1) else {
            return (open, "");
        };
        let mut at = match (self.word(before), self.tokens[before].partner) {
            ("do" | "else", _) => before,
            (")", Some(paren)) if paren > 0 => paren - 1,
            _ => return (open, ""),
        };
        if self.word(at) == "constexpr" {
            at = at.saturating_sub(1);
        }
        let word = self.word(at);
        if !matches!(word, "if" | "for" | "while" | "do" | "else") {
            return (open, "");
        }
        let own = at;
        // What it hangs on without braces itself.
        while at > 0 && !self.begins_statement(at) {
            at -= 1;
        }
        (if at == 0 { own } else { at }, word)
    }

    /// The bytes within the last brackets of the declaration of a shared array in these bytes; none unless everything else names the
    /// array with as many subscripts as it has, and takes neither the address nor the size of an element, nor reads it as another type.
    pub(super) fn last_extent(&self, bytes: &Range<usize>, name: &str) -> Option<Range<usize>> {
        let mut directives = self.text.lines().map(str::trim_start);
        let is_word = |own: &str| {
            own.split(|sign: char| !sign.is_alphanumeric() && sign != '_')
                .any(|word| word == name)
        };
        if directives.any(|line| line.starts_with('#') && is_word(line)) {
            return None;
        }
        let mut declared: Option<(usize, Range<usize>)> = None;
        let mut subscripts: Vec<usize> = Vec::new();
        let first = self.token_at(bytes.start);
        for nth in first..self.tokens.len() {
            let span = &self.tokens[nth].span;
            if span.start >= bytes.end {
                break;
            }
            if self.word(nth) != name {
                continue;
            }
            let (mut count, mut behind, mut last) = (0, nth + 1, 0..0);
            while self.word(behind) == "[" {
                let close = self.tokens[behind].partner?;
                last = self.tokens[behind].span.end..self.tokens[close].span.start;
                (count, behind) = (count + 1, close + 1);
            }
            let word = |back: usize| nth.checked_sub(back).map_or("", |at| self.word(at));
            let own = self.statement(span);
            let is_shared = own.is_some_and(|own| self.words(&own.own).contains(&"__shared__"));
            if is_shared {
                let is_plain = matches!(self.word(behind), ";" | ",") && count >= 2;
                if !is_plain || declared.is_some() {
                    return None;
                }
                declared = Some((count, last));
                continue;
            }
            let changes_one = word(1) == "&" && word(2) == "(" && word(3).starts_with("atomic");
            if matches!(word(1), "&" | "." | "->" | "::" | "return") && !changes_one {
                return None;
            }
            if !self.is_value_or_target(nth, changes_one) {
                return None;
            }
            subscripts.push(count);
        }
        let (count, last) = declared?;
        subscripts.iter().all(|&own| own == count).then_some(last)
    }

    /// Whether what begins with a token is read as a value or assigned to, and its place goes nowhere else: to no function, reference,
    /// pointer or cast of these.
    fn is_value_or_target(&self, nth: usize, is_atomic: bool) -> bool {
        // `float &r = s[0][0];`
        let statement = self.statement(&self.tokens[nth].span);
        let own = statement.map_or_else(Vec::new, |statement| self.words(&statement.own));
        let before = own.iter().position(|word| *word == "=").unwrap_or(0);
        if own[..before].contains(&"&") {
            return false;
        }
        // `(const float4 &)s[0][0]`
        let behind_bracket = |at: usize| {
            let group = self.tokens[at].partner.map(|open| open..at);
            group.is_some_and(|mut group| !group.any(|at| matches!(self.word(at), "&" | "*")))
        };
        if let Some(before) = nth.checked_sub(1).filter(|&at| self.word(at) == ")") {
            let head = self.tokens[before]
                .partner
                .and_then(|open| open.checked_sub(1));
            let is_header = head.is_some_and(|at| matches!(self.word(at), "if" | "while" | "for"));
            if !is_header && !behind_bracket(before) {
                return false;
            }
        }
        let mut around = self.tokens[nth].around;
        while let Some(open) = around {
            if self.tokens[open].opens_code {
                return true;
            }
            let head = open.checked_sub(1).map_or("", |at| self.word(at));
            let is_word = head.starts_with(|sign: char| sign.is_alphabetic() || sign == '_');
            let is_fine = match self.word(open) {
                "[" => true,
                "(" if matches!(head, "if" | "while" | "for" | "switch") => true,
                "(" if is_word && is_atomic => head.starts_with("atomic") && !self.defines(head),
                "(" if is_word => VALUES.contains(&head) && !self.defines(head),
                "(" => !matches!(head, "&" | ">" | ")" | "]"),
                _ => false,
            };
            if !is_fine {
                return false;
            }
            around = self.tokens[open].around;
        }
        true
    }

    /// Whether a word is written before brackets that a block follows: the text has a function of this name.
    fn defines(&self, name: &str) -> bool {
        let directives = self.text.lines().map(str::trim_start);
        let mut macros = directives.filter(|line| line.starts_with('#'));
        let is_macro = macros.any(|line| line.contains(name));
        let is_function = (1..self.tokens.len()).any(|open| {
            let close = self.tokens[open].partner.filter(|&close| close > open);
            self.word(open) == "("
                && self.word(open - 1) == name
                && close.is_some_and(|close| self.word(close + 1) == "{")
        });
        is_macro || is_function
    }

    /// The words of some bytes.
    pub(super) fn words(&self, bytes: &Range<usize>) -> Vec<&'a str> {
        let first = self.token_at(bytes.start);
        let tokens = self.tokens.iter().skip(first);
        tokens
            .take_while(|token| token.span.end <= bytes.end)
            .map(|token| &self.text[token.span.clone()])
            .collect()
    }

    /// The first of some signs that stands in these bytes outside of brackets, with its bytes.
    pub(super) fn sign(&self, bytes: &Range<usize>, signs: &[&str]) -> Option<Range<usize>> {
        let first = self.token_at(bytes.start);
        let around = self.tokens.get(first)?.around;
        let own = self.tokens.iter().skip(first);
        own.take_while(|token| token.span.end <= bytes.end)
            .find(|token| token.around == around && signs.contains(&&self.text[token.span.clone()]))
            .map(|token| token.span.clone())
    }
}

/// Functions that take values.
const VALUES: [&str; 16] = [
    "min", "max", "fminf", "fmaxf", "fmin", "fmax", "fma", "fmaf", "fabsf", "sqrtf", "expf",
    "__expf", "logf", "float", "int", "double",
];

/// The bytes of words and signs: signs of several characters are one where they assign or step.
fn spans(text: &str) -> Vec<Range<usize>> {
    const LONG: [&str; 17] = [
        "<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "==", "<=", ">=", "!=", "++",
        "--", "::",
    ];
    let bytes = text.as_bytes();
    let mut spans = Vec::new();
    let mut at = 0;
    let mut at_line_start = true;
    while at < bytes.len() {
        let rest = &text[at..];
        let first = bytes[at];
        if first == b'\n' {
            at_line_start = true;
            at += 1;
        } else if first.is_ascii_whitespace()
            || (first == b'\\' && rest[1..].starts_with(['\n', '\r']))
        {
            at += 1;
        } else if rest.starts_with("//") {
            at += line_end(rest);
        } else if rest.starts_with("/*") {
            at += rest.find("*/").map_or(rest.len(), |end| end + 2);
        } else if first == b'#' && at_line_start {
            at += line_end(rest);
        } else {
            at_line_start = false;
            let length = match first {
                b'"' | b'\'' => literal(rest),
                _ if rest.starts_with("R\"") => raw(rest),
                _ if first.is_ascii_alphanumeric() || first == b'_' || first >= 0x80 => {
                    let part = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
                    let number = first.is_ascii_digit();
                    let ends = |c: char| !(part(c) && (number || c != '.'));
                    rest.find(ends).unwrap_or(rest.len())
                }
                _ => LONG
                    .iter()
                    .find(|sign| rest.starts_with(**sign))
                    .map_or(1, |sign| sign.len()),
            };
            // A sign that is no word is one character, however many bytes that is.
            let length = length.max(rest.chars().next().map_or(1, char::len_utf8));
            spans.push(at..at + length);
            at += length;
        }
    }
    spans
}

/// Bytes to the end of a line that goes on behind a backslash.
fn line_end(rest: &str) -> usize {
    let mut from = 0;
    while let Some(end) = rest[from..].find('\n') {
        let line = rest[..from + end].trim_end_matches('\r');
        if !line.ends_with('\\') {
            return from + end;
        }
        from += end + 1;
    }
    rest.len()
}

/// Bytes of a text or character in quotes.
fn literal(rest: &str) -> usize {
    let quote = rest.as_bytes()[0];
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'\n' => return at,
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    rest.len()
}

/// Bytes of `R"x(…)x"`.
fn raw(rest: &str) -> usize {
    let Some(open) = rest.find('(') else {
        return rest.len();
    };
    let end = format!("){}\"", &rest[2..open]);
    rest.find(&end).map_or(rest.len(), |at| at + end.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text with `@` at each boundary.
    fn marked(text: &str) -> String {
        let statements = Statements::of(text);
        let mut out = text.to_owned();
        for boundary in statements.boundaries(&(0..text.len())).iter().rev() {
            out.insert(boundary.at, '@');
        }
        out
    }

    #[test]
    fn boundaries_are_between_whole_statements() {
        let text = "__global__ void k(int n) { for (int i = 0; i < n; i++) a[i] = 1; if (n) { b(); } else c(); }";
        let told = "__global__ void k(int n) { @for (int i = 0; i < n; i++) a[i] = 1; @if (n) { @b(); @} else c(); @}";
        assert_eq!(marked(text), told);
        let text = "void k() { do { a(); } while (x); int v[] = {1, 2}; struct S { int x; } s; }";
        let told =
            "void k() { @do { @a(); @} while (x); @int v[] = {1, 2}; @struct S { int x; } s; @}";
        assert_eq!(marked(text), told);
        let text =
            "int g; namespace n { int h; }\n#define M(x) { x; }\nvoid f() { /* ; */ s = \";\"; }";
        let told =
            "int g; namespace n { int h; }\n#define M(x) { x; }\nvoid f() { /* ; */ @s = \";\"; @}";
        assert_eq!(marked(text), told);
    }

    fn statement<'t>(text: &'t str, part: &str) -> Option<(&'t str, &'t str, bool)> {
        let at = text.find(part).expect(part);
        let found = Statements::of(text).statement(&(at..at + part.len()))?;
        Some((&text[found.whole], &text[found.own], found.in_bare_loop))
    }

    #[test]
    fn a_statement_is_told_from_what_it_hangs_on() {
        let text = "void k() { x = 1; if (a < b) s[t] += s[t + 1]; for (;;) if (c) y[f(1)] = 2; }";
        assert_eq!(
            statement(text, "s[t + 1]"),
            Some(("if (a < b) s[t] += s[t + 1];", "s[t] += s[t + 1];", false))
        );
        assert_eq!(statement(text, "x"), Some(("x = 1;", "x = 1;", false)));
        assert_eq!(statement(text, "a < b"), None);
        let whole = "for (;;) if (c) y[f(1)] = 2;";
        assert_eq!(
            statement(text, "f(1)"),
            Some((whole, "y[f(1)] = 2;", false))
        );
        let text = "void k() { while (q()) s[0]++; }";
        assert_eq!(
            statement(text, "s[0]"),
            Some(("while (q()) s[0]++;", "s[0]++;", true))
        );
    }

    #[test]
    fn bodies_are_told_from_the_innermost() {
        let text = "void k() { for (;;) { if (x) { a(); } } if (y) { b(); } else { c(); } }";
        let at = |part: &str| text.find(part).expect(part);
        let statements = Statements::of(text);
        let bodies = statements.bodies(at("a()"));
        let shape: Vec<(bool, Option<&str>, bool)> = bodies
            .iter()
            .map(|body| {
                let condition = body.plain_if.clone().map(|range| &text[range]);
                (body.is_loop, condition, body.is_function)
            })
            .collect();
        assert_eq!(
            shape,
            [
                (false, Some("x"), false),
                (true, None, false),
                (false, None, true)
            ]
        );
        assert_eq!(bodies[1].head, at("for"));
        assert_eq!(statements.bodies(at("b()"))[0].plain_if, None);
    }

    #[test]
    fn what_nothing_closes_makes_no_panic() {
        for text in [
            "void f() { if (",
            "}}}",
            "void f() { s[ = ; }",
            "R\"(",
            "'",
            "a\\\n#",
            "é{é;}",
        ] {
            let statements = Statements::of(text);
            let all = 0..text.len();
            statements.boundaries(&all);
            for at in 0..text.len() {
                statements.statement(&(at..at + 1));
                statements.bodies(at);
            }
        }
    }
}
