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
mod lines;
pub mod options;
mod remarks;
mod wrap;

use crate::causes::{Cause, causes};
use crate::finding::Report;
use options::{Detail, TextOptions};

pub use crate::printable::safe;
pub use wrap::wrap;

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

#[cfg(test)]
mod tests;
