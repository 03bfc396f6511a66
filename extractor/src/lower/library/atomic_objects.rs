//! `cuda::atomic`, `cuda::atomic_ref` and their `std` namesakes: objects whose members are atomic.
//!
//! An `atomic<T, scope>` is memory of the size of `T`; an `atomic_ref` holds the address of what it
//! refers to. The scope is a word at the end of the class's name. What an acquire or a release orders is
//! told by the rules; an order that is a variable is taken to be relaxed.

use std::rc::Rc;

use warplog_facts::words::{AccessKind, Effect, Scope};
use warplog_facts::{AccessId, CType, MemoryOrderRow};

use super::super::body::Lowerer;
use super::super::types::Ty;
use super::super::value::*;
use super::atomics::Change;
use super::standard::Argument;
use super::types;
use crate::syntax::ast::*;

const OBJECT: &str = "atomic<T>";
const REFERENCE: &str = "atomic_ref<T>";

/// Member functions that are one atomic access.
const METHODS: &[&str] = &[
    "load",
    "store",
    "exchange",
    "fetch_add",
    "fetch_sub",
    "fetch_and",
    "fetch_or",
    "fetch_xor",
    "fetch_min",
    "fetch_max",
    "compare_exchange_weak",
    "compare_exchange_strong",
    "wait",
    "notify_one",
    "notify_all",
];

/// The class of a name with template arguments, `atomic<int, cuda::thread_scope_block>`.
pub(super) fn class(
    name: &Name,
    argument: &mut dyn FnMut(usize) -> Option<Argument>,
) -> Option<Ty> {
    let kind = match name.base.as_str() {
        "atomic" => OBJECT,
        "atomic_ref" => REFERENCE,
        _ => return None,
    };
    let Some(Argument::Type(element)) = argument(0) else {
        return None;
    };
    let scope = match name.args.as_ref()?.get(1) {
        Some(TemplateArg::Name(scope)) => scope.base.trim_start_matches("thread_scope_"),
        _ => "system",
    };
    let name = format!("{kind} {scope}");
    if kind == REFERENCE {
        let field = ("address".to_owned(), element.pointer_to(), 0);
        return Some(types::record(&name, vec![field], 8, 8));
    }
    let (bytes, align) = (element.bytes()?, element.align());
    let field = ("value".to_owned(), element, 0);
    Some(types::record(&name, vec![field], bytes, align))
}

/// Whether a class is a reference (else an object) and its scope.
fn kind_of(ty: &Ty) -> Option<(bool, Scope)> {
    let Ty::Struct(_) = ty else {
        return None;
    };
    let name = ty.describe();
    let (kind, scope) = name.split_once(' ')?;
    let reference = match kind {
        OBJECT => false,
        REFERENCE => true,
        _ => return None,
    };
    let scope = match scope {
        "block" => Scope::Block,
        "device" => Scope::Grid,
        "thread" => Scope::Warp,
        _ => Scope::System,
    };
    Some((reference, scope))
}

/// `cuda::memory_order_relaxed`, `cuda::memory_order::relaxed`
fn is_order(arg: &Expr) -> bool {
    let ExprKind::Name(name) = &arg.kind else {
        return false;
    };
    let mut words = name.qualifier.iter().map(|segment| segment.name.as_str());
    name.base.starts_with("memory_order") || words.any(|word| word == "memory_order")
}

/// Whether an order is an acquire, and whether a release; none for what is no order.
fn order_of(arg: &Expr) -> Option<[bool; 2]> {
    let ExprKind::Name(name) = &arg.kind else {
        return None;
    };
    let order = name.base.strip_prefix("memory_order_");
    Some(match order.unwrap_or(&name.base) {
        _ if !is_order(arg) => return None,
        "acquire" => [true, false],
        "release" => [false, true],
        "acq_rel" | "seq_cst" => [true; 2],
        // Relaxed, or one that is not known.
        _ => [false; 2],
    })
}

impl Lowerer<'_, '_> {
    /// Tells of the accesses from this one on whether they are acquires, and whether releases.
    pub(crate) fn tell_order(&mut self, before: usize, [acquires, releases]: [bool; 2]) {
        if !acquires && !releases {
            return;
        }
        for at in before..self.facts.access.len() {
            let access = AccessId::from_index(at);
            if self.facts.access[at].kind == AccessKind::Atomic {
                self.facts.memory_order.push(MemoryOrderRow {
                    access,
                    acquires,
                    releases,
                });
            }
        }
    }

    /// `atomic_ref<int> r(x)`: the address of `x`, which is not read.
    pub(crate) fn atomic_reference(&mut self, ty: &Ty, items: &[Expr]) -> Option<Value> {
        let (true, _) = kind_of(ty)? else {
            return None;
        };
        let [object] = items else {
            return None;
        };
        let address = Expr {
            kind: ExprKind::AddressOf(Box::new(object.clone())),
            range: object.range,
        };
        let address = self.expr(&address);
        Some(Value::Struct(Rc::new(vec![(
            "address".to_owned(),
            address,
        )])))
    }

    /// `cuda::atomic_ref<int>(x)` as an object of its own.
    fn reference_made_here(&mut self, base: &Expr) -> Option<(Ty, Value)> {
        let (ty, args) = match &base.kind {
            ExprKind::Cast { ty, arg, .. } => (Type::clone(ty), std::slice::from_ref(&**arg)),
            ExprKind::Construct { ty, args, .. } => (Type::clone(ty), args.as_slice()),
            ExprKind::Call { callee, args } => match &callee.kind {
                ExprKind::Name(name) => (
                    Type::new(TypeKind::Named(name.clone()), name.range),
                    args.as_slice(),
                ),
                _ => return None,
            },
            _ => return None,
        };
        let ty = self.resolve(&ty);
        let value = self.atomic_reference(&ty, args)?;
        Some((ty, value))
    }

    /// A call of a member function of an atomic object.
    pub(super) fn atomic_method(
        &mut self,
        base: &Expr,
        arrow: bool,
        method: &str,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        if !METHODS.contains(&method) || !self.index.functions(method).is_empty() {
            return None;
        }
        let order = args.iter().find_map(order_of);
        let args: Vec<Expr> = args.iter().filter(|arg| !is_order(arg)).cloned().collect();
        // An order that is a variable is one operand more.
        let with_variable = args.len() > usize::from(method != "load");
        let order = order.unwrap_or([!with_variable; 2]);
        let args = args.as_slice();
        let place = if let Some((ty, value)) = self.reference_made_here(base) {
            let var = self.variable("temporary", ty.clone(), value);
            Lvalue::Variable {
                var,
                path: Vec::new(),
                ty,
            }
        } else if arrow {
            let object = Expr {
                kind: ExprKind::Deref(Box::new(base.clone())),
                range: base.range,
            };
            self.place(&object)
        } else {
            self.place(base)
        };
        let Some((pointer, scope)) = self.atomic_pointer(&place, range) else {
            self.values_of(args);
            self.unsupported(
                range,
                &format!("call of a member `{method}`"),
                "the class of its object is not known",
                Effect::Control,
            );
            return Some(Value::Unknown);
        };
        if method.starts_with("notify") {
            return Some(Value::Void);
        }
        if method == "wait" {
            self.values_of(args);
            self.unsupported(
                range,
                "`wait` of an atomic object",
                "waiting for another thread is not modelled",
                Effect::Control,
            );
            return Some(Value::Void);
        }
        if method.starts_with("compare_exchange") {
            let (expected, rest) = args.split_first()?;
            let expected = self.place(expected);
            self.read(&expected, range);
            self.values_of(rest);
            let seen =
                self.atomic_access("compare_exchange", scope, &pointer, Change::Other, range);
            self.write(&expected, seen, range);
            let swapped = self.unknown("result of compare_exchange", range, CType::Bool, true);
            return Some(Value::Term(swapped));
        }
        let operands = self.values_of(args);
        let change = self.step_of(method, operands.first());
        let before = self.facts.access.len();
        let value = self.atomic_access(method, scope, &pointer, change, range);
        let [acquires, releases] = order;
        self.tell_order(
            before,
            [acquires && method != "store", releases && method != "load"],
        );
        Some(if method == "store" {
            Value::Void
        } else {
            value
        })
    }

    /// `a++`, `a += 1`, `a = 1` of an atomic object: one atomic access.
    pub(crate) fn atomic_operator(
        &mut self,
        place: &Lvalue,
        operation: &str,
        range: Range,
    ) -> Option<Value> {
        let ty = match place {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
            Lvalue::Unknown => return None,
        };
        kind_of(&ty)?;
        let (pointer, scope) = self.atomic_pointer(place, range)?;
        Some(self.atomic_access(operation, scope, &pointer, Change::Other, range))
    }

    /// An atomic object where its value is needed: it cannot be copied, so its conversion is meant, which is a load.
    pub(crate) fn atomic_conversion(&mut self, place: &Lvalue, range: Range) -> Option<Value> {
        let Lvalue::Memory { ty, .. } = place else {
            return None;
        };
        let (false, _) = kind_of(ty)? else {
            return None;
        };
        let (pointer, scope) = self.atomic_pointer(place, range)?;
        Some(self.atomic_access("load", scope, &pointer, Change::Other, range))
    }

    /// The address that an atomic object or reference stands for.
    fn atomic_pointer(&mut self, place: &Lvalue, range: Range) -> Option<(Value, Scope)> {
        let ty = match place {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
            Lvalue::Unknown => return None,
        };
        let (reference, scope) = match kind_of(&ty) {
            Some(kind) => kind,
            // `auto r = cuda::atomic_ref<int>(x);` has lost its class, not its value.
            None => return self.auto_reference(place, range),
        };
        if reference {
            let field = self.member_place(place.clone(), "address", range);
            return Some((self.read(&field, range), scope));
        }
        let (_, element) = types::fields(&ty)?.into_iter().next()?;
        let targets = match place {
            Lvalue::Memory { targets, .. } => targets.clone(),
            Lvalue::Variable { var, path, .. } if path.is_empty() => {
                let offset = self.long(0);
                vec![Target {
                    condition: None,
                    base: Base::Variable(*var),
                    offset,
                }]
            }
            _ => return None,
        };
        Some((Value::Pointer(Pointer { targets, element }), scope))
    }

    fn auto_reference(&mut self, place: &Lvalue, range: Range) -> Option<(Value, Scope)> {
        let Lvalue::Variable { .. } = place else {
            return None;
        };
        let Value::Struct(fields) = self.read(place, range) else {
            return None;
        };
        match fields.as_slice() {
            // Of the narrowest scope, since which was written is not known.
            [(name, address @ Value::Pointer(_))] if name == "address" => {
                Some((address.clone(), Scope::Block))
            }
            _ => None,
        }
    }
}
