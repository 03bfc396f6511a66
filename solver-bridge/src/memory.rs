//! Keeping the memory of one context of Z3 for the next.
//!
//! Z3 begins each context with two tables of 8 MB that it fills at once. The C library of GNU takes blocks of that size from the
//! system and gives them back, so that every context pays for 16 MB of fresh pages: more than for all the questions that an
//! ordinary kernel is asked. When a block as large has been given back once, the library keeps blocks of up to this size, and
//! twice as much free memory at the end of an arena (`mallopt(3)`, *M_MMAP_THRESHOLD*, dynamic since 2.5). One that is never
//! written to costs two calls of the system; other libraries do not mind.

use std::hint::black_box;
use std::sync::Once;

/// Blocks up to this size are kept, and free memory up to twice as much.
const KEPT: usize = 16 << 20;

/// Makes the allocator keep large blocks, once for the process.
pub(crate) fn keep_large_blocks() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| drop(black_box(Vec::<u8>::with_capacity(KEPT))));
}
