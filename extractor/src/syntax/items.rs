//! What stands at namespace and class scope.
//!
//! An item that is not understood is skipped to its end and recorded in [`Unit::unparsed`](super::ast::Unit); if a
//! `__global__` stands inside what would be skipped, reading starts again at it, so that one unreadable macro before a
//! kernel does not hide the kernel.

use super::ast::{
    BitWidth, Block, Expr, Function, Init, Name, Param, Problem, Range, Scalar, Stmt, StmtKind,
    Storage, TemplateParam, TemplateParamKind, Type, TypeKind, Unit, Using, VarDecl,
};
use super::concepts::{all_of, constraint_of, without_concepts};
use super::declarator::{Declarator, Shape, Step};
use super::lex::Kind;
use super::local::{split_signature, variable};
use super::parser::{Angle, NameKind, Parsed, Parser};
use super::types::{LayoutAttributes, Specifiers};

/// Steps of work allowed for an item: real code takes fewer than 20 a token.
const LEAST_FUEL: u64 = 20_000;
const FUEL_PER_TOKEN: u64 = 60;

/// How deep namespaces and classes may be nested in each other.
const MAX_NAMESPACES: usize = 32;

/// The class whose members are read.
pub(super) struct Class {
    /// Its simple name.
    pub name: String,
    pub fields: Vec<VarDecl>,
    pub bits: Vec<BitWidth>,
    pub field_align: Vec<(usize, Expr)>,
    pub opaque: Option<String>,
    pub has_virtual: bool,
    pub access: Vec<(Range, bool)>,
}

/// What stands before an item.
#[derive(Default)]
struct Header {
    /// `template <…>` parameters; `None` without such a header.
    template: Option<Vec<TemplateParam>>,
    /// `template` without `<`.
    instantiation: bool,
    /// `extern template`: the instance is made in another file.
    elsewhere: bool,
}

/// How much of a unit was declared before an item.
struct Declared {
    functions: usize,
    structs: usize,
    globals: usize,
    typedefs: usize,
}

impl Declared {
    fn of(unit: &Unit) -> Self {
        Declared {
            functions: unit.functions.len(),
            structs: unit.structs.len(),
            globals: unit.globals.len(),
            typedefs: unit.typedefs.len(),
        }
    }
}

impl<'a> Parser<'a> {
    /// Everything up to the end of the text.
    pub fn unit_items(&mut self) {
        self.items(&mut None);
        while self.pos < self.tokens.len() {
            // A `}` without partner: what came before it may have ended too early.
            let range = self.range_at(self.pos);
            self.pos += 1;
            let problem = Problem {
                range,
                what: "an unbalanced `}`".to_owned(),
            };
            if let Some(function) = self.unit.functions.last_mut() {
                function.parse_errors.push(problem.clone());
            }
            self.unit.unparsed.push(problem);
            self.items(&mut None);
        }
    }

    /// Items up to a `}` or the end.
    fn items(&mut self, class: &mut Option<Class>) {
        while self.pos < self.tokens.len() && !self.at("}") {
            let first = self.pos;
            let end = self.recovery(first);
            if self.depth == 0 {
                self.fuel = LEAST_FUEL + FUEL_PER_TOKEN * (end - first) as u64;
            }
            let mark = self.enter_scope();
            let parsed = self.nested(|parser| parser.item(class, Header::default()));
            self.leave_scope(mark);
            let Err(fail) = parsed else { continue };
            self.pos = self.restart((first + 1).max(fail.token), end);
            // What follows a template header that was not understood is no item of its own, even if it reads like one.
            let behind = match self.text_at(first) {
                "template" => self.pos.max(end),
                _ => self.pos,
            };
            self.names_of_functions(first, behind);
            self.name_of_template(first, behind);
            let range = self.range_from(first);
            let problem = self.problem(fail, range);
            if let Some(class) = class {
                class.opaque.get_or_insert_with(|| problem.what.clone());
            }
            self.unit.unparsed.push(problem);
        }
    }

    /// Keeps what may be names of functions, from a token to another.
    fn names_of_functions(&mut self, first: usize, behind: usize) {
        let mut index = first;
        while index < behind {
            let word = self.text_at(index);
            let is_ident = self.kind_at(index) == Some(Kind::Ident);
            if word == "operator" {
                let name: String = (index + 1..behind)
                    .map(|index| self.text_at(index))
                    .take_while(|word| *word != "(")
                    .collect();
                // `operator+<int>`
                if let Some((symbol, _)) = name
                    .split_once('<')
                    .filter(|(symbol, _)| !symbol.is_empty())
                {
                    self.unit.unparsed_names.insert(format!("operator{symbol}"));
                }
                self.unit.unparsed_names.insert(format!("operator{name}"));
            } else if is_ident && self.text_at(index + 1) == "(" {
                self.unit.unparsed_names.insert(word.to_owned());
            }
            index = match word {
                "{" => self.partner(index).unwrap_or(index).max(index) + 1,
                _ => index + 1,
            };
        }
    }

    /// Keeps the name of a template of a class, variable or alias: the last one outside of `<…>` and `(…)` before what it is.
    fn name_of_template(&mut self, first: usize, behind: usize) {
        if self.text_at(first) != "template" {
            return;
        }
        let mut angles = 0u32;
        let mut name = None;
        let mut index = first;
        while index < behind {
            let word = self.text_at(index);
            match word {
                "<" => angles += 1,
                ">" => angles = angles.saturating_sub(1),
                ">>" => angles = angles.saturating_sub(2),
                "(" | "[" => index = self.partner(index).unwrap_or(index).max(index),
                "=" | "{" | ";" | ":" if angles == 0 => break,
                _ if angles == 0 && self.is_ident(index) && word != "final" => name = Some(word),
                _ => {}
            }
            index += 1;
        }
        if let Some(name) = name {
            self.unit.unparsed_templates.insert(name.to_owned());
        }
    }

    /// Where to go on after an item that ends before `end` and was not understood at `failed`: at a word that begins an
    /// item, or at a kernel in braces; else at the end.
    fn restart(&self, failed: usize, end: usize) -> usize {
        let mut inner = failed;
        for index in failed..end {
            let word = self.text_at(index);
            if word == "__global__" {
                return index;
            }
            if index < inner {
                continue;
            }
            match word {
                "{" => inner = self.partner(index).unwrap_or(index),
                "template" | "namespace" | "__device__" | "__host__" | "typedef" => return index,
                _ => {}
            }
        }
        end
    }

    fn item(&mut self, class: &mut Option<Class>, header: Header) -> Parsed<()> {
        let first = self.pos;
        self.skip_attributes()?;
        let next = self.text_at(self.pos + 1);
        match self.peek() {
            ";" => {
                self.pos += 1;
                Ok(())
            }
            "namespace" | "inline"
                if class.is_none() && (self.at("namespace") || next == "namespace") =>
            {
                self.namespace()
            }
            "extern"
                if self.kind_at(self.pos + 1) == Some(Kind::Str)
                    && self.text_at(self.pos + 2) == "{" =>
            {
                let outer = self.extern_c;
                self.extern_c = next == "\"C\"";
                self.pos += 2;
                let parsed = self.braces(&mut None);
                self.extern_c = outer;
                parsed
            }
            "extern" if next == "template" => {
                self.pos += 1;
                self.item(
                    class,
                    Header {
                        elsewhere: true,
                        ..header
                    },
                )
            }
            "template" => {
                self.pos += 1;
                if !self.at("<") {
                    return self.item(
                        class,
                        Header {
                            instantiation: true,
                            ..header
                        },
                    );
                }
                let outer = std::mem::take(&mut self.constraints);
                let params = self.template_header();
                let mut conditions = std::mem::replace(&mut self.constraints, outer);
                let params = params?;
                if self.at("requires") {
                    conditions.push(self.requires_clause()?);
                }
                if self.at("concept") {
                    return self.concept(params, first);
                }
                let requires = (!conditions.is_empty()).then(|| all_of(conditions));
                let known = Declared::of(&self.unit);
                let mut template = header.template.unwrap_or_default();
                template.extend(params);
                self.nested(|parser| {
                    parser.item(
                        class,
                        Header {
                            template: Some(template),
                            instantiation: false,
                            elsewhere: false,
                        },
                    )
                })?;
                if let Some(condition) = requires {
                    self.constrain(&known, condition, first);
                }
                Ok(())
            }
            "using" => {
                if self.is_ident(self.pos + 1) && matches!(self.text_at(self.pos + 2), "=" | "[") {
                    let template = self.all_template(header.template);
                    let typedef = self.alias(template)?;
                    self.unit.typedefs.push(typedef);
                } else {
                    let using = self.using()?;
                    self.unit.usings.push(using);
                }
                Ok(())
            }
            "static_assert" | "_Static_assert" => {
                self.pos += 1;
                self.parens()?;
                self.expect(";", "expected `;`").map(drop)
            }
            // Of the annotation language.
            "__axiom" | crate::assume::WORD if next == "(" => {
                let of_unit = self.at("__axiom");
                self.pos += 2;
                let condition = self.expression()?;
                self.expect(")", "expected `)`")?;
                if of_unit {
                    self.unit.axioms.push(condition);
                } else {
                    self.unit.assumed.push(condition);
                }
                self.expect(";", "expected `;`").map(drop)
            }
            label @ ("public" | "private" | "protected") if let Some(class) = class => {
                let is_public = label == "public";
                self.pos += 1;
                class.access.push((self.range_from(first), is_public));
                self.expect(":", "expected `:`").map(drop)
            }
            "friend" if matches!(next, "class" | "struct") => {
                self.pos = self.recovery(first);
                Ok(())
            }
            _ => {
                self.pos = first;
                self.declaration(class, header)
            }
        }
    }

    /// `concept C = condition;` behind its template header: a variable template that holds the condition.
    fn concept(&mut self, params: Vec<TemplateParam>, first: usize) -> Parsed<()> {
        self.pos += 1;
        let name_range = self.range_at(self.pos);
        if !self.at_ident() {
            return self.fail("expected a name");
        }
        let simple = self.peek();
        self.pos += 1;
        self.skip_attributes()?;
        self.expect("=", "expected `=`")?;
        let condition = self.constraint()?;
        self.expect(";", "expected `;`")?;
        self.concepts.insert(simple);
        self.declare_global(simple, NameKind::TEMPLATE);
        let Some(condition) = condition else {
            // Whoever asks for it does not know.
            self.unit.unparsed_templates.insert(simple.to_owned());
            return Ok(());
        };
        let range = self.range_from(first);
        let mut ty = Type::new(TypeKind::Scalar(Scalar::Bool), name_range);
        ty.is_const = true;
        let storage = Storage {
            constexpr: true,
            ..Storage::default()
        };
        self.unit.globals.push(VarDecl {
            name: self.qualify(simple),
            name_range,
            ty,
            storage,
            init: Init::Expr(condition),
            template: self.all_template(Some(params)),
            special: None,
            range,
        });
        Ok(())
    }

    /// `requires C<T> && (sizeof(T) == 4)` behind a template header: the condition, if it reads as an expression.
    fn requires_clause(&mut self) -> Parsed<Option<Expr>> {
        self.pos += 1;
        let condition = self.constraint()?;
        self.constrained = Some(self.pos);
        Ok(condition)
    }

    /// Operands of `&&` and `||`, if they read as an expression.
    fn constraint(&mut self) -> Parsed<Option<Expr>> {
        let first = self.pos;
        self.skip_condition()?;
        let behind = self.pos;
        self.pos = first;
        let read = self.nested(Self::disjunction);
        let whole = self.pos == behind;
        self.pos = behind;
        Ok(read.ok().filter(|_| whole).and_then(without_concepts))
    }

    /// Operands of `&&` and `||`: in parentheses, names, `requires` expressions.
    fn skip_condition(&mut self) -> Parsed<()> {
        loop {
            match self.peek() {
                "requires" => {
                    self.pos += 1;
                    if self.at("(") {
                        self.pos = self.partner(self.pos).unwrap_or(self.pos) + 1;
                    }
                    if !self.at("{") {
                        return self.fail("a `requires` clause");
                    }
                    self.pos = self.partner(self.pos).unwrap_or(self.pos) + 1;
                }
                "(" => self.pos = self.partner(self.pos).unwrap_or(self.pos) + 1,
                "true" | "false" => self.pos += 1,
                "!" => {
                    self.pos += 1;
                    continue;
                }
                _ => self.skip_path()?,
            }
            if !(self.eat("&&") || self.eat("||")) {
                return Ok(());
            }
        }
    }

    /// `n::C<T>::value`
    fn skip_path(&mut self) -> Parsed<()> {
        self.eat("::");
        loop {
            if !self.at_ident() {
                return self.fail("a `requires` clause");
            }
            self.pos += 1;
            let mut angles = 0u32;
            while self.pos < self.tokens.len() {
                match self.peek() {
                    "<" => angles += 1,
                    ">" => angles = angles.saturating_sub(1),
                    ">>" => angles = angles.saturating_sub(2),
                    "(" | "[" if angles != 0 => {
                        self.pos = self.partner(self.pos).unwrap_or(self.pos);
                    }
                    ";" | "{" => break,
                    _ if angles == 0 => break,
                    _ => {}
                }
                self.pos += 1;
                if angles == 0 {
                    break;
                }
            }
            if !self.eat("::") {
                return Ok(());
            }
        }
    }

    /// What was declared since is there only under a condition. Where that is not understood, the name may mean it or not.
    fn constrain(&mut self, known: &Declared, condition: Option<Expr>, first: usize) {
        let unit = &mut self.unit;
        let templates = &mut unit.unparsed_templates;
        let simple = |name: &str| name.rsplit("::").next().unwrap_or(name).to_owned();
        let mut understood = condition.is_some();
        // A class stands behind those that are declared in it.
        if let Some(class) = unit.structs[known.structs..].last_mut() {
            match condition {
                Some(condition) if class.requires.is_none() => {
                    class.requires = Some(Box::new(condition))
                }
                _ => {
                    understood = false;
                    templates.insert(simple(&class.name));
                }
            }
        } else {
            for function in &mut unit.functions[known.functions..] {
                if condition.is_none() {
                    understood = false;
                    unit.unparsed_names.insert(function.name.clone());
                }
                let own = function.requires.take();
                function.requires = match (&condition, own) {
                    (Some(outer), Some(own)) => all_of(vec![Some(outer.clone()), Some(own)]),
                    (outer, own) => outer.clone().or(own),
                };
            }
        }
        let globals = unit.globals[known.globals..].iter();
        let typedefs = unit.typedefs[known.typedefs..].iter();
        if unit.structs.len() == known.structs {
            understood &= globals.len() == 0 && typedefs.len() == 0;
            templates.extend(globals.map(|global| simple(&global.name)));
            templates.extend(typedefs.map(|typedef| simple(&typedef.name)));
        }
        if !understood {
            let range = self.range_at(first);
            let what = "a `requires` clause".to_owned();
            self.unit.unparsed.push(Problem { range, what });
        }
    }

    /// `{ items }`
    pub fn braces(&mut self, class: &mut Option<Class>) -> Parsed<()> {
        if !self.at("{") || self.partner(self.pos).is_none() {
            return self.fail("a brace without its partner");
        }
        self.pos += 1;
        self.items(class);
        self.expect("}", "expected `}`").map(drop)
    }

    fn namespace(&mut self) -> Parsed<()> {
        let first = self.pos;
        let mut is_inline = self.eat("inline");
        self.expect("namespace", "expected `namespace`")?;
        self.skip_attributes()?;
        if self.is_ident(self.pos) && self.text_at(self.pos + 1) == "=" {
            self.pos = first;
            let using = self.using()?;
            self.unit.usings.push(using);
            return Ok(());
        }
        let outer = self.scope.len();
        while self.at_ident() {
            let name = self.peek().to_owned();
            self.pos += 1;
            let scope = self.scope.join("::");
            self.scope.push(name);
            // Its names are those of the namespace around it, as by a directive.
            if is_inline {
                self.unit.usings.push(Using {
                    namespace: true,
                    target: self.scope.join("::"),
                    alias: None,
                    scope,
                    block: None,
                    range: self.range_from(first),
                });
            }
            if !self.eat("::") {
                break;
            }
            is_inline = self.eat("inline");
        }
        self.skip_attributes()?;
        if self.scope.len() > MAX_NAMESPACES {
            self.scope.truncate(outer);
            return self.fail("nesting too deep");
        }
        // At the outermost level again: each item of a namespace has its own budget.
        let depth = std::mem::take(&mut self.depth);
        let parsed = self.braces(&mut None);
        self.depth = depth;
        self.scope.truncate(outer);
        parsed
    }

    /// The parameters of enclosing class templates and these.
    fn all_template(&self, own: Option<Vec<TemplateParam>>) -> Vec<TemplateParam> {
        let mut all = self.outer_template.clone();
        all.extend(own.unwrap_or_default());
        all
    }

    /// Variables, typedefs, classes, functions.
    fn declaration(&mut self, class: &mut Option<Class>, header: Header) -> Parsed<()> {
        let first = self.pos;
        let template = header.template.as_ref();
        // A class template is declared with its header, which the specifiers need to know.
        let structs = self.unit.structs.len();
        self.layout = LayoutAttributes::default();
        let mut specs =
            self.specifiers_of_template(class.as_ref().map(|class| &*class.name), template)?;
        specs.layout = std::mem::take(&mut self.layout);
        if let Some(range) = specs.unknown {
            let what = format!(
                "the word `{}`, which is no specifier",
                &self.text[range.bytes()]
            );
            self.unit.unparsed.push(Problem { range, what });
        }
        if header.instantiation
            && self.at(";")
            && let Some(mut ty) = specs.ty
        {
            self.pos += 1;
            // It reads like the declaration of a specialisation.
            let declared = self.unit.structs.drain(structs..).next();
            if let (TypeKind::Named(name), Some(declared)) = (&mut ty.kind, declared) {
                name.args = Some(declared.template_args);
            }
            if !header.elsewhere {
                self.unit.class_instantiations.push(ty);
            }
            return Ok(());
        }
        let declares_class = self.unit.structs.len() > structs
            || specs.defines
            || is_class_type(self, first, &specs);
        if self.at(";") && (declares_class || specs.ty.is_none()) {
            self.pos += 1;
            // `struct { int a; };` inside a class: its members are members of the class. An unnamed enumeration is none.
            if let (
                Some(class),
                Some(Type {
                    kind: TypeKind::Named(name),
                    range,
                    ..
                }),
            ) = (class.as_mut(), &specs.ty)
                && name.base.starts_with('{')
                && !name.base.starts_with("{enum ")
                && specs.defines
            {
                let ty = Type::new(TypeKind::Named(name.clone()), *range);
                class.fields.push(nameless(ty, *range));
            }
            return Ok(());
        }
        if specs.is_typedef {
            let Some(base) = specs.ty.clone() else {
                return self.fail("expected a type");
            };
            loop {
                let start = self.pos;
                let declarator = self.declarator(Shape::Named)?;
                let typedef = self.typedef_of(declarator, base.clone(), &specs.layout, start)?;
                self.unit.typedefs.push(typedef);
                if !self.eat(",") {
                    return self.expect(";", "expected `;`").map(drop);
                }
            }
        }
        let mut alone = true;
        loop {
            let start = self.pos;
            if class.is_some() && self.at(":") {
                // `int : 3;`
                self.pos += 1;
                let width = self.conditional()?;
                let Some(ty) = specs.ty.clone() else {
                    return self.fail("expected a type");
                };
                if let Some(class) = class {
                    class.bits.push(BitWidth {
                        before: class.fields.len(),
                        named: false,
                        ty,
                        width,
                    });
                }
            } else {
                let declarator = self.declarator(Shape::Named)?;
                if matches!(declarator.steps.first(), Some(Step::Function(_))) {
                    let done = self.function(&specs, declarator, class, &header, first, alone)?;
                    if done {
                        return Ok(());
                    }
                } else {
                    let Some(base) = specs.ty.clone() else {
                        return self.fail("expected a type");
                    };
                    self.global(&specs, declarator, base, class, &header, start)?;
                }
            }
            alone = false;
            if !self.eat(",") {
                return self.expect(";", "expected `;`").map(drop);
            }
        }
    }

    /// A variable or field.
    fn global(
        &mut self,
        specs: &Specifiers,
        declarator: Declarator,
        base: Type,
        class: &mut Option<Class>,
        header: &Header,
        start: usize,
    ) -> Parsed<()> {
        let own = std::mem::take(&mut self.layout);
        let mut var = variable(declarator, base, specs.storage);
        if var.name.is_empty() {
            return self.fail("a declarator without a plain name");
        }
        let simple = var.name.rsplit("::").next().unwrap_or_default().to_owned();
        let name = self.text_of(&simple, var.name_range);
        let kind = if header.template.is_some() {
            NameKind::TEMPLATE
        } else {
            NameKind::VALUE
        };
        // Members are found ahead, see `members_ahead`; `S<T>::n` declares no `n` here.
        if class.is_none() && !var.name.contains("::") {
            self.declare_global(name, kind);
        }
        if class.is_some() && self.eat(":") {
            let width = self.conditional()?;
            if let Some(class) = class {
                class.bits.push(BitWidth {
                    before: class.fields.len(),
                    named: true,
                    ty: var.ty.clone(),
                    width,
                });
            }
        }
        self.initialiser(&mut var)?;
        var.range = self.range_from(start);
        if let Some(class) = class
            && !specs.storage.is_static
        {
            let behind = std::mem::take(&mut self.layout);
            for asked in [&specs.layout, &own, &behind] {
                if asked.opaque || asked.packed.is_some() {
                    class
                        .opaque
                        .get_or_insert_with(|| "an attribute of a field".to_owned());
                }
                let position = class.fields.len();
                let aligns = asked.align.iter().cloned();
                class
                    .field_align
                    .extend(aligns.map(|align| (position, align)));
            }
            class.fields.push(var);
            return Ok(());
        }
        var.name = self.qualify(&var.name);
        var.template = self.all_template(header.template.clone());
        self.unit.globals.push(var);
        Ok(())
    }

    /// A function after its declarator: `true` if it had a body, `false` before `,` or `;`.
    fn function(
        &mut self,
        specs: &Specifiers,
        declarator: Declarator,
        class: &mut Option<Class>,
        header: &Header,
        first: usize,
        alone: bool,
    ) -> Parsed<bool> {
        let Some(name) = declarator.name.clone() else {
            return self.fail("expected a name");
        };
        // A conversion function's type is in its name.
        let no_type = match (name.base.strip_prefix("operator "), self.conversion.take()) {
            (Some(_), Some(ty)) => ty,
            (Some(_), None) => {
                let what = "the type of a conversion function".to_owned();
                Type::new(
                    TypeKind::Unsupported(Problem {
                        range: name.range,
                        what,
                    }),
                    name.range,
                )
            }
            (None, _) => Type::void(name.range),
        };
        if specs.ty.is_none() && !self.may_lack_type(&name, class) {
            return self.fail("a function without a type");
        }
        let mut quals = specs.quals;
        quals.extern_c |= self.extern_c;
        let mut conditions = Vec::new();
        if self.at("requires") {
            conditions.push(self.requires_clause()?);
        }
        let (mut signature, ret) = split_signature(declarator, specs.ty.clone().unwrap_or(no_type));
        quals.is_const = signature.is_const;
        quals.of_reference = signature.of_reference;
        let text = self.text_of(&name.base, name.range);
        let invented = self.abbreviated(&mut signature.params, &mut conditions);
        let is_template = header
            .template
            .as_ref()
            .is_some_and(|params| !params.is_empty())
            || name.args.is_some()
            || !invented.is_empty();
        if !text.is_empty() && class.is_none() && name.qualifier.is_empty() {
            self.declare_global(
                text,
                if is_template {
                    NameKind::TEMPLATE
                } else {
                    NameKind::VALUE
                },
            );
        }
        let mut owner_parts = self.scope.clone();
        owner_parts.extend(name.qualifier.iter().map(|segment| segment.name.clone()));
        let in_class = class.is_some() || !name.qualifier.is_empty();
        // A class in a function has no name outside it, wherever the function is.
        let local = self.local_class.as_ref();
        let owner = match local.filter(|(depth, _)| *depth == owner_parts.len()) {
            Some((_, class)) if in_class => Some(class.clone()),
            _ => in_class.then(|| owner_parts.join("::")),
        };
        let template = match (&header.template, self.outer_template.is_empty()) {
            (None, true) if invented.is_empty() => None,
            (own, _) => {
                let mut all = self.all_template(own.clone());
                all.extend(invented);
                Some(all)
            }
        };
        let requires = match conditions.is_empty() {
            true => None,
            false => {
                let all = all_of(conditions);
                if all.is_none() {
                    self.unit.unparsed_names.insert(name.base.clone());
                    let what = "a `requires` clause".to_owned();
                    let range = name.range;
                    self.unit.unparsed.push(Problem { range, what });
                }
                all
            }
        };
        let mut function = Function {
            qualified: self.qualify(&name.path()),
            name: name.base,
            name_range: name.range,
            quals,
            launch_bounds: specs.launch_bounds.clone(),
            template,
            template_args: name.args.unwrap_or_default(),
            params: signature.params,
            variadic: signature.variadic,
            ret,
            body: None,
            owner,
            qualifier: name.qualifier,
            requires,
            range: Range::default(),
            parse_errors: Vec::new(),
        };
        if quals.is_virtual
            && let Some(class) = class
        {
            class.has_virtual = true;
        }
        let mut has_body = false;
        match self.peek() {
            "=" => {
                self.pos += 1;
                if !matches!(self.peek(), "default" | "delete" | "0") {
                    return self.fail("expected `default`, `delete` or `0`");
                }
                self.pos += 1;
            }
            "{" | ":" | "try" if alone => {
                has_body = true;
                self.body(&mut function)?;
            }
            // `__global__ void k() __launch_bounds__(n)` and other words behind the parameters.
            "," | ";" => {}
            _ => return self.fail("expected `;` or a body"),
        }
        function.range = self.range_from(first);
        if header.instantiation && header.elsewhere {
            self.unit.announced.push(function);
        } else if header.instantiation {
            self.unit.instantiations.push(function);
        } else {
            self.unit.functions.push(function);
        }
        Ok(has_body)
    }

    /// `f(auto x, const C auto &y)`: a parameter of a template for each `auto`, with its constraint.
    fn abbreviated(
        &mut self,
        params: &mut [Param],
        conditions: &mut Vec<Option<Expr>>,
    ) -> Vec<TemplateParam> {
        let mut invented = Vec::new();
        for param in params {
            let range = param.range;
            let constraints = self.auto_constraints.iter();
            let mut own = constraints.filter(|(at, _)| range.start <= *at && *at < range.end);
            let constraint = own.next().map(|(_, concept)| concept.clone());
            let name = format!("{{auto {}}}", range.start);
            if !name_auto(&mut param.ty, &name) {
                continue;
            }
            let parameter = TemplateParam {
                name: Some(name),
                kind: TemplateParamKind::Type { default: None },
                pack: param.pack,
                range,
            };
            if let Some(concept) = constraint {
                conditions.push(constraint_of(concept, &parameter));
            }
            invented.push(parameter);
        }
        self.auto_constraints.clear();
        invented
    }

    /// Whether a function may be declared without a type: constructors, destructors, conversions.
    fn may_lack_type(&self, name: &super::ast::Name, class: &Option<Class>) -> bool {
        let class_name = name
            .qualifier
            .last()
            .map(|segment| &segment.name)
            .or(class.as_ref().map(|class| &class.name));
        name.base.starts_with('~')
            || name.base.starts_with("operator ")
            || class_name == Some(&name.base)
    }

    /// The body of a function and the initialisers before it.
    fn body(&mut self, function: &mut Function) -> Parsed<()> {
        let outer_errors = std::mem::take(&mut self.errors);
        let outer_types = std::mem::take(&mut self.local_types);
        let outer_function = std::mem::replace(&mut self.in_function, true);
        let outer_angle = std::mem::replace(&mut self.angle, Angle::Operator);
        let mark = self.enter_scope();
        if let Some(class) = function
            .owner
            .as_deref()
            .and_then(|owner| owner.rsplit("::").next())
        {
            self.declare_members(class);
        }
        for param in &function.params {
            if let Some(name) = &param.name {
                let name = self.text_of(name, param.range);
                self.declare_local(name, NameKind::VALUE);
            }
        }
        let body = self.body_inner();
        self.leave_scope(mark);
        self.angle = outer_angle;
        self.in_function = outer_function;
        self.local_types = outer_types;
        function.parse_errors = std::mem::replace(&mut self.errors, outer_errors);
        function.body = Some(body?);
        Ok(())
    }

    fn body_inner(&mut self) -> Parsed<Block> {
        let first = self.pos;
        if self.at("try") {
            return self.fail("a function try block");
        }
        let mut initialisers = Vec::new();
        if self.eat(":") {
            loop {
                let start = self.pos;
                let member = self.type_name()?;
                let init = if self.at("{") {
                    Init::List(self.init_list()?)
                } else {
                    Init::Call(self.arguments()?)
                };
                let kind = if self.eat("...") {
                    StmtKind::Unsupported {
                        what: "a pack of member initialisers".to_owned(),
                    }
                } else {
                    StmtKind::MemberInit { member, init }
                };
                initialisers.push(Stmt {
                    kind,
                    range: self.range_from(start),
                });
                if !self.eat(",") {
                    break;
                }
            }
        }
        if self.at("{") && self.partner(self.pos).is_none() {
            return Ok(self.unbalanced_body(first));
        }
        let mut block = self.block()?;
        if !initialisers.is_empty() {
            initialisers.append(&mut block.stmts);
            block.stmts = initialisers;
        }
        Ok(block)
    }

    /// A body whose `{` is never closed reaches to the next kernel or to the end.
    fn unbalanced_body(&mut self, first: usize) -> Block {
        self.pos += 1;
        while self.pos < self.tokens.len() && !self.at("__global__") {
            self.pos += 1;
        }
        let range = self.range_from(first);
        let what = "a body without its closing brace".to_owned();
        self.errors.push(Problem {
            range,
            what: what.clone(),
        });
        Block {
            stmts: vec![Stmt {
                kind: StmtKind::Unsupported { what },
                range,
            }],
            range,
        }
    }

    fn specifiers_of_template(
        &mut self,
        class: Option<&str>,
        template: Option<&Vec<TemplateParam>>,
    ) -> Parsed<Specifiers> {
        let Some(template) = template else {
            return self.specifiers(class);
        };
        let outer = self.outer_template.len();
        let is_class = matches!(self.peek(), "struct" | "class" | "union");
        if is_class {
            self.outer_template.extend(template.iter().cloned());
        }
        let parsed = self.specifiers(class);
        self.outer_template.truncate(outer);
        parsed
    }
}

/// Gives the `auto` in a type a name; whether there is one.
fn name_auto(ty: &mut Type, name: &str) -> bool {
    match &mut ty.kind {
        TypeKind::Auto => {
            ty.kind = TypeKind::Named(Name::simple(name, ty.range));
            true
        }
        TypeKind::Pointer(to)
        | TypeKind::Reference(to)
        | TypeKind::RvalueReference(to)
        | TypeKind::Array(to, _) => name_auto(to, name),
        _ => false,
    }
}

/// Whether the specifiers that began at `first` are a class or enumeration that may stand alone.
fn is_class_type(parser: &Parser<'_>, first: usize, specs: &Specifiers) -> bool {
    let class_word = matches!(parser.text_at(first), "struct" | "class" | "union" | "enum");
    class_word
        && matches!(
            &specs.ty,
            Some(Type {
                kind: TypeKind::Named(_),
                ..
            })
        )
}

/// The field that stands for an anonymous struct or union.
fn nameless(ty: Type, range: Range) -> VarDecl {
    VarDecl {
        name: String::new(),
        name_range: range,
        ty,
        storage: Default::default(),
        init: Init::None,
        template: Vec::new(),
        special: None,
        range,
    }
}
