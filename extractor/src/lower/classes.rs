//! Types as they are written to types as they are meant: names in scope, class templates and their specialisations,
//! the layout of classes, members.
//!
//! A class is made once per launch and list of template arguments, before its layout is known, so that a class may hold
//! pointers to itself. What cannot be resolved is [`Ty::Opaque`] without a size: every use of it that matters is
//! reported where it stands.

mod layout;
mod unify;

use std::cell::Cell;
use std::rc::Rc;

use warplog_facts::*;

use super::body::{Binding, CallFrame, Lowerer};
use super::call::is_reference;
use super::choice::{Choice, Specialisation};
use super::contracts::CallContract;
use super::hidden;
use super::made::MAX_NAME;
use super::types::{self, ClassTy, Extent, StructTy, TemplateValue, Ty, TypeScope};
use super::unit::{TypeEntry, enclosing, last_component};
use super::value::*;
use crate::syntax::ast::*;

/// Deepest nesting of class templates and typedefs that is followed.
pub(crate) const MAX_DEPTH: usize = 64;

/// What the type of an expression is called of which nothing is known.
const COMPUTED: &str = "a type that is computed";

impl<'u> Lowerer<'u, '_> {
    /// Does something with other names in force: inside a class, or a function that is looked at but not called.
    pub(crate) fn within<T>(&mut self, types: TypeScope, act: impl FnOnce(&mut Self) -> T) -> T {
        self.calls.push(CallFrame {
            function: Range::default(),
            is_kernel: false,
            guards: self.guards.len(),
            jumps: self.jumps.len(),
            scopes: self.scopes.len(),
            living: self.living.len(),
            returns: Vec::new(),
            entered: self.inside_from_here(),
            returned_in_loop: false,
            ret: Ty::Void,
            by_reference: false,
            this: None,
            constant_this: None,
            types,
            contract: CallContract::default(),
        });
        let result = act(self);
        self.calls.pop();
        result
    }

    /// The names in force at this place, besides variables.
    pub(crate) fn scope(&self) -> TypeScope {
        self.calls
            .last()
            .map(|call| call.types.clone())
            .unwrap_or_default()
    }

    /// The resolved form of a type that is written at this place.
    pub(crate) fn resolve(&mut self, ty: &Type) -> Ty {
        let opaque = |name: &str, bytes| Ty::Opaque {
            name: name.to_owned(),
            bytes,
        };
        match &ty.kind {
            TypeKind::Scalar(scalar) => types::scalar(*scalar),
            TypeKind::Pointer(to) => match &to.kind {
                TypeKind::Function { .. } => opaque("function", Some(8)),
                _ => self.resolve(to).pointer_to(),
            },
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => self.resolve(to),
            TypeKind::Array(of, size) => {
                let count = match size {
                    Some(size) => self.extent(size),
                    None => Extent::Unknown,
                };
                Ty::Array(Rc::new(self.resolve(of)), count)
            }
            TypeKind::Named(name) => match (self.named_type(name), name.as_simple()) {
                // A macro or a header that is missing: `dfloat`, given on the command line of the compiler.
                (Ty::Opaque { bytes: None, .. }, Some(simple)) if self.is_undefined(simple) => {
                    self.assumption(&format!(
                        "type {simple}, which nothing defines, is 4 bytes wide"
                    ));
                    opaque(simple, Some(4))
                }
                // `typename T::value_type` where nothing tells what `T` is.
                (Ty::Opaque { bytes: None, .. }, None) if self.of_stand_in(name) => {
                    let path = name.path();
                    self.assumption(&format!("template type {path} is 4 bytes wide"));
                    opaque(&path, Some(4))
                }
                (ty, _) => ty,
            },
            TypeKind::Auto => opaque("auto", None),
            TypeKind::Function { .. } => opaque("function", Some(8)),
            TypeKind::Decltype(expr) => match self.static_type(expr) {
                // `decltype(auto)`
                _ if matches!(&expr.kind, ExprKind::Name(name) if name.as_simple() == Some("auto")) => {
                    opaque("auto", None)
                }
                ty if super::typing::is_unknown(&ty) => match self.tried_type(expr) {
                    ty if super::typing::is_unknown(&ty) => opaque(COMPUTED, None),
                    ty => ty,
                },
                ty => ty,
            },
            TypeKind::MemberPointer(to) => {
                let is_function = matches!(to.kind, TypeKind::Function { .. });
                opaque("member pointer", Some(if is_function { 16 } else { 8 }))
            }
            TypeKind::Expand(_) => opaque("a pack expansion", None),
            TypeKind::Unsupported(problem) => opaque(&problem.what, None),
        }
    }

    fn extent(&mut self, size: &Expr) -> Extent {
        let value = self.expr(size);
        let Value::Term(term) = value else {
            return Extent::Unknown;
        };
        if let Some(count) = self.facts.terms.as_const(term) {
            return u64::try_from(count).map_or(Extent::Unknown, Extent::Constant);
        }
        if !self.facts.terms.ty(term).is_integer() {
            return Extent::Unknown;
        }
        Extent::Term(self.facts.terms.cast(term, CType::I64))
    }

    /// Whether a name is that of a member type of a template type that nothing tells.
    fn of_stand_in(&self, name: &Name) -> bool {
        let [qualifier] = name.qualifier.as_slice() else {
            return false;
        };
        let scope = self.scope();
        let stands_in = match scope.types.get(&qualifier.name) {
            Some(Ty::Opaque {
                name,
                bytes: Some(4),
            }) => *name == qualifier.name,
            _ => false,
        };
        stands_in && name.args.is_none() && qualifier.args.is_none()
    }

    /// Whether nothing in the unit, nor a template around, declares a type of this name.
    pub(crate) fn is_undefined(&self, simple: &str) -> bool {
        let scope = self.scope();
        !simple.starts_with('{')
            && !scope.types.contains_key(simple)
            && self
                .index
                .types_at(simple, &scope.path, Range::default())
                .is_empty()
            // Declared, but defined elsewhere.
            && !self.index.announces_class(simple)
    }

    /// The type that a name means here.
    pub(crate) fn named_type(&mut self, name: &Name) -> Ty {
        let unknown = Ty::Opaque {
            name: name.path(),
            bytes: None,
        };
        self.count_type();
        if self.calls.len() > MAX_DEPTH || self.gave_up {
            return unknown;
        }
        let scope = self.scope();
        if name.qualifier.is_empty() && !name.global {
            if name.args.is_none() {
                if let Some(ty) = scope.types.get(&name.base) {
                    return ty.clone();
                }
                // Inside a class, its name without arguments means itself.
                if let Some(class) = &scope.class
                    && self
                        .record(class)
                        .is_some_and(|record| last_component(&record.name) == name.base)
                {
                    return Ty::Struct(Rc::clone(class));
                }
            }
            if name.args.is_some() && scope.types.contains_key(&name.base) {
                return self.instance_of_parameter(name, &scope).unwrap_or_else(|| {
                    let text = format!("`{}`: which template it is is not known", name.base);
                    self.doubts.insert(name.range, text);
                    unknown
                });
            }
            let mut around = scope.class.clone();
            while let Some(class) = around {
                if !self.is_of_dependent_base(&class, name)
                    && let Some(ty) = self.member_type(&class, name)
                {
                    return ty;
                }
                around = class.class.as_ref().and_then(|class| class.around.clone());
            }
        } else if let Some(ty) = self.type_trait(name) {
            return ty;
        } else if let Some(class) = self.qualifying_class(name) {
            return match class {
                Ty::Struct(class) => self
                    .member_type(&class, name)
                    .or_else(|| super::library::block_barriers::token(&class, name))
                    .or_else(|| self.collective_storage(&class, name))
                    .unwrap_or(unknown),
                _ => unknown,
            };
        } else if self.is_of_undecided(name) {
            return unknown;
        }
        let entries = self
            .index
            .types_at(&name.lookup_path(), &scope.path, name.range);
        if entries.is_empty() {
            // `std::size_t` and its kin are scalars already; classes of CUDA have no qualifier.
            let builtin = types::vector(&name.base).filter(|_| name.args.is_none());
            return builtin
                .or_else(|| self.library_template(name))
                .or_else(|| self.type_trait(name))
                .unwrap_or(unknown);
        }
        let outside = TypeScope {
            path: entries
                .first()
                .map_or("", |entry| enclosing(entry.qualified()))
                .to_owned(),
            ..TypeScope::default()
        };
        self.entry_type(&entries, name, &outside).unwrap_or(unknown)
    }

    /// A class of CUDA's or C++'s library with template arguments.
    fn library_template(&mut self, name: &Name) -> Option<Ty> {
        let of_fragments = self.fragment_class(name);
        if let Some(class) = of_fragments.or_else(|| self.fragment_word(name)) {
            return Some(class);
        }
        if let Some(collective) = self.collective_class(name) {
            return Some(collective);
        }
        if let Some(vector) = self.glm_class(name) {
            return Some(vector);
        }
        if let Some(of_torch) = self.torch_class(name) {
            return Some(of_torch);
        }
        // `std::pair<int &, int>`: its members are references.
        if name.args.iter().flatten().any(|arg| self.refers(arg)) {
            return None;
        }
        super::library::types::class_template(name, &mut |position| {
            let arg = name.args.as_ref()?.get(position)?;
            Some(super::library::argument(arg, &mut |ty| self.resolve(ty)))
        })
    }

    /// The class before the last `::` of a name, when it is one rather than a namespace.
    pub(crate) fn qualifying_class(&mut self, name: &Name) -> Option<Ty> {
        let (last, before) = name.qualifier.split_last()?;
        let qualifier = Name {
            global: name.global,
            qualifier: before.to_vec(),
            base: last.name.clone(),
            args: last.args.clone(),
            range: name.range,
        };
        match self.named_type(&qualifier) {
            Ty::Opaque { bytes: None, .. } => None,
            ty => Some(ty),
        }
    }

    /// Whether a name is that of a member of an instance of a class template of the unit, where it is not known which
    /// specialisation that is: the member of another is none of its.
    pub(crate) fn is_of_undecided(&mut self, name: &Name) -> bool {
        let Some((last, before)) = name.qualifier.split_last() else {
            return false;
        };
        if last.args.is_none() || self.qualifying_class(name).is_some() {
            return false;
        }
        let class = Name {
            global: name.global,
            qualifier: before.to_vec(),
            base: last.name.clone(),
            args: None,
            range: name.range,
        };
        let path = self.scope().path;
        let entries = self.index.types_at(&class.lookup_path(), &path, name.range);
        !entries.is_empty()
    }

    /// The class of the unit that a class type comes from.
    pub(crate) fn record(&self, class: &StructTy) -> Option<&'u Struct> {
        let class = class.class.as_ref()?;
        self.index.classes.get(class.record).copied()
    }

    /// A class that is defined inside a function, where it stands.
    pub(crate) fn local_class(&mut self, record: &Struct) -> Option<Ty> {
        let position = self
            .index
            .classes
            .iter()
            .rposition(|known| known.range == record.range)?;
        let record = self.index.classes.get(position).copied()?;
        let mut scope = self.scope();
        // `constexpr int n = 4;` of the function may be an extent inside.
        let bottom = self.calls.last().map_or(0, |call| call.scopes);
        for names in &self.scopes[bottom..] {
            for (name, binding) in names.sorted() {
                let value = match binding {
                    Binding::Variable(var) => Some(self.env.get(*var)),
                    _ => None,
                };
                match value.filter(|value| self.is_known_constant(value)) {
                    Some(value) => {
                        scope.hidden.remove(name);
                        scope.values.insert(name.clone(), value.clone());
                    }
                    None => {
                        scope.values.remove(name);
                        scope.hidden.insert(name.clone());
                    }
                }
            }
        }
        // Members of the class and of its bases hide what is around it.
        let bases: Vec<Ty> = record.bases.iter().map(|base| self.resolve(base)).collect();
        let is_member = |name: &str| {
            record.fields.iter().any(|field| field.name == name)
                || self.index.declares_member(&record.name, name)
                || bases.iter().any(|base| match base {
                    Ty::Struct(base) => self.has_member(base, name),
                    _ => false,
                })
        };
        scope.values.retain(|name, _| !is_member(name));
        scope.hidden.retain(|name| !is_member(name));
        Some(self.instantiate(position, record, Vec::new(), scope))
    }

    /// A member type of a class or of its bases.
    fn member_type(&mut self, class: &Rc<StructTy>, name: &Name) -> Option<Ty> {
        let record = self.record(class)?;
        let entries = self.own_types(record, &name.base);
        if !entries.is_empty() {
            let inside = self.class_scope(class);
            return self.entry_type(&entries, name, &inside);
        }
        let bases = class.layout().map(|layout| layout.bases.clone())?;
        bases.into_iter().find_map(|(base, _)| match base {
            Ty::Struct(base) => self.member_type(&base, name),
            _ => None,
        })
    }

    /// The type of a declaration that was found, with the arguments of the name.
    pub(crate) fn entry_type(
        &mut self,
        entries: &[TypeEntry<'u>],
        name: &Name,
        scope: &TypeScope,
    ) -> Option<Ty> {
        // What the parser did not understand may be a specialisation of it.
        if self.index.unit.unparsed_templates.contains(&name.base) {
            return None;
        }
        match entries.first()? {
            TypeEntry::Enum(enumeration) => {
                self.within(scope.clone(), |me| me.enumeration_type(enumeration))
            }
            TypeEntry::Typedef(typedef) => {
                // `typedef struct S { … } S;`
                let itself = matches!(&typedef.ty.kind, TypeKind::Named(inner)
                    if inner.path() == name.base || inner.path() == typedef.name);
                if itself
                    && let Some(class) = entries
                        .iter()
                        .find(|entry| matches!(entry, TypeEntry::Class(..)))
                {
                    return self.entry_type(&[*class], name, scope);
                }
                if itself {
                    return types::vector(&name.base);
                }
                if self.calls.len() > MAX_DEPTH {
                    return None;
                }
                if typedef.opaque {
                    return None;
                }
                let (inside, args) = self.alias_scope(typedef, name, scope);
                let Some(args) = args else {
                    return Some(self.within(inside, |me| me.resolve(&typedef.ty)));
                };
                if let Some(known) = self.made.ty(scope, typedef.range, &args) {
                    return Some(known);
                }
                let ty = self.within(inside, |me| me.resolve(&typedef.ty));
                self.made.keep_type(scope, (typedef.range, &args), &ty);
                Some(ty)
            }
            TypeEntry::Class(..) => {
                let classes: Vec<(usize, &'u Struct)> = entries
                    .iter()
                    .filter_map(|entry| match entry {
                        TypeEntry::Class(position, record) => Some((*position, *record)),
                        _ => None,
                    })
                    .collect();
                self.class_type(&classes, name, scope)
            }
        }
    }

    /// What is bound where the type of a typedef or an alias template stands, and the arguments in words if these tell all of them.
    pub(super) fn alias_scope(
        &mut self,
        typedef: &'u Typedef,
        name: &Name,
        scope: &TypeScope,
    ) -> (TypeScope, Option<String>) {
        let own = own_parameters(&typedef.template, scope);
        if own.is_empty() {
            return (scope.clone(), Some(String::new()));
        }
        let args = self.template_values(own, name.args.as_deref().unwrap_or(&[]), scope);
        let mut inside = scope.clone();
        bind(&mut inside, own, &args);
        let is_told = |arg: &TemplateValue| match arg {
            TemplateValue::Type(ty, identity) => identity.is_some() && ty.is_resolved(),
            TemplateValue::Value(value) => self.is_known_constant(value),
            TemplateValue::Unknown => false,
        };
        let told = args.iter().all(is_told);
        let words = told.then(|| {
            let all: Vec<String> = args.iter().map(|arg| self.describe_argument(arg)).collect();
            all.join(",")
        });
        (inside, words)
    }

    /// The class of a name among a class template and its specialisations.
    fn class_type(
        &mut self,
        classes: &[(usize, &'u Struct)],
        name: &Name,
        scope: &TypeScope,
    ) -> Option<Ty> {
        let declared = classes
            .first()
            .and_then(|(_, record)| self.declared_primary(record));
        // `template <> struct S<> { … };` is the specialisation for no arguments, and for no others.
        let is_generic = |record: &Struct| !record.template.is_empty();
        let is_plain = |record: &Struct| !is_generic(record) && record.template_args.is_empty();
        let of_template =
            declared.is_some() || classes.iter().any(|(_, record)| is_generic(record));
        let empty = classes
            .iter()
            .find(|(_, record)| of_template && is_plain(record));
        if let (Some(&(position, record)), Some([])) = (empty, name.args.as_deref()) {
            return Some(self.instantiate(position, record, Vec::new(), scope.clone()));
        }
        let classes: Vec<(usize, &'u Struct)> = classes
            .iter()
            .filter(|(_, record)| !(of_template && is_plain(record)))
            .copied()
            .collect();
        let &(position, primary) = classes
            .iter()
            .find(|(_, record)| record.template_args.is_empty())
            .or(declared.as_ref())
            .or(classes.first())?;
        let own = own_parameters(&primary.template, scope);
        if own.is_empty() && primary.template_args.is_empty() {
            return Some(self.instantiate(position, primary, Vec::new(), scope.clone()));
        }
        // Arguments are written where the name stands; defaults see the parameters before them.
        let args = self.template_values(own, name.args.as_deref()?, scope);
        let is_untold = |arg: &TemplateValue| matches!(arg, TemplateValue::Type(ty, _) if hidden::is_untold(ty));
        if args.iter().any(is_untold) {
            return None;
        }
        let candidates: Vec<Specialisation<'u>> = classes
            .iter()
            .map(|(_, record)| Specialisation {
                template: &record.template,
                args: &record.template_args,
                requires: record.requires.as_deref(),
            })
            .collect();
        match self.chosen_specialisation(own, &candidates, &args, scope) {
            Choice::Undecided => return None,
            Choice::One(candidate, inside) => {
                let (position, record) = classes[candidate];
                return Some(self.instantiate(position, record, args, inside));
            }
            Choice::Primary => {}
        }
        if !primary.template_args.is_empty() || !primary.defined {
            return None;
        }
        let mut inside = scope.clone();
        bind(&mut inside, own, &args);
        Some(self.instantiate(position, primary, args, inside))
    }

    /// Whether a template argument is known: a constant, a type that the text tells.
    pub(crate) fn is_told(&self, arg: &TemplateValue) -> bool {
        match arg {
            TemplateValue::Type(ty, _) => !self.is_untold(ty),
            TemplateValue::Value(Value::Term(term)) => self.facts.terms.as_const(*term).is_some(),
            TemplateValue::Value(_) => true,
            TemplateValue::Unknown => true,
        }
    }

    /// Whether a type is, or is made of, a template type that nothing tells.
    pub(crate) fn is_untold(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Opaque { name, .. } => self.untold.contains(name),
            Ty::Pointer(to) | Ty::Array(to, _) => self.is_untold(to),
            Ty::Struct(class) => class.class.as_ref().is_some_and(|class| {
                class.args.iter().any(|arg| match arg {
                    TemplateValue::Type(ty, _) => self.is_untold(ty),
                    _ => false,
                })
            }),
            _ => false,
        }
    }

    /// `template <typename T, int N> struct S;` whose specialisations alone are defined.
    fn declared_primary(&self, specialisation: &Struct) -> Option<(usize, &'u Struct)> {
        let structs = self.index.named.structs(&specialisation.name).iter();
        structs
            .copied()
            .filter(|(_, record)| record.template_args.is_empty() && !record.template.is_empty())
            .max_by_key(|(position, record)| (defaults(&record.template), usize::MAX - position))
    }

    /// A class with its template arguments, made once.
    fn instantiate(
        &mut self,
        position: usize,
        record: &'u Struct,
        args: Vec<TemplateValue>,
        mut scope: TypeScope,
    ) -> Ty {
        let mut name = record.name.clone();
        let around = self.describe_scope(&scope);
        let described: Vec<String> = args.iter().map(|arg| self.describe_argument(arg)).collect();
        if !described.is_empty() {
            name = format!("{name}<{}>", described.join(", "));
        }
        let key = format!("{position}:{name}:{around}");
        if name.len() > MAX_NAME {
            // Two classes have two names: the number is that of the class among all that were made.
            name = format!("{}<…>{}", record.name, self.classes.len());
        }
        if let Some(class) = self.classes.get(&key) {
            let untold = |arg: &TemplateValue| matches!(arg, TemplateValue::Type(_, None));
            if let (true, Some(made)) = (args.iter().any(untold), &class.class) {
                made.doubtful.set(true);
                // What was known by its arguments is not any more.
                self.made.forget();
            }
            return Ty::Struct(Rc::clone(class));
        }
        scope.path.clone_from(&record.name);
        let around = scope.class.take();
        let class = ClassTy {
            record: position,
            args,
            scope: scope.clone(),
            around,
            doubtful: Cell::new(false),
        };
        let class = Rc::new(StructTy::incomplete(name, Some(class)));
        self.classes.insert(key, Rc::clone(&class));
        let layout = self.layout_of(record, &class, scope);
        class.set_layout(layout);
        if self.is_ended_elsewhere(record) {
            let text = format!("class `{}`: its destructor is not followed", class.name);
            self.doubts.insert(record.range, text);
        }
        self.doubt_hidden_parameter(&class);
        self.note_copying(&class);
        self.met_special |= self.special(&Ty::Struct(Rc::clone(&class))).any();
        Ty::Struct(class)
    }

    /// Words that tell a template argument from others.
    /// What tells the instances of a template apart: the types and values of the names in force.
    fn describe_scope(&self, scope: &TypeScope) -> String {
        let types = scope
            .types
            .iter()
            .map(|(name, ty)| self.describe_identity(ty, scope.identities.get(name)));
        let values = scope.values.values();
        let all: Vec<String> = types
            .chain(values.map(|value| self.describe_value(value)))
            .collect();
        all.join(",")
    }

    /// What tells the instances of the function that is being lowered apart, those of member functions of class
    /// templates among them.
    pub(crate) fn instance_of_function(&self) -> String {
        let Some(call) = self.calls.last() else {
            return String::new();
        };
        let mut all = self.describe_scope(&call.types);
        let mut class = call.types.class.clone();
        while let Some(around) = class {
            all.push('@');
            all.push_str(&around.name);
            class = around.class.as_ref().and_then(|class| {
                all.push_str(&self.describe_scope(&class.scope));
                class.around.clone()
            });
        }
        all
    }

    pub(crate) fn describe_argument(&self, arg: &TemplateValue) -> String {
        match arg {
            TemplateValue::Type(ty, identity) => self.describe_identity(ty, identity.as_ref()),
            TemplateValue::Value(value) => self.describe_value(value),
            TemplateValue::Unknown => "?".to_owned(),
        }
    }

    fn describe_value(&self, value: &Value) -> String {
        match value {
            Value::Term(term) => match self.facts.terms.as_const(*term) {
                Some(value) => value.to_string(),
                None => format!("{term:?}"),
            },
            other => format!("{other:?}"),
        }
    }

    /// Whether assigning the class is more than copying its bytes.
    pub(crate) fn assigns_specially(&self, class: &StructTy) -> bool {
        let Some(record) = self.record(class) else {
            return false;
        };
        self.index
            .methods(&record.name, "operator=")
            .iter()
            .any(|function| function.body.is_some() && !copies_members(function))
    }

    /// Names bound inside a member of a class.
    pub(crate) fn class_scope(&self, class: &Rc<StructTy>) -> TypeScope {
        let mut scope = class
            .class
            .as_ref()
            .map(|class| class.scope.clone())
            .unwrap_or_default();
        if class.class.as_ref().is_some_and(|made| made.doubtful.get()) {
            // That an argument is a reference is part of the name of the class.
            scope.identities.retain(|_, one| is_reference(one));
        }
        scope.class = Some(Rc::clone(class));
        scope
    }
}

/// How many parameters of a template have defaults.
fn defaults(template: &[TemplateParam]) -> usize {
    let given = |parameter: &&TemplateParam| {
        matches!(
            parameter.kind,
            TemplateParamKind::Type { default: Some(_) }
                | TemplateParamKind::Value {
                    default: Some(_),
                    ..
                }
                | TemplateParamKind::Template { default: Some(_) }
        )
    };
    template.iter().filter(given).count()
}

/// Whether a copying member function only copies members: `S(const S &o) : x(o.x) { y = o.y; }`.
pub(crate) fn copies_members(function: &Function) -> bool {
    let Some(body) = &function.body else {
        return true;
    };
    let Some(other) = function
        .params
        .first()
        .and_then(|param| param.name.as_deref())
    else {
        return body.stmts.is_empty();
    };
    let member_of_other = |expr: &Expr, field: &str| match &expr.kind {
        ExprKind::Member {
            base,
            arrow: false,
            field: own,
        } => own.base == field && matches!(&base.kind, ExprKind::Name(name) if name.base == other),
        _ => false,
    };
    let own_field = |expr: &Expr| match &expr.kind {
        ExprKind::Name(name) => Some(name.base.clone()),
        ExprKind::Member {
            base,
            arrow: true,
            field,
        } if base.kind == ExprKind::This => Some(field.base.clone()),
        _ => None,
    };
    body.stmts.iter().all(|stmt| match &stmt.kind {
        StmtKind::MemberInit { member, init } => match init {
            Init::Call(args) => {
                matches!(args.as_slice(), [one] if member_of_other(one, &member.base))
            }
            Init::List(Expr {
                kind: ExprKind::InitList(items),
                ..
            }) => {
                matches!(items.as_slice(), [one] if member_of_other(one, &member.base))
            }
            _ => false,
        },
        StmtKind::Expr(Expr {
            kind: ExprKind::Assign { op: None, lhs, rhs },
            ..
        }) => own_field(lhs).is_some_and(|field| member_of_other(rhs, &field)),
        StmtKind::Return(Some(Expr {
            kind: ExprKind::Deref(inner),
            ..
        })) => inner.kind == ExprKind::This,
        StmtKind::Empty => true,
        _ => false,
    })
}

pub(crate) fn range_of(entry: &TypeEntry<'_>) -> Range {
    match entry {
        TypeEntry::Typedef(typedef) => typedef.range,
        TypeEntry::Enum(enumeration) => enumeration.range,
        TypeEntry::Class(_, record) => record.range,
    }
}

/// Whether a type names a template parameter, wherever it stands in it.
pub(crate) fn mentions(pattern: &Type, parameters: &[TemplateParam]) -> bool {
    let mut found = false;
    super::walk::names_in_type(pattern, &mut |name| found |= names_one_of(name, parameters));
    found
}

/// The same of an expression.
pub(crate) fn mentions_in(expr: &Expr, parameters: &[TemplateParam]) -> bool {
    let mut found = false;
    super::walk::names_in_expr(expr, &mut |name| found |= names_one_of(name, parameters));
    found
}

/// Whether a name begins with one of the parameters; its arguments are not looked at. What was not understood may be one.
fn names_one_of(name: Option<&Name>, parameters: &[TemplateParam]) -> bool {
    let Some(name) = name else {
        return !parameters.is_empty();
    };
    let first = name.qualifier.first();
    let first = first.map_or(&name.base, |segment| &segment.name);
    parameters
        .iter()
        .any(|parameter| parameter.name.as_ref() == Some(first))
}

/// The parameters of a template that nothing around it binds yet: those of enclosing class templates come first.
pub(crate) fn own_parameters<'p>(
    parameters: &'p [TemplateParam],
    scope: &TypeScope,
) -> &'p [TemplateParam] {
    let bound = parameters
        .iter()
        .take_while(|parameter| {
            parameter.name.as_ref().is_some_and(|name| {
                scope.types.contains_key(name) || scope.values.contains_key(name)
            })
        })
        .count();
    &parameters[bound..]
}

/// Gives template parameters their values.
pub(crate) fn bind(scope: &mut TypeScope, parameters: &[TemplateParam], values: &[TemplateValue]) {
    for (parameter, value) in parameters.iter().zip(values) {
        let Some(name) = &parameter.name else {
            continue;
        };
        match value {
            TemplateValue::Type(ty, identity) => {
                scope.bind_type(name, ty.clone(), identity.clone());
            }
            TemplateValue::Value(value) => {
                scope.values.insert(name.clone(), value.clone());
            }
            TemplateValue::Unknown => {
                if matches!(parameter.kind, TemplateParamKind::Value { .. }) {
                    scope.values.insert(name.clone(), Value::Unknown);
                } else {
                    let unknown = Ty::Opaque {
                        name: name.clone(),
                        bytes: None,
                    };
                    scope.bind_type(name, unknown, None);
                }
            }
        }
    }
}
