//! A post-condition as it is written, and as a kernel that reads what another one left.
//!
//! **Language.** `for i, j: FORMULA`, where the indices are all numbers that are not negative. A formula is a condition of C over the
//! parameters of the kernel, `P => Q`, or `A && B` of formulas. `a[e]` is what the array holds behind the launches, `old(e)` the
//! expression with what arrays held before, `sum(k in a..b: e)` the sum over `a <= k < b`. `blockDim` and `gridDim` are those of the last
//! launch. In `left == right` integers are compared as numbers, floats as values.
//!
//! **Source.** The post-conditions of G. Li, G. Gopalakrishnan, "Parameterized verification of GPU kernel programs", IPDPSW 2012.

use std::fmt::Write as _;

use warplog_facts::CType;

/// What the names of the generated kernel begin with.
pub const OWN: &str = "warplog_";
/// The array as it was, `warplog_old_a`.
pub const OLD: &str = "warplog_old_";
/// Most indices.
const MAX_INDICES: usize = 3;

/// What the kernel is given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name; fields of an object with dots.
    pub name: String,
    /// Of a scalar, or of the elements of an array.
    pub ty: CType,
    /// Whether it is an array.
    pub is_array: bool,
}

impl Parameter {
    /// The name in the generated kernel.
    #[must_use]
    pub fn identifier(&self) -> String {
        identifier(&self.name)
    }
}

/// A name with dots as one word.
#[must_use]
pub fn identifier(name: &str) -> String {
    match name.contains('.') {
        true => format!("{OWN}{}", name.replace('.', "_")),
        false => name.to_owned(),
    }
}

/// One thing that is claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// As it is written, without its premises.
    pub text: String,
    /// The array that stands alone on the left, if one does.
    pub array: Option<String>,
    /// Whether it says that two values are equal; else that a condition holds.
    pub is_equation: bool,
}

/// A post-condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The names of the indices.
    pub indices: Vec<String>,
    /// What is claimed, in order.
    pub claims: Vec<Claim>,
    /// A kernel `warplog_post_condition` with a block for each tuple of indices, which stores both sides of each claim.
    pub kernel: String,
}

/// A word, a number or an operator.
type Token = String;

/// Operators of more than one character, longest first.
const OPERATORS: &[&str] = &[
    "=>", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "..", "::",
];

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_alphabetic() || first == '_' {
            let is_part = |c: char| c.is_alphanumeric() || c == '_';
            rest.find(|c| !is_part(c)).unwrap_or(rest.len())
        } else if first.is_ascii_digit() || first == '.' && starts_number(&rest[1..]) {
            number(rest)
        } else if let Some(operator) = OPERATORS.iter().find(|one| rest.starts_with(**one)) {
            operator.len()
        } else if "+-*/%<>!~&|^?:()[],.".contains(first) {
            1
        } else {
            return Err(format!("`{first}` is no part of a post-condition"));
        };
        found.push(rest[..length].to_owned());
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

fn starts_number(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_digit())
}

/// The length of a number of C; the dots of `0..n` are no part of it.
fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        let is_dot = byte == b'.' && bytes.get(at + 1) != Some(&b'.');
        let is_sign = matches!(byte, b'+' | b'-')
            && at > 0
            && matches!(bytes[at - 1], b'e' | b'E')
            && !text.starts_with("0x");
        if !(byte.is_ascii_alphanumeric() || is_dot || is_sign) {
            break;
        }
        at += 1;
    }
    at
}

/// The indices between which brackets are opened and closed.
fn depths(tokens: &[Token]) -> Result<Vec<usize>, String> {
    let mut depth = 0usize;
    let mut open: Vec<&str> = Vec::new();
    let mut all = Vec::with_capacity(tokens.len());
    for token in tokens {
        match token.as_str() {
            "(" | "[" => {
                all.push(depth);
                depth += 1;
                open.push(token);
            }
            ")" | "]" => {
                let wanted = if token == ")" { "(" } else { "[" };
                if open.pop() != Some(wanted) {
                    return Err(format!("`{token}` closes nothing"));
                }
                depth -= 1;
                all.push(depth);
            }
            _ => all.push(depth),
        }
    }
    match open.last() {
        Some(open) => Err(format!("`{open}` is not closed")),
        None => Ok(all),
    }
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn joined(tokens: &[Token]) -> String {
    let mut out = String::new();
    for (at, token) in tokens.iter().enumerate() {
        let tight = ["(", ")", "[", "]", ".", ",", ":", "!", ".."];
        let before = at.checked_sub(1).map(|at| tokens[at].as_str());
        let call = matches!(token.as_str(), "(" | "[") && before.is_some_and(is_word);
        let space = match before {
            None => false,
            Some("(" | "[" | "." | "!" | "..") => false,
            Some("," | ":") => true,
            _ if token == "(" => !call,
            _ => !tight.contains(&token.as_str()),
        };
        if space {
            out.push(' ');
        }
        out.push_str(token);
    }
    out
}

/// Reads a post-condition of a kernel with these parameters.
///
/// # Errors
/// What is wrong, for the user.
pub fn read(text: &str, parameters: &[Parameter]) -> Result<Condition, String> {
    let all = tokens(text)?;
    let (indices, body) = heads(&all)?;
    for index in &indices {
        if parameters.iter().any(|parameter| parameter.name == *index) {
            return Err(format!("`{index}` is a parameter of the kernel already"));
        }
    }
    let mut parts = Vec::new();
    claims(body, &[], &mut parts)?;
    let mut writer = Writer {
        indices: &indices,
        parameters,
        bound: Vec::new(),
        fresh: 0,
    };
    let mut text = String::new();
    let mut found = Vec::new();
    let mut results = String::new();
    for (number, part) in parts.iter().enumerate() {
        let claim = writer.claim(number, part, &mut text)?;
        let ty = claim.1;
        let _ = write!(
            results,
            ", {ty} *{OWN}left_{number}, {ty} *{OWN}right_{number}, long long *{OWN}at_{number}"
        );
        found.push(claim.0);
    }
    Ok(Condition {
        kernel: kernel(&indices, parameters, &results, &text)?,
        indices,
        claims: found,
    })
}

/// `for i, j:` and what stands behind it.
fn heads(all: &[Token]) -> Result<(Vec<String>, &[Token]), String> {
    if all.first().map(String::as_str) != Some("for") {
        return Ok((Vec::new(), all));
    }
    let colon = all.iter().position(|token| token == ":");
    let colon = colon.ok_or("`for` wants names and a colon: `for i, j: …`")?;
    let mut indices: Vec<String> = Vec::new();
    for (at, token) in all[1..colon].iter().enumerate() {
        match (at % 2, token.as_str()) {
            (0, word) if is_word(word) && !indices.iter().any(|one| one == word) => {
                indices.push(word.to_owned());
            }
            (1, ",") => {}
            _ => return Err(format!("`for` wants names and a colon, not `{token}`")),
        }
    }
    // A name is missing in front of the colon, or behind a comma.
    if all[1..colon].len().is_multiple_of(2) {
        return Err("`for` wants names and a colon: `for i, j: …`".to_owned());
    }
    if indices.len() > MAX_INDICES {
        return Err(format!("more than {MAX_INDICES} indices"));
    }
    Ok((indices, &all[colon + 1..]))
}

/// A claim with its premises.
struct Part {
    premises: Vec<Vec<Token>>,
    left: Vec<Token>,
    right: Option<Vec<Token>>,
}

fn claims(all: &[Token], premises: &[Vec<Token>], into: &mut Vec<Part>) -> Result<(), String> {
    if all.is_empty() {
        return Err("a condition is missing".to_owned());
    }
    let depth = depths(all)?;
    let top = |word: &str| -> Option<usize> {
        let mut places = all.iter().zip(&depth);
        places.position(|(token, depth)| *depth == 0 && token == word)
    };
    if all[0] == "(" && depth[1..all.len() - 1].iter().all(|depth| *depth > 0) && all.len() > 2 {
        return claims(&all[1..all.len() - 1], premises, into);
    }
    if let Some(at) = top("=>") {
        if all[..at].is_empty() || all[..at].iter().any(|token| token == "=>") {
            return Err("what stands before `=>` is a condition without `=>`".to_owned());
        }
        let mut premises = premises.to_vec();
        premises.push(all[..at].to_vec());
        return claims(&all[at + 1..], &premises, into);
    }
    if top("||").is_none()
        && top("?").is_none()
        && let Some(at) = top("&&")
    {
        claims(&all[..at], premises, into)?;
        return claims(&all[at + 1..], premises, into);
    }
    if all.iter().any(|token| token == "=>") {
        return Err("`=>` stands between conditions, in no other expression".to_owned());
    }
    let alone = top("||").is_none() && top("?").is_none();
    let (left, right) = match top("==").filter(|_| alone) {
        Some(at) => (all[..at].to_vec(), Some(all[at + 1..].to_vec())),
        None => (all.to_vec(), None),
    };
    if left.is_empty() || right.as_ref().is_some_and(Vec::is_empty) {
        return Err("`==` stands between two values".to_owned());
    }
    into.push(Part {
        premises: premises.to_vec(),
        left,
        right,
    });
    Ok(())
}

/// Writes expressions as those of the generated kernel.
struct Writer<'a> {
    indices: &'a [String],
    parameters: &'a [Parameter],
    /// The variables of the sums around.
    bound: Vec<String>,
    fresh: u32,
}

/// An expression, and the statements that come before it.
#[derive(Default)]
struct Made {
    before: String,
    text: String,
}

/// What an expression may call.
const FUNCTIONS: &[&str] = &[
    "min",
    "max",
    "abs",
    "fabsf",
    "fabs",
    "fminf",
    "fmaxf",
    "fmin",
    "fmax",
    "sqrtf",
    "sqrt",
    "expf",
    "exp",
    "logf",
    "log",
    "fmaf",
    "fma",
    "rsqrtf",
    "tanhf",
    "tanh",
    "powf",
    "pow",
    "sinf",
    "cosf",
    "sin",
    "cos",
    "floorf",
    "ceilf",
    "erff",
    "__expf",
    "__fdividef",
];
/// Names of types, as in a conversion.
const TYPES: &[&str] = &[
    "int", "unsigned", "long", "short", "char", "float", "double", "bool", "true", "false",
];

impl Writer<'_> {
    fn claim(
        &mut self,
        number: usize,
        part: &Part,
        out: &mut String,
    ) -> Result<(Claim, &'static str), String> {
        let mut premises = Vec::new();
        let mut before = String::new();
        for premise in &part.premises {
            let made = self.expression(premise, false)?;
            before.push_str(&made.before);
            premises.push(format!("({})", made.text));
        }
        if !before.is_empty() {
            return Err("a sum stands in what is claimed, not before `=>`".to_owned());
        }
        let ty = match &part.right {
            None => "int",
            Some(right) => self.type_of(&[&part.left, right]),
        };
        let left = self.expression(&part.left, false)?;
        let right = match &part.right {
            Some(right) => self.expression(right, false)?,
            None => Made {
                before: String::new(),
                text: "1".to_owned(),
            },
        };
        let condition = match premises.is_empty() {
            true => "true".to_owned(),
            false => premises.join(" && "),
        };
        let (array, index) = match self.element(&part.left) {
            Some((name, index)) => (Some(name), self.expression(&index, false)?.text),
            None => (None, "0".to_owned()),
        };
        let boolean = if part.right.is_none() { " ? 1 : 0" } else { "" };
        let _ = writeln!(
            out,
            "  if ({condition}) {{\n{}{}    {OWN}left_{number}[0] = ({}){boolean};\n    {OWN}right_{number}[0] = {};\n    {OWN}at_{number}[0] = {index};\n  }}",
            left.before, right.before, left.text, right.text
        );
        let text = match &part.right {
            Some(right) => format!("{} == {}", joined(&part.left), joined(right)),
            None => joined(&part.left),
        };
        let claim = Claim {
            text,
            array,
            is_equation: part.right.is_some(),
        };
        Ok((claim, ty))
    }

    /// `a[e]`, if nothing else stands there.
    fn element(&self, all: &[Token]) -> Option<(String, Vec<Token>)> {
        let (length, name) = self.name_at(all);
        let is_array = self
            .parameters
            .iter()
            .any(|one| one.is_array && one.name == name);
        let depth = depths(all).ok()?;
        let inside = all.len().checked_sub(1)?;
        let whole = all.get(length)? == "["
            && all[inside] == "]"
            && depth[length + 1..inside].iter().all(|depth| *depth > 0);
        (is_array && whole).then(|| (name, all[length + 1..inside].to_vec()))
    }

    /// A name with its fields, and how many tokens it is.
    fn name_at(&self, all: &[Token]) -> (usize, String) {
        let mut name = all.first().cloned().unwrap_or_default();
        let mut length = 1;
        while all.get(length).map(String::as_str) == Some(".")
            && all.get(length + 1).is_some_and(|next| is_word(next))
        {
            name = format!("{name}.{}", all[length + 1]);
            length += 2;
        }
        (length, name)
    }

    /// The parameter whose value, or an element of which, stands first in these tokens; `in` may be a word of a sum.
    fn named_at(&self, all: &[Token]) -> Option<&Parameter> {
        let (length, name) = self.name_at(all);
        let is_element = all.get(length).map(String::as_str) == Some("[");
        let mut parameters = self.parameters.iter();
        parameters.find(|one| one.name == name && one.is_array == is_element)
    }

    /// As what both sides of a claim are compared.
    fn type_of(&self, sides: &[&[Token]]) -> &'static str {
        let mut found = "long long";
        for side in sides {
            for at in 0..side.len() {
                let token = &side[at];
                let parameter = self.named_at(&side[at..]);
                let ty = parameter.map(|one| one.ty);
                // The dots of `0..n` and of a member are no number.
                let is_number =
                    starts_number(token) || token.strip_prefix('.').is_some_and(starts_number);
                let fraction = is_number
                    && !token.starts_with("0x")
                    && (token.contains('.') || token.ends_with('f'));
                // An index into an array is no value of the claim.
                let inside = is_inside_index(&side[..at]);
                if inside {
                    continue;
                }
                if ty == Some(CType::F64) || token == "double" || fraction && !token.ends_with('f')
                {
                    return "double";
                }
                if ty == Some(CType::F32)
                    || token == "float"
                    || fraction
                    || token.ends_with('f') && FUNCTIONS.contains(&token.as_str())
                {
                    found = "float";
                }
            }
        }
        found
    }

    fn expression(&mut self, all: &[Token], old: bool) -> Result<Made, String> {
        depths(all)?;
        let mut made = Made::default();
        let mut at = 0;
        while at < all.len() {
            let token = all[at].as_str();
            if !is_word(token) {
                if token == "=>"
                    || token == ":" && !all.iter().any(|token| token == "?")
                    || token == ".."
                {
                    return Err(format!("`{token}` does not stand here"));
                }
                made.text.push_str(token);
                made.text.push(' ');
                at += 1;
                continue;
            }
            let called = all.get(at + 1).map(String::as_str) == Some("(");
            match token {
                "old" if called => {
                    let end = closing(all, at + 1)?;
                    let inner = self.expression(&all[at + 2..end], true)?;
                    made.before.push_str(&inner.before);
                    let _ = write!(made.text, "({}) ", inner.text);
                    at = end + 1;
                }
                "sum" if called => {
                    let end = closing(all, at + 1)?;
                    let name = self.sum(&all[at + 2..end], old, &mut made.before)?;
                    let _ = write!(made.text, "{name} ");
                    at = end + 1;
                }
                "blockDim" | "gridDim" => {
                    let (length, name) = self.name_at(&all[at..]);
                    let axis = name.rsplit('.').next().unwrap_or("");
                    if length != 3 || !["x", "y", "z"].contains(&axis) {
                        return Err(format!("`{token}` has the components x, y and z"));
                    }
                    let _ = write!(made.text, "{OWN}{token}_{axis} ");
                    at += length;
                }
                _ => {
                    let (length, name) = self.name_at(&all[at..]);
                    let _ = write!(
                        made.text,
                        "{} ",
                        self.word(&name, called && length == 1, old)?
                    );
                    at += length;
                }
            }
        }
        Ok(made)
    }

    fn word(&self, name: &str, called: bool, old: bool) -> Result<String, String> {
        if let Some(parameter) = self.parameters.iter().find(|one| one.name == name) {
            return Ok(match parameter.is_array && old {
                true => format!("{OLD}{}", parameter.identifier()),
                false => parameter.identifier(),
            });
        }
        let known = self
            .indices
            .iter()
            .chain(&self.bound)
            .any(|one| one == name);
        if known || called && FUNCTIONS.contains(&name) || TYPES.contains(&name) {
            return Ok(name.to_owned());
        }
        if matches!(name, "threadIdx" | "blockIdx")
            || name.starts_with("threadIdx.")
            || name.starts_with("blockIdx.")
        {
            return Err(format!(
                "`{name}` is of one thread: behind the launch there is none"
            ));
        }
        let names: Vec<&str> = self
            .parameters
            .iter()
            .map(|one| one.name.as_str())
            .collect();
        Err(match called {
            true => format!("the function `{name}` is not known here"),
            false => format!(
                "the kernel has no parameter `{name}`; there are {} (objects and vectors are not spoken of)",
                names.join(", ")
            ),
        })
    }

    /// `k in a..b: e`: the name of a variable that holds the sum.
    fn sum(&mut self, all: &[Token], old: bool, before: &mut String) -> Result<String, String> {
        const FORM: &str = "a sum is written `sum(k in 0..n: a[k])`";
        let depth = depths(all)?;
        let place = |word: &str| (0..all.len()).find(|&at| depth[at] == 0 && all[at] == word);
        let (Some(1), Some(dots), Some(colon)) = (place("in"), place(".."), place(":")) else {
            return Err(FORM.to_owned());
        };
        let variable = all[0].clone();
        let is_taken = self
            .indices
            .iter()
            .chain(&self.bound)
            .any(|one| *one == variable)
            || self.parameters.iter().any(|one| one.name == variable);
        if !is_word(&variable) || is_taken || dots > colon {
            return Err(match is_taken {
                true => format!("`{variable}` has a meaning already"),
                false => FORM.to_owned(),
            });
        }
        let from = self.expression(&all[2..dots], old)?;
        let to = self.expression(&all[dots + 1..colon], old)?;
        let body = &all[colon + 1..];
        self.bound.push(variable.clone());
        let inner = self.expression(body, old)?;
        self.bound.pop();
        if from.text.is_empty() || to.text.is_empty() || inner.text.is_empty() {
            return Err(FORM.to_owned());
        }
        let ty = self.type_of_sum(body);
        let name = format!("{OWN}sum_{}", self.fresh);
        self.fresh += 1;
        let _ = write!(before, "{}{}", from.before, to.before);
        let _ = writeln!(
            before,
            "    {ty} {name} = 0;\n    for (int {variable} = {}; {variable} < {}; {variable}++) {{\n{}      {name} += {};\n    }}",
            from.text, to.text, inner.before, inner.text
        );
        Ok(name)
    }

    /// The type of the elements that are added.
    fn type_of_sum(&self, all: &[Token]) -> &'static str {
        let of_claim = self.type_of(&[all]);
        if of_claim != "long long" {
            return of_claim;
        }
        let named = (0..all.len()).filter_map(|at| self.named_at(&all[at..]));
        let arrays = named.filter(|parameter| parameter.is_array);
        let mut types = arrays.map(|array| array.ty);
        types.next().and_then(spelled).unwrap_or("long long")
    }
}

/// Whether the place behind these tokens is in the brackets of an element.
fn is_inside_index(before: &[Token]) -> bool {
    let mut open = 0i32;
    for token in before {
        match token.as_str() {
            "[" => open += 1,
            "]" => open -= 1,
            _ => {}
        }
    }
    open > 0
}

fn closing(all: &[Token], open: usize) -> Result<usize, String> {
    let depth = depths(all)?;
    let found = (open + 1..all.len()).find(|&at| depth[at] == depth[open] && all[at] == ")");
    found.ok_or_else(|| "`(` is not closed".to_owned())
}

/// Whether values of a type may stand in a post-condition.
#[must_use]
pub fn is_spoken_of(ty: CType) -> bool {
    spelled(ty).is_some()
}

/// The type in C.
fn spelled(ty: CType) -> Option<&'static str> {
    Some(match ty {
        CType::Bool => "bool",
        CType::I8 => "signed char",
        CType::U8 => "unsigned char",
        CType::I16 => "short",
        CType::U16 => "unsigned short",
        CType::I32 => "int",
        CType::U32 => "unsigned int",
        CType::I64 => "long long",
        CType::U64 => "unsigned long long",
        CType::F32 => "float",
        CType::F64 => "double",
        _ => return None,
    })
}

fn kernel(
    indices: &[String],
    parameters: &[Parameter],
    results: &str,
    body: &str,
) -> Result<String, String> {
    let mut declared = Vec::new();
    for parameter in parameters {
        let Some(ty) = spelled(parameter.ty) else {
            return Err(format!(
                "`{}` is of a type that a post-condition does not speak of",
                parameter.name
            ));
        };
        let name = parameter.identifier();
        match parameter.is_array {
            true => declared.push(format!("const {ty} *{name}, const {ty} *{OLD}{name}")),
            false => declared.push(format!("{ty} {name}")),
        }
    }
    for dimension in ["blockDim", "gridDim"] {
        for axis in ["x", "y", "z"] {
            declared.push(format!("int {OWN}{dimension}_{axis}"));
        }
    }
    let mut out = String::from("//--blockDim=[1,1,1]\n");
    let _ = writeln!(
        out,
        "__global__ void {OWN}post_condition({}{results})\n{{",
        declared.join(", ")
    );
    for (index, axis) in indices.iter().zip(["x", "y", "z"]) {
        let _ = writeln!(out, "  int {index} = blockIdx.{axis};");
    }
    out.push_str(body);
    out.push_str("}\n");
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters() -> Vec<Parameter> {
        let array = |name: &str, ty| Parameter {
            name: name.to_owned(),
            ty,
            is_array: true,
        };
        let scalar = |name: &str| Parameter {
            name: name.to_owned(),
            ty: CType::I32,
            is_array: false,
        };
        vec![
            array("out", CType::F32),
            array("in", CType::F32),
            array("h", CType::I32),
            scalar("n"),
            scalar("p.width"),
        ]
    }

    fn texts(text: &str) -> Result<Vec<String>, String> {
        let condition = read(text, &parameters())?;
        Ok(condition
            .claims
            .into_iter()
            .map(|claim| claim.text)
            .collect())
    }

    #[test]
    fn a_conjunction_is_several_claims_and_a_premise_belongs_to_all_behind_it() {
        let claims = texts("for i: h[0] == 0 && (0 < i && i < n => h[i] == h[i-1] + old(h[i]))");
        assert_eq!(
            claims,
            Ok(vec![
                "h[0] == 0".to_owned(),
                "h[i] == h[i - 1] + old(h[i])".to_owned()
            ])
        );
        let condition = read(
            "for i: i < n => out[i] == 2.0f * old(in[i]) && out[i] == 1",
            &parameters(),
        );
        let condition = condition.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(condition.kernel.matches("if ((i < n ))").count(), 2);
        assert_eq!(condition.kernel.matches("float *warplog_left").count(), 2);
        assert_eq!(condition.claims[0].array.as_deref(), Some("out"));
        assert!(condition.claims.iter().all(|claim| claim.is_equation));
    }

    #[test]
    fn fields_sums_and_sizes_of_the_launch_are_written_as_c() {
        let condition = read(
            "for b: b < gridDim.x => h[b] == sum(k in 0..blockDim.x: old(h[b * p.width + k]))",
            &parameters(),
        );
        let kernel = condition.unwrap_or_else(|error| panic!("{error}")).kernel;
        assert!(
            kernel.contains("for (int k = 0 ; k < warplog_blockDim_x ; k++)"),
            "{kernel}"
        );
        assert!(
            kernel.contains("warplog_old_h [ b * warplog_p_width + k ]"),
            "{kernel}"
        );
        assert!(kernel.contains("int warplog_sum_0 = 0;"), "{kernel}");
        // Neither the dots of the sum nor that of the member make it a claim about floats.
        assert!(kernel.contains("long long *warplog_left_0"), "{kernel}");
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, part) in [
            ("for i: out[i] == m", "no parameter `m`"),
            ("for i: out[i == 0", "`[` is not closed"),
            ("for i: out[i]) == 0", "`)` closes nothing"),
            ("for : out[0] == 0", "names and a colon"),
            ("for i, : out[0] == 0", "names and a colon"),
            ("for i, i: out[0] == 0", "names and a colon"),
            ("for i, j, k, l: out[0] == 0", "more than 3"),
            ("for n: out[n] == 0", "a parameter of the kernel already"),
            ("for i: i < n =>", "a condition is missing"),
            (
                "for i: (i < n => h[i] == 0) || n == 0",
                "no other expression",
            ),
            ("for i: h[i] == ", "between two values"),
            ("for i: h[i] == sum(k: h[k])", "a sum is written"),
            (
                "for i: h[i] == sum(i in 0..n: h[i])",
                "has a meaning already",
            ),
            ("for i: h[i] == threadIdx.x", "of one thread"),
            ("for i: h[i] == $", "`$` is no part"),
            ("for i: h[i] == f(1)", "function `f`"),
            (
                "for i: sum(k in 0..n: h[k]) > 0 => h[i] == 0",
                "not before `=>`",
            ),
            ("", "a condition is missing"),
        ] {
            let error = texts(text).expect_err(text);
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
