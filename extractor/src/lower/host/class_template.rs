//! Arguments of class templates in their methods: by the object that a method is called for, and by explicit instantiation.

use std::collections::{BTreeMap, BTreeSet};

use super::Host;
use super::launch::literal;
use super::template::{names, substitute};
use super::term::Term;
use super::value::*;
use super::{Arguments, Frame};
use crate::lower::unit::last_component;
use crate::lower::walk::{each_stmt, sub_exprs};
use crate::syntax::ast::*;

/// The most constants of classes that are asked for one another's values: `Wrap<Wrap<T::n>::n>`.
const MAX_CONSTANTS: usize = 16;

/// The object that a method is called for.
pub(super) struct Receiver {
    pub place: Place,
    /// Its type as it is written, where that tells more.
    pub written: Option<Type>,
    /// The functions that may be meant; `None`: any.
    pub meant: Option<Vec<Range>>,
    /// A function among them that takes the arguments is the one.
    pub certain: bool,
    /// They are those of the class that the object was made with, virtual or not.
    pub dispatched: bool,
}

impl Receiver {
    /// Whether a call for the object may mean a function.
    pub(super) fn may_mean(&self, function: &Function) -> bool {
        let meant = self.meant.as_ref();
        meant.is_none_or(|meant| meant.contains(&function.range))
    }
}

impl From<Place> for Receiver {
    fn from(place: Place) -> Receiver {
        Receiver {
            place,
            written: None,
            meant: None,
            certain: false,
            dispatched: false,
        }
    }
}

impl<'u> Host<'_, 'u> {
    /// What is written as the type of the object that a variable is, or refers to.
    pub(super) fn written_at(&self, place: &Place) -> Option<Type> {
        let ty = self
            .written
            .get(&place.root)
            .filter(|_| place.path.is_empty())?;
        Some(match &ty.kind {
            TypeKind::Reference(to) | TypeKind::RvalueReference(to) => Type::clone(to),
            _ => ty.clone(),
        })
    }

    /// A type as it is written, with the numbers in its arguments as they are at this place.
    pub(super) fn with_numbers(&mut self, mut ty: Type) -> Type {
        match &mut ty.kind {
            TypeKind::Pointer(to)
            | TypeKind::Reference(to)
            | TypeKind::RvalueReference(to)
            | TypeKind::Array(to, _) => **to = self.with_numbers(Type::clone(to)),
            TypeKind::Named(Name {
                args: Some(args), ..
            }) => {
                for arg in args {
                    let value = self.template_value(arg);
                    if let Some(number) = value.and_then(|value| literal(&value, ty.range)) {
                        *arg = number;
                    }
                }
            }
            _ => {}
        }
        ty
    }

    /// A constant of a class that is named with template arguments, or by a name for such a class: `Traits<T>::threads`. It is what
    /// kernels find there.
    pub(super) fn constant_of_instance(&mut self, name: &Name) -> Option<Term> {
        let (last, before) = name.qualifier.split_last()?;
        // Where `T` stands for `Wrap<T::n>` of another `T`, the constant would be asked for its own value.
        let is_asked = self.constants_asked.iter().any(|asked| asked == name);
        if is_asked || self.constants_asked.len() >= MAX_CONSTANTS || self.may_mean_more(name) {
            return None;
        }
        self.constants_asked.push(name.clone());
        let value = self.constant_of_class(name, last, before);
        self.constants_asked.pop();
        value
    }

    fn constant_of_class(
        &mut self,
        name: &Name,
        last: &Segment,
        before: &[Segment],
    ) -> Option<Term> {
        let class = Name {
            global: name.global,
            qualifier: before.to_vec(),
            base: last.name.clone(),
            args: last.args.clone(),
            range: name.range,
        };
        let class = self.substituted(&Type::new(TypeKind::Named(class), name.range));
        let TypeKind::Named(class) = self.with_numbers(class).kind else {
            return None;
        };
        let mut qualifier = class.qualifier;
        qualifier.push(Segment {
            name: class.base,
            args: class.args,
        });
        // Types and numbers of a template that is not instantiated here tell nothing, nor do names of this function alone.
        let open = |name: &str| {
            let frame = self.frame();
            self.is_parameter(name) || frame.types.types.contains_key(name)
        };
        let name = Name {
            global: class.global,
            qualifier,
            ..name.clone()
        };
        let whole = Type::new(TypeKind::Named(name.clone()), name.range);
        if names(&whole, &open) {
            return None;
        }
        let path = self.frame().types.path.clone();
        let key = format!("{path}|{name:?}");
        if let Some(known) = self.of_instances.get(&key) {
            return known.clone();
        }
        let sources = self.sources.afresh();
        let value = crate::lower::kernel::constant(self.index, sources, &name, &path)
            .map(|(value, ty)| Term::Constant(value, ty));
        self.of_instances.insert(key, value.clone());
        value
    }

    /// Whether a name may mean something else where it stands than in the namespace around: in a class its members and those of its
    /// bases hide others, as its parameters do, and in a function what that declares.
    fn may_mean_more(&self, name: &Name) -> bool {
        let unit = self.index.unit;
        let around = |range: Range| range.contains(name.range);
        let mut functions = unit.functions.iter().filter(|one| around(one.range));
        let mut classes = unit.structs.iter();
        if self.frame().owner.is_some()
            || functions.any(|one| one.owner.is_some() || !one.qualifier.is_empty())
            || classes.any(|one| around(one.range))
        {
            return true;
        }
        let Some(function) = unit.functions.iter().find(|one| around(one.range)) else {
            return false;
        };
        let mut parts = BTreeSet::new();
        simple_names(name, &mut parts);
        // `template <class T> int kind(T &&)`: whether T is a reference, or constant, the argument tells.
        let params = function.params.iter();
        let mut deduced = BTreeSet::new();
        for param in params {
            if let TypeKind::Reference(to) | TypeKind::RvalueReference(to) = &param.ty.kind {
                names_of_type(to, &mut deduced);
            }
        }
        let mut template = function.template.iter().flatten();
        let is_deduced = |name: &str| deduced.contains(name) && parts.contains(name);
        if template.any(|param| param.name.as_deref().is_some_and(is_deduced)) {
            return true;
        }
        let scopes = &self.frame().scopes;
        let is_local = |part: &&str| scopes.iter().any(|scope| scope.contains_key(part));
        let mut hides = parts.iter().any(is_local);
        for stmt in function.body.iter().flat_map(|body| &body.stmts) {
            each_stmt(stmt, &mut |inner| {
                let declared = match &inner.kind {
                    StmtKind::Struct(record) => &record.name,
                    StmtKind::Enum(enumeration) => &enumeration.name,
                    _ => return,
                };
                hides |= parts.contains(last_component(declared));
            });
        }
        hides
    }

    /// The type as it is written of the object before `.` or `->`.
    pub(super) fn written_receiver(&mut self, base: &'u Expr, arrow: bool) -> Option<Type> {
        if matches!(base.kind, ExprKind::This) {
            return self.frame().class.clone();
        }
        let ty = self.written_type(base)?;
        let ty = match base.kind {
            ExprKind::Cast { .. } | ExprKind::Construct { .. } | ExprKind::Call { .. } => {
                self.with_numbers(ty)
            }
            _ => ty,
        };
        match ty.kind {
            TypeKind::Pointer(to) if arrow => Some(*to),
            _ if arrow => None,
            _ => Some(ty),
        }
    }

    /// The type as it is written of a member, by its name alone or behind `.` and `->`.
    pub(super) fn written_member(&mut self, expr: &'u Expr) -> Option<Type> {
        match &expr.kind {
            ExprKind::Name(name) => {
                let class = self.frame().class.clone()?;
                self.declared_in(&class, name.as_simple()?)
            }
            ExprKind::Member { base, arrow, field } => {
                let class = self.written_receiver(base, *arrow)?;
                self.declared_in(&class, &field.base)
            }
            _ => None,
        }
    }

    /// The type of a member of a class with these arguments.
    fn declared_in(&self, class: &Type, member: &str) -> Option<Type> {
        let (record, args) = self.class_template(class)?;
        let mut fields = record.fields.iter();
        let declared = fields.find(|field| field.name == member)?;
        let parameters = record.template.iter().map(|param| param.name.clone());
        let given = parameters.zip(args).filter_map(|(name, arg)| match arg {
            TemplateArg::Type(ty) => Some((name?, ty.clone())),
            TemplateArg::Name(of) => {
                let ty = Type::new(TypeKind::Named(of.clone()), of.range);
                Some((name?, ty))
            }
            TemplateArg::Expr(_) => None,
        });
        let ty = substitute(&declared.ty, &given.collect());
        // What is a number there may be another one where the type is used.
        let is_parameter = |name: &str| {
            let mut names = record
                .template
                .iter()
                .filter_map(|param| param.name.as_deref());
            names.any(|parameter| parameter == name)
        };
        (!names(&ty, &is_parameter)).then_some(ty)
    }

    /// The template and the arguments of a type that is an instance of a class template without specialisations.
    fn class_template<'t>(&self, ty: &'t Type) -> Option<(&'u Struct, &'t [TemplateArg])> {
        let TypeKind::Named(name) = &ty.kind else {
            return None;
        };
        let args = name.args.as_deref()?;
        let record = self.only_template(&name.base)?;
        Some((record, args))
    }

    /// The one class template of a name: one that is specialised may have other methods for other arguments.
    fn only_template(&self, name: &str) -> Option<&'u Struct> {
        let mut records = self
            .index
            .unit
            .structs
            .iter()
            .filter(|record| record.defined && record.name.rsplit("::").next() == Some(name));
        let record = records.next()?;
        let is_template = !record.template.is_empty() && record.template_args.is_empty();
        let is_plain = record.template.iter().all(|param| !param.pack);
        (is_template && is_plain && records.next().is_none()).then_some(record)
    }

    /// Binds the parameters of the class that a method is a member of, under the names that the class and the method give
    /// them.
    pub(super) fn bind_class(
        &mut self,
        function: &'u Function,
        class: Option<Type>,
        frame: &mut Frame<'u>,
    ) {
        let Some(class) = class else {
            return;
        };
        let last = |name: &'u str| name.rsplit("::").next().unwrap_or_default();
        let owner = function.owner.as_deref().map(last);
        let TypeKind::Named(mut name) = class.kind else {
            return;
        };
        let Some(record) = self.only_template(&name.base) else {
            return;
        };
        let Some(args) = name
            .args
            .take()
            .filter(|_| owner == Some(last(&record.name)))
        else {
            return;
        };
        // What is written there may mean something else here.
        let is_fixed = |me: &mut Self, arg: &TemplateArg| match arg {
            // A function is named in full by the name that the only one of it has.
            arg if me.device_function(arg).is_some() => true,
            TemplateArg::Expr(expr) => {
                matches!(expr.kind, ExprKind::Int { .. } | ExprKind::Bool(_))
            }
            arg => me.template_value(arg).is_none(),
        };
        let fixed = args.into_iter();
        let args: Vec<TemplateArg> = fixed.take_while(|arg| is_fixed(self, arg)).collect();
        self.bind_parameters(&record.template, Some(&args), &BTreeMap::new(), frame);
        if !record.range.contains(function.range)
            && let Some(own) = &function.template
        {
            let of_class = &own[..record.template.len().min(own.len())];
            self.bind_parameters(of_class, Some(&args), &BTreeMap::new(), frame);
        }
        name.args = Some(args);
        frame.class = Some(Type::new(TypeKind::Named(name), class.range));
    }

    /// The instances of a method's class that the unit asks for.
    pub(super) fn class_instances(&mut self, function: &'u Function) -> Vec<(Type, Arguments)> {
        let unit = self.index.unit;
        let mut found = Vec::new();
        for class in &unit.class_instantiations {
            let mut frame = Frame::new(function, None);
            let class = self.with_numbers(class.clone());
            self.bind_class(function, Some(class.clone()), &mut frame);
            if frame.class.is_some() {
                found.push((class, Arguments::of(&frame)));
            }
        }
        found
    }
}

/// The names that are looked up from where a name stands: its first part, and those in its arguments.
fn simple_names<'n>(name: &'n Name, found: &mut BTreeSet<&'n str>) {
    let first = name
        .qualifier
        .first()
        .map_or(&name.base, |first| &first.name);
    found.insert(first);
    let args = name.qualifier.iter().filter_map(|part| part.args.as_ref());
    for arg in args.chain(&name.args).flatten() {
        match arg {
            TemplateArg::Name(name) => simple_names(name, found),
            TemplateArg::Type(ty) => names_of_type(ty, found),
            TemplateArg::Expr(expr) => sub_exprs(expr, &mut |inner| {
                if let ExprKind::Name(name) = &inner.kind {
                    simple_names(name, found);
                }
            }),
        }
    }
}

fn names_of_type<'n>(ty: &'n Type, found: &mut BTreeSet<&'n str>) {
    match &ty.kind {
        TypeKind::Named(name) => simple_names(name, found),
        TypeKind::Pointer(to)
        | TypeKind::Reference(to)
        | TypeKind::RvalueReference(to)
        | TypeKind::Array(to, _) => names_of_type(to, found),
        _ => {}
    }
}
