//! The kind `bank-conflict`: turns of the fullest bank in the worst request to shared memory.

use super::kind::{CostKind, Piece, Told};
use crate::measure::{Action, Measure, Measured};

pub(super) static KIND: CostKind = CostKind {
    id: "bank-conflict",
    name: "BankConflict",
    about: "accesses to shared memory",
    summary: "Lanes of one warp want different words of one bank of shared memory, which serves them one after the other.",
    free: "conflict-free",
    page: include_str!("../../../docs/findings/bank-conflict.md"),
    asks: |measure| matches!(measure, Measure::Turns { .. }),
    tell,
    open: Measure::unknown_address,
    pieces,
};

fn tell(measured: &Measured) -> Told {
    let Measure::Turns { access, turns } = &measured.measure else {
        return Told::default();
    };
    let mut notes = measured.counted_with();
    if access.action == Action::Atomic {
        notes.push("a device may combine lanes that change one word".to_owned());
    }
    Told {
        headline: format!(
            "{turns}-way bank conflict by the {} of `{}`",
            access.action.as_str(),
            access.array
        ),
        hint: measured
            .mend
            .as_ref()
            .map(|mend| format!("{}; then none", mend.text)),
        notes,
    }
}

fn pieces(measure: &Measure) -> Vec<Piece> {
    let banks = (0..).zip(measure.banks()).map(|(number, words)| Piece {
        what: "bank",
        number,
        lanes: words.into_values().flatten().collect(),
    });
    banks.filter(|bank| !bank.lanes.is_empty()).collect()
}
