//! Snippets at random, from seeds: programs over integers of many types, layouts of classes, sets of overloads.
//!
//! Nothing is known here of what they mean; that is asked of the compiler, and programs that it calls undefined say nothing.

use super::read::Snippet;
use crate::random::dice::Dice;

const TYPES: [&str; 20] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "bool",
    "size_t",
    "int8_t",
    "uint16_t",
    "uint64_t",
    "char16_t",
    "Small",
    "int",
    "unsigned",
];

/// What variables begin with, and what conversions are of.
const LITERALS: [&str; 33] = [
    "0",
    "1",
    "2",
    "5",
    "31",
    "63",
    "64",
    "127",
    "128",
    "200",
    "255",
    "256",
    "32767",
    "32768",
    "65535",
    "65536",
    "(-1)",
    "(-2)",
    "(-128)",
    "(-129)",
    "0x7fffffff",
    "0x80000000",
    "4294967295",
    "1u",
    "7ul",
    "(-3ll)",
    "'a'",
    "'\\xff'",
    "true",
    "sizeof(short)",
    "017",
    "(Small)200",
    "Second",
];

/// What stands beside variables: some compilers compute expressions of constants without telling what is undefined, so that
/// these must stay small.
const SMALL: [&str; 12] = [
    "0", "1", "2", "3", "7", "15", "31", "1u", "(-1)", "'\\2'", "true", "(Small)5",
];

const ENUMS: &str =
    "enum Small : unsigned char { First = 0 };\nenum Plain { Zeroth, Second = 77, Third };\n";

/// The snippet of a seed.
#[must_use]
pub fn grow(seed: u64) -> Snippet {
    let mut dice = Dice::new(seed);
    let mut snippet = match seed % 8 {
        0 => layout(&mut dice),
        1 => overloads(&mut dice),
        2 => conversion(&mut dice),
        _ => program(&mut dice),
    };
    snippet.line = usize::try_from(seed).unwrap_or(0);
    snippet
}

/// A variable: name and type.
type Variable = (String, &'static str);

struct Grower<'d> {
    dice: &'d mut Dice,
    variables: Vec<Variable>,
    /// Functions: name and number of parameters.
    functions: Vec<(String, usize)>,
    count: usize,
    loops: usize,
}

fn program(dice: &mut Dice) -> Snippet {
    let mut prelude = ENUMS.to_owned();
    let mut functions = Vec::new();
    for number in 0..dice.roll(3) {
        let parameters = 1 + dice.roll(3);
        let mut grower = Grower::new(dice);
        let mut list = Vec::new();
        for parameter in 0..parameters {
            let ty = grower.dice.pick(&TYPES[..17]);
            list.push(format!("{ty} q{parameter}"));
            grower.variables.push((format!("q{parameter}"), ty));
        }
        let body = grower.statements(1);
        let early = if grower.dice.chance(40) {
            let [condition, value] = [grower.expression(2), grower.expression(2)];
            format!("if ({condition}) return {value};\n")
        } else {
            String::new()
        };
        let value = grower.expression(3);
        let ty = dice.pick(&TYPES[..17]);
        prelude.push_str(&format!(
            "HD {ty} f{number}({}) {{\n{body}{early}return {value};\n}}\n",
            list.join(", ")
        ));
        functions.push((format!("f{number}"), parameters));
    }
    let mut grower = Grower::new(dice);
    grower.functions = functions;
    let mut body = String::new();
    for number in 0..4 {
        let ty = grower.dice.pick(&TYPES[..17]);
        let value = grower.dice.pick(&LITERALS);
        body.push_str(&format!("{ty} c{number} = ({ty}){value};\n"));
        grower.variables.push((format!("c{number}"), ty));
    }
    for _ in 0..3 + grower.dice.roll(5) {
        body.push_str(&grower.statement(2));
    }
    let value = grower.expression(2);
    Snippet {
        file: "random programs".to_owned(),
        prelude,
        body,
        value: Some(value),
        ..Snippet::default()
    }
}

impl Grower<'_> {
    fn new(dice: &mut Dice) -> Grower<'_> {
        Grower {
            dice,
            variables: Vec::new(),
            functions: Vec::new(),
            count: 0,
            loops: 0,
        }
    }

    fn atom(&mut self) -> String {
        if !self.variables.is_empty() && self.dice.chance(70) {
            let number = self.dice.roll(self.variables.len());
            return self.variables[number].0.clone();
        }
        self.dice.pick(&SMALL).to_owned()
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        let below = depth - 1;
        match self.dice.roll(100) {
            0..15 => self.atom(),
            15..45 => self.binary(below, &["+", "-", "*", "+", "-", "&", "|", "^"]),
            45..52 => {
                let left = self.expression(below);
                let operator = self.dice.pick(&["/", "%"]);
                let right = self
                    .dice
                    .pick(&["7", "(-3)", "5u", "16", "(-8)", "3L", "2", "64u"]);
                format!("({left} {operator} {right})")
            }
            52..60 => {
                let left = self.expression(below);
                let by = match self.dice.roll(4) {
                    0 => format!("({} & 7)", self.atom()),
                    1 => format!("({} & 31)", self.atom()),
                    _ => self.dice.pick(&["1", "3", "7", "15", "31"]).to_owned(),
                };
                if self.dice.chance(40) {
                    format!("((unsigned)({left}) << {by})")
                } else {
                    format!("({left} >> {by})")
                }
            }
            60..70 => self.binary(below, &["<", ">", "<=", ">=", "==", "!="]),
            70..76 => {
                let [a, b, c] = [0; 3].map(|_| self.expression(below));
                format!("({a} ? {b} : {c})")
            }
            76..86 => {
                let ty = self.dice.pick(&TYPES);
                let operand = self.expression(below);
                match self.dice.roll(2) {
                    0 => format!("static_cast<{ty}>({operand})"),
                    _ => format!("(({ty})({operand}))"),
                }
            }
            86..92 => {
                let operator = self.dice.pick(&["-", "~", "!", "+"]);
                format!("({operator}({}))", self.expression(below))
            }
            92..95 => self.binary(below, &["&&", "||"]),
            95..96 => self.binary(below, &[","]),
            _ if !self.functions.is_empty() => {
                let number = self.dice.roll(self.functions.len());
                let (name, parameters) = self.functions[number].clone();
                let arguments: Vec<String> = (0..parameters)
                    .map(|_| self.expression(below.min(1)))
                    .collect();
                format!("{name}({})", arguments.join(", "))
            }
            _ => self.atom(),
        }
    }

    fn binary(&mut self, depth: usize, operators: &[&str]) -> String {
        let left = self.expression(depth);
        let operator = self.dice.pick(operators);
        format!("({left} {operator} {})", self.expression(depth))
    }

    fn statements(&mut self, depth: usize) -> String {
        let known = self.variables.len();
        let mut out = String::new();
        for _ in 0..1 + self.dice.roll(3) {
            out.push_str(&self.statement(depth));
        }
        self.variables.truncate(known);
        out
    }

    /// A variable that may be assigned to; counters of loops may not.
    fn target(&mut self) -> Option<Variable> {
        let targets: Vec<&Variable> = self
            .variables
            .iter()
            .filter(|(name, ty)| !name.starts_with('i') && *ty != "Small")
            .collect();
        if targets.is_empty() {
            return None;
        }
        Some(targets[self.dice.roll(targets.len())].clone())
    }

    fn statement(&mut self, depth: usize) -> String {
        let roll = self.dice.roll(100);
        let target = self.target();
        let Some((name, ty)) = target.filter(|_| roll >= 25) else {
            let ty = self.dice.pick(&TYPES);
            let value = self.expression(3);
            self.count += 1;
            let name = format!("v{}", self.count);
            self.variables.push((name.clone(), ty));
            return if ty == "Small" {
                format!("{ty} {name} = ({ty})({value});\n")
            } else {
                format!("{ty} {name} = {value};\n")
            };
        };
        match roll {
            25..45 => format!("{name} = {};\n", self.expression(3)),
            45..60 => {
                let operators = ["+=", "-=", "*=", "&=", "|=", "^=", "/=", "%=", ">>="];
                let operator = self.dice.pick(&operators);
                let value = match operator {
                    "/=" | "%=" => self.dice.pick(&["3", "5u", "(-7)", "7L"]).to_owned(),
                    ">>=" => self.dice.pick(&["1", "2", "3"]).to_owned(),
                    _ => self.expression(2),
                };
                format!("{name} {operator} {value};\n")
            }
            60..68 if ty != "bool" => {
                let step = self.dice.pick(&["++", "--"]);
                if self.dice.chance(50) {
                    format!("{name}{step};\n")
                } else {
                    format!("{step}{name};\n")
                }
            }
            68..74 => {
                let [condition, value] = [self.expression(1), self.expression(1)];
                let operator = self.dice.pick(&["&&", "||"]);
                let assign = self.dice.pick(&["=", "+=", "^="]);
                format!("(void)({condition} {operator} ({name} {assign} {value}));\n")
            }
            74..84 if depth > 0 => {
                let condition = self.expression(2);
                let mut out = format!("if ({condition}) {{\n{}}}", self.statements(depth - 1));
                if self.dice.chance(50) {
                    out.push_str(&format!(" else {{\n{}}}", self.statements(depth - 1)));
                }
                out.push('\n');
                out
            }
            84..90 if depth > 0 => self.choice(depth),
            90..100 if depth > 0 && self.loops < 2 => self.round(depth),
            _ => format!("{name} = {};\n", self.expression(3)),
        }
    }

    fn choice(&mut self, depth: usize) -> String {
        let value = self.expression(1);
        let on = self
            .dice
            .pick(&["(int)($) & 3", "(unsigned)($) % 4", "(unsigned char)($)"]);
        let mut out = format!("switch ({}) {{\n", on.replace('$', &value));
        let cases = [
            "case 0:",
            "case 1:",
            "case 2:",
            "case 5:",
            "case 255:",
            "default:",
        ];
        for case in cases {
            if self.dice.chance(50) {
                let leave = if self.dice.chance(60) { " break;" } else { "" };
                out.push_str(&format!(
                    "{case} {{\n{}}}{leave}\n",
                    self.statements(depth - 1)
                ));
            }
        }
        out.push_str("}\n");
        out
    }

    /// A loop of a few rounds.
    fn round(&mut self, depth: usize) -> String {
        self.loops += 1;
        self.count += 1;
        let counter = format!("i{}", self.count);
        let known = self.variables.len();
        self.variables.push((counter.clone(), "int"));
        let mut body = self.statements(depth - 1);
        if self.dice.chance(40) {
            let leave = self.dice.pick(&["break", "continue"]);
            let leave = format!("if ({}) {leave};\n", self.expression(2));
            body = if self.dice.chance(50) {
                body + &leave
            } else {
                leave + &body
            };
        }
        self.variables.truncate(known);
        self.loops -= 1;
        let kinds = [
            "int",
            "unsigned",
            "short",
            "unsigned char",
            "char",
            "long",
            "size_t",
        ];
        let ty = self.dice.pick(&kinds);
        let rounds = 1 + self.dice.roll(6);
        match self.dice.roll(5) {
            0 => {
                let step = self
                    .dice
                    .pick(&["$++", "++$", "$ += 2"])
                    .replace('$', &counter);
                format!("for ({ty} {counter} = 0; {counter} < {rounds}; {step}) {{\n{body}}}\n")
            }
            1 => {
                let step = self.dice.pick(&["$--", "--$", "$ >>= 1", "$ /= 2"]);
                let step = step.replace('$', &counter);
                format!("for ({ty} {counter} = {rounds}; {counter} > 0; {step}) {{\n{body}}}\n")
            }
            2 => format!("{{ int {counter} = {rounds}; while ({counter}-- > 0) {{\n{body}}} }}\n"),
            3 if !body.contains("continue") => format!(
                "{{ {ty} {counter} = 0; do {{\n{body}}} while (++{counter} < {rounds}); }}\n"
            ),
            _ => {
                let most = rounds * 3;
                format!(
                    "for ({ty} {counter} = 1; {counter} < {most}; {counter} *= 2) {{\n{body}}}\n"
                )
            }
        }
    }
}

/// Where the members of a class lie.
fn layout(dice: &mut Dice) -> Snippet {
    let scalars = [
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "bool",
        "void *",
        "char16_t",
        "unsigned char",
        "int *",
    ];
    let mut prelude = String::new();
    let mut classes: Vec<String> = Vec::new();
    let count = 1 + dice.roll(3);
    for number in 0..count {
        let name = format!("S{number}");
        let mut bases = Vec::new();
        for class in &classes {
            if dice.chance(25) && !prelude.contains(&format!("union {class} ")) {
                bases.push(format!("public {class}"));
            }
        }
        let list = if bases.is_empty() {
            String::new()
        } else {
            format!(" : {}", bases.join(", "))
        };
        let mut members = String::new();
        for member in 0..dice.roll(5) {
            let ty = match classes.len() {
                0 => dice.pick(&scalars).to_owned(),
                classes_known if dice.chance(30) => classes[dice.roll(classes_known)].clone(),
                _ => dice.pick(&scalars).to_owned(),
            };
            let array = match dice.roll(5) {
                0 => format!("[{}]", 1 + dice.roll(3)),
                _ => String::new(),
            };
            let align = if dice.chance(6) { "alignas(16) " } else { "" };
            if dice.chance(15) {
                let width = 1 + dice.roll(12);
                let ty = dice.pick(&["int", "unsigned", "unsigned short", "long"]);
                members.push_str(&format!(" {ty} b{number}{member} : {width};"));
            } else {
                members.push_str(&format!(" {align}{ty} m{number}{member}{array};"));
            }
        }
        let special = match dice.roll(10) {
            0 => format!(" HD {name}() {{}}"),
            1 => " virtual HD void v() {}".to_owned(),
            _ => String::new(),
        };
        let kind = if dice.chance(10)
            && bases.is_empty()
            && special.is_empty()
            && !members.contains(':')
        {
            "union"
        } else {
            "struct"
        };
        prelude.push_str(&format!(
            "{kind} {name}{list} {{{members}{special} char end{number}; }};\n"
        ));
        classes.push(name);
    }
    let last = count - 1;
    let value = match dice.roll(3) {
        0 => format!("sizeof(S{last}) * 100 + alignof(S{last})"),
        1 => format!("offsetof(S{last}, end{last})"),
        _ => format!("sizeof(S{last}[3]) * 1000 + offsetof(S{last}, end{last})"),
    };
    Snippet {
        file: "random layouts".to_owned(),
        prelude,
        value: Some(value),
        ..Snippet::default()
    }
}

/// Which of some functions is called; calls that C++ refuses are not made.
fn overloads(dice: &mut Dice) -> Snippet {
    let mut prelude = ENUMS.to_owned();
    let groups: [(&[&str], &[&str]); 6] = [
        (
            &["int", "long", "double"],
            &[
                "(char)1",
                "(short)1",
                "true",
                "(unsigned char)1",
                "1",
                "'a'",
                "Zeroth",
                "First",
            ],
        ),
        (&["double", "int"], &["1.5f", "1.0f", "(float)2", "(char)3"]),
        (
            &["unsigned", "int", "unsigned long", "float"],
            &["1u", "1ul", "1", "(unsigned short)3", "1.5f", "sizeof(int)"],
        ),
        (
            &["int *", "void *", "bool"],
            &["(int *)0", "(char *)0", "(void *)0", "true"],
        ),
        (
            &["const int *", "int *", "long"],
            &["(int *)0", "(const int *)0", "1l"],
        ),
        (
            &["char", "signed char", "unsigned char", "int"],
            &[
                "'a'",
                "(signed char)1",
                "(unsigned char)1",
                "1",
                "(short)1",
                "true",
            ],
        ),
    ];
    let (parameters, arguments) = groups[dice.roll(groups.len())];
    for (number, parameter) in parameters.iter().enumerate() {
        prelude.push_str(&format!(
            "HD int f({parameter}) {{ return {}; }}\n",
            number + 1
        ));
    }
    let template = dice.chance(40);
    if template {
        let parameter = dice.pick(&["T", "T *", "const T &", "T &&"]);
        prelude.push_str(&format!(
            "template <class T> HD int f({parameter}) {{ return 9; }}\n"
        ));
    }
    let argument = dice.pick(arguments);
    // What several functions fit equally well is refused: that is found out by asking whether it is.
    let try_it = "template <class T> HD auto call(T x, int) -> decltype(f(x)) { return f(x); }\n\
                  template <class T> HD int call(T, long) { return 77; }\n";
    let value = if template {
        prelude.push_str(try_it);
        format!("call({argument}, 0)")
    } else {
        format!("f({argument})")
    };
    Snippet {
        file: "random overloads".to_owned(),
        prelude,
        value: Some(value),
        ..Snippet::default()
    }
}

/// A conversion of a value, or what two types come to together.
fn conversion(dice: &mut Dice) -> Snippet {
    let [a, b] = [0; 2].map(|_| dice.pick(&TYPES[..17]));
    let [x, y] = [0; 2].map(|_| dice.pick(&LITERALS));
    let operator = dice.pick(&["+", "-", "*", "&", "|", "<", ">", ">=", "=="]);
    let (body, value) = match dice.roll(4) {
        0 => (
            format!("{a} x = ({a}){x}; {b} y = ({b}){y};\n"),
            format!("x {operator} y"),
        ),
        1 => (format!("{a} x = ({a}){x}; {b} y = x;\n"), "y".to_owned()),
        2 => (
            format!("{a} x = ({a}){x}; x += ({b}){y}; auto z = x >> 1;\n"),
            "z".to_owned(),
        ),
        _ => (
            format!("{a} x = ({a}){x}; {b} y = ({b}){y}; auto z = true ? x : y;\n"),
            "sizeof(z) * 1000 + (z < 0) + (z - 1 < 0 ? 10 : 0)".to_owned(),
        ),
    };
    Snippet {
        file: "random conversions".to_owned(),
        prelude: ENUMS.to_owned(),
        body,
        value: Some(value),
        ..Snippet::default()
    }
}
