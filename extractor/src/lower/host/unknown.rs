//! Calls of what is not known: everything that can be reached may have changed, and nothing is known of what comes back.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::alias::Kind;
use super::call::Operand;
use super::library::{self, Effects};
use super::value::*;
use super::{Host, Term};
use crate::lower::types::Ty;
use crate::syntax::ast::*;

/// Why a kernel may be launched in any way whose name is a value that went away.
const HANDED_ON: &str = "it is handed to code that is not followed";

/// What an unknown function is called as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unknown {
    Function,
    /// A member of a class that may be unknown as well.
    Member,
    /// None that is declared under its name can be named where it is called: whether it takes references is not told.
    OutOfSight,
}

impl<'u> Host<'_, 'u> {
    /// A value went where it cannot be followed: kernels may be launched in any way, lambdas may
    /// be called any number of times.
    pub(super) fn lost(&mut self, value: &Value<'u>) {
        match value {
            Value::Kernels(kernels) => {
                for kernel in kernels.iter().flat_map(|one| &one.kernels) {
                    self.arbitrary
                        .entry(*kernel)
                        .or_insert_with(|| HANDED_ON.to_owned());
                }
            }
            Value::Function(name) => self.mentioned(&name.base, HANDED_ON),
            Value::Tree(parts, _) => {
                for (_, value) in parts.iter() {
                    self.lost(&value.clone());
                }
            }
            Value::Closure(closure) => {
                let range = closure.lambda.body.range;
                if self.frames.iter().any(|frame| frame.function == range) {
                    return;
                }
                let closure = closure.clone();
                self.repeated(&mut |me| {
                    me.some_time();
                    me.invoke(&closure, Vec::new());
                });
            }
            _ => {}
        }
    }

    /// A function that is not in the unit.
    pub(super) fn unknown_call(&mut self, name: &str, operands: Vec<Operand<'u>>) -> Value<'u> {
        self.unknown_function(name, Unknown::Function, operands)
    }

    /// A function that is not in the unit; a member may be one of a class that is not known either.
    pub(super) fn unknown_function(
        &mut self,
        name: &str,
        kind: Unknown,
        operands: Vec<Operand<'u>>,
    ) -> Value<'u> {
        let is_member = kind == Unknown::Member;
        let values: Vec<Value<'u>> = operands.iter().map(|(value, _)| value.clone()).collect();
        if is_query(name) {
            // They only look at the kernel.
            for (value, _) in &operands {
                if let Value::Pointer(Pointer::At(place, _), _) = value {
                    self.havoc(&place.clone(), BTreeSet::new());
                }
            }
            return Value::unknown();
        }
        for value in &values {
            self.lost(value);
        }
        self.handed_on(&values);
        if is_api(name) {
            let copies = name.contains("Memcpy") || name.contains("Memset");
            // Pointers in it: kernels write through those, wherever they are found.
            if let Some(source) = values.get(1).filter(|_| name.contains("Memcpy")) {
                let roots = self.roots_of(source);
                let roots = self.reachable(roots);
                self.copied.extend(roots);
            }
            for (position, value) in values.iter().enumerate() {
                if copies && position > 0 {
                    break;
                }
                // An enumerator of the runtime is no pointer.
                let is_open = matches!(value, Value::Unknown(roots) if roots.is_empty());
                if copies || !is_open {
                    self.filled(value, &BTreeSet::new());
                }
            }
            return Value::unknown();
        }
        if takes_values(name) {
            if matches!(
                name,
                "memcpy" | "memset" | "memmove" | "sprintf" | "snprintf"
            ) && let Some(target) = values.first()
            {
                let mut sources = BTreeSet::new();
                for value in &values[1..] {
                    sources.extend(self.roots_of(value));
                }
                self.filled(target, &sources);
            }
            return match library::is_input(name) {
                true => Value::Unknown(Rc::new(BTreeSet::from([self.outside]))),
                false => Value::unknown(),
            };
        }
        let declared = self.index.functions(name);
        if declared.is_empty()
            && name == "make_pair"
            && let Some(pair) = super::construct::pair(&values)
        {
            return pair;
        }
        if declared.is_empty() && !is_member && library::copies_elements(name) {
            self.havoc_reached(&values);
            self.copied_among(&operands);
            return self.result_of(&operands);
        }
        if declared.is_empty()
            && !is_member
            && let Some(effects) = library::effects(name)
        {
            let result = self.library_call((name, effects), &values);
            return match library::is_input(name) {
                true => Value::Unknown(Rc::new(BTreeSet::from([self.outside]))),
                false => result,
            };
        }
        let mut roots = BTreeSet::new();
        for value in &values {
            roots.extend(self.roots_of(value));
        }
        self.havoc_reached(&values);
        let mut given = BTreeSet::new();
        for (position, (_, place)) in operands.iter().enumerate() {
            let by_value = !declared.is_empty()
                && kind != Unknown::OutOfSight
                && declared
                    .iter()
                    .all(|function| match function.params.get(position) {
                        Some(param) => match &param.ty.kind {
                            TypeKind::Reference(to) => to.is_const,
                            TypeKind::RvalueReference(_) => false,
                            _ => true,
                        },
                        None => false,
                    });
            if let Some((place, ty)) = place
                && !by_value
                && !matches!(ty, Ty::Array(..))
            {
                if declared.is_empty() && !is_member && is_of_missing_header(name) {
                    let sizes = operands[position].0.clone();
                    if is_dim3(ty) && self.is_told_size(sizes) {
                        self.taken_unchanged.insert(name.to_owned());
                        continue;
                    }
                }
                if !declared.is_empty() {
                    self.kept(place);
                    given.insert(place.root);
                }
                self.havoc(place, roots.clone());
            }
        }
        roots.extend(given);
        // What a function gives that nothing declares is not told.
        let declared = match kind {
            Unknown::OutOfSight => &[],
            Unknown::Function | Unknown::Member => declared,
        };
        let gives_pointer =
            |function: &&'u Function| matches!(function.ret.kind, TypeKind::Pointer(_));
        let lower = name.to_lowercase();
        if ["alloc", "create", "make", "new"]
            .iter()
            .any(|part| lower.contains(part))
        {
            let sources = self.reachable(roots.clone());
            let made = self.allocation(name, sources);
            if !declared.is_empty() && declared.iter().all(gives_pointer) {
                let ty = self.resolve(&declared[0].ret);
                return self.converted(made, &ty, name);
            }
            if let Value::Pointer(Pointer::At(place, _), _) = made {
                return Value::Unknown(Rc::new(BTreeSet::from([place.root])));
            }
        }
        let mut roots = self.reachable(roots);
        roots.insert(self.objects.interned(Kind::Result(name.to_owned()), name));
        if library::is_input(name) {
            roots.insert(self.outside);
        }
        if !declared.is_empty() && declared.iter().all(gives_pointer) {
            // One object, though it is not known which: what is stored there is there.
            let ty = self.resolve(&declared[0].ret);
            let given = self.objects.object(Kind::Variable, name, ty.clone());
            self.havoc(&Place::of(given), roots);
            return self.read(&Place::of(given), &ty);
        }
        Value::Unknown(Rc::new(roots))
    }

    /// Whether the sizes of a launch were given to an object: it is not one that still waits for them.
    fn is_told_size(&mut self, value: Value<'u>) -> bool {
        let is_one = |term: &Option<Term>| term.as_ref().and_then(Term::as_constant) == Some(1);
        !self.sizes(value).iter().all(is_one)
    }

    /// A call of a function of a library that is known not to touch the program's own variables.
    fn library_call(
        &mut self,
        (name, effects): (&str, Effects),
        values: &[Value<'u>],
    ) -> Value<'u> {
        let mut roots = BTreeSet::new();
        for value in values {
            roots.extend(self.roots_of(value));
        }
        match effects {
            Effects::None => return Value::unknown(),
            Effects::Into => {}
            Effects::Writes | Effects::Mixes => {
                let sources = match effects {
                    Effects::Mixes => self.reachable(roots.clone()),
                    _ if library::reads_input(name) => BTreeSet::from([self.outside]),
                    _ => BTreeSet::new(),
                };
                let mut written = roots.clone();
                for root in &roots {
                    if let Some(version) = self.objects.found_at(*root) {
                        written.extend(self.objects.sources_of(version));
                    }
                }
                let mut heap = false;
                for root in written {
                    if self.objects.get(root).kind == Kind::Variable {
                        self.havoc(&Place::of(root), sources.clone());
                    } else {
                        heap = true;
                    }
                }
                if heap {
                    let version = self.objects.version(sources);
                    self.forget_heap(version);
                }
                return Value::unknown();
            }
        }
        Value::Unknown(Rc::new(roots))
    }

    /// The ends of the ways out of the loop that stands for "any number of times".
    pub(super) fn some_time(&mut self) {
        if let (Some(state), Some(exits)) = (&self.state, self.exits.last_mut()) {
            exits.breaks.push(state.clone());
        }
    }
}

pub(super) fn allocates(name: &str) -> bool {
    [
        "cudaMalloc",
        "hipMalloc",
        "cudaHostAlloc",
        "hipHostAlloc",
        "hipHostMalloc",
        "cuMemAlloc",
        "cudaHostMalloc",
    ]
    .iter()
    .any(|prefix| name.starts_with(prefix))
        && !name.contains("3D")
        && !name.contains("Array")
}

pub(super) fn is_api(name: &str) -> bool {
    ["cuda", "hip", "cu", "nv"].iter().any(|prefix| {
        name.strip_prefix(prefix)
            .and_then(|rest| rest.chars().next())
            .is_some_and(|next| next.is_ascii_uppercase())
    })
}

/// Functions that take a kernel and do not launch it.
fn is_query(name: &str) -> bool {
    is_api(name)
        && (name.contains("FuncSet")
            || name.contains("FuncGet")
            || name.contains("Occupancy")
            || name.contains("GetFuncBySymbol"))
}

/// Functions of the C library that change nothing but their first argument.
fn takes_values(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "printf",
        "fprintf",
        "sprintf",
        "snprintf",
        "free",
        "memset",
        "memcpy",
        "memmove",
        "atoi",
        "atol",
        "atoll",
        "atof",
        "assert",
        "sqrt",
        "sqrtf",
        "pow",
        "powf",
        "log2",
        "log",
        "log10",
        "exp",
        "fabs",
        "abs",
        "rand",
        "srand",
        "puts",
        "fflush",
        "fclose",
        "fopen",
        "strcmp",
        "strlen",
        "strncmp",
        "time",
        "clock",
        "cos",
        "sin",
        "floor",
        "isnan",
        "stoi",
        "to_string",
        "now",
        "static_assert",
        "__builtin_expect",
        "usleep",
    ];
    NAMES.contains(&name)
}

/// Classes of the standard library and thrust, which keep no reference to the arguments of their
/// constructors.
pub(super) fn is_container(ty: &Type) -> bool {
    let name = match &ty.kind {
        TypeKind::Named(name) => name,
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => return is_container(to),
        _ => return false,
    };
    let first = name.qualifier.first().map(|segment| segment.name.as_str());
    matches!(first, Some("std" | "thrust" | "cub"))
        || matches!(
            name.base.as_str(),
            "vector" | "device_vector" | "host_vector" | "string" | "uniform_int_distribution"
        )
}

/// The type of the elements of a container of the standard library, as written.
pub(super) fn element_of(ty: &Type) -> Option<Type> {
    let name = match &ty.kind {
        TypeKind::Named(name) => name,
        TypeKind::Reference(to) | TypeKind::RvalueReference(to) => return element_of(to),
        _ => return None,
    };
    let holds_elements = matches!(
        name.base.as_str(),
        "vector"
            | "device_vector"
            | "host_vector"
            | "array"
            | "deque"
            | "list"
            | "forward_list"
            | "set"
    );
    match name.args.as_deref() {
        Some([TemplateArg::Type(element), ..]) if holds_elements => Some(element.clone()),
        Some([TemplateArg::Name(element), ..]) if holds_elements => {
            Some(Type::new(TypeKind::Named(element.clone()), element.range))
        }
        _ => None,
    }
}

/// A name in capitals that nothing declares: a macro of a header that was not found, of a logger as a rule. It would be odd for it to
/// change the sizes of a launch that it is given; that it does not is listed.
fn is_of_missing_header(name: &str) -> bool {
    let letters = || name.chars().filter(|letter| letter.is_alphabetic());
    letters().next().is_some() && letters().all(|letter| letter.is_ascii_uppercase())
}

fn is_dim3(ty: &Ty) -> bool {
    matches!(ty, Ty::Struct(class) if class.name == "dim3")
}
