//! Places and source lines of a report, from the spans and lines of a fact set.

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use warplog_extractor::preprocess::is_stand_in;
use warplog_facts::words::GuardCause;
use warplog_facts::{Facts, FileId, LoopId, PointId, SpanId, TermId};
use warplog_report::{Place, Sources};
use warplog_solver_bridge::Element;

/// Resolves spans, and remembers which lines a report needs.
pub(super) struct Places<'a> {
    facts: &'a Facts,
    lines: FxHashMap<(FileId, u32), &'a str>,
    needed: RefCell<BTreeSet<(FileId, u32)>>,
    /// The loops around points, once somebody asks.
    loops: OnceCell<FxHashMap<PointId, Vec<LoopId>>>,
    /// The calls through which points are reached, likewise.
    calls: OnceCell<FxHashMap<PointId, Vec<(u32, SpanId)>>>,
    /// The arms of branches that points stand in, likewise.
    arms: OnceCell<FxHashMap<PointId, Vec<Arm>>>,
}

/// An arm: its branch, and the condition with the value that it has there.
pub(super) type Arm = (PointId, TermId, bool);

impl<'a> Places<'a> {
    pub(super) fn new(facts: &'a Facts) -> Self {
        let lines = facts
            .source_line
            .iter()
            .map(|row| ((row.file, row.line), row.text.as_str()))
            .collect();
        Places {
            facts,
            lines,
            needed: RefCell::default(),
            loops: OnceCell::new(),
            calls: OnceCell::new(),
            arms: OnceCell::new(),
        }
    }

    /// The arms of branches that a point stands in.
    pub(super) fn arms(&self, point: PointId) -> &[Arm] {
        let arms = self.arms.get_or_init(|| {
            let mut arms: FxHashMap<PointId, Vec<Arm>> = FxHashMap::default();
            let rows = self.facts.guard_at.iter();
            for row in rows.filter(|row| row.cause == GuardCause::Branch) {
                let arm = (row.cause_point, row.term, row.polarity);
                arms.entry(row.point).or_default().push(arm);
            }
            arms
        });
        arms.get(&point).map_or(&[], Vec::as_slice)
    }

    /// The loops around a point.
    pub(super) fn loops(&self, point: PointId) -> &[LoopId] {
        let loops = self.loops.get_or_init(|| {
            let mut loops: FxHashMap<PointId, Vec<LoopId>> = FxHashMap::default();
            for row in &self.facts.loop_at {
                loops.entry(row.point).or_default().push(row.loop_id);
            }
            loops
        });
        loops.get(&point).map_or(&[], Vec::as_slice)
    }

    pub(super) fn place(&self, span: SpanId) -> Place {
        let row = &self.facts.span[span.index()];
        let mut needed = self.needed.borrow_mut();
        for line in row.line..=row.end_line.min(row.line.saturating_add(7)) {
            needed.insert((row.file, line));
        }
        Place {
            file: self.facts.file[row.file.index()].path.clone(),
            line: row.line,
            column: row.column,
            end_line: row.end_line,
            end_column: row.end_column,
        }
    }

    /// Where an access, a barrier or a branch is told: at its own span, or, in a text that stands in for a header, at the last call
    /// outside of such a text, as nobody can look the text up; with the calls through which that is reached, that in the kernel first.
    pub(super) fn told(&self, span: SpanId, point: PointId) -> (SpanId, Vec<Place>) {
        let mut calls = self.calls(point);
        let mut told = span;
        while self.is_stand_in(told)
            && let Some(call) = calls.pop()
        {
            told = call;
        }
        let calls = calls.into_iter().map(|span| self.place(span)).collect();
        (told, calls)
    }

    /// Whether a span lies in a text that stands in for a header.
    pub(super) fn is_stand_in(&self, span: SpanId) -> bool {
        let file = self.facts.span[span.index()].file;
        is_stand_in(&self.facts.file[file.index()].path)
    }

    /// The spans of the calls through which a point is reached, that in the kernel first.
    fn calls(&self, point: PointId) -> Vec<SpanId> {
        let calls = self.calls.get_or_init(|| {
            let mut calls: FxHashMap<PointId, Vec<(u32, SpanId)>> = FxHashMap::default();
            for row in &self.facts.called_at {
                let entry = calls.entry(row.point).or_default();
                entry.push((row.position, row.span));
            }
            calls
        });
        let mut own = calls.get(&point).cloned().unwrap_or_default();
        own.sort_unstable();
        own.into_iter().map(|(_, span)| span).collect()
    }

    /// The macro that a span was expanded from.
    pub(super) fn macro_name(&self, span: SpanId) -> Option<&'a str> {
        let name = self.facts.span[span.index()].macro_name.as_str();
        (!name.is_empty()).then_some(name)
    }

    /// The text of a line.
    pub(super) fn line(&self, file: &str, line: u32) -> Option<&'a str> {
        let index = self.facts.file.iter().position(|row| row.path == file)?;
        self.lines.get(&(FileId::from_index(index), line)).copied()
    }

    /// The texts of the lines that were asked for, and of those that stand alone between two of them: an excerpt shows such a line.
    pub(super) fn sources(&self) -> Sources {
        let needed = self.needed.borrow();
        let between = needed
            .iter()
            .map(|&(file, line)| (file, line.saturating_add(1)))
            .filter(|&(file, line)| needed.contains(&(file, line.saturating_add(1))));
        let shown: BTreeSet<(FileId, u32)> = needed.iter().copied().chain(between).collect();
        shown
            .iter()
            .filter_map(|&(file, line)| {
                let text = self.lines.get(&(file, line))?;
                Some((
                    (self.facts.file[file.index()].path.clone(), line),
                    (*text).to_owned(),
                ))
            })
            .collect()
    }
}

/// `tile[3][0]`.
pub(super) fn element_words(facts: &Facts, element: &Element) -> String {
    let index: String = element
        .index
        .iter()
        .map(|index| format!("[{index}]"))
        .collect();
    format!("{}{index}", facts.array[element.array.index()].name)
}
