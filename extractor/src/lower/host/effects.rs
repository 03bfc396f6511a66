//! What host code changes where no call is written: operators and conversions of classes, objects that refer to variables.
//!
//! Their functions are not run, but for a conversion of a class without bases that has no other. An object of a class with
//! such a function, and what it leads to, is not known any more once that may have been called. Functions that only read
//! count as none.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::call::Operand;
use super::class_template::Receiver;
use super::inherit::last;
use super::value::*;
use super::{Host, runs_on_host};
use crate::lower::types::Ty;
use crate::lower::walk;
use crate::syntax::ast::*;

impl<'u> Host<'_, 'u> {
    /// Variables that objects refer to may have changed: a function of such an object may have run.
    pub(super) fn stir(&mut self) {
        if self.watched.is_empty() {
            return;
        }
        for root in self.watched.clone() {
            if self.state.is_some() {
                self.changed_out_of_sight(root, BTreeSet::from([root]));
            }
        }
    }

    /// An operator of a class, if an operand is an object and the unit has one that changes something.
    pub(super) fn class_operator(&mut self, text: &str, operands: &[Operand<'u>]) -> bool {
        let name = format!("operator{text}");
        if !operands.iter().any(is_object) || !self.is_changing(&name, operands) {
            return false;
        }
        self.change(&name, operands);
        true
    }

    /// The same of a comma, which hardly any class overloads: what is no number may be an object.
    pub(super) fn comma_operator(&mut self, operands: &[Operand<'u>]) {
        let is_number = |(value, place): &Operand<'u>| {
            let is_scalar = place
                .as_ref()
                .is_none_or(|(_, ty)| matches!(ty, Ty::Scalar(_)));
            is_scalar && matches!(value, Value::Scalar(_) | Value::Ratio(..))
        };
        if !operands.iter().all(is_number) && !self.changing("operator,").is_empty() {
            self.change("operator,", operands);
        }
    }

    /// The same of an assignment to an object.
    pub(super) fn class_assignment(&mut self, operands: &[Operand<'u>]) -> bool {
        let target = &operands[..1];
        let place = operands[0].1.as_ref();
        let is_special = place.is_some_and(|(_, ty)| self.index.assigns_specially(ty));
        if !is_object(&target[0]) || !(is_special || self.is_changing("operator=", target)) {
            return false;
        }
        // What the object leads to before it is assigned to may change too.
        let mut operands = operands.to_vec();
        if let Some((place, _)) = &operands[0].1 {
            let held = self.held_by(&place.clone());
            operands[0].0 = Value::Unknown(Rc::new(held));
        }
        self.change("operator=", &operands);
        true
    }

    /// What an operator does that is not run: the objects, and what they lead to, are not known any more.
    fn change(&mut self, name: &str, operands: &[Operand<'u>]) {
        let mut roots = BTreeSet::new();
        for (value, place) in operands {
            roots.extend(self.roots_of(value));
            roots.extend(place.as_ref().map(|(place, _)| place.root));
        }
        for (_, place) in operands {
            if let Some((place, _)) = place {
                self.havoc(&place.clone(), roots.clone());
            }
        }
        for function in self.index.functions(name) {
            self.wants(function);
        }
        self.unknown_call(name, operands.to_vec());
        self.stir();
    }

    /// `m[i]` and `m(i)` of a class of the unit: what they return may be a part of the object, or what it leads to.
    pub(super) fn object_called(&mut self, name: &str, object: &Operand<'u>) {
        if is_object(object) && self.is_changing(name, std::slice::from_ref(object)) {
            self.change(name, std::slice::from_ref(object));
        }
    }

    /// An object becomes a number or a condition: what it becomes, where its class has one function for that, which is run.
    pub(super) fn object_converted(&mut self, object: &Operand<'u>) -> Option<Value<'u>> {
        if !self.index.has_conversions() || !is_object(object) {
            return None;
        }
        if let Some(value) = self.only_conversion(object) {
            return Some(value);
        }
        let unit = self.index.unit;
        let operands = std::slice::from_ref(object);
        let conversions = unit
            .functions
            .iter()
            .filter(|function| function.owner.is_some() && function.name.starts_with("operator "));
        let mut conversion = None;
        for function in conversions {
            if self.is_changing(&function.name, operands) {
                conversion = Some(function);
                break;
            }
        }
        if let Some(function) = conversion {
            self.change(&function.name, operands);
        }
        None
    }

    /// What the conversion function of a class without bases makes of an object, where the class has no other.
    fn only_conversion(&mut self, object: &Operand<'u>) -> Option<Value<'u>> {
        let (place, name) = match object {
            (_, Some((place, Ty::Struct(class)))) => (place, &class.name),
            (_, Some((place, Ty::Opaque { name, .. }))) => (place, name),
            _ => return None,
        };
        let name = last(name.split('<').next().unwrap_or_default());
        let named = &self.index.named;
        let [record] = named.structs_called(name) else {
            return None;
        };
        if !record.bases.is_empty() {
            return None;
        }
        let functions = named.of_class(&record.name).iter().copied();
        let mut conversions = functions.filter(|one| one.name.starts_with("operator "));
        let function = conversions.next()?;
        let is_plain = function.template.is_none()
            && function.body.is_some()
            && !function.quals.is_virtual
            && runs_on_host(function);
        if conversions.next().is_some() || !is_plain || !self.may_run(function) {
            return None;
        }
        let receiver = Receiver {
            written: self.written_at(place),
            ..place.clone().into()
        };
        Some(self.run(function, Vec::new(), &[], Some(receiver), None))
    }

    /// Whether one of the functions of a name that may be meant for an object changes something, or hands out what can be
    /// written to.
    fn is_changing(&mut self, name: &str, operands: &[Operand<'u>]) -> bool {
        let functions = self.changing(name);
        if functions.is_empty() {
            return false;
        }
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let classes: Vec<Option<String>> = operands
            .iter()
            .filter(|operand| is_object(operand))
            .map(|(_, place)| match place {
                Some((_, Ty::Struct(class))) => Some(last(&class.name)),
                Some((_, Ty::Opaque { name, .. })) => Some(last(name)),
                _ => None,
            })
            .collect();
        let named = &self.index.named;
        // What a class inherits is not looked for.
        let plain = |class: &String| {
            let mut records = named.structs_called(class).iter();
            records.any(|record| record.bases.is_empty())
        };
        let meant = |function: &Function| match &function.owner {
            None => true,
            Some(owner) => classes.iter().any(|class| match class {
                Some(class) if plain(class) => last(owner) == *class,
                _ => true,
            }),
        };
        functions.iter().any(|function| meant(function))
    }

    /// The functions of a name that change something.
    fn changing(&mut self, name: &str) -> Rc<Vec<&'u Function>> {
        if let Some(known) = self.changing.get(name) {
            return Rc::clone(known);
        }
        let functions = self.index.functions(name).iter().copied();
        let found: Rc<Vec<&'u Function>> =
            Rc::new(functions.filter(|function| changes(function)).collect());
        self.changing.insert(name.to_owned(), Rc::clone(&found));
        found
    }

    /// Whether an expression is known to be an object before it is evaluated: a variable of a class, or `*this`.
    pub(super) fn is_surely_object(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => {
                let scopes = self.frame().scopes.iter().rev();
                let mut roots = scopes.filter_map(|scope| scope.get(name.base.as_str()));
                roots
                    .next()
                    .is_some_and(|root| is_class(&self.objects.get(*root).ty))
            }
            ExprKind::Deref(inner) => matches!(inner.kind, ExprKind::This),
            _ => false,
        }
    }

    /// Whether a class of the unit has a constructor that takes something by a reference through which it can write.
    fn constructor_may_write(&self, class: &str) -> bool {
        let last = |name: &str| name.rsplit("::").next().unwrap_or_default().to_owned();
        let class = last(class);
        let functions = self.index.functions(&class).iter();
        functions
            .filter(|function| function.owner.as_deref().map(last) == Some(class.clone()))
            .flat_map(|function| &function.params)
            .any(|param| leads_to_writable(&param.ty))
    }

    /// Whether a class has a destructor that changes something.
    pub(super) fn destructor_may_write(&mut self, ty: &Ty) -> bool {
        let class = match ty {
            Ty::Struct(class) => &class.name,
            Ty::Opaque { name, .. } => name,
            _ => return false,
        };
        let class = class.rsplit("::").next().unwrap_or_default();
        !class.is_empty() && !self.changing(&format!("~{class}")).is_empty()
    }

    /// The same of any class of the unit.
    pub(super) fn some_constructor_may_write(&self) -> bool {
        let unit = self.index.unit;
        unit.structs
            .iter()
            .any(|record| self.constructor_may_write(&record.name))
    }

    /// `new T(n)`: its constructor may keep a reference, or write to what it is given.
    pub(super) fn made_on_heap(&mut self, range: Range) {
        let text = self.text_of(range);
        let Some(open) = text.find(['(', '{']) else {
            return;
        };
        let class: String = text[..open]
            .trim_start_matches("new")
            .trim()
            .chars()
            .take_while(|c| c.is_alphanumeric() || *c == '_' || *c == ':')
            .collect();
        let declared = !self.index.functions(&class).is_empty();
        let given = &text[open..];
        let may_bind = self.new_may_bind(&text[..open], range);
        if declared && !self.constructor_may_write(&class) && !given.contains('&') && !may_bind {
            return;
        }
        // Numbers and types of the language are made of values.
        if !declared
            && !may_bind
            && !self
                .index
                .unit
                .structs
                .iter()
                .any(|one| one.name.ends_with(&class))
        {
            return;
        }
        for word in given.split(|c: char| !(c.is_alphanumeric() || c == '_')) {
            if word == "this" {
                if let Some(this) = self.frame().this.clone() {
                    self.havoc(&this, BTreeSet::from([this.root]));
                }
            } else if !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()) {
                let name = Name::simple(word, range);
                if let Some((place, _)) = self.named(&name) {
                    self.watch(place.root);
                }
            }
        }
    }

    /// The variables that a constructor may write to, where one converts an argument.
    pub(super) fn converted_by_constructor(&mut self, ty: &Ty, operand: &Operand<'u>) {
        let class = match ty {
            Ty::Struct(class) => class.name.clone(),
            Ty::Opaque { name, .. } => name.clone(),
            _ => return,
        };
        self.made_of_other(ty, operand);
        if !self.constructor_may_write(&class) {
            return;
        }
        let mut roots = self.roots_of(&operand.0);
        roots.extend(operand.1.as_ref().map(|(place, _)| place.root));
        for root in roots {
            self.watch(root);
        }
    }

    /// What an expression leaves in an object that it initialises: of a class whose copies are more than copies of bytes nothing is
    /// known, unless the expression makes the object.
    pub(super) fn copied(&mut self, ty: &Ty, value: Value<'u>, is_made: bool) -> Value<'u> {
        let is_object = matches!(value, Value::Tree(..) | Value::Initial(..));
        let is_special = self.copies_elements(ty) || self.index.copies_specially(ty);
        if is_made || !is_object || !is_special {
            return value;
        }
        Value::Unknown(Rc::new(self.roots_of(&value)))
    }

    /// Whether a type is a container of the library, whose copies have memory of their own.
    pub(super) fn copies_elements(&self, ty: &Ty) -> bool {
        let Ty::Opaque { name, bytes: None } = ty else {
            return false;
        };
        let written = name.split('<').next().unwrap_or_default();
        let of_library = |scope: &str| matches!(scope, "" | "std" | "thrust");
        let (scope, base) = written.rsplit_once("::").unwrap_or(("", written));
        matches!(base, "vector" | "device_vector" | "host_vector")
            && of_library(scope.trim_start_matches("::"))
            && !self.some_record(base, &|_| true)
    }

    /// What another container leaves in one: memory of its own, and elements that lead where the other's do, if they are not
    /// numbers. `None` where it is no copy.
    pub(super) fn container_copied(
        &mut self,
        ty: &Ty,
        written: Option<&Type>,
        from: &'u Expr,
        value: &Value<'u>,
    ) -> Option<Value<'u>> {
        let is_object = matches!(value, Value::Tree(..) | Value::Initial(..));
        if !is_object || !self.copies_elements(ty) || self.gives_away(from) {
            return None;
        }
        // A name without a scope may be that of another library's class, which is not seen.
        let is_certain = matches!(ty, Ty::Opaque { name, .. } if name.contains("::"));
        let of_numbers = written
            .filter(|_| is_certain)
            .and_then(super::unknown::element_of)
            .is_some_and(|element| matches!(element.kind, TypeKind::Scalar(_)));
        Some(match of_numbers {
            true => Value::unknown(),
            false => Value::Unknown(Rc::new(self.roots_of(value))),
        })
    }

    /// `return v;` gives the memory of a container of the function away.
    pub(super) fn moves_container(&self, ret: &Ty, expr: &Expr) -> bool {
        let ExprKind::Name(name) = &expr.kind else {
            return false;
        };
        let own = self.local(name);
        self.copies_elements(ret) && own.is_some_and(|root| !self.references.contains_key(&root))
    }

    /// `std::move(a)`, or what makes an object.
    fn gives_away(&mut self, expr: &Expr) -> bool {
        let moves = match &expr.kind {
            ExprKind::Call { callee, .. } => {
                matches!(&callee.kind, ExprKind::Name(name) if matches!(name.base.as_str(), "move" | "forward"))
            }
            ExprKind::Cast { .. } => true,
            _ => false,
        };
        moves || self.makes_object(expr)
    }

    /// Whether an expression makes an object of its own, which is not copied once more.
    pub(super) fn makes_object(&mut self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Construct { .. }
            | ExprKind::Int { .. }
            | ExprKind::Float { .. }
            | ExprKind::Bool(_)
            | ExprKind::Nullptr
            | ExprKind::Lambda(_) => true,
            ExprKind::InitList(items) => items.iter().all(|item| self.makes_object(item)),
            ExprKind::Call { callee, .. } => {
                let name = match &callee.kind {
                    ExprKind::Name(name) => name,
                    ExprKind::Member { field, .. } => field,
                    _ => return false,
                };
                let functions = self.index.functions(&name.base);
                let is_variable =
                    matches!(callee.kind, ExprKind::Name(_)) && self.named(name).is_some();
                let gives_object = |function: &&Function| {
                    let kind = &function.ret.kind;
                    matches!(kind, TypeKind::Named(_) | TypeKind::Scalar(_))
                };
                !is_variable && !functions.is_empty() && functions.iter().all(gives_object)
            }
            _ => false,
        }
    }

    /// Whether a word stands in a text.
    pub(super) fn is_word_of(&self, range: Range, word: &'static str) -> bool {
        if let Some(known) = self.words_known.borrow().get(&(range, word)) {
            return *known;
        }
        let text = self.text.get(range.bytes()).unwrap_or("");
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let found = words.any(|one| one == word);
        self.words_known.borrow_mut().insert((range, word), found);
        found
    }

    /// Whether a function folds a pack: `(a = 1, ...)`, which is more than handing it on.
    pub(super) fn folds(&self, function: &Function) -> bool {
        let range = function
            .body
            .as_ref()
            .map_or(function.range, |body| body.range);
        let text = self.text.get(range.bytes()).unwrap_or("");
        text.match_indices("...").any(|(at, dots)| {
            let before = text[..at].trim_end();
            let behind = text[at + dots.len()..].trim_start();
            before.ends_with(|c: char| ",+-*/&|^=<>%".contains(c))
                || behind.starts_with(|c: char| "+-*/&|^=<%".contains(c))
        })
    }

    /// Bytes that several members share: what one of them holds depends on what was written to the others.
    pub(super) fn shared_bytes(&mut self, place: &Place, ty: &Ty) {
        let value = self.read(place, ty);
        let roots = self.roots_of(&value);
        self.havoc(place, roots.clone());
        // A pointer in one of them is in the others.
        let holds = |value: &Value<'u>| matches!(value, Value::Pointer(..) | Value::Unknown(_));
        if let Value::Tree(parts, _) = &value
            && parts.iter().any(|(_, value)| holds(value))
        {
            self.write(place, &Ty::Void, Value::Unknown(Rc::new(roots)));
        }
    }

    /// A value that nothing is known of but where it comes from.
    pub(super) fn result_of(&mut self, operands: &[Operand<'u>]) -> Value<'u> {
        let values: Vec<Value<'u>> = operands.iter().map(|(value, _)| value.clone()).collect();
        let mut roots = BTreeSet::new();
        for value in &values {
            roots.extend(self.roots_of(value));
        }
        Value::Unknown(Rc::new(roots))
    }
}

fn is_class(ty: &Ty) -> bool {
    match ty {
        Ty::Struct(class) => class.name != "dim3",
        Ty::Opaque { name, .. } => !name.is_empty(),
        _ => false,
    }
}

fn is_object((value, place): &Operand<'_>) -> bool {
    match place {
        Some((_, ty)) if is_class(ty) => true,
        _ => matches!(value, Value::Tree(..)),
    }
}

fn writable_reference(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => !to.is_const,
        _ => false,
    }
}

/// The same, or by a pointer.
fn leads_to_writable(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Pointer(to) => !to.is_const,
        _ => writable_reference(ty),
    }
}

/// Whether a function of the host may change something that is not its own, or returns what can be written through. One that
/// returns an element, `return data[i];`, hands out what is behind a pointer of the object, which is not a part of it.
fn changes(function: &Function) -> bool {
    if !runs_on_host(function) {
        return false;
    }
    let Some(body) = &function.body else {
        return true;
    };
    let mut found = false;
    let mut elements_only = true;
    for stmt in &body.stmts {
        walk::each_expr(stmt, &mut |expr| {
            found |= may_change(&expr.kind);
        });
        walk::each_stmt(stmt, &mut |stmt| {
            if let StmtKind::Return(Some(value)) = &stmt.kind {
                elements_only &= matches!(value.kind, ExprKind::Index { .. });
            }
        });
    }
    found || (writable_reference(&function.ret) && !elements_only)
}

/// Whether evaluating an expression, apart from its operands, may change something or run what is not seen here.
pub(super) fn may_change(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::Assign { .. }
            | ExprKind::IncDec { .. }
            | ExprKind::Call { .. }
            | ExprKind::Launch { .. }
            | ExprKind::Lambda(_)
            | ExprKind::Asm(_)
            | ExprKind::StmtExpr(_)
            | ExprKind::Fold(_)
            | ExprKind::New { .. }
            | ExprKind::Delete(_)
            | ExprKind::Designated { .. }
            | ExprKind::Unsupported { .. }
    )
}
