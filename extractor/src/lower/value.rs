//! What a variable can hold during symbolic evaluation, and what an lvalue can denote.

use std::collections::BTreeMap;
use std::rc::Rc;

use warplog_facts::{ArrayId, TermId};

use super::types::{Ty, TypeScope};
use crate::syntax::ast::Name;

/// A variable of the kernel or of an inlined function: an index into the environment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct VarId(pub u32);

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A scalar; floats and opaque values included.
    Term(TermId),
    Pointer(Pointer),
    /// A class held in registers: its fields in order.
    Struct(Rc<Vec<(String, Value)>>),
    /// The contents of a local array, or of an object that is held as bytes.
    Local(LocalArray),
    /// A function, to be called later.
    Function(Rc<Callable>),
    Void,
    /// Declared without an initialiser.
    Uninitialised,
    /// Not understood; already reported where it was made.
    Unknown,
}

/// A function as a value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Callable {
    /// One of the functions of this name, and where the name was written.
    Named(Name, TypeScope),
    /// A lambda expression: an index into the closures of the kernel.
    Lambda(usize),
    /// What a pointer to a member points to.
    Member(super::members::Member),
    /// The first where the condition holds, the second elsewhere: `f = n > 0 ? add : mul;`.
    Either(TermId, Rc<Callable>, Rc<Callable>),
}

/// Most functions that one of several may be.
const MAX_EITHER: usize = 8;

impl Callable {
    /// One of two, unless that are too many.
    pub(crate) fn either(
        condition: TermId,
        then: &Rc<Callable>,
        otherwise: &Rc<Callable>,
    ) -> Option<Callable> {
        let few = then.count() + otherwise.count() <= MAX_EITHER;
        few.then(|| Callable::Either(condition, Rc::clone(then), Rc::clone(otherwise)))
    }

    fn count(&self) -> usize {
        match self {
            Callable::Either(_, then, otherwise) => then.count() + otherwise.count(),
            _ => 1,
        }
    }

    /// All that may be meant.
    pub(crate) fn any(&self, mut is: impl FnMut(&Callable) -> bool) -> bool {
        let mut stack = vec![self];
        while let Some(one) = stack.pop() {
            match one {
                Callable::Either(_, then, otherwise) => stack.extend([&**then, &**otherwise]),
                one if is(one) => return true,
                _ => {}
            }
        }
        false
    }
}

/// A pointer: one target, or several of which exactly one whose condition holds is meant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pointer {
    pub targets: Vec<Target>,
    pub element: Ty,
}

/// One place a pointer may point to.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    /// When this target is meant (`bool` term); `None`: always.
    pub condition: Option<TermId>,
    pub base: Base,
    /// Byte offset from the start of the base (`i64` term).
    pub offset: TermId,
}

/// What a pointer target is counted from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    Array(ArrayId),
    Variable(VarId),
    /// A null pointer: never dereferenced in a defined execution.
    Null,
    /// Not known.
    Unknown,
}

/// A local array (private to the thread): elements at constant offsets are tracked.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LocalArray {
    pub array: ArrayId,
    pub element: Ty,
    pub bytes: Option<u64>,
    /// Byte offset to value; only what is certainly there.
    pub known: Rc<BTreeMap<i128, Value>>,
}

/// An lvalue.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Lvalue {
    /// A variable, or a field of one.
    Variable {
        var: VarId,
        path: Vec<String>,
        ty: Ty,
    },
    /// Memory, or a local array element.
    Memory { targets: Vec<Target>, ty: Ty },
    /// Not understood; already reported.
    Unknown,
}

/// The values of all variables; cheap to copy, copied on write.
#[derive(Clone, Debug, Default)]
pub(crate) struct Env {
    values: Rc<Vec<Value>>,
}

impl Env {
    /// The value of a variable; one that is out of scope here has none.
    pub(crate) fn get(&self, var: VarId) -> &Value {
        self.values
            .get(var.0 as usize)
            .unwrap_or(&Value::Uninitialised)
    }

    pub(crate) fn set(&mut self, var: VarId, value: Value) {
        let values = Rc::make_mut(&mut self.values);
        let index = var.0 as usize;
        if index >= values.len() {
            values.resize(index + 1, Value::Uninitialised);
        }
        values[index] = value;
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn same(&self, other: &Env) -> bool {
        Rc::ptr_eq(&self.values, &other.values)
    }
}
