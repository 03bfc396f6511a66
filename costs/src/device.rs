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
}

/// Lanes of a warp.
pub const WARP: usize = 32;

/// Bytes of a word of shared memory.
pub const WORD: i64 = 4;

/// Bytes of a line of the cache.
pub const LINE: i64 = 128;

impl Default for Device {
    fn default() -> Self {
        Device::of_capability(8)
    }
}

impl Device {
    /// The device of a major compute capability: 1 has 16 banks and requests of half a warp, 2 fetches whole lines of global
    /// memory, later ones sectors of them.
    #[must_use]
    pub fn of_capability(major: u32) -> Device {
        match major {
            0 | 1 => Device {
                banks: 16,
                lanes: 16,
                sector: 32,
            },
            2 => Device {
                banks: 32,
                lanes: 32,
                sector: LINE,
            },
            _ => Device {
                banks: 32,
                lanes: 32,
                sector: 32,
            },
        }
    }
}
