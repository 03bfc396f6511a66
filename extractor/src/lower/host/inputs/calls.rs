//! Functions of libraries that allocate, copy, fill, sort and scan arrays, and what they leave.

use super::forms::{self, Scope};
use super::grown::equal;
use super::mentions::Followed;
use super::names::Names;
use super::{Count, Fact, Order, Walk, kernels, simple, uncast};
use crate::lower::contracts::Property;
use crate::lower::unit::UnitIndex;
use crate::lower::walk;
use crate::syntax::ast::*;

/// How an argument is passed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Value,
    /// An array, or an iterator of one; or a value.
    Array,
    /// The address of a pointer that gets an allocation.
    Allocated,
    /// A place that is set.
    Element,
    Unknown,
}

/// Functions that change the elements of all arrays that they get.
const CHANGE_ALL: [&str; 10] = [
    "iota",
    "sequence",
    "fill",
    "generate",
    "sort",
    "stable_sort",
    "sort_by_key",
    "shuffle",
    "random_shuffle",
    "reverse",
];

/// Those that write a scan of one array to another, or to the same.
const SCANS: [&str; 3] = ["exclusive_scan", "inclusive_scan", "partial_sum"];

/// Those that write the elements of one array to another.
const COPIES: [&str; 2] = ["copy", "copy_n"];

/// Functions that take numbers by value, or by references that they do not write to.
const BY_VALUE: [&str; 27] = [
    "printf",
    "fprintf",
    "sprintf",
    "snprintf",
    "puts",
    "min",
    "max",
    "abs",
    "rand",
    "srand",
    "random",
    "malloc",
    "calloc",
    "atoi",
    "atof",
    "atol",
    "time",
    "clock",
    "exit",
    "assert",
    "sqrt",
    "pow",
    "log2",
    "ceil",
    "floor",
    "to_string",
    "dim3",
];

/// Functions of the runtime that take numbers and streams by value, without `cuda` or `hip`.
const RUNTIME_BY_VALUE: [&str; 41] = [
    "DeviceSynchronize",
    "ThreadSynchronize",
    "DeviceReset",
    "DeviceGetAttribute",
    "DeviceSetLimit",
    "DeviceSetCacheConfig",
    "DeviceCanAccessPeer",
    "DeviceEnablePeerAccess",
    "SetDevice",
    "SetDeviceFlags",
    "GetDevice",
    "GetDeviceCount",
    "GetDeviceProperties",
    "GetLastError",
    "PeekAtLastError",
    "GetErrorString",
    "GetErrorName",
    "StreamSynchronize",
    "StreamCreate",
    "StreamCreateWithFlags",
    "StreamCreateWithPriority",
    "StreamDestroy",
    "StreamQuery",
    "StreamWaitEvent",
    "EventCreate",
    "EventCreateWithFlags",
    "EventDestroy",
    "EventRecord",
    "EventSynchronize",
    "EventElapsedTime",
    "EventQuery",
    "FuncSetAttribute",
    "FuncSetCacheConfig",
    "FuncGetAttributes",
    "MemGetInfo",
    "MemPrefetchAsync",
    "MemAdvise",
    "OccupancyMaxActiveBlocksPerMultiprocessor",
    "OccupancyMaxPotentialBlockSize",
    "ProfilerStart",
    "ProfilerStop",
];

/// Those that allocate, copy, set and free memory.
const RUNTIME_ALLOCATES: [&str; 6] = [
    "Malloc",
    "MallocHost",
    "MallocManaged",
    "HostAlloc",
    "MallocAsync",
    "HostMalloc",
];
const RUNTIME_OF_MEMORY: [&str; 8] = [
    "Memcpy",
    "MemcpyAsync",
    "Memset",
    "MemsetAsync",
    "Free",
    "FreeHost",
    "HostFree",
    "FreeAsync",
];

/// Functions of C that do so.
const C_OF_MEMORY: [&str; 3] = ["memcpy", "memset", "free"];

/// Whether a callee is a function of the runtime that is known.
pub(super) fn is_of_runtime<'u>(index: &UnitIndex<'u>, names: &Names<'u>, callee: &Expr) -> bool {
    named(callee).is_some_and(|name| {
        let short = of_runtime(&name.base);
        is_runtime(&name.base)
            && name.qualifier.is_empty()
            && names.is_global(index, name)
            && (RUNTIME_BY_VALUE.contains(&short)
                || RUNTIME_ALLOCATES.contains(&short)
                || RUNTIME_OF_MEMORY.contains(&short))
    })
}

/// Whether a name is that of an algorithm of a library that changes arrays.
pub(super) fn is_name_of_algorithm(name: &str) -> bool {
    name == "swap"
        || CHANGE_ALL.contains(&name)
        || SCANS.contains(&name)
        || COPIES.contains(&name)
        || C_OF_MEMORY.contains(&name)
}

/// What a callee is known to be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Known {
    /// It changes nothing that it gets.
    ByValue,
    Allocates,
    /// It changes what its first argument points to.
    OfMemory,
    Swap,
    /// It changes all arrays that it gets.
    ChangesAll,
    Scan,
    /// It changes the array that it gets last.
    Copies,
    ScanOfDevice,
    /// A function of the program, or one that is not known.
    Other,
}

/// What is known of a callee: only what is surely a function of a library is anything.
pub(super) fn known<'u>(index: &UnitIndex<'u>, names: &Names<'u>, callee: &Expr) -> Known {
    let Some(name) = named(callee) else {
        return Known::Other;
    };
    let base = name.base.as_str();
    if is_of_runtime(index, names, callee) {
        let short = of_runtime(base);
        return match short {
            _ if RUNTIME_ALLOCATES.contains(&short) => Known::Allocates,
            _ if RUNTIME_OF_MEMORY.contains(&short) => Known::OfMemory,
            _ => Known::ByValue,
        };
    }
    if is_scan_of_device(name) && names.is_qualified(name) {
        return Known::ScanOfDevice;
    }
    let is_global = names.is_global(index, name);
    let is_library = names.is_library(index, name);
    match base {
        _ if C_OF_MEMORY.contains(&base) && is_global => Known::OfMemory,
        _ if BY_VALUE.contains(&base) && is_global => Known::ByValue,
        "swap" if is_library => Known::Swap,
        _ if CHANGE_ALL.contains(&base) && is_library => Known::ChangesAll,
        _ if SCANS.contains(&base) && is_library => Known::Scan,
        _ if COPIES.contains(&base) && is_library => Known::Copies,
        _ => Known::Other,
    }
}

pub(super) fn named(callee: &Expr) -> Option<&Name> {
    match &callee.kind {
        ExprKind::Name(name) => Some(name),
        _ => None,
    }
}

fn is_scan_of_device(name: &Name) -> bool {
    matches!(name.base.as_str(), "ExclusiveSum" | "InclusiveSum")
        && name
            .qualifier
            .last()
            .is_some_and(|class| class.name == "DeviceScan")
}

fn is_runtime(name: &str) -> bool {
    let rest = name
        .strip_prefix("cuda")
        .or_else(|| name.strip_prefix("hip"));
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
}

/// The name of a function of the runtime without `cuda` or `hip`.
fn of_runtime(name: &str) -> &str {
    match is_runtime(name) {
        true => name
            .strip_prefix("cuda")
            .or_else(|| name.strip_prefix("hip"))
            .unwrap_or(name),
        false => name,
    }
}

/// How the arguments of a call are passed.
pub(super) fn parts_of<'u>(
    index: &UnitIndex<'u>,
    names: &Names<'u>,
    callee: &Expr,
    count: usize,
) -> Vec<Part> {
    let all = |part: Part| vec![part; count];
    let Some(name) = named(callee) else {
        return all(Part::Unknown);
    };
    let base = name.base.as_str();
    let own = index.functions(base);
    let is_own = !own.is_empty() && !names.is_qualified(name) && !names.own.contains(base);
    if is_own {
        return (0..count)
            .map(|position| {
                let mut parts = own
                    .iter()
                    .map(|function| by_parameter(function, position, name));
                let first = parts.next().unwrap_or(Part::Unknown);
                match parts.all(|part| part == first) {
                    true => first,
                    false => Part::Unknown,
                }
            })
            .collect();
    }
    let first = |part: Part| {
        let rest = std::iter::repeat(Part::Value);
        std::iter::once(part).chain(rest).take(count).collect()
    };
    match known(index, names, callee) {
        Known::Allocates => first(Part::Allocated),
        Known::OfMemory | Known::ChangesAll | Known::Scan | Known::Copies => all(Part::Array),
        Known::ByValue => all(Part::Value),
        Known::Swap if count == 2 => all(Part::Element),
        Known::ScanOfDevice => {
            let parts = [Part::Array, Part::Element, Part::Array, Part::Array];
            let rest = std::iter::repeat(Part::Value);
            parts.into_iter().chain(rest).take(count).collect()
        }
        Known::Swap | Known::Other => all(Part::Unknown),
    }
}

/// How a function of the unit takes an argument.
fn by_parameter(function: &Function, position: usize, called: &Name) -> Part {
    let Some(param) = function.params.get(position).filter(|param| !param.pack) else {
        return Part::Unknown;
    };
    // A body may take away that what it gets is constant.
    let converts = kernels::converts_pointers(function);
    let is_template_type = |name: &Name| {
        let params = function.template.iter().flatten();
        name.as_simple().is_some_and(|name| {
            let mut params =
                params.filter(|one| matches!(one.kind, TemplateParamKind::Type { .. }));
            params.any(|one| one.name.as_deref() == Some(name))
        })
    };
    match &param.ty.kind {
        TypeKind::Reference(to) if to.is_const && !converts => match &to.kind {
            TypeKind::Scalar(_) => Part::Value,
            // A pointer that is constant may point to what is not.
            TypeKind::Named(name) if is_container_name(name) => Part::Array,
            _ => Part::Unknown,
        },
        TypeKind::Pointer(to) | TypeKind::Array(to, _) if to.is_const && !converts => Part::Array,
        TypeKind::Scalar(_) => Part::Value,
        // Types that are told may be references.
        TypeKind::Named(name) if is_template_type(name) && called.args.is_none() => Part::Value,
        _ => Part::Unknown,
    }
}

fn is_container_name(name: &Name) -> bool {
    let first = name.qualifier.first().map(|one| one.name.as_str());
    match name.base.as_str() {
        "vector" => first == Some("std"),
        "device_vector" | "host_vector" => first == Some("thrust"),
        _ => false,
    }
}

/// The array that an argument is, or is an iterator of.
pub(super) fn array_in<'u>(followed: &Followed<'u>, arg: &'u Expr) -> Option<&'u str> {
    let begin = || followed.begin(arg);
    let end = || followed.end(arg).map(|(name, _)| name);
    followed.pointer(arg).or_else(begin).or_else(end)
}

/// `&p`, `(void **)&p`
pub(super) fn addressed(arg: &Expr) -> Option<&Expr> {
    match &uncast(arg).kind {
        ExprKind::AddressOf(inner) => simple(inner).map(|_| &**inner),
        _ => None,
    }
}

/// The elements that so many bytes are, with their type: `n * sizeof(int)`.
pub(super) fn elements<'e>(bytes: &'e Expr) -> Option<(Option<Scalar>, Count<'e>)> {
    let size = |expr: &Expr| match &expr.kind {
        ExprKind::SizeofType(ty) => ty.scalar(),
        _ => None,
    };
    let count = |expr: &'e Expr| match &expr.kind {
        ExprKind::Int { value, .. } => Count::Number(i128::from(*value)),
        _ => Count::Of(expr, 0),
    };
    let mut bytes = bytes;
    while let ExprKind::Cast { ty, arg, .. } = &bytes.kind
        && let Some(ty) = ty.scalar()
        && ty.bits() >= 64
        && ty.signedness().is_some()
    {
        bytes = arg;
    }
    match &bytes.kind {
        ExprKind::Binary(BinaryOp::Mul, left, right) => match (size(left), size(right)) {
            (Some(ty), None) => Some((Some(ty), count(right))),
            (None, Some(ty)) => Some((Some(ty), count(left))),
            _ => None,
        },
        ExprKind::SizeofType(ty) => Some((ty.scalar(), Count::Number(1))),
        _ => None,
    }
}

/// What an expression that allocates memory gives: the type of the elements and how many, where they are written there.
pub(super) fn allocation<'e, 'u>(
    index: &UnitIndex<'u>,
    names: &Names<'u>,
    expr: &'e Expr,
) -> Option<(Option<Scalar>, Option<Count<'e>>)> {
    let cast = match &expr.kind {
        ExprKind::Cast { ty, .. } => match &ty.kind {
            TypeKind::Pointer(to) => to.scalar(),
            _ => None,
        },
        _ => None,
    };
    match &uncast(expr).kind {
        ExprKind::Nullptr | ExprKind::Int { value: 0, .. } => Some((cast, None)),
        ExprKind::New { ty, operands } => match operands.as_slice() {
            // Behind the type: in front of it is a place.
            [count] if count.range.start >= ty.range.end => {
                Some((ty.scalar(), Some(Count::Of(count, 0))))
            }
            _ => None,
        },
        ExprKind::Call { callee, args } if known(index, names, callee) == Known::ByValue => {
            match (named(callee)?.base.as_str(), args.as_slice()) {
                ("malloc", [bytes]) => {
                    let elements = elements(bytes).filter(|(ty, _)| *ty == cast);
                    Some((cast, elements.map(|(_, count)| count)))
                }
                ("calloc", [count, size]) => {
                    let of = match &size.kind {
                        ExprKind::SizeofType(ty) => ty.scalar(),
                        _ => None,
                    };
                    let count = (of.is_some() && of == cast).then_some(Count::Of(count, 0));
                    Some((cast, count))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// The followed names that a call changes, if it is what its name says.
pub(super) fn written<'u>(
    followed: &Followed<'u>,
    callee: &'u Expr,
    args: &'u [Expr],
) -> Vec<&'u str> {
    let Some(name) = named(callee) else {
        return Vec::new();
    };
    let base = name.base.as_str();
    let at = |position: usize| {
        let arg = args.get(position).into_iter();
        arg.flat_map(|arg| arrays_in(followed, arg))
    };
    let of_place = |arg: &'u Expr| match &arg.kind {
        ExprKind::Index { base, .. } => simple(base),
        _ => simple(arg),
    };
    if is_scan_of_device(name) {
        let size = args.get(1).and_then(simple);
        return at(0).chain(at(3)).chain(size).collect();
    }
    let short = of_runtime(base);
    if RUNTIME_OF_MEMORY.contains(&short) || C_OF_MEMORY.contains(&short) {
        at(0).collect()
    } else if RUNTIME_ALLOCATES.contains(&short) {
        let pointer = args.first().and_then(addressed);
        pointer.and_then(simple).into_iter().collect()
    } else if short == "swap" {
        args.iter().filter_map(of_place).collect()
    } else if COPIES.contains(&short) {
        let to = args.last().into_iter();
        to.flat_map(|arg| arrays_in(followed, arg)).collect()
    } else if CHANGE_ALL.contains(&short) || SCANS.contains(&short) {
        let args = args.iter();
        args.flat_map(|arg| arrays_in(followed, arg)).collect()
    } else {
        Vec::new()
    }
}

/// The followed arrays that an expression names.
pub(super) fn arrays_in<'u>(followed: &Followed<'u>, expr: &'u Expr) -> Vec<&'u str> {
    let mut found = Vec::new();
    walk::sub_exprs(expr, &mut |part| {
        let array = simple(part).and_then(|name| followed.array(name));
        found.extend(array.map(|(name, _)| name));
    });
    found
}

/// The stream in which a call begins to write something, and goes on before it is written.
pub(super) fn issues<'u>(
    names: &Names<'u>,
    callee: &'u Expr,
    args: &'u [Expr],
) -> Option<Option<&'u Expr>> {
    let name = named(callee)?;
    if is_scan_of_device(name) {
        return Some(args.get(5));
    }
    let of_thrust = names.may_be_of_thrust(name);
    match of_runtime(&name.base) {
        "MemcpyAsync" => Some(args.get(4)),
        "MemsetAsync" => Some(args.get(3)),
        "Memset" => Some(None),
        base if of_thrust
            && (CHANGE_ALL.contains(&base) || SCANS.contains(&base) || COPIES.contains(&base)) =>
        {
            Some(None)
        }
        _ => None,
    }
}

/// Whether a callee may be a function of thrust, which works in a stream.
pub(super) fn is_of_thrust(names: &Names<'_>, callee: &Expr) -> bool {
    named(callee).is_some_and(|name| names.may_be_of_thrust(name))
}

impl<'u> Walk<'_, 'u> {
    /// A call that has a meaning here; whether it has.
    pub(super) fn called(
        &mut self,
        callee: &'u Expr,
        args: &'u [Expr],
        range: Range,
        certain: bool,
    ) -> bool {
        let known = known(self.index, &self.followed.names, callee);
        let Some(name) = named(callee).filter(|_| known != Known::Other) else {
            return false;
        };
        if known == Known::ScanOfDevice {
            self.scan_of_device(name, args, range, certain);
            return true;
        }
        match of_runtime(&name.base) {
            "DeviceSynchronize" | "ThreadSynchronize" if certain => self.waited(None),
            "StreamSynchronize" if certain => {
                if let [stream] = args {
                    let stream = self.stream(Some(stream));
                    self.waited(Some(&stream));
                }
            }
            "Malloc" | "MallocManaged" | "MallocHost" | "HostAlloc" => {
                let pointer = args.first().and_then(addressed).and_then(simple);
                let Some(pointer) = pointer else { return false };
                self.kill(pointer);
                if certain && let Some(state) = &mut self.state {
                    state.allocated.insert(pointer);
                    state.under_way.remove(pointer);
                }
            }
            base @ ("Memcpy" | "memcpy") if certain => {
                let [to, from, bytes, ..] = args else {
                    return false;
                };
                let order = match base {
                    "memcpy" => Order::Program,
                    _ => Order::Waiting,
                };
                self.copied(to, from, bytes, &order);
            }
            "MemcpyAsync" if certain => {
                let [to, from, bytes, rest @ ..] = args else {
                    return false;
                };
                let order = Order::Stream(self.stream(rest.get(1)));
                self.copied(to, from, bytes, &order);
            }
            base @ ("Memset" | "memset" | "MemsetAsync") if certain => {
                let [to, value, bytes, rest @ ..] = args else {
                    return false;
                };
                let order = match base {
                    "memset" => Order::Program,
                    "Memset" => Order::Stream(String::new()),
                    _ => Order::Stream(self.stream(rest.first())),
                };
                return self.cleared(to, value, bytes, range, &order);
            }
            base if CHANGE_ALL.contains(&base) && certain => {
                return self.algorithm(name, args, range);
            }
            base if SCANS.contains(&base) && certain => {
                return self.scan(name, args, range);
            }
            base if COPIES.contains(&base) && certain => {
                return self.copied_by_algorithm(name, args);
            }
            _ => return false,
        }
        true
    }

    /// The text of a stream: none for that which is there from the beginning.
    pub(super) fn stream(&self, stream: Option<&'u Expr>) -> String {
        match stream {
            None => String::new(),
            Some(stream) => match &uncast(stream).kind {
                ExprKind::Int { value: 0, .. } | ExprKind::Nullptr => String::new(),
                ExprKind::Name(name)
                    if name
                        .as_simple()
                        .is_some_and(|name| self.followed.steady.contains(name)) =>
                {
                    self.text_of(stream.range)
                }
                // Perhaps another one each time: nothing is in one stream with it.
                _ => format!("{}@{}", self.text_of(stream.range), stream.range.start),
            },
        }
    }

    /// `memset(a, 0, n * sizeof(int));`
    fn cleared(
        &mut self,
        to: &'u Expr,
        value: &'u Expr,
        bytes: &'u Expr,
        range: Range,
        order: &Order,
    ) -> bool {
        let Some((name, array)) = self
            .followed
            .pointer(to)
            .and_then(|name| self.followed.array(name))
        else {
            return false;
        };
        let count = self.followed.elements_of(bytes, array.element);
        let (Some(count), Some(0)) = (count, self.followed.constant(value)) else {
            return false;
        };
        self.kill(name);
        let facts = equal(array.element, 0, count).into_iter();
        let facts = facts.filter_map(|(property, count)| {
            let mut fact = self.fact(property, count, range)?;
            if let Order::Stream(stream) = order {
                fact.stream = Some(stream.clone());
            }
            Some(fact)
        });
        let facts = facts.collect();
        self.fill(name, facts, order);
        true
    }

    fn copied(&mut self, to: &'u Expr, from: &'u Expr, bytes: &'u Expr, order: &Order) {
        let Some(to) = self.followed.pointer(to) else {
            // Into a part, or to a place that is not followed.
            for name in arrays_in(&self.followed, to) {
                self.kill(name);
            }
            return;
        };
        let element = self.followed.array(to).map(|(_, array)| array.element);
        let count = element.and_then(|element| self.followed.elements_of(bytes, element));
        match (self.followed.pointer(from), count) {
            (Some(from), Some(count)) if from != to => self.copy(to, from, Some(count), order),
            _ => self.kill(to),
        }
    }

    /// The arguments behind a policy: none if it may say another stream.
    fn behind_policy(&self, args: &'u [Expr]) -> Option<&'u [Expr]> {
        match args.split_first() {
            Some((first, rest)) => match &first.kind {
                ExprKind::Name(name)
                    if matches!(name.base.as_str(), "device" | "host" | "seq" | "par")
                        && self.followed.names.is_qualified(name) =>
                {
                    Some(rest)
                }
                _ if array_in(&self.followed, first).is_some() => Some(args),
                _ => None,
            },
            None => None,
        }
    }

    /// `std::copy(first, last, to)`, `thrust::copy_n(first, n, to)`
    fn copied_by_algorithm(&mut self, name: &'u Name, args: &'u [Expr]) -> bool {
        let Some([first, last, out]) = self.behind_policy(args) else {
            return false;
        };
        let (Some(from), Some(to)) = (self.followed.begin(first), self.followed.begin(out)) else {
            return false;
        };
        let count = match name.base.as_str() {
            "copy_n" => self.followed.count_of(last),
            _ => match self.followed.end(last) {
                Some((array, count)) if array == from => Some(count),
                // All of a vector, however many.
                _ => None,
            },
        };
        let Some(count) = count.filter(|_| from != to) else {
            return false;
        };
        let order = match self.is_in_order(name, to) && self.is_in_order(name, from) {
            true => Order::Program,
            false => self.order_of_copy(to, from),
        };
        self.copy(to, from, Some(count), &order);
        true
    }

    /// Whether an algorithm does at once what it does with an array: one of the standard library, or on the processor.
    fn is_in_order(&self, name: &Name, array: &str) -> bool {
        let is_std = name.qualifier.first().is_some_and(|one| one.name == "std");
        let array = self.followed.array(array).map(|(_, array)| array);
        // Where it is written without a namespace, the types of its arguments may bring in that of thrust.
        let on_device = array.is_some_and(|array| array.is_container && !array.on_host);
        let may_be_of_thrust = self.followed.names.may_be_of_thrust(name);
        is_std || array.is_some_and(|array| array.on_host) || !may_be_of_thrust && !on_device
    }

    /// When a vector gets the elements of another one: on the processor at once, from there to the device and back behind what the
    /// default stream does, on the device in that stream.
    pub(super) fn order_of_copy(&self, to: &str, from: &str) -> Order {
        let on_host = |name| {
            self.followed
                .array(name)
                .is_some_and(|(_, one)| one.on_host)
        };
        match (on_host(to), on_host(from)) {
            (true, true) => Order::Program,
            (false, false) => Order::Stream(String::new()),
            _ => Order::Waiting,
        }
    }

    /// `v = w;` of two vectors; whether it is that.
    pub(super) fn is_assigned_whole(&mut self, lhs: &'u Expr, rhs: &'u Expr) -> bool {
        let container = |expr| {
            let (name, array) = self.followed.array(simple(expr)?)?;
            array.is_container.then_some(name)
        };
        let (Some(to), Some(from)) = (container(lhs), container(rhs)) else {
            return false;
        };
        if to == from {
            return true;
        }
        self.copied_whole(to, from);
        true
    }

    /// A vector gets all elements of another one.
    pub(super) fn copied_whole(&mut self, to: &'u str, from: &'u str) {
        let order = self.order_of_copy(to, from);
        self.copy(to, from, None, &order);
        if let Order::Stream(stream) = order {
            self.is_under_way(to, stream);
        }
    }

    /// What a sequence, sort or shuffle leaves.
    fn algorithm(&mut self, name: &'u Name, args: &'u [Expr], range: Range) -> bool {
        let Some([first, last, rest @ ..]) = self.behind_policy(args) else {
            return false;
        };
        let (begin, end) = (self.followed.begin(first), self.followed.end(last));
        let (Some(array), Some((same, count))) = (begin, end) else {
            return false;
        };
        let Some((_, told)) = self.followed.array(array).filter(|_| array == same) else {
            return false;
        };
        let is_std = self.is_in_order(name, array);
        let order = match is_std {
            true => Order::Program,
            false => Order::Stream(String::new()),
        };
        let constant = |expr: &'u Expr| self.followed.constant(expr);
        let counted = |start: &'u Expr, step: Option<i128>| match self.followed.type_of(start) {
            Some(ty) => grown(told.element, ty, constant(start), step, count),
            None => Vec::new(),
        };
        let properties = match (name.base.as_str(), rest) {
            // `std::iota<It, char>` counts in another type.
            ("iota" | "sequence", _) if name.args.is_some() => Vec::new(),
            ("iota", [start]) => counted(start, Some(1)),
            ("sequence", []) => grown(told.element, told.element, Some(0), Some(1), count),
            ("sequence", [start]) => counted(start, Some(1)),
            ("sequence", [start, step]) => counted(start, constant(step)),
            ("fill", [value]) => match constant(value) {
                Some(value) => equal(told.element, value, count),
                None => Vec::new(),
            },
            ("shuffle" | "random_shuffle" | "reverse", _) => {
                self.permuted(array, Some(count), &order);
                return true;
            }
            ("sort" | "stable_sort", rest) => {
                self.permuted(array, Some(count), &order);
                let is_number = told.element.signedness().is_some();
                match rest.is_empty() && is_number {
                    true => vec![(Property::Sorted, count)],
                    false => Vec::new(),
                }
            }
            _ => return false,
        };
        if !matches!(name.base.as_str(), "sort" | "stable_sort") {
            self.kill(array);
        }
        let facts: Vec<Fact<'u>> = properties
            .into_iter()
            .filter_map(|(property, count)| {
                let mut fact = self.fact(property, count, range)?;
                fact.stream = (!is_std).then(String::new);
                Some(fact)
            })
            .collect();
        self.fill(array, facts, &order);
        if !is_std && let Some(state) = &mut self.state {
            let all = state.known.get_mut(array).into_iter().flatten();
            all.for_each(|fact| fact.stream = Some(String::new()));
        }
        true
    }

    /// Sums of what is not negative are in order.
    fn scan(&mut self, name: &'u Name, args: &'u [Expr], range: Range) -> bool {
        let Some([first, last, out, rest @ ..]) = self.behind_policy(args) else {
            return false;
        };
        let (begin, end) = (self.followed.begin(first), self.followed.end(last));
        let (Some(from), Some((same, count))) = (begin, end) else {
            return false;
        };
        let Some(to) = self.followed.begin(out).filter(|_| from == same) else {
            return false;
        };
        // An initial value, and no other operator.
        let plain = match name.base.as_str() {
            "exclusive_scan" => rest.len() <= 1,
            _ => rest.is_empty(),
        };
        let in_order = self.is_in_order(name, from) && self.is_in_order(name, to);
        let order = match in_order {
            true => Order::Program,
            false => Order::Stream(String::new()),
        };
        self.scanned((from, to), count, &order, range, plain);
        true
    }

    /// `cub::DeviceScan::ExclusiveSum(temp, bytes, in, out, n)`: only if there is room for it; before, it says how much it wants.
    fn scan_of_device(&mut self, name: &'u Name, args: &'u [Expr], range: Range, certain: bool) {
        if let Some(bytes) = args.get(1).and_then(simple) {
            self.kill(bytes);
        }
        let [room, _, from, to, count, rest @ ..] = args else {
            return;
        };
        let arrays = (self.followed.pointer(from), self.followed.pointer(to));
        let (Some(from), Some(to)) = arrays else {
            if let Some(to) = arrays.1 {
                self.kill(to);
            }
            return;
        };
        let is_set = simple(room).is_some_and(|room| {
            let allocated = self.state.as_ref().map(|state| &state.allocated);
            allocated.is_some_and(|all| all.contains(room))
        });
        let count = self.followed.count_of(count);
        let order = Order::Stream(self.stream(rest.first()));
        let is_sum = matches!(name.base.as_str(), "ExclusiveSum" | "InclusiveSum");
        match count {
            Some(count) if certain && is_set && is_sum => {
                self.scanned((from, to), count, &order, range, true);
            }
            _ => self.kill(to),
        }
    }

    fn scanned(
        &mut self,
        (from, to): (&'u str, &'u str),
        count: Count<'u>,
        order: &Order,
        range: Range,
        plain: bool,
    ) {
        let adds = self.elements_not_negative(from, count, order);
        let types = (self.followed.array(from), self.followed.array(to));
        let is_number = match types {
            (Some((_, from)), Some((_, to))) => {
                from.element.signedness().is_some()
                    && to.element.signedness().is_some()
                    && to.element.bits() >= from.element.bits()
                    && from.element.bits() >= 32
            }
            _ => false,
        };
        self.kill(to);
        if plain
            && adds
            && is_number
            && let Some(mut fact) = self.fact(Property::Sorted, count, range)
        {
            fact.sums = true;
            if let Order::Stream(stream) = order {
                fact.stream = Some(stream.clone());
            }
            self.fill(to, vec![fact], order);
        }
    }

    /// Whether the first elements of an array are known not to be negative, by their type or by what is in them.
    pub(super) fn elements_not_negative(
        &self,
        array: &str,
        count: Count<'u>,
        order: &Order,
    ) -> bool {
        let Some((_, told)) = self.followed.array(array) else {
            return false;
        };
        if told.element.signedness() == Some(false) {
            return true;
        }
        self.ready(array, order).iter().any(|fact| {
            let not_negative = match fact.property {
                Property::Bounded(least, _) => least >= 0,
                Property::Permutation | Property::Offsets => true,
                _ => false,
            };
            not_negative && self.covers(fact.count, count)
        })
    }

    /// Whether a count is no less than another.
    pub(super) fn covers(&self, has: Count<'u>, wanted: Count<'u>) -> bool {
        match (has, wanted) {
            (Count::Number(has), Count::Number(wanted)) => has >= wanted,
            (has, wanted) => self.is_same(has, wanted),
        }
    }
}

/// `start, start + step, …`, counted in a type of its own.
fn grown<'u>(
    element: Scalar,
    ty: Scalar,
    start: Option<i128>,
    step: Option<i128>,
    count: Count<'u>,
) -> Vec<(Property, Count<'u>)> {
    let Some(step @ 1..) = step.filter(|_| ty.bits() >= 32 && ty.signedness().is_some()) else {
        return Vec::new();
    };
    // As `start + step * i`, of the type of the elements.
    let at = Range::default();
    let var = Expr {
        kind: ExprKind::Name(Name::simple("i", at)),
        range: at,
    };
    let scope = Scope {
        var: "i",
        var_type: ty,
        type_of: &|_| Some(ty),
        constant: &|expr| match &expr.kind {
            ExprKind::Int { value, ty } => Some((i128::from(*value), *ty)),
            _ => None,
        },
        is_random: &|_| false,
    };
    let number = |value: i128| {
        Some(Expr {
            kind: ExprKind::Int {
                value: u64::try_from(value).ok()?,
                ty,
            },
            range: at,
        })
    };
    let start = match start {
        Some(start) => number(start),
        None => Some(Expr {
            kind: ExprKind::Name(Name::simple("start", at)),
            range: at,
        }),
    };
    let (Some(start), Some(step)) = (start, number(step)) else {
        return Vec::new();
    };
    let product = Expr {
        kind: ExprKind::Binary(BinaryOp::Mul, Box::new(step), Box::new(var)),
        range: at,
    };
    let sum = Expr {
        kind: ExprKind::Binary(BinaryOp::Add, Box::new(product), Box::new(start)),
        range: at,
    };
    forms::properties(&sum, &scope, element, count)
}
