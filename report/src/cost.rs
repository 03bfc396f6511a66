//! What a kernel costs, as plain data; [`crate::costs`] says what follows of it.

use serde::{Deserialize, Serialize};

use super::measure::{Exactness, Measure};
use crate::mend::Mend;
use crate::place::Place;
use crate::printable::safe;
use crate::suppression::Suppression;

/// What a kernel costs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costs {
    /// What was found, the costliest first.
    pub found: Vec<Cost>,
    /// What is said of each kind, in the order of [`COST_KINDS`].
    pub answers: Vec<Answer>,
    /// What the counts rest on, in words.
    pub assumptions: Vec<String>,
}

/// Something that costs time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// Stable id; empty until [`identify`] has run.
    pub id: String,
    /// The id of its kind.
    pub rule: String,
    /// Where.
    pub place: Place,
    /// What was counted.
    pub measure: Measure,
    /// What, in words that stand alone but for the place: `32-way bank conflict by the read of tile`.
    pub headline: String,
    /// What is known of the measure.
    pub answer: Exactness,
    /// On which sizes it depends.
    pub condition: Option<String>,
    /// How often, in words.
    pub weight: String,
    /// How often, where it is one number and exact.
    pub requests: Option<u64>,
    /// What it costs beyond the fewest, to sort by.
    pub excess: u64,
    /// What would help, and what it would be then.
    pub hint: Option<String>,
    /// Further remarks.
    pub notes: Vec<String>,
    /// Indexes of the launches that show it.
    pub launches: Vec<usize>,
    /// Why it does not count, if it does not.
    pub suppressed: Option<Suppression>,
    /// By how many elements the rows of the array have to be longer, where that helps.
    pub longer_by: Option<u64>,
    /// A change of the source that was made and analysed again, if one was found.
    pub mend: Option<Mend>,
}

/// What is said of one kind in a kernel. Nothing to ask about, nothing found and nothing known are three things.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Answer {
    /// The id of the kind.
    pub rule: String,
    /// How many accesses, branches or barriers were asked about.
    pub asked: u64,
    /// How many were found to cost something.
    pub found: u64,
    /// Those of which nothing can be told: line and reason.
    pub cannot_tell: Vec<(u32, String)>,
}

impl Cost {
    /// What two launches show as one cost.
    pub(crate) fn key(&self) -> (&str, &Place, Option<&str>) {
        (&self.rule, &self.place, self.measure.array())
    }

    /// Everything on one line: degree, condition, weight, mend.
    #[must_use]
    pub fn line(&self) -> String {
        let mut line = safe(&self.headline);
        if let Some(condition) = &self.condition {
            line.push_str(&format!(" ({})", safe(condition)));
        }
        if !self.weight.is_empty() {
            line.push_str(&format!(", {}", safe(&self.weight)));
        }
        if let Some(hint) = &self.hint {
            line.push_str(&format!("; helps: {}", safe(hint)));
        }
        if self.mend.is_some() {
            line.push_str("; `--fix` makes that change, which was analysed");
        }
        if let Some(suppressed) = &self.suppressed {
            line.push_str(&format!("; suppressed: {}", safe(&suppressed.reason)));
        }
        line
    }
}
