//! SIMD-within-a-word functions: pure functions of 32-bit words.

use warplog_facts::CType;

use super::{Family, Meaning, Out, row};

const U32: Meaning = Meaning::Pure(Out::Is(CType::U32));
const I32: Meaning = Meaning::Pure(Out::Is(CType::I32));
const BOOL: Out = Out::Is(CType::Bool);

pub(super) const FAMILY: Family = Family {
    subject: "SIMD within a word",
    source: "CUDA Math API: SIMD Intrinsics; DPX functions (CUDA C++ programming guide)",
    namespaces: &[],
    global: true,
    rows: &[
        row("__vabs{,ss}{2,4} __vneg{,ss}{2,4}", 1, U32),
        row(
            "__v{add,sub}{,ss,us}{2,4} __vavg{s,u}{2,4} __vhaddu{2,4} __v{min,max}{s,u}{2,4}",
            2,
            U32,
        ),
        row("__vabsdiff{s,u}{2,4} __vsad{s,u}{2,4}", 2, U32),
        row("__vcmp{eq,ne,ges,geu,gts,gtu,les,leu,lts,ltu}{2,4}", 2, U32),
        row("__vset{eq,ne,ges,geu,gts,gtu,les,leu,lts,ltu}{2,4}", 2, U32),
        row("__viadd{max,min}_{s32,s32_relu}", 3, I32),
        row("__viadd{max,min}_{u32,s16x2,s16x2_relu,u16x2}", 3, U32),
        row("__vi{max,min}3_{s32,s32_relu}", 3, I32),
        row("__vi{max,min}3_{u32,s16x2,s16x2_relu,u16x2}", 3, U32),
        row("__vi{max,min}_s32_relu", 2, I32),
        row("__vi{max,min}_s16x2_relu", 2, U32),
        row(
            "__vib{max,min}_s32",
            3,
            Meaning::Stores(Out::Is(CType::I32), &[(2, BOOL)]),
        ),
        row(
            "__vib{max,min}_u32",
            3,
            Meaning::Stores(Out::Is(CType::U32), &[(2, BOOL)]),
        ),
        row(
            "__vib{max,min}_{s16x2,u16x2}",
            4,
            Meaning::Stores(Out::Is(CType::U32), &[(2, BOOL), (3, BOOL)]),
        ),
    ],
};
