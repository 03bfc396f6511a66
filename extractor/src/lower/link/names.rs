//! What the names of a program's files mean across them: which files can be read as one text, and what must be renamed for it.
//!
//! **Rules.** Functions and variables with external linkage are one by name, whichever file declares them. What only its file can
//! name gets another name as soon as any other file writes the same word: functions and variables that are `static`, constant or in
//! an unnamed namespace, types and enumerators of a source, kernels and device functions that several files define, and what
//! several files with a `main` define. Types that are the same text in all files are one.
//!
//! **Contract.** A file stays out of the program, with the reason, where that does not tell what its names mean: two definitions of
//! one external name, a header that reads differently in two files, overloads that not all files declare, weak symbols. What is
//! left out may call whatever it mentions.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashSet;

use super::parts::{Part, is_name, parts, word};
use crate::lower::unit::enclosing;
use crate::preprocess::joined::TextToken;
use crate::preprocess::{NoteKind, Preprocessed, is_system_header};
use crate::syntax::ast::*;

/// A file of a program as its host compiler sees it.
pub(super) struct Source {
    pub shown: String,
    pub pre: Preprocessed,
    pub unit: Unit,
    pub tokens: Vec<TextToken>,
    pub parts: Vec<Part>,
    /// Names in the texts of parts that say the same for host code are equal.
    keys: Vec<String>,
    declared: BTreeMap<String, Vec<Declared>>,
    /// Words of the file itself, and those that its headers give.
    own_words: FxHashSet<String>,
    header_words: FxHashSet<String>,
    /// Functions that the file itself calls by an unqualified name.
    calls: FxHashSet<String>,
    /// Namespaces whose names are those of what is around them.
    inline_namespaces: FxHashSet<String>,
    has_main: bool,
    /// It is C: it may call what it does not declare.
    may_call_undeclared: bool,
    /// A header of the project was not found: it may declare anything.
    lacks_header: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Function,
    Variable,
    Type,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Linkage {
    /// Only its file can name it.
    Internal,
    /// A type, or what goes with one.
    OfType,
    /// Code and variables for devices: of one file, where several have them.
    Device,
    External,
}

/// A declaration at namespace scope.
#[derive(Clone, Debug)]
struct Declared {
    qualified: String,
    kind: Kind,
    linkage: Linkage,
    defines: bool,
    /// The types of parameters; how many there are at least and at most.
    signature: String,
    counts: (usize, usize),
    /// It may change and each file that includes it has one of its own.
    per_file: bool,
    part: usize,
    /// It stands in the file itself.
    own: bool,
}

impl Source {
    pub(super) fn new(shown: &str, pre: Preprocessed, unit: Unit, is_c: bool) -> Source {
        let tokens = pre.tokens();
        let parts = parts(&pre, &tokens);
        let keys = parts.iter().map(|part| key(&pre, &tokens, part)).collect();
        let (mut own_words, mut header_words) = (FxHashSet::default(), FxHashSet::default());
        let mut calls = FxHashSet::default();
        let mut inline_namespaces = FxHashSet::default();
        for at in 0..tokens.len() {
            let name = word(&pre, &tokens, at);
            if !is_name(name) {
                continue;
            }
            if name == "inline" && word(&pre, &tokens, at + 1) == "namespace" {
                inline_namespaces.insert(word(&pre, &tokens, at + 2).to_owned());
            }
            if tokens[at].file != 0 {
                header_words.insert(name.to_owned());
                continue;
            }
            own_words.insert(name.to_owned());
            let before = match at {
                0 => "",
                _ => word(&pre, &tokens, at - 1),
            };
            if word(&pre, &tokens, at + 1) == "(" && !matches!(before, "." | "->" | "::") {
                calls.insert(name.to_owned());
            }
        }
        let misses = |note: &crate::preprocess::Note| {
            note.kind == NoteKind::MissingInclude
                && !is_system_header(note.text.trim_matches(['<', '>', '"']))
        };
        let lacks_header = pre.notes.iter().any(misses);
        let mut source = Source {
            shown: shown.to_owned(),
            pre,
            unit: Unit::default(),
            tokens,
            parts,
            keys,
            declared: BTreeMap::new(),
            own_words,
            header_words,
            calls,
            inline_namespaces,
            has_main: false,
            may_call_undeclared: is_c,
            lacks_header,
        };
        source.declare(&unit, is_c);
        source.unit = unit;
        source.has_main = source
            .declared
            .get("main")
            .is_some_and(|all| all.iter().any(|one| one.defines && one.own));
        source
    }

    /// Why it cannot be read as a part of any program.
    pub(super) fn fault(&self) -> Option<String> {
        if let Some(note) = self.pre.notes.iter().find(|note| note.kind.is_damage()) {
            return Some(format!("its text is in doubt ({})", note.text));
        }
        let weak = |text: &str| text.contains("weak))") || text.contains("pragma weak");
        if weak(&self.pre.files[0].text) {
            return Some("it has weak symbols".to_owned());
        }
        None
    }

    /// The words of the file itself and of its headers.
    pub(super) fn mentions(&self, name: &str) -> bool {
        self.own_words.contains(name) || self.header_words.contains(name)
    }

    /// Whether the file can name what another one declares only behind a name that it never writes: that of a namespace around it,
    /// which a header that was not found may open as well, but the text that is read does not.
    fn is_out_of_reach(&self, one: &Declared, declarer: &Source) -> bool {
        let scopes = enclosing(&one.qualified).split("::");
        scopes
            .filter(|scope| !scope.is_empty())
            .any(|scope| !self.mentions(scope) && !declarer.inline_namespaces.contains(scope))
    }

    /// The names of functions or variables that it declares with external linkage.
    pub(super) fn external(&self, kind: Kind) -> impl Iterator<Item = &str> {
        let declared = self.declared.iter();
        declared
            .filter(move |(_, all)| {
                all.iter()
                    .any(|one| one.kind == kind && one.linkage == Linkage::External)
            })
            .map(|(name, _)| name.as_str())
    }

    fn is_own(&self, part: usize) -> bool {
        let first = self.parts[part].tokens.start;
        self.tokens.get(first).is_some_and(|token| token.file == 0)
    }

    /// The declaration that holds a range.
    fn part_at(&self, range: Range) -> Option<usize> {
        let after = self.parts.partition_point(|part| {
            self.tokens
                .get(part.tokens.start)
                .is_some_and(|token| token.start <= range.start)
        });
        after.checked_sub(1)
    }

    fn declare(&mut self, unit: &Unit, is_c: bool) {
        let mut all: Vec<(String, Declared)> = Vec::new();
        for function in &unit.functions {
            let Some(part) = self
                .part_at(function.range)
                .filter(|_| !function.quals.friend)
            else {
                continue;
            };
            if function.owner.is_some() && function.qualifier.is_empty() {
                // It stands in its class.
                continue;
            }
            let quals = function.quals;
            let unnamed = self.parts[part].unnamed;
            let linkage = match () {
                () if unnamed || (quals.is_static && function.owner.is_none()) => Linkage::Internal,
                () if quals.global || (quals.device && !quals.host) => Linkage::Device,
                () => Linkage::External,
            };
            let fewest = function
                .params
                .iter()
                .filter(|param| param.default.is_none() && !param.pack)
                .count();
            let most = match function.variadic || function.params.iter().any(|param| param.pack) {
                true => usize::MAX,
                false => function.params.len(),
            };
            let own = self.is_own(part);
            let of_template = function.template.is_some() || !function.template_args.is_empty();
            all.push((
                function.name.clone(),
                Declared {
                    qualified: function.qualified.clone(),
                    kind: Kind::Function,
                    linkage,
                    defines: function.body.is_some(),
                    signature: match (quals.extern_c || is_c, of_template) {
                        (true, _) => "C".to_owned(),
                        (false, true) => format!("template {}", self.keys[part]),
                        (false, false) => signature(&function.params),
                    },
                    counts: (fewest, most),
                    per_file: linkage == Linkage::Internal
                        && function.body.is_some()
                        && self.has_static(part),
                    part,
                    own,
                },
            ));
        }
        for global in &unit.globals {
            let Some(part) = self.part_at(global.range) else {
                continue;
            };
            let scope = &self.parts[part].scope;
            if enclosing(&global.name) != scope.trim_end_matches("::")
                && !global.storage.is_extern
                && matches!(global.init, Init::None)
            {
                // A static member where its class announces it.
                continue;
            }
            let storage = global.storage;
            let is_const = is_constant(&global.ty) || storage.constexpr;
            let unnamed = self.parts[part].unnamed;
            let linkage = match () {
                () if unnamed || storage.is_static => Linkage::Internal,
                () if is_const && !storage.is_extern && !storage.constant => Linkage::Internal,
                () if storage.device || storage.constant || storage.managed => Linkage::Device,
                () => Linkage::External,
            };
            let name = global.name.rsplit("::").next().unwrap_or(&global.name);
            let own = self.is_own(part);
            all.push((
                name.to_owned(),
                Declared {
                    qualified: global.name.clone(),
                    kind: Kind::Variable,
                    linkage,
                    defines: !storage.is_extern || !matches!(global.init, Init::None),
                    signature: String::new(),
                    counts: (0, 0),
                    per_file: linkage == Linkage::Internal && !is_const,
                    part,
                    own,
                },
            ));
        }
        let mut types: Vec<(&str, Range, bool)> = Vec::new();
        types.extend(
            unit.structs
                .iter()
                .map(|one| (one.name.as_str(), one.range, one.defined)),
        );
        types.extend(
            unit.typedefs
                .iter()
                .map(|one| (one.name.as_str(), one.range, true)),
        );
        for one in &unit.enums {
            types.push((one.name.as_str(), one.range, true));
            if !one.scoped {
                let values = one.values.iter();
                types.extend(values.map(|value| (value.name.as_str(), value.range, true)));
            }
        }
        for (name, range, defines) in types {
            let Some(part) = self.part_at(range) else {
                continue;
            };
            let scope = self.parts[part].scope.trim_end_matches("::");
            if name.is_empty() || (name.contains("::") && enclosing(name) != scope) {
                // Inside a class.
                continue;
            }
            let simple = name.rsplit("::").next().unwrap_or(name);
            let own = self.is_own(part);
            all.push((
                simple.to_owned(),
                Declared {
                    qualified: name.to_owned(),
                    kind: Kind::Type,
                    linkage: Linkage::OfType,
                    defines,
                    signature: String::new(),
                    counts: (0, 0),
                    per_file: false,
                    part,
                    own,
                },
            ));
        }
        for (name, one) in all {
            self.declared.entry(name).or_default().push(one);
        }
    }

    /// Whether the body of a function has variables of its own that stay: more than one `static`.
    fn has_static(&self, part: usize) -> bool {
        let words = self.parts[part].tokens.clone();
        let open = words
            .clone()
            .find(|at| word(&self.pre, &self.tokens, *at) == "{");
        let Some(open) = open else { return false };
        (open..words.end).any(|at| {
            word(&self.pre, &self.tokens, at) == "static"
                && !matches!(word(&self.pre, &self.tokens, at + 1), "const" | "constexpr")
        })
    }

    /// Whether a class of the file itself has a member of a name.
    fn has_member(&self, name: &str) -> bool {
        let is_own = |range: Range| self.part_at(range).is_some_and(|part| self.is_own(part));
        let fields = self.unit.structs.iter().any(|record| {
            is_own(record.range) && record.fields.iter().any(|field| field.name == name)
        });
        fields
            || self.unit.functions.iter().any(|function| {
                function.owner.is_some() && function.name == name && is_own(function.range)
            })
    }
}

/// What is to be done with the files of a program.
pub(super) struct Plan {
    /// For each file the names that get others in it.
    pub renamed: Vec<BTreeSet<String>>,
    /// For each file the names that it may mean as others of the program declare them, or as a header does that was not found.
    pub untold: Vec<BTreeSet<String>>,
}

/// The names to replace so that the files can be read as one, or the file that cannot be, with the reason.
pub(super) fn plan(sources: &[&Source]) -> Result<Plan, (usize, String)> {
    let keys: Vec<FxHashSet<&str>> = sources
        .iter()
        .map(|source| source.keys.iter().map(String::as_str).collect())
        .collect();
    let mut renamed: Vec<BTreeSet<String>> = vec![BTreeSet::new(); sources.len()];
    for (position, source) in sources.iter().enumerate() {
        for (name, all) in &source.declared {
            let others = Others {
                sources,
                keys: &keys,
                own: position,
            };
            if !others.mention(name) {
                continue;
            }
            let own: Vec<&Declared> = all.iter().filter(|one| one.own).collect();
            if own.is_empty() {
                others.headers_agree(name, all)?;
                continue;
            }
            let private = own
                .iter()
                .filter(|one| others.is_private(name, one))
                .count();
            let in_headers = own.len() < all.len();
            if private == own.len() && !in_headers {
                renamed[position].insert(name.clone());
                continue;
            }
            if private > 0 && !own.iter().all(|one| one.kind == Kind::Type) {
                let reason = format!("`{name}` is of the file and of the program at once");
                return Err((position, reason));
            }
            others.one_meaning(name, all)?;
            if others.is_called_undeclared(name, &own)? {
                renamed[position].insert(name.clone());
            }
        }
    }
    for (position, source) in sources.iter().enumerate() {
        if let Some((other, name)) = brought_in(sources, position) {
            let reason = format!("`using` brings `{name}` into one of the files only");
            return Err((other.max(position), reason));
        }
        for name in &renamed[position] {
            // What a header writes means what the file says before it includes it.
            if source.header_words.contains(name) && source.is_used_by_header(name) {
                let reason = format!("`{name}` may mean another thing in a header");
                return Err((position, reason));
            }
        }
    }
    let mut untold = Vec::new();
    for position in 0..sources.len() {
        let names = untold_names(sources, position, &renamed)?;
        renamed[position].extend(names.iter().cloned());
        untold.push(names);
    }
    Ok(Plan { renamed, untold })
}

/// The names that a file which lacks a header writes without declaring them, and that others declare: what they mean in it is not
/// told. They get another name in it, so that nothing is known of them there.
fn untold_names(
    sources: &[&Source],
    position: usize,
    renamed: &[BTreeSet<String>],
) -> Result<BTreeSet<String>, (usize, String)> {
    let source = sources[position];
    let mut found = BTreeSet::new();
    if !source.lacks_header || source.may_call_undeclared {
        return Ok(found);
    }
    for (other, declarer) in sources.iter().enumerate() {
        if other == position {
            continue;
        }
        for (name, all) in &declarer.declared {
            let own = source.declared.get(name).map_or(&[][..], Vec::as_slice);
            let is_declared =
                |one: &Declared| own.iter().any(|known| known.qualified == one.qualified);
            // A function that the file declares itself, in a scope of its own, is what its words mean.
            let is_told = |one: &Declared| {
                is_declared(one)
                    || one.kind == Kind::Function
                        && own.iter().any(|known| known.kind == Kind::Function)
                        && source.is_out_of_reach(one, declarer)
            };
            let is_private = renamed[other].contains(name);
            if is_private || !source.mentions(name) || all.iter().all(is_told) {
                continue;
            }
            let in_header = source.header_words.contains(name) && source.is_used_by_header(name);
            if in_header || !own.is_empty() {
                let reason =
                    format!("`{name}` may mean another thing by a header that was not found");
                return Err((position, reason));
            }
            if source.own_words.contains(name) {
                found.insert(name.clone());
            }
        }
    }
    Ok(found)
}

/// A name that `using` brings into the outermost scope of a file, and that another one writes without bringing it in.
fn brought_in(sources: &[&Source], position: usize) -> Option<(usize, String)> {
    let outermost = |source: &Source| -> Vec<(bool, String)> {
        let usings = source.unit.usings.iter();
        usings
            .filter(|using| using.block.is_none() && using.scope.is_empty())
            .map(|using| {
                (
                    using.namespace,
                    using.target.trim_start_matches("::").to_owned(),
                )
            })
            .collect()
    };
    let others = sources.iter().enumerate();
    let others: Vec<(usize, &&Source)> = others.filter(|(other, _)| *other != position).collect();
    for using in outermost(sources[position]) {
        for (other, source) in &others {
            if outermost(source).contains(&using) {
                continue;
            }
            let found = sources.iter().find_map(|declarer| {
                let mut names = declarer.declared.iter();
                names.find(|(name, all)| {
                    source.own_words.contains(*name)
                        && all.iter().any(|one| match using.0 {
                            true => enclosing(&one.qualified) == using.1,
                            false => one.qualified == using.1,
                        })
                })
            });
            if let Some((name, _)) = found {
                return Some((*other, name.clone()));
            }
        }
    }
    None
}

impl Source {
    /// Whether a word of the headers may mean what the file declares by it: not a member's name, and declared by no header itself
    /// as a parameter or a member, as far as the word before it tells.
    fn is_used_by_header(&self, name: &str) -> bool {
        (0..self.tokens.len()).any(|at| {
            if self.tokens[at].file == 0 || word(&self.pre, &self.tokens, at) != name {
                return false;
            }
            let before = match at {
                0 => "",
                _ => word(&self.pre, &self.tokens, at - 1),
            };
            let declares = is_name(before) && before != "return" && before != "else";
            !matches!(before, "." | "->" | "::") && !declares
        }) && !self.header_declares_local(name)
    }

    /// Whether headers write a name behind a type, so that what they write elsewhere is that.
    fn header_declares_local(&self, name: &str) -> bool {
        (1..self.tokens.len()).any(|at| {
            self.tokens[at].file != 0 && word(&self.pre, &self.tokens, at) == name && {
                let before = word(&self.pre, &self.tokens, at - 1);
                let further = word(&self.pre, &self.tokens, at.saturating_sub(2));
                (is_name(before) && before != "return" && before != "else")
                    || (matches!(before, "*" | "&")
                        && matches!(
                            further,
                            "void"
                                | "char"
                                | "int"
                                | "float"
                                | "double"
                                | "long"
                                | "short"
                                | "unsigned"
                        ))
            }
        })
    }

    /// Whether a token gets another name if these do; some of them are untold.
    pub(super) fn is_renamed(
        &self,
        at: usize,
        renamed: &BTreeSet<String>,
        untold: &BTreeSet<String>,
    ) -> bool {
        if self.tokens[at].file != 0 {
            return false;
        }
        let name = word(&self.pre, &self.tokens, at);
        if !renamed.contains(name) {
            return false;
        }
        let before = match at {
            0 => "",
            _ => word(&self.pre, &self.tokens, at - 1),
        };
        match before {
            "." | "->" => self.has_member(name),
            "::" if untold.contains(name) => true,
            "::" => {
                let qualifier = match at {
                    0 | 1 => "",
                    _ => word(&self.pre, &self.tokens, at - 2),
                };
                !is_name(qualifier) || self.declared.contains_key(qualifier) || {
                    let scope = format!("{qualifier}::");
                    self.declared.get(name).is_some_and(|all| {
                        all.iter()
                            .any(|one| self.parts[one.part].scope.ends_with(&scope))
                    })
                }
            }
            _ => true,
        }
    }

    /// The text of a declaration as far as host code sees it, with its namespaces.
    pub(super) fn key(&self, part: usize) -> &str {
        &self.keys[part]
    }

    /// Whether a declaration of the file itself may be left out where another file has the same text.
    pub(super) fn only_announces(&self, part: usize) -> bool {
        let all = self.declared.values().flatten();
        let mut here = all.filter(|one| one.part == part).peekable();
        here.peek().is_some()
            && here.all(|one| one.kind == Kind::Type || (!one.defines && one.kind != Kind::Type))
    }

    pub(super) fn part_is_own(&self, part: usize) -> bool {
        self.is_own(part)
    }
}

/// The files of a program but for one.
struct Others<'s> {
    sources: &'s [&'s Source],
    keys: &'s [FxHashSet<&'s str>],
    own: usize,
}

impl<'s> Others<'s> {
    fn all(&self) -> impl Iterator<Item = (usize, &'s Source)> {
        let own = self.own;
        let sources = self.sources.iter().copied().enumerate();
        sources.filter(move |(position, _)| *position != own)
    }

    fn mention(&self, name: &str) -> bool {
        self.all().any(|(_, source)| {
            source.own_words.contains(name) || source.declared.contains_key(name)
        })
    }

    fn declared(&self, name: &str) -> impl Iterator<Item = (usize, &'s Declared)> {
        let name = name.to_owned();
        self.all().flat_map(move |(position, source)| {
            let all = source.declared.get(&name).into_iter().flatten();
            all.map(move |one| (position, one))
        })
    }

    /// Whether only its file means a declaration.
    fn is_private(&self, name: &str, one: &Declared) -> bool {
        let here = self.sources[self.own];
        match one.linkage {
            Linkage::Internal => true,
            Linkage::OfType => {
                let mut others = self.declared(name).peekable();
                let key = here.keys[one.part].as_str();
                others.peek().is_none()
                    || others.any(|(position, other)| {
                        let differs = !self.keys[position].contains(key);
                        differs && (other.defines || other.kind != Kind::Type)
                    })
            }
            Linkage::Device => {
                let mut others = self.declared(name);
                one.defines && others.any(|(_, other)| other.defines && other.own)
            }
            Linkage::External => {
                // Of two programs that share files.
                here.has_main
                    && one.defines
                    && self.declared(name).count() > 0
                    && self.declared(name).all(|(position, other)| {
                        self.sources[position].has_main && other.own && other.defines
                    })
            }
        }
    }

    /// Whether what headers declare by a name reads the same in all files.
    fn headers_agree(&self, name: &str, all: &[Declared]) -> Result<(), (usize, String)> {
        let here = self.sources[self.own];
        for (position, other) in self.declared(name) {
            if position < self.own {
                continue;
            }
            for one in all {
                if one.qualified != other.qualified || one.kind != other.kind {
                    continue;
                }
                let same = here.keys[one.part] == self.sources[position].keys[other.part];
                if same && one.per_file {
                    let reason = format!("`{name}` of a header is another one in each file");
                    return Err((position, reason));
                }
                let of_form = one.kind == Kind::Function && one.signature != other.signature;
                let some = |set: &FxHashSet<&str>, key: &str| set.contains(key);
                let known = some(&self.keys[position], &here.keys[one.part])
                    || some(
                        &self.keys[self.own],
                        &self.sources[position].keys[other.part],
                    );
                if !same && !known && !of_form && one.defines && other.defines && !other.own {
                    let reason = format!("`{name}` of a header reads differently in it");
                    return Err((position, reason));
                }
            }
        }
        Ok(())
    }

    /// Whether all files mean the same by a name that others can refer to.
    fn one_meaning(&self, name: &str, all: &[Declared]) -> Result<(), (usize, String)> {
        let here = self.sources[self.own];
        for (position, other) in self.declared(name) {
            for one in all.iter().filter(|one| one.own) {
                if one.qualified != other.qualified {
                    continue;
                }
                let there = self.sources[position];
                let later = position.max(self.own);
                if one.kind != other.kind {
                    let reason = format!("`{name}` is something else in it");
                    return Err((later, reason));
                }
                let same_text = here.keys[one.part] == there.keys[other.part];
                let same = one.signature == other.signature
                    || one.signature == "C"
                    || other.signature == "C";
                if same && one.defines && other.defines && one.kind != Kind::Type {
                    let reason = format!("`{name}` is defined twice");
                    return Err((later, reason));
                }
                if one.kind == Kind::Type && one.defines && other.defines && !same_text {
                    let reason = format!("`{name}` is defined twice");
                    return Err((later, reason));
                }
                let may_be_taken_for =
                    one.counts.0 <= other.counts.1 && other.counts.0 <= one.counts.1;
                let declares = |source: &Source, sought: &Declared| {
                    source.declared.get(name).is_some_and(|all| {
                        all.iter().any(|known| {
                            known.qualified == sought.qualified
                                && known.signature == sought.signature
                        })
                    })
                };
                if one.kind == Kind::Function
                    && !same
                    && may_be_taken_for
                    && !(declares(here, other) && declares(there, one))
                {
                    let reason = format!("`{name}` has overloads that not all files declare");
                    return Err((later, reason));
                }
            }
        }
        Ok(())
    }

    /// Whether another file calls a function by a name without declaring it, and so means another one: of a library.
    fn is_called_undeclared(&self, name: &str, own: &[&Declared]) -> Result<bool, (usize, String)> {
        if own.iter().all(|one| one.kind != Kind::Function) {
            return Ok(false);
        }
        let caller = self.all().find(|(_, source)| {
            source.calls.contains(name)
                && !source.declared.contains_key(name)
                && !source.may_call_undeclared
                && !source.lacks_header
        });
        let Some((position, _)) = caller else {
            return Ok(false);
        };
        // A class may have a function of this name.
        if self.sources[position].has_member(name) {
            return Ok(false);
        }
        let here = self.sources[self.own];
        let all = here.declared.get(name).into_iter().flatten();
        if self.declared(name).next().is_none() && all.count() == own.len() {
            return Ok(true);
        }
        let reason = format!("it calls a function `{name}` that it does not declare");
        Err((position, reason))
    }
}

/// Words that tell host code nothing.
const FOR_DEVICES: [&str; 7] = [
    "__host__",
    "__device__",
    "__forceinline__",
    "__noinline__",
    "__inline__",
    "inline",
    "__restrict__",
];

fn key(pre: &Preprocessed, tokens: &[TextToken], part: &Part) -> String {
    let mut key = part.scope.clone();
    if part.unnamed {
        key.push_str("(unnamed) ");
    }
    for at in part.tokens.clone() {
        let word = word(pre, tokens, at);
        if !FOR_DEVICES.contains(&word) {
            key.push_str(word);
            key.push(' ');
        }
    }
    key
}

/// Whether a variable of a type cannot change: not what a pointer leads to.
fn is_constant(ty: &Type) -> bool {
    match &ty.kind {
        TypeKind::Array(element, _) => ty.is_const || is_constant(element),
        _ => ty.is_const,
    }
}

/// Whether two declarations have parameters of the same types, as far as it shows without looking names up.
pub(crate) fn same_signature(one: &[Param], other: &[Param]) -> bool {
    let (one, other) = (signature(one), signature(other));
    one == other && !one.contains(NOT_TOLD) && !one.contains(NOT_COUNTED)
}

/// What stands for a type, and for a template argument, that the text of a signature does not tell.
const NOT_TOLD: &str = "?";
const NOT_COUNTED: &str = "(…)";

/// The types of parameters, as far as they tell overloads apart.
fn signature(params: &[Param]) -> String {
    let params: Vec<String> = params.iter().map(|param| shape(&param.ty, true)).collect();
    params.join(", ")
}

fn shape(ty: &Type, outermost: bool) -> String {
    let of = match &ty.kind {
        TypeKind::Scalar(scalar) => format!("{scalar:?}"),
        TypeKind::Named(name) => {
            let args = name.args.as_ref().map(|args| {
                let args: Vec<String> = args
                    .iter()
                    .map(|arg| match arg {
                        TemplateArg::Type(ty) => shape(ty, false),
                        TemplateArg::Name(name) => name.path(),
                        TemplateArg::Expr(expr) => match &expr.kind {
                            ExprKind::Int { value, .. } => value.to_string(),
                            _ => NOT_COUNTED.to_owned(),
                        },
                    })
                    .collect();
                format!("<{}>", args.join(", "))
            });
            // `A<int>::type` and `A<float>::type` have one path.
            let mut outer = name.qualifier.iter();
            let told = match outer.any(|segment| segment.args.is_some()) {
                true => NOT_TOLD,
                false => "",
            };
            format!("{}{}{told}", name.path(), args.unwrap_or_default())
        }
        TypeKind::Pointer(to) => format!("{} *", shape(to, false)),
        TypeKind::Array(to, _) if outermost => format!("{} *", shape(to, false)),
        TypeKind::Array(to, _) => format!("{} []", shape(to, false)),
        TypeKind::Reference(to) => format!("{} &", shape(to, false)),
        TypeKind::RvalueReference(to) => format!("{} &&", shape(to, false)),
        TypeKind::Function { ret, params } => {
            format!("{} ({})", shape(ret, false), signature(params))
        }
        _ => NOT_TOLD.to_owned(),
    };
    match ty.is_const && !outermost {
        true => format!("const {of}"),
        false => of,
    }
}
