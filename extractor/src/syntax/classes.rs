//! Classes and enumerations.

use super::ast::{
    Enum, Enumerator, Name, Range, Stmt, StmtKind, Struct, StructKind, Type, TypeKind,
};
use super::items::Class;
use super::lex::Kind;
use super::parser::{NameKind, Parsed, Parser};
use super::types::LayoutAttributes;

impl<'a> Parser<'a> {
    /// `struct S : B { … }`, `enum E : int { … }`, or the mere mention `struct S`. The type, and whether it is defined here.
    pub fn class_or_enum(&mut self) -> Parsed<(Type, bool)> {
        let first = self.pos;
        let keyword = self.peek();
        self.pos += 1;
        if keyword == "enum" {
            return self.enumeration(first);
        }
        let before = std::mem::take(&mut self.layout);
        self.skip_attributes()?;
        let attributes = std::mem::take(&mut self.layout);
        let kind = match keyword {
            "struct" => StructKind::Struct,
            "class" => StructKind::Class,
            _ => StructKind::Union,
        };
        let start = self.range_at(first).start;
        let name_token = self.pos;
        let mut args = Vec::new();
        let name = if self.at_ident() || self.at("::") {
            let mut name = self.type_name()?;
            args = name.args.clone().unwrap_or_default();
            self.eat("final");
            if !matches!(self.peek(), "{" | ":" | ";") {
                // `struct S x`: a mention.
                name.range = self.range_from(first);
                if name.as_simple().is_some() {
                    self.declare(self.text_at(name_token), NameKind::TYPE);
                }
                self.layout = before;
                return Ok((
                    Type::new(TypeKind::Named(name), self.range_from(first)),
                    false,
                ));
            }
            name
        } else {
            Name::simple(format!("{{{keyword} {start}}}"), self.range_at(first))
        };
        let simple = name.base.clone();
        // `template <typename T> struct S`, `template struct S<float>`
        let is_template = matches!(self.text_at(first.wrapping_sub(1)), ">" | "template")
            || self.constrained == Some(first);
        if self.is_ident(name_token) && name.qualifier.is_empty() {
            let kind = if is_template {
                NameKind::TYPE_TEMPLATE
            } else {
                NameKind::TYPE
            };
            self.declare(self.text_at(name_token), kind);
        }
        let local = self.in_function;
        let mut entry = Struct {
            name: if local {
                name.path()
            } else {
                self.qualify(&name.path())
            },
            kind,
            fields: Vec::new(),
            bits: Vec::new(),
            bases: Vec::new(),
            template: self.outer_template.clone(),
            template_args: args,
            requires: None,
            defined: false,
            align: attributes.align,
            field_align: Vec::new(),
            packed: attributes.packed,
            has_virtual: false,
            opaque_layout: attributes
                .opaque
                .then(|| "an attribute of its layout".to_owned()),
            access: Vec::new(),
            range: Range::default(),
        };
        if self.eat(":") {
            loop {
                while matches!(self.peek(), "public" | "private" | "protected" | "virtual") {
                    if self.at("virtual") {
                        entry
                            .opaque_layout
                            .get_or_insert_with(|| "a virtual base".to_owned());
                    }
                    self.pos += 1;
                }
                let base = self.type_name()?;
                entry.bases.push(self.named_type(base));
                self.eat("...");
                if !self.eat(",") {
                    break;
                }
            }
        }
        if self.at("{") {
            entry.defined = true;
            // `__align__(16) struct S { … } x;`: compilers differ in whether the class or the variable is meant.
            if before.asks() {
                entry
                    .opaque_layout
                    .get_or_insert_with(|| "an attribute in front of the class".to_owned());
            }
            let mut class = Some(Class {
                name: simple.clone(),
                fields: Vec::new(),
                bits: Vec::new(),
                field_align: Vec::new(),
                opaque: entry.opaque_layout.take(),
                has_virtual: false,
                access: Vec::new(),
            });
            let outer_function = std::mem::replace(&mut self.in_function, false);
            let outer_types = std::mem::take(&mut self.local_types);
            let outer_errors = std::mem::take(&mut self.errors);
            let mark = self.enter_scope();
            let mut members = self.members_ahead();
            for base in &entry.bases {
                if let TypeKind::Named(name) = &base.kind {
                    members.extend(self.members.get(&*name.base).into_iter().flatten());
                }
            }
            if self.is_ident(name_token) {
                self.members
                    .insert(self.text_at(name_token), members.clone());
            }
            for member in members {
                self.declare_local(member, NameKind::VALUE);
            }
            let scopes = self.scope.len();
            self.scope
                .extend(name.qualifier.iter().map(|segment| segment.name.clone()));
            self.scope.push(simple);
            let inside = local.then(|| (self.scope.len(), entry.name.clone()));
            let outer_class = std::mem::replace(&mut self.local_class, inside);
            let parsed = self.nested(|parser| parser.braces(&mut class));
            self.local_class = outer_class;
            self.scope.truncate(scopes);
            self.leave_scope(mark);
            self.errors = outer_errors;
            self.local_types = outer_types;
            self.in_function = outer_function;
            parsed?;
            if let Some(class) = class {
                entry.fields = class.fields;
                entry.bits = class.bits;
                entry.field_align = class.field_align;
                entry.opaque_layout = class.opaque;
                entry.has_virtual = class.has_virtual;
                entry.access = class.access;
            }
            if matches!(self.peek(), "__attribute__" | "__align__") {
                self.layout = LayoutAttributes::default();
                self.skip_attributes()?;
                let attributes = std::mem::take(&mut self.layout);
                entry.align.extend(attributes.align);
                entry.packed = match (entry.packed, attributes.packed) {
                    (Some(a), Some(b)) => Some(a.min(b)),
                    (a, b) => a.or(b),
                };
                if attributes.opaque {
                    entry
                        .opaque_layout
                        .get_or_insert_with(|| "an attribute of its layout".to_owned());
                }
            }
        }
        let defined = entry.defined;
        entry.range = self.range_from(first);
        let range = entry.range;
        if local {
            self.local_types.push(Stmt {
                kind: StmtKind::Struct(entry),
                range,
            });
        } else {
            self.unit.structs.push(entry);
        }
        let mut named = name;
        named.range = range;
        named.args = None;
        Ok((Type::new(TypeKind::Named(named), range), defined))
    }

    /// What looks like the fields of the class that begins here, as methods may use them before they are declared.
    fn members_ahead(&self) -> Vec<&'a str> {
        let mut members = Vec::new();
        let Some(close) = self.partner(self.pos) else {
            return members;
        };
        let mut at = self.pos + 1;
        // Inside `<…>`, where `S<A, B>` would look like members.
        let mut angles = 0u32;
        while at < close {
            match self.text_at(at) {
                "<" | ">" | ";" => {
                    angles = match self.text_at(at) {
                        "<" => angles + 1,
                        ">" => angles.saturating_sub(1),
                        _ => 0,
                    };
                    at += 1;
                }
                "(" | "{" => at = self.partner(at).unwrap_or(at) + 1,
                "typedef" | "using" | "friend" => at = self.recovery(at),
                _ => {
                    let next = self.text_at(at + 1);
                    let before = self.text_at(at - 1);
                    let follows = matches!(next, ";" | "," | "=" | "[" | ":" | "{");
                    let typed = self.kind_at(at - 1) == Some(Kind::Ident)
                        || matches!(before, "*" | "&" | "," | ">");
                    let names_type =
                        matches!(before, "struct" | "class" | "enum" | "union" | "typename");
                    if angles == 0 && self.is_ident(at) && follows && typed && !names_type {
                        members.push(self.text_at(at));
                    }
                    at += 1;
                }
            }
        }
        members
    }

    fn enumeration(&mut self, first: usize) -> Parsed<(Type, bool)> {
        let scoped = self.eat("class") || self.eat("struct");
        self.skip_attributes()?;
        let start = self.range_at(first).start;
        let simple = if self.at_ident() {
            let name = self.peek();
            self.declare(name, NameKind::TYPE);
            self.pos += 1;
            name.to_owned()
        } else {
            format!("{{enum {start}}}")
        };
        let mut underlying = None;
        if self.at(":") {
            self.pos += 1;
            underlying = self.specifiers(None)?.ty;
        }
        if !self.at("{") {
            let mut name = Name::simple(simple, self.range_from(first));
            if self.at("::") {
                // `enum n::E x`
                self.pos = first + 1;
                name = self.type_name()?;
            }
            return Ok((
                Type::new(TypeKind::Named(name), self.range_from(first)),
                self.at(";"),
            ));
        }
        if self.partner(self.pos).is_none() {
            return self.fail("a brace without its partner");
        }
        self.pos += 1;
        let mut values = Vec::new();
        while !self.at("}") {
            let at = self.pos;
            if !self.at_ident() {
                return self.fail("expected an enumerator");
            }
            let name = self.peek();
            self.pos += 1;
            self.skip_attributes()?;
            let value = if self.eat("=") {
                Some(self.conditional()?)
            } else {
                None
            };
            if !scoped {
                self.declare(name, NameKind::VALUE);
            }
            values.push(Enumerator {
                name: name.to_owned(),
                value,
                range: self.range_from(at),
            });
            if !self.eat(",") {
                break;
            }
        }
        self.expect("}", "expected `}`")?;
        let wide = (first..self.pos).any(|at| {
            let literal = self.text_at(at).replace('\'', "").to_ascii_lowercase();
            let digits = literal.trim_start_matches("0x").trim_start_matches("0b");
            let suffix = |c: char| c == 'l' || c == 'u';
            // Nine decimal digits, seven hexadecimal ones: less than 2³¹.
            let short = if literal.starts_with("0x") { 7 } else { 9 };
            self.kind_at(at) == Some(Kind::Number)
                && (digits.contains(suffix) || digits.len() > short)
        });
        let range = self.range_from(first);
        let local = self.in_function;
        let name = if local {
            simple.clone()
        } else {
            self.qualify(&simple)
        };
        let scope = if local {
            String::new()
        } else {
            self.scope.join("::")
        };
        let entry = Enum {
            name,
            scoped,
            underlying,
            wide,
            values,
            scope,
            range,
        };
        if local {
            self.local_types.push(Stmt {
                kind: StmtKind::Enum(entry),
                range,
            });
        } else {
            self.unit.enums.push(entry);
        }
        Ok((
            Type::new(TypeKind::Named(Name::simple(simple, range)), range),
            true,
        ))
    }
}
