//! CUB's collectives.
//!
//! A reduction or scan over the block needs all threads of the block, hands values round in its
//! temporary storage, and leaves to the caller to put a barrier before the storage is used again.
//! That it orders other memory is not promised, so no barrier stands for it. Instead each use of a
//! storage has a number (its place in the control flow and the rounds of the loops around), and is two accesses to an object of the storage's name: an atomic one at the own number, a read at any
//! other. Two threads in one use do not conflict; two threads in two uses with no barrier between
//! them do. One more atomic access, to any byte of the storage itself, conflicts with plain accesses
//! to it. **Accuracy.** Exact for reuse, except that all storage in one array is taken for one.
//!
//! Since no barrier stands for it, its divergence would not be found: a use under a condition that is
//! not certainly the same for the block, or in a loop that some threads may leave first, is reported
//! instead, as are all other collectives.

use std::rc::Rc;

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::{Binding, Lowerer};
use super::super::place::How;
use super::super::types::{Extent, Ty};
use super::super::value::*;
use crate::syntax::ast::*;

const WHY: &str =
    "a collective of CUB holds barriers, and reuse of its temporary storage cannot be checked";

/// Rounds that are told apart in a loop around a use, as a power of two; loops around it, at most.
const ROUNDS: u32 = 20;
const LOOPS: usize = 2;

/// Namespaces whose function objects compute with values.
const LIBRARIES: &[&str] = &["cub", "hipcub", "thrust", "cuda", "std"];

/// Most items of a list that a thread hands in.
const ITEMS: u64 = 64;

impl Lowerer<'_, '_> {
    /// `BlockReduce(storage).Sum(v)` and the like; `None` when the object is none of CUB's.
    pub(super) fn cub_method(
        &mut self,
        base: &Expr,
        member: &str,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        let (class, storage) = match &base.kind {
            ExprKind::Construct { ty, args, .. } => (self.resolve(ty).describe(), args.first()),
            ExprKind::Cast { ty, arg, .. } => (self.resolve(ty).describe(), Some(&**arg)),
            ExprKind::Call { callee, args } => {
                let ExprKind::Name(name) = &callee.kind else {
                    return None;
                };
                let ty = Type::new(TypeKind::Named(name.clone()), name.range);
                (self.resolve(&ty).describe(), args.first())
            }
            ExprKind::Name(name) => match self.lookup(&name.base)? {
                Binding::Variable(var) => (self.variables[var.0 as usize].1.describe(), None),
                _ => return None,
            },
            _ => return None,
        };
        let class = self.behind_aliases(class.trim_start_matches("::"));
        if !(class.starts_with("cub::") || class.starts_with("hipcub::")) {
            return None;
        }
        let modelled = match (last_component(&class), member, args) {
            ("BlockReduce", "Sum", [_] | [_, _]) => true,
            ("BlockReduce", "Reduce", [_, operator] | [_, operator, _]) => {
                self.operator_is_plain(operator)
            }
            ("BlockScan", "InclusiveSum" | "ExclusiveSum", [_, _]) => true,
            ("BlockAdjacentDifference", "SubtractLeft" | "SubtractRight", [_, _, operator]) => {
                self.operator_is_plain(operator)
            }
            _ => false,
        };
        // A list of results: as many as the array has elements.
        let listed = match args.get(1) {
            Some(output) if modelled && last_component(&class) != "BlockReduce" => {
                match self.static_type(output) {
                    Ty::Array(element, Extent::Constant(count)) => {
                        Some((Ty::clone(&element), count))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        let modelled = modelled
            && listed.as_ref().is_none_or(|(_, count)| *count <= ITEMS)
            && (listed.is_some() || last_component(&class) != "BlockAdjacentDifference");
        let storage = storage.filter(|_| modelled && self.certainly_uniform());
        let used = storage.is_some_and(|storage| self.use_storage(storage, range));
        if !used {
            let values = self.values_of(args);
            let what = format!("call of `{class}::{member}`");
            self.unsupported(range, &what, WHY, Effect::Control);
            return Some(self.collected(values.first(), range));
        }
        self.assumption("CUB's block-wide collectives are reached by all threads of the block");
        let input = self.expr(args.first()?);
        if let Some((element, count)) = listed {
            self.read_items(&input, &element, count, range);
            let output = self.expr(args.get(1)?);
            self.write_items(&output, &element, count, range);
            return Some(Value::Void);
        }
        if member.ends_with("Sum") && member != "Sum" {
            let output = self.place(args.get(1)?);
            let result = self.collected(Some(&input), range);
            self.write(&output, result, range);
            return Some(Value::Void);
        }
        // The number of valid items.
        if let Some(count) = args.get(1).filter(|_| member == "Sum").or(args.get(2)) {
            self.expr(count);
        }
        Some(self.collected(Some(&input), range))
    }

    /// Reads each item of a list.
    fn read_items(&mut self, list: &Value, element: &Ty, count: u64, range: Range) {
        self.each_item(list, element, count, range, |me, place| {
            me.read(&place, range);
        });
    }

    /// Writes results of a collective to each item of a list.
    fn write_items(&mut self, list: &Value, element: &Ty, count: u64, range: Range) {
        self.each_item(list, element, count, range, |me, place| {
            let value = me.unknown_value(element, "result of a collective", range);
            me.write(&place, value, range);
        });
    }

    fn each_item(
        &mut self,
        list: &Value,
        element: &Ty,
        count: u64,
        range: Range,
        mut act: impl FnMut(&mut Self, Lvalue),
    ) {
        let Value::Pointer(pointer) = list else {
            self.lost_access(range, "a list of items that is no array");
            return;
        };
        for index in 0..count {
            let index = self.long(i64::try_from(index).unwrap_or(i64::MAX));
            let item = self.advance(pointer.clone(), index, false, range);
            let place = Lvalue::Memory {
                targets: item.targets,
                ty: element.clone(),
            };
            act(self, place);
        }
    }

    /// A value of the type of what was handed in, or of its elements.
    fn collected(&mut self, input: Option<&Value>, range: Range) -> Value {
        match input {
            Some(value @ (Value::Term(_) | Value::Struct(_))) => self.of_other_lane(value, range),
            Some(Value::Pointer(pointer)) => {
                let ty = pointer.element.clone();
                self.unknown_value(&ty, "result of a collective", range)
            }
            _ => self.unknown_value(&Ty::INT, "result of a collective", range),
        }
    }

    /// Whether all threads of the block surely come here, once, or none does. What is read from one place is the same for
    /// all of them: a write in between by another thread would be a race with the read itself.
    pub(in crate::lower) fn certainly_uniform(&self) -> bool {
        let terms = &self.facts.terms;
        let roots: Vec<TermId> = self.guards.iter().map(|guard| guard.term).collect();
        (self.loops.is_empty() || self.loops.len() <= LOOPS && self.loops_are_left_together())
            && self.calls.iter().all(|call| !call.returned_in_loop)
            && terms.reachable(&roots).into_iter().all(|id| {
                let term = terms.get(id);
                !term.args.is_empty()
                    || matches!(
                        term.op,
                        Op::Const
                            | Op::Symbol
                            | Op::Iter
                            | Op::BidX
                            | Op::BidY
                            | Op::BidZ
                            | Op::BdimX
                            | Op::BdimY
                            | Op::BdimZ
                            | Op::GdimX
                            | Op::GdimY
                            | Op::GdimZ
                    )
            })
    }

    /// Whether no loop of the functions that are being lowered has an exit besides its condition,
    /// which is among the guards.
    fn loops_are_left_together(&self) -> bool {
        self.calls.iter().all(|call| {
            let function = self.index.named.function_at(call.function);
            function
                .and_then(|function| function.body.as_ref())
                .is_some_and(|body| body.stmts.iter().all(|stmt| !leaves_a_loop(stmt, false)))
        })
    }

    /// Whether a function object touches no memory.
    fn operator_is_plain(&mut self, operator: &Expr) -> bool {
        // `cub::ArgMax arg_max;`
        let of_library = match &operator.kind {
            ExprKind::Name(name) if name.as_simple().is_some() => {
                let described = self.static_type(operator).describe();
                let outer = described.trim_start_matches("::").split_once("::");
                outer.is_some_and(|(outer, _)| LIBRARIES.contains(&outer))
            }
            _ => false,
        };
        of_library || plain_operator(operator) || self.own_operator_is_plain(operator)
    }

    /// Whether a function object of the unit is called on values only: its body is arithmetic.
    fn own_operator_is_plain(&mut self, operator: &Expr) -> bool {
        let name = match &operator.kind {
            ExprKind::Construct { ty, args, .. } if args.is_empty() => match &ty.kind {
                TypeKind::Named(name) => name,
                _ => return false,
            },
            ExprKind::Call { callee, args } if args.is_empty() => match &callee.kind {
                ExprKind::Name(name) => name,
                _ => return false,
            },
            _ => return false,
        };
        let owner = last_component(&name.base);
        let calls: Vec<&Function> = self
            .index
            .functions("operator()")
            .iter()
            .copied()
            .filter(|function| function.owner.as_deref().map(last_component) == Some(owner))
            .collect();
        !calls.is_empty()
            && calls.iter().all(|function| {
                let body = function.body.as_ref();
                body.is_some_and(|body| {
                    body.stmts.iter().all(|stmt| {
                        matches!(&stmt.kind, StmtKind::Return(Some(value)) if is_arithmetic(value, &function.params))
                    })
                })
            })
    }

    /// The accesses of one use of a temporary storage; false when it is not known which one it is.
    fn use_storage(&mut self, storage: &Expr, range: Range) -> bool {
        let Lvalue::Memory { targets, .. } = self.place(storage) else {
            return false;
        };
        let [
            Target {
                condition: None,
                base: Base::Array(array),
                offset,
            },
        ] = targets.as_slice()
        else {
            return false;
        };
        let (array, offset) = (*array, *offset);
        let row = &self.facts.array[array.index()];
        if row.space != Space::Shared {
            return false;
        }
        // `extern __shared__` arrays are one storage.
        let (name, whole) = (row.name.clone(), row.storage);
        let key = format!("uses of the temporary storage {}", whole.index());
        let uses = match self.globals.get(&key) {
            Some(&uses) => uses,
            None => {
                let object = Ty::Array(Rc::new(Ty::Scalar(CType::U8)), Extent::Unknown);
                let uses = self.array(&name, Space::Shared, &object, range);
                self.globals.insert(key, uses);
                uses
            }
        };
        // The number of this use.
        let place = i128::try_from(self.facts.point.len()).unwrap_or(0);
        let mut number = self.facts.terms.constant(place, CType::I64);
        for (&loop_id, position) in self.loops.iter().zip(1u32..) {
            let step = self
                .facts
                .terms
                .constant(1 << (ROUNDS * position), CType::I64);
            let terms = &mut self.facts.terms;
            let round = terms.iter_of(loop_id);
            let scaled = terms.binary(Op::Mul, CType::I64, round, step);
            number = terms.binary(Op::Add, CType::I64, number, scaled);
        }
        let byte = Ty::Scalar(CType::U8);
        let together = How {
            kind: AccessKind::Atomic,
            operation: "collective".to_owned(),
            scope: Scope::Block,
            volatile: false,
        };
        self.access(uses, number, &byte, &together, None, range);
        let other = self.unknown(
            "another use of the temporary storage",
            range,
            CType::I64,
            true,
        );
        let differs = self.facts.terms.binary(Op::Ne, CType::Bool, other, number);
        self.guarded(differs, true, range, |me| {
            let read = How::plain(AccessKind::Read);
            me.access(uses, other, &byte, &read, None, range)
        });
        // Whoever uses the bytes themselves.
        let inner = self.unknown(
            "which byte of the temporary storage",
            range,
            CType::I64,
            true,
        );
        let zero = self.long(0);
        let terms = &mut self.facts.terms;
        let inside = terms.binary(Op::Le, CType::Bool, zero, inner);
        let at = terms.binary(Op::Add, CType::I64, offset, inner);
        self.guarded(inside, true, range, |me| {
            me.access(array, at, &byte, &together, None, range)
        });
        true
    }
}

fn last_component(path: &str) -> &str {
    path.rsplit("::").next().unwrap_or(path)
}

/// `cub::Max()`, `cuda::maximum<>{}`: function objects of the library, which touch no memory.
fn plain_operator(operator: &Expr) -> bool {
    let of_library = |name: &Name| {
        let outer = name.qualifier.first().map(|segment| segment.name.as_str());
        outer.is_some_and(|outer| LIBRARIES.contains(&outer))
    };
    match &operator.kind {
        ExprKind::Construct { ty, .. } | ExprKind::Cast { ty, .. } => {
            matches!(&ty.kind, TypeKind::Named(name) if of_library(name))
        }
        ExprKind::Call { callee, .. } => {
            matches!(&callee.kind, ExprKind::Name(name) if of_library(name))
        }
        _ => false,
    }
}

/// Whether a statement holds a jump out of a loop that stands in it.
fn leaves_a_loop(stmt: &Stmt, inside: bool) -> bool {
    match &stmt.kind {
        StmtKind::Block(block) => block.stmts.iter().any(|stmt| leaves_a_loop(stmt, inside)),
        StmtKind::If { then, els, .. } => {
            leaves_a_loop(then, inside)
                || els.as_ref().is_some_and(|els| leaves_a_loop(els, inside))
        }
        StmtKind::For { body, .. } | StmtKind::While { body, .. } => leaves_a_loop(body, true),
        // Its condition is no guard of its first round.
        StmtKind::DoWhile { .. } | StmtKind::RangeFor { .. } => true,
        StmtKind::Switch { items, .. } => items.iter().any(|item| match item {
            SwitchItem::Stmt(stmt) => leaves_a_loop(stmt, inside),
            _ => false,
        }),
        StmtKind::Label(..) | StmtKind::Goto(_) | StmtKind::Unsupported { .. } => true,
        StmtKind::Break | StmtKind::Return(_) => inside,
        _ => false,
    }
}

/// Parameters, members, literals and operators, and nothing that could reach memory.
fn is_arithmetic(expr: &Expr, params: &[Param]) -> bool {
    match &expr.kind {
        ExprKind::Int { .. }
        | ExprKind::Float { .. }
        | ExprKind::Bool(_)
        | ExprKind::Char { .. } => true,
        ExprKind::Name(name) => params
            .iter()
            .any(|param| param.name.as_deref() == name.as_simple()),
        ExprKind::Unary(_, arg) | ExprKind::Cast { arg, .. } => is_arithmetic(arg, params),
        ExprKind::Member { base, arrow, .. } => !arrow && is_arithmetic(base, params),
        ExprKind::Binary(_, left, right) => {
            is_arithmetic(left, params) && is_arithmetic(right, params)
        }
        ExprKind::Conditional { cond, then, els } => {
            is_arithmetic(cond, params) && is_arithmetic(then, params) && is_arithmetic(els, params)
        }
        ExprKind::Call { callee, args } => {
            const PLAIN: &[&str] = &[
                "min", "max", "fmin", "fmax", "fminf", "fmaxf", "abs", "forward", "move",
            ];
            let plain = match &callee.kind {
                ExprKind::Name(name) => PLAIN.contains(&name.base.as_str()),
                _ => false,
            };
            plain && args.iter().all(|arg| is_arithmetic(arg, params))
        }
        _ => false,
    }
}
