//! CUB's collectives: which class an object is of, what a member function reads and writes, whom it brings together.
//!
//! A collective needs all threads of its group (the block, or a logical warp), hands values round in its temporary storage, and
//! leaves to the caller to put a barrier before the storage is used again ([`storage`]). That it orders other memory is not
//! promised: it is an operation at which the threads meet, no barrier. What it gives is a value of its own in each thread, but
//! for aggregates, which are one value in the block. Loads and stores of tiles have accesses of their own ([`tiles`]).
//!
//! The table [`CLASSES`] says what the arguments of each member function are, in the letters of [`Slot`]. A function object that
//! is handed in is called once, on values of which nothing is known.
//!
//! Source: the reference of CUB, per class "Considerations" and the member functions.
//!
//! **Accuracy.** Which bytes of its storage a collective touches is not said by CUB, so that a conflict with other names for
//! these bytes is a potential one. Forms that are in no row, storages that are not followed, and classes without rows are
//! reported.

mod storage;
mod tiles;

use warplog_facts::words::*;
use warplog_facts::*;

use super::super::body::{Binding, Lowerer};
use super::super::types::{Extent, StructTy, Ty};
use super::super::value::*;
use super::groups::Group;
use super::masks::Meeting;
use crate::syntax::ast::*;

const WHY: &str = "this collective of CUB is not modelled";

/// Namespaces whose function objects compute with values.
const LIBRARIES: &[&str] = &["cub", "hipcub", "thrust", "cuda", "std"];

/// Most items of a list that a thread hands in.
const ITEMS: u64 = 64;

/// Names of the operands of a function object, which no source can have.
const OPERANDS: [&str; 2] = ["{left}", "{right}"];

/// An argument of a class template.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Given {
    /// The type of an item.
    Item,
    /// A second type of items.
    Value,
    /// Threads along an axis of the block, or of a logical warp.
    Threads,
    /// Items of a thread.
    Items,
    Algorithm,
    Other,
}

/// What an argument of a member function is: the letters of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slot {
    /// `i`: read, a value or a list.
    Read,
    /// `o`: written, a value or a list.
    Written,
    /// `b`: read and written.
    Both,
    /// `a`: written with one value for the whole group.
    Aggregate,
    /// `f`: a function object that is called.
    Function,
    /// `m`: the address of a tile in memory.
    Memory,
    /// `n`: how many items of a tile there are.
    Count,
}

/// A class of collectives.
#[derive(Debug)]
struct Class {
    name: &'static str,
    params: &'static [Given],
    /// Names of member functions, and the arguments that they may have.
    methods: &'static [(&'static str, &'static str)],
}

const CLASSES: &[Class] = {
    use Given::*;
    &[
        Class {
            name: "BlockReduce",
            params: &[Item, Threads, Algorithm, Threads, Threads],
            methods: &[("Sum Max Min", "i ii"), ("Reduce", "if ifi")],
        },
        Class {
            name: "BlockScan",
            params: &[Item, Threads, Algorithm, Threads, Threads],
            methods: &[
                ("InclusiveSum", "io iof ioa"),
                ("ExclusiveSum", "io iof ioa"),
                ("InclusiveScan", "iof ioff iofa ioif ioifa"),
                ("ExclusiveScan", "iof ioff iofa ioif ioifa"),
            ],
        },
        Class {
            name: "BlockLoad",
            params: &[Item, Threads, Items, Algorithm, Threads, Threads],
            methods: &[("Load", "mo mon moni")],
        },
        Class {
            name: "BlockStore",
            params: &[Item, Threads, Items, Algorithm, Threads, Threads],
            methods: &[("Store", "mi min")],
        },
        Class {
            name: "BlockExchange",
            params: &[Item, Threads, Items, Other, Threads, Threads],
            methods: &[
                (
                    "StripedToBlocked BlockedToStriped WarpStripedToBlocked BlockedToWarpStriped",
                    "b io",
                ),
                (
                    "ScatterToBlocked ScatterToStriped ScatterToStripedGuarded",
                    "bi ioi",
                ),
                ("ScatterToStripedFlagged", "bii ioii"),
            ],
        },
        Class {
            name: "BlockRadixSort",
            params: &[
                Item, Threads, Items, Value, Other, Other, Other, Other, Threads, Threads,
            ],
            methods: &[(
                "Sort SortDescending SortBlockedToStriped SortDescendingBlockedToStriped",
                "b bi bii bb bbi bbii",
            )],
        },
        Class {
            name: "BlockMergeSort",
            params: &[Item, Threads, Items, Value, Threads, Threads],
            methods: &[("Sort StableSort", "bf bbf bfii bbfii")],
        },
        Class {
            name: "BlockDiscontinuity",
            params: &[Item, Threads, Threads, Threads],
            methods: &[("FlagHeads FlagTails", "oif oifi")],
        },
        Class {
            name: "BlockAdjacentDifference",
            params: &[Item, Threads, Threads, Threads],
            methods: &[
                ("SubtractLeft SubtractRight", "iof iofi"),
                (
                    "SubtractLeftPartialTile SubtractRightPartialTile",
                    "iofi iofii",
                ),
            ],
        },
        Class {
            name: "BlockShuffle",
            params: &[Item, Threads, Threads, Threads],
            methods: &[
                ("Offset Rotate", "io ioi"),
                ("Up", "io ioa"),
                ("Down", "io ioa"),
            ],
        },
        Class {
            name: "WarpReduce",
            params: &[Item, Threads],
            methods: &[
                ("Sum Max Min", "i ii"),
                ("Reduce", "if ifi"),
                ("HeadSegmentedSum TailSegmentedSum", "ii"),
                ("HeadSegmentedReduce TailSegmentedReduce", "iif"),
            ],
        },
        Class {
            name: "WarpScan",
            params: &[Item, Threads],
            methods: &[
                ("InclusiveSum ExclusiveSum", "io ioo"),
                ("InclusiveScan ExclusiveScan", "iof iofo ioif ioifo"),
                ("Sum", "ioo"),
                ("Broadcast", "ii"),
            ],
        },
        Class {
            name: "WarpLoad",
            params: &[Item, Items, Algorithm, Threads],
            methods: &[("Load", "mo mon moni")],
        },
        Class {
            name: "WarpStore",
            params: &[Item, Items, Algorithm, Threads],
            methods: &[("Store", "mi min")],
        },
        Class {
            name: "WarpExchange",
            params: &[Item, Items, Threads],
            methods: &[
                ("StripedToBlocked BlockedToStriped", "io"),
                ("ScatterToStriped", "bi ioi"),
            ],
        },
        Class {
            name: "WarpMergeSort",
            params: &[Item, Items, Threads, Value],
            methods: &[("Sort StableSort", "bf bbf bfii bbfii")],
        },
    ]
};

/// The enumerators of algorithms, in the order of CUB's headers (`cub/block/block_load.cuh` and its kin).
const ALGORITHMS: &[(&str, &str)] = &[
    (
        "BlockLoad",
        "BLOCK_LOAD_DIRECT BLOCK_LOAD_STRIPED BLOCK_LOAD_VECTORIZE BLOCK_LOAD_TRANSPOSE BLOCK_LOAD_WARP_TRANSPOSE BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED",
    ),
    (
        "BlockStore",
        "BLOCK_STORE_DIRECT BLOCK_STORE_STRIPED BLOCK_STORE_VECTORIZE BLOCK_STORE_TRANSPOSE BLOCK_STORE_WARP_TRANSPOSE BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED",
    ),
    (
        "WarpLoad",
        "WARP_LOAD_DIRECT WARP_LOAD_STRIPED WARP_LOAD_VECTORIZE WARP_LOAD_TRANSPOSE",
    ),
    (
        "WarpStore",
        "WARP_STORE_DIRECT WARP_STORE_STRIPED WARP_STORE_VECTORIZE WARP_STORE_TRANSPOSE",
    ),
    (
        "BlockReduce",
        "BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY BLOCK_REDUCE_RAKING BLOCK_REDUCE_WARP_REDUCTIONS",
    ),
    (
        "BlockScan",
        "BLOCK_SCAN_RAKING BLOCK_SCAN_RAKING_MEMOIZE BLOCK_SCAN_WARP_SCANS",
    ),
];

/// The number of an enumerator.
fn enumerator(word: &str) -> Option<i128> {
    let mut numbers = ALGORITHMS
        .iter()
        .filter_map(|(_, words)| words.split_whitespace().position(|one| one == word));
    numbers
        .next()
        .and_then(|number| i128::try_from(number).ok())
}

/// An instance of such a class.
#[derive(Clone, Debug)]
pub(crate) struct Collective {
    class: &'static Class,
    item: Ty,
    /// Threads of the block, or of a logical warp, of type `unsigned`, as far as they are known.
    threads: Option<TermId>,
    /// The sizes of the block along its axes, as far as they are told.
    shape: Vec<Option<TermId>>,
    /// The last component of the name of the algorithm; empty for the default.
    algorithm: String,
    /// Its temporary storage.
    storage: Ty,
}

impl Collective {
    fn is_of_warp(&self) -> bool {
        self.class.name.starts_with("Warp")
    }
}

impl Slot {
    fn of(letter: char) -> Slot {
        match letter {
            'o' => Slot::Written,
            'b' => Slot::Both,
            'a' => Slot::Aggregate,
            'f' => Slot::Function,
            'm' => Slot::Memory,
            'n' => Slot::Count,
            _ => Slot::Read,
        }
    }
}

impl Lowerer<'_, '_> {
    /// The class of a name, `cub::BlockReduce<float, 128>`.
    pub(in crate::lower) fn collective_class(&mut self, name: &Name) -> Option<Ty> {
        let class = CLASSES.iter().find(|class| class.name == name.base)?;
        let args = name.args.as_deref()?;
        let path = format!("{}::{}", self.namespace_of(name), name.base);
        let path = self.behind_aliases(path.trim_start_matches("::"));
        let of_cub = match path.rsplit_once("::").map_or("", |(space, _)| space) {
            "" => self.uses_namespace("cub") || self.uses_namespace("hipcub"),
            "cub" | "hipcub" => true,
            _ => false,
        };
        if !of_cub {
            return None;
        }
        let collective = self.instance_of_collective(class, args)?;
        let full = collective.1;
        let storage = collective.0.storage.clone();
        self.collectives.insert(full.clone(), collective.0);
        let field = ("storage".to_owned(), storage.pointer_to(), 0);
        Some(super::types::record(&full, vec![field], 8, 8))
    }

    /// The instance of a class, and its name.
    fn instance_of_collective(
        &mut self,
        class: &'static Class,
        args: &[TemplateArg],
    ) -> Option<(Collective, String)> {
        let mut item = None;
        let mut second = None;
        let mut threads: Option<TermId> = None;
        let mut items = None;
        let mut known = true;
        let mut algorithm = String::new();
        let mut words = Vec::new();
        let mut shape = Vec::new();
        for (arg, param) in args.iter().zip(class.params) {
            match param {
                Given::Item | Given::Value => {
                    let ty = self.template_type(arg);
                    words.push(ty.describe());
                    match param {
                        Given::Item => item = Some(ty),
                        _ => second = Some(ty),
                    }
                }
                Given::Threads => {
                    let size = self.number_of_argument(arg);
                    words.push(size.map_or("?".to_owned(), |size| self.number_word(size)));
                    known &= size.is_some();
                    shape.push(size);
                    threads = match (threads, size) {
                        (Some(all), Some(size)) => {
                            Some(self.facts.terms.binary(Op::Mul, CType::U32, all, size))
                        }
                        (None, size) => size,
                        (all, None) => all,
                    };
                }
                Given::Items => {
                    items = self.number_of_argument(arg);
                    words.push(items.map_or("?".to_owned(), |items| self.number_word(items)));
                }
                Given::Algorithm => {
                    algorithm = self.algorithm_of(class, arg);
                    words.push(algorithm.clone());
                }
                Given::Other => words.push("_".to_owned()),
            }
        }
        if threads.is_none() && class.name.starts_with("Warp") {
            threads = Some(self.facts.terms.constant(32, CType::U32));
        }
        let full = format!("cub::{}<{}>", class.name, words.join(", "));
        let count = |me: &Self, term: Option<TermId>| {
            let count = me.facts.terms.as_const(term?)?;
            u64::try_from(count).ok()
        };
        let widest = [item.as_ref(), second.as_ref()]
            .into_iter()
            .flatten()
            .filter_map(Ty::bytes)
            .max();
        let bytes = storage::bytes(
            class.name,
            count(self, threads),
            count(self, items),
            widest.unwrap_or(16),
        );
        let storage = storage::class(&full, bytes);
        let collective = Collective {
            class,
            item: item?,
            threads: threads.filter(|_| known),
            shape,
            algorithm,
            storage,
        };
        Some((collective, full))
    }

    /// A template argument as a number of type `unsigned`.
    fn number_of_argument(&mut self, arg: &TemplateArg) -> Option<TermId> {
        let value = match arg {
            TemplateArg::Expr(expr) => self.expr(expr),
            TemplateArg::Name(name)
            | TemplateArg::Type(Type {
                kind: TypeKind::Named(name),
                ..
            }) => self.name(name),
            TemplateArg::Type(_) => return None,
        };
        let Value::Term(term) = value else {
            return None;
        };
        let integer = self.facts.terms.ty(term).is_integer();
        integer.then(|| self.facts.terms.cast(term, CType::U32))
    }

    /// The algorithm that a template argument names, or that a constant of the program stands for.
    fn algorithm_of(&mut self, class: &Class, arg: &TemplateArg) -> String {
        let word = last_word(arg);
        // What the word means here may be something else than what CUB calls so.
        let number = self
            .number_of_argument(arg)
            .and_then(|term| self.facts.terms.as_const(term));
        let of_class = ALGORITHMS.iter().find(|(name, _)| *name == class.name);
        let words = of_class.map(|(_, words)| words.split_whitespace());
        let found = number
            .and_then(|number| usize::try_from(number).ok())
            .and_then(|number| words?.nth(number));
        found.map_or_else(|| format!("?{word}"), str::to_owned)
    }

    /// An enumerator of CUB that says by which algorithm a collective works.
    pub(in crate::lower) fn algorithm_constant(&mut self, name: &Name) -> Option<Value> {
        let number = enumerator(&name.base)?;
        let path = format!("{}::{}", self.namespace_of(name), name.base);
        let path = self.behind_aliases(path.trim_start_matches("::"));
        let of_cub = match path.rsplit_once("::").map_or("", |(space, _)| space) {
            "" => self.uses_namespace("cub") || self.uses_namespace("hipcub"),
            space => ["cub", "hipcub"].contains(&space),
        };
        of_cub.then(|| Value::Term(self.facts.terms.constant(number, CType::I32)))
    }

    fn number_word(&self, term: TermId) -> String {
        match self.facts.terms.as_const(term) {
            Some(number) => number.to_string(),
            None => format!("#{}", term.index()),
        }
    }

    /// The temporary storage of a collective: `BlockReduce::TempStorage`.
    pub(in crate::lower) fn collective_storage(&self, class: &StructTy, name: &Name) -> Option<Ty> {
        let collective = self.collectives.get(&class.name)?;
        (class.class.is_none() && name.base == "TempStorage").then(|| collective.storage.clone())
    }

    /// The instance that a type is.
    fn collective(&self, ty: &Ty) -> Option<Collective> {
        match ty {
            Ty::Struct(class) if class.class.is_none() => {
                self.collectives.get(&class.name).cloned()
            }
            _ => None,
        }
    }

    /// `BlockReduce(storage)`: the address of the storage.
    pub(in crate::lower) fn collective_object(&mut self, ty: &Ty, args: &[Expr]) -> Option<Value> {
        self.collective(ty)?;
        let address = match args.first() {
            Some(storage) => self.expr(&Expr {
                kind: ExprKind::AddressOf(Box::new(storage.clone())),
                range: storage.range,
            }),
            None => Value::Unknown,
        };
        let object = vec![("storage".to_owned(), address)];
        Some(Value::Struct(std::rc::Rc::new(object)))
    }

    /// The instance that an object is of, and the address of its storage.
    fn collective_of(
        &mut self,
        base: &Expr,
        arrow: bool,
        range: Range,
    ) -> Option<(Collective, Value)> {
        let made = match &base.kind {
            ExprKind::Construct { ty, args, .. } => Some((self.resolve(ty), args.as_slice())),
            ExprKind::Cast { ty, arg, .. } => {
                Some((self.resolve(ty), std::slice::from_ref(&**arg)))
            }
            ExprKind::Call { callee, args } => match &callee.kind {
                ExprKind::Name(name) => {
                    let ty = Type::new(TypeKind::Named(name.clone()), name.range);
                    Some((self.resolve(&ty), args.as_slice()))
                }
                _ => None,
            },
            _ => None,
        };
        if let Some((ty, args)) = made
            && let Some(collective) = self.collective(&ty)
        {
            let object = self.collective_object(&ty, args)?;
            return Some((collective, address_in(&object)));
        }
        let class = self.object_type(base, arrow)?;
        let collective = self.collective(&Ty::Struct(class))?;
        let place = self.object_place(base, arrow, range);
        let object = self.read(&place, range);
        Some((collective, address_in(&object)))
    }

    /// `BlockReduce(storage).Sum(v)` and the like; `None` when the object is none of CUB's.
    pub(super) fn cub_method(
        &mut self,
        base: &Expr,
        arrow: bool,
        member: &str,
        args: &[Expr],
        range: Range,
    ) -> Option<Value> {
        let (collective, storage) = self.collective_of(base, arrow, range)?;
        let name = format!("{}::{member}", collective.class.name);
        let Some(slots) = self.slots(collective.class, member, args) else {
            self.values_of(args);
            self.unsupported(
                range,
                &format!("call of `cub::{name}`"),
                WHY,
                Effect::Control,
            );
            return Some(self.unknown_value(&collective.item, "result of a collective", range));
        };
        if !collective.is_of_warp() {
            self.has_shape(&collective, &name, range);
        }
        if slots.contains(&Slot::Memory) {
            self.tile_moved(&collective, &storage, (&name, &slots, args), range);
            return Some(Value::Void);
        }
        let mut number = None;
        for (&slot, arg) in slots.iter().zip(args) {
            match slot {
                Slot::Read => number = number.or(self.handed_in(arg, range)),
                Slot::Both => {
                    self.handed_in(arg, range);
                }
                Slot::Function => self.function_is_called(arg, &collective.item, range),
                _ => {}
            }
        }
        self.use_of(&collective, &storage, &name, range);
        for (&slot, arg) in slots.iter().zip(args) {
            let result = match slot {
                Slot::Written | Slot::Both => self.given_back(arg, false, range),
                Slot::Aggregate => self.given_back(arg, true, range),
                _ => None,
            };
            let operation = sum_of(&collective, member, &slots, slot);
            if let (Some(operation), Some(number), Some(result)) = (operation, number, result) {
                let lanes = collective.threads.filter(|_| collective.is_of_warp());
                self.tell_collective(operation, (number, result), lanes);
            }
        }
        let gives = slots
            .iter()
            .all(|slot| !matches!(slot, Slot::Written | Slot::Both | Slot::Aggregate));
        Some(match gives {
            true => self.unknown_value(&collective.item, "result of a collective", range),
            false => Value::Void,
        })
    }

    /// The threads of the group meet, and use the storage.
    fn use_of(&mut self, collective: &Collective, storage: &Value, name: &str, range: Range) {
        match collective.threads {
            Some(threads) if collective.is_of_warp() => {
                self.group_meets((Group::Tile, Some(threads)), name, range);
            }
            _ => self.meeting(BarrierKind::Collective, name, Meeting::default(), range),
        }
        if !self.use_storage(collective, storage, range) {
            let what = format!("call of `cub::{name}`");
            let why = "which temporary storage it uses is not known";
            self.unsupported(range, &what, why, Effect::Access);
        }
    }

    /// The block has the sizes that a collective of a block is told, by which it numbers the threads: another size that is known is
    /// an error of the program, one that is not known is taken to be right.
    fn has_shape(&mut self, collective: &Collective, name: &str, range: Range) {
        for axis in 0..3 {
            let told = match collective.shape.get(axis) {
                Some(&told) => told,
                None => Some(self.facts.terms.constant(1, CType::U32)),
            };
            let (Some(told), Some(&size)) = (told, self.dimensions.get(axis)) else {
                continue;
            };
            let size = self.facts.terms.cast(size, CType::U32);
            let equal = self.facts.terms.binary(Op::Eq, CType::Bool, told, size);
            match self.facts.terms.as_const(equal) {
                Some(1) => {}
                Some(_) => {
                    let what = format!("call of `cub::{name}`");
                    let why = "the block has another shape than the collective is told";
                    self.unsupported(range, &what, why, Effect::Access);
                }
                None => {
                    self.assumption(&format!("blocks have the shape that `cub::{name}` is told"));
                    // Of those that come here: blocks of other shapes may go another way.
                    let point = self.point(PointKind::Condition, range);
                    self.facts.assume.push(AssumeRow {
                        point,
                        term: equal,
                        ends: false,
                        certain: false,
                    });
                }
            }
        }
    }

    /// What the arguments of a call are, by the form that they fit.
    fn slots(&mut self, class: &Class, member: &str, args: &[Expr]) -> Option<Vec<Slot>> {
        let is_one = |names: &&(&str, &str)| names.0.split_whitespace().any(|name| name == member);
        let (_, forms) = class.methods.iter().find(is_one)?;
        let functions: Vec<bool> = args
            .iter()
            .map(|arg| self.is_function_object(arg))
            .collect();
        let lists: Vec<bool> = args
            .iter()
            .map(|arg| matches!(self.static_type(arg), Ty::Array(..)))
            .collect();
        let mut fitting = forms
            .split_whitespace()
            .filter(|form| form.len() == args.len());
        let form = fitting.find(|form| {
            form.chars().zip(&functions).zip(&lists).all(|((letter, &function), &list)| {
                let slot = Slot::of(letter);
                (slot == Slot::Function) == function
                    && (slot != Slot::Count || !list)
                    // `Sort(keys, begin_bit)` and `Sort(keys, values)`.
                    && (!list || slot != Slot::Read || !form.starts_with('b') || form.contains('f') || class.name.ends_with("Exchange"))
            })
        })?;
        Some(form.chars().map(Slot::of).collect())
    }

    /// Whether an argument is called: a lambda, an object with `operator()`, a function.
    fn is_function_object(&mut self, arg: &Expr) -> bool {
        if plain_operator(arg) || matches!(arg.kind, ExprKind::Lambda(_)) {
            return true;
        }
        if self.is_object_of_library(arg) {
            return true;
        }
        match self.static_type(arg) {
            Ty::Struct(class) => self
                .record(&class)
                .is_some_and(|record| !self.index.methods(&record.name, "operator()").is_empty()),
            Ty::Opaque { name, .. } if name == "function" => true,
            Ty::Pointer(to) => matches!(&*to, Ty::Opaque { name, .. } if name == "function"),
            _ => match &arg.kind {
                ExprKind::Name(name) => match name.as_simple().map(|simple| self.lookup(simple)) {
                    Some(Some(Binding::Variable(var))) => {
                        matches!(self.env.get(*var), Value::Function(_))
                    }
                    _ => false,
                },
                _ => false,
            },
        }
    }

    /// `cub::ArgMax arg_max;`
    fn is_object_of_library(&mut self, operator: &Expr) -> bool {
        let ExprKind::Name(name) = &operator.kind else {
            return false;
        };
        name.as_simple().is_some() && {
            let described = self.static_type(operator).describe();
            let outer = described.trim_start_matches("::").split_once("::");
            outer.is_some_and(|(outer, _)| LIBRARIES.contains(&outer))
        }
    }

    /// Calls a function object on values of which nothing is known.
    fn function_is_called(&mut self, function: &Expr, item: &Ty, range: Range) {
        if plain_operator(function) || self.is_object_of_library(function) {
            return;
        }
        let count = self.operands_of(function);
        let living = self.open_scope();
        let names = OPERANDS.get(..count).unwrap_or(&OPERANDS);
        let mut operands = Vec::with_capacity(names.len());
        for name in names {
            let value = self.unknown_value(item, "operand of a collective", range);
            let var = self.variable(name, item.clone(), value);
            self.bind(name, Binding::Variable(var));
            operands.push(Expr {
                kind: ExprKind::Name(Name::simple(*name, range)),
                range,
            });
        }
        self.call(function, &operands, range);
        self.close_scope(living);
    }

    /// How many operands a function object takes: a callback for prefixes takes one.
    fn operands_of(&mut self, function: &Expr) -> usize {
        if let ExprKind::Lambda(lambda) = &function.kind {
            return lambda.params.len();
        }
        match self.static_type(function) {
            Ty::Struct(class) => {
                let record = self.record(&class);
                let calls = record.map(|record| self.index.methods(&record.name, "operator()"));
                let first = calls.and_then(|calls| calls.first().map(|call| call.params.len()));
                first.unwrap_or(2)
            }
            _ => 2,
        }
    }

    /// Reads what a thread hands in: a value, which is given if it is a scalar, or each item of a list.
    fn handed_in(&mut self, arg: &Expr, range: Range) -> Option<TermId> {
        match self.static_type(arg) {
            Ty::Array(element, Extent::Constant(count)) => {
                let list = self.expr(arg);
                self.each_item(&list, &element, count, range, |me, _, place| {
                    me.read(&place, range);
                });
                None
            }
            _ => match self.expr(arg) {
                Value::Term(term) => Some(term),
                _ => None,
            },
        }
    }

    /// Writes what a thread gets: a value, which is given if it is a scalar, or each item of a list.
    fn given_back(&mut self, arg: &Expr, common: bool, range: Range) -> Option<TermId> {
        if let Ty::Array(element, Extent::Constant(count)) = self.static_type(arg) {
            let list = self.expr(arg);
            self.each_item(&list, &element, count, range, |me, _, place| {
                let value = me.unknown_value(&element, "result of a collective", range);
                me.write(&place, value, range);
            });
            return None;
        }
        let place = self.place(arg);
        let ty = match &place {
            Lvalue::Variable { ty, .. } | Lvalue::Memory { ty, .. } => ty.clone(),
            Lvalue::Unknown => return None,
        };
        let value = match &ty {
            Ty::Scalar(scalar) if common && *scalar != CType::Opaque => {
                let blocks = Axis::ALL.map(|axis| self.facts.terms.builtin(axis.bid()));
                let reason = "aggregate of a collective";
                Value::Term(self.unknown_of(reason, range, *scalar, false, &blocks, &[]))
            }
            _ => self.unknown_value(&ty, "result of a collective", range),
        };
        let term = match &value {
            Value::Term(term) => Some(*term),
            _ => None,
        };
        self.write(&place, value, range);
        term
    }

    /// Each item of a list with its number.
    fn each_item(
        &mut self,
        list: &Value,
        element: &Ty,
        count: u64,
        range: Range,
        mut act: impl FnMut(&mut Self, u64, Lvalue),
    ) {
        let first = match list {
            Value::Pointer(pointer) if count <= ITEMS => pointer.clone(),
            _ => {
                self.lost_access(range, "a list of items that is not followed");
                return;
            }
        };
        for number in 0..count {
            let index = self.long(i64::try_from(number).unwrap_or(i64::MAX));
            let item = self.advance(first.clone(), index, false, range);
            let place = Lvalue::Memory {
                targets: item.targets,
                ty: element.clone(),
            };
            act(self, number, place);
        }
    }
}

/// What a result is of the numbers that are handed in, if that is a sum of some of them.
fn sum_of(
    collective: &Collective,
    member: &str,
    slots: &[Slot],
    slot: Slot,
) -> Option<&'static str> {
    // With a callback for prefixes, or a second result, other forms.
    let plain = matches!(
        slots,
        [Slot::Read, Slot::Written] | [Slot::Read, Slot::Written, Slot::Aggregate]
    );
    let is_scan = matches!(collective.class.name, "BlockScan" | "WarpScan");
    match (member, slot) {
        _ if !plain || !is_scan => None,
        ("InclusiveSum" | "ExclusiveSum", Slot::Aggregate) => Some("sum"),
        ("InclusiveSum", Slot::Written) => Some("inclusive_sum"),
        ("ExclusiveSum", Slot::Written) => Some("exclusive_sum"),
        _ => None,
    }
}

/// The address that an object keeps.
fn address_in(object: &Value) -> Value {
    match object {
        Value::Struct(fields) => match fields.as_slice() {
            [(name, address)] if name == "storage" => address.clone(),
            _ => Value::Unknown,
        },
        _ => Value::Unknown,
    }
}

/// The last word of the name of an enumerator.
fn last_word(arg: &TemplateArg) -> String {
    match arg {
        TemplateArg::Name(name) => name.base.clone(),
        TemplateArg::Expr(Expr {
            kind: ExprKind::Name(name),
            ..
        }) => name.base.clone(),
        TemplateArg::Type(Type {
            kind: TypeKind::Named(name),
            ..
        }) => name.base.clone(),
        _ => "?".to_owned(),
    }
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
