//! Closures in host code: what they capture, and what a call of them does.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::alias::Kind;
use super::call::Operand;
use super::eval::unknown_type;
use super::value::*;
use super::{Frame, Host, MAX_DEPTH};
use crate::lower::types::Ty;
use crate::syntax::ast::*;

impl<'u> Host<'_, 'u> {
    /// A lambda with the names that it sees.
    pub(super) fn closure(&mut self, lambda: &'u Lambda) -> Value<'u> {
        let value = self.called_closure(lambda);
        if let Value::Closure(closure) = &value {
            self.made(closure);
        }
        value
    }

    /// The same of one that is called where it stands, and not kept.
    pub(super) fn called_closure(&mut self, lambda: &'u Lambda) -> Value<'u> {
        let mut scopes = self.frame().scopes.clone();
        let own: BTreeMap<&'u str, Root> = lambda
            .inits
            .iter()
            .flat_map(|capture| self.captured(lambda, capture))
            .collect();
        let mut copies = BTreeMap::new();
        let seen: Vec<(&'u str, Root)> = scopes
            .iter()
            .flat_map(|scope| scope.iter().map(|(name, root)| (*name, *root)))
            .collect();
        let captured: Vec<&str> = lambda.captures.split(',').map(str::trim).collect();
        let by_reference_all = captured.contains(&"&");
        let copies_all = captured.contains(&"=");
        // `*this` is a copy of the object.
        if captured
            .iter()
            .any(|item| item.len() > 1 && item.contains('=') || *item == "*this")
        {
            return self.not_understood(lambda.body.range);
        }
        let text = self.text;
        let body = text.get(lambda.body.range.bytes()).unwrap_or("");
        let words: BTreeSet<&str> = body
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .collect();
        for (name, root) in seen {
            let by_reference = captured.iter().any(|item| {
                item.strip_prefix('&')
                    .is_some_and(|rest| rest.trim() == name)
            }) || (by_reference_all && !captured.contains(&name));
            if by_reference && words.contains(name) {
                self.addressed(&Place::of(root));
            }
            if by_reference || !words.contains(name) || !(copies_all || captured.contains(&name)) {
                continue;
            }
            let ty = self.objects.get(root).ty.clone();
            let value = self.read(&Place::of(root), &ty);
            let value = self.copied(&ty, value, false);
            let copy = self.objects.object(Kind::Variable, name, ty.clone());
            match self.references.get(&root).cloned() {
                Some(target) => {
                    self.references.insert(copy, target);
                }
                None => self.write(&Place::of(copy), &ty, value),
            }
            self.keep_copy(copy, lambda);
            copies.insert(name, copy);
        }
        scopes.push(copies);
        scopes.push(own);
        Value::Closure(Rc::new(Closure {
            lambda,
            scopes,
            this: self.frame().this.clone(),
            types: self.frame().types.clone(),
            values: self.frame().values.clone(),
        }))
    }

    /// `[n = 2 * size]`: a variable of the closure, whose initialiser sees the names around the lambda.
    pub(super) fn captured(
        &mut self,
        lambda: &Lambda,
        capture: &'u VarDecl,
    ) -> BTreeMap<&'u str, Root> {
        self.frame_mut().scopes.push(BTreeMap::new());
        self.declare(capture);
        let scope = self.frame_mut().scopes.pop().unwrap_or_default();
        for root in scope.values() {
            self.keep_copy(*root, lambda);
        }
        scope
    }

    /// What a call of the lambda can change may change whenever anything is called: it is constant in one that is not `mutable`.
    fn keep_copy(&mut self, copy: Root, lambda: &Lambda) {
        if let Some(state) = &mut self.state
            && lambda.mutable
        {
            state.escape(copy);
        }
    }

    /// A parameter of a class holds what code that is not seen put into it: anything, but copies of it hold the same.
    fn some_argument(&mut self, name: &str) {
        let root = self.frame().scopes.last().and_then(|scope| scope.get(name));
        let Some(root) = root.copied() else { return };
        let is_object = !matches!(self.objects.get(root).ty, Ty::Scalar(_) | Ty::Pointer(_));
        if is_object {
            let anything = self.objects.anything.into_iter().collect();
            self.havoc(&Place::of(root), anything);
        }
    }

    /// Runs a lambda.
    pub(super) fn invoke(
        &mut self,
        closure: &Closure<'u>,
        operands: Vec<Operand<'u>>,
    ) -> Value<'u> {
        let range = closure.lambda.body.range;
        if self.frames.len() >= MAX_DEPTH || self.frames.iter().any(|frame| frame.function == range)
        {
            self.not_understood(range);
            return Value::unknown();
        }
        let here = self.frame();
        let mut frame = Frame {
            function: range,
            external: false,
            scopes: closure.scopes.clone(),
            this: closure.this.clone(),
            owner: here.owner.clone(),
            class: here.class.clone(),
            types: here.types.clone(),
            type_args: here.type_args.clone(),
            values: here.values.clone(),
            packs: here.packs.clone(),
            problems: here.problems,
            returns: Vec::new(),
            result: None,
            ret: Ty::Void,
            refers: None,
            start: self.state.clone(),
            args: None,
        };
        let result = self
            .objects
            .object(Kind::Variable, "result", unknown_type());
        frame.result = Some(result);
        frame.ret = match &closure.lambda.ret {
            Some(ret) => self.resolve(ret),
            None => unknown_type(),
        };
        frame.scopes.push(BTreeMap::new());
        let kept = frame.scopes.len() - 1;
        let exits = std::mem::take(&mut self.exits);
        self.frames.push(frame);
        let mut operands = operands.into_iter();
        for param in &closure.lambda.params {
            let given = operands.next();
            let is_known = given.is_some();
            let (value, place) = given.unwrap_or((Value::unknown(), None));
            if let Some(name) = &param.name {
                self.bind_param(name, &param.ty, value, place);
                if !is_known {
                    self.some_argument(name);
                }
            }
        }
        self.block(&closure.lambda.body);
        // The names around it stay.
        let own = self.frame_mut().scopes.split_off(kept);
        self.frame_mut().scopes = own;
        let value = self.leave(result, &Ty::Void);
        self.exits = exits;
        value
    }
}
