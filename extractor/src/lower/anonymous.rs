//! Anonymous unions in functions: an object without a name, whose members are names of the scope around it.
//!
//! The reader declares the object under a name that no program can write, that of its type. The members are bound as
//! references to parts of it, so that what is written to one is found in the others.

use warplog_facts::words::Effect;

use super::body::{Binding, Lowerer};
use super::value::Lvalue;
use crate::syntax::ast::*;

/// Whether a declaration is that of the object of an anonymous union.
pub(crate) fn is_anonymous(declaration: &VarDecl) -> bool {
    declaration.name.starts_with('{')
}

impl Lowerer<'_, '_> {
    /// Brings the members of the object, which was declared, into scope.
    pub(crate) fn declare_members(&mut self, declaration: &VarDecl) {
        let range = declaration.range;
        let object = self.place(&Expr {
            kind: ExprKind::Name(Name::simple(&declaration.name, range)),
            range,
        });
        let Some(class) = class_of(&object) else {
            let why = "its members are not known";
            self.unsupported(range, "an anonymous union", why, Effect::Control);
            return;
        };
        for (field, ..) in class.fields() {
            let member = self.field_place(object.clone(), &field, range);
            self.bind(&field, Binding::Reference(member));
        }
    }
}

fn class_of(place: &Lvalue) -> Option<std::rc::Rc<super::types::StructTy>> {
    match place {
        Lvalue::Variable {
            ty: super::types::Ty::Struct(class),
            ..
        }
        | Lvalue::Memory {
            ty: super::types::Ty::Struct(class),
            ..
        } => class.layout().is_some().then(|| class.clone()),
        _ => None,
    }
}
