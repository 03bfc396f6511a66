//! Text for people: findings by cause in the manner of rustc, the worst first; then what is counted, what to ask, what is undecided,
//! what is proved, what was not read; a summary.
//!
//! Rendered from the report alone, source lines included, and to the same bytes everywhere: the width is an option and not
//! asked of the terminal here. Whatever comes from the analysed files goes through [`safe`] first, so that no control
//! character of theirs reaches the terminal and no name fills the screen.
//!
//! **Length.** A page of a real program is to be read in a minute: one block a cause ([`crate::causes`]), of many conditional causes a line
//! each, potential causes as counts by what they hang on, an undecided kernel in one line, proofs as a count. [`Detail::Verbose`] tells all; [`Shows`] opens a part.

mod block;
mod costs;
mod counts;
mod excerpt;
mod findings;
mod kernels;
mod remarks;
mod wrap;

use std::fmt::Write as _;

use crate::causes::{Cause, causes};
use crate::finding::{Report, Verdict};
use wrap::wrapped_behind;

pub use crate::words::safe;
pub use wrap::wrap;

/// How to render.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether to use colour.
    pub color: bool,
    /// Columns of the terminal; source lines are trimmed to it.
    pub width: usize,
    /// Whether lines that stand alone (verdicts, headlines, what could not be read) are broken to it too: on a terminal. In a file
    /// each stays a line, so that what looks for a word finds the whole of it.
    pub fit: bool,
    /// How much is told.
    pub detail: Detail,
    /// What is shown in full.
    pub shows: Shows,
}

/// How much is told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Detail {
    /// Findings, and what could not be read.
    Quiet,
    /// What one reads in a minute.
    #[default]
    Normal,
    /// Every launch, assumption, reason and note, nothing cut.
    Verbose,
}

/// Parts that are counted unless they are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shows {
    /// Conditional findings, however many there are.
    pub conditional: bool,
    /// Potential findings.
    pub potential: bool,
    /// Kernels that are undecided, with all reasons.
    pub unknown: bool,
    /// Kernels that are proved, with launches and assumptions.
    pub race_free: bool,
    /// Findings that do not count.
    pub suppressed: bool,
}

impl Default for TextOptions {
    fn default() -> Self {
        TextOptions {
            color: false,
            width: 140,
            fit: false,
            detail: Detail::default(),
            shows: Shows::default(),
        }
    }
}

impl TextOptions {
    fn is_verbose(self) -> bool {
        self.detail == Detail::Verbose
    }
}

/// Columns by which further lines of what stands alone are indented.
const HANGING: usize = 4;

/// Renders a report.
#[must_use]
pub fn render(report: &Report, options: TextOptions) -> String {
    let causes = causes(report);
    let (suppressed, counting): (Vec<_>, Vec<_>) =
        causes.into_iter().partition(Cause::is_suppressed);
    let (by_design, counting): (Vec<_>, Vec<_>) =
        counting.into_iter().partition(Cause::is_by_design);
    let (potential, shown): (Vec<_>, Vec<_>) = counting.into_iter().partition(Cause::is_potential);
    let show_potential = options.shows.potential || options.is_verbose();
    let mut page = Page::default();
    let mut mends = Vec::new();
    let (whole, in_lines) = apportioned(&shown, options);
    for cause in whole {
        page.part(findings::block(cause, report, &mut mends, options));
    }
    page.part(counts::conditional(&in_lines, options));
    if show_potential {
        for cause in &potential {
            page.part(findings::block(cause, report, &mut mends, options));
        }
    }
    if options.detail == Detail::Quiet {
        page.part(remarks::errors(report, options));
        return page.out;
    }
    if !show_potential {
        page.part(counts::potential(&potential, options));
    }
    let asking: Vec<Cause<'_>> = shown.iter().chain(&potential).cloned().collect();
    page.part(counts::asked(&asking, options));
    page.part(counts::by_design(&by_design, options));
    page.part(counts::suppressed(&suppressed, options));
    page.part(kernels::verdicts(report, options));
    page.part(costs::part(report, options));
    page.part(remarks::notes_of_kernels(report, options));
    page.part(remarks::not_read(report, options));
    page.part(remarks::times(report));
    if report.show_coverage {
        page.part(crate::coverage::text(&crate::coverage::coverage(report)));
    }
    page.part(remarks::summary(report, options));
    page.out
}

/// Causes up to so many are all shown in full.
const WHOLE: usize = 3;

/// The causes that are shown in full and those that have a line: of more than a few, the conditional ones, as a person answers a question
/// for each rather than reading a way to it. The first is shown in full whatever it is.
fn apportioned<'c, 'a>(
    causes: &'c [Cause<'a>],
    options: TextOptions,
) -> (Vec<&'c Cause<'a>>, Vec<&'c Cause<'a>>) {
    let all = options.shows.conditional || options.detail != Detail::Normal;
    if all || causes.len() <= WHOLE {
        return (causes.iter().collect(), Vec::new());
    }
    let mut causes = causes.iter();
    let first = causes.next();
    let (in_lines, whole): (Vec<_>, Vec<_>) = causes.partition(|cause| cause.is_conditional());
    (first.into_iter().chain(whole).collect(), in_lines)
}

/// The findings of a report in full, and every kernel with all that is known of it.
#[must_use]
pub fn kernel_with_findings(report: &Report, options: TextOptions) -> String {
    let options = TextOptions {
        detail: Detail::Verbose,
        ..options
    };
    let mut page = Page::default();
    let mut mends = Vec::new();
    for cause in &causes(report) {
        page.part(findings::block(cause, report, &mut mends, options));
    }
    page.part(kernels::verdicts(report, options));
    page.out
}

/// Parts with a free line between each two.
#[derive(Default)]
struct Page {
    out: String,
}

impl Page {
    fn part(&mut self, text: String) {
        if text.is_empty() {
            return;
        }
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(&text);
    }
}

/// The text in indented lines, further ones indented more.
fn wrapped(text: &str, indent: usize, options: TextOptions) -> String {
    let mut out = String::new();
    let lines = wrap(text, options.width.saturating_sub(indent + 4));
    for (nth, line) in lines.iter().enumerate() {
        let indent = if nth == 0 { indent } else { indent + 4 };
        let _ = writeln!(out, "{:indent$}{line}", "");
    }
    out
}

/// A line that stands alone, its first word in the colour of the verdict, if one is given; further lines are indented more.
fn standing(
    out: &mut String,
    indent: usize,
    verdict: Option<Verdict>,
    line: &str,
    options: TextOptions,
) {
    let lines = match options.fit {
        true => wrapped_behind(line, options.width.saturating_sub(indent), HANGING),
        false => vec![line.to_owned()],
    };
    for (nth, line) in lines.iter().enumerate() {
        let word = line.find([' ', ':']).unwrap_or(line.len());
        let (word, rest) = line.split_at(word);
        let _ = match verdict {
            _ if nth > 0 => writeln!(out, "{:1$}{line}", "", indent + HANGING),
            Some(verdict) => {
                let word = painted(verdict, word, options);
                writeln!(out, "{:indent$}{word}{rest}", "")
            }
            None => writeln!(out, "{:indent$}{line}", ""),
        };
    }
}

/// The text in the colour of the verdict, if colour is wanted.
fn painted(verdict: Verdict, text: &str, options: TextOptions) -> String {
    if !options.color {
        return text.to_owned();
    }
    let code = match verdict {
        Verdict::RaceFree => "1;32",
        Verdict::Unknown => "1;33",
        _ => "1;31",
    };
    format!("\u{1b}[{code}m{text}\u{1b}[0m")
}

#[cfg(test)]
mod tests;
