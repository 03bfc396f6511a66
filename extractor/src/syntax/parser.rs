//! The state of the reader: position, names in scope, nesting, speculation.
//!
//! The reader is a recursive descent over tokens that knows which names are types, templates and values, as C++ demands:
//! `(n) + m * d`, `a < b && c > (d)` and `float m(a);` mean different things for different kinds of `n`, `a` and `b`.
//! **Invariants**: a construct is accepted only when all its tokens were consumed by a rule; where the kinds of the names
//! do not decide between two readings that differ in their accesses, the construct fails. Failing is local: statements
//! and items recover at the next `;` or balanced `}`. Nesting and the number of speculative steps are bounded, so that no
//! text overflows the stack or takes more than linear time times a constant.

use rustc_hash::{FxHashMap, FxHashSet};

use super::ast::{
    Expr, ExprKind, MAX_DEPTH, Name, Problem, Range, Stmt, TemplateParam, Type, Unit,
};
use super::lex::{Kind, NO_MATCH, Token, Word};
use super::scalars::is_library_type;
use super::types::LayoutAttributes;

/// Why a construct was not accepted, and at which token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fail {
    pub what: &'static str,
    pub token: usize,
}

/// What a rule gives.
pub(super) type Parsed<T> = Result<T, Fail>;

/// What a name is known to be; several at once when different scopes of the unit differ.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct NameKind {
    pub ty: bool,
    pub value: bool,
    pub template: bool,
}

impl NameKind {
    pub const TYPE: Self = Self {
        ty: true,
        value: false,
        template: false,
    };
    pub const VALUE: Self = Self {
        ty: false,
        value: true,
        template: false,
    };
    pub const TEMPLATE: Self = Self {
        ty: false,
        value: true,
        template: true,
    };
    pub const TYPE_TEMPLATE: Self = Self {
        ty: true,
        value: false,
        template: true,
    };

    /// Known to be no type.
    pub fn only_value(self) -> bool {
        self.value && !self.ty
    }

    /// Known to be no value.
    pub fn only_type(self) -> bool {
        self.ty && !self.value
    }
}

/// What ends an expression besides the usual.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Angle {
    /// `>` is an operator.
    Operator,
    /// `>` closes template arguments.
    Template,
    /// `>>>` closes a launch configuration.
    Launch,
}

/// The reader.
pub(super) struct Parser<'a> {
    pub text: &'a str,
    pub tokens: &'a [Token],
    pub pos: usize,
    pub angle: Angle,
    /// Levels of nesting above the construct being read.
    pub depth: u32,
    /// Height of the expression read last.
    pub height: u32,
    /// The greatest depth plus height of any expression read so far; see [`Parser::height_of`].
    peak: u32,
    /// Something was nested too deep or had too many possible readings.
    pub gave_up: bool,
    /// Steps left for the speculative readings.
    pub fuel: u64,
    pub unit: Unit,
    /// Problems in the function being read.
    pub errors: Vec<Problem>,
    /// Enclosing namespaces and classes.
    pub scope: Vec<String>,
    /// Parameters of enclosing class templates.
    pub outer_template: Vec<TemplateParam>,
    /// The type of the conversion function whose name was read last.
    pub conversion: Option<Type>,
    /// What the attributes of layout that were read last say.
    pub layout: LayoutAttributes,
    /// In an `extern "C"` block.
    pub extern_c: bool,
    /// Inside a function: type definitions go to `local_types`, not to the unit.
    pub in_function: bool,
    pub local_types: Vec<Stmt>,
    /// Whether `u8'a'` is a `char8_t`, as since C++20.
    pub has_char8: bool,
    /// The innermost class, if it is one of a function: how deep its members are in the scopes, and its name.
    pub local_class: Option<(usize, String)>,
    /// The token behind the last `requires` clause of a template header.
    pub constrained: Option<usize>,
    /// The concepts that were declared, by their simple names.
    pub concepts: FxHashSet<&'a str>,
    /// Constraints of the parameters of the template header that is read; `None` for one that is not understood.
    pub constraints: Vec<Option<Expr>>,
    /// Constraints of `auto`, where they begin.
    pub auto_constraints: Vec<(u32, Name)>,
    /// Tokens at which template arguments were tried in vain.
    pub no_template: FxHashSet<usize>,
    /// What the body of each class declares, by the simple name of the class, bases included.
    pub members: FxHashMap<&'a str, Vec<&'a str>>,
    global_names: FxHashMap<&'a str, NameKind>,
    /// The kinds of each local name, innermost last, and the order in which they were declared.
    local_names: FxHashMap<&'a str, Vec<NameKind>>,
    local_order: Vec<&'a str>,
}

impl<'a> Parser<'a> {
    pub fn new(text: &'a str, tokens: &'a [Token]) -> Self {
        Self {
            text,
            tokens,
            pos: 0,
            angle: Angle::Operator,
            depth: 0,
            height: 0,
            peak: 0,
            gave_up: false,
            fuel: 0,
            unit: Unit::default(),
            errors: Vec::new(),
            scope: Vec::new(),
            outer_template: Vec::new(),
            conversion: None,
            layout: LayoutAttributes::default(),
            extern_c: false,
            in_function: false,
            local_class: None,
            constrained: None,
            concepts: FxHashSet::default(),
            constraints: Vec::new(),
            auto_constraints: Vec::new(),
            local_types: Vec::new(),
            has_char8: false,
            no_template: FxHashSet::default(),
            members: FxHashMap::default(),
            global_names: FxHashMap::default(),
            local_names: FxHashMap::default(),
            local_order: Vec::new(),
        }
    }

    // ---- tokens ----

    pub fn text_at(&self, index: usize) -> &'a str {
        self.tokens
            .get(index)
            .map_or("", |token| &self.text[token.range.bytes()])
    }

    pub fn kind_at(&self, index: usize) -> Option<Kind> {
        self.tokens.get(index).map(|token| token.kind)
    }

    pub fn range_at(&self, index: usize) -> Range {
        let end = self.text.len() as u32;
        self.tokens
            .get(index)
            .map_or(Range::new(end, end), |token| token.range)
    }

    /// The text of the present token; empty at the end.
    pub fn peek(&self) -> &'a str {
        self.text_at(self.pos)
    }

    pub fn at(&self, text: &str) -> bool {
        self.peek() == text
    }

    pub fn at_ident(&self) -> bool {
        self.is_ident(self.pos)
    }

    /// Whether the token is an identifier and not a keyword.
    pub fn is_ident(&self, index: usize) -> bool {
        self.word_at(index) == Word::Name
    }

    /// What kind of word the token is.
    pub fn word_at(&self, index: usize) -> Word {
        self.tokens
            .get(index)
            .map_or(Word::Other, |token| token.word)
    }

    pub fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        self.pos += usize::from(found);
        found
    }

    pub fn expect(&mut self, text: &str, what: &'static str) -> Parsed<Range> {
        if self.at(text) {
            self.pos += 1;
            Ok(self.range_at(self.pos - 1))
        } else {
            self.fail(what)
        }
    }

    pub fn fail<T>(&self, what: &'static str) -> Parsed<T> {
        Err(Fail {
            what,
            token: self.pos,
        })
    }

    /// The partner of the bracket at `index`.
    pub fn partner(&self, index: usize) -> Option<usize> {
        let partner = self.tokens.get(index)?.partner;
        (partner != NO_MATCH).then_some(partner as usize)
    }

    /// Past the closing partner of the present opening bracket.
    pub fn skip_balanced(&mut self) -> Parsed<()> {
        match self.partner(self.pos) {
            Some(partner) if partner > self.pos => {
                self.pos = partner + 1;
                Ok(())
            }
            _ => self.fail("a bracket without its partner"),
        }
    }

    /// Whether the tokens `index` and `index + 1` touch.
    pub fn adjacent(&self, index: usize) -> bool {
        self.range_at(index).end == self.range_at(index + 1).start
    }

    /// From token `first` to the last token consumed.
    pub fn range_from(&self, first: usize) -> Range {
        let start = self.range_at(first).start;
        let end = if self.pos > first {
            self.range_at(self.pos - 1).end
        } else {
            start
        };
        Range::new(start, end)
    }

    /// The failure as a problem that covers `range`.
    pub fn problem(&self, fail: Fail, range: Range) -> Problem {
        let found: String = self.text_at(fail.token).chars().take(40).collect();
        let what = if found.is_empty() {
            format!("{} at the end", fail.what)
        } else {
            format!("{} at `{found}`", fail.what)
        };
        Problem { range, what }
    }

    // ---- nesting and speculation ----

    /// Runs `rule` one level deeper.
    pub fn nested<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        self.spend(1)?;
        if self.depth >= MAX_DEPTH {
            return self.give_up("nesting too deep");
        }
        self.depth += 1;
        let parsed = rule(self);
        self.depth -= 1;
        parsed
    }

    fn give_up<T>(&mut self, what: &'static str) -> Parsed<T> {
        self.gave_up = true;
        self.fail(what)
    }

    /// Counts `steps` of work.
    pub fn spend(&mut self, steps: u64) -> Parsed<()> {
        if self.fuel < steps {
            return self.give_up("too many possible readings");
        }
        self.fuel -= steps;
        Ok(())
    }

    /// Tries a rule; where it fails nothing is consumed.
    pub fn attempt<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Option<T> {
        let (pos, depth, angle) = (self.pos, self.depth, self.angle);
        let (errors, types, names) = (
            self.errors.len(),
            self.local_types.len(),
            self.local_order.len(),
        );
        let unit = &self.unit;
        let counts = [
            unit.functions.len(),
            unit.globals.len(),
            unit.typedefs.len(),
            unit.enums.len(),
            unit.structs.len(),
            unit.usings.len(),
            unit.unparsed.len(),
        ];
        match rule(self) {
            Ok(value) => Some(value),
            Err(_) => {
                self.pos = pos;
                self.depth = depth;
                self.angle = angle;
                self.errors.truncate(errors);
                self.local_types.truncate(types);
                self.leave_scope(names);
                self.unit.functions.truncate(counts[0]);
                self.unit.globals.truncate(counts[1]);
                self.unit.typedefs.truncate(counts[2]);
                self.unit.enums.truncate(counts[3]);
                self.unit.structs.truncate(counts[4]);
                self.unit.usings.truncate(counts[5]);
                self.unit.unparsed.truncate(counts[6]);
                None
            }
        }
    }

    /// Runs `rule` where `>` has the meaning `angle`.
    pub fn with_angle<T>(
        &mut self,
        angle: Angle,
        rule: impl FnOnce(&mut Self) -> Parsed<T>,
    ) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.angle, angle);
        let parsed = rule(self);
        self.angle = outer;
        parsed
    }

    /// An expression over operands of which the highest has height `below`.
    pub fn expr(&mut self, kind: ExprKind, range: Range, below: u32) -> Parsed<Expr> {
        self.height = below + 1;
        self.peak = self.peak.max(self.depth + self.height);
        if self.depth + self.height > MAX_DEPTH {
            return self.give_up("nesting too deep");
        }
        Ok(Expr { kind, range })
    }

    /// Runs a rule that reads statements and leaves their height in `self.height`.
    pub fn height_of<T>(&mut self, rule: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        let outer = std::mem::replace(&mut self.peak, self.depth);
        let parsed = rule(self);
        self.height = self.peak - self.depth;
        self.peak = self.peak.max(outer);
        parsed
    }

    // ---- names ----

    /// What `name` is in the innermost scope that declares it.
    pub fn name_kind(&self, name: &str) -> NameKind {
        if let Some(kind) = self.local_names.get(name).and_then(|kinds| kinds.last()) {
            return *kind;
        }
        self.global_names.get(name).copied().unwrap_or_default()
    }

    pub fn declare_global(&mut self, name: &'a str, kind: NameKind) {
        let known = self.global_names.entry(name).or_default();
        // A function or constructor that has the name of a library type does not hide the type.
        known.ty |= kind.ty || is_library_type(name);
        known.value |= kind.value;
        known.template |= kind.template;
    }

    pub fn declare_local(&mut self, name: &'a str, kind: NameKind) {
        self.local_names.entry(name).or_default().push(kind);
        self.local_order.push(name);
    }

    /// Declares in the function if inside one, else in the unit.
    pub fn declare(&mut self, name: &'a str, kind: NameKind) {
        if self.in_function {
            self.declare_local(name, kind)
        } else {
            self.declare_global(name, kind)
        }
    }

    /// Declares the members of a class.
    pub fn declare_members(&mut self, class: &str) {
        let members = self.members.get(class).cloned().unwrap_or_default();
        for name in members {
            // Template parameters, which were declared before, hide members.
            if self
                .local_names
                .get(name)
                .is_none_or(|kinds| kinds.is_empty())
            {
                self.declare_local(name, NameKind::VALUE);
            }
        }
    }

    /// To be given to [`Self::leave_scope`].
    pub fn enter_scope(&mut self) -> usize {
        self.local_order.len()
    }

    pub fn leave_scope(&mut self, mark: usize) {
        for name in self.local_order.drain(mark..) {
            if let Some(kinds) = self.local_names.get_mut(name) {
                kinds.pop();
            }
        }
    }

    /// `name` with the enclosing namespaces and classes before it.
    pub fn qualify(&self, name: &str) -> String {
        let mut qualified = self.scope.join("::");
        if !qualified.is_empty() {
            qualified.push_str("::");
        }
        qualified.push_str(name);
        qualified
    }
}
