//! Of which kernel which conditions are to be shown.

use serde::{Deserialize, Serialize};

use crate::naming::Named;

/// What is asked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ask {
    /// The launches.
    pub side: Named,
    /// Post-conditions beyond those of the source.
    pub texts: Vec<String>,
    /// Sums and products of floats are those of the reals.
    pub reassociates: bool,
    /// There is nothing to speak of, and only what is written is looked at.
    pub is_refused: bool,
}
