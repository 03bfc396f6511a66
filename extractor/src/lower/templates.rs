//! The arguments of templates, templates among them: `View<float, Restricted>` with `template <typename> class Traits`.
//!
//! A type that nothing declares stands for the template; its name begins with [`TEMPLATE`] and goes on with that of the
//! template. A template of a namespace is told by its name, so that this type has an identity. Of the member templates of class
//! templates there is one for each instance of the class, whose name goes before that of the member. Alias templates have no
//! identity: one may be the same as another template.

use std::rc::Rc;

use super::body::Lowerer;
use super::classes::bind;
use super::identity::{leaf, name_of_instance, of_class};
use super::types::{StructTy, TemplateValue, Ty, TypeScope};
use super::unit::{TypeEntry, enclosing, last_component};
use super::value::Value;
use crate::syntax::ast::*;

/// What the name of a type begins with that stands for a class template.
const TEMPLATE: &str = "template ";

impl Lowerer<'_, '_> {
    /// The values of template arguments, defaults included. The arguments are written here; defaults and the types of values
    /// see the names around the template and the parameters before them.
    pub(crate) fn template_values(
        &mut self,
        parameters: &[TemplateParam],
        written: &[TemplateArg],
        around: &TypeScope,
    ) -> Vec<TemplateValue> {
        let mut values: Vec<TemplateValue> = Vec::new();
        for (position, parameter) in parameters.iter().enumerate() {
            let mut inside = around.clone();
            bind(&mut inside, parameters, &values);
            if parameter.pack {
                let rest = written.iter().skip(position);
                values.extend(rest.map(|arg| self.template_value(arg, parameter, &inside)));
                break;
            }
            values.push(match written.get(position) {
                Some(arg) => self.template_value(arg, parameter, &inside),
                None => self.within(inside, |me| me.default_argument(parameter)),
            });
        }
        values
    }

    /// What a parameter is that no argument is given for.
    pub(crate) fn default_argument(&mut self, parameter: &TemplateParam) -> TemplateValue {
        match &parameter.kind {
            TemplateParamKind::Type {
                default: Some(default),
            } => self.type_value(default),
            TemplateParamKind::Value {
                default: Some(default),
                ty,
            } => {
                self.doubt_reference_parameter(ty, default.range);
                let ty = self.resolve(ty);
                let value = self.expr(default);
                let value = self.convert(value, &ty, default.range);
                TemplateValue::Value(self.as_entity(value))
            }
            TemplateParamKind::Template {
                default: Some(default),
            } => self.template_template(default),
            _ => TemplateValue::Unknown,
        }
    }

    /// A template argument as it is meant for a parameter, whose type is declared where the names `declared` are in force.
    pub(crate) fn template_value(
        &mut self,
        arg: &TemplateArg,
        parameter: &TemplateParam,
        declared: &TypeScope,
    ) -> TemplateValue {
        self.note_constant_argument(arg, parameter);
        match (&parameter.kind, arg) {
            (TemplateParamKind::Type { .. }, TemplateArg::Type(ty)) => self.type_value(ty),
            (
                TemplateParamKind::Type { .. },
                TemplateArg::Name(name)
                | TemplateArg::Expr(Expr {
                    kind: ExprKind::Name(name),
                    ..
                }),
            ) => self.named_value(name),
            (TemplateParamKind::Value { ty, .. }, TemplateArg::Expr(_) | TemplateArg::Name(_)) => {
                let (value, range) = match arg {
                    TemplateArg::Expr(expr) => (self.expr(expr), expr.range),
                    TemplateArg::Name(name) => (self.name(name), name.range),
                    TemplateArg::Type(ty) => (Value::Unknown, ty.range),
                };
                // A function stays what it is.
                let ty = self.within(declared.clone(), |me| {
                    me.doubt_reference_parameter(ty, range);
                    me.resolve(ty)
                });
                let value = self.convert(value, &ty, range);
                TemplateValue::Value(self.as_entity(value))
            }
            (TemplateParamKind::Template { .. }, arg) => match template_named(arg) {
                Some(name) => self.template_template(name),
                None => TemplateValue::Unknown,
            },
            _ => TemplateValue::Unknown,
        }
    }

    /// A class template as an argument.
    pub(crate) fn template_template(&mut self, name: &Name) -> TemplateValue {
        let scope = self.scope();
        if name.as_simple().is_some()
            && let Some(given) = scope.types.get(&name.base)
        {
            let identity = scope.identities.get(&name.base);
            let identity = identity.filter(|identity| is_template(identity));
            return TemplateValue::Type(given.clone(), identity.cloned());
        }
        if let Some(member) = self.member_template(name) {
            return member;
        }
        let entries = self
            .index
            .types_at(&name.lookup_path(), &scope.path, name.range);
        let Some(path) = entries.first().map(TypeEntry::qualified) else {
            return TemplateValue::Unknown;
        };
        if entries.iter().any(|other| other.qualified() != path) {
            return TemplateValue::Unknown;
        }
        let is_class = |entry: &TypeEntry<'_>| matches!(entry, TypeEntry::Class(..));
        let class = self.index.types_at(enclosing(path), "", Range::default());
        let of_namespace = class.is_empty();
        let is_generic = |entry: &TypeEntry<'_>| matches!(entry, TypeEntry::Class(_, record) if !record.template.is_empty());
        if class.iter().any(is_generic) {
            // Of an instance of its class of which nothing is known.
            return TemplateValue::Unknown;
        }
        let meant = format!("{TEMPLATE}{path}");
        let identity =
            (of_namespace && entries.iter().all(is_class)).then(|| Rc::new(leaf(meant.clone())));
        let stands_for_it = Ty::Opaque {
            name: meant,
            bytes: None,
        };
        TemplateValue::Type(stands_for_it, identity)
    }

    /// A member of an instance of a class template; `None` if the name means something else.
    fn member_template(&mut self, name: &Name) -> Option<TemplateValue> {
        let (entries, inside) = self.types_meant(name)?;
        let class = inside.class?;
        if !is_of_template(&class) {
            return None;
        }
        let meant = format!("{TEMPLATE}{}::{}", name_of_instance(&class), name.base);
        let is_class = |entry: &TypeEntry<'_>| matches!(entry, TypeEntry::Class(..));
        let told = of_class(&class).is_some() && entries.iter().all(is_class);
        let identity = told.then(|| Rc::new(leaf(meant.clone())));
        let stands_for_it = Ty::Opaque {
            name: meant,
            bytes: None,
        };
        Some(TemplateValue::Type(stands_for_it, identity))
    }

    /// The instance of a class template that a member stands in whose name is given in full.
    fn class_of_member(&self, path: &str) -> Option<Rc<StructTy>> {
        let (class, _) = path.rsplit_once("::")?;
        let mut classes = self.classes.values();
        classes
            .find(|one| is_of_template(one) && name_of_instance(one) == class)
            .cloned()
    }

    /// Whether a name is that of a member of `Op<float>` where it is not known which template `Op` is.
    pub(crate) fn is_of_unknown_template(&mut self, name: &Name) -> bool {
        let [segment] = name.qualifier.as_slice() else {
            return false;
        };
        let types = &self.scope().types;
        let given = types.get(&segment.name).filter(|_| segment.args.is_some());
        matches!(given, Some(Ty::Opaque { name, .. }) if !name.starts_with(TEMPLATE))
    }

    /// `Op<float>` where `Op` is a template parameter that is a template.
    pub(crate) fn instance_of_parameter(&mut self, name: &Name, scope: &TypeScope) -> Option<Ty> {
        let Some(Ty::Opaque { name: meant, .. }) = scope.types.get(&name.base) else {
            return None;
        };
        let path = meant.strip_prefix(TEMPLATE)?;
        let mut meant = Name::simple(last_component(path), name.range);
        meant.args.clone_from(&name.args);
        if let Some(class) = self.class_of_member(path) {
            let (entries, inside) = self.member_types_meant(&class, &meant.base)?;
            return self.entry_type(&entries, &meant, &inside);
        }
        let entries = self.index.types_at(path, "", Range::default());
        let outside = TypeScope {
            path: enclosing(path).to_owned(),
            ..TypeScope::default()
        };
        self.entry_type(&entries, &meant, &outside)
    }
}

/// Whether a class is an instance of a template, or a member of one.
fn is_of_template(class: &StructTy) -> bool {
    class.class.as_ref().is_some_and(|made| {
        !made.args.is_empty() || made.around.as_deref().is_some_and(is_of_template)
    })
}

/// Whether the name of a type is that of one which stands for a template.
pub(crate) fn stands_for_template(name: &str) -> bool {
    name.starts_with(TEMPLATE)
}

/// Whether an identity is that of a template rather than of a type.
pub(crate) fn is_template(identity: &Type) -> bool {
    matches!(&identity.kind, TypeKind::Named(name) if name.base.starts_with(TEMPLATE))
}

/// The name that a template argument is, when it is nothing else.
pub(crate) fn template_named(arg: &TemplateArg) -> Option<&Name> {
    match arg {
        TemplateArg::Name(name)
        | TemplateArg::Type(Type {
            kind: TypeKind::Named(name),
            ..
        })
        | TemplateArg::Expr(Expr {
            kind: ExprKind::Name(name),
            ..
        }) => Some(name).filter(|name| name.args.is_none()),
        _ => None,
    }
}
