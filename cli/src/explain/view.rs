//! A fact set with all that follows from it, and the words in which pages speak of it.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};
use warplog_facts::show::Show;
use warplog_facts::words::{LaunchSource, PairScope, PointKind, Scope};
use warplog_facts::{
    AccessId, BarrierId, Derived, Facts, LaunchId, LoopId, PointId, SpanId, TermId,
};
use warplog_report::Dim;
use warplog_report::text::safe;
use warplog_report::words::any_sizes;
use warplog_rules::pages;
use warplog_solver_bridge::{Decision, DivergenceOutcome, RaceOutcome};

use crate::identity::Identities;
use crate::pipeline::Examined;

/// A fact set with what follows from it.
pub(crate) struct View<'a> {
    pub(crate) facts: &'a Facts,
    pub(crate) derived: &'a Derived,
    pub(crate) decision: &'a Decision,
    pub(crate) show: Show<'a>,
    /// What ids call the files, by their numbers.
    names: Vec<String>,
}

/// A pair of accesses that was looked at.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub(crate) launch: LaunchId,
    pub(crate) accesses: [AccessId; 2],
    pub(crate) scope: PairScope,
    pub(crate) head: PointId,
    pub(crate) carried: [Option<LoopId>; 2],
    pub(crate) exit: Option<PointId>,
    pub(crate) fate: Fate<'a, RaceOutcome>,
}

/// A condition at which threads may disagree about a barrier.
#[derive(Clone, Copy)]
pub(crate) struct Split<'a> {
    pub(crate) launch: LaunchId,
    pub(crate) barrier: BarrierId,
    pub(crate) cause: warplog_facts::words::GuardCause,
    pub(crate) cause_point: PointId,
    pub(crate) fate: Fate<'a, DivergenceOutcome>,
}

/// What became of something that was looked at.
pub(crate) enum Fate<'a, T> {
    /// A rule discharged it, resting on a term.
    Rule(&'a str, Option<TermId>),
    /// The solver answered.
    Answer(&'a T),
}

impl<T> Clone for Fate<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Fate<'_, T> {}

impl<'a> View<'a> {
    /// The view of a fact set of which everything is known.
    pub(crate) fn new(examined: &'a Examined) -> Option<Self> {
        Some(View {
            facts: &examined.facts,
            derived: examined.derived.as_ref()?,
            decision: examined.decision.as_ref()?,
            show: Show::new(&examined.facts),
            names: {
                let mut identities = Identities::new();
                let files = examined.facts.file.iter();
                files.map(|file| identities.of(&file.path)).collect()
            },
        })
    }

    /// Every pair, those that a rule discharged first.
    pub(crate) fn pairs(&self) -> Vec<Pair<'a>> {
        let discarded = self.derived.discarded_race.iter().map(|row| Pair {
            launch: row.launch,
            accesses: [row.first, row.second],
            scope: row.scope,
            head: row.head,
            carried: [row.first_carried, row.second_carried],
            exit: row.exit,
            fate: Fate::Rule(&row.rule, row.evidence),
        });
        let asked = self.decision.races.iter().map(|outcome| {
            let row = &outcome.candidate;
            Pair {
                launch: row.launch,
                accesses: [row.first, row.second],
                scope: row.scope,
                head: row.head,
                carried: [row.first_carried, row.second_carried],
                exit: row.exit,
                fate: Fate::Answer(outcome),
            }
        });
        discarded.chain(asked).collect()
    }

    /// Every condition round a barrier, those that a rule discharged first.
    pub(crate) fn splits(&self) -> Vec<Split<'a>> {
        let discarded = self.derived.discarded_divergence.iter().map(|row| Split {
            launch: row.launch,
            barrier: row.barrier,
            cause: row.cause,
            cause_point: row.cause_point,
            fate: Fate::Rule(&row.rule, row.evidence),
        });
        let asked = self.decision.divergences.iter().map(|outcome| Split {
            launch: outcome.candidate.launch,
            barrier: outcome.candidate.barrier,
            cause: outcome.candidate.cause,
            cause_point: outcome.candidate.cause_point,
            fate: Fate::Answer(outcome),
        });
        discarded.chain(asked).collect()
    }

    /// The id of a pair: from names and places, so that it stays while the text does. Copies of a pair that differ in neither
    /// share one.
    pub(crate) fn pair_id(&self, pair: &Pair<'_>) -> String {
        let mut key = format!("pair {}", pair.scope);
        for (access, carried) in pair.accesses.iter().zip(pair.carried) {
            let row = &self.facts.access[access.index()];
            let array = &self.facts.array[row.array.index()].name;
            let _ = write!(key, " {} {array} {}", row.kind, self.key_of(row.span));
            if let Some(carried) = carried {
                let head = self.facts.loop_[carried.index()].head;
                let _ = write!(key, " round {}", self.key_of(self.point_span(head)));
            }
        }
        let _ = write!(key, " after {}", self.key_of(self.point_span(pair.head)));
        if let Some(exit) = pair.exit {
            let _ = write!(key, " left at {}", self.key_of(self.point_span(exit)));
        }
        self.id('p', pair.launch, &key)
    }

    /// The id of a condition round a barrier.
    pub(crate) fn split_id(&self, split: &Split<'_>) -> String {
        let barrier = &self.facts.barrier[split.barrier.index()];
        let key = format!(
            "split {} {} {}",
            split.cause,
            self.key_of(barrier.span),
            self.key_of(self.point_span(split.cause_point))
        );
        self.id('d', split.launch, &key)
    }

    fn id(&self, letter: char, launch: LaunchId, key: &str) -> String {
        let kernel = self.facts.launch[launch.index()].kernel;
        let kernel = &self.facts.kernel[kernel.index()];
        let key = format!(
            "{} {} {} {key}",
            kernel.name,
            self.key_of(kernel.span),
            self.nth(launch)
        );
        format!(
            "{letter}{}{}",
            file_tag(self.name(kernel.span)),
            digits(&key, 4)
        )
    }

    /// Which launch of its kernel it is, from 0.
    pub(crate) fn nth(&self, launch: LaunchId) -> usize {
        let kernel = self.facts.launch[launch.index()].kernel;
        let all = self.facts.launch.iter();
        all.filter(|row| row.kernel == kernel && row.launch < launch)
            .count()
    }

    fn key_of(&self, span: SpanId) -> String {
        let row = &self.facts.span[span.index()];
        let file = self.name(span);
        format!(
            "{file}:{}:{}-{}:{}",
            row.line, row.column, row.end_line, row.end_column
        )
    }

    /// What ids call the file of a span.
    pub(crate) fn name(&self, span: SpanId) -> &str {
        &self.names[self.facts.span[span.index()].file.index()]
    }

    /// The file of a span.
    pub(crate) fn file(&self, span: SpanId) -> &'a str {
        let row = &self.facts.span[span.index()];
        &self.facts.file[row.file.index()].path
    }

    /// The line of a span.
    pub(crate) fn line(&self, span: SpanId) -> u32 {
        self.facts.span[span.index()].line
    }

    pub(crate) fn point_span(&self, point: PointId) -> SpanId {
        self.facts.point[point.index()].span
    }

    /// `k.cu:12: s[t] = 1;`, without the text where it is not known.
    pub(crate) fn source(&self, span: SpanId) -> String {
        let row = &self.facts.span[span.index()];
        let text = self
            .facts
            .source_line
            .iter()
            .find(|line| line.file == row.file && line.line == row.line);
        let place = format!("{}:{}", safe(self.file(span)), row.line);
        match text {
            Some(line) => format!("{place}: {}", safe(line.text.trim())),
            None => place,
        }
    }

    /// The name of a launch's kernel.
    pub(crate) fn kernel(&self, launch: LaunchId) -> &'a str {
        let kernel = self.facts.launch[launch.index()].kernel;
        &self.facts.kernel[kernel.index()].name
    }

    /// `<<<2, 64>>> at k.cu:20`.
    pub(crate) fn launch(&self, launch: LaunchId) -> String {
        let dims: Vec<String> = self
            .facts
            .launch_dimension
            .iter()
            .filter(|row| row.launch == launch)
            .map(|row| self.show.term(row.term))
            .collect();
        let axes = |from: usize| {
            let mut axes: Vec<&str> = dims.iter().skip(from).take(3).map(String::as_str).collect();
            while axes.len() > 1 && axes.last() == Some(&"1") {
                axes.pop();
            }
            match axes.as_slice() {
                [one] => (*one).to_owned(),
                axes => format!("({})", axes.join(",")),
            }
        };
        // In the order of the declaration: block sizes, then grid sizes.
        let (block, grid) = (axes(0), axes(3));
        let row = &self.facts.launch[launch.index()];
        let from = match (row.source, row.span) {
            (LaunchSource::Code, Some(span)) => {
                format!(" at {}:{}", safe(self.file(span)), self.line(span))
            }
            (LaunchSource::Symbolic, _) => {
                let sizes = |from: usize| {
                    std::array::from_fn(|axis| match dims.get(from + axis).map(String::as_str) {
                        Some("1") | None => Dim::Known(1),
                        Some(text) => Dim::Symbolic(text.to_owned()),
                    })
                };
                format!(" {}", any_sizes(&sizes(3), &sizes(0)))
            }
            (LaunchSource::Flag, _) => " from the command line".to_owned(),
            (LaunchSource::Comment, _) => " from a comment".to_owned(),
            (LaunchSource::Configuration, _) => " from the configuration".to_owned(),
            (LaunchSource::Code | LaunchSource::Header, _) => " from header".to_owned(),
        };
        format!("<<<{grid}, {block}>>>{from}")
    }

    /// `the start of the kernel`, `the barrier at line 9`.
    pub(crate) fn head(&self, head: PointId) -> String {
        let row = &self.facts.point[head.index()];
        match row.kind {
            PointKind::Entry => "the start of the kernel".to_owned(),
            PointKind::Barrier => format!("the barrier at line {}", self.line(row.span)),
            kind => format!("the {kind} at line {}", self.line(row.span)),
        }
    }

    /// `loop over i at line 9`.
    pub(crate) fn loop_words(&self, id: LoopId) -> String {
        let line = self.line(self.point_span(self.facts.loop_[id.index()].head));
        let name = self.show.loop_name(id);
        match name.strip_prefix("loop L") {
            Some(_) => format!("the loop at line {line}"),
            None => format!("the {} at line {line}", safe(&name)),
        }
    }

    /// `write of s[threadIdx.x] at line 5`.
    pub(crate) fn access(&self, access: AccessId) -> String {
        let row = &self.facts.access[access.index()];
        format!(
            "{} of `{}` at line {}",
            row.kind,
            safe(&self.show.access(access)),
            self.line(row.span)
        )
    }

    /// The access that stands for it in pairs.
    pub(crate) fn representative(&self, access: AccessId) -> AccessId {
        let rows = &self.derived.same_access;
        rows.binary_search_by_key(&access, |row| row.access)
            .map_or(access, |found| rows[found].representative)
    }
}

/// Two hexadecimal digits by which a pair's id tells its file, as ids call it, so that the last scan finds it.
pub(crate) fn file_tag(file: &str) -> String {
    digits(file, 1)
}

/// The first bytes of a hash, in hexadecimal digits.
pub(crate) fn digits(text: &str, bytes: usize) -> String {
    let hash = Sha256::digest(text.as_bytes());
    hash.iter()
        .take(bytes)
        .fold(String::new(), |mut out, byte| {
            let _ = write!(out, "{byte:02x}");
            out
        })
}

/// Which threads a pair is about.
pub(crate) fn scope_words(scope: PairScope) -> &'static str {
    match scope {
        PairScope::Own => "a thread and a copy of its own",
        PairScope::Warp => "two threads of a warp",
        PairScope::InterWarp => "two threads of different warps of a block",
        PairScope::Block => "two threads of a block",
        PairScope::Grid => "two threads of different blocks",
    }
}

/// In whose barriers the pair's interval lies.
pub(crate) fn interval_scope(scope: PairScope) -> Scope {
    match scope {
        PairScope::Warp => Scope::Warp,
        PairScope::Own | PairScope::InterWarp | PairScope::Block => Scope::Block,
        PairScope::Grid => Scope::Grid,
    }
}

/// `D7 same-injective-index: Overlapping bytes …`.
pub(crate) fn rule_words(name: &str) -> String {
    match pages::page(name) {
        Some(rule) if rule.id == name => format!("{name}: {}", rule.sentence),
        Some(rule) => format!("{} {name}: {}", rule.id, rule.sentence),
        None => name.to_owned(),
    }
}
