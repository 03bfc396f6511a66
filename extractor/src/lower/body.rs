//! The state of lowering one kernel under one launch, and the emission of facts.
//!
//! Lowering is symbolic evaluation over the structured syntax: locals are terms in an [`Env`],
//! branches push guards, joins build `ite`s. Each access, barrier and branch becomes a point of
//! the control-flow graph, connected to the points of the *frontier*: those from which control
//! falls to what comes next.

use std::collections::BTreeSet;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::*;
use warplog_facts::*;

use super::closed::Inside;
use super::constness::Qualified;
use super::contracts::{CallContract, Contracts};
use super::lifetimes::{FullExpression, Living};
use super::objects::Closure;
use super::pointers::PointerMemory;
use super::sources::Sources;
use super::types::{Extent, StructTy, Ty, TypeScope};
use super::unit::UnitIndex;
use super::value::*;
use crate::syntax::ast::Range;

/// A conjunct of the current path condition.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Guard {
    pub term: TermId,
    pub polarity: bool,
    pub cause: GuardCause,
    pub point: PointId,
}

/// What a name in scope denotes.
#[derive(Clone, Debug)]
pub(crate) enum Binding {
    Variable(VarId),
    Memory { array: ArrayId, ty: Ty },
    Reference(Lvalue),
}

/// The names of a block, of the parameters of a function, or of what a lambda sees.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names(FxHashMap<String, (Binding, Qualified)>);

impl Names {
    /// Binds a name of whose constness nothing is known.
    pub(crate) fn insert(&mut self, name: String, binding: Binding) {
        self.insert_as(name, binding, Qualified::default());
    }

    pub(crate) fn insert_as(&mut self, name: String, binding: Binding, qualified: Qualified) {
        self.0.insert(name, (binding, qualified));
    }

    pub(crate) fn get(&self, name: &str) -> Option<&Binding> {
        self.0.get(name).map(|(binding, _)| binding)
    }

    pub(crate) fn qualified(&self, name: &str) -> Qualified {
        self.0
            .get(name)
            .map(|(_, qualified)| *qualified)
            .unwrap_or_default()
    }

    pub(crate) fn qualify(&mut self, name: &str, qualified: Qualified) {
        if let Some((_, known)) = self.0.get_mut(name) {
            *known = qualified;
        }
    }

    /// Takes the names of another that are wanted.
    pub(crate) fn extend(&mut self, other: &Names, wanted: impl Fn(&str) -> bool) {
        let wanted = other.0.iter().filter(|(name, _)| wanted(name));
        self.0
            .extend(wanted.map(|(name, named)| (name.clone(), named.clone())));
    }

    /// In no order.
    pub(crate) fn bindings(&self) -> impl Iterator<Item = &Binding> {
        self.0.values().map(|(binding, _)| binding)
    }

    /// In the order of the alphabet.
    pub(crate) fn sorted(&self) -> Vec<(&String, &Binding)> {
        let named = self.0.iter();
        let mut sorted: Vec<(&String, &Binding)> =
            named.map(|(name, (binding, _))| (name, binding)).collect();
        sorted.sort_unstable_by_key(|(name, _)| *name);
        sorted
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// A jump that waits for its target: taken when `condition` holds (relative to the target's
/// surroundings), with the values of variables at the jump.
#[derive(Clone, Debug)]
pub(crate) struct Jump {
    pub condition: TermId,
    pub env: Env,
    pub point: PointId,
}

/// Where a jump leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JumpTarget {
    /// The end of what a frame of [`Lowerer::jumps`] stands for, or of an iteration of it.
    Frame(usize),
    /// The end of the innermost call, by the number of calls that are open.
    Call(usize),
    /// Nowhere: a loop without an end.
    Nowhere,
}

/// A place from which control does not go on, on its way to a target that is not reached yet.
#[derive(Clone, Debug)]
pub(crate) struct Leaving {
    pub cause: GuardCause,
    pub point: PointId,
    pub target: JumpTarget,
    /// The path condition there.
    pub guards: Vec<Guard>,
    /// Number of loops around.
    pub loops: usize,
}

/// What `break`, `continue` and `goto` lead out of.
#[derive(Debug, Default)]
pub(crate) struct JumpFrame {
    /// `None` for a `switch` and for statements before a label.
    pub loop_id: Option<LoopId>,
    /// The label behind these statements, or at the head of the loop.
    pub label: Option<String>,
    /// Number of guards outside.
    pub guards: usize,
    /// Number of objects outside that destructors end.
    pub living: usize,
    pub breaks: Vec<Jump>,
    pub continues: Vec<Jump>,
    /// Left by `return`: the loop has an exit besides its condition.
    pub left_early: bool,
}

/// An inlined call (the outermost is the kernel itself).
#[derive(Debug)]
pub(crate) struct CallFrame {
    /// Lvalue of the function in the text: its identity.
    pub function: Range,
    pub is_kernel: bool,
    pub guards: usize,
    pub jumps: usize,
    pub scopes: usize,
    /// Number of objects outside that destructors end, its parameters among them.
    pub living: usize,
    pub returns: Vec<(Jump, Option<Value>)>,
    /// What is read, unknown and a loop in it comes behind this.
    pub entered: Inside,
    /// A `return` stands inside a loop of the function: what follows cannot know whether it was taken.
    pub returned_in_loop: bool,
    pub ret: Ty,
    /// It returns a reference: returned values are pointers to what is meant.
    pub by_reference: bool,
    /// The object of a member function.
    pub this: Option<Lvalue>,
    /// Whether that object is constant.
    pub constant_this: Option<bool>,
    pub types: TypeScope,
    /// What annotations say of it.
    pub contract: CallContract,
}

/// Facts that a trial lowering is undone to.
pub(crate) struct Mark([usize; 34]);

/// Most work on one launch, in expressions lowered with few variables alive: beyond it the kernel is given up as too large.
const MAX_WORK: u64 = 20_000_000;

/// The most names of types that are looked up for a launch.
const MAX_TYPES: u64 = 1_000_000;

/// Variables alive that make an expression as much work again: changes of one copy them all.
const VARIABLES_PER_WORK: u64 = 16;

/// Most points of one launch: beyond it the kernel is given up as too large.
const MAX_POINTS: usize = 400_000;

/// Lowers one kernel under one launch.
pub(crate) struct Lowerer<'u, 's> {
    pub index: &'u UnitIndex<'u>,
    pub sources: &'s mut Sources<'u>,
    pub facts: &'s mut Facts,
    pub launch: LaunchId,
    pub dimensions: [TermId; 6],
    pub frontier: Vec<PointId>,
    pub guards: Vec<Guard>,
    pub alive: bool,
    /// Cause and point of the last jump, for the guards of what it leaves behind.
    pub last_leaving: (GuardCause, PointId),
    /// The jumps whose targets have not been reached, in the order of the text.
    pub leavings: Vec<Leaving>,
    /// How often a way out of a loop led on past its end, which no guard behind the loop tells: path conditions are weaker than
    /// they are from then on.
    pub untold_ways: usize,
    /// What variables are that nobody has set.
    pub unset: FxHashSet<TermId>,
    pub env: Env,
    pub variables: Vec<(String, Ty)>,
    pub scopes: Vec<Names>,
    pub calls: Vec<CallFrame>,
    pub loops: Vec<LoopId>,
    pub jumps: Vec<JumpFrame>,
    /// Depth of trial lowerings; facts made in them are undone.
    pub trial: u32,
    /// Shared objects that functions declare, by where they stand and the instance of the function.
    pub shared: FxHashMap<(u32, String), ArrayId>,
    pub dynamic_shared: Option<ArrayId>,
    pub globals: FxHashMap<String, ArrayId>,
    /// The elements of constant arrays of the unit, each of the type.
    pub constants: FxHashMap<ArrayId, (CType, Rc<Vec<i128>>)>,
    pub symbols: FxHashMap<String, TermId>,
    pub functions: FxHashMap<String, FunctionId>,
    pub assumptions: std::collections::BTreeSet<String>,
    pub gave_up: bool,
    /// What was spent on lowering expressions, those of trials included.
    pub work: u64,
    /// How many names of types were looked up.
    pub types_named: u64,
    /// Something stands for a template type that nothing tells.
    pub unbound: bool,
    /// The template types that nothing tells and that no other type stands for.
    pub untold: BTreeSet<String>,
    /// The names of template parameters that may stand for constant types, which types do not keep.
    pub maybe_const: BTreeSet<String>,
    /// The last name that was looked up is one that nothing defines.
    pub met_undefined: bool,
    /// Stand-ins for what nothing defines: nobody knows what is written to them.
    pub undefined: BTreeSet<VarId>,
    /// Names of template parameters that stand for a reference somewhere, or may.
    pub maybe_reference: BTreeSet<String>,
    /// The classes that were made, by record and template arguments.
    pub classes: std::collections::BTreeMap<String, Rc<StructTy>>,
    /// What member types and constants of instances are, by the instance: as in C++, each is made once.
    pub made: super::made::Made,
    /// What classes do that is not followed, by where they stand: reported at the end, as trial lowerings forget.
    pub doubts: std::collections::BTreeMap<Range, String>,
    /// The objects that destructors end, in the order of their construction.
    pub living: Vec<Living>,
    /// The full expression that is being evaluated.
    pub full: FullExpression,
    /// A class was met whose copies are no copies of bytes or whose objects a destructor ends.
    pub met_special: bool,
    /// Constructors that copy or move objects of their class, which they name otherwise, by where they stand.
    pub copying: BTreeSet<Range>,
    /// The lambda expressions that were evaluated.
    pub closures: Vec<Closure>,
    /// Pointers in memory.
    pub pointers: PointerMemory,
    /// Pointers that were made numbers; `None`: several have one number.
    pub addresses: std::collections::BTreeMap<TermId, Option<Pointer>>,
    /// Numbers of 64 bits that the kernel is passed: they may be addresses.
    pub passed_numbers: std::collections::BTreeMap<TermId, super::numbers::PassedNumber>,
    /// Recursive calls that were followed, as their arguments are constants.
    pub recursions: u32,
    /// Local arrays that the current trial wrote.
    pub trial_writes: std::collections::BTreeSet<ArrayId>,
    /// A trial in the current one met what it does not understand.
    pub trial_lost: bool,
    /// Variables to which pointers led that are not followed any more.
    pub escaped: std::collections::BTreeSet<VarId>,
    /// What the thread does about asynchronous copies.
    pub copy_events: Vec<super::under_way::Event>,
    /// Blocks of a cluster, in x, if the kernel says so.
    pub cluster: Option<i128>,
    /// Shared memory that other blocks of the cluster reach, with its name in those.
    pub cluster_arrays: std::collections::BTreeMap<ArrayId, ArrayId>,
    /// Where the thread has arrived at the barrier of its cluster.
    pub cluster_arrived: Option<super::library::clusters::Arrived>,
    /// Arrivals at barriers for which the thread has not waited, by their tokens.
    pub arrived: std::collections::BTreeMap<TermId, super::library::block_barriers::Arrived>,
    /// What was asked of phases, by the answers.
    pub tried: std::collections::BTreeMap<TermId, super::asm::phases::Tried>,
    /// Ids of named barriers whose arrivals are counted by phases; none for one that is not constant.
    pub phased: std::collections::BTreeSet<Option<i128>>,
    /// Where threads come to them, and the ids of which it is not known how many do.
    pub named_calls: Vec<super::library::named::NamedCall>,
    pub uncounted_ids: std::collections::BTreeSet<Option<i128>>,
    /// Ids of named barriers that are barriers of the whole block.
    pub whole_ids: std::collections::BTreeSet<i128>,
    /// Asynchronous copies are begun somewhere.
    pub has_copies: bool,
    /// Variables of the device whose declarations give them something else than zeros, as far as is known.
    pub initialised: std::collections::BTreeSet<ArrayId>,
    /// The objects that are barriers of the block.
    pub block_barriers: std::collections::BTreeMap<
        super::library::block_barriers::Object,
        super::library::block_barriers::State,
    >,
    /// The classes of CUB that were named, by their names.
    pub collectives: std::collections::BTreeMap<String, super::library::cub::Collective>,
    /// The groups of named barriers.
    pub named: Vec<super::library::named::Named>,
    /// The conditions of votes of whole warps, by their results.
    pub ballots: FxHashMap<TermId, TermId>,
    /// Groups of lanes that are together.
    pub together: Vec<super::library::appends::Together>,
    /// Annotations.
    pub contracts: Contracts,
}

impl Lowerer<'_, '_> {
    pub(crate) fn int(&mut self, value: i64) -> TermId {
        self.facts.terms.constant(i128::from(value), CType::I32)
    }

    pub(crate) fn long(&mut self, value: i64) -> TermId {
        self.facts.terms.constant(i128::from(value), CType::I64)
    }

    pub(crate) fn span(&mut self, range: Range) -> SpanId {
        self.sources.span(self.facts, range)
    }

    /// Counts a name that is looked up as a type. Types may be made of each other without end, in ever more ways.
    pub(crate) fn count_type(&mut self) {
        self.types_named += 1;
        self.gave_up |= self.types_named > MAX_TYPES;
    }

    /// Counts an expression. Calls that are inlined in trials inside trials could take for ever.
    pub(crate) fn count_work(&mut self) {
        self.work += 1 + self.variables.len() as u64 / VARIABLES_PER_WORK;
        self.gave_up |= self.work > MAX_WORK;
    }

    /// The calls through which a point is reached, where it stands in a function.
    fn tell_calls(&mut self, point: PointId) {
        let inlined = |call: &&CallFrame| !call.is_kernel && call.function != Range::default();
        let calls: Vec<Range> = self
            .calls
            .iter()
            .filter(inlined)
            .map(|call| call.contract.call)
            .collect();
        for (range, position) in calls.into_iter().zip(0u32..) {
            let span = self.span(range);
            self.facts.called_at.push(CalledAtRow {
                point,
                position,
                span,
            });
        }
    }

    /// A new point after the frontier, which becomes the frontier.
    pub(crate) fn point(&mut self, kind: PointKind, range: Range) -> PointId {
        let span = self.span(range);
        let point = PointId::from_index(self.facts.point.len());
        if point.index() > MAX_POINTS && !self.gave_up {
            self.gave_up = true;
        }
        let launch = self.launch;
        self.facts.point.push(PointRow {
            point,
            launch,
            kind,
            span,
        });
        // Both arms of an `if` may be empty: its branch point is in the frontier twice then.
        let mut frontier = std::mem::take(&mut self.frontier);
        frontier.sort_unstable();
        frontier.dedup();
        for from in frontier {
            self.facts.cfg_edge.push(CfgEdgeRow { from, to: point });
        }
        self.frontier.push(point);
        for &loop_id in &self.loops {
            self.facts.loop_at.push(LoopAtRow { point, loop_id });
        }
        if matches!(kind, PointKind::Access | PointKind::Barrier) {
            self.tell_calls(point);
        }
        for (guard, position) in self.guards.iter().zip(0u32..) {
            self.facts.guard_at.push(GuardAtRow {
                point,
                position,
                term: guard.term,
                polarity: guard.polarity,
                cause: guard.cause,
                cause_point: guard.point,
            });
        }
        point
    }

    /// Brings a frontier of several points together, so that edges stay few.
    pub(crate) fn join(&mut self, range: Range) {
        if self.frontier.len() > 1 {
            self.point(PointKind::Join, range);
        }
    }

    /// A value that cannot be expressed.
    pub(crate) fn unknown(
        &mut self,
        reason: &str,
        range: Range,
        ty: CType,
        opaque: bool,
    ) -> TermId {
        self.unknown_of(reason, range, ty, opaque, &[], &[])
    }

    /// A value that cannot be expressed, with what it depends on.
    pub(crate) fn unknown_of(
        &mut self,
        reason: &str,
        range: Range,
        ty: CType,
        opaque: bool,
        depends: &[TermId],
        controls: &[TermId],
    ) -> TermId {
        let point = self.point(PointKind::Havoc, range);
        let span = self.span(range);
        let unknown = UnknownId::from_index(self.facts.unknown.len());
        let launch = self.launch;
        let reason = reason.to_owned();
        self.facts.unknown.push(UnknownRow {
            unknown,
            launch,
            point,
            opaque,
            reason,
            span,
        });
        for &term in depends {
            self.facts
                .unknown_depends_on
                .push(UnknownDependsOnRow { unknown, term });
        }
        for &term in controls {
            self.facts
                .unknown_controlled_by
                .push(UnknownControlledByRow { unknown, term });
        }
        let term = self.facts.terms.unknown(unknown, ty);
        // Trial lowerings forget their unknowns.
        self.ballots.remove(&term);
        self.forget_together(term);
        term
    }

    /// Records a construct that is not modelled.
    pub(crate) fn unsupported(&mut self, range: Range, what: &str, why: &str, effect: Effect) {
        let span = self.span(range);
        let row = UnsupportedRow {
            launch: Some(self.launch),
            span,
            what: what.to_owned(),
            why: why.to_owned(),
            effect,
        };
        if !self.facts.unsupported.contains(&row) {
            self.facts.unsupported.push(row);
        }
    }

    /// Records a stated assumption of the launch.
    pub(crate) fn assumption(&mut self, text: &str) {
        self.assumptions.insert(text.to_owned());
    }

    /// The uninterpreted pure function of a name, applied.
    pub(crate) fn pure(&mut self, name: &str, ty: CType, args: &[TermId]) -> TermId {
        let function = match self.functions.get(name) {
            Some(&function) => function,
            None => {
                let function = FunctionId::from_index(self.facts.pure_function.len());
                self.facts.pure_function.push(PureFunctionRow {
                    function,
                    name: name.to_owned(),
                });
                self.functions.insert(name.to_owned(), function);
                function
            }
        };
        self.facts.terms.pure(function, ty, args)
    }

    /// The uniform symbol of a name.
    pub(crate) fn symbol(&mut self, kind: SymbolKind, name: &str, ty: CType) -> TermId {
        if let Some(&term) = self.symbols.get(name)
            && self.facts.terms.ty(term) == ty
        {
            return term;
        }
        let symbol = SymbolId::from_index(self.facts.symbol.len());
        let launch = self.launch;
        self.facts.symbol.push(SymbolRow {
            symbol,
            launch,
            kind,
            name: name.to_owned(),
            ty,
        });
        let term = self.facts.terms.symbol(symbol, ty);
        self.symbols.insert(name.to_owned(), term);
        term
    }

    /// A new array object.
    pub(crate) fn array(&mut self, name: &str, space: Space, ty: &Ty, range: Range) -> ArrayId {
        let span = self.span(range);
        let array = ArrayId::from_index(self.facts.array.len());
        let element = ty.innermost().bytes().unwrap_or(1);
        let launch = self.launch;
        self.facts.array.push(ArrayRow {
            array,
            launch,
            name: name.to_owned(),
            space,
            storage: array,
            element_bytes: u32::try_from(element).unwrap_or(1),
            bytes: ty.bytes(),
            span,
        });
        let mut inner = ty;
        let mut position = 0;
        while let Ty::Array(element, extent) = inner {
            if let Extent::Constant(elements) = extent {
                self.facts.array_extent.push(ArrayExtentRow {
                    array,
                    position,
                    elements: *elements,
                });
            }
            position += 1;
            inner = element;
        }
        array
    }

    /// A new variable.
    pub(crate) fn variable(&mut self, name: &str, ty: Ty, value: Value) -> VarId {
        let var = VarId(u32::try_from(self.variables.len()).unwrap_or(u32::MAX));
        self.variables.push((name.to_owned(), ty));
        self.env.set(var, value);
        var
    }

    pub(crate) fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_owned(), binding);
        }
    }

    /// What is known of the constness of what a name was bound to last.
    pub(crate) fn qualify(&mut self, name: &str, qualified: Qualified) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.qualify(name, qualified);
        }
    }

    /// What a name denotes inside the function that is being lowered.
    pub(crate) fn lookup(&self, name: &str) -> Option<&Binding> {
        let bottom = self.calls.last().map_or(0, |call| call.scopes);
        self.scopes[bottom..]
            .iter()
            .rev()
            .find_map(|scope| scope.get(name))
    }

    /// `sizeof` as an `i64` term.
    pub(crate) fn size_term(&mut self, ty: &Ty) -> Option<TermId> {
        if let Some(bytes) = ty.bytes() {
            return Some(self.facts.terms.constant(i128::from(bytes), CType::I64));
        }
        let Ty::Array(element, extent) = ty else {
            return None;
        };
        let element = self.size_term(element)?;
        let count = match *extent {
            Extent::Constant(count) => self.facts.terms.constant(i128::from(count), CType::I64),
            Extent::Term(term) => term,
            Extent::Unknown => return None,
        };
        Some(self.facts.terms.binary(Op::Mul, CType::I64, count, element))
    }

    /// Conjunction of guards from a position on.
    pub(crate) fn conjunction(&mut self, from: usize) -> TermId {
        let mut all = self.facts.terms.truth(true);
        for index in from..self.guards.len() {
            let one = self.guard_term(self.guards[index]);
            all = self.facts.terms.and(all, one);
        }
        all
    }

    /// A guard as one term.
    pub(crate) fn guard_term(&mut self, guard: Guard) -> TermId {
        if guard.polarity {
            guard.term
        } else {
            self.facts.terms.not(guard.term)
        }
    }

    pub(crate) fn mark(&self) -> Mark {
        let f = &self.facts;
        Mark([
            f.point.len(),
            f.cfg_edge.len(),
            f.back_edge.len(),
            f.loop_.len(),
            f.loop_variable.len(),
            f.loop_at.len(),
            f.guard_at.len(),
            f.break_at.len(),
            f.access.len(),
            f.barrier.len(),
            f.fence.len(),
            f.assume.len(),
            f.assert_.len(),
            f.unsupported.len(),
            f.unknown.len(),
            f.unknown_depends_on.len() | f.unknown_controlled_by.len() << 32,
            self.leavings.len(),
            f.invariant.len(),
            f.invariant_at.len(),
            f.annotation_read.len(),
            f.atomic_step.len(),
            f.vote_rank.len(),
            f.lanes_together.len(),
            f.atomic_exchange.len(),
            f.atomic_ticket.len(),
            f.group_ticket.len(),
            f.repeats_while.len(),
            f.stored_part.len(),
            f.carried.len(),
            f.left_with.len(),
            f.lane_value.len(),
            f.collective.len(),
            f.atomic_operand.len(),
            f.called_at.len(),
        ])
    }

    /// Undoes what was emitted since the mark.
    pub(crate) fn undo(&mut self, mark: &Mark) {
        let [
            point,
            cfg,
            back,
            loops,
            variable,
            loop_at,
            guard,
            breaks,
            access,
            barrier,
            fence,
            assume,
            assert,
            unsupported,
            unknown,
            depends,
            leavings,
            invariant,
            invariant_at,
            annotation_read,
            atomic_step,
            vote_rank,
            lanes_together,
            atomic_exchange,
            atomic_ticket,
            group_ticket,
            repeats_while,
            stored_part,
            carried,
            left_with,
            lane_value,
            collective,
            atomic_operand,
            called_at,
        ] = mark.0;
        self.leavings.truncate(leavings);
        self.undo_barrier_invariants(point);
        self.copy_events.retain(|event| event.point.index() < point);
        let orders = &mut self.facts.relations.memory_order;
        orders.retain(|row| row.access.index() < access);
        let steps = &mut self.facts.relations.phase_step;
        steps.retain(|row| row.point.index() < point);
        let copies = &mut self.facts.relations.copy_access;
        copies.retain(|row| row.access.index() < access);
        let of_clusters = &mut self.facts.relations.cluster_barrier;
        of_clusters.retain(|row| row.barrier.index() < barrier);
        let fences = &mut self.facts.relations.proxy_fence;
        fences.retain(|row| row.point.index() < point);
        // Their numbers are given to others.
        let terms = &self.facts.terms;
        let lasts = |id: &TermId| {
            terms
                .get(*id)
                .unknown()
                .is_some_and(|one| one.index() < unknown)
        };
        self.unset.retain(lasts);
        self.arrived.retain(|id, _| lasts(id));
        let f = &mut self.facts.relations;
        f.point.truncate(point);
        f.cfg_edge.truncate(cfg);
        f.back_edge.truncate(back);
        f.loop_.truncate(loops);
        f.loop_variable.truncate(variable);
        f.loop_at.truncate(loop_at);
        f.called_at.truncate(called_at);
        f.guard_at.truncate(guard);
        f.break_at.truncate(breaks);
        f.access.truncate(access);
        f.barrier.truncate(barrier);
        f.fence.truncate(fence);
        f.assume.truncate(assume);
        f.assert_.truncate(assert);
        f.invariant.truncate(invariant);
        f.invariant_at.truncate(invariant_at);
        f.annotation_read.truncate(annotation_read);
        f.atomic_step.truncate(atomic_step);
        f.vote_rank.truncate(vote_rank);
        f.lanes_together.truncate(lanes_together);
        f.atomic_exchange.truncate(atomic_exchange);
        f.atomic_ticket.truncate(atomic_ticket);
        f.group_ticket.truncate(group_ticket);
        f.repeats_while.truncate(repeats_while);
        f.stored_part.truncate(stored_part);
        f.carried.truncate(carried);
        f.left_with.truncate(left_with);
        f.lane_value.truncate(lane_value);
        f.collective.truncate(collective);
        f.atomic_operand.truncate(atomic_operand);
        f.unsupported.truncate(unsupported);
        f.unknown.truncate(unknown);
        f.unknown_depends_on.truncate(depends & 0xffff_ffff);
        f.unknown_controlled_by.truncate(depends >> 32);
    }
}
