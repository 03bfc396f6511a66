//! Counts requests, turns and sectors of kernels by running all their threads: what the costs of the analysis are compared with.
//!
//! A program of its own for a small part of the language: integers, arrays, structures of numbers, `if`, `for`, `return`. It shares
//! nothing with the analysis: it reads the text itself, runs every thread of every block, writes down which bytes each thread wants at
//! which place in which iterations, and puts together what the lanes of a warp want at once. The value of an element that is read
//! is 0, so that the kernels must not let anything depend on one. What it does not understand is an error and not left out.

use std::collections::{BTreeMap, BTreeSet};

/// What was counted of one place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tally {
    /// Line, from 1.
    pub line: u32,
    /// Whether it is in shared memory.
    pub shared: bool,
    /// Turns of the worst request, or its sectors.
    pub worst: u32,
    /// Requests.
    pub requests: u64,
}

/// What all requests of a kernel take together, as counters of a GPU tell it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Requests to shared memory: reads, writes and atomic operations.
    pub shared_requests: [u64; 3],
    /// Turns that they take.
    pub shared_turns: [u64; 3],
    /// Turns beyond one for each part in which a request is served.
    pub shared_conflicts: [u64; 3],
    /// Requests to global memory: reads, writes and atomic operations.
    pub global_requests: [u64; 3],
    /// Sectors that they touch.
    pub global_sectors: [u64; 3],
}

/// Bytes wanted by lane, of one request.
pub type Wanted = BTreeMap<usize, (i64, i64)>;

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Name(String),
    Number(i64),
    Sign(&'static str),
}

const SIGNS: [&str; 40] = [
    "<<=", ">>=", "&&", "||", "==", "!=", "<=", ">=", "<<", ">>", "+=", "-=", "*=", "/=", "++",
    "--", "+", "-", "*", "/", "%", "<", ">", "=", "!", "~", "&", "|", "^", "?", ":", "(", ")", "[",
    "]", "{", "}", ";", ",", ".",
];

fn tokens(text: &str) -> Result<Vec<(u32, Token)>, String> {
    let mut found = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut rest = line.split("//").next().unwrap_or("").trim_start();
        if rest.starts_with('#') {
            continue;
        }
        while let Some(first) = rest.chars().next() {
            let length = if first.is_ascii_digit() {
                let length = rest
                    .find(|c: char| !c.is_ascii_alphanumeric() && c != '.')
                    .unwrap_or(rest.len());
                let digits = rest[..length].trim_end_matches(['u', 'f', '.', 'U']);
                let value = digits
                    .parse()
                    .map_err(|_| format!("line {number}: {digits}"))?;
                found.push((number, Token::Number(value)));
                length
            } else if first.is_alphabetic() || first == '_' {
                let length = rest
                    .find(|c: char| !c.is_alphanumeric() && c != '_')
                    .unwrap_or(rest.len());
                found.push((number, Token::Name(rest[..length].to_owned())));
                length
            } else {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                let sign = sign.ok_or_else(|| format!("line {number}: {rest}"))?;
                found.push((number, Token::Sign(sign)));
                sign.len()
            };
            rest = rest[length..].trim_start();
        }
    }
    Ok(found)
}

#[derive(Clone, Debug)]
struct Array {
    shared: bool,
    bytes: i64,
    extents: Vec<i64>,
    fields: Vec<String>,
}

fn size_of(name: &str) -> Option<i64> {
    Some(match name {
        "char" => 1,
        "short" => 2,
        "int" | "float" | "unsigned" => 4,
        "double" | "float2" | "int2" => 8,
        "float4" | "int4" => 16,
        _ => return None,
    })
}

/// One kernel, as tokens of its body.
struct Kernel {
    name: String,
    body: Vec<(u32, Token)>,
    arrays: BTreeMap<String, Array>,
}

fn kernels(text: &str) -> Result<Vec<Kernel>, String> {
    let all = tokens(text)?;
    let mut structures: BTreeMap<String, (Vec<String>, i64)> = BTreeMap::new();
    let mut found = Vec::new();
    let name = |at: usize| match all.get(at) {
        Some((_, Token::Name(name))) => Ok(name.clone()),
        other => Err(format!("a name is expected: {other:?}")),
    };
    let is =
        |at: usize, sign: &str| matches!(all.get(at), Some((_, Token::Sign(it))) if *it == sign);
    let mut at = 0;
    while at < all.len() {
        match name(at)?.as_str() {
            "struct" => {
                let own = name(at + 1)?;
                let (mut fields, mut bytes) = (Vec::new(), 0);
                at += 3;
                while !is(at, "}") {
                    bytes += size_of(&name(at)?).ok_or("a field")?;
                    fields.push(name(at + 1)?);
                    at += 3;
                }
                at += 2;
                structures.insert(own, (fields, bytes));
            }
            "__global__" => {
                let own = name(at + 2)?;
                at += 4;
                let mut arrays = BTreeMap::new();
                while !is(at - 1, ")") {
                    if matches!(name(at)?.as_str(), "const") {
                        at += 1;
                    }
                    let of = name(at)?;
                    if !is(at + 1, "*") {
                        return Err(format!("{own}: parameters are arrays"));
                    }
                    let array = match structures.get(&of) {
                        Some((fields, bytes)) => Array {
                            shared: false,
                            bytes: *bytes,
                            extents: vec![0],
                            fields: fields.clone(),
                        },
                        None => Array {
                            shared: false,
                            bytes: size_of(&of).ok_or("a type")?,
                            extents: vec![0],
                            fields: Vec::new(),
                        },
                    };
                    arrays.insert(name(at + 2)?, array);
                    at += 4;
                }
                let begin = at;
                let mut depth = 0;
                loop {
                    depth += i32::from(is(at, "{")) - i32::from(is(at, "}"));
                    at += 1;
                    if depth == 0 {
                        break;
                    }
                }
                found.push(Kernel {
                    name: own,
                    body: all[begin..at].to_vec(),
                    arrays,
                });
            }
            other => return Err(format!("{other} is not understood")),
        }
    }
    Ok(found)
}

/// One thread that runs.
struct Thread<'k> {
    kernel: &'k Kernel,
    arrays: BTreeMap<String, Array>,
    values: BTreeMap<String, i64>,
    builtins: BTreeMap<String, i64>,
    at: usize,
    iterations: Vec<i64>,
    /// Whether what is read is only skipped.
    skips: bool,
    returned: bool,
    wanted: Vec<(usize, Vec<i64>, bool, bool, i64, i64)>,
    /// Branches with the iterations in which they were come to, and whether the condition held.
    taken: Vec<(usize, Vec<i64>, bool)>,
    seen: BTreeSet<(usize, Vec<i64>)>,
}

/// What tells the place of a write from that of a read.
const WRITE: usize = 1_000_000;

/// Files of `datasets/costs/` whose launch is known, with its block and grid.
pub const COUNTED: [(&str, [i64; 3], [i64; 3]); 5] = [
    ("words.cu", [64, 1, 1], [2, 1, 1]),
    ("elements.cu", [128, 1, 1], [4, 1, 1]),
    ("squares.cu", [16, 16, 1], [2, 1, 1]),
    ("ragged.cu", [40, 1, 1], [3, 1, 1]),
    ("mends.cu", [32, 32, 1], [2, 1, 1]),
];

/// What an expression is: a value, or a place.
enum Value {
    Number(i64),
    Place {
        position: usize,
        shared: bool,
        address: i64,
        bytes: i64,
    },
}

impl Thread<'_> {
    fn token(&self) -> Result<&Token, String> {
        let found = self.kernel.body.get(self.at).map(|(_, token)| token);
        found.ok_or_else(|| "the text ends".to_owned())
    }

    fn eat(&mut self, sign: &str) -> bool {
        let found = matches!(self.token(), Ok(Token::Sign(it)) if *it == sign)
            || matches!(self.token(), Ok(Token::Name(it)) if it == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.eat(sign) {
            return Ok(());
        }
        Err(format!(
            "{}: {sign} is expected before {:?}",
            self.kernel.name,
            self.token()
        ))
    }

    fn name(&mut self) -> Result<String, String> {
        let found = match self.token()? {
            Token::Name(name) => name.clone(),
            other => {
                return Err(format!(
                    "{}: a name is expected: {other:?}",
                    self.kernel.name
                ));
            }
        };
        self.at += 1;
        Ok(found)
    }

    fn statement(&mut self) -> Result<(), String> {
        if self.eat("{") {
            while !self.eat("}") {
                self.statement()?;
            }
            return Ok(());
        }
        match self.token()?.clone() {
            Token::Name(name) => match name.as_str() {
                "if" => return self.branch(),
                "for" => return self.repeat(),
                "return" => {
                    self.at += 1;
                    self.expect(";")?;
                    if !self.skips {
                        self.returned = true;
                        self.skips = true;
                    }
                    return Ok(());
                }
                "__syncthreads" => {
                    self.at += 1;
                    self.expect("(")?;
                    self.expect(")")?;
                    return self.expect(";");
                }
                "extern" | "__shared__" => return self.array(),
                _ if size_of(&name).is_some() => return self.declaration(),
                _ => {}
            },
            Token::Sign(";") => {
                self.at += 1;
                return Ok(());
            }
            _ => {}
        }
        self.simple()?;
        self.expect(";")
    }

    fn array(&mut self) -> Result<(), String> {
        self.eat("extern");
        self.expect("__shared__")?;
        let of = self.name()?;
        let name = self.name()?;
        let mut extents = Vec::new();
        while self.eat("[") {
            if self.eat("]") {
                extents.push(0);
                continue;
            }
            extents.push(self.expression(0)?);
            self.expect("]")?;
        }
        let array = Array {
            shared: true,
            bytes: size_of(&of).ok_or("a type")?,
            extents,
            fields: Vec::new(),
        };
        self.arrays.insert(name, array);
        self.expect(";")
    }

    fn declaration(&mut self) -> Result<(), String> {
        self.name()?;
        self.eat("int");
        loop {
            let name = self.name()?;
            let value = if self.eat("=") {
                self.expression(0)?
            } else {
                0
            };
            if !self.skips {
                self.values.insert(name, value);
            }
            if !self.eat(",") {
                return self.expect(";");
            }
        }
    }

    fn branch(&mut self) -> Result<(), String> {
        let position = self.at;
        self.expect("if")?;
        self.expect("(")?;
        let taken = self.expression(0)? != 0;
        self.expect(")")?;
        let before = self.skips;
        if !before {
            self.taken.push((position, self.iterations.clone(), taken));
        }
        self.skips |= !taken;
        self.statement()?;
        if !self.returned {
            self.skips = before;
        }
        if self.eat("else") {
            self.skips |= taken;
            self.statement()?;
            if !self.returned {
                self.skips = before;
            }
        }
        Ok(())
    }

    fn repeat(&mut self) -> Result<(), String> {
        self.expect("for")?;
        self.expect("(")?;
        if matches!(self.token()?, Token::Name(name) if size_of(name).is_some()) {
            self.declaration()?;
        } else {
            self.simple()?;
            self.expect(";")?;
        }
        let condition = self.at;
        let before = self.skips;
        self.iterations.push(0);
        loop {
            self.at = condition;
            let again = self.expression(0)? != 0;
            self.expect(";")?;
            let step = self.at;
            self.skips = true;
            self.simple()?;
            self.expect(")")?;
            self.skips = before || self.returned || !again;
            let skipped = self.skips;
            self.statement()?;
            let behind = self.at;
            if skipped || self.returned {
                self.iterations.pop();
                self.skips = before || self.returned;
                self.at = behind;
                return Ok(());
            }
            self.at = step;
            self.simple()?;
            if let Some(last) = self.iterations.last_mut() {
                *last += 1;
            }
        }
    }

    /// An assignment or a call.
    fn simple(&mut self) -> Result<(), String> {
        if let Token::Name(name) = self.token()?.clone() {
            let is_scalar = !self.arrays.contains_key(&name) && name != "atomicAdd";
            if is_scalar {
                self.at += 1;
                let sign = match self.token()?.clone() {
                    Token::Sign(sign) => sign,
                    other => return Err(format!("{}: {other:?}", self.kernel.name)),
                };
                self.at += 1;
                let old = self.values.get(&name).copied().unwrap_or(0);
                let value = match sign {
                    "++" => old + 1,
                    "--" => old - 1,
                    "=" => self.expression(0)?,
                    _ => {
                        let by = self.expression(0)?;
                        self.apply(&sign[..sign.len() - 1], old, by)?
                    }
                };
                if !self.skips {
                    self.values.insert(name, value);
                }
                return Ok(());
            }
            if name == "atomicAdd" {
                self.at += 1;
                self.expect("(")?;
                self.expect("&")?;
                let place = self.primary()?;
                self.expect(",")?;
                self.expression(0)?;
                self.want(&place, true);
                return self.expect(")");
            }
        }
        let place = self.primary()?;
        if self.eat("=") {
            self.expression(0)?;
        } else if self.eat("+=") {
            self.expression(0)?;
            self.want(&place, false);
        } else {
            return Err(format!("{}: {:?}", self.kernel.name, self.token()));
        }
        if let Value::Place {
            position,
            shared,
            address,
            bytes,
        } = place
        {
            // A write is another access than a read at the same place.
            let write = Value::Place {
                position: position + WRITE,
                shared,
                address,
                bytes,
            };
            self.want(&write, false);
        }
        Ok(())
    }

    fn want(&mut self, value: &Value, atomic: bool) {
        if let Value::Place {
            position,
            shared,
            address,
            bytes,
        } = *value
            && !self.skips
            && self.seen.insert((position, self.iterations.clone()))
        {
            let iterations = self.iterations.clone();
            self.wanted
                .push((position, iterations, shared, atomic, address, bytes));
        }
    }

    fn apply(&self, sign: &str, left: i64, right: i64) -> Result<i64, String> {
        Ok(match sign {
            "+" => left + right,
            "-" => left - right,
            "*" => left * right,
            "/" | "%" if right == 0 && self.skips => 0,
            "/" | "%" if right == 0 => return Err("division by zero".to_owned()),
            "/" => left / right,
            "%" => left % right,
            "<<" => left << right.clamp(0, 40),
            ">>" => left >> right.clamp(0, 40),
            "&" => left & right,
            "|" => left | right,
            "^" => left ^ right,
            "<" => i64::from(left < right),
            "<=" => i64::from(left <= right),
            ">" => i64::from(left > right),
            ">=" => i64::from(left >= right),
            "==" => i64::from(left == right),
            "!=" => i64::from(left != right),
            "&&" => i64::from(left != 0 && right != 0),
            "||" => i64::from(left != 0 || right != 0),
            other => return Err(format!("{}: the operator {other}", self.kernel.name)),
        })
    }

    fn expression(&mut self, least: u8) -> Result<i64, String> {
        const ORDER: [(&[&str], u8); 10] = [
            (&["||"], 1),
            (&["&&"], 2),
            (&["|"], 3),
            (&["^"], 4),
            (&["&"], 5),
            (&["==", "!="], 6),
            (&["<", "<=", ">", ">="], 7),
            (&["<<", ">>"], 8),
            (&["+", "-"], 9),
            (&["*", "/", "%"], 10),
        ];
        let mut left = self.unary()?;
        while let Token::Sign(sign) = *self.token()? {
            if sign == "?" && least == 0 {
                self.at += 1;
                let before = self.skips;
                self.skips |= left == 0;
                let then = self.expression(0)?;
                self.skips = before;
                self.expect(":")?;
                self.skips |= left != 0;
                let otherwise = self.expression(0)?;
                self.skips = before;
                left = if left != 0 { then } else { otherwise };
                continue;
            }
            let Some((_, order)) = ORDER.iter().find(|(signs, _)| signs.contains(&sign)) else {
                break;
            };
            if *order <= least {
                break;
            }
            self.at += 1;
            let right = self.expression(*order)?;
            left = self.apply(sign, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, String> {
        if self.eat("-") {
            return Ok(-self.unary()?);
        }
        if self.eat("!") {
            return Ok(i64::from(self.unary()? == 0));
        }
        let value = self.primary()?;
        self.want(&value, false);
        Ok(match value {
            Value::Number(number) => number,
            Value::Place { .. } => 0,
        })
    }

    fn primary(&mut self) -> Result<Value, String> {
        if self.eat("(") {
            let value = self.expression(0)?;
            self.expect(")")?;
            return Ok(Value::Number(value));
        }
        if let Token::Number(number) = *self.token()? {
            self.at += 1;
            return Ok(Value::Number(number));
        }
        let position = self.at;
        let name = self.name()?;
        if let Some(array) = self.arrays.get(&name).cloned() {
            return self.element(position, &array);
        }
        if matches!(
            name.as_str(),
            "threadIdx" | "blockIdx" | "blockDim" | "gridDim"
        ) {
            self.expect(".")?;
            let axis = self.name()?;
            return Ok(Value::Number(self.builtins[&format!("{name}.{axis}")]));
        }
        if let Some(&value) = self.values.get(&name) {
            return Ok(Value::Number(value));
        }
        if self.skips {
            return Ok(Value::Number(0));
        }
        Err(format!("{}: {name} is not known", self.kernel.name))
    }

    fn element(&mut self, position: usize, array: &Array) -> Result<Value, String> {
        let mut index = 0;
        for extent in &array.extents {
            self.expect("[")?;
            index = index * extent + self.expression(0)?;
            self.expect("]")?;
        }
        let (mut address, mut bytes) = (index * array.bytes, array.bytes);
        if !array.fields.is_empty() && self.eat(".") {
            let field = self.name()?;
            let at = array
                .fields
                .iter()
                .position(|own| *own == field)
                .ok_or("a field")?;
            bytes = array.bytes / i64::try_from(array.fields.len()).unwrap_or(1);
            address += i64::try_from(at).unwrap_or(0) * bytes;
        }
        Ok(Value::Place {
            position,
            shared: array.shared,
            address,
            bytes,
        })
    }
}

/// The turns of each part that a request to shared memory is served in.
#[must_use]
pub fn turns(wanted: &Wanted, atomic: bool) -> Vec<u32> {
    let bytes = wanted.values().map(|&(_, bytes)| bytes).max().unwrap_or(4);
    let lanes = match bytes {
        8 => 16,
        16 => 8,
        _ => 32,
    };
    let mut parts = Vec::new();
    for part in 0..32 / lanes {
        let mut served: Vec<Vec<i64>> = vec![Vec::new(); 32];
        for (_, &(address, bytes)) in wanted.iter().filter(|(lane, _)| **lane / lanes == part) {
            let mut words: Vec<i64> = (address..address + bytes).map(|byte| byte / 4).collect();
            words.dedup();
            for word in words {
                let bank = &mut served[usize::try_from(word % 32).unwrap_or(0)];
                if atomic || !bank.contains(&word) {
                    bank.push(word);
                }
            }
        }
        let fullest = served.iter().map(Vec::len).max().unwrap_or(0);
        if fullest > 0 {
            parts.push(u32::try_from(fullest).unwrap_or(0));
        }
    }
    parts
}

/// The sectors that a request to global memory touches.
#[must_use]
pub fn sectors(wanted: &Wanted) -> u32 {
    let touched: BTreeSet<i64> = wanted
        .values()
        .flat_map(|&(address, bytes)| (address..address + bytes).map(|byte| byte / 32))
        .collect();
    u32::try_from(touched.len()).unwrap_or(0)
}

/// The tallies of each kernel of a text for a launch, by line.
///
/// # Errors
/// What is not understood.
pub fn count(
    text: &str,
    block: [i64; 3],
    grid: [i64; 3],
) -> Result<BTreeMap<String, Vec<Tally>>, String> {
    let mut all = BTreeMap::new();
    for kernel in kernels(text)? {
        all.insert(kernel.name.clone(), of_kernel(&kernel, block, grid)?);
    }
    Ok(all)
}

/// What all requests of each kernel of a text take together in a launch.
///
/// # Errors
/// What is not understood.
pub fn totals(
    text: &str,
    block: [i64; 3],
    grid: [i64; 3],
) -> Result<BTreeMap<String, Totals>, String> {
    let mut all = BTreeMap::new();
    for kernel in kernels(text)? {
        let mut totals = Totals::default();
        for ((position, ..), (shared, atomic, wanted)) in requests(&kernel, block, grid)? {
            let kind = if atomic {
                2
            } else {
                usize::from(position >= WRITE)
            };
            if shared {
                let parts = turns(&wanted, atomic);
                let taken: u64 = parts.iter().map(|&turns| u64::from(turns)).sum();
                totals.shared_requests[kind] += 1;
                totals.shared_turns[kind] += taken;
                let fewest = u64::try_from(parts.len()).unwrap_or(0);
                totals.shared_conflicts[kind] += taken - fewest;
            } else {
                totals.global_requests[kind] += 1;
                totals.global_sectors[kind] += u64::from(sectors(&wanted));
            }
        }
        all.insert(kernel.name, totals);
    }
    Ok(all)
}

/// What is requested at once: place, block, warp, iterations.
type Request = (usize, i64, i64, Vec<i64>);

/// The requests of a launch: whether to shared memory, whether atomic, and what each lane wants.
fn requests(
    kernel: &Kernel,
    block: [i64; 3],
    grid: [i64; 3],
) -> Result<BTreeMap<Request, (bool, bool, Wanted)>, String> {
    let mut requests: BTreeMap<Request, (bool, bool, Wanted)> = BTreeMap::new();
    run_all(kernel, block, grid, &mut |number, thread, run| {
        for (position, iterations, shared, atomic, address, bytes) in run.wanted {
            let key = (position, number, thread / 32, iterations);
            let request = requests
                .entry(key)
                .or_insert((shared, atomic, Wanted::new()));
            let lane = usize::try_from(thread % 32).unwrap_or(0);
            request.2.insert(lane, (address, bytes));
        }
    })?;
    Ok(requests)
}

/// In how many arrivals of warps at each branch of a kernel the lanes differ, and all arrivals, by line.
///
/// # Errors
/// What is not understood.
pub fn branches(
    text: &str,
    block: [i64; 3],
    grid: [i64; 3],
) -> Result<BTreeMap<u32, (u64, u64)>, String> {
    let mut all = BTreeMap::new();
    for kernel in kernels(text)? {
        let mut arrivals: BTreeMap<Request, [bool; 2]> = BTreeMap::new();
        run_all(&kernel, block, grid, &mut |number, thread, run| {
            for (position, iterations, taken) in run.taken {
                let key = (position, number, thread / 32, iterations);
                arrivals.entry(key).or_default()[usize::from(taken)] = true;
            }
        })?;
        for ((position, ..), sides) in arrivals {
            let line = kernel.body[position].0;
            let own: &mut (u64, u64) = all.entry(line).or_default();
            own.0 += u64::from(sides == [true; 2]);
            own.1 += 1;
        }
    }
    Ok(all)
}

/// Runs every thread of every block; `visit` gets the number of the block, that of the thread, and what it did.
fn run_all(
    kernel: &Kernel,
    block: [i64; 3],
    grid: [i64; 3],
    visit: &mut dyn FnMut(i64, i64, Thread<'_>),
) -> Result<(), String> {
    for number in 0..grid.iter().product::<i64>() {
        for thread in 0..block.iter().product::<i64>() {
            let mut builtins = BTreeMap::new();
            let mut give = |name: &str, number: i64, sizes: [i64; 3]| {
                let at = [
                    number % sizes[0],
                    number / sizes[0] % sizes[1],
                    number / sizes[0] / sizes[1],
                ];
                for (axis, at) in ["x", "y", "z"].into_iter().zip(at) {
                    builtins.insert(format!("{name}.{axis}"), at);
                }
            };
            give("threadIdx", thread, block);
            give("blockIdx", number, grid);
            for (name, sizes) in [("blockDim", block), ("gridDim", grid)] {
                for (axis, size) in ["x", "y", "z"].into_iter().zip(sizes) {
                    builtins.insert(format!("{name}.{axis}"), size);
                }
            }
            let mut run = Thread {
                kernel,
                arrays: kernel.arrays.clone(),
                values: BTreeMap::new(),
                builtins,
                at: 0,
                iterations: Vec::new(),
                skips: false,
                returned: false,
                wanted: Vec::new(),
                taken: Vec::new(),
                seen: BTreeSet::new(),
            };
            run.statement()?;
            visit(number, thread, run);
        }
    }
    Ok(())
}

fn of_kernel(kernel: &Kernel, block: [i64; 3], grid: [i64; 3]) -> Result<Vec<Tally>, String> {
    let mut tallies: BTreeMap<usize, Tally> = BTreeMap::new();
    for ((position, ..), (shared, atomic, wanted)) in requests(kernel, block, grid)? {
        let line = kernel.body[position % WRITE].0;
        let worst = if shared {
            turns(&wanted, atomic).into_iter().max().unwrap_or(0)
        } else {
            sectors(&wanted)
        };
        let tally = tallies.entry(position).or_insert(Tally {
            line,
            shared,
            worst,
            requests: 0,
        });
        tally.worst = tally.worst.max(worst);
        tally.requests += 1;
    }
    let mut tallies: Vec<Tally> = tallies.into_values().collect();
    tallies.sort();
    Ok(tallies)
}
