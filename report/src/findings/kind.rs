//! What a kind of defect and a kind of cost are made of; the kinds are the other files of this folder.

use crate::judgement::Verdict;
use crate::measure::{Measure, Measured};
use crate::meeting::Role;

/// A kind of defect.
#[derive(Debug)]
pub struct DefectKind {
    /// The name of the rule: in headlines, comments, the configuration and the formats of others. Never renamed.
    pub id: &'static str,
    /// The name in the contract.
    pub key: &'static str,
    /// Its name in title case, one word.
    pub name: &'static str,
    /// What it is called in a sentence.
    pub noun: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// The page, in Markdown.
    pub page: &'static str,
    /// The verdict that a finding of it brings.
    pub verdict: Verdict,
    /// What is said of code without such a finding.
    pub absence: &'static str,
    /// Names by which a part of it is suppressed, and whether that part is on shared memory or on all other.
    pub parts: &'static [(&'static str, bool)],
    /// What two threads of a witness do that differ.
    pub opposed: Option<[&'static str; 2]>,
    /// Whether the accesses of threads have numbers in the source.
    pub is_numbered: bool,
    /// The part of a location that tells causes apart.
    pub cause: Role,
    /// Whether threads part at the condition, and the defect lies behind it.
    pub parts_at_condition: bool,
    /// Whether a condition on the launch that rules out the kernel's findings is told of it.
    pub takes_condition: bool,
}

/// What a kind says of one finding.
pub(crate) trait Words {
    /// What is wrong, behind `confirmed data race in k: `.
    fn what(&self) -> String;
    /// What stands at a location: `(1) write`, `this barrier`.
    fn label(&self, role: Role) -> String;
    /// What the `nth` thread of a witness does, in a word or two.
    fn does(&self, nth: usize) -> String {
        format!("({})", nth + 1)
    }
}

/// A kind of cost.
#[derive(Debug)]
pub struct CostKind {
    /// The name of the rule, never renamed.
    pub id: &'static str,
    /// Its name in title case, one word.
    pub name: &'static str,
    /// What is asked about, in the plural.
    pub about: &'static str,
    /// One sentence.
    pub summary: &'static str,
    /// What is said where everything was asked about and nothing found.
    pub free: &'static str,
    /// The page, in Markdown.
    pub page: &'static str,
    /// Whether it asks about what was measured.
    pub asks: fn(&Measure) -> bool,
    /// What it says of something that was found.
    pub tell: fn(&Measured) -> Told,
    /// Why nothing can be told of something that was measured.
    pub open: fn(&Measure) -> String,
    /// What the lanes of the worst request want, piece by piece.
    pub pieces: fn(&Measure) -> Vec<Piece>,
}

/// A bank or a sector, and the lanes that want something of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// `bank`, `sector`.
    pub what: &'static str,
    /// Its number.
    pub number: i64,
    /// The lanes, one for each time it wants something.
    pub lanes: Vec<usize>,
}

/// What a kind says of a cost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// What, in words that stand alone but for the place.
    pub headline: String,
    /// What would help, and what it would be then.
    pub hint: Option<String>,
    /// Further remarks.
    pub notes: Vec<String>,
}
