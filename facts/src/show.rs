//! Terms as people read them: C-like text with the names of the source.
//!
//! The text is for findings and reasons, not for reading back. Conversions that keep every value
//! are left out, and so are those that C makes by itself ([`conversions`]); a value of a loop variable is shown by the variable's name; indices are shown in
//! elements, one pair of brackets a dimension, when the byte offset can be divided so. Whatever
//! the term, the text is short: what is too deep or too long is cut with `…`.

mod conversions;
mod index;

use rustc_hash::FxHashMap;

use crate::ctype::CType;
use crate::facts::Facts;
use crate::ids::{AccessId, ArrayId, LoopId, TermId};
use crate::term::{Axis, Op, Term};

/// Most characters of a text.
const MAX_CHARS: usize = 160;
/// Most nodes shown in a text, so that a shared term is not unfolded without end.
const MAX_NODES: usize = 120;
/// Deepest nesting shown.
const MAX_DEPTH: usize = 32;

/// A term as C-like text, loop variables by name.
pub fn show(facts: &Facts, term: TermId) -> String {
    Show::new(facts).term(term)
}

/// How strongly a text binds, as in C's grammar.
type Strength = u32;

const TERNARY: Strength = 1;
const UNARY: Strength = 12;
const PRIMARY: Strength = 13;

/// The binding strength of C's binary operators.
fn strength(op: &str) -> Strength {
    match op {
        "||" => 2,
        "&&" => 3,
        "|" => 4,
        "^" => 5,
        "&" => 6,
        "==" | "!=" => 7,
        "<" | "<=" | ">" | ">=" => 8,
        "<<" | ">>" => 9,
        "+" | "-" => 10,
        _ => 11,
    }
}

/// A text with how strongly its outermost operator binds.
struct Piece {
    text: String,
    strength: Strength,
}

impl Piece {
    fn primary(text: impl Into<String>) -> Self {
        Piece {
            text: text.into(),
            strength: PRIMARY,
        }
    }

    /// The text, in parentheses when it binds less strongly than asked for.
    fn at_least(self, strength: Strength) -> String {
        if self.strength < strength {
            format!("({})", self.text)
        } else {
            self.text
        }
    }
}

/// Shows the terms of a fact set.
pub struct Show<'a> {
    facts: &'a Facts,
    /// Values of loop variables.
    variables: FxHashMap<TermId, &'a str>,
}

impl<'a> Show<'a> {
    /// Shows the values of loop variables by the variables' names.
    pub fn new(facts: &'a Facts) -> Self {
        let mut variables: FxHashMap<TermId, &str> = FxHashMap::default();
        for row in &facts.loop_variable {
            let varies = facts.terms.reachable(&[row.term]).iter().any(|&id| {
                let term = facts.terms.get(id);
                term.op == Op::Iter && term.loop_id() == Some(row.loop_id)
            });
            if varies {
                variables.entry(row.term).or_insert(&row.name);
            }
        }
        Show { facts, variables }
    }

    /// Shows loop ordinals as `iter(L3)`.
    pub fn without_variables(facts: &'a Facts) -> Self {
        Show {
            facts,
            variables: FxHashMap::default(),
        }
    }

    /// A term.
    pub fn term(&self, term: TermId) -> String {
        cut(&Unfolding {
            show: self,
            left: MAX_NODES,
        }
        .piece(term, 0)
        .text)
    }

    /// A conjunct: a term that has this truth value.
    pub fn conjunct(&self, term: TermId, polarity: bool) -> String {
        let mut unfolding = Unfolding {
            show: self,
            left: MAX_NODES,
        };
        let piece = if polarity {
            unfolding.piece(term, 0)
        } else {
            unfolding.negated(term, 0)
        };
        cut(&piece.text)
    }

    /// An element of an array at a byte offset: `s[threadIdx.x + 1]`.
    pub fn element(&self, array: ArrayId, index: TermId) -> String {
        cut(&Unfolding {
            show: self,
            left: MAX_NODES,
        }
        .element(array, index, 0))
    }

    /// What an access accesses.
    pub fn access(&self, access: AccessId) -> String {
        let row = &self.facts.access[access.index()];
        self.element(row.array, row.index)
    }

    /// A loop, by the name of its first variable if it has one: `loop over i`, `loop L3`.
    pub fn loop_name(&self, loop_id: LoopId) -> String {
        match self
            .facts
            .loop_variable
            .iter()
            .find(|row| row.loop_id == loop_id)
        {
            Some(row) => format!("loop over {}", row.name),
            None => format!("loop L{}", loop_id.0),
        }
    }
}

/// The text cut to the longest that is shown, line ends as spaces.
fn cut(text: &str) -> String {
    let mut shown: String = text
        .chars()
        .take(MAX_CHARS)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(MAX_CHARS).is_some() {
        shown.push('…');
    }
    shown
}

/// The name of a type in C.
fn type_name(ty: CType) -> &'static str {
    match ty {
        CType::Bool => "bool",
        CType::I8 => "signed char",
        CType::U8 => "unsigned char",
        CType::I16 => "short",
        CType::U16 => "unsigned short",
        CType::I32 => "int",
        CType::U32 => "unsigned",
        CType::I64 => "long",
        CType::U64 => "unsigned long",
        CType::F32 => "float",
        CType::F64 => "double",
        CType::Opaque => "opaque",
    }
}

/// One text in the making.
struct Unfolding<'s, 'a> {
    show: &'s Show<'a>,
    /// Nodes that may still be shown.
    left: usize,
}

impl Unfolding<'_, '_> {
    fn term(&self, id: TermId) -> &Term {
        self.show.facts.terms.get(id)
    }

    fn piece(&mut self, id: TermId, depth: usize) -> Piece {
        if self.left == 0 || depth > MAX_DEPTH {
            return Piece::primary("…");
        }
        self.left -= 1;
        if let Some(name) = self.show.variables.get(&id) {
            return Piece::primary(*name);
        }
        let facts = self.show.facts;
        let term = facts.terms.get(id);
        let args = term.args.as_slice();
        let infix = match term.op {
            Op::Add => "+",
            Op::Sub => "-",
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
            Op::BitAnd => "&",
            Op::BitOr => "|",
            Op::BitXor => "^",
            Op::Shl => "<<",
            Op::Shr => ">>",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::And => "&&",
            Op::Or => "||",
            _ => "",
        };
        if !infix.is_empty() {
            return match *args {
                [left, right] => self.infix(infix, left, right, depth),
                _ => Piece::primary("…"),
            };
        }
        match (term.op, args) {
            (Op::Const, _) => constant(term),
            (Op::Symbol, _) => Piece::primary(
                match term.symbol().and_then(|id| facts.symbol.get(id.index())) {
                    Some(row) => row.name.clone(),
                    None => "…".to_owned(),
                },
            ),
            (Op::Iter, _) => Piece::primary(format!("iter(L{})", term.payload)),
            (Op::Exit, _) => Piece::primary(format!("exit(L{})", term.payload)),
            (Op::Unknown, _) => {
                let reason = term.unknown().and_then(|id| facts.unknown.get(id.index()));
                let reason: String = reason
                    .map_or("…", |row| &row.reason)
                    .chars()
                    .take(60)
                    .collect();
                Piece::primary(format!("⟨{reason}⟩"))
            }
            (Op::Load, &[index]) => match term.access().and_then(|id| facts.access.get(id.index()))
            {
                Some(row) => Piece::primary(self.element(row.array, index, depth)),
                None => Piece::primary("…"),
            },
            (Op::Neg, &[arg]) => self.prefix("-", arg, depth),
            (Op::BitNot, &[arg]) => self.prefix("~", arg, depth),
            (Op::Not, &[arg]) => self.negated(arg, depth),
            (Op::Ite, &[condition, then, otherwise]) => {
                let condition = self.piece(condition, depth + 1).at_least(TERNARY + 1);
                let then = self.piece(then, depth + 1).at_least(TERNARY + 1);
                let otherwise = self.piece(otherwise, depth + 1).at_least(TERNARY);
                Piece {
                    text: format!("{condition} ? {then} : {otherwise}"),
                    strength: TERNARY,
                }
            }
            (Op::Fit, &[arg]) => self.piece(arg, depth + 1),
            (Op::Cast, &[arg]) if self.keeps_values(arg, term.ty) => self.piece(arg, depth + 1),
            (Op::Cast, &[arg]) => self.prefix(&format!("({})", type_name(term.ty)), arg, depth),
            (Op::MulPow, &[start, count]) => {
                self.power("*", "<<", term.payload, start, count, depth)
            }
            (Op::DivPow, &[start, count]) => {
                self.power("/", ">>", term.payload, start, count, depth)
            }
            (Op::Pure, _) => self.pure(term, depth),
            (op, _) => match builtin(op) {
                Some(name) if args.is_empty() => Piece::primary(name),
                _ => self.call(function(op), args, depth),
            },
        }
    }

    fn infix(&mut self, op: &str, left: TermId, right: TermId, depth: usize) -> Piece {
        // `0 < n` reads better as `n > 0`.
        let is_const = |id: TermId| self.term(id).op == Op::Const;
        let (op, left, right) = match op {
            "<" if is_const(left) && !is_const(right) => (">", right, left),
            "<=" if is_const(left) && !is_const(right) => (">=", right, left),
            _ => (op, left, right),
        };
        let strength = strength(op);
        let (left, right) = match (self.by_itself(left, right), self.by_itself(right, left)) {
            // What is shifted has a type of its own.
            _ if matches!(op, "<<" | ">>") => (left, right),
            (Some(plain), _) => (plain, right),
            (None, plain) => (left, plain.unwrap_or(right)),
        };
        let left = self.piece(left, depth + 1).at_least(strength);
        let right = self.piece(right, depth + 1).at_least(strength + 1);
        Piece {
            text: format!("{left} {op} {right}"),
            strength,
        }
    }

    fn prefix(&mut self, op: &str, arg: TermId, depth: usize) -> Piece {
        let arg = self.piece(arg, depth + 1).at_least(UNARY);
        // `- -1`, not the decrement operator.
        let gap = if op == "-" && arg.starts_with('-') {
            " "
        } else {
            ""
        };
        Piece {
            text: format!("{op}{gap}{arg}"),
            strength: UNARY,
        }
    }

    /// The negation of a condition.
    fn negated(&mut self, id: TermId, depth: usize) -> Piece {
        let term = self.term(id);
        let flipped = match (term.op, term.args.as_slice()) {
            (Op::Eq, &[left, right]) => Some(("!=", left, right)),
            (Op::Ne, &[left, right]) => Some(("==", left, right)),
            (Op::Lt, &[left, right]) if self.term(left).op == Op::Const => {
                Some(("<=", right, left))
            }
            (Op::Lt, &[left, right]) => Some((">=", left, right)),
            (Op::Le, &[left, right]) if self.term(left).op == Op::Const => Some(("<", right, left)),
            (Op::Le, &[left, right]) => Some((">", left, right)),
            _ => None,
        };
        match (flipped, term.op, term.args.as_slice()) {
            (Some((op, left, right)), ..) => self.infix(op, left, right, depth),
            (None, Op::Not, &[inner]) => self.piece(inner, depth + 1),
            _ => self.prefix("!", id, depth),
        }
    }

    fn power(
        &mut self,
        op: &str,
        shift: &str,
        base: i128,
        start: TermId,
        count: TermId,
        depth: usize,
    ) -> Piece {
        if base == 2 {
            return self.infix(shift, start, count, depth);
        }
        let strength = strength(op);
        let start = self.piece(start, depth + 1).at_least(strength);
        let count = self.piece(count, depth + 1).text;
        Piece {
            text: format!("{start} {op} pow({base}, {count})"),
            strength,
        }
    }

    fn pure(&mut self, term: &Term, depth: usize) -> Piece {
        let row = term
            .function()
            .and_then(|id| self.show.facts.pure_function.get(id.index()));
        let name: &str = row.map_or("…", |row| &row.name);
        let last = name.rsplit(' ').next().unwrap_or(name);
        match term.args.as_slice() {
            &[arg] if name.starts_with("conversion from ") => {
                self.prefix(&format!("({})", type_name(term.ty)), arg, depth)
            }
            &[arg] if name == "float negation" => self.prefix("-", arg, depth),
            &[left, right] if name.starts_with("floating-point ") && name != last => {
                self.infix(last, left, right, depth)
            }
            args => self.call(name, args, depth),
        }
    }

    fn call(&mut self, name: &str, args: &[TermId], depth: usize) -> Piece {
        let mut texts = Vec::new();
        for &arg in args {
            if self.left == 0 {
                texts.push("…".to_owned());
                break;
            }
            texts.push(self.piece(arg, depth + 1).text);
        }
        Piece::primary(format!("{name}({})", texts.join(", ")))
    }
}

fn constant(term: &Term) -> Piece {
    let value = term.payload;
    let text = match term.ty {
        CType::Bool => if value != 0 { "true" } else { "false" }.to_owned(),
        CType::F32 => match u32::try_from(value) {
            Ok(bits) => format!("{:?}f", f32::from_bits(bits)),
            Err(_) => value.to_string(),
        },
        CType::F64 => match u64::try_from(value) {
            Ok(bits) => format!("{:?}", f64::from_bits(bits)),
            Err(_) => value.to_string(),
        },
        ty if ty.is_unsigned() && value >= 1 << 31 => format!("0x{value:x}"),
        _ => value.to_string(),
    };
    let strength = if text.starts_with('-') {
        UNARY
    } else {
        PRIMARY
    };
    Piece { text, strength }
}

/// The name of a builtin variable.
fn builtin(op: Op) -> Option<String> {
    Axis::ALL.into_iter().find_map(|axis| {
        let named = [
            (axis.tid(), "threadIdx"),
            (axis.bid(), "blockIdx"),
            (axis.bdim(), "blockDim"),
            (axis.gdim(), "gridDim"),
        ];
        named
            .into_iter()
            .find(|&(builtin, _)| builtin == op)
            .map(|(_, name)| format!("{name}.{}", axis.name()))
    })
}

/// The name of an operator that is written as a function.
fn function(op: Op) -> &'static str {
    match op {
        Op::Popc => "__popc",
        Op::Clz => "__clz",
        Op::Ffs => "__ffs",
        Op::Brev => "__brev",
        Op::MulHi => "__mulhi",
        other => other.name(),
    }
}
