//! The folder in which results are kept, and the hashes by which they are found ([`crate::cache`]).

use std::path::PathBuf;

use sha2::{Digest, Sha256};

pub(crate) type Hash = [u8; 32];

/// A folder of results.
#[derive(Debug)]
pub struct Cache {
    pub(crate) folder: PathBuf,
    /// What tells this program from others.
    pub(crate) program: Hash,
}

/// The content of a file, in 32 bytes.
pub(crate) fn content_hash(bytes: &[u8]) -> Hash {
    Sha256::digest(bytes).into()
}
