//! From ranges of the expanded text to spans of the files, and the source lines they touch.

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::*;

use super::link::Spot;
use crate::preprocess::Preprocessed;
use crate::syntax::ast::Range;

/// The places of a unit. Each distinct place becomes one span, and the lines it touches are kept
/// as facts, so that findings can be shown without the files.
#[derive(Clone)]
pub(crate) struct Sources<'p> {
    pre: &'p Preprocessed,
    /// Name of the main file in reports.
    shown: &'p str,
    files: FxHashMap<u32, FileId>,
    spans: FxHashMap<(FileId, u32, u32, String), SpanId>,
    by_range: FxHashMap<Range, SpanId>,
    lines: FxHashSet<(FileId, u32)>,
    /// Functions whose lines are kept.
    whole: FxHashSet<Range>,
}

impl<'p> Sources<'p> {
    pub(crate) fn new(pre: &'p Preprocessed, shown: &'p str) -> Self {
        Sources {
            pre,
            shown,
            files: FxHashMap::default(),
            spans: FxHashMap::default(),
            by_range: FxHashMap::default(),
            lines: FxHashSet::default(),
            whole: FxHashSet::default(),
        }
    }

    /// The same text, with nothing of it in any facts yet.
    pub(crate) fn afresh(&self) -> Self {
        Sources::new(self.pre, self.shown)
    }

    /// The span of a range of the expanded text.
    pub(crate) fn span(&mut self, facts: &mut Facts, range: Range) -> SpanId {
        if let Some(&span) = self.by_range.get(&range) {
            return span;
        }
        let place = self
            .pre
            .map
            .locate(range.start as usize, range.end as usize);
        let macro_name = place.macro_name.unwrap_or("").to_owned();
        let file = self.file(facts, place.file);
        let key = (file, place.start, place.end, macro_name);
        if let Some(&span) = self.spans.get(&key) {
            self.by_range.insert(range, span);
            return span;
        }
        let source = &self.pre.files[place.file as usize];
        let (line, column) = source.line_column(place.start);
        let (end_line, end_column) = source.line_column(place.end);
        let span = SpanId::from_index(facts.span.len());
        facts.span.push(SpanRow {
            span,
            file,
            start: place.start,
            end: place.end,
            line,
            column,
            end_line,
            end_column,
            macro_name: key.3.clone(),
        });
        // A construct of many lines is shown by its first ones.
        self.keep(facts, place.file, file, line, end_line.min(line + 7));
        self.spans.insert(key, span);
        self.by_range.insert(range, span);
        span
    }

    /// The span of a place in a file that is no part of the unit.
    pub(crate) fn elsewhere(&mut self, facts: &mut Facts, spot: &Spot) -> SpanId {
        let known = facts.file.iter().find(|file| file.path == spot.path);
        let file = match known {
            Some(known) => known.file,
            None => {
                let file = FileId::from_index(facts.file.len());
                facts.file.push(FileRow {
                    file,
                    path: spot.path.clone(),
                    is_input: false,
                });
                file
            }
        };
        let key = (file, spot.start, spot.end, String::new());
        if let Some(&span) = self.spans.get(&key) {
            return span;
        }
        let span = SpanId::from_index(facts.span.len());
        facts.span.push(SpanRow {
            span,
            file,
            start: spot.start,
            end: spot.end,
            line: spot.line,
            column: spot.column,
            end_line: spot.end_line,
            end_column: spot.end_column,
            macro_name: String::new(),
        });
        for (line, text) in (spot.line..).zip(&spot.lines) {
            if self.lines.insert((file, line)) {
                let text = cut(text).to_owned();
                facts.source_line.push(SourceLineRow { file, line, text });
            }
        }
        self.spans.insert(key, span);
        span
    }

    /// Keeps the lines of a whole function, so that it can be shown without its file.
    pub(crate) fn function(&mut self, facts: &mut Facts, range: Range) {
        if range.start >= range.end || !self.whole.insert(range) {
            return;
        }
        let place = self
            .pre
            .map
            .locate(range.start as usize, range.end as usize);
        let source = &self.pre.files[place.file as usize];
        let first = source.line_column(place.start).0;
        let last = source.line_column(place.end).0;
        let file = self.file(facts, place.file);
        self.keep(
            facts,
            place.file,
            file,
            first,
            last.min(first.saturating_add(MAX_LINES)),
        );
    }

    fn keep(&mut self, facts: &mut Facts, index: u32, file: FileId, first: u32, last: u32) {
        let source = &self.pre.files[index as usize];
        for line in first..=last {
            if self.lines.insert((file, line)) {
                let text = cut(source.line_text(line)).to_owned();
                facts.source_line.push(SourceLineRow { file, line, text });
            }
        }
    }

    /// Whether the expanded text has one of these words.
    pub(crate) fn mentions(&self, words: &[&str]) -> bool {
        words.iter().any(|word| self.pre.text.contains(word))
    }

    /// Whether a file has a line `#define NAME`.
    pub(crate) fn defines(&self, name: &str) -> bool {
        let mut files = self.pre.files.iter();
        files.any(|file| crate::preprocess::defines(&file.text, name))
    }

    /// The whole expanded text.
    pub(crate) fn unit(&self) -> &'p str {
        &self.pre.text
    }

    /// The expanded text of a range.
    pub(crate) fn text(&self, range: Range) -> &'p str {
        self.pre.text.get(range.bytes()).unwrap_or("")
    }

    /// A range of the expanded text as it stands in its file, macros and qualifiers that are not read included.
    pub(crate) fn written(&self, range: Range) -> &'p str {
        let place = self
            .pre
            .map
            .locate(range.start as usize, range.end as usize);
        let source = &self.pre.files[place.file as usize];
        source
            .text
            .get(place.start as usize..place.end as usize)
            .unwrap_or("")
    }

    /// The line, from 1, in which a range begins in its file.
    pub(crate) fn line(&self, range: Range) -> u32 {
        let place = self
            .pre
            .map
            .locate(range.start as usize, range.end as usize);
        self.pre.files[place.file as usize]
            .line_column(place.start)
            .0
    }

    /// The id of a file of the unit.
    pub(crate) fn file(&mut self, facts: &mut Facts, index: u32) -> FileId {
        let pre = self.pre;
        let shown = self.shown;
        *self.files.entry(index).or_insert_with(|| {
            let file = FileId::from_index(facts.file.len());
            let path = match index {
                0 => shown.to_owned(),
                _ => pre.files[index as usize]
                    .path
                    .to_string_lossy()
                    .replace('\\', "/"),
            };
            facts.file.push(FileRow {
                file,
                path,
                is_input: index == 0,
            });
            file
        })
    }
}

/// The most lines of a function that are kept: nobody reads more of it in a page.
const MAX_LINES: u32 = 5_000;

/// The most of a line that is kept: nobody reads more of it in a finding.
const MAX_LINE: usize = 4096;

/// The line, cut to the longest that is kept.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(MAX_LINE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
