//! The template of an inline assembly, read into instructions.
//!
//! **Accuracy contract.** A template is read whole or not at all. Labels, declarations of variables and named operands are not
//! read. Source: PTX ISA 8.5, chapters 4 and 8.

/// `@!p ld.global.u32 %0, [%1+4];`
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Instruction {
    /// The register of the predicate, and whether its negation is meant.
    pub predicate: Option<(String, bool)>,
    /// `ld`, `global`, `u32`
    pub opcode: Vec<String>,
    pub operands: Vec<Operand>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Operand {
    /// A register, `%0`, `%%tid.x`, `_` or a number, as written.
    Word(String),
    /// `[%1+4]`
    Address(String, i64),
    /// `[%1, {%2, %3}]`: a tensor map, and coordinates.
    Tensor(String, Vec<String>),
    /// `{%0, %1}`
    Vector(Vec<String>),
    /// `d|p`
    Pair(String, String),
}

/// The instructions of a template, in order.
pub(super) fn parse(template: &str) -> Option<Vec<Instruction>> {
    let text = unescaped(template);
    let lines = text.lines();
    let text: Vec<&str> = lines
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect();
    let mut found = Vec::new();
    for statement in text.join("\n").split(';') {
        // Braces that open and close a scope.
        let statement =
            statement.trim_start_matches(|c: char| c.is_whitespace() || c == '{' || c == '}');
        let statement = statement.trim_end();
        if statement.is_empty() || is_declaration(statement) {
            continue;
        }
        found.push(instruction(statement)?);
    }
    Some(found)
}

/// A template that goes round one wait until it is true: `L: mbarrier.try_wait… p, …; @p bra D; bra L; D:`, or `@!p bra L;`. The wait has
/// a mark behind its opcode.
pub(super) fn until_true(template: &str) -> Option<Vec<Instruction>> {
    let text = unescaped(template);
    let lines = text.lines();
    let text: Vec<&str> = lines
        .map(|line| line.split("//").next().unwrap_or(""))
        .collect();
    let trimmed = |text: &str| -> String {
        let is_edge = |c: char| c.is_whitespace() || c == '{' || c == '}';
        text.trim_matches(is_edge).to_owned()
    };
    let is_label = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '=');
    let (mut labels, mut statements) = (Vec::new(), Vec::new());
    for piece in text.join("\n").split(';') {
        let mut rest = trimmed(piece);
        while let Some((label, after)) = rest.split_once(':') {
            if label.is_empty() || !label.chars().all(is_label) || after.starts_with(':') {
                break;
            }
            labels.push(label.to_owned());
            rest = trimmed(after);
        }
        if rest.is_empty() || labels.is_empty() && is_declaration(&rest) {
            continue;
        }
        statements.push((std::mem::take(&mut labels), rest));
    }
    let [(own, wait), branches @ ..] = statements.as_slice() else {
        return None;
    };
    let words = |text: &str| -> Vec<String> {
        text.replace("bra.uni", "bra")
            .split_whitespace()
            .map(str::to_owned)
            .collect()
    };
    let mut wait = instruction(wait)?;
    let Some(Operand::Word(told)) = wait.operands.first() else {
        return None;
    };
    let waits = matches!(
        wait.opcode.get(1).map(String::as_str),
        Some("try_wait" | "test_wait")
    );
    let goes_round = match branches {
        [(none, back)] => {
            let back = words(back);
            let [on, bra, to] = back.as_slice() else {
                return None;
            };
            none.is_empty() && *on == format!("@!{told}") && bra == "bra" && own.contains(to)
        }
        [(none, out), (still, back)] => {
            let (out, back) = (words(out), words(back));
            let ([on, bra, end], [again, to]) = (out.as_slice(), back.as_slice()) else {
                return None;
            };
            let leaves = *on == format!("@{told}") && bra == "bra" && labels.contains(end);
            none.is_empty() && still.is_empty() && leaves && again == "bra" && own.contains(to)
        }
        _ => false,
    };
    if !waits || !goes_round || wait.predicate.is_some() {
        return None;
    }
    wait.opcode.push(super::phases::SPINS.to_owned());
    Some(vec![wait])
}

/// Line ends and tabs in place of their escapes; splices removed.
fn unescaped(template: &str) -> String {
    template
        .replace("\\\n", "")
        .replace("\\n", "\n")
        .replace("\\t", " ")
        .replace("\\r", " ")
}

/// `.reg .pred p`
fn is_declaration(statement: &str) -> bool {
    [".reg", ".loc", ".pragma"]
        .iter()
        .any(|word| statement.starts_with(word))
}

fn instruction(statement: &str) -> Option<Instruction> {
    let (predicate, rest) = match statement.strip_prefix('@') {
        None => (None, statement),
        Some(rest) => {
            let (register, rest) = rest.trim_start().split_once(char::is_whitespace)?;
            let negated = register.starts_with('!');
            let register = register.trim_start_matches('!').to_owned();
            (Some((register, negated)), rest.trim_start())
        }
    };
    let (opcode, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let is_opcode = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':');
    if opcode.ends_with(':') || opcode.starts_with('.') || !opcode.chars().all(is_opcode) {
        return None;
    }
    let mut read = Vec::new();
    for part in split(operands)? {
        read.push(operand(&part)?);
    }
    Some(Instruction {
        predicate,
        // `L1::no_allocate` is one qualifier.
        opcode: opcode.split('.').map(str::to_owned).collect(),
        operands: read,
    })
}

/// The operands between commas, outside of brackets.
fn split(operands: &str) -> Option<Vec<String>> {
    let mut parts = Vec::new();
    let mut depth = 0i32;
    let mut part = String::new();
    for c in operands.chars() {
        match c {
            '[' | '{' | '(' => depth += 1,
            ']' | '}' | ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(std::mem::take(&mut part).trim().to_owned());
                continue;
            }
            _ => {}
        }
        part.push(c);
    }
    let last = part.trim().to_owned();
    if !last.is_empty() {
        parts.push(last);
    }
    (depth == 0).then_some(parts)
}

fn operand(text: &str) -> Option<Operand> {
    if let Some(inner) = text
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'))
    {
        if let Some((map, at)) = inner.split_once(',') {
            let at = at.trim().strip_prefix('{')?.strip_suffix('}')?;
            let at: Option<Vec<String>> = at.split(',').map(|part| word(part.trim())).collect();
            return Some(Operand::Tensor(word(map.trim())?, at?));
        }
        let (base, offset) = match inner.split_once('+') {
            Some((base, offset)) => (base, number(offset.trim())?),
            None => (inner, 0),
        };
        let offset = i64::try_from(offset).ok()?;
        return Some(Operand::Address(word(base.trim())?, offset));
    }
    if let Some(inner) = text
        .strip_prefix('{')
        .and_then(|rest| rest.strip_suffix('}'))
    {
        let words: Option<Vec<String>> = inner.split(',').map(|part| word(part.trim())).collect();
        return Some(Operand::Vector(words?));
    }
    if let Some((first, second)) = text.split_once('|') {
        return Some(Operand::Pair(word(first.trim())?, word(second.trim())?));
    }
    Some(Operand::Word(word(text)?))
}

fn word(text: &str) -> Option<String> {
    let is_word =
        |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%' | '.' | '-' | '!');
    (!text.is_empty() && text.chars().all(is_word) && !text.contains("%=")).then(|| text.to_owned())
}

/// A number as PTX writes it: decimal, hexadecimal or octal, perhaps negative, perhaps with `U`.
pub(super) fn number(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text),
    };
    let digits = digits.trim_end_matches('U');
    let lower = digits.to_ascii_lowercase();
    let value = if let Some(digits) = lower.strip_prefix("0x") {
        i128::from_str_radix(digits, 16).ok()?
    } else if lower.len() > 1 && lower.starts_with('0') && lower.chars().all(|c| c.is_digit(8)) {
        i128::from_str_radix(&lower, 8).ok()?
    } else {
        lower.parse::<i128>().ok()?
    };
    let fits = value <= i128::from(u64::MAX);
    fits.then_some(if negative { -value } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opcodes(template: &str) -> Option<Vec<String>> {
        let instructions = parse(template)?;
        Some(
            instructions
                .iter()
                .map(|one| one.opcode.join("."))
                .collect(),
        )
    }

    #[test]
    fn instructions_are_told_from_scopes_and_declarations() {
        let template = "{\\n.reg .pred p; .reg .b32 r<4>;\\n\\telect.sync _|p, 0xffffffff;\\n\
                        @!p st.global.v2.u32 [%0+8], {%1, %2}; // store\\n}";
        let read = parse(template).expect("it is read");
        assert_eq!(read[0].opcode, ["elect", "sync"]);
        assert_eq!(
            read[0].operands[0],
            Operand::Pair("_".to_owned(), "p".to_owned())
        );
        assert_eq!(read[1].predicate, Some(("p".to_owned(), true)));
        assert_eq!(
            read[1].operands,
            [
                Operand::Address("%0".to_owned(), 8),
                Operand::Vector(vec!["%1".to_owned(), "%2".to_owned()])
            ]
        );
        assert_eq!(
            opcodes("mov.u32 %0,\\n %1; trap;"),
            Some(vec!["mov.u32".to_owned(), "trap".to_owned()])
        );
    }

    #[test]
    fn what_is_not_understood_is_not_read() {
        for template in [
            "L: bra L;",
            "L:\\n\\tadd.u32 %0, %0, 1;",
            ".shared .b32 x; mov.u32 %0, 1;",
            "mov.u32 %0, %[in];",
            "ld.global.u32 %0, [%1;",
            "ld.global.u32 %0, [%1*4];",
        ] {
            assert_eq!(parse(template), None, "{template}");
        }
    }

    #[test]
    fn numbers() {
        assert_eq!(number("0xFFFFFFFF"), Some(0xffff_ffff));
        assert_eq!(number("-1"), Some(-1));
        assert_eq!(number("017"), Some(15));
        assert_eq!(number("4U"), Some(4));
        assert_eq!(number("0f3F800000"), None);
        assert_eq!(number("r1"), None);
    }
}
