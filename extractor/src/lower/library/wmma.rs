//! Tensor-core fragments: reported, with what a model would need.

use warplog_facts::words::Effect;

use super::{Family, Meaning, rows};

const WHY: &str = "which lane of the warp holds which element of a fragment is not specified: fragments are not modelled";

pub(super) const FAMILY: Family = Family {
    source: "CUDA C++ programming guide: Warp Matrix Functions",
    namespaces: &["nvcuda::wmma", "wmma"],
    global: false,
    rows: &[
        rows(
            "load_matrix_sync store_matrix_sync",
            3,
            4,
            Meaning::Refused(WHY, Effect::Access),
        ),
        // Registers only: the lanes of the warp meet, and no memory is touched.
        rows(
            "mma_sync bmma_sync",
            4,
            6,
            Meaning::Fresh(super::Out::Nothing),
        ),
        rows("fill_fragment", 2, 2, Meaning::Fresh(super::Out::Nothing)),
    ],
};
