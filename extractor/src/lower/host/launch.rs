//! Launches as they are met: `<<<…>>>` and the calls that launch a kernel.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use warplog_facts::CType;

use super::alias::Kind;
use super::inherit::class_of;
use super::passed_closures::PassedClosure;
use super::template::{bind, bind_numbers, substitute};
use super::term::{SymbolId, Term};
use super::value::*;
use super::{Frame, Host};
use crate::lower::contracts::Property;
use crate::lower::types::Ty;
use crate::syntax::ast::*;

/// An argument of a launch that was met.
#[derive(Clone, Debug)]
pub(super) struct FoundArgument<'u> {
    pub text: String,
    pub value: Value<'u>,
    /// The lambda of a closure, whose members the value holds.
    pub closure: Option<Rc<PassedClosure>>,
    /// The class that the argument is declared with, where that is written.
    pub class: Option<String>,
}

impl<'u> FoundArgument<'u> {
    fn new(text: String, value: Value<'u>) -> Self {
        FoundArgument {
            text,
            value,
            closure: None,
            class: None,
        }
    }
}

/// A launch that was met.
#[derive(Clone, Debug)]
pub(super) struct Found<'u> {
    pub kernel: usize,
    pub template_args: Vec<TemplateArg>,
    pub rest_is_open: bool,
    pub grid: [Option<Term>; 3],
    pub block: [Option<Term>; 3],
    pub arguments: Vec<FoundArgument<'u>>,
    pub range: Range,
    /// Symbols whose values the way to the launch tells.
    pub known: BTreeMap<SymbolId, i128>,
    /// Other terms whose values it tells, as `case 256:` does of the number of threads that is looked at.
    pub fixed: Vec<(Term, i128)>,
    /// Conditions on the way to the launch.
    pub path: Rc<Vec<(Term, bool)>>,
    /// What it rests on.
    pub assumptions: Vec<String>,
    /// What decides which of several pointers it passes.
    pub choices: Vec<(Term, bool)>,
    /// What is known of the elements of arrays that it passes.
    pub told: Vec<ToldOf>,
}

impl Found<'_> {
    /// A value of the launch, with what the way to it tells.
    pub(super) fn value(&self, term: &Term) -> Term {
        term.fixed(&self.fixed).with(&self.known)
    }
}

/// What is known of an array at a launch that was met.
#[derive(Clone, Debug)]
pub(super) struct ToldOf {
    /// Which argument it is.
    pub position: usize,
    pub property: Property,
    /// Of how many elements, from the first on.
    pub count: Term,
    pub from: Range,
    /// It rests on sums that do not wrap.
    pub sums: bool,
}

/// Where the parts of a launch stand among the arguments of a call.
struct Form {
    kernel: usize,
    grid: usize,
    block: usize,
    arguments: Passed,
}

enum Passed {
    /// From a position on.
    From(usize),
    /// An array of their addresses.
    Array(usize),
}

impl<'u> Host<'_, 'u> {
    pub(super) fn launch_expression(
        &mut self,
        kernel: &'u Expr,
        config: &'u [Expr],
        args: &'u [Expr],
        range: Range,
    ) {
        // `(*f)<<<…>>>` of a pointer to a kernel.
        let mut kernel = kernel;
        while let ExprKind::Deref(inner) | ExprKind::AddressOf(inner) = &kernel.kind {
            kernel = inner;
        }
        let target = self.launched(kernel);
        let sizes: Vec<[Option<Term>; 3]> =
            config.iter().map(|part| self.size_given(part)).collect();
        let arguments = self.expanded(args, &mut |me, arg| {
            FoundArgument::new(me.text_of(arg.range), me.eval(arg))
        });
        let size = |position: usize| sizes.get(position).cloned().unwrap_or_default();
        let types = self.expanded(args, &mut |me, arg| me.written_type(arg));
        self.record(target, size(0), size(1), arguments, types, range);
    }

    /// A call that launches a kernel; `None` if it is none.
    pub(super) fn launch_call(
        &mut self,
        name: &'u Name,
        args: &'u [Expr],
        range: Range,
    ) -> Option<Value<'u>> {
        let form = match name.base.as_str() {
            "hipLaunchKernelGGL" | "hipLaunchKernel" if args.len() >= 5 && !is_array(args) => {
                Form {
                    kernel: 0,
                    grid: 1,
                    block: 2,
                    arguments: Passed::From(5),
                }
            }
            "cudaLaunchKernel"
            | "hipLaunchKernel"
            | "cudaLaunchCooperativeKernel"
            | "hipLaunchCooperativeKernel"
            | "hipExtLaunchKernel"
                if args.len() >= 4 =>
            {
                Form {
                    kernel: 0,
                    grid: 1,
                    block: 2,
                    arguments: Passed::Array(3),
                }
            }
            "cudaLaunchKernelEx" if args.len() >= 2 => {
                return Some(self.launch_by_configuration(args, Passed::From(2), range));
            }
            "cudaLaunchKernelExC" if args.len() >= 3 => {
                return Some(self.launch_by_configuration(args, Passed::Array(2), range));
            }
            // By a handle, which any kernel whose name is a value may be.
            "cuLaunchKernel"
            | "cuLaunchKernelEx"
            | "cuLaunchCooperativeKernel"
            | "hipModuleLaunchKernel"
            | "hipExtModuleLaunchKernel"
            | "hipModuleLaunchCooperativeKernel" => {
                self.launches_unknown = true;
                return None;
            }
            // `(&node, graph, dependencies, count, &params)`, `(node, &params)`, `(exec, node, &params)`
            "cudaGraphAddKernelNode" | "hipGraphAddKernelNode" if args.len() == 5 => {
                return Some(self.launch_by_node(args, range));
            }
            "cudaGraphKernelNodeSetParams" | "hipGraphKernelNodeSetParams" if args.len() == 2 => {
                return Some(self.launch_by_node(args, range));
            }
            "cudaGraphExecKernelNodeSetParams" | "hipGraphExecKernelNodeSetParams"
                if args.len() == 3 =>
            {
                return Some(self.launch_by_node(args, range));
            }
            _ => return None,
        };
        let target = self.kernel_argument(args.get(form.kernel)?);
        let grid = self.size_given(args.get(form.grid)?);
        let block = self.size_given(args.get(form.block)?);
        let (arguments, types) = self.passed(args, form.arguments);
        self.record(target, grid, block, arguments, types, range);
        Some(Value::unknown())
    }

    /// `cudaLaunchKernelEx(&config, k, …)`
    fn launch_by_configuration(
        &mut self,
        args: &'u [Expr],
        passed: Passed,
        range: Range,
    ) -> Value<'u> {
        let [configuration, kernel, ..] = args else {
            return Value::unknown();
        };
        let configuration = self.eval(configuration);
        let target = self.kernel_argument(kernel);
        let mut sizes = [[None, None, None], [None, None, None]];
        if let Some((place, _)) = self.pointed(configuration) {
            let dim3 = crate::lower::types::vector("dim3").unwrap_or(Ty::Void);
            for (sizes, field) in sizes.iter_mut().zip(["gridDim", "blockDim"]) {
                let value = self.read(&place.field(field), &dim3);
                *sizes = self.sizes(value);
            }
        }
        let [grid, block] = sizes;
        let (arguments, types) = self.passed(args, passed);
        self.record(target, grid, block, arguments, types, range);
        Value::unknown()
    }

    /// The node of a graph, by its parameters, which come last.
    fn launch_by_node(&mut self, args: &'u [Expr], range: Range) -> Value<'u> {
        let Some((params, others)) = args.split_last() else {
            return Value::unknown();
        };
        for other in others {
            self.eval(other);
        }
        let params = self.eval(params);
        let mut target = Value::unknown();
        let mut sizes = [[None, None, None], [None, None, None]];
        let (mut arguments, mut types) = (Vec::new(), Vec::new());
        if let Some((place, _)) = self.pointed(params.clone()) {
            target = self.read(&place.field("func"), &Ty::Void.pointer_to());
            let dim3 = crate::lower::types::vector("dim3").unwrap_or(Ty::Void);
            for (sizes, field) in sizes.iter_mut().zip(["gridDim", "blockDim"]) {
                let value = self.read(&place.field(field), &dim3);
                *sizes = self.sizes(value);
            }
            let slot = Ty::Void.pointer_to().pointer_to();
            let array = self.read(&place.field("kernelParams"), &slot);
            (arguments, types) = self.passed_in(&array);
        }
        self.record(
            target,
            sizes[0].clone(),
            sizes[1].clone(),
            arguments,
            types,
            range,
        );
        Value::unknown()
    }

    /// A kernel as an argument: `(void *)k`, `HIP_KERNEL_NAME(k<4>)`.
    fn kernel_argument(&mut self, expr: &'u Expr) -> Value<'u> {
        let mut inner = expr;
        loop {
            match &inner.kind {
                ExprKind::Cast { arg, .. } | ExprKind::AddressOf(arg) | ExprKind::Deref(arg) => {
                    inner = arg;
                }
                ExprKind::Call { callee, args }
                    if matches!(&callee.kind, ExprKind::Name(name)
                        if name.base == "HIP_KERNEL_NAME" || name.base == "KERNEL_NAME") =>
                {
                    let [arg] = args.as_slice() else { break };
                    inner = arg;
                }
                _ => break,
            }
        }
        self.launched(inner)
    }

    /// What is launched; a kernel that is launched by its name is no value for that.
    fn launched(&mut self, kernel: &'u Expr) -> Value<'u> {
        if !matches!(kernel.kind, ExprKind::Name(_)) {
            return self.eval(kernel);
        }
        let before = self.as_values.clone();
        let value = self.eval(kernel);
        self.as_values = before;
        value
    }

    fn passed(
        &mut self,
        args: &'u [Expr],
        passed: Passed,
    ) -> (Vec<FoundArgument<'u>>, Vec<Option<Type>>) {
        let position = match passed {
            Passed::From(position) => {
                let args = args.get(position..).unwrap_or(&[]);
                let found = self.expanded(args, &mut |me, arg| {
                    FoundArgument::new(me.text_of(arg.range), me.eval(arg))
                });
                return (
                    found,
                    self.expanded(args, &mut |me, arg| me.written_type(arg)),
                );
            }
            Passed::Array(position) => position,
        };
        let Some(array) = args.get(position) else {
            return (Vec::new(), Vec::new());
        };
        let array = self.eval(array);
        self.passed_in(&array)
    }

    /// What an array of addresses passes.
    fn passed_in(&mut self, array: &Value<'u>) -> (Vec<FoundArgument<'u>>, Vec<Option<Type>>) {
        let (mut found, mut types) = (Vec::new(), Vec::new());
        let items: Vec<Value<'u>> = match array {
            Value::Tree(parts, _) => parts.iter().map(|(_, value)| value.clone()).collect(),
            Value::Pointer(Pointer::At(place, offset), _) if offset.as_constant() == Some(0) => {
                let slot = Ty::Void.pointer_to();
                let mut items = Vec::new();
                for position in 0..64 {
                    let place = place.at(&Term::bytes(position * 8));
                    let is_set = self.state.as_ref().is_some_and(|state| {
                        state
                            .entries(place.root)
                            .iter()
                            .any(|(path, _)| *path == place.path)
                    });
                    if !is_set {
                        break;
                    }
                    items.push(self.read(&place, &slot));
                }
                items
            }
            _ => Vec::new(),
        };
        for item in items {
            let (mut text, mut value, mut ty) = (String::new(), Value::unknown(), None);
            if let Value::Pointer(Pointer::At(place, offset), _) = &item
                && offset.as_constant() == Some(0)
            {
                let declared = if place.path.is_empty() {
                    self.objects.get(place.root).ty.clone()
                } else {
                    Ty::Void
                };
                text = self.objects.describe(place);
                value = self.read(place, &declared);
                if place.path.is_empty() {
                    ty = self.written.get(&place.root).cloned();
                }
            }
            found.push(FoundArgument::new(text, value));
            types.push(ty);
        }
        (found, types)
    }

    /// A launch of whatever a value means.
    fn record(
        &mut self,
        target: Value<'u>,
        grid: [Option<Term>; 3],
        block: [Option<Term>; 3],
        mut arguments: Vec<FoundArgument<'u>>,
        types: Vec<Option<Type>>,
        range: Range,
    ) {
        for (argument, ty) in arguments.iter_mut().zip(&types) {
            let ty = ty.as_ref().map(|ty| self.resolve(ty));
            argument.class = ty.as_ref().and_then(class_of);
        }
        for argument in &arguments {
            self.lost(&argument.value.clone());
        }
        // Where the steps end, values are those of no execution.
        if self.state.is_none() || self.is_spent() {
            return;
        }
        let Value::Kernels(uses) = target else {
            self.launches_unknown = true;
            return;
        };
        let (known, fixed) = self.known_values();
        let told = self.told(range);
        let path = match &self.state {
            Some(state) => Rc::clone(&state.path),
            None => Rc::default(),
        };
        let assumptions = self.assumptions();
        for used in uses.iter() {
            for &kernel in &used.kernels {
                let function = &self.index.unit.functions[kernel];
                if !takes(function, arguments.len()) && used.kernels.len() > 1 {
                    continue;
                }
                let template_args = self.deduced(function, &used.template_args, &types);
                let arguments = match used.rest_is_open && used.open.is_empty() {
                    true => arguments.clone(),
                    false => {
                        let mut given = used.template_args.clone();
                        given.extend(used.open.iter().cloned());
                        self.with_closures(function, &given, &arguments, &types)
                    }
                };
                self.found.push(Found {
                    kernel,
                    template_args,
                    rest_is_open: used.rest_is_open,
                    grid: grid.clone(),
                    block: block.clone(),
                    arguments,
                    range,
                    known: known.clone(),
                    fixed: fixed.clone(),
                    path: Rc::clone(&path),
                    assumptions: assumptions.clone(),
                    choices: Vec::new(),
                    told: told.clone(),
                });
            }
        }
        self.written_by(&uses, &arguments);
    }

    /// Memory that host code reads as well may be changed by what was launched: all that arguments point to, but for what is
    /// constant there.
    fn written_by(&mut self, uses: &[KernelUse], arguments: &[FoundArgument<'u>]) {
        let unit = self.index.unit;
        let is_constant = |position: usize| {
            let mut kernels = uses.iter().flat_map(|used| &used.kernels);
            kernels.all(
                |&kernel| match unit.functions[kernel].params.get(position) {
                    Some(param) => match &param.ty.kind {
                        TypeKind::Pointer(to) | TypeKind::Array(to, _) => to.is_const,
                        _ => false,
                    },
                    None => false,
                },
            )
        };
        let mut roots = BTreeSet::new();
        for (position, argument) in arguments.iter().enumerate() {
            if !is_constant(position) {
                roots.extend(self.roots_of(&argument.value));
            }
        }
        roots.extend(self.copied.iter());
        for root in self.reachable(roots) {
            // Of most memory of the device nothing is known anyway.
            let is_number = |(_, value): &(_, Value<'_>)| matches!(value, Value::Scalar(_));
            let knows = |state: &State<'u>| state.entries(root).iter().any(is_number);
            if self.objects.get(root).kind != Kind::Variable
                && (self.numbers.contains(&root) || self.state.as_ref().is_some_and(knows))
            {
                self.havoc(&Place::of(root), BTreeSet::from([root]));
            }
        }
    }

    /// Symbols and other terms that the conditions on the way here pin to a constant.
    fn known_values(&self) -> (BTreeMap<SymbolId, i128>, Vec<(Term, i128)>) {
        let (mut known, mut fixed) = (BTreeMap::new(), Vec::new());
        let path = match &self.state {
            Some(state) => state.path.clone(),
            None => Rc::default(),
        };
        let mut work: Vec<(&Term, bool)> =
            path.iter().map(|(term, holds)| (term, *holds)).collect();
        while let Some((term, holds)) = work.pop() {
            let Term::Binary(op, left, right) = term else {
                continue;
            };
            match (op, holds) {
                (BinaryOp::And, true) | (BinaryOp::Or, false) => {
                    work.push((left, holds));
                    work.push((right, holds));
                }
                (BinaryOp::Eq, true) | (BinaryOp::Ne, false) => {
                    let (term, value) = match (left.as_constant(), right.as_constant()) {
                        (None, Some(value)) => (left, value),
                        (Some(value), None) => (right, value),
                        _ => continue,
                    };
                    if !term.ty().holds(value) {
                        continue;
                    }
                    match &**term {
                        Term::Symbol(symbol, _) => {
                            known.insert(*symbol, value);
                        }
                        term => fixed.push((term.clone(), value)),
                    }
                }
                _ => {}
            }
        }
        (known, fixed)
    }

    /// The sizes that an expression gives. An object of another class than `dim3` is converted by a function of its own, whatever
    /// its members are called.
    fn size_given(&mut self, expr: &'u Expr) -> [Option<Term>; 3] {
        if !self.index.has_conversions() {
            let value = self.eval(expr);
            return self.sizes(value);
        }
        let (value, place) = self.operand(expr);
        let is_object = matches!(value, Value::Tree(..) | Value::Initial(..));
        let is_size = match (&place, &expr.kind) {
            (Some((_, Ty::Struct(class))), _) => class.name == "dim3",
            (Some((_, Ty::Opaque { name, .. })), _) => name.is_empty(),
            (Some(_), _) => true,
            (None, ExprKind::Construct { ty, .. }) => {
                matches!(self.resolve(ty), Ty::Struct(class) if class.name == "dim3")
            }
            (None, kind) => matches!(kind, ExprKind::InitList(_)),
        };
        if !is_object || is_size {
            return self.sizes(value);
        }
        if !self.index.functions("operator dim3").is_empty() {
            return [None, None, None];
        }
        let name = self.text_of(expr.range);
        let one = || Some(Term::Constant(1, CType::U32));
        [Some(self.fresh(&name, CType::U32)), one(), one()]
    }

    /// What the values of this context rest on: that functions which other files could call are
    /// called from here only.
    fn assumptions(&self) -> Vec<String> {
        let unchanged = self.taken_unchanged.iter();
        let mut texts: Vec<String> = unchanged
            .map(|name| {
                format!(
                    "`{name}`, which nothing declares, leaves the sizes of launches as they are"
                )
            })
            .collect();
        let whole = self.index.whole.as_ref();
        if whole.is_some_and(|whole| whole.closed) {
            return texts;
        }
        let from = match whole {
            Some(_) => "the files of this program",
            None => "this file",
        };
        for frame in self.frames.iter().skip(2) {
            if frame.external
                && let Some(function) = self.function_at(frame.function)
            {
                texts.push(format!("`{}` is called from {from} only", function.name));
            }
        }
        texts
    }

    /// The template arguments of a kernel: those of its name, then those that its arguments tell.
    fn deduced(
        &mut self,
        kernel: &'u Function,
        given: &[TemplateArg],
        types: &[Option<Type>],
    ) -> Vec<TemplateArg> {
        let mut args = given.to_vec();
        let kernel = self.index.launched_with(kernel, types.len());
        // What a specialisation is for is deduced from its template.
        let is_special = kernel.template.as_ref().is_some_and(Vec::is_empty);
        let mut templates = self.index.functions(&kernel.name).iter().filter(|one| {
            one.qualified == kernel.qualified
                && one.params.len() == kernel.params.len()
                && one.template.as_ref().is_some_and(|own| !own.is_empty())
        });
        let kernel = match (is_special, templates.next(), templates.next()) {
            (true, Some(template), None) => template,
            _ => kernel,
        };
        let Some(params) = &kernel.template else {
            return args;
        };
        let mut found = BTreeMap::new();
        let mut numbers = BTreeMap::new();
        for (param, ty) in kernel.params.iter().zip(types) {
            if let Some(ty) = ty {
                bind(&param.ty, ty, params, &mut found);
                let ty = self.with_numbers(ty.clone());
                bind_numbers(&param.ty, &ty, params, &mut numbers);
            }
        }
        for param in params.iter().skip(args.len()) {
            let Some(name) = param.name.as_ref().filter(|_| !param.pack) else {
                break;
            };
            let arg = match &param.kind {
                TemplateParamKind::Type { .. } => found.get(name).cloned().map(TemplateArg::Type),
                TemplateParamKind::Value { .. } => numbers.get(name).cloned(),
                TemplateParamKind::Template { .. } => None,
            };
            let Some(arg) = arg else { break };
            args.push(arg);
        }
        args
    }

    /// The type of an argument as written, template parameters replaced; without references.
    pub(super) fn written_type(&mut self, expr: &'u Expr) -> Option<Type> {
        let pointed = |ty: Type| match ty.kind {
            TypeKind::Pointer(to) | TypeKind::Array(to, _) => Some(*to),
            _ => None,
        };
        match &expr.kind {
            ExprKind::Name(name) => {
                let base = name.as_simple()?;
                let found = self
                    .frame()
                    .scopes
                    .iter()
                    .rev()
                    .find_map(|scope| scope.get(base).copied());
                let root = match found {
                    Some(root) => root,
                    None => match self.written_member(expr) {
                        Some(ty) => return Some(ty),
                        None => self.global(name)?,
                    },
                };
                let ty = self.written.get(&root)?.clone();
                Some(match ty.kind {
                    TypeKind::Reference(to) | TypeKind::RvalueReference(to) => *to,
                    TypeKind::Auto => return None,
                    _ => ty,
                })
            }
            ExprKind::Cast { ty, .. } | ExprKind::Construct { ty, .. } => {
                Some(self.substituted(ty))
            }
            // `Call(K)` of a class
            ExprKind::Call { callee, .. } => {
                let ExprKind::Name(name) = &callee.kind else {
                    return None;
                };
                let path = self.frame().types.path.clone();
                self.index
                    .types_at(&name.lookup_path(), &path, name.range)
                    .first()?;
                if !self
                    .index
                    .functions_at(&name.lookup_path(), &path, name.range)
                    .is_empty()
                {
                    return None;
                }
                let ty = Type::new(TypeKind::Named(name.clone()), name.range);
                Some(self.substituted(&ty))
            }
            ExprKind::Member { .. } => self.written_member(expr),
            ExprKind::AddressOf(inner) => {
                let ty = self.written_type(inner)?;
                let range = ty.range;
                Some(Type::new(TypeKind::Pointer(Box::new(ty)), range))
            }
            ExprKind::Index { base, .. } => self.written_type(base).and_then(pointed),
            ExprKind::Deref(inner) => self.written_type(inner).and_then(pointed),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, left, right) => {
                let left = self.written_type(left)?;
                match left.kind {
                    TypeKind::Pointer(_) | TypeKind::Array(..) => Some(left),
                    _ => {
                        let right = self.written_type(right)?;
                        (left.kind == right.kind).then_some(left)
                    }
                }
            }
            ExprKind::Int { ty, .. } | ExprKind::Float { ty, .. } => {
                Some(Type::new(TypeKind::Scalar(*ty), expr.range))
            }
            _ => None,
        }
    }

    pub(super) fn substituted(&self, ty: &Type) -> Type {
        match self.frames.last() {
            Some(frame) => substitute(ty, &frame.type_args),
            None => ty.clone(),
        }
    }

    /// Binds the template parameters of a function to given and deduced arguments.
    pub(super) fn bind_template(
        &mut self,
        function: &'u Function,
        given: Option<&[TemplateArg]>,
        args: &'u [Expr],
        frame: &mut Frame<'u>,
    ) {
        let Some(params) = &function.template else {
            return;
        };
        let types = self.expanded(args, &mut |me, arg| me.written_type(arg));
        let mut found = BTreeMap::new();
        for (param, ty) in function.params.iter().zip(&types) {
            if param.pack {
                break;
            }
            if let Some(ty) = ty {
                bind(&param.ty, ty, params, &mut found);
            }
        }
        self.bind_parameters(params, given, &found, frame);
    }

    /// Binds template parameters to what is given, was deduced, or is their default.
    pub(super) fn bind_parameters(
        &mut self,
        params: &[TemplateParam],
        given: Option<&[TemplateArg]>,
        found: &BTreeMap<String, Type>,
        frame: &mut Frame<'u>,
    ) {
        for (position, param) in params.iter().enumerate() {
            if param.pack {
                break;
            }
            let Some(name) = &param.name else { continue };
            let arg = given.and_then(|given| given.get(position));
            match &param.kind {
                TemplateParamKind::Type { default } => {
                    let ty = match arg {
                        Some(TemplateArg::Type(ty)) => Some(self.substituted(ty)),
                        Some(TemplateArg::Name(name)) => {
                            let ty = Type::new(TypeKind::Named(name.clone()), name.range);
                            Some(self.substituted(&ty))
                        }
                        Some(TemplateArg::Expr(_)) => None,
                        // A default may be made of the parameters before it.
                        None => found.get(name).cloned().or_else(|| {
                            let default = default.as_ref()?;
                            Some(substitute(default, &frame.type_args))
                        }),
                    };
                    if let Some(ty) = ty {
                        let resolved = self.resolve(&ty);
                        frame.types.types.insert(name.clone(), resolved);
                        frame.type_args.insert(name.clone(), ty);
                    }
                }
                TemplateParamKind::Value { default, .. } => {
                    let value = match arg {
                        Some(arg) => self.template_value(arg),
                        None => default.as_ref().and_then(|default| match &default.kind {
                            ExprKind::Int { value, ty } => Some(Term::Constant(
                                i128::from(*value),
                                crate::lower::types::scalar(*ty).ctype(),
                            )),
                            ExprKind::Name(other) => frame.values.get(other.as_simple()?).cloned(),
                            _ => None,
                        }),
                    };
                    match (value, arg) {
                        (Some(value), _) => {
                            frame.values.insert(name.clone(), value);
                        }
                        (None, Some(arg)) => {
                            if let Some(function) = self.device_function(arg) {
                                frame.type_args.insert(name.clone(), function);
                            }
                        }
                        (None, None) => {}
                    }
                }
                TemplateParamKind::Template { .. } => {}
            }
        }
    }

    /// The function of the device that a template argument names, as the type that stands for it where names are replaced.
    pub(super) fn device_function(&self, arg: &TemplateArg) -> Option<Type> {
        let name = match arg {
            TemplateArg::Expr(Expr {
                kind: ExprKind::Name(name),
                ..
            })
            | TemplateArg::Name(name)
            | TemplateArg::Type(Type {
                kind: TypeKind::Named(name),
                ..
            }) => name,
            _ => return None,
        };
        let function = Type::new(TypeKind::Named(name.clone()), name.range);
        let function = self.substituted(&function);
        let TypeKind::Named(meant) = &function.kind else {
            return None;
        };
        let functions = self.index.functions(&meant.base);
        let of_device = |one: &&'u Function| one.quals.device && !one.quals.global;
        (!functions.is_empty() && functions.iter().all(of_device)).then_some(function)
    }

    /// The constant that a template argument is.
    pub(super) fn template_value(&mut self, arg: &TemplateArg) -> Option<Term> {
        let term = match arg {
            TemplateArg::Expr(expr) => self.constant_of(expr)?,
            // `Mode::fast` may be read as a type.
            TemplateArg::Name(name)
            | TemplateArg::Type(Type {
                kind: TypeKind::Named(name),
                ..
            }) => self.constant_name(name)?,
            TemplateArg::Type(_) => return None,
        };
        term.as_constant().map(|_| term)
    }

    /// The template arguments of a name, with what is known here in place of names; the types behind them that only an instance
    /// of a host template would tell, if those are all; and whether there are more that are not known.
    pub(super) fn template_args(
        &mut self,
        args: &[TemplateArg],
    ) -> (Vec<TemplateArg>, Vec<TemplateArg>, bool) {
        let mut known = Vec::new();
        // Types of a host template that nobody instantiates here, behind what is known.
        let mut open = 0;
        for arg in args {
            let before = std::mem::take(&mut open);
            let written = match arg {
                TemplateArg::Type(ty) => TemplateArg::Type(self.substituted(ty)),
                TemplateArg::Name(name) => {
                    let ty = Type::new(TypeKind::Named(name.clone()), name.range);
                    let replaced = self.substituted(&ty);
                    if replaced != ty {
                        TemplateArg::Type(replaced)
                    } else if let Some(value) = self.template_value(arg) {
                        literal(&value, name.range).unwrap_or_else(|| arg.clone())
                    } else if self.is_open_type(name) {
                        open = before + 1;
                        arg.clone()
                    } else if self.is_parameter(&name.base) {
                        // Of a host template that nobody instantiates here.
                        break;
                    } else {
                        arg.clone()
                    }
                }
                TemplateArg::Expr(expr) => match (self.template_value(arg), &expr.kind) {
                    (Some(value), _) => literal(&value, expr.range).unwrap_or_else(|| arg.clone()),
                    // A function that a host template was given.
                    (None, ExprKind::Name(name)) => {
                        let ty = Type::new(TypeKind::Named(name.clone()), name.range);
                        let replaced = self.substituted(&ty);
                        match replaced == ty {
                            true => arg.clone(),
                            false => TemplateArg::Type(replaced),
                        }
                    }
                    (None, _) => arg.clone(),
                },
            };
            known.push(written);
        }
        let is_all = known.len() == args.len();
        let mut behind = known.split_off(known.len() - open);
        if !is_all {
            behind.clear();
        }
        let rest_is_open = known.len() < args.len();
        (known, behind, rest_is_open)
    }

    /// Whether a name is a type that only an instance of a host template would tell, and nothing else: as an argument it says nothing.
    fn is_open_type(&self, name: &Name) -> bool {
        let Some(simple) = name.as_simple() else {
            return false;
        };
        let functions = self.frames.iter();
        let mut functions = functions.filter_map(|frame| self.function_at(frame.function));
        !self.index.declares_type(simple)
            && functions.any(|function| {
                let mut params = function.template.iter().flatten();
                params.any(|param| {
                    matches!(param.kind, TemplateParamKind::Type { .. })
                        && param.name.as_deref() == Some(simple)
                })
            })
    }

    pub(super) fn is_parameter(&self, name: &str) -> bool {
        self.frames.iter().any(|frame| {
            self.function_at(frame.function).is_some_and(|function| {
                function
                    .template
                    .iter()
                    .flatten()
                    .any(|param| param.name.as_deref() == Some(name))
            })
        })
    }
}

/// A number as a template argument.
pub(super) fn literal(value: &Term, range: Range) -> Option<TemplateArg> {
    let value = u64::try_from(value.as_constant()?).ok()?;
    let ty = if value <= i32::MAX as u64 {
        Scalar::Int
    } else {
        Scalar::Long
    };
    let kind = ExprKind::Int { value, ty };
    Some(TemplateArg::Expr(Expr { kind, range }))
}

/// Whether a function takes so many arguments.
pub(super) fn takes(function: &Function, count: usize) -> bool {
    let required = function
        .params
        .iter()
        .filter(|param| param.default.is_none() && !param.pack)
        .count();
    function.variadic || (required..=function.params.len()).contains(&count)
}

/// `hipLaunchKernel(f, grid, block, args, shmem, stream)` against the older form.
fn is_array(args: &[Expr]) -> bool {
    matches!(args.get(3), Some(Expr { kind: ExprKind::Name(name), .. }) if name.base.to_lowercase().contains("arg"))
}
