//! Writing the expanded text, and the map from its bytes back to the files.
//!
//! Each token of the text has one entry with its place, found by binary search. A token that stands in a file is at
//! its own place, also when it is an argument of a macro. A token from a replacement list (or made by `#`, `##`,
//! `__LINE__`) is at the outermost macro call that stands in a file: the name with its arguments.

use std::collections::BTreeMap;

use super::engine::{Engine, Inclusion, OutToken};
use super::shims::RESPELLED;
use super::token::{Kind, LINE_START, SCRATCH, SPACE, Token};

/// A byte range of one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// Index in `Preprocessed::files`.
    pub file: u32,
    /// Byte offset of the first byte, in the file as given.
    pub start: u32,
    /// Byte offset after the last byte.
    pub end: u32,
}

/// Where a range of the expanded text comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location<'m> {
    /// Index in `Preprocessed::files`.
    pub file: u32,
    /// Byte offset of the first byte, in the file as given. Always inside the file.
    pub start: u32,
    /// Byte offset after the last byte.
    pub end: u32,
    /// The outermost macro that was called there, if the first token passed through one (also as its argument).
    pub macro_name: Option<&'m str>,
    /// The name in the `#define` of that macro.
    pub definition: Option<Place>,
    /// Where the first token is spelled, if that is in a replacement list.
    pub spelling: Option<Place>,
    /// Which entry of a file this is (for [`LocationMap::included_from`]).
    pub inclusion: u32,
}

impl Location<'_> {
    /// The range alone.
    pub fn place(&self) -> Place {
        Place {
            file: self.file,
            start: self.start,
            end: self.end,
        }
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    out_start: u32,
    inclusion: u32,
    start: u32,
    end: u32,
    /// Index in `macros` plus one of the outermost macro.
    outer: u32,
    /// The same of the macro in whose replacement list the token stands.
    inner: u32,
    /// The token in that list; `file` is `SCRATCH` when it was made, or stands in a file itself.
    spelling: Place,
}

#[derive(Debug, Clone)]
struct Definition {
    name: Box<str>,
    place: Place,
    names_a_literal: bool,
}

/// The way back from the expanded text to the files.
#[derive(Debug, Clone, Default)]
pub struct LocationMap {
    entries: Vec<Entry>,
    inclusions: Vec<Inclusion>,
    macros: Vec<Definition>,
}

impl LocationMap {
    /// Where the bytes `start..end` of the expanded text come from, in O(log n).
    ///
    /// The range covers the places of its first and its last token. When those are in different files, it is the
    /// `#include` lines that count, up to the file that holds both. White space belongs to the token before it. Any
    /// range is allowed; an empty text is at the start of the main file.
    pub fn locate(&self, start: usize, end: usize) -> Location<'_> {
        let Some(first) = self.entry_at(start) else {
            return Location {
                file: 0,
                start: 0,
                end: 0,
                macro_name: None,
                definition: None,
                spelling: None,
                inclusion: 0,
            };
        };
        let last = self
            .entry_at(end.saturating_sub(1).max(start))
            .unwrap_or(first);
        let mut left = (first.inclusion, first.start, first.end);
        let mut right = (last.inclusion, last.start, last.end);
        // Inclusions are numbered in the order of entry, so the parent has the smaller number.
        while left.0 != right.0 {
            let raised = if left.0 > right.0 {
                &mut left
            } else {
                &mut right
            };
            let inclusion = &self.inclusions[raised.0 as usize];
            if inclusion.parent == raised.0 {
                break;
            }
            *raised = (inclusion.parent, inclusion.start, inclusion.end);
        }
        if left.0 != right.0 {
            right = left;
        }
        let outer = self.definition(first.outer);
        Location {
            file: self.inclusions[left.0 as usize].file,
            start: left.1.min(right.1),
            end: left.2.max(right.2),
            macro_name: outer.map(|definition| &*definition.name),
            definition: outer.map(|definition| definition.place),
            spelling: (first.inner != 0 && first.spelling.file != SCRATCH)
                .then_some(first.spelling),
            inclusion: left.0,
        }
    }

    /// The macro that names the literal at byte `at` of the expanded text, such as `TILE` for `#define TILE 16`.
    /// Only macros whose whole replacement is that literal (perhaps in parentheses).
    pub fn macro_of_literal(&self, at: usize) -> Option<&str> {
        let definition = self.definition(self.entry_at(at)?.inner)?;
        definition.names_a_literal.then_some(&*definition.name)
    }

    /// The `#include` through which a file was entered; `None` for the main file.
    pub fn included_from(&self, inclusion: u32) -> Option<(u32, Place)> {
        let entry = self.inclusions.get(inclusion as usize)?;
        if entry.parent == inclusion {
            return None;
        }
        let file = self.inclusions[entry.parent as usize].file;
        Some((
            entry.parent,
            Place {
                file,
                start: entry.start,
                end: entry.end,
            },
        ))
    }

    fn definition(&self, number: u32) -> Option<&Definition> {
        self.macros.get((number as usize).checked_sub(1)?)
    }

    fn entry_at(&self, offset: usize) -> Option<&Entry> {
        let after = self
            .entries
            .partition_point(|entry| entry.out_start as usize <= offset);
        self.entries.get(after.saturating_sub(1))
    }

    /// The entries of files.
    pub(super) fn inclusions(&self) -> &[Inclusion] {
        &self.inclusions
    }

    /// Tells of each part of a file (start, end, number), by file, where it is in the expanded text: the range of each token that
    /// comes from it, and an empty range where a part, or some of it, gives no token.
    pub(super) fn meet(
        &self,
        parts: &BTreeMap<usize, Vec<(u32, u32, usize)>>,
        mut found: impl FnMut(usize, (u32, u32)),
    ) {
        let none: &[(u32, u32, usize)] = &[];
        let of_inclusion = |inclusion: u32| {
            let file = self.inclusions[inclusion as usize].file as usize;
            parts.get(&file).map_or(none, Vec::as_slice)
        };
        // How far each inclusion of a file has given text, and where that ends.
        let mut reached: Vec<Option<(u32, u32)>> = vec![None; self.inclusions.len()];
        let mut previous_end = 0;
        for (position, entry) in self.entries.iter().enumerate() {
            let next = self.entries.get(position + 1);
            let end = next.map_or(entry.out_start + 1, |next| next.out_start);
            let before = reached[entry.inclusion as usize].map_or(0, |(place, _)| place);
            for &(start, behind, number) in of_inclusion(entry.inclusion) {
                if start < entry.end && entry.start < behind {
                    found(number, (entry.out_start, end));
                }
                if start < entry.start && before < behind {
                    found(number, (entry.out_start, entry.out_start));
                }
            }
            let place = entry.end.max(before);
            reached[entry.inclusion as usize] = Some((place, end));
            previous_end = end;
        }
        // What follows the last token of a file, and files without any. Those are where they are included.
        for inclusion in (0..self.inclusions.len()).rev() {
            let of_file = of_inclusion(inclusion as u32);
            match reached[inclusion] {
                Some((place, end)) => {
                    for &(_, behind, number) in of_file {
                        if place < behind {
                            found(number, (end, end));
                        }
                    }
                }
                None if of_file.is_empty() => {}
                None => {
                    let at = self.place_of_inclusion(inclusion).unwrap_or(previous_end);
                    for &(_, _, number) in of_file {
                        found(number, (at, at));
                    }
                }
            }
        }
    }

    /// Where in the expanded text the text of a file without tokens would be: before the first token that comes behind its
    /// `#include` in the including file.
    fn place_of_inclusion(&self, inclusion: usize) -> Option<u32> {
        let Inclusion { parent, end, .. } = self.inclusions[inclusion];
        if parent as usize == inclusion {
            return None;
        }
        let mut behind = self
            .entries
            .iter()
            .filter(|entry| entry.inclusion == parent && entry.start >= end);
        match behind.next() {
            Some(entry) => Some(entry.out_start),
            None => self.place_of_inclusion(parent as usize),
        }
    }

    /// Tells of each token: where it begins, where the next one does, and the file that it comes from.
    pub(super) fn each_token(&self, mut found: impl FnMut(u32, Option<u32>, u32)) {
        for (position, entry) in self.entries.iter().enumerate() {
            let next = self.entries.get(position + 1);
            let file = self.inclusions[entry.inclusion as usize].file;
            found(entry.out_start, next.map(|next| next.out_start), file);
        }
    }

    /// Adds the way back of a text whose tokens follow those of this one: `start` tells by the number of a token where it is now, if
    /// it was taken. The files of the other text follow those of this one, from the number `first` on.
    pub(super) fn append(
        &mut self,
        other: &LocationMap,
        first: u32,
        start: &dyn Fn(usize) -> Option<u32>,
    ) {
        let inclusions = self.inclusions.len() as u32;
        let macros = self.macros.len() as u32;
        let of_file = |file: u32| if file == SCRATCH { file } else { file + first };
        let of_macro = |number: u32| if number == 0 { 0 } else { number + macros };
        let of_place = |place: Place| Place {
            file: of_file(place.file),
            ..place
        };
        let entries = other.entries.iter().enumerate();
        self.entries.extend(entries.filter_map(|(position, entry)| {
            Some(Entry {
                out_start: start(position)?,
                inclusion: entry.inclusion + inclusions,
                outer: of_macro(entry.outer),
                inner: of_macro(entry.inner),
                spelling: of_place(entry.spelling),
                ..*entry
            })
        }));
        self.inclusions
            .extend(other.inclusions.iter().map(|inclusion| Inclusion {
                file: of_file(inclusion.file),
                parent: inclusion.parent + inclusions,
                ..*inclusion
            }));
        self.macros
            .extend(other.macros.iter().map(|definition| Definition {
                place: of_place(definition.place),
                ..definition.clone()
            }));
    }

    /// The places in files of all tokens that stand there themselves, in the order of the text.
    pub(super) fn own_places(&self) -> impl Iterator<Item = Place> {
        self.entries
            .iter()
            .filter(|entry| entry.inner == 0)
            .map(|entry| {
                let file = self.inclusions[entry.inclusion as usize].file;
                Place {
                    file,
                    start: entry.start,
                    end: entry.end,
                }
            })
    }
}

/// Writes the engine's output tokens.
pub(super) fn write(engine: &mut Engine<'_>) -> (String, LocationMap) {
    let tokens = std::mem::take(&mut engine.output);
    let mut text = String::new();
    let mut entries: Vec<Entry> = Vec::with_capacity(tokens.len());
    let mut previous: Option<&OutToken> = None;
    for out in &tokens {
        let token = &out.token;
        let spelled = if out.respelled == 0 {
            engine.text(token)
        } else {
            RESPELLED[usize::from(out.respelled)]
        };
        if let Some(previous) = previous {
            if token.flags & LINE_START != 0 {
                text.push('\n');
            } else if token.flags & SPACE != 0 || needs_space(previous, out) {
                text.push(' ');
            }
        }
        let out_start = text.len() as u32;
        text.push_str(spelled);
        entries.push(entry(engine, out, out_start));
        previous = Some(out);
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let macros = engine.macros.iter().map(|definition| {
        let file = definition.source;
        let (start, end) =
            engine.sources[file as usize].original_range(definition.start, definition.end);
        Definition {
            name: engine.names.get(definition.name).into(),
            place: Place { file, start, end },
            names_a_literal: definition.names_a_literal(),
        }
    });
    let macros = macros.collect();
    (
        text,
        LocationMap {
            entries,
            inclusions: std::mem::take(&mut engine.inclusions),
            macros,
        },
    )
}

fn entry(engine: &Engine<'_>, out: &OutToken, out_start: u32) -> Entry {
    let token = &out.token;
    let range = |token: &Token| match engine.sources.get(token.source as usize) {
        Some(source) => source.original_range(token.start, token.end),
        None => (0, 0),
    };
    let outer = match out.within {
        0 => 0,
        within => engine.expansions[within as usize].definition + 1,
    };
    let (start, end) = range(token);
    if token.expansion == 0 {
        let spelling = Place {
            file: SCRATCH,
            start: 0,
            end: 0,
        };
        return Entry {
            out_start,
            inclusion: out.inclusion,
            start,
            end,
            outer,
            inner: 0,
            spelling,
        };
    }
    let expansion = &engine.expansions[token.expansion as usize];
    let root = &engine.expansions[expansion.root as usize];
    Entry {
        out_start,
        inclusion: root.inclusion,
        start: root.start,
        end: root.end,
        outer: if outer == 0 {
            root.definition + 1
        } else {
            outer
        },
        inner: expansion.definition + 1,
        spelling: Place {
            file: token.source,
            start,
            end,
        },
    }
}

/// Whether two tokens that were not neighbours in a file would run together.
fn needs_space(left: &OutToken, right: &OutToken) -> bool {
    let (left, right) = (&left.token, &right.token);
    if left.source == right.source && left.end == right.start && left.source != SCRATCH {
        return false;
    }
    let wordy = |token: &Token| !matches!(token.kind, Kind::Punctuator | Kind::Other);
    let bracket = |token: &Token| {
        [&b"("[..], b")", b"[", b"]", b"{", b"}", b",", b";"]
            .iter()
            .any(|code| token.is(super::token::punctuator(code)))
    };
    match (wordy(left), wordy(right)) {
        (true, true) => true,
        (false, false) => !bracket(left) && !bracket(right),
        // `.5`, `5.` and `1e+` would become other numbers.
        (true, false) => {
            left.kind == Kind::Number
                && [&b"."[..], b"...", b"+", b"-", b"++", b"--"]
                    .iter()
                    .any(|code| right.is(super::token::punctuator(code)))
        }
        (false, true) => right.kind == Kind::Number && left.is(super::token::punctuator(b".")),
    }
}
