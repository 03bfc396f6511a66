//! `#if` expressions: evaluation over 64-bit integers, as the standard says (6.10.1), with C++'s `true` and `false`.
//!
//! An expression that is not understood is false and noted; so is one that asks for what a program around the text puts in, or what options that are not known may define. Names that nothing defines are 0; those whose value was
//! really consulted are noted, because another value might give another program.

use super::NoteKind;
use super::engine::{Engine, MAIN};
use super::token::{DEFINED, FALSE, HAS_INCLUDE, Kind, TRUE, Token, punctuator};

/// How deeply operands may nest.
const MAX_DEPTH: usize = 200;

const OPEN: u32 = punctuator(b"(");
const CLOSE: u32 = punctuator(b")");

#[derive(Debug, Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    fn truth(value: bool) -> Value {
        Value {
            bits: i64::from(value),
            unsigned: false,
        }
    }
}

impl Engine<'_> {
    /// The value of the condition on a directive's line.
    pub fn condition(&mut self, hash: &Token, line: &[Token]) -> bool {
        let line = self.answer_has_include(line);
        let outer = std::mem::replace(&mut self.in_condition, true);
        let mut tokens = self.expand_list(&line);
        self.in_condition = outer;
        // `not defined(X) and Y`
        for token in &mut tokens {
            if token.kind == Kind::Name
                && let Some(symbol) = alternative(self.text(token))
            {
                token.kind = Kind::Punctuator;
                token.symbol = symbol;
            }
        }
        if self.stopped {
            return false;
        }
        let mut evaluator = Evaluator {
            engine: self,
            tokens: &tokens,
            at: 0,
            depth: 0,
        };
        let result = evaluator
            .comma(true)
            .and_then(|value| match evaluator.peek() {
                None => Ok(value.bits != 0),
                Some(_) => Err("it goes on after its end".to_owned()),
            });
        match result {
            Ok(value) => value,
            Err(why) => {
                let text = format!("the condition is not understood ({why}), and taken as false");
                self.note_at(hash, NoteKind::ConditionError, text);
                false
            }
        }
    }

    /// That a condition may ask for a name: what the program around the text puts in has no value here, and where it is a part of a
    /// name, that name is not known. Neither is one that options which are not known may define; those that begin with `__` are the
    /// compiler's.
    pub fn decides(&self, token: &Token) -> Result<(), String> {
        let name = self.text(token);
        if self.is_defined(token.symbol) {
            return Ok(());
        }
        if self.is_unknown(name) {
            return Err(format!("`{}` is put in by the program", shorten(name)));
        }
        let is_open = self.config.has_open_options && token.source == MAIN;
        match is_open && !name.starts_with("__") {
            true => Err(format!(
                "options of the compiler that are not known may define `{}`",
                shorten(name)
            )),
            false => Ok(()),
        }
    }

    /// Whether a name is, or holds, what the program around the text puts in.
    pub fn is_unknown(&self, name: &str) -> bool {
        let mut holes = self.config.holes.iter();
        holes.any(|hole| name.contains(hole.as_str()))
    }

    /// Replaces `__has_include(<…>)` and `__has_include("…")`, whose operand must not be expanded.
    fn answer_has_include(&mut self, line: &[Token]) -> Vec<Token> {
        let mut answered = Vec::with_capacity(line.len());
        let mut at = 0;
        while let Some(&token) = line.get(at) {
            at += 1;
            if !token.is_name(HAS_INCLUDE) || !line.get(at).is_some_and(|next| next.is(OPEN)) {
                answered.push(token);
                continue;
            }
            let Some(length) = line[at..].iter().position(|token| token.is(CLOSE)) else {
                answered.push(token);
                continue;
            };
            let operand = &line[at + 1..at + length];
            at += length + 1;
            let found = match operand {
                [only] if only.kind == Kind::Text => {
                    let name = self.text(only).trim_matches('"').to_owned();
                    self.find_header(&name, false).is_some()
                }
                [first, .., last] if first.is(punctuator(b"<")) && last.is(punctuator(b">")) => {
                    let clean = std::sync::Arc::clone(&self.sources[first.source as usize].clean);
                    let name = clean
                        .get(first.end as usize..last.start as usize)
                        .unwrap_or("");
                    self.find_header(name, true).is_some() || is_always_there(name)
                }
                _ => false,
            };
            if let Some(value) = self.make(Kind::Number, if found { "1" } else { "0" }, &token) {
                answered.push(value);
            }
        }
        answered
    }
}

/// Headers of C and C++17, and of every toolkit, without those of newer standards, which not every library has.
const ALWAYS_THERE: &str = "algorithm any array atomic bitset cassert cctype cerrno cfenv cfloat charconv chrono cinttypes climits clocale cmath \
     codecvt complex condition_variable csetjmp csignal cstdarg cstddef cstdint cstdio cstdlib cstring ctime cuchar cwchar cwctype deque \
     exception execution filesystem forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator limits \
     list locale map memory memory_resource mutex new numeric optional ostream queue random ratio regex scoped_allocator set shared_mutex sstream stack \
     stdexcept streambuf string string_view strstream system_error thread tuple type_traits typeindex typeinfo unordered_map \
     unordered_set utility valarray variant vector \
     assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h limits.h locale.h math.h setjmp.h signal.h stdarg.h stdbool.h stddef.h \
     stdint.h stdio.h stdlib.h string.h time.h wchar.h wctype.h \
     cooperative_groups.h cuda.h cuda_bf16.h cuda_fp16.h cuda_runtime.h cuda_runtime_api.h curand_kernel.h device_launch_parameters.h mma.h";

/// Whether `__has_include(<name>)` holds wherever a kernel is compiled, though the header is not on the path here.
fn is_always_there(name: &str) -> bool {
    ALWAYS_THERE
        .split_whitespace()
        .any(|one| one == name.trim())
}

type Outcome = Result<Value, String>;

struct Evaluator<'e, 'a> {
    engine: &'e mut Engine<'a>,
    tokens: &'e [Token],
    at: usize,
    depth: usize,
}

impl Evaluator<'_, '_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.at).copied()
    }

    fn take(&mut self, code: u32) -> bool {
        let found = self.peek().is_some_and(|token| token.is(code));
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, code: u32, what: &str) -> Result<(), String> {
        if self.take(code) {
            Ok(())
        } else {
            Err(format!("`{what}` is missing"))
        }
    }

    /// `value, value`: the last one counts.
    fn comma(&mut self, live: bool) -> Outcome {
        let mut value = self.conditional(live)?;
        while self.take(punctuator(b",")) {
            value = self.conditional(live)?;
        }
        Ok(value)
    }

    /// `condition ? value : value`. `live` is false for operands whose value is not consulted.
    fn conditional(&mut self, live: bool) -> Outcome {
        self.deeper()?;
        let condition = self.binary(0, live)?;
        let mut value = condition;
        if self.take(punctuator(b"?")) {
            let chosen = condition.bits != 0;
            let first = self.comma(live && chosen)?;
            self.expect(punctuator(b":"), ":")?;
            let second = self.conditional(live && !chosen)?;
            let unsigned = first.unsigned || second.unsigned;
            value = Value {
                bits: if chosen { first.bits } else { second.bits },
                unsigned,
            };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn deeper(&mut self) -> Result<(), String> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            Err("it is nested too deeply".to_owned())
        } else {
            Ok(())
        }
    }

    fn binary(&mut self, least: u32, live: bool) -> Outcome {
        let mut left = self.unary(live)?;
        while let Some((operator, precedence)) =
            self.peek().and_then(|token| binary_operator(&token))
        {
            if precedence < least {
                break;
            }
            self.at += 1;
            let decided = match operator {
                b"&&" => left.bits == 0,
                b"||" => left.bits != 0,
                _ => false,
            };
            self.deeper()?;
            let right = self.binary(precedence + 1, live && !decided)?;
            self.depth -= 1;
            left = apply(operator, left, right, live)?;
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Outcome {
        let Some(token) = self.peek() else {
            return Err("an operand is missing".to_owned());
        };
        self.at += 1;
        if token.kind != Kind::Punctuator {
            return self.primary(&token, live);
        }
        self.deeper()?;
        let value = if token.is(OPEN) {
            let value = self.comma(live)?;
            self.expect(CLOSE, ")")?;
            value
        } else if token.is(punctuator(b"!")) {
            Value::truth(self.unary(live)?.bits == 0)
        } else if token.is(punctuator(b"-")) {
            let value = self.unary(live)?;
            Value {
                bits: value.bits.wrapping_neg(),
                ..value
            }
        } else if token.is(punctuator(b"+")) {
            self.unary(live)?
        } else if token.is(punctuator(b"~")) {
            let value = self.unary(live)?;
            Value {
                bits: !value.bits,
                ..value
            }
        } else {
            return Err(format!(
                "`{}` stands where an operand should",
                self.engine.text(&token)
            ));
        };
        self.depth -= 1;
        Ok(value)
    }

    fn primary(&mut self, token: &Token, live: bool) -> Outcome {
        match token.kind {
            Kind::Number => number(self.engine.text(token)),
            Kind::Character => character(self.engine.text(token)),
            Kind::Name => self.name(token, live),
            _ => Err(format!(
                "`{}` stands where an operand should",
                shorten(self.engine.text(token))
            )),
        }
    }

    fn name(&mut self, token: &Token, live: bool) -> Outcome {
        match token.symbol {
            TRUE => return Ok(Value::truth(true)),
            FALSE => return Ok(Value::truth(false)),
            DEFINED => {
                let parenthesis = self.take(OPEN);
                let Some(operand) = self.peek().filter(|operand| operand.kind == Kind::Name) else {
                    return Err("`defined` without a name".to_owned());
                };
                self.at += 1;
                if parenthesis {
                    self.expect(CLOSE, ")")?;
                }
                self.engine.decides(&operand)?;
                if self.engine.demanded.contains(&operand.symbol)
                    && !self.engine.is_defined(operand.symbol)
                {
                    let name = self.engine.text(&operand);
                    return Err(format!("an `#error` wants `{}` defined", shorten(name)));
                }
                return Ok(Value::truth(self.engine.is_defined(operand.symbol)));
            }
            _ => {}
        }
        if live {
            self.engine.decides(token)?;
        }
        let name = self.engine.text(token).to_owned();
        let asks = self.peek().is_some_and(|next| next.is(OPEN));
        if asks && name.starts_with("__has_") {
            let operand = self.operand();
            return Ok(Value {
                bits: answer(&name, &operand),
                unsigned: false,
            });
        }
        if self.engine.demanded.contains(&token.symbol) && !asks {
            return Ok(Value::truth(true));
        }
        // What only some architectures have is not defined for the others, and nothing needs to be said of it.
        if live && !name.starts_with("__CUDA_ARCH_FEAT_") {
            self.engine
                .note_at(token, NoteKind::UndefinedInIf, name.clone());
        }
        if asks {
            return Err(format!(
                "`{}` is no macro that takes arguments",
                shorten(&name)
            ));
        }
        Ok(Value::truth(false))
    }

    /// What stands in the parentheses that follow, without white space.
    fn operand(&mut self) -> String {
        let mut text = String::new();
        let mut open = 0usize;
        while let Some(next) = self.peek() {
            self.at += 1;
            if next.is(OPEN) {
                open += 1;
            } else if next.is(CLOSE) {
                open -= 1;
                if open == 0 {
                    break;
                }
            } else {
                text.push_str(self.engine.text(&next));
            }
        }
        text
    }
}

/// Whether GCC 12 knows a name as a question that `#if` may ask, so that it counts as defined.
pub(super) fn is_question(name: &str) -> bool {
    matches!(
        name,
        "__has_builtin" | "__has_attribute" | "__has_cpp_attribute" | "__has_include_next"
    )
}

/// What GCC 12 answers to a question about itself; 0 where it is not known to have what is asked for. (Attributes have no
/// meaning here; of builtin functions those are listed that have one, so that code which asks takes no way that is unknown.)
fn answer(question: &str, operand: &str) -> i64 {
    let plain = operand.trim_matches('_');
    match question {
        "__has_builtin" => i64::from(matches!(
            operand,
            "__builtin_expect"
                | "__builtin_unreachable"
                | "__builtin_trap"
                | "__builtin_prefetch"
                | "__builtin_clz"
                | "__builtin_ctz"
                | "__builtin_popcount"
                | "__builtin_bswap32"
                | "__builtin_bswap64"
        )),
        "__has_attribute" => i64::from(matches!(
            plain,
            "unused"
                | "used"
                | "noinline"
                | "always_inline"
                | "visibility"
                | "deprecated"
                | "packed"
                | "aligned"
                | "warn_unused_result"
                | "noreturn"
                | "nonnull"
                | "format"
                | "cold"
                | "hot"
                | "weak"
                | "may_alias"
                | "fallthrough"
        )),
        "__has_cpp_attribute" => match plain {
            "nodiscard" => 201_907,
            "maybe_unused" | "fallthrough" => 201_603,
            "deprecated" => 201_309,
            "noreturn" | "carries_dependency" => 200_809,
            "likely" | "unlikely" | "no_unique_address" => 201_803,
            _ => i64::from(matches!(
                plain,
                "gnu::always_inline" | "gnu::noinline" | "gnu::unused" | "gnu::visibility"
            )),
        },
        _ => 0,
    }
}

fn shorten(text: &str) -> String {
    text.chars().take(60).collect()
}

/// The operator that C++ lets one write as a word.
fn alternative(word: &str) -> Option<u32> {
    Some(match word {
        "not" => punctuator(b"!"),
        "and" => punctuator(b"&&"),
        "or" => punctuator(b"||"),
        "not_eq" => punctuator(b"!="),
        "bitand" => punctuator(b"&"),
        "bitor" => punctuator(b"|"),
        "xor" => punctuator(b"^"),
        "compl" => punctuator(b"~"),
        _ => return None,
    })
}

fn binary_operator(token: &Token) -> Option<(&'static [u8], u32)> {
    const OPERATORS: &[(&[u8], u32)] = &[
        (b"||", 1),
        (b"&&", 2),
        (b"|", 3),
        (b"^", 4),
        (b"&", 5),
        (b"==", 6),
        (b"!=", 6),
        (b"<", 7),
        (b">", 7),
        (b"<=", 7),
        (b">=", 7),
        (b"<<", 8),
        (b">>", 8),
        (b"+", 9),
        (b"-", 9),
        (b"*", 10),
        (b"/", 10),
        (b"%", 10),
    ];
    if token.kind == Kind::Name {
        return None;
    }
    OPERATORS
        .iter()
        .find(|(spelling, _)| token.is(punctuator(spelling)))
        .copied()
}

fn apply(operator: &[u8], left: Value, right: Value, live: bool) -> Outcome {
    let (a, b) = (left.bits, right.bits);
    let unsigned = left.unsigned || right.unsigned;
    let arithmetic = |bits: i64| Ok(Value { bits, unsigned });
    let order = if unsigned {
        (a as u64).cmp(&(b as u64))
    } else {
        a.cmp(&b)
    };
    match operator {
        b"||" => Ok(Value::truth(a != 0 || b != 0)),
        b"&&" => Ok(Value::truth(a != 0 && b != 0)),
        b"|" => arithmetic(a | b),
        b"^" => arithmetic(a ^ b),
        b"&" => arithmetic(a & b),
        b"==" => Ok(Value::truth(a == b)),
        b"!=" => Ok(Value::truth(a != b)),
        b"<" => Ok(Value::truth(order.is_lt())),
        b">" => Ok(Value::truth(order.is_gt())),
        b"<=" => Ok(Value::truth(order.is_le())),
        b">=" => Ok(Value::truth(order.is_ge())),
        b"<<" | b">>" => {
            // A negative count shifts the other way, as in GCC; 64 and more shift everything out.
            let backwards = b < 0 && !right.unsigned;
            let count = if backwards {
                b.unsigned_abs()
            } else {
                b as u64
            };
            let count = count.min(64) as u32;
            let leftwards = (operator == b"<<") != backwards;
            let bits = match (leftwards, left.unsigned) {
                (true, _) => a.checked_shl(count).unwrap_or(0),
                (false, true) => (a as u64).checked_shr(count).unwrap_or(0) as i64,
                (false, false) => a >> count.min(63),
            };
            Ok(Value {
                bits,
                unsigned: left.unsigned,
            })
        }
        b"+" => arithmetic(a.wrapping_add(b)),
        b"-" => arithmetic(a.wrapping_sub(b)),
        b"*" => arithmetic(a.wrapping_mul(b)),
        _ if b == 0 && live => Err("it divides by zero".to_owned()),
        _ if b == 0 => arithmetic(0),
        b"/" if unsigned => arithmetic(((a as u64) / (b as u64)) as i64),
        b"/" => arithmetic(a.wrapping_div(b)),
        b"%" if unsigned => arithmetic(((a as u64) % (b as u64)) as i64),
        _ => arithmetic(a.wrapping_rem(b)),
    }
}

fn number(text: &str) -> Outcome {
    let digits: String = text
        .chars()
        .filter(|&character| character != '\'')
        .collect();
    let lower = digits.to_ascii_lowercase();
    let (radix, rest) = if let Some(rest) = lower.strip_prefix("0x") {
        (16, rest)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (2, rest)
    } else if lower.len() > 1 && lower.starts_with('0') {
        (8, &lower[1..])
    } else {
        (10, lower.as_str())
    };
    let end = rest
        .find(|character: char| !character.is_digit(radix))
        .unwrap_or(rest.len());
    let (value, suffix) = rest.split_at(end);
    let unsigned = matches!(suffix, "u" | "ul" | "ull" | "lu" | "llu" | "uz" | "zu");
    if !unsigned && !matches!(suffix, "" | "l" | "ll" | "z") {
        return Err(format!("`{}` is no integer", shorten(text)));
    }
    if value.is_empty() && radix != 8 {
        return Err(format!("`{}` is no integer", shorten(text)));
    }
    let value = if value.is_empty() {
        Ok(0)
    } else {
        u64::from_str_radix(value, radix)
    };
    match value {
        Ok(value) => Ok(Value {
            bits: value as i64,
            unsigned: unsigned || value > i64::MAX as u64,
        }),
        Err(_) => Err(format!("`{}` is too large", shorten(text))),
    }
}

fn character(text: &str) -> Outcome {
    let inner = text
        .split_once('\'')
        .and_then(|(_, rest)| rest.strip_suffix('\''))
        .unwrap_or("");
    let mut characters = inner.chars();
    let value = match (characters.next(), characters.next()) {
        (Some('\\'), Some(escape)) => match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'x' => i64::from_str_radix(characters.as_str(), 16)
                .map_err(|_| "a bad character".to_owned())?,
            '0'..='7' => {
                i64::from_str_radix(&inner[1..], 8).map_err(|_| "a bad character".to_owned())?
            }
            other => i64::from(u32::from(other)),
        },
        (Some(first), None) => i64::from(u32::from(first)),
        (None, _) => return Err("an empty character".to_owned()),
        (Some(_), Some(_)) => return Err("a character literal of several characters".to_owned()),
    };
    Ok(Value {
        bits: value,
        unsigned: false,
    })
}
