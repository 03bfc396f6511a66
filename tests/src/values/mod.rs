//! What C++ means, by a C++ compiler: small programs whose values the system's compiler computes, and kernels that race exactly
//! if the value is that one.
//!
//! A [`Snippet`] is a prelude, statements and an integer expression. The compiler computes the expression (with the undefined
//! behaviour sanitizer: what is undefined says nothing). Then `if (E == C) p[0] = threadIdx.x;` is racy, and
//! `if (E != C) p[0] = threadIdx.x;` does nothing ([`unit`]). That the first is called race-free, or that a race of the second is
//! confirmed, is a fault; that each is told for what it is counts as decided. The same expressions stand in kernels, in functions
//! that kernels call, and in host code that computes the argument of a launch; host code that launches kernels in any other way
//! is run as well, and its launches are what the kernels compare with.
//!
//! The snippets of `tests/values/` are by construct of the language; [`grow`] makes programs of integers, layouts and overloads
//! at random.

mod compiler;
pub mod grow;
pub mod library;
pub mod open;
mod read;
mod unit;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use warplog::engine::Analysis;
use warplog::guard::guarded;
use warplog::header::parse_header;
use warplog::options::AnalysisOptions;
use warplog::pipeline::Pipeline;
use warplog::unit::{Unit, UnitOptions};
use warplog_report::{Certainty, Verdict};

use crate::random::suite::on_all_cores;
use unit::{Side, Text, texts};

pub use compiler::{Compiler, Value};
pub use read::{Snippet, read_snippets};
pub use unit::Where;

/// A verdict that contradicts the compiler.
#[derive(Clone, Debug)]
pub struct Fault {
    /// File and line, or the seed, of the snippet.
    pub place: String,
    /// The snippet as it is written.
    pub text: String,
    /// Where the expression stood.
    pub at: Where,
    /// What was said of which kernel.
    pub told: String,
    /// What the snippet says of itself: why the fault is known and left open.
    pub open: Option<String>,
}

/// How many kernels of a kind were told for what they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    /// Kernels compared.
    pub kernels: usize,
    /// Those with the right verdict.
    pub decided: usize,
}

impl Score {
    /// The share of those decided, in thousandths.
    #[must_use]
    pub fn per_mille(&self) -> usize {
        self.decided * 1000 / self.kernels.max(1)
    }
}

/// What many snippets came to.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Snippets with a value.
    pub snippets: usize,
    /// Snippets that the sanitizer calls undefined.
    pub undefined: usize,
    /// By where the expression stands, and whether the kernel is racy.
    pub scores: BTreeMap<(Where, bool), Score>,
    /// The same for each group of snippets.
    pub groups: BTreeMap<String, Score>,
    /// Contradictions.
    pub faults: Vec<Fault>,
    /// Kernels that are not decided, with the verdict: for whoever wants to know.
    pub undecided: Vec<String>,
}

/// Has the compiler compute all snippets, and compares the verdicts.
///
/// # Errors
/// What the compiler complains of.
pub fn compare(compiler: &Compiler, snippets: &[Snippet]) -> Result<Tally, String> {
    let values = compiler.values(snippets)?;
    let mut tally = Tally::default();
    let mut defined = Vec::new();
    for (number, (snippet, value)) in snippets.iter().zip(&values).enumerate() {
        match value {
            Value::Undefined => tally.undefined += 1,
            value => defined.push((number, snippet, value)),
        }
    }
    tally.snippets = defined.len();
    let texts = texts(&defined);
    let count = u64::try_from(texts.len()).unwrap_or(0);
    let verdicts = on_all_cores(0..count, &|number| {
        let number = usize::try_from(number).unwrap_or(0);
        analyse(&texts[number])
    });
    for (text, verdicts) in texts.iter().zip(verdicts) {
        for (number, side) in &text.kernels {
            let name = text.kernel(*number, *side);
            let said = match &verdicts {
                Ok(verdicts) => verdicts.get(&name).copied(),
                Err(_) => None,
            };
            let failed = verdicts.as_ref().err().map(String::as_str);
            tally.count(&snippets[*number], text.at, *side, said, failed);
        }
    }
    Ok(tally)
}

/// The verdict and certainty of the kernels of a text, by name.
type Verdicts = BTreeMap<String, (Verdict, Option<Certainty>)>;

fn analyse(text: &Text) -> Result<Verdicts, String> {
    let path = Path::new("values.cu");
    let header = parse_header(&text.text).map_err(|error| error.message)?;
    let options = AnalysisOptions::default();
    let unit = Unit {
        path,
        shown: "values.cu",
        bytes: text.text.as_bytes(),
        options: &UnitOptions::new(&options, &header, path),
    };
    let report = guarded(|| Analysis.check(&unit, &options))?;
    if let Some(error) = report.errors.first() {
        return Err(error.message.clone());
    }
    let kernels = report.kernels.iter().map(|kernel| {
        let name = kernel.name.rsplit("::").next().unwrap_or_default();
        let name = name.split('<').next().unwrap_or_default();
        (name.to_owned(), (kernel.verdict(), kernel.certainty()))
    });
    // Of the instances of one kernel the worst counts.
    let mut verdicts = Verdicts::new();
    for (name, said) in kernels {
        let entry = verdicts.entry(name).or_insert(said);
        *entry = (*entry).max(said);
    }
    Ok(verdicts)
}

impl Tally {
    fn count(
        &mut self,
        snippet: &Snippet,
        at: Where,
        side: Side,
        said: Option<(Verdict, Option<Certainty>)>,
        failed: Option<&str>,
    ) {
        let racy = side == Side::Racy;
        let right = match said {
            Some((verdict, _)) if racy => verdict == Verdict::Racy,
            Some((verdict, _)) => verdict == Verdict::RaceFree,
            None => false,
        };
        for score in [
            self.scores.entry((at, racy)).or_default(),
            self.groups.entry(snippet.group().to_owned()).or_default(),
        ] {
            score.kernels += 1;
            score.decided += usize::from(right);
        }
        if right {
            return;
        }
        let kernel = if racy { "racy" } else { "race-free" };
        let told = match said {
            None => format!(
                "no verdict: {}",
                failed.unwrap_or("the kernel is not found")
            ),
            Some((verdict, certainty)) => {
                let certainty = match certainty {
                    Some(Certainty::Confirmed) => "confirmed ",
                    _ => "",
                };
                format!("{certainty}{} on a {kernel} kernel", verdict.as_str())
            }
        };
        let fault = match said {
            None => true,
            Some((verdict, _)) if racy => verdict == Verdict::RaceFree,
            // An argument that is not known may be anything: then the launch is any, and its race a true one.
            Some((_, certainty)) => {
                certainty == Some(Certainty::Confirmed)
                    && !matches!(at, Where::Host | Where::Launch)
            }
        };
        let place = snippet.place();
        if fault {
            self.faults.push(Fault {
                place,
                text: snippet.to_string(),
                at,
                told,
                open: snippet.open.clone(),
            });
        } else {
            self.undecided.push(format!("{place} {at}: {told}"));
        }
    }

    /// The share of kernels that are told for what they are, in thousandths, by where the expression stands.
    #[must_use]
    pub fn per_mille(&self, at: Where) -> [usize; 2] {
        [true, false].map(|racy| {
            let score = self.scores.get(&(at, racy)).copied().unwrap_or_default();
            score.per_mille()
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.place, self.at, self.told)?;
        match &self.open {
            Some(why) => write!(f, " (known: {why})"),
            None => write!(f, "\n{}", self.text),
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} snippets, {} undefined, {} faults",
            self.snippets,
            self.undefined,
            self.faults.len()
        )?;
        for ((at, racy), score) in &self.scores {
            let kernels = if *racy { "racy" } else { "race-free" };
            let Score {
                kernels: all,
                decided,
            } = score;
            writeln!(f, "  {at}, {kernels}: {decided} of {all} decided")?;
        }
        for (group, score) in &self.groups {
            writeln!(f, "  {group}: {} of {}", score.decided, score.kernels)?;
        }
        for fault in &self.faults {
            writeln!(f, "FAULT {fault}")?;
        }
        Ok(())
    }
}
