//! What of a device the counts depend on, by its compute capability.
//!
//! Source: the CUDA C++ Programming Guide, *Compute Capabilities*: banks and how many lanes a request to shared memory is
//! made of; how a request to global memory is cut.

/// What of a device the counts depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Device {
    /// Banks of shared memory, each four bytes wide.
    pub banks: i64,
    /// Lanes whose accesses of four bytes or less are one request.
    pub lanes: usize,
    /// Bytes of the pieces in which global memory is fetched.
    pub sector: i64,
    /// Whether the lanes of half a warp are served together only if each wants its own element of one segment, in order.
    pub in_order: bool,
}

/// Lanes of a warp.
pub const WARP: usize = 32;

/// Bytes of a word of shared memory.
pub const WORD: i64 = 4;

/// Bytes of a line of the cache.
pub const LINE: i64 = 128;

impl Default for Device {
    fn default() -> Self {
        Device::of_capability(80)
    }
}

impl Device {
    /// The device of a compute capability, ten times the major number and the minor one: 1.x has 16 banks and requests of half a
    /// warp, of which 1.0 and 1.1 serve only those together whose lanes are in order; 2.x fetches whole lines of global memory,
    /// later ones sectors of them.
    #[must_use]
    pub fn of_capability(capability: u32) -> Device {
        let old = capability < 20;
        let lanes = if old { WARP / 2 } else { WARP };
        Device {
            banks: if old { 16 } else { 32 },
            lanes,
            sector: if capability / 10 == 2 { LINE } else { 32 },
            in_order: capability < 12,
        }
    }
}
