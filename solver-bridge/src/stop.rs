//! A request to stop from outside, for runs that a person interrupts.
//!
//! **Contract.** What was not asked when the request came is unknown, with [`INTERRUPTED`] as its reason: an answer is missing,
//! never wrong. Such a decision depends on the moment and is not to be kept.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The reason of what was left when the run was interrupted.
pub const INTERRUPTED: &str = "interrupted";

/// A flag that any thread, or a signal handler, may set; copies share it.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flag: Arc<AtomicBool>,
    /// Another one that stops this one, too.
    outer: Option<Box<Stop>>,
}

impl Stop {
    /// With a flag that something else sets.
    #[must_use]
    pub fn new(flag: Arc<AtomicBool>) -> Self {
        Stop { flag, outer: None }
    }

    /// With a flag of its own besides: to set that one stops nothing else.
    #[must_use]
    pub fn within(&self) -> Self {
        Stop {
            flag: Arc::default(),
            outer: Some(Box::new(self.clone())),
        }
    }

    /// Asks to stop.
    pub fn request(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Whether it was asked to stop.
    #[must_use]
    pub fn is_requested(&self) -> bool {
        self.flag.load(Ordering::Relaxed)
            || self
                .outer
                .as_ref()
                .is_some_and(|outer| outer.is_requested())
    }
}

/// Options are equal if they ask for the same, whoever may interrupt it.
impl PartialEq for Stop {
    fn eq(&self, _: &Stop) -> bool {
        true
    }
}

impl Eq for Stop {}
