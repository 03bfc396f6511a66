//! Which kernels are to be compared, and what may be taken of them.

use serde::{Deserialize, Serialize};
use warplog_report::equal::{self as told, Comparison};

use crate::naming::Named;

/// What is to be compared, and how.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ask {
    /// The sides.
    pub sides: [Named; 2],
    /// Sums and products of floats are those of the reals.
    pub reassociates: bool,
    /// Parameters of the two that are the same, beyond what names tell.
    pub map: Vec<(String, String)>,
    /// What the answer takes for granted besides.
    pub assumed: Vec<String>,
}

impl Ask {
    /// The comparison of which nothing is known yet.
    #[must_use]
    pub fn open(&self) -> Comparison {
        let floats = match self.reassociates {
            true => "reassociated",
            false => "exact",
        };
        Comparison {
            schema: "warplog-equal/1".to_owned(),
            left: side_of(&self.sides[0]),
            right: side_of(&self.sides[1]),
            verdict: told::Verdict::Unknown,
            extent: None,
            floats: floats.to_owned(),
            counterexample: None,
            reasons: Vec::new(),
            assumptions: Vec::new(),
            equal_if: Vec::new(),
            notes: Vec::new(),
            runs: 0,
            derivation: Vec::new(),
        }
    }
}

pub(crate) fn side_of(side: &Named) -> told::Side {
    told::Side {
        file: crate::collect::shown(&side.path),
        kernels: side.kernels.clone(),
    }
}
