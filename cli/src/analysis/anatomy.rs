//! The anatomy of kernels for the page: source, barrier intervals and flows, from facts and what the rules derived.
//!
//! Exact copies of the relations `inside`, `flow_of` and `tid_dependent_condition`, brought to lines: a line is in an interval when
//! a point on it is, and so are the lines between two such lines that have no point. A barrier's line is in the intervals that it
//! ends and begins.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::{FxHashMap, FxHashSet};
use warplog_facts::show::Show;
use warplog_facts::words::{BarrierKind, PointKind, Scope, Space};
use warplog_facts::{Derived, Facts, FileId, KernelId, LaunchId, PointId, SpanId, TermId};
use warplog_report::anatomy::{
    Anatomy, Bound, BoundKind, Flow, FlowAccess, Group, Piece, Span, Stretch, Tail,
};

/// Most bounds and intervals, and most nodes of the tree of flows: more than anyone looks at.
const MOST: usize = 400;
/// Lines shown of a kernel at most.
const MOST_LINES: u32 = 5_000;
/// Lines of a called function that are shown together although some between them were not touched, and lines that are looked
/// through for its first and its last.
const GAP: u32 = 60;

type Line = (FileId, u32);

/// Rows of a fact set by launch and point.
pub(super) struct Anatomist<'a> {
    facts: &'a Facts,
    derived: &'a Derived,
    show: &'a Show<'a>,
    texts: FxHashMap<Line, &'a str>,
    points: FxHashMap<LaunchId, Vec<PointId>>,
    barriers: FxHashMap<PointId, usize>,
    accesses: FxHashMap<PointId, Vec<usize>>,
    inside: FxHashMap<(Scope, PointId), Vec<usize>>,
    dependent: FxHashSet<(PointId, u32)>,
    guards: FxHashMap<PointId, Vec<usize>>,
    flows: FxHashMap<usize, u32>,
}

fn grouped<K: std::hash::Hash + Eq>(keys: impl Iterator<Item = K>) -> FxHashMap<K, Vec<usize>> {
    let mut map: FxHashMap<K, Vec<usize>> = FxHashMap::default();
    for (row, key) in keys.enumerate() {
        map.entry(key).or_default().push(row);
    }
    map
}

impl<'a> Anatomist<'a> {
    pub(super) fn new(facts: &'a Facts, derived: &'a Derived, show: &'a Show<'a>) -> Self {
        let mut points: FxHashMap<LaunchId, Vec<PointId>> = FxHashMap::default();
        for row in &facts.point {
            points.entry(row.launch).or_default().push(row.point);
        }
        let annotations: FxHashSet<_> =
            facts.annotation_read.iter().map(|row| row.access).collect();
        let mut accesses: FxHashMap<PointId, Vec<usize>> = FxHashMap::default();
        for (index, row) in facts.access.iter().enumerate() {
            let space = facts.array[row.array.index()].space;
            if matches!(space, Space::Global | Space::Shared) && !annotations.contains(&row.access)
            {
                accesses.entry(row.point).or_default().push(index);
            }
        }
        Anatomist {
            facts,
            derived,
            show,
            texts: facts
                .source_line
                .iter()
                .map(|row| ((row.file, row.line), row.text.as_str()))
                .collect(),
            points,
            barriers: facts
                .barrier
                .iter()
                .enumerate()
                .map(|(index, row)| (row.point, index))
                .collect(),
            accesses,
            // What is in the groups of some lanes only is not shown: it is put where nobody looks.
            inside: grouped(derived.inside.iter().map(|row| {
                let scope = if row.groups == 0 {
                    row.scope
                } else {
                    Scope::System
                };
                (scope, row.head)
            })),
            dependent: derived
                .tid_dependent_condition
                .iter()
                .map(|row| (row.point, row.position))
                .collect(),
            guards: grouped(facts.guard_at.iter().map(|row| row.point)),
            flows: derived
                .flow_of
                .iter()
                .map(|row| (row.access.index(), row.flow))
                .collect(),
        }
    }

    /// The anatomies of a kernel under its launches, those of the first ones first.
    pub(super) fn of_kernel(&self, kernel: KernelId) -> Vec<Anatomy> {
        let launches = self.facts.launch.iter();
        let launches = launches.filter(|launch| launch.kernel == kernel);
        let mut anatomies = Vec::new();
        for (index, launch) in launches.enumerate() {
            Anatomy {
                launches: vec![index],
                ..self.of(launch.launch)
            }
            .add_to(&mut anatomies);
        }
        anatomies
    }

    fn of(&self, launch: LaunchId) -> Anatomy {
        let points = self.points.get(&launch).map_or(&[][..], Vec::as_slice);
        let mut anatomy = Anatomy {
            pieces: self.pieces(points),
            ..Anatomy::default()
        };
        self.intervals(points, &mut anatomy);
        self.flow_tree(points, &mut anatomy);
        anatomy
    }

    fn line_of(&self, span: SpanId) -> Line {
        let row = &self.facts.span[span.index()];
        (row.file, row.line)
    }

    fn line(&self, point: PointId) -> Line {
        self.line_of(self.facts.point[point.index()].span)
    }

    fn named(&self, (file, line): Line) -> (String, u32) {
        (self.facts.file[file.index()].path.clone(), line)
    }

    /// The lines of a point: those of its span.
    fn pieces(&self, points: &[PointId]) -> Vec<Piece> {
        let mut touched: BTreeMap<FileId, BTreeSet<u32>> = BTreeMap::new();
        let (mut entry, mut exit) = (None, None);
        for &point in points {
            let row = &self.facts.point[point.index()];
            let span = &self.facts.span[row.span.index()];
            match row.kind {
                PointKind::Entry => entry = Some((span.file, span.line)),
                PointKind::Exit => exit = Some((span.file, span.line)),
                _ => {}
            }
            let lines = touched.entry(span.file).or_default();
            lines.extend(span.line..=span.end_line.min(span.line.saturating_add(7)));
        }
        let mut pieces = Vec::new();
        let mut own = None;
        if let (Some((file, first)), Some((exit_file, last))) = (entry, exit)
            && file == exit_file
        {
            let first = self.head(file, first);
            let last = last.max(first).min(first.saturating_add(MOST_LINES));
            pieces.push(self.piece(file, first, last));
            own = Some((file, first, last));
        }
        for (file, lines) in touched {
            let mut run: Option<(u32, u32)> = None;
            for line in lines {
                if own
                    .is_some_and(|(own, first, last)| own == file && (first..=last).contains(&line))
                {
                    continue;
                }
                run = match run {
                    Some((first, last)) if line <= last || self.together(file, last, line) => {
                        Some((first, line.max(last)))
                    }
                    other => {
                        pieces.extend(other.map(|(first, last)| self.piece(file, first, last)));
                        Some(self.around(file, line))
                    }
                };
            }
            pieces.extend(run.map(|(first, last)| self.piece(file, first, last)));
        }
        pieces
    }

    /// Whether all lines between two are known and few enough, so that they are of one function, or of two that are near.
    fn together(&self, file: FileId, last: u32, line: u32) -> bool {
        line - last <= GAP && (last + 1..line).all(|line| self.texts.contains_key(&(file, line)))
    }

    /// The lines of the function round a line, as far as they are known: from one that begins at the margin to a brace there.
    fn around(&self, file: FileId, line: u32) -> (u32, u32) {
        let text = |line: u32| self.texts.get(&(file, line)).copied();
        let heads = |text: &str| text.starts_with(|it: char| it.is_alphabetic() || it == '_');
        let first = (line.saturating_sub(GAP)..=line)
            .rev()
            .map_while(|at| text(at).map(|text| (at, text)))
            .find(|(_, text)| heads(text) || text.starts_with('}'));
        let last = (line..=line.saturating_add(GAP))
            .map_while(|at| text(at).map(|text| (at, text)))
            .find(|(_, text)| text.starts_with('}'));
        let first = first.filter(|(_, text)| heads(text));
        (
            first.map_or(line, |(at, _)| at),
            last.map_or(line, |(at, _)| at),
        )
    }

    /// The line on which the declaration of a kernel begins whose name is on this one.
    fn head(&self, file: FileId, name: u32) -> u32 {
        let mut first = name;
        while name - first < 4 && first > 1 {
            let Some(text) = self.texts.get(&(file, first - 1)) else {
                break;
            };
            let text = text.trim();
            if text.is_empty() || text.ends_with(['}', ';', '/']) || text.starts_with(['#', '/']) {
                break;
            }
            first -= 1;
        }
        first
    }

    fn piece(&self, file: FileId, first: u32, last: u32) -> Piece {
        Piece {
            file: self.facts.file[file.index()].path.clone(),
            first,
            lines: (first..=last)
                .map(|line| self.texts.get(&(file, line)).map(|text| (*text).to_owned()))
                .collect(),
        }
    }

    fn intervals(&self, points: &[PointId], anatomy: &mut Anatomy) {
        let facts = self.facts;
        let mut index: BTreeMap<PointId, usize> = BTreeMap::new();
        for &point in points {
            let (what, kind) = match facts.point[point.index()].kind {
                PointKind::Entry => ("start", BoundKind::Start),
                PointKind::Exit => ("end", BoundKind::End),
                PointKind::Barrier => {
                    let Some(&barrier) = self.barriers.get(&point) else {
                        continue;
                    };
                    let what = match facts.barrier[barrier].kind {
                        BarrierKind::Block => "__syncthreads()",
                        BarrierKind::Warp => "__syncwarp()",
                        BarrierKind::Part => "barrier of a part of the block",
                        BarrierKind::Meet | BarrierKind::Collective => continue,
                        BarrierKind::Grid => "grid barrier",
                    };
                    (what, BoundKind::Barrier)
                }
                _ => continue,
            };
            if index.len() >= MOST {
                anatomy.cut = true;
                break;
            }
            index.insert(point, anatomy.bounds.len());
            anatomy.bounds.push(Bound {
                what: what.to_owned(),
                kind,
                at: self.named(self.line(point)),
            });
        }
        let has = |kind: BarrierKind| {
            let mut barriers = index.keys().filter_map(|point| self.barriers.get(point));
            barriers.any(|&barrier| facts.barrier[barrier].kind == kind)
        };
        let mut groups = vec![(Scope::Block, Group::Block)];
        if has(BarrierKind::Warp) {
            groups.push((Scope::Warp, Group::Warp));
        }
        if has(BarrierKind::Grid) {
            groups.push((Scope::Grid, Group::Grid));
        }
        for (scope, group) in groups {
            // The lines that an interval of this group may have: other points are not told apart.
            let rows = index
                .keys()
                .filter_map(|&head| self.inside.get(&(scope, head)));
            let mut lines: BTreeSet<Line> = rows
                .flatten()
                .map(|&row| self.line(self.derived.inside[row].point))
                .collect();
            lines.extend(index.keys().map(|&point| self.line(point)));
            for (&head, &bound) in &index {
                if let Some(rows) = self.inside.get(&(scope, head)) {
                    let span = self.interval(group, bound, head, rows, &index, &lines);
                    anatomy.intervals.push(span);
                }
            }
        }
    }

    fn interval(
        &self,
        group: Group,
        bound: usize,
        head: PointId,
        rows: &[usize],
        index: &BTreeMap<PointId, usize>,
        lines: &BTreeSet<Line>,
    ) -> Span {
        // Whether each line is reached without a back edge.
        let mut reached: BTreeMap<Line, bool> = BTreeMap::new();
        reached.insert(self.line(head), true);
        let mut tails: BTreeMap<usize, bool> = BTreeMap::new();
        let mut inside: BTreeSet<PointId> = BTreeSet::new();
        for &row in rows {
            let row = &self.derived.inside[row];
            let plain = row.carried.is_none();
            *reached.entry(self.line(row.point)).or_insert(false) |= plain;
            inside.insert(row.point);
            if let Some(&tail) = index.get(&row.point)
                && self.counts(row.point, group)
            {
                *tails.entry(tail).or_insert(false) |= plain;
            }
        }
        let accesses: usize = inside
            .iter()
            .filter_map(|point| self.accesses.get(point))
            .map(Vec::len)
            .sum();
        Span {
            group,
            head: bound,
            stretches: self.stretches(&reached, lines),
            tails: tails
                .into_iter()
                .map(|(bound, plain)| Tail {
                    bound,
                    carried: !plain,
                })
                .collect(),
            accesses: u32::try_from(accesses).unwrap_or(u32::MAX),
        }
    }

    /// Whether a bound ends intervals of the group.
    fn counts(&self, point: PointId, group: Group) -> bool {
        match self.barriers.get(&point) {
            Some(&barrier) => match self.facts.barrier[barrier].kind {
                // Those of some lanes end intervals of these only.
                BarrierKind::Warp => {
                    let row = &self.facts.barrier[barrier];
                    let all = row.mask.is_none() && row.member.is_none() && row.key.is_none();
                    group == Group::Warp && all
                }
                BarrierKind::Part | BarrierKind::Meet | BarrierKind::Collective => false,
                BarrierKind::Block => group != Group::Grid,
                BarrierKind::Grid => true,
            },
            None => self.facts.point[point.index()].kind == PointKind::Exit,
        }
    }

    /// Runs of lines with points, all of them in the interval.
    fn stretches(&self, reached: &BTreeMap<Line, bool>, lines: &BTreeSet<Line>) -> Vec<Stretch> {
        let mut stretches: Vec<Stretch> = Vec::new();
        let mut open: Option<(FileId, bool)> = None;
        for &(file, line) in lines {
            let state = reached.get(&(file, line)).map(|&plain| (file, !plain));
            match (state, stretches.last_mut()) {
                (Some(_), Some(last)) if open == state => last.last = line,
                (Some((file, carried)), _) => stretches.push(Stretch {
                    file: self.facts.file[file.index()].path.clone(),
                    first: line,
                    last: line,
                    carried,
                }),
                (None, _) => {}
            }
            open = state;
        }
        stretches
    }

    /// Accesses by the tid-dependent conditions on their way, which are the branches of the tree.
    fn flow_tree(&self, points: &[PointId], anatomy: &mut Anatomy) {
        let facts = self.facts;
        let mut children: BTreeMap<(usize, TermId, bool), usize> = BTreeMap::new();
        anatomy.flows.push(Flow::default());
        for &point in points {
            let Some(accesses) = self.accesses.get(&point) else {
                continue;
            };
            let mut node = 0;
            let guards = self.guards.get(&point).map_or(&[][..], Vec::as_slice);
            let mut guards: Vec<_> = guards.iter().map(|&row| &facts.guard_at[row]).collect();
            guards.sort_by_key(|row| row.position);
            for row in guards {
                if !self.dependent.contains(&(point, row.position)) {
                    continue;
                }
                let key = (node, row.term, row.polarity);
                node = match children.get(&key) {
                    Some(&child) => child,
                    None if anatomy.flows.len() >= MOST => {
                        anatomy.cut = true;
                        break;
                    }
                    None => {
                        let child = anatomy.flows.len();
                        anatomy.flows.push(Flow {
                            parent: Some(node),
                            condition: self.show.conjunct(row.term, row.polarity),
                            cause: row.cause.name().to_owned(),
                            at: Some(self.named(self.line(row.cause_point))),
                            ..Flow::default()
                        });
                        children.insert(key, child);
                        child
                    }
                };
            }
            for &access in accesses {
                let row = &facts.access[access];
                let flow = &mut anatomy.flows[node];
                flow.flow = flow.flow.or(self.flows.get(&access).copied());
                let line = self.line_of(row.span).1;
                let kind = row.kind.name();
                let array = &facts.array[row.array.index()].name;
                let mut known = flow.accesses.iter_mut();
                match known
                    .find(|known| known.line == line && known.kind == kind && known.array == *array)
                {
                    Some(known) => known.count += 1,
                    None => flow.accesses.push(FlowAccess {
                        line,
                        kind: kind.to_owned(),
                        array: array.clone(),
                        count: 1,
                    }),
                }
            }
        }
    }
}
