//! Local declarations, and what local and other declarations have in common.

use super::ast::{
    Expr, ExprKind, Function, Init, Name, Param, Range, Stmt, StmtKind, Storage, Struct,
    TemplateParam, Type, TypeKind, Typedef, Using, VarDecl,
};
use super::declarator::{Declarator, Shape, Signature, Step};
use super::lex::Word;
use super::parser::{NameKind, Parsed, Parser};
use super::scalars::is_library_type;
use super::types::{LayoutAttributes, Specifiers};

impl<'a> Parser<'a> {
    /// `using A = T;`
    pub fn alias(&mut self, template: Vec<TemplateParam>) -> Parsed<Typedef> {
        let first = self.pos;
        self.pos += 1;
        let name = self.peek();
        self.pos += 1;
        self.layout = LayoutAttributes::default();
        self.skip_attributes()?;
        let mut layout = std::mem::take(&mut self.layout);
        self.expect("=", "expected `=`")?;
        let ty = self.type_id()?;
        layout.add(std::mem::take(&mut self.layout));
        self.semicolon()?;
        let kind = if template.is_empty() {
            NameKind::TYPE
        } else {
            NameKind::TYPE_TEMPLATE
        };
        self.declare(name, kind);
        let qualified = if self.in_function {
            name.to_owned()
        } else {
            self.qualify(name)
        };
        Ok(Typedef {
            name: qualified,
            ty,
            template,
            opaque: layout.opaque || layout.packed.is_some(),
            align: layout.align,
            range: self.range_from(first),
        })
    }

    /// `using namespace n;`, `using n::f;`, `namespace a = b;`
    pub fn using(&mut self) -> Parsed<Using> {
        let first = self.pos;
        let scope = self.scope.join("::");
        if self.eat("namespace") {
            let alias = self.declared_name()?.path();
            self.expect("=", "expected `=`")?;
            let target = self.type_name()?.path();
            self.semicolon()?;
            return Ok(Using {
                namespace: true,
                target,
                alias: Some(alias),
                scope,
                block: None,
                range: self.range_from(first),
            });
        }
        self.expect("using", "expected `using`")?;
        let namespace = self.eat("namespace");
        self.eat("typename");
        let target = self.declared_name()?.path();
        self.semicolon()?;
        Ok(Using {
            namespace,
            target,
            alias: None,
            scope,
            block: None,
            range: self.range_from(first),
        })
    }

    /// Whether a declaration, and not an expression, begins here.
    pub fn starts_declaration(&mut self) -> bool {
        let (first, word) = (self.pos, self.peek());
        let next = self.text_at(first + 1);
        if self.word_at(first) == Word::Specifier
            || matches!(
                word,
                "struct"
                    | "class"
                    | "union"
                    | "enum"
                    | "decltype"
                    | "typeof"
                    | "__typeof__"
                    | "__typeof"
            )
        {
            return true;
        }
        if self.word_at(first) == Word::Builtin {
            return match next {
                "(" => {
                    matches!(self.text_at(first + 2), "*" | "&" | "&&")
                        || self.is_member_pointer_at(first + 2)
                }
                "{" => false,
                _ => true,
            };
        }
        if word == "typename" {
            return true;
        }
        if word != "::" && !self.at_ident() {
            return false;
        }
        let kind = if word == "::" {
            NameKind::default()
        } else {
            self.name_kind(word)
        };
        if kind.only_value() && next != "::" {
            return false;
        }
        // The commonest cases first: an operator or call after the name.
        if !matches!(
            next,
            "::" | "<" | "*" | "&" | "&&" | "(" | "const" | "volatile"
        ) && !self.is_ident(first + 1)
            && word != "::"
        {
            return false;
        }
        let found = self.attempt(|parser| {
            let name = parser.type_name()?;
            let known = kind.ty || (name.qualifier.is_empty() && is_library_type(&name.base));
            let mut pointer = false;
            loop {
                match parser.peek() {
                    "*" | "&" => pointer = true,
                    "&&" if known || name.args.is_some() => pointer = true,
                    "const" | "volatile" | "__restrict__" | "__restrict" => {}
                    _ => break,
                }
                parser.pos += 1;
            }
            if known
                && !pointer
                && parser.at("(")
                && matches!(parser.text_at(parser.pos + 1), "*" | "&")
                && parser.is_ident(parser.pos + 2)
                && matches!(parser.text_at(parser.pos + 3), ")" | "[")
            {
                return Ok(true);
            }
            // `auto [a, b]` aside, a declarator starts with a name.
            if !parser.at_ident() {
                return Ok(false);
            }
            let after = parser.text_at(parser.pos + 1);
            Ok(!pointer || matches!(after, "=" | ";" | "," | "[" | "(" | "{" | ":" | ")"))
        });
        self.pos = first;
        found == Some(true)
    }

    /// Declarators after their specifiers, with the `;`.
    pub fn local_declaration(&mut self) -> Parsed<StmtKind> {
        let first = self.pos;
        self.layout = LayoutAttributes::default();
        let specs = self.specifiers(None)?;
        let layout = std::mem::take(&mut self.layout);
        if specs.unknown.is_some() || specs.quals.friend || specs.quals.is_virtual {
            return self.fail("a word that is no specifier, before this");
        }
        let Some(base) = specs.ty.clone() else {
            return self.fail("expected a type");
        };
        if self.at("[") || (matches!(self.peek(), "&" | "&&") && self.text_at(self.pos + 1) == "[")
        {
            return self.structured_binding(&specs, base);
        }
        if self.at(";")
            && (specs.defines
                || matches!(self.text_at(first), "struct" | "class" | "union" | "enum"))
        {
            self.pos += 1;
            return Ok(match self.anonymous_union(&specs, base) {
                Some(object) => StmtKind::Decl(vec![object]),
                None => StmtKind::Empty,
            });
        }
        if specs.is_typedef {
            let mut last = None;
            loop {
                let start = self.pos;
                let declarator = self.declarator(Shape::Named)?;
                let typedef = self.typedef_of(declarator, base.clone(), &layout, start)?;
                if let Some(previous) = last.replace(typedef) {
                    let range = Range::new(self.range_at(first).start, previous.range.end);
                    self.local_types.push(Stmt {
                        kind: StmtKind::Typedef(previous),
                        range,
                    });
                }
                if !self.eat(",") {
                    break;
                }
            }
            self.semicolon()?;
            return Ok(last.map_or(StmtKind::Empty, StmtKind::Typedef));
        }
        let mut vars = Vec::new();
        let mut prototypes = Vec::new();
        loop {
            let start = self.pos;
            if let Some(prototype) = self.local_prototype(&specs, base.clone(), first) {
                prototypes.push(prototype);
            } else {
                self.pos = start;
                vars.push(self.local_variable(&specs)?);
            }
            if !self.eat(",") {
                break;
            }
        }
        self.semicolon()?;
        if let (true, Some(prototype)) = (vars.is_empty(), prototypes.pop()) {
            if prototypes.is_empty() {
                return Ok(StmtKind::Prototype(Box::new(prototype)));
            }
            return self.fail("several prototypes in one declaration");
        }
        if !prototypes.is_empty() {
            return self.fail("a prototype among variables");
        }
        Ok(StmtKind::Decl(vars))
    }

    /// The object of `union { int i; float f; };`, under the name of its type; its members are names from here on.
    fn anonymous_union(&mut self, specs: &Specifiers, ty: Type) -> Option<VarDecl> {
        let TypeKind::Named(name) = &ty.kind else {
            return None;
        };
        if !specs.defines || !name.base.starts_with("{union ") {
            return None;
        }
        let mut open = vec![name.base.clone()];
        while let Some(name) = open.pop() {
            let of_name = |record: &&Struct| record.name.rsplit("::").next() == Some(&*name);
            let local = self.local_types.iter().filter_map(|stmt| match &stmt.kind {
                StmtKind::Struct(record) => Some(record),
                _ => None,
            });
            let mut all = local.chain(&self.unit.structs);
            let fields = all.find(of_name).map(|record| record.fields.clone());
            for field in fields.unwrap_or_default() {
                match &field.ty.kind {
                    TypeKind::Named(inner) if field.name.is_empty() => {
                        open.push(inner.base.clone());
                    }
                    _ => {
                        let name = self.text_of(&field.name, field.name_range);
                        self.declare_local(name, NameKind::VALUE);
                    }
                }
            }
        }
        Some(VarDecl {
            name: name.base.clone(),
            name_range: ty.range,
            range: ty.range,
            storage: specs.storage,
            init: Init::None,
            template: Vec::new(),
            special: None,
            ty,
        })
    }

    /// `[a, b] = e;` after `auto`
    fn structured_binding(&mut self, specs: &Specifiers, base: Type) -> Parsed<StmtKind> {
        let first = self.pos;
        let reference: Option<fn(Box<Type>) -> TypeKind> = match self.peek() {
            "&" => Some(TypeKind::Reference),
            "&&" => Some(TypeKind::RvalueReference),
            _ => None,
        };
        let mut ty = base;
        if let Some(reference) = reference {
            self.pos += 1;
            let range = ty.range;
            ty = Type::new(reference(Box::new(ty)), range);
        }
        let name_range = self.range_at(self.pos);
        self.expect("[", "expected `[`")?;
        let mut names = Vec::new();
        while self.at_ident() {
            let (name, range) = (self.peek(), self.range_at(self.pos));
            self.declare_local(name, NameKind::VALUE);
            names.push((name.to_owned(), range));
            self.pos += 1;
            self.eat(",");
        }
        self.expect("]", "expected `]`")?;
        let init = match self.peek() {
            "=" => {
                self.pos += 1;
                self.assignment()?
            }
            "{" | "(" => {
                let braces = self.at("{");
                let close = if braces { "}" } else { ")" };
                self.pos += 1;
                let value = self.assignment()?;
                self.expect(close, "expected the end of an initialiser")?;
                value
            }
            _ => return self.fail("expected an initialiser"),
        };
        let range = self.range_from(first);
        self.semicolon()?;
        let whole = VarDecl {
            name: "[bound]".to_owned(),
            name_range,
            ty,
            storage: specs.storage,
            init: Init::Expr(init),
            template: Vec::new(),
            special: None,
            range,
        };
        Ok(StmtKind::Binding {
            whole: Box::new(whole),
            names,
        })
    }

    /// A typedef's declarator, declared.
    pub fn typedef_of(
        &mut self,
        declarator: Declarator,
        base: Type,
        layout: &LayoutAttributes,
        start: usize,
    ) -> Parsed<Typedef> {
        let mut asked = std::mem::take(&mut self.layout);
        asked.add(layout.clone());
        let Some(name) = declarator
            .name
            .as_ref()
            .and_then(|name| name.as_simple())
            .map(str::to_owned)
        else {
            return self.fail("expected a name");
        };
        let range = declarator
            .name
            .as_ref()
            .map(|name| name.range)
            .unwrap_or_default();
        let text = self.text_of(&name, range);
        self.declare(text, NameKind::TYPE);
        let qualified = if self.in_function {
            name
        } else {
            self.qualify(&name)
        };
        Ok(Typedef {
            name: qualified,
            ty: declarator.apply(base),
            template: Vec::new(),
            opaque: asked.opaque || asked.packed.is_some(),
            align: asked.align,
            range: self.range_from(start),
        })
    }

    /// `T f(U, V)` in a function, where `U` and `V` are surely types.
    fn local_prototype(
        &mut self,
        specs: &Specifiers,
        base: Type,
        first: usize,
    ) -> Option<Function> {
        self.attempt(|parser| {
            let declarator = parser.declarator(Shape::Named)?;
            let Some(Step::Function(signature)) = declarator.steps.first() else {
                return parser.fail("expected parameters");
            };
            if !matches!(parser.peek(), "," | ";")
                || !signature
                    .params
                    .iter()
                    .all(|param| parser.surely_parameter(param))
            {
                return parser.fail("expected parameters");
            }
            let name = declarator
                .name
                .clone()
                .filter(|name| name.as_simple().is_some());
            let Some(name) = name else {
                return parser.fail("expected a name");
            };
            let (signature, ret) = split_signature(declarator, base);
            let text = parser.text_of(&name.base, name.range);
            parser.declare_local(text, NameKind::VALUE);
            Ok(Function {
                qualified: name.base.clone(),
                name: name.base,
                name_range: name.range,
                quals: specs.quals,
                launch_bounds: Vec::new(),
                template: None,
                template_args: Vec::new(),
                params: signature.params,
                variadic: signature.variadic,
                ret,
                body: None,
                owner: None,
                qualifier: Vec::new(),
                requires: None,
                range: parser.range_from(first),
                parse_errors: Vec::new(),
            })
        })
    }

    /// Whether a parameter can be nothing but one: its type is not just an unknown name.
    fn surely_parameter(&self, param: &Param) -> bool {
        let mut ty = &param.ty;
        // `float x(f());` declares no function if `f` is one.
        while let TypeKind::Pointer(to)
        | TypeKind::Reference(to)
        | TypeKind::RvalueReference(to)
        | TypeKind::Array(to, _)
        | TypeKind::Function { ret: to, .. } = &ty.kind
        {
            ty = to;
        }
        match &ty.kind {
            TypeKind::Named(name) if !ty.is_const => {
                self.name_kind(&name.base).ty || is_library_type(&name.base)
            }
            _ => true,
        }
    }

    /// One variable with its initialiser, declared.
    pub fn local_variable(&mut self, specs: &Specifiers) -> Parsed<VarDecl> {
        let first = self.pos;
        let Some(base) = specs.ty.clone() else {
            return self.fail("expected a type");
        };
        let declarator = self.declarator(Shape::Named)?;
        if let Some(Step::Function(_)) = declarator.steps.first() {
            // `float m(a);` with an unknown `a`; where `a` is known as a value it was no signature to begin with.
            return self.fail("a prototype or an initialised variable, before this");
        }
        let mut var = variable(declarator, base, specs.storage);
        if var.name.is_empty() {
            return self.fail("expected a plain name");
        }
        let name = self.text_of(&var.name, var.name_range);
        self.declare_local(name, NameKind::VALUE);
        self.initialiser(&mut var)?;
        var.range = self.range_from(first);
        Ok(var)
    }

    /// `= e`, `= {…}`, `{…}`, `(…)` or nothing.
    pub fn initialiser(&mut self, var: &mut VarDecl) -> Parsed<()> {
        var.init = match self.peek() {
            "=" => {
                self.pos += 1;
                if self.at("{") {
                    Init::List(self.init_list()?)
                } else {
                    let first = self.pos;
                    let value = self.assignment()?;
                    if is_deduced(&var.ty) {
                        // `decltype(auto) r = e`: what `decltype(e)` is.
                        let operand = self.operand_of_decltype(value.clone(), first, self.pos)?;
                        var.ty.kind = TypeKind::Decltype(Box::new(operand));
                    }
                    Init::Expr(value)
                }
            }
            "{" => Init::List(self.init_list()?),
            "(" => Init::Call(self.arguments()?),
            _ => Init::None,
        };
        Ok(())
    }

    /// The operand of `decltype` that stands in tokens: `decltype((x))` is the type of a place, not of a variable, and so is
    /// `*&x`.
    pub(super) fn operand_of_decltype(
        &mut self,
        operand: Expr,
        first: usize,
        end: usize,
    ) -> Parsed<Expr> {
        let is_in_parentheses =
            self.text_at(first) == "(" && self.partner(first).is_some_and(|close| close + 1 == end);
        if !is_in_parentheses {
            return Ok(operand);
        }
        let place = operand.range;
        let address = self.expr(ExprKind::AddressOf(Box::new(operand)), place, 0)?;
        self.expr(ExprKind::Deref(Box::new(address)), place, 0)
    }
}

/// `decltype(auto)`
fn is_deduced(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Decltype(of) => matches!(&of.kind, ExprKind::Name(name) if name.base == "auto"),
        _ => false,
    }
}

/// A variable without initialiser. Its name is empty if the declarator's is not plain.
pub(super) fn variable(declarator: Declarator, base: Type, storage: Storage) -> VarDecl {
    let range = declarator.range;
    let name = declarator.name.as_ref();
    let (text, name_range) = match name {
        // `template <> constexpr int v<float> = 0;`: another variable of that name.
        Some(name) => (name.path(), name.range),
        _ => (String::new(), range),
    };
    let has_args = |name: &&Name| {
        name.args.is_some() || name.qualifier.iter().any(|segment| segment.args.is_some())
    };
    let special = name.filter(has_args).cloned().map(Box::new);
    let ty = declarator.apply(base);
    VarDecl {
        name: text,
        special,
        name_range,
        ty,
        storage,
        init: Init::None,
        template: Vec::new(),
        range,
    }
}

/// The signature of a function declarator and its return type. Only for declarators whose first step is a function.
pub(super) fn split_signature(mut declarator: Declarator, base: Type) -> (Signature, Type) {
    let empty = Signature {
        params: Vec::new(),
        variadic: false,
        trailing: None,
        is_const: false,
        of_reference: false,
    };
    let mut signature = match declarator.steps.first() {
        Some(Step::Function(_)) => match declarator.steps.remove(0) {
            Step::Function(signature) => signature,
            _ => empty,
        },
        _ => empty,
    };
    let trailing = signature.trailing.take();
    let ret = declarator.apply(base);
    (signature, trailing.unwrap_or(ret))
}
