//! Who is told what a run is doing.

use std::fmt;
use std::sync::Arc;

/// Who is told how far a run is: so that one who waits for it can say where it is.
#[derive(Clone, Default)]
pub struct Told(pub(crate) Option<Arc<Listener>>);

/// What is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing<'a> {
    /// What is being done to a file, by a phrase that follows `while`.
    Phase(&'a str),
    /// How many files are analysed to the end, of how many.
    Files(usize, usize),
}

type Listener = dyn Fn(Doing<'_>) + Send + Sync;

impl Told {
    /// With somebody to tell.
    #[must_use]
    pub fn new(listener: impl Fn(Doing<'_>) + Send + Sync + 'static) -> Self {
        Told(Some(Arc::new(listener)))
    }

    /// Tells what is being done to a file.
    pub fn tell(&self, phase: &str) {
        self.about(Doing::Phase(phase));
    }

    /// Tells it.
    pub fn about(&self, doing: Doing<'_>) {
        if let Some(listener) = &self.0 {
            listener(doing);
        }
    }
}

impl fmt::Debug for Told {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Told")
    }
}
