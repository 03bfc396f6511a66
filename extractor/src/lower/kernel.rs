//! One kernel under one launch: its parameters, its body, and the assumptions they rest on.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::words::*;
use warplog_facts::*;

use super::NOT_PARSED;
use super::axes;
use super::body::{Binding, CallFrame, Lowerer, Names};
use super::constness::Qualified;
use super::contracts::{CallContract, Contracts};
use super::host::{Argument, Known, Launch, Passed, PassedClosure, deduced_parameter};
use super::library::clusters;
use super::lifetimes::FullExpression;
use super::objects::{Closure, in_memory, leaves};
use super::pointers::PointerMemory;
use super::sources::Sources;
use super::types::{Extent, TemplateValue, Ty, TypeScope};
use super::unit::{UnitIndex, enclosing};
use super::value::*;
use crate::syntax::ast::*;

/// Whether an object has more scalars than are told apart, or such that share bytes: as a parameter it is memory that is read only.
fn is_too_large(ty: &Ty) -> bool {
    in_memory(ty) && ty.bytes().is_some() && leaves(ty).is_none()
}

/// Whether it is known of some pointer in an argument to which allocation it leads.
fn tells_pointer(argument: &Argument) -> bool {
    match argument {
        Argument::Pointer { .. } => true,
        Argument::Record(members) | Argument::Closure(_, members) => {
            members.iter().any(|(_, member)| tells_pointer(member))
        }
        _ => false,
    }
}

/// The arrays that pointer parameters are bound to.
#[derive(Default)]
pub(super) struct Allocations {
    /// By the name of the allocation.
    named: BTreeMap<String, ArrayId>,
    /// By parameter and member.
    pub(super) bound: Vec<(Passed, ArrayId)>,
    /// Those of which the launch does not tell what they point to.
    pub(super) untold: BTreeSet<ArrayId>,
    /// Parameters that are memory which is read only, by position.
    tables: Vec<(usize, ArrayId)>,
    /// The parameter that is being bound.
    slot: Passed,
}

/// What a launch gives a member.
fn member<'a>(argument: Option<&'a Argument>, field: &str) -> Option<&'a Argument> {
    match argument {
        Some(Argument::Record(given) | Argument::Closure(_, given)) => given
            .iter()
            .find(|(name, _)| name == field)
            .map(|(_, value)| value),
        _ => None,
    }
}

/// Adds the facts of a kernel under a launch. Whether something had to stand for a template type.
pub(crate) fn lower<'u>(
    index: &'u UnitIndex<'u>,
    sources: &mut Sources<'u>,
    facts: &mut Facts,
    kernel_id: KernelId,
    kernel: &'u Function,
    launch: &Launch,
) -> bool {
    let launch_id = LaunchId::from_index(facts.launch.len());
    let span = match &launch.elsewhere {
        Some(spot) => Some(sources.elsewhere(facts, spot)),
        None => launch.range.map(|range| sources.span(facts, range)),
    };
    facts.launch.push(LaunchRow {
        launch: launch_id,
        kernel: kernel_id,
        source: launch.source,
        span,
    });
    let mut lowerer = lowerer(index, sources, facts, launch_id);
    lowerer.functions = lowerer
        .facts
        .pure_function
        .iter()
        .map(|row| (row.name.clone(), row.function))
        .collect();
    if !lowerer.sources.defines(clusters::DIMENSIONS) {
        lowerer.cluster = clusters::blocks(lowerer.sources.written(kernel.range));
    }
    lowerer.run(kernel, launch);
    lowerer.unbound
}

/// Whether something has to stand for a template type. Nothing is added to any facts.
pub(crate) fn has_stand_in<'u>(
    index: &'u UnitIndex<'u>,
    mut sources: Sources<'u>,
    kernel: &'u Function,
    launch: &Launch,
) -> bool {
    let mut facts = Facts::default();
    let mut lowerer = lowerer(index, &mut sources, &mut facts, LaunchId(0));
    let mut frame = lowerer.outermost(kernel.range, enclosing(&kernel.qualified));
    frame.contract.call = kernel.name_range;
    lowerer.calls.push(frame);
    lowerer.template_parameters(kernel, launch);
    lowerer.unbound
}

/// What a constant is whose name is qualified: `Traits<float>::threads`, as it is found in a namespace or class. None where anything
/// in it is not understood.
pub(crate) fn constant<'u>(
    index: &'u UnitIndex<'u>,
    mut sources: Sources<'u>,
    name: &Name,
    path: &str,
) -> Option<(i128, CType)> {
    let mut facts = Facts::default();
    let mut lowerer = lowerer(index, &mut sources, &mut facts, LaunchId(0));
    let frame = lowerer.outermost(name.range, path);
    lowerer.calls.push(frame);
    let value = lowerer.name(name);
    let untold = !lowerer.untold.is_empty() || lowerer.met_undefined || lowerer.gave_up;
    let doubtful = !lowerer.doubts.is_empty() || !lowerer.facts.unsupported.is_empty();
    let Value::Term(term) = value else {
        return None;
    };
    let known = lowerer.facts.terms.as_const(term)?;
    let ty = lowerer.facts.terms.ty(term);
    (!untold && !doubtful && ty.is_integer()).then_some((known, ty))
}

/// Whether a kernel is the one that a launch means, of a template and its explicit specialisations; `None` where that is not known.
pub(crate) fn is_meant<'u>(
    index: &'u UnitIndex<'u>,
    mut sources: Sources<'u>,
    kernel: &'u Function,
    launch: &Launch,
) -> Option<bool> {
    let is_special = |one: &Function| one.template.as_ref().is_some_and(Vec::is_empty);
    let mut others: Vec<&'u Function> = index.functions(&kernel.name).to_vec();
    others.retain(|one| {
        one.quals.global
            && one.qualified == kernel.qualified
            && one.params.len() == kernel.params.len()
            && one.template.is_some()
            && is_special(one) != is_special(kernel)
            && (is_special(kernel) || one.body.is_some())
    });
    if others.is_empty() || kernel.template.is_none() {
        return Some(true);
    }
    let mut facts = Facts::default();
    let mut lowerer = lowerer(index, &mut sources, &mut facts, LaunchId(0));
    let path = enclosing(&kernel.qualified);
    let frame = lowerer.outermost(kernel.name_range, path);
    lowerer.calls.push(frame);
    let mut known = Some(false);
    for other in others {
        let (special, primary) = match is_special(kernel) {
            true => (kernel, other),
            false => (other, kernel),
        };
        match lowerer.is_specialisation_of(special, primary, launch) {
            Some(true) => return Some(is_special(kernel)),
            Some(false) => {}
            None => known = None,
        }
    }
    known.map(|_| !is_special(kernel))
}

/// Who lowers a launch, before it begins.
fn lowerer<'u, 'f>(
    index: &'u UnitIndex<'u>,
    sources: &'f mut Sources<'u>,
    facts: &'f mut Facts,
    launch: LaunchId,
) -> Lowerer<'u, 'f> {
    let zero = facts.terms.constant(0, CType::I32);
    Lowerer {
        index,
        sources,
        facts,
        launch,
        dimensions: [zero; 6],
        frontier: Vec::new(),
        guards: Vec::new(),
        alive: true,
        last_leaving: (GuardCause::Return, PointId(0)),
        leavings: Vec::new(),
        untold_ways: 0,
        unset: FxHashSet::default(),
        env: Env::default(),
        variables: Vec::new(),
        scopes: vec![Names::default()],
        calls: Vec::new(),
        loops: Vec::new(),
        jumps: Vec::new(),
        trial: 0,
        shared: FxHashMap::default(),
        dynamic_shared: None,
        globals: FxHashMap::default(),
        constants: FxHashMap::default(),
        symbols: FxHashMap::default(),
        functions: FxHashMap::default(),
        assumptions: BTreeSet::default(),
        gave_up: false,
        types_named: 0,
        made: super::made::Made::default(),
        work: 0,
        unbound: false,
        untold: BTreeSet::default(),
        maybe_const: BTreeSet::default(),
        maybe_reference: BTreeSet::default(),
        met_undefined: false,
        undefined: BTreeSet::default(),
        classes: BTreeMap::new(),
        doubts: BTreeMap::new(),
        living: Vec::new(),
        full: FullExpression::default(),
        met_special: false,
        copying: BTreeSet::new(),
        closures: Vec::new(),
        pointers: PointerMemory::default(),
        recursions: 0,
        addresses: BTreeMap::new(),
        passed_numbers: BTreeMap::new(),
        trial_writes: BTreeSet::default(),
        trial_lost: false,
        escaped: Default::default(),
        copy_events: Vec::new(),
        cluster: None,
        cluster_arrays: BTreeMap::new(),
        cluster_arrived: None,
        arrived: BTreeMap::new(),
        tried: BTreeMap::new(),
        phased: BTreeSet::new(),
        named_calls: Vec::new(),
        uncounted_ids: BTreeSet::new(),
        whole_ids: BTreeSet::new(),
        has_copies: false,
        initialised: Default::default(),
        block_barriers: BTreeMap::new(),
        collectives: BTreeMap::new(),
        named: Vec::new(),
        ballots: FxHashMap::default(),
        together: Vec::new(),
        contracts: Contracts::default(),
    }
}

impl<'u> Lowerer<'u, '_> {
    fn run(&mut self, kernel: &'u Function, launch: &Launch) {
        let mut frame = self.outermost(kernel.range, enclosing(&kernel.qualified));
        frame.contract.call = kernel.name_range;
        self.calls.push(frame);
        self.dimensions(kernel, launch);
        self.sources.function(self.facts, kernel.range);
        let entry = self.point(PointKind::Entry, kernel.name_range);
        debug_assert_eq!(self.frontier, [entry]);
        for problem in &kernel.parse_errors {
            self.unsupported(problem.range, &problem.what, NOT_PARSED, Effect::Control);
        }
        self.template_parameters(kernel, launch);
        let mut allocations = self.parameters(kernel, launch);
        self.track_accesses();
        self.conditions_of_launch(launch);
        let before = (self.mark(), self.frontier.clone());
        self.contracts_of_kernel(kernel);
        if let Some(body) = &kernel.body {
            self.block(body);
            self.check_ensures(None, kernel.name_range);
            self.stray_barrier_invariants();
        }
        let mut returns = self
            .calls
            .last_mut()
            .map(|call| std::mem::take(&mut call.returns))
            .unwrap_or_default();
        if self.gave_up {
            // What there is of it says nothing, and is too much for those who come after.
            let (mark, frontier) = before;
            self.undo(&mark);
            self.frontier = frontier;
            returns.clear();
            self.unsupported(
                kernel.name_range,
                "kernel",
                "too large: inlining gives too many expressions or accesses",
                Effect::Control,
            );
        }
        self.frontier
            .extend(returns.iter().map(|(jump, _)| jump.point));
        self.guards.clear();
        // The closing brace.
        let end = kernel.range.end;
        let brace = Range::new(end.saturating_sub(1).max(kernel.range.start), end);
        self.point(PointKind::Exit, brace);
        // Where pointers of what is passed whole lead, host code is not asked.
        for (position, table) in std::mem::take(&mut allocations.tables) {
            for pointee in self.behind(table) {
                allocations.bound.push(((position, Vec::new()), pointee));
                allocations.untold.insert(pointee);
            }
        }
        self.aliasing(kernel, launch, &allocations);
        for doubt in &launch.doubts {
            let launch = self.launch;
            let reason = doubt.clone();
            self.facts
                .launch_doubt
                .push(LaunchDoubtRow { launch, reason });
        }
        for text in &launch.assumptions {
            self.assumption(text);
        }
        if let Some(architecture) = &self.index.architecture {
            self.assumption(&code_for(architecture));
        }
        self.finish();
    }

    /// The frame around all that is called.
    fn outermost(&self, function: Range, path: &str) -> CallFrame {
        CallFrame {
            function,
            is_kernel: true,
            guards: 0,
            jumps: 0,
            scopes: 0,
            living: 0,
            returns: Vec::new(),
            entered: self.inside_from_here(),
            returned_in_loop: false,
            ret: Ty::Void,
            by_reference: false,
            this: None,
            constant_this: None,
            types: TypeScope {
                path: path.to_owned(),
                ..TypeScope::default()
            },
            contract: CallContract {
                call: function,
                ..CallContract::default()
            },
        }
    }

    /// The six dimensions: constants and host terms of the launch, leaves where it is symbolic, 1
    /// on the axes that nothing mentions.
    fn dimensions(&mut self, kernel: &'u Function, launch: &Launch) {
        let mentioned = axes::mentioned_axes(self.index, kernel, &|range| self.sources.text(range));
        // Of a launch that host code shows, a size that could not be followed may be any that this code makes.
        let may_be_more = match launch.range {
            Some(_) => self.index.shown_axes(),
            None => [false; 3],
        };
        let mut assumed = [Vec::new(), Vec::new()];
        for (index, &dimension) in Dimension::ALL.iter().enumerate() {
            let axis = Axis::ALL[index % 3];
            let block = index < 3;
            let leaf = if block { axis.bdim() } else { axis.gdim() };
            let given = if block { &launch.block } else { &launch.grid };
            let term = match &given[index % 3] {
                // A caller that is not seen chooses it, for a kernel that knows of no such axis: as where nothing shows a launch.
                Some(Argument::Symbol(Known::Input, name, ty))
                    if !mentioned[index]
                        && index % 3 != 0
                        && (may_be_more[index % 3] || launch.mentions_besides(name, index)) =>
                {
                    let symbol = self.symbol(SymbolKind::Computed, name, *ty);
                    self.cast_term(symbol, CType::U32)
                }
                // Host code that is not followed sets all sizes, of a kernel that knows of one axis.
                Some(Argument::Symbol(Known::Computed, name, _))
                    if !mentioned[index]
                        && index % 3 != 0
                        && !may_be_more[index % 3]
                        && !launch.mentions_besides(name, index) =>
                {
                    assumed[usize::from(!block)].push(axis.name());
                    self.facts.terms.constant(1, CType::U32)
                }
                Some(Argument::Symbol(Known::Input, ..)) if !mentioned[index] && index % 3 != 0 => {
                    assumed[usize::from(!block)].push(axis.name());
                    self.facts.terms.constant(1, CType::U32)
                }
                Some(size) => self.argument_term(size, CType::U32),
                None if mentioned[index] => self.facts.terms.builtin(leaf),
                // Not every size may be possible.
                None if may_be_more[index % 3] => {
                    let name = if block { "blockDim" } else { "gridDim" };
                    let name = format!("{name}.{}", axis.name());
                    self.symbol(SymbolKind::Computed, &name, CType::U32)
                }
                None => {
                    assumed[usize::from(!block)].push(axis.name());
                    self.facts.terms.constant(1, CType::U32)
                }
            };
            self.dimensions[index] = term;
            if self.facts.terms.as_const(term) == Some(0) {
                let name = if block { "blockDim" } else { "gridDim" };
                self.unsupported(
                    launch.range.unwrap_or(kernel.name_range),
                    &format!("a launch whose {name}.{} is 0", axis.name()),
                    "CUDA refuses it: nothing is known of other launches",
                    Effect::Control,
                );
            }
            let launch = self.launch;
            self.facts.launch_dimension.push(LaunchDimensionRow {
                launch,
                dimension,
                term,
            });
        }
        for (name, axes) in ["blockDim", "gridDim"].iter().zip(assumed) {
            if !axes.is_empty() {
                let axes: Vec<String> = axes
                    .iter()
                    .map(|axis| format!("{name}.{axis} = 1"))
                    .collect();
                self.assumption(&format!("{} (never mentioned)", axes.join(", ")));
            }
        }
        if (0..6).any(|index| {
            (mentioned[index] || may_be_more[index % 3])
                && [&launch.block, &launch.grid][index / 3][index % 3].is_none()
        }) {
            self.assumption("launches stay within hardware limits");
        }
    }

    /// What host code makes sure of before it launches.
    fn conditions_of_launch(&mut self, launch: &Launch) {
        let mut texts = Vec::new();
        for condition in &launch.conditions {
            let term = self.argument_term(condition, CType::Bool);
            let launch = self.launch;
            if self.facts.terms.as_const(term).is_some() {
                continue;
            }
            self.facts.launch_assume.push(LaunchAssumeRow {
                launch,
                term,
                by_host: true,
            });
            texts.push(format!("`{}`", warplog_facts::show::show(self.facts, term)));
        }
        if !texts.is_empty() {
            self.assumption(&format!(
                "host code launches it only where {}",
                texts.join(", ")
            ));
        }
    }

    /// A host value in the terms of this launch.
    pub(crate) fn argument_term(&mut self, argument: &Argument, ty: CType) -> TermId {
        let term = self.argument_value(argument, ty);
        self.cast_term(term, ty)
    }

    fn argument_value(&mut self, argument: &Argument, ty: CType) -> TermId {
        match argument {
            Argument::Constant(value, ty) => self.facts.terms.constant(*value, *ty),
            Argument::Symbol(Known::Input, name, ty) => self.symbol(SymbolKind::Host, name, *ty),
            Argument::Symbol(Known::Computed, name, ty) => {
                self.symbol(SymbolKind::Computed, name, *ty)
            }
            Argument::Unknown(name) => self.symbol(SymbolKind::Computed, name, ty),
            Argument::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let [left, right] = [left, right].map(|side| {
                    let side = self.argument_value(side, CType::Bool);
                    self.cast_term(side, CType::Bool)
                });
                match op {
                    BinaryOp::And => self.facts.terms.and(left, right),
                    _ => self.facts.terms.or(left, right),
                }
            }
            Argument::Binary(op, left, right) => {
                let left = self.argument_value(left, CType::I32);
                let right = self.argument_value(right, CType::I32);
                self.arithmetic(*op, left, right)
            }
            Argument::Cast(ty, inner) => {
                let inner = self.argument_value(inner, *ty);
                self.cast_term(inner, *ty)
            }
            Argument::Select(condition, then, otherwise) => {
                let condition = self.argument_value(condition, CType::Bool);
                let condition = self.cast_term(condition, CType::Bool);
                let then = self.argument_value(then, ty);
                let otherwise = self.argument_value(otherwise, ty);
                let (then, otherwise, _) = self.usual(then, otherwise);
                self.facts.terms.ite(condition, then, otherwise)
            }
            Argument::Pointer { allocation, bytes } => {
                let begin = self.begin_of_allocation(allocation);
                match bytes {
                    Some(bytes) => {
                        let bytes = self.argument_term(bytes, CType::U64);
                        self.facts.terms.binary(Op::Add, CType::U64, begin, bytes)
                    }
                    None => begin,
                }
            }
            Argument::Record(_) | Argument::Closure(..) => {
                self.symbol(SymbolKind::Opaque, "object", CType::U64)
            }
        }
    }

    fn template_parameters(&mut self, kernel: &'u Function, launch: &Launch) {
        let Some(parameters) = &kernel.template else {
            return;
        };
        for (position, parameter) in parameters.iter().enumerate() {
            let Some(name) = &parameter.name else {
                continue;
            };
            let given = launch.template_args.get(position);
            let by_default = given.is_none() && !launch.rest_is_open;
            let declared = self.scope();
            match &parameter.kind {
                TemplateParamKind::Type { .. } if is_of_closure(kernel, launch, position) => {
                    if let Some(call) = self.calls.last_mut() {
                        call.types.bind_type(name, type_of_lambda(), None);
                    }
                }
                TemplateParamKind::Type { default } => {
                    // The parameter of a host template that launches the kernel says nothing.
                    let names_nothing = given
                        .and_then(super::templates::template_named)
                        .is_some_and(|name| {
                            let unknown = Ty::Opaque {
                                name: name.path(),
                                bytes: None,
                            };
                            self.named_type(name) == unknown
                                && name
                                    .as_simple()
                                    .is_some_and(|simple| self.is_undefined(simple))
                        });
                    let value = match (given, default) {
                        (Some(_), _) if names_nothing => None,
                        (Some(given), _) => Some(self.template_value(given, parameter, &declared)),
                        (_, Some(default)) if by_default => Some(self.type_value(default)),
                        _ => None,
                    };
                    let (ty, identity) = match value {
                        Some(TemplateValue::Type(ty, identity)) => (Some(ty), identity),
                        _ => (None, None),
                    };
                    let identity = identity.filter(|_| is_told_by_launch(kernel, parameter));
                    if identity.is_none() && given.is_some_and(|given| self.refers(given)) {
                        self.refuse_reference_argument(parameter.range);
                    }
                    // What host arguments tell may be constant.
                    if given.is_none() {
                        self.maybe_const.insert(name.clone());
                    }
                    let ty = ty.filter(|ty| !matches!(ty, Ty::Opaque { bytes: None, .. }));
                    let ty = ty.unwrap_or_else(|| self.stand_in(name, launch));
                    if let Some(call) = self.calls.last_mut() {
                        call.types.bind_type(name, ty, identity);
                    }
                }
                TemplateParamKind::Value { ty, default } => {
                    self.doubt_reference_parameter(ty, parameter.range);
                    let ty = self.resolve(ty);
                    let value = match (given, default) {
                        (Some(TemplateArg::Expr(expr)), _) => Some(self.expr(expr)),
                        (
                            Some(
                                TemplateArg::Name(name)
                                | TemplateArg::Type(Type {
                                    kind: TypeKind::Named(name),
                                    ..
                                }),
                            ),
                            _,
                        ) => Some(self.name(name)),
                        (None, Some(default)) if by_default => Some(self.expr(default)),
                        _ => None,
                    };
                    let known = value.filter(|value| {
                        matches!(value, Value::Function(_)) || self.is_known_constant(value)
                    });
                    // A launch that host code shows has a number that is given or deduced, even where it is not told here which.
                    let is_shown = launch.source == LaunchSource::Code
                        && (given.is_some() || !launch.rest_is_open);
                    let kind = match is_shown {
                        true => SymbolKind::Computed,
                        false => SymbolKind::Template,
                    };
                    let value = match known {
                        Some(value) => self.convert(value, &ty, parameter.range),
                        None => Value::Term(self.symbol(kind, name, ty.ctype())),
                    };
                    let var = self.variable(name, ty, value);
                    self.bind(name, Binding::Variable(var));
                }
                TemplateParamKind::Template { .. } => {
                    if let Some(given) = given
                        && let TemplateValue::Type(ty, identity) =
                            self.template_value(given, parameter, &declared)
                        && let Some(call) = self.calls.last_mut()
                    {
                        call.types.bind_type(name, ty, identity);
                    }
                }
            }
        }
    }

    /// Whether a launch of a template means one of its explicit specialisations.
    fn is_specialisation_of(
        &mut self,
        special: &'u Function,
        primary: &'u Function,
        launch: &Launch,
    ) -> Option<bool> {
        let own = primary.template.as_deref()?;
        if launch.rest_is_open || own.iter().any(|one| one.pack) {
            return None;
        }
        let mut scope = self.scope();
        let values = self.template_values(own, &launch.template_args, &scope);
        let is_known = |value: &TemplateValue| match value {
            TemplateValue::Type(Ty::Opaque { bytes, .. }, _) => bytes.is_some(),
            TemplateValue::Type(..) => true,
            TemplateValue::Value(value) => self.is_known_constant(value),
            TemplateValue::Unknown => false,
        };
        if values.len() != own.len() || !values.iter().all(is_known) {
            return None;
        }
        let around = scope.clone();
        super::classes::bind(&mut scope, own, &values);
        let chosen = super::overload::Chosen {
            function: primary,
            scope,
        };
        self.is_special(special, &around, &chosen, own)
    }

    /// What stands for a template type that nothing tells.
    fn stand_in(&mut self, name: &str, launch: &Launch) -> Ty {
        self.unbound = true;
        if let Some(ctype) = launch.stand_in {
            let assumed = format!("template type {name} is taken as {}", ctype.name());
            self.assumption(&assumed);
            // Nobody chose it.
            let launch = self.launch;
            self.facts.launch_doubt.push(LaunchDoubtRow {
                launch,
                reason: assumed,
            });
            return Ty::Scalar(ctype);
        }
        self.assumption(&format!("template type {name} is 4 bytes wide"));
        self.untold.insert(name.to_owned());
        Ty::Opaque {
            name: name.to_owned(),
            bytes: Some(4),
        }
    }

    fn parameters(&mut self, kernel: &'u Function, launch: &Launch) -> Allocations {
        let mut allocations = Allocations::default();
        for (position, param) in kernel.params.iter().enumerate() {
            let name = param
                .name
                .clone()
                .unwrap_or_else(|| format!("parameter {position}"));
            self.refuse_hidden_reference(&param.ty, param.range);
            let ty = match self.resolve(&param.ty) {
                Ty::Array(element, _) => Ty::Pointer(element),
                ty if is_reference(&param.ty) => {
                    self.kernel_reference(name, ty, (position, launch), param, &mut allocations);
                    continue;
                }
                ty => ty,
            };
            if self.index.may_be_special && !self.passes_bytes(&ty) {
                self.lost_object(param.range, "the host copies it for the launch");
            }
            let argument = launch.arguments.get(position);
            if is_too_large(&ty) && !argument.is_some_and(|given| tells_pointer(&given.value)) {
                // No thread changes what it is passed: a write there is not modelled.
                let array = self.array(&name, Space::Constant, &ty, param.range);
                allocations.tables.push((position, array));
                self.bind(&name, Binding::Memory { array, ty });
                let qualified = self.qualified(&param.ty);
                self.qualify(&name, qualified);
                continue;
            }
            allocations.slot = (position, Vec::new());
            let value = match argument.map(|argument| &argument.value) {
                Some(Argument::Closure(closure, given)) => {
                    self.passed_closure(&name, closure, given, param.range, &mut allocations)
                }
                argument => self.parameter(&name, &ty, argument, param.range, &mut allocations),
            };
            self.contents_of_parameter((position, launch), &value, param.range);
            if let Some(argument) = argument {
                let launch = self.launch;
                let term = match &value {
                    Value::Term(term) => Some(*term),
                    _ => None,
                };
                self.facts.launch_argument.push(LaunchArgumentRow {
                    launch,
                    position: u32::try_from(position).unwrap_or(u32::MAX),
                    name: name.clone(),
                    text: argument.text.clone(),
                    term,
                });
            }
            let var = self.variable(&name, ty, value);
            self.bind(&name, Binding::Variable(var));
            let qualified = self.qualified(&param.ty);
            self.qualify(&name, qualified);
        }
        self.know_passed_numbers(&allocations.named);
        allocations
    }

    /// A closure that the host made: its members are what it captured.
    fn passed_closure(
        &mut self,
        name: &str,
        closure: &PassedClosure,
        given: &[(String, Argument)],
        range: Range,
        allocations: &mut Allocations,
    ) -> Value {
        let mut bindings = Names::default();
        for (field, ty) in &closure.members {
            if self.index.may_be_special && !self.passes_bytes(ty) {
                self.lost_object(range, "the host copies it for the launch");
            }
            let argument = given.iter().find(|(known, _)| known == field);
            allocations.slot.1.push(field.clone());
            let path = format!("{name}.{field}");
            let argument = argument.map(|(_, value)| value);
            let value = self.parameter(&path, ty, argument, range, allocations);
            allocations.slot.1.pop();
            let var = self.variable(field, ty.clone(), value);
            // A copy is constant in a lambda that is not mutable.
            let qualified = Qualified {
                object: Some(true),
                pointee: None,
            };
            bindings.insert_as(field.clone(), Binding::Variable(var), qualified);
        }
        let index = self.closures.len();
        self.closures.push(Closure {
            lambda: Rc::clone(&closure.lambda),
            bindings,
            keeps_objects: false,
            types: closure.types.clone(),
            this: None,
            constant_this: None,
        });
        Value::Function(Rc::new(Callable::Lambda(index)))
    }

    /// A parameter that is a reference: one object in memory that all threads have. CUDA forbids it; other compilers do not.
    fn kernel_reference(
        &mut self,
        name: String,
        ty: Ty,
        (position, launch): (usize, &Launch),
        param: &'u Param,
        allocations: &mut Allocations,
    ) {
        if launch.arguments.get(position).is_some() {
            let what = "a parameter of a kernel that is a reference";
            let why = "which object a launch gives is not followed";
            self.unsupported(param.range, what, why, Effect::Control);
        }
        let array = self.array(&name, Space::Global, &ty, param.range);
        allocations.bound.push(((position, Vec::new()), array));
        self.bind(&name, Binding::Memory { array, ty });
        let qualified = self.qualified(&param.ty);
        self.qualify(&name, qualified);
    }

    fn parameter(
        &mut self,
        name: &str,
        ty: &Ty,
        argument: Option<&Argument>,
        range: Range,
        allocations: &mut Allocations,
    ) -> Value {
        match ty {
            Ty::Scalar(ctype) => {
                let term = match argument {
                    Some(Argument::Unknown(_)) | None => {
                        self.symbol(SymbolKind::Parameter, name, *ctype)
                    }
                    Some(argument) => self.argument_term(argument, *ctype),
                };
                self.note_passed_number(term, name, argument, range);
                Value::Term(term)
            }
            Ty::Pointer(element) => {
                let object = Ty::Array(element.clone(), Extent::Unknown);
                let array = self.array(name, Space::Global, &object, range);
                let mut pointer = self.pointer(Base::Array(array), Ty::clone(element));
                allocations.bound.push((allocations.slot.clone(), array));
                if let Some(Argument::Pointer { allocation, bytes }) = argument {
                    let storage = *allocations.named.entry(allocation.clone()).or_insert(array);
                    self.facts.relations.array[array.index()].storage = storage;
                    if let Some(bytes) = bytes {
                        let bytes = self.argument_term(bytes, CType::I64);
                        for target in &mut pointer.targets {
                            target.offset =
                                self.facts
                                    .terms
                                    .binary(Op::Add, CType::I64, target.offset, bytes);
                        }
                    }
                } else {
                    allocations.untold.insert(array);
                }
                Value::Pointer(pointer)
            }
            Ty::Struct(_) | Ty::Array(_, Extent::Constant(_)) if in_memory(ty) => {
                let mut known = BTreeMap::new();
                self.parameter_bytes(name, ty, (0, argument), range, allocations, &mut known);
                self.bytes_object(ty, known, range)
            }
            Ty::Struct(class) => {
                let mut fields = Vec::new();
                for (field, field_ty, _) in class.fields() {
                    let path = format!("{name}.{field}");
                    let given = member(argument, &field);
                    allocations.slot.1.push(field.clone());
                    let value = self.parameter(&path, &field_ty, given, range, allocations);
                    allocations.slot.1.pop();
                    fields.push((field, value));
                }
                Value::Struct(std::rc::Rc::new(fields))
            }
            Ty::Opaque { .. } => Value::Term(self.symbol(SymbolKind::Opaque, name, CType::Opaque)),
            Ty::Bits(_) | Ty::Array(..) | Ty::Void => Value::Unknown,
        }
    }

    /// The scalars of a parameter that is held as bytes. Where members share bytes nothing is known of them.
    fn parameter_bytes(
        &mut self,
        name: &str,
        ty: &Ty,
        (at, argument): (u64, Option<&Argument>),
        range: Range,
        allocations: &mut Allocations,
        known: &mut BTreeMap<i128, Value>,
    ) {
        if leaves(ty).is_none() {
            return;
        }
        match ty {
            Ty::Struct(class) => {
                for (field, field_ty, start) in class.fields() {
                    let path = format!("{name}.{field}");
                    let given = member(argument, &field);
                    let place = at + start;
                    allocations.slot.1.push(field);
                    self.parameter_bytes(
                        &path,
                        &field_ty,
                        (place, given),
                        range,
                        allocations,
                        known,
                    );
                    allocations.slot.1.pop();
                }
            }
            Ty::Array(element, Extent::Constant(count)) => {
                let Some(bytes) = element.bytes() else { return };
                for index in 0..*count {
                    let path = format!("{name}[{index}]");
                    let place = at + index * bytes;
                    let given = member(argument, &index.to_string());
                    allocations.slot.1.push(index.to_string());
                    self.parameter_bytes(&path, element, (place, given), range, allocations, known);
                    allocations.slot.1.pop();
                }
            }
            // All bit fields of the number, which threads have in common.
            Ty::Bits(bits) => {
                let value = self.symbol(SymbolKind::Parameter, name, bits.unit);
                known.entry(i128::from(at)).or_insert(Value::Term(value));
            }
            scalar => {
                let value = self.parameter(name, scalar, argument, range, allocations);
                known.insert(i128::from(at), value);
            }
        }
    }

    /// Writes down the assumptions that lowering made.
    fn finish(&mut self) {
        let launch = self.launch;
        self.report_pointers();
        for (range, what) in std::mem::take(&mut self.doubts) {
            self.unsupported(range, &what, "it may do anything", Effect::Control);
        }
        // Classes that point to themselves would never be freed.
        for class in std::mem::take(&mut self.classes).values() {
            class.set_layout(None);
        }
        self.apart();
        for text in std::mem::take(&mut self.assumptions) {
            self.facts.assumption.push(AssumptionRow { launch, text });
        }
        self.too_few_come();
        self.check_boxes();
        self.join_clusters();
        self.follow_copies();
    }
}

/// What is said of a launch whose code is that for an architecture.
pub fn code_for(architecture: &str) -> String {
    format!("code is that for __CUDA_ARCH__ = {architecture}")
}

fn is_reference(ty: &Type) -> bool {
    matches!(
        ty.kind,
        TypeKind::Reference(_) | TypeKind::RvalueReference(_)
    )
}

/// Whether the argument for a template parameter is exactly what the text of a launch says, be it that its name says it or
/// that a pointer does: of numbers that are passed by value, only the layout is certain.
fn is_told_by_launch(kernel: &Function, parameter: &TemplateParam) -> bool {
    let own = std::slice::from_ref(parameter);
    let params = kernel.params.iter();
    let behind = |param: &Param| {
        matches!(
            param.ty.kind,
            TypeKind::Pointer(_) | TypeKind::Reference(_) | TypeKind::Array(..)
        )
    };
    // `Box<T>` of a `Box<float>`
    let of_class =
        |param: &Param| matches!(&param.ty.kind, TypeKind::Named(name) if name.args.is_some());
    let mut naming = params
        .filter(|param| super::classes::mentions(&param.ty, own))
        .peekable();
    let first = naming.peek().copied();
    first.is_none_or(behind) || naming.all(|param| behind(param) || of_class(param))
}

/// Whether a launch passes a closure for a template parameter.
fn is_of_closure(kernel: &Function, launch: &Launch, own: usize) -> bool {
    let mut given = launch.arguments.iter().enumerate();
    given.any(|(position, argument)| {
        matches!(argument.value, Argument::Closure(..))
            && deduced_parameter(kernel, position) == Some(own)
    })
}

/// The type of every lambda.
fn type_of_lambda() -> Ty {
    Ty::Opaque {
        name: "lambda".to_owned(),
        bytes: None,
    }
}
