//! Who is told which launch is being decided: for a caller that waits and wants to say where the time goes.

use std::fmt;
use std::sync::Arc;

use warplog_facts::LaunchId;

/// A listener, or none; copies share it.
#[derive(Clone, Default)]
pub struct Begun(Option<Arc<Listener>>);

type Listener = dyn Fn(LaunchId) + Send + Sync;

impl Begun {
    /// With somebody to tell. It is told from any thread, and changes nothing that is decided.
    #[must_use]
    pub fn new(listener: impl Fn(LaunchId) + Send + Sync + 'static) -> Self {
        Begun(Some(Arc::new(listener)))
    }

    pub(crate) fn tell(&self, launch: LaunchId) {
        if let Some(listener) = &self.0 {
            listener(launch);
        }
    }
}

impl fmt::Debug for Begun {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Begun")
    }
}

/// Options are equal if they ask for the same, whoever listens.
impl PartialEq for Begun {
    fn eq(&self, _: &Begun) -> bool {
        true
    }
}

impl Eq for Begun {}
