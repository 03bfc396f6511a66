//! Launches in host code, with what is known of their sizes and arguments.
//!
//! **Algorithm.** Host functions are run symbolically, statement by statement, with what is in
//! memory ([`memory`], [`value`]): both arms of branches ([`exec`]), loops at an arbitrary
//! iteration, functions of the unit at each of their calls ([`call`]). A launch takes its sizes and
//! arguments as terms over host symbols; where two pointer arguments may be the same allocation and
//! are not certainly so, the launch says so ([`alias`]).
//!
//! **Contract.** A host value is known only while nothing can change it: code that is not
//! understood, functions of other files and loops make symbols of whatever they can reach. A
//! symbol stands for one value within a launch. A kernel whose name goes where it cannot be
//! followed has an arbitrary launch as well. That functions are called from this file only, where
//! it calls them at all, is an assumption of the launches that depend on it.

mod alias;
mod bound;
mod call;
mod class_template;
mod closures;
mod construct;
mod declare;
mod effects;
mod eval;
mod exec;
mod finish;
mod globals;
mod held;
mod history;
mod inherit;
mod inputs;
mod launch;
mod library;
mod loops;
mod making;
mod meeting;
mod memory;
mod mentions;
mod operators;
mod pack;
mod passed_closures;
mod places;
mod progress;
mod runtime;
mod several;
mod shared;
mod template;
mod tensors;
mod term;
mod types;
mod undetermined;
mod unknown;
mod value;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::CType;
use warplog_facts::words::LaunchSource;

use self::alias::{Kind, Objects};
use self::exec::Exits;
use self::inherit::Hierarchy;
use self::launch::Found;
use self::making::Making;
use self::several::Several;
use self::term::{SymbolId, Term};
use self::undetermined::Exposed;
use self::value::*;
use super::contracts::Property;
use super::link::{Spot, is_main};
use super::sources::Sources;
use super::types::Ty;
use super::unit::{TypeScope, UnitIndex, enclosing};
use crate::syntax::ast::*;

pub(crate) use self::passed_closures::{PassedClosure, deduced_parameter};
pub(crate) use self::template::argument_text;

/// A launch of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct Launch {
    pub source: LaunchSource,
    pub range: Option<Range>,
    /// Sizes along x, y, z; `None` where they are not known.
    pub block: [Option<Argument>; 3],
    pub grid: [Option<Argument>; 3],
    pub arguments: Vec<LaunchArgument>,
    pub template_args: Vec<TemplateArg>,
    /// More template arguments are given, which are not known.
    pub rest_is_open: bool,
    /// What template types are taken as that nothing tells.
    pub stand_in: Option<CType>,
    /// Pairs of pointer arguments that host code neither shows to be one allocation nor to be two.
    pub overlaps: Vec<Overlap>,
    /// Why it is not known that the program makes this launch, or with these arguments.
    pub doubts: Vec<String>,
    /// Host code takes addresses of device variables, or passes variables that it shares with the device.
    pub passes_variables: bool,
    /// What host code makes sure of on the way to the launch.
    pub conditions: Vec<Argument>,
    pub assumptions: Vec<String>,
    /// What host code made of the elements of arrays that it passes.
    pub contents: Vec<Contents>,
    /// Where it stands, if that is no part of the unit.
    pub elsewhere: Option<Rc<Spot>>,
    /// Its arguments are any, not those of host code.
    pub is_open: bool,
}

/// What the first elements of an array are like that a launch passes.
#[derive(Clone, Debug)]
pub(crate) struct Contents {
    /// Which argument it is.
    pub position: usize,
    pub property: Property,
    pub count: Argument,
    /// Where host code makes it so, in words.
    pub from: String,
    /// It rests on sums that do not wrap.
    pub sums: bool,
}

/// A pointer among the arguments: a position, and the path to a member.
pub(crate) type Passed = (usize, Vec<String>);

/// A pointer argument, and what it may overlap.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Overlap {
    pub passed: Passed,
    pub other: Overlapped,
    /// As far as host code is followed they may be one. Otherwise they are different objects there, and what else sets the places
    /// that they come from is not followed.
    pub may_be_one: bool,
}

/// What a pointer argument may overlap.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Overlapped {
    Argument(Passed),
    /// A device variable.
    Global(String),
}

/// An argument of a launch.
#[derive(Clone, Debug)]
pub(crate) struct LaunchArgument {
    pub text: String,
    pub value: Argument,
}

/// What is known of a host value that is a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// It comes from outside: it may have any value.
    Input,
    /// Host code computes it in a way that is not followed: not every value may be possible.
    Computed,
}

/// A host value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Argument {
    Constant(i128, CType),
    Symbol(Known, String, CType),
    /// Of unknown value and type.
    Unknown(String),
    Binary(BinaryOp, Box<Argument>, Box<Argument>),
    Cast(CType, Box<Argument>),
    Select(Box<Argument>, Box<Argument>, Box<Argument>),
    /// A pointer some bytes into an allocation, which equal names mean the same of.
    Pointer {
        allocation: String,
        bytes: Option<Box<Argument>>,
    },
    /// The members of a class that are known.
    Record(Vec<(String, Argument)>),
    /// A lambda, and its members that are known.
    Closure(Rc<PassedClosure>, Vec<(String, Argument)>),
}

impl Launch {
    /// A launch of which nothing is known.
    pub(crate) fn symbolic() -> Launch {
        Launch {
            source: LaunchSource::Symbolic,
            range: None,
            block: [None, None, None],
            grid: [None, None, None],
            arguments: Vec::new(),
            template_args: Vec::new(),
            rest_is_open: false,
            stand_in: None,
            overlaps: Vec::new(),
            doubts: Vec::new(),
            passes_variables: false,
            conditions: Vec::new(),
            assumptions: Vec::new(),
            contents: Vec::new(),
            elsewhere: None,
            is_open: false,
        }
    }

    /// Whether a number that is a size of the launch (`block` from 0 to 2, `grid` from 3 to 5) is in anything else of it.
    pub(crate) fn mentions_besides(&self, symbol: &str, dimension: usize) -> bool {
        let sizes = self.block.iter().chain(&self.grid).enumerate();
        let sizes = sizes.filter(|&(index, _)| index != dimension);
        let mut rest = sizes.filter_map(|(_, size)| size.as_ref());
        rest.any(|size| size.mentions(symbol))
            || self.conditions.iter().any(|one| one.mentions(symbol))
            || self.arguments.iter().any(|one| one.value.mentions(symbol))
    }
}

impl Argument {
    /// Whether a number is a part of it.
    fn mentions(&self, symbol: &str) -> bool {
        match self {
            Argument::Constant(..) | Argument::Unknown(_) => false,
            Argument::Symbol(_, name, _) => name == symbol,
            Argument::Binary(_, left, right) => left.mentions(symbol) || right.mentions(symbol),
            Argument::Cast(_, inner) => inner.mentions(symbol),
            Argument::Select(condition, then, els) => [condition, then, els]
                .into_iter()
                .any(|part| part.mentions(symbol)),
            Argument::Pointer { bytes, .. } => {
                bytes.as_ref().is_some_and(|bytes| bytes.mentions(symbol))
            }
            Argument::Record(members) | Argument::Closure(_, members) => {
                members.iter().any(|(_, member)| member.mentions(symbol))
            }
        }
    }
}

/// Statements and expressions that are evaluated from one function on; beyond, what it can reach is launched in any way.
const MAX_STEPS: u32 = 200_000;

/// The same in a unit.
const MAX_STEPS_OF_UNIT: u32 = 300_000;

/// Deepest nesting of calls that are run.
const MAX_DEPTH: usize = 10;

/// A running function.
struct Frame<'u> {
    function: Range,
    /// Other files can call it.
    external: bool,
    scopes: Vec<BTreeMap<&'u str, Root>>,
    this: Option<Place>,
    owner: Option<String>,
    /// The type of `*this` as it is written, with arguments that mean the same everywhere, if it is an instance of a template.
    class: Option<Type>,
    /// Template arguments: types resolved and as written, values.
    types: TypeScope,
    type_args: BTreeMap<String, Type>,
    values: BTreeMap<String, Term>,
    /// The elements of parameter packs.
    packs: BTreeMap<&'u str, Vec<Root>>,
    /// What the parser did not understand.
    problems: &'u [Problem],
    returns: Vec<State<'u>>,
    /// Where its result goes.
    result: Option<Root>,
    ret: Ty,
    /// Of a function that returns a reference, what each way back refers to.
    refers: Option<Vec<Option<(Place, Ty)>>>,
    /// The state in which it was called.
    start: Option<State<'u>>,
    /// What is written for its parameters where it was called by its name.
    args: Option<&'u [Expr]>,
}

impl<'u> Frame<'u> {
    fn new(function: &'u Function, this: Option<Place>) -> Self {
        Frame {
            function: function.range,
            external: !function.quals.is_static && !is_main(&function.name),
            scopes: vec![BTreeMap::new()],
            this,
            owner: function.owner.clone(),
            class: None,
            types: TypeScope {
                path: enclosing(&function.qualified).to_owned(),
                ..TypeScope::default()
            },
            type_args: BTreeMap::new(),
            values: BTreeMap::new(),
            packs: BTreeMap::new(),
            problems: &function.parse_errors,
            returns: Vec::new(),
            result: None,
            ret: Ty::Void,
            refers: None,
            start: None,
            args: None,
        }
    }
}

/// Arguments of a function template.
#[derive(Clone, PartialEq)]
struct Arguments {
    types: BTreeMap<String, Ty>,
    type_args: BTreeMap<String, Type>,
    values: BTreeMap<String, Term>,
}

impl Arguments {
    fn of(frame: &Frame<'_>) -> Arguments {
        Arguments {
            types: frame.types.types.clone(),
            type_args: frame.type_args.clone(),
            values: frame.values.clone(),
        }
    }
}

/// An instance of a function template.
struct Instance {
    /// None where they are not known.
    arguments: Option<Arguments>,
    /// Whether it was run with values of which nothing is known.
    entered: bool,
}

/// A variable at namespace scope.
struct Global<'u> {
    root: Root,
    declaration: &'u VarDecl,
    /// Code that is not followed may change it.
    changeable: bool,
}

/// The analysis of a unit.
struct Host<'i, 'u> {
    index: &'u UnitIndex<'u>,
    text: &'i str,
    /// Where things stand, before anything was lowered.
    sources: &'i Sources<'u>,
    /// Constants of instances of class templates.
    of_instances: FxHashMap<String, Option<Term>>,
    /// Those that are being asked for: the value of one may depend on that of another.
    constants_asked: Vec<Name>,
    objects: Objects,
    /// Stands for the world outside among the origins of a value.
    outside: Root,
    /// `None` where no execution comes.
    state: Option<State<'u>>,
    frames: Vec<Frame<'u>>,
    exits: Vec<Exits<'u>>,
    globals: BTreeMap<&'u str, Global<'u>>,
    /// Variables at namespace scope and static members by where they are declared.
    declared: FxHashMap<Range, Root>,
    /// Names that several of them have.
    shared_names: BTreeSet<&'u str>,
    /// Sizes of tensors and the like, as numbers of 64 bits.
    sizes: rustc_hash::FxHashSet<term::Term>,
    /// Those of which each choice of template arguments has one of its own.
    per_argument: BTreeSet<Root>,
    /// What constant variables at namespace scope hold.
    constants: BTreeMap<Root, Vec<(Vec<Step>, Value<'u>)>>,
    /// What reference variables are bound to, where it is known.
    references: FxHashMap<Root, Option<(Place, Ty)>>,
    /// Plain classes of the unit.
    classes: BTreeMap<String, Option<Ty>>,
    /// Types of variables as written.
    written: FxHashMap<Root, Type>,
    found: Vec<Found<'u>>,
    /// Kernels that may be launched in any way.
    arbitrary: BTreeMap<usize, String>,
    /// Kernels whose names are values somewhere, besides those of launches.
    as_values: BTreeSet<usize>,
    /// Variables of functions that keep their values between calls, as far as they were met on this way, by their declarations.
    statics: BTreeMap<Range, Root>,
    /// What the reference refers to that the last function returned.
    came_back: Option<(Place, Ty)>,
    /// Something is launched of which it is not known which kernel it is.
    launches_unknown: bool,
    /// Functions that were run where they are called.
    done: BTreeSet<Range>,
    /// Functions that may be called with other arguments than were seen.
    wanted: BTreeSet<Range>,
    /// Those of them to which some such call passes one pointer twice.
    shared: BTreeSet<Range>,
    /// Some call of what is not determined does so.
    shares_all: bool,
    /// Functions that were run with arguments of which nothing is known.
    entered: BTreeSet<Range>,
    /// With which arguments function templates are instantiated.
    instances: BTreeMap<Range, Vec<Instance>>,
    groups: u32,
    steps: u32,
    /// How many there were when the function was entered that runs.
    steps_before: u32,
    /// Names in capitals that nothing declares, to which sizes of launches were handed, in the function that was entered.
    taken_unchanged: BTreeSet<String>,
    /// Some function has labels.
    labels: bool,
    /// Functions that change something, by name, as far as that was asked.
    changing: FxHashMap<String, Rc<Vec<&'u Function>>>,
    /// What was copied to devices, and what that leads to.
    copied: BTreeSet<Root>,
    /// Symbols that say whether a pointer is null which is null as far as host code is followed.
    null_checks: BTreeSet<SymbolId>,
    /// Objects of which numbers were read that were not stored there before.
    numbers: BTreeSet<Root>,
    /// Variables of functions that objects refer to.
    watched: BTreeSet<Root>,
    exposed: Exposed<'u>,
    several: Several,
    hierarchy: Hierarchy<'u>,
    /// Names of members that a class and its bases have several of.
    of_one_name: BTreeSet<&'u str>,
    /// What making objects runs, by class, as far as that was asked.
    making: FxHashMap<String, Rc<Making<'u>>>,
    /// What the initialisers of all classes are, once objects of any class were made.
    all_making: Option<Rc<Vec<(&'u Struct, &'u VarDecl)>>>,
    /// Names of functions all of which are wanted, and of those of them that run on devices.
    mentioned: FxHashSet<(&'u str, bool)>,
    /// What is known of arrays at the launches of functions that were met.
    inputs: FxHashMap<Range, Rc<inputs::Inside<'u>>>,
    /// What functions do with arrays that they are passed.
    helpers: inputs::Helpers<'u>,
    /// Whether words stand in texts, as far as that was asked.
    words_known: RefCell<FxHashMap<(Range, &'static str), bool>>,
}

/// The launches of each kernel (by index in `unit.functions`), in source order.
pub(crate) fn launches<'u>(
    index: &'u UnitIndex<'u>,
    text: &str,
    sources: &Sources<'u>,
) -> BTreeMap<usize, Vec<Launch>> {
    let unit = index.unit;
    if unit.kernels().next().is_none() {
        return BTreeMap::new();
    }
    let mut objects = Objects::new();
    let outside = objects.object(Kind::Variable, "input", Ty::Void);
    objects.outside = Some(outside);
    let hierarchy = Hierarchy::of(unit);
    let mut host = Host {
        index,
        text,
        sources,
        of_instances: FxHashMap::default(),
        constants_asked: Vec::new(),
        objects,
        outside,
        state: Some(State::new()),
        frames: Vec::new(),
        exits: Vec::new(),
        globals: BTreeMap::new(),
        declared: FxHashMap::default(),
        shared_names: BTreeSet::new(),
        sizes: rustc_hash::FxHashSet::default(),
        per_argument: BTreeSet::new(),
        constants: BTreeMap::new(),
        references: FxHashMap::default(),
        classes: BTreeMap::new(),
        written: FxHashMap::default(),
        found: Vec::new(),
        arbitrary: BTreeMap::new(),
        as_values: BTreeSet::new(),
        statics: BTreeMap::new(),
        came_back: None,
        launches_unknown: false,
        done: BTreeSet::new(),
        wanted: BTreeSet::new(),
        shared: BTreeSet::new(),
        shares_all: false,
        entered: BTreeSet::new(),
        instances: BTreeMap::new(),
        groups: 0,
        steps: 0,
        steps_before: 0,
        taken_unchanged: BTreeSet::new(),
        labels: false,
        changing: FxHashMap::default(),
        copied: BTreeSet::new(),
        null_checks: BTreeSet::new(),
        numbers: BTreeSet::new(),
        watched: BTreeSet::new(),
        exposed: Exposed::default(),
        several: Several::default(),
        of_one_name: hierarchy.members_of_one_name(),
        hierarchy,
        making: FxHashMap::default(),
        all_making: None,
        mentioned: FxHashSet::default(),
        inputs: FxHashMap::default(),
        helpers: inputs::Helpers::default(),
        words_known: RefCell::default(),
    };
    host.unit();
    host.finished()
}

impl<'u> Host<'_, 'u> {
    fn frame(&self) -> &Frame<'u> {
        &self.frames[self.frames.len() - 1]
    }

    fn frame_mut(&mut self) -> &mut Frame<'u> {
        let last = self.frames.len() - 1;
        &mut self.frames[last]
    }

    fn function_at(&self, range: Range) -> Option<&'u Function> {
        self.index.named.function_at(range)
    }

    /// Runs what the unit holds.
    fn unit(&mut self) {
        let unit = self.index.unit;
        self.frames.push(bottom());
        self.declare_globals();
        for problem in &unit.unparsed {
            self.not_understood(problem.range);
        }
        self.named_in_angles();
        self.wanted_elsewhere();
        let words: Vec<BTreeSet<&'u str>> = unit
            .functions
            .iter()
            .map(|function| self.words_of(function))
            .collect();
        let reaching = self.reaching(&words);
        let host: Vec<usize> = (0..unit.functions.len())
            .filter(|&position| {
                let function = &unit.functions[position];
                function.body.is_some() && reaching[position] && runs_on_host(function)
            })
            .collect();
        for (position, function) in unit.functions.iter().enumerate() {
            if reaching[position] && !runs_on_host(function) {
                self.on_device(function);
            }
        }
        // Functions that nobody here calls, then those that are not only called from here.
        let called: BTreeSet<&str> = host
            .iter()
            .flat_map(|&position| {
                let own = unit.functions[position].name.as_str();
                words[position]
                    .iter()
                    .copied()
                    .filter(move |word| *word != own)
            })
            .collect();
        // Templates last: by then most of their instances are known.
        for (called_too, templates_too) in [(false, false), (true, false), (true, true)] {
            for &position in &host {
                let function = &unit.functions[position];
                let is_called = called.contains(function.name.as_str());
                let is_template = function.template.is_some();
                let ran = self.done.contains(&function.range);
                let run = if is_called {
                    called_too
                        && is_template == templates_too
                        && (!ran || self.wanted.contains(&function.range))
                } else {
                    !called_too
                };
                if run {
                    self.entry(function);
                }
            }
        }
        // Those that only became known behind their turn: instances of templates, and functions that were run with what is
        // known, and then turn out to be called in a way that is not followed.
        while let Some(function) = host
            .iter()
            .map(|&position| &unit.functions[position])
            .find(|function| self.is_left(function))
        {
            self.entry(function);
        }
        self.find_meetings(self.most_steps() - MAX_STEPS);
        if self.steps > self.most_steps() {
            if let Some(whole) = &self.index.whole {
                whole.spent.set(true);
            }
            // What was not run may launch anything; what was found is launched.
            let mentioned: FxHashSet<&str> = words.iter().flatten().copied().collect();
            for (position, function) in unit.functions.iter().enumerate() {
                if function.quals.global && mentioned.contains(function.name.as_str()) {
                    let reason = "host code was not followed to its end";
                    self.arbitrary
                        .entry(position)
                        .or_insert_with(|| reason.to_owned());
                }
            }
        }
    }

    /// Functions that files mention which are not followed may be called with anything.
    fn wanted_elsewhere(&mut self) {
        let index = self.index;
        let whole = index.whole.as_ref();
        for name in whole.into_iter().flat_map(|whole| &whole.called_elsewhere) {
            self.mentioned(name, "a file that is not followed mentions it");
        }
    }

    /// Steps in the whole unit, beyond which what was not run may launch anything.
    fn most_steps(&self) -> u32 {
        match self.index.whole {
            Some(_) => 2 * MAX_STEPS_OF_UNIT,
            None => MAX_STEPS_OF_UNIT,
        }
    }

    fn words(&self, range: Range) -> BTreeSet<&'u str> {
        // The names of functions of the unit that stand in a text; in its literals those of kernels, which may be looked up.
        let text = self.text.get(range.bytes()).unwrap_or("");
        let mut found = BTreeSet::new();
        for (part, is_literal) in parts(text) {
            let words = part.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            let functions = words.filter_map(|word| self.index.functions(word).first());
            found.extend(
                functions
                    .filter(|function| !is_literal || function.quals.global)
                    .map(|function| function.name.as_str()),
            );
        }
        found
    }

    /// Which functions mention a kernel, or one that does. Each name is followed once, to the functions in whose text it stands.
    fn reaching(&self, words: &[BTreeSet<&'u str>]) -> Vec<bool> {
        let unit = self.index.unit;
        // Classes with a function that is called where its name is not written: `e(p)`.
        let class_of = |function: &'u Function| {
            let name = &function.name;
            let is_unwritten = name.starts_with("operator") || name.starts_with('~');
            let owner = function.owner.as_deref().filter(|_| is_unwritten)?;
            Some(inherit::last(owner))
        };
        let classes: FxHashSet<&str> = unit.functions.iter().filter_map(class_of).collect();
        let mut by_name: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        let mut by_class: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (position, function) in unit.functions.iter().enumerate() {
            for &word in &words[position] {
                by_name.entry(word).or_default().push(position);
            }
            if classes.is_empty() {
                continue;
            }
            let text = self.text.get(function.range.bytes()).unwrap_or("");
            let all = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
            for word in all.filter(|word| classes.contains(word)) {
                let of_class = by_class.entry(word).or_default();
                if of_class.last() != Some(&position) {
                    of_class.push(position);
                }
            }
        }
        let mut reaching = vec![false; unit.functions.len()];
        let mut seen: FxHashSet<(&str, bool)> = FxHashSet::default();
        let mut work: Vec<(&str, bool)> = unit
            .kernels()
            .map(|kernel| (kernel.name.as_str(), false))
            .collect();
        while let Some((name, is_class)) = work.pop() {
            if !seen.insert((name, is_class)) {
                continue;
            }
            let users = if is_class { &by_class } else { &by_name };
            for &position in users.get(name).into_iter().flatten() {
                if std::mem::replace(&mut reaching[position], true) {
                    continue;
                }
                let function = &unit.functions[position];
                if !function.quals.global {
                    work.push((&function.name, false));
                }
                work.extend(class_of(function).map(|class| (class, true)));
            }
        }
        reaching
    }

    /// Runs a function with arguments of which nothing is known.
    fn entry(&mut self, function: &'u Function) {
        let unit = self.index.unit;
        let of_class = self.class_instances(function);
        if !of_class.is_empty() {
            for (class, arguments) in of_class {
                self.enter(function, Some(class), None, Some(arguments));
            }
            // A call that was not followed may be one of another instance.
            if !self.wanted.contains(&function.range) {
                return;
            }
        }
        let instantiated: Vec<&'u Function> = unit
            .instantiations
            .iter()
            .filter(|one| one.name == function.name && function.template.is_some())
            .collect();
        let explicit = !instantiated.is_empty();
        for one in instantiated {
            self.enter(function, None, Some(one), None);
        }
        if function.template.is_none() {
            self.entered.insert(function.range);
            if !explicit {
                self.enter(function, None, None, None);
            }
            return;
        }
        // A template is only what it is instantiated to.
        let known = self.instances.entry(function.range).or_default();
        if known.is_empty() && !explicit {
            known.push(Instance {
                arguments: None,
                entered: false,
            });
        }
        let mut left = Vec::new();
        for instance in known {
            if !instance.entered {
                instance.entered = true;
                // What is written out tells more than a call that was not followed.
                if !explicit || instance.arguments.is_some() {
                    left.push(instance.arguments.clone());
                }
            }
        }
        for arguments in left {
            self.enter(function, None, None, arguments);
        }
    }

    /// Whether the function that was entered takes too long, or all that were.
    fn is_spent(&self) -> bool {
        self.steps - self.steps_before > MAX_STEPS || self.steps > self.most_steps()
    }

    /// A function was not run to its end: the kernels that it names may be launched in any way, and the functions called, which
    /// are run by themselves.
    fn given_up(&mut self, function: &'u Function) {
        if let Some(body) = &function.body {
            let why = format!("host code was not followed to its end: `{}`", function.name);
            for name in self.words(body.range) {
                self.mentioned(name, &why);
            }
        }
    }

    /// What is named in a text, or in a function that is named there, may be launched and called in any way.
    fn reaches(&mut self, range: Range) {
        let why = format!("what `{}` does is not followed", self.snippet(range));
        let mut seen: BTreeSet<&str> = BTreeSet::new();
        let mut work = vec![range];
        while let Some(range) = work.pop() {
            for name in self.words(range) {
                if !seen.insert(name) {
                    continue;
                }
                self.mentioned(name, &why);
                let bodies = self.index.functions(name).iter();
                work.extend(bodies.filter_map(|function| Some(function.body.as_ref()?.range)));
            }
        }
    }

    /// Whether a function that may be called in other ways than were seen was not run in any way, or has instances that were not.
    fn is_left(&self, function: &Function) -> bool {
        if self.steps > self.most_steps() || !self.wanted.contains(&function.range) {
            return false;
        }
        let known = self.instances.get(&function.range);
        match function.template {
            None => !self.entered.contains(&function.range),
            Some(_) => known.is_some_and(|known| known.iter().any(|instance| !instance.entered)),
        }
    }

    /// A function is called, with these template arguments if it is a template.
    fn instantiated(&mut self, function: &'u Function, frame: &Frame<'u>) {
        let Some(params) = &function.template else {
            return;
        };
        let is_parameter = |name: &str| self.is_parameter(name);
        let complete = params.iter().all(|param| {
            let Some(name) = &param.name else {
                return false;
            };
            !param.pack
                && match param.kind {
                    TemplateParamKind::Type { .. } => frame
                        .type_args
                        .get(name)
                        .is_some_and(|ty| !template::names(ty, &is_parameter)),
                    TemplateParamKind::Value { .. } => frame.values.contains_key(name),
                    TemplateParamKind::Template { .. } => false,
                }
        });
        let arguments = complete.then(|| Arguments::of(frame));
        let known = self.instances.entry(function.range).or_default();
        if known.iter().all(|instance| instance.arguments != arguments) {
            known.push(Instance {
                arguments,
                entered: false,
            });
        }
    }

    fn enter(
        &mut self,
        function: &'u Function,
        class: Option<Type>,
        instance: Option<&'u Function>,
        arguments: Option<Arguments>,
    ) {
        let mut state = State::new();
        self.statics.clear();
        self.watched.clear();
        self.exposed.enter();
        self.objects.meetings.begin();
        self.several = Several::default();
        self.steps_before = self.steps;
        self.taken_unchanged.clear();
        if is_main(&function.name) && function.owner.is_none() {
            // Nothing has run before.
            for global in &self.index.unit.globals {
                let Some(&root) = self.declared.get(&global.range) else {
                    continue;
                };
                if self.objects.get(root).hidden_writers {
                    // Functions of the program write it out of sight: it holds what they compute.
                    let version = self.objects.merged(false);
                    state.set_version(root, version);
                }
                if let Init::Expr(Expr {
                    kind: ExprKind::Int { value, ty },
                    ..
                }) = &global.init
                    && let Ty::Scalar(ctype) = self.objects.get(root).ty
                    && !self.objects.get(root).hidden_writers
                    && ctype.is_integer()
                    && !self.objects.get(root).on_device
                {
                    let given = super::types::scalar(*ty).ctype();
                    let value = Term::Constant(i128::from(*value), given);
                    let value = Value::Scalar(term::cast(ctype, value));
                    state.set_entries(root, vec![(Vec::new(), value)]);
                }
            }
        }
        self.state = Some(state);
        let this = function.owner.as_ref().map(|owner| {
            let name = owner.rsplit("::").next().unwrap_or(owner);
            Place::of(self.objects.object(
                Kind::Variable,
                &format!("{name}::this"),
                eval::unknown_type(),
            ))
        });
        if let (Some(this), Some(owner)) = (&this, &function.owner) {
            // Where the calls are not followed, not every value may be possible.
            self.objects.get_mut(this.root).is_local = self.wanted.contains(&function.range);
            self.objects
                .meetings
                .object_of(this.root, inherit::last(owner));
            if self.has_references(owner) {
                self.watch(this.root);
            }
        }
        let mut frame = Frame::new(function, this);
        frame.class = class;
        if let Some(instance) = instance {
            let given =
                (!instance.template_args.is_empty()).then_some(instance.template_args.as_slice());
            self.bind_template(function, given, &[], &mut frame);
            if let Some(params) = &function.template {
                let mut found = BTreeMap::new();
                for (param, given) in function.params.iter().zip(&instance.params) {
                    template::bind(&param.ty, &given.ty, params, &mut found);
                }
                for (name, ty) in found {
                    let resolved = self.resolve(&ty);
                    frame.types.types.entry(name.clone()).or_insert(resolved);
                    frame.type_args.entry(name).or_insert(ty);
                }
            }
        }
        if let Some(arguments) = arguments {
            frame.types.types = arguments.types;
            frame.type_args = arguments.type_args;
            frame.values = arguments.values;
        }
        frame.start = self.state.clone();
        self.exits.clear();
        self.frames.push(frame);
        // Where the calls are not followed, not every value may be possible.
        let is_called = self.wanted.contains(&function.range);
        for param in &function.params {
            if let Some(name) = &param.name {
                let root = self.new_variable(name, &param.ty, false);
                let ty = match self.objects.get(root).ty.clone() {
                    Ty::Array(element, _) => Ty::Pointer(element),
                    ty => ty,
                };
                let object = self.objects.get_mut(root);
                object.ty = ty;
                object.is_local = is_called;
                object.parameter_of = Some(function.range);
            }
        }
        self.share_parameters(function);
        if let Some(body) = &function.body {
            self.block(body);
        }
        if self.is_spent() {
            self.given_up(function);
        } else {
            self.note_meetings();
        }
        self.frames.pop();
        self.state = None;
    }
}

fn runs_on_host(function: &Function) -> bool {
    !function.quals.global && (!function.quals.device || function.quals.host)
}

/// The frame in which variables at namespace scope are initialised.
fn bottom<'u>() -> Frame<'u> {
    Frame {
        function: Range::default(),
        external: false,
        scopes: vec![BTreeMap::new()],
        this: None,
        owner: None,
        class: None,
        types: TypeScope::default(),
        type_args: BTreeMap::new(),
        values: BTreeMap::new(),
        packs: BTreeMap::new(),
        problems: &[],
        returns: Vec::new(),
        result: None,
        ret: Ty::Void,
        refers: None,
        start: None,
        args: None,
    }
}

/// The code of a text and its literals of characters, in turn.
fn parts(text: &str) -> Vec<(&str, bool)> {
    let bytes = text.as_bytes();
    let mut found = Vec::new();
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let quote = bytes[at];
        let separates_digits = quote == b'\'' && at > 0 && bytes[at - 1].is_ascii_hexdigit();
        if !matches!(quote, b'"' | b'\'') || separates_digits {
            at += 1;
            continue;
        }
        found.push((&text[start..at], false));
        let end = match (quote, text[..at].ends_with('R')) {
            (b'"', true) => raw_end(&text[at..]),
            _ => plain_end(&bytes[at..], quote),
        };
        let end = (at + end).min(bytes.len());
        found.push((text.get(at..end).unwrap_or(&text[at..]), true));
        start = end;
        at = end;
    }
    found.push((text.get(start..).unwrap_or(""), false));
    found
}

/// The length of a literal that starts a text.
fn plain_end(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at + 1
}

/// The same of `"d(…)d"`, of which the `R` is behind us.
fn raw_end(text: &str) -> usize {
    let Some(open) = text.find('(') else {
        return text.len();
    };
    let close = format!("){}\"", &text[1..open]);
    match text[open..].find(&close) {
        Some(at) => open + at + close.len(),
        None => text.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn literals_are_told_from_code() {
        let text = r#"f("main \" g", 'x', 1'000, h(u8R"d(a)" b)d"), k"#;
        let code: Vec<&str> = parts(text)
            .into_iter()
            .filter(|(_, literal)| !literal)
            .map(|(part, _)| part)
            .collect();
        assert_eq!(code, ["f(", ", ", ", 1'000, h(u8R", "), k"]);
        let literals: Vec<&str> = parts(text)
            .into_iter()
            .filter(|(_, literal)| *literal)
            .map(|(part, _)| part)
            .collect();
        assert_eq!(literals, [r#""main \" g""#, "'x'", r#""d(a)" b)d""#]);
    }
}
