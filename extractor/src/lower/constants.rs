//! Arrays whose elements are known: constant ones of the unit, and those of a thread.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::body::Lowerer;
use super::objects::leaves;
use super::types::{Extent, Ty, TypeScope};
use super::value::{Base, LocalArray, Value};
use crate::syntax::ast::*;

/// Most elements of an array that are kept, and most of those that are told apart at a place that varies.
const MAX_ELEMENTS: usize = 4096;
const MAX_CHOICES: usize = 16;

/// Most letters of a string by which it is called.
const MAX_LETTERS: usize = 40;

/// Whether a name is that of the function that is executed.
pub(crate) fn is_name_of_function(name: &Name) -> bool {
    let words = ["__func__", "__FUNCTION__", "__PRETTY_FUNCTION__"];
    name.as_simple()
        .is_some_and(|simple| words.contains(&simple))
}

impl Lowerer<'_, '_> {
    /// The element at an offset of an array that nothing changes: one of its initialisers.
    pub(super) fn constant_element(
        &mut self,
        array: ArrayId,
        offset: TermId,
        ty: CType,
    ) -> Option<TermId> {
        let Some((element, values)) = self.constants.get(&array).cloned() else {
            return self.letter_not_told(array, ty);
        };
        let bytes = i128::from(element.bytes()?);
        if element != ty {
            return None;
        }
        if let Some(offset) = self.facts.terms.as_const(offset) {
            let index = usize::try_from(offset / bytes).ok()?;
            let value = *values.get(index).filter(|_| offset % bytes == 0)?;
            return Some(self.facts.terms.constant(value, ty));
        }
        if values.len() > MAX_CHOICES {
            return self.letter_not_told(array, ty);
        }
        let constants = values
            .iter()
            .map(|value| self.facts.terms.constant(*value, ty));
        let elements: Vec<TermId> = constants.collect();
        self.one_of(&elements, bytes, offset)
    }

    /// A pointer to a string that stands in the text. Its letters are known where they are plain ones.
    pub(crate) fn literal(&mut self, text: &str, range: Range) -> Value {
        let is_plain = text
            .bytes()
            .all(|byte| byte.is_ascii_graphic() || byte == b' ');
        let letters: Option<Vec<i128>> = (is_plain && !text.contains('\\')).then(|| {
            let end = std::iter::once(0);
            text.bytes().map(i128::from).chain(end).collect()
        });
        let extent = match &letters {
            Some(letters) => Extent::Constant(letters.len() as u64),
            None => Extent::Unknown,
        };
        self.text_in_memory(format!("\"{text}\""), extent, letters, range)
    }

    /// The name of the function that is executed, `__func__`, as a string whose letters are not told.
    pub(crate) fn named_function(&mut self, word: &str, range: Range) -> Value {
        self.text_in_memory(format!("\"{word}\""), Extent::Unknown, None, range)
    }

    fn text_in_memory(
        &mut self,
        name: String,
        extent: Extent,
        letters: Option<Vec<i128>>,
        range: Range,
    ) -> Value {
        let letter = Ty::Scalar(CType::I8);
        let array = match self.globals.get(&name) {
            Some(&array) => array,
            None => {
                let ty = Ty::Array(Rc::new(letter.clone()), extent);
                let called: String = name.chars().take(MAX_LETTERS).collect();
                let array = self.array(&called, Space::Constant, &ty, range);
                self.globals.insert(name, array);
                if let Some(letters) = letters {
                    self.constants.insert(array, (CType::I8, Rc::new(letters)));
                }
                array
            }
        };
        Value::Pointer(self.pointer(Base::Array(array), letter))
    }

    /// What a string holds at a place is no input, whatever it is.
    fn letter_not_told(&mut self, array: ArrayId, ty: CType) -> Option<TermId> {
        let row = &self.facts.array[array.index()];
        if !row.name.starts_with('"') {
            return None;
        }
        let range = Range::default();
        Some(self.unknown("a letter of a string", range, ty, true))
    }

    /// The number of a local array at a place that varies: one of those that it holds.
    pub(super) fn one_of_numbers(
        &mut self,
        declared: &Ty,
        local: &LocalArray,
        offset: TermId,
        ty: CType,
    ) -> Option<TermId> {
        let bytes = i128::from(ty.bits()? / 8);
        let slots = leaves(declared)?;
        if slots.is_empty() || slots.len() > MAX_CHOICES {
            return None;
        }
        let mut elements = Vec::with_capacity(slots.len());
        for (index, (at, leaf)) in slots.into_iter().enumerate() {
            let at = i128::from(at);
            if leaf != Ty::Scalar(ty) || at != index as i128 * bytes {
                return None;
            }
            match local.known.get(&at)? {
                Value::Term(term) if self.facts.terms.ty(*term) == ty => elements.push(*term),
                _ => return None,
            }
        }
        self.one_of(&elements, bytes, offset)
    }

    /// The element that stands at an offset.
    fn one_of(&mut self, elements: &[TermId], bytes: i128, offset: TermId) -> Option<TermId> {
        let (last, others) = elements.split_last()?;
        let mut found = *last;
        for (index, &value) in others.iter().enumerate().rev() {
            let at = self.facts.terms.constant(index as i128 * bytes, CType::I64);
            let here = self.facts.terms.binary(Op::Eq, CType::Bool, offset, at);
            found = self.facts.terms.ite(here, value, found);
        }
        Some(found)
    }

    /// The initialisers of a constant number, or of the numbers of a constant array, in the order in which they lie in memory.
    pub(super) fn initialisers(&mut self, global: &VarDecl, ty: &Ty) -> Option<(CType, Vec<i128>)> {
        let mut written = &global.ty;
        let mut is_const = written.is_const || global.storage.constexpr;
        let mut is_volatile = written.is_volatile;
        let mut element = ty;
        while let (Ty::Array(inner, _), TypeKind::Array(of, _)) = (element, &written.kind) {
            (element, written) = (inner, of);
            is_const |= written.is_const;
            is_volatile |= written.is_volatile;
        }
        let Ty::Scalar(ctype) = *element else {
            return None;
        };
        let is_const = is_const
            || global.storage.is_static
                && nothing_changes(self.sources.unit(), &global.name, dimensions(ty));
        let is_number = ctype.is_integer() || matches!(ctype, CType::F32 | CType::F64);
        if !is_number || !is_const || is_volatile || !global.template.is_empty() {
            return None;
        }
        let inside = TypeScope {
            path: super::unit::enclosing(&global.name).to_owned(),
            ..TypeScope::default()
        };
        let mut values = Vec::new();
        match (&global.init, ty) {
            (Init::Expr(init) | Init::List(init), _) => {
                self.numbers_of(init, ty, ctype, &inside, &mut values)?;
            }
            (Init::Call(args), Ty::Scalar(_)) => match args.as_slice() {
                [init] => self.numbers_of(init, ty, ctype, &inside, &mut values)?,
                _ => return None,
            },
            _ => return None,
        }
        Some((ctype, values))
    }

    /// Whether a declaration surely gives zeros to a number, or to all numbers of an array; one without an initialiser does.
    pub(super) fn begins_with_zeros(&mut self, global: &VarDecl, ty: &Ty) -> bool {
        let mut element = ty;
        while let Ty::Array(inner, _) = element {
            element = inner;
        }
        let Ty::Scalar(ctype) = *element else {
            return false;
        };
        let inside = TypeScope {
            path: super::unit::enclosing(&global.name).to_owned(),
            ..TypeScope::default()
        };
        let mut values = Vec::new();
        let known = match &global.init {
            Init::None => Some(()),
            Init::Expr(init) | Init::List(init) if ctype.is_integer() => {
                self.numbers_of(init, ty, ctype, &inside, &mut values)
            }
            Init::Call(args) if ctype.is_integer() => match args.as_slice() {
                [init] => self.numbers_of(init, ty, ctype, &inside, &mut values),
                _ => None,
            },
            _ => None,
        };
        known.is_some() && values.iter().all(|value| *value == 0)
    }

    /// The numbers that an initialiser of a type gives, behind one another. Lists that leave out the braces of inner arrays are not
    /// read.
    fn numbers_of(
        &mut self,
        init: &Expr,
        ty: &Ty,
        ctype: CType,
        inside: &TypeScope,
        values: &mut Vec<i128>,
    ) -> Option<()> {
        match (ty, &init.kind) {
            (Ty::Array(element, extent), ExprKind::InitList(items)) => {
                let count = match extent {
                    Extent::Constant(count) => usize::try_from(*count).ok()?,
                    _ => items.len(),
                };
                if count < items.len() {
                    return None;
                }
                for item in items {
                    self.numbers_of(item, element, ctype, inside, values)?;
                }
                let rest = numbers_in(element)?.checked_mul(count - items.len())?;
                let filled = values.len().checked_add(rest)?;
                if filled > MAX_ELEMENTS {
                    return None;
                }
                values.resize(filled, 0);
            }
            (Ty::Array(..), _) => return None,
            (_, ExprKind::InitList(items)) => match items.as_slice() {
                [] => values.push(0),
                [item] => self.numbers_of(item, ty, ctype, inside, values)?,
                _ => return None,
            },
            _ => {
                let value = self.within(inside.clone(), |me| me.expr(init));
                let Value::Term(term) = value else {
                    return None;
                };
                if !ctype.is_integer() {
                    let term = self.cast_term(term, ctype);
                    let known = self.facts.terms.get(term);
                    values.push((known.op == Op::Const).then_some(known.payload)?);
                    return Some(());
                }
                let value = self.facts.terms.as_const(term)?;
                values.push(match ctype {
                    CType::Bool => i128::from(value != 0),
                    _ => ctype.wrap(value),
                });
            }
        }
        Some(())
    }
}

/// How many numbers lie in an object of a type.
fn numbers_in(ty: &Ty) -> Option<usize> {
    match ty {
        Ty::Array(element, Extent::Constant(count)) => {
            numbers_in(element)?.checked_mul(usize::try_from(*count).ok()?)
        }
        Ty::Scalar(_) => Some(1),
        _ => None,
    }
}

/// Whether nothing in a text may change a variable that other texts cannot name: it is named in its declaration, and else where a number of it
/// is taken. What is done with its address, or by a function that it is passed to, is not followed.
fn nothing_changes(text: &str, variable: &str, dimensions: usize) -> bool {
    let name = variable.rsplit("::").next().unwrap_or(variable);
    let is_part = |sign: char| sign.is_alphanumeric() || sign == '_';
    let mut declared = 0;
    let only_read = text.match_indices(name).all(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        if before.ends_with(is_part) || behind.starts_with(is_part) {
            return true;
        }
        if is_declaration(before) {
            declared += 1;
            return true;
        }
        is_read(before, behind, dimensions)
    });
    only_read && declared == 1
}

/// How many subscripts name an element.
fn dimensions(ty: &Ty) -> usize {
    match ty {
        Ty::Array(element, _) => 1 + dimensions(element),
        _ => 0,
    }
}

/// Whether what stands before a name is the beginning of the declaration of a variable that threads share.
fn is_declaration(before: &str) -> bool {
    let start = before
        .rfind([';', '{', '}', '(', ')'])
        .map_or(0, |at| at + 1);
    let mut words = before[start..].split_whitespace();
    words.any(|word| ["__constant__", "__device__", "static"].contains(&word))
}

/// Whether a name stands where its number is taken, or one of its elements, which has so many subscripts.
fn is_read(before: &str, behind: &str, dimensions: usize) -> bool {
    let (before, mut behind) = (before.trim_end(), behind.trim_start());
    let mut subscripts = 0;
    while behind.starts_with('[') {
        let mut depth = 0_usize;
        let end = behind.find(|sign| {
            match sign {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some(end) = end else { return false };
        behind = behind[end + 1..].trim_start();
        subscripts += 1;
    }
    if subscripts != dimensions {
        return false;
    }
    if before.ends_with('&') || before.ends_with("++") || before.ends_with("--") {
        return false;
    }
    let operators = [
        "*", "+", "-", "/", "%", "<", ">", "?", "&&", "||", "==", "!=",
    ];
    let assigns = ["++", "--", "+=", "-=", "*=", "/=", "%=", "<<", ">>"];
    let is_left = operators.iter().any(|sign| behind.starts_with(sign))
        && !assigns.iter().any(|sign| behind.starts_with(sign));
    let is_right = operators.iter().any(|sign| before.ends_with(sign)) || before.ends_with('[');
    // `x = c[i];` takes a number, `int &x = c[i];` and `auto *x = c;` do not.
    let statement = before.rfind([';', '{', '}']).map_or(0, |at| at + 1);
    let statement = &before[statement..];
    let is_assigned =
        before.ends_with('=') && !statement.contains(['&', '*']) && !statement.contains("auto");
    (is_left || is_right || is_assigned && behind.starts_with(';')) && !behind.starts_with('=')
        || behind.starts_with("==")
}

#[cfg(test)]
mod tests {
    use super::nothing_changes;

    #[test]
    fn what_is_only_read_is_told() {
        let declared = "static __constant__ int C[4] = { 1, 2 };\n";
        for (text, expected) in [
            ("void k(int *o, int i) { o[i] = C[i & 3]; }", true),
            (
                "void k(int *o, int i) { o[i] = 2 * C[i] + 1; int CC = 0; }",
                true,
            ),
            ("void k(int *o, int i) { if (C[i] == 3) o[i] = 1; }", true),
            ("void k(int *o, int i) { C[i] = 3; }", false),
            ("void k(int *o, int i) { C[i] += 3; }", false),
            ("void k(int *o, int i) { C[i]++; ++C[i]; }", false),
            ("void k(int *o, int i) { atomicAdd(&C[i], 1); }", false),
            ("void k(int *o, int i) { change(C[i]); }", false),
            ("void k(int *o, int i) { int &c = C[i]; c = 1; }", false),
            ("void k(int *o, int i) { auto c = C; c[0] = 1; }", false),
            ("void k(int *o, int i) { int *c = C + 1; }", false),
            ("void k(int *o, int i) { *C = 1; }", false),
            ("void k(int *o, int i) { *(C + 1) = 1; }", false),
            ("void host(int *h) { cudaMemcpyToSymbol(C, h, 16); }", false),
            (
                "void host() { void *p; cudaGetSymbolAddress(&p, C); }",
                false,
            ),
        ] {
            assert_eq!(
                nothing_changes(&format!("{declared}{text}"), "C", 1),
                expected,
                "{text}"
            );
        }
    }
}
