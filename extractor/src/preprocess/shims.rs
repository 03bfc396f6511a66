//! Small rewrites of the expanded tokens, so that `tree-sitter-cuda` builds the right tree.
//!
//! 1. Words that carry no meaning for the analysis are dropped (`__restrict__`, attributes, alignment, `_Pragma`), or
//!    spelled as the grammar knows them (`__inline__`). Attributes that change the layout
//!    of a structure are noted.
//!    `__attribute__((global))` and its kin are spelled as CUDA does.
//! 2. `__launch_bounds__(a, b, c)` loses its third argument; `[=] __device__ (int i)` loses the `__device__`.
//! 3. The parentheses round a lone postfix expression that is followed by `+ - * &` are doubled: the grammar takes
//!    `(n) + m*d` for a cast of `+m`, silently. Not for types: the names that this text declares or uses as types, and
//!    the usual ones. A lone name that is neither declared here as a variable nor known as a type is doubled before
//!    `+` and `-`, where both readings evaluate the same operands; before `*` and `&` it stays a cast to an unknown
//!    type, which lowering refuses.
//!
//! All passes are linear in the number of tokens.

use super::NoteKind;
use super::engine::{Engine, OutToken};
use super::launches;
use super::token::{Kind, LINE_START, SPACE, Token, punctuator};

const OPEN: u32 = punctuator(b"(");
const CLOSE: u32 = punctuator(b")");
const OPEN_BRACKET: u32 = punctuator(b"[");
const CLOSE_BRACKET: u32 = punctuator(b"]");
const NONE: u32 = u32::MAX;

/// Spellings that stand in for a token's own (`OutToken::respelled`).
pub(super) const RESPELLED: [&str; 34] = [
    "",
    "inline",
    "volatile",
    "const",
    "signed",
    "alignas",
    "struct __attribute__((packed(1)))",
    "struct __attribute__((packed(2)))",
    "struct __attribute__((packed(4)))",
    "struct __attribute__((packed(8)))",
    "struct __attribute__((packed(16)))",
    "class __attribute__((packed(1)))",
    "class __attribute__((packed(2)))",
    "class __attribute__((packed(4)))",
    "class __attribute__((packed(8)))",
    "class __attribute__((packed(16)))",
    "union __attribute__((packed(1)))",
    "union __attribute__((packed(2)))",
    "union __attribute__((packed(4)))",
    "union __attribute__((packed(8)))",
    "union __attribute__((packed(16)))",
    "__global__",
    "__device__",
    "__host__",
    "__shared__",
    "__constant__",
    "__managed__",
    "__attribute__((aligned",
    ")))",
    "__attribute__((aligned(16)))",
    "alignas(16)",
    "__grid_constant__",
    "<<<",
    ">>>",
];

/// Positions in it; those of launches are in [`launches`].
const ALIGNAS: u8 = 5;
const ALIGNED: u8 = 27;
const ALIGNED_END: u8 = 28;
/// `__attribute__((aligned))`: as any type may need to be, 16 on 64-bit Linux.
const ALIGNED_MOST: u8 = 29;
const ALIGNAS_MOST: u8 = 30;

/// Whether a word begins a list of attributes in which CUDA's may stand: its own headers define `__device__` as
/// `__location__(device)`, which is `__annotate__(device)`, which is `__attribute__((device))`; for MSVC `__declspec`.
fn spells_attributes(word: &str) -> bool {
    matches!(
        word,
        "__attribute__" | "__attribute" | "__location__" | "__annotate__" | "__declspec"
    )
}

/// The word of CUDA that an attribute stands for.
fn attribute_of_cuda(engine: &Engine<'_>, attribute: &[OutToken]) -> Option<u8> {
    attribute.iter().find_map(|token| {
        let spelled = match engine.text(&token.token) {
            name @ ("global" | "device" | "host" | "shared" | "constant" | "managed"
            | "grid_constant") => format!("__{name}__"),
            // `__declspec(__device__)`
            name @ ("__global__" | "__device__" | "__host__" | "__shared__" | "__constant__"
            | "__managed__" | "__grid_constant__") => name.to_owned(),
            _ => return None,
        };
        let at = RESPELLED.iter().position(|one| *one == spelled)?;
        u8::try_from(at).ok()
    })
}

/// The spelling of a class keyword under `#pragma pack(limit)`.
fn packed_keyword(keyword: &str, limit: u8) -> Option<u8> {
    let spelled = format!("{keyword} __attribute__((packed({limit})))");
    let at = RESPELLED.iter().position(|one| *one == spelled)?;
    u8::try_from(at).ok()
}

/// What a word means here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Plain,
    /// Dropped alone.
    Drop,
    /// Dropped, with its parenthesised operand.
    DropCall,
    /// The same, and it may change the layout of a type.
    DropLayout,
    Respell(u8),
    LaunchBounds,
    /// Dropped after a lambda introducer.
    Target,
    /// A type by itself.
    Type,
    /// `struct`, `class`, `enum`, `union`, `typename`: a type's name follows.
    Introducer,
    /// `const`, `static` …: says nothing about the next word.
    Qualifier,
    /// `return`, `case`, `sizeof` …: an expression follows, no declaration.
    Operator,
    /// `if`, `while` …: a parenthesis that belongs to the statement follows.
    Statement,
    Typedef,
    Using,
}

fn word(name: &str) -> Word {
    match name {
        "__restrict__" | "__restrict" | "__extension__" | "__nv_pure__" | "__noreturn__"
        | "__cudart_builtin__" | "CUDART_CB" | "CUDA_CB" | "CUDARTAPI" | "CUDAAPI" => Word::Drop,
        "_Pragma" | "__pragma" | "__cluster_dims__" | "__maxnreg__" | "__block_size__"
        | "__declspec" | "__location__" | "__annotate__" => Word::DropCall,
        "__attribute__" | "__attribute" | "__align__" | "__builtin_align__" | "alignas"
        | "_Alignas" => Word::DropLayout,
        "__inline__" | "__inline" => Word::Respell(1),
        "__volatile__" | "__volatile" => Word::Respell(2),
        "__const__" | "__const" => Word::Respell(3),
        "__signed__" | "__signed" => Word::Respell(4),
        "__launch_bounds__" => Word::LaunchBounds,
        "__device__" | "__host__" | "__global__" | "__noinline__" | "__forceinline__" => {
            Word::Target
        }
        "void" | "bool" | "char" | "short" | "int" | "long" | "float" | "double" | "signed"
        | "unsigned" | "auto" | "half" | "half2" | "__half" | "__half2" | "nv_bfloat16"
        | "nv_bfloat162" | "__nv_bfloat16" | "__nv_bfloat162" | "dim3" | "uint" | "ushort"
        | "uchar" | "ulong" | "string" | "cudaStream_t" | "cudaEvent_t" | "cuComplex"
        | "cuFloatComplex" | "cuDoubleComplex" | "cufftComplex" | "cufftDoubleComplex"
        | "cufftReal" | "curandState" | "FILE" | "__int64" | "__int128" => Word::Type,
        "struct" | "class" | "enum" | "union" | "typename" => Word::Introducer,
        "const" | "static" | "constexpr" | "volatile" | "inline" | "extern" | "register"
        | "mutable" | "__shared__" | "__constant__" | "__managed__" | "__grid_constant__"
        | "thread_local" | "friend" | "virtual" | "explicit" | "public" | "private"
        | "protected" | "template" | "operator" | "namespace" => Word::Qualifier,
        "return" | "case" | "else" | "do" | "throw" | "goto" | "delete" | "co_return" | "and"
        | "or" | "not" | "xor" | "bitand" | "bitor" | "compl" | "new" => Word::Operator,
        "if" | "while" | "for" | "switch" | "sizeof" | "alignof" | "decltype" | "catch"
        | "noexcept" | "static_assert" | "asm" | "__asm__" | "__asm" => Word::Statement,
        "typedef" => Word::Typedef,
        "using" => Word::Using,
        _ if vector_type(name) || name.len() > 2 && name.ends_with("_t") => Word::Type,
        _ => Word::Plain,
    }
}

/// `float4`, `uint3`, `longlong2` and their kin.
fn vector_type(name: &str) -> bool {
    let Some(base) = name.strip_suffix(['1', '2', '3', '4']) else {
        return false;
    };
    let base = base.strip_prefix('u').unwrap_or(base);
    matches!(
        base,
        "char" | "short" | "int" | "long" | "longlong" | "float" | "double"
    )
}

/// Runs all rewrites over the engine's output.
pub(super) fn apply(engine: &mut Engine<'_>) {
    let words: Vec<Word> = engine.names.iter().map(word).collect();
    let tokens = std::mem::take(&mut engine.output);
    let tokens = {
        let tokens = launches::join(engine, tokens);
        drop_words(engine, &words, tokens)
    };
    engine.output = double_parentheses(&words, &tokens);
}

fn word_of(words: &[Word], token: &Token) -> Word {
    if token.kind == Kind::Name {
        words
            .get(token.symbol as usize)
            .copied()
            .unwrap_or(Word::Plain)
    } else {
        Word::Plain
    }
}

/// For each bracket the index of the one that closes or opens it; [`NONE`] where they do not match.
pub(super) fn partners(tokens: &[OutToken]) -> Vec<u32> {
    let mut partners = vec![NONE; tokens.len()];
    let mut open: Vec<(usize, u32)> = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if token.token.kind != Kind::Punctuator {
            continue;
        }
        let closing = match token.token.symbol {
            OPEN => CLOSE,
            OPEN_BRACKET => CLOSE_BRACKET,
            code if code == punctuator(b"{") => punctuator(b"}"),
            code => {
                if matches!(code, CLOSE | CLOSE_BRACKET) || code == punctuator(b"}") {
                    match open.last() {
                        Some(&(start, expected)) if expected == code => {
                            open.pop();
                            partners[start] = at as u32;
                            partners[at] = start as u32;
                        }
                        // A closing brace ends whatever is unbalanced inside it.
                        Some(_) if code == punctuator(b"}") => {
                            if let Some(brace) =
                                open.iter().rposition(|&(_, expected)| expected == code)
                            {
                                let (start, _) = open[brace];
                                open.truncate(brace);
                                partners[start] = at as u32;
                                partners[at] = start as u32;
                            } else {
                                open.clear();
                            }
                        }
                        _ => {}
                    }
                }
                continue;
            }
        };
        open.push((at, closing));
    }
    partners
}

fn drop_words(engine: &mut Engine<'_>, words: &[Word], tokens: Vec<OutToken>) -> Vec<OutToken> {
    let interesting = |token: &OutToken| {
        token.packed != 0 || !matches!(word_of(words, &token.token), Word::Plain | Word::Type)
    };
    if !tokens.iter().any(interesting) {
        return tokens;
    }
    let partners = partners(&tokens);
    let mut kept: Vec<OutToken> = Vec::with_capacity(tokens.len());
    let mut carried = 0;
    let mut at = 0;
    // Where the third argument of a `__launch_bounds__` begins and ends.
    let mut third: Option<(usize, usize)> = None;
    while let Some(&token) = tokens.get(at) {
        if let Some((start, end)) = third
            && at == start
        {
            third = None;
            at = end;
            continue;
        }
        let word = word_of(words, &token.token);
        let close = match tokens.get(at + 1) {
            Some(next) if next.token.is(OPEN) && partners[at + 1] != NONE => {
                Some(partners[at + 1] as usize)
            }
            _ => None,
        };
        let mut token = token;
        let next = match word {
            Word::Drop => Some(at + 1),
            Word::DropCall | Word::DropLayout => {
                let list = close
                    .and_then(|close| tokens.get(at + 1..close))
                    .unwrap_or_default();
                if let (true, Some(spelling)) = (
                    spells_attributes(engine.text(&token.token)),
                    attribute_of_cuda(engine, list),
                ) {
                    token.respelled = spelling;
                    keep(&mut kept, token, &mut carried);
                    at = close.map_or(at + 1, |close| close + 1);
                    continue;
                }
                // `struct __align__(16) S`, `struct __attribute__((packed)) S`: the reader wants to know.
                let of_class = kept.last().is_some_and(|before| {
                    matches!(engine.text(&before.token), "struct" | "class" | "union")
                }) || begins_a_member(engine, words, &kept)
                    || ends_a_class(engine, words, &kept);
                if let (Word::DropLayout, true, Some(close)) = (word, of_class, close) {
                    let mut token = token;
                    if matches!(
                        engine.text(&token.token),
                        "__align__" | "__builtin_align__" | "_Alignas"
                    ) {
                        token.respelled = ALIGNAS;
                    }
                    keep(&mut kept, token, &mut carried);
                    for &inner in &tokens[at + 1..=close] {
                        keep(&mut kept, inner, &mut carried);
                    }
                    at = close + 1;
                    continue;
                }
                if let (Word::DropLayout, Some(close)) = (word, close)
                    && aligns_most(engine, &tokens, at, close)
                    && is_of_a_name(engine, words, &kept)
                {
                    let behind = ends_a_name(tokens.get(close + 1));
                    token.respelled = if behind { ALIGNED_MOST } else { ALIGNAS_MOST };
                    keep(&mut kept, token, &mut carried);
                    at = close + 1;
                    continue;
                }
                if let (Word::DropLayout, Some(close)) = (word, close)
                    && let Some((open, end)) = alignment(engine, &tokens, &partners, at, close)
                    && is_of_a_name(engine, words, &kept)
                {
                    // `typedef __align__(16) float T;`, `typedef float T __align__(16);`, and behind a field.
                    let behind = ends_a_name(tokens.get(close + 1));
                    token.respelled = if behind { ALIGNED } else { ALIGNAS };
                    keep(&mut kept, token, &mut carried);
                    for (position, inner) in tokens.iter().enumerate().take(end + 1).skip(open) {
                        let mut inner = *inner;
                        if behind && position == end {
                            inner.respelled = ALIGNED_END;
                        }
                        keep(&mut kept, inner, &mut carried);
                    }
                    at = close + 1;
                    continue;
                }
                if word == Word::DropLayout {
                    let end = close.unwrap_or(at);
                    if is_of_a_layout(engine, words, &kept, tokens.get(end + 1)) {
                        note_layout(engine, &tokens, at, end);
                    }
                } else if matches!(engine.text(&token.token), "_Pragma" | "__pragma") {
                    note_layout(engine, &tokens, at, close.unwrap_or(at));
                }
                close.map(|close| close + 1)
            }
            Word::Target if after_lambda_introducer(&tokens, &partners, words, at) => Some(at + 1),
            Word::Respell(spelling) => {
                token.respelled = spelling;
                None
            }
            Word::LaunchBounds => {
                third = close.and_then(|close| {
                    third_argument(&tokens, &partners, at + 2, close).map(|start| (start, close))
                });
                None
            }
            _ => {
                // Not in `enum class`, nor where it introduces a parameter of a template.
                let defines = kept
                    .last()
                    .is_none_or(|before| !matches!(engine.text(&before.token), "enum" | "<" | ","));
                if token.packed != 0 && defines {
                    let spelling = packed_keyword(engine.text(&token.token), token.packed);
                    token.respelled = spelling.unwrap_or(0);
                }
                None
            }
        };
        match next {
            Some(next) => {
                carried |= token.token.flags & (SPACE | LINE_START);
                at = next;
            }
            None => {
                keep(&mut kept, token, &mut carried);
                at += 1;
            }
        }
    }
    kept
}

/// The parentheses round the number of an attribute that aligns and does nothing else: of `__align__(16)`, of
/// `__attribute__((aligned(16)))`.
fn alignment(
    engine: &Engine<'_>,
    tokens: &[OutToken],
    partners: &[u32],
    at: usize,
    close: usize,
) -> Option<(usize, usize)> {
    if !matches!(
        engine.text(&tokens[at].token),
        "__attribute__" | "__attribute"
    ) {
        return Some((at + 1, close));
    }
    let word = engine.text(&tokens.get(at + 3)?.token);
    let open = at + 4;
    let inner = *partners.get(open)? as usize;
    let doubled = tokens.get(at + 2)?.token.is(OPEN) && tokens.get(open)?.token.is(OPEN);
    (doubled && matches!(word, "aligned" | "__aligned__") && inner + 2 == close)
        .then_some((open, inner))
}

/// `__attribute__((aligned))`
fn aligns_most(engine: &Engine<'_>, tokens: &[OutToken], at: usize, close: usize) -> bool {
    let text = |at: usize| tokens.get(at).map(|token| engine.text(&token.token));
    matches!(text(at), Some("__attribute__" | "__attribute"))
        && matches!(text(at + 3), Some("aligned" | "__aligned__"))
        && close == at + 5
}

/// Whether the token behind an attribute ends the declaration of a name.
fn ends_a_name(next: Option<&OutToken>) -> bool {
    next.is_some_and(|next| next.token.is(punctuator(b";")) || next.token.is(punctuator(b",")))
}

/// Whether an attribute that follows is one of a name that a typedef or a field of a class declares.
fn is_of_a_name(engine: &Engine<'_>, words: &[Word], kept: &[OutToken]) -> bool {
    let is = |token: &OutToken, text: &[u8]| token.token.is(punctuator(text));
    let Some(last) = kept.last() else {
        return false;
    };
    if is(last, b"}") || is(last, b"(") || matches!(engine.text(&last.token), "enum") {
        return false;
    }
    let mut depth = 0usize;
    for token in kept.iter().rev() {
        if is(token, b"}") {
            depth += 1;
        } else if is(token, b"{") {
            if depth == 0 {
                break;
            }
            depth -= 1;
        } else if depth == 0 && is(token, b";") {
            break;
        } else if depth == 0 {
            match engine.text(&token.token) {
                "typedef" => return true,
                "using" | "enum" | "(" => return false,
                _ => {}
            }
        }
    }
    is_in_a_class(engine, words, kept)
}

/// Whether what follows is the first word of a declaration in a class: `struct S { int a; alignas(8) int b; }`.
fn begins_a_member(engine: &Engine<'_>, words: &[Word], kept: &[OutToken]) -> bool {
    let is = |token: &OutToken, text: &[u8]| token.token.is(punctuator(text));
    let first = kept
        .last()
        .is_some_and(|last| is(last, b";") || is(last, b"{") || is(last, b"}") || is(last, b":"));
    first && is_in_a_class(engine, words, kept)
}

/// Whether what follows stands right behind a class: `struct S { … } __attribute__((packed))`.
fn ends_a_class(engine: &Engine<'_>, words: &[Word], kept: &[OutToken]) -> bool {
    match kept.split_last() {
        Some((last, before)) if last.token.is(punctuator(b"}")) => {
            is_in_a_class(engine, words, before)
        }
        _ => false,
    }
}

/// Whether a dropped attribute may change the size of a class or a member, or the alignment of a type: in a class, in a
/// typedef, or at an enumeration.
fn is_of_a_layout(
    engine: &Engine<'_>,
    words: &[Word],
    kept: &[OutToken],
    next: Option<&OutToken>,
) -> bool {
    // `} __align__(8) struct S { … };`: in front of a class it begins another declaration.
    let begins =
        next.is_some_and(|next| matches!(engine.text(&next.token), "struct" | "class" | "union"));
    let behind = kept.last().is_some_and(|before| {
        before.token.is(punctuator(b"}")) && !begins
            || matches!(engine.text(&before.token), "enum" | "using")
    });
    if behind {
        return true;
    }
    let mut depth = 0usize;
    for token in kept.iter().rev() {
        if token.token.is(punctuator(b"}")) {
            depth += 1;
        } else if token.token.is(punctuator(b"{")) {
            if depth == 0 {
                break;
            }
            depth -= 1;
        } else if depth == 0 && token.token.is(punctuator(b";")) {
            break;
        } else if depth == 0 && matches!(engine.text(&token.token), "typedef" | "using" | "enum") {
            return true;
        }
    }
    is_in_a_class(engine, words, kept)
}

/// Whether the innermost open brace is that of a class.
fn is_in_a_class(engine: &Engine<'_>, words: &[Word], kept: &[OutToken]) -> bool {
    let is = |token: &OutToken, text: &[u8]| token.token.is(punctuator(text));
    // Back to the brace around it, and to what stands before that brace.
    let mut depth = 0usize;
    for at in (0..kept.len()).rev() {
        if is(&kept[at], b"}") {
            depth += 1;
        } else if is(&kept[at], b"{") {
            if depth > 0 {
                depth -= 1;
                continue;
            }
            let head = kept[..at]
                .iter()
                .rev()
                .take_while(|token| !(is(token, b";") || is(token, b"{") || is(token, b"}")));
            let mut class = false;
            for (position, token) in head.enumerate() {
                // `) {`: a function.
                if position == 0 && is(token, b")") {
                    return false;
                }
                class |= word_of(words, &token.token) == Word::Introducer
                    && matches!(engine.text(&token.token), "struct" | "class" | "union");
            }
            return class;
        }
    }
    false
}

/// Keeps a token, with the white space of what was dropped before it.
fn keep(kept: &mut Vec<OutToken>, mut token: OutToken, carried: &mut u8) {
    token.token.flags |= std::mem::take(carried);
    kept.push(token);
}

/// The second comma between `start` and `close`.
fn third_argument(
    tokens: &[OutToken],
    partners: &[u32],
    start: usize,
    close: usize,
) -> Option<usize> {
    let mut commas = 0;
    let mut at = start;
    while at < close {
        let token = &tokens[at].token;
        if token.is(punctuator(b"<"))
            && at > start
            && tokens[at - 1].token.kind == Kind::Name
            && let Some(behind) = behind_template_arguments(tokens, partners, at, close)
        {
            at = behind;
            continue;
        }
        if token.is(punctuator(b",")) {
            commas += 1;
            if commas == 2 {
                return Some(at);
            }
        }
        let partner = partners[at];
        at = if partner != NONE && partner as usize > at {
            partner as usize + 1
        } else {
            at + 1
        };
    }
    None
}

/// Where `<…>` at `at` ends, if it reads as the arguments of a template: what follows it is a call, a member, or the end of an
/// operand. In `a < b, c > d` an operand follows.
fn behind_template_arguments(
    tokens: &[OutToken],
    partners: &[u32],
    at: usize,
    close: usize,
) -> Option<usize> {
    let mut open = 0usize;
    let mut inner = at;
    while inner < close {
        let token = &tokens[inner].token;
        let partner = partners[inner];
        if partner != NONE && partner as usize > inner {
            inner = partner as usize;
        } else if token.is(punctuator(b"<")) {
            open += 1;
        } else if token.is(punctuator(b">")) {
            open -= 1;
        } else if token.is(punctuator(b">>")) {
            open = open.checked_sub(2)?;
        }
        inner += 1;
        if open == 0 {
            let next = &tokens.get(inner)?.token;
            let ends = [&b"("[..], b")", b",", b"::", b"{"];
            return ends
                .iter()
                .any(|end| next.is(punctuator(end)))
                .then_some(inner);
        }
    }
    None
}

/// Whether the word at `at` follows `[…]` of a lambda, perhaps after other such words.
fn after_lambda_introducer(
    tokens: &[OutToken],
    partners: &[u32],
    words: &[Word],
    at: usize,
) -> bool {
    let mut before = at;
    // A run of such words is short; the bound keeps hostile input linear.
    for _ in 0..8 {
        let Some(previous) = before.checked_sub(1) else {
            return false;
        };
        before = previous;
        if word_of(words, &tokens[before].token) != Word::Target {
            break;
        }
    }
    if !tokens[before].token.is(CLOSE_BRACKET) || partners[before] == NONE {
        return false;
    }
    // `[[nodiscard]] __device__` is an attribute.
    let attribute = before
        .checked_sub(1)
        .is_some_and(|inner| tokens[inner].token.is(CLOSE_BRACKET));
    let open = partners[before] as usize;
    let nested = tokens
        .get(open + 1)
        .is_some_and(|inner| inner.token.is(OPEN_BRACKET));
    !(attribute && nested)
}

/// Notes a dropped attribute that packs or aligns.
fn note_layout(engine: &mut Engine<'_>, tokens: &[OutToken], at: usize, end: usize) {
    let text: String = tokens[at..=end]
        .iter()
        .map(|token| engine.text(&token.token).to_owned())
        .collect();
    let lays_out = ["pack", "align", "Align", "vector", "mode"];
    if lays_out.iter().any(|word| text.contains(word)) {
        engine.note_at(
            &tokens[at].token,
            NoteKind::LayoutAttribute,
            text.chars().take(80).collect(),
        );
    }
}

/// What the text shows about a name.
#[derive(Debug, Clone, Copy, Default)]
struct Evidence {
    declared_type: bool,
    used_as_type: bool,
    variable: bool,
}

impl Evidence {
    fn is_type(self) -> bool {
        self.declared_type || (self.used_as_type && !self.variable)
    }
}

fn gather(words: &[Word], tokens: &[OutToken]) -> Vec<Evidence> {
    let mut evidence = vec![Evidence::default(); words.len()];
    let mut typedef_depth: Option<i64> = None;
    let mut depth = 0i64;
    for at in 0..tokens.len() {
        let token = tokens[at].token;
        if token.kind == Kind::Punctuator {
            match token.symbol {
                OPEN | OPEN_BRACKET => depth += 1,
                CLOSE | CLOSE_BRACKET => depth -= 1,
                code if code == punctuator(b"{") => depth += 1,
                code if code == punctuator(b"}") => depth -= 1,
                code if code == punctuator(b";")
                    && typedef_depth.is_some_and(|open| depth <= open) =>
                {
                    typedef_depth = None
                }
                _ => {}
            }
            continue;
        }
        if token.kind != Kind::Name {
            continue;
        }
        let word = word_of(words, &token);
        if word == Word::Typedef {
            typedef_depth = Some(depth);
        }
        if word != Word::Plain {
            continue;
        }
        let Some(found) = evidence.get_mut(token.symbol as usize) else {
            continue;
        };
        let next = tokens.get(at + 1).map(|next| next.token);
        let next_is = |codes: &[&[u8]]| {
            next.is_some_and(|next| codes.iter().any(|code| next.is(punctuator(code))))
        };
        let previous = at.checked_sub(1).map(|before| tokens[before].token);
        let previous_word = previous.map_or(Word::Plain, |previous| word_of(words, &previous));
        match previous_word {
            Word::Introducer | Word::Using => found.declared_type = true,
            _ => {}
        }
        if let Some(open) = typedef_depth {
            // `typedef T name;`, `typedef struct { … } name, *other;`, `typedef void (*name)(int);`
            let last = depth == open && next_is(&[b";", b"["]);
            let of_structure =
                depth == open && previous.is_some_and(|previous| previous.is(punctuator(b"}")));
            let of_function = depth == open + 1
                && next_is(&[b")"])
                && previous.is_some_and(|previous| previous.is(punctuator(b"*")));
            found.declared_type |= last || of_structure || of_function;
        }
        if let Some(next) = next.filter(|next| next.kind == Kind::Name)
            && matches!(word_of(words, &next), Word::Plain)
        {
            found.used_as_type = true;
        }
        let after_type = match previous {
            Some(previous) if previous.kind == Kind::Name => {
                matches!(previous_word, Word::Plain | Word::Type | Word::Drop)
            }
            Some(previous) => [&b"*"[..], b"&", b">", b"&&"]
                .iter()
                .any(|code| previous.is(punctuator(code))),
            None => false,
        };
        if after_type && next_is(&[b"=", b";", b",", b"[", b")", b":"]) && !found.declared_type {
            found.variable = true;
        }
    }
    evidence
}

fn double_parentheses(words: &[Word], tokens: &[OutToken]) -> Vec<OutToken> {
    let partners = partners(tokens);
    let evidence = gather(words, tokens);
    let mut doubled: Vec<OutToken> = Vec::with_capacity(tokens.len() + tokens.len() / 16);
    // Closing parentheses that are written twice.
    let mut closing = vec![false; tokens.len()];
    for (at, token) in tokens.iter().enumerate() {
        let mut token = *token;
        if token.token.is(OPEN)
            && may_begin_expression(words, tokens, at)
            && let Some(close) = lone_postfix(words, tokens, &partners, &evidence, at)
        {
            closing[close] = true;
            doubled.push(token);
            token.token.flags &= !(SPACE | LINE_START);
        } else if closing[at] {
            doubled.push(token);
            token.token.flags &= !(SPACE | LINE_START);
        }
        doubled.push(token);
    }
    doubled
}

/// Whether a parenthesis at `at` is one of an expression, and not of a call, a declaration or a statement.
fn may_begin_expression(words: &[Word], tokens: &[OutToken], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return true;
    };
    let before = &tokens[before].token;
    match before.kind {
        Kind::Name => word_of(words, before) == Word::Operator,
        Kind::Punctuator => !before.is(CLOSE_BRACKET),
        _ => true,
    }
}

/// For `(postfix)` before `+ - * &`, where it is no type: the index of the closing parenthesis.
fn lone_postfix(
    words: &[Word],
    tokens: &[OutToken],
    partners: &[u32],
    evidence: &[Evidence],
    open: usize,
) -> Option<usize> {
    let close = partners[open];
    if close == NONE {
        return None;
    }
    let close = close as usize;
    let after = tokens.get(close + 1)?.token;
    let additive = after.is(punctuator(b"+")) || after.is(punctuator(b"-"));
    if !additive && !after.is(punctuator(b"*")) && !after.is(punctuator(b"&")) {
        return None;
    }
    let mut at = open + 1;
    if tokens[at].token.is(punctuator(b"::")) {
        at += 1;
    }
    // The last name of `a::b::c`.
    let name = loop {
        let name = tokens[at].token;
        if name.kind != Kind::Name || word_of(words, &name) != Word::Plain {
            return None;
        }
        at += 1;
        if !tokens[at].token.is(punctuator(b"::")) {
            break name;
        }
        at += 1;
    };
    if at == close {
        let known = evidence
            .get(name.symbol as usize)
            .copied()
            .unwrap_or_default();
        if known.is_type() || !(additive || known.variable) {
            return None;
        }
        return Some(close);
    }
    while at < close {
        let token = &tokens[at].token;
        if token.is(OPEN) || token.is(OPEN_BRACKET) {
            let partner = partners[at];
            if partner == NONE {
                return None;
            }
            at = partner as usize + 1;
        } else if token.is(punctuator(b".")) || token.is(punctuator(b"->")) {
            if tokens[at + 1].token.kind != Kind::Name {
                return None;
            }
            at += 2;
        } else {
            return None;
        }
    }
    (at == close).then_some(close)
}
