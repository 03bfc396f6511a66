//! What was found out about instances of class templates, kept: a compiler makes each once, however often it is named.
//!
//! **Why.** `using A1 = Pair<A0, A0>; using A2 = Pair<A1, A1>; …` names the first class as often as there are paths to it: without
//! a memory the time doubles with each line, and so do the names of the classes.
//!
//! **Contract.** Only answers that no later one could improve are kept: types of which everything is known, identities, numbers.
//! What is kept depends on the instance alone, which an object stands for; it is held here, so that no other takes its place.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::CType;

use super::identity::Identity;
use super::types::{StructTy, Ty, TypeScope};
use crate::syntax::ast::Range;

/// The longest name of a class that is written out; that of a longer one is shortened.
pub(super) const MAX_NAME: usize = 240;

/// An instance of a class, or none for what stands in a namespace, where the declaration of its member stands, and the template
/// arguments that an alias is given.
type Member = (Option<*const StructTy>, Range, String);

/// See the head of the file.
#[derive(Default)]
pub(crate) struct Made {
    held: FxHashMap<*const StructTy, Rc<StructTy>>,
    types: FxHashMap<Member, Ty>,
    identities: FxHashMap<Member, Identity>,
    constants: FxHashMap<(Option<*const StructTy>, String), (i128, CType)>,
}

impl Made {
    /// The key of what a declaration means in a scope, if it means the same whenever it is asked for.
    fn key(scope: &TypeScope) -> Option<Option<*const StructTy>> {
        match &scope.class {
            Some(class) => {
                let doubtful = class.class.as_ref().is_some_and(|made| made.doubtful.get());
                (!doubtful).then_some(Some(Rc::as_ptr(class)))
            }
            None => {
                let is_open = scope.types.is_empty() && scope.values.is_empty();
                is_open.then_some(None)
            }
        }
    }

    /// Forgets all types.
    pub(super) fn forget(&mut self) {
        self.types.clear();
        self.identities.clear();
    }

    fn hold(&mut self, scope: &TypeScope) {
        if let Some(class) = &scope.class {
            let held = self.held.entry(Rc::as_ptr(class));
            held.or_insert_with(|| Rc::clone(class));
        }
    }

    pub(super) fn ty(&self, scope: &TypeScope, at: Range, args: &str) -> Option<Ty> {
        self.types
            .get(&(Self::key(scope)?, at, args.to_owned()))
            .cloned()
    }

    pub(super) fn keep_type(&mut self, scope: &TypeScope, (at, args): (Range, &str), ty: &Ty) {
        if let Some(key) = Self::key(scope)
            && ty.is_resolved()
        {
            self.hold(scope);
            self.types.insert((key, at, args.to_owned()), ty.clone());
        }
    }

    pub(super) fn identity(&self, scope: &TypeScope, at: Range, args: &str) -> Option<Identity> {
        self.identities
            .get(&(Self::key(scope)?, at, args.to_owned()))
            .cloned()
    }

    pub(super) fn keep_identity(
        &mut self,
        scope: &TypeScope,
        (at, args): (Range, &str),
        identity: &Identity,
    ) {
        if let Some(key) = Self::key(scope) {
            self.hold(scope);
            self.identities
                .insert((key, at, args.to_owned()), Rc::clone(identity));
        }
    }

    pub(super) fn constant(&self, class: &Rc<StructTy>, name: &str) -> Option<(i128, CType)> {
        let key = (Some(Rc::as_ptr(class)), name.to_owned());
        self.constants.get(&key).copied()
    }

    pub(super) fn keep_constant(&mut self, class: &Rc<StructTy>, name: &str, value: (i128, CType)) {
        let held = self.held.entry(Rc::as_ptr(class));
        held.or_insert_with(|| Rc::clone(class));
        let key = (Some(Rc::as_ptr(class)), name.to_owned());
        self.constants.insert(key, value);
    }
}
