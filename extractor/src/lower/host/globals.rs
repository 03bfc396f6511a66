//! Variables outside of functions: their first values, and whether unseen code may write them.

use std::collections::BTreeSet;

use super::alias::Kind;
use super::value::*;
use super::*;
use crate::lower::unit::enclosing;
use crate::syntax::ast::*;

impl<'u> Host<'_, 'u> {
    pub(super) fn declare_globals(&mut self) {
        let unit = self.index.unit;
        let hidden = self.written_unseen();
        let index = self.index;
        let elsewhere = index.whole.as_ref().map(|whole| &whole.changed_elsewhere);
        for global in &unit.globals {
            let name = global.name.rsplit("::").next().unwrap_or(&global.name);
            let ty = self.resolve(&global.ty);
            let announced = self.announced(global, &ty);
            let root = match announced {
                Some(root) => root,
                None => self.objects.object(Kind::Variable, name, ty),
            };
            let is_const = has_constant_elements(&global.ty) || global.storage.constexpr;
            let object = self.objects.get_mut(root);
            object.is_const = is_const;
            object.is_global = !is_const;
            let is_named_elsewhere = elsewhere.is_some_and(|names| names.contains(name));
            object.hidden_writers = !is_const && (hidden.contains(name) || is_named_elsewhere);
            // No other file can name it: its values are those that this one computes.
            object.is_local |= global.storage.is_static && enclosing(&global.name).is_empty();
            object.on_device =
                global.storage.device || global.storage.managed || global.storage.constant;
            self.written.insert(root, global.ty.clone());
            let known = Global {
                root,
                declaration: global,
                changeable: !is_const,
            };
            let before = self.globals.insert(name, known);
            if before.is_some() && announced.is_none() {
                self.shared_names.insert(name);
            }
            self.declared.insert(global.range, root);
            for class in self.hierarchy.classes_in(&global.ty).iter() {
                self.held_by_library(class);
            }
            if self.depends_on_arguments(global) {
                self.per_argument.insert(root);
                continue;
            }
            // In its initialiser names mean what they mean where it stands.
            self.frame_mut().types.path = enclosing(&global.name).to_owned();
            let value = match &global.init {
                Init::None => continue,
                Init::Expr(expr) => self.eval(expr),
                Init::List(expr) => self.eval(expr),
                Init::Call(args) => match args.as_slice() {
                    [one] => self.eval(one),
                    _ => Value::unknown(),
                },
            };
            let ty = self.objects.get(root).ty.clone();
            let value = self.list_as(&ty, value);
            if !is_const {
                self.lost(&value);
                continue;
            }
            self.write(&Place::of(root), &ty, value);
            if let Some(state) = &self.state {
                self.constants.insert(root, state.entries(root).to_vec());
            }
        }
        self.frame_mut().types.path = String::new();
        self.state = Some(State::new());
    }

    /// The variable that a definition outside of its class defines: `int Q::n = 1;`.
    fn announced(&self, global: &VarDecl, ty: &Ty) -> Option<Root> {
        let mut before = self.index.unit.globals.iter();
        let own = before.find(|one| one.name == global.name)?;
        let is_member = self
            .index
            .unit
            .structs
            .iter()
            .filter(|record| record.name == enclosing(&global.name))
            .count()
            == 1;
        let root = *self.declared.get(&own.range)?;
        let is_same = is_member
            && own.range != global.range
            && matches!(own.init, Init::None)
            && self.objects.get(root).ty == *ty
            && !self.depends_on_arguments(own)
            && !self.depends_on_arguments(global);
        is_same.then_some(root)
    }

    /// Whether the value of a variable, or which of several it is, depends on template arguments.
    fn depends_on_arguments(&self, global: &VarDecl) -> bool {
        if !global.template.is_empty() || global.special.is_some() {
            return true;
        }
        let class = enclosing(&global.name);
        let records: Vec<&Struct> = self
            .index
            .unit
            .structs
            .iter()
            .filter(|record| record.name == class)
            .collect();
        let mut parameters = records.iter().flat_map(|record| &record.template);
        let range = match &global.init {
            Init::Expr(init) | Init::List(init) => global.range.to(init.range),
            Init::None | Init::Call(_) => global.range,
        };
        let text = self.text.get(range.bytes()).unwrap_or("");
        let words: BTreeSet<&str> = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .collect();
        records.len() > 1
            || parameters.any(|parameter| {
                let name = parameter.name.as_deref();
                name.is_some_and(|name| words.contains(name))
            })
    }

    /// Names of variables that code may change which is called where no call is written: member functions (constructors,
    /// destructors, conversions, operators), operators, functions that nothing calls by name, initialisers of other variables.
    fn written_unseen(&self) -> BTreeSet<&'u str> {
        let unit = self.index.unit;
        let simple = |name: &'u str| name.rsplit("::").next().unwrap_or(name);
        let globals: BTreeSet<&'u str> = unit.globals.iter().map(|one| simple(&one.name)).collect();
        if globals.is_empty() {
            return BTreeSet::new();
        }
        let mentioned = |range: Range| {
            let text = self.text.get(range.bytes()).unwrap_or("");
            text.split(|c: char| !(c.is_alphanumeric() || c == '_'))
        };
        let mut called: BTreeSet<&str> = BTreeSet::new();
        for function in &unit.functions {
            if let Some(body) = &function.body {
                let words = mentioned(body.range).filter(|word| *word != function.name);
                called.extend(words.filter(|word| !self.index.functions(word).is_empty()));
            }
        }
        let mut found: BTreeSet<&'u str> = BTreeSet::new();
        for function in &unit.functions {
            let Some(body) = &function.body else { continue };
            let seen = function.owner.is_none()
                && !function.name.starts_with("operator")
                && (is_main(&function.name) || called.contains(function.name.as_str()));
            if !seen && runs_on_host(function) {
                found.extend(mentioned(body.range).filter_map(|word| globals.get(word)));
            }
        }
        for global in &unit.globals {
            let own = simple(&global.name);
            let words = mentioned(global.range).filter(|word| *word != own);
            found.extend(words.filter_map(|word| globals.get(word)));
        }
        found
    }

    /// The variable at namespace scope of a name.
    pub(super) fn global(&self, name: &Name) -> Option<Root> {
        let base = name.base.as_str();
        // `v<int>` of a variable template.
        if name.args.is_some() {
            return None;
        }
        let one = |root: &Root| !self.per_argument.contains(root);
        let mut scope = self.frame().types.path.clone();
        if let Some(owner) = &self.frame().owner {
            scope.clone_from(owner);
        }
        if !self.shared_names.contains(base) {
            let global = self.globals.get(base)?;
            let of_parameter = name
                .qualifier
                .last()
                .is_some_and(|segment| self.frame().type_args.contains_key(&segment.name));
            let is_meant = of_parameter
                || self
                    .index
                    .may_mean(global.declaration, &name.lookup_path(), &scope);
            return Some(global.root).filter(|root| is_meant && one(root));
        }
        let found = self
            .index
            .global_at(&name.lookup_path(), &scope, name.range)?;
        self.declared.get(&found.range).copied().filter(one)
    }
}

/// Whether a type is constant, or that of an array of what is.
fn has_constant_elements(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Array(element, _) => ty.is_const || has_constant_elements(element),
        _ => ty.is_const,
    }
}
