//! Launches of a whole program: host code of all its files, followed as one text.
//!
//! A kernel stands in one file, what launches it in another, and the sizes come from a third. Each file is preprocessed with its own
//! macros and read by itself; then the files are joined ([`names`] tells what must get another name for that, and which file must stay
//! out), and the host code of the joined text is run as that of one file is. Kernels are lowered from the text of their own file: only
//! launches are taken from here, matched by the place where they stand.
//!
//! **Contract.** A launch of the joined text is one of the program's as [`super::host`] has it. Functions that a file which stayed
//! out, or was never read, mentions may be called in any way, and variables changed. Where a launch cannot be told to be of a kernel, the
//! kernel keeps the launches of its own file. What a file shows of its launches by itself is not lost: where the joined text leaves open
//! which arguments are one allocation, the launch of the file is kept as well ([`refined`]); a lambda is the file's own, with the
//! values that the program gives to what it captured. What was found is kept for the next file of the program: each file is read once a thread.

mod names;
mod parts;
mod refined;
mod strip;

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use rustc_hash::FxHashMap;
use warplog_facts::words::LaunchSource;

use super::host::{self, Argument, Launch};
use super::sources::Sources;
use super::{index_of, kernel_name};
use crate::preprocess::joined::{Piece, Taken, join};
use crate::preprocess::{FileSystem, Preprocessed, preprocess_with};
use crate::syntax::ast::{Function, Range, Unit};
use crate::syntax::parse_as;
use crate::{Options, Program};
pub(crate) use names::same_signature;
pub(crate) use strip::is_main;

use names::Source;

/// The longest text that is read of a program at once; of a larger one, each file is read by itself.
const MAX_TEXT: usize = 6 << 20;

/// Where something stands in a file that is no part of the unit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Spot {
    pub path: String,
    pub start: u32,
    pub end: u32,
    pub line: u32,
    pub column: u32,
    pub end_line: u32,
    pub end_column: u32,
    /// The first lines of it.
    pub lines: Vec<String>,
}

/// What is known of the whole program where its host code is run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Whole {
    /// Functions that files which are not followed mention, and variables.
    pub called_elsewhere: BTreeSet<String>,
    pub changed_elsewhere: BTreeSet<String>,
    /// Nothing else calls functions of the program: it has a `main`, and all its files are followed.
    pub closed: bool,
    /// Set when its host code was not followed to the end.
    pub spent: Cell<bool>,
}

/// Where a launch stands: its file, and how many launches begin before it there.
type Place = (PathBuf, usize);

/// A launch that the program makes.
struct Linked {
    place: Option<Place>,
    /// The kernel with its template arguments.
    instance: String,
    launch: Launch,
    /// What tells the lambdas among its arguments from others.
    lambdas: Vec<Option<Said>>,
    spot: Option<Spot>,
}

/// A lambda by what its file says of it, whatever text that is read in: its file, its words, and the types of what it sees.
type Said = (PathBuf, String, String);

/// What the host code of a program does.
struct Known {
    id: String,
    /// The launches of each kernel, by its file and its qualified name.
    kernels: BTreeMap<(PathBuf, String), Vec<Linked>>,
    /// Kernels of one file and one name.
    unclear: BTreeSet<(PathBuf, String)>,
    files: Vec<PathBuf>,
    names: Vec<String>,
    /// What each file tells host code, in few bytes.
    hashes: Vec<u64>,
    /// Files that stayed out, and why.
    left_out: Vec<(String, String)>,
    /// Functions and variables that those mention, or a file may mean by what a header says that was not found.
    called_elsewhere: BTreeSet<String>,
    changed_elsewhere: BTreeSet<String>,
    /// What was looked for, and whether it was read.
    looked_for: BTreeMap<PathBuf, bool>,
}

thread_local! {
    /// The program whose file was lowered last.
    static LAST: RefCell<Option<Rc<Known>>> = const { RefCell::new(None) };
}

/// What a program says of the kernels of one of its files.
pub(crate) struct Told {
    pub launches: BTreeMap<usize, Vec<Launch>>,
    /// Files that are not followed, and why.
    pub left_out: Vec<(String, String)>,
}

/// The launches of the kernels of a unit as its program makes them, where it tells; `own` are those of the unit alone.
pub(crate) fn launches(
    pre: &Preprocessed,
    unit: &Unit,
    own: BTreeMap<usize, Vec<Launch>>,
    program: &Program,
    options: &Options,
) -> Told {
    let untold = |launches| Told {
        launches,
        left_out: Vec::new(),
    };
    let files = options.files;
    let here = files.canonical(&pre.files[0].path);
    let known = LAST.with_borrow(|last| last.clone().filter(|known| known.id == program.id));
    let known = match known {
        Some(known) => {
            // A result rests on all files of its program.
            for (path, is_read) in &known.looked_for {
                files.rests_on(path, *is_read);
            }
            known
        }
        None => {
            let known = Rc::new(read(program, options, None));
            LAST.set(Some(Rc::clone(&known)));
            known
        }
    };
    let Some(position) = known.files.iter().position(|file| *file == here) else {
        let left_out = known.left_out.clone();
        return Told {
            launches: own,
            left_out,
        };
    };
    let own_text = pre.on_host.as_deref().unwrap_or(pre);
    let known = match known.hashes[position] == hash_of(own_text) {
        true => known,
        // Another text than the file's is asked about.
        false => Rc::new(read(program, options, Some((&here, own_text)))),
    };
    let Some(position) = known.files.iter().position(|file| *file == here) else {
        return untold(own);
    };
    Told {
        launches: told(pre, unit, own, &known, position, options),
        left_out: known.left_out.clone(),
    }
}

/// The same, by what is known of the program in which the unit's file has a position.
fn told(
    pre: &Preprocessed,
    unit: &Unit,
    mut own: BTreeMap<usize, Vec<Launch>>,
    known: &Known,
    position: usize,
    options: &Options,
) -> BTreeMap<usize, Vec<Launch>> {
    let mut paths = Paths::new(pre, options.files);
    let mut seen: FxHashMap<(PathBuf, String), usize> = FxHashMap::default();
    let keys: Vec<Option<(PathBuf, String)>> = unit
        .functions
        .iter()
        .map(|function| {
            let is_kernel = function.quals.global && function.body.is_some();
            is_kernel.then(|| {
                (
                    paths.file_of(function.name_range),
                    function.qualified.clone(),
                )
            })
        })
        .collect();
    for key in keys.iter().flatten() {
        *seen.entry(key.clone()).or_default() += 1;
    }
    for (at, key) in keys.iter().enumerate() {
        let Some(key) = key else { continue };
        if seen.get(key) != Some(&1) || known.unclear.contains(key) {
            continue;
        }
        let Some(linked) = known.kernels.get(key) else {
            continue;
        };
        let kernel = &unit.functions[at];
        let here = own.remove(&at).unwrap_or_default();
        let meant = Meant {
            kernel,
            here: &here,
            pre,
            known,
            position,
        };
        let found = meant.launches(linked, &mut paths);
        let launches = if found.is_empty() { here } else { found };
        if !launches.is_empty() {
            own.insert(at, launches);
        }
    }
    own
}

/// A kernel of a unit, whose launches the program tells.
struct Meant<'m> {
    kernel: &'m Function,
    here: &'m [Launch],
    pre: &'m Preprocessed,
    known: &'m Known,
    /// That of the unit's file among those of the program.
    position: usize,
}

impl Meant<'_> {
    fn launches(&self, linked: &[Linked], paths: &mut Paths<'_>) -> Vec<Launch> {
        let is_template = self.kernel.template.is_some();
        let name = |launch: &Launch| kernel_name(self.kernel, launch, &self.pre.text);
        let own: Vec<(Option<Place>, String)> = self
            .here
            .iter()
            .map(|launch| (launch.range.map(|range| paths.place(range)), name(launch)))
            .collect();
        let own_lambdas: Vec<Vec<Option<Said>>> = self
            .here
            .iter()
            .map(|launch| paths.lambdas(launch))
            .collect();
        let mut found: Vec<Launch> = Vec::new();
        let mut told: BTreeSet<(Option<Place>, String)> = BTreeSet::new();
        // Launches of the file that say more than those of the joined text.
        let mut kept: Vec<&Launch> = Vec::new();
        for one in linked {
            let is_twin = |at: &usize| {
                let (place, own_name) = &own[*at];
                place.is_some()
                    && *place == one.place
                    && (!is_template || *own_name == one.instance)
            };
            // Of several at one place, the one to which the same lambdas are passed.
            let twins = || (0..own.len()).filter(is_twin);
            let twin = twins()
                .find(|at| own_lambdas[*at] == one.lambdas)
                .or_else(|| twins().next());
            let launch = strip::stripped(one.launch.clone(), self.position, &self.known.names);
            match twin {
                Some(twin) => {
                    told.insert(own[twin].clone());
                    let here = twins().map(|at| &self.here[at]);
                    kept.extend(here.filter(|here| refined::loses(&launch, here)));
                    let lambdas = (one.lambdas.as_slice(), own_lambdas[twin].as_slice());
                    found.push(located(launch, &self.here[twin], lambdas));
                }
                None if one.launch.source == LaunchSource::Symbolic => {
                    found.push(Launch {
                        range: Some(self.kernel.name_range),
                        rest_is_open: is_template,
                        ..launch
                    });
                }
                // The unit that it stands in has the instance.
                None if is_template => {}
                None => found.push(Launch {
                    range: Some(self.kernel.name_range),
                    template_args: Vec::new(),
                    elsewhere: one.spot.clone().map(Rc::new),
                    arguments: without_closures(launch.arguments),
                    ..launch
                }),
            }
        }
        // Launches that only this unit tells of, and those that one of another file stands for with others; and those that are not
        // met where host code is not followed to its end.
        let is_cut_off = linked
            .iter()
            .any(|one| one.launch.source == LaunchSource::Symbolic);
        if is_template || is_cut_off {
            let here = self.here.iter().zip(&own);
            kept.extend(
                here.filter(|(_, own)| !told.contains(own))
                    .map(|(here, _)| here),
            );
        }
        let mut added: Vec<&Launch> = Vec::new();
        for launch in kept {
            if !added.iter().any(|known| std::ptr::eq(*known, launch)) {
                added.push(launch);
                found.push(launch.clone());
            }
        }
        found
    }
}

/// A launch of the joined text, with the place and the types that it has in the unit's own.
fn located(found: Launch, own: &Launch, lambdas: (&[Option<Said>], &[Option<Said>])) -> Launch {
    Launch {
        range: own.range,
        template_args: own.template_args.clone(),
        rest_is_open: own.rest_is_open,
        stand_in: own.stand_in,
        arguments: with_closures(found.arguments, own, lambdas),
        ..found
    }
}

/// The lambda of the joined text stands in another text than the unit's: where both say the same of it, the unit's is passed, with
/// the values that the program gives to what it captured. Any other is an argument of which nothing is known.
fn with_closures(
    mut arguments: Vec<host::LaunchArgument>,
    own: &Launch,
    (there, here): (&[Option<Said>], &[Option<Said>]),
) -> Vec<host::LaunchArgument> {
    for (at, argument) in arguments.iter_mut().enumerate() {
        let Argument::Closure(_, members) = &mut argument.value else {
            continue;
        };
        let twin = own
            .arguments
            .get(at)
            .filter(|_| here.get(at) == there.get(at));
        argument.value = match twin.map(|twin| &twin.value) {
            Some(Argument::Closure(lambda, _)) => {
                Argument::Closure(Rc::clone(lambda), std::mem::take(members))
            }
            _ => Argument::Unknown(argument.text.clone()),
        };
    }
    arguments
}

fn without_closures(mut arguments: Vec<host::LaunchArgument>) -> Vec<host::LaunchArgument> {
    for argument in &mut arguments {
        if matches!(argument.value, Argument::Closure(..)) {
            argument.value = Argument::Unknown(argument.text.clone());
        }
    }
    arguments
}

/// The files of a text under the names that are the same for all paths to them.
struct Paths<'p> {
    pre: &'p Preprocessed,
    files: &'p dyn FileSystem,
    known: FxHashMap<u32, PathBuf>,
}

impl<'p> Paths<'p> {
    fn new(pre: &'p Preprocessed, files: &'p dyn FileSystem) -> Self {
        Paths {
            pre,
            files,
            known: FxHashMap::default(),
        }
    }

    fn canonical(&mut self, file: u32) -> PathBuf {
        let (pre, files) = (self.pre, self.files);
        let path = || files.canonical(&pre.files[file as usize].path);
        self.known.entry(file).or_insert_with(path).clone()
    }

    fn file_of(&mut self, range: Range) -> PathBuf {
        let place = self
            .pre
            .map
            .locate(range.start as usize, range.end as usize);
        self.canonical(place.file)
    }

    fn place(&mut self, range: Range) -> Place {
        let place = self
            .pre
            .map
            .locate(range.start as usize, range.end as usize);
        let text = &self.pre.files[place.file as usize].text;
        let before = text.get(..place.start as usize).unwrap_or(text);
        // Text that mends add inside kernels holds neither.
        let number = before.matches("<<<").count() + before.matches("aunch").count();
        (self.canonical(place.file), number)
    }

    /// The lambdas among the arguments of a launch.
    fn lambdas(&mut self, launch: &Launch) -> Vec<Option<Said>> {
        let mut found = Vec::new();
        for argument in &launch.arguments {
            let Argument::Closure(closure, _) = &argument.value else {
                found.push(None);
                continue;
            };
            let range = closure.lambda.body.range;
            let text = self.pre.text.get(range.bytes()).unwrap_or_default();
            let words: Vec<&str> = text.split_whitespace().collect();
            found.push(Some((
                self.file_of(range),
                strip::plain(&words.join(" ")),
                strip::plain(&closure.said()),
            )));
        }
        found
    }

    fn spot(&self, range: Range) -> Spot {
        let place = self
            .pre
            .map
            .locate(range.start as usize, range.end as usize);
        let source = &self.pre.files[place.file as usize];
        let (line, column) = source.line_column(place.start);
        let (end_line, end_column) = source.line_column(place.end);
        let lines = line..=end_line.min(line + 7);
        Spot {
            path: source.path.to_string_lossy().replace('\\', "/"),
            start: place.start,
            end: place.end,
            line,
            column,
            end_line,
            end_column,
            lines: lines
                .map(|line| source.line_text(line).to_owned())
                .collect(),
        }
    }
}

/// What a file tells host code, in few bytes: all but kernels and functions of devices alone.
fn hash_of(pre: &Preprocessed) -> u64 {
    use std::hash::Hasher;
    let tokens = pre.tokens();
    let mut hasher = rustc_hash::FxHasher::default();
    for part in parts::parts(pre, &tokens) {
        let head = part.tokens.clone().take_while(|at| {
            let word = parts::word(pre, &tokens, *at);
            word != "{" && word != ";"
        });
        let words: BTreeSet<&str> = head.map(|at| parts::word(pre, &tokens, at)).collect();
        let of_device = words.contains("__global__")
            || (words.contains("__device__") && !words.contains("__host__"));
        if tokens[part.tokens.start].file != 0 || (of_device && words.contains("(")) {
            continue;
        }
        for at in part.tokens {
            hasher.write(parts::word(pre, &tokens, at).as_bytes());
            hasher.write_u8(0);
        }
    }
    hasher.finish()
}

/// The files of this machine, with what was looked for.
struct Watched<'w> {
    inner: &'w dyn FileSystem,
    looked_for: RefCell<BTreeMap<PathBuf, bool>>,
}

impl FileSystem for Watched<'_> {
    fn read(&self, path: &Path, limit: usize) -> io::Result<Vec<u8>> {
        self.looked_for.borrow_mut().insert(path.to_owned(), true);
        self.inner.read(path, limit)
    }

    fn is_file(&self, path: &Path) -> bool {
        self.looked_for
            .borrow_mut()
            .entry(path.to_owned())
            .or_insert(false);
        self.inner.is_file(path)
    }

    fn canonical(&self, path: &Path) -> PathBuf {
        self.inner.canonical(path)
    }
}

/// Reads the files of a program and runs their host code; `instead` is what a file of it is taken to be.
fn read(program: &Program, options: &Options, instead: Option<(&Path, &Preprocessed)>) -> Known {
    let files = Watched {
        inner: options.files,
        looked_for: RefCell::default(),
    };
    let mut known = Known {
        id: program.id.clone(),
        kernels: BTreeMap::new(),
        unclear: BTreeSet::new(),
        files: Vec::new(),
        names: Vec::new(),
        hashes: Vec::new(),
        left_out: Vec::new(),
        called_elsewhere: BTreeSet::new(),
        changed_elsewhere: BTreeSet::new(),
        looked_for: BTreeMap::new(),
    };
    let mut sources: Vec<(PathBuf, Source)> = Vec::new();
    let mut strangers: Vec<Source> = Vec::new();
    let mut length = 0;
    for file in &program.files {
        let path = files.canonical(&file.path);
        let pre = match instead {
            Some((own, pre)) if own == path => Ok(pre.clone()),
            _ => files
                .read(&file.path, file.preprocess.limits.file_bytes)
                .map_err(|error| error.to_string())
                .and_then(|bytes| {
                    preprocess_with(&file.path, &bytes, &file.preprocess, &files)
                        .map_err(|error| error.to_string())
                })
                .map(|pre| match pre.on_host {
                    Some(on_host) => *on_host,
                    None => pre,
                }),
        };
        let pre = match pre {
            Ok(pre) => pre,
            Err(reason) => {
                known.left_out.push((file.shown.clone(), reason));
                continue;
            }
        };
        length += pre.text.len();
        if length > MAX_TEXT {
            known.left_out = vec![(file.shown.clone(), "the program is too long".to_owned())];
            sources.clear();
            break;
        }
        let unit = parse_as(&pre.text, file.preprocess.has_char8());
        let source = Source::new(&file.shown, pre, unit, file.is_c);
        match source.fault() {
            Some(reason) => {
                known.left_out.push((file.shown.clone(), reason));
                strangers.push(source);
            }
            None => sources.push((path, source)),
        }
    }
    let plan = loop {
        let all: Vec<&Source> = sources.iter().map(|(_, source)| source).collect();
        match names::plan(&all) {
            Ok(plan) => break plan,
            Err((position, reason)) => {
                let (_, source) = sources.remove(position);
                known.left_out.push((source.shown.clone(), reason));
                strangers.push(source);
            }
        }
    };
    for stranger in &strangers {
        for (position, (_, source)) in sources.iter().enumerate() {
            // As the joined text has it.
            let joined = |name: &str| match plan.renamed[position].contains(name) {
                true => strip::marked(name, position),
                false => name.to_owned(),
            };
            let functions = source.external(names::Kind::Function);
            let meant = functions.filter(|name| stranger.mentions(name));
            known.called_elsewhere.extend(meant.map(joined));
            let variables = source.external(names::Kind::Variable);
            let meant = variables.filter(|name| stranger.mentions(name));
            known.changed_elsewhere.extend(meant.map(joined));
        }
    }
    for names in &plan.untold {
        known.called_elsewhere.extend(names.iter().cloned());
        known.changed_elsewhere.extend(names.iter().cloned());
    }
    known.looked_for = files.looked_for.into_inner();
    if sources.len() < 2 {
        return known;
    }
    for (path, source) in &sources {
        known.files.push(path.clone());
        known.names.push(source.shown.clone());
        known.hashes.push(hash_of(&source.pre));
    }
    let all: Vec<&Source> = sources.iter().map(|(_, source)| source).collect();
    let joined = joined(&all, &plan);
    followed(&mut known, &joined, &all, program, options);
    known
}

/// The files as one text.
fn joined(sources: &[&Source], plan: &names::Plan) -> Preprocessed {
    let mut names: Vec<BTreeMap<&str, String>> = Vec::new();
    for (position, renamed) in plan.renamed.iter().enumerate() {
        let other = |name: &str| strip::marked(name, position);
        names.push(
            renamed
                .iter()
                .map(|name| (name.as_str(), other(name)))
                .collect(),
        );
    }
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut pieces: Vec<Piece<'_>> = Vec::new();
    for (position, (source, names)) in sources.iter().zip(&names).enumerate() {
        let (renamed, untold) = (&plan.renamed[position], &plan.untold[position]);
        let mut taken = vec![Taken::AsItIs; source.tokens.len()];
        for (at, taken) in taken.iter_mut().enumerate() {
            if source.is_renamed(at, renamed, untold) {
                let name = parts::word(&source.pre, &source.tokens, at);
                if let Some(other) = names.get(name) {
                    *taken = Taken::Renamed(other);
                }
            }
        }
        let mut own: Vec<String> = Vec::new();
        for (number, part) in source.parts.iter().enumerate() {
            let is_changed = part
                .tokens
                .clone()
                .any(|at| matches!(taken[at], Taken::Renamed(_)));
            if is_changed {
                continue;
            }
            let key = source.key(number);
            let may_be_left = !source.part_is_own(number) || source.only_announces(number);
            if may_be_left && seen.contains(key) {
                taken[part.tokens.clone()].fill(Taken::Left);
            } else {
                own.push(key.to_owned());
            }
        }
        seen.extend(own);
        pieces.push(Piece {
            pre: &source.pre,
            taken,
        });
    }
    join(&pieces)
}

/// Runs the host code of the joined text.
fn followed(
    known: &mut Known,
    pre: &Preprocessed,
    sources: &[&Source],
    program: &Program,
    options: &Options,
) {
    let unit = parse_as(&pre.text, options.preprocess.has_char8());
    let mut index = index_of(pre, &unit, options);
    let has_main = unit.functions.iter().any(|function| {
        function.body.is_some() && function.owner.is_none() && strip::is_main(&function.name)
    });
    index.whole = Some(Whole {
        called_elsewhere: known.called_elsewhere.clone(),
        changed_elsewhere: known.changed_elsewhere.clone(),
        closed: has_main && program.is_whole && known.left_out.is_empty(),
        spent: Cell::new(false),
    });
    let shown = known.names[0].clone();
    let mut launches = host::launches(&index, &pre.text, &Sources::new(pre, &shown));
    // What was known of each file by itself must not be lost.
    if index.whole.as_ref().is_some_and(|whole| whole.spent.get()) {
        let reason = "the host code of all together is too long to be followed";
        let all = sources.iter().map(|source| source.shown.clone());
        known
            .left_out
            .extend(all.map(|shown| (shown, reason.to_owned())));
        return;
    }
    let mut paths = Paths::new(pre, options.files);
    for (position, function) in unit.functions.iter().enumerate() {
        if !function.quals.global || function.body.is_none() {
            continue;
        }
        let key = (
            paths.file_of(function.name_range),
            strip::plain(&function.qualified),
        );
        if known.kernels.contains_key(&key) {
            known.unclear.insert(key);
            continue;
        }
        let found = launches.remove(&position).unwrap_or_default();
        let linked = found.into_iter().map(|launch| Linked {
            place: launch.range.map(|range| paths.place(range)),
            instance: strip::plain(&kernel_name(function, &launch, &pre.text)),
            spot: launch.range.map(|range| paths.spot(range)),
            lambdas: paths.lambdas(&launch),
            launch,
        });
        let linked = linked.collect();
        known.kernels.insert(key, linked);
    }
}
