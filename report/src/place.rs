//! Places of the source, and sentences that apply there.

use serde::{Deserialize, Serialize};

/// A range of source text. Lines and columns count from 1, columns in characters; the end is exclusive.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Place {
    /// File as it is to be printed.
    pub file: String,
    /// First line.
    pub line: u32,
    /// First column.
    pub column: u32,
    /// Line of the end.
    pub end_line: u32,
    /// Column just behind the last character.
    pub end_column: u32,
}

/// A sentence and where it applies.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Note {
    /// The place, if there is one.
    pub place: Option<Place>,
    /// Lower case, no full stop.
    pub text: String,
}
