//! What accesses, branches and barriers cost the warps that execute them: counted from facts, for any size.
//!
//! A warp makes one *request* when its active lanes come to an access in the same iterations. [`request`] counts what one request
//! costs, exactly, from the addresses of its lanes; [`shape`] says which threads the lanes are, [`form`] what of an address differs
//! between lanes, [`walk`] which requests a launch makes, [`lanes`] evaluates its terms, [`stride`] how the count depends on sizes that are open, [`weight`] how
//! often, [`branches`] what diverges, [`mend`] what would help, [`ordered`] which pairs only a barrier orders, and [`rules`] joins it all to relations.
//!
//! **Accuracy.** A count is of a request that exists: of a warp of the launch, or of one for the sizes that are named with it. What
//! may be any value in each lane (an index from memory) is not counted: *cannot tell* is an answer of its own, and so is that there
//! is no access to ask about. It is taken for granted, and listed, that allocations begin at multiples of 256 bytes, shared arrays
//! at multiples of 128, and that lanes which come to an access in equal iterations are together there.
//!
//! **Sources.** The CUDA C++ Programming Guide (*Shared Memory*, *Maximize Memory Throughput*, *Compute Capabilities*) for the rules;
//! P. Li, G. Li, G. Gopalakrishnan, SC 2012, and A. Pereira et al.'s and R. Alur et al.'s static analyses for what to look for.

pub mod branches;
pub mod device;
pub mod form;
pub mod lanes;
pub mod mend;
pub mod ordered;
pub mod pages;
pub mod request;
pub mod rules;
pub mod shape;
pub mod stride;
mod sums;
pub mod walk;
pub mod weight;

mod count;

pub use branches::{Branch, Split};
pub use count::{Count, Counted, Options, Takes, Warp, costs};
