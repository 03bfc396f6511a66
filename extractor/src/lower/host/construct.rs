//! Objects made in host code: constructors, default members, initialisers of members.

use std::rc::Rc;

use super::Host;
use super::alias::Kind;
use super::call::Operand;
use super::class_template::Receiver;
use super::inherit::{class_of, is_of};
use super::term::Term;
use super::unknown::is_container;
use super::value::*;
use crate::lower::types::Ty;
use crate::syntax::ast::*;

/// A pair of two pointers or numbers. Numbers are not kept: members convert what they get to types that are not known here.
pub(super) fn pair<'u>(values: &[Value<'u>]) -> Option<Value<'u>> {
    let [first, second] = values else { return None };
    let is_plain = |value: &Value<'u>| matches!(value, Value::Pointer(..) | Value::Scalar(_));
    let member = |name: &str, value: &Value<'u>| {
        let kept = match value {
            Value::Pointer(..) => value.clone(),
            _ => Value::unknown(),
        };
        (vec![Step::Field(name.to_owned())], kept)
    };
    let members = vec![member("first", first), member("second", second)];
    (is_plain(first) && is_plain(second)).then(|| Value::Tree(Rc::new(members), None))
}

impl<'u> Host<'_, 'u> {
    /// Whether a class of the unit has constructors.
    pub(super) fn has_constructors(&self, ty: &Ty) -> bool {
        let Ty::Struct(class) = ty else { return false };
        let functions = self.index.functions(&class.name).iter();
        class.name != "dim3"
            && functions
                .into_iter()
                .any(|function| function.owner.is_some())
    }

    /// An object of a class made from arguments.
    pub(super) fn construct(&mut self, written: &Type, ty: &Ty, args: &'u [Expr]) -> Value<'u> {
        let operands = self.operands(args);
        let values: Vec<Value<'u>> = operands.iter().map(|(value, _)| value.clone()).collect();
        // `std::pair<int &, int> p(n, 2)`: the variable may change through it.
        if self.text_of(written.range).contains('&') {
            for (_, place) in &operands {
                if let Some((place, _)) = place {
                    self.watch(place.root);
                }
            }
        }
        // A temporary may end with what it leads to changed.
        if self.destructor_may_write(ty) {
            for (value, place) in &operands {
                let mut roots = self.roots_of(value);
                roots.extend(place.as_ref().map(|(place, _)| place.root));
                for root in roots {
                    self.watch(root);
                }
            }
        }
        for value in &values {
            if matches!(value, Value::Function(_)) {
                self.lost(value);
            }
        }
        if let TypeKind::Named(name) = &written.kind
            && super::library::is_pair(name)
            && let Some(pair) = pair(&values)
        {
            return pair;
        }
        if let Ty::Opaque { name, .. } = ty
            && !is_container(written)
        {
            let name = name.clone();
            self.made_somehow(&name);
            return self.unknown_call(&name, operands);
        }
        if is_container(written) {
            self.made_by(written);
        }
        self.initialised(ty, operands, args)
    }

    /// An object of a class by its constructor, or member by member where it has none.
    pub(super) fn initialised(
        &mut self,
        ty: &Ty,
        operands: Vec<Operand<'u>>,
        args: &'u [Expr],
    ) -> Value<'u> {
        let values = || operands.iter().map(|(value, _)| value.clone()).collect();
        let Ty::Struct(layout) = ty else {
            if let Some(class) = class_of(ty) {
                self.made_somehow(&class);
            }
            return self.constructed(ty, values());
        };
        let name = layout.name.clone();
        let all: Vec<&'u Function> = self
            .index
            .functions(&name)
            .iter()
            .copied()
            .filter(|function| function.owner.is_some())
            .collect();
        if all.is_empty() {
            return self.constructed(ty, values());
        }
        if let Some(constructor) = self.constructor(&all, &operands) {
            let object = self.objects.object(Kind::Variable, &name, ty.clone());
            let this = Place::of(object);
            self.parts_made(&name);
            self.default_members(&this, &name);
            self.run(constructor, operands, args, Some(this.clone().into()), None);
            return self.read(&this, ty);
        }
        self.made_somehow(&name);
        self.unknown_call(&name, operands)
    }

    /// Runs the constructor without arguments of a variable's class, in its place.
    pub(super) fn default_constructed(&mut self, class: &str, this: Place) {
        let unit = self.index.unit;
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let name = last(class);
        let derives = unit
            .structs
            .iter()
            .any(|record| last(&record.name) == name && !record.bases.is_empty());
        let fits = |function: &&&'u Function| {
            let is_member = function.owner.as_deref().map(last) == Some(name.clone());
            let mut positions = 0..function.params.len();
            is_member && positions.all(|position| self.default_of(function, position).is_some())
        };
        let mut found = self.index.functions(&name).iter().filter(fits).copied();
        if let (Some(one), None) = (found.next(), found.next())
            && one.body.is_some()
            && one.template.is_none()
            && !derives
            && self.may_run(one)
        {
            if self.keeps_address(one) {
                self.made_somehow(&name);
                self.watch(this.root);
                return;
            }
            self.parts_made(&name);
            self.default_members(&this, &name);
            let this = Receiver {
                written: self.written_at(&this),
                ..this.into()
            };
            self.run(one, Vec::new(), &[], Some(this), None);
            return;
        }
        self.made_somehow(&name);
    }

    /// The only constructor that takes so many arguments, if it can be run: nothing keeps the address of the object or of a member.
    pub(super) fn constructor(
        &self,
        all: &[&'u Function],
        operands: &[Operand<'u>],
    ) -> Option<&'u Function> {
        let fits = |function: &&&'u Function| {
            let required = (0..function.params.len())
                .filter(|position| self.default_of(function, *position).is_none());
            !function.variadic
                && !function.params.iter().any(|param| param.pack)
                && (required.count()..=function.params.len()).contains(&operands.len())
        };
        let mut found = all.iter().filter(fits);
        let (one, None) = (found.next()?, found.next()) else {
            return None;
        };
        let copies =
            operands.len() == 1 && matches!(operands[0].0, Value::Tree(..) | Value::Initial(..));
        (one.template.is_none()
            && one.params.iter().all(|param| param.name.is_some())
            && !copies
            && one.body.is_some()
            && !self.keeps_address(one)
            && self.may_run(one))
        .then_some(*one)
    }

    /// Whether a constructor may keep the address of the object that it makes, or of a member.
    fn keeps_address(&self, constructor: &Function) -> bool {
        constructor
            .body
            .iter()
            .flat_map(|body| &body.stmts)
            .any(|stmt| {
                let text = self.text.get(stmt.range.bytes()).unwrap_or("");
                let mut mentions = text.match_indices("this");
                text.contains('&')
                    || text.contains("[=")
                    || mentions
                        .any(|(at, this)| !text[at + this.len()..].trim_start().starts_with("->"))
            })
    }

    /// Members with a value of their own, before a constructor sets others.
    fn default_members(&mut self, this: &Place, class: &str) {
        let unit = self.index.unit;
        let Some(record) = unit
            .structs
            .iter()
            .find(|record| record.defined && record.name.rsplit("::").next() == Some(class))
        else {
            return;
        };
        for field in &record.fields {
            let value = match &field.init {
                Init::None => continue,
                Init::Expr(Expr {
                    kind: ExprKind::Int { value, ty },
                    ..
                }) => Value::Scalar(Term::Constant(
                    i128::from(*value),
                    crate::lower::types::scalar(*ty).ctype(),
                )),
                _ => Value::unknown(),
            };
            let ty = self.resolve(&field.ty);
            self.told_by_name_alone(this, &field.name);
            self.write(&this.field(&field.name), &ty, value);
        }
    }

    /// `: a(n)` of a constructor that is run; `None` if it is none, or of a base.
    pub(super) fn member_init(&mut self, member: &'u Name, init: &'u Init) -> Option<()> {
        let frame = self.frame();
        let (this, owner) = (frame.this.clone()?, frame.owner.clone()?);
        let Some(ty) = self.field_type(&owner, &member.base) else {
            return self.base_init(&owner, this, member, init);
        };
        let value = match init {
            Init::Expr(expr) => self.eval(expr),
            Init::List(expr) => {
                let value = self.eval(expr);
                match (&value, &ty) {
                    (Value::Tree(parts, None), Ty::Scalar(_) | Ty::Pointer(_))
                        if parts.len() == 1 =>
                    {
                        parts[0].1.clone()
                    }
                    _ => self.list_as(&ty, value),
                }
            }
            Init::Call(args) => match (args.as_slice(), &ty) {
                ([], Ty::Scalar(ctype)) => Value::Scalar(Term::Constant(0, *ctype)),
                ([one], Ty::Scalar(_) | Ty::Pointer(_)) => self.eval(one),
                (args, _) => {
                    let operands = self.operands(args);
                    self.initialised(&ty, operands, args)
                }
            },
            Init::None => Value::unknown(),
        };
        self.told_by_name_alone(&this, &member.base);
        self.write(&this.field(&member.base), &ty, value);
        Some(())
    }

    /// `: B(n)` of a base, whose constructor runs in the place of the object.
    fn base_init(
        &mut self,
        owner: &str,
        this: Place,
        base: &'u Name,
        init: &'u Init,
    ) -> Option<()> {
        if !self.hierarchy.inherits_plainly(owner, &base.base) {
            return None;
        }
        let args: &'u [Expr] = match init {
            Init::Call(args) => args,
            Init::List(Expr {
                kind: ExprKind::InitList(items),
                ..
            }) => items,
            _ => return None,
        };
        let all: Vec<&'u Function> = self
            .index
            .functions(&base.base)
            .iter()
            .copied()
            .filter(|function| is_of(function, &base.base))
            .collect();
        let operands = self.operands(args);
        match self.constructor(&all, &operands) {
            Some(constructor) => {
                self.parts_made(&base.base);
                self.default_members(&this, &base.base);
                self.run(constructor, operands, args, Some(this.into()), None);
            }
            None => {
                self.made_somehow(&base.base);
                self.havoc(&this, std::collections::BTreeSet::from([this.root]));
                self.unknown_call(&base.base, operands);
            }
        }
        Some(())
    }
}
